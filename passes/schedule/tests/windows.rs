//! `expand-windows`: nests over elements give what the windows do, and stop the program where these do, on the host and at a point.

mod support;

use segra_interp::{Datum, Interpreter};
use segra_ir::Ir;
use segra_schedule::ExpandWindows;
use support::{apply, matrix, parse, verify};

/// A window of `%t`, and `%t` with the first of its elements in another one.
const ON_HOST: &str = "
    func.func @main(%t: tensor<?x?xf32>, %a: index, %n: index, %s: index, %b: index, %m: index, %z: index)
        -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %w = tensor.extract_slice %t[%a, 1] [%n, 2] [%s, 1] : tensor<?x?xf32> to tensor<?x2xf32>
      %v = tensor.insert_slice %w into %t[%b, 0] [%m, 2] [%z, 2] : tensor<?x2xf32> into tensor<?x?xf32>
      %u = tensor.cast %w : tensor<?x2xf32> to tensor<?x?xf32>
      func.return %u, %v : tensor<?x?xf32>, tensor<?x?xf32>
    }";

/// The same at a point.
fn at_a_point() -> String {
    let (before, body) = ON_HOST.split_once("      %w =").expect("it has a window");
    let (body, _) = body.split_once("      func.return").expect("it returns");
    format!(
        "{before}
      %c1 = arith.constant 1 : index
      %x, %y = kernel.segmap thread (%i < %c1) -> (tensor<1x?x?xf32>, tensor<1x?x?xf32>) {{
        %w ={body}
        kernel.return %u, %v : tensor<?x?xf32>, tensor<?x?xf32>
      }}
      %c0 = arith.constant 0 : index
      %p = tensor.extract_slice %x[%c0, 0, 0] [1, %n, 2] [1, 1, 1] : tensor<1x?x?xf32> to tensor<?x2xf32>
      %q = tensor.cast %p : tensor<?x2xf32> to tensor<?x?xf32>
      %d0 = arith.constant 1 : index
      %k = tensor.dim %t, %c0 : tensor<?x?xf32>
      %l = tensor.dim %t, %d0 : tensor<?x?xf32>
      %r = tensor.extract_slice %y[%c0, 0, 0] [1, %k, %l] [1, 1, 1] : tensor<1x?x?xf32> to tensor<?x?xf32>
      func.return %q, %r : tensor<?x?xf32>, tensor<?x?xf32>
    }}"
    )
}

fn outcome(ir: &Ir, inputs: &[Datum]) -> Option<String> {
    let results = Interpreter::new(ir).call("main", inputs);
    results.ok().map(|results| format!("{results:?}"))
}

#[test]
fn elements_are_those_of_the_window_and_stop_where_it_does() {
    for program in [ON_HOST.to_owned(), at_a_point()] {
        let before = parse(&program);
        verify(&before);
        let mut after = parse(&program);
        apply(&ExpandWindows {}, &mut after);
        verify(&after);
        assert_ne!(support::text(&before), support::text(&after));
        let (mut done, mut stopped) = (0, 0);
        // First index, size and stride of the one read, then of the one replaced.
        let lists = [[-1, 0, 2, 4], [0, 1, 2, 4], [-1, 0, 1, 2]];
        for number in 0..4usize.pow(6) {
            let digit = |place: usize| number / 4usize.pow(place as u32) % 4;
            let choose = |place: usize| Datum::Int(lists[place % 3][digit(place)]);
            let mut inputs = vec![matrix(4, 3)];
            inputs.extend((0..6).map(choose));
            let wanted = outcome(&before, &inputs);
            match wanted {
                Some(_) => done += 1,
                None => stopped += 1,
            }
            assert_eq!(outcome(&after, &inputs), wanted, "{:?}", &inputs[1..]);
        }
        assert!(done > 100 && stopped > 100, "{done} {stopped}");
    }
}

//! Windows of tensors, held against a walk over all of their indices; and what has no meaning, refused.

mod support;

use segra_interp::{ArrayValue, Datum, EvalError, Interpreter};

/// The numbers from 0 on in this shape.
fn counted(shape: [usize; 2]) -> ArrayValue {
    let numbers: Vec<i32> = (0..(shape[0] * shape[1]) as i32).collect();
    let array = ArrayValue::i32s(&numbers).reshaped(shape.to_vec());
    array.expect("there are as many numbers")
}

fn ints(array: &Datum) -> Vec<i64> {
    let Datum::Array(array) = array else {
        panic!("{array:?} is no array")
    };
    array.iter().filter_map(|datum| datum.as_int()).collect()
}

const PROGRAM: &str = "
    func.func @f(%t: tensor<?x?xi32>, %u: tensor<?x?xi32>, %a: index, %b: index, %n: index, %m: index, %s: index, %z: index)
        -> (tensor<?x?xi32>, tensor<?x?xi32>) {
      %w = tensor.extract_slice %t[%a, %b] [%n, %m] [%s, %z] : tensor<?x?xi32> to tensor<?x?xi32>
      %v = tensor.insert_slice %w into %u[%a, %b] [%n, %m] [%s, %z] : tensor<?x?xi32> into tensor<?x?xi32>
      func.return %w, %v : tensor<?x?xi32>, tensor<?x?xi32>
    }";

fn windowed(shape: [usize; 2], window: [i64; 6]) -> Result<Vec<Datum>, EvalError> {
    let ir = support::program(PROGRAM);
    let zeros = counted(shape).len();
    let into = ArrayValue::i32s(&vec![-1; zeros]).reshaped(shape.to_vec());
    let mut inputs = vec![
        Datum::array(counted(shape)),
        Datum::array(into.expect("there are as many")),
    ];
    inputs.extend(window.map(Datum::Int));
    Interpreter::new(&ir).call("f", &inputs)
}

#[test]
fn windows_are_the_elements_at_offsets_and_strides() {
    let mut refused = 0;
    for shape in [[4, 5], [1, 3], [3, 1], [0, 2]] {
        for number in 0..3 * 3 * 4 * 4 * 3 * 3 {
            let digit = |base: i64, div: i64| number / div % base;
            let window = [
                digit(3, 1),
                digit(3, 3),
                digit(4, 9),
                digit(4, 36),
                digit(3, 144) + 1,
                digit(3, 432) - 1,
            ];
            let [a, b, n, m, s, z] = window;
            let place = |i: i64, j: i64| (a + i * s, b + j * z);
            let inside = |(i, j): (i64, i64)| {
                (0..shape[0] as i64).contains(&i) && (0..shape[1] as i64).contains(&j)
            };
            let all = || (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
            // Several elements cannot be put into one place.
            let fits = all().all(|(i, j)| inside(place(i, j))) && (z != 0 || m < 2);
            let found = windowed(shape, window);
            let Ok(found) = found else {
                refused += 1;
                assert!(!fits, "{shape:?} {window:?}: {found:?}");
                continue;
            };
            assert!(fits, "{shape:?} {window:?}");
            let at = |(i, j): (i64, i64)| i * shape[1] as i64 + j;
            let wanted: Vec<i64> = all().map(|(i, j)| at(place(i, j))).collect();
            assert_eq!(ints(&found[0]), wanted, "{shape:?} {window:?}");
            let mut whole = vec![-1; shape[0] * shape[1]];
            for &place in &wanted {
                whole[place as usize] = place;
            }
            assert_eq!(ints(&found[1]), whole, "{shape:?} {window:?}");
        }
    }
    assert!(refused > 100, "only {refused} windows left their tensor");
}

fn error(body: &str, input: ArrayValue) -> String {
    let text = format!("func.func @f(%t: tensor<?x?xi32>) -> tensor<?x?xi32> {{ {body} }}");
    let ir = support::program(&text);
    let found = Interpreter::new(&ir).call("f", &[Datum::array(input)]);
    found.expect_err("it has no meaning").to_string()
}

#[test]
fn what_does_not_fit_is_refused_when_it_runs() {
    let cast = "%c = tensor.cast %t : tensor<?x?xi32> to tensor<2x?xi32>
                %r = tensor.cast %c : tensor<2x?xi32> to tensor<?x?xi32>
                func.return %r : tensor<?x?xi32>";
    let message = error(cast, counted([3, 2]));
    assert!(
        message.contains("which its type does not allow"),
        "{message}"
    );
    let reshape = "%c4 = arith.constant 4 : index
                   %s = tensor.from_elements %c4, %c4 : tensor<2xindex>
                   %r = tensor.reshape %t(%s) : (tensor<?x?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
                   func.return %r : tensor<?x?xi32>";
    let message = error(reshape, counted([3, 5]));
    assert!(
        message.contains("cannot give shape [4, 4] to 15 elements"),
        "{message}"
    );
    let empty = "%n = arith.constant -1 : index
                 %r = tensor.empty(%n, %n) : tensor<?x?xi32>
                 func.return %r : tensor<?x?xi32>";
    let message = error(empty, counted([1, 1]));
    assert!(message.contains("has a negative extent"), "{message}");
    let dim = "%c2 = arith.constant 2 : index
               %n = tensor.dim %t, %c2 : tensor<?x?xi32>
               %r = tensor.empty(%n, %n) : tensor<?x?xi32>
               func.return %r : tensor<?x?xi32>";
    let message = error(dim, counted([1, 1]));
    assert!(
        message.contains("asks for dimension 2 of a tensor of rank 2"),
        "{message}"
    );
}

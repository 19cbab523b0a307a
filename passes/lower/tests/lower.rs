//! Lowering keeps results: programs run in the reference interpreter as arrays and as launches on memory.

mod support;

use segra_interp::{ArrayValue, Datum, Elem, Elements, Interpreter};
use segra_kernel::vector::Accesses;
use segra_lower::LowerToGpu;
use segra_text::{PrintOptions, print};
use support::{Schedule, context, ints, lower, on_device, parse, same, same_scheduled, verify};

const TRANSPOSE: &str = "
  func.func @main(%a: tensor<?x?xi32>, %n: index, %m: index) -> tensor<?x?xi32> {
    %t = kernel.segmap thread (%j < %m, %i < %n) -> (tensor<?x?xi32>) {
      %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
      %c0 = arith.constant 0 : index
      %d = tensor.dim %a, %c0 : tensor<?x?xi32>
      %c = arith.index_cast %d : index to i32
      %y = arith.addi %x, %c : i32
      kernel.return %y : i32
    }
    func.return %t : tensor<?x?xi32>
  }";

#[test]
fn a_segmap_stores_every_point() {
    for (n, m) in [(0, 3), (1, 1), (3, 5), (7, 64), (33, 31)] {
        let inputs = [
            Datum::array(ints(&[n, m], 1)),
            Datum::Int(n as i64),
            Datum::Int(m as i64),
        ];
        same(TRANSPOSE, &inputs);
    }
}

/// The same program with accesses of one element and of several, and how many of the latter there are.
fn same_wide(program: &str, inputs: &[Datum]) -> usize {
    same(program, inputs);
    let single = Schedule {
        accesses: Accesses::Single,
        ..Schedule::default()
    };
    same_scheduled(program, inputs, &single, &LowerToGpu::default());
    let mut ir = parse(&context(), program);
    lower(&mut ir, &LowerToGpu::default()).unwrap_or_else(|error| panic!("{error}"));
    let wide = |op| matches!(ir.op_name_str(op), "vector.load" | "vector.store");
    ir.walk(ir.root())
        .into_iter()
        .filter(|&op| wide(op))
        .count()
}

#[test]
fn rows_of_any_length_are_taken_several_elements_at_a_time() {
    // The first uses its indices, so rows are divided each by itself; the second does not.
    let map = |body: &str| {
        format!(
            "func.func @main(%a: tensor<?x?xi32>, %v: tensor<?xi32>) -> tensor<?x?xi32> {{
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?x?xi32>
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c1 : tensor<?x?xi32>
    %r = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xi32>) {{
      %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
      {body}
      kernel.return %y : i32
    }}
    func.return %r : tensor<?x?xi32>
  }}"
        )
    };
    let used = map("%z = tensor.extract %v[%j] : tensor<?xi32>
      %c = arith.index_cast %i : index to i32
      %s = arith.addi %x, %z : i32
      %y = arith.subi %s, %c : i32");
    let unused = map("%y = arith.muli %x, %x : i32");
    for (n, m) in [
        (0, 5),
        (4, 0),
        (1, 1),
        (3, 2),
        (5, 3),
        (2, 4),
        (7, 7),
        (3, 16),
        (5, 33),
        (2, 131),
    ] {
        let inputs = [Datum::array(ints(&[n, m], 1)), Datum::array(ints(&[m], 2))];
        assert_eq!(same_wide(&used, &inputs), 2, "a load and a store");
        assert_eq!(same_wide(&unused, &inputs), 2, "a load and a store");
    }
}

#[test]
fn rows_of_any_length_are_reduced_several_elements_at_a_time() {
    let program =
        "func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x?xi16>) -> (tensor<?xi32>, tensor<?x?xi16>) {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?x?xi32>
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c1 : tensor<?x?xi32>
    %k = tensor.dim %b, %c1 : tensor<?x?xi16>
    %equal = arith.cmpi eq, %m, %k : index
    cf.assert %equal, \"sizes\"
    %zero = arith.constant 0 : i32
    %r:2 = kernel.segred thread (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?xi32>, tensor<?x?xi16>) {
      %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
      %y = tensor.extract %b[%i, %j] : tensor<?x?xi16>
      %z = arith.extsi %y : i16 to i32
      %p = arith.muli %x, %z : i32
      kernel.return %p, %y : i32, i16
    } combine (%s, %t) {
      %u = arith.addi %s, %t : i32
      kernel.return %u : i32
    }
    func.return %r#0, %r#1 : tensor<?xi32>, tensor<?x?xi16>
  }";
    for (n, m) in [
        (0, 5),
        (4, 0),
        (1, 1),
        (3, 2),
        (5, 17),
        (2, 35),
        (7, 67),
        (1, 1029),
        (2, 1031),
        (300, 1025),
    ] {
        let elem = Elem::Int(segra_interp::IntWidth::new(16).expect("a width"));
        let mut elements = Elements::with_capacity(elem, n * m);
        for at in 0..n * m {
            elements.push(&Datum::Int((at % 57) as i64 - 20));
        }
        let narrow = ArrayValue::new(elem, vec![n, m], elements).expect("as many elements");
        let inputs = [Datum::array(ints(&[n, m], 3)), Datum::array(narrow)];
        assert!(
            same_wide(program, &inputs) > 2,
            "loads of both arrays and a store"
        );
    }
}

/// Composition of affine maps x -> a x + b: associative, not commutative.
fn affine(head: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xi32>, %n: index, %m: index) -> (RESULTS) {{
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %r:2 = {head} init (%one, %zero : i32, i32) -> (RESULTS) {{
      %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
      %y = arith.addi %x, %one : i32
      kernel.return %x, %y : i32, i32
    }} combine (%a1, %b1, %a2, %b2) {{
      %p = arith.muli %a1, %a2 : i32
      %q = arith.muli %a2, %b1 : i32
      %s = arith.addi %q, %b2 : i32
      kernel.return %p, %s : i32, i32
    }}
    func.return %r#0, %r#1 : RESULTS
  }}"
    )
}

#[test]
fn a_segmented_reduction_keeps_the_order_of_its_operands() {
    let program = affine("kernel.segred thread (%i < %n, %j < %m)")
        .replace("RESULTS", "tensor<?xi32>, tensor<?xi32>");
    for (n, m) in [
        (0, 3),
        (1, 1),
        (3, 0),
        (2, 31),
        (3, 32),
        (2, 33),
        (1, 200),
        (1, 1025),
        (260, 1025),
        (2, 3000),
    ] {
        let inputs = [
            Datum::array(ints(&[n, m], 2)),
            Datum::Int(n as i64),
            Datum::Int(m as i64),
        ];
        same(&program, &inputs);
    }
}

#[test]
fn a_segmented_scan_keeps_the_order_of_its_operands() {
    let program = affine("kernel.segscan thread (%i < %n, %j < %m)")
        .replace("RESULTS", "tensor<?x?xi32>, tensor<?x?xi32>");
    for (n, m) in [
        (0, 3),
        (1, 1),
        (3, 0),
        (2, 31),
        (3, 32),
        (2, 33),
        (1, 200),
        (1, 1025),
        (3, 30_000),
    ] {
        let inputs = [
            Datum::array(ints(&[n, m], 3)),
            Datum::Int(n as i64),
            Datum::Int(m as i64),
        ];
        same(&program, &inputs);
    }
}

fn sum(op: &str, result: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?xi32>, %n: index) -> {result} {{
    %zero = arith.constant 0 : i32
    %r = {op} thread (%i < %n) init (%zero : i32) -> ({result}) {{
      %x = tensor.extract %a[%i] : tensor<?xi32>
      kernel.return %x : i32
    }} combine (%x, %y) {{
      %s = arith.addi %x, %y : i32
      kernel.return %s : i32
    }}
    func.return %r : {result}
  }}"
    )
}

#[test]
fn a_single_long_segment_is_cut_into_chunks() {
    for n in [0, 1, 31, 63, 64, 65, 127, 128, 129, 1000] {
        let inputs = [Datum::array(ints(&[n], 4)), Datum::Int(n as i64)];
        same(&sum("kernel.segred", "i32"), &inputs);
        same(&sum("kernel.segscan", "tensor<?xi32>"), &inputs);
    }
}

#[test]
fn values_beyond_the_reduced_ones_are_stored() {
    let program =
        "func.func @main(%a: tensor<?x?xi32>, %n: index, %m: index) -> (tensor<?xi32>, tensor<?x?xi32>) {
    %zero = arith.constant 0 : i32
    %r:2 = kernel.segred thread (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?xi32>, tensor<?x?xi32>) {
      %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
      %y = arith.addi %x, %x : i32
      kernel.return %x, %y : i32, i32
    } combine (%x, %y) {
      %s = arith.maxsi %x, %y : i32
      kernel.return %s : i32
    }
    func.return %r#0, %r#1 : tensor<?xi32>, tensor<?x?xi32>
  }";
    for (n, m) in [(1, 1), (4, 70), (5, 3)] {
        same(
            program,
            &[
                Datum::array(ints(&[n, m], 5)),
                Datum::Int(n as i64),
                Datum::Int(m as i64),
            ],
        );
    }
}

/// A histogram per row whose operator is `op` on elements of type `ty`, over the remainders of the elements.
fn histogram(ty: &str, op: &str, neutral: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xi32>, %v: tensor<?x?x{ty}>, %d: tensor<?x?x{ty}>, %n: index, %m: index)
      -> tensor<?x?x{ty}> {{
    %neutral = arith.constant {neutral}
    %seven = arith.constant 20 : i32
    %r = kernel.seghist thread (%i < %n, %j < %m) into (%d : tensor<?x?x{ty}>) init (%neutral : {ty}) -> (tensor<?x?x{ty}>) {{
      %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
      %v0 = tensor.extract %v[%i, %j] : tensor<?x?x{ty}>
      %s = arith.remsi %x, %seven : i32
      %b = arith.index_cast %s : i32 to index
      kernel.return %b, %v0 : index, {ty}
    }} combine (%x, %y) {{
      %s = {op} %x, %y : {ty}
      kernel.return %s : {ty}
    }}
    func.return %r : tensor<?x?x{ty}>
  }}"
    )
}

#[test]
fn histograms_are_the_same_by_atomics_and_under_locks_in_all_ranges_of_bins() {
    let floats = |shape: &[usize], seed| {
        let values: Vec<f32> = ints(shape, seed)
            .iter()
            .filter_map(|value| value.as_int())
            .map(|value| value as f32)
            .collect();
        ArrayValue::f32s(&values)
            .reshaped(shape.to_vec())
            .expect("as many elements as the shape says")
    };
    for (n, m, bins) in [
        (0, 3, 2),
        (1, 0, 4),
        (1, 100, 20),
        (3, 33, 17),
        (2, 300, 1),
        (2, 5, 40),
    ] {
        let sizes = [Datum::Int(n as i64), Datum::Int(m as i64)];
        let input = Datum::array(ints(&[n, m], 7));
        let (values, start) = (ints(&[n, m], 8), ints(&[n, bins], 9));
        for hist_bins in [0, 8] {
            let schedule = Schedule {
                hist_bins,
                ..Schedule::default()
            };
            let pass = LowerToGpu {
                block_size: 32,
                chunk: 64,
                ..LowerToGpu::default()
            };
            let [x, y] = sizes.clone();
            let inputs = [
                input.clone(),
                Datum::array(values.clone()),
                Datum::array(start.clone()),
                x,
                y,
            ];
            let program = histogram("i32", "arith.addi", "0 : i32");
            same_scheduled(&program, &inputs, &schedule, &pass);
            let program = histogram("i32", "arith.muli", "1 : i32");
            same_scheduled(&program, &inputs, &schedule, &pass);
            let [x, y] = sizes.clone();
            let inputs = [
                input.clone(),
                Datum::array(floats(&[n, m], 8)),
                Datum::array(floats(&[n, bins], 9)),
                x,
                y,
            ];
            let program = histogram("f32", "arith.addf", "0.0 : f32");
            same_scheduled(&program, &inputs, &schedule, &pass);
        }
    }
}

#[test]
fn checks_name_the_index_and_can_be_switched_off() {
    let program = "func.func @main(%a: tensor<?xi32>, %n: index) -> tensor<?xi32> {
    %one = arith.constant 1 : index
    %r = kernel.segmap thread (%i < %n) -> (tensor<?xi32>) {
      %j = arith.addi %i, %one : index
      %x = tensor.extract %a[%j] {kernel.checked} : tensor<?xi32>
      kernel.return %x : i32
    }
    func.return %r : tensor<?xi32>
  }";
    let ctx = context();
    let inputs = [on_device(&Datum::array(ints(&[4], 1))), Datum::Int(4)];
    for (checks, wanted) in [
        (
            segra_lower::Checks::On,
            "index 4 is out of range for an array of 4",
        ),
        (segra_lower::Checks::Off, "memref.load"),
    ] {
        let mut ir = parse(&ctx, program);
        lower(
            &mut ir,
            &LowerToGpu {
                checks,
                ..LowerToGpu::default()
            },
        )
        .expect("it can be lowered");
        verify(&ir);
        let error = Interpreter::new(&ir)
            .call("main", &inputs)
            .expect_err("an index is out of range");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn loops_on_the_host_stay_around_the_launches() {
    let program = "func.func @main(%a: tensor<?xi32>, %n: index, %times: index) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %t = %c0 to %times step %c1 iter_args(%b = %a) -> (tensor<?xi32>) {
      %d = kernel.segmap thread (%i < %n) -> (tensor<?xi32>) {
        %x = tensor.extract %b[%i] : tensor<?xi32>
        %y = arith.addi %x, %x : i32
        kernel.return %y : i32
      }
      scf.yield %d : tensor<?xi32>
    }
    func.return %r : tensor<?xi32>
  }";
    same(
        program,
        &[Datum::array(ints(&[40], 6)), Datum::Int(40), Datum::Int(3)],
    );
}

#[test]
fn other_shapes_are_views_and_comparisons_with_thresholds_stay_on_the_host() {
    let program = "func.func @main(%a: tensor<?x?xi32>, %n: index) -> tensor<?xi32> {
    %six = arith.constant 6 : index
    %large = kernel.at_least %n, \"main.top\" default 7
    %t = arith.select %large, %six, %n : index
    %shape1 = tensor.from_elements %n : tensor<1xindex>
    %f = tensor.reshape %a(%shape1) : (tensor<?x?xi32>, tensor<1xindex>) -> tensor<?xi32>
    %r = kernel.segmap thread (%i < %t) -> (tensor<?xi32>) {
      %x = tensor.extract %f[%i] : tensor<?xi32>
      kernel.return %x : i32
    }
    func.return %r : tensor<?xi32>
  }";
    same(program, &[Datum::array(ints(&[2, 4], 6)), Datum::Int(8)]);
}

#[test]
fn bad_options_are_refused() {
    let ctx = context();
    let mut ir = parse(&ctx, TRANSPOSE);
    for pass in [
        LowerToGpu {
            block_size: 48,
            ..LowerToGpu::default()
        },
        LowerToGpu {
            chunk: 0,
            ..LowerToGpu::default()
        },
    ] {
        assert!(
            lower(&mut ir, &pass)
                .expect_err("the option is bad")
                .contains("option ")
        );
    }
}

#[test]
fn every_element_format_can_be_stored() {
    for (ty, elem) in [
        (
            "i8",
            Elem::Int(segra_interp::IntWidth::new(8).expect("a width")),
        ),
        ("f64", Elem::F64),
        ("f16", Elem::F16),
    ] {
        let program = format!(
            "func.func @main(%a: tensor<?x{ty}>, %n: index) -> tensor<?x{ty}> {{
    %r = kernel.segmap thread (%i < %n) -> (tensor<?x{ty}>) {{
      %x = tensor.extract %a[%i] : tensor<?x{ty}>
      kernel.return %x : {ty}
    }}
    func.return %r : tensor<?x{ty}>
  }}"
        );
        let mut elements = Elements::with_capacity(elem, 5);
        for value in 0..5 {
            elements.push(&if elem.is_float() {
                Datum::from_f64(value.into(), elem)
            } else {
                Datum::Int(value.into())
            });
        }
        let array = ArrayValue::new(elem, vec![5], elements).expect("five elements");
        same(&program, &[Datum::array(array), Datum::Int(5)]);
    }
}

/// Marks that a program has are kept, whatever the passes would choose; what is not marked is done one by one.
#[test]
fn as_many_elements_are_taken_at_once_as_a_program_says() {
    let program = |vector: &str, mark: &str, indices: &str| {
        format!(
            "func.func @main(%xs: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {{
              %ys = kernel.segmap thread {vector} (%i < %n, %j < %m) -> (tensor<?x?xf32>) {{
                %x = tensor.extract %xs[{indices}] {mark} : tensor<?x?xf32>
                %y = arith.addf %x, %x : f32
                kernel.return %y : f32
              }}
              func.return %ys : tensor<?x?xf32>
            }}"
        )
    };
    let cases = [
        ("vector 2", "{kernel.vector}", "%i, %j", "vector<2xf32>"),
        ("vector 8", "{kernel.vector}", "%i, %j", "vector<8xf32>"),
        ("vector 16", "", "%i, %j", "vector<16xf32>"),
        ("vector 2", "{kernel.staged}", "%j, %i", "vector<2xf32>"),
        ("vector 4", "", "%j, %i", "vector.store"),
        ("", "{kernel.staged}", "%j, %i", "workgroup"),
    ];
    for (vector, mark, indices, wanted) in cases {
        let text = program(vector, mark, indices);
        for (n, m) in [(0, 3), (1, 1), (3, 5), (7, 64), (33, 31), (32, 40)] {
            let shape = match indices {
                "%i, %j" => [n, m],
                _ => [m, n],
            };
            let values = ints(&shape, 1);
            let floats: Vec<f32> = values
                .iter()
                .filter_map(|value| value.as_int())
                .map(|value| value as f32)
                .collect();
            let array = ArrayValue::f32s(&floats)
                .reshaped(shape.to_vec())
                .expect("as many elements as the shape says");
            let inputs = [
                Datum::array(array),
                Datum::Int(n as i64),
                Datum::Int(m as i64),
            ];
            same(&text, &inputs);
        }
        let mut ir = parse(&context(), &text);
        lower(&mut ir, &LowerToGpu::default()).unwrap_or_else(|error| panic!("{error}"));
        let lowered = print(&ir, ir.root(), &PrintOptions::default());
        assert!(lowered.contains(wanted), "{text}: {lowered}");
        let staged = lowered.contains("segmap_transposed");
        assert_eq!(staged, mark == "{kernel.staged}", "{text}: {lowered}");
        let wide = lowered.contains("vector.load");
        assert_eq!(
            wide,
            !mark.is_empty() && !vector.is_empty(),
            "{text}: {lowered}"
        );
    }
}

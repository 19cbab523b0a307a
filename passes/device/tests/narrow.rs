//! Indices in 32 bits: every launch is decided by its own sizes, and differences by how large they can be.

mod support;

use segra_device::NarrowIndices;
use segra_interp::{Datum, Interpreter, MemRefValue};
use segra_ir::Ir;
use segra_text::{PrintOptions, print};
use support::{apply, from_device, ints, parse};

/// A module with a kernel over four threads, whose body has `%i`, the number of the thread, and gives `%r : i1`, stored in
/// `%out`; `%a`, `%b` and `%c` are passed. `host` launches it.
fn module(body: &str, host: &str) -> Ir {
    let text = format!(
        "module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    gpu.func @k(%a: index, %b: index, %c: index, %out: memref<?xi32>) kernel attributes {{known_block_size = array<i32: 4, 1, 1>}} {{
      %i = gpu.thread_id x
{body}
      %n = arith.extui %r : i1 to i32
      memref.store %n, %out[%i] : memref<?xi32>
      gpu.return
    }}
  }}
{host}
}}"
    );
    let mut ir = parse(&text);
    apply(&NarrowIndices::default(), &mut ir);
    ir
}

/// One launch of the kernel into `out`.
fn launch(args: [&str; 3], out: &str) -> String {
    let [a, b, c] = args;
    format!(
        "    gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%four, %one, %one) args({a} : index, {b} : index, {c} : index, {out} : memref<?xi32>)\n"
    )
}

/// A function of two numbers and two results that launches as it is told.
fn host(launches: &str) -> String {
    format!(
        "  func.func @main(%x: index, %y: index, %p: memref<?xi32>, %q: memref<?xi32>) {{
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
{launches}
    func.return
  }}"
    )
}

/// The values stored in both results.
fn run(ir: &Ir, x: i64, y: i64) -> [String; 2] {
    let results = [1, 2].map(|seed| MemRefValue::from_array(&ints(&[4], seed)));
    let [p, q] = results.clone().map(Datum::memref);
    let inputs = [Datum::Int(x), Datum::Int(y), p, q];
    let text = print(ir, ir.root(), &PrintOptions::default());
    Interpreter::new(ir)
        .call("main", &inputs)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    results.map(|result| format!("{:?}", from_device(&Datum::memref(result))))
}

fn all(value: i32) -> String {
    let values = segra_interp::ArrayValue::i32s(&[value; 4]);
    format!("{:?}", Datum::array(values))
}

/// 2^32 and more is 0 and little in 32 bits.
const LARGE: i64 = 1 << 32;

#[test]
fn every_launch_of_a_kernel_chooses_by_its_own_sizes() {
    // The square of a size is compared with the thread's number.
    let body = "      %s = arith.muli %a, %a : index
      %r = arith.cmpi ult, %i, %s : index";
    let ir = module(
        body,
        &host(&(launch(["%x", "%one", "%one"], "%p") + &launch(["%y", "%one", "%one"], "%q"))),
    );
    let text = print(&ir, ir.root(), &PrintOptions::default());
    for name in ["@k(", "@k_64(", "@k_at1(", "@k_at1_64("] {
        assert!(
            text.contains(&format!("gpu.func {name}")),
            "no {name}: {text}"
        );
    }
    assert_eq!(text.matches("scf.if").count(), 2, "{text}");
    // 65536 * 65536 is 0 in 32 bits.
    for (x, y) in [(3, 65_536), (65_536, 3), (65_536, 65_536), (3, 3)] {
        assert_eq!(run(&ir, x, y), [all(1), all(1)], "{x}, {y}: {text}");
    }
}

#[test]
fn launches_of_known_sizes_are_narrowed_each_by_itself() {
    // An access that one launch's constants allow, another one's do not.
    let body = "      %s = arith.muli %a, %a : index
      %r = arith.cmpi ult, %i, %s : index";
    let constants = "    %few = arith.constant 100 : index
    %many = arith.constant 65536 : index\n";
    for (first, second) in [("%few", "%many"), ("%many", "%few")] {
        let launches =
            launch([first, "%one", "%one"], "%p") + &launch([second, "%one", "%one"], "%q");
        let ir = module(body, &host(&(constants.to_owned() + &launches)));
        let text = print(&ir, ir.root(), &PrintOptions::default());
        // The small one has no second kernel.
        assert_eq!(text.matches("gpu.func @").count(), 3, "{text}");
        assert_eq!(run(&ir, 0, 0), [all(1), all(1)], "{text}");
    }
}

#[test]
fn a_difference_may_be_as_large_as_either_operand() {
    let body = "      %limit = arith.constant -100 : index
      %d = arith.subi %a, %b : index
      %r = arith.cmpi slt, %d, %limit : index";
    let ir = module(body, &host(&launch(["%x", "%y", "%one"], "%p")));
    let text = print(&ir, ir.root(), &PrintOptions::default());
    assert!(text.contains("gpu.func @k_64("), "{text}");
    let narrow = text.split("gpu.func @k_64(").next().unwrap_or_default();
    assert!(
        narrow.contains("arith.subi") && !narrow.contains("arith.subi %arg0, %arg1 : index"),
        "{text}"
    );
    // In 32 bits these differences would be -5, 5 and 0.
    for (x, y, wanted) in [
        (0, LARGE + 5, 1),
        (LARGE + 5, 0, 0),
        (LARGE, 2 * LARGE, 1),
        (0, 101, 1),
        (101, 0, 0),
        (7, 9, 0),
    ] {
        assert_eq!(run(&ir, x, y)[0], all(wanted), "{x} - {y}: {text}");
    }
}

#[test]
fn differences_of_what_may_be_negative_add_up() {
    // Two steps of three quarters of the limit: neither goes beyond it, both together do, and wrap.
    let body = "      %zero = arith.constant 0 : index
      %d = arith.subi %a, %b : index
      %e = arith.subi %d, %c : index
      %r = arith.cmpi slt, %e, %zero : index";
    let ir = module(body, &host(&launch(["%x", "%y", "%y"], "%p")));
    let text = print(&ir, ir.root(), &PrintOptions::default());
    let step = 3 << 29;
    for (x, y, wanted) in [(0, step, 1), (0, 1, 1), (step, 1, 0), (2, 1, 0)] {
        assert_eq!(run(&ir, x, y)[0], all(wanted), "{x} - {y} - {y}: {text}");
    }
}

/// A place of a quotient whose divisor threads differ in: of any thread's dividend, for all that its bound says.
const PLACE: &str = "      %d = arith.addi %i, %a : index
      %y = arith.divui %i, %d : index
      %row = arith.muli %y, %b : index
      %place = arith.addi %row, %i : index\n";

#[test]
fn an_access_asks_for_its_buffer_not_for_a_bound_that_is_far_off() {
    let body = PLACE.to_owned()
        + "      %there = memref.load %out[%place] : memref<?xi32>
      %here = memref.load %out[%i] : memref<?xi32>
      %r = arith.cmpi eq, %there, %here : i32";
    let ir = module(&body, &host(&launch(["%x", "%y", "%one"], "%p")));
    let text = print(&ir, ir.root(), &PrintOptions::default());
    assert!(
        text.contains("arith.muli %") && text.contains("overflow<nsw, nuw> : i32"),
        "{text}"
    );
    // The host multiplies nothing: the extents of the buffer and of rows are enough.
    let (_, main) = text.split_once("func.func @main").unwrap_or_default();
    assert!(
        main.contains("@k_64 ") && !main.contains("arith.muli"),
        "{text}"
    );
    for (x, y) in [(1, 1 << 30), (7, 3), (1, LARGE), (1, 0)] {
        assert_eq!(run(&ir, x, y)[0], all(1), "{x}, {y}: {text}");
    }
}

#[test]
fn a_place_that_is_compared_asks_for_its_bound() {
    // Rows of 2^30 elements: the place of the thread that has row 4 would be 0 in 32 bits, and in range.
    let body = "      %least = arith.constant 1 : index\n".to_owned()
        + &PLACE
            .replace(
                "%d = arith.addi %i, %a : index",
                "%e = arith.subi %a, %i : index
      %d = arith.maxsi %e, %least : index",
            )
            .replace("arith.divui %i", "arith.divui %c")
        + "      %few = arith.constant 4 : index
      %zero = arith.constant false
      %in = arith.cmpi ult, %place, %few : index
      %r = scf.if %in -> (i1) {
        %there = memref.load %out[%place] : memref<?xi32>
        %here = memref.load %out[%i] : memref<?xi32>
        %same = arith.cmpi eq, %there, %here : i32
        scf.yield %same : i1
      } else {
        scf.yield %zero : i1
      }";
    let ir = module(&body, &host(&launch(["%x", "%y", "%x"], "%p")));
    let text = print(&ir, ir.root(), &PrintOptions::default());
    // 4 / (4 - i) is 1, 1, 2 and 4.
    for (y, wanted) in [(1 << 30, 0), (0, 1)] {
        assert_eq!(run(&ir, 4, y)[0], all(wanted), "{y}: {text}");
    }
}

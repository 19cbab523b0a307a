//! Control flow and memory: what programs do, and how they fail.

mod support;

use segra_interp::{ArrayValue, Datum, EvalError, Interpreter, Limits, MemRefValue};
use segra_ir::{Diagnostics, Ir};
use segra_std::func::{Calls, FuncOp};
use segra_std::scf::ForOp;
use std::fmt::Write as _;

fn error(text: &str, args: &[Datum]) -> EvalError {
    support::run(text, args).expect_err("the program fails")
}

#[test]
fn loops_count_signed_and_unsigned() {
    let text = |unsigned: &str| {
        format!(
            "func.func @f(%l: i8, %u: i8, %s: i8) -> (i32, i8) {{
               %z = arith.constant 0 : i32
               %one = arith.constant 1 : i32
               %zero = arith.constant 0 : i8
               %r:2 = scf.for {unsigned} %i = %l to %u step %s iter_args(%n = %z, %last = %zero) -> (i32, i8) : i8 {{
                 %m = arith.addi %n, %one : i32
                 scf.yield %m, %i : i32, i8
               }}
               func.return %r#0, %r#1 : i32, i8
             }}"
        )
    };
    let run =
        |unsigned: &str, bounds: [i64; 3]| support::run(&text(unsigned), &bounds.map(Datum::Int));
    let counted = |n, last| Ok(vec![Datum::Int(n), Datum::Int(last)]);
    assert_eq!(run("", [0, 10, 3]), counted(4, 9));
    assert_eq!(run("", [-3, 2, 1]), counted(5, 1));
    assert_eq!(run("", [5, 5, 1]), counted(0, 0));
    // The step would leave the format: the number of iterations is fixed before the first.
    assert_eq!(run("", [100, 127, 50]), counted(1, 100));
    assert_eq!(run("unsigned", [0, -1, 127]), counted(3, -2));
    let failed = run("", [0, 10, 0]).expect_err("a step of 0 fails");
    assert!(
        failed
            .to_string()
            .ends_with("'scf.for' op needs a positive step, not 0"),
        "{failed}"
    );
}

#[test]
fn while_runs_until_its_condition_fails() {
    // The number of steps to 1 in the Collatz sequence.
    let text = "func.func @f(%start: i64) -> i64 {
        %zero = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %two = arith.constant 2 : i64
        %three = arith.constant 3 : i64
        %r:2 = scf.while (%x = %start, %n = %zero) : (i64, i64) -> (i64, i64) {
          %go = arith.cmpi ne, %x, %one : i64
          scf.condition(%go) %x, %n : i64, i64
        } do {
        ^bb0(%x: i64, %n: i64):
          %odd = arith.remsi %x, %two : i64
          %is = arith.cmpi eq, %odd, %one : i64
          %next = scf.if %is -> (i64) {
            %a = arith.muli %x, %three : i64
            %b = arith.addi %a, %one : i64
            scf.yield %b : i64
          } else {
            %h = arith.divsi %x, %two : i64
            scf.yield %h : i64
          }
          %m = arith.addi %n, %one : i64
          scf.yield %next, %m : i64, i64
        }
        func.return %r#1 : i64
      }";
    assert_eq!(
        support::run(text, &[Datum::Int(27)]),
        Ok(vec![Datum::Int(111)])
    );
    assert_eq!(
        support::run(text, &[Datum::Int(1)]),
        Ok(vec![Datum::Int(0)])
    );
}

#[test]
fn parallel_loops_reduce() {
    let text = "func.func @f(%n: index, %m: memref<3x4xindex>) -> index {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c4) step (%c1, %c2) init (%c0) -> index {
          %k = arith.addi %i, %j : index
          memref.store %k, %m[%i, %j] : memref<3x4xindex>
          scf.reduce(%k : index) {
          ^bb0(%a: index, %b: index):
            %s = arith.addi %a, %b : index
            scf.reduce.return %s : index
          }
        }
        func.return %r : index
      }";
    let zeros = ArrayValue::indices(&[0; 12])
        .reshaped(vec![3, 4])
        .expect("as many elements");
    let memory = MemRefValue::from_array(&zeros);
    let result = support::run(text, &[Datum::Int(3), Datum::memref(memory.clone())]);
    assert_eq!(result, Ok(vec![Datum::Int(12)]));
    let written: Vec<Datum> = memory.to_array().expect("still there").iter().collect();
    assert_eq!(
        written,
        [0, 0, 2, 0, 1, 0, 3, 0, 2, 0, 4, 0].map(Datum::Int)
    );
    assert_eq!(
        support::run(text, &[Datum::Int(0), Datum::memref(memory)]),
        Ok(vec![Datum::Int(0)])
    );
}

#[test]
fn branches_between_blocks() {
    // Factorial, with a loop of blocks.
    let text = "func.func @f(%n: i64) -> i64 {
        %one = arith.constant 1 : i64
        cf.br ^head(%n, %one : i64, i64)
      ^head(%k: i64, %product: i64):
        %go = arith.cmpi sgt, %k, %one : i64
        cf.cond_br %go, ^body, ^done(%product : i64)
      ^body:
        %p = arith.muli %product, %k : i64
        %m = arith.subi %k, %one : i64
        cf.br ^head(%m, %p : i64, i64)
      ^done(%r: i64):
        func.return %r : i64
      }";
    assert_eq!(
        support::run(text, &[Datum::Int(10)]),
        Ok(vec![Datum::Int(3_628_800)])
    );
}

#[test]
fn calls_nest_and_errors_tell_them() {
    let text = "func.func private @half(%a: i32, %b: i32) -> i32 {
        %r = arith.divsi %a, %b : i32
        func.return %r : i32
      }
      func.func @f(%a: i32) -> i32 {
        %zero = arith.constant 0 : i32
        %r = func.call @half(%a, %zero) : (i32, i32) -> i32
        func.return %r : i32
      }";
    let failed = error(text, &[Datum::Int(4)]);
    assert_eq!(
        failed.to_string(),
        "test.mlir:2:14: 'arith.divsi' op divides by zero"
    );
    assert_eq!(failed.stack().len(), 1);
}

#[test]
fn runaway_programs_are_stopped() {
    let endless = "func.func @f() {
        func.call @f() : () -> ()
        func.return
      }";
    assert!(
        error(endless, &[])
            .to_string()
            .contains("recursion deeper than")
    );
    let ir = support::program(
        "func.func @f() {
           scf.while : () -> () {
             %true = arith.constant true
             %same = arith.andi %true, %true : i1
             scf.condition(%same)
           } do {
           ^bb0:
             scf.yield
           }
           func.return
         }",
    );
    let limits = Limits {
        steps: 1000,
        ..Limits::default()
    };
    let failed = Interpreter::new(&ir)
        .with_limits(limits)
        .call("f", &[])
        .expect_err("it never ends");
    assert!(
        failed.to_string().contains("more than 1000 ops"),
        "{failed}"
    );
}

#[test]
fn assertions_and_missing_functions_are_errors() {
    let text = "func.func private @elsewhere()
      func.func @f(%c: i1) {
        cf.assert %c, \"c must hold\"
        func.call @elsewhere() : () -> ()
        func.return
      }";
    let ir = support::program(text);
    let failed = Interpreter::new(&ir)
        .call("g", &[])
        .expect_err("there is no @g");
    assert_eq!(failed.message(), "there is no function @g");
    let failed = Interpreter::new(&ir)
        .call("f", &[Datum::bool(true)])
        .expect_err("no body");
    assert!(
        failed
            .to_string()
            .contains("calls @elsewhere, which has no body"),
        "{failed}"
    );
    let text = text.replace("func.call @elsewhere() : () -> ()", "");
    let failed = error(&text, &[Datum::bool(false)]);
    assert_eq!(
        failed.to_string(),
        "test.mlir:3:9: 'cf.assert' op failed: c must hold"
    );
    assert_eq!(support::run(&text, &[Datum::bool(true)]), Ok(vec![]));
    let failed = error(&text, &[]);
    assert!(
        failed.message().contains("takes 1 arguments, not 0"),
        "{failed}"
    );
}

const MEMORY: &str = "func.func @f(%n: index, %i: index) -> (f32, index) {
    %x = arith.constant 2.5 : f32
    %c0 = arith.constant 0 : index
    %m = memref.alloc(%n) : memref<?x4xf32>
    memref.store %x, %m[%i, %i] : memref<?x4xf32>
    %s = memref.subview %m[%c0, 1] [%n, 2] [1, 2] : memref<?x4xf32> to memref<?x2xf32, strided<[4, 2], offset: ?>>
    %o = memref.atomic_rmw addf %x, %s[%i, %c0] : (f32, memref<?x2xf32, strided<[4, 2], offset: ?>>) -> f32
    %r = memref.load %m[%i, %i] : memref<?x4xf32>
    %d = memref.dim %m, %c0 : memref<?x4xf32>
    memref.dealloc %m : memref<?x4xf32>
    func.return %r, %d : f32, index
  }";

#[test]
fn views_share_memory() {
    let result = support::run(MEMORY, &[Datum::Int(3), Datum::Int(1)]);
    assert_eq!(result, Ok(vec![Datum::F32(5.0), Datum::Int(3)]));
}

#[test]
fn memory_errors_are_reported() {
    let failed = error(MEMORY, &[Datum::Int(3), Datum::Int(3)]);
    let expected =
        "test.mlir:5:5: 'memref.store' op index [3, 3] is out of range for extents [3, 4]";
    assert_eq!(failed.to_string(), expected);
    let failed = error(MEMORY, &[Datum::Int(-1), Datum::Int(0)]);
    assert!(failed.message().contains("negative extent"), "{failed}");
    let failed = error(MEMORY, &[Datum::Int(i64::MAX / 2), Datum::Int(0)]);
    assert!(failed.message().contains("elements at once"), "{failed}");
    let freed = "func.func @f() -> f32 {
        %c0 = arith.constant 0 : index
        %m = memref.alloc() : memref<4xf32>
        memref.dealloc %m : memref<4xf32>
        %r = memref.load %m[%c0] : memref<4xf32>
        func.return %r : f32
      }";
    assert!(error(freed, &[]).message().contains("read of freed memory"));
}

#[test]
fn globals_start_as_they_say_in_every_run() {
    let text = "memref.global @table : memref<2xi32> = dense<[7, 8]>
      func.func @f() -> i32 {
        %c1 = arith.constant 1 : index
        %one = arith.constant 1 : i32
        %g = memref.get_global @table : memref<2xi32>
        %old = memref.atomic_rmw addi %one, %g[%c1] : (i32, memref<2xi32>) -> i32
        %h = memref.get_global @table : memref<2xi32>
        %new = memref.load %h[%c1] : memref<2xi32>
        func.return %new : i32
      }";
    let ir = support::program(text);
    let interpreter = Interpreter::new(&ir);
    for _ in 0..2 {
        assert_eq!(interpreter.call("f", &[]), Ok(vec![Datum::Int(9)]));
    }
}

#[test]
fn vectors_go_to_memory_and_back() {
    let text = "func.func @f(%m: memref<2x4xf32>, %i: index) -> (f32, f32, f32) {
        %c0 = arith.constant 0 : index
        %v = vector.load %m[%i, %c0] : memref<2x4xf32>, vector<4xf32>
        %w = arith.addf %v, %v : vector<4xf32>
        vector.store %w, %m[%c0, %c0] : memref<2x4xf32>, vector<4xf32>
        %sum = vector.reduction <add>, %w : vector<4xf32> into f32
        %max = vector.reduction <maximumf>, %w, %sum : vector<4xf32> into f32
        %e = vector.extract %w[%i] : f32 from vector<4xf32>
        func.return %sum, %max, %e : f32, f32, f32
      }";
    let start = ArrayValue::f32s(&[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0]).reshaped(vec![2, 4]);
    let memory = MemRefValue::from_array(&start.expect("as many elements"));
    let args = [Datum::memref(memory.clone()), Datum::Int(1)];
    assert_eq!(
        support::run(text, &args),
        Ok(vec![Datum::F32(20.0), Datum::F32(20.0), Datum::F32(4.0)])
    );
    let after: Vec<Datum> = memory.to_array().expect("still there").iter().collect();
    assert_eq!(
        after,
        [2.0, 4.0, 6.0, 8.0, 1.0, 2.0, 3.0, 4.0].map(Datum::F32)
    );
}

#[test]
fn random_values_obey_their_types_and_seeds() {
    let ctx = segra_ir::Context::new();
    let ty = ctx.memref(&[2, segra_ir::types::DYNAMIC], ctx.f32(), None);
    let make = |seed| {
        segra_interp::random::Rng::new(seed)
            .value(&ctx, ty, |_| 3)
            .expect("a builtin type")
    };
    let array = |datum: &Datum| {
        datum
            .as_memref()
            .expect("a memref")
            .to_array()
            .expect("not freed")
    };
    assert_eq!(array(&make(1)).shape(), [2, 3]);
    assert_eq!(array(&make(1)), array(&make(1)));
    assert_ne!(array(&make(1)), array(&make(2)));
    let mismatch = segra_interp::compare(&[make(1)], &[make(2)], segra_interp::Tolerance::ulps(4));
    assert_eq!(mismatch.expect("they differ").index, Some(vec![0, 0]));
}

/// A loop that counts its iterations and writes down their numbers, with such bounds, and without the loop.
fn looped_and_written_out(constants: &str, bounds: &str, args: &[Datum]) -> [Vec<Datum>; 2] {
    let text = format!(
        "func.func @f(%l: index, %u: index, %s: index) -> (index, index, index) {{
           {constants}
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %base = arith.constant 101 : index
           %r:3 = scf.for %i = {bounds} iter_args(%n = %zero, %all = %zero, %before = %base) -> (index, index, index) {{
             %m = arith.addi %n, %one : index
             %more = arith.muli %all, %base : index
             %next = arith.addi %more, %i : index
             scf.yield %m, %next, %n : index, index, index
           }}
           func.return %r#0, %r#1, %r#2 : index, index, index
         }}"
    );
    let mut ir = support::program(&text);
    let call = |ir: &Ir| {
        let results = Interpreter::new(ir).call("f", args);
        results.unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    let looped = call(&ir);
    let op = ir.walk(ir.root()).into_iter().find_map(|op| ir.cast(op));
    let op: ForOp = op.expect("there is a loop");
    let Datum::Int(trips) = looped[0] else {
        panic!("a number of iterations: {looped:?}");
    };
    op.write_out(&mut ir, trips as u64);
    assert!(!ir.walk(ir.root()).into_iter().any(|op| ir.isa::<ForOp>(op)));
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(&ir, &mut diags);
    assert!(!diags.has_errors(), "{text}");
    [looped, call(&ir)]
}

#[test]
fn a_loop_that_is_written_out_has_the_same_iterations() {
    for (lower, upper, step) in [
        (0, 4, 1),
        (3, 4, 1),
        (5, 5, 1),
        (5, 2, 1),
        (-3, 8, 2),
        (1, 12, 5),
        (2, 12, 5),
    ] {
        let constants = format!(
            "%cl = arith.constant {lower} : index
             %cu = arith.constant {upper} : index
             %cs = arith.constant {step} : index"
        );
        let args = [lower, upper, step].map(Datum::Int);
        for bounds in [
            "%cl to %cu step %cs",
            "%l to %u step %s",
            "%l to %u step %cs",
        ] {
            let [looped, written] = looped_and_written_out(&constants, bounds, &args);
            assert_eq!(written, looped, "{lower} to {upper} by {step}: {bounds}");
        }
    }
}

/// Why calls of functions are no code in their place, of functions given by name with the names that each calls.
fn recursions(functions: &[(String, Vec<String>)], callees: &[&str]) -> Vec<Option<String>> {
    let mut text = String::new();
    for (name, called) in functions {
        let _ = writeln!(text, "func.func @{name}() {{");
        for callee in called {
            let _ = writeln!(text, "  func.call @{callee}() : () -> ()");
        }
        text += "  func.return\n}\n";
    }
    let ir = support::program(&text);
    let functions = ir.walk(ir.root());
    let calls = Calls::of(
        &ir,
        functions.into_iter().filter(|&op| ir.isa::<FuncOp>(op)),
    );
    let recursion = |name: &&str| calls.recursion(&ir, ir.ctx().ident(name));
    callees.iter().map(recursion).collect()
}

#[test]
fn calls_that_reach_themselves_are_found() {
    let function = |name: &str, called: &[&str]| {
        let called = called.iter().map(|&name| name.to_owned());
        (name.to_owned(), called.collect())
    };
    let functions = [
        function("leaf", &[]),
        function("even", &["leaf", "odd"]),
        function("odd", &["even"]),
        function("user", &["leaf", "even"]),
        function("own", &["leaf", "own"]),
        function("twice", &["leaf", "leaf"]),
    ];
    let found = recursions(&functions, &["leaf", "twice", "odd", "user", "own"]);
    let said = |text: &str| Some(text.to_owned());
    let expected = [
        None,
        None,
        said("calls @odd, which calls itself"),
        said("calls @user, which reaches @even, which calls itself"),
        said("calls @own, which calls itself"),
    ];
    assert_eq!(found, expected);
}

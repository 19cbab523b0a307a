//! Device-level programs become plans that run, texts that upstream can read, and errors that say where.

use segra_artifact::{Access, Dim, KernelParam, ParamType, Scalar, Side};
use segra_device::AnnotateKernels;
use segra_emit::{Signatures, kernels_text, plan::Translation, translate};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use segra_runtime::{DeviceChoice, Program, RunOptions, Value, open};
use segra_text::{ParseOptions, PrintOptions, parse_source, print};
use std::sync::Arc;

fn read(text: &str) -> Ir {
    read_as("test.mlir", text)
}

fn read_as(name: &str, text: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    for dialect in [
        segra_array::dialect(),
        segra_gpu::dialect(),
        segra_gpu::nvgpu::dialect(),
        segra_kernel::dialect(),
    ] {
        ctx.register(dialect);
    }
    segra_std::register(&ctx);
    let parsed = parse_source(&ctx, name, text, &ParseOptions::default());
    let problems: Vec<_> = parsed
        .diags
        .iter()
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    assert!(problems.is_empty(), "{problems:?}");
    parsed.ir
}

/// A message and its line and column.
type Complaint = (String, Option<(u32, u32)>);

fn translated(ir: &Ir) -> Result<Translation, Vec<Complaint>> {
    let mut diags = Diagnostics::new();
    let translation = translate(ir, ir.root(), "test", &mut diags);
    translation.ok_or_else(|| {
        let row = |diagnostic: &segra_ir::Diagnostic| {
            let place = diagnostic
                .fields(ir.ctx())
                .place
                .map(|place| (place.line, place.column));
            (diagnostic.message.clone(), place)
        };
        diags.iter().map(row).collect()
    })
}

fn run(ir: &Ir, entry: &str, args: &[Value]) -> Result<Vec<Value>, String> {
    let artifact = translated(ir).expect("translates").artifact;
    let device = open(DeviceChoice::Sim).expect("the simulator opens");
    let program = Program::load(artifact, device).expect("loads");
    program
        .entry(entry)
        .expect("exists")
        .run(args)
        .map_err(|error| error.to_string())
}

fn int(value: i64) -> Value {
    Value::Scalar(Scalar::i64(value))
}

const EUCLID: &str = "
func.func @gcd(%a: i64, %b: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%x = %a, %y = %b) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %y, %zero : i64
    scf.condition(%more) %x, %y : i64, i64
  } do {
  ^bb0(%x: i64, %y: i64):
    %rest = arith.remsi %x, %y : i64
    scf.yield %y, %rest : i64, i64
  }
  func.return %r#0 : i64
}
func.func @main(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> (i64) {
    %x = arith.index_cast %i : index to i64
    %g = func.call @gcd(%x, %k) : (i64, i64) -> i64
    %one = arith.constant 1 : i64
    %coprime = arith.cmpi eq, %g, %one : i64
    %next = scf.if %coprime -> (i64) {
      %more = arith.addi %acc, %one : i64
      scf.yield %more : i64
    } else {
      scf.yield %acc : i64
    }
    scf.yield %next : i64
  }
  %few = arith.constant 100 : i64
  %fits = arith.cmpi slt, %sum, %few : i64
  cf.assert %fits, \"too many\"
  func.return %sum : i64
}";

#[test]
fn loops_branches_and_calls_run_on_the_host() {
    let ir = read(EUCLID);
    assert_eq!(run(&ir, "gcd", &[int(48), int(180)]), Ok(vec![int(12)]));
    // Euler's totient of 36 counts what is below and coprime.
    assert_eq!(run(&ir, "main", &[int(36), int(36)]), Ok(vec![int(12)]));
}

#[test]
fn a_failed_check_names_its_message_and_its_place() {
    let error = run(&read(EUCLID), "main", &[int(1000), int(1)]).expect_err("the check fails");
    assert!(
        error.contains("too many") && error.contains("test.mlir:33:3"),
        "{error}"
    );
}

const BUFFERS: &str = "
func.func @main(%x: memref<?x3xf32>) -> (memref<?xf32>, f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?x3xf32>
  %count = arith.muli %n, %c3 : index
  %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<?x3xf32> to memref<?xf32>
  %last = arith.subi %n, %c1 : index
  %corner = memref.load %x[%last, %c2] : memref<?x3xf32>
  %other = gpu.alloc (%count) : memref<?xf32>
  gpu.memcpy %other, %flat : memref<?xf32>, memref<?xf32>
  memref.store %corner, %other[%c0] : memref<?xf32>
  %swapped:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %flat, %b = %other) -> (memref<?xf32>, memref<?xf32>) {
    scf.yield %b, %a : memref<?xf32>, memref<?xf32>
  }
  %size = memref.dim %swapped#0, %c0 : memref<?xf32>
  func.return %swapped#0, %corner, %size : memref<?xf32>, f32, index
}";

#[test]
fn memrefs_keep_their_extents_through_views_copies_and_loops() {
    let x = segra_runtime::Array::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("fits");
    let results = run(&read(BUFFERS), "main", &[Value::Array(x)]).expect("runs");
    let swapped = results[0].as_array().expect("an array");
    assert_eq!(
        swapped.to_vec::<f32>(),
        Ok(vec![6.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    );
    assert_eq!(results[1..], [Value::Scalar(Scalar::f32(6.0)), int(6)]);
}

#[test]
fn every_op_the_host_cannot_run_is_an_error_at_its_place() {
    let ir = read(
        "
func.func @main(%x: f32) -> f32 {
  %y = math.fma %x, %x, %x : f32
  %z = math.erf %x : f32
  %r = arith.addf %y, %z : f32
  func.return %r : f32
}",
    );
    let errors = translated(&ir).expect_err("refused");
    let places: Vec<_> = errors.iter().map(|row| row.1).collect();
    assert_eq!(places, [Some((3, 8)), Some((4, 8))], "{errors:?}");
    assert!(
        errors[0].0.contains("math.fma") && errors[1].0.contains("math.erf"),
        "{errors:?}"
    );
}

const KERNEL: &str = "
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id #gpu<dim x>
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %b[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<?xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %y = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<?xf32>, DST : memref<?xf32>, %n : index)
    func.return %y : memref<?xf32>
  }
}";

fn annotated(text: &str) -> Ir {
    let mut ir = read(text);
    let root = ir.root();
    let (mut diags, mut analyses, mut statistics) =
        (Diagnostics::new(), Analyses::new(), Statistics::default());
    let mut cx = PassContext::new(
        "annotate-kernels",
        &mut diags,
        &mut analyses,
        &mut statistics,
    );
    AnnotateKernels::default()
        .run(&mut ir, root, &mut cx)
        .expect("succeeds");
    ir
}

#[test]
fn fresh_results_do_not_overlap_arguments() {
    let ir = annotated(&KERNEL.replace("DST", "%y"));
    let text = print(&ir, ir.root(), &PrintOptions::default());
    assert!(
        text.contains("arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias}, {}]"),
        "{text}"
    );
}

#[test]
fn a_kernel_that_writes_what_it_reads_gets_no_promise_of_distinctness() {
    let ir = annotated(&KERNEL.replace("DST", "%x"));
    let text = print(&ir, ir.root(), &PrintOptions::default());
    assert!(
        text.contains("arg_attrs = [{llvm.readonly}, {}, {}]"),
        "{text}"
    );
}

#[test]
fn kernels_are_listed_with_access_and_block_size() {
    let ir = read(&KERNEL.replace("DST", "%y"));
    let artifact = translated(&ir).expect("translates").artifact;
    let kernel = &artifact.kernels[0];
    assert_eq!(
        (kernel.name.as_str(), kernel.max_threads_per_block),
        ("copy", 64)
    );
    let buffer = |param: &KernelParam| match param {
        KernelParam::Buffer { access, .. } => Some(*access),
        _ => None,
    };
    let access: Vec<Access> = kernel.params.iter().filter_map(buffer).collect();
    assert_eq!(access, [Access::Read, Access::Write]);
    let left =
        kernels_text(&ir, ir.root(), &|name| name != "copy").expect("has a module of kernels");
    assert!(!left.contains("\"gpu.func\""), "{left}");
    let text = kernels_text(&ir, ir.root(), &|name| name == "copy").expect("has kernels");
    assert!(
        text.contains("\"gpu.func\"")
            && text.contains("loc(\"test.mlir\":")
            && !text.contains("func.func"),
        "{text}"
    );
}

#[test]
fn names_of_files_are_such_that_ptx_can_have_them() {
    let ir = read_as("a \"b\"\\c\n.mlir", &KERNEL.replace("DST", "%y"));
    let text = kernels_text(&ir, ir.root(), &|_| false).expect("has kernels");
    assert!(text.contains("loc(\"a _b__c_.mlir\":"), "{text}");
}

#[test]
fn parameters_of_one_symbolic_size_share_it() {
    let ir = read(
        "func.func @f(%a: !array.array<[n][4]f32>, %b: !array.array<[n]f32>, %c: !array.array<[?]i32>) -> !array.array<[n]f32> { func.return %b : !array.array<[n]f32> }",
    );
    let signatures = Signatures::of(&ir, ir.root(), &mut Diagnostics::new());
    let entry = &signatures.get("f").expect("exists").entry;
    assert_eq!(entry.sizes, ["n", "c.0"]);
    let ParamType::Array { dims, .. } = &entry.params[0].ty else {
        panic!("{:?}", entry.params[0])
    };
    assert_eq!(
        dims[..],
        [Dim::Size(segra_artifact::SizeId(0)), Dim::Const(4)]
    );
}

/// Four versions behind three thresholds, the last two of them asked only below the first.
const TREE: &str = "
func.func @main(%n: index, %m: index) -> i64 {
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %first = arith.constant 1 : i64
  %second = arith.constant 2 : i64
  %third = arith.constant 3 : i64
  %fourth = arith.constant 4 : i64
  %outer = kernel.at_least %n, \"main.top.0\" default 100
  %r = scf.if %outer -> (i64) {
    scf.yield %first : i64
  } else {
    %nm = arith.muli %n, %m : index
    %size = arith.muli %nm, %c1 : index
    %fits = arith.cmpi sle, %m, %c1024 : index
    %large = kernel.at_least %size, \"main.intra.0\" default 200
    %inner = arith.andi %fits, %large : i1
    %s = scf.if %inner -> (i64) {
      scf.yield %second : i64
    } else {
      %sum = arith.addi %n, %m : index
      %wide = arith.muli %sum, %m : index
      %some = kernel.at_least %wide, \"main.top.1\" default 300
      %t = arith.select %some, %third, %fourth : i64
      scf.yield %t : i64
    }
    scf.yield %s : i64
  }
  func.return %r : i64
}";

#[test]
fn a_version_with_several_reasons_is_below_all_of_them() {
    const REASONS: &str = "
func.func @main(%n: index, %m: index) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %short = kernel.at_least %m, \"main.top.0.short\" default 100
  %many = kernel.at_least %n, \"main.top.0\" default 100
  %first = arith.ori %many, %short : i1
  %r = scf.if %first -> (i64) {
    scf.yield %c1 : i64
  } else {
    %large = kernel.at_least %n, \"main.intra.0\" default 200
    %s = arith.select %large, %c2, %c3 : i64
    scf.yield %s : i64
  }
  func.return %r : i64
}";
    let artifact = translated(&read(REASONS)).expect("translates").artifact;
    let tunables = artifact.tunables.iter();
    let under: Vec<_> = tunables
        .map(|known| {
            known
                .under
                .map(|branch| (branch.tunable.index(), branch.side))
        })
        .collect();
    let below = |index| Some((index, Side::Below));
    assert_eq!(under, [None, below(0), below(1)]);
}

#[test]
fn thresholds_are_tunables_with_what_they_are_compared_with_and_their_tree() {
    let artifact = translated(&read(TREE)).expect("translates").artifact;
    let rows: Vec<_> = artifact
        .tunables
        .iter()
        .map(|known| {
            let under = known
                .under
                .map(|branch| (branch.tunable.index(), branch.side));
            (
                known.name.as_str(),
                known.default,
                known.compared.as_str(),
                under,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("main.top.0", 100, "n", None),
            ("main.intra.0", 200, "n * m", Some((0, Side::Below))),
            ("main.top.1", 300, "(n + m) * m", Some((1, Side::Below))),
        ]
    );
    assert_eq!(
        artifact.location_text(artifact.tunables[1].location),
        "test.mlir:16:14"
    );
    let program = Program::load(artifact, open(DeviceChoice::Sim).expect("opens")).expect("loads");
    let entry = program.entry("main").expect("exists");
    let chosen = |thresholds: &[(&str, i64)], n, m| {
        let tunables = thresholds
            .iter()
            .map(|&(name, value)| (name.to_owned(), value))
            .collect();
        let options = RunOptions {
            tunables,
            ..RunOptions::default()
        };
        let output = entry.run_with(&[int(n), int(m)], &options).expect("runs");
        let compared: Vec<i64> = output
            .report
            .comparisons
            .iter()
            .map(|row| row.value)
            .collect();
        (output.results, compared)
    };
    assert_eq!(chosen(&[], 100, 1), (vec![int(1)], vec![100]));
    assert_eq!(chosen(&[], 20, 10), (vec![int(2)], vec![20, 200]));
    assert_eq!(
        chosen(&[], 2, 2000),
        (vec![int(3)], vec![2, 4000, 4_004_000])
    );
    assert_eq!(
        chosen(&[("main.top.0", 20)], 20, 10),
        (vec![int(1)], vec![20])
    );
    assert_eq!(
        chosen(&[("main.intra.0", 201), ("main.top.1", 301)], 20, 10).0,
        [int(4)]
    );
}

#[test]
fn one_threshold_has_one_default() {
    let text = TREE.replace("main.top.1", "main.top.0");
    let complaint = translated(&read(&text)).expect_err("two defaults");
    let message = "'kernel.at_least' op has the default 300, but `main.top.0` has 100 elsewhere";
    assert_eq!(complaint, [(message.to_owned(), Some((23, 15)))]);
}

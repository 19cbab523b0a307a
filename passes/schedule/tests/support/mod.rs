//! Support of the tests: programs of the kernel dialect, run in the reference interpreter before and after.
#![allow(dead_code, reason = "shared by several test binaries")]

use segra_interp::{ArrayValue, Datum, Elem, Elements, Interpreter};
use segra_ir::{Context, Diagnostics, Ir, Op};
use segra_kernel::segop::SegMapOp;
use segra_pass::analysis::Analyses;
use segra_pass::{Pass, PassContext, Statistics};
use segra_std::func::FuncOp;
use segra_std::scf::ForOp;
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::sync::Arc;

/// A matrix product.
pub(crate) const PRODUCT: &str =
    "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %u = tensor.dim %a, %c1 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %r = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %s = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32
      scf.yield %next : f32
    }
    kernel.return %s : f32
  }
  func.return %r : tensor<?x?xf32>
}";

/// A program of the kernel dialect; the test ends where it is wrong.
pub(crate) fn parse(text: &str) -> Ir {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_kernel::dialect());
    let ctx = Arc::new(ctx);
    parse_module(&ctx, "program", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{}", rendered(&ctx, &diags)))
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|d| segra_ir::diag::render::render(ctx, d, segra_ir::diag::render::Style::Plain))
        .collect()
}

/// The program as text.
pub(crate) fn text(ir: &Ir) -> String {
    print(ir, ir.root(), &PrintOptions::default())
}

/// The test ends where a program does not verify.
pub(crate) fn verify(ir: &Ir) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    assert!(
        !diags.has_errors(),
        "{}\n{}",
        rendered(ir.ctx(), &diags),
        text(ir)
    );
}

/// The results of `main`.
pub(crate) fn run(ir: &Ir, inputs: &[Datum]) -> String {
    match Interpreter::new(ir).call("main", inputs) {
        Ok(results) => format!("{results:?}"),
        Err(error) => panic!("{error}\n{}", text(ir)),
    }
}

/// A step keeps what the program returns for each of some inputs.
pub(crate) fn keeps(program: &str, inputs: &[Vec<Datum>], step: impl Fn(&mut Ir)) -> String {
    let before = parse(program);
    verify(&before);
    let mut after = parse(program);
    step(&mut after);
    verify(&after);
    for inputs in inputs {
        assert_eq!(
            run(&before, inputs),
            run(&after, inputs),
            "{}",
            text(&after)
        );
    }
    text(&after)
}

/// The segmaps of a program in order.
pub(crate) fn segmaps(ir: &Ir) -> Vec<SegMapOp> {
    ir.walk(ir.root())
        .into_iter()
        .filter_map(|op| ir.cast::<SegMapOp>(op))
        .collect()
}

/// The loops directly in a segmap.
pub(crate) fn loops(ir: &Ir, segmap: SegMapOp) -> Vec<ForOp> {
    ir.ops(segmap.body_block(ir))
        .filter_map(|op| ir.cast::<ForOp>(op))
        .collect()
}

/// How many ops of a name there are.
pub(crate) fn count(ir: &Ir, name: &str) -> usize {
    ir.walk(ir.root())
        .into_iter()
        .filter(|&op| ir.op_name_str(op) == name)
        .count()
}

/// The only segmap of a program that lies in `block`, directly.
pub(crate) fn inside(ir: &Ir, block: SegMapOp) -> Vec<SegMapOp> {
    ir.ops(block.body_block(ir))
        .filter_map(|op| ir.cast::<SegMapOp>(op))
        .collect()
}

/// Small numbers of a type, not 0, some negative.
pub(crate) fn numbers(elem: Elem, shape: &[usize], seed: usize) -> Datum {
    let count: usize = shape.iter().product();
    let mut elements = Elements::with_capacity(elem, count);
    for at in 0..count {
        let number = ((at * 7 + seed * 13 + at * at * 3) % 23) as i64 - 9;
        let number = if number == 0 { 11 } else { number };
        let datum = match elem {
            Elem::F32 => Datum::F32(number as f32),
            Elem::F64 => Datum::F64(number as f64),
            _ => Datum::Int(number),
        };
        elements.push(&datum).expect("the number fits");
    }
    Datum::array(
        ArrayValue::new(elem, shape.to_vec(), elements).expect("as many as the shape says"),
    )
}

/// `f32` numbers.
pub(crate) fn floats(shape: &[usize], seed: usize) -> Datum {
    numbers(Elem::F32, shape, seed)
}

/// Runs a pass: its diagnostics, and whether it succeeded.
pub(crate) fn run_pass(pass: &dyn Pass, ir: &mut Ir) -> (Diagnostics, bool) {
    let (root, name) = (ir.root(), pass.info().name);
    let (mut diags, mut analyses, mut statistics) =
        (Diagnostics::new(), Analyses::new(), Statistics::default());
    let mut cx = PassContext::new(name, &mut diags, &mut analyses, &mut statistics);
    let done = pass.run(ir, root, &mut cx).is_ok();
    (diags, done)
}

/// The first function of a program.
pub(crate) fn function(ir: &Ir) -> Op {
    let mut functions = ir.walk(ir.root()).into_iter();
    let function = functions.find(|&op| ir.isa::<FuncOp>(op));
    function.expect("the program has a function")
}

/// Runs a pass of functions, which succeeds, on the first one.
pub(crate) fn apply_to_function(pass: &dyn Pass, ir: &mut Ir) {
    let function = function(ir);
    let (mut diags, mut analyses, mut statistics) =
        (Diagnostics::new(), Analyses::new(), Statistics::default());
    let mut cx = PassContext::new(pass.info().name, &mut diags, &mut analyses, &mut statistics);
    assert!(pass.run(ir, function, &mut cx).is_ok());
}

/// Runs a pass that succeeds; its remarks.
pub(crate) fn remarks(pass: &dyn Pass, ir: &mut Ir) -> Vec<String> {
    let (diags, done) = run_pass(pass, ir);
    assert!(done, "{}", rendered(ir.ctx(), &diags));
    diags.iter().map(|diag| diag.message.clone()).collect()
}

/// The factors of [`PRODUCT`] for each of some sizes: rows, length of the sums, columns.
pub(crate) fn factors(sizes: &[(usize, usize, usize)]) -> Vec<Vec<Datum>> {
    let of = |&(m, u, n): &(usize, usize, usize)| vec![floats(&[m, u], 1), floats(&[u, n], 2)];
    sizes.iter().map(of).collect()
}

pub(crate) fn apply(pass: &dyn Pass, ir: &mut Ir) {
    let (diags, done) = run_pass(pass, ir);
    assert!(done, "{}", rendered(ir.ctx(), &diags));
    verify(ir);
}

/// How often a program has an op.
#[track_caller]
pub(crate) fn has(program: &str, op: &str, times: usize) {
    let found = program.matches(&format!("{op} ")).count();
    assert_eq!(found, times, "{op} in\n{program}");
}

/// The program after a pass, which keeps what it returns for each of some inputs.
pub(crate) fn pass_keeps(pass: &dyn Pass, program: &str, inputs: &[Vec<Datum>]) -> String {
    keeps(program, inputs, |ir| apply(pass, ir))
}

/// A matrix of different numbers.
pub(crate) fn matrix(rows: usize, columns: usize) -> Datum {
    let mut elements = Elements::with_capacity(Elem::F32, rows * columns);
    for at in 0..rows * columns {
        elements
            .push(&Datum::F32(((at * 37) % 101) as f32))
            .expect("the number fits");
    }
    let array = ArrayValue::new(Elem::F32, vec![rows, columns], elements);
    Datum::array(array.expect("as many numbers as elements"))
}

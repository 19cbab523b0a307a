//! Support of the tests of lowering: programs run in the reference interpreter as arrays and as launches on memory.
//!
//! Each test binary uses a part of it.
#![allow(dead_code, reason = "shared by several test binaries")]

use segra_interp::{ArrayValue, Datum, Elem, Interpreter, MemRefValue};
use segra_ir::{Context, Diagnostics, Ir, Op};
use segra_kernel::vector::Accesses;
use segra_lower::LowerToGpu;
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use segra_schedule::{BoundArrays, ChooseForms, ChooseMapping, ExpandWindows, Vectorize};
use segra_std::func::FuncOp;
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::sync::Arc;

/// A context with the dialects of programs before and after.
pub(crate) fn context() -> Arc<Context> {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_gpu::dialect());
    ctx.register(segra_gpu::nvgpu::dialect());
    ctx.register(segra_kernel::dialect());
    Arc::new(ctx)
}

/// The program; the test ends where it does not parse.
pub(crate) fn parse(ctx: &Arc<Context>, text: &str) -> Ir {
    parse_module(ctx, "program", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{}", rendered(ctx, &diags)))
}

/// Diagnostics as text.
pub(crate) fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|d| segra_ir::diag::render::render(ctx, d, segra_ir::diag::render::Style::Plain))
        .collect()
}

/// The test ends where a program does not verify.
pub(crate) fn verify(ir: &Ir) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    let text = print(ir, ir.root(), &PrintOptions::default());
    assert!(
        !diags.has_errors(),
        "{}\n{text}",
        rendered(ir.ctx(), &diags)
    );
}

/// Choices other than the default before a program is lowered.
#[derive(Clone)]
pub(crate) struct Schedule {
    /// Most bins of a histogram in shared memory; 0: as many as fit.
    pub(crate) hist_bins: i64,
    pub(crate) accesses: Accesses,
    pub(crate) mapping: ChooseMapping,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule {
            hist_bins: 0,
            accesses: Accesses::Wide,
            mapping: ChooseMapping::default(),
        }
    }
}

/// Schedules by default and lowers; the errors.
pub(crate) fn lower(ir: &mut Ir, pass: &LowerToGpu) -> Result<(), String> {
    lower_scheduled(ir, &Schedule::default(), pass)
}

/// Schedules and lowers; the errors.
pub(crate) fn lower_scheduled(
    ir: &mut Ir,
    schedule: &Schedule,
    pass: &LowerToGpu,
) -> Result<(), String> {
    let forms = ChooseForms {
        chunk: pass.chunk,
        hist_bins: schedule.hist_bins,
        ..ChooseForms::default()
    };
    let vectors = Vectorize {
        accesses: schedule.accesses,
        checks: pass.checks,
    };
    let root = ir.root();
    run(ir, &ExpandWindows {}, root)?;
    let functions: Vec<Op> = ir
        .walk(root)
        .into_iter()
        .filter(|&op| ir.isa::<FuncOp>(op))
        .collect();
    for function in functions {
        run(ir, &BoundArrays {}, function)?;
        run(ir, &forms, function)?;
        run(ir, &vectors, function)?;
        run(ir, &schedule.mapping, function)?;
    }
    run(ir, pass, root)
}

fn run(ir: &mut Ir, pass: &dyn Pass, op: Op) -> Result<(), String> {
    let (mut diags, mut analyses, mut statistics) = (
        Diagnostics::new(),
        Analyses::default(),
        Statistics::default(),
    );
    let mut cx = PassContext::new(pass.info().name, &mut diags, &mut analyses, &mut statistics);
    let done = pass.run(ir, op, &mut cx);
    done.map(|_| ()).map_err(|_| rendered(ir.ctx(), &diags))
}

/// Small numbers, some negative.
pub(crate) fn ints(shape: &[usize], seed: usize) -> ArrayValue {
    let count: usize = shape.iter().product();
    let values: Vec<i32> = (0..count)
        .map(|at| ((at * 7 + seed * 13 + at * at * 3) % 31) as i32 - 11)
        .collect();
    ArrayValue::i32s(&values)
        .reshaped(shape.to_vec())
        .expect("as many elements as the shape says")
}

/// The same numbers as elements of an integer type (`i8` to `i64`).
pub(crate) fn typed(ty: &str, values: &ArrayValue) -> ArrayValue {
    let elem = match ty {
        "i8" => Elem::I8,
        "i16" => Elem::I16,
        "i32" => Elem::I32,
        _ => Elem::I64,
    };
    let numbers = values.iter().filter_map(|value| value.as_int());
    let width = elem.bytes();
    let bytes: Vec<u8> = numbers
        .flat_map(|value| value.to_le_bytes()[..width].to_vec())
        .collect();
    ArrayValue::from_bytes(elem, values.shape().to_vec(), &bytes)
        .expect("as many bytes as the shape says")
}

/// Arrays as memory.
pub(crate) fn on_device(value: &Datum) -> Datum {
    value.as_array().map_or_else(
        || value.clone(),
        |array| Datum::memref(MemRefValue::from_array(array)),
    )
}

/// Memory as arrays.
pub(crate) fn from_device(value: &Datum) -> Datum {
    match value.as_memref() {
        Some(memref) => Datum::array(memref.to_array().expect("results are in range")),
        None => value.clone(),
    }
}

/// Results are the same before and after lowering.
pub(crate) fn same_with(program: &str, inputs: &[Datum], pass: &LowerToGpu) {
    same_scheduled(program, inputs, &Schedule::default(), pass);
}

/// The same with another schedule.
pub(crate) fn same_scheduled(
    program: &str,
    inputs: &[Datum],
    schedule: &Schedule,
    pass: &LowerToGpu,
) {
    let ctx = context();
    let mut ir = parse(&ctx, program);
    verify(&ir);
    let wanted = Interpreter::new(&ir)
        .call("main", inputs)
        .expect("the program runs");
    lower_scheduled(&mut ir, schedule, pass).unwrap_or_else(|error| panic!("{error}"));
    verify(&ir);
    let text = print(&ir, ir.root(), &PrintOptions::default());
    let inputs: Vec<Datum> = inputs.iter().map(on_device).collect();
    let found = Interpreter::new(&ir)
        .call("main", &inputs)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found: Vec<Datum> = found.iter().map(from_device).collect();
    assert_eq!(format!("{wanted:?}"), format!("{found:?}"), "{text}");
}

/// The same with small thread blocks, and with another strategy.
pub(crate) fn same(program: &str, inputs: &[Datum]) {
    let small = LowerToGpu {
        block_size: 32,
        chunk: 64,
        ..LowerToGpu::default()
    };
    same_with(program, inputs, &small);
    let mapping = ChooseMapping {
        strategy: "jing-ext".to_owned(),
        ..ChooseMapping::default()
    };
    let schedule = Schedule {
        mapping,
        ..Schedule::default()
    };
    same_scheduled(program, inputs, &schedule, &small);
}

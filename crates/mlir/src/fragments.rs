//! Products of a warp, where upstream's `convert-nvgpu-to-nvvm` has none: bfloat16; integers that wrap, with a sign or
//! without; and halves on sm_75, whose tensor cores take half the depth at a time.
//!
//! ```text
//! %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]}    ==>  %d0 = nvvm.mma.sync A[%a0, %a1] B[%b0] C[%c..] {k = 8}
//!                                                                   %d  = nvvm.mma.sync A[%a2, %a3] B[%b1] C[%d0..] {k = 8}
//! ```
//! where `%a0` and so on are rows of the vectors, as words of 32 bits but for f16. Integers without a sign are those of
//! the attributes `segra.unsigned_a` and `segra.unsigned_b`; upstream's own lowering has none, and saturates.
//!
//! A fragment of one row is a `vector.broadcast` of it, in canonical form, which upstream does not lower: it is inserted instead.
//!
//! Legality: m16n8k16 of f16 (sm_75 on) or bf16 (sm_80 on) with sums of f32, or of f16 with sums of f16; m16n8k32 of i8
//! (sm_80 on). Other shapes are upstream's affair. Of a sum in two halves, the halves are rounded between, which the order
//! of a sum may do.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Module, Type, Value, ValueLike};

use crate::pointer::{emit, parsed, parsed_type};
use crate::session::{collect_ops, error_at, op_name, top_level};
use segra_worker::{ErrorCode, MlirError, PtxVersion, Target};

const READ: &str = "nvgpu.ldmatrix";
const MULTIPLY: &str = "nvgpu.mma.sync";
const WIDEN: &str = "vector.broadcast";

/// Discardable attributes of a product of integers without a sign, of its first and its second matrix.
const UNSIGNED: [&str; 2] = ["segra.unsigned_a", "segra.unsigned_b"];

/// The compute capability that has an instruction for the whole depth, and those of bfloat16.
const WHOLE: u16 = 80;
/// The first one with tensor cores that are programmed so.
const SINCE: u16 = 75;

/// The first PTX version with the instruction for half the depth.
const HALF_SINCE: PtxVersion = PtxVersion::new(6, 5);

/// The target, with the first PTX version that has the instructions of a module, where no version was asked for.
pub(crate) fn with_instructions(module: &Module<'_>, target: &Target) -> Target {
    let mut target = target.clone();
    let halves = || {
        top_level(module, "gpu.module")
            .into_iter()
            .flat_map(collect_ops)
            .any(|op| &*op_name(op) == MULTIPLY)
    };
    if target.ptx_version.is_none() && target.effective_ptx_version() < HALF_SINCE && halves() {
        target.ptx_version = Some(HALF_SINCE);
    }
    target
}

/// How a product is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    /// The type of elements of a vector.
    element: &'static str,
    /// Numbers of the first matrix and of the second one, as PTX calls them.
    numbers: [&'static str; 2],
    /// The type by which a thread passes what it has of a part.
    word: &'static str,
    /// Elements of it.
    packed: usize,
    /// The types of sums in vectors, and as a thread passes them.
    sum: &'static str,
    sum_word: &'static str,
    /// Where the sums of a thread stand in its vector, in the instruction's order.
    places: &'static [&'static [i64]],
    /// Depth of an instruction, and of the product.
    depth: usize,
    all: usize,
}

/// Places of sums that are passed one by one, and in pairs.
const SINGLE: &[&[i64]] = &[&[0, 0], &[0, 1], &[1, 0], &[1, 1]];
const PAIRS: &[&[i64]] = &[&[0], &[1]];

const BRAIN: Form = Form {
    element: "bf16",
    numbers: ["bf16", "bf16"],
    word: "i32",
    packed: 2,
    sum: "f32",
    sum_word: "f32",
    places: SINGLE,
    depth: 16,
    all: 16,
};

/// In instructions of half the depth.
const HALVES: Form = Form {
    element: "f16",
    numbers: ["f16", "f16"],
    word: "vector<2xf16>",
    depth: 8,
    ..BRAIN
};

const HALVES_TO_HALVES: Form = Form {
    sum: "f16",
    sum_word: "vector<2xf16>",
    places: PAIRS,
    ..HALVES
};

const BYTES: Form = Form {
    element: "i8",
    packed: 4,
    sum: "i32",
    sum_word: "i32",
    depth: 32,
    all: 32,
    ..BRAIN
};

/// How a product is made for a target, unless upstream knows.
fn form(op: OperationRef<'_, '_>, target: &Target) -> Option<Form> {
    let whole = target.chip.compute_capability() >= WHOLE;
    let a = op.operand(0).ok()?.r#type().to_string();
    let c = op.operand(2).ok()?.r#type().to_string();
    match (&*a, &*c, whole) {
        ("vector<4x2xbf16>", "vector<2x2xf32>", true) => Some(BRAIN),
        ("vector<4x2xf16>", "vector<2x2xf32>", false) => Some(HALVES),
        ("vector<4x2xf16>", "vector<2x2xf16>", false) => Some(HALVES_TO_HALVES),
        ("vector<4x4xi8>", "vector<2x2xi32>", true) => Some(Form {
            numbers: UNSIGNED.map(|name| if op.has_attribute(name) { "u8" } else { "s8" }),
            ..BYTES
        }),
        _ => None,
    }
}

/// Why an op on fragments cannot be lowered for `target`, if so; none for other ops, too.
pub(crate) fn refusal(op: OperationRef<'_, '_>, target: &Target) -> Option<String> {
    let name = &*op_name(op);
    if ![READ, MULTIPLY].contains(&name) {
        return None;
    }
    let capability = target.chip.compute_capability();
    let form = form(op, target);
    let since = match name == READ || form.is_some() {
        true => SINCE,
        false => WHOLE,
    };
    if capability < since {
        return Some(format!(
            "`{name}` needs sm_{since}, the target is {}",
            target.chip
        ));
    }
    let ptx = target.effective_ptx_version();
    let old = form.is_some_and(|form| form.depth == 8) && ptx < HALF_SINCE;
    old.then(|| format!("`{name}` needs PTX {HALF_SINCE}, the target writes PTX {ptx}"))
}

/// Whether an op is one of these.
pub(crate) fn is_one(name: &str) -> bool {
    [READ, MULTIPLY].contains(&name)
}

/// Whether an op may need another form.
pub(crate) fn may_change(name: &str) -> bool {
    [WIDEN, MULTIPLY].contains(&name)
}

/// Rewrites a product, or a fragment of one row, that upstream has no lowering of; other ops stay.
pub(crate) fn rewrite<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    target: &Target,
) -> Result<(), MlirError> {
    let name = &*op_name(op);
    let done = match (name, form(op, target)) {
        (MULTIPLY, Some(form)) => replace(context, op, form),
        (WIDEN, _) => one_row(context, op),
        _ => return Ok(()),
    };
    done.map_err(|error| {
        let message = format!("`{name}` cannot be lowered: {error}");
        MlirError::new(ErrorCode::KernelContract, "a product cannot be lowered")
            .with_diagnostics(vec![error_at(op, message)])
    })
}

/// A vector of zeros.
fn zeros<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    vector: &str,
) -> Result<Value<'c, 'a>, melior::Error> {
    let zero = if vector.contains("xi") { "0" } else { "0.0" };
    let zero = parsed(context, &format!("dense<{zero}> : {vector}"))?;
    let vector = parsed_type(context, vector)?;
    let made = emit(
        context,
        op,
        "arith.constant",
        &[],
        Some(vector),
        &[("value", zero)],
    )?;
    Ok(made.result(0)?.into())
}

/// A row as a fragment.
fn one_row<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let (row, all) = (op.operand(0)?, op.result(0)?.r#type());
    let inner = row.r#type().to_string();
    let fits = inner
        .strip_prefix("vector<")
        .is_some_and(|inner| all.to_string() == format!("vector<1x{inner}"));
    if !fits {
        return Ok(());
    }
    let nothing = zeros(context, op, &all.to_string())?;
    let position = (
        "static_position",
        DenseI64ArrayAttribute::new(context, &[0]).into(),
    );
    let operands = [row, nothing];
    let made = emit(
        context,
        op,
        "vector.insert",
        &operands,
        Some(all),
        &[position],
    )?;
    let rewriter = IrRewriter::new(context);
    let rewriter = rewriter.as_rewriter_base();
    rewriter.replace_op_with_values(op, &[made.result(0)?.into()]);
    Ok(())
}

fn replace<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    form: Form,
) -> Result<(), melior::Error> {
    let sum_word = parsed_type(context, form.sum_word)?;
    let mut a = Vec::new();
    for number in 0..4 {
        a.push(word(context, op, op.operand(0)?, number, form)?);
    }
    let mut b = Vec::new();
    for number in 0..2 {
        b.push(word(context, op, op.operand(1)?, number, form)?);
    }
    let mut sums = Vec::new();
    for place in form.places {
        sums.push(extract(context, op, op.operand(2)?, place, sum_word)?);
    }
    let steps = form.all / form.depth;
    for step in 0..steps {
        let each = 2 / steps;
        let (a, b) = (&a[step * 2 * each..][..2 * each], &b[step * each..][..each]);
        sums = multiply(context, op, (a, b, &sums), form)?;
    }
    let text = format!("vector<2x2x{}>", form.sum);
    let vector = parsed_type(context, &text)?;
    let mut all = zeros(context, op, &text)?;
    for (sum, place) in sums.into_iter().zip(form.places) {
        let position = (
            "static_position",
            DenseI64ArrayAttribute::new(context, place).into(),
        );
        let inserted = emit(
            context,
            op,
            "vector.insert",
            &[sum, all],
            Some(vector),
            &[position],
        )?;
        all = inserted.result(0)?.into();
    }
    let rewriter = IrRewriter::new(context);
    let rewriter = rewriter.as_rewriter_base();
    rewriter.replace_op_with_values(op, &[all]);
    Ok(())
}

fn extract<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    vector: Value<'c, 'a>,
    place: &[i64],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, melior::Error> {
    let position = (
        "static_position",
        DenseI64ArrayAttribute::new(context, place).into(),
    );
    let made = emit(
        context,
        op,
        "vector.extract",
        &[vector],
        Some(r#type),
        &[position],
    )?;
    Ok(made.result(0)?.into())
}

/// The elements of a part that a thread has, as the instruction takes them.
fn word<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    vector: Value<'c, 'a>,
    number: i64,
    form: Form,
) -> Result<Value<'c, 'a>, melior::Error> {
    let row = parsed_type(
        context,
        &format!("vector<{}x{}>", form.packed, form.element),
    )?;
    let row = extract(context, op, vector, &[number], row)?;
    let word = parsed_type(context, form.word)?;
    if row.r#type() == word {
        return Ok(row);
    }
    let cast = emit(context, op, "llvm.bitcast", &[row], Some(word), &[])?;
    Ok(cast.result(0)?.into())
}

/// One instruction: the sums after it.
fn multiply<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    (a, b, c): (&[Value<'c, 'a>], &[Value<'c, 'a>], &[Value<'c, 'a>]),
    form: Form,
) -> Result<Vec<Value<'c, 'a>>, melior::Error> {
    let word = parsed_type(context, form.sum_word)?;
    let words = vec![form.sum_word; c.len()].join(", ");
    let sums = parsed_type(context, &format!("!llvm.struct<({words})>"))?;
    let counts = [a.len() as i32, b.len() as i32, c.len() as i32];
    let [first, second] = form
        .numbers
        .map(|numbers| format!("#nvvm.mma_type<{numbers}>"));
    let shape = format!("#nvvm.shape<m = 16, n = 8, k = {}>", form.depth);
    let mut attributes = vec![
        ("layoutA", parsed(context, "#nvvm.mma_layout<row>")?),
        ("layoutB", parsed(context, "#nvvm.mma_layout<col>")?),
        ("multiplicandAPtxType", parsed(context, &first)?),
        ("multiplicandBPtxType", parsed(context, &second)?),
        ("shape", parsed(context, &shape)?),
        (
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &counts).into(),
        ),
    ];
    if form.sum == "i32" {
        let wrapped = parsed(context, "#nvvm.mma_int_overflow<wrapped>")?;
        attributes.push(("intOverflowBehavior", wrapped));
    }
    let operands = [a, b, c].concat();
    let made = emit(
        context,
        op,
        "nvvm.mma.sync",
        &operands,
        Some(sums),
        &attributes,
    )?;
    (0..c.len())
        .map(|number| {
            let number = number as i64;
            let position = (
                "position",
                DenseI64ArrayAttribute::new(context, &[number]).into(),
            );
            let operands = [made.result(0)?.into()];
            let part = emit(
                context,
                op,
                "llvm.extractvalue",
                &operands,
                Some(word),
                &[position],
            )?;
            Ok(part.result(0)?.into())
        })
        .collect()
}

//! Copies of tiles by tensor maps, and barriers in shared memory (`cp.async.bulk.tensor`, `mbarrier`).
//!
//! ```text
//! gpu.func @k(%x: memref<?xf16>, ..)                     gpu.func @k(%x: !llvm.ptr {llvm.byval = 128 bytes, nvvm.grid_constant}, ..)
//! %0 = builtin.unrealized_conversion_cast %x, %i, %j, %n, %k, %s, %p, %bars, %b {segra.bulk_copy, segra.box = [128, 64]}
//!   ==>  nvvm.cp.async.bulk.tensor.shared.cluster.global (%s from %p), %x, (%bars from %b), box[%j, %i]
//! %0 = .. %bars, %b {segra.mbarrier_init, segra.count = 1}       ==>  nvvm.mbarrier.init; nvvm.fence.mbarrier.init
//! %0 = .. %bars, %b {segra.mbarrier_arrive, segra.bytes = 16384} ==>  nvvm.mbarrier.arrive.expect_tx
//! %0 = .. %bars, %b, %phase {segra.mbarrier_wait}                ==>  nvvm.mbarrier.try_wait.parity, until it succeeds
//! %0 = .. {segra.warp_barrier}                                   ==>  nvvm.bar.warp.sync
//! ```
//! The casts have a result that nobody uses: upstream has none without. A parameter that is copied from is a tensor map, which the
//! host makes (`cuTensorMapEncodeTiled`): of extents that its launch says, so that those of the cast are not used here.
//!
//! Legality: sm_90 ([`refusal`]); arrays are flat, and parameters that are copied from are nothing else.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{
    ArrayAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute, TypeAttribute,
};
use melior::ir::operation::{OperationLike, OperationMutLike, OperationRef};
use melior::ir::r#type::{FunctionType, IntegerType};
use melior::ir::{Attribute, BlockLike, BlockRef, Module, RegionLike, Type, Value, ValueLike};

use crate::pointer::{element_pointer, emit, parsed, parsed_type};
use crate::session::{collect_ops, error_at, function_type, mutable, op_name, top_level};
use segra_worker::{ErrorCode, MlirError, PtxVersion, Target};

const CAST: &str = "builtin.unrealized_conversion_cast";
/// Marks of casts.
const COPY: &str = "segra.bulk_copy";
const INIT: &str = "segra.mbarrier_init";
const ARRIVE: &str = "segra.mbarrier_arrive";
const WAIT: &str = "segra.mbarrier_wait";
const WARP: &str = "segra.warp_barrier";
const MARKS: [&str; 5] = [COPY, INIT, ARRIVE, WAIT, WARP];
/// Mark of a kernel: the numbers of the parameters that are tensor maps.
const MAPS: &str = "segra.tensor_maps";

/// The first chip that has the instructions, and the first PTX version.
const CHIP: u16 = 90;
const PTX: PtxVersion = PtxVersion::new(8, 0);
/// Nanoseconds after which a thread that waits asks again.
const TICKS: i64 = 10_000_000;
/// Shared memory of a cluster, in LLVM's numbering.
const CLUSTER: u32 = 7;

fn is_one(op: OperationRef<'_, '_>) -> bool {
    op_name(op) == CAST && MARKS.iter().any(|mark| op.has_attribute(mark))
}

/// The target, with the first PTX version that has the instructions, where a module has any and no version was asked for.
pub(crate) fn with_instructions(module: &Module<'_>, target: Target) -> Target {
    let older = target.ptx_version.is_none() && target.effective_ptx_version() < PTX;
    let has = || {
        let mut modules = top_level(module, "gpu.module").into_iter();
        modules.any(|module| collect_ops(module).into_iter().any(is_one))
    };
    match older && target.chip.compute_capability() >= CHIP && has() {
        true => Target {
            ptx_version: Some(PTX),
            ..target
        },
        false => target,
    }
}

/// Why it cannot be lowered for `target`, if so; none for other ops, too.
pub(crate) fn refusal(op: OperationRef<'_, '_>, target: &Target) -> Option<String> {
    let (chip, ptx) = (target.chip, target.effective_ptx_version());
    let has = chip.compute_capability() >= CHIP && ptx >= PTX;
    (is_one(op) && !has).then(|| {
        format!(
            "a copy of a tile, or a barrier that counts its bytes, needs sm_{CHIP} and PTX {PTX}, the target is {chip} with \
             PTX {ptx}"
        )
    })
}

/// Rewrites such ops below an op. Whether there are any.
pub(crate) fn rewrite<'c>(
    context: &'c Context,
    module: OperationRef<'c, '_>,
) -> Result<bool, MlirError> {
    let mut found = false;
    // All of them before any op goes: ops that are gone have no name.
    let mut functions = collect_ops(module);
    functions.retain(|&op| op_name(op) == "gpu.func");
    for function in functions {
        let ops: Vec<_> = collect_ops(function)
            .into_iter()
            .filter(|&op| is_one(op))
            .collect();
        found |= !ops.is_empty();
        let maps: Vec<Value<'c, '_>> = ops
            .iter()
            .filter(|op| op.has_attribute(COPY))
            .filter_map(|op| op.operand(0).ok())
            .collect();
        let failed = |error: melior::Error| {
            let message = format!("a copy of a tile cannot be lowered: {error}");
            MlirError::new(ErrorCode::KernelContract, "a copy cannot be lowered")
                .with_diagnostics(vec![error_at(function, message)])
        };
        pass_maps(context, function, &maps).map_err(failed)?;
        for op in ops {
            replace(context, op).map_err(failed)?;
        }
    }
    Ok(found)
}

/// Parameters that are copied from become pointers to tensor maps.
fn pass_maps<'c>(
    context: &'c Context,
    function: OperationRef<'c, '_>,
    maps: &[Value<'c, '_>],
) -> Result<(), melior::Error> {
    let broken = melior::Error::OperationBuild;
    let entry = entry(function)?;
    let signature = function_type(function).ok_or(broken)?;
    let (mut inputs, mut numbers) = (Vec::new(), Vec::new());
    let pointer = melior::dialect::llvm::r#type::pointer(context, 0);
    for number in 0..signature.input_count() {
        let argument = entry.argument(number)?;
        let value: Value<'c, '_> = argument.into();
        if maps.contains(&value) {
            argument.set_type(pointer);
            numbers.push(number as i64);
        }
        inputs.push(match maps.contains(&value) {
            true => pointer,
            false => signature.input(number)?,
        });
    }
    if numbers.is_empty() {
        return Ok(());
    }
    let nothing = parsed(context, "{}")?;
    set_parameters(context, function, (&numbers, nothing))?;
    let mut function = mutable(function).ok_or(melior::Error::OperationBuild)?;
    let ty = TypeAttribute::new(FunctionType::new(context, &inputs, &[]).into());
    function.set_attribute("function_type", ty.into());
    function.set_attribute(MAPS, DenseI64ArrayAttribute::new(context, &numbers).into());
    Ok(())
}

/// Says of the parameters of kernels that are tensor maps that they lie in the launch's own memory, once kernels are functions of
/// the LLVM dialect, which alone may say so.
pub(crate) fn say_maps<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), MlirError> {
    for gpu_module in top_level(module, "gpu.module") {
        for op in collect_ops(gpu_module) {
            if op.has_attribute(MAPS) {
                say(context, op).map_err(|error| {
                    MlirError::new(
                        ErrorCode::Internal,
                        format!("a tensor map is lost: {error}"),
                    )
                })?;
            }
        }
    }
    Ok(())
}

fn say<'c>(context: &'c Context, function: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let numbers = DenseI64ArrayAttribute::try_from(function.attribute(MAPS)?)?;
    let numbers: Vec<i64> = (0..numbers.len())
        .map(|at| numbers.element(at))
        .collect::<Result<_, _>>()?;
    let map = "{llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}";
    set_parameters(context, function, (&numbers, parsed(context, map)?))?;
    let mut function = mutable(function).ok_or(melior::Error::OperationBuild)?;
    function.remove_attribute(MAPS)
}

fn entry<'c, 'a>(function: OperationRef<'c, 'a>) -> Result<BlockRef<'c, 'a>, melior::Error> {
    let entry = function.region(0)?.first_block();
    entry.ok_or(melior::Error::OperationBuild)
}

/// Gives the parameters of a function with these numbers other attributes; those of all others stay.
fn set_parameters<'c>(
    context: &'c Context,
    function: OperationRef<'c, '_>,
    (numbers, of_these): (&[i64], Attribute<'c>),
) -> Result<(), melior::Error> {
    let nothing = parsed(context, "{}")?;
    let given = function.attribute("arg_attrs").ok();
    let given = given.and_then(|given| ArrayAttribute::try_from(given).ok());
    let attributes: Vec<Attribute<'c>> = (0..entry(function)?.argument_count())
        .map(|number| match given {
            _ if numbers.contains(&(number as i64)) => Ok(of_these),
            Some(given) => given.element(number),
            None => Ok(nothing),
        })
        .collect::<Result<_, _>>()?;
    let mut function = mutable(function).ok_or(melior::Error::OperationBuild)?;
    let attributes = ArrayAttribute::new(context, &attributes).into();
    function.set_attribute("arg_attrs", attributes);
    Ok(())
}

fn word<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    value: i64,
) -> Result<Value<'c, 'a>, melior::Error> {
    let ty = IntegerType::new(context, 32).into();
    let value = ("value", IntegerAttribute::new(ty, value).into());
    let made = emit(context, op, "llvm.mlir.constant", &[], Some(ty), &[value])?;
    Ok(made.result(0)?.into())
}

fn as_word<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    index: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, melior::Error> {
    let ty = IntegerType::new(context, 32).into();
    let cast = emit(context, op, "arith.index_cast", &[index], Some(ty), &[])?;
    Ok(cast.result(0)?.into())
}

fn number(op: OperationRef<'_, '_>, name: &str) -> Result<i64, melior::Error> {
    Ok(IntegerAttribute::try_from(op.attribute(name)?)?.value())
}

fn replace<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    if op.has_attribute(COPY) {
        copy(context, op)?;
    } else if op.has_attribute(WARP) {
        let all = word(context, op, -1)?;
        emit(context, op, "nvvm.bar.warp.sync", &[all], None, &[])?;
    } else {
        barrier(context, op)?;
    }
    // The result of the cast has no users.
    IrRewriter::new(context).as_rewriter_base().erase_op(op);
    Ok(())
}

fn barrier<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let barrier = element_pointer(context, op, op.operand(0)?, op.operand(1)?)?.pointer;
    if op.has_attribute(INIT) {
        let count = word(context, op, number(op, "segra.count")?)?;
        emit(
            context,
            op,
            "nvvm.mbarrier.init",
            &[barrier, count],
            None,
            &[],
        )?;
        return emit(context, op, "nvvm.fence.mbarrier.init", &[], None, &[]).map(drop);
    }
    if op.has_attribute(WAIT) {
        let one = word(context, op, 1)?;
        let phase = as_word(context, op, op.operand(2)?)?;
        let ty = Some(phase.r#type());
        let parity = emit(context, op, "llvm.and", &[phase, one], ty, &[])?;
        let operands = [barrier, parity.result(0)?.into(), word(context, op, TICKS)?];
        let name = "nvvm.mbarrier.try_wait.parity";
        return emit(context, op, name, &operands, None, &[]).map(drop);
    }
    let attributes = [
        ("relaxed", parsed(context, "false")?),
        ("scope", parsed(context, "#nvvm.mem_scope<cta>")?),
    ];
    if op.has_attribute("segra.bytes") {
        let bytes = word(context, op, number(op, "segra.bytes")?)?;
        let name = "nvvm.mbarrier.arrive.expect_tx";
        return emit(context, op, name, &[barrier, bytes], None, &attributes).map(drop);
    }
    let state: Option<Type<'c>> = Some(IntegerType::new(context, 64).into());
    let name = "nvvm.mbarrier.arrive";
    emit(context, op, name, &[barrier], state, &attributes).map(drop)
}

fn copy<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let rank = DenseI64ArrayAttribute::try_from(op.attribute("segra.box")?)?.len();
    let target = element_pointer(
        context,
        op,
        op.operand(1 + 2 * rank)?,
        op.operand(2 + 2 * rank)?,
    )?;
    let barrier = element_pointer(
        context,
        op,
        op.operand(3 + 2 * rank)?,
        op.operand(4 + 2 * rank)?,
    )?;
    let cluster = parsed_type(context, &format!("!llvm.ptr<{CLUSTER}>"))?;
    let pointer = [target.pointer];
    let target = emit(
        context,
        op,
        "llvm.addrspacecast",
        &pointer,
        Some(cluster),
        &[],
    )?;
    let mut operands = vec![target.result(0)?.into(), op.operand(0)?];
    // Innermost first.
    for dim in (0..rank).rev() {
        operands.push(as_word(context, op, op.operand(1 + dim)?)?);
    }
    operands.push(barrier.pointer);
    let segments = [1, 1, rank as i32, 1, 0, 0, 0, 0];
    let attributes = [
        ("isCTAOnly", parsed(context, "false")?),
        ("mode", parsed(context, "#nvvm.tma_load_mode<tile>")?),
        (
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &segments).into(),
        ),
    ];
    let name = "nvvm.cp.async.bulk.tensor.shared.cluster.global";
    emit(context, op, name, &operands, None, &attributes).map(drop)
}

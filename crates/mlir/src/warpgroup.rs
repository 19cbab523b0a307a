//! Products of warpgroups on matrices in shared memory, as instructions that run beside the threads (`wgmma`).
//!
//! ```text
//! %d:64 = builtin.unrealized_conversion_cast %a, %i, %b, %j, %c.. {segra.warpgroup_mma, segra.columns = 128, segra.starts_a = [0, 16], ...}
//!   ==>
//! nvvm.wgmma.fence.aligned
//! %s1 = nvvm.wgmma.mma_async %c.., (descriptor of %a from %i), (of %b from %j)
//! %s2 = nvvm.wgmma.mma_async %s1, (further on), (further on)
//! nvvm.wgmma.commit.group.sync.aligned
//!
//! %e:64 = builtin.unrealized_conversion_cast %d.. {segra.warpgroup_wait}    ==>    %e:64 = llvm.inline_asm "wgmma.wait_group.sync.aligned 0;" %d..
//! ```
//! The wait passes the sums on, so that nobody reads them before it. Instructions read shared memory through a proxy of their
//! own, for which a thread orders what it has written by `fence.proxy.async`: one stands before each barrier of such a kernel.
//!
//! A descriptor is a word of 64 bits ("Matrix Descriptor Format", PTX ISA 9.7.15.5.1.2.2): address, leading and stride offset in
//! units of 16 bytes, and the order of places in lines of 128 bytes.
//!
//! Legality: sm_90a alone ([`refusal`]); flat arrays of f16 or bf16 in shared memory, sums of f32.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute, StringAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{Attribute, ShapedTypeLike, Type, Value, ValueLike};

use crate::pointer::{element_pointer, emit, parsed, parsed_type};
use crate::session::{collect_ops, error_at, op_name};
use segra_worker::{ErrorCode, MlirError, PtxVersion, Target};

/// The op, and what marks it.
const CAST: &str = "builtin.unrealized_conversion_cast";
const PRODUCT: &str = "segra.warpgroup_mma";
const WAIT: &str = "segra.warpgroup_wait";
const BARRIER: &str = "gpu.barrier";

/// The instructions as upstream's translation to LLVM takes them.
pub(crate) const TO_LLVM: &str = "builtin.module(gpu.module(convert-nvvm-to-llvm))";

/// The chip that has the instructions, and the first PTX version.
const CHIP: u16 = 90;
const PTX: PtxVersion = PtxVersion::new(8, 0);

/// Operands before the sums.
const BEFORE_SUMS: usize = 4;
/// Bytes of a number.
const BYTES: i64 = 2;
/// Bytes in units of which descriptors say where matrices lie.
const UNIT: i64 = 16;
/// Bits of an address in shared memory.
const ADDRESS: i64 = 0x3_ffff;
/// First bits of the offsets, and of the order of places: lines of 128 bytes.
const LEADING: u32 = 16;
const STRIDE: u32 = 32;
const ORDER: i64 = 1 << 62;

/// Whether an op is a product of this kind.
pub(crate) fn is_one(op: OperationRef<'_, '_>) -> bool {
    op_name(op) == CAST && (op.has_attribute(PRODUCT) || op.has_attribute(WAIT))
}

/// Why it cannot be lowered for `target`, if so; none for other ops, too.
pub(crate) fn refusal(op: OperationRef<'_, '_>, target: &Target) -> Option<String> {
    let chip = target.chip;
    let has = chip.compute_capability() == CHIP && chip.is_architecture_specific();
    if !is_one(op) || has && target.effective_ptx_version() >= PTX {
        return None;
    }
    Some(format!(
        "a product of a warpgroup needs sm_{CHIP}a and PTX {PTX}, the target is {chip} with PTX {}",
        target.effective_ptx_version()
    ))
}

/// Rewrites the products below an op, and the barriers beside them. Whether there are any.
pub(crate) fn rewrite<'c>(
    context: &'c Context,
    module: OperationRef<'c, '_>,
) -> Result<bool, MlirError> {
    let mut found = false;
    // All of them before any op goes: ops that are gone have no name.
    let functions: Vec<OperationRef<'c, '_>> = collect_ops(module)
        .into_iter()
        .filter(|&op| op_name(op) == "gpu.func")
        .collect();
    for function in functions {
        let ops = collect_ops(function);
        if !ops.iter().any(|&op| is_one(op)) {
            continue;
        }
        found = true;
        for op in ops {
            let done = match &*op_name(op) {
                CAST if op.has_attribute(PRODUCT) => replace(context, op),
                CAST if op.has_attribute(WAIT) => wait(context, op),
                BARRIER => fence(context, op),
                _ => continue,
            };
            done.map_err(|error| {
                let message = format!("a product of a warpgroup cannot be lowered: {error}");
                MlirError::new(ErrorCode::KernelContract, "a product cannot be lowered")
                    .with_diagnostics(vec![error_at(op, message)])
            })?;
        }
    }
    Ok(found)
}

/// Products behind a barrier find all that a thread has written before it.
fn fence<'c>(context: &'c Context, barrier: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let attributes = [
        ("kind", parsed(context, "#nvvm.proxy_kind<async.shared>")?),
        ("space", parsed(context, "#nvvm.shared_space<cta>")?),
    ];
    emit(context, barrier, "nvvm.fence.proxy", &[], None, &attributes).map(drop)
}

/// A number, and numbers, of an op.
fn number(op: OperationRef<'_, '_>, name: &str) -> Result<i64, melior::Error> {
    Ok(IntegerAttribute::try_from(op.attribute(name)?)?.value())
}

fn numbers(op: OperationRef<'_, '_>, name: &str) -> Result<Vec<i64>, melior::Error> {
    let all = DenseI64ArrayAttribute::try_from(op.attribute(name)?)?;
    (0..all.len()).map(|at| all.element(at)).collect()
}

/// The part of a descriptor that is the same for all addresses.
fn descriptor(leading: i64, stride: i64) -> i64 {
    let units = |numbers: i64| numbers * BYTES / UNIT;
    ORDER | units(leading) << LEADING | units(stride) << STRIDE
}

/// An array of which steps are read.
struct Matrix<'c, 'a> {
    /// The descriptor of its first number.
    first: Value<'c, 'a>,
    /// Where each step begins, in units of descriptors.
    steps: Vec<i64>,
}

/// Values of 64 bits before an op.
struct Words<'c, 'a> {
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    ty: Type<'c>,
}

impl<'c, 'a> Words<'c, 'a> {
    fn constant(&self, value: i64) -> Result<Value<'c, 'a>, melior::Error> {
        let value = ("value", IntegerAttribute::new(self.ty, value).into());
        let made = emit(
            self.context,
            self.op,
            "llvm.mlir.constant",
            &[],
            Some(self.ty),
            &[value],
        )?;
        Ok(made.result(0)?.into())
    }
    fn binary(
        &self,
        name: &str,
        value: Value<'c, 'a>,
        constant: i64,
    ) -> Result<Value<'c, 'a>, melior::Error> {
        let operands = [value, self.constant(constant)?];
        let made = emit(self.context, self.op, name, &operands, Some(self.ty), &[])?;
        Ok(made.result(0)?.into())
    }
    /// The descriptor of a matrix that begins with an element.
    fn matrix(
        &self,
        at: usize,
        fixed: i64,
        starts: Vec<i64>,
    ) -> Result<Matrix<'c, 'a>, melior::Error> {
        let (op, context) = (self.op, self.context);
        let element = element_pointer(context, op, op.operand(at)?, op.operand(at + 1)?)?;
        let pointer = [element.pointer];
        let address = emit(context, op, "llvm.ptrtoint", &pointer, Some(self.ty), &[])?;
        let address = self.binary("llvm.and", address.result(0)?.into(), ADDRESS)?;
        let address = self.binary("llvm.lshr", address, UNIT.ilog2().into())?;
        Ok(Matrix {
            first: self.binary("llvm.or", address, fixed)?,
            steps: starts
                .into_iter()
                .map(|start| start * BYTES / UNIT)
                .collect(),
        })
    }
}

fn replace<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let ty = IntegerType::new(context, 64).into();
    let words = Words { context, op, ty };
    let apart_b = numbers(op, "segra.apart_b")?;
    let &[panels, groups] = &apart_b[..] else {
        return Err(melior::Error::OperationBuild);
    };
    // One line holds all of a step's depth, so that nothing is between it and a next one.
    let a = descriptor(0, number(op, "segra.apart_a")?);
    let a = words.matrix(0, a, numbers(op, "segra.starts_a")?)?;
    let b = descriptor(panels, groups);
    let b = words.matrix(2, b, numbers(op, "segra.starts_b")?)?;
    let count = op.result_count();
    let all = structure(context, count)?;
    let nothing = emit(context, op, "llvm.mlir.poison", &[], Some(all), &[])?;
    let mut sums: Value<'c, '_> = nothing.result(0)?.into();
    for number in 0..count {
        let operands = [sums, op.operand(BEFORE_SUMS + number)?];
        let made = emit(
            context,
            op,
            "llvm.insertvalue",
            &operands,
            Some(all),
            &place(context, number),
        )?;
        sums = made.result(0)?.into();
    }
    emit(context, op, "nvvm.wgmma.fence.aligned", &[], None, &[])?;
    let attributes = instruction(context, op)?;
    for (of_a, of_b) in a.steps.iter().zip(&b.steps) {
        let operands = [
            sums,
            words.binary("llvm.add", a.first, *of_a)?,
            words.binary("llvm.add", b.first, *of_b)?,
        ];
        let name = "nvvm.wgmma.mma_async";
        let made = emit(context, op, name, &operands, Some(all), &attributes)?;
        sums = made.result(0)?.into();
    }
    let name = "nvvm.wgmma.commit.group.sync.aligned";
    emit(context, op, name, &[], None, &[])?;
    replace_with(context, op, sums)
}

/// A structure of so many sums.
fn structure(context: &Context, count: usize) -> Result<Type<'_>, melior::Error> {
    let text = format!("!llvm.struct<({})>", vec!["f32"; count].join(", "));
    parsed_type(context, &text)
}

/// The attribute by which an op names a part of a structure.
fn place(context: &Context, number: usize) -> [(&'static str, Attribute<'_>); 1] {
    let place = DenseI64ArrayAttribute::new(context, &[number as i64]);
    [("position", place.into())]
}

/// Puts the parts of a structure in place of an op's results.
fn replace_with<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    all: Value<'c, 'a>,
) -> Result<(), melior::Error> {
    let float = parsed_type(context, "f32")?;
    let mut results = Vec::new();
    for number in 0..op.result_count() {
        let name = "llvm.extractvalue";
        let made = emit(
            context,
            op,
            name,
            &[all],
            Some(float),
            &place(context, number),
        )?;
        results.push(made.result(0)?.into());
    }
    let rewriter = IrRewriter::new(context);
    rewriter
        .as_rewriter_base()
        .replace_op_with_values(op, &results);
    Ok(())
}

/// The attributes of the instruction.
fn instruction<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
) -> Result<Vec<(&'static str, Attribute<'c>)>, melior::Error> {
    let factor = MemRefType::try_from(op.operand(0)?.r#type())?.element();
    let factor = format!("#nvvm.wgmma_type<{factor}>");
    let columns = number(op, "segra.columns")?;
    let shape = format!("#nvvm.shape<m = 64, n = {columns}, k = 16>");
    let layout = match op.has_attribute("segra.across_b") {
        true => "#nvvm.mma_layout<row>",
        false => "#nvvm.mma_layout<col>",
    };
    [
        ("layoutA", "#nvvm.mma_layout<row>"),
        ("layoutB", layout),
        ("scaleA", "#nvvm.wgmma_scale_in<one>"),
        ("scaleB", "#nvvm.wgmma_scale_in<one>"),
        ("scaleD", "#nvvm.wgmma_scale_out<one>"),
        ("shape", &shape),
        ("typeA", &factor),
        ("typeB", &factor),
        ("typeD", "#nvvm.wgmma_type<f32>"),
    ]
    .into_iter()
    .map(|(name, text)| Ok((name, parsed(context, text)?)))
    .collect()
}

/// Waits for all products: their sums from then on.
fn wait<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let sums: Vec<Value<'c, '_>> = op.operands().collect();
    let all = structure(context, sums.len())?;
    let outputs = vec!["=f".to_owned(); sums.len()];
    let inputs = (0..sums.len()).map(|number| number.to_string());
    let constraints: Vec<String> = outputs.into_iter().chain(inputs).collect();
    let text = |text: &str| StringAttribute::new(context, text).into();
    let attributes = [
        ("asm_string", text("wgmma.wait_group.sync.aligned 0;")),
        ("constraints", text(&constraints.join(","))),
        ("has_side_effects", Attribute::unit(context)),
    ];
    let name = "llvm.inline_asm";
    let made = emit(context, op, name, &sums, Some(all), &attributes)?;
    replace_with(context, op, made.result(0)?.into())
}

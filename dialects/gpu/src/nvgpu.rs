//! Asynchronous copies from global to shared memory: the dialect `nvgpu`, as far as Segra uses it. Same text as upstream's.
//!
//! ```mlir
//! %t = nvgpu.device_async_copy %x[%i], %tile[%j], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
//! %g = nvgpu.device_async_create_group %t
//! nvgpu.device_async_wait %g {numGroups = 0 : i32}
//! gpu.barrier
//! ```
//! A thread issues copies and goes on; a group is all copies that it has issued since its last one, whatever tokens are
//! named; it waits until all but the last `numGroups` groups are done (all, where that is not said), whichever token is
//! named. A thread may read copies it has waited for; other threads may after a barrier, too. Before, the bytes are not defined,
//! neither to read nor to write.
//!
//! The interpreter takes the elements when a copy is issued and writes them at the wait, the last moment that is allowed.
//!
//! Matrix fragments are in [`crate::fragments`].
//!
//! Deliberately absent: upstream's other ops; barriers in memory and copies of tiles are in [`crate::bulk`].

use crate::attrs::AddressSpace;
use crate::eval::Position;
use crate::fragments::{LdMatrixOp, MmaSyncOp};
use crate::types::address_space;
use segra_interp::{Cx, Datum, Eval, EvalResult, Flow, Inst, Lanes, MemRefValue};
use segra_ir::constraint::{AnyMemRef, I32Attr, Index, IndexAttr, TypeConstraint, UnitAttr};
use segra_ir::def::Origin;
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, Verify};
use segra_ir::layout::has_unit_last_stride;
use segra_ir::types::{CustomType, DialectType};
use segra_ir::{
    Context, Dialect, Dict, Ir, Op, OpDiagnostics, OpState, OpView, Type, TypeKind, op,
};
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};
use std::collections::VecDeque;
use std::rc::Rc;

/// The dialect, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect {
        name: "nvgpu",
        origin: Origin::Upstream,
        doc: "Asynchronous copies to shared memory, and matrix fragments, as in upstream MLIR.",
        ops: [
            DeviceAsyncCopyOp::DEF,
            DeviceAsyncCreateGroupOp::DEF,
            DeviceAsyncWaitOp::DEF,
            LdMatrixOp::DEF,
            MmaSyncOp::DEF,
        ]
        .to_vec(),
        types: segra_text::type_parsers(&[("device.async.token", parse_token)]),
        ..Dialect::default()
    }
}

/// `!nvgpu.device.async.token`: what a copy or a group of them gives. Also the constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceAsyncToken;

impl DeviceAsyncToken {
    fn ty(self, ctx: &Context) -> Type {
        ctx.ty(TypeKind::Dialect(DialectType::new(self)))
    }
}

impl CustomType for DeviceAsyncToken {
    const DIALECT: &'static str = "nvgpu";
    const MNEMONIC: &'static str = "device.async.token";
    fn print(&self, _ctx: &Context, _out: &mut String) {}
}

impl TypeConstraint for DeviceAsyncToken {
    fn describe(&self) -> &'static str {
        "a token of copies to shared memory"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty.dialect::<DeviceAsyncToken>(ctx).is_some()
    }
    fn only(&self, ctx: &Context) -> Option<Type> {
        Some(self.ty(ctx))
    }
}

fn parse_token(p: &mut Parser<'_>) -> ParseResult<Type> {
    Ok(DeviceAsyncToken.ty(p.ctx()))
}

fn token(ctx: &Context) -> Result<Vec<Type>, String> {
    Ok(vec![DeviceAsyncToken.ty(ctx)])
}

/// Issues a copy of `dstElements` consecutive elements, 4, 8 or 16 bytes in all, from global to shared memory.
///
/// Both places must be aligned to the size of the copy. Of the source, only `srcElements` are read, where that is given;
/// zeros are written for the others.
#[op(
    "nvgpu.device_async_copy",
    interfaces(Verify, Effects, InferTypes, Eval),
    format = "$src `[` $src_indices `]` `,` $dst `[` $dst_indices `]` `,` $dstElements (`,` $src_elements^)? attr-dict `:` type($src) `to` type($dst)"
)]
pub struct DeviceAsyncCopyOp {
    dst: Operand<AnyMemRef>,
    dst_indices: VariadicOperand<Index>,
    src: Operand<AnyMemRef>,
    src_indices: VariadicOperand<Index>,
    src_elements: OptionalOperand<Index>,
    #[name("dstElements")]
    dst_elements: Attr<IndexAttr>,
    /// Not to be kept in the first level cache; 16 bytes only.
    #[name("bypassL1")]
    bypass_l1: OptionalAttr<UnitAttr>,
    async_token: OpResult<DeviceAsyncToken>,
}

/// Makes a group of the copies that the thread has issued and that are in none yet.
#[op(
    "nvgpu.device_async_create_group",
    interfaces(Effects, InferTypes, Syntax, Eval)
)]
pub struct DeviceAsyncCreateGroupOp {
    input_tokens: VariadicOperand<DeviceAsyncToken>,
    async_token: OpResult<DeviceAsyncToken>,
}

/// Waits for the thread's groups but the last `numGroups`.
#[op(
    "nvgpu.device_async_wait",
    interfaces(Effects, Eval),
    format = "$async_dependencies attr-dict"
)]
pub struct DeviceAsyncWaitOp {
    async_dependencies: Operand<DeviceAsyncToken>,
    #[name("numGroups")]
    num_groups: OptionalAttr<I32Attr>,
}

impl Verify for DeviceAsyncCopyOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (view, ctx) = (DeviceAsyncCopyOp::from_op(op), ir.ctx());
        let [from, to] = [view.src(ir), view.dst(ir)].map(|value| ir.value_type(value));
        for (name, ty) in [("src", from), ("dst", to)] {
            if !has_unit_last_stride(ctx, ty) {
                diags.error(format!(
                    "neighbours along the last dimension of `{name}` must be neighbours in memory"
                ));
            }
        }
        if !is_shared(ctx, to) {
            diags.error(
                "operand `dst` must lie in memory space 3 or `#gpu.address_space<workgroup>`",
            );
        }
        let (Some((source, element)), Some((target, other))) = (from.shaped(ctx), to.shaped(ctx))
        else {
            return;
        };
        if element != other {
            diags.error("operands `src` and `dst` must have one element type");
        }
        for (name, rank, indices) in [
            ("src", source.len(), view.src_indices(ir).len()),
            ("dst", target.len(), view.dst_indices(ir).len()),
        ] {
            if rank != indices {
                diags.error(format!(
                    "needs {rank} indices by the type of `{name}`, not {indices}"
                ));
            }
        }
        let float = other.float_kind(ctx).map(segra_ir::FloatKind::width);
        let bits = other.integer_width(ctx).or(float).map(i64::from);
        let Some(bits) = bits else {
            diags.error("copies numbers of a known size");
            return;
        };
        let bytes = bits.saturating_mul(view.dst_elements(ir)) / 8;
        if ![4, 8, 16].contains(&bytes) {
            diags.error(format!("copies 4, 8 or 16 bytes, not {bytes}"));
        }
        if bytes != 16 && view.bypass_l1(ir).is_some() {
            diags.error("attribute `bypassL1` needs copies of 16 bytes");
        }
    }
}

/// Whether a memref says that it lies in shared memory, in either way.
pub(crate) fn is_shared(ctx: &Context, memref: Type) -> bool {
    let TypeKind::MemRef {
        space: Some(space), ..
    } = ctx.type_kind(memref)
    else {
        return false;
    };
    address_space(ctx, memref) == Some(AddressSpace::Workgroup) || space.as_i64(ctx) == Some(3)
}

impl InferTypes for DeviceAsyncCopyOp {
    fn infer_types(&self, ir: &Ir, _: &OpState) -> Result<Vec<Type>, String> {
        token(ir.ctx())
    }
}
impl InferTypes for DeviceAsyncCreateGroupOp {
    fn infer_types(&self, ir: &Ir, _: &OpState) -> Result<Vec<Type>, String> {
        token(ir.ctx())
    }
}

/// Without tokens, `{}` stands where upstream prints nothing, or both would take the next op's results for tokens.
impl Syntax for DeviceAsyncCreateGroupOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let tokens = DeviceAsyncCreateGroupOp::from_op(op).input_tokens(p.ir());
        if tokens.is_empty() && p.ir().discardable_attrs(op) == Dict::EMPTY {
            p.text(" {}");
            return;
        }
        if !tokens.is_empty() {
            p.text(" ");
        }
        p.values(tokens);
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let tokens = p.parse_operand_list()?;
        let ty = DeviceAsyncToken.ty(p.ctx());
        p.resolve_operands(&tokens, &vec![ty; tokens.len()], &mut op.state.operands)?;
        op.state.result_types.push(ty);
        p.parse_attr_dict_into(op)
    }
}

impl Effects for DeviceAsyncCopyOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let view = DeviceAsyncCopyOp::from_op(op);
        effects.push(Effect::on(EffectKind::Read, view.src(ir)));
        effects.push(Effect::on(EffectKind::Write, view.dst(ir)));
        // It belongs to the next group.
        effects.push(Effect::of(EffectKind::Control));
    }
}
impl Effects for DeviceAsyncCreateGroupOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}
impl Effects for DeviceAsyncWaitOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// A copy that is issued.
struct Issued {
    to: Rc<MemRefValue>,
    at: Vec<i64>,
    elements: Vec<Datum>,
}

/// The copies of one thread on their way.
#[derive(Default)]
pub(crate) struct ThreadCopies {
    /// Those in no group.
    open: Vec<Issued>,
    groups: VecDeque<Vec<Issued>>,
}

impl Eval for DeviceAsyncCopyOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let position = position(cx, inst)?;
        let view = DeviceAsyncCopyOp::from_op(inst.op);
        let groups = [0, 1, 2, 3, 4].map(|group| cx.ir().operand_group(inst.op, group));
        let [dst, dst_indices, src, src_indices, limit] = groups;
        let count = view.dst_elements(cx.ir());
        for lane in lanes.iter() {
            let to = cx.memref(inst, dst.start, lane)?;
            let zero = Datum::zero(to.buffer.elem());
            let (to, at) = (
                to.clone(),
                cx.ints(inst, dst_indices.clone(), lane)?.to_vec(),
            );
            let mut from = cx.ints(inst, src_indices.clone(), lane)?;
            let read = match limit.is_empty() {
                true => count,
                false => cx.int(inst, limit.start, lane)?,
            };
            let mut elements = Vec::new();
            for number in 0..count {
                let element = match number < read {
                    true => cx.check(inst, cx.memref(inst, src.start, lane)?.load(&from))?,
                    false => zero.clone(),
                };
                elements.push(element);
                if let Some(last) = from.last_mut() {
                    *last = last.wrapping_add(1);
                }
            }
            position.copies(lane, |copies| copies.open.push(Issued { to, at, elements }));
            cx.set_result(inst, 0, lane, Datum::Unit);
        }
        Ok(Flow::Next)
    }
}

impl Eval for DeviceAsyncCreateGroupOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let position = position(cx, inst)?;
        for lane in lanes.iter() {
            position.copies(lane, |copies| {
                let group = std::mem::take(&mut copies.open);
                copies.groups.push_back(group);
            });
            cx.set_result(inst, 0, lane, Datum::Unit);
        }
        Ok(Flow::Next)
    }
}

impl Eval for DeviceAsyncWaitOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let position = position(cx, inst)?;
        let left = DeviceAsyncWaitOp::from_op(inst.op).num_groups(cx.ir());
        let left = usize::try_from(left.unwrap_or(0)).unwrap_or(0);
        for lane in lanes.iter() {
            let done: Vec<Issued> = position.copies(lane, |copies| {
                let done = copies.groups.len().saturating_sub(left);
                copies.groups.drain(..done).flatten().collect()
            });
            for mut copy in done {
                for element in &copy.elements {
                    cx.check(inst, copy.to.store(&copy.at, element))?;
                    if let Some(last) = copy.at.last_mut() {
                        *last = last.wrapping_add(1);
                    }
                }
            }
        }
        Ok(Flow::Next)
    }
}

pub(crate) fn position(cx: &Cx<'_>, inst: &Inst) -> Result<Rc<Position>, segra_interp::EvalError> {
    cx.ambient::<Position>()
        .ok_or_else(|| cx.error(inst, "runs outside a kernel"))
}

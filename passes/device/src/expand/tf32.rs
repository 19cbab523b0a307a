//! Pass `expand-tf32`: rounding to `tf32` is arithmetic on the bits of `f32`.
//!
//! ```mlir
//! %y = arith.truncf %x to_nearest_away : f32 to tf32      %bits = arith.bitcast %x : f32 to i32
//! %z = arith.extf %y : tf32 to f32                        %more = arith.addi %bits, %c4096 : i32
//!                                                   ==>   %kept = arith.andi %more, %mask : i32      // 0xffffe000
//!                                                         %near = arith.bitcast %kept : i32 to f32
//!                                                         %number = arith.cmpf ord, %x, %x : f32
//!                                                         %z = arith.select %number, %near, %nan : f32
//! ```
//! An `f32` has 13 bits more of a significand. A part of the last one that is kept, as the rounding mode says, is added before
//! they are dropped; a carry goes into the exponent, as it should, and beyond the largest number that of infinity is reached.
//! ptxas makes as many instructions of `cvt.rna.tf32.f32`, which is there from sm_80 on only. Where nothing but products of
//! tensor cores gets to see a number, bits are not dropped: these look at 19 of them (`nvgpu.mma.sync`, `tf32Enabled`).
//!
//! From sm_90 on, `cvt.rn.tf32.f32` and `cvt.rz.tf32.f32` are one instruction each: there, device code that rounds to nearest with
//! ties to even, or toward zero, is left as it is, for the compiler of its kernels.
//!
//! Legality: scalars that are rounded from `f32` and widened again. A number of `tf32` that is anything else is an error: no
//! instruction computes with it, and memory holds none.

use segra_gpu::fragments::MmaSyncOp;
use segra_gpu::{device, host};
use segra_ir::{Builder, FloatKind, InsertPoint, Ir, Op, OpView, Type, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{
    AddIOp, AndIOp, BitcastOp, CmpFOp, CmpFPredicate, ConstantOp, ExtFOp, RoundingMode, SelectOp,
    ShRSIOp, TruncFOp, XOrIOp,
};
use segra_std::{func, vector};

segra_pass::pass_options! {
    /// The pass `expand-tf32`.
    #[derive(Copy)]
    pub struct ExpandTf32 {
        /// Compute capability, times ten, of the oldest target: from 90 on, an instruction rounds to even, or toward zero.
        pub oldest: i64 = 75,
    }
}

const INFO: PassInfo = PassInfo {
    name: "expand-tf32",
    summary: "round floats of 32 bits to tf32 by arithmetic on their bits",
    reads: &["arith"],
    writes: &["arith"],
    anchors: Anchors::Ops(&[
        func::FuncOp::DEF.name,
        device::GpuFuncOp::DEF.name,
        host::GpuModuleOp::DEF.name,
    ]),
};

/// Bits of an `f32` behind those of a `tf32`.
const DROPPED: i64 = 13;
/// Compute capability, times ten, from which on an instruction rounds.
const CONVERTS: i64 = 90;
/// Operands of a product of tensor cores that are multiplied: the first ones.
const FACTORS: usize = 2;
/// The bits of a NaN that are all among those that are kept.
const NAN: u128 = 0x7fc0_0000;

impl Pass for ExpandTf32 {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, anchor: Op, cx: &mut PassContext<'_>) -> PassResult {
        let on_device = !ir.isa::<func::FuncOp>(anchor);
        let mut found: Vec<TruncFOp> = Vec::new();
        for op in ir.walk(anchor) {
            let is_one = |value: Value| is_tf32(ir, ir.value_type(value));
            if ir.results(op).any(is_one) || ir.operands(op).any(is_one) {
                match rounding(ir, op) {
                    Some(rounding) if on_device && self.is_instruction(ir, rounding) => {}
                    Some(rounding) if rounding.op() == op => found.push(rounding),
                    Some(_) => {}
                    None => {
                        let message = "devices only round to `tf32`: a number of it is made of an `f32` by `arith.truncf`, and \
                                       widened by `arith.extf`";
                        return Err(cx.fail(ir, op, message));
                    }
                }
            }
        }
        let count = found.len() as u64;
        for rounding in found {
            expand(ir, rounding);
        }
        cx.count("expanded", count);
        Ok(Outcome::of(Changed::when(count > 0)))
    }
}

impl ExpandTf32 {
    /// Whether all devices have an instruction that rounds a number, and widens it again.
    fn is_instruction(&self, ir: &Ir, rounding: TruncFOp) -> bool {
        let mode = rounding.roundingmode(ir);
        let mode = mode.unwrap_or(RoundingMode::ToNearestEven);
        let has = [RoundingMode::ToNearestEven, RoundingMode::TowardZero].contains(&mode);
        let f32 = ir.ctx().f32();
        let mut users = ir.users(rounding.out(ir));
        let widened = users.all(|op| {
            let wide = ir.cast::<ExtFOp>(op);
            wide.is_some_and(|wide| ir.value_type(wide.out(ir)) == f32)
        });
        self.oldest >= CONVERTS && has && widened
    }
}

fn is_tf32(ir: &Ir, ty: Type) -> bool {
    ty.element_or_self(ir.ctx()).float_kind(ir.ctx()) == Some(FloatKind::TF32)
}

/// The rounding that an op is, or that it widens the result of; none if it is something else.
fn rounding(ir: &Ir, op: Op) -> Option<TruncFOp> {
    let rounding = match ir.cast::<ExtFOp>(op) {
        Some(widened) => ir.def_as::<TruncFOp>(widened.r#in(ir))?,
        None => ir.cast::<TruncFOp>(op)?,
    };
    let from = ir.value_type(rounding.r#in(ir)) == ir.ctx().f32();
    let to = ir.value_type(rounding.out(ir)).float_kind(ir.ctx()) == Some(FloatKind::TF32);
    (from && to).then_some(rounding)
}

/// Replaces all that a rounded number is widened to, and the rounding.
fn expand(ir: &mut Ir, rounding: TruncFOp) {
    let (op, narrow) = (rounding.op(), rounding.out(ir));
    let (value, mode) = (rounding.r#in(ir), rounding.roundingmode(ir));
    let widened: Vec<ExtFOp> = ir.users(narrow).filter_map(|op| ir.cast(op)).collect();
    let keeps_all = widened.iter().all(|wide| is_factor(ir, wide.out(ir)));
    let loc = ir.loc(op);
    let mut b = Builder::new(ir, InsertPoint::Before(op), loc);
    let mode = mode.unwrap_or(RoundingMode::ToNearestEven);
    let near = rounded(&mut b, value, (mode, keeps_all));
    for wide in widened {
        let ty = ir.value_type(wide.out(ir));
        let replacement = match ty == ir.value_type(near) {
            true => near,
            false => {
                let loc = ir.loc(wide.op());
                let mut b = Builder::new(ir, InsertPoint::Before(wide.op()), loc);
                ExtFOp::build(&mut b, near, ty).out(b.ir)
            }
        };
        ir.replace_all_uses(wide.out(ir), replacement);
        ir.erase_op(wide.op());
    }
    ir.erase_op(op);
}

/// Whether only products of tensor cores use a number, which is put into vectors on the way.
fn is_factor(ir: &Ir, value: Value) -> bool {
    ir.uses(value).all(|used| {
        let (op, index) = (ir.use_owner(used), ir.use_index(used));
        if let Some(product) = ir.cast::<MmaSyncOp>(op) {
            return product.tf32_enabled(ir).is_some() && index < FACTORS;
        }
        let passes_on = ir.isa::<vector::FromElementsOp>(op)
            || ir.isa::<vector::InsertOp>(op)
            || ir.isa::<vector::ExtractOp>(op)
            || ir.isa::<vector::BroadcastOp>(op);
        passes_on && ir.results(op).all(|result| is_factor(ir, result))
    })
}

/// An `f32` with the bits that a `tf32` has, or with what is behind them as it comes.
fn rounded(b: &mut Builder<'_>, value: Value, (mode, keeps_all): (RoundingMode, bool)) -> Value {
    let (i32, f32) = (b.ctx().i32(), b.type_of(value));
    let bits = BitcastOp::build(b, value, i32).out(b.ir);
    let one = 1_i64 << DROPPED;
    let more = match mode {
        RoundingMode::TowardZero => None,
        RoundingMode::ToNearestAway => Some(ConstantOp::int(b, one / 2, i32)),
        RoundingMode::ToNearestEven => {
            let by = ConstantOp::int(b, DROPPED, i32);
            let last = ShRSIOp::build(b, bits, by).result(b.ir);
            let odd = ConstantOp::int(b, 1, i32);
            let last = AndIOp::build(b, last, odd).result(b.ir);
            let below = ConstantOp::int(b, one / 2 - 1, i32);
            Some(AddIOp::build(b, last, below).result(b.ir))
        }
        RoundingMode::Upward | RoundingMode::Downward => {
            let by = ConstantOp::int(b, 31, i32);
            let mut negative = ShRSIOp::build(b, bits, by).result(b.ir);
            if mode == RoundingMode::Upward {
                let all = ConstantOp::int(b, -1, i32);
                negative = XOrIOp::build(b, negative, all).result(b.ir);
            }
            let below = ConstantOp::int(b, one - 1, i32);
            Some(AndIOp::build(b, negative, below).result(b.ir))
        }
    };
    let more = more.map(|more| AddIOp::build(b, bits, more).result(b.ir));
    let mut kept = more.unwrap_or(bits);
    if !keeps_all {
        let mask = ConstantOp::int(b, -one, i32);
        kept = AndIOp::build(b, kept, mask).result(b.ir);
    }
    let near = BitcastOp::build(b, kept, f32).out(b.ir);
    let predicate = CmpFPredicate::Ord.attr(b.ctx());
    let number = CmpFOp::build(b, predicate, value, value).result(b.ir);
    let nan = b.ctx().float_bits_attr(NAN, f32);
    let nan = ConstantOp::build(b, nan).result(b.ir);
    SelectOp::build(b, number, near, nan).result(b.ir)
}

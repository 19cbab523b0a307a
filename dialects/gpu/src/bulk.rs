//! Copies of whole tiles to shared memory, and barriers in shared memory that count what has arrived (tensor memory access and
//! `mbarrier`, PTX ISA 9.7.9.27 and 9.7.13.15).
//!
//! ```mlir
//! gpu.mbarrier_init %bars[%b], 1 : memref<?xi64, #gpu.address_space<workgroup>>
//! gpu.barrier
//! scf.if %first {
//!   gpu.mbarrier_arrive %bars[%b] expecting 16384 : memref<?xi64, #gpu.address_space<workgroup>>
//!   gpu.bulk_copy %x[%i, %j] of [%n, %k] to %tile[%p] at %bars[%b] {box = array<i64: 128, 64>, in_lines}
//!       : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
//! }
//! gpu.mbarrier_wait %bars[%b] parity %phase : memref<?xi64, #gpu.address_space<workgroup>>
//! ..
//! gpu.warp_barrier
//! scf.if %first_of_warp { gpu.mbarrier_arrive %read[%b] : memref<?xi64, #gpu.address_space<workgroup>> }
//! ```
//! A barrier is a word. Its phases are numbered from 0; a phase ends when as many threads have arrived as it was initialised for and
//! as many bytes as they have announced. A thread that waits goes on once the last phase of that parity has ended, which of the
//! phase before the first one is so from the start. All that a thread did before it arrived is done for who has waited.
//!
//! A copy is issued by one thread, and its bytes arrive at a barrier. The array is row-major with these extents, and its box
//! begins at these indices; zeros are written for what lies outside of the array. `in_lines` are as
//! [`crate::warpgroup`] reads them: rows of a box are lines of 128 bytes, whose parts of 16 bytes change places.
//!
//! The array is a parameter of the kernel that is nothing but the source of such copies, all of one box and extents that are
//! parameters or constants: it is passed as a tensor map (`CUtensorMap`), which the host makes when it launches the kernel.
//!
//! The interpreter writes what is copied when somebody waits, the last moment that is allowed; a wait for what nobody
//! would do any more is an error.
//!
//! Segra's own ops: upstream's `nvgpu.tma.async.load` and `nvgpu.mbarrier` have types of their own for groups of barriers and for tensor maps that a host makes by a
//! runtime library. They are gone before upstream sees the kernel.
//!
//! Deliberately absent: clusters of thread blocks, copies from shared memory, reductions, im2col.

use crate::eval::Position;
use crate::nvgpu::{is_shared, position};
use crate::warpgroup::{GROUP, turned};
use segra_interp::{Cx, Datum, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes, MemRefValue};
use segra_ir::constraint::{AnyMemRef, DenseI64Attr, I64Attr, Index, UnitAttr};
use segra_ir::interfaces::{Effect, EffectKind, Effects, Verify};
use segra_ir::{Context, Ir, Op, OpDef, OpDiagnostics, OpView, Trait, Type, Value, ValueDef, op};
use std::rc::Rc;

/// The ops of this module.
pub(crate) const OPS: &[&OpDef] = &[
    BulkCopyOp::DEF,
    MbarrierArriveOp::DEF,
    MbarrierInitOp::DEF,
    MbarrierWaitOp::DEF,
    WarpBarrierOp::DEF,
];

/// Bytes of a line, and of the parts in it that change places.
pub const LINE_BYTES: i64 = 128;
const PART_BYTES: i64 = 16;
/// Most extents of an array, and most elements of a box along one.
const MOST_EXTENTS: usize = 5;
const MOST_ALONG: i64 = 256;
/// Most arrivals and bytes that a phase counts.
const MOST: i64 = (1 << COUNT_BITS) - 1;

/// Sets a barrier up for so many arrivals in each phase, at its first phase. See [`crate::bulk`].
///
/// Other threads may use it behind a barrier of the block.
#[op(
    "gpu.mbarrier_init",
    interfaces(Verify, Effects, Eval),
    format = "$barriers `[` $index `]` `,` $count attr-dict `:` type($barriers)"
)]
pub struct MbarrierInitOp {
    barriers: Operand<AnyMemRef>,
    index: Operand<Index>,
    /// How many threads arrive in a phase.
    count: Attr<I64Attr>,
}

/// Arrives at a barrier, and announces so many bytes of copies. See [`crate::bulk`].
#[op(
    "gpu.mbarrier_arrive",
    interfaces(Verify, Effects, Eval),
    format = "$barriers `[` $index `]` (`expecting` $bytes^)? attr-dict `:` type($barriers)"
)]
pub struct MbarrierArriveOp {
    barriers: Operand<AnyMemRef>,
    index: Operand<Index>,
    /// Bytes that the phase waits for, besides threads.
    bytes: OptionalAttr<I64Attr>,
}

/// Waits until the last phase of a parity has ended. See [`crate::bulk`].
#[op(
    "gpu.mbarrier_wait",
    interfaces(Verify, Effects, Eval),
    format = "$barriers `[` $index `]` `parity` $parity attr-dict `:` type($barriers)"
)]
pub struct MbarrierWaitOp {
    barriers: Operand<AnyMemRef>,
    index: Operand<Index>,
    /// The number of the phase, of which the lowest bit counts.
    parity: Operand<Index>,
}

/// Orders accesses of all threads of a warp before it with those behind it (`bar.warp.sync`): one thread then arrives for all.
///
/// All threads of the warp execute it together.
#[op("gpu.warp_barrier", interfaces(Effects, Eval), format = "attr-dict")]
pub struct WarpBarrierOp {}

/// Issues the copy of a box of an array. See [`crate::bulk`].
#[op(
    "gpu.bulk_copy",
    interfaces(Verify, Effects, Eval),
    format = "$array `[` $indices `]` `of` `[` $extents `]` `to` $target `[` $start `]` `at` $barriers `[` $index `]` attr-dict `:` type($array) `,` type($target) `,` type($barriers)"
)]
pub struct BulkCopyOp {
    /// A parameter of the kernel.
    array: Operand<AnyMemRef>,
    /// Where the box begins, outermost first.
    indices: VariadicOperand<Index>,
    /// Of the array.
    extents: VariadicOperand<Index>,
    target: Operand<AnyMemRef>,
    start: Operand<Index>,
    barriers: Operand<AnyMemRef>,
    index: Operand<Index>,
    /// Extents of the box.
    #[name("box")]
    extents_of_box: Attr<DenseI64Attr>,
    /// Its rows are lines, whose parts change places.
    in_lines: OptionalAttr<UnitAttr>,
}

impl BulkCopyOp {
    /// Bytes that arrive, those outside of the array, too.
    pub fn bytes(self, ir: &Ir) -> Option<i64> {
        let element = element_bytes(ir, self.array(ir))?;
        let extents = self.extents_of_box(ir);
        extents.into_iter().try_fold(element, i64::checked_mul)
    }
}

/// The copies that a parameter of a kernel is the source of, if it is that of any.
pub fn copies_of(ir: &Ir, array: Value) -> Vec<BulkCopyOp> {
    let users = ir.users(array);
    let copies = users.filter_map(|user| ir.cast::<BulkCopyOp>(user));
    copies.filter(|copy| copy.array(ir) == array).collect()
}

/// The parameter that a value is, or the one that it is another width of.
pub fn parameter(ir: &Ir, value: Value) -> Option<usize> {
    let mut value = value;
    loop {
        match ir.value_def(value) {
            ValueDef::Argument { block, index } => {
                let function = ir.block_parent(block)?;
                let isolated = ir.has_trait(function, Trait::IsolatedFromAbove);
                return isolated.then_some(index as usize);
            }
            ValueDef::Result { op, .. } if is_cast(ir, op) => value = ir.operand(op, 0),
            ValueDef::Result { .. } => return None,
        }
    }
}

fn is_cast(ir: &Ir, op: Op) -> bool {
    use segra_std::arith::{IndexCastOp, IndexCastUIOp};
    ir.isa::<IndexCastOp>(op) || ir.isa::<IndexCastUIOp>(op)
}

/// Bytes of an element of a flat array.
fn element_bytes(ir: &Ir, array: Value) -> Option<i64> {
    let ctx = ir.ctx();
    let (shape, element) = ir.value_type(array).shaped(ctx)?;
    let float = element.float_kind(ctx).map(segra_ir::FloatKind::width);
    let bits = i64::from(element.integer_width(ctx).or(float)?);
    (shape.len() == 1 && [8, 16, 32, 64].contains(&bits)).then_some(bits / 8)
}

fn are_barriers(ctx: &Context, ty: Type) -> bool {
    let flat = ty
        .shaped(ctx)
        .is_some_and(|(shape, element)| shape.len() == 1 && element.integer_width(ctx) == Some(64));
    flat && is_shared(ctx, ty)
}

fn check_barriers(ir: &Ir, barriers: Value, diags: &mut OpDiagnostics<'_>) {
    if !are_barriers(ir.ctx(), ir.value_type(barriers)) {
        diags.error("operand `barriers` must be a flat array of i64 in workgroup memory");
    }
}

macro_rules! on_barriers {
    ($($op:ident, $number:expr, $name:literal, $least:expr;)*) => {$(
        impl Verify for $op {
            fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
                let view = $op::from_op(op);
                check_barriers(ir, view.barriers(ir), diags);
                let number: Option<i64> = $number(view, ir);
                if let Some(number) = number.filter(|number| !($least..=MOST).contains(number)) {
                    diags.error(format!(
                        "attribute `{}` must be {} to {MOST}, not {number}", $name, $least
                    ));
                }
            }
        }
        impl Effects for $op {
            fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
                // It orders what other ops do to memory.
                effects.push(Effect::of(EffectKind::Control));
            }
        }
    )*};
}

on_barriers! {
    MbarrierInitOp, |op: MbarrierInitOp, ir| Some(op.count(ir)), "count", 1;
    MbarrierArriveOp, |op: MbarrierArriveOp, ir| op.bytes(ir), "bytes", 0;
    MbarrierWaitOp, |_, _| None, "", 0;
}

impl Effects for WarpBarrierOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Eval for WarpBarrierOp {
    fn eval(&self, _: &mut Cx<'_>, _: &Inst, _: &Lanes) -> EvalResult {
        // Threads go from op to op together.
        Ok(Flow::Next)
    }
}

impl Effects for BulkCopyOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let view = BulkCopyOp::from_op(op);
        effects.push(Effect::on(EffectKind::Read, view.array(ir)));
        effects.push(Effect::on(EffectKind::Write, view.target(ir)));
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Verify for BulkCopyOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (view, ctx) = (BulkCopyOp::from_op(op), ir.ctx());
        let (array, target) = (view.array(ir), view.target(ir));
        check_barriers(ir, view.barriers(ir), diags);
        let types = [array, target].map(|value| ir.value_type(value).shaped(ctx));
        let element =
            element_bytes(ir, array).filter(|_| types[0].map(|it| it.1) == types[1].map(|it| it.1));
        let placed = !is_shared(ctx, ir.value_type(array)) && is_shared(ctx, ir.value_type(target));
        let Some(bytes) = element.filter(|_| placed && element_bytes(ir, target).is_some()) else {
            diags.error(
                "copies numbers of 1, 2, 4 or 8 bytes from a flat array in global memory to one of the same numbers in \
                 workgroup memory",
            );
            return;
        };
        let (indices, extents, of_box) =
            (view.indices(ir), view.extents(ir), view.extents_of_box(ir));
        let rank = of_box.len();
        if !(1..=MOST_EXTENTS).contains(&rank) || indices.len() != rank || extents.len() != rank {
            let (indices, extents) = (indices.len(), extents.len());
            diags.error(format!(
                "a box has 1 to {MOST_EXTENTS} extents, and as many indices and extents of the array, but here are {rank}, \
                 {indices} and {extents}"
            ));
            return;
        }
        if let Some(extent) = of_box.iter().find(|it| !(1..=MOST_ALONG).contains(*it)) {
            diags.error(format!(
                "attribute `box` must have extents of 1 to {MOST_ALONG}, not {extent}"
            ));
        }
        let row = of_box[rank - 1].saturating_mul(bytes);
        if view.in_lines(ir).is_some() && row != LINE_BYTES {
            diags.error(format!(
                "rows in lines are {LINE_BYTES} bytes long, not {row}"
            ));
        } else if row % PART_BYTES != 0 {
            diags.error(format!(
                "rows of a box are multiples of {PART_BYTES} bytes, not {row}"
            ));
        }
        check_parameters(ir, view, diags);
    }
}

/// The array can be passed as a tensor map.
fn check_parameters(ir: &Ir, view: BulkCopyOp, diags: &mut OpDiagnostics<'_>) {
    let array = view.array(ir);
    let is_parameter = parameter(ir, array).is_some();
    let known =
        |&extent: &Value| ir.constant_int(extent).is_some() || parameter(ir, extent).is_some();
    if !is_parameter || !view.extents(ir).iter().all(known) {
        diags.error("the array must be a parameter, and its extents parameters or constants");
    }
    let alike = |user: Op| {
        let other = ir.cast::<BulkCopyOp>(user);
        let same = |other: BulkCopyOp| {
            other.extents(ir) == view.extents(ir)
                && other.extents_of_box(ir) == view.extents_of_box(ir)
                && other.in_lines(ir) == view.in_lines(ir)
        };
        other.is_some_and(same)
    };
    if !ir.users(array).all(alike) {
        diags.error("the array must be used by such copies alone, of one box and the same extents");
    }
}

/// Bits of a barrier's word that count arrivals, and bytes with a sign.
const COUNT_BITS: u32 = 20;
const BYTES_BITS: u32 = 22;

/// A barrier taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Barrier {
    /// Arrivals of a phase, and those that are missing.
    count: i64,
    missing: i64,
    /// Bytes that were announced and have not arrived, or have and were not.
    bytes: i64,
    parity: i64,
}

impl Barrier {
    fn unpack(word: i64) -> Barrier {
        let field = |from: u32, bits: u32| word >> from & ((1 << bits) - 1);
        Barrier {
            count: field(0, COUNT_BITS),
            missing: field(COUNT_BITS, COUNT_BITS),
            bytes: field(2 * COUNT_BITS, BYTES_BITS) - (MOST + 1),
            parity: field(2 * COUNT_BITS + BYTES_BITS, 1),
        }
    }

    fn pack(self) -> i64 {
        self.count
            | self.missing << COUNT_BITS
            | (self.bytes + MOST + 1) << (2 * COUNT_BITS)
            | self.parity << (2 * COUNT_BITS + BYTES_BITS)
    }

    /// Ends the phase where nothing is missing.
    fn settle(mut self) -> Barrier {
        if self.missing == 0 && self.bytes == 0 {
            self.parity ^= 1;
            self.missing = self.count;
        }
        self
    }

    fn expect(mut self, bytes: i64) -> Result<Barrier, Fault> {
        self.bytes += bytes;
        match self.bytes.abs() <= MOST {
            true => Ok(self),
            false => Err(Fault::new(format!(
                "{} bytes are more than a barrier counts",
                self.bytes
            ))),
        }
    }

    fn arrive(mut self) -> Result<Barrier, Fault> {
        if self.missing == 0 {
            return Err(Fault::new("more threads arrive than the barrier counts"));
        }
        self.missing -= 1;
        Ok(self.settle())
    }
}

/// A copy on its way.
pub(crate) struct OnItsWay {
    barriers: MemRefValue,
    index: i64,
    target: MemRefValue,
    /// Where each element goes.
    elements: Vec<(i64, Datum)>,
    bytes: i64,
}

fn word(barriers: &MemRefValue, index: i64) -> Result<Barrier, Fault> {
    let found = barriers.load(&[index])?.as_int();
    let barrier = Barrier::unpack(found.unwrap_or(0));
    match barrier.count {
        0 => Err(Fault::new("the barrier is not initialised")),
        _ => Ok(barrier),
    }
}

fn set_word(barriers: &MemRefValue, index: i64, barrier: Barrier) -> Result<(), Fault> {
    barriers.store(&[index], &Datum::Int(barrier.pack()))
}

/// The barrier that an op names by these operands.
fn named(
    (cx, inst, operand): (&Cx<'_>, &Inst, usize),
    lane: usize,
) -> Result<(MemRefValue, i64), EvalError> {
    let barriers = MemRefValue::clone(cx.memref(inst, operand, lane)?);
    Ok((barriers, cx.int(inst, operand + 1, lane)?))
}

impl Eval for MbarrierInitOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let count = MbarrierInitOp::from_op(inst.op).count(cx.ir());
        for lane in lanes.iter() {
            let (barriers, index) = named((cx, inst, 0), lane)?;
            let barrier = Barrier {
                count,
                missing: count,
                bytes: 0,
                parity: 0,
            };
            cx.check(inst, set_word(&barriers, index, barrier))?;
        }
        Ok(Flow::Next)
    }
}

impl Eval for MbarrierArriveOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let bytes = MbarrierArriveOp::from_op(inst.op).bytes(cx.ir());
        for lane in lanes.iter() {
            let (barriers, index) = named((cx, inst, 0), lane)?;
            let arrive = || {
                let barrier = word(&barriers, index)?.expect(bytes.unwrap_or(0))?;
                set_word(&barriers, index, barrier.arrive()?)
            };
            cx.check(inst, arrive())?;
        }
        Ok(Flow::Next)
    }
}

impl Eval for MbarrierWaitOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let position = position(cx, inst)?;
        for lane in lanes.iter() {
            let (barriers, index) = named((cx, inst, 0), lane)?;
            let parity = cx.int(inst, 2, lane)?;
            cx.check(inst, deliver(&position, &barriers, index))?;
            let barrier = cx.check(inst, word(&barriers, index))?;
            if barrier.parity == parity & 1 {
                let (missing, bytes) = (barrier.missing, barrier.bytes);
                let message = format!(
                    "waits for a phase that nobody ends: {missing} arrivals and {bytes} bytes are missing"
                );
                return Err(cx.error(inst, message));
            }
        }
        Ok(Flow::Next)
    }
}

/// Ends the copies whose bytes arrive at a barrier.
fn deliver(position: &Position, barriers: &MemRefValue, index: i64) -> Result<(), Fault> {
    let arrived = position.on_their_way(|copies| {
        let here = |copy: &mut OnItsWay| {
            copy.index == index && Rc::ptr_eq(&copy.barriers.buffer, &barriers.buffer)
        };
        copies.extract_if(.., here).collect::<Vec<_>>()
    });
    for copy in arrived {
        for (at, element) in &copy.elements {
            copy.target.store(&[*at], element)?;
        }
        let barrier = word(barriers, index)?.expect(-copy.bytes)?;
        set_word(barriers, index, barrier.settle())?;
    }
    Ok(())
}

impl Eval for BulkCopyOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let position = position(cx, inst)?;
        let view = BulkCopyOp::from_op(inst.op);
        let of_box = view.extents_of_box(cx.ir());
        let rank = of_box.len();
        let element = element_bytes(cx.ir(), view.array(cx.ir()));
        let (Some(bytes), Some(element)) = (view.bytes(cx.ir()), element) else {
            return Err(cx.error(inst, "copies numbers"));
        };
        let lines = view.in_lines(cx.ir()).map(|()| element);
        for lane in lanes.iter() {
            let array = MemRefValue::clone(cx.memref(inst, 0, lane)?);
            let first = cx.ints(inst, 1..1 + rank, lane)?.to_vec();
            let extents = cx.ints(inst, 1 + rank..1 + 2 * rank, lane)?.to_vec();
            let target = MemRefValue::clone(cx.memref(inst, 1 + 2 * rank, lane)?);
            let start = cx.int(inst, 2 + 2 * rank, lane)?;
            let (barriers, index) = named((cx, inst, 3 + 2 * rank), lane)?;
            let found = numbers(&array, (&first, &extents), &of_box);
            let places = (start..).map(|at| match lines {
                Some(bytes) => turned(at, LINE_BYTES / bytes, PART_BYTES / bytes),
                None => at,
            });
            let elements = places.zip(cx.check(inst, found)?).collect();
            position.on_their_way(|copies| {
                copies.push(OnItsWay {
                    barriers,
                    index,
                    target,
                    elements,
                    bytes,
                });
            });
        }
        Ok(Flow::Next)
    }
}

/// The elements of a box, row-major; zeros outside of the array.
fn numbers(
    array: &MemRefValue,
    (first, extents): (&[i64], &[i64]),
    of_box: &[i64],
) -> Result<Vec<Datum>, Fault> {
    let zero = Datum::zero(array.buffer.elem());
    let count: i64 = of_box.iter().product();
    (0..count)
        .map(|number| {
            let (mut rest, mut at, mut stride, mut inside) = (number, 0i64, 1i64, true);
            for dim in (0..of_box.len()).rev() {
                let index = first[dim].wrapping_add(rest % of_box[dim]);
                rest /= of_box[dim];
                inside &= (0..extents[dim]).contains(&index);
                at = at.wrapping_add(index.wrapping_mul(stride));
                stride = stride.wrapping_mul(extents[dim]);
            }
            match inside {
                true => array.load(&[at]),
                false => Ok(zero.clone()),
            }
        })
        .collect()
}

const _: () = assert!(LINE_BYTES / PART_BYTES == GROUP);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_ends_when_threads_and_bytes_are_there() {
        let start = Barrier {
            count: 2,
            missing: 2,
            bytes: 0,
            parity: 0,
        };
        assert_eq!(Barrier::unpack(start.pack()), start);
        let once = start.expect(64).and_then(Barrier::arrive).unwrap();
        assert_eq!((once.missing, once.parity), (1, 0));
        let twice = Barrier::unpack(once.pack()).arrive().unwrap();
        assert_eq!((twice.missing, twice.parity), (0, 0));
        assert!(twice.arrive().is_err());
        let ended = Barrier::unpack(twice.expect(-64).unwrap().settle().pack());
        assert_eq!((ended.missing, ended.parity), (2, 1));
        assert!(ended.expect(MOST).unwrap().expect(1).is_err());
    }
}

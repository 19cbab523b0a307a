//! Products of a warpgroup: four warps multiply matrices where they lie in shared memory (`wgmma`, PTX ISA 9.7.15).
//!
//! ```mlir
//! %d:64 = gpu.warpgroup_mma %as[%i], %bs[%j] add %c0, ..., %c63
//!     {columns = 128 : i64, starts_a = array<i64: 0, 16>, starts_b = array<i64: 0, 1024>, apart_a = 512 : i64,
//!      apart_b = array<i64: 4096, 512>, across_b}
//!     : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, ...
//! ```
//! A step multiplies 64 rows by 16 numbers with 16 numbers by `columns`. A matrix lies in lines of 128 bytes, 64 numbers, 8 of
//! which are a group; the 16 bytes number `c` of line `l` of a group lie at place `c xor l`, counted from a multiple of 1024
//! bytes, where all of an array begins. Of `a`, and of `b` unless it is `across_b`, a line has numbers along the depth; groups
//! are `apart` numbers from each other. Lines of a `b` that is `across_b` have 64 columns of a step of the depth:
//! `apart_b` says how far the next columns and the next 8 of the depth are.
//!
//! ```mlir
//! %e:64 = gpu.warpgroup_wait %d#0, ..., %d#63 : f32, ...
//! ```
//! The product runs beside the threads: they go on, but nobody reads its sums, nor writes what it reads, before the wait that passes
//! them on. The interpreter computes it where it begins.
//!
//! Thread number `32 w + 4 g + t` has as its sums number `4 j` to `4 j + 3` the columns `8 j + 2 t` and the one after it, of
//! row `16 w + g` and then of row `16 w + g + 8` ("D" in PTX ISA 9.7.15.5.1).
//!
//! Segra's own ops: upstream's `nvgpu.warpgroup.mma` keeps sums in a type of which a thread cannot have its numbers. They are
//! gone before upstream sees the kernel.
//!
//! Deliberately absent: numbers of other sizes than 16 bits, sums of halves, a first matrix in registers or across its rows.

use crate::attrs::AddressSpace;
use crate::eval::WARP;
use crate::fragments::whole_groups;
use crate::types::address_space;
use segra_interp::{Cx, Datum, Elem, Eval, EvalError, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{AnyFloat, AnyMemRef, DenseI64Attr, I64Attr, Index, UnitAttr};
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, Verify};
use segra_ir::{
    Context, FloatKind, Ir, Op, OpDef, OpDiagnostics, OpState, OpView, Type, Value, op,
};

/// The ops of this module.
pub(crate) const OPS: &[&OpDef] = &[WarpgroupMmaOp::DEF, WarpgroupWaitOp::DEF];

/// Threads of a warpgroup.
pub const THREADS: i64 = 4 * WARP as i64;
/// Rows of a product.
pub const ROWS: i64 = 64;
/// Numbers of 16 bits in a line of 128 bytes.
pub const LINE: i64 = 64;
/// Lines of a group, and parts of a line.
pub const GROUP: i64 = 8;
/// Numbers of 16 bits in 16 bytes of a line, which stay together.
const PART: i64 = 8;
/// The depth of a step.
pub const DEPTH: i64 = 16;
/// Bytes that an array begins at a multiple of.
pub const ALIGNMENT: i64 = 1024;
/// Most columns.
const MOST_COLUMNS: i64 = 256;
/// Operands before the sums.
const BEFORE_SUMS: usize = 4;

/// Adds to what 128 threads have the products of matrices in shared memory. See [`crate::warpgroup`].
#[op(
    "gpu.warpgroup_mma",
    interfaces(Verify, Effects, InferTypes, Eval),
    format = "$a `[` $first_a `]` `,` $b `[` $first_b `]` `add` $sums attr-dict `:` type($a) `,` type($b) `to` type($sums)"
)]
pub struct WarpgroupMmaOp {
    a: Operand<AnyMemRef>,
    /// The number that the warpgroup's rows begin at.
    first_a: Operand<Index>,
    b: Operand<AnyMemRef>,
    /// The number that its columns begin at.
    first_b: Operand<Index>,
    /// The thread's sums before.
    sums: VariadicOperand<AnyFloat>,
    /// How many columns: a multiple of 8.
    columns: Attr<I64Attr>,
    /// Where each step begins in `a`, behind the first number.
    starts_a: Attr<DenseI64Attr>,
    /// Where each step begins in `b`.
    starts_b: Attr<DenseI64Attr>,
    /// Numbers from a group of 8 rows of `a` to the next one.
    apart_a: Attr<I64Attr>,
    /// Numbers from 64 columns of `b` to the next ones, where it is across; from one group to the next.
    apart_b: Attr<DenseI64Attr>,
    /// Lines of `b` are along the columns.
    across_b: OptionalAttr<UnitAttr>,
    results: VariadicResult<AnyFloat>,
}

/// Waits until all products that the warpgroup has begun are done, and passes on their sums. See [`crate::warpgroup`].
#[op(
    "gpu.warpgroup_wait",
    interfaces(Verify, Effects, InferTypes, Eval),
    format = "$sums attr-dict `:` type($sums)"
)]
pub struct WarpgroupWaitOp {
    /// All sums of one product.
    sums: VariadicOperand<AnyFloat>,
    results: VariadicResult<AnyFloat>,
}

impl Verify for WarpgroupWaitOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let sums = WarpgroupWaitOp::from_op(op).sums(ir);
        let product = sums.first().and_then(|&sum| ir.defining_op(sum));
        let product = product.filter(|&product| ir.isa::<WarpgroupMmaOp>(product));
        if product.is_none_or(|product| !ir.results(product).eq(sums.iter().copied())) {
            diags.error("waits for all sums of one `gpu.warpgroup_mma`, in their order");
        }
    }
}

impl InferTypes for WarpgroupWaitOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let sums = state.operands.iter();
        Ok(sums.map(|&sum| ir.value_type(sum)).collect())
    }
}

impl Effects for WarpgroupWaitOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Eval for WarpgroupWaitOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.copy(&inst.operands, &inst.results, lanes);
        Ok(Flow::Next)
    }
}

fn element(ir: &Ir, value: Value) -> Option<FloatKind> {
    let (shape, element) = ir.value_type(value).shaped(ir.ctx())?;
    (shape.len() == 1).then(|| element.float_kind(ir.ctx()))?
}

fn is_shared(ctx: &Context, ty: Type) -> bool {
    address_space(ctx, ty) == Some(AddressSpace::Workgroup)
}

impl Verify for WarpgroupMmaOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (view, ctx) = (WarpgroupMmaOp::from_op(op), ir.ctx());
        let (a, b) = (view.a(ir), view.b(ir));
        let factors = [element(ir, a), element(ir, b)];
        let known = [FloatKind::F16, FloatKind::BF16].map(Some);
        let shared = [a, b]
            .iter()
            .all(|&array| is_shared(ctx, ir.value_type(array)));
        if factors[0] != factors[1] || !known.contains(&factors[0]) || !shared {
            diags.error(
                "operands `a` and `b` must be flat arrays of f16, or of bf16, in workgroup memory",
            );
        }
        let columns = view.columns(ir);
        if !(GROUP..=MOST_COLUMNS).contains(&columns) || columns % GROUP != 0 {
            diags.error(format!(
                "attribute `columns` must be a multiple of {GROUP} up to {MOST_COLUMNS}, not {columns}"
            ));
            return;
        }
        let sums = view.sums(ir);
        let wanted = ROWS * columns / THREADS;
        if sums.len() as i64 != wanted || sums.iter().any(|&sum| ir.value_type(sum) != ctx.f32()) {
            let found = sums.len();
            diags.error(format!(
                "a thread has {wanted} sums of f32, but there are {found} operands"
            ));
        }
        let (starts_a, starts_b) = (view.starts_a(ir), view.starts_b(ir));
        if starts_a.len() != starts_b.len() || starts_a.is_empty() {
            diags.error("attributes `starts_a` and `starts_b` must have a number for each step");
        }
        let apart_b = view.apart_b(ir);
        if apart_b.len() != 2 {
            diags.error("attribute `apart_b` must have 2 numbers");
        }
        let starts = starts_a.into_iter().chain(starts_b);
        let groups = apart_b.into_iter().chain([view.apart_a(ir)]);
        let mut faults = starts
            .map(|number| (number, GROUP))
            .chain(groups.map(|number| (number, GROUP * LINE)))
            .filter(|(number, of)| *number < 0 || number % of != 0);
        if let Some((number, of)) = faults.next() {
            diags.error(format!(
                "steps begin at multiples of {GROUP} numbers and groups at those of {}, but {number} is no multiple of {of}",
                GROUP * LINE
            ));
        }
    }
}

impl InferTypes for WarpgroupMmaOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let sums = state.operands.get(BEFORE_SUMS..).unwrap_or_default();
        Ok(sums.iter().map(|&sum| ir.value_type(sum)).collect())
    }
}

impl Effects for WarpgroupMmaOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let view = WarpgroupMmaOp::from_op(op);
        effects.push(Effect::on(EffectKind::Read, view.a(ir)));
        effects.push(Effect::on(EffectKind::Read, view.b(ir)));
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// Where a number lies that would be at `at` without places being changed: of a line of so many, of which so many are a part.
pub(crate) fn turned(at: i64, line: i64, part: i64) -> i64 {
    at ^ (at / line % GROUP * part)
}

/// Where matrices lie.
struct Places {
    starts: [Vec<i64>; 2],
    apart_a: i64,
    apart_b: Vec<i64>,
    across_b: bool,
}

impl Places {
    fn of(ir: &Ir, op: Op) -> Places {
        let view = WarpgroupMmaOp::from_op(op);
        Places {
            starts: [view.starts_a(ir), view.starts_b(ir)],
            apart_a: view.apart_a(ir),
            apart_b: view.apart_b(ir),
            across_b: view.across_b(ir).is_some(),
        }
    }
    fn a(&self, step: usize, row: i64, depth: i64) -> i64 {
        self.starts[0][step] + row / GROUP * self.apart_a + row % GROUP * LINE + depth
    }
    fn b(&self, step: usize, depth: i64, column: i64) -> i64 {
        let [panels, groups] = [0, 1].map(|of| self.apart_b.get(of).copied().unwrap_or(0));
        let behind = match self.across_b {
            true => {
                let (panel, along) = (column / LINE, column % LINE);
                panel * panels + along + depth % GROUP * LINE + depth / GROUP * groups
            }
            false => column / GROUP * groups + column % GROUP * LINE + depth,
        };
        self.starts[1][step] + behind
    }
}

/// The numbers of an operand at these places behind its first one.
fn numbers(
    (cx, inst, operand): (&Cx<'_>, &Inst, usize),
    lane: usize,
    places: impl Iterator<Item = i64>,
) -> Result<Vec<f64>, EvalError> {
    let memref = cx.memref(inst, operand, lane)?;
    let first = cx.int(inst, operand + 1, lane)?;
    places
        .map(|place| {
            let number = cx.check(
                inst,
                memref.load(&[turned(first.wrapping_add(place), LINE, PART)]),
            )?;
            number
                .as_f64()
                .ok_or_else(|| cx.error(inst, "multiplies numbers"))
        })
        .collect()
}

impl Eval for WarpgroupMmaOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let places = Places::of(cx.ir(), inst.op);
        let columns = WarpgroupMmaOp::from_op(inst.op).columns(cx.ir());
        let all = THREADS as usize;
        let steps = places.starts[0].len();
        for first in whole_groups((cx, inst, lanes), all, "warpgroup")? {
            let along = |rows: i64| {
                (0..rows).flat_map(move |row| {
                    (0..steps).flat_map(move |step| (0..DEPTH).map(move |depth| (row, step, depth)))
                })
            };
            let of_a = along(ROWS).map(|(row, step, depth)| places.a(step, row, depth));
            let a = numbers((cx, inst, 0), first, of_a)?;
            let of_b = along(columns).map(|(column, step, depth)| places.b(step, depth, column));
            let b = numbers((cx, inst, 2), first, of_b)?;
            let depth = steps * DEPTH as usize;
            for thread in 0..all {
                let lane = first + thread;
                for number in 0..inst.operands.len() - BEFORE_SUMS {
                    let (warp, inside) = (thread / WARP, thread % WARP);
                    let row = 16 * warp + inside / 4 + number / 2 % 2 * 8;
                    let column = number / 4 * 8 + inside % 4 * 2 + number % 2;
                    let start = cx.operand(inst, BEFORE_SUMS + number, lane).as_f64();
                    let start = start.ok_or_else(|| cx.error(inst, "adds numbers"))?;
                    let (left, right) = (&a[row * depth..][..depth], &b[column * depth..][..depth]);
                    let sum =
                        (left.iter().zip(right)).fold(start, |sum, (x, y)| x.mul_add(*y, sum));
                    cx.set_result(inst, number, lane, Datum::from_f64(sum, Elem::F32));
                }
            }
        }
        Ok(Flow::Next)
    }
}

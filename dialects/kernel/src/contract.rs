//! Sums of products along a dimension, at all points that a thread holds in registers: what tensor cores do.
//!
//! ```mlir
//! %r:4 = kernel.contract %as, %bs[%k] at [%y, %x] add %c0, %c1, %c2, %c3
//!     {depth = 16 : i64, registers = array<i64: 2, 2>, runs = array<i64: 1, 2>, threads = array<i64: 16, 16>}
//!     : tensor<32x32xf16>, tensor<32x32xf16>
//! ```
//! The thread at `[%y, %x]` of 16 by 16 has 2 by 2 points, at the rows and columns that `registers` and `runs` say
//! ([`crate::registers`]), and to what it has at each of them it adds `%as[row, %k + d] * %bs[%k + d, column]` for all
//! `d` below the depth. Products are exact and sums are of 32 bits, in any order, as those of reductions.
//!
//! All threads of a block execute it together, so it stands under no condition that differs between them: a warp has one
//! instruction for the points of all its threads (`mma.sync`, PTX ISA 9.7.14).

use crate::registers::Registers;
use crate::segop::AnyTensor;
use segra_interp::{Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::constraint::{DenseI64Attr, I64Attr, Index, TypeConstraint, UnitAttr};
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, Verify};
use segra_ir::{Context, FloatKind, Ir, Op, OpDiagnostics, OpState, OpView, Type, Value, op};

/// Rows, columns and depth of what a warp multiplies at a time.
pub const SHAPE: [i64; 3] = [16, 8, 16];

/// Threads of a warp along the rows and the columns of what it multiplies at a time.
pub const LANES: [i64; 2] = [8, 4];

/// Operands before the sums.
const BEFORE_SUMS: usize = 5;

/// Constraint: `f32`.
#[derive(Clone, Copy, Debug)]
pub struct Sum;

impl TypeConstraint for Sum {
    fn describe(&self) -> &'static str {
        "a 32-bit float"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty == ctx.f32()
    }
    fn only(&self, ctx: &Context) -> Option<Type> {
        Some(ctx.f32())
    }
}

/// Adds, at each point of a thread, products along a dimension of two arrays. See [`crate::contract`].
#[op(
    "kernel.contract",
    interfaces(Verify, InferTypes, Effects, Eval),
    format = "$a `,` $b `[` $first `]` `at` `[` $row `,` $column `]` `add` $sums attr-dict `:` type($a) `,` type($b)"
)]
pub struct ContractOp {
    /// Rows by depth; depth by rows where it is transposed.
    a: Operand<AnyTensor>,
    /// Depth by columns; columns by depth where it is transposed.
    b: Operand<AnyTensor>,
    /// Where along the depth the products begin.
    first: Operand<Index>,
    /// The thread's index along the rows.
    row: Operand<Index>,
    /// The thread's index along the columns.
    column: Operand<Index>,
    /// The values at the thread's points before, row-major.
    sums: VariadicOperand<Sum>,
    /// How many products are added; a multiple of 16.
    depth: Attr<I64Attr>,
    /// Points of a thread along the rows and the columns.
    registers: Attr<DenseI64Attr>,
    /// How many of them follow each other.
    runs: Attr<DenseI64Attr>,
    /// Threads along the rows and the columns.
    threads: Attr<DenseI64Attr>,
    /// `a` is depth by rows.
    transpose_a: OptionalAttr<UnitAttr>,
    /// `b` is columns by depth.
    transpose_b: OptionalAttr<UnitAttr>,
    results: VariadicResult<Sum>,
}

/// Whether numbers of a type are multiplied by tensor cores, exactly, to sums of 32 bits.
pub fn multiplies(ctx: &Context, element: Type) -> bool {
    matches!(
        element.float_kind(ctx),
        Some(FloatKind::F16 | FloatKind::BF16)
    )
}

/// Whether a warp's instruction gives threads these points: two rows or more, columns in pairs, whole warps of threads.
pub fn fits(points: &Registers, threads: &[i64]) -> bool {
    let [rows, columns] = points.counts[..] else {
        return false;
    };
    let whole = threads.len() == 2
        && threads
            .iter()
            .zip(LANES)
            .all(|(all, lanes)| all % lanes == 0);
    whole && rows % 2 == 0 && columns % 4 == 0 && points.runs == [1, 2]
}

impl ContractOp {
    /// Which points a thread holds.
    pub fn points(self, ir: &Ir) -> Registers {
        Registers {
            counts: self.registers(ir),
            runs: self.runs(ir),
        }
    }
}

fn shape_of(ir: &Ir, value: Value) -> Option<(Vec<i64>, Type)> {
    let (shape, element) = ir.value_type(value).shaped(ir.ctx())?;
    Some((shape.to_vec(), element))
}

/// The fault of an operand that has so many indices along the plane, outermost first unless it is transposed.
fn fault_of(name: &str, shape: &[i64], extents: [i64; 2], transposed: bool) -> Option<String> {
    let [mut first, mut second] = extents;
    if transposed {
        std::mem::swap(&mut first, &mut second);
    }
    let fits = |known: i64, wanted: i64| wanted < 0 || known == wanted;
    let good = matches!(*shape, [rows, columns] if rows >= 0 && columns >= 0 && fits(rows, first) && fits(columns, second));
    let text = |extent: i64| match extent {
        0.. => extent.to_string(),
        _ => "any".to_owned(),
    };
    (!good).then(|| {
        let (first, second) = (text(first), text(second));
        format!("operand `{name}` must have known extents, {first} by {second}")
    })
}

impl Verify for ContractOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (view, ctx) = (ContractOp::from_op(op), ir.ctx());
        let (points, threads) = (view.points(ir), view.threads(ir));
        if let Some(fault) = points.fault(2) {
            diags.error(fault);
            return;
        }
        if !fits(&points, &threads) {
            let [y, x] = LANES;
            diags.error(format!(
                "threads must be multiples of {y} and {x}, rows of a thread even, columns a multiple of 4 in runs of 2"
            ));
            return;
        }
        let (sums, wanted) = (view.sums(ir).len() as i64, points.points());
        if sums != wanted {
            diags.error(format!("has {sums} sums for {wanted} points of a thread"));
        }
        let depth = view.depth(ir);
        if depth < SHAPE[2] || depth % SHAPE[2] != 0 {
            let step = SHAPE[2];
            diags.error(format!(
                "attribute `depth` must be a positive multiple of {step}, not {depth}"
            ));
        }
        let (Some((a, left)), Some((b, right))) =
            (shape_of(ir, view.a(ir)), shape_of(ir, view.b(ir)))
        else {
            return;
        };
        if left != right || !multiplies(ctx, left) {
            diags.error("operands `a` and `b` must have one element type, f16 or bf16");
        }
        let [rows, columns] = [0, 1].map(|dim| threads[dim].saturating_mul(points.counts[dim]));
        let faults = [
            fault_of("a", &a, [rows, -1], view.transpose_a(ir).is_some()),
            fault_of("b", &b, [-1, columns], view.transpose_b(ir).is_some()),
        ];
        for fault in faults.into_iter().flatten() {
            diags.error(fault);
        }
    }
}

impl InferTypes for ContractOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let sums = state.operands.len().saturating_sub(BEFORE_SUMS);
        Ok(vec![ir.ctx().f32(); sums])
    }
}

impl Effects for ContractOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // The threads of a warp do it together: not to be moved into or out of branches.
        effects.push(Effect::of(EffectKind::Control));
        effects.push(Effect::of(EffectKind::Read));
    }
}

/// The attributes, read once before it runs.
struct Plan {
    points: Registers,
    threads: Vec<i64>,
    depth: i64,
    transposed: [bool; 2],
}

impl Eval for ContractOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let plan = inst
            .data::<Plan>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let [first, row, column] = [2, 3, 4].map(|index| cx.int(inst, index, lane));
            let (first, thread) = (first?, [row?, column?]);
            let (a, b) = (cx.array(inst, 0, lane)?, cx.array(inst, 1, lane)?);
            let mut sums = Vec::new();
            for number in 0..plan.points.points() {
                let places = plan.points.place(&plan.threads, number);
                let [row, column] = [0, 1].map(|dim| {
                    let (factor, offset): (i64, i64) = places[dim];
                    thread[dim].wrapping_mul(factor).wrapping_add(offset)
                });
                let element = |array: &segra_interp::ArrayValue, at: [i64; 2], transposed: bool| {
                    let at = if transposed { [at[1], at[0]] } else { at };
                    array.at(&at)?.as_f64()
                };
                let index = usize::try_from(number).unwrap_or(usize::MAX);
                let sum = cx.operand(inst, BEFORE_SUMS + index, lane).as_f64();
                let sum = sum.ok_or_else(|| cx.error(inst, "adds to floats"))? as f32;
                let sum = (0..plan.depth).try_fold(sum, |sum, step| {
                    let at = first.wrapping_add(step);
                    let x = element(a, [row, at], plan.transposed[0])?;
                    let y = element(b, [at, column], plan.transposed[1])?;
                    Some(sum + (x * y) as f32)
                });
                sums.push(sum.ok_or_else(|| cx.error(inst, "reads outside of its arrays"))?);
            }
            for (index, sum) in sums.into_iter().enumerate() {
                cx.set_result(inst, index, lane, Datum::F32(sum));
            }
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let view = ContractOp::from_op(p.op);
        Ok(Prepared::other(Plan {
            points: view.points(p.ir),
            threads: view.threads(p.ir),
            depth: view.depth(p.ir),
            transposed: [
                view.transpose_a(p.ir).is_some(),
                view.transpose_b(p.ir).is_some(),
            ],
        }))
    }
}

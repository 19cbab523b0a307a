//! Sums of products along a dimension, at all points that a thread holds in registers: what tensor cores do.
//!
//! ```mlir
//! %r:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7
//!     {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 16, 16>}
//!     : tensor<32x32xf16>, tensor<32x64xf16> to f32
//! ```
//! The thread at `[%y, %x]` of 16 by 16 has 2 by 4 points, at the rows and columns that `registers` and `runs` say
//! ([`crate::registers`]), and to what it has at each of them it adds `%as[row, %k + d] * %bs[%k + d, column]` for all
//! `d` below the depth. The numbers are those of a [`Kind`]; products are exact, sums in any order, as those of reductions,
//! and of integers they wrap.
//!
//! Numbers of arrays of `f32` are rounded to `tf32` before they are multiplied, as `tf32 to_nearest_away`, or
//! `tf32 to_nearest_even`, in front of the attributes says.
//!
//! As `warpgroups`, four warps multiply together where the arrays lie in shared memory (`wgmma`, PTX ISA 9.7.15); a thread has two
//! rows then, 8 apart, and pairs of columns ([`warpgroup_points`]).
//!
//! All threads of a block execute it together, so it stands under no condition that differs between them: a warp has one
//! instruction for the points of all its threads (`mma.sync`, PTX ISA 9.7.14).

mod kind;

pub use kind::{KINDS, Kind, LANES, LINE, Number, PAIR, Rounding, warpgroup_points};

use crate::registers::Registers;
use segra_interp::{
    Cx, Datum, Elem, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared,
};
use segra_ir::constraint::{DenseI64Attr, I64Attr, Index, RankedTensor, TypeConstraint, UnitAttr};
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, Verify};
use segra_ir::{Context, FloatKind, Ir, Op, OpDiagnostics, OpState, OpView, Type, Value, op};
use segra_std::arith::{RoundingMode, RoundingModeAttr, rounded};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

/// Operands before the sums.
const BEFORE_SUMS: usize = 5;

/// Constraint: numbers that tensor cores add products to.
#[derive(Clone, Copy, Debug)]
pub struct Sum;

impl TypeConstraint for Sum {
    fn describe(&self) -> &'static str {
        "a type that tensor cores add products in"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        let sum = Number::of(ctx, ty);
        KINDS.iter().any(|kind| Some(kind.sum) == sum)
    }
}

/// Adds, at each point of a thread, products along a dimension of two arrays. See [`crate::contract`].
#[op(
    "kernel.contract",
    interfaces(Verify, InferTypes, Effects, Syntax, Eval)
)]
pub struct ContractOp {
    /// Rows by depth; depth by rows where it is transposed.
    a: Operand<RankedTensor>,
    /// Depth by columns; columns by depth where it is transposed.
    b: Operand<RankedTensor>,
    /// Where along the depth the products begin.
    first: Operand<Index>,
    /// The thread's index along the rows.
    row: Operand<Index>,
    /// The thread's index along the columns.
    column: Operand<Index>,
    /// The values at the thread's points before, row-major.
    sums: VariadicOperand<Sum>,
    /// How many products are added; a multiple of the kind's depth.
    depth: Attr<I64Attr>,
    /// Points of a thread along the rows and the columns.
    registers: Attr<DenseI64Attr>,
    /// How many of them follow each other.
    runs: Attr<DenseI64Attr>,
    /// From one run of a thread to the next one along the rows.
    apart: OptionalAttr<I64Attr>,
    /// Threads along the rows and the columns.
    threads: Attr<DenseI64Attr>,
    /// `a` is depth by rows.
    transpose_a: OptionalAttr<UnitAttr>,
    /// `b` is columns by depth.
    transpose_b: OptionalAttr<UnitAttr>,
    /// The integers of `a` have no sign.
    unsigned_a: OptionalAttr<UnitAttr>,
    /// The integers of `b` have no sign.
    unsigned_b: OptionalAttr<UnitAttr>,
    /// How numbers of `f32` are rounded to `tf32`.
    tf32: OptionalAttr<RoundingModeAttr>,
    /// Warpgroups multiply, instead of warps.
    warpgroups: OptionalAttr<UnitAttr>,
    results: VariadicResult<Sum>,
}

/// Whether a warp has the points of its threads as fragments do: columns in pairs, whole warps of threads.
pub(crate) fn in_warps(points: &Registers, threads: &[i64]) -> bool {
    let whole = |row: (&i64, i64)| row.0 % row.1 == 0;
    let [_, columns] = points.counts[..] else {
        return false;
    };
    threads.len() == 2
        && threads.iter().zip(LANES).all(whole)
        && columns % PAIR == 0
        && points.runs == [1, PAIR]
        && points.apart.is_none()
}

/// Whether a warp's instructions for a kind of product give threads these points.
pub fn fits(kind: Kind, points: &Registers, threads: &[i64]) -> bool {
    let mut counts = points.counts.iter().zip(kind.points());
    in_warps(points, threads) && counts.all(|(count, each)| count % each == 0)
}

impl ContractOp {
    /// Which points a thread holds.
    pub fn points(self, ir: &Ir) -> Registers {
        Registers {
            counts: self.registers(ir),
            runs: self.runs(ir),
            apart: self.apart(ir),
        }
    }

    /// Which product it is; none where tensor cores have none.
    pub fn kind(self, ir: &Ir) -> Option<Kind> {
        let ctx = ir.ctx();
        let (_, stored) = shape_of(ir, self.a(ir))?;
        let factor = match self.tf32(ir) {
            Some(_) => ctx.float(FloatKind::TF32),
            None => stored,
        };
        let sum = ir.value_type(*self.sums(ir).first()?);
        let kind = Kind::of(ctx, factor, sum)?;
        (kind.factor.stored().ty(ctx) == stored).then_some(kind)
    }

    /// Whether `a` is depth by rows, `b` columns by depth.
    pub fn transposed(self, ir: &Ir) -> [bool; 2] {
        [
            self.transpose_a(ir).is_some(),
            self.transpose_b(ir).is_some(),
        ]
    }

    /// Whether parts of an operand are read by `ldmatrix`, both times where it is both.
    pub fn by_matrices(self, ir: &Ir, array: Value) -> bool {
        let [across_a, across_b] = self.transposed(ir);
        let reads = [(self.a(ir), !across_a), (self.b(ir), across_b)];
        let mut reads = reads.into_iter().filter(|read| read.0 == array);
        self.kind(ir)
            .is_some_and(|kind| reads.all(|(_, along_depth)| kind.by_matrices(along_depth)))
    }

    /// Whether the integers of `a` and `b` have no sign.
    pub fn unsigned(self, ir: &Ir) -> [bool; 2] {
        [self.unsigned_a(ir).is_some(), self.unsigned_b(ir).is_some()]
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
        let view = ContractOp::from_op(op);
        let (points, threads) = (view.points(ir), view.threads(ir));
        if let Some(fault) = points.fault(2) {
            diags.error(fault);
            return;
        }
        let (Some((a, left)), Some((b, right))) =
            (shape_of(ir, view.a(ir)), shape_of(ir, view.b(ir)))
        else {
            return;
        };
        let sums = view.sums(ir);
        let types: Vec<Type> = sums.iter().map(|&sum| ir.value_type(sum)).collect();
        let kind = view.kind(ir).filter(|_| left == right);
        let Some(kind) = kind.filter(|_| types.iter().all(|ty| *ty == types[0])) else {
            diags.error(
                "operands `a` and `b` must have one element type, and sums a type, that tensor cores multiply and add: \
                 f16 to f32 or f16, bf16 to f32, f32 by way of tf32, i8 to i32, f64 to f64",
            );
            return;
        };
        if view.warpgroups(ir).is_some() {
            let operands = ([&a[..], &b], view.transposed(ir));
            if !kind.by_warpgroups() || !kind::fits_warpgroups(&points, &threads, operands) {
                diags.error(
                    "warpgroups multiply f16 or bf16 to f32: `a` in rows along the depth, rows of arrays of whole lines of 128 \
                     bytes; a thread has 2 rows, 8 apart, and columns in runs of 2; threads are multiples of 32, and 4",
                );
                return;
            }
        } else if !fits(kind, &points, &threads) {
            let ([y, x], [down, right]) = (LANES, kind.points());
            diags.error(format!(
                "threads must be multiples of {y} and {x}, rows of a thread of {down}, columns of {right} in runs of {PAIR}"
            ));
            return;
        }
        let (found, wanted) = (sums.len() as i64, points.points());
        if found != wanted {
            diags.error(format!("has {found} sums for {wanted} points of a thread"));
        }
        let (depth, step) = (view.depth(ir), kind.shape[2]);
        if depth < step || depth % step != 0 {
            diags.error(format!(
                "attribute `depth` must be a positive multiple of {step}, not {depth}"
            ));
        }
        let integers = matches!(kind.factor, Number::Integer(_));
        if view.unsigned(ir).contains(&true) && !integers {
            diags.error("attributes `unsigned_a` and `unsigned_b` are for integers");
        }
        let nearest = [RoundingMode::ToNearestEven, RoundingMode::ToNearestAway];
        if view.tf32(ir).is_some_and(|mode| !nearest.contains(&mode)) {
            diags.error(
                "attribute `tf32` rounds to the nearest number, ties to even or away from zero",
            );
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
        let sums = state.operands.get(BEFORE_SUMS..).unwrap_or_default();
        Ok(sums.iter().map(|&sum| ir.value_type(sum)).collect())
    }
}

impl Effects for ContractOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // The threads of a warp do it together: not to be moved into or out of branches.
        effects.push(Effect::of(EffectKind::Control));
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl Syntax for ContractOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let (view, ir) = (ContractOp::from_op(op), p.ir());
        p.text(" ");
        p.values([view.a(ir), view.b(ir)]);
        p.text("[");
        p.value(view.first(ir));
        p.text("] at [");
        p.values([view.row(ir), view.column(ir)]);
        p.text("] add ");
        p.values(view.sums(ir));
        if let Some(mode) = view.tf32(ir) {
            p.text(" tf32 ");
            p.text(mode.keyword());
        }
        p.attr_dict(op, &["tf32"]);
        p.text(" : ");
        p.types_of([view.a(ir), view.b(ir)]);
        if let Some(&sum) = view.sums(ir).first() {
            p.text(" to ");
            p.types_of([sum]);
        }
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let mut operands = p.parse_operand_list()?;
        p.expect(Tok::LSquare)?;
        operands.extend(p.parse_operand_list()?);
        p.expect(Tok::RSquare)?;
        p.expect_keyword("at")?;
        p.expect(Tok::LSquare)?;
        operands.extend(p.parse_operand_list()?);
        p.expect(Tok::RSquare)?;
        p.expect_keyword("add")?;
        let pos = p.pos();
        let sums = p.parse_operand_list()?;
        if operands.len() != BEFORE_SUMS || sums.is_empty() {
            let text = "two arrays, `[first]`, `at [row, column]` and `add sums` are expected";
            return Err(p.error_at(pos, text));
        }
        if p.eat_keyword("tf32") {
            let pos = p.pos();
            let mode = RoundingMode::from_keyword(p.parse_keyword()?).ok_or_else(|| {
                let text = "`to_nearest_away` or `to_nearest_even` is expected";
                p.error_at(pos, text)
            })?;
            let ctx = p.ctx();
            op.set_attr(ctx, ctx.ident("tf32"), mode.attr(ctx));
        }
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        let mut types = p.parse_type_list()?.to_vec();
        p.expect_keyword("to")?;
        let sum = p.parse_type()?;
        types.extend(vec![p.ctx().index(); BEFORE_SUMS - 2]);
        types.extend(vec![sum; sums.len()]);
        op.state.result_types.extend(vec![sum; sums.len()]);
        operands.extend(sums);
        if types.len() != operands.len() {
            return Err(p.error_at(pos, "two types of arrays are expected"));
        }
        p.resolve_operands(&operands, &types, &mut op.state.operands)
    }
}

/// The attributes, read once before it runs.
struct Plan {
    kind: Kind,
    elem: Elem,
    points: Registers,
    threads: Vec<i64>,
    depth: i64,
    transposed: [bool; 2],
    unsigned: [bool; 2],
    /// How factors are rounded to `tf32`, if they are.
    tf32: Option<RoundingMode>,
}

impl Plan {
    /// A factor as it is multiplied.
    fn factor(&self, number: &Datum) -> Option<f64> {
        match self.tf32 {
            Some(mode) => rounded(number, Elem::TF32, mode)?.as_f64(),
            None => number.as_f64(),
        }
    }

    /// The sum after the products of a row and a column, of which `element` has numbers at a step.
    fn sum(&self, start: &Datum, element: impl Fn(usize, i64) -> Option<Datum>) -> Option<Datum> {
        if self.kind.rounding == Rounding::Never {
            let number = |operand: usize, step: i64| {
                let number = element(operand, step)?.as_int()?;
                // Integers of the interpreter have a sign.
                let all = match self.unsigned[operand] {
                    true => number & 0xff,
                    false => number,
                };
                Some(all as i32)
            };
            let sum = (0..self.depth).try_fold(start.as_int()? as i32, |sum, step| {
                Some(sum.wrapping_add(number(0, step)? * number(1, step)?))
            });
            return Some(Datum::Int(sum?.into()));
        }
        let mut sum = start.as_f64()?;
        for step in 0..self.depth {
            let (x, y) = (
                self.factor(&element(0, step)?)?,
                self.factor(&element(1, step)?)?,
            );
            let next = x.mul_add(y, sum);
            sum = Datum::from_f64(next, self.elem).as_f64()?;
        }
        Some(Datum::from_f64(sum, self.elem))
    }
}

impl Eval for ContractOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let plan = inst
            .data::<Plan>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let [first, row, column] = [2, 3, 4].map(|index| cx.int(inst, index, lane));
            let (first, thread) = (first?, [row?, column?]);
            let arrays = [cx.array(inst, 0, lane)?, cx.array(inst, 1, lane)?];
            let mut sums = Vec::new();
            for number in 0..plan.points.points() {
                let places = plan.points.place(&plan.threads, number);
                let point = [0, 1].map(|dim| places[dim].of(thread[dim]));
                let index = usize::try_from(number).unwrap_or(usize::MAX);
                let start = cx.operand(inst, BEFORE_SUMS + index, lane);
                let sum = plan.sum(start, |operand, step| {
                    let step = first.wrapping_add(step);
                    // `a` is rows by depth, `b` depth by columns.
                    let at = match (operand == 0) != plan.transposed[operand] {
                        true => [point[operand], step],
                        false => [step, point[operand]],
                    };
                    arrays[operand].at(&at)
                });
                sums.push(sum.ok_or_else(|| cx.error(inst, "reads outside of its arrays"))?);
            }
            for (index, sum) in sums.into_iter().enumerate() {
                cx.set_result(inst, index, lane, sum);
            }
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let view = ContractOp::from_op(p.op);
        let ctx = p.ir.ctx();
        let found = view.kind(p.ir).and_then(|kind| {
            let elem = Elem::of(ctx, kind.sum.ty(ctx))?;
            Some((kind, elem))
        });
        let (kind, elem) = found.ok_or_else(|| Fault::new("is no product of tensor cores"))?;
        Ok(Prepared::other(Plan {
            kind,
            elem,
            points: view.points(p.ir),
            threads: view.threads(p.ir),
            depth: view.depth(p.ir),
            transposed: view.transposed(p.ir),
            unsigned: view.unsigned(p.ir),
            tf32: view.tf32(p.ir),
        }))
    }
}

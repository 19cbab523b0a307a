//! `scf.for`.

use super::{YieldOp, Yields, types};
use crate::arith::{AddIOp, Overflow};
use crate::syntax::{assignments, print_assignments, resolve};
use segra_interp::{
    Cx, Elem, Eval, EvalResult, Fault, Flow, Inst, IntWidth, Lanes, Prepare, Prepared,
};
use segra_ir::constraint::{AnyIntegerOrIndex, AnyType, UnitAttr};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    Canonicalize, LoopBounds, LoopLike, RegionBranch, RegionSuccessor, RuleScope, Speculation,
    Verify, constant_of,
};
use segra_ir::{Attr, Builder, Ir, Loc, Op, OpView, Region, Type, Value, op};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{BlockArg, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// A counted loop: the body runs for `lower_bound`, `lower_bound + step`, ... as long as that is below `upper_bound`.
/// Values are carried from one iteration to the next.
#[op(
    "scf.for",
    traits(RecursiveEffects, AllocationScope),
    interfaces(
        LoopLike,
        RegionBranch,
        Speculation,
        Canonicalize,
        Verify,
        Syntax,
        Eval
    )
)]
pub struct ForOp {
    lower_bound: Operand<AnyIntegerOrIndex>,
    upper_bound: Operand<AnyIntegerOrIndex>,
    /// Positive, else the program stops; the number of iterations is fixed before the first.
    step: Operand<AnyIntegerOrIndex>,
    init_args: VariadicOperand<AnyType>,
    /// Bounds are compared as unsigned integers.
    #[name("unsignedCmp")]
    unsigned_cmp: OptionalAttr<UnitAttr>,
    /// Arguments: the induction variable, then the carried values.
    region: BlockRegion,
    results: VariadicResult<AnyType>,
}

/// Where an `scf.for` starts, where it ends, and how far it goes each time.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// First value of the induction variable.
    pub lower: Value,
    /// The exclusive upper bound of the induction variable.
    pub upper: Value,
    /// Distance between iterations.
    pub step: Value,
}

impl ForOp {
    /// A loop whose body `body` builds: it gets the induction variable and the carried values and returns the next ones.
    pub fn with_body(
        b: &mut Builder<'_>,
        bounds: Bounds,
        inits: &[Value],
        body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
    ) -> ForOp {
        let carried = types(b.ir, inits.iter().copied());
        let iv = b.type_of(bounds.lower);
        let op = ForOp::builder()
            .lower_bound(bounds.lower)
            .upper_bound(bounds.upper)
            .step(bounds.step)
            .init_args(inits)
            .results_types(&carried)
            .build(b);
        let region = op.region(b.ir);
        let args: Vec<Type> = std::iter::once(iv).chain(carried).collect();
        b.build_block(region, &args, |b, args| {
            let next = body(b, args[0], &args[1..]);
            YieldOp::build(b, &next);
        });
        op
    }
    /// The induction variable.
    pub fn induction_var(self, ir: &Ir) -> Value {
        ir.block_args(self.region_block(ir))[0]
    }

    /// Whether its variable is an index that takes the values from 0 on, one after another, below the upper bound.
    pub fn counts_from_zero(self, ir: &Ir) -> bool {
        let known = |value: Value| ir.constant_int(value);
        known(self.lower_bound(ir)) == Some(0)
            && known(self.step(ir)) == Some(1)
            && ir.value_type(self.upper_bound(ir)) == ir.ctx().index()
    }
    /// The number of iterations, if the operands are these constants; `None`: they do not tell, or the step is wrong.
    pub fn trips_of(self, ir: &Ir, operands: &[Option<Attr>]) -> Option<u64> {
        let bound = |index: usize| operands.get(index).copied().flatten()?.as_i64(ir.ctx());
        if self.lower_bound(ir) == self.upper_bound(ir) {
            return Some(0);
        }
        if let (Some(distance), Some(step)) = (self.distance(ir), bound(2).filter(|&step| step > 0))
        {
            return Some(
                u64::try_from(distance)
                    .unwrap_or(0)
                    .div_ceil(step.unsigned_abs()),
            );
        }
        let ty = ir.value_type(self.lower_bound(ir));
        let width = Elem::of(ir.ctx(), ty)?.int_width()?;
        let word = if self.unsigned_cmp(ir).is_some() {
            UNSIGNED
        } else {
            0
        };
        trips(width, word, bound(0)?, bound(1)?, bound(2)?).ok()
    }
    /// The difference of the bounds, where the upper one is the lower one and a constant, without overflow.
    fn distance(self, ir: &Ir) -> Option<i64> {
        let sum = ir.cast::<AddIOp>(ir.defining_op(self.upper_bound(ir))?)?;
        let exact = sum
            .overflow(ir)
            .is_some_and(|flags| flags.contains(Overflow::NSW));
        let right = sum.lhs(ir) == self.lower_bound(ir);
        let (same, other) = if right {
            (sum.lhs(ir), sum.rhs(ir))
        } else {
            (sum.rhs(ir), sum.lhs(ir))
        };
        let usable = exact && same == self.lower_bound(ir) && self.unsigned_cmp(ir).is_none();
        constant_of(ir, other).filter(|_| usable)?.as_i64(ir.ctx())
    }
    /// The carried values inside the body.
    pub fn iter_args(self, ir: &Ir) -> &[Value] {
        &ir.block_args(self.region_block(ir))[1..]
    }
}

impl LoopLike for ForOp {
    fn loop_regions(&self, ir: &Ir, op: Op) -> SmallVec<[Region; 2]> {
        smallvec![ForOp::from_op(op).region(ir)]
    }
    fn induction_vars(&self, ir: &Ir, op: Op) -> Vec<Value> {
        vec![ForOp::from_op(op).induction_var(ir)]
    }
    fn bounds(&self, ir: &Ir, op: Op) -> Vec<LoopBounds> {
        let view = ForOp::from_op(op);
        let unsigned = view.unsigned_cmp(ir).is_some();
        vec![LoopBounds {
            lower: view.lower_bound(ir),
            upper: view.upper_bound(ir),
            step: view.step(ir),
            unsigned,
        }]
    }
    fn trip_count(&self, ir: &Ir, op: Op) -> Option<u64> {
        let bound = |index: usize| constant_of(ir, ir.operand(op, index));
        ForOp::from_op(op).trips_of(ir, &[bound(0), bound(1), bound(2)])
    }
}

impl RegionBranch for ForOp {
    fn successors(&self, ir: &Ir, op: Op, _from: Option<Region>) -> Vec<RegionSuccessor> {
        vec![
            RegionSuccessor::Region(ForOp::from_op(op).region(ir)),
            RegionSuccessor::Parent,
        ]
    }
    fn entry_successors(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Vec<RegionSuccessor> {
        match ForOp::from_op(op).trips_of(ir, operands) {
            Some(0) => vec![RegionSuccessor::Parent],
            Some(_) => vec![RegionSuccessor::Region(ForOp::from_op(op).region(ir))],
            None => self.successors(ir, op, None),
        }
    }
    fn entry_forwarded(&self, ir: &Ir, op: Op, _to: RegionSuccessor) -> Range<usize> {
        3..ir.num_operands(op)
    }
    fn can_carry(&self, _ir: &Ir, _op: Op) -> bool {
        true
    }
    fn inputs(&self, ir: &Ir, op: Op, to: RegionSuccessor) -> Vec<Value> {
        match to {
            RegionSuccessor::Parent => ir.results(op).collect(),
            RegionSuccessor::Region(_) => ForOp::from_op(op).iter_args(ir).to_vec(),
        }
    }
}

impl Speculation for ForOp {
    fn is_speculatable(&self, ir: &Ir, op: Op) -> bool {
        // A step that is not positive is an error.
        let step = constant_of(ir, ForOp::from_op(op).step(ir));
        step.and_then(|attr| attr.as_integer(ir.ctx()))
            .is_some_and(|step| step > 0)
    }
}

impl Verify for ForOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ForOp::from_op(op);
        let ty = |value| ir.value_type(value);
        let bounds = [view.lower_bound(ir), view.upper_bound(ir), view.step(ir)].map(ty);
        // The initial values are the operands behind the bounds.
        let carried = types(ir, ir.operands(op).skip(bounds.len()));
        if bounds[0] != bounds[1] || bounds[0] != bounds[2] {
            diags.error("operands `lower_bound`, `upper_bound` and `step` must have one type");
        }
        if !ir.results(op).map(ty).eq(carried.iter().copied()) {
            diags.error("results must have the types of operands `init_args`");
        }
        let mut args = ir
            .block_args(view.region_block(ir))
            .iter()
            .map(|&arg| ty(arg));
        if args.next() != Some(bounds[0]) {
            diags.error(
                "the body's first argument must be the induction variable, of the bounds' type",
            );
        } else if !args.eq(carried.iter().copied()) {
            diags.error("the body's other arguments must have the types of operands `init_args`");
        }
        let yields = Yields {
            region: view.region(ir),
            first: 0,
            types: &carried,
            receiver: "the carried values",
        };
        yields.verify_end::<YieldOp>(ir, diags);
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Frame
    }
}

/// Bounds are compared as unsigned integers (else as signed ones).
const UNSIGNED: i64 = 1;

/// The number of iterations.
fn trips(width: IntWidth, word: i64, lower: i64, upper: i64, step: i64) -> Result<u64, Fault> {
    let read = |value: i64| -> i128 {
        if word == UNSIGNED {
            width.unsigned(value).into()
        } else {
            width.signed(value).into()
        }
    };
    let (lower, upper, step) = (read(lower), read(upper), read(step));
    if step <= 0 {
        return Err(Fault::new(format!("needs a positive step, not {step}")));
    }
    let distance = upper - lower;
    Ok(if distance <= 0 {
        0
    } else {
        ((distance + step - 1) / step) as u64
    })
}

impl Eval for ForOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(p.attr("unsignedCmp")
            .map_or(Prepared::Nothing, |_| Prepared::Word(UNSIGNED)))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let region = &inst.regions[0];
        let width = inst
            .operand_elem
            .and_then(|elem| elem.int_width())
            .unwrap_or(IntWidth::INDEX);
        let carried = region.args().get(1..).unwrap_or_default();
        let mut plans: SmallVec<[(u64, i64, i64); 1]> = SmallVec::new();
        for lane in lanes.iter() {
            let (lower, upper, step) = (
                cx.int(inst, 0, lane)?,
                cx.int(inst, 1, lane)?,
                cx.int(inst, 2, lane)?,
            );
            let count = cx.check(inst, trips(width, inst.word(), lower, upper, step))?;
            plans.push((count, lower, step));
        }
        cx.copy(&inst.operands[3..], carried, lanes);
        let most = plans.iter().map(|plan| plan.0).max().unwrap_or(0);
        let uniform = plans.iter().all(|plan| plan.0 == most);
        for iteration in 0..most {
            let fewer;
            let active = if uniform {
                lanes
            } else {
                let going = lanes
                    .iter()
                    .zip(&plans)
                    .filter(|(_, plan)| plan.0 > iteration);
                fewer = Lanes::Some(going.map(|(lane, _)| lane as u32).collect());
                &fewer
            };
            for (lane, &(count, lower, step)) in lanes.iter().zip(&plans) {
                if count > iteration {
                    let value = lower.wrapping_add(step.wrapping_mul(iteration as i64));
                    cx.set_arg(region, 0, lane, width.wrap(value).into());
                }
            }
            cx.run_region(region, active)?;
            cx.copy(&region.yields, carried, active);
        }
        cx.copy(carried, &inst.results, lanes);
        Ok(Flow::Next)
    }
}

impl Syntax for ForOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ForOp::from_op(op);
        let ir = p.ir();
        p.text(if view.unsigned_cmp(ir).is_some() {
            " unsigned "
        } else {
            " "
        });
        p.value(view.induction_var(ir));
        for (word, value) in [
            (" = ", view.lower_bound(ir)),
            (" to ", view.upper_bound(ir)),
            (" step ", view.step(ir)),
        ] {
            p.text(word);
            p.value(value);
        }
        let inits = view.init_args(ir);
        if !inits.is_empty() {
            p.text(" iter_args");
            print_assignments(p, view.iter_args(ir), &inits);
            p.text(" -> (");
            p.types_of(inits.iter().copied());
            p.text(")");
        }
        let ty = ir.value_type(view.induction_var(ir));
        if !ty.is_index(p.ctx()) {
            p.text(" : ");
            p.ty(ty);
        }
        p.text(" ");
        let last = if inits.is_empty() {
            LastOp::Hidden
        } else {
            LastOp::Shown
        };
        p.region(view.region(ir), EntryArgs::Hidden, last);
        p.attr_dict(op, &["unsignedCmp"]);
    }

    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        if p.eat_keyword("unsigned") {
            state.set_attr(ctx, ctx.ident("unsignedCmp"), ctx.unit());
        }
        let iv = p.parse_operand()?;
        p.expect(Tok::Equal)?;
        let lower = p.parse_operand()?;
        p.expect_keyword("to")?;
        let upper = p.parse_operand()?;
        p.expect_keyword("step")?;
        let step = p.parse_operand()?;
        let (names, inits, carried) = if p.eat_keyword("iter_args") {
            let (names, inits) = assignments(p)?;
            p.expect(Tok::Arrow)?;
            (names, inits, p.parse_result_types()?)
        } else {
            Default::default()
        };
        let ty = if p.eat(Tok::Colon) {
            p.parse_type()?
        } else {
            ctx.index()
        };
        resolve(p, state, &[lower, upper, step], &[ty; 3])?;
        resolve(p, state, &inits, &carried)?;
        let mut args = vec![BlockArg {
            name: iv.name,
            ty,
            loc: None,
            pos: iv.pos,
        }];
        args.extend(crate::syntax::block_args(&names, &carried));
        let region = p.parse_region(&args, Isolation::Shared)?;
        p.ensure_terminator(region, YieldOp::DEF.name, Loc::UNKNOWN);
        state.regions.push(region);
        state.state.result_types.extend(carried);
        p.parse_attr_dict_into(state)
    }
}

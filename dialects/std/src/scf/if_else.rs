//! `scf.if`.

use super::{YieldOp, Yields, types};
use crate::syntax::resolve;
use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{AnyType, Bool};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, RegionBranch, RegionSuccessor, RuleScope, Verify};
use segra_ir::{Attr, Builder, Ir, Loc, Op, OpView, Region, Type, Value, op};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};
use std::ops::Range;

/// One of two regions, by a condition; what it yields are the results.
#[op(
    "scf.if",
    traits(RecursiveEffects),
    interfaces(RegionBranch, Canonicalize, Verify, Syntax, Eval)
)]
pub struct IfOp {
    condition: Operand<Bool>,
    then_region: BlockRegion,
    /// May be empty if there are no results.
    else_region: OptionalBlockRegion,
    results: VariadicResult<AnyType>,
}

impl IfOp {
    /// Both regions, built by closures that return what they yield.
    pub fn with_bodies(
        b: &mut Builder<'_>,
        condition: Value,
        results: &[Type],
        then: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
    ) -> IfOp {
        let op = IfOp::build(b, condition, results);
        let (then_region, else_region) = (op.then_region(b.ir), op.else_region(b.ir));
        b.build_block(then_region, &[], |b, _| {
            let values = then(b);
            YieldOp::build(b, &values);
        });
        b.build_block(else_region, &[], |b, _| {
            let values = otherwise(b);
            YieldOp::build(b, &values);
        });
        op
    }
    /// Only the first region, without results.
    pub fn with_then(
        b: &mut Builder<'_>,
        condition: Value,
        then: impl FnOnce(&mut Builder<'_>),
    ) -> IfOp {
        let op = IfOp::builder().condition(condition).build(b);
        let region = op.then_region(b.ir);
        b.build_block(region, &[], |b, _| {
            then(b);
            YieldOp::build(b, &[]);
        });
        op
    }
    /// Whether there is a second region.
    pub fn has_else(self, ir: &Ir) -> bool {
        ir.entry_block(self.else_region(ir)).is_some()
    }
}

impl RegionBranch for IfOp {
    fn successors(&self, ir: &Ir, op: Op, from: Option<Region>) -> Vec<RegionSuccessor> {
        let view = IfOp::from_op(op);
        let then = RegionSuccessor::Region(view.then_region(ir));
        match from {
            Some(_) => vec![RegionSuccessor::Parent],
            None if view.has_else(ir) => vec![then, RegionSuccessor::Region(view.else_region(ir))],
            None => vec![then, RegionSuccessor::Parent],
        }
    }
    fn entry_successors(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Vec<RegionSuccessor> {
        let view = IfOp::from_op(op);
        match operands
            .first()
            .copied()
            .flatten()
            .and_then(|attr| attr.as_integer(ir.ctx()))
        {
            Some(0) if view.has_else(ir) => vec![RegionSuccessor::Region(view.else_region(ir))],
            Some(0) => vec![RegionSuccessor::Parent],
            Some(_) => vec![RegionSuccessor::Region(view.then_region(ir))],
            None => self.successors(ir, op, None),
        }
    }
    fn can_carry(&self, _ir: &Ir, _op: Op) -> bool {
        true
    }
    fn prepare_carried(&self, b: &mut Builder<'_>, op: Op) {
        let view = IfOp::from_op(op);
        if !view.has_else(b.ir) {
            let region = view.else_region(b.ir);
            b.build_block(region, &[], |b, _| {
                YieldOp::build(b, &[]);
            });
        }
    }
    fn entry_forwarded(&self, _ir: &Ir, _op: Op, _to: RegionSuccessor) -> Range<usize> {
        0..0
    }
}

impl Verify for IfOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = IfOp::from_op(op);
        let results = types(ir, ir.results(op));
        if !results.is_empty() && !view.has_else(ir) {
            diags.error("with results must have an else region");
        }
        for region in [view.then_region(ir), view.else_region(ir)] {
            let Some(block) = ir.entry_block(region) else {
                continue;
            };
            if !ir.block_args(block).is_empty() {
                diags.error("regions must not have arguments");
            }
            Yields {
                region,
                first: 0,
                types: &results,
                receiver: "the results",
            }
            .verify_end::<YieldOp>(ir, diags);
        }
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Frame
    }
}

impl Eval for IfOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let (then, otherwise) = (&inst.regions[0], &inst.regions[1]);
        if let Some(lane) = lanes.single() {
            let region = if cx.int(inst, 0, lane)? & 1 != 0 {
                then
            } else {
                otherwise
            };
            cx.run_region_with(region, &[], &inst.results, lanes)?;
            return Ok(Flow::Next);
        }
        let (yes, no) = lanes.partition(|lane| cx.operand(inst, 0, lane).as_bool() == Some(true));
        cx.run_region_with(then, &[], &inst.results, &yes)?;
        cx.run_region_with(otherwise, &[], &inst.results, &no)?;
        Ok(Flow::Next)
    }
}

impl Syntax for IfOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = IfOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.value(view.condition(ir));
        let results = view.results(ir);
        let last = if results.is_empty() {
            LastOp::Hidden
        } else {
            LastOp::Shown
        };
        if !results.is_empty() {
            p.text(" -> (");
            p.types_of(results);
            p.text(")");
        }
        p.text(" ");
        p.region(view.then_region(ir), EntryArgs::Hidden, last);
        if view.has_else(ir) {
            p.text(" else ");
            p.region(view.else_region(ir), EntryArgs::Hidden, last);
        }
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let condition = p.parse_operand()?;
        let i1 = p.ctx().i1();
        resolve(p, state, &[condition], &[i1])?;
        if p.eat(Tok::Arrow) {
            state.state.result_types.extend(p.parse_result_types()?);
        }
        let then = p.parse_region(&[], Isolation::Shared)?;
        p.ensure_terminator(then, YieldOp::DEF.name, Loc::UNKNOWN);
        let otherwise = if p.eat_keyword("else") {
            let region = p.parse_region(&[], Isolation::Shared)?;
            p.ensure_terminator(region, YieldOp::DEF.name, Loc::UNKNOWN);
            region
        } else {
            p.ir_mut().create_region()
        };
        state.regions.extend([then, otherwise]);
        p.parse_attr_dict_into(state)
    }
}

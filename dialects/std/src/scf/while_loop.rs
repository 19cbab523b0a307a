//! `scf.while`.

use super::{Yields, types};
use crate::syntax::{
    assignments, block_args, parse_attributes_keyword, print_assignments, resolve,
};
use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::AnyType;
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    Canonicalize, LoopLike, RegionBranch, RegionSuccessor, RuleScope, Speculation, Verify,
};
use segra_ir::{Attr, Ir, Loc, Op, OpView, Region, Value, op};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// A loop that runs `before`, which decides by `scf.condition` whether `after` and then `before` run again. The values that
/// `scf.condition` passes on are the arguments of `after`, and in the end the results.
#[op(
    "scf.while",
    traits(RecursiveEffects),
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
pub struct WhileOp {
    inits: VariadicOperand<AnyType>,
    before: BlockRegion,
    after: BlockRegion,
    results: VariadicResult<AnyType>,
}

impl LoopLike for WhileOp {
    fn loop_regions(&self, ir: &Ir, op: Op) -> SmallVec<[Region; 2]> {
        let view = WhileOp::from_op(op);
        smallvec![view.before(ir), view.after(ir)]
    }
    fn induction_vars(&self, _ir: &Ir, _op: Op) -> Vec<Value> {
        Vec::new()
    }
}

impl Speculation for WhileOp {
    fn is_speculatable(&self, _ir: &Ir, _op: Op) -> bool {
        // It may not end.
        false
    }
}

impl RegionBranch for WhileOp {
    fn successors(&self, ir: &Ir, op: Op, from: Option<Region>) -> Vec<RegionSuccessor> {
        let view = WhileOp::from_op(op);
        let (before, after) = (view.before(ir), view.after(ir));
        match from {
            Some(region) if region == before => {
                vec![RegionSuccessor::Region(after), RegionSuccessor::Parent]
            }
            _ => vec![RegionSuccessor::Region(before)],
        }
    }
    fn exit_successors(
        &self,
        ir: &Ir,
        op: Op,
        from: Region,
        _terminator: Op,
        operands: &[Option<Attr>],
    ) -> Vec<RegionSuccessor> {
        let view = WhileOp::from_op(op);
        let decided = operands
            .first()
            .copied()
            .flatten()
            .and_then(|attr| attr.as_integer(ir.ctx()));
        match decided.filter(|_| from == view.before(ir)) {
            Some(0) => vec![RegionSuccessor::Parent],
            Some(_) => vec![RegionSuccessor::Region(view.after(ir))],
            None => self.successors(ir, op, Some(from)),
        }
    }
    fn can_carry(&self, _ir: &Ir, _op: Op) -> bool {
        true
    }
    fn entry_forwarded(&self, ir: &Ir, op: Op, _to: RegionSuccessor) -> Range<usize> {
        0..ir.num_operands(op)
    }
    fn exit_forwarded(&self, ir: &Ir, op: Op, terminator: Op, to: RegionSuccessor) -> Range<usize> {
        // `scf.condition` keeps its first operand to itself.
        let to_before = to == RegionSuccessor::Region(WhileOp::from_op(op).before(ir));
        usize::from(!to_before)..ir.num_operands(terminator)
    }
}

impl Verify for WhileOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = WhileOp::from_op(op);
        let (inits, results) = (types(ir, view.inits(ir)), types(ir, view.results(ir)));
        let args = |block| types(ir, ir.block_args(block).iter().copied());
        if args(view.before_block(ir)) != inits {
            diags.error("arguments of region `before` must have the types of operands `inits`");
        }
        if args(view.after_block(ir)) != results {
            diags.error("arguments of region `after` must have the types of the results");
        }
        let last = ir.last_op(view.before_block(ir));
        if last.is_some_and(|last| ir.isa::<super::ConditionOp>(last)) {
            let region = view.before(ir);
            Yields {
                region,
                first: 1,
                types: &results,
                receiver: "the results",
            }
            .verify(ir, diags);
        } else {
            diags.error("region `before` must end with scf.condition");
        }
        let region = view.after(ir);
        Yields {
            region,
            first: 0,
            types: &inits,
            receiver: "region `before`",
        }
        .verify_end::<super::YieldOp>(ir, diags);
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Frame
    }
}

impl Eval for WhileOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let (before, after) = (&inst.regions[0], &inst.regions[1]);
        let Some((&condition, passed)) = before.yields.split_first() else {
            return Err(cx.error(inst, "has a first region without scf.condition"));
        };
        cx.copy(&inst.operands, before.args(), lanes);
        let mut going = lanes.clone();
        while !going.is_empty() {
            cx.run_region(before, &going)?;
            let (on, done) =
                going.partition(|lane| cx.get(condition, lane).as_bool() == Some(true));
            cx.copy(passed, &inst.results, &done);
            cx.run_region_with(after, passed, before.args(), &on)?;
            going = on;
        }
        Ok(Flow::Next)
    }
}

impl Syntax for WhileOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = WhileOp::from_op(op);
        let ir = p.ir();
        let inits = view.inits(ir);
        if !inits.is_empty() {
            p.text(" ");
            print_assignments(p, ir.block_args(view.before_block(ir)), &inits);
        }
        p.text(" : ");
        p.function_type(&types(ir, inits), &types(ir, view.results(ir)));
        p.text(" ");
        p.region(view.before(ir), EntryArgs::Hidden, LastOp::Shown);
        p.text(" do ");
        p.region(view.after(ir), EntryArgs::Shown, LastOp::Shown);
        p.attr_dict_with_keyword(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let (names, inits) = if p.at(Tok::LParen) {
            assignments(p)?
        } else {
            Default::default()
        };
        p.expect(Tok::Colon)?;
        let (inputs, results) = p.parse_function_type_like()?;
        resolve(p, state, &inits, &inputs)?;
        state.state.result_types.extend(results);
        let before = p.parse_region(&block_args(&names, &inputs), Isolation::Shared)?;
        p.expect_keyword("do")?;
        let after = p.parse_region(&[], Isolation::Shared)?;
        p.ensure_terminator(after, super::YieldOp::DEF.name, Loc::UNKNOWN);
        state.regions.extend([before, after]);
        parse_attributes_keyword(p, state)
    }
}

//! `scf.parallel` and its reductions.

use super::types;
use crate::syntax::{block_args, resolve};
use segra_interp::{Cx, Datum, Eval, EvalError, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{AnyType, Index};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    Canonicalize, LoopBounds, LoopLike, RegionBranch, RegionSuccessor, Verify,
};
use segra_ir::{Ir, Loc, Op, OpView, Region, Value, op};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// A loop nest whose iterations may run in any order; evaluation runs them row by row, one after the other.
#[op(
    "scf.parallel",
    traits(RecursiveEffects, AllocationScope),
    interfaces(LoopLike, RegionBranch, Canonicalize, Verify, Syntax, Eval)
)]
pub struct ParallelOp {
    lower_bounds: VariadicOperand<Index>,
    upper_bounds: VariadicOperand<Index>,
    steps: VariadicOperand<Index>,
    /// Where each reduction starts.
    init_vals: VariadicOperand<AnyType>,
    region: BlockRegion,
    results: VariadicResult<AnyType>,
}

impl LoopLike for ParallelOp {
    fn loop_regions(&self, ir: &Ir, op: Op) -> SmallVec<[Region; 2]> {
        smallvec![ParallelOp::from_op(op).region(ir)]
    }
    fn induction_vars(&self, ir: &Ir, op: Op) -> Vec<Value> {
        ir.block_args(ParallelOp::from_op(op).region_block(ir))
            .to_vec()
    }
    fn bounds(&self, ir: &Ir, op: Op) -> Vec<LoopBounds> {
        let view = ParallelOp::from_op(op);
        let pairs = view
            .lower_bounds(ir)
            .into_iter()
            .zip(view.upper_bounds(ir))
            .zip(view.steps(ir));
        pairs
            .map(|((lower, upper), step)| LoopBounds {
                lower,
                upper,
                step,
                unsigned: false,
            })
            .collect()
    }
}

impl RegionBranch for ParallelOp {
    fn successors(&self, ir: &Ir, op: Op, _from: Option<Region>) -> Vec<RegionSuccessor> {
        vec![
            RegionSuccessor::Region(ParallelOp::from_op(op).region(ir)),
            RegionSuccessor::Parent,
        ]
    }
    // Results are what the reductions make of all iterations; nothing is forwarded as it is.
    fn entry_forwarded(&self, _ir: &Ir, _op: Op, _to: RegionSuccessor) -> Range<usize> {
        0..0
    }
    fn exit_forwarded(
        &self,
        _ir: &Ir,
        _op: Op,
        _terminator: Op,
        _to: RegionSuccessor,
    ) -> Range<usize> {
        0..0
    }
    fn inputs(&self, _ir: &Ir, _op: Op, _to: RegionSuccessor) -> Vec<Value> {
        Vec::new()
    }
}

impl Verify for ParallelOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ParallelOp::from_op(op);
        let rank = view.lower_bounds(ir).len();
        let args = types(ir, ir.block_args(view.region_block(ir)).iter().copied());
        if rank == 0 {
            diags.error("needs at least one dimension");
        }
        if view.upper_bounds(ir).len() != rank || view.steps(ir).len() != rank {
            diags.error("needs as many `upper_bounds` and `steps` as `lower_bounds`");
        }
        if args.len() != rank || args.iter().any(|ty| !ty.is_index(ir.ctx())) {
            diags.error("the body must have one argument of type index per dimension");
        }
        for step in view.steps(ir) {
            let known = ir.constant_int(step);
            if known.is_some_and(|step| step <= 0) {
                diags.error("a constant of operand `steps` must be positive");
            }
        }
        let inits = types(ir, view.init_vals(ir));
        if inits != types(ir, view.results(ir)) {
            diags.error("results must have the types of operands `init_vals`");
        }
        let last = ir.last_op(view.region_block(ir));
        match last.and_then(|last| ir.cast::<ReduceOp>(last)) {
            Some(reduce) if types(ir, reduce.operands(ir)) == inits => {}
            Some(_) => {
                diags.error("the body's scf.reduce must reduce values of the types of `init_vals`");
            }
            None => {
                diags.error("the body must end with scf.reduce");
            }
        }
    }
}

/// Ends the body of `scf.parallel`: the values this iteration contributes and how two values become one.
#[op(
    "scf.reduce",
    traits(Terminator, RecursiveEffects),
    interfaces(Verify, Syntax, Eval)
)]
pub struct ReduceOp {
    operands: VariadicOperand<AnyType>,
    reductions: VariadicRegion,
}

impl Verify for ReduceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<ParallelOp>(parent))
        {
            diags.error("must end the body of scf.parallel");
        }
        let view = ReduceOp::from_op(op);
        let operands = types(ir, view.operands(ir));
        if view.reductions(ir).len() != operands.len() {
            diags.error("needs one region per operand");
            return;
        }
        for (&region, &ty) in view.reductions(ir).iter().zip(&operands) {
            let args = ir
                .entry_block(region)
                .map(|block| types(ir, ir.block_args(block).iter().copied()));
            if args.as_deref() != Some(&[ty, ty]) {
                diags.error("each region must have two arguments of the type of its operand");
            }
            let mut blocks = ir.blocks(region);
            let last = blocks.next().and_then(|block| ir.last_op(block));
            if blocks.next().is_some() || !last.is_some_and(|last| ir.isa::<ReduceReturnOp>(last)) {
                diags.error("each region must be one block that ends with scf.reduce.return");
            }
        }
    }
}

impl Eval for ReduceOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        // The loop around it applies the reductions.
        Ok(Flow::Yield)
    }
}

/// Ends a reduction of `scf.reduce`.
#[op(
    "scf.reduce.return",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Verify, Eval),
    format = "$result attr-dict `:` type($result)"
)]
pub struct ReduceReturnOp {
    result: Operand<AnyType>,
}

impl Verify for ReduceReturnOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<ReduceOp>(parent))
        {
            diags.error("must end a region of scf.reduce");
            return;
        }
        let arg = ir
            .block_of(op)
            .and_then(|block| ir.block_args(block).first().copied());
        let given = ir.value_type(ReduceReturnOp::from_op(op).result(ir));
        if arg.is_none_or(|arg| ir.value_type(arg) != given) {
            diags.error("operand `result` must have the type of the region's arguments");
        }
    }
}

impl Eval for ReduceReturnOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Yield)
    }
}

impl Eval for ParallelOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        // Lanes may disagree on the bounds, and nothing may depend on the order: one lane after the other.
        for lane in lanes.iter() {
            run_lane(cx, inst, lane)?;
        }
        Ok(Flow::Next)
    }
}

fn run_lane(cx: &mut Cx<'_>, inst: &Inst, lane: usize) -> Result<(), EvalError> {
    let region = &inst.regions[0];
    let rank = region.args().len();
    let only = Lanes::Some(vec![lane as u32]);
    let lower = cx.ints(inst, 0..rank, lane)?;
    let upper = cx.ints(inst, rank..2 * rank, lane)?;
    let steps = cx.ints(inst, 2 * rank..3 * rank, lane)?;
    if let Some(step) = steps.iter().find(|&&step| step <= 0) {
        return Err(cx.error(inst, format!("needs a positive step, not {step}")));
    }
    cx.copy(&inst.operands[3 * rank..], &inst.results, &only);
    if lower
        .iter()
        .zip(&upper)
        .any(|(lower, upper)| lower >= upper)
    {
        return Ok(());
    }
    let mut index = lower.clone();
    loop {
        for (dim, &value) in index.iter().enumerate() {
            cx.set_arg(region, dim, lane, Datum::Int(value));
        }
        cx.run_region(region, &only)?;
        if let Some(reduce) = region.terminator() {
            for (position, reduction) in reduce.regions.iter().enumerate() {
                let args = [inst.results[position], region.yields[position]];
                cx.run_region_with(reduction, &args, &inst.results[position..=position], &only)?;
            }
        }
        if !advance(&mut index, &lower, &upper, &steps) {
            return Ok(());
        }
    }
}

/// The next index, row by row; false after the last.
fn advance(index: &mut [i64], lower: &[i64], upper: &[i64], steps: &[i64]) -> bool {
    for dim in (0..index.len()).rev() {
        index[dim] = index[dim].saturating_add(steps[dim]);
        if index[dim] < upper[dim] {
            return true;
        }
        index[dim] = lower[dim];
    }
    false
}

impl Syntax for ParallelOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ParallelOp::from_op(op);
        let ir = p.ir();
        p.text(" (");
        p.values(ir.block_args(view.region_block(ir)).iter().copied());
        for (word, values) in [
            (") = (", view.lower_bounds(ir)),
            (") to (", view.upper_bounds(ir)),
            (") step (", view.steps(ir)),
        ] {
            p.text(word);
            p.values(values);
        }
        p.text(")");
        let inits = view.init_vals(ir);
        if !inits.is_empty() {
            p.text(" init (");
            p.values(inits);
            p.text(") -> ");
            let results = view.results(ir);
            let parentheses = if results.len() == 1 {
                ("", "")
            } else {
                ("(", ")")
            };
            p.text(parentheses.0);
            p.types_of(results);
            p.text(parentheses.1);
        }
        p.text(" ");
        p.region(view.region(ir), EntryArgs::Hidden, LastOp::Shown);
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let index = ctx.index();
        p.expect(Tok::LParen)?;
        let names = p.parse_operand_list()?;
        p.expect(Tok::RParen)?;
        p.expect(Tok::Equal)?;
        let mut sizes: SmallVec<[i32; 4]> = SmallVec::new();
        for keyword in ["", "to", "step"] {
            if !keyword.is_empty() {
                p.expect_keyword(keyword)?;
            }
            p.expect(Tok::LParen)?;
            let operands = p.parse_operand_list()?;
            p.expect(Tok::RParen)?;
            resolve(p, state, &operands, &vec![index; operands.len()])?;
            sizes.push(operands.len() as i32);
        }
        let mut inits = 0;
        if p.eat_keyword("init") {
            p.expect(Tok::LParen)?;
            let operands = p.parse_operand_list()?;
            p.expect(Tok::RParen)?;
            p.expect(Tok::Arrow)?;
            let types = p.parse_result_types()?;
            resolve(p, state, &operands, &types)?;
            state.state.result_types.extend(types);
            inits = operands.len();
        }
        sizes.push(inits as i32);
        state.set_attr(
            ctx,
            ctx.ident("operandSegmentSizes"),
            ctx.dense_i32_attr(&sizes),
        );
        let args = block_args(&names, &vec![index; names.len()]);
        let region = p.parse_region(&args, Isolation::Shared)?;
        p.ensure_terminator(region, ReduceOp::DEF.name, Loc::UNKNOWN);
        state.regions.push(region);
        p.parse_attr_dict_into(state)
    }
}

impl Syntax for ReduceOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ReduceOp::from_op(op);
        let ir = p.ir();
        let operands = view.operands(ir);
        if !operands.is_empty() {
            p.text("(");
            p.values(operands.iter().copied());
            p.text(" : ");
            p.types_of(operands);
            p.text(")");
        }
        // The space is upstream's, regions or not.
        p.text(" ");
        for (index, &region) in view.reductions(ir).iter().enumerate() {
            p.text(if index > 0 { ", " } else { "" });
            p.region(region, EntryArgs::Shown, LastOp::Shown);
        }
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let mut count = 0;
        if p.eat(Tok::LParen) {
            let operands = p.parse_operand_list()?;
            let types = p.parse_colon_type_list()?;
            p.expect(Tok::RParen)?;
            resolve(p, state, &operands, &types)?;
            count = operands.len();
        }
        for index in 0..count {
            if index > 0 {
                p.expect(Tok::Comma)?;
            }
            state.regions.push(p.parse_region(&[], Isolation::Shared)?);
        }
        p.parse_attr_dict_into(state)
    }
}

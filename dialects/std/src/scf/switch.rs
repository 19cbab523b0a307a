//! `scf.index_switch` and `scf.execute_region`.

use super::{IfOp, YieldOp, Yields, types};
use crate::arith;
use crate::syntax::{ends_plainly, parse_results, print_results, resolve};
use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::constraint::{AnyType, DenseI64Attr, Index, UnitAttr};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, RegionBranch, RegionSuccessor, Verify};
use segra_ir::{Attr, Builder, Ir, Loc, Op, OpView, Region, op};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

use std::ops::Range;

/// One of several regions, by a number; what it yields are the results.
#[op(
    "scf.index_switch",
    traits(RecursiveEffects),
    interfaces(RegionBranch, Verify, Syntax, Eval)
)]
pub struct IndexSwitchOp {
    arg: Operand<Index>,
    /// The number of each case, each once.
    cases: Attr<DenseI64Attr>,
    /// Where no case fits.
    default_region: BlockRegion,
    /// One per case.
    case_regions: VariadicRegion,
    results: VariadicResult<AnyType>,
}

impl IndexSwitchOp {
    /// Replaces the op by branches, each in the other side of the one before, that ask for one case each. An op without cases
    /// stays.
    pub fn to_branches(self, ir: &mut Ir) {
        let (op, loc) = (self.op(), ir.loc(self.op()));
        let (number, results) = (self.arg(ir), types(ir, self.results(ir)));
        let mut pending = self
            .cases(ir)
            .into_iter()
            .zip(self.case_regions(ir).to_vec());
        let (mut next, mut inside, mut outermost) = (pending.next(), None, None);
        while let Some((case, region)) = next {
            next = pending.next();
            let mut b = match inside {
                None => Builder::before(ir, op),
                Some(block) => Builder::at_end(ir, block, loc),
            };
            let case = arith::ConstantOp::index(&mut b, case);
            let equal = arith::CmpIPredicate::Eq.attr(b.ctx());
            let here = arith::CmpIOp::build(&mut b, equal, number, case).result(b.ir);
            let branch = IfOp::build(&mut b, here, &results);
            let made = branch.results(b.ir);
            if inside.is_some() {
                YieldOp::build(&mut b, &made);
            }
            let otherwise = branch.else_region(ir);
            let then = branch.then_region(ir);
            ir.move_blocks(region, then);
            match next {
                Some(_) => inside = Some(ir.add_block(otherwise, &[])),
                None => {
                    let default = self.default_region(ir);
                    ir.move_blocks(default, otherwise);
                }
            }
            outermost.get_or_insert(made);
        }
        if let Some(results) = outermost {
            ir.replace_op(op, &results);
        }
    }
}

impl RegionBranch for IndexSwitchOp {
    fn successors(&self, ir: &Ir, op: Op, from: Option<Region>) -> Vec<RegionSuccessor> {
        match from {
            Some(_) => vec![RegionSuccessor::Parent],
            None => ir
                .regions(op)
                .iter()
                .map(|&region| RegionSuccessor::Region(region))
                .collect(),
        }
    }
    fn entry_successors(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Vec<RegionSuccessor> {
        let Some(number) = operands
            .first()
            .copied()
            .flatten()
            .and_then(|attr| attr.as_i64(ir.ctx()))
        else {
            return self.successors(ir, op, None);
        };
        let view = IndexSwitchOp::from_op(op);
        let case = view.cases(ir).iter().position(|&case| case == number);
        let region = case.and_then(|case| view.case_regions(ir).get(case).copied());
        vec![RegionSuccessor::Region(
            region.unwrap_or_else(|| view.default_region(ir)),
        )]
    }
    fn entry_forwarded(&self, _ir: &Ir, _op: Op, _to: RegionSuccessor) -> Range<usize> {
        0..0
    }
}

impl Verify for IndexSwitchOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = IndexSwitchOp::from_op(op);
        let cases = view.cases(ir);
        if cases.len() != view.case_regions(ir).len() {
            diags.error("needs one of `case_regions` per number in `cases`");
        }
        let mut sorted = cases;
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            diags.error("attribute `cases` must have each number only once");
        }
        let results = types(ir, view.results(ir));
        for &region in ir.regions(op) {
            let mut blocks = ir.blocks(region);
            if blocks.next().is_none() || blocks.next().is_some() {
                diags.error("each region needs exactly one block");
                continue;
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
}

impl Eval for IndexSwitchOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, segra_interp::Fault> {
        let cases = p
            .attr("cases")
            .and_then(|attr| attr.as_dense_i64(p.ir.ctx()));
        Ok(Prepared::other(cases.unwrap_or_default()))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let cases = inst.data::<Vec<i64>>().map_or(&[][..], Vec::as_slice);
        let chosen = |cx: &Cx<'_>, lane: usize| {
            let arg = cx.operand(inst, 0, lane).as_int();
            cases
                .iter()
                .position(|&case| Some(case) == arg)
                .map_or(0, |case| case + 1)
        };
        for (index, region) in inst.regions.iter().enumerate() {
            let (here, _) = lanes.partition(|lane| chosen(cx, lane) == index);
            if !here.is_empty() {
                cx.run_region_with(region, &[], &inst.results, &here)?;
            }
        }
        Ok(Flow::Next)
    }
}

/// Runs its region once; branches inside it stay inside it.
#[op(
    "scf.execute_region",
    traits(RecursiveEffects),
    interfaces(RegionBranch, Canonicalize, Verify, Syntax, Eval)
)]
pub struct ExecuteRegionOp {
    no_inline: OptionalAttr<UnitAttr>,
    region: AnyRegion,
    results: VariadicResult<AnyType>,
}

impl RegionBranch for ExecuteRegionOp {
    fn successors(&self, ir: &Ir, op: Op, from: Option<Region>) -> Vec<RegionSuccessor> {
        match from {
            Some(_) => vec![RegionSuccessor::Parent],
            None => vec![RegionSuccessor::Region(
                ExecuteRegionOp::from_op(op).region(ir),
            )],
        }
    }
    fn is_kept(&self, ir: &Ir, op: Op) -> bool {
        ir.attr_named(op, "no_inline").is_some()
    }
    fn entry_forwarded(&self, _ir: &Ir, _op: Op, _to: RegionSuccessor) -> Range<usize> {
        0..0
    }
}

impl Verify for ExecuteRegionOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ExecuteRegionOp::from_op(op);
        let Some(entry) = ir.entry_block(view.region(ir)) else {
            diags.error("needs at least one block in its region");
            return;
        };
        if !ir.block_args(entry).is_empty() {
            diags.error("its region must not have arguments");
        }
        let results = types(ir, view.results(ir));
        let ends = ir
            .blocks(view.region(ir))
            .filter_map(|block| ir.last_op(block));
        for last in ends.filter(|&last| ir.isa::<YieldOp>(last)) {
            if types(ir, ir.operands(last)) != results {
                diags
                    .error("must hand the results values of their types at the end of the region")
                    .note(ir.loc(last), "the region ends here");
            }
        }
    }
}

impl Eval for ExecuteRegionOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.run_region_with(&inst.regions[0], &[], &inst.results, lanes)?;
        Ok(Flow::Next)
    }
}

impl Syntax for IndexSwitchOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = IndexSwitchOp::from_op(op);
        view.cases(ir).len() == view.case_regions(ir).len()
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = IndexSwitchOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.value(view.arg(ir));
        p.attr_dict(op, &["cases"]);
        if ir.num_results(op) > 0 {
            p.text(" -> ");
            p.types_of(ir.results(op));
        }
        // The space is upstream's.
        p.text(" ");
        for (number, &region) in view.cases(ir).into_iter().zip(view.case_regions(ir)) {
            p.line();
            p.text("case ");
            p.integer(number);
            p.text(" ");
            p.region(region, EntryArgs::Hidden, LastOp::Shown);
        }
        p.line();
        p.text("default ");
        let region = view.default_region(ir);
        let last = match ends_plainly(ir, region) {
            true => LastOp::Hidden,
            false => LastOp::Shown,
        };
        p.region(region, EntryArgs::Hidden, last);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let arg = p.parse_operand()?;
        resolve(p, state, &[arg], &[ctx.index()])?;
        p.parse_attr_dict_into(state)?;
        if p.eat(Tok::Arrow) {
            state.state.result_types.extend(p.parse_type_list()?);
        }
        let (mut numbers, mut regions) = (Vec::new(), Vec::new());
        while p.eat_keyword("case") {
            let at = p.pos();
            let Some(number) = p.parse_optional_integer()? else {
                return Err(p.expected("the number of a case"));
            };
            if numbers.contains(&number) {
                return Err(
                    p.error_at(at, format!("case {number} stands here for the second time"))
                );
            }
            numbers.push(number);
            regions.push(parse_case(p)?);
        }
        if !p.eat_keyword("default") {
            return Err(p.expected("'case' or 'default'"));
        }
        state.regions.push(parse_case(p)?);
        state.regions.extend(regions);
        state.set_attr(ctx, ctx.ident("cases"), ctx.dense_i64_attr(&numbers));
        Ok(())
    }
}

fn parse_case(p: &mut Parser<'_>) -> ParseResult<Region> {
    let region = p.parse_region(&[], Isolation::Shared)?;
    p.ensure_terminator(region, YieldOp::DEF.name, Loc::UNKNOWN);
    Ok(region)
}

impl Syntax for ExecuteRegionOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ExecuteRegionOp::from_op(op);
        let ir = p.ir();
        print_results(p, op);
        p.text(" ");
        if view.no_inline(ir).is_some() {
            p.text("no_inline ");
        }
        p.region(view.region(ir), EntryArgs::Hidden, LastOp::Shown);
        p.attr_dict(op, &["no_inline"]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        parse_results(p, state)?;
        if p.eat_keyword("no_inline") {
            state.set_attr(ctx, ctx.ident("no_inline"), ctx.unit());
        }
        state.regions.push(p.parse_region(&[], Isolation::Shared)?);
        p.parse_attr_dict_into(state)
    }
}

//! `cf`: branches between blocks, and run-time checks.
//!
//! Segra's own programs are structured; this is for programs that come from elsewhere.

use crate::arith::SelectOp;
use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::attrs::Splat;
use segra_ir::constraint::{
    AnyType, AttrAccess, AttrConstraint, Bool, DenseI32Attr, StrAttr, TypeConstraint,
};
use segra_ir::def::Origin;
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    BranchLike, Canonicalize, Effect, EffectKind, Effects, Forwarded, Rewriter, Verify,
    constant_of, values_behind,
};
use segra_ir::{
    Attr, AttrKind, Block, Builder, Context, Dialect, Ir, Op, OpDef, OpView, Type, Value, op,
};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

const OPS: &[&OpDef] = &[
    AssertOp::DEF,
    BranchOp::DEF,
    CondBranchOp::DEF,
    SwitchOp::DEF,
];

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "cf",
        origin: Origin::Upstream,
        doc: "Branches between blocks, and run-time checks.",
        ops: OPS.to_vec(),
        ..Dialect::default()
    }
}

/// Stops the program with a message if a condition does not hold.
#[op(
    "cf.assert",
    interfaces(Effects, Canonicalize, Eval),
    format = "$arg `,` $msg attr-dict"
)]
pub struct AssertOp {
    arg: Operand<Bool>,
    msg: Attr<StrAttr>,
}

impl Canonicalize for AssertOp {
    /// A check that always holds is none.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let holds = constant_of(ir, ir.operand(op, 0)).and_then(|attr| attr.as_integer(ir.ctx()));
        let holds = holds.is_some_and(|bit| bit != 0);
        if holds {
            rewriter.erase_op(op);
        }
        holds
    }
}

impl Effects for AssertOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Eval for AssertOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, segra_interp::Fault> {
        let message = p
            .attr("msg")
            .and_then(|attr| attr.as_str(p.ir.ctx()))
            .unwrap_or_default();
        Ok(Prepared::other(message.to_owned()))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            if cx.int(inst, 0, lane)? & 1 == 0 {
                let message = inst.data::<String>().map_or("", String::as_str);
                return Err(cx.error(inst, format!("failed: {message}")));
            }
        }
        Ok(Flow::Next)
    }
}

/// Goes to a block.
#[op(
    "cf.br",
    traits(Pure, Terminator),
    interfaces(BranchLike, Canonicalize, Eval),
    format = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict"
)]
pub struct BranchOp {
    dest_operands: VariadicOperand<AnyType>,
    dest: Successor,
}

impl BranchLike for BranchOp {
    fn forwarded(&self, ir: &Ir, op: Op) -> Forwarded {
        std::iter::once(0..ir.num_operands(op)).collect()
    }
    fn set_forwarded(&self, ir: &mut Ir, op: Op, handed: &[Vec<Value>]) {
        ir.set_operands(op, &handed[0]);
    }
}

/// Where a branch to `through` ends up, if that block does nothing but branch on, and with what instead of `handed`.
fn passed_through(ir: &Ir, through: Block, handed: &[Value]) -> Option<(Block, Vec<Value>)> {
    let (next, last) = (only_branches_to(ir, through)?, ir.last_op(through)?);
    let only_handed_on = ir
        .block_args(through)
        .iter()
        .all(|&arg| ir.users(arg).all(|user| user == last));
    if !only_handed_on || goes_in_circles(ir, through) {
        return None;
    }
    Some((next, values_behind(ir, through, handed, ir.operands(last))))
}

/// The block a block that does nothing but branch goes to.
fn only_branches_to(ir: &Ir, block: Block) -> Option<Block> {
    let last = ir
        .last_op(block)
        .filter(|&last| ir.first_op(block) == Some(last))?;
    ir.successors(ir.cast::<BranchOp>(last)?.op())
        .first()
        .copied()
}

/// Whether blocks that do nothing but branch lead back to one of them: to go past them would never end. An operand that is still
/// not out of them after a few steps counts as such.
fn goes_in_circles(ir: &Ir, from: Block) -> bool {
    const STEPS: usize = 16;
    let (mut seen, mut at) = (vec![from], from);
    while let Some(next) = only_branches_to(ir, at) {
        if seen.contains(&next) || seen.len() == STEPS {
            return true;
        }
        seen.push(next);
        at = next;
    }
    false
}

/// Sends a branch past blocks that do nothing but branch on, all its ways at once.
fn pass_through(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some(model) = ir.interface::<dyn BranchLike>(op) else {
        return false;
    };
    let (mut blocks, mut handed) = (ir.successors(op).to_vec(), model.successor_operands(ir, op));
    let mut changed = false;
    for (block, values) in blocks.iter_mut().zip(&mut handed) {
        if let Some(next) = passed_through(ir, *block, values) {
            (*block, *values) = next;
            changed = true;
        }
    }
    if changed {
        rewriter.modify(op, &mut |ir| {
            model.set_forwarded(ir, op, &handed);
            ir.set_successors(op, &blocks);
        });
    }
    changed
}

impl Canonicalize for BranchOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        pass_through(rewriter, op)
    }
}

/// Whether control never comes to the end of the block.
fn is_unreachable(ir: &Ir, block: Block) -> bool {
    ir.first_op(block)
        .is_some_and(|first| ir.isa::<crate::ub::UnreachableOp>(first))
}

impl Eval for BranchOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Branch(0))
    }
}

/// Goes to one of two blocks, by a condition.
#[op(
    "cf.cond_br",
    traits(Pure, Terminator),
    interfaces(BranchLike, Canonicalize, Verify, Eval),
    format = "$condition (`weights` `(` $branch_weights^ `)`)? `,` $true_dest (`(` $true_operands^ `:` type($true_operands) `)`)? `,`
               $false_dest (`(` $false_operands^ `:` type($false_operands) `)`)? attr-dict"
)]
pub struct CondBranchOp {
    condition: Operand<Bool>,
    true_operands: VariadicOperand<AnyType>,
    false_operands: VariadicOperand<AnyType>,
    /// How often each successor is taken, relative to the other.
    branch_weights: OptionalAttr<DenseI32Attr>,
    true_dest: Successor,
    false_dest: Successor,
}

impl BranchLike for CondBranchOp {
    fn forwarded(&self, ir: &Ir, op: Op) -> Forwarded {
        Forwarded::from_iter([1, 2].map(|group| ir.operand_group(op, group)))
    }
    fn set_forwarded(&self, ir: &mut Ir, op: Op, handed: &[Vec<Value>]) {
        for (group, values) in (1..).zip(handed) {
            ir.set_operand_group(op, group, values);
        }
    }
    fn known_successor(&self, ir: &Ir, _op: Op, operands: &[Option<Attr>]) -> Option<usize> {
        let condition = operands.first().copied().flatten()?.as_integer(ir.ctx())?;
        Some(usize::from(condition == 0))
    }
    fn implied(&self, ir: &Ir, op: Op, index: usize) -> Option<(Value, Attr)> {
        Some((ir.operand(op, 0), ir.ctx().bool_attr(index == 0)))
    }
    fn build_joined(&self, b: &mut Builder<'_>, op: Op) -> bool {
        let dest = b.ir.successors(op)[0];
        let condition = b.ir.operand(op, 0);
        let passed = self.successor_operands(b.ir, op);
        let mut values = Vec::new();
        for (&yes, &no) in passed[0].iter().zip(&passed[1]) {
            values.push(if yes == no {
                yes
            } else {
                SelectOp::build(b, condition, yes, no).result(b.ir)
            });
        }
        BranchOp::build(b, &values, dest);
        true
    }
}

impl Verify for CondBranchOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let Some(weights) = CondBranchOp::from_op(op).branch_weights(ir) else {
            return;
        };
        if weights.len() != 2 {
            diags.error("attribute `branch_weights` needs one number per successor");
        } else if weights.iter().all(|&weight| weight == 0) {
            diags.error("attribute `branch_weights` must have a number other than 0");
        }
    }
}

impl Canonicalize for CondBranchOp {
    /// A branch whose condition is known, or whose two ways are one, needs no condition.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let known = self.known_successor(ir, op, &[constant_of(ir, ir.operand(op, 0))]);
        let blocks = [ir.successors(op)[0], ir.successors(op)[1]];
        let passed = self.successor_operands(ir, op);
        let same = blocks[0] == blocks[1] && passed[0] == passed[1];
        let only = blocks
            .iter()
            .position(|&block| is_unreachable(ir, block))
            .map(|index| 1 - index);
        let Some(chosen) = known.or_else(|| same.then_some(0)).or(only) else {
            return pass_through(rewriter, op);
        };
        rewriter.replace_with(op, |b| {
            BranchOp::build(b, &passed[chosen], blocks[chosen]);
            []
        });
        true
    }
}

impl Eval for CondBranchOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        // Regions with branches run one lane at a time.
        let Some(lane) = lanes.single() else {
            return Err(cx.error(inst, "cannot branch for several lanes at once"));
        };
        Ok(Flow::Branch(usize::from(cx.int(inst, 0, lane)? & 1 == 0)))
    }
}

/// An integer of any signedness.
#[derive(Clone, Copy, Debug)]
pub struct SwitchFlag;

impl TypeConstraint for SwitchFlag {
    fn describe(&self) -> &'static str {
        "an integer"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty.integer_width(ctx).is_some()
    }
}

/// The numbers a `cf.switch` compares with: dense integers.
#[derive(Clone, Copy, Debug)]
pub struct CaseValuesAttr;

impl AttrConstraint for CaseValuesAttr {
    fn describe(&self) -> &'static str {
        "dense elements of integer type"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        CaseValuesAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for CaseValuesAttr {
    type Value<'a> = Vec<i64>;
    fn read(ctx: &Context, attr: Attr) -> Option<Vec<i64>> {
        let AttrKind::DenseElements { ty, data, splat } = ctx.attr_kind(attr) else {
            return None;
        };
        let (shape, element) = ty.shaped(ctx)?;
        let bytes = bytes_of(ctx, element)?;
        let mut values: Vec<i64> = data.chunks(bytes).map(number).collect();
        if *splat == Splat::Yes {
            let count = shape
                .iter()
                .try_fold(1usize, |all, &n| all.checked_mul(usize::try_from(n).ok()?))?;
            // A splat may stand for more values than memory has space for; no switch has that many successors.
            values = vec![*values.first()?; count.min(1 << 20)];
        }
        Some(values)
    }
}

/// The value of one case, read alone: a switch has as many as it likes.
fn case_value(ctx: &Context, attr: Attr, index: usize) -> Option<i64> {
    let AttrKind::DenseElements { ty, data, splat } = ctx.attr_kind(attr) else {
        return None;
    };
    let index = if *splat == Splat::Yes { 0 } else { index };
    let bytes = bytes_of(ctx, ty.shaped(ctx)?.1)?;
    data.get(index.checked_mul(bytes)?..)
        .filter(|rest| !rest.is_empty())
        .map(|rest| number(&rest[..bytes.min(rest.len())]))
}

/// Bytes of an element of dense elements.
fn bytes_of(ctx: &Context, element: Type) -> Option<usize> {
    Some((element.integer_width(ctx)? as usize).div_ceil(8).max(1))
}

/// A little-endian number, its sign extended.
fn number(chunk: &[u8]) -> i64 {
    let fill = if chunk.last().is_some_and(|byte| byte & 0x80 != 0) {
        0xFF
    } else {
        0
    };
    let mut word = [fill; 8];
    let kept = chunk.len().min(8);
    word[..kept].copy_from_slice(&chunk[..kept]);
    i64::from_le_bytes(word)
}

/// Goes to the block of the case a number equals, else to the default one.
#[op(
    "cf.switch",
    traits(Pure, Terminator),
    interfaces(BranchLike, Canonicalize, Verify, Syntax, Eval)
)]
pub struct SwitchOp {
    flag: Operand<SwitchFlag>,
    default_operands: VariadicOperand<AnyType>,
    /// The values of all cases, one after the other.
    case_operands: VariadicOperand<AnyType>,
    case_values: OptionalAttr<CaseValuesAttr>,
    /// How many of the values go to each case.
    case_operand_segments: Attr<DenseI32Attr>,
    default_destination: Successor,
    case_destinations: VariadicSuccessor,
}

impl BranchLike for SwitchOp {
    fn forwarded(&self, ir: &Ir, op: Op) -> Forwarded {
        let cases = ir.operand_group(op, 2);
        let sizes = SwitchOp::from_op(op).case_operand_segments(ir);
        let mut at = cases.start;
        // Sizes that do not fit are an error of their own.
        let count = ir.successors(op).len().saturating_sub(1);
        let ranges = sizes
            .into_iter()
            .chain(std::iter::repeat(0))
            .take(count)
            .map(|size| {
                let start = at;
                at = start.saturating_add(size.max(0) as usize).min(cases.end);
                start..at
            });
        std::iter::once(ir.operand_group(op, 1))
            .chain(ranges)
            .collect()
    }
    fn set_forwarded(&self, ir: &mut Ir, op: Op, handed: &[Vec<Value>]) {
        let Some((default, cases)) = handed.split_first() else {
            return;
        };
        let sizes: Vec<i32> = cases.iter().map(|values| values.len() as i32).collect();
        let sizes = ir.ctx().dense_i32_attr(&sizes);
        ir.set_operand_group(op, 1, default);
        ir.set_operand_group(op, 2, &cases.concat());
        ir.set_attr_named(op, "case_operand_segments", Some(sizes));
    }
    fn known_successor(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Option<usize> {
        let flag = operands.first().copied().flatten()?.as_i64(ir.ctx())?;
        let values = SwitchOp::from_op(op).case_values(ir).unwrap_or_default();
        Some(
            values
                .iter()
                .position(|&value| value == flag)
                .map_or(0, |case| case + 1),
        )
    }
    fn implied(&self, ir: &Ir, op: Op, index: usize) -> Option<(Value, Attr)> {
        let view = SwitchOp::from_op(op);
        let case = case_value(ir.ctx(), view.case_values_attr(ir)?, index.checked_sub(1)?)?;
        Some((
            view.flag(ir),
            ir.ctx().int_attr(case.into(), ir.value_type(view.flag(ir))),
        ))
    }
}

impl Canonicalize for SwitchOp {
    /// A switch whose way is known is a branch; cases that do what the default does go.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let known = self.known_successor(ir, op, &[constant_of(ir, ir.operand(op, 0))]);
        let count = ir.successors(op).len();
        if let Some(chosen) = known.or((count == 1).then_some(0)) {
            let block = ir.successors(op)[chosen];
            let values = self.successor_operands(ir, op).swap_remove(chosen);
            rewriter.replace_with(op, |b| {
                BranchOp::build(b, &values, block);
                []
            });
            return true;
        }
        drop_default_cases(rewriter, op) || pass_through(rewriter, op)
    }
}

fn drop_default_cases(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = SwitchOp::from_op(op);
    let handed = view.successor_operands(ir, op);
    let default = (ir.successors(op)[0], &handed[0]);
    let keep: Vec<usize> = (1..ir.successors(op).len())
        .filter(|&index| (ir.successors(op)[index], &handed[index]) != default)
        .collect();
    let count = ir.successors(op).len() - 1;
    let values = view.case_values(ir).unwrap_or_default();
    if keep.len() == count || values.len() != count {
        return false;
    }
    let kept_ways = || std::iter::once(0).chain(keep.iter().copied());
    let blocks: Vec<Block> = kept_ways().map(|index| ir.successors(op)[index]).collect();
    let handed: Vec<Vec<Value>> = kept_ways().map(|index| handed[index].clone()).collect();
    let flag = ir.value_type(view.flag(ir));
    let kept: Vec<i64> = keep.iter().map(|&index| values[index - 1]).collect();
    let values = case_values(&ctx, flag, &kept);
    rewriter.modify(op, &mut |ir| {
        SwitchOp::from_op(op).set_forwarded(ir, op, &handed);
        ir.set_attr_named(op, "case_values", values);
        ir.set_successors(op, &blocks);
    });
    true
}

/// The attribute of the numbers of all cases; none where there are none.
fn case_values(ctx: &Context, flag: Type, numbers: &[i64]) -> Option<Attr> {
    let width = bytes_of(ctx, flag)?.min(8);
    let all_same = numbers.windows(2).all(|pair| pair[0] == pair[1]);
    let stored = if all_same {
        &numbers[..numbers.len().min(1)]
    } else {
        numbers
    };
    let data: Vec<u8> = stored
        .iter()
        .flat_map(|value| value.to_le_bytes()[..width].to_vec())
        .collect();
    let ty = ctx.vector(&[numbers.len() as i64], flag);
    let splat = if all_same { Splat::Yes } else { Splat::No };
    (!numbers.is_empty()).then(|| ctx.attr(AttrKind::DenseElements { ty, data, splat }))
}

impl Verify for SwitchOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = SwitchOp::from_op(op);
        let destinations = view.case_destinations(ir).len();
        let segments = view.case_operand_segments(ir);
        if segments.iter().any(|&size| size < 0)
            || segments.iter().sum::<i64>() != view.case_operands(ir).len() as i64
        {
            diags.error("attribute `case_operand_segments` must add up to the `case_operands`");
        } else if segments.len() != destinations {
            diags.error("attribute `case_operand_segments` needs one number per case");
        }
        let Some(values) = view.case_values_attr(ir) else {
            if destinations != 0 {
                diags.error("with cases needs the attribute `case_values`");
            }
            return;
        };
        let element = values.ty(ir.ctx()).map(|ty| ty.element_or_self(ir.ctx()));
        if element != Some(ir.value_type(view.flag(ir))) {
            diags.error("attribute `case_values` must have elements of the type of operand `flag`");
        }
        if view
            .case_values(ir)
            .is_none_or(|values| values.len() != destinations)
        {
            diags.error("attribute `case_values` needs one value per case");
        }
    }
}

impl Eval for SwitchOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, segra_interp::Fault> {
        let values = p
            .attr("case_values")
            .and_then(|attr| CaseValuesAttr::read(p.ir.ctx(), attr));
        Ok(Prepared::other(values.unwrap_or_default()))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(lane) = lanes.single() else {
            return Err(cx.error(inst, "cannot branch for several lanes at once"));
        };
        let flag = cx.int(inst, 0, lane)?;
        let width = inst.operand_elem.and_then(|elem| elem.int_width());
        let same = |value: i64| width.map_or(value, |width| width.wrap(value)) == flag;
        let case = inst
            .data::<Vec<i64>>()
            .and_then(|values| values.iter().position(|&value| same(value)));
        Ok(Flow::Branch(case.map_or(0, |case| case + 1)))
    }
}

/// The bits of a number of `width` bits.
fn low_bits(number: i64, width: u32) -> u64 {
    let unused = 64 - width.clamp(1, 64);
    (number as u64) << unused >> unused
}

impl Syntax for SwitchOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = SwitchOp::from_op(op);
        let ctx = ir.ctx();
        let flag = ir.value_type(view.flag(ir));
        let cases = view.case_destinations(ir).len();
        let segments = view.case_operand_segments(ir);
        let values = view.case_values_attr(ir);
        let numbers = view.case_values(ir).unwrap_or_default();
        let element = values.and_then(|attr| Some(attr.ty(ctx)?.element_or_self(ctx)));
        flag.integer_width(ctx).is_some_and(|width| width <= 64)
            && element.is_none_or(|element| element == flag)
            && values.is_some() == (cases > 0)
            && numbers.len() == cases
            && segments.len() == cases
            && segments.iter().all(|&size| size >= 0)
            && segments.iter().sum::<i64>() == view.case_operands(ir).len() as i64
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = SwitchOp::from_op(op);
        let ir = p.ir();
        let flag = ir.value_type(view.flag(ir));
        let width = flag.integer_width(ir.ctx()).unwrap_or(64);
        p.text(" ");
        p.value(view.flag(ir));
        p.text(" : ");
        p.ty(flag);
        p.text(", [");
        p.line();
        p.text("  default: ");
        let handed = self.successor_operands(ir, op);
        let blocks = ir.successors(op);
        print_successor(p, blocks[0], &handed[0]);
        let numbers = view.case_values(ir).unwrap_or_default();
        for (index, number) in numbers.iter().enumerate() {
            p.text(",");
            p.line();
            p.text(&format!("  {}: ", low_bits(*number, width)));
            print_successor(p, blocks[index + 1], &handed[index + 1]);
        }
        if !numbers.is_empty() {
            p.line();
        }
        p.text("]");
        p.attr_dict(op, &["case_values", "case_operand_segments"]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let flag = p.parse_operand()?;
        let at = p.pos();
        let ty = p.parse_colon_type()?;
        let Some(width) = ty.integer_width(ctx).filter(|&width| width <= 64) else {
            return Err(p.error_at(
                at,
                "the flag of a switch must be an integer of at most 64 bits",
            ));
        };
        crate::syntax::resolve(p, state, &[flag], &[ty])?;
        p.parse_comma()?;
        p.expect(Tok::LSquare)?;
        p.expect_keyword("default")?;
        p.expect(Tok::Colon)?;
        let (block, handed) = p.parse_successor_and_args()?;
        state.state.successors.push(block);
        state.state.operands.extend(handed.iter().copied());
        let (mut numbers, mut sizes, mut values) = (Vec::new(), Vec::new(), Vec::new());
        while p.eat(Tok::Comma) {
            numbers.push(parse_case(p, ty, width)?);
            p.expect(Tok::Colon)?;
            let (block, handed) = p.parse_successor_and_args()?;
            state.state.successors.push(block);
            sizes.push(handed.len() as i32);
            values.extend(handed);
        }
        if !p.eat(Tok::RSquare) {
            return Err(p.expected("',' or ']'"));
        }
        crate::syntax::set_segments(p, state, &[1, handed.len(), values.len()]);
        state.state.operands.extend(values);
        let segments = ctx.dense_i32_attr(&sizes);
        state.set_attr(ctx, ctx.ident("case_operand_segments"), segments);
        if let Some(numbers) = case_values(ctx, ty, &numbers) {
            state.set_attr(ctx, ctx.ident("case_values"), numbers);
        }
        p.parse_attr_dict_into(state)
    }
}

/// The number of a case: with a sign, or the bits of one as a number without; `true` or `false` of one bit.
fn parse_case(p: &mut Parser<'_>, ty: Type, width: u32) -> ParseResult<i64> {
    let at = p.pos();
    if width == 1 && p.eat_keyword("true") {
        return Ok(1);
    }
    if width == 1 && p.eat_keyword("false") {
        return Ok(0);
    }
    let negative = p.at(Tok::Minus);
    if !negative && !p.at(Tok::Integer) {
        return Err(p.expected("the number of a case"));
    }
    let bits = match negative {
        true => p.parse_integer()? as u64,
        false => p.parse_bits64()?,
    };
    let unused = 64 - width.max(1);
    let signed = (bits << unused) as i64 >> unused;
    let fits = if negative {
        signed as u64 == bits
    } else {
        low_bits(bits as i64, width) == bits
    };
    if !fits {
        let flag = segra_text::print_type(p.ctx(), ty);
        return Err(p.error_at(
            at,
            format!("this case is no number of the flag's type `{flag}`"),
        ));
    }
    // As dense elements are stored: integers of one bit without sign.
    Ok(if width == 1 { signed & 1 } else { signed })
}

/// `^bb1(%a, %b : type, type)`
fn print_successor(p: &mut Printer<'_>, block: Block, handed: &[Value]) {
    p.successor(block);
    if !handed.is_empty() {
        p.text("(");
        p.values(handed.iter().copied());
        p.text(" : ");
        p.types_of(handed.iter().copied());
        p.text(")");
    }
}

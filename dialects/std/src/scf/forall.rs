//! `scf.forall`: a parallel loop whose iterations put their parts of tensors together.

use super::types;
use crate::syntax::{
    Names, assignments, block_args, ends_plainly, print_assignments, resolve, resolve_indices,
    set_segments,
};
use segra_ir::constraint::{AnyType, ArrayAttr, DenseI64Attr, Index, RankedTensor};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, LoopLike, Verify};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Context, Ir, Loc, Op, OpView, Region, Type, Value, op};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{BlockArg, IndexList, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

use smallvec::{SmallVec, smallvec};

/// A loop nest whose iterations may run in any order; each may insert into the outputs, at its end. It has no evaluation
/// rule here: tensors are not computed with.
#[op(
    "scf.forall",
    traits(RecursiveEffects, AllocationScope),
    interfaces(LoopLike, Canonicalize, Verify, Syntax)
)]
pub struct ForallOp {
    dynamic_lower_bound: VariadicOperand<Index>,
    dynamic_upper_bound: VariadicOperand<Index>,
    dynamic_step: VariadicOperand<Index>,
    outputs: VariadicOperand<RankedTensor>,
    #[name("staticLowerBound")]
    static_lower_bound: Attr<DenseI64Attr>,
    #[name("staticUpperBound")]
    static_upper_bound: Attr<DenseI64Attr>,
    #[name("staticStep")]
    static_step: Attr<DenseI64Attr>,
    /// Which unit of the machine runs which dimension.
    mapping: OptionalAttr<ArrayAttr>,
    /// Arguments: one index per dimension, then the outputs.
    region: BlockRegion,
    results: VariadicResult<AnyType>,
}

/// The device unit that an entry of a mapping names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MappingRole {
    /// Which unit, or which memory.
    Unit,
    /// Which of the units.
    Mask,
}

impl MappingRole {
    /// Told by name, since the dialect of devices is not known here and need not be registered.
    fn of(ctx: &Context, attr: Attr) -> Option<MappingRole> {
        match attr.dialect_name(ctx)? {
            ("gpu", "mask") => Some(MappingRole::Mask),
            ("gpu", "block" | "lane" | "memory_space" | "thread" | "warp" | "warpgroup") => {
                Some(MappingRole::Unit)
            }
            _ => None,
        }
    }
}

impl LoopLike for ForallOp {
    fn loop_regions(&self, ir: &Ir, op: Op) -> SmallVec<[Region; 2]> {
        smallvec![ForallOp::from_op(op).region(ir)]
    }
    fn induction_vars(&self, ir: &Ir, op: Op) -> Vec<Value> {
        let view = ForallOp::from_op(op);
        let rank = view.static_upper_bound(ir).len();
        ir.block_args(view.region_block(ir))
            .iter()
            .copied()
            .take(rank)
            .collect()
    }
}

impl Verify for ForallOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ForallOp::from_op(op);
        let rank = view.static_upper_bound(ir).len();
        let outputs = types(ir, view.outputs(ir));
        if types(ir, view.results(ir)) != outputs {
            diags.error("results must have the types of operands `outputs`");
        }
        let args = types(ir, ir.block_args(view.region_block(ir)).iter().copied());
        if args.len() != rank + outputs.len() {
            diags.error("the body needs an argument per dimension and per output");
        } else {
            if args[..rank].iter().any(|ty| !ty.is_index(ir.ctx())) {
                diags.error("the body's first arguments must be of type index");
            }
            if args[rank..] != outputs[..] {
                diags.error("the body's other arguments must have the types of operands `outputs`");
            }
        }
        let mapping = view.mapping(ir).unwrap_or_default();
        let roles: Vec<Option<MappingRole>> = mapping
            .iter()
            .map(|&attr| MappingRole::of(ir.ctx(), attr))
            .collect();
        if roles.contains(&None) {
            diags.error("attribute `mapping` must say of a device what runs a dimension");
        }
        // One more entry may say which units take part: a mask.
        let mask = Some(MappingRole::Mask);
        let masks = roles.iter().filter(|&&role| role == mask).count();
        if masks > 1 {
            diags.error("attribute `mapping` may have one mask, not more");
        }
        if !mapping.is_empty() && mapping.len() - masks != rank {
            diags.error("attribute `mapping` needs one entry per dimension");
        }
        for (name, fixed, given) in [
            (
                "lower bound",
                view.static_lower_bound(ir),
                view.dynamic_lower_bound(ir),
            ),
            (
                "upper bound",
                view.static_upper_bound(ir),
                view.dynamic_upper_bound(ir),
            ),
            ("step", view.static_step(ir), view.dynamic_step(ir)),
        ] {
            let open = fixed.iter().filter(|&&value| value == DYNAMIC).count();
            if fixed.len() != rank || open != given.len() {
                diags.error(format!(
                    "needs one {name} per dimension, fixed or as an operand"
                ));
            }
        }
        let last = ir.last_op(view.region_block(ir));
        if !last.is_some_and(|last| ir.isa::<InParallelOp>(last)) {
            diags.error("the body must end with scf.forall.in_parallel");
        }
    }
}

/// Ends the body of `scf.forall`: what each iteration inserts into the outputs.
#[op(
    "scf.forall.in_parallel",
    traits(Pure, Terminator, NoTerminator, GraphRegion),
    interfaces(Verify, Syntax)
)]
pub struct InParallelOp {
    region: BlockRegion,
}

impl Verify for InParallelOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<ForallOp>(parent))
        {
            diags.error("must end the body of scf.forall");
        }
        let view = InParallelOp::from_op(op);
        // Ops that are not registered may be combining ones.
        if let Some(other) = ir
            .ops(view.region_block(ir))
            .find(|&inner| ir.info(inner).is_some())
        {
            diags
                .error("may only hold ops that combine results of iterations")
                .note(ir.loc(other), "this one does not");
        }
    }
}

/// The attributes that the bounds of `scf.forall` are made of.
const BOUNDS: [&str; 3] = ["staticLowerBound", "staticUpperBound", "staticStep"];

/// `(%a, 4, %b)`
fn print_bound(p: &mut Printer<'_>, fixed: &[i64], open: &[Value]) {
    p.text("(");
    p.indices(fixed, open);
    p.text(")");
}

impl ForallOp {
    /// Whether all indices go from 0 on by 1: their upper bounds say it all.
    fn is_normalized(self, ir: &Ir) -> bool {
        self.static_lower_bound(ir).iter().all(|&bound| bound == 0)
            && self.static_step(ir).iter().all(|&step| step == 1)
    }
}

impl Syntax for ForallOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = ForallOp::from_op(op);
        let fits = |fixed: Vec<i64>, open: usize| {
            fixed.len() == view.static_upper_bound(ir).len()
                && fixed.iter().filter(|&&bound| bound == DYNAMIC).count() == open
        };
        let args = ir.block_args(view.region_block(ir)).len();
        fits(
            view.static_lower_bound(ir),
            view.dynamic_lower_bound(ir).len(),
        ) && fits(
            view.static_upper_bound(ir),
            view.dynamic_upper_bound(ir).len(),
        ) && fits(view.static_step(ir), view.dynamic_step(ir).len())
            && args == view.static_upper_bound(ir).len() + view.outputs(ir).len()
            && types(ir, view.outputs(ir)) == types(ir, view.results(ir))
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ForallOp::from_op(op);
        let ir = p.ir();
        let upper = view.static_upper_bound(ir);
        let (indices, outputs) = ir.block_args(view.region_block(ir)).split_at(upper.len());
        p.text(" (");
        p.values(indices.iter().copied());
        p.text(if view.is_normalized(ir) {
            ") in "
        } else {
            ") = "
        });
        if !view.is_normalized(ir) {
            print_bound(
                p,
                &view.static_lower_bound(ir),
                &view.dynamic_lower_bound(ir),
            );
            p.text(" to ");
        }
        print_bound(p, &upper, &view.dynamic_upper_bound(ir));
        if !view.is_normalized(ir) {
            p.text(" step ");
            print_bound(p, &view.static_step(ir), &view.dynamic_step(ir));
        }
        let region = view.region(ir);
        let last = match outputs.is_empty() && ends_with_nothing(ir, region) {
            true => LastOp::Hidden,
            false => LastOp::Shown,
        };
        if !outputs.is_empty() {
            p.text(" shared_outs");
            print_assignments(p, outputs, &view.outputs(ir));
            p.text(" -> (");
            p.types_of(ir.results(op));
            p.text(")");
        }
        p.text(" ");
        p.region(region, EntryArgs::Hidden, last);
        p.attr_dict(op, &BOUNDS);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let (mut names, at) = (Names::new(), p.pos());
        p.parse_list(Tok::LParen, Tok::RParen, |p| {
            names.push(p.parse_operand()?);
            Ok(())
        })?;
        let rank = names.len();
        let all = |number: i64| IndexList {
            numbers: vec![number; rank],
            operands: Names::new(),
        };
        let bounds = if p.eat_keyword("in") {
            [
                all(0),
                p.parse_index_list(Tok::LParen, Tok::RParen)?,
                all(1),
            ]
        } else {
            if !p.eat(Tok::Equal) {
                return Err(p.expected("'in' or '='"));
            }
            let lower = p.parse_index_list(Tok::LParen, Tok::RParen)?;
            p.expect_keyword("to")?;
            let upper = p.parse_index_list(Tok::LParen, Tok::RParen)?;
            p.expect_keyword("step")?;
            [lower, upper, p.parse_index_list(Tok::LParen, Tok::RParen)?]
        };
        if let Some(bound) = bounds.iter().find(|bound| bound.numbers.len() != rank) {
            let count = bound.numbers.len();
            let message = format!("{rank} indices need {rank} bounds, {count} are given");
            return Err(p.error_at(at, message));
        }
        let mut outputs = Names::new();
        if p.eat_keyword("shared_outs") {
            let (args, values) = assignments(p)?;
            names.extend(args);
            outputs = values;
            p.expect(Tok::Arrow)?;
            let types_at = p.pos();
            state.state.result_types.extend(p.parse_result_types()?);
            let (wanted, given) = (outputs.len(), state.state.result_types.len());
            if wanted != given {
                let message = format!("{wanted} outputs need {wanted} types, {given} are given");
                return Err(p.error_at(types_at, message));
            }
        }
        for (name, bound) in BOUNDS.iter().zip(&bounds) {
            resolve_indices(p, state, &bound.operands)?;
            state.set_attr(ctx, ctx.ident(name), ctx.dense_i64_attr(&bound.numbers));
        }
        let results = state.state.result_types.to_vec();
        resolve(p, state, &outputs, &results)?;
        let open = bounds.each_ref().map(|bound| bound.operands.len());
        set_segments(p, state, &[open[0], open[1], open[2], outputs.len()]);
        let types: Vec<Type> = std::iter::repeat_n(ctx.index(), rank)
            .chain(results)
            .collect();
        let args: Vec<BlockArg<'_>> = block_args(&names, &types);
        let region = p.parse_region(&args, Isolation::Shared)?;
        end_with_nothing(p, region);
        state.regions.push(region);
        p.parse_attr_dict_into(state)
    }
}

/// Whether a body ends with an `scf.forall.in_parallel` that says nothing.
fn ends_with_nothing(ir: &Ir, region: Region) -> bool {
    let last = ir.entry_block(region).and_then(|block| ir.last_op(block));
    let inner = last.and_then(|last| ir.cast::<InParallelOp>(last));
    let is_empty = |inner: InParallelOp| ir.first_op(inner.region_block(ir)).is_none();
    inner.is_some_and(is_empty) && ends_plainly(ir, region)
}

/// Adds the `scf.forall.in_parallel` that the text left out.
fn end_with_nothing(p: &mut Parser<'_>, region: Region) {
    let ends = |ir: &Ir| {
        let last = ir.blocks(region).last().and_then(|block| ir.last_op(block));
        last.filter(|&last| ir.isa::<InParallelOp>(last))
    };
    let before = ends(p.ir());
    p.ensure_terminator(region, InParallelOp::DEF.name, Loc::UNKNOWN);
    if let (None, Some(added)) = (before, ends(p.ir())) {
        let ir = p.ir_mut();
        let inner = ir.create_region();
        ir.add_block(inner, &[]);
        ir.attach_region(added, inner);
    }
}

impl Syntax for InParallelOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = InParallelOp::from_op(op);
        p.text(" ");
        p.region_without_label(view.region(p.ir()));
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let region = p.parse_region(&[], Isolation::Shared)?;
        if p.ir().entry_block(region).is_none() {
            p.ir_mut().add_block(region, &[]);
        }
        state.regions.push(region);
        p.parse_attr_dict_into(state)
    }
}

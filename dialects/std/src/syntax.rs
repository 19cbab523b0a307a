//! Pieces of custom text forms that several dialects share.

use segra_ir::attrs::Dict;
use segra_ir::{Ir, Op, Region, Type, TypeKind, Value};
use segra_text::lexer::Tok;
use segra_text::{BlockArg, ParseResult, ParsedOp, Parser, Printer, UnresolvedOperand};
use smallvec::SmallVec;

/// `attributes {...}`, if it is there, into the op.
pub(crate) fn parse_attributes_keyword(
    p: &mut Parser<'_>,
    state: &mut ParsedOp,
) -> ParseResult<()> {
    if p.eat_keyword("attributes") {
        p.parse_attr_dict_into(state)
    } else {
        Ok(())
    }
}

/// Resolves operands of these types into the op.
pub(crate) fn resolve<'a>(
    p: &mut Parser<'a>,
    state: &mut ParsedOp,
    operands: &[UnresolvedOperand<'a>],
    types: &[Type],
) -> ParseResult<()> {
    if operands.len() != types.len() {
        let message = format!(
            "{} operands are written, but {} types",
            operands.len(),
            types.len()
        );
        return Err(p.error(message));
    }
    for (&operand, &ty) in operands.iter().zip(types) {
        let value = p.resolve_operand(operand, ty)?;
        state.state.operands.push(value);
    }
    Ok(())
}

/// Operands as written.
pub(crate) type Names<'a> = SmallVec<[UnresolvedOperand<'a>; 4]>;

/// `(%a = %b, %c = %d)`: what is defined, and from what.
pub(crate) fn assignments<'a>(p: &mut Parser<'a>) -> ParseResult<(Names<'a>, Names<'a>)> {
    let (mut names, mut values) = (Names::new(), Names::new());
    p.parse_list(Tok::LParen, Tok::RParen, |p| {
        names.push(p.parse_operand()?);
        p.expect(Tok::Equal)?;
        values.push(p.parse_operand()?);
        Ok(())
    })?;
    Ok((names, values))
}

/// `(%a = %b, %c = %d)`
pub(crate) fn print_assignments(p: &mut Printer<'_>, args: &[Value], values: &[Value]) {
    p.text("(");
    for (index, (&arg, &value)) in args.iter().zip(values).enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        p.value(arg);
        p.text(" = ");
        p.value(value);
    }
    p.text(")");
}

/// Block arguments of these names and types.
pub(crate) fn block_args<'a>(names: &[UnresolvedOperand<'a>], types: &[Type]) -> Vec<BlockArg<'a>> {
    let pairs = names.iter().zip(types);
    pairs
        .map(|(name, &ty)| BlockArg {
            name: name.name,
            ty,
            loc: None,
            pos: name.pos,
        })
        .collect()
}

/// Resolves operands of type `index` into the op.
pub(crate) fn resolve_indices<'a>(
    p: &mut Parser<'a>,
    state: &mut ParsedOp,
    operands: &[UnresolvedOperand<'a>],
) -> ParseResult<()> {
    let types = vec![p.ctx().index(); operands.len()];
    resolve(p, state, operands, &types)
}

/// `[%i, %j]`
pub(crate) fn parse_indices<'a>(p: &mut Parser<'a>) -> ParseResult<Names<'a>> {
    let mut indices = Names::new();
    p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
        indices.push(p.parse_operand()?);
        Ok(())
    })?;
    Ok(indices)
}

/// `%memref[%i, %j]`
pub(crate) fn print_access(p: &mut Printer<'_>, memref: Value, indices: &[Value]) {
    p.value(memref);
    p.text("[");
    p.values(indices.iter().copied());
    p.text("]");
}

/// Records how many operands the groups of the op have.
pub(crate) fn set_segments(p: &Parser<'_>, state: &mut ParsedOp, sizes: &[usize]) {
    let ctx = p.ctx();
    let sizes: Vec<i32> = sizes.iter().map(|&size| size as i32).collect();
    let name = ctx.ident("operandSegmentSizes");
    state.set_attr(ctx, name, ctx.dense_i32_attr(&sizes));
}

/// `-> type` or `-> (types)`, if it is there: the op's results.
pub(crate) fn parse_results(p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
    if p.eat(Tok::Arrow) {
        state.state.result_types.extend(p.parse_result_types()?);
    }
    Ok(())
}

/// ` -> type` or ` -> (types)`; nothing where there are no results.
pub(crate) fn print_results(p: &mut Printer<'_>, op: Op) {
    let ir = p.ir();
    let mut results = ir.results(op);
    match (results.next(), results.next()) {
        (None, _) => {}
        (Some(one), None) if !is_function(ir, one) => {
            p.text(" -> ");
            p.types_of([one]);
        }
        _ => {
            p.text(" -> (");
            p.types_of(ir.results(op));
            p.text(")");
        }
    }
}

fn is_function(ir: &Ir, value: Value) -> bool {
    let ty = ir.value_type(value);
    matches!(ir.ctx().type_kind(ty), TypeKind::Function { .. })
}

/// Whether the last op of a region with one block is all it needs at its end, so that it may be left out.
pub(crate) fn ends_plainly(ir: &Ir, region: Region) -> bool {
    let last = ir.entry_block(region).and_then(|block| ir.last_op(block));
    last.is_some_and(|last| {
        ir.num_operands(last) == 0
            && ir.num_results(last) == 0
            && ir.properties(last) == Dict::EMPTY
            && ir.discardable_attrs(last) == Dict::EMPTY
    })
}

/// `(%a, %b)`: arguments of an operator over values of these types.
pub fn parse_operator_args<'a>(
    p: &mut Parser<'a>,
    types: &[Type],
) -> ParseResult<Vec<BlockArg<'a>>> {
    let pos = p.pos();
    p.expect(Tok::LParen)?;
    let names = p.parse_operand_list()?;
    p.expect(Tok::RParen)?;
    if names.len() != 2 * types.len() {
        let message = format!(
            "the operator needs {} arguments, but {} are named",
            2 * types.len(),
            names.len()
        );
        return Err(p.error_at(pos, message));
    }
    let doubled = types.iter().chain(types);
    Ok(names
        .iter()
        .zip(doubled)
        .map(|(name, &ty)| BlockArg {
            name: name.name,
            ty,
            loc: None,
            pos: name.pos,
        })
        .collect())
}

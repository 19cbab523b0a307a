//! Pieces of custom text forms that several dialects share.

use segra_ir::types::DYNAMIC;
use segra_ir::{Type, Value};
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

/// `[%a, 4, %b]`: numbers with [`DYNAMIC`] where an operand stands, and the operands.
#[derive(Default)]
pub(crate) struct DynamicList<'a> {
    pub(crate) values: Vec<i64>,
    pub(crate) operands: Names<'a>,
}

/// `[%a, 4, %b]`
pub(crate) fn parse_dynamic_list<'a>(p: &mut Parser<'a>) -> ParseResult<DynamicList<'a>> {
    let mut list = DynamicList::default();
    p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
        match p.parse_optional_operand()? {
            Some(operand) => {
                list.operands.push(operand);
                list.values.push(DYNAMIC);
            }
            None => list.values.push(p.parse_integer()?),
        }
        Ok(())
    })?;
    Ok(list)
}

/// `[%a, 4, %b]`
pub(crate) fn print_dynamic_list(p: &mut Printer<'_>, values: &[i64], operands: &[Value]) {
    let mut operands = operands.iter();
    p.text("[");
    for (index, &value) in values.iter().enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        match operands.as_slice().first() {
            Some(&operand) if value == DYNAMIC => {
                p.value(operand);
                operands.next();
            }
            _ => p.integer(value),
        }
    }
    p.text("]");
}

//! `array.scatter (%i in %is : [n]index, ...) into (%xs : [m]f32) {body}`
//! `array.hist (%x in %xs : [n]i32) into (%bins : [m]i32) neutral (%zero : i32) map {body} combine (%a, %b) {operator}`

use super::{HistOp, ScatterOp};
use crate::syntax::{
    parse_bare_type, parse_inputs, parse_map_combine, parse_neutral, print_inputs,
    print_map_combine, print_region, print_typed_values, region_args,
};
use segra_ir::{Op, OpView};
use segra_text::lexer::Tok;
use segra_text::{BlockArg, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

/// Inputs and destinations; the results have the destinations' types. Returns the elements and the group sizes.
fn parse_head<'a>(
    p: &mut Parser<'a>,
    op: &mut ParsedOp,
) -> ParseResult<(Vec<BlockArg<'a>>, [usize; 2])> {
    let elements = parse_inputs(p, op)?;
    let arrays = op.state.operands.len();
    p.expect_keyword("into")?;
    p.parse_list(Tok::LParen, Tok::RParen, |p| {
        let array = p.parse_operand()?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        op.state.operands.push(p.resolve_operand(array, ty)?);
        op.state.result_types.push(ty);
        Ok(())
    })?;
    let destinations = op.state.operands.len() - arrays;
    Ok((elements, [arrays, destinations]))
}

fn set_segments(p: &Parser<'_>, op: &mut ParsedOp, sizes: &[usize]) {
    let sizes: Vec<i32> = sizes
        .iter()
        .map(|&size| i32::try_from(size).unwrap_or(i32::MAX))
        .collect();
    op.set_attr(
        p.ctx(),
        p.ctx().ident("operandSegmentSizes"),
        p.ctx().dense_i32_attr(&sizes),
    );
}

impl Syntax for ScatterOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let scatter = ScatterOp::from_op(op);
        let elements = region_args(p, scatter.body(p.ir()));
        print_inputs(p, &scatter.arrays(p.ir()), &elements);
        print_typed_values(p, " into ", &scatter.destinations(p.ir()));
        print_region(p, scatter.body(p.ir()));
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let (elements, groups) = parse_head(p, op)?;
        let body = p.parse_region(&elements, Isolation::Shared)?;
        op.regions.push(body);
        set_segments(p, op, &groups);
        p.parse_attr_dict_into(op)
    }
}

impl Syntax for HistOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let hist = HistOp::from_op(op);
        let neutral = hist.neutral(p.ir());
        let elements = region_args(p, hist.body(p.ir()));
        print_inputs(p, &hist.arrays(p.ir()), &elements);
        print_typed_values(p, " into ", &hist.destinations(p.ir()));
        print_typed_values(p, " neutral ", &neutral);
        print_map_combine(p, hist.body(p.ir()), hist.combine(p.ir()));
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let (elements, [arrays, destinations]) = parse_head(p, op)?;
        let types = parse_neutral(p, op)?;
        parse_map_combine(p, op, &elements, &types)?;
        set_segments(p, op, &[arrays, destinations, types.len()]);
        p.parse_attr_dict_into(op)
    }
}

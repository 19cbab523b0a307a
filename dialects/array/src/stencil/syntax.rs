//! `array.stencil (%l, %r in %xs : [n]f32 at [-1, 1] clamp) {body}`
//! `array.near %xs[%i] by [1] clamp : [n]f32`
//!
//! Offsets are written as they are for one dimension, in brackets for several; those of a box of two dimensions or more by
//! its radius.

use super::{NearOp, Neighbours, StencilOp, attributes, boxed, common_sizes};
use crate::soac::YieldOp;
use crate::syntax::{
    parse_bare_type, parse_body, parse_indices, parse_size, print_bare_type, print_region,
    region_args, region_yields,
};
use crate::types::{ArrayType, Size, array_or_scalar, sizes_and_element};
use segra_ir::{Builder, Op, OpView, Region, Type, Value};
use segra_std::boundary::Boundary;
use segra_text::lexer::Tok;
use segra_text::{BlockArg, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

/// The radius of the box that offsets are, if they are one of several dimensions.
fn radius_of(offsets: &[Vec<i64>]) -> Option<Vec<i64>> {
    let first = offsets.first().filter(|first| first.len() > 1)?;
    let radius: Vec<i64> = first.iter().map(|at| -at).collect();
    let mut count = 1usize;
    for &radius in &radius {
        let width = usize::try_from(2 * radius + 1).ok()?;
        count = count.checked_mul(width)?;
    }
    (radius.iter().any(|&radius| radius > 0) && count == offsets.len() && boxed(&radius) == offsets)
        .then_some(radius)
}

fn print_numbers(p: &mut Printer<'_>, numbers: &[i64]) {
    p.text("[");
    for (index, &number) in numbers.iter().enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        p.integer(number);
    }
    p.text("]");
}

fn print_offsets(p: &mut Printer<'_>, offsets: &[Vec<i64>]) {
    if let Some(radius) = radius_of(offsets) {
        p.text(" box ");
        return print_numbers(p, &radius);
    }
    p.text(" at ");
    if offsets.iter().all(|offset| offset.len() == 1) {
        return print_numbers(p, &offsets.concat());
    }
    p.text("[");
    for (index, offset) in offsets.iter().enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        print_numbers(p, offset);
    }
    p.text("]");
}

fn parse_numbers(p: &mut Parser<'_>) -> ParseResult<Vec<i64>> {
    let mut numbers = Vec::new();
    p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
        numbers.push(p.parse_integer()?);
        Ok(())
    })?;
    Ok(numbers)
}

/// Most elements of a box: more are more arguments than anybody can name.
const LARGEST_BOX: i64 = 1 << 16;

fn parse_offsets(p: &mut Parser<'_>) -> ParseResult<Vec<Vec<i64>>> {
    let pos = p.pos();
    if p.eat_keyword("box") {
        let radius = parse_numbers(p)?;
        let fits = radius.iter().try_fold(1i64, |count, &radius| {
            let width = radius.checked_mul(2)?.checked_add(1)?;
            count
                .checked_mul(width)
                .filter(|&count| radius >= 0 && count <= LARGEST_BOX)
        });
        return match fits {
            Some(_) => Ok(boxed(&radius)),
            None => Err(p.error_at(pos, format!("a box has from 1 to {LARGEST_BOX} elements"))),
        };
    }
    p.expect_keyword("at")?;
    let mut offsets = Vec::new();
    p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
        offsets.push(match p.at(Tok::LSquare) {
            true => parse_numbers(p)?,
            false => vec![p.parse_integer()?],
        });
        Ok(())
    })?;
    Ok(offsets)
}

/// The value that a function of what is outside returns, where it does nothing else and the value is made elsewhere.
fn constant_outside(p: &Printer<'_>, region: Region) -> Option<Value> {
    let ir = p.ir();
    let block = ir.entry_block(region)?;
    let last = ir
        .last_op(block)
        .filter(|&last| ir.first_op(block) == Some(last))?;
    let mut values = ir.operands(last);
    let only = values.next()?;
    (values.next().is_none() && ir.value_block(only) != Some(block)).then_some(only)
}

fn print_boundary(p: &mut Printer<'_>, boundary: Boundary, outside: Option<Region>) {
    match (boundary, outside) {
        (Boundary::Inside, _) => {}
        (Boundary::Outside, Some(region)) => {
            if let Some(value) = constant_outside(p, region) {
                p.text(" constant ");
                return p.value(value);
            }
            p.text(" outside (");
            let args = region_args(p, region);
            p.values(args);
            p.text(")");
            print_region(p, region);
        }
        (rule, _) => {
            p.text(" ");
            p.text(rule.keyword());
        }
    }
}

/// A boundary behind the offsets of an input with such elements, and its function.
fn parse_boundary(
    p: &mut Parser<'_>,
    rank: usize,
    element: Type,
) -> ParseResult<(Boundary, Option<Region>)> {
    let index = p.ctx().index();
    if p.eat_keyword("constant") {
        let pos = p.pos();
        let value = p.parse_operand()?;
        let value = p.resolve_operand(value, element)?;
        let loc = p.loc_at(pos);
        let block = p.ir_mut().create_block(&vec![index; rank]);
        YieldOp::build(&mut Builder::at_end(p.ir_mut(), block, loc), &[value]);
        let region = p.ir_mut().create_region();
        p.ir_mut().append_block(region, block);
        return Ok((Boundary::Outside, Some(region)));
    }
    if p.eat_keyword("outside") {
        let mut args = Vec::new();
        p.parse_list(Tok::LParen, Tok::RParen, |p| {
            args.push(p.parse_typed_block_arg(index)?);
            Ok(())
        })?;
        let region = p.parse_region(&args, Isolation::Shared)?;
        return Ok((Boundary::Outside, Some(region)));
    }
    let rules = Boundary::ALL.iter().filter(|rule| rule.is_total());
    for &rule in rules {
        if p.eat_keyword(rule.keyword()) {
            return Ok((rule, None));
        }
    }
    Ok((Boundary::Inside, None))
}

/// An input, with the arguments of the body for it and the function of what is outside.
fn parse_input<'a>(
    p: &mut Parser<'a>,
    op: &mut ParsedOp,
    args: &mut Vec<BlockArg<'a>>,
) -> ParseResult<(Neighbours, Option<Region>)> {
    let pos = p.pos();
    let names = p.parse_operand_list()?;
    p.expect_keyword("in")?;
    let array = p.parse_operand()?;
    p.expect(Tok::Colon)?;
    let at = p.pos();
    let ty = parse_bare_type(p)?;
    let Some(array_type) = ty.dialect::<ArrayType>(p.ctx()) else {
        return Err(p.error_at(at, "expected an array type, as in [n]f32"));
    };
    let (rank, element) = (array_type.sizes.len(), array_type.element);
    let array = p.resolve_operand(array, ty)?;
    op.state.operands.push(array);
    let at = p.pos();
    let offsets = parse_offsets(p)?;
    if offsets.iter().any(|offset| offset.len() != rank) {
        return Err(p.error_at(at, format!("an offset has {rank} numbers here")));
    }
    if names.len() != offsets.len() {
        let (names, offsets) = (names.len(), offsets.len());
        return Err(p.error_at(pos, format!("{names} names for {offsets} elements")));
    }
    args.extend(names.iter().map(|name| BlockArg {
        name: name.name,
        ty: element,
        loc: None,
        pos: name.pos,
    }));
    let (boundary, outside) = parse_boundary(p, rank, element)?;
    let neighbours = Neighbours {
        array,
        offsets,
        boundary,
    };
    Ok((neighbours, outside))
}

impl Syntax for StencilOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let stencil = StencilOp::from_op(op);
        let args = region_args(p, stencil.body(p.ir()));
        let mut outside = stencil.outside(p.ir()).to_vec().into_iter();
        let mut first = 0;
        p.text(" (");
        for (index, input) in stencil.inputs(p.ir()).into_iter().enumerate() {
            p.text(if index > 0 { ", " } else { "" });
            let last = args.len().min(first + input.offsets.len());
            p.values(args[first.min(last)..last].iter().copied());
            first = last;
            p.text(" in ");
            p.value(input.array);
            p.text(" : ");
            print_bare_type(p, p.ir().value_type(input.array));
            print_offsets(p, &input.offsets);
            let function = (input.boundary == Boundary::Outside).then(|| outside.next());
            print_boundary(p, input.boundary, function.flatten());
        }
        p.text(")");
        let sizes = stencil.sizes(p.ir());
        if !sizes.is_empty() {
            p.text(" sizes [");
            p.values(sizes);
            p.text("] -> ");
            for size in stencil.space(p.ir()) {
                p.text(&format!("[{}]", size.text(p.ctx())));
            }
        }
        print_region(p, stencil.body(p.ir()));
        p.attr_dict(op, &["offsets", "boundaries"]);
    }

    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let (mut inputs, mut args, mut outside) = (Vec::new(), Vec::new(), Vec::new());
        p.parse_list(Tok::LParen, Tok::RParen, |p| {
            let (input, function) = parse_input(p, op, &mut args)?;
            inputs.push(input);
            outside.extend(function);
            Ok(())
        })?;
        let arrays = op.state.operands.len();
        let mut space = common_sizes(p.ir(), &op.state.operands);
        if p.eat_keyword("sizes") {
            parse_indices(p, op)?;
            p.expect(Tok::Arrow)?;
            space = parse_space(p)?;
        }
        let sizes = op.state.operands.len() - arrays;
        let body = parse_body(p, &args)?;
        op.regions.push(body);
        op.regions.extend(outside);
        let results = region_yields(p, body);
        let results = results.into_iter().map(|ty| {
            let (_, element) = sizes_and_element(p.ctx(), ty);
            array_or_scalar(p.ctx(), &space, element)
        });
        op.state.result_types = results.collect();
        let (offsets, boundaries) = attributes(p.ctx(), &inputs);
        op.set_attr(p.ctx(), p.ctx().ident("offsets"), offsets);
        op.set_attr(p.ctx(), p.ctx().ident("boundaries"), boundaries);
        let groups = p.ctx().dense_i32_attr(&[arrays as i32, sizes as i32]);
        op.set_attr(p.ctx(), p.ctx().ident("operandSegmentSizes"), groups);
        p.parse_attr_dict_into(op)
    }
}

/// `[n][?]`
fn parse_space(p: &mut Parser<'_>) -> ParseResult<Vec<Size>> {
    let mut sizes = Vec::new();
    while p.eat(Tok::LSquare) {
        sizes.push(parse_size(p)?);
        p.expect(Tok::RSquare)?;
    }
    Ok(sizes)
}

impl Syntax for NearOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let near = NearOp::from_op(op);
        p.text(" ");
        p.value(near.array(p.ir()));
        p.text("[");
        p.values(near.indices(p.ir()));
        p.text("] by ");
        let offsets = near.offsets(p.ir());
        print_numbers(p, &offsets);
        match near.otherwise(p.ir()) {
            Some(value) => {
                p.text(" else ");
                p.value(value);
            }
            None => {
                p.text(" ");
                p.text(near.boundary(p.ir()).keyword());
            }
        }
        p.attr_dict(op, &["offsets", "boundary"]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(near.array(p.ir())));
    }

    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        parse_indices(p, op)?;
        let rank = op.state.operands.len();
        p.expect_keyword("by")?;
        let offsets = parse_numbers(p)?;
        let (mut otherwise, mut boundary) = (None, Boundary::Outside);
        if p.eat_keyword("else") {
            otherwise = Some(p.parse_operand()?);
        } else {
            let pos = p.pos();
            let keyword = p.parse_keyword()?;
            let rule = Boundary::from_keyword(keyword).filter(|&rule| rule != Boundary::Outside);
            boundary = match rule {
                Some(rule) => rule,
                None => {
                    return Err(p.error_at(
                        pos,
                        "expected a boundary, as in `clamp`, or `else` and a value",
                    ));
                }
            };
        }
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        let array = p.resolve_operand(array, ty)?;
        op.state.operands.insert(0, array);
        let (_, element) = sizes_and_element(p.ctx(), ty);
        let groups = [1, rank as i32, i32::from(otherwise.is_some())];
        if let Some(value) = otherwise {
            let value = p.resolve_operand(value, element)?;
            op.state.operands.push(value);
        }
        op.state.result_types.push(element);
        let ctx = p.ctx();
        let entries = [
            ("offsets", ctx.dense_i64_attr(&offsets)),
            ("boundary", boundary.attr(ctx)),
            ("operandSegmentSizes", ctx.dense_i32_attr(&groups)),
        ];
        for (name, attr) in entries {
            op.set_attr(p.ctx(), p.ctx().ident(name), attr);
        }
        Ok(())
    }
}

//! Custom text forms of the layout ops.

use super::{ConcatOp, FromTensorOp, GatherOp, PadOp, ReshapeOp, ReverseOp, SliceOp, UpdateOp};
use crate::syntax::{
    parse_bare_type, parse_bare_types, parse_indices, print_bare_type, print_bare_types, types_of,
};
use segra_ir::interfaces::InferTypes;
use segra_ir::{Op, OpView, Type, Value};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

fn finish(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
    let mut entries = Default::default();
    p.parse_optional_attr_dict(&mut entries)?;
    for (name, attr) in entries {
        op.set_attr(p.ctx(), name, attr);
    }
    Ok(())
}

/// Result types that follow from the operands, or why there are none.
fn infer(p: &Parser<'_>, op: &mut ParsedOp, model: &dyn InferTypes) -> Result<(), String> {
    op.state
        .result_types
        .extend(model.infer_types(p.ir(), &op.state)?);
    Ok(())
}

/// ` [%a, %b]`
fn print_list(p: &mut Printer<'_>, values: Vec<Value>) {
    p.text("[");
    p.values(values);
    p.text("]");
}

fn segments(p: &Parser<'_>, op: &mut ParsedOp, sizes: &[usize]) {
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

/// ` : [n]f32 -> [m]f32`
fn print_from_to(p: &mut Printer<'_>, from: Value, to: Value) {
    p.text(" : ");
    print_bare_type(p, p.ir().value_type(from));
    p.text(" -> ");
    print_bare_type(p, p.ir().value_type(to));
}

fn parse_from_to(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<Type> {
    p.expect(Tok::Colon)?;
    let from = parse_bare_type(p)?;
    p.expect(Tok::Arrow)?;
    op.state.result_types.push(parse_bare_type(p)?);
    Ok(from)
}

impl Syntax for ReshapeOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let reshape = ReshapeOp::from_op(op);
        p.text(" ");
        p.value(reshape.array(p.ir()));
        p.text(", ");
        print_list(p, reshape.sizes(p.ir()));
        p.attr_dict(op, &[]);
        print_from_to(p, reshape.array(p.ir()), reshape.result(p.ir()));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        p.parse_comma()?;
        parse_indices(p, op)?;
        finish(p, op)?;
        let ty = parse_from_to(p, op)?;
        let array = p.resolve_operand(array, ty)?;
        op.state.operands.insert(0, array);
        Ok(())
    }
}

impl Syntax for ReverseOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let reverse = ReverseOp::from_op(op);
        p.text(" ");
        p.value(reverse.array(p.ir()));
        p.text(", ");
        p.integer(reverse.dim(p.ir()));
        p.attr_dict(op, &["dim"]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(reverse.array(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        p.parse_comma()?;
        let dim = p.parse_integer()?;
        finish(p, op)?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        op.state.operands.push(p.resolve_operand(array, ty)?);
        let attr = p.ctx().i64_attr(dim);
        op.set_attr(p.ctx(), p.ctx().ident("dim"), attr);
        op.state.result_types.push(ty);
        Ok(())
    }
}

impl Syntax for SliceOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let slice = SliceOp::from_op(op);
        p.text(" ");
        p.value(slice.array(p.ir()));
        print_list(p, slice.offsets(p.ir()));
        p.text(" sizes ");
        print_list(p, slice.sizes(p.ir()));
        p.text(" strides ");
        print_list(p, slice.strides(p.ir()));
        p.attr_dict(op, &[]);
        print_from_to(p, slice.array(p.ir()), slice.result(p.ir()));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        let mut groups = vec![1];
        for keyword in [None, Some("sizes"), Some("strides")] {
            if let Some(keyword) = keyword {
                p.expect_keyword(keyword)?;
            }
            let before = op.state.operands.len();
            parse_indices(p, op)?;
            groups.push(op.state.operands.len() - before);
        }
        finish(p, op)?;
        let ty = parse_from_to(p, op)?;
        let array = p.resolve_operand(array, ty)?;
        op.state.operands.insert(0, array);
        segments(p, op, &groups);
        Ok(())
    }
}

impl Syntax for ConcatOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let concat = ConcatOp::from_op(op);
        let arrays = concat.arrays(p.ir());
        p.text(" ");
        p.values(arrays.iter().copied());
        p.attr_dict(op, &[]);
        p.text(" : ");
        let types = types_of(p, &arrays);
        print_bare_types(p, &types);
        p.text(" -> ");
        print_bare_type(p, p.ir().value_type(concat.result(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let pos = p.pos();
        let arrays = p.parse_operand_list()?;
        finish(p, op)?;
        p.expect(Tok::Colon)?;
        let types = parse_bare_types(p)?;
        if types.len() != arrays.len() {
            return Err(p.error_at(
                pos,
                format!("{} arrays, but {} types", arrays.len(), types.len()),
            ));
        }
        p.resolve_operands(&arrays, &types, &mut op.state.operands)?;
        p.expect(Tok::Arrow)?;
        op.state.result_types.push(parse_bare_type(p)?);
        Ok(())
    }
}

impl Syntax for PadOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let pad = PadOp::from_op(op);
        p.text(" ");
        p.value(pad.array(p.ir()));
        p.text(", ");
        p.value(pad.value(p.ir()));
        p.text(" low ");
        print_list(p, pad.low(p.ir()));
        p.text(" high ");
        print_list(p, pad.high(p.ir()));
        p.attr_dict(op, &[]);
        print_from_to(p, pad.array(p.ir()), pad.result(p.ir()));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        p.parse_comma()?;
        let value = p.parse_operand()?;
        let mut groups = vec![1, 1];
        for keyword in ["low", "high"] {
            p.expect_keyword(keyword)?;
            let before = op.state.operands.len();
            parse_indices(p, op)?;
            groups.push(op.state.operands.len() - before);
        }
        finish(p, op)?;
        let ty = parse_from_to(p, op)?;
        let element = crate::types::sizes_and_element(p.ctx(), ty).1;
        let array = p.resolve_operand(array, ty)?;
        let value = p.resolve_operand(value, element)?;
        op.state.operands.insert(0, array);
        op.state.operands.insert(1, value);
        segments(p, op, &groups);
        Ok(())
    }
}

impl Syntax for UpdateOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let update = UpdateOp::from_op(op);
        p.text(" ");
        p.value(update.value(p.ir()));
        p.text(", ");
        p.value(update.array(p.ir()));
        print_list(p, update.indices(p.ir()));
        p.attr_dict(op, &[]);
        p.text(" : ");
        let types = types_of(p, &[update.value(p.ir()), update.array(p.ir())]);
        print_bare_types(p, &types);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let value = p.parse_operand()?;
        p.parse_comma()?;
        let array = p.parse_operand()?;
        parse_indices(p, op)?;
        finish(p, op)?;
        p.expect(Tok::Colon)?;
        let pos = p.pos();
        let types = parse_bare_types(p)?;
        let [value_ty, array_ty] = types[..] else {
            return Err(p.error_at(pos, "expected the types of the value and of the array"));
        };
        let value = p.resolve_operand(value, value_ty)?;
        let array = p.resolve_operand(array, array_ty)?;
        op.state.operands.insert(0, value);
        op.state.operands.insert(1, array);
        op.state.result_types.push(array_ty);
        Ok(())
    }
}

impl Syntax for GatherOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let gather = GatherOp::from_op(op);
        p.text(" ");
        p.value(gather.array(p.ir()));
        p.text("[");
        p.value(gather.indices(p.ir()));
        p.text("]");
        p.attr_dict(op, &[]);
        p.text(" : ");
        let types = types_of(p, &[gather.array(p.ir()), gather.indices(p.ir())]);
        print_bare_types(p, &types);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        p.expect(Tok::LSquare)?;
        let indices = p.parse_operand()?;
        p.expect(Tok::RSquare)?;
        finish(p, op)?;
        p.expect(Tok::Colon)?;
        let pos = p.pos();
        let types = parse_bare_types(p)?;
        let [array_ty, indices_ty] = types[..] else {
            return Err(p.error_at(pos, "expected the types of the array and of the indices"));
        };
        op.state.operands.push(p.resolve_operand(array, array_ty)?);
        op.state
            .operands
            .push(p.resolve_operand(indices, indices_ty)?);
        infer(p, op, self).map_err(|message| p.error_at(pos, message))
    }
}

impl Syntax for FromTensorOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let from = FromTensorOp::from_op(op);
        p.text(" ");
        p.value(from.tensor(p.ir()));
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.ty(p.ir().value_type(from.tensor(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let tensor = p.parse_operand()?;
        finish(p, op)?;
        p.expect(Tok::Colon)?;
        let pos = p.pos();
        let ty = p.parse_type()?;
        op.state.operands.push(p.resolve_operand(tensor, ty)?);
        infer(p, op, self).map_err(|message| p.error_at(pos, message))
    }
}

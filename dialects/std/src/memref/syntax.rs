//! Text forms of `memref` that are more than a format string.

use super::{
    AllocaScopeOp, AllocaScopeReturnOp, DmaStartOp, GenericAtomicRmwOp, PrefetchOp, TransposeOp,
    rank,
};
use crate::syntax::{
    Names, ends_plainly, parse_indices, parse_results, print_access, resolve, resolve_indices,
};
use segra_ir::{AttrKind, Ir, Loc, Op, OpView, Type, TypeKind, Value};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

impl Syntax for PrefetchOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = PrefetchOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        print_access(p, view.memref(ir), &view.indices(ir));
        p.text(if view.is_write(ir) {
            ", write"
        } else {
            ", read"
        });
        p.text(", locality<");
        p.integer(view.locality_hint(ir).into());
        p.text(if view.is_data_cache(ir) {
            ">, data"
        } else {
            ">, instr"
        });
        p.attr_dict(op, &["isWrite", "localityHint", "isDataCache"]);
        p.text(" : ");
        p.types_of([view.memref(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let memref = p.parse_operand()?;
        let indices = parse_indices(p)?;
        p.parse_comma()?;
        let is_write = one_of(p, "read", "write")?;
        p.parse_comma()?;
        p.expect_keyword("locality")?;
        p.expect(Tok::Less)?;
        let at = p.pos();
        let locality = p.parse_integer()?;
        if !(0..=3).contains(&locality) {
            return Err(p.error_at(at, "the locality must be a number from 0 to 3"));
        }
        p.expect(Tok::Greater)?;
        p.parse_comma()?;
        let is_data = !one_of(p, "data", "instr")?;
        p.parse_attr_dict_into(state)?;
        let ty = p.parse_colon_type()?;
        for (name, attr) in [
            ("isWrite", ctx.bool_attr(is_write)),
            ("isDataCache", ctx.bool_attr(is_data)),
            ("localityHint", ctx.int_attr(locality.into(), ctx.i32())),
        ] {
            state.set_attr(ctx, ctx.ident(name), attr);
        }
        resolve(p, state, &[memref], &[ty])?;
        resolve_indices(p, state, &indices)
    }
}

/// One of two words: whether it is the second.
fn one_of(p: &mut Parser<'_>, no: &str, yes: &str) -> ParseResult<bool> {
    if p.eat_keyword(yes) {
        Ok(true)
    } else if p.eat_keyword(no) {
        Ok(false)
    } else {
        Err(p.expected(&format!("'{no}' or '{yes}'")))
    }
}

/// The parts of a `memref.dma_start`.
struct Transfer<'a> {
    source: &'a [Value],
    target: &'a [Value],
    count: Value,
    tag: &'a [Value],
    stride: &'a [Value],
}

impl<'a> Transfer<'a> {
    fn of(ir: &Ir, values: &'a [Value]) -> Option<Transfer<'a>> {
        let access = |values: &'a [Value]| {
            let ty = ir.value_type(*values.first()?);
            let is_memref = matches!(ir.ctx().type_kind(ty), TypeKind::MemRef { .. });
            let size = 1 + rank(ir.ctx(), ty);
            (is_memref && size <= values.len()).then(|| values.split_at(size))
        };
        let (source, rest) = access(values)?;
        let (target, rest) = access(rest)?;
        let (&count, rest) = rest.split_first()?;
        let (tag, stride) = access(rest)?;
        matches!(stride.len(), 0 | 2).then_some(Transfer {
            source,
            target,
            count,
            tag,
            stride,
        })
    }
}

impl Syntax for DmaStartOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let values: Vec<Value> = ir.operands(op).collect();
        let index = |value: &Value| ir.value_type(*value).is_index(ir.ctx());
        Transfer::of(ir, &values).is_some_and(|it| {
            let indices = [it.source, it.target, it.tag].map(|access| &access[1..]);
            indices.into_iter().flatten().chain(it.stride).all(index) && index(&it.count)
        })
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let ir = p.ir();
        let values: Vec<Value> = ir.operands(op).collect();
        let Some(transfer) = Transfer::of(ir, &values) else {
            return;
        };
        p.text(" ");
        print_access(p, transfer.source[0], &transfer.source[1..]);
        p.text(", ");
        print_access(p, transfer.target[0], &transfer.target[1..]);
        p.text(", ");
        p.value(transfer.count);
        p.text(", ");
        print_access(p, transfer.tag[0], &transfer.tag[1..]);
        for &value in transfer.stride {
            p.text(", ");
            p.value(value);
        }
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.types_of([transfer.source[0], transfer.target[0], transfer.tag[0]]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let mut accesses = Vec::new();
        let mut count = None;
        for position in 0..3 {
            if position == 2 {
                count = Some(p.parse_operand()?);
                p.parse_comma()?;
            }
            accesses.push((p.parse_operand()?, parse_indices(p)?));
            if position < 2 {
                p.parse_comma()?;
            }
        }
        let at = p.pos();
        let mut stride = Names::new();
        while p.eat(Tok::Comma) {
            stride.push(p.parse_operand()?);
        }
        if !matches!(stride.len(), 0 | 2) {
            let message =
                "a transfer takes a stride and a number of elements per stride, or neither";
            return Err(p.error_at(at, message));
        }
        p.parse_attr_dict_into(state)?;
        p.expect(Tok::Colon)?;
        let types_at = p.pos();
        let types = p.parse_type_list()?;
        if types.len() != 3 {
            let message = format!(
                "a transfer needs the types of its three memrefs, {} are given",
                types.len()
            );
            return Err(p.error_at(types_at, message));
        }
        for (position, ((memref, indices), &ty)) in accesses.iter().zip(&types).enumerate() {
            if position == 2 {
                resolve_indices(p, state, count.as_slice())?;
            }
            resolve(p, state, &[*memref], &[ty])?;
            resolve_indices(p, state, indices)?;
        }
        resolve_indices(p, state, &stride)
    }
}

impl Syntax for TransposeOp {
    fn hidden_attrs(&self, _ir: &Ir, _op: Op) -> &'static [&'static str] {
        &["permutation"]
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = TransposeOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.value(view.r#in(ir));
        p.text(" ");
        p.text(&segra_text::print_affine_map(view.permutation(ir)));
        p.attr_dict(op, &["permutation"]);
        p.text(" : ");
        p.types_of([view.r#in(ir)]);
        p.text(" to ");
        p.types_of([view.result(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let source = p.parse_operand()?;
        let map = ctx.attr(AttrKind::AffineMap(p.parse_affine_map()?));
        p.parse_attr_dict_into(state)?;
        state.set_attr(ctx, ctx.ident("permutation"), map);
        let ty = p.parse_colon_type()?;
        p.expect_keyword("to")?;
        state.state.result_types.push(p.parse_type()?);
        resolve(p, state, &[source], &[ty])
    }
}

impl Syntax for AllocaScopeOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = AllocaScopeOp::from_op(op);
        let ir = p.ir();
        let region = view.body_region(ir);
        let one_block = ir.blocks(region).nth(1).is_none();
        let last = match ir.num_results(op) == 0 && one_block && ends_plainly(ir, region) {
            true => LastOp::Hidden,
            false => LastOp::Shown,
        };
        // Both spaces are upstream's.
        p.text(" ");
        if ir.num_results(op) > 0 {
            p.text(" -> (");
            p.types_of(ir.results(op));
            p.text(")");
        }
        p.text(" ");
        p.region(region, EntryArgs::Hidden, last);
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        parse_results(p, state)?;
        let region = p.parse_region(&[], Isolation::Shared)?;
        p.ensure_terminator(region, AllocaScopeReturnOp::DEF.name, Loc::UNKNOWN);
        state.regions.push(region);
        p.parse_attr_dict_into(state)
    }
}

impl Syntax for GenericAtomicRmwOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = GenericAtomicRmwOp::from_op(op);
        let element = |value: Value| -> Type { ir.value_type(value).element_or_self(ir.ctx()) };
        element(view.memref(ir)) == ir.value_type(view.result(ir))
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = GenericAtomicRmwOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        print_access(p, view.memref(ir), &view.indices(ir));
        p.text(" : ");
        p.types_of([view.memref(ir)]);
        p.text(" ");
        p.region(view.atomic_body(ir), EntryArgs::Shown, LastOp::Shown);
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let memref = p.parse_operand()?;
        let indices = parse_indices(p)?;
        p.expect(Tok::Colon)?;
        let at = p.pos();
        let ty = p.parse_type()?;
        if !matches!(ctx.type_kind(ty), TypeKind::MemRef { .. }) {
            return Err(p.error_at(at, "expected a memref type"));
        }
        resolve(p, state, &[memref], &[ty])?;
        resolve_indices(p, state, &indices)?;
        state.regions.push(p.parse_region(&[], Isolation::Shared)?);
        p.parse_attr_dict_into(state)?;
        state.state.result_types.push(ty.element_or_self(ctx));
        Ok(())
    }
}

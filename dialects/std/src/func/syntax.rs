//! The text form of `func.func`: `func.func private @name(%a: i32 {attrs}) -> (f32 {attrs}) attributes {...} {...}`.

use super::FuncOp;
use segra_ir::{Attr, AttrKind, Context, Dict, Op, OpView, Type, TypeKind};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

impl Syntax for FuncOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = FuncOp::from_op(op);
        let (ir, ctx) = (p.ir(), p.ctx());
        if let Some(visibility) = view.sym_visibility(ir) {
            p.text(" ");
            p.text(visibility.as_str(ctx).unwrap_or_default());
        }
        p.text(" ");
        p.symbol(view.sym_name(ir));
        let (inputs, results) = view.function_type(ir);
        let entry = view.entry(ir).map(|entry| ir.block_args(entry));
        p.text("(");
        let arg_attrs = view.arg_attrs(ir).unwrap_or_default();
        for (index, &ty) in inputs.iter().enumerate() {
            p.text(if index > 0 { ", " } else { "" });
            match entry.and_then(|args| args.get(index)) {
                Some(&arg) => p.block_args(&[arg]),
                None => p.ty(ty),
            }
            print_dict(p, &arg_attrs, index);
        }
        p.text(")");
        print_results(p, results, &view.res_attrs(ir).unwrap_or_default());
        p.attr_dict_with_keyword(
            op,
            &[
                "sym_name",
                "function_type",
                "sym_visibility",
                "arg_attrs",
                "res_attrs",
            ],
        );
        if entry.is_some() {
            p.text(" ");
            p.region(view.body(ir), EntryArgs::Hidden, LastOp::Shown);
        }
    }

    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        for visibility in ["private", "public", "nested"] {
            if p.eat_keyword(visibility) {
                state.set_attr(ctx, ctx.ident("sym_visibility"), ctx.str_attr(visibility));
            }
        }
        let name = p.parse_symbol_name()?;
        state.set_attr(ctx, ctx.ident("sym_name"), ctx.str_attr(ctx.str(name)));
        let signature = p.parse_function_signature()?;
        let ty = ctx.function(&signature.arg_types(), &signature.results);
        state.set_attr(ctx, ctx.ident("function_type"), ctx.type_attr(ty));
        for (name, list) in [
            ("arg_attrs", &signature.arg_attrs),
            ("res_attrs", &signature.result_attrs),
        ] {
            if list.iter().any(|dict| *dict != Dict::EMPTY) {
                let list: Vec<Attr> = list
                    .iter()
                    .map(|dict| ctx.attr(AttrKind::Dict(*dict)))
                    .collect();
                state.set_attr(ctx, ctx.ident(name), ctx.array_attr(&list));
            }
        }
        let place = p.pos();
        let dict = if p.eat_keyword("attributes") {
            p.parse_dict()?
        } else {
            Dict::EMPTY
        };
        for &(name, attr) in ctx.entries(dict) {
            let text = ctx.str(name);
            if matches!(text, "sym_name" | "sym_visibility" | "function_type") {
                return Err(p.error_at(
                    place,
                    format!("attribute `{text}` is written in front of `attributes`"),
                ));
            }
            state.set_attr(ctx, name, attr);
        }
        let region = if p.at(Tok::LBrace) {
            // Without names here the body's first block has them.
            let args = if signature.is_named() {
                &signature.args[..]
            } else {
                &[]
            };
            p.parse_region(args, Isolation::Own)?
        } else {
            p.ir_mut().create_region()
        };
        state.regions.push(region);
        Ok(())
    }
}

/// ` {...}` of the `index`-th entry of a list of dictionaries, unless it is empty.
fn print_dict(p: &mut Printer<'_>, list: &[Attr], index: usize) {
    if let Some(attr) = written_dict(p.ctx(), list, index) {
        p.text(" ");
        p.attr(attr);
    }
}

/// The `index`-th entry of a list of dictionaries, unless it is empty.
fn written_dict(ctx: &Context, list: &[Attr], index: usize) -> Option<Attr> {
    list.get(index)
        .copied()
        .filter(|&attr| *ctx.attr_kind(attr) != AttrKind::Dict(Dict::EMPTY))
}

fn print_results(p: &mut Printer<'_>, results: &[Type], attrs: &[Attr]) {
    let ctx = p.ctx();
    match results {
        [] => {}
        [only]
            if written_dict(ctx, attrs, 0).is_none()
                && !matches!(ctx.type_kind(*only), TypeKind::Function { .. }) =>
        {
            p.text(" -> ");
            p.ty(*only);
        }
        _ => {
            p.text(" -> (");
            for (index, &ty) in results.iter().enumerate() {
                p.text(if index > 0 { ", " } else { "" });
                p.ty(ty);
                print_dict(p, attrs, index);
            }
            p.text(")");
        }
    }
}

//! Custom text forms of the ops that a format string cannot describe; the same text as upstream's.

use crate::device::{GpuFuncOp, KERNEL};
use crate::host::{AllocOp, GpuModuleOp, LaunchFuncOp};
use crate::launch::WORKGROUP_ATTRIBUTIONS;
use segra_ir::{Ir, Op, OpView, Type, Value};
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{BlockArg, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

fn set_segments(p: &Parser<'_>, op: &mut ParsedOp, sizes: &[i32]) {
    op.set_attr(
        p.ctx(),
        p.ctx().ident("operandSegmentSizes"),
        p.ctx().dense_i32_attr(sizes),
    );
}

impl Syntax for GpuModuleOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let module = GpuModuleOp::from_op(op);
        p.text(" ");
        p.symbol(module.sym_name(p.ir()));
        p.attr_dict_with_keyword(op, &["sym_name"]);
        p.text(" ");
        p.region(module.body(p.ir()), EntryArgs::Hidden, LastOp::Shown);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let name = p.parse_symbol_name()?;
        let name = p.ctx().str_attr(p.ctx().str(name));
        op.set_attr(p.ctx(), p.ctx().ident("sym_name"), name);
        if p.eat_keyword("attributes") {
            p.parse_attr_dict_into(op)?;
        }
        let region = p.parse_region(&[], Isolation::Own)?;
        if p.ir().entry_block(region).is_none() {
            p.ir_mut().add_block(region, &[]);
        }
        op.regions.push(region);
        Ok(())
    }
}

impl Syntax for AllocOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let alloc = AllocOp::from_op(op);
        alloc.async_dependencies(ir).is_empty()
            && alloc.symbol_operands(ir).is_empty()
            && alloc.async_token(ir).is_none()
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let alloc = AllocOp::from_op(op);
        p.text(" (");
        p.values(alloc.dynamic_sizes(p.ir()));
        p.text(")");
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.ty(p.ir().value_type(alloc.memref(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let index = p.ctx().index();
        p.parse_list(Tok::LParen, Tok::RParen, |p| {
            let size = p.parse_operand()?;
            op.state.operands.push(p.resolve_operand(size, index)?);
            Ok(())
        })?;
        p.parse_attr_dict_into(op)?;
        let ty = p.parse_colon_type()?;
        op.state.result_types.push(ty);
        let sizes = [0, op.state.operands.len() as i32, 0];
        set_segments(p, op, &sizes);
        Ok(())
    }
}

/// `(%x, %y, %z)` of type index.
fn parse_triple(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
    let (pos, index) = (p.pos(), p.ctx().index());
    let before = op.state.operands.len();
    p.parse_list(Tok::LParen, Tok::RParen, |p| {
        let extent = p.parse_operand()?;
        op.state.operands.push(p.resolve_operand(extent, index)?);
        Ok(())
    })?;
    if op.state.operands.len() != before + 3 {
        return Err(p.error_at(pos, "expected three extents: x, y and z"));
    }
    Ok(())
}

impl Syntax for LaunchFuncOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let launch = LaunchFuncOp::from_op(op);
        let extents = [launch.grid(ir), launch.block(ir)].concat();
        launch.async_dependencies(ir).is_empty()
            && launch.cluster_x(ir).is_none()
            && launch.async_object(ir).is_none()
            && launch.async_token(ir).is_none()
            && extents
                .iter()
                .all(|&extent| ir.value_type(extent).is_index(ir.ctx()))
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let (launch, ir) = (LaunchFuncOp::from_op(op), p.ir());
        p.text(" ");
        if let Some(kernel) = launch.kernel_attr(ir) {
            p.attr(kernel);
        }
        p.text(" blocks in (");
        p.values(launch.grid(ir));
        p.text(") threads in (");
        p.values(launch.block(ir));
        p.text(")");
        if let Some(bytes) = launch.dynamic_shared_memory(ir) {
            p.text(" dynamic_shared_memory_size ");
            p.value(bytes);
        }
        let arguments = launch.arguments(ir);
        if !arguments.is_empty() {
            p.text(" args(");
            for (index, &argument) in arguments.iter().enumerate() {
                if index > 0 {
                    p.text(", ");
                }
                p.value(argument);
                p.text(" : ");
                p.ty(ir.value_type(argument));
            }
            p.text(")");
        }
        p.attr_dict(op, &["kernel"]);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let kernel = p.parse_symbol_ref()?;
        op.set_attr(p.ctx(), p.ctx().ident("kernel"), kernel);
        p.expect_keyword("blocks")?;
        p.expect_keyword("in")?;
        parse_triple(p, op)?;
        p.expect_keyword("threads")?;
        p.expect_keyword("in")?;
        parse_triple(p, op)?;
        let mut sizes = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
        if p.eat_keyword("dynamic_shared_memory_size") {
            let bytes = p.parse_operand()?;
            let ty = p.ctx().i32();
            op.state.operands.push(p.resolve_operand(bytes, ty)?);
            sizes[10] = 1;
        }
        let before = op.state.operands.len();
        if p.eat_keyword("args") {
            p.parse_list(Tok::LParen, Tok::RParen, |p| {
                let argument = p.parse_operand()?;
                let ty = p.parse_colon_type()?;
                op.state.operands.push(p.resolve_operand(argument, ty)?);
                Ok(())
            })?;
        }
        sizes[11] = (op.state.operands.len() - before) as i32;
        set_segments(p, op, &sizes);
        p.parse_attr_dict_into(op)
    }
}

impl Syntax for GpuFuncOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let (func, ir) = (GpuFuncOp::from_op(op), p.ir());
        p.text(" ");
        if let Some(name) = func.name(ir) {
            p.symbol(name);
        }
        p.text("(");
        print_args(p, &func.parameters(ir));
        p.text(")");
        let shared = func.workgroup_buffers(ir);
        if !shared.is_empty() {
            p.text(" workgroup(");
            print_args(p, &shared);
            p.text(")");
        }
        if func.is_kernel(ir) {
            p.text(" kernel");
        }
        p.attr_dict_with_keyword(
            op,
            &["sym_name", "function_type", KERNEL, WORKGROUP_ATTRIBUTIONS],
        );
        p.text(" ");
        p.region(func.body(ir), EntryArgs::Hidden, LastOp::Shown);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let name = p.parse_symbol_name()?;
        let name = p.ctx().str_attr(p.ctx().str(name));
        op.set_attr(p.ctx(), p.ctx().ident("sym_name"), name);
        let mut args: Vec<BlockArg<'_>> = p.parse_block_arg_list()?.into_vec();
        let inputs: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
        let ty = p.ctx().type_attr(p.ctx().function(&inputs, &[]));
        op.set_attr(p.ctx(), p.ctx().ident("function_type"), ty);
        if p.eat_keyword("workgroup") {
            let shared = p.parse_block_arg_list()?;
            let count = p.ctx().i64_attr(shared.len() as i64);
            op.set_attr(p.ctx(), p.ctx().ident(WORKGROUP_ATTRIBUTIONS), count);
            args.extend(shared);
        }
        if p.eat_keyword("kernel") {
            op.set_attr(p.ctx(), p.ctx().ident(KERNEL), p.ctx().unit());
        }
        if p.eat_keyword("attributes") {
            p.parse_attr_dict_into(op)?;
        }
        let region = p.parse_region(&args, Isolation::Own)?;
        op.regions.push(region);
        Ok(())
    }
}

fn print_args(p: &mut Printer<'_>, args: &[Value]) {
    for (index, &arg) in args.iter().enumerate() {
        if index > 0 {
            p.text(", ");
        }
        p.value(arg);
        p.text(": ");
        p.ty(p.ir().value_type(arg));
    }
}

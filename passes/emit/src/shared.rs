//! Arrays in dynamic shared memory, in terms of upstream's ops.
//!
//! ```mlir
//! %xs = gpu.shared_array %offset, %n : memref<?xf32, #gpu.address_space<workgroup>>
//!   ==>
//! memref.global @dynamic_shared : memref<0xi8, #gpu.address_space<workgroup>> {alignment = 16}     // once per module
//! %all = memref.get_global @dynamic_shared
//! %xs = memref.view %all[%offset][%n]
//! ```
//! Of a global without elements and without a value LLVM makes `.extern .shared`, behind what the kernel has itself.
//! Done on a copy of the program as the last step: interpreters know the typed arrays, not the bytes.

use segra_gpu::launch::SharedArrayOp;
use segra_ir::{Builder, Context, InsertPoint, Ir, Loc, Op, OpView, Type};
use segra_space::Target;
use segra_std::memref::{GetGlobalOp, GlobalOp, ViewOp};

/// Name of the global that all dynamic shared memory starts at.
const NAME: &str = "dynamic_shared";

/// Writes shared arrays in upstream's ops.
pub(crate) fn for_upstream(ir: &mut Ir, modules: &[Op]) {
    for &module in modules {
        let arrays: Vec<SharedArrayOp> = ir
            .walk(module)
            .into_iter()
            .filter_map(|op| ir.cast(op))
            .collect();
        if let Some(first) = arrays.first() {
            declare(ir, module, *first);
        }
        for array in arrays {
            view(ir, array);
        }
    }
}

fn bytes(ir: &Ir, array: SharedArrayOp) -> Type {
    let ctx = ir.ctx();
    let space = match ctx.type_kind(ir.value_type(array.result(ir))) {
        segra_ir::TypeKind::MemRef { space, .. } => *space,
        _ => None,
    };
    ctx.memref(&[0], ctx.integer(8), space)
}

fn declare(ir: &mut Ir, module: Op, like: SharedArrayOp) {
    let ctx = ir.context();
    let ty = ctx.type_attr(bytes(ir, like));
    let Some(block) = ir
        .regions(module)
        .first()
        .and_then(|&region| ir.entry_block(region))
    else {
        return;
    };
    let point = ir
        .first_op(block)
        .map_or(InsertPoint::End(block), InsertPoint::Before);
    let mut b = Builder::new(ir, point, Loc::UNKNOWN);
    // Products and copies of tiles find numbers by bits of their addresses, so arrays begin at multiples of what those bits count.
    let bytes = match crate::products::by_address(b.ir, module) {
        false => Target::CUDA.shared_alignment,
        true => segra_gpu::warpgroup::ALIGNMENT,
    };
    let (name, alignment) = (
        ctx.str_attr(NAME),
        ctx.int_attr(i128::from(bytes), ctx.integer(64)),
    );
    let global = GlobalOp::builder().sym_name(name).r#type(ty);
    global.alignment(alignment).build(&mut b);
}

fn view(ir: &mut Ir, array: SharedArrayOp) {
    let ctx: std::sync::Arc<Context> = ir.context();
    let (all, ty) = (bytes(ir, array), ir.value_type(array.result(ir)));
    let (offset, count) = (array.offset(ir), array.count(ir));
    let mut b = Builder::before(ir, array.op());
    let name = ctx.symbol_attr(NAME);
    let start = GetGlobalOp::build(&mut b, name, all).result(b.ir);
    let sizes = [count];
    let seen = ViewOp::builder()
        .source(start)
        .byte_shift(offset)
        .sizes(&sizes);
    let seen = seen.result_type(ty).build(&mut b).result(b.ir);
    ir.replace_op(array.op(), &[seen]);
}

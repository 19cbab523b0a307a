//! Programs in a form in which it does not matter where and in which order constants stand, nor what values are called.

use segra_ir::interfaces::constant_of;
use segra_ir::{Block, Ir, Op, Trait};
use segra_text::{PrintOptions, print};

/// The program as generic text, constants first in each block, ordered and each once.
pub(crate) fn text(ir: &mut Ir) -> String {
    let blocks: Vec<Block> = ir
        .walk(ir.root())
        .into_iter()
        .flat_map(|op| ir.regions(op).to_vec())
        .flat_map(|region| ir.blocks(region).collect::<Vec<_>>())
        .collect();
    for block in blocks {
        let constants: Vec<Op> = ir
            .ops(block)
            .filter(|&op| ir.has_trait(op, Trait::ConstantLike))
            .collect();
        let mut keyed: Vec<(String, Op)> =
            constants.into_iter().map(|op| (key(ir, op), op)).collect();
        keyed.sort_by(|a, b| a.0.cmp(&b.0));
        let mut last: Option<(String, Op)> = None;
        for (key, op) in keyed.into_iter().rev() {
            match &last {
                Some((known, kept)) if *known == key => {
                    let value = ir.result(*kept, 0);
                    ir.replace_op(op, &[value]);
                }
                _ => {
                    if let Some(first) = ir.first_op(block).filter(|&first| first != op) {
                        ir.move_before(op, first);
                    }
                    last = Some((key, op));
                }
            }
        }
    }
    print(ir, ir.root(), &PrintOptions::mlir_generic())
}

fn key(ir: &Ir, op: Op) -> String {
    let value = ir.result(op, 0);
    let attr = constant_of(ir, value).map(|attr| format!("{:?}", attr.kind(ir.ctx())));
    format!(
        "{:?} {}",
        ir.value_type(value).kind(ir.ctx()),
        attr.unwrap_or_default()
    )
}

//! Properties of operators of reductions, scans and histograms.

use segra_ir::{Ir, Region, Trait, Value};

/// Whether every value is one commutative op of its own two operands. (Sums of floats may be reordered.)
pub fn is_commutative(ir: &Ir, combine: Region) -> bool {
    let Some(block) = ir.entry_block(combine) else {
        return false;
    };
    let Some(terminator) = ir.last_op(block) else {
        return false;
    };
    let args = ir.block_args(block);
    let half = args.len() / 2;
    ir.operands(terminator).enumerate().all(|(index, value)| {
        let Some(op) = ir.defining_op(value) else {
            return false;
        };
        let operands: Vec<Value> = ir.operands(op).collect();
        ir.has_trait(op, Trait::Commutative)
            && (operands == [args[index], args[half + index]]
                || operands == [args[half + index], args[index]])
    })
}

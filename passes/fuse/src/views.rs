//! Views among the inputs of a combinator: replicated values and rearranged arrays go into the body.

use crate::soac::{Body, Soac, copy_operator};
use segra_array::shape::{RearrangeOp, ReplicateOp};
use segra_ir::{Builder, Ir, Op, Type, Value};

/// What stands for an input.
enum Behind {
    /// The input as it is.
    Input(Value),
    /// Every element is this value.
    Value(Value),
    /// Every element is this array's, rearranged.
    Rearranged(Value, Vec<i64>),
}

/// Makes inputs simpler; the op that takes `op`'s place, if any was.
pub(crate) fn absorb(ir: &mut Ir, op: Op) -> Option<Op> {
    let soac = Soac::of(ir, op)?;
    let mut behind: Vec<Behind> = soac.arrays.iter().map(|&array| look_behind(ir, array)).collect();
    // The extent must still be known from an input.
    if behind.iter().all(|behind| matches!(behind, Behind::Value(_))) {
        behind[0] = Behind::Input(soac.arrays[0]);
    }
    if behind.iter().all(|behind| matches!(behind, Behind::Input(_))) {
        return None;
    }
    let inputs = behind.iter().filter_map(|behind| match behind {
        Behind::Input(array) | Behind::Rearranged(array, _) => Some(*array),
        Behind::Value(_) => None,
    });
    let inputs: Vec<Value> = inputs.collect();
    let body = Body::over(ir, inputs);
    let mut elements: Vec<(Value, Value)> = Vec::new();
    for (&array, behind) in soac.arrays.iter().zip(&behind) {
        let element = match behind {
            Behind::Input(array) => body.element(*array),
            Behind::Value(value) => *value,
            Behind::Rearranged(source, permutation) => {
                let loc = ir.loc(op);
                let element = body.element(*source);
                let attr = ir.ctx().dense_i64_attr(permutation);
                let mut b = Builder::at_end(ir, body.block, loc);
                RearrangeOp::build(&mut b, element, attr).result(ir)
            }
        };
        elements.push((array, element));
    }
    let element = |array: Value| elements.iter().find(|pair| pair.0 == array).map_or(array, |pair| pair.1);
    let yields = body.inline(ir, &soac, &element);
    let types: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
    let combine = soac.combine.map(|block| copy_operator(ir, &[block]));
    let combined = combine.map(|block| (soac.neutral.as_slice(), block));
    let new = body.finish(ir, op, &yields, combined, &types);
    let results: Vec<Value> = ir.results(new).collect();
    ir.replace_op(op, &results);
    // A view nobody uses any more would keep what is behind it from being fused.
    let views: rustc_hash::FxHashSet<Op> =
        soac.arrays.iter().filter_map(|&array| ir.defining_op(array)).collect();
    for view in views {
        if ir.regions(view).is_empty() && segra_ir::interfaces::is_trivially_dead(ir, view) {
            ir.erase_op(view);
        }
    }
    Some(new)
}

fn look_behind(ir: &Ir, array: Value) -> Behind {
    if let Some(replicate) = ir.def_as::<ReplicateOp>(array)
        && replicate.sizes(ir).len() == 1
    {
        return Behind::Value(replicate.value(ir));
    }
    if let Some(rearrange) = ir.def_as::<RearrangeOp>(array) {
        let permutation = rearrange.permutation(ir);
        // Only where a combinator that could be fused is behind it.
        let feeds = ir.defining_op(rearrange.array(ir)).is_some_and(|def| Soac::of(ir, def).is_some());
        if feeds && permutation.first() == Some(&0) && permutation.len() > 2 {
            let inner = permutation[1..].iter().map(|dim| dim - 1).collect();
            return Behind::Rearranged(rearrange.array(ir), inner);
        }
    }
    Behind::Input(array)
}

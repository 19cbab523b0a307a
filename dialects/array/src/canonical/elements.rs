//! A value read from an updated location is the value written there.

use super::{constant, extent, index_constant};
use crate::layout::{GatherOp, ReverseOp, UpdateOp};
use crate::shape::{IndexOp, RearrangeOp};
use crate::types::sizes_and_element;
use segra_ir::interfaces::{Canonicalize, Fold, FoldResult, Rewriter};
use segra_ir::{Attr, Ir, Op, OpView, Value};
use segra_std::arith::SubIOp;
use smallvec::{SmallVec, smallvec};

impl Fold for UpdateOp {
    /// An element put where it is.
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Option<SmallVec<[FoldResult; 1]>> {
        let update = UpdateOp::from_op(op);
        let read = ir.def_as::<IndexOp>(update.value(ir))?;
        let same = read.array(ir) == update.array(ir) && read.indices(ir) == update.indices(ir);
        same.then(|| smallvec![FoldResult::Value(update.array(ir))])
    }
}

impl Fold for IndexOp {
    /// The value put there.
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Option<SmallVec<[FoldResult; 1]>> {
        let index = IndexOp::from_op(op);
        let update = ir.def_as::<UpdateOp>(index.array(ir))?;
        let same = update.indices(ir) == index.indices(ir)
            && ir.value_type(update.value(ir)) == ir.value_type(index.result(ir));
        same.then(|| smallvec![FoldResult::Value(update.value(ir))])
    }
}

impl Canonicalize for UpdateOp {
    /// Of two updates of one place the last counts.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let update = UpdateOp::from_op(op);
        let Some(before) = ir.def_as::<UpdateOp>(update.array(ir)) else {
            return false;
        };
        if before.indices(ir) != update.indices(ir) {
            return false;
        }
        let array = before.array(ir);
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 1, array));
        true
    }
}

impl Canonicalize for IndexOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let index = IndexOp::from_op(op);
        let (array, indices) = (index.array(ir), index.indices(ir));
        let rank = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len();
        if let Some(outer) = ir.def_as::<IndexOp>(array) {
            let all: Vec<Value> = outer.indices(ir).into_iter().chain(indices).collect();
            let source = outer.array(ir);
            return element_of(rewriter, op, source, &all);
        }
        if let Some(view) = ir
            .def_as::<RearrangeOp>(array)
            .filter(|_| indices.len() == rank)
        {
            let mut turned = indices.clone();
            for (&dim, &index) in view.permutation(ir).iter().zip(&indices) {
                turned[dim as usize] = index;
            }
            let source = view.array(ir);
            return element_of(rewriter, op, source, &turned);
        }
        if let Some(view) = ir.def_as::<ReverseOp>(array) {
            let (source, dim) = (view.array(ir), view.dim(ir) as usize);
            let mut turned = indices;
            if dim >= turned.len() {
                return false;
            }
            turned[dim] = rewriter.build(op, |b| {
                let (extent, one) = (extent(b, source, dim), index_constant(b, 1));
                let last = SubIOp::build(b, extent, one).result(b.ir);
                SubIOp::build(b, last, turned[dim]).result(b.ir)
            });
            return element_of(rewriter, op, source, &turned);
        }
        if let Some(view) = ir
            .def_as::<GatherOp>(array)
            .filter(|_| ir.has_one_use(array))
        {
            let (source, chosen) = (view.array(ir), view.indices(ir));
            let mut all = indices;
            all[0] = rewriter.build(op, |b| IndexOp::build(b, chosen, &[all[0]]).result(b.ir));
            return element_of(rewriter, op, source, &all);
        }
        other_element(rewriter, op, index)
    }
}

fn element_of(rewriter: &mut dyn Rewriter, op: Op, array: Value, indices: &[Value]) -> bool {
    rewriter.replace_with(op, |b| [IndexOp::build(b, array, indices).result(b.ir)]);
    true
}

/// An element beside the one that was updated is that of the array before.
fn other_element(rewriter: &mut dyn Rewriter, op: Op, index: IndexOp) -> bool {
    let ir = rewriter.ir();
    let Some(update) = ir.def_as::<UpdateOp>(index.array(ir)) else {
        return false;
    };
    let constants = |values: Vec<Value>| {
        values
            .into_iter()
            .map(|value| constant(ir, value))
            .collect::<Vec<_>>()
    };
    let (read, put) = (constants(index.indices(ir)), constants(update.indices(ir)));
    let apart = read
        .iter()
        .zip(&put)
        .any(|(a, b)| a.is_some() && b.is_some() && a != b);
    if !apart {
        return false;
    }
    let array = update.array(ir);
    rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, array));
    true
}

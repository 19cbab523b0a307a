//! Combinators that forward what they get.

use super::forget;
use crate::combinator::{Parts, Soac};
use crate::filter::FilterOp;
use crate::soac::{MapOp, RedomapOp, ScanomapOp, YieldOp};
use crate::types::{ArrayType, Size};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{
    Canonicalize, Rewriter, constant_of, is_pure, is_removable, is_speculatable,
};
use segra_ir::{Block, Ir, Op, OpView, Type, Value};
use segra_std::arith::AndIOp;

/// The values a block of a combinator yields.
fn yields(ir: &Ir, block: Block) -> Vec<Value> {
    ir.last_op(block)
        .map_or(Vec::new(), |last| ir.operands(last).collect())
}

/// Replaces results that are elements forwarded as they are; `first` is the result of the first value yielded that is
/// stored as it is.
fn hand_on(
    rewriter: &mut dyn Rewriter,
    op: Op,
    block: Block,
    arrays: &[Value],
    skip: usize,
) -> bool {
    let ir = rewriter.ir();
    let args = ir.block_args(block);
    let mut same = Vec::new();
    for (value, result) in yields(ir, block).into_iter().zip(ir.results(op)).skip(skip) {
        let array = args
            .iter()
            .position(|&arg| arg == value)
            .map(|at| arrays[at]);
        let known = array
            .filter(|&array| ir.value_type(array) == ir.value_type(result) && ir.has_uses(result));
        same.extend(known.map(|array| (result, array)));
    }
    for &(result, array) in &same {
        rewriter.replace_value(result, array);
    }
    !same.is_empty()
}

impl Canonicalize for MapOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let map = MapOp::from_op(op);
        let (block, arrays) = (map.body_block(rewriter.ir()), map.arrays(rewriter.ir()));
        hand_on(rewriter, op, block, &arrays, 0)
    }
}

/// Whether a body does nothing but forward its elements, each once and in order.
fn only_hands_on(ir: &Ir, block: Block) -> bool {
    ir.first_op(block) == ir.last_op(block) && yields(ir, block) == ir.block_args(block)
}

/// A fused combinator: results that are elements forwarded become the arrays, and one whose body does nothing else
/// becomes the plain combinator, which takes its operator.
fn unfuse(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let Some(soac) = Soac::of(rewriter.ir(), op) else {
        return false;
    };
    let (Some(body), Some(combine)) = (soac.body, soac.combine) else {
        return false;
    };
    if hand_on(rewriter, op, body, &soac.arrays, soac.start.len()) {
        return true;
    }
    let ir = rewriter.ir();
    if ir.num_results(op) != soac.start.len() || !only_hands_on(ir, body) {
        return false;
    }
    let types: Vec<Type> = ir.results(op).map(|result| ir.value_type(result)).collect();
    let plain = Parts {
        body: None,
        ..soac.parts
    };
    rewriter.modify(op, &mut |ir| ir.detach_block(combine));
    let plain = rewriter.build(op, |b| plain.build_as(b, &types));
    let results: Vec<Value> = rewriter.ir().results(plain).collect();
    rewriter.replace_op(op, &results);
    true
}

impl Canonicalize for RedomapOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        unfuse(rewriter, op)
    }
}

impl Canonicalize for ScanomapOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        unfuse(rewriter, op)
    }
}

/// Whether an op of a body may run on elements that an earlier filter dropped.
fn may_run_anywhere(ir: &Ir, block: Block) -> bool {
    ir.ops(block)
        .all(|op| is_pure(ir, op) && is_speculatable(ir, op))
}

impl Canonicalize for FilterOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let filter = FilterOp::from_op(op);
        let (block, arrays) = (filter.body_block(ir), filter.arrays(ir));
        let types: Vec<Type> = ir.results(op).map(|result| ir.value_type(result)).collect();
        let ctx = ir.context();
        let unnamed = |ty: &Type| {
            ty.dialect::<ArrayType>(&ctx)
                .is_some_and(|ty| ty.sizes.first() == Some(&Size::Unknown))
        };
        let keeps = yields(ir, block)
            .first()
            .and_then(|&keep| constant_of(ir, keep)?.as_integer(ir.ctx()));
        if keeps.is_some_and(|keeps| keeps != 0)
            && types.iter().all(unnamed)
            && is_removable(ir, op)
        {
            rewriter.replace_with(op, |b| {
                let all = arrays
                    .iter()
                    .zip(&types)
                    .map(|(&array, &ty)| forget(b, array, ty));
                all.collect::<Vec<_>>()
            });
            return true;
        }
        // The elements an earlier filter keeps: both at once.
        let Some(first) = arrays
            .first()
            .and_then(|&array| ir.def_as::<FilterOp>(array))
        else {
            return false;
        };
        let inner: Vec<Value> = first.results(ir).to_vec();
        let alone = inner == arrays && inner.iter().all(|&array| ir.has_one_use(array));
        let inner_types: Vec<Type> = inner.iter().map(|&array| ir.value_type(array)).collect();
        if !alone || !inner_types.iter().all(unnamed) || !may_run_anywhere(ir, block) {
            return false;
        }
        let inputs = first.arrays(ir);
        let inner_block = first.body_block(ir);
        rewriter.replace_with(op, |b| {
            let rows = crate::soac::row_types(b.ir, &inputs);
            let new = FilterOp::builder()
                .arrays(&inputs)
                .results_types(&types)
                .build(b);
            let region = new.body(b.ir);
            b.build_block(region, &rows, |b, elements| {
                let before = b.clone_block_body(inner_block, elements, &mut Mapping::new());
                let after = b.clone_block_body(block, elements, &mut Mapping::new());
                let both = AndIOp::build(b, before[0], after[0]).result(b.ir);
                YieldOp::build(b, &[both]);
            });
            new.results(b.ir).to_vec()
        });
        true
    }
}

//! Folding one op: constants among its operands, its `Fold` interface, and what to do with the answer.

use segra_ir::interfaces::{FoldResult, constant_of};
use segra_ir::{Attr, Ir, Op, Trait};
use smallvec::SmallVec;

/// The result of folding an op.
pub type Folding = SmallVec<[FoldResult; 1]>;

/// The replacement of each result of `op`, where its `Fold` interface knows; `None`: nothing new.
pub fn fold_op(ir: &Ir, op: Op) -> Option<Folding> {
    let info = ir.info(op)?;
    let fold = info.fold?;
    // A constant folds to itself.
    if info.has(Trait::ConstantLike) {
        return None;
    }
    let operands: SmallVec<[Option<Attr>; 4]> = ir
        .operands(op)
        .map(|value| constant_of(ir, value))
        .collect();
    let found = fold.fold(ir, op, &operands)?;
    let same = |(result, value): (_, &FoldResult)| *value == FoldResult::Value(result);
    let useless = found.len() != ir.num_results(op) || ir.results(op).zip(&found).all(same);
    (!useless).then_some(found)
}

/// Moves constant operands of a commutative op behind the others, keeping the order otherwise. Whether any moved.
pub fn move_constants_right(ir: &mut Ir, op: Op) -> bool {
    if ir.num_operands(op) < 2 || !ir.has_trait(op, Trait::Commutative) {
        return false;
    }
    let is_constant = |value: &_| constant_of(ir, *value).is_some();
    // Mostly they are where they belong.
    if ir
        .operands(op)
        .skip_while(|value| !is_constant(value))
        .all(|value| is_constant(&value))
    {
        return false;
    }
    let (constants, mut sorted): (SmallVec<[_; 4]>, SmallVec<[_; 4]>) =
        ir.operands(op).partition(is_constant);
    sorted.extend(constants);
    ir.set_operands(op, &sorted);
    true
}

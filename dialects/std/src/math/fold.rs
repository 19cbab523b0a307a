//! Folding of functions that are computed in double precision. Deliberately absent: formats other than `f32` and `f64`,
//! which upstream leaves alone.

use segra_interp::{Datum, Elem};
use segra_ir::interfaces::{FoldResult, Folded};
use segra_ir::{Attr, Ir, Op};
use smallvec::{SmallVec, smallvec};

/// Folds by a rule in double precision; where it gives nothing for an element, the op stays.
pub(super) fn fold_real(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    rule: impl Fn(&[f64]) -> Option<f64>,
) -> Folded {
    let ty = ir.value_type(ir.result(op, 0));
    let elem = Elem::of_element(ir.ctx(), ty).filter(|elem| matches!(elem, Elem::F32 | Elem::F64));
    // Poison folds in every format.
    let folded = crate::constants::fold_scalars(ir.ctx(), operands, ty, |values| {
        let numbers: SmallVec<[f64; 2]> =
            values.iter().map(Datum::as_f64).collect::<Option<_>>()?;
        Some(Datum::from_f64(rule(&numbers)?, elem?))
    })?;
    Some(smallvec![FoldResult::Attr(folded)])
}

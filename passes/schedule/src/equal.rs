//! Extents of a function's arrays that are equal: by what the arrays are made as large as, and by its asserts.

use rustc_hash::FxHashMap;
use segra_ir::interfaces::known_extent;
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, Value};
use segra_std::arith::{CmpIOp, CmpIPredicate, MulIOp};
use segra_std::cf::AssertOp;
use segra_std::tensor::DimOp;

/// The identity of an extent, as far as it can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Extent {
    Constant(i64),
    /// A dimension of an array.
    Of(Value, usize),
    Value(Value),
}

/// Extents that a function's asserts prove equal.
#[derive(Default)]
pub(crate) struct Equal {
    /// Each extent by the one it is known to equal.
    known: FxHashMap<Extent, Extent>,
}

impl Equal {
    /// Collects the asserts of a function: `cf.assert (a == b)` at its top.
    pub(crate) fn of(ir: &Ir, function: Op) -> Equal {
        let mut equal = Equal::default();
        let entry = ir
            .regions(function)
            .first()
            .and_then(|&region| ir.entry_block(region));
        let asserts = entry
            .into_iter()
            .flat_map(|block| ir.ops(block))
            .filter_map(|op| ir.cast::<AssertOp>(op));
        for assert in asserts {
            let compared = ir
                .defining_op(assert.arg(ir))
                .and_then(|op| ir.cast::<CmpIOp>(op))
                .filter(|compared| compared.predicate(ir) == CmpIPredicate::Eq);
            if let Some(compared) = compared {
                let a = equal.extent(ir, compared.lhs(ir));
                let b = equal.extent(ir, compared.rhs(ir));
                if a != b {
                    equal.known.insert(a, b);
                }
            }
        }
        equal
    }

    /// Whether a dimension of an array has this extent.
    pub(crate) fn has(&self, ir: &Ir, array: Value, dim: usize, size: Value) -> bool {
        self.dimension(ir, array, dim) == self.extent(ir, size)
    }

    /// Whether two extents are equal.
    pub(crate) fn are(&self, ir: &Ir, a: Value, b: Value) -> bool {
        a == b || self.extent(ir, a) == self.extent(ir, b)
    }

    /// The number that an extent is, if it is known.
    pub(crate) fn constant(&self, ir: &Ir, extent: Value) -> Option<i64> {
        match self.extent(ir, extent) {
            Extent::Constant(known) => Some(known),
            Extent::Of(..) | Extent::Value(_) => None,
        }
    }

    fn extent(&self, ir: &Ir, value: Value) -> Extent {
        if let Some(known) = ir.constant_int(value) {
            return Extent::Constant(known);
        }
        let op = ir.defining_op(value);
        if let Some(dim) = op.and_then(|op| ir.cast::<DimOp>(op)) {
            let at = dim.dim(ir).unwrap_or(usize::MAX);
            return self.dimension(ir, dim.source(ir), at);
        }
        match op.and_then(|op| ir.cast::<MulIOp>(op)) {
            Some(product) if ir.constant_int(product.lhs(ir)) == Some(1) => {
                self.extent(ir, product.rhs(ir))
            }
            _ => self.settled(Extent::Value(value)),
        }
    }

    /// The extent of a dimension, seen through the producer of the array. Not through loops: those of the host may carry
    /// arrays that grow.
    fn dimension(&self, ir: &Ir, array: Value, dim: usize) -> Extent {
        let shape = ir.value_type(array).shaped(ir.ctx()).map(|shaped| shaped.0);
        match shape.and_then(|shape| shape.get(dim)) {
            Some(&extent) if extent != DYNAMIC => Extent::Constant(extent),
            _ => match known_extent(ir, array, dim) {
                Some(size) => self.extent(ir, size),
                None => self.settled(Extent::Of(array, dim)),
            },
        }
    }

    fn settled(&self, mut extent: Extent) -> Extent {
        // Chains are as long as arguments of one size are many.
        while let Some(&next) = self.known.get(&extent) {
            extent = next;
        }
        extent
    }
}

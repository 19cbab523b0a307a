//! Identities of extents, as far as two can be told to be one.
//!
//! Constants and names of sizes are in types. Of `?`, an extent is that of a value the array was made with, or of another array
//! ([`extent`](crate::extent)): one that a map has its elements from, or the one that a loop carries in the array's place before
//! its first iteration, if each iteration yields arrays of the extent that it was given. That is told by induction: it is asked
//! of what the loop yields, with the loop's own arrays taken for those that it begins with.

use crate::extent::{of_argument, of_result};
use crate::shape::DimOp;
use crate::types::{Size, sizes_and_element};
use segra_ir::interfaces::known_extent;
use segra_ir::{Ident, Ir, Op, Value, ValueDef};
use segra_std::check::RequireOp;
use segra_std::scf::ForOp;

/// Arrays that an extent is followed through, at most.
const MOST_ARRAYS: usize = 16;

/// The identity of an extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A number.
    Constant(i64),
    /// A size of the function.
    Symbol(Ident),
    /// A value that nothing tells more about.
    Value(Value),
    /// A dimension of an array that nothing tells more about.
    Dim(Value, usize),
}

/// The extent of a dimension of an array.
#[must_use]
pub fn extent_of(ir: &Ir, array: Value, dim: usize) -> Extent {
    Search::default().of_array(ir, array, dim)
}

/// The extent that a number is, where it is used as one.
#[must_use]
pub fn extent(ir: &Ir, value: Value) -> Extent {
    Search::default().of_value(ir, value)
}

/// The search for an extent.
#[derive(Default)]
struct Search {
    /// Dimensions of arrays that loops carry, with the extents that they begin with.
    carried: Vec<((Value, usize), Extent)>,
    arrays: usize,
}

impl Search {
    fn of_value(&mut self, ir: &Ir, value: Value) -> Extent {
        let mut value = value;
        for _ in 0..MOST_ARRAYS {
            match ir.def_as::<RequireOp>(value) {
                Some(check) => value = check.value(ir),
                None => break,
            }
        }
        if let Some(constant) = ir.constant_int(value) {
            return Extent::Constant(constant);
        }
        match ir.def_as::<DimOp>(value) {
            Some(dim) => {
                let number = usize::try_from(dim.dim(ir)).unwrap_or(usize::MAX);
                self.of_array(ir, dim.array(ir), number)
            }
            None => Extent::Value(value),
        }
    }

    fn of_array(&mut self, ir: &Ir, array: Value, dim: usize) -> Extent {
        match sizes_and_element(ir.ctx(), ir.value_type(array)).0.get(dim) {
            Some(Size::Constant(extent)) => return Extent::Constant(*extent),
            Some(Size::Symbol(name)) => return Extent::Symbol(*name),
            _ => {}
        }
        let itself = Extent::Dim(array, dim);
        self.arrays += 1;
        if self.arrays > MOST_ARRAYS {
            return itself;
        }
        match ir.value_def(array) {
            ValueDef::Result { op, .. } => self.of_result(ir, op, array, dim).unwrap_or(itself),
            ValueDef::Argument { block, index } => {
                match of_argument(ir, block, index as usize, dim) {
                    Some((from, dim)) => self.of_array(ir, from, dim),
                    None => self.of_carried(ir, array, dim).unwrap_or(itself),
                }
            }
        }
    }

    fn of_result(&mut self, ir: &Ir, op: Op, array: Value, dim: usize) -> Option<Extent> {
        if let Some(value) = known_extent(ir, array, dim) {
            return Some(self.of_value(ir, value));
        }
        let result = ir.results(op).position(|result| result == array)?;
        if let Some(looped) = ir.cast::<ForOp>(op) {
            let argument = *looped.iter_args(ir).get(result)?;
            return self.of_carried(ir, argument, dim);
        }
        let (from, dim) = of_result(ir, op, result, dim)?;
        Some(self.of_array(ir, from, dim))
    }

    /// The extent of an array that a loop carries, if it is that of the array that the loop begins with in every iteration.
    fn of_carried(&mut self, ir: &Ir, array: Value, dim: usize) -> Option<Extent> {
        let known = self.carried.iter().find(|known| known.0 == (array, dim));
        if let Some((_, first)) = known {
            return Some(*first);
        }
        let ValueDef::Argument { block, .. } = ir.value_def(array) else {
            return None;
        };
        let looped = ir.cast::<ForOp>(ir.block_parent(block)?)?;
        let at = looped.iter_args(ir).iter().position(|&arg| arg == array)?;
        let init = *looped.init_args(ir).get(at)?;
        let yielded = ir.operands(ir.last_op(block)?).nth(at)?;
        let first = self.of_array(ir, init, dim);
        self.carried.push(((array, dim), first));
        let next = self.of_array(ir, yielded, dim);
        self.carried.pop();
        (next == first).then_some(first)
    }
}

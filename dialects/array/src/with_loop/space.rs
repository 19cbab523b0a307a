//! Arithmetic on index spaces: ranges of with-loops as descriptors of `crates/space`, and its expressions as ops.

use super::{Bound, Range};
use rustc_hash::FxHashMap;
use segra_ir::{Builder, Value};
use segra_space::{
    Arena, Combinator, CombinatorError, Descriptor, Dimension, Expr, Interval, Symbol,
};
use segra_std::arith::expr::emit;

/// Expressions over bounds and indices of a program.
#[derive(Default)]
pub struct Arithmetic {
    /// The expressions.
    pub arena: Arena,
    symbols: FxHashMap<Symbol, Value>,
    known: FxHashMap<Value, Expr>,
}

impl Arithmetic {
    /// A value of the program, of which the numbers it may be are known.
    pub fn value(&mut self, value: Value, numbers: Interval) -> Expr {
        if let Some(&expr) = self.known.get(&value) {
            return expr;
        }
        let expr = self.arena.unnamed_symbol(numbers);
        if let Some(symbol) = self.arena.as_symbol(expr) {
            self.symbols.insert(symbol, value);
        }
        self.known.insert(value, expr);
        expr
    }

    /// A bound.
    pub fn bound(&mut self, bound: Bound, numbers: Interval) -> Expr {
        match bound {
            Bound::Constant(constant) => self.arena.int(constant),
            Bound::Value(value) => self.value(value, numbers),
        }
    }

    /// A range as a dimension. Its step and width are at least 1; `lower` says what the bounds may be.
    pub fn dimension(&mut self, range: &Range, numbers: Interval) -> Dimension {
        Dimension {
            lower: self.bound(range.lower, numbers),
            upper: self.bound(range.upper, numbers),
            step: self.bound(range.step, Interval::at_least(1)),
            width: self.bound(range.width, Interval::at_least(1)),
        }
    }

    /// An index space as a descriptor.
    pub fn descriptor(&mut self, space: &[Range], numbers: Interval) -> Descriptor {
        let dimensions = space.iter().map(|range| self.dimension(range, numbers));
        Descriptor::new(dimensions.collect())
    }

    /// Expressions as values.
    pub fn emit(&mut self, b: &mut Builder<'_>, exprs: &[Expr]) -> Vec<Value> {
        emit(b, &self.arena, exprs, &self.symbols)
    }

    /// Expressions as bounds: constants where they are such.
    pub fn bounds(&mut self, b: &mut Builder<'_>, exprs: &[Expr]) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for &expr in exprs {
            let symbol = self.arena.as_symbol(expr);
            bounds.push(match (self.arena.as_int(expr), symbol) {
                (Some(constant), _) => Bound::Constant(constant),
                (None, Some(symbol)) if self.symbols.contains_key(&symbol) => {
                    Bound::Value(self.symbols[&symbol])
                }
                (None, _) => Bound::Value(self.emit(b, &[expr])[0]),
            });
        }
        bounds
    }
}

/// An index space without gaps, from 0 on, and the way back from its indices.
pub struct Compressed {
    /// The space before each combinator, and at last the one without gaps.
    stages: Vec<Descriptor>,
    combinators: Vec<Combinator>,
}

impl Compressed {
    /// Shifts a space to 0 and closes its gaps; with `folded`, makes one dimension of all, in row-major order.
    ///
    /// # Errors
    /// A step is not known to be positive.
    pub fn new(
        arithmetic: &mut Arithmetic,
        space: Descriptor,
        folded: bool,
    ) -> Result<Compressed, CombinatorError> {
        let rank = space.rank();
        let mut combinators = vec![
            Combinator::ShiftLB,
            Combinator::CompressGrid(vec![true; rank]),
        ];
        if folded {
            combinators.extend((1..rank).map(|_| Combinator::FoldLast2));
        }
        let mut stages = vec![space];
        for combinator in &combinators {
            let next = combinator.apply(&mut arithmetic.arena, &stages[stages.len() - 1])?;
            stages.push(next);
        }
        Ok(Compressed {
            stages,
            combinators,
        })
    }

    /// Its extents.
    pub fn extents(&self, arithmetic: &mut Arithmetic) -> Vec<Expr> {
        self.stages[self.stages.len() - 1].extents(&mut arithmetic.arena)
    }

    /// The index of the original space that one of this space stands for.
    ///
    /// # Errors
    /// There are not as many indices as dimensions.
    pub fn recover(
        &self,
        arithmetic: &mut Arithmetic,
        indices: &[Expr],
    ) -> Result<Vec<Expr>, CombinatorError> {
        let mut indices = indices.to_vec();
        for (combinator, stage) in self.combinators.iter().zip(&self.stages).rev() {
            indices = combinator
                .invert(&mut arithmetic.arena, stage, &indices)?
                .indices;
        }
        Ok(indices)
    }
}

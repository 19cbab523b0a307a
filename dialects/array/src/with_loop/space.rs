//! Arithmetic on index spaces: ranges of with-loops as descriptors of `crates/space`, and its expressions as ops.

use super::{Bound, Range};
use crate::extent::{Origin, origin_of_number};
use crate::types::{Size, sizes_and_element};
use rustc_hash::FxHashMap;
use segra_ir::{Builder, Ident, Ir, Value};
use segra_space::{
    Arena, Combinator, CombinatorError, Descriptor, Dimension, Expr, Facts, Interval,
    SimplifyLimits, Symbol, simplify,
};
use segra_std::arith::expr::emit;

/// The identity of a number: two that are the same extent are one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Value(Value),
    /// A dimension of an array that nothing tells more about.
    Dim(Value, usize),
    /// A size of the function.
    Named(Ident),
}

/// Numbers that bounds of an index space may be.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Of lower bounds.
    pub lower: Interval,
    /// Of upper bounds.
    pub upper: Interval,
}

impl Numbers {
    /// Of a fold, which has no array that bounds them.
    pub const FOLD: Numbers = Numbers {
        lower: Interval::ALL,
        upper: Interval::ALL,
    };
    /// Of an array: lower bounds are not negative, upper ones are at most its extents.
    pub const ARRAY: Numbers = Numbers {
        lower: Interval::NON_NEGATIVE,
        upper: Interval::ALL,
    };
}

/// Expressions over bounds and indices of a program.
#[derive(Default)]
pub struct Arithmetic {
    /// The expressions.
    pub arena: Arena,
    symbols: FxHashMap<Symbol, Value>,
    known: FxHashMap<Key, Expr>,
}

impl Arithmetic {
    /// A value of the program, of which the numbers it may be are known.
    pub fn value(&mut self, ir: &Ir, value: Value, numbers: Interval) -> Expr {
        let key = match origin_of_number(ir, value) {
            Origin::Value(value) => match ir.constant_int(value) {
                Some(constant) => return self.arena.int(constant),
                None => Key::Value(value),
            },
            Origin::Dim(array, dim) => {
                let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
                match sizes.get(dim) {
                    Some(Size::Constant(constant)) => return self.arena.int(*constant),
                    Some(Size::Symbol(name)) => Key::Named(*name),
                    Some(Size::Unknown) | None => Key::Dim(array, dim),
                }
            }
        };
        let numbers = match key {
            Key::Value(_) => numbers,
            Key::Dim(..) | Key::Named(_) => numbers.intersect(Interval::NON_NEGATIVE),
        };
        if let Some(&expr) = self.known.get(&key) {
            // It may be a bound elsewhere, of which less is known than of a step.
            self.arena.narrow(expr, numbers);
            return expr;
        }
        let expr = self.arena.unnamed_symbol(numbers);
        if let Some(symbol) = self.arena.as_symbol(expr) {
            self.symbols.insert(symbol, value);
        }
        self.known.insert(key, expr);
        expr
    }

    /// A bound.
    pub fn bound(&mut self, ir: &Ir, bound: Bound, numbers: Interval) -> Expr {
        match bound {
            Bound::Constant(constant) => self.arena.int(constant),
            Bound::Value(value) => self.value(ir, value, numbers),
        }
    }

    /// A range as a dimension. Its step and width are at least 1.
    pub fn dimension(&mut self, ir: &Ir, range: &Range, numbers: Numbers) -> Dimension {
        let least = Interval::at_least(1);
        Dimension {
            lower: self.bound(ir, range.lower, numbers.lower),
            upper: self.bound(ir, range.upper, numbers.upper),
            step: self.bound(ir, range.step, least),
            width: self.bound(ir, range.width, least),
        }
    }

    /// An index space as a descriptor.
    pub fn descriptor(&mut self, ir: &Ir, space: &[Range], numbers: Numbers) -> Descriptor {
        let dimensions = space.iter().map(|range| self.dimension(ir, range, numbers));
        Descriptor::new(dimensions.collect())
    }

    /// A descriptor as an index space.
    pub fn space(&mut self, b: &mut Builder<'_>, space: &Descriptor) -> Vec<Range> {
        let mut ranges = Vec::new();
        for range in &space.dimensions {
            let bounds = [range.lower, range.upper, range.step, range.width];
            let bounds = self.bounds(b, &bounds);
            ranges.push(Range {
                lower: bounds[0],
                upper: bounds[1],
                step: bounds[2],
                width: bounds[3],
            });
        }
        ranges
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
        let (facts, limits) = (Facts::new(), SimplifyLimits::default());
        Ok(simplify(&mut arithmetic.arena, &indices, &facts, &limits))
    }
}

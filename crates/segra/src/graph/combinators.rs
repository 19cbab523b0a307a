//! The combinators: map, reduce, scan, filter, scatter, hist, with bodies that are closures.
//!
//! While a body is being built it already lies in an op with the same inputs, so that its ops are verified where they
//! stand. Types of results follow from what bodies return.

use super::{Built, Extent, Graph, Node};
use segra_array::combinator::{Flavour, Parts};
use segra_array::filter::FilterOp;
use segra_array::soac::{YieldOp, arrays_of, row_types};
use segra_ir::{Block, Builder, InsertPoint, Loc, OpView, Value};

/// The values that combinations begin with.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Combined exactly once, left of the first element; one per component of the operator.
    pub values: &'a [Node],
    /// Neutral elements of the operator; none where they can be derived from it.
    pub neutral: &'a [Node],
}

impl<'a> From<&'a [Node]> for Start<'a> {
    fn from(values: &'a [Node]) -> Start<'a> {
        Start {
            values,
            neutral: &[],
        }
    }
}

impl<'a, const N: usize> From<&'a [Node; N]> for Start<'a> {
    fn from(values: &'a [Node; N]) -> Start<'a> {
        Start::from(values.as_slice())
    }
}

/// Whether prefixes include their own element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixes {
    /// The i-th result includes the i-th element.
    Inclusive,
    /// The first result is the start value.
    Exclusive,
}

impl Prefixes {
    fn flavour(self) -> Flavour {
        Flavour::Scan {
            exclusive: self == Prefixes::Exclusive,
        }
    }
}

/// A closure for one element of each input.
type Body<'a> = &'a mut dyn FnMut(&[Node]) -> Built<Vec<Node>>;
/// A closure for accumulators and values.
type Operator<'a> = &'a mut dyn FnMut(&[Node], &[Node]) -> Built<Vec<Node>>;

/// The bodies of a combinator.
#[derive(Default)]
struct Bodies<'a> {
    body: Option<Body<'a>>,
    combine: Option<Operator<'a>>,
}

/// A combinator as the caller gives it.
struct Combination<'a> {
    loc: Loc,
    flavour: Flavour,
    arrays: &'a [Node],
    destinations: &'a [Node],
    start: Start<'a>,
}

impl<'a> Combination<'a> {
    fn new(loc: Loc, flavour: Flavour, arrays: &'a [Node]) -> Combination<'a> {
        Combination {
            loc,
            flavour,
            arrays,
            destinations: &[],
            start: Start::from(&[]),
        }
    }
}

/// Makes a closure that is called once of one that may be.
macro_rules! once {
    ($graph:ident, $loc:ident, $closure:ident, |$($arg:ident),+|) => {{
        let mut closure = Some($closure);
        move |$($arg: &[Node]),+| match closure.take() {
            Some(closure) => closure($($arg),+),
            None => Err($graph.error($loc, "a body is built once")),
        }
    }};
}

impl Graph {
    /// Applies `body` to each tuple of elements of the arrays; one array per value that `body` returns.
    ///
    /// # Errors
    /// Arrays of different outer sizes, and what `body` finds.
    pub fn map(
        &self,
        loc: Loc,
        arrays: &[Node],
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let mut body = once!(self, loc, body, |elements|);
        let bodies = Bodies {
            body: Some(&mut body),
            combine: None,
        };
        self.combination(&Combination::new(loc, Flavour::Map, arrays), bodies)
    }

    /// Combines the elements of the arrays; `combine` gets accumulators, then elements. An empty array gives the start values.
    ///
    /// # Errors
    /// Types that do not fit, an operator whose neutral element is neither derived nor given, what `combine` finds.
    pub fn reduce<'a>(
        &self,
        loc: Loc,
        arrays: &[Node],
        start: impl Into<Start<'a>>,
        combine: impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let mut combine = once!(self, loc, combine, |left, right|);
        let bodies = Bodies {
            body: None,
            combine: Some(&mut combine),
        };
        let start = start.into();
        let given = Combination {
            start,
            ..Combination::new(loc, Flavour::Reduce, arrays)
        };
        self.combination(&given, bodies)
    }

    /// A map whose first results, one per start value, are reduced at once; the others are arrays.
    ///
    /// # Errors
    /// As [`Graph::map`] and [`Graph::reduce`].
    pub fn map_reduce<'a>(
        &self,
        loc: Loc,
        arrays: &[Node],
        start: impl Into<Start<'a>>,
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
        combine: impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let mut body = once!(self, loc, body, |elements|);
        let mut combine = once!(self, loc, combine, |left, right|);
        let bodies = Bodies {
            body: Some(&mut body),
            combine: Some(&mut combine),
        };
        let start = start.into();
        let given = Combination {
            start,
            ..Combination::new(loc, Flavour::Reduce, arrays)
        };
        self.combination(&given, bodies)
    }

    /// All prefixes of a reduction.
    ///
    /// # Errors
    /// As [`Graph::reduce`].
    pub fn scan<'a>(
        &self,
        loc: Loc,
        prefixes: Prefixes,
        arrays: &[Node],
        start: impl Into<Start<'a>>,
        combine: impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let mut combine = once!(self, loc, combine, |left, right|);
        let bodies = Bodies {
            body: None,
            combine: Some(&mut combine),
        };
        let start = start.into();
        let given = Combination {
            start,
            ..Combination::new(loc, prefixes.flavour(), arrays)
        };
        self.combination(&given, bodies)
    }

    /// A map whose first results, one per start value, are scanned at once; the others are arrays as they are.
    ///
    /// # Errors
    /// As [`Graph::map`] and [`Graph::reduce`].
    pub fn map_scan<'a>(
        &self,
        loc: Loc,
        prefixes: Prefixes,
        arrays: &[Node],
        start: impl Into<Start<'a>>,
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
        combine: impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let mut body = once!(self, loc, body, |elements|);
        let mut combine = once!(self, loc, combine, |left, right|);
        let bodies = Bodies {
            body: Some(&mut body),
            combine: Some(&mut combine),
        };
        let start = start.into();
        let given = Combination {
            start,
            ..Combination::new(loc, prefixes.flavour(), arrays)
        };
        self.combination(&given, bodies)
    }

    /// The destinations with some elements replaced: `body` returns indices, then one value per destination. Indices out of
    /// range are ignored.
    ///
    /// # Errors
    /// As [`Graph::map`]; indices and values that do not fit the destinations.
    pub fn scatter(
        &self,
        loc: Loc,
        arrays: &[Node],
        destinations: &[Node],
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let mut body = once!(self, loc, body, |elements|);
        let bodies = Bodies {
            body: Some(&mut body),
            combine: None,
        };
        let given = Combination {
            destinations,
            ..Combination::new(loc, Flavour::Scatter, arrays)
        };
        self.combination(&given, bodies)
    }

    /// The destinations with values combined into them: `body` returns indices, then one value per destination; `combine`
    /// gets what is there, then values. `neutral` are the operator's neutral elements.
    ///
    /// # Errors
    /// As [`Graph::scatter`] and [`Graph::reduce`].
    pub fn hist(
        &self,
        loc: Loc,
        arrays: &[Node],
        (destinations, neutral): (&[Node], &[Node]),
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
        combine: impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let mut body = once!(self, loc, body, |elements|);
        let mut combine = once!(self, loc, combine, |left, right|);
        let bodies = Bodies {
            body: Some(&mut body),
            combine: Some(&mut combine),
        };
        let start = Start::from(neutral);
        let given = Combination {
            destinations,
            start,
            ..Combination::new(loc, Flavour::Hist, arrays)
        };
        self.combination(&given, bodies)
    }

    /// The elements for which `keep` is true, in order; `kept` names how many they are, or is unknown. Not inside other
    /// bodies: there the number would differ between elements.
    ///
    /// # Errors
    /// As [`Graph::map`]; an extent that is fixed or named already.
    pub fn filter(
        &self,
        loc: Loc,
        kept: &Extent,
        arrays: &[Node],
        keep: impl FnOnce(&[Node]) -> Built<Node>,
    ) -> Built<Vec<Node>> {
        let arrays = self.values(loc, arrays)?;
        let rows = row_types(&self.ir.borrow(), &arrays);
        let types = arrays_of(&self.ctx, self.size(kept), &rows);
        let (op, block) = self.build(loc, |b| {
            let filter = FilterOp::builder()
                .arrays(&arrays)
                .results_types(&types)
                .build(b);
            let region = filter.body(b.ir);
            (filter.op(), b.ir.add_block(region, &rows))
        });
        let filled = self.filled(loc, block, |elements| Ok(vec![keep(elements)?]));
        if let Err(failure) = filled {
            self.take_out(op);
            return Err(failure);
        }
        self.verified(op)
    }

    fn combination(&self, given: &Combination<'_>, bodies: Bodies<'_>) -> Built<Vec<Node>> {
        let parts = self.parts(given, &bodies)?;
        let frame = self.build(given.loc, |b| parts.build_as(b, &[]));
        let filled = self.fill(given, &parts, bodies);
        if let Err(failure) = filled {
            self.take_out(frame);
            return Err(failure);
        }
        let op = {
            let mut ir = self.ir.borrow_mut();
            for block in [parts.body, parts.combine].into_iter().flatten() {
                ir.detach_block(block);
            }
            let mut b = Builder::new(&mut ir, InsertPoint::Before(frame), given.loc);
            let op = parts.build(&mut b);
            ir.erase_op(frame);
            op
        };
        self.verified(op)
    }

    /// Values and empty blocks.
    fn parts(&self, given: &Combination<'_>, bodies: &Bodies<'_>) -> Built<Parts> {
        let arrays = self.values(given.loc, given.arrays)?;
        let start = self.values(given.loc, given.start.values)?;
        let written = self.values(given.loc, given.start.neutral)?;
        let destinations = self.values(given.loc, given.destinations)?;
        let mut ir = self.ir.borrow_mut();
        let body = bodies
            .body
            .is_some()
            .then(|| Parts::body_over(&mut ir, &arrays).0);
        let types: Vec<_> = start.iter().map(|&value| ir.value_type(value)).collect();
        let doubled = [types.clone(), types].concat();
        let combine = bodies.combine.is_some().then(|| ir.create_block(&doubled));
        Ok(Parts {
            destinations,
            start,
            written,
            combine,
            ..Parts::new(given.flavour, arrays, body)
        })
    }

    /// Builds the bodies into the blocks.
    fn fill(&self, given: &Combination<'_>, parts: &Parts, bodies: Bodies<'_>) -> Built<()> {
        if let (Some(block), Some(body)) = (parts.body, bodies.body) {
            let yielded = self.filled(given.loc, block, body)?;
            if parts.flavour.combines() && yielded < parts.start.len() {
                let message = format!(
                    "the body returns {yielded} values for {} start values",
                    parts.start.len()
                );
                return Err(self.error(given.loc, message));
            }
        }
        if let (Some(block), Some(combine)) = (parts.combine, bodies.combine) {
            self.filled(given.loc, block, |args| {
                let (left, right) = args.split_at(parts.start.len());
                combine(left, right)
            })?;
        }
        Ok(())
    }

    /// Builds a body into its block, with the yield; how many values it yields.
    pub(super) fn filled(
        &self,
        loc: Loc,
        block: Block,
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<usize> {
        self.inside(block, |args| {
            let yielded = body(args)?;
            let yielded: Vec<Value> = self.values(loc, &yielded)?;
            self.build(loc, |b| YieldOp::build(b, &yielded));
            Ok(yielded.len())
        })
    }
}

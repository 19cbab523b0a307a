//! With-loops: arrays made, changed or folded over strided index spaces, with bodies that are closures.

use super::{Built, Extent, Graph, Node, Start};
use segra_array::types::{Size, array_or_scalar, sizes_and_element};
use segra_array::with_loop::{self as with, Bound, Kind, Loop, Range};
use segra_ir::{Block, Loc, OpView, Type, Value};

/// A closure for one index.
type Body<'a> = Box<dyn FnOnce(&[Node]) -> Built<Vec<Node>> + 'a>;

/// An index space, and the values at its indices.
pub struct Partition<'a> {
    lower: &'a [Node],
    upper: &'a [Node],
    step: &'a [Node],
    width: &'a [Node],
    mapping: Option<&'a str>,
    body: Body<'a>,
}

impl std::fmt::Debug for Partition<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bounds = (self.lower, self.upper, self.step, self.width);
        f.debug_tuple("Partition").field(&bounds).finish()
    }
}

impl<'a> Partition<'a> {
    /// All indices from 0 to below `upper`, one number per dimension; `body` gets an index and returns the values there.
    pub fn below(
        upper: &'a [Node],
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>> + 'a,
    ) -> Partition<'a> {
        Partition {
            lower: &[],
            upper,
            step: &[],
            width: &[],
            mapping: None,
            body: Box::new(body),
        }
    }
    /// The same from `lower` on.
    #[must_use]
    pub fn from(self, lower: &'a [Node]) -> Partition<'a> {
        Partition { lower, ..self }
    }
    /// Of every `step` indices, counted from the lower bound, the first, or as many as `width` says.
    #[must_use]
    pub fn every(self, step: &'a [Node], width: &'a [Node]) -> Partition<'a> {
        Partition {
            step,
            width,
            ..self
        }
    }
    /// How the index space is laid out over thread blocks and threads, as `GridBlock(1, SplitLast(32, ShiftLB(Gen)))`.
    #[must_use]
    pub fn mapped(self, mapping: &'a str) -> Partition<'a> {
        Partition {
            mapping: Some(mapping),
            ..self
        }
    }
}

/// A with-loop as the caller gives it.
struct Given<'a> {
    kind: Kind,
    /// Extents of a genarray.
    shape: &'a [Node],
    /// Number of dimensions, where the partitions do not tell.
    rank: usize,
    init: &'a [Node],
    neutral: &'a [Node],
}

impl Graph {
    /// New arrays of these extents, one per default value: at an index the values of the last partition that has it, else
    /// the default values. `extents` are the names of `sizes`.
    ///
    /// # Errors
    /// Numbers of bounds that do not fit, constant bounds outside, values that do not fit, what bodies find.
    pub fn genarray(
        &self,
        loc: Loc,
        (sizes, extents): (&[Node], &[Extent]),
        defaults: &[Node],
        partitions: Vec<Partition<'_>>,
    ) -> Built<Vec<Node>> {
        if sizes.len() != extents.len() {
            return Err(self.error(loc, "needs one extent per size"));
        }
        let outer: Vec<Size> = extents.iter().map(|extent| self.size(extent)).collect();
        let rows = self.types(&self.values(loc, defaults)?);
        let types = rows.into_iter().map(|row| {
            let (inner, element) = sizes_and_element(&self.ctx, row);
            array_or_scalar(&self.ctx, &[outer.clone(), inner].concat(), element)
        });
        let types: Vec<Type> = types.collect();
        let given = Given {
            kind: Kind::Genarray,
            shape: sizes,
            rank: sizes.len(),
            init: defaults,
            neutral: &[],
        };
        self.with_loop(
            loc,
            &given,
            &types,
            partitions,
            None::<fn(&[Node], &[Node]) -> _>,
        )
    }

    /// The arrays with the values of partitions at their indices.
    ///
    /// # Errors
    /// As [`Graph::genarray`].
    pub fn modarray(
        &self,
        loc: Loc,
        arrays: &[Node],
        partitions: Vec<Partition<'_>>,
    ) -> Built<Vec<Node>> {
        let types = self.types(&self.values(loc, arrays)?);
        let given = Given {
            kind: Kind::Modarray,
            shape: &[],
            rank: 1,
            init: arrays,
            neutral: &[],
        };
        self.with_loop(
            loc,
            &given,
            &types,
            partitions,
            None::<fn(&[Node], &[Node]) -> _>,
        )
    }

    /// The values of all partitions combined, in the order of partitions and of indices in each.
    ///
    /// # Errors
    /// As [`Graph::genarray`] and [`Graph::reduce`].
    pub fn fold<'a>(
        &self,
        loc: Loc,
        start: impl Into<Start<'a>>,
        partitions: Vec<Partition<'_>>,
        combine: impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let start = start.into();
        let types = self.types(&self.values(loc, start.values)?);
        let given = Given {
            kind: Kind::Fold,
            shape: &[],
            rank: 1,
            init: start.values,
            neutral: start.neutral,
        };
        self.with_loop(loc, &given, &types, partitions, Some(combine))
    }

    /// Numbers as bounds; `none`: a bound for each dimension where none are given.
    fn bounds(&self, loc: Loc, nodes: &[Node], rank: usize, none: i64) -> Built<Vec<Bound>> {
        if nodes.is_empty() {
            return Ok(vec![Bound::Constant(none); rank]);
        }
        if nodes.len() != rank {
            let message = format!("{} bounds for {rank} dimensions", nodes.len());
            return Err(self.error(loc, message));
        }
        let values = self.values(loc, nodes)?;
        let index = self.ctx.index();
        if self.types(&values).iter().any(|&ty| ty != index) {
            return Err(self.error(loc, "bounds and sizes of with-loops are indices"));
        }
        let ir = self.ir.borrow();
        Ok(values
            .into_iter()
            .map(|value| Bound::of(&ir, value))
            .collect())
    }

    fn space(&self, loc: Loc, partition: &Partition<'_>, rank: usize) -> Built<Vec<Range>> {
        let bounds = |nodes, none| self.bounds(loc, nodes, rank, none);
        let (lower, upper) = (bounds(partition.lower, 0)?, bounds(partition.upper, 0)?);
        let (step, width) = (bounds(partition.step, 1)?, bounds(partition.width, 1)?);
        let range = |dim: usize| Range {
            lower: lower[dim],
            upper: upper[dim],
            step: step[dim],
            width: width[dim],
        };
        Ok((0..rank).map(range).collect())
    }

    /// The index spaces of partitions, each with a block for its body that has nothing in it yet.
    fn empty_partitions(
        &self,
        loc: Loc,
        partitions: &[Partition<'_>],
        rank: usize,
    ) -> Built<Vec<with::Partition>> {
        let mut spaces = Vec::new();
        for partition in partitions {
            spaces.push(self.space(loc, partition, rank)?);
        }
        let index = self.ctx.index();
        let mut made = Vec::new();
        for (partition, space) in partitions.iter().zip(spaces) {
            let body = self.ir.borrow_mut().create_block(&vec![index; rank]);
            made.push(with::Partition {
                space,
                mapping: partition.mapping.map(|text| self.ctx.str_attr(text)),
                body,
            });
        }
        Ok(made)
    }

    fn with_loop(
        &self,
        loc: Loc,
        given: &Given<'_>,
        types: &[Type],
        partitions: Vec<Partition<'_>>,
        combine: Option<impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>>>,
    ) -> Built<Vec<Node>> {
        let rank = partitions
            .first()
            .map_or(given.rank, |first| first.upper.len());
        let mut loops = Loop {
            kind: given.kind,
            explicit: false,
            rank,
            shape: Vec::new(),
            init: self.values(loc, given.init)?,
            neutral: self.values(loc, given.neutral)?,
            partitions: Vec::new(),
            combine: None,
        };
        if given.kind == Kind::Genarray {
            loops.shape = self.bounds(loc, given.shape, rank, 0)?;
        }
        loops.partitions = self.empty_partitions(loc, &partitions, rank)?;
        let width = loops.init.len();
        loops.combine = combine.is_some().then(|| {
            let init: Vec<Value> = loops.init.clone();
            let doubled = self.types(&[init.clone(), init].concat());
            self.ir.borrow_mut().create_block(&doubled)
        });
        let op = self.build(loc, |b| loops.build(b, types)).op();
        let blocks: Vec<Block> = loops.partitions.iter().map(|made| made.body).collect();
        let filled = blocks
            .into_iter()
            .zip(partitions)
            .try_for_each(|(block, given)| self.filled(loc, block, given.body).map(drop))
            .and_then(|()| match (loops.combine, combine) {
                (Some(block), Some(combine)) => self
                    .filled(loc, block, |args| {
                        let (left, right) = args.split_at(width);
                        combine(left, right)
                    })
                    .map(drop),
                _ => Ok(()),
            });
        if let Err(failure) = filled {
            self.take_out(op);
            return Err(failure);
        }
        self.verified(op)
    }
}

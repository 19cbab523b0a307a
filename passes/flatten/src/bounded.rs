//! Combinators over arrays whose extents differ between the points of a nest, but are at most what all points know.
//!
//! ```text
//! map (\xs -> let ys = take (count xs) (kept xs) in scan (+) 0 ys) xss
//!   => zss = segscan (r < n, i < m) { i < count xss[r] ? kept xss[r][i] : 0 } (+)
//!      map (\r -> take (count xss[r]) zss[r])
//! ```
//! A slice of a row, as a filter gives one, has no more elements than the row. The combinator is made for all of
//! them: maps and scans of no elements, whose results nobody reads; reductions with the neutral element in their place.
//!
//! Legality: as for branches ([`crate::either`]), nothing in the combinator can stop the program, run for ever or has an effect. At
//! least one array is a slice, by a positive step, of a row that the point has to itself, whose extent is the same for all points,
//! or comes of such a slice; a check of the program has found it inside. So no more elements are made than there are in memory:
//! slices of one array for all points, as the rows of a sparse matrix are, may be short ones of a long array ([`crate::irregular`]).
//! Deliberately absent: scatters and histograms; a look at how small a part of their rows the slices are.

use crate::function::{Flattener, Outcome};
use crate::view::{Axis, Base, Choice, Indexing, Scalar, View};
use segra_array::types::sizes_and_element;
use segra_ir::{Block, Loc, Op, Value};
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::tensor::DimOp;

/// The inputs of a combinator.
pub(crate) struct Inputs {
    pub(crate) views: Vec<View>,
    /// Their outer extent, or what bounds it.
    pub(crate) size: Value,
    /// The extent at each point, where they differ.
    pub(crate) limit: Option<Scalar>,
}

impl Inputs {
    /// Of an extent that is the same for all points.
    pub(crate) fn alike((views, size): (Vec<View>, Value)) -> Inputs {
        Inputs {
            views,
            size,
            limit: None,
        }
    }
}

impl Flattener<'_> {
    /// The inputs of a combinator with these blocks, for all points alike; none where that cannot be.
    pub(crate) fn inputs_or_bounded(
        &mut self,
        op: Op,
        arrays: &[Value],
        blocks: &[Block],
    ) -> Option<Inputs> {
        if let Some(inputs) = self.inputs(arrays) {
            return Some(Inputs::alike(inputs));
        }
        if self.levels.is_empty() || !self.may_run_both(blocks) {
            return None;
        }
        let views: Option<Vec<View>> = arrays.iter().map(|&array| self.view(array)).collect();
        let views = views?;
        let of_points = |view: &View| matches!(view.sizes.first(), Some(Scalar::Old(_)));
        let inner = |view: &View| view.sizes.iter().skip(1).all(Scalar::is_new);
        if !views.iter().all(of_points) || !views.iter().all(inner) {
            return None;
        }
        let limit = *views.first()?.sizes.first()?;
        let loc = self.ir.loc(op);
        let of_rows: Vec<&View> = views.iter().filter(|view| self.is_of_rows(view)).collect();
        let size = of_rows.iter().find_map(|view| self.bound(view, 0, loc))?;
        let padded: Option<Vec<View>> = arrays
            .iter()
            .zip(views)
            .map(|(&array, view)| self.padded(array, view, size, loc))
            .collect();
        self.remark(
            op,
            "is made of as many elements as its arrays may have, at all points of the nest",
        );
        Some(Inputs {
            views: padded?,
            size,
            limit: Some(limit),
        })
    }

    /// Whether each point has elements of its own, of an array that is there.
    fn is_of_rows(&self, view: &View) -> bool {
        let mut levels: Vec<usize> = Vec::new();
        let mut read = view;
        loop {
            let own = read.axes.iter().filter_map(|axis| match axis {
                Axis::Level(level) => Some(*level),
                _ => None,
            });
            levels.extend(own);
            read = match &read.base {
                Base::Tensor(_) => break,
                Base::Moved {
                    source,
                    indexing: Indexing::Affine(_),
                    ..
                } => source,
                Base::Map { inputs, .. } if !inputs.is_empty() => &inputs[0],
                _ => return false,
            };
        }
        (self.fixed.len()..self.levels.len()).all(|level| levels.contains(&level))
    }

    /// A bound of the extent of a dimension, at any point.
    fn bound(&mut self, view: &View, dim: usize, loc: Loc) -> Option<Value> {
        if let Scalar::New(size) = *view.sizes.get(dim)? {
            return Some(size);
        }
        let at = view.axes.iter().position(|&axis| axis == Axis::Dim(dim))?;
        match &view.base {
            Base::Tensor(tensor) => Some(DimOp::of(&mut self.builder(loc), *tensor, at)),
            Base::Moved {
                source,
                indexing: Indexing::Affine(dims),
                ..
            } => {
                let forward = match *dims.get(at)? {
                    None => true,
                    Some((_, Scalar::New(step) | Scalar::Old(step))) => {
                        self.ir.constant_int(step).is_some_and(|step| step > 0)
                    }
                };
                forward.then(|| self.bound(source, at, loc))?
            }
            Base::Map { inputs, .. } if at == 0 => self.bound(inputs.first()?, 0, loc),
            _ => None,
        }
    }

    /// The view with zeros behind its elements, `size` in all.
    fn padded(&mut self, array: Value, view: View, size: Value, loc: Loc) -> Option<View> {
        let (_, element) = sizes_and_element(&self.ctx, self.ir.value_type(array));
        let zero = arith::zero(&self.ctx, element)?;
        let value = arith::ConstantOp::build(&mut self.builder(loc), zero).result(self.ir);
        let nothing = index::constant(&mut self.builder(loc), 0);
        let mut sizes = view.sizes.clone();
        sizes[0] = Scalar::New(size);
        let choice = Choice::Pad {
            low: vec![Scalar::New(nothing); sizes.len()],
            source: Box::new(view),
            value: Scalar::New(value),
        };
        Some(View::derived(Base::Chosen { choice, element }, sizes))
    }

    /// Of a reduction's values at a point of the nest, whose own index is `at`: neutral ones from the limit on.
    pub(crate) fn limited(
        &mut self,
        op: Op,
        (at, limit): (Value, Scalar),
        values: &mut [Value],
        neutral: &[Value],
    ) -> Outcome<()> {
        if let Scalar::Old(limit) = limit {
            self.emit_needed(&[limit])?;
        }
        let limit = self.resolve_all(&[limit], op)?[0];
        let mut b = self.builder(self.ir.loc(op));
        let exists = index::cmp(&mut b, CmpIPredicate::Slt, at, limit);
        for (value, &none) in values.iter_mut().zip(neutral) {
            *value = arith::SelectOp::build(&mut b, exists, *value, none).result(b.ir);
        }
        Ok(())
    }
}

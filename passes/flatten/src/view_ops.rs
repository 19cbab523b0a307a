//! Array ops that only change an index function.

use crate::function::{Flattener, Outcome};
use crate::view::{Axis, Base, Lifted, Scalar, View};
use segra_array::shape::{CastOp, DimOp, IN_RANGE, IndexOp, IotaOp, RearrangeOp, ReplicateOp};
use segra_array::types::ArrayType;
use segra_ir::{Op, OpView, Value};

/// Views that one is made of, at most: reading an element goes through all of them, and they are copied with it.
const MOST_VIEWS: usize = 32;

impl Flattener<'_> {
    /// Binds the result of an op that computes nothing. Tells whether `op` was one; inside a nest it is then either
    /// bound or left to the points, where its operands are.
    pub(crate) fn view_op(&mut self, op: Op) -> Outcome<bool> {
        if let Some(iota) = self.ir.cast::<IotaOp>(op) {
            let ty = self.ir.value_type(iota.result(self.ir));
            let element = ty.dialect::<ArrayType>(&self.ctx).map(|ty| ty.element);
            let size = self.scalar(iota.count(self.ir), op)?;
            let Some(element) = element else {
                return self.fail(op, "does not make an array");
            };
            self.bind_view(
                iota.result(self.ir),
                View::derived(Base::Iota(element), vec![size]),
            );
        } else if let Some(replicate) = self.ir.cast::<ReplicateOp>(op) {
            let outer = self.scalars(&replicate.sizes(self.ir), op)?;
            let value = replicate.value(self.ir);
            let Some(view) = self.replicate(value, outer) else {
                return self.left_to_points(op);
            };
            return self.bind_derived(op, replicate.result(self.ir), view);
        } else if let Some(rearrange) = self.ir.cast::<RearrangeOp>(op) {
            let Some(view) = self.view(rearrange.array(self.ir)) else {
                return self.left_to_points(op);
            };
            self.bind_view(
                rearrange.result(self.ir),
                view.permute(&rearrange.permutation(self.ir)),
            );
        } else if let Some(index) = self.ir.cast::<IndexOp>(op) {
            let Some(mut view) = self.view(index.array(self.ir)) else {
                return self.left_to_points(op);
            };
            let inside = self.ir.attr_named(op, IN_RANGE).is_some();
            for old in index.indices(self.ir) {
                let at = self.scalar(old, op)?;
                let axis = match self.same_level(old, &view) {
                    Some(level) => level,
                    None if inside => Axis::At(at),
                    None => Axis::Indexed(at, op),
                };
                view = view.fix_first(axis);
            }
            self.bind_view(index.result(self.ir), view);
        } else if let Some(dim) = self.ir.cast::<DimOp>(op) {
            return self.dim(dim);
        } else if let Some(cast) = self.ir.cast::<CastOp>(op) {
            return self.cast(cast);
        } else {
            return self.layout_op(op);
        }
        Ok(true)
    }

    /// The level whose index a number is, where the view's first dimension has the level's extent.
    fn same_level(&self, index: Value, view: &View) -> Option<Axis> {
        let element = self.view(index)?;
        let (Base::Iota(_), &[Axis::Level(level)]) = (&element.base, &element.axes[..]) else {
            return None;
        };
        let size = self.levels.get(level)?.size;
        (view.sizes.first() == Some(&Scalar::New(size))).then_some(Axis::Level(level))
    }

    pub(crate) fn bind_view(&mut self, old: Value, view: View) {
        self.env.bind(old, Lifted::Array(view));
    }

    /// Binds the result of an op to a view of other views; one of too many is stored instead, so that reading an element
    /// stays cheap. Where that is not possible yet, the op is left to the points.
    pub(crate) fn bind_derived(&mut self, op: Op, old: Value, view: View) -> Outcome<bool> {
        if view.weight() <= MOST_VIEWS {
            self.bind_view(old, view);
        } else if self.at_point() {
            let tensor = self.materialise(&view, op)?;
            let whole = self.whole(tensor, self.ir.loc(op));
            self.bind_view(old, whole);
        }
        Ok(true)
    }

    pub(crate) fn scalars(&mut self, old: &[Value], user: Op) -> Outcome<Vec<Scalar>> {
        old.iter().map(|&value| self.scalar(value, user)).collect()
    }

    /// Where operands depend on the point of a nest, the op is done at each point.
    pub(crate) fn left_to_points(&mut self, op: Op) -> Outcome<bool> {
        if self.at_point() {
            return self.fail(op, "uses an array that is not available here");
        }
        Ok(true)
    }

    fn dim(&mut self, dim: DimOp) -> Outcome<bool> {
        let op = dim.op();
        let Some(view) = self.view(dim.array(self.ir)) else {
            return self.left_to_points(op);
        };
        let at = usize::try_from(dim.dim(self.ir)).ok();
        let Some(&size) = at.and_then(|at| view.sizes.get(at)) else {
            return self.fail(op, "names a dimension its array does not have");
        };
        match size {
            Scalar::New(size) => self.env.bind(dim.result(self.ir), Lifted::Host(size)),
            Scalar::Old(_) if !self.at_point() => return self.left_to_points(op),
            Scalar::Old(old) => {
                let value = self.value_of(old, op)?;
                self.env.bind(dim.result(self.ir), Lifted::Host(value));
            }
        }
        Ok(true)
    }

    /// A claim about sizes, which a check of the program has tested (`explicit-checks`).
    fn cast(&mut self, cast: CastOp) -> Outcome<bool> {
        let op = cast.op();
        let Some(mut view) = self.view(cast.array(self.ir)) else {
            return self.left_to_points(op);
        };
        let claimed = self
            .ir
            .value_type(cast.result(self.ir))
            .dialect::<ArrayType>(&self.ctx)
            .cloned();
        let loc = self.ir.loc(op);
        for (dim, claim) in claimed
            .map(|ty| ty.sizes)
            .unwrap_or_default()
            .into_iter()
            .enumerate()
        {
            if !view.sizes.get(dim).is_some_and(Scalar::is_new) {
                continue;
            }
            let Some(extent) = self.extent(claim, loc) else {
                continue;
            };
            view.sizes[dim] = Scalar::New(extent);
        }
        self.bind_view(cast.result(self.ir), view);
        Ok(true)
    }

    fn replicate(&mut self, value: Value, outer: Vec<Scalar>) -> Option<View> {
        let is_scalar = self
            .ir
            .value_type(value)
            .dialect::<ArrayType>(&self.ctx)
            .is_none();
        let inner = match self.env.get(value).cloned() {
            None if is_scalar && !self.at_point() => Lifted::Later(value),
            found => found?,
        };
        let count = outer.len();
        let mut sizes = outer;
        if let Lifted::Array(view) = &inner {
            sizes.extend(&view.sizes);
        }
        Some(View::derived(
            Base::Replicate(Box::new(inner), count),
            sizes,
        ))
    }
}

//! Index functions: an array as a base with, per dimension of the base, where its index comes from.
//!
//! Rearranging, indexing and entering a map only change the index function; nothing is copied. A view of rank 0 is
//! one element.

use segra_ir::{Attr, Op, Type, Value};

/// A scalar that is either at hand in the new program or still to be computed from the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// A value of the new program.
    New(Value),
    /// A value of the old program, computed where it is needed.
    Old(Value),
}

/// Where the index of one base dimension comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// The view's own dimension of that number.
    Dim(usize),
    /// The index of the map nest's level of that number.
    Level(usize),
    /// A fixed index.
    At(Scalar),
    /// The index that this op of the old program gives: it may be out of range.
    Indexed(Scalar, Op),
}

/// The source a view reads from.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    /// A tensor of the new program.
    Tensor(Value),
    /// The index itself, as a number of this type.
    Iota(Type),
    /// These numbers, in row-major order for these extents.
    Literal(Vec<Attr>, Vec<i64>),
    /// One value everywhere; its own dimensions come after the view's replicated ones.
    Replicate(Box<Lifted>, usize),
    /// The element of `source` at indices computed from the base's own (see [`Indexing`]).
    Moved {
        /// The array read.
        source: Box<View>,
        /// Where.
        indexing: Indexing,
        /// The op of the old program that may be to blame where the element is out of range: its check is made by the same
        /// points, which run on where it fails.
        by: Option<Op>,
    },
    /// The elements of one of several views, chosen by where the index lies (see [`Choice`]).
    Chosen {
        /// Which.
        choice: Choice,
        /// Type of the elements.
        element: Type,
    },
    /// The results of a map of the old program that is computed element by element where it is read.
    Map {
        /// The map.
        op: Op,
        /// Which result.
        result: usize,
        /// Its inputs.
        inputs: Vec<View>,
    },
}

/// How indices of a view become indices of what it reads.
#[derive(Clone, Debug)]
pub(crate) enum Indexing {
    /// Dimension by dimension `offset + step * index`; `None`: the index itself.
    Affine(Vec<Option<(Scalar, Scalar)>>),
    /// The outermost index is the element of this array at it; the others stay. The op that says so is to blame where
    /// the element is out of range.
    Gathered(Box<View>, Op),
    /// By position in row-major order: extents of the view, then of what it reads.
    Reshaped(Vec<Scalar>, Vec<Scalar>),
}

/// Which of several views an index selects.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// Along the outermost dimension: the first view where the index is below its extent, then the second, and so on.
    Concat(Vec<View>),
    /// The view, shifted by what is added before it per dimension; elsewhere the value.
    Pad {
        /// The array padded.
        source: Box<View>,
        /// The numbers of elements added before it, per dimension.
        low: Vec<Scalar>,
        /// The value of the added elements.
        value: Scalar,
    },
    /// The element of the first where the condition holds, else of the second.
    Either {
        /// A flag, the same for all elements.
        condition: Box<Lifted>,
        /// Arrays of one shape, or scalars.
        sides: Box<[Lifted; 2]>,
    },
    /// The value (a scalar or a row) where the leading indices are these, else the view.
    Update {
        /// The array updated.
        source: Box<View>,
        /// Where.
        indices: Vec<Scalar>,
        /// With what.
        value: Box<Lifted>,
    },
}

/// An array, as a function from its indices to its elements.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) base: Base,
    /// One axis per dimension of the base.
    pub(crate) axes: Vec<Axis>,
    /// Extents of the view's own dimensions.
    pub(crate) sizes: Vec<Scalar>,
}

/// The new value for one of the old program inside a map nest.
#[derive(Clone, Debug)]
pub(crate) enum Lifted {
    /// A scalar of the new program, the same for all points of the nest.
    Host(Value),
    /// An array or one of its elements.
    Array(View),
    /// A scalar of the old program, computed where it is needed (only inside other views, never bound).
    Later(Value),
}

impl Scalar {
    /// Whether it is at hand.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self, Scalar::New(_))
    }
    fn visit(self, ask: &mut dyn FnMut(Value)) {
        if let Scalar::Old(value) = self {
            ask(value);
        }
    }
}

impl Lifted {
    fn visit(&self, ask: &mut dyn FnMut(Value), level: &mut dyn FnMut(usize)) {
        match self {
            Lifted::Host(_) => {}
            Lifted::Array(view) => view.visit(ask, level),
            Lifted::Later(value) => ask(*value),
        }
    }
}

impl Choice {
    fn visit(&self, ask: &mut dyn FnMut(Value), level: &mut dyn FnMut(usize)) {
        match self {
            Choice::Concat(views) => views.iter().for_each(|view| view.visit(ask, level)),
            Choice::Either { condition, sides } => {
                condition.visit(ask, level);
                sides.iter().for_each(|side| side.visit(ask, level));
            }
            Choice::Pad { source, low, value } => {
                source.visit(ask, level);
                low.iter().for_each(|low| low.visit(ask));
                value.visit(ask);
            }
            Choice::Update {
                source,
                indices,
                value,
            } => {
                source.visit(ask, level);
                indices.iter().for_each(|index| index.visit(ask));
                value.visit(ask, level);
            }
        }
    }
}

impl View {
    /// All of a tensor.
    pub(crate) fn whole(tensor: Value, sizes: Vec<Value>) -> View {
        let axes = (0..sizes.len()).map(Axis::Dim).collect();
        View {
            base: Base::Tensor(tensor),
            axes,
            sizes: sizes.into_iter().map(Scalar::New).collect(),
        }
    }

    /// One value of the new program.
    pub(crate) fn scalar(value: Value) -> View {
        View::derived(
            Base::Replicate(Box::new(Lifted::Host(value)), 0),
            Vec::new(),
        )
    }

    pub(crate) fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The view with its first dimension fixed.
    pub(crate) fn fix_first(&self, axis: Axis) -> View {
        let axes = self.axes.iter().map(|&old| match old {
            Axis::Dim(0) => axis,
            Axis::Dim(dim) => Axis::Dim(dim - 1),
            other => other,
        });
        View {
            base: self.base.clone(),
            axes: axes.collect(),
            sizes: self.sizes[1..].to_vec(),
        }
    }

    /// The view with dimension `k` of the result being dimension `permutation[k]` of this one.
    pub(crate) fn permute(&self, permutation: &[i64]) -> View {
        let position = |dim: usize| {
            permutation
                .iter()
                .position(|&p| p as usize == dim)
                .unwrap_or(dim)
        };
        let axes = self.axes.iter().map(|&old| match old {
            Axis::Dim(dim) => Axis::Dim(position(dim)),
            other => other,
        });
        let sizes = permutation
            .iter()
            .map(|&dim| self.sizes[dim as usize])
            .collect();
        View {
            base: self.base.clone(),
            axes: axes.collect(),
            sizes,
        }
    }

    /// Leaves level `level` of the nest: what was indexed by it becomes the first dimension.
    pub(crate) fn leave_level(&self, level: usize, size: Value) -> View {
        let axes = self.axes.iter().map(|&old| match old {
            Axis::Level(at) if at == level => Axis::Dim(0),
            Axis::Dim(dim) => Axis::Dim(dim + 1),
            other => other,
        });
        let mut sizes = self.sizes.clone();
        sizes.insert(0, Scalar::New(size));
        View {
            base: self.base.clone(),
            axes: axes.collect(),
            sizes,
        }
    }

    /// Its first elements along dimension 0, as many as `limit` says, if it says so: rules at the edge of an array do not ask the
    /// tensor, which has more.
    pub(crate) fn limited(self, limit: Option<Scalar>) -> View {
        let Some(limit) = limit else {
            return self;
        };
        let mut sizes = self.sizes.clone();
        sizes[0] = limit;
        let indexing = Indexing::Affine(vec![None; sizes.len()]);
        let base = Base::Moved {
            source: Box::new(self),
            indexing,
            by: None,
        };
        View::derived(base, sizes)
    }

    /// Whether it can outlive level `level`: it reads a tensor and needs nothing computed at a point of the nest.
    pub(crate) fn can_leave(&self) -> bool {
        matches!(self.base, Base::Tensor(_))
            && !self.axes.iter().any(|axis| {
                matches!(
                    axis,
                    Axis::At(Scalar::Old(_)) | Axis::Indexed(Scalar::Old(_), _)
                )
            })
            && self.sizes.iter().all(|size| matches!(size, Scalar::New(_)))
    }

    /// Calls `ask` on every scalar of the old program it needs and `level` on every level that indexes it.
    pub(crate) fn visit(&self, ask: &mut dyn FnMut(Value), level: &mut dyn FnMut(usize)) {
        for axis in &self.axes {
            match axis {
                Axis::At(scalar) | Axis::Indexed(scalar, _) => scalar.visit(ask),
                Axis::Level(at) => level(*at),
                Axis::Dim(_) => {}
            }
        }
        self.sizes.iter().for_each(|size| size.visit(ask));
        match &self.base {
            Base::Tensor(_) | Base::Iota(_) | Base::Literal(..) => {}
            Base::Replicate(inner, _) => inner.visit(ask, level),
            Base::Map { inputs, .. } => inputs.iter().for_each(|input| input.visit(ask, level)),
            Base::Moved {
                source, indexing, ..
            } => {
                source.visit(ask, level);
                match indexing {
                    Indexing::Affine(dims) => dims.iter().flatten().for_each(|(offset, step)| {
                        offset.visit(ask);
                        step.visit(ask);
                    }),
                    Indexing::Gathered(indices, _) => indices.visit(ask, level),
                    Indexing::Reshaped(to, from) => {
                        to.iter().chain(from).for_each(|size| size.visit(ask))
                    }
                }
            }
            Base::Chosen { choice, .. } => choice.visit(ask, level),
        }
    }

    /// How many maps that are computed where they are read lie behind each other, counted up to `most`.
    pub(crate) fn mapped(&self, most: usize) -> usize {
        let Base::Map { inputs, .. } = &self.base else {
            return 0;
        };
        match most {
            0 => 0,
            most => {
                1 + inputs
                    .iter()
                    .map(|input| input.mapped(most - 1))
                    .max()
                    .unwrap_or(0)
            }
        }
    }

    /// How many views that compute something it is made of, itself included: those that are used twice count twice.
    pub(crate) fn weight(&self) -> usize {
        self.count(0, 1)
    }

    /// How many stored arrays the code that reads an element names: those that are used twice count twice.
    pub(crate) fn reads(&self) -> usize {
        self.count(1, 0)
    }

    /// Sums what each array that is at hand and each view that computes something counts for.
    fn count(&self, stored: usize, computed: usize) -> usize {
        let of = |view: &View| view.count(stored, computed);
        let of_lifted = |lifted: &Lifted| match lifted {
            Lifted::Array(view) => of(view),
            Lifted::Host(_) | Lifted::Later(_) => 0,
        };
        let inside = match &self.base {
            Base::Tensor(_) | Base::Iota(_) | Base::Literal(..) => return stored,
            Base::Replicate(inner, _) => of_lifted(inner),
            Base::Map { inputs, .. } => inputs.iter().map(of).sum(),
            Base::Moved {
                source, indexing, ..
            } => match indexing {
                Indexing::Gathered(indices, _) => of(source) + of(indices),
                Indexing::Affine(_) | Indexing::Reshaped(..) => of(source),
            },
            Base::Chosen { choice, .. } => match choice {
                Choice::Concat(views) => views.iter().map(of).sum(),
                Choice::Either { condition, sides } => {
                    of_lifted(condition) + sides.iter().map(of_lifted).sum::<usize>()
                }
                Choice::Pad { source, .. } => of(source),
                Choice::Update { source, value, .. } => of(source) + of_lifted(value),
            },
        };
        computed + inside
    }

    /// All of it, as the base of a view that computes its indices.
    pub(crate) fn derived(base: Base, sizes: Vec<Scalar>) -> View {
        View {
            base,
            axes: (0..sizes.len()).map(Axis::Dim).collect(),
            sizes,
        }
    }

    /// The value all its elements are, where it is one value replicated.
    pub(crate) fn uniform(&self) -> Option<Value> {
        match &self.base {
            Base::Replicate(inner, _) => match &**inner {
                Lifted::Host(value) => Some(*value),
                Lifted::Array(view) => view.uniform(),
                Lifted::Later(_) => None,
            },
            _ => None,
        }
    }

    /// The element (or row) at these values of the new program, one per leading dimension.
    pub(crate) fn at(&self, indices: &[Value]) -> View {
        self.at_by(indices, None)
    }

    /// The same; `by` is the op of the old program whose indices they may be, so that they may be out of range.
    pub(crate) fn at_by(&self, indices: &[Value], by: Option<Op>) -> View {
        let axis = |index| match by {
            Some(op) => Axis::Indexed(Scalar::New(index), op),
            None => Axis::At(Scalar::New(index)),
        };
        indices
            .iter()
            .fold(self.clone(), |view, &index| view.fix_first(axis(index)))
    }

    /// The tensor it is, dimension by dimension, if it is all of one.
    pub(crate) fn as_tensor(&self) -> Option<Value> {
        let Base::Tensor(tensor) = self.base else {
            return None;
        };
        let in_order = self
            .axes
            .iter()
            .enumerate()
            .all(|(at, &axis)| axis == Axis::Dim(at));
        (in_order && self.axes.len() == self.rank()).then_some(tensor)
    }
}

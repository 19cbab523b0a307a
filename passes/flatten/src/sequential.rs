//! Combinators as loops: what one thread does with them, and what the host does where they cannot be parallel.
//!
//! An array that a loop makes is scratch space carried through the loop and updated element by element. A map whose
//! elements are read once, by another combinator of the same block, is not made at all: its elements are computed
//! where they are read.

use crate::combine::whole_results;
use crate::function::{Flattener, NO_RULE, Outcome};
use crate::point::index_constant;
use crate::view::{Axis, Base, Scalar, View};
use segra_array::combinator::{Flavour, Soac, is_combinator};
use segra_array::types::{ArrayType, Size, sizes_and_element};
use segra_ir::types::DYNAMIC;
use segra_ir::{Block, Loc, Op, OpView, Type, TypeKind, Value};
use segra_kernel::access::Update;
use segra_kernel::local::REDUCTION;
use segra_std::scf;
use segra_std::tensor::{DimOp, EmptyOp};

/// Maps in a row that are computed where their elements are read; the next one is made. Each of them repeats what the
/// ones behind it are, so without a bound a row of maps would take quadratic time.
const MOST_MAPPED: usize = 32;

/// The parts of a loop over the elements of arrays.
pub(crate) struct Elements {
    pub(crate) views: Vec<View>,
    pub(crate) size: Value,
}

impl Flattener<'_> {
    /// Emits a combinator as code of one thread. Tells whether `op` was one.
    pub(crate) fn sequential(&mut self, op: Op) -> Outcome<bool> {
        let Some(soac) = Soac::of(self.ir, op) else {
            return Ok(false);
        };
        match soac.flavour {
            Flavour::Map => self.sequential_map(&soac)?,
            Flavour::Scatter | Flavour::Hist => self.update_in_order(&soac)?,
            Flavour::Reduce | Flavour::Scan { .. } => self.fold(&soac)?,
            Flavour::Other => return self.fail(op, NO_RULE),
        }
        Ok(true)
    }

    /// `for i < size` with values carried.
    pub(crate) fn counted_loop(
        &mut self,
        size: Value,
        inits: &[Value],
        loc: Loc,
        body: impl FnOnce(&mut Self, Value, &[Value]) -> Outcome<Vec<Value>>,
    ) -> Outcome<Vec<Value>> {
        let types: Vec<Type> = inits.iter().map(|&init| self.ir.value_type(init)).collect();
        let mut b = self.builder(loc);
        let (zero, one) = (index_constant(&mut b, 0), index_constant(&mut b, 1));
        let looped = scf::ForOp::builder()
            .lower_bound(zero)
            .upper_bound(size)
            .step(one)
            .init_args(inits)
            .results_types(&types)
            .build(&mut b);
        let mut args = vec![self.ctx.index()];
        args.extend(&types);
        let region = looped.region(self.ir);
        let block = self.ir.add_block(region, &args);
        let args = self.ir.block_args(block).to_vec();
        self.scope(block, |this| -> Outcome<()> {
            let next = body(this, args[0], &args[1..])?;
            scf::YieldOp::build(&mut this.builder(loc), &next);
            Ok(())
        })?;
        Ok(self.ir.results(looped.op()).collect())
    }

    pub(crate) fn elements(&mut self, op: Op, arrays: &[Value]) -> Outcome<Elements> {
        let mut views = Vec::new();
        for &array in arrays {
            match self.view(array) {
                Some(view) => views.push(view),
                None => return self.fail(op, "has an input that is not available here"),
            }
        }
        let Some(&size) = views.first().and_then(|view| view.sizes.first()) else {
            return self.fail(op, "has no input");
        };
        let size = self.resolve_all(&[size], op)?[0];
        Ok(Elements { views, size })
    }

    fn sequential_map(&mut self, map: &Soac) -> Outcome<()> {
        let op = map.op;
        let Some(block) = map.body else {
            return self.fail(op, "has no body");
        };
        let elements = self.elements(op, &map.arrays)?;
        let results: Vec<Value> = self.ir.results(op).collect();
        let behind = elements
            .views
            .iter()
            .map(|view| view.mapped(MOST_MAPPED))
            .max()
            .unwrap_or(0);
        if behind < MOST_MAPPED && results.iter().all(|&result| self.is_read_once(op, result)) {
            for (index, &result) in results.iter().enumerate() {
                let base = Base::Map {
                    op,
                    result: index,
                    inputs: elements.views.clone(),
                };
                self.bind_view(
                    result,
                    View::derived(base, vec![Scalar::New(elements.size)]),
                );
            }
            return Ok(());
        }
        let loc = self.ir.loc(op);
        let mut scratch = Vec::new();
        for (index, &result) in results.iter().enumerate() {
            let shape = self.row_extents(op, result, &map.arrays, &elements, |this| {
                let yields = this.first_row(op, block, &elements)?;
                Ok(yields[index])
            })?;
            scratch.push(self.scratch(elements.size, &shape, result, loc));
        }
        let made = self.counted_loop(elements.size, &scratch, loc, |this, at, tensors| {
            let rows: Vec<View> = elements.views.iter().map(|view| view.at(&[at])).collect();
            let yields = this.body(block, &rows)?;
            let mut next = Vec::new();
            for (&tensor, value) in tensors.iter().zip(yields) {
                let value = this.value_of(value, op)?;
                next.push(
                    Update::build(&mut this.builder(loc), value, tensor, &[at]).result(this.ir),
                );
            }
            Ok(next)
        })?;
        for (&result, tensor) in results.iter().zip(made) {
            self.bind_value(result, tensor, loc);
        }
        Ok(())
    }

    /// Whether a map's result has scalar elements that one combinator of the same block reads, and nothing else does.
    fn is_read_once(&self, map: Op, result: Value) -> bool {
        let rank = self
            .ir
            .value_type(result)
            .dialect::<ArrayType>(&self.ctx)
            .map_or(0, |ty| ty.sizes.len());
        let mut users = self.ir.users(result);
        let (Some(user), None) = (users.next(), users.next()) else {
            return false;
        };
        rank == 1 && is_combinator(self.ir, user) && self.ir.block_of(user) == self.ir.block_of(map)
    }

    /// The values a map's body yields for its first elements; only their extents are used.
    fn first_row(&mut self, op: Op, block: Block, elements: &Elements) -> Outcome<Vec<Value>> {
        let loc = self.ir.loc(op);
        let zero = index_constant(&mut self.builder(loc), 0);
        let rows: Vec<View> = elements.views.iter().map(|view| view.at(&[zero])).collect();
        let yields = self.body(block, &rows)?;
        yields
            .into_iter()
            .map(|value| self.value_of(value, op))
            .collect()
    }

    /// Extents of the rows of `result`: from its type, from an input of the same symbolic size, from where the body's
    /// arrays have theirs, or else by making the first row.
    fn row_extents(
        &mut self,
        op: Op,
        result: Value,
        arrays: &[Value],
        elements: &Elements,
        first: impl FnOnce(&mut Self) -> Outcome<Value>,
    ) -> Outcome<Vec<Value>> {
        let loc = self.ir.loc(op);
        let (sizes, _) = sizes_and_element(&self.ctx, self.ir.value_type(result));
        let mut known = Vec::new();
        for (dim, &size) in sizes.iter().enumerate().skip(1) {
            let mut extent = self.extent(size, loc);
            if extent.is_none() {
                extent = self.same_size(size, arrays, &elements.views, op)?;
            }
            if extent.is_none() {
                extent = self.extent_from_outside(op, result, dim)?;
            }
            match extent {
                Some(extent) => known.push(extent),
                None => return self.extents_of_first(op, sizes.len() - 1, elements.size, first),
            }
        }
        Ok(known)
    }

    /// The extent of an input's dimension of the same symbolic size.
    fn same_size(
        &mut self,
        size: Size,
        arrays: &[Value],
        views: &[View],
        op: Op,
    ) -> Outcome<Option<Value>> {
        if !matches!(size, Size::Symbol(_)) {
            return Ok(None);
        }
        for (&array, view) in arrays.iter().zip(views) {
            let (sizes, _) = sizes_and_element(&self.ctx, self.ir.value_type(array));
            if let Some(dim) = sizes.iter().position(|&other| other == size) {
                return Ok(Some(self.resolve_all(&view.sizes[dim..=dim], op)?[0]));
            }
        }
        Ok(None)
    }

    /// Where only making a row tells its extents: those of the first row, or zeros where there is none.
    fn extents_of_first(
        &mut self,
        op: Op,
        rank: usize,
        size: Value,
        first: impl FnOnce(&mut Self) -> Outcome<Value>,
    ) -> Outcome<Vec<Value>> {
        let (loc, ctx) = (self.ir.loc(op), self.ctx.clone());
        let mut b = self.builder(loc);
        let zero = index_constant(&mut b, 0);
        let any = crate::point::compare(&mut b, segra_std::arith::CmpIPredicate::Sgt, size, zero);
        let branch = scf::IfOp::build(&mut b, any, &vec![ctx.index(); rank]);
        let (then, otherwise) = (branch.then_region(self.ir), branch.else_region(self.ir));
        let block = self.ir.add_block(then, &[]);
        self.scope(block, |this| -> Outcome<()> {
            let row = first(this)?;
            let mut b = this.builder(loc);
            let extents: Vec<Value> = (0..rank).map(|dim| DimOp::of(&mut b, row, dim)).collect();
            scf::YieldOp::build(&mut b, &extents);
            Ok(())
        })?;
        let block = self.ir.add_block(otherwise, &[]);
        self.inside(block, |this| {
            scf::YieldOp::build(&mut this.builder(loc), &vec![zero; rank])
        });
        Ok(self.ir.results(branch.op()).collect())
    }

    /// Scratch space for an old array value of `size` rows of these extents.
    fn scratch(&mut self, size: Value, rows: &[Value], like: Value, loc: Loc) -> Value {
        let (_, element) = sizes_and_element(&self.ctx, self.ir.value_type(like));
        let mut sizes = vec![size];
        sizes.extend(rows);
        self.scratch_of(&sizes, element, loc)
    }

    pub(crate) fn scratch_of(&mut self, sizes: &[Value], element: Type, loc: Loc) -> Value {
        let shape = vec![DYNAMIC; sizes.len()];
        let ty = self.ctx.ty(TypeKind::Tensor {
            shape,
            element,
            encoding: None,
        });
        EmptyOp::of(&mut self.builder(loc), sizes, ty)
    }

    /// A reduction or scan as a loop.
    fn fold(&mut self, combination: &Soac) -> Outcome<()> {
        let (op, loc) = (combination.op, self.ir.loc(combination.op));
        let mut starts = Vec::new();
        for &value in &combination.start {
            starts.push(self.value_of(value, op)?);
        }
        let made = self.fold_from(combination, starts)?;
        let results: Vec<Value> = self.ir.results(op).collect();
        for (old, new) in results.into_iter().zip(made) {
            self.bind_value(old, new, loc);
        }
        Ok(())
    }

    /// The results of a reduction or scan that starts with these values, by a loop.
    pub(crate) fn fold_from(
        &mut self,
        combination: &Soac,
        mut inits: Vec<Value>,
    ) -> Outcome<Vec<Value>> {
        let op = combination.op;
        let loc = self.ir.loc(op);
        let elements = self.elements(op, &combination.arrays)?;
        let reduced = combination.start.len();
        let arrays: Vec<Value> = self
            .ir
            .results(op)
            .skip(whole_results(combination))
            .collect();
        let scanned = arrays.len().min(reduced - whole_results(combination));
        for (index, &array) in arrays.iter().enumerate() {
            let shape = match index.checked_sub(scanned) {
                None => self.shape_of(inits[index], loc),
                Some(index) => {
                    self.extents_beside(combination, array, reduced + index, &elements)?
                }
            };
            inits.push(self.scratch(elements.size, &shape, array, loc));
        }
        let mut made = self.counted_loop(elements.size, &inits, loc, |this, at, carried| {
            this.fold_step(combination, &elements, at, carried)
        })?;
        let looped = made.first().and_then(|&value| self.ir.defining_op(value));
        if let (Flavour::Reduce, Some(looped)) = (combination.flavour, looped) {
            let unit = self.ctx.unit();
            self.ir.set_attr_named(looped, REDUCTION, Some(unit));
        }
        Ok(made.split_off(reduced - whole_results(combination)))
    }

    /// Extents of the rows of an array that a combination's body gives beside what is combined, as its `index`-th
    /// value.
    fn extents_beside(
        &mut self,
        combination: &Soac,
        array: Value,
        index: usize,
        elements: &Elements,
    ) -> Outcome<Vec<Value>> {
        let (op, body) = (combination.op, combination.body);
        let loc = self.ir.loc(op);
        self.row_extents(op, array, &combination.arrays, elements, |this| {
            let zero = index_constant(&mut this.builder(loc), 0);
            let rows: Vec<View> = elements.views.iter().map(|view| view.at(&[zero])).collect();
            let Some(block) = body else {
                return this.fail(op, "has an empty body");
            };
            let yields = this.body(block, &rows)?;
            this.value_of(yields[index], op)
        })
    }

    fn shape_of(&mut self, value: Value, loc: Loc) -> Vec<Value> {
        let rank = self
            .ir
            .value_type(value)
            .shaped(&self.ctx)
            .map_or(0, |(shape, _)| shape.len());
        let _ctx = self.ctx.clone();
        let mut b = self.builder(loc);
        (0..rank).map(|dim| DimOp::of(&mut b, value, dim)).collect()
    }

    /// One iteration: the element's values combined into the accumulators; arrays updated.
    fn fold_step(
        &mut self,
        combination: &Soac,
        elements: &Elements,
        at: Value,
        carried: &[Value],
    ) -> Outcome<Vec<Value>> {
        let op = combination.op;
        let loc = self.ir.loc(op);
        let (accumulators, tensors) = carried.split_at(combination.start.len());
        let rows: Vec<View> = elements
            .views
            .iter()
            .map(|view| view.fix_first(Axis::At(Scalar::New(at))))
            .collect();
        if tensors.is_empty()
            && let Some(next) = self.fold_continued(combination, &rows, accumulators)?
        {
            return Ok(next);
        }
        let mut values = Vec::new();
        match combination.body {
            Some(block) => {
                for value in self.body(block, &rows)? {
                    values.push(self.value_of(value, op)?);
                }
            }
            None => {
                for row in &rows {
                    values.push(match row.rank() {
                        0 => self.read(row, op)?,
                        _ => self.whole_of(row, op)?,
                    });
                }
            }
        }
        let stored = values.split_off(accumulators.len());
        let operands: Vec<Value> = accumulators.iter().chain(&values).copied().collect();
        let mut next = self.operator(op, combination.combine, &operands)?;
        let prefixes = match combination.flavour {
            Flavour::Scan { exclusive: true } => accumulators.to_vec(),
            Flavour::Scan { exclusive: false } => next.clone(),
            _ => Vec::new(),
        };
        let stored = prefixes.into_iter().chain(stored);
        for (&tensor, value) in tensors.iter().zip(stored) {
            next.push(Update::build(&mut self.builder(loc), value, tensor, &[at]).result(self.ir));
        }
        Ok(next)
    }

    /// A tensor that is all of a view.
    fn whole_of(&mut self, view: &View, user: Op) -> Outcome<Value> {
        match view.as_tensor() {
            Some(tensor) => Ok(tensor),
            None => self.materialise(view, user),
        }
    }

    /// A tensor that is all of a view, copied element by element by one thread.
    pub(crate) fn fill_from(&mut self, view: &View, user: Op) -> Outcome<Value> {
        let sizes = self.resolve_all(&view.sizes, user)?;
        if let Some(list) = self.extended(view, &sizes, user)? {
            return Ok(list);
        }
        let scratch = self.space_of(view, &sizes, user)?;
        self.fill(scratch, &sizes, view, &mut Vec::new(), user)
    }

    /// Scratch space for an array like a view.
    pub(crate) fn space_for(&mut self, view: &View, user: Op) -> Outcome<Value> {
        let sizes = self.resolve_all(&view.sizes, user)?;
        self.space_of(view, &sizes, user)
    }

    fn space_of(&mut self, view: &View, sizes: &[Value], user: Op) -> Outcome<Value> {
        match self.element_of(view) {
            Some(element) => Ok(self.scratch_of(sizes, element, self.ir.loc(user))),
            None => self.fail(user, "has an array of nothing"),
        }
    }

    /// Updates a tensor at `indices`, and all indices within `sizes` behind them, by the elements of a view.
    pub(crate) fn fill(
        &mut self,
        tensor: Value,
        sizes: &[Value],
        view: &View,
        indices: &mut Vec<Value>,
        user: Op,
    ) -> Outcome<Value> {
        let loc = self.ir.loc(user);
        let Some((&size, rest)) = sizes.split_first() else {
            let value = self.read(view, user)?;
            return Ok(
                Update::build(&mut self.builder(loc), value, tensor, indices).result(self.ir),
            );
        };
        let made = self.counted_loop(size, &[tensor], loc, |this, at, carried| {
            indices.push(at);
            let filled = this.fill(carried[0], rest, &view.at(&[at]), indices, user);
            indices.pop();
            Ok(vec![filled?])
        })?;
        Ok(made[0])
    }

    /// Type of a view's elements.
    pub(crate) fn element_of(&self, view: &View) -> Option<Type> {
        use crate::view::{Choice, Lifted};
        let scalar = |value: Value| {
            let ty = self.ir.value_type(value);
            ty.shaped(&self.ctx).map_or_else(
                || sizes_and_element(&self.ctx, ty).1,
                |(_, element)| element,
            )
        };
        match &view.base {
            Base::Tensor(tensor) => Some(scalar(*tensor)),
            Base::Iota(ty) => Some(*ty),
            Base::Literal(numbers, _) => numbers.first()?.ty(&self.ctx),
            Base::Replicate(inner, _) => match &**inner {
                Lifted::Host(value) | Lifted::Later(value) => Some(scalar(*value)),
                Lifted::Array(view) => self.element_of(view),
            },
            Base::Map { op, result, .. } => Some(scalar(self.ir.result(*op, *result))),
            Base::Moved { source, .. } => self.element_of(source),
            Base::Chosen {
                element,
                choice:
                    Choice::Concat(_)
                    | Choice::Either { .. }
                    | Choice::Pad { .. }
                    | Choice::Update { .. },
            } => Some(*element),
        }
    }
}

//! One point of a nest: code of the old program emitted into the body of a segmented op.
//!
//! Only what the wanted values need is emitted, each op once, operands first.

use crate::function::{Execution, Flattener, Outcome};
use crate::view::{Axis, Base, Choice, Indexing, Lifted, Scalar, View};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::combinator::Soac;
use segra_ir::{Block, Builder, Loc, Op, OpView, Type, Value, ValueDef};
use segra_kernel::access::Read;
use segra_std::arith::expr::{linear_index, unfold};
use segra_std::check::RequireOp;
use segra_std::{arith, scf};
use std::cmp::Ordering;

/// `value : index`
pub(crate) fn index_constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.ctx().index_attr(value);
    arith::ConstantOp::build(b, attr).result(b.ir)
}

/// `a == b` of two index values.
pub(crate) fn compare_equal(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    compare(b, arith::CmpIPredicate::Eq, x, y)
}

/// A comparison of two index values.
pub(crate) fn compare(
    b: &mut Builder<'_>,
    predicate: arith::CmpIPredicate,
    x: Value,
    y: Value,
) -> Value {
    let predicate = predicate.attr(b.ctx());
    arith::CmpIOp::build(b, predicate, x, y).result(b.ir)
}

/// `a + b` of two index values.
pub(crate) fn add(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::AddIOp::build(b, x, y).result(b.ir)
}

/// `a * b` of two index values.
pub(crate) fn multiply(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::MulIOp::build(b, x, y).result(b.ir)
}

fn truth(b: &mut Builder<'_>) -> Value {
    let ty = b.ctx().i1();
    arith::ConstantOp::int(b, 1, ty)
}

/// Values of the old program of which is known whether they differ between the points of the context as it is.
#[derive(Debug, Default)]
pub(crate) struct Dependence(FxHashMap<Value, bool>);

/// Builds what one side of a branch yields.
type Side<'s, State> = &'s mut dyn FnMut(&mut State) -> Outcome<Value>;

impl Flattener<'_> {
    /// Runs `f` for the point whose indices (of the context's levels) are `block`'s arguments, at the end of `block`.
    pub(crate) fn at_point_of<T>(
        &mut self,
        block: Block,
        execution: Execution,
        f: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let fixed = self.fixed.len();
        let own = self.levels.len() - fixed;
        let indices = self.ir.block_args(block)[..own].to_vec();
        self.fixed.extend(indices);
        let outside = std::mem::replace(&mut self.execution, execution);
        let result = self.scope(block, f);
        self.execution = outside;
        self.fixed.truncate(fixed);
        result
    }

    /// Emits what `roots` need that is not yet there.
    pub(crate) fn emit_needed(&mut self, roots: &[Value]) -> Outcome<()> {
        self.needed(roots)
            .into_iter()
            .try_for_each(|op| self.emit_op(op))
    }

    /// Emits what `roots` need that is not yet there, and returns them: scalars, and tensors for arrays.
    pub(crate) fn values_at(&mut self, roots: &[Value], user: Op) -> Outcome<Vec<Value>> {
        self.emit_needed(roots)?;
        roots
            .iter()
            .map(|&root| self.value_of(root, user))
            .collect()
    }

    /// Calls `visit` on the values of the old program that `roots` come from, themselves included, and on the levels
    /// they are indexed by. `enter` says whether to look behind a value that no one has bound.
    pub(crate) fn trace(
        &self,
        roots: &[Value],
        enter: &mut dyn FnMut(Value, Op) -> bool,
        level: &mut dyn FnMut(usize),
    ) {
        let mut seen: FxHashSet<Value> = roots.iter().copied().collect();
        let mut pending: Vec<Value> = roots.to_vec();
        while let Some(value) = pending.pop() {
            let mut ask = |value: Value| {
                if seen.insert(value) {
                    pending.push(value);
                }
            };
            self.sources(value, enter, &mut ask, level);
        }
    }

    /// Calls `ask` on the values of the old program that a value comes from at once, and `level` on levels it is indexed by.
    fn sources(
        &self,
        value: Value,
        enter: &mut dyn FnMut(Value, Op) -> bool,
        ask: &mut dyn FnMut(Value),
        level: &mut dyn FnMut(usize),
    ) {
        match self.env.get(value) {
            Some(Lifted::Host(_) | Lifted::Later(_)) => {}
            Some(Lifted::Array(view)) => {
                view.visit(ask, level);
                if let Base::Map { op, .. } = &view.base {
                    self.ir.free_values(*op).into_iter().for_each(ask);
                }
            }
            None => {
                if let ValueDef::Result { op, .. } = self.ir.value_def(value)
                    && enter(value, op)
                {
                    self.ir.free_values(op).into_iter().for_each(ask);
                }
            }
        }
    }

    /// Ops of the old program that must run at this point, in the program's order: elements of what a branch yields are
    /// computed by ops of its sides.
    fn needed(&self, roots: &[Value]) -> Vec<Op> {
        let mut ops = FxHashSet::default();
        self.trace(
            roots,
            &mut |_, op| {
                ops.insert(op);
                true
            },
            &mut |_| {},
        );
        let mut ordered: Vec<Vec<Op>> = ops.iter().map(|&op| self.path_to(op)).collect();
        ordered.sort_by(|a, b| self.in_program_order(a, b));
        ordered
            .iter()
            .filter_map(|path| path.last().copied())
            .collect()
    }

    /// The ops around an op, outermost first, and itself.
    fn path_to(&self, op: Op) -> Vec<Op> {
        let mut path: Vec<Op> = self.ir.ancestors(op).collect();
        path.reverse();
        path
    }

    /// The order of two ops, by the ops around them.
    fn in_program_order(&self, a: &[Op], b: &[Op]) -> Ordering {
        let parted = a.iter().zip(b).find(|(a, b)| a != b);
        let Some((&first, &second)) = parted else {
            return a.len().cmp(&b.len());
        };
        let blocks = [first, second].map(|op| self.ir.block_of(op));
        if blocks[0] != blocks[1] {
            return blocks[0].cmp(&blocks[1]);
        }
        match self.ir.is_before(first, second) {
            true => Ordering::Less,
            false => Ordering::Greater,
        }
    }

    fn resolve(&mut self, scalar: Scalar, user: Op) -> Outcome<Value> {
        match scalar {
            Scalar::New(value) => Ok(value),
            Scalar::Old(value) => self.value_of(value, user),
        }
    }

    pub(crate) fn resolve_all(&mut self, scalars: &[Scalar], user: Op) -> Outcome<Vec<Value>> {
        scalars
            .iter()
            .map(|&scalar| self.resolve(scalar, user))
            .collect()
    }

    /// The element a view of rank 0 stands for.
    pub(crate) fn read(&mut self, view: &View, user: Op) -> Outcome<Value> {
        if let Some(value) = self.read_active(view, user)? {
            return Ok(value);
        }
        let mut indices = Vec::new();
        // The op to blame where an index is out of range.
        let mut by = None;
        for &axis in &view.axes {
            indices.push(match axis {
                Axis::At(at) => self.resolve(at, user)?,
                Axis::Indexed(at, op) => {
                    by = by.or(Some(op));
                    self.resolve(at, user)?
                }
                Axis::Level(level) => match self.fixed.get(level) {
                    Some(&index) => index,
                    None => {
                        return self
                            .fail(user, "reads an element that differs between points here");
                    }
                },
                Axis::Dim(_) => {
                    return self.fail(
                        user,
                        "reads an element of an array that is not indexed fully",
                    );
                }
            });
        }
        let loc = self.ir.loc(by.unwrap_or(user));
        match &view.base {
            Base::Tensor(tensor) => {
                let mut b = self.builder(loc);
                let read = Read::build_checked(&mut b, *tensor, &indices, by.is_some());
                Ok(read.result(b.ir))
            }
            Base::Iota(element) => Ok(self.number(indices[0], *element, loc)),
            Base::Literal(numbers, extents) => Ok(self.literal(numbers, extents, &indices, loc)),
            Base::Replicate(inner, outer) => match (&**inner, by) {
                (Lifted::Array(view), Some(_)) => {
                    self.read(&view.at_by(&indices[*outer..], by), user)
                }
                _ => self.read_lifted(inner, &indices[*outer..], user),
            },
            Base::Map { op, result, inputs } => self.read_mapped(*op, *result, inputs, &indices),
            Base::Moved {
                source,
                indexing,
                by: moving,
            } => {
                let moved = self.moved(indexing, source, &indices, user)?;
                let by = moving.or(by);
                self.read(&source.at_by(&moved, by), user)
            }
            Base::Chosen { choice, element } => self.read_chosen(choice, *element, &indices, user),
        }
    }

    /// The number at indices that are only known here: a chain of selections.
    fn literal(
        &mut self,
        numbers: &[segra_ir::Attr],
        extents: &[i64],
        indices: &[Value],
        loc: Loc,
    ) -> Value {
        let mut b = self.builder(loc);
        let extents: Vec<Option<Value>> = extents
            .iter()
            .map(|&extent| Some(index_constant(&mut b, extent)))
            .collect();
        let position = linear_index(&mut b, indices, &extents);
        let mut value = arith::ConstantOp::build(&mut b, numbers[0]).result(b.ir);
        for (at, &number) in numbers.iter().enumerate().skip(1) {
            let number = arith::ConstantOp::build(&mut b, number).result(b.ir);
            let at = index_constant(&mut b, at as i64);
            let here = compare_equal(&mut b, position, at);
            value = arith::SelectOp::build(&mut b, here, number, value).result(b.ir);
        }
        value
    }

    pub(crate) fn read_lifted(
        &mut self,
        lifted: &Lifted,
        indices: &[Value],
        user: Op,
    ) -> Outcome<Value> {
        match lifted {
            Lifted::Host(value) => Ok(*value),
            Lifted::Later(value) => self.value_of(*value, user),
            Lifted::Array(view) => self.read(&view.at(indices), user),
        }
    }

    /// One element of a map's result, computed here.
    fn read_mapped(
        &mut self,
        op: Op,
        result: usize,
        inputs: &[View],
        indices: &[Value],
    ) -> Outcome<Value> {
        let Some(block) = Soac::of(self.ir, op).and_then(|map| map.body) else {
            return self.fail(op, "has no body");
        };
        let mark = self.env.mark();
        let elements: Vec<View> = inputs.iter().map(|input| input.at(&indices[..1])).collect();
        let value = self
            .body(block, &elements)
            .and_then(|yields| self.value_of(yields[result], op));
        self.env.rewind(mark);
        value
    }

    /// Binds a block's arguments to views and emits its ops but the terminator; returns the terminator's operands (old
    /// values, bound until the caller rewinds).
    pub(crate) fn body(&mut self, block: Block, elements: &[View]) -> Outcome<Vec<Value>> {
        for (arg, element) in self.ir.block_args(block).to_vec().into_iter().zip(elements) {
            self.env.bind(arg, Lifted::Array(element.clone()));
        }
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let Some((&terminator, body)) = ops.split_last() else {
            return Ok(Vec::new());
        };
        for &op in body {
            self.emit_op(op)?;
        }
        Ok(self.ir.operands(terminator).collect())
    }

    fn moved(
        &mut self,
        indexing: &Indexing,
        source: &View,
        indices: &[Value],
        user: Op,
    ) -> Outcome<Vec<Value>> {
        let loc = self.ir.loc(user);
        match indexing {
            Indexing::Affine(dims) => {
                let mut moved = Vec::new();
                for (dim, &index) in dims.iter().zip(indices) {
                    let Some((offset, step)) = dim else {
                        moved.push(index);
                        continue;
                    };
                    let (offset, step) = (self.resolve(*offset, user)?, self.resolve(*step, user)?);
                    let mut b = self.builder(loc);
                    let scaled = multiply(&mut b, index, step);
                    moved.push(add(&mut b, offset, scaled));
                }
                Ok(moved)
            }
            Indexing::Gathered(at, gather) => {
                let mut moved = indices.to_vec();
                let index = self.read(&at.at(&indices[..1]), user)?;
                moved[0] = self.within(index, source, *gather)?;
                Ok(moved)
            }
            Indexing::Reshaped(to, from) => {
                let (to, from) = (self.resolve_all(to, user)?, self.resolve_all(from, user)?);
                let to: Vec<Option<Value>> = to.into_iter().map(Some).collect();
                let mut b = self.builder(loc);
                let position = linear_index(&mut b, indices, &to);
                Ok(unfold(&mut b, &from, position))
            }
        }
    }

    /// An index that a gather chooses, checked where reading the source is not: it is not an array in memory then, or one
    /// at other indices.
    fn within(&mut self, index: Value, source: &View, gather: Op) -> Outcome<Value> {
        if source.as_tensor().is_some() {
            return Ok(index);
        }
        let Some(&size) = source.sizes.first() else {
            return self.fail(gather, "gathers from a scalar");
        };
        let size = self.resolve(size, gather)?;
        let loc = self.ir.loc(gather);
        let mut b = self.builder(loc);
        let zero = index_constant(&mut b, 0);
        let inside = compare(&mut b, arith::CmpIPredicate::Ult, index, size);
        let array = b.ir.operand(gather, 0);
        let message = segra_array::stops::index_out_of_range(b.ir, array, 0);
        let message = b.ctx().str_attr(&format!("'array.gather' op {message}"));
        Ok(RequireOp::builder()
            .condition(inside)
            .value(index)
            .otherwise(zero)
            .numbers(&[index, size])
            .message(message)
            .build(&mut b)
            .result(b.ir))
    }

    /// A branch whose sides read one element each.
    pub(crate) fn branch(
        &mut self,
        condition: Value,
        ty: Type,
        loc: Loc,
        sides: [Side<'_, Self>; 2],
    ) -> Outcome<Value> {
        let branch = scf::IfOp::build(&mut self.builder(loc), condition, &[ty]);
        for (index, side) in sides.into_iter().enumerate() {
            let region = self.ir.region(branch.op(), index);
            let block = self.ir.add_block(region, &[]);
            self.scope(block, |this| -> Outcome<()> {
                let value = side(this)?;
                scf::YieldOp::build(&mut this.builder(loc), &[value]);
                Ok(())
            })?;
        }
        Ok(self.ir.result(branch.op(), 0))
    }

    fn read_chosen(
        &mut self,
        choice: &Choice,
        ty: Type,
        indices: &[Value],
        user: Op,
    ) -> Outcome<Value> {
        let loc = self.ir.loc(user);
        match choice {
            Choice::Concat(views) => self.read_concat(views, ty, indices, user),
            Choice::Either { condition, sides } => {
                let condition = self.read_lifted(condition, &[], user)?;
                let [then, otherwise] = &**sides;
                let sides: [Side<'_, Self>; 2] = [
                    &mut |this| this.read_lifted(then, indices, user),
                    &mut |this| this.read_lifted(otherwise, indices, user),
                ];
                self.branch(condition, ty, loc, sides)
            }
            Choice::Pad { source, low, value } => {
                let fill = self.resolve(*value, user)?;
                let low = self.resolve_all(low, user)?;
                let sizes = self.resolve_all(&source.sizes, user)?;
                let mut b = self.builder(loc);
                let zero = index_constant(&mut b, 0);
                let mut inside = truth(&mut b);
                let mut shifted = Vec::new();
                for ((&index, &low), &size) in indices.iter().zip(&low).zip(&sizes) {
                    let at = arith::SubIOp::build(&mut b, index, low).result(b.ir);
                    let above = compare(&mut b, arith::CmpIPredicate::Sge, at, zero);
                    let below = compare(&mut b, arith::CmpIPredicate::Slt, at, size);
                    inside = arith::AndIOp::build(&mut b, inside, above).result(b.ir);
                    inside = arith::AndIOp::build(&mut b, inside, below).result(b.ir);
                    shifted.push(at);
                }
                let element = source.at(&shifted);
                self.branch(
                    inside,
                    ty,
                    loc,
                    [&mut |this| this.read(&element, user), &mut |_| Ok(fill)],
                )
            }
            Choice::Update {
                source,
                indices: at,
                value,
            } => {
                let at = self.resolve_all(at, user)?;
                let mut b = self.builder(loc);
                let mut here = truth(&mut b);
                for (&index, &at) in indices.iter().zip(&at) {
                    let equal = compare_equal(&mut b, index, at);
                    here = arith::AndIOp::build(&mut b, here, equal).result(b.ir);
                }
                let element = source.at(indices);
                let rest = &indices[at.len()..];
                self.branch(
                    here,
                    ty,
                    loc,
                    [
                        &mut |this| this.read_lifted(value, rest, user),
                        &mut |this| this.read(&element, user),
                    ],
                )
            }
        }
    }

    fn read_concat(
        &mut self,
        views: &[View],
        ty: Type,
        indices: &[Value],
        user: Op,
    ) -> Outcome<Value> {
        /// Of more arrays each half is looked at by itself, so that branches do not nest as deep as there are arrays.
        const MANY: usize = 8;
        let Some((first, rest)) = views.split_first() else {
            return self.fail(user, "joins nothing");
        };
        if rest.is_empty() {
            return self.read(&first.at(indices), user);
        }
        let loc = self.ir.loc(user);
        if views.len() > MANY {
            let (front, back) = views.split_at(views.len() / 2);
            let sizes: Vec<Scalar> = front
                .iter()
                .filter_map(|view| view.sizes.first().copied())
                .collect();
            let sizes = self.resolve_all(&sizes, user)?;
            let mut b = self.builder(loc);
            let size = sizes.into_iter().reduce(|sum, size| add(&mut b, sum, size));
            let Some(size) = size else {
                return self.fail(user, "joins scalars");
            };
            let below = compare(&mut b, arith::CmpIPredicate::Slt, indices[0], size);
            let mut after = indices.to_vec();
            after[0] = arith::SubIOp::build(&mut b, indices[0], size).result(b.ir);
            let sides: [Side<'_, Self>; 2] = [
                &mut |this| this.read_concat(front, ty, indices, user),
                &mut |this| this.read_concat(back, ty, &after, user),
            ];
            return self.branch(below, ty, loc, sides);
        }
        let Some(&size) = first.sizes.first() else {
            return self.fail(user, "joins scalars");
        };
        let size = self.resolve(size, user)?;
        let mut b = self.builder(loc);
        let below = compare(&mut b, arith::CmpIPredicate::Slt, indices[0], size);
        let mut after = indices.to_vec();
        after[0] = arith::SubIOp::build(&mut b, indices[0], size).result(b.ir);
        let element = first.at(indices);
        self.branch(
            below,
            ty,
            loc,
            [&mut |this| this.read(&element, user), &mut |this| {
                this.read_concat(rest, ty, &after, user)
            }],
        )
    }

    /// Whether what `roots` come from differs between the points of the context.
    pub(crate) fn depends_on_point(&self, roots: &[Value]) -> bool {
        let mut dependence = Dependence::default();
        roots
            .iter()
            .any(|&root| self.depends(root, &mut dependence))
    }

    /// The same for one value. Each value is looked at once, however many others come from it.
    pub(crate) fn depends(&self, root: Value, known: &mut Dependence) -> bool {
        let base = self.fixed.len();
        // The values between the root and the one looked at, each with what it comes from and was not looked at yet.
        let mut path: Vec<(Value, Vec<Value>)> = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(value) = next.take() {
                let mut differs = known.0.get(&value).copied();
                let mut sources = Vec::new();
                if differs.is_none() {
                    let mut levels = false;
                    self.sources(
                        value,
                        &mut |_, _| true,
                        &mut |source| sources.push(source),
                        &mut |level| levels |= level >= base,
                    );
                    differs = levels.then_some(true);
                }
                match differs {
                    Some(true) => {
                        let all = path.iter().map(|&(value, _)| value).chain([value]);
                        known.0.extend(all.map(|value| (value, true)));
                        return true;
                    }
                    Some(false) => {}
                    None => path.push((value, sources)),
                }
            }
            let Some((value, sources)) = path.last_mut() else {
                return false;
            };
            next = sources.pop();
            if next.is_none() {
                known.0.insert(*value, false);
                path.pop();
            }
        }
    }

    /// An index as a number of another type.
    fn number(&mut self, index: Value, ty: Type, loc: Loc) -> Value {
        if ty.is_index(&self.ctx) {
            return index;
        }
        let mut b = self.builder(loc);
        arith::IndexCastOp::build(&mut b, index, ty).out(b.ir)
    }
}

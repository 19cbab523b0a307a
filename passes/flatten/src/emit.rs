//! One point of a nest: scalar code of the old program emitted into the body of a segmented op.
//!
//! Only what the wanted values need is emitted, each op once, operands first. Array ops met here are sequential:
//! reductions become loops, maps are computed element by element where they are read.

use crate::function::{Failed, Flattener, Outcome};
use crate::view::{Axis, Base, Lifted, Scalar, View};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::shape::DimOp;
use segra_array::soac::{MapOp, RedomapOp, ReduceOp, ScanOp};
use segra_array::types::ArrayType;
use segra_ir::{Block, Builder, InsertPoint, Loc, Op, OpState, OpView, Region, Trait, Type, Value, ValueDef};
use segra_kernel::access::ReadOp;
use segra_std::{arith, scf};

/// What is known at one point: the indices of the nest and the scalars computed so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Point {
    pub(crate) indices: Vec<Value>,
    pub(crate) memo: FxHashMap<Value, Value>,
}

/// `value : index`
pub(crate) fn index_constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.ctx().index_attr(value);
    arith::ConstantOp::build(b, attr).result(b.ir)
}

/// `a == b` of two index values.
pub(crate) fn compare_equal(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let predicate = arith::CmpIPredicate::Eq.attr(b.ctx());
    arith::CmpIOp::build(b, predicate, x, y).result(b.ir)
}

impl Flattener<'_> {
    /// Runs `f` with new ops going to the end of `block`.
    pub(crate) fn inside<T>(&mut self, block: Block, f: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.point, InsertPoint::End(block));
        let result = f(self);
        self.point = outside;
        result
    }

    /// Emits what `roots` need that is not yet there, and returns them.
    pub(crate) fn values_at(&mut self, point: &mut Point, roots: &[Value], user: Op) -> Outcome<Vec<Value>> {
        for op in self.needed(point, roots) {
            self.emit_op(point, op)?;
        }
        roots.iter().map(|&root| self.scalar_at(point, root, user)).collect()
    }

    /// Ops of the old program that must run at this point, outer bodies first, each in its block's order.
    fn needed(&self, point: &Point, roots: &[Value]) -> Vec<Op> {
        let mut ops = FxHashSet::default();
        let mut seen: FxHashSet<Value> = roots.iter().copied().collect();
        let mut pending: Vec<Value> = roots.to_vec();
        let mut ask = |value: Value, pending: &mut Vec<Value>| {
            if seen.insert(value) {
                pending.push(value);
            }
        };
        while let Some(value) = pending.pop() {
            if point.memo.contains_key(&value) {
                continue;
            }
            match self.env.get(&value) {
                Some(Lifted::Host(_)) => {}
                Some(Lifted::Array(view)) => self.needs_of_view(view, &mut |value| ask(value, &mut pending)),
                None => {
                    if let ValueDef::Result { op, .. } = self.ir.value_def(value)
                        && ops.insert(op)
                    {
                        self.free_values(op, &mut |value| ask(value, &mut pending));
                    }
                }
            }
        }
        let mut ordered: Vec<(usize, Op)> =
            ops.iter().map(|&op| (self.ir.ancestors(op).count(), op)).collect();
        ordered.sort_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| match a.1 == b.1 {
                true => std::cmp::Ordering::Equal,
                false if self.ir.is_before(a.1, b.1) => std::cmp::Ordering::Less,
                false => std::cmp::Ordering::Greater,
            })
        });
        ordered.into_iter().map(|row| row.1).collect()
    }

    fn needs_of_view(&self, view: &View, ask: &mut dyn FnMut(Value)) {
        for axis in &view.axes {
            if let Axis::At(Scalar::Old(value)) = axis {
                ask(*value);
            }
        }
        for size in &view.sizes {
            if let Scalar::Old(value) = size {
                ask(*value);
            }
        }
        match &view.base {
            Base::Tensor(_) | Base::Iota(_) => {}
            Base::Replicate(inner, _) => {
                if let Lifted::Array(inner) = &**inner {
                    self.needs_of_view(inner, ask);
                }
            }
            Base::Map { op, .. } => self.free_values(*op, ask),
        }
    }

    /// Operands of `op` and values its regions use from outside.
    fn free_values(&self, op: Op, ask: &mut dyn FnMut(Value)) {
        self.ir.free_values(op).into_iter().for_each(ask);
    }

    /// The value of the new program, at this point, for a scalar of the old one that was emitted or is at hand.
    pub(crate) fn scalar_at(&mut self, point: &mut Point, old: Value, user: Op) -> Outcome<Value> {
        if let Some(&value) = point.memo.get(&old) {
            return Ok(value);
        }
        match self.env.get(&old).cloned() {
            Some(Lifted::Host(value)) => Ok(value),
            Some(Lifted::Array(view)) if view.rank() == 0 => {
                let value = self.read(point, &view, user)?;
                point.memo.insert(old, value);
                Ok(value)
            }
            Some(Lifted::Array(_)) => self
                .fail(user, "needs a whole array at each point of a nest, which flattening cannot give yet"),
            None => self.fail(user, "uses a value that is not available at each point of a nest"),
        }
    }

    fn resolve(&mut self, point: &mut Point, scalar: Scalar, user: Op) -> Outcome<Value> {
        match scalar {
            Scalar::New(value) => Ok(value),
            Scalar::Old(value) => self.scalar_at(point, value, user),
        }
    }

    /// The element a view of rank 0 stands for.
    pub(crate) fn read(&mut self, point: &mut Point, view: &View, user: Op) -> Outcome<Value> {
        let mut indices = Vec::new();
        for &axis in &view.axes {
            indices.push(match axis {
                Axis::At(at) => self.resolve(point, at, user)?,
                Axis::Level(level) => point.indices[level],
                Axis::Dim(_) => {
                    return self.fail(user, "reads an element of an array that is not indexed fully");
                }
            });
        }
        let loc = self.ir.loc(user);
        match &view.base {
            Base::Tensor(tensor) => {
                let mut b = self.builder(loc);
                Ok(ReadOp::build(&mut b, *tensor, &indices).result(b.ir))
            }
            Base::Iota(element) => Ok(self.number(indices[0], *element, loc)),
            Base::Replicate(inner, outer) => match &**inner {
                Lifted::Host(value) => Ok(*value),
                Lifted::Array(inner) => {
                    let element = fix_all(inner, &indices[*outer..]);
                    self.read(point, &element, user)
                }
            },
            Base::Map { op, result, inputs } => {
                let (op, result, inputs) = (*op, *result, inputs.clone());
                let map = MapOp::from_op(op);
                let block = map.body_block(self.ir);
                let args = self.ir.block_args(block).to_vec();
                for (arg, input) in args.into_iter().zip(&inputs) {
                    self.env.insert(arg, Lifted::Array(fix_all(input, &indices[..1])));
                }
                let mut inner = point.clone();
                let yields = self.emit_block(&mut inner, block)?;
                let yielded = yields[result];
                self.scalar_at(&mut inner, yielded, op)
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

    /// Emits all ops of a block of the old program but the terminator; returns the terminator's operands (old).
    fn emit_block(&mut self, point: &mut Point, block: Block) -> Outcome<Vec<Value>> {
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let Some((&terminator, body)) = ops.split_last() else { return Ok(Vec::new()) };
        // Values of a block emitted before (a body read twice) are computed anew.
        for &op in body {
            for result in self.ir.results(op) {
                point.memo.remove(&result);
                self.env.remove(&result);
            }
        }
        for value in self.ir.block_args(block).to_vec() {
            if self.env.contains_key(&value) {
                point.memo.remove(&value);
            }
        }
        for &op in body {
            self.emit_op(point, op)?;
        }
        Ok(self.ir.operands(terminator).collect())
    }

    /// Emits one op of the old program; its operands are there.
    fn emit_op(&mut self, point: &mut Point, op: Op) -> Outcome<()> {
        if let Some(map) = self.ir.cast::<MapOp>(op) {
            return self.map_at(map);
        }
        if let Some(reduce) = self.ir.cast::<ReduceOp>(op) {
            let (arrays, neutral) = (reduce.arrays(self.ir), reduce.neutral(self.ir));
            return self.reduce_at(point, op, &arrays, &neutral, None, reduce.combine(self.ir));
        }
        if let Some(redomap) = self.ir.cast::<RedomapOp>(op) {
            let (arrays, neutral) = (redomap.arrays(self.ir), redomap.neutral(self.ir));
            let (body, combine) = (redomap.body(self.ir), redomap.combine(self.ir));
            return self.reduce_at(point, op, &arrays, &neutral, Some(body), combine);
        }
        if self.ir.isa::<ScanOp>(op) {
            return self.fail(op, "is inside sequential code of a nest, where flattening cannot scan yet");
        }
        if let Some(dim) = self.ir.cast::<DimOp>(op)
            && let Some(view) = self.view(dim.array(self.ir))
            && let Some(&size) = usize::try_from(dim.dim(self.ir)).ok().and_then(|dim| view.sizes.get(dim))
        {
            let value = self.resolve(point, size, op)?;
            point.memo.insert(dim.result(self.ir), value);
            return Ok(());
        }
        if self.view_op(op)? {
            return Ok(());
        }
        self.copy_at(point, op)
    }

    /// A map read element by element.
    fn map_at(&mut self, map: MapOp) -> Outcome<()> {
        let op = map.op();
        let mut inputs = Vec::new();
        for array in map.arrays(self.ir) {
            match self.view(array) {
                Some(view) => inputs.push(view),
                None => return self.fail(op, "has an input that is not available at each point of a nest"),
            }
        }
        let Some(size) = inputs.first().and_then(|view| view.sizes.first()).copied() else {
            return self.fail(op, "has no input");
        };
        for (result, value) in map.results(self.ir).into_iter().enumerate() {
            let rank =
                self.ir.value_type(value).dialect::<ArrayType>(&self.ctx).map_or(0, |ty| ty.sizes.len());
            if rank != 1 {
                return self
                    .fail(op, "is inside sequential code of a nest, where its rows cannot be arrays yet");
            }
            let base = Base::Map { op, result, inputs: inputs.clone() };
            self.env.insert(value, Lifted::Array(View { base, axes: vec![Axis::Dim(0)], sizes: vec![size] }));
        }
        Ok(())
    }

    /// A sequential reduction: a loop that carries the accumulators.
    fn reduce_at(
        &mut self,
        point: &mut Point,
        op: Op,
        arrays: &[Value],
        neutral: &[Value],
        body: Option<Region>,
        combine: Region,
    ) -> Outcome<()> {
        let loc = self.ir.loc(op);
        if self.ir.num_results(op) != neutral.len() {
            return self.fail(op, "is inside sequential code of a nest, where it cannot return arrays yet");
        }
        let mut inputs = Vec::new();
        for &array in arrays {
            match self.view(array) {
                Some(view) => inputs.push(view),
                None => return self.fail(op, "has an input that is not available at each point of a nest"),
            }
        }
        let Some(&size) = inputs.first().and_then(|view| view.sizes.first()) else {
            return self.fail(op, "has no input");
        };
        let upper = self.resolve(point, size, op)?;
        let mut inits = Vec::new();
        for &value in neutral {
            inits.push(self.scalar_at(point, value, op)?);
        }
        let types: Vec<Type> = inits.iter().map(|&init| self.ir.value_type(init)).collect();
        let ctx = self.ctx.clone();
        let mut b = self.builder(loc);
        let (zero, one) = (index_constant(&mut b, 0), index_constant(&mut b, 1));
        let looped = scf::ForOp::build(&mut b, zero, upper, one, &inits, None, &types);
        let region = looped.op();
        let region = self.ir.region(region, 0);
        let mut arg_types = vec![ctx.index()];
        arg_types.extend(&types);
        let block = self.ir.add_block(region, &arg_types);
        let args = self.ir.block_args(block).to_vec();
        let mut inner = point.clone();
        self.inside(block, |this| -> Outcome<()> {
            let at = Axis::At(Scalar::New(args[0]));
            let elements: Vec<View> = inputs.iter().map(|view| view.fix_first(at)).collect();
            let values = match body {
                Some(body) => this.emit_body(&mut inner, op, body, &elements)?,
                None => {
                    let mut values = Vec::new();
                    for element in &elements {
                        values.push(this.read(&mut inner, element, op)?);
                    }
                    values
                }
            };
            let combined = this.emit_operator(&mut inner, op, combine, &args[1..], &values)?;
            scf::YieldOp::build(&mut this.builder(loc), &combined);
            Ok(())
        })?;
        for (index, old) in self.ir.results(op).enumerate() {
            point.memo.insert(old, self.ir.result(looped.op(), index));
        }
        Ok(())
    }

    /// The values a body region yields for the given elements.
    fn emit_body(
        &mut self,
        point: &mut Point,
        op: Op,
        body: Region,
        elements: &[View],
    ) -> Outcome<Vec<Value>> {
        let Some(block) = self.ir.entry_block(body) else { return self.fail(op, "has an empty body") };
        let args = self.ir.block_args(block).to_vec();
        for (arg, element) in args.into_iter().zip(elements) {
            self.env.insert(arg, Lifted::Array(element.clone()));
        }
        let yields = self.emit_block(point, block)?;
        yields.into_iter().map(|value| self.scalar_at(point, value, op)).collect()
    }

    /// The operator of a reduction applied to accumulators and values of the new program.
    pub(crate) fn emit_operator(
        &mut self,
        point: &mut Point,
        op: Op,
        combine: Region,
        accumulators: &[Value],
        values: &[Value],
    ) -> Outcome<Vec<Value>> {
        let Some(block) = self.ir.entry_block(combine) else { return self.fail(op, "has an empty operator") };
        let args = self.ir.block_args(block).to_vec();
        for (arg, &value) in args.into_iter().zip(accumulators.iter().chain(values)) {
            point.memo.insert(arg, value);
        }
        let yields = self.emit_block(point, block)?;
        yields.into_iter().map(|value| self.scalar_at(point, value, op)).collect()
    }

    /// Any other op: copied, its operands and the insides of its regions emitted.
    fn copy_at(&mut self, point: &mut Point, op: Op) -> Outcome<()> {
        let mut state = OpState::new(self.ir.op_name(op), self.ir.loc(op));
        let operands: Vec<Value> = self.ir.operands(op).collect();
        for value in operands {
            state.operands.push(self.scalar_at(point, value, op)?);
        }
        let types: Vec<Type> = self.ir.results(op).map(|value| self.ir.value_type(value)).collect();
        if types.iter().any(|ty| ty.dialect::<ArrayType>(&self.ctx).is_some()) {
            return self.fail(op, "makes an array at each point of a nest, which flattening cannot give yet");
        }
        state.result_types = types.into();
        state.regions = self.ir.regions(op).len();
        let (properties, attrs) = (self.ir.properties(op), self.ir.discardable_attrs(op));
        let new = self.builder(self.ir.loc(op)).insert(state);
        self.ir.set_properties(new, properties);
        self.ir.set_discardable_attrs(new, attrs);
        for index in 0..self.ir.regions(op).len() {
            self.copy_region(point, op, self.ir.region(op, index), self.ir.region(new, index))?;
        }
        for (old, result) in self.ir.results(op).zip(self.ir.results(new)) {
            point.memo.insert(old, result);
            if let Some(name) = self.ir.value_name(old) {
                self.ir.set_value_name(result, name);
            }
        }
        Ok(())
    }

    fn copy_region(&mut self, point: &Point, op: Op, old: Region, new: Region) -> Outcome<()> {
        let blocks: Vec<Block> = self.ir.blocks(old).collect();
        for block in blocks {
            let args = self.ir.block_args(block).to_vec();
            let types: Vec<Type> = args.iter().map(|&arg| self.ir.value_type(arg)).collect();
            if types.iter().any(|ty| ty.dialect::<ArrayType>(&self.ctx).is_some()) {
                return self
                    .fail(op, "carries an array at each point of a nest, which flattening cannot give yet");
            }
            let copy = self.ir.add_block(new, &types);
            let mut inner = point.clone();
            for (index, arg) in args.into_iter().enumerate() {
                inner.memo.insert(arg, self.ir.block_args(copy)[index]);
            }
            let terminator =
                self.ir.last_op(block).filter(|&last| self.ir.has_trait(last, Trait::Terminator));
            self.inside(copy, |this| -> Outcome<()> {
                this.emit_block(&mut inner, block)?;
                match terminator {
                    Some(terminator) => this.copy_at(&mut inner, terminator),
                    None => Err(Failed),
                }
            })?;
        }
        Ok(())
    }
}

/// The element of a view at indices of the new program, one per dimension.
fn fix_all(view: &View, indices: &[Value]) -> View {
    indices.iter().fold(view.clone(), |view, &index| view.fix_first(Axis::At(Scalar::New(index))))
}

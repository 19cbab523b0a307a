//! Maps directly inside maps, as one nest: every point computes something of the elements of arrays that go over some of
//! its levels. Views of what a nest makes become views of what it reads.
//!
//! ```text
//! %p = map (%x in %xs) { map (%y in %ys) { f } }         %r = map (%y in %ys) { map (%x in %xs) { f } }
//! %r = array.rearrange %p, [1, 0]                   =>
//! %p = map (%row in %xss) { map (%x in %row) { f } }     %ys = array.reshape %xss, [%k]
//! %r = array.reshape %p, [%k]                            %r = map (%x in %ys) { f }
//!
//! %t = array.reshape %xss, [%k]                          %p = map (%row in %xss) { map (%x in %row) { f } }
//! %r = map (%x in %t) { f }                         =>   %r = array.reshape %p, [%k]
//! ```
//!
//! Conditions: nothing but the next map and a handful of scalar ops, which then run at every point, stands between the
//! levels, and what the levels go over does not depend on outer elements other than by being a row of them. A reshape
//! keeps no level as it is, so there every array must go over all, down to numbers.

use crate::build::move_block;
use crate::cost::is_array;
use crate::soac::{Flavour, Parts, Soac, end_block, finish, fusible};
use segra_array::combinator::is_combinator;
use segra_array::layout::ReshapeOp;
use segra_array::shape::RearrangeOp;
use segra_array::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::interfaces::{is_pure, is_speculatable, work_of};
use segra_ir::{Block, Builder, Ir, Loc, Op, OpView, Type, Value};

/// An array a nest reads.
#[derive(Clone, Debug)]
struct Input {
    array: Value,
    /// The levels that go over it, outermost first: its first dimensions in order.
    levels: Vec<usize>,
    /// The part of it that the innermost body sees.
    element: Value,
    /// Whether an inner level goes over its rows.
    passed_on: bool,
}

/// Maps in maps.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    outermost: Op,
    inputs: Vec<Input>,
    /// The range of each level.
    over: Vec<(Value, usize)>,
    depth: usize,
    body: Block,
    /// Scalar ops between the levels, outer ones first.
    between: Vec<Op>,
}

/// Work of the scalar ops between the levels of a nest, at most: they run at every point.
const CHEAP: u64 = 8;

impl Nest {
    /// The first `depth` levels of a map; `None` where something else is between them.
    pub(crate) fn of(ir: &Ir, map: &Soac, depth: usize) -> Option<Nest> {
        let mut inputs: Vec<Input> = Vec::new();
        let (mut level, mut ops) = (map.clone(), Vec::new());
        let mut between: Vec<Op> = Vec::new();
        for at in 0..depth {
            if level.flavour != Flavour::Map || ir.num_results(level.op) != 1 {
                return None;
            }
            ops.push(level.op);
            let body = level.body?;
            for (&array, &element) in level.arrays.iter().zip(ir.block_args(body)) {
                let outer = inputs.iter().position(|input| input.element == array);
                let (array, levels) = match outer {
                    Some(outer) => {
                        inputs[outer].passed_on = true;
                        let levels = inputs[outer].levels.iter().copied().chain([at]).collect();
                        (inputs[outer].array, levels)
                    }
                    None if ir.is_defined_outside(array, map.op) => (array, vec![at]),
                    None => return None,
                };
                inputs.push(Input {
                    array,
                    levels,
                    element,
                    passed_on: false,
                });
            }
            if at + 1 < depth {
                let last = ir.last_op(body)?;
                let inner = ir.defining_op(ir.operand(last, 0))?;
                let others = ir.ops(body).filter(|&op| op != inner && op != last);
                between.extend(others);
                if ir.block_of(inner) != Some(body) || !between.iter().all(|&op| sinks(ir, op)) {
                    return None;
                }
                level = fusible(ir, inner)?;
            }
        }
        let first = |at: usize| inputs.iter().find(|input| input.levels.last() == Some(&at));
        let over: Option<Vec<_>> = (0..depth)
            .map(|at| first(at).map(|input| (input.array, input.levels.len() - 1)))
            .collect();
        let over = over?;
        if between.iter().map(|&op| work_of(ir, op)).sum::<u64>() > CHEAP {
            return None;
        }
        // Rows that only inner levels go over are no elements.
        inputs.retain(|input| {
            !input.passed_on || ir.users(input.element).any(|user| !ops.contains(&user))
        });
        Some(Nest {
            outermost: map.op,
            inputs,
            over,
            depth,
            body: level.body?,
            between,
        })
    }

    /// Moves the ops between the levels into the innermost body.
    fn settle(&self, ir: &mut Ir) {
        if let Some(first) = ir.first_op(self.body) {
            let ops = self.between.iter();
            ops.for_each(|&op| ir.move_before(op, first));
        }
    }

    /// Whether every array goes over every level, down to numbers.
    pub(crate) fn is_pointwise(&self, ir: &Ir) -> bool {
        let number = |value: Value| !is_array(ir, ir.value_type(value));
        self.inputs
            .iter()
            .all(|input| input.levels.len() == self.depth && number(input.element))
    }

    /// Whether every point is computed of numbers.
    pub(crate) fn reads_numbers(&self, ir: &Ir) -> bool {
        self.inputs
            .iter()
            .all(|input| !is_array(ir, ir.value_type(input.element)))
    }

    /// Whether a point has a combinator inside.
    pub(crate) fn has_parallelism(&self, ir: &Ir) -> bool {
        let mut found = false;
        for op in ir.ops(self.body) {
            ir.walk_with(op, &mut |op| found |= is_combinator(ir, op));
        }
        found
    }

    pub(crate) fn outermost(&self) -> Op {
        self.outermost
    }

    pub(crate) fn body(&self) -> Block {
        self.body
    }

    /// The range of each level: a dimension of an array.
    pub(crate) fn over(&self) -> Vec<(Value, usize)> {
        self.over.clone()
    }

    /// The arrays a point reads, with the levels that go over them.
    pub(crate) fn reads(&self) -> impl Iterator<Item = (Value, &[usize])> {
        self.inputs
            .iter()
            .map(|input| (input.array, &input.levels[..]))
    }

    /// Lets values stand for the elements of what a point reads.
    pub(crate) fn bind(&self, ir: &mut Ir, elements: &[Value]) {
        self.settle(ir);
        bind(ir, &self.inputs, elements);
    }

    /// The nest with its levels permuted, in the place of a rearrange of what it makes; the views made.
    pub(crate) fn rearranged(&self, ir: &mut Ir, view: RearrangeOp) -> Option<Vec<Op>> {
        let permutation = view.permutation(ir);
        let new_level = |old: usize| permutation.iter().position(|&dim| dim as usize == old);
        let (mut inputs, mut views) = (self.inputs.clone(), Vec::new());
        for input in &mut inputs {
            let moved: Option<Vec<usize>> =
                input.levels.iter().map(|&level| new_level(level)).collect();
            let moved = moved?;
            let mut order: Vec<usize> = (0..moved.len()).collect();
            order.sort_by_key(|&at| moved[at]);
            input.levels = order.iter().map(|&at| moved[at]).collect();
            if order.iter().enumerate().any(|(at, &old)| at != old) {
                let rank = sizes_and_element(ir.ctx(), ir.value_type(input.array))
                    .0
                    .len();
                let dims: Vec<i64> = order
                    .into_iter()
                    .chain(moved.len()..rank)
                    .map(|dim| dim as i64)
                    .collect();
                let mut b = Builder::before(ir, view.op());
                let attr = b.ctx().dense_i64_attr(&dims);
                input.array = RearrangeOp::build(&mut b, input.array, attr).result(b.ir);
                views.extend(ir.defining_op(input.array));
            }
        }
        self.replace(ir, view.op(), inputs, self.depth);
        Some(views)
    }

    /// A nest over reshaped arrays, in the place of a reshape of what it makes; the views made.
    pub(crate) fn reshaped(&self, ir: &mut Ir, view: ReshapeOp) -> Vec<Op> {
        let sizes = view.sizes(ir);
        let (types, _) = sizes_and_element(ir.ctx(), ir.value_type(view.result(ir)));
        let (mut inputs, mut views) = (self.inputs.clone(), Vec::new());
        for input in &mut inputs {
            let ty = array_or_scalar(ir.ctx(), &types, ir.value_type(input.element));
            let mut b = Builder::before(ir, view.op());
            input.array = ReshapeOp::build(&mut b, input.array, &sizes, ty).result(b.ir);
            input.levels = (0..types.len()).collect();
            views.extend(ir.defining_op(input.array));
        }
        self.replace(ir, view.op(), inputs, types.len());
        views
    }

    /// A nest over what its arrays are reshaped from, in its own place, and behind that the reshape; whether it was made.
    /// Conditions beyond those of any reshape: the arrays are reshaped from one shape, which the types tell.
    pub(crate) fn before_reshapes(&self, ir: &mut Ir) -> bool {
        let shape = |input: &Input| {
            let reshape = ir.def_as::<ReshapeOp>(input.array)?;
            let source = reshape.array(ir);
            Some((source, sizes_and_element(ir.ctx(), ir.value_type(source)).0))
        };
        let sources: Option<Vec<_>> = self.inputs.iter().map(shape).collect();
        let Some(sources) = sources.filter(|_| self.is_pointwise(ir)) else {
            return false;
        };
        let Some((_, types)) = sources.first().cloned() else {
            return false;
        };
        if types.contains(&Size::Unknown) || sources.iter().any(|(_, other)| *other != types) {
            return false;
        }
        let reshape = ir.def_as::<ReshapeOp>(self.inputs[0].array);
        let sizes = reshape.map_or(Vec::new(), |reshape| reshape.sizes(ir));
        let (old, loc) = (ir.result(self.outermost, 0), ir.loc(self.outermost));
        let (_, element) = sizes_and_element(ir.ctx(), ir.value_type(old));
        let inputs: Vec<Input> = self
            .inputs
            .iter()
            .zip(&sources)
            .map(|(input, &(array, _))| Input {
                array,
                levels: (0..types.len()).collect(),
                ..input.clone()
            })
            .collect();
        self.settle(ir);
        ir.detach_block(self.body);
        let arrays: Vec<Value> = inputs.iter().map(|input| input.array).collect();
        let levels = Levels {
            inputs: &inputs,
            depth: types.len(),
            body: self.body,
            loc,
        };
        let ty = array_or_scalar(ir.ctx(), &types, element);
        let made = levels.build(ir, self.outermost, 0, &arrays, ty);
        let ty = ir.value_type(old);
        let mut b = Builder::before(ir, self.outermost);
        let reshaped = ReshapeOp::build(&mut b, made, &sizes, ty).result(b.ir);
        ir.replace_op(self.outermost, &[reshaped]);
        true
    }

    fn replace(&self, ir: &mut Ir, view: Op, inputs: Vec<Input>, depth: usize) {
        let loc = ir.loc(self.outermost);
        let result = ir.result(view, 0);
        self.settle(ir);
        ir.detach_block(self.body);
        let arrays: Vec<Value> = inputs.iter().map(|input| input.array).collect();
        let levels = Levels {
            inputs: &inputs,
            depth,
            body: self.body,
            loc,
        };
        let value = levels.build(ir, view, 0, &arrays, ir.value_type(result));
        if let Some(name) = ir.value_name(result) {
            ir.set_value_name(value, name);
        }
        ir.replace_op(view, &[value]);
        ir.erase_op(self.outermost);
    }
}

/// Whether an op computes numbers of numbers and may run anywhere, any number of times.
fn sinks(ir: &Ir, op: Op) -> bool {
    let mut values = ir.operands(op).chain(ir.results(op));
    ir.regions(op).is_empty()
        && is_pure(ir, op)
        && is_speculatable(ir, op)
        && values.all(|value| !is_array(ir, ir.value_type(value)))
}

fn bind(ir: &mut Ir, inputs: &[Input], elements: &[Value]) {
    for (input, &element) in inputs.iter().zip(elements) {
        ir.replace_all_uses(input.element, element);
    }
}

/// A nest being built.
struct Levels<'a> {
    inputs: &'a [Input],
    depth: usize,
    body: Block,
    loc: Loc,
}

impl Levels<'_> {
    /// Builds the map of a level before `place`; `current` is what each array is there.
    fn build(
        &self,
        ir: &mut Ir,
        place: Op,
        level: usize,
        current: &[Value],
        result: Type,
    ) -> Value {
        let here: Vec<usize> = (0..current.len())
            .filter(|&at| self.inputs[at].levels.contains(&level))
            .collect();
        let arrays: Vec<Value> = here.iter().map(|&at| current[at]).collect();
        let (block, elements) = Parts::body_over(ir, &arrays);
        let mut inside = current.to_vec();
        here.iter()
            .zip(elements)
            .for_each(|(&at, element)| inside[at] = element);
        if level + 1 == self.depth {
            bind(ir, self.inputs, &inside);
            let yields = move_block(ir, self.body, &[], block);
            end_block(ir, block, &yields, self.loc);
        } else {
            end_block(ir, block, &[], self.loc);
            let (sizes, element) = sizes_and_element(ir.ctx(), result);
            let row = array_or_scalar(ir.ctx(), &sizes[1..], element);
            if let Some(last) = ir.last_op(block) {
                let value = self.build(ir, last, level + 1, &inside, row);
                ir.set_operands(last, &[value]);
            }
        }
        let parts = Parts::new(Flavour::Map, arrays, Some(block));
        let map = finish(ir, &parts, &[result], place);
        ir.result(map, 0)
    }
}

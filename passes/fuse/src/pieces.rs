//! Joined arrays by index: a concatenation or padding of what maps make becomes one nest of maps over indices, which meets
//! every reader.
//!
//! ```text
//! %p = array.map (%x in %xs) { f }            %is = array.iota n + m
//! %c = array.concat %p, %ys              =>   %c = array.map (%i in %is) { if %i < n { f(%xs[%i]) } else { %ys[%i - n] } }
//! array.scan (%c) { o }                       array.scan (%c) { o }
//! ```
//!
//! For readers that [`joined`](crate::joined) cannot take apart: scans, scatters, histograms, readers of more than the
//! joined array, or of rows. A joined array may itself be a concatenation, a padding, a reversed or rearranged array or
//! values all alike, and of any rank: a source is a tree of these. Conditions: a combinator reads the joined array, a map
//! where that has rows, or a body or function gives it, so that its parts are written in place; nothing else uses it; everything inside the tree is used there only; a nest of maps of the block
//! makes one of its leaves, down to numbers, has no other combinator inside and cannot stop the program; joined rows have
//! one size by their types. Every element is computed once, as before.

use crate::build::{move_ops, types_agree};
use crate::nest::Nest;
use crate::soac::{
    Behaviour, Flavour, Parts, behaviour, end_block, finish, fusible, has_parallelism,
};
use segra_array::layout::{ConcatOp, PadOp, ReverseOp};
use segra_array::shape::{DimOp, IN_RANGE, IndexOp, IotaOp, RearrangeOp, ReplicateOp};
use segra_array::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::{Block, Builder, Ir, Loc, Op, OpView, Trait, Type, Value};
use segra_std::{arith, scf};

/// Branches of one array, at most: one per padding, and one less than it has parts per concatenation.
const MOST_BRANCHES: usize = 4;
/// Views of views, at most; what is further inside is an array.
pub(crate) const MOST_DEPTH: usize = 8;

/// Where elements come from.
pub(crate) enum Source {
    /// An array.
    Array(Value),
    /// Maps, which go.
    Maps(Nest),
    /// One value, over these sizes.
    Filled(Value, Vec<Value>),
    /// One after the other, along the outermost dimension.
    Joined(Vec<Source>),
    /// A value around what is inside, so many times before and after it along each dimension.
    Padded {
        inside: Box<Source>,
        value: Value,
        low: Vec<Value>,
        high: Vec<Value>,
    },
    /// Backwards along a dimension.
    Reversed(Box<Source>, usize),
    /// Dimensions in another order: which of the inside each is.
    Rearranged(Box<Source>, Vec<usize>),
    /// One where a condition holds, else the other.
    Either(Value, Box<[Source; 2]>),
}

/// The same once extents are values: what tells the index of an element.
pub(crate) enum Place {
    Array(Value),
    Maps(Nest),
    Filled(Value),
    /// Each with where it ends; the last needs no end.
    Joined(Vec<(Place, Value)>),
    /// With the extents of what is inside.
    Padded {
        inside: Box<Place>,
        value: Value,
        low: Vec<Value>,
        extents: Vec<Value>,
    },
    /// With the last index.
    Reversed(Box<Place>, usize, Value),
    Rearranged(Box<Place>, Vec<usize>),
    Either(Value, Box<[Place; 2]>),
}

/// Makes nests of maps of the joined arrays of a block; how many.
pub(crate) fn join_block(ir: &mut Ir, block: Block) -> u64 {
    let (mut made, mut next) = (0, ir.first_op(block));
    while let Some(op) = next {
        next = ir.next_op(op);
        made += u64::from(by_index(ir, op));
    }
    made
}

/// Makes a nest of maps of the joined array that `op` makes, if a combinator of the block reads it; whether it did.
fn by_index(ir: &mut Ir, op: Op) -> bool {
    // Most ops join nothing.
    let Some(result) = ir
        .results(op)
        .next()
        .filter(|&result| views(ir, op) && ir.has_one_use(result))
    else {
        return false;
    };
    let read = ir.users(result).next().is_some_and(|user| {
        ir.has_trait(user, Trait::Terminator) || reads_elements(ir, user, result)
    });
    if !read {
        return false;
    }
    let Some(source) = source_of(ir, op, result, Behaviour::Total, MOST_DEPTH).filter(|source| {
        let branches = source.branches();
        branches > 0 && branches <= MOST_BRANCHES && source.has_maps()
    }) else {
        return false;
    };
    if source.has_pending_inputs(ir) {
        return false;
    }
    let loc = ir.loc(op);
    let mut gone = Vec::new();
    source.producers(&mut gone);
    let (place, extents) = source.settle(ir, op, loc);
    let made = nest_over(ir, op, &place, &extents, ir.value_type(result));
    if let Some(name) = ir.value_name(result) {
        ir.set_value_name(made, name);
    }
    let viewed: Vec<Value> = ir.operands(op).collect();
    ir.replace_op(op, &[made]);
    crate::views::erase_dead(ir, viewed);
    gone.into_iter().for_each(|producer| ir.erase_op(producer));
    true
}

/// The array of a type whose elements come from a place, as a nest of maps over indices before an op.
pub(crate) fn nest_over(ir: &mut Ir, op: Op, place: &Place, extents: &[Value], ty: Type) -> Value {
    let (loc, index) = (ir.loc(op), ir.ctx().index());
    let (sizes, element) = sizes_and_element(ir.ctx(), ty);
    let mut indices = Vec::new();
    for (&extent, &size) in extents.iter().zip(&sizes) {
        let ty = array_or_scalar(ir.ctx(), &[size], index);
        let mut b = at(ir, op, loc);
        indices.push(IotaOp::build(&mut b, extent, ty).result(b.ir));
    }
    let levels = Levels {
        indices: &indices,
        sizes: &sizes,
        element,
        place,
        loc,
    };
    levels.build(ir, op, &mut Vec::new())
}

/// Whether an op is a node of a tree.
fn views(ir: &Ir, op: Op) -> bool {
    ir.isa::<ConcatOp>(op)
        || ir.isa::<PadOp>(op)
        || ir.isa::<ReverseOp>(op)
        || ir.isa::<RearrangeOp>(op)
}

/// Whether an op is a combinator that goes over an array and meets what makes it: over rows only a map, whose own
/// combinators may go over them.
fn reads_elements(ir: &Ir, user: Op, array: Value) -> bool {
    let rows = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len() > 1;
    fusible(ir, user).is_some_and(|reader| {
        let meets = if rows {
            reader.flavour == Flavour::Map
        } else {
            !has_parallelism(ir, &reader)
        };
        reader.arrays.contains(&array) && meets && types_agree(ir, &reader)
    })
}

// ---- finding ----

/// The producer of an array that has one use, seen from `op`, which is before that use or is that producer.
/// Its maps do no more than `most`.
pub(crate) fn source_of(
    ir: &Ir,
    op: Op,
    array: Value,
    most: Behaviour,
    depth: usize,
) -> Option<Source> {
    let plain = Some(Source::Array(array));
    let Some(depth) = depth.checked_sub(1) else {
        return plain;
    };
    if let Some(filled) = ir.def_as::<ReplicateOp>(array) {
        let sizes = filled.sizes(ir);
        let whole = sizes.len() == sizes_and_element(ir.ctx(), ir.value_type(array)).0.len();
        return if whole {
            Some(Source::Filled(filled.value(ir), sizes))
        } else {
            plain
        };
    }
    let producer = ir
        .defining_op(array)
        .filter(|&producer| ir.block_of(producer) == ir.block_of(op));
    let Some(producer) = producer.filter(|_| ir.has_one_use(array)) else {
        return plain;
    };
    if let Some(concat) = ir.cast::<ConcatOp>(producer) {
        return joined(ir, op, concat, most, depth);
    }
    if let Some(pad) = ir.cast::<PadOp>(producer) {
        return padded(ir, op, pad, most, depth);
    }
    if let Some(reverse) = ir.cast::<ReverseOp>(producer) {
        let inside = Box::new(source_of(ir, op, reverse.array(ir), most, depth)?);
        return Some(Source::Reversed(
            inside,
            usize::try_from(reverse.dim(ir)).ok()?,
        ));
    }
    if let Some(rearrange) = ir.cast::<RearrangeOp>(producer) {
        let inside = Box::new(source_of(ir, op, rearrange.array(ir), most, depth)?);
        let order: Option<Vec<usize>> = rearrange
            .permutation(ir)
            .iter()
            .map(|&dim| usize::try_from(dim).ok())
            .collect();
        return Some(Source::Rearranged(inside, order?));
    }
    Some(maps(ir, producer, array, most).map_or(Source::Array(array), Source::Maps))
}

/// The parts of a concatenation, seen from `op`; the array itself where these are many, or of several shapes.
fn joined(ir: &Ir, op: Op, concat: ConcatOp, most: Behaviour, depth: usize) -> Option<Source> {
    let parts = concat.arrays(ir);
    if parts.len() > MOST_BRANCHES + 1 || !rows_agree(ir, &parts) {
        return Some(Source::Array(concat.result(ir)));
    }
    let parts: Option<Vec<Source>> = parts
        .into_iter()
        .map(|part| source_of(ir, op, part, most, depth))
        .collect();
    Some(Source::Joined(parts?))
}

/// The inside of a padding by a number, seen from `op`; the array itself where it is padded by rows.
fn padded(ir: &Ir, op: Op, pad: PadOp, most: Behaviour, depth: usize) -> Option<Source> {
    let inside = Box::new(source_of(ir, op, pad.array(ir), most, depth)?);
    let (value, low, high) = (pad.value(ir), pad.low(ir), pad.high(ir));
    let number = sizes_and_element(ir.ctx(), ir.value_type(value))
        .0
        .is_empty();
    Some(if number {
        Source::Padded {
            inside,
            value,
            low,
            high,
        }
    } else {
        Source::Array(pad.result(ir))
    })
}

/// Whether the rows of arrays have one shape by their types.
fn rows_agree(ir: &Ir, arrays: &[Value]) -> bool {
    let rows = |array: &Value| sizes_and_element(ir.ctx(), ir.value_type(*array)).0[1..].to_vec();
    let mut all = arrays.iter().map(rows);
    let Some(first) = all.next() else {
        return false;
    };
    !first.contains(&Size::Unknown) && all.all(|rows| rows == first)
}

/// Maps that make an array of numbers, each point from numbers.
fn maps(ir: &Ir, producer: Op, array: Value, most: Behaviour) -> Option<Nest> {
    let outermost = fusible(ir, producer).filter(|producer| {
        producer.flavour == Flavour::Map
            && ir.num_results(producer.op) == 1
            && behaviour(ir, producer) <= most
    })?;
    let rank = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len();
    Nest::of(ir, &outermost, rank)
        .filter(|nest| nest.reads_numbers(ir) && !nest.has_parallelism(ir))
}

impl Source {
    fn inside(&self) -> &[Source] {
        match self {
            Source::Array(_) | Source::Maps(_) | Source::Filled(..) => &[],
            Source::Joined(parts) => parts,
            Source::Padded { inside, .. }
            | Source::Reversed(inside, _)
            | Source::Rearranged(inside, _) => std::slice::from_ref(inside),
            Source::Either(_, sides) => &sides[..],
        }
    }

    /// How many branches the choice of an element takes.
    pub(crate) fn branches(&self) -> usize {
        let own = match self {
            Source::Joined(parts) => parts.len().saturating_sub(1),
            Source::Padded { .. } | Source::Either(..) => 1,
            _ => 0,
        };
        own + self.inside().iter().map(Source::branches).sum::<usize>()
    }

    fn has_maps(&self) -> bool {
        matches!(self, Source::Maps(_)) || self.inside().iter().any(Source::has_maps)
    }

    /// Whether maps of leaves read arrays of combinators that are still to become one with them.
    fn has_pending_inputs(&self, ir: &Ir) -> bool {
        let is_pending = |array: Value| {
            let producer = ir.defining_op(array);
            ir.has_one_use(array)
                && producer
                    .and_then(|producer| fusible(ir, producer))
                    .is_some_and(|producer| producer.flavour.stores())
        };
        match self {
            Source::Maps(nest) => nest.reads().any(|(array, _)| is_pending(array)),
            _ => self
                .inside()
                .iter()
                .any(|source| source.has_pending_inputs(ir)),
        }
    }

    /// The outermost maps that go.
    pub(crate) fn producers(&self, found: &mut Vec<Op>) {
        if let Source::Maps(nest) = self {
            found.push(nest.outermost());
        }
        self.inside()
            .iter()
            .for_each(|source| source.producers(found));
    }

    /// The values that are read: of arrays, conditions and what is filled in.
    pub(crate) fn uses(&self, found: &mut Vec<Value>) {
        match self {
            Source::Array(array) => found.push(*array),
            Source::Maps(nest) => found.extend(nest.reads().map(|(array, _)| array)),
            Source::Filled(value, sizes) => {
                found.push(*value);
                found.extend(sizes);
            }
            Source::Padded {
                value, low, high, ..
            } => {
                found.push(*value);
                found.extend(low.iter().chain(high));
            }
            Source::Either(condition, _) => found.push(*condition),
            Source::Joined(_) | Source::Reversed(..) | Source::Rearranged(..) => {}
        }
        self.inside().iter().for_each(|source| source.uses(found));
    }

    /// With values for its extents, made before `op`; what each dimension has.
    pub(crate) fn settle(self, ir: &mut Ir, op: Op, loc: Loc) -> (Place, Vec<Value>) {
        match self {
            Source::Array(array) => {
                let rank = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len();
                let extents = (0..rank)
                    .map(|dim| extent_of(ir, op, array, dim, loc))
                    .collect();
                (Place::Array(array), extents)
            }
            Source::Maps(nest) => {
                let extents = nest
                    .over()
                    .into_iter()
                    .map(|(array, dim)| extent_of(ir, op, array, dim, loc));
                let extents = extents.collect();
                (Place::Maps(nest), extents)
            }
            Source::Filled(value, sizes) => (Place::Filled(value), sizes),
            Source::Joined(parts) => {
                let (mut places, mut all) = (Vec::new(), Vec::new());
                for part in parts {
                    let (place, extents) = part.settle(ir, op, loc);
                    all = match (all.split_first(), extents.split_first()) {
                        (Some((&before, rows)), Some((&more, _))) => {
                            let end = add(&mut at(ir, op, loc), before, more);
                            [&[end], rows].concat()
                        }
                        _ => extents,
                    };
                    places.push((place, all[0]));
                }
                (Place::Joined(places), all)
            }
            Source::Padded {
                inside,
                value,
                low,
                high,
            } => {
                let (inside, extents) = inside.settle(ir, op, loc);
                let mut b = at(ir, op, loc);
                let all =
                    extents
                        .iter()
                        .zip(low.iter().zip(&high))
                        .map(|(&extent, (&low, &high))| {
                            let with_low = add(&mut b, low, extent);
                            add(&mut b, with_low, high)
                        });
                let all = all.collect();
                (
                    Place::Padded {
                        inside: Box::new(inside),
                        value,
                        low,
                        extents,
                    },
                    all,
                )
            }
            Source::Reversed(inside, dim) => {
                let (inside, extents) = inside.settle(ir, op, loc);
                let mut b = at(ir, op, loc);
                let attr = b.ctx().index_attr(1);
                let one = arith::ConstantOp::build(&mut b, attr).result(b.ir);
                let last = subtract(&mut b, extents[dim], one);
                (Place::Reversed(Box::new(inside), dim, last), extents)
            }
            Source::Rearranged(inside, order) => {
                let (inside, extents) = inside.settle(ir, op, loc);
                let turned = order.iter().map(|&dim| extents[dim]).collect();
                (Place::Rearranged(Box::new(inside), order), turned)
            }
            Source::Either(condition, sides) => {
                let [then, otherwise] = *sides;
                let (then, extents) = then.settle(ir, op, loc);
                let (otherwise, _) = otherwise.settle(ir, op, loc);
                (
                    Place::Either(condition, Box::new([then, otherwise])),
                    extents,
                )
            }
        }
    }
}

fn extent_of(ir: &mut Ir, op: Op, array: Value, dim: usize, loc: Loc) -> Value {
    let size = sizes_and_element(ir.ctx(), ir.value_type(array)).0[dim];
    let mut b = at(ir, op, loc);
    if let Size::Constant(extent) = size {
        let attr = b.ctx().index_attr(extent);
        return arith::ConstantOp::build(&mut b, attr).result(b.ir);
    }
    let (dim, index) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
    DimOp::build(&mut b, array, dim, index).result(b.ir)
}

fn at(ir: &mut Ir, place: Op, loc: Loc) -> Builder<'_> {
    let mut b = Builder::before(ir, place);
    b.loc = loc;
    b
}

fn add(b: &mut Builder<'_>, left: Value, right: Value) -> Value {
    arith::AddIOp::build(b, left, right).result(b.ir)
}

fn subtract(b: &mut Builder<'_>, left: Value, right: Value) -> Value {
    arith::SubIOp::build(b, left, right).result(b.ir)
}

// ---- building ----

/// The nest over indices being built.
struct Levels<'a> {
    indices: &'a [Value],
    sizes: &'a [Size],
    element: Type,
    place: &'a Place,
    loc: Loc,
}

impl Levels<'_> {
    /// The map of the next level, made before `before`; `seen` are the indices so far.
    fn build(&self, ir: &mut Ir, before: Op, seen: &mut Vec<Value>) -> Value {
        let level = seen.len();
        let Some(&indices) = self.indices.get(level) else {
            return element_at(ir, before, self.place, seen, self.element, self.loc);
        };
        let (body, elements) = Parts::body_over(ir, &[indices]);
        end_block(ir, body, &[], self.loc);
        seen.extend(elements);
        if let Some(last) = ir.last_op(body) {
            let value = self.build(ir, last, seen);
            ir.set_operands(last, &[value]);
        }
        seen.truncate(level);
        let result = array_or_scalar(ir.ctx(), &self.sizes[level..], self.element);
        let parts = Parts::new(Flavour::Map, vec![indices], Some(body));
        let map = finish(ir, &parts, &[result], before);
        ir.result(map, 0)
    }
}

/// The element at indices, made before an op.
fn element_at(
    ir: &mut Ir,
    before: Op,
    place: &Place,
    indices: &[Value],
    ty: Type,
    loc: Loc,
) -> Value {
    let mut b = at(ir, before, loc);
    match place {
        Place::Filled(value) => *value,
        Place::Array(array) => inside(&mut b, *array, indices),
        Place::Maps(nest) => nest.element(ir, before, indices, loc),
        Place::Joined(parts) => joined_at(ir, before, parts, None, indices, ty, loc),
        Place::Padded {
            inside,
            value,
            low,
            extents,
        } => {
            let own: Vec<Value> = indices
                .iter()
                .zip(low)
                .map(|(&index, &low)| subtract(&mut b, index, low))
                .collect();
            let all = all_below(&mut b, &own, extents);
            let Some(here) = all else { return *value };
            let mut there = |ir: &mut Ir, last: Op| element_at(ir, last, inside, &own, ty, loc);
            branch(ir, before, here, ty, loc, [&mut there, &mut |_, _| *value])
        }
        Place::Reversed(inside, dim, last) => {
            let mut own = indices.to_vec();
            own[*dim] = subtract(&mut b, *last, own[*dim]);
            element_at(ir, before, inside, &own, ty, loc)
        }
        Place::Rearranged(inside, order) => {
            let mut own = indices.to_vec();
            order
                .iter()
                .zip(indices)
                .for_each(|(&dim, &index)| own[dim] = index);
            element_at(ir, before, inside, &own, ty, loc)
        }
        Place::Either(condition, sides) => {
            let [then, otherwise] = &**sides;
            let mut then = |ir: &mut Ir, last: Op| element_at(ir, last, then, indices, ty, loc);
            let mut otherwise =
                |ir: &mut Ir, last: Op| element_at(ir, last, otherwise, indices, ty, loc);
            branch(ir, before, *condition, ty, loc, [&mut then, &mut otherwise])
        }
    }
}

/// An element at indices that are in range, as what is around it says.
fn inside(b: &mut Builder<'_>, array: Value, indices: &[Value]) -> Value {
    let element = IndexOp::build(b, array, indices);
    let unit = b.ctx().unit();
    b.ir.set_attr_named(element.op(), IN_RANGE, Some(unit));
    element.result(b.ir)
}

/// Whether each index is inside of its extent; none where there is no dimension.
fn all_below(b: &mut Builder<'_>, indices: &[Value], extents: &[Value]) -> Option<Value> {
    let mut all: Option<Value> = None;
    for (&index, &extent) in indices.iter().zip(extents) {
        // An index before it is far behind, unsigned.
        let predicate = arith::CmpIPredicate::Ult.attr(b.ctx());
        let here = arith::CmpIOp::build(b, predicate, index, extent).result(b.ir);
        all = Some(match all {
            Some(others) => arith::AndIOp::build(b, others, here).result(b.ir),
            None => here,
        });
    }
    all
}

/// The element of the first of the parts, which starts at `start` (none: at 0), or in a branch of a later one.
fn joined_at(
    ir: &mut Ir,
    before: Op,
    parts: &[(Place, Value)],
    start: Option<Value>,
    indices: &[Value],
    ty: Type,
    loc: Loc,
) -> Value {
    let [(part, end), rest @ ..] = parts else {
        return indices[0];
    };
    let mut own = |ir: &mut Ir, before: Op| {
        let mut own = indices.to_vec();
        if let Some(start) = start {
            own[0] = subtract(&mut at(ir, before, loc), own[0], start);
        }
        element_at(ir, before, part, &own, ty, loc)
    };
    if rest.is_empty() {
        return own(ir, before);
    }
    let mut b = at(ir, before, loc);
    let predicate = arith::CmpIPredicate::Slt.attr(b.ctx());
    let here = arith::CmpIOp::build(&mut b, predicate, indices[0], *end).result(b.ir);
    let mut later = |ir: &mut Ir, last: Op| joined_at(ir, last, rest, Some(*end), indices, ty, loc);
    branch(ir, before, here, ty, loc, [&mut own, &mut later])
}

/// Makes a value before an op, in one branch or the other.
type Made<'a> = dyn FnMut(&mut Ir, Op) -> Value + 'a;

fn branch(
    ir: &mut Ir,
    before: Op,
    condition: Value,
    ty: Type,
    loc: Loc,
    made: [&mut Made<'_>; 2],
) -> Value {
    let branch = scf::IfOp::with_bodies(
        &mut at(ir, before, loc),
        condition,
        &[ty],
        |_| Vec::new(),
        |_| Vec::new(),
    );
    for (region, made) in [branch.then_region(ir), branch.else_region(ir)]
        .into_iter()
        .zip(made)
    {
        let Some(last) = ir.entry_block(region).and_then(|block| ir.last_op(block)) else {
            continue;
        };
        let value = made(ir, last);
        ir.set_operands(last, &[value]);
    }
    ir.result(branch.op(), 0)
}

impl Nest {
    /// The element that the maps make at indices, before an op.
    fn element(&self, ir: &mut Ir, before: Op, indices: &[Value], loc: Loc) -> Value {
        let mut b = at(ir, before, loc);
        let elements: Vec<Value> = self
            .reads()
            .map(|(array, levels)| {
                let own: Vec<Value> = levels.iter().map(|&level| indices[level]).collect();
                inside(&mut b, array, &own)
            })
            .collect();
        self.point(ir, &elements, before)
    }

    /// The innermost body at elements of what it reads, moved before an op; what it yields.
    fn point(&self, ir: &mut Ir, elements: &[Value], before: Op) -> Value {
        self.bind(ir, elements);
        move_ops(ir, self.body(), &[], |ir, op| ir.move_before(op, before))[0]
    }
}

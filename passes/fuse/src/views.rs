//! Views between combinators: they go into bodies, or before the producer, so that producer and consumer meet.
//!
//! ```text
//! %ys = array.map (%x in %xs) { f }               %zs = array.reverse %xs, 0
//! %zs = array.reverse %ys, 0                 =>   map (%x in %zs) { f; g }
//! array.map (%z in %zs) { g }
//! ```
//!
//! * An input that is a replicated value is the value itself, or its replication over the inner sizes.
//! * A rearrange that keeps the outermost dimension is a rearrange of each row ([`absorb`]).
//! * Readers of a concatenated or padded array read the parts ([`joined`]), or else a map that finds each element by its
//!   index ([`pieces`]).
//! * A view that alone uses a map's result, and is read by a combinator or makes a perfect nest of maps a nest in another
//!   order, is a view of the map's inputs (it chooses among the rows), or of the rows the
//!   map yields ([`push`]): reverse, slice with any strides, gather, rearrange. A slice of several dimensions is both: its
//!   first dimension chooses among rows, and the others are a slice of each row. Where rows are left out or repeated
//!   (slice, gather) only maps that cannot stop the program are moved, and for a gather, which may repeat work, only
//!   cheap ones. Where nests stay apart, a rearrange of what one of them makes of arrays as they are stays as well.
//! * A rearrange that moves the outermost dimension, or a reshape, of what a nest of maps makes is one of what the nest
//!   reads ([`nest`](crate::nest)). Other readers of the array read it through the rearrange where that one leaves the program.
//! * A map whose rows are rearranged rows of what it reads is a rearrange of all of that. A map over a reshape of what a
//!   nest of maps makes becomes one of the nest's sizes, and the reshape comes behind it.
//! * The extents of a combinator's result are those of what it reads and uses.

use crate::cost::is_cheap;
use crate::joined;
use crate::nest::Nest;
use crate::pieces;
use crate::soac::{
    Behaviour, Flavour, Parts, Soac, behaviour, end_block, finish, fusible, has_parallelism,
    row_type,
};
use segra_array::extent::{Origin, origin_of};
use segra_array::layout::{GatherOp, ReshapeOp, ReverseOp, SliceOp};
use segra_array::shape::{DimOp, RearrangeOp, ReplicateOp};
use segra_array::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_trivially_dead};
use segra_ir::{Block, Builder, Ir, Op, Type, Value};

/// Prepares a block: how many views went. With `apart`, nests of the block become one later or not at all, so what is read with
/// dimensions in another order is not made in that order: both orders are of one array, which all its readers have in common.
pub(crate) fn simplify_block(ir: &mut Ir, block: Block, apart: bool) -> u64 {
    let mut changed = 0;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        changed += u64::from(
            extent_of_result(ir, op) || rearranged_rows(ir, op) || rearranged_before(ir, op),
        );
    }
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        let mut pending = vec![op];
        // A view pushed before a map makes new views, of its inputs.
        while let Some(view) = pending.pop() {
            turn_for_result(ir, view);
            if let Some(views) = push(ir, view, apart) {
                changed += 1;
                pending.extend(views);
            }
        }
    }
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        changed += u64::from(behind_map(ir, op) || absorb(ir, op) || joined::separate(ir, op));
    }
    changed += pieces::join_block(ir, block);
    sink(ir, block);
    changed
}

/// Moves pure views down to their first use: what they view is then free to move further.
fn sink(ir: &mut Ir, block: Block) {
    let mut next = ir.last_op(block);
    while let Some(op) = next {
        next = ir.prev_op(op);
        if !ir.op_name_str(op).starts_with("array.")
            || !ir.regions(op).is_empty()
            || !is_pure(ir, op)
        {
            continue;
        }
        let mut first: Option<Op> = None;
        for user in ir.results(op).flat_map(|result| ir.users(result)) {
            let Some(top) = ir
                .ancestors(user)
                .find(|&at| ir.block_of(at) == Some(block))
            else {
                continue;
            };
            if first.is_none_or(|first| ir.is_before(top, first)) {
                first = Some(top);
            }
        }
        if let Some(first) = first.filter(|&first| ir.next_op(op) != Some(first)) {
            ir.move_before(op, first);
        }
    }
}

/// An extent of what a combinator stores is that of what it reads or uses.
fn extent_of_result(ir: &mut Ir, op: Op) -> bool {
    let Some(dim) = ir.cast::<DimOp>(op) else {
        return false;
    };
    let (array, at) = (dim.array(ir), usize::try_from(dim.dim(ir)).unwrap_or(0));
    let made = ir.defining_op(array).and_then(|def| fusible(ir, def));
    let Some(made) = made.filter(|made| made.stored(ir).any(|result| result == array)) else {
        return false;
    };
    let there = |ir: &Ir, value: Value| in_scope(ir, value, made.op);
    match origin_of(ir, array, at) {
        Origin::Dim(source, dim) if source != array && there(ir, source) => {
            let mut b = Builder::before(ir, op);
            let (dim, index) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
            let extent = DimOp::build(&mut b, source, dim, index).result(b.ir);
            ir.replace_op(op, &[extent]);
            true
        }
        Origin::Value(extent) if there(ir, extent) => {
            ir.replace_op(op, &[extent]);
            true
        }
        _ if at == 0 => {
            ir.set_operand(op, 0, made.arrays[0]);
            true
        }
        _ => false,
    }
}

/// Maps in maps that only rearrange, at most.
const MOST_TURNED: usize = 8;

/// Whether a value is there before an op.
fn in_scope(ir: &Ir, value: Value, op: Op) -> bool {
    let block = ir.value_block(value);
    let here = ir.ancestors(op).find(|&at| ir.block_of(at) == block);
    here.is_some_and(|here| match ir.defining_op(value) {
        Some(def) => ir.is_before(def, here),
        None => true,
    })
}

/// Results of a map whose rows are rearranged rows of what it reads become rearranges of that; whether any did.
fn rearranged_rows(ir: &mut Ir, op: Op) -> bool {
    let Some(map) = fusible(ir, op).filter(|map| map.flavour == Flavour::Map) else {
        return false;
    };
    let mut changed = false;
    for (index, result) in ir.results(op).collect::<Vec<_>>().into_iter().enumerate() {
        let Some((array, order)) =
            turned(ir, &map, index, MOST_TURNED).filter(|_| ir.has_uses(result))
        else {
            continue;
        };
        let in_order = order.iter().enumerate().all(|(at, &dim)| at as i64 == dim);
        let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
        let (wanted, _) = sizes_and_element(ir.ctx(), ir.value_type(result));
        let moved: Vec<Size> = order.iter().map(|&dim| sizes[dim as usize]).collect();
        if in_order || moved != wanted {
            continue;
        }
        let mut b = Builder::before(ir, op);
        let attr = b.ctx().dense_i64_attr(&order);
        let whole = RearrangeOp::build(&mut b, array, attr).result(b.ir);
        ir.replace_all_uses(result, whole);
        changed = true;
    }
    if changed
        && !ir.results(op).any(|result| ir.has_uses(result))
        && behaviour(ir, &map) == Behaviour::Total
    {
        ir.erase_op(op);
    }
    changed
}

/// Rows that a map reads rearranged only, for an inner map, are rows of the rearranged array; whether any became that.
/// Not where a combinator makes the array: it meets the map as it is.
fn rearranged_before(ir: &mut Ir, op: Op) -> bool {
    let Some(map) = fusible(ir, op).filter(|map| map.flavour == Flavour::Map) else {
        return false;
    };
    let Some(body) = map.body else { return false };
    let mut changed = false;
    for (index, arg) in ir.block_args(body).to_vec().into_iter().enumerate() {
        let array = map.arrays[index];
        let made = ir
            .defining_op(array)
            .is_some_and(|def| fusible(ir, def).is_some());
        let users: Vec<Op> = ir.users(arg).take(2).collect();
        let &[user] = users.as_slice() else {
            continue;
        };
        let Some(rearrange) = ir
            .cast::<RearrangeOp>(user)
            .filter(|_| !made && ir.block_of(user) == Some(body))
        else {
            continue;
        };
        let row = rearrange.result(ir);
        if !ir.users(row).all(|reader| fusible(ir, reader).is_some()) {
            continue;
        }
        let dims = rearrange.permutation(ir);
        let order: Vec<i64> = std::iter::once(0)
            .chain(dims.iter().map(|dim| dim + 1))
            .collect();
        let mut b = Builder::before(ir, op);
        let attr = b.ctx().dense_i64_attr(&order);
        let whole = RearrangeOp::build(&mut b, array, attr).result(b.ir);
        ir.set_operand(op, index, whole);
        let ty = ir.value_type(row);
        ir.set_value_type(arg, ty);
        ir.replace_op(user, &[arg]);
        changed = true;
    }
    changed
}

/// The array from outside a map that a result is, with its dimensions in this order.
fn turned(ir: &Ir, map: &Soac, index: usize, depth: usize) -> Option<(Value, Vec<i64>)> {
    let depth = depth.checked_sub(1)?;
    let body = map.body?;
    let mut value = ir.operand(ir.last_op(body)?, index);
    let rank = sizes_and_element(ir.ctx(), ir.value_type(value)).0.len();
    let mut order: Vec<i64> = (0..rank as i64).collect();
    loop {
        if let Some(at) = ir.block_args(body).iter().position(|&arg| arg == value) {
            let rows = order.iter().map(|dim| dim + 1);
            return Some((map.arrays[at], std::iter::once(0).chain(rows).collect()));
        }
        let def = ir
            .defining_op(value)
            .filter(|&def| ir.block_of(def) == Some(body))?;
        let (source, inner) = if let Some(rearrange) = ir.cast::<RearrangeOp>(def) {
            (rearrange.array(ir), rearrange.permutation(ir))
        } else {
            let inner = fusible(ir, def).filter(|inner| inner.flavour == Flavour::Map)?;
            let at = ir.results(def).position(|result| result == value)?;
            turned(ir, &inner, at, depth)?
        };
        let moved: Option<Vec<i64>> = order
            .iter()
            .map(|&dim| inner.get(usize::try_from(dim).ok()?).copied())
            .collect();
        (value, order) = (source, moved?);
    }
}

/// A map over reshapes of what nests of maps make, as a nest over what is reshaped; whether it was.
fn behind_map(ir: &mut Ir, op: Op) -> bool {
    let Some(map) = fusible(ir, op).filter(|map| map.flavour == Flavour::Map) else {
        return false;
    };
    let made = map.arrays.iter().any(|&array| {
        let source = ir.def_as::<ReshapeOp>(array).map(|view| view.array(ir));
        source.is_some_and(|source| {
            let producer = ir.defining_op(source).filter(|&producer| {
                ir.block_of(producer) == ir.block_of(op) && ir.has_one_use(source)
            });
            let producer = producer.and_then(|producer| fusible(ir, producer));
            producer.is_some_and(|producer| producer.flavour == Flavour::Map)
        })
    });
    let Some(&result) = ir.results(op).collect::<Vec<_>>().first().filter(|_| made) else {
        return false;
    };
    let rank = sizes_and_element(ir.ctx(), ir.value_type(result)).0.len();
    let nest = Nest::of(ir, &map, rank).filter(|nest| !nest.has_parallelism(ir));
    let arrays = map.arrays.clone();
    let done = nest.is_some_and(|nest| nest.before_reshapes(ir));
    if done {
        erase_dead(ir, arrays);
    }
    done
}

// ---- views of inputs ----

/// The replacement of an input.
enum Behind {
    /// The input as it is.
    Input(Value),
    /// Every element is this value, over these sizes.
    Value(Value, Vec<Value>),
    /// Every element is this array's, rearranged.
    Rearranged(Value, Vec<i64>),
}

/// Makes inputs simpler; whether any was.
fn absorb(ir: &mut Ir, op: Op) -> bool {
    let Some(soac) = fusible(ir, op) else {
        return false;
    };
    // An operator over rows stays a plain reduction: it is interchanged later.
    if soac.body.is_none() && has_parallelism(ir, &soac) {
        return false;
    }
    let mut behind: Vec<Behind> = soac
        .arrays
        .iter()
        .map(|&array| look_behind(ir, array))
        .collect();
    // The extent must still be known from an input.
    if behind
        .iter()
        .all(|behind| matches!(behind, Behind::Value(..)))
    {
        behind[0] = Behind::Input(soac.arrays[0]);
    }
    if behind
        .iter()
        .all(|behind| matches!(behind, Behind::Input(_)))
    {
        return false;
    }
    let mut arrays: Vec<Value> = Vec::new();
    for behind in &behind {
        if let Behind::Input(array) | Behind::Rearranged(array, _) = behind
            && !arrays.contains(array)
        {
            arrays.push(*array);
        }
    }
    let (body, elements) = Parts::body_over(ir, &arrays);
    let element = |array: Value| {
        arrays
            .iter()
            .position(|&other| other == array)
            .map(|at| elements[at])
    };
    let loc = ir.loc(op);
    let mut args = Vec::new();
    for (&array, behind) in soac.arrays.iter().zip(&behind) {
        let row = row_type(ir, array);
        let mut b = Builder::at_end(ir, body, loc);
        args.push(match behind {
            Behind::Input(array) => element(*array).unwrap_or(*array),
            Behind::Value(value, sizes) if sizes.is_empty() => *value,
            Behind::Value(value, sizes) => {
                ReplicateOp::build(&mut b, *value, sizes, row).result(b.ir)
            }
            Behind::Rearranged(source, permutation) => {
                let attr = b.ctx().dense_i64_attr(permutation);
                RearrangeOp::build(&mut b, element(*source).unwrap_or(*source), attr).result(b.ir)
            }
        });
    }
    let yields = match soac.body {
        Some(old) => {
            let mut b = Builder::at_end(ir, body, loc);
            b.clone_block_body(old, &args, &mut Mapping::new())
        }
        None => args,
    };
    end_block(ir, body, &yields, loc);
    let combine = soac.combine.map(|block| detached_copy(ir, block));
    let results: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
    let parts = Parts {
        arrays,
        body: Some(body),
        written: Vec::new(),
        combine,
        ..soac.parts.clone()
    };
    let new = finish(ir, &parts, &results, op);
    let results: Vec<Value> = ir.results(new).collect();
    ir.replace_op(op, &results);
    erase_dead(ir, soac.parts.arrays);
    true
}

/// A copy of an operator.
pub(crate) fn detached_copy(ir: &mut Ir, block: Block) -> Block {
    let types: Vec<Type> = ir
        .block_args(block)
        .iter()
        .map(|&arg| ir.value_type(arg))
        .collect();
    let copy = ir.create_block(&types);
    let args = ir.block_args(copy).to_vec();
    let loc = ir
        .last_op(block)
        .map_or(segra_ir::Loc::UNKNOWN, |last| ir.loc(last));
    let yields = Builder::at_end(ir, copy, loc).clone_block_body(block, &args, &mut Mapping::new());
    end_block(ir, copy, &yields, loc);
    copy
}

/// Erases ops nobody uses any more: they would keep what they use from being fused.
pub(crate) fn erase_dead(ir: &mut Ir, values: Vec<Value>) {
    let mut pending = values;
    while let Some(value) = pending.pop() {
        let Some(op) = ir.defining_op(value) else {
            continue;
        };
        if ir.regions(op).is_empty() && is_trivially_dead(ir, op) {
            let operands: Vec<Value> = ir.operands(op).collect();
            // A value may be listed twice.
            pending.retain(|&other| ir.defining_op(other) != Some(op));
            ir.erase_op(op);
            pending.extend(operands);
        }
    }
}

fn look_behind(ir: &Ir, array: Value) -> Behind {
    if let Some(replicate) = ir.def_as::<ReplicateOp>(array) {
        let sizes = replicate.sizes(ir);
        // The rows' type must be what the replication of the inner sizes would have.
        return Behind::Value(replicate.value(ir), sizes[1..].to_vec());
    }
    if let Some(rearrange) = ir.def_as::<RearrangeOp>(array) {
        let permutation = rearrange.permutation(ir);
        // Only where a combinator that could be fused is behind it.
        let feeds = ir
            .defining_op(rearrange.array(ir))
            .is_some_and(|def| fusible(ir, def).is_some());
        if feeds && permutation.first() == Some(&0) && permutation.len() > 2 {
            let inner = permutation[1..].iter().map(|dim| dim - 1).collect();
            return Behind::Rearranged(rearrange.array(ir), inner);
        }
    }
    Behind::Input(array)
}

// ---- views of results ----

/// A view of a map's result.
enum View {
    /// Chooses among rows.
    Rows(Chosen),
    /// The same of each row.
    Inner,
    /// Other dimensions outermost: so many levels change places.
    Turned(RearrangeOp, usize),
    /// Other sizes, of an array of scalars.
    Sizes(ReshapeOp),
}

/// The part left of each row: offsets, sizes and strides.
type RowSlice = (Vec<Value>, Vec<Value>, Vec<Value>);

/// Which rows, in which order.
enum Chosen {
    Reversed,
    Part {
        offset: Value,
        size: Value,
        stride: Value,
        extent: Size,
        rows: Option<RowSlice>,
    },
    Gathered(Value),
}

/// Moves a view that is the only user of a map's result before the map; the views made of the map's inputs.
fn push(ir: &mut Ir, op: Op, apart: bool) -> Option<Vec<Op>> {
    if !ir.op_name_str(op).starts_with("array.") || ir.num_results(op) != 1 {
        return None;
    }
    let array = ir.operands(op).next()?;
    let producer =
        fusible(ir, ir.defining_op(array)?).filter(|soac| soac.flavour == Flavour::Map)?;
    let view = view_of(ir, op)?;
    let seen = ir.result(op, 0);
    let reads = |user: Op| fusible(ir, user).is_some();
    let is_order = ir.isa::<RearrangeOp>(op);
    let stays = apart && is_order && !is_turned(ir, &producer, MOST_TURNED);
    if stays && ir.has_uses(seen) && ir.users(seen).all(reads) {
        return None;
    }
    let read = ir.users(seen).any(reads);
    // Nobody else would take the view: it would be an array of its own.
    let read = read || is_scalar_nest(ir, &producer, array) && !matches!(view, View::Sizes(_));
    let alone = ir.num_results(producer.op) == 1 && ir.has_one_use(array);
    if !read || !alone || ir.block_of(producer.op) != ir.block_of(op) {
        return None;
    }
    let behaviour = behaviour(ir, &producer);
    let allowed = match view {
        View::Rows(Chosen::Part { .. }) => behaviour == Behaviour::Total,
        View::Rows(Chosen::Gathered(_)) => {
            behaviour == Behaviour::Total && is_cheap(ir, producer.body?)
        }
        View::Rows(Chosen::Reversed) | View::Inner | View::Turned(..) => {
            behaviour != Behaviour::Effects
        }
        View::Sizes(_) => behaviour == Behaviour::Total,
    };
    if !allowed {
        return None;
    }
    match view {
        View::Rows(chosen) => {
            if let Chosen::Part {
                rows: Some(rows), ..
            } = &chosen
            {
                slice_rows(ir, op, &producer, rows);
            }
            Some(before_inputs(ir, op, &producer, &chosen))
        }
        View::Inner => {
            into_rows(ir, op, &producer);
            Some(Vec::new())
        }
        View::Turned(rearrange, levels) => {
            Nest::of(ir, &producer, levels)?.rearranged(ir, rearrange)
        }
        View::Sizes(reshape) => {
            let rank = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len();
            let nest = Nest::of(ir, &producer, rank).filter(|nest| nest.is_pointwise(ir))?;
            Some(nest.reshaped(ir, reshape))
        }
    }
}

/// Whether all that a map reads row by row is rearranged: a rearrange of what it makes brings it back into the order of its arrays.
fn is_turned(ir: &Ir, map: &Soac, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let has_rows = |array: &Value| sizes_and_element(ir.ctx(), ir.value_type(*array)).0.len() > 1;
    let is_turned = |array: Value| {
        let Some(made) = ir.defining_op(array) else {
            return false;
        };
        let map = || fusible(ir, made).filter(|soac| soac.flavour == Flavour::Map);
        ir.isa::<RearrangeOp>(made) || map().is_some_and(|map| is_turned(ir, &map, depth))
    };
    let mut arrays = map.arrays.iter().copied().filter(has_rows).peekable();
    arrays.peek().is_some() && arrays.all(is_turned)
}

/// Where a rearrange of what a nest of maps makes leaves the program, or goes through a loop, and what it rearranges does not: others
/// that read the array read it through that rearrange, whose only source the nest is then. Else the rearrange would be a copy.
fn turn_for_result(ir: &mut Ir, op: Op) -> Option<()> {
    let View::Turned(rearrange, levels) = view_of(ir, op)? else {
        return None;
    };
    let array = rearrange.array(ir);
    let made = ir.defining_op(array)?;
    let producer = fusible(ir, made).filter(|soac| soac.flavour == Flavour::Map)?;
    let stays = |user: Op| ir.op_name_str(user).starts_with("array.");
    let others: Vec<Op> = ir.users(array).filter(|&user| user != op).collect();
    let is_copy = !ir.users(rearrange.result(ir)).all(stays);
    if !is_copy
        || others.is_empty()
        || !others.iter().all(|&user| stays(user))
        || ir.num_results(made) != 1
        || ir.block_of(made) != ir.block_of(op)
        || !is_scalar_nest(ir, &producer, array)
        || behaviour(ir, &producer) == Behaviour::Effects
    {
        return None;
    }
    Nest::of(ir, &producer, levels)?;
    let permutation = rearrange.permutation(ir);
    let mut inverse = vec![0; permutation.len()];
    for (at, &dim) in permutation.iter().enumerate() {
        *inverse.get_mut(usize::try_from(dim).ok()?)? = at as i64;
    }
    let next = ir.next_op(made).filter(|&next| next != op);
    if let Some(next) = next {
        ir.move_before(op, next);
    }
    let behind = ir.next_op(op)?;
    let mut b = Builder::before(ir, behind);
    let attr = b.ctx().dense_i64_attr(&inverse);
    let turned = rearrange.result(b.ir);
    let back = RearrangeOp::build(&mut b, turned, attr).result(b.ir);
    ir.replace_uses_if(array, back, |ir, reads| ir.use_owner(reads) != op);
    Some(())
}

/// Whether a map makes its array as a nest of maps of numbers.
fn is_scalar_nest(ir: &Ir, producer: &Soac, array: Value) -> bool {
    let rank = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len();
    Nest::of(ir, producer, rank)
        .is_some_and(|nest| nest.reads_numbers(ir) && !nest.has_parallelism(ir))
}

fn view_of(ir: &Ir, op: Op) -> Option<View> {
    if let Some(reverse) = ir.cast::<ReverseOp>(op) {
        return Some(if reverse.dim(ir) == 0 {
            View::Rows(Chosen::Reversed)
        } else {
            View::Inner
        });
    }
    if let Some(rearrange) = ir.cast::<RearrangeOp>(op) {
        let permutation = rearrange.permutation(ir);
        let moved = permutation
            .iter()
            .enumerate()
            .rposition(|(at, &dim)| at as i64 != dim)?;
        let keeps_outermost = permutation.first() == Some(&0);
        return Some(if keeps_outermost {
            View::Inner
        } else {
            View::Turned(rearrange, moved + 1)
        });
    }
    if let Some(gather) = ir.cast::<GatherOp>(op) {
        return Some(View::Rows(Chosen::Gathered(gather.indices(ir))));
    }
    if let Some(reshape) = ir.cast::<ReshapeOp>(op) {
        return Some(View::Sizes(reshape));
    }
    let slice = ir.cast::<SliceOp>(op)?;
    let (offsets, sizes, strides) = (slice.offsets(ir), slice.sizes(ir), slice.strides(ir));
    let (types, _) = sizes_and_element(ir.ctx(), ir.value_type(slice.result(ir)));
    let rows = (types.len() > 1).then(|| {
        (
            offsets[1..].to_vec(),
            sizes[1..].to_vec(),
            strides[1..].to_vec(),
        )
    });
    Some(View::Rows(Chosen::Part {
        offset: offsets[0],
        size: sizes[0],
        stride: strides[0],
        extent: types[0],
        rows,
    }))
}

/// The same view of each input, and the map over those, in the place of `op`.
fn before_inputs(ir: &mut Ir, op: Op, map: &Soac, chosen: &Chosen) -> Vec<Op> {
    let arrays: Vec<Value> = map
        .arrays
        .iter()
        .map(|&array| choose(ir, op, array, chosen))
        .collect();
    let views = arrays
        .iter()
        .filter_map(|&array| ir.defining_op(array))
        .collect();
    for (index, &array) in arrays.iter().enumerate() {
        ir.set_operand(map.op, index, array);
    }
    take_place(ir, map.op, op);
    views
}

/// The map moves to where the view is and makes what the view made.
fn take_place(ir: &mut Ir, map: Op, view: Op) {
    let (made, seen) = (ir.result(map, 0), ir.result(view, 0));
    ir.set_value_type(made, ir.value_type(seen));
    if let Some(name) = ir.value_name(seen) {
        ir.set_value_name(made, name);
    }
    ir.move_before(map, view);
    ir.replace_all_uses(seen, made);
    ir.erase_op(view);
}

fn choose(ir: &mut Ir, place: Op, array: Value, chosen: &Chosen) -> Value {
    let ty = ir.value_type(array);
    let mut b = Builder::before(ir, place);
    match *chosen {
        Chosen::Reversed => {
            let dim = b.ctx().i64_attr(0);
            ReverseOp::build(&mut b, array, dim).result(b.ir)
        }
        Chosen::Gathered(indices) => GatherOp::build(&mut b, array, indices).result(b.ir),
        Chosen::Part {
            offset,
            size,
            stride,
            extent,
            ..
        } => {
            let (mut types, element) = sizes_and_element(b.ctx(), ty);
            let (mut offsets, mut sizes, mut strides) = (vec![offset], vec![size], vec![stride]);
            if types.len() > 1 {
                let (zero, one) = (index_constant(&mut b, 0), index_constant(&mut b, 1));
                for dim in 1..types.len() {
                    let (attr, index) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
                    sizes.push(DimOp::build(&mut b, array, attr, index).result(b.ir));
                    offsets.push(zero);
                    strides.push(one);
                }
            }
            types[0] = extent;
            let result = array_or_scalar(b.ctx(), &types, element);
            SliceOp::builder()
                .array(array)
                .offsets(&offsets)
                .sizes(&sizes)
                .strides(&strides)
                .result_type(result)
                .build(&mut b)
                .result(b.ir)
        }
    }
}

fn index_constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.ctx().index_attr(value);
    segra_std::arith::ConstantOp::build(b, attr).result(b.ir)
}

/// The map yields a part of each row. It stands before `op` still, and `op` has the offsets: both move there at once.
fn slice_rows(ir: &mut Ir, op: Op, map: &Soac, (offsets, sizes, strides): &RowSlice) {
    let Some(last) = map.body.and_then(|body| ir.last_op(body)) else {
        return;
    };
    let (row, ty) = (ir.operand(last, 0), row_type(ir, ir.result(op, 0)));
    let mut b = Builder::before(ir, last);
    let part = SliceOp::builder()
        .array(row)
        .offsets(offsets)
        .sizes(sizes)
        .strides(strides)
        .result_type(ty)
        .build(&mut b)
        .result(b.ir);
    ir.set_operand(last, 0, part);
}

/// The view, one dimension less, of what the map's body yields.
fn into_rows(ir: &mut Ir, op: Op, map: &Soac) {
    let Some(last) = map.body.and_then(|body| ir.last_op(body)) else {
        return;
    };
    let row = ir.operand(last, 0);
    let inner = if let Some(rearrange) = ir.cast::<RearrangeOp>(op) {
        let permutation: Vec<i64> = rearrange.permutation(ir)[1..]
            .iter()
            .map(|dim| dim - 1)
            .collect();
        let mut b = Builder::before(ir, last);
        let attr = b.ctx().dense_i64_attr(&permutation);
        RearrangeOp::build(&mut b, row, attr).result(b.ir)
    } else if let Some(reverse) = ir.cast::<ReverseOp>(op) {
        let dim = reverse.dim(ir) - 1;
        let mut b = Builder::before(ir, last);
        let attr = b.ctx().i64_attr(dim);
        ReverseOp::build(&mut b, row, attr).result(b.ir)
    } else {
        return;
    };
    ir.set_operand(last, 0, inner);
    take_place(ir, map.op, op);
}

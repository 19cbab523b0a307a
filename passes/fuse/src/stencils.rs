//! Pass `recognise-stencils`: naive programs that read neighbours become stencils.
//!
//! ```mlir
//! %j = arith.maxsi (%i - 1), 0                       %x = array.near %xs[%i] by [-1] clamp
//! %x = array.index %xs[%j]                    =>
//!
//! %a = array.slice %xs[0] sizes [%k]                 %ys = array.stencil (%x, %y in %xs at [0, 2]) sizes [%k] { f }
//! %b = array.slice %xs[2] sizes [%k]          =>
//! %ys = array.map (%x in %a, %y in %b) { f }
//! ```
//! * An element at indices that are those of maps over the array's extents plus constants, held within the array by the
//!   arithmetic of a rule ([`held`]), is a neighbour.
//! * Where an extent has to be large enough for that, there is a version of the map for those that are ([`versions`]).
//! * The element at the point itself is one, too, where the point reads neighbours in that array.
//! * Loops in maps over constant ranges, whose counters such constants are made of, are written out; so are those whose bounds
//!   are sums, differences and products of constants.
//! * A map, or a perfect nest of maps, over slices of stride 1 from constant offsets on is a stencil with sizes, where two of
//!   them are of one array.
//!
//! Legality: indices of maps over `iota n` are those of an array whose extent is `n`, by its value, its name or as a constant, or
//! because loops keep it ([`segra_array::identity`]); so is the extent that an index is held below. The neighbour is then the element that was read, and nothing stops the
//! program that did not before. Slices stay where they are: what stops there still does. Bodies are moved as they are.
//! Deliberately absent: branches on whether an index is inside, and views of arrays (padded, concatenated), which fusion sees
//! through; slices in the bodies of maps.

mod cases;
pub(crate) mod fed;
mod held;
pub(crate) mod merge;
pub(crate) mod reduced;
mod versions;

use held::Held;
use rustc_hash::FxHashMap;
use segra_array::combinator::{Flavour, Soac, is_scheduled};
use segra_array::identity::{Extent, extent, extent_of};
use segra_array::layout::SliceOp;
use segra_array::shape::{IndexOp, IotaOp};
use segra_array::stencil::{NearOp, Neighbours, build};
use segra_array::types::sizes_and_element;
use segra_ir::interfaces::LoopLike;
use segra_ir::stack::deep;
use segra_ir::{Block, Builder, Ir, Op, OpView, Value, ValueDef};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::arith;
use segra_std::boundary::Boundary;
use segra_std::scf::ForOp;
use versions::ENOUGH;

pass_options! {
    /// The pass `recognise-stencils`.
    #[derive(Copy)]
    pub struct RecogniseStencils {}
}

const INFO: PassInfo = PassInfo {
    name: "recognise-stencils",
    summary: "make stencils of maps that read neighbours",
    reads: &["array", "scf"],
    writes: &["arith", "array"],
    anchors: Anchors::Any,
};

impl Pass for RecogniseStencils {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let (mut elements, mut maps) = (0, 0);
        let loops = write_loops_out(ir, op);
        for inner in ir.walk(op) {
            if let Some(index) = ir.cast::<IndexOp>(inner) {
                elements += u64::from(neighbour(ir, index, 1));
            }
        }
        elements += versions::by_extent(ir, op);
        for inner in ir.walk(op) {
            if let Some(index) = ir.cast::<IndexOp>(inner) {
                elements += u64::from(amid(ir, index));
            }
        }
        // Inner maps of a nest go with the outermost one.
        for inner in ir.walk(op) {
            if ir.block_of(inner).is_some() && Soac::of(ir, inner).is_some() {
                maps += u64::from(shifted(ir, inner));
            }
        }
        cx.count("loops over neighbours written out", loops);
        cx.count("elements that are neighbours", elements);
        cx.count("maps of shifted slices", maps);
        Ok(Outcome::of(Changed::when(loops + elements + maps > 0)))
    }
}

// ---- elements ----

/// The extent of the `iota` that a value is an element of, as a map's index.
fn counted(ir: &Ir, value: Value) -> Option<Extent> {
    let ValueDef::Argument { block, index } = ir.value_def(value) else {
        return None;
    };
    let soac = Soac::of(ir, ir.block_parent(block)?)?;
    if soac.body != Some(block) || !ir.value_type(value).is_index(ir.ctx()) {
        return None;
    }
    let array = *soac.arrays.get(index as usize)?;
    ir.def_as::<IotaOp>(array)?;
    Some(extent_of(ir, array, 0))
}

/// Counters of loops, each with its first value.
type Counters<'a> = &'a [(Value, i64)];

/// A number that is known: a constant, or made of constants by sums, differences and products.
fn constant(ir: &Ir, value: Value) -> Option<i64> {
    if let Some(known) = ir.constant_int(value) {
        return Some(known);
    }
    let op = ir.defining_op(value)?;
    let made: fn(i64, i64) -> Option<i64> = if ir.isa::<arith::AddIOp>(op) {
        i64::checked_add
    } else if ir.isa::<arith::SubIOp>(op) {
        i64::checked_sub
    } else if ir.isa::<arith::MulIOp>(op) {
        i64::checked_mul
    } else {
        return None;
    };
    let (x, y) = (ir.operand(op, 0), ir.operand(op, 1));
    made(deep(|| constant(ir, x))?, deep(|| constant(ir, y))?)
}

/// `x + c`, for a constant `c`; counters are taken for their first value.
fn moved(ir: &Ir, value: Value, counters: Counters<'_>) -> (Value, i64) {
    let number = |value: Value| {
        let counter = counters.iter().find(|counter| counter.0 == value);
        constant(ir, value).or(counter.map(|counter| counter.1))
    };
    let step = |value: Value| {
        if let Some(sum) = ir.def_as::<arith::AddIOp>(value) {
            let (x, y) = (sum.lhs(ir), sum.rhs(ir));
            return match (number(x), number(y)) {
                (_, Some(offset)) => Some((x, offset)),
                (Some(offset), _) => Some((y, offset)),
                _ => None,
            };
        }
        let difference = ir.def_as::<arith::SubIOp>(value)?;
        Some((
            difference.lhs(ir),
            number(difference.rhs(ir))?.checked_neg()?,
        ))
    };
    let (mut base, mut offset) = (value, 0i64);
    while let Some((inner, more)) = step(base)
        && let Some(sum) = offset.checked_add(more)
    {
        (base, offset) = (inner, sum);
    }
    (base, offset)
}

/// Whether a value is the last index of an extent.
fn is_last(ir: &Ir, value: Value, wanted: Extent) -> bool {
    let (base, offset) = moved(ir, value, &[]);
    match (ir.constant_int(value), wanted) {
        (Some(last), Extent::Constant(extent)) => last == extent - 1,
        _ => offset == -1 && extent(ir, base) == wanted,
    }
}

/// The index of a map over an extent, and what is added to it.
fn of_map(ir: &Ir, value: Value, within: Extent, counters: Counters<'_>) -> Option<(Value, i64)> {
    let (base, offset) = moved(ir, value, counters);
    (counted(ir, base)? == within).then_some((base, offset))
}

/// An index that is held within an extent: the index of a map, what is added, and the rule where one is needed.
fn held(
    ir: &Ir,
    value: Value,
    within: Extent,
    counters: Counters<'_>,
    least: i64,
) -> Option<(Value, i64, Option<Boundary>)> {
    if let Some((base, 0)) = of_map(ir, value, within, counters) {
        return Some((base, 0, None));
    }
    let index = Held {
        ir,
        within,
        counters,
        least,
    };
    let found = index.clamped(value).map(|found| (found, Boundary::Clamp));
    let found = found.or_else(|| Some((index.wrapped(value)?, Boundary::Wrap)));
    let found = found.or_else(|| Some((index.mirrored(value)?, Boundary::Mirror)));
    let found = found.or_else(|| cases::by_rule(index, value));
    found.map(|((base, offset), rule)| (base, offset, Some(rule)))
}

/// A neighbour: indices of maps, the constants that are added to them, and the rule beyond the edges.
struct Near {
    bases: Vec<Value>,
    offsets: Vec<i64>,
    rule: Boundary,
}

/// The neighbour that an element at indices held within the array is, where extents that are not known are at least `least`.
fn near(ir: &Ir, index: IndexOp, counters: Counters<'_>, least: i64) -> Option<Near> {
    let (array, indices) = (index.array(ir), index.indices(ir));
    let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
    if indices.len() != sizes.len() {
        return None;
    }
    let (mut bases, mut offsets, mut rule) = (Vec::new(), Vec::new(), None);
    for (dim, &at) in indices.iter().enumerate() {
        let (base, offset, here) = held(ir, at, extent_of(ir, array, dim), counters, least)?;
        if let (Some(known), Some(here)) = (rule, here)
            && known != here
        {
            return None;
        }
        rule = rule.or(here);
        bases.push(base);
        offsets.push(offset);
    }
    let far = offsets
        .iter()
        .any(|offset| offset.abs() > segra_array::stencil::FURTHEST);
    rule.filter(|_| !far).map(|rule| Near {
        bases,
        offsets,
        rule,
    })
}

/// Replaces an element at indices that are held within the array by a neighbour; whether it is one.
fn neighbour(ir: &mut Ir, index: IndexOp, least: i64) -> bool {
    let Some(found) = near(ir, index, &[], least) else {
        return false;
    };
    replace(ir, index, &found);
    true
}

/// Replaces an element by the neighbour it is.
fn replace(ir: &mut Ir, index: IndexOp, found: &Near) {
    let (op, array) = (index.op(), index.array(ir));
    let mut b = Builder::before(ir, op);
    let offsets = b.ctx().dense_i64_attr(&found.offsets);
    let boundary = found.rule.attr(b.ctx());
    let near = NearOp::builder()
        .array(array)
        .indices(&found.bases)
        .offsets(offsets)
        .boundary(boundary)
        .build(&mut b);
    let value = near.result(b.ir);
    ir.replace_op(op, &[value]);
}

/// Whether indices are those of maps over the array's extents, with nothing added.
fn is_own(ir: &Ir, array: Value, indices: &[Value]) -> bool {
    let mut dims = indices.iter().enumerate();
    dims.all(|(dim, &at)| {
        let found = of_map(ir, at, extent_of(ir, array, dim), &[]);
        found.is_some_and(|(_, offset)| offset == 0)
    })
}

/// Replaces the element of an array at a point by a neighbour at no distance, where the point reads others of it: tiles and several
/// steps at once have them all. Whether it did.
fn amid(ir: &mut Ir, index: IndexOp) -> bool {
    let (array, indices) = (index.array(ir), index.indices(ir));
    if !is_own(ir, array, &indices) {
        return false;
    }
    let rank = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len();
    let rule = ir.users(array).find_map(|user| {
        let near = ir.cast::<NearOp>(user)?;
        let same = near.indices(ir) == indices && near.otherwise(ir).is_none();
        (same && rank == indices.len()).then(|| near.boundary(ir))
    });
    let Some(rule) = rule else {
        return false;
    };
    let offsets = vec![0; rank];
    replace(
        ir,
        index,
        &Near {
            bases: indices,
            offsets,
            rule,
        },
    );
    true
}

// ---- loops over neighbours ----

/// Most ops that a loop written out may have.
const MOST_OPS: u64 = 4096;

/// A loop in a map, of which every iteration reads other neighbours.
struct NearLoop {
    /// It and the loops in it that have constant ranges, outermost first, with their iterations.
    loops: Vec<(ForOp, u64)>,
}

/// The first value of a loop's counter and its iterations, where they are known.
fn range(ir: &Ir, looped: ForOp) -> Option<(i64, u64)> {
    let first = constant(ir, looped.lower_bound(ir))?;
    if let Some(trips) = looped.trip_count(ir, looped.op()) {
        return Some((first, trips));
    }
    let [end, step] = [looped.upper_bound(ir), looped.step(ir)].map(|bound| constant(ir, bound));
    let (distance, step) = (end?.checked_sub(first)?, step?);
    let known = step > 0 && looped.unsigned_cmp_attr(ir).is_none();
    known.then(|| {
        (
            first,
            distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs()),
        )
    })
}

fn near_loop(ir: &Ir, outermost: ForOp) -> Option<NearLoop> {
    let (mut loops, mut counters) = (Vec::new(), Vec::new());
    let mut ops = 0;
    for inner in ir.walk(outermost.op()) {
        if let Some(looped) = ir.cast::<ForOp>(inner)
            && let Some((first, trips @ 1..)) = range(ir, looped)
        {
            counters.push((looped.induction_var(ir), first));
            loops.push((looped, trips));
        }
        let around = loops
            .iter()
            .filter(|(looped, _)| ir.ancestors(inner).any(|around| around == looped.op()));
        let copies = around.fold(1u64, |all, (_, trips)| all.saturating_mul(*trips));
        ops += copies;
        if ops > MOST_OPS {
            return None;
        }
    }
    if loops.first()?.0 != outermost {
        return None;
    }
    let moves = ir.walk(outermost.op()).into_iter().any(|inner| {
        ir.cast::<IndexOp>(inner).is_some_and(|index| {
            let outside = |base: &Value| !ir.is_defined_inside(*base, outermost.op());
            near(ir, index, &[], ENOUGH).is_none()
                && near(ir, index, &counters, ENOUGH)
                    .is_some_and(|near| near.bases.iter().all(outside))
        })
    });
    moves.then_some(NearLoop { loops })
}

/// Writes loops out whose iterations read neighbours. How many.
fn write_loops_out(ir: &mut Ir, around: Op) -> u64 {
    let mut written = 0;
    for op in ir.walk(around) {
        // Those inside of one that was written out are gone.
        if ir.block_of(op).is_none() {
            continue;
        }
        let Some(found) = ir
            .cast::<ForOp>(op)
            .and_then(|looped| near_loop(ir, looped))
        else {
            continue;
        };
        for (looped, trips) in found.loops.into_iter().rev() {
            looped.write_out(ir, trips);
            written += 1;
        }
    }
    written
}

// ---- slices ----

/// A perfect nest of maps: the arrays of the outermost, and the body of the innermost with its arguments' arrays.
struct Nest {
    inputs: Vec<Value>,
    depth: usize,
    body: Block,
}

/// The nest that a map is the outermost of, as deep as its inputs have dimensions; none where the program says how it is run.
fn nest_of(ir: &Ir, op: Op) -> Option<Nest> {
    let map_at = |op| {
        let soac = Soac::of(ir, op).filter(|soac| soac.flavour == Flavour::Map);
        soac.filter(|_| !is_scheduled(ir, op))
    };
    let mut soac = map_at(op)?;
    let mut inputs = soac.arrays.clone();
    let rank = sizes_and_element(ir.ctx(), ir.value_type(*inputs.first()?))
        .0
        .len();
    for _ in 1..rank {
        let body = soac.body?;
        let args = ir.block_args(body).to_vec();
        let inner = ir.first_op(body)?;
        let last = ir.last_op(body)?;
        let results: Vec<Value> = ir.results(inner).collect();
        let perfect = ir.next_op(inner) == Some(last) && ir.operands(last).eq(results);
        let deeper = map_at(inner).filter(|_| perfect)?;
        let of_args = deeper
            .arrays
            .iter()
            .map(|array| args.iter().position(|arg| arg == array));
        let places: Vec<usize> = of_args.collect::<Option<_>>()?;
        inputs = places.into_iter().map(|at| inputs[at]).collect();
        soac = deeper;
    }
    let body = soac.body?;
    let scalars = ir
        .block_args(body)
        .iter()
        .all(|&arg| ir.value_type(arg).is_scalar(ir.ctx()));
    let last = ir.last_op(body)?;
    let yields = ir
        .operands(last)
        .all(|value| ir.value_type(value).is_scalar(ir.ctx()));
    (scalars && yields).then_some(Nest {
        inputs,
        depth: rank,
        body,
    })
}

/// Whether an array is stored as it is: no view of others that fusion sees through.
fn is_stored(ir: &Ir, array: Value) -> bool {
    match ir.defining_op(array) {
        None => true,
        Some(op) => !ir.op_name_str(op).starts_with("array.") || Soac::of(ir, op).is_some(),
    }
}

/// Where a slice begins, and its sizes, if it has constant offsets and stride 1.
fn shift(ir: &Ir, slice: SliceOp) -> Option<(Vec<i64>, Vec<Value>)> {
    let number = |value: Value| ir.constant_int(value);
    let strides = slice
        .strides(ir)
        .into_iter()
        .all(|stride| number(stride) == Some(1));
    let offsets: Vec<i64> = slice
        .offsets(ir)
        .into_iter()
        .map(number)
        .collect::<Option<_>>()?;
    let fits = offsets
        .iter()
        .all(|at| (0..=segra_array::stencil::FURTHEST).contains(at));
    (strides && fits && is_stored(ir, slice.array(ir))).then(|| (offsets, slice.sizes(ir)))
}

/// Replaces a nest of maps over shifted slices by a stencil; whether it is one.
fn shifted(ir: &mut Ir, op: Op) -> bool {
    let inside = ir
        .ancestors(op)
        .skip(1)
        .any(|around| Soac::of(ir, around).is_some());
    let Some(nest) = nest_of(ir, op).filter(|_| !inside) else {
        return false;
    };
    let mut sizes: Option<Vec<Value>> = None;
    let mut groups: Vec<Neighbours> = Vec::new();
    let mut order: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    let mut several = false;
    for (at, &input) in nest.inputs.iter().enumerate() {
        let Some(slice) = ir.def_as::<SliceOp>(input) else {
            return false;
        };
        let Some((offsets, extents)) = shift(ir, slice).filter(|row| row.0.len() == nest.depth)
        else {
            return false;
        };
        if sizes.get_or_insert_with(|| extents.clone()) != &extents {
            return false;
        }
        let array = slice.array(ir);
        let known = groups.iter().position(|group| group.array == array);
        let group = known.unwrap_or_else(|| {
            groups.push(Neighbours {
                array,
                offsets: Vec::new(),
                boundary: Boundary::Inside,
            });
            groups.len() - 1
        });
        several |= known.is_some() && !groups[group].offsets.contains(&offsets);
        order.insert(at, (group, groups[group].offsets.len()));
        groups[group].offsets.push(offsets);
    }
    let Some(sizes) = sizes.filter(|_| several) else {
        return false;
    };
    let results: Vec<Value> = ir.results(op).collect();
    let Some(&first) = results.first() else {
        return false;
    };
    let space = sizes_and_element(ir.ctx(), ir.value_type(first)).0;
    // Arguments in the order of the groups.
    let starts: Vec<usize> = groups
        .iter()
        .scan(0, |next, group| {
            let start = *next;
            *next += group.offsets.len();
            Some(start)
        })
        .collect();
    let types: Vec<_> = {
        let args = ir.block_args(nest.body).to_vec();
        let mut types = vec![ir.ctx().i1(); args.len()];
        for (at, &arg) in args.iter().enumerate() {
            let (group, number) = order[&at];
            types[starts[group] + number] = ir.value_type(arg);
        }
        types
    };
    let body = ir.create_block(&types);
    let args: Vec<Value> = (0..types.len())
        .map(|at| {
            let (group, number) = order[&at];
            ir.block_args(body)[starts[group] + number]
        })
        .collect();
    let loc = ir.loc(op);
    let mut b = Builder::at_end(ir, body, loc);
    let yields = b.clone_block_body(nest.body, &args, &mut segra_ir::clone::Mapping::new());
    segra_array::soac::YieldOp::build(&mut b, &yields);
    let mut b = Builder::before(ir, op);
    let stencil = build(&mut b, &groups, (&sizes, &space), body, &[]);
    let new: Vec<Value> = stencil.results(b.ir).to_vec();
    ir.replace_op(op, &new);
    true
}

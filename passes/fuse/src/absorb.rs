//! With-loop folding: a with-loop takes in the with-loop that it reads.
//!
//! Source: Scholz, "With-loop-folding in SAC" (1998), as section 2.2 of Janssen and Scholz (2021) has it: with-loops are
//! rearranged so that no intermediate array is made.
//!
//! ```mlir
//! %a = array.with_loop genarray [%n] default (%d)                  %b = array.with_loop genarray [%n] default (%e)
//!   partition ([0] <= (%i) < [%n] step [2]) {F}                      partition (P without the others) {%x = %d; G}
//! %b = array.with_loop genarray [%n] default (%e)            =>      partition (P and the even ones) {%x = F; G}
//!   partition P { %x = array.index %a[%i]; G }
//! ```
//! Where the reading partition and one of the array meet, the body of the latter stands in for the read; the meeting of
//! index spaces is [`segra_space`]'s. A read may be at an index a constant away from the reader's own, in each
//! dimension; all reads of a body are at the same.
//!
//! Legality: everything the array is used for is such a read; its bodies compute only, without checks that could stop, since
//! they run for indices that are read; the spaces' meeting is known. As each element is read at most once by each
//! partition, nothing is computed twice unless two partitions read the same.
//!
//! Limits: both with-loops are in one block; the array is a genarray of scalars or rows, not a fold; a reading modarray or fold
//! is fine. The reads of with-loops that stand in other combinators are left to `fuse`, when they are maps.

use segra_array::shape::IndexOp;
use segra_array::with_loop::space::{Arithmetic, Numbers};
use segra_array::with_loop::{Kind, Loop, Partition, Range, WithLoopOp, body};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_space::{Descriptor, Dimension};
use segra_std::arith::{AddIOp, SubIOp, index};

/// Most partitions of a with-loop that has taken another one in.
const MOST_PARTITIONS: usize = 16;

/// Takes in what with-loops read, first ones first; how many are gone.
pub(crate) fn absorb_all(ir: &mut Ir, loops: &[Op]) -> u64 {
    let mut gone = 0;
    let mut pending: Vec<Op> = loops.to_vec();
    let mut at = 0;
    while at < pending.len() {
        let producer = pending[at];
        if let Some((reader, new)) = absorb(ir, producer) {
            gone += 1;
            for op in &mut pending {
                if *op == reader {
                    *op = new;
                }
            }
        }
        at += 1;
    }
    gone
}

/// How far from its own index a partition's body reads an array, by dimension; the reads.
struct Reads {
    offsets: Vec<i64>,
    ops: Vec<Op>,
}

/// The reads of `array` in a body; `None`: at indices that are not known.
fn reads(ir: &Ir, array: Value, rank: usize, body: Block) -> Option<Reads> {
    let args = ir.block_args(body).to_vec();
    let mut found = Reads {
        offsets: Vec::new(),
        ops: Vec::new(),
    };
    for user in ir.users(array) {
        if ir.block_of(user) != Some(body) {
            continue;
        }
        let read = ir.cast::<IndexOp>(user)?;
        let indices = read.indices(ir);
        if read.array(ir) != array || indices.len() != rank || args.len() != rank {
            return None;
        }
        let mut offsets = Vec::new();
        for (&at, &arg) in indices.iter().zip(&args) {
            offsets.push(offset(ir, at, arg)?);
        }
        if !found.ops.is_empty() && found.offsets != offsets {
            return None;
        }
        found.offsets = offsets;
        found.ops.push(user);
    }
    Some(found)
}

/// The constant that is added to `base` to make `value`.
fn offset(ir: &Ir, value: Value, base: Value) -> Option<i64> {
    if value == base {
        return Some(0);
    }
    if let Some(sum) = ir.def_as::<AddIOp>(value) {
        return match (sum.lhs(ir), sum.rhs(ir)) {
            (lhs, rhs) if lhs == base => ir.constant_int(rhs),
            (lhs, rhs) if rhs == base => ir.constant_int(lhs),
            _ => None,
        };
    }
    let difference = ir.def_as::<SubIOp>(value)?;
    let taken = ir.constant_int(difference.rhs(ir))?;
    (difference.lhs(ir) == base)
        .then(|| taken.checked_neg())
        .flatten()
}

/// Whether a body may run for fewer or other indices.
fn only_computes(ir: &Ir, body: Block) -> bool {
    let mut inner: Vec<Op> = ir.ops(body).collect();
    inner.pop();
    inner.iter().all(|&op| {
        let mut all = ir.walk(op).into_iter();
        all.all(|op| is_pure(ir, op) && is_speculatable(ir, op))
    })
}

/// A part of a reading partition that meets one of the array's, or the rest of it.
struct Meeting {
    space: Descriptor,
    /// The array's partition; none: its default values.
    from: Option<usize>,
}

/// The with-loop that reads `producer`'s arrays and takes it in, and what it becomes.
fn absorb(ir: &mut Ir, producer: Op) -> Option<(Op, Op)> {
    let made =
        Loop::of(ir, producer).filter(|made| made.kind == Kind::Genarray && !made.explicit)?;
    let arrays: Vec<Value> = ir.results(producer).collect();
    let &[array] = arrays.as_slice() else {
        return None;
    };
    if !made
        .partitions
        .iter()
        .all(|part| only_computes(ir, part.body))
    {
        return None;
    }
    let first = ir.users(array).next()?;
    let block = ir.block_of(producer);
    let reader = ir
        .ancestors(first)
        .find(|&around| ir.block_of(around) == block)
        .filter(|&around| ir.isa::<WithLoopOp>(around))?;
    let inside = |user: Op| user != reader && ir.ancestors(user).any(|around| around == reader);
    if !ir.users(array).all(inside) {
        return None;
    }
    let taking =
        Loop::of(ir, reader).filter(|taking| !taking.explicit && taking.rank == made.rank)?;
    let mut all = Vec::new();
    let mut seen = 0;
    for partition in &taking.partitions {
        let reads = reads(ir, array, made.rank, partition.body)?;
        seen += reads.ops.len();
        all.push(reads);
    }
    // Reads in an operator or inside of an op of a body are no reads of a partition.
    if seen != ir.users(array).count() {
        return None;
    }
    Some((
        reader,
        take_in(ir, (producer, &made), (reader, &taking), &all)?,
    ))
}

/// Moves a range by a constant.
fn moved(arithmetic: &mut Arithmetic, range: &Dimension, by: i64) -> Option<Dimension> {
    let by = arithmetic.arena.int(by.checked_neg()?);
    Some(Dimension {
        lower: arithmetic.arena.add(range.lower, by),
        upper: arithmetic.arena.add(range.upper, by),
        ..*range
    })
}

/// The meetings of a reading partition with the array's partitions, of which the last one that has an index counts.
fn meetings(
    arithmetic: &mut Arithmetic,
    space: &Descriptor,
    others: &[Descriptor],
    offsets: &[i64],
) -> Option<Vec<Meeting>> {
    let mut found = Vec::new();
    let mut left = vec![space.clone()];
    for (at, other) in others.iter().enumerate().rev() {
        let mut there = Vec::new();
        for (range, &offset) in other.dimensions.iter().zip(offsets) {
            there.push(moved(arithmetic, range, offset)?);
        }
        let there = Descriptor::new(there);
        let mut next = Vec::new();
        for part in left {
            let both = part.intersect(&mut arithmetic.arena, &there)?;
            found.extend(both.into_iter().map(|space| Meeting {
                space,
                from: Some(at),
            }));
            next.extend(part.minus(&mut arithmetic.arena, &there)?);
        }
        left = next;
    }
    found.extend(left.into_iter().map(|space| Meeting { space, from: None }));
    found.retain(|meeting| !meeting.space.is_empty(&mut arithmetic.arena));
    Some(found)
}

/// The parts that each reading partition is split into, if they are few and leave the order of a fold as it is.
fn planned(
    ir: &Ir,
    arithmetic: &mut Arithmetic,
    (made, taking): (&Loop, &Loop),
    reads: &[Reads],
) -> Option<Vec<Vec<Meeting>>> {
    let numbers = match taking.kind {
        Kind::Fold => Numbers::FOLD,
        Kind::Genarray | Kind::Modarray => Numbers::ARRAY,
    };
    let own: Vec<Descriptor> = made
        .partitions
        .iter()
        .map(|part| arithmetic.descriptor(ir, &part.space, Numbers::ARRAY))
        .collect();
    let mut planned = Vec::new();
    for (partition, reads) in taking.partitions.iter().zip(reads) {
        let space = arithmetic.descriptor(ir, &partition.space, numbers);
        // Overlaps of partitions are as they were: parts stay where their partition was.
        planned.push(match reads.ops.is_empty() {
            true => vec![Meeting { space, from: None }],
            false => meetings(arithmetic, &space, &own, &reads.offsets)?,
        });
    }
    let order_kept = taking.kind != Kind::Fold || planned.iter().all(|parts| parts.len() == 1);
    if !order_kept || planned.iter().map(Vec::len).sum::<usize>() > MOST_PARTITIONS {
        return None;
    }
    Some(planned)
}

fn take_in(
    ir: &mut Ir,
    (producer, made): (Op, &Loop),
    (reader, taking): (Op, &Loop),
    reads: &[Reads],
) -> Option<Op> {
    let types: Vec<Type> = ir
        .results(reader)
        .map(|value| ir.value_type(value))
        .collect();
    let mut arithmetic = Arithmetic::default();
    let planned = planned(ir, &mut arithmetic, (made, taking), reads)?;
    let loc = ir.loc(reader);
    let mut b = Builder::before(ir, reader);
    b.loc = loc;
    let mut partitions = Vec::new();
    for ((partition, reads), parts) in taking.partitions.iter().zip(reads).zip(planned) {
        for meeting in parts {
            let space: Vec<Range> = arithmetic.space(&mut b, &meeting.space);
            let from = meeting.from.map(|at| made.partitions[at].body);
            let body = body(&mut b, taking.rank, |b, indices| {
                if reads.ops.is_empty() {
                    return b.clone_block_body(partition.body, indices, &mut Mapping::new());
                }
                let values = match from {
                    Some(body) => {
                        let there = shifted(b, indices, &reads.offsets);
                        b.clone_block_body(body, &there, &mut Mapping::new())
                    }
                    None => made.init.clone(),
                };
                with_reads(b, partition.body, indices, (&reads.ops, values[0]))
            });
            partitions.push(Partition {
                space,
                mapping: partition.mapping,
                body,
            });
        }
    }
    let new = Loop {
        partitions,
        ..taking.clone()
    };
    if let Some(combine) = taking.combine {
        b.ir.detach_block(combine);
    }
    let op = new.build(&mut b, &types).op();
    let results: Vec<Value> = ir.results(op).collect();
    ir.replace_op(reader, &results);
    ir.erase_op(producer);
    Some(op)
}

fn shifted(b: &mut Builder<'_>, indices: &[Value], offsets: &[i64]) -> Vec<Value> {
    let pairs = indices.iter().zip(offsets);
    let mut there = Vec::new();
    for (&at, &offset) in pairs {
        let offset = index::constant(b, offset);
        there.push(index::add(b, at, offset));
    }
    there
}

/// A copy of a body in which some reads are a value.
fn with_reads(
    b: &mut Builder<'_>,
    body: Block,
    indices: &[Value],
    (reads, value): (&[Op], Value),
) -> Vec<Value> {
    let mut mapping = Mapping::new();
    let args = b.ir.block_args(body).to_vec();
    mapping.map_all(&args, indices);
    for &read in reads {
        let result = b.ir.result(read, 0);
        mapping.map(result, value);
    }
    let ops: Vec<Op> = b.ir.ops(body).collect();
    let Some((&last, inner)) = ops.split_last() else {
        return Vec::new();
    };
    for &op in inner.iter().filter(|op| !reads.contains(op)) {
        b.clone_op(op, &mut mapping);
    }
    let yields: Vec<Value> = b.ir.operands(last).collect();
    mapping.get_all(yields)
}

//! Filters and what reads them: no array of the elements that are kept where only their combination is wanted.
//!
//! ```text
//! %k = array.filter (%x in %xs) { p(%x) }
//! %s = array.redomap (%x in %k) init (0) map { f(%x) } combine {+}
//!   => array.redomap (%x in %xs) init (0) map { scf.if p(%x) { f(%x) } else { 0 } } combine {+}
//! array.filter (%x in %k) { q(%x) }     =>   array.filter (%x in %xs) { scf.if p(%x) { q(%x) } else { false } }
//! array.dim %k, 0                       =>   array.redomap (%x in %xs) init (0) map { p(%x) ? 1 : 0 } combine {+}
//! ```
//! A filter writes its elements by a scan and a scatter; inside a map their number differs from point to point, and what
//! reads them would be sequential. The reduction of all elements under a mask is regular.
//!
//! Conditions: all uses of what is kept are of these kinds, in the filter's block, reductions and counts at most
//! [`MOST_READERS`], since each asks the predicate again; reductions have neutral start values, store nothing and read
//! nothing else. Each operation is done to the same elements as before.

use crate::build::types_agree;
use crate::soac::{Behaviour, Flavour, Parts, Soac, behaviour, end_block, finish, fusible};
use crate::views::detached_copy;
use rustc_hash::FxHashSet;
use segra_array::filter::FilterOp;
use segra_array::shape::DimOp;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_std::{arith, scf};

/// Reductions and counts of what a filter keeps, at most.
const MOST_READERS: usize = 3;

/// Joins filters of a block with what reads them; how many went.
pub(crate) fn join_block(ir: &mut Ir, block: Block) -> u64 {
    let mut joined = 0;
    let mut pending: Vec<FilterOp> = ir.ops(block).filter_map(|op| ir.cast(op)).collect();
    pending.reverse();
    let mut gone: FxHashSet<Op> = FxHashSet::default();
    while let Some(filter) = pending.pop() {
        if gone.contains(&filter.op()) {
            continue;
        }
        if let Some((new, second)) = into_filter(ir, filter) {
            gone.insert(second);
            pending.push(new);
            joined += 1;
        } else if into_readers(ir, filter).is_some() {
            joined += 1;
        }
    }
    joined
}

/// The users of what a filter keeps, each once; `None` where one is not in its block.
fn users(ir: &Ir, filter: FilterOp) -> Option<Vec<Op>> {
    let mut found: Vec<Op> = Vec::new();
    for user in filter
        .results(ir)
        .into_iter()
        .flat_map(|value| ir.users(value))
    {
        if ir.block_of(user) != ir.block_of(filter.op()) {
            return None;
        }
        if !found.contains(&user) {
            found.push(user);
        }
    }
    Some(found)
}

/// The inputs of a filter that arrays are the kept parts of; `None` where one is another array.
fn unfiltered(ir: &Ir, filter: FilterOp, arrays: &[Value]) -> Option<Vec<usize>> {
    let results = filter.results(ir);
    let place = |array: &Value| results.iter().position(|result| result == array);
    arrays.iter().map(place).collect()
}

/// The only reader is a filter: one filter for both, and the reader that is gone.
fn into_filter(ir: &mut Ir, first: FilterOp) -> Option<(FilterOp, Op)> {
    let users = users(ir, first)?;
    let &[user] = users.as_slice() else {
        return None;
    };
    let second = ir.cast::<FilterOp>(user)?;
    let arrays = second.arrays(ir);
    let which = unfiltered(ir, first, &arrays)?;
    let inside = ir.free_values(user);
    if inside
        .iter()
        .any(|value| first.results(ir).contains(value) && !arrays.contains(value))
    {
        return None;
    }
    let sources: Vec<Value> = first.arrays(ir);
    let (p, q) = (first.body_block(ir), second.body_block(ir));
    let results: Vec<Value> = second.results(ir);
    let kept = segra_array::types::sizes_and_element(ir.ctx(), ir.value_type(results[0])).0[0];
    let mut b = Builder::before(ir, user);
    let new = segra_array::filter::filter(&mut b, &sources, kept, |b, elements| {
        let chosen: Vec<Value> = which.iter().map(|&at| elements[at]).collect();
        let keep = b.clone_block_body(p, elements, &mut Mapping::new())[0];
        let ty = b.ctx().i1();
        let both = scf::IfOp::with_bodies(
            b,
            keep,
            &[ty],
            |b| b.clone_block_body(q, &chosen, &mut Mapping::new()),
            |b| vec![arith::ConstantOp::int(b, 0, ty)],
        );
        b.ir.result(both.op(), 0)
    });
    let made = new.results(ir);
    let values: Vec<Value> = which.iter().map(|&at| made[at]).collect();
    ir.replace_op(user, &values);
    ir.erase_op(first.op());
    Some((new, user))
}

/// All readers are reductions and counts.
fn into_readers(ir: &mut Ir, filter: FilterOp) -> Option<()> {
    let users = users(ir, filter)?;
    if users.is_empty() || users.len() > MOST_READERS {
        return None;
    }
    let mut reductions: Vec<(Soac, Vec<usize>)> = Vec::new();
    for &user in &users {
        if let Some(dim) = ir.cast::<DimOp>(user) {
            unfiltered(ir, filter, &[dim.array(ir)])?;
            continue;
        }
        let soac = fusible(ir, user).filter(|soac| {
            soac.flavour == Flavour::Reduce
                && soac.stored(ir).next().is_none()
                && types_agree(ir, soac)
                && behaviour(ir, soac) != Behaviour::Effects
        })?;
        let which = unfiltered(ir, filter, &soac.arrays)?;
        let free = ir.free_values(user);
        let elsewhere = filter
            .results(ir)
            .iter()
            .any(|result| free.contains(result) && !soac.arrays.contains(result));
        if elsewhere {
            return None;
        }
        reductions.push((soac, which));
    }
    for (soac, which) in reductions {
        masked(ir, filter, &soac, &which);
    }
    for user in users {
        if let Some(dim) = ir.cast::<DimOp>(user) {
            count(ir, filter, dim);
        }
    }
    ir.erase_op(filter.op());
    Some(())
}

/// A reduction of what is kept as one of all elements, those that are not kept being neutral.
fn masked(ir: &mut Ir, filter: FilterOp, reader: &Soac, which: &[usize]) {
    let arrays = filter.arrays(ir);
    let (body, elements) = Parts::body_over(ir, &arrays);
    let (loc, predicate) = (ir.loc(reader.op), filter.body_block(ir));
    let chosen: Vec<Value> = which.iter().map(|&at| elements[at]).collect();
    let types: Vec<Type> = reader
        .start
        .iter()
        .map(|&value| ir.value_type(value))
        .collect();
    let mut b = Builder::at_end(ir, body, loc);
    let keep = b.clone_block_body(predicate, &elements, &mut Mapping::new())[0];
    let branch = scf::IfOp::with_bodies(
        &mut b,
        keep,
        &types,
        |b| match reader.body {
            Some(old) => b.clone_block_body(old, &chosen, &mut Mapping::new()),
            None => chosen.clone(),
        },
        |_| reader.start.clone(),
    );
    let values: Vec<Value> = ir.results(branch.op()).collect();
    end_block(ir, body, &values, loc);
    let combine = reader.combine.map(|combine| detached_copy(ir, combine));
    let parts = Parts {
        start: reader.start.clone(),
        combine,
        ..Parts::new(Flavour::Reduce, arrays, Some(body))
    };
    let results: Vec<Type> = ir
        .results(reader.op)
        .map(|value| ir.value_type(value))
        .collect();
    let new = finish(ir, &parts, &results, reader.op);
    let results: Vec<Value> = ir.results(new).collect();
    ir.replace_op(reader.op, &results);
}

/// How many elements are kept, or an extent of their rows.
fn count(ir: &mut Ir, filter: FilterOp, dim: DimOp) {
    let op = dim.op();
    let arrays = filter.arrays(ir);
    if dim.dim(ir) > 0 {
        let at = filter
            .results(ir)
            .iter()
            .position(|&made| made == dim.array(ir));
        ir.set_operand(op, 0, arrays[at.unwrap_or(0)]);
        return;
    }
    let (loc, predicate, index) = (ir.loc(op), filter.body_block(ir), ir.ctx().index());
    let mut b = Builder::before(ir, op);
    let zero = arith::index::constant(&mut b, 0);
    let (body, elements) = Parts::body_over(ir, &arrays);
    let mut b = Builder::at_end(ir, body, loc);
    let keep = b.clone_block_body(predicate, &elements, &mut Mapping::new())[0];
    let (none, one) = (
        arith::index::constant(&mut b, 0),
        arith::index::constant(&mut b, 1),
    );
    let value = arith::SelectOp::build(&mut b, keep, one, none).result(b.ir);
    end_block(ir, body, &[value], loc);
    let combine = ir.create_block(&[index, index]);
    let sides = ir.block_args(combine).to_vec();
    let mut b = Builder::at_end(ir, combine, loc);
    let sum = arith::AddIOp::build(&mut b, sides[0], sides[1]).result(b.ir);
    end_block(ir, combine, &[sum], loc);
    let parts = Parts {
        start: vec![zero],
        combine: Some(combine),
        ..Parts::new(Flavour::Reduce, arrays, Some(body))
    };
    let new = finish(ir, &parts, &[index], op);
    let sum = ir.result(new, 0);
    ir.replace_op(op, &[sum]);
}

//! Chains of reductions: a sum of exponentials that depend on a maximum is made in the traversal that makes the maximum.
//!
//! ```text
//! %m = array.reduce (%x in %xs) init (-inf) combine {max}
//! %s = array.redomap (%x in %xs) init (0) map { exp(%x - %m) } combine {+}
//!   => %m, %s = array.redomap (%x in %xs) init (-inf, 0) map { %x, exp(%x - %x) }
//!        combine (%m1, %s1, %m2, %s2) { %m = max(%m1, %m2); %m, %s1 * exp(%m1 - %m) + %s2 * exp(%m2 - %m) }
//! ```
//! That the mapped value takes a factor when the maximum grows, and which, is proved by [`segra_std::rescaled`]. Source: Milakov
//! and Gimelshein, "Online normalizer calculation for softmax" (2018), for the case `exp(x - m)`.
//!
//! Legality:
//! - the exact equation is one of real numbers: each op it is about, the sum included, allows `fastmath<reassoc>`;
//! - start values are the infinity that is neutral and 0. An element that is this infinity has the exponential 0, which it
//!   has beside any other element; where there are only such elements, and any, the sum is NaN as it was before. NaN and
//!   the other infinity go through all factors; without elements the start values are the results;
//! - the numbers are f32 or f64; both reductions run over one extent, have no effects, and nothing between them uses the
//!   first one's results. Arrays that the second stores are made by a map after it, if only combinators read them.
//!
//! Limits: extremes are `maximumf` and `minimumf`; sums of arrays (weighted vectors) and second moments, whose factor is a
//! polynomial of the element count, stay in their traversals. An exponential by element is two more, of the factors.

use crate::build::types_agree;
use crate::soac::{Behaviour, Flavour, Parts, Soac, behaviour, end_block, finish, fusible};
use rustc_hash::FxHashMap;
use segra_array::shape::DimOp;
use segra_array::types::Size;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_std::arith::{AddFOp, AndIOp, CmpIOp, CmpIPredicate, FastMath, MulFOp, SelectOp, index};
use segra_std::rescaled::{
    Form, Proof, are_sums, equal, equals, extreme, factor, float, is_number,
};

/// Makes one of chained reductions of a block; how many went.
pub(crate) fn join_block(ir: &mut Ir, block: Block) -> u64 {
    let mut joined = 0;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        if join(ir, op).is_some() {
            joined += 1;
        }
    }
    joined
}

/// A reduction whose results may be part of another's.
fn reduction(ir: &Ir, op: Op) -> Option<Soac> {
    fusible(ir, op).filter(|soac| {
        soac.flavour == Flavour::Reduce
            && types_agree(ir, soac)
            && behaviour(ir, soac) == Behaviour::Total
    })
}

/// The first of the chained reductions, and which of its components is the extreme that the second uses.
struct Chain {
    first: Soac,
    second: Soac,
    component: usize,
    /// The extreme's neutral element.
    neutral: f64,
}

impl Chain {
    fn ending_in(ir: &Ir, op: Op) -> Option<Chain> {
        let second = reduction(ir, op).filter(|second| second.body.is_some())?;
        let block = ir.block_of(op);
        let outside = ir.free_values(op);
        let used = outside
            .iter()
            .filter(|value| !second.arrays.contains(value));
        let mut extremes = used.copied().filter_map(|value| {
            let made = ir
                .defining_op(value)
                .filter(|&made| ir.block_of(made) == block)?;
            let first = reduction(ir, made)?;
            let at = ir.results(made).position(|result| result == value)?;
            Some((first, at))
        });
        let (first, component) = extremes.next()?;
        if extremes.next().is_some() || component >= first.combined() {
            return None;
        }
        let neutral = extreme(ir, first.combine?, component, first.start[component])?;
        let extents = (first.extent(ir), second.extent(ir));
        let same = first
            .arrays
            .iter()
            .any(|array| second.arrays.contains(array))
            || first.stored(ir).any(|array| second.arrays.contains(&array));
        (same || extents.0 == extents.1 && extents.0 != Size::Unknown).then_some(())?;
        // The first is then made where the second is.
        let later = ir
            .results(first.op)
            .flat_map(|value| ir.users(value))
            .all(|user| {
                let mut around = ir.ancestors(user);
                let inside = around.find(|&around| ir.block_of(around) == block);
                inside.is_some_and(|inside| inside == op || ir.is_before(op, inside))
            });
        let read = |array: Value| {
            ir.users(array)
                .all(|user| ir.block_of(user) == block && fusible(ir, user).is_some())
        };
        let sums = second
            .combine
            .is_some_and(|combine| are_sums(ir, combine, &second.start));
        (later && sums && second.stored(ir).all(read)).then_some(Chain {
            first,
            second,
            component,
            neutral,
        })
    }
}

/// Joins the reduction `op` with the one whose result it uses.
fn join(ir: &mut Ir, op: Op) -> Option<()> {
    let chain = Chain::ending_in(ir, op)?;
    let (first, second) = (&chain.first, &chain.second);
    let extreme = ir.result(first.op, chain.component);
    let stored: Vec<Value> = first.stored(ir).collect();
    let mut arrays: Vec<Value> = Vec::new();
    for &array in first.arrays.iter().chain(&second.arrays) {
        if !arrays.contains(&array) && !stored.contains(&array) {
            arrays.push(array);
        }
    }
    let (body, elements) = Parts::body_over(ir, &arrays);
    let mut values: FxHashMap<Value, Value> = arrays.iter().copied().zip(elements).collect();
    let loc = ir.loc(op);
    let mapped = copy_body(ir, first, body, &values);
    let (mapped, kept) = mapped.split_at(first.combined());
    values.extend(stored.iter().copied().zip(kept.iter().copied()));
    let summed = copy_body(ir, second, body, &values);
    let element = mapped[chain.component];
    let proof = Proof::of(
        ir,
        body,
        [(extreme, Form::EXTREME), (element, Form::ELEMENT)],
        |value| equal(ir, value, element, &|x, y| x == y),
    );
    let forms: Vec<Form> = summed[..second.combined()]
        .iter()
        .map(|&value| proof.form(ir, value))
        .collect();
    if !forms.iter().all(|&form| form.rescales(chain.neutral))
        || forms.iter().all(|form| form.is_free())
        || !is_number(ir, ir.value_type(extreme))
    {
        ir.erase_block(body);
        return None;
    }
    let results: Vec<Type> = [first.op, op]
        .iter()
        .zip([first.combined(), second.combined()])
        .flat_map(|(&op, count)| ir.results(op).take(count).collect::<Vec<_>>())
        .chain(stored.iter().copied())
        .map(|value| ir.value_type(value))
        .collect();
    let yields: Vec<Value> = [mapped, &summed[..second.combined()], kept].concat();
    end_block(ir, body, &yields, loc);
    lift(ir, body, &proof, (extreme, element), chain.neutral);
    let combine = operator(ir, &chain, &forms)?;
    let parts = Parts {
        start: [&first.start[..], &second.start[..]].concat(),
        combine: Some(combine),
        ..Parts::new(Flavour::Reduce, arrays, Some(body))
    };
    let new = finish(ir, &parts, &results, op);
    replace(ir, &chain, new, &forms);
    Some(())
}

/// Copies the body of a reduction to the end of a block; gives the values that the body yields.
fn copy_body(ir: &mut Ir, soac: &Soac, to: Block, values: &FxHashMap<Value, Value>) -> Vec<Value> {
    let args: Vec<Value> = soac.arrays.iter().map(|array| values[array]).collect();
    let loc = ir.loc(soac.op);
    match soac.body {
        Some(body) => {
            Builder::at_end(ir, to, loc).clone_block_body(body, &args, &mut Mapping::new())
        }
        None => args,
    }
}

/// Makes of a body that uses the extreme one in which each element is its own; exponentials of neutral ones are 0.
fn lift(ir: &mut Ir, body: Block, proof: &Proof, (extreme, element): (Value, Value), neutral: f64) {
    for &op in &proof.exponentials {
        let (ty, value) = (ir.value_type(element), ir.result(op, 0));
        let Some(next) = ir.next_op(op) else { continue };
        let mut b = Builder::before(ir, next);
        let neutral = float(&mut b, neutral, ty);
        let is_neutral = equals(&mut b, element, neutral);
        let zero = float(&mut b, 0.0, ty);
        let guarded = SelectOp::build(&mut b, is_neutral, zero, value);
        let (guard, guarded) = (guarded.op(), guarded.result(b.ir));
        ir.replace_all_uses(value, guarded);
        ir.set_operand(guard, 2, value);
    }
    for op in ir.ops(body).collect::<Vec<_>>() {
        for op in ir.walk(op) {
            let operands: Vec<Value> = ir.operands(op).collect();
            for (at, value) in operands.into_iter().enumerate() {
                if value == extreme {
                    ir.set_operand(op, at, element);
                }
            }
        }
    }
}

/// The operator on tuples: all accumulators, then all values.
fn operator(ir: &mut Ir, chain: &Chain, forms: &[Form]) -> Option<Block> {
    let (first, second) = (chain.first.combine?, chain.second.combine?);
    let half = |ir: &Ir, block: Block| {
        let args = ir.block_args(block);
        let half = args[..args.len() / 2].iter();
        half.map(|&arg| ir.value_type(arg)).collect::<Vec<Type>>()
    };
    let types = [half(ir, first), half(ir, second)].concat();
    let (count, loc) = (chain.first.combined(), ir.loc(chain.second.op));
    let block = ir.create_block(&[&types[..], &types[..]].concat());
    let args = ir.block_args(block).to_vec();
    let (left, right) = args.split_at(types.len());
    let mut b = Builder::at_end(ir, block, loc);
    let sides = [&left[..count], &right[..count]].concat();
    let mut yields = b.clone_block_body(first, &sides, &mut Mapping::new());
    let to = yields[chain.component];
    for (at, &form) in forms.iter().enumerate() {
        let mut terms = [left[count + at], right[count + at]];
        if let Form::Scaled { base, k } = form {
            for (term, from) in terms
                .iter_mut()
                .zip([left[chain.component], right[chain.component]])
            {
                let factor = factor(&mut b, base, k, (from, to));
                *term = MulFOp::build(&mut b, *term, factor).result(b.ir);
            }
        }
        let sum = AddFOp::build(&mut b, terms[0], terms[1]).result(b.ir);
        let (flags, op) = (FastMath::REASSOC.attr(b.ctx()), b.ir.defining_op(sum)?);
        b.ir.set_attr_named(op, "fastmath", Some(flags));
        yields.push(sum);
    }
    end_block(ir, block, &yields, loc);
    Some(block)
}

/// Makes the arrays that a reduction stores, which are its results from `combined` on, with a map of their own.
fn store_apart(ir: &mut Ir, second: &Soac, combined: usize) {
    let loc = ir.loc(second.op);
    let stored: Vec<Value> = ir.results(second.op).skip(combined).collect();
    // Its arrays were replaced by those of the joined reduction, where it read what the first one stored.
    let arrays: Vec<Value> = ir.operands(second.op).take(second.arrays.len()).collect();
    let (body, elements) = Parts::body_over(ir, &arrays);
    let values_of: FxHashMap<Value, Value> = second.arrays.iter().copied().zip(elements).collect();
    let yields = copy_body(ir, second, body, &values_of);
    end_block(ir, body, &yields[combined..], loc);
    let types: Vec<Type> = stored.iter().map(|&value| ir.value_type(value)).collect();
    let map = finish(
        ir,
        &Parts::new(Flavour::Map, arrays, Some(body)),
        &types,
        second.op,
    );
    for (&old, new) in stored.iter().zip(ir.results(map).collect::<Vec<_>>()) {
        ir.replace_all_uses(old, new);
    }
}

/// Puts the results of the joined reduction in the place of those of the two.
fn replace(ir: &mut Ir, chain: &Chain, new: Op, forms: &[Form]) {
    let (first, second) = (&chain.first, &chain.second);
    let made: Vec<Value> = ir.results(new).collect();
    let (combined, stored) = made.split_at(first.combined() + second.combined());
    let (extremes, sums) = combined.split_at(first.combined());
    let olds: Vec<Value> = ir.results(first.op).collect();
    for (&old, &new) in olds.iter().zip(extremes.iter().chain(stored)) {
        ir.replace_all_uses(old, new);
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
    }
    let array = ir.operands(new).next();
    let mut b = Builder::before(ir, second.op);
    let ty = b.ir.value_type(extremes[chain.component]);
    let (neutral, nan) = (
        float(&mut b, chain.neutral, ty),
        float(&mut b, f64::NAN, ty),
    );
    let only_neutral = equals(&mut b, extremes[chain.component], neutral);
    let mut undefined = only_neutral;
    if let Some(array) = array {
        let (dim, index_type) = (b.ctx().i64_attr(0), b.ctx().index());
        let extent = DimOp::build(&mut b, array, dim, index_type).result(b.ir);
        let zero = index::constant(&mut b, 0);
        let predicate = CmpIPredicate::Ne.attr(b.ctx());
        let any = CmpIOp::build(&mut b, predicate, extent, zero).result(b.ir);
        undefined = AndIOp::build(&mut b, only_neutral, any).result(b.ir);
    }
    let values: Vec<Value> = sums
        .iter()
        .zip(forms)
        .map(|(&sum, form)| match form {
            Form::Scaled { .. } => SelectOp::build(&mut b, undefined, nan, sum).result(b.ir),
            _ => sum,
        })
        .collect();
    let olds: Vec<Value> = ir.results(second.op).collect();
    for (&old, &new) in olds.iter().zip(&values) {
        ir.replace_all_uses(old, new);
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
    }
    if olds[values.len()..].iter().any(|&array| ir.has_uses(array)) {
        store_apart(ir, second, values.len());
    }
    ir.erase_op(second.op);
    ir.erase_op(first.op);
}

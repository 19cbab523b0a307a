//! `fuse-loops`: elements that one loop makes and the next one reads, once each and in order, need no array between them.
//!
//! ```mlir
//! %t = tensor.empty(%n) : tensor<?xf32>                        %a, %s = scf.for %i = %c0 to %n step %c1
//! %a, %ts = scf.for %i = %c0 to %n step %c1                           iter_args(%p = %z, %q = %z) {
//!     iter_args(%p = %z, %u = %t) {                                 %x = ... %p ...
//!   %x = ... %p ...                                                 %y = arith.maxf %q, %x
//!   %v = kernel.update %x, %u[%i]                          ->       scf.yield %x, %y
//!   scf.yield %x, %v                                              }
//! }
//! %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %z) {
//!   %e = tensor.extract %ts[%j]
//!   %y = arith.maxf %q, %e
//!   scf.yield %y
//! }
//! ```
//! And the last element of such an array is what the loop has carried to its end: `tensor.extract %ts[%n - 1]` is `%a`, except
//! where there is none. That read is left as it was behind a test, on an array of no elements: it stops the program there.
//! A scan whose last element is all that is used, and a scan that is reduced, so need no memory. In the code of a thread
//! that memory would be an array for each thread, as long as the longest of all.
//!
//! Legality: both loops count from 0 by ones to the same extent. The first one gives each element of a scratch array its
//! value at the element's own iteration and reads none; the second one reads the element of its own iteration only, and
//! nothing else that the first one makes. No op between them needs the first one's results. Both are code on values: no
//! effect of one can be seen by the other.
//!
//! Limits: arrays of one dimension; no more than [`LARGEST`] ops in the loops and between them, so that a row of loops does
//! not take quadratic time.

use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::{Read, Update};
use segra_kernel::extent::resolved;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::builtin;
use segra_std::check::RequireOp;
use segra_std::func;
use segra_std::tensor::{DimOp, EmptyOp};
use segra_std::{arith, scf};

/// Most ops of two loops that are joined, and of those between them. A row of loops is joined one after the other, and each time
/// all ops that are joined already are copied: this many copies are made of an op at most.
const LARGEST: usize = 64;

pass_options! {
    /// The pass `fuse-loops`.
    pub struct FuseLoops {}
}

const INFO: PassInfo = PassInfo {
    name: "fuse-loops",
    summary: "join loops that make an array with loops that read it element by element, and drop the array",
    reads: &["arith", "kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name, func::FuncOp::DEF.name]),
};

impl Pass for FuseLoops {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let loops = ir
            .walk(op)
            .into_iter()
            .filter(|&inner| ir.isa::<scf::ForOp>(inner));
        // Blocks inside first: what they hold moves with the loop around them.
        let mut blocks: Vec<Block> = loops
            .filter_map(|inner| ir.block_of(inner))
            .filter(|&block| seen.insert(block))
            .collect();
        blocks.reverse();
        let mut dropped = 0;
        for block in blocks {
            dropped += in_block(ir, block);
        }
        cx.count("arrays dropped", dropped);
        Ok(Outcome::of(if dropped == 0 {
            Changed::No
        } else {
            Changed::Yes
        }))
    }
}

/// How many arrays of a block's loops went.
fn in_block(ir: &mut Ir, block: Block) -> u64 {
    let mut dropped = 0;
    let mut at = ir.first_op(block);
    while let Some(op) = at {
        let again = match ir.cast::<scf::ForOp>(op) {
            Some(looped) => improved(ir, looped, &mut dropped),
            None => None,
        };
        // Once more where something became of it: another of its arrays may go, and the next loop may read what it makes.
        at = again.or_else(|| ir.next_op(op));
    }
    dropped
}

/// The loop that a loop has become, if it has: without an array, or joined with a later loop.
fn improved(ir: &mut Ir, looped: scf::ForOp, dropped: &mut u64) -> Option<Op> {
    let made = made_arrays(ir, looped);
    for array in &made {
        replace_extents(ir, array);
        replace_last(ir, looped, array);
    }
    let is_unused = |array: &Made| ir.users(array.result).next().is_none();
    let unused: Vec<Made> = made.iter().copied().filter(is_unused).collect();
    if !unused.is_empty() {
        *dropped += unused.len() as u64;
        return Some(joined(ir, looped, None, &unused));
    }
    let Reader {
        second,
        handed,
        after,
    } = reader(ir, looped, &made)?;
    let next = ir.next_op(second.op())?;
    for op in after {
        ir.move_before(op, next);
    }
    let gone = |array: &Made| {
        ir.users(array.result)
            .all(|user| ir.ancestors(user).any(|op| op == second.op()))
    };
    *dropped += handed.iter().filter(|array| gone(array)).count() as u64;
    Some(joined(ir, looped, Some(second), &handed))
}

/// An array that a loop makes, one element in each iteration.
#[derive(Clone, Copy)]
struct Made {
    /// Among what the loop carries.
    index: usize,
    result: Value,
    /// The value of the element, in the body.
    element: Value,
    update: Op,
}

/// The arrays a loop makes.
fn made_arrays(ir: &Ir, looped: scf::ForOp) -> Vec<Made> {
    if !counts_by_ones(ir, looped) {
        return Vec::new();
    }
    let body = looped.region_block(ir);
    let Some(last) = ir.last_op(body) else {
        return Vec::new();
    };
    let (inits, iv) = (looped.init_args(ir), looped.induction_var(ir));
    let extent = resolved(ir, looped.upper_bound(ir));
    let made = looped
        .iter_args(ir)
        .iter()
        .enumerate()
        .filter_map(|(index, &carried)| {
            let scratch: EmptyOp = ir.cast(ir.defining_op(inits[index])?)?;
            let &[size] = scratch.dynamic_sizes(ir).as_slice() else {
                return None;
            };
            let next = ir.operand(last, index);
            let update = Update::defining(ir, next)?;
            let own = update.tensor(ir) == carried
                && update.indices(ir) == [iv]
                && ir.value_type(update.value(ir)).is_scalar(ir.ctx())
                && ir.block_of(update.op()) == Some(body)
                && ir.users(next).count() == 1
                && ir.users(carried).all(|user| user == update.op());
            (own && resolved(ir, size) == extent).then(|| Made {
                index,
                result: ir.result(looped.op(), index),
                element: update.value(ir),
                update: update.op(),
            })
        });
    made.collect()
}

/// Whether a loop runs from 0 by ones, compared as signed numbers.
fn counts_by_ones(ir: &Ir, looped: scf::ForOp) -> bool {
    let is = |value: Value, wanted: i64| number(ir, value) == Some(wanted);
    is(looped.lower_bound(ir), 0)
        && is(looped.step(ir), 1)
        && looped.unsigned_cmp(ir).is_none()
        && ir.value_type(looped.induction_var(ir)).is_index(ir.ctx())
}

fn number(ir: &Ir, value: Value) -> Option<i64> {
    ir.constant_int(value)
}

/// Extents of an array are those of its scratch space.
fn replace_extents(ir: &mut Ir, array: &Made) {
    let dims: Vec<Op> = ir
        .users(array.result)
        .filter(|&user| ir.isa::<DimOp>(user))
        .collect();
    for dim in dims {
        let result = ir.result(dim, 0);
        let extent = resolved(ir, result);
        if extent != result {
            ir.replace_op(dim, &[extent]);
        }
    }
}

/// Reads of the last element are what the loop carried to its end, where it carries the element.
fn replace_last(ir: &mut Ir, looped: scf::ForOp, array: &Made) {
    let Some(last) = ir.last_op(looped.region_block(ir)) else {
        return;
    };
    let Some(carried) = ir.operands(last).position(|value| value == array.element) else {
        return;
    };
    let extent = resolved(ir, looped.upper_bound(ir));
    let reads: Vec<Read> = ir
        .users(array.result)
        .filter_map(|user| Read::of(ir, user))
        .collect();
    for read in reads {
        let &[index] = read.indices(ir).as_slice() else {
            continue;
        };
        if !is_one_below(ir, index, extent) {
            continue;
        }
        let value = ir.result(looped.op(), carried);
        // An index that was checked before stops the program there.
        let value = match read.is_checked(ir) && asserted(ir, index) == index {
            true => unless_empty(ir, looped, read, value),
            false => value,
        };
        ir.replace_op(read.op(), &[value]);
    }
}

/// The value a check lets pass: the same value, wherever the program goes on.
fn asserted(ir: &Ir, value: Value) -> Value {
    ir.def_as::<RequireOp>(value)
        .map_or(value, |check| check.value(ir))
}

/// Whether a number is another one less 1.
fn is_one_below(ir: &Ir, value: Value, other: Value) -> bool {
    let Some(op) = ir.defining_op(asserted(ir, value)) else {
        return false;
    };
    let plain = |value: Value| asserted(ir, resolved(ir, value));
    let (by, operands) = match ir.op_name_str(op) {
        "arith.subi" => (1, ir.operands(op).collect::<Vec<_>>()),
        "arith.addi" => (-1, ir.operands(op).collect::<Vec<_>>()),
        _ => return false,
    };
    matches!(operands.as_slice(), &[a, b] if plain(a) == plain(other) && number(ir, b) == Some(by))
}

/// `value`, or what `read` does with an array that has no elements: it stops the program.
fn unless_empty(ir: &mut Ir, looped: scf::ForOp, read: Read, value: Value) -> Value {
    let (ty, tensor) = (ir.value_type(value), ir.value_type(read.tensor(ir)));
    // The loop starts at 0.
    let (zero, extent) = (looped.lower_bound(ir), looped.upper_bound(ir));
    let (loc, index) = (ir.loc(read.op()), read.indices(ir));
    let mut b = Builder::before(ir, read.op());
    let predicate = arith::CmpIPredicate::Sgt.attr(b.ctx());
    let some = arith::CmpIOp::build(&mut b, predicate, extent, zero).result(b.ir);
    let branch = scf::IfOp::build(&mut b, some, &[ty]);
    let (then, otherwise) = (branch.then_region(ir), branch.else_region(ir));
    let block = ir.add_block(then, &[]);
    scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &[value]);
    let block = ir.add_block(otherwise, &[]);
    let mut b = Builder::at_end(ir, block, loc);
    let nothing = EmptyOp::of(&mut b, &[zero], tensor);
    let element = Read::build_checked(&mut b, nothing, &index, true).result(b.ir);
    scf::YieldOp::build(&mut b, &[element]);
    ir.result(branch.op(), 0)
}

/// A loop that can be joined with the one before.
struct Reader {
    second: scf::ForOp,
    /// The arrays that it reads in turn.
    handed: Vec<Made>,
    /// Ops between the two that need what the first one makes: the second one does not need them.
    after: Vec<Op>,
}

/// The nearest loop that reads arrays of `first`, where these can go in the end: only such loops read them.
fn reader(ir: &Ir, first: scf::ForOp, made: &[Made]) -> Option<Reader> {
    let block = ir.block_of(first.op())?;
    let extent = |looped: scf::ForOp| resolved(ir, looped.upper_bound(ir));
    let around = |user: Op| {
        ir.ancestors(user)
            .find(|&op| ir.block_of(op) == Some(block))
    };
    // The loop that reads an array in turn by this op.
    let in_turn = |user: Op| -> Option<scf::ForOp> {
        let second: scf::ForOp = ir.cast(around(user)?)?;
        let alike = counts_by_ones(ir, second) && extent(first) == extent(second);
        let read = Read::of(ir, user)?;
        (alike && read.indices(ir) == [second.induction_var(ir)]).then_some(second)
    };
    let mut second: Option<scf::ForOp> = None;
    for array in made {
        let loops: Option<Vec<scf::ForOp>> = ir.users(array.result).map(in_turn).collect();
        for looped in loops.unwrap_or_default() {
            if second.is_none_or(|nearest| ir.is_before(looped.op(), nearest.op())) {
                second = Some(looped);
            }
        }
    }
    let second = second?;
    let sizes = [first, second].map(|looped| ir.walk(looped.op()).len());
    if sizes.iter().sum::<usize>() > LARGEST {
        return None;
    }
    let (after, needed) = needing(ir, first, second)?;
    let inside = |user: Op| around(user) == Some(second.op());
    let reads_in_turn = |array: &Made| {
        let mut users = ir
            .users(array.result)
            .filter(|&user| inside(user))
            .peekable();
        users.peek().is_some() && users.all(|user| in_turn(user).is_some())
    };
    let handed: Vec<Made> = made.iter().copied().filter(reads_in_turn).collect();
    let mut used = ir
        .free_values(second.op())
        .into_iter()
        .filter(|value| needed.contains(value));
    let only = used.all(|value| handed.iter().any(|array| array.result == value));
    only.then_some(Reader {
        second,
        handed,
        after,
    })
}

/// The ops between two loops that need results of the first one, and all values that come from these; none if too many ops are
/// between them.
fn needing(ir: &Ir, first: scf::ForOp, second: scf::ForOp) -> Option<(Vec<Op>, FxHashSet<Value>)> {
    let mut needed: FxHashSet<Value> = ir.results(first.op()).collect();
    let mut after = Vec::new();
    let mut at = ir.next_op(first.op())?;
    for between in 0.. {
        if at == second.op() {
            break;
        }
        if between == LARGEST {
            return None;
        }
        if ir
            .free_values(at)
            .into_iter()
            .any(|value| needed.contains(&value))
        {
            needed.extend(ir.results(at));
            after.push(at);
        }
        at = ir.next_op(at)?;
    }
    Some((after, needed))
}

/// One loop for `first` and, where there is one, `second`, which is handed the elements of these arrays of the first; those
/// that nothing else needs go.
fn joined(ir: &mut Ir, first: scf::ForOp, second: Option<scf::ForOp>, handed: &[Made]) -> Op {
    let is_inside =
        |user: Op| second.is_some_and(|second| ir.ancestors(user).any(|op| op == second.op()));
    let dropped: Vec<Made> = handed
        .iter()
        .copied()
        .filter(|array| ir.users(array.result).all(is_inside))
        .collect();
    let is_dropped = |index: usize| dropped.iter().any(|array| array.index == index);
    let firsts = first.init_args(ir);
    let kept: Vec<usize> = (0..firsts.len())
        .filter(|&index| !is_dropped(index))
        .collect();
    let mut inits: Vec<Value> = kept.iter().map(|&index| firsts[index]).collect();
    inits.extend(second.iter().flat_map(|second| second.init_args(ir)));
    let (loc, before) = (ir.loc(first.op()), second.map_or(first.op(), OpView::op));
    let (new, block) = empty_loop(ir, first, before, &inits);
    let args = ir.block_args(block).to_vec();

    let mut mapping = Mapping::new();
    mapping.map(first.induction_var(ir), args[0]);
    let carried = first.iter_args(ir).to_vec();
    for (&index, &arg) in kept.iter().zip(&args[1..]) {
        mapping.map(carried[index], arg);
    }
    let skipped: Vec<Op> = dropped.iter().map(|array| array.update).collect();
    let next = clone_body(ir, first, block, &skipped, &mut mapping);
    let mut yielded: Vec<Value> = kept.iter().map(|&index| next[index]).collect();
    let elements: Vec<(Value, Value)> = handed
        .iter()
        .map(|array| (array.result, mapping.get(array.element)))
        .collect();
    if let Some(second) = second {
        let mut mapping = Mapping::new();
        mapping.map(second.induction_var(ir), args[0]);
        let carried = second.iter_args(ir).to_vec();
        mapping.map_all(&carried, &args[1 + kept.len()..]);
        yielded.extend(clone_body(ir, second, block, &[], &mut mapping));
        for (array, element) in elements {
            replace_reads(ir, new, (array, element), &mut yielded);
        }
    }
    scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &yielded);
    replace(ir, first, second, &kept, new);
    new.op()
}

/// A loop over the range of `first`, made before an op, that carries values from `inits`, and its block, which has no ops yet.
fn empty_loop(ir: &mut Ir, first: scf::ForOp, before: Op, inits: &[Value]) -> (scf::ForOp, Block) {
    let loc = ir.loc(first.op());
    let (lower, upper, step) = (first.lower_bound(ir), first.upper_bound(ir), first.step(ir));
    let types: Vec<Type> = inits.iter().map(|&init| ir.value_type(init)).collect();
    let mut b = Builder::before(ir, before);
    b.loc = loc;
    let new = scf::ForOp::builder()
        .lower_bound(lower)
        .upper_bound(upper)
        .step(step)
        .init_args(inits)
        .results_types(&types)
        .build(&mut b);
    let mut args = vec![ir.value_type(first.induction_var(ir))];
    args.extend(&types);
    let region = new.region(ir);
    let block = ir.add_block(region, &args);
    (new, block)
}

/// The reads of an array in the body of the new loop become the element that is made there, also among the yielded values.
fn replace_reads(
    ir: &mut Ir,
    new: scf::ForOp,
    (array, element): (Value, Value),
    yielded: &mut [Value],
) {
    // Those in the new body; the old one goes.
    let reads: Vec<Op> = ir
        .users(array)
        .filter(|&user| ir.ancestors(user).any(|op| op == new.op()))
        .collect();
    for read in reads {
        let value = ir.result(read, 0);
        if let Some(at) = yielded.iter().position(|&next| next == value) {
            yielded[at] = element;
        }
        ir.replace_op(read, &[element]);
    }
}

/// Copies the ops of a loop's body but its end and those skipped; what it yields.
fn clone_body(
    ir: &mut Ir,
    looped: scf::ForOp,
    to: Block,
    skipped: &[Op],
    mapping: &mut Mapping,
) -> Vec<Value> {
    let ops: Vec<Op> = ir.ops(looped.region_block(ir)).collect();
    let Some((&last, body)) = ops.split_last() else {
        return Vec::new();
    };
    for &op in body.iter().filter(|op| !skipped.contains(op)) {
        let loc = ir.loc(op);
        Builder::at_end(ir, to, loc).clone_op(op, mapping);
    }
    let yields: Vec<Value> = ir.operands(last).collect();
    mapping.get_all(yields)
}

/// The new loop takes the place of the old ones.
fn replace(
    ir: &mut Ir,
    first: scf::ForOp,
    second: Option<scf::ForOp>,
    kept: &[usize],
    new: scf::ForOp,
) {
    let results: Vec<Value> = ir.results(new.op()).collect();
    for (at, &index) in kept.iter().enumerate() {
        let old = ir.result(first.op(), index);
        name_as(ir, old, results[at]);
        ir.replace_all_uses(old, results[at]);
    }
    if let Some(second) = second {
        let old: Vec<Value> = ir.results(second.op()).collect();
        for (&old, &new) in old.iter().zip(&results[kept.len()..]) {
            name_as(ir, old, new);
        }
        ir.replace_op(second.op(), &results[kept.len()..]);
    }
    ir.erase_op(first.op());
}

fn name_as(ir: &mut Ir, old: Value, new: Value) {
    if let Some(name) = ir.value_name(old) {
        ir.set_value_name(new, name);
    }
}

//! Canonical forms of `scf.forall`: constant bounds are fixed, dimensions of one iteration and outputs that are not
//! needed go.
//!
//! Tensors belong to a dialect that is not here: of what ends an iteration only `tensor.parallel_insert_slice` is known,
//! by its name. Deliberately absent: loops with outputs are not replaced by their only iteration.

use super::{ForallOp, InParallelOp};
use crate::arith::ConstantOp;
use crate::mixed::{self, Entry};
use segra_ir::interfaces::{Canonicalize, LoopLike, Rewriter};
use segra_ir::{Ir, Op, OpView, Type, Value};

/// Bounds and steps: the attribute of each list and its operand group.
const LISTS: [(&str, usize); 3] = [
    ("staticLowerBound", 0),
    ("staticUpperBound", 1),
    ("staticStep", 2),
];

/// One dimension.
#[derive(Clone, Copy)]
struct Dimension {
    lower: Entry,
    upper: Entry,
    step: Entry,
    arg: Value,
}

fn dimensions(ir: &Ir, op: Op) -> Vec<Dimension> {
    let [lower, upper, step] = LISTS.map(|(name, group)| mixed::entries(ir, op, name, group));
    let args = ForallOp::from_op(op).induction_vars(ir, op);
    let rows = lower.into_iter().zip(upper).zip(step).zip(args);
    rows.map(|(((lower, upper), step), arg)| Dimension {
        lower,
        upper,
        step,
        arg,
    })
    .collect()
}

impl Canonicalize for ForallOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        fix_bounds(rewriter, op)
            || drop_outputs(rewriter, op)
            || drop_short_dimensions(rewriter, op)
            || know_only_index(rewriter, op)
    }
}

fn fix_bounds(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let mut lists = LISTS.map(|(name, group)| mixed::entries(ir, op, name, group));
    let mut changed = false;
    for list in &mut lists {
        changed |= mixed::fix(ir, list, |_| true);
    }
    if changed {
        rewriter.modify(op, &mut |ir| {
            for ((name, group), list) in LISTS.into_iter().zip(&lists) {
                let fixed = ir.ctx().dense_i64_attr(&mixed::fixed(list));
                ir.set_attr_named(op, name, Some(fixed));
                ir.set_operand_group(op, group, &mixed::open(list));
            }
        });
    }
    changed
}

/// Iterations of a dimension, as far as it matters: none, one, or another number.
fn iterations(ir: &Ir, row: &Dimension) -> Option<u8> {
    if row.lower == row.upper {
        return Some(0);
    }
    let length = row.upper.known(ir)?.checked_sub(row.lower.known(ir)?)?;
    match (length, row.step.known(ir)?) {
        (_, ..0) => None,
        (..=0, _) | (_, 0) => Some(0),
        (length, step) => (length <= step).then_some(1),
    }
}

fn lower_value(rewriter: &mut dyn Rewriter, op: Op, row: &Dimension) -> Value {
    match row.lower {
        Entry::Open(value) => value,
        Entry::Fixed(value) => rewriter.build(op, |b| ConstantOp::index(b, value)),
    }
}

/// Without iterations the outputs are as before; of dimensions with one iteration the index is known.
fn drop_short_dimensions(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = ForallOp::from_op(op);
    if view.mapping(ir).is_some_and(|mapping| !mapping.is_empty()) {
        return false;
    }
    let rows = dimensions(ir, op);
    let counts: Vec<Option<u8>> = rows.iter().map(|row| iterations(ir, row)).collect();
    if counts.contains(&Some(0)) {
        let outputs: Vec<Value> = view.outputs(ir).into_iter().collect();
        rewriter.replace_op(op, &outputs);
        return true;
    }
    let is_short = |index: &usize| counts[*index] == Some(1);
    let kept: Vec<Dimension> = (0..rows.len())
        .filter(|index| !is_short(index))
        .map(|index| rows[index])
        .collect();
    let outputs: Vec<Value> = view.outputs(ir).into_iter().collect();
    let is_bare = outputs.is_empty() && ends_bare(ir, view);
    if kept.len() == rows.len() && !(kept.is_empty() && is_bare) || kept.is_empty() && !is_bare {
        return false;
    }
    for index in (0..rows.len()).filter(is_short) {
        let lower = lower_value(rewriter, op, &rows[index]);
        rewriter.replace_value(rows[index].arg, lower);
    }
    if kept.is_empty() {
        return inline(rewriter, op, &rows);
    }
    let short: Vec<usize> = (0..rows.len()).filter(is_short).collect();
    rebuild(rewriter, op, &kept, &outputs, &short);
    true
}

/// Whether iterations put nothing together.
fn ends_bare(ir: &Ir, view: ForallOp) -> bool {
    let last = ir
        .last_op(view.region_block(ir))
        .and_then(|last| ir.cast::<InParallelOp>(last));
    last.is_some_and(|last| ir.ops(last.region_block(ir)).next().is_none())
}

/// The only iteration stands in place of the loop.
fn inline(rewriter: &mut dyn Rewriter, op: Op, rows: &[Dimension]) -> bool {
    let block = ForallOp::from_op(op).region_block(rewriter.ir());
    if let Some(last) = rewriter.ir().last_op(block) {
        rewriter.erase_op(last);
    }
    let args: Vec<Value> = rows
        .iter()
        .map(|row| lower_value(rewriter, op, row))
        .collect();
    rewriter.inline_block_before(block, op, &args);
    rewriter.erase_op(op);
    true
}

/// A loop over `rows` with these outputs and the body of `op`, arguments at `gone` left out; stands in place of `op`.
/// Results of outputs that are left out must have been replaced before.
fn rebuild(
    rewriter: &mut dyn Rewriter,
    op: Op,
    rows: &[Dimension],
    outputs: &[Value],
    gone: &[usize],
) {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = ForallOp::from_op(op);
    let rank = view.static_upper_bound(ir).len();
    let column = |of: fn(&Dimension) -> Entry| rows.iter().map(of).collect::<Vec<Entry>>();
    let lists = [
        column(|row| row.lower),
        column(|row| row.upper),
        column(|row| row.step),
    ];
    let [lower, upper, step] = lists.each_ref().map(|list| mixed::open(list));
    let fixed = lists
        .each_ref()
        .map(|list| ctx.dense_i64_attr(&mixed::fixed(list)));
    let types: Vec<Type> = outputs.iter().map(|&value| ir.value_type(value)).collect();
    let (mapping, others) = (view.mapping_attr(ir), ir.discardable_attrs(op));
    let new = rewriter.build(op, |b| {
        let [low, high, by] = fixed;
        ForallOp::builder()
            .dynamic_lower_bound(&lower)
            .dynamic_upper_bound(&upper)
            .dynamic_step(&step)
            .outputs(outputs)
            .static_lower_bound(low)
            .static_upper_bound(high)
            .static_step(by)
            .mapping(mapping)
            .results_types(&types)
            .build(b)
    });
    let old_results: Vec<Value> = rewriter.ir().results(op).collect();
    let old_region = view.region(rewriter.ir());
    rewriter.modify(new.op(), &mut |ir| {
        ir.set_discardable_attrs(new.op(), others);
        let region = new.region(ir);
        ir.move_blocks(old_region, region);
        let block = new.region_block(ir);
        for &index in gone.iter().rev() {
            ir.erase_block_arg(block, index);
        }
    });
    let fresh = rewriter.ir().results(new.op());
    let kept = (0..).zip(&old_results);
    let kept = kept.filter(|&(index, _)| !gone.contains(&(rank + index)));
    let pairs: Vec<(Value, Value)> = kept.map(|row| *row.1).zip(fresh).collect();
    for (old, value) in pairs {
        rewriter.replace_value(old, value);
    }
    rewriter.erase_op(op);
}

/// The ops at the end that put something into an output; `None`: some are not known.
fn combining(ir: &Ir, view: ForallOp, arg: Value) -> Option<Vec<Op>> {
    let last = ir
        .last_op(view.region_block(ir))
        .and_then(|last| ir.cast::<InParallelOp>(last))?;
    let end = last.region_block(ir);
    let mut found = Vec::new();
    for user in ir.users(arg).filter(|&user| ir.block_of(user) == Some(end)) {
        if ir.op_name_str(user) != "tensor.parallel_insert_slice" || ir.num_operands(user) < 2 {
            return None;
        }
        if ir.operand(user, 1) == arg {
            found.push(user);
        }
    }
    Some(found)
}

/// Outputs whose result nobody uses, or that no iteration changes, are what is given.
fn drop_outputs(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = ForallOp::from_op(op);
    let rows = dimensions(ir, op);
    let outputs: Vec<Value> = view.outputs(ir).into_iter().collect();
    let args = ir.block_args(view.region_block(ir)).to_vec();
    let results: Vec<Value> = ir.results(op).collect();
    let mut gone: Vec<(usize, Vec<Op>)> = Vec::new();
    for (index, &result) in results.iter().enumerate() {
        let Some(&arg) = args.get(rows.len() + index) else {
            return false;
        };
        match combining(ir, view, arg) {
            Some(ops) if ops.is_empty() || !ir.has_uses(result) => gone.push((index, ops)),
            _ => {}
        }
    }
    if gone.is_empty() {
        return false;
    }
    for (index, ops) in &gone {
        ops.iter().for_each(|&op| rewriter.erase_op(op));
        rewriter.replace_value(args[rows.len() + index], outputs[*index]);
        rewriter.replace_value(results[*index], outputs[*index]);
    }
    let indices: Vec<usize> = gone.iter().map(|row| row.0).collect();
    let kept: Vec<Value> = (0..outputs.len())
        .filter(|index| !indices.contains(index))
        .map(|index| outputs[index])
        .collect();
    let args: Vec<usize> = indices.iter().map(|index| rows.len() + index).collect();
    rebuild(rewriter, op, &rows, &kept, &args);
    true
}

/// The only index of a dimension, where the dimension is mapped and so stays.
fn know_only_index(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let rows = dimensions(ir, op);
    let known: Vec<Dimension> = rows
        .into_iter()
        .filter(|row| ir.has_uses(row.arg) && iterations(ir, row) == Some(1))
        .collect();
    for row in &known {
        let lower = lower_value(rewriter, op, row);
        rewriter.replace_value(row.arg, lower);
    }
    !known.is_empty()
}

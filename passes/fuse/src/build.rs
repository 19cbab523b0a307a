//! Building: members of a cluster become one op, their bodies moved (never copied) into one body, in order.
//!
//! Work is linear in the bodies and in the uses of results, so that a chain of any length is fused in linear time.

use crate::plan::Cluster;
use crate::soac::{Parts, Soac, end_block, finish, fusible, row_type};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Block, Ir, Loc, Op, Type, Value};

/// Makes one op of a cluster in the place of its anchor; `None`, and nothing changed, where nobody uses any result.
pub(crate) fn build(ir: &mut Ir, cluster: &Cluster) -> Option<Op> {
    // As they are now: clusters built before this one have changed what its members read.
    let members: Vec<Soac> = cluster
        .members
        .iter()
        .filter_map(|member| fusible(ir, member.op))
        .collect();
    let members = &members;
    let escapes = escaping(ir, members);
    let combined: Vec<Value> = members
        .iter()
        .flat_map(|member| ir.results(member.op).take(member.combined()))
        .collect();
    if escapes.is_empty() && combined.iter().all(|&result| !ir.has_uses(result)) {
        return None;
    }
    let arrays = inputs(ir, members);
    let loc = ir.loc(cluster.anchor);
    let (body, elements) = Parts::body_over(ir, &arrays);
    let mut values: FxHashMap<Value, Value> = arrays.iter().copied().zip(elements).collect();
    let mut yields = Vec::new();
    for member in members {
        let mut own = move_body(ir, member, body, &values);
        let stored: Vec<Value> = member.stored(ir).collect();
        let made = own.split_off(own.len() - stored.len());
        if !member.flavour.stores() && !yields.is_empty() {
            // All go to the places of the first.
            own.drain(..own.len() - member.destinations.len());
        }
        yields.extend(own);
        values.extend(stored.into_iter().zip(made));
    }
    let kept = keep(ir, &arrays, &escapes, &values);
    let old: Vec<Value> = combined
        .into_iter()
        .chain(kept.stored.iter().copied())
        .collect();
    yields.extend(kept.stored.iter().map(|result| values[result]));
    end_block(ir, body, &yields, loc);
    let combine = merge_operators(ir, members, loc);
    let parts = Parts {
        start: members
            .iter()
            .flat_map(|member| member.start.iter().copied())
            .collect(),
        destinations: members
            .iter()
            .flat_map(|member| member.destinations.iter().copied())
            .collect(),
        combine,
        ..Parts::new(cluster.flavour, arrays, Some(body))
    };
    let results: Vec<Type> = old.iter().map(|&value| ir.value_type(value)).collect();
    for &op in cluster
        .hoisted
        .iter()
        .filter(|&&op| !ir.is_before(op, cluster.anchor))
        .collect::<Vec<_>>()
    {
        ir.move_before(op, cluster.anchor);
    }
    let new = finish(ir, &parts, &results, cluster.anchor);
    // First what stands for another result, then the results themselves.
    for (old, same) in kept.aliases {
        ir.replace_all_uses(old, same);
    }
    for (old, new) in old.into_iter().zip(ir.results(new)) {
        ir.replace_all_uses(old, new);
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
    }
    members
        .iter()
        .rev()
        .for_each(|member| ir.erase_op(member.op));
    Some(new)
}

/// Stored results that something outside of the cluster uses, in order.
fn escaping(ir: &Ir, members: &[Soac]) -> Vec<Value> {
    let inside: FxHashSet<Op> = members.iter().map(|member| member.op).collect();
    let outside = |value: &Value| ir.users(*value).any(|user| !inside.contains(&user));
    members
        .iter()
        .flat_map(|member| member.stored(ir))
        .filter(outside)
        .collect()
}

/// Arrays the members read and do not make, each once.
fn inputs(ir: &Ir, members: &[Soac]) -> Vec<Value> {
    let mut seen: FxHashSet<Value> = members
        .iter()
        .flat_map(|member| member.stored(ir))
        .collect();
    let all = members
        .iter()
        .flat_map(|member| member.arrays.iter().copied());
    all.filter(|&array| seen.insert(array)).collect()
}

/// Moves what a member does with elements to the end of `body`; what its body yields.
fn move_body(
    ir: &mut Ir,
    member: &Soac,
    body: Block,
    values: &FxHashMap<Value, Value>,
) -> Vec<Value> {
    let args: Vec<Value> = member.arrays.iter().map(|array| values[array]).collect();
    match member.body {
        Some(block) => move_block(ir, block, &args, body),
        None => args,
    }
}

/// Moves all but the terminator of `from` to the end of `to`, `args` standing for its arguments; what the terminator
/// forwards.
pub(crate) fn move_block(ir: &mut Ir, from: Block, args: &[Value], to: Block) -> Vec<Value> {
    move_ops(ir, from, args, |ir, op| ir.move_to_end(op, to))
}

/// The same, each op to where `put` puts it.
pub(crate) fn move_ops(
    ir: &mut Ir,
    from: Block,
    args: &[Value],
    put: impl Fn(&mut Ir, Op),
) -> Vec<Value> {
    for (formal, &actual) in ir.block_args(from).to_vec().into_iter().zip(args) {
        ir.replace_all_uses(formal, actual);
    }
    let last = ir.last_op(from);
    let yields = last
        .map(|last| ir.operands(last).collect())
        .unwrap_or_default();
    while let Some(op) = ir.first_op(from).filter(|&op| Some(op) != last) {
        put(ir, op);
    }
    yields
}

/// Which escaping results are stored.
struct Kept {
    stored: Vec<Value>,
    /// Results that are an input, or another result, element by element.
    aliases: Vec<(Value, Value)>,
}

fn keep(ir: &Ir, arrays: &[Value], escapes: &[Value], values: &FxHashMap<Value, Value>) -> Kept {
    let mut by_element: FxHashMap<Value, Value> = arrays
        .iter()
        .map(|&array| (values[&array], array))
        .collect();
    let mut kept = Kept {
        stored: Vec::new(),
        aliases: Vec::new(),
    };
    for &result in escapes {
        let known = by_element.get(&values[&result]).copied();
        match known.filter(|&known| ir.value_type(known) == ir.value_type(result)) {
            Some(same) => kept.aliases.push((result, same)),
            None => {
                by_element.insert(values[&result], result);
                kept.stored.push(result);
            }
        }
    }
    kept
}

/// The operators side by side: all accumulators, then all values. `None` where nothing is combined.
fn merge_operators(ir: &mut Ir, members: &[Soac], loc: Loc) -> Option<Block> {
    let blocks: Vec<Block> = members.iter().filter_map(|member| member.combine).collect();
    if blocks.is_empty() {
        return None;
    }
    let mut types: Vec<Type> = Vec::new();
    for &block in &blocks {
        let args = ir.block_args(block);
        types.extend(args[..args.len() / 2].iter().map(|&arg| ir.value_type(arg)));
    }
    let doubled: Vec<Type> = types.iter().chain(&types).copied().collect();
    let merged = ir.create_block(&doubled);
    let (left, right) = (
        ir.block_args(merged)[..types.len()].to_vec(),
        ir.block_args(merged)[types.len()..].to_vec(),
    );
    let (mut yields, mut first) = (Vec::new(), 0);
    for &block in &blocks {
        let half = ir.block_args(block).len() / 2;
        let own: Vec<Value> = left[first..first + half]
            .iter()
            .chain(&right[first..first + half])
            .copied()
            .collect();
        yields.extend(move_block(ir, block, &own, merged));
        first += half;
    }
    end_block(ir, merged, &yields, loc);
    Some(merged)
}

/// Whether a combinator alone is worth making anew: it stores what nobody reads, or reads an array twice.
pub(crate) fn is_wasteful(ir: &Ir, soac: &Soac) -> bool {
    let mut seen = FxHashSet::default();
    soac.stored(ir).any(|result| !ir.has_uses(result))
        || !soac.arrays.iter().all(|array| seen.insert(*array))
}

/// Whether what a member's body gets for an array of the cluster has the very type the body was written for.
pub(crate) fn types_agree(ir: &Ir, member: &Soac) -> bool {
    let args = match member.body {
        Some(body) => ir.block_args(body),
        None => match member.combine {
            Some(combine) => &ir.block_args(combine)[member.start.len()..],
            None => return true,
        },
    };
    let rows_agree = member
        .arrays
        .iter()
        .zip(args)
        .all(|(&array, &arg)| row_type(ir, array) == ir.value_type(arg));
    let yielded: Vec<Value> = match member.body.and_then(|body| ir.last_op(body)) {
        Some(last) => ir.operands(last).collect(),
        None => Vec::new(),
    };
    let stored: Vec<Value> = member.stored(ir).collect();
    let first = yielded.len().saturating_sub(stored.len());
    rows_agree
        && stored
            .iter()
            .zip(&yielded[first..])
            .all(|(&array, &value)| row_type(ir, array) == ir.value_type(value))
}

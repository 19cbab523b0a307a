//! Simplification of ops with `RegionBranch` once something is known about where control goes, asked through interfaces, so
//! that it holds for every dialect:
//!
//! * no region runs: the op is what it is given (`scf.for` without iterations);
//! * one region runs, once: its body stands in place of the op (`scf.if` on a constant, loops with one iteration);
//! * a region argument or a result that gets the same outside value on every way is that value;
//! * of arguments (or results) that get the same values on every way one is kept;
//! * arguments, results and what is handed to them go where nothing uses them.

use rustc_hash::FxHashMap;
use segra_ir::build::OpState;
use segra_ir::interfaces::{
    LoopLike, RegionBranch, RegionEdge, RegionSuccessor, Rewriter, constant_of, region_edges,
};
use segra_ir::{Attr, Block, Builder, InsertPoint, Ir, Op, Value};
use smallvec::{SmallVec, smallvec};

/// Name of this simplification among patterns.
pub const REGION_BRANCH: &str = "region-branch";

/// Simplifies `op` by what is known of its control flow. Whether something changed; `op` may be erased then.
pub fn simplify_structured(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    if ir.regions(op).is_empty() || ir.interface::<dyn RegionBranch>(op).is_none() {
        return false;
    }
    skip_or_inline(rewriter, op)
        || forward_outside_values(rewriter, op)
        || merge_equal_inputs(rewriter, op)
        || drop_unused(rewriter, op)
}

fn constants(ir: &Ir, op: Op) -> SmallVec<[Option<Attr>; 4]> {
    ir.operands(op)
        .map(|value| constant_of(ir, value))
        .collect()
}

fn skip_or_inline(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some(model) = ir.interface::<dyn RegionBranch>(op) else {
        return false;
    };
    if model.is_kept(ir, op) {
        return false;
    }
    let entry = model.entry_successors(ir, op, &constants(ir, op));
    match entry[..] {
        [RegionSuccessor::Parent] => {
            let values: Vec<Value> = forwarded(
                ir,
                op,
                model.entry_forwarded(ir, op, RegionSuccessor::Parent),
            );
            if values.len() != ir.num_results(op) {
                return false;
            }
            rewriter.replace_op(op, &values);
            true
        }
        [RegionSuccessor::Region(region)] => {
            let Some((block, args)) = runs_once(ir, op, model, region) else {
                return false;
            };
            let Some(last) = ir.last_op(block) else {
                return false;
            };
            let range = model.exit_forwarded(ir, op, last, RegionSuccessor::Parent);
            if range.len() != ir.num_results(op) {
                return false;
            }
            rewriter.inline_block_before(block, op, &args);
            let values = forwarded(rewriter.ir(), last, range);
            rewriter.replace_op(op, &values);
            rewriter.erase_op(last);
            true
        }
        _ => false,
    }
}

fn forwarded(ir: &Ir, op: Op, range: std::ops::Range<usize>) -> Vec<Value> {
    range.map(|position| ir.operand(op, position)).collect()
}

/// The block of a region that runs exactly once, and the values of its arguments.
fn runs_once(
    ir: &Ir,
    op: Op,
    model: &dyn RegionBranch,
    region: segra_ir::Region,
) -> Option<(Block, Vec<Value>)> {
    let block = ir.entry_block(region)?;
    let last = ir
        .last_op(block)
        .filter(|_| ir.next_block(block).is_none())?;
    let looped = ir.interface::<dyn LoopLike>(op);
    let leaves = model.exit_successors(ir, op, region, last, &constants(ir, last))
        == [RegionSuccessor::Parent];
    if !leaves && looped.and_then(|looped| looped.trip_count(ir, op)) != Some(1) {
        return None;
    }
    let to = RegionSuccessor::Region(region);
    let mut known: FxHashMap<Value, Value> = model
        .inputs(ir, op, to)
        .into_iter()
        .zip(forwarded(ir, op, model.entry_forwarded(ir, op, to)))
        .collect();
    if let Some(looped) = looped {
        let first = looped.bounds(ir, op).into_iter().map(|bounds| bounds.lower);
        known.extend(looped.induction_vars(ir, op).into_iter().zip(first));
    }
    let args: Option<Vec<Value>> = ir
        .block_args(block)
        .iter()
        .map(|arg| known.get(arg).copied())
        .collect();
    Some((block, args?))
}

/// The values each input gets, edge by edge.
fn incoming(ir: &Ir, edges: &[RegionEdge]) -> Vec<(Value, SmallVec<[Value; 2]>)> {
    let mut order: Vec<(Value, SmallVec<[Value; 2]>)> = Vec::new();
    let mut index: FxHashMap<Value, usize> = FxHashMap::default();
    for edge in edges {
        for (&input, position) in edge.inputs.iter().zip(edge.operands.clone()) {
            let slot = *index.entry(input).or_insert_with(|| {
                order.push((input, SmallVec::new()));
                order.len() - 1
            });
            order[slot].1.push(ir.operand(edge.from, position));
        }
    }
    order
}

fn forward_outside_values(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some(edges) = region_edges(ir, op) else {
        return false;
    };
    let rows = incoming(ir, &edges);
    let known = outside_values(ir, op, &rows);
    let mut found: Vec<(Value, Value)> = Vec::new();
    for (input, _) in &rows {
        if let Some(Origin::Is(value)) = known.get(input).filter(|_| ir.has_uses(*input)) {
            found.push((*input, *value));
        }
    }
    for &(input, value) in &found {
        rewriter.replace_value(input, value);
    }
    !found.is_empty()
}

/// Where what an input gets comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Always this value from outside of the op.
    Is(Value),
    /// Different values, or one from inside.
    Varies,
}

/// The outside value each input always is. An input is taken to be what it first gets until another way says
/// otherwise, so that values that are only handed around in circles are found too.
fn outside_values(
    ir: &Ir,
    op: Op,
    rows: &[(Value, SmallVec<[Value; 2]>)],
) -> FxHashMap<Value, Origin> {
    let inputs: FxHashMap<Value, usize> = rows
        .iter()
        .enumerate()
        .map(|(number, row)| (row.0, number))
        .collect();
    let mut takers: FxHashMap<Value, SmallVec<[usize; 2]>> = FxHashMap::default();
    for (number, (_, values)) in rows.iter().enumerate() {
        for value in values.iter().filter(|value| inputs.contains_key(value)) {
            takers.entry(*value).or_default().push(number);
        }
    }
    let mut known: FxHashMap<Value, Origin> = FxHashMap::default();
    let mut pending: Vec<usize> = (0..rows.len()).rev().collect();
    while let Some(number) = pending.pop() {
        let (input, values) = &rows[number];
        let mut met: Option<Origin> = None;
        for value in values {
            let origin = match inputs.get(value) {
                Some(_) => match known.get(value) {
                    Some(origin) => *origin,
                    None => continue,
                },
                None if ir.is_defined_outside(*value, op) => Origin::Is(*value),
                None => Origin::Varies,
            };
            met = Some(if met.is_none_or(|met| met == origin) {
                origin
            } else {
                Origin::Varies
            });
        }
        let Some(met) = met.filter(|met| known.get(input) != Some(met)) else {
            continue;
        };
        known.insert(*input, met);
        pending.extend(takers.get(input).into_iter().flatten());
    }
    known
}

/// How often classes of inputs are split before one gives up: what is forwarded around a long circle splits one by one.
const MOST_SPLITS: usize = 16;

/// Of inputs of one place that get the same values on every way, all uses become uses of the first.
fn merge_equal_inputs(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some(edges) = region_edges(ir, op) else {
        return false;
    };
    let rows = incoming(ir, &edges);
    if rows.len() < 2 {
        return false;
    }
    let Some(classes) = equal_inputs(ir, &rows) else {
        return false;
    };
    let mut first: FxHashMap<usize, Value> = FxHashMap::default();
    let mut merged: Vec<(Value, Value)> = Vec::new();
    for ((input, _), class) in rows.iter().zip(classes) {
        let kept = *first.entry(class).or_insert(*input);
        if kept != *input && ir.has_uses(*input) {
            merged.push((*input, kept));
        }
    }
    for &(input, kept) in &merged {
        rewriter.replace_value(input, kept);
    }
    !merged.is_empty()
}

/// A number for each input, the same for inputs of one place that always get the same; `None`: it takes too long to tell.
fn equal_inputs(ir: &Ir, rows: &[(Value, SmallVec<[Value; 2]>)]) -> Option<Vec<usize>> {
    /// The value of an input: another input, by its class, or any other value.
    #[derive(PartialEq, Eq, Hash)]
    enum Got {
        Input(usize),
        Value(Value),
    }
    let number: FxHashMap<Value, usize> = rows
        .iter()
        .enumerate()
        .map(|(number, row)| (row.0, number))
        .collect();
    let place = |value: Value| {
        ir.defining_op(value)
            .map_or(ir.value_block(value), |_| None)
    };
    let mut starts: FxHashMap<_, usize> = FxHashMap::default();
    let mut classes: Vec<usize> = Vec::with_capacity(rows.len());
    for (input, values) in rows {
        let fresh = starts.len();
        let key = (place(*input), ir.value_type(*input), values.len());
        classes.push(*starts.entry(key).or_insert(fresh));
    }
    let mut count = starts.len();
    for _ in 0..MOST_SPLITS {
        if count == rows.len() {
            return None;
        }
        let mut split: FxHashMap<(usize, SmallVec<[Got; 2]>), usize> = FxHashMap::default();
        let mut next: Vec<usize> = Vec::with_capacity(rows.len());
        for (index, (_, values)) in rows.iter().enumerate() {
            let got = values
                .iter()
                .map(|value| {
                    number
                        .get(value)
                        .map_or(Got::Value(*value), |&other| Got::Input(classes[other]))
                })
                .collect();
            let fresh = split.len();
            next.push(*split.entry((classes[index], got)).or_insert(fresh));
        }
        let settled = split.len() == count;
        (classes, count) = (next, split.len());
        if settled {
            return Some(classes);
        }
    }
    None
}

/// The places of one op's control flow that must be dropped together: classes of linked inputs and operand positions.
struct Ports {
    parent: Vec<usize>,
    of_input: FxHashMap<Value, usize>,
    of_operand: FxHashMap<(Op, usize), usize>,
}

impl Ports {
    fn of(edges: &[RegionEdge]) -> Ports {
        let mut ports = Ports {
            parent: Vec::new(),
            of_input: FxHashMap::default(),
            of_operand: FxHashMap::default(),
        };
        for edge in edges {
            for (&input, position) in edge.inputs.iter().zip(edge.operands.clone()) {
                let a = *ports
                    .of_input
                    .entry(input)
                    .or_insert_with(|| new_port(&mut ports.parent));
                let b = *ports
                    .of_operand
                    .entry((edge.from, position))
                    .or_insert_with(|| new_port(&mut ports.parent));
                let (a, b) = (ports.find(a), ports.find(b));
                ports.parent[a] = b;
            }
        }
        ports
    }
    fn find(&mut self, mut port: usize) -> usize {
        while self.parent[port] != port {
            self.parent[port] = self.parent[self.parent[port]];
            port = self.parent[port];
        }
        port
    }
}

fn new_port(parent: &mut Vec<usize>) -> usize {
    parent.push(parent.len());
    parent.len() - 1
}

fn drop_unused(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some(edges) = region_edges(ir, op) else {
        return false;
    };
    let mut ports = Ports::of(&edges);
    // Few: most ops have them on the stack.
    let mut used: SmallVec<[bool; 64]> = smallvec![false; ports.parent.len()];
    let inputs: SmallVec<[(Value, usize); 16]> = ports
        .of_input
        .iter()
        .map(|(&value, &port)| (value, port))
        .collect();
    for (input, port) in inputs {
        let class = ports.find(port);
        for slot in ir.uses(input) {
            let place = (ir.use_owner(slot), ir.use_index(slot));
            let within = ports
                .of_operand
                .get(&place)
                .copied()
                .map(|port| ports.find(port))
                == Some(class);
            used[class] |= !within;
        }
    }
    drop_classes(rewriter, op, &mut ports, &used)
}

fn drop_classes(rewriter: &mut dyn Rewriter, op: Op, ports: &mut Ports, used: &[bool]) -> bool {
    let ir = rewriter.ir();
    let segmented = ir
        .info(op)
        .is_none_or(|info| info.result_segments.is_some());
    if used.iter().all(|&used| used) || segmented {
        return false;
    }
    let mut dead_operands: FxHashMap<Op, Vec<usize>> = FxHashMap::default();
    for ((from, position), port) in ports.of_operand.clone() {
        if !used[ports.find(port)] {
            dead_operands.entry(from).or_default().push(position);
        }
    }
    let inputs = ports.of_input.clone();
    let dead_inputs: rustc_hash::FxHashSet<Value> = inputs
        .into_iter()
        .filter(|&(_, port)| !used[ports.find(port)])
        .map(|row| row.0)
        .collect();
    if dead_inputs.is_empty() {
        return false;
    }
    let mut owners: Vec<Op> = dead_operands.keys().copied().collect();
    owners.sort_unstable();
    for from in owners {
        let positions = &dead_operands[&from];
        rewriter.modify(from, &mut |ir| remove_operands(ir, from, positions));
    }
    let ir = rewriter.ir();
    let blocks: Vec<Block> = ir
        .regions(op)
        .iter()
        .filter_map(|&region| ir.entry_block(region))
        .collect();
    rewriter.modify(op, &mut |ir| {
        for &block in &blocks {
            let dead: Vec<bool> = ir
                .block_args(block)
                .iter()
                .map(|arg| dead_inputs.contains(arg))
                .collect();
            ir.retain_block_args(block, |index| !dead[index]);
        }
    });
    let kept: Vec<Value> = rewriter
        .ir()
        .results(op)
        .filter(|result| !dead_inputs.contains(result))
        .collect();
    if kept.len() < rewriter.ir().num_results(op) {
        with_fewer_results(rewriter, op, &kept);
    }
    true
}

/// Removes operands at these positions; segment sizes follow.
fn remove_operands(ir: &mut Ir, op: Op, positions: &[usize]) {
    let groups = ir.info(op).map_or(0, |info| info.def.operands.len());
    if groups == 0 {
        let kept: Vec<Value> = ir
            .operands(op)
            .enumerate()
            .filter(|row| !positions.contains(&row.0))
            .map(|row| row.1)
            .collect();
        ir.set_operands(op, &kept);
        return;
    }
    for group in (0..groups).rev() {
        let range = ir.operand_group(op, group);
        let kept: Vec<Value> = range
            .clone()
            .filter(|position| !positions.contains(position))
            .map(|position| ir.operand(op, position))
            .collect();
        if kept.len() < range.len() {
            ir.set_operand_group(op, group, &kept);
        }
    }
}

/// Replaces `op` by one that has only the results `kept`, and the same regions.
fn with_fewer_results(rewriter: &mut dyn Rewriter, op: Op, kept: &[Value]) {
    let point = InsertPoint::Before(op);
    let loc = rewriter.ir().loc(op);
    let mut made = None;
    rewriter.build_at(point, loc, &mut |b: &mut Builder<'_>| {
        let ir = &mut *b.ir;
        let mut state = OpState::new(ir.op_name(op), loc);
        state.operands = ir.operands(op).collect();
        state.result_types = kept.iter().map(|&value| ir.value_type(value)).collect();
        state.regions = ir.regions(op).len();
        let (properties, attrs) = (ir.properties(op), ir.discardable_attrs(op));
        let new = b.insert(state);
        b.ir.set_properties(new, properties);
        b.ir.set_discardable_attrs(new, attrs);
        for index in 0..b.ir.regions(op).len() {
            let (from, to) = (b.ir.region(op, index), b.ir.region(new, index));
            b.ir.move_blocks(from, to);
        }
        made = Some(new);
    });
    let Some(new) = made else { return };
    for (index, &old) in kept.iter().enumerate() {
        let value = rewriter.ir().result(new, index);
        let name = rewriter.ir().value_name(old);
        if let Some(name) = name {
            rewriter.modify(new, &mut |ir| ir.set_value_name(value, name));
        }
        rewriter.replace_value(old, value);
    }
    rewriter.erase_op(op);
}

//! Maps of a stencil's results, maps before it and other stencils over its points become part of it.
//!
//! ```text
//! %ys = array.stencil (%a, %b in %xs at [-1, 1] clamp) { f(%a, %b) }
//! %zs = array.map (%y in %ys, %w in %ws) { g(%y, %w) }
//!   ==>
//! %zs = array.stencil (%a, %b in %xs at [-1, 1] clamp, %w in %ws at [0]) { g(f(%a, %b), %w) }
//! ```
//! Nothing is computed twice: a result that only the other one read is not stored and not read back, results that others read, too,
//! are returned beside, and arrays that both read are read once. Two that do not depend on each other are joined where both are
//! stencils that read the same arrays, if that spares bytes and tiles stay about as large. One that reads the other's results is
//! joined with it, as long as there is a tile for both.
//!
//! Legality: two ops of a block over one space, stencils or perfect nests of maps as deep as their arrays have dimensions, at
//! least one of them a stencil. The second reads results of the first at the point itself, or none of them. The second body
//! does nothing but compute and cannot stop; so does the first, or it stays where it is. The one op stands where the second did, if no use
//! of the first is before that, or else where the first did, if all that the second needs is there. Sizes are compared by
//! identity ([`segra_array::identity`]).
//!
//! Linear in the block: each op is tried with what makes its arrays and with the last stencil before it that reads one of them.

use super::fed::{is_closed, ops_of, read_bytes, tile};
use super::{is_stored, nest_of};
use crate::views::detached_copy;
use rustc_hash::FxHashMap;
use segra_array::combinator::is_scheduled;
use segra_array::identity::{Extent, extent, extent_of};
use segra_array::soac::YieldOp;
use segra_array::stencil::{Neighbours, StencilOp, build, common_sizes, neighbour_types};
use segra_array::types::{Size, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Block, Builder, Ir, Op, OpView, Value};
use segra_space::{StencilTile, Target, stencil_tiles};
use segra_std::boundary::Boundary;

/// Two stencils apart read this many times the bytes that one for both does, at least.
const WORTH: f64 = 1.25;

/// Joins what can be joined with the stencils of a block; how many ops went.
pub(crate) fn merge_block(ir: &mut Ir, block: Block) -> u64 {
    if !ir.ops(block).any(|op| ir.isa::<StencilOp>(op)) {
        return 0;
    }
    let mut merged = 0;
    // The last stencil that reads an array.
    let mut readers: FxHashMap<Value, Op> = FxHashMap::default();
    let ops: Vec<Op> = ir.ops(block).collect();
    for op in ops {
        let Some(mut second) = Member::of(ir, op) else {
            continue;
        };
        while let Some(one) = second.join(ir, &readers) {
            second = one;
            merged += 1;
        }
        if second.is_stencil {
            for input in &second.inputs {
                readers.insert(input.array, second.op);
            }
        }
    }
    merged
}

/// Whether only the elements at the points themselves are read.
fn is_still(input: &Neighbours) -> bool {
    input.offsets.iter().flatten().all(|&offset| offset == 0)
}

/// Whether an array is no view, whose elements only maps see through to.
fn is_made(ir: &Ir, array: Value) -> bool {
    is_stored(ir, array) || ir.def_as::<StencilOp>(array).is_some()
}

/// The inputs of a nest of maps as those of a stencil that reads no neighbours, and its body.
fn still_nest(ir: &Ir, op: Op) -> Option<(Vec<Neighbours>, Block)> {
    let nest = nest_of(ir, op)?;
    let still = |array| Neighbours {
        array,
        offsets: vec![vec![0; nest.depth]],
        boundary: Boundary::Inside,
    };
    let inputs = nest.inputs.iter().copied().map(still).collect();
    let plain = nest.inputs.iter().all(|&array| is_made(ir, array));
    (plain && is_closed(ir, op, nest.body)).then_some((inputs, nest.body))
}

/// A stencil, or a nest of maps.
struct Member {
    op: Op,
    is_stencil: bool,
    /// Those read at the points themselves, where there is an element at each, are read inside whatever their rule was.
    inputs: Vec<Neighbours>,
    /// By input: its function for elements outside.
    outside: Vec<Option<Block>>,
    sizes: Vec<Value>,
    body: Block,
    space: Vec<Extent>,
}

impl Member {
    fn of(ir: &Ir, op: Op) -> Option<Member> {
        ir.block_of(op).filter(|_| !is_scheduled(ir, op))?;
        let stencil = ir.cast::<StencilOp>(op);
        let (mut inputs, sizes, body) = match stencil {
            Some(stencil) => (
                stencil.inputs(ir),
                stencil.sizes(ir),
                stencil.body_block(ir),
            ),
            None => {
                let (inputs, body) = still_nest(ir, op)?;
                (inputs, Vec::new(), body)
            }
        };
        let rank = inputs.first()?.offsets.first()?.len();
        let space: Vec<Extent> = match sizes.is_empty() {
            true => (0..rank)
                .map(|dim| extent_of(ir, inputs[0].array, dim))
                .collect(),
            false => sizes.iter().map(|&size| extent(ir, size)).collect(),
        };
        let of_space = |input: &Neighbours| {
            let mut dims = space.iter().enumerate();
            dims.all(|(dim, &known)| extent_of(ir, input.array, dim) == known)
        };
        if sizes.is_empty() && !inputs.iter().all(of_space) {
            return None;
        }
        let regions = stencil.map_or_else(Vec::new, |stencil| stencil.outside(ir).to_vec());
        let mut functions = regions.into_iter();
        let mut outside = Vec::new();
        for input in &mut inputs {
            let function = match input.boundary {
                Boundary::Outside => functions.next(),
                _ => None,
            };
            let is_inside = is_still(input) && of_space(input);
            if is_inside {
                input.boundary = Boundary::Inside;
            }
            let function = function.filter(|_| !is_inside);
            outside.push(function.and_then(|region| ir.entry_block(region)));
        }
        Some(Member {
            op,
            is_stencil: stencil.is_some(),
            inputs,
            outside,
            sizes,
            body,
            space,
        })
    }

    /// The one op of this and of one before it, if there is one that it may be joined with.
    fn join(&self, ir: &mut Ir, readers: &FxHashMap<Value, Op>) -> Option<Member> {
        let block = ir.block_of(self.op);
        let mut others: Vec<Op> = Vec::new();
        for input in &self.inputs {
            others.extend(ir.defining_op(input.array));
        }
        if self.is_stencil {
            let arrays = self.inputs.iter().map(|input| input.array);
            others.extend(arrays.filter_map(|array| readers.get(&array)));
        }
        let mut tried: Vec<Op> = vec![self.op];
        for other in others {
            if tried.contains(&other) || ir.block_of(other) != block {
                continue;
            }
            tried.push(other);
            let first = Member::of(ir, other);
            if let Some(pair) = first.and_then(|first| Pair::of(ir, first, self)) {
                return pair.build(ir);
            }
        }
        None
    }

    /// Whether the body, and functions for elements outside, do nothing but compute, and cannot stop.
    fn computes(&self, ir: &Ir) -> bool {
        let blocks = self.outside.iter().flatten().chain([&self.body]);
        let ops = blocks.flat_map(|&block| {
            let last = ir.last_op(block);
            ir.ops(block).filter(move |&op| Some(op) != last)
        });
        let pure =
            |op: Op| !ir.regions(op).is_empty() || is_pure(ir, op) && is_speculatable(ir, op);
        let mut ops = ops.flat_map(|op| ir.walk(op));
        ops.all(pure)
    }

    /// The tile that it runs in.
    fn tile(&self, ir: &Ir) -> Option<StencilTile> {
        tile(ir, &self.inputs, ops_of(ir, &self.inputs, &[self.body]))
    }

    /// The sizes that the types of its results have.
    fn result_sizes(&self, ir: &Ir) -> Vec<Size> {
        let result = ir.results(self.op).next();
        result.map_or_else(Vec::new, |result| {
            sizes_and_element(ir.ctx(), ir.value_type(result)).0
        })
    }
}

/// The place of the elements of an input of the second.
enum Source {
    /// A result of the first, at the point itself.
    Result(usize),
    Group(usize),
}

/// Two that become one.
struct Pair<'a> {
    first: Member,
    second: &'a Member,
    groups: Groups,
    /// By input of the first: its group.
    first_groups: Vec<usize>,
    /// By input of the second: what has its elements.
    sources: Vec<Source>,
    /// Where the one op stands.
    place: Op,
}

impl Pair<'_> {
    fn of<'a>(ir: &Ir, first: Member, second: &'a Member) -> Option<Pair<'a>> {
        if !first.is_stencil && !second.is_stencil {
            return None;
        }
        let results: Vec<Value> = ir.results(first.op).collect();
        let mut fed = (second.inputs.iter()).filter(|input| results.contains(&input.array));
        let (is_fed, at_points) = (fed.clone().next().is_some(), fed.all(is_still));
        let sized = match (first.sizes.is_empty(), second.sizes.is_empty()) {
            (true, true) => true,
            // One without sizes of its own reads nothing but its points.
            (false, true) => second.inputs.iter().all(is_still) && !second.is_stencil,
            (true, false) => first.inputs.iter().all(is_still) && !first.is_stencil,
            (false, false) => true,
        };
        let alike = first.space == second.space
            && first.result_sizes(ir) == second.result_sizes(ir)
            && at_points;
        if !alike || !sized || !second.computes(ir) {
            return None;
        }
        let mut groups = Groups::default();
        let read = first.inputs.iter().zip(&first.outside);
        let first_groups = read.map(|read| groups.add(read)).collect();
        let made = |input: &Neighbours| results.iter().position(|&result| result == input.array);
        let sources = (second.inputs.iter().zip(&second.outside))
            .map(|read| match made(read.0) {
                Some(result) => Source::Result(result),
                None => Source::Group(groups.add(read)),
            })
            .collect();
        let pair = Pair {
            place: place(ir, &first, second)?,
            first,
            second,
            groups,
            first_groups,
            sources,
        };
        pair.pays(ir, is_fed).then_some(pair)
    }

    /// Whether the op may be as large, and runs in tiles as the two did.
    fn pays(&self, ir: &Ir, is_fed: bool) -> bool {
        let (first, second) = (&self.first, self.second);
        let results = ir.num_results(first.op) + ir.num_results(second.op);
        if self.groups.inputs.len() + results > Target::CUDA.most_arrays {
            return false;
        }
        let arrays: Vec<Value> = self.groups.inputs.iter().map(|input| input.array).collect();
        let sized = !first.sizes.is_empty() || !second.sizes.is_empty();
        if !sized && common_sizes(ir, &arrays) != first.result_sizes(ir) {
            return false;
        }
        let (inputs, bodies) = (&self.groups.inputs, [first.body, second.body]);
        let both = tile(ir, inputs, ops_of(ir, inputs, &bodies));
        let each = [first.tile(ir), second.tile(ir)];
        let tiles: Vec<&StencilTile> = each.iter().flatten().collect();
        if both.is_none() && !tiles.is_empty() {
            return false;
        }
        if is_fed {
            return true;
        }
        // Others are left to the chains that they are part of.
        let reads = |one: &Member, other: &Member| {
            let mut arrays = one.inputs.iter().map(|input| input.array);
            arrays.all(|array| other.inputs.iter().any(|input| input.array == array))
        };
        if !reads(first, second) || !reads(second, first) {
            return false;
        }
        // Tiles one size smaller are as good, but for what they read around them.
        let sizes = stencil_tiles(first.space.len());
        let number = |tile: &StencilTile| sizes.iter().position(|known| known == tile);
        let next = both.as_ref().and_then(&number).unwrap_or(0);
        let near = tiles
            .iter()
            .all(|tile| number(tile).is_some_and(|at| next <= at + 1));
        let [one, other] = &each;
        let apart = read_bytes(ir, &first.inputs, one.as_ref())
            + read_bytes(ir, &second.inputs, other.as_ref());
        let joined = read_bytes(ir, inputs, both.as_ref());
        near && joined * WORTH <= apart
    }

    fn build(self, ir: &mut Ir) -> Option<Member> {
        let (first, second) = (&self.first, self.second);
        let old: Vec<Value> = ir.results(first.op).collect();
        let kept: Vec<usize> = (0..old.len())
            .filter(|&at| ir.users(old[at]).any(|user| user != second.op))
            .collect();
        let loc = ir.loc(self.place);
        let types = neighbour_types(ir, &self.groups.inputs);
        let body = ir.create_block(&types);
        let args = ir.block_args(body).to_vec();
        let mut inner = Builder::at_end(ir, body, loc);
        let mut elements: Vec<Value> = Vec::new();
        for (input, &group) in first.inputs.iter().zip(&self.first_groups) {
            elements.extend(self.groups.elements(group, &input.offsets, &args));
        }
        let made = inner.clone_block_body(first.body, &elements, &mut Mapping::new());
        elements.clear();
        for (input, source) in second.inputs.iter().zip(&self.sources) {
            match *source {
                Source::Result(at) => elements.extend(vec![made[at]; input.offsets.len()]),
                Source::Group(group) => {
                    elements.extend(self.groups.elements(group, &input.offsets, &args));
                }
            }
        }
        let more = inner.clone_block_body(second.body, &elements, &mut Mapping::new());
        let yields: Vec<Value> = kept.iter().map(|&at| made[at]).chain(more).collect();
        YieldOp::build(&mut inner, &yields);
        let outside = self.groups.outside.iter().flatten();
        let outside: Vec<Block> = outside.map(|&block| detached_copy(ir, block)).collect();
        let sizes = match first.sizes.is_empty() {
            true => second.sizes.clone(),
            false => first.sizes.clone(),
        };
        let space = first.result_sizes(ir);
        let mut b = Builder::before(ir, self.place);
        let one = build(
            &mut b,
            &self.groups.inputs,
            (&sizes, &space),
            body,
            &outside,
        );
        let results = one.results(b.ir);
        for (&at, &result) in kept.iter().zip(&results) {
            ir.replace_all_uses(old[at], result);
        }
        ir.replace_op(second.op, &results[kept.len()..]);
        ir.erase_op(first.op);
        Member::of(ir, one.op())
    }
}

/// Where the one op may stand.
fn place(ir: &Ir, first: &Member, second: &Member) -> Option<Op> {
    let block = ir.block_of(second.op);
    if !ir.is_before(first.op, second.op) {
        return None;
    }
    let behind = |user: Op| {
        user == second.op
            || ir
                .ancestors(user)
                .find(|&op| ir.block_of(op) == block)
                .is_some_and(|above| ir.is_before(second.op, above))
    };
    let mut users = ir.results(first.op).flat_map(|result| ir.users(result));
    if first.computes(ir) && users.all(behind) {
        return Some(second.op);
    }
    let results: Vec<Value> = ir.results(first.op).collect();
    let there = |value: Value| match ir.defining_op(value) {
        Some(made) if ir.block_of(made) == block => ir.is_before(made, first.op),
        _ => true,
    };
    let needs = ir
        .walk(second.op)
        .into_iter()
        .flat_map(|op| ir.operands(op).map(move |value| (op, value)));
    let mut needs = needs.filter(|&(op, value)| {
        let fed = op == second.op && results.contains(&value);
        !fed && !ir.is_defined_inside(value, second.op)
    });
    needs.all(|(_, value)| there(value)).then_some(first.op)
}

/// The inputs of both, each array once for a rule.
#[derive(Default)]
struct Groups {
    inputs: Vec<Neighbours>,
    /// By input: its function for elements outside.
    outside: Vec<Option<Block>>,
}

/// Whether an input has the same elements by every rule.
fn has_no_rule(input: &Neighbours) -> bool {
    input.boundary == Boundary::Inside
}

impl Groups {
    /// The one that has an input's elements, or may have them.
    fn position(&self, input: &Neighbours) -> Option<usize> {
        self.inputs.iter().position(|known| {
            // Functions for elements outside stay with their input.
            let rule = known.boundary == input.boundary && input.boundary != Boundary::Outside;
            known.array == input.array && (rule || has_no_rule(input) || has_no_rule(known))
        })
    }

    /// The number of the group that has an input's elements from now on.
    fn add(&mut self, (input, &outside): (&Neighbours, &Option<Block>)) -> usize {
        let Some(at) = self.position(input) else {
            self.inputs.push(input.clone());
            self.outside.push(outside);
            return self.inputs.len() - 1;
        };
        let known = &mut self.inputs[at];
        if has_no_rule(known) {
            known.boundary = input.boundary;
            self.outside[at] = outside;
        }
        for offset in &input.offsets {
            if !known.offsets.contains(offset) {
                known.offsets.push(offset.clone());
            }
        }
        at
    }

    /// The arguments that stand for elements of an input.
    fn elements<'a>(
        &'a self,
        group: usize,
        offsets: &'a [Vec<i64>],
        args: &'a [Value],
    ) -> impl Iterator<Item = Value> + 'a {
        let before = self.inputs[..group].iter();
        let start: usize = before.map(|input| input.offsets.len()).sum();
        let known = &self.inputs[group].offsets;
        let places = offsets
            .iter()
            .map(move |offset| known.iter().position(|known| known == offset));
        places.flatten().map(move |at| args[start + at])
    }
}

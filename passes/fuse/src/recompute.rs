//! Computing again: an array that is cheap to compute from what is there anyway is not stored.
//!
//! ```text
//! %s, %ys = array.redomap (%x in %xs) { %y = %x - %mean }      %s = array.redomap (%x in %xs) { %x - %mean }
//! %zs = array.map (%y in %ys) { %y / %s }                  =>  %zs = array.map (%x in %xs) { (%x - %mean) / %s }
//! ```
//!
//! For arrays that fusion could not make disappear, because something between needs a whole result, or because a loop
//! reads them in every round. Conditions: every use is an input of a combinator of the same block, or of a loop or branch
//! in it; each element is a few scalar operations on elements of inputs that cannot stop the program; and what is then
//! read and computed by all readers, as often as they run, costs less than storing the array and reading it (see `cost`).
//! Nothing else is ever computed twice: what is expensive stays before a loop.

use crate::build::types_agree;
use crate::cost::{BYTES_PER_WORK, bytes, is_array};
use crate::soac::{Flavour, Parts, Soac, end_block, finish, fusible, has_parallelism};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::combinator::is_combinator;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable, work_of};
use segra_ir::{Block, Builder, Ir, Op, Type, Value, ValueDef};

/// How often a loop runs of which nothing is known.
const ASSUMED_TRIPS: f64 = 16.0;
/// Operations that make an element, at most.
const MOST_OPS: usize = 6;

/// Removes stored arrays of a block; how many.
pub(crate) fn recompute_block(ir: &mut Ir, block: Block) -> u64 {
    let mut removed = 0;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        let Some(soac) =
            fusible(ir, op).filter(|soac| soac.flavour.stores() && soac.body.is_some())
        else {
            next = ir.next_op(op);
            continue;
        };
        let first = soac.combined();
        for (index, result) in soac.stored(ir).enumerate().collect::<Vec<_>>() {
            let readers = readers(ir, block, result);
            let recipe = recipe(ir, &soac, first, index);
            if let (Some(readers), Some(recipe)) = (readers, recipe)
                && pays(ir, &soac, result, &readers, &recipe)
            {
                readers
                    .iter()
                    .for_each(|reader| inline(ir, reader.op, result, &recipe));
                removed += 1;
            }
        }
        // Readers have been made anew.
        next = ir.next_op(op);
        if ir.results(op).all(|result| !ir.has_uses(result))
            && segra_ir::interfaces::is_removable(ir, op)
        {
            ir.erase_op(op);
        }
    }
    removed
}

/// How an element of an array is made.
struct Recipe {
    /// Ops of the producer's body, in order.
    ops: Vec<Op>,
    /// The kind of the element.
    value: Value,
    /// Body arguments used, with the arrays they are elements of.
    inputs: Vec<(Value, Value)>,
    work: u64,
}

/// A combinator that reads a result.
struct Reader {
    op: Op,
    /// How often it runs.
    times: f64,
}

/// The combinators that read a result, if all its uses are such, in order.
fn readers(ir: &Ir, block: Block, result: Value) -> Option<Vec<Reader>> {
    let mut readers: Vec<Reader> = Vec::new();
    for id in ir.uses(result) {
        let op = ir.use_owner(id);
        if !is_combinator(ir, op) {
            return None;
        }
        let soac = fusible(ir, op)?;
        let plain = soac.body.is_some() || !has_parallelism(ir, &soac);
        if ir.use_index(id) >= soac.arrays.len() || !plain || !types_agree(ir, &soac) {
            return None;
        }
        if readers.iter().all(|reader| reader.op != op) {
            readers.push(Reader {
                op,
                times: times(ir, block, op)?,
            });
        }
        // More readers than this never pay.
        if readers.len() > 8 {
            return None;
        }
    }
    (!readers.is_empty()).then_some(readers)
}

/// How often an op runs for each time its outer block does; `None` where something else than loops and branches is
/// around it there.
fn times(ir: &Ir, block: Block, op: Op) -> Option<f64> {
    let mut times = 1.0;
    let mut inner = op;
    while ir.block_of(inner)? != block {
        inner = ir.block_parent(ir.block_of(inner)?)?;
        times *= match ir.op_name_str(inner) {
            "scf.for" => trips(ir, inner),
            "scf.while" => ASSUMED_TRIPS,
            "scf.if" => 1.0,
            _ => return None,
        };
    }
    Some(times)
}

fn trips(ir: &Ir, counted: Op) -> f64 {
    let bound = |index| ir.constant_int(ir.operand(counted, index));
    let known = || {
        let (lower, upper, step) = (bound(0)?, bound(1)?, bound(2).filter(|&step| step > 0)?);
        Some(upper.saturating_sub(lower).max(0) as f64 / step as f64)
    };
    known().map_or(ASSUMED_TRIPS, f64::ceil)
}

fn recipe(ir: &Ir, soac: &Soac, first: usize, index: usize) -> Option<Recipe> {
    let body = soac.body?;
    let value = ir.operand(ir.last_op(body)?, first + index);
    if is_array(ir, ir.value_type(value)) {
        return None;
    }
    let (mut ops, mut inputs) = (Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match ir.value_def(value) {
            ValueDef::Argument { block, index } if block == body => {
                inputs.push((value, *soac.arrays.get(index as usize)?));
            }
            ValueDef::Result { op, .. } if ir.block_of(op) == Some(body) => {
                let scalar =
                    ir.regions(op).is_empty() && is_pure(ir, op) && is_speculatable(ir, op);
                if !scalar || ops.len() == MOST_OPS {
                    return None;
                }
                if !ops.contains(&op) {
                    ops.push(op);
                }
                pending.extend(ir.operands(op));
            }
            _ => {}
        }
    }
    ops.sort_by(|&a, &b| {
        if ir.is_before(a, b) {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Greater
        }
    });
    let work = ops.iter().map(|&op| work_of(ir, op)).sum();
    Some(Recipe {
        ops,
        value,
        inputs,
        work,
    })
}

fn pays(ir: &Ir, soac: &Soac, result: Value, readers: &[Reader], recipe: &Recipe) -> bool {
    let row = |array: Value| bytes(ir, crate::soac::row_type(ir, array)) as f64;
    let own = row(result);
    let stored = own + readers.iter().map(|reader| own * reader.times).sum::<f64>();
    let again: f64 = readers
        .iter()
        .map(|reader| {
            let has: Vec<Value> = ir.operands(reader.op).collect();
            let read: f64 = recipe
                .inputs
                .iter()
                .filter(|(_, array)| !has.contains(array))
                .map(|row_| row(row_.1))
                .sum();
            reader.times * (read + recipe.work as f64 * BYTES_PER_WORK)
        })
        .sum();
    // A map that nothing else needs goes altogether.
    let gone = soac.flavour == Flavour::Map
        && soac
            .stored(ir)
            .all(|other| other == result || !ir.has_uses(other));
    let saved = if gone {
        recipe.inputs.iter().map(|input| row(input.1)).sum()
    } else {
        0.0
    };
    again < stored + saved
}

/// The arrays that a combinator reads once it computes the elements of `result` itself.
fn arrays_without(soac: &Soac, result: Value, recipe: &Recipe) -> Vec<Value> {
    let mut arrays: Vec<Value> = Vec::new();
    let wanted = soac.arrays.iter().copied().filter(|&array| array != result);
    for array in wanted.chain(recipe.inputs.iter().map(|input| input.1)) {
        if !arrays.contains(&array) {
            arrays.push(array);
        }
    }
    if arrays.is_empty() {
        // The extent must be known from an input.
        arrays.push(result);
    }
    arrays
}

/// The reader computes the elements of `result` itself.
fn inline(ir: &mut Ir, reader: Op, result: Value, recipe: &Recipe) {
    let Some(soac) = fusible(ir, reader) else {
        return;
    };
    let arrays = arrays_without(&soac, result, recipe);
    let (body, elements) = Parts::body_over(ir, &arrays);
    let elements: FxHashMap<Value, Value> = arrays.iter().copied().zip(elements).collect();
    let loc = ir.loc(reader);
    let mut mapping = Mapping::new();
    recipe
        .inputs
        .iter()
        .for_each(|(arg, array)| mapping.map(*arg, elements[array]));
    let mut b = Builder::at_end(ir, body, loc);
    recipe.ops.iter().for_each(|&op| {
        b.clone_op(op, &mut mapping);
    });
    let value = mapping.get(recipe.value);
    let args: Vec<Value> = soac
        .arrays
        .iter()
        .map(|&array| {
            if array == result {
                value
            } else {
                elements[&array]
            }
        })
        .collect();
    let yields = match soac.body {
        Some(old) => crate::build::move_block(ir, old, &args, body),
        None => args,
    };
    end_block(ir, body, &yields, loc);
    if let Some(combine) = soac.combine {
        ir.detach_block(combine);
    }
    let results: Vec<Type> = ir
        .results(reader)
        .map(|value| ir.value_type(value))
        .collect();
    let parts = Parts {
        arrays,
        body: Some(body),
        written: Vec::new(),
        ..soac.parts
    };
    let new = finish(ir, &parts, &results, reader);
    let fresh: Vec<Value> = ir.results(new).collect();
    for (old, &new) in ir.results(reader).zip(&fresh) {
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
    }
    ir.replace_op(reader, &fresh);
}

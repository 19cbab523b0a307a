//! Choices between versions of an op by sizes: a named threshold each, which the program compares with when it runs.

use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{LoopLike, symbol_name};
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::threshold::AtLeastOp;
use segra_std::arith::ConstantOp;
use segra_std::arith::index;
use segra_std::func::FuncOp;
use segra_std::{arith, scf};

/// A size that is compared with a threshold.
pub(crate) struct Threshold {
    pub(crate) size: Value,
    /// Its name in tuning files.
    pub(crate) name: String,
    pub(crate) default: i64,
}

/// Whether a condition holds.
pub(crate) enum Answer {
    Known(bool),
    /// The program asks when it runs.
    Asked(Value),
}

impl Threshold {
    /// Asks, where the size is not a constant, before the builder's place.
    pub(crate) fn answer(&self, b: &mut Builder<'_>) -> Answer {
        if let Some(size) = b.ir.constant_int(self.size) {
            return Answer::Known(size >= self.default);
        }
        Answer::Asked(AtLeastOp::ask(b, self.size, &self.name, self.default))
    }
}

impl Answer {
    /// Of a condition, which may be a constant.
    pub(crate) fn of(ir: &Ir, condition: Value) -> Answer {
        match ir.constant_int(condition) {
            Some(value) => Answer::Known(value != 0),
            None => Answer::Asked(condition),
        }
    }

    /// The condition.
    pub(crate) fn value(self, b: &mut Builder<'_>) -> Value {
        match self {
            Answer::Asked(condition) => condition,
            Answer::Known(holds) => {
                let ty = b.ctx().i1();
                ConstantOp::int(b, i64::from(holds), ty)
            }
        }
    }

    /// Whether it does not hold.
    pub(crate) fn not(self, b: &mut Builder<'_>) -> Answer {
        match self {
            Answer::Known(holds) => Answer::Known(!holds),
            Answer::Asked(condition) => Answer::Asked(arith::XOrIOp::not(b, condition)),
        }
    }

    /// Whether both hold.
    pub(crate) fn and(self, other: Answer, b: &mut Builder<'_>) -> Answer {
        match (self, other) {
            (Answer::Known(false), _) | (_, Answer::Known(false)) => Answer::Known(false),
            (Answer::Known(true), other) | (other, Answer::Known(true)) => other,
            (Answer::Asked(x), Answer::Asked(y)) => {
                Answer::Asked(arith::AndIOp::build(b, x, y).result(b.ir))
            }
        }
    }

    /// Whether either holds.
    pub(crate) fn or(self, other: Answer, b: &mut Builder<'_>) -> Answer {
        match (self, other) {
            (Answer::Known(true), _) | (_, Answer::Known(true)) => Answer::Known(true),
            (Answer::Known(false), other) | (other, Answer::Known(false)) => other,
            (Answer::Asked(x), Answer::Asked(y)) => {
                Answer::Asked(arith::OrIOp::build(b, x, y).result(b.ir))
            }
        }
    }
}

/// How many full tiles there are: of the last dimensions, each in pieces of an extent of `tile`.
pub(crate) fn full_tiles(b: &mut Builder<'_>, sizes: &[Value], tile: &[i64]) -> Value {
    tiles(b, (sizes, tile), index::div)
}

/// How many tiles there are, with those that are not full.
pub(crate) fn all_tiles(b: &mut Builder<'_>, sizes: &[Value], tile: &[i64]) -> Value {
    tiles(b, (sizes, tile), index::ceil_div)
}

fn tiles(
    b: &mut Builder<'_>,
    (sizes, tile): (&[Value], &[i64]),
    along: fn(&mut Builder<'_>, Value, Value) -> Value,
) -> Value {
    let (outer, inner) = sizes.split_at(sizes.len() - tile.len());
    let mut counts = outer.to_vec();
    for (&size, &extent) in inner.iter().zip(tile) {
        let extent = index::constant(b, extent);
        counts.push(along(b, size, extent));
    }
    index::product(b, &counts)
}

/// The name of the function a block is in.
pub(crate) fn function_name(ir: &Ir, block: Block) -> String {
    let owner = ir.block_parent(block);
    let name = owner.and_then(|owner| {
        ir.ancestors(owner)
            .filter(|&around| ir.isa::<FuncOp>(around))
            .find_map(|around| symbol_name(ir, around))
    });
    name.map_or_else(String::new, |name| ir.ctx().str(name).to_owned())
}

/// Puts `op` into the first branch of a choice; the copy of it in the second.
pub(crate) fn branch(ir: &mut Ir, op: Op, condition: Value) -> Op {
    let loc = ir.loc(op);
    let results: Vec<Value> = ir.results(op).collect();
    let types: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
    let choice = scf::IfOp::build(&mut Builder::before(ir, op), condition, &types).op();
    for (index, &old) in results.iter().enumerate() {
        let new = ir.result(choice, index);
        ir.replace_all_uses(old, new);
    }
    let [then, otherwise] = [0, 1].map(|index| {
        let region = ir.region(choice, index);
        ir.add_block(region, &[])
    });
    let copy = Builder::at_end(ir, otherwise, loc).clone_op(op, &mut Mapping::new());
    ir.move_to_end(op, then);
    for (block, op) in [(then, op), (otherwise, copy)] {
        let values: Vec<Value> = ir.results(op).collect();
        scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &values);
    }
    copy
}

/// Puts a choice before the op `at`: between what `first` makes, given the block for it, which stands for `results`, and
/// `ops`, which move into the second branch. The choice, and the block of the second branch; none where `first` gives none,
/// and then nothing has changed.
pub(crate) fn beside(
    ir: &mut Ir,
    (at, condition): (Op, Value),
    (ops, results): (&[Op], &[Value]),
    first: impl FnOnce(&mut Ir, Block) -> Option<Vec<Value>>,
) -> Option<(Op, Block)> {
    let loc = ir.loc(at);
    let types: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
    let choice = scf::IfOp::build(&mut Builder::before(ir, at), condition, &types).op();
    let [then, otherwise] = [0, 1].map(|number| {
        let region = ir.region(choice, number);
        ir.add_block(region, &[])
    });
    let Some(values) = first(ir, then) else {
        ir.erase_op(choice);
        return None;
    };
    scf::YieldOp::build(&mut Builder::at_end(ir, then, loc), &values);
    for (number, &old) in results.iter().enumerate() {
        let new = ir.result(choice, number);
        ir.replace_all_uses(old, new);
    }
    for &op in ops {
        ir.move_to_end(op, otherwise);
    }
    // Uses by the ops themselves are among those that were replaced.
    for (number, &old) in results.iter().enumerate() {
        let new = ir.result(choice, number);
        let inside: Vec<Op> = ir
            .users(new)
            .filter(|&user| ir.is_inside(user, choice))
            .collect();
        for user in inside {
            let operands: Vec<Value> = ir
                .operands(user)
                .map(|operand| if operand == new { old } else { operand })
                .collect();
            ir.set_operands(user, &operands);
        }
    }
    scf::YieldOp::build(&mut Builder::at_end(ir, otherwise, loc), results);
    Some((choice, otherwise))
}

/// Whether an op is in a loop of the host.
pub(crate) fn is_in_loop(ir: &Ir, op: Op) -> bool {
    ir.ancestors(op)
        .filter(|&around| around != op)
        .any(|around| ir.interface::<dyn LoopLike>(around).is_some())
}

/// Whether an op is a choice between versions.
pub(crate) fn is_choice(ir: &Ir, op: Op) -> bool {
    let Some(branch) = ir.cast::<scf::IfOp>(op) else {
        return false;
    };
    let mut pending = vec![branch.condition(ir)];
    let mut seen = FxHashSet::default();
    while let Some(value) = pending.pop() {
        let Some(made) = ir.defining_op(value).filter(|&made| seen.insert(made)) else {
            continue;
        };
        if ir.isa::<AtLeastOp>(made) {
            return ir.num_results(op) > 0;
        }
        if ir.op_name_str(made).starts_with("arith.") {
            pending.extend(ir.operands(made));
        }
    }
    false
}

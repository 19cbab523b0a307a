//! Copies that loops carry: of arrays for the steps to come, by `kernel.segmap thread async`.
//!
//! ```mlir
//! %xs0 = scf.if %any { kernel.segmap thread async {copy for step 0} }
//! scf.for %t = 0 to %n iter_args(%xs = %xs0) {
//!   %xs1 = scf.if %more { kernel.segmap thread async {copy for step %t + 1} }
//!   use(%xs)
//!   yield %xs1
//! }
//! ```
//! Passes that choose how tiles are copied, and lowering, which takes buffers in turn for them, see the same copies.

use crate::access::Read;
use crate::contract::ContractOp;
use crate::segop::SegMapOp;
use rustc_hash::FxHashMap;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Value, ValueDef};
use segra_std::scf::{ForOp, IfOp};
use segra_std::tensor::{DimOp, EmptyOp};

/// The values that a loop carries of a copy: each is the next one's of the step before, and the last one is made in the step.
#[derive(Clone, Debug)]
pub struct CarriedCopies {
    /// The copy that the loop makes.
    pub segmap: SegMapOp,
    /// Values that lie where a copy from before the loop does, the copy itself last; by the step they are for.
    pub first: Vec<Vec<Value>>,
    /// The same of the loop's own copy.
    pub later: Vec<Value>,
    /// The arguments of the loop that stand for it, by the step it is for.
    pub args: Vec<Value>,
}

impl CarriedCopies {
    /// Those of a loop that counts from 0 by ones. They are read element by element, in the loop only.
    pub fn of(ir: &Ir, looped: ForOp) -> Vec<CarriedCopies> {
        CarriedCopies::found(ir, looped).unwrap_or_default()
    }

    fn found(ir: &Ir, looped: ForOp) -> Option<Vec<CarriedCopies>> {
        let counts = [looped.lower_bound(ir), looped.step(ir)];
        if counts.map(|value| ir.constant_int(value)) != [Some(0), Some(1)] {
            return None;
        }
        let body = ir.entry_block(ir.region(looped.op(), 0))?;
        let args = &ir.block_args(body)[1..];
        let last = ir.last_op(body)?;
        let yields: Vec<Value> = ir.operands(last).collect();
        let (inits, results) = (
            looped.init_args(ir),
            ir.results(looped.op()).collect::<Vec<_>>(),
        );
        let around = ir.block_of(looped.op())?;
        let mut found = Vec::new();
        for (end, &made) in yields.iter().enumerate() {
            let Some((segmap, later)) = copied(ir, made, body) else {
                continue;
            };
            let mut positions = vec![end];
            while let Some(before) = yields.iter().position(|&value| value == args[positions[0]]) {
                positions.insert(0, before);
            }
            let of = |values: &[Value]| positions.iter().map(|&at| values[at]).collect::<Vec<_>>();
            let first: Option<Vec<Vec<Value>>> = of(&inits)
                .into_iter()
                .map(|init| Some(copied(ir, init, around)?.1))
                .collect();
            let args = of(args);
            let only_read = args.iter().flat_map(|&arg| ir.users(arg)).all(|user| {
                let read = Read::of(ir, user);
                read.is_some_and(|read| ir.value_type(read.result(ir)).is_scalar(ir.ctx()))
                    || user == last
                    || ir.isa::<ContractOp>(user)
                    || ir.isa::<DimOp>(user)
            });
            let unused = of(&results).iter().all(|&result| !ir.has_uses(result));
            let ty = ir.value_type(made);
            let alike = args.iter().all(|&arg| ir.value_type(arg) == ty);
            if let Some(first) = first.filter(|_| only_read && unused && alike) {
                found.push(CarriedCopies {
                    segmap,
                    first,
                    later,
                    args,
                });
            }
        }
        Some(found)
    }

    /// All copies, those before the loop first.
    pub fn segmaps(&self, ir: &Ir) -> Vec<SegMapOp> {
        let copies = self.first.iter().filter_map(|values| values.last());
        let mut copies: Vec<SegMapOp> = copies.filter_map(|&copy| ir.def_as(copy)).collect();
        copies.push(self.segmap);
        copies
    }
}

/// Gives each loop in `root` copies of its own for its first steps, where equal ones of several loops have become one: a buffer
/// is taken in turn by one loop. How many ops that adds.
pub fn separate(ir: &mut Ir, root: Op) -> usize {
    let loops: Vec<ForOp> = ir
        .walk(root)
        .into_iter()
        .filter_map(|op| ir.cast(op))
        .collect();
    let mut added = 0;
    for looped in loops {
        let op = looped.op();
        let mut own: FxHashMap<Op, Op> = FxHashMap::default();
        for (at, init) in ir.operands(op).enumerate().skip(3).collect::<Vec<_>>() {
            let ValueDef::Result { op: made, index } = ir.value_def(init) else {
                continue;
            };
            let copies = |block| copy_of(ir, init, block).is_some();
            let elsewhere = ir.users(init).any(|user| user != op);
            if !elsewhere || !ir.block_of(op).is_some_and(copies) {
                continue;
            }
            let copy = *own.entry(made).or_insert_with(|| {
                added += 1;
                Builder::before(ir, op).clone_op(made, &mut Mapping::new())
            });
            let value = ir.result(copy, index as usize);
            ir.set_operand(op, at, value);
        }
    }
    added
}

/// The segmap that copies what a value of a block is, and the values that lie where it does, if each is used once.
fn copied(ir: &Ir, value: Value, block: Block) -> Option<(SegMapOp, Vec<Value>)> {
    copy_of(ir, value, block)
        .filter(|(_, values)| values.iter().all(|&value| ir.has_one_use(value)))
}

/// The segmap that copies what a value of a block is, and the values that lie where it does; it may stand in a branch that
/// else gives an array that nobody has written.
fn copy_of(ir: &Ir, value: Value, block: Block) -> Option<(SegMapOp, Vec<Value>)> {
    let ValueDef::Result { op, index } = ir.value_def(value) else {
        return None;
    };
    if ir.block_of(op) != Some(block) {
        return None;
    }
    if ir.isa::<IfOp>(op) {
        let given = |way: usize| {
            let block = ir.entry_block(ir.region(op, way))?;
            let value = ir.operands(ir.last_op(block)?).nth(index as usize)?;
            Some((block, value))
        };
        let (block, copy) = given(0)?;
        let (_, none) = given(1)?;
        let unwritten = ir.def_as::<EmptyOp>(none).is_some();
        let (segmap, mut values) = copy_of(ir, copy, block).filter(|_| unwritten)?;
        values.insert(0, value);
        return Some((segmap, values));
    }
    let segmap = ir.cast::<SegMapOp>(op)?;
    (segmap.asynchronous(ir).is_some()).then(|| (segmap, vec![value]))
}

//! `sccp`: values that are always the same constant become that constant (sparse conditional constant propagation).
//!
//! ```text
//! %one = arith.constant 1 : i32                   %one = arith.constant 1 : i32
//! cf.br ^head(%one : i32)                         cf.br ^head(%one : i32)
//! ^head(%x: i32):                                 ^head(%x: i32):
//! %same = arith.muli %x, %x : i32         ->      cf.cond_br %c, ^head(%one : i32), ^exit
//! cf.cond_br %c, ^head(%same : i32), ^exit
//! ```
//! A value is a constant if it is one on every way control can come; branches whose condition is known are taken one
//! way only, through blocks, regions and calls of private functions.
//! Limits: branches stay as they are, dead blocks too (`canonicalize` erases them); what depends on a value being in a
//! range is for `int-range-optimizations`.

use segra_ir::interfaces::{constant_of, is_trivially_dead};
use segra_ir::{Attr, Block, Ir, Op, Trait, Value};
use segra_pass::dataflow::{Constants, solve};
use segra_pass::rewrite::{Adopted, ConstantPool};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `sccp`.
    pub struct Sccp {}
}

const INFO: PassInfo = PassInfo {
    name: "sccp",
    summary: "replace values that are always the same constant, along branches that can be taken",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for Sccp {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let facts = solve(ir, op, &Constants);
        let known = |ir: &Ir, value: Value| -> Option<Attr> {
            let attr = facts.of(value)?.attr()?;
            constant_of(ir, value).is_none().then_some(attr)
        };
        let reached = |block| facts.is_executable(block);
        let replaced = replace_constants(ir, op, &reached, &known, Constant::Gathered);
        cx.count("values replaced", replaced.values);
        cx.count("ops erased", replaced.erased);
        cx.count("constants gathered", replaced.gathered);
        Ok(
            if replaced.values + replaced.erased + replaced.gathered == 0 {
                Outcome::unchanged()
            } else {
                Outcome::changed()
            },
        )
    }
}

/// The outcome of replacing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Replaced {
    pub(crate) values: u64,
    pub(crate) erased: u64,
    /// Constant ops that were moved, or are one with others now.
    pub(crate) gathered: u64,
}

/// The treatment of constant ops that the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    /// They stay where they are.
    Kept,
    /// Each once, at the start of the function, as upstream's pass leaves them.
    Gathered,
}

/// Replaces values by constants in all blocks inside `root` that control reaches, and erases ops that are dead then: those
/// all results of which are constants.
pub(crate) fn replace_constants(
    ir: &mut Ir,
    root: Op,
    is_executable: &dyn Fn(Block) -> bool,
    known: &dyn Fn(&Ir, Value) -> Option<Attr>,
    constant: Constant,
) -> Replaced {
    let mut done = Replaced::default();
    let mut pool = ConstantPool::new();
    let blocks_of = |ir: &Ir, op: Op| -> Vec<Block> {
        ir.regions(op)
            .iter()
            .flat_map(|&region| ir.blocks(region))
            .filter(|&block| is_executable(block))
            .collect()
    };
    // The inside of an op that goes is not looked at.
    let mut pending = blocks_of(ir, root);
    while let Some(block) = pending.pop() {
        let Some(first) = ir.first_op(block) else {
            continue;
        };
        for index in 0..ir.block_args(block).len() {
            let arg = ir.block_args(block)[index];
            done.values += replace(ir, &mut pool, first, arg, known);
        }
        let mut at = Some(first);
        while let Some(op) = at {
            at = ir.next_op(op);
            if ir.has_trait(op, Trait::ConstantLike) {
                if constant == Constant::Gathered {
                    done.gathered += gather(ir, &mut pool, op);
                }
                continue;
            }
            let constants = ir.results(op).filter(|&result| known(ir, result).is_some());
            let all = ir.num_results(op) > 0 && constants.count() == ir.num_results(op);
            for result in ir.results(op) {
                done.values += replace(ir, &mut pool, op, result, known);
            }
            if all && is_trivially_dead(ir, op) {
                ir.erase_op(op);
                done.erased += 1;
            } else {
                pending.extend(blocks_of(ir, op));
            }
        }
    }
    done
}

/// Moves a constant to where constants are kept, or replaces it by the equal one that is there. How many were.
fn gather(ir: &mut Ir, pool: &mut ConstantPool, op: Op) -> u64 {
    match pool.adopt(ir, op) {
        Adopted::Kept => 0,
        Adopted::Moved => 1,
        Adopted::Duplicate(same) => {
            let same = ir.result(same, 0);
            ir.replace_op(op, &[same]);
            1
        }
    }
}

/// Replaces one value, for code at `op`. How many were replaced.
fn replace(
    ir: &mut Ir,
    pool: &mut ConstantPool,
    op: Op,
    value: Value,
    known: &dyn Fn(&Ir, Value) -> Option<Attr>,
) -> u64 {
    let Some(attr) = known(ir, value).filter(|_| ir.has_uses(value)) else {
        return 0;
    };
    let ty = ir.value_type(value);
    let Some((constant, _)) = pool.get(ir, op, attr, ty) else {
        return 0;
    };
    let constant = ir.result(constant, 0);
    ir.replace_all_uses(value, constant);
    1
}

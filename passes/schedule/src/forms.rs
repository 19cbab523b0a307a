//! Pass `choose-forms`: how the segments of reductions and scans are divided among threads.
//!
//! ```mlir
//! %s = kernel.segred thread (%i < %n, %j < %m) ...
//! ==>
//! %large = kernel.at_least %m, "main.red0.block" default 1025
//! %s = scf.if %large -> (tensor<?xf32>) {
//!   ... kernel.segred thread form block | form parts
//! } else {
//!   ... kernel.segred thread form lanes | form warp }
//! ```
//! | segments of a reduction | form | threshold |
//! |---|---|---|
//! | shorter than `warp` | `lanes`: a few lanes each | length, `NAME.warp` |
//! | shorter than `block` | `warp` | length, `NAME.block` |
//! | shorter than `parts`, or at least `many` | `block` | length, `NAME.parts`; number, `NAME.many` |
//! | else | `parts`: several thread blocks each, then one | |
//!
//! A scan has `warp` below `NAME.tiles` elements and `tiles` from there on; a single segment, which no other keeps company,
//! is never given to less than a thread block. `NAME` is the function's name with `red` or `scan` and a number in the
//! order of the program.
//!
//! Every threshold is a tunable with a default. Where an extent is a constant the defaults decide at once, and where all
//! are, no choice is left. Operators that combine arrays have one form, `threads`.
//!
//! Legality: every form of an op computes the same; ops inside a thread block's segmap have none. An op that has a form
//! keeps it.

use segra_ir::clone::Mapping;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::form::Form;
use segra_kernel::level::Level;
use segra_kernel::segop::{SegRedOp, SegScanOp, SegmentedOp};
use segra_kernel::threshold::AtLeastOp;
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{self, index};
use segra_std::scf;

segra_pass::pass_options! {
    /// The pass `choose-forms`.
    pub struct ChooseForms {
        /// Longest segments of a reduction that one thread block has where there are few of them.
        pub chunk: i64 = 4096,
    }
}

/// From this length on, segments of a reduction have a warp rather than a few lanes.
const WARP: i64 = 17;
/// From this length on, segments have a thread block (reductions) or tiles (scans) rather than a warp.
const BLOCK: i64 = 1025;
/// From this many segments on, one thread block for each keeps a device busy.
const MANY: i64 = 256;

impl Pass for ChooseForms {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "choose-forms",
            summary: "choose how segments of reductions and scans are divided among threads, by their number and length",
            reads: &["kernel"],
            writes: &["arith", "kernel", "scf"],
            anchors: Anchors::Ops(&["func.func"]),
        }
    }

    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        if self.chunk < 1 {
            return Err(cx.fail(ir, function, "option chunk: must be at least 1"));
        }
        let name = symbol_name(ir, function)
            .map(|name| ir.ctx().str(name).to_owned())
            .unwrap_or_default();
        let (mut reductions, mut scans) = (0usize.., 0usize..);
        let mut changed = Changed::No;
        for op in undecided(ir, function) {
            let decision = match ir.isa::<SegRedOp>(op) {
                true => reductions.next().and_then(|number| {
                    let name = format!("{name}.red{number}");
                    Decision::reduction(ir, op, &name, self.chunk)
                }),
                false => scans
                    .next()
                    .and_then(|number| Decision::scan(ir, op, &format!("{name}.scan{number}"))),
            };
            if let Some(decision) = decision {
                decision.carry_out(ir, op);
                cx.count("forms chosen", 1);
                changed = Changed::Yes;
            }
        }
        Ok(Outcome::of(changed))
    }
}

/// Reductions and scans without a form, in the order of the program.
fn undecided(ir: &Ir, function: Op) -> Vec<Op> {
    let mut found = Vec::new();
    let mut regions: Vec<_> = ir.regions(function).to_vec();
    regions.reverse();
    while let Some(region) = regions.pop() {
        for op in ir.blocks(region).flat_map(|block| ir.ops(block)) {
            let form = match (ir.cast::<SegRedOp>(op), ir.cast::<SegScanOp>(op)) {
                (Some(segred), _) => segred.form(ir),
                (_, Some(segscan)) => segscan.form(ir),
                // What is inside runs in a thread block or in a thread.
                _ if ir.interface::<dyn SegmentedOp>(op).is_some() => continue,
                _ => {
                    regions.extend(ir.regions(op).iter().rev());
                    continue;
                }
            };
            let level = ir
                .interface::<dyn SegmentedOp>(op)
                .map(|model| model.level(ir, op));
            if form.is_none() && level == Some(Level::Thread) {
                found.push(op);
            }
        }
    }
    found
}

/// Which form an op takes, and what decides.
enum Decision {
    Take(Form),
    Ask(Condition, Box<[Decision; 2]>),
}

/// A size that is compared with a threshold.
struct Threshold {
    size: Value,
    name: String,
    default: i64,
}

struct Condition {
    at_least: Threshold,
    /// It does not hold where this size is at least its threshold.
    unless: Option<Threshold>,
}

/// Whether a condition holds.
enum Answer {
    Known(bool),
    /// The program asks when it runs.
    Asked(Value),
}

impl Decision {
    /// `then` where a size is at least a threshold, else `otherwise`.
    fn at_least(
        size: Value,
        name: String,
        default: i64,
        then: Decision,
        otherwise: Decision,
    ) -> Decision {
        let at_least = Threshold {
            size,
            name,
            default,
        };
        let condition = Condition {
            at_least,
            unless: None,
        };
        Decision::Ask(condition, Box::new([then, otherwise]))
    }

    /// Of a reduction of segments of `length` elements, one for each index of `outer`.
    fn reduction(ir: &mut Ir, op: Op, name: &str, chunk: i64) -> Option<Decision> {
        let segred = ir.cast::<SegRedOp>(op)?;
        if combines_arrays(ir, &segred.neutral(ir)) {
            return Some(Decision::Take(Form::Threads));
        }
        let sizes = segred.sizes(ir);
        let (&length, outer) = sizes.split_last()?;
        let unless = match outer {
            [] => None,
            _ => Some(Threshold {
                size: index::product(&mut Builder::before(ir, op), outer),
                name: format!("{name}.many"),
                default: MANY,
            }),
        };
        let at_least = Threshold {
            size: length,
            name: format!("{name}.parts"),
            default: chunk.saturating_add(1),
        };
        let forms = [Decision::Take(Form::Parts), Decision::Take(Form::Block)];
        let long = Decision::Ask(Condition { at_least, unless }, Box::new(forms));
        if outer.is_empty() {
            return Some(long);
        }
        let (warp, lanes) = (Decision::Take(Form::Warp), Decision::Take(Form::Lanes));
        let short = Decision::at_least(length, format!("{name}.warp"), WARP, warp, lanes);
        let name = format!("{name}.block");
        Some(Decision::at_least(length, name, BLOCK, long, short))
    }

    /// Of a scan of segments.
    fn scan(ir: &Ir, op: Op, name: &str) -> Option<Decision> {
        let segscan = ir.cast::<SegScanOp>(op)?;
        if combines_arrays(ir, &segscan.neutral(ir)) {
            return Some(Decision::Take(Form::Threads));
        }
        let sizes = segscan.sizes(ir);
        let tiles = Decision::Take(Form::Tiles);
        Some(match sizes.split_last()? {
            (_, []) => tiles,
            (&length, _) => {
                let warp = Decision::Take(Form::Warp);
                Decision::at_least(length, format!("{name}.tiles"), BLOCK, tiles, warp)
            }
        })
    }

    /// Gives `op` its form; where the program has to ask, one copy of it each.
    fn carry_out(&self, ir: &mut Ir, op: Op) {
        match self {
            Decision::Take(form) => {
                let attr = form.attr(ir.ctx());
                ir.set_attr_named(op, "form", Some(attr));
            }
            Decision::Ask(condition, sides) => {
                let [then, otherwise] = &**sides;
                match condition.answer(&mut Builder::before(ir, op)) {
                    Answer::Known(true) => then.carry_out(ir, op),
                    Answer::Known(false) => otherwise.carry_out(ir, op),
                    Answer::Asked(condition) => {
                        let copy = branch(ir, op, condition);
                        then.carry_out(ir, op);
                        otherwise.carry_out(ir, copy);
                    }
                }
            }
        }
    }
}

impl Condition {
    fn answer(&self, b: &mut Builder<'_>) -> Answer {
        let holds = self.at_least.answer(b);
        let (Some(unless), false) = (&self.unless, matches!(holds, Answer::Known(false))) else {
            return holds;
        };
        match (holds, unless.answer(b)) {
            (_, Answer::Known(true)) => Answer::Known(false),
            (holds, Answer::Known(false)) => holds,
            (holds, Answer::Asked(unless)) => {
                let ty = b.ctx().i1();
                let yes = arith::ConstantOp::int(b, 1, ty);
                let not = arith::XOrIOp::build(b, unless, yes).result(b.ir);
                Answer::Asked(match holds {
                    Answer::Asked(holds) => arith::AndIOp::build(b, holds, not).result(b.ir),
                    Answer::Known(_) => not,
                })
            }
        }
    }
}

impl Threshold {
    fn answer(&self, b: &mut Builder<'_>) -> Answer {
        if let Some(size) = b.ir.constant_int(self.size) {
            return Answer::Known(size >= self.default);
        }
        let ctx = b.ir.context();
        let (name, default) = (ctx.str_attr(&self.name), ctx.i64_attr(self.default));
        let asked = AtLeastOp::builder()
            .value(self.size)
            .name(name)
            .default(default)
            .result_type(ctx.i1())
            .build(b);
        Answer::Asked(asked.result(b.ir))
    }
}

/// Puts `op` into the first branch of a choice; the copy of it in the second.
fn branch(ir: &mut Ir, op: Op, condition: Value) -> Op {
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

fn combines_arrays(ir: &Ir, neutral: &[Value]) -> bool {
    neutral
        .iter()
        .any(|&value| ir.value_type(value).shaped(ir.ctx()).is_some())
}

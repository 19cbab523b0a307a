//! Which kernels a run may launch, from what is known of its inputs: the plan is gone through with scalars that are known or not.
//!
//! Legality: a kernel that is not found is not launched by any run with such inputs. Where a condition is not known both blocks are
//! gone through; what a loop carries is known where each iteration leaves it as it was; what is read from a buffer never is.
//! Nothing is left out where going through a plan takes more than [`MOST_INSTRUCTIONS`], or calls are [`DEEPEST`] deep.

use super::error::RunError;
use super::{Program, bind, eval};
use crate::Value;
use segra_artifact::{
    Artifact, BinaryOp, BlockId, ElemType, Entry, ForLoop, Instr, KernelId, ParamType, Plan,
    PlanId, Scalar, Slot, SlotType, WhileLoop,
};
use std::collections::{BTreeMap, BTreeSet};

/// Most instructions that are looked at.
const MOST_INSTRUCTIONS: usize = 1 << 16;
/// Deepest nesting of calls and blocks.
const DEEPEST: usize = 128;

/// Facts about a program's inputs before it is compiled. Of a size, a scalar or a threshold that is not named, nothing.
///
/// ```
/// let inputs = segra_runtime::KnownInputs {
///     entry: "main".to_owned(),
///     sizes: [("n".to_owned(), 1024)].into(),
///     ..segra_runtime::KnownInputs::default()
/// };
/// assert!(inputs.scalars.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownInputs {
    /// The function that is run; the kernels of others are not looked at.
    pub entry: String,
    /// Symbolic sizes, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Scalars, by the name of the parameter.
    pub scalars: BTreeMap<String, Scalar>,
    /// Thresholds that do not have their defaults in the run.
    pub tunables: BTreeMap<String, i64>,
}

impl KnownInputs {
    /// Those that arguments of an entry give: sizes and scalars, not the contents of arrays.
    ///
    /// # Errors
    /// The arguments do not fit the entry.
    pub fn of(entry: &Entry, arguments: &[Value]) -> Result<KnownInputs, RunError> {
        let sizes = bind::bind(entry, arguments)?;
        let scalars = entry.params.iter().zip(arguments);
        let scalars = scalars.filter_map(|(param, argument)| match (&param.ty, argument) {
            (ParamType::Array { .. }, _) | (_, Value::Array(_)) => None,
            (_, Value::Scalar(scalar)) => Some((param.name.clone(), *scalar)),
        });
        Ok(KnownInputs {
            entry: entry.name.clone(),
            sizes: entry.sizes.iter().cloned().zip(sizes).collect(),
            scalars: scalars.collect(),
            tunables: BTreeMap::new(),
        })
    }

    /// The kernels of a valid artifact that a run with such inputs may launch.
    ///
    /// # Errors
    /// The artifact has no such entry.
    pub fn kernels(&self, artifact: &Artifact) -> Result<BTreeSet<KernelId>, RunError> {
        let entry = Program::entry_of(artifact, &self.entry)?;
        let sizes = entry.sizes.iter();
        let sizes = sizes.map(|name| self.sizes.get(name).copied().map(Scalar::i64));
        let params = entry.params.iter().map(|param| match &param.ty {
            ParamType::Array { .. } => None,
            ParamType::Size(_) | ParamType::Scalar(_) => self.scalars.get(&param.name).copied(),
        });
        let args: Vec<Option<Scalar>> = sizes.chain(params).collect();
        let tunables = artifact.tunables.iter();
        let tunables = tunables.map(|one| *self.tunables.get(&one.name).unwrap_or(&one.default));
        let mut reach = Reach {
            artifact,
            tunables: tunables.collect(),
            found: BTreeSet::new(),
            instructions: 0,
            depth: 0,
        };
        match reach.call(entry.plan, &args) {
            Some(_) => Ok(reach.found),
            None => Ok((0..artifact.kernels.len()).map(KernelId::new).collect()),
        }
    }
}

/// The scalars of a plan's slots, where they are known.
type Frame = Vec<Option<Scalar>>;

struct Reach<'a> {
    artifact: &'a Artifact,
    tunables: Vec<i64>,
    found: BTreeSet<KernelId>,
    instructions: usize,
    depth: usize,
}

/// The values that two ways have in common.
fn both(x: &[Option<Scalar>], y: &[Option<Scalar>]) -> Frame {
    let pairs = x.iter().zip(y);
    pairs.map(|(&x, &y)| x.filter(|_| x == y)).collect()
}

fn read(frame: &Frame, slots: &[Slot]) -> Frame {
    slots.iter().map(|slot| frame[slot.index()]).collect()
}

fn write(frame: &mut Frame, slots: &[Slot], values: &[Option<Scalar>]) {
    for (slot, value) in slots.iter().zip(values) {
        frame[slot.index()] = *value;
    }
}

/// The outcome of a connective of which one part is known, where the other one does not matter.
fn decided(op: BinaryOp, known: Scalar) -> Option<Scalar> {
    let decides = match op {
        BinaryOp::And => known.as_bool() == Some(false),
        BinaryOp::Or => known.as_bool() == Some(true),
        _ => false,
    };
    decides.then_some(known)
}

fn truth(frame: &Frame, slot: Slot) -> Option<bool> {
    frame[slot.index()].and_then(Scalar::as_bool)
}

fn integer(frame: &Frame, slot: Slot) -> Option<i64> {
    frame[slot.index()].map(|scalar| scalar.bits() as i64)
}

/// Each of these methods is `None` where going through the plan takes too long.
impl Reach<'_> {
    fn call(&mut self, plan: PlanId, args: &[Option<Scalar>]) -> Option<Frame> {
        let plan = self.artifact.plans.get(plan.index())?;
        let mut frame = vec![None; plan.slots.len()];
        write(&mut frame, &plan.params, args);
        self.block(plan, &mut frame, Plan::BODY)
    }

    /// The values that a block yields.
    fn block(&mut self, plan: &Plan, frame: &mut Frame, id: BlockId) -> Option<Frame> {
        let block = plan.block(id)?;
        self.instructions += 1 + block.stmts.len();
        if self.instructions > MOST_INSTRUCTIONS || self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        for stmt in &block.stmts {
            self.instr(plan, frame, &stmt.instr)?;
        }
        self.depth -= 1;
        Some(read(frame, &block.results))
    }

    fn instr(&mut self, plan: &Plan, frame: &mut Frame, instr: &Instr) -> Option<()> {
        match instr {
            // Empty or not: a plan that launches it has it in its manifest.
            Instr::Launch(launch) => {
                self.found.insert(launch.kernel);
            }
            Instr::If {
                cond,
                then_block,
                else_block,
                results,
            } => {
                let values = match truth(frame, *cond) {
                    Some(true) => self.block(plan, frame, *then_block)?,
                    Some(false) => self.block(plan, frame, *else_block)?,
                    None => {
                        let then = self.block(plan, frame, *then_block)?;
                        both(&then, &self.block(plan, frame, *else_block)?)
                    }
                };
                write(frame, results, &values);
            }
            Instr::For(looped) => self.for_loop(plan, frame, looped)?,
            Instr::While(looped) => self.while_loop(plan, frame, looped)?,
            Instr::Call {
                plan: callee,
                args,
                results,
            } => {
                let values = self.call(*callee, &read(frame, args))?;
                write(frame, results, &values);
            }
            simple => {
                if let &[dst] = simple.defs() {
                    frame[dst.index()] = self.scalar(plan, frame, simple);
                }
            }
        }
        Some(())
    }

    /// The value of an instruction without blocks, where it is a scalar that is known.
    fn scalar(&self, plan: &Plan, frame: &Frame, instr: &Instr) -> Option<Scalar> {
        let at = |slot: &Slot| frame[slot.index()];
        match instr {
            Instr::Const { value, .. } => Some(*value),
            Instr::Unary { op, src, .. } => Some(eval::unary(*op, at(src)?)),
            // A run ends where a division is by zero, so nothing depends on its value.
            Instr::Binary { op, lhs, rhs, .. } => match (at(lhs), at(rhs)) {
                (Some(lhs), Some(rhs)) => eval::binary(*op, lhs, rhs).ok(),
                (Some(known), None) | (None, Some(known)) => decided(*op, known),
                (None, None) => None,
            },
            Instr::Compare { op, lhs, rhs, .. } => {
                Some(Scalar::bool(eval::compare(*op, at(lhs)?, at(rhs)?)))
            }
            Instr::Select {
                cond,
                on_true,
                on_false,
                ..
            } => match truth(frame, *cond) {
                Some(true) => at(on_true),
                Some(false) => at(on_false),
                None => at(on_true).filter(|_| at(on_true) == at(on_false)),
            },
            Instr::Convert { op, dst, src } => {
                let to = plan.slot_type(*dst).map_or(ElemType::I64, SlotType::elem);
                Some(eval::convert(*op, at(src)?, to))
            }
            Instr::AtLeast { value, tunable, .. } => {
                let least = *self.tunables.get(tunable.index())?;
                Some(Scalar::bool(integer(frame, *value)? >= least))
            }
            _ => None,
        }
    }

    fn for_loop(&mut self, plan: &Plan, frame: &mut Frame, looped: &ForLoop) -> Option<()> {
        let mut carried = read(frame, &looped.inits);
        let [lower, upper] = [looped.lower, looped.upper].map(|slot| integer(frame, slot));
        let runs = !matches!((lower, upper), (Some(lower), Some(upper)) if lower >= upper);
        let mut changed = runs;
        while changed {
            frame[looped.index.index()] = None;
            write(frame, &looped.carried, &carried);
            let next = both(&carried, &self.block(plan, frame, looped.body)?);
            changed = next != carried;
            carried = next;
        }
        write(frame, &looped.results, &carried);
        Some(())
    }

    fn while_loop(&mut self, plan: &Plan, frame: &mut Frame, looped: &WhileLoop) -> Option<()> {
        let mut args = read(frame, &looped.inits);
        loop {
            write(frame, &looped.before_args, &args);
            let forwarded = self.block(plan, frame, looped.before)?;
            // The values forwarded last depend on the arguments, which are what all iterations have in common.
            write(frame, &looped.results, &forwarded);
            if truth(frame, looped.cond) == Some(false) {
                return Some(());
            }
            write(frame, &looped.after_args, &forwarded);
            let next = both(&args, &self.block(plan, frame, looped.after)?);
            if next == args {
                return Some(());
            }
            args = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use segra_artifact::{Compare, Dim, EntryParam, Kernel, PlanBuilder, SizeId, Tunable};

    /// An artifact of kernels `k0`, `k1` and so on, and one entry `main(x: f32[n], times: i64)`.
    fn artifact(kernels: usize, body: impl FnOnce(&mut PlanBuilder, Slot, Slot, Slot)) -> Artifact {
        let mut artifact = Artifact::new("test");
        for number in 0..kernels {
            artifact.add_kernel(Kernel {
                name: format!("k{number}"),
                params: Vec::new(),
                static_shared_bytes: 0,
                max_threads_per_block: 32,
                summary: String::new(),
                location: None,
            });
        }
        artifact.add_tunable(Tunable {
            name: "large".to_owned(),
            default: 100,
            min: 0,
            max: i64::MAX,
            compared: String::new(),
            under: None,
            location: None,
        });
        let mut plan = PlanBuilder::new("main");
        let n = plan.index_param();
        let x = plan.param(SlotType::Buffer(ElemType::F32));
        let times = plan.index_param();
        body(&mut plan, n, x, times);
        let plan = artifact.add_plan(plan.finish(&[]).unwrap());
        let array = ParamType::Array {
            elem: ElemType::F32,
            dims: vec![Dim::Size(SizeId(0))],
        };
        let params = [("x", array), ("times", ParamType::Scalar(ElemType::I64))];
        let params = params.map(|(name, ty)| EntryParam {
            name: name.to_owned(),
            ty,
        });
        artifact.entries.push(Entry {
            name: "main".to_owned(),
            sizes: vec!["n".to_owned()],
            params: params.into(),
            results: Vec::new(),
            plan,
            location: None,
        });
        artifact.validate().unwrap();
        artifact
    }

    fn launch(b: &mut PlanBuilder, kernel: u32) {
        let one = b.index(1);
        b.launch(KernelId(kernel), [one; 3], [one; 3], None, &[]);
    }

    fn inputs(n: Option<i64>, times: Option<i64>) -> KnownInputs {
        KnownInputs {
            entry: "main".to_owned(),
            sizes: n.into_iter().map(|n| ("n".to_owned(), n)).collect(),
            scalars: times
                .into_iter()
                .map(|times| ("times".to_owned(), Scalar::i64(times)))
                .collect(),
            tunables: BTreeMap::new(),
        }
    }

    fn kernels(artifact: &Artifact, inputs: &KnownInputs) -> Vec<u32> {
        let kernels = inputs.kernels(artifact).unwrap();
        kernels.into_iter().map(|kernel| kernel.0).collect()
    }

    #[test]
    fn sizes_and_thresholds_decide_and_what_is_not_known_goes_both_ways() {
        let artifact = artifact(2, |b, n, _, _| {
            let large = b.at_least(n, segra_artifact::TunableId(0));
            b.if_(
                large,
                |b| {
                    launch(b, 0);
                    vec![]
                },
                |b| {
                    launch(b, 1);
                    vec![]
                },
            );
        });
        assert_eq!(kernels(&artifact, &inputs(Some(100), None)), [0]);
        assert_eq!(kernels(&artifact, &inputs(Some(99), None)), [1]);
        assert_eq!(kernels(&artifact, &inputs(None, None)), [0, 1]);
        let mut set = inputs(Some(99), None);
        set.tunables.insert("large".to_owned(), 99);
        assert_eq!(kernels(&artifact, &set), [0]);
        set.entry = "other".to_owned();
        assert!(set.kernels(&artifact).is_err());
    }

    #[test]
    fn one_part_of_a_connective_may_decide_it() {
        let of = |connective: BinaryOp| {
            artifact(2, |b, n, x, _| {
                let large = b.at_least(n, segra_artifact::TunableId(0));
                let zero = b.index(0);
                let element = b.read_elem(x, zero);
                let unknown = b.compare(Compare::Eq, element, element);
                let both = b.binary(connective, unknown, large);
                let launches = |kernel| {
                    move |b: &mut PlanBuilder| {
                        launch(b, kernel);
                        vec![]
                    }
                };
                b.if_(both, launches(0), launches(1));
            })
        };
        let both = of(BinaryOp::And);
        assert_eq!(kernels(&both, &inputs(Some(99), None)), [1]);
        assert_eq!(kernels(&both, &inputs(Some(100), None)), [0, 1]);
        let either = of(BinaryOp::Or);
        assert_eq!(kernels(&either, &inputs(Some(99), None)), [0, 1]);
        assert_eq!(kernels(&either, &inputs(Some(100), None)), [0]);
    }

    #[test]
    fn elements_are_not_known_and_empty_launches_are_launches() {
        let artifact = artifact(3, |b, n, x, _| {
            let (zero, one) = (b.index(0), b.index(1));
            let element = b.read_elem(x, zero);
            let positive = b.compare(Compare::Eq, element, element);
            b.if_(
                positive,
                |b| {
                    launch(b, 0);
                    vec![]
                },
                |b| {
                    launch(b, 1);
                    vec![]
                },
            );
            b.launch(KernelId(2), [n, one, one], [one; 3], None, &[]);
        });
        assert_eq!(kernels(&artifact, &inputs(Some(0), None)), [0, 1, 2]);
    }

    #[test]
    fn what_a_loop_carries_is_known_where_iterations_leave_it() {
        // A loop of `times` carries a constant and a count, each of which decides about a launch in it.
        let artifact = artifact(4, |b, _, _, times| {
            let (zero, one) = (b.index(0), b.index(1));
            let results = b.for_(zero, times, one, &[one, zero], |b, _, carried| {
                let two = b.index(2);
                for (number, &value) in carried.iter().enumerate() {
                    let less = b.compare(Compare::Lt, value, two);
                    b.if_(
                        less,
                        |_| vec![],
                        |b| {
                            launch(b, number as u32);
                            vec![]
                        },
                    );
                }
                let next = b.binary(BinaryOp::Add, carried[1], one);
                vec![carried[0], next]
            });
            let none = b.compare(Compare::Eq, results[1], zero);
            b.if_(
                none,
                |b| {
                    launch(b, 2);
                    vec![]
                },
                |b| {
                    launch(b, 3);
                    vec![]
                },
            );
        });
        assert_eq!(kernels(&artifact, &inputs(None, Some(0))), [2]);
        assert_eq!(kernels(&artifact, &inputs(None, Some(5))), [1, 2, 3]);
        assert_eq!(kernels(&artifact, &inputs(None, None)), [1, 2, 3]);
    }

    #[test]
    fn where_a_plan_takes_too_long_no_kernel_is_left_out() {
        let mut endless = artifact(1, |_, _, _, _| {});
        let mut b = PlanBuilder::new("main");
        let n = b.index_param();
        let x = b.param(SlotType::Buffer(ElemType::F32));
        let times = b.index_param();
        b.call(PlanId(0), &[n, x, times], &[]);
        endless.plans[0] = b.finish(&[]).unwrap();
        endless.validate().unwrap();
        assert_eq!(kernels(&endless, &inputs(Some(1), Some(1))), [0]);
    }
}

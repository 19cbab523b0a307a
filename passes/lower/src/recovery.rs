//! Index-space mappings in IR, in the kernel: the points of a thread, their indices and guards.
//!
//! ```text
//! GridBlock(1, Serial(1, SplitLast(4, ShiftLB(Gen)))):  b = blockIdx.x; t = threadIdx.x
//!                                                       for s in 0..4 { i = (b * 256 + t) * 4 + s; if i < n { ... } }
//! ```
//! Source: index-space combinators paper, sections 5.3, 6.2 and 6.3. The host passes what is the same for all threads
//! ([`crate::launch::Mapped::uniform`]); a thread computes the rest once, as far out of its loops as possible. Steps
//! (`Serial`) are loops of the thread around the guard: a step whose guard does not hold leaves the others alone. Where their
//! number is a constant and small, the steps are copies of the body.

use crate::kernel::Kernel;
use crate::launch::{Launch, Team, constant};
use rustc_hash::FxHashSet;
use segra_gpu::attrs::Dimension;
use segra_gpu::device::{BlockIdOp, ThreadIdOp};
use segra_ir::{InsertPoint, Ir, Op, Value};
use segra_kernel::vector::has_arrays;
use segra_space::Expr;
use segra_std::arith;
use segra_std::arith::expr::{Known, emit_unknown, unknown};

/// Most copies of a body for the steps of a thread.
const MOST_COPIES: i64 = 16;

/// Whether the steps of a thread may be copies of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    Allowed,
    /// The body is long, or has memory of its own, which is for one copy.
    One,
}

impl Copies {
    /// Of the body of a segmented op.
    pub(crate) fn of(ir: &Ir, op: Op) -> Copies {
        let nested = ir
            .walk(op)
            .into_iter()
            .skip(1)
            .any(|inner| !ir.regions(inner).is_empty());
        match nested || has_arrays(ir, op) {
            true => Copies::One,
            false => Copies::Allowed,
        }
    }
}

/// The values that a thread knows before its steps.
pub(crate) struct Thread {
    known: Known,
    /// Number of the thread in its team; none: it is alone.
    pub(crate) lane: Option<Value>,
    /// Steps along each serial dimension, outermost first: the number of the dimension, how many.
    steps: Vec<(usize, Steps)>,
}

#[derive(Clone, Copy, Debug)]
enum Steps {
    Constant(i64),
    Value(Value),
}

impl Thread {
    /// The indices of the thread's one point, and whether there is such a point, in a kernel without steps.
    fn point(&self, launch: &Launch) -> (Vec<Value>, Vec<Value>) {
        let values = |exprs: &[Expr]| exprs.iter().map(|expr| self.known[expr]).collect();
        let recovery = &launch.mapped.recovery;
        (values(&recovery.indices), values(&recovery.guards))
    }
}

/// Emits the code of a point: where, its indices, and whether there is such a point.
type ForPoint<'f, K> = dyn FnMut(&mut K, InsertPoint, &[Value], Option<Value>) + 'f;

impl Kernel<'_> {
    /// The start of a kernel: parameters for what the host computes, and what does not differ between steps.
    pub(crate) fn thread(&mut self, launch: &Launch) -> Thread {
        let mapped = &launch.mapped;
        let values = launch.on_host(&mut self.host_builder(), &mapped.uniform);
        let mut known = Known::default();
        for (&expr, value) in mapped.uniform.iter().zip(values) {
            known.insert(expr, self.scalar(value));
        }
        let lane = self.ids(launch, &mut known);
        let count = mapped.mapping.chain().serial_rank;
        let mut steps = Vec::new();
        for axis in (0..count).rev() {
            let extent = mapped.mapping.steps()[axis];
            steps.push((
                axis,
                match mapped.arena.as_int(extent) {
                    Some(extent) => Steps::Constant(extent),
                    None => {
                        let value = launch.on_host(&mut self.host_builder(), &[extent])[0];
                        Steps::Value(self.scalar(value))
                    }
                },
            ));
        }
        let open: Vec<Expr> = steps
            .iter()
            .map(|&(axis, _)| mapped.ids.step[axis])
            .collect();
        let here = without(launch, &open, &known);
        emit_unknown(&mut self.builder(), &mapped.arena, &here, &mut known);
        Thread { known, lane, steps }
    }

    /// The indices of the one point of a thread, and whether it has any.
    pub(crate) fn point_of(
        &mut self,
        launch: &Launch,
        thread: &Thread,
    ) -> (Vec<Value>, Option<Value>) {
        let (indices, guards) = thread.point(launch);
        (indices, self.all(InsertPoint::End(self.entry), guards))
    }

    /// Emits `body` for the points of a thread: where, the indices, and whether there is such a point.
    pub(crate) fn points(
        &mut self,
        launch: &Launch,
        thread: Thread,
        copies: Copies,
        body: &mut ForPoint<'_, Self>,
    ) {
        let all = thread
            .steps
            .iter()
            .try_fold(1i64, |all, &(_, steps)| match steps {
                Steps::Constant(steps) => all.checked_mul(steps),
                Steps::Value(_) => None,
            });
        let copied = copies == Copies::Allowed && all.is_some_and(|all| all <= MOST_COPIES);
        let entry = InsertPoint::End(self.entry);
        self.next_steps(launch, (thread, 0), copied, entry, body);
    }

    /// The steps from the serial dimension with number `from` on.
    fn next_steps(
        &mut self,
        launch: &Launch,
        (thread, from): (Thread, usize),
        copied: bool,
        point: InsertPoint,
        body: &mut ForPoint<'_, Self>,
    ) {
        let Some(&(axis, steps)) = thread.steps.get(from) else {
            let (indices, guards) = thread.point(launch);
            let guard = self.all(point, guards);
            return body(self, point, &indices, guard);
        };
        let inner = thread.steps[from + 1..].iter();
        let open: Vec<Expr> = inner
            .map(|&(axis, _)| launch.mapped.ids.step[axis])
            .collect();
        let mut at = |kernel: &mut Self, point: InsertPoint, step: Value| {
            let mut known = thread.known.clone();
            known.insert(launch.mapped.ids.step[axis], step);
            let here = without(launch, &open, &known);
            emit_unknown(
                &mut kernel.at(point),
                &launch.mapped.arena,
                &here,
                &mut known,
            );
            let thread = Thread {
                known,
                lane: thread.lane,
                steps: thread.steps.clone(),
            };
            kernel.next_steps(launch, (thread, from + 1), copied, point, body);
        };
        match steps {
            Steps::Constant(steps) if copied || steps == 1 => {
                for step in 0..steps {
                    let step = constant(&mut self.at(point), step);
                    at(self, point, step);
                }
            }
            _ => {
                let mut b = self.at(point);
                let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
                let upper = match steps {
                    Steps::Constant(steps) => constant(&mut b, steps),
                    Steps::Value(steps) => steps,
                };
                self.for_loop(point, (zero, upper, one), &[], |kernel, point, step, _| {
                    at(kernel, point, step);
                    Vec::new()
                });
            }
        }
    }

    /// Whether all guards hold; none: they always do.
    fn all(&mut self, point: InsertPoint, guards: Vec<Value>) -> Option<Value> {
        let mut b = self.at(point);
        guards
            .into_iter()
            .reduce(|all, guard| arith::AndIOp::build(&mut b, all, guard).result(b.ir))
    }

    /// Reads the ids that are used; the number of the thread in its team.
    fn ids(&mut self, launch: &Launch, known: &mut Known) -> Option<Value> {
        let mapped = &launch.mapped;
        let mut used: FxHashSet<Expr> = mapped
            .arena
            .topological(&mapped.recovery.roots())
            .into_iter()
            .collect();
        let ids = mapped.ids;
        if !matches!(launch.team, Team::Thread) {
            used.insert(ids.thread[0]);
        }
        let mut lane = None;
        let mut b = self.builder();
        for (axis, &dimension) in Dimension::ALL.iter().enumerate() {
            let attr = dimension.attr(b.ctx());
            if used.contains(&ids.block[axis]) {
                known.insert(ids.block[axis], BlockIdOp::build(&mut b, attr).result(b.ir));
            }
            if !used.contains(&ids.thread[axis]) {
                continue;
            }
            let value = ThreadIdOp::build(&mut b, attr).result(b.ir);
            let number = match launch.team {
                Team::Lanes(lanes) if axis == 0 => {
                    let lanes = constant(&mut b, lanes);
                    lane = Some(arith::RemUIOp::build(&mut b, value, lanes).result(b.ir));
                    arith::DivUIOp::build(&mut b, value, lanes).result(b.ir)
                }
                Team::Block(_) if axis == 0 => {
                    lane = Some(value);
                    value
                }
                _ => value,
            };
            known.insert(ids.thread[axis], number);
        }
        lane
    }
}

/// Indices and guards, and their parts, that are not known yet and use none of these ids.
fn without(launch: &Launch, open: &[Expr], known: &Known) -> Vec<Expr> {
    let arena = &launch.mapped.arena;
    let mut varying: FxHashSet<Expr> = open.iter().copied().collect();
    let mut found = Vec::new();
    let roots = launch.mapped.recovery.roots();
    let needed = unknown(arena, &roots, known);
    for expr in arena.topological(&roots) {
        let operands = arena.node(expr).operands();
        if varying.contains(&expr) || operands.iter().any(|operand| varying.contains(operand)) {
            varying.insert(expr);
        } else if needed.contains(&expr) {
            found.push(expr);
        }
    }
    found
}

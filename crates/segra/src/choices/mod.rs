//! Which kernels run under which conditions: the branches and loops of a host plan as one tree, for people and tools.
//!
//! ```text
//! if n >= main.top.0                     threshold main.top.0, default 32768
//!   kernel main_segmap_2
//! else if k <= 32
//!   kernel main_segred_lanes_3
//! ```
//! Conditions are written over the names of the entry's sizes and the variables of loops around (`i`, `j`, ...). A value that
//! is no expression of them, such as an element of an array, is `?`; the part that makes an expression too long is `…`. A
//! condition that holds for all sizes is left out, and so is a choice by it. Two launches that differ only in the width of
//! their indices are one step; a choice that asks for it says `32-bit indices`.
//! Absent: everything that launches nothing.

mod expression;

use expression::{COMPARISON, Expression, LONGEST, TRUE, binary, sign};
use segra_artifact::{
    Artifact, BinaryOp, BlockId, Compare, Entry, Instr, KernelId, LaunchInstr, LocationId,
    ParamType, Plan, PlanId, Slot, SlotType, TunableId,
};

/// Expressions nested deeper than this are not written out.
const DEEPEST: usize = 12;
/// The text of a value that is no expression of sizes.
const UNKNOWN: &str = "?";
/// The text of the parts of an expression that are left out.
const LEFT_OUT: &str = "…";
/// Variables of loops, from the outermost on.
const VARIABLES: [&str; 3] = ["i", "j", "l"];
/// Results of branches and loops are followed through so many of them.
const DEEPEST_RESULT: usize = 8;
/// Calls nested deeper than this are not followed.
const DEEPEST_CALL: usize = 16;

/// One step of an entry that launches something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A launch.
    Launch {
        /// The kernel: with 32-bit indices, where there are two.
        kernel: KernelId,
        /// The same kernel with 64-bit indices, launched where sizes need them.
        wide: Option<KernelId>,
        /// Bytes of dynamic shared memory, as an expression; `None` where there is none.
        dynamic_shared: Option<String>,
    },
    /// A choice that the host makes when the program runs.
    Choice {
        /// The condition, over the names of sizes.
        condition: String,
        /// The thresholds it asks, in order.
        thresholds: Vec<TunableId>,
        /// Where in the source program.
        location: Option<LocationId>,
        /// Steps where it holds.
        then: Vec<Step>,
        /// Steps where it does not.
        otherwise: Vec<Step>,
    },
    /// A loop on the host.
    Loop {
        /// Its rounds: `for i in 0 .. k`, or `while`.
        header: String,
        /// Where in the source program.
        location: Option<LocationId>,
        /// Steps of a round.
        body: Vec<Step>,
    },
}

/// The steps of an entry; none where everything runs on the host.
pub fn choices(artifact: &Artifact, entry: &Entry) -> Vec<Step> {
    let Some(plan) = artifact.plans.get(entry.plan.index()) else {
        return Vec::new();
    };
    let mut names = entry.sizes.clone();
    names.extend(entry.params.iter().map(|param| match param.ty {
        ParamType::Size(size) => entry.size_name(size),
        _ => param.name.clone(),
    }));
    Reader::new(artifact, plan, names, 0).steps(Plan::BODY)
}

/// The dynamic shared memory of each kernel, as the launches in [`choices`] of all entries have it: expressions that
/// differ, in order; none of a kernel that is launched without.
pub fn dynamic_shared(artifact: &Artifact) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new(); artifact.kernels.len()];
    for entry in &artifact.entries {
        collect_shared(&choices(artifact, entry), &mut found);
    }
    found
}

fn collect_shared(steps: &[Step], found: &mut [Vec<String>]) {
    for step in steps {
        match step {
            Step::Launch {
                kernel,
                wide,
                dynamic_shared: Some(bytes),
            } => {
                for kernel in [Some(*kernel), *wide].into_iter().flatten() {
                    if let Some(of_kernel) = found.get_mut(kernel.index())
                        && !of_kernel.contains(bytes)
                    {
                        of_kernel.push(bytes.clone());
                    }
                }
            }
            Step::Launch { .. } => {}
            Step::Choice {
                then, otherwise, ..
            } => {
                collect_shared(then, found);
                collect_shared(otherwise, found);
            }
            Step::Loop { body, .. } => collect_shared(body, found),
        }
    }
}

/// Reads one plan.
struct Reader<'a> {
    artifact: &'a Artifact,
    plan: &'a Plan,
    /// The instruction that defines each slot.
    definitions: Vec<Option<&'a Instr>>,
    /// Whether the run goes on only where the slot is true.
    checked: Vec<bool>,
    /// The name of each slot that is a parameter.
    names: Vec<Option<String>>,
    calls: usize,
}

impl<'a> Reader<'a> {
    fn new(artifact: &'a Artifact, plan: &'a Plan, names: Vec<String>, calls: usize) -> Self {
        let mut definitions = vec![None; plan.slots.len()];
        let mut checked = vec![false; plan.slots.len()];
        for stmt in plan.blocks.iter().flat_map(|block| &block.stmts) {
            let carried = match &stmt.instr {
                Instr::For(for_loop) => &for_loop.carried[..],
                _ => &[],
            };
            for slot in stmt.instr.defs().iter().chain(carried) {
                if let Some(definition) = definitions.get_mut(slot.index()) {
                    *definition = Some(&stmt.instr);
                }
            }
            if let Instr::Check { cond, .. } = &stmt.instr
                && let Some(checked) = checked.get_mut(cond.index())
            {
                *checked = true;
            }
        }
        let mut named = vec![None; plan.slots.len()];
        for (param, name) in plan.params.iter().zip(names) {
            if let Some(slot) = named.get_mut(param.index()) {
                *slot = Some(name);
            }
        }
        let mut reader = Reader {
            artifact,
            plan,
            definitions,
            checked,
            names: named,
            calls,
        };
        let taken: Vec<String> = reader.names.iter().flatten().cloned().collect();
        reader.name_variables(Plan::BODY, 0, &taken);
        reader
    }

    /// Names the variable of each loop in a block, `depth` loops deep: `i`, `j`, ..., or `i1`, ... where names are taken.
    fn name_variables(&mut self, block: BlockId, depth: usize, taken: &[String]) {
        let plan = self.plan;
        for stmt in plan.block(block).map_or(&[][..], |block| &block.stmts) {
            match &stmt.instr {
                Instr::For(for_loop) => {
                    let letters = VARIABLES.map(str::to_owned).into_iter();
                    let numbered = (1..).map(|number| format!("{}{number}", VARIABLES[0]));
                    let is_free = |name: &String| !taken.iter().any(|text| mentions(text, name));
                    let mut free = letters.chain(numbered).filter(is_free);
                    if let Some(name) = self.names.get_mut(for_loop.index.index()) {
                        *name = free.nth(depth);
                    }
                    self.name_variables(for_loop.body, depth + 1, taken);
                }
                Instr::If {
                    then_block,
                    else_block,
                    ..
                } => {
                    self.name_variables(*then_block, depth, taken);
                    self.name_variables(*else_block, depth, taken);
                }
                Instr::While(while_loop) => {
                    self.name_variables(while_loop.before, depth, taken);
                    self.name_variables(while_loop.after, depth, taken);
                }
                _ => {}
            }
        }
    }

    fn steps(&self, block: BlockId) -> Vec<Step> {
        let mut steps = Vec::new();
        for stmt in self.plan.block(block).map_or(&[][..], |block| &block.stmts) {
            self.read(&stmt.instr, stmt.location, &mut steps);
        }
        steps
    }

    fn read(&self, instr: &Instr, location: Option<LocationId>, steps: &mut Vec<Step>) {
        match instr {
            Instr::Launch(launch) => steps.push(self.launch(launch)),
            Instr::If {
                cond,
                then_block,
                else_block,
                ..
            } => {
                let (then, otherwise) = (self.steps(*then_block), self.steps(*else_block));
                steps.extend(self.choice(*cond, location, then, otherwise));
            }
            Instr::For(for_loop) => {
                let asked = self.conditional(for_loop.upper);
                let upper = asked.map_or(for_loop.upper, |(_, upper)| upper);
                let [lower, upper, step] = [for_loop.lower, upper, for_loop.step]
                    .map(|slot| self.expression(slot, DEEPEST).text);
                let step = match step.as_str() {
                    "1" => String::new(),
                    step => format!(" by {step}"),
                };
                let variable = self.expression(for_loop.index, DEEPEST).text;
                let header = format!("for {variable} in {lower} .. {upper}{step}");
                let looped = repeated(header, location, self.steps(for_loop.body));
                match (looped, asked) {
                    (Some(looped), Some((cond, _))) => {
                        steps.extend(self.choice(cond, location, vec![looped], Vec::new()));
                    }
                    (looped, _) => steps.extend(looped),
                }
            }
            Instr::While(while_loop) => {
                let mut body = self.steps(while_loop.before);
                body.extend(self.steps(while_loop.after));
                steps.extend(repeated("while".to_owned(), location, body));
            }
            Instr::Call { plan, args, .. } => steps.extend(self.call(*plan, args)),
            _ => {}
        }
    }

    fn launch(&self, launch: &LaunchInstr) -> Step {
        let bytes = |slot| self.expression(slot, DEEPEST).text;
        Step::Launch {
            kernel: launch.kernel,
            wide: None,
            dynamic_shared: launch.dynamic_shared.map(bytes).filter(|text| text != "0"),
        }
    }

    fn choice(
        &self,
        cond: Slot,
        location: Option<LocationId>,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    ) -> Vec<Step> {
        if then.is_empty() && otherwise.is_empty() {
            return Vec::new();
        }
        if let Some(joined) = self.widths(&then, &otherwise) {
            return vec![joined];
        }
        let mut thresholds = Vec::new();
        self.thresholds(cond, DEEPEST, &mut thresholds);
        let condition = self.expression(cond, DEEPEST).text;
        if condition == TRUE {
            return then;
        }
        let (condition, then, otherwise) = match then.is_empty() {
            // One side only: the side that launches something is the one to see.
            true => (format!("not ({condition})"), otherwise, then),
            false => (condition, then, otherwise),
        };
        vec![Step::Choice {
            condition,
            thresholds,
            location,
            then,
            otherwise,
        }]
    }

    /// One launch for two that differ only in the width of indices.
    fn widths(&self, then: &[Step], otherwise: &[Step]) -> Option<Step> {
        let ([narrow], [wide]) = (then, otherwise) else {
            return None;
        };
        let (
            Step::Launch {
                kernel,
                wide: None,
                dynamic_shared,
            },
            Step::Launch {
                kernel: wide,
                wide: None,
                ..
            },
        ) = (narrow, wide)
        else {
            return None;
        };
        let name = |kernel: &KernelId| Some(&self.artifact.kernels.get(kernel.index())?.name);
        (*name(wide)? == format!("{}_64", name(kernel)?)).then(|| Step::Launch {
            kernel: *kernel,
            wide: Some(*wide),
            dynamic_shared: dynamic_shared.clone(),
        })
    }

    fn call(&self, callee: PlanId, args: &[Slot]) -> Vec<Step> {
        let Some(plan) = self.artifact.plans.get(callee.index()) else {
            return Vec::new();
        };
        if self.calls == DEEPEST_CALL {
            return Vec::new();
        }
        let names = args
            .iter()
            .map(|&slot| self.expression(slot, DEEPEST).factor())
            .collect();
        Reader::new(self.artifact, plan, names, self.calls + 1).steps(Plan::BODY)
    }

    fn definition(&self, slot: Slot) -> Option<&'a Instr> {
        self.definitions.get(slot.index()).copied().flatten()
    }

    /// The thresholds that a condition asks.
    fn thresholds(&self, cond: Slot, depth: usize, found: &mut Vec<TunableId>) {
        match self.definition(cond) {
            Some(Instr::AtLeast { tunable, .. }) if !found.contains(tunable) => {
                found.push(*tunable);
            }
            Some(Instr::Binary { lhs, rhs, .. }) if depth > 0 => {
                self.thresholds(*lhs, depth - 1, found);
                self.thresholds(*rhs, depth - 1, found);
            }
            Some(Instr::Unary { src, .. }) if depth > 0 => {
                self.thresholds(*src, depth - 1, found);
            }
            Some(Instr::If { .. }) if depth > 0 => {
                for slot in self.of_branch(cond).into_iter().flatten() {
                    self.thresholds(slot, depth - 1, found);
                }
            }
            _ => {}
        }
    }

    /// The condition of a branch and both values that a result of it may be.
    fn of_branch(&self, slot: Slot) -> Option<[Slot; 3]> {
        let Instr::If {
            cond,
            then_block,
            else_block,
            results,
        } = self.definition(slot)?
        else {
            return None;
        };
        let index = results.iter().position(|&result| result == slot)?;
        let yielded = |block: BlockId| self.plan.block(block)?.results.get(index).copied();
        Some([*cond, yielded(*then_block)?, yielded(*else_block)?])
    }

    fn is_true(&self, slot: Slot) -> bool {
        self.is_truth(slot, true)
    }

    fn is_false(&self, slot: Slot) -> bool {
        self.is_truth(slot, false)
    }

    fn is_truth(&self, slot: Slot, truth: bool) -> bool {
        self.plan.slot_type(slot) == Some(SlotType::BOOL)
            && matches!(self.definition(slot), Some(Instr::Const { value, .. }) if (value.bits() != 0) == truth)
    }

    /// Whether a comparison is that of the largest index of kernels with the limit of 32 bits: of the largest of several
    /// numbers, maybe only where the kernel is reached.
    fn is_of_widths(&self, op: Compare, largest: Slot, limit: Slot) -> bool {
        let is_max = |slot: Slot| {
            let max = BinaryOp::MaxU;
            matches!(self.definition(slot), Some(Instr::Binary { op, .. }) if *op == max)
        };
        let is_largest = is_max(largest)
            || match self.definition(largest) {
                Some(Instr::Select {
                    on_true, on_false, ..
                }) => is_max(*on_true) || is_max(*on_false),
                _ => false,
            };
        matches!(op, Compare::LeU | Compare::GtU)
            && is_largest
            && matches!(self.definition(limit), Some(Instr::Const { .. }))
    }

    fn constant(&self, slot: Slot) -> Option<i64> {
        match self.definition(slot) {
            Some(Instr::Const { value, .. }) => i64::try_from(value.bits()).ok(),
            _ => None,
        }
    }

    /// `x`, where `x + (divisor - 1)` is divided: a quotient that is rounded up.
    fn rounded_up(&self, divided: Slot, divisor: Slot) -> Option<Slot> {
        match self.definition(divided)? {
            Instr::Binary {
                op: BinaryOp::Add,
                lhs,
                rhs,
                ..
            } => (self.constant(*rhs)?.checked_add(1) == self.constant(divisor)).then_some(*lhs),
            _ => None,
        }
    }

    /// The condition under which a number of steps is not 0, and the number then, where a threshold is asked for it.
    fn conditional(&self, slot: Slot) -> Option<(Slot, Slot)> {
        let Instr::Select {
            cond,
            on_true,
            on_false,
            ..
        } = self.definition(slot)?
        else {
            return None;
        };
        let mut thresholds = Vec::new();
        self.thresholds(*cond, DEEPEST, &mut thresholds);
        (self.is_zero(*on_false) && !thresholds.is_empty()).then_some((*cond, *on_true))
    }

    fn is_zero(&self, slot: Slot) -> bool {
        self.constant(slot) == Some(0)
    }

    /// Whether a condition is that a number is above 0, or not below.
    fn is_positive(&self, cond: Slot, number: Slot) -> bool {
        match self.definition(cond) {
            Some(Instr::Compare { op, lhs, rhs, .. }) => match op {
                Compare::Lt | Compare::Le => self.is_zero(*lhs) && *rhs == number,
                Compare::Gt | Compare::Ge => *lhs == number && self.is_zero(*rhs),
                _ => false,
            },
            _ => false,
        }
    }

    /// The slot whose value a result of a branch or of a loop always has: what both sides yield, what a loop does not change.
    fn same(&self, slot: Slot) -> Slot {
        self.same_if(slot, &mut Vec::new(), DEEPEST_RESULT)
    }

    /// `carried`: values that loops around carry, and what they are if no round changes them.
    fn same_if(&self, slot: Slot, carried: &mut Vec<(Slot, Slot)>, depth: usize) -> Slot {
        if let Some((_, kept)) = carried.iter().find(|(other, _)| *other == slot) {
            return *kept;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return slot;
        };
        let yielded = |block: BlockId, index: usize| {
            let results = &self.plan.block(block)?.results;
            results.get(index).copied()
        };
        let position = |slots: &[Slot]| slots.iter().position(|&other| other == slot);
        let found = match self.definition(slot) {
            Some(Instr::If {
                then_block,
                else_block,
                results,
                ..
            }) => position(results).and_then(|index| {
                let then = self.same_if(yielded(*then_block, index)?, carried, depth);
                let other = self.same_if(yielded(*else_block, index)?, carried, depth);
                (then == other).then_some(then)
            }),
            Some(Instr::For(for_loop)) => position(&for_loop.results)
                .or_else(|| position(&for_loop.carried))
                .and_then(|index| {
                    let init = self.same_if(*for_loop.inits.get(index)?, carried, depth);
                    carried.push((*for_loop.carried.get(index)?, init));
                    let next = yielded(for_loop.body, index)
                        .map(|next| self.same_if(next, carried, depth));
                    carried.pop();
                    (next == Some(init)).then_some(init)
                }),
            _ => None,
        };
        found.unwrap_or(slot)
    }

    /// Whether a comparison of two integers holds whatever they are, being the same.
    fn holds(&self, op: Compare, compared: Slot, lhs: &Expression, rhs: &Expression) -> bool {
        let is_float = match self.plan.slot_type(compared) {
            Some(SlotType::Scalar(element) | SlotType::Buffer(element)) => element.is_float(),
            None => true,
        };
        matches!(
            op,
            Compare::Eq | Compare::Le | Compare::Ge | Compare::LeU | Compare::GeU
        ) && lhs.text == rhs.text
            && !lhs.text.contains(UNKNOWN)
            && !lhs.text.contains(LEFT_OUT)
            && !is_float
    }

    /// One of two values.
    fn select(&self, cond: Slot, on_true: Slot, on_false: Slot, depth: usize) -> Expression {
        let [then, other] = [on_true, on_false].map(|slot| self.expression(slot, depth));
        // The steps of a loop: none where it counts down. A size that is checked: the run ends where it is negative.
        let is_count = self.is_zero(on_false) && self.is_positive(cond, on_true);
        let checked = self.checked.get(cond.index()) == Some(&true);
        if is_count || checked || then.text == other.text {
            return then;
        }
        if let Some(Instr::Compare { op, lhs, rhs, .. }) = self.definition(cond) {
            let greater = match op {
                Compare::Gt | Compare::Ge | Compare::GtU | Compare::GeU => Some(true),
                Compare::Lt | Compare::Le | Compare::LtU | Compare::LeU => Some(false),
                _ => None,
            };
            let as_compared = match () {
                () if (*lhs, *rhs) == (on_true, on_false) => Some(true),
                () if (*lhs, *rhs) == (on_false, on_true) => Some(false),
                () => None,
            };
            if let (Some(greater), Some(as_compared)) = (greater, as_compared) {
                let function = if greater == as_compared { "max" } else { "min" };
                return Expression::call(function, then, other);
            }
        }
        let condition = self.expression(cond, depth);
        // Too long for both: what there is if there is anything, as in `segra_std::sizes`.
        if self.is_zero(on_false) && then.text.len() + condition.text.len() > LONGEST / 2 {
            return then;
        }
        Expression::either(then, condition, other)
    }

    /// A condition that does not hold.
    fn negation(&self, slot: Slot, depth: usize) -> Expression {
        match self.definition(slot) {
            Some(Instr::AtLeast { value, tunable, .. }) if depth > 0 => {
                let name = Expression::atom(self.artifact.tunable_name(*tunable));
                Expression::infix(COMPARISON, self.expression(*value, depth - 1), "<", name)
            }
            _ => Expression::atom(format!("not {}", self.expression(slot, depth).factor())),
        }
    }

    /// A scalar as people read it.
    fn expression(&self, slot: Slot, depth: usize) -> Expression {
        let unknown = || Expression::atom(UNKNOWN);
        let slot = self.same(slot);
        if let Some(Some(name)) = self.names.get(slot.index()) {
            return Expression::atom(name);
        }
        let Some(instr) = self.definition(slot) else {
            return unknown();
        };
        if depth == 0 {
            return Expression::atom(LEFT_OUT);
        }
        let inner = |slot: &Slot| self.expression(*slot, depth - 1);
        match instr {
            Instr::Const { value, .. } => Expression::atom(value.to_string()),
            Instr::Convert { src, .. } => inner(src),
            Instr::AtLeast { value, tunable, .. } => {
                let name = self.artifact.tunable_name(*tunable);
                Expression::infix(COMPARISON, inner(value), ">=", Expression::atom(name))
            }
            Instr::Compare { op, lhs, rhs, .. } if self.is_of_widths(*op, *lhs, *rhs) => {
                Expression::atom(match op {
                    Compare::LeU => "32-bit indices",
                    _ => "64-bit indices",
                })
            }
            Instr::Compare {
                op, lhs: left, rhs, ..
            } => {
                let (lhs, rhs) = (inner(left), inner(rhs));
                match sign(*op) {
                    Some(_) if self.holds(*op, *left, &lhs, &rhs) => Expression::atom(TRUE),
                    Some(sign) => Expression::infix(COMPARISON, lhs, sign, rhs),
                    None => unknown(),
                }
            }
            Instr::Binary {
                op: BinaryOp::Xor,
                lhs,
                rhs,
                ..
            } if self.is_true(*rhs) => self.negation(*lhs, depth - 1),
            Instr::Binary {
                op: BinaryOp::Div | BinaryOp::DivU,
                lhs,
                rhs,
                ..
            } if self.rounded_up(*lhs, *rhs).is_some() => {
                let whole = self.rounded_up(*lhs, *rhs).unwrap_or(*lhs);
                Expression::call("ceildiv", inner(&whole), inner(rhs))
            }
            Instr::Select {
                cond,
                on_true,
                on_false,
                ..
            } => self.select(*cond, *on_true, *on_false, depth - 1),
            Instr::Binary { op, dst, lhs, rhs } => {
                let truth = self.plan.slot_type(*dst) == Some(SlotType::BOOL);
                binary(*op, truth, inner(lhs), inner(rhs))
            }
            // A question that is asked only where another one is answered.
            Instr::If { .. } => match self.of_branch(slot) {
                Some([cond, then, other]) if self.is_false(other) => {
                    binary(BinaryOp::And, true, inner(&cond), inner(&then))
                }
                _ => unknown(),
            },
            _ => unknown(),
        }
    }
}

fn repeated(header: String, location: Option<LocationId>, body: Vec<Step>) -> Option<Step> {
    (!body.is_empty()).then_some(Step::Loop {
        header,
        location,
        body,
    })
}

/// Whether a name is a word of a text.
fn mentions(text: &str, name: &str) -> bool {
    let between = |c: char| !(c.is_alphanumeric() || c == '_');
    text.split(between).any(|word| word == name)
}

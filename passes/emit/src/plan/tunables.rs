//! Comparisons with thresholds: tunables of the artifact, with what they are compared with and which choice they are
//! part of, so that a tuner knows the tree of versions without the program.

use super::{HostValue, Refused, Translated, Translator};
use segra_artifact::{Branch, Side, Tunable, TunableId};
use segra_ir::{Op, Value};
use segra_kernel::threshold::AtLeastOp;
use segra_std::arith;
use segra_std::sizes::size_text;

/// Conditions nested deeper than this are not asked for their thresholds.
const DEEPEST: usize = 8;

/// Reasons for a side of a branch, where conditions are combined: of more, those of one condition stand for both.
const MOST_REASONS: usize = 16;

/// Bytes of the text of what is compared with a threshold.
const LONGEST: usize = 72;

impl Translator<'_> {
    /// Whether a size is at least a threshold.
    pub(super) fn at_least(&mut self, op: Op) -> Translated<()> {
        let value = self.scalar(op, 0)?;
        let tunable = self.tunable(op)?;
        let slot = self.plan.at_least(value, tunable);
        self.define(op, 0, HostValue::Scalar(slot));
        Ok(())
    }

    /// The threshold of a comparison; the first comparison with it says what it is compared with.
    fn tunable(&mut self, op: Op) -> Translated<TunableId> {
        let Some(comparison) = self.ir.cast::<AtLeastOp>(op) else {
            return Err(Refused);
        };
        let name = comparison
            .name(self.ir)
            .as_str(self.ir.ctx())
            .unwrap_or_default()
            .to_owned();
        let default = comparison.default(self.ir);
        if let Some(index) = self
            .artifact
            .tunables
            .iter()
            .position(|known| known.name == name)
        {
            let known = self.artifact.tunables[index].default;
            if known != default {
                return self.refuse(
                    op,
                    format!("has the default {default}, but `{name}` has {known} elsewhere"),
                );
            }
            return Ok(TunableId::new(index));
        }
        let compared = size_text(self.ir, comparison.value(self.ir), LONGEST);
        let location = super::location(self.ir.ctx(), self.artifact, self.ir.loc(op));
        let under = self.branches.last().copied();
        Ok(self.artifact.add_tunable(Tunable {
            name,
            default,
            min: 0,
            max: i64::MAX,
            compared,
            under,
            location,
        }))
    }

    /// The sides of a branch, by the thresholds whose comparisons, maybe with further conditions, decide it. Where there are
    /// several reasons to go to its first side, each is asked where those before it do not hold; where a reason needs several
    /// thresholds, each is asked where those before it are met.
    pub(super) fn choice_of(&mut self, branch: Op) -> Option<[Branch; 2]> {
        let condition = self.ir.operands(branch).next()?;
        let mut reasons = self.reasons(condition, DEEPEST);
        for reason in &mut reasons {
            // Outer choices come first.
            reason.sort_unstable();
            reason.dedup();
        }
        reasons.sort_unstable();
        reasons.dedup();
        let around = self.branches.last().copied();
        let mut sides: Option<[Branch; 2]> = None;
        for reason in &reasons {
            // Of a threshold that was asked elsewhere the way there is known already, and is not this one.
            let tunables = &self.artifact.tunables;
            let here = |one: &&TunableId| tunables[one.index()].under == around;
            let asked: Vec<TunableId> = reason.iter().filter(here).copied().collect();
            let asked = if asked.is_empty() { reason } else { &asked };
            let (Some(&first), Some(&last)) = (asked.first(), asked.last()) else {
                continue;
            };
            if let Some([_, not_met]) = sides {
                self.put_under(first, not_met, around);
            }
            for pair in asked.windows(2) {
                self.put_under(pair[1], on(pair[0], Side::AtLeast), around);
            }
            sides = Some([on(last, Side::AtLeast), on(first, Side::Below)]);
        }
        sides
    }

    /// Says on which side of another threshold's choice one is asked, unless that is known already.
    fn put_under(&mut self, inner: TunableId, branch: Branch, around: Option<Branch>) {
        let known = &mut self.artifact.tunables[inner.index()];
        if known.under == around && branch.tunable < inner {
            known.under = Some(branch);
        }
    }

    /// The thresholds that lead to the first side of a branch: each of the lists is a reason, which needs all of its own.
    fn reasons(&self, condition: Value, depth: usize) -> Vec<Vec<TunableId>> {
        let Some(op) = self.ir.defining_op(condition).filter(|_| depth > 0) else {
            return Vec::new();
        };
        if let Some(comparison) = self.ir.cast::<AtLeastOp>(op) {
            let name = comparison.name(self.ir).as_str(self.ir.ctx());
            let mut known = self.artifact.tunables.iter();
            let index = known.position(|known| Some(known.name.as_str()) == name);
            return index
                .map(|index| vec![TunableId::new(index)])
                .into_iter()
                .collect();
        }
        let mut parts = self
            .ir
            .operands(op)
            .map(|part| self.reasons(part, depth - 1));
        if self.ir.isa::<arith::OrIOp>(op) {
            parts.flatten().collect()
        } else if self.ir.isa::<arith::AndIOp>(op) {
            let first = parts.next().unwrap_or_default();
            let second = parts.next().unwrap_or_default();
            if first.is_empty() || second.is_empty() || first.len() * second.len() > MOST_REASONS {
                return if second.is_empty() { first } else { second };
            }
            let pairs = first
                .iter()
                .flat_map(|x| second.iter().map(move |y| [x.as_slice(), y].concat()));
            pairs.collect()
        } else {
            Vec::new()
        }
    }
}

fn on(tunable: TunableId, side: Side) -> Branch {
    Branch { tunable, side }
}

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

    /// The threshold whose comparison, maybe with further conditions, decides a branch. Where there are several reasons to
    /// go to its first side, a threshold each, the last one does: it is asked where none before it holds.
    pub(super) fn choice_of(&mut self, branch: Op) -> Option<TunableId> {
        let condition = self.ir.operands(branch).next()?;
        let mut reasons = self.reasons(condition, DEEPEST);
        // Outer choices come first.
        reasons.sort_unstable();
        reasons.dedup();
        let around = self.branches.last().copied();
        for (&before, &reason) in reasons.iter().zip(reasons.iter().skip(1)) {
            let known = &mut self.artifact.tunables[reason.index()];
            if known.under == around {
                known.under = Some(Branch {
                    tunable: before,
                    side: Side::Below,
                });
            }
        }
        reasons.last().copied()
    }

    /// The thresholds any of which leads to the first side of a branch, with the conditions that go with it.
    fn reasons(&self, condition: Value, depth: usize) -> Vec<TunableId> {
        let Some(op) = self.ir.defining_op(condition).filter(|_| depth > 0) else {
            return Vec::new();
        };
        if let Some(comparison) = self.ir.cast::<AtLeastOp>(op) {
            let name = comparison.name(self.ir).as_str(self.ir.ctx());
            let mut known = self.artifact.tunables.iter();
            let index = known.position(|known| Some(known.name.as_str()) == name);
            return index.map(TunableId::new).into_iter().collect();
        }
        let mut parts = self
            .ir
            .operands(op)
            .map(|part| self.reasons(part, depth - 1));
        if self.ir.isa::<arith::OrIOp>(op) {
            parts.flatten().collect()
        } else if self.ir.isa::<arith::AndIOp>(op) {
            let (first, second) = (parts.next(), parts.next());
            let found = second.filter(|found| !found.is_empty());
            found.or(first).unwrap_or_default()
        } else {
            Vec::new()
        }
    }
}

//! The proof that a batch is ordered: every pair of conflicting steps, by streams and waits alone.
//!
//! Shares nothing with the making of schedules but the meaning of a conflict, so that it finds what that forgets. Quadratic in
//! the steps of a batch, which are few.

use super::Step;

/// Two steps that may run in either order though they use the same memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unordered {
    pub(crate) first: usize,
    pub(crate) second: usize,
}

/// The first pair of conflicting steps that nothing orders; also a step that waits for a later one, for itself.
pub(crate) fn ordered(steps: &[Step]) -> Result<(), Unordered> {
    // For each step, whether each earlier one has ended when it starts.
    let mut ended: Vec<Vec<bool>> = Vec::with_capacity(steps.len());
    for (second, step) in steps.iter().enumerate() {
        let mut before = vec![false; second];
        let behind = (0..second).filter(|&other| steps[other].stream == step.stream);
        for direct in behind.chain(step.waits.iter().copied()) {
            if direct >= second {
                return Err(Unordered {
                    first: direct,
                    second,
                });
            }
            before[direct] = true;
            for (mark, earlier) in before.iter_mut().zip(&ended[direct]) {
                *mark |= earlier;
            }
        }
        let conflicts = |other: &Step| {
            other
                .uses
                .iter()
                .any(|theirs| step.uses.iter().any(|mine| mine.conflicts(theirs)))
        };
        if let Some(first) = (0..second).find(|&first| !before[first] && conflicts(&steps[first])) {
            return Err(Unordered { first, second });
        }
        ended.push(before);
    }
    Ok(())
}

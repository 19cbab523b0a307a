//! A set of the steps of one batch.

/// Steps are below this.
pub(super) const CAPACITY: usize = 256;
const WORDS: usize = CAPACITY / 64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StepSet([u64; WORDS]);

impl StepSet {
    pub(super) fn contains(&self, step: usize) -> bool {
        self.0
            .get(step / 64)
            .is_some_and(|word| word >> (step % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, step: usize) {
        if let Some(word) = self.0.get_mut(step / 64) {
            *word |= 1 << (step % 64);
        }
    }

    pub(super) fn extend(&mut self, other: StepSet) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}

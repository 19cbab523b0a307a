//! Why a step of tiling does not apply.

use segra_ir::Op;

/// A step was not done, and nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// The op that stands in the way.
    pub op: Op,
    /// The fault, to be read after the name of the op that was to be tiled.
    pub reason: String,
}

impl Refusal {
    /// A refusal because of `op`.
    pub fn new(op: Op, reason: impl Into<String>) -> Refusal {
        Refusal {
            op,
            reason: reason.into(),
        }
    }
}

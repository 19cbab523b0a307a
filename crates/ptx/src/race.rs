//! How reports describe data races and places in memory.

use crate::fault::SourceLocation;
use thiserror::Error;

/// Where in an allocation or variable an address lies.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset} of `{name}`")]
pub struct Within {
    /// Name of the allocation or variable.
    pub name: String,
    /// Bytes from its start.
    pub offset: u64,
}

/// Appended to an address in a message.
pub(crate) fn inside(within: &Option<Within>) -> String {
    within
        .as_ref()
        .map_or_else(String::new, |within| format!(" ({within})"))
}

/// Why two accesses race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceCause {
    /// No barrier, fence with flag, or other synchronisation orders them.
    Unordered,
    /// Both are atomic, but the scope of one does not reach the other's thread.
    NarrowScope {
        /// The scope written: `.cta`.
        scope: &'static str,
    },
    /// One of them is an asynchronous copy that nothing has waited for.
    CopyInFlight,
    /// A write of what a product of a warpgroup may be reading: nothing has waited for its group.
    ProductInFlight,
    /// An ordinary store is read by a bulk copy or a product of a warpgroup, and no `fence.proxy.async` stands between.
    NoProxyFence,
    /// A load through the non-coherent cache (`.nc`) of what the same launch has written, in whatever order.
    NonCoherent,
}

/// A data race. The report's own place is the access that comes later in the text, `other` the earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// "load", "store", "atomic" or "asynchronous copy": the access the report is about.
    pub access: &'static str,
    /// State space by its PTX name.
    pub space: &'static str,
    /// The address.
    pub address: u64,
    /// Its contents.
    pub within: Option<Within>,
    /// Why.
    pub cause: RaceCause,
    /// The access it races with; `None` when no more is known than that another block loaded.
    pub other: Option<OtherAccess>,
}

/// The other side of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherAccess {
    /// "load", "store", "atomic" or "asynchronous copy".
    pub access: &'static str,
    /// Its PTX line, from 1; 0 is unknown.
    pub line: u32,
    /// That line, trimmed.
    pub text: String,
    /// Its source position, where the PTX has one.
    pub source_location: Option<SourceLocation>,
    /// Thread block.
    pub block: [u32; 3],
    /// Thread in the block.
    pub thread: [u32; 3],
}

impl core::fmt::Display for Race {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Race {
            access,
            space,
            address,
            ..
        } = self;
        write!(
            f,
            "race on {space} memory at {address:#x}{}: {access} here",
            inside(&self.within)
        )?;
        match &self.other {
            Some(other) => {
                let ([x, y, z], [a, b, c]) = (other.block, other.thread);
                write!(
                    f,
                    ", {} by block ({x}, {y}, {z}), thread ({a}, {b}, {c}) at PTX line {}: {}",
                    other.access,
                    other.line,
                    other.text.trim_end_matches(';')
                )?;
                if let Some(at) = &other.source_location {
                    write!(f, ", from {at}")?;
                }
            }
            None => write!(f, ", loads by other thread blocks before")?,
        }
        match self.cause {
            RaceCause::Unordered => write!(f, "; nothing orders them"),
            RaceCause::NarrowScope { scope } => {
                write!(
                    f,
                    "; scope {scope} does not make them atomic to each other, .gpu would"
                )
            }
            RaceCause::CopyInFlight => write!(f, "; nothing has waited for the asynchronous copy"),
            RaceCause::ProductInFlight => write!(
                f,
                "; no `wgmma.wait_group` has waited for the product, which may still be reading"
            ),
            RaceCause::NonCoherent => write!(
                f,
                "; what a launch loads by .nc must not be written by it, whatever orders them"
            ),
            RaceCause::NoProxyFence => write!(
                f,
                "; no fence.proxy.async stands between, and the later one reads through the asynchronous proxy"
            ),
        }
    }
}

//! Typed ids of everything an artifact stores in tables.
//!
//! An id prints as it reads in the dump of an artifact. Ids are plain positions; only validation
//! (see [`crate::Artifact::validate`]) says that one is in range.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident prints $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its table.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a table's position; positions beyond `u32` saturate, which validation refuses.
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(
    /// A typed register of one plan.
    Slot prints "%"
);
id!(
    /// A block of one plan.
    BlockId prints "^"
);
id!(
    /// A plan of the artifact.
    PlanId prints "plan"
);
id!(
    /// A kernel of the artifact's manifest.
    KernelId prints "kernel"
);
id!(
    /// A place where a run-time check can fail.
    SiteId prints "site"
);
id!(
    /// A source location in the artifact's [`crate::SourceMap`].
    LocationId prints "loc"
);
id!(
    /// A tunable of the artifact.
    TunableId prints "tunable"
);
id!(
    /// A symbolic size of one entry.
    SizeId prints "size"
);
id!(
    /// A target (PTX text) of the artifact.
    TargetId prints "target"
);

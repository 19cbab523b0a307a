//! Targets of PTX: a chip, an optimisation level, a PTX version.
//!
//! Invariant: a [`Chip`] is always one that LLVM 22's NVPTX back end knows. LLVM only warns about an unknown
//! chip and then silently generates code for its oldest one, so names are checked here against a closed table.
//! Likewise a PTX version older than the chip's first one would end the whole process, so it is refused here.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{ErrorCode, MlirError};
use crate::libdevice;

/// One NVIDIA compute architecture, such as `sm_80`; made from text by [`Chip::from_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Chip {
    /// Compute capability times ten: 75 for `sm_75`.
    number: u16,
    /// The suffix that unlocks instructions existing on this architecture only (`sm_90a`) or its family only.
    variant: Variant,
    /// The first PTX version that names this chip.
    first_ptx: PtxVersion,
}

/// The suffix of a chip's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Variant {
    Portable,
    Architecture,
    Family,
}

/// A version of the PTX language, such as 7.8. It decides which drivers can load the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PtxVersion {
    /// 7 in 7.8.
    pub major: u8,
    /// 8 in 7.8.
    pub minor: u8,
}

/// The newest PTX version the worker's back end can write.
const NEWEST_PTX: PtxVersion = PtxVersion::new(9, 0);

/// PTX versions that LLVM 22 has a feature name for, besides the range checks.
const PTX_VERSIONS: &[(u8, u8)] = &[
    (6, 3),
    (6, 4),
    (6, 5),
    (7, 0),
    (7, 1),
    (7, 2),
    (7, 3),
    (7, 4),
    (7, 5),
    (7, 6),
    (7, 7),
    (7, 8),
    (8, 0),
    (8, 1),
    (8, 2),
    (8, 3),
    (8, 4),
    (8, 5),
    (8, 6),
    (8, 7),
    (8, 8),
    (9, 0),
];

/// Chips from Turing on, with the first PTX version of each (PTX ISA, "Release notes").
const CHIPS: &[(&str, u16, Variant, PtxVersion)] = &[
    ("sm_75", 75, Variant::Portable, PtxVersion::new(6, 3)),
    ("sm_80", 80, Variant::Portable, PtxVersion::new(7, 0)),
    ("sm_86", 86, Variant::Portable, PtxVersion::new(7, 1)),
    ("sm_87", 87, Variant::Portable, PtxVersion::new(7, 4)),
    ("sm_89", 89, Variant::Portable, PtxVersion::new(7, 8)),
    ("sm_90", 90, Variant::Portable, PtxVersion::new(7, 8)),
    ("sm_90a", 90, Variant::Architecture, PtxVersion::new(8, 0)),
    ("sm_100", 100, Variant::Portable, PtxVersion::new(8, 6)),
    ("sm_100a", 100, Variant::Architecture, PtxVersion::new(8, 6)),
    ("sm_100f", 100, Variant::Family, PtxVersion::new(8, 8)),
    ("sm_103", 103, Variant::Portable, PtxVersion::new(8, 8)),
    ("sm_103a", 103, Variant::Architecture, PtxVersion::new(8, 8)),
    ("sm_103f", 103, Variant::Family, PtxVersion::new(8, 8)),
    ("sm_120", 120, Variant::Portable, PtxVersion::new(8, 7)),
    ("sm_120a", 120, Variant::Architecture, PtxVersion::new(8, 7)),
    ("sm_120f", 120, Variant::Family, PtxVersion::new(8, 8)),
    ("sm_121", 121, Variant::Portable, PtxVersion::new(8, 8)),
    ("sm_121a", 121, Variant::Architecture, PtxVersion::new(8, 8)),
    ("sm_121f", 121, Variant::Family, PtxVersion::new(8, 8)),
];

impl Chip {
    /// Turing (T4, RTX 20): the oldest chip Segra generates code for.
    pub const SM_75: Self = Self::portable(75, PtxVersion::new(6, 3));
    /// Ampere data centre (A100).
    pub const SM_80: Self = Self::portable(80, PtxVersion::new(7, 0));
    /// Hopper (H100, H200), without its architecture-specific instructions.
    pub const SM_90: Self = Self::portable(90, PtxVersion::new(7, 8));

    const fn portable(number: u16, first_ptx: PtxVersion) -> Self {
        Self {
            number,
            variant: Variant::Portable,
            first_ptx,
        }
    }

    /// Compute capability times ten: 75, 80, 90 …
    pub fn compute_capability(self) -> u16 {
        self.number
    }

    /// Whether instructions bound to exactly this architecture (wgmma on `sm_90a`) may be used.
    pub fn is_architecture_specific(self) -> bool {
        self.variant != Variant::Portable
    }

    /// Every chip name accepted, oldest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CHIPS.iter().map(|(name, ..)| *name)
    }
}

impl FromStr for Chip {
    type Err = MlirError;

    fn from_str(text: &str) -> Result<Self, MlirError> {
        CHIPS
            .iter()
            .find(|(name, ..)| *name == text)
            .map(|&(_, number, variant, first_ptx)| Self {
                number,
                variant,
                first_ptx,
            })
            .ok_or_else(|| {
                let known = Self::names().collect::<Vec<_>>().join(", ");
                MlirError::new(
                    ErrorCode::BadTarget,
                    format!("unknown chip `{text}`; known chips are {known}"),
                )
            })
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.variant {
            Variant::Portable => "",
            Variant::Architecture => "a",
            Variant::Family => "f",
        };
        write!(formatter, "sm_{}{suffix}", self.number)
    }
}

impl PtxVersion {
    /// The version `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl FromStr for PtxVersion {
    type Err = MlirError;

    fn from_str(text: &str) -> Result<Self, MlirError> {
        let parse = || {
            let (major, minor) = text.split_once('.')?;
            Some(Self::new(major.parse().ok()?, minor.parse().ok()?))
        };
        parse().ok_or_else(|| {
            MlirError::new(
                ErrorCode::BadTarget,
                format!("`{text}` is not a PTX version such as 7.8"),
            )
        })
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

/// The target to generate code for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Target {
    /// The architecture.
    pub chip: Chip,
    /// LLVM's optimisation level, 0 to 3. Keep 3: below it arrays in registers end up in local memory.
    pub opt_level: u8,
    /// The PTX version to write; by default the first one that knows the chip, which most drivers can load.
    pub ptx_version: Option<PtxVersion>,
    /// CUDA's library of device functions, `libdevice.10.bc`, to link math functions from.
    pub libdevice: Option<PathBuf>,
}

impl Target {
    /// The chip at optimisation level 3 with its first PTX version.
    pub fn new(chip: Chip) -> Self {
        Self {
            chip,
            opt_level: 3,
            ptx_version: None,
            libdevice: None,
        }
    }

    /// The PTX version that will stand in the text.
    pub fn effective_ptx_version(&self) -> PtxVersion {
        self.ptx_version.unwrap_or(self.chip.first_ptx)
    }

    /// Refuses combinations that would end the worker or be ignored silently there.
    ///
    /// # Errors
    /// [`ErrorCode::BadTarget`], or [`ErrorCode::Library`] for the device library.
    pub fn check(&self) -> Result<(), MlirError> {
        if self.opt_level > 3 {
            let message = format!(
                "optimisation level {} is not one of 0, 1, 2, 3",
                self.opt_level
            );
            return Err(MlirError::new(ErrorCode::BadTarget, message));
        }
        let version = self.effective_ptx_version();
        if version < self.chip.first_ptx {
            let message = format!(
                "PTX {version} is too old for {}, which needs at least PTX {}",
                self.chip, self.chip.first_ptx
            );
            return Err(MlirError::new(ErrorCode::BadTarget, message));
        }
        if !PTX_VERSIONS.contains(&(version.major, version.minor)) {
            let message =
                format!("PTX {version} is not a version this back end writes (up to {NEWEST_PTX})");
            return Err(MlirError::new(ErrorCode::BadTarget, message));
        }
        self.libdevice.as_deref().map_or(Ok(()), libdevice::check)
    }
}

impl FromStr for Target {
    type Err = MlirError;

    /// Reads a chip's name; the rest takes its defaults.
    fn from_str(text: &str) -> Result<Self, MlirError> {
        text.parse().map(Self::new)
    }
}

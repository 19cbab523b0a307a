//! The machine of a profile, and the thread blocks it is made from.

use super::machine::Machine;
use super::trace::TraceOptions;

/// Asks a launch for a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileOptions {
    /// The GPU to count for.
    pub machine: Machine,
    /// Registers per thread, as ptxas reports them: PTX does not say. Without them they do not limit occupancy.
    pub registers: Option<u32>,
    /// Which thread blocks run.
    pub sample: Sample,
    /// Whether accesses are recorded, and how many.
    pub trace: Option<TraceOptions>,
}

/// Which thread blocks of a launch run to make its profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sample {
    /// All of them.
    #[default]
    All,
    /// Waves of as many blocks as the machine holds at once, from the first on: so many (at least 2), and until so many warp
    /// instructions ran. Later blocks do not run, so **the launch does not compute its results**: they count like the
    /// later half of those that ran, since the first ones find the caches empty. Right as far as blocks do alike work.
    Part {
        /// Waves, at least.
        waves: u32,
        /// Warp instructions, at least: waves of short blocks take many until the caches are as full as they get.
        instructions: u64,
    },
}

impl Sample {
    /// So many waves at least, and as much of a launch as is simulated in a few seconds.
    pub fn waves(waves: u32) -> Sample {
        Sample::Part {
            waves,
            instructions: 1 << 24,
        }
    }
}

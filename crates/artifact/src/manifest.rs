//! The parts of an artifact other than host plans: targets, kernels, entries, checks, tunables, source map.

use crate::{
    ElemType, KernelId, LocationId, Plan, PlanId, SiteId, SizeId, SlotType, TargetId, TunableId,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A compiled program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// The producer, e.g. `segra 0.1.0`.
    pub producer: String,
    /// The same kernels as PTX text, for one chip each.
    pub targets: Vec<Target>,
    /// The definitions in every target's PTX.
    pub kernels: Vec<Kernel>,
    /// Host plans; entries and calls name them.
    pub plans: Vec<Plan>,
    /// The functions that can be run from outside.
    pub entries: Vec<Entry>,
    /// Numbers a run may override.
    pub tunables: Vec<Tunable>,
    /// Where run-time checks can fail.
    pub check_sites: Vec<CheckSite>,
    /// Source locations.
    pub source_map: SourceMap,
}

/// PTX text for one chip and every later one it runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The chip the text was generated for.
    pub chip: Chip,
    /// One PTX module with all kernels of the manifest.
    pub ptx: String,
}

/// A chip in NVIDIA's naming, e.g. `sm_90` or `sm_90a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Chip {
    /// Compute capability's first number.
    pub major: u32,
    /// Compute capability's second number.
    pub minor: u32,
    /// How far the PTX carries.
    pub reach: ChipReach,
}

/// Which devices PTX for a chip runs on (PTX ISA, `.target`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChipReach {
    /// `sm_90`: this chip and all later ones.
    Forward,
    /// `sm_100f`: this chip and later ones of the same major number.
    Family,
    /// `sm_90a`: exactly this chip.
    Exact,
}

impl Chip {
    /// `sm_MAJORMINOR`.
    pub const fn sm(major: u32, minor: u32) -> Chip {
        Chip {
            major,
            minor,
            reach: ChipReach::Forward,
        }
    }

    /// True when PTX for this chip loads on a device of that compute capability.
    pub fn runs_on(self, major: u32, minor: u32) -> bool {
        match self.reach {
            ChipReach::Forward => (self.major, self.minor) <= (major, minor),
            ChipReach::Family => self.major == major && self.minor <= minor,
            ChipReach::Exact => (self.major, self.minor) == (major, minor),
        }
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.reach {
            ChipReach::Forward => "",
            ChipReach::Family => "f",
            ChipReach::Exact => "a",
        };
        write!(f, "sm_{}{}{suffix}", self.major, self.minor)
    }
}

/// A text that names no chip.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a chip; write it like sm_75, sm_90 or sm_90a")]
pub struct ParseChipError(pub String);

impl FromStr for Chip {
    type Err = ParseChipError;

    fn from_str(text: &str) -> Result<Chip, ParseChipError> {
        let error = || ParseChipError(text.to_owned());
        let rest = text.strip_prefix("sm_").ok_or_else(error)?;
        let (digits, reach) = match (rest.strip_suffix('a'), rest.strip_suffix('f')) {
            (Some(digits), _) => (digits, ChipReach::Exact),
            (_, Some(digits)) => (digits, ChipReach::Family),
            _ => (rest, ChipReach::Forward),
        };
        if !(2..=4).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error());
        }
        let number: u32 = digits.parse().map_err(|_| error())?;
        Ok(Chip {
            major: number / 10,
            minor: number % 10,
            reach,
        })
    }
}

/// One kernel, the same in every target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// The PTX `.entry` name.
    pub name: String,
    /// Parameters in order. An [`KernelParam::ErrorRecord`] can only be the last.
    pub params: Vec<KernelParam>,
    /// Bytes of statically declared shared memory.
    pub static_shared_bytes: u32,
    /// Most threads a block may have; launches with more are refused.
    pub max_threads_per_block: u32,
    /// A summary of the kernel in one line for `explain` and reports; may be empty.
    pub summary: String,
    /// Where in the source program it comes from.
    pub location: Option<LocationId>,
}

/// One parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KernelParam {
    /// A 64-bit device pointer to elements.
    Buffer {
        /// Element type.
        elem: ElemType,
        /// Whether the kernel reads, writes, or does both.
        access: Access,
    },
    /// A value of that type; [`ElemType::Bool`] is passed as one byte.
    Scalar(ElemType),
    /// A tensor map of 128 bytes (`CUtensorMap`), which the executor makes for a launch: the argument is the array.
    TensorMap(TensorMap),
    /// A 64-bit device pointer to an [`ErrorRecord`], added by the executor. Always the last parameter.
    ErrorRecord,
}

/// Most extents of an array that is passed as a tensor map.
pub const MOST_EXTENTS: usize = 5;

/// A row-major array of which a kernel copies boxes to shared memory. Extents are the outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorMap {
    /// Element type.
    pub elem: ElemType,
    /// How many extents there are, 1 to [`MOST_EXTENTS`]; those behind them are not used.
    pub rank: u8,
    /// Of the array.
    pub extents: [MapExtent; MOST_EXTENTS],
    /// Of a box, in elements.
    pub extents_of_box: [u32; MOST_EXTENTS],
    /// Rows of a box are lines of 128 bytes, whose parts of 16 bytes change places.
    pub in_lines: bool,
}

/// An extent of an array that is passed as a tensor map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapExtent {
    /// The value of the kernel's parameter with this number, a scalar `i64`.
    Param(u32),
    /// Always the same.
    Const(u64),
}

/// How a kernel uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// Only reads it.
    Read,
    /// Only writes it.
    Write,
    /// Reads and writes it.
    ReadWrite,
}

impl Access {
    /// True when the kernel may change the buffer.
    pub const fn writes(self) -> bool {
        !matches!(self, Access::Read)
    }
}

/// A kernel's report of the first failed check: 32 bytes of device memory, zeroed before the run.
///
/// A thread whose check fails does an atomic compare-and-swap of `site_plus_one` from 0 to its [`SiteId`] plus one;
/// if it won it stores the three values, then it leaves its work undone (so that nothing else is corrupted). The
/// executor reports the site's message with `{0}`, `{1}`, `{2}` replaced by the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorRecord {
    /// 0 while no check has failed, else the [`SiteId`] plus one. Offset 0; offset 4 is padding.
    pub site_plus_one: u32,
    /// Offsets 8, 16, 24. By convention the offending value, its bound, and one more.
    pub values: [i64; 3],
}

impl ErrorRecord {
    /// Bytes in device memory.
    pub const SIZE: usize = 32;
    /// Byte offset of `site_plus_one`.
    pub const SITE_OFFSET: usize = 0;
    /// Byte offsets of the values.
    pub const VALUE_OFFSETS: [usize; 3] = [8, 16, 24];

    /// Reads the record, little endian.
    pub fn from_bytes(bytes: &[u8; ErrorRecord::SIZE]) -> ErrorRecord {
        let word = |at: usize| {
            let mut value = [0u8; 8];
            value.copy_from_slice(&bytes[at..at + 8]);
            i64::from_le_bytes(value)
        };
        ErrorRecord {
            site_plus_one: word(ErrorRecord::SITE_OFFSET) as u32,
            values: ErrorRecord::VALUE_OFFSETS.map(word),
        }
    }

    /// The failed check, if one failed.
    pub fn site(&self) -> Option<SiteId> {
        self.site_plus_one.checked_sub(1).map(SiteId)
    }
}

/// A number a run may override: the threshold between two versions of a nest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tunable {
    /// Unique name.
    pub name: String,
    /// Value unless overridden.
    pub default: i64,
    /// Least sensible value.
    pub min: i64,
    /// Greatest sensible value.
    pub max: i64,
    /// The other side of the comparison, for people: an expression over the sizes of entries, such as `n * m`.
    pub compared: String,
    /// The branch it is asked in, of another tunable's choice; `None` where it is asked whatever the others are.
    pub under: Option<Branch>,
    /// Where in the source program.
    pub location: Option<LocationId>,
}

/// One side of the choice a tunable makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Whose choice.
    pub tunable: TunableId,
    /// Which side.
    pub side: Side,
}

/// The outcome of a comparison with a tunable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The value was at least the tunable.
    AtLeast,
    /// The value was below the tunable.
    Below,
}

/// A place where a check can fail when the program runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSite {
    /// The error message; `{0}`, `{1}`, ... stand for values known when it happens.
    pub message: String,
    /// Where in the source program.
    pub location: Option<LocationId>,
}

impl CheckSite {
    /// The message with `{0}`, `{1}`, ... replaced; placeholders without a value stay.
    pub fn render(&self, values: &[String]) -> String {
        let mut text = String::with_capacity(self.message.len());
        let mut rest = self.message.as_str();
        while let Some(open) = rest.find('{') {
            let (before, from_open) = rest.split_at(open);
            text.push_str(before);
            let close = from_open.find('}');
            let value = close
                .and_then(|close| from_open[1..close].parse::<usize>().ok())
                .and_then(|n| values.get(n));
            match (close, value) {
                (Some(close), Some(value)) => {
                    text.push_str(value);
                    rest = &from_open[close + 1..];
                }
                _ => {
                    text.push('{');
                    rest = &from_open[1..];
                }
            }
        }
        text.push_str(rest);
        text
    }
}

/// One extent of an array in an entry's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dim {
    /// Always this.
    Const(u64),
    /// Any size, known when the program runs; equal sizes are equal extents.
    Size(SizeId),
    /// Only known when the result exists (results only).
    Any,
}

/// The type of an entry's parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParamType {
    /// A scalar.
    Scalar(ElemType),
    /// An `i64` scalar that gives a size its value; not negative.
    Size(SizeId),
    /// A row-major contiguous array.
    Array {
        /// Element type.
        elem: ElemType,
        /// Extents, outermost first; [`Dim::Any`] is not allowed.
        dims: Vec<Dim>,
    },
}

/// A parameter of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryParam {
    /// Name in messages.
    pub name: String,
    /// Type.
    pub ty: ParamType,
}

/// The type of an entry's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultType {
    /// A scalar: one plan result.
    Scalar(ElemType),
    /// A row-major contiguous array: the plan returns its buffer, then one `i64` per dimension.
    Array {
        /// Element type.
        elem: ElemType,
        /// Extents, for people; what the plan returns counts.
        dims: Vec<Dim>,
    },
}

/// A result of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryResult {
    /// Name for people; may be empty.
    pub name: String,
    /// Type.
    pub ty: ResultType,
}

/// Something that can be run from outside.
///
/// The plan's parameters are, in order: one `i64` per size of `sizes`, then per entry parameter its scalar or
/// buffer. Its results are, per entry result: the scalar, or the buffer and then one `i64` per dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Unique name.
    pub name: String,
    /// Names of the symbolic sizes; each occurs in at least one parameter.
    pub sizes: Vec<String>,
    /// Parameters.
    pub params: Vec<EntryParam>,
    /// Results.
    pub results: Vec<EntryResult>,
    /// The function to run.
    pub plan: PlanId,
    /// Where in the source program.
    pub location: Option<LocationId>,
}

impl Entry {
    /// The parameter types the plan must have.
    pub fn plan_params(&self) -> Vec<SlotType> {
        let sizes = self.sizes.iter().map(|_| SlotType::INDEX);
        let params = self.params.iter().map(|param| match &param.ty {
            ParamType::Scalar(elem) => SlotType::Scalar(*elem),
            ParamType::Size(_) => SlotType::INDEX,
            ParamType::Array { elem, .. } => SlotType::Buffer(*elem),
        });
        sizes.chain(params).collect()
    }

    /// The result types the plan must have.
    pub fn plan_results(&self) -> Vec<SlotType> {
        let mut types = Vec::new();
        for result in &self.results {
            match &result.ty {
                ResultType::Scalar(elem) => types.push(SlotType::Scalar(*elem)),
                ResultType::Array { elem, dims } => {
                    types.push(SlotType::Buffer(*elem));
                    types.extend(dims.iter().map(|_| SlotType::INDEX));
                }
            }
        }
        types
    }

    /// The name of a size, or its id's text when it has none.
    pub fn size_name(&self, size: SizeId) -> String {
        self.sizes
            .get(size.index())
            .cloned()
            .unwrap_or_else(|| size.to_string())
    }
}

/// A place in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    /// Position in [`SourceMap::files`].
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// Source files and the places in them that the artifact mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceMap {
    /// File names as the compiler was given them.
    pub files: Vec<String>,
    /// Places; ids index this.
    pub locations: Vec<Location>,
    /// The op of the source program at a place: what reports about kernels call it.
    pub ops: BTreeMap<Location, String>,
}

impl SourceMap {
    /// The id of a place, added when new.
    pub fn add(&mut self, file: &str, line: u32, column: u32) -> LocationId {
        let file = match self.files.iter().position(|known| known == file) {
            Some(index) => index,
            None => {
                self.files.push(file.to_owned());
                self.files.len() - 1
            }
        };
        let location = Location {
            file: file as u32,
            line,
            column,
        };
        // Plans are translated in source order, so a repeated place is nearly always among the latest.
        let recent = self.locations.len().saturating_sub(64);
        match self.locations[recent..]
            .iter()
            .rposition(|known| *known == location)
        {
            Some(index) => LocationId::new(recent + index),
            None => {
                self.locations.push(location);
                LocationId::new(self.locations.len() - 1)
            }
        }
    }

    /// Names the op at a place, once.
    pub fn name_op(&mut self, location: LocationId, op: &str) {
        if let Some(&place) = self.locations.get(location.index()) {
            self.ops.entry(place).or_insert_with(|| op.to_owned());
        }
    }

    /// The ops that are known by their file, line and column.
    pub fn named_ops(&self) -> impl Iterator<Item = ((String, u32, u32), String)> + '_ {
        self.ops.iter().filter_map(|(place, op)| {
            let file = self.files.get(place.file as usize)?.clone();
            Some(((file, place.line, place.column), op.clone()))
        })
    }

    /// The position that an id stands for; `None` when there is no such id.
    pub fn position(&self, location: LocationId) -> Option<SourcePosition> {
        let Location { file, line, column } = *self.locations.get(location.index())?;
        Some(SourcePosition {
            file: self.files.get(file as usize)?.clone(),
            line,
            column,
        })
    }

    /// The same as text, `file:line:column`.
    pub fn render(&self, location: LocationId) -> Option<String> {
        self.position(location).map(|position| position.to_string())
    }
}

/// A position in a source file. Displayed as `file:line:column`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePosition {
    /// The file's name, as the compiler was given it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Artifact {
    /// An empty artifact of that producer.
    pub fn new(producer: impl Into<String>) -> Artifact {
        Artifact {
            producer: producer.into(),
            ..Artifact::default()
        }
    }

    /// Adds a target.
    pub fn add_target(&mut self, chip: Chip, ptx: impl Into<String>) -> TargetId {
        self.targets.push(Target {
            chip,
            ptx: ptx.into(),
        });
        TargetId::new(self.targets.len() - 1)
    }

    /// Adds a kernel to the manifest.
    pub fn add_kernel(&mut self, kernel: Kernel) -> KernelId {
        self.kernels.push(kernel);
        KernelId::new(self.kernels.len() - 1)
    }

    /// Adds a plan.
    pub fn add_plan(&mut self, plan: Plan) -> PlanId {
        self.plans.push(plan);
        PlanId::new(self.plans.len() - 1)
    }

    /// Adds a tunable.
    pub fn add_tunable(&mut self, tunable: Tunable) -> TunableId {
        self.tunables.push(tunable);
        TunableId::new(self.tunables.len() - 1)
    }

    /// The name of a tunable, or its id's text where there is none.
    pub fn tunable_name(&self, tunable: TunableId) -> String {
        self.tunables
            .get(tunable.index())
            .map_or_else(|| tunable.to_string(), |known| known.name.clone())
    }

    /// Adds a check site.
    pub fn add_site(&mut self, message: impl Into<String>, location: Option<LocationId>) -> SiteId {
        self.check_sites.push(CheckSite {
            message: message.into(),
            location,
        });
        SiteId::new(self.check_sites.len() - 1)
    }

    /// The entry of that name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// `file:line:column` of a location, or `unknown location`.
    pub fn location_text(&self, location: Option<LocationId>) -> String {
        location
            .and_then(|id| self.source_map.render(id))
            .unwrap_or_else(|| "unknown location".to_owned())
    }

    /// The best target for a device: the one for the latest chip whose PTX runs there.
    pub fn target_for(&self, major: u32, minor: u32) -> Option<&Target> {
        self.targets
            .iter()
            .filter(|target| target.chip.runs_on(major, minor))
            .max_by_key(|target| target.chip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_read_back_and_know_where_they_run() {
        for text in ["sm_75", "sm_90", "sm_90a", "sm_100f", "sm_120"] {
            assert_eq!(
                text.parse::<Chip>().map(|chip| chip.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["sm_", "90", "sm_9", "sm_9x", "sm_90aa", "sm_99999", ""] {
            assert!(text.parse::<Chip>().is_err(), "{text}");
        }
        let chip: Chip = "sm_90a".parse().unwrap();
        assert!(chip.runs_on(9, 0) && !chip.runs_on(10, 0) && !chip.runs_on(8, 9));
        assert!(Chip::sm(8, 0).runs_on(9, 0) && !Chip::sm(9, 0).runs_on(8, 9));
    }

    #[test]
    fn the_latest_chip_that_runs_is_chosen() {
        let mut artifact = Artifact::new("test");
        for chip in ["sm_90", "sm_75", "sm_90a", "sm_80"] {
            artifact.add_target(chip.parse().unwrap(), chip);
        }
        let chosen = |major, minor| {
            artifact
                .target_for(major, minor)
                .map(|target| target.ptx.as_str())
        };
        assert_eq!(chosen(7, 0), None);
        assert_eq!(chosen(8, 9), Some("sm_80"));
        assert_eq!(chosen(9, 0), Some("sm_90a"));
        assert_eq!(chosen(10, 0), Some("sm_90"));
    }

    #[test]
    fn messages_take_their_values_and_keep_other_braces() {
        let site = CheckSite {
            message: "index {0} is not below {1} {x} {7} {".to_owned(),
            location: None,
        };
        let values = ["5".to_owned(), "{0}".to_owned()];
        assert_eq!(site.render(&values), "index 5 is not below {0} {x} {7} {");
    }
}

//! Which version of the PTX ISA and which target an instruction needs.
//!
//! The driver and `ptxas` refuse instructions that are newer than what a module says it is written for. So does the reader, as a
//! [`ParseErrorKind::Newer`](crate::ParseErrorKind::Newer). [`TABLE`] holds for the instructions that the simulator executes;
//! `tests/suite/since.rs` compares it with `ptxas` for each of them.
//!
//! Not here: directives that are newer than the module, and instructions of which it says nothing else than that they are not executed.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The needs of instructions. A line is names, modifiers, and needs; an instruction needs what all lines say that fit it.
///
/// A line fits where the name is one of the names, and each word says so: `a|b` that the opcode has either (`a.b` is two modifiers
/// that follow each other), `!a` that it has not, `#3` that it has three operands, `%p` that the last one is a predicate. Needs are a
/// version and the least target; `sm_90a=` is that target alone, `sm_90a+` one of its kind (`a` or `f`) or a later one. Any of those
/// with a `/` between them is enough.
const TABLE: &str = "
add|sub|mul|fma|set|setp f16|f16x2: 4.2 sm_53
neg f16|f16x2: 6.0 sm_53
abs f16|f16x2: 6.5 sm_53
set u16.f16|s16.f16|u32.f16|s32.f16|u32.f16x2|s32.f16x2: 6.5 sm_53
max|min f16|f16x2|NaN: 7.0 sm_80
max|min xorsign: 7.2 sm_86
max|min relu|u16x2|s16x2: 8.0 sm_90
add u16x2|s16x2: 8.0 sm_90
fma relu: 7.0 sm_80
fma|abs|neg|max|min bf16|bf16x2: 7.0 sm_80
add|sub|mul|set|setp|ex2|tanh bf16|bf16x2: 7.8 sm_90
tanh: 7.0 sm_75
ex2 f16|f16x2: 7.0 sm_75
add|sub|fma f32.f16|f32.bf16: 8.6 sm_100
dp4a|dp2a: 5.0 sm_61
add|addc|sub|subc|mad|madc cc.u64|cc.s64: 4.3 sm_20
lop3: 4.3 sm_50
lop3 and|or: 8.2 sm_70
fns|brx|barrier: 6.0 sm_30
shfl|vote sync: 6.0 sm_30
bar warp: 6.0 sm_30
bar|barrier cta: 7.8 sm_30
barrier cluster: 7.8 sm_90
activemask: 6.2 sm_30
nanosleep: 6.2 sm_70
match: 6.0 sm_70
szext|bmsk: 7.6 sm_70
redux: 7.0 sm_80
elect: 8.0 sm_90
griddepcontrol: 7.8 sm_90
mapa|getctarank: 7.8 sm_90
setmaxnreg: 8.0 sm_90a+

atom|red add.f64: 5.0 sm_60
atom|red cta|gpu|sys: 5.0 sm_60
atom|red f16x2: 6.2 sm_60
atom|red f16: 6.3 sm_70
atom|red bf16|bf16x2: 7.8 sm_90
atom cas.b16: 6.3 sm_70
atom b128: 8.3 sm_90
atom|red v2|v4|v8: 8.1 sm_90
ld|st|atom|red relaxed|acquire|release|acq_rel|weak: 6.0 sm_70
ld|st|atom|red|fence cluster: 7.8 sm_90
fence: 6.0 sm_70
fence proxy: 7.5 sm_70
fence proxy.async|mbarrier_init: 8.0 sm_90

ld|st|mov b128: 8.3 sm_70
ld|st v8: 8.8 sm_100
ld|st v4.b64|v4.u64|v4.s64|v4.f64: 8.8 sm_100
ld|st L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate: 7.4 sm_70
ld L2::64B|L2::128B: 7.4 sm_75
ld L2::256B: 7.4 sm_80
ld|st|atom|red L2::cache_hint: 7.4 sm_80
ld|st|atom|red|isspacep|cvta|mbarrier|ldmatrix|stmatrix shared::cta: 7.8 sm_30
ld|st|atom|red|isspacep|cvta shared::cluster: 7.8 sm_90
isspacep|cvta param: 7.7 sm_70
prefetch tensormap: 8.0 sm_90
discard|applypriority|createpolicy: 7.4 sm_80

cvt pack: 6.5 sm_72
cvt relu: 7.0 sm_80
cvt bf16.f32|bf16x2.f32|f16x2.f32|tf32: 7.0 sm_80
cvt f32.bf16: 7.1 sm_80
cvt bf16.u8|bf16.s8|bf16.u16|bf16.s16|bf16.u32|bf16.s32|bf16.u64|bf16.s64|bf16.f16|bf16.f64|bf16.bf16: 7.8 sm_90
cvt u8.bf16|s8.bf16|u16.bf16|s16.bf16|u32.bf16|s32.bf16|u64.bf16|s64.bf16|f16.bf16|f64.bf16: 7.8 sm_90
cvt rn|rz tf32: 7.8 sm_90
cvt satfinite f16|bf16|f16x2.f32|bf16x2|tf32: 8.1 sm_70
cvt rn|rz satfinite tf32: 8.6 sm_100
cvt e4m3x2|e5m2x2: 7.8 sm_90 / 8.1 sm_89

cp: 7.0 sm_80
cp L2::64B|L2::128B|L2::256B|L2::cache_hint: 7.4 sm_80
cp %p: 7.5 sm_80
cp mbarrier shared::cta: 7.8 sm_80
cp bulk: 8.0 sm_90
cp bulk shared::cta.global: 8.6 sm_90

mbarrier: 7.0 sm_80
mbarrier test_wait.parity: 7.1 sm_80
mbarrier acquire|release|relaxed: 8.0 sm_80
mbarrier arrive|arrive_drop !noComplete #3: 7.8 sm_90
mbarrier try_wait: 7.8 sm_90
mbarrier expect_tx|complete_tx|cluster: 8.0 sm_90

ldmatrix: 6.5 sm_75
movmatrix: 7.8 sm_75
stmatrix: 7.8 sm_90
wmma: 6.3 sm_70
wmma s8|u8: 6.3 sm_72
wmma m8n8k32|m8n8k128: 6.3 sm_75
wmma bf16|m16n16k8|m8n8k4: 7.0 sm_80
wmma and.popc: 7.1 sm_80
mma: 6.4 sm_70
mma m16n8k8|m8n8k16|m8n8k32: 6.5 sm_75
mma m8n8k128: 7.0 sm_75
mma m16n8k4|m16n8k16|m16n8k32|m16n8k64|m16n8k128|m16n8k256|bf16|tf32|f64: 7.0 sm_80
mma and.popc: 7.1 sm_80
mma m16n8k4|m16n8k8|m16n8k16 f64: 7.8 sm_90
mma e4m3|e5m2: 8.4 sm_89
wgmma: 8.0 sm_90a=
wgmma s8.u8|u8.s8: 8.4 sm_90a=
";

/// The versions that know targets, by the least number of the target that needs it.
const TARGETS: &[(u32, bool, Version)] = &[
    (52, false, Version(4, 1)),
    (53, false, Version(4, 2)),
    (60, false, Version(5, 0)),
    (70, false, Version(6, 0)),
    (72, false, Version(6, 1)),
    (75, false, Version(6, 3)),
    (80, false, Version(7, 0)),
    (86, false, Version(7, 1)),
    (87, false, Version(7, 4)),
    (89, false, Version(7, 8)),
    (90, true, Version(8, 0)),
    (100, false, Version(8, 6)),
    (103, false, Version(8, 8)),
    (120, false, Version(8, 7)),
    (121, false, Version(8, 8)),
];

/// A version of the PTX ISA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32);

impl Version {
    fn read(text: &str) -> Option<Version> {
        let (major, minor) = text.split_once('.')?;
        Some(Version(major.parse().ok()?, minor.parse().ok()?))
    }
}

/// The kind of a target: code for it runs on later GPUs, on those of its family, on no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    General,
    Family,
    Own,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target {
    number: u32,
    kind: Kind,
}

impl Target {
    fn read(text: &str) -> Option<Target> {
        let text = text.strip_prefix("sm_")?;
        let (digits, kind) = match (text.strip_suffix('a'), text.strip_suffix('f')) {
            (Some(digits), _) => (digits, Kind::Own),
            (_, Some(digits)) => (digits, Kind::Family),
            _ => (text, Kind::General),
        };
        let number = digits.parse().ok()?;
        Some(Target { number, kind })
    }

    /// The first version that knows it.
    fn since(self) -> Version {
        if self.kind == Kind::Family {
            return Version(8, 8);
        }
        let own = self.kind == Kind::Own;
        let mut known = TARGETS.iter().rev();
        let known =
            known.find(|(number, only_own, _)| *number <= self.number && (own || !only_own));
        known.map_or(Version(0, 0), |&(_, _, version)| version)
    }
}

/// Which targets an instruction runs on.
#[derive(Clone, Copy, Debug)]
enum Runs {
    From,
    OnlyOn,
    OnKindFrom,
}

/// A version and targets that an instruction needs.
#[derive(Clone, Copy, Debug)]
struct Need {
    version: Version,
    target: Target,
    runs: Runs,
}

impl Need {
    fn read(text: &str) -> Option<Need> {
        let (version, target) = text.trim().split_once(' ')?;
        let (target, runs) = match (target.strip_suffix('='), target.strip_suffix('+')) {
            (Some(target), _) => (target, Runs::OnlyOn),
            (_, Some(target)) => (target, Runs::OnKindFrom),
            _ => (target, Runs::From),
        };
        let (version, target) = (Version::read(version)?, Target::read(target)?);
        Some(Need {
            version,
            target,
            runs,
        })
    }

    fn target_is_met(&self, target: Target) -> bool {
        match self.runs {
            Runs::From => target.number >= self.target.number,
            Runs::OnlyOn => target == self.target,
            Runs::OnKindFrom => target.number >= self.target.number && target.kind != Kind::General,
        }
    }

    fn target_text(&self) -> String {
        let number = self.target.number;
        match self.runs {
            Runs::From => format!(".target sm_{number} or higher"),
            Runs::OnlyOn => format!(".target sm_{number}a"),
            Runs::OnKindFrom => format!(".target sm_{number}a or a higher one of that kind"),
        }
    }
}

/// A line of the table.
#[derive(Clone, Debug)]
struct Rule {
    words: Vec<&'static str>,
    needs: Vec<Need>,
}

impl Rule {
    fn read(line: &'static str) -> Option<(Vec<&'static str>, Rule)> {
        // Modifiers may have colons, too.
        let (instructions, needs) = line.rsplit_once(": ")?;
        let mut words = instructions.split(' ');
        let names = words.next()?.split('|').collect();
        let needs: Option<Vec<Need>> = needs.split('/').map(Need::read).collect();
        let (words, needs) = (words.collect(), needs?);
        Some((names, Rule { words, needs }))
    }

    fn fits(&self, modifiers: &str, operands: &Operands) -> bool {
        let has = |word: &str| {
            modifiers.match_indices(word).any(|(at, _)| {
                let behind = modifiers.as_bytes().get(at + word.len());
                modifiers[..at].ends_with('.') && behind == Some(&b'.')
            })
        };
        self.words.iter().all(|word| {
            if let Some(count) = word.strip_prefix('#') {
                count.parse() == Ok(operands.count)
            } else if let Some(word) = word.strip_prefix('!') {
                !has(word)
            } else if *word == "%p" {
                operands.last_is_predicate
            } else {
                word.split('|').any(has)
            }
        })
    }
}

fn rules() -> &'static FxHashMap<&'static str, Vec<Rule>> {
    static RULES: OnceLock<FxHashMap<&'static str, Vec<Rule>>> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut rules: FxHashMap<_, Vec<Rule>> = FxHashMap::default();
        for (names, rule) in TABLE.lines().filter_map(Rule::read) {
            for name in names {
                rules.entry(name).or_default().push(rule.clone());
            }
        }
        rules
    })
}

/// How an instruction is used, as far as that matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operands {
    pub(crate) count: usize,
    pub(crate) last_is_predicate: bool,
    /// Special registers of clusters.
    pub(crate) of_cluster: bool,
}

/// The version and target that a module is written for. One that does not say so is taken to be for anything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WrittenFor {
    version: Option<Version>,
    target: Option<Target>,
}

impl WrittenFor {
    pub(crate) fn read(version: &str, target: &str) -> WrittenFor {
        let (version, target) = (Version::read(version), Target::read(target));
        WrittenFor { version, target }
    }

    /// Why its version and target do not go together, if they do not.
    pub(crate) fn conflict(&self) -> Option<String> {
        let (version, target) = self.version.zip(self.target)?;
        let Version(major, minor) = target.since();
        (version < target.since())
            .then(|| format!("the target needs PTX ISA .version {major}.{minor} or later"))
    }

    /// The needs of an instruction that are not met, as text.
    pub(crate) fn lacks(&self, name: &str, modifiers: &str, operands: &Operands) -> Option<String> {
        let of_cluster = Need {
            version: Version(7, 8),
            target: Target {
                number: 90,
                kind: Kind::General,
            },
            runs: Runs::From,
        };
        if operands.of_cluster
            && let Some(lack) = self.of(&of_cluster)
        {
            return Some(format!("special registers of clusters need {lack}"));
        }
        let rules = rules().get(name)?;
        let modifiers = format!(".{modifiers}.");
        let fitting = rules.iter().filter(|rule| rule.fits(&modifiers, operands));
        let lack = |rule: &Rule| {
            let lacks: Option<Vec<String>> = rule.needs.iter().map(|need| self.of(need)).collect();
            lacks?.into_iter().next()
        };
        // Rules stand from the general to the special one.
        let lack = fitting.filter_map(lack).next_back()?;
        Some(format!("the instruction needs {lack}"))
    }

    fn of(&self, need: &Need) -> Option<String> {
        let Version(major, minor) = need.version;
        let newer = self.version.is_some_and(|version| version < need.version);
        let other = self
            .target
            .is_some_and(|target| !need.target_is_met(target));
        let version = format!("PTX ISA .version {major}.{minor} or later");
        match (newer, other) {
            (false, false) => None,
            (true, false) => Some(version),
            (false, true) => Some(need.target_text()),
            (true, true) => Some(format!("{version} and {}", need.target_text())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_names_instructions_that_are_executed() {
        for line in TABLE.lines().filter(|line| !line.is_empty()) {
            let (names, rule) = Rule::read(line).unwrap_or_else(|| panic!("{line}"));
            for name in names {
                assert!(super::super::has_opcode(name), "{line}");
            }
            assert!(!rule.needs.is_empty(), "{line}");
        }
    }

    #[test]
    fn targets_are_known_since_a_version() {
        let since = |text: &str| Target::read(text).map(Target::since);
        assert_eq!(since("sm_50"), Some(Version(0, 0)));
        assert_eq!(since("sm_90"), Some(Version(7, 8)));
        assert_eq!(since("sm_90a"), Some(Version(8, 0)));
        assert_eq!(since("sm_100f"), Some(Version(8, 8)));
        assert_eq!(since("sm_120"), Some(Version(8, 7)));
        assert_eq!(since("compute_90"), None);
    }
}

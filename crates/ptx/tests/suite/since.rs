//! Versions and targets that instructions need: the reader refuses those that `ptxas` refuses, line by line.

use crate::common::kernel;
use crate::documented::instruction;
use segra_ptx::{Module, ParseErrorKind, supported};
use segra_tests::ptxas::{Ptxas, PtxasError};
use std::collections::BTreeSet;

/// Versions and targets that go together, old and new.
const PAIRS: &[(&str, &str)] = &[
    ("4.1", "sm_50"),
    ("5.0", "sm_60"),
    ("6.0", "sm_70"),
    ("6.3", "sm_75"),
    ("7.0", "sm_75"),
    ("7.0", "sm_80"),
    ("7.1", "sm_86"),
    ("7.8", "sm_80"),
    ("7.8", "sm_89"),
    ("7.8", "sm_90"),
    ("8.0", "sm_90a"),
    ("8.5", "sm_90"),
    ("8.8", "sm_53"),
    ("8.8", "sm_72"),
    ("8.8", "sm_86"),
    ("8.8", "sm_90a"),
    ("8.6", "sm_100a"),
    ("8.8", "sm_120"),
];

/// Forms that the list of documented ones has no example of, as they change nothing.
const MORE: &[&str] = &[
    "ld.global.L1::{evict_normal,evict_unchanged,evict_first,evict_last,no_allocate}.b32 r, a",
    "ld.global.L2::{64B,128B,256B}.b32 r, a",
    "ld.global.nc.L1::no_allocate.b32 r, a",
    "{ld.global.L2::cache_hint.b32 r, a, d,st.global.L2::cache_hint.b32 a, r, d}",
    "st.global.L1::{evict_first,no_allocate}.b32 a, r",
    "{ld,st}.shared::{cta,cluster}.b32 r, a",
    "{ld,st}.relaxed.cluster.global.b32 r, a",
    "atom.{cta,gpu,sys}.global.add.u32 r, a, r",
    "atom.relaxed.cluster.global.add.u32 r, a, r",
    "atom.shared::{cta,cluster}.add.u32 r, a, r",
    "cvta{,.to}.shared::cta.u64 d, d",
    "cvt.{rn,rz,rm,rp}.bf16.{u64,s64} h, d",
    "cvt.{rni,rzi}.{u64,s64}.bf16 d, h",
    "cvt.f64.bf16 g, h",
    "cvt.rn.bf16.{f16,bf16} h, h",
    "cvt.rn.bf16.f64 h, g",
    "discard.global.L2 a, 128",
    "applypriority.global.L2::evict_normal a, 128",
    "createpolicy.fractional.L2::evict_first.b64 d, f",
    "fence.proxy.alias",
    "mov.u32 r, %cluster_ctarank",
    "mov.u32 r, %{n,}clusterid.x",
];

/// Instructions, and how a module with them begins; each stands on a line of its own behind it.
struct Written {
    version: &'static str,
    target: &'static str,
}

impl Written {
    fn number(text: &str) -> u32 {
        let digits = text.chars().filter(char::is_ascii_digit);
        digits.fold(0, |number, digit| number * 10 + digit as u32 - '0' as u32)
    }

    /// Lines before the first instruction.
    const BEFORE: u32 = 14;

    fn module(&self, instructions: &[&String]) -> String {
        let version = Self::number(self.version);
        let wide = if version >= 83 && Self::number(self.target) >= 70 {
            ".reg .b128 %q<32>;"
        } else {
            ""
        };
        let labels = if version >= 60 {
            "L: T: .branchtargets L;"
        } else {
            "L:"
        };
        let lines: String = instructions
            .iter()
            .map(|line| format!("{line}\n"))
            .collect();
        format!(
            ".version {}\n.target {}\n.address_size 64\n.func function() {{ ret; }}\n\
             .func (.reg .b32 o) function1 (.reg .b32 i) {{ mov.u32 o, i; ret; }}\n.visible .entry k()\n{{\n\
             .reg .pred %p<32>; .reg .b16 %rs<64>;\n.reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n.reg .f32 %f<64>;\n\
             .reg .f64 %fd<64>;\n{wide}\n{labels}\n{lines}ret;\n}}\n",
            self.version, self.target,
        )
    }

    /// The instructions that `ptxas` takes and those it does not. It does not look at all of them at once.
    fn assembled<'i>(&self, ptxas: &Ptxas, all: &[&'i String]) -> BTreeSet<&'i String> {
        let mut left = all.to_vec();
        if Self::number(self.version) < 83 || Self::number(self.target) < 70 {
            left.retain(|text| !text.contains("%q"));
        }
        if Self::number(self.version) < 60 {
            left.retain(|text| !text.starts_with("brx"));
        }
        loop {
            let output = match ptxas.assemble(&self.module(&left), self.target) {
                Ok(_) => return left.into_iter().collect(),
                Err(PtxasError::Refused { output, .. }) => output,
                Err(error) => panic!("{error}"),
            };
            let lines: BTreeSet<u32> = output
                .lines()
                .filter_map(|line| {
                    line.split_once(", line ")?
                        .1
                        .split_once(';')?
                        .0
                        .parse()
                        .ok()
                })
                .collect();
            let before = left.len();
            let mut line = Self::BEFORE;
            left.retain(|_| {
                line += 1;
                !lines.contains(&line)
            });
            assert!(left.len() < before, "{output}");
        }
    }

    fn read<'i>(&self, all: &[&'i String]) -> BTreeSet<&'i String> {
        let Err(errors) = Module::parse(&self.module(all)) else {
            return all.iter().copied().collect();
        };
        let mut taken: Vec<Option<&String>> = all.iter().map(|&text| Some(text)).collect();
        for error in errors {
            let newer = matches!(error.kind, ParseErrorKind::Newer(_));
            let declared = error.text.contains("%q") || error.text.starts_with("brx");
            assert!(newer || declared, "{error}");
            taken[(error.line - Self::BEFORE - 1) as usize] = None;
        }
        taken.into_iter().flatten().collect()
    }
}

fn instructions() -> Vec<String> {
    let documented = supported::SECTIONS
        .iter()
        .flat_map(|section| section.forms)
        .copied();
    let forms = documented.chain(MORE.iter().copied());
    let all = forms.flat_map(supported::expand);
    all.map(|form| instruction(&form)).collect()
}

#[test]
fn instructions_are_refused_where_ptxas_refuses_them() {
    let ptxas = Ptxas::find().unwrap();
    let all = instructions();
    let all: Vec<&String> = all.iter().collect();
    // The reader is freer in types, so those are left out that no target has.
    let newest = ["sm_90a", "sm_100a"].map(|target| {
        let written = Written {
            version: "8.8",
            target,
        };
        written.assembled(&ptxas, &all)
    });
    let all: Vec<&String> = newest
        .iter()
        .flatten()
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    assert!(all.len() > 2000, "{}", all.len());
    let mut differ = Vec::new();
    for &(version, target) in PAIRS {
        let written = Written { version, target };
        let (assembled, read) = (written.assembled(&ptxas, &all), written.read(&all));
        let more = read.difference(&assembled).map(|text| ("only read", text));
        let less = assembled
            .difference(&read)
            .map(|text| ("only assembled", text));
        differ.extend(
            more.chain(less)
                .map(|(how, text)| format!("{version} {target}: {how}: {text}")),
        );
    }
    assert!(
        differ.is_empty(),
        "{} differ:\n{}",
        differ.len(),
        differ.join("\n")
    );
}

#[test]
fn a_refusal_says_what_is_needed() {
    let of = |version: &str, target: &str, instruction: &str| {
        let text = kernel("k", "", &format!("\n{instruction}"));
        let (_, rest) = text.split_once(".address_size").unwrap();
        let text = format!(".version {version}\n.target {target}\n.address_size{rest}");
        let errors = Module::parse(&text).map(drop).err().unwrap_or_default();
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let red = "red.global.add.v2.f32 [%rd1], {%f1, %f2};";
    assert_eq!(
        of("7.8", "sm_80", red),
        [format!(
            "line 13: the instruction needs PTX ISA .version 8.1 or later and .target sm_90 or higher: `{red}`"
        )]
    );
    assert_eq!(
        of("8.0", "sm_90", red),
        [format!(
            "line 13: the instruction needs PTX ISA .version 8.1 or later: `{red}`"
        )]
    );
    assert_eq!(of("8.1", "sm_90", red), [""; 0]);
    let fence = "wgmma.fence.sync.aligned;";
    let only = format!("line 13: the instruction needs .target sm_90a: `{fence}`");
    assert_eq!(of("8.8", "sm_90", fence), [&*only]);
    assert_eq!(of("8.8", "sm_100a", fence), [&*only]);
    assert_eq!(
        of("7.8", "sm_90a", "ret;"),
        ["line 2: the target needs PTX ISA .version 8.0 or later: `.target sm_90a`"]
    );
}

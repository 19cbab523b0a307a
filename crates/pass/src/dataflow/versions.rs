//! Versions of memory: two places with one version see the same memory, if one is on every way to the other.
//!
//! A version is named after the op that last may have written, or after the place where different versions meet. On the
//! way from a place to one it dominates with the same version nothing writes: a write would have named another version,
//! and to come back to the first one control would have to pass the dominating place again.

use super::dense::{DenseAnalysis, DenseStates, Place, solve_dense};
use segra_ir::interfaces::{EffectKind, RegionBranch, own_effects, visit_effects};
use segra_ir::{Ir, Op, Region};

/// A version of all memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// As a region found it that is entered in ways not known.
    Entry(Region),
    /// As this op left it.
    Written(Op),
    /// As it was on the way control came, of several.
    Merged(Place),
}

/// The analysis of versions.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryVersions;

impl MemoryVersions {
    /// The versions before all ops inside `root`.
    pub fn of(ir: &Ir, root: Op) -> DenseStates<Version> {
        solve_dense(ir, root, &MemoryVersions)
    }
}

impl DenseAnalysis for MemoryVersions {
    type State = Version;
    fn entry(&self, _ir: &Ir, region: Region) -> Version {
        Version::Entry(region)
    }
    fn transfer(&self, ir: &Ir, op: Op, before: &Version) -> Version {
        let reads = |kind: EffectKind| kind == EffectKind::Read;
        // Effects inside regions whose edges are known are seen on the way through them.
        let harmless = match ir.interface::<dyn RegionBranch>(op) {
            Some(_) => own_effects(ir, op)
                .is_some_and(|effects| effects.iter().all(|effect| reads(effect.kind))),
            None => visit_effects(ir, op, &mut |(_, effect)| reads(effect.kind)),
        };
        if harmless {
            *before
        } else {
            Version::Written(op)
        }
    }
    fn join(&self, _ir: &Ir, place: Place, state: &mut Version, other: &Version) -> bool {
        let merged = Version::Merged(place);
        let changed = *state != *other && *state != merged;
        if changed {
            *state = merged;
        }
        changed
    }
}

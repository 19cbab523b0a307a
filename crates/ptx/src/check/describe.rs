//! From what was found to reports for people: lines, names, coordinates.

use super::Findings;
use super::findings::{Actor, Found, Kind, UNKNOWN_PC};
use crate::exec::observe::PartOfWarp;
use crate::exec::view::Shared;
use crate::fault::{FaultReason, FaultReport, Finding};
use crate::module::{Kernel, Module};
use crate::options::Shape;
use crate::place::Place;
use crate::race::{OtherAccess, Race, Within};
use crate::types::Space;

/// The findings of a launch, by place in the code, at most `most`.
pub(crate) fn describe(
    module: &Module,
    kernel: &Kernel,
    launch: &Shared<'_>,
    shape: &Shape,
    found: Findings,
    most: usize,
) -> Vec<Finding> {
    let found = found.sorted();
    found
        .iter()
        .take(most)
        .map(|found| finding(module, kernel, launch, shape, found))
        .collect()
}

fn finding(
    module: &Module,
    kernel: &Kernel,
    launch: &Shared<'_>,
    shape: &Shape,
    found: &Found,
) -> Finding {
    let access = found.at.access.name();
    let reason = match found.kind {
        Kind::Register => FaultReason::UninitialisedRegister,
        Kind::Product => FaultReason::ProductInFlight,
        Kind::Outlived => FaultReason::OutlivedByCopy,
        Kind::Uninitialised {
            space,
            address,
            bytes,
        } => FaultReason::Uninitialised {
            access,
            space: space.name(),
            address,
            bytes,
            within: within(launch, space, address),
        },
        Kind::Race {
            space,
            address,
            cause,
            other,
        } => FaultReason::Race(Box::new(Race {
            access,
            space: space.name(),
            address,
            within: within(launch, space, address),
            cause,
            other: other.map(|other| other_access(module, kernel, shape, &other)),
        })),
        Kind::Warp(PartOfWarp::Exited { barrier, lanes }) => FaultReason::ExitedBeforeBarrier {
            barrier: u32::from(barrier),
            lanes,
        },
        Kind::Warp(PartOfWarp::NotMember {
            instruction,
            members,
            lane,
        }) => FaultReason::NotAMember {
            instruction,
            lane,
            members,
        },
        Kind::Warp(PartOfWarp::InactiveLane {
            instruction,
            lane,
            source,
        }) => FaultReason::InactiveLane {
            instruction,
            lane,
            source_lane: source,
        },
    };
    let Place {
        line,
        text,
        source_location,
    } = Place::of(module, kernel, found.at.pc);
    let report = FaultReport {
        kernel: kernel.name().into(),
        line,
        text,
        source_location,
        block: Shape::coordinates(shape.grid, found.at.block),
        thread: Shape::coordinates(shape.block, found.at.thread),
        reason,
    };
    Finding {
        report,
        count: found.count,
    }
}

fn other_access(module: &Module, kernel: &Kernel, shape: &Shape, other: &Actor) -> OtherAccess {
    let place = if other.pc == UNKNOWN_PC {
        Place {
            line: 0,
            text: "an access the report has no line for".to_owned(),
            source_location: None,
        }
    } else {
        Place::of(module, kernel, other.pc)
    };
    OtherAccess {
        access: other.access.name(),
        line: place.line,
        text: place.text,
        source_location: place.source_location,
        block: Shape::coordinates(shape.grid, other.block),
        thread: Shape::coordinates(shape.block, other.thread),
    }
}

/// The allocation or variable an address lies in.
fn within(launch: &Shared<'_>, space: Space, address: u64) -> Option<Within> {
    match space {
        Space::Global | Space::Generic => launch.memory.allocation(address).map(|live| Within {
            name: live.name.clone(),
            offset: address - live.address,
        }),
        Space::Shared => launch
            .code
            .shared_variables
            .iter()
            .filter(|variable| variable.address <= address)
            .max_by_key(|variable| variable.address)
            .map(|variable| Within {
                name: variable.name.clone(),
                offset: address - variable.address,
            }),
        _ => None,
    }
}

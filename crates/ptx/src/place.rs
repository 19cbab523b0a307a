//! Places in the text of a kernel, for reports.

use crate::fault::SourceLocation;
use crate::module::{Kernel, Module};

/// Where an instruction stands in the text and in the source.
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) text: String,
    pub(crate) source_location: Option<SourceLocation>,
}

impl Place {
    pub(crate) fn of(module: &Module, kernel: &Kernel, pc: u32) -> Place {
        let origin = kernel.code().origins.get(pc as usize);
        let line = origin.map_or(0, |origin| origin.line);
        let source_location = origin
            .and_then(|origin| origin.location)
            .and_then(|location| module.source(location));
        Place {
            line,
            text: module.line(line).into(),
            source_location,
        }
    }
}

//! Custom forms by format string.

use super::{ParseResult, ParsedOp, Parser};
use crate::def::OpInfo;

impl Parser<'_> {
    /// Reads what follows the name of an op by its format string.
    pub(super) fn parse_by_format(&mut self, info: &OpInfo, op: &mut ParsedOp) -> ParseResult<()> {
        let _ = op;
        Err(self.error(format!("no format for {}", info.def.name)))
    }
}

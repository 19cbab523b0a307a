//! Reads the text form into a program.

use crate::attrs::Attr;
use crate::build::OpState;
use crate::context::{Context, Ident};
use crate::store::Region;
use smallvec::SmallVec;

/// Reads text.
#[derive(Debug)]
pub struct Parser<'a> {
    source: std::marker::PhantomData<&'a str>,
}

/// A reading step failed; the diagnostic is with the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFailure;

/// Result of a reading step.
pub type ParseResult<T> = Result<T, ParseFailure>;

/// The ingredients of the op being read: filled in by its text form.
#[derive(Clone, Debug)]
pub struct ParsedOp {
    /// Everything but the regions (its `regions` count stays 0).
    pub state: OpState,
    /// Regions already read, in order; they are in no op yet.
    pub regions: SmallVec<[Region; 2]>,
    /// How many result names stand before `=`; `None` where there is no `=`.
    pub result_names: Option<usize>,
}

impl ParsedOp {
    /// Adds an attribute; the op's definition decides whether it is inherent.
    pub fn set_attr(&mut self, ctx: &Context, name: Ident, attr: Attr) {
        let inherent = ctx.op_info(self.state.name).is_some_and(|info| info.is_inherent(name));
        let list = if inherent { &mut self.state.properties } else { &mut self.state.attrs };
        list.retain(|entry| entry.0 != name);
        list.push((name, attr));
    }
}

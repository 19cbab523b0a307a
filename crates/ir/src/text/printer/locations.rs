//! Writing locations.

use super::Locations;
use super::data::{DataWriter, TypeText};
use crate::context::Ident;
use crate::location::{Loc, LocKind};

/// Whether an alias may stand for the value itself; parts of it may be aliases in any case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OuterAlias {
    Allowed,
    Forbidden,
}

impl DataWriter<'_> {
    /// ` loc(...)` after an op or a block argument, where locations are wanted.
    pub(super) fn trailing_loc(&mut self, loc: Loc, alias: OuterAlias) {
        if self.locations != Locations::Hidden {
            self.out.push(' ');
            self.loc(loc, alias);
        }
    }

    pub(super) fn write_loc_alias(&mut self, loc: Loc) -> bool {
        self.aliases.has_locs() && self.aliases.write_loc(&mut self.out, self.ctx.interned_loc(loc))
    }

    /// `loc(...)`
    pub(super) fn loc(&mut self, loc: Loc, alias: OuterAlias) {
        self.out.push_str("loc(");
        if alias == OuterAlias::Forbidden || !self.write_loc_alias(loc) {
            self.nested(|w| w.loc_itself(loc));
        }
        self.out.push(')');
    }

    fn nested_loc(&mut self, loc: Loc) {
        if !self.write_loc_alias(loc) {
            self.nested(|w| w.loc_itself(loc));
        }
    }

    fn loc_itself(&mut self, loc: Loc) {
        let ctx = self.ctx;
        match ctx.loc_kind(loc) {
            LocKind::Unknown => self.out.push_str("unknown"),
            LocKind::Attr(attr) => self.attr(*attr, TypeText::Always),
            LocKind::File { file, line, column } => self.position(*file, *line, *column),
            LocKind::FileRange(range) => {
                self.position(range.file, range.line, range.column);
                self.out.push_str(" to ");
                if range.end_line != range.line {
                    self.unsigned(range.end_line.into());
                }
                self.out.push(':');
                self.unsigned(range.end_column.into());
            }
            LocKind::Name { name, child } => {
                self.quoted(ctx.str(*name).as_bytes());
                if *child != Loc::UNKNOWN {
                    self.out.push('(');
                    self.nested_loc(*child);
                    self.out.push(')');
                }
            }
            LocKind::Fused(parts) => {
                self.out.push_str("fused");
                if let Some(metadata) = parts.1 {
                    self.out.push('<');
                    self.attr(metadata, TypeText::Always);
                    self.out.push('>');
                }
                self.out.push('[');
                self.list(parts.0.iter().copied(), Self::nested_loc);
                self.out.push(']');
            }
            LocKind::CallSite { callee, caller } => {
                self.out.push_str("callsite(");
                self.nested_loc(*callee);
                self.out.push_str(" at ");
                self.nested_loc(*caller);
                self.out.push(')');
            }
        }
    }

    fn position(&mut self, file: Ident, line: u32, column: u32) {
        self.quoted(self.ctx.str(file).as_bytes());
        self.out.push(':');
        self.unsigned(line.into());
        self.out.push(':');
        self.unsigned(column.into());
    }
}

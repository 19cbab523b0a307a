//! Writing locations.

use super::Locations;
use super::data::{DataWriter, TypeText};
use rustc_hash::FxHashSet;
use segra_ir::context::Ident;
use segra_ir::location::{Loc, LocKind};

/// Whether an alias may stand for the value itself; parts of it may be aliases in any case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OuterAlias {
    Allowed,
    Forbidden,
}

/// The rest of a location, still to be written.
enum Piece {
    Text(&'static str),
    Loc(Loc),
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
        self.aliases.has_locs()
            && self
                .aliases
                .write_loc(&mut self.out, self.ctx.interned_loc(loc))
    }

    /// `loc(...)`
    pub(super) fn loc(&mut self, loc: Loc, alias: OuterAlias) {
        self.out.push_str("loc(");
        if alias == OuterAlias::Forbidden || !self.write_loc_alias(loc) {
            self.loc_itself(loc);
        }
        self.out.push(')');
    }

    /// A location without its alias; what is still to be written lies on a stack, for locations nest deep. Locations
    /// are shared: a long one does not contain the same twice, its text may be exponentially longer than it is.
    fn loc_itself(&mut self, loc: Loc) {
        /// A location of more parts is long.
        const LONG: usize = 256;
        let (mut pending, mut seen, mut parts) = (Vec::new(), FxHashSet::default(), 0);
        self.start_loc(loc, &mut pending);
        while let Some(piece) = pending.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Loc(loc) if self.write_loc_alias(loc) => {}
                Piece::Loc(loc) => {
                    parts += 1;
                    if !seen.insert(loc) && parts > LONG {
                        self.cut("<<written before>>");
                    } else {
                        self.start_loc(loc, &mut pending);
                    }
                }
            }
        }
    }

    /// The start of a location; the rest of it goes to `pending`, last things first.
    fn start_loc(&mut self, loc: Loc, pending: &mut Vec<Piece>) {
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
                    pending.extend([Piece::Text(")"), Piece::Loc(*child)]);
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
                pending.push(Piece::Text("]"));
                for (index, &part) in parts.0.iter().enumerate().rev() {
                    pending.push(Piece::Loc(part));
                    if index > 0 {
                        pending.push(Piece::Text(", "));
                    }
                }
            }
            LocKind::CallSite { callee, caller } => {
                self.out.push_str("callsite(");
                pending.extend([
                    Piece::Text(")"),
                    Piece::Loc(*caller),
                    Piece::Text(" at "),
                    Piece::Loc(*callee),
                ]);
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

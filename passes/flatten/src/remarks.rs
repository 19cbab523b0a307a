//! Remarks of flattening: each once, though code is made in several versions; none on what was undone.

use rustc_hash::FxHashSet;
use segra_ir::Loc;
use segra_ir::diag::{Diagnostic, Diagnostics, Severity};

/// The remarks of one function, in order.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    made: Vec<Remark>,
    seen: FxHashSet<(Loc, String)>,
}

#[derive(Debug)]
struct Remark {
    loc: Loc,
    message: String,
    tells_result: bool,
}

impl Remarks {
    /// Adds a remark; `tells_result`: on an op that was made, not on why something was not.
    pub(crate) fn push(&mut self, loc: Loc, message: String, tells_result: bool) {
        if self.seen.insert((loc, message.clone())) {
            self.made.push(Remark {
                loc,
                message,
                tells_result,
            });
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.made.len()
    }

    /// Takes back what was told of results since there were `kept` remarks.
    pub(crate) fn undo(&mut self, kept: usize) {
        let since = self.made.split_off(kept);
        let (undone, stay): (Vec<Remark>, Vec<Remark>) =
            since.into_iter().partition(|remark| remark.tells_result);
        for Remark { loc, message, .. } in undone {
            self.seen.remove(&(loc, message));
        }
        self.made.extend(stay);
    }

    /// Hands all of them to the user.
    pub(crate) fn tell(self, diags: &mut Diagnostics) {
        for Remark { loc, message, .. } in self.made {
            diags.push(Diagnostic::new(Severity::Remark, loc, message));
        }
    }
}

//! What a pass is, what it is given, what it hands back.
//!
//! A pass may change the op it runs on and everything inside, nothing outside. It reports through its context:
//! errors and remarks with locations, counts, analyses. It says what it changed and which analyses still hold.

use crate::analysis::{Analyses, Analysis, Preserved};
use crate::options::PassOptions;
use segra_ir::{Diagnostic, Diagnostics, Ir, Op};
use std::collections::BTreeMap;

/// The ops a pass may run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// Any op that is isolated from above.
    Any,
    /// Ops of these names.
    Ops(&'static [&'static str]),
}

impl Anchors {
    /// Whether the pass may run on ops of that name.
    pub fn accepts(self, op_name: &str) -> bool {
        match self {
            Anchors::Any => true,
            Anchors::Ops(names) => names.contains(&op_name),
        }
    }
}

/// What a pass states about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassInfo {
    /// Name in pipelines and on the command line.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// Dialects whose ops it looks for; `&["*"]`: any.
    pub reads: &'static [&'static str],
    /// Dialects whose ops it makes; they must be registered. `&["*"]`: only those it found.
    pub writes: &'static [&'static str],
    /// The ops it may run on.
    pub anchors: Anchors,
}

/// A pass. Its options are its fields, see [`pass_options!`](crate::pass_options).
pub trait Pass: PassOptions + Send + Sync + 'static {
    /// What it states about itself.
    fn info(&self) -> &'static PassInfo;
    /// Works on `op`. On failure at least one error lies in the context's diagnostics.
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult;
}

/// What a pass hands back.
pub type PassResult = Result<Outcome, PassFailure>;

/// The pass could not do its work; why is among the diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassFailure;

/// Whether something was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Nothing was.
    No,
    /// Something was.
    Yes,
}

impl Changed {
    /// `Yes` where the condition holds.
    pub fn when(condition: bool) -> Changed {
        if condition { Changed::Yes } else { Changed::No }
    }
    /// `Yes` if either is.
    pub fn or(self, other: Changed) -> Changed {
        if self == Changed::Yes { self } else { other }
    }
}

/// What a successful pass did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it changed the program.
    pub changed: Changed,
    /// Which analyses still hold.
    pub preserved: Preserved,
}

impl Outcome {
    /// Nothing changed: every analysis holds.
    pub fn unchanged() -> Outcome {
        Outcome { changed: Changed::No, preserved: Preserved::All }
    }
    /// The program changed; no analysis is known to hold.
    pub fn changed() -> Outcome {
        Outcome { changed: Changed::Yes, preserved: Preserved::Only(Vec::new()) }
    }
    /// One or the other.
    pub fn of(changed: Changed) -> Outcome {
        match changed {
            Changed::No => Outcome::unchanged(),
            Changed::Yes => Outcome::changed(),
        }
    }
    /// The analysis `A` still holds.
    pub fn preserving<A: Analysis>(mut self) -> Outcome {
        self.preserved.add::<A>();
        self
    }
}

/// Counts passes report: (pass, what is counted) to number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    counts: BTreeMap<(String, String), u64>,
}

impl Statistics {
    /// Adds to a count.
    pub fn add(&mut self, pass: &str, what: &str, count: u64) {
        *self.counts.entry((pass.to_owned(), what.to_owned())).or_default() += count;
    }
    /// Rows (pass, what is counted, number), in alphabetic order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.counts.iter().map(|((pass, what), count)| (pass.as_str(), what.as_str(), *count))
    }
    /// One count; 0 if nothing was reported.
    pub fn get(&self, pass: &str, what: &str) -> u64 {
        self.counts.get(&(pass.to_owned(), what.to_owned())).copied().unwrap_or(0)
    }
}

/// What a pass works with besides the program.
#[derive(Debug)]
pub struct PassContext<'a> {
    pass: &'static str,
    diags: &'a mut Diagnostics,
    analyses: &'a mut Analyses,
    statistics: &'a mut Statistics,
}

impl<'a> PassContext<'a> {
    /// A context for one run of the pass of that name.
    pub fn new(
        pass: &'static str,
        diags: &'a mut Diagnostics,
        analyses: &'a mut Analyses,
        statistics: &'a mut Statistics,
    ) -> PassContext<'a> {
        PassContext { pass, diags, analyses, statistics }
    }
    /// The collected diagnostics.
    pub fn diags(&mut self) -> &mut Diagnostics {
        self.diags
    }
    /// Adds an error about an op; to be returned as `Err(cx.fail(...))`.
    pub fn fail(&mut self, ir: &Ir, op: Op, message: impl Into<String>) -> PassFailure {
        self.diags.op_error(ir, op, message);
        PassFailure
    }
    /// Adds a remark about an op, for notes.
    pub fn remark(&mut self, ir: &Ir, op: Op, message: impl Into<String>) -> &mut Diagnostic {
        self.diags.op_remark(ir, op, message)
    }
    /// Adds to a count of this pass.
    pub fn count(&mut self, what: &str, count: u64) {
        if count > 0 {
            self.statistics.add(self.pass, what, count);
        }
    }
    /// The analysis `A` of `op`: kept from an earlier pass, or made now. Valid until the program is changed.
    pub fn analysis<A: Analysis>(&mut self, ir: &Ir, op: Op) -> &mut A {
        self.analyses.get(ir, op)
    }
}

//! Patterns and sets of them.

use rustc_hash::FxHashMap;
use segra_ir::interfaces::Rewriter;
use segra_ir::{Context, Op, OpName};
use std::sync::Arc;

/// A local rewrite.
pub trait Pattern: Send + Sync {
    /// Name, for remarks and filters.
    fn name(&self) -> &str;
    /// The op name it matches; `None`: any op.
    fn root(&self) -> Option<&str>;
    /// Patterns with more benefit are tried first; of equal ones the one added first.
    fn benefit(&self) -> u16 {
        1
    }
    /// Rewrites `op` if it matches; tells whether it did. Nothing may be changed where it does not match.
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool;
}

/// Which patterns are used, by name. The canonicalization of an op goes by the op's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternFilter {
    /// Only these, if there are any.
    pub enabled: Vec<String>,
    /// Never these.
    pub disabled: Vec<String>,
}

impl PatternFilter {
    /// Whether a pattern is used.
    pub fn allows(&self, name: &str) -> bool {
        let is = |other: &String| other == name;
        (self.enabled.is_empty() || self.enabled.iter().any(is)) && !self.disabled.iter().any(is)
    }
}

/// Patterns by the op they match, best first.
#[derive(Clone, Default)]
pub struct PatternSet {
    by_root: FxHashMap<OpName, Vec<Arc<dyn Pattern>>>,
    any: Vec<Arc<dyn Pattern>>,
}

impl std::fmt::Debug for PatternSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut names: Vec<&str> = self
            .by_root
            .values()
            .flatten()
            .chain(&self.any)
            .map(|pattern| pattern.name())
            .collect();
        names.sort_unstable();
        f.debug_list().entries(names).finish()
    }
}

impl PatternSet {
    /// No pattern.
    pub fn new() -> PatternSet {
        PatternSet::default()
    }
    /// Adds a pattern.
    pub fn add(&mut self, ctx: &Context, pattern: impl Pattern + 'static) -> &mut PatternSet {
        let list = match pattern.root() {
            Some(name) => self.by_root.entry(ctx.op_name(name)).or_default(),
            None => &mut self.any,
        };
        list.push(Arc::new(pattern));
        list.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit()));
        self
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_root.is_empty() && self.any.is_empty()
    }
    /// The patterns that may match ops of that name, best first.
    pub fn matching(&self, name: OpName) -> impl Iterator<Item = &Arc<dyn Pattern>> {
        let mut own = self
            .by_root
            .get(&name)
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .peekable();
        let mut any = self.any.iter().peekable();
        std::iter::from_fn(move || match (own.peek(), any.peek()) {
            (Some(first), Some(second)) if second.benefit() > first.benefit() => any.next(),
            (Some(_), _) => own.next(),
            (None, _) => any.next(),
        })
    }
}

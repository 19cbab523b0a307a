//! Rules that come with a pass.

use super::{RulePattern, UnknownOps, read_rules_about};
use crate::rewrite::PatternSet;
use segra_ir::Context;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Rules as text, read when a context first asks for them; rules about ops it does not know are left out.
#[derive(Debug)]
pub struct RuleBook {
    text: &'static str,
    /// The rules read, context by context; contexts that are gone go with the next reading.
    read: Mutex<Vec<(Weak<Context>, Arc<PatternSet>)>>,
}

impl RuleBook {
    /// The book of a text.
    pub const fn new(text: &'static str) -> RuleBook {
        RuleBook {
            text,
            read: Mutex::new(Vec::new()),
        }
    }
    /// The rules as text.
    pub fn text(&self) -> &'static str {
        self.text
    }
    /// The rules as patterns. A line that cannot be read for another reason than an unknown op gives none (the tests of
    /// a book read it with all its ops).
    pub fn patterns(&self, ctx: &Arc<Context>) -> Arc<PatternSet> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let known = read
            .iter()
            .find(|row| std::ptr::eq(row.0.as_ptr(), Arc::as_ptr(ctx)));
        // A context is known by its address only while it lives.
        if let Some(row) = known.filter(|row| row.0.strong_count() > 0) {
            return row.1.clone();
        }
        let mut patterns = PatternSet::new();
        for rule in read_rules_about(ctx, self.text, UnknownOps::LeaveOut).unwrap_or_default() {
            patterns.add(ctx, RulePattern::new(ctx, rule));
        }
        let patterns = Arc::new(patterns);
        read.retain(|row| row.0.strong_count() > 0);
        read.push((Arc::downgrade(ctx), patterns.clone()));
        patterns
    }
}

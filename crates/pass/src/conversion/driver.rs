//! The driver: makes ops legal one after the other, what it makes along the way too, and commits or takes it all back.

use super::pattern::{ConversionPatterns, ConversionRewriter};
use super::target::{ConversionTarget, Verdict};
use super::types::{CAST, Materialized};
use crate::rewrite::PatternFilter;
use rustc_hash::FxHashSet;
use segra_ir::{Diagnostics, InsertPoint, Ir, Op, Value, ValueDef};

/// The ops that must be legal in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConversionMode {
    /// Ops that the target calls illegal must go; ops that it does not mention may stay.
    #[default]
    Partial,
    /// Every op must be legal.
    Full,
    /// Nothing is changed: only found out which ops could be made legal.
    Analysis,
}

/// How to convert.
#[derive(Clone, Debug, Default)]
pub struct ConversionConfig {
    /// The ops that must be legal in the end.
    pub mode: ConversionMode,
    /// Which patterns are used.
    pub filter: PatternFilter,
}

/// The inputs of a conversion.
#[derive(Debug)]
pub struct Conversion<'a> {
    /// Which ops are legal.
    pub target: &'a ConversionTarget,
    /// The patterns, and what types become.
    pub patterns: &'a ConversionPatterns,
    /// How to convert.
    pub config: ConversionConfig,
}

/// The outcome of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversionOutcome {
    /// Ops replaced or changed.
    pub converted: u64,
    /// Analysis mode: the ops of the program that are legal or could be made so.
    pub legalizable: Vec<Op>,
}

/// Patterns applied on one another's results: deeper than any sensible chain.
const DEEPEST: usize = 64;

/// Makes `root` and everything inside legal.
///
/// # Errors
/// An error per op that must go and cannot be made legal is added to `diags`; the program is then as it was.
pub fn convert(
    ir: &mut Ir,
    root: Op,
    conversion: &Conversion<'_>,
    diags: &mut Diagnostics,
) -> Result<ConversionOutcome, crate::PassFailure> {
    let types = conversion.patterns.types.as_ref();
    let mut driver = Driver {
        conversion,
        rewriter: ConversionRewriter::new(ir, types),
        converted: 0,
        applying: FxHashSet::default(),
    };
    let mut failed = false;
    let mut legalizable = Vec::new();
    for op in driver.ops_to_convert(root) {
        if driver.rewriter.replaced.contains(&op) {
            legalizable.push(op);
            continue;
        }
        match driver.legalize(op, 0) {
            Ok(()) => legalizable.push(op),
            Err(refusal) => {
                let must = match conversion.config.mode {
                    ConversionMode::Partial => refusal.rule.is_some(),
                    ConversionMode::Full => true,
                    ConversionMode::Analysis => false,
                };
                if must {
                    refusal.report(driver.rewriter.ir(), op, diags);
                    failed = true;
                }
            }
        }
    }
    let converted = driver.converted;
    if failed || conversion.config.mode == ConversionMode::Analysis {
        driver.rewriter.roll_back(0);
    } else {
        driver.commit(diags)?;
    }
    if failed {
        Err(crate::PassFailure)
    } else {
        Ok(ConversionOutcome {
            converted,
            legalizable,
        })
    }
}

/// Why an op cannot be made legal.
struct Refusal {
    /// The rule that makes it illegal; `None`: nothing is said about it.
    rule: Option<String>,
    /// Patterns that were tried, and why each declined.
    tried: Vec<(String, String)>,
}

impl Refusal {
    fn report(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        let why = self.rule.as_deref().unwrap_or("no rule makes it legal");
        let loc = ir.loc(op);
        let diagnostic = diags.op_error(ir, op, format!("could not be converted: {why}"));
        if self.tried.is_empty() {
            diagnostic.note(loc, "no pattern converts such an op");
        }
        for (name, reason) in &self.tried {
            diagnostic.note(loc, format!("pattern `{name}` declined: {reason}"));
        }
    }
    /// In one line, for the pattern that made the op.
    fn line(&self) -> String {
        let why = self
            .rule
            .as_deref()
            .unwrap_or("no rule makes it legal")
            .to_owned();
        match self.tried.first() {
            None => format!("{why}, and no pattern converts it"),
            Some((name, reason)) => format!("{why}; pattern `{name}` declined: {reason}"),
        }
    }
}

struct Driver<'a, 'p> {
    conversion: &'p Conversion<'p>,
    rewriter: ConversionRewriter<'a>,
    converted: u64,
    /// Patterns (by address of their name) that are being applied, to one another's results.
    applying: FxHashSet<(String, Op)>,
}

impl Driver<'_, '_> {
    /// `root` and what is inside it, without what is inside of ops that are legal with their contents.
    fn ops_to_convert(&self, root: Op) -> Vec<Op> {
        let ir = self.rewriter.ir();
        let mut out = Vec::new();
        let mut pending = vec![root];
        while let Some(op) = pending.pop() {
            out.push(op);
            if self.conversion.target.verdict(ir, op) == Verdict::LegalWithContents {
                continue;
            }
            let start = pending.len();
            for &region in ir.regions(op) {
                for block in ir.blocks(region) {
                    pending.extend(ir.ops(block));
                }
            }
            pending[start..].reverse();
        }
        out
    }

    fn legalize(&mut self, op: Op, depth: usize) -> Result<(), Refusal> {
        let rule = match self.conversion.target.verdict(self.rewriter.ir(), op) {
            Verdict::Legal | Verdict::LegalWithContents => return Ok(()),
            Verdict::Illegal(rule) => Some(rule),
            // Ops that stand between types are settled in the end.
            Verdict::Unknown if self.rewriter.casts.contains(&op) => return Ok(()),
            Verdict::Unknown => None,
        };
        let mut refusal = Refusal {
            rule,
            tried: Vec::new(),
        };
        if depth > DEEPEST {
            refusal.tried.push((
                "...".to_owned(),
                format!("more than {DEEPEST} patterns in a row"),
            ));
            return Err(refusal);
        }
        for pattern in self
            .conversion
            .patterns
            .matching(self.rewriter.ir().op_name(op))
        {
            let name = pattern.name().to_owned();
            if !self.conversion.config.filter.allows(&name) {
                refusal.tried.push((name, "it is disabled".to_owned()));
                continue;
            }
            if !self.applying.insert((name.clone(), op)) {
                refusal
                    .tried
                    .push((name, "it is being applied to this op already".to_owned()));
                continue;
            }
            let start = self.rewriter.steps.len();
            let done = self.apply(&*pattern, op, depth, start);
            self.applying.remove(&(name.clone(), op));
            match done {
                Ok(()) => {
                    self.converted += u64::from(depth == 0);
                    return Ok(());
                }
                Err(reason) => {
                    self.rewriter.roll_back(start);
                    refusal.tried.push((name, reason));
                }
            }
        }
        Err(refusal)
    }

    /// Applies one pattern and makes what it made legal.
    fn apply(
        &mut self,
        pattern: &dyn super::pattern::ConversionPattern,
        op: Op,
        depth: usize,
        start: usize,
    ) -> Result<(), String> {
        let operands = self
            .rewriter
            .operands_for(op)
            .map_err(|decline| decline.0)?;
        pattern
            .convert(&mut self.rewriter, op, &operands)
            .map_err(|decline| decline.0)?;
        let mut touched: Vec<Op> = Vec::new();
        let mut changed_in_place = false;
        for step in &self.rewriter.steps[start..] {
            match step {
                super::journal::Step::Made(made) => touched.push(*made),
                super::journal::Step::Changed(_) => changed_in_place = true,
                _ => {}
            }
        }
        if !self.rewriter.replaced.contains(&op) {
            if !changed_in_place && touched.is_empty() && self.rewriter.steps.len() == start {
                return Err("it changed nothing".to_owned());
            }
            touched.push(op);
        }
        for made in touched {
            if self.rewriter.replaced.contains(&made) || self.rewriter.casts.contains(&made) {
                continue;
            }
            let name = self.rewriter.ir().op_name_str(made).to_owned();
            match self.legalize(made, depth + 1) {
                Ok(()) => {}
                // Ops that the target does not mention may stay where they may stay anyway.
                Err(refusal)
                    if refusal.rule.is_none()
                        && self.conversion.config.mode == ConversionMode::Partial => {}
                Err(refusal) => {
                    return Err(format!(
                        "it made `{name}`, which is not legal: {}",
                        refusal.line()
                    ));
                }
            }
        }
        Ok(())
    }

    /// Makes what was done final: what old ops handed out is what replaced it, old ops go, casts that meet dissolve.
    fn commit(mut self, diags: &mut Diagnostics) -> Result<(), crate::PassFailure> {
        let mut mapped: Vec<Value> = self.rewriter.mapped.keys().copied().collect();
        mapped.sort_unstable();
        for value in mapped {
            self.settle(value);
        }
        let left = self.dissolve_casts();
        // Casts nobody asked for, where no rule of the converter built anything better.
        let (target, ir) = (self.conversion.target, self.rewriter.ir());
        let is_legal = |op: Op| matches!(target.verdict(ir, op), Verdict::Legal);
        let unexpected: Vec<Op> = left.into_iter().filter(|&op| !is_legal(op)).collect();
        if self.conversion.patterns.types.is_some() && !unexpected.is_empty() {
            for &op in &unexpected {
                report_cast(self.rewriter.ir(), op, diags);
            }
            self.rewriter.roll_back(0);
            return Err(crate::PassFailure);
        }
        let mut dead: Vec<Op> = self.rewriter.replaced.iter().copied().collect();
        dead.sort_unstable();
        // They may use one another in any order, and hold one another.
        let ir = &mut *self.rewriter.ir;
        for &op in &dead {
            ir.set_operands(op, &[]);
        }
        let outermost: Vec<Op> = {
            let replaced = &self.rewriter.replaced;
            dead.iter()
                .copied()
                .filter(|&op| {
                    !ir.ancestors(op)
                        .skip(1)
                        .any(|above| replaced.contains(&above))
                })
                .collect()
        };
        for op in outermost {
            ir.erase_op(op);
        }
        Ok(())
    }

    /// Makes every use of a replaced value by an op that stays a use of what replaced it.
    fn settle(&mut self, value: Value) {
        let ir = self.rewriter.ir();
        let users: Vec<_> = ir
            .uses(value)
            .filter(|&slot| !self.rewriter.replaced.contains(&ir.use_owner(slot)))
            .map(|slot| (ir.use_owner(slot), ir.use_index(slot)))
            .collect();
        if users.is_empty() {
            return;
        }
        let now = self.rewriter.remapped(value);
        let ty = ir.value_type(value);
        let what = match ir.value_def(value) {
            ValueDef::Argument { .. } => Materialized::Argument,
            ValueDef::Result { .. } => Materialized::Result,
        };
        let replacement = match now[..] {
            [only] if ir.value_type(only) == ty => only,
            _ => {
                let point = self.after(&now, users[0].0);
                self.rewriter.cast_to_old(point, what, ty, &now)
            }
        };
        for (op, index) in users {
            self.rewriter
                .modify(op, |ir| ir.set_operand(op, index, replacement));
        }
    }

    /// A place behind the definitions of all these values that dominates their users.
    fn after(&self, values: &[Value], user: Op) -> InsertPoint {
        let ir = self.rewriter.ir();
        let last = values
            .iter()
            .filter_map(|&value| ir.defining_op(value))
            .max_by(|&a, &b| {
                if ir.block_of(a) == ir.block_of(b) && !ir.is_before(a, b) {
                    std::cmp::Ordering::Greater
                } else {
                    std::cmp::Ordering::Less
                }
            });
        if let Some(next) = last.and_then(|last| ir.next_op(last)) {
            return InsertPoint::Before(next);
        }
        let block = values.iter().find_map(|&value| match ir.value_def(value) {
            ValueDef::Argument { block, .. } => Some(block),
            ValueDef::Result { .. } => None,
        });
        match block.and_then(|block| ir.first_op(block)) {
            Some(first) if last.is_none() => InsertPoint::Before(first),
            _ => InsertPoint::Before(user),
        }
    }

    /// Dissolves casts that undo one another and those nothing uses. Those that are left.
    fn dissolve_casts(&mut self) -> Vec<Op> {
        let mut left: Vec<Op> = Vec::new();
        let casts = self.rewriter.casts.clone();
        for &op in &casts {
            let ir = self.rewriter.ir();
            let inputs: Vec<Value> = ir.operands(op).collect();
            // A cast of all results of a cast, back to what that was made of.
            let source = inputs.first().and_then(|&value| ir.defining_op(value));
            let Some(source) = source.filter(|&source| {
                ir.op_name_str(source) == CAST && ir.results(source).eq(inputs.iter().copied())
            }) else {
                continue;
            };
            let originals: Vec<Value> = ir.operands(source).collect();
            let results: Vec<Value> = ir.results(op).collect();
            let types = |values: &[Value]| -> Vec<_> {
                values.iter().map(|&value| ir.value_type(value)).collect()
            };
            if types(&originals) == types(&results) {
                self.redirect(&results, &originals);
            }
        }
        for op in casts.into_iter().rev() {
            let ir = self.rewriter.ir();
            let live = ir.results(op).any(|value| {
                ir.users(value)
                    .any(|user| !self.rewriter.replaced.contains(&user))
            });
            if live {
                left.push(op)
            } else {
                self.rewriter.erase(op)
            }
        }
        left
    }
    fn redirect(&mut self, from: &[Value], to: &[Value]) {
        for (&from, &to) in from.iter().zip(to) {
            let ir = self.rewriter.ir();
            let users: Vec<(Op, usize)> = ir
                .uses(from)
                .map(|slot| (ir.use_owner(slot), ir.use_index(slot)))
                .collect();
            for (op, index) in users {
                self.rewriter.modify(op, |ir| ir.set_operand(op, index, to));
            }
        }
    }
}

/// Says that nothing makes the value that a cast stands for.
fn report_cast(ir: &Ir, op: Op, diags: &mut Diagnostics) {
    let show = |values: Vec<Value>| {
        let text = |value| segra_text::print_type(ir.ctx(), ir.value_type(value));
        let types = values.into_iter().map(|value| format!("`{}`", text(value)));
        types.collect::<Vec<String>>().join(", ")
    };
    let (from, to) = (
        show(ir.operands(op).collect()),
        show(ir.results(op).collect()),
    );
    let user = ir.results(op).flat_map(|value| ir.users(value)).next();
    let message = format!(
        "needs a value of type {to} and there is one of type {from}, which no rule of the type converter makes it of"
    );
    diags.op_error(ir, user.unwrap_or(op), message);
}

//! Which ops are legal after a conversion. A rule for an op goes before the rule for its dialect, that before the rule
//! for everything else.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Context, Ir, Op, OpName};
use std::fmt;
use std::sync::Arc;

/// Asks about one op: whether it is legal; `None`: the function does not know.
pub type LegalityCheck = Arc<dyn Fn(&Ir, Op) -> Option<bool> + Send + Sync>;

#[derive(Clone)]
enum Rule {
    Legal,
    Illegal,
    Dynamic(LegalityCheck),
}

/// A target's statement about an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may stay.
    Legal,
    /// It may stay, with everything inside.
    LegalWithContents,
    /// It must go; which rule says so.
    Illegal(String),
    /// Nothing is said: a partial conversion leaves it if no pattern changes it, a full one must change it.
    Unknown,
}

/// Which ops are legal after a conversion.
#[derive(Clone, Default)]
pub struct ConversionTarget {
    ops: FxHashMap<OpName, Rule>,
    dialects: FxHashMap<String, Rule>,
    others: Option<Rule>,
    recursive: FxHashSet<OpName>,
}

impl fmt::Debug for ConversionTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ConversionTarget({} ops, {} dialects)",
            self.ops.len(),
            self.dialects.len()
        )
    }
}

impl ConversionTarget {
    /// A target that says nothing about any op.
    pub fn new() -> ConversionTarget {
        ConversionTarget::default()
    }
    fn op(mut self, ctx: &Context, names: &[&str], rule: &Rule) -> Self {
        self.ops
            .extend(names.iter().map(|name| (ctx.op_name(name), rule.clone())));
        self
    }
    fn dialect(mut self, names: &[&str], rule: &Rule) -> Self {
        self.dialects
            .extend(names.iter().map(|name| ((*name).to_owned(), rule.clone())));
        self
    }
    /// These ops are legal.
    pub fn legal_ops(self, ctx: &Context, names: &[&str]) -> Self {
        self.op(ctx, names, &Rule::Legal)
    }
    /// These ops must go.
    pub fn illegal_ops(self, ctx: &Context, names: &[&str]) -> Self {
        self.op(ctx, names, &Rule::Illegal)
    }
    /// These ops are legal where the function says so.
    pub fn dynamic_ops(
        self,
        ctx: &Context,
        names: &[&str],
        check: impl Fn(&Ir, Op) -> Option<bool> + Send + Sync + 'static,
    ) -> Self {
        self.op(ctx, names, &Rule::Dynamic(Arc::new(check)))
    }
    /// All other ops of these dialects are legal.
    pub fn legal_dialects(self, names: &[&str]) -> Self {
        self.dialect(names, &Rule::Legal)
    }
    /// All other ops of these dialects must go.
    pub fn illegal_dialects(self, names: &[&str]) -> Self {
        self.dialect(names, &Rule::Illegal)
    }
    /// All other ops of these dialects are legal where the function says so.
    pub fn dynamic_dialects(
        self,
        names: &[&str],
        check: impl Fn(&Ir, Op) -> Option<bool> + Send + Sync + 'static,
    ) -> Self {
        self.dialect(names, &Rule::Dynamic(Arc::new(check)))
    }
    /// Ops no other rule is about are legal where the function says so.
    pub fn dynamic_others(
        mut self,
        check: impl Fn(&Ir, Op) -> Option<bool> + Send + Sync + 'static,
    ) -> Self {
        self.others = Some(Rule::Dynamic(Arc::new(check)));
        self
    }
    /// Where these ops are legal, everything inside them is, too.
    pub fn recursively_legal(mut self, ctx: &Context, names: &[&str]) -> Self {
        self.recursive
            .extend(names.iter().map(|name| ctx.op_name(name)));
        self
    }
    /// The target's statement about an op.
    pub fn verdict(&self, ir: &Ir, op: Op) -> Verdict {
        let name = ir.op_name_str(op);
        let dialect = name.split('.').next().unwrap_or_default();
        let rules = [
            (self.ops.get(&ir.op_name(op)), format!("op `{name}`")),
            (self.dialects.get(dialect), format!("dialect `{dialect}`")),
            (self.others.as_ref(), "all other ops".to_owned()),
        ];
        for (rule, about) in rules {
            let legal = match rule {
                None => continue,
                Some(Rule::Legal) => true,
                Some(Rule::Illegal) => return Verdict::Illegal(format!("{about} is illegal")),
                Some(Rule::Dynamic(check)) => match check(ir, op) {
                    None => continue,
                    Some(true) => true,
                    Some(false) => {
                        return Verdict::Illegal(format!(
                            "{about} is legal under a condition it does not meet"
                        ));
                    }
                },
            };
            if legal {
                let whole = self.recursive.contains(&ir.op_name(op));
                return if whole {
                    Verdict::LegalWithContents
                } else {
                    Verdict::Legal
                };
            }
        }
        Verdict::Unknown
    }
}

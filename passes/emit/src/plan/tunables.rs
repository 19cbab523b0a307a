//! Comparisons with thresholds: tunables of the artifact, with what they are compared with and which choice they are
//! part of, so that a tuner knows the tree of versions without the program.

use super::{HostValue, Refused, Translated, Translator};
use segra_artifact::{Branch, Dim, EntryParam, ParamType, Side, Tunable, TunableId};
use segra_ir::{Op, Value};
use segra_kernel::threshold::AtLeastOp;
use segra_std::func::FuncOp;
use segra_std::{arith, memref};

/// Expressions nested deeper than this are not written out.
const DEEPEST: usize = 8;

impl Translator<'_> {
    /// Whether a size is at least a threshold.
    pub(super) fn at_least(&mut self, op: Op) -> Translated<()> {
        let value = self.scalar(op, 0)?;
        let tunable = self.tunable(op)?;
        let slot = self.plan.at_least(value, tunable);
        self.define(op, 0, HostValue::Scalar(slot));
        Ok(())
    }

    /// The threshold of a comparison; the first comparison with it says what it is compared with.
    fn tunable(&mut self, op: Op) -> Translated<TunableId> {
        let Some(comparison) = self.ir.cast::<AtLeastOp>(op) else {
            return Err(Refused);
        };
        let name = comparison
            .name(self.ir)
            .as_str(self.ir.ctx())
            .unwrap_or_default()
            .to_owned();
        let default = comparison.default(self.ir);
        if let Some(index) = self
            .artifact
            .tunables
            .iter()
            .position(|known| known.name == name)
        {
            let known = self.artifact.tunables[index].default;
            if known != default {
                return self.refuse(
                    op,
                    format!("has the default {default}, but `{name}` has {known} elsewhere"),
                );
            }
            return Ok(TunableId::new(index));
        }
        let compared = self.expression(comparison.value(self.ir), DEEPEST).text;
        let location = super::location(self.ir.ctx(), self.artifact, self.ir.loc(op));
        let under = self.branches.last().copied();
        Ok(self.artifact.add_tunable(Tunable {
            name,
            default,
            min: 0,
            max: i64::MAX,
            compared,
            under,
            location,
        }))
    }

    /// The threshold whose comparison, maybe with further conditions, decides a branch. Where there are several reasons to
    /// go to its first side, a threshold each, the last one does: it is asked where none before it holds.
    pub(super) fn choice_of(&mut self, branch: Op) -> Option<TunableId> {
        let condition = self.ir.operands(branch).next()?;
        let mut reasons = self.reasons(condition, DEEPEST);
        // Outer choices come first.
        reasons.sort_unstable();
        reasons.dedup();
        let around = self.branches.last().copied();
        for (&before, &reason) in reasons.iter().zip(reasons.iter().skip(1)) {
            let known = &mut self.artifact.tunables[reason.index()];
            if known.under == around {
                known.under = Some(Branch {
                    tunable: before,
                    side: Side::Below,
                });
            }
        }
        reasons.last().copied()
    }

    /// The thresholds any of which leads to the first side of a branch, with the conditions that go with it.
    fn reasons(&self, condition: Value, depth: usize) -> Vec<TunableId> {
        let Some(op) = self.ir.defining_op(condition).filter(|_| depth > 0) else {
            return Vec::new();
        };
        if let Some(comparison) = self.ir.cast::<AtLeastOp>(op) {
            let name = comparison.name(self.ir).as_str(self.ir.ctx());
            let mut known = self.artifact.tunables.iter();
            let index = known.position(|known| Some(known.name.as_str()) == name);
            return index.map(TunableId::new).into_iter().collect();
        }
        let mut parts = self
            .ir
            .operands(op)
            .map(|part| self.reasons(part, depth - 1));
        if self.ir.isa::<arith::OrIOp>(op) {
            parts.flatten().collect()
        } else if self.ir.isa::<arith::AndIOp>(op) {
            let (first, second) = (parts.next(), parts.next());
            let found = second.filter(|found| !found.is_empty());
            found.or(first).unwrap_or_default()
        } else {
            Vec::new()
        }
    }

    /// A size as people read it: names of sizes, products, maxima; `?` for what is computed in other ways.
    fn expression(&self, value: Value, depth: usize) -> Expression {
        if let Some(constant) = self.ir.constant_int(value) {
            return Expression::atom(constant.to_string());
        }
        let Some(op) = self.ir.defining_op(value).filter(|_| depth > 0) else {
            return Expression::atom(self.parameter(value).map_or("?", |param| &param.name));
        };
        let mut operands = self
            .ir
            .operands(op)
            .map(|operand| self.expression(operand, depth - 1));
        let (x, y) = (operands.next(), operands.next());
        if self.ir.isa::<memref::DimOp>(op) {
            return Expression::atom(self.extent(op).unwrap_or_else(unknown));
        }
        let is_cast =
            self.ir.isa::<arith::IndexCastOp>(op) || self.ir.isa::<arith::IndexCastUIOp>(op);
        match (x, y) {
            (Some(x), Some(y)) if self.ir.isa::<arith::MulIOp>(op) => match (&*x.text, &*y.text) {
                ("1", _) => y,
                (_, "1") => x,
                _ => Expression {
                    text: format!("{} * {}", x.factor(), y.factor()),
                    binding: Binding::Product,
                },
            },
            (Some(x), Some(y)) if self.ir.isa::<arith::AddIOp>(op) => Expression {
                text: format!("{} + {}", x.text, y.text),
                binding: Binding::Sum,
            },
            (Some(x), Some(y)) if self.ir.isa::<arith::MaxSIOp>(op) => {
                Expression::atom(format!("max({}, {})", x.text, y.text))
            }
            (Some(x), Some(y)) if self.ir.isa::<arith::MinSIOp>(op) => {
                Expression::atom(format!("min({}, {})", x.text, y.text))
            }
            (Some(x), _) if is_cast => x,
            _ => Expression::atom("?".to_owned()),
        }
    }

    /// The parameter of the function that a value is.
    fn parameter(&self, value: Value) -> Option<&EntryParam> {
        let block = self.ir.value_block(value)?;
        let func = self.ir.block_parent(block)?;
        let index = self
            .ir
            .block_args(block)
            .iter()
            .position(|&arg| arg == value)?;
        if self.ir.isa::<FuncOp>(func) {
            self.entry.params.get(index)
        } else {
            None
        }
    }

    /// The name of a dimension of an array parameter.
    fn extent(&self, dim: Op) -> Option<String> {
        let mut operands = self.ir.operands(dim);
        let (memref, at) = (operands.next()?, operands.next()?);
        let at = self.ir.constant_int(at)?;
        let ParamType::Array { dims, .. } = &self.parameter(memref)?.ty else {
            return None;
        };
        match dims.get(usize::try_from(at).ok()?)? {
            Dim::Const(extent) => Some(extent.to_string()),
            Dim::Size(size) => Some(self.entry.size_name(*size)),
            Dim::Any => None,
        }
    }
}

fn unknown() -> String {
    "?".to_owned()
}

/// The text of an expression and what holds it together.
struct Expression {
    text: String,
    binding: Binding,
}

enum Binding {
    Atom,
    Product,
    Sum,
}

impl Expression {
    fn atom(text: impl Into<String>) -> Expression {
        Expression {
            text: text.into(),
            binding: Binding::Atom,
        }
    }
    /// Its text as a factor.
    fn factor(&self) -> String {
        match self.binding {
            Binding::Atom | Binding::Product => self.text.clone(),
            Binding::Sum => format!("({})", self.text),
        }
    }
}

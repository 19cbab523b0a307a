//! Ops on scalars.

use super::rules::Rule;
use super::{Buffer, HostValue, Refused, Translated, Translator};
use crate::signature::element_type;
use segra_artifact::plan::{BinaryOp, Compare, UnaryOp};
use segra_artifact::{ElemType, PlanBuilder, Scalar, Slot};
use segra_ir::{AttrKind, Op, OpView};
use segra_std::arith::{self, CmpFPredicate, CmpIPredicate};

impl Translator<'_> {
    /// An op on scalars, by its rule.
    pub(super) fn scalar_op(&mut self, op: Op, rule: Rule) -> Translated<()> {
        if self.ir.results(op).any(|result| !self.is_known(result)) {
            return self.refuse(op, "has a result of a type that the host does not know");
        }
        let slot = match rule {
            Rule::Binary(binary) => {
                let (lhs, rhs) = (self.scalar(op, 0)?, self.scalar(op, 1)?);
                self.plan.binary(binary, lhs, rhs)
            }
            Rule::Unary(unary) => {
                let source = self.scalar(op, 0)?;
                self.plan.unary(unary, source)
            }
            Rule::Convert(convert) => {
                let source = self.scalar(op, 0)?;
                let to = self.result_elem(op)?;
                self.plan.convert(convert, source, to)
            }
            Rule::Number(rule) => rule(self, op)?,
            Rule::By(rule) => return rule(self, op),
        };
        self.define(op, 0, HostValue::Scalar(slot));
        Ok(())
    }

    fn is_known(&self, value: segra_ir::Value) -> bool {
        let (ctx, ty) = (self.ir.ctx(), self.ir.value_type(value));
        let memref = matches!(ctx.type_kind(ty), segra_ir::TypeKind::MemRef { .. });
        element_type(ctx, if memref { ty.element_or_self(ctx) } else { ty }).is_some()
    }

    pub(super) fn result_elem(&mut self, op: Op) -> Translated<ElemType> {
        let (ctx, ty) = (self.ir.ctx(), self.ir.value_type(self.ir.result(op, 0)));
        element_type(ctx, ty.element_or_self(ctx)).ok_or(Refused)
    }

    pub(super) fn constant(&mut self, op: Op) -> Translated<Slot> {
        let elem = self.result_elem(op)?;
        let attr = self.ir.attr_named(op, "value");
        let scalar = match attr.map(|attr| self.ir.ctx().attr_kind(attr)) {
            Some(AttrKind::Integer { value, .. }) => Scalar::from_i64(elem, *value as i64),
            Some(AttrKind::Float { bits, .. }) => Scalar::from_bits(elem, *bits as u64),
            _ => return self.refuse(op, "is not a number, so the host does not know it"),
        };
        Ok(self.plan.constant(scalar))
    }

    pub(super) fn compare_integers(&mut self, op: Op) -> Translated<Slot> {
        let compare = match arith::CmpIOp::from_op(op).predicate(self.ir) {
            CmpIPredicate::Eq => Compare::Eq,
            CmpIPredicate::Ne => Compare::Ne,
            CmpIPredicate::Slt => Compare::Lt,
            CmpIPredicate::Sle => Compare::Le,
            CmpIPredicate::Sgt => Compare::Gt,
            CmpIPredicate::Sge => Compare::Ge,
            CmpIPredicate::Ult => Compare::LtU,
            CmpIPredicate::Ule => Compare::LeU,
            CmpIPredicate::Ugt => Compare::GtU,
            CmpIPredicate::Uge => Compare::GeU,
        };
        let (lhs, rhs) = (self.scalar(op, 0)?, self.scalar(op, 1)?);
        Ok(self.plan.compare(compare, lhs, rhs))
    }

    /// Each of MLIR's sixteen predicates by comparisons that are false (`Ne`: true) on NaN.
    pub(super) fn compare_floats(&mut self, op: Op) -> Translated<Slot> {
        let predicate = arith::CmpFOp::from_op(op).predicate(self.ir);
        let (lhs, rhs) = (self.scalar(op, 0)?, self.scalar(op, 1)?);
        let b = &mut self.plan;
        // Unordered comparisons are the negations of the opposite ordered ones.
        let negated = |b: &mut PlanBuilder, opposite| {
            let ordered = b.compare(opposite, lhs, rhs);
            b.unary(UnaryOp::Not, ordered)
        };
        Ok(match predicate {
            CmpFPredicate::AlwaysFalse => b.constant(Scalar::bool(false)),
            CmpFPredicate::Oeq => b.compare(Compare::Eq, lhs, rhs),
            CmpFPredicate::Ogt => b.compare(Compare::Gt, lhs, rhs),
            CmpFPredicate::Oge => b.compare(Compare::Ge, lhs, rhs),
            CmpFPredicate::Olt => b.compare(Compare::Lt, lhs, rhs),
            CmpFPredicate::Ole => b.compare(Compare::Le, lhs, rhs),
            CmpFPredicate::One => {
                let different = b.compare(Compare::Ne, lhs, rhs);
                let ordered = b.compare(Compare::Ordered, lhs, rhs);
                b.binary(BinaryOp::And, different, ordered)
            }
            CmpFPredicate::Ord => b.compare(Compare::Ordered, lhs, rhs),
            CmpFPredicate::Ueq => {
                let equal = b.compare(Compare::Eq, lhs, rhs);
                let unordered = b.compare(Compare::Unordered, lhs, rhs);
                b.binary(BinaryOp::Or, equal, unordered)
            }
            CmpFPredicate::Ugt => negated(b, Compare::Le),
            CmpFPredicate::Uge => negated(b, Compare::Lt),
            CmpFPredicate::Ult => negated(b, Compare::Ge),
            CmpFPredicate::Ule => negated(b, Compare::Gt),
            CmpFPredicate::Une => b.compare(Compare::Ne, lhs, rhs),
            CmpFPredicate::Uno => b.compare(Compare::Unordered, lhs, rhs),
            CmpFPredicate::AlwaysTrue => b.constant(Scalar::bool(true)),
        })
    }

    pub(super) fn select(&mut self, op: Op) -> Translated<()> {
        let condition = self.scalar(op, 0)?;
        let chosen = match (self.operand(op, 1)?, self.operand(op, 2)?) {
            (HostValue::Scalar(a), HostValue::Scalar(b)) => {
                HostValue::Scalar(self.plan.select(condition, a, b))
            }
            (HostValue::Buffer(a), HostValue::Buffer(b)) => {
                let slot = self.plan.select(condition, a.slot, b.slot);
                let pairs = a.extents.iter().zip(&b.extents);
                let extents = pairs
                    .map(|(&a, &b)| self.plan.select(condition, a, b))
                    .collect();
                HostValue::Buffer(Buffer { slot, extents })
            }
            _ => return self.refuse(op, "chooses between a number and a memref"),
        };
        self.define(op, 0, chosen);
        Ok(())
    }
}

//! Ops on scalars: which instruction each is.

use super::{Buffer, HostValue, Refused, Translated, Translator};
use crate::signature::element_type;
use segra_artifact::plan::{BinaryOp, Compare, Convert, UnaryOp};
use segra_artifact::{ElemType, PlanBuilder, Scalar, Slot};
use segra_ir::{AttrKind, Op, OpDef, OpView};
use segra_std::arith::{self, CmpFPredicate, CmpIPredicate};
use segra_std::math;

const BINARY: &[(&OpDef, BinaryOp)] = &[
    (arith::AddFOp::DEF, BinaryOp::Add),
    (arith::AddIOp::DEF, BinaryOp::Add),
    (arith::AndIOp::DEF, BinaryOp::And),
    (arith::CeilDivSIOp::DEF, BinaryOp::CeilDiv),
    (arith::CeilDivUIOp::DEF, BinaryOp::CeilDivU),
    (arith::DivFOp::DEF, BinaryOp::Div),
    (arith::DivSIOp::DEF, BinaryOp::Div),
    (arith::DivUIOp::DEF, BinaryOp::DivU),
    (arith::FloorDivSIOp::DEF, BinaryOp::FloorDiv),
    (arith::MaximumFOp::DEF, BinaryOp::Max),
    (arith::MaxNumFOp::DEF, BinaryOp::MaxNum),
    (arith::MaxSIOp::DEF, BinaryOp::Max),
    (arith::MaxUIOp::DEF, BinaryOp::MaxU),
    (arith::MinimumFOp::DEF, BinaryOp::Min),
    (arith::MinNumFOp::DEF, BinaryOp::MinNum),
    (arith::MinSIOp::DEF, BinaryOp::Min),
    (arith::MinUIOp::DEF, BinaryOp::MinU),
    (arith::MulFOp::DEF, BinaryOp::Mul),
    (arith::MulIOp::DEF, BinaryOp::Mul),
    (arith::OrIOp::DEF, BinaryOp::Or),
    (arith::RemFOp::DEF, BinaryOp::Rem),
    (arith::RemSIOp::DEF, BinaryOp::Rem),
    (arith::RemUIOp::DEF, BinaryOp::RemU),
    (arith::ShLIOp::DEF, BinaryOp::Shl),
    (arith::ShRSIOp::DEF, BinaryOp::Shr),
    (arith::ShRUIOp::DEF, BinaryOp::ShrU),
    (arith::SubFOp::DEF, BinaryOp::Sub),
    (arith::SubIOp::DEF, BinaryOp::Sub),
    (arith::XOrIOp::DEF, BinaryOp::Xor),
    (math::Atan2Op::DEF, BinaryOp::Atan2),
    (math::CopySignOp::DEF, BinaryOp::CopySign),
    (math::PowFOp::DEF, BinaryOp::Pow),
];

const UNARY: &[(&OpDef, UnaryOp)] = &[
    (arith::NegFOp::DEF, UnaryOp::Neg),
    (math::AbsFOp::DEF, UnaryOp::Abs),
    (math::AbsIOp::DEF, UnaryOp::Abs),
    (math::AcosOp::DEF, UnaryOp::Acos),
    (math::AsinOp::DEF, UnaryOp::Asin),
    (math::AtanOp::DEF, UnaryOp::Atan),
    (math::CeilOp::DEF, UnaryOp::Ceil),
    (math::CosOp::DEF, UnaryOp::Cos),
    (math::CoshOp::DEF, UnaryOp::Cosh),
    (math::CountLeadingZerosOp::DEF, UnaryOp::LeadingZeros),
    (math::CtPopOp::DEF, UnaryOp::PopCount),
    (math::CountTrailingZerosOp::DEF, UnaryOp::TrailingZeros),
    (math::ExpOp::DEF, UnaryOp::Exp),
    (math::Exp2Op::DEF, UnaryOp::Exp2),
    (math::ExpM1Op::DEF, UnaryOp::ExpM1),
    (math::FloorOp::DEF, UnaryOp::Floor),
    (math::LogOp::DEF, UnaryOp::Log),
    (math::Log10Op::DEF, UnaryOp::Log10),
    (math::Log1pOp::DEF, UnaryOp::Log1P),
    (math::Log2Op::DEF, UnaryOp::Log2),
    (math::RoundOp::DEF, UnaryOp::Round),
    (math::RoundEvenOp::DEF, UnaryOp::RoundEven),
    (math::RsqrtOp::DEF, UnaryOp::Rsqrt),
    (math::SinOp::DEF, UnaryOp::Sin),
    (math::SinhOp::DEF, UnaryOp::Sinh),
    (math::SqrtOp::DEF, UnaryOp::Sqrt),
    (math::TanOp::DEF, UnaryOp::Tan),
    (math::TanhOp::DEF, UnaryOp::Tanh),
    (math::TruncOp::DEF, UnaryOp::Trunc),
];

const CONVERT: &[(&OpDef, Convert)] = &[
    (arith::BitcastOp::DEF, Convert::Bitcast),
    (arith::ExtFOp::DEF, Convert::Signed),
    (arith::ExtSIOp::DEF, Convert::Signed),
    (arith::ExtUIOp::DEF, Convert::Unsigned),
    (arith::FPToSIOp::DEF, Convert::Signed),
    (arith::FPToUIOp::DEF, Convert::Unsigned),
    (arith::IndexCastOp::DEF, Convert::Signed),
    (arith::IndexCastUIOp::DEF, Convert::Unsigned),
    (arith::SIToFPOp::DEF, Convert::Signed),
    (arith::TruncFOp::DEF, Convert::Signed),
    (arith::TruncIOp::DEF, Convert::Signed),
    (arith::UIToFPOp::DEF, Convert::Unsigned),
];

fn find<T: Copy>(table: &[(&OpDef, T)], name: &str) -> Option<T> {
    table
        .binary_search_by_key(&name, |row| row.0.name)
        .ok()
        .map(|index| table[index].1)
}

impl Translator<'_> {
    pub(super) fn scalar_op(&mut self, op: Op, name: &str) -> Translated<()> {
        if self.ir.results(op).any(|result| !self.is_known(result)) {
            return self.refuse(op, "has a result of a type that the host does not know");
        }
        let slot = if let Some(binary) = find(BINARY, name) {
            let (lhs, rhs) = (self.scalar(op, 0)?, self.scalar(op, 1)?);
            self.plan.binary(binary, lhs, rhs)
        } else if let Some(unary) = find(UNARY, name) {
            let source = self.scalar(op, 0)?;
            self.plan.unary(unary, source)
        } else if let Some(convert) = find(CONVERT, name) {
            let source = self.scalar(op, 0)?;
            let to = self.result_elem(op)?;
            self.plan.convert(convert, source, to)
        } else if self.ir.isa::<arith::ConstantOp>(op) {
            self.constant(op)?
        } else if let Some(compare) = self.ir.cast::<arith::CmpIOp>(op) {
            self.compare_integers(compare)?
        } else if let Some(compare) = self.ir.cast::<arith::CmpFOp>(op) {
            self.compare_floats(compare)?
        } else if self.ir.isa::<arith::SelectOp>(op) {
            return self.select(op);
        } else {
            return self.refuse(op, "has no instruction on the host");
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

    fn constant(&mut self, op: Op) -> Translated<Slot> {
        let elem = self.result_elem(op)?;
        let attr = self.ir.attr_named(op, "value");
        let scalar = match attr.map(|attr| self.ir.ctx().attr_kind(attr)) {
            Some(AttrKind::Integer { value, .. }) => Scalar::from_i64(elem, *value as i64),
            Some(AttrKind::Float { bits, .. }) => Scalar::from_bits(elem, *bits as u64),
            _ => return self.refuse(op, "is not a number, so the host does not know it"),
        };
        Ok(self.plan.constant(scalar))
    }

    fn compare_integers(&mut self, op: arith::CmpIOp) -> Translated<Slot> {
        let compare = match op.predicate(self.ir) {
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
        let (lhs, rhs) = (self.scalar(op.op(), 0)?, self.scalar(op.op(), 1)?);
        Ok(self.plan.compare(compare, lhs, rhs))
    }

    /// Each of MLIR's sixteen predicates by comparisons that are false (`Ne`: true) on NaN.
    fn compare_floats(&mut self, op: arith::CmpFOp) -> Translated<Slot> {
        let predicate = op.predicate(self.ir);
        let (lhs, rhs) = (self.scalar(op.op(), 0)?, self.scalar(op.op(), 1)?);
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

    fn select(&mut self, op: Op) -> Translated<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_searching() {
        assert!(BINARY.is_sorted_by_key(|row| row.0.name));
        assert!(UNARY.is_sorted_by_key(|row| row.0.name));
        assert!(CONVERT.is_sorted_by_key(|row| row.0.name));
    }
}

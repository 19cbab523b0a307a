//! Ops on scalars: which instruction each is.

use super::{Buffer, HostValue, Refused, Translated, Translator};
use crate::signature::element_type;
use segra_artifact::plan::{BinaryOp, Compare, Convert, UnaryOp};
use segra_artifact::{ElemType, Scalar, Slot};
use segra_ir::{AttrKind, Op};

const BINARY: &[(&str, BinaryOp)] = &[
    ("arith.addf", BinaryOp::Add),
    ("arith.addi", BinaryOp::Add),
    ("arith.andi", BinaryOp::And),
    ("arith.ceildivsi", BinaryOp::CeilDiv),
    ("arith.ceildivui", BinaryOp::CeilDivU),
    ("arith.divf", BinaryOp::Div),
    ("arith.divsi", BinaryOp::Div),
    ("arith.divui", BinaryOp::DivU),
    ("arith.floordivsi", BinaryOp::FloorDiv),
    ("arith.maximumf", BinaryOp::Max),
    ("arith.maxnumf", BinaryOp::MaxNum),
    ("arith.maxsi", BinaryOp::Max),
    ("arith.maxui", BinaryOp::MaxU),
    ("arith.minimumf", BinaryOp::Min),
    ("arith.minnumf", BinaryOp::MinNum),
    ("arith.minsi", BinaryOp::Min),
    ("arith.minui", BinaryOp::MinU),
    ("arith.mulf", BinaryOp::Mul),
    ("arith.muli", BinaryOp::Mul),
    ("arith.ori", BinaryOp::Or),
    ("arith.remf", BinaryOp::Rem),
    ("arith.remsi", BinaryOp::Rem),
    ("arith.remui", BinaryOp::RemU),
    ("arith.shli", BinaryOp::Shl),
    ("arith.shrsi", BinaryOp::Shr),
    ("arith.shrui", BinaryOp::ShrU),
    ("arith.subf", BinaryOp::Sub),
    ("arith.subi", BinaryOp::Sub),
    ("arith.xori", BinaryOp::Xor),
    ("math.atan2", BinaryOp::Atan2),
    ("math.copysign", BinaryOp::CopySign),
    ("math.powf", BinaryOp::Pow),
];

const UNARY: &[(&str, UnaryOp)] = &[
    ("arith.negf", UnaryOp::Neg),
    ("math.absf", UnaryOp::Abs),
    ("math.absi", UnaryOp::Abs),
    ("math.acos", UnaryOp::Acos),
    ("math.asin", UnaryOp::Asin),
    ("math.atan", UnaryOp::Atan),
    ("math.ceil", UnaryOp::Ceil),
    ("math.cos", UnaryOp::Cos),
    ("math.cosh", UnaryOp::Cosh),
    ("math.ctlz", UnaryOp::LeadingZeros),
    ("math.ctpop", UnaryOp::PopCount),
    ("math.cttz", UnaryOp::TrailingZeros),
    ("math.exp", UnaryOp::Exp),
    ("math.exp2", UnaryOp::Exp2),
    ("math.expm1", UnaryOp::ExpM1),
    ("math.floor", UnaryOp::Floor),
    ("math.log", UnaryOp::Log),
    ("math.log10", UnaryOp::Log10),
    ("math.log1p", UnaryOp::Log1P),
    ("math.log2", UnaryOp::Log2),
    ("math.round", UnaryOp::Round),
    ("math.roundeven", UnaryOp::RoundEven),
    ("math.rsqrt", UnaryOp::Rsqrt),
    ("math.sin", UnaryOp::Sin),
    ("math.sinh", UnaryOp::Sinh),
    ("math.sqrt", UnaryOp::Sqrt),
    ("math.tan", UnaryOp::Tan),
    ("math.tanh", UnaryOp::Tanh),
    ("math.trunc", UnaryOp::Trunc),
];

const CONVERT: &[(&str, Convert)] = &[
    ("arith.bitcast", Convert::Bitcast),
    ("arith.extf", Convert::Signed),
    ("arith.extsi", Convert::Signed),
    ("arith.extui", Convert::Unsigned),
    ("arith.fptosi", Convert::Signed),
    ("arith.fptoui", Convert::Unsigned),
    ("arith.index_cast", Convert::Signed),
    ("arith.index_castui", Convert::Unsigned),
    ("arith.sitofp", Convert::Signed),
    ("arith.truncf", Convert::Signed),
    ("arith.trunci", Convert::Signed),
    ("arith.uitofp", Convert::Unsigned),
];

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table
        .binary_search_by_key(&name, |row| row.0)
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
        } else {
            match name {
                "arith.constant" => self.constant(op)?,
                "arith.cmpi" => self.compare_integers(op)?,
                "arith.cmpf" => self.compare_floats(op)?,
                "arith.select" => return self.select(op),
                _ => return self.refuse(op, "has no instruction on the host"),
            }
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

    fn predicate(&mut self, op: Op) -> Translated<i64> {
        match self
            .ir
            .attr_named(op, "predicate")
            .and_then(|attr| attr.as_i64(self.ir.ctx()))
        {
            Some(predicate) => Ok(predicate),
            None => self.refuse(op, "has no attribute `predicate`"),
        }
    }

    fn compare_integers(&mut self, op: Op) -> Translated<Slot> {
        use Compare::*;
        const BY_NUMBER: [Compare; 10] = [Eq, Ne, Lt, Le, Gt, Ge, LtU, LeU, GtU, GeU];
        let predicate = self.predicate(op)?;
        let (lhs, rhs) = (self.scalar(op, 0)?, self.scalar(op, 1)?);
        match usize::try_from(predicate)
            .ok()
            .and_then(|number| BY_NUMBER.get(number))
        {
            Some(&compare) => Ok(self.plan.compare(compare, lhs, rhs)),
            None => self.refuse(op, "has an unknown predicate"),
        }
    }

    /// Each of MLIR's sixteen predicates by comparisons that are false (`Ne`: true) on NaN.
    fn compare_floats(&mut self, op: Op) -> Translated<Slot> {
        let predicate = self.predicate(op)?;
        let (lhs, rhs) = (self.scalar(op, 0)?, self.scalar(op, 1)?);
        let b = &mut self.plan;
        let slot = match predicate {
            0 => b.constant(Scalar::bool(false)),
            1 => b.compare(Compare::Eq, lhs, rhs),
            2 => b.compare(Compare::Gt, lhs, rhs),
            3 => b.compare(Compare::Ge, lhs, rhs),
            4 => b.compare(Compare::Lt, lhs, rhs),
            5 => b.compare(Compare::Le, lhs, rhs),
            6 => {
                let (different, ordered) = (
                    b.compare(Compare::Ne, lhs, rhs),
                    b.compare(Compare::Ordered, lhs, rhs),
                );
                b.binary(BinaryOp::And, different, ordered)
            }
            7 => b.compare(Compare::Ordered, lhs, rhs),
            8 => {
                let (equal, unordered) = (
                    b.compare(Compare::Eq, lhs, rhs),
                    b.compare(Compare::Unordered, lhs, rhs),
                );
                b.binary(BinaryOp::Or, equal, unordered)
            }
            // Unordered comparisons are the negations of the opposite ordered ones.
            9..=12 => {
                let opposite =
                    [Compare::Le, Compare::Lt, Compare::Ge, Compare::Gt][(predicate - 9) as usize];
                let ordered = b.compare(opposite, lhs, rhs);
                b.unary(UnaryOp::Not, ordered)
            }
            13 => b.compare(Compare::Ne, lhs, rhs),
            14 => b.compare(Compare::Unordered, lhs, rhs),
            15 => b.constant(Scalar::bool(true)),
            _ => return self.refuse(op, "has an unknown predicate"),
        };
        Ok(slot)
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
        assert!(BINARY.is_sorted_by_key(|row| row.0));
        assert!(UNARY.is_sorted_by_key(|row| row.0));
        assert!(CONVERT.is_sorted_by_key(|row| row.0));
    }
}

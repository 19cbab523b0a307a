//! How each op runs on the host: one table. An op that is not in it cannot run on the host.

use super::{Translated, Translator};
use Rule::{Binary, By, Convert, Number, Unary};
use segra_artifact::Slot;
use segra_artifact::plan::{self, BinaryOp, UnaryOp};
use segra_gpu::host;
use segra_ir::{Op, OpDef, OpView};
use segra_kernel::threshold;
use segra_std::{arith, cf, check, func, math, memref, scf};

/// How an op runs on the host.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// An instruction on two numbers.
    Binary(BinaryOp),
    /// An instruction on a number.
    Unary(UnaryOp),
    /// A conversion to the result's type.
    Convert(plan::Convert),
    /// Instructions that give a number.
    Number(fn(&mut Translator<'_>, Op) -> Translated<Slot>),
    /// Anything else.
    By(fn(&mut Translator<'_>, Op) -> Translated<()>),
}

/// The rule of the op of that name.
pub(super) fn rule(name: &str) -> Option<Rule> {
    let found = RULES.binary_search_by_key(&name, |row| row.0.name);
    found.ok().map(|at| RULES[at].1)
}

/// By the ops' names.
const RULES: &[(&OpDef, Rule)] = &[
    (arith::AddFOp::DEF, Binary(BinaryOp::Add)),
    (arith::AddIOp::DEF, Binary(BinaryOp::Add)),
    (arith::AndIOp::DEF, Binary(BinaryOp::And)),
    (arith::BitcastOp::DEF, Convert(plan::Convert::Bitcast)),
    (arith::CeilDivSIOp::DEF, Binary(BinaryOp::CeilDiv)),
    (arith::CeilDivUIOp::DEF, Binary(BinaryOp::CeilDivU)),
    (arith::CmpFOp::DEF, Number(|t, op| t.compare_floats(op))),
    (arith::CmpIOp::DEF, Number(|t, op| t.compare_integers(op))),
    (arith::ConstantOp::DEF, Number(|t, op| t.constant(op))),
    (arith::DivFOp::DEF, Binary(BinaryOp::Div)),
    (arith::DivSIOp::DEF, Binary(BinaryOp::Div)),
    (arith::DivUIOp::DEF, Binary(BinaryOp::DivU)),
    (arith::ExtFOp::DEF, Convert(plan::Convert::Signed)),
    (arith::ExtSIOp::DEF, Convert(plan::Convert::Signed)),
    (arith::ExtUIOp::DEF, Convert(plan::Convert::Unsigned)),
    (arith::FloorDivSIOp::DEF, Binary(BinaryOp::FloorDiv)),
    (arith::FPToSIOp::DEF, Convert(plan::Convert::Signed)),
    (arith::FPToUIOp::DEF, Convert(plan::Convert::Unsigned)),
    (arith::IndexCastOp::DEF, Convert(plan::Convert::Signed)),
    (arith::IndexCastUIOp::DEF, Convert(plan::Convert::Unsigned)),
    (arith::MaximumFOp::DEF, Binary(BinaryOp::Max)),
    (arith::MaxNumFOp::DEF, Binary(BinaryOp::MaxNum)),
    (arith::MaxSIOp::DEF, Binary(BinaryOp::Max)),
    (arith::MaxUIOp::DEF, Binary(BinaryOp::MaxU)),
    (arith::MinimumFOp::DEF, Binary(BinaryOp::Min)),
    (arith::MinNumFOp::DEF, Binary(BinaryOp::MinNum)),
    (arith::MinSIOp::DEF, Binary(BinaryOp::Min)),
    (arith::MinUIOp::DEF, Binary(BinaryOp::MinU)),
    (arith::MulFOp::DEF, Binary(BinaryOp::Mul)),
    (arith::MulIOp::DEF, Binary(BinaryOp::Mul)),
    (arith::NegFOp::DEF, Unary(UnaryOp::Neg)),
    (arith::OrIOp::DEF, Binary(BinaryOp::Or)),
    (arith::RemFOp::DEF, Binary(BinaryOp::Rem)),
    (arith::RemSIOp::DEF, Binary(BinaryOp::Rem)),
    (arith::RemUIOp::DEF, Binary(BinaryOp::RemU)),
    (arith::SelectOp::DEF, By(|t, op| t.select(op))),
    (arith::ShLIOp::DEF, Binary(BinaryOp::Shl)),
    (arith::ShRSIOp::DEF, Binary(BinaryOp::Shr)),
    (arith::ShRUIOp::DEF, Binary(BinaryOp::ShrU)),
    (arith::SIToFPOp::DEF, Convert(plan::Convert::Signed)),
    (arith::SubFOp::DEF, Binary(BinaryOp::Sub)),
    (arith::SubIOp::DEF, Binary(BinaryOp::Sub)),
    (arith::TruncFOp::DEF, Convert(plan::Convert::Signed)),
    (arith::TruncIOp::DEF, Convert(plan::Convert::Signed)),
    (arith::UIToFPOp::DEF, Convert(plan::Convert::Unsigned)),
    (arith::XOrIOp::DEF, Binary(BinaryOp::Xor)),
    (cf::AssertOp::DEF, By(|t, op| t.assertion(op))),
    (check::RequireOp::DEF, By(|t, op| t.requirement(op))),
    (func::CallOp::DEF, By(|t, op| t.call(op))),
    (host::AllocOp::DEF, By(|t, op| t.alloc(op))),
    (host::DeallocOp::DEF, By(|t, op| t.dealloc(op))),
    (host::LaunchFuncOp::DEF, By(|t, op| t.launch(op))),
    (host::MemcpyOp::DEF, By(|t, op| t.copy(op))),
    (host::MemsetOp::DEF, By(|t, op| t.fill(op))),
    (threshold::AtLeastOp::DEF, By(|t, op| t.at_least(op))),
    (math::AbsFOp::DEF, Unary(UnaryOp::Abs)),
    (math::AbsIOp::DEF, Unary(UnaryOp::Abs)),
    (math::AcosOp::DEF, Unary(UnaryOp::Acos)),
    (math::AsinOp::DEF, Unary(UnaryOp::Asin)),
    (math::AtanOp::DEF, Unary(UnaryOp::Atan)),
    (math::Atan2Op::DEF, Binary(BinaryOp::Atan2)),
    (math::CeilOp::DEF, Unary(UnaryOp::Ceil)),
    (math::CopySignOp::DEF, Binary(BinaryOp::CopySign)),
    (math::CosOp::DEF, Unary(UnaryOp::Cos)),
    (math::CoshOp::DEF, Unary(UnaryOp::Cosh)),
    (math::CountLeadingZerosOp::DEF, Unary(UnaryOp::LeadingZeros)),
    (math::CtPopOp::DEF, Unary(UnaryOp::PopCount)),
    (
        math::CountTrailingZerosOp::DEF,
        Unary(UnaryOp::TrailingZeros),
    ),
    (math::ExpOp::DEF, Unary(UnaryOp::Exp)),
    (math::Exp2Op::DEF, Unary(UnaryOp::Exp2)),
    (math::ExpM1Op::DEF, Unary(UnaryOp::ExpM1)),
    (math::FloorOp::DEF, Unary(UnaryOp::Floor)),
    (math::LogOp::DEF, Unary(UnaryOp::Log)),
    (math::Log10Op::DEF, Unary(UnaryOp::Log10)),
    (math::Log1pOp::DEF, Unary(UnaryOp::Log1P)),
    (math::Log2Op::DEF, Unary(UnaryOp::Log2)),
    (math::PowFOp::DEF, Binary(BinaryOp::Pow)),
    (math::RoundOp::DEF, Unary(UnaryOp::Round)),
    (math::RoundEvenOp::DEF, Unary(UnaryOp::RoundEven)),
    (math::RsqrtOp::DEF, Unary(UnaryOp::Rsqrt)),
    (math::SinOp::DEF, Unary(UnaryOp::Sin)),
    (math::SinhOp::DEF, Unary(UnaryOp::Sinh)),
    (math::SqrtOp::DEF, Unary(UnaryOp::Sqrt)),
    (math::TanOp::DEF, Unary(UnaryOp::Tan)),
    (math::TanhOp::DEF, Unary(UnaryOp::Tanh)),
    (math::TruncOp::DEF, Unary(UnaryOp::Trunc)),
    (memref::CastOp::DEF, By(|t, op| t.cast(op))),
    (memref::DimOp::DEF, By(|t, op| t.dim(op))),
    (memref::LoadOp::DEF, Number(|t, op| t.load(op))),
    (
        memref::ReinterpretCastOp::DEF,
        By(|t, op| t.reinterpret_cast(op)),
    ),
    (memref::StoreOp::DEF, By(|t, op| t.store(op))),
    (scf::ForOp::DEF, By(|t, op| t.counted_loop(op))),
    (scf::IfOp::DEF, By(|t, op| t.branch(op))),
    (scf::IndexSwitchOp::DEF, By(|t, op| t.switch(op))),
    (scf::WhileOp::DEF, By(|t, op| t.conditional_loop(op))),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sorted_for_searching() {
        assert!(RULES.is_sorted_by_key(|row| row.0.name));
    }
}

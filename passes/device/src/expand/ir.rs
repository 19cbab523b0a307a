//! Formulas as ops, at a builder's insertion point.

use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare, Unary};
use segra_ir::{Attr, Builder, FloatKind, InsertPoint, OpDef, OpView, Type, TypeKind, Value};
use segra_std::arith::{self, CmpFPredicate, CmpIPredicate};
use segra_std::math;
use segra_std::scf::{IfOp, YieldOp};
use std::cell::RefCell;

/// Emits ops of `arith`, `math` and `scf`.
#[derive(Debug)]
pub struct IrEmitter<'a, 'b> {
    builder: RefCell<&'a mut Builder<'b>>,
}

impl<'a, 'b> IrEmitter<'a, 'b> {
    /// An emitter of ops where `builder` puts them.
    pub fn new(builder: &'a mut Builder<'b>) -> IrEmitter<'a, 'b> {
        IrEmitter {
            builder: RefCell::new(builder),
        }
    }

    fn op(&self, def: &OpDef, operands: &[Value], ty: Type, properties: &[(&str, Attr)]) -> Value {
        let mut b = self.builder.borrow_mut();
        let op = b.insert_op(def, operands, &[ty], properties);
        b.ir.result(op, 0)
    }

    fn constant(&self, make: impl FnOnce(&segra_ir::Context) -> (Attr, Type)) -> Value {
        let (attr, ty) = make(self.builder.borrow().ctx());
        self.op(arith::ConstantOp::DEF, &[], ty, &[("value", attr)])
    }

    fn ty(&self, value: Value) -> Type {
        self.builder.borrow().type_of(value)
    }

    fn types<R>(&self, choose: impl FnOnce(&segra_ir::Context) -> R) -> R {
        choose(self.builder.borrow().ctx())
    }

    /// The insertion point moves to a new detached block while `body` runs; the block and what `body` returned.
    fn block(&self, body: impl FnOnce(&Self) -> Value) -> (segra_ir::Block, Value) {
        let (block, before) = {
            let mut b = self.builder.borrow_mut();
            let block = b.ir.create_block(&[]);
            (
                block,
                std::mem::replace(&mut b.point, InsertPoint::End(block)),
            )
        };
        let value = body(self);
        let mut b = self.builder.borrow_mut();
        YieldOp::build(&mut b, &[value]);
        b.point = before;
        (block, value)
    }
}

impl Emit for IrEmitter<'_, '_> {
    type V = Value;

    fn f(&self, value: f32) -> Value {
        self.constant(|ctx| {
            (
                ctx.float_bits_attr(value.to_bits().into(), ctx.f32()),
                ctx.f32(),
            )
        })
    }
    fn d(&self, value: f64) -> Value {
        self.constant(|ctx| {
            (
                ctx.float_bits_attr(value.to_bits().into(), ctx.f64()),
                ctx.f64(),
            )
        })
    }
    fn i(&self, value: i32) -> Value {
        self.constant(|ctx| (ctx.i32_attr(value), ctx.i32()))
    }
    fn l(&self, value: i64) -> Value {
        self.constant(|ctx| (ctx.i64_attr(value), ctx.i64()))
    }
    fn unary(&self, op: Unary, a: Value) -> Value {
        let def = match op {
            Unary::Neg => arith::NegFOp::DEF,
            Unary::Abs => math::AbsFOp::DEF,
            Unary::Sqrt => math::SqrtOp::DEF,
            Unary::RoundEven => math::RoundEvenOp::DEF,
            Unary::Trunc => math::TruncOp::DEF,
        };
        self.op(def, &[a], self.ty(a), &[])
    }
    fn binary(&self, op: Binary, a: Value, b: Value) -> Value {
        let def = match op {
            Binary::AddF => arith::AddFOp::DEF,
            Binary::SubF => arith::SubFOp::DEF,
            Binary::MulF => arith::MulFOp::DEF,
            Binary::DivF => arith::DivFOp::DEF,
            Binary::CopySign => math::CopySignOp::DEF,
            Binary::AddI => arith::AddIOp::DEF,
            Binary::SubI => arith::SubIOp::DEF,
            Binary::MulI => arith::MulIOp::DEF,
            Binary::DivU => arith::DivUIOp::DEF,
            Binary::And => arith::AndIOp::DEF,
            Binary::Or => arith::OrIOp::DEF,
            Binary::Xor => arith::XOrIOp::DEF,
            Binary::Shl => arith::ShLIOp::DEF,
            Binary::ShrS => arith::ShRSIOp::DEF,
            Binary::ShrU => arith::ShRUIOp::DEF,
        };
        self.op(def, &[a, b], self.ty(a), &[])
    }
    fn fma(&self, a: Value, b: Value, c: Value) -> Value {
        self.op(math::FmaOp::DEF, &[a, b, c], self.ty(a), &[])
    }
    fn cmpf(&self, compare: FloatCompare, a: Value, b: Value) -> Value {
        let predicate = match compare {
            FloatCompare::Oeq => CmpFPredicate::Oeq,
            FloatCompare::Ogt => CmpFPredicate::Ogt,
            FloatCompare::Oge => CmpFPredicate::Oge,
            FloatCompare::Olt => CmpFPredicate::Olt,
            FloatCompare::Uno => CmpFPredicate::Uno,
        };
        let mut builder = self.builder.borrow_mut();
        let predicate = predicate.attr(builder.ctx());
        arith::CmpFOp::build(&mut builder, predicate, a, b).result(builder.ir)
    }
    fn cmpi(&self, compare: IntCompare, a: Value, b: Value) -> Value {
        let predicate = match compare {
            IntCompare::Eq => CmpIPredicate::Eq,
            IntCompare::Ne => CmpIPredicate::Ne,
            IntCompare::Slt => CmpIPredicate::Slt,
        };
        let mut builder = self.builder.borrow_mut();
        let predicate = predicate.attr(builder.ctx());
        arith::CmpIOp::build(&mut builder, predicate, a, b).result(builder.ir)
    }
    fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        self.op(arith::SelectOp::DEF, &[condition, a, b], self.ty(a), &[])
    }
    fn cast(&self, cast: Cast, a: Value) -> Value {
        let from = self.ty(a);
        let wide = self.types(|ctx| match *ctx.type_kind(from) {
            TypeKind::Integer { width, .. } => width == 64,
            TypeKind::Float(kind) => kind == FloatKind::F64,
            _ => false,
        });
        let (def, ty) = self.types(|ctx| match cast {
            Cast::ToBits => (
                arith::BitcastOp::DEF,
                if wide { ctx.i64() } else { ctx.i32() },
            ),
            Cast::FromBits => (
                arith::BitcastOp::DEF,
                if wide { ctx.f64() } else { ctx.f32() },
            ),
            Cast::Widen => (arith::ExtFOp::DEF, ctx.f64()),
            Cast::Narrow => (arith::TruncFOp::DEF, ctx.f32()),
            Cast::IntToF32 => (arith::SIToFPOp::DEF, ctx.f32()),
            Cast::IntToF64 => (arith::SIToFPOp::DEF, ctx.f64()),
            Cast::SignExtend => (arith::ExtSIOp::DEF, ctx.i64()),
            Cast::ZeroExtend => (arith::ExtUIOp::DEF, ctx.i64()),
            Cast::Truncate => (arith::TruncIOp::DEF, ctx.i32()),
        });
        self.op(def, &[a], ty, &[])
    }
    fn branch(
        &self,
        condition: Value,
        then: impl FnOnce(&Self) -> Value,
        otherwise: impl FnOnce(&Self) -> Value,
    ) -> Value {
        let (then_block, value) = self.block(then);
        let (else_block, _) = self.block(otherwise);
        let mut b = self.builder.borrow_mut();
        let ty = b.type_of(value);
        let op = IfOp::build(&mut b, condition, &[ty]).op();
        for (index, block) in [then_block, else_block].into_iter().enumerate() {
            let region = b.ir.region(op, index);
            b.ir.append_block(region, block);
        }
        b.ir.result(op, 0)
    }
}

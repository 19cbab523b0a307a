//! Formulas as ops, at a builder's insertion point.

use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare, Unary};
use segra_ir::{Attr, Builder, FloatKind, InsertPoint, OpState, Type, TypeKind, Value};
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

    fn op(&self, name: &str, operands: &[Value], ty: Type, properties: &[(&str, Attr)]) -> Value {
        let mut b = self.builder.borrow_mut();
        let ctx = b.ir.context();
        let mut state = OpState::new(ctx.op_name(name), b.loc);
        state.operands.extend_from_slice(operands);
        state.result_types.push(ty);
        state.properties.extend(
            properties
                .iter()
                .map(|&(name, attr)| (ctx.ident(name), attr)),
        );
        let op = b.insert(state);
        b.ir.result(op, 0)
    }

    fn constant(&self, make: impl FnOnce(&segra_ir::Context) -> (Attr, Type)) -> Value {
        let (attr, ty) = make(self.builder.borrow().ctx());
        self.op("arith.constant", &[], ty, &[("value", attr)])
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
        let mut end = OpState::new(b.ctx().op_name("scf.yield"), b.loc);
        end.operands.push(value);
        b.insert(end);
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
        let name = match op {
            Unary::Neg => "arith.negf",
            Unary::Abs => "math.absf",
            Unary::Sqrt => "math.sqrt",
            Unary::RoundEven => "math.roundeven",
            Unary::Trunc => "math.trunc",
        };
        self.op(name, &[a], self.ty(a), &[])
    }
    fn binary(&self, op: Binary, a: Value, b: Value) -> Value {
        let name = match op {
            Binary::AddF => "arith.addf",
            Binary::SubF => "arith.subf",
            Binary::MulF => "arith.mulf",
            Binary::DivF => "arith.divf",
            Binary::CopySign => "math.copysign",
            Binary::AddI => "arith.addi",
            Binary::SubI => "arith.subi",
            Binary::MulI => "arith.muli",
            Binary::DivU => "arith.divui",
            Binary::And => "arith.andi",
            Binary::Or => "arith.ori",
            Binary::Xor => "arith.xori",
            Binary::Shl => "arith.shli",
            Binary::ShrS => "arith.shrsi",
            Binary::ShrU => "arith.shrui",
        };
        self.op(name, &[a, b], self.ty(a), &[])
    }
    fn fma(&self, a: Value, b: Value, c: Value) -> Value {
        self.op("math.fma", &[a, b, c], self.ty(a), &[])
    }
    fn cmpf(&self, compare: FloatCompare, a: Value, b: Value) -> Value {
        // MLIR's numbers of the predicates.
        let predicate = match compare {
            FloatCompare::Oeq => 1,
            FloatCompare::Ogt => 2,
            FloatCompare::Oge => 3,
            FloatCompare::Olt => 4,
            FloatCompare::Uno => 14,
        };
        let (predicate, ty) = self.types(|ctx| (ctx.i64_attr(predicate), ctx.i1()));
        self.op("arith.cmpf", &[a, b], ty, &[("predicate", predicate)])
    }
    fn cmpi(&self, compare: IntCompare, a: Value, b: Value) -> Value {
        let predicate = match compare {
            IntCompare::Eq => 0,
            IntCompare::Ne => 1,
            IntCompare::Slt => 2,
        };
        let (predicate, ty) = self.types(|ctx| (ctx.i64_attr(predicate), ctx.i1()));
        self.op("arith.cmpi", &[a, b], ty, &[("predicate", predicate)])
    }
    fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        self.op("arith.select", &[condition, a, b], self.ty(a), &[])
    }
    fn cast(&self, cast: Cast, a: Value) -> Value {
        let from = self.ty(a);
        let wide = self.types(|ctx| match *ctx.type_kind(from) {
            TypeKind::Integer { width, .. } => width == 64,
            TypeKind::Float(kind) => kind == FloatKind::F64,
            _ => false,
        });
        let (name, ty) = self.types(|ctx| match cast {
            Cast::ToBits => ("arith.bitcast", if wide { ctx.i64() } else { ctx.i32() }),
            Cast::FromBits => ("arith.bitcast", if wide { ctx.f64() } else { ctx.f32() }),
            Cast::Widen => ("arith.extf", ctx.f64()),
            Cast::Narrow => ("arith.truncf", ctx.f32()),
            Cast::IntToF32 => ("arith.sitofp", ctx.f32()),
            Cast::IntToF64 => ("arith.sitofp", ctx.f64()),
            Cast::SignExtend => ("arith.extsi", ctx.i64()),
            Cast::ZeroExtend => ("arith.extui", ctx.i64()),
            Cast::Truncate => ("arith.trunci", ctx.i32()),
        });
        self.op(name, &[a], ty, &[])
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
        let mut state = OpState::new(b.ctx().op_name("scf.if"), b.loc);
        state.operands.push(condition);
        state.result_types.push(b.type_of(value));
        state.regions = 2;
        let op = b.insert(state);
        for (index, block) in [then_block, else_block].into_iter().enumerate() {
            let region = b.ir.region(op, index);
            b.ir.append_block(region, block);
        }
        b.ir.result(op, 0)
    }
}

//! Index expressions of `crates/space` as ops: one per node, each once, operands first.

use super::index::{add, cmp, constant, mul, sub};
use super::{
    AndIOp, CeilDivSIOp, CmpIPredicate, ConstantOp, DivUIOp, FloorDivSIOp, MaxSIOp, MinSIOp, OrIOp,
    RemUIOp, SelectOp, XOrIOp,
};
use rustc_hash::FxHashMap;
use segra_ir::{Builder, Value};
use segra_space::{Arena, BinaryOp, Expr, Node, Symbol};

/// Emits expressions over `symbols`, which must have a value for every symbol in them.
pub fn emit(
    b: &mut Builder<'_>,
    arena: &Arena,
    roots: &[Expr],
    symbols: &FxHashMap<Symbol, Value>,
) -> Vec<Value> {
    let mut values: FxHashMap<Expr, Value> = FxHashMap::default();
    for expr in arena.topological(roots) {
        let value = match arena.node(expr) {
            Node::Int(value) => constant(b, value),
            Node::Bool(value) => boolean(b, value),
            Node::Symbol(symbol) => symbols[&symbol],
            Node::Not(a) => {
                let all = boolean(b, true);
                XOrIOp::build(b, values[&a], all).result(b.ir)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => SelectOp::build(b, values[&condition], values[&then], values[&otherwise])
                .result(b.ir),
            Node::Binary(op, x, y) => {
                let unsigned = arena.range(x).is_non_negative() && arena.range(y).is_non_negative();
                binary(b, op, values[&x], values[&y], unsigned)
            }
        };
        values.insert(expr, value);
    }
    roots.iter().map(|root| values[root]).collect()
}

fn boolean(b: &mut Builder<'_>, value: bool) -> Value {
    let attr = b.ctx().bool_attr(value);
    ConstantOp::build(b, attr).result(b.ir)
}

fn binary(b: &mut Builder<'_>, op: BinaryOp, x: Value, y: Value, unsigned: bool) -> Value {
    match op {
        BinaryOp::Add => add(b, x, y),
        BinaryOp::Sub => sub(b, x, y),
        BinaryOp::Mul => mul(b, x, y),
        BinaryOp::FloorDiv if unsigned => DivUIOp::build(b, x, y).result(b.ir),
        BinaryOp::FloorDiv => FloorDivSIOp::build(b, x, y).result(b.ir),
        BinaryOp::CeilDiv if unsigned => {
            let one = constant(b, 1);
            let last = sub(b, y, one);
            let up = add(b, x, last);
            DivUIOp::build(b, up, y).result(b.ir)
        }
        BinaryOp::CeilDiv => CeilDivSIOp::build(b, x, y).result(b.ir),
        BinaryOp::Mod if unsigned => RemUIOp::build(b, x, y).result(b.ir),
        BinaryOp::Mod => {
            let quotient = FloorDivSIOp::build(b, x, y).result(b.ir);
            let whole = mul(b, quotient, y);
            sub(b, x, whole)
        }
        BinaryOp::Min => MinSIOp::build(b, x, y).result(b.ir),
        BinaryOp::Max => MaxSIOp::build(b, x, y).result(b.ir),
        BinaryOp::Equal => cmp(b, CmpIPredicate::Eq, x, y),
        BinaryOp::NotEqual => cmp(b, CmpIPredicate::Ne, x, y),
        BinaryOp::Less => cmp(b, CmpIPredicate::Slt, x, y),
        BinaryOp::LessEqual => cmp(b, CmpIPredicate::Sle, x, y),
        BinaryOp::And => AndIOp::build(b, x, y).result(b.ir),
        BinaryOp::Or => OrIOp::build(b, x, y).result(b.ir),
    }
}

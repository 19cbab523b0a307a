//! Index expressions of `crates/space` as ops: one per node, each once, operands first.

use super::index::{add, cmp, constant, mul, sub};
use super::{
    AndIOp, CeilDivSIOp, CmpIPredicate, ConstantOp, DivUIOp, FloorDivSIOp, MaxSIOp, MinSIOp, OrIOp,
    RemUIOp, SelectOp, XOrIOp,
};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Builder, Value};
use segra_space::{Arena, BinaryOp, Combinator, Descriptor, Expr, Interval, Node, Symbol};

/// Values of expressions: symbols at first, then what is emitted.
pub type Known = FxHashMap<Expr, Value>;

/// Emits expressions over `symbols`, which must have a value for every symbol in them.
pub fn emit(
    b: &mut Builder<'_>,
    arena: &Arena,
    roots: &[Expr],
    symbols: &FxHashMap<Symbol, Value>,
) -> Vec<Value> {
    let mut known: Known = symbols
        .iter()
        .map(|(&symbol, &value)| (arena.symbol_expr(symbol), value))
        .collect();
    emit_unknown(b, arena, roots, &mut known);
    roots.iter().map(|root| known[root]).collect()
}

/// Emits what expressions need beyond what is known, which then is known, too; symbols that are needed must be known.
pub fn emit_unknown(b: &mut Builder<'_>, arena: &Arena, roots: &[Expr], known: &mut Known) {
    let order = arena.topological(roots);
    let needed = unknown(arena, roots, known);
    for expr in order.into_iter().filter(|expr| needed.contains(expr)) {
        let value = match arena.node(expr) {
            Node::Int(value) => constant(b, value),
            Node::Bool(value) => boolean(b, value),
            // The caller's to know; an expression that needs it would be no use without.
            Node::Symbol(_) => continue,
            Node::Not(a) => {
                let all = boolean(b, true);
                XOrIOp::build(b, known[&a], all).result(b.ir)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                SelectOp::build(b, known[&condition], known[&then], known[&otherwise]).result(b.ir)
            }
            Node::Binary(op, x, y) => {
                let unsigned = arena.range(x).is_non_negative() && arena.range(y).is_non_negative();
                binary(b, op, known[&x], known[&y], unsigned)
            }
        };
        known.insert(expr, value);
    }
}

/// The row-major number of the point at these indices in a space of these extents, or of the first point whose indices begin
/// with them: `((i0 * n1 + i1) * n2 + i2) ...`. The first extent is not asked for; indices go on in one that is not given.
pub fn linear_index(b: &mut Builder<'_>, indices: &[Value], extents: &[Option<Value>]) -> Value {
    let Some((&first, rest)) = indices.split_first() else {
        return constant(b, 0);
    };
    let mut linear = first;
    for (index, extent) in rest.iter().zip(extents.iter().skip(1)) {
        let scaled = match extent {
            Some(extent) => mul(b, linear, *extent),
            None => linear,
        };
        linear = add(b, scaled, *index);
    }
    linear
}

/// The indices of the point with this row-major number in a space of these extents: the inverse of [`linear_index`].
pub fn unfold(b: &mut Builder<'_>, extents: &[Value], number: Value) -> Vec<Value> {
    if extents.is_empty() {
        return Vec::new();
    }
    let mut arena = Arena::new();
    let mut known = Known::default();
    let mut symbol = |arena: &mut Arena, name: String, value: Value| {
        let expr = arena.symbol(&name, Interval::NON_NEGATIVE);
        known.insert(expr, value);
        expr
    };
    let mut shape = Vec::new();
    for (dim, &extent) in extents.iter().enumerate() {
        shape.push(symbol(&mut arena, format!("n{dim}"), extent));
    }
    let linear = symbol(&mut arena, "number".to_owned(), number);
    // The outer dimensions first: an index is a quotient by its own extent then, not by a product of extents.
    let outer = Combinator::Fold(0);
    let mut stages = vec![Descriptor::of_shape(&mut arena, &shape)];
    for _ in 1..extents.len() {
        let folded = outer.apply(&mut arena, &stages[stages.len() - 1]);
        stages.push(folded.expect("a dense space can be folded"));
    }
    stages.pop();
    let mut indices = vec![linear];
    for stage in stages.iter().rev() {
        let inverse = outer.invert(&mut arena, stage, &indices);
        indices = inverse.expect("a dense space can be folded").indices;
    }
    emit_unknown(b, &arena, &indices, &mut known);
    indices.iter().map(|index| known[index]).collect()
}

/// The parts of expressions, themselves included, that are needed beyond what is known.
pub fn unknown(arena: &Arena, roots: &[Expr], known: &Known) -> FxHashSet<Expr> {
    let is_open = |expr: &Expr| !known.contains_key(expr);
    let mut needed: FxHashSet<Expr> = roots.iter().copied().filter(is_open).collect();
    for expr in arena.topological(roots).into_iter().rev() {
        if needed.contains(&expr) {
            needed.extend(arena.node(expr).operands().into_iter().filter(is_open));
        }
    }
    needed
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

//! Affine maps and integer sets as text, in MLIR's pretty form (`d0 - s0 * 3`).

use super::data::push_unsigned;
use segra_ir::attrs::{AffineExpr, AffineMap, IntegerSet};

/// `(d0, d1)[s0] -> (d0 + s0, d1)`
pub(super) fn write_map(out: &mut String, map: &AffineMap) {
    write_space(out, map.dims, map.symbols);
    out.push_str(" -> (");
    for (index, expr) in map.results.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_expr(out, expr, Binding::Weak);
    }
    out.push(')');
}

/// `(d0)[s0] : (d0 - 1 >= 0, d0 - s0 == 0)`
pub(super) fn write_set(out: &mut String, set: &IntegerSet) {
    write_space(out, set.dims, set.symbols);
    out.push_str(" : (");
    for (index, (expr, is_equality)) in set.constraints.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_expr(out, expr, Binding::Weak);
        out.push_str(if *is_equality { " == 0" } else { " >= 0" });
    }
    out.push(')');
}

fn write_space(out: &mut String, dims: u32, symbols: u32) {
    let names = |out: &mut String, prefix: char, count: u32| {
        for index in 0..count {
            if index > 0 {
                out.push_str(", ");
            }
            write_name(out, prefix, index);
        }
    };
    out.push('(');
    names(out, 'd', dims);
    out.push(')');
    if symbols > 0 {
        out.push('[');
        names(out, 's', symbols);
        out.push(']');
    }
}

fn write_name(out: &mut String, prefix: char, index: u32) {
    out.push(prefix);
    push_unsigned(out, index.into());
}

/// Whether the surroundings bind tighter than a sum or product, so that it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    Weak,
    Strong,
}

fn write_expr(out: &mut String, expr: &AffineExpr, around: Binding) {
    match expr {
        AffineExpr::Dim(index) => write_name(out, 'd', *index),
        AffineExpr::Symbol(index) => write_name(out, 's', *index),
        AffineExpr::Constant(value) => out.push_str(&value.to_string()),
        _ => write_compound(out, expr, around),
    }
}

fn write_compound(out: &mut String, expr: &AffineExpr, around: Binding) {
    let binary = match expr {
        AffineExpr::Mul(parts) => Some((parts, " * ")),
        AffineExpr::FloorDiv(parts) => Some((parts, " floordiv ")),
        AffineExpr::CeilDiv(parts) => Some((parts, " ceildiv ")),
        AffineExpr::Mod(parts) => Some((parts, " mod ")),
        _ => None,
    };
    if around == Binding::Strong {
        out.push('(');
    }
    match (binary, expr) {
        (Some((parts, _)), AffineExpr::Mul(_)) if parts.1 == AffineExpr::Constant(-1) => {
            out.push('-');
            write_expr(out, &parts.0, Binding::Strong);
        }
        (Some((parts, spelling)), _) => {
            write_expr(out, &parts.0, Binding::Strong);
            out.push_str(spelling);
            write_expr(out, &parts.1, Binding::Strong);
        }
        (None, AffineExpr::Add(parts)) => write_sum(out, &parts.0, &parts.1),
        (None, _) => {}
    }
    if around == Binding::Strong {
        out.push(')');
    }
}

/// A sum, as a difference where the right side is negative.
fn write_sum(out: &mut String, left: &AffineExpr, right: &AffineExpr) {
    write_expr(out, left, Binding::Weak);
    if let AffineExpr::Mul(parts) = right
        && let AffineExpr::Constant(factor @ ..=-1) = parts.1
    {
        out.push_str(" - ");
        if factor == -1 {
            let sum = matches!(parts.0, AffineExpr::Add(_));
            write_expr(
                out,
                &parts.0,
                if sum { Binding::Strong } else { Binding::Weak },
            );
        } else {
            write_expr(out, &parts.0, Binding::Strong);
            out.push_str(" * ");
            push_unsigned(out, factor.unsigned_abs());
        }
        return;
    }
    if let AffineExpr::Constant(value @ ..=-1) = right {
        out.push_str(" - ");
        push_unsigned(out, value.unsigned_abs());
        return;
    }
    out.push_str(" + ");
    write_expr(out, right, Binding::Weak);
}

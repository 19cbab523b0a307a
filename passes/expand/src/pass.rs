//! Pass `expand-math`: replaces math ops inside device modules.
//!
//! ```mlir
//! %y = math.tanh %x : f32      ==>      arith, math.fma, math.copysign, ...
//! ```
//! With `fastmath<afn>` on the op, f32 functions the hardware approximates become those approximations (`exp2`, `log2`,
//! `rsqrt` stay, `exp`, `log`, `log10` are scaled): about 2 to 4 ulp instead of the accuracy the crate states, and
//! not the same bits on every device.
//!
//! Legality: scalar f32, f64 (few functions), f16 and bf16 (through f32). Everything else is an error at the op.

use crate::emit::{Emit, Unary};
use crate::functions::{f32_binary, f32_unary, f64_binary, f64_unary};
use crate::ir::IrEmitter;
use segra_ir::{Builder, Diagnostics, FloatKind, Ir, Op, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassFailure, PassInfo, PassResult};

/// Math ops with an exact instruction (or a short exact sequence) on every device; they stay.
pub const NATIVE: &[&str] = &[
    "math.absf",
    "math.absi",
    "math.ceil",
    "math.copysign",
    "math.ctlz",
    "math.ctpop",
    "math.cttz",
    "math.floor",
    "math.fma",
    "math.isfinite",
    "math.isinf",
    "math.isnan",
    "math.isnormal",
    "math.round",
    "math.roundeven",
    "math.sqrt",
    "math.trunc",
];

/// Approximated by the hardware; they stay where the op allows approximation.
pub const APPROXIMATE: &[&str] = &["math.exp2", "math.log2", "math.rsqrt"];

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct ExpandMath {}
}

impl Pass for ExpandMath {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "expand-math",
            summary: "Expands math functions without an exact instruction into arithmetic.",
            reads: &["math"],
            writes: &["arith", "math", "scf"],
            anchors: Anchors::Ops(&["func.func", "gpu.func", "gpu.module"]),
        }
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let count = expand(ir, op, cx.diags()).ok_or(PassFailure)?;
        cx.count("expanded", count);
        Ok(Outcome::of(Changed::when(count > 0)))
    }
}

/// Expands every math op inside `root`; the number of them, or `None` with an error for each that cannot be.
pub fn expand(ir: &mut Ir, root: Op, diags: &mut Diagnostics) -> Option<u64> {
    let ctx = ir.context();
    let found: Vec<(Op, &str)> = ir
        .walk(root)
        .into_iter()
        .filter_map(|op| {
            let name = ctx.op_name_str(ir.op_name(op));
            (name.starts_with("math.") && !NATIVE.contains(&name)).then_some((op, name))
        })
        .collect();
    let (mut count, mut failed) = (0, false);
    for (op, name) in found {
        let precision = precision(ir, op);
        if precision == Precision::Approximate && APPROXIMATE.contains(&name) && is_f32(ir, op) {
            continue;
        }
        match expand_op(ir, op, name.trim_start_matches("math."), precision) {
            Some(value) => {
                ir.replace_op(op, &[value]);
                count += 1;
            }
            None => {
                let types: Vec<String> = ir
                    .operands(op)
                    .map(|value| segra_ir::text::print_type(&ctx, ir.value_type(value)))
                    .collect();
                let types = types.join(", ");
                diags.op_error(ir, op, format!("on {types} has neither an instruction nor an expansion"));
                failed = true;
            }
        }
    }
    (!failed).then_some(count)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Accurate,
    /// The op allows approximate functions.
    Approximate,
}

fn precision(ir: &Ir, op: Op) -> Precision {
    let flags = ir.attr_named(op, "fastmath").map(|attr| segra_ir::text::print_attr(ir.ctx(), attr));
    let approximate = flags.is_some_and(|text| {
        let flags = text.split(|c: char| !c.is_alphanumeric());
        flags.into_iter().any(|flag| flag == "afn" || flag == "fast")
    });
    if approximate { Precision::Approximate } else { Precision::Accurate }
}

fn is_f32(ir: &Ir, op: Op) -> bool {
    ir.operands(op).next().is_some_and(|value| ir.value_type(value) == ir.ctx().f32())
}

/// The ops that compute what `op` does, right before it; `None` where there is no formula (then nothing is emitted).
fn expand_op(ir: &mut Ir, op: Op, name: &str, precision: Precision) -> Option<Value> {
    let ctx = ir.context();
    let operands: Vec<Value> = ir.operands(op).collect();
    let ty = ir.value_type(*operands.first()?);
    let kind = ty.float_kind(&ctx)?;
    if ir.num_results(op) != 1 || operands.iter().any(|&operand| ir.value_type(operand) != ty) {
        return None;
    }
    let mut b = Builder::before(ir, op);
    if !matches!(kind, FloatKind::F16 | FloatKind::BF16) {
        return formula(&mut b, name, kind, &operands, precision);
    }
    if !has_formula(name, operands.len()) {
        return None;
    }
    let wide: Vec<Value> =
        operands.iter().map(|&operand| insert_unary(&mut b, "arith.extf", operand, ctx.f32())).collect();
    let value = formula(&mut b, name, FloatKind::F32, &wide, precision)?;
    Some(insert_unary(&mut b, "arith.truncf", value, ty))
}

fn insert_unary(b: &mut Builder<'_>, name: &str, value: Value, ty: segra_ir::Type) -> Value {
    let mut state = segra_ir::OpState::new(b.ctx().op_name(name), b.loc);
    state.operands.push(value);
    state.result_types.push(ty);
    let op = b.insert(state);
    b.ir.result(op, 0)
}

fn has_formula(name: &str, operands: usize) -> bool {
    match operands {
        1 => name == "rsqrt" || crate::F32_UNARY.contains(&name),
        2 => crate::F32_BINARY.contains(&name),
        _ => false,
    }
}

fn formula(
    b: &mut Builder<'_>,
    name: &str,
    kind: FloatKind,
    operands: &[Value],
    precision: Precision,
) -> Option<Value> {
    if kind == FloatKind::F32
        && precision == Precision::Approximate
        && let Some(value) = scaled(b, name, operands)
    {
        return Some(value);
    }
    let e = IrEmitter::new(b);
    match (kind, operands) {
        (FloatKind::F32, &[x]) if name == "rsqrt" => Some(e.div(e.f(1.0), e.unary(Unary::Sqrt, x))),
        (FloatKind::F64, &[x]) if name == "rsqrt" => Some(e.div(e.d(1.0), e.unary(Unary::Sqrt, x))),
        (FloatKind::F32, &[x]) => f32_unary(&e, name, x),
        (FloatKind::F32, &[x, y]) => f32_binary(&e, name, x, y),
        (FloatKind::F64, &[x]) => f64_unary(&e, name, x),
        (FloatKind::F64, &[x, y]) => f64_binary(&e, name, x, y),
        _ => None,
    }
}

/// `exp`, `log` and `log10` by the hardware's base-2 approximations, which were not there when ops were collected.
fn scaled(b: &mut Builder<'_>, name: &str, operands: &[Value]) -> Option<Value> {
    let &[x] = operands else { return None };
    let f32_type = b.ctx().f32();
    let product = |b: &mut Builder<'_>, x: Value, factor: f32| {
        let e = IrEmitter::new(b);
        e.mul(x, e.f(factor))
    };
    match name {
        "exp" => {
            let scaled = product(b, x, std::f32::consts::LOG2_E);
            Some(insert_unary(b, "math.exp2", scaled, f32_type))
        }
        "log" | "log10" => {
            let log = insert_unary(b, "math.log2", x, f32_type);
            let factor = if name == "log" { std::f32::consts::LN_2 } else { std::f32::consts::LOG10_2 };
            Some(product(b, log, factor))
        }
        _ => None,
    }
}

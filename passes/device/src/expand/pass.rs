//! Pass `expand-math`: replaces math ops inside device modules.
//!
//! ```mlir
//! %y = math.tanh %x : f32      ==>      arith, math.fma, math.copysign, ...
//! ```
//! With `fastmath<afn>` on the op, f32 functions the hardware approximates become those approximations (`exp2`, `log2`,
//! `rsqrt` stay, `exp`, `log`, `log10` are scaled): about 2 to 4 ulp instead of the accuracy the crate states, and
//! not the same bits on every device.
//!
//! With `functions=library` what CUDA's device library has stays as it is, for a compiler that is given the library.
//!
//! Legality: scalar f32, f64 (few functions), f16 and bf16 (through f32). Everything else is an error at the op.

use crate::expand::emit::{Emit, Unary};
use crate::expand::eval::Evaluator;
use crate::expand::functions::{f32_binary, f32_unary, f64_binary, f64_unary, formula};
use crate::expand::ir::IrEmitter;
use segra_gpu::{device, host};
use segra_ir::{Attr, Builder, FloatKind, Ir, Op, OpDef, OpView, Type, Value};
use segra_pass::conversion::{
    Conversion, ConversionConfig, ConversionPattern, ConversionPatterns, ConversionRewriter,
    ConversionTarget, Decline, convert,
};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{ExtFOp, TruncFOp};
use segra_std::func;
use segra_std::math::{Exp2Op, ExpOp, Log2Op, Log10Op, LogOp, Provided, Provider, RsqrtOp};

segra_pass::option_enum! {
    /// Where functions without an instruction come from.
    pub enum Functions {
        /// They become arithmetic.
        Own = "own",
        /// Those that CUDA's device library has stay, and are linked from it; the others become arithmetic.
        Library = "library",
    }
}

segra_pass::pass_options! {
    /// The pass `expand-math`.
    pub struct ExpandMath {
        /// Where functions without an instruction come from.
        pub functions: Functions = Functions::Own,
    }
}

const INFO: PassInfo = PassInfo {
    name: "expand-math",
    summary: "Expands math functions without an exact instruction into arithmetic.",
    reads: &["math"],
    writes: &["arith", "math", "scf"],
    anchors: Anchors::Ops(&[
        func::FuncOp::DEF.name,
        device::GpuFuncOp::DEF.name,
        host::GpuModuleOp::DEF.name,
    ]),
};

impl Pass for ExpandMath {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let ctx = ir.context();
        let functions = self.functions;
        let target = ConversionTarget::new()
            .dynamic_dialects(&["math"], move |ir, op| Some(stays(ir, op, functions)));
        let mut patterns = ConversionPatterns::new();
        patterns.add(&ctx, Expand);
        let conversion = Conversion {
            target: &target,
            patterns: &patterns,
            config: ConversionConfig::default(),
        };
        let done = convert(ir, op, &conversion, cx.diags())?;
        cx.count("expanded", done.converted);
        Ok(Outcome::of(Changed::when(done.converted > 0)))
    }
}

/// Replaces a math function by what computes it.
struct Expand;

impl ConversionPattern for Expand {
    fn name(&self) -> &'static str {
        "expand"
    }
    fn root(&self) -> Option<&str> {
        None
    }
    fn convert(
        &self,
        rewriter: &mut ConversionRewriter<'_>,
        op: Op,
        operands: &[Vec<Value>],
    ) -> Result<(), Decline> {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let name = ctx.op_name_str(ir.op_name(op));
        let operands = operands.concat();
        let (precision, provided) = (precision(ir, op), provider(ir, op));
        let one_result = ir.num_results(op) == 1;
        let types: Vec<Type> = operands.iter().map(|&value| ir.value_type(value)).collect();
        let value = rewriter
            .build(op, |b| expand_op(b, name, &operands, precision))
            .filter(|_| one_result);
        match value {
            Some(value) => {
                rewriter.replace_with(op, &[value]);
                Ok(())
            }
            None => {
                let types: Vec<String> = types
                    .iter()
                    .map(|&ty| segra_text::print_type(&ctx, ty))
                    .collect();
                let library = match provided {
                    Some(Provider::Library | Provider::Approximation) => {
                        "; CUDA's device library has it (functions=library)"
                    }
                    Some(Provider::Instruction) | None => "",
                };
                let types = types.join(", ");
                Err(
                    format!("on {types} there is neither an instruction nor an expansion{library}")
                        .into(),
                )
            }
        }
    }
}

/// Whether a function is left to the device or its library.
fn stays(ir: &Ir, op: Op, functions: Functions) -> bool {
    let approximate = precision(ir, op) != Precision::Accurate && is_f32(ir, op);
    let library = functions == Functions::Library && is_scalar_float(ir, op);
    match provider(ir, op) {
        Some(Provider::Instruction) => true,
        Some(Provider::Approximation) => approximate || library,
        Some(Provider::Library) => library && !approximate,
        None => false,
    }
}

/// A device's provider of a function.
fn provider(ir: &Ir, op: Op) -> Option<Provider> {
    Some(ir.interface::<dyn Provided>(op)?.provider())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Accurate,
    /// The op allows approximate functions, by these flags.
    Approximate(Attr),
}

fn precision(ir: &Ir, op: Op) -> Precision {
    let Some(flags) = ir.attr_named(op, "fastmath") else {
        return Precision::Accurate;
    };
    let text = segra_text::print_attr(ir.ctx(), flags);
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    if words.any(|flag| flag == "afn" || flag == "fast") {
        Precision::Approximate(flags)
    } else {
        Precision::Accurate
    }
}

fn is_scalar_float(ir: &Ir, op: Op) -> bool {
    let mut results = ir.results(op);
    results.all(|value| {
        let ty = ir.value_type(value);
        ty.is_float(ir.ctx()) && ty.is_scalar(ir.ctx())
    })
}

fn is_f32(ir: &Ir, op: Op) -> bool {
    ir.operands(op)
        .next()
        .is_some_and(|value| ir.value_type(value) == ir.ctx().f32())
}

/// The ops that compute a function; `None` where there is no formula.
fn expand_op(
    b: &mut Builder<'_>,
    name: &str,
    operands: &[Value],
    precision: Precision,
) -> Option<Value> {
    let ctx = b.ir.context();
    let ty = b.type_of(*operands.first()?);
    let kind = ty.float_kind(&ctx)?;
    if operands.iter().any(|&operand| b.type_of(operand) != ty) {
        return None;
    }
    if !matches!(kind, FloatKind::F16 | FloatKind::BF16) {
        return computed(b, name, kind, operands, precision);
    }
    if !has_formula(name, operands.len()) {
        return None;
    }
    let wide: Vec<Value> = operands
        .iter()
        .map(|&operand| ExtFOp::build(b, operand, ctx.f32()).out(b.ir))
        .collect();
    let value = computed(b, name, FloatKind::F32, &wide, precision)?;
    Some(TruncFOp::build(b, value, ty).out(b.ir))
}

/// A function that may be approximated, as the op it stands for.
fn insert_approximate(b: &mut Builder<'_>, def: &OpDef, value: Value, flags: Attr) -> Value {
    let ty = b.type_of(value);
    let made = b.insert_op(def, &[value], &[ty], &[("fastmath", flags)]);
    b.ir.result(made, 0)
}

fn has_formula(name: &str, operands: usize) -> bool {
    match operands {
        1 => name == RsqrtOp::DEF.name || formula(&f32_unary::<Evaluator>(), name).is_some(),
        2 => formula(&f32_binary::<Evaluator>(), name).is_some(),
        _ => false,
    }
}

fn computed(
    b: &mut Builder<'_>,
    name: &str,
    kind: FloatKind,
    operands: &[Value],
    precision: Precision,
) -> Option<Value> {
    if kind == FloatKind::F32
        && let Precision::Approximate(flags) = precision
        && let Some(value) = scaled(b, name, operands, flags)
    {
        return Some(value);
    }
    let e = IrEmitter::new(b);
    Some(match (kind, operands) {
        (FloatKind::F32 | FloatKind::F64, &[x]) if name == RsqrtOp::DEF.name => {
            let one = if kind == FloatKind::F32 {
                e.f(1.0)
            } else {
                e.d(1.0)
            };
            e.div(one, e.unary(Unary::Sqrt, x))
        }
        (FloatKind::F32, &[x]) => formula(&f32_unary(), name)?(&e, x),
        (FloatKind::F32, &[x, y]) => formula(&f32_binary(), name)?(&e, x, y),
        (FloatKind::F64, &[x]) => formula(&f64_unary(), name)?(&e, x),
        (FloatKind::F64, &[x, y]) => formula(&f64_binary(), name)?(&e, x, y),
        _ => return None,
    })
}

/// `exp`, `log` and `log10` by the hardware's base-2 approximations.
fn scaled(b: &mut Builder<'_>, name: &str, operands: &[Value], flags: Attr) -> Option<Value> {
    let &[x] = operands else { return None };
    let product = |b: &mut Builder<'_>, x: Value, factor: f32| {
        let e = IrEmitter::new(b);
        e.mul(x, e.f(factor))
    };
    if name == ExpOp::DEF.name {
        let scaled = product(b, x, std::f32::consts::LOG2_E);
        return Some(insert_approximate(b, Exp2Op::DEF, scaled, flags));
    }
    let factor = match name {
        _ if name == LogOp::DEF.name => std::f32::consts::LN_2,
        _ if name == Log10Op::DEF.name => std::f32::consts::LOG10_2,
        _ => return None,
    };
    let log = insert_approximate(b, Log2Op::DEF, x, flags);
    Some(product(b, log, factor))
}

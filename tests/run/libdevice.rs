//! Math functions from CUDA's device library, linked and run on the simulator: every one, in f32 and f64.
//!
//! Bounds are those of the CUDA C++ programming guide, "Mathematical Functions Appendix" (largest errors in units in the
//! last place), and one more for the interpreter's own, which is the host's library; in f32 that is rounded from f64.

use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, CompileOptions, Compiler, DeviceChoice, ElemType, Libdevice, Program, Tolerance, Value,
    compare, interpret,
};
use segra_tests::ptxas::{Ptxas, libdevice};

/// A function of one argument: largest errors in f32 and f64, and how the inputs become arguments it has values for.
struct Function {
    name: &'static str,
    ulps: [f64; 2],
    domain: Domain,
}

#[derive(Clone, Copy)]
enum Domain {
    /// All numbers.
    Any,
    /// From -1 to 1.
    Unit,
    /// From 0 on.
    Positive,
    /// From 1 on.
    FromOne,
}

const fn function(name: &'static str, f32_ulps: f64, f64_ulps: f64, domain: Domain) -> Function {
    Function {
        name,
        ulps: [f32_ulps, f64_ulps],
        domain,
    }
}

const FUNCTIONS: &[Function] = &[
    function("acos", 2.0, 2.0, Domain::Unit),
    function("acosh", 4.0, 3.0, Domain::FromOne),
    function("asin", 2.0, 2.0, Domain::Unit),
    function("asinh", 3.0, 3.0, Domain::Any),
    function("atan", 2.0, 2.0, Domain::Any),
    function("atanh", 3.0, 2.0, Domain::Unit),
    function("cbrt", 1.0, 1.0, Domain::Any),
    function("cos", 2.0, 2.0, Domain::Any),
    function("cosh", 2.0, 1.0, Domain::Any),
    function("erf", 2.0, 2.0, Domain::Any),
    function("erfc", 4.0, 5.0, Domain::Any),
    function("exp", 2.0, 1.0, Domain::Any),
    function("exp2", 2.0, 1.0, Domain::Any),
    function("expm1", 1.0, 1.0, Domain::Any),
    function("log", 1.0, 1.0, Domain::Positive),
    function("log10", 2.0, 1.0, Domain::Positive),
    function("log1p", 1.0, 1.0, Domain::Positive),
    function("log2", 1.0, 1.0, Domain::Positive),
    function("rsqrt", 2.0, 1.0, Domain::Positive),
    function("sin", 2.0, 2.0, Domain::Any),
    function("sinh", 3.0, 2.0, Domain::Any),
    function("tan", 4.0, 2.0, Domain::Any),
    function("tanh", 2.0, 1.0, Domain::Any),
];

/// Functions of two arguments, with their largest errors.
const BINARY: &[(&str, [f64; 2])] = &[("atan2", [3.0, 2.0]), ("powf", [4.0, 2.0])];

pub(crate) fn trials() -> Vec<Trial> {
    [ElemType::F32, ElemType::F64]
        .map(|elem| {
            let name = format!("libdevice: functions of {elem}");
            Trial::test(name, move || functions(elem).map_err(Into::into))
        })
        .into()
}

/// A program that gives every function of its inputs.
fn program(ty: &str) -> String {
    let mut body = String::new();
    let mut results = Vec::new();
    for Function { name, domain, .. } in FUNCTIONS {
        let argument = match domain {
            Domain::Any => "%v = arith.addf %x, %zero : T",
            Domain::Unit => {
                "%a = math.absf %x : T\n    %b = arith.addf %a, %one : T\n    %v = arith.divf %x, %b : T"
            }
            Domain::Positive => "%v = math.absf %x : T",
            Domain::FromOne => "%a = math.absf %x : T\n    %v = arith.addf %a, %one : T",
        };
        body += &format!(
            "  %{name} = array.map (%x in %xs : [n]T) {{\n    {argument}\n    %y = math.{name} %v : T\n    array.yield %y : T\n  }}\n"
        );
        results.push(format!("%{name}"));
    }
    for (name, _) in BINARY {
        body += &format!(
            "  %{name} = array.map (%x in %xs : [n]T, %y in %ys : [n]T) {{\n    %v = math.absf %x : T\n    %z = math.{name} %v, %y : T\n    array.yield %z : T\n  }}\n"
        );
        results.push(format!("%{name}"));
    }
    let types = vec!["!array.array<[n]T>"; results.len()].join(", ");
    let text = format!(
        "func.func @main(%xs: !array.array<[n]T>, %ys: !array.array<[n]T>) -> ({types}) {{
  %zero = arith.constant 0.0 : T
  %one = arith.constant 1.0 : T
{body}  func.return {} : {types}
}}
",
        results.join(", ")
    );
    text.replace("]T>", &format!("]{ty}>"))
        .replace(": T", &format!(": {ty}"))
        .replace("[n]T", &format!("[n]{ty}"))
}

fn array(elem: ElemType, values: &[f64]) -> Result<Value, String> {
    let bytes = match elem {
        ElemType::F32 => values
            .iter()
            .flat_map(|&value| (value as f32).to_le_bytes())
            .collect(),
        _ => values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
    };
    Array::from_bytes(elem, &[values.len()], bytes)
        .map(Value::Array)
        .map_err(|error| error.to_string())
}

fn functions(elem: ElemType) -> Outcome {
    let program = Program::from_text("functions.mlir", &program(&elem.to_string()));
    let program = program.map_err(|failure| rendered(&failure))?;
    let library = Libdevice::File(libdevice()?);
    let options = CompileOptions {
        libdevice: library,
        ..CompileOptions::default()
    };
    let compiled = Compiler::new(options)
        .compile(program.clone())
        .map_err(|failure| rendered(&failure))?;
    let ptxas = Ptxas::find().map_err(|error| error.to_string())?;
    for target in &compiled.artifact.targets {
        ptxas
            .assemble(&target.ptx, &target.chip.to_string())
            .map_err(|error| error.to_string())?;
    }
    let mut xs: Vec<f64> = (0..500)
        .map(|at| (f64::from(at) - 250.0) * 0.0371)
        .collect();
    // Arguments that need many digits of pi, and the ends.
    xs.extend([
        1e5,
        -3e9,
        1e30,
        1e-30,
        -1e-40,
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        88.0,
        -104.0,
    ]);
    let ys: Vec<f64> = (0..xs.len())
        .map(|at| ((at * 37 % 101) as f64 - 50.0) * 0.11)
        .collect();
    let inputs = [array(elem, &xs)?, array(elem, &ys)?];
    let expected =
        interpret(program.ir(), "main", &inputs).map_err(|failure| rendered(&failure))?;
    let loaded = load(compiled.artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    let found = crate::results(&entry, &inputs)?;
    let unary = FUNCTIONS
        .iter()
        .map(|function| (function.name, function.ulps));
    let wide = usize::from(elem == ElemType::F64);
    for (at, (name, ulps)) in unary.chain(BINARY.iter().copied()).enumerate() {
        let tolerance = Tolerance {
            ulps: ulps[wide] + 1.0,
            floor: 0.0,
        };
        if let Some(difference) = compare(&found[at..=at], &expected[at..=at], tolerance) {
            return Err(format!("{name}: {difference}"));
        }
    }
    Ok(())
}

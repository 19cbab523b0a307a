//! Linear algebra: the scripts of `examples/blas` and every function of the library, against the interpreter and numpy.
//!
//! The scripts are the eleven sequences of Filipovič et al. ("Optimizing CUDA code by kernel fusion: application on BLAS",
//! table 1) and five larger ones. Each runs at sizes 1, 31 and 1000, and at 4096 where `SEGRA_LONG=1`; with elements of
//! type f64 at 31. Functions run at odd sizes in both types; numpy computes in f64.

use crate::numpy::Numpy;
use crate::{Outcome, device_name, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, Compiler, DeviceChoice, ElemType, Entry, Input, Loaded, Program, Scalar, Tolerance,
    Value, compare, interpret,
};
use segra_blas::library::{self, Elementary};
use segra_tests::case;
use std::fmt::Write;

const ENTRY: &str = "main";

/// A script: its name, its inputs at size `N` (`M` is four more, so that no matrix is square by chance), numpy's results.
struct Sequence {
    name: &'static str,
    inputs: &'static str,
    numpy: &'static str,
}

#[rustfmt::skip] // a table
const SEQUENCES: [Sequence; 16] = [
    Sequence { name: "axpydot", inputs: "N N N 1.5", numpy: "z = w - alpha * v\nz, z @ u" },
    Sequence { name: "atax", inputs: "NxM M", numpy: "A.T @ (A @ x)" },
    Sequence { name: "bicgk", inputs: "NxM M N", numpy: "A @ p, A.T @ r" },
    Sequence { name: "sgemv", inputs: "NxM M N 1.5 0.5", numpy: "alpha * (A @ x) + beta * y" },
    Sequence { name: "sgemvt", inputs: "NxM N M 1.5 0.5", numpy: "x = beta * (A.T @ y) + z\nx, alpha * (A @ x)" },
    Sequence { name: "sscal", inputs: "N 1.5", numpy: "alpha * x" },
    Sequence { name: "gemver", inputs: "NxM N M N M N M 1.5 0.5", numpy: "B = A + np.outer(u1, v1) + np.outer(u2, v2)\nx = beta * (B.T @ y) + z\nB, x, alpha * (B @ x)" },
    Sequence { name: "gesummv", inputs: "NxM NxM M 1.5 0.5", numpy: "alpha * (A @ x) + beta * (B @ x)" },
    Sequence { name: "madd", inputs: "NxM NxM", numpy: "A + B" },
    Sequence { name: "vadd", inputs: "N N N", numpy: "w + y + z" },
    Sequence { name: "waxpby", inputs: "N N 1.5 0.5", numpy: "alpha * x + beta * y" },
    Sequence { name: "conjugate_gradient", inputs: "NxN N N N 0.7", numpy: "q = A @ p\nalpha = rho / (p @ q)\nr1 = r - alpha * q\nrho1 = r1 @ r1\nx + alpha * p, r1, r1 + rho1 / rho * p, rho1" },
    Sequence { name: "bicgstab", inputs: "NxN N N N N 0.7", numpy: "v = A @ p\nalpha = rho / (r0 @ v)\ns = r - alpha * v\nt = A @ s\nomega = (t @ s) / (t @ t)\nr1 = s - omega * t\nrho1 = r0 @ r1\nbeta = rho1 / rho * (alpha / omega)\nx + alpha * p + omega * s, r1, r1 + beta * (p - omega * v), rho1" },
    Sequence { name: "gram_schmidt", inputs: "MxN M", numpy: "h = Q.T @ a\nw = a - Q @ h\nnorm = np.linalg.norm(w)\nw / norm, h, norm" },
    Sequence { name: "power_iteration", inputs: "NxN N", numpy: "y = A @ x\nz = y / np.linalg.norm(y)\nz, z @ (A @ z)" },
    Sequence { name: "jacobi", inputs: "NxN N N", numpy: "r = b - A @ x\nx + r / np.diag(A), np.linalg.norm(r)" },
];

/// A function's results in numpy, of arguments under the names of its parameters. Alternatives have that of their function.
#[rustfmt::skip] // a table
const FUNCTIONS: [(&str, &str); 36] = [
    ("copy", "x"),
    ("swap", "y, x"),
    ("scal", "alpha * x"),
    ("axpy", "alpha * x + y"),
    ("waxpby", "alpha * x + beta * y"),
    ("vadd", "x + y"),
    ("vmul", "x * y"),
    ("vdiv", "x / y"),
    ("rot", "c * x + s * y, c * y - s * x"),
    ("dot", "x @ y"),
    ("asum", "np.abs(x).sum()"),
    ("nrm2", "np.sqrt((x * x).sum())"),
    ("nrm2_plain", "np.sqrt((x * x).sum())"),
    ("iamax", "np.int64(np.abs(x).argmax() if len(x) else 0)"),
    ("gemv", "a @ x"),
    ("gemtv", "a.T @ x"),
    ("ger", "a + np.outer(x, y)"),
    ("symv_lower", "(np.tril(a) + np.tril(a, -1).T) @ x"),
    ("symv_upper", "(np.triu(a) + np.triu(a, 1).T) @ x"),
    ("spmv_lower", "n = len(x)\nt = np.zeros((n, n))\nt[np.tril_indices(n)] = ap[:n * (n + 1) // 2]\n(t + np.tril(t, -1).T) @ x"),
    ("trmv_lower", "np.tril(a) @ x"),
    ("trmv_upper", "np.triu(a) @ x"),
    ("trsv_lower", "np.linalg.solve(np.tril(a), b)"),
    ("trsv_upper", "np.linalg.solve(np.triu(a), b)"),
    ("usga", "y[at]"),
    ("ussc", "r = y.copy()\nr[at] = x\nr"),
    ("usdot", "x @ y[at]"),
    ("usaxpy", "r = y.copy()\nr[at] += alpha * x\nr"),
    ("ellmv", "np.where(columns < 0, 0, values * x[columns]).sum(axis=1)"),
    ("diag", "np.diag(a)"),
    ("madd", "a + b"),
    ("mscal", "alpha * a"),
    ("transpose", "a.T"),
    ("gemm", "a @ b"),
    ("sqrt", "np.sqrt(a)"),
    ("abs", "np.abs(a)"),
];

/// The sizes functions run at, by the names in signatures.
const SIZES: [[(&str, usize); 4]; 3] = [
    [("m", 1), ("n", 1), ("k", 1), ("p", 1)],
    [("m", 7), ("n", 33), ("k", 3), ("p", 561)],
    [("m", 129), ("n", 65), ("k", 31), ("p", 2145)],
];

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let mut trials = vec![Trial::test("blas: every function has a reference", || {
        complete().map_err(Into::into)
    })];
    for &device in devices {
        let on = device_name(device);
        trials.extend(SEQUENCES.iter().map(|sequence| {
            Trial::test(format!("blas/{}: {on}", sequence.name), move || {
                sequence_runs(sequence, device).map_err(Into::into)
            })
        }));
        trials.extend(library::functions().iter().map(|function| {
            let title = format!("blas: function {}: {on}", function.name);
            Trial::test(title, move || {
                function_runs(function, device).map_err(Into::into)
            })
        }));
        trials.push(Trial::test(
            format!("blas: norms do not overflow: {on}"),
            move || norms(device).map_err(Into::into),
        ));
    }
    trials
}

/// Every function, and every script beside those of the table.
fn complete() -> Outcome {
    let unknown = library::functions()
        .iter()
        .find(|function| reference(function).is_none());
    if let Some(function) = unknown {
        return Err(format!("`{}` has no numpy line", function.name));
    }
    let folder = case::folder().join("../examples/blas");
    let files = case::files(&folder, segra_blas::ENDING).map_err(|error| error.to_string())?;
    let mut found: Vec<String> = files
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let mut wanted: Vec<&str> = SEQUENCES.iter().map(|sequence| sequence.name).collect();
    found.sort();
    wanted.sort_unstable();
    match found == wanted {
        true => Ok(()),
        false => Err(format!("scripts are {found:?}, tested are {wanted:?}")),
    }
}

fn reference(function: &Elementary) -> Option<&'static str> {
    let name = function.alternative_of.unwrap_or(function.name);
    let row = FUNCTIONS.iter().find(|row| row.0 == name);
    row.map(|row| row.1)
}

/// A script, read, and compiled for a device.
struct Subject {
    program: Program,
    signature: Entry,
    loaded: Loaded,
}

impl Subject {
    fn new(name: &str, text: &str, device: DeviceChoice) -> Result<Subject, String> {
        let program = segra_blas::read(name, text).map_err(|failure| rendered(&failure))?;
        let compiled = Compiler::new(crate::compile_options(device)).compile(program.clone());
        let compiled = compiled.map_err(|failure| rendered(&failure))?;
        let loaded = load(compiled.artifact, device)?;
        let signatures = program.signatures();
        let signature = signatures.get(ENTRY).ok_or("there is no function @main")?;
        Ok(Subject {
            signature: signature.entry.clone(),
            program,
            loaded,
        })
    }

    /// Runs it on inputs of these shapes (numbers as they are); `change` may replace them.
    fn run(&self, inputs: &[String], change: &dyn Fn(&mut [Value]), numpy: &str) -> Outcome {
        let entry = self
            .loaded
            .entry(ENTRY)
            .map_err(|error| error.to_string())?;
        let mut arguments = Vec::new();
        for (index, (text, param)) in inputs.iter().zip(&self.signature.params).enumerate() {
            let text = match text.contains('.') {
                true => text.clone(),
                false => format!("random:{text}"),
            };
            let input =
                Input::parse(&text).and_then(|input| input.materialise(&param.ty, 1, index));
            arguments.push(input.map_err(|error| format!("{text}: {error}"))?);
        }
        change(&mut arguments);
        let found = crate::results(&entry, &arguments)?;
        let expected = interpret(self.program.ir(), ENTRY, &arguments);
        let expected = expected.map_err(|failure| rendered(&failure))?;
        let tolerance = tolerance(&arguments);
        let wrong = |by: &str, difference| Err(format!("against {by}, {inputs:?}: {difference}"));
        if let Some(difference) = compare(&found, &expected, tolerance) {
            return wrong("the interpreter", difference);
        }
        let params = &self.signature.params;
        let wide = params.iter().zip(&arguments).map(|(param, argument)| {
            let name = &param.name;
            match argument.to_array().elem() {
                ElemType::I64 => String::new(),
                _ => format!("{name} = np.asarray({name}, dtype=np.float64)\n"),
            }
        });
        let numpy = Numpy::of(wide.chain([numpy.to_owned()]).collect());
        let expected = numpy.results(&self.signature, &arguments)?;
        match compare(&found, &expected, tolerance) {
            Some(difference) => wrong("numpy", difference),
            None => Ok(()),
        }
    }
}

/// Sums in another order, several of them one after the other.
fn tolerance(arguments: &[Value]) -> Tolerance {
    let extents = arguments
        .iter()
        .flat_map(|value| value.to_array().shape().to_vec());
    Tolerance {
        ulps: 512.0 + 8.0 * extents.max().unwrap_or(1) as f64,
        ..Tolerance::default()
    }
}

fn sequence_runs(sequence: &Sequence, device: DeviceChoice) -> Outcome {
    let file = format!("../examples/blas/{}.blas", sequence.name);
    let text = std::fs::read_to_string(case::folder().join(&file));
    let text = text.map_err(|error| format!("{file}: {error}"))?;
    let inputs = |size: usize| -> Vec<String> {
        let (n, m) = (size.to_string(), (size + 4).to_string());
        let inputs = sequence.inputs.split(' ');
        inputs
            .map(|input| input.replace('N', &n).replace('M', &m))
            .collect()
    };
    let subject = Subject::new(&file, &text, device)?;
    let mut sizes = vec![1, 31, 1000];
    if std::env::var_os("SEGRA_LONG").is_some() {
        sizes.push(4096);
    }
    for size in sizes {
        subject.run(&inputs(size), &|_| (), sequence.numpy)?;
    }
    let double = ["matrix ", "vector ", "scalar "]
        .iter()
        .fold(text, |text, kind| {
            text.replace(&format!("\n{kind}"), &format!("\n{kind}f64 "))
        });
    Subject::new(&file, &double, device)?.run(&inputs(31), &|_| (), sequence.numpy)
}

/// A script that calls one function; the text of its inputs at some sizes.
fn call(function: &Elementary, element: &str) -> String {
    let kind = |rank: usize| ["scalar", "vector", "matrix"][rank.min(2)];
    let mut text = String::new();
    let parameters = function.parameters();
    for parameter in &parameters {
        let element = if parameter.is_real { element } else { "i64" };
        let sizes = match parameter.sizes[..] {
            [] => String::new(),
            _ => format!("[{}]", parameter.sizes.join(", ")),
        };
        let _ = writeln!(
            text,
            "{} {element} {}{sizes};",
            kind(parameter.sizes.len()),
            parameter.name
        );
    }
    let mut results = Vec::new();
    for (index, result) in function.results().iter().enumerate() {
        let element = if result.is_real { element } else { "i64" };
        let _ = writeln!(
            text,
            "{} {element} result{index};",
            kind(result.sizes.len())
        );
        results.push(format!("result{index}"));
    }
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    let (names, results) = (names.join(", "), results.join(", "));
    let _ = writeln!(
        text,
        "input {names};\n{results} = {}({names});\nreturn {results};",
        function.name
    );
    text
}

fn function_runs(function: &Elementary, device: DeviceChoice) -> Outcome {
    let numpy = reference(function).ok_or("there is no reference")?;
    let solves = function.name.starts_with("trsv");
    // A triangle is solved in parts of 256 elements.
    let parts = solves.then_some([("m", 1), ("n", 300), ("k", 1), ("p", 1)]);
    for element in ["f32", "f64"] {
        let subject = Subject::new(function.name, &call(function, element), device)?;
        for sizes in SIZES.into_iter().chain(parts) {
            let extent = |name: &str| {
                sizes
                    .iter()
                    .find(|size| size.0 == name)
                    .map_or(0, |size| size.1)
            };
            let inputs: Vec<String> = function
                .parameters()
                .iter()
                .map(|parameter| match parameter.sizes[..] {
                    [] => "1.25".to_owned(),
                    ref sizes => {
                        let extents: Vec<String> =
                            sizes.iter().map(|size| extent(size).to_string()).collect();
                        extents.join("x")
                    }
                })
                .collect();
            let set_indices = |argument: &mut Value| {
                if let Value::Array(array) = argument
                    && array.elem() == ElemType::I64
                {
                    *argument = indices(array.shape(), extent("n"));
                }
            };
            let change = |arguments: &mut [Value]| {
                arguments.iter_mut().for_each(set_indices);
                if solves && let Some(matrix) = arguments.first_mut() {
                    *matrix = solvable(extent("n"), element);
                }
            };
            subject.run(&inputs, &change, numpy)?;
        }
    }
    Ok(())
}

/// Indices of so many elements: in a vector all different, in a matrix below 0 where its rows are filled up.
fn indices(shape: &[usize], extent: usize) -> Value {
    let is_matrix = shape.len() > 1;
    let index = |at: usize| match is_matrix && at % 5 == 4 {
        true => -1,
        false => ((at * 7 + 3) % extent) as i64,
    };
    let numbers: Vec<i64> = (0..shape.iter().product()).map(index).collect();
    Value::Array(Array::new(shape, &numbers).expect("as many elements as the shape has"))
}

/// A square matrix whose triangles are far from singular: substitution neither grows nor loses what it computes.
fn solvable(n: usize, element: &str) -> Value {
    let entry = |index: usize| {
        let (row, column) = (index / n, index % n);
        let off = ((row * 7 + column * 13) % 11) as f64 / (16.0 * n as f64);
        if row == column { 1.5 + off } else { off }
    };
    let wide: Vec<f64> = (0..n * n).map(entry).collect();
    let narrow: Vec<f32> = wide.iter().map(|&value| value as f32).collect();
    let array = match element {
        "f64" => Array::new(&[n, n], &wide),
        _ => Array::new(&[n, n], &narrow),
    };
    Value::Array(array.expect("as many elements as the shape has"))
}

/// The Euclidean norm at the ends of f32: exact to a few roundings wherever the norm is a number of the type.
fn norms(device: DeviceChoice) -> Outcome {
    let rows: [(&[f32], f32); 8] = [
        (&[], 0.0),
        (&[0.0, 0.0, 0.0], 0.0),
        (&[3e30, 4e30], 5e30),
        (&[3e-38, -4e-38, 0.0], 5e-38),
        (&[3e38, 3e38], f32::INFINITY),
        (&[1.0, f32::NEG_INFINITY, f32::INFINITY], f32::INFINITY),
        (&[1.0, f32::NAN, f32::INFINITY], f32::NAN),
        (&[0.0, 1e-30, 1e30, 0.0, 1e30, 1e-30], 1.414_213_6e30),
    ];
    for name in ["nrm2", "nrm2_two_pass"] {
        let function = library::find(name).ok_or("there is no such function")?;
        let subject = Subject::new(name, &call(function, "f32"), device)?;
        let entry = subject
            .loaded
            .entry(ENTRY)
            .map_err(|error| error.to_string())?;
        for (elements, norm) in rows {
            let arguments = [Value::Array(Array::vector(elements))];
            let wanted = [Value::Scalar(Scalar::f32(norm))];
            let found = crate::results(&entry, &arguments)?;
            let interpreted = interpret(subject.program.ir(), ENTRY, &arguments);
            let interpreted = interpreted.map_err(|failure| rendered(&failure))?;
            for found in [found, interpreted] {
                if let Some(difference) = compare(&found, &wanted, Tolerance::default()) {
                    return Err(format!("{name} of {elements:?}: {difference}"));
                }
            }
        }
    }
    let function = library::find("iamax").ok_or("there is no such function")?;
    let subject = Subject::new("iamax", &call(function, "f32"), device)?;
    let entry = subject
        .loaded
        .entry(ENTRY)
        .map_err(|error| error.to_string())?;
    let rows: [(&[f32], i64); 5] = [
        (&[], 0),
        (&[0.0, 0.0], 0),
        (&[1.0, -3.0, 3.0, 2.0], 1),
        (&[1.0, f32::NAN, f32::INFINITY, f32::NAN], 1),
        (&[1.0, f32::NEG_INFINITY, f32::INFINITY], 1),
    ];
    for (elements, at) in rows {
        let found = crate::results(&entry, &[Value::Array(Array::vector(elements))])?;
        let wanted = [Value::Scalar(Scalar::from_i64(ElemType::I64, at))];
        if let Some(difference) = compare(&found, &wanted, Tolerance::EXACT) {
            return Err(format!("iamax of {elements:?}: {difference}"));
        }
    }
    Ok(())
}

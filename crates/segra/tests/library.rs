//! The library as a stranger uses it: build, compile, load, run; and what it says when something is wrong.

use segra::builder::{build, filter, map, map_reduce, map_scan, reduce, scan, with_neutral};
use segra::{
    Array, CompileOptions, Compiler, DeviceChoice, Failure, KnownInputs, Loaded, Program, Scalar,
    Stage, Tolerance, Value, compare, context, interpret, load,
};
use segra_std::math::{Provided, Provider};

fn axpy_dot() -> Result<Program, Failure> {
    build(|p| {
        p.function("main", |f| {
            let a = f.scalar::<f32>("a");
            let (x, y) = (f.array::<f32>("x", ["n"]), f.array::<f32>("y", ["n"]));
            let z = map((x, y), |(x, y)| a * x + y);
            (z, map_reduce((z, y), |(z, y)| z * y, 0.0, |s, t| s + t))
        });
    })
}

/// One target is enough where PTX is not looked at.
fn compiler() -> Compiler {
    let targets = vec!["sm_80".parse().expect("a chip")];
    Compiler::new(CompileOptions {
        targets,
        ..CompileOptions::default()
    })
}

fn simulated(program: &Program) -> Loaded {
    let compiled = compiler()
        .compile(program.clone())
        .unwrap_or_else(|failure| panic!("{failure}"));
    load(compiled.artifact, DeviceChoice::Sim).unwrap_or_else(|failure| panic!("{failure}"))
}

fn array(values: &[f32]) -> Value {
    Value::Array(Array::vector(values))
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_built_program_is_compiled_and_run() {
    let program = axpy_dot().expect("builds");
    let inputs = [
        Value::Scalar(Scalar::f32(2.0)),
        array(&[1.0, 2.0, 3.0]),
        array(&[10.0, 20.0, 30.0]),
    ];
    let loaded = simulated(&program);
    let results = loaded
        .entry("main")
        .expect("exists")
        .run(&inputs)
        .expect("runs");
    assert_eq!(
        results,
        [
            array(&[12.0, 24.0, 36.0]),
            Value::Scalar(Scalar::f32(1680.0))
        ]
    );
    assert_eq!(
        interpret(program.ir(), "main", &inputs).expect("runs"),
        results
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn for_one_device_only_the_ptx_that_it_loads_is_made() {
    let program = axpy_dot().expect("builds");
    let compile = |device| {
        let options = CompileOptions {
            device,
            ..CompileOptions::default()
        };
        let compiled = Compiler::new(options).compile(program.clone());
        compiled
            .unwrap_or_else(|failure| panic!("{failure}"))
            .artifact
    };
    let all = compile(None);
    assert_eq!(all.targets.len(), 3);
    for (major, minor) in [(7, 5), (8, 6), (9, 0), (12, 0)] {
        let one = compile(Some((major, minor)));
        assert_eq!(one.targets.len(), 1);
        assert_eq!(
            one.target_for(major, minor),
            all.target_for(major, minor),
            "sm_{major}{minor}"
        );
        assert_eq!(one.kernels, all.kernels);
    }
    // None is for it, which is for those to say who load it.
    assert_eq!(compile(Some((7, 0))), all);
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn nested_bodies_matrices_and_pairs_agree_with_the_interpreter() {
    let program = build(|p| {
        p.function("main", |f| {
            let (a, b) = (
                f.matrix::<f32>("a", ["n", "k"]),
                f.matrix::<f32>("b", ["k", "m"]),
            );
            let columns = b.transpose();
            let product = map(a, |row| {
                map(columns, |column| {
                    map_reduce((row, column), |(x, y)| x * y, 0.0, |s, t| s + t)
                })
            });
            let sums = map(product, |row| reduce(row, 0.0, |s, t| s + t));
            let (best, at) = reduce(
                (sums, f.iota::<i32>(a.len(), "n")),
                (f32::NEG_INFINITY, 0),
                |(x, i), (y, j)| {
                    let first = x.gt(y).or(x.equals(y).and(i.le(j)));
                    (first.select(x, y), first.select(i, j))
                },
            );
            (
                product,
                scan(sums, 0.0, |s, t| s + t),
                map(sums, |s| (s * 0.01).tanh()),
                best,
                at,
            )
        });
    })
    .unwrap_or_else(|failure| panic!("{failure}"));
    let matrix = |rows: usize, columns: usize| {
        let values: Vec<f32> = (0..rows * columns)
            .map(|i| (i * 7 % 11) as f32 - 4.0)
            .collect();
        Value::Array(Array::new(&[rows, columns], &values).expect("fits"))
    };
    let inputs = [matrix(9, 40), matrix(40, 5)];
    let expected =
        interpret(program.ir(), "main", &inputs).unwrap_or_else(|failure| panic!("{failure}"));
    let results = simulated(&program)
        .entry("main")
        .expect("exists")
        .run(&inputs)
        .expect("runs");
    assert_eq!(compare(&results, &expected, Tolerance::default()), None);
    assert_eq!(results.len(), 5);
}

/// Numbers above a limit, their squares added up, and how many they are.
#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn filters_and_fused_scans_are_built_and_run() {
    let program = build(|p| {
        p.function("main", |f| {
            let (limit, x) = (f.scalar::<f32>("limit"), f.array::<f32>("x", ["n"]));
            let large = filter(x, "k", |x| x.gt(limit));
            (large, map_scan(large, |x| x * x, 0.0, |s, t| s + t))
        });
    })
    .unwrap_or_else(|failure| panic!("{failure}"));
    let inputs = [
        Value::Scalar(Scalar::f32(1.5)),
        array(&[1.0, 2.0, 0.0, 3.0]),
    ];
    let wanted = [array(&[2.0, 3.0]), array(&[4.0, 13.0])];
    assert_eq!(
        interpret(program.ir(), "main", &inputs).expect("runs"),
        wanted
    );
    let loaded = simulated(&program);
    assert_eq!(
        loaded
            .entry("main")
            .expect("exists")
            .run(&inputs)
            .expect("runs"),
        wanted
    );
}

/// A sum from a parameter; functions x -> a * x + b composed, beginning with one of them, whose neutral element is
/// given: with halves and twos, from (8, 4), they are (8/2, 4/2 + 2), then (4/2, 4/2 + 2).
#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn start_values_count_once_and_neutral_elements_can_be_given() {
    let composed = |neutral: bool| {
        build(move |p| {
            p.function("main", |f| {
                let (from, x) = (f.scalar::<f32>("from"), f.array::<f32>("x", ["n"]));
                let halves = map(x, |x| x * 0.0 + 0.5);
                let sum = reduce(x, from, |s, t| s + t);
                let then = |(a, b): (_, _), (c, d): (_, _)| (a * c, b * c + d);
                let (scale, shift) = match neutral {
                    true => reduce((halves, x), with_neutral((8.0, 4.0), (1.0, 0.0)), then),
                    false => reduce((halves, x), (8.0, 4.0), then),
                };
                (sum, scale, shift)
            });
        })
    };
    let program = composed(true).unwrap_or_else(|failure| panic!("{failure}"));
    let inputs = [Value::Scalar(Scalar::f32(10.0)), array(&[2.0, 2.0])];
    let wanted = [14.0, 2.0, 4.0].map(|value| Value::Scalar(Scalar::f32(value)));
    assert_eq!(
        interpret(program.ir(), "main", &inputs).expect("runs"),
        wanted
    );
    assert_eq!(
        simulated(&program)
            .entry("main")
            .expect("exists")
            .run(&inputs)
            .expect("runs"),
        wanted
    );
    let failure = composed(false)
        .expect_err("0 * x is not 0 for all floats")
        .to_string();
    assert!(
        failure.contains("neutral (%e : f32, %e : f32)"),
        "{failure}"
    );
}

/// The number of kept elements differs between rows, so that it has no name.
#[test]
fn the_size_of_a_filter_in_a_body_has_no_name() {
    let sums = |size: &'static str| {
        build(move |p| {
            p.function("main", |f| {
                let a = f.matrix::<f32>("a", ["n", "m"]);
                map(a, |row| {
                    reduce(filter(row, size, |x| x.gt(x)), 0.0, |s, t| s + t)
                })
            });
        })
    };
    let message = sums("k").expect_err("it has a name").to_string();
    assert!(
        message.contains("such an extent is written `?`"),
        "{message}"
    );
    sums("?").expect("it has none");
}

#[test]
fn arrays_of_different_sizes_in_one_map_are_refused_at_their_line() {
    let failure = build(|p| {
        p.function("main", |f| {
            let (x, y) = (f.array::<f32>("x", ["n"]), f.array::<f32>("y", ["m"]));
            map((x, y), |(x, y)| x + y)
        });
    })
    .expect_err("n is not m");
    let text = failure.to_string();
    assert!(
        text.contains("library.rs:") && text.contains("`m`") && text.contains("`n`"),
        "{text}"
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_size_that_differs_at_run_time_is_an_error_of_the_run() {
    let loaded = simulated(&axpy_dot().expect("builds"));
    let inputs = [
        Value::Scalar(Scalar::f32(2.0)),
        array(&[1.0, 2.0, 3.0]),
        array(&[10.0]),
    ];
    let error = loaded
        .entry("main")
        .expect("exists")
        .run(&inputs)
        .expect_err("3 is not 1")
        .to_string();
    assert!(
        error.contains('n') && error.contains('3') && error.contains('1'),
        "{error}"
    );
}

#[test]
fn functions_without_expansion_are_refused_with_the_op() {
    let text = "func.func @main(%xs: !array.array<[n]f64>) -> !array.array<[n]f64> {
  %ys = array.map (%x in %xs : [n]f64) {
    %y = math.erf %x : f64
    array.yield %y : f64
  }
  func.return %ys : !array.array<[n]f64>
}";
    let program =
        Program::from_text("erf.mlir", text).unwrap_or_else(|failure| panic!("{failure}"));
    let failure = compiler()
        .compile(program)
        .expect_err("the error function on f64 is missing");
    let text = failure.to_string();
    assert!(
        text.contains("erf.mlir:3:10: error: 'math.erf' op could not be converted"),
        "{text}"
    );
    assert!(
        text.contains("on f64 there is neither an instruction nor an expansion"),
        "{text}"
    );
    assert!(text.contains("CUDA's device library has it"), "{text}");
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn accurate_functions_run_on_the_device_as_in_the_interpreter() {
    let mut text = String::from("func.func @main(%xs: !array.array<[n]f32>) -> (");
    let names = [
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "tanh", "erf",
    ];
    text += &vec!["!array.array<[n]f32>"; names.len()].join(", ");
    let ys: Vec<String> = (0..names.len()).map(|i| format!("%y{i}")).collect();
    text += &format!(
        ") {{\n  %r:{} = array.map (%x in %xs : [n]f32) {{\n",
        names.len()
    );
    for (y, name) in ys.iter().zip(names) {
        text += &format!("    {y} = math.{name} %x : f32\n");
    }
    let types = vec!["f32"; names.len()].join(", ");
    text += &format!(
        "    array.yield {} : {types}\n  }}\n  func.return ",
        ys.join(", ")
    );
    text += &(0..names.len())
        .map(|i| format!("%r#{i}"))
        .collect::<Vec<_>>()
        .join(", ");
    text += &format!(
        " : {}\n}}\n",
        vec!["!array.array<[n]f32>"; names.len()].join(", ")
    );
    let program =
        Program::from_text("math.mlir", &text).unwrap_or_else(|failure| panic!("{failure}"));
    let mut values: Vec<f32> = (0..1000).map(|i| (i as f32 - 500.0) * 0.173).collect();
    values.extend([
        0.0,
        -0.0,
        1e-30,
        1e30,
        -3e9,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        1e-42,
    ]);
    let inputs = [array(&values)];
    let expected =
        interpret(program.ir(), "main", &inputs).unwrap_or_else(|failure| panic!("{failure}"));
    let results = simulated(&program)
        .entry("main")
        .expect("exists")
        .run(&inputs)
        .expect("runs");
    let tolerance = Tolerance {
        ulps: 4.0,
        floor: 0.0,
    };
    assert_eq!(compare(&results, &expected, tolerance), None);
}

#[test]
fn the_list_of_native_functions_is_upstreams() {
    let native = segra_worker::NATIVE_MATH
        .iter()
        .copied()
        .filter(|name| name.starts_with("math."));
    let ctx = context();
    let math = ctx.dialect("math").expect("it is registered");
    let of = |wanted: &[Provider]| {
        let provided = |name: &str| {
            let info = ctx.op_info(ctx.op_name(name))?;
            Some(info.interface::<dyn Provided>()?.provider())
        };
        let has = |name: &&str| provided(name).is_some_and(|provider| wanted.contains(&provider));
        let mut names: Vec<&str> = math.ops.iter().map(|op| op.name).filter(has).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(
        of(&[Provider::Instruction, Provider::Approximation]),
        native.collect::<Vec<_>>()
    );
    assert_eq!(
        of(&[Provider::Library, Provider::Approximation]),
        segra_worker::LIBDEVICE_MATH
    );
}

#[test]
fn stages_have_the_names_they_are_asked_for_by() {
    for stage in Stage::ALL {
        assert_eq!(stage.name().parse(), Ok(stage));
    }
    assert!("sass".parse::<Stage>().is_err());
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn for_known_sizes_only_the_kernels_that_runs_launch_are_compiled() {
    let program = axpy_dot().expect("builds");
    let compile = |sizes: &[(&str, i64)]| {
        let sizes = sizes.iter().map(|&(name, size)| (name.to_owned(), size));
        let inputs = KnownInputs {
            entry: "main".to_owned(),
            sizes: sizes.collect(),
            ..KnownInputs::default()
        };
        let options = CompileOptions {
            targets: vec!["sm_80".parse().expect("a chip")],
            inputs: Some(inputs),
            ..CompileOptions::default()
        };
        let compiled = Compiler::new(options).compile(program.clone());
        compiled.unwrap_or_else(|failure| panic!("{failure}"))
    };
    let entries = |ptx: &str| ptx.matches(".entry").count();
    let (all, three) = (compile(&[]), compile(&[("n", 3)]));
    let kernels = three.artifact.kernels.len();
    assert!(kernels < all.artifact.kernels.len());
    assert_eq!(kernels, three.mappings.len());
    assert_eq!(entries(&three.artifact.targets[0].ptx), kernels);
    let loaded = load(three.artifact, DeviceChoice::Sim).expect("loads");
    let run = |n: usize| {
        let ones = vec![1.0; n];
        let inputs = [Value::Scalar(Scalar::f32(2.0)), array(&ones), array(&ones)];
        let results = loaded.entry("main").expect("exists").run(&inputs);
        results.map(|results| results[1].clone())
    };
    assert_eq!(run(3).expect("runs"), Value::Scalar(Scalar::f32(9.0)));
    let message = run(20_000).expect_err("other kernels").to_string();
    assert!(
        message.contains("was left out: the program was compiled for runs with other sizes"),
        "{message}"
    );
}

/// q = Ap and s = Aᵀr, of a matrix whose rows are shared out among devices: each has its rows' part of q, and a part of the sum s.
#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn one_artifact_runs_on_several_devices_at_once_a_part_of_the_rows_each() {
    const ROWS: usize = 300;
    const COLUMNS: usize = 520;
    let program = build(|p| {
        p.function("main", |f| {
            let a = f.matrix::<f32>("a", ["n", "m"]);
            let (p, r) = (f.array::<f32>("p", ["m"]), f.array::<f32>("r", ["n"]));
            let q = map(a, |row| {
                map_reduce((row, p), |(x, y)| x * y, 0.0, |s, t| s + t)
            });
            let s = map(a.transpose(), |column| {
                map_reduce((column, r), |(x, y)| x * y, 0.0, |s, t| s + t)
            });
            (q, s)
        });
    });
    let program = program.expect("builds");
    // Small whole numbers, whose sums are exact in any order.
    let number = |at: usize| ((at * 7 + at / 11) % 9) as f32 - 4.0;
    let matrix: Vec<f32> = (0..ROWS * COLUMNS).map(number).collect();
    let (p, r): (Vec<f32>, Vec<f32>) = (
        (0..COLUMNS).map(number).collect(),
        (0..ROWS).map(number).collect(),
    );
    let inputs = |from: usize, to: usize| {
        let rows = Array::new(&[to - from, COLUMNS], &matrix[from * COLUMNS..to * COLUMNS]);
        [
            Value::Array(rows.expect("fits")),
            array(&p),
            array(&r[from..to]),
        ]
    };
    let compiled = compiler()
        .compile(program.clone())
        .unwrap_or_else(|failure| panic!("{failure}"));
    let parts = [(0, 128), (128, 129), (129, ROWS)];
    let numbers = |value: &Value| -> Vec<f64> {
        let array = value.to_array();
        array.scalars().map(|scalar| scalar.to_f64()).collect()
    };
    let run = |&(from, to): &(usize, usize)| {
        let loaded = load(compiled.artifact.clone(), DeviceChoice::Sim);
        let loaded = loaded.unwrap_or_else(|failure| panic!("{failure}"));
        let results = loaded
            .entry("main")
            .expect("exists")
            .run(&inputs(from, to))
            .expect("runs");
        [numbers(&results[0]), numbers(&results[1])]
    };
    let parts: Vec<[Vec<f64>; 2]> = std::thread::scope(|scope| {
        let run = &run;
        let devices: Vec<_> = parts
            .iter()
            .map(|part| scope.spawn(move || run(part)))
            .collect();
        devices
            .into_iter()
            .map(|device| device.join().expect("runs"))
            .collect()
    });
    let whole = run(&(0, ROWS));
    let q: Vec<f64> = parts.iter().flat_map(|part| part[0].clone()).collect();
    let s: Vec<f64> = (0..COLUMNS)
        .map(|at| parts.iter().map(|part| part[1][at]).sum())
        .collect();
    assert_eq!([q, s], whole);
    let expected = interpret(program.ir(), "main", &inputs(0, ROWS)).expect("runs");
    assert_eq!(whole, [numbers(&expected[0]), numbers(&expected[1])]);
}

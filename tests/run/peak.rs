//! Memory of loops: the same most bytes whatever the number of rounds, and nothing left at the end. Memory of threads whose
//! arrays differ in length: no more than was asked for.
//!
//! Each program carries arrays in its own way; the results are compared with the interpreter's.

use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, CompileOptions, Compiled, Compiler, DeviceChoice, ElemType, Program, RunOptions, Scalar,
    Tolerance, Value, compare, interpret,
};
use segra_runtime::RunReport;

/// Rounds of the two runs that must take the same memory: not the same modulo 2 or 3, so that arrays that rotate end in
/// other positions.
const ROUNDS: [i64; 2] = [10, 33];

/// How each program is called, and the body of its function `main(%xs, %ys, %rounds)`; `STEP` is a map over two arrays.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "a for loop",
        "!array.array<[n]f32>",
        "%r = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs) -> (!array.array<[n]f32>) {
           STEP(%next, %a, %ys)
           scf.yield %next : !array.array<[n]f32>
         }
         func.return %r : !array.array<[n]f32>",
    ),
    (
        "two arrays that rotate",
        "!array.array<[n]f32>",
        "%p, %q = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %b = %ys) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
           STEP(%next, %a, %b)
           scf.yield %b, %next : !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %q : !array.array<[n]f32>",
    ),
    (
        "three arrays that rotate, one of them returned",
        "!array.array<[n]f32>, !array.array<[n]f32>",
        "STEP(%zs, %xs, %ys)
         %p, %q, %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %b = %ys, %c = %zs) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
           STEP(%next, %a, %c)
           scf.yield %b, %c, %next : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %p, %r : !array.array<[n]f32>, !array.array<[n]f32>",
    ),
    (
        "an array that is yielded twice",
        "!array.array<[n]f32>, !array.array<[n]f32>",
        "%p, %q = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %b = %ys) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
           STEP(%first, %a, %b)
           STEP(%second, %b, %first)
           %odd = arith.remsi %i, %c2 : index
           %take = arith.cmpi eq, %odd, %c1 : index
           %x, %y = scf.if %take -> (!array.array<[n]f32>, !array.array<[n]f32>) {
             scf.yield %first, %first : !array.array<[n]f32>, !array.array<[n]f32>
           } else {
             scf.yield %second, %a : !array.array<[n]f32>, !array.array<[n]f32>
           }
           scf.yield %x, %y : !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %p, %q : !array.array<[n]f32>, !array.array<[n]f32>",
    ),
    (
        "a while loop that rotates",
        "!array.array<[n]f32>",
        "%last, %p, %q = scf.while (%i = %c0, %a = %xs, %b = %ys) : (index, !array.array<[n]f32>, !array.array<[n]f32>) -> (index, !array.array<[n]f32>, !array.array<[n]f32>) {
           %more = arith.cmpi slt, %i, %rounds : index
           scf.condition(%more) %i, %a, %b : index, !array.array<[n]f32>, !array.array<[n]f32>
         } do {
         ^bb0(%i: index, %a: !array.array<[n]f32>, %b: !array.array<[n]f32>):
           STEP(%next, %a, %b)
           %j = arith.addi %i, %c1 : index
           scf.yield %j, %b, %next : index, !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %q : !array.array<[n]f32>",
    ),
    (
        "a branch in a loop",
        "!array.array<[n]f32>",
        "%p, %q = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %b = %ys) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
           %odd = arith.remsi %i, %c2 : index
           %take = arith.cmpi eq, %odd, %c1 : index
           %next = scf.if %take -> (!array.array<[n]f32>) {
             STEP(%made, %a, %b)
             scf.yield %made : !array.array<[n]f32>
           } else {
             scf.yield %a : !array.array<[n]f32>
           }
           scf.yield %b, %next : !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %q : !array.array<[n]f32>",
    ),
    (
        "a loop in a loop",
        "!array.array<[n]f32>",
        "%p, %q = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %b = %ys) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
           %s, %t = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %b, %v = %a) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
             STEP(%next, %u, %v)
             scf.yield %v, %next : !array.array<[n]f32>, !array.array<[n]f32>
           }
           scf.yield %t, %s : !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %q : !array.array<[n]f32>",
    ),
    (
        "an update in a loop that swaps",
        "!array.array<[n]f32>, !array.array<[n]f32>",
        "%is = array.iota %c1 : [1]index
         %p, %q = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %b = %ys) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
           %next = array.scatter (%k in %is : [1]index) into (%a : [n]f32) {
             array.yield %k, %half : index, f32
           }
           scf.yield %b, %next : !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %p, %q : !array.array<[n]f32>, !array.array<[n]f32>",
    ),
    (
        "three arrays that rotate, one updated after it is read",
        "!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>",
        "STEP(%zs, %xs, %ys)
         %p, %q, %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %b = %ys, %c = %zs) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
           STEP(%next, %a, %c)
           %third = arith.remsi %i, %c2 : index
           %u = array.update %half, %b[%third] : f32, [n]f32
           scf.yield %u, %next, %b : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
         }
         func.return %p, %q, %r : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>",
    ),
];

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |&(name, results, body): &'static (&str, &str, &str)| {
        Trial::test(format!("memory of loops: {name}"), move || {
            same_peak(&program(results, body)).map_err(Into::into)
        })
    };
    let bounded = || in_rounds().map_err(Into::into);
    let bounded = Trial::test(
        "memory of threads with arrays of differing lengths is bounded",
        bounded,
    );
    let none = |pipeline: &'static str| {
        let name = format!("scans whose last element is used take no memory: {pipeline}");
        Trial::test(name, move || without_arrays(pipeline).map_err(Into::into))
    };
    let none = ["array-to-gpu", "array-to-gpu-tiled"].map(none);
    let loops = PROGRAMS.iter().map(trial);
    loops.chain([bounded]).chain(none).collect()
}

fn program(results: &str, body: &str) -> String {
    let mut text = format!(
        "func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %rounds: index) -> ({results}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  "
    );
    for (number, line) in body.lines().enumerate() {
        match line
            .trim()
            .strip_prefix("STEP(")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            Some(names) => {
                let [next, a, b] = names.split(", ").collect::<Vec<_>>()[..] else {
                    panic!("three names: {line}")
                };
                text += &format!(
                    "{next} = array.map (%x{number} in {a} : [n]f32, %y{number} in {b} : [n]f32) {{
    %s{number} = arith.mulf %x{number}, %half : f32
    %d{number} = arith.subf %y{number}, %s{number} : f32
    array.yield %d{number} : f32
  }}"
                );
            }
            None => text += line,
        }
        text.push('\n');
    }
    text + "}\n"
}

fn same_peak(text: &str) -> Outcome {
    let program = Program::from_text("loop.mlir", text)
        .map_err(|failure| format!("{}\n{text}", rendered(&failure)))?;
    let Compiled { artifact, .. } = Compiler::new(crate::compile_options(DeviceChoice::Sim))
        .compile(program.clone())
        .map_err(|failure| rendered(&failure))?;
    let loaded = load(artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    let mut reports = Vec::new();
    for rounds in ROUNDS {
        let ramp = |from: f32| -> Value {
            Array::vector(&(0..300).map(|i| from + i as f32).collect::<Vec<_>>()).into()
        };
        let arguments = [ramp(0.0), ramp(7.0), Scalar::i64(rounds).into()];
        let output = entry
            .run_with(&arguments, &RunOptions::default())
            .map_err(|error| error.to_string())?;
        let expected =
            interpret(program.ir(), "main", &arguments).map_err(|failure| rendered(&failure))?;
        if let Some(difference) = compare(&output.results, &expected, Tolerance::EXACT) {
            return Err(format!("{rounds} rounds: {difference}"));
        }
        crate::nothing_leaked(&output.report)?;
        reports.push(output.report);
    }
    let memory = |report: &RunReport| {
        (
            report.peak_bytes,
            report.peak_held_bytes,
            report.device_allocations,
        )
    };
    let [few, many] = [memory(&reports[0]), memory(&reports[1])];
    if few == many {
        return Ok(());
    }
    Err(format!(
        "bytes live, bytes held, allocations: {few:?} in {} rounds, {many:?} in {}",
        ROUNDS[0], ROUNDS[1]
    ))
}

/// Each iteration scans as many numbers as its element says, and scans that backwards: the first scan has to be stored.
const IRREGULAR: &str = "
func.func @main(%iss: !array.array<[t][u]index>) -> !array.array<[t][u]i32> {
  %zero = arith.constant 0 : i32
  %r = array.map (%is in %iss : [t][u]index) {
    %row = array.map (%n in %is : [u]index) {
      %ks = array.iota %n : [?]i32
      %ms = array.scan (%ks : [?]i32) init (%zero : i32) combine arith.addi
      %back = array.reverse %ms, 0 : [?]i32
      %qs = array.scan (%back : [?]i32) init (%zero : i32) combine arith.xori
      %d = array.reduce (%qs : [?]i32) init (%zero : i32) combine arith.addi
      array.yield %d : i32
    }
    array.yield %row : [u]i32
  }
  func.return %r : !array.array<[t][u]i32>
}
";

/// Each iteration scans as many numbers as its element says, and returns three of the sums, chosen by data.
const ROWS: &str = "
func.func @main(%iss: !array.array<[t][u]index>) -> !array.array<[t][u][3]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = array.map (%is in %iss : [t][u]index) {
    %row = array.map (%n in %is : [u]index) {
      %more = arith.addi %n, %c1 : index
      %ks = array.iota %more : [?]i32
      %ms = array.scan (%ks : [?]i32) init (%zero : i32) combine arith.addi
      %js = array.iota %c3 : [3]index
      %some = array.map (%j in %js : [3]index) {
        %at = arith.remsi %j, %more : index
        %e = array.index %ms[%at] : [?]i32
        array.yield %e : i32
      }
      array.yield %some : [3]i32
    }
    array.yield %row : [u][3]i32
  }
  func.return %r : !array.array<[t][u][3]i32>
}
";

/// Each iteration scans as many numbers as its element says; the last sum is the result.
const LAST: &str = "
func.func @main(%is: !array.array<[t]index>) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = array.map (%n in %is : [t]index) {
    %ks = array.iota %n : [?]i32
    %ms = array.scan (%ks : [?]i32) init (%zero : i32) combine arith.addi
    %some = arith.cmpi sgt, %n, %c0 : index
    %d = scf.if %some -> (i32) {
      %last = arith.subi %n, %c1 : index
      %e = array.index %ms[%last] : [?]i32
      scf.yield %e : i32
    } else {
      scf.yield %zero : i32
    }
    array.yield %d : i32
  }
  func.return %r : !array.array<[t]i32>
}
";

/// Bytes of an argument and a result of so many elements, the length of the longest, what checks report to.
fn own_bytes(iterations: u64) -> u64 {
    iterations * 12 + 8 + segra_artifact::ErrorRecord::SIZE as u64
}

fn without_arrays(pipeline: &str) -> Outcome {
    let lengths: Vec<i64> = (0..50)
        .map(|at| if at == 5 { 5000 } else { at % 3 })
        .collect();
    most_bytes(LAST, pipeline.to_owned(), &[50], &lengths, own_bytes(50))
}

/// Runs a program on an array of lengths; the device's memory at most.
fn most_bytes(
    text: &str,
    pipeline: String,
    shape: &[usize],
    lengths: &[i64],
    most: u64,
) -> Outcome {
    let options = CompileOptions {
        pipeline,
        ..crate::compile_options(DeviceChoice::Sim)
    };
    let program =
        Program::from_text("irregular.mlir", text).map_err(|failure| rendered(&failure))?;
    let compiled = Compiler::new(options)
        .compile(program.clone())
        .map_err(|failure| rendered(&failure))?;
    let loaded = load(compiled.artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    let bytes = lengths.iter().flat_map(|at| at.to_le_bytes()).collect();
    let lengths =
        Array::from_bytes(ElemType::I64, shape, bytes).map_err(|error| error.to_string())?;
    let arguments = [Value::Array(lengths)];
    let output = entry
        .run_with(&arguments, &RunOptions::default())
        .map_err(|error| error.to_string())?;
    let expected =
        interpret(program.ir(), "main", &arguments).map_err(|failure| rendered(&failure))?;
    if let Some(difference) = compare(&output.results, &expected, Tolerance::EXACT) {
        return Err(difference.to_string());
    }
    crate::nothing_leaked(&output.report)?;
    if output.report.peak_bytes > most {
        return Err(format!(
            "{} bytes, expected at most {most}",
            output.report.peak_bytes
        ));
    }
    Ok(())
}

fn in_rounds() -> Outcome {
    const BYTES: u64 = 4096;
    const SHAPE: [usize; 2] = [12, 11];
    let pipeline = format!("lower-to-gpu{{scratch-bytes={BYTES}}}");
    let pipeline = segra::default_pipeline_with("lower-to-gpu", &pipeline);
    let iterations = SHAPE.iter().product::<usize>() as u64;
    // A length that two threads fit with, one that exceeds the limit for one; the others are short.
    for longest in [500, 5000i64] {
        let lengths: Vec<i64> = (0..iterations as i64)
            .map(|at| if at == 5 { longest } else { at % 7 })
            .collect();
        // Memory of threads beside: one at least has its own.
        let most = own_bytes(iterations) + BYTES.max(4 * longest as u64);
        // Rows are made with iterations side by side, and transposed.
        let rows = most + iterations * 2 * 3 * 4;
        for (text, most) in [(IRREGULAR, most), (ROWS, rows)] {
            most_bytes(text, pipeline.clone(), &SHAPE, &lengths, most)
                .map_err(|error| format!("longest {longest}: {error}"))?;
        }
    }
    Ok(())
}

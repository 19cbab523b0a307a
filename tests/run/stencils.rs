//! Stencils: random ones through the whole pipeline, in every version, the bytes that loops of them move, and their code.
//!
//! 40 random programs of one stencil, 40 of chains and 12 of loops of several, 2,000 each where `SEGRA_LONG=1`: validated after every pass, then as PTX on the simulator with all its
//! checkers. Thresholds are forced, so that small arrays run in tiles, too.

use crate::traffic::{profiles, run_text};
use crate::versions::{Shape, Subject};
use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{Array, Compiler, DeviceChoice, ElemType, Program, Scalar, Value};
use segra_tests::case;
use segra_tests::ptxas::Ptxas;
use segra_tests::random_stencil::{chain, program, steps};

/// Extents: smaller than neighbourhoods, none, primes, and those of which tiles have borders and an interior.
const SHAPES: &[Shape] = &[
    [1, 1, 1],
    [2, 3, 2],
    [0, 3, 3],
    [3, 0, 3],
    [37, 5, 2],
    [3, 139, 11],
];

/// Extents of the runs after every pass.
const VALIDATED: Shape = [3, 5, 2];

/// The text of a program from a seed.
type Text = fn(u64) -> String;

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let long = std::env::var_os("SEGRA_LONG").is_some();
    // Loops of several stencils have the most versions, and the longest kernels.
    let kinds: [(&str, Text, u64); 3] = [
        ("stencil", program, 40),
        ("stencil chain", chain, 40),
        ("stencil steps", steps, 12),
    ];
    let trial = |device: DeviceChoice, seed: u64, (kind, text): (&'static str, Text)| {
        let title = crate::title(&format!("random {kind} {seed}: whole pipeline"), device);
        Trial::test(title, move || {
            let text = text(seed);
            let run = || {
                let subject = Subject::new("random", &text, "19")?;
                subject.check_validated(device, SHAPES, Some(VALIDATED), |_, _| Ok(()))
            };
            run()
                .map(drop)
                .map_err(|error| format!("{error}\n{text}").into())
        })
    };
    let mut trials: Vec<Trial> = Vec::new();
    for &device in devices {
        for (kind, text, count) in kinds {
            let count = if long { 2000 } else { count };
            trials.extend((0..count).map(|seed| trial(device, seed, (kind, text))));
        }
    }
    trials.push(Trial::test("traffic: a hundred Jacobi steps", || {
        jacobi().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: steps of two fields", || {
        fields().map_err(Into::into)
    }));
    trials.push(Trial::test("instructions of a 9 by 9 stencil", || {
        nine().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: stencils of a stencil", || {
        chained().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: a map that feeds a stencil", || {
        fed().map_err(Into::into)
    }));
    trials
}

/// A map before a stencil of 5 by 5.
const FED: &str = "
func.func @main(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %c = arith.constant 0.5 : f32
  %s = array.map (%row in %a : [n][m]f32) {
    %q = array.map (%x in %row : [m]f32) {
      %y = arith.mulf %x, %c : f32
      %z = arith.subf %y, %x : f32
      array.yield %z : f32
    }
    array.yield %q : [m]f32
  }
  %r = array.stencil (BOX in %s : [n][m]f32 box [2, 2] clamp) {
SUM
  }
  func.return %r : !array.array<[n][m]f32>
}
";

/// A stencil of 9 by 9 with constant weights.
fn nine_by_nine() -> String {
    let neighbours = 0..81;
    let mut lines: Vec<String> = neighbours
        .clone()
        .map(|at| format!("  %w{at} = arith.constant 0.{:02} : f32", at * 37 % 81 + 1))
        .collect();
    let ty = "!array.array<[n][m]f32>";
    lines.insert(0, format!("func.func @main(%a: {ty}) -> {ty} {{"));
    let names: Vec<String> = neighbours.clone().map(|at| format!("%x{at}")).collect();
    let names = names.join(", ");
    lines.push(format!(
        "  %r = array.stencil ({names} in %a : [n][m]f32 box [4, 4] clamp) {{"
    ));
    let fast = "fastmath<contract> : f32";
    for at in neighbours {
        lines.push(format!("    %p{at} = arith.mulf %x{at}, %w{at} {fast}"));
        match at {
            0 => {}
            1 => lines.push(format!("    %s1 = arith.addf %p0, %p1 {fast}")),
            _ => lines.push(format!(
                "    %s{at} = arith.addf %s{}, %p{at} {fast}",
                at - 1
            )),
        }
    }
    lines.push("    array.yield %s80 : f32\n  }".to_owned());
    lines.push(format!("  func.return %r : {ty}\n}}"));
    lines.join("\n")
}

/// Points of a thread of a tile of two dimensions.
const POINTS: u64 = 32;
/// Bytes of an instruction since Volta.
const INSTRUCTION: u64 = 16;

/// A thread of a 9 by 9 stencil has at most 101 instructions for each of its points, in 32 bits, and nothing spills: 81 sums, and with them
/// two copies of what is around a tile, of which one inside runs the shorter one: at most 98.4 (`benches/README.md`).
fn nine() -> Outcome {
    let program = Program::from_text("nine.mlir", &nine_by_nine());
    let program = program.map_err(|failure| rendered(&failure))?;
    let compiled = Compiler::default().compile(program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let ptxas = Ptxas::find().map_err(|error| error.to_string())?;
    let target = artifact.targets.last().ok_or("there is no target")?;
    let kernels = ptxas.assemble(&target.ptx, &target.chip.to_string());
    let kernels = kernels.map_err(|error| error.to_string())?;
    let tile = kernels
        .iter()
        .find(|kernel| kernel.name.contains("_block_") && !kernel.name.ends_with("_64"))
        .ok_or("there is no kernel of tiles")?;
    match tile.code_bytes <= 101 * POINTS * INSTRUCTION && !tile.spills() {
        true => Ok(()),
        false => Err(format!("for {POINTS} points of a thread: {tile:?}")),
    }
}

/// As `array-to-kernel`, with maps that stay apart from stencils, and stencils of what maps make as kernels of their own.
const APART: &str = "recognise-stencils,explicit-checks,explicit-partitions,separate-starts,canonicalize,cse,algebra,\
    fuse{recompute=false},canonicalize,cse,flatten{versions=incremental},canonicalize,cse,fuse-loops,dce,schedule-stencils{steps=1}";

/// A map that only a stencil reads is computed by it: one kernel, and its result moves no bytes.
fn fed() -> Outcome {
    const SHAPE: [usize; 2] = [512, 1024];
    let names: Vec<String> = (0..25).map(|at| format!("%x{at}")).collect();
    let mut sums = vec!["    %s1 = arith.addf %x0, %x1 : f32".to_owned()];
    sums.extend((2..25).map(|at| format!("    %s{at} = arith.addf %s{}, %x{at} : f32", at - 1)));
    sums.push("    array.yield %s24 : f32".to_owned());
    let text = FED
        .replace("BOX", &names.join(", "))
        .replace("SUM", &sums.join("\n"));
    let count: usize = SHAPE.iter().product();
    let bytes: Vec<u8> = (0..count)
        .flat_map(|at| ((at % 7) as f32).to_le_bytes())
        .collect();
    let run = |pipeline: &str| -> Result<(usize, u64, Vec<Value>), case::Failure> {
        let array = crate::traffic::array(ElemType::F32, &SHAPE, bytes.clone())?;
        let run = run_text("fed", &text, &[array], pipeline)?;
        let all = profiles(&run);
        let moved = all
            .iter()
            .map(|p| p.traffic.memory_read_bytes + p.traffic.memory_written_bytes);
        let moved = moved.sum();
        Ok((all.len(), moved, run.results.clone()))
    };
    let apart = segra::default_pipeline_with("array-to-kernel", APART);
    let (together, apart) = (run(segra::DEFAULT_PIPELINE)?, run(&apart)?);
    let least = (2 * 4 * count) as u64;
    if together.2 != apart.2 {
        return Err("the results are not the same".into());
    }
    if (together.0, apart.0) != (1, 2) || together.1 * 10 > least * 11 || apart.1 < 2 * least {
        return Err(format!(
            "{} kernels move {} bytes, {} without the map in the stencil {}, of {least}",
            together.0, together.1, apart.0, apart.1
        ));
    }
    Ok(())
}

/// As the default pipeline, where each stencil is a kernel.
const ALONE: &str = "array-to-kernel,schedule-stencils{steps=1},kernel-to-gpu";

/// Four crosses, each of the one before it.
fn crosses() -> String {
    let ty = "[n][m]f32";
    let array = format!("!array.array<{ty}>");
    let mut lines = vec![
        format!("func.func @main(%s0: {array}) -> {array} {{"),
        "  %q = arith.constant 0.25 : f32".to_owned(),
    ];
    for stage in 1..=4 {
        let from = stage - 1;
        lines.push(format!(
            "  %s{stage} = array.stencil (%a, %b, %c, %d in %s{from} : {ty} at [[-1, 0], [0, -1], [0, 1], [1, 0]] clamp) {{\n    \
             %x = arith.addf %a, %b : f32\n    %y = arith.addf %c, %d : f32\n    %z = arith.addf %x, %y : f32\n    \
             %w = arith.mulf %z, %q : f32\n    array.yield %w : f32\n  }}"
        ));
    }
    lines.push(format!("  func.return %s4 : {array}\n}}"));
    lines.join("\n")
}

/// Four stencils of one another are one kernel, which moves less than half of what as many kernels do.
fn chained() -> Outcome {
    const SHAPE: [usize; 2] = [512, 1024];
    let count: usize = SHAPE.iter().product();
    let numbers = (0..count).map(|at| (at % 7) as f32);
    let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
    let run = |pipeline: &str| -> Result<(usize, u64, Vec<Value>), case::Failure> {
        let array = crate::traffic::array(ElemType::F32, &SHAPE, bytes.clone())?;
        let run = run_text("crosses", &crosses(), &[array], pipeline)?;
        let all = profiles(&run);
        let moved = all.iter().map(|p| 32 * p.traffic.l2_read_sectors);
        Ok((all.len(), moved.sum(), run.results.clone()))
    };
    let (together, apart) = (run(segra::DEFAULT_PIPELINE)?, run(ALONE)?);
    if together.2 != apart.2 {
        return Err("the results are not the same".into());
    }
    match (together.0, apart.0) == (1, 4) && together.1 * 2 < apart.1 {
        true => Ok(()),
        false => Err(format!(
            "{} kernels ask the L2 cache for {} bytes, {} for {}",
            together.0, together.1, apart.0, apart.1
        )),
    }
}

/// A loop of 100 Jacobi steps moves at most a quarter of what 100 passes over the array would.
fn jacobi() -> Outcome {
    const EXTENT: usize = 256;
    const STEPS: usize = 100;
    let path = case::folder().join("../benches/traffic/jacobi.mlir");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let numbers = (0..EXTENT * EXTENT).map(|at| (at % 7) as f32);
    let bytes = numbers.flat_map(f32::to_le_bytes).collect();
    let array = Array::from_bytes(ElemType::F32, &[EXTENT, EXTENT], bytes);
    let array = array.map_err(|error| error.to_string())?;
    let run = run_text(
        "jacobi",
        &text,
        &[Value::Array(array)],
        segra::DEFAULT_PIPELINE,
    )?;
    let all = profiles(&run);
    let sum = |bytes: &dyn Fn(&segra_runtime::Profile) -> u64| -> u64 {
        all.iter().map(|profile| bytes(profile)).sum()
    };
    let memory = sum(&|p| p.traffic.memory_read_bytes + p.traffic.memory_written_bytes);
    // Requests of the L1 caches to the L2 cache: neighbours' parts of a tile count there, whatever the L2 cache holds.
    let asked = sum(&|p| 32 * p.traffic.l2_read_sectors);
    let passes = (STEPS * 2 * EXTENT * EXTENT * 4) as u64;
    if memory * 4 > passes || asked * 4 > passes {
        return Err(format!(
            "{memory} bytes of memory, {asked} from L2, {passes} by passes over the array"
        ));
    }
    Ok(())
}

/// A loop of 32 steps of two fields, of a stencil and a map each, asks for at most half the bytes that one pass over both in each step reads.
fn fields() -> Outcome {
    const EXTENT: usize = 256;
    const STEPS: usize = 32;
    let path = case::folder().join("run/stencil/stencil-step-fields.mlir");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let numbers = (0..EXTENT * EXTENT).map(|at| (at % 7) as f32 / 7.0);
    let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
    let field = || crate::traffic::array(ElemType::F32, &[EXTENT, EXTENT], bytes.clone());
    let arguments = [
        field()?,
        field()?,
        Value::Scalar(Scalar::from_i64(ElemType::I64, STEPS as i64)),
    ];
    let run = run_text("fields", &text, &arguments, segra::DEFAULT_PIPELINE)?;
    let asked: u64 = (profiles(&run).iter())
        .map(|profile| 32 * profile.traffic.l2_read_sectors)
        .sum();
    let passes = (STEPS * 2 * EXTENT * EXTENT * 4) as u64;
    match asked * 2 <= passes {
        true => Ok(()),
        false => Err(format!(
            "{asked} bytes from L2, {passes} by passes over both fields"
        )),
    }
}

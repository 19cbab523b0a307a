//! Combinations of kernels that are listed for a script are those that are made of it: each kernel that a combination names, of the
//! nests that it names, and no other.
//!
//! A nest is known by the ops of its body and their places in the script, which kernels keep.

use super::scripts::examples;
use segra::fusion::{Combination, DEVICE, Exploration, Figures, Scope, Sizes, fusions};
use segra::{CompileOptions, Compiler, FusionChoice, Program};
use segra_ir::diag::file_position;
use segra_ir::{Block, Ir, Op};
use segra_std::scf::IfOp;
use segra_tests::case::{files, folder};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The extent that times are predicted for.
const EXTENT: i64 = 4096;
/// Most combinations of a script that is no example, spread over all.
const MOST: usize = 16;

/// Ops with their places.
type Ops = BTreeSet<(String, u32, u32)>;

/// A kernel: whether it has tiles, and the ops in it.
type Made = (bool, Ops);

/// Compiles combinations of a program's kernels.
struct Script {
    name: String,
    /// The program before they are chosen.
    kernels: Program,
    space: Exploration,
}

/// The search space of the only block with kernels of a program, all of whose sizes are `extent`.
fn space(name: &str, program: Program, extent: i64) -> Exploration {
    let sizes = Sizes {
        named: BTreeMap::new(),
        other: extent,
    };
    let figures = Figures::named(DEVICE).expect("they are stored");
    let mut spaces = fusions(program, Scope::All, (&sizes, figures)).expect("it lowers");
    assert_eq!(spaces.len(), 1, "{name}");
    spaces.remove(0).exploration
}

fn compiler(combination: usize) -> Compiler {
    Compiler::new(CompileOptions {
        fusion: Some(FusionChoice {
            combination,
            extent: EXTENT,
            blocks: false,
        }),
        ..CompileOptions::default()
    })
}

impl Script {
    fn read(path: &Path) -> Script {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).expect("it is a text");
        let program = segra_blas::read(&name, &text).expect("it is a script");
        let space = space(&name, program.clone(), EXTENT);
        let lowered = compiler(1).lower(program, "array-to-kernel", None);
        let kernels = Program::from_ir(lowered.expect("it lowers").ir).expect("it verifies");
        Script {
            name,
            kernels,
            space,
        }
    }

    /// The kernels that are made for a combination, in the order of the program.
    fn made(&self, combination: usize) -> Vec<Made> {
        made(&compiler(combination), self.kernels.clone())
    }
}

/// The kernels that are made of a program, given before they are chosen, in its order.
fn made(compiler: &Compiler, kernels: Program) -> Vec<Made> {
    let lowered = compiler.lower(kernels, "func.func(fuse-traversals)", None);
    let ir = lowered.expect("it lowers").ir;
    let function = ir.walk(ir.root()).into_iter().find(|&op| {
        ir.op_name_str(op) == "func.func"
            && segra_ir::interfaces::symbol_name(&ir, op)
                .is_some_and(|name| ir.ctx().str(name) == "main")
    });
    let function = function.expect("there is @main");
    let entry = ir.entry_block(ir.region(function, 0));
    let mut found = Vec::new();
    gather(&ir, entry.expect("it has a body"), &mut found);
    found
}

/// Collects the kernels of a block, each choice between versions in the one with all parallelism and the chosen kernels.
fn gather(ir: &Ir, block: Block, found: &mut Vec<Made>) {
    for op in ir.ops(block) {
        if let Some(choice) = ir.cast::<IfOp>(op) {
            let is_kernel = is_of_kernels(ir, choice);
            let version = ir.entry_block(ir.region(op, usize::from(!is_kernel)));
            gather(ir, version.expect("it is there"), found);
        }
        if !ir.op_name_str(op).starts_with("kernel.seg") {
            continue;
        }
        let inner: Vec<Op> = ir.walk(op).into_iter().filter(|&it| it != op).collect();
        let is_tiled = inner
            .iter()
            .any(|&it| ir.op_name_str(it).starts_with("kernel.seg"));
        // Reductions of the parts of tiles belong to their kernel.
        if ir.attr_named(op, "of_tiles").is_none() {
            found.push((
                is_tiled,
                inner.iter().filter_map(|&it| placed(ir, it)).collect(),
            ));
        }
    }
}

/// Whether a choice is between a chosen kernel and its nests, not between versions of one.
fn is_of_kernels(ir: &Ir, choice: IfOp) -> bool {
    let mut pending = vec![choice.condition(ir)];
    let mut asked = false;
    while let Some(value) = pending.pop() {
        let Some(made) = ir.defining_op(value) else {
            continue;
        };
        if ir.op_name_str(made) != "kernel.at_least" {
            pending.extend(ir.operands(made));
            continue;
        }
        asked = true;
        let name = ir.attr_named(made, "name");
        let name = name.and_then(|name| name.as_str(ir.ctx()));
        if name.is_some_and(|name| name.contains(".traverse")) {
            return true;
        }
    }
    !asked
}

/// An op that computes, and its place.
fn placed(ir: &Ir, op: Op) -> Option<(String, u32, u32)> {
    let name = ir.op_name_str(op);
    if !name.starts_with("arith.") && !name.starts_with("math.") || name == "arith.constant" {
        return None;
    }
    let (_, line, column) = file_position(ir.ctx(), ir.loc(op))?;
    Some((name.to_owned(), line, column))
}

/// Compares what is made with what is listed, of so many combinations; how many of those have a kernel of several nests, or tiles.
fn compare(script: &Script, most: usize) -> usize {
    let space = &script.space;
    let combinations: Vec<Combination> = space.combinations().collect();
    let kernels = |combination: &Combination| combination.kernels.clone().into_iter();
    let is_alone = |kernel: usize| {
        let kernel = &space.kernels[kernel];
        kernel.nests().len() == 1 && kernel.tile.is_none()
    };
    let apart = combinations.iter().position(|it| kernels(it).all(is_alone));
    let nests = script.made(1 + apart.expect("all nests may be kernels of their own"));
    assert_eq!(nests.len(), space.nests.len(), "{}", script.name);
    let all: Ops = nests.iter().flat_map(|nest| nest.1.clone()).collect();
    let step = combinations.len().div_ceil(most);
    let mut fused = 0;
    for (number, combination) in combinations.iter().enumerate().step_by(step) {
        let mut made = script.made(1 + number);
        for kernel in &mut made {
            kernel.1.retain(|op| all.contains(op));
        }
        let listed = kernels(combination).map(|kernel| {
            let kernel = &space.kernels[kernel];
            let ops = kernel
                .nests()
                .into_iter()
                .flat_map(|nest| nests[nest].1.clone());
            (kernel.tile.is_some(), ops.collect())
        });
        let mut listed: Vec<Made> = listed.collect();
        made.sort();
        listed.sort();
        let names = kernels(combination).map(|kernel| space.kernels[kernel].nests());
        let names: Vec<Vec<usize>> = names.collect();
        assert_eq!(made, listed, "{}: {}: {names:?}", script.name, 1 + number);
        fused += usize::from(!kernels(combination).all(is_alone));
    }
    fused
}

#[test]
fn all_that_are_listed_for_examples_are_made() {
    let paths = examples();
    let fused: usize = paths
        .iter()
        .map(|path| compare(&Script::read(path), usize::MAX))
        .sum();
    assert!(
        fused > 100,
        "{fused} combinations are of other kernels than nests"
    );
}

#[test]
fn those_of_nests_that_share_versions_are_made() {
    for path in files(&folder().join("run/combined"), segra_blas::ENDING).expect("they are there") {
        let fused = compare(&Script::read(&path), MOST);
        assert!(fused > 4, "{}: {fused}", path.display());
    }
}

#[test]
fn without_a_number_kernels_that_share_versions_are_all_made() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/run/sequences/two-widths.mlir");
    let text = std::fs::read_to_string(path).expect("it is there");
    let program = Program::from_text(path, &text).expect("it is a program");
    let compiler = Compiler::new(CompileOptions::default());
    let lowered = compiler.lower(program, "array-to-kernel", None);
    let kernels = Program::from_ir(lowered.expect("it lowers").ir).expect("it verifies");
    let made = made(&compiler, kernels);
    let tiled = made.iter().filter(|kernel| kernel.0).count();
    assert_eq!((tiled, made.len()), (2, 2), "{made:?}");
}

/// The alternatives in the library: what a function is called, and another one that computes the same.
fn alternatives() -> Vec<(String, String)> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../crates/blas/library/blas.mlir"
    );
    let text = std::fs::read_to_string(path).expect("it is there");
    let mut found = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("func.func")) {
        let Some((_, of)) = line.split_once("array.alternative_of = @") else {
            continue;
        };
        let name = |text: &str| -> String {
            let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
            text[..end.unwrap_or(text.len())].to_owned()
        };
        let (_, own) = line.split_once('@').expect("it has a name");
        found.push((name(of), name(own)));
    }
    found
}

/// A script in all ways to write its calls with alternatives, the script itself first.
fn with_alternatives(text: &str) -> Vec<String> {
    let mut found = vec![text.to_owned()];
    for (function, other) in alternatives() {
        let call = format!(" {function}(");
        for at in (0..text.matches(&call).count()).rev() {
            let swapped: Vec<String> = found
                .iter()
                .map(|text| {
                    let place = text.match_indices(&call).nth(at).expect("it is called").0;
                    let (before, behind) = text.split_at(place);
                    format!("{before} {other}({}", &behind[call.len()..])
                })
                .collect();
            found.extend(swapped);
        }
    }
    found
}

/// The bytes and time of the best combination, and how many kernels and combinations there are.
fn best(name: &str, text: &str, extent: i64) -> (f64, f64, usize, usize) {
    let program = segra_blas::read(name, text).expect("it is a script");
    let space = space(name, program, extent);
    let best = space.combinations().next().expect("there is one");
    let count = space.combinations().count();
    (best.bytes, best.time, space.kernels.len(), count)
}

#[test]
fn alternatives_of_functions_lead_to_the_same_kernels_or_worse_ones() {
    let (mut same, mut worse) = (0, 0);
    for path in examples() {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let ways = with_alternatives(&text);
        for extent in [256, EXTENT, 16384] {
            let own = best(&name, &text, extent);
            for way in &ways[1..] {
                let other = best(&name, way, extent);
                let is_nrm2 = way.contains("nrm2_two_pass(");
                assert!(
                    other.0 >= own.0 && other.1 >= own.1,
                    "{extent}: {own:?}, {other:?}:\n{way}"
                );
                assert_eq!(
                    other == own,
                    !is_nrm2,
                    "{extent}: {own:?}, {other:?}:\n{way}"
                );
                same += usize::from(other == own);
                worse += usize::from(other != own);
            }
        }
    }
    assert!(same > 60 && worse > 12, "{same} the same, {worse} worse");
}

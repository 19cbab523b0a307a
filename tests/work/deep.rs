//! Programs of any depth exhaust no stack: every pass takes chains of definitions far longer than its stack would do for
//! calls, on each level of the pipelines.

use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline, Threads};
use segra_tests::deep_programs::Chain;
use segra_text::{ParseOptions, parse_module, print};
use std::sync::Arc;

/// A small stack, so that short chains do: calls of 524 bytes, one for each link, exhaust it; most take more.
const STACK: usize = 1 << 19;
const LINKS: usize = 1000;
/// Ops in ops; the reader takes 256 levels of types, attributes and regions.
const LEVELS: usize = 40;
/// An array doubled so often has more elements than there are numbers.
const DOUBLINGS: usize = 64;

/// Runs one pass on a program. Whether it succeeds does not matter: a pass may refuse what is not for it.
fn run(ir: &mut Ir, pass: &str) -> bool {
    let registry = segra_pipeline::registry();
    // Passes on other ops than modules, and those with options that they need, are in pipelines.
    let Ok(pipeline) = Pipeline::parse(&format!("builtin.module({pass})"), &registry) else {
        return false;
    };
    let mut diags = Diagnostics::new();
    PassManager::new(&pipeline)
        .threads(Threads::Exactly(1))
        .run(ir, &mut diags)
        .is_ok()
}

fn read(chain: Chain, links: usize) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    let read = parse_module(
        &ctx,
        "deep",
        &chain.program(links),
        &ParseOptions::default(),
    );
    read.unwrap_or_else(|diags| panic!("{chain:?}: {}", first(&diags)))
}

/// The program on each level.
fn levels(chain: Chain) -> Vec<Ir> {
    let mut levels = vec![read(chain, if chain.is_nested() { LEVELS } else { LINKS })];
    for pipeline in ["array-to-kernel-one", "kernel-to-gpu"] {
        let mut next = levels[levels.len() - 1].clone();
        // A refused program ends here: it was refused with a message.
        if !run(&mut next, pipeline) {
            break;
        }
        levels.push(next);
    }
    levels
}

fn first(diags: &Diagnostics) -> String {
    diags
        .iter()
        .next()
        .map(|diagnostic| diagnostic.message.clone())
        .unwrap_or_default()
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .expect("a thread");
    thread.join().expect("it ends well");
}

/// All passes, each on copies of the program on each level.
fn every_pass_takes(chain: Chain) {
    on_a_small_stack(move || {
        for ir in levels(chain) {
            assert!(!print(&ir, ir.root(), &segra_text::PrintOptions::default()).is_empty());
            for entry in segra_pipeline::registry().passes() {
                run(&mut ir.clone(), entry.info.name);
            }
        }
    });
}

#[test]
fn arrays_joined_with_themselves_are_not_written_out() {
    let mut ir = read(Chain::Doubled, DOUBLINGS);
    assert!(run(&mut ir, "canonicalize"));
    let operands: usize = ir
        .walk(ir.root())
        .into_iter()
        .map(|op| ir.operands(op).count())
        .sum();
    assert!(operands < 64 * DOUBLINGS, "{operands} operands");
}

#[test]
fn arrays_joined_with_themselves_are_stored_between() {
    let ops = |links: usize| {
        let mut ir = read(Chain::Doubled, links);
        assert!(run(&mut ir, "array-to-gpu"));
        ir.walk(ir.root()).len()
    };
    let (few, many) = (ops(DOUBLINGS / 4), ops(DOUBLINGS));
    assert!(many < 6 * few, "{few} ops, then {many}");
}

#[test]
fn deep_nests_have_versions_of_their_inner_levels() {
    let kernels = |levels: usize| {
        let mut ir = read(Chain::Nest, levels);
        assert!(run(&mut ir, "array-to-kernel"));
        let ops = ir.walk(ir.root());
        let nest = |&&op: &&segra_ir::Op| ir.op_name_str(op).starts_with("kernel.seg");
        let around = |mut op| {
            let mut loops = 0;
            while let Some(parent) = ir.parent_op(op) {
                loops += usize::from(ir.op_name_str(parent) == "scf.for");
                op = parent;
            }
            loops
        };
        let loops = ops.iter().map(|&op| around(op)).max();
        (ops.iter().filter(nest).count(), loops)
    };
    assert_eq!(kernels(20), kernels(40));
}

/// The types of a nest name all sizes further in, so its text is quadratic in its levels; passes take no more than that.
#[test]
fn passes_take_work_as_the_text_of_a_nest_is_long() {
    let [few, many] = [15, 30].map(|levels| Chain::Nest.program(levels));
    let longer = many.len() as f64 / few.len() as f64;
    let (before, after) = (
        crate::work(&few, "array-to-gpu"),
        crate::work(&many, "array-to-gpu"),
    );
    let rows = before.iter().zip(&after);
    let slow: Vec<String> = rows
        .filter(|((_, few), (_, many))| {
            *many as f64 > 1.3 * longer * (*few).max(crate::LEAST) as f64
        })
        .map(|((name, few), (_, many))| format!("{name}: {few} bytes, then {many}"))
        .collect();
    assert!(slow.is_empty(), "text {longer:.1} times as long: {slow:#?}");
}

macro_rules! chains {
    ($($name:ident: $chain:ident,)*) => {$(
        #[test]
        fn $name() {
            every_pass_takes(Chain::$chain);
        }
    )*

        #[test]
        fn each_kind_of_chain_has_its_test() {
            assert_eq!([$(Chain::$chain),*], Chain::ALL);
        }
    };
}

chains! {
    products_in_a_map: InMap,
    products_on_the_host: OnHost,
    products_in_a_loop: InLoop,
    sums_that_are_an_index: Index,
    maps_of_maps: Maps,
    slices_of_slices: Slices,
    joined_arrays: Concats,
    updates_of_updates: Updates,
    branches_in_branches: Branches,
    loops_in_loops: Loops,
    maps_in_maps: Nest,
}

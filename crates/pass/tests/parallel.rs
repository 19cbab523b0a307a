//! Nested pipelines on any number of threads leave, count and report what one does that works in place.

mod support;

use segra_ir::interfaces::symbol_name;
use segra_ir::{Builder, Diagnostics, Ident, Ir, Loc, Op};
use segra_pass::Analysis;
use segra_pass::pipeline::Pipeline;
use segra_pass::timing::Timings;
use segra_pass::{
    Anchors, Instrumentation, Outcome, Pass, PassContext, PassEntry, PassEvent, PassInfo,
    PassManager, PassRegistry, PassResult, PipelineFailure, Statistics, Threads, VerifyEach,
    option_enum, pass_options,
};
use segra_text::{PrintOptions, print};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support::*;

option_enum! {
    /// How to go wrong.
    pub enum How {
        /// Fail.
        Fail = "fail",
        /// Panic.
        Panic = "panic",
    }
}

pass_options! {
    /// Goes wrong on the function called `stop`.
    pub struct TripPass {
        /// How.
        pub how: How = How::Fail,
    }
}

const TRIP: PassInfo = PassInfo {
    name: "trip",
    summary: "goes wrong on one function",
    reads: &[],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for TripPass {
    fn info(&self) -> &'static PassInfo {
        &TRIP
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        match (symbol_name(ir, op).map(|name| ir.ctx().str(name)), self.how) {
            (Some("stop"), How::Fail) => Err(cx.fail(ir, op, "is in the way")),
            (Some("stop"), How::Panic) => panic!("tripped"),
            _ => Ok(Outcome::unchanged()),
        }
    }
}

fn passes() -> PassRegistry {
    let mut passes = registry().passes().to_vec();
    passes.push(PassEntry::of::<TripPass>());
    PassRegistry::new(passes, Vec::new())
}

const FUNCTIONS: usize = 300;

/// A module of functions with uses in them, one of them called `stop`.
fn many() -> Ir {
    let names: Vec<String> = (0..FUNCTIONS)
        .map(|i| {
            if i == 200 {
                "stop".to_owned()
            } else {
                format!("f{i}")
            }
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut ir, blocks) = program(&names);
    for (index, &block) in blocks.iter().enumerate() {
        let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
        let value = constant(&mut b, index as i32);
        UseOp::build(&mut b, &[value, value]);
        let other = constant(&mut b, 1);
        let sum = AddOp::build(&mut b, value, other).result(b.ir);
        b.ir.set_value_name(sum, ir_name(b.ir, index));
        let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
        UseOp::build(&mut b, &[sum]);
    }
    ir
}

fn ir_name(ir: &Ir, index: usize) -> Ident {
    ir.ctx().ident(&format!("sum{index}"))
}

/// Wants to see passes one after another, so that they work in place.
struct Onlooker;

impl Instrumentation for Onlooker {}

/// Where passes work.
#[derive(Clone, Copy, Debug)]
enum Way {
    InPlace,
    Threads(usize),
}

type Result = (
    String,
    Vec<String>,
    std::result::Result<Statistics, PipelineFailure>,
);

fn run(text: &str, registry: &PassRegistry, way: Way) -> Result {
    run_on(many(), text, registry, |manager| way.choose(manager))
}

impl Way {
    fn choose(self, manager: PassManager<'_>) -> PassManager<'_> {
        match self {
            Way::InPlace => manager.instrument(Onlooker),
            Way::Threads(threads) => manager.threads(Threads::Exactly(threads)),
        }
    }
}

fn run_on(
    mut ir: Ir,
    text: &str,
    registry: &PassRegistry,
    choose: impl for<'a> FnOnce(PassManager<'a>) -> PassManager<'a>,
) -> Result {
    let mut diags = Diagnostics::new();
    let pipeline = Pipeline::parse(text, registry).expect("the pipeline reads");
    let outcome = choose(PassManager::new(&pipeline)).run(&mut ir, &mut diags);
    let lines = diags
        .iter()
        .map(|one| format!("{} {:?} {:?}", one.message, one.op_text, one.notes));
    (
        print(&ir, ir.root(), &PrintOptions::default()),
        lines.collect(),
        outcome,
    )
}

/// Holds back the first function until another thread has gone through many, then goes on or panics.
#[derive(Clone)]
struct Latecomer {
    others: Arc<AtomicUsize>,
    panics: bool,
}

/// As many as may be ahead of the first with two threads, about: batches have four functions.
const AHEAD: usize = 40;

impl Instrumentation for Latecomer {
    fn before_pass(&mut self, event: PassEvent<'_>, ir: &Ir) {
        if symbol_name(ir, event.op).map(|name| ir.ctx().str(name)) != Some("f0") {
            self.others.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let since = Instant::now();
        while self.others.load(Ordering::Relaxed) < AHEAD {
            assert!(
                since.elapsed() < Duration::from_secs(60),
                "nobody else works"
            );
            std::thread::yield_now();
        }
        assert!(!self.panics, "the first is lost");
    }
    fn fork(&self) -> Option<Box<dyn Instrumentation + Send>> {
        Some(Box::new(self.clone()))
    }
}

#[test]
fn the_outcome_is_that_of_one_thread() {
    let registry = passes();
    let steps = "act{what=grow remark=true},any(act),act{times=3 what=grow}";
    let text = format!("t.module(t.func({steps}),act,t.func(act{{remark=true}},on-functions))");
    let alone = run(&text, &registry, Way::InPlace);
    let counts = alone.2.as_ref().expect("all passes succeed");
    assert_eq!(counts.get("on-functions", "runs"), FUNCTIONS as u64);
    assert_eq!(alone.1.len(), 2 * FUNCTIONS);
    for threads in [1, 2, 3, 8] {
        assert!(
            run(&text, &registry, Way::Threads(threads)) == alone,
            "{threads} threads"
        );
    }
}

#[test]
fn after_a_failure_later_ops_are_untouched_as_with_one_thread() {
    let registry = passes();
    let text = "t.module(t.func(act{what=grow remark=true},trip))";
    let alone = run(text, &registry, Way::InPlace);
    assert!(alone.2.is_err());
    // Functions 0 to 200 were worked on, each with one remark; then comes the error.
    assert_eq!(alone.1.len(), 202);
    for threads in [1, 2, 5] {
        assert!(
            run(text, &registry, Way::Threads(threads)) == alone,
            "{threads} threads"
        );
    }
}

#[test]
fn a_pass_that_panics_is_an_internal_error() {
    let registry = passes();
    for way in [Way::InPlace, Way::Threads(1), Way::Threads(2)] {
        let (_, diags, outcome) = run("t.module(t.func(trip{how=panic}))", &registry, way);
        assert!(outcome.is_err());
        assert!(
            diags[0].contains("internal error: pass `trip` panicked: tripped"),
            "{diags:?}"
        );
    }
}

#[test]
fn batches_go_back_in_order_when_the_first_is_the_last_to_be_done() {
    let registry = passes();
    for text in [
        "t.module(t.func(act{what=grow remark=true}))",
        "t.module(t.func(act{what=grow remark=true},trip))",
    ] {
        let late = Latecomer {
            others: Arc::default(),
            panics: false,
        };
        let threads = run_on(many(), text, &registry, |manager| {
            manager
                .threads(Threads::Exactly(2))
                .instrument(late.clone())
        });
        assert!(threads == run(text, &registry, Way::InPlace), "{text}");
    }
}

#[test]
fn nobody_waits_for_a_thread_that_is_lost() {
    let registry = passes();
    let late = Latecomer {
        others: Arc::default(),
        panics: true,
    };
    let lost = std::panic::catch_unwind(|| {
        run_on(
            many(),
            "t.module(t.func(act{what=grow}))",
            &registry,
            |manager| {
                manager
                    .threads(Threads::Exactly(2))
                    .instrument(late.clone())
            },
        )
    });
    assert!(lost.is_err());
}

#[test]
fn what_is_not_isolated_is_done_in_place_and_all_after_it() {
    let registry = passes();
    let looks_out = || {
        let mut ir = many();
        let functions: Vec<Op> = ir
            .walk(ir.root())
            .into_iter()
            .filter(|&op| symbol_name(&ir, op).is_some())
            .collect();
        let inside = |ir: &Ir, op: Op| ir.blocks(ir.regions(op)[0]).next().expect("it has a body");
        let first = inside(&ir, functions[1]);
        let value = ir
            .ops(first)
            .flat_map(|op| ir.results(op))
            .next()
            .expect("it computes something");
        let block = inside(&ir, functions[150]);
        UseOp::build(&mut Builder::at_end(&mut ir, block, Loc::UNKNOWN), &[value]);
        ir
    };
    let text = "t.module(t.func(act{what=grow remark=true}))";
    let go = |way: Way| {
        run_on(looks_out(), text, &registry, |manager| {
            way.choose(manager).verify_each(VerifyEach::No)
        })
    };
    let alone = go(Way::InPlace);
    assert_eq!(alone.1.len(), FUNCTIONS);
    for threads in [1, 2, 5] {
        assert!(go(Way::Threads(threads)) == alone, "{threads} threads");
    }
}

/// How many ops there were.
struct Size(usize);

impl Analysis for Size {
    fn compute(ir: &Ir, op: Op) -> Size {
        Size(ir.walk(op).len())
    }
}

pass_options! {
    /// Fails where what is known of the size of an op is not its size.
    pub struct MeasurePass {}
}

const MEASURE: PassInfo = PassInfo {
    name: "measure",
    summary: "asks for a size",
    reads: &[],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for MeasurePass {
    fn info(&self) -> &'static PassInfo {
        &MEASURE
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let known = cx.analysis::<Size>(ir, op).0;
        let size = ir.walk(op).len();
        if known == size {
            Ok(Outcome::unchanged())
        } else {
            Err(cx.fail(ir, op, "was of another size"))
        }
    }
}

#[test]
fn what_was_known_of_the_program_is_forgotten_when_a_function_changes() {
    let mut passes = registry().passes().to_vec();
    passes.push(PassEntry::of::<MeasurePass>());
    let registry = PassRegistry::new(passes, Vec::new());
    let text = "t.module(measure,t.func(measure,act{what=grow},measure),measure)";
    for way in [Way::InPlace, Way::Threads(1), Way::Threads(2)] {
        let (_, diags, outcome) = run(text, &registry, way);
        assert!(outcome.is_ok(), "{way:?}: {diags:?}");
    }
}

#[test]
fn timings_see_every_thread() {
    let registry = passes();
    let mut ir = many();
    let pipeline = Pipeline::parse("t.module(t.func(act))", &registry).expect("the pipeline reads");
    let timings = Timings::new();
    let manager = PassManager::new(&pipeline).threads(Threads::Exactly(2));
    manager
        .instrument(timings.instrumentation())
        .run(&mut ir, &mut Diagnostics::new())
        .expect("it succeeds");
    let rows: Vec<(String, u64)> = timings
        .rows()
        .into_iter()
        .map(|row| (row.name, row.runs))
        .collect();
    let count = FUNCTIONS as u64;
    assert_eq!(
        rows,
        [
            ("'t.func' Pipeline".to_owned(), count),
            ("act".to_owned(), count)
        ]
    );
}

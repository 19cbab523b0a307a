//! The pass manager: nesting, verification, failures, watchers, analyses.

mod support;

use segra_ir::dominance::Dominance;
use segra_ir::{Diagnostics, Ir, Op};
use segra_pass::instrument::{BisectLimit, SkipPasses};
use segra_pass::print_ir::{Dump, PrintConfig, PrintIr, PrintStages};
use segra_pass::timing::Timings;
use segra_pass::*;
use std::cell::RefCell;
use support::*;

fn pipeline(text: &str) -> Pipeline {
    Pipeline::parse(text, &registry()).expect("the pipeline is right")
}

fn messages(diags: &Diagnostics) -> Vec<&str> {
    diags
        .iter()
        .map(|diagnostic| diagnostic.message.as_str())
        .collect()
}

#[test]
fn nested_pipelines_run_on_every_op_of_their_anchor_and_count() {
    let (mut ir, blocks) = program(&["f", "g", "h"]);
    let mut diags = Diagnostics::new();
    let text = "t.module(t.func(act{what=grow times=2}),any(act),act)";
    let statistics = PassManager::new(&pipeline(text))
        .run(&mut ir, &mut diags)
        .expect("all passes succeed");
    assert!(
        blocks
            .iter()
            .all(|&block| names(&ir, block) == ["t.use", "t.use"])
    );
    assert_eq!(statistics.get("act", "runs"), 3 + 3 + 1);
    assert!(diags.is_empty());
}

#[test]
fn a_failure_ends_the_pipeline_and_names_the_pass() {
    let (mut ir, blocks) = program(&["f", "g"]);
    let mut diags = Diagnostics::new();
    let text = "t.module(t.func(act{what=fail-silently},act{what=grow}))";
    assert_eq!(
        PassManager::new(&pipeline(text))
            .run(&mut ir, &mut diags)
            .err(),
        Some(PipelineFailure { pass: Some("act") })
    );
    assert_eq!(messages(&diags), ["'t.func' op made pass `act` fail"]);
    assert!(names(&ir, blocks[0]).is_empty());
    let mut diags = Diagnostics::new();
    assert!(
        PassManager::new(&pipeline("any(act{what=fail})"))
            .run(&mut ir, &mut diags)
            .is_err()
    );
    assert_eq!(
        messages(&diags),
        ["'t.module' op was to make this pass fail"]
    );
}

#[test]
fn a_pipeline_that_does_not_fit_the_program_is_refused() {
    let (mut ir, _) = program(&["f"]);
    let mut diags = Diagnostics::new();
    assert!(
        PassManager::new(&pipeline("t.func(act)"))
            .run(&mut ir, &mut diags)
            .is_err()
    );
    assert_eq!(
        messages(&diags),
        ["the pipeline runs on 't.func', the program is a 't.module'"]
    );
    // Constants are not isolated: a pass on one would have to see what is around it.
    let mut diags = Diagnostics::new();
    let root = ir.root();
    let body = ir
        .entry_block(ir.region(root, 0))
        .expect("the module has a block");
    constant(
        &mut segra_ir::Builder::at_end(&mut ir, body, segra_ir::Loc::UNKNOWN),
        1,
    );
    assert!(
        PassManager::new(&pipeline("t.module(t.const(act))"))
            .run(&mut ir, &mut diags)
            .is_err()
    );
    assert_eq!(
        messages(&diags),
        ["'t.const' op is not isolated from above: no pipeline can run on it"]
    );
    // `any` leaves it out.
    let mut diags = Diagnostics::new();
    let statistics = PassManager::new(&pipeline("t.module(any(on-functions))"))
        .run(&mut ir, &mut diags)
        .expect("it fits");
    assert_eq!(statistics.get("on-functions", "runs"), 1);
}

#[test]
fn passes_are_printed_around_changes_only_where_asked() {
    let (mut ir, _) = program(&["f"]);
    let (out, places) = (RefCell::new(String::new()), RefCell::new(Vec::new()));
    let config = PrintConfig {
        before: PassFilter::Names(vec!["on-functions".to_owned()]),
        after: PassFilter::All,
        only_changed: true,
        ..PrintConfig::default()
    };
    let printer = PrintIr::new(
        config,
        |ir: &Ir, op: Op| format!("<{}>\n", ir.walk(op).len()),
        |dump: &Dump| {
            out.borrow_mut().push_str(&dump.text);
            places
                .borrow_mut()
                .push(format!("{}/{}", dump.folders.join("/"), dump.file));
        },
    );
    let pipeline = pipeline("t.module(act,t.func(act{what=grow},on-functions))");
    PassManager::new(&pipeline)
        .instrument(printer)
        .run(&mut ir, &mut Diagnostics::new())
        .expect("all succeed");
    assert_eq!(
        *out.borrow(),
        "// -----// IR Dump After act ('t.func' operation: @f) //----- //\n<2>\n\n\
         // -----// IR Dump Before on-functions ('t.func' operation: @f) //----- //\n<2>\n\n"
    );
    let folder = "t_module_no-symbol-name/t_func_f";
    assert_eq!(
        *places.borrow(),
        [
            format!("{folder}/0_0_act.mlir"),
            format!("{folder}/0_1_on-functions.mlir")
        ]
    );
}

#[test]
fn timings_are_a_tree_with_one_row_per_pass_of_the_pipeline() {
    let (mut ir, _) = program(&["f", "g"]);
    let timings = Timings::new();
    let pipeline = pipeline("t.module(act,t.func(act,on-functions,act))");
    let manager = PassManager::new(&pipeline).instrument(timings.instrumentation());
    manager
        .run(&mut ir, &mut Diagnostics::new())
        .expect("all succeed");
    let rows: Vec<(usize, String, u64)> = timings
        .rows()
        .into_iter()
        .map(|row| (row.depth, row.name, row.runs))
        .collect();
    let row = |depth, name: &str, runs| (depth, name.to_owned(), runs);
    assert_eq!(rows[0], row(0, "act", 1));
    assert_eq!(rows[1], row(0, "'t.func' Pipeline", 2));
    assert_eq!(
        rows[2..],
        [
            row(1, "act", 2),
            row(1, "on-functions", 2),
            row(1, "act", 2)
        ]
    );
}

#[test]
fn passes_can_be_skipped_by_name_and_by_number() {
    let (mut ir, blocks) = program(&["f"]);
    let growing = pipeline("t.module(t.func(act{what=grow},act{what=grow},act{what=grow}))");
    let told = RefCell::new(String::new());
    let bisect = BisectLimit::new(2, PassFilter::All, |line: &str| {
        told.borrow_mut().push_str(line)
    });
    let limited = PassManager::new(&growing).instrument(bisect);
    limited
        .run(&mut ir, &mut Diagnostics::new())
        .expect("all succeed");
    assert_eq!(
        *told.borrow(),
        "BISECT: running pass (1) act on 't.func' @f\nBISECT: running pass (2) act on 't.func' @f\n\
         BISECT: NOT running pass (3) act on 't.func' @f\n"
    );
    assert_eq!(names(&ir, blocks[0]).len(), 2);
    let skip = SkipPasses(PassFilter::Names(vec!["act".to_owned()]));
    PassManager::new(&growing)
        .instrument(skip)
        .run(&mut ir, &mut Diagnostics::new())
        .expect("all succeed");
    assert_eq!(names(&ir, blocks[0]).len(), 2);
}

struct CountUses {
    before: usize,
}

impl PassValidator for CountUses {
    fn before_pipeline(&mut self, ir: &Ir, root: Op) -> Result<(), String> {
        self.before = ir.walk(root).len();
        Ok(())
    }
    fn after_pass(&mut self, _: &str, ir: &Ir, root: Op) -> Result<(), String> {
        let now = ir.walk(root).len();
        if now == self.before {
            Ok(())
        } else {
            Err(format!("{} ops, now {now}", self.before))
        }
    }
}

#[test]
fn a_validator_names_the_first_pass_that_changes_the_meaning() {
    let (mut ir, _) = program(&["f"]);
    let mut diags = Diagnostics::new();
    let pipeline = pipeline("t.module(act,t.func(on-functions,act{what=grow},act{what=grow}))");
    assert!(
        PassManager::new(&pipeline)
            .validate(CountUses { before: 0 })
            .run(&mut ir, &mut diags)
            .is_err()
    );
    assert_eq!(
        messages(&diags),
        ["pass `act` changed what the program computes: 2 ops, now 3"]
    );
}

/// Refuses programs of more than so many ops.
struct AtMost(usize);

impl PassValidator for AtMost {
    fn before_pipeline(&mut self, _: &Ir, _: Op) -> Result<(), String> {
        Ok(())
    }
    fn after_pass(&mut self, _: &str, ir: &Ir, root: Op) -> Result<(), String> {
        let now = ir.walk(root).len();
        (now <= self.0).then_some(()).ok_or(format!("{now} ops"))
    }
}

#[test]
fn stages_of_a_pass_are_printed_and_validated_one_by_one() {
    let text = "t.module(t.func(act{what=grow-in-stages times=3}))";
    let (mut ir, blocks) = program(&["f"]);
    let out = RefCell::new(Vec::new());
    let print = |ir: &Ir, op: Op| format!("{} with {}", ir.op_name_str(op), ir.walk(op).len() - 1);
    let printer = PrintStages::new(print, |text: &str| out.borrow_mut().push(text.to_owned()));
    PassManager::new(&pipeline(text))
        .instrument(printer)
        .run(&mut ir, &mut Diagnostics::new())
        .expect("all stages succeed");
    let dump = |n: usize| format!("// -----// act {n}: use {n} //----- //\nt.func with {n}\n\n");
    assert_eq!(out.into_inner(), [dump(1), dump(2), dump(3)]);
    assert_eq!(names(&ir, blocks[0]).len(), 3);

    let (mut ir, blocks) = program(&["f"]);
    let mut diags = Diagnostics::new();
    let done = PassManager::new(&pipeline(text))
        .validate(AtMost(3))
        .run(&mut ir, &mut diags);
    assert_eq!(done.err(), Some(PipelineFailure { pass: Some("act") }));
    assert_eq!(
        messages(&diags),
        ["`use 2` of pass `act` changed what the program computes: 4 ops"]
    );
    assert_eq!(names(&ir, blocks[0]).len(), 2, "the pass ended there");
}

#[test]
fn analyses_live_until_a_pass_changes_the_program_without_preserving_them() {
    let (ir, _) = program(&["f"]);
    let root = ir.root();
    let mut analyses = Analyses::new();
    analyses.get::<Dominance>(&ir, root);
    analyses.invalidate(&Outcome::unchanged().preserved);
    assert!(analyses.is_known::<Dominance>(root));
    analyses.invalidate(&Outcome::changed().preserving::<Dominance>().preserved);
    assert!(analyses.is_known::<Dominance>(root));
    analyses.invalidate(&Outcome::changed().preserved);
    assert!(!analyses.is_known::<Dominance>(root));
}

//! Schedules done to nests: any prefix keeps what a program computes, and what cannot be done is refused with its step.

mod support;

use segra_interp::Datum;
use segra_ir::Ir;
use segra_pass::Pass;
use segra_schedule::tile::{Stopped, apply};
use segra_schedule::{ApplySchedules, TileBlocks};
use segra_space::Schedule;
use support::{PRODUCT, count, factors, keeps, parse, run_pass, segmaps, text, verify};

const ALL: &str = "stripmine [8, 16] registers [2, 2], peel 4, chunk 4, distribute, interchange, stage, pipeline 2, repeat, unroll";

fn plain() -> String {
    PRODUCT.to_owned()
}

fn with(schedule: &str) -> String {
    PRODUCT.replace(
        "%j < %n) ",
        &format!("%j < %n) schedule #kernel.schedule<{schedule}> "),
    )
}

fn schedule(text: &str) -> Schedule {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn products() -> Vec<Vec<Datum>> {
    factors(&[
        (0, 3, 2),
        (3, 0, 2),
        (1, 1, 1),
        (7, 5, 11),
        (8, 4, 16),
        (13, 17, 9),
        (17, 8, 33),
    ])
}

/// Runs a pass; its diagnostics without the op that each is about, and whether it succeeded.
fn run(pass: &dyn Pass, ir: &mut Ir) -> (Vec<String>, bool) {
    let (diags, done) = run_pass(pass, ir);
    let message = |text: &str| {
        text.split_once(" op ")
            .map_or(text, |parts| parts.1)
            .to_owned()
    };
    let messages = diags.iter().map(|diag| message(&diag.message)).collect();
    (messages, done)
}

#[test]
fn every_prefix_of_a_schedule_keeps_results() {
    let all = schedule(ALL);
    for length in 1..=all.steps().len() {
        let steps = all.steps()[..length].to_vec();
        let prefix = Schedule::new(steps).expect("it is a prefix of one");
        let after = keeps(&plain(), &products(), |ir| {
            let mut seen = Vec::new();
            let done = apply(ir, segmaps(ir)[0], &prefix, &mut |ir, _, title| {
                verify(ir);
                seen.push(title.to_owned());
                Ok(())
            });
            assert!(done.is_ok(), "{prefix}: {done:?}");
            let wanted: Vec<String> = prefix
                .steps()
                .iter()
                .map(ToString::to_string)
                .filter(|step| step != "repeat")
                .collect();
            // The rest that full tiles leave of the loop is a second one, for `repeat`.
            let (further, first): (Vec<String>, _) = seen
                .into_iter()
                .partition(|title| title.ends_with(", of loop 2"));
            assert_eq!(first, wanted);
            assert_eq!(!further.is_empty(), prefix.to_string().contains("repeat"));
        });
        assert!(after.contains("kernel.segmap block"), "{after}");
    }
}

/// Without thread blocks, a loop goes around the points of a kernel each.
#[test]
fn a_loop_may_be_interchanged_without_tiles_of_points() {
    for text in [
        "chunk 4",
        "chunk 4, distribute",
        "peel 4, chunk 4, distribute, interchange",
    ] {
        keeps(&plain(), &products(), |ir| {
            let done = apply(ir, segmaps(ir)[0], &schedule(text), &mut |_, _, _| Ok(()));
            assert_eq!(done, Ok(0), "{text}");
        });
    }
}

#[test]
fn a_program_says_how_its_nests_are_rewritten() {
    let program = with(ALL);
    keeps(&program, &products(), |ir| {
        assert_eq!(run(&ApplySchedules {}, ir), (Vec::new(), true));
        assert!(!text(ir).contains("schedule"));
    });
    // The text is read as it is printed, and a pass that chooses tiles leaves the nest alone.
    let mut ir = parse(&program);
    assert!(text(&ir).contains(ALL), "{}", text(&ir));
    let before = text(&ir);
    assert_eq!(run(&TileBlocks::default(), &mut ir), (Vec::new(), true));
    assert_eq!(text(&ir), before);
}

/// The tiles that a pass chooses are a schedule like one that is written.
#[test]
fn chosen_tiles_are_a_schedule() {
    let chosen = TileBlocks {
        tile_y: 8,
        tile_x: 16,
        registers_y: 2,
        registers_x: 2,
        tile_k: 4,
        stages: 2,
        ..TileBlocks::default()
    };
    let (mut one, mut other, mut option) = (
        parse(&plain()),
        parse(&with(
            "stripmine [8, 16] registers [2, 2] runs [1, 2], peel 4, chunk 4, distribute, interchange, stage, pipeline upto 2, repeat",
        )),
        parse(&plain()),
    );
    run(&chosen, &mut one);
    run(&ApplySchedules {}, &mut other);
    assert_eq!(text(&one), text(&other));
    let given = TileBlocks {
        schedule: Some("stripmine [8, 16] registers [2, 2], peel 4, chunk 4, distribute, interchange, stage, pipeline 2, repeat".to_owned()),
        ..TileBlocks::default()
    };
    assert_eq!(run(&given, &mut option), (Vec::new(), true));
    assert_eq!(text(&one), text(&option));
}

#[test]
fn a_step_that_is_refused_is_named_with_its_reason() {
    let refused = |program: &str| {
        let mut ir = parse(program);
        let (messages, done) = run(&ApplySchedules {}, &mut ir);
        assert!(!done, "{program}");
        messages.join("\n")
    };
    let triangle = with("stripmine [8, 16], chunk 4, distribute, interchange")
        .replace("%k = %c0 to %u", "%k = %c0 to %i");
    assert_eq!(
        refused(&triangle),
        "stops step 4 of the schedule, `interchange`: the nest has a loop whose bounds differ between points"
    );
    let from_one = with("chunk 4").replace("%k = %c0 to %u", "%k = %c1 to %u");
    assert_eq!(
        refused(&from_one),
        "stops step 1 of the schedule, `chunk 4`: the nest has a loop that does not count from 0 by ones"
    );
    let deep = with("stripmine [32, 32], chunk 128, distribute, interchange, stage, pipeline 8");
    assert_eq!(
        refused(&deep),
        "stops step 6 of the schedule, `pipeline 8`: the nest has a loop that copies more than shared memory holds so often"
    );
    let sums = with(
        "stripmine [8, 16] registers [2, 2], chunk 4, distribute, interchange, stage, contract",
    );
    assert_eq!(
        refused(&sums),
        "stops step 6 of the schedule, `contract`: the nest has no sums of products that suit tensor cores"
    );
    let none = "func.func @main(%n: index) -> tensor<?xf32> {
      %zero = arith.constant 0.0 : f32
      %r = kernel.segmap thread (%i < %n) schedule #kernel.schedule<stripmine [32], chunk 4> -> (tensor<?xf32>) {
        kernel.return %zero : f32
      }
      func.return %r : tensor<?xf32>
    }";
    assert_eq!(
        refused(none),
        "stops step 2 of the schedule, `chunk 4`: the nest has no loop in its points"
    );
}

#[test]
fn whoever_watches_ends_a_schedule() {
    let mut ir = parse(&plain());
    let mut steps = 0;
    let segmap = segmaps(&ir)[0];
    let ended = apply(&mut ir, segmap, &schedule(ALL), &mut |_, _, _| {
        steps += 1;
        if steps == 3 {
            Err(segra_pass::PassFailure)
        } else {
            Ok(())
        }
    });
    assert_eq!(ended, Err(Stopped::Ended(segra_pass::PassFailure)));
    assert_eq!((steps, count(&ir, "kernel.untile")), (3, 1));
}

#[test]
fn schedules_of_the_option_are_checked() {
    let fails = |pass: TileBlocks| {
        let (messages, done) = run(&pass, &mut parse(&plain()));
        assert!(!done);
        messages.join("\n")
    };
    let wrong = TileBlocks {
        schedule: Some("stripmine [8, 16], stage".to_owned()),
        ..TileBlocks::default()
    };
    assert_eq!(
        fails(wrong),
        "option schedule: at column 20: `stage` needs `chunk` before it"
    );
    let both = TileBlocks {
        versions: segra_schedule::tile::Versions::BySize,
        schedule: Some("chunk 4".to_owned()),
        ..TileBlocks::default()
    };
    assert!(fails(both).contains("versions=one"));
}

//! The search finds the best versions of made-up programs in few runs, with noise, and goes on where it was killed.

mod support;

use proptest::prelude::*;
use segra_artifact::Side;
use segra_tune::cost::{FEWEST_RUNS, MOST_RUNS};
use segra_tune::journal::discard;
use segra_tune::measure::Settings;
use segra_tune::search::STEPS;
use segra_tune::{Agreement, Event, Interval, Journal, Measure, Resumed, Tuned, tune};
use std::path::Path;
use support::{Choice, Fake, chain, name};

fn search(fake: &mut Fake, data_sets: usize) -> Tuned {
    tune(&fake.artifact(), data_sets, fake, &mut |_| {}).expect("no run fails")
}

/// The least cost over all settings, tried one by one.
fn least(fake: &Fake, data_sets: usize) -> f64 {
    let count = fake.choices.len();
    let all = (0..1u32 << count).map(|bits| {
        let setting = |at: usize| (name(at), if bits >> at & 1 == 0 { 0 } else { i64::MAX });
        let settings: Settings = (0..count).map(setting).collect();
        (0..data_sets)
            .map(|data_set| fake.exact(data_set, &settings).cost)
            .sum()
    });
    all.fold(f64::INFINITY, f64::min)
}

proptest! {
    #[test]
    fn one_data_set_gets_its_best_version(levels in 1usize..8, seed: u64) {
        let mut fake = chain(levels, 1, seed);
        let tuned = search(&mut fake, 1);
        let found = fake.exact(0, &tuned.settings()).cost;
        prop_assert_eq!(found, least(&fake, 1));
        prop_assert_eq!(tuned.data_sets[0].tuned, found);
        prop_assert!(tuned.data_sets[0].tuned <= tuned.data_sets[0].default);
    }

    /// The stated bound, which is linear in comparisons and data sets; an exact cost needs far fewer.
    #[test]
    fn runs_are_linear_in_comparisons_and_data_sets(levels in 1usize..40, data_sets in 1usize..5, seed: u64) {
        let mut fake = chain(levels, data_sets, seed);
        let tuned = search(&mut fake, data_sets);
        prop_assert_eq!(tuned.runs, fake.made);
        prop_assert!(tuned.runs <= data_sets * (STEPS * levels + 2));
        // Each comparison asks for one new version; that of the last one's other side, and the two at the end.
        prop_assert!(tuned.runs <= data_sets * (levels + 3), "{} runs for {levels} levels", tuned.runs);
    }
}

/// Small data sets want the flat version, large ones the outer one.
fn crossing() -> Fake {
    let values = [16, 256, 4096, 65536];
    Fake::new(vec![Choice {
        under: None,
        values: values.iter().map(|&value| vec![value]).collect(),
        at_least: vec![90.0, 50.0, 20.0, 10.0],
        below: vec![30.0, 30.0, 30.0, 30.0],
    }])
}

#[test]
fn intervals_of_several_data_sets_are_intersected() {
    let mut fake = crossing();
    let tuned = search(&mut fake, 4);
    let row = &tuned.thresholds[0];
    assert_eq!(row.interval.to_string(), "257 to 4096");
    assert_eq!((row.value, row.agreement), (1024, Agreement::All));
    let best: Vec<String> = row
        .best
        .iter()
        .map(|best| best.expect("asked everywhere").to_string())
        .collect();
    assert_eq!(
        best,
        ["above 16", "above 256", "at most 4096", "at most 65536"]
    );
}

#[test]
fn data_sets_that_contradict_each_other_are_settled_by_their_sum() {
    let mut fake = crossing();
    fake.choices[0].at_least = vec![10.0, 50.0, 20.0, 40.0];
    let tuned = search(&mut fake, 4);
    // Above 65536: 30 everywhere, 120. 257 to 4096: 30 + 30 + 20 + 40. At most 16: 10 + 50 + 20 + 40.
    assert_eq!(tuned.thresholds[0].agreement, Agreement::Compromise(30.0));
    let total: f64 = tuned.data_sets.iter().map(|row| row.tuned).sum();
    assert_eq!(total, 120.0);
}

#[test]
fn a_threshold_asked_with_many_values_in_a_loop_takes_few_runs() {
    let mut fake = Fake::new(vec![Choice {
        under: None,
        values: vec![(1..=300).collect()],
        at_least: vec![1.0],
        below: vec![2.0],
    }]);
    let tuned = search(&mut fake, 1);
    assert!(tuned.runs <= STEPS + 2, "{}", tuned.runs);
    assert_eq!(tuned.thresholds[0].interval.to_string(), "at most 1");
}

#[test]
fn thresholds_that_are_not_asked_keep_their_defaults() {
    let mut fake = chain(2, 1, 5);
    fake.choices[1].values = vec![vec![]];
    let tuned = search(&mut fake, 1);
    assert_eq!(
        (tuned.thresholds[1].value, tuned.thresholds[1].agreement),
        (1 << 15, Agreement::Unasked)
    );
    assert_eq!(tuned.thresholds[1].best, [None]);
}

#[test]
fn noise_is_repeated_away() {
    let mut fake = chain(4, 2, 11);
    fake.noise = Some(0.05);
    let tuned = search(&mut fake, 2);
    let found: f64 = (0..2)
        .map(|set| fake.exact(set, &tuned.settings()).cost)
        .sum();
    let mut quiet = chain(4, 2, 11);
    let wanted: f64 = {
        let exact = search(&mut quiet, 2);
        (0..2)
            .map(|set| quiet.exact(set, &exact.settings()).cost)
            .sum()
    };
    assert!(found <= wanted * 1.02, "{found} against {wanted}");
    assert!(fake.made > quiet.made, "noisy runs are repeated");
}

/// One choice between costs with noise of 5 %: which is taken, in how many runs.
fn noisy_choice(at_least: f64, below: f64) -> (bool, usize) {
    let choice = Choice {
        under: None,
        values: vec![vec![1000]],
        at_least: vec![at_least],
        below: vec![below],
    };
    let mut fake = Fake::new(vec![choice]);
    fake.noise = Some(0.05);
    let tuned = search(&mut fake, 1);
    (tuned.thresholds[0].value <= 1000, fake.made)
}

#[test]
fn candidates_are_run_until_their_confidence_intervals_separate() {
    // Twice as expensive shows at once; 4 % of difference only in the mean of more runs.
    assert_eq!(noisy_choice(100.0, 200.0), (true, 2 * FEWEST_RUNS));
    let (taken, runs) = noisy_choice(100.0, 104.0);
    assert!(
        taken && runs > 2 * FEWEST_RUNS && runs < 2 * MOST_RUNS,
        "{taken} in {runs} runs"
    );
    let (taken, runs) = noisy_choice(104.0, 100.0);
    assert!(
        !taken && runs > 2 * FEWEST_RUNS && runs < 2 * MOST_RUNS,
        "{taken} in {runs} runs"
    );
    // Settings that nothing tells apart take the most runs there are, and no more.
    assert_eq!(noisy_choice(100.0, 100.01).1, 2 * MOST_RUNS);
}

#[test]
fn versions_that_noise_does_not_tell_apart_count_as_equal() {
    for (at_least, below) in [(100.0, 100.01), (100.01, 100.0)] {
        let choice = Choice {
            under: None,
            values: vec![vec![1000]],
            at_least: vec![at_least],
            below: vec![below],
        };
        let mut fake = Fake::new(vec![choice]);
        fake.noise = Some(0.05);
        let tuned = search(&mut fake, 1);
        assert_eq!(tuned.thresholds[0].interval, Interval::ALL);
        assert_eq!(
            tuned.thresholds[0].value,
            1 << 15,
            "the default, as nothing speaks against it"
        );
    }
}

#[test]
fn the_deepest_comparison_is_settled_first() {
    let mut fake = chain(5, 2, 9);
    let mut order = Vec::new();
    let artifact = fake.artifact();
    let done = tune(&artifact, 2, &mut fake, &mut |event| {
        if let Event::Chose(row) = event {
            order.push(row.name.clone());
        }
    });
    done.expect("no run fails");
    assert_eq!(order, [4, 3, 2, 1, 0].map(name));
}

fn of_journal(path: &Path, fake: Fake) -> (Result<Tuned, String>, Resumed, usize) {
    let artifact = fake.artifact();
    let (mut journal, resumed) = Journal::open(path, "program on device", fake).expect("opens");
    let mut made = 0;
    let result = tune(&artifact, 2, &mut journal, &mut |event| {
        made += usize::from(matches!(event, Event::Ran { .. }))
    });
    if result.is_ok() {
        journal.finish().expect("writes");
    }
    (result.map_err(|error| error.to_string()), resumed, made)
}

#[test]
fn a_killed_search_goes_on_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut whole = chain(5, 2, 3);
    whole.noise = Some(0.02);
    let path = folder.path().join("whole.log");
    let (wanted, resumed, all) = of_journal(&path, whole.clone());
    let wanted = wanted.expect("nobody kills it");
    assert_eq!(resumed, Resumed::New);
    for killed in [0, 1, 2, all / 2, all - 1] {
        let path = folder.path().join(format!("{killed}.log"));
        let mut part = whole.clone();
        part.limit = killed;
        assert!(
            of_journal(&path, part).0.is_err(),
            "killed after {killed} runs"
        );
        // The line it was killed in is lost, those before are not.
        let mut text = std::fs::read_to_string(&path).expect("written");
        text += "{\"data_set\":1,\"sett";
        std::fs::write(&path, text).expect("writes");
        let mut rest = whole.clone();
        for _ in 0..killed {
            // The same noise as without the kill.
            rest.run(0, &Settings::new()).expect("runs");
        }
        rest.made = 0;
        rest.limit = all - killed;
        let (found, resumed, _) = of_journal(&path, rest);
        assert_eq!(resumed, Resumed::Runs(killed));
        assert_eq!(
            found.expect("no more runs than were missing"),
            wanted,
            "killed after {killed} runs"
        );
    }
    // A search that ended is not gone on with: a new one makes its runs itself.
    let mut none = whole.clone();
    none.limit = 0;
    let (result, resumed, _) = of_journal(&path, none);
    assert_eq!((result.is_err(), resumed), (true, Resumed::New));
}

#[test]
fn a_search_that_was_killed_twice_goes_on_from_all_of_its_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    for (limit, recorded) in [(2, 0), (3, 2), (1, 5), (usize::MAX, 6)] {
        let mut part = chain(5, 2, 3);
        part.limit = limit;
        let (result, resumed, _) = of_journal(&path, part);
        let wanted = if recorded == 0 {
            Resumed::New
        } else {
            Resumed::Runs(recorded)
        };
        assert_eq!(
            (resumed, result.is_ok()),
            (wanted, limit == usize::MAX),
            "after {recorded} runs"
        );
    }
}

#[test]
fn a_log_of_something_else_is_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let open = |of: &str| Journal::open(&path, of, chain(2, 1, 1)).map(|row| row.1);
    assert_eq!(open("a").expect("opens"), Resumed::New);
    assert_eq!(open("a").expect("opens"), Resumed::Runs(0));
    assert_eq!(open("b").expect("opens"), Resumed::Other);
    // A first line that was cut off was one of a search that made no run.
    let first = std::fs::read_to_string(&path).expect("written");
    for cut in [0, 1, 10, first.len() - 1] {
        std::fs::write(&path, &first[..cut]).expect("writes");
        assert_eq!(open("b").expect("opens"), Resumed::New, "{cut}");
    }
    let missing = folder.path().join("no/log");
    let error = Journal::open(&missing, "a", chain(2, 1, 1))
        .expect_err("no such folder")
        .to_string();
    assert!(
        error.contains("cannot write log") && error.contains("no/log"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_no_log_is_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes");
    for text in [
        "not a log\n\u{0}",
        "{\"done\":true}\n",
        "{",
        "{\"a\"",
        "x",
        "\n",
    ] {
        std::fs::write(&path, text).expect("writes");
        let opened = Journal::open(&path, "a", chain(2, 1, 1)).map(|row| row.1);
        let kept = text == "{";
        assert_eq!(opened.is_ok(), kept, "{text:?}: {opened:?}");
        if kept {
            continue;
        }
        let refused = [opened.expect_err(text), discard(&path).expect_err(text)];
        for error in refused.map(|error| error.to_string()) {
            assert!(
                error.contains("notes: there is something else in it, and it is kept"),
                "{error}"
            );
        }
        assert_eq!(std::fs::read_to_string(&path).expect("kept"), text);
    }
    std::fs::remove_file(&path).expect("there");
    assert!(
        Journal::open(&path, "a", chain(2, 1, 1)).is_ok()
            && discard(&path).is_ok()
            && !path.exists()
    );
    assert!(discard(&path).is_ok(), "there is nothing to remove");
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_is_a_device_without_an_end_is_refused_and_not_read() {
    let full = Path::new("/dev/full");
    let error = Journal::open(full, "a", chain(2, 1, 1))
        .expect_err("it cannot be written")
        .to_string();
    assert!(error.contains("cannot write log /dev/full"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_is_a_pipe_is_not_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&path)
        .status()
        .expect("mkfifo runs");
    assert!(made.success());
    let error = discard(&path).expect_err("it is no log").to_string();
    assert!(error.contains("something else") && path.exists(), "{error}");
}

#[test]
fn a_version_on_the_other_side_is_reached_too() {
    // The second choice stands where the first is large.
    let choice = |under, at_least, below| Choice {
        under,
        values: vec![vec![50]],
        at_least: vec![at_least],
        below: vec![below],
    };
    // Either side of it, so that the default is right only once.
    for (at_least, below) in [(7.0, 3.0), (3.0, 7.0)] {
        let inner = choice(Some((0, Side::AtLeast)), at_least, below);
        let mut fake = Fake::new(vec![choice(None, 0.0, 9.0), inner]);
        let tuned = search(&mut fake, 1);
        assert_eq!(tuned.data_sets[0].tuned, 3.0, "{tuned:?}");
    }
}

//! Versions: searches for thresholds, their logs and files, and what `explain` says of them.

use super::*;
use crate::support::ROWS;
use serde_json::Value as Json;

/// The passes with both the outer and the flattened version.
const VERSIONS: &str = "record-source,canonicalize,cse,flatten{versions=incremental block-limit=0},canonicalize,cse,\
    dce,func.func(choose-forms,vectorize,choose-mapping),lower-to-gpu,canonicalize,cse,dce,update-in-place,free-memory,lower-checks,gpu.module(contract-fma),annotate-kernels";
const FEW: &str = "random:4x4096; random:4096";
const MANY: &str = "random:20000x2; random:2";
/// Thresholds with which rows of up to 33 elements have a thread each, from four rows on.
const OUTER: [&str; 4] = [
    "--threshold",
    "main.top.0=4",
    "--threshold",
    "main.top.0.long=34",
];

/// A folder with an artifact of several versions.
fn versions() -> tempfile::TempDir {
    let folder = folder();
    std::fs::write(folder.path().join("rows.mlir"), ROWS).expect("can be written");
    let args = [
        "compile",
        "rows.mlir",
        "--pipeline",
        VERSIONS,
        "--target",
        "sm_90",
        "-o",
        "rows.segra",
    ];
    succeeds(&segra(folder.path(), &args));
    folder
}

fn read(folder: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_default()
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn tuning_chooses_versions_and_runs_pick_them_up_without_compiling_again() {
    let folder = versions();
    let at = folder.path();
    let tune = [
        "tune",
        "rows.segra",
        "--device",
        "sim",
        "--data",
        FEW,
        "--data",
        MANY,
    ];
    let output = segra(at, &tune);
    succeeds(&output);
    assert!(
        stdout(&output).contains("main.top.0"),
        "{}",
        stdout(&output)
    );
    let tuning = read(&folder, "rows.segra.tuning");
    assert!(
        tuning.starts_with("# Thresholds of rows.segra") && tuning.contains(MANY),
        "{tuning}"
    );
    let value: i64 = tuning
        .lines()
        .find_map(|line| line.strip_prefix("main.top.0="))
        .and_then(|value| value.parse().ok())
        .expect("the threshold has a value");
    assert!(value > 4, "few long rows are reduced in parallel: {tuning}");
    assert!(read(&folder, "rows.segra.tuning.log").ends_with("{\"done\":true}\n"));

    let asked = |args: &[&str]| {
        let output = segra(
            at,
            &[&["run", "rows.segra", "--device", "sim", "--json"], args].concat(),
        );
        succeeds(&output);
        let json = stdout(&output);
        assert!(
            json.contains("\"name\":\"main.top.0\"") && json.contains("\"compared_with\":4"),
            "{json}"
        );
        (
            json.contains("main_segmap_0"),
            stderr(&output).contains("tuning: 6 thresholds from rows.segra.tuning"),
        )
    };
    let few = ["--input", "random:4x33", "--input", "random:33"];
    assert_eq!(asked(&few), (false, true), "flattened, as tuned");
    assert_eq!(
        asked(&[&few[..], &OUTER].concat()),
        (true, true),
        "outer, as asked"
    );
    assert_eq!(
        asked(&[&few[..], &["--no-tuning"]].concat()),
        (false, false)
    );
    let other = "main.top.0 = 3 # outer\nmain.top.0.long = 34\n";
    std::fs::write(at.join("other"), other).expect("can be written");
    assert_eq!(
        asked(&[&few[..], &["--tuning", "other"]].concat()),
        (true, false)
    );

    let output = segra(
        at,
        &[
            "bench",
            "rows.segra",
            "--device",
            "sim",
            "--data",
            FEW,
            "--no-tuning",
            "--json",
        ],
    );
    succeeds(&output);
    assert!(
        stdout(&output).contains("\"microseconds\":"),
        "{}",
        stdout(&output)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_search_that_was_killed_goes_on_from_its_log() {
    let folder = versions();
    let tune = [
        "tune",
        "rows.segra",
        "--device",
        "sim",
        "--data",
        FEW,
        "--data",
        MANY,
        "--json",
    ];
    succeeds(&segra(folder.path(), &tune));
    let (tuning, log) = (
        read(&folder, "rows.segra.tuning"),
        read(&folder, "rows.segra.tuning.log"),
    );
    // As if killed while it wrote the fourth line.
    let kept: String = log
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(
        folder.path().join("rows.segra.tuning.log"),
        kept + "{\"data_se",
    )
    .expect("can be written");
    std::fs::remove_file(folder.path().join("rows.segra.tuning")).expect("was there");
    let output = segra(folder.path(), &tune);
    succeeds(&output);
    assert!(
        stderr(&output).contains("going on from 2 runs"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        (
            read(&folder, "rows.segra.tuning"),
            read(&folder, "rows.segra.tuning.log")
        ),
        (tuning, log)
    );
}

/// The contents of a terminal after each piece it was sent: text, returns to the start of the line, erased lines, lines up.
fn screens(sent: &str) -> Vec<Vec<String>> {
    let (mut lines, mut row, mut column) = (vec![String::new()], 0, 0);
    let mut shown = Vec::new();
    let mut escaped = false;
    for piece in sent.split_inclusive(['\r', '\n', '\u{1b}']) {
        let mut text = piece.trim_end_matches(['\r', '\n', '\u{1b}']);
        if std::mem::replace(&mut escaped, piece.ends_with('\u{1b}')) {
            let end = text
                .find(|letter: char| letter.is_ascii_alphabetic())
                .expect("a sequence has an end");
            let number: usize = text[1..end].parse().unwrap_or(1);
            match &text[end..=end] {
                "K" => lines[row].clear(),
                "A" => row -= number.min(row),
                _ => {}
            }
            text = &text[end + 1..];
        }
        let kept: String = lines[row].chars().take(column).collect();
        let rest: String = lines[row]
            .chars()
            .skip(column + text.chars().count())
            .collect();
        lines[row] = kept + text + &rest;
        column += text.chars().count();
        if piece.ends_with('\r') {
            column = 0;
        } else if piece.ends_with('\n') {
            row += 1;
            lines.resize(lines.len().max(row + 1), String::new());
        }
        shown.push(lines.clone());
    }
    shown
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_terminal_shows_how_far_a_search_is_and_nothing_of_that_afterwards() {
    let folder = versions();
    let at = folder.path();
    let tune = [
        "tune",
        "rows.segra",
        "--device",
        "sim",
        "--data",
        FEW,
        "--data",
        MANY,
    ];
    let quoted: Vec<String> = tune.iter().map(|part| format!("'{part}'")).collect();
    let line = format!(
        "'{}' {} > table",
        env!("CARGO_BIN_EXE_segra"),
        quoted.join(" ")
    );
    // `script` gives the tool a terminal of its own.
    let mut command = std::process::Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    command
        .current_dir(at)
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null());
    let output = command
        .output()
        .expect("script, of Debian's bsdutils, starts");
    succeeds(&output);
    let shown = screens(&stdout(&output));
    // Six thresholds on two data sets are twelve steps.
    let first = |part: &str| {
        shown
            .iter()
            .position(|lines| lines.iter().any(|line| line.contains(part)))
    };
    let steps = [" 0/0 ", " 1/12 ", " 12/12 "]
        .map(|step| first(step).unwrap_or_else(|| panic!("{step}: {shown:?}")));
    assert!(steps.is_sorted(), "{shown:?}");
    assert!(first("12 runs, main.top.0").is_some(), "{shown:?}");
    let last = shown.last().expect("something is shown").join("\n");
    assert!(
        last.contains("runs, log: rows.segra.tuning.log\ntuning: rows.segra.tuning"),
        "{last}"
    );
    assert!(
        !last.contains("10/10") && !last.contains("main.top.0"),
        "{last}"
    );
    assert!(
        read(&folder, "table").contains("main.top.0"),
        "the result goes where it was told to"
    );
    // No terminal, no bar.
    let output = segra(at, &tune);
    succeeds(&output);
    assert!(
        !stderr(&output).contains("/2") && !stderr(&output).contains('\u{1b}'),
        "{}",
        stderr(&output)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_search_that_never_ran_leaves_no_log() {
    let folder = versions();
    let bad = "random:4x4096; random:5";
    let args = ["tune", "rows.segra", "--device", "sim", "--data", bad];
    let output = segra(folder.path(), &args);
    let said = stderr(&output);
    assert!(
        !output.status.success() && said.contains("data set"),
        "{said}"
    );
    assert!(!said.contains("are kept"), "{said}");
    assert!(!folder.path().join("rows.segra.tuning.log").exists());
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_log_of_another_search_is_not_gone_on_with_nor_one_that_is_not_wanted() {
    let folder = versions();
    let tune = |more: &[&str]| {
        let output = segra(
            folder.path(),
            &[&["tune", "rows.segra", "--device", "sim"], more].concat(),
        );
        succeeds(&output);
        (
            stderr(&output),
            read(&folder, "rows.segra.tuning.log").lines().count(),
        )
    };
    let lines = tune(&["--data", FEW]).1;
    let cut = || {
        let log = read(&folder, "rows.segra.tuning.log");
        let kept: String = log
            .lines()
            .take(2)
            .map(|line| format!("{line}\n"))
            .collect();
        std::fs::write(folder.path().join("rows.segra.tuning.log"), kept).expect("can be written");
    };
    cut();
    let (said, fresh) = tune(&["--data", FEW, "--fresh"]);
    assert!(!said.contains("going on") && fresh == lines, "{said}");
    cut();
    let (said, other) = tune(&["--data", MANY]);
    assert!(
        said.contains("rows.segra.tuning.log is of something else and starts anew"),
        "{said}"
    );
    assert_eq!(other, lines);
    cut();
    let (said, same) = tune(&["--data", MANY]);
    assert!(
        said.contains("going on from 1 run in") && same == lines,
        "{said}"
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn wrong_thresholds_and_tuning_files_are_explained() {
    let folder = versions();
    let at = folder.path();
    let run = [
        "run",
        "rows.segra",
        "--device",
        "sim",
        "--input",
        "random:4x3",
        "--input",
        "random:3",
    ];
    let with = |more: &[&str]| segra(at, &[&run[..], more].concat());
    refuses(
        &with(&["--threshold", "main.top.9=1"]),
        1,
        &["no threshold `main.top.9`; there are: main.top.0"],
    );
    refuses(
        &with(&["--threshold", "main.top.0=x"]),
        2,
        &["`x` is not a whole number"],
    );
    refuses(
        &with(&["--threshold", "main.top.0"]),
        2,
        &["not of the form name=value"],
    );
    refuses(&with(&["--tuning", "missing"]), 1, &["cannot read missing"]);
    std::fs::write(
        at.join("rows.segra.tuning"),
        "# old\nmain.top.0=12\nmain.top.0=13\n",
    )
    .expect("written");
    refuses(
        &with(&[]),
        1,
        &["rows.segra.tuning: line 3: `main.top.0` has a value already"],
    );
    std::fs::write(at.join("rows.segra.tuning"), [0xff, 0xfe]).expect("written");
    refuses(&with(&[]), 1, &["cannot read rows.segra.tuning"]);
    succeeds(&with(&["--no-tuning"]));
    std::fs::write(
        at.join("rows.segra.tuning"),
        "main.top.0=12\ngone.top.0=13\n",
    )
    .expect("written");
    let output = with(&[]);
    succeeds(&output);
    let warning = "warning: rows.segra.tuning has thresholds that the program has not: gone.top.0";
    assert!(stderr(&output).contains(warning), "{}", stderr(&output));
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn searches_that_cannot_be_are_refused_and_lose_nothing() {
    let folder = versions();
    let at = folder.path();
    std::fs::write(
        at.join("rows.segra.tuning"),
        "main.top.0=12\ngone.top.0=13\n",
    )
    .expect("written");
    let tune = |more: &[&str]| {
        segra(
            at,
            &[&["tune", "rows.segra", "--device", "sim"], more].concat(),
        )
    };
    refuses(&tune(&[]), 1, &["there are no data sets: add --data"]);
    refuses(
        &tune(&["--data", "random:2x3"]),
        1,
        &["--data 'random:2x3': parameter xs: [m]f32", "has no input"],
    );
    std::fs::write(
        at.join("sets"),
        "# two\nrandom:2x3; random:3\nrandom:2x3; random:x\n",
    )
    .expect("written");
    refuses(
        &tune(&["--data-file", "sets"]),
        1,
        &["sets:3: input 1 (`random:x`)"],
    );
    refuses(
        &tune(&["--data", "random:2x3; random:4"]),
        1,
        &["data set random:2x3; random:4", "expected 3"],
    );
    refuses(
        &tune(&["--data", FEW, "--profile", "Z80"]),
        1,
        &["`Z80`; known are M60"],
    );
    refuses(
        &tune(&["--data", FEW, "-o", "no/where"]),
        1,
        &["cannot write log no/where.log"],
    );
    // A log is not written over something else.
    std::fs::write(at.join("notes"), "mine").expect("written");
    let kept = ["cannot write log notes: there is something else in it"];
    refuses(&tune(&["--data", FEW, "--log", "notes"]), 1, &kept);
    refuses(
        &tune(&["--data", FEW, "--log", "notes", "--fresh"]),
        1,
        &kept,
    );
    assert_eq!(read(&folder, "notes"), "mine");
    refuses(
        &tune(&["--data", FEW, "--log", "rows.segra.tuning"]),
        1,
        &["cannot be both the tuning file"],
    );
    // A file that cannot be written stays as it was.
    refuses(
        &tune(&["--data", FEW, "-o", "no/where", "--log", "log"]),
        1,
        &["cannot write no/where"],
    );
    assert_eq!(
        read(&folder, "rows.segra.tuning"),
        "main.top.0=12\ngone.top.0=13\n"
    );
    let one = at.join("one.mlir");
    std::fs::write(
        &one,
        "func.func @main(%a: i32) -> i32 { func.return %a : i32 }",
    )
    .expect("written");
    let output = segra(at, &["tune", "one.mlir", "--data", "1"]);
    succeeds(&output);
    assert!(
        stderr(&output).contains("has one version"),
        "{}",
        stderr(&output)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn explain_lists_thresholds_with_their_predicates() {
    let folder = versions();
    let explain = [
        "explain",
        "rows.mlir",
        "--pipeline",
        VERSIONS,
        "--target",
        "sm_90",
    ];
    let output = segra(folder.path(), &explain);
    succeeds(&output);
    assert!(
        stdout(&output).contains("n >= main.top.0"),
        "{}",
        stdout(&output)
    );
    let output = segra(folder.path(), &[&explain[..], &["--json"]].concat());
    assert!(
        stdout(&output).contains("\"compared_with\":\"n\""),
        "{}",
        stdout(&output)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn row_002_35_tune_measures_widths_of_columns_and_runs_pick_the_best_up() {
    let folder = folder();
    let at = folder.path();
    std::fs::copy(example("box_blur.mlir"), at.join("blur.mlir")).expect("can be copied");
    let data = ["--device", "sim", "--data", "random:16x64; 2", "--json"];
    let tune = |orders: &str| {
        let args = [
            &["tune", "blur.mlir", "--profile", "RTX-2080-Super", orders],
            &data[..],
        ];
        let output = segra(at, &args.concat());
        succeeds(&output);
        let json: Json = serde_json::from_str(&stdout(&output)).expect("it is JSON");
        json["orders"].clone()
    };
    let tried = tune("--orders=column:32@64,column:4@256,linear@64");
    let times: Vec<f64> = tried["tried"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["microseconds"].as_f64().expect("a number"))
        .collect();
    assert!(times[1] < times[0] && times[1] < times[2], "{tried}");
    assert_eq!(tried["chosen"], "column:4@256", "{tried}");
    let tuning = read(&folder, "blur.mlir.tuning");
    for line in ["order.width=4", "order.threads=256"] {
        assert!(tuning.lines().any(|found| found == line), "{tuning}");
    }
    let run = |args: &[&str]| {
        let run = ["run", "blur.mlir", "--device", "sim", "--profile", "--json"];
        let inputs = ["--input", "random:16x64", "--input", "2"];
        let output = segra(at, &[&run[..], &inputs, args].concat());
        succeeds(&output);
        let json: Json = serde_json::from_str(&stdout(&output)).expect("it is JSON");
        json["profile"][0]["instructions"].clone()
    };
    let tuned = run(&[]);
    assert_eq!(tuned, run(&["--no-tuning", "--order", "column:4@256"]));
    assert_ne!(tuned, run(&["--no-tuning"]));
    // The command line goes before the file.
    assert_eq!(
        run(&["--order", "linear@64"]),
        run(&["--no-tuning", "--order", "linear@64"])
    );
    // Orders that cannot be named are refused.
    let args = [&["tune", "blur.mlir", "--orders=zigzag:8@64"], &data[..]];
    refuses(&segra(at, &args.concat()), 1, &["cannot be tuned to"]);
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn row_000_43_tune_measures_the_best_shapes_of_tiles_and_runs_pick_the_best_up() {
    let folder = folder();
    let at = folder.path();
    std::fs::copy(example("matmul.mlir"), at.join("product.mlir")).expect("can be copied");
    let data = [
        "--device",
        "sim",
        "--data",
        "random:256x32; random:32x256",
        "--target",
        "sm_90",
    ];
    let tune = |file: &str, more: &[&str]| segra(at, &[&["tune", file], &data[..], more].concat());
    let output = tune("product.mlir", &["--tiles=2", "--json"]);
    succeeds(&output);
    assert!(
        stderr(&output).contains("the first 2 of 857 shapes of tiles that run, of 1600 in all"),
        "{}",
        stderr(&output)
    );
    let json: Json = serde_json::from_str(&stdout(&output)).expect("it is JSON");
    let tried = &json["tiles"];
    let rows = tried["tried"].as_array().expect("a list");
    let time = |row: &Json| row["microseconds"].as_f64().expect("a number");
    let best = rows.iter().min_by(|x, y| time(x).total_cmp(&time(y)));
    let best = best.expect("two were tried");
    assert!(
        time(best) < tried["default_microseconds"].as_f64().expect("a number"),
        "{tried}"
    );
    assert_eq!(tried["chosen"], best["tiles"], "{tried}");
    let chosen = best["tiles"].as_str().expect("a shape");
    let tuning = read(&folder, "product.mlir.tuning");
    let names = ["threads-y", "threads-x", "points-y", "points-x", "steps"];
    for (name, number) in names.iter().zip(chosen.split('x')) {
        let line = format!("tiles.{name}={number}");
        assert!(
            tuning.lines().any(|found| found == line),
            "{line}: {tuning}"
        );
    }
    // A run has these tiles, and the same result.
    let run = |more: &[&str]| {
        let run = [
            "run",
            "product.mlir",
            "--device",
            "sim",
            "--check",
            "--target",
            "sm_90",
        ];
        let inputs = ["--input", "random:256x32", "--input", "random:32x256"];
        let output = segra(at, &[&run[..], &inputs, more].concat());
        (stdout(&output), stderr(&output), output.status.code())
    };
    let (_, said, code) = run(&[]);
    assert!(said.contains(&format!("and tiles {chosen}")), "{said}");
    assert_eq!(code, Some(0), "{said}");
    // Half a shape is none.
    let half = tuning.replace("tiles.steps", "# tiles.steps");
    std::fs::write(at.join("product.mlir.tuning"), half).expect("can be written");
    let (_, said, code) = run(&[]);
    assert!(
        code == Some(1) && said.contains("tiles.steps are not all there"),
        "{said}"
    );
    let tuned = ["compile", "product.mlir", "--tuning", "product.mlir.tuning"];
    refuses(&segra(at, &tuned), 1, &["tiles.steps are not all there"]);
    // Of an artifact all is decided.
    succeeds(&segra(
        at,
        &[
            "compile",
            "product.mlir",
            "--target",
            "sm_90",
            "-o",
            "product.segra",
        ],
    ));
    refuses(&tune("product.segra", &["--tiles"]), 1, &["is an artifact"]);
    refuses(
        &tune("product.segra", &["--orders"]),
        1,
        &["is an artifact"],
    );
    refuses(&tune("product.mlir", &["--tiles=0"]), 2, &["--tiles"]);
}

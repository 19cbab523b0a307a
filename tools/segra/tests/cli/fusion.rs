//! Combinations of kernels: what `explain --fusion` says of them, and `tune --top` with what it leaves.

use crate::support::segra;
use crate::{example, folder, refuses, stderr, stdout, succeeds, text_of};
use std::path::Path;

/// The script of one matrix read along rows and along columns, in a folder of its own.
fn bicgk() -> tempfile::TempDir {
    let folder = folder();
    std::fs::copy(example("blas/bicgk.blas"), folder.path().join("bicgk.blas")).expect("copied");
    folder
}

#[test]
fn the_search_space_is_listed_counted_and_drawn() {
    let folder = folder();
    let script = text_of(&example("blas/bicgk.blas"));
    let explain = ["explain", "--fusion", &script, "--extent", "2048"];
    let output = segra(
        folder.path(),
        &[&explain[..], &["--top", "3", "--svg", "fusion.svg"]].concat(),
    );
    succeeds(&output);
    let text = stdout(&output);
    for part in [
        "main: 2 nests",
        "#0 segred of rows 2048x2048 at 7:5",
        "#1 segred of columns 2048x2048 at 8:5",
        "25 kernels for them, 15 of several nests; 25 left out",
        "24 combinations of them",
        "predicted best, on H100:\n  #0 + #1 in tiles",
        "times the least",
        "  3. ",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    assert!(!text.contains("  4. "), "{text}");
    let drawing = std::fs::read_to_string(folder.path().join("fusion.svg")).expect("is written");
    assert_eq!(drawing.matches("<rect").count(), 1, "one kernel: {drawing}");

    let output = segra(
        folder.path(),
        &[&explain[..], &["--json", "--top", "100"]].concat(),
    );
    succeeds(&output);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("is JSON");
    let space = &json["spaces"][0];
    assert_eq!(
        (space["combinations"].as_u64(), space["fusions"].as_u64()),
        (Some(24), Some(1))
    );
    let times: Vec<f64> = space["ranked"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["microseconds"].as_f64())
        .collect();
    assert_eq!(times.len(), 24);
    assert!(times.is_sorted(), "{times:?}");

    let other = segra(folder.path(), &[&explain[..], &["--gpu", "T4"]].concat());
    refuses(&other, 1, &["there are no figures of `T4`", "A100, H100"]);
}

/// The kernels that a run of the script launches, and what it says on standard error.
fn kernels(at: &Path, file: &str, more: &[&str]) -> (Vec<String>, String) {
    let inputs = ["A=random:256x256", "p=random:256", "r=random:256"];
    let mut args = vec!["run", file, "--device", "sim", "--json"];
    args.extend(inputs.iter().flat_map(|input| ["--input", *input]));
    args.extend(more);
    let output = segra(at, &args);
    succeeds(&output);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("is JSON");
    let launches = json["launches"].as_array().cloned().unwrap_or_default();
    let names = launches
        .iter()
        .filter_map(|launch| Some(launch["kernel"].as_str()?.to_owned()));
    (names.collect(), stderr(&output))
}

#[test]
fn the_best_combinations_are_run_and_the_cheapest_is_kept_for_runs() {
    let folder = bicgk();
    let at = folder.path();
    let data = "A=random:256x256; p=random:256; r=random:256";
    let tune = [
        "tune",
        "bicgk.blas",
        "--device",
        "sim",
        "--data",
        data,
        "--top",
        "3",
        "--json",
    ];
    let output = segra(at, &tune);
    succeeds(&output);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("is JSON");
    let tried = json["combinations"]["tried"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(tried.len(), 3, "{json}");
    let costs: Vec<f64> = tried
        .iter()
        .filter_map(|row| row["microseconds"].as_f64())
        .collect();
    let chosen = json["combinations"]["chosen"]
        .as_u64()
        .expect("one is chosen") as usize;
    assert!(
        costs.iter().all(|&cost| costs[chosen - 1] <= cost),
        "{json}"
    );
    let tuning = std::fs::read_to_string(at.join("bicgk.blas.tuning")).expect("is written");
    assert!(
        tuning.contains(&format!("fuse-traversals.combination={chosen}\n")),
        "{tuning}"
    );
    assert!(tuning.contains("fuse-traversals.extent=256\n"), "{tuning}");
    let (_, said) = kernels(at, "bicgk.blas", &["--check"]);
    assert!(
        said.contains(&format!(
            "and combination {chosen} of kernels from bicgk.blas.tuning"
        )),
        "{said}"
    );
    assert!(!said.contains("tune it again"), "{said}");
}

#[test]
fn a_tuning_file_says_which_kernels_are_compiled() {
    let folder = bicgk();
    let at = folder.path();
    // At this extent the first combination that has tiles, and the first that has none, by what is listed.
    let explain = [
        "explain",
        "--fusion",
        "bicgk.blas",
        "--extent",
        "256",
        "--top",
        "100",
        "--json",
    ];
    let output = segra(at, &explain);
    succeeds(&output);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("is JSON");
    let ranked = json["spaces"][0]["ranked"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let number = |wanted: &dyn Fn(&str) -> bool| {
        let names = |row: &serde_json::Value| row["kernels"].to_string();
        1 + ranked
            .iter()
            .position(|row| wanted(&names(row)))
            .expect("there is one")
    };
    let together = number(&|names: &str| names.contains("#0 + #1 in tiles"));
    let apart = number(&|names: &str| !names.contains("tiles"));
    let with = |combination: usize| {
        let text =
            format!("fuse-traversals.combination={combination}\nfuse-traversals.extent=256\n");
        std::fs::write(at.join("bicgk.blas.tuning"), text).expect("can be written");
        kernels(at, "bicgk.blas", &["--check"]).0
    };
    // Tiles, and two kernels that combine their parts; or a kernel for each nest.
    let of_tiles = with(together);
    assert_eq!(of_tiles.len(), 3, "{of_tiles:?}");
    let of_nests = with(apart);
    assert_eq!(of_nests.len(), 2, "{of_nests:?}");
    // An artifact has what was compiled into it.
    with(together);
    succeeds(&segra(
        at,
        &[
            "compile",
            "bicgk.blas",
            "--tuning",
            "bicgk.blas.tuning",
            "--target",
            "sm_90",
            "-o",
            "tuned.segra",
        ],
    ));
    assert_eq!(kernels(at, "tuned.segra", &[]).0, of_tiles);
    let bench = [
        "bench",
        "bicgk.blas",
        "--device",
        "sim",
        "--json",
        "--data",
        "A=random:256x256; p=random:256; r=random:256",
    ];
    let output = segra(at, &bench);
    succeeds(&output);
    for kernel in &of_tiles {
        assert!(stdout(&output).contains(kernel), "{}", stdout(&output));
    }

    let tune = [
        "tune",
        "tuned.segra",
        "--device",
        "sim",
        "--top",
        "2",
        "--data",
        "random:8x8; random:8; random:8",
    ];
    refuses(
        &segra(at, &tune),
        1,
        &["tuned.segra is an artifact", "needs the program"],
    );
    let tune = ["tune", "bicgk.blas", "--device", "sim", "--top", "0"];
    refuses(&segra(at, &tune), 2, &["0 is not in 1.."]);
}

//! Combinations of kernels: what `explain --fusion` says of them, and `tune --top` with what it leaves.

use crate::support::segra;
use crate::{example, folder, refuses, reported, stderr, stdout, succeeds, text_of};
use std::path::Path;

/// The script of one matrix read along rows and along columns, in a folder of its own.
fn bicgk() -> tempfile::TempDir {
    let folder = folder();
    std::fs::copy(example("blas/bicgk.blas"), folder.path().join("bicgk.blas")).expect("copied");
    folder
}

/// The first hundred combinations of the first sequence of a program, by predicted time.
fn ranked(at: &Path, args: &[&str]) -> Vec<serde_json::Value> {
    let explain = ["explain", "--fusion", "--top", "100", "--json"];
    let json = reported(&segra(at, &[&explain, args].concat()));
    let ranked = json["spaces"][0]["ranked"].as_array().cloned();
    ranked.unwrap_or_default()
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
        "16 kernels for them, 9 of several nests; 18 left out",
        "15 combinations of them",
        "predicted best, on H100:\n  #0 + #1 in tiles",
        "times the least",
        "\n  in all 17.47 MB, 1.039 times the least\nranked:",
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
    let json = reported(&output);
    let space = &json["spaces"][0];
    assert_eq!(
        (space["combinations"].as_u64(), space["fusions"].as_u64()),
        (Some(15), Some(1))
    );
    let times: Vec<f64> = space["ranked"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["microseconds"].as_f64())
        .collect();
    assert_eq!(times.len(), 15);
    assert!(times.is_sorted(), "{times:?}");

    let least = space["least_bytes"].as_f64().unwrap_or_default();
    assert_eq!(least, 4.0 * (2048.0 * 2048.0 + 4.0 * 2048.0));

    let unknown = segra(
        folder.path(),
        &[&explain[..], &["--size", "nosuch=5"]].concat(),
    );
    refuses(
        &unknown,
        1,
        &["the program has no size `nosuch`; there are: A_columns, A_rows\n"],
    );
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
    let json = reported(&output);
    let launches = json["launches"].as_array().cloned().unwrap_or_default();
    let names = launches
        .iter()
        .filter_map(|launch| Some(launch["kernel"].as_str()?.to_owned()));
    (names.collect(), stderr(&output))
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
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
    let json = reported(&output);
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
    // None is chosen where the program without a choice costs less.
    let default = json["combinations"]["default_microseconds"].as_f64();
    assert!(
        default.is_some_and(|cost| costs[chosen - 1] <= cost),
        "{json}"
    );
    // The one that is predicted best is hardly worse than the best of them.
    assert!(0.95 * costs[0] <= costs[chosen - 1], "{json}");
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
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_tuning_file_says_which_kernels_are_compiled() {
    let folder = bicgk();
    let at = folder.path();
    // At this extent the first combination that has tiles, and the first that has none, by what is listed.
    let ranked = ranked(at, &["bicgk.blas", "--extent", "256"]);
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
    // So has what is shown of it on the way.
    let shown = |tuning: &[&str]| {
        let command = [&["compile", "bicgk.blas", "--emit", "mlir"], tuning].concat();
        let output = segra(at, &command);
        succeeds(&output);
        stdout(&output).matches("gpu.func").count()
    };
    let tuned = shown(&["--tuning", "bicgk.blas.tuning"]);
    assert!(tuned < shown(&[]), "{tuned} kernels");
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

/// A matrix that nothing but the kernel that makes it reads takes no memory, shared memory neither: the device runs all combinations.
#[test]
fn combinations_that_make_a_matrix_are_run() {
    let folder = folder();
    let at = folder.path();
    let script = "matrix A, C; vector p, q, r, s;\ninput A, r, s;\nC = mscal(2, A);\nq = gemv(C, s);\n\
        p = gemtv(A, r);\nreturn p, q;\n";
    std::fs::write(at.join("made.blas"), script).expect("written");
    let data = "random:1024x1024; random:1024; random:1024";
    let tune = [
        "tune",
        "made.blas",
        "--device",
        "sim",
        "--sample",
        "2",
        "--extent",
        "4096",
        "--data",
        data,
        "--top",
        "2",
        "--json",
    ];
    let output = segra(at, &tune);
    succeeds(&output);
    let tried = reported(&output)["combinations"]["tried"].clone();
    for number in 0..2 {
        assert!(tried[number]["microseconds"].is_number(), "{tried}");
    }
}

/// The ranked list of a script of vectors, and the kernels that a run of it launches with a tuning file of each number, from 1 on.
fn of_vectors(script: &str, inputs: &[&str]) -> (Vec<String>, Vec<usize>) {
    let folder = folder();
    let at = folder.path();
    let file = format!("{script}.blas");
    std::fs::copy(example(&format!("blas/{file}")), at.join(&file)).expect("copied");
    let explain = [
        "explain", "--fusion", &file, "--json", "--extent", "10000", "--top", "100",
    ];
    let output = segra(at, &explain);
    let json = reported(&output);
    let space = &json["spaces"][0];
    let rows = space["ranked"].as_array().into_iter().flatten();
    let ranked: Vec<String> = rows.map(|row| row["kernels"].to_string()).collect();
    assert_eq!(space["combinations"].as_u64(), Some(ranked.len() as u64));
    let launches = |number: usize| {
        let text = format!("fuse-traversals.combination={number}\nfuse-traversals.extent=10000\n");
        std::fs::write(at.join(format!("{file}.tuning")), text).expect("can be written");
        let mut args = vec![
            "run",
            &file,
            "--device",
            "sim",
            "--json",
            "--check",
            "--check-memory",
        ];
        args.extend(inputs.iter().flat_map(|input| ["--input", *input]));
        let output = segra(at, &args);
        let json = reported(&output);
        json["launches"].as_array().map_or(0, Vec::len)
    };
    let counts = (1..=ranked.len()).map(launches).collect();
    (ranked, counts)
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn calls_on_vectors_are_part_of_the_space_and_what_is_listed_is_compiled() {
    let long = "random:13000";
    let (ranked, launches) = of_vectors("axpydot", &[long, long, long, "2"]);
    assert_eq!(ranked, [r##"["#0 + #1"]"##, r##"["#0","#1"]"##]);
    // A long sum is two kernels; the map before it is one of its own, or none.
    assert_eq!(launches, [2, 3]);
    let (ranked, launches) = of_vectors("vadd", &[long, long, long]);
    assert_eq!(ranked, [r##"["#0 + #1"]"##, r##"["#0","#1"]"##]);
    assert_eq!(launches, [1, 2]);
}

#[test]
fn calls_of_a_script_are_nests_and_all_subgraphs_that_spare_something_are_kernels() {
    let folder = folder();
    let explain = |script: &str| {
        let script = text_of(&example(&format!("blas/{script}.blas")));
        let output = segra(
            folder.path(),
            &["explain", "--fusion", &script, "--json", "--top", "1"],
        );
        let json = reported(&output);
        let space = json["spaces"][0].clone();
        let count = |name: &str| space[name].as_u64().unwrap_or(0);
        let best = space["ranked"][0]["kernels"].to_string();
        (count("nests"), count("combinations"), best)
    };
    // A script's dot products, updates and products with matrices, by the vectors that they share; sums are barriers.
    let (nests, combinations, best) = explain("conjugate_gradient");
    assert_eq!((nests, combinations), (6, 4));
    assert_eq!(best, r##"["#0","#1","#2 + #5","#3 + #4"]"##);
    let (nests, combinations, best) = explain("gesummv");
    assert_eq!((nests, combinations), (3, 2));
    assert_eq!(best, r##"["#0 + #1","#2"]"##);
    let (nests, combinations, _) = explain("bicgstab");
    assert_eq!((nests, combinations), (12, 56));
}

#[test]
fn alternatives_of_a_product_are_the_nests_that_it_is() {
    let folder = folder();
    let explain = |script: &str| {
        std::fs::write(folder.path().join("script.blas"), script).expect("written");
        let output = segra(
            folder.path(),
            &["explain", "--fusion", "script.blas", "--top", "100"],
        );
        succeeds(&output);
        stdout(&output)
    };
    for name in ["bicgk", "atax", "gemver"] {
        let path = example(&format!("blas/{name}.blas"));
        let script = std::fs::read_to_string(path).expect("is there");
        let turned = script.replace(" gemv(", " gemv_columns(");
        let turned = turned.replace(" gemtv(", " gemtv_rows(");
        assert_ne!(script, turned);
        assert_eq!(explain(&script), explain(&turned));
    }
}

/// Barriers of each warp of the kernel of tiles, with so many steps of a tile.
fn barriers(at: &Path, steps: usize) -> f64 {
    let passes = format!(
        "array-to-kernel,func.func(fuse-traversals{{versions=one warps=8 columns=4 rows=2 steps={steps} tiles=1}}),canonicalize,cse,dce,\
         kernel-to-gpu"
    );
    let script = text_of(&example("blas/bicgk.blas"));
    let inputs = ["A=random:256x256", "p=random:256", "r=random:256"];
    let mut args = vec![
        "run",
        &script,
        "--device",
        "sim",
        "--profile=H100",
        "--json",
        "--pipeline",
        &passes,
    ];
    args.extend(inputs.iter().flat_map(|input| ["--input", *input]));
    let output = segra(at, &args);
    let json = reported(&output);
    let tiles = &json["profile"][0];
    let warps = tiles["blocks_run"].as_f64().zip(tiles["block"][0].as_f64());
    let warps = warps.map_or(1.0, |(blocks, threads)| blocks * threads / 32.0);
    tiles["instructions"]["barrier"]
        .as_f64()
        .unwrap_or(f64::NAN)
        / warps
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn barriers_are_only_where_other_threads_need_what_is_made() {
    let folder = folder();
    // Columns go to other warps once a tile; elements and rows stay with their threads and lanes, however many steps there are.
    let [few, many] = [2, 8].map(|steps| barriers(folder.path(), steps));
    assert_eq!(few, many);
    assert!((1.0..=4.0).contains(&few), "{few} barriers");
}

const SUMS: &str = "func.func @main(%x: !array.array<[k][n]i32>, %y: !array.array<[k][n]f32>) -> (!array.array<[k]i32>, !array.array<[k]i32>, !array.array<[k]f32>) {
  %one = arith.constant 1 : i32
  %nil = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %p, %q = array.map (%row in %x : [k][n]i32) {
    %a, %b = array.redomap (%e in %row : [n]i32) init (%one : i32, %nil : i32) map {
      array.yield %e, %one : i32, i32
    } combine (%xa, %xb, %ya, %yb) {
      %s = arith.muli %xa, %ya : i32
      %t = arith.muli %xb, %ya : i32
      %u = arith.addi %t, %yb : i32
      array.yield %s, %u : i32, i32
    }
    array.yield %a, %b : i32, i32
  }
  %s = array.map (%row in %y : [k][n]f32) {
    %r = array.reduce (%row : [n]f32) init (%zero : f32) combine arith.addf
    array.yield %r : f32
  }
  func.return %p, %q, %s : !array.array<[k]i32>, !array.array<[k]i32>, !array.array<[k]f32>
}
";

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn long_reductions_are_finished_by_a_kernel_by_the_last_block_or_by_atomics() {
    let folder = folder();
    std::fs::write(folder.path().join("sums.mlir"), SUMS).expect("can be written");
    let kernels = |finish: &str, rows: usize, length: usize| {
        let passes =
            format!("array-to-kernel,func.func(choose-forms{{{finish}chunk=512}}),kernel-to-gpu");
        let input = format!("random:{rows}x{length}");
        let args = [
            "run",
            "sums.mlir",
            "--device",
            "sim",
            "--json",
            "--check",
            "--check-memory",
            "--pipeline",
            &passes,
            "--input",
            &input,
        ];
        let output = segra(folder.path(), &[&args[..], &["--input", &input]].concat());
        let json = reported(&output);
        let launches = json["launches"].as_array().cloned().unwrap_or_default();
        let names = launches
            .iter()
            .filter_map(|launch| Some(launch["kernel"].as_str()?.to_owned()));
        names.collect::<Vec<String>>()
    };
    let count =
        |names: &[String], part: &str| names.iter().filter(|name| name.contains(part)).count();
    for (rows, length) in [(3, 5000), (1, 1537), (2, 3001)] {
        let names = kernels("", rows, length);
        assert_eq!(
            (count(&names, "segred_parts"), count(&names, "segred_last")),
            (2, 2),
            "{names:?}"
        );
        let names = kernels("finish=last ", rows, length);
        assert_eq!(
            (count(&names, "segred_until_last"), names.len()),
            (2, 2),
            "{names:?}"
        );
        // The first does not commute: atomics, which come in any order, are not for it.
        let names = kernels("finish=atomics ", rows, length);
        assert_eq!(
            (
                count(&names, "segred_atomics"),
                count(&names, "segred_parts")
            ),
            (1, 1),
            "{names:?}"
        );
    }
    for (rows, length) in [(0, 7), (3, 0), (4, 1)] {
        for finish in ["", "finish=last ", "finish=atomics "] {
            kernels(finish, rows, length);
        }
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn thread_blocks_of_maps_are_listed_and_compiled() {
    let folder = folder();
    let at = folder.path();
    std::fs::copy(example("blas/waxpby.blas"), at.join("waxpby.blas")).expect("copied");
    let ranked = ranked(at, &["--blocks", "waxpby.blas", "--extent", "5000"]);
    let compiled = |points: &str| {
        let name = format!("#0 + #1 in blocks of 512 threads, {points} each");
        let wanted = |row: &serde_json::Value| row["kernels"][0].as_str() == Some(&name);
        let number = 1 + ranked.iter().position(wanted).expect("is listed");
        let text = format!(
            "fuse-traversals.combination={number}\nfuse-traversals.extent=5000\nfuse-traversals.blocks=1\n"
        );
        std::fs::write(at.join("waxpby.blas.tuning"), text).expect("can be written");
        let run = [
            "run",
            "waxpby.blas",
            "--device",
            "sim",
            "--check",
            "--json",
            "--keep-ptx",
            "kept.ptx",
            "--input",
            "random:5000",
            "--input",
            "random:5000",
            "--input",
            "2",
            "--input",
            "3",
        ];
        let output = segra(at, &run);
        let json = reported(&output);
        let ptx = std::fs::read_to_string(at.join("kept.ptx")).expect("is there");
        (json["launches"].clone(), ptx.contains(".v4"))
    };
    let (launches, wide) = compiled("one point");
    assert_eq!(launches[0]["block"].to_string(), "[512,1,1]");
    assert_eq!(launches[0]["grid"].to_string(), "[10,1,1]");
    assert!(!wide, "a thread takes one point");
    let (launches, wide) = compiled("several points");
    assert_eq!(launches[0]["block"].to_string(), "[512,1,1]");
    assert!(wide, "a thread takes several points");
    let tune = [
        "tune",
        "waxpby.blas",
        "--device",
        "sim",
        "--top",
        "2",
        "--blocks",
        "--json",
        "--data",
        "random:99; random:99; 2; 3",
    ];
    let output = segra(at, &tune);
    let json = reported(&output);
    assert_eq!(
        json["combinations"]["tried"].as_array().map(Vec::len),
        Some(2),
        "{json}"
    );
}

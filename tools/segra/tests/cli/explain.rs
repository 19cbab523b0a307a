//! `segra explain`: choices, conditions, kernels, rewrites.

use crate::support::segra;
use crate::{example, folder, reported, stdout, succeeds, text_of};
use std::path::Path;

#[test]
fn explain_lists_kernels_and_reasons() {
    let folder = folder();
    let dot = text_of(&example("dot.mlir"));
    let output = segra(
        folder.path(),
        &["explain", &dot, "--decisions", "--kernels", "--plan"],
    );
    succeeds(&output);
    let text = stdout(&output);
    for part in [
        "main_segred",
        "becomes a segred",
        "GridBlock(",
        "launch @main_segred",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let output = segra(folder.path(), &["explain", &dot, "--json"]);
    succeeds(&output);
    for part in [
        "\"kernels\":[{",
        "\"choices\":{\"main\":[{",
        "\"if\":\"n >= main.red0.parts",
    ] {
        assert!(stdout(&output).contains(part), "{}", stdout(&output));
    }
}

/// Choices of the lowering have names, too.
#[test]
fn explain_names_the_parts_of_operators_over_arrays_and_of_bounds_of_lists() {
    let folder = folder();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    for (program, names) in [
        (
            "reduce-small-arrays.mlir",
            &["main.red0.parts", "main.scan0.parts"][..],
        ),
        ("nested/list-of-steps.mlir", &["main.bound0.parts"]),
    ] {
        let path = text_of(&tests.join(program));
        let output = segra(folder.path(), &["explain", &path, "--json"]);
        for name in names {
            let listed = format!("\"thresholds\":[\"{name}\"]");
            assert!(reported(&output)["thresholds"].to_string().contains(name));
            assert!(stdout(&output).contains(&listed), "{}", stdout(&output));
        }
    }
}

#[test]
fn explain_shows_the_choices_of_every_example_on_a_screen() {
    let folder = folder();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = 0;
    let folders = [examples.join("blas"), examples];
    for entry in folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("the examples are there"))
    {
        let path = entry.expect("a file").path();
        if path
            .extension()
            .is_none_or(|ending| ending != "mlir" && ending != "blas")
        {
            continue;
        }
        let output = segra(folder.path(), &["explain", &text_of(&path)]);
        succeeds(&output);
        let text = stdout(&output);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{}:\n{text}", path.display());
        assert!(text.lines().count() <= 40, "{}:\n{text}", path.display());
        // A condition is about sizes, even where it is too long to be shown whole.
        let unknown = |line: &str| {
            let line = line.trim_start();
            (line.starts_with("if ") || line.starts_with("else if ")) && line.contains('?')
        };
        assert!(!text.lines().any(unknown), "{}:\n{text}", path.display());
        // Kernels stand under the choice they belong to, both widths of indices on one line.
        assert!(text.contains("  main_seg"), "{}:\n{text}", path.display());
        assert!(!text.contains("_64 "), "{}:\n{text}", path.display());
        seen += 1;
    }
    assert!(seen >= 25, "{seen} examples");
}

/// A size that a check stands before, a value that branches and loops yield, and conditions that always hold.
#[test]
fn conditions_of_explain_are_about_sizes() {
    let folder = folder();
    let program = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
        segra(folder.path(), &["explain", &text_of(&path.join(name))])
    };
    for (name, wanted) in [
        (
            "choices/size-of-all-points.mlir",
            "else if k / max(min(ceildiv(n, 4096), 4), 1) >= main.red0.warp [17] ",
        ),
        (
            "stencil/stencil-jacobi.mlir",
            "if n / 64 * (m / 128) >= main.stencil0 [32] ",
        ),
        (
            "../../examples/softmax.mlir",
            "(m >= main.intra.0 [256] or ",
        ),
    ] {
        let output = program(name);
        succeeds(&output);
        let text = stdout(&output);
        assert!(text.contains(wanted), "{text}");
        let conditions = text
            .lines()
            .filter(|line| line.contains("if ") || line.contains("for "));
        for line in conditions {
            assert!(!line.contains('?'), "{text}");
            assert!(!line.contains("n == n") && !line.contains("true"), "{text}");
        }
    }
}

/// The launches in a tree of choices as JSON: kernels and their dynamic shared memory.
fn launches(steps: &serde_json::Value, found: &mut Vec<(String, serde_json::Value)>) {
    for step in steps.as_array().into_iter().flatten() {
        if let Some(kernel) = step["kernel"].as_str() {
            found.push((kernel.to_owned(), step["dynamic_shared_bytes"].clone()));
        }
        for inside in ["then", "else", "body"] {
            launches(&step[inside], found);
        }
    }
}

#[test]
fn tables_of_kernels_have_the_dynamic_shared_memory_of_the_tree() {
    let folder = folder();
    let tiled = ["--pipeline", "array-to-gpu-tiled"];
    for (program, more, wanted) in [
        ("matmul.mlir", &tiled[..], &["4352"][..]),
        ("softmax.mlir", &[], &["128 +", "ceildiv(m"]),
    ] {
        let path = text_of(&example(program));
        let explain = |option: &str| {
            let output = segra(folder.path(), &[&["explain", &path, option], more].concat());
            succeeds(&output);
            stdout(&output)
        };
        let text = explain("--kernels");
        let (_, table) = text.split_once("\nKernels:\n").expect("there is a table");
        for part in wanted {
            assert!(table.contains(part), "`{part}` is missing in:\n{text}");
        }
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{text}");

        let json: serde_json::Value = serde_json::from_str(&explain("--json")).expect("it is JSON");
        let mut found = Vec::new();
        launches(&json["choices"]["main"], &mut found);
        assert!(found.iter().any(|row| !row.1.is_null()), "{json}");
        for (kernel, bytes) in found {
            let rows = json["kernels"].as_array().expect("it lists kernels");
            let row = rows.iter().find(|row| row["kernel"] == kernel.as_str());
            assert_eq!(
                row.map(|row| &row["dynamic_shared_bytes"]),
                Some(&bytes),
                "{kernel}"
            );
        }
    }
}

/// Kernels of a program's `explain --json`: names, and how many numbers each is passed.
fn kernels_with_scalars(folder: &Path, file: &str) -> Vec<(String, u64)> {
    let output = segra(folder, &["explain", file, "--json"]);
    succeeds(&output);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("it is JSON");
    let kernels = json["kernels"].as_array().expect("it lists kernels");
    let kernel = |kernel: &serde_json::Value| {
        let name = kernel["kernel"].as_str().expect("it has a name").to_owned();
        (name, kernel["scalars"].as_u64().expect("it is a number"))
    };
    kernels.iter().map(kernel).collect()
}

#[test]
fn kernels_of_known_sizes_are_those_that_can_run_and_are_passed_no_sizes() {
    let folder = folder();
    let product = std::fs::read_to_string(example("matmul.mlir")).expect("it is there");
    for (n, k, m, most) in [(512, 512, 512, 4), (4096, 4096, 4096, 4), (7, 5, 3, 3)] {
        let sized = [("[n]", n), ("[k]", k), ("[m]", m)];
        let text = sized.iter().fold(product.clone(), |text, (name, size)| {
            text.replace(name, &format!("[{size}]"))
        });
        std::fs::write(folder.path().join("sized.mlir"), text).expect("can be written");
        let kernels = kernels_with_scalars(folder.path(), "sized.mlir");
        assert!(kernels.len() <= most, "{n} by {k} by {m}: {kernels:?}");
        for (name, scalars) in kernels {
            assert!(!name.ends_with("_64"), "{n} by {k} by {m}: {name}");
            // One that a thread block computes an element with is passed how many threads take part.
            assert!(scalars <= 1, "{n} by {k} by {m}: {name} has {scalars}");
        }
    }
}

#[test]
fn explain_shows_loops_calls_and_programs_without_kernels() {
    let folder = folder();
    let program = "func.func @step(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
      %ys = array.map (%x in %xs : [n]f32) {
        %y = arith.addf %x, %x : f32
        array.yield %y : f32
      }
      func.return %ys : !array.array<[n]f32>
    }
    func.func @main(%k: index, %xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %out = scf.for %i = %zero to %k step %one iter_args(%ys = %xs) -> (!array.array<[n]f32>) {
        %zs = func.call @step(%ys) : (!array.array<[n]f32>) -> !array.array<[n]f32>
        scf.yield %zs : !array.array<[n]f32>
      }
      func.return %out : !array.array<[n]f32>
    }";
    std::fs::write(folder.path().join("loop.mlir"), program).expect("written");
    let output = segra(folder.path(), &["explain", "loop.mlir"]);
    succeeds(&output);
    let text = stdout(&output);
    let header = text
        .lines()
        .position(|line| line.trim_start().starts_with("for i in 0 .. k"));
    let kernel = text
        .lines()
        .position(|line| line.starts_with("    step_segmap"));
    assert!(header.is_some() && kernel > header, "{text}");
    let host = "func.func @main(%x: f32) -> f32 {\n func.return %x : f32\n}";
    std::fs::write(folder.path().join("host.mlir"), host).expect("written");
    let output = segra(folder.path(), &["explain", "host.mlir"]);
    succeeds(&output);
    assert!(
        stdout(&output).contains("no kernels"),
        "{}",
        stdout(&output)
    );
}

/// Its kernels look alike, as two do of which one has wide accesses: those are one line.
#[test]
fn explain_shows_both_sides_of_a_branch_of_the_program() {
    let program = include_str!("../../../../tests/run/choices/branch-around-a-map.mlir");
    let folder = folder();
    std::fs::write(folder.path().join("branch.mlir"), program).expect("written");
    let output = segra(folder.path(), &["explain", "branch.mlir"]);
    succeeds(&output);
    let text = stdout(&output);
    for line in [
        "  if b ",
        "    main_segmap_0[_64] ",
        "  else",
        "    main_segmap_1[_64] ",
    ] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{text}");
    }
}

/// A threshold of lengths that a kernel adds up, which is asked only where there are many rows.
#[test]
fn explain_names_thresholds_that_another_one_decides_about() {
    let program = include_str!("../../../../tests/run/choices/csr-times-vector.mlir");
    let folder = folder();
    std::fs::write(folder.path().join("rows.mlir"), program).expect("written");
    let output = segra(folder.path(), &["explain", "rows.mlir"]);
    succeeds(&output);
    let text = stdout(&output);
    let both = |line: &str| {
        let names = [">= main.flat0.rows [1024] and ", ">= main.flat0 [256]"];
        line.starts_with("  if ") && names.iter().all(|name| line.contains(name))
    };
    assert!(text.lines().any(both), "{text}");
    assert!(!text.contains("if ?"), "{text}");
}

#[test]
fn explain_shows_rewrites_with_their_cost() {
    let folder = folder();
    let file = folder.path().join("sum.mlir");
    std::fs::write(
        &file,
        "func.func @main(%xs: !array.array<[n]i32>, %k: i32) -> i32 {\n  %zero = arith.constant 0 : i32\n  \
         %ys = array.map (%x in %xs : [n]i32) {\n    %y = arith.muli %x, %k : i32\n    array.yield %y : i32\n  }\n  \
         %s = array.reduce (%ys : [n]i32) init (%zero : i32) combine (%a, %y) {\n    %t = arith.addi %a, %y : i32\n    \
         array.yield %t : i32\n  }\n  func.return %s : i32\n}\n",
    )
    .expect("can be written");
    let output = segra(folder.path(), &["explain", "sum.mlir", "--rewrites"]);
    succeeds(&output);
    let text = stdout(&output);
    // Where each rule found something, and what it is worth.
    for part in [
        "sum.mlir:2:",
        "before, ",
        "sum-factor: once in %s at 7:",
        "sum (map (x -> c * f x) xs) = c * sum (map f xs), if c does not use x",
        "without it the cost would be ",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let output = segra(
        folder.path(),
        &["explain", "sum.mlir", "--rewrites", "--json"],
    );
    succeeds(&output);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("it is JSON");
    let row = &json["rewrites"][0];
    let cost = |name: &str| row[name].as_f64().expect("it is a number");
    assert!(
        row["taken"] == true && cost("cost_after") < cost("cost_before"),
        "{json}"
    );
    let rules = row["rules"].as_array().expect("there are rules");
    let factor = rules
        .iter()
        .find(|rule| rule["rule"] == "sum-factor")
        .expect("it found something");
    assert!(
        factor["cost_without"].as_f64() > Some(cost("cost_after")),
        "{json}"
    );
}

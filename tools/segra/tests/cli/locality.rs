//! `segra locality`, and the orders of the other commands.

use crate::support::segra;
use crate::{example, folder, refuses, stdout, succeeds, text_of};
use serde_json::Value as Json;

/// Program, inputs and arguments of a run; gives the table's rows, cells apart.
fn rows(example_name: &str, args: &[&str]) -> Vec<Vec<String>> {
    let folder = folder();
    let file = text_of(&example(example_name));
    let output = segra(
        folder.path(),
        &[&["locality", file.as_str()], args].concat(),
    );
    succeeds(&output);
    let text = stdout(&output);
    let lines = text.lines().skip_while(|line| !line.contains('─')).skip(1);
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    lines
        .filter(|line| line.starts_with(' '))
        .map(cells)
        .collect()
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn the_stencil_of_the_thesis_fetches_what_a_cache_of_table_3_1_makes_it_fetch() {
    let found = rows(
        "box_blur.mlir",
        &[
            "--input",
            "random:16x16",
            "--input",
            "3",
            "--cache",
            "24x4",
            "--order",
            "linear,column:8,column:4,tiled:8x8,zigzag:8",
        ],
    );
    // Order, lines read, hits, %, fetched.
    let fetched: Vec<_> = found
        .iter()
        .map(|row| (row[0].as_str(), row[1].as_str(), row[4].as_str()))
        .collect();
    assert_eq!(
        fetched[..4],
        [
            ("linear", "12544", "316"),
            ("column:8", "12544", "96"),
            ("column:4", "12544", "160"),
            ("tiled:8x8", "12544", "132"),
        ]
    );
    assert_eq!(fetched[4].1, "12544", "a zigzag reads as much");
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn the_product_of_the_thesis_is_better_in_columns_of_4_and_worse_in_columns_of_8() {
    let found = rows(
        "matmul.mlir",
        &[
            "--data",
            "random:16x16; random:16x16",
            "--cache",
            "32x4",
            "--order",
            "linear,column:8,column:4",
        ],
    );
    // Fetched, closed form, lines needed.
    let figures: Vec<_> = found.iter().map(|row| row[4..].join(" ")).collect();
    assert_eq!(figures, ["1088 1088 68", "1152 1152 36", "320 320 20"]);
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_machine_is_sampled_by_whole_thread_blocks_and_says_so() {
    let folder = folder();
    let file = text_of(&example("box_blur.mlir"));
    let args = [
        "locality",
        &file,
        "--input",
        "random:1024x1024",
        "--input",
        "1",
        "--order",
        "linear,column:32@128",
        "--profile",
        "T4",
    ];
    let output = segra(folder.path(), &args);
    succeeds(&output);
    let text = stdout(&output);
    assert!(text.contains("stencil of 3 x 3 over 1024 x 1024"), "{text}");
    assert!(
        text.contains("T4: 40 multiprocessors with 64 KiB of L1 cache each"),
        "{text}"
    );
    assert!(
        text.contains(" of 8192 thread blocks, whole ones; the others are taken to be like them"),
        "{text}"
    );
    let output = segra(folder.path(), &[&args[..], &["--json"]].concat());
    succeeds(&output);
    let json: Json = serde_json::from_str(&stdout(&output)).expect("it is JSON");
    let kernel = &json["kernels"][0];
    assert_eq!(kernel["pattern"]["stencil"]["across"], 3);
    let orders = kernel["orders"].as_array().expect("orders");
    assert_eq!(
        (&orders[0]["blocks"], &orders[1]["blocks"]),
        (&4096.into(), &8192.into())
    );
    assert!(
        orders
            .iter()
            .all(|order| order["blocks_run"].as_u64() < order["blocks"].as_u64())
    );
    assert_eq!(orders[0]["block"][0], 256);
    assert_eq!(orders[1]["block"][0], 128);
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn diagrams_have_a_panel_for_each_order_with_axes_and_a_legend() {
    let folder = folder();
    let file = text_of(&example("box_blur.mlir"));
    let args = [
        "locality",
        &file,
        "--input",
        "random:16x16",
        "--input",
        "3",
        "--cache",
        "24x4",
        "--svg",
        "blur.svg",
        "--png",
        "blur.png",
    ];
    succeeds(&segra(folder.path(), &args));
    let svg = std::fs::read_to_string(folder.path().join("blur.svg")).expect("it is there");
    for part in [
        ">linear<",
        ">tiled:32x8<",
        ">column:32<",
        ">316 lines fetched",
        ">fetched<",
        ">accessed, was in the cache<",
        ">xs<",
        ">threads, in the order of their numbers<",
        ">256<",
        "stencil of 7 x 7 over 16 x 16",
    ] {
        assert!(svg.contains(part), "{part} is missing");
    }
    assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
    let png = std::fs::read(folder.path().join("blur.png")).expect("it is there");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    // The same command writes the same bytes.
    succeeds(&segra(folder.path(), &args));
    assert_eq!(
        std::fs::read(folder.path().join("blur.png")).expect("it is there"),
        png
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn orders_change_how_points_are_visited_and_not_what_is_computed() {
    let folder = folder();
    let file = text_of(&example("box_blur.mlir"));
    for order in [
        "linear@64",
        "column:5",
        "zigzag:3@32",
        "tiled:4x3",
        "column:1000",
    ] {
        let args = [
            "run",
            &file,
            "--input",
            "random:7x11",
            "--input",
            "2",
            "--check",
            "--order",
            order,
        ];
        succeeds(&segra(folder.path(), &args));
    }
    let output = segra(
        folder.path(),
        &["explain", &file, "--kernels", "--order", "column:32@128"],
    );
    succeeds(&output);
    let text = stdout(&output);
    assert!(
        text.contains("SplitLast(128,") && text.contains("Column(32,"),
        "{text}"
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn columns_without_a_width_are_as_wide_as_is_best_for_what_a_kernel_reads() {
    let args = [
        "--input",
        "random:96x80",
        "--input",
        "random:80x131",
        "--all",
        "--order",
        "column,column@1024,column:32@256",
    ];
    let found = orders("matmul.mlir", &args);
    let names: Vec<&str> = found
        .iter()
        .filter_map(|order| order["order"].as_str())
        .collect();
    // Small blocks ask for the fewest lines in narrow columns.
    assert_eq!(
        names,
        ["column:32@256", "column:64@1024", "column:32@256"],
        "{found:?}"
    );
    assert_eq!(
        found[0], found[2],
        "the width is said, and no less is known"
    );
    let folder = folder();
    for shapes in [["1x1", "1x1"], ["0x3", "3x5"], ["37x13", "13x131"]] {
        let inputs = shapes.map(|shape| format!("random:{shape}"));
        let output = segra(
            folder.path(),
            &[
                "run",
                &example("matmul.mlir").display().to_string(),
                "--order",
                "column",
                "--check",
                "--input",
                &inputs[0],
                "--input",
                &inputs[1],
            ],
        );
        succeeds(&output);
    }
}

/// A program of the run tests.
fn run_test(name: &str) -> String {
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    tests.join(name).display().to_string()
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn row_002_36_real_programs_more_dimensions_and_products_run_in_columns() {
    let folder = folder();
    for (name, inputs) in [
        ("programs/floyd-warshall.mlir", &["random:23x23"][..]),
        ("programs/game-of-life.mlir", &["random:37x41", "3"]),
        (
            "programs/convolution-with-channels.mlir",
            &["random:2x3x7x5", "random:2x3x3x3"],
        ),
        ("stencil/stencil-space.mlir", &["random:5x7x33", "2"]),
        (
            "nested/batched-products.mlir",
            &["random:3x7x33", "random:3x33x67"],
        ),
    ] {
        let file = run_test(name);
        let mut args = vec!["run", &file, "--check", "--order", "column"];
        args.extend(inputs.iter().flat_map(|&input| ["--input", input]));
        succeeds(&segra(folder.path(), &args));
        let explained = ["explain", &file, "--kernels", "--order", "column"];
        let output = segra(folder.path(), &explained);
        succeeds(&output);
        let text = stdout(&output);
        assert!(text.contains("Column("), "{name}: {text}");
    }
    // Products of a batch: narrower columns than rows are long find more of what blocks share.
    let args = [
        "--input",
        "random:3x128x64",
        "--input",
        "random:3x64x512",
        "--all",
        "--profile",
        "T4",
        "--order",
        "linear@1024,column",
    ];
    let file = run_test("nested/batched-products.mlir");
    let found = orders_of(std::path::Path::new(&file), &args);
    let [linear, column] = [0, 1].map(|order| count(&found[order], "l2_read_sectors"));
    assert!(column < 0.8 * linear, "{linear} and {column} sectors");
}

/// Sectors looked up in the L1 cache and read from the L2 cache in four orders, of a 3x3 stencil with elements enough for tiles.
fn sectors_by_order(text: &str, inputs: &[&str]) -> Vec<[f64; 2]> {
    let folder = folder();
    let file = folder.path().join("blur.mlir");
    std::fs::write(&file, text).expect("it is written");
    let mut args = vec!["--input", "random:512x512"];
    args.extend(inputs);
    args.extend(["--profile", "T4", "--all"]);
    args.extend(["--order", "linear,column:32,zigzag:64@128,tiled:16x16"]);
    orders_of(&file, &args)
        .iter()
        .map(|order| [count(order, "l1_lookups"), count(order, "l2_read_sectors")])
        .collect()
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn stencils_keep_the_order_that_is_asked_for() {
    // With a reach of run time no stencil is recognised, so nothing could run in tiles.
    let blur = std::fs::read_to_string(example("box_blur.mlir")).expect("it is there");
    let expected = sectors_by_order(&blur, &["--input", "1"]);
    assert_eq!(expected.len(), 4);
    for (i, row) in expected.iter().enumerate() {
        assert!(!expected[..i].contains(row), "orders differ: {expected:?}");
    }
    let mut looped = blur;
    for (found, instead) in [
        (
            ", %reach: index) -> !array.array<[h][w]f32> {",
            ") -> !array.array<[h][w]f32> {\n  %reach = arith.constant 1 : index",
        ),
        ("%side = arith.addi %twice, %c1", "%side = arith.constant 3"),
    ] {
        assert_eq!(looped.matches(found).count(), 1, "{found}");
        looped = looped.replace(found, instead);
    }
    assert_eq!(
        sectors_by_order(&looped, &[]),
        expected,
        "loops of constant ranges"
    );
    let mut stencil = "func.func @main(%xs: !array.array<[h][w]f32>) -> !array.array<[h][w]f32> {
  %area = arith.constant 9.0 : f32
  %blurred = array.stencil (%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8 in %xs : [h][w]f32
      at [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] clamp) {
    %s0 = arith.addf %v0, %v1 : f32\n"
        .to_owned();
    for i in 1..8 {
        let (before, next) = (i - 1, i + 1);
        stencil += &format!("    %s{i} = arith.addf %s{before}, %v{next} : f32\n");
    }
    stencil += "    %mean = arith.divf %s7, %area : f32
    array.yield %mean : f32
  }
  func.return %blurred : !array.array<[h][w]f32>\n}\n";
    assert_eq!(sectors_by_order(&stencil, &[]), expected, "array.stencil");
}

/// The rows of `--json` by order, of an example.
fn orders(program: &str, args: &[&str]) -> Vec<Json> {
    orders_of(&example(program), args)
}

fn orders_of(file: &std::path::Path, args: &[&str]) -> Vec<Json> {
    let folder = folder();
    let file = text_of(file);
    let output = segra(
        folder.path(),
        &[&["locality", file.as_str(), "--json"], args].concat(),
    );
    succeeds(&output);
    let json: Json = serde_json::from_str(&stdout(&output)).expect("it is JSON");
    json["kernels"][0]["orders"]
        .as_array()
        .expect("orders")
        .clone()
}

fn count(order: &Json, name: &str) -> f64 {
    order["traffic"][name].as_f64().expect("a number")
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn widths_that_are_multiples_of_32_look_up_fewest_lines_whatever_the_width_of_the_input() {
    for input in ["random:256x256", "random:192x211"] {
        let widths =
            "column:8,column:16,column:30,column:31,column:32,column:33,column:34,column:64";
        let args = [
            "--input",
            input,
            "--input",
            "4",
            "--profile",
            "RTX-2080-Super",
            "--all",
            "--order",
            widths,
        ];
        let found = orders("box_blur.mlir", &args);
        let lines: Vec<f64> = found.iter().map(|order| count(order, "lines")).collect();
        let whole = lines[4].max(lines[7]);
        // 8, 16, 30, 31, 33 and 34 lose: warps lie in two rows and more.
        for other in [0, 1, 2, 3, 5, 6] {
            assert!(lines[other] > 1.05 * whole, "{input}: {lines:?}");
        }
        assert!(
            lines[0] > 2.0 * whole,
            "narrow columns are far worse: {lines:?}"
        );
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn doubles_are_bound_by_arithmetic_where_a_card_has_few_units_for_them() {
    let folder = folder();
    let text = std::fs::read_to_string(example("box_blur.mlir")).expect("it is there");
    std::fs::write(
        folder.path().join("blur64.mlir"),
        text.replace("f32", "f64"),
    )
    .expect("it is written");
    let args = [
        "locality",
        "blur64.mlir",
        "--json",
        "--input",
        "random:256x256",
        "--input",
        "4",
        "--profile",
        "RTX-2080-Super",
        "--order",
        "linear,column:32",
    ];
    let output = segra(folder.path(), &args);
    succeeds(&output);
    let json: Json = serde_json::from_str(&stdout(&output)).expect("it is JSON");
    let found = json["kernels"][0]["orders"].as_array().expect("orders");
    let time = |order: &Json| order["microseconds"].as_f64().expect("a number");
    assert!(
        found.iter().all(|order| order["bound_by"] == "arithmetic"),
        "{found:?}"
    );
    assert!(
        (time(&found[0]) / time(&found[1]) - 1.0).abs() < 0.05,
        "{found:?}"
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn wrong_orders_caches_and_inputs_are_refused() {
    let folder = folder();
    let file = text_of(&example("box_blur.mlir"));
    let with = |args: &[&str]| {
        segra(
            folder.path(),
            &[&["locality", file.as_str()], args].concat(),
        )
    };
    let inputs = ["--input", "random:8x8", "--input", "1"];
    for (order, part) in [
        ("spiral", "there is no order `spiral`"),
        ("column:0", "`0` is no width"),
        ("column:", "`` is no width"),
        ("rows", "there is no order `rows`"),
        ("zigzag:x", "`x` is no width"),
        ("tiled:8", "a tile is written WIDTHxHEIGHT"),
        ("tiled:8x0", "`0` is no width"),
        (
            "column:32@2000",
            "a thread block has 1 to 1024 threads, not `2000`",
        ),
        ("linear,", "there is no order ``"),
    ] {
        refuses(
            &with(&[&inputs[..], &["--order", order]].concat()),
            2,
            &[part],
        );
    }
    for cache in ["24", "0x4", "24x3", "24x4x4", "99999999x4"] {
        refuses(
            &with(&[&inputs[..], &["--cache", cache]].concat()),
            2,
            &["a cache is written LINESxELEMENTS"],
        );
    }
    refuses(
        &with(&[&inputs[..], &["--cache", "4x4", "--profile", "T4"]].concat()),
        2,
        &["cannot be used with"],
    );
    refuses(
        &with(&[&inputs[..], &["--profile", "Z80"]].concat()),
        1,
        &["no profile can be made for `Z80`"],
    );
    refuses(&with(&["--input", "random:8x8"]), 1, &["parameter reach"]);
    refuses(&with(&[]), 1, &["parameter xs"]);
    refuses(
        &with(&[&inputs[..], &["--kernel", "blur", "--svg", "x.svg"]].concat()),
        1,
        &["no kernel `blur` was launched; there are main_segmap_0"],
    );
    // Nothing to replay: no kernel, or no points.
    std::fs::write(
        folder.path().join("host.mlir"),
        "func.func @main(%n: index) -> index {\n  func.return %n : index\n}\n",
    )
    .expect("it is written");
    refuses(
        &segra(folder.path(), &["locality", "host.mlir", "--input", "3"]),
        1,
        &["host.mlir: `main` launches no kernel on these inputs"],
    );
    refuses(
        &with(&["--input", "random:0x8", "--input", "1"]),
        1,
        &["launches no kernel on these inputs"],
    );
    refuses(
        &segra(folder.path(), &["locality", "none.mlir"]),
        1,
        &["cannot read none.mlir"],
    );
}

/// Sectors that a product of so many rows reads through the L1 cache in the linear order, for each one in columns of 32.
fn gain_of_columns(extent: u32) -> f64 {
    let input = format!("random:{extent}x{extent}");
    let args = [
        "--input",
        &input,
        "--input",
        &input,
        "--profile",
        "RTX-2080-Super",
        "--unchecked",
        "--order",
        "linear@256,column:32@256",
    ];
    let found = orders("matmul.mlir", &args);
    // Of the blocks that ran, which are as many in both.
    assert_eq!(found[0]["blocks_run"], found[1]["blocks_run"]);
    count(&found[0], "l2_read_sectors") / count(&found[1], "l2_read_sectors")
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn row_002_31_columns_save_more_of_larger_products_until_1024() {
    let [small, middle] = [64, 256].map(gain_of_columns);
    assert!(1.4 * small < middle, "{small} {middle}");
    // These take minutes.
    if std::env::var("SEGRA_LONG").is_ok_and(|value| value == "1") {
        let [large, largest] = [1024, 2048].map(gain_of_columns);
        assert!(middle < large, "{middle} {large}");
        assert!((largest / large - 1.0).abs() < 0.03, "{large} {largest}");
    }
}

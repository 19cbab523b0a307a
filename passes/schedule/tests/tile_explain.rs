//! The words of `explain --tiling` beside the versions that the pass makes: the same number, under the same names.

mod support;

use segra_ir::Ir;
use segra_kernel::level::Level;
use segra_kernel::threshold::AtLeastOp;
use segra_schedule::TileBlocks;
use segra_schedule::tile::{Tried, Verdict, Versions, explained};
use segra_std::func::FuncOp;
use std::collections::BTreeSet;
use support::{PRODUCT, parse, remarks, segmaps};

fn by_size() -> TileBlocks {
    TileBlocks {
        versions: Versions::BySize,
        ..TileBlocks::default()
    }
}

/// The product, whose sums may be regrouped, with these of its sizes known: rows, columns, rounds.
fn product(sizes: [Option<i64>; 3]) -> String {
    let mut program = PRODUCT.replace(
        "    }\n    kernel.return",
        "    } {kernel.reduction}\n    kernel.return",
    );
    let dims = [
        "%m = tensor.dim %a, %c0",
        "%n = tensor.dim %b, %c1",
        "%u = tensor.dim %a, %c1",
    ];
    for (dim, size) in dims.into_iter().zip(sizes) {
        if let Some(size) = size {
            let constant = format!("{} = arith.constant {size} : index", &dim[..2]);
            program = program.replace(&format!("{dim} : tensor<?x?xf32>"), &constant);
        }
    }
    program
}

/// Sums of words over two dimensions, whose loops are joined.
fn contraction(points: Option<i64>, rounds: Option<i64>) -> String {
    let extent = |name: &str, size: Option<i64>| match size {
        Some(size) => format!("{name} = arith.constant {size} : index"),
        None => format!("{name} = tensor.dim %a, %c0 : tensor<?x?x?xi32>"),
    };
    let (m, u) = (extent("%m", points), extent("%u", rounds));
    format!(
        "func.func @main(%a: tensor<?x?x?xi32>, %b: tensor<?x?x?xi32>) -> tensor<?x?xi32> {{
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {m}
  {u}
  %r = kernel.segmap thread (%i < %m, %j < %m) -> (tensor<?x?xi32>) {{
    %s = scf.for %k = %c0 to %u step %c1 iter_args(%s0 = %zero) -> (i32) {{
      %t = scf.for %l = %c0 to %u step %c1 iter_args(%s1 = %s0) -> (i32) {{
        %x = tensor.extract %a[%i, %k, %l] : tensor<?x?x?xi32>
        %y = tensor.extract %b[%k, %l, %j] : tensor<?x?x?xi32>
        %p = arith.muli %x, %y : i32
        %next = arith.addi %s1, %p : i32
        scf.yield %next : i32
      }}
      scf.yield %t : i32
    }}
    kernel.return %s : i32
  }}
  func.return %r : tensor<?x?xi32>
}}"
    )
}

/// The product with sums of 64 bits: a point takes two registers.
fn wide(sizes: [i64; 3]) -> String {
    let sums = [
        "-> tensor<?x?xf32>",
        "-> (tensor<?x?xf32>)",
        "%r : tensor<?x?xf32>",
        "0.0 : f32",
        "-> (f32)",
        "%acc, %wide : f32",
        "%next : f32",
        "%s : f32",
    ];
    let program = product(sizes.map(Some)).replace("%acc, %p", "%acc, %wide");
    let program = sums.iter().fold(program, |program, sum| {
        program.replace(sum, &sum.replace("f32", "f64"))
    });
    program.replace(
        "%next = ",
        "%wide = arith.extf %p : f32 to f64\n      %next = ",
    )
}

fn tried(program: &str) -> Vec<Tried> {
    let mut ir = parse(program);
    let mut ops = ir.walk(ir.root()).into_iter();
    let function = ops.find(|&op| ir.isa::<FuncOp>(op));
    let function = function.expect("there is a function");
    let nests = explained(&mut ir, function, "main", &by_size()).expect("options are right");
    nests.into_iter().flat_map(|nest| nest.tried).collect()
}

/// The thresholds that the words speak of.
fn named(tried: &[Tried]) -> BTreeSet<String> {
    let conditions = tried.iter().filter_map(|tried| match &tried.verdict {
        Verdict::Taken(conditions) => Some(conditions.join(" and ")),
        _ => None,
    });
    let mut names = BTreeSet::new();
    for text in conditions {
        let words = text.split(['(', ')', ' ']);
        names.extend(
            words
                .filter(|it| it.starts_with("main."))
                .map(str::to_owned),
        );
    }
    names
}

/// Those that the program asks for.
fn asked(ir: &Ir) -> BTreeSet<String> {
    let ops = ir.walk(ir.root()).into_iter();
    ops.filter_map(|op| ir.cast::<AtLeastOp>(op))
        .filter(|asked| ir.has_uses(asked.result(ir)))
        .filter_map(|asked| asked.name(ir).as_str(ir.ctx()).map(str::to_owned))
        .collect()
}

/// As many shapes are taken as the pass makes versions, under thresholds of the same names.
fn agrees(program: &str) {
    let tried = tried(program);
    let taken = tried
        .iter()
        .filter(|it| matches!(it.verdict, Verdict::Taken(_)))
        .count();
    let mut ir = parse(program);
    remarks(&by_size(), &mut ir);
    let blocks = segmaps(&ir).into_iter();
    let blocks = blocks.filter(|it| it.level(&ir) == Level::Block).count();
    assert_eq!(taken, blocks, "{tried:#?}\n{program}");
    assert_eq!(named(&tried), asked(&ir), "{tried:#?}\n{program}");
}

#[test]
fn shapes_are_explained_as_the_pass_takes_them() {
    let points = [0, 30, 63, 64, 512, 4096]
        .map(Some)
        .into_iter()
        .chain([None]);
    let rounds = [
        None,
        Some(0),
        Some(15),
        Some(16),
        Some(127),
        Some(128),
        Some(5000),
    ];
    for size in points {
        for round in rounds {
            agrees(&product([size, size, round]));
            agrees(&product([size, None, round]));
            agrees(&product([size, size, round]).replace("f32", "f16"));
        }
        // Rounds of both loops together.
        for round in [None, Some(0), Some(3), Some(4), Some(32), Some(40)] {
            agrees(&contraction(size, round));
        }
    }
}

/// Thresholds of a nest are named by its number among those that have versions.
#[test]
fn nests_without_versions_have_no_number() {
    let small = PRODUCT
        .lines()
        .skip_while(|line| !line.contains("%r = "))
        .take_while(|line| !line.contains("func.return"))
        .map(|line| {
            line.replace("%r = ", "%few = ")
                .replace("< %m", "< %few0")
                .replace("< %n", "< %few0")
        })
        .collect::<Vec<_>>()
        .join("\n");
    let program = PRODUCT.replace(
        "  %r = ",
        &format!("  %few0 = arith.constant 64 : index\n{small}\n  %r = "),
    );
    agrees(&program);
    let names = named(&tried(&program));
    assert!(names.contains("main.tile0.large"), "{names:?}");
}

/// Every sentence that there is about splits.
#[test]
fn splits_are_said_in_words() {
    let words = |program: &str| {
        let found = tried(program).into_iter().find(|it| it.shape == "small");
        match found.expect("the shape is tried").verdict {
            Verdict::Taken(conditions) => conditions.join(" and "),
            Verdict::Declined(refusal) => format!("declined: {}", refusal.reason),
            Verdict::Given => "given".to_owned(),
        }
    };
    let tiles = "at least 2 tiles that are a sixth full (main.tile0.small)";
    let rounds = "at least 128 rounds of the loop (main.tile0.split)";
    let depth = "at least 16 rounds of the loop (main.tile0.depth)";
    let few = "declined: has only 1 tiles that are a sixth full, not 2".to_owned();
    for (sizes, wanted) in [
        (
            [None, None],
            format!("{tiles}, or 1 if {rounds} and {depth}"),
        ),
        ([None, Some(127)], tiles.to_owned()),
        (
            [None, Some(128)],
            format!("{tiles} or 1, as the loop is long"),
        ),
        ([Some(64), None], format!("{rounds} and {depth}")),
        ([Some(64), Some(128)], String::new()),
        ([Some(64), Some(127)], few.clone()),
        ([Some(512), None], depth.to_owned()),
    ] {
        let [points, length] = sizes;
        assert_eq!(
            words(&product([points, points, length])),
            wanted,
            "{sizes:?}"
        );
    }
    // Whose sums may not be regrouped, and whose loops are joined.
    let plain = product([Some(64), Some(64), Some(128)]).replace(" {kernel.reduction}", "");
    assert_eq!(words(&plain), few);
    assert_eq!(words(&contraction(Some(64), Some(32))), few);
    // Tiles of which points fill a part.
    assert_eq!(words(&product([Some(30), Some(1000), Some(5000)])), "");
    assert_eq!(
        words(&product([Some(26), Some(26), Some(127)])),
        few.replace('1', "0")
    );
    let none = "declined: has only 9 points along a dimension of tiles";
    assert_eq!(words(&product([Some(9), Some(9), Some(5000)])), none);
    // Where a point takes two registers, half of a tile; of few tiles with a long loop, a sixth.
    let few = |tiles: i64| format!("declined: has only {tiles} tiles that are half full, not 2");
    for (sizes, wanted) in [
        ([40, 4000, 64], String::new()),
        // Tiles of 32 by 128 where rows are few.
        ([30, 4000, 64], String::new()),
        ([15, 4000, 64], few(0)),
        ([15, 4000, 5000], String::new()),
        ([15, 128 * 132, 5000], String::new()),
        ([15, 128 * 133, 5000], few(0)),
    ] {
        let program = wide(sizes);
        assert_eq!(words(&program), wanted, "{sizes:?}");
        agrees(&program);
    }
}

//! The pass as a whole: programs keep their results at all sizes, and what is tiled is what pays.

mod support;

use segra_interp::{Datum, Elem, IntWidth};
use segra_schedule::tile::Versions;
use segra_schedule::{TileBlocks, UnrollRegisters};
use support::{count, floats, keeps, numbers, parse, remarks, run_pass, segmaps};

/// Small tiles, so that small inputs have several.
const SMALL: TileBlocks = TileBlocks {
    versions: Versions::One,
    tile_y: 4,
    tile_x: 8,
    registers_y: 1,
    registers_x: 1,
    tile_k: 8,
    tile: 32,
    stages: 1,
    warpgroups: false,
    oldest: 75,
    allow_tf32: false,
    large: None,
    schedule: None,
};

/// The same with two by four points in a thread's registers, and copies one step ahead.
const HELD: TileBlocks = TileBlocks {
    tile_y: 8,
    tile_x: 32,
    registers_y: 2,
    registers_x: 4,
    stages: 2,
    ..SMALL
};

/// A program with `dims` parallel dimensions, whose loop has this body and carries `acc`; arguments `a`, `b`.
fn nest(types: [&str; 3], sizes: [&str; 2], dims: &str, start: &str, body: &str) -> String {
    let [a, b, result] = types;
    let rank = dims.matches('<').count();
    let tensor = |ty: &str| format!("tensor<{}x{ty}>", vec!["?"; rank].join("x"));
    let upper = sizes[0];
    let start_code = sizes[1];
    format!(
        "func.func @main(%a: {a}, %b: {b}, %m: index, %n: index, %u: index) -> {} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {start_code}
  %r = kernel.segmap thread ({dims}) -> ({}) {{
    %s = scf.for %k = %c0 to {upper} step %c1 iter_args(%acc = {start}) -> ({result}) {{
      {body}
      scf.yield %next : {result}
    }}
    kernel.return %s : {result}
  }}
  func.return %r : {}
}}",
        tensor(result),
        tensor(result),
        tensor(result)
    )
}

/// Arrays of shapes made from `m`, `n`, `u`, and these.
fn inputs(
    elems: [Elem; 2],
    shapes: impl Fn(usize, usize, usize) -> [Vec<usize>; 2],
) -> Vec<Vec<Datum>> {
    let sizes = [0, 1, 31, 32, 33, 7];
    let mut all = Vec::new();
    for (at, &m) in sizes.iter().enumerate() {
        for &n in [sizes[(at + 1) % 6], sizes[(at + 3) % 6]].iter() {
            for u in [0, 1, 8, 13] {
                let [a, b] = shapes(m, n, u);
                let sizes = [m, n, u].map(|size| Datum::Int(size as i64));
                let arrays = [numbers(elems[0], &a, 1), numbers(elems[1], &b, 2)];
                all.push(arrays.into_iter().chain(sizes).collect());
            }
        }
    }
    all
}

/// The program keeps its results, and this many arrays are copied.
fn tiled(program: &str, inputs: &[Vec<Datum>], copies: usize) {
    for pass in [SMALL, HELD] {
        keeps(program, inputs, |ir| {
            let said = remarks(&pass, ir);
            assert_eq!(said, [""; 0]);
            let blocks = segmaps(ir)
                .iter()
                .filter(|it| it.level(ir) == segra_kernel::level::Level::Block)
                .count();
            assert_eq!(blocks, 1);
            // Beside the copies, of full tiles and of the rest: the starts and the steps of both.
            let expected = 5 + copies * (pass.stages as usize + 1);
            assert_eq!(segmaps(ir).len(), expected);
            remarks(&UnrollRegisters {}, ir);
            assert_eq!(segmaps(ir).len(), expected);
            let held = segmaps(ir)
                .iter()
                .any(|&it| it.registers_attr(ir).is_some());
            assert!(!held, "nothing is left to unroll");
        });
    }
}

#[test]
fn shapes_of_tiles_are_chosen_by_their_number() {
    let zero = "%zero = arith.constant 0.0 : f32";
    let body = "%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32";
    let matrix = "tensor<?x?xf32>";
    let program = nest([matrix, matrix, "f32"], ["%u", zero], PLANE, "%zero", body);
    let inputs = inputs([Elem::F32, Elem::F32], |m, n, u| [vec![m, u], vec![u, n]]);
    let by_size = TileBlocks {
        versions: Versions::BySize,
        ..SMALL
    };
    keeps(&program, &inputs, |ir| {
        assert_eq!(remarks(&by_size, ir), [""; 0]);
        // Two shapes, and the nest as it was.
        let levels: Vec<_> = segmaps(ir)
            .iter()
            .map(|&it| (it.level(ir), it.registers(ir)))
            .filter(|row| row.0 == segra_kernel::level::Level::Block)
            .collect();
        assert_eq!(levels.len(), 2);
        assert_eq!(count(ir, "kernel.at_least"), 4);
    });
    // The largest shape may be given: it is taken from one full tile on, and other steps have a threshold of their own.
    let given = TileBlocks {
        large: Some("4x8x2x4x12".to_owned()),
        ..by_size.clone()
    };
    keeps(&program, &inputs, |ir| {
        assert_eq!(remarks(&given, ir), [""; 0]);
        let text = support::text(ir);
        for part in [
            "\"main.tile0.large\" default 1 ",
            "\"main.tile0.large-depth\" default 12 ",
            "\"main.tile0.depth\" default 16 ",
            "tensor<8x32xf32>",
        ] {
            assert!(
                format!("{text} ").replace('\n', " \n").contains(part),
                "{part}: {text}"
            );
        }
    });
    // Where sizes are known, what they choose is all there is.
    for (size, blocks, asked) in [(4096, 1, 0), (512, 1, 0), (64, 0, 0)] {
        let known = format!("{zero}\n  %size = arith.constant {size} : index");
        let known = nest(
            [matrix, matrix, "f32"],
            ["%size", &known],
            "%i < %size, %j < %size",
            "%zero",
            body,
        );
        let mut ir = parse(&known);
        remarks(&by_size, &mut ir);
        let found = segmaps(&ir)
            .iter()
            .filter(|it| it.level(&ir) == segra_kernel::level::Level::Block)
            .count();
        assert_eq!(
            (found, count(&ir, "kernel.at_least")),
            (blocks, asked),
            "{size}"
        );
    }
}

const PLANE: &str = "%i < %m, %j < %n";

#[test]
fn products_are_tiled_in_two_dimensions() {
    let matrix = "tensor<?x?xf32>";
    let zero = "%zero = arith.constant 0.0 : f32";
    let combine = "%p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32";
    for (read, transposed) in [("%b[%k, %j]", false), ("%b[%j, %k]", true)] {
        let body = format!(
            "%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract {read} : tensor<?x?xf32>
      {combine}"
        );
        let program = nest([matrix, matrix, "f32"], ["%u", zero], PLANE, "%zero", &body);
        let inputs = inputs([Elem::F32, Elem::F32], |m, n, u| {
            [vec![m, u], if transposed { vec![n, u] } else { vec![u, n] }]
        });
        tiled(&program, &inputs, 2);
    }
}

/// 8 by 8 sums of f64 take 128 registers of 32 bits; 4 by 4 of them, 32.
#[test]
fn shapes_are_refused_whose_sums_do_not_fit_registers() {
    let by_size = TileBlocks {
        versions: Versions::BySize,
        ..SMALL
    };
    let body = "%x = tensor.extract %a[%i, %k] : tensor<?x?xTY>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xTY>
      %p = arith.mulf %x, %y : TY
      %next = arith.addf %acc, %p : TY";
    for (ty, shapes) in [("f32", 2), ("f64", 1), ("f128", 1)] {
        let matrix = format!("tensor<?x?x{ty}>");
        let zero = format!("%zero = arith.constant 0.0 : {ty}");
        let types = [matrix.as_str(), &matrix, ty];
        let program = nest(
            types,
            ["%u", &zero],
            PLANE,
            "%zero",
            &body.replace("TY", ty),
        );
        let mut ir = parse(&program);
        assert_eq!(remarks(&by_size, &mut ir), [""; 0]);
        let found = segmaps(&ir)
            .iter()
            .filter(|it| it.level(&ir) == segra_kernel::level::Level::Block)
            .count();
        assert_eq!(found, shapes, "{ty}");
    }
}

/// Where extents are no multiple of a tile, reads stop at the last row or column, and the rest has as many steps as are left: no
/// point and no step asks whether it exists, whatever the operator makes of padding (rows 47 and 48 of the thesis' list).
#[test]
fn nothing_in_a_tile_asks_whether_it_exists() {
    let matrix = "tensor<?x?xf32>";
    for (start, map, reduce) in [
        ("0.0", "arith.mulf", "arith.addf"),
        ("0x7F800000", "arith.addf", "arith.minimumf"),
        ("1.0", "arith.subf", "arith.mulf"),
    ] {
        let body = format!(
            "%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
      %p = {map} %x, %y : f32
      %next = {reduce} %acc, %p : f32"
        );
        let start = format!("%start = arith.constant {start} : f32");
        let program = nest(
            [matrix, matrix, "f32"],
            ["%u", &start],
            PLANE,
            "%start",
            &body,
        );
        let inputs = inputs([Elem::F32, Elem::F32], |m, n, u| [vec![m, u], vec![u, n]]);
        keeps(&program, &inputs, |ir| {
            assert_eq!(remarks(&SMALL, ir), [""; 0]);
            let tests = ["arith.cmpi", "arith.cmpf", "arith.select", "scf.if"];
            assert_eq!(tests.map(|name| count(ir, name)), [0; 4]);
            assert!(count(ir, "arith.minsi") > 0, "reads stop at the end");
        });
    }
}

#[test]
fn any_operator_and_any_element_types_are_tiled() {
    // i16 and f64 to a boolean by `and`, from true; from the thesis, section 5.1.2.
    let start = "%true = arith.constant true";
    let body = "%x = tensor.extract %a[%i, %k] : tensor<?x?xi16>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xf64>
      %f = arith.sitofp %x : i16 to f64
      %less = arith.cmpf olt, %f, %y : f64
      %next = arith.andi %acc, %less : i1";
    let program = nest(
        ["tensor<?x?xi16>", "tensor<?x?xf64>", "i1"],
        ["%u", start],
        PLANE,
        "%true",
        body,
    );
    let short = Elem::Int(IntWidth::new(16).expect("a width"));
    tiled(
        &program,
        &inputs([short, Elem::F64], |m, n, u| [vec![m, u], vec![u, n]]),
        2,
    );
    // Division of integers that are never 0: an element that is none would end the program.
    let body = "%x = tensor.extract %a[%i, %k] : tensor<?x?xi32>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xi32>
      %q = arith.divsi %x, %y : i32
      %next = arith.addi %acc, %q : i32";
    let zero = "%zero = arith.constant 0 : i32";
    let program = nest(
        ["tensor<?x?xi32>", "tensor<?x?xi32>", "i32"],
        ["%u", zero],
        PLANE,
        "%zero",
        body,
    );
    let word = Elem::Int(IntWidth::new(32).expect("a width"));
    tiled(
        &program,
        &inputs([word, word], |m, n, u| [vec![m, u], vec![u, n]]),
        2,
    );
}

#[test]
fn dimensions_outside_of_the_tiled_ones_stay() {
    let zero = "%zero = arith.constant 0.0 : f32
  %batch = arith.constant 3 : index";
    let body = "%x = tensor.extract %a[%t, %i, %k] : tensor<?x?x?xf32>
      %y = tensor.extract %b[%t, %k, %j] : tensor<?x?x?xf32>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32";
    let cube = "tensor<?x?x?xf32>";
    let program = nest(
        [cube, cube, "f32"],
        ["%u", zero],
        "%t < %batch, %i < %m, %j < %n",
        "%zero",
        body,
    );
    tiled(
        &program,
        &inputs([Elem::F32, Elem::F32], |m, n, u| {
            [vec![3, m, u], vec![3, u, n]]
        }),
        2,
    );
}

#[test]
fn one_dimension_is_tiled_where_only_it_has_something_in_common() {
    let zero = "%zero = arith.constant 0.0 : f32";
    let body = "%y = tensor.extract %b[%k] : tensor<?xf32>
      %x = tensor.extract %a[%i] : tensor<?xf32>
      %d = arith.subf %y, %x : f32
      %p = arith.mulf %d, %d : f32
      %next = arith.addf %acc, %p : f32";
    let line = "tensor<?xf32>";
    let program = nest([line, line, "f32"], ["%u", zero], "%i < %m", "%zero", body);
    tiled(
        &program,
        &inputs([Elem::F32, Elem::F32], |m, _, u| [vec![m], vec![u]]),
        1,
    );
    // The length of the loop is the same for all points of a tile, not of all tiles.
    let program = nest(
        [line, line, "f32"],
        ["%t", zero],
        "%t < %m, %i < %n",
        "%zero",
        body,
    );
    tiled(
        &program,
        &inputs([Elem::F32, Elem::F32], |m, n, _| [vec![n], vec![m]]),
        1,
    );
}

#[test]
fn indices_of_any_kind_are_copied_with_what_they_index() {
    let zero = "%zero = arith.constant 0.0 : f32
  %last = arith.subi %u, %c1 : index";
    // Through another array; a window that moves with the point.
    let gathered = "%at = tensor.extract %a[%k] : tensor<?xi32>
      %w = arith.index_cast %at : i32 to index
      %v = arith.maxsi %w, %c0 : index
      %h = arith.minsi %v, %last : index
      %y = tensor.extract %b[%h] : tensor<?xf32>
      %next = arith.addf %acc, %y : f32";
    let program = nest(
        ["tensor<?xi32>", "tensor<?xf32>", "f32"],
        ["%u", zero],
        "%i < %m",
        "%zero",
        gathered,
    );
    let word = Elem::Int(IntWidth::new(32).expect("a width"));
    tiled(
        &program,
        &inputs([word, Elem::F32], |_, _, u| [vec![u], vec![u]]),
        1,
    );
}

#[test]
fn what_does_not_pay_or_cannot_be_tiled_stays_with_a_reason() {
    let zero = "%zero = arith.constant 0.0 : f32";
    let line = "tensor<?xf32>";
    let matrix = "tensor<?x?xf32>";
    let stays = |program: &str| {
        let mut ir = parse(program);
        let before = support::text(&ir);
        let remarks = remarks(&SMALL, &mut ir);
        assert_eq!(before, support::text(&ir), "nothing was changed");
        remarks.join("\n")
    };
    let alone = "%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %next = arith.addf %acc, %x : f32";
    let program = nest(
        [matrix, line, "f32"],
        ["%u", zero],
        "%i < %m",
        "%zero",
        alone,
    );
    assert!(stays(&program).contains("no loop in which several points read the same elements"));
    let body = "%y = tensor.extract %b[%k] : tensor<?xf32>
      %next = arith.addf %acc, %y : f32";
    let triangle = nest([line, line, "f32"], ["%i", zero], "%i < %m", "%zero", body);
    assert!(stays(&triangle).contains("bounds differ between points"));
    let short = nest(
        [line, line, "f32"],
        [
            "%four",
            &format!("{zero}\n%four = arith.constant 4 : index"),
        ],
        "%i < %m",
        "%zero",
        body,
    );
    assert!(stays(&short).contains("only 4 steps"));
    let few = "%four = arith.constant 4 : index";
    let few = nest(
        [line, line, "f32"],
        ["%u", &format!("{zero}\n{few}")],
        "%i < %four",
        "%zero",
        body,
    );
    assert!(stays(&few).contains("only 4 points"));
}

#[test]
fn several_loops_of_a_point_are_tiled_one_after_the_other() {
    let program =
        "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %u = tensor.dim %b, %c0 : tensor<?xf32>
  %r:2 = kernel.segmap thread (%i < %n) -> (tensor<?xf32>, tensor<?xf32>) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %most = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %x) -> (f32) {
      %y = tensor.extract %b[%k] : tensor<?xf32>
      %next = arith.maximumf %acc, %y : f32
      scf.yield %next : f32
    }
    %h = arith.mulf %most, %x : f32
    %s:2 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero, %last = %most) -> (f32, f32) {
      %y = tensor.extract %b[%k] : tensor<?xf32>
      %d = arith.subf %y, %h : f32
      %next = arith.addf %acc, %d : f32
      scf.yield %next, %y : f32, f32
    }
    %t = arith.addf %s#0, %s#1 : f32
    kernel.return %t, %h : f32, f32
  }
  func.return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}";
    let sizes = [(0, 4), (1, 1), (33, 31), (32, 64), (61, 7), (5, 0)];
    let inputs: Vec<Vec<Datum>> = sizes
        .iter()
        .map(|&(n, u)| vec![floats(&[n], 1), floats(&[u], 2)])
        .collect();
    keeps(program, &inputs, |ir| {
        assert_eq!(remarks(&SMALL, ir), [""; 0]);
        // Loops over full tiles and over the rest, and in each the loop over the elements of a tile.
        assert_eq!(count(ir, "scf.for"), 8);
    });
}

#[test]
fn bad_options_are_refused() {
    for pass in [
        TileBlocks {
            large: Some("16x16x8x8x16".to_owned()),
            ..TileBlocks::default()
        },
        TileBlocks {
            versions: Versions::BySize,
            large: Some("16x16x8".to_owned()),
            ..TileBlocks::default()
        },
        TileBlocks {
            versions: Versions::BySize,
            large: Some("64x64x1x1x16".to_owned()),
            ..TileBlocks::default()
        },
        TileBlocks {
            tile_y: 64,
            tile_x: 32,
            ..TileBlocks::default()
        },
        TileBlocks {
            registers_y: 3,
            ..TileBlocks::default()
        },
        TileBlocks {
            registers_x: 0,
            ..TileBlocks::default()
        },
        TileBlocks {
            tile_y: 0,
            ..TileBlocks::default()
        },
        TileBlocks {
            tile: 2048,
            ..TileBlocks::default()
        },
        TileBlocks {
            tile_k: 0,
            ..TileBlocks::default()
        },
        TileBlocks {
            tile_x: -16,
            ..TileBlocks::default()
        },
    ] {
        let mut ir = parse("func.func @main() { func.return }");
        let (_, done) = run_pass(&pass, &mut ir);
        assert!(!done);
    }
}

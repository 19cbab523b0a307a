//! `fuse-traversals`: random sequences of nests over common matrices keep what they return; and the search space of fusions.

mod support;

use segra_interp::{Datum, Elem};
use segra_random::SplitMix64;
use segra_schedule::FuseTraversals;
use segra_schedule::tile::Versions;
use segra_schedule::traverse::{Count, Exploration, Figures, MapBlock, Scope, Sizes, explore};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use support::{apply_to_function, function, keeps, numbers, parse};

/// Small tiles, taken whatever the sizes.
fn small() -> FuseTraversals {
    FuseTraversals {
        versions: Versions::One,
        warps: 2,
        columns: 2,
        rows: 2,
        steps: 2,
        tiles: 0,
        ..FuseTraversals::default()
    }
}

/// Numbers chosen at random, the same in each run.
struct Choices(SplitMix64);

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        self.0.below(count as u64) as usize
    }

    fn of<'a>(&mut self, all: &'a [String]) -> &'a str {
        &all[self.below(all.len())]
    }
}

/// The operators of a nest on the elements of a row, or of a column.
const OPERATORS: [&str; 3] = ["arith.addi", "arith.minsi", "affine"];

/// A sequence of nests over matrices of `i32`: maps, reductions along rows and along columns, of sums, of least values and
/// of compositions of affine functions, which do not commute. Maps are read by later nests, and so are results of reductions.
fn sequence(choices: &mut Choices) -> String {
    let mut matrices = vec!["a".to_owned(), "b".to_owned()];
    let (mut of_rows, mut of_columns) = (vec!["r".to_owned()], vec!["p".to_owned()]);
    let (mut body, mut results) = (String::new(), Vec::new());
    for number in 0..2 + choices.below(4) {
        let (kind, operator) = (choices.below(3), OPERATORS[choices.below(3)]);
        let (x, y) = (
            choices.of(&matrices).to_owned(),
            choices.of(&matrices).to_owned(),
        );
        let (r, p) = (
            choices.of(&of_rows).to_owned(),
            choices.of(&of_columns).to_owned(),
        );
        let element = format!(
            "%x = tensor.extract %{x}[%i, %j] : tensor<?x?xi32>
             %y = tensor.extract %{y}[%i, %j] : tensor<?x?xi32>
             %u = tensor.extract %{r}[%i] : tensor<?xi32>
             %v = tensor.extract %{p}[%j] : tensor<?xi32>
             %s = arith.addi %y, %v : i32
             %t = arith.muli %s, %u : i32
             %e = arith.subi %x, %t : i32"
        );
        if kind == 0 {
            let _ = writeln!(
                body,
                "%m{number} = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xi32>) {{
                   {element}
                   kernel.return %e : i32
                 }}"
            );
            matrices.push(format!("m{number}"));
            results.push((format!("%m{number}"), "tensor<?x?xi32>"));
            continue;
        }
        let space = ["%i < %n, %j < %m", "%j < %m, %i < %n"][kind - 1];
        let reduced = if operator == "affine" {
            format!(
                "%v{number}, %w{number} = kernel.segred thread ({space}) init (%one, %zero : i32, i32) -> (tensor<?xi32>, tensor<?xi32>) {{
                   {element}
                   kernel.return %e, %x : i32, i32
                 }} combine (%xa, %xb, %ya, %yb) {{
                   %c = arith.muli %xa, %ya : i32
                   %f = arith.muli %xb, %ya : i32
                   %d = arith.addi %f, %yb : i32
                   kernel.return %c, %d : i32, i32
                 }}"
            )
        } else {
            let neutral = if operator == "arith.addi" {
                "%zero"
            } else {
                "%most"
            };
            format!(
                "%v{number} = kernel.segred thread ({space}) init ({neutral} : i32) -> (tensor<?xi32>) {{
                   {element}
                   kernel.return %e : i32
                 }} combine (%c, %d) {{
                   %f = {operator} %c, %d : i32
                   kernel.return %f : i32
                 }}"
            )
        };
        let _ = writeln!(body, "{reduced}");
        results.push((format!("%v{number}"), "tensor<?xi32>"));
        let vectors = if kind == 1 {
            &mut of_rows
        } else {
            &mut of_columns
        };
        vectors.push(format!("v{number}"));
    }
    let names: Vec<&str> = results.iter().map(|row| row.0.as_str()).collect();
    let types: Vec<&str> = results.iter().map(|row| row.1).collect();
    let (names, types) = (names.join(", "), types.join(", "));
    format!(
        "func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %r: tensor<?xi32>, %p: tensor<?xi32>) -> ({types}) {{
           %zero = arith.constant 0 : i32
           %one = arith.constant 1 : i32
           %most = arith.constant 2147483647 : i32
           %c0 = arith.constant 0 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xi32>
           %c1 = arith.constant 1 : index
           %m = tensor.dim %a, %c1 : tensor<?x?xi32>
           {body}
           func.return {names} : {types}
         }}"
    )
}

#[test]
fn random_sequences_keep_what_they_return() {
    let mut choices = Choices(SplitMix64::new(3));
    let mut fused = 0;
    for _ in 0..120 {
        let program = sequence(&mut choices);
        let [n, m] = [0; 2].map(|_| [0, 1, 2, 7, 8, 9, 31, 33, 67, 131][choices.below(10)]);
        let matrix = |seed| numbers(Elem::I32, &[n, m], seed);
        let inputs: Vec<Datum> = vec![
            matrix(1),
            matrix(2),
            numbers(Elem::I32, &[n], 3),
            numbers(Elem::I32, &[m], 4),
        ];
        let after = keeps(&program, &[inputs], |ir| apply_to_function(&small(), ir));
        fused += usize::from(after.contains("kernel.segmap block"));
    }
    assert!(
        fused > 60,
        "{fused} of the programs have a common traversal"
    );
}

#[test]
fn every_combination_of_random_sequences_keeps_what_they_return() {
    let mut choices = Choices(SplitMix64::new(11));
    let mut fused = 0;
    for _ in 0..8 {
        let program = sequence(&mut choices);
        let pass = FuseTraversals {
            combination: 1 + choices.below(30),
            extent: 131,
            ..FuseTraversals::default()
        };
        let matrix = |seed| numbers(Elem::I32, &[131, 131], seed);
        let vector = |seed| numbers(Elem::I32, &[131], seed);
        let inputs: Vec<Datum> = vec![matrix(1), matrix(2), vector(3), vector(4)];
        let after = keeps(&program, &[inputs], |ir| apply_to_function(&pass, ir));
        fused += usize::from(after.contains("kernel.segmap block"));
    }
    assert!(fused > 3, "{fused} of the programs have tiles");
}

fn explored(program: &str) -> Exploration {
    explored_at(program, 4096)
}

fn explored_at(program: &str, extent: i64) -> Exploration {
    explored_in(Scope::All, program, extent)
}

fn explored_in(scope: Scope, program: &str, extent: i64) -> Exploration {
    let mut ir = parse(program);
    let sizes = Sizes {
        named: BTreeMap::new(),
        other: extent,
    };
    let figures = Figures::named("H100").expect("is stored");
    let at = function(&ir);
    let mut found = explore(&mut ir, at, scope, (&sizes, figures));
    assert_eq!(found.len(), 1, "there is one block of nests");
    found.remove(0)
}

/// Sums along rows with `p`, and along columns with `vector`.
fn products(vector: &str) -> String {
    products_of(vector, "?x?")
}

/// The same of a matrix of a certain shape.
fn products_of(vector: &str, shape: &str) -> String {
    let program = products_of_any(vector);
    program.replace("?x?", shape)
}

fn products_of_any(vector: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xf32>, %p: tensor<?xf32>, %r: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {{
           %zero = arith.constant 0.0 : f32
           %c0 = arith.constant 0 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xf32>
           %c1 = arith.constant 1 : index
           %m = tensor.dim %a, %c1 : tensor<?x?xf32>
           %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {{
             %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
             %y = tensor.extract %p[%j] : tensor<?xf32>
             %z = arith.mulf %x, %y : f32
             kernel.return %z : f32
           }} combine (%s, %t) {{
             %u = arith.addf %s, %t : f32
             kernel.return %u : f32
           }}
           %w = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {{
             %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
             %y = tensor.extract {vector}[%i] : tensor<?xf32>
             %z = arith.mulf %x, %y : f32
             kernel.return %z : f32
           }} combine (%s, %t) {{
             %u = arith.addf %s, %t : f32
             kernel.return %u : f32
           }}
           func.return %q, %w : tensor<?xf32>, tensor<?xf32>
         }}"
    )
}

#[test]
fn combinations_cover_each_nest_once_and_come_best_first() {
    let space = explored(&products("%r"));
    assert_eq!(space.nests.len(), 2);
    assert_eq!(space.fusions, 1);
    assert!(space.pruned > 0, "no implementation is left out");
    let all: Vec<_> = space.combinations().collect();
    let fused = all[0]
        .kernels
        .iter()
        .any(|&kernel| space.kernels[kernel].nests().len() == 2);
    assert!(fused, "the matrix is read twice");
    assert!(all.windows(2).all(|pair| pair[0].time <= pair[1].time));
    for combination in &all {
        let nests = combination
            .kernels
            .iter()
            .flat_map(|&kernel| space.kernels[kernel].nests());
        let mut nests: Vec<usize> = nests.collect();
        nests.sort_unstable();
        assert_eq!(nests, [0, 1]);
        let launches: f64 = combination
            .kernels
            .iter()
            .map(|&kernel| space.kernels[kernel].launches)
            .sum();
        assert!(combination.time > 3.0 * launches, "launches count");
    }
    assert_eq!(space.count(), Count::Exactly(all.len()));
    let best = &space.kernels[all[0].kernels[0]];
    assert!(best.bytes < 1.03 * best.least, "{best:?}");
}

#[test]
fn a_barrier_is_between_a_reduction_and_what_needs_it() {
    let space = explored(&products("%q"));
    assert_eq!(space.nests[1].needs, [0]);
    assert_eq!(space.fusions, 0);
}

/// Sums of rows of so many elements, and a map of a vector with as many elements as there are sums, which reads them at these
/// indices.
fn sums_mapped(length: i64, at: &str) -> String {
    format!(
        "func.func @f(%a: tensor<256x{length}xf32>, %v: tensor<256xf32>) -> tensor<256xf32> {{
          %c0 = arith.constant 0 : index
          %rows = arith.constant 256 : index
          %length = arith.constant {length} : index
          %zero = arith.constant 0.0 : f32
          %q = kernel.segred thread (%i < %rows, %j < %length) init (%zero : f32) -> (tensor<256xf32>) {{
            %x = tensor.extract %a[%i, %j] : tensor<256x{length}xf32>
            kernel.return %x : f32
          }} combine (%s, %t) {{
            %u = arith.addf %s, %t : f32
            kernel.return %u : f32
          }}
          %z = kernel.segmap thread (%i < %rows) -> (tensor<256xf32>) {{
            %x = tensor.extract %q[{at}] : tensor<256xf32>
            %y = tensor.extract %v[%i] : tensor<256xf32>
            %u = arith.mulf %x, %y : f32
            kernel.return %u : f32
          }}
          func.return %z : tensor<256xf32>
        }}"
    )
}

#[test]
fn a_map_of_sums_of_rows_is_part_of_their_kernel() {
    let best = |length, at| {
        let space = explored(&sums_mapped(length, at));
        let best = space.combinations().next().expect("there is one");
        let apart: f64 = best
            .kernels
            .iter()
            .map(|&kernel| space.kernels[kernel].time)
            .sum();
        (best.joined.clone(), apart - best.time)
    };
    let (joined, spared) = best(1024, "%i");
    assert_eq!(joined, [(0, 1)]);
    assert!(spared > 2.9, "a launch of 3 us is spared, not {spared}");
    // Short rows are given to no thread block; another row's sum is not there yet.
    for (length, at) in [(16, "%i"), (1024, "%c0")] {
        assert_eq!(best(length, at), (vec![], 0.0), "rows of {length}, at {at}");
    }
}

/// Two maps, one of what the other one makes; both results are returned.
const MAPS: &str = "func.func @main(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %y = kernel.segmap thread (%i < %n) -> (tensor<?xi32>) {
    %a = tensor.extract %x[%i] : tensor<?xi32>
    %b = arith.muli %a, %a : i32
    kernel.return %b : i32
  }
  %z = kernel.segmap thread (%i < %n) -> (tensor<?xi32>) {
    %a = tensor.extract %x[%i] : tensor<?xi32>
    %b = tensor.extract %y[%i] : tensor<?xi32>
    %c = arith.addi %a, %b : i32
    kernel.return %c : i32
  }
  func.return %y, %z : tensor<?xi32>, tensor<?xi32>
}";

#[test]
fn thread_blocks_of_maps_are_part_of_the_space_and_are_compiled() {
    const EXTENT: i64 = 1 << 20;
    let usual = explored_at(MAPS, EXTENT);
    assert_eq!((usual.kernels.len(), usual.count()), (3, Count::Exactly(2)));
    let space = explored_in(Scope::Blocks, MAPS, EXTENT);
    // Each of the three in 128, 256, 512 and 1024 threads, with one point and with several.
    assert_eq!(
        (space.kernels.len(), space.count()),
        (24, Count::Exactly(8 + 8 * 8))
    );
    let parts = |threads, single| {
        let block = Some(MapBlock { threads, single });
        let mut kernels = space.kernels.iter();
        let kernel = kernels.find(|kernel| kernel.block == block && kernel.nests().len() == 2);
        kernel.expect("is there").parts
    };
    let [several, single] = [false, true].map(|single| parts(512, single));
    assert!(
        single.computation > 2.0 * several.computation,
        "{single:?}, {several:?}"
    );
    assert!((single.transfer / several.transfer - 1.0).abs() < 0.01);
    for (number, combination) in space.combinations().enumerate() {
        let pass = FuseTraversals {
            combination: number + 1,
            extent: EXTENT,
            blocks: true,
            ..FuseTraversals::default()
        };
        let blocks = combination
            .kernels
            .iter()
            .filter_map(|&kernel| space.kernels[kernel].block);
        let blocks: Vec<MapBlock> = blocks.collect();
        let text = match number % 8 {
            0 => keeps(MAPS, &[vec![numbers(Elem::I32, &[131], 1)]], |ir| {
                apply_to_function(&pass, ir)
            }),
            _ => after(MAPS, &pass),
        };
        for threads in [128, 256, 512, 1024] {
            let wanted = blocks
                .iter()
                .filter(|block| block.threads == threads)
                .count();
            let found = text.matches(&format!("threads = {threads} : i64")).count();
            assert_eq!(
                found, wanted,
                "{threads} threads in {combination:?}: {text}"
            );
        }
        let wanted = blocks.iter().filter(|block| block.single).count();
        assert_eq!(
            text.matches("{single").count(),
            wanted,
            "{combination:?}: {text}"
        );
    }
}

/// The program after the pass, folded as far as it goes.
fn after(program: &str, pass: &FuseTraversals) -> String {
    let mut ir = parse(program);
    apply_to_function(pass, &mut ir);
    segra_text::print(&ir, ir.root(), &segra_text::PrintOptions::default())
}

/// The tile of the best combination.
fn best_tile(program: &str, extent: i64) -> Option<[i64; 4]> {
    let space = explored_at(program, extent);
    let best = space.combinations().next().expect("there is one");
    best.kernels
        .iter()
        .find_map(|&kernel| space.kernels[kernel].tile)
}

#[test]
fn what_is_predicted_to_be_best_is_compiled() {
    let program = products_of("%r", "4096x4096").replace(
        "tensor.dim %a, %c0 : tensor<4096x4096xf32>",
        "arith.constant 4096 : index",
    );
    let program = program.replace(
        "tensor.dim %a, %c1 : tensor<4096x4096xf32>",
        "arith.constant 4096 : index",
    );
    let [warps, rows, _, steps] =
        best_tile(&program, 4096).expect("tiles are best for large matrices");
    let text = after(&program, &FuseTraversals::default());
    assert!(!text.contains("kernel.at_least"), "sizes are known: {text}");
    let rows = warps * rows * steps;
    assert!(
        text.contains(&format!("tensor<?x?x{rows}xf32>"))
            || text.contains(&format!("x{rows}xf32>")),
        "{rows} rows: {text}"
    );
    let tiny = program.replace("4096", "64");
    assert_eq!(
        best_tile(&tiny, 4096),
        None,
        "a launch more costs more than a small matrix"
    );
    let text = after(&tiny, &FuseTraversals::default());
    assert!(!text.contains("kernel.segmap block"), "{text}");
}

#[test]
fn symbolic_sizes_get_versions_that_named_thresholds_choose_from() {
    let text = after(&products("%r"), &FuseTraversals::default());
    assert!(
        text.contains("\"main.traverse0.large\"") && text.contains("\"main.traverse0.small\""),
        "{text}"
    );
    let at = |name: &str| text.find(name).expect("is there");
    assert!(
        at("traverse0.large") < at("traverse0.small"),
        "large tiles are asked for first"
    );
}

#[test]
fn a_combination_is_chosen_by_its_number() {
    let program = products("%r");
    let space = explored_at(&program, 2048);
    let all: Vec<_> = space.combinations().collect();
    let tiles_of = |number: usize| {
        let pass = FuseTraversals {
            combination: number,
            extent: 2048,
            ..FuseTraversals::default()
        };
        after(&program, &pass)
            .matches("kernel.segmap block")
            .count()
    };
    let fused = |combination: usize| {
        let kernels = all[combination].kernels.iter();
        kernels
            .filter(|&&kernel| space.kernels[kernel].tile.is_some())
            .count()
    };
    let apart = (0..all.len())
        .find(|&number| fused(number) == 0)
        .expect("nests apart are one");
    assert_eq!((fused(0), tiles_of(1)), (1, 1));
    assert_eq!(tiles_of(apart + 1), 0);
    assert_eq!(
        tiles_of(10_000),
        fused(all.len() - 1),
        "the last one where there are fewer"
    );
}

/// A chain of `count` maps of one matrix and sums of each along columns: all share matrices.
fn many(count: usize) -> String {
    let mut body = String::new();
    let mut results = Vec::new();
    for number in 0..count {
        let _ = writeln!(
            body,
            "%s{number} = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {{
               %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
               %y = tensor.extract %r[%i] : tensor<?xf32>
               %z = arith.mulf %x, %y : f32
               kernel.return %z : f32
             }} combine (%s, %t) {{
               %u = arith.addf %s, %t : f32
               kernel.return %u : f32
             }}"
        );
        results.push(format!("%s{number}"));
    }
    let types = vec!["tensor<?xf32>"; count].join(", ");
    format!(
        "func.func @main(%a: tensor<?x?xf32>, %r: tensor<?xf32>) -> ({types}) {{
           %zero = arith.constant 0.0 : f32
           %c0 = arith.constant 0 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xf32>
           %c1 = arith.constant 1 : index
           %m = tensor.dim %a, %c1 : tensor<?x?xf32>
           {body}
           func.return {} : {types}
         }}",
        results.join(", ")
    )
}

#[test]
fn the_search_has_a_budget_and_finds_the_whole_beyond_it() {
    let space = explored(&many(3));
    assert_eq!(space.fusions, 4, "three pairs, and all");
    let space = explored(&many(16));
    assert!(space.fusions <= 600, "{} subgraphs", space.fusions);
    let whole = space
        .kernels
        .iter()
        .any(|kernel| kernel.nests().len() == 16);
    assert!(whole, "the fusion of all is among them");
    let space = explored(&many(41));
    assert_eq!(space.fusions, 0, "of more nests none");
}

#[test]
fn fusions_that_spare_nothing_and_tiles_that_only_take_more_memory_are_left_out() {
    let space = explored(&products("%r"));
    let shapes = 16;
    let both: Vec<_> = space
        .kernels
        .iter()
        .filter(|kernel| kernel.nests().len() == 2)
        .collect();
    assert!(
        !both.is_empty() && both.len() < shapes,
        "{} of {shapes} are left",
        both.len()
    );
    // Rows alone have kernels of their own: tiles spare nothing.
    let rows = space.kernels.iter().filter(|kernel| kernel.nests() == [0]);
    assert_eq!(rows.count(), 1);
    // A poor prediction is no reason to leave one out: the worst is among the combinations, at the end.
    let slowest = space.combinations().last().expect("there are some");
    let fastest = space.combinations().next().expect("there are some");
    assert!(slowest.time > 2.0 * fastest.time);
}

#[test]
fn kernels_that_need_each_other_are_not_both_made() {
    // Sums of %a and of %b: the second of %b needs the first of %a, and the second of %a the first of %b.
    let sum = |name: &str, space: &str, matrix: &str, factor: &str| {
        format!(
            "%{name} = kernel.segred thread ({space}) init (%zero : i32) -> (tensor<?xi32>) {{
               %x = tensor.extract %{matrix}[%i, %j] : tensor<?x?xi32>
               %y = tensor.extract {factor} : tensor<?xi32>
               %z = arith.muli %x, %y : i32
               kernel.return %z : i32
             }} combine (%s, %t) {{
               %u = arith.addi %s, %t : i32
               kernel.return %u : i32
             }}
             "
        )
    };
    let (rows, columns) = ("%i < %n, %j < %m", "%j < %m, %i < %n");
    let body = [
        sum("v1", columns, "a", "%r[%i]"),
        sum("v2", rows, "b", "%p[%j]"),
        sum("v3", rows, "b", "%v1[%j]"),
        sum("v4", columns, "a", "%v2[%i]"),
        sum("v5", columns, "b", "%r[%i]"),
    ]
    .concat();
    let program = format!(
        "func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %r: tensor<?xi32>, %p: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {{
           %zero = arith.constant 0 : i32
           %c0 = arith.constant 0 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xi32>
           %c1 = arith.constant 1 : index
           %m = tensor.dim %a, %c1 : tensor<?x?xi32>
           {body}
           func.return %v3, %v4, %v5 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
         }}"
    );
    let matrix = |seed| numbers(Elem::I32, &[9, 67], seed);
    let inputs = vec![
        matrix(1),
        matrix(2),
        numbers(Elem::I32, &[9], 3),
        numbers(Elem::I32, &[67], 4),
    ];
    let after = keeps(&program, &[inputs], |ir| apply_to_function(&small(), ir));
    assert!(after.contains("kernel.segmap block"), "{after}");
    let space = explored(&program);
    for combination in space.combinations().take(500) {
        let nests = |nest: usize| {
            let mut kernels = combination.kernels.iter();
            kernels.position(|&kernel| space.kernels[kernel].nests().contains(&nest))
        };
        assert!(
            nests(0) != nests(3) || nests(1) != nests(2),
            "{combination:?}"
        );
    }
}

/// A matrix that is made of two, and what reads it: at these indices, over this space.
fn made_and_read(indices: &str, space: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?xf32>) {{
           %zero = arith.constant 0.0 : f32
           %c = kernel.segmap thread (%i < %n, %j < %n) -> (tensor<?x?xf32>) {{
             %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
             %y = tensor.extract %b[%i, %j] : tensor<?x?xf32>
             %z = arith.addf %x, %y : f32
             kernel.return %z : f32
           }}
           %s = kernel.segred thread ({space}) init (%zero : f32) -> (tensor<?xf32>) {{
             %x = tensor.extract %c[{indices}] : tensor<?x?xf32>
             %y = tensor.extract %a[%i, %j] : tensor<?x?xf32>
             %w = tensor.extract %b[%i, %j] : tensor<?x?xf32>
             %v = arith.mulf %x, %y : f32
             %z = arith.mulf %v, %w : f32
             kernel.return %z : f32
           }} combine (%s, %t) {{
             %u = arith.addf %s, %t : f32
             kernel.return %u : f32
           }}
           func.return %c, %s : tensor<?x?xf32>, tensor<?xf32>
         }}"
    )
}

#[test]
fn maps_fuse_where_the_same_thread_makes_and_reads_an_element() {
    let columns = "%j < %n, %i < %n";
    assert_eq!(explored(&made_and_read("%i, %j", columns)).fusions, 1);
    // Another thread block may have made it.
    assert_eq!(explored(&made_and_read("%j, %i", columns)).fusions, 0);
    assert_eq!(explored(&made_and_read("%i, %i", columns)).fusions, 0);
}

#[test]
fn nests_of_other_depth_are_not_fused() {
    let program = made_and_read("%i, %j", "%j < %n, %i < %n");
    let deeper = program
        .replace(
            "%s = kernel.segred thread (%j < %n, %i < %n)",
            "%s = kernel.segred thread (%k < %n, %j < %n, %i < %n)",
        )
        .replace(
            "init (%zero : f32) -> (tensor<?xf32>)",
            "init (%zero : f32) -> (tensor<?x?xf32>)",
        )
        .replace(
            "-> (tensor<?x?xf32>, tensor<?xf32>)",
            "-> (tensor<?x?xf32>, tensor<?x?xf32>)",
        )
        .replace(
            "func.return %c, %s : tensor<?x?xf32>, tensor<?xf32>",
            "func.return %c, %s : tensor<?x?xf32>, tensor<?x?xf32>",
        );
    assert_ne!(program, deeper);
    assert_eq!(explored(&deeper).fusions, 0);
}

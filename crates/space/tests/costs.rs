//! The cost of index recovery before and after simplification, and after divisions by constants are reduced.

mod common;

use common::*;
use segra_space::*;

/// Operations as recovered, simplified, and with products for divisions by constants.
fn costs(text: &str, sizes: &[Size]) -> [String; 3] {
    let mut arena = Arena::new();
    let mut shape = Vec::new();
    for (place, size) in sizes.iter().enumerate() {
        let name = format!("d{place}");
        shape.push(match *size {
            Unknown => arena.symbol(&name, Interval::NON_NEGATIVE),
            Constant(size) => arena.int(size),
            MultipleOf(k) => {
                arena.congruent_symbol(&name, Interval::NON_NEGATIVE, Congruence::multiple_of(k))
            }
        });
    }
    let space = Descriptor::of_shape(&mut arena, &shape);
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
    let plain = mapping.recover(&mut arena, &ids).expect("it fits");
    let limits = SimplifyLimits::default();
    let simple = mapping
        .recover_simplified(&mut arena, &ids, &Facts::new(), &limits)
        .expect("it fits");
    let facts = mapping.thread_facts(&mut arena, &ids);
    let reduced = reduce_divisions(&mut arena, &simple.roots(), &facts);
    [plain.roots(), simple.roots(), reduced].map(|r| OperationCounts::of(&arena, &r).to_string())
}

#[derive(Clone, Copy)]
enum Size {
    Unknown,
    Constant(i64),
    MultipleOf(i64),
}

use Size::{Constant, MultipleOf, Unknown};

/// Chain, sizes, and the three costs.
const TABLE: &[(&str, &[Size], [&str; 3])] = &[
    (
        "GridBlock(1, SplitLast(256, FoldLast2(FoldLast2(ShiftLB(Gen)))))",
        &[Unknown; 3],
        [
            "3 sums, 4 products, 1 shifts, 2 divisions, 1 comparisons",
            "3 sums, 4 products, 1 shifts, 2 divisions, 1 comparisons",
            "3 sums, 4 products, 1 shifts, 2 divisions, 1 comparisons",
        ],
    ),
    (
        "GridBlock(1, SplitLast(256, FoldLast2(FoldLast2(ShiftLB(Gen)))))",
        &[Constant(50), Constant(60), Constant(70)],
        [
            "3 sums, 2 products, 1 shifts, 2 divisions by constants, 1 comparisons",
            "3 sums, 2 products, 1 shifts, 2 divisions by constants, 1 comparisons",
            "3 sums, 4 products, 3 shifts, 1 comparisons",
        ],
    ),
    (
        "GridBlock(1, SplitLast(32, Gen))",
        &[MultipleOf(32)],
        [
            "1 sums, 1 shifts, 1 comparisons",
            "1 sums, 1 shifts",
            "1 sums, 1 shifts",
        ],
    ),
    (
        "GridBlock(2, Permute([2,0,3,1], SplitLast(32, Permute([1,2,0], SplitLast(32, ShiftLB(Gen))))))",
        &[MultipleOf(32), MultipleOf(64)],
        [
            "2 sums, 2 shifts, 2 comparisons",
            "2 sums, 2 shifts",
            "2 sums, 2 shifts",
        ],
    ),
    (
        "GridBlock(1, SplitLast(256, Column(32, Gen)))",
        &[Unknown; 2],
        [
            "5 sums, 3 products, 3 shifts, 2 divisions, 1 comparisons, 2 choices",
            "5 sums, 3 products, 3 shifts, 2 divisions, 1 comparisons, 2 choices",
            "5 sums, 3 products, 3 shifts, 2 divisions, 1 comparisons, 2 choices",
        ],
    ),
    (
        "GridBlock(1, SplitLast(256, Column(32, Gen)))",
        &[Constant(4037), Constant(4037)],
        [
            "5 sums, 2 products, 2 shifts, 1 divisions by constants, 1 divisions, 1 comparisons, 2 choices",
            "5 sums, 2 products, 2 shifts, 1 divisions by constants, 1 divisions, 1 comparisons, 1 choices",
            "5 sums, 3 products, 3 shifts, 1 divisions, 1 comparisons, 1 choices",
        ],
    ),
    (
        "GridBlock(1, SplitLast(256, Hilbert(0, 3, Gen)))",
        &[Constant(100), Constant(100)],
        [
            "15 sums, 1 products, 19 shifts, 1 divisions by constants, 8 comparisons, 11 choices, 1 logic",
            "15 sums, 1 products, 19 shifts, 1 divisions by constants, 8 comparisons, 11 choices, 1 logic",
            "15 sums, 2 products, 20 shifts, 8 comparisons, 11 choices, 1 logic",
        ],
    ),
];

#[test]
fn simplification_and_reduction_save_what_the_table_says() {
    for &(text, sizes, expected) in TABLE {
        assert_eq!(costs(text, sizes), expected, "{text}");
    }
}

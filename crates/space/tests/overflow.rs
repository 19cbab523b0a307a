//! Launches of huge spaces: what the conditions let pass does not overflow, on the host and in the last threads.

mod common;

use common::*;
use proptest::prelude::*;
use proptest::strategy::Strategy;
use segra_space::*;

const WIDE: HardwareLimits = HardwareLimits {
    grid: [i64::MAX; 3],
    block: [i64::MAX; 3],
    block_threads: i64::MAX,
};

/// Chains for spaces of two dimensions.
const CHAINS: [&str; 10] = [
    "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))",
    "GridBlock(1, PadLast(1000, Gen))",
    "GridBlock(2, Permute([2,0,3,1], SplitLast(32, Permute([1,2,0], SplitLast(32, Gen)))))",
    "GridBlock(1, SplitLast(256, Column(32, Gen)))",
    "GridBlock(1, SplitLast(256, Zigzag(5, Gen)))",
    "GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))",
    "GridBlock(1, SplitLast(4, Morton(0, 3, Gen)))",
    "GridBlock(1, SplitLast(4, Hilbert(0, 15, Gen)))",
    "GridBlock(1, Serial(1, Split(0, 256, Stride(0, 65536, Fold(0, Gen)))))",
    "GridBlock(1, Stride(1, 1000000007, Split(0, 3, Gen)))",
];

fn size() -> impl Strategy<Value = i64> {
    prop_oneof![
        0i64..5,
        (0u32..63, -2i64..3).prop_map(|(bits, off)| ((1i64 << bits) + off).max(0)),
        Just(i64::MAX),
        0i64..1 << 33,
    ]
}

/// Whether all hold, tested up to the first that fails.
fn pass(arena: &Arena, conditions: &[Expr], values: &Values) -> bool {
    conditions
        .iter()
        .all(|&condition| eval(arena, &[condition], values) == [1])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn launches_that_pass_do_not_overflow(sizes in (size(), size()), chosen in 0..CHAINS.len()) {
        let mut arena = Arena::new();
        let (space, mut values) = symbolic_shape(&mut arena, &[sizes.0, sizes.1]);
        let mapping = Mapping::new(&mut arena, space, chain(CHAINS[chosen])).expect("it fits");
        let ids = ThreadIds::declare(&mut arena, &WIDE);
        let conditions = mapping.overflow_conditions(&mut arena, &ids).expect("it fits");
        if !pass(&arena, &conditions, &values) {
            // Refused for a reason: positions or what is rounded up do not fit, with a tile of 2^15 by 2^15 to spare.
            let (m, n) = (i128::from(sizes.0), i128::from(sizes.1));
            let rounded = (m + 32768).max(m * 2).saturating_mul((n + 32768).max(n * 2));
            let rounded = rounded.saturating_mul(1_000_000_007);
            prop_assert!(rounded > i128::from(i64::MAX), "{m} by {n} is refused");
            return Ok(());
        }
        let extents = [mapping.block(), mapping.grid(), mapping.steps()].concat();
        let extents = eval(&arena, &extents, &values);
        if extents.contains(&0) {
            return Ok(());
        }
        let all = [ids.thread, ids.block, ids.step].concat();
        for (&id, extent) in all.iter().zip(extents) {
            values.insert(arena.as_symbol(id).expect("a symbol"), extent - 1);
        }
        let roots = mapping.recover(&mut arena, &ids).expect("it fits").roots();
        let at = |symbol: Symbol| values.get(&symbol).copied();
        let result = evaluate(&arena, &roots, &at);
        prop_assert!(result.is_ok(), "{result:?}");
    }
}

#[test]
fn constant_and_bounded_sizes_need_no_test() {
    let mut arena = Arena::new();
    let m = arena.symbol("m", Interval::new(0, 1 << 30));
    let n = arena.int(4096);
    let space = Descriptor::of_shape(&mut arena, &[m, n]);
    let text = "GridBlock(1, SplitLast(256, Column(32, Gen)))";
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
    let conditions = mapping.overflow_conditions(&mut arena, &ids);
    assert_eq!(conditions, Ok(Vec::new()));
}

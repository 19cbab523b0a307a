//! Random chains of combinators of every kind, with views, loops and branches between them: fused and not fused they
//! compute the same, at sizes 0, 1 and primes. A failure names the seed. `SEGRA_SEEDS=20000` looks longer.

mod support;

use segra_tests::array_programs::{
    assert_verified, chain_results, combinators, parse, seeds, text_of,
};
use segra_tests::random_chain::program;
use support::fuse;

#[test]
fn chains_of_all_combinators_compute_the_same_when_fused() {
    let (mut before_all, mut after_all) = (0, 0);
    for seed in seeds(400) {
        let source = program(seed, 10);
        let before = parse(&source);
        let mut after = parse(&source);
        fuse(&mut after);
        assert_verified(&after);
        before_all += combinators(&before);
        after_all += combinators(&after);
        for (n, m) in [(0, 3), (1, 1), (7, 5), (13, 0)] {
            assert_eq!(
                chain_results(&before, n, m, seed),
                chain_results(&after, n, m, seed),
                "seed {seed}, n = {n}, m = {m}\n{source}\n{}",
                text_of(&after)
            );
        }
    }
    println!("{before_all} combinators, {after_all} after fusion");
    assert!(
        after_all * 10 < before_all * 8,
        "{before_all} combinators became {after_all}"
    );
}

//! Random chains of combinators of every kind, with views, loops and branches between them: rewritten and as written they
//! compute the same, at sizes 0, 1 and primes. A failure names the seed. `SEGRA_SEEDS=20000` looks longer.

use segra_algebra::Algebra;
use segra_tests::array_programs::{
    assert_linear, assert_verified, chain_results, parse, seeds, text_of,
};
use segra_tests::random_chain::program;

#[test]
fn chains_of_all_combinators_compute_the_same_when_rewritten() {
    let seeds = seeds(400);
    let mut taken = 0;
    for seed in seeds.clone() {
        let source = program(seed, 10);
        let before = parse(&source);
        let mut after = parse(&source);
        let root = after.root();
        let done = Algebra::default().rewrite(&mut after, root);
        taken += u64::from(done.iter().any(|piece| piece.taken));
        assert_verified(&after);
        for (n, m) in [(0, 3), (1, 1), (7, 5), (13, 0)] {
            assert_eq!(
                chain_results(&before, n, m, seed),
                chain_results(&after, n, m, seed),
                "seed {seed}, n = {n}, m = {m}\n{source}\n{}",
                text_of(&after)
            );
        }
    }
    println!("{taken} of {seeds:?} rewritten");
    assert!(taken * 4 > seeds.end, "{taken} of {seeds:?}");
}

/// Pieces are of bounded size.
#[test]
fn long_programs_are_rewritten_in_linear_time() {
    assert_linear(|ir| {
        let root = ir.root();
        Algebra::default().rewrite(ir, root);
    });
}

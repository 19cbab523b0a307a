//! Random chains of combinators of every kind, with views, loops and branches between them: rewritten and as written they
//! compute the same, at sizes 0, 1 and primes. A failure names the seed. `SEGRA_SEEDS=20000` looks longer.

#[path = "../../../tests/src/random_chain.rs"]
#[allow(unreachable_pub, reason = "the file is part of another crate")]
mod random_chain;
#[path = "../../../tests/src/random_ir.rs"]
#[allow(dead_code, unreachable_pub, reason = "only its stream of choices is used")]
mod random_ir;
mod support;

use random_chain::program;
use segra_algebra::Algebra;
use support::{chain_results, parse, text_of, thread_time, verify};

#[test]
fn chains_of_all_combinators_compute_the_same_when_rewritten() {
    let seeds = std::env::var("SEGRA_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(400u64);
    let mut taken = 0;
    for seed in 0..seeds {
        let source = program(seed, 10);
        let before = parse(&source);
        let mut after = parse(&source);
        let root = after.root();
        let done = Algebra::default().rewrite(&mut after, root);
        taken += usize::from(done.iter().any(|piece| piece.taken));
        verify(&after);
        for (n, m) in [(0, 3), (1, 1), (7, 5), (13, 0)] {
            assert_eq!(
                chain_results(&before, n, m, seed),
                chain_results(&after, n, m, seed),
                "seed {seed}, n = {n}, m = {m}\n{source}\n{}",
                text_of(&after)
            );
        }
    }
    println!("{taken} of {seeds} rewritten");
    assert!(taken * 4 > seeds as usize, "{taken} of {seeds}");
}

/// Pieces are of bounded size: ten programs of 500 combinators and one of 5,000 take about as long.
#[test]
fn long_programs_are_rewritten_in_linear_time() {
    let time = |programs: usize, count: usize| {
        let mut body = String::new();
        for at in 0..count {
            let from = if at == 0 { "%xs".to_owned() } else { format!("%m{}", at - 1) };
            body += &format!(
                "%m{at} = array.map (%x{at} in {from} : [n]i32) {{\n%y{at} = arith.addi %x{at}, %k : i32\narray.yield %y{at} : i32\n}}\n"
            );
        }
        let text = support::example(&body.replace(&format!("%m{} =", count - 1), "%r ="), "[n]i32");
        let mut read: Vec<_> = (0..programs).map(|_| parse(&text)).collect();
        let start = thread_time();
        for ir in &mut read {
            let root = ir.root();
            Algebra::default().rewrite(ir, root);
        }
        thread_time() - start
    };
    let (few, many) = (time(10, 500), time(1, 5000));
    println!("10 x 500 combinators {few:?}, 5000 {many:?}");
    assert!(many < few * 4 + std::time::Duration::from_millis(20), "{few:?}, {many:?}");
}

//! Random chains of combinators of every kind, with views, loops and branches between them: fused and not fused they
//! compute the same, at sizes 0, 1 and primes. A failure names the seed. `SEGRA_SEEDS=20000` looks longer.

#[path = "../../../tests/src/random_chain.rs"]
#[allow(unreachable_pub, reason = "the file is part of another crate")]
mod random_chain;
#[path = "../../../tests/src/random_ir.rs"]
#[allow(dead_code, unreachable_pub, reason = "only its stream of choices is used")]
mod random_ir;
mod support;

use random_chain::program;
use segra_interp::Interpreter;
use support::{Printed, context, counted, fuse, ints, parse, text_of, verify};

#[test]
fn chains_of_all_combinators_compute_the_same_when_fused() {
    let seeds = std::env::var("SEGRA_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(400u64);
    let (mut before_all, mut after_all) = (0, 0);
    for seed in 0..seeds {
        let source = program(seed, 10);
        let ctx = context();
        let before = parse(&ctx, &source);
        let mut after = parse(&ctx, &source);
        fuse(&mut after);
        verify(&after);
        before_all += counted(&before);
        after_all += counted(&after);
        for (n, m) in [(0, 3), (1, 1), (7, 5), (13, 0)] {
            let inputs = [
                ints(&[n], 1),
                ints(&[n], 2),
                ints(&[m], 3),
                ints(&[n, m], 4),
                Printed::int(seed as i64 % 7),
            ];
            let wanted = Interpreter::new(&before).call("main", &inputs);
            let wanted = wanted.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
            let found = Interpreter::new(&after).call("main", &inputs);
            let found = found.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text_of(&after)));
            assert_eq!(
                Printed::all(&wanted),
                Printed::all(&found),
                "seed {seed}, n = {n}, m = {m}\n{source}\n{}",
                text_of(&after)
            );
        }
    }
    println!("{before_all} combinators, {after_all} after fusion");
    assert!(after_all * 10 < before_all * 8, "{before_all} combinators became {after_all}");
}

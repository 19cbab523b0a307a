//! Bodies as long as a program has lines: the search ends at its bound, and no recursion follows the ops of a chain.

mod support;

use segra_algebra::Algebra;
use segra_tests::array_programs::{assert_verified, parse};
use support::{counted, example, results};

/// Ops of a body, each of which needs the one before.
const OPS: usize = 20_000;

#[test]
fn a_chain_of_many_multiplications_does_not_exhaust_the_stack() {
    let mut body = String::from("%r = array.map (%v0 in %xs : [n]i32) {\n");
    for at in 1..=OPS {
        body.push_str(&format!("%v{at} = arith.muli %v{}, %k : i32\n", at - 1));
    }
    body.push_str(&format!("array.yield %v{OPS} : i32\n}}"));
    let text = example(&body, "[n]i32");
    let mut ir = parse(&text);
    let root = ir.root();
    Algebra::default().rewrite(&mut ir, root);
    assert_verified(&ir);
    assert_eq!(counted(&ir, "arith.muli"), OPS);
    for n in [0, 1, 2] {
        let name = "a long chain";
        assert_eq!(results(&parse(&text), n, 1, name), results(&ir, n, 1, name));
    }
}

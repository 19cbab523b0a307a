//! What the tests of fusion share: the pass, and before and after compared.

#![allow(dead_code, reason = "each test binary uses a part")]

use segra_fuse::Fuse;
use segra_interp::Datum;
use segra_ir::{Diagnostics, Ir};
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use segra_tests::array_programs::{assert_verified, parse, results, text_of};

/// Runs the pass.
pub(crate) fn fuse(ir: &mut Ir) {
    let (mut diags, mut analyses, mut statistics) =
        (Diagnostics::new(), Analyses::default(), Statistics::default());
    let root = ir.root();
    let mut cx = PassContext::new("fuse", &mut diags, &mut analyses, &mut statistics);
    Fuse::default().run(ir, root, &mut cx).expect("fusion does not fail");
}

/// A program after fusion; with each of the inputs it computes what it did before.
pub(crate) fn fused(text: &str, inputs: &[Vec<Datum>]) -> Ir {
    let before = parse(text);
    let mut after = parse(text);
    fuse(&mut after);
    assert_verified(&after);
    for inputs in inputs {
        let found = results(&after, inputs, text);
        assert_eq!(results(&before, inputs, text), found, "{text}\n{}", text_of(&after));
    }
    after
}

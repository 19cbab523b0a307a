//! Support of the tests of this crate: reading programs, running functions.
#![allow(dead_code, reason = "not every test uses all of it")]

use segra_interp::{Datum, EvalError, Interpreter};
use segra_ir::{Context, Diagnostics, Ir};
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

/// A program from text; it must read and verify without a complaint.
pub(crate) fn program(text: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    let ir = read(&ctx, text);
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(&ir, &mut diags);
    let errors: Vec<&str> = diags.iter().map(|diag| diag.message.as_str()).collect();
    assert!(errors.is_empty(), "does not verify: {errors:#?}");
    ir
}

/// A program from text; it must read.
pub(crate) fn read(ctx: &Arc<Context>, text: &str) -> Ir {
    match parse_module(ctx, "test.mlir", text, &ParseOptions::default()) {
        Ok(ir) => ir,
        Err(diags) => {
            let errors: Vec<_> = diags
                .iter()
                .map(|d| {
                    format!(
                        "{:?} {}",
                        segra_ir::diag::file_position(ctx, d.loc).map(|p| (p.1, p.2)),
                        d.message
                    )
                })
                .collect();
            panic!("does not read: {errors:#?}\n{text}")
        }
    }
}

/// The results of `@f`.
pub(crate) fn run(text: &str, args: &[Datum]) -> Result<Vec<Datum>, EvalError> {
    let ir = program(text);
    Interpreter::new(&ir).call("f", args)
}

//! Text in, passes, text out.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use segra_ir::{Context, Diagnostics};
use segra_pass::{Pass, PassManager, Pipeline, Statistics};
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::sync::Arc;

/// The program after passes, as text, with their counters.
pub fn run(passes: Vec<Box<dyn Pass>>, text: &str) -> (String, Statistics) {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    let shown = |diags: &Diagnostics| -> String {
        diags
            .iter()
            .map(|diag| segra_ir::diag::render::render(&ctx, diag, Default::default()))
            .collect()
    };
    let parsed = parse_module(
        &ctx,
        "test.mlir",
        text,
        &ParseOptions::allowing_unregistered(),
    );
    let mut ir = parsed.unwrap_or_else(|diags| panic!("{}", shown(&diags)));
    let mut pipeline = Pipeline::on("builtin.module");
    passes.into_iter().for_each(|pass| pipeline.add(pass));
    let mut diags = Diagnostics::new();
    let options = segra_ir::verify::VerifyOptions {
        unregistered: segra_text::Unregistered::Allow,
    };
    let done = PassManager::new(&pipeline)
        .verify_options(options)
        .run(&mut ir, &mut diags);
    let statistics = done.unwrap_or_else(|_| panic!("{}", shown(&diags)));
    (print(&ir, ir.root(), &PrintOptions::default()), statistics)
}

/// Asserts what a program becomes. Both texts stand without the module around them, indented as one likes.
#[track_caller]
pub fn becomes(pass: impl Pass, before: &str, after: &str) {
    let (text, _) = run(vec![Box::new(pass)], before);
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    };
    let found = lines(&text);
    let found = found
        .strip_prefix(&["builtin.module {".to_owned()][..])
        .and_then(|rest| rest.strip_suffix(&["}".to_owned()][..]));
    let found = found.expect("the program is a module");
    assert!(
        found == lines(after),
        "found:\n{}\nexpected:\n{}",
        found.join("\n"),
        lines(after).join("\n")
    );
}

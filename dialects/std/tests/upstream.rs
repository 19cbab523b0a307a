//! The samples under `tests/text/std`: they cover every op, and upstream MLIR agrees with how they are read and printed.

mod support;

use segra_ir::{Context, Ir};
use segra_text::{PrintOptions, Syntax, print};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

fn samples() -> Vec<(PathBuf, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/text/std");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "mlir")
    });
    files.sort();
    assert!(!files.is_empty());
    files
        .into_iter()
        .map(|file| {
            (
                file.clone(),
                std::fs::read_to_string(file).expect("it can be read"),
            )
        })
        .collect()
}

/// Ops that are checked but not executed: their values (tensors, whole-vector products, masks, addresses) or their
/// effects (transfers in the background, output) are not those of programs that Segra runs.
const NOT_EXECUTED: &[&str] = &[
    "arith.scaling_extf",
    "arith.scaling_truncf",
    "func.call_indirect",
    "func.constant",
    "memref.dma_start",
    "memref.dma_wait",
    "memref.expand_shape",
    "memref.extract_aligned_pointer_as_index",
    "memref.realloc",
    "memref.reshape",
    "memref.view",
    "scf.forall",
    "scf.forall.in_parallel",
    "ub.poison",
    "ub.unreachable",
    "vector.bitcast",
    "vector.compressstore",
    "vector.constant_mask",
    "vector.contract",
    "vector.create_mask",
    "vector.deinterleave",
    "vector.expandload",
    "vector.extract_strided_slice",
    "vector.gather",
    "vector.insert_strided_slice",
    "vector.interleave",
    "vector.mask",
    "vector.maskedload",
    "vector.maskedstore",
    "vector.multi_reduction",
    "vector.outerproduct",
    "vector.print",
    "vector.scalable.extract",
    "vector.scalable.insert",
    "vector.scan",
    "vector.scatter",
    "vector.shuffle",
    "vector.transfer_read",
    "vector.transfer_write",
    "vector.type_cast",
    "vector.yield",
];

/// Text that `tests/text` holds against `mlir-opt`.
fn parity() -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/text/parity");
    let files = std::fs::read_dir(folder)
        .expect("the folder is there")
        .flatten();
    files
        .map(|file| std::fs::read_to_string(file.path()).expect("it can be read"))
        .collect()
}

#[test]
fn every_op_has_a_sample_and_a_rule_unless_it_is_listed() {
    let mut seen = BTreeSet::new();
    for (_, text) in samples() {
        let ir: Ir = support::program(&text);
        seen.extend(
            ir.walk(ir.root())
                .into_iter()
                .map(|op| ir.op_name_str(op).to_owned()),
        );
    }
    let parity = parity();
    let ctx = Context::new();
    segra_std::register(&ctx);
    // The dialect `check` is not upstream's; tests/text/dialects/check shows it.
    for def in ctx
        .dialects()
        .filter(|dialect| dialect.name != "check")
        .flat_map(|dialect| &dialect.ops)
    {
        let info = ctx.op_info(ctx.op_name(def.name)).unwrap();
        let has_rule = info.interface::<dyn segra_interp::Eval>().is_some();
        assert_eq!(has_rule, !NOT_EXECUTED.contains(&def.name), "{}", def.name);
        let shown = seen.contains(def.name) || parity.contains(&format!("\"{}\"", def.name));
        assert!(shown, "{} has no sample", def.name);
    }
}

/// Upstream has a custom form of each op of these dialects.
#[test]
fn every_op_has_a_custom_form() {
    let ctx = Context::new();
    segra_std::register(&ctx);
    let ops = ctx.dialects().flat_map(|dialect| &dialect.ops);
    let without: Vec<&str> = ops
        .filter(|def| {
            let info = ctx.op_info(ctx.op_name(def.name)).unwrap();
            info.interface::<dyn Syntax>().is_none() && def.format.is_none()
        })
        .map(|def| def.name)
        .collect();
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn printing_and_reading_again_changes_nothing() {
    for (file, text) in samples() {
        let ir = support::program(&text);
        for options in [PrintOptions::default(), PrintOptions::mlir_generic()] {
            let once = print(&ir, ir.root(), &options);
            let again = support::program(&once);
            assert_eq!(
                once,
                print(&again, again.root(), &options),
                "{}",
                file.display()
            );
            let generic = PrintOptions::mlir_generic();
            assert_eq!(
                print(&ir, ir.root(), &generic),
                print(&again, again.root(), &generic)
            );
        }
    }
}

/// The generic form as upstream's `mlir-opt` 22 prints it is committed beside each sample, so that this needs no LLVM.
#[test]
fn upstreams_generic_form_means_the_same() {
    for (file, text) in samples() {
        let golden = file.with_extension("mlir.generic");
        let golden =
            std::fs::read_to_string(&golden).unwrap_or_else(|_| panic!("no {}", golden.display()));
        let ours = support::program(&text);
        let ctx = Arc::new(Context::new());
        segra_std::register(&ctx);
        let theirs = support::read(&ctx, &golden);
        let print =
            |ir: &Ir| defaults_dropped(&print(ir, ir.root(), &PrintOptions::mlir_generic()));
        assert_eq!(print(&ours), print(&theirs), "{}", file.display());
    }
}

/// Upstream writes flags that are not set; here they are left out.
fn defaults_dropped(text: &str) -> String {
    let mut text = text.to_owned();
    for flag in [
        "fastmath = #arith.fastmath<none>",
        "overflowFlags = #arith.overflow<none>",
        "punctuation = #vector.punctuation<newline>",
        "value = #ub.poison",
    ] {
        text = text
            .replace(&format!("<{{{flag}}}> "), "")
            .replace(&format!("{flag}, "), "");
    }
    text
}

#[test]
fn a_thousand_regions_are_read_in_custom_form() {
    let forms = [
        ("module {\n", "}\n", "", ""),
        (
            "scf.if %c {\n",
            "}\n",
            "func.func @f(%c: i1) {\n",
            "return\n}\n",
        ),
        (
            "scf.for %i# = %c to %c step %c {\n",
            "}\n",
            "func.func @f(%c: index) {\n",
            "return\n}\n",
        ),
        (
            "scf.execute_region {\n",
            "scf.yield\n}\n",
            "func.func @f() {\n",
            "return\n}\n",
        ),
    ];
    for (open, close, head, tail) in forms {
        let opened: String = (0..1000)
            .map(|level: usize| open.replace('#', &level.to_string()))
            .collect();
        let text = format!("{head}{opened}{}{tail}", close.repeat(1000));
        let ir = support::program(&text);
        let once = print(&ir, ir.root(), &PrintOptions::default());
        let again = support::program(&once);
        assert_eq!(once, print(&again, again.root(), &PrintOptions::default()));
    }
}

//! scratch
use segra_ir::text::printer::Locations;
use segra_ir::text::{PrintOptions, parser::*, print};
use std::sync::Arc;
fn main() {
    let debug = std::env::args().any(|a| a == "-g");
    for f in std::env::args().skip(1).filter(|a| a != "-g") {
        let text = std::fs::read_to_string(&f).unwrap();
        let ctx = Arc::new(segra_ir::Context::new());
        let t = std::time::Instant::now();
        let parsed = parse_source(&ctx, &f, &text, &ParseOptions::allowing_unregistered());
        eprintln!("parse {:?}", t.elapsed());
        for d in parsed.diags.iter() {
            eprint!("{}", segra_ir::diag::render(&ctx, d, segra_ir::diag::Style::Plain));
        }
        let ir = parsed.ir;
        let mut o = PrintOptions::mlir_generic();
        if debug {
            o.locations = Locations::Aliased;
        }
        let t = std::time::Instant::now();
        let s = print(&ir, ir.root(), &o);
        eprintln!("print {:?}", t.elapsed());
        let t = std::time::Instant::now();
        let mut d = segra_ir::Diagnostics::new();
        segra_ir::verify::verify_op(
            &ir,
            ir.root(),
            &segra_ir::verify::VerifyOptions { unregistered: segra_ir::verify::Unregistered::Allow },
            &mut d,
        );
        eprintln!("verify {:?} errors {}", t.elapsed(), d.error_count());
        for d in d.iter().take(5) {
            eprint!("{}", segra_ir::diag::render(&ctx, d, segra_ir::diag::Style::Plain));
        }
        print!("{s}");
    }
}

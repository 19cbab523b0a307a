fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ctx = std::sync::Arc::new(segra_ir::Context::new());
    segra_std::register(&ctx);
    let text = std::sync::Arc::new(std::fs::read_to_string(&args[1]).unwrap());
    let mut t = std::time::Instant::now();
    let mut lap = |what: &str| { let now = std::time::Instant::now(); println!("{what} {:.4}", (now - t).as_secs_f64()); t = now; };
    let options = segra_ir::text::ParseOptions::allowing_unregistered();
    let p = segra_ir::text::parse_shared(&ctx, "f", &text, &options);
    lap("parse");
    if args.len() > 2 && args[2] == "parse" { std::process::exit(0) }
    let mut d = segra_ir::Diagnostics::new();
    let v = segra_ir::verify::VerifyOptions { unregistered: segra_ir::text::Unregistered::Allow };
    segra_ir::verify::verify_op(&p.ir, p.ir.root(), &v, &mut d);
    lap("verify");
    assert!(!d.has_errors());
    if args.len() > 2 && args[2] == "verify" { std::process::exit(0) }
    let out = segra_ir::text::print(&p.ir, p.ir.root(), &segra_ir::text::PrintOptions::mlir_generic());
    lap("print");
    println!("{}", out.len());
    let mut ir = p.ir;
    let registry = segra_pass::PassRegistry::new(vec![segra_pass::PassEntry::of::<segra_cleanup::Canonicalize>(), segra_pass::PassEntry::of::<segra_cleanup::Cse>()], vec![]);
    for name in ["canonicalize", "cse"] {
        if args.len() > 2 && args[2] == "print" { break }
        let mut pl = segra_pass::Pipeline::on("builtin.module");
        pl.add_text(name, &registry).unwrap();
        segra_pass::PassManager::new(&pl).verify_each(segra_pass::VerifyEach::No).threads(segra_pass::Threads::Exactly(1)).run(&mut ir, &mut d).ok().unwrap();
        lap(name);
    }
    std::process::exit(0)
}

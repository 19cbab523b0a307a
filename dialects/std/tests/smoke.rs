//! A whole program through reader, verifier, printer and interpreter.

mod support;
use segra_interp::Datum;

#[test]
fn a_program_reads_prints_and_runs() {
    let text = "
    func.func @g(%a: i32, %b: i32) -> i32 {
      %c = arith.addi %a, %b overflow<nsw> : i32
      func.return %c : i32
    }
    func.func @f(%n: index) -> (i32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      %f = arith.constant 1.5 : f32
      %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z, %y = %f) -> (i32, f32) {
        %k = arith.index_cast %i : index to i32
        %c = func.call @g(%x, %k) : (i32, i32) -> i32
        %p = arith.cmpi sgt, %k, %z : i32
        %q = scf.if %p -> (f32) {
          %t = arith.addf %y, %f fastmath<contract> : f32
          scf.yield %t : f32
        } else { scf.yield %y : f32 }
        scf.yield %c, %q : i32, f32
      }
      func.return %r, %s : i32, f32
    }";
    let ir = support::program(text);
    let printed = segra_text::print(&ir, ir.root(), &segra_text::PrintOptions::default());
    assert_eq!(
        support::run(&printed, &[Datum::Int(10)]).unwrap(),
        [Datum::Int(45), Datum::F32(15.0)]
    );
    let out = support::run(text, &[Datum::Int(10)]).unwrap();
    assert_eq!(out, [Datum::Int(45), Datum::F32(15.0)]);
}

#[test]
fn all_format_strings_are_well_formed() {
    let ctx = segra_ir::Context::new();
    segra_std::register(&ctx);
    assert_eq!(segra_text::check_formats(&ctx), Vec::<String>::new());
}

/// The verifier's diagnostics of a module of functions with these bodies, one after the other.
fn faults(bodies: &[&str]) -> Vec<String> {
    let ctx = std::sync::Arc::new(segra_ir::Context::new());
    segra_std::register(&ctx);
    let mut text = String::from("\"builtin.module\"() ({\n");
    for (number, body) in bodies.iter().enumerate() {
        text += &format!(
            "\"func.func\"() <{{function_type = (i1, i32, index) -> (), sym_name = \"f{number}\"}}> ({{
             ^entry(%c: i1, %x: i32, %i: index):
             {body}
             \"func.return\"() : () -> ()
             }}) : () -> ()\n"
        );
    }
    text += "}) : () -> ()\n";
    let options = segra_text::ParseOptions::default();
    let ir = segra_text::parse_module(&ctx, "known.mlir", &text, &options).expect("it can be read");
    let mut diags = segra_ir::Diagnostics::new();
    segra_ir::verify::verify(&ir, &mut diags);
    diags.iter().map(|diag| diag.message.clone()).collect()
}

/// The verifier looks at equal ops once; what is equal in part only is looked at all the same.
#[test]
fn a_fine_op_hides_no_fault_of_another() {
    let add = "%s = \"arith.addi\"(%x, %x) : (i32, i32) -> i32";
    let branch =
        "%r = \"scf.if\"(%c) ({\n\"scf.yield\"(%x) : (i32) -> ()\n}, {\n\"scf.yield\"(%x) : (i32) -> ()\n})
                  : (i1) -> i32";
    let repeat =
        "%r = \"scf.for\"(%i, %i, %i, %x) ({\n^b(%j: index, %y: i32):\n\"scf.yield\"(%y) : (i32) -> ()\n})
                  : (index, index, index, i32) -> i32";
    let call = "\"func.call\"(%c, %x, %i) <{callee = @f0}> : (i1, i32, index) -> ()";
    for fine in [add, branch, repeat, call] {
        assert_eq!(faults(&[fine, fine, fine]), Vec::<String>::new());
    }
    let cases = [
        // The end of one region forwards something else.
        (branch, branch.replacen("\"scf.yield\"(%x) : (i32)", "\"scf.yield\"(%c) : (i1)", 1), "the results"),
        (branch, branch.replacen("\"scf.yield\"(%x) : (i32)", "\"scf.yield\"() : ()", 1), "the results"),
        (repeat, repeat.replace("\"scf.yield\"(%y) : (i32)", "\"scf.yield\"(%j) : (index)"), "carried values"),
        // An argument has another type, or is left out.
        (repeat, repeat.replace("%j: index, ", "%j: i32, "), "first argument must be"),
        (repeat, repeat.replace(", %y: i32", "").replace("(%y)", "(%x)"), "other arguments must have"),
        // Another op ends the region.
        (branch, branch.replacen("scf.yield", "func.return", 1), "must end"),
        // The same op around another end: known under scf.if, it may not end a function.
        (branch, "\"scf.yield\"() : () -> ()".to_owned(), "must be the last op"),
        // The types are known, an attribute is not.
        (call, call.replace("@f0", "\"f0\""), "`callee`"),
        (call, call.replace("@f0", "@missing"), "which is not defined"),
        // Everything is known but where an operand comes from.
        (
            add,
            format!("\"scf.if\"(%c) ({{\n%t = \"arith.addi\"(%x, %s) : (i32, i32) -> i32\n\"scf.yield\"() : () -> ()\n}}, {{}})
                     : (i1) -> ()\n{add}"),
            "used before it is defined",
        ),
    ];
    for (fine, faulty, message) in cases {
        let found = faults(&[fine, fine, &faulty, fine]);
        assert!(
            found.iter().any(|found| found.contains(message)),
            "no `{message}` for {faulty}: {found:?}"
        );
        assert_eq!(found, faults(&[add, add, &faulty, add]), "{faulty}");
    }
}

#[test]
fn sizes_are_written_over_names_of_extents() {
    let text = r#"func.func @f(%a: memref<?x?xf32> {array.sizes = ["n", 4]}, %b: memref<?xf32>, %k: index) -> (index) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c63 = arith.constant 63 : index
        %c64 = arith.constant 64 : index
        %n = memref.dim %a, %c0 : memref<?x?xf32>
        %four = memref.dim %a, %c1 : memref<?x?xf32>
        %m = memref.dim %b, %c0 : memref<?xf32>
        %tiles = arith.divui %n, %c64 : index
        %others = arith.divui %m, %c64 : index
        %product = arith.muli %tiles, %others : index
        %more = arith.addi %n, %c63 : index
        %up = arith.divui %more, %c64 : index
        %all = arith.ceildivsi %product, %four : index
        %some = arith.cmpi sge, %k, %c0 : index
        %checked = check.require %some, %k else %c0 : index, index, "negative"
        %none = arith.select %some, %checked, %c0 : index
        %rest = arith.subi %n, %up : index
        %left = arith.subi %rest, %product : index
        %most = arith.maxsi %none, %left : index
        %odd = arith.xori %most, %n : index
        func.return %odd : index
    }"#;
    let ir = support::program(text);
    let written = |name: &str, longest: usize| {
        let mut values = ir.walk(ir.root()).into_iter().flat_map(|op| ir.results(op));
        let value = values.find(|&value| ir.value_name(value) == Some(ir.ctx().ident(name)));
        segra_std::sizes::size_text(&ir, value.expect("the program has it"), longest)
    };
    let long = |name: &str| written(name, 80);
    assert_eq!(long("n"), "n");
    assert_eq!(long("four"), "4");
    assert_eq!(long("m"), "b.0");
    assert_eq!(long("product"), "n / 64 * (b.0 / 64)");
    assert_eq!(long("up"), "ceildiv(n, 64)");
    assert_eq!(long("all"), "ceildiv(n / 64 * (b.0 / 64), 4)");
    assert_eq!(long("none"), "k");
    assert_eq!(
        long("most"),
        "max(k, n - ceildiv(n, 64) - n / 64 * (b.0 / 64))"
    );
    assert_eq!(written("most", 20), "max(k, …)");
    assert_eq!(long("odd"), "?");
}

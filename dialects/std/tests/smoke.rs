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
    let printed = segra_ir::text::print(&ir, ir.root(), &segra_ir::text::PrintOptions::default());
    assert_eq!(support::run(&printed, &[Datum::Int(10)]).unwrap(), [Datum::Int(45), Datum::F32(15.0)]);
    let out = support::run(text, &[Datum::Int(10)]).unwrap();
    assert_eq!(out, [Datum::Int(45), Datum::F32(15.0)]);
}

#[test]
fn all_format_strings_are_well_formed() {
    let ctx = segra_ir::Context::new();
    segra_std::register(&ctx);
    assert_eq!(segra_ir::text::check_formats(&ctx), Vec::<String>::new());
}

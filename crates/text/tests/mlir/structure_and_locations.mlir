func.func @f(%x: i32, %c: i1) -> i32 attributes {z = 1} {
  %a:2 = "t.two"(%x) : (i32) -> (i32, i32)
  %b = scf.if %c -> i32 { %q = arith.addi %a#0, %a#1 : i32 
     scf.yield %q : i32 } else { %q2 = "t.foo"() : () -> i32
   scf.yield %q2 : i32 }
  cf.cond_br %c, ^bb1(%b : i32), ^bb1(%x : i32)
^bb1(%z: i32):
  cf.br ^bb2
^bb2:
  "t.r"() ({}, {^bb0:}, {"t.t"() : () -> ()}, {^bb0(%k: i32): "t.t"() : () -> ()}) {a = 2} : () -> ()
  return %z : i32
^bb3:
  cf.br ^bb1(%x : i32)
}
func.func private @g(i32)
"t.a"() : () -> () loc(unknown)
"t.a"() : () -> () loc("name")
"t.a"() : () -> () loc("name"("f.mlir":1:2))
"t.a"() : () -> () loc(callsite("name"("f.mlir":1:2) at "f.mlir":3:4))
"t.a"() : () -> () loc(fused["f.mlir":1:2, "g":3:4])
"t.a"() : () -> () loc(fused<"m">["f.mlir":1:2, "g":3:4])
"t.a"() {a = loc("f.mlir":1:2), m = affine_map<(d0)->(d0)>, n = affine_map<(d0)->(d0, d0)>}: () -> () loc("x":1:2 to 3:4)
"t.a"() {m = affine_map<(d0)->(d0)>}: () -> () loc("x":1:2 to 1:4)

// errors
// Mutants of valid programs that once were accepted or stopped the tool.
"arith.constant"(%0) : (i32) -> ()
"x.negative_zero"() {a = -0 : i32} : () -> ()
"func.func"() <{function_type = (index) -> (), sym_name = "two_masks"}> ({
^bb0(%n: index):
  "scf.forall"(%n) <{mapping = [#gpu.thread<x>, #gpu.mask<0x1>, #gpu.mask<0x2>], operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  "func.return"() : () -> ()
}) : () -> ()

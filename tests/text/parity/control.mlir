// parity
// Ops with regions and branches of `builtin`, `func`, `scf`, `cf` and `ub`; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "callee", sym_visibility = "private", no_inline}> ({
  }) : () -> ()
  "func.func"() <{arg_attrs = [{foo.bar}, {}], function_type = (i32, i1) -> i32, sym_name = "calls"}> ({
  ^bb0(%arg0: i32, %arg1: i1):
    %0 = "func.constant"() <{value = @callee}> : () -> ((i32) -> i32)
    %1 = "func.call_indirect"(%0, %arg0) : ((i32) -> i32, i32) -> i32
    %2 = "func.call"(%1) <{callee = @callee, no_inline}> : (i32) -> i32
    %3 = "ub.poison"() <{value = #ub.poison}> : () -> i32
    "cf.switch"(%2, %3, %arg0, %1, %2)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 1, 2>, case_values = dense<[7, -1]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 1, 3>}> : (i32, i32, i32, i32, i32) -> ()
  ^bb1(%4: i32):
    "cf.br"(%4)[^bb2] : (i32) -> ()
  ^bb2(%5: i32):
    "cf.cond_br"(%arg1, %5, %5, %5)[^bb4, ^bb3] <{branch_weights = array<i32: 3, 1>, operandSegmentSizes = array<i32: 1, 1, 2>}> : (i1, i32, i32, i32) -> ()
  ^bb3(%6: i32, %7: i32):
    "ub.unreachable"() : () -> ()
  ^bb4(%8: i32):
    "cf.assert"(%arg1) <{msg = "text"}> : (i1) -> ()
    "func.return"(%8) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, i1, tensor<8xf32>) -> (), sym_name = "structured"}> ({
  ^bb0(%arg0: index, %arg1: i1, %arg2: tensor<8xf32>):
    %0 = "arith.constant"() <{value = 1.0 : f32}> : () -> f32
    %1 = "scf.for"(%arg0, %arg0, %arg0, %0) <{unsignedCmp}> ({
    ^bb0(%i: index, %x: f32):
      "scf.yield"(%x) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
    %2 = "scf.if"(%arg1) ({
      "scf.yield"(%0) : (f32) -> ()
    }, {
      "scf.yield"(%1) : (f32) -> ()
    }) : (i1) -> f32
    "scf.if"(%arg1) ({
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    %3 = "scf.while"(%2) ({
    ^bb0(%x: f32):
      "scf.condition"(%arg1, %arg0) : (i1, index) -> ()
    }, {
    ^bb0(%i: index):
      "scf.yield"(%0) : (f32) -> ()
    }) : (f32) -> index
    %4 = "scf.index_switch"(%3) <{cases = array<i64: 2, 5>}> ({
      "scf.yield"(%0) : (f32) -> ()
    }, {
      "scf.yield"(%1) : (f32) -> ()
    }, {
      "scf.yield"(%2) : (f32) -> ()
    }) : (index) -> f32
    %5 = "scf.execute_region"() <{no_inline}> ({
      "cf.br"()[^bb1] : () -> ()
    ^bb1:
      "scf.yield"(%4) : (f32) -> ()
    }) : () -> f32
    %6 = "scf.parallel"(%arg0, %arg0, %arg0, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
    ^bb0(%i: index):
      "scf.reduce"(%5) ({
      ^bb0(%a: f32, %b: f32):
        "scf.reduce.return"(%a) : (f32) -> ()
      }) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
    %7 = "scf.forall"(%arg0, %arg2) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%i: index, %t: tensor<8xf32>):
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index, tensor<8xf32>) -> tensor<8xf32>
    %8:2 = "builtin.unrealized_conversion_cast"(%7) : (tensor<8xf32>) -> (i32, i64)
    "func.return"() : () -> ()
  }) : () -> ()
}) {foo.bar = 1 : i32} : () -> ()
// -----
// A module's own attributes have a dialect.
"builtin.module"() ({
^bb0:
}) {bar = 1 : i32} : () -> ()
// -----
// A module has no arguments.
"builtin.module"() ({
^bb0(%arg0: i32):
}) : () -> ()
// -----
// A public function has a body.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
}) : () -> ()
// -----
// There is a dictionary per argument.
"func.func"() <{arg_attrs = [{}], function_type = (i32, i32) -> (), sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
// Attributes of arguments have a dialect.
"func.func"() <{arg_attrs = [{bar}], function_type = (i32) -> (), sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
// The argument has another type.
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%arg0: i64):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The same name twice.
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
// There is no such function.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "func.call"() <{callee = @g}> : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A value is returned that the function does not have.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  %0 = "foo.val"() : () -> i32
  "func.return"(%0) : (i32) -> ()
}) : () -> ()
// -----
// A return stands in a function.
"foo.region"() ({
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The callee takes another type.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  %0:2 = "foo.val"() : () -> ((i32) -> (), i64)
  "func.call_indirect"(%0#0, %0#1) : ((i32) -> (), i64) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The block takes another type.
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%arg0: i32):
  "cf.br"(%arg0)[^bb1] : (i32) -> ()
^bb1(%0: i64):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The entry block is no successor.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
^bb0:
  "cf.br"()[^bb0] : () -> ()
}) : () -> ()
// -----
// There is a value per case.
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%arg0: i32):
  "cf.switch"(%arg0)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<[1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The values have the type of the flag.
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%arg0: i32):
  "cf.switch"(%arg0)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The induction variable has the type of the bounds.
"func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
^bb0(%arg0: index):
  "scf.for"(%arg0, %arg0, %arg0) ({
  ^bb0(%i: i32):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A loop ends with scf.yield.
"func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
^bb0(%arg0: index):
  "scf.for"(%arg0, %arg0, %arg0) ({
  ^bb0(%i: index):
    "foo.end"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// Results need both regions.
"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({
^bb0(%arg0: i1):
  %0 = "scf.if"(%arg0) ({
    "scf.yield"(%arg0) : (i1) -> ()
  }, {
  }) : (i1) -> i1
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The first region ends with scf.condition.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "scf.while"() ({
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// Each case once.
"func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
^bb0(%arg0: index):
  "scf.index_switch"(%arg0) <{cases = array<i64: 1, 1>}> ({
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A region to execute has a block.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "scf.execute_region"() ({
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A step is positive.
"func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
^bb0(%arg0: index):
  %0 = "arith.constant"() <{value = 0 : index}> : () -> index
  "scf.parallel"(%arg0, %arg0, %0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A reduction forwards the type it reduces.
"func.func"() <{function_type = (index, f32) -> (), sym_name = "f"}> ({
^bb0(%arg0: index, %arg1: f32):
  %0 = "scf.parallel"(%arg0, %arg0, %arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    "scf.reduce"(%arg1) ({
    ^bb0(%a: f32, %b: f32):
      "scf.reduce.return"(%i) : (index) -> ()
    }) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A bound is missing.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A cast has a result.
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%arg0: i32):
  "builtin.unrealized_conversion_cast"(%arg0) : (i32) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// There is no such op.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "arith.nothing"() : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// The op has no properties.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "func.return"() <{bar}> : () -> ()
}) : () -> ()
// -----
// A terminator comes last.
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "func.return"() : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
// A value of outside.
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%arg0: i32):
  "builtin.module"() ({
    "foo.use"(%arg0) : (i32) -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{function_type = (i1) -> (), sym_name = "weights"}> ({
^bb0(%arg0: i1):
  "cf.cond_br"(%arg0)[^bb1, ^bb1] <{branch_weights = array<i32: 1>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{function_type = (i1) -> (), sym_name = "weights"}> ({
^bb0(%arg0: i1):
  "cf.cond_br"(%arg0)[^bb1, ^bb1] <{branch_weights = array<i32: 0, 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{function_type = (i1) -> (), sym_name = "weights"}> ({
^bb0(%arg0: i1):
  "cf.cond_br"(%arg0)[^bb1, ^bb1] <{branch_weights = array<i32: 0, 3>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{function_type = (index) -> (), sym_name = "mapping"}> ({
^bb0(%arg0: index):
  "scf.forall"(%arg0) <{mapping = [#gpu.block<x>, #gpu.block<y>], operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%arg1: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{function_type = (index) -> (), sym_name = "mapping"}> ({
^bb0(%arg0: index):
  "scf.forall"(%arg0) <{mapping = [#gpu.block<x>], operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%arg1: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "attached"}> ({
  "func.return"() : () -> ()
}) {gpu.known_block_size = 32 : i32} : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "attached"}> ({
  "func.return"() : () -> ()
}) {gpu.known_grid_size = array<i32: 2, 1>} : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "attached"}> ({
  "foo.op"() {gpu.known_cluster_size = array<i32: 2, 1, 1>} : () -> ()
  "func.return"() : () -> ()
}) {gpu.known_block_size = array<i32: 2, 1, 1>} : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "attached"}> ({
  "foo.op"() {gpu.container_module} : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
// -----
"gpu.binary"() <{objects = [#gpu.object<#nvvm.target, "">], offloadingHandler = 1 : i64, sym_name = "binary"}> : () -> ()
// -----
%0 = "foo.val"() : () -> tensor<2xf32, "foo">
%1 = "arith.extf"(%0) : (tensor<2xf32, "foo">) -> tensor<2xf64, "bar">
// -----
%0 = "foo.val"() : () -> tensor<2xf32, "foo">
%1 = "arith.extf"(%0) : (tensor<2xf32, "foo">) -> tensor<2xf64, "foo">
// -----
%0 = "arith.constant"() <{value = 3618502788666131213697322783095070105623107215331596699973092056135872020481 : i256}> : () -> i256
// -----
%0 = "arith.constant"() <{value = 36 : si256}> : () -> si256
// -----
func.func @unnamed(i32) {
^bb0(%x: i32):
  return
}
// -----
func.func @named() attributes {sym_name = "other"} {
  return
}

// -----

// An op of a dialect that nobody knows might hold symbols if it has one region: what is around it is out of reach.

"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()
"func.func"() <{function_type = () -> (), sym_name = "g"}> ({
  "foo.wrap"() ({
    "func.call"() <{callee = @f}> : () -> ()
    "foo.end"() : () -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()

// -----

"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()
"func.func"() <{function_type = () -> (), sym_name = "g"}> ({
  "foo.two"() ({
    "func.call"() <{callee = @f}> : () -> ()
    "foo.end"() : () -> ()
  }, {
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()

// -----

"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()
"foo.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "h", sym_visibility = "private"}> ({}) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "g"}> ({
    "func.call"() <{callee = @h}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()
"func.func"() <{function_type = () -> (), sym_name = "g"}> ({
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (9)>}> ({
  ^bb0(%i: index):
    "func.call"() <{callee = @f}> : () -> ()
    "affine.yield"() : () -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}) : () -> ()

// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Bounds of `scf.forall` that are constants, dimensions of one iteration and of none; `scf.while` in the order of what it is
// given, with what is only done when it goes on moved down; blocks of `scf.execute_region` in a function.
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> i32, sym_name = "turn_float", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> f32, sym_name = "turn_int", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (index) -> (), sym_name = "index", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> i32, sym_name = "next", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> (), sym_name = "take", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> i1, sym_name = "go", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (index) -> (), sym_name = "bounds"}> ({
  ^bb0(%arg5: index):
    %16 = "arith.constant"() <{value = 0 : index}> : () -> index
    %17 = "arith.constant"() <{value = 1 : index}> : () -> index
    %18 = "arith.constant"() <{value = 2 : index}> : () -> index
    %19 = "arith.constant"() <{value = 9 : index}> : () -> index
    "scf.forall"(%16, %18, %arg5, %19, %17, %18) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>, staticLowerBound = array<i64: -9223372036854775808, -9223372036854775808>, staticStep = array<i64: -9223372036854775808, -9223372036854775808>, staticUpperBound = array<i64: -9223372036854775808, -9223372036854775808>}> ({
    ^bb0(%arg11: index, %arg12: index):
      "func.call"(%arg11) <{callee = @index}> : (index) -> ()
      "func.call"(%arg12) <{callee = @index}> : (index) -> ()
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    "scf.forall"(%arg5) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 2>, staticStep = array<i64: 1, 3>, staticUpperBound = array<i64: -9223372036854775808, 4>}> ({
    ^bb0(%arg9: index, %arg10: index):
      "func.call"(%arg9) <{callee = @index}> : (index) -> ()
      "func.call"(%arg10) <{callee = @index}> : (index) -> ()
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index) -> ()
    "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 3>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%arg8: index):
      "func.call"(%arg8) <{callee = @index}> : (index) -> ()
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : () -> ()
    "scf.forall"(%arg5) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 4>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: -9223372036854775808, 4>}> ({
    ^bb0(%arg6: index, %arg7: index):
      "func.call"(%arg6) <{callee = @index}> : (index) -> ()
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i32, f32), sym_name = "turned"}> ({
    %10 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %11 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    %12:2 = "scf.while"(%10, %11) ({
    ^bb0(%arg3: i32, %arg4: f32):
      %15 = "func.call"() <{callee = @go}> : () -> i1
      "scf.condition"(%15, %arg4, %arg3) : (i1, f32, i32) -> ()
    }, {
    ^bb0(%arg1: f32, %arg2: i32):
      %13 = "func.call"(%arg1) <{callee = @turn_float}> : (f32) -> i32
      %14 = "func.call"(%arg2) <{callee = @turn_int}> : (i32) -> f32
      "scf.yield"(%13, %14) : (i32, f32) -> ()
    }) : (i32, f32) -> (f32, i32)
    "func.return"(%12#1, %12#0) : (i32, f32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> i32, sym_name = "down"}> ({
    %4 = "scf.while"() ({
      %5 = "func.call"() <{callee = @next}> : () -> i32
      %6 = "func.call"() <{callee = @next}> : () -> i32
      %7 = "func.call"() <{callee = @go}> : () -> i1
      %8 = "scf.if"(%7) ({
        "func.call"(%5) <{callee = @take}> : (i32) -> ()
        %9 = "func.call"() <{callee = @next}> : () -> i32
        "scf.yield"(%9) : (i32) -> ()
      }, {
        "scf.yield"(%6) : (i32) -> ()
      }) : (i1) -> i32
      "scf.condition"(%7, %8) : (i1, i32) -> ()
    }, {
    ^bb0(%arg0: i32):
      "func.call"(%arg0) <{callee = @take}> : (i32) -> ()
      "scf.yield"() : () -> ()
    }) : () -> i32
    "func.return"(%4) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "blocks"}> ({
    %0 = "scf.execute_region"() ({
      %1 = "func.call"() <{callee = @go}> : () -> i1
      "cf.cond_br"(%1)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
    ^bb1:  // pred: ^bb0
      %2 = "func.call"() <{callee = @next}> : () -> i32
      "scf.yield"(%2) : (i32) -> ()
    ^bb2:  // pred: ^bb0
      %3 = "func.call"() <{callee = @next}> : () -> i32
      "scf.yield"(%3) : (i32) -> ()
    }) : () -> i32
    "func.call"(%0) <{callee = @take}> : (i32) -> ()
    "scf.execute_region"() <{no_inline}> ({
      "func.call"(%0) <{callee = @take}> : (i32) -> ()
      "scf.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// ===== expected
builtin.module {
  func.func private @turn_float(f32) -> i32
  func.func private @turn_int(i32) -> f32
  func.func private @index(index)
  func.func private @next() -> i32
  func.func private @take(i32)
  func.func private @go() -> i1
  func.func @bounds(%arg5: index) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    scf.forall (%arg11, %arg12) = (0, 2) to (%arg5, 9) step (1, 2) {
      func.call @index(%arg11) : (index) -> ()
      func.call @index(%arg12) : (index) -> ()
    }
    scf.forall (%arg9) in (%arg5) {
      func.call @index(%arg9) : (index) -> ()
      func.call @index(%c2) : (index) -> ()
    }
    func.call @index(%c3) : (index) -> ()
    func.return
  }
  func.func @turned() -> (i32, f32) {
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 2.000000e+00 : f32
    %0:2 = scf.while (%arg3 = %c1_i32, %arg4 = %cst) : (i32, f32) -> (i32, f32) {
      %1 = func.call @go() : () -> i1
      scf.condition(%1) %arg3, %arg4 : i32, f32
    } do {
    ^bb0(%arg0: i32, %arg1: f32):
      %1 = func.call @turn_float(%arg1) : (f32) -> i32
      %2 = func.call @turn_int(%arg0) : (i32) -> f32
      scf.yield %1, %2 : i32, f32
    }
    func.return %0#0, %0#1 : i32, f32
  }
  func.func @down() -> i32 {
    %0:2 = scf.while : () -> (i32, i32) {
      %1 = func.call @next() : () -> i32
      %2 = func.call @next() : () -> i32
      %3 = func.call @go() : () -> i1
      scf.condition(%3) %2, %1 : i32, i32
    } do {
    ^bb0(%arg0: i32, %arg0_0: i32):
      func.call @take(%arg0_0) : (i32) -> ()
      %1 = func.call @next() : () -> i32
      func.call @take(%1) : (i32) -> ()
      scf.yield
    }
    func.return %0#0 : i32
  }
  func.func @blocks() {
    %0 = func.call @go() : () -> i1
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %1 = func.call @next() : () -> i32
    cf.br ^bb3(%1 : i32)
  ^bb2:  // pred: ^bb0
    %2 = func.call @next() : () -> i32
    cf.br ^bb3(%2 : i32)
  ^bb3(%3: i32):  // 2 preds: ^bb1, ^bb2
    func.call @take(%3) : (i32) -> ()
    scf.execute_region no_inline {
      func.call @take(%3) : (i32) -> ()
      scf.yield
    }
    func.return
  }
}

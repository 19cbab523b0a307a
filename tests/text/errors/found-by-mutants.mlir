// errors
// Mutants of valid programs that once were accepted or stopped the tool.
"arith.constant"(%0) : (i32) -> ()
// -----
%0 = "arith.constant"() <{value = -0 : i32}> : () -> i32
// -----
%0 = "arith.constant"() <{value = dense<-0> : tensor<2xi8>}> : () -> tensor<2xi8>
// ===== expected
input:3:1: error: 'arith.constant' op needs 0 operands, but has 1
  |
3 | "arith.constant"(%0) : (i32) -> ()
  | ^^^^^^^^^^^^^^^^
  |
  = op: "arith.constant"(%0) : (i32) -> ()
input:3:1: error: 'arith.constant' op needs 1 result (`result`), but has 0
  |
3 | "arith.constant"(%0) : (i32) -> ()
  | ^^^^^^^^^^^^^^^^
  |
  = op: "arith.constant"(%0) : (i32) -> ()
input:3:1: error: 'arith.constant' op needs the attribute `value`, a typed attribute
  |
3 | "arith.constant"(%0) : (i32) -> ()
  | ^^^^^^^^^^^^^^^^
  |
  = op: "arith.constant"(%0) : (i32) -> ()
input:3:18: error: use of undeclared SSA value name '%0'
  |
3 | "arith.constant"(%0) : (i32) -> ()
  |                  ^^
input:5:36: error: integer constant out of range for attribute
  |
5 | %0 = "arith.constant"() <{value = -0 : i32}> : () -> i32
  |                                    ^
input:7:42: error: integer constant out of range for type
  |
7 | %0 = "arith.constant"() <{value = dense<-0> : tensor<2xi8>}> : () -> tensor<2xi8>
  |                                          ^

// errors
// Rules of ops: each part breaks one.
func.func @iota_of_floats(%n: index) {
  %0 = array.iota %n : [?]f32
  return
}
// -----
func.func @not_a_permutation(%xs: !array.array<[n][m]f32>) {
  %0 = "array.rearrange"(%xs) <{permutation = array<i64: 0, 0>}> : (!array.array<[n][m]f32>) -> !array.array<[n][n]f32>
  return
}
// -----
func.func @dim_out_of_range(%xs: !array.array<[n]f32>) {
  %0 = array.dim %xs, 1 : [n]f32
  return
}
// -----
func.func @return_of_wrong_type(%x: i32) -> f32 {
  return %x : i32
}
// -----
func.func @call_with_wrong_arguments(%x: i32) {
  call @call_with_wrong_arguments() : () -> ()
  return
}
// -----
func.func @reduce_with_operator_of_wrong_type(%xs: !array.array<[n]f32>, %zero: f32) {
  %0 = array.reduce (%xs : [n]f32) init (%zero : f32) combine (%a, %x) {
    %i = arith.constant 1 : i32
    array.yield %i : i32
  }
  return
}
// -----
func.func @constant_of_wrong_type() {
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> f32
  return
}
// -----
func.func @loop_with_float_bounds(%x: f32) {
  "scf.for"(%x, %x, %x) ({
  ^bb0(%i: f32):
    "scf.yield"() : () -> ()
  }) : (f32, f32, f32) -> ()
  return
}
// -----
func.func @read_with_too_many_indices(%xs: tensor<?xf32>, %i: index) {
  %0 = "tensor.extract"(%xs, %i, %i) : (tensor<?xf32>, index, index) -> f32
  return
}
// -----
func.func @from_above(%x: i32) {
  builtin.module {
    func.func @inner() -> i32 {
      func.return %x : i32
    }
  }
  return
}
// -----
func.func @hint_that_is_none(%x: memref<?xf32>, %i: index) -> (f32, vector<4xf32>) {
  %0 = memref.load %x[%i] {segra.load_hint = "l1"} : memref<?xf32>
  %1 = vector.load %x[%i] {segra.load_hint} : memref<?xf32>, vector<4xf32>
  %2 = memref.load %x[%i] {segra.load_hint = "l2", segra.memory_order = "acquire"} : memref<?xf32>
  return %0, %1 : f32, vector<4xf32>
}
// ===== expected
input:4:8: error: 'array.iota' op result must have integer or index elements
  |
4 |   %0 = array.iota %n : [?]f32
  |        ^^^^^^^^^^
  |
  = op: %0 = "array.iota"(%n) : (index) -> !array.array<[?]f32>
input:9:8: error: 'array.rearrange' op `permutation` must name each of the 2 dimensions once
  |
9 |   %0 = "array.rearrange"(%xs) <{permutation = array<i64: 0, 0>}> : (!array.array<[n][m]f32>) -> !array.array<[n][n]f32>
  |        ^^^^^^^^^^^^^^^^^
  |
  = op: %0 = "array.rearrange"(%xs) <{permutation = array<i64: 0, 0>}> : (!array.array<[n][m]f32>) -> !array.array<[n][n]f32>
input:14:8: error: 'array.dim' op attribute `dim` is 1, but the array has rank 1
   |
14 |   %0 = array.dim %xs, 1 : [n]f32
   |        ^^^^^^^^^
   |
   = op: %0 = "array.dim"(%xs) <{dim = 1 : i64}> : (!array.array<[n]f32>) -> index
input:19:3: error: 'func.return' op type of returned value 0 is not the type of the function's result
   |
19 |   return %x : i32
   |   ^^^^^^
   |
   = op: func.return %x : i32
input:18:1: note: the function
   |
18 | func.func @return_of_wrong_type(%x: i32) -> f32 {
   | ^^^^^^^^^
input:23:3: error: 'func.call' op operands must have the types of @call_with_wrong_arguments's signature
   |
23 |   call @call_with_wrong_arguments() : () -> ()
   |   ^^^^
   |
   = op: func.call @call_with_wrong_arguments() : () -> ()
input:22:1: note: defined here
   |
22 | func.func @call_with_wrong_arguments(%x: i32) {
   | ^^^^^^^^^
input:28:8: error: 'array.reduce' op the values region `combine` yields: #0 must be `f32`, but is `i32`
   |
28 |   %0 = array.reduce (%xs : [n]f32) init (%zero : f32) combine (%a, %x) {
   |        ^^^^^^^^^^^^
   |
   = op: %0 = "array.reduce"(%xs, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}) : (!array.array<[n]f32>, f32) -> f32
input:36:8: error: 'arith.constant' op attribute `value` has type `i32`, but the result has type `f32`
   |
36 |   %0 = "arith.constant"() <{value = 1 : i32}> : () -> f32
   |        ^^^^^^^^^^^^^^^^
   |
   = op: %c1_i32 = "arith.constant"() <{value = 1 : i32}> : () -> f32
input:36:8: error: 'arith.constant' op result `result` must be `i32`, as its operands and attributes say, but is `f32`
   |
36 |   %0 = "arith.constant"() <{value = 1 : i32}> : () -> f32
   |        ^^^^^^^^^^^^^^^^
   |
   = op: %c1_i32 = "arith.constant"() <{value = 1 : i32}> : () -> f32
input:41:3: error: 'scf.for' op operand `lower_bound` must be a signless integer or index, but is `f32`
   |
41 |   "scf.for"(%x, %x, %x) ({
   |   ^^^^^^^^^
   |
   = op: "scf.for"(%x, %x, %x) ({...}) : (f32, f32, f32) -> ()
input:41:3: error: 'scf.for' op operand `upper_bound` must be a signless integer or index, but is `f32`
   |
41 |   "scf.for"(%x, %x, %x) ({
   |   ^^^^^^^^^
   |
   = op: "scf.for"(%x, %x, %x) ({...}) : (f32, f32, f32) -> ()
input:41:3: error: 'scf.for' op operand `step` must be a signless integer or index, but is `f32`
   |
41 |   "scf.for"(%x, %x, %x) ({
   |   ^^^^^^^^^
   |
   = op: "scf.for"(%x, %x, %x) ({...}) : (f32, f32, f32) -> ()
input:49:8: error: 'tensor.extract' op 2 indices do not fit a tensor of rank 1
   |
49 |   %0 = "tensor.extract"(%xs, %i, %i) : (tensor<?xf32>, index, index) -> f32
   |        ^^^^^^^^^^^^^^^^
   |
   = op: %0 = tensor.extract %xs[%i, %i] : tensor<?xf32>
input:56:19: error: use of undeclared SSA value name '%x'
   |
56 |       func.return %x : i32
   |                   ^^
input:63:8: error: 'memref.load' op attribute `segra.load_hint` must be "l2" or "streaming"
   |
63 |   %0 = memref.load %x[%i] {segra.load_hint = "l1"} : memref<?xf32>
   |        ^^^^^^^^^^^
   |
   = op: %0 = memref.load %x[%i] {segra.load_hint = "l1"} : memref<?xf32>
input:64:8: error: 'vector.load' op attribute `segra.load_hint` must be "l2" or "streaming"
   |
64 |   %1 = vector.load %x[%i] {segra.load_hint} : memref<?xf32>, vector<4xf32>
   |        ^^^^^^^^^^^
   |
   = op: %1 = vector.load %x[%i] {segra.load_hint} : memref<?xf32>, vector<4xf32>
input:65:8: error: 'memref.load' op attribute `segra.load_hint` is for memory that nothing writes, `segra.memory_order` for memory that others do
   |
65 |   %2 = memref.load %x[%i] {segra.load_hint = "l2", segra.memory_order = "acquire"} : memref<?xf32>
   |        ^^^^^^^^^^^
   |
   = op: %2 = memref.load %x[%i] {segra.load_hint = "l2", segra.memory_order = "acquire"} : memref<?xf32>

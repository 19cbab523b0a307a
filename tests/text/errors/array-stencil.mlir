// errors
// Stencils that do not fit their inputs are refused with their place.
func.func @boundary(%xs: !array.array<[n]f32>) {
  %a = array.stencil (%x, %y in %xs : [n]f32 at [0, 1]) {
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @shapes(%xs: !array.array<[n]f32>, %ys: !array.array<[m]f32>) {
  %a = array.stencil (%x in %xs : [n]f32 at [0], %y in %ys : [m]f32 at [-1] clamp) {
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @before(%xs: !array.array<[n]f32>, %k: index) {
  %a = array.stencil (%x in %xs : [n]f32 at [-1]) sizes [%k] -> [?] {
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @rank(%xs: !array.array<[n]f32>) {
  %a = array.stencil (%x in %xs : [n]f32 at [[0, 1]] clamp) {
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @names(%xs: !array.array<[n][m]f32>) {
  %a = array.stencil (%x in %xs : [n][m]f32 box [1, 0] clamp) {
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @outside(%xs: !array.array<[n]f32>, %i: index) {
  %a = array.stencil (%x in %xs : [n]f32 at [1] outside (%j) {
    array.yield %j : index
  }) {
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @near(%xs: !array.array<[n][m]f32>, %i: index) {
  %a = array.near %xs[%i] by [1] clamp : [n][m]f32
  func.return
}
// -----
func.func @far(%xs: !array.array<[n]f32>, %i: index) {
  %a = array.near %xs[%i] by [10000000] clamp : [n]f32
  func.return
}
// -----
func.func @generic(%xs: !array.array<[n]f32>, %i: index) {
  %a = "array.near"(%xs, %i) <{boundary = 4 : i32, offsets = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!array.array<[n]f32>, index) -> f32
  func.return
}
// ===== expected
input:4:8: error: 'array.stencil' op input #0 needs a boundary, as in `clamp` or `constant %zero`
  |
4 |   %a = array.stencil (%x, %y in %xs : [n]f32 at [0, 1]) {
  |        ^^^^^^^^^^^^^
  |
  = op: %a = "array.stencil"(%xs) <{boundaries = array<i32: 5>, offsets = [array<i64: 0, 1>], operandSegmentSizes = array<i32: 1, 0>}> ({...}) : (!array.array<[n]f32>) -> !array.array<[n]f32>
input:11:8: error: 'array.stencil' op input #1 has size `m` in dimension 0, but the others have `n`
   |
11 |   %a = array.stencil (%x in %xs : [n]f32 at [0], %y in %ys : [m]f32 at [-1] clamp) {
   |        ^^^^^^^^^^^^^
   |
   = op: %a = "array.stencil"(%xs, %ys) <{boundaries = array<i32: 5, 0>, offsets = [array<i64: 0>, array<i64: -1>], operandSegmentSizes = array<i32: 2, 0>}> ({...}) : (!array.array<[n]f32>, !array.array<[m]f32>) -> !array.array<[n]f32>
input:18:8: error: 'array.stencil' op input #0 has an offset of -1; with `sizes` they count from 0 on
   |
18 |   %a = array.stencil (%x in %xs : [n]f32 at [-1]) sizes [%k] -> [?] {
   |        ^^^^^^^^^^^^^
   |
   = op: %a = "array.stencil"(%xs, %k) <{boundaries = array<i32: 5>, offsets = [array<i64: -1>], operandSegmentSizes = array<i32: 1, 1>}> ({...}) : (!array.array<[n]f32>, index) -> !array.array<[?]f32>
input:25:42: error: an offset has 1 numbers here
   |
25 |   %a = array.stencil (%x in %xs : [n]f32 at [[0, 1]] clamp) {
   |                                          ^^
input:32:23: error: 1 names for 3 elements
   |
32 |   %a = array.stencil (%x in %xs : [n][m]f32 box [1, 0] clamp) {
   |                       ^^
input:39:8: error: 'array.stencil' op the values region `outside` yields: #0 must be `f32`, but is `index`
   |
39 |   %a = array.stencil (%x in %xs : [n]f32 at [1] outside (%j) {
   |        ^^^^^^^^^^^^^
   |
   = op: %a = "array.stencil"(%xs) <{boundaries = array<i32: 4>, offsets = [array<i64: 1>], operandSegmentSizes = array<i32: 1, 0>}> ({...}, {...}) : (!array.array<[n]f32>) -> !array.array<[n]f32>
input:48:8: error: 'array.near' op 1 indices and 1 offsets do not fit an array of rank 2
   |
48 |   %a = array.near %xs[%i] by [1] clamp : [n][m]f32
   |        ^^^^^^^^^^
   |
   = op: %a = "array.near"(%xs, %i) <{boundary = 0 : i32, offsets = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!array.array<[n][m]f32>, index) -> f32
input:53:8: error: 'array.near' op an offset of 10000000 is beyond 1048576
   |
53 |   %a = array.near %xs[%i] by [10000000] clamp : [n]f32
   |        ^^^^^^^^^^
   |
   = op: %a = "array.near"(%xs, %i) <{boundary = 0 : i32, offsets = array<i64: 10000000>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!array.array<[n]f32>, index) -> f32
input:58:8: error: 'array.near' op needs a value for elements outside
   |
58 |   %a = "array.near"(%xs, %i) <{boundary = 4 : i32, offsets = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!array.ar...
   |        ^^^^^^^^^^^^
   |
   = op: %a = "array.near"(%xs, %i) <{boundary = 4 : i32, offsets = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!array.array<[n]f32>, index) -> f32

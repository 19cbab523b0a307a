// errors
// Misuse of combinators is refused with its place: sizes, neutral elements, effects, what bodies yield.
func.func @sizes(%xs: !array.array<[n]f32>, %ys: !array.array<[m]f32>) {
  %zs = array.map (%x in %xs : [n]f32, %y in %ys : [m]f32) {
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  }
  func.return
}
// -----
func.func @neutral(%xs: !array.array<[n]f32>) {
  %zero = arith.constant 0 : i32
  %s = array.scan (%xs : [n]f32) init (%zero : i32) combine (%acc, %x) {
    array.yield %acc : i32
  }
  func.return
}
// -----
func.func @neutral_row(%xss: !array.array<[n][m]f32>, %row: !array.array<[k]f32>) {
  %s = array.reduce (%xss : [n][m]f32) init (%row : [k]f32) combine (%acc, %xs) {
    array.yield %acc : [k]f32
  }
  func.return
}
// -----
func.func @effect(%xs: !array.array<[n]f32>, %m: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %s, %t = array.scanomap (%x in %xs : [n]f32) init (%zero : f32) map {
    array.yield %x, %x : f32, f32
  } combine (%a, %b) {
    memref.store %a, %m[] : memref<f32>
    array.yield %b : f32
  }
  func.return
}
// -----
func.func @too_few(%xs: !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %s = array.scanomap (%x in %xs : [n]f32) init (%zero : f32, %zero : f32) map {
    array.yield %x : f32
  } combine (%a, %b, %c, %d) {
    array.yield %b, %c : f32, f32
  }
  func.return
}
// -----
func.func @wrong_value(%xs: !array.array<[n]f32>) {
  %zero = arith.constant 0 : i32
  %s = array.scanomap (%x in %xs : [n]f32) init (%zero : i32) map {
    array.yield %x : f32
  } combine (%a, %b) {
    array.yield %b : i32
  }
  func.return
}
// -----
func.func @irregular(%xs: !array.array<[n]index>) {
  %yss = array.map (%x in %xs : [n]index) {
    %ys = array.iota %x : [x]i32
    array.yield %ys : [x]i32
  }
  %zero = arith.constant 0 : i32
  %sums = array.map (%ys in %yss : [n][m]i32) {
    %s = array.reduce (%ys : [m]i32) init (%zero : i32) combine (%acc, %y) {
      array.yield %acc : i32
    }
    array.yield %s : i32
  }
  func.return
}
// ===== expected
input:4:9: error: 'array.map' op operand `arrays` #1 has outer size `m`, but the others have `n`
  |
4 |   %zs = array.map (%x in %xs : [n]f32, %y in %ys : [m]f32) {
  |         ^^^^^^^^^
  |
  = op: %zs = "array.map"(%xs, %ys) ({...}) : (!array.array<[n]f32>, !array.array<[m]f32>) -> !array.array<[n]f32>
input:13:8: error: 'array.scan' op the elements of the inputs: #0 must be `i32`, but is `f32`
   |
13 |   %s = array.scan (%xs : [n]f32) init (%zero : i32) combine (%acc, %x) {
   |        ^^^^^^^^^^
   |
   = op: %s = "array.scan"(%xs, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}) : (!array.array<[n]f32>, i32) -> !array.array<[n]i32>
input:20:8: error: 'array.reduce' op the elements of the inputs: #0 must be `!array.array<[k]f32>`, but is `!array.array<[m]f32>`
   |
20 |   %s = array.reduce (%xss : [n][m]f32) init (%row : [k]f32) combine (%acc, %xs) {
   |        ^^^^^^^^^^^^
   |
   = op: %s = "array.reduce"(%xss, %row) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}) : (!array.array<[n][m]f32>, !array.array<[k]f32>) -> !array.array<[k]f32>
input:28:12: error: 'array.scanomap' op has an operator that writes memory, which an operator must not
   |
28 |   %s, %t = array.scanomap (%x in %xs : [n]f32) init (%zero : f32) map {
   |            ^^^^^^^^^^^^^^
   |
   = op: %s, %t = "array.scanomap"(%xs, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}, {...}) : (!array.array<[n]f32>, f32) -> (!array.array<[n]f32>, !array.array<[n]f32>)
input:31:5: note: the op that writes
   |
31 |     memref.store %a, %m[] : memref<f32>
   |     ^^^^^^^^^^^^
input:39:8: error: operation defines 2 results but was provided 1 to bind
   |
39 |   %s = array.scanomap (%x in %xs : [n]f32) init (%zero : f32, %zero : f32) map {
   |        ^^^^^^^^^^^^^^
input:49:8: error: 'array.scanomap' op the values to combine: #0 must be `i32`, but is `f32`
   |
49 |   %s = array.scanomap (%x in %xs : [n]f32) init (%zero : i32) map {
   |        ^^^^^^^^^^^^^^
   |
   = op: %s = "array.scanomap"(%xs, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}, {...}) : (!array.array<[n]f32>, i32) -> !array.array<[n]i32>
input:59:11: error: 'array.iota' op makes an array of size `x`, but the extent may differ between the elements of the combinator around it: such an extent is written `?`
   |
59 |     %ys = array.iota %x : [x]i32
   |           ^^^^^^^^^^
   |
   = op: %ys = "array.iota"(%x) : (index) -> !array.array<[x]i32>
input:58:10: note: the combinator around it
   |
58 |   %yss = array.map (%x in %xs : [n]index) {
   |          ^^^^^^^^^
input:63:29: error: use of value '%yss' expects different type than prior uses: '!array.array<[n][m]i32>' vs '!array.array<[n][x]i32>'
   |
63 |   %sums = array.map (%ys in %yss : [n][m]i32) {
   |                             ^^^^
   |
input:58:3: note: prior use here
   |
58 |   %yss = array.map (%x in %xs : [n]index) {
   |   ^^^^

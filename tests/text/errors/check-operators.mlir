// errors: builtin.module(check-operators)
// Operators that are not what flattening takes them for, of scans, fused ones, histograms and of arrays.
func.func @scan(%xs: !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %s = array.scan (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %square = arith.muli %x, %x : i32
    %more = arith.muli %acc, %square : i32
    %sum = arith.addi %acc, %x : i32
    %t = arith.addi %sum, %more : i32
    array.yield %t : i32
  }
  func.return
}
// -----
func.func @scanomap(%xs: !array.array<[n]i32>) {
  %ten = arith.constant 10 : i32
  %s = array.scanomap exclusive (%x in %xs : [n]i32) init (%ten : i32) neutral (%ten : i32) map {
    array.yield %x : i32
  } combine (%a, %b) {
    %t = arith.minsi %a, %b : i32
    array.yield %t : i32
  }
  func.return
}
// -----
// Associative, and the second operand wins: right for a scan, wrong for a histogram.
func.func @hist(%xs: !array.array<[n]i32>, %bins: !array.array<[4]i32>) {
  %zero = arith.constant 0 : i32
  %at = arith.constant 2 : index
  %h = array.hist (%x in %xs : [n]i32) into (%bins : [4]i32) neutral (%zero : i32) map {
    array.yield %at, %x : index, i32
  } combine (%a, %b) {
    %none = arith.cmpi eq, %b, %zero : i32
    %t = arith.select %none, %a, %b : i32
    array.yield %t : i32
  }
  func.return
}
// -----
func.func @rows(%xss: !array.array<[n][m]i32>, %m: index) {
  %ten = arith.constant 10 : i32
  %unit = array.replicate %ten, [%m] : i32 -> [m]i32
  %s = array.reduce (%xss : [n][m]i32) init (%unit : [m]i32) neutral (%unit : [m]i32) combine (%acc, %row) {
    %t = array.map (%a in %acc : [m]i32, %b in %row : [m]i32) {
      %u = arith.minsi %a, %b : i32
      array.yield %u : i32
    }
    array.yield %t : [m]i32
  }
  func.return
}
// ===== expected
input:5:8: error: 'array.scan' op has an operator that is not associative: (a . b) . c is (135010813), but a . (b . c) is (-93091395), for a = (76), b = (-14), c = (-95)
  |
5 |   %s = array.scan (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
  |        ^^^^^^^^^^
  |
  = op: %s = "array.scan"(%xs, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}) : (!array.array<[n]i32>, i32) -> !array.array<[n]i32>
input:17:8: error: 'array.scanomap' op has a neutral element that is not neutral: combined with (76) it gives (10)
   |
17 |   %s = array.scanomap exclusive (%x in %xs : [n]i32) init (%ten : i32) neutral (%ten : i32) map {
   |        ^^^^^^^^^^^^^^
   |
   = op: %s = "array.scanomap"(%xs, %ten, %ten) <{exclusive, operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (!array.array<[n]i32>, i32, i32) -> !array.array<[n]i32>
input:30:8: error: 'array.hist' op has an operator that is not commutative: a . b is (-14), but b . a is (76), for a = (76), b = (-14)
   |
30 |   %h = array.hist (%x in %xs : [n]i32) into (%bins : [4]i32) neutral (%zero : i32) map {
   |        ^^^^^^^^^^
   |
   = op: %h = "array.hist"(%xs, %bins, %zero) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (!array.array<[n]i32>, !array.array<[4]i32>, i32) -> !array.array<[4]i32>
input:43:8: error: 'array.reduce' op has a neutral element that is not neutral: combined with ([76, -14, -95]) it gives ([10, -14, -95])
   |
43 |   %s = array.reduce (%xss : [n][m]i32) init (%unit : [m]i32) neutral (%unit : [m]i32) combine (%acc, %row) {
   |        ^^^^^^^^^^^^
   |
   = op: %s = "array.reduce"(%xss, %unit, %unit) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}) : (!array.array<[n][m]i32>, !array.array<[m]i32>, !array.array<[m]i32>) -> !array.array<[m]i32>

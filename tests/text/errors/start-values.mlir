// errors
// Start values and neutral elements: operators whose neutral element is not known, elements that are not neutral, and
// forms in which they were once written.
func.func @unknown(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>) {
  %one = arith.constant 1.0 : f32
  %a, %b = array.reduce (%xs : [n]f32, %ys : [n]f32) init (%one : f32, %one : f32) combine (%p, %q, %r, %s) {
    %pr = arith.mulf %p, %r : f32
    %qr = arith.mulf %q, %r : f32
    %qrs = arith.addf %qr, %s : f32
    array.yield %pr, %qrs : f32, f32
  }
  func.return
}
// -----
func.func @not_neutral(%xs: !array.array<[n]i32>) {
  %one = arith.constant 1 : i32
  %s = array.scan (%xs : [n]i32) init (%one : i32) neutral (%one : i32) combine arith.addi
  func.return
}
// -----
func.func @histogram(%xs: !array.array<[n]i32>, %bins: !array.array<[m]i32>) {
  %one = arith.constant 1 : i32
  %at = arith.constant 0 : index
  %s = array.hist (%x in %xs : [n]i32) into (%bins : [m]i32) neutral (%one : i32) map {
    array.yield %at, %x : index, i32
  } combine arith.addi
  func.return
}
// -----
func.func @too_few(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>) {
  %one = arith.constant 1 : i32
  %s, %t = array.scan (%xs : [n]i32, %ys : [n]i32) init (%one : i32, %one : i32) neutral (%one : i32) combine (%a, %b, %c, %d) {
    array.yield %a, %b : i32, i32
  }
  func.return
}
// -----
func.func @named_elements(%xs: !array.array<[n]i32>, %zero: i32) {
  %s = array.reduce (%x in %xs : [n]i32) init (%acc = %zero : i32) {
    %t = arith.addi %acc, %x : i32
    array.yield %t : i32
  }
  func.return
}
// -----
func.func @named_accumulators(%xs: !array.array<[n]i32>, %zero: i32) {
  %s = array.redomap (%x in %xs : [n]i32) init (%acc = %zero : i32) map {
    array.yield %x : i32
  } combine arith.addi
  func.return
}
// -----
func.func @types_at_the_end(%xs: !array.array<[n]i32>, %zero: i32, %one: i32) {
  %s, %p = array.redomap (%x in %xs : [n]i32) init (%zero, %one : i32, i32) map {
    array.yield %x, %x : i32, i32
  } combine (%a, %b, %c, %d) {
    %t = arith.addi %a, %c : i32
    %u = arith.muli %b, %d : i32
    array.yield %t, %u : i32, i32
  }
  func.return
}
// -----
func.func @histograms_start_from_bins(%xs: !array.array<[n]i32>, %bins: !array.array<[m]i32>, %zero: i32) {
  %at = arith.constant 0 : index
  %s = array.hist (%x in %xs : [n]i32) into (%bins : [m]i32) init (%zero : i32) map {
    array.yield %at, %x : index, i32
  } combine arith.addi
  func.return
}
// -----
func.func @even(%x: i32, %y: i32) -> i32 {
  %z = func.call @odd(%x, %y) : (i32, i32) -> i32
  func.return %z : i32
}
func.func @odd(%x: i32, %y: i32) -> i32 {
  %z = func.call @even(%x, %y) : (i32, i32) -> i32
  func.return %z : i32
}
func.func @recursion(%xs: !array.array<[n]i32>, %zero: i32) {
  %s = array.scan (%xs : [n]i32) init (%zero : i32) combine (%x, %y) {
    %z = func.call @odd(%x, %y) : (i32, i32) -> i32
    array.yield %z : i32
  }
  func.return
}
// -----
func.func @without_a_word(%xs: !array.array<[n]i32>, %zero: i32) {
  %s = array.reduce (%xs : [n]i32) init (%zero : i32) arith.addi
  func.return
}
// -----
func.func @region_without_a_word(%xs: !array.array<[n]i32>, %zero: i32) {
  %s = array.scan (%xs : [n]i32) init (%zero : i32) {
    array.yield %zero : i32
  }
  func.return
}
// ===== expected
input:6:12: error: 'array.reduce' op has an operator whose neutral element is not known: write it behind the start values, as in `init (...) neutral (%e : f32, %e : f32)`
  |
6 |   %a, %b = array.reduce (%xs : [n]f32, %ys : [n]f32) init (%one : f32, %one : f32) combine (%p, %q, %r, %s) {
  |            ^^^^^^^^^^^^
  |
  = op: %a, %b = "array.reduce"(%xs, %ys, %one, %one) <{operandSegmentSizes = array<i32: 2, 2, 0>}> ({...}) : (!array.array<[n]f32>, !array.array<[n]f32>, f32, f32) -> (f32, f32)
input:17:8: error: 'array.scan' op has a neutral element that is not neutral: combined with (3 : i32) it gives (4 : i32)
   |
17 |   %s = array.scan (%xs : [n]i32) init (%one : i32) neutral (%one : i32) combine arith.addi
   |        ^^^^^^^^^^
   |
   = op: %s = "array.scan"(%xs, %one, %one) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}) : (!array.array<[n]i32>, i32, i32) -> !array.array<[n]i32>
input:24:8: error: 'array.hist' op has a neutral element that is not neutral: combined with (3 : i32) it gives (4 : i32)
   |
24 |   %s = array.hist (%x in %xs : [n]i32) into (%bins : [m]i32) neutral (%one : i32) map {
   |        ^^^^^^^^^^
   |
   = op: %s = "array.hist"(%xs, %bins, %one) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({...}, {...}) : (!array.array<[n]i32>, !array.array<[m]i32>, i32) -> !array.array<[m]i32>
input:32:12: error: 'array.scan' op needs 2 of the neutral elements, but there are 1
   |
32 |   %s, %t = array.scan (%xs : [n]i32, %ys : [n]i32) init (%one : i32, %one : i32) neutral (%one : i32) combine (%a, %b, %c, %d) {
   |            ^^^^^^^^^^
   |
   = op: %s, %t = "array.scan"(%xs, %ys, %one, %one, %one) <{operandSegmentSizes = array<i32: 2, 2, 1>}> ({...}) : (!array.array<[n]i32>, !array.array<[n]i32>, i32, i32, i32) -> (!array.array<[n]i32>, !array.array<[n]i32>)
input:39:25: error: accumulators and elements are named behind `combine`, as in `(%xs : [n]f32) init (%zero : f32) combine (%acc, %x) {...}`
   |
39 |   %s = array.reduce (%x in %xs : [n]i32) init (%acc = %zero : i32) {
   |                         ^^
input:47:54: error: accumulators and elements are named behind `combine`, as in `(%xs : [n]f32) init (%zero : f32) combine (%acc, %x) {...}`
   |
47 |   %s = array.redomap (%x in %xs : [n]i32) init (%acc = %zero : i32) map {
   |                                                      ^
input:54:58: error: each value is followed by its type, as in `(%a : f32, %b : i32)`
   |
54 |   %s, %p = array.redomap (%x in %xs : [n]i32) init (%zero, %one : i32, i32) map {
   |                                                          ^
input:66:62: error: a histogram starts from its destinations: write its neutral elements as `neutral (...)`
   |
66 |   %s = array.hist (%x in %xs : [n]i32) into (%bins : [m]i32) init (%zero : i32) map {
   |                                                              ^^^^
input:81:8: error: 'array.scan' op has an operator that calls @odd, which calls itself: a kernel has no recursion
   |
81 |   %s = array.scan (%xs : [n]i32) init (%zero : i32) combine (%x, %y) {
   |        ^^^^^^^^^^
   |
   = op: %s = "array.scan"(%xs, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}) : (!array.array<[n]i32>, i32) -> !array.array<[n]i32>
input:89:55: error: the operator is written behind `combine`, as in `combine arith.addf` or `combine (%acc, %x) {...}`
   |
89 |   %s = array.reduce (%xs : [n]i32) init (%zero : i32) arith.addi
   |                                                       ^^^^^^^^^^
input:94:53: error: the operator is written behind `combine`, as in `combine arith.addf` or `combine (%acc, %x) {...}`
   |
94 |   %s = array.scan (%xs : [n]i32) init (%zero : i32) {
   |                                                     ^

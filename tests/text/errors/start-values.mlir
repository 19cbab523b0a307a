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

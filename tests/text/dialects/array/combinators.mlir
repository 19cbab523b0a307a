// round-trip
// Maps, reductions and scans of one and of several arrays, nested.
builtin.module {
  func.func @flat(%xs: !array.array<[n]f32>, %ys: !array.array<[n]i64>) -> (!array.array<[n]f32>, f32, i64, !array.array<[n]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %none = arith.constant 0 : i64
    %a, %b = array.map (%x in %xs : [n]f32, %y in %ys : [n]i64) {
      %s = arith.addf %x, %x : f32
      array.yield %s, %y : f32, i64
    }
    %sum = array.reduce (%a : [n]f32) init (%zero : f32) combine (%acc, %x) {
      %s = arith.addf %acc, %x : f32
      array.yield %s : f32
    }
    %sum2, %count, %kept = array.redomap (%x in %xs : [n]f32, %y in %b : [n]i64) init (%zero : f32, %none : i64) map {
      %n = arith.negf %x : f32
      array.yield %x, %y, %n : f32, i64, f32
    } combine (%f0, %i0, %f1, %i1) {
      %f = arith.addf %f0, %f1 : f32
      %i = arith.addi %i0, %i1 : i64
      array.yield %f, %i : f32, i64
    }
    %sums = array.scan (%kept : [n]f32) init (%zero : f32) combine (%acc, %x) {
      %s = arith.addf %acc, %x : f32
      array.yield %s : f32
    }
    func.return %a, %sum, %count, %sums : !array.array<[n]f32>, f32, i64, !array.array<[n]f32>
  }
  func.func @nested(%xss: !array.array<[n][m]f32>) -> !array.array<[n]f32> {
    %zero = arith.constant 0.000000e+00 : f32
    %sums = array.map (%row in %xss : [n][m]f32) {
      %sum = array.reduce (%row : [m]f32) init (%zero : f32) combine (%acc, %x) {
        %s = arith.addf %acc, %x : f32
        array.yield %s : f32
      }
      array.yield %sum : f32
    }
    func.return %sums : !array.array<[n]f32>
  }
}

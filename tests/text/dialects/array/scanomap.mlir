// round-trip
// Maps fused into scans, inclusive and exclusive, with arrays beside them, of one and of several values.
builtin.module {
  func.func @main(%xs: !array.array<[n]f32>, %ns: !array.array<[n]index>, %yss: !array.array<[n][m]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]index>) {
    %zero = arith.constant 0.000000e+00 : f32
    %none = arith.constant 0 : index
    %sums, %squares, %rows = array.scanomap (%x in %xs : [n]f32, %ys in %yss : [n][m]f32) init (%zero : f32) map {
      %p = arith.mulf %x, %x : f32
      array.yield %p, %p, %ys : f32, f32, [m]f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      array.yield %s : f32
    }
    %offsets = array.scanomap exclusive (%k in %ns : [n]index) init (%none : index) map {
      array.yield %k : index
    } combine (%a, %b) {
      %s = arith.addi %a, %b : index
      array.yield %s : index
    }
    func.return %sums, %squares, %offsets : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]index>
  }
}

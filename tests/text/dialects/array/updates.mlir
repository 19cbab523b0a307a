// round-trip
// Scatters and histograms of one and of several arrays, with one index and with two; an exclusive scan.
builtin.module {
  func.func @updates(%is: !array.array<[n]index>, %vs: !array.array<[n]f32>, %xs: !array.array<[m]f32>, %grid: !array.array<[m][4]i32>) -> (!array.array<[m]f32>, !array.array<[m][4]i32>, !array.array<[m]f32>, !array.array<[n]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %none = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = array.scatter (%i in %is : [n]index, %v in %vs : [n]f32) into (%xs : [m]f32) {
      array.yield %i, %v : index, f32
    }
    %b = array.hist (%i in %is : [n]index) into (%grid : [m][4]i32) neutral (%none : i32) map {
      array.yield %i, %i, %one : index, index, i32
    } combine (%x, %y) {
      %s = arith.addi %x, %y : i32
      array.yield %s : i32
    }
    %c, %d = array.hist (%i in %is : [n]index, %v in %vs : [n]f32) into (%xs : [m]f32, %a : [m]f32) neutral (%zero : f32, %zero : f32) map {
      array.yield %i, %v, %v : index, f32, f32
    } combine (%x0, %x1, %y0, %y1) {
      %s = arith.addf %x0, %y0 : f32
      %t = arith.maximumf %x1, %y1 : f32
      array.yield %s, %t : f32, f32
    }
    %e = array.scan exclusive (%vs : [n]f32) init (%zero : f32) combine (%acc, %v) {
      %s = arith.addf %acc, %v : f32
      array.yield %s : f32
    }
    func.return %a, %b, %d, %e : !array.array<[m]f32>, !array.array<[m][4]i32>, !array.array<[m]f32>, !array.array<[n]f32>
  }
}

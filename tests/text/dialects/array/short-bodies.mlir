// pass: builtin.module(dce)
// A body that is one op on its arguments, in order, may be the name of the op. Printed arrays are written out.
func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %is: !array.array<[n]index>) -> (!array.array<[n]f32>, f32, f32, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %roots = array.map (%x in %xs : [n]f32) math.sqrt
  %sum = array.reduce (%xs : [n]f32) init (%zero : f32) combine arith.addf
  %dot = array.redomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
  %sums = array.scan (%xs : [n]f32) init (%zero : f32) combine arith.addf
  %products = array.scanomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
  %hist = array.hist (%i in %is : [n]index, %x in %xs : [n]f32) into (%ys : [n]f32) neutral (%zero : f32) map {
    array.yield %i, %x : index, f32
  } combine arith.addf
  func.return %roots, %sum, %dot, %sums, %products, %hist : !array.array<[n]f32>, f32, f32, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %is: !array.array<[n]index>) -> (!array.array<[n]f32>, f32, f32, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %roots = array.map (%x in %xs : [n]f32) {
      %0 = math.sqrt %x : f32
      array.yield %0 : f32
    }
    %sum = array.reduce (%xs : [n]f32) init (%zero : f32) combine (%arg0, %arg1) {
      %0 = arith.addf %arg0, %arg1 : f32
      array.yield %0 : f32
    }
    %dot = array.redomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map {
      %0 = arith.mulf %x, %y : f32
      array.yield %0 : f32
    } combine (%arg0, %arg1) {
      %0 = arith.addf %arg0, %arg1 : f32
      array.yield %0 : f32
    }
    %sums = array.scan (%xs : [n]f32) init (%zero : f32) combine (%arg0, %arg1) {
      %0 = arith.addf %arg0, %arg1 : f32
      array.yield %0 : f32
    }
    %products = array.scanomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map {
      %0 = arith.mulf %x, %y : f32
      array.yield %0 : f32
    } combine (%arg0, %arg1) {
      %0 = arith.addf %arg0, %arg1 : f32
      array.yield %0 : f32
    }
    %hist = array.hist (%i in %is : [n]index, %x in %xs : [n]f32) into (%ys : [n]f32) neutral (%zero : f32) map {
      array.yield %i, %x : index, f32
    } combine (%arg0, %arg1) {
      %0 = arith.addf %arg0, %arg1 : f32
      array.yield %0 : f32
    }
    func.return %roots, %sum, %dot, %sums, %products, %hist : !array.array<[n]f32>, f32, f32, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
  }
}

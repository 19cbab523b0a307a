// pass: builtin.module(flatten{inner-reduce=parallel})
// The reduction inside the map runs in parallel where asked for: one segmented reduction.
func.func @main(%a: !array.array<[n][m]f32>, %xs: !array.array<[m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %ys = array.map (%row in %a : [n][m]f32) {
    %y = array.redomap (%e in %row : [m]f32, %x in %xs : [m]f32) init (%zero : f32) map {
      %p = arith.mulf %e, %x : f32
      array.yield %p : f32
    } combine (%s, %t) {
      %u = arith.addf %s, %t : f32
      array.yield %u : f32
    }
    array.yield %y : f32
  }
  func.return %ys : !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @main(%a: tensor<?x?xf32>, %xs: tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %2 = tensor.dim %xs, %c0_0 : tensor<?xf32>
    %3 = arith.cmpi eq, %1, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 1 of parameter #0"
    %zero = arith.constant 0.000000e+00 : f32
    %4 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
      %5 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
      %6 = tensor.extract %xs[%arg1] : tensor<?xf32>
      %p = arith.mulf %5, %6 : f32
      kernel.return %p : f32
    } combine (%s, %t) {
      %u = arith.addf %s, %t : f32
      kernel.return %u : f32
    }
    func.return %4 : tensor<?xf32>
  }
}

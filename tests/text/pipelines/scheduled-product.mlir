// pass: builtin.module(array-to-kernel)
// A product whose map has a schedule is one nest, without versions, and the nest has it.
func.func @main(%a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %c = array.map (%row in %a : [n][k]f32) {
    %r = array.map (%column in %bt : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %p = arith.mulf %x, %y : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t : f32
        array.yield %u : f32
      }
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  } {schedule = #kernel.schedule<stripmine [16, 32] registers [4, 4], peel 8, chunk 8, distribute, interchange, stage, pipeline 2, repeat>}
  func.return %c : !array.array<[n][m]f32>
}
// ===== expected
builtin.module {
  func.func @main(%a: tensor<?x?xf32> {array.sizes = ["n", "k"]}, %b: tensor<?x?xf32> {array.sizes = ["k", "m"]}) -> (tensor<?x?xf32> {array.sizes = ["n", "m"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %2 = tensor.dim %b, %c0 : tensor<?x?xf32>
    %3 = tensor.dim %b, %c1 : tensor<?x?xf32>
    %4 = arith.cmpi eq, %1, %2 : index
    cf.assert %4, "size `k`: dimension 0 of parameter #1 differs from dimension 1 of parameter #0"
    %5 = kernel.segmap thread (%arg0 < %0, %arg1 < %3) schedule #kernel.schedule<stripmine [16, 32] registers [4, 4], peel 8, chunk 8, distribute, interchange, stage, pipeline 2, repeat> -> (tensor<?x?xf32>) {
      %dot = scf.for %arg2 = %c0 to %1 step %c1 iter_args(%s = %zero) -> (f32) {
        %6 = tensor.extract %a[%arg0, %arg2] : tensor<?x?xf32>
        %7 = tensor.extract %b[%arg2, %arg1] : tensor<?x?xf32>
        %t = arith.mulf %6, %7 : f32
        %u = arith.addf %s, %t : f32
        scf.yield %u : f32
      } {kernel.reduction}
      kernel.return %dot : f32
    }
    func.return %5 : tensor<?x?xf32>
  }
}

// round-trip
// How a nest is rewritten before it runs.
builtin.module {
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [64, 64] registers [4, 4] runs [1, 4], peel 16, chunk 16, distribute, interchange, stage, pipeline upto 2, repeat, contract reassoc, unroll> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
  func.func @short(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<chunk 8> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
}

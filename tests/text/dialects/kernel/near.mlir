// round-trip
// Reads of neighbours, by rules, with a value outside, and inside of the tensor.
builtin.module {
  func.func @main(%xs: tensor<?x?xf32>, %zero: f32) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %a = kernel.near %xs[%i, %j] clamp {offsets = array<i64: 0, -1>} : tensor<?x?xf32>
      %b = kernel.near %xs[%i, %j] outside else %zero : f32 {offsets = array<i64: 2, 1>} : tensor<?x?xf32>
      %c = kernel.near %xs[%i, %j] inside {checked, offsets = array<i64: 0, 0>} : tensor<?x?xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %c, %d : f32
      kernel.return %e : f32
    }
    func.return %ys : tensor<?x?xf32>
  }
}

// round-trip
// Copies of a thread block that it need not have before they are used.
builtin.module {
  func.func @copied(%xs: tensor<?x?xf32>, %n: index) -> tensor<?x32xf32> {
    %c32 = arith.constant 32 : index
    %a = kernel.segmap block (%i < %n) -> (tensor<?x32xf32>) {
      %tile = kernel.segmap thread async (%j < %c32) -> (tensor<32xf32>) {
        %x = kernel.read %xs[%i, %j] : tensor<?x?xf32>
        kernel.return %x : f32
      }
      kernel.return %tile : tensor<32xf32>
    }
    func.return %a : tensor<?x32xf32>
  }
}

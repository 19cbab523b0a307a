// round-trip
// Copies of a thread block that it need not have before they are used.
builtin.module {
  func.func @copied(%xs: tensor<?x?xf32>, %n: index) -> tensor<?x32xf32> {
    %c32 = arith.constant 32 : index
    %a = kernel.segmap block (%i < %n) -> (tensor<?x32xf32>) {
      %tile = kernel.segmap thread async (%j < %c32) -> (tensor<32xf32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
        kernel.return %x : f32
      }
      kernel.return %tile : tensor<32xf32>
    }
    func.return %a : tensor<?x32xf32>
  }
  func.func @boxes(%xs: tensor<?x?xf16>, %n: index, %first: index, %last: index) -> tensor<?x128x64xf16> {
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %a = kernel.segmap block (%i < %n) -> (tensor<?x128x64xf16>) {
      %tile = kernel.segmap thread async boxes (%p < %c128, %q < %c64) -> (tensor<128x64xf16>) {
        %row = arith.addi %first, %p : index
        %end = arith.minsi %row, %last : index
        %x = tensor.extract %xs[%end, %q] : tensor<?x?xf16>
        kernel.return %x : f16
      }
      kernel.return %tile : tensor<128x64xf16>
    }
    func.return %a : tensor<?x128x64xf16>
  }
}

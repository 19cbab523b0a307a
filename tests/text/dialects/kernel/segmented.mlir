// round-trip
// Segmented operations at several levels, with and without stored values.
builtin.module {
  func.func @segmented(%xs: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %size = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %a = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    %b = kernel.segred block (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%u, %v) {
      %s = arith.addf %u, %v : f32
      kernel.return %s : f32
    }
    %c = kernel.segscan thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?x?xf32>) {
      %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%u, %v) {
      %s = arith.addf %u, %v : f32
      kernel.return %s : f32
    }
    func.return %a, %b, %c : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
  }
}

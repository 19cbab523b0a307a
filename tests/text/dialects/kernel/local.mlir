// round-trip
// Arrays made step by step, other shapes of tensors, tiles, and named thresholds.
builtin.module {
  func.func @local(%n: index, %m: index, %x: f32, %row: tensor<?xf32>) -> i1 {
    %t = tensor.empty(%n, %m) : tensor<?x?xf32>
    %u = tensor.insert %x into %t[%n, %m] : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %size1 = tensor.dim %u, %c1 : tensor<?x?xf32>
    %v = tensor.insert_slice %row into %u[%n, 0] [1, %size1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
    %tiled = tensor.empty(%n, %m, %n, %m) : tensor<?x?x?x?xf32>
    %whole = kernel.untile %tiled to [%n, %m] : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
    %shape2 = tensor.from_elements %n : tensor<1xindex>
    %w = tensor.reshape %v(%shape2) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %x2 = kernel.extend %v to [%n, %m] : tensor<?x?xf32>
    %enough = kernel.at_least %n, "local.top.0" default 32768
    func.return %enough : i1
  }
}

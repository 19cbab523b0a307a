// round-trip
// Arrays made step by step, other shapes of tensors, tiles, and named thresholds.
builtin.module {
  func.func @local(%n: index, %m: index, %x: f32, %row: tensor<?xf32>) -> i1 {
    %t = kernel.scratch [%n, %m] : tensor<?x?xf32>
    %u = kernel.update %x, %t[%n, %m] : f32, tensor<?x?xf32>
    %v = kernel.update %row, %u[%n] : tensor<?xf32>, tensor<?x?xf32>
    %tiled = kernel.scratch [%n, %m, %n, %m] : tensor<?x?x?x?xf32>
    %whole = kernel.untile %tiled to [%n, %m] : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
    %w = kernel.reshape %v to [%n] : tensor<?x?xf32> -> tensor<?xf32>
    %x2 = kernel.extend %v to [%n, %m] : tensor<?x?xf32>
    %enough = kernel.at_least %n, "local.top.0" default 32768
    func.return %enough : i1
  }
}

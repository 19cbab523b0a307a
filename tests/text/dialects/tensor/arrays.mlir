// round-trip
// Arrays as values: extents, elements, parts, other shapes and types.
builtin.module {
  func.func @rows(%t: tensor<?x4xf32>, %i: index, %x: f32) -> tensor<4x?xf32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %n = tensor.dim %t, %c0 : tensor<?x4xf32>
    %y = tensor.extract %t[%i, %c0] : tensor<?x4xf32>
    %row = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
    %other = tensor.insert %y into %row[%c0] : tensor<4xf32>
    %u = tensor.insert_slice %other into %t[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<?x4xf32>
    %shape = tensor.from_elements %c4, %n : tensor<2xindex>
    %r = tensor.reshape %u(%shape) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<4x?xf32>
    %none = tensor.empty(%n) : tensor<4x?xf32>
    %same = tensor.cast %none : tensor<4x?xf32> to tensor<?x?xf32>
    func.return %r : tensor<4x?xf32>
  }
}

// round-trip
// Ops of tensor, with and without their optional parts.
builtin.module {
  func.func @tensors(%t: tensor<?x4xf32>, %v: tensor<?xf32>, %i: index, %j: index, %x: f32, %shape: tensor<2xindex>) {
    %0 = tensor.dim %t, %i : tensor<?x4xf32>
    %1 = tensor.dim {test.note} %t, %i : tensor<?x4xf32>
    %cast = tensor.cast %t : tensor<?x4xf32> to tensor<8x?xf32>
    %2 = tensor.empty(%i) : tensor<?x4xf32>
    %3 = tensor.empty() {test.note} : tensor<2x3xi8>
    %extracted = tensor.extract %t[%i, %j] : tensor<?x4xf32>
    %inserted = tensor.insert %x into %t[%i, %j] {test.note} : tensor<?x4xf32>
    %from_elements = tensor.from_elements %i, %j : tensor<2xindex>
    %from_elements_0 = tensor.from_elements : tensor<0xf32>
    %reshape = tensor.reshape %t(%shape) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %extracted_slice = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
    %extracted_slice_1 = tensor.extract_slice %t[0, %j] [%i, 2] [%j, 1] : tensor<?x4xf32> to tensor<?x2xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %t[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<?x4xf32>
    func.return
  }
}

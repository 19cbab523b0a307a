// errors: builtin.module(array-to-gpu)
// Tensors without dimensions that the host copies.
func.func @main(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<f32>, tensor<f32>) {
  %a = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<f32>
  %e = tensor.empty() : tensor<f32>
  %b = tensor.insert %x into %e[] : tensor<f32>
  func.return %a, %b : tensor<f32>, tensor<f32>
}
// ===== expected
input:4:8: error: 'tensor.extract_slice' op copies a tensor without dimensions on the host, which is not lowered
  |
4 |   %a = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<f32>
  |        ^^^^^^^^^^^^^^^^^^^^
  |
  = op: %a = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<f32>
input:6:8: error: 'tensor.insert' op copies a tensor without dimensions on the host, which is not lowered
  |
6 |   %b = tensor.insert %x into %e[] : tensor<f32>
  |        ^^^^^^^^^^^^^
  |
  = op: %b = "tensor.insert"(%x, %e) : (f32, tensor<f32>) -> tensor<f32>

// errors: builtin.module(lower-to-gpu)
// Who runs which index is said by the op: one that does not say so is not lowered.
func.func @main(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
input:4:8: error: 'kernel.segmap' op has no mapping: `choose-mapping` gives it one
  |
4 |   %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segmap"(%n) <{level = 2 : i32}> ({...}) : (index) -> memref<?xf32>

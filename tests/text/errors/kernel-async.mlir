// errors
// Only threads of a block copy ahead, and only what they read.
func.func @not_in_a_block(%n: index, %xs: tensor<?xf32>) {
  %r = kernel.segmap thread async (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return
}
// -----
func.func @a_block(%n: index, %xs: tensor<?xf32>) {
  %r = kernel.segmap block async (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return
}
// -----
func.func @computed(%n: index, %xs: tensor<?xf32>) {
  %r = kernel.segmap block (%i < %n) -> (tensor<?x?xf32>) {
    %row = kernel.segmap thread async (%j < %n) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%j] : tensor<?xf32>
      %y = arith.addf %x, %x : f32
      kernel.return %y : f32
    }
    kernel.return %row : tensor<?xf32>
  }
  func.return
}
// -----
func.func @an_array(%n: index, %xss: tensor<?x?xf32>) {
  %r = kernel.segmap block (%i < %n) -> (tensor<?x?x?xf32>) {
    %rows = kernel.segmap thread async (%j < %n) -> (tensor<?x?xf32>) {
      %c1 = arith.constant 1 : index
      %size1 = tensor.dim %xss, %c1 : tensor<?x?xf32>
      %x = tensor.extract_slice %xss[%j, 0] [1, %size1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
      kernel.return %x : tensor<?xf32>
    }
    kernel.return %rows : tensor<?x?xf32>
  }
  func.return
}
// ===== expected
input:4:8: error: 'kernel.segmap' op can be `async` at level `thread` inside level `block` only
  |
4 |   %r = kernel.segmap thread async (%i < %n) -> (tensor<?xf32>) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segmap"(%n) <{async, level = 2 : i32}> ({...}) : (index) -> tensor<?xf32>
input:12:8: error: 'kernel.segmap' op can be `async` at level `thread` inside level `block` only
   |
12 |   %r = kernel.segmap block async (%i < %n) -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n) <{async, level = 1 : i32}> ({...}) : (index) -> tensor<?xf32>
input:21:12: error: 'kernel.segmap' op is `async`, so each of its values must be read at indices of a tensor
   |
21 |     %row = kernel.segmap thread async (%j < %n) -> (tensor<?xf32>) {
   |            ^^^^^^^^^^^^^
   |
   = op: %row = "kernel.segmap"(%n) <{async, level = 2 : i32}> ({...}) : (index) -> tensor<?xf32>
input:33:13: error: 'kernel.segmap' op is `async`, so each of its values must be read at indices of a tensor
   |
33 |     %rows = kernel.segmap thread async (%j < %n) -> (tensor<?x?xf32>) {
   |             ^^^^^^^^^^^^^
   |
   = op: %rows = "kernel.segmap"(%n) <{async, level = 2 : i32}> ({...}) : (index) -> tensor<?x?xf32>

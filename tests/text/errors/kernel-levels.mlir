// errors
// Levels of the machine: a block holds only thread constructs, a thread holds none.
func.func @thread_in_thread(%n: index, %xss: tensor<?x?xf32>) {
  %r = kernel.segmap thread (%i < %n) -> (tensor<?x?xf32>) {
    %row = kernel.segmap thread (%j < %n) -> (tensor<?xf32>) {
      %x = tensor.extract %xss[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    kernel.return %row : tensor<?xf32>
  }
  func.return
}
// -----
func.func @block_in_block(%n: index, %xss: tensor<?x?xf32>) {
  %r = kernel.segmap block (%i < %n) -> (tensor<?x?xf32>) {
    %row = kernel.segmap block (%j < %n) -> (tensor<?xf32>) {
      %x = tensor.extract %xss[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    kernel.return %row : tensor<?xf32>
  }
  func.return
}
// ===== expected
input:5:12: error: 'kernel.segmap' op of level `thread` cannot stand inside level `thread`
  |
5 |     %row = kernel.segmap thread (%j < %n) -> (tensor<?xf32>) {
  |            ^^^^^^^^^^^^^
  |
  = op: %row = "kernel.segmap"(%n) <{level = 2 : i32}> ({...}) : (index) -> tensor<?xf32>
input:4:8: note: the segmented op around it
  |
4 |   %r = kernel.segmap thread (%i < %n) -> (tensor<?x?xf32>) {
  |        ^^^^^^^^^^^^^
input:16:12: error: 'kernel.segmap' op of level `block` cannot stand inside level `block`
   |
16 |     %row = kernel.segmap block (%j < %n) -> (tensor<?xf32>) {
   |            ^^^^^^^^^^^^^
   |
   = op: %row = "kernel.segmap"(%n) <{level = 1 : i32}> ({...}) : (index) -> tensor<?xf32>
input:15:8: note: the segmented op around it
   |
15 |   %r = kernel.segmap block (%i < %n) -> (tensor<?x?xf32>) {
   |        ^^^^^^^^^^^^^

// errors
// Levels of the machine: a block holds only thread constructs, a thread holds none.
func.func @thread_in_thread(%n: index, %xss: tensor<?x?xf32>) {
  %r = kernel.segmap thread (%i < %n) -> (tensor<?x?xf32>) {
    %row = kernel.segmap thread (%j < %n) -> (tensor<?xf32>) {
      %x = kernel.read %xss[%i, %j] : tensor<?x?xf32>
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
      %x = kernel.read %xss[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    kernel.return %row : tensor<?xf32>
  }
  func.return
}

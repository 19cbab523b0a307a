// errors: builtin.module(func.func(choose-mapping),lower-to-gpu)
// An op that a thread block cannot run is refused at its location.
func.func @grid(%xs: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %r = kernel.segmap grid (%i < %n) -> (tensor<?xi32>) {
    %x = kernel.read %xs[%i] : tensor<?xi32>
    kernel.return %x : i32
  }
  func.return %r : tensor<?xi32>
}
func.func @irregular(%xs: tensor<?xindex>, %n: index) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?xindex>) {
    %k = kernel.read %xs[%i] : tensor<?xindex>
    %is = kernel.segmap thread (%j < %k) -> (tensor<?xindex>) {
      kernel.return %j : index
    }
    %first = kernel.read %is[%zero] : tensor<?xindex>
    kernel.return %first : index
  }
  func.return %r : tensor<?xindex>
}
// ===== expected
input:4:8: error: 'kernel.segmap' op is not lowered at level `grid`
  |
4 |   %r = kernel.segmap grid (%i < %n) -> (tensor<?xi32>) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segmap"(%n) <{level = 0 : i32}> ({...}) : (index) -> memref<?xi32>
input:14:11: error: 'kernel.segmap' op makes an array whose extent is only known at each point of a nest
   |
14 |     %is = kernel.segmap thread (%j < %k) -> (tensor<?xindex>) {
   |           ^^^^^^^^^^^^^
   |
   = op: %is = "kernel.segmap"(%k) <{level = 2 : i32}> ({...}) : (index) -> memref<?xindex>

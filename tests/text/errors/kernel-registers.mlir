// errors
// Points of a thread divide extents that are known, and runs divide the points; parts of a tile are as many as points.
func.func @extents(%n: index) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %c6 = arith.constant 6 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x6xf32>) {
    %s = kernel.segmap thread registers [4] runs [1] (%p < %c6) -> (tensor<6xf32>) {
      kernel.return %zero : f32
    }
    kernel.return %s : tensor<6xf32>
  }
  func.return %r : tensor<?x6xf32>
}
func.func @runs(%n: index) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %c6 = arith.constant 6 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x6xf32>) {
    %s = kernel.segmap thread registers [3] runs [2] (%p < %c6) -> (tensor<6xf32>) {
      kernel.return %zero : f32
    }
    kernel.return %s : tensor<6xf32>
  }
  func.return %r : tensor<?x6xf32>
}
func.func @open(%n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %r = kernel.segmap thread registers [2] runs [1] (%i < %n) -> (tensor<?xf32>) {
    kernel.return %zero : f32
  }
  func.return %r : tensor<?xf32>
}
func.func @parts(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<12xf32> {
  %t = kernel.regtile %a, %b {registers = array<i64: 3>, runs = array<i64: 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
  func.return %t : tensor<12xf32>
}
// ===== expected
input:7:10: error: 'kernel.segmap' op attribute `registers` must divide the extents
  |
7 |     %s = kernel.segmap thread registers [4] runs [1] (%p < %c6) -> (tensor<6xf32>) {
  |          ^^^^^^^^^^^^^
  |
  = op: %s = "kernel.segmap"(%c6) <{level = 2 : i32, registers = array<i64: 4>, runs = array<i64: 1>}> ({...}) : (index) -> tensor<6xf32>
input:18:10: error: 'kernel.segmap' op runs of 2 do not divide 3 points
   |
18 |     %s = kernel.segmap thread registers [3] runs [2] (%p < %c6) -> (tensor<6xf32>) {
   |          ^^^^^^^^^^^^^
   |
   = op: %s = "kernel.segmap"(%c6) <{level = 2 : i32, registers = array<i64: 3>, runs = array<i64: 2>}> ({...}) : (index) -> tensor<6xf32>
input:27:8: error: 'kernel.segmap' op attribute `registers` needs constant extents
   |
27 |   %r = kernel.segmap thread registers [2] runs [1] (%i < %n) -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n) <{level = 2 : i32, registers = array<i64: 2>, runs = array<i64: 1>}> ({...}) : (index) -> tensor<?xf32>
input:33:8: error: 'kernel.regtile' op has 2 parts for 3 points of a thread
   |
33 |   %t = kernel.regtile %a, %b {registers = array<i64: 3>, runs = array<i64: 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
   |        ^^^^^^^^^^^^^^
   |
   = op: %t = kernel.regtile %a, %b {registers = array<i64: 3>, runs = array<i64: 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>

// errors
// A box is copied ahead, of numbers of two bytes, along the rows and the columns of an array.
func.func @not_ahead(%n: index, %x: tensor<?x?xf16>) {
  %c64 = arith.constant 64 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf16>) {
    %box = "kernel.segmap"(%c64, %c64) <{boxes, level = 2 : i32}> ({
    ^body(%p: index, %q: index):
      %a = tensor.extract %x[%p, %q] : tensor<?x?xf16>
      kernel.return %a : f16
    }) : (index, index) -> tensor<64x64xf16>
    kernel.return %box : tensor<64x64xf16>
  }
  func.return
}
// -----
func.func @floats(%n: index, %x: tensor<?x?xf32>) {
  %c64 = arith.constant 64 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
    %box = kernel.segmap thread async boxes (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      %a = tensor.extract %x[%p, %q] : tensor<?x?xf32>
      kernel.return %a : f32
    }
    kernel.return %box : tensor<64x64xf32>
  }
  func.return
}
// -----
func.func @turned(%n: index, %x: tensor<?x?xf16>) {
  %c64 = arith.constant 64 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf16>) {
    %box = kernel.segmap thread async boxes (%p < %c64, %q < %c64) -> (tensor<64x64xf16>) {
      %a = tensor.extract %x[%q, %p] : tensor<?x?xf16>
      kernel.return %a : f16
    }
    kernel.return %box : tensor<64x64xf16>
  }
  func.return
}
// -----
func.func @strided(%n: index, %x: tensor<?x?xf16>) {
  %c64 = arith.constant 64 : index
  %c2 = arith.constant 2 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf16>) {
    %box = kernel.segmap thread async boxes (%p < %c64, %q < %c64) -> (tensor<64x64xf16>) {
      %row = arith.muli %p, %c2 : index
      %a = tensor.extract %x[%row, %q] : tensor<?x?xf16>
      kernel.return %a : f16
    }
    kernel.return %box : tensor<64x64xf16>
  }
  func.return
}
// ===== expected
input:6:12: error: 'kernel.segmap' op has `boxes` without `async`
  |
6 |     %box = "kernel.segmap"(%c64, %c64) <{boxes, level = 2 : i32}> ({
  |            ^^^^^^^^^^^^^^^
  |
  = op: %box = "kernel.segmap"(%c64, %c64) <{boxes, level = 2 : i32}> ({...}) : (index, index) -> tensor<64x64xf16>
input:19:12: error: 'kernel.segmap' op copies no box: constant extents of up to 256 rows and a multiple of 64 columns, one read of numbers of 2 bytes, of which one index grows by ones with the rows, and the last one with the columns
   |
19 |     %box = kernel.segmap thread async boxes (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
   |            ^^^^^^^^^^^^^
   |
   = op: %box = "kernel.segmap"(%c64, %c64) <{async, boxes, level = 2 : i32}> ({...}) : (index, index) -> tensor<64x64xf32>
input:31:12: error: 'kernel.segmap' op copies no box: constant extents of up to 256 rows and a multiple of 64 columns, one read of numbers of 2 bytes, of which one index grows by ones with the rows, and the last one with the columns
   |
31 |     %box = kernel.segmap thread async boxes (%p < %c64, %q < %c64) -> (tensor<64x64xf16>) {
   |            ^^^^^^^^^^^^^
   |
   = op: %box = "kernel.segmap"(%c64, %c64) <{async, boxes, level = 2 : i32}> ({...}) : (index, index) -> tensor<64x64xf16>
input:44:12: error: 'kernel.segmap' op copies no box: constant extents of up to 256 rows and a multiple of 64 columns, one read of numbers of 2 bytes, of which one index grows by ones with the rows, and the last one with the columns
   |
44 |     %box = kernel.segmap thread async boxes (%p < %c64, %q < %c64) -> (tensor<64x64xf16>) {
   |            ^^^^^^^^^^^^^
   |
   = op: %box = "kernel.segmap"(%c64, %c64) <{async, boxes, level = 2 : i32}> ({...}) : (index, index) -> tensor<64x64xf16>

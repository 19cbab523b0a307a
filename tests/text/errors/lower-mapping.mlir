// errors: builtin.module(lower-to-gpu)
// Threads have one point each; orders need a dense space of as many dimensions.
func.func @steps(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread (%i < %n) mapping "GridBlock(1, Serial(1, Split(0, 256, SplitLast(4, Gen))))" -> (tensor<?xf32>) {
    %x = kernel.read %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @swizzled(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread (%i < %n) mapping "GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))" -> (tensor<?xf32>) {
    %x = kernel.read %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
input:4:8: error: 'kernel.segmap' op attribute `mapping`: `GridBlock(1, Serial(1, Split(0, 256, SplitLast(4, Gen))))` has steps of threads (Serial), kernels are made with one point per thread
  |
4 |   %r = kernel.segmap thread (%i < %n) mapping "GridBlock(1, Serial(1, Split(0, 256, SplitLast(4, Gen))))" -> (tensor<?xf32>) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segmap"(%n) <{level = 2 : i32, mapping = "GridBlock(1, Serial(1, Split(0, 256, SplitLast(4, Gen))))"}> ({...}) : (index) -> memref<?xf32>
input:12:8: error: 'kernel.segmap' op cannot be mapped to a grid: stage 0 of `GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))`: Swizzle(0, 8) needs at least 2 dimensions, found 1
   |
12 |   %r = kernel.segmap thread (%i < %n) mapping "GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))" -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n) <{level = 2 : i32, mapping = "GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))"}> ({...}) : (index) -> memref<?xf32>

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

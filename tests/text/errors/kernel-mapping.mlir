// errors
// A mapping fits the rank of what is mapped, who runs it, and the hardware; a mistake in its text has its place.
func.func @rank(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))> -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @large_block(%xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n = arith.constant 40 : index
  %r = kernel.segmap thread (%i < %n, %j < %n) mapping #kernel.mapping<GridBlock(2, Gen)> -> (tensor<?x?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?x?xf32>
}
// -----
func.func @seven(%n: index, %x: f32) -> tensor<?x?x?x?x?x?x?xf32> {
  %r = kernel.segmap thread (%a < %n, %b < %n, %c < %n, %d < %n, %e < %n, %f < %n, %g < %n) mapping #kernel.mapping<GridBlock(3, ShiftLB(Gen))> -> (tensor<?x?x?x?x?x?x?xf32>) {
    kernel.return %x : f32
  }
  func.return %r : tensor<?x?x?x?x?x?x?xf32>
}
// -----
func.func @block(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap block (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, Gen))> -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @idle_block(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap block (%i < %n) mapping #kernel.mapping<GridBlock(0, SplitLast(32, Gen))> -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @no_form(%n: index, %xs: tensor<?xf32>, %zero: f32) -> f32 {
  %r = kernel.segred thread (%i < %n) mapping #kernel.mapping<GridBlock(0, Gen)> init (%zero : f32) -> (f32) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : f32
}
// -----
func.func @halves_of_warps(%n: index, %xs: tensor<?x?xf32>, %zero: f32) -> tensor<?xf32> {
  %r = kernel.segred thread form lanes (%i < %n, %j < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(6, Gen))> init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @tiles(%n: index, %xs: tensor<?xf32>, %zero: f32) -> tensor<?xf32> {
  %r = kernel.segscan thread form tiles (%i < %n) mapping #kernel.mapping<GridBlock(0, Gen)> init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    kernel.return %s : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @inside(%n: index, %xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = kernel.segmap block (%i < %n) -> (tensor<?x?xf32>) {
    %row = kernel.segmap thread (%j < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, Gen))> -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }
    kernel.return %row : tensor<?xf32>
  }
  func.return %r : tensor<?x?xf32>
}
// -----
func.func @text(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLst(256, Gen))> -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// -----
func.func @other(%n: index, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.segmap thread (%i < %n) mapping "fold-all" -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    kernel.return %x : f32
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
input:4:8: error: 'kernel.segmap' op attribute `mapping`: stage 0 of `GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))`: Swizzle(0, 8) needs at least 2 dimensions, found 1
  |
4 |   %r = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))> -> (tensor<?xf32>) {
  |        ^^^^^^^^^^^^^
  |
  = op: %r = "kernel.segmap"(%n) <{level = 2 : i32, mapping = #kernel.mapping<GridBlock(1, SplitLast(256, Swizzle(0, 8, Gen)))>}> ({...}) : (index) -> tensor<?xf32>
input:13:8: error: 'kernel.segmap' op attribute `mapping`: `GridBlock(2, Gen)`: block size is `1600`, the hardware allows at most 1024
   |
13 |   %r = kernel.segmap thread (%i < %n, %j < %n) mapping #kernel.mapping<GridBlock(2, Gen)> -> (tensor<?x?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n, %n) <{level = 2 : i32, mapping = #kernel.mapping<GridBlock(2, Gen)>}> ({...}) : (index, index) -> tensor<?x?xf32>
input:21:8: error: 'kernel.segmap' op attribute `mapping`: `GridBlock(3, ShiftLB(Gen))` makes 4 grid and 3 block dimensions, the hardware has 3 and 3
   |
21 |   %r = kernel.segmap thread (%a < %n, %b < %n, %c < %n, %d < %n, %e < %n, %f < %n, %g < %n) mapping #kernel.mapping<GridBlock(3, Shi...
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n, %n, %n, %n, %n, %n, %n) <{level = 2 : i32, mapping = #kernel.mapping<GridBlock(3, ShiftLB(Gen))>}> ({...}) : (index, index, index, index, index, index, index) -> tensor<?x?x?x?x?x?x?xf32>
input:28:8: error: 'kernel.segmap' op attribute `mapping`: `GridBlock(1, SplitLast(32, Gen))` does not fit: a thread block runs an index, so GridBlock must give the block no dimension: GridBlock(0, ..)
   |
28 |   %r = kernel.segmap block (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, Gen))> -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n) <{level = 1 : i32, mapping = #kernel.mapping<GridBlock(1, SplitLast(32, Gen))>}> ({...}) : (index) -> tensor<?xf32>
input:36:8: error: 'kernel.segmap' op attribute `mapping`: `GridBlock(0, SplitLast(32, Gen))` does not fit: a thread block runs an index, so each must have one: no Split, PadLast, PruneGrid, Morton, Hilbert
   |
36 |   %r = kernel.segmap block (%i < %n) mapping #kernel.mapping<GridBlock(0, SplitLast(32, Gen))> -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n) <{level = 1 : i32, mapping = #kernel.mapping<GridBlock(0, SplitLast(32, Gen))>}> ({...}) : (index) -> tensor<?xf32>
input:44:8: error: 'kernel.segred' op needs a form before it can have a mapping; attribute `mapping` has no place
   |
44 |   %r = kernel.segred thread (%i < %n) mapping #kernel.mapping<GridBlock(0, Gen)> init (%zero : f32) -> (f32) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segred"(%n, %zero) <{level = 2 : i32, mapping = #kernel.mapping<GridBlock(0, Gen)>, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> f32
input:55:8: error: 'kernel.segred' op attribute `mapping`: `GridBlock(1, SplitLast(6, Gen))` does not fit: 4 lanes run an index, so a thread block must have a constant number of whole warps
   |
55 |   %r = kernel.segred thread form lanes (%i < %n, %j < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(6, Gen))> init (%zero : f32...
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segred"(%n, %n, %zero) <{form = 0 : i32, level = 2 : i32, mapping = #kernel.mapping<GridBlock(1, SplitLast(6, Gen))>, operandSegmentSizes = array<i32: 2, 1>}> ({...}, {...}) : (index, index, f32) -> tensor<?xf32>
input:66:8: error: 'kernel.segscan' op of form `tiles` has no mapping: its thread blocks take tiles in the order they start; attribute `mapping` has no place
   |
66 |   %r = kernel.segscan thread form tiles (%i < %n) mapping #kernel.mapping<GridBlock(0, Gen)> init (%zero : f32) -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segscan"(%n, %zero) <{form = 4 : i32, level = 2 : i32, mapping = #kernel.mapping<GridBlock(0, Gen)>, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, f32) -> tensor<?xf32>
input:78:12: error: 'kernel.segmap' op stands inside of another segmented op, whose threads run it; attribute `mapping` has no place
   |
78 |     %row = kernel.segmap thread (%j < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(32, Gen))> -> (tensor<?xf32>) {
   |            ^^^^^^^^^^^^^
   |
   = op: %row = "kernel.segmap"(%n) <{level = 2 : i32, mapping = #kernel.mapping<GridBlock(1, SplitLast(32, Gen))>}> ({...}) : (index) -> tensor<?xf32>
input:88:76: error: the mapping: unknown combinator `SplitLst`, did you mean `SplitLast`?
   |
88 |   %r = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLst(256, Gen))> -> (tensor<?xf32>) {
   |                                                                            ^^^^^^^^
input:96:8: error: 'kernel.segmap' op attribute `mapping` must be a mapping (`#kernel.mapping<GridBlock(N, ...)>`), but is `"fold-all"`
   |
96 |   %r = kernel.segmap thread (%i < %n) mapping "fold-all" -> (tensor<?xf32>) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segmap"(%n) <{level = 2 : i32, mapping = "fold-all"}> ({...}) : (index) -> tensor<?xf32>

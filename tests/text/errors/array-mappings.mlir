// errors: builtin.module(array-to-kernel)
// Mappings of maps: one that does not fit the nest, one of another kind, one of a reduction.
func.func @rank(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %c = array.map (%row in %a : [n][m]f32) {
    %d = array.map (%x in %row : [m]f32) {
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    }
    array.yield %d : [m]f32
  } {mapping = #kernel.mapping<GridBlock(1, Permute([1,0], SplitLast(32, Gen)))>}
  func.return %c : !array.array<[n][m]f32>
}
// -----
func.func @text(%a: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %c = array.map (%x in %a : [n]f32) {
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } {mapping = "GridBlock(1, SplitLast(32, Gen))"}
  func.return %c : !array.array<[n]f32>
}
// -----
func.func @reduction(%a: !array.array<[n]f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %s = array.reduce (%a : [n]f32) init (%zero : f32) combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    array.yield %u : f32
  } {mapping = #kernel.mapping<GridBlock(1, SplitLast(32, Gen))>}
  func.return %s : f32
}
// ===== expected
input:4:8: error: 'array.map' op has a mapping that does not fit its nest of 2: stage 1 of `GridBlock(1, Permute([1,0], SplitLast(32, Gen)))`: Permute([1,0]) lists 2 dimensions, the space has 3
  |
4 |   %c = array.map (%row in %a : [n][m]f32) {
  |        ^^^^^^^^^
  |
  = op: %c = "array.map"(%a) ({...}) {mapping = #kernel.mapping<GridBlock(1, Permute([1,0], SplitLast(32, Gen)))>} : (!array.array<[n][m]f32>) -> !array.array<[n][m]f32>
input:15:8: error: 'array.map' op attribute `mapping` must be a mapping (`#kernel.mapping<GridBlock(N, ...)>`)
   |
15 |   %c = array.map (%x in %a : [n]f32) {
   |        ^^^^^^^^^
   |
   = op: %c = "array.map"(%a) ({...}) {mapping = "GridBlock(1, SplitLast(32, Gen))"} : (!array.array<[n]f32>) -> !array.array<[n]f32>
input:24:8: remark: array.reduce becomes a segred over 1 dimension
   |
24 |   %s = array.reduce (%a : [n]f32) init (%zero : f32) combine (%s, %t) {
   |        ^^^^^^^^^^^^
input:24:8: error: 'array.reduce' op has a mapping, but becomes no nest of maps around sequential code
   |
24 |   %s = array.reduce (%a : [n]f32) init (%zero : f32) combine (%s, %t) {
   |        ^^^^^^^^^^^^
   |
   = op: %s = "array.reduce"(%a, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({...}) {mapping = #kernel.mapping<GridBlock(1, SplitLast(32, Gen))>} : (!array.array<[n]f32>, f32) -> f32

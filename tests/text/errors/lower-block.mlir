// errors: builtin.module(func.func(choose-mapping),lower-to-gpu)
// An op that a thread block cannot run is refused at its location.
func.func @irregular(%xs: tensor<?xindex>, %n: index) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?xindex>) {
    %k = tensor.extract %xs[%i] : tensor<?xindex>
    %is = kernel.segmap thread (%j < %k) -> (tensor<?xindex>) {
      kernel.return %j : index
    }
    %first = tensor.extract %is[%zero] : tensor<?xindex>
    kernel.return %first : index
  }
  func.return %r : tensor<?xindex>
}
func.func @sum_of_blocks(%n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %r = kernel.segred block (%i < %n) init (%zero : i32) -> (i32) {
    kernel.return %zero : i32
  } combine (%a, %b) {
    %c = arith.addi %a, %b : i32
    kernel.return %c : i32
  }
  func.return %r : i32
}
// ===== expected
input:7:11: error: 'kernel.segmap' op makes an array whose extent is only known at each point of a nest
  |
7 |     %is = kernel.segmap thread (%j < %k) -> (tensor<?xindex>) {
  |           ^^^^^^^^^^^^^
  |
  = op: %is = "kernel.segmap"(%k) <{level = 2 : i32}> ({...}) : (index) -> memref<?xindex>
input:17:8: error: 'kernel.segred' op is not lowered at level `block`
   |
17 |   %r = kernel.segred block (%i < %n) init (%zero : i32) -> (i32) {
   |        ^^^^^^^^^^^^^
   |
   = op: %r = "kernel.segred"(%n, %zero) <{level = 1 : i32, mapping = #kernel.mapping<GridBlock(0, ShiftLB(Gen))>, operandSegmentSizes = array<i32: 1, 1>}> ({...}, {...}) : (index, i32) -> i32

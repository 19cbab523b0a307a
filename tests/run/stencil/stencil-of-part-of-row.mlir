// run
// Stencils over what a scan gives of a part of each row: the parts end before the array that holds them.
// inputs: random:NxM; random:N where N = 0 1 7 33; M = 1 5 40
// inputs: random:4x6; [0, 1, 2, 7]
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segscan 1
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = array.dim %xss, 1 : [n][m]i32
  %else, %wrapped = array.map (%row in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %number = arith.index_cast %k : i32 to index
    %more = arith.muli %number, %c3 : index
    %some = arith.maxsi %more, %c0 : index
    %count = arith.minsi %some, %m : index
    %part = array.slice %row[%c0] sizes [%count] strides [%c1] : [m]i32 -> [?]i32
    %sums = array.scan (%part : [?]i32) init (%zero : i32) combine arith.addi
    %near = array.stencil (%a, %b in %sums : [?]i32 at [[-1], [2]] outside (%at) {
      array.yield %seven : i32
    }) {
      %product = arith.muli %a, %b : i32
      array.yield %product : i32
    }
    %all = array.reduce (%near : [?]i32) init (%zero : i32) combine arith.xori
    %around = array.stencil (%a, %b in %sums : [?]i32 at [[-1], [2]] wrap) {
      %product = arith.muli %a, %b : i32
      array.yield %product : i32
    }
    %all_around = array.reduce (%around : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %all, %all_around : i32, i32
  }
  func.return %else, %wrapped : !array.array<[n]i32>, !array.array<[n]i32>
}

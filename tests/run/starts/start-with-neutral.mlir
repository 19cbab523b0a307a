// run
// A neutral element that is written: the first of equal minima and its index, from a pair of one's own. Of
// (4, 2, 7, 2) from (3, -5): (2, 1); from (2, -5), which comes first: (2, -5).
// inputs: [4, 2, 7, 2]; 3
// outputs: 2; 1; [3, 2, 2, 2]
// inputs: [4, 2, 7, 2]; 2
// outputs: 2; -5; [2, 2, 2, 2]
// inputs: []; 9
// outputs: 9; -5; []
// inputs: random:N; 9 where N = 1 33 257 4099
// structure: kernel.segred 1, kernel.segscan 1
// versions: kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>, %first: i32) -> (i32, i32, !array.array<[n]i32>) {
  %most = arith.constant 2147483647 : i32
  %none = arith.constant -1 : i32
  %own = arith.constant -5 : i32
  %n = array.dim %xs, 0 : [n]i32
  %is = array.iota %n : [n]i32
  %v, %i = array.reduce (%xs : [n]i32, %is : [n]i32) init (%first : i32, %own : i32) neutral (%most : i32, %none : i32) combine (%a, %ia, %b, %ib) {
    %less = arith.cmpi slt, %b, %a : i32
    %m = arith.select %less, %b, %a : i32
    %im = arith.select %less, %ib, %ia : i32
    array.yield %m, %im : i32, i32
  }
  %ms, %ims = array.scan (%xs : [n]i32, %is : [n]i32) init (%first : i32, %own : i32) neutral (%most : i32, %none : i32) combine (%a, %ia, %b, %ib) {
    %less = arith.cmpi slt, %b, %a : i32
    %m = arith.select %less, %b, %a : i32
    %im = arith.select %less, %ib, %ia : i32
    array.yield %m, %im : i32, i32
  }
  func.return %v, %i, %ms : i32, i32, !array.array<[n]i32>
}

// run
// Maps with mappings of their own: around a reduction, of two dimensions, several points by a thread, after and before others,
// and inside of a map that has none.
// inputs: random:NxM where N = 0 1 33; M = 0 1 97 200
// numpy: np.sum(xs, axis=1, dtype=np.int32), (xs + xs) ^ 1, (xs.sum(axis=1, dtype=np.int32) + xs.sum(axis=1, dtype=np.int32)) * np.int32(3), xs - xs.sum(axis=1, dtype=np.int32)[:, None]
// structure: kernel.segmap 5, kernel.segred 1
// versions: kernel.segmap 8, kernel.segred 2
func.func @main(%xs: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %sums = array.map (%row in %xs : [n][m]i32) {
    %s = array.reduce (%row : [m]i32) init (%zero : i32) combine (%s, %t) {
      %u = arith.addi %s, %t : i32
      array.yield %u : i32
    }
    array.yield %s : i32
  } {mapping = #kernel.mapping<GridBlock(1, SplitLast(96, ShiftLB(Gen)))>}
  %twice = array.map (%row in %xs : [n][m]i32) {
    %r = array.map (%x in %row : [m]i32) {
      %y = arith.addi %x, %x : i32
      %z = arith.xori %y, %one : i32
      array.yield %z : i32
    }
    array.yield %r : [m]i32
  } {mapping = #kernel.mapping<GridBlock(1, SplitLast(64, Column(8, Gen)))>}
  %more = array.map (%s in %sums : [n]i32, %row in %xs : [n][m]i32) {
    %first = array.reduce (%row : [m]i32) init (%zero : i32) combine (%s1, %t) {
      %u = arith.addi %s1, %t : i32
      array.yield %u : i32
    }
    %w = arith.addi %s, %first : i32
    array.yield %w : i32
  }
  %thrice = array.map (%x in %more : [n]i32) {
    %y = arith.muli %x, %three : i32
    array.yield %y : i32
  } {mapping = #kernel.mapping<GridBlock(1, Serial(1, Split(0, 64, SplitLast(4, ShiftLB(Gen)))))>}
  %differences = array.map (%row in %xs : [n][m]i32) {
    %s = array.reduce (%row : [m]i32) init (%zero : i32) combine (%s, %t) {
      %u = arith.addi %s, %t : i32
      array.yield %u : i32
    }
    %r = array.map (%x in %row : [m]i32) {
      %y = arith.subi %x, %s : i32
      array.yield %y : i32
    } {mapping = #kernel.mapping<GridBlock(1, SplitLast(96, FoldLast2(Gen)))>}
    array.yield %r : [m]i32
  }
  func.return %sums, %twice, %thrice, %differences : !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>
}

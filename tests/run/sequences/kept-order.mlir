// run
// Compositions of affine functions along rows and along columns of a matrix of them: operands keep their order in both.
// inputs: random:NxM; random:NxM where N = 0 1 2 31 33 67; M = 0 1 31 33 131
// inputs: random:300x517; random:300x517
// structure: kernel.segred 2
// versions: kernel.segmap 4, kernel.segred 4
func.func @main(%as: !array.array<[n][m]i32>, %bs: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[m]i32>, !array.array<[m]i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %ra, %rb = array.map (%arow in %as : [n][m]i32, %brow in %bs : [n][m]i32) {
    %ca, %cb = array.reduce (%arow : [m]i32, %brow : [m]i32) init (%one : i32, %zero : i32) combine (%xa, %xb, %ya, %yb) {
      %a = arith.muli %xa, %ya : i32
      %t = arith.muli %xb, %ya : i32
      %b = arith.addi %t, %yb : i32
      array.yield %a, %b : i32, i32
    }
    array.yield %ca, %cb : i32, i32
  }
  %at = array.rearrange %as, [1, 0] : [n][m]i32
  %bt = array.rearrange %bs, [1, 0] : [n][m]i32
  %sa, %sb = array.map (%acol in %at : [m][n]i32, %bcol in %bt : [m][n]i32) {
    %ca, %cb = array.reduce (%acol : [n]i32, %bcol : [n]i32) init (%one : i32, %zero : i32) combine (%xa, %xb, %ya, %yb) {
      %a = arith.muli %xa, %ya : i32
      %t = arith.muli %xb, %ya : i32
      %b = arith.addi %t, %yb : i32
      array.yield %a, %b : i32, i32
    }
    array.yield %ca, %cb : i32, i32
  }
  func.return %ra, %rb, %sa, %sb : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[m]i32>, !array.array<[m]i32>
}

// run
// The lecture's example of map-loop interchange: j starts as one value and becomes one per row, returned too.
// inputs: [[1, 2], [3, 4]]; 4
// outputs: [[5, 6], [7, 8]]; [6, 6]
// inputs: random:NxM; K where N = 0 1 5; M = 0 1 33; K = 0 1 3
// structure: kernel.segmap 3
// versions: kernel.segmap 7
func.func @main(%xss: !array.array<[m][k]i32>, %n: index) -> (!array.array<[m][k]i32>, !array.array<[m]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %yss, %js = array.map (%xs in %xss : [m][k]i32) {
    %ys, %last = scf.for %i = %c0 to %n step %c1 iter_args(%xs1 = %xs, %j = %zero) -> (!array.array<[k]i32>, i32) {
      %new = array.map (%x in %xs1 : [k]i32) {
        %y = arith.addi %x, %j : i32
        array.yield %y : i32
      }
      %number = arith.index_cast %i : index to i32
      %next = arith.addi %j, %number : i32
      scf.yield %new, %next : !array.array<[k]i32>, i32
    }
    array.yield %ys, %last : [k]i32, i32
  }
  func.return %yss, %js : !array.array<[m][k]i32>, !array.array<[m]i32>
}

// run
// Bitonic sorting of rows of a power of two: two loops on the host around an exchange at a distance.
// inputs: [[3, 1, 4, 1], [9, 2, 6, 5]]; 2
// outputs: [[1, 1, 3, 4], [2, 5, 6, 9]]
// inputs: random:NxM; L where N = 0 1 5; M = 32; L = 5
// structure: kernel.segmap 1
// versions: kernel.segmap 5
// shapes: 3
func.func @main(%xss: !array.array<[n][m]i32>, %log: index) -> !array.array<[n][m]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = array.dim %xss, 1 : [n][m]i32
  %is = array.iota %m : [m]index
  %r = array.map (%xs in %xss : [n][m]i32) {
    %sorted = scf.for %k = %c0 to %log step %c1 iter_args(%a = %xs) -> (!array.array<[m]i32>) {
      %k1 = arith.addi %k, %c1 : index
      %merged = scf.for %j0 = %c0 to %k1 step %c1 iter_args(%b = %a) -> (!array.array<[m]i32>) {
        %j = arith.subi %k, %j0 : index
        %distance = arith.shli %c1, %j : index
        %next = array.map (%i in %is : [m]index, %own in %b : [m]i32) {
          %partner = arith.xori %i, %distance : index
          %other = array.index %b[%partner] : [m]i32
          %bit = arith.andi %i, %distance : index
          %lower = arith.cmpi eq, %bit, %c0 : index
          %part = arith.shrui %i, %k1 : index
          %parity = arith.andi %part, %c1 : index
          %up = arith.cmpi eq, %parity, %c0 : index
          %takes_min = arith.cmpi eq, %lower, %up : i1
          %min = arith.minsi %own, %other : i32
          %max = arith.maxsi %own, %other : i32
          %v = arith.select %takes_min, %min, %max : i32
          array.yield %v : i32
        }
        scf.yield %next : !array.array<[m]i32>
      }
      scf.yield %merged : !array.array<[m]i32>
    }
    array.yield %sorted : [m]i32
  }
  func.return %r : !array.array<[n][m]i32>
}

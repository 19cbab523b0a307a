// Loops and branches in nests: with bounds and conditions that are the same for all points, and with others.
func.func @main(%xss: !array.array<[n][m]i32>, %count: index, %flag: i1) -> (!array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // The lecture's informal example: (xs', j) = (xs, 0).
  %a, %b = array.map (%xs in %xss : [n][m]i32) {
    %ys, %j = scf.for %i = %c0 to %count step %c1 iter_args(%zs = %xs, %k = %zero) -> (!array.array<[m]i32>, i32) {
      %new = array.map (%z in %zs : [m]i32) {
        %s = arith.addi %z, %k : i32
        array.yield %s : i32
      }
      %ii = arith.index_cast %i : index to i32
      %next = arith.addi %k, %ii : i32
      scf.yield %new, %next : !array.array<[m]i32>, i32
    }
    array.yield %ys, %j : !array.array<[m]i32>, i32
  }
  %c = array.map (%xs in %xss : [n][m]i32) {
    %r = scf.if %flag -> (!array.array<[m]i32>) {
      %ps = array.scan (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
        %s = arith.addi %acc, %x : i32
        array.yield %s : i32
      }
      scf.yield %ps : !array.array<[m]i32>
    } else {
      scf.yield %xs : !array.array<[m]i32>
    }
    array.yield %r : !array.array<[m]i32>
  }
  // Bounds and conditions that differ between points: sequential.
  %d = array.map (%xs in %xss : [n][m]i32) {
    %sum = array.reduce (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    %mask = arith.constant 3 : i32
    %few = arith.andi %sum, %mask : i32
    %times = arith.index_cast %few : i32 to index
    %ys = scf.for %i = %c0 to %times step %c1 iter_args(%zs = %xs) -> (!array.array<[m]i32>) {
      %odd = arith.andi %few, %one : i32
      %is = arith.cmpi eq, %odd, %one : i32
      %new = scf.if %is -> (!array.array<[m]i32>) {
        %ps = array.scan (%zs : [m]i32) init (%zero : i32) combine (%acc, %z) {
          %s = arith.addi %acc, %z : i32
          array.yield %s : i32
        }
        scf.yield %ps : !array.array<[m]i32>
      } else {
        %ps = array.map (%z in %zs : [m]i32) {
          %s = arith.addi %z, %few : i32
          array.yield %s : i32
        }
        scf.yield %ps : !array.array<[m]i32>
      }
      scf.yield %new : !array.array<[m]i32>
    }
    %t = array.reduce (%ys : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    array.yield %t : i32
  }
  func.return %a, %b, %c, %d : !array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>
}

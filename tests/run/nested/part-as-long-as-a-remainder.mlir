// run
// The size of a part is a remainder of a sum that only the point knows: at most the extent of the row.
// inputs: [[1, 2, 3, -4, 5, 6, 7], [3, 1, 2, 9, 2, 1, 1]]; [1, 2]
// outputs: [-7, 11]
// inputs: random:NxM; random:N where N = 0 1 40; M = 0 1 33
// structure: kernel.seghist 0, kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = array.dim %xss, 1 : [n][m]i32
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %f = array.filter (%x in %xs : [m]i32) -> [?] {
      %c = arith.cmpi sgt, %x, %k : i32
      array.yield %c : i1
    }
    %s = array.reduce (%f : [?]i32) init (%zero : i32) combine arith.addi
    %i = arith.index_cast %s : i32 to index
    %d = arith.addi %m, %c1 : index
    %e = arith.remui %i, %d : index
    %p = array.slice %xs[%c0] sizes [%e] strides [%c1] : [m]i32 -> [?]i32
    %g = array.filter (%x in %p : [?]i32) -> [?] {
      %c = arith.cmpi ne, %x, %k : i32
      array.yield %c : i1
    }
    %t = array.reduce (%g : [?]i32) init (%zero : i32) combine arith.xori
    array.yield %t : i32
  }
  func.return %r : !array.array<[n]i32>
}

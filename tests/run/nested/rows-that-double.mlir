// run
// A matrix at each point that doubles in each step of a loop whose length the point decides, seven at most; its columns are summed.
// inputs: [0, 3, 1]; [5, 6, 7]
// inputs: [0, 3, 1]; []
// inputs: []; [1]
// inputs: [5, 0, 2, 2, 1]; random:13
// numpy: np.array([row * 2 ** (n & 7) for n in ns], dtype=np.int32).reshape(len(ns), len(row))
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ns: !array.array<[t]index>, %row: !array.array<[m]i32>) -> !array.array<[t][m]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %most = arith.constant 7 : index
  %D = array.map (%any in %ns : [t]index) {
    %n = arith.andi %any, %most : index
    %start = array.replicate %row, [%c1] : [m]i32 -> [?][m]i32
    %grown = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (!array.array<[?][m]i32>) {
      %b = array.concat %a, %a : [?][m]i32, [?][m]i32 -> [?][m]i32
      scf.yield %b : !array.array<[?][m]i32>
    }
    %turned = array.rearrange %grown, [1, 0] : [?][m]i32
    %d = array.map (%col in %turned : [m][?]i32) {
      %s = array.reduce (%col : [?]i32) init (%zero : i32) combine arith.addi
      array.yield %s : i32
    }
    array.yield %d : [m]i32
  }
  func.return %D : !array.array<[t][m]i32>
}

// run
// The last element of a scan of varying length: no array of it.
// inputs: [1, 2, 5]
// inputs: [0]
// inputs: random:N where N = 0
// numpy: np.array([n * (n - 1) // 2 for n in counts], dtype=np.int32)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%counts: !array.array<[t]index>) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %D = array.map (%n in %counts : [t]index) {
    %ks = array.iota %n : [?]i32
    %ms = array.scan (%ks : [?]i32) init (%zero : i32) combine arith.addi
    %some = arith.cmpi sgt, %n, %c0 : index
    %d = scf.if %some -> (i32) {
      %last = arith.subi %n, %c1 : index
      %e = array.index %ms[%last] : [?]i32
      scf.yield %e : i32
    } else {
      scf.yield %zero : i32
    }
    array.yield %d : i32
  }
  func.return %D : !array.array<[t]i32>
}

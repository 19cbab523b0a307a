// run
// A list at each point that gets an element in front where a number of another array is smaller, or stays as it is.
// inputs: [3, 0, -1, 9]; [1, 5, 2, 8, 0, 2, 2]
// inputs: []; [1, 2]
// inputs: [1, 2]; []
// inputs: random:300; random:17
// numpy: lists = [[y for y in ys if y < x][::-1] for x in xs]
// numpy: np.array([l[0] if l else 0 for l in lists], dtype=np.int32), np.array([len(l) for l in lists], dtype=np.int64)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[t]i32>, %ys: !array.array<[m]i32>) -> (!array.array<[t]i32>, !array.array<[t]index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = array.dim %ys, 0 : [m]i32
  %D, %E = array.map (%x in %xs : [t]i32) {
    %start = array.iota %c0 : [?]i32
    %grown = scf.for %i = %c0 to %m step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %y = array.index %ys[%i] : [m]i32
      %less = arith.cmpi slt, %y, %x : i32
      %next = scf.if %less -> (!array.array<[?]i32>) {
        %one = array.replicate %y, [%c1] : i32 -> [?]i32
        %b = array.concat %one, %a : [?]i32, [?]i32 -> [?]i32
        scf.yield %b : !array.array<[?]i32>
      } else {
        scf.yield %a : !array.array<[?]i32>
      }
      scf.yield %next : !array.array<[?]i32>
    }
    %n = array.dim %grown, 0 : [?]i32
    %some = arith.cmpi sgt, %n, %c0 : index
    %d = scf.if %some -> (i32) {
      %s = array.index %grown[%c0] : [?]i32
      scf.yield %s : i32
    } else {
      scf.yield %zero : i32
    }
    array.yield %d, %n : i32, index
  }
  func.return %D, %E : !array.array<[t]i32>, !array.array<[t]index>
}

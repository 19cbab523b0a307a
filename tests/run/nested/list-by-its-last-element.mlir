// run
// A list at each point that grows as its own last element says: its length is not known before the point runs, but how long it
// is at most.
// inputs: [0, 3, 1, 100, 17]; N where N = 0 1 3 8
// inputs: []; 2
// numpy: lists = [[x] for x in xs]
// numpy: for l in lists:
// numpy:   for i in range(k):
// numpy:     if l[-1] > 0: l.append(l[-1] // 2)
// numpy: np.array([sum(l) for l in lists], dtype=np.int32), np.array([len(l) for l in lists], dtype=np.int64)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[t]i32>, %k: index) -> (!array.array<[t]i32>, !array.array<[t]index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %D, %E = array.map (%x in %xs : [t]i32) {
    %start = array.replicate %x, [%c1] : i32 -> [?]i32
    %left = scf.for %i = %c0 to %k step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %len = array.dim %a, 0 : [?]i32
      %lastat = arith.subi %len, %c1 : index
      %last = array.index %a[%lastat] : [?]i32
      %more = arith.cmpi sgt, %last, %zero : i32
      %next = scf.if %more -> (!array.array<[?]i32>) {
        %two = arith.constant 2 : i32
        %h = arith.divsi %last, %two : i32
        %one = array.replicate %h, [%c1] : i32 -> [?]i32
        %b = array.concat %a, %one : [?]i32, [?]i32 -> [?]i32
        scf.yield %b : !array.array<[?]i32>
      } else {
        scf.yield %a : !array.array<[?]i32>
      }
      scf.yield %next : !array.array<[?]i32>
    }
    %d = array.reduce (%left : [?]i32) init (%zero : i32) combine arith.addi
    %n = array.dim %left, 0 : [?]i32
    array.yield %d, %n : i32, index
  }
  func.return %D, %E : !array.array<[t]i32>, !array.array<[t]index>
}

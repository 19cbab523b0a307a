// run
// Lists of all points get elements in two loops, the inner one as long as the outer one's counter says, then are joined or turned
// by a branch: no thread makes a list of its own.
// inputs: [2, -3, 7]; B; K where B = true false; K = 0 1 4
// numpy: n = k * (k - 1) // 2
// numpy: rows = np.array([[v * x for v in range(n)] for x in xs], dtype=np.int32).reshape(len(xs), n)
// numpy: rows = np.concatenate([rows, rows], axis=1) if b else rows[:, ::-1]
// numpy: rows.sum(axis=1, dtype=np.int32), rows
// structure: kernel.segmap 6, kernel.segred 2
// versions: kernel.segmap 6, kernel.segred 2
func.func @main(%xs: !array.array<[t]i32>, %b: i1, %k: index) -> (!array.array<[t]i32>, !array.array<[t][?]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %D, %E = array.map (%x in %xs : [t]i32) {
    %none = array.replicate %x, [%c0] : i32 -> [?]i32
    %rows = scf.for %i = %c0 to %k step %c1 iter_args(%a = %none) -> (!array.array<[?]i32>) {
      %inner = scf.for %j = %c0 to %i step %c1 iter_args(%c = %a) -> (!array.array<[?]i32>) {
        %n = array.dim %c, 0 : [?]i32
        %v = arith.index_cast %n : index to i32
        %w = arith.muli %v, %x : i32
        %one = array.replicate %w, [%c1] : i32 -> [?]i32
        %next = array.concat %c, %one : [?]i32, [?]i32 -> [?]i32
        scf.yield %next : !array.array<[?]i32>
      }
      scf.yield %inner : !array.array<[?]i32>
    }
    %either = scf.if %b -> (!array.array<[?]i32>) {
      %twice = array.concat %rows, %rows : [?]i32, [?]i32 -> [?]i32
      scf.yield %twice : !array.array<[?]i32>
    } else {
      %back = array.reverse %rows, 0 : [?]i32
      scf.yield %back : !array.array<[?]i32>
    }
    %d = array.reduce (%either : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d, %either : i32, !array.array<[?]i32>
  }
  func.return %D, %E : !array.array<[t]i32>, !array.array<[t][?]i32>
}

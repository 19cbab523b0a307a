// run
// A switch outside of maps, also in a loop and within another one: of arrays, of numbers, and of nothing.
// inputs: [1, 2, 3]; 0; 3
// inputs: [1, 2, 3]; 5; 3
// inputs: [1, 2, 3]; -1; 3
// inputs: []; 7; 0
// inputs: random:N; 5; 4 where N = 1 33
// numpy: v = [xs + xs, np.cumsum(xs), xs][[0, 5].index(w) if w in (0, 5) else 2].astype(np.int32)
// numpy: t = xs.copy()
// numpy: for i in range(rounds):
// numpy:     t = [t + 1, t * 2, t][min(i, 2)]
// numpy: s = 0 if w < 5 else int(xs.sum()) if rounds == 3 else 42
// numpy: v, t, np.int32(s)
// structure: kernel.segmap 3, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 3, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>, %w: index, %rounds: index) -> (!array.array<[n]i32>, !array.array<[n]i32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %many = arith.constant 42 : i32
  %v = "scf.index_switch"(%w) <{cases = array<i64: 0, 5>}> ({
    scf.yield %xs : !array.array<[n]i32>
  }, {
    %p = array.map (%x in %xs : [n]i32) {
      %y = arith.addi %x, %x : i32
      array.yield %y : i32
    }
    scf.yield %p : !array.array<[n]i32>
  }, {
    %p = array.scan (%xs : [n]i32) init (%zero : i32) combine arith.addi
    scf.yield %p : !array.array<[n]i32>
  }) : (index) -> !array.array<[n]i32>
  %t = scf.for %i = %c0 to %rounds step %c1 iter_args(%old = %xs) -> (!array.array<[n]i32>) {
    %new = "scf.index_switch"(%i) <{cases = array<i64: 0, 1>}> ({
      scf.yield %old : !array.array<[n]i32>
    }, {
      %p = array.map (%x in %old : [n]i32) {
        %y = arith.addi %x, %one : i32
        array.yield %y : i32
      }
      scf.yield %p : !array.array<[n]i32>
    }, {
      %p = array.map (%x in %old : [n]i32) {
        %y = arith.addi %x, %x : i32
        array.yield %y : i32
      }
      scf.yield %p : !array.array<[n]i32>
    }) : (index) -> !array.array<[n]i32>
    scf.yield %new : !array.array<[n]i32>
  }
  %big = arith.cmpi sge, %w, %c5 : index
  %s = scf.if %big -> (i32) {
    %inner = "scf.index_switch"(%rounds) <{cases = array<i64: 3>}> ({
      scf.yield %many : i32
    }, {
      %sum = array.reduce (%xs : [n]i32) init (%zero : i32) combine arith.addi
      scf.yield %sum : i32
    }) : (index) -> i32
    scf.yield %inner : i32
  } else {
    scf.yield %zero : i32
  }
  func.return %v, %t, %s : !array.array<[n]i32>, !array.array<[n]i32>, i32
}

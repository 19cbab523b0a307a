// run
// Loops whose bounds are data, in a map: none, one or many rounds, also from negative numbers.
// inputs: [5, 0, -3]; 0; 10; 1
// inputs: [5, -9]; -4; 3; 2
// inputs: []; 1; 0; 0
// inputs: [7]; 7; 7; 3
// numpy: def f(x):
// numpy:     a = 0
// numpy:     for i in range(lo, x, max(st, 1)): a = (a * 3 + i) % 2**64
// numpy:     return a - 2**64 if a >= 2**63 else a
// numpy: np.array([f(x) for x in xs], np.int64), np.int64(1 + sum(int(i) * int(i) for i in range(lo, hi, max(st, 1))))
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]index>, %lo: index, %hi: index, %st: index) -> (!array.array<[n]index>, index) {
  %v1 = arith.constant 1 : index
  %v2 = arith.maxsi %st, %v1 : index
  %v11 = array.map (%v3 in %xs : [n]index) {
    %v4 = arith.constant 0 : index
    %v10 = scf.for %v5 = %lo to %v3 step %v2 iter_args(%v6 = %v4) -> (index) {
      %v7 = arith.constant 3 : index
      %v8 = arith.muli %v6, %v7 : index
      %v9 = arith.addi %v8, %v5 : index
      scf.yield %v9 : index
    }
    array.yield %v10 : index
  }
  %v16 = scf.for %v12 = %lo to %hi step %v2 iter_args(%v13 = %v1) -> (index) {
    %v14 = arith.muli %v12, %v12 : index
    %v15 = arith.addi %v13, %v14 : index
    scf.yield %v15 : index
  }
  func.return %v11, %v16 : !array.array<[n]index>, index
}

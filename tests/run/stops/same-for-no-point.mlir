// run
// Reductions of parts that are the same for all iterations of a map: where there is no iteration, nothing is checked and nothing read.
// inputs: [1, 2]; [3, 4, 5]; 1; 2
// inputs: []; [3, 4, 5]; 2; 3
// inputs: []; [3, 4, 5]; -7000000; 9000000
// inputs: []; []; 0; 1
// inputs: [1, 2, 3]; []; 0; 0
// inputs: [1]; [3, 4, 5]; 1; 3
// error: @array.slice@ ... reach outside of dimension 0
// inputs: [7]; [3, 4, 5]; 3; 1
// error: @array.slice@ ... reach outside of dimension 0
// numpy: s = ys[k:k + l].sum(dtype=np.int32) if len(xs) else 0
// numpy: b = sum(ys[k - i] for i in range(l)) if len(xs) else 0
// numpy: (xs + s).astype(np.int32), (xs + b).astype(np.int32)
// structure: kernel.segmap 1, kernel.segred 2
// versions: kernel.segmap 3, kernel.segred 4
// shapes: 5
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>, %k: index, %l: index) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : index
  %back = arith.constant -1 : index
  %sums = array.map (%x in %xs : [n]i32) {
    %part = array.slice %ys[%k] sizes [%l] strides [%one] : [m]i32 -> [?]i32
    %sum = array.reduce (%part : [?]i32) init (%zero : i32) combine arith.addi
    %r = arith.addi %x, %sum : i32
    array.yield %r : i32
  }
  %counted = array.map (%x in %xs : [n]i32) {
    %part = array.slice %ys[%k] sizes [%l] strides [%back] : [m]i32 -> [?]i32
    %sum = array.reduce (%part : [?]i32) init (%zero : i32) combine arith.addi
    %r = arith.addi %x, %sum : i32
    array.yield %r : i32
  }
  func.return %sums, %counted : !array.array<[n]i32>, !array.array<[n]i32>
}

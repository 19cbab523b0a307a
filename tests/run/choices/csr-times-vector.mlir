// run
// Rows of a sparse matrix as parts of two arrays, some empty, times a vector; the largest of them, and their number.
// inputs: [0, 2, 2, 3]; [1, 0, 2]; [2.0, 3.0, 4.0]; [1.0, 2.0, 3.0]
// inputs: [0]; []; []; [1.0]
// inputs: [0, 0, 0]; []; []; [1.0]
// inputs: [0, 1, 2, 3, 3, 6]; [0, 0, 1, 1, 2, 0]; [1.0, -2.0, 3.0, -4.0, 5.0, -6.0]; [1.0, 2.0, 3.0]
// inputs: [0, 2, 1]; [1, 0, 2]; [2.0, 3.0, 4.0]; [1.0, 2.0, 3.0]
// error: @array.slice %cols@ ... a size cannot be -1
// inputs: [0, 4]; [1, 0, 2]; [2.0, 3.0, 4.0]; [1.0, 2.0, 3.0]
// error: @array.slice %cols@ ... 4 elements from index 0 on reach outside
// inputs: [0, 2]; [1, 3]; [2.0, 3.0]; [1.0, 2.0, 3.0]
// error: @array.index %xs@ ... index 3 is out of range for dimension 0
// numpy: rows = [vals[starts[i]:starts[i + 1]] * xs[cols[starts[i]:starts[i + 1]]] for i in range(len(starts) - 1)]
// numpy: sums = np.array([r.sum() for r in rows], dtype=np.float32)
// numpy: (sums, np.array([r.max() if len(r) else -np.inf for r in rows], dtype=np.float32))
// structure: kernel.segmap 1
// versions: kernel.segmap 5, kernel.segred 1, kernel.segscan 3
// shapes: 6
func.func @main(%starts: !array.array<[r]index>, %cols: !array.array<[z]index>, %vals: !array.array<[z]f32>, %xs: !array.array<[c]f32>) -> (!array.array<[?]f32>, !array.array<[?]f32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %r = array.dim %starts, 0 : [r]index
  %n = arith.subi %r, %c1 : index
  %is = array.iota %n : [?]index
  %sums, %most = array.map (%i in %is : [?]index) {
    %from = array.index %starts[%i] : [r]index
    %next = arith.addi %i, %c1 : index
    %to = array.index %starts[%next] : [r]index
    %len = arith.subi %to, %from : index
    %own = array.slice %cols[%from] sizes [%len] strides [%c1] : [z]index -> [?]index
    %factors = array.slice %vals[%from] sizes [%len] strides [%c1] : [z]f32 -> [?]f32
    %sum, %max = array.redomap (%col in %own : [?]index, %v in %factors : [?]f32) init (%zero : f32, %lowest : f32) map {
      %x = array.index %xs[%col] : [c]f32
      %y = arith.mulf %x, %v : f32
      array.yield %y, %y : f32, f32
    } combine (%a, %b, %d, %e) {
      %s = arith.addf %a, %d : f32
      %t = arith.maximumf %b, %e : f32
      array.yield %s, %t : f32, f32
    }
    array.yield %sum, %max : f32, f32
  }
  func.return %sums, %most : !array.array<[?]f32>, !array.array<[?]f32>
}

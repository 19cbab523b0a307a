// run
// Rows of lengths that only their points know: a thread for each, or flattened, by thresholds.
// inputs: [0, 2, 2, 5]; [1, 2, 3, 4, 5]
// inputs: [0]; [1]
// inputs: [1, 3, 4]; random:9
// numpy: np.array([val[a:b].sum(dtype=np.float32) for a, b in zip(ptr, ptr[1:])], dtype=np.float32)
// structure: kernel.segmap 1
// shapes: 6
// versions: kernel.segmap 5, kernel.segred 1, kernel.segscan 3
func.func @main(%ptr: !array.array<[p]index>, %val: !array.array<[nnz]f32>) -> !array.array<[?]f32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %p = array.dim %ptr, 0 : [p]index
  %r = arith.subi %p, %c1 : index
  %rows = array.iota %r : [?]index
  %y = array.map (%i in %rows : [?]index) {
    %next = arith.addi %i, %c1 : index
    %from = array.index %ptr[%i] : [p]index
    %to = array.index %ptr[%next] : [p]index
    %count = arith.subi %to, %from : index
    %part = array.slice %val[%from] sizes [%count] strides [%c1] : [nnz]f32 -> [?]f32
    %s = array.reduce (%part : [?]f32) init (%zero : f32) combine arith.addf
    array.yield %s : f32
  }
  func.return %y : !array.array<[?]f32>
}

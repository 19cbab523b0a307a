// run
// Seven dimensions with a step and a width in each, two partitions that overlap, by sizes of the run.
// inputs: A; B; C; D; E; F; G where A = 3 4; B = 2; C = 5; D = 3; E = 1 4; F = 3; G = 5 6
// inputs: 0; 2; 3; 2; 2; 2; 2
// inputs: 1; 1; 1; 1; 1; 1; 1
// numpy: i = np.indices((a, b, c, d, e, f, g))
// numpy: low = (np.array([0, 0, 1, 0, 0, 1, 0])).reshape(7, 1, 1, 1, 1, 1, 1, 1)
// numpy: p = ((i >= low) & ((i - low) % np.array([2, 2, 2, 2, 3, 2, 3]).reshape(7, 1, 1, 1, 1, 1, 1, 1) < np.array([1, 1, 1, 1, 2, 1, 2]).reshape(7, 1, 1, 1, 1, 1, 1, 1))).all(axis=0)
// numpy: q = (i % np.array([3, 2, 4, 2, 2, 3, 4]).reshape(7, 1, 1, 1, 1, 1, 1, 1) < np.array([2, 1, 3, 1, 1, 2, 3]).reshape(7, 1, 1, 1, 1, 1, 1, 1)).all(axis=0)
// numpy: w = (i * np.array([1, 10, 100, 1000, 10000, 100000, 1000000]).reshape(7, 1, 1, 1, 1, 1, 1, 1)).sum(axis=0)
// numpy: np.where(q, -w - 1, np.where(p, w, -7)).astype(np.int32)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %g: index) -> !array.array<[?][?][?][?][?][?][?]i32> {
  %none = arith.constant -7 : i32
  %minus = arith.constant -1 : i32
  %c10 = arith.constant 10 : index
  %r = array.with_loop genarray [%a, %b, %c, %d, %e, %f, %g] default (%none : i32) partition ([0, 0, 1, 0, 0, 1, 0] <= (%i0, %i1, %i2, %i3, %i4, %i5, %i6) < [%a, %b, %c, %d, %e, %f, %g] step [2, 2, 2, 2, 3, 2, 3] width [1, 1, 1, 1, 2, 1, 2]) {
    %s5 = arith.muli %i6, %c10 : index
    %t5 = arith.addi %s5, %i5 : index
    %s4 = arith.muli %t5, %c10 : index
    %t4 = arith.addi %s4, %i4 : index
    %s3 = arith.muli %t4, %c10 : index
    %t3 = arith.addi %s3, %i3 : index
    %s2 = arith.muli %t3, %c10 : index
    %t2 = arith.addi %s2, %i2 : index
    %s1 = arith.muli %t2, %c10 : index
    %t1 = arith.addi %s1, %i1 : index
    %s0 = arith.muli %t1, %c10 : index
    %t0 = arith.addi %s0, %i0 : index
    %w = arith.index_cast %t0 : index to i32
    array.yield %w : i32
  } partition ((%i0, %i1, %i2, %i3, %i4, %i5, %i6) < [%a, %b, %c, %d, %e, %f, %g] step [3, 2, 4, 2, 2, 3, 4] width [2, 1, 3, 1, 1, 2, 3]) {
    %s5 = arith.muli %i6, %c10 : index
    %t5 = arith.addi %s5, %i5 : index
    %s4 = arith.muli %t5, %c10 : index
    %t4 = arith.addi %s4, %i4 : index
    %s3 = arith.muli %t4, %c10 : index
    %t3 = arith.addi %s3, %i3 : index
    %s2 = arith.muli %t3, %c10 : index
    %t2 = arith.addi %s2, %i2 : index
    %s1 = arith.muli %t2, %c10 : index
    %t1 = arith.addi %s1, %i1 : index
    %s0 = arith.muli %t1, %c10 : index
    %t0 = arith.addi %s0, %i0 : index
    %w = arith.index_cast %t0 : index to i32
    %v = arith.subi %minus, %w : i32
    array.yield %v : i32
  } : [?][?][?][?][?][?][?]i32
  func.return %r : !array.array<[?][?][?][?][?][?][?]i32>
}

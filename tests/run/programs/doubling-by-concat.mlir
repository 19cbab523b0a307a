// run
// Arrays that grow in loops at the top level: doubled, grown by one, halved.
// inputs: 7; K where K = 0 1 2 7
// numpy: a = np.array([x], np.int32)
// numpy: for i in range(k):
// numpy:     a = np.concatenate([a, a[::-1] + i])
// numpy: b = np.zeros(0, np.int32)
// numpy: for i in range(k):
// numpy:     b = np.append(b, np.int32(i * i))
// numpy: c = a
// numpy: while len(c) > 3:
// numpy:     c = c[::2] + c[1::2]
// numpy: a, b, c, len(a)
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%x: i32, %k: i32) -> (!array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?]i32>, i64) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %0 = arith.index_cast %k : i32 to index
  %1 = array.replicate %x, [%c1] : i32 -> [?]i32
  %7 = scf.for %i = %c0 to %0 step %c1 iter_args(%a = %1) -> (!array.array<[?]i32>) {
    %2 = arith.index_cast %i : index to i32
    %3 = array.reverse %a, 0 : [?]i32
    %5 = array.map (%v in %3 : [?]i32) {
      %4 = arith.addi %v, %2 : i32
      array.yield %4 : i32
    }
    %6 = array.concat %a, %5 : [?]i32, [?]i32 -> [?]i32
    scf.yield %6 : !array.array<[?]i32>
  }
  %8 = array.replicate %x, [%c0] : i32 -> [?]i32
  %13 = scf.for %i_1 = %c0 to %0 step %c1 iter_args(%b = %8) -> (!array.array<[?]i32>) {
    %9 = arith.index_cast %i_1 : index to i32
    %10 = arith.muli %9, %9 : i32
    %11 = array.replicate %10, [%c1] : i32 -> [?]i32
    %12 = array.concat %b, %11 : [?]i32, [?]i32 -> [?]i32
    scf.yield %12 : !array.array<[?]i32>
  }
  %22 = scf.while (%c = %7) : (!array.array<[?]i32>) -> (!array.array<[?]i32>) {
    %14 = array.dim %c, 0 : [?]i32
    %15 = arith.cmpi sgt, %14, %c3 : index
    scf.condition(%15) %c : !array.array<[?]i32>
  } do {
  ^bb0(%c_1: !array.array<[?]i32>):
    %16 = array.dim %c_1, 0 : [?]i32
    %17 = arith.divui %16, %c2 : index
    %18 = array.slice %c_1[%c0] sizes [%17] strides [%c2] : [?]i32 -> [?]i32
    %19 = array.slice %c_1[%c1] sizes [%17] strides [%c2] : [?]i32 -> [?]i32
    %21 = array.map (%p in %18 : [?]i32, %q in %19 : [?]i32) {
      %20 = arith.addi %p, %q : i32
      array.yield %20 : i32
    }
    scf.yield %21 : !array.array<[?]i32>
  }
  %23 = array.dim %7, 0 : [?]i32
  %24 = arith.index_cast %23 : index to i64
  func.return %7, %13, %22, %24 : !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?]i32>, i64
}

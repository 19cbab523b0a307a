// run
// Several rounds of k-means: nearest centre by a reduction of pairs, sums and counts by one histogram, empty clusters
// kept.
// inputs: random:NxD; random:KxD; R where N = 0 1 40; D = 1 3; K = 1 4; R = 0 2
// numpy: points, centres = points.astype(np.float64), centres.astype(np.float64)
// numpy: for _ in range(rounds):
// numpy:     nearest = [int(np.argmin([((p - c) ** 2).sum() for c in centres])) for p in points]
// numpy:     new = centres.copy()
// numpy:     for c in range(len(centres)):
// numpy:         mine = points[[i for i, near in enumerate(nearest) if near == c]]
// numpy:         if len(mine):
// numpy:             new[c] = mine.mean(axis=0)
// numpy:     centres = new
// numpy: centres.astype(np.float32)
// structure: kernel.seghist 2, kernel.segmap 4, kernel.segred 1
// versions: kernel.seghist 2, kernel.segmap 7, kernel.segred 5
func.func @main(%points: !array.array<[n][d]f32>, %centres: !array.array<[k][d]f32>, %rounds: i32) -> !array.array<[k][d]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_f32 = arith.constant 0.0 : f32
  %cinf_f32 = arith.constant 0x7F800000 : f32
  %c2147483647_i32 = arith.constant 2147483647 : i32
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %0 = array.dim %centres, 0 : [k][d]f32
  %1 = array.dim %centres, 1 : [k][d]f32
  %2 = array.iota %0 : [k]i32
  %3 = arith.index_cast %rounds : i32 to index
  %37 = scf.for %r = %c0 to %3 step %c1 iter_args(%centres_1 = %centres) -> (!array.array<[k][d]f32>) {
    %19 = array.map (%p in %points : [n][d]f32) {
      %9 = array.map (%c in %centres_1 : [k][d]f32) {
        %8 = array.redomap (%x in %p : [d]f32, %y in %c : [d]f32) init (%c0_f32 : f32) map {
          %4 = arith.subf %x, %y : f32
          %5 = arith.subf %x, %y : f32
          %6 = arith.mulf %4, %5 : f32
          array.yield %6 : f32
        } combine (%a, %b) {
          %7 = arith.addf %a, %b : f32
          array.yield %7 : f32
        }
        array.yield %8 : f32
      }
      %17, %18 = array.reduce (%9 : [k]f32, %2 : [k]i32) init (%cinf_f32 : f32, %c2147483647_i32 : i32) combine (%da, %ia, %db, %ib) {
        %10 = arith.cmpf olt, %db, %da : f32
        %11 = arith.cmpf oeq, %db, %da : f32
        %12 = arith.cmpi slt, %ib, %ia : i32
        %13 = arith.andi %11, %12 : i1
        %14 = arith.ori %10, %13 : i1
        %15 = arith.select %14, %db, %da : f32
        %16 = arith.select %14, %ib, %ia : i32
        array.yield %15, %16 : f32, i32
      }
      array.yield %18 : i32
    }
    %20 = array.replicate %c0_f32, [%0, %1] : f32 -> [k][d]f32
    %21 = array.replicate %c0_f32, [%1] : f32 -> [d]f32
    %25 = array.hist (%i in %19 : [n]i32, %p_1 in %points : [n][d]f32) into (%20 : [k][d]f32) neutral (%21 : [d]f32) map {
      %22 = arith.index_cast %i : i32 to index
      array.yield %22, %p_1 : index, !array.array<[d]f32>
    } combine (%a_1, %b_1) {
      %24 = array.map (%x_1 in %a_1 : [d]f32, %y_1 in %b_1 : [d]f32) {
        %23 = arith.addf %x_1, %y_1 : f32
        array.yield %23 : f32
      }
      array.yield %24 : !array.array<[d]f32>
    }
    %26 = array.replicate %c0_i32, [%0] : i32 -> [k]i32
    %29 = array.hist (%i_1 in %19 : [n]i32) into (%26 : [k]i32) neutral (%c0_i32 : i32) map {
      %27 = arith.index_cast %i_1 : i32 to index
      array.yield %27, %c1_i32 : index, i32
    } combine (%a_2, %b_2) {
      %28 = arith.addi %a_2, %b_2 : i32
      array.yield %28 : i32
    }
    %36 = array.map (%s in %25 : [k][d]f32, %c_1 in %29 : [k]i32, %old in %centres_1 : [k][d]f32) {
      %30 = arith.cmpi sgt, %c_1, %c0_i32 : i32
      %31 = arith.maxsi %c_1, %c1_i32 : i32
      %32 = arith.sitofp %31 : i32 to f32
      %35 = array.map (%x_2 in %s : [d]f32, %o in %old : [d]f32) {
        %33 = arith.divf %x_2, %32 : f32
        %34 = arith.select %30, %33, %o : f32
        array.yield %34 : f32
      }
      array.yield %35 : !array.array<[d]f32>
    }
    scf.yield %36 : !array.array<[k][d]f32>
  }
  func.return %37 : !array.array<[k][d]f32>
}

// run
// For each point the nearest of others and which one it is, by squares of distances: a sum in a search, two accumulators.
// inputs: random:NxD; random:MxD where N = 1 33 300; M = 1 20; D = 1 3 17
// inputs: random:5x0; random:4x0
// inputs: random:5x2; random:0x2
// inputs: random:0x2; random:3x2
// numpy: d = ((xss[:, None] - yss[None]) ** 2).sum(2, dtype=np.float32)
// numpy: d.min(1, initial=np.inf), d.argmin(1).astype(np.int32) if len(yss) else np.full(len(xss), 2147483647, np.int32)
// structure: kernel.segred 1
// versions: kernel.segmap 6, kernel.segred 5
func.func @main(%xss: !array.array<[n][d]f32>, %yss: !array.array<[m][d]f32>) -> (!array.array<[n]f32>, !array.array<[n]i32>) {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 0x7F800000 : f32
  %none = arith.constant 2147483647 : i32
  %m = array.dim %yss, 0 : [m][d]f32
  %numbers = array.iota %m : [m]i32
  %r:2 = array.map (%xs in %xss : [n][d]f32) {
    %v:2 = array.redomap (%ys in %yss : [m][d]f32, %j in %numbers : [m]i32) init (%most : f32, %none : i32) map {
      %dist = array.redomap (%x in %xs : [d]f32, %y in %ys : [d]f32) init (%zero : f32) map {
        %e = arith.subf %x, %y : f32
        %q = arith.mulf %e, %e : f32
        array.yield %q : f32
      } combine arith.addf
      array.yield %dist, %j : f32, i32
    } combine (%bx, %bi, %x, %i) {
      %less = arith.cmpf olt, %bx, %x : f32
      %equal = arith.cmpf oeq, %bx, %x : f32
      %before = arith.cmpi slt, %bi, %i : i32
      %tie = arith.andi %equal, %before : i1
      %left = arith.ori %less, %tie : i1
      %a = arith.select %left, %bx, %x : f32
      %b = arith.select %left, %bi, %i : i32
      array.yield %a, %b : f32, i32
    }
    array.yield %v#0, %v#1 : f32, i32
  }
  func.return %r#0, %r#1 : !array.array<[n]f32>, !array.array<[n]i32>
}

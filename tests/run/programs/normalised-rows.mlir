// run
// Normalisation of rows by mean and variance, with a scale and a shift per column.
// inputs: [[1.0, 2.0, 3.0]]; [1.0, 1.0, 2.0]; [0.0, 1.0, 0.0]
// outputs: [[-1.22473562, 1.0, 2.44947124]]
// inputs: random:NxM; random:M; random:M where N = 0 1 5; M = 1 33 1025
// structure: kernel.segmap 2, kernel.segred 2
// versions: kernel.segmap 5, kernel.segred 4
func.func @main(%xss: !array.array<[n][m]f32>, %gamma: !array.array<[m]f32>, %beta: !array.array<[m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %m = array.dim %xss, 1 : [n][m]f32
  %mi = arith.index_cast %m : index to i32
  %mf = arith.sitofp %mi : i32 to f32
  %r = array.map (%xs in %xss : [n][m]f32) {
    %sum = array.reduce (%xs : [m]f32) init (%zero : f32) combine (%acc, %x) {
      %s = arith.addf %acc, %x : f32
      array.yield %s : f32
    }
    %mean = arith.divf %sum, %mf : f32
    %squares = array.redomap (%x in %xs : [m]f32) init (%zero : f32) map {
      %d = arith.subf %x, %mean : f32
      %q = arith.mulf %d, %d : f32
      array.yield %q : f32
    } combine arith.addf
    %var = arith.divf %squares, %mf : f32
    %safe = arith.addf %var, %eps : f32
    %inv = math.rsqrt %safe : f32
    %ys = array.map (%x in %xs : [m]f32, %g in %gamma : [m]f32, %b in %beta : [m]f32) {
      %d = arith.subf %x, %mean : f32
      %u = arith.mulf %d, %inv : f32
      %v = arith.mulf %u, %g : f32
      %y = arith.addf %v, %b : f32
      array.yield %y : f32
    }
    array.yield %ys : [m]f32
  }
  func.return %r : !array.array<[n][m]f32>
}

// run
// Scaled rows summed: a sum of each column, and no matrix between.
// inputs: random:MxN; random:M where M = 0 1 31 67; N = 0 1 33 131
// inputs: random:300x517; random:300
// numpy: x @ a
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[m][n]f32>, %x: !array.array<[m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %a, 1 : [m][n]f32
  %zeros = array.replicate %zero, [%n] : f32 -> [n]f32
  %y = array.redomap (%row in %a : [m][n]f32, %f in %x : [m]f32) init (%zeros : [n]f32) map {
    %scaled = array.map (%e in %row : [n]f32) {
      %p = arith.mulf %e, %f : f32
      array.yield %p : f32
    }
    array.yield %scaled : [n]f32
  } combine (%s, %t) {
    %sum = array.map (%u in %s : [n]f32, %v in %t : [n]f32) arith.addf
    array.yield %sum : [n]f32
  }
  func.return %y : !array.array<[n]f32>
}

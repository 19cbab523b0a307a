// pass: builtin.module(schedule-stencils{blocks=1 tiles=false},canonicalize,cse)
// Without tiles every point reads its neighbours itself, as many points as there are.
func.func @cross(%xs: tensor<?x?xf32>, %zero: f32) -> tensor<?x?xf32> {
  %n = kernel.dim %xs, 0 : tensor<?x?xf32>
  %m = kernel.dim %xs, 1 : tensor<?x?xf32>
  %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %a = kernel.near %xs[%i, %j] outside else %zero : f32 {offsets = array<i64: -1, 0>} : tensor<?x?xf32>
    %b = kernel.near %xs[%i, %j] outside else %zero : f32 {offsets = array<i64: 0, 2>} : tensor<?x?xf32>
    %c = kernel.near %xs[%i, %j] inside {offsets = array<i64: 0, 0>} : tensor<?x?xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %c, %d : f32
    kernel.return %e : f32
  }
  func.return %ys : tensor<?x?xf32>
}

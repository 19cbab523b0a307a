// pass: builtin.module(schedule-stencils{blocks=1 tiles=false},canonicalize,cse)
// Without tiles every point reads its neighbours itself, as many points as there are.
func.func @cross(%xs: tensor<?x?xf32>, %zero: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
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
// ===== expected
builtin.module {
  func.func @cross(%xs: tensor<?x?xf32>, %zero: f32) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c-1 = arith.constant -1 : index
    %c2 = arith.constant 2 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %0 = arith.addi %i, %c-1 : index
      %1 = arith.subi %n, %c1 : index
      %2 = arith.maxsi %0, %c0 : index
      %3 = arith.minsi %2, %1 : index
      %4 = tensor.extract %xs[%3, %j] : tensor<?x?xf32>
      %5 = arith.cmpi ult, %0, %n : index
      %6 = arith.select %5, %4, %zero : f32
      %7 = arith.addi %j, %c2 : index
      %8 = arith.subi %m, %c1 : index
      %9 = arith.maxsi %7, %c0 : index
      %10 = arith.minsi %9, %8 : index
      %11 = tensor.extract %xs[%i, %10] : tensor<?x?xf32>
      %12 = arith.cmpi ult, %7, %m : index
      %13 = arith.select %12, %11, %zero : f32
      %14 = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      %d = arith.addf %6, %13 : f32
      %e = arith.addf %14, %d : f32
      kernel.return %e : f32
    }
    func.return %ys : tensor<?x?xf32>
  }
}

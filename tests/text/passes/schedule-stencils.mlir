// pass: builtin.module(schedule-stencils)
// Reads of neighbours become reads at indices that the rule gives; one that moves along one dimension keeps the others.
func.func @rules(%xs: tensor<?x?xf32>, %zero: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %a = kernel.near %xs[%i, %j] mirror {offsets = array<i64: 0, -1>} : tensor<?x?xf32>
    %b = kernel.near %xs[%i, %j] outside else %zero : f32 {offsets = array<i64: 1, 0>} : tensor<?x?xf32>
    %c = kernel.near %xs[%i, %j] inside {offsets = array<i64: 0, 0>} : tensor<?x?xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %c, %d : f32
    kernel.return %e : f32
  }
  func.return %ys : tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @rules(%xs: tensor<?x?xf32>, %zero: f32) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %c1_0 = arith.constant 1 : index
      %0 = tensor.dim %xs, %c1_0 : tensor<?x?xf32>
      %c-1 = arith.constant -1 : index
      %1 = arith.addi %j, %c-1 : index
      %c1_1 = arith.constant 1 : index
      %2 = arith.subi %0, %c1_1 : index
      %3 = arith.addi %2, %2 : index
      %4 = arith.maxsi %3, %c1_1 : index
      %5 = arith.remsi %1, %4 : index
      %c0_2 = arith.constant 0 : index
      %6 = arith.cmpi slt, %5, %c0_2 : index
      %7 = arith.addi %5, %4 : index
      %8 = arith.select %6, %7, %5 : index
      %9 = arith.subi %3, %8 : index
      %10 = arith.minsi %8, %9 : index
      %11 = tensor.extract %xs[%i, %10] : tensor<?x?xf32>
      %c0_3 = arith.constant 0 : index
      %12 = tensor.dim %xs, %c0_3 : tensor<?x?xf32>
      %c1_4 = arith.constant 1 : index
      %13 = arith.addi %i, %c1_4 : index
      %c1_5 = arith.constant 1 : index
      %c0_6 = arith.constant 0 : index
      %14 = arith.subi %12, %c1_5 : index
      %15 = arith.maxsi %13, %c0_6 : index
      %16 = arith.minsi %15, %14 : index
      %17 = tensor.extract %xs[%16, %j] : tensor<?x?xf32>
      %18 = arith.cmpi ult, %13, %12 : index
      %19 = arith.select %18, %17, %zero : f32
      %20 = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      %d = arith.addf %11, %19 : f32
      %e = arith.addf %20, %d : f32
      kernel.return %e : f32
    }
    func.return %ys : tensor<?x?xf32>
  }
}

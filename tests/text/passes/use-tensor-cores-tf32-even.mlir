// pass: builtin.module(use-tensor-cores{allow-tf32 oldest=90})
// Where all targets have an instruction for it, ties go to even.
func.func @plain(%as: tensor<16x32xf32>, %bs: tensor<32x16xf32>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf32>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf32>
        %xy = arith.mulf %a, %b : f32
        %next = arith.addf %c, %xy : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// ===== expected
builtin.module {
  func.func @plain(%as: tensor<16x32xf32>, %bs: tensor<32x16xf32>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread contract registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf32>
          %0 = arith.truncf %a to_nearest_even : f32 to tf32
          %1 = arith.extf %0 : tf32 to f32
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf32>
          %2 = arith.truncf %b to_nearest_even : f32 to tf32
          %3 = arith.extf %2 : tf32 to f32
          %xy = arith.mulf %1, %3 : f32
          %next = arith.addf %c, %xy : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<16x16xf32>
    }
    func.return %r : tensor<?x16x16xf32>
  }
}

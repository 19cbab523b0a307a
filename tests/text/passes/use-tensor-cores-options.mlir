// pass: builtin.module(use-tensor-cores{any-order oldest=80})
// Where the order of sums is free, and all chips multiply bf16.
func.func @brain(%as: tensor<16x32xbf16>, %bs: tensor<32x16xbf16>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xbf16>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xbf16>
        %x = arith.extf %a : bf16 to f32
        %y = arith.extf %b : bf16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy  : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// Products of halves that are rounded by themselves stay: their sum's order is free, but tensor cores round them with the sum.
func.func @half_sums(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf16> {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf16>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf16>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f16) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
        %xy = arith.mulf %a, %b : f16
        %next = arith.addf %c, %xy : f16
        scf.yield %next : f16
      }
      kernel.return %sum : f16
    }
    kernel.return %s : tensor<16x16xf16>
  }
  func.return %r : tensor<?x16x16xf16>
}
// ===== expected
builtin.module {
  func.func @brain(%as: tensor<16x32xbf16>, %bs: tensor<32x16xbf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread contract registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xbf16>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xbf16>
          %x = arith.extf %a : bf16 to f32
          %y = arith.extf %b : bf16 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<16x16xf32>
    }
    func.return %r : tensor<?x16x16xf32>
  }
  func.func @half_sums(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf16> {
    %zero = arith.constant 0.000000e+00 : f16
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf16>) {
      %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf16>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f16) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
          %xy = arith.mulf %a, %b : f16
          %next = arith.addf %c, %xy : f16
          scf.yield %next : f16
        }
        kernel.return %sum : f16
      }
      kernel.return %s : tensor<16x16xf16>
    }
    func.return %r : tensor<?x16x16xf16>
  }
}

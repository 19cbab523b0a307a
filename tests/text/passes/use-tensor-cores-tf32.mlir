// pass: builtin.module(use-tensor-cores{allow-tf32})
// Factors of f32 are rounded where that is allowed and tensor cores make the sums; ties go away from zero.
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
// As the program rounds them already.
func.func @even(%as: tensor<16x32xf32>, %bs: tensor<32x16xf32>, %n: index) -> tensor<?x16x16xf32> {
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
        %xt = arith.truncf %a : f32 to tf32
        %x = arith.extf %xt : tf32 to f32
        %yt = arith.truncf %b : f32 to tf32
        %y = arith.extf %yt : tf32 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// Tensor cores do not round so.
func.func @zero(%as: tensor<16x32xf32>, %bs: tensor<32x16xf32>, %n: index) -> tensor<?x16x16xf32> {
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
        %xt = arith.truncf %a toward_zero : f32 to tf32
        %x = arith.extf %xt : tf32 to f32
        %yt = arith.truncf %b toward_zero : f32 to tf32
        %y = arith.extf %yt : tf32 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// There is nothing to round in f64 for.
func.func @doubles(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf64>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
        %xy = arith.mulf %a, %b : f64
        %next = arith.addf %c, %xy : f64
        scf.yield %next : f64
      }
      kernel.return %sum : f64
    }
    kernel.return %s : tensor<16x16xf64>
  }
  func.return %r : tensor<?x16x16xf64>
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
      %s = kernel.segmap thread contract since 80 registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf32>
          %0 = arith.truncf %a to_nearest_away : f32 to tf32
          %1 = arith.extf %0 : tf32 to f32
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf32>
          %2 = arith.truncf %b to_nearest_away : f32 to tf32
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
  func.func @even(%as: tensor<16x32xf32>, %bs: tensor<32x16xf32>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread contract since 80 registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf32>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf32>
          %xt = arith.truncf %a : f32 to tf32
          %x = arith.extf %xt : tf32 to f32
          %yt = arith.truncf %b : f32 to tf32
          %y = arith.extf %yt : tf32 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<16x16xf32>
    }
    func.return %r : tensor<?x16x16xf32>
  }
  func.func @zero(%as: tensor<16x32xf32>, %bs: tensor<32x16xf32>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf32>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf32>
          %xt = arith.truncf %a toward_zero : f32 to tf32
          %x = arith.extf %xt : tf32 to f32
          %yt = arith.truncf %b toward_zero : f32 to tf32
          %y = arith.extf %yt : tf32 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<16x16xf32>
    }
    func.return %r : tensor<?x16x16xf32>
  }
  func.func @doubles(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
    %zero = arith.constant 0.000000e+00 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
      %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf64>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
          %xy = arith.mulf %a, %b : f64
          %next = arith.addf %c, %xy : f64
          scf.yield %next : f64
        }
        kernel.return %sum : f64
      }
      kernel.return %s : tensor<16x16xf64>
    }
    func.return %r : tensor<?x16x16xf64>
  }
}

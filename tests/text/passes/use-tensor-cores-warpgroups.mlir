// pass: builtin.module(use-tensor-cores{oldest=90 warpgroups})
// On sm_90a four warps multiply what lies in shared memory: the first matrix by rows of the depth, the second one either way.
func.func @product(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
    %s = kernel.segmap thread registers [4, 4] runs [1, 4] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<64x64xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<64x64xf32>
  }
  func.return %r : tensor<?x64x64xf32>
}
func.func @rows(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
    %s = kernel.segmap thread registers [4, 4] runs [1, 4] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
        %b = tensor.extract %bs[%q, %e] : tensor<64x64xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<64x64xf32>
  }
  func.return %r : tensor<?x64x64xf32>
}
// Numbers of the first one lie across the depth here, and both matrices are one there: warps multiply.
func.func @columns(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
    %s = kernel.segmap thread registers [4, 4] runs [1, 4] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%e, %p] : tensor<64x64xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<64x64xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<64x64xf32>
  }
  func.return %r : tensor<?x64x64xf32>
}
func.func @square(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
    %s = kernel.segmap thread registers [4, 4] runs [1, 4] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
        %b = tensor.extract %as[%e, %q] : tensor<64x64xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<64x64xf32>
  }
  func.return %r : tensor<?x64x64xf32>
}
// The threads of the block hold a tile of another shape, too, in their usual order: warps multiply.
func.func @besides(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> (tensor<?x64x64xf32>, tensor<?x64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %r:2 = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>, tensor<?x64x32xf32>) {
    %s = kernel.segmap thread registers [4, 4] runs [1, 4] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
      %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<64x64xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    %t = kernel.segmap thread registers [4, 2] runs [1, 2] (%p < %c64, %q < %c32) -> (tensor<64x32xf32>) {
      kernel.return %zero : f32
    }
    kernel.return %s, %t : tensor<64x64xf32>, tensor<64x32xf32>
  }
  func.return %r#0, %r#1 : tensor<?x64x64xf32>, tensor<?x64x32xf32>
}
// ===== expected
builtin.module {
  func.func @product(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
      %s = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<64x64xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<64x64xf32>
    }
    func.return %r : tensor<?x64x64xf32>
  }
  func.func @rows(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
      %s = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
          %b = tensor.extract %bs[%q, %e] : tensor<64x64xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<64x64xf32>
    }
    func.return %r : tensor<?x64x64xf32>
  }
  func.func @columns(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
      %s = kernel.segmap thread contract registers [4, 4] runs [1, 2] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%e, %p] : tensor<64x64xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<64x64xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<64x64xf32>
    }
    func.return %r : tensor<?x64x64xf32>
  }
  func.func @square(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> tensor<?x64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
      %s = kernel.segmap thread contract registers [4, 4] runs [1, 2] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
          %b = tensor.extract %as[%e, %q] : tensor<64x64xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<64x64xf32>
    }
    func.return %r : tensor<?x64x64xf32>
  }
  func.func @besides(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %n: index) -> (tensor<?x64x64xf32>, tensor<?x64x32xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %r:2 = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>, tensor<?x64x32xf32>) {
      %s = kernel.segmap thread contract registers [4, 4] runs [1, 2] (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        %sum = scf.for %e = %c0 to %c64 step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<64x64xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<64x64xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      %t = kernel.segmap thread registers [4, 2] runs [1, 2] (%p < %c64, %q < %c32) -> (tensor<64x32xf32>) {
        kernel.return %zero : f32
      }
      kernel.return %s, %t : tensor<64x64xf32>, tensor<64x32xf32>
    }
    func.return %r#0, %r#1 : tensor<?x64x64xf32>, tensor<?x64x32xf32>
  }
}

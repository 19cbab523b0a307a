// pass: builtin.module(use-tensor-cores)
// Sums whose order the program gives stay as they are, in runs of four.
func.func @ordered(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<contract> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// Rows are read in parts of 8 elements.
func.func @begun_inside_a_part(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 20 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c4 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
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
// Those of numbers that only newer targets multiply are for these.
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
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// Loops that are no multiple of 16 long stay.
func.func @short(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 24 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
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
// This one is for tensor cores.
func.func @halves(%as: tensor<16x32xf16>, %bs: tensor<16x32xf16>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
        %b = tensor.extract %bs[%q, %e] : tensor<16x32xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
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
// ===== expected
builtin.module {
  func.func @ordered(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %c, %xy fastmath<contract> : f32
          scf.yield %next : f32
        }
        kernel.return %sum : f32
      }
      kernel.return %s : tensor<16x16xf32>
    }
    func.return %r : tensor<?x16x16xf32>
  }
  func.func @begun_inside_a_part(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 20 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c4 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
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
  func.func @brain(%as: tensor<16x32xbf16>, %bs: tensor<32x16xbf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread contract since 80 registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xbf16>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xbf16>
          %x = arith.extf %a : bf16 to f32
          %y = arith.extf %b : bf16 to f32
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
  func.func @short(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 24 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
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
  func.func @halves(%as: tensor<16x32xf16>, %bs: tensor<16x32xf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %s = kernel.segmap thread contract registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
          %b = tensor.extract %bs[%q, %e] : tensor<16x32xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
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
}

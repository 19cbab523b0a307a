// pass: builtin.module(use-tensor-cores)
// Sums of integers wrap in any order; of the second ones, numbers have no sign.
func.func @bytes(%as: tensor<16x32xi8>, %bs: tensor<32x16xi8>, %n: index) -> tensor<?x16x16xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %columns = arith.constant 16 : index
  %depth = arith.constant 32 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xi32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xi32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (i32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xi8>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extui %b : i8 to i32
        %xy = arith.muli %x, %y : i32
        %next = arith.addi %c, %xy : i32
        scf.yield %next : i32
      }
      kernel.return %sum : i32
    }
    kernel.return %s : tensor<16x16xi32>
  }
  func.return %r : tensor<?x16x16xi32>
}
// Products of bytes are 32 deep.
func.func @short_bytes(%as: tensor<16x32xi8>, %bs: tensor<32x16xi8>, %n: index) -> tensor<?x16x16xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %columns = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xi32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xi32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (i32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xi8>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extui %b : i8 to i32
        %xy = arith.muli %x, %y : i32
        %next = arith.addi %c, %xy : i32
        scf.yield %next : i32
      }
      kernel.return %sum : i32
    }
    kernel.return %s : tensor<16x16xi32>
  }
  func.return %r : tensor<?x16x16xi32>
}
// Doubles are 4 deep, in pairs of columns.
func.func @doubles(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %columns = arith.constant 16 : index
  %depth = arith.constant 4 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
    %s = kernel.segmap thread registers [2, 2] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf64>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
        %xy = arith.mulf %a, %b fastmath<contract> : f64
        %next = arith.addf %c, %xy fastmath<reassoc,contract> : f64
        scf.yield %next : f64
      }
      kernel.return %sum : f64
    }
    kernel.return %s : tensor<16x16xf64>
  }
  func.return %r : tensor<?x16x16xf64>
}
// Products of doubles that are rounded by themselves stay as they are: tensor cores round them with the sum.
func.func @doubles_rounded_each(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %columns = arith.constant 16 : index
  %depth = arith.constant 4 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
    %s = kernel.segmap thread registers [2, 2] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf64>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
        %xy = arith.mulf %a, %b  : f64
        %next = arith.addf %c, %xy fastmath<reassoc> : f64
        scf.yield %next : f64
      }
      kernel.return %sum : f64
    }
    kernel.return %s : tensor<16x16xf64>
  }
  func.return %r : tensor<?x16x16xf64>
}
// A segmap of which another sum has an order stays, too.
func.func @one_of_two(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %columns = arith.constant 16 : index
  %depth = arith.constant 4 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
    %s = kernel.segmap thread registers [2, 2] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf64>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
        %xy = arith.mulf %a, %b fastmath<contract> : f64
        %next = arith.addf %c, %xy fastmath<reassoc,contract> : f64
        scf.yield %next : f64
      }
      %other = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %sum) -> (f64) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
        %xy = arith.mulf %a, %b : f64
        %next = arith.addf %c, %xy : f64
        scf.yield %next : f64
      }
      kernel.return %other : f64
    }
    kernel.return %s : tensor<16x16xf64>
  }
  func.return %r : tensor<?x16x16xf64>
}
// Sums of halves, on all targets.
func.func @half_sums(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf16> {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %columns = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf16>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf16>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f16) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
        %xy = arith.mulf %a, %b fastmath<contract> : f16
        %next = arith.addf %c, %xy fastmath<reassoc,contract> : f16
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
  func.func @bytes(%as: tensor<16x32xi8>, %bs: tensor<32x16xi8>, %n: index) -> tensor<?x16x16xi32> {
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %depth = arith.constant 32 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xi32>) {
      %s = kernel.segmap thread contract since 80 registers [2, 4] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xi32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (i32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xi8>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xi8>
          %x = arith.extsi %a : i8 to i32
          %y = arith.extui %b : i8 to i32
          %xy = arith.muli %x, %y : i32
          %next = arith.addi %c, %xy : i32
          scf.yield %next : i32
        }
        kernel.return %sum : i32
      }
      kernel.return %s : tensor<16x16xi32>
    }
    func.return %r : tensor<?x16x16xi32>
  }
  func.func @short_bytes(%as: tensor<16x32xi8>, %bs: tensor<32x16xi8>, %n: index) -> tensor<?x16x16xi32> {
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xi32>) {
      %s = kernel.segmap thread registers [2, 4] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xi32>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (i32) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xi8>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xi8>
          %x = arith.extsi %a : i8 to i32
          %y = arith.extui %b : i8 to i32
          %xy = arith.muli %x, %y : i32
          %next = arith.addi %c, %xy : i32
          scf.yield %next : i32
        }
        kernel.return %sum : i32
      }
      kernel.return %s : tensor<16x16xi32>
    }
    func.return %r : tensor<?x16x16xi32>
  }
  func.func @doubles(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
    %zero = arith.constant 0.000000e+00 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %depth = arith.constant 4 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
      %s = kernel.segmap thread contract since 80 registers [2, 2] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf64>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
          %xy = arith.mulf %a, %b fastmath<contract> : f64
          %next = arith.addf %c, %xy fastmath<reassoc,contract> : f64
          scf.yield %next : f64
        }
        kernel.return %sum : f64
      }
      kernel.return %s : tensor<16x16xf64>
    }
    func.return %r : tensor<?x16x16xf64>
  }
  func.func @doubles_rounded_each(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
    %zero = arith.constant 0.000000e+00 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %depth = arith.constant 4 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
      %s = kernel.segmap thread registers [2, 2] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf64>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
          %xy = arith.mulf %a, %b : f64
          %next = arith.addf %c, %xy fastmath<reassoc> : f64
          scf.yield %next : f64
        }
        kernel.return %sum : f64
      }
      kernel.return %s : tensor<16x16xf64>
    }
    func.return %r : tensor<?x16x16xf64>
  }
  func.func @one_of_two(%as: tensor<16x32xf64>, %bs: tensor<32x16xf64>, %n: index) -> tensor<?x16x16xf64> {
    %zero = arith.constant 0.000000e+00 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %depth = arith.constant 4 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf64>) {
      %s = kernel.segmap thread registers [2, 2] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf64>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f64) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
          %xy = arith.mulf %a, %b fastmath<contract> : f64
          %next = arith.addf %c, %xy fastmath<reassoc,contract> : f64
          scf.yield %next : f64
        }
        %other = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %sum) -> (f64) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf64>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf64>
          %xy = arith.mulf %a, %b : f64
          %next = arith.addf %c, %xy : f64
          scf.yield %next : f64
        }
        kernel.return %other : f64
      }
      kernel.return %s : tensor<16x16xf64>
    }
    func.return %r : tensor<?x16x16xf64>
  }
  func.func @half_sums(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf16> {
    %zero = arith.constant 0.000000e+00 : f16
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %depth = arith.constant 16 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf16>) {
      %s = kernel.segmap thread contract registers [2, 4] runs [1, 2] (%p < %rows, %q < %columns) -> (tensor<16x16xf16>) {
        %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f16) {
          %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
          %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
          %xy = arith.mulf %a, %b fastmath<contract> : f16
          %next = arith.addf %c, %xy fastmath<reassoc,contract> : f16
          scf.yield %next : f16
        }
        kernel.return %sum : f16
      }
      kernel.return %s : tensor<16x16xf16>
    }
    func.return %r : tensor<?x16x16xf16>
  }
}

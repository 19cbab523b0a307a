// pass: builtin.module(flatten{versions=incremental},canonicalize,cse,dce)
// Points with a row each that no other point reads: one thread for a point where rows are shorter than a sector, or, beside several
// launches, two. Not where another point shares what is read (products), or a point scans.
func.func @sums(%xs: !array.array<[n][m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %sums = array.map (%row in %xs : [n][m]f32) {
    %s = array.reduce (%row : [m]f32) init (%zero : f32) combine arith.addf
    array.yield %s : f32
  }
  func.return %sums : !array.array<[n]f32>
}
func.func @shares(%xs: !array.array<[n][m]f64>) -> !array.array<[n][m]f64> {
  %zero = arith.constant 0.0 : f64
  %shares = array.map (%row in %xs : [n][m]f64) {
    %s = array.reduce (%row : [m]f64) init (%zero : f64) combine arith.addf
    %shares = array.map (%x in %row : [m]f64) {
      %share = arith.divf %x, %s : f64
      array.yield %share : f64
    }
    array.yield %shares : [m]f64
  }
  func.return %shares : !array.array<[n][m]f64>
}
func.func @products(%xs: !array.array<[n][k]f32>, %ys: !array.array<[m][k]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %products = array.map (%row in %xs : [n][k]f32) {
    %r = array.map (%column in %ys : [m][k]f32) {
      %s = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %p = arith.mulf %x, %y : f32
        array.yield %p : f32
      } combine arith.addf
      array.yield %s : f32
    }
    array.yield %r : [m]f32
  }
  func.return %products : !array.array<[n][m]f32>
}
func.func @prefixes(%xs: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %prefixes = array.map (%row in %xs : [n][m]f32) {
    %p = array.scan (%row : [m]f32) init (%zero : f32) combine arith.addf
    array.yield %p : [m]f32
  }
  func.return %prefixes : !array.array<[n][m]f32>
}
func.func @columns(%xs: !array.array<[m][n]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %t = array.rearrange %xs, [1, 0] : [m][n]f32
  %sums = array.map (%column in %t : [n][m]f32) {
    %s = array.reduce (%column : [m]f32) init (%zero : f32) combine arith.addf
    array.yield %s : f32
  }
  func.return %sums : !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @sums(%xs: tensor<?x?xf32>) -> tensor<?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c8 = arith.constant 8 : index
    %0 = kernel.dim %xs, 0 : tensor<?x?xf32>
    %1 = kernel.dim %xs, 1 : tensor<?x?xf32>
    %2 = kernel.at_least %0, "sums.top.0" default 32768
    %3 = kernel.at_least %1, "sums.top.0.long" default 8
    %4 = arith.xori %3, %true : i1
    %5 = arith.andi %2, %4 : i1
    %6 = scf.if %5 -> (tensor<?xf32>) {
      %7 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
        %s = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %zero) -> (f32) {
          %8 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf32>
          %9 = arith.addf %arg2, %8 : f32
          scf.yield %9 : f32
        } {kernel.reduction}
        kernel.return %s : f32
      }
      scf.yield %7 : tensor<?xf32>
    } else {
      %7 = arith.cmpi sle, %1, %c1024 : index
      %8 = arith.ceildivsi %0, %c1024 : index
      %9 = arith.minsi %8, %c8 : index
      %10 = arith.maxsi %9, %c1 : index
      %11 = arith.divsi %1, %10 : index
      %12 = kernel.at_least %11, "sums.intra.0" default 32
      %13 = arith.andi %7, %12 : i1
      %14 = scf.if %13 -> (tensor<?xf32>) {
        %15 = kernel.segmap block (%arg0 < %0) -> (tensor<?xf32>) {
          %16 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %17 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %17 : f32
          } combine (%arg1, %arg2) {
            %17 = arith.addf %arg1, %arg2 : f32
            kernel.return %17 : f32
          }
          kernel.return %16 : f32
        }
        scf.yield %15 : tensor<?xf32>
      } else {
        %15 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %16 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %16 : f32
        } combine (%arg0, %arg1) {
          %16 = arith.addf %arg0, %arg1 : f32
          kernel.return %16 : f32
        }
        scf.yield %15 : tensor<?xf32>
      }
      scf.yield %14 : tensor<?xf32>
    }
    func.return %6 : tensor<?xf32>
  }
  func.func @shares(%xs: tensor<?x?xf64>) -> tensor<?x?xf64> {
    %zero = arith.constant 0.000000e+00 : f64
    %c1 = arith.constant 1 : index
    %c14744 = arith.constant 14744 : index
    %c6610 = arith.constant 6610 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %c1144 = arith.constant 1144 : index
    %c100 = arith.constant 100 : index
    %c13268 = arith.constant 13268 : index
    %c976 = arith.constant 976 : index
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %0 = kernel.dim %xs, 0 : tensor<?x?xf64>
    %1 = kernel.dim %xs, 1 : tensor<?x?xf64>
    %2 = arith.ceildivsi %1, %c32 : index
    %3 = arith.minsi %2, %c8 : index
    %4 = arith.maxsi %3, %c1 : index
    %5 = arith.divui %c8192, %4 : index
    %6 = arith.minsi %5, %c4096 : index
    %7 = arith.ceildivsi %0, %6 : index
    %8 = arith.muli %7, %c1144 : index
    %9 = arith.addi %8, %c6610 : index
    %10 = arith.divui %9, %c100 : index
    %11 = arith.maxsi %10, %c1 : index
    %12 = arith.divui %c14744, %11 : index
    %13 = arith.minsi %9, %c14744 : index
    %14 = arith.muli %1, %c976 : index
    %15 = arith.addi %14, %c13268 : index
    %16 = arith.divui %15, %c100 : index
    %17 = arith.maxsi %16, %c1 : index
    %18 = arith.divui %13, %17 : index
    %19 = kernel.at_least %18, "shares.top.0.short" default 100
    %20 = kernel.at_least %0, "shares.top.0" default 32768
    %21 = kernel.at_least %1, "shares.top.0.long" default 8
    %22 = arith.xori %21, %true : i1
    %23 = arith.andi %20, %22 : i1
    %24 = arith.ori %23, %19 : i1
    %25 = scf.if %24 -> (tensor<?x?xf64>) {
      %27 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf64>) {
        %s = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %zero) -> (f64) {
          %29 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf64>
          %30 = arith.addf %arg2, %29 : f64
          scf.yield %30 : f64
        } {kernel.reduction}
        %28 = kernel.scratch [%1] : tensor<?xf64>
        %shares = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %28) -> (tensor<?xf64>) {
          %29 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf64>
          %share = arith.divf %29, %s : f64
          %30 = kernel.update %share, %arg2[%arg1] : f64, tensor<?xf64>
          scf.yield %30 : tensor<?xf64>
        }
        kernel.return %shares : tensor<?xf64>
      }
      scf.yield %27 : tensor<?x?xf64>
    } else {
      %27 = arith.cmpi sle, %1, %c1024 : index
      %28 = kernel.at_least %1, "shares.intra.0" default 256
      %29 = kernel.at_least %12, "shares.intra.0.few" default 100
      %30 = arith.ori %28, %29 : i1
      %31 = arith.andi %27, %30 : i1
      %32 = scf.if %31 -> (tensor<?x?xf64>) {
        %33 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf64>) {
          %34 = kernel.segred thread (%arg1 < %1) init (%zero : f64) -> (f64) {
            %36 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf64>
            kernel.return %36 : f64
          } combine (%arg1, %arg2) {
            %36 = arith.addf %arg1, %arg2 : f64
            kernel.return %36 : f64
          }
          %35 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf64>) {
            %36 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf64>
            %share = arith.divf %36, %34 : f64
            kernel.return %share : f64
          }
          kernel.return %35 : tensor<?xf64>
        }
        scf.yield %33 : tensor<?x?xf64>
      } else {
        %33 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f64) -> (tensor<?xf64>) {
          %35 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf64>
          kernel.return %35 : f64
        } combine (%arg0, %arg1) {
          %35 = arith.addf %arg0, %arg1 : f64
          kernel.return %35 : f64
        }
        %34 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf64>) {
          %35 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf64>
          %36 = kernel.read %33[%arg0] : tensor<?xf64>
          %share = arith.divf %35, %36 : f64
          kernel.return %share : f64
        }
        scf.yield %34 : tensor<?x?xf64>
      }
      scf.yield %32 : tensor<?x?xf64>
    }
    %26 = kernel.reshape %25 to [%0, %1] : tensor<?x?xf64> -> tensor<?x?xf64>
    func.return %26 : tensor<?x?xf64>
  }
  func.func @products(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c8 = arith.constant 8 : index
    %0 = kernel.dim %xs, 0 : tensor<?x?xf32>
    %1 = kernel.dim %xs, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ys, 0 : tensor<?x?xf32>
    %3 = kernel.dim %ys, 1 : tensor<?x?xf32>
    %4 = arith.cmpi eq, %1, %3 : index
    cf.assert %4, "size `k`: dimension 1 of parameter #1 differs from dimension 1 of parameter #0"
    %5 = arith.muli %0, %2 : index
    %6 = kernel.at_least %5, "products.top.0" default 32768
    %7 = scf.if %6 -> (tensor<?x?xf32>) {
      %8 = kernel.segmap thread (%arg0 < %0, %arg1 < %2) -> (tensor<?x?xf32>) {
        %s = scf.for %arg2 = %c0 to %1 step %c1 iter_args(%arg3 = %zero) -> (f32) {
          %9 = kernel.read %xs[%arg0, %arg2] : tensor<?x?xf32>
          %10 = kernel.read %ys[%arg1, %arg2] : tensor<?x?xf32>
          %p = arith.mulf %9, %10 : f32
          %11 = arith.addf %arg3, %p : f32
          scf.yield %11 : f32
        } {kernel.reduction}
        kernel.return %s : f32
      }
      scf.yield %8 : tensor<?x?xf32>
    } else {
      %8 = arith.cmpi sle, %1, %c1024 : index
      %9 = arith.ceildivsi %5, %c1024 : index
      %10 = arith.minsi %9, %c8 : index
      %11 = arith.maxsi %10, %c1 : index
      %12 = arith.divsi %1, %11 : index
      %13 = kernel.at_least %12, "products.intra.0" default 32
      %14 = arith.andi %8, %13 : i1
      %15 = scf.if %14 -> (tensor<?x?xf32>) {
        %16 = kernel.segmap block (%arg0 < %0, %arg1 < %2) -> (tensor<?x?xf32>) {
          %17 = kernel.segred thread (%arg2 < %1) init (%zero : f32) -> (f32) {
            %18 = kernel.read %xs[%arg0, %arg2] : tensor<?x?xf32>
            %19 = kernel.read %ys[%arg1, %arg2] : tensor<?x?xf32>
            %p = arith.mulf %18, %19 : f32
            kernel.return %p : f32
          } combine (%arg2, %arg3) {
            %18 = arith.addf %arg2, %arg3 : f32
            kernel.return %18 : f32
          }
          kernel.return %17 : f32
        }
        scf.yield %16 : tensor<?x?xf32>
      } else {
        %16 = kernel.segred thread (%arg0 < %0, %arg1 < %2, %arg2 < %1) init (%zero : f32) -> (tensor<?x?xf32>) {
          %17 = kernel.read %xs[%arg0, %arg2] : tensor<?x?xf32>
          %18 = kernel.read %ys[%arg1, %arg2] : tensor<?x?xf32>
          %p = arith.mulf %17, %18 : f32
          kernel.return %p : f32
        } combine (%arg0, %arg1) {
          %17 = arith.addf %arg0, %arg1 : f32
          kernel.return %17 : f32
        }
        scf.yield %16 : tensor<?x?xf32>
      }
      scf.yield %15 : tensor<?x?xf32>
    }
    func.return %7 : tensor<?x?xf32>
  }
  func.func @prefixes(%xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %0 = kernel.dim %xs, 0 : tensor<?x?xf32>
    %1 = kernel.dim %xs, 1 : tensor<?x?xf32>
    %2 = kernel.at_least %0, "prefixes.top.0" default 32768
    %3 = kernel.at_least %1, "prefixes.top.0.long" default 16
    %4 = arith.xori %3, %true : i1
    %5 = arith.andi %2, %4 : i1
    %6 = scf.if %5 -> (tensor<?x?xf32>) {
      %8 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %9 = kernel.scratch [%1] : tensor<?xf32>
        %10, %p = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %zero, %arg3 = %9) -> (f32, tensor<?xf32>) {
          %11 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf32>
          %12 = arith.addf %arg2, %11 : f32
          %13 = kernel.update %12, %arg3[%arg1] : f32, tensor<?xf32>
          scf.yield %12, %13 : f32, tensor<?xf32>
        }
        kernel.return %p : tensor<?xf32>
      }
      scf.yield %8 : tensor<?x?xf32>
    } else {
      %8 = arith.cmpi sle, %1, %c1024 : index
      %9 = kernel.at_least %1, "prefixes.intra.0" default 32
      %10 = arith.andi %8, %9 : i1
      %11 = scf.if %10 -> (tensor<?x?xf32>) {
        %12 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %13 = kernel.segscan thread (%arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
            %14 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %14 : f32
          } combine (%arg1, %arg2) {
            %14 = arith.addf %arg1, %arg2 : f32
            kernel.return %14 : f32
          }
          kernel.return %13 : tensor<?xf32>
        }
        scf.yield %12 : tensor<?x?xf32>
      } else {
        %12 = kernel.segscan thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?x?xf32>) {
          %13 = kernel.read %xs[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %13 : f32
        } combine (%arg0, %arg1) {
          %13 = arith.addf %arg0, %arg1 : f32
          kernel.return %13 : f32
        }
        scf.yield %12 : tensor<?x?xf32>
      }
      scf.yield %11 : tensor<?x?xf32>
    }
    %7 = kernel.reshape %6 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %7 : tensor<?x?xf32>
  }
  func.func @columns(%xs: tensor<?x?xf32>) -> tensor<?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c8 = arith.constant 8 : index
    %0 = kernel.dim %xs, 0 : tensor<?x?xf32>
    %1 = kernel.dim %xs, 1 : tensor<?x?xf32>
    %2 = kernel.at_least %1, "columns.top.0" default 32768
    %3 = scf.if %2 -> (tensor<?xf32>) {
      %4 = kernel.segmap thread (%arg0 < %1) -> (tensor<?xf32>) {
        %s = scf.for %arg1 = %c0 to %0 step %c1 iter_args(%arg2 = %zero) -> (f32) {
          %5 = kernel.read %xs[%arg1, %arg0] : tensor<?x?xf32>
          %6 = arith.addf %arg2, %5 : f32
          scf.yield %6 : f32
        } {kernel.reduction}
        kernel.return %s : f32
      }
      scf.yield %4 : tensor<?xf32>
    } else {
      %4 = arith.cmpi sle, %0, %c1024 : index
      %5 = arith.ceildivsi %1, %c1024 : index
      %6 = arith.minsi %5, %c8 : index
      %7 = arith.maxsi %6, %c1 : index
      %8 = arith.divsi %0, %7 : index
      %9 = kernel.at_least %8, "columns.intra.0" default 32
      %10 = arith.andi %4, %9 : i1
      %11 = scf.if %10 -> (tensor<?xf32>) {
        %12 = kernel.segmap block (%arg0 < %1) -> (tensor<?xf32>) {
          %13 = kernel.segred thread (%arg1 < %0) init (%zero : f32) -> (f32) {
            %14 = kernel.read %xs[%arg1, %arg0] : tensor<?x?xf32>
            kernel.return %14 : f32
          } combine (%arg1, %arg2) {
            %14 = arith.addf %arg1, %arg2 : f32
            kernel.return %14 : f32
          }
          kernel.return %13 : f32
        }
        scf.yield %12 : tensor<?xf32>
      } else {
        %12 = kernel.segred thread (%arg0 < %1, %arg1 < %0) init (%zero : f32) -> (tensor<?xf32>) {
          %13 = kernel.read %xs[%arg1, %arg0] : tensor<?x?xf32>
          kernel.return %13 : f32
        } combine (%arg0, %arg1) {
          %13 = arith.addf %arg0, %arg1 : f32
          kernel.return %13 : f32
        }
        scf.yield %12 : tensor<?xf32>
      }
      scf.yield %11 : tensor<?xf32>
    }
    func.return %3 : tensor<?xf32>
  }
}

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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %c1024 = arith.constant 1024 : index
    %c8 = arith.constant 8 : index
    %0 = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %2 = kernel.at_least %0, "sums.top.0" default 32768
    %3 = kernel.at_least %1, "sums.top.0.long" default 8
    %4 = arith.xori %3, %true : i1
    %5 = arith.andi %2, %4 : i1
    %6 = scf.if %5 -> (tensor<?xf32>) {
      %7 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
        %s = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %zero) -> (f32) {
          %8 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf32>
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
            %17 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf32>
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
          %16 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf32>
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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f64
    %c32 = arith.constant 32 : index
    %c14744 = arith.constant 14744 : index
    %c171 = arith.constant 171 : index
    %c132 = arith.constant 132 : index
    %c2112 = arith.constant 2112 : index
    %c6610 = arith.constant 6610 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %c1144 = arith.constant 1144 : index
    %c291 = arith.constant 291 : index
    %c24 = arith.constant 24 : index
    %c100 = arith.constant 100 : index
    %c13268 = arith.constant 13268 : index
    %c976 = arith.constant 976 : index
    %c48 = arith.constant 48 : index
    %c88 = arith.constant 88 : index
    %true = arith.constant true
    %c1024 = arith.constant 1024 : index
    %0 = tensor.dim %xs, %c0 : tensor<?x?xf64>
    %1 = tensor.dim %xs, %c1 : tensor<?x?xf64>
    %2 = arith.ceildivsi %0, %c32 : index
    %3 = arith.muli %0, %1 : index
    %4 = arith.ceildivsi %3, %c32 : index
    %5 = arith.ceildivsi %1, %c32 : index
    %6 = arith.muli %0, %5 : index
    %7 = arith.muli %4, %c171 : index
    %8 = arith.muli %4, %c132 : index
    %9 = arith.addi %7, %8 : index
    %10 = arith.divui %9, %c2112 : index
    %11 = arith.addi %10, %c14744 : index
    %12 = arith.minsi %5, %c8 : index
    %13 = arith.maxsi %12, %c1 : index
    %14 = arith.divui %c8192, %13 : index
    %15 = arith.minsi %14, %c4096 : index
    %16 = arith.ceildivsi %0, %15 : index
    %17 = arith.muli %16, %c1144 : index
    %18 = arith.muli %0, %c8 : index
    %19 = arith.muli %6, %c291 : index
    %20 = arith.addi %18, %19 : index
    %21 = arith.muli %6, %c24 : index
    %22 = arith.addi %20, %21 : index
    %23 = arith.divui %22, %c2112 : index
    %24 = arith.maxsi %17, %23 : index
    %25 = arith.addi %24, %c6610 : index
    %26 = arith.divui %25, %c100 : index
    %27 = arith.maxsi %26, %c1 : index
    %28 = arith.divui %11, %27 : index
    %29 = arith.minsi %11, %25 : index
    %30 = arith.muli %1, %c976 : index
    %31 = arith.addi %30, %c13268 : index
    %32 = arith.muli %2, %c48 : index
    %33 = arith.muli %1, %c88 : index
    %34 = arith.muli %2, %33 : index
    %35 = arith.addi %32, %34 : index
    %36 = arith.divui %35, %c2112 : index
    %37 = arith.addi %31, %36 : index
    %38 = arith.divui %37, %c100 : index
    %39 = arith.maxsi %38, %c1 : index
    %40 = arith.divui %29, %39 : index
    %41 = kernel.at_least %40, "shares.top.0.short" default 100
    %42 = kernel.at_least %0, "shares.top.0" default 32768
    %43 = kernel.at_least %1, "shares.top.0.long" default 8
    %44 = arith.xori %43, %true : i1
    %45 = arith.andi %42, %44 : i1
    %46 = arith.ori %45, %41 : i1
    %47 = scf.if %46 -> (tensor<?x?xf64>) {
      %50 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf64>) {
        %s = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %zero) -> (f64) {
          %52 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf64>
          %53 = arith.addf %arg2, %52 : f64
          scf.yield %53 : f64
        } {kernel.reduction}
        %51 = tensor.empty(%1) : tensor<?xf64>
        %shares = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %51) -> (tensor<?xf64>) {
          %52 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf64>
          %share = arith.divf %52, %s : f64
          %53 = tensor.insert %share into %arg2[%arg1] : tensor<?xf64>
          scf.yield %53 : tensor<?xf64>
        }
        kernel.return %shares : tensor<?xf64>
      }
      scf.yield %50 : tensor<?x?xf64>
    } else {
      %50 = arith.cmpi sle, %1, %c1024 : index
      %51 = kernel.at_least %1, "shares.intra.0" default 256
      %52 = kernel.at_least %28, "shares.intra.0.few" default 100
      %53 = arith.ori %51, %52 : i1
      %54 = arith.andi %50, %53 : i1
      %55 = scf.if %54 -> (tensor<?x?xf64>) {
        %56 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf64>) {
          %57 = kernel.segred thread (%arg1 < %1) init (%zero : f64) -> (f64) {
            %59 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf64>
            kernel.return %59 : f64
          } combine (%arg1, %arg2) {
            %59 = arith.addf %arg1, %arg2 : f64
            kernel.return %59 : f64
          }
          %58 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf64>) {
            %59 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf64>
            %share = arith.divf %59, %57 : f64
            kernel.return %share : f64
          }
          kernel.return %58 : tensor<?xf64>
        }
        scf.yield %56 : tensor<?x?xf64>
      } else {
        %56 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f64) -> (tensor<?xf64>) {
          %58 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf64>
          kernel.return %58 : f64
        } combine (%arg0, %arg1) {
          %58 = arith.addf %arg0, %arg1 : f64
          kernel.return %58 : f64
        }
        %57 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf64>) {
          %58 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf64>
          %59 = tensor.extract %56[%arg0] : tensor<?xf64>
          %share = arith.divf %58, %59 : f64
          kernel.return %share : f64
        }
        scf.yield %57 : tensor<?x?xf64>
      }
      scf.yield %55 : tensor<?x?xf64>
    }
    %48 = tensor.from_elements %0, %1 : tensor<2xindex>
    %49 = tensor.reshape %47(%48) : (tensor<?x?xf64>, tensor<2xindex>) -> tensor<?x?xf64>
    func.return %49 : tensor<?x?xf64>
  }
  func.func @products(%xs: tensor<?x?xf32>, %ys: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %c1024 = arith.constant 1024 : index
    %c8 = arith.constant 8 : index
    %0 = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %2 = tensor.dim %ys, %c0 : tensor<?x?xf32>
    %3 = tensor.dim %ys, %c1 : tensor<?x?xf32>
    %4 = arith.cmpi eq, %1, %3 : index
    cf.assert %4, "size `k`: dimension 1 of parameter #1 differs from dimension 1 of parameter #0"
    %5 = arith.muli %0, %2 : index
    %6 = kernel.at_least %5, "products.top.0" default 32768
    %7 = scf.if %6 -> (tensor<?x?xf32>) {
      %8 = kernel.segmap thread (%arg0 < %0, %arg1 < %2) -> (tensor<?x?xf32>) {
        %s = scf.for %arg2 = %c0 to %1 step %c1 iter_args(%arg3 = %zero) -> (f32) {
          %9 = tensor.extract %xs[%arg0, %arg2] : tensor<?x?xf32>
          %10 = tensor.extract %ys[%arg1, %arg2] : tensor<?x?xf32>
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
            %18 = tensor.extract %xs[%arg0, %arg2] : tensor<?x?xf32>
            %19 = tensor.extract %ys[%arg1, %arg2] : tensor<?x?xf32>
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
          %17 = tensor.extract %xs[%arg0, %arg2] : tensor<?x?xf32>
          %18 = tensor.extract %ys[%arg1, %arg2] : tensor<?x?xf32>
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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %c1024 = arith.constant 1024 : index
    %c8 = arith.constant 8 : index
    %0 = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %2 = kernel.at_least %0, "prefixes.top.0" default 32768
    %3 = kernel.at_least %1, "prefixes.top.0.long" default 16
    %4 = arith.xori %3, %true : i1
    %5 = arith.andi %2, %4 : i1
    %6 = scf.if %5 -> (tensor<?x?xf32>) {
      %9 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %10 = tensor.empty(%1) : tensor<?xf32>
        %11, %p = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %zero, %arg3 = %10) -> (f32, tensor<?xf32>) {
          %12 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf32>
          %13 = arith.addf %arg2, %12 : f32
          %14 = tensor.insert %13 into %arg3[%arg1] : tensor<?xf32>
          scf.yield %13, %14 : f32, tensor<?xf32>
        }
        kernel.return %p : tensor<?xf32>
      }
      scf.yield %9 : tensor<?x?xf32>
    } else {
      %9 = arith.cmpi sle, %1, %c1024 : index
      %10 = arith.ceildivsi %0, %c1024 : index
      %11 = arith.minsi %10, %c8 : index
      %12 = arith.maxsi %11, %c1 : index
      %13 = arith.divsi %1, %12 : index
      %14 = kernel.at_least %13, "prefixes.intra.0" default 32
      %15 = arith.andi %9, %14 : i1
      %16 = scf.if %15 -> (tensor<?x?xf32>) {
        %17 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %18 = kernel.segscan thread (%arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
            %19 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %19 : f32
          } combine (%arg1, %arg2) {
            %19 = arith.addf %arg1, %arg2 : f32
            kernel.return %19 : f32
          }
          kernel.return %18 : tensor<?xf32>
        }
        scf.yield %17 : tensor<?x?xf32>
      } else {
        %17 = kernel.segscan thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?x?xf32>) {
          %18 = tensor.extract %xs[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %18 : f32
        } combine (%arg0, %arg1) {
          %18 = arith.addf %arg0, %arg1 : f32
          kernel.return %18 : f32
        }
        scf.yield %17 : tensor<?x?xf32>
      }
      scf.yield %16 : tensor<?x?xf32>
    }
    %7 = tensor.from_elements %0, %1 : tensor<2xindex>
    %8 = tensor.reshape %6(%7) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    func.return %8 : tensor<?x?xf32>
  }
  func.func @columns(%xs: tensor<?x?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %c1024 = arith.constant 1024 : index
    %c8 = arith.constant 8 : index
    %0 = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %2 = kernel.at_least %1, "columns.top.0" default 32768
    %3 = scf.if %2 -> (tensor<?xf32>) {
      %4 = kernel.segmap thread (%arg0 < %1) -> (tensor<?xf32>) {
        %s = scf.for %arg1 = %c0 to %0 step %c1 iter_args(%arg2 = %zero) -> (f32) {
          %5 = tensor.extract %xs[%arg1, %arg0] : tensor<?x?xf32>
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
            %14 = tensor.extract %xs[%arg1, %arg0] : tensor<?x?xf32>
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
          %13 = tensor.extract %xs[%arg1, %arg0] : tensor<?x?xf32>
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

// pass: builtin.module(flatten{versions=incremental})
// Perfect nests have one version: a map of maps of scalar code, cheap scalars beside; a loop in the innermost body. Others
// have several: two maps in a body, a reduction, a row and a number of it, expensive scalar code beside.
func.func @maps(%a: !array.array<[m][n][o]f32>, %ks: !array.array<[m]f32>) -> !array.array<[m][n][o]f32> {
  %c = array.map (%plane in %a : [m][n][o]f32, %k in %ks : [m]f32) {
    %twice = arith.addf %k, %k : f32
    %t = array.map (%row in %plane : [n][o]f32) {
      %u = array.map (%x in %row : [o]f32) {
        %y = arith.addf %x, %twice : f32
        array.yield %y : f32
      }
      array.yield %u : [o]f32
    }
    array.yield %t : [n][o]f32
  }
  func.return %c : !array.array<[m][n][o]f32>
}
func.func @loop(%a: !array.array<[m][n]f32>, %k: index) -> !array.array<[m][n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = array.map (%row in %a : [m][n]f32) {
    %t = array.map (%x in %row : [n]f32) {
      %p = scf.for %i = %c0 to %k step %c1 iter_args(%s = %x) -> (f32) {
        %q = arith.mulf %s, %x : f32
        scf.yield %q : f32
      }
      array.yield %p : f32
    }
    array.yield %t : [n]f32
  }
  func.return %c : !array.array<[m][n]f32>
}
func.func @two(%a: !array.array<[m][n]f32>) -> (!array.array<[m][n]f32>, !array.array<[m]f32>) {
  %zero = arith.constant 0.0 : f32
  %c, %d = array.map (%row in %a : [m][n]f32) {
    %t = array.map (%x in %row : [n]f32) {
      %y = arith.negf %x : f32
      array.yield %y : f32
    }
    %s = array.reduce (%row : [n]f32) init (%zero : f32) combine (%p, %q) {
      %r = arith.addf %p, %q : f32
      array.yield %r : f32
    }
    array.yield %t, %s : [n]f32, f32
  }
  func.return %c, %d : !array.array<[m][n]f32>, !array.array<[m]f32>
}
func.func @number(%a: !array.array<[m][n]f32>, %ks: !array.array<[m]f32>) -> (!array.array<[m][n]f32>, !array.array<[m]f32>) {
  %c, %d = array.map (%row in %a : [m][n]f32, %k in %ks : [m]f32) {
    %e = math.exp %k : f32
    %t = array.map (%x in %row : [n]f32) {
      %y = arith.mulf %x, %e : f32
      array.yield %y : f32
    }
    array.yield %t, %e : [n]f32, f32
  }
  func.return %c, %d : !array.array<[m][n]f32>, !array.array<[m]f32>
}
func.func @expensive(%a: !array.array<[m][n]f32>, %ks: !array.array<[m]f32>) -> !array.array<[m][n]f32> {
  %c = array.map (%row in %a : [m][n]f32, %k in %ks : [m]f32) {
    %e = math.exp %k : f32
    %t = array.map (%x in %row : [n]f32) {
      %y = arith.mulf %x, %e : f32
      array.yield %y : f32
    }
    array.yield %t : [n]f32
  }
  func.return %c : !array.array<[m][n]f32>
}
// ===== expected
builtin.module {
  func.func @maps(%a: tensor<?x?x?xf32>, %ks: tensor<?xf32>) -> tensor<?x?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?x?xf32>
    %2 = kernel.dim %a, 2 : tensor<?x?x?xf32>
    %3 = kernel.dim %ks, 0 : tensor<?xf32>
    %4 = arith.cmpi eq, %0, %3 : index
    cf.assert %4, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %5 = kernel.segmap thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) -> (tensor<?x?x?xf32>) {
      %6 = kernel.read %ks[%arg0] : tensor<?xf32>
      %twice = arith.addf %6, %6 : f32
      %7 = kernel.read %a[%arg0, %arg1, %arg2] : tensor<?x?x?xf32>
      %y = arith.addf %7, %twice : f32
      kernel.return %y : f32
    }
    func.return %5 : tensor<?x?x?xf32>
  }
  func.func @loop(%a: tensor<?x?xf32>, %k: index) -> tensor<?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %2 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
      %3 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
      %p = scf.for %i = %c0 to %k step %c1 iter_args(%s = %3) -> (f32) {
        %q = arith.mulf %s, %3 : f32
        scf.yield %q : f32
      }
      kernel.return %p : f32
    }
    func.return %2 : tensor<?x?xf32>
  }
  func.func @two(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %zero = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %c1_1 = arith.constant 1 : index
    %2 = arith.muli %c1_1, %1 : index
    %c1_2 = arith.constant 1 : index
    %3 = arith.muli %c1_2, %1 : index
    %4 = arith.maxsi %2, %3 : index
    %c14392 = arith.constant 14392 : index
    %c7706 = arith.constant 7706 : index
    %c6610 = arith.constant 6610 : index
    %c1_3 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %5 = arith.ceildivsi %4, %c32 : index
    %6 = arith.minsi %5, %c8 : index
    %7 = arith.maxsi %6, %c1_3 : index
    %8 = arith.divui %c8192, %7 : index
    %9 = arith.minsi %8, %c4096 : index
    %10 = arith.ceildivsi %0, %9 : index
    %11 = arith.subi %c7706, %c6610 : index
    %12 = arith.muli %11, %10 : index
    %13 = arith.addi %c6610, %12 : index
    %c1_4 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %14 = arith.divui %13, %c100 : index
    %15 = arith.maxsi %14, %c1_4 : index
    %16 = arith.divui %c14392, %15 : index
    %17 = arith.minsi %c14392, %13 : index
    %c13268 = arith.constant 13268 : index
    %c976 = arith.constant 976 : index
    %18 = arith.muli %1, %c976 : index
    %19 = arith.addi %c13268, %18 : index
    %c1_5 = arith.constant 1 : index
    %c100_6 = arith.constant 100 : index
    %20 = arith.divui %19, %c100_6 : index
    %21 = arith.maxsi %20, %c1_5 : index
    %22 = arith.divui %17, %21 : index
    %23 = kernel.at_least %22, "two.top.0.short" default 100
    %24 = kernel.at_least %0, "two.top.0" default 32768
    %25 = arith.ori %24, %23 : i1
    %26:2 = scf.if %25 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %28:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %29 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_7 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_7 iter_args(%arg2 = %29) -> (tensor<?xf32>) {
          %30 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %30 : f32
          %31 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %31 : tensor<?xf32>
        }
        %c0_8 = arith.constant 0 : index
        %c1_9 = arith.constant 1 : index
        %s = scf.for %arg1 = %c0_8 to %1 step %c1_9 iter_args(%p = %zero) -> (f32) {
          %q = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %r = arith.addf %p, %q : f32
          scf.yield %r : f32
        } {kernel.reduction}
        kernel.return %t, %s : tensor<?xf32>, f32
      }
      scf.yield %28#0, %28#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %28 = arith.muli %1, %c1 : index
      %29 = arith.muli %1, %c1_0 : index
      %30 = arith.maxsi %28, %29 : index
      %c1024 = arith.constant 1024 : index
      %31 = arith.cmpi sle, %30, %c1024 : index
      %32 = kernel.at_least %30, "two.intra.0" default 256
      %33 = kernel.at_least %16, "two.intra.0.few" default 100
      %34 = arith.ori %32, %33 : i1
      %35 = arith.andi %31, %34 : i1
      %36:2 = scf.if %35 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %37:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %38 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %40 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.negf %40 : f32
            kernel.return %y : f32
          }
          %39 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %40 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %40 : f32
          } combine (%p, %q) {
            %r = arith.addf %p, %q : f32
            kernel.return %r : f32
          }
          kernel.return %38, %39 : tensor<?xf32>, f32
        }
        scf.yield %37#0, %37#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %37 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %39 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %39 : f32
          kernel.return %y : f32
        }
        %38 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %39 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %39 : f32
        } combine (%p, %q) {
          %r = arith.addf %p, %q : f32
          kernel.return %r : f32
        }
        scf.yield %37, %38 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %36#0, %36#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %27 = kernel.reshape %26#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %27, %26#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @number(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %4 = arith.muli %c1_0, %1 : index
    %c14448 = arith.constant 14448 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %5 = arith.ceildivsi %4, %c32 : index
    %6 = arith.minsi %5, %c8 : index
    %7 = arith.maxsi %6, %c1_1 : index
    %8 = arith.divui %c8192, %7 : index
    %9 = arith.minsi %8, %c4096 : index
    %10 = arith.ceildivsi %0, %9 : index
    %11 = arith.subi %c7492, %c6610 : index
    %12 = arith.muli %11, %10 : index
    %13 = arith.addi %c6610, %12 : index
    %c1_2 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %14 = arith.divui %13, %c100 : index
    %15 = arith.maxsi %14, %c1_2 : index
    %16 = arith.divui %c14448, %15 : index
    %17 = arith.minsi %c14448, %13 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %18 = arith.muli %1, %c640 : index
    %19 = arith.addi %c13748, %18 : index
    %c1_3 = arith.constant 1 : index
    %c100_4 = arith.constant 100 : index
    %20 = arith.divui %19, %c100_4 : index
    %21 = arith.maxsi %20, %c1_3 : index
    %22 = arith.divui %17, %21 : index
    %23 = kernel.at_least %22, "number.top.0.short" default 100
    %24 = kernel.at_least %0, "number.top.0" default 32768
    %25 = arith.ori %24, %23 : i1
    %26:2 = scf.if %25 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %28:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %29 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %29 : f32
        %30 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_5 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_5 iter_args(%arg2 = %30) -> (tensor<?xf32>) {
          %31 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %31, %e : f32
          %32 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %32 : tensor<?xf32>
        }
        kernel.return %t, %e : tensor<?xf32>, f32
      }
      scf.yield %28#0, %28#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %28 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %29 = arith.cmpi sle, %28, %c1024 : index
      %30 = kernel.at_least %28, "number.intra.0" default 256
      %31 = kernel.at_least %16, "number.intra.0.few" default 100
      %32 = arith.ori %30, %31 : i1
      %33 = arith.andi %29, %32 : i1
      %34:2 = scf.if %33 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %35:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %36 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %36 : f32
          %37 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %38 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %38, %e : f32
            kernel.return %y : f32
          }
          kernel.return %37, %e : tensor<?xf32>, f32
        }
        scf.yield %35#0, %35#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %35 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %37 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %37 : f32
          kernel.return %e : f32
        }
        %36 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %37 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %38 = kernel.read %35[%arg0] : tensor<?xf32>
          %y = arith.mulf %37, %38 : f32
          kernel.return %y : f32
        }
        scf.yield %36, %35 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %34#0, %34#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %27 = kernel.reshape %26#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %27, %26#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @expensive(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> tensor<?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %4 = arith.muli %c1_0, %1 : index
    %c14448 = arith.constant 14448 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %5 = arith.ceildivsi %4, %c32 : index
    %6 = arith.minsi %5, %c8 : index
    %7 = arith.maxsi %6, %c1_1 : index
    %8 = arith.divui %c8192, %7 : index
    %9 = arith.minsi %8, %c4096 : index
    %10 = arith.ceildivsi %0, %9 : index
    %11 = arith.subi %c7492, %c6610 : index
    %12 = arith.muli %11, %10 : index
    %13 = arith.addi %c6610, %12 : index
    %c1_2 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %14 = arith.divui %13, %c100 : index
    %15 = arith.maxsi %14, %c1_2 : index
    %16 = arith.divui %c14448, %15 : index
    %17 = arith.minsi %c14448, %13 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %18 = arith.muli %1, %c640 : index
    %19 = arith.addi %c13748, %18 : index
    %c1_3 = arith.constant 1 : index
    %c100_4 = arith.constant 100 : index
    %20 = arith.divui %19, %c100_4 : index
    %21 = arith.maxsi %20, %c1_3 : index
    %22 = arith.divui %17, %21 : index
    %23 = kernel.at_least %22, "expensive.top.0.short" default 100
    %24 = kernel.at_least %0, "expensive.top.0" default 32768
    %25 = arith.ori %24, %23 : i1
    %26 = scf.if %25 -> (tensor<?x?xf32>) {
      %28 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %29 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %29 : f32
        %30 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_5 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_5 iter_args(%arg2 = %30) -> (tensor<?xf32>) {
          %31 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %31, %e : f32
          %32 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %32 : tensor<?xf32>
        }
        kernel.return %t : tensor<?xf32>
      }
      scf.yield %28 : tensor<?x?xf32>
    } else {
      %28 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %29 = arith.cmpi sle, %28, %c1024 : index
      %30 = kernel.at_least %28, "expensive.intra.0" default 256
      %31 = kernel.at_least %16, "expensive.intra.0.few" default 100
      %32 = arith.ori %30, %31 : i1
      %33 = arith.andi %29, %32 : i1
      %34 = scf.if %33 -> (tensor<?x?xf32>) {
        %35 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %36 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %36 : f32
          %37 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %38 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %38, %e : f32
            kernel.return %y : f32
          }
          kernel.return %37 : tensor<?xf32>
        }
        scf.yield %35 : tensor<?x?xf32>
      } else {
        %35 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %37 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %37 : f32
          kernel.return %e : f32
        }
        %36 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %37 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %38 = kernel.read %35[%arg0] : tensor<?xf32>
          %y = arith.mulf %37, %38 : f32
          kernel.return %y : f32
        }
        scf.yield %36 : tensor<?x?xf32>
      }
      scf.yield %34 : tensor<?x?xf32>
    }
    %27 = kernel.reshape %26 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %27 : tensor<?x?xf32>
  }
}

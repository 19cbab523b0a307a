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
    %c14392 = arith.constant 14392 : index
    %c7706 = arith.constant 7706 : index
    %c6610 = arith.constant 6610 : index
    %c1024 = arith.constant 1024 : index
    %2 = arith.ceildivsi %0, %c1024 : index
    %3 = arith.subi %c7706, %c6610 : index
    %4 = arith.muli %3, %2 : index
    %5 = arith.addi %c6610, %4 : index
    %c1_1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %6 = arith.divui %5, %c100 : index
    %7 = arith.maxsi %6, %c1_1 : index
    %8 = arith.divui %c14392, %7 : index
    %9 = arith.minsi %c14392, %5 : index
    %c13268 = arith.constant 13268 : index
    %c976 = arith.constant 976 : index
    %10 = arith.muli %1, %c976 : index
    %11 = arith.addi %c13268, %10 : index
    %c1_2 = arith.constant 1 : index
    %c100_3 = arith.constant 100 : index
    %12 = arith.divui %11, %c100_3 : index
    %13 = arith.maxsi %12, %c1_2 : index
    %14 = arith.divui %9, %13 : index
    %15 = kernel.at_least %14, "two.top.0.short" default 100
    %16 = kernel.at_least %0, "two.top.0" default 32768
    %17 = arith.ori %16, %15 : i1
    %18:2 = scf.if %17 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %20:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %21 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_4 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_4 iter_args(%arg2 = %21) -> (tensor<?xf32>) {
          %22 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %22 : f32
          %23 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %23 : tensor<?xf32>
        }
        %c0_5 = arith.constant 0 : index
        %c1_6 = arith.constant 1 : index
        %s = scf.for %arg1 = %c0_5 to %1 step %c1_6 iter_args(%p = %zero) -> (f32) {
          %q = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %r = arith.addf %p, %q : f32
          scf.yield %r : f32
        } {kernel.reduction}
        kernel.return %t, %s : tensor<?xf32>, f32
      }
      scf.yield %20#0, %20#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %20 = arith.muli %1, %c1 : index
      %21 = arith.muli %1, %c1_0 : index
      %22 = arith.maxsi %20, %21 : index
      %c1024_4 = arith.constant 1024 : index
      %23 = arith.cmpi sle, %22, %c1024_4 : index
      %24 = kernel.at_least %22, "two.intra.0" default 32
      %25 = kernel.at_least %8, "two.intra.0.few" default 100
      %26 = arith.ori %24, %25 : i1
      %27 = arith.andi %23, %26 : i1
      %28:2 = scf.if %27 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %29:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %30 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %32 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.negf %32 : f32
            kernel.return %y : f32
          }
          %31 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %32 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %32 : f32
          } combine (%p, %q) {
            %r = arith.addf %p, %q : f32
            kernel.return %r : f32
          }
          kernel.return %30, %31 : tensor<?xf32>, f32
        }
        scf.yield %29#0, %29#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %29 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %31 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %31 : f32
          kernel.return %y : f32
        }
        %30 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %31 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %31 : f32
        } combine (%p, %q) {
          %r = arith.addf %p, %q : f32
          kernel.return %r : f32
        }
        scf.yield %29, %30 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %28#0, %28#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %19 = kernel.reshape %18#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %19, %18#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @number(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %c14448 = arith.constant 14448 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1024 = arith.constant 1024 : index
    %4 = arith.ceildivsi %0, %c1024 : index
    %5 = arith.subi %c7492, %c6610 : index
    %6 = arith.muli %5, %4 : index
    %7 = arith.addi %c6610, %6 : index
    %c1_0 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %8 = arith.divui %7, %c100 : index
    %9 = arith.maxsi %8, %c1_0 : index
    %10 = arith.divui %c14448, %9 : index
    %11 = arith.minsi %c14448, %7 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %12 = arith.muli %1, %c640 : index
    %13 = arith.addi %c13748, %12 : index
    %c1_1 = arith.constant 1 : index
    %c100_2 = arith.constant 100 : index
    %14 = arith.divui %13, %c100_2 : index
    %15 = arith.maxsi %14, %c1_1 : index
    %16 = arith.divui %11, %15 : index
    %17 = kernel.at_least %16, "number.top.0.short" default 100
    %18 = kernel.at_least %0, "number.top.0" default 32768
    %19 = arith.ori %18, %17 : i1
    %20:2 = scf.if %19 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %22:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %23 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %23 : f32
        %24 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_3 iter_args(%arg2 = %24) -> (tensor<?xf32>) {
          %25 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %25, %e : f32
          %26 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %26 : tensor<?xf32>
        }
        kernel.return %t, %e : tensor<?xf32>, f32
      }
      scf.yield %22#0, %22#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %22 = arith.muli %1, %c1 : index
      %c1024_3 = arith.constant 1024 : index
      %23 = arith.cmpi sle, %22, %c1024_3 : index
      %24 = kernel.at_least %22, "number.intra.0" default 32
      %25 = kernel.at_least %10, "number.intra.0.few" default 100
      %26 = arith.ori %24, %25 : i1
      %27 = arith.andi %23, %26 : i1
      %28:2 = scf.if %27 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %29:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %30 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %30 : f32
          %31 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %32 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %32, %e : f32
            kernel.return %y : f32
          }
          kernel.return %31, %e : tensor<?xf32>, f32
        }
        scf.yield %29#0, %29#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %29 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %31 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %31 : f32
          kernel.return %e : f32
        }
        %30 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %31 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %32 = kernel.read %29[%arg0] : tensor<?xf32>
          %y = arith.mulf %31, %32 : f32
          kernel.return %y : f32
        }
        scf.yield %30, %29 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %28#0, %28#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %21 = kernel.reshape %20#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %21, %20#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @expensive(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> tensor<?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %c14448 = arith.constant 14448 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1024 = arith.constant 1024 : index
    %4 = arith.ceildivsi %0, %c1024 : index
    %5 = arith.subi %c7492, %c6610 : index
    %6 = arith.muli %5, %4 : index
    %7 = arith.addi %c6610, %6 : index
    %c1_0 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %8 = arith.divui %7, %c100 : index
    %9 = arith.maxsi %8, %c1_0 : index
    %10 = arith.divui %c14448, %9 : index
    %11 = arith.minsi %c14448, %7 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %12 = arith.muli %1, %c640 : index
    %13 = arith.addi %c13748, %12 : index
    %c1_1 = arith.constant 1 : index
    %c100_2 = arith.constant 100 : index
    %14 = arith.divui %13, %c100_2 : index
    %15 = arith.maxsi %14, %c1_1 : index
    %16 = arith.divui %11, %15 : index
    %17 = kernel.at_least %16, "expensive.top.0.short" default 100
    %18 = kernel.at_least %0, "expensive.top.0" default 32768
    %19 = arith.ori %18, %17 : i1
    %20 = scf.if %19 -> (tensor<?x?xf32>) {
      %22 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %23 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %23 : f32
        %24 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_3 iter_args(%arg2 = %24) -> (tensor<?xf32>) {
          %25 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %25, %e : f32
          %26 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %26 : tensor<?xf32>
        }
        kernel.return %t : tensor<?xf32>
      }
      scf.yield %22 : tensor<?x?xf32>
    } else {
      %22 = arith.muli %1, %c1 : index
      %c1024_3 = arith.constant 1024 : index
      %23 = arith.cmpi sle, %22, %c1024_3 : index
      %24 = kernel.at_least %22, "expensive.intra.0" default 32
      %25 = kernel.at_least %10, "expensive.intra.0.few" default 100
      %26 = arith.ori %24, %25 : i1
      %27 = arith.andi %23, %26 : i1
      %28 = scf.if %27 -> (tensor<?x?xf32>) {
        %29 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %30 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %30 : f32
          %31 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %32 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %32, %e : f32
            kernel.return %y : f32
          }
          kernel.return %31 : tensor<?xf32>
        }
        scf.yield %29 : tensor<?x?xf32>
      } else {
        %29 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %31 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %31 : f32
          kernel.return %e : f32
        }
        %30 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %31 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %32 = kernel.read %29[%arg0] : tensor<?xf32>
          %y = arith.mulf %31, %32 : f32
          kernel.return %y : f32
        }
        scf.yield %30 : tensor<?x?xf32>
      }
      scf.yield %28 : tensor<?x?xf32>
    }
    %21 = kernel.reshape %20 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %21 : tensor<?x?xf32>
  }
}

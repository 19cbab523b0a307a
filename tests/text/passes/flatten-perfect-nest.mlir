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
    %2 = kernel.at_least %0, "two.top.0" default 32768
    %c1_1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %3 = arith.maxsi %0, %c1_1 : index
    %4 = arith.divui %c1024, %3 : index
    %5 = kernel.at_least %4, "two.intra.0.few" default 1
    %6 = arith.muli %1, %c1 : index
    %7 = arith.muli %1, %c1_0 : index
    %8 = arith.maxsi %6, %7 : index
    %c1_2 = arith.constant 1 : index
    %c1024_3 = arith.constant 1024 : index
    %9 = arith.maxsi %8, %c1_2 : index
    %10 = arith.divui %c1024_3, %9 : index
    %11 = kernel.at_least %10, "two.top.0.short" default 128
    %true = arith.constant true
    %12 = arith.xori %5, %true : i1
    %13 = arith.andi %11, %12 : i1
    %14 = arith.ori %2, %13 : i1
    %15:2 = scf.if %14 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %17:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %18 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_4 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_4 iter_args(%arg2 = %18) -> (tensor<?xf32>) {
          %19 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %19 : f32
          %20 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %20 : tensor<?xf32>
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
      scf.yield %17#0, %17#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %17 = arith.muli %1, %c1 : index
      %18 = arith.muli %1, %c1_0 : index
      %19 = arith.maxsi %17, %18 : index
      %c1024_4 = arith.constant 1024 : index
      %20 = arith.cmpi sle, %19, %c1024_4 : index
      %21 = kernel.at_least %19, "two.intra.0" default 32
      %22 = arith.ori %21, %5 : i1
      %23 = arith.andi %20, %22 : i1
      %24:2 = scf.if %23 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %25:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %26 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %28 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.negf %28 : f32
            kernel.return %y : f32
          }
          %27 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %28 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %28 : f32
          } combine (%p, %q) {
            %r = arith.addf %p, %q : f32
            kernel.return %r : f32
          }
          kernel.return %26, %27 : tensor<?xf32>, f32
        }
        scf.yield %25#0, %25#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %25 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %27 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %27 : f32
          kernel.return %y : f32
        }
        %26 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %27 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %27 : f32
        } combine (%p, %q) {
          %r = arith.addf %p, %q : f32
          kernel.return %r : f32
        }
        scf.yield %25, %26 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %24#0, %24#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %16 = kernel.reshape %15#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %16, %15#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @number(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %4 = kernel.at_least %0, "number.top.0" default 32768
    %c1_0 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %5 = arith.maxsi %0, %c1_0 : index
    %6 = arith.divui %c1024, %5 : index
    %7 = kernel.at_least %6, "number.intra.0.few" default 1
    %8 = arith.muli %1, %c1 : index
    %c1_1 = arith.constant 1 : index
    %c1024_2 = arith.constant 1024 : index
    %9 = arith.maxsi %8, %c1_1 : index
    %10 = arith.divui %c1024_2, %9 : index
    %11 = kernel.at_least %10, "number.top.0.short" default 128
    %true = arith.constant true
    %12 = arith.xori %7, %true : i1
    %13 = arith.andi %11, %12 : i1
    %14 = arith.ori %4, %13 : i1
    %15:2 = scf.if %14 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %17:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %18 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %18 : f32
        %19 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_3 iter_args(%arg2 = %19) -> (tensor<?xf32>) {
          %20 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %20, %e : f32
          %21 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %21 : tensor<?xf32>
        }
        kernel.return %t, %e : tensor<?xf32>, f32
      }
      scf.yield %17#0, %17#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %17 = arith.muli %1, %c1 : index
      %c1024_3 = arith.constant 1024 : index
      %18 = arith.cmpi sle, %17, %c1024_3 : index
      %19 = kernel.at_least %17, "number.intra.0" default 32
      %20 = arith.ori %19, %7 : i1
      %21 = arith.andi %18, %20 : i1
      %22:2 = scf.if %21 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %23:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %24 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %24 : f32
          %25 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %26 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %26, %e : f32
            kernel.return %y : f32
          }
          kernel.return %25, %e : tensor<?xf32>, f32
        }
        scf.yield %23#0, %23#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %23 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %25 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %25 : f32
          kernel.return %e : f32
        }
        %24 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %25 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %26 = kernel.read %23[%arg0] : tensor<?xf32>
          %y = arith.mulf %25, %26 : f32
          kernel.return %y : f32
        }
        scf.yield %24, %23 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %22#0, %22#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %16 = kernel.reshape %15#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %16, %15#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @expensive(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> tensor<?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %4 = kernel.at_least %0, "expensive.top.0" default 32768
    %c1_0 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %5 = arith.maxsi %0, %c1_0 : index
    %6 = arith.divui %c1024, %5 : index
    %7 = kernel.at_least %6, "expensive.intra.0.few" default 1
    %8 = arith.muli %1, %c1 : index
    %c1_1 = arith.constant 1 : index
    %c1024_2 = arith.constant 1024 : index
    %9 = arith.maxsi %8, %c1_1 : index
    %10 = arith.divui %c1024_2, %9 : index
    %11 = kernel.at_least %10, "expensive.top.0.short" default 128
    %true = arith.constant true
    %12 = arith.xori %7, %true : i1
    %13 = arith.andi %11, %12 : i1
    %14 = arith.ori %4, %13 : i1
    %15 = scf.if %14 -> (tensor<?x?xf32>) {
      %17 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %18 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %18 : f32
        %19 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_3 iter_args(%arg2 = %19) -> (tensor<?xf32>) {
          %20 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %20, %e : f32
          %21 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %21 : tensor<?xf32>
        }
        kernel.return %t : tensor<?xf32>
      }
      scf.yield %17 : tensor<?x?xf32>
    } else {
      %17 = arith.muli %1, %c1 : index
      %c1024_3 = arith.constant 1024 : index
      %18 = arith.cmpi sle, %17, %c1024_3 : index
      %19 = kernel.at_least %17, "expensive.intra.0" default 32
      %20 = arith.ori %19, %7 : i1
      %21 = arith.andi %18, %20 : i1
      %22 = scf.if %21 -> (tensor<?x?xf32>) {
        %23 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %24 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %24 : f32
          %25 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %26 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %26, %e : f32
            kernel.return %y : f32
          }
          kernel.return %25 : tensor<?xf32>
        }
        scf.yield %23 : tensor<?x?xf32>
      } else {
        %23 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %25 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %25 : f32
          kernel.return %e : f32
        }
        %24 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %25 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %26 = kernel.read %23[%arg0] : tensor<?xf32>
          %y = arith.mulf %25, %26 : f32
          kernel.return %y : f32
        }
        scf.yield %24 : tensor<?x?xf32>
      }
      scf.yield %22 : tensor<?x?xf32>
    }
    %16 = kernel.reshape %15 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %16 : tensor<?x?xf32>
  }
}

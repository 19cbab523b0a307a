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
    %2 = arith.muli %c1_1, %0 : index
    %c1_2 = arith.constant 1 : index
    %3 = arith.muli %c1_2, %1 : index
    %c1_3 = arith.constant 1 : index
    %4 = arith.muli %c1_3, %1 : index
    %5 = arith.maxsi %3, %4 : index
    %c14392 = arith.constant 14392 : index
    %c7706 = arith.constant 7706 : index
    %c6610 = arith.constant 6610 : index
    %c1_4 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %6 = arith.ceildivsi %5, %c32 : index
    %7 = arith.minsi %6, %c8 : index
    %8 = arith.maxsi %7, %c1_4 : index
    %9 = arith.divui %c8192, %8 : index
    %10 = arith.minsi %9, %c4096 : index
    %11 = arith.ceildivsi %0, %10 : index
    %12 = arith.subi %c7706, %c6610 : index
    %13 = arith.muli %12, %11 : index
    %14 = arith.addi %c6610, %13 : index
    %c1_5 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %15 = arith.divui %14, %c100 : index
    %16 = arith.maxsi %15, %c1_5 : index
    %17 = arith.divui %c14392, %16 : index
    %18 = arith.minsi %c14392, %14 : index
    %c13268 = arith.constant 13268 : index
    %c976 = arith.constant 976 : index
    %19 = arith.muli %1, %c976 : index
    %20 = arith.addi %c13268, %19 : index
    %c1_6 = arith.constant 1 : index
    %c100_7 = arith.constant 100 : index
    %21 = arith.divui %20, %c100_7 : index
    %22 = arith.maxsi %21, %c1_6 : index
    %23 = arith.divui %18, %22 : index
    %24 = kernel.at_least %23, "two.top.0.short" default 100
    %25 = kernel.at_least %0, "two.top.0" default 32768
    %26 = kernel.at_least %1, "two.top.0.long" default 16
    %true = arith.constant true
    %27 = arith.xori %26, %true : i1
    %28 = arith.andi %25, %27 : i1
    %29 = arith.ori %28, %24 : i1
    %30:2 = scf.if %29 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %32:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %33 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_8 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_8 iter_args(%arg2 = %33) -> (tensor<?xf32>) {
          %34 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %34 : f32
          %35 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %35 : tensor<?xf32>
        }
        %c0_9 = arith.constant 0 : index
        %c1_10 = arith.constant 1 : index
        %s = scf.for %arg1 = %c0_9 to %1 step %c1_10 iter_args(%p = %zero) -> (f32) {
          %q = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %r = arith.addf %p, %q : f32
          scf.yield %r : f32
        } {kernel.reduction}
        kernel.return %t, %s : tensor<?xf32>, f32
      }
      scf.yield %32#0, %32#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %32 = arith.muli %1, %c1 : index
      %33 = arith.muli %1, %c1_0 : index
      %34 = arith.maxsi %32, %33 : index
      %c1024 = arith.constant 1024 : index
      %35 = arith.cmpi sle, %34, %c1024 : index
      %36 = kernel.at_least %34, "two.intra.0" default 256
      %37 = kernel.at_least %17, "two.intra.0.few" default 100
      %38 = arith.ori %36, %37 : i1
      %39 = arith.andi %35, %38 : i1
      %40:2 = scf.if %39 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %41:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %42 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %44 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.negf %44 : f32
            kernel.return %y : f32
          }
          %43 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %44 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %44 : f32
          } combine (%p, %q) {
            %r = arith.addf %p, %q : f32
            kernel.return %r : f32
          }
          kernel.return %42, %43 : tensor<?xf32>, f32
        }
        scf.yield %41#0, %41#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %41 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %43 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %43 : f32
          kernel.return %y : f32
        }
        %42 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %43 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %43 : f32
        } combine (%p, %q) {
          %r = arith.addf %p, %q : f32
          kernel.return %r : f32
        }
        scf.yield %41, %42 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %40#0, %40#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %31 = kernel.reshape %30#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %31, %30#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @number(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %4 = arith.muli %c1_0, %0 : index
    %c1_1 = arith.constant 1 : index
    %5 = arith.muli %c1_1, %1 : index
    %c14448 = arith.constant 14448 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_2 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %6 = arith.ceildivsi %5, %c32 : index
    %7 = arith.minsi %6, %c8 : index
    %8 = arith.maxsi %7, %c1_2 : index
    %9 = arith.divui %c8192, %8 : index
    %10 = arith.minsi %9, %c4096 : index
    %11 = arith.ceildivsi %0, %10 : index
    %12 = arith.subi %c7492, %c6610 : index
    %13 = arith.muli %12, %11 : index
    %14 = arith.addi %c6610, %13 : index
    %c1_3 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %15 = arith.divui %14, %c100 : index
    %16 = arith.maxsi %15, %c1_3 : index
    %17 = arith.divui %c14448, %16 : index
    %18 = arith.minsi %c14448, %14 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %19 = arith.muli %1, %c640 : index
    %20 = arith.addi %c13748, %19 : index
    %c1_4 = arith.constant 1 : index
    %c100_5 = arith.constant 100 : index
    %21 = arith.divui %20, %c100_5 : index
    %22 = arith.maxsi %21, %c1_4 : index
    %23 = arith.divui %18, %22 : index
    %24 = kernel.at_least %23, "number.top.0.short" default 100
    %25 = kernel.at_least %0, "number.top.0" default 32768
    %26 = kernel.at_least %1, "number.top.0.long" default 16
    %true = arith.constant true
    %27 = arith.xori %26, %true : i1
    %28 = arith.andi %25, %27 : i1
    %29 = arith.ori %28, %24 : i1
    %30:2 = scf.if %29 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %32:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %33 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %33 : f32
        %34 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_6 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_6 iter_args(%arg2 = %34) -> (tensor<?xf32>) {
          %35 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %35, %e : f32
          %36 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %36 : tensor<?xf32>
        }
        kernel.return %t, %e : tensor<?xf32>, f32
      }
      scf.yield %32#0, %32#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %32 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %33 = arith.cmpi sle, %32, %c1024 : index
      %34 = kernel.at_least %32, "number.intra.0" default 256
      %35 = kernel.at_least %17, "number.intra.0.few" default 100
      %36 = arith.ori %34, %35 : i1
      %37 = arith.andi %33, %36 : i1
      %38:2 = scf.if %37 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %39:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %40 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %40 : f32
          %41 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %42 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %42, %e : f32
            kernel.return %y : f32
          }
          kernel.return %41, %e : tensor<?xf32>, f32
        }
        scf.yield %39#0, %39#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %39 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %41 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %41 : f32
          kernel.return %e : f32
        }
        %40 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %41 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %42 = kernel.read %39[%arg0] : tensor<?xf32>
          %y = arith.mulf %41, %42 : f32
          kernel.return %y : f32
        }
        scf.yield %40, %39 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %38#0, %38#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %31 = kernel.reshape %30#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %31, %30#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @expensive(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> tensor<?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %4 = arith.muli %c1_0, %0 : index
    %c1_1 = arith.constant 1 : index
    %5 = arith.muli %c1_1, %1 : index
    %c14448 = arith.constant 14448 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_2 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %6 = arith.ceildivsi %5, %c32 : index
    %7 = arith.minsi %6, %c8 : index
    %8 = arith.maxsi %7, %c1_2 : index
    %9 = arith.divui %c8192, %8 : index
    %10 = arith.minsi %9, %c4096 : index
    %11 = arith.ceildivsi %0, %10 : index
    %12 = arith.subi %c7492, %c6610 : index
    %13 = arith.muli %12, %11 : index
    %14 = arith.addi %c6610, %13 : index
    %c1_3 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %15 = arith.divui %14, %c100 : index
    %16 = arith.maxsi %15, %c1_3 : index
    %17 = arith.divui %c14448, %16 : index
    %18 = arith.minsi %c14448, %14 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %19 = arith.muli %1, %c640 : index
    %20 = arith.addi %c13748, %19 : index
    %c1_4 = arith.constant 1 : index
    %c100_5 = arith.constant 100 : index
    %21 = arith.divui %20, %c100_5 : index
    %22 = arith.maxsi %21, %c1_4 : index
    %23 = arith.divui %18, %22 : index
    %24 = kernel.at_least %23, "expensive.top.0.short" default 100
    %25 = kernel.at_least %0, "expensive.top.0" default 32768
    %26 = kernel.at_least %1, "expensive.top.0.long" default 16
    %true = arith.constant true
    %27 = arith.xori %26, %true : i1
    %28 = arith.andi %25, %27 : i1
    %29 = arith.ori %28, %24 : i1
    %30 = scf.if %29 -> (tensor<?x?xf32>) {
      %32 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %33 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %33 : f32
        %34 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_6 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_6 iter_args(%arg2 = %34) -> (tensor<?xf32>) {
          %35 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %35, %e : f32
          %36 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %36 : tensor<?xf32>
        }
        kernel.return %t : tensor<?xf32>
      }
      scf.yield %32 : tensor<?x?xf32>
    } else {
      %32 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %33 = arith.cmpi sle, %32, %c1024 : index
      %34 = kernel.at_least %32, "expensive.intra.0" default 256
      %35 = kernel.at_least %17, "expensive.intra.0.few" default 100
      %36 = arith.ori %34, %35 : i1
      %37 = arith.andi %33, %36 : i1
      %38 = scf.if %37 -> (tensor<?x?xf32>) {
        %39 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %40 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %40 : f32
          %41 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %42 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %42, %e : f32
            kernel.return %y : f32
          }
          kernel.return %41 : tensor<?xf32>
        }
        scf.yield %39 : tensor<?x?xf32>
      } else {
        %39 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %41 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %41 : f32
          kernel.return %e : f32
        }
        %40 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %41 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %42 = kernel.read %39[%arg0] : tensor<?xf32>
          %y = arith.mulf %41, %42 : f32
          kernel.return %y : f32
        }
        scf.yield %40 : tensor<?x?xf32>
      }
      scf.yield %38 : tensor<?x?xf32>
    }
    %31 = kernel.reshape %30 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %31 : tensor<?x?xf32>
  }
}

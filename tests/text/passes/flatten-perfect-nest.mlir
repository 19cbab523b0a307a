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
    %c32 = arith.constant 32 : index
    %3 = arith.ceildivsi %2, %c32 : index
    %4 = arith.muli %c1_2, %3 : index
    %c1_3 = arith.constant 1 : index
    %5 = arith.muli %c1_3, %0 : index
    %6 = arith.muli %5, %1 : index
    %c1_4 = arith.constant 1 : index
    %c32_5 = arith.constant 32 : index
    %7 = arith.ceildivsi %6, %c32_5 : index
    %8 = arith.muli %c1_4, %7 : index
    %c1_6 = arith.constant 1 : index
    %9 = arith.muli %c1_6, %0 : index
    %10 = arith.muli %9, %1 : index
    %c1_7 = arith.constant 1 : index
    %c32_8 = arith.constant 32 : index
    %11 = arith.ceildivsi %10, %c32_8 : index
    %12 = arith.muli %c1_7, %11 : index
    %c1_9 = arith.constant 1 : index
    %13 = arith.muli %c1_9, %0 : index
    %c1_10 = arith.constant 1 : index
    %14 = arith.muli %c1_10, %1 : index
    %c32_11 = arith.constant 32 : index
    %15 = arith.ceildivsi %14, %c32_11 : index
    %16 = arith.muli %13, %15 : index
    %c1_12 = arith.constant 1 : index
    %17 = arith.muli %c1_12, %1 : index
    %c32_13 = arith.constant 32 : index
    %18 = arith.ceildivsi %17, %c32_13 : index
    %19 = arith.muli %13, %18 : index
    %20 = arith.maxsi %14, %17 : index
    %c14392 = arith.constant 14392 : index
    %c124 = arith.constant 124 : index
    %21 = arith.muli %8, %c124 : index
    %c163 = arith.constant 163 : index
    %22 = arith.muli %12, %c163 : index
    %23 = arith.addi %21, %22 : index
    %c2112 = arith.constant 2112 : index
    %24 = arith.divui %23, %c2112 : index
    %25 = arith.addi %c14392, %24 : index
    %c7706 = arith.constant 7706 : index
    %c6610 = arith.constant 6610 : index
    %c1_14 = arith.constant 1 : index
    %c32_15 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %26 = arith.ceildivsi %20, %c32_15 : index
    %27 = arith.minsi %26, %c8 : index
    %28 = arith.maxsi %27, %c1_14 : index
    %29 = arith.divui %c8192, %28 : index
    %30 = arith.minsi %29, %c4096 : index
    %31 = arith.ceildivsi %0, %30 : index
    %32 = arith.subi %c7706, %c6610 : index
    %33 = arith.muli %32, %31 : index
    %c8_16 = arith.constant 8 : index
    %34 = arith.muli %13, %c8_16 : index
    %c24 = arith.constant 24 : index
    %35 = arith.muli %16, %c24 : index
    %36 = arith.addi %34, %35 : index
    %c251 = arith.constant 251 : index
    %37 = arith.muli %19, %c251 : index
    %38 = arith.addi %36, %37 : index
    %c2112_17 = arith.constant 2112 : index
    %39 = arith.divui %38, %c2112_17 : index
    %40 = arith.maxsi %33, %39 : index
    %41 = arith.addi %c6610, %40 : index
    %c1_18 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %42 = arith.divui %41, %c100 : index
    %43 = arith.maxsi %42, %c1_18 : index
    %44 = arith.divui %25, %43 : index
    %45 = arith.minsi %25, %41 : index
    %c13268 = arith.constant 13268 : index
    %c976 = arith.constant 976 : index
    %46 = arith.muli %1, %c976 : index
    %47 = arith.addi %c13268, %46 : index
    %c48 = arith.constant 48 : index
    %48 = arith.muli %4, %c48 : index
    %c88 = arith.constant 88 : index
    %49 = arith.muli %1, %c88 : index
    %50 = arith.muli %4, %49 : index
    %51 = arith.addi %48, %50 : index
    %c2112_19 = arith.constant 2112 : index
    %52 = arith.divui %51, %c2112_19 : index
    %53 = arith.addi %47, %52 : index
    %c1_20 = arith.constant 1 : index
    %c100_21 = arith.constant 100 : index
    %54 = arith.divui %53, %c100_21 : index
    %55 = arith.maxsi %54, %c1_20 : index
    %56 = arith.divui %45, %55 : index
    %57 = kernel.at_least %56, "two.top.0.short" default 100
    %58 = kernel.at_least %0, "two.top.0" default 32768
    %59 = kernel.at_least %1, "two.top.0.long" default 16
    %true = arith.constant true
    %60 = arith.xori %59, %true : i1
    %61 = arith.andi %58, %60 : i1
    %62 = arith.ori %61, %57 : i1
    %63:2 = scf.if %62 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %65:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %66 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_22 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_22 iter_args(%arg2 = %66) -> (tensor<?xf32>) {
          %67 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %67 : f32
          %68 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %68 : tensor<?xf32>
        }
        %c0_23 = arith.constant 0 : index
        %c1_24 = arith.constant 1 : index
        %s = scf.for %arg1 = %c0_23 to %1 step %c1_24 iter_args(%p = %zero) -> (f32) {
          %q = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %r = arith.addf %p, %q : f32
          scf.yield %r : f32
        } {kernel.reduction}
        kernel.return %t, %s : tensor<?xf32>, f32
      }
      scf.yield %65#0, %65#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %65 = arith.muli %1, %c1 : index
      %66 = arith.muli %1, %c1_0 : index
      %67 = arith.maxsi %65, %66 : index
      %c1024 = arith.constant 1024 : index
      %68 = arith.cmpi sle, %67, %c1024 : index
      %69 = kernel.at_least %67, "two.intra.0" default 256
      %70 = kernel.at_least %44, "two.intra.0.few" default 100
      %71 = arith.ori %69, %70 : i1
      %72 = arith.andi %68, %71 : i1
      %73:2 = scf.if %72 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %74:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %75 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %77 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.negf %77 : f32
            kernel.return %y : f32
          }
          %76 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %77 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %77 : f32
          } combine (%p, %q) {
            %r = arith.addf %p, %q : f32
            kernel.return %r : f32
          }
          kernel.return %75, %76 : tensor<?xf32>, f32
        }
        scf.yield %74#0, %74#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %74 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %76 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %76 : f32
          kernel.return %y : f32
        }
        %75 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %76 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %76 : f32
        } combine (%p, %q) {
          %r = arith.addf %p, %q : f32
          kernel.return %r : f32
        }
        scf.yield %74, %75 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %73#0, %73#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %64 = kernel.reshape %63#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %64, %63#1 : tensor<?x?xf32>, tensor<?xf32>
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
    %c32 = arith.constant 32 : index
    %5 = arith.ceildivsi %4, %c32 : index
    %6 = arith.muli %c1_1, %5 : index
    %c1_2 = arith.constant 1 : index
    %7 = arith.muli %c1_2, %0 : index
    %c1_3 = arith.constant 1 : index
    %c32_4 = arith.constant 32 : index
    %8 = arith.ceildivsi %7, %c32_4 : index
    %9 = arith.muli %c1_3, %8 : index
    %c1_5 = arith.constant 1 : index
    %10 = arith.muli %c1_5, %0 : index
    %11 = arith.muli %10, %1 : index
    %c1_6 = arith.constant 1 : index
    %c32_7 = arith.constant 32 : index
    %12 = arith.ceildivsi %11, %c32_7 : index
    %13 = arith.muli %c1_6, %12 : index
    %c1_8 = arith.constant 1 : index
    %14 = arith.muli %c1_8, %0 : index
    %c1_9 = arith.constant 1 : index
    %15 = arith.muli %c1_9, %1 : index
    %c32_10 = arith.constant 32 : index
    %16 = arith.ceildivsi %15, %c32_10 : index
    %17 = arith.muli %14, %16 : index
    %c14448 = arith.constant 14448 : index
    %c208 = arith.constant 208 : index
    %18 = arith.muli %9, %c208 : index
    %c132 = arith.constant 132 : index
    %19 = arith.muli %13, %c132 : index
    %20 = arith.addi %18, %19 : index
    %c2112 = arith.constant 2112 : index
    %21 = arith.divui %20, %c2112 : index
    %22 = arith.addi %c14448, %21 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_11 = arith.constant 1 : index
    %c32_12 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %23 = arith.ceildivsi %15, %c32_12 : index
    %24 = arith.minsi %23, %c8 : index
    %25 = arith.maxsi %24, %c1_11 : index
    %26 = arith.divui %c8192, %25 : index
    %27 = arith.minsi %26, %c4096 : index
    %28 = arith.ceildivsi %0, %27 : index
    %29 = arith.subi %c7492, %c6610 : index
    %30 = arith.muli %29, %28 : index
    %c208_13 = arith.constant 208 : index
    %31 = arith.muli %14, %c208_13 : index
    %c24 = arith.constant 24 : index
    %32 = arith.muli %17, %c24 : index
    %33 = arith.addi %31, %32 : index
    %c2112_14 = arith.constant 2112 : index
    %34 = arith.divui %33, %c2112_14 : index
    %35 = arith.maxsi %30, %34 : index
    %36 = arith.addi %c6610, %35 : index
    %c1_15 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %37 = arith.divui %36, %c100 : index
    %38 = arith.maxsi %37, %c1_15 : index
    %39 = arith.divui %22, %38 : index
    %40 = arith.minsi %22, %36 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %41 = arith.muli %1, %c640 : index
    %42 = arith.addi %c13748, %41 : index
    %c232 = arith.constant 232 : index
    %43 = arith.muli %6, %c232 : index
    %c48 = arith.constant 48 : index
    %44 = arith.muli %1, %c48 : index
    %45 = arith.muli %6, %44 : index
    %46 = arith.addi %43, %45 : index
    %c2112_16 = arith.constant 2112 : index
    %47 = arith.divui %46, %c2112_16 : index
    %48 = arith.addi %42, %47 : index
    %c1_17 = arith.constant 1 : index
    %c100_18 = arith.constant 100 : index
    %49 = arith.divui %48, %c100_18 : index
    %50 = arith.maxsi %49, %c1_17 : index
    %51 = arith.divui %40, %50 : index
    %52 = kernel.at_least %51, "number.top.0.short" default 100
    %53 = kernel.at_least %0, "number.top.0" default 32768
    %54 = kernel.at_least %1, "number.top.0.long" default 16
    %true = arith.constant true
    %55 = arith.xori %54, %true : i1
    %56 = arith.andi %53, %55 : i1
    %57 = arith.ori %56, %52 : i1
    %58:2 = scf.if %57 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %60:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %61 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %61 : f32
        %62 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_19 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_19 iter_args(%arg2 = %62) -> (tensor<?xf32>) {
          %63 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %63, %e : f32
          %64 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %64 : tensor<?xf32>
        }
        kernel.return %t, %e : tensor<?xf32>, f32
      }
      scf.yield %60#0, %60#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %60 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %61 = arith.cmpi sle, %60, %c1024 : index
      %62 = kernel.at_least %60, "number.intra.0" default 256
      %63 = kernel.at_least %39, "number.intra.0.few" default 100
      %64 = arith.ori %62, %63 : i1
      %65 = arith.andi %61, %64 : i1
      %66:2 = scf.if %65 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %67:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %68 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %68 : f32
          %69 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %70 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %70, %e : f32
            kernel.return %y : f32
          }
          kernel.return %69, %e : tensor<?xf32>, f32
        }
        scf.yield %67#0, %67#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %67 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %69 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %69 : f32
          kernel.return %e : f32
        }
        %68 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %69 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %70 = kernel.read %67[%arg0] : tensor<?xf32>
          %y = arith.mulf %69, %70 : f32
          kernel.return %y : f32
        }
        scf.yield %68, %67 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %66#0, %66#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %59 = kernel.reshape %58#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %59, %58#1 : tensor<?x?xf32>, tensor<?xf32>
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
    %c32 = arith.constant 32 : index
    %5 = arith.ceildivsi %4, %c32 : index
    %6 = arith.muli %c1_1, %5 : index
    %c1_2 = arith.constant 1 : index
    %7 = arith.muli %c1_2, %0 : index
    %c1_3 = arith.constant 1 : index
    %c32_4 = arith.constant 32 : index
    %8 = arith.ceildivsi %7, %c32_4 : index
    %9 = arith.muli %c1_3, %8 : index
    %c1_5 = arith.constant 1 : index
    %10 = arith.muli %c1_5, %0 : index
    %11 = arith.muli %10, %1 : index
    %c1_6 = arith.constant 1 : index
    %c32_7 = arith.constant 32 : index
    %12 = arith.ceildivsi %11, %c32_7 : index
    %13 = arith.muli %c1_6, %12 : index
    %c1_8 = arith.constant 1 : index
    %14 = arith.muli %c1_8, %0 : index
    %c1_9 = arith.constant 1 : index
    %15 = arith.muli %c1_9, %1 : index
    %c32_10 = arith.constant 32 : index
    %16 = arith.ceildivsi %15, %c32_10 : index
    %17 = arith.muli %14, %16 : index
    %c14448 = arith.constant 14448 : index
    %c208 = arith.constant 208 : index
    %18 = arith.muli %9, %c208 : index
    %c132 = arith.constant 132 : index
    %19 = arith.muli %13, %c132 : index
    %20 = arith.addi %18, %19 : index
    %c2112 = arith.constant 2112 : index
    %21 = arith.divui %20, %c2112 : index
    %22 = arith.addi %c14448, %21 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_11 = arith.constant 1 : index
    %c32_12 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %23 = arith.ceildivsi %15, %c32_12 : index
    %24 = arith.minsi %23, %c8 : index
    %25 = arith.maxsi %24, %c1_11 : index
    %26 = arith.divui %c8192, %25 : index
    %27 = arith.minsi %26, %c4096 : index
    %28 = arith.ceildivsi %0, %27 : index
    %29 = arith.subi %c7492, %c6610 : index
    %30 = arith.muli %29, %28 : index
    %c208_13 = arith.constant 208 : index
    %31 = arith.muli %14, %c208_13 : index
    %c24 = arith.constant 24 : index
    %32 = arith.muli %17, %c24 : index
    %33 = arith.addi %31, %32 : index
    %c2112_14 = arith.constant 2112 : index
    %34 = arith.divui %33, %c2112_14 : index
    %35 = arith.maxsi %30, %34 : index
    %36 = arith.addi %c6610, %35 : index
    %c1_15 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %37 = arith.divui %36, %c100 : index
    %38 = arith.maxsi %37, %c1_15 : index
    %39 = arith.divui %22, %38 : index
    %40 = arith.minsi %22, %36 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %41 = arith.muli %1, %c640 : index
    %42 = arith.addi %c13748, %41 : index
    %c232 = arith.constant 232 : index
    %43 = arith.muli %6, %c232 : index
    %c48 = arith.constant 48 : index
    %44 = arith.muli %1, %c48 : index
    %45 = arith.muli %6, %44 : index
    %46 = arith.addi %43, %45 : index
    %c2112_16 = arith.constant 2112 : index
    %47 = arith.divui %46, %c2112_16 : index
    %48 = arith.addi %42, %47 : index
    %c1_17 = arith.constant 1 : index
    %c100_18 = arith.constant 100 : index
    %49 = arith.divui %48, %c100_18 : index
    %50 = arith.maxsi %49, %c1_17 : index
    %51 = arith.divui %40, %50 : index
    %52 = kernel.at_least %51, "expensive.top.0.short" default 100
    %53 = kernel.at_least %0, "expensive.top.0" default 32768
    %54 = kernel.at_least %1, "expensive.top.0.long" default 16
    %true = arith.constant true
    %55 = arith.xori %54, %true : i1
    %56 = arith.andi %53, %55 : i1
    %57 = arith.ori %56, %52 : i1
    %58 = scf.if %57 -> (tensor<?x?xf32>) {
      %60 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %61 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %61 : f32
        %62 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_19 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_19 iter_args(%arg2 = %62) -> (tensor<?xf32>) {
          %63 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %63, %e : f32
          %64 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %64 : tensor<?xf32>
        }
        kernel.return %t : tensor<?xf32>
      }
      scf.yield %60 : tensor<?x?xf32>
    } else {
      %60 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %61 = arith.cmpi sle, %60, %c1024 : index
      %62 = kernel.at_least %60, "expensive.intra.0" default 256
      %63 = kernel.at_least %39, "expensive.intra.0.few" default 100
      %64 = arith.ori %62, %63 : i1
      %65 = arith.andi %61, %64 : i1
      %66 = scf.if %65 -> (tensor<?x?xf32>) {
        %67 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %68 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %68 : f32
          %69 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %70 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %70, %e : f32
            kernel.return %y : f32
          }
          kernel.return %69 : tensor<?xf32>
        }
        scf.yield %67 : tensor<?x?xf32>
      } else {
        %67 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %69 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %69 : f32
          kernel.return %e : f32
        }
        %68 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %69 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %70 = kernel.read %67[%arg0] : tensor<?xf32>
          %y = arith.mulf %69, %70 : f32
          kernel.return %y : f32
        }
        scf.yield %68 : tensor<?x?xf32>
      }
      scf.yield %66 : tensor<?x?xf32>
    }
    %59 = kernel.reshape %58 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %59 : tensor<?x?xf32>
  }
}

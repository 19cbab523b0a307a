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
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?x?xf32>
    %c2 = arith.constant 2 : index
    %2 = tensor.dim %a, %c2 : tensor<?x?x?xf32>
    %c0_0 = arith.constant 0 : index
    %3 = tensor.dim %ks, %c0_0 : tensor<?xf32>
    %4 = arith.cmpi eq, %0, %3 : index
    cf.assert %4, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %5 = kernel.segmap thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) -> (tensor<?x?x?xf32>) {
      %6 = tensor.extract %ks[%arg0] : tensor<?xf32>
      %twice = arith.addf %6, %6 : f32
      %7 = tensor.extract %a[%arg0, %arg1, %arg2] : tensor<?x?x?xf32>
      %y = arith.addf %7, %twice : f32
      kernel.return %y : f32
    }
    func.return %5 : tensor<?x?x?xf32>
  }
  func.func @loop(%a: tensor<?x?xf32>, %k: index) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %2 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
      %3 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
      %p = scf.for %i = %c0_0 to %k step %c1_1 iter_args(%s = %3) -> (f32) {
        %q = arith.mulf %s, %3 : f32
        scf.yield %q : f32
      }
      kernel.return %p : f32
    }
    func.return %2 : tensor<?x?xf32>
  }
  func.func @two(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %zero = arith.constant 0.000000e+00 : f32
    %c1_0 = arith.constant 1 : index
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %2 = arith.muli %c1_2, %0 : index
    %c32 = arith.constant 32 : index
    %3 = arith.ceildivsi %2, %c32 : index
    %c1_3 = arith.constant 1 : index
    %4 = arith.muli %c1_3, %0 : index
    %5 = arith.muli %4, %1 : index
    %c32_4 = arith.constant 32 : index
    %6 = arith.ceildivsi %5, %c32_4 : index
    %c1_5 = arith.constant 1 : index
    %7 = arith.muli %c1_5, %0 : index
    %8 = arith.muli %7, %1 : index
    %c32_6 = arith.constant 32 : index
    %9 = arith.ceildivsi %8, %c32_6 : index
    %c1_7 = arith.constant 1 : index
    %10 = arith.muli %c1_7, %0 : index
    %c1_8 = arith.constant 1 : index
    %11 = arith.muli %c1_8, %1 : index
    %c32_9 = arith.constant 32 : index
    %12 = arith.ceildivsi %11, %c32_9 : index
    %13 = arith.muli %10, %12 : index
    %c1_10 = arith.constant 1 : index
    %14 = arith.muli %c1_10, %1 : index
    %c32_11 = arith.constant 32 : index
    %15 = arith.ceildivsi %14, %c32_11 : index
    %16 = arith.muli %10, %15 : index
    %17 = arith.maxsi %11, %14 : index
    %c14392 = arith.constant 14392 : index
    %c124 = arith.constant 124 : index
    %18 = arith.muli %6, %c124 : index
    %c163 = arith.constant 163 : index
    %19 = arith.muli %9, %c163 : index
    %20 = arith.addi %18, %19 : index
    %c2112 = arith.constant 2112 : index
    %21 = arith.divui %20, %c2112 : index
    %22 = arith.addi %c14392, %21 : index
    %c7706 = arith.constant 7706 : index
    %c6610 = arith.constant 6610 : index
    %c1_12 = arith.constant 1 : index
    %c32_13 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %23 = arith.ceildivsi %17, %c32_13 : index
    %24 = arith.minsi %23, %c8 : index
    %25 = arith.maxsi %24, %c1_12 : index
    %26 = arith.divui %c8192, %25 : index
    %27 = arith.minsi %26, %c4096 : index
    %28 = arith.ceildivsi %0, %27 : index
    %29 = arith.subi %c7706, %c6610 : index
    %30 = arith.muli %29, %28 : index
    %c8_14 = arith.constant 8 : index
    %31 = arith.muli %10, %c8_14 : index
    %c24 = arith.constant 24 : index
    %32 = arith.muli %13, %c24 : index
    %33 = arith.addi %31, %32 : index
    %c251 = arith.constant 251 : index
    %34 = arith.muli %16, %c251 : index
    %35 = arith.addi %33, %34 : index
    %c2112_15 = arith.constant 2112 : index
    %36 = arith.divui %35, %c2112_15 : index
    %37 = arith.maxsi %30, %36 : index
    %38 = arith.addi %c6610, %37 : index
    %c1_16 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %39 = arith.divui %38, %c100 : index
    %40 = arith.maxsi %39, %c1_16 : index
    %41 = arith.divui %22, %40 : index
    %42 = arith.minsi %22, %38 : index
    %c13268 = arith.constant 13268 : index
    %c976 = arith.constant 976 : index
    %43 = arith.muli %1, %c976 : index
    %44 = arith.addi %c13268, %43 : index
    %c48 = arith.constant 48 : index
    %45 = arith.muli %3, %c48 : index
    %c88 = arith.constant 88 : index
    %46 = arith.muli %1, %c88 : index
    %47 = arith.muli %3, %46 : index
    %48 = arith.addi %45, %47 : index
    %c2112_17 = arith.constant 2112 : index
    %49 = arith.divui %48, %c2112_17 : index
    %50 = arith.addi %44, %49 : index
    %c1_18 = arith.constant 1 : index
    %c100_19 = arith.constant 100 : index
    %51 = arith.divui %50, %c100_19 : index
    %52 = arith.maxsi %51, %c1_18 : index
    %53 = arith.divui %42, %52 : index
    %54 = kernel.at_least %53, "two.top.0.short" default 100
    %55 = kernel.at_least %0, "two.top.0" default 32768
    %56 = kernel.at_least %1, "two.top.0.long" default 16
    %true = arith.constant true
    %57 = arith.xori %56, %true : i1
    %58 = arith.andi %55, %57 : i1
    %59 = arith.ori %58, %54 : i1
    %60:2 = scf.if %59 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %63:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %64 = tensor.empty(%1) : tensor<?xf32>
        %c0_20 = arith.constant 0 : index
        %c1_21 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0_20 to %1 step %c1_21 iter_args(%arg2 = %64) -> (tensor<?xf32>) {
          %65 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %65 : f32
          %66 = tensor.insert %y into %arg2[%arg1] : tensor<?xf32>
          scf.yield %66 : tensor<?xf32>
        }
        %c0_22 = arith.constant 0 : index
        %c1_23 = arith.constant 1 : index
        %s = scf.for %arg1 = %c0_22 to %1 step %c1_23 iter_args(%p = %zero) -> (f32) {
          %q = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          %r = arith.addf %p, %q : f32
          scf.yield %r : f32
        } {kernel.reduction}
        kernel.return %t, %s : tensor<?xf32>, f32
      }
      scf.yield %63#0, %63#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %63 = arith.muli %1, %c1_0 : index
      %64 = arith.muli %1, %c1_1 : index
      %65 = arith.maxsi %63, %64 : index
      %c1024 = arith.constant 1024 : index
      %66 = arith.cmpi sle, %65, %c1024 : index
      %67 = kernel.at_least %65, "two.intra.0" default 256
      %68 = kernel.at_least %41, "two.intra.0.few" default 100
      %69 = arith.ori %67, %68 : i1
      %70 = arith.andi %66, %69 : i1
      %71:2 = scf.if %70 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %72:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %73 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %75 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.negf %75 : f32
            kernel.return %y : f32
          }
          %74 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %75 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %75 : f32
          } combine (%p, %q) {
            %r = arith.addf %p, %q : f32
            kernel.return %r : f32
          }
          kernel.return %73, %74 : tensor<?xf32>, f32
        }
        scf.yield %72#0, %72#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %72 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %74 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %74 : f32
          kernel.return %y : f32
        }
        %73 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %74 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %74 : f32
        } combine (%p, %q) {
          %r = arith.addf %p, %q : f32
          kernel.return %r : f32
        }
        scf.yield %72, %73 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %71#0, %71#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %61 = tensor.from_elements %0, %1 : tensor<2xindex>
    %62 = tensor.reshape %60#0(%61) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    func.return %62, %60#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @number(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %2 = tensor.dim %ks, %c0_0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %4 = arith.muli %c1_2, %0 : index
    %c32 = arith.constant 32 : index
    %5 = arith.ceildivsi %4, %c32 : index
    %c1_3 = arith.constant 1 : index
    %6 = arith.muli %c1_3, %0 : index
    %c32_4 = arith.constant 32 : index
    %7 = arith.ceildivsi %6, %c32_4 : index
    %c1_5 = arith.constant 1 : index
    %8 = arith.muli %c1_5, %0 : index
    %9 = arith.muli %8, %1 : index
    %c32_6 = arith.constant 32 : index
    %10 = arith.ceildivsi %9, %c32_6 : index
    %c1_7 = arith.constant 1 : index
    %11 = arith.muli %c1_7, %0 : index
    %c1_8 = arith.constant 1 : index
    %12 = arith.muli %c1_8, %1 : index
    %c32_9 = arith.constant 32 : index
    %13 = arith.ceildivsi %12, %c32_9 : index
    %14 = arith.muli %11, %13 : index
    %c14448 = arith.constant 14448 : index
    %c208 = arith.constant 208 : index
    %15 = arith.muli %7, %c208 : index
    %c132 = arith.constant 132 : index
    %16 = arith.muli %10, %c132 : index
    %17 = arith.addi %15, %16 : index
    %c2112 = arith.constant 2112 : index
    %18 = arith.divui %17, %c2112 : index
    %19 = arith.addi %c14448, %18 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_10 = arith.constant 1 : index
    %c32_11 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %20 = arith.ceildivsi %12, %c32_11 : index
    %21 = arith.minsi %20, %c8 : index
    %22 = arith.maxsi %21, %c1_10 : index
    %23 = arith.divui %c8192, %22 : index
    %24 = arith.minsi %23, %c4096 : index
    %25 = arith.ceildivsi %0, %24 : index
    %26 = arith.subi %c7492, %c6610 : index
    %27 = arith.muli %26, %25 : index
    %c208_12 = arith.constant 208 : index
    %28 = arith.muli %11, %c208_12 : index
    %c24 = arith.constant 24 : index
    %29 = arith.muli %14, %c24 : index
    %30 = arith.addi %28, %29 : index
    %c2112_13 = arith.constant 2112 : index
    %31 = arith.divui %30, %c2112_13 : index
    %32 = arith.maxsi %27, %31 : index
    %33 = arith.addi %c6610, %32 : index
    %c1_14 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %34 = arith.divui %33, %c100 : index
    %35 = arith.maxsi %34, %c1_14 : index
    %36 = arith.divui %19, %35 : index
    %37 = arith.minsi %19, %33 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %38 = arith.muli %1, %c640 : index
    %39 = arith.addi %c13748, %38 : index
    %c232 = arith.constant 232 : index
    %40 = arith.muli %5, %c232 : index
    %c48 = arith.constant 48 : index
    %41 = arith.muli %1, %c48 : index
    %42 = arith.muli %5, %41 : index
    %43 = arith.addi %40, %42 : index
    %c2112_15 = arith.constant 2112 : index
    %44 = arith.divui %43, %c2112_15 : index
    %45 = arith.addi %39, %44 : index
    %c1_16 = arith.constant 1 : index
    %c100_17 = arith.constant 100 : index
    %46 = arith.divui %45, %c100_17 : index
    %47 = arith.maxsi %46, %c1_16 : index
    %48 = arith.divui %37, %47 : index
    %49 = kernel.at_least %48, "number.top.0.short" default 100
    %50 = kernel.at_least %0, "number.top.0" default 32768
    %51 = kernel.at_least %1, "number.top.0.long" default 16
    %true = arith.constant true
    %52 = arith.xori %51, %true : i1
    %53 = arith.andi %50, %52 : i1
    %54 = arith.ori %53, %49 : i1
    %55:2 = scf.if %54 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %58:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %59 = tensor.extract %ks[%arg0] : tensor<?xf32>
        %e = math.exp %59 : f32
        %60 = tensor.empty(%1) : tensor<?xf32>
        %c0_18 = arith.constant 0 : index
        %c1_19 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0_18 to %1 step %c1_19 iter_args(%arg2 = %60) -> (tensor<?xf32>) {
          %61 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %61, %e : f32
          %62 = tensor.insert %y into %arg2[%arg1] : tensor<?xf32>
          scf.yield %62 : tensor<?xf32>
        }
        kernel.return %t, %e : tensor<?xf32>, f32
      }
      scf.yield %58#0, %58#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %58 = arith.muli %1, %c1_1 : index
      %c1024 = arith.constant 1024 : index
      %59 = arith.cmpi sle, %58, %c1024 : index
      %60 = kernel.at_least %58, "number.intra.0" default 256
      %61 = kernel.at_least %36, "number.intra.0.few" default 100
      %62 = arith.ori %60, %61 : i1
      %63 = arith.andi %59, %62 : i1
      %64:2 = scf.if %63 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %65:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %66 = tensor.extract %ks[%arg0] : tensor<?xf32>
          %e = math.exp %66 : f32
          %67 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %68 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %68, %e : f32
            kernel.return %y : f32
          }
          kernel.return %67, %e : tensor<?xf32>, f32
        }
        scf.yield %65#0, %65#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %65 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %67 = tensor.extract %ks[%arg0] : tensor<?xf32>
          %e = math.exp %67 : f32
          kernel.return %e : f32
        }
        %66 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %67 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          %68 = tensor.extract %65[%arg0] : tensor<?xf32>
          %y = arith.mulf %67, %68 : f32
          kernel.return %y : f32
        }
        scf.yield %66, %65 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %64#0, %64#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %56 = tensor.from_elements %0, %1 : tensor<2xindex>
    %57 = tensor.reshape %55#0(%56) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    func.return %57, %55#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @expensive(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %2 = tensor.dim %ks, %c0_0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %4 = arith.muli %c1_2, %0 : index
    %c32 = arith.constant 32 : index
    %5 = arith.ceildivsi %4, %c32 : index
    %c1_3 = arith.constant 1 : index
    %6 = arith.muli %c1_3, %0 : index
    %c32_4 = arith.constant 32 : index
    %7 = arith.ceildivsi %6, %c32_4 : index
    %c1_5 = arith.constant 1 : index
    %8 = arith.muli %c1_5, %0 : index
    %9 = arith.muli %8, %1 : index
    %c32_6 = arith.constant 32 : index
    %10 = arith.ceildivsi %9, %c32_6 : index
    %c1_7 = arith.constant 1 : index
    %11 = arith.muli %c1_7, %0 : index
    %c1_8 = arith.constant 1 : index
    %12 = arith.muli %c1_8, %1 : index
    %c32_9 = arith.constant 32 : index
    %13 = arith.ceildivsi %12, %c32_9 : index
    %14 = arith.muli %11, %13 : index
    %c14448 = arith.constant 14448 : index
    %c208 = arith.constant 208 : index
    %15 = arith.muli %7, %c208 : index
    %c132 = arith.constant 132 : index
    %16 = arith.muli %10, %c132 : index
    %17 = arith.addi %15, %16 : index
    %c2112 = arith.constant 2112 : index
    %18 = arith.divui %17, %c2112 : index
    %19 = arith.addi %c14448, %18 : index
    %c7492 = arith.constant 7492 : index
    %c6610 = arith.constant 6610 : index
    %c1_10 = arith.constant 1 : index
    %c32_11 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %20 = arith.ceildivsi %12, %c32_11 : index
    %21 = arith.minsi %20, %c8 : index
    %22 = arith.maxsi %21, %c1_10 : index
    %23 = arith.divui %c8192, %22 : index
    %24 = arith.minsi %23, %c4096 : index
    %25 = arith.ceildivsi %0, %24 : index
    %26 = arith.subi %c7492, %c6610 : index
    %27 = arith.muli %26, %25 : index
    %c208_12 = arith.constant 208 : index
    %28 = arith.muli %11, %c208_12 : index
    %c24 = arith.constant 24 : index
    %29 = arith.muli %14, %c24 : index
    %30 = arith.addi %28, %29 : index
    %c2112_13 = arith.constant 2112 : index
    %31 = arith.divui %30, %c2112_13 : index
    %32 = arith.maxsi %27, %31 : index
    %33 = arith.addi %c6610, %32 : index
    %c1_14 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %34 = arith.divui %33, %c100 : index
    %35 = arith.maxsi %34, %c1_14 : index
    %36 = arith.divui %19, %35 : index
    %37 = arith.minsi %19, %33 : index
    %c13748 = arith.constant 13748 : index
    %c640 = arith.constant 640 : index
    %38 = arith.muli %1, %c640 : index
    %39 = arith.addi %c13748, %38 : index
    %c232 = arith.constant 232 : index
    %40 = arith.muli %5, %c232 : index
    %c48 = arith.constant 48 : index
    %41 = arith.muli %1, %c48 : index
    %42 = arith.muli %5, %41 : index
    %43 = arith.addi %40, %42 : index
    %c2112_15 = arith.constant 2112 : index
    %44 = arith.divui %43, %c2112_15 : index
    %45 = arith.addi %39, %44 : index
    %c1_16 = arith.constant 1 : index
    %c100_17 = arith.constant 100 : index
    %46 = arith.divui %45, %c100_17 : index
    %47 = arith.maxsi %46, %c1_16 : index
    %48 = arith.divui %37, %47 : index
    %49 = kernel.at_least %48, "expensive.top.0.short" default 100
    %50 = kernel.at_least %0, "expensive.top.0" default 32768
    %51 = kernel.at_least %1, "expensive.top.0.long" default 16
    %true = arith.constant true
    %52 = arith.xori %51, %true : i1
    %53 = arith.andi %50, %52 : i1
    %54 = arith.ori %53, %49 : i1
    %55 = scf.if %54 -> (tensor<?x?xf32>) {
      %58 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %59 = tensor.extract %ks[%arg0] : tensor<?xf32>
        %e = math.exp %59 : f32
        %60 = tensor.empty(%1) : tensor<?xf32>
        %c0_18 = arith.constant 0 : index
        %c1_19 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0_18 to %1 step %c1_19 iter_args(%arg2 = %60) -> (tensor<?xf32>) {
          %61 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %61, %e : f32
          %62 = tensor.insert %y into %arg2[%arg1] : tensor<?xf32>
          scf.yield %62 : tensor<?xf32>
        }
        kernel.return %t : tensor<?xf32>
      }
      scf.yield %58 : tensor<?x?xf32>
    } else {
      %58 = arith.muli %1, %c1_1 : index
      %c1024 = arith.constant 1024 : index
      %59 = arith.cmpi sle, %58, %c1024 : index
      %60 = kernel.at_least %58, "expensive.intra.0" default 256
      %61 = kernel.at_least %36, "expensive.intra.0.few" default 100
      %62 = arith.ori %60, %61 : i1
      %63 = arith.andi %59, %62 : i1
      %64 = scf.if %63 -> (tensor<?x?xf32>) {
        %65 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %66 = tensor.extract %ks[%arg0] : tensor<?xf32>
          %e = math.exp %66 : f32
          %67 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %68 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %68, %e : f32
            kernel.return %y : f32
          }
          kernel.return %67 : tensor<?xf32>
        }
        scf.yield %65 : tensor<?x?xf32>
      } else {
        %65 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %67 = tensor.extract %ks[%arg0] : tensor<?xf32>
          %e = math.exp %67 : f32
          kernel.return %e : f32
        }
        %66 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %67 = tensor.extract %a[%arg0, %arg1] : tensor<?x?xf32>
          %68 = tensor.extract %65[%arg0] : tensor<?xf32>
          %y = arith.mulf %67, %68 : f32
          kernel.return %y : f32
        }
        scf.yield %66 : tensor<?x?xf32>
      }
      scf.yield %64 : tensor<?x?xf32>
    }
    %56 = tensor.from_elements %0, %1 : tensor<2xindex>
    %57 = tensor.reshape %55(%56) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    func.return %57 : tensor<?x?xf32>
  }
}

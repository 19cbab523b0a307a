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
    %3:2 = scf.if %2 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %5:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %6 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_1 iter_args(%arg2 = %6) -> (tensor<?xf32>) {
          %7 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %7 : f32
          %8 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %8 : tensor<?xf32>
        }
        %c0_2 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        %s = scf.for %arg1 = %c0_2 to %1 step %c1_3 iter_args(%p = %zero) -> (f32) {
          %q = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %r = arith.addf %p, %q : f32
          scf.yield %r : f32
        } {kernel.reduction}
        kernel.return %t, %s : tensor<?xf32>, f32
      }
      scf.yield %5#0, %5#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %5 = arith.muli %1, %c1 : index
      %6 = arith.muli %1, %c1_0 : index
      %7 = arith.maxsi %5, %6 : index
      %c1024 = arith.constant 1024 : index
      %8 = arith.cmpi sle, %7, %c1024 : index
      %9 = kernel.at_least %7, "two.intra.0" default 32
      %10 = arith.andi %8, %9 : i1
      %11:2 = scf.if %10 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %12:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %13 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %15 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.negf %15 : f32
            kernel.return %y : f32
          }
          %14 = kernel.segred thread (%arg1 < %1) init (%zero : f32) -> (f32) {
            %15 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            kernel.return %15 : f32
          } combine (%p, %q) {
            %r = arith.addf %p, %q : f32
            kernel.return %r : f32
          }
          kernel.return %13, %14 : tensor<?xf32>, f32
        }
        scf.yield %12#0, %12#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %12 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %14 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.negf %14 : f32
          kernel.return %y : f32
        }
        %13 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : f32) -> (tensor<?xf32>) {
          %14 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          kernel.return %14 : f32
        } combine (%p, %q) {
          %r = arith.addf %p, %q : f32
          kernel.return %r : f32
        }
        scf.yield %12, %13 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %11#0, %11#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %4 = kernel.reshape %3#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %4, %3#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @number(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %4 = kernel.at_least %0, "number.top.0" default 32768
    %5:2 = scf.if %4 -> (tensor<?x?xf32>, tensor<?xf32>) {
      %7:2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
        %8 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %8 : f32
        %9 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_0 iter_args(%arg2 = %9) -> (tensor<?xf32>) {
          %10 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %10, %e : f32
          %11 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %11 : tensor<?xf32>
        }
        kernel.return %t, %e : tensor<?xf32>, f32
      }
      scf.yield %7#0, %7#1 : tensor<?x?xf32>, tensor<?xf32>
    } else {
      %7 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %8 = arith.cmpi sle, %7, %c1024 : index
      %9 = kernel.at_least %7, "number.intra.0" default 32
      %10 = arith.andi %8, %9 : i1
      %11:2 = scf.if %10 -> (tensor<?x?xf32>, tensor<?xf32>) {
        %12:2 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>, tensor<?xf32>) {
          %13 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %13 : f32
          %14 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %15 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %15, %e : f32
            kernel.return %y : f32
          }
          kernel.return %14, %e : tensor<?xf32>, f32
        }
        scf.yield %12#0, %12#1 : tensor<?x?xf32>, tensor<?xf32>
      } else {
        %12 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %14 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %14 : f32
          kernel.return %e : f32
        }
        %13 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %14 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %15 = kernel.read %12[%arg0] : tensor<?xf32>
          %y = arith.mulf %14, %15 : f32
          kernel.return %y : f32
        }
        scf.yield %13, %12 : tensor<?x?xf32>, tensor<?xf32>
      }
      scf.yield %11#0, %11#1 : tensor<?x?xf32>, tensor<?xf32>
    }
    %6 = kernel.reshape %5#0 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %6, %5#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func @expensive(%a: tensor<?x?xf32>, %ks: tensor<?xf32>) -> tensor<?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %ks, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `m`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c1 = arith.constant 1 : index
    %4 = kernel.at_least %0, "expensive.top.0" default 32768
    %5 = scf.if %4 -> (tensor<?x?xf32>) {
      %7 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %8 = kernel.read %ks[%arg0] : tensor<?xf32>
        %e = math.exp %8 : f32
        %9 = kernel.scratch [%1] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %t = scf.for %arg1 = %c0 to %1 step %c1_0 iter_args(%arg2 = %9) -> (tensor<?xf32>) {
          %10 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %y = arith.mulf %10, %e : f32
          %11 = kernel.update %y, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %11 : tensor<?xf32>
        }
        kernel.return %t : tensor<?xf32>
      }
      scf.yield %7 : tensor<?x?xf32>
    } else {
      %7 = arith.muli %1, %c1 : index
      %c1024 = arith.constant 1024 : index
      %8 = arith.cmpi sle, %7, %c1024 : index
      %9 = kernel.at_least %7, "expensive.intra.0" default 32
      %10 = arith.andi %8, %9 : i1
      %11 = scf.if %10 -> (tensor<?x?xf32>) {
        %12 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %13 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %13 : f32
          %14 = kernel.segmap thread (%arg1 < %1) -> (tensor<?xf32>) {
            %15 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
            %y = arith.mulf %15, %e : f32
            kernel.return %y : f32
          }
          kernel.return %14 : tensor<?xf32>
        }
        scf.yield %12 : tensor<?x?xf32>
      } else {
        %12 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
          %14 = kernel.read %ks[%arg0] : tensor<?xf32>
          %e = math.exp %14 : f32
          kernel.return %e : f32
        }
        %13 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xf32>) {
          %14 = kernel.read %a[%arg0, %arg1] : tensor<?x?xf32>
          %15 = kernel.read %12[%arg0] : tensor<?xf32>
          %y = arith.mulf %14, %15 : f32
          kernel.return %y : f32
        }
        scf.yield %13 : tensor<?x?xf32>
      }
      scf.yield %11 : tensor<?x?xf32>
    }
    %6 = kernel.reshape %5 to [%0, %1] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %6 : tensor<?x?xf32>
  }
}

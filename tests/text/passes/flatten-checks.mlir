// pass: builtin.module(explicit-checks,flatten,canonicalize,cse,dce)
// A check that is the same for all points is made once, unless there is none; others are made by the points, where nothing
// needs them by a segmap of their own, and where a nest inside has no points by one that runs only then.
builtin.module {
  func.func @same(%xs: !array.array<[n]i32>, %k: i32) -> !array.array<[n]i32> {
    %c = arith.constant 100 : i32
    %r = array.map (%x in %xs : [n]i32) {
      %q = arith.divsi %c, %k : i32
      %y = arith.addi %x, %q : i32
      array.yield %y : i32
    }
    func.return %r : !array.array<[n]i32>
  }
  func.func @unused(%xs: !array.array<[n]i32>, %is: !array.array<[n]index>) -> !array.array<[n]i32> {
    %r = array.map (%x in %xs : [n]i32, %i in %is : [n]index) {
      %q = array.index %xs[%i] : [n]i32
      array.yield %x : i32
    }
    func.return %r : !array.array<[n]i32>
  }
  func.func @deeper(%xss: !array.array<[n][m]i32>, %is: !array.array<[n]index>) -> !array.array<[n][m]i32> {
    %r = array.map (%xs in %xss : [n][m]i32, %i in %is : [n]index) {
      %q = array.index %xs[%i] : [m]i32
      %ys = array.map (%x in %xs : [m]i32) {
        %y = arith.addi %x, %q : i32
        array.yield %y : i32
      }
      array.yield %ys : [m]i32
    }
    func.return %r : !array.array<[n][m]i32>
  }
}
// ===== expected
builtin.module {
  func.func @same(%xs: tensor<?xi32>, %k: i32) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %c = arith.constant 100 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tensor.dim %xs, %c0 : tensor<?xi32>
    %1 = arith.cmpi ne, %k, %c0_i32 : i32
    %2 = arith.cmpi eq, %0, %c0 : index
    %3 = arith.ori %1, %2 : i1
    %4 = arith.select %1, %k, %c1_i32 : i32
    %5 = check.require %3, %4 else %c1_i32 : i32, i32, "'arith.divsi' op divides by zero"
    %q = arith.divsi %c, %5 : i32
    %6 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xi32>) {
      %7 = tensor.extract %xs[%arg0] : tensor<?xi32>
      %y = arith.addi %7, %q : i32
      kernel.return %y : i32
    }
    func.return %6 : tensor<?xi32>
  }
  func.func @unused(%xs: tensor<?xi32>, %is: tensor<?xindex>) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %xs, %c0 : tensor<?xi32>
    %1 = tensor.dim %is, %c0 : tensor<?xindex>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    kernel.segmap thread (%arg0 < %0) -> () {
      %3 = tensor.extract %is[%arg0] : tensor<?xindex>
      %4 = arith.cmpi ult, %3, %0 : index
      %5 = check.require %4, %3 else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [n]i32, which has {1}"(%3, %0 : index, index)
      kernel.return
    }
    func.return %xs : tensor<?xi32>
  }
  func.func @deeper(%xss: tensor<?x?xi32>, %is: tensor<?xindex>) -> tensor<?x?xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.dim %xss, %c0 : tensor<?x?xi32>
    %1 = tensor.dim %xss, %c1 : tensor<?x?xi32>
    %2 = tensor.dim %is, %c0 : tensor<?xindex>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %4 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?xi32>) {
      %6 = tensor.extract %is[%arg0] : tensor<?xindex>
      %7 = arith.cmpi ult, %6, %1 : index
      %8 = check.require %7, %6 else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [m]i32, which has {1}"(%6, %1 : index, index)
      %9 = tensor.extract %xss[%arg0, %arg1] : tensor<?x?xi32>
      %10 = tensor.extract %xss[%arg0, %8] {kernel.checked} : tensor<?x?xi32>
      %y = arith.addi %9, %10 : i32
      kernel.return %y : i32
    }
    %5 = arith.cmpi eq, %1, %c0 : index
    scf.if %5 {
      kernel.segmap thread (%arg0 < %0) -> () {
        %6 = tensor.extract %is[%arg0] : tensor<?xindex>
        %7 = arith.cmpi ult, %6, %1 : index
        %8 = check.require %7, %6 else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [m]i32, which has {1}"(%6, %1 : index, index)
        kernel.return
      }
    }
    func.return %4 : tensor<?x?xi32>
  }
}

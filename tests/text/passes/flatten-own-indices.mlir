// pass: builtin.module(flatten,canonicalize,cse,dce)
// Reads at a point's own index are not marked as checked where that dimension has the level's extent: of the square matrix
// none is, of the other one the second index may be out of range. No check is made apart here: the mark alone counts.

func.func @square(%a: !array.array<[n][n]f32>) -> !array.array<[n]f32> {
  %n = array.dim %a, 0 : [n][n]f32
  %is = array.iota %n : [n]index
  %d = array.map (%i in %is : [n]index) {
    %e = array.index %a[%i, %i] : [n][n]f32
    array.yield %e : f32
  }
  func.return %d : !array.array<[n]f32>
}

func.func @any(%a: !array.array<[n][m]f32>, %j: index) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
  %n = array.dim %a, 0 : [n][m]f32
  %is = array.iota %n : [n]index
  %d, %c = array.map (%i in %is : [n]index) {
    %e = array.index %a[%i, %i] : [n][m]f32
    %f = array.index %a[%i, %j] : [n][m]f32
    array.yield %e, %f : f32, f32
  }
  func.return %d, %c : !array.array<[n]f32>, !array.array<[n]f32>
}
// ----
// ===== expected
builtin.module {
  func.func @square(%a: tensor<?x?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 1 of parameter #0 differs from dimension 0 of parameter #0"
    %3 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
      %4 = tensor.extract %a[%arg0, %arg0] : tensor<?x?xf32>
      kernel.return %4 : f32
    }
    func.return %3 : tensor<?xf32>
  }
  func.func @any(%a: tensor<?x?xf32>, %j: index) -> (tensor<?xf32>, tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %1 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
      %3 = tensor.extract %a[%arg0, %arg0] {kernel.checked} : tensor<?x?xf32>
      kernel.return %3 : f32
    }
    %2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xf32>) {
      %3 = tensor.extract %a[%arg0, %j] {kernel.checked} : tensor<?x?xf32>
      kernel.return %3 : f32
    }
    func.return %1, %2 : tensor<?xf32>, tensor<?xf32>
  }
}

// pass: builtin.module(flatten)
// A scatter at the top; a histogram per row, into rows that are the same for all; an exclusive scan per row.
func.func @scatter(%is: !array.array<[n]index>, %vs: !array.array<[n]f32>, %xs: !array.array<[m]f32>) -> !array.array<[m]f32> {
  %ys = array.scatter (%i in %is : [n]index, %v in %vs : [n]f32) into (%xs : [m]f32) {
    array.yield %i, %v : index, f32
  }
  func.return %ys : !array.array<[m]f32>
}

func.func @rows(%iss: !array.array<[n][m]index>, %zeros: !array.array<[k]i32>) -> (!array.array<[n][k]i32>, !array.array<[n][m]index>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0 : index
  %counts, %sums = array.map (%is in %iss : [n][m]index) {
    %h = array.hist (%i in %is : [m]index) into (%zeros : [k]i32) neutral (%zero : i32) map {
      array.yield %i, %one : index, i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      array.yield %s : i32
    }
    %p = array.scan exclusive (%is : [m]index) init (%start : index) combine (%acc, %i) {
      %s = arith.addi %acc, %i : index
      array.yield %s : index
    }
    array.yield %h, %p : !array.array<[k]i32>, !array.array<[m]index>
  }
  func.return %counts, %sums : !array.array<[n][k]i32>, !array.array<[n][m]index>
}
// ===== expected
builtin.module {
  func.func @scatter(%is: tensor<?xindex>, %vs: tensor<?xf32>, %xs: tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %is, %c0 : tensor<?xindex>
    %c0_0 = arith.constant 0 : index
    %1 = tensor.dim %vs, %c0_0 : tensor<?xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %c0_1 = arith.constant 0 : index
    %3 = tensor.dim %xs, %c0_1 : tensor<?xf32>
    %4 = kernel.scatter thread (%arg0 < %0) into (%xs : tensor<?xf32>) -> (tensor<?xf32>) {
      %5 = tensor.extract %is[%arg0] : tensor<?xindex>
      %6 = tensor.extract %vs[%arg0] : tensor<?xf32>
      kernel.return %5, %6 : index, f32
    }
    func.return %4 : tensor<?xf32>
  }
  func.func @rows(%iss: tensor<?x?xindex>, %zeros: tensor<?xi32>) -> (tensor<?x?xi32>, tensor<?x?xindex>) {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %iss, %c0 : tensor<?x?xindex>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %iss, %c1 : tensor<?x?xindex>
    %c0_0 = arith.constant 0 : index
    %2 = tensor.dim %zeros, %c0_0 : tensor<?xi32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant 0 : index
    %3 = kernel.segmap thread (%arg0 < %0, %arg1 < %2) -> (tensor<?x?xi32>) {
      %6 = tensor.extract %zeros[%arg1] : tensor<?xi32>
      kernel.return %6 : i32
    }
    %4 = kernel.seghist thread (%arg0 < %0, %arg1 < %1) into (%3 : tensor<?x?xi32>) init (%zero : i32) -> (tensor<?x?xi32>) {
      %6 = tensor.extract %iss[%arg0, %arg1] : tensor<?x?xindex>
      kernel.return %6, %one : index, i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      kernel.return %s : i32
    }
    %5 = kernel.segscan thread exclusive (%arg0 < %0, %arg1 < %1) init (%start : index) -> (tensor<?x?xindex>) {
      %6 = tensor.extract %iss[%arg0, %arg1] : tensor<?x?xindex>
      kernel.return %6 : index
    } combine (%acc, %i) {
      %s = arith.addi %acc, %i : index
      kernel.return %s : index
    }
    func.return %4, %5 : tensor<?x?xi32>, tensor<?x?xindex>
  }
}

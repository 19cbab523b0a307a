// pass: builtin.module(flatten)
// Maps in maps become one nest; views become index arithmetic; a scan per row becomes a segmented scan.
func.func @main(%xs: !array.array<[a][b][c]i32>) -> !array.array<[c][b][a]i32> {
  %t = array.rearrange %xs, [2, 1, 0] : [a][b][c]i32
  %ys = array.map (%plane in %t : [c][b][a]i32) {
    %rows = array.map (%row in %plane : [b][a]i32) {
      %line = array.map (%x in %row : [a]i32) {
        %y = arith.addi %x, %x : i32
        array.yield %y : i32
      }
      array.yield %line : !array.array<[a]i32>
    }
    array.yield %rows : !array.array<[b][a]i32>
  }
  func.return %ys : !array.array<[c][b][a]i32>
}

func.func @rows(%xss: !array.array<[n][m]i64>) -> !array.array<[n][m]i64> {
  %zero = arith.constant 0 : i64
  %yss = array.map (%row in %xss : [n][m]i64) {
    %ys = array.scan (%row : [m]i64) init (%zero : i64) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i64
      array.yield %s : i64
    }
    array.yield %ys : !array.array<[m]i64>
  }
  func.return %yss : !array.array<[n][m]i64>
}
// ===== expected
builtin.module {
  func.func @main(%xs: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %xs, %c0 : tensor<?x?x?xi32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %xs, %c1 : tensor<?x?x?xi32>
    %c2 = arith.constant 2 : index
    %2 = tensor.dim %xs, %c2 : tensor<?x?x?xi32>
    %3 = kernel.segmap thread (%arg0 < %2, %arg1 < %1, %arg2 < %0) -> (tensor<?x?x?xi32>) {
      %4 = tensor.extract %xs[%arg2, %arg1, %arg0] : tensor<?x?x?xi32>
      %y = arith.addi %4, %4 : i32
      kernel.return %y : i32
    }
    func.return %3 : tensor<?x?x?xi32>
  }
  func.func @rows(%xss: tensor<?x?xi64>) -> tensor<?x?xi64> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %xss, %c0 : tensor<?x?xi64>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %xss, %c1 : tensor<?x?xi64>
    %zero = arith.constant 0 : i64
    %2 = kernel.segscan thread (%arg0 < %0, %arg1 < %1) init (%zero : i64) -> (tensor<?x?xi64>) {
      %3 = tensor.extract %xss[%arg0, %arg1] : tensor<?x?xi64>
      kernel.return %3 : i64
    } combine (%acc, %x) {
      %s = arith.addi %acc, %x : i64
      kernel.return %s : i64
    }
    func.return %2 : tensor<?x?xi64>
  }
}

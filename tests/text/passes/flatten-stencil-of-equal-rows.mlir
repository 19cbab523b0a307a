// pass: builtin.module(flatten)
// Rows that all points give alike are one row that is stored: the edge of the dimension it does not have is asked, too.
func.func @main(%xss: !array.array<[n][m]i32>, %ys: !array.array<[k]i32>) -> (!array.array<[n]i32>, !array.array<[n][k]i32>) {
  %zero = arith.constant 0 : i32
  %counts, %rows = array.scanomap (%row in %xss : [n][m]i32) init (%zero : i32) map {
    %own = array.reduce (%row : [m]i32) init (%zero : i32) combine arith.addi
    %sums = array.scan (%ys : [k]i32) init (%zero : i32) combine arith.addi
    array.yield %own, %sums : i32, !array.array<[k]i32>
  } combine (%x, %y) {
    %sum = arith.addi %x, %y : i32
    array.yield %sum : i32
  }
  %near = array.stencil (%a, %b, %c in %rows : [n][k]i32 at [[-2, -1], [1, 0], [0, 1]] outside (%i, %j) {
    %at = arith.muli %i, %j : index
    %at32 = arith.index_cast %at : index to i32
    array.yield %at32 : i32
  }) {
    %product = arith.muli %a, %b : i32
    %sum = arith.addi %product, %c : i32
    array.yield %sum : i32
  }
  func.return %counts, %near : !array.array<[n]i32>, !array.array<[n][k]i32>
}
// ===== expected
builtin.module {
  func.func @main(%xss: tensor<?x?xi32>, %ys: tensor<?xi32>) -> (tensor<?xi32>, tensor<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %xss, %c0 : tensor<?x?xi32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %xss, %c1 : tensor<?x?xi32>
    %c0_0 = arith.constant 0 : index
    %2 = tensor.dim %ys, %c0_0 : tensor<?xi32>
    %zero = arith.constant 0 : i32
    %3 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : i32) -> (tensor<?xi32>) {
      %7 = tensor.extract %xss[%arg0, %arg1] : tensor<?x?xi32>
      kernel.return %7 : i32
    } combine (%arg0, %arg1) {
      %7 = arith.addi %arg0, %arg1 : i32
      kernel.return %7 : i32
    }
    %4 = kernel.segscan thread (%arg0 < %2) init (%zero : i32) -> (tensor<?xi32>) {
      %7 = tensor.extract %ys[%arg0] : tensor<?xi32>
      kernel.return %7 : i32
    } combine (%arg0, %arg1) {
      %7 = arith.addi %arg0, %arg1 : i32
      kernel.return %7 : i32
    }
    %5 = kernel.segscan thread (%arg0 < %0) init (%zero : i32) -> (tensor<?xi32>) {
      %7 = tensor.extract %3[%arg0] : tensor<?xi32>
      kernel.return %7 : i32
    } combine (%x, %y) {
      %sum = arith.addi %x, %y : i32
      kernel.return %sum : i32
    }
    %c-2 = arith.constant -2 : index
    %c-1 = arith.constant -1 : index
    %c1_1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c1_4 = arith.constant 1 : index
    %6 = kernel.segmap thread (%arg0 < %0, %arg1 < %2) -> (tensor<?x?xi32>) {
      %7 = arith.addi %arg0, %c-2 : index
      %8 = arith.addi %arg1, %c-1 : index
      %at = arith.muli %7, %8 : index
      %at32 = arith.index_cast %at : index to i32
      %9 = kernel.near %4[%arg1] outside else %at32 : i32 {offsets = array<i64: -1>} : tensor<?xi32>
      %c-2_5 = arith.constant -2 : index
      %10 = arith.addi %arg0, %c-2_5 : index
      %11 = arith.cmpi ult, %10, %0 : index
      %12 = arith.select %11, %9, %at32 : i32
      %13 = arith.addi %arg0, %c1_1 : index
      %at_6 = arith.muli %13, %arg1 : index
      %at32_7 = arith.index_cast %at_6 : index to i32
      %14 = kernel.near %4[%arg1] outside else %at32_7 : i32 {offsets = array<i64: 0>} : tensor<?xi32>
      %c1_8 = arith.constant 1 : index
      %15 = arith.addi %arg0, %c1_8 : index
      %16 = arith.cmpi ult, %15, %0 : index
      %17 = arith.select %16, %14, %at32_7 : i32
      %18 = arith.addi %arg1, %c1_4 : index
      %at_9 = arith.muli %arg0, %18 : index
      %at32_10 = arith.index_cast %at_9 : index to i32
      %19 = kernel.near %4[%arg1] outside else %at32_10 : i32 {offsets = array<i64: 1>} : tensor<?xi32>
      %product = arith.muli %12, %17 : i32
      %sum = arith.addi %product, %19 : i32
      kernel.return %sum : i32
    }
    func.return %5, %6 : tensor<?xi32>, tensor<?x?xi32>
  }
}

// run
// Reductions and scans whose points are for thread blocks: of rows the largest sum, and that of each group with its index, sums before.
// inputs: random:GxNxM where G = 0 1 3; N = 0 1 37; M = 0 1 13
// inputs: random:2x67x131
// structure: kernel.segred 6, kernel.segscan 1
// versions: kernel.segred 6, kernel.segscan 1
func.func @main(%xs: tensor<?x?x?xi32>) -> (i32, tensor<?xi32>, tensor<?xi64>, tensor<?x?xi32>) {
  %zero = arith.constant 0 : i32
  %first = arith.constant 0 : i64
  %lowest = arith.constant -2147483648 : i32
  %c0 = arith.constant 0 : index
  %g = tensor.dim %xs, %c0 : tensor<?x?x?xi32>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c1 : tensor<?x?x?xi32>
  %c2 = arith.constant 2 : index
  %m = tensor.dim %xs, %c2 : tensor<?x?x?xi32>
  %largest = kernel.segred block (%k < %g) init (%lowest : i32) -> (i32) {
    %s = kernel.segred thread (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?xi32>) {
      %x = tensor.extract %xs[%k, %i, %j] : tensor<?x?x?xi32>
      kernel.return %x : i32
    } combine (%a, %b) {
      %c = arith.addi %a, %b : i32
      kernel.return %c : i32
    }
    %t = kernel.segred thread (%i < %n) init (%lowest : i32) -> (i32) {
      %y = tensor.extract %s[%i] : tensor<?xi32>
      kernel.return %y : i32
    } combine (%a, %b) {
      %c = arith.maxsi %a, %b : i32
      kernel.return %c : i32
    }
    kernel.return %t : i32
  } combine (%a, %b) {
    %c = arith.maxsi %a, %b : i32
    kernel.return %c : i32
  }
  %most, %at = kernel.segred block (%k < %g, %i < %n) init (%lowest, %first : i32, i64) -> (tensor<?xi32>, tensor<?xi64>) {
    %s = kernel.segred thread (%j < %m) init (%zero : i32) -> (i32) {
      %x = tensor.extract %xs[%k, %i, %j] : tensor<?x?x?xi32>
      kernel.return %x : i32
    } combine (%a, %b) {
      %c = arith.addi %a, %b : i32
      kernel.return %c : i32
    }
    %where = arith.index_cast %i : index to i64
    kernel.return %s, %where : i32, i64
  } combine (%a, %ai, %b, %bi) {
    %more = arith.cmpi sgt, %b, %a : i32
    %c = arith.select %more, %b, %a : i32
    %ci = arith.select %more, %bi, %ai : i64
    kernel.return %c, %ci : i32, i64
  }
  %before = kernel.segscan block exclusive (%k < %g, %i < %n) init (%zero : i32) -> (tensor<?x?xi32>) {
    %s = kernel.segred thread (%j < %m) init (%zero : i32) -> (i32) {
      %x = tensor.extract %xs[%k, %i, %j] : tensor<?x?x?xi32>
      kernel.return %x : i32
    } combine (%a, %b) {
      %c = arith.addi %a, %b : i32
      kernel.return %c : i32
    }
    kernel.return %s : i32
  } combine (%a, %b) {
    %c = arith.addi %a, %b : i32
    kernel.return %c : i32
  }
  func.return %largest, %most, %at, %before : i32, tensor<?xi32>, tensor<?xi64>, tensor<?x?xi32>
}

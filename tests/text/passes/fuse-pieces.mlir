// pass: builtin.module(array-to-kernel-one)
// Joined arrays are computed where they belong, by one nest, though another reader of the rows is there, which has its own.
func.func @main(%x: !array.array<[n][m]i32>, %y: !array.array<[n]i32>, %k: index) -> (!array.array<[n][?]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %A = array.map (%row in %x : [n][m]i32, %v in %y : [n]i32) {
    %more = array.map (%e in %row : [m]i32) {
      %f = arith.addi %e, %one : i32
      array.yield %f : i32
    }
    %vs = array.replicate %v, [%k] : i32 -> [?]i32
    %both = array.concat %more, %vs : [m]i32, [?]i32 -> [?]i32
    array.yield %both : [?]i32
  }
  %C = array.map (%row in %x : [n][m]i32) {
    %s = array.reduce (%row : [m]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %A, %C : !array.array<[n][?]i32>, !array.array<[n]i32>
}
// ===== expected
builtin.module {
  func.func @main(%x: tensor<?x?xi32> {array.sizes = ["n", "m"]}, %y: tensor<?xi32> {array.sizes = ["n"]}, %k: index) -> (tensor<?x?xi32> {array.sizes = ["n", unit]}, tensor<?xi32> {array.sizes = ["n"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %0 = tensor.dim %x, %c0 : tensor<?x?xi32>
    %1 = tensor.dim %x, %c1 : tensor<?x?xi32>
    %2 = tensor.dim %y, %c0 : tensor<?xi32>
    %3 = arith.cmpi eq, %0, %2 : index
    cf.assert %3, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %4 = arith.cmpi sge, %k, %c0 : index
    %5 = arith.cmpi eq, %0, %c0 : index
    %6 = arith.ori %4, %5 : i1
    %7 = arith.select %4, %k, %c0 : index
    %8 = check.require %6, %7 else %c0 : index, index, "'array.replicate' op a size cannot be {0}"(%k : index)
    %9 = arith.addi %1, %8 : index
    %10 = kernel.segmap thread (%arg0 < %0, %arg1 < %9) -> (tensor<?x?xi32>) {
      %12 = arith.cmpi slt, %arg1, %1 : index
      %13 = scf.if %12 -> (i32) {
        %14 = tensor.extract %x[%arg0, %arg1] : tensor<?x?xi32>
        %f = arith.addi %14, %one : i32
        scf.yield %f : i32
      } else {
        %14 = tensor.extract %y[%arg0] : tensor<?xi32>
        scf.yield %14 : i32
      }
      kernel.return %13 : i32
    }
    %11 = kernel.segred thread (%arg0 < %0, %arg1 < %1) init (%zero : i32) -> (tensor<?xi32>) {
      %12 = tensor.extract %x[%arg0, %arg1] : tensor<?x?xi32>
      kernel.return %12 : i32
    } combine (%arg0, %arg1) {
      %12 = arith.addi %arg0, %arg1 : i32
      kernel.return %12 : i32
    }
    func.return %10, %11 : tensor<?x?xi32>, tensor<?xi32>
  }
}

// pass: builtin.module(record-source,flatten)
// Sizes that tensors do not say stay with parameters and results; scalars and open sizes have none.
func.func @main(%k: i32, %xs: !array.array<[n][4]i32>, %ys: !array.array<[?]i32>) -> (!array.array<[n]i32>, i32) {
  %rs = array.map (%row in %xs : [n][4]i32) {
    %zero = arith.constant 0 : index
    %r = array.index %row[%zero] : [4]i32
    array.yield %r : i32
  }
  func.return %rs, %k : !array.array<[n]i32>, i32
}
// ===== expected
builtin.module {
  func.func @main(%k: i32, %xs: tensor<?x4xi32> {array.sizes = ["n", 4]}, %ys: tensor<?xi32>) -> (tensor<?xi32> {array.sizes = ["n"]}, i32) {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %xs, %c0 : tensor<?x4xi32>
    %c4 = arith.constant 4 : index
    %c0_0 = arith.constant 0 : index
    %1 = tensor.dim %ys, %c0_0 : tensor<?xi32>
    %zero = arith.constant 0 : index
    %2 = kernel.segmap thread (%arg0 < %0) -> (tensor<?xi32>) {
      %3 = tensor.extract %xs[%arg0, %zero] {kernel.checked} : tensor<?x4xi32>
      kernel.return %3 : i32
    }
    func.return %2, %k : tensor<?xi32>, i32
  }
}

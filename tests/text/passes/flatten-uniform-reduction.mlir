// pass: builtin.module(array-to-kernel-one)
// A prefix sum that is the same for all points is a reduction of one dimension in the loop, not one for each point.
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = array.dim %xs, 0 : [n]i32
  %A = array.map (%x in %xs : [n]i32) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (i32) {
      %part = array.slice %xs[%c0] sizes [%i] strides [%c1] : [n]i32 -> [?]i32
      %s = array.reduce (%part : [?]i32) init (%zero : i32) combine arith.addi
      %new = arith.addi %acc, %s : i32
      scf.yield %new : i32
    }
    array.yield %r : i32
  }
  func.return %A : !array.array<[n]i32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: tensor<?xi32> {array.sizes = ["n"]}) -> (tensor<?xi32> {array.sizes = ["n"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %0 = tensor.dim %xs, %c0 : tensor<?xi32>
    %1 = scf.for %arg0 = %c0 to %0 step %c1 iter_args(%arg1 = %xs) -> (tensor<?xi32>) {
      %2 = arith.cmpi uge, %0, %c0 : index
      %3 = arith.cmpi ule, %arg0, %0 : index
      %4 = arith.andi %2, %3 : i1
      %5 = arith.cmpi eq, %arg0, %c0 : index
      %6 = arith.ori %5, %4 : i1
      %7 = arith.cmpi eq, %0, %c0 : index
      %8 = arith.ori %6, %7 : i1
      %9 = arith.select %6, %arg0, %c0 : index
      %10 = check.require %8, %9 else %c0 : index, index, "'array.slice' op {1} elements from index {0} on reach outside of dimension 0 of [n]i32, which has {2}"(%c0, %arg0, %0 : index, index, index)
      %11 = kernel.segred thread (%arg2 < %10) init (%zero : i32) -> (i32) {
        %13 = tensor.extract %xs[%arg2] : tensor<?xi32>
        kernel.return %13 : i32
      } combine (%arg2, %arg3) {
        %13 = arith.addi %arg2, %arg3 : i32
        kernel.return %13 : i32
      }
      %12 = kernel.segmap thread (%arg2 < %0) -> (tensor<?xi32>) {
        %13 = tensor.extract %arg1[%arg2] : tensor<?xi32>
        %new = arith.addi %13, %11 : i32
        kernel.return %new : i32
      }
      scf.yield %12 : tensor<?xi32>
    }
    func.return %1 : tensor<?xi32>
  }
}

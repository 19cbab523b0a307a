// pass: builtin.module(flatten)
// Layout ops are index arithmetic in the kernels that read them.
func.func @main(%xs: !array.array<[n]i32>, %c: index) -> !array.array<[?]i32> {
  %zero = arith.constant 0 : i32
  %r = array.reverse %xs, 0 : [n]i32
  %p = array.pad %r, %zero low [%c] high [%c] : [n]i32 -> [?]i32
  %b = array.concat %p, %xs : [?]i32, [n]i32 -> [?]i32
  func.return %b : !array.array<[?]i32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: tensor<?xi32>, %c: index) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %xs, %c0 : tensor<?xi32>
    %zero = arith.constant 0 : i32
    %c-1 = arith.constant -1 : index
    %1 = arith.addi %0, %c-1 : index
    %2 = arith.addi %c, %0 : index
    %3 = arith.addi %2, %c : index
    %4 = arith.addi %3, %0 : index
    %5 = kernel.segmap thread (%arg0 < %4) -> (tensor<?xi32>) {
      %6 = arith.cmpi slt, %arg0, %3 : index
      %7 = arith.subi %arg0, %3 : index
      %8 = scf.if %6 -> (i32) {
        %c0_0 = arith.constant 0 : index
        %true = arith.constant true
        %9 = arith.subi %arg0, %c : index
        %10 = arith.cmpi sge, %9, %c0_0 : index
        %11 = arith.cmpi slt, %9, %0 : index
        %12 = arith.andi %true, %10 : i1
        %13 = arith.andi %12, %11 : i1
        %14 = scf.if %13 -> (i32) {
          %15 = arith.muli %9, %c-1 : index
          %16 = arith.addi %1, %15 : index
          %17 = tensor.extract %xs[%16] : tensor<?xi32>
          scf.yield %17 : i32
        } else {
          scf.yield %zero : i32
        }
        scf.yield %14 : i32
      } else {
        %9 = tensor.extract %xs[%7] : tensor<?xi32>
        scf.yield %9 : i32
      }
      kernel.return %8 : i32
    }
    func.return %5 : tensor<?xi32>
  }
}

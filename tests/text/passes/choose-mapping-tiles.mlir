// pass: builtin.module(func.func(choose-mapping))
// Thread blocks with tensor cores go through tiles in groups of rows; outer dimensions stay outside. Others go row by row.
func.func @batched(%as: tensor<8x32xf64>, %bs: tensor<32x8xf64>, %l: index, %m: index, %n: index, %c: f64) -> tensor<?x?x?x8x4xf64> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = kernel.segmap block (%i < %l, %j < %m, %k < %n) -> (tensor<?x?x?x8x4xf64>) {
    %s = kernel.segmap thread (%y < %c8, %x < %c4) -> (tensor<8x4xf64>) {
      %0:2 = kernel.contract %as, %bs[%c0] at [%y, %x] add %c, %c {depth = 4 : i64, registers = array<i64: 1, 2>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<8x32xf64>, tensor<32x8xf64> to f64
      kernel.return %0#0 : f64
    }
    kernel.return %s : tensor<8x4xf64>
  }
  func.return %r : tensor<?x?x?x8x4xf64>
}
func.func @plain(%m: index, %n: index, %c: f64) -> tensor<?x?x8x4xf64> {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = kernel.segmap block (%j < %m, %k < %n) -> (tensor<?x?x8x4xf64>) {
    %s = kernel.segmap thread (%y < %c8, %x < %c4) -> (tensor<8x4xf64>) {
      kernel.return %c : f64
    }
    kernel.return %s : tensor<8x4xf64>
  }
  func.return %r : tensor<?x?x8x4xf64>
}
// ===== expected
builtin.module {
  func.func @batched(%as: tensor<8x32xf64>, %bs: tensor<32x8xf64>, %l: index, %m: index, %n: index, %c: f64) -> tensor<?x?x?x8x4xf64> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %r = kernel.segmap block (%i < %l, %j < %m, %k < %n) mapping #kernel.mapping<GridBlock(0, FoldLast2(Swizzle(1, 8, ShiftLB(Gen))))> -> (tensor<?x?x?x8x4xf64>) {
      %s = kernel.segmap thread (%y < %c8, %x < %c4) -> (tensor<8x4xf64>) {
        %0:2 = kernel.contract %as, %bs[%c0] at [%y, %x] add %c, %c {depth = 4 : i64, registers = array<i64: 1, 2>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<8x32xf64>, tensor<32x8xf64> to f64
        kernel.return %0#0 : f64
      }
      kernel.return %s : tensor<8x4xf64>
    }
    func.return %r : tensor<?x?x?x8x4xf64>
  }
  func.func @plain(%m: index, %n: index, %c: f64) -> tensor<?x?x8x4xf64> {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %r = kernel.segmap block (%j < %m, %k < %n) mapping #kernel.mapping<GridBlock(0, FoldLast2(ShiftLB(Gen)))> -> (tensor<?x?x8x4xf64>) {
      %s = kernel.segmap thread (%y < %c8, %x < %c4) -> (tensor<8x4xf64>) {
        kernel.return %c : f64
      }
      kernel.return %s : tensor<8x4xf64>
    }
    func.return %r : tensor<?x?x8x4xf64>
  }
}

// pass: builtin.module(use-tensor-cores,unroll-registers,canonicalize,cse,dce)
// A warp of 8 by 4 threads has 16 by 16 points, which tensor cores sum up: the threads' points are those of fragments.
func.func @rows(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%p, %e] : tensor<16x32xf16>
        %b = tensor.extract %bs[%e, %q] : tensor<32x16xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %c, %xy fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// Stored the other way round, with operands in the other order.
func.func @columns(%as: tensor<32x16xf16>, %bs: tensor<16x32xf16>, %n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant 16 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %s = kernel.segmap thread registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      %sum = scf.for %e = %c0 to %depth step %c1 iter_args(%c = %zero) -> (f32) {
        %a = tensor.extract %as[%e, %p] : tensor<32x16xf16>
        %b = tensor.extract %bs[%q, %e] : tensor<16x32xf16>
        %x = arith.extf %a : f16 to f32
        %y = arith.extf %b : f16 to f32
        %xy = arith.mulf %y, %x : f32
        %next = arith.addf %xy, %c fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      kernel.return %sum : f32
    }
    kernel.return %s : tensor<16x16xf32>
  }
  func.return %r : tensor<?x16x16xf32>
}
// ===== expected
builtin.module {
  func.func @rows(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %0:8 = kernel.segmap thread (%arg0 < %c8, %arg1 < %c4) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
        %2:8 = kernel.contract %as, %bs[%c0] at [%arg0, %arg1] add %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<16x32xf16>, tensor<32x16xf16> to f32
        kernel.return %2#0, %2#1, %2#2, %2#3, %2#4, %2#5, %2#6, %2#7 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      %1 = kernel.regtile %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 {registers = array<i64: 2, 4>, runs = array<i64: 1, 2>} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x16xf32>
      kernel.return %1 : tensor<16x16xf32>
    }
    func.return %r : tensor<?x16x16xf32>
  }
  func.func @columns(%as: tensor<32x16xf16>, %bs: tensor<16x32xf16>, %n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %0:8 = kernel.segmap thread (%arg0 < %c8, %arg1 < %c4) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
        %2:8 = kernel.contract %as, %bs[%c0] at [%arg0, %arg1] add %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_a, transpose_b} : tensor<32x16xf16>, tensor<16x32xf16> to f32
        kernel.return %2#0, %2#1, %2#2, %2#3, %2#4, %2#5, %2#6, %2#7 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      %1 = kernel.regtile %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 {registers = array<i64: 2, 4>, runs = array<i64: 1, 2>} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x16xf32>
      kernel.return %1 : tensor<16x16xf32>
    }
    func.return %r : tensor<?x16x16xf32>
  }
}

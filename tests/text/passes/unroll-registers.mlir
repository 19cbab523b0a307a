// pass: builtin.module(unroll-registers,canonicalize,cse,dce)
// A thread has two by two points: rows and columns are read once for two points each, the four sums are carried by the loop
// around as parts of a tile, and the inner loop of three steps is unrolled.
func.func @product(%as: tensor<4x3xf32>, %bs: tensor<3x8xf32>, %n: index, %t: index) -> tensor<?x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x4x8xf32>) {
    %start = kernel.segmap thread registers [2, 2] runs [1, 2] (%p < %c4, %q < %c8) -> (tensor<4x8xf32>) {
      kernel.return %zero : f32
    }
    %sums = scf.for %k = %c0 to %t step %c1 iter_args(%accs = %start) -> (tensor<4x8xf32>) {
      %next = kernel.segmap thread registers [2, 2] runs [1, 2] (%p < %c4, %q < %c8) -> (tensor<4x8xf32>) {
        %acc = tensor.extract %accs[%p, %q] : tensor<4x8xf32>
        %sum = scf.for %e = %c0 to %c3 step %c1 iter_args(%s = %acc) -> (f32) {
          %a = tensor.extract %as[%p, %e] : tensor<4x3xf32>
          %b = tensor.extract %bs[%e, %q] : tensor<3x8xf32>
          %x = arith.mulf %a, %b : f32
          %y = arith.addf %s, %x : f32
          scf.yield %y : f32
        }
        kernel.return %sum : f32
      }
      scf.yield %next : tensor<4x8xf32>
    }
    kernel.return %sums : tensor<4x8xf32>
  }
  func.return %r : tensor<?x4x8xf32>
}
// Conditions that differ between points are asked at each, with what is in the branch.
func.func @branch(%xs: tensor<4xi32>, %n: index) -> tensor<?x4xi32> {
  %zero = arith.constant 0 : i32
  %c4 = arith.constant 4 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x4xi32>) {
    %s = kernel.segmap thread registers [2] runs [1] (%p < %c4) -> (tensor<4xi32>) {
      %x = tensor.extract %xs[%p] : tensor<4xi32>
      %positive = arith.cmpi sgt, %x, %zero : i32
      %y = scf.if %positive -> (i32) {
        %z = arith.muli %x, %x : i32
        scf.yield %z : i32
      } else {
        scf.yield %zero : i32
      }
      kernel.return %y : i32
    }
    kernel.return %s : tensor<4xi32>
  }
  func.return %r : tensor<?x4xi32>
}
// ===== expected
builtin.module {
  func.func @product(%as: tensor<4x3xf32>, %bs: tensor<3x8xf32>, %n: index, %t: index) -> tensor<?x4x8xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x4x8xf32>) {
      %0:4 = kernel.segmap thread (%arg0 < %c2, %arg1 < %c4) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
        kernel.return %zero, %zero, %zero, %zero : f32, f32, f32, f32
      }
      %1:4 = scf.for %arg0 = %c0 to %t step %c1 iter_args(%arg1 = %0#0, %arg2 = %0#1, %arg3 = %0#2, %arg4 = %0#3) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
        %3:4 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c4) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
          %4 = arith.addi %arg5, %c2 : index
          %5 = arith.muli %arg6, %c2 : index
          %6 = arith.addi %5, %c1 : index
          %7 = tensor.extract %arg1[%arg5, %arg6] : tensor<2x4xf32>
          %8 = tensor.extract %arg2[%arg5, %arg6] : tensor<2x4xf32>
          %9 = tensor.extract %arg3[%arg5, %arg6] : tensor<2x4xf32>
          %10 = tensor.extract %arg4[%arg5, %arg6] : tensor<2x4xf32>
          %a = tensor.extract %as[%arg5, %c0] : tensor<4x3xf32>
          %a_0 = tensor.extract %as[%4, %c0] : tensor<4x3xf32>
          %b = tensor.extract %bs[%c0, %5] : tensor<3x8xf32>
          %b_1 = tensor.extract %bs[%c0, %6] : tensor<3x8xf32>
          %x = arith.mulf %a, %b : f32
          %x_2 = arith.mulf %a, %b_1 : f32
          %x_3 = arith.mulf %a_0, %b : f32
          %x_4 = arith.mulf %a_0, %b_1 : f32
          %y = arith.addf %7, %x : f32
          %y_5 = arith.addf %8, %x_2 : f32
          %y_6 = arith.addf %9, %x_3 : f32
          %y_7 = arith.addf %10, %x_4 : f32
          %a_8 = tensor.extract %as[%arg5, %c1] : tensor<4x3xf32>
          %a_9 = tensor.extract %as[%4, %c1] : tensor<4x3xf32>
          %b_10 = tensor.extract %bs[%c1, %5] : tensor<3x8xf32>
          %b_11 = tensor.extract %bs[%c1, %6] : tensor<3x8xf32>
          %x_12 = arith.mulf %a_8, %b_10 : f32
          %x_13 = arith.mulf %a_8, %b_11 : f32
          %x_14 = arith.mulf %a_9, %b_10 : f32
          %x_15 = arith.mulf %a_9, %b_11 : f32
          %y_16 = arith.addf %y, %x_12 : f32
          %y_17 = arith.addf %y_5, %x_13 : f32
          %y_18 = arith.addf %y_6, %x_14 : f32
          %y_19 = arith.addf %y_7, %x_15 : f32
          %a_20 = tensor.extract %as[%arg5, %c2] : tensor<4x3xf32>
          %a_21 = tensor.extract %as[%4, %c2] : tensor<4x3xf32>
          %b_22 = tensor.extract %bs[%c2, %5] : tensor<3x8xf32>
          %b_23 = tensor.extract %bs[%c2, %6] : tensor<3x8xf32>
          %x_24 = arith.mulf %a_20, %b_22 : f32
          %x_25 = arith.mulf %a_20, %b_23 : f32
          %x_26 = arith.mulf %a_21, %b_22 : f32
          %x_27 = arith.mulf %a_21, %b_23 : f32
          %y_28 = arith.addf %y_16, %x_24 : f32
          %y_29 = arith.addf %y_17, %x_25 : f32
          %y_30 = arith.addf %y_18, %x_26 : f32
          %y_31 = arith.addf %y_19, %x_27 : f32
          kernel.return %y_28, %y_29, %y_30, %y_31 : f32, f32, f32, f32
        }
        scf.yield %3#0, %3#1, %3#2, %3#3 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
      }
      %2 = kernel.regtile %1#0, %1#1, %1#2, %1#3 {registers = array<i64: 2, 2>, runs = array<i64: 1, 2>} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x8xf32>
      kernel.return %2 : tensor<4x8xf32>
    }
    func.return %r : tensor<?x4x8xf32>
  }
  func.func @branch(%xs: tensor<4xi32>, %n: index) -> tensor<?x4xi32> {
    %zero = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %r = kernel.segmap block (%i < %n) -> (tensor<?x4xi32>) {
      %0:2 = kernel.segmap thread (%arg0 < %c2) -> (tensor<2xi32>, tensor<2xi32>) {
        %2 = arith.addi %arg0, %c2 : index
        %x = tensor.extract %xs[%arg0] : tensor<4xi32>
        %x_0 = tensor.extract %xs[%2] : tensor<4xi32>
        %positive = arith.cmpi sgt, %x, %zero : i32
        %positive_1 = arith.cmpi sgt, %x_0, %zero : i32
        %y = scf.if %positive -> (i32) {
          %z = arith.muli %x, %x : i32
          scf.yield %z : i32
        } else {
          scf.yield %zero : i32
        }
        %y_2 = scf.if %positive_1 -> (i32) {
          %z = arith.muli %x_0, %x_0 : i32
          scf.yield %z : i32
        } else {
          scf.yield %zero : i32
        }
        kernel.return %y, %y_2 : i32, i32
      }
      %1 = kernel.regtile %0#0, %0#1 {registers = array<i64: 2>, runs = array<i64: 1>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
      kernel.return %1 : tensor<4xi32>
    }
    func.return %r : tensor<?x4xi32>
  }
}

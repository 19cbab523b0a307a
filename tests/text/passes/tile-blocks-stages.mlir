// pass: builtin.module(tile-blocks{stages=2},canonicalize,cse,dce)
// A matrix product in tiles of 16 by 16, pipelined: the copies of the first tiles before the loop, of the next ones in it.
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index, %u: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %s = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32
      scf.yield %next : f32
    }
    kernel.return %s : f32
  }
  func.return %r : tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index, %u: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c31 = arith.constant 31 : index
    %0 = arith.addi %m, %c15 : index
    %1 = arith.divui %0, %c16 : index
    %2 = arith.subi %m, %c1 : index
    %3 = arith.addi %n, %c15 : index
    %4 = arith.divui %3, %c16 : index
    %5 = arith.subi %n, %c1 : index
    %6 = kernel.segmap block (%arg0 < %1, %arg1 < %4) -> (tensor<?x?x16x16xf32>) {
      %8 = kernel.segmap thread (%arg2 < %c16, %arg3 < %c16) -> (tensor<16x16xf32>) {
        kernel.return %zero : f32
      }
      %9 = arith.maxsi %u, %c0 : index
      %10 = arith.divui %9, %c32 : index
      %11 = arith.cmpi sgt, %10, %c0 : index
      %12:2 = scf.if %11 -> (tensor<32x16xf32>, tensor<16x32xf32>) {
        %21 = kernel.segmap thread async (%arg2 < %c32, %arg3 < %c16) -> (tensor<32x16xf32>) {
          %23 = arith.muli %arg1, %c16 : index
          %24 = arith.addi %23, %arg3 : index
          %25 = arith.minsi %24, %5 : index
          %y = tensor.extract %b[%arg2, %25] : tensor<?x?xf32>
          kernel.return %y : f32
        }
        %22 = kernel.segmap thread async (%arg2 < %c16, %arg3 < %c32) -> (tensor<16x32xf32>) {
          %23 = arith.muli %arg0, %c16 : index
          %24 = arith.addi %23, %arg2 : index
          %25 = arith.minsi %24, %2 : index
          %x = tensor.extract %a[%25, %arg3] : tensor<?x?xf32>
          kernel.return %x : f32
        }
        scf.yield %21, %22 : tensor<32x16xf32>, tensor<16x32xf32>
      } else {
        %21 = tensor.empty() : tensor<32x16xf32>
        %22 = tensor.empty() : tensor<16x32xf32>
        scf.yield %21, %22 : tensor<32x16xf32>, tensor<16x32xf32>
      }
      %13:3 = scf.for %arg2 = %c0 to %10 step %c1 iter_args(%arg3 = %8, %arg4 = %12#0, %arg5 = %12#1) -> (tensor<16x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>) {
        %21 = arith.addi %arg2, %c1 : index
        %22 = arith.cmpi slt, %21, %10 : index
        %23:2 = scf.if %22 -> (tensor<32x16xf32>, tensor<16x32xf32>) {
          %25 = kernel.segmap thread async (%arg6 < %c32, %arg7 < %c16) -> (tensor<32x16xf32>) {
            %27 = arith.muli %arg1, %c16 : index
            %28 = arith.addi %27, %arg7 : index
            %29 = arith.minsi %28, %5 : index
            %30 = arith.muli %21, %c32 : index
            %31 = arith.addi %30, %arg6 : index
            %y = tensor.extract %b[%31, %29] : tensor<?x?xf32>
            kernel.return %y : f32
          }
          %26 = kernel.segmap thread async (%arg6 < %c16, %arg7 < %c32) -> (tensor<16x32xf32>) {
            %27 = arith.muli %arg0, %c16 : index
            %28 = arith.addi %27, %arg6 : index
            %29 = arith.minsi %28, %2 : index
            %30 = arith.muli %21, %c32 : index
            %31 = arith.addi %30, %arg7 : index
            %x = tensor.extract %a[%29, %31] : tensor<?x?xf32>
            kernel.return %x : f32
          }
          scf.yield %25, %26 : tensor<32x16xf32>, tensor<16x32xf32>
        } else {
          %25 = tensor.empty() : tensor<32x16xf32>
          %26 = tensor.empty() : tensor<16x32xf32>
          scf.yield %25, %26 : tensor<32x16xf32>, tensor<16x32xf32>
        }
        %24 = kernel.segmap thread (%arg6 < %c16, %arg7 < %c16) -> (tensor<16x16xf32>) {
          %25 = tensor.extract %arg3[%arg6, %arg7] : tensor<16x16xf32>
          %26 = scf.for %arg8 = %c0 to %c32 step %c1 iter_args(%arg9 = %25) -> (f32) {
            %x = tensor.extract %arg5[%arg6, %arg8] : tensor<16x32xf32>
            %y = tensor.extract %arg4[%arg8, %arg7] : tensor<32x16xf32>
            %p = arith.mulf %x, %y : f32
            %next = arith.addf %arg9, %p : f32
            scf.yield %next : f32
          }
          kernel.return %26 : f32
        }
        scf.yield %24, %23#0, %23#1 : tensor<16x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>
      }
      %14 = kernel.segmap thread (%arg2 < %c16, %arg3 < %c16) -> (tensor<16x16xf32>) {
        %21 = tensor.extract %13#0[%arg2, %arg3] : tensor<16x16xf32>
        kernel.return %21 : f32
      }
      %15 = arith.muli %10, %c32 : index
      %16 = arith.subi %9, %15 : index
      %17 = arith.maxsi %16, %c0 : index
      %18 = arith.addi %17, %c31 : index
      %19 = arith.divui %18, %c32 : index
      %20 = scf.for %arg2 = %c0 to %19 step %c1 iter_args(%arg3 = %14) -> (tensor<16x16xf32>) {
        %21 = kernel.segmap thread (%arg4 < %c32, %arg5 < %c16) -> (tensor<32x16xf32>) {
          %24 = arith.muli %arg1, %c16 : index
          %25 = arith.addi %24, %arg5 : index
          %26 = arith.minsi %25, %5 : index
          %27 = arith.muli %arg2, %c32 : index
          %28 = arith.subi %16, %27 : index
          %29 = arith.minsi %28, %c32 : index
          %30 = arith.subi %29, %c1 : index
          %31 = arith.minsi %arg4, %30 : index
          %32 = arith.addi %27, %31 : index
          %33 = arith.addi %15, %32 : index
          %y = tensor.extract %b[%33, %26] : tensor<?x?xf32>
          kernel.return %y : f32
        }
        %22 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c32) -> (tensor<16x32xf32>) {
          %24 = arith.muli %arg0, %c16 : index
          %25 = arith.addi %24, %arg4 : index
          %26 = arith.minsi %25, %2 : index
          %27 = arith.muli %arg2, %c32 : index
          %28 = arith.subi %16, %27 : index
          %29 = arith.minsi %28, %c32 : index
          %30 = arith.subi %29, %c1 : index
          %31 = arith.minsi %arg5, %30 : index
          %32 = arith.addi %27, %31 : index
          %33 = arith.addi %15, %32 : index
          %x = tensor.extract %a[%26, %33] : tensor<?x?xf32>
          kernel.return %x : f32
        }
        %23 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c16) -> (tensor<16x16xf32>) {
          %24 = tensor.extract %arg3[%arg4, %arg5] : tensor<16x16xf32>
          %25 = arith.muli %arg2, %c32 : index
          %26 = arith.subi %16, %25 : index
          %27 = arith.minsi %26, %c32 : index
          %28 = scf.for %arg6 = %c0 to %27 step %c1 iter_args(%arg7 = %24) -> (f32) {
            %x = tensor.extract %22[%arg4, %arg6] : tensor<16x32xf32>
            %y = tensor.extract %21[%arg6, %arg5] : tensor<32x16xf32>
            %p = arith.mulf %x, %y : f32
            %next = arith.addf %arg7, %p : f32
            scf.yield %next : f32
          }
          kernel.return %28 : f32
        }
        scf.yield %23 : tensor<16x16xf32>
      }
      kernel.return %20 : tensor<16x16xf32>
    }
    %7 = kernel.untile %6 to [%m, %n] : tensor<?x?x16x16xf32> -> tensor<?x?xf32>
    func.return %7 : tensor<?x?xf32>
  }
}

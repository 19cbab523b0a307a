// pass: builtin.module(apply-schedules,canonicalize,cse,dce)
// A product as its schedule says: tiles of 4 by 8 points for a thread block, copies one step ahead.
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [4, 8], peel 8, chunk 8, distribute, interchange, stage, pipeline 2> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %p : f32
        scf.yield %next : f32
      }
      kernel.return %0 : f32
    }
    func.return %c : tensor<?x?xf32>
  }
// ===== expected
builtin.module {
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %u = tensor.dim %a, %c1 : tensor<?x?xf32>
    %n = tensor.dim %b, %c1 : tensor<?x?xf32>
    %0 = arith.addi %m, %c3 : index
    %1 = arith.divui %0, %c4 : index
    %2 = arith.subi %m, %c1 : index
    %3 = arith.addi %n, %c7 : index
    %4 = arith.divui %3, %c8 : index
    %5 = arith.subi %n, %c1 : index
    %6 = kernel.segmap block (%arg0 < %1, %arg1 < %4) -> (tensor<?x?x4x8xf32>) {
      %8 = kernel.segmap thread (%arg2 < %c4, %arg3 < %c8) -> (tensor<4x8xf32>) {
        kernel.return %zero : f32
      }
      %9 = arith.maxsi %u, %c0 : index
      %10 = arith.divui %9, %c8 : index
      %11 = arith.cmpi sgt, %10, %c0 : index
      %12:2 = scf.if %11 -> (tensor<8x8xf32>, tensor<4x8xf32>) {
        %15 = kernel.segmap thread async (%arg2 < %c8, %arg3 < %c8) -> (tensor<8x8xf32>) {
          %17 = arith.muli %arg1, %c8 : index
          %18 = arith.addi %17, %arg3 : index
          %19 = arith.minsi %18, %5 : index
          %y = tensor.extract %b[%arg2, %19] : tensor<?x?xf32>
          kernel.return %y : f32
        }
        %16 = kernel.segmap thread async (%arg2 < %c4, %arg3 < %c8) -> (tensor<4x8xf32>) {
          %17 = arith.muli %arg0, %c4 : index
          %18 = arith.addi %17, %arg2 : index
          %19 = arith.minsi %18, %2 : index
          %x = tensor.extract %a[%19, %arg3] : tensor<?x?xf32>
          kernel.return %x : f32
        }
        scf.yield %15, %16 : tensor<8x8xf32>, tensor<4x8xf32>
      } else {
        %15 = tensor.empty() : tensor<8x8xf32>
        %16 = tensor.empty() : tensor<4x8xf32>
        scf.yield %15, %16 : tensor<8x8xf32>, tensor<4x8xf32>
      }
      %13:3 = scf.for %arg2 = %c0 to %10 step %c1 iter_args(%arg3 = %8, %arg4 = %12#0, %arg5 = %12#1) -> (tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) {
        %15 = arith.addi %arg2, %c1 : index
        %16 = arith.cmpi slt, %15, %10 : index
        %17:2 = scf.if %16 -> (tensor<8x8xf32>, tensor<4x8xf32>) {
          %19 = kernel.segmap thread async (%arg6 < %c8, %arg7 < %c8) -> (tensor<8x8xf32>) {
            %21 = arith.muli %arg1, %c8 : index
            %22 = arith.addi %21, %arg7 : index
            %23 = arith.minsi %22, %5 : index
            %24 = arith.muli %15, %c8 : index
            %25 = arith.addi %24, %arg6 : index
            %y = tensor.extract %b[%25, %23] : tensor<?x?xf32>
            kernel.return %y : f32
          }
          %20 = kernel.segmap thread async (%arg6 < %c4, %arg7 < %c8) -> (tensor<4x8xf32>) {
            %21 = arith.muli %arg0, %c4 : index
            %22 = arith.addi %21, %arg6 : index
            %23 = arith.minsi %22, %2 : index
            %24 = arith.muli %15, %c8 : index
            %25 = arith.addi %24, %arg7 : index
            %x = tensor.extract %a[%23, %25] : tensor<?x?xf32>
            kernel.return %x : f32
          }
          scf.yield %19, %20 : tensor<8x8xf32>, tensor<4x8xf32>
        } else {
          %19 = tensor.empty() : tensor<8x8xf32>
          %20 = tensor.empty() : tensor<4x8xf32>
          scf.yield %19, %20 : tensor<8x8xf32>, tensor<4x8xf32>
        }
        %18 = kernel.segmap thread (%arg6 < %c4, %arg7 < %c8) -> (tensor<4x8xf32>) {
          %19 = tensor.extract %arg3[%arg6, %arg7] : tensor<4x8xf32>
          %20 = scf.for %arg8 = %c0 to %c8 step %c1 iter_args(%arg9 = %19) -> (f32) {
            %x = tensor.extract %arg5[%arg6, %arg8] : tensor<4x8xf32>
            %y = tensor.extract %arg4[%arg8, %arg7] : tensor<8x8xf32>
            %p = arith.mulf %x, %y : f32
            %next = arith.addf %arg9, %p : f32
            scf.yield %next : f32
          }
          kernel.return %20 : f32
        }
        scf.yield %18, %17#0, %17#1 : tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
      }
      %14 = kernel.segmap thread (%arg2 < %c4, %arg3 < %c8) -> (tensor<4x8xf32>) {
        %15 = arith.muli %arg0, %c4 : index
        %16 = arith.addi %15, %arg2 : index
        %17 = arith.minsi %16, %2 : index
        %18 = arith.muli %arg1, %c8 : index
        %19 = arith.addi %18, %arg3 : index
        %20 = arith.minsi %19, %5 : index
        %21 = arith.muli %10, %c8 : index
        %22 = arith.subi %9, %21 : index
        %23 = tensor.extract %13#0[%arg2, %arg3] : tensor<4x8xf32>
        %24 = scf.for %arg4 = %c0 to %22 step %c1 iter_args(%arg5 = %23) -> (f32) {
          %25 = arith.addi %21, %arg4 : index
          %x = tensor.extract %a[%17, %25] : tensor<?x?xf32>
          %y = tensor.extract %b[%25, %20] : tensor<?x?xf32>
          %p = arith.mulf %x, %y : f32
          %next = arith.addf %arg5, %p : f32
          scf.yield %next : f32
        }
        kernel.return %24 : f32
      }
      kernel.return %14 : tensor<4x8xf32>
    }
    %7 = kernel.untile %6 to [%m, %n] : tensor<?x?x4x8xf32> -> tensor<?x?xf32>
    func.return %7 : tensor<?x?xf32>
  }
}

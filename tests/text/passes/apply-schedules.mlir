// pass: builtin.module(apply-schedules,canonicalize,cse,dce)
// A product as its schedule says: tiles of 4 by 8 points for a thread block, copies one step ahead.
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = kernel.dim %a, 0 : tensor<?x?xf32>
    %u = kernel.dim %a, 1 : tensor<?x?xf32>
    %n = kernel.dim %b, 1 : tensor<?x?xf32>
    %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [4, 8], chunk 8, distribute, interchange, stage, specialise, pipeline 2> -> (tensor<?x?xf32>) {
      %0 = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = kernel.read %a[%i, %k] : tensor<?x?xf32>
        %y = kernel.read %b[%k, %j] : tensor<?x?xf32>
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
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %m = kernel.dim %a, 0 : tensor<?x?xf32>
    %u = kernel.dim %a, 1 : tensor<?x?xf32>
    %n = kernel.dim %b, 1 : tensor<?x?xf32>
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
      %10 = arith.addi %9, %c7 : index
      %11 = arith.divui %10, %c8 : index
      %12 = arith.cmpi sgt, %11, %c0 : index
      %13:2 = scf.if %12 -> (tensor<8x8xf32>, tensor<4x8xf32>) {
        %15 = kernel.segmap thread async (%arg2 < %c8, %arg3 < %c8) -> (tensor<8x8xf32>) {
          %17 = arith.muli %arg1, %c8 : index
          %18 = arith.addi %17, %arg3 : index
          %19 = arith.minsi %18, %5 : index
          %20 = arith.minsi %u, %c8 : index
          %21 = arith.subi %20, %c1 : index
          %22 = arith.minsi %arg2, %21 : index
          %y = kernel.read %b[%22, %19] : tensor<?x?xf32>
          kernel.return %y : f32
        }
        %16 = kernel.segmap thread async (%arg2 < %c4, %arg3 < %c8) -> (tensor<4x8xf32>) {
          %17 = arith.muli %arg0, %c4 : index
          %18 = arith.addi %17, %arg2 : index
          %19 = arith.minsi %18, %2 : index
          %20 = arith.minsi %u, %c8 : index
          %21 = arith.subi %20, %c1 : index
          %22 = arith.minsi %arg3, %21 : index
          %x = kernel.read %a[%19, %22] : tensor<?x?xf32>
          kernel.return %x : f32
        }
        scf.yield %15, %16 : tensor<8x8xf32>, tensor<4x8xf32>
      } else {
        %15 = kernel.scratch [%c8, %c8] : tensor<8x8xf32>
        %16 = kernel.scratch [%c4, %c8] : tensor<4x8xf32>
        scf.yield %15, %16 : tensor<8x8xf32>, tensor<4x8xf32>
      }
      %14:3 = scf.for %arg2 = %c0 to %11 step %c1 iter_args(%arg3 = %8, %arg4 = %13#0, %arg5 = %13#1) -> (tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) {
        %15 = arith.addi %arg2, %c1 : index
        %16 = arith.cmpi slt, %15, %11 : index
        %17:2 = scf.if %16 -> (tensor<8x8xf32>, tensor<4x8xf32>) {
          %19 = kernel.segmap thread async (%arg6 < %c8, %arg7 < %c8) -> (tensor<8x8xf32>) {
            %21 = arith.muli %arg1, %c8 : index
            %22 = arith.addi %21, %arg7 : index
            %23 = arith.minsi %22, %5 : index
            %24 = arith.muli %15, %c8 : index
            %25 = arith.subi %u, %24 : index
            %26 = arith.minsi %25, %c8 : index
            %27 = arith.subi %26, %c1 : index
            %28 = arith.minsi %arg6, %27 : index
            %29 = arith.addi %24, %28 : index
            %y = kernel.read %b[%29, %23] : tensor<?x?xf32>
            kernel.return %y : f32
          }
          %20 = kernel.segmap thread async (%arg6 < %c4, %arg7 < %c8) -> (tensor<4x8xf32>) {
            %21 = arith.muli %arg0, %c4 : index
            %22 = arith.addi %21, %arg6 : index
            %23 = arith.minsi %22, %2 : index
            %24 = arith.muli %15, %c8 : index
            %25 = arith.subi %u, %24 : index
            %26 = arith.minsi %25, %c8 : index
            %27 = arith.subi %26, %c1 : index
            %28 = arith.minsi %arg7, %27 : index
            %29 = arith.addi %24, %28 : index
            %x = kernel.read %a[%23, %29] : tensor<?x?xf32>
            kernel.return %x : f32
          }
          scf.yield %19, %20 : tensor<8x8xf32>, tensor<4x8xf32>
        } else {
          %19 = kernel.scratch [%c8, %c8] : tensor<8x8xf32>
          %20 = kernel.scratch [%c4, %c8] : tensor<4x8xf32>
          scf.yield %19, %20 : tensor<8x8xf32>, tensor<4x8xf32>
        }
        %18 = kernel.segmap thread (%arg6 < %c4, %arg7 < %c8) -> (tensor<4x8xf32>) {
          %19 = kernel.read %arg3[%arg6, %arg7] : tensor<4x8xf32>
          %20 = arith.muli %arg2, %c8 : index
          %21 = arith.subi %u, %20 : index
          %22 = arith.minsi %21, %c8 : index
          %23 = arith.cmpi eq, %22, %c8 : index
          %24 = scf.if %23 -> (f32) {
            %25 = scf.for %arg8 = %c0 to %c8 step %c1 iter_args(%arg9 = %19) -> (f32) {
              %x = kernel.read %arg5[%arg6, %arg8] : tensor<4x8xf32>
              %y = kernel.read %arg4[%arg8, %arg7] : tensor<8x8xf32>
              %p = arith.mulf %x, %y : f32
              %next = arith.addf %arg9, %p : f32
              scf.yield %next : f32
            }
            scf.yield %25 : f32
          } else {
            %25 = scf.for %arg8 = %c0 to %22 step %c1 iter_args(%arg9 = %19) -> (f32) {
              %x = kernel.read %arg5[%arg6, %arg8] : tensor<4x8xf32>
              %y = kernel.read %arg4[%arg8, %arg7] : tensor<8x8xf32>
              %p = arith.mulf %x, %y : f32
              %next = arith.addf %arg9, %p : f32
              scf.yield %next : f32
            }
            scf.yield %25 : f32
          }
          kernel.return %24 : f32
        }
        scf.yield %18, %17#0, %17#1 : tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
      }
      kernel.return %14#0 : tensor<4x8xf32>
    }
    %7 = kernel.untile %6 to [%m, %n] : tensor<?x?x4x8xf32> -> tensor<?x?xf32>
    func.return %7 : tensor<?x?xf32>
  }
}

// pass: builtin.module(tile-blocks,canonicalize,cse,dce)
// A matrix product in tiles of 16 by 16: a copy of each matrix's tile per step, sums that the loop carries for each thread.
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index, %u: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %s = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = kernel.read %a[%i, %k] : tensor<?x?xf32>
      %y = kernel.read %b[%k, %j] : tensor<?x?xf32>
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
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
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
      %10 = arith.addi %9, %c31 : index
      %11 = arith.divui %10, %c32 : index
      %12 = scf.for %arg2 = %c0 to %11 step %c1 iter_args(%arg3 = %8) -> (tensor<16x16xf32>) {
        %13 = kernel.segmap thread (%arg4 < %c32, %arg5 < %c16) -> (tensor<32x16xf32>) {
          %16 = arith.muli %arg1, %c16 : index
          %17 = arith.addi %16, %arg5 : index
          %18 = arith.minsi %17, %5 : index
          %19 = arith.muli %arg2, %c32 : index
          %20 = arith.subi %u, %19 : index
          %21 = arith.minsi %20, %c32 : index
          %22 = arith.subi %21, %c1 : index
          %23 = arith.minsi %arg4, %22 : index
          %24 = arith.addi %19, %23 : index
          %y = kernel.read %b[%24, %18] : tensor<?x?xf32>
          kernel.return %y : f32
        }
        %14 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c32) -> (tensor<16x32xf32>) {
          %16 = arith.muli %arg0, %c16 : index
          %17 = arith.addi %16, %arg4 : index
          %18 = arith.minsi %17, %2 : index
          %19 = arith.muli %arg2, %c32 : index
          %20 = arith.subi %u, %19 : index
          %21 = arith.minsi %20, %c32 : index
          %22 = arith.subi %21, %c1 : index
          %23 = arith.minsi %arg5, %22 : index
          %24 = arith.addi %19, %23 : index
          %x = kernel.read %a[%18, %24] : tensor<?x?xf32>
          kernel.return %x : f32
        }
        %15 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c16) -> (tensor<16x16xf32>) {
          %16 = kernel.read %arg3[%arg4, %arg5] : tensor<16x16xf32>
          %17 = arith.muli %arg2, %c32 : index
          %18 = arith.subi %u, %17 : index
          %19 = arith.minsi %18, %c32 : index
          %20 = arith.cmpi eq, %19, %c32 : index
          %21 = scf.if %20 -> (f32) {
            %22 = scf.for %arg6 = %c0 to %c32 step %c1 iter_args(%arg7 = %16) -> (f32) {
              %x = kernel.read %14[%arg4, %arg6] : tensor<16x32xf32>
              %y = kernel.read %13[%arg6, %arg5] : tensor<32x16xf32>
              %p = arith.mulf %x, %y : f32
              %next = arith.addf %arg7, %p : f32
              scf.yield %next : f32
            }
            scf.yield %22 : f32
          } else {
            %22 = scf.for %arg6 = %c0 to %19 step %c1 iter_args(%arg7 = %16) -> (f32) {
              %x = kernel.read %14[%arg4, %arg6] : tensor<16x32xf32>
              %y = kernel.read %13[%arg6, %arg5] : tensor<32x16xf32>
              %p = arith.mulf %x, %y : f32
              %next = arith.addf %arg7, %p : f32
              scf.yield %next : f32
            }
            scf.yield %22 : f32
          }
          kernel.return %21 : f32
        }
        scf.yield %15 : tensor<16x16xf32>
      }
      kernel.return %12 : tensor<16x16xf32>
    }
    %7 = kernel.untile %6 to [%m, %n] : tensor<?x?x16x16xf32> -> tensor<?x?xf32>
    func.return %7 : tensor<?x?xf32>
  }
}

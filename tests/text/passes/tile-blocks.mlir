// pass: builtin.module(tile-blocks,canonicalize,cse,dce)
// A matrix product in tiles of 16 by 16: a copy of each matrix's tile per step, sums that the loop carries for each thread.
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
      %11 = scf.for %arg2 = %c0 to %10 step %c1 iter_args(%arg3 = %8) -> (tensor<16x16xf32>) {
        %19 = kernel.segmap thread (%arg4 < %c32, %arg5 < %c16) -> (tensor<32x16xf32>) {
          %22 = arith.muli %arg1, %c16 : index
          %23 = arith.addi %22, %arg5 : index
          %24 = arith.minsi %23, %5 : index
          %25 = arith.muli %arg2, %c32 : index
          %26 = arith.addi %25, %arg4 : index
          %y = tensor.extract %b[%26, %24] : tensor<?x?xf32>
          kernel.return %y : f32
        }
        %20 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c32) -> (tensor<16x32xf32>) {
          %22 = arith.muli %arg0, %c16 : index
          %23 = arith.addi %22, %arg4 : index
          %24 = arith.minsi %23, %2 : index
          %25 = arith.muli %arg2, %c32 : index
          %26 = arith.addi %25, %arg5 : index
          %x = tensor.extract %a[%24, %26] : tensor<?x?xf32>
          kernel.return %x : f32
        }
        %21 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c16) -> (tensor<16x16xf32>) {
          %22 = tensor.extract %arg3[%arg4, %arg5] : tensor<16x16xf32>
          %23 = scf.for %arg6 = %c0 to %c32 step %c1 iter_args(%arg7 = %22) -> (f32) {
            %x = tensor.extract %20[%arg4, %arg6] : tensor<16x32xf32>
            %y = tensor.extract %19[%arg6, %arg5] : tensor<32x16xf32>
            %p = arith.mulf %x, %y : f32
            %next = arith.addf %arg7, %p : f32
            scf.yield %next : f32
          }
          kernel.return %23 : f32
        }
        scf.yield %21 : tensor<16x16xf32>
      }
      %12 = kernel.segmap thread (%arg2 < %c16, %arg3 < %c16) -> (tensor<16x16xf32>) {
        %19 = tensor.extract %11[%arg2, %arg3] : tensor<16x16xf32>
        kernel.return %19 : f32
      }
      %13 = arith.muli %10, %c32 : index
      %14 = arith.subi %9, %13 : index
      %15 = arith.maxsi %14, %c0 : index
      %16 = arith.addi %15, %c31 : index
      %17 = arith.divui %16, %c32 : index
      %18 = scf.for %arg2 = %c0 to %17 step %c1 iter_args(%arg3 = %12) -> (tensor<16x16xf32>) {
        %19 = kernel.segmap thread (%arg4 < %c32, %arg5 < %c16) -> (tensor<32x16xf32>) {
          %22 = arith.muli %arg1, %c16 : index
          %23 = arith.addi %22, %arg5 : index
          %24 = arith.minsi %23, %5 : index
          %25 = arith.muli %arg2, %c32 : index
          %26 = arith.subi %14, %25 : index
          %27 = arith.minsi %26, %c32 : index
          %28 = arith.subi %27, %c1 : index
          %29 = arith.minsi %arg4, %28 : index
          %30 = arith.addi %25, %29 : index
          %31 = arith.addi %13, %30 : index
          %y = tensor.extract %b[%31, %24] : tensor<?x?xf32>
          kernel.return %y : f32
        }
        %20 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c32) -> (tensor<16x32xf32>) {
          %22 = arith.muli %arg0, %c16 : index
          %23 = arith.addi %22, %arg4 : index
          %24 = arith.minsi %23, %2 : index
          %25 = arith.muli %arg2, %c32 : index
          %26 = arith.subi %14, %25 : index
          %27 = arith.minsi %26, %c32 : index
          %28 = arith.subi %27, %c1 : index
          %29 = arith.minsi %arg5, %28 : index
          %30 = arith.addi %25, %29 : index
          %31 = arith.addi %13, %30 : index
          %x = tensor.extract %a[%24, %31] : tensor<?x?xf32>
          kernel.return %x : f32
        }
        %21 = kernel.segmap thread (%arg4 < %c16, %arg5 < %c16) -> (tensor<16x16xf32>) {
          %22 = tensor.extract %arg3[%arg4, %arg5] : tensor<16x16xf32>
          %23 = arith.muli %arg2, %c32 : index
          %24 = arith.subi %14, %23 : index
          %25 = arith.minsi %24, %c32 : index
          %26 = scf.for %arg6 = %c0 to %25 step %c1 iter_args(%arg7 = %22) -> (f32) {
            %x = tensor.extract %20[%arg4, %arg6] : tensor<16x32xf32>
            %y = tensor.extract %19[%arg6, %arg5] : tensor<32x16xf32>
            %p = arith.mulf %x, %y : f32
            %next = arith.addf %arg7, %p : f32
            scf.yield %next : f32
          }
          kernel.return %26 : f32
        }
        scf.yield %21 : tensor<16x16xf32>
      }
      kernel.return %18 : tensor<16x16xf32>
    }
    %7 = kernel.untile %6 to [%m, %n] : tensor<?x?x16x16xf32> -> tensor<?x?xf32>
    func.return %7 : tensor<?x?xf32>
  }
}

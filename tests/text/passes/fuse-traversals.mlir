// pass: builtin.module(func.func(fuse-traversals{versions=one warps=2 columns=1 rows=1 steps=2 tiles=3},canonicalize,cse,dce))
// One nest combines rows, one columns: a tile of the matrix is read once for both. The columns of a thread are combined from
// step to step, rows across the lanes in each step; parts are combined by kernels of their own.
func.func @both(%a: tensor<?x?xf32>, %p: tensor<?xf32>, %r: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
    %y = tensor.extract %p[%j] : tensor<?xf32>
    %z = arith.mulf %x, %y : f32
    kernel.return %z : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    kernel.return %u : f32
  }
  %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
    %y = tensor.extract %r[%i] : tensor<?xf32>
    %z = arith.mulf %x, %y : f32
    kernel.return %z : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    kernel.return %u : f32
  }
  func.return %q, %s : tensor<?xf32>, tensor<?xf32>
}
// The sums of the rows are needed by those of the columns: a barrier is between them, and the nests stay two.
func.func @behind(%a: tensor<?x8xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %m = arith.constant 8 : index
  %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %a[%i, %j] : tensor<?x8xf32>
    kernel.return %x : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    kernel.return %u : f32
  }
  %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = tensor.extract %a[%i, %j] : tensor<?x8xf32>
    %y = tensor.extract %q[%i] : tensor<?xf32>
    %z = arith.mulf %x, %y : f32
    kernel.return %z : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    kernel.return %u : f32
  }
  func.return %s : tensor<?xf32>
}
// ===== expected
builtin.module {
  func.func @both(%a: tensor<?x?xf32>, %p: tensor<?xf32>, %r: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c134217728 = arith.constant 134217728 : index
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = arith.divui %n, %c4 : index
    %1 = arith.divui %m, %c32 : index
    %2 = arith.muli %0, %1 : index
    %3 = kernel.at_least %2, "both.traverse0.tiles" default 3
    %4 = arith.muli %n, %m : index
    %5 = arith.cmpi sgt, %4, %c134217728 : index
    %6 = arith.ori %3, %5 : i1
    %7:2 = scf.if %6 -> (tensor<?xf32>, tensor<?xf32>) {
      %8 = arith.addi %n, %c3 : index
      %9 = arith.divui %8, %c4 : index
      %10 = arith.addi %m, %c31 : index
      %11 = arith.divui %10, %c32 : index
      %12:2 = kernel.segmap block (%arg0 < %9, %arg1 < %11) -> (tensor<?x?x32xf32>, tensor<?x?x4xf32>) {
        %18 = arith.muli %arg0, %c4 : index
        %19 = arith.muli %arg1, %c32 : index
        %20 = arith.subi %n, %18 : index
        %21 = arith.addi %20, %c1 : index
        %22 = arith.divui %21, %c2 : index
        %23 = arith.minsi %22, %c2 : index
        %24:3 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
          %30 = arith.addi %19, %arg3 : index
          %31 = arith.subi %m, %c1 : index
          %32 = arith.minsi %30, %31 : index
          %y = tensor.extract %p[%32] : tensor<?xf32>
          kernel.return %y, %zero, %zero : f32, f32, f32
        }
        %25:2 = scf.for %arg2 = %c0 to %23 step %c1 iter_args(%arg3 = %24#1, %arg4 = %24#2) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
          %30 = arith.addi %18, %c4 : index
          %31 = arith.cmpi sle, %30, %n : index
          %32 = arith.addi %19, %c32 : index
          %33 = arith.cmpi sle, %32, %m : index
          %34 = arith.andi %31, %33 : i1
          %35:2 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
            %38 = tensor.extract %arg3[%arg5, %arg6] : tensor<2x32xf32>
            %39 = tensor.extract %24#0[%arg5, %arg6] : tensor<2x32xf32>
            %40:2 = scf.if %34 -> (f32, f32) {
              %41 = arith.addi %18, %arg5 : index
              %42 = arith.muli %arg2, %c2 : index
              %43 = arith.addi %41, %42 : index
              %44 = arith.addi %19, %arg6 : index
              %y = tensor.extract %r[%43] : tensor<?xf32>
              %x = tensor.extract %a[%43, %44] : tensor<?x?xf32>
              %z = arith.mulf %x, %39 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %38, %z_0 : f32
              scf.yield %u, %z : f32, f32
            } else {
              %41 = arith.addi %18, %arg5 : index
              %42 = arith.muli %arg2, %c2 : index
              %43 = arith.addi %41, %42 : index
              %44 = arith.addi %19, %arg6 : index
              %45 = arith.cmpi slt, %43, %n : index
              %46 = arith.subi %n, %c1 : index
              %47 = arith.minsi %43, %46 : index
              %48 = arith.cmpi slt, %44, %m : index
              %49 = arith.subi %m, %c1 : index
              %50 = arith.minsi %44, %49 : index
              %y = tensor.extract %r[%47] : tensor<?xf32>
              %x = tensor.extract %a[%47, %50] : tensor<?x?xf32>
              %z = arith.mulf %x, %39 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %38, %z_0 : f32
              %51 = arith.select %45, %u, %38 : f32
              %52 = arith.select %48, %z, %zero : f32
              scf.yield %51, %52 : f32, f32
            }
            kernel.return %40#0, %40#1 : f32, f32
          }
          %36 = kernel.segred thread (%arg5 < %c2, %arg6 < %c32) init (%zero : f32) -> (tensor<2xf32>) {
            %38 = tensor.extract %35#1[%arg5, %arg6] : tensor<2x32xf32>
            kernel.return %38 : f32
          } combine (%arg5, %arg6) {
            %u = arith.addf %arg5, %arg6 : f32
            kernel.return %u : f32
          }
          %37 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>) {
            %38 = tensor.extract %arg4[%arg5, %arg6] : tensor<2x32xf32>
            %39 = arith.cmpi eq, %arg6, %arg2 : index
            %40 = tensor.extract %36[%arg5] : tensor<2xf32>
            %41 = arith.select %39, %40, %38 : f32
            kernel.return %41 : f32
          }
          scf.yield %35#0, %37 : tensor<2x32xf32>, tensor<2x32xf32>
        }
        %26 = kernel.regtile %25#0 {registers = array<i64: 1, 1>, runs = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x32xf32>
        %27 = kernel.segmap thread (%arg2 < %c32) -> (tensor<32xf32>) {
          %30 = tensor.extract %26[%c0, %arg2] : tensor<2x32xf32>
          %31 = tensor.extract %26[%c1, %arg2] : tensor<2x32xf32>
          %u = arith.addf %30, %31 : f32
          kernel.return %u : f32
        }
        %28 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>) {
          %30 = tensor.extract %25#1[%arg2, %arg3] : tensor<2x32xf32>
          kernel.return %30 : f32
        }
        %29 = kernel.segmap thread (%arg2 < %c4) -> (tensor<4xf32>) {
          %30 = arith.divui %arg2, %c2 : index
          %31 = arith.remui %arg2, %c2 : index
          %32 = tensor.extract %28[%31, %30] : tensor<2x32xf32>
          kernel.return %32 : f32
        }
        kernel.return %27, %29 : tensor<32xf32>, tensor<4xf32>
      }
      %13 = arith.muli %11, %c32 : index
      %14 = tensor.from_elements %9, %13 : tensor<2xindex>
      %15 = tensor.reshape %12#0(%14) : (tensor<?x?x32xf32>, tensor<2xindex>) -> tensor<?x?xf32>
      %16 = kernel.segred thread (%arg0 < %m, %arg1 < %9) init (%zero : f32) -> (tensor<?xf32>) {
        %18 = tensor.extract %15[%arg1, %arg0] : tensor<?x?xf32>
        kernel.return %18 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      } {of_tiles}
      %17 = kernel.segred thread (%arg0 < %n, %arg1 < %11) init (%zero : f32) -> (tensor<?xf32>) {
        %18 = arith.divui %arg0, %c4 : index
        %19 = arith.remui %arg0, %c4 : index
        %20 = tensor.extract %12#1[%18, %arg1, %19] : tensor<?x?x4xf32>
        kernel.return %20 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      } {of_tiles}
      scf.yield %17, %16 : tensor<?xf32>, tensor<?xf32>
    } else {
      %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
        %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
        %y = tensor.extract %p[%j] : tensor<?xf32>
        %z = arith.mulf %x, %y : f32
        kernel.return %z : f32
      } combine (%s_0, %t) {
        %u = arith.addf %s_0, %t : f32
        kernel.return %u : f32
      }
      %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
        %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
        %y = tensor.extract %r[%i] : tensor<?xf32>
        %z = arith.mulf %x, %y : f32
        kernel.return %z : f32
      } combine (%s_0, %t) {
        %u = arith.addf %s_0, %t : f32
        kernel.return %u : f32
      }
      scf.yield %q, %s : tensor<?xf32>, tensor<?xf32>
    }
    func.return %7#0, %7#1 : tensor<?xf32>, tensor<?xf32>
  }
  func.func @behind(%a: tensor<?x8xf32>, %n: index) -> tensor<?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %m = arith.constant 8 : index
    %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %a[%i, %j] : tensor<?x8xf32>
      kernel.return %x : f32
    } combine (%s_0, %t) {
      %u = arith.addf %s_0, %t : f32
      kernel.return %u : f32
    }
    %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %a[%i, %j] : tensor<?x8xf32>
      %y = tensor.extract %q[%i] : tensor<?xf32>
      %z = arith.mulf %x, %y : f32
      kernel.return %z : f32
    } combine (%s_0, %t) {
      %u = arith.addf %s_0, %t : f32
      kernel.return %u : f32
    }
    func.return %s : tensor<?xf32>
  }
}

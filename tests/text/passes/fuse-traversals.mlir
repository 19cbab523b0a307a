// pass: builtin.module(func.func(fuse-traversals{versions=one warps=2 columns=1 rows=1 steps=2 tiles=3},canonicalize,cse,dce))
// One nest combines rows, one columns: a tile of the matrix is read once for both. The columns of a thread are combined from
// step to step, rows across the lanes in each step; parts are combined by kernels of their own.
func.func @both(%a: tensor<?x?xf32>, %p: tensor<?xf32>, %r: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
    %x = kernel.read %a[%i, %j] : tensor<?x?xf32>
    %y = kernel.read %p[%j] : tensor<?xf32>
    %z = arith.mulf %x, %y : f32
    kernel.return %z : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    kernel.return %u : f32
  }
  %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = kernel.read %a[%i, %j] : tensor<?x?xf32>
    %y = kernel.read %r[%i] : tensor<?xf32>
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
    %x = kernel.read %a[%i, %j] : tensor<?x8xf32>
    kernel.return %x : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    kernel.return %u : f32
  }
  %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
    %x = kernel.read %a[%i, %j] : tensor<?x8xf32>
    %y = kernel.read %q[%i] : tensor<?xf32>
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
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = arith.divui %n, %c4 : index
    %1 = arith.divui %m, %c32 : index
    %2 = arith.muli %0, %1 : index
    %3 = kernel.at_least %2, "both.traverse0.tiles" default 3
    %4:2 = scf.if %3 -> (tensor<?xf32>, tensor<?xf32>) {
      %5 = arith.addi %n, %c3 : index
      %6 = arith.divui %5, %c4 : index
      %7 = arith.addi %m, %c31 : index
      %8 = arith.divui %7, %c32 : index
      %9:2 = kernel.segmap block (%arg0 < %6, %arg1 < %8) -> (tensor<?x?x32xf32>, tensor<?x?x4xf32>) {
        %14 = arith.muli %arg0, %c4 : index
        %15 = arith.muli %arg1, %c32 : index
        %16 = arith.subi %n, %14 : index
        %17 = arith.addi %16, %c1 : index
        %18 = arith.divui %17, %c2 : index
        %19 = arith.minsi %18, %c2 : index
        %20:3 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
          %26 = arith.addi %15, %arg3 : index
          %27 = arith.subi %m, %c1 : index
          %28 = arith.minsi %26, %27 : index
          %y = kernel.read %p[%28] : tensor<?xf32>
          kernel.return %y, %zero, %zero : f32, f32, f32
        }
        %21:2 = scf.for %arg2 = %c0 to %19 step %c1 iter_args(%arg3 = %20#1, %arg4 = %20#2) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
          %26 = arith.addi %14, %c4 : index
          %27 = arith.cmpi sle, %26, %n : index
          %28 = arith.addi %15, %c32 : index
          %29 = arith.cmpi sle, %28, %m : index
          %30 = arith.andi %27, %29 : i1
          %31:2 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
            %34 = kernel.read %arg3[%arg5, %arg6] : tensor<2x32xf32>
            %35 = kernel.read %20#0[%arg5, %arg6] : tensor<2x32xf32>
            %36:2 = scf.if %30 -> (f32, f32) {
              %37 = arith.addi %14, %arg5 : index
              %38 = arith.muli %arg2, %c2 : index
              %39 = arith.addi %37, %38 : index
              %40 = arith.addi %15, %arg6 : index
              %y = kernel.read %r[%39] : tensor<?xf32>
              %x = kernel.read %a[%39, %40] : tensor<?x?xf32>
              %z = arith.mulf %x, %35 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %34, %z_0 : f32
              scf.yield %u, %z : f32, f32
            } else {
              %37 = arith.addi %14, %arg5 : index
              %38 = arith.muli %arg2, %c2 : index
              %39 = arith.addi %37, %38 : index
              %40 = arith.addi %15, %arg6 : index
              %41 = arith.cmpi slt, %39, %n : index
              %42 = arith.subi %n, %c1 : index
              %43 = arith.minsi %39, %42 : index
              %44 = arith.cmpi slt, %40, %m : index
              %45 = arith.subi %m, %c1 : index
              %46 = arith.minsi %40, %45 : index
              %y = kernel.read %r[%43] : tensor<?xf32>
              %x = kernel.read %a[%43, %46] : tensor<?x?xf32>
              %z = arith.mulf %x, %35 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %34, %z_0 : f32
              %47 = arith.select %41, %u, %34 : f32
              %48 = arith.select %44, %z, %zero : f32
              scf.yield %47, %48 : f32, f32
            }
            kernel.return %36#0, %36#1 : f32, f32
          }
          %32 = kernel.segred thread (%arg5 < %c2, %arg6 < %c32) init (%zero : f32) -> (tensor<2xf32>) {
            %34 = kernel.read %31#1[%arg5, %arg6] : tensor<2x32xf32>
            kernel.return %34 : f32
          } combine (%arg5, %arg6) {
            %u = arith.addf %arg5, %arg6 : f32
            kernel.return %u : f32
          }
          %33 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>) {
            %34 = kernel.read %arg4[%arg5, %arg6] : tensor<2x32xf32>
            %35 = arith.cmpi eq, %arg6, %arg2 : index
            %36 = kernel.read %32[%arg5] : tensor<2xf32>
            %37 = arith.select %35, %36, %34 : f32
            kernel.return %37 : f32
          }
          scf.yield %31#0, %33 : tensor<2x32xf32>, tensor<2x32xf32>
        }
        %22 = kernel.regtile %21#0 {registers = array<i64: 1, 1>, runs = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x32xf32>
        %23 = kernel.segmap thread (%arg2 < %c32) -> (tensor<32xf32>) {
          %26 = kernel.read %22[%c0, %arg2] : tensor<2x32xf32>
          %27 = kernel.read %22[%c1, %arg2] : tensor<2x32xf32>
          %u = arith.addf %26, %27 : f32
          kernel.return %u : f32
        }
        %24 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>) {
          %26 = kernel.read %21#1[%arg2, %arg3] : tensor<2x32xf32>
          kernel.return %26 : f32
        }
        %25 = kernel.segmap thread (%arg2 < %c4) -> (tensor<4xf32>) {
          %26 = arith.divui %arg2, %c2 : index
          %27 = arith.remui %arg2, %c2 : index
          %28 = kernel.read %24[%27, %26] : tensor<2x32xf32>
          kernel.return %28 : f32
        }
        kernel.return %23, %25 : tensor<32xf32>, tensor<4xf32>
      }
      %10 = arith.muli %8, %c32 : index
      %11 = kernel.reshape %9#0 to [%6, %10] : tensor<?x?x32xf32> -> tensor<?x?xf32>
      %12 = kernel.segred thread (%arg0 < %m, %arg1 < %6) init (%zero : f32) -> (tensor<?xf32>) {
        %14 = kernel.read %11[%arg1, %arg0] : tensor<?x?xf32>
        kernel.return %14 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      } {of_tiles}
      %13 = kernel.segred thread (%arg0 < %n, %arg1 < %8) init (%zero : f32) -> (tensor<?xf32>) {
        %14 = arith.divui %arg0, %c4 : index
        %15 = arith.remui %arg0, %c4 : index
        %16 = kernel.read %9#1[%14, %arg1, %15] : tensor<?x?x4xf32>
        kernel.return %16 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      } {of_tiles}
      scf.yield %13, %12 : tensor<?xf32>, tensor<?xf32>
    } else {
      %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
        %x = kernel.read %a[%i, %j] : tensor<?x?xf32>
        %y = kernel.read %p[%j] : tensor<?xf32>
        %z = arith.mulf %x, %y : f32
        kernel.return %z : f32
      } combine (%s_0, %t) {
        %u = arith.addf %s_0, %t : f32
        kernel.return %u : f32
      }
      %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
        %x = kernel.read %a[%i, %j] : tensor<?x?xf32>
        %y = kernel.read %r[%i] : tensor<?xf32>
        %z = arith.mulf %x, %y : f32
        kernel.return %z : f32
      } combine (%s_0, %t) {
        %u = arith.addf %s_0, %t : f32
        kernel.return %u : f32
      }
      scf.yield %q, %s : tensor<?xf32>, tensor<?xf32>
    }
    func.return %4#0, %4#1 : tensor<?xf32>, tensor<?xf32>
  }
  func.func @behind(%a: tensor<?x8xf32>, %n: index) -> tensor<?xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %m = arith.constant 8 : index
    %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
      %x = kernel.read %a[%i, %j] : tensor<?x8xf32>
      kernel.return %x : f32
    } combine (%s_0, %t) {
      %u = arith.addf %s_0, %t : f32
      kernel.return %u : f32
    }
    %s = kernel.segred thread (%j < %m, %i < %n) init (%zero : f32) -> (tensor<?xf32>) {
      %x = kernel.read %a[%i, %j] : tensor<?x8xf32>
      %y = kernel.read %q[%i] : tensor<?xf32>
      %z = arith.mulf %x, %y : f32
      kernel.return %z : f32
    } combine (%s_0, %t) {
      %u = arith.addf %s_0, %t : f32
      kernel.return %u : f32
    }
    func.return %s : tensor<?xf32>
  }
}

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
        %17 = arith.muli %arg0, %c4 : index
        %18 = arith.muli %arg1, %c32 : index
        %19 = arith.subi %n, %17 : index
        %20 = arith.addi %19, %c1 : index
        %21 = arith.divui %20, %c2 : index
        %22 = arith.minsi %21, %c2 : index
        %23:3 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
          %29 = arith.addi %18, %arg3 : index
          %30 = arith.subi %m, %c1 : index
          %31 = arith.minsi %29, %30 : index
          %y = kernel.read %p[%31] : tensor<?xf32>
          kernel.return %y, %zero, %zero : f32, f32, f32
        }
        %24:2 = scf.for %arg2 = %c0 to %22 step %c1 iter_args(%arg3 = %23#1, %arg4 = %23#2) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
          %29 = arith.addi %17, %c4 : index
          %30 = arith.cmpi sle, %29, %n : index
          %31 = arith.addi %18, %c32 : index
          %32 = arith.cmpi sle, %31, %m : index
          %33 = arith.andi %30, %32 : i1
          %34:2 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
            %37 = kernel.read %arg3[%arg5, %arg6] : tensor<2x32xf32>
            %38 = kernel.read %23#0[%arg5, %arg6] : tensor<2x32xf32>
            %39:2 = scf.if %33 -> (f32, f32) {
              %40 = arith.addi %17, %arg5 : index
              %41 = arith.muli %arg2, %c2 : index
              %42 = arith.addi %40, %41 : index
              %43 = arith.addi %18, %arg6 : index
              %y = kernel.read %r[%42] : tensor<?xf32>
              %x = kernel.read %a[%42, %43] : tensor<?x?xf32>
              %z = arith.mulf %x, %38 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %37, %z_0 : f32
              scf.yield %u, %z : f32, f32
            } else {
              %40 = arith.addi %17, %arg5 : index
              %41 = arith.muli %arg2, %c2 : index
              %42 = arith.addi %40, %41 : index
              %43 = arith.addi %18, %arg6 : index
              %44 = arith.cmpi slt, %42, %n : index
              %45 = arith.subi %n, %c1 : index
              %46 = arith.minsi %42, %45 : index
              %47 = arith.cmpi slt, %43, %m : index
              %48 = arith.subi %m, %c1 : index
              %49 = arith.minsi %43, %48 : index
              %y = kernel.read %r[%46] : tensor<?xf32>
              %x = kernel.read %a[%46, %49] : tensor<?x?xf32>
              %z = arith.mulf %x, %38 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %37, %z_0 : f32
              %50 = arith.select %44, %u, %37 : f32
              %51 = arith.select %47, %z, %zero : f32
              scf.yield %50, %51 : f32, f32
            }
            kernel.return %39#0, %39#1 : f32, f32
          }
          %35 = kernel.segred thread (%arg5 < %c2, %arg6 < %c32) init (%zero : f32) -> (tensor<2xf32>) {
            %37 = kernel.read %34#1[%arg5, %arg6] : tensor<2x32xf32>
            kernel.return %37 : f32
          } combine (%arg5, %arg6) {
            %u = arith.addf %arg5, %arg6 : f32
            kernel.return %u : f32
          }
          %36 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>) {
            %37 = kernel.read %arg4[%arg5, %arg6] : tensor<2x32xf32>
            %38 = arith.cmpi eq, %arg6, %arg2 : index
            %39 = kernel.read %35[%arg5] : tensor<2xf32>
            %40 = arith.select %38, %39, %37 : f32
            kernel.return %40 : f32
          }
          scf.yield %34#0, %36 : tensor<2x32xf32>, tensor<2x32xf32>
        }
        %25 = kernel.regtile %24#0 {registers = array<i64: 1, 1>, runs = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x32xf32>
        %26 = kernel.segmap thread (%arg2 < %c32) -> (tensor<32xf32>) {
          %29 = kernel.read %25[%c0, %arg2] : tensor<2x32xf32>
          %30 = kernel.read %25[%c1, %arg2] : tensor<2x32xf32>
          %u = arith.addf %29, %30 : f32
          kernel.return %u : f32
        }
        %27 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>) {
          %29 = kernel.read %24#1[%arg2, %arg3] : tensor<2x32xf32>
          kernel.return %29 : f32
        }
        %28 = kernel.segmap thread (%arg2 < %c4) -> (tensor<4xf32>) {
          %29 = arith.divui %arg2, %c2 : index
          %30 = arith.remui %arg2, %c2 : index
          %31 = kernel.read %27[%30, %29] : tensor<2x32xf32>
          kernel.return %31 : f32
        }
        kernel.return %26, %28 : tensor<32xf32>, tensor<4xf32>
      }
      %13 = arith.muli %11, %c32 : index
      %14 = kernel.reshape %12#0 to [%9, %13] : tensor<?x?x32xf32> -> tensor<?x?xf32>
      %15 = kernel.segred thread (%arg0 < %m, %arg1 < %9) init (%zero : f32) -> (tensor<?xf32>) {
        %17 = kernel.read %14[%arg1, %arg0] : tensor<?x?xf32>
        kernel.return %17 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      } {of_tiles}
      %16 = kernel.segred thread (%arg0 < %n, %arg1 < %11) init (%zero : f32) -> (tensor<?xf32>) {
        %17 = arith.divui %arg0, %c4 : index
        %18 = arith.remui %arg0, %c4 : index
        %19 = kernel.read %12#1[%17, %arg1, %18] : tensor<?x?x4xf32>
        kernel.return %19 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      } {of_tiles}
      scf.yield %16, %15 : tensor<?xf32>, tensor<?xf32>
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
    func.return %7#0, %7#1 : tensor<?xf32>, tensor<?xf32>
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

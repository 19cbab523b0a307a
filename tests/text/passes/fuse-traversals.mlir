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
        %12 = arith.muli %arg0, %c4 : index
        %13 = arith.muli %arg1, %c32 : index
        %14 = arith.subi %n, %12 : index
        %15 = arith.addi %14, %c1 : index
        %16 = arith.divui %15, %c2 : index
        %17 = arith.minsi %16, %c2 : index
        %18:3 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
          %24 = arith.addi %13, %arg3 : index
          %25 = arith.subi %m, %c1 : index
          %26 = arith.minsi %24, %25 : index
          %y = kernel.read %p[%26] : tensor<?xf32>
          kernel.return %y, %zero, %zero : f32, f32, f32
        }
        %19:2 = scf.for %arg2 = %c0 to %17 step %c1 iter_args(%arg3 = %18#1, %arg4 = %18#2) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
          %24 = arith.addi %12, %c4 : index
          %25 = arith.cmpi sle, %24, %n : index
          %26 = arith.addi %13, %c32 : index
          %27 = arith.cmpi sle, %26, %m : index
          %28 = arith.andi %25, %27 : i1
          %29:2 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
            %32 = kernel.read %arg3[%arg5, %arg6] : tensor<2x32xf32>
            %33 = kernel.read %18#0[%arg5, %arg6] : tensor<2x32xf32>
            %34:2 = scf.if %28 -> (f32, f32) {
              %35 = arith.addi %12, %arg5 : index
              %36 = arith.muli %arg2, %c2 : index
              %37 = arith.addi %35, %36 : index
              %38 = arith.addi %13, %arg6 : index
              %y = kernel.read %r[%37] : tensor<?xf32>
              %x = kernel.read %a[%37, %38] : tensor<?x?xf32>
              %z = arith.mulf %x, %33 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %32, %z_0 : f32
              scf.yield %u, %z : f32, f32
            } else {
              %35 = arith.addi %12, %arg5 : index
              %36 = arith.muli %arg2, %c2 : index
              %37 = arith.addi %35, %36 : index
              %38 = arith.addi %13, %arg6 : index
              %39 = arith.cmpi slt, %37, %n : index
              %40 = arith.subi %n, %c1 : index
              %41 = arith.minsi %37, %40 : index
              %42 = arith.cmpi slt, %38, %m : index
              %43 = arith.subi %m, %c1 : index
              %44 = arith.minsi %38, %43 : index
              %y = kernel.read %r[%41] : tensor<?xf32>
              %x = kernel.read %a[%41, %44] : tensor<?x?xf32>
              %z = arith.mulf %x, %33 : f32
              %z_0 = arith.mulf %x, %y : f32
              %u = arith.addf %32, %z_0 : f32
              %45 = arith.select %39, %u, %32 : f32
              %46 = arith.select %42, %z, %zero : f32
              scf.yield %45, %46 : f32, f32
            }
            kernel.return %34#0, %34#1 : f32, f32
          }
          %30 = kernel.segred thread (%arg5 < %c2, %arg6 < %c32) init (%zero : f32) -> (tensor<2xf32>) {
            %32 = kernel.read %29#1[%arg5, %arg6] : tensor<2x32xf32>
            kernel.return %32 : f32
          } combine (%arg5, %arg6) {
            %u = arith.addf %arg5, %arg6 : f32
            kernel.return %u : f32
          }
          %31 = kernel.segmap thread (%arg5 < %c2, %arg6 < %c32) -> (tensor<2x32xf32>) {
            %32 = kernel.read %arg4[%arg5, %arg6] : tensor<2x32xf32>
            %33 = arith.cmpi eq, %arg6, %arg2 : index
            %34 = kernel.read %30[%arg5] : tensor<2xf32>
            %35 = arith.select %33, %34, %32 : f32
            kernel.return %35 : f32
          }
          scf.yield %29#0, %31 : tensor<2x32xf32>, tensor<2x32xf32>
        }
        %20 = kernel.regtile %19#0 {registers = array<i64: 1, 1>, runs = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x32xf32>
        %21 = kernel.segmap thread (%arg2 < %c32) -> (tensor<32xf32>) {
          %24 = kernel.read %20[%c0, %arg2] : tensor<2x32xf32>
          %25 = kernel.read %20[%c1, %arg2] : tensor<2x32xf32>
          %u = arith.addf %24, %25 : f32
          kernel.return %u : f32
        }
        %22 = kernel.segmap thread (%arg2 < %c2, %arg3 < %c32) -> (tensor<2x32xf32>) {
          %24 = kernel.read %19#1[%arg2, %arg3] : tensor<2x32xf32>
          kernel.return %24 : f32
        }
        %23 = kernel.segmap thread (%arg2 < %c4) -> (tensor<4xf32>) {
          %24 = arith.divui %arg2, %c2 : index
          %25 = arith.remui %arg2, %c2 : index
          %26 = kernel.read %22[%25, %24] : tensor<2x32xf32>
          kernel.return %26 : f32
        }
        kernel.return %21, %23 : tensor<32xf32>, tensor<4xf32>
      }
      %10 = kernel.segred thread (%arg0 < %m, %arg1 < %6) init (%zero : f32) -> (tensor<?xf32>) {
        %12 = arith.divui %arg0, %c32 : index
        %13 = arith.remui %arg0, %c32 : index
        %14 = kernel.read %9#0[%arg1, %12, %13] : tensor<?x?x32xf32>
        kernel.return %14 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      }
      %11 = kernel.segred thread (%arg0 < %n, %arg1 < %8) init (%zero : f32) -> (tensor<?xf32>) {
        %12 = arith.divui %arg0, %c4 : index
        %13 = arith.remui %arg0, %c4 : index
        %14 = kernel.read %9#1[%12, %arg1, %13] : tensor<?x?x4xf32>
        kernel.return %14 : f32
      } combine (%arg0, %arg1) {
        %u = arith.addf %arg0, %arg1 : f32
        kernel.return %u : f32
      }
      scf.yield %11, %10 : tensor<?xf32>, tensor<?xf32>
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

// pass: builtin.module(schedule-stencils{steps=2},canonicalize,cse)
// Two steps of a loop by one kernel, and what is left by single ones.
func.func @smooth(%xs: tensor<?xf32>, %steps: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = kernel.dim %xs, 0 : tensor<?xf32>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %xs) -> (tensor<?xf32>) {
    %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %a = kernel.near %u[%i] clamp {offsets = array<i64: -1>} : tensor<?xf32>
      %b = kernel.near %u[%i] clamp {offsets = array<i64: 1>} : tensor<?xf32>
      %c = kernel.near %u[%i] inside {offsets = array<i64: 0>} : tensor<?xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %c, %d : f32
      kernel.return %e : f32
    }
    scf.yield %ys : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
builtin.module {
  func.func @smooth(%xs: tensor<?xf32>, %steps: index) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c1023 = arith.constant 1023 : index
    %c101 = arith.constant 101 : index
    %c256 = arith.constant 256 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c1026 = arith.constant 1026 : index
    %c1028 = arith.constant 1028 : index
    %c1025 = arith.constant 1025 : index
    %c2048 = arith.constant 2048 : index
    %c2047 = arith.constant 2047 : index
    %c2051 = arith.constant 2051 : index
    %c2052 = arith.constant 2052 : index
    %c-1 = arith.constant -1 : index
    %n = kernel.dim %xs, 0 : tensor<?xf32>
    %0 = arith.divui %n, %c1024 : index
    %1 = arith.addi %n, %c1023 : index
    %2 = arith.divui %1, %c1024 : index
    %3 = arith.cmpi eq, %n, %n : index
    %4 = arith.cmpi sgt, %steps, %c0 : index
    %5 = arith.select %4, %steps, %c0 : index
    %6 = arith.cmpi slt, %5, %c101 : index
    %7 = arith.cmpi sle, %2, %c256 : index
    %8 = arith.andi %7, %6 : i1
    %9 = arith.select %8, %2, %0 : index
    %10 = kernel.at_least %9, "smooth.stencil0.steps" default 1
    %11 = arith.andi %10, %3 : i1
    %12 = arith.divui %5, %c2 : index
    %13 = arith.select %11, %12, %c0 : index
    %14 = arith.muli %13, %c2 : index
    %15 = arith.subi %5, %14 : index
    %16 = scf.for %arg0 = %c0 to %13 step %c1 iter_args(%arg1 = %xs) -> (tensor<?xf32>) {
      %17 = kernel.dim %arg1, 0 : tensor<?xf32>
      %18 = kernel.segmap block (%arg2 < %2) -> (tensor<?x1024xf32>) {
        %20 = arith.muli %arg2, %c1024 : index
        %21 = arith.subi %20, %c2 : index
        %22 = arith.addi %20, %c1026 : index
        %23 = arith.cmpi sge, %21, %c0 : index
        %24 = arith.cmpi sle, %22, %17 : index
        %25 = arith.andi %23, %24 : i1
        %26 = kernel.segmap thread (%arg3 < %c1028) -> (tensor<1028xf32>) {
          %33 = arith.addi %21, %arg3 : index
          %34 = scf.if %25 -> (f32) {
            %35 = kernel.read %arg1[%33] : tensor<?xf32>
            scf.yield %35 : f32
          } else {
            %35 = arith.subi %17, %c1 : index
            %36 = arith.maxsi %33, %c0 : index
            %37 = arith.minsi %36, %35 : index
            %38 = kernel.read %arg1[%37] : tensor<?xf32>
            scf.yield %38 : f32
          }
          kernel.return %34 : f32
        }
        %27 = arith.subi %20, %c1 : index
        %28 = arith.cmpi sge, %20, %c2 : index
        %29 = arith.cmpi sle, %22, %n : index
        %30 = arith.andi %28, %29 : i1
        %31 = kernel.segmap thread (%arg3 < %c1028) -> (tensor<1028xf32>) {
          %33 = arith.minsi %arg3, %c1025 : index
          %34 = arith.addi %27, %33 : index
          %35 = scf.if %30 -> (index) {
            scf.yield %33 : index
          } else {
            %41 = arith.subi %n, %c1 : index
            %42 = arith.maxsi %34, %c0 : index
            %43 = arith.minsi %42, %41 : index
            %44 = arith.subi %43, %27 : index
            %45 = arith.maxsi %44, %c0 : index
            %46 = arith.minsi %45, %c1025 : index
            scf.yield %46 : index
          }
          %36 = kernel.read %26[%35] : tensor<1028xf32>
          %37 = arith.addi %35, %c2 : index
          %38 = kernel.read %26[%37] : tensor<1028xf32>
          %39 = arith.addi %35, %c1 : index
          %40 = kernel.read %26[%39] : tensor<1028xf32>
          %d = arith.addf %36, %38 : f32
          %e = arith.addf %40, %d : f32
          kernel.return %e : f32
        }
        %32 = kernel.segmap thread registers [4] runs [4] (%arg3 < %c1024) -> (tensor<1024xf32>) {
          %33 = kernel.read %31[%arg3] : tensor<1028xf32>
          %34 = arith.addi %arg3, %c2 : index
          %35 = kernel.read %31[%34] : tensor<1028xf32>
          %36 = arith.addi %arg3, %c1 : index
          %37 = kernel.read %31[%36] : tensor<1028xf32>
          %d = arith.addf %33, %35 : f32
          %e = arith.addf %37, %d : f32
          kernel.return %e : f32
        }
        kernel.return %32 : tensor<1024xf32>
      }
      %19 = kernel.untile %18 to [%n] : tensor<?x1024xf32> -> tensor<?xf32>
      scf.yield %19 : tensor<?xf32>
    }
    %r = scf.for %t = %c0 to %15 step %c1 iter_args(%u = %16) -> (tensor<?xf32>) {
      %17 = arith.divui %n, %c2048 : index
      %18 = kernel.at_least %17, "smooth.stencil0" default 32
      %19 = scf.if %18 -> (tensor<?xf32>) {
        %20 = kernel.dim %u, 0 : tensor<?xf32>
        %21 = arith.addi %n, %c2047 : index
        %22 = arith.divui %21, %c2048 : index
        %23 = kernel.segmap block (%arg0 < %22) -> (tensor<?x2048xf32>) {
          %25 = arith.muli %arg0, %c2048 : index
          %26 = arith.subi %25, %c1 : index
          %27 = arith.addi %25, %c2051 : index
          %28 = arith.cmpi sge, %26, %c0 : index
          %29 = arith.cmpi sle, %27, %20 : index
          %30 = arith.andi %28, %29 : i1
          %31 = kernel.segmap thread (%arg1 < %c2052) -> (tensor<2052xf32>) {
            %33 = arith.addi %26, %arg1 : index
            %34 = scf.if %30 -> (f32) {
              %35 = kernel.read %u[%33] : tensor<?xf32>
              scf.yield %35 : f32
            } else {
              %35 = arith.subi %20, %c1 : index
              %36 = arith.maxsi %33, %c0 : index
              %37 = arith.minsi %36, %35 : index
              %38 = kernel.read %u[%37] : tensor<?xf32>
              scf.yield %38 : f32
            }
            kernel.return %34 : f32
          }
          %32 = kernel.segmap thread registers [8] runs [8] (%arg1 < %c2048) -> (tensor<2048xf32>) {
            %33 = kernel.read %31[%arg1] : tensor<2052xf32>
            %34 = arith.addi %arg1, %c2 : index
            %35 = kernel.read %31[%34] : tensor<2052xf32>
            %36 = arith.addi %arg1, %c1 : index
            %37 = kernel.read %31[%36] : tensor<2052xf32>
            %d = arith.addf %33, %35 : f32
            %e = arith.addf %37, %d : f32
            kernel.return %e : f32
          }
          kernel.return %32 : tensor<2048xf32>
        }
        %24 = kernel.untile %23 to [%n] : tensor<?x2048xf32> -> tensor<?xf32>
        scf.yield %24 : tensor<?xf32>
      } else {
        %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
          %20 = kernel.dim %u, 0 : tensor<?xf32>
          %21 = arith.addi %i, %c-1 : index
          %22 = arith.subi %20, %c1 : index
          %23 = arith.maxsi %21, %c0 : index
          %24 = arith.minsi %23, %22 : index
          %25 = kernel.read %u[%24] : tensor<?xf32>
          %26 = arith.addi %i, %c1 : index
          %27 = arith.maxsi %26, %c0 : index
          %28 = arith.minsi %27, %22 : index
          %29 = kernel.read %u[%28] : tensor<?xf32>
          %30 = kernel.read %u[%i] : tensor<?xf32>
          %d = arith.addf %25, %29 : f32
          %e = arith.addf %30, %d : f32
          kernel.return %e : f32
        }
        scf.yield %ys : tensor<?xf32>
      }
      scf.yield %19 : tensor<?xf32>
    }
    func.return %r : tensor<?xf32>
  }
}

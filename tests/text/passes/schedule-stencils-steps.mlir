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
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c1023 = arith.constant 1023 : index
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
    %1 = arith.cmpi eq, %n, %n : index
    %2 = kernel.at_least %0, "smooth.stencil0.steps" default 1
    %3 = arith.andi %2, %1 : i1
    %4 = arith.cmpi sgt, %steps, %c0 : index
    %5 = arith.select %4, %steps, %c0 : index
    %6 = arith.divui %5, %c2 : index
    %7 = arith.select %3, %6, %c0 : index
    %8 = arith.muli %7, %c2 : index
    %9 = arith.subi %5, %8 : index
    %10 = scf.for %arg0 = %c0 to %7 step %c1 iter_args(%arg1 = %xs) -> (tensor<?xf32>) {
      %11 = kernel.dim %arg1, 0 : tensor<?xf32>
      %12 = arith.addi %n, %c1023 : index
      %13 = arith.divui %12, %c1024 : index
      %14 = kernel.segmap block (%arg2 < %13) -> (tensor<?x1024xf32>) {
        %16 = arith.muli %arg2, %c1024 : index
        %17 = arith.subi %16, %c2 : index
        %18 = arith.addi %16, %c1026 : index
        %19 = arith.cmpi sge, %17, %c0 : index
        %20 = arith.cmpi sle, %18, %11 : index
        %21 = arith.andi %19, %20 : i1
        %22 = kernel.segmap thread (%arg3 < %c1028) -> (tensor<1028xf32>) {
          %29 = arith.addi %17, %arg3 : index
          %30 = scf.if %21 -> (f32) {
            %31 = kernel.read %arg1[%29] : tensor<?xf32>
            scf.yield %31 : f32
          } else {
            %31 = arith.subi %11, %c1 : index
            %32 = arith.maxsi %29, %c0 : index
            %33 = arith.minsi %32, %31 : index
            %34 = kernel.read %arg1[%33] : tensor<?xf32>
            scf.yield %34 : f32
          }
          kernel.return %30 : f32
        }
        %23 = arith.subi %16, %c1 : index
        %24 = arith.cmpi sge, %16, %c2 : index
        %25 = arith.cmpi sle, %18, %n : index
        %26 = arith.andi %24, %25 : i1
        %27 = kernel.segmap thread (%arg3 < %c1028) -> (tensor<1028xf32>) {
          %29 = arith.minsi %arg3, %c1025 : index
          %30 = arith.addi %23, %29 : index
          %31 = scf.if %26 -> (index) {
            scf.yield %29 : index
          } else {
            %37 = arith.subi %n, %c1 : index
            %38 = arith.maxsi %30, %c0 : index
            %39 = arith.minsi %38, %37 : index
            %40 = arith.subi %39, %23 : index
            %41 = arith.maxsi %40, %c0 : index
            %42 = arith.minsi %41, %c1025 : index
            scf.yield %42 : index
          }
          %32 = kernel.read %22[%31] : tensor<1028xf32>
          %33 = arith.addi %31, %c2 : index
          %34 = kernel.read %22[%33] : tensor<1028xf32>
          %35 = arith.addi %31, %c1 : index
          %36 = kernel.read %22[%35] : tensor<1028xf32>
          %d = arith.addf %32, %34 : f32
          %e = arith.addf %36, %d : f32
          kernel.return %e : f32
        }
        %28 = kernel.segmap thread registers [4] runs [4] (%arg3 < %c1024) -> (tensor<1024xf32>) {
          %29 = kernel.read %27[%arg3] : tensor<1028xf32>
          %30 = arith.addi %arg3, %c2 : index
          %31 = kernel.read %27[%30] : tensor<1028xf32>
          %32 = arith.addi %arg3, %c1 : index
          %33 = kernel.read %27[%32] : tensor<1028xf32>
          %d = arith.addf %29, %31 : f32
          %e = arith.addf %33, %d : f32
          kernel.return %e : f32
        }
        kernel.return %28 : tensor<1024xf32>
      }
      %15 = kernel.untile %14 to [%n] : tensor<?x1024xf32> -> tensor<?xf32>
      scf.yield %15 : tensor<?xf32>
    }
    %r = scf.for %t = %c0 to %9 step %c1 iter_args(%u = %10) -> (tensor<?xf32>) {
      %11 = arith.divui %n, %c2048 : index
      %12 = kernel.at_least %11, "smooth.stencil0" default 32
      %13 = scf.if %12 -> (tensor<?xf32>) {
        %14 = kernel.dim %u, 0 : tensor<?xf32>
        %15 = arith.addi %n, %c2047 : index
        %16 = arith.divui %15, %c2048 : index
        %17 = kernel.segmap block (%arg0 < %16) -> (tensor<?x2048xf32>) {
          %19 = arith.muli %arg0, %c2048 : index
          %20 = arith.subi %19, %c1 : index
          %21 = arith.addi %19, %c2051 : index
          %22 = arith.cmpi sge, %20, %c0 : index
          %23 = arith.cmpi sle, %21, %14 : index
          %24 = arith.andi %22, %23 : i1
          %25 = kernel.segmap thread (%arg1 < %c2052) -> (tensor<2052xf32>) {
            %27 = arith.addi %20, %arg1 : index
            %28 = scf.if %24 -> (f32) {
              %29 = kernel.read %u[%27] : tensor<?xf32>
              scf.yield %29 : f32
            } else {
              %29 = arith.subi %14, %c1 : index
              %30 = arith.maxsi %27, %c0 : index
              %31 = arith.minsi %30, %29 : index
              %32 = kernel.read %u[%31] : tensor<?xf32>
              scf.yield %32 : f32
            }
            kernel.return %28 : f32
          }
          %26 = kernel.segmap thread registers [8] runs [8] (%arg1 < %c2048) -> (tensor<2048xf32>) {
            %27 = kernel.read %25[%arg1] : tensor<2052xf32>
            %28 = arith.addi %arg1, %c2 : index
            %29 = kernel.read %25[%28] : tensor<2052xf32>
            %30 = arith.addi %arg1, %c1 : index
            %31 = kernel.read %25[%30] : tensor<2052xf32>
            %d = arith.addf %27, %29 : f32
            %e = arith.addf %31, %d : f32
            kernel.return %e : f32
          }
          kernel.return %26 : tensor<2048xf32>
        }
        %18 = kernel.untile %17 to [%n] : tensor<?x2048xf32> -> tensor<?xf32>
        scf.yield %18 : tensor<?xf32>
      } else {
        %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
          %14 = kernel.dim %u, 0 : tensor<?xf32>
          %15 = arith.addi %i, %c-1 : index
          %16 = arith.subi %14, %c1 : index
          %17 = arith.maxsi %15, %c0 : index
          %18 = arith.minsi %17, %16 : index
          %19 = kernel.read %u[%18] : tensor<?xf32>
          %20 = arith.addi %i, %c1 : index
          %21 = arith.maxsi %20, %c0 : index
          %22 = arith.minsi %21, %16 : index
          %23 = kernel.read %u[%22] : tensor<?xf32>
          %24 = kernel.read %u[%i] : tensor<?xf32>
          %d = arith.addf %19, %23 : f32
          %e = arith.addf %24, %d : f32
          kernel.return %e : f32
        }
        scf.yield %ys : tensor<?xf32>
      }
      scf.yield %13 : tensor<?xf32>
    }
    func.return %r : tensor<?xf32>
  }
}

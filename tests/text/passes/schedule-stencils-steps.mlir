// pass: builtin.module(schedule-stencils{steps=2},canonicalize,cse)
// Two steps of a loop by one kernel, and what is left by single ones.
func.func @smooth(%xs: tensor<?xf32>, %steps: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf32>
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
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %c1023 = arith.constant 1023 : index
    %c500 = arith.constant 500 : index
    %c256 = arith.constant 256 : index
    %c3005 = arith.constant 3005 : index
    %c6010 = arith.constant 6010 : index
    %c2350 = arith.constant 2350 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c192320 = arith.constant 192320 : index
    %c2 = arith.constant 2 : index
    %c1026 = arith.constant 1026 : index
    %c1028 = arith.constant 1028 : index
    %c1025 = arith.constant 1025 : index
    %c2048 = arith.constant 2048 : index
    %c2047 = arith.constant 2047 : index
    %c2051 = arith.constant 2051 : index
    %c2052 = arith.constant 2052 : index
    %c-1 = arith.constant -1 : index
    %n = tensor.dim %xs, %c0 : tensor<?xf32>
    %0 = arith.cmpi sgt, %steps, %c0 : index
    %1 = arith.select %0, %steps, %c0 : index
    %2 = arith.cmpi eq, %n, %n : index
    %3 = arith.divui %n, %c1024 : index
    %4 = arith.addi %n, %c1023 : index
    %5 = arith.divui %4, %c1024 : index
    %6 = arith.maxsi %5, %c256 : index
    %7 = arith.muli %6, %c500 : index
    %8 = arith.divui %7, %c256 : index
    %9 = arith.addi %8, %c3005 : index
    %10 = arith.subi %1, %c32 : index
    %11 = arith.cmpi slt, %1, %c64 : index
    %12 = arith.muli %10, %c2350 : index
    %13 = arith.muli %1, %c6010 : index
    %14 = arith.addi %12, %c192320 : index
    %15 = arith.select %11, %13, %14 : index
    %16 = arith.muli %1, %9 : index
    %17 = arith.cmpi slt, %16, %15 : index
    %18 = arith.select %17, %5, %3 : index
    %19 = kernel.at_least %18, "smooth.stencil0.steps" default 1
    %20 = arith.andi %19, %2 : i1
    %21 = arith.divui %1, %c2 : index
    %22 = arith.select %20, %21, %c0 : index
    %23 = arith.muli %22, %c2 : index
    %24 = arith.subi %1, %23 : index
    %25 = scf.for %arg0 = %c0 to %22 step %c1 iter_args(%arg1 = %xs) -> (tensor<?xf32>) {
      %26 = tensor.dim %arg1, %c0 : tensor<?xf32>
      %27 = kernel.segmap block (%arg2 < %5) -> (tensor<?x1024xf32>) {
        %29 = arith.muli %arg2, %c1024 : index
        %30 = arith.subi %29, %c2 : index
        %31 = arith.addi %29, %c1026 : index
        %32 = arith.cmpi sge, %30, %c0 : index
        %33 = arith.cmpi sle, %31, %26 : index
        %34 = arith.andi %32, %33 : i1
        %35 = kernel.segmap thread (%arg3 < %c1028) -> (tensor<1028xf32>) {
          %42 = arith.addi %30, %arg3 : index
          %43 = scf.if %34 -> (f32) {
            %44 = tensor.extract %arg1[%42] : tensor<?xf32>
            scf.yield %44 : f32
          } else {
            %44 = arith.subi %26, %c1 : index
            %45 = arith.maxsi %42, %c0 : index
            %46 = arith.minsi %45, %44 : index
            %47 = tensor.extract %arg1[%46] : tensor<?xf32>
            scf.yield %47 : f32
          }
          kernel.return %43 : f32
        }
        %36 = arith.subi %29, %c1 : index
        %37 = arith.cmpi sge, %29, %c2 : index
        %38 = arith.cmpi sle, %31, %n : index
        %39 = arith.andi %37, %38 : i1
        %40 = kernel.segmap thread (%arg3 < %c1028) -> (tensor<1028xf32>) {
          %42 = arith.minsi %arg3, %c1025 : index
          %43 = arith.addi %36, %42 : index
          %44 = scf.if %39 -> (index) {
            scf.yield %42 : index
          } else {
            %50 = arith.subi %n, %c1 : index
            %51 = arith.maxsi %43, %c0 : index
            %52 = arith.minsi %51, %50 : index
            %53 = arith.subi %52, %36 : index
            %54 = arith.maxsi %53, %c0 : index
            %55 = arith.minsi %54, %c1025 : index
            scf.yield %55 : index
          }
          %45 = tensor.extract %35[%44] : tensor<1028xf32>
          %46 = arith.addi %44, %c2 : index
          %47 = tensor.extract %35[%46] : tensor<1028xf32>
          %48 = arith.addi %44, %c1 : index
          %49 = tensor.extract %35[%48] : tensor<1028xf32>
          %d = arith.addf %45, %47 : f32
          %e = arith.addf %49, %d : f32
          kernel.return %e : f32
        }
        %41 = kernel.segmap thread registers [4] runs [4] (%arg3 < %c1024) -> (tensor<1024xf32>) {
          %42 = tensor.extract %40[%arg3] : tensor<1028xf32>
          %43 = arith.addi %arg3, %c2 : index
          %44 = tensor.extract %40[%43] : tensor<1028xf32>
          %45 = arith.addi %arg3, %c1 : index
          %46 = tensor.extract %40[%45] : tensor<1028xf32>
          %d = arith.addf %42, %44 : f32
          %e = arith.addf %46, %d : f32
          kernel.return %e : f32
        }
        kernel.return %41 : tensor<1024xf32>
      }
      %28 = kernel.untile %27 to [%n] : tensor<?x1024xf32> -> tensor<?xf32>
      scf.yield %28 : tensor<?xf32>
    }
    %r = scf.for %t = %c0 to %24 step %c1 iter_args(%u = %25) -> (tensor<?xf32>) {
      %26 = arith.divui %n, %c2048 : index
      %27 = kernel.at_least %26, "smooth.stencil0" default 32
      %28 = scf.if %27 -> (tensor<?xf32>) {
        %29 = tensor.dim %u, %c0 : tensor<?xf32>
        %30 = arith.addi %n, %c2047 : index
        %31 = arith.divui %30, %c2048 : index
        %32 = kernel.segmap block (%arg0 < %31) -> (tensor<?x2048xf32>) {
          %34 = arith.muli %arg0, %c2048 : index
          %35 = arith.subi %34, %c1 : index
          %36 = arith.addi %34, %c2051 : index
          %37 = arith.cmpi sge, %35, %c0 : index
          %38 = arith.cmpi sle, %36, %29 : index
          %39 = arith.andi %37, %38 : i1
          %40 = kernel.segmap thread (%arg1 < %c2052) -> (tensor<2052xf32>) {
            %42 = arith.addi %35, %arg1 : index
            %43 = scf.if %39 -> (f32) {
              %44 = tensor.extract %u[%42] : tensor<?xf32>
              scf.yield %44 : f32
            } else {
              %44 = arith.subi %29, %c1 : index
              %45 = arith.maxsi %42, %c0 : index
              %46 = arith.minsi %45, %44 : index
              %47 = tensor.extract %u[%46] : tensor<?xf32>
              scf.yield %47 : f32
            }
            kernel.return %43 : f32
          }
          %41 = kernel.segmap thread registers [8] runs [8] (%arg1 < %c2048) -> (tensor<2048xf32>) {
            %42 = tensor.extract %40[%arg1] : tensor<2052xf32>
            %43 = arith.addi %arg1, %c2 : index
            %44 = tensor.extract %40[%43] : tensor<2052xf32>
            %45 = arith.addi %arg1, %c1 : index
            %46 = tensor.extract %40[%45] : tensor<2052xf32>
            %d = arith.addf %42, %44 : f32
            %e = arith.addf %46, %d : f32
            kernel.return %e : f32
          }
          kernel.return %41 : tensor<2048xf32>
        }
        %33 = kernel.untile %32 to [%n] : tensor<?x2048xf32> -> tensor<?xf32>
        scf.yield %33 : tensor<?xf32>
      } else {
        %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
          %29 = tensor.dim %u, %c0 : tensor<?xf32>
          %30 = arith.addi %i, %c-1 : index
          %31 = arith.subi %29, %c1 : index
          %32 = arith.maxsi %30, %c0 : index
          %33 = arith.minsi %32, %31 : index
          %34 = tensor.extract %u[%33] : tensor<?xf32>
          %35 = arith.addi %i, %c1 : index
          %36 = arith.maxsi %35, %c0 : index
          %37 = arith.minsi %36, %31 : index
          %38 = tensor.extract %u[%37] : tensor<?xf32>
          %39 = tensor.extract %u[%i] : tensor<?xf32>
          %d = arith.addf %34, %38 : f32
          %e = arith.addf %39, %d : f32
          kernel.return %e : f32
        }
        scf.yield %ys : tensor<?xf32>
      }
      scf.yield %28 : tensor<?xf32>
    }
    func.return %r : tensor<?xf32>
  }
}

// pass: builtin.module(schedule-stencils{steps=2},canonicalize,cse)
// Two stencils by one kernel, of which the first one's result is returned, too; two that wrap in an array of which nobody knows that it has
// the extent of the space, which the host asks; and a result that something in front of the last one reads.
func.func @smooth(%xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %n = kernel.dim %xs, 0 : tensor<?xf32>
  %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %a = kernel.near %xs[%i] mirror {offsets = array<i64: -1>} : tensor<?xf32>
    %b = kernel.near %xs[%i] mirror {offsets = array<i64: 1>} : tensor<?xf32>
    %c = arith.addf %a, %b : f32
    kernel.return %c : f32
  }
  %zs = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %a = kernel.near %ys[%i] clamp {offsets = array<i64: -2>} : tensor<?xf32>
    %b = kernel.read %ys[%i] : tensor<?xf32>
    %c = arith.subf %a, %b : f32
    kernel.return %c : f32
  }
  func.return %ys, %zs : tensor<?xf32>, tensor<?xf32>
}
func.func @round(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %a = kernel.near %xs[%i] wrap {offsets = array<i64: -1>} : tensor<?xf32>
    %b = kernel.near %xs[%i] wrap {offsets = array<i64: 1>} : tensor<?xf32>
    %c = arith.addf %a, %b : f32
    kernel.return %c : f32
  }
  %zs = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %a = kernel.near %ys[%i] wrap {offsets = array<i64: -1>} : tensor<?xf32>
    kernel.return %a : f32
  }
  func.return %zs : tensor<?xf32>
}
func.func @apart(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %a = kernel.near %xs[%i] clamp {offsets = array<i64: -1>} : tensor<?xf32>
    kernel.return %a : f32
  }
  %ws = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %a = kernel.read %ys[%i] : tensor<?xf32>
    kernel.return %a : f32
  }
  %zs = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %a = kernel.near %ys[%i] clamp {offsets = array<i64: -1>} : tensor<?xf32>
    %b = kernel.read %ws[%i] : tensor<?xf32>
    %c = arith.subf %a, %b : f32
    kernel.return %c : f32
  }
  func.return %zs : tensor<?xf32>
}
// ===== expected
builtin.module {
  func.func @smooth(%xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %c-1 = arith.constant -1 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c-2 = arith.constant -2 : index
    %n = kernel.dim %xs, 0 : tensor<?xf32>
    %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %0 = arith.addi %i, %c-1 : index
      %1 = arith.subi %n, %c1 : index
      %2 = arith.addi %1, %1 : index
      %3 = arith.maxsi %2, %c1 : index
      %4 = arith.remsi %0, %3 : index
      %5 = arith.cmpi slt, %4, %c0 : index
      %6 = arith.addi %4, %3 : index
      %7 = arith.select %5, %6, %4 : index
      %8 = arith.subi %2, %7 : index
      %9 = arith.minsi %7, %8 : index
      %10 = kernel.read %xs[%9] : tensor<?xf32>
      %11 = arith.addi %i, %c1 : index
      %12 = arith.remsi %11, %3 : index
      %13 = arith.cmpi slt, %12, %c0 : index
      %14 = arith.addi %12, %3 : index
      %15 = arith.select %13, %14, %12 : index
      %16 = arith.subi %2, %15 : index
      %17 = arith.minsi %15, %16 : index
      %18 = kernel.read %xs[%17] : tensor<?xf32>
      %c = arith.addf %10, %18 : f32
      kernel.return %c : f32
    }
    %zs = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %0 = arith.addi %i, %c-2 : index
      %1 = arith.subi %n, %c1 : index
      %2 = arith.maxsi %0, %c0 : index
      %3 = arith.minsi %2, %1 : index
      %4 = kernel.read %ys[%3] : tensor<?xf32>
      %5 = kernel.read %ys[%i] : tensor<?xf32>
      %c = arith.subf %4, %5 : f32
      kernel.return %c : f32
    }
    func.return %ys, %zs : tensor<?xf32>, tensor<?xf32>
  }
  func.func @round(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
    %c1024 = arith.constant 1024 : index
    %c1023 = arith.constant 1023 : index
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1026 = arith.constant 1026 : index
    %c1028 = arith.constant 1028 : index
    %c1025 = arith.constant 1025 : index
    %c-1 = arith.constant -1 : index
    %c1 = arith.constant 1 : index
    %0 = arith.divui %n, %c1024 : index
    %1 = kernel.at_least %0, "round.stencil0.chain" default 1
    %2 = kernel.dim %xs, 0 : tensor<?xf32>
    %3 = arith.cmpi eq, %2, %n : index
    %4 = arith.andi %1, %3 : i1
    %5 = scf.if %4 -> (tensor<?xf32>) {
      %6 = arith.addi %n, %c1023 : index
      %7 = arith.divui %6, %c1024 : index
      %8 = kernel.segmap block (%arg0 < %7) -> (tensor<?x1024xf32>) {
        %10 = arith.muli %arg0, %c1024 : index
        %11 = arith.subi %10, %c2 : index
        %12 = arith.addi %10, %c1026 : index
        %13 = arith.cmpi sge, %11, %c0 : index
        %14 = arith.cmpi sle, %12, %2 : index
        %15 = arith.andi %13, %14 : i1
        %16 = kernel.segmap thread (%arg1 < %c1028) -> (tensor<1028xf32>) {
          %19 = arith.addi %11, %arg1 : index
          %20 = scf.if %15 -> (f32) {
            %21 = kernel.read %xs[%19] : tensor<?xf32>
            scf.yield %21 : f32
          } else {
            %21 = arith.remsi %19, %2 : index
            %22 = arith.cmpi slt, %21, %c0 : index
            %23 = arith.addi %21, %2 : index
            %24 = arith.select %22, %23, %21 : index
            %25 = kernel.read %xs[%24] : tensor<?xf32>
            scf.yield %25 : f32
          }
          kernel.return %20 : f32
        }
        %17 = kernel.segmap thread (%arg1 < %c1028) -> (tensor<1028xf32>) {
          %19 = arith.minsi %arg1, %c1025 : index
          %20 = kernel.read %16[%19] : tensor<1028xf32>
          %21 = arith.addi %19, %c2 : index
          %22 = kernel.read %16[%21] : tensor<1028xf32>
          %c = arith.addf %20, %22 : f32
          kernel.return %c : f32
        }
        %18 = kernel.segmap thread registers [4] runs [4] (%arg1 < %c1024) -> (tensor<1024xf32>) {
          %19 = kernel.read %17[%arg1] : tensor<1028xf32>
          kernel.return %19 : f32
        }
        kernel.return %18 : tensor<1024xf32>
      }
      %9 = kernel.untile %8 to [%n] : tensor<?x1024xf32> -> tensor<?xf32>
      scf.yield %9 : tensor<?xf32>
    } else {
      %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
        %6 = arith.addi %i, %c-1 : index
        %7 = arith.remsi %6, %2 : index
        %8 = arith.cmpi slt, %7, %c0 : index
        %9 = arith.addi %7, %2 : index
        %10 = arith.select %8, %9, %7 : index
        %11 = kernel.read %xs[%10] : tensor<?xf32>
        %12 = arith.addi %i, %c1 : index
        %13 = arith.remsi %12, %2 : index
        %14 = arith.cmpi slt, %13, %c0 : index
        %15 = arith.addi %13, %2 : index
        %16 = arith.select %14, %15, %13 : index
        %17 = kernel.read %xs[%16] : tensor<?xf32>
        %c = arith.addf %11, %17 : f32
        kernel.return %c : f32
      }
      %zs = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
        %6 = arith.addi %i, %c-1 : index
        %7 = arith.remsi %6, %n : index
        %8 = arith.cmpi slt, %7, %c0 : index
        %9 = arith.addi %7, %n : index
        %10 = arith.select %8, %9, %7 : index
        %11 = kernel.read %ys[%10] : tensor<?xf32>
        kernel.return %11 : f32
      }
      scf.yield %zs : tensor<?xf32>
    }
    func.return %5 : tensor<?xf32>
  }
  func.func @apart(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
    %c-1 = arith.constant -1 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %0 = kernel.dim %xs, 0 : tensor<?xf32>
      %1 = arith.addi %i, %c-1 : index
      %2 = arith.subi %0, %c1 : index
      %3 = arith.maxsi %1, %c0 : index
      %4 = arith.minsi %3, %2 : index
      %5 = kernel.read %xs[%4] : tensor<?xf32>
      kernel.return %5 : f32
    }
    %ws = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %a = kernel.read %ys[%i] : tensor<?xf32>
      kernel.return %a : f32
    }
    %zs = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %0 = arith.addi %i, %c-1 : index
      %1 = arith.subi %n, %c1 : index
      %2 = arith.maxsi %0, %c0 : index
      %3 = arith.minsi %2, %1 : index
      %4 = kernel.read %ys[%3] : tensor<?xf32>
      %b = kernel.read %ws[%i] : tensor<?xf32>
      %c = arith.subf %4, %b : f32
      kernel.return %c : f32
    }
    func.return %zs : tensor<?xf32>
  }
}

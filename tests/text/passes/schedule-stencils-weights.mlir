// pass: builtin.module(schedule-stencils{blocks=1},canonicalize,cse)
// A weight that all points read, at an index that may be wrong for all of them, does not keep a stencil from its tiles.
func.func @weighted(%xs: tensor<?x?xf32>, %ws: tensor<?xf32>, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %w = tensor.extract %ws[%k] {kernel.checked} : tensor<?xf32>
    %a = kernel.near %xs[%i, %j] clamp {offsets = array<i64: -1, 0>} : tensor<?x?xf32>
    %b = kernel.near %xs[%i, %j] clamp {offsets = array<i64: 0, 2>} : tensor<?x?xf32>
    %m0 = kernel.near %xs[%i, %j] inside {offsets = array<i64: 0, 0>} : tensor<?x?xf32>
    %bm = arith.mulf %b, %m0 : f32
    %c = arith.mulf %a, %w : f32
    %d = arith.addf %c, %bm : f32
    kernel.return %d : f32
  }
  func.return %ys : tensor<?x?xf32>
}
// One that some points read stops only them, and one at an index of the points may be outside where there are no points.
func.func @some(%xs: tensor<?x?xf32>, %ws: tensor<?xf32>, %k: index, %zero: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %a = kernel.near %xs[%i, %j] clamp {offsets = array<i64: -1, 0>} : tensor<?x?xf32>
    %b = kernel.near %xs[%i, %j] clamp {offsets = array<i64: 0, 2>} : tensor<?x?xf32>
    %m0 = kernel.near %xs[%i, %j] inside {offsets = array<i64: 0, 0>} : tensor<?x?xf32>
    %bm = arith.mulf %b, %m0 : f32
    %less = arith.cmpf olt, %a, %zero : f32
    %w = scf.if %less -> (f32) {
      %v = tensor.extract %ws[%k] {kernel.checked} : tensor<?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    %d = arith.mulf %bm, %w : f32
    kernel.return %d : f32
  }
  func.return %ys : tensor<?x?xf32>
}
func.func @own(%xs: tensor<?x?xf32>, %ws: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
    %w = tensor.extract %ws[%i] {kernel.checked} : tensor<?xf32>
    %a = kernel.near %xs[%i, %j] clamp {offsets = array<i64: -1, 0>} : tensor<?x?xf32>
    %b = kernel.near %xs[%i, %j] clamp {offsets = array<i64: 0, 2>} : tensor<?x?xf32>
    %m0 = kernel.near %xs[%i, %j] inside {offsets = array<i64: 0, 0>} : tensor<?x?xf32>
    %bm = arith.mulf %b, %m0 : f32
    %c = arith.mulf %a, %w : f32
    %d = arith.addf %c, %bm : f32
    kernel.return %d : f32
  }
  func.return %ys : tensor<?x?xf32>
}
// ===== expected
builtin.module {
  func.func @weighted(%xs: tensor<?x?xf32>, %ws: tensor<?xf32>, %k: index) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c63 = arith.constant 63 : index
    %c127 = arith.constant 127 : index
    %c132 = arith.constant 132 : index
    %c65 = arith.constant 65 : index
    %c2 = arith.constant 2 : index
    %c-1 = arith.constant -1 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %0 = arith.divui %n, %c64 : index
    %1 = arith.divui %m, %c128 : index
    %2 = arith.muli %0, %1 : index
    %3 = kernel.at_least %2, "weighted.stencil0" default 1
    %4 = scf.if %3 -> (tensor<?x?xf32>) {
      %5 = arith.addi %n, %c63 : index
      %6 = arith.divui %5, %c64 : index
      %7 = arith.addi %m, %c127 : index
      %8 = arith.divui %7, %c128 : index
      %9 = kernel.segmap block (%arg0 < %6, %arg1 < %8) -> (tensor<?x?x64x128xf32>) {
        %11 = arith.muli %arg0, %c64 : index
        %12 = arith.muli %arg1, %c128 : index
        %13 = arith.subi %11, %c1 : index
        %14 = arith.addi %11, %c64 : index
        %15 = arith.cmpi sge, %13, %c0 : index
        %16 = arith.cmpi sle, %14, %n : index
        %17 = arith.andi %15, %16 : i1
        %18 = arith.addi %12, %c132 : index
        %19 = arith.cmpi sge, %12, %c0 : index
        %20 = arith.cmpi sle, %18, %m : index
        %21 = arith.andi %17, %19 : i1
        %22 = arith.andi %21, %20 : i1
        %23 = kernel.segmap thread (%arg2 < %c65, %arg3 < %c132) -> (tensor<65x132xf32>) {
          %25 = arith.addi %13, %arg2 : index
          %26 = arith.addi %12, %arg3 : index
          %27 = scf.if %22 -> (f32) {
            %28 = tensor.extract %xs[%25, %26] : tensor<?x?xf32>
            scf.yield %28 : f32
          } else {
            %28 = arith.subi %n, %c1 : index
            %29 = arith.maxsi %25, %c0 : index
            %30 = arith.minsi %29, %28 : index
            %31 = arith.subi %m, %c1 : index
            %32 = arith.maxsi %26, %c0 : index
            %33 = arith.minsi %32, %31 : index
            %34 = tensor.extract %xs[%30, %33] : tensor<?x?xf32>
            scf.yield %34 : f32
          }
          kernel.return %27 : f32
        }
        %24 = kernel.segmap thread registers [8, 4] runs [8, 4] (%arg2 < %c64, %arg3 < %c128) -> (tensor<64x128xf32>) {
          %w = tensor.extract %ws[%k] {kernel.checked} : tensor<?xf32>
          %25 = tensor.extract %23[%arg2, %arg3] : tensor<65x132xf32>
          %26 = arith.addi %arg2, %c1 : index
          %27 = arith.addi %arg3, %c2 : index
          %28 = tensor.extract %23[%26, %27] : tensor<65x132xf32>
          %29 = tensor.extract %23[%26, %arg3] : tensor<65x132xf32>
          %bm = arith.mulf %28, %29 : f32
          %c = arith.mulf %25, %w : f32
          %d = arith.addf %c, %bm : f32
          kernel.return %d : f32
        }
        kernel.return %24 : tensor<64x128xf32>
      }
      %10 = kernel.untile %9 to [%n, %m] : tensor<?x?x64x128xf32> -> tensor<?x?xf32>
      scf.yield %10 : tensor<?x?xf32>
    } else {
      %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
        %w = tensor.extract %ws[%k] {kernel.checked} : tensor<?xf32>
        %5 = arith.addi %i, %c-1 : index
        %6 = arith.subi %n, %c1 : index
        %7 = arith.maxsi %5, %c0 : index
        %8 = arith.minsi %7, %6 : index
        %9 = tensor.extract %xs[%8, %j] : tensor<?x?xf32>
        %10 = arith.addi %j, %c2 : index
        %11 = arith.subi %m, %c1 : index
        %12 = arith.maxsi %10, %c0 : index
        %13 = arith.minsi %12, %11 : index
        %14 = tensor.extract %xs[%i, %13] : tensor<?x?xf32>
        %15 = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
        %bm = arith.mulf %14, %15 : f32
        %c = arith.mulf %9, %w : f32
        %d = arith.addf %c, %bm : f32
        kernel.return %d : f32
      }
      scf.yield %ys : tensor<?x?xf32>
    }
    func.return %4 : tensor<?x?xf32>
  }
  func.func @some(%xs: tensor<?x?xf32>, %ws: tensor<?xf32>, %k: index, %zero: f32) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c-1 = arith.constant -1 : index
    %c2 = arith.constant 2 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %0 = arith.addi %i, %c-1 : index
      %1 = arith.subi %n, %c1 : index
      %2 = arith.maxsi %0, %c0 : index
      %3 = arith.minsi %2, %1 : index
      %4 = tensor.extract %xs[%3, %j] : tensor<?x?xf32>
      %5 = arith.addi %j, %c2 : index
      %6 = arith.subi %m, %c1 : index
      %7 = arith.maxsi %5, %c0 : index
      %8 = arith.minsi %7, %6 : index
      %9 = tensor.extract %xs[%i, %8] : tensor<?x?xf32>
      %10 = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      %bm = arith.mulf %9, %10 : f32
      %less = arith.cmpf olt, %4, %zero : f32
      %w = scf.if %less -> (f32) {
        %v = tensor.extract %ws[%k] {kernel.checked} : tensor<?xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %d = arith.mulf %bm, %w : f32
      kernel.return %d : f32
    }
    func.return %ys : tensor<?x?xf32>
  }
  func.func @own(%xs: tensor<?x?xf32>, %ws: tensor<?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c-1 = arith.constant -1 : index
    %c2 = arith.constant 2 : index
    %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
    %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
    %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %w = tensor.extract %ws[%i] {kernel.checked} : tensor<?xf32>
      %0 = arith.addi %i, %c-1 : index
      %1 = arith.subi %n, %c1 : index
      %2 = arith.maxsi %0, %c0 : index
      %3 = arith.minsi %2, %1 : index
      %4 = tensor.extract %xs[%3, %j] : tensor<?x?xf32>
      %5 = arith.addi %j, %c2 : index
      %6 = arith.subi %m, %c1 : index
      %7 = arith.maxsi %5, %c0 : index
      %8 = arith.minsi %7, %6 : index
      %9 = tensor.extract %xs[%i, %8] : tensor<?x?xf32>
      %10 = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      %bm = arith.mulf %9, %10 : f32
      %c = arith.mulf %4, %w : f32
      %d = arith.addf %c, %bm : f32
      kernel.return %d : f32
    }
    func.return %ys : tensor<?x?xf32>
  }
}

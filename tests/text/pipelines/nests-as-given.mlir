// pass: builtin.module(array-to-kernel,apply-schedules,func.func(canonicalize,cse,dce))
// How nests are run, as the program says: a map and a stencil with a mapping of their own, which keep it, and a stencil in tiles of
// 64 points with what lies around them in shared memory, two points for a thread.
func.func @main(%a: !array.array<[n]f32>, %b: !array.array<[n][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
  %one = arith.constant 1.0 : f32
  %c = array.map (%row in %b : [n][m]f32) {
    %d = array.map (%x in %row : [m]f32) {
      %y = arith.addf %x, %one : f32
      array.yield %y : f32
    }
    array.yield %d : [m]f32
  } {mapping = #kernel.mapping<GridBlock(1, SplitLast(64, Column(8, Gen)))>}
  %e = array.stencil (%l, %r in %a : [n]f32 at [[-1], [1]] clamp) {
    %y = arith.addf %l, %r : f32
    array.yield %y : f32
  } {mapping = #kernel.mapping<GridBlock(1, SplitLast(96, ShiftLB(Gen)))>}
  %f = array.stencil (%l, %r in %a : [n]f32 at [[-1], [1]] clamp) {
    %y = arith.subf %l, %r : f32
    array.yield %y : f32
  } {schedule = #kernel.schedule<stripmine [64] registers [2], halo>}
  func.return %c, %e, %f : !array.array<[n][m]f32>, !array.array<[n]f32>, !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @main(%a: tensor<?xf32> {array.sizes = ["n"]}, %b: tensor<?x?xf32> {array.sizes = ["n", "m"]}) -> (tensor<?x?xf32> {array.sizes = ["n", "m"]}, tensor<?xf32> {array.sizes = ["n"]}, tensor<?xf32> {array.sizes = ["n"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.000000e+00 : f32
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %c67 = arith.constant 67 : index
    %c68 = arith.constant 68 : index
    %c2 = arith.constant 2 : index
    %0 = tensor.dim %a, %c0 : tensor<?xf32>
    %1 = tensor.dim %b, %c0 : tensor<?x?xf32>
    %2 = tensor.dim %b, %c1 : tensor<?x?xf32>
    %3 = arith.cmpi eq, %0, %1 : index
    cf.assert %3, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %4 = kernel.segmap thread (%arg0 < %0, %arg1 < %2) mapping #kernel.mapping<GridBlock(1, SplitLast(64, Column(8, Gen)))> -> (tensor<?x?xf32>) {
      %10 = tensor.extract %b[%arg0, %arg1] : tensor<?x?xf32>
      %y = arith.addf %10, %one : f32
      kernel.return %y : f32
    }
    %5 = kernel.segmap thread (%arg0 < %0) mapping #kernel.mapping<GridBlock(1, SplitLast(96, ShiftLB(Gen)))> -> (tensor<?xf32>) {
      %10 = kernel.near %a[%arg0] clamp {offsets = array<i64: -1>} : tensor<?xf32>
      %11 = kernel.near %a[%arg0] clamp {offsets = array<i64: 1>} : tensor<?xf32>
      %y = arith.addf %10, %11 : f32
      kernel.return %y : f32
    }
    %6 = arith.addi %0, %c63 : index
    %7 = arith.divui %6, %c64 : index
    %8 = kernel.segmap block (%arg0 < %7) -> (tensor<?x64xf32>) {
      %10 = arith.muli %arg0, %c64 : index
      %11 = arith.subi %10, %c1 : index
      %12 = arith.addi %10, %c67 : index
      %13 = arith.cmpi sge, %11, %c0 : index
      %14 = arith.cmpi sle, %12, %0 : index
      %15 = arith.andi %13, %14 : i1
      %16 = kernel.segmap thread (%arg1 < %c68) -> (tensor<68xf32>) {
        %18 = arith.addi %11, %arg1 : index
        %19 = scf.if %15 -> (f32) {
          %20 = tensor.extract %a[%18] : tensor<?xf32>
          scf.yield %20 : f32
        } else {
          %20 = arith.subi %0, %c1 : index
          %21 = arith.maxsi %18, %c0 : index
          %22 = arith.minsi %21, %20 : index
          %23 = tensor.extract %a[%22] : tensor<?xf32>
          scf.yield %23 : f32
        }
        kernel.return %19 : f32
      }
      %17 = kernel.segmap thread registers [2] runs [2] (%arg1 < %c64) -> (tensor<64xf32>) {
        %18 = tensor.extract %16[%arg1] : tensor<68xf32>
        %19 = arith.addi %arg1, %c2 : index
        %20 = tensor.extract %16[%19] : tensor<68xf32>
        %y = arith.subf %18, %20 : f32
        kernel.return %y : f32
      }
      kernel.return %17 : tensor<64xf32>
    }
    %9 = kernel.untile %8 to [%0] : tensor<?x64xf32> -> tensor<?xf32>
    func.return %4, %5, %9 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
  }
}

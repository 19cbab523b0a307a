// pass: builtin.module(flatten{versions=incremental})
// Three versions of the nest, whose maps hold nothing else, behind predicates on run-time sizes against named thresholds.
func.func @main(%a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %c = array.map (%row in %a : [n][k]f32) {
    %r = array.map (%column in %bt : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %p = arith.mulf %x, %y fastmath<contract> : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<contract> : f32
        array.yield %u : f32
      }
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
// ===== expected
builtin.module {
  func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = kernel.dim %a, 0 : tensor<?x?xf32>
    %1 = kernel.dim %a, 1 : tensor<?x?xf32>
    %2 = kernel.dim %b, 0 : tensor<?x?xf32>
    %3 = kernel.dim %b, 1 : tensor<?x?xf32>
    %4 = arith.cmpi eq, %1, %2 : index
    cf.assert %4, "size `k`: dimension 0 of parameter #1 differs from dimension 1 of parameter #0"
    %zero = arith.constant 0.000000e+00 : f32
    %5 = arith.muli %0, %3 : index
    %c1 = arith.constant 1 : index
    %6 = kernel.at_least %5, "main.top.0" default 32768
    %c1_0 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %7 = arith.maxsi %5, %c1_0 : index
    %8 = arith.divui %c1024, %7 : index
    %9 = kernel.at_least %8, "main.intra.0.few" default 1
    %10 = arith.muli %1, %c1 : index
    %c1_1 = arith.constant 1 : index
    %c1024_2 = arith.constant 1024 : index
    %11 = arith.maxsi %10, %c1_1 : index
    %12 = arith.divui %c1024_2, %11 : index
    %13 = kernel.at_least %12, "main.top.0.short" default 32
    %true = arith.constant true
    %14 = arith.xori %9, %true : i1
    %15 = arith.andi %13, %14 : i1
    %16 = arith.ori %6, %15 : i1
    %17 = scf.if %16 -> (tensor<?x?xf32>) {
      %18 = kernel.segmap thread (%arg0 < %0, %arg1 < %3) -> (tensor<?x?xf32>) {
        %c0 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        %dot = scf.for %arg2 = %c0 to %1 step %c1_3 iter_args(%s = %zero) -> (f32) {
          %19 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
          %20 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
          %t = arith.mulf %19, %20 fastmath<contract> : f32
          %u = arith.addf %s, %t fastmath<contract> : f32
          scf.yield %u : f32
        } {kernel.reduction}
        kernel.return %dot : f32
      }
      scf.yield %18 : tensor<?x?xf32>
    } else {
      %18 = arith.muli %1, %c1 : index
      %c1024_3 = arith.constant 1024 : index
      %19 = arith.cmpi sle, %18, %c1024_3 : index
      %20 = kernel.at_least %18, "main.intra.0" default 32
      %21 = arith.ori %20, %9 : i1
      %22 = arith.andi %19, %21 : i1
      %23 = scf.if %22 -> (tensor<?x?xf32>) {
        %24 = kernel.segmap block (%arg0 < %0, %arg1 < %3) -> (tensor<?x?xf32>) {
          %25 = kernel.segred thread (%arg2 < %1) init (%zero : f32) -> (f32) {
            %26 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
            %27 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
            %p = arith.mulf %26, %27 fastmath<contract> : f32
            kernel.return %p : f32
          } combine (%s, %t) {
            %u = arith.addf %s, %t fastmath<contract> : f32
            kernel.return %u : f32
          }
          kernel.return %25 : f32
        }
        scf.yield %24 : tensor<?x?xf32>
      } else {
        %24 = kernel.segred thread (%arg0 < %0, %arg1 < %3, %arg2 < %1) init (%zero : f32) -> (tensor<?x?xf32>) {
          %25 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
          %26 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
          %p = arith.mulf %25, %26 fastmath<contract> : f32
          kernel.return %p : f32
        } combine (%s, %t) {
          %u = arith.addf %s, %t fastmath<contract> : f32
          kernel.return %u : f32
        }
        scf.yield %24 : tensor<?x?xf32>
      }
      scf.yield %23 : tensor<?x?xf32>
    }
    func.return %17 : tensor<?x?xf32>
  }
}

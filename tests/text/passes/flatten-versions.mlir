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
    %false = arith.constant false
    %9 = arith.muli %1, %c1 : index
    %c1_1 = arith.constant 1 : index
    %c1024_2 = arith.constant 1024 : index
    %10 = arith.maxsi %9, %c1_1 : index
    %11 = arith.divui %c1024_2, %10 : index
    %false_3 = arith.constant false
    %true = arith.constant true
    %12 = arith.xori %false, %true : i1
    %13 = arith.andi %false_3, %12 : i1
    %14 = arith.ori %6, %13 : i1
    %15 = scf.if %14 -> (tensor<?x?xf32>) {
      %16 = kernel.segmap thread (%arg0 < %0, %arg1 < %3) -> (tensor<?x?xf32>) {
        %c0 = arith.constant 0 : index
        %c1_4 = arith.constant 1 : index
        %dot = scf.for %arg2 = %c0 to %1 step %c1_4 iter_args(%s = %zero) -> (f32) {
          %17 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
          %18 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
          %t = arith.mulf %17, %18 fastmath<contract> : f32
          %u = arith.addf %s, %t fastmath<contract> : f32
          scf.yield %u : f32
        } {kernel.reduction}
        kernel.return %dot : f32
      }
      scf.yield %16 : tensor<?x?xf32>
    } else {
      %16 = arith.muli %1, %c1 : index
      %c1024_4 = arith.constant 1024 : index
      %17 = arith.cmpi sle, %16, %c1024_4 : index
      %18 = kernel.at_least %16, "main.intra.0" default 32
      %19 = arith.ori %18, %false : i1
      %20 = arith.andi %17, %19 : i1
      %21 = scf.if %20 -> (tensor<?x?xf32>) {
        %22 = kernel.segmap block (%arg0 < %0, %arg1 < %3) -> (tensor<?x?xf32>) {
          %23 = kernel.segred thread (%arg2 < %1) init (%zero : f32) -> (f32) {
            %24 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
            %25 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
            %p = arith.mulf %24, %25 fastmath<contract> : f32
            kernel.return %p : f32
          } combine (%s, %t) {
            %u = arith.addf %s, %t fastmath<contract> : f32
            kernel.return %u : f32
          }
          kernel.return %23 : f32
        }
        scf.yield %22 : tensor<?x?xf32>
      } else {
        %22 = kernel.segred thread (%arg0 < %0, %arg1 < %3, %arg2 < %1) init (%zero : f32) -> (tensor<?x?xf32>) {
          %23 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
          %24 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
          %p = arith.mulf %23, %24 fastmath<contract> : f32
          kernel.return %p : f32
        } combine (%s, %t) {
          %u = arith.addf %s, %t fastmath<contract> : f32
          kernel.return %u : f32
        }
        scf.yield %22 : tensor<?x?xf32>
      }
      scf.yield %21 : tensor<?x?xf32>
    }
    func.return %15 : tensor<?x?xf32>
  }
}

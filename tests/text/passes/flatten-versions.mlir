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
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %2 = tensor.dim %b, %c0_0 : tensor<?x?xf32>
    %c1_1 = arith.constant 1 : index
    %3 = tensor.dim %b, %c1_1 : tensor<?x?xf32>
    %4 = arith.cmpi eq, %1, %2 : index
    cf.assert %4, "size `k`: dimension 0 of parameter #1 differs from dimension 1 of parameter #0"
    %zero = arith.constant 0.000000e+00 : f32
    %5 = arith.muli %0, %3 : index
    %c1_2 = arith.constant 1 : index
    %false = arith.constant false
    %6 = kernel.at_least %5, "main.top.0" default 32768
    %7 = scf.if %6 -> (tensor<?x?xf32>) {
      %8 = kernel.segmap thread (%arg0 < %0, %arg1 < %3) -> (tensor<?x?xf32>) {
        %c0_3 = arith.constant 0 : index
        %c1_4 = arith.constant 1 : index
        %dot = scf.for %arg2 = %c0_3 to %1 step %c1_4 iter_args(%s = %zero) -> (f32) {
          %9 = tensor.extract %a[%arg0, %arg2] : tensor<?x?xf32>
          %10 = tensor.extract %b[%arg2, %arg1] : tensor<?x?xf32>
          %t = arith.mulf %9, %10 fastmath<contract> : f32
          %u = arith.addf %s, %t fastmath<contract> : f32
          scf.yield %u : f32
        } {kernel.reduction}
        kernel.return %dot : f32
      }
      scf.yield %8 : tensor<?x?xf32>
    } else {
      %8 = arith.muli %1, %c1_2 : index
      %c1024 = arith.constant 1024 : index
      %9 = arith.cmpi sle, %8, %c1024 : index
      %c1_3 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c1024_4 = arith.constant 1024 : index
      %10 = arith.ceildivsi %5, %c1024_4 : index
      %11 = arith.minsi %10, %c8 : index
      %12 = arith.maxsi %11, %c1_3 : index
      %13 = arith.divsi %8, %12 : index
      %14 = kernel.at_least %13, "main.intra.0" default 32
      %15 = arith.ori %14, %false : i1
      %16 = arith.andi %9, %15 : i1
      %17 = scf.if %16 -> (tensor<?x?xf32>) {
        %18 = kernel.segmap block (%arg0 < %0, %arg1 < %3) -> (tensor<?x?xf32>) {
          %19 = kernel.segred thread (%arg2 < %1) init (%zero : f32) -> (f32) {
            %20 = tensor.extract %a[%arg0, %arg2] : tensor<?x?xf32>
            %21 = tensor.extract %b[%arg2, %arg1] : tensor<?x?xf32>
            %p = arith.mulf %20, %21 fastmath<contract> : f32
            kernel.return %p : f32
          } combine (%s, %t) {
            %u = arith.addf %s, %t fastmath<contract> : f32
            kernel.return %u : f32
          }
          kernel.return %19 : f32
        }
        scf.yield %18 : tensor<?x?xf32>
      } else {
        %18 = kernel.segred thread (%arg0 < %0, %arg1 < %3, %arg2 < %1) init (%zero : f32) -> (tensor<?x?xf32>) {
          %19 = tensor.extract %a[%arg0, %arg2] : tensor<?x?xf32>
          %20 = tensor.extract %b[%arg2, %arg1] : tensor<?x?xf32>
          %p = arith.mulf %19, %20 fastmath<contract> : f32
          kernel.return %p : f32
        } combine (%s, %t) {
          %u = arith.addf %s, %t fastmath<contract> : f32
          kernel.return %u : f32
        }
        scf.yield %18 : tensor<?x?xf32>
      }
      scf.yield %17 : tensor<?x?xf32>
    }
    func.return %7 : tensor<?x?xf32>
  }
}

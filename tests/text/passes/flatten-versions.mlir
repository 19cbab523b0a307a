// pass: builtin.module(flatten{versions=incremental})
// Three versions of each level behind predicates on run-time sizes against named thresholds.
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
    %c1 = arith.constant 1 : index
    %5 = kernel.at_least %0, "main.top.0" default 32768
    %6 = scf.if %5 -> (tensor<?x?xf32>) {
      %8 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?xf32>) {
        %9 = kernel.scratch [%3] : tensor<?xf32>
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %r = scf.for %arg1 = %c0 to %3 step %c1_0 iter_args(%arg2 = %9) -> (tensor<?xf32>) {
          %c0_1 = arith.constant 0 : index
          %c1_2 = arith.constant 1 : index
          %dot = scf.for %arg3 = %c0_1 to %1 step %c1_2 iter_args(%s = %zero) -> (f32) {
            %11 = kernel.read %a[%arg0, %arg3] : tensor<?x?xf32>
            %12 = kernel.read %b[%arg3, %arg1] : tensor<?x?xf32>
            %t = arith.mulf %11, %12 fastmath<contract> : f32
            %u = arith.addf %s, %t fastmath<contract> : f32
            scf.yield %u : f32
          }
          %10 = kernel.update %dot, %arg2[%arg1] : f32, tensor<?xf32>
          scf.yield %10 : tensor<?xf32>
        }
        kernel.return %r : tensor<?xf32>
      }
      scf.yield %8 : tensor<?x?xf32>
    } else {
      %8 = arith.muli %3, %1 : index
      %9 = arith.muli %8, %c1 : index
      %c1024 = arith.constant 1024 : index
      %10 = arith.cmpi sle, %9, %c1024 : index
      %11 = kernel.at_least %9, "main.intra.0" default 32
      %12 = arith.andi %10, %11 : i1
      %13 = scf.if %12 -> (tensor<?x?xf32>) {
        %14 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?xf32>) {
          %15 = kernel.segred thread (%arg1 < %3, %arg2 < %1) init (%zero : f32) -> (tensor<?xf32>) {
            %16 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
            %17 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
            %p = arith.mulf %16, %17 fastmath<contract> : f32
            kernel.return %p : f32
          } combine (%s, %t) {
            %u = arith.addf %s, %t fastmath<contract> : f32
            kernel.return %u : f32
          }
          kernel.return %15 : tensor<?xf32>
        }
        scf.yield %14 : tensor<?x?xf32>
      } else {
        %14 = arith.muli %0, %3 : index
        %c1_0 = arith.constant 1 : index
        %15 = kernel.at_least %14, "main.top.1" default 32768
        %16 = scf.if %15 -> (tensor<?x?xf32>) {
          %17 = kernel.segmap thread (%arg0 < %0, %arg1 < %3) -> (tensor<?x?xf32>) {
            %c0 = arith.constant 0 : index
            %c1_1 = arith.constant 1 : index
            %dot = scf.for %arg2 = %c0 to %1 step %c1_1 iter_args(%s = %zero) -> (f32) {
              %18 = kernel.read %a[%arg0, %arg2] : tensor<?x?xf32>
              %19 = kernel.read %b[%arg2, %arg1] : tensor<?x?xf32>
              %t = arith.mulf %18, %19 fastmath<contract> : f32
              %u = arith.addf %s, %t fastmath<contract> : f32
              scf.yield %u : f32
            }
            kernel.return %dot : f32
          }
          scf.yield %17 : tensor<?x?xf32>
        } else {
          %17 = arith.muli %1, %c1_0 : index
          %c1024_1 = arith.constant 1024 : index
          %18 = arith.cmpi sle, %17, %c1024_1 : index
          %19 = kernel.at_least %17, "main.intra.1" default 32
          %20 = arith.andi %18, %19 : i1
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
        scf.yield %16 : tensor<?x?xf32>
      }
      scf.yield %13 : tensor<?x?xf32>
    }
    %7 = kernel.reshape %6 to [%0, %3] : tensor<?x?xf32> -> tensor<?x?xf32>
    func.return %7 : tensor<?x?xf32>
  }
}

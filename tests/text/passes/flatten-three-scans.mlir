// pass: builtin.module(flatten{versions=incremental},canonicalize,cse,dce)
// The lecture's LocVolCalib: one thread per row of either level, rows inside thread blocks, three segscans; with the
// predicates that choose.
func.func @main(%xsss: !array.array<[a][b][c]i32>) -> !array.array<[a][b][c]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %low = arith.constant -2147483648 : i32
  %r = array.map (%xss in %xsss : [a][b][c]i32) {
    %rows = array.map (%xs in %xss : [b][c]i32) {
      %bs = array.scan (%xs : [c]i32) init (%zero : i32) combine (%acc, %x) {
        %s = arith.addi %acc, %x : i32
        array.yield %s : i32
      }
      %cs = array.scan (%bs : [c]i32) init (%low : i32) combine (%acc, %x) {
        %s = arith.maxsi %acc, %x : i32
        array.yield %s : i32
      }
      %ds = array.scan (%cs : [c]i32) init (%one : i32) combine (%acc, %x) {
        %s = arith.muli %acc, %x : i32
        array.yield %s : i32
      }
      array.yield %ds : !array.array<[c]i32>
    }
    array.yield %rows : !array.array<[b][c]i32>
  }
  func.return %r : !array.array<[a][b][c]i32>
}
// ===== expected
builtin.module {
  func.func @main(%xsss: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %low = arith.constant -2147483648 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c798 = arith.constant 798 : index
    %c4 = arith.constant 4 : index
    %c49152 = arith.constant 49152 : index
    %0 = kernel.dim %xsss, 0 : tensor<?x?x?xi32>
    %1 = kernel.dim %xsss, 1 : tensor<?x?x?xi32>
    %2 = kernel.dim %xsss, 2 : tensor<?x?x?xi32>
    %3 = kernel.at_least %0, "main.top.0" default 32768
    %4 = scf.if %3 -> (tensor<?x?x?xi32>) {
      %6 = kernel.segmap thread (%arg0 < %0) -> (tensor<?x?x?xi32>) {
        %7 = kernel.scratch [%1, %2] : tensor<?x?xi32>
        %rows = scf.for %arg1 = %c0 to %1 step %c1 iter_args(%arg2 = %7) -> (tensor<?x?xi32>) {
          %8 = kernel.scratch [%2] : tensor<?xi32>
          %9, %bs = scf.for %arg3 = %c0 to %2 step %c1 iter_args(%acc = %zero, %arg4 = %8) -> (i32, tensor<?xi32>) {
            %x = kernel.read %xsss[%arg0, %arg1, %arg3] : tensor<?x?x?xi32>
            %s = arith.addi %acc, %x : i32
            %13 = kernel.update %s, %arg4[%arg3] : i32, tensor<?xi32>
            scf.yield %s, %13 : i32, tensor<?xi32>
          }
          %10, %cs = scf.for %arg3 = %c0 to %2 step %c1 iter_args(%acc = %low, %arg4 = %8) -> (i32, tensor<?xi32>) {
            %x = kernel.read %bs[%arg3] : tensor<?xi32>
            %s = arith.maxsi %acc, %x : i32
            %13 = kernel.update %s, %arg4[%arg3] : i32, tensor<?xi32>
            scf.yield %s, %13 : i32, tensor<?xi32>
          }
          %11, %ds = scf.for %arg3 = %c0 to %2 step %c1 iter_args(%acc = %one, %arg4 = %8) -> (i32, tensor<?xi32>) {
            %x = kernel.read %cs[%arg3] : tensor<?xi32>
            %s = arith.muli %acc, %x : i32
            %13 = kernel.update %s, %arg4[%arg3] : i32, tensor<?xi32>
            scf.yield %s, %13 : i32, tensor<?xi32>
          }
          %12 = kernel.update %ds, %arg2[%arg1] : tensor<?xi32>, tensor<?x?xi32>
          scf.yield %12 : tensor<?x?xi32>
        }
        kernel.return %rows : tensor<?x?xi32>
      }
      scf.yield %6 : tensor<?x?x?xi32>
    } else {
      %6 = arith.muli %1, %2 : index
      %7 = arith.maxsi %6, %6 : index
      %8 = arith.maxsi %7, %6 : index
      %9 = arith.cmpi sle, %8, %c1024 : index
      %10 = arith.muli %6, %c4 : index
      %11 = arith.addi %10, %c798 : index
      %12 = arith.addi %11, %10 : index
      %13 = arith.cmpi sle, %12, %c49152 : index
      %14 = arith.andi %9, %13 : i1
      %15 = kernel.at_least %8, "main.intra.0" default 32
      %16 = arith.andi %14, %15 : i1
      %17 = scf.if %16 -> (tensor<?x?x?xi32>) {
        %18 = kernel.segmap block (%arg0 < %0) -> (tensor<?x?x?xi32>) {
          %19 = kernel.segscan thread (%arg1 < %1, %arg2 < %2) init (%zero : i32) -> (tensor<?x?xi32>) {
            %22 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
            kernel.return %22 : i32
          } combine (%acc, %x) {
            %s = arith.addi %acc, %x : i32
            kernel.return %s : i32
          }
          %20 = kernel.segscan thread (%arg1 < %1, %arg2 < %2) init (%low : i32) -> (tensor<?x?xi32>) {
            %22 = kernel.read %19[%arg1, %arg2] : tensor<?x?xi32>
            kernel.return %22 : i32
          } combine (%acc, %x) {
            %s = arith.maxsi %acc, %x : i32
            kernel.return %s : i32
          }
          %21 = kernel.segscan thread (%arg1 < %1, %arg2 < %2) init (%one : i32) -> (tensor<?x?xi32>) {
            %22 = kernel.read %20[%arg1, %arg2] : tensor<?x?xi32>
            kernel.return %22 : i32
          } combine (%acc, %x) {
            %s = arith.muli %acc, %x : i32
            kernel.return %s : i32
          }
          kernel.return %21 : tensor<?x?xi32>
        }
        scf.yield %18 : tensor<?x?x?xi32>
      } else {
        %18 = arith.muli %0, %1 : index
        %19 = kernel.at_least %18, "main.top.1" default 32768
        %20 = scf.if %19 -> (tensor<?x?x?xi32>) {
          %22 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
            %23 = kernel.scratch [%2] : tensor<?xi32>
            %24, %bs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %zero, %arg3 = %23) -> (i32, tensor<?xi32>) {
              %x = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
              %s = arith.addi %acc, %x : i32
              %27 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
              scf.yield %s, %27 : i32, tensor<?xi32>
            }
            %25, %cs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %low, %arg3 = %23) -> (i32, tensor<?xi32>) {
              %x = kernel.read %bs[%arg2] : tensor<?xi32>
              %s = arith.maxsi %acc, %x : i32
              %27 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
              scf.yield %s, %27 : i32, tensor<?xi32>
            }
            %26, %ds = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %one, %arg3 = %23) -> (i32, tensor<?xi32>) {
              %x = kernel.read %cs[%arg2] : tensor<?xi32>
              %s = arith.muli %acc, %x : i32
              %27 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
              scf.yield %s, %27 : i32, tensor<?xi32>
            }
            kernel.return %ds : tensor<?xi32>
          }
          scf.yield %22 : tensor<?x?x?xi32>
        } else {
          %22 = arith.cmpi sle, %2, %c1024 : index
          %23 = arith.muli %2, %c4 : index
          %24 = arith.addi %23, %c798 : index
          %25 = arith.addi %24, %23 : index
          %26 = arith.cmpi sle, %25, %c49152 : index
          %27 = arith.andi %22, %26 : i1
          %28 = kernel.at_least %2, "main.intra.1" default 32
          %29 = arith.andi %27, %28 : i1
          %30 = scf.if %29 -> (tensor<?x?x?xi32>) {
            %31 = kernel.segmap block (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
              %32 = kernel.segscan thread (%arg2 < %2) init (%zero : i32) -> (tensor<?xi32>) {
                %35 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
                kernel.return %35 : i32
              } combine (%acc, %x) {
                %s = arith.addi %acc, %x : i32
                kernel.return %s : i32
              }
              %33 = kernel.segscan thread (%arg2 < %2) init (%low : i32) -> (tensor<?xi32>) {
                %35 = kernel.read %32[%arg2] : tensor<?xi32>
                kernel.return %35 : i32
              } combine (%acc, %x) {
                %s = arith.maxsi %acc, %x : i32
                kernel.return %s : i32
              }
              %34 = kernel.segscan thread (%arg2 < %2) init (%one : i32) -> (tensor<?xi32>) {
                %35 = kernel.read %33[%arg2] : tensor<?xi32>
                kernel.return %35 : i32
              } combine (%acc, %x) {
                %s = arith.muli %acc, %x : i32
                kernel.return %s : i32
              }
              kernel.return %34 : tensor<?xi32>
            }
            scf.yield %31 : tensor<?x?x?xi32>
          } else {
            %31 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%zero : i32) -> (tensor<?x?x?xi32>) {
              %34 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
              kernel.return %34 : i32
            } combine (%acc, %x) {
              %s = arith.addi %acc, %x : i32
              kernel.return %s : i32
            }
            %32 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%low : i32) -> (tensor<?x?x?xi32>) {
              %34 = kernel.read %31[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
              kernel.return %34 : i32
            } combine (%acc, %x) {
              %s = arith.maxsi %acc, %x : i32
              kernel.return %s : i32
            }
            %33 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%one : i32) -> (tensor<?x?x?xi32>) {
              %34 = kernel.read %32[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
              kernel.return %34 : i32
            } combine (%acc, %x) {
              %s = arith.muli %acc, %x : i32
              kernel.return %s : i32
            }
            scf.yield %33 : tensor<?x?x?xi32>
          }
          scf.yield %30 : tensor<?x?x?xi32>
        }
        %21 = kernel.reshape %20 to [%0, %1, %2] : tensor<?x?x?xi32> -> tensor<?x?x?xi32>
        scf.yield %21 : tensor<?x?x?xi32>
      }
      scf.yield %17 : tensor<?x?x?xi32>
    }
    %5 = kernel.reshape %4 to [%0, %1, %2] : tensor<?x?x?xi32> -> tensor<?x?x?xi32>
    func.return %5 : tensor<?x?x?xi32>
  }
}

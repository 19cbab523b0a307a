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
    %3 = arith.muli %0, %1 : index
    %4 = kernel.at_least %3, "main.top.0" default 32768
    %5 = scf.if %4 -> (tensor<?x?x?xi32>) {
      %7 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
        %8 = kernel.scratch [%2] : tensor<?xi32>
        %9, %bs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %zero, %arg3 = %8) -> (i32, tensor<?xi32>) {
          %x = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          %s = arith.addi %acc, %x : i32
          %12 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %12 : i32, tensor<?xi32>
        }
        %10, %cs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %low, %arg3 = %8) -> (i32, tensor<?xi32>) {
          %x = kernel.read %bs[%arg2] : tensor<?xi32>
          %s = arith.maxsi %acc, %x : i32
          %12 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %12 : i32, tensor<?xi32>
        }
        %11, %ds = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %one, %arg3 = %8) -> (i32, tensor<?xi32>) {
          %x = kernel.read %cs[%arg2] : tensor<?xi32>
          %s = arith.muli %acc, %x : i32
          %12 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %12 : i32, tensor<?xi32>
        }
        kernel.return %ds : tensor<?xi32>
      }
      scf.yield %7 : tensor<?x?x?xi32>
    } else {
      %7 = arith.cmpi sle, %2, %c1024 : index
      %8 = arith.muli %2, %c4 : index
      %9 = arith.addi %8, %c798 : index
      %10 = arith.addi %9, %8 : index
      %11 = arith.cmpi sle, %10, %c49152 : index
      %12 = arith.andi %7, %11 : i1
      %13 = kernel.at_least %2, "main.intra.0" default 32
      %14 = arith.andi %12, %13 : i1
      %15 = scf.if %14 -> (tensor<?x?x?xi32>) {
        %16 = kernel.segmap block (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
          %17 = kernel.segscan thread (%arg2 < %2) init (%zero : i32) -> (tensor<?xi32>) {
            %20 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
            kernel.return %20 : i32
          } combine (%acc, %x) {
            %s = arith.addi %acc, %x : i32
            kernel.return %s : i32
          }
          %18 = kernel.segscan thread (%arg2 < %2) init (%low : i32) -> (tensor<?xi32>) {
            %20 = kernel.read %17[%arg2] : tensor<?xi32>
            kernel.return %20 : i32
          } combine (%acc, %x) {
            %s = arith.maxsi %acc, %x : i32
            kernel.return %s : i32
          }
          %19 = kernel.segscan thread (%arg2 < %2) init (%one : i32) -> (tensor<?xi32>) {
            %20 = kernel.read %18[%arg2] : tensor<?xi32>
            kernel.return %20 : i32
          } combine (%acc, %x) {
            %s = arith.muli %acc, %x : i32
            kernel.return %s : i32
          }
          kernel.return %19 : tensor<?xi32>
        }
        scf.yield %16 : tensor<?x?x?xi32>
      } else {
        %16 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%zero : i32) -> (tensor<?x?x?xi32>) {
          %19 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %19 : i32
        } combine (%acc, %x) {
          %s = arith.addi %acc, %x : i32
          kernel.return %s : i32
        }
        %17 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%low : i32) -> (tensor<?x?x?xi32>) {
          %19 = kernel.read %16[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %19 : i32
        } combine (%acc, %x) {
          %s = arith.maxsi %acc, %x : i32
          kernel.return %s : i32
        }
        %18 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%one : i32) -> (tensor<?x?x?xi32>) {
          %19 = kernel.read %17[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %19 : i32
        } combine (%acc, %x) {
          %s = arith.muli %acc, %x : i32
          kernel.return %s : i32
        }
        scf.yield %18 : tensor<?x?x?xi32>
      }
      scf.yield %15 : tensor<?x?x?xi32>
    }
    %6 = kernel.reshape %5 to [%0, %1, %2] : tensor<?x?x?xi32> -> tensor<?x?x?xi32>
    func.return %6 : tensor<?x?x?xi32>
  }
}

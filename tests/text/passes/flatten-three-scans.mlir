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
    %c1024 = arith.constant 1024 : index
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c798 = arith.constant 798 : index
    %c4 = arith.constant 4 : index
    %c49152 = arith.constant 49152 : index
    %0 = kernel.dim %xsss, 0 : tensor<?x?x?xi32>
    %1 = kernel.dim %xsss, 1 : tensor<?x?x?xi32>
    %2 = kernel.dim %xsss, 2 : tensor<?x?x?xi32>
    %3 = arith.muli %0, %1 : index
    %4 = kernel.at_least %3, "main.top.0" default 32768
    %5 = arith.maxsi %3, %c1 : index
    %6 = arith.divui %c1024, %5 : index
    %7 = kernel.at_least %6, "main.intra.0.few" default 1
    %8 = arith.maxsi %2, %c1 : index
    %9 = arith.divui %c1024, %8 : index
    %10 = kernel.at_least %9, "main.top.0.short" default 128
    %11 = arith.xori %7, %true : i1
    %12 = arith.andi %10, %11 : i1
    %13 = arith.ori %4, %12 : i1
    %14 = scf.if %13 -> (tensor<?x?x?xi32>) {
      %16 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
        %17 = kernel.scratch [%2] : tensor<?xi32>
        %18, %bs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %zero, %arg3 = %17) -> (i32, tensor<?xi32>) {
          %x = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          %s = arith.addi %acc, %x : i32
          %21 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %21 : i32, tensor<?xi32>
        }
        %19, %cs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %low, %arg3 = %17) -> (i32, tensor<?xi32>) {
          %x = kernel.read %bs[%arg2] : tensor<?xi32>
          %s = arith.maxsi %acc, %x : i32
          %21 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %21 : i32, tensor<?xi32>
        }
        %20, %ds = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %one, %arg3 = %17) -> (i32, tensor<?xi32>) {
          %x = kernel.read %cs[%arg2] : tensor<?xi32>
          %s = arith.muli %acc, %x : i32
          %21 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %21 : i32, tensor<?xi32>
        }
        kernel.return %ds : tensor<?xi32>
      }
      scf.yield %16 : tensor<?x?x?xi32>
    } else {
      %16 = arith.cmpi sle, %2, %c1024 : index
      %17 = arith.muli %2, %c4 : index
      %18 = arith.addi %17, %c798 : index
      %19 = arith.addi %18, %17 : index
      %20 = arith.cmpi sle, %19, %c49152 : index
      %21 = arith.andi %16, %20 : i1
      %22 = kernel.at_least %2, "main.intra.0" default 32
      %23 = arith.ori %22, %7 : i1
      %24 = arith.andi %21, %23 : i1
      %25 = scf.if %24 -> (tensor<?x?x?xi32>) {
        %26 = kernel.segmap block (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
          %27 = kernel.segscan thread (%arg2 < %2) init (%zero : i32) -> (tensor<?xi32>) {
            %30 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
            kernel.return %30 : i32
          } combine (%acc, %x) {
            %s = arith.addi %acc, %x : i32
            kernel.return %s : i32
          }
          %28 = kernel.segscan thread (%arg2 < %2) init (%low : i32) -> (tensor<?xi32>) {
            %30 = kernel.read %27[%arg2] : tensor<?xi32>
            kernel.return %30 : i32
          } combine (%acc, %x) {
            %s = arith.maxsi %acc, %x : i32
            kernel.return %s : i32
          }
          %29 = kernel.segscan thread (%arg2 < %2) init (%one : i32) -> (tensor<?xi32>) {
            %30 = kernel.read %28[%arg2] : tensor<?xi32>
            kernel.return %30 : i32
          } combine (%acc, %x) {
            %s = arith.muli %acc, %x : i32
            kernel.return %s : i32
          }
          kernel.return %29 : tensor<?xi32>
        }
        scf.yield %26 : tensor<?x?x?xi32>
      } else {
        %26 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%zero : i32) -> (tensor<?x?x?xi32>) {
          %29 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %29 : i32
        } combine (%acc, %x) {
          %s = arith.addi %acc, %x : i32
          kernel.return %s : i32
        }
        %27 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%low : i32) -> (tensor<?x?x?xi32>) {
          %29 = kernel.read %26[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %29 : i32
        } combine (%acc, %x) {
          %s = arith.maxsi %acc, %x : i32
          kernel.return %s : i32
        }
        %28 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%one : i32) -> (tensor<?x?x?xi32>) {
          %29 = kernel.read %27[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %29 : i32
        } combine (%acc, %x) {
          %s = arith.muli %acc, %x : i32
          kernel.return %s : i32
        }
        scf.yield %28 : tensor<?x?x?xi32>
      }
      scf.yield %25 : tensor<?x?x?xi32>
    }
    %15 = kernel.reshape %14 to [%0, %1, %2] : tensor<?x?x?xi32> -> tensor<?x?x?xi32>
    func.return %15 : tensor<?x?x?xi32>
  }
}

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
    %c22386 = arith.constant 22386 : index
    %c6610 = arith.constant 6610 : index
    %c1024 = arith.constant 1024 : index
    %c2238 = arith.constant 2238 : index
    %c100 = arith.constant 100 : index
    %c13400 = arith.constant 13400 : index
    %c1920 = arith.constant 1920 : index
    %c0 = arith.constant 0 : index
    %c798 = arith.constant 798 : index
    %c4 = arith.constant 4 : index
    %c49152 = arith.constant 49152 : index
    %0 = kernel.dim %xsss, 0 : tensor<?x?x?xi32>
    %1 = kernel.dim %xsss, 1 : tensor<?x?x?xi32>
    %2 = kernel.dim %xsss, 2 : tensor<?x?x?xi32>
    %3 = arith.muli %0, %1 : index
    %4 = arith.ceildivsi %3, %c1024 : index
    %5 = arith.muli %4, %c2238 : index
    %6 = arith.addi %5, %c6610 : index
    %7 = arith.divui %6, %c100 : index
    %8 = arith.maxsi %7, %c1 : index
    %9 = arith.divui %c22386, %8 : index
    %10 = arith.minsi %6, %c22386 : index
    %11 = arith.muli %2, %c1920 : index
    %12 = arith.addi %11, %c13400 : index
    %13 = arith.divui %12, %c100 : index
    %14 = arith.maxsi %13, %c1 : index
    %15 = arith.divui %10, %14 : index
    %16 = kernel.at_least %15, "main.top.0.short" default 100
    %17 = kernel.at_least %3, "main.top.0" default 32768
    %18 = arith.ori %17, %16 : i1
    %19 = scf.if %18 -> (tensor<?x?x?xi32>) {
      %21 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
        %22 = kernel.scratch [%2] : tensor<?xi32>
        %23, %bs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %zero, %arg3 = %22) -> (i32, tensor<?xi32>) {
          %x = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          %s = arith.addi %acc, %x : i32
          %26 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %26 : i32, tensor<?xi32>
        }
        %24, %cs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %low, %arg3 = %22) -> (i32, tensor<?xi32>) {
          %x = kernel.read %bs[%arg2] : tensor<?xi32>
          %s = arith.maxsi %acc, %x : i32
          %26 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %26 : i32, tensor<?xi32>
        }
        %25, %ds = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %one, %arg3 = %22) -> (i32, tensor<?xi32>) {
          %x = kernel.read %cs[%arg2] : tensor<?xi32>
          %s = arith.muli %acc, %x : i32
          %26 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %26 : i32, tensor<?xi32>
        }
        kernel.return %ds : tensor<?xi32>
      }
      scf.yield %21 : tensor<?x?x?xi32>
    } else {
      %21 = arith.cmpi sle, %2, %c1024 : index
      %22 = arith.muli %2, %c4 : index
      %23 = arith.addi %22, %c798 : index
      %24 = arith.addi %23, %22 : index
      %25 = arith.cmpi sle, %24, %c49152 : index
      %26 = arith.andi %21, %25 : i1
      %27 = kernel.at_least %2, "main.intra.0" default 32
      %28 = kernel.at_least %9, "main.intra.0.few" default 100
      %29 = arith.ori %27, %28 : i1
      %30 = arith.andi %26, %29 : i1
      %31 = scf.if %30 -> (tensor<?x?x?xi32>) {
        %32 = kernel.segmap block (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
          %33 = kernel.segscan thread (%arg2 < %2) init (%zero : i32) -> (tensor<?xi32>) {
            %36 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
            kernel.return %36 : i32
          } combine (%acc, %x) {
            %s = arith.addi %acc, %x : i32
            kernel.return %s : i32
          }
          %34 = kernel.segscan thread (%arg2 < %2) init (%low : i32) -> (tensor<?xi32>) {
            %36 = kernel.read %33[%arg2] : tensor<?xi32>
            kernel.return %36 : i32
          } combine (%acc, %x) {
            %s = arith.maxsi %acc, %x : i32
            kernel.return %s : i32
          }
          %35 = kernel.segscan thread (%arg2 < %2) init (%one : i32) -> (tensor<?xi32>) {
            %36 = kernel.read %34[%arg2] : tensor<?xi32>
            kernel.return %36 : i32
          } combine (%acc, %x) {
            %s = arith.muli %acc, %x : i32
            kernel.return %s : i32
          }
          kernel.return %35 : tensor<?xi32>
        }
        scf.yield %32 : tensor<?x?x?xi32>
      } else {
        %32 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%zero : i32) -> (tensor<?x?x?xi32>) {
          %35 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %35 : i32
        } combine (%acc, %x) {
          %s = arith.addi %acc, %x : i32
          kernel.return %s : i32
        }
        %33 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%low : i32) -> (tensor<?x?x?xi32>) {
          %35 = kernel.read %32[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %35 : i32
        } combine (%acc, %x) {
          %s = arith.maxsi %acc, %x : i32
          kernel.return %s : i32
        }
        %34 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%one : i32) -> (tensor<?x?x?xi32>) {
          %35 = kernel.read %33[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %35 : i32
        } combine (%acc, %x) {
          %s = arith.muli %acc, %x : i32
          kernel.return %s : i32
        }
        scf.yield %34 : tensor<?x?x?xi32>
      }
      scf.yield %31 : tensor<?x?x?xi32>
    }
    %20 = kernel.reshape %19 to [%0, %1, %2] : tensor<?x?x?xi32> -> tensor<?x?x?xi32>
    func.return %20 : tensor<?x?x?xi32>
  }
}

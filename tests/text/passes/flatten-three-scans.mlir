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
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %c2238 = arith.constant 2238 : index
    %c100 = arith.constant 100 : index
    %c13400 = arith.constant 13400 : index
    %c1920 = arith.constant 1920 : index
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c798 = arith.constant 798 : index
    %c4 = arith.constant 4 : index
    %c49152 = arith.constant 49152 : index
    %0 = kernel.dim %xsss, 0 : tensor<?x?x?xi32>
    %1 = kernel.dim %xsss, 1 : tensor<?x?x?xi32>
    %2 = kernel.dim %xsss, 2 : tensor<?x?x?xi32>
    %3 = arith.muli %0, %1 : index
    %4 = arith.ceildivsi %2, %c32 : index
    %5 = arith.minsi %4, %c8 : index
    %6 = arith.maxsi %5, %c1 : index
    %7 = arith.divui %c8192, %6 : index
    %8 = arith.minsi %7, %c4096 : index
    %9 = arith.ceildivsi %3, %8 : index
    %10 = arith.muli %9, %c2238 : index
    %11 = arith.addi %10, %c6610 : index
    %12 = arith.divui %11, %c100 : index
    %13 = arith.maxsi %12, %c1 : index
    %14 = arith.divui %c22386, %13 : index
    %15 = arith.minsi %11, %c22386 : index
    %16 = arith.muli %2, %c1920 : index
    %17 = arith.addi %16, %c13400 : index
    %18 = arith.divui %17, %c100 : index
    %19 = arith.maxsi %18, %c1 : index
    %20 = arith.divui %15, %19 : index
    %21 = kernel.at_least %20, "main.top.0.short" default 100
    %22 = kernel.at_least %3, "main.top.0" default 32768
    %23 = arith.ori %22, %21 : i1
    %24 = scf.if %23 -> (tensor<?x?x?xi32>) {
      %26 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
        %27 = kernel.scratch [%2] : tensor<?xi32>
        %28, %bs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %zero, %arg3 = %27) -> (i32, tensor<?xi32>) {
          %x = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          %s = arith.addi %acc, %x : i32
          %31 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %31 : i32, tensor<?xi32>
        }
        %29, %cs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %low, %arg3 = %27) -> (i32, tensor<?xi32>) {
          %x = kernel.read %bs[%arg2] : tensor<?xi32>
          %s = arith.maxsi %acc, %x : i32
          %31 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %31 : i32, tensor<?xi32>
        }
        %30, %ds = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %one, %arg3 = %27) -> (i32, tensor<?xi32>) {
          %x = kernel.read %cs[%arg2] : tensor<?xi32>
          %s = arith.muli %acc, %x : i32
          %31 = kernel.update %s, %arg3[%arg2] : i32, tensor<?xi32>
          scf.yield %s, %31 : i32, tensor<?xi32>
        }
        kernel.return %ds : tensor<?xi32>
      }
      scf.yield %26 : tensor<?x?x?xi32>
    } else {
      %26 = arith.cmpi sle, %2, %c1024 : index
      %27 = arith.muli %2, %c4 : index
      %28 = arith.addi %27, %c798 : index
      %29 = arith.addi %28, %27 : index
      %30 = arith.cmpi sle, %29, %c49152 : index
      %31 = arith.andi %26, %30 : i1
      %32 = kernel.at_least %2, "main.intra.0" default 256
      %33 = kernel.at_least %14, "main.intra.0.few" default 100
      %34 = arith.ori %32, %33 : i1
      %35 = arith.andi %31, %34 : i1
      %36 = scf.if %35 -> (tensor<?x?x?xi32>) {
        %37 = kernel.segmap block (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
          %38 = kernel.segscan thread (%arg2 < %2) init (%zero : i32) -> (tensor<?xi32>) {
            %41 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
            kernel.return %41 : i32
          } combine (%acc, %x) {
            %s = arith.addi %acc, %x : i32
            kernel.return %s : i32
          }
          %39 = kernel.segscan thread (%arg2 < %2) init (%low : i32) -> (tensor<?xi32>) {
            %41 = kernel.read %38[%arg2] : tensor<?xi32>
            kernel.return %41 : i32
          } combine (%acc, %x) {
            %s = arith.maxsi %acc, %x : i32
            kernel.return %s : i32
          }
          %40 = kernel.segscan thread (%arg2 < %2) init (%one : i32) -> (tensor<?xi32>) {
            %41 = kernel.read %39[%arg2] : tensor<?xi32>
            kernel.return %41 : i32
          } combine (%acc, %x) {
            %s = arith.muli %acc, %x : i32
            kernel.return %s : i32
          }
          kernel.return %40 : tensor<?xi32>
        }
        scf.yield %37 : tensor<?x?x?xi32>
      } else {
        %37 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%zero : i32) -> (tensor<?x?x?xi32>) {
          %40 = kernel.read %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %40 : i32
        } combine (%acc, %x) {
          %s = arith.addi %acc, %x : i32
          kernel.return %s : i32
        }
        %38 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%low : i32) -> (tensor<?x?x?xi32>) {
          %40 = kernel.read %37[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %40 : i32
        } combine (%acc, %x) {
          %s = arith.maxsi %acc, %x : i32
          kernel.return %s : i32
        }
        %39 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%one : i32) -> (tensor<?x?x?xi32>) {
          %40 = kernel.read %38[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %40 : i32
        } combine (%acc, %x) {
          %s = arith.muli %acc, %x : i32
          kernel.return %s : i32
        }
        scf.yield %39 : tensor<?x?x?xi32>
      }
      scf.yield %36 : tensor<?x?x?xi32>
    }
    %25 = kernel.reshape %24 to [%0, %1, %2] : tensor<?x?x?xi32> -> tensor<?x?x?xi32>
    func.return %25 : tensor<?x?x?xi32>
  }
}

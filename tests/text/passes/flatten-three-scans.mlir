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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %low = arith.constant -2147483648 : i32
    %c32 = arith.constant 32 : index
    %c22386 = arith.constant 22386 : index
    %c263 = arith.constant 263 : index
    %c2112 = arith.constant 2112 : index
    %c6610 = arith.constant 6610 : index
    %c8 = arith.constant 8 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %c2238 = arith.constant 2238 : index
    %c108 = arith.constant 108 : index
    %c251 = arith.constant 251 : index
    %c100 = arith.constant 100 : index
    %c13400 = arith.constant 13400 : index
    %c1920 = arith.constant 1920 : index
    %c180 = arith.constant 180 : index
    %c144 = arith.constant 144 : index
    %c1024 = arith.constant 1024 : index
    %c798 = arith.constant 798 : index
    %c4 = arith.constant 4 : index
    %c49152 = arith.constant 49152 : index
    %0 = tensor.dim %xsss, %c0 : tensor<?x?x?xi32>
    %1 = tensor.dim %xsss, %c1 : tensor<?x?x?xi32>
    %2 = tensor.dim %xsss, %c2 : tensor<?x?x?xi32>
    %3 = arith.muli %0, %1 : index
    %4 = arith.ceildivsi %3, %c32 : index
    %5 = arith.muli %3, %2 : index
    %6 = arith.ceildivsi %5, %c32 : index
    %7 = arith.ceildivsi %2, %c32 : index
    %8 = arith.muli %3, %7 : index
    %9 = arith.muli %6, %c263 : index
    %10 = arith.addi %9, %9 : index
    %11 = arith.addi %10, %9 : index
    %12 = arith.divui %11, %c2112 : index
    %13 = arith.addi %12, %c22386 : index
    %14 = arith.minsi %7, %c8 : index
    %15 = arith.maxsi %14, %c1 : index
    %16 = arith.divui %c8192, %15 : index
    %17 = arith.minsi %16, %c4096 : index
    %18 = arith.ceildivsi %3, %17 : index
    %19 = arith.muli %18, %c2238 : index
    %20 = arith.muli %3, %c108 : index
    %21 = arith.muli %8, %c251 : index
    %22 = arith.addi %20, %21 : index
    %23 = arith.addi %22, %21 : index
    %24 = arith.addi %23, %21 : index
    %25 = arith.divui %24, %c2112 : index
    %26 = arith.maxsi %19, %25 : index
    %27 = arith.addi %26, %c6610 : index
    %28 = arith.divui %27, %c100 : index
    %29 = arith.maxsi %28, %c1 : index
    %30 = arith.divui %13, %29 : index
    %31 = arith.minsi %13, %27 : index
    %32 = arith.muli %2, %c1920 : index
    %33 = arith.addi %32, %c13400 : index
    %34 = arith.muli %4, %c180 : index
    %35 = arith.muli %2, %c144 : index
    %36 = arith.muli %4, %35 : index
    %37 = arith.addi %34, %36 : index
    %38 = arith.divui %37, %c2112 : index
    %39 = arith.addi %33, %38 : index
    %40 = arith.divui %39, %c100 : index
    %41 = arith.maxsi %40, %c1 : index
    %42 = arith.divui %31, %41 : index
    %43 = kernel.at_least %42, "main.top.0.short" default 100
    %44 = kernel.at_least %3, "main.top.0" default 32768
    %45 = arith.ori %44, %43 : i1
    %46 = scf.if %45 -> (tensor<?x?x?xi32>) {
      %49 = kernel.segmap thread (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
        %50 = tensor.empty(%2) : tensor<?xi32>
        %51, %bs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %zero, %arg3 = %50) -> (i32, tensor<?xi32>) {
          %x = tensor.extract %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          %s = arith.addi %acc, %x : i32
          %54 = tensor.insert %s into %arg3[%arg2] : tensor<?xi32>
          scf.yield %s, %54 : i32, tensor<?xi32>
        }
        %52, %cs = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %low, %arg3 = %50) -> (i32, tensor<?xi32>) {
          %x = tensor.extract %bs[%arg2] : tensor<?xi32>
          %s = arith.maxsi %acc, %x : i32
          %54 = tensor.insert %s into %arg3[%arg2] : tensor<?xi32>
          scf.yield %s, %54 : i32, tensor<?xi32>
        }
        %53, %ds = scf.for %arg2 = %c0 to %2 step %c1 iter_args(%acc = %one, %arg3 = %50) -> (i32, tensor<?xi32>) {
          %x = tensor.extract %cs[%arg2] : tensor<?xi32>
          %s = arith.muli %acc, %x : i32
          %54 = tensor.insert %s into %arg3[%arg2] : tensor<?xi32>
          scf.yield %s, %54 : i32, tensor<?xi32>
        }
        kernel.return %ds : tensor<?xi32>
      }
      scf.yield %49 : tensor<?x?x?xi32>
    } else {
      %49 = arith.cmpi sle, %2, %c1024 : index
      %50 = arith.muli %2, %c4 : index
      %51 = arith.addi %50, %c798 : index
      %52 = arith.addi %51, %50 : index
      %53 = arith.cmpi sle, %52, %c49152 : index
      %54 = arith.andi %49, %53 : i1
      %55 = kernel.at_least %2, "main.intra.0" default 256
      %56 = kernel.at_least %30, "main.intra.0.few" default 100
      %57 = arith.ori %55, %56 : i1
      %58 = arith.andi %54, %57 : i1
      %59 = scf.if %58 -> (tensor<?x?x?xi32>) {
        %60 = kernel.segmap block (%arg0 < %0, %arg1 < %1) -> (tensor<?x?x?xi32>) {
          %61 = kernel.segscan thread (%arg2 < %2) init (%zero : i32) -> (tensor<?xi32>) {
            %64 = tensor.extract %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
            kernel.return %64 : i32
          } combine (%acc, %x) {
            %s = arith.addi %acc, %x : i32
            kernel.return %s : i32
          }
          %62 = kernel.segscan thread (%arg2 < %2) init (%low : i32) -> (tensor<?xi32>) {
            %64 = tensor.extract %61[%arg2] : tensor<?xi32>
            kernel.return %64 : i32
          } combine (%acc, %x) {
            %s = arith.maxsi %acc, %x : i32
            kernel.return %s : i32
          }
          %63 = kernel.segscan thread (%arg2 < %2) init (%one : i32) -> (tensor<?xi32>) {
            %64 = tensor.extract %62[%arg2] : tensor<?xi32>
            kernel.return %64 : i32
          } combine (%acc, %x) {
            %s = arith.muli %acc, %x : i32
            kernel.return %s : i32
          }
          kernel.return %63 : tensor<?xi32>
        }
        scf.yield %60 : tensor<?x?x?xi32>
      } else {
        %60 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%zero : i32) -> (tensor<?x?x?xi32>) {
          %63 = tensor.extract %xsss[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %63 : i32
        } combine (%acc, %x) {
          %s = arith.addi %acc, %x : i32
          kernel.return %s : i32
        }
        %61 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%low : i32) -> (tensor<?x?x?xi32>) {
          %63 = tensor.extract %60[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %63 : i32
        } combine (%acc, %x) {
          %s = arith.maxsi %acc, %x : i32
          kernel.return %s : i32
        }
        %62 = kernel.segscan thread (%arg0 < %0, %arg1 < %1, %arg2 < %2) init (%one : i32) -> (tensor<?x?x?xi32>) {
          %63 = tensor.extract %61[%arg0, %arg1, %arg2] : tensor<?x?x?xi32>
          kernel.return %63 : i32
        } combine (%acc, %x) {
          %s = arith.muli %acc, %x : i32
          kernel.return %s : i32
        }
        scf.yield %62 : tensor<?x?x?xi32>
      }
      scf.yield %59 : tensor<?x?x?xi32>
    }
    %47 = tensor.from_elements %0, %1, %2 : tensor<3xindex>
    %48 = tensor.reshape %46(%47) : (tensor<?x?x?xi32>, tensor<3xindex>) -> tensor<?x?x?xi32>
    func.return %48 : tensor<?x?x?xi32>
  }
}

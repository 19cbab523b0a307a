// pass: builtin.module(flatten{inner-reduce=parallel})
// The lecture's running example: kernels of m^2, m^3, m^3 and m^2 points, the last two inside the host's loop.
func.func @main(%pss: !array.array<[m][m]i32>, %n: index) -> (!array.array<[m][m][m]i32>, !array.array<[m][m]i32>) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %asss, %bss = array.map (%ps in %pss : [m][m]i32) {
    %ass = array.map (%p in %ps : [m]i32) {
      %count = arith.index_cast %p : i32 to index
      %is = array.iota %count : [?]i32
      %cs = array.scan (%is : [?]i32) init (%zero : i32) combine (%acc, %i) {
        %s = arith.addi %acc, %i : i32
        array.yield %s : i32
      }
      %r = array.reduce (%cs : [?]i32) init (%zero : i32) combine (%acc, %c) {
        %s = arith.addi %acc, %c : i32
        array.yield %s : i32
      }
      %as = array.map (%q in %ps : [m]i32) {
        %a = arith.addi %q, %r : i32
        array.yield %a : i32
      }
      array.yield %as : !array.array<[m]i32>
    }
    %bs = scf.for %i = %c0 to %n step %c1 iter_args(%ws = %ps) -> (!array.array<[m]i32>) {
      %next = array.map (%as in %ass : [m][m]i32, %w in %ws : [m]i32) {
        %d = array.reduce (%as : [m]i32) init (%zero : i32) combine (%acc, %a) {
          %s = arith.addi %acc, %a : i32
          array.yield %s : i32
        }
        %e = arith.addi %d, %w : i32
        %f = arith.muli %two, %e : i32
        array.yield %f : i32
      }
      scf.yield %next : !array.array<[m]i32>
    }
    array.yield %ass, %bs : !array.array<[m][m]i32>, !array.array<[m]i32>
  }
  func.return %asss, %bss : !array.array<[m][m][m]i32>, !array.array<[m][m]i32>
}
// ===== expected
builtin.module {
  func.func @main(%pss: tensor<?x?xi32>, %n: index) -> (tensor<?x?x?xi32>, tensor<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %pss, %c0 : tensor<?x?xi32>
    %c1 = arith.constant 1 : index
    %1 = tensor.dim %pss, %c1 : tensor<?x?xi32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `m`: dimension 1 of parameter #0 differs from dimension 0 of parameter #0"
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %3 = kernel.segmap thread (%arg0 < %0, %arg1 < %0) -> (tensor<?x?xi32>) {
      %6 = tensor.extract %pss[%arg0, %arg1] : tensor<?x?xi32>
      %count = arith.index_cast %6 : i32 to index
      %7 = tensor.empty(%count) : tensor<?xi32>
      %c0_2 = arith.constant 0 : index
      %c1_3 = arith.constant 1 : index
      %8, %cs = scf.for %arg2 = %c0_2 to %count step %c1_3 iter_args(%acc = %zero, %arg3 = %7) -> (i32, tensor<?xi32>) {
        %i = arith.index_cast %arg2 : index to i32
        %s = arith.addi %acc, %i : i32
        %10 = tensor.insert %s into %arg3[%arg2] : tensor<?xi32>
        scf.yield %s, %10 : i32, tensor<?xi32>
      }
      %c0_4 = arith.constant 0 : index
      %9 = tensor.dim %cs, %c0_4 : tensor<?xi32>
      %c0_5 = arith.constant 0 : index
      %c1_6 = arith.constant 1 : index
      %r = scf.for %arg2 = %c0_5 to %9 step %c1_6 iter_args(%acc = %zero) -> (i32) {
        %c = tensor.extract %cs[%arg2] : tensor<?xi32>
        %s = arith.addi %acc, %c : i32
        scf.yield %s : i32
      } {kernel.reduction}
      kernel.return %r : i32
    }
    %4 = kernel.segmap thread (%arg0 < %0, %arg1 < %0, %arg2 < %0) -> (tensor<?x?x?xi32>) {
      %6 = tensor.extract %pss[%arg0, %arg2] : tensor<?x?xi32>
      %7 = tensor.extract %3[%arg0, %arg1] : tensor<?x?xi32>
      %a = arith.addi %6, %7 : i32
      kernel.return %a : i32
    }
    %5 = scf.for %arg0 = %c0_0 to %n step %c1_1 iter_args(%arg1 = %pss) -> (tensor<?x?xi32>) {
      %6 = kernel.segred thread (%arg2 < %0, %arg3 < %0, %arg4 < %0) init (%zero : i32) -> (tensor<?x?xi32>) {
        %8 = tensor.extract %4[%arg2, %arg3, %arg4] : tensor<?x?x?xi32>
        kernel.return %8 : i32
      } combine (%acc, %a) {
        %s = arith.addi %acc, %a : i32
        kernel.return %s : i32
      }
      %7 = kernel.segmap thread (%arg2 < %0, %arg3 < %0) -> (tensor<?x?xi32>) {
        %8 = tensor.extract %6[%arg2, %arg3] : tensor<?x?xi32>
        %9 = tensor.extract %arg1[%arg2, %arg3] : tensor<?x?xi32>
        %e = arith.addi %8, %9 : i32
        %f = arith.muli %two, %e : i32
        kernel.return %f : i32
      }
      scf.yield %7 : tensor<?x?xi32>
    }
    func.return %4, %5 : tensor<?x?x?xi32>, tensor<?x?xi32>
  }
}

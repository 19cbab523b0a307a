// pass: builtin.module(fuse,canonicalize)
// The norm that a round starts with is summed while the round before makes the array. A joined array that is scanned is
// made by index, in the scan. A reader of an array that a branch makes is moved into the branch.
func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %c: i1, %rounds: index) -> (!array.array<[n]f32>, !array.array<[?]f32>, f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %scaled = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs) -> (!array.array<[n]f32>) {
    %norm = array.redomap (%x in %a : [n]f32) init (%zero : f32) map {
      %y = arith.mulf %x, %x : f32
      array.yield %y : f32
    } combine arith.addf
    %next = array.map (%x in %a : [n]f32) {
      %y = arith.divf %x, %norm : f32
      array.yield %y : f32
    }
    scf.yield %next : !array.array<[n]f32>
  }
  %squares = array.map (%y in %ys : [n]f32) {
    %z = arith.mulf %y, %y : f32
    array.yield %z : f32
  }
  %both = array.concat %squares, %ys : [n]f32, [n]f32 -> [?]f32
  %prefixes = array.scan (%both : [?]f32) init (%zero : f32) combine arith.addf
  %chosen = scf.if %c -> (!array.array<[n]f32>) {
    %z = array.map (%x in %xs : [n]f32, %y in %ys : [n]f32) arith.mulf
    scf.yield %z : !array.array<[n]f32>
  } else {
    scf.yield %ys : !array.array<[n]f32>
  }
  %sum = array.reduce (%chosen : [n]f32) init (%zero : f32) combine arith.addf
  func.return %scaled, %prefixes, %sum : !array.array<[n]f32>, !array.array<[?]f32>, f32
}
// ===== expected
builtin.module {
  func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %c: i1, %rounds: index) -> (!array.array<[n]f32>, !array.array<[?]f32>, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %norm = array.redomap (%x in %xs : [n]f32) init (%zero : f32) map {
      %y = arith.mulf %x, %x : f32
      array.yield %y : f32
    } combine (%arg0, %arg1) {
      %4 = arith.addf %arg0, %arg1 : f32
      array.yield %4 : f32
    }
    %scaled:2 = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs, %norm_0 = %norm) -> (!array.array<[n]f32>, f32) {
      %norm_1, %next = array.redomap (%arg0 in %a : [n]f32) init (%zero : f32) map {
        %y = arith.divf %arg0, %norm_0 : f32
        %y_2 = arith.mulf %y, %y : f32
        array.yield %y_2, %y : f32, f32
      } combine (%arg0, %arg1) {
        %4 = arith.addf %arg0, %arg1 : f32
        array.yield %4 : f32
      }
      scf.yield %next, %norm_1 : !array.array<[n]f32>, f32
    }
    %0 = array.dim %ys, 0 : [n]f32
    %1 = array.dim %ys, 0 : [n]f32
    %2 = arith.addi %1, %0 : index
    %3 = array.iota %2 : [?]index
    %prefixes = array.scanomap (%arg0 in %3 : [?]index) init (%zero : f32) map {
      %4 = arith.cmpi slt, %arg0, %1 : index
      %5 = scf.if %4 -> (f32) {
        %6 = array.index %ys[%arg0] {array.in_range} : [n]f32
        %z = arith.mulf %6, %6 : f32
        scf.yield %z : f32
      } else {
        %6 = arith.subi %arg0, %1 : index
        %7 = array.index %ys[%6] {array.in_range} : [n]f32
        scf.yield %7 : f32
      }
      array.yield %5 : f32
    } combine (%arg0, %arg1) {
      %4 = arith.addf %arg0, %arg1 : f32
      array.yield %4 : f32
    }
    %sum = scf.if %c -> (f32) {
      %sum_0 = array.redomap (%arg0 in %xs : [n]f32, %arg1 in %ys : [n]f32) init (%zero : f32) map {
        %4 = arith.mulf %arg0, %arg1 : f32
        array.yield %4 : f32
      } combine (%arg0, %arg1) {
        %4 = arith.addf %arg0, %arg1 : f32
        array.yield %4 : f32
      }
      scf.yield %sum_0 : f32
    } else {
      %sum_0 = array.reduce (%ys : [n]f32) init (%zero : f32) combine (%arg0, %arg1) {
        %4 = arith.addf %arg0, %arg1 : f32
        array.yield %4 : f32
      }
      scf.yield %sum_0 : f32
    }
    func.return %scaled#0, %prefixes, %sum : !array.array<[n]f32>, !array.array<[?]f32>, f32
  }
}

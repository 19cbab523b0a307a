// pass: builtin.module(explicit-checks)
// A step is checked to be positive; a loop whose counter may wrap counts its iterations; the check of an operator holds where there
// are no elements.
func.func @steps(%xs: !array.array<[n]f32>, %s: index, %k: i32, %end: index) -> (index, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %n = array.dim %xs, 0 : [n]f32
  %a = scf.for %i = %c0 to %n step %c2 iter_args(%x = %c0) -> (index) {
    %y = arith.addi %x, %i : index
    scf.yield %y : index
  }
  %b = scf.for %i = %zero to %k step %k iter_args(%x = %zero) -> (i32) : i32 {
    %y = arith.addi %x, %i : i32
    scf.yield %y : i32
  }
  %c = scf.for %i = %a to %end step %c1 iter_args(%x = %c0) -> (index) {
    %y = arith.addi %x, %i : index
    scf.yield %y : index
  }
  func.return %a, %b, %c : index, i32, index
}
func.func @operator(%xs: !array.array<[n]i32>, %four: !array.array<[4]i32>, %k: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %a = array.reduce (%xs : [n]i32) init (%zero : i32) neutral (%zero : i32) combine (%x, %y) {
    %q = arith.divsi %x, %k : i32
    %s = arith.addi %q, %y : i32
    array.yield %s : i32
  }
  %b = array.reduce (%four : [4]i32) init (%zero : i32) neutral (%zero : i32) combine (%x, %y) {
    %q = arith.divsi %x, %k : i32
    %s = arith.addi %q, %y : i32
    array.yield %s : i32
  }
  func.return %a, %b : i32, i32
}
// ===== expected
builtin.module {
  func.func @steps(%xs: !array.array<[n]f32>, %s: index, %k: i32, %end: index) -> (index, i32, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %n = array.dim %xs, 0 : [n]f32
    %a = scf.for %i = %c0 to %n step %c2 iter_args(%x = %c0) -> (index) {
      %y = arith.addi %x, %i : index
      scf.yield %y : index
    }
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi sgt, %k, %c0_i32 : i32
    %1 = arith.index_cast %k : i32 to index
    %c1_i32 = arith.constant 1 : i32
    %2 = check.require %0, %k else %c1_i32 : i32, i32, "'scf.for' op needs a positive step, not {0}"(%1 : index)
    %c0_i32_0 = arith.constant 0 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %3 = arith.cmpi slt, %zero, %k : i32
    %4 = arith.subi %k, %zero : i32
    %5 = arith.subi %4, %c1_i32_1 : i32
    %6 = arith.divui %5, %2 : i32
    %7 = arith.addi %6, %c1_i32_1 : i32
    %8 = arith.select %3, %7, %c0_i32_0 : i32
    %9 = arith.index_castui %8 : i32 to index
    %c0_2 = arith.constant 0 : index
    %c1_3 = arith.constant 1 : index
    %b = scf.for %i = %c0_2 to %9 step %c1_3 iter_args(%x = %zero) -> (i32) {
      %10 = arith.index_cast %i : index to i32
      %11 = arith.muli %10, %2 : i32
      %12 = arith.addi %zero, %11 : i32
      %y = arith.addi %x, %12 : i32
      scf.yield %y : i32
    }
    %c = scf.for %i = %a to %end step %c1 iter_args(%x = %c0) -> (index) {
      %y = arith.addi %x, %i : index
      scf.yield %y : index
    }
    func.return %a, %b, %c : index, i32, index
  }
  func.func @operator(%xs: !array.array<[n]i32>, %four: !array.array<[4]i32>, %k: i32) -> (i32, i32) {
    %zero = arith.constant 0 : i32
    %a = array.reduce (%xs : [n]i32) init (%zero : i32) neutral (%zero : i32) combine (%x, %y) {
      %c0_i32 = arith.constant 0 : i32
      %0 = arith.cmpi ne, %k, %c0_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %1 = array.dim %xs, 0 : [n]i32
      %c0 = arith.constant 0 : index
      %2 = arith.cmpi eq, %1, %c0 : index
      %3 = arith.ori %0, %2 : i1
      %4 = arith.select %0, %k, %c1_i32 : i32
      %5 = check.require %3, %4 else %c1_i32 : i32, i32, "'arith.divsi' op divides by zero"
      %q = arith.divsi %x, %5 : i32
      %s = arith.addi %q, %y : i32
      array.yield %s : i32
    }
    %b = array.reduce (%four : [4]i32) init (%zero : i32) neutral (%zero : i32) combine (%x, %y) {
      %c0_i32 = arith.constant 0 : i32
      %0 = arith.cmpi ne, %k, %c0_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %1 = check.require %0, %k else %c1_i32 : i32, i32, "'arith.divsi' op divides by zero"
      %q = arith.divsi %x, %1 : i32
      %s = arith.addi %q, %y : i32
      array.yield %s : i32
    }
    func.return %a, %b : i32, i32
  }
}

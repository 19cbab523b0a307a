// pass: builtin.module(explicit-checks)
// Every condition under which an op stops becomes a check; what types, maps and loops show to hold needs none.
builtin.module {
  func.func @checked(%xs: !array.array<[n]i32>, %i: index, %k: index, %d: i32) -> (i32, !array.array<[n]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>, !array.array<[n]i32>, i32) {
    %one = arith.constant 1 : index
    %x = array.index %xs[%i] : [n]i32
    %put = array.update %x, %xs[%i] : i32, [n]i32
    %part = array.slice %xs[%i] sizes [%k] strides [%one] : [n]i32 -> [?]i32
    %table = array.reshape %xs, [%i, %k] : [n]i32 -> [?][?]i32
    %named = array.replicate %x, [%k] : i32 -> [n]i32
    %q = arith.divsi %x, %d : i32
    func.return %x, %put, %part, %table, %named, %q : i32, !array.array<[n]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>, !array.array<[n]i32>, i32
  }
  func.func @proved(%xss: !array.array<[n][m]i32>, %four: !array.array<[4]i32>) -> (!array.array<[n]i32>, !array.array<[?]i32>, i32) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %n = array.dim %xss, 0 : [n][m]i32
    %m = array.dim %xss, 1 : [n][m]i32
    %is = array.iota %n : [n]index
    %last = arith.subi %n, %one : index
    %diagonal = array.map (%i in %is : [n]index) {
      %back = arith.subi %last, %i : index
      %share = arith.divsi %back, %n : index
      %row = array.index %xss[%back] : [n][m]i32
      %sum = scf.for %j = %zero to %m step %one iter_args(%acc = %share) -> (index) {
        %x = array.index %row[%j] : [m]i32
        %y = arith.index_cast %x : i32 to index
        %next = arith.addi %acc, %y : index
        scf.yield %next : index
      }
      %s = arith.index_cast %sum : index to i32
      array.yield %s : i32
    }
    %count = arith.muli %m, %n : index
    %flat = array.reshape %xss, [%count] : [n][m]i32 -> [?]i32
    %end = array.index %four[%three] : [4]i32
    func.return %diagonal, %flat, %end : !array.array<[n]i32>, !array.array<[?]i32>, i32
  }
}
// ===== expected
builtin.module {
  func.func @checked(%xs: !array.array<[n]i32>, %i: index, %k: index, %d: i32) -> (i32, !array.array<[n]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>, !array.array<[n]i32>, i32) {
    %one = arith.constant 1 : index
    %0 = array.dim %xs, 0 : [n]i32
    %1 = arith.cmpi ult, %i, %0 : index
    %c0 = arith.constant 0 : index
    %2 = check.require %1, %i else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [n]i32, which has {1}"(%i, %0 : index, index)
    %x = array.index %xs[%2] : [n]i32
    %3 = array.dim %xs, 0 : [n]i32
    %4 = arith.cmpi ult, %i, %3 : index
    %c0_0 = arith.constant 0 : index
    %5 = check.require %4, %i else %c0_0 : index, index, "'array.update' op index {0} is out of range for dimension 0 of [n]i32, which has {1}"(%i, %3 : index, index)
    %put = array.update %x, %xs[%5] : i32, [n]i32
    %c0_1 = arith.constant 0 : index
    %6 = arith.cmpi sge, %k, %c0_1 : index
    %c0_2 = arith.constant 0 : index
    %7 = check.require %6, %k else %c0_2 : index, index, "'array.slice' op a size cannot be {0}"(%k : index)
    %8 = array.dim %xs, 0 : [n]i32
    %9 = arith.cmpi ule, %i, %8 : index
    %10 = arith.subi %8, %i : index
    %11 = arith.cmpi ule, %7, %10 : index
    %12 = arith.andi %9, %11 : i1
    %c0_3 = arith.constant 0 : index
    %13 = arith.cmpi eq, %7, %c0_3 : index
    %14 = arith.ori %13, %12 : i1
    %c0_4 = arith.constant 0 : index
    %15 = check.require %14, %i else %c0_4 : index, index, "'array.slice' op {1} elements from index {0} on reach outside of dimension 0 of [n]i32, which has {2}"(%i, %7, %8 : index, index, index)
    %part = array.slice %xs[%15] sizes [%7] strides [%one] : [n]i32 -> [?]i32
    %c0_5 = arith.constant 0 : index
    %16 = arith.cmpi sge, %i, %c0_5 : index
    %c0_6 = arith.constant 0 : index
    %17 = check.require %16, %i else %c0_6 : index, index, "'array.reshape' op a size cannot be {0}"(%i : index)
    %c0_7 = arith.constant 0 : index
    %18 = arith.cmpi sge, %k, %c0_7 : index
    %c0_8 = arith.constant 0 : index
    %19 = check.require %18, %k else %c0_8 : index, index, "'array.reshape' op a size cannot be {0}"(%k : index)
    %20 = array.dim %xs, 0 : [n]i32
    %c1 = arith.constant 1 : index
    %c9223372036854775807 = arith.constant 9223372036854775807 : index
    %21 = arith.maxsi %19, %c1 : index
    %22 = arith.divui %c9223372036854775807, %21 : index
    %23 = arith.cmpi ule, %17, %22 : index
    %24 = arith.muli %17, %19 : index
    %25 = arith.cmpi eq, %20, %24 : index
    %26 = arith.andi %23, %25 : i1
    %c0_9 = arith.constant 0 : index
    %27 = check.require %26, %17 else %c0_9 : index, index, "'array.reshape' op the {0} elements of [n]i32 are not as many as the new sizes have"(%20 : index)
    %table = array.reshape %xs, [%27, %19] : [n]i32 -> [?][?]i32
    %c0_10 = arith.constant 0 : index
    %28 = arith.cmpi sge, %k, %c0_10 : index
    %c0_11 = arith.constant 0 : index
    %29 = check.require %28, %k else %c0_11 : index, index, "'array.replicate' op a size cannot be {0}"(%k : index)
    %30 = array.dim %xs, 0 : [n]i32
    %31 = arith.cmpi eq, %29, %30 : index
    %c0_12 = arith.constant 0 : index
    %32 = check.require %31, %29 else %c0_12 : index, index, "'array.replicate' op size {0} of dimension 0 is not `n`, which is {1}"(%29, %30 : index, index)
    %named = array.replicate %x, [%32] : i32 -> [n]i32
    %c0_i32 = arith.constant 0 : i32
    %33 = arith.cmpi ne, %d, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %34 = check.require %33, %d else %c1_i32 : i32, i32, "'arith.divsi' op divides by zero"
    %q = arith.divsi %x, %34 : i32
    func.return %x, %put, %part, %table, %named, %q : i32, !array.array<[n]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>, !array.array<[n]i32>, i32
  }
  func.func @proved(%xss: !array.array<[n][m]i32>, %four: !array.array<[4]i32>) -> (!array.array<[n]i32>, !array.array<[?]i32>, i32) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %n = array.dim %xss, 0 : [n][m]i32
    %m = array.dim %xss, 1 : [n][m]i32
    %is = array.iota %n : [n]index
    %last = arith.subi %n, %one : index
    %diagonal = array.map (%i in %is : [n]index) {
      %back = arith.subi %last, %i : index
      %share = arith.divsi %back, %n : index
      %row = array.index %xss[%back] : [n][m]i32
      %sum = scf.for %j = %zero to %m step %one iter_args(%acc = %share) -> (index) {
        %x = array.index %row[%j] : [m]i32
        %y = arith.index_cast %x : i32 to index
        %next = arith.addi %acc, %y : index
        scf.yield %next : index
      }
      %s = arith.index_cast %sum : index to i32
      array.yield %s : i32
    }
    %count = arith.muli %m, %n : index
    %flat = array.reshape %xss, [%count] : [n][m]i32 -> [?]i32
    %end = array.index %four[%three] : [4]i32
    func.return %diagonal, %flat, %end : !array.array<[n]i32>, !array.array<[?]i32>, i32
  }
}

// pass: builtin.module(int-range-optimizations)
// upstream: --int-range-optimizations
// Bits that all numbers of a range share, quotients and remainders of ranges, shifts to the left, narrowing.
module {
  func.func @shared_bits(%x: i32) -> (i1, i1, i1) {
    %c32 = arith.constant 32 : i32
    %c3 = arith.constant 3 : i32
    %c35 = arith.constant 35 : i32
    %c48 = arith.constant 48 : i32
    %c16 = arith.constant 16 : i32
    %c19 = arith.constant 19 : i32
    %a = arith.maxui %x, %c32 : i32
    %b = arith.minui %a, %c35 : i32
    %and = arith.andi %b, %c48 : i32
    %is = arith.cmpi eq, %and, %c32 : i32
    %or = arith.ori %b, %c16 : i32
    %above = arith.cmpi uge, %or, %c48 : i32
    %xor = arith.xori %b, %c48 : i32
    %below = arith.cmpi ule, %xor, %c19 : i32
    return %is, %above, %below : i1, i1, i1
  }
  func.func @all_hold(%n: index) -> i1 {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%so = %true) -> (i1) {
      %in = arith.cmpi ult, %i, %c9 : index
      %both = arith.andi %so, %in : i1
      scf.yield %both : i1
    }
    return %r : i1
  }
  func.func @quotients(%x: index) -> (i1, i1, i1) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c20 = arith.constant 20 : index
    %c22 = arith.constant 22 : index
    %c16 = arith.constant 16 : index
    %cm30 = arith.constant -30 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %d = arith.andi %x, %c3 : index
    %q = arith.divui %c9, %d : index
    %some = arith.cmpi uge, %q, %c3 : index
    %l = arith.maxui %x, %c20 : index
    %m = arith.minui %l, %c22 : index
    %r = arith.remui %m, %c16 : index
    %low = arith.cmpi ule, %r, %c6 : index
    %s = arith.remsi %m, %cm30 : index
    %same = arith.cmpi uge, %s, %c20 : index
    return %some, %low, %same : i1, i1, i1
  }
  func.func @shifted(%x: i32, %c: i1) -> (i1, i1) {
    %cm2 = arith.constant -2 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %cm16 = arith.constant -16 : i32
    %c24 = arith.constant 24 : i32
    %a = arith.maxsi %x, %cm2 : i32
    %b = arith.minsi %a, %c3 : i32
    %n = arith.select %c, %c1, %c3 : i32
    %s = arith.shli %b, %n : i32
    %low = arith.cmpi sge, %s, %cm16 : i32
    %high = arith.cmpi sle, %s, %c24 : i32
    return %low, %high : i1, i1
  }
  func.func @narrowed(%x: i16) -> i1 {
    %low = arith.constant 1030 : i16
    %high = arith.constant 1040 : i16
    %c6 = arith.constant 6 : i8
    %a = arith.maxui %x, %low : i16
    %b = arith.minui %a, %high : i16
    %t = arith.trunci %b : i16 to i8
    %r = arith.cmpi sge, %t, %c6 : i8
    return %r : i1
  }
  func.func @product_beyond_two_words(%x: i8) -> i1 {
    %minus = arith.constant -1 : i64
    %most = arith.constant 128 : i64
    %wide = arith.extsi %x : i8 to i64
    %product = arith.muli %wide, %minus : i64
    %below = arith.cmpi sle, %product, %most : i64
    return %below : i1
  }
}
// ===== expected
builtin.module {
  func.func @shared_bits(%x: i32) -> (i1, i1, i1) {
    %true = arith.constant true
    func.return %true, %true, %true : i1, i1, i1
  }
  func.func @all_hold(%n: index) -> i1 {
    %true = arith.constant true
    func.return %true : i1
  }
  func.func @quotients(%x: index) -> (i1, i1, i1) {
    %true = arith.constant true
    func.return %true, %true, %true : i1, i1, i1
  }
  func.func @shifted(%x: i32, %c: i1) -> (i1, i1) {
    %true = arith.constant true
    func.return %true, %true : i1, i1
  }
  func.func @narrowed(%x: i16) -> i1 {
    %true = arith.constant true
    func.return %true : i1
  }
  func.func @product_beyond_two_words(%x: i8) -> i1 {
    %true = arith.constant true
    func.return %true : i1
  }
}

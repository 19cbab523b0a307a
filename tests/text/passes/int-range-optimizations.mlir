// pass: builtin.module(int-range-optimizations)
// upstream: --int-range-optimizations
// Comparisons that come out one way, remainders that change nothing, by bounds of loops, masks and casts.
module {
  func.func private @use(i1)
  func.func private @index(index)
  func.func @loop(%n: index) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %below = arith.cmpi slt, %i, %c8 : index
      %above = arith.cmpi sge, %i, %c0 : index
      %open = arith.cmpi slt, %i, %n : index
      %r = arith.remui %i, %c8 : index
      func.call @use(%below) : (i1) -> ()
      func.call @use(%above) : (i1) -> ()
      func.call @use(%open) : (i1) -> ()
      func.call @index(%r) : (index) -> ()
    }
    return
  }
  func.func @masks(%x: i32) -> (i1, i1, i1) {
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c3 = arith.constant 3 : i32
    %m = arith.andi %x, %c7 : i32
    %a = arith.cmpi ult, %m, %c8 : i32
    %s = arith.addi %m, %c3 : i32
    %b = arith.cmpi ult, %s, %c8 : i32
    %z = arith.shrui %m, %c3 : i32
    %c = arith.cmpi eq, %z, %c8 : i32
    return %a, %b, %c : i1, i1, i1
  }
  func.func @casts(%x: i8) -> (i1, i1) {
    %c128 = arith.constant 128 : i32
    %w = arith.extsi %x : i8 to i32
    %u = arith.extui %x : i8 to i32
    %a = arith.cmpi slt, %w, %c128 : i32
    %b = arith.cmpi slt, %u, %c128 : i32
    return %a, %b : i1, i1
  }
}
// ===== expected
builtin.module {
  func.func private @use(i1)
  func.func private @index(index)
  func.func @loop(%n: index) {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %open = arith.cmpi slt, %i, %n : index
      func.call @use(%true) : (i1) -> ()
      func.call @use(%true) : (i1) -> ()
      func.call @use(%open) : (i1) -> ()
      func.call @index(%i) : (index) -> ()
    }
    func.return
  }
  func.func @masks(%x: i32) -> (i1, i1, i1) {
    %true = arith.constant true
    %false = arith.constant false
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c3 = arith.constant 3 : i32
    %m = arith.andi %x, %c7 : i32
    %s = arith.addi %m, %c3 : i32
    %b = arith.cmpi ult, %s, %c8 : i32
    func.return %true, %b, %false : i1, i1, i1
  }
  func.func @casts(%x: i8) -> (i1, i1) {
    %true = arith.constant true
    %c128 = arith.constant 128 : i32
    %u = arith.extui %x : i8 to i32
    %b = arith.cmpi slt, %u, %c128 : i32
    func.return %true, %b : i1, i1
  }
}

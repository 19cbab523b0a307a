// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Upstream's canonical forms of arith: constants gathered and on the right, negations, selections, conversions of
// conversions, flags that both ops have, poison.
module {
  func.func @gathered(%x: i32) -> (i32, i32, i32, i32, i32) {
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %a = arith.addi %x, %c3 : i32
    %b = arith.addi %a, %c4 : i32
    %c = arith.subi %c3, %x : i32
    %d = arith.addi %c4, %c : i32
    %e = arith.subi %a, %c4 : i32
    %f = arith.subi %c4, %c : i32
    %g = arith.muli %x, %c3 : i32
    %h = arith.muli %c4, %g : i32
    return %b, %d, %e, %f, %h : i32, i32, i32, i32, i32
  }
  func.func @flags(%x: i32) -> (i32, i32) {
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %a = arith.addi %x, %c3 overflow<nsw> : i32
    %b = arith.addi %a, %c4 overflow<nsw> : i32
    %c = arith.addi %a, %c4 : i32
    return %b, %c : i32, i32
  }
  func.func @cancelled(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
    %a = arith.addi %y, %x : i32
    %b = arith.subi %a, %y : i32
    %c = arith.xori %y, %x : i32
    %d = arith.xori %y, %c : i32
    %e = arith.andi %x, %y : i32
    %f = arith.andi %y, %e : i32
    %m = arith.constant -1 : i32
    %n = arith.xori %x, %m : i32
    %o = arith.ori %n, %x : i32
    %p = arith.subi %x, %y : i32
    %q = arith.subi %p, %x : i32
    return %b, %d, %f, %o, %q : i32, i32, i32, i32, i32
  }
  func.func @quotients(%x: index, %y: index) -> (index, index) {
    %a = arith.muli %x, %y overflow<nuw> : index
    %b = arith.divui %a, %x : index
    %c = arith.muli %x, %y overflow<nsw> : index
    %d = arith.divsi %c, %y : index
    return %b, %d : index, index
  }
  func.func @comparisons(%x: i64, %b: i1, %s: i8, %t: i8) -> (i1, i1, i1, i1, i1, i1) {
    %c5 = arith.constant 5 : i64
    %c0 = arith.constant 0 : i64
    %false = arith.constant false
    %true = arith.constant true
    %a = arith.cmpi slt, %c5, %x : i64
    %d = arith.cmpi uge, %c5, %x : i64
    %w = arith.extui %b : i1 to i64
    %e = arith.cmpi ne, %w, %c0 : i64
    %f = arith.cmpi ne, %false, %b : i1
    %g = arith.extsi %s : i8 to i32
    %h = arith.extsi %t : i8 to i32
    %i = arith.cmpi eq, %g, %h : i32
    %j = arith.xori %a, %true : i1
    return %a, %d, %e, %f, %i, %j : i1, i1, i1, i1, i1, i1
  }
  func.func @selections(%c: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32, i32, i32, i1, i1, i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.xori %c, %true : i1
    %a = arith.select %n, %x, %y : i32
    %b = arith.select %c, %x, %y : i32
    %d = arith.select %c, %b, %z : i32
    %e = arith.select %c, %c1, %c0 : i32
    %f = arith.select %c, %c0, %c1 : i32
    %g = arith.select %c, %true, %false : i1
    %h = arith.select %c, %false, %true : i1
    %i = arith.cmpi eq, %x, %y : i32
    %j = arith.select %i, %x, %y : i32
    return %a, %d, %e, %f, %g, %h, %j : i32, i32, i32, i32, i1, i1, i32
  }
  func.func @selected_elements() -> vector<3xi32> {
    %c = arith.constant dense<[true, false, true]> : vector<3xi1>
    %a = arith.constant dense<[1, 2, 3]> : vector<3xi32>
    %b = arith.constant dense<[4, 5, 6]> : vector<3xi32>
    %d = arith.select %c, %a, %b : vector<3xi1>, vector<3xi32>
    return %d : vector<3xi32>
  }
  func.func @conversions(%x: i8, %y: i32, %i: index, %z: i16) -> (i64, i64, i8, i16, i4, i32, index, i16, f16) {
    %a = arith.extsi %x : i8 to i16
    %b = arith.extsi %a : i16 to i64
    %c = arith.extui %x : i8 to i16
    %d = arith.extsi %c : i16 to i64
    %e = arith.trunci %a : i16 to i8
    %f = arith.extsi %x : i8 to i32
    %g = arith.trunci %f : i32 to i16
    %h = arith.trunci %a : i16 to i4
    %j = arith.index_cast %y : i32 to index
    %k = arith.index_cast %j : index to i32
    %l = arith.index_cast %f : i32 to index
    %m = arith.bitcast %z : i16 to bf16
    %n = arith.bitcast %m : bf16 to i16
    %o = arith.bitcast %m : bf16 to f16
    return %b, %d, %e, %g, %h, %k, %l, %n, %o : i64, i64, i8, i16, i4, i32, index, i16, f16
  }
  func.func @extended_bits(%x: i8, %y: i8) -> (i32, i32) {
    %a = arith.extui %x : i8 to i32
    %b = arith.extui %y : i8 to i32
    %c = arith.andi %a, %b : i32
    %d = arith.extsi %x : i8 to i32
    %e = arith.extsi %y : i8 to i32
    %f = arith.xori %d, %e : i32
    return %c, %f : i32, i32
  }
  func.func @floats(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, i1) {
    %n = arith.negf %x : f32
    %m = arith.negf %y : f32
    %a = arith.mulf %n, %m : f32
    %b = arith.divf %n, %m fastmath<arcp> : f32
    %c = arith.negf %n : f32
    %d = arith.maximumf %x, %x : f32
    %inf = arith.constant 0x7F800000 : f32
    %e = arith.minimumf %x, %inf : f32
    %nan = arith.constant 0x7FC00000 : f32
    %f = arith.cmpf ult, %x, %nan : f32
    return %a, %b, %c, %d, %e, %f : f32, f32, f32, f32, f32, i1
  }
  func.func @wide(%x: i128) -> (i128, i128) {
    %c0 = arith.constant 0 : i128
    %a = arith.addi %x, %c0 : i128
    %b = arith.subi %x, %x : i128
    return %a, %b : i128, i128
  }
}
// ===== expected
builtin.module {
  func.func @gathered(%x: i32) -> (i32, i32, i32, i32, i32) {
    %c7_i32 = arith.constant 7 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c12_i32 = arith.constant 12 : i32
    %0 = arith.addi %x, %c7_i32 : i32
    %1 = arith.subi %c7_i32, %x : i32
    %2 = arith.addi %x, %c-1_i32 : i32
    %3 = arith.addi %x, %c1_i32 : i32
    %4 = arith.muli %x, %c12_i32 : i32
    func.return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
  }
  func.func @flags(%x: i32) -> (i32, i32) {
    %c7_i32 = arith.constant 7 : i32
    %0 = arith.addi %x, %c7_i32 overflow<nsw> : i32
    %1 = arith.addi %x, %c7_i32 : i32
    func.return %0, %1 : i32, i32
  }
  func.func @cancelled(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %e = arith.andi %x, %y : i32
    %0 = arith.subi %c0_i32, %y : i32
    func.return %x, %x, %e, %c-1_i32, %0 : i32, i32, i32, i32, i32
  }
  func.func @quotients(%x: index, %y: index) -> (index, index) {
    func.return %y, %x : index, index
  }
  func.func @comparisons(%x: i64, %b: i1, %s: i8, %t: i8) -> (i1, i1, i1, i1, i1, i1) {
    %c5 = arith.constant 5 : i64
    %0 = arith.cmpi sgt, %x, %c5 : i64
    %1 = arith.cmpi ule, %x, %c5 : i64
    %2 = arith.cmpi eq, %s, %t : i8
    %3 = arith.cmpi sle, %x, %c5 : i64
    func.return %0, %1, %b, %b, %2, %3 : i1, i1, i1, i1, i1, i1
  }
  func.func @selections(%c: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32, i32, i32, i1, i1, i32) {
    %true = arith.constant true
    %0 = arith.select %c, %y, %x : i32
    %1 = arith.select %c, %x, %z : i32
    %2 = arith.extui %c : i1 to i32
    %3 = arith.xori %c, %true : i1
    %4 = arith.extui %3 : i1 to i32
    %5 = arith.xori %c, %true : i1
    func.return %0, %1, %2, %4, %c, %5, %y : i32, i32, i32, i32, i1, i1, i32
  }
  func.func @selected_elements() -> vector<3xi32> {
    %cst = arith.constant dense<[1, 5, 3]> : vector<3xi32>
    func.return %cst : vector<3xi32>
  }
  func.func @conversions(%x: i8, %y: i32, %i: index, %z: i16) -> (i64, i64, i8, i16, i4, i32, index, i16, f16) {
    %0 = arith.extsi %x : i8 to i64
    %1 = arith.extui %x : i8 to i64
    %2 = arith.extsi %x : i8 to i16
    %3 = arith.trunci %x : i8 to i4
    %4 = arith.index_cast %x : i8 to index
    %5 = arith.bitcast %z : i16 to f16
    func.return %0, %1, %x, %2, %3, %y, %4, %z, %5 : i64, i64, i8, i16, i4, i32, index, i16, f16
  }
  func.func @extended_bits(%x: i8, %y: i8) -> (i32, i32) {
    %0 = arith.andi %x, %y : i8
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.xori %x, %y : i8
    %3 = arith.extsi %2 : i8 to i32
    func.return %1, %3 : i32, i32
  }
  func.func @floats(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, i1) {
    %true = arith.constant true
    %0 = arith.mulf %x, %y : f32
    %1 = arith.divf %x, %y fastmath<arcp> : f32
    func.return %0, %1, %x, %x, %x, %true : f32, f32, f32, f32, f32, i1
  }
  func.func @wide(%x: i128) -> (i128, i128) {
    %c0_i128 = arith.constant 0 : i128
    func.return %x, %c0_i128 : i128, i128
  }
}

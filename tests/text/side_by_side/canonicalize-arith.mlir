// side-by-side: builtin.module(canonicalize)
// upstream: --canonicalize
// Constants that meet, flags, comparisons, selects, casts, extended and bit-wise arithmetic, floats, poison.
func.func @add_chain(%x: i32) -> (i32, i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = arith.addi %x, %c1 : i32
  %b = arith.addi %a, %c2 : i32
  %c = arith.subi %a, %c2 : i32
  %d = arith.subi %c2, %a : i32
  %e = arith.subi %x, %c1 : i32
  %f = arith.addi %e, %c2 : i32
  return %b, %c, %d, %f : i32, i32, i32, i32
}
// -----
func.func @sub_chains(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %a = arith.subi %c5, %x : i32
  %b = arith.addi %a, %c7 : i32
  %c = arith.subi %a, %c7 : i32
  %d = arith.subi %c7, %a : i32
  %e = arith.addi %x, %y : i32
  %f = arith.subi %e, %x : i32
  %g = arith.subi %x, %e : i32
  return %b, %c, %d, %f, %g : i32, i32, i32, i32, i32
}
// -----
func.func @neg_mul(%x: i32, %y: i32) -> (i32, i32, i32) {
  %m1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %a = arith.muli %x, %m1 : i32
  %b = arith.addi %y, %a : i32
  %c = arith.subi %y, %a : i32
  %d = arith.subi %c0, %x : i32
  %e = arith.addi %d, %y : i32
  return %b, %c, %e : i32, i32, i32
}
// -----
func.func @selects(%c: i1, %x: i32, %y: i32, %d: i1) -> (i32, i32, i1, i1, i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %n = arith.xori %c, %true : i1
  %a = arith.select %n, %x, %y : i32
  %b = arith.select %c, %x, %x : i32
  %e = arith.select %c, %true, %false : i1
  %f = arith.select %c, %false, %true : i1
  %g0 = arith.select %d, %x, %y : i32
  %g = arith.select %c, %g0, %y : i32
  %h0 = arith.select %c, %x, %y : i32
  %h = arith.select %c, %h0, %x : i32
  return %a, %b, %e, %f, %g, %h : i32, i32, i1, i1, i32, i32
}
// -----
func.func @select_cmp(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %e = arith.cmpi eq, %x, %y : i32
  %n = arith.cmpi ne, %x, %y : i32
  %a = arith.select %e, %x, %y : i32
  %b = arith.select %e, %y, %x : i32
  %c = arith.select %n, %x, %y : i32
  %d = arith.select %n, %y, %x : i32
  return %a, %b, %c, %d : i32, i32, i32, i32
}
// -----
func.func @select_ext(%c: i1) -> (i32, i64, i8, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %l1 = arith.constant 1 : i64
  %l0 = arith.constant 0 : i64
  %b0 = arith.constant 0 : i8
  %b1 = arith.constant -1 : i8
  %a = arith.select %c, %c1, %c0 : i32
  %b = arith.select %c, %l0, %l1 : i64
  %d = arith.select %c, %b1, %b0 : i8
  %e = arith.select %c, %c0, %c1 : i32
  %f = arith.select %c, %m1, %c0 : i32
  return %a, %b, %d, %e, %f : i32, i64, i8, i32, i32
}
// -----
func.func @cmps(%x: i32, %y: i32, %u: i8) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %a = arith.cmpi slt, %x, %x : i32
  %b = arith.cmpi uge, %x, %x : i32
  %c = arith.cmpi sgt, %c5, %x : i32
  %d = arith.cmpi ult, %x, %c0 : i32
  %e = arith.cmpi uge, %x, %c0 : i32
  %z = arith.extui %u : i8 to i32
  %f = arith.cmpi eq, %z, %c5 : i32
  %s = arith.extsi %u : i8 to i32
  %g = arith.cmpi slt, %s, %c5 : i32
  %w = arith.extui %u : i8 to i32
  %h = arith.cmpi ult, %w, %z : i32
  return %a, %b, %c, %d, %e, %f, %g, %h : i1, i1, i1, i1, i1, i1, i1, i1
}
// -----
func.func @cmp_bool(%c: i1, %x: i32) -> (i1, i1, i1, i1, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %a = arith.cmpi eq, %c, %true : i1
  %b = arith.cmpi ne, %c, %false : i1
  %d = arith.cmpi eq, %c, %false : i1
  %e = arith.cmpi ne, %c, %true : i1
  %k = arith.constant 3 : i32
  %f0 = arith.cmpi slt, %x, %k : i32
  %f = arith.xori %f0, %true : i1
  %g0 = arith.cmpi eq, %x, %k : i32
  %g = arith.xori %true, %g0 : i1
  return %a, %b, %d, %e, %f, %g : i1, i1, i1, i1, i1, i1
}
// -----
func.func @cmp_ext_bool(%c: i1, %x: i1) -> (i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %z = arith.extui %c : i1 to i32
  %s = arith.extsi %x : i1 to i32
  %a = arith.cmpi ne, %z, %c0 : i32
  %b = arith.cmpi eq, %s, %m1 : i32
  %d = arith.cmpi eq, %z, %c1 : i32
  return %a, %b, %d : i1, i1, i1
}
// -----
func.func @exts(%x: i8, %y: i32, %z: i1) -> (i64, i64, i16, i8, i32, i8, i1) {
  %a0 = arith.extui %x : i8 to i16
  %a = arith.extui %a0 : i16 to i64
  %b0 = arith.extsi %x : i8 to i32
  %b = arith.extsi %b0 : i32 to i64
  %c0 = arith.extsi %x : i8 to i64
  %c = arith.trunci %c0 : i64 to i16
  %d = arith.trunci %a0 : i16 to i8
  %e0 = arith.extui %x : i8 to i16
  %e = arith.extsi %e0 : i16 to i32
  %f0 = arith.trunci %y : i32 to i16
  %f = arith.trunci %f0 : i16 to i8
  %g0 = arith.extui %z : i1 to i8
  %g = arith.trunci %g0 : i8 to i1
  return %a, %b, %c, %d, %e, %f, %g : i64, i64, i16, i8, i32, i8, i1
}
// -----
func.func @bit_ops_of_exts(%x: i8, %y: i8, %c: i1, %d: i1) -> (i32, i32, i32, i32) {
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %r = arith.andi %a, %b : i32
  %e = arith.extsi %x : i8 to i32
  %f = arith.extsi %y : i8 to i32
  %s = arith.ori %e, %f : i32
  %t = arith.xori %a, %b : i32
  %g = arith.extui %c : i1 to i32
  %h = arith.extui %d : i1 to i32
  %u = arith.andi %g, %h : i32
  return %r, %s, %t, %u : i32, i32, i32, i32
}
// -----
func.func @logic(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %c12 = arith.constant 12 : i32
  %c10 = arith.constant 10 : i32
  %a0 = arith.andi %x, %c12 : i32
  %a = arith.andi %a0, %c10 : i32
  %b0 = arith.ori %x, %c12 : i32
  %b = arith.ori %b0, %c10 : i32
  %c = arith.xori %x, %x : i32
  %d0 = arith.xori %x, %m1 : i32
  %d = arith.andi %x, %d0 : i32
  %e = arith.ori %d0, %x : i32
  %f = arith.andi %x, %x : i32
  %g0 = arith.andi %x, %y : i32
  %g = arith.andi %g0, %x : i32
  %h = arith.xori %d0, %m1 : i32
  return %a, %b, %c, %d, %e, %f, %g, %h : i32, i32, i32, i32, i32, i32, i32, i32
}
// -----
func.func @shifts(%x: i32) -> (i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %a = arith.shli %x, %c0 : i32
  %b = arith.shrui %x, %c0 : i32
  %c = arith.shrsi %c0, %x : i32
  %d = arith.shli %c3, %c3 : i32
  %e = arith.shrui %x, %c32 : i32
  return %a, %b, %c, %d, %e : i32, i32, i32, i32, i32
}
// -----
func.func @divs(%x: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %min = arith.constant -2147483648 : i32
  %a = arith.divsi %x, %c1 : i32
  %b = arith.divui %x, %c1 : i32
  %c = arith.remsi %x, %c1 : i32
  %d = arith.remui %x, %c1 : i32
  %e = arith.divsi %min, %m1 : i32
  %f = arith.ceildivsi %x, %c1 : i32
  %g = arith.floordivsi %x, %c1 : i32
  %h = arith.divsi %x, %c0 : i32
  return %a, %b, %c, %d, %e, %f, %g, %h : i32, i32, i32, i32, i32, i32, i32, i32
}
// -----
func.func @minmax(%x: i32, %f: f32) -> (i32, i32, i32, i32, i32, f32, f32, f32) {
  %min = arith.constant -2147483648 : i32
  %max = arith.constant 2147483647 : i32
  %m1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %a = arith.maxsi %x, %min : i32
  %b = arith.minsi %x, %max : i32
  %c = arith.maxui %x, %m1 : i32
  %d = arith.minui %x, %c0 : i32
  %e = arith.maxsi %x, %x : i32
  %g = arith.maximumf %f, %f : f32
  %h = arith.minimumf %f, %inf : f32
  %i = arith.maxnumf %f, %ninf : f32
  return %a, %b, %c, %d, %e, %g, %h, %i : i32, i32, i32, i32, i32, f32, f32, f32
}
// -----
func.func @floats(%x: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
  %nz = arith.constant -0.0 : f32
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = arith.addf %x, %nz : f32
  %b = arith.addf %x, %z : f32
  %c = arith.subf %x, %z : f32
  %d = arith.subf %x, %nz : f32
  %e = arith.mulf %x, %one : f32
  %f = arith.divf %x, %one : f32
  %g0 = arith.negf %x : f32
  %g = arith.negf %g0 : f32
  %h = arith.mulf %x, %z : f32
  return %a, %b, %c, %d, %e, %f, %g, %h : f32, f32, f32, f32, f32, f32, f32, f32
}
// -----
func.func @cmpf(%x: f32, %y: f64) -> (i1, i1, i1, i1, i1) {
  %nan = arith.constant 0x7FC00000 : f32
  %a = arith.cmpf oeq, %x, %nan : f32
  %b = arith.cmpf ueq, %x, %nan : f32
  %c = arith.cmpf true, %x, %x : f32
  %d = arith.cmpf false, %x, %x : f32
  %e = arith.cmpf ord, %x, %x : f32
  return %a, %b, %c, %d, %e : i1, i1, i1, i1, i1
}
// -----
func.func @cmpf_of_ints(%i: i8, %u: i16) -> (i1, i1, i1, i1) {
  %f = arith.sitofp %i : i8 to f32
  %g = arith.uitofp %u : i16 to f64
  %k = arith.constant 3.0 : f32
  %h = arith.constant 3.5 : f32
  %l = arith.constant 70000.0 : f64
  %a = arith.cmpf olt, %f, %k : f32
  %b = arith.cmpf oeq, %f, %h : f32
  %c = arith.cmpf ogt, %g, %l : f64
  %d = arith.cmpf uno, %f, %k : f32
  return %a, %b, %c, %d : i1, i1, i1, i1
}
// -----
func.func @fexts(%x: f16, %y: f32) -> (f64, f16, f32, f32) {
  %a0 = arith.extf %x : f16 to f32
  %a = arith.extf %a0 : f32 to f64
  %b = arith.truncf %a0 : f32 to f16
  %c0 = arith.extf %y : f32 to f64
  %c = arith.truncf %c0 : f64 to f32
  %k = arith.constant 1.5 : f64
  %d = arith.truncf %k : f64 to f32
  return %a, %b, %c, %d : f64, f16, f32, f32
}
// -----
func.func @sitofp_chain(%x: i8, %y: i1) -> (f32, f32, i32, i32) {
  %a0 = arith.extsi %x : i8 to i32
  %a = arith.sitofp %a0 : i32 to f32
  %b0 = arith.extui %x : i8 to i32
  %b = arith.uitofp %b0 : i32 to f32
  %k = arith.constant 2.7 : f32
  %c = arith.fptosi %k : f32 to i32
  %l = arith.constant -2.0 : f32
  %d = arith.fptoui %l : f32 to i32
  return %a, %b, %c, %d : f32, f32, i32, i32
}
// -----
func.func @index_casts(%i: index, %x: i32, %y: i64) -> (index, i32, index, index, i64) {
  %a0 = arith.index_cast %i : index to i64
  %a = arith.index_cast %a0 : i64 to index
  %b0 = arith.index_cast %x : i32 to index
  %b = arith.index_cast %b0 : index to i32
  %c0 = arith.extsi %x : i32 to i64
  %c = arith.index_cast %c0 : i64 to index
  %d0 = arith.extui %x : i32 to i64
  %d = arith.index_castui %d0 : i64 to index
  %e0 = arith.index_castui %y : i64 to index
  %e = arith.index_castui %e0 : index to i64
  return %a, %b, %c, %d, %e : index, i32, index, index, i64
}
// -----
func.func @bitcasts(%x: f32, %v: vector<2xi32>) -> (f32, i32, vector<2xi32>, f32) {
  %a0 = arith.bitcast %x : f32 to i32
  %a = arith.bitcast %a0 : i32 to f32
  %k = arith.constant 1.0 : f32
  %b = arith.bitcast %k : f32 to i32
  %c0 = arith.bitcast %v : vector<2xi32> to vector<2xf32>
  %c = arith.bitcast %c0 : vector<2xf32> to vector<2xi32>
  %l = arith.constant 1065353216 : i32
  %d = arith.bitcast %l : i32 to f32
  return %a, %b, %c, %d : f32, i32, vector<2xi32>, f32
}
// -----
func.func @extended(%x: i32, %y: i32) -> (i32, i1, i32, i32, i32, i32, i32, i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s, %o = arith.addui_extended %x, %c0 : i32, i1
  %l, %h = arith.mulsi_extended %x, %c1 : i32
  %l2, %h2 = arith.mului_extended %x, %c0 : i32
  %l3, %h3 = arith.mului_extended %x, %y : i32
  %k = arith.constant -1 : i32
  %s4, %o4 = arith.addui_extended %k, %c1 : i32, i1
  return %s, %o, %l, %h, %l2, %h2, %l3, %o4 : i32, i1, i32, i32, i32, i32, i32, i1
}
// -----
func.func @trunc_of_shr(%x: i16, %y: i16) -> (i16, i8) {
  %c16 = arith.constant 16 : i32
  %a = arith.extui %x : i16 to i32
  %b = arith.extui %y : i16 to i32
  %m = arith.muli %a, %b : i32
  %s = arith.shrui %m, %c16 : i32
  %t = arith.trunci %s : i32 to i16
  %u = arith.trunci %m : i32 to i8
  return %t, %u : i16, i8
}
// -----
func.func @poison(%x: i32) -> (i32, i32, i32, vector<4xi32>, i32, i1) {
  %p = ub.poison : i32
  %a = arith.addi %x, %p : i32
  %b = arith.muli %p, %x : i32
  %c = arith.ori %x, %p : i32
  %v = ub.poison : vector<4xi32>
  %t = arith.constant true
  %e = arith.select %t, %p, %x : i32
  %f = arith.cmpi slt, %x, %p : i32
  return %a, %b, %c, %v, %e, %f : i32, i32, i32, vector<4xi32>, i32, i1
}
// -----
func.func @splats(%x: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>, vector<4xi64>) {
  %k = arith.constant dense<3> : vector<4xi32>
  %z = arith.constant dense<0> : vector<4xi32>
  %d = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %a = arith.addi %k, %d : vector<4xi32>
  %b = arith.muli %x, %z : vector<4xi32>
  %c = arith.cmpi slt, %k, %d : vector<4xi32>
  %e = arith.select %c, %k, %d : vector<4xi1>, vector<4xi32>
  %f = arith.extsi %d : vector<4xi32> to vector<4xi64>
  return %a, %b, %c, %e, %f : vector<4xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>, vector<4xi64>
}
// -----
func.func @math(%x: f32, %i: i32) -> (f32, f32, i32, i32, f32, f32, i32, f32) {
  %k = arith.constant 4.0 : f32
  %a = math.sqrt %k : f32
  %one = arith.constant 1.0 : f32
  %b = math.powf %x, %one : f32
  %c5 = arith.constant 5 : i32
  %c = math.ctpop %c5 : i32
  %d = math.ctlz %c5 : i32
  %e0 = math.absf %x : f32
  %e = math.absf %e0 : f32
  %f = math.exp2 %k : f32
  %m = arith.constant -5 : i32
  %g = math.absi %m : i32
  %h = math.floor %k : f32
  return %a, %b, %c, %d, %e, %f, %g, %h : f32, f32, i32, i32, f32, f32, i32, f32
}

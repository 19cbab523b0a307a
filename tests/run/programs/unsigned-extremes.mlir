// run
// Least and largest of unsigned numbers of all widths, whole, in rows and in bins, with the top bit set.
// inputs: [-1, 0, 127, -128]; [-1, 5, 32767, -32768]; [-1, 9223372036854775807, -9223372036854775808, 3]
// inputs: random:N; random:N; random:N where N = 0 1 33 700
// numpy: r = []
// numpy: for v in (xs, ys, zs):
// numpy:     v = v - v.dtype.type(50)
// numpy:     u = v.view("u" + v.dtype.name)
// numpy:     b = np.zeros(3, u.dtype)
// numpy:     np.maximum.at(b, np.arange(len(u)) % 3, u)
// numpy:     r += [u.max(initial=0).view(v.dtype) if len(u) else v.dtype.type(0), u.min(initial=np.iinfo(u.dtype).max).view(v.dtype) if len(u) else v.dtype.type(-1), np.maximum.accumulate(u).view(v.dtype), b.view(v.dtype)]
// numpy: tuple(r)
// structure: kernel.seghist 1, kernel.segmap 3, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segmap 3, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i8>, %ys: !array.array<[n]i16>, %zs: !array.array<[n]i64>) -> (i8, i8, !array.array<[n]i8>, !array.array<[3]i8>, i16, i16, !array.array<[n]i16>, !array.array<[3]i16>, i64, i64, !array.array<[n]i64>, !array.array<[3]i64>) {
  %c50_i8 = arith.constant 50 : i8
  %c0_i8 = arith.constant 0 : i8
  %m1_i8 = arith.constant -1 : i8
  %c3 = arith.constant 3 : index
  %c50_i16 = arith.constant 50 : i16
  %c0_i16 = arith.constant 0 : i16
  %m1_i16 = arith.constant -1 : i16
  %c50_i64 = arith.constant 50 : i64
  %c0_i64 = arith.constant 0 : i64
  %m1_i64 = arith.constant -1 : i64
  %0 = array.dim %xs, 0 : [n]i8
  %1 = array.iota %0 : [n]index
  %3 = array.map (%x in %xs : [n]i8) {
    %2 = arith.subi %x, %c50_i8 : i8
    array.yield %2 : i8
  }
  %5 = array.reduce (%3 : [n]i8) init (%c0_i8 : i8) combine (%a, %b) {
    %4 = arith.maxui %a, %b : i8
    array.yield %4 : i8
  }
  %7 = array.reduce (%3 : [n]i8) init (%m1_i8 : i8) combine (%a_1, %b_1) {
    %6 = arith.minui %a_1, %b_1 : i8
    array.yield %6 : i8
  }
  %9 = array.scan (%3 : [n]i8) init (%c0_i8 : i8) combine (%a_2, %b_2) {
    %8 = arith.maxui %a_2, %b_2 : i8
    array.yield %8 : i8
  }
  %10 = array.replicate %c0_i8, [%c3] : i8 -> [3]i8
  %13 = array.hist (%i in %1 : [n]index, %x_1 in %3 : [n]i8) into (%10 : [3]i8) neutral (%c0_i8 : i8) map {
    %11 = arith.remui %i, %c3 : index
    array.yield %11, %x_1 : index, i8
  } combine (%a_3, %b_3) {
    %12 = arith.maxui %a_3, %b_3 : i8
    array.yield %12 : i8
  }
  %15 = array.map (%x_2 in %ys : [n]i16) {
    %14 = arith.subi %x_2, %c50_i16 : i16
    array.yield %14 : i16
  }
  %17 = array.reduce (%15 : [n]i16) init (%c0_i16 : i16) combine (%a_4, %b_4) {
    %16 = arith.maxui %a_4, %b_4 : i16
    array.yield %16 : i16
  }
  %19 = array.reduce (%15 : [n]i16) init (%m1_i16 : i16) combine (%a_5, %b_5) {
    %18 = arith.minui %a_5, %b_5 : i16
    array.yield %18 : i16
  }
  %21 = array.scan (%15 : [n]i16) init (%c0_i16 : i16) combine (%a_6, %b_6) {
    %20 = arith.maxui %a_6, %b_6 : i16
    array.yield %20 : i16
  }
  %22 = array.replicate %c0_i16, [%c3] : i16 -> [3]i16
  %25 = array.hist (%i_1 in %1 : [n]index, %x_3 in %15 : [n]i16) into (%22 : [3]i16) neutral (%c0_i16 : i16) map {
    %23 = arith.remui %i_1, %c3 : index
    array.yield %23, %x_3 : index, i16
  } combine (%a_7, %b_7) {
    %24 = arith.maxui %a_7, %b_7 : i16
    array.yield %24 : i16
  }
  %27 = array.map (%x_4 in %zs : [n]i64) {
    %26 = arith.subi %x_4, %c50_i64 : i64
    array.yield %26 : i64
  }
  %29 = array.reduce (%27 : [n]i64) init (%c0_i64 : i64) combine (%a_8, %b_8) {
    %28 = arith.maxui %a_8, %b_8 : i64
    array.yield %28 : i64
  }
  %31 = array.reduce (%27 : [n]i64) init (%m1_i64 : i64) combine (%a_9, %b_9) {
    %30 = arith.minui %a_9, %b_9 : i64
    array.yield %30 : i64
  }
  %33 = array.scan (%27 : [n]i64) init (%c0_i64 : i64) combine (%a_10, %b_10) {
    %32 = arith.maxui %a_10, %b_10 : i64
    array.yield %32 : i64
  }
  %34 = array.replicate %c0_i64, [%c3] : i64 -> [3]i64
  %37 = array.hist (%i_2 in %1 : [n]index, %x_5 in %27 : [n]i64) into (%34 : [3]i64) neutral (%c0_i64 : i64) map {
    %35 = arith.remui %i_2, %c3 : index
    array.yield %35, %x_5 : index, i64
  } combine (%a_11, %b_11) {
    %36 = arith.maxui %a_11, %b_11 : i64
    array.yield %36 : i64
  }
  func.return %5, %7, %9, %13, %17, %19, %21, %25, %29, %31, %33, %37 : i8, i8, !array.array<[n]i8>, !array.array<[3]i8>, i16, i16, !array.array<[n]i16>, !array.array<[3]i16>, i64, i64, !array.array<[n]i64>, !array.array<[3]i64>
}

// run
// Bytes that wrap: a cipher by additions modulo 256, a checksum with shifts and rotations in i8 and i16.
// inputs: [127, -128, -1, 0, 5]; 3
// inputs: random:N; K where N = 0 1 33 1000; K = -128 77
// numpy: code = ((text.astype(np.int64) + int(key)) % 256).astype(np.uint8).view(np.int8)
// numpy: s = 0
// numpy: for c in code.view(np.uint8):
// numpy:     s = (s + int(c)) & 0xffff
// numpy: x = 0
// numpy: for i, c in enumerate(code.view(np.uint8)):
// numpy:     r = i % 8
// numpy:     x ^= ((int(c) << r) | (int(c) >> (8 - r))) & 0xff
// numpy: code, np.int16(np.uint16(s).view(np.int16)), np.uint8(x).view(np.int8)
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%text: !array.array<[n]i8>, %key: i8) -> (!array.array<[n]i8>, i16, i8) {
  %c0_i16 = arith.constant 0 : i16
  %c8 = arith.constant 8 : index
  %c8_i8 = arith.constant 8 : i8
  %c0_i8 = arith.constant 0 : i8
  %c1_i8 = arith.constant 1 : i8
  %0 = array.dim %text, 0 : [n]i8
  %1 = array.iota %0 : [n]index
  %3 = array.map (%c in %text : [n]i8) {
    %2 = arith.addi %c, %key : i8
    array.yield %2 : i8
  }
  %6 = array.redomap (%c_1 in %3 : [n]i8) init (%c0_i16 : i16) map {
    %4 = arith.extui %c_1 : i8 to i16
    array.yield %4 : i16
  } combine (%a, %b) {
    %5 = arith.addi %a, %b : i16
    array.yield %5 : i16
  }
  %17 = array.redomap (%c_2 in %3 : [n]i8, %i in %1 : [n]index) init (%c0_i8 : i8) map {
    %7 = arith.remui %i, %c8 : index
    %8 = arith.index_cast %7 : index to i8
    %9 = arith.shli %c_2, %8 : i8
    %10 = arith.subi %c8_i8, %8 : i8
    %11 = arith.cmpi eq, %8, %c0_i8 : i8
    %12 = arith.select %11, %c1_i8, %10 : i8
    %13 = arith.shrui %c_2, %12 : i8
    %14 = arith.select %11, %c0_i8, %13 : i8
    %15 = arith.ori %9, %14 : i8
    array.yield %15 : i8
  } combine (%a_1, %b_1) {
    %16 = arith.xori %a_1, %b_1 : i8
    array.yield %16 : i8
  }
  func.return %3, %6, %17 : !array.array<[n]i8>, i16, i8
}

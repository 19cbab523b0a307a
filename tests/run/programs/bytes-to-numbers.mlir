// run
// A string of bytes with numbers between spaces: which are digits, the number that each word is, and how many words
// there are.
// inputs: [49, 50, 32, 51, 32, 32, 52, 53, 54]
// inputs: random:N where N = 0 1 2 50 700
// numpy: words, number, inside = [], 0, False
// numpy: for c in text:
// numpy:     if 48 <= c <= 57:
// numpy:         number, inside = (number * 10 + int(c) - 48) % 1000, True
// numpy:     else:
// numpy:         if inside:
// numpy:             words.append(number)
// numpy:         number, inside = 0, False
// numpy: if inside:
// numpy:     words.append(number)
// numpy: np.array(words, np.int32), len(words)
// structure: kernel.segmap 1, kernel.segscan 2
// versions: kernel.segmap 1, kernel.segscan 2
func.func @main(%text: !array.array<[n]i8>) -> (!array.array<[k]i32>, i64) {
  %c48_i8 = arith.constant 48 : i8
  %c57_i8 = arith.constant 57 : i8
  %c0_i32 = arith.constant 0 : i32
  %c10_i32 = arith.constant 10 : i32
  %c1_i32 = arith.constant 1 : i32
  %c1000_i32 = arith.constant 1000 : i32
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %0 = array.dim %text, 0 : [n]i8
  %4 = array.map (%c in %text : [n]i8) {
    %1 = arith.cmpi sge, %c, %c48_i8 : i8
    %2 = arith.cmpi sle, %c, %c57_i8 : i8
    %3 = arith.andi %1, %2 : i1
    array.yield %3 : i1
  }
  %8 = array.map (%c_1 in %text : [n]i8, %d in %4 : [n]i1) {
    %5 = arith.subi %c_1, %c48_i8 : i8
    %6 = arith.extsi %5 : i8 to i32
    %7 = arith.select %d, %6, %c0_i32 : i32
    array.yield %7 : i32
  }
  %10 = array.map (%d_1 in %4 : [n]i1) {
    %9 = arith.select %d_1, %c10_i32, %c0_i32 : i32
    array.yield %9 : i32
  }
  %16, %17 = array.scan (%10 : [n]i32, %8 : [n]i32) init (%c1_i32 : i32, %c0_i32 : i32) neutral (%c1_i32 : i32, %c0_i32 : i32) combine (%p, %q, %r, %s) {
    %11 = arith.muli %p, %r : i32
    %12 = arith.remui %11, %c1000_i32 : i32
    %13 = arith.muli %q, %r : i32
    %14 = arith.addi %13, %s : i32
    %15 = arith.remui %14, %c1000_i32 : i32
    array.yield %12, %15 : i32, i32
  }
  %18 = array.iota %0 : [n]index
  %26 = array.map (%i in %18 : [n]index, %d_2 in %4 : [n]i1) {
    %19 = arith.addi %i, %c1 : index
    %20 = arith.cmpi slt, %19, %0 : index
    %25 = scf.if %20 -> (i1) {
      %21 = arith.addi %i, %c1 : index
      %22 = array.index %4[%21] : [n]i1
      %23 = arith.xori %22, %true : i1
      %24 = arith.andi %d_2, %23 : i1
      scf.yield %24 : i1
    } else {
      scf.yield %d_2 : i1
    }
    array.yield %25 : i1
  }
  %27, %28 = array.filter (%x in %17 : [n]i32, %e in %26 : [n]i1) -> [k] {
    array.yield %e : i1
  }
  %29 = array.dim %27, 0 : [k]i32
  %30 = arith.index_cast %29 : index to i64
  func.return %27, %30 : !array.array<[k]i32>, i64
}

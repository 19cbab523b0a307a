// run
// Run-length encoding: flags where a run starts, a scan that numbers runs, a histogram that counts them, a filter for
// their keys.
// inputs: [7, 7, 3, 3, 3, 7]
// inputs: random:N where N = 0 1 2 33 300
// numpy: xs = np.array(xs) // 40
// numpy: keys, lengths = [], []
// numpy: for x in xs:
// numpy:     if keys and keys[-1] == x:
// numpy:         lengths[-1] += 1
// numpy:     else:
// numpy:         keys.append(x)
// numpy:         lengths.append(1)
// numpy: np.array(keys, np.int8), np.array(lengths, np.int32)
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segscan 2
// versions: kernel.seghist 1, kernel.segmap 2, kernel.segscan 2
func.func @main(%xs: !array.array<[n]i8>) -> (!array.array<[k]i8>, !array.array<[k]i32>) {
  %c40_i8 = arith.constant 40 : i8
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %0 = array.dim %xs, 0 : [n]i8
  %2 = array.map (%x in %xs : [n]i8) {
    %1 = arith.divsi %x, %c40_i8 : i8
    array.yield %1 : i8
  }
  %3 = array.iota %0 : [n]index
  %10 = array.map (%i in %3 : [n]index) {
    %4 = arith.cmpi eq, %i, %c0 : index
    %9 = scf.if %4 -> (i1) {
      scf.yield %true : i1
    } else {
      %5 = array.index %2[%i] : [n]i8
      %6 = arith.subi %i, %c1 : index
      %7 = array.index %2[%6] : [n]i8
      %8 = arith.cmpi ne, %5, %7 : i8
      scf.yield %8 : i1
    }
    array.yield %9 : i1
  }
  %12 = array.map (%f in %10 : [n]i1) {
    %11 = arith.extui %f : i1 to i32
    array.yield %11 : i32
  }
  %14 = array.scan (%12 : [n]i32) init (%c0_i32 : i32) combine (%s, %f_1) {
    %13 = arith.addi %s, %f_1 : i32
    array.yield %13 : i32
  }
  %15, %16 = array.filter (%x_1 in %2 : [n]i8, %f_2 in %10 : [n]i1) -> [k] {
    array.yield %f_2 : i1
  }
  %17 = array.dim %15, 0 : [k]i8
  %18 = array.replicate %c0_i32, [%17] : i32 -> [k]i32
  %22 = array.hist (%i_1 in %14 : [n]i32) into (%18 : [k]i32) neutral (%c0_i32 : i32) map {
    %19 = arith.index_cast %i_1 : i32 to index
    %20 = arith.subi %19, %c1 : index
    array.yield %20, %c1_i32 : index, i32
  } combine (%a, %b) {
    %21 = arith.addi %a, %b : i32
    array.yield %21 : i32
  }
  func.return %15, %22 : !array.array<[k]i8>, !array.array<[k]i32>
}

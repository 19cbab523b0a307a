// run
// The values of a histogram are computed where there are no bins, too, and may stop the program: added by atomics in one
// way, under locks in another.
// inputs: [1, 2, 0]; 5; []; []
// error: @%q = arith.divsi@ ... 'arith.divsi' op divides by zero
// inputs: [1, 2, 4]; 5; []; []
// outputs: []; []
// inputs: [1, 2, 4]; 5; [1, 1, 1]; [1, 1, 1]
// outputs: [1, 5, 3]; [1, 8, 1]
// inputs: []; 5; []; []
// structure: kernel.seghist 2
// versions: kernel.seghist 2
func.func @main(%xs: !array.array<[n]i32>, %k: i32, %ys: !array.array<[m]i32>, %zs: !array.array<[m]i32>) -> (!array.array<[m]i32>, !array.array<[m]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = array.hist (%x in %xs : [n]i32) into (%ys : [m]i32) neutral (%zero : i32) map {
    %q = arith.divsi %k, %x : i32
    %at = arith.index_cast %q : i32 to index
    array.yield %at, %x : index, i32
  } combine (%a, %b) {
    %c = arith.addi %a, %b : i32
    array.yield %c : i32
  }
  %s = array.hist (%x in %xs : [n]i32) into (%zs : [m]i32) neutral (%one : i32) map {
    %q = arith.remsi %k, %x : i32
    %at = arith.index_cast %q : i32 to index
    array.yield %at, %x : index, i32
  } combine (%a, %b) {
    %c = arith.muli %a, %b : i32
    array.yield %c : i32
  }
  func.return %r, %s : !array.array<[m]i32>, !array.array<[m]i32>
}

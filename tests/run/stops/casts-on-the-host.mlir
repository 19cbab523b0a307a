// run
// A cast claims sizes where it stands: in the branch that is taken, and in a map where that has elements.
// inputs: [1, 2, 3]; [4, 5, 6]; true; [[1, 2]]; [[3, 4]]
// outputs: [5, 7, 9]; [11]
// inputs: [1, 2, 3]; [4, 5]; true; [[1, 2]]; [[3, 4]]
// error: @%z = array.cast@ ... 'array.cast' op claims size 3 for dimension 0, but it is 2
// inputs: [1, 2, 3]; [4, 5]; false; [[1, 2]]; [[3, 4]]
// outputs: [1, 2, 3]; [11]
// inputs: []; [4]; true; [[1, 2]]; [[3, 4]]
// error: @%z = array.cast@ ... 'array.cast' op claims size 0 for dimension 0, but it is 1
// inputs: [1]; [4]; true; [[1, 2]]; [[3, 4, 5]]
// error: @%t = array.redomap@ ... 'array.redomap' op input #0 has outer size 2, but input #1 has 3
// inputs: [1]; [4]; true; random:0x2; random:0x3
// outputs: [5]; []
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
// shapes: 2
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>, %c: i1, %xss: !array.array<[a][b]i32>, %yss: !array.array<[a][d]i32>) -> (!array.array<[n]i32>, !array.array<[a]i32>) {
  %zero = arith.constant 0 : i32
  %r = scf.if %c -> (!array.array<[n]i32>) {
    %z = array.cast %ys : [m]i32 -> [n]i32
    %s = array.map (%x in %xs : [n]i32, %y in %z : [n]i32) {
      %w = arith.addi %x, %y : i32
      array.yield %w : i32
    }
    scf.yield %s : !array.array<[n]i32>
  } else {
    scf.yield %xs : !array.array<[n]i32>
  }
  %products = array.map (%p in %xss : [a][b]i32, %q in %yss : [a][d]i32) {
    %o = array.cast %q : [d]i32 -> [?]i32
    %t = array.redomap (%x in %p : [b]i32, %y in %o : [?]i32) init (%zero : i32) map {
      %w = arith.muli %x, %y : i32
      array.yield %w : i32
    } combine (%x, %y) {
      %w = arith.addi %x, %y : i32
      array.yield %w : i32
    }
    array.yield %t : i32
  }
  func.return %r, %products : !array.array<[n]i32>, !array.array<[a]i32>
}

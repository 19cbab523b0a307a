// run
// Products of 2 x 2 matrices as arrays: the operator is no map, so a thread applies it, in memory of its own.
// inputs: [[[1, 2], [3, 4]], [[0, 1], [1, 0]], [[2, 0], [0, 3]]]
// outputs: [[4, 3], [8, 9]]; [[[1, 2], [3, 4]], [[2, 1], [4, 3]], [[4, 3], [8, 9]]]
// inputs: random:Nx2x2 where N = 0 1 31 32 33 1023 1025 5000
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n][2][2]i32>) -> (!array.array<[2][2]i32>, !array.array<[n][2][2]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : index
  %is = array.iota %two : [2]index
  %unit = array.map (%i in %is : [2]index) {
    %row = array.map (%j in %is : [2]index) {
      %same = arith.cmpi eq, %i, %j : index
      %x = arith.select %same, %one, %zero : i32
      array.yield %x : i32
    }
    array.yield %row : [2]i32
  }
  %product = array.reduce (%xs : [n][2][2]i32) init (%unit : [2][2]i32) neutral (%unit : [2][2]i32) combine (%a, %x) {
    %p = array.map (%as in %a : [2][2]i32) {
      %q = array.map (%j in %is : [2]index) {
        %s = array.redomap (%k in %is : [2]index, %l in %as : [2]i32) init (%zero : i32) map {
          %r = array.index %x[%k, %j] : [2][2]i32
          %m = arith.muli %l, %r : i32
          array.yield %m : i32
        } combine (%u, %v) {
          %w = arith.addi %u, %v : i32
          array.yield %w : i32
        }
        array.yield %s : i32
      }
      array.yield %q : [2]i32
    }
    array.yield %p : [2][2]i32
  }
  %products = array.scan (%xs : [n][2][2]i32) init (%unit : [2][2]i32) neutral (%unit : [2][2]i32) combine (%a, %x) {
    %p = array.map (%as in %a : [2][2]i32) {
      %q = array.map (%j in %is : [2]index) {
        %s = array.redomap (%k in %is : [2]index, %l in %as : [2]i32) init (%zero : i32) map {
          %r = array.index %x[%k, %j] : [2][2]i32
          %m = arith.muli %l, %r : i32
          array.yield %m : i32
        } combine (%u, %v) {
          %w = arith.addi %u, %v : i32
          array.yield %w : i32
        }
        array.yield %s : i32
      }
      array.yield %q : [2]i32
    }
    array.yield %p : [2][2]i32
  }
  func.return %product, %products : !array.array<[2][2]i32>, !array.array<[n][2][2]i32>
}

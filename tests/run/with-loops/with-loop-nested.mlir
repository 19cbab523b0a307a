// run
// With-loops inside of maps: one whose bounds are the same for all points, one whose bounds are each point's own, and a
// fold over as many indices as the point says.
// inputs: [0, 1, 2, 3, 4]; random:5xM where M = 1 8 33
// inputs: []; random:0x3
// structure: kernel.segmap 2
// versions: kernel.segmap 3
func.func @main(%ks: !array.array<[n]index>, %xss: !array.array<[n][m]i32>) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>) {
  %m = array.dim %xss, 1 : [n][m]i32
  %zero = arith.constant 0 : i32
  %a, %b, %c = array.map (%k in %ks : [n]index, %xs in %xss : [n][m]i32) {
    %odd = array.with_loop modarray (%xs : [m]i32) partition ([1] <= (%i) < [%m] step [2]) {
      array.yield %zero : i32
    }
    %end = arith.minsi %k, %m : index
    %first = array.with_loop genarray [%m] default (%zero : i32) partition ((%i) < [%end]) {
      %x = array.index %xs[%i] : [m]i32
      array.yield %x : i32
    } : [m]i32
    %sum = array.with_loop fold init (%zero : i32) partition ((%i, %j) < [%k, %end]) {
      %x = array.index %xs[%j] : [m]i32
      %p = arith.index_cast %i : index to i32
      %y = arith.muli %x, %p : i32
      array.yield %y : i32
    } combine arith.addi
    array.yield %odd, %first, %sum : [m]i32, [m]i32, i32
  }
  func.return %a, %b, %c : !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>
}

// run
// A reduction that is the same for all points, in a side of a branch that each point decides: done once, it asks no point.
// inputs: random:NxM; random:N where N = 0 1 2 5 40; M = 0 1 3 7
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 1
func.func @main(%xss: !array.array<[n][m]i32>, %xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %hundred = arith.constant 100 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.dim %xss, 0 : [n][m]i32
  %m = array.dim %xss, 1 : [n][m]i32
  %r = array.map (%row in %xss : [n][m]i32, %x in %xs : [n]i32) {
    %p = arith.cmpi sgt, %x, %zero : i32
    %y = scf.if %p -> (i32) {
      %s = array.with_loop fold init (%zero : i32) partition ([1, 0] <= (%i, %j) < [%n, %m] step [3, 2] width [1, 1]) {
        %e = array.index %xss[%i, %j] : [n][m]i32
        array.yield %e : i32
      } combine (%a, %b) {
        %sum = arith.addi %a, %b : i32
        array.yield %sum : i32
      }
      scf.yield %s : i32
    } else {
      scf.yield %x : i32
    }
    array.yield %y : i32
  }
  func.return %r : !array.array<[n]i32>
}

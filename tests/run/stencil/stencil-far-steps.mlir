// run
// Steps of a loop that mirror by more than one, with an extent that the host asks before the loop: several steps are one kernel, and
// arrays that are too small stop the program as they did.
// inputs: random:N; K where N = 0 3 4 5 6 7 37 3001; K = 0 1 5
// numpy: u = a
// numpy: n = len(a)
// numpy: i = np.arange(n)
// numpy: low = np.abs(i - 4)
// numpy: held, at = np.minimum(low, 2 * n - 2 - low), np.minimum(i + 2, 2 * n - 2 - (i + 2))
// numpy: for t in range(k):
// numpy:     u = (u[held] + u[at]) * u
// numpy: u
// inputs: [1.0]; 1
// error: @%x0 = array.index@ ... 'array.index' op index -4 is out of range for dimension 0 of [n]f32, which has 1
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n]f32>, %k: index) -> !array.array<[n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = array.dim %a, 0 : [n]f32
  %double = arith.muli %n, %c2 : index
  %end = arith.subi %double, %c2 : index
  %is = array.iota %n : [n]index
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a) -> (!array.array<[n]f32>) {
    %v = array.map (%i in %is : [n]index) {
      %left = arith.subi %i, %c4 : index
      %minus = arith.subi %c0, %left : index
      %low = arith.maxsi %left, %minus : index
      %turned = arith.subi %end, %low : index
      %held = arith.minsi %low, %turned : index
      %x0 = array.index %u[%held] : [n]f32
      %right = arith.addi %i, %c2 : index
      %back = arith.subi %end, %right : index
      %at = arith.minsi %right, %back : index
      %x1 = array.index %u[%at] : [n]f32
      %x2 = array.index %u[%i] : [n]f32
      %s0 = arith.addf %x0, %x1 : f32
      %s1 = arith.mulf %s0, %x2 : f32
      array.yield %s1 : f32
    }
    scf.yield %v : !array.array<[n]f32>
  }
  func.return %r : !array.array<[n]f32>
}

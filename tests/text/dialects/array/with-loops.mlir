// round-trip
// With-loops: all that may be left out, bounds that are constants and values, several results, values that are arrays, a
// mapping, folds with and without neutral elements, the explicit form.
builtin.module {
  func.func @loops(%xs: !array.array<[n][m]f32>, %row: !array.array<[m]f32>, %n: index, %k: index) -> (!array.array<[n][4]f32>, !array.array<[n][m]f32>, !array.array<[9]index>, !array.array<[9][m]f32>, f32, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %a = array.with_loop genarray [%n, 4] default (%zero : f32) partition ([0, 1] <= (%i, %j) < [%n, 4] step [%k, 3] width [1, 2]) {
      array.yield %one : f32
    } partition ((%i, %j) < [%k, 2]) mapping "GridBlock(1, SplitLast(32, ShiftLB(Gen)))" {
      array.yield %zero : f32
    } : [n][4]f32
    %b = array.with_loop modarray (%xs : [n][m]f32) partition ([%k] <= (%i) < [%n] step [2]) {
      array.yield %row : [m]f32
    }
    %c, %d = array.with_loop genarray [9] default (%c1 : index, %row : [m]f32) partition ((%i) < [9] step [2]) {
      array.yield %i, %row : index, [m]f32
    } : [9]index, [9][m]f32
    %e, %f = array.with_loop fold init (%zero : f32, %one : f32) neutral (%one : f32, %zero : f32) partition ([-3] <= (%i) < [%n] step [%k] width [%k]) {
      array.yield %one, %zero : f32, f32
    } combine (%p, %q, %r, %s) {
      %t = arith.mulf %p, %r : f32
      %u = arith.mulf %q, %r : f32
      %v = arith.addf %u, %s : f32
      array.yield %t, %v : f32, f32
    }
    %g = array.with_loop explicit genarray [9] partition ((%i) < [4]) {
      array.yield %zero : f32
    } partition ([4] <= (%i) < [9]) {
      array.yield %one : f32
    } : [9]f32
    func.return %a, %b, %c, %d, %e, %f : !array.array<[n][4]f32>, !array.array<[n][m]f32>, !array.array<[9]index>, !array.array<[9][m]f32>, f32, f32
  }
}

// Each thread iterates over its row, as often as a number says: neighbouring threads read far apart, if not from a
// transposed copy.
func.func @main(%xss: !array.array<[n][m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %none = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %n = array.dim %xss, 0 : [n][m]f32
  %is = array.iota %n : [n]index
  %ys = array.map (%xs in %xss : [n][m]f32, %i in %is : [n]index) {
    %rounds = arith.remui %i, %three : index
    %y = scf.for %round = %zero to %rounds step %one iter_args(%before = %none) -> (f32) {
      %sum = array.reduce (%xs : [m]f32) init (%none : f32) combine (%acc, %x) {
        %s = arith.addf %acc, %x : f32
        array.yield %s : f32
      }
      %half_before = arith.mulf %before, %half : f32
      %next = arith.addf %sum, %half_before : f32
      scf.yield %next : f32
    }
    array.yield %y : f32
  }
  func.return %ys : !array.array<[n]f32>
}

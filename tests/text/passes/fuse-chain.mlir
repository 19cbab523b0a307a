// pass: builtin.module(fuse)
// Two maps and two reductions of different operators become one redomap; the map whose result is used elsewhere is
// returned beside.
func.func @main(%xs: !array.array<[n]f32>) -> (f32, f32, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e+30 : f32
  %ys = array.map (%x in %xs : [n]f32) {
    %y = arith.mulf %x, %x : f32
    array.yield %y : f32
  }
  %zs = array.map (%y in %ys : [n]f32) {
    %z = arith.negf %y : f32
    array.yield %z : f32
  }
  %s = array.reduce (%zs : [n]f32) init (%zero : f32) combine (%acc, %z) {
    %t = arith.addf %acc, %z : f32
    array.yield %t : f32
  }
  %m = array.reduce (%ys : [n]f32) init (%low : f32) combine (%acc, %z) {
    %t = arith.maximumf %acc, %z : f32
    array.yield %t : f32
  }
  func.return %s, %m, %ys : f32, f32, !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: !array.array<[n]f32>) -> (f32, f32, !array.array<[n]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %low = arith.constant -1.000000e+30 : f32
    %s, %m, %ys = array.redomap (%arg0 in %xs : [n]f32) init (%zero : f32, %low : f32) map {
      %y = arith.mulf %arg0, %arg0 : f32
      %z = arith.negf %y : f32
      array.yield %z, %y, %y : f32, f32, f32
    } combine (%arg0, %arg1, %arg2, %arg3) {
      %t = arith.addf %arg0, %arg2 : f32
      %t_0 = arith.maximumf %arg1, %arg3 : f32
      array.yield %t, %t_0 : f32, f32
    }
    func.return %s, %m, %ys : f32, f32, !array.array<[n]f32>
  }
}

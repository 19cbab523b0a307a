// run
// Three arrays of different types in step.
// inputs: [1, 2]; [0.5, 0.25]; [true, false]
// outputs: [1.5, -2.0]
// inputs: random:N; random:N; random:N where N = 0 1 13 256 1021
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%as: !array.array<[n]i32>, %bs: !array.array<[n]f32>, %cs: !array.array<[n]i1>) -> !array.array<[n]f32> {
  %rs = array.map (%a in %as : [n]i32, %b in %bs : [n]f32, %c in %cs : [n]i1) {
    %f = arith.sitofp %a : i32 to f32
    %s = arith.addf %f, %b : f32
    %m = arith.negf %f : f32
    %r = arith.select %c, %s, %m : f32
    array.yield %r : f32
  }
  func.return %rs : !array.array<[n]f32>
}

// run
// A number that the host rounds to tf32, ties away from zero, and one that each point rounds, ties to even.
// inputs: random:N; 1.00048828125 where N = 0 1 33
// inputs: [1.00048828125, -1.00146484375, 3.4028235e38]; 1.00146484375
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[n]f32>, %s: f32) -> !array.array<[n]f32> {
  %t = arith.truncf %s to_nearest_away : f32 to tf32
  %u = arith.extf %t : tf32 to f32
  %c = array.map (%x in %a : [n]f32) {
    %r = arith.truncf %x : f32 to tf32
    %w = arith.extf %r : tf32 to f32
    %y = arith.mulf %w, %u : f32
    array.yield %y : f32
  }
  func.return %c : !array.array<[n]f32>
}

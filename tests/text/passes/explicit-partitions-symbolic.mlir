// pass: builtin.module(explicit-partitions)
// Bounds of the run are clamped. An array that is dead afterwards is changed in place, another one copied; a partition of a
// width of all of its step has none. A fold is one reduction after the other; with-loops inside of combinators are maps.
func.func @default(%n: index, %l: index, %u: index, %zero: f32, %one: f32) -> !array.array<[?]f32> {
  %a = array.with_loop genarray [%n] default (%zero : f32) partition ([%l] <= (%i) < [%u]) {
    array.yield %one : f32
  } : [?]f32
  func.return %a : !array.array<[?]f32>
}
func.func @copied(%a: !array.array<[n]f32>, %u: index, %one: f32) -> !array.array<[n]f32> {
  %b = array.with_loop modarray (%a : [n]f32) partition ((%i) < [%u] step [3] width [3]) {
    array.yield %one : f32
  }
  func.return %b : !array.array<[n]f32>
}
func.func @in_place(%n: index, %u: index, %zero: f32, %one: f32) -> !array.array<[?]f32> {
  %a = array.replicate %zero, [%n] : f32 -> [?]f32
  %b = array.with_loop modarray (%a : [?]f32) partition ([2] <= (%i) < [%u] step [2]) {
    array.yield %one : f32
  } partition ((%i) < [%u]) {
    array.yield %zero : f32
  }
  func.return %b : !array.array<[?]f32>
}
func.func @fold(%a: !array.array<[n]f32>, %t: index, %zero: f32) -> f32 {
  %n = array.dim %a, 0 : [n]f32
  %s = array.with_loop fold init (%zero : f32) partition ((%i) < [%n] step [%t]) {
    %x = array.index %a[%i] : [n]f32
    array.yield %x : f32
  } combine arith.addf
  func.return %s : f32
}
func.func @nested(%a: !array.array<[n]f32>, %zero: f32) -> !array.array<[n][8]f32> {
  %b = array.map (%x in %a : [n]f32) {
    %c = array.with_loop genarray [8] default (%zero : f32) partition ([1] <= (%i) < [8] step [2]) {
      array.yield %x : f32
    } : [8]f32
    array.yield %c : [8]f32
  }
  func.return %b : !array.array<[n][8]f32>
}

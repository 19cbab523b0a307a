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
// ===== expected
builtin.module {
  func.func @default(%n: index, %l: index, %u: index, %zero: f32, %one: f32) -> !array.array<[?]f32> {
    %0 = arith.minsi %n, %l : index
    %1 = arith.maxsi %l, %u : index
    %2 = array.with_loop explicit genarray [%n] partition ([%l] <= (%arg0) < [%u]) {
      array.yield %one : f32
    } partition ((%arg0) < [%0]) {
      array.yield %zero : f32
    } partition ([%1] <= (%arg0) < [%n]) {
      array.yield %zero : f32
    } : [?]f32
    func.return %2 : !array.array<[?]f32>
  }
  func.func @copied(%a: !array.array<[n]f32>, %u: index, %one: f32) -> !array.array<[n]f32> {
    %0 = array.dim %a, 0 : [n]f32
    %c0 = arith.constant 0 : index
    %1 = arith.maxsi %c0, %u : index
    %2 = array.with_loop explicit genarray [%0] partition ((%arg0) < [%u]) {
      array.yield %one : f32
    } partition ([%1] <= (%arg0) < [%0]) {
      %3 = array.index %a[%arg0] : [n]f32
      array.yield %3 : f32
    } : [n]f32
    func.return %2 : !array.array<[n]f32>
  }
  func.func @in_place(%n: index, %u: index, %zero: f32, %one: f32) -> !array.array<[?]f32> {
    %a = array.replicate %zero, [%n] : f32 -> [?]f32
    %0 = array.dim %a, 0 : [?]f32
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %1 = arith.maxsi %c0, %u : index
    %2 = arith.subi %1, %c2 : index
    %3 = arith.maxsi %2, %c0 : index
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %4 = arith.addi %3, %c1_0 : index
    %5 = arith.divui %4, %c2 : index
    %6 = arith.muli %5, %c2 : index
    %7 = arith.addi %c2, %6 : index
    %8 = array.with_loop explicit modarray (%a : [?]f32) partition ([%7] <= (%arg0) < [%u] step [2]) {
      array.yield %one : f32
    } partition ((%arg0) < [%u]) {
      array.yield %zero : f32
    }
    func.return %8 : !array.array<[?]f32>
  }
  func.func @fold(%a: !array.array<[n]f32>, %t: index, %zero: f32) -> f32 {
    %n = array.dim %a, 0 : [n]f32
    %c1 = arith.constant 1 : index
    %0 = arith.divui %n, %t : index
    %1 = arith.remui %n, %t : index
    %2 = arith.minsi %1, %c1 : index
    %3 = arith.addi %0, %2 : index
    %4 = array.iota %3 : [?]index
    %5 = array.redomap (%arg0 in %4 : [?]index) init (%zero : f32) map {
      %6 = arith.muli %arg0, %t : index
      %x = array.index %a[%6] : [n]f32
      array.yield %x : f32
    } combine (%arg0, %arg1) {
      %6 = arith.addf %arg0, %arg1 : f32
      array.yield %6 : f32
    }
    func.return %5 : f32
  }
  func.func @nested(%a: !array.array<[n]f32>, %zero: f32) -> !array.array<[n][8]f32> {
    %b = array.map (%x in %a : [n]f32) {
      %c8 = arith.constant 8 : index
      %0 = array.iota %c8 : [8]index
      %1 = array.map (%arg0 in %0 : [8]index) {
        %c1 = arith.constant 1 : index
        %2 = arith.cmpi sge, %arg0, %c1 : index
        %c2 = arith.constant 2 : index
        %c1_0 = arith.constant 1 : index
        %3 = arith.subi %arg0, %c1 : index
        %4 = arith.remui %3, %c2 : index
        %5 = arith.cmpi slt, %4, %c1_0 : index
        %6 = arith.andi %2, %5 : i1
        %7 = scf.if %6 -> (f32) {
          scf.yield %x : f32
        } else {
          scf.yield %zero : f32
        }
        array.yield %7 : f32
      }
      array.yield %1 : [8]f32
    }
    func.return %b : !array.array<[n][8]f32>
  }
}

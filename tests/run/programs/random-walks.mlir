// run
// Random walks until they leave an interval: a loop per point with a generator of its own, then their mean length and longest.
// inputs: [1, 2, 3]; 5
// inputs: random:N; 7 where N = 0 1 33 1025
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%seeds: !array.array<[n]i32>, %bound: i32) -> (!array.array<[n]i32>, i64, i32) {
  %zero = arith.constant 0 : i32
  %zero64 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %most = arith.constant 200 : i32
  %a = arith.constant 1664525 : i32
  %c = arith.constant 1013904223 : i32
  %s16 = arith.constant 16 : i32
  %lengths = array.map (%seed in %seeds : [n]i32) {
    %q, %x, %k = scf.while (%q = %seed, %x = %zero, %k = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
      %abs = math.absi %x : i32
      %in = arith.cmpi slt, %abs, %bound : i32
      %left = arith.cmpi slt, %k, %most : i32
      %go = arith.andi %in, %left : i1
      scf.condition(%go) %q, %x, %k : i32, i32, i32
    } do {
    ^bb0(%q0: i32, %x0: i32, %k0: i32):
      %m = arith.muli %q0, %a : i32
      %q1 = arith.addi %m, %c : i32
      %h = arith.shrui %q1, %s16 : i32
      %b = arith.andi %h, %one : i32
      %up = arith.cmpi eq, %b, %one : i32
      %d = arith.select %up, %one, %minus : i32
      %x1 = arith.addi %x0, %d : i32
      %k1 = arith.addi %k0, %one : i32
      scf.yield %q1, %x1, %k1 : i32, i32, i32
    }
    array.yield %k : i32
  }
  %total = array.redomap (%k in %lengths : [n]i32) init (%zero64 : i64) map {
    %w = arith.extsi %k : i32 to i64
    array.yield %w : i64
  } combine arith.addi
  %longest = array.reduce (%lengths : [n]i32) init (%zero : i32) combine (%acc, %k) {
    %s = arith.maxsi %acc, %k : i32
    array.yield %s : i32
  }
  func.return %lengths, %total, %longest : !array.array<[n]i32>, i64, i32
}

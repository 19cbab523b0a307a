// run
// Operators that are commutative as a whole, and by no op alone: products of complex numbers of integers, which wrap
// around, of all elements and of rows; and the pairs of the Euclidean norm.
// inputs: random:N; random:N; random:MxN; random:N where N = 0 1 31 257 4099; M = 1 3
// structure: kernel.segred 2
// versions: kernel.segmap 2, kernel.segred 3
func.func @main(%re: !array.array<[n]i32>, %im: !array.array<[n]i32>, %rows: !array.array<[m][n]i32>, %xs: !array.array<[n]f32>) -> (i32, i32, !array.array<[m]i32>, !array.array<[m]i32>, f32, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x, %y = array.reduce (%re : [n]i32, %im : [n]i32) init (%one : i32, %zero : i32) combine (%a, %b, %c, %d) {
    %ac = arith.muli %a, %c : i32
    %bd = arith.muli %b, %d : i32
    %ad = arith.muli %a, %d : i32
    %bc = arith.muli %b, %c : i32
    %u = arith.subi %ac, %bd : i32
    %v = arith.addi %ad, %bc : i32
    array.yield %u, %v : i32, i32
  }
  %us, %vs = array.map (%row in %rows : [m][n]i32) {
    %u, %v = array.reduce (%row : [n]i32, %im : [n]i32) init (%one : i32, %zero : i32) combine (%a, %b, %c, %d) {
      %ac = arith.muli %a, %c : i32
      %bd = arith.muli %b, %d : i32
      %ad = arith.muli %a, %d : i32
      %bc = arith.muli %b, %c : i32
      %u = arith.subi %ac, %bd : i32
      %v = arith.addi %bc, %ad : i32
      array.yield %u, %v : i32, i32
    }
    array.yield %u, %v : i32, i32
  }
  %none = arith.constant 0.0 : f32
  %whole = arith.constant 1.0 : f32
  %largest, %squares = array.redomap (%e in %xs : [n]f32) init (%none : f32, %none : f32) neutral (%none : f32, %none : f32) map {
    %magnitude = math.absf %e : f32
    array.yield %magnitude, %whole : f32, f32
  } combine (%a, %p, %b, %q) {
    %m = arith.maximumf %a, %b : f32
    %a_is = arith.cmpf oeq, %a, %m : f32
    %b_is = arith.cmpf oeq, %b, %m : f32
    %a_part = arith.divf %a, %m : f32
    %b_part = arith.divf %b, %m : f32
    %r = arith.select %a_is, %whole, %a_part : f32
    %s = arith.select %b_is, %whole, %b_part : f32
    %r2 = arith.mulf %r, %r : f32
    %s2 = arith.mulf %s, %s : f32
    %rp = arith.mulf %r2, %p : f32
    %sq = arith.mulf %s2, %q : f32
    %sum = arith.addf %rp, %sq : f32
    array.yield %m, %sum : f32, f32
  }
  func.return %x, %y, %us, %vs, %largest, %squares : i32, i32, !array.array<[m]i32>, !array.array<[m]i32>, f32, f32
}

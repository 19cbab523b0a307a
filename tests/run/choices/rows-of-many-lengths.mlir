// run
// A sparse matrix times a vector, rows as long as their numbers say: a thread for each row, or an element for each thread.
// inputs: [2, 0, 1]; 0; [1.0, 2.0, 3.0, 4.0]
// inputs: [0, 0]; 0; [1.0]
// inputs: random:N; 0; random:33 where N = 0 1 2 33 257
// inputs: random:N; 700; random:65 where N = 1 40
// inputs: random:7; 5000; random:100
// numpy: lens = np.abs(ns).astype(np.int64) % 8
// numpy: if len(lens): lens[-1] += more
// numpy: starts = np.cumsum(lens) - lens
// numpy: cols = [(np.arange(l) * 5 + s) % len(xs) for l, s in zip(lens, starts)]
// numpy: np.array([(2 * xs[c]).sum(dtype=np.float32) + 1 for c in cols], dtype=np.float32)
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 5, kernel.segred 1, kernel.segscan 4
func.func @main(%ns: !array.array<[n]i32>, %more: index, %xs: !array.array<[m]f32>) -> !array.array<[n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : i32
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = array.dim %ns, 0 : [n]i32
  %m = array.dim %xs, 0 : [m]f32
  %last = arith.subi %n, %c1 : index
  %is = array.iota %n : [n]index
  %lens = array.map (%k in %ns : [n]i32, %i in %is : [n]index) {
    %minus = arith.subi %none, %k : i32
    %size = arith.maxsi %k, %minus : i32
    %rest = arith.remui %size, %c8 : i32
    %short = arith.index_cast %rest : i32 to index
    %long = arith.addi %short, %more : index
    %is_last = arith.cmpi eq, %i, %last : index
    %len = arith.select %is_last, %long, %short : index
    array.yield %len : index
  }
  %ends = array.scan (%lens : [n]index) init (%c0 : index) combine arith.addi
  %sums = array.map (%len in %lens : [n]index, %end in %ends : [n]index) {
    %start = arith.subi %end, %len : index
    %js = array.iota %len : [?]index
    %sum = array.redomap (%j in %js : [?]index) init (%zero : f32) map {
      %scaled = arith.muli %j, %c5 : index
      %from = arith.addi %scaled, %start : index
      %col = arith.remui %from, %m : index
      %x = array.index %xs[%col] : [m]f32
      %y = arith.mulf %x, %two : f32
      array.yield %y : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      array.yield %s : f32
    }
    %r = arith.addf %sum, %one : f32
    array.yield %r : f32
  }
  func.return %sums : !array.array<[n]f32>
}

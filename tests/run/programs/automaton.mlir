// run
// A finite automaton run in parallel: a scan that composes transition functions, which are arrays (row by state).
// inputs: [0, 1, 1, 0, 1]; [[1, 2, 0], [0, 2, 1]]
// outputs: [1, 2, 1, 2, 1]
// inputs: random:T; [[1, 2, 0], [0, 2, 1]] where T = 0 1 33 257
// shapes: 5
// structure: kernel.segmap 6
// versions: kernel.segmap 6
func.func @main(%word: !array.array<[t]i32>, %table: !array.array<[a][s]index>) -> !array.array<[t]index> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %s = array.dim %table, 1 : [a][s]index
  %same = array.iota %s : [s]index
  %steps = array.map (%letter in %word : [t]i32) {
    %low = arith.andi %letter, %one : i32
    %at = arith.index_cast %low : i32 to index
    %row = array.index %table[%at] : [a][s]index
    array.yield %row : [s]index
  }
  %runs = array.scan (%steps : [t][s]index) init (%same : [s]index) neutral (%same : [s]index) combine (%acc, %f) {
    %g = array.map (%q in %acc : [s]index) {
      %next = array.index %f[%q] : [s]index
      array.yield %next : index
    }
    array.yield %g : [s]index
  }
  %states = array.map (%f in %runs : [t][s]index) {
    %q = array.index %f[%c0] : [s]index
    array.yield %q : index
  }
  func.return %states : !array.array<[t]index>
}

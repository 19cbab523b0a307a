// run
// Breadth-first search from vertex 0: while a frontier grows, each vertex takes the smallest distance of its neighbours.
// inputs: [[1, 2], [3, 3], [3, 3], [4, 4], [4, 4]]
// outputs: [0, 1, 1, 2, 3]
// inputs: random:Nx2 where N = 1 33
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segred 1
// versions: kernel.seghist 1, kernel.segmap 2, kernel.segred 1
// shapes: 6
func.func @main(%edges: !array.array<[n][k]i32>) -> !array.array<[n]i32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = arith.constant 1000 : i32
  %n = array.dim %edges, 0 : [n][k]i32
  %unknown = array.replicate %far, [%n] : i32 -> [n]i32
  %start = array.update %zero, %unknown[%c0] : i32, [n]i32
  %yes = arith.constant true
  %r, %go = scf.while (%d = %start, %changed = %yes) : (!array.array<[n]i32>, i1) -> (!array.array<[n]i32>, i1) {
    scf.condition(%changed) %d, %changed : !array.array<[n]i32>, i1
  } do {
  ^bb0(%d: !array.array<[n]i32>, %changed: i1):
    %flat = array.map (%row in %edges : [n][k]i32, %own in %d : [n]i32) {
      %next = arith.addi %own, %one : i32
      %reached = arith.minsi %next, %far : i32
      %rs = array.map (%e in %row : [k]i32) {
        array.yield %reached : i32
      }
      array.yield %rs : [k]i32
    }
    %k = array.dim %edges, 1 : [n][k]i32
    %count = arith.muli %n, %k : index
    %to = array.reshape %edges, [%count] : [n][k]i32 -> [?]i32
    %with = array.reshape %flat, [%count] : [n][k]i32 -> [?]i32
    %new = array.hist (%e in %to : [?]i32, %v in %with : [?]i32) into (%d : [n]i32) neutral (%far : i32) map {
      %at = arith.index_cast %e : i32 to index
      array.yield %at, %v : index, i32
    } combine (%a, %b) {
      %m = arith.minsi %a, %b : i32
      array.yield %m : i32
    }
    %no = arith.constant false
    %more = array.redomap (%a in %d : [n]i32, %b in %new : [n]i32) init (%no : i1) map {
      %other = arith.cmpi ne, %a, %b : i32
      array.yield %other : i1
    } combine (%a, %b) {
      %any = arith.ori %a, %b : i1
      array.yield %any : i1
    }
    scf.yield %new, %more : !array.array<[n]i32>, i1
  }
  func.return %r : !array.array<[n]i32>
}

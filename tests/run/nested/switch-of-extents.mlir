// run
// Cases of a switch that each point decides give arrays of different extents.
// inputs: [0, 1, 2, 0]; random:M where M = 0 1 3 40
// structure: kernel.segmap 1
// versions: kernel.segmap 5, kernel.segred 1, kernel.segscan 3
func.func @main(%ks: !array.array<[n]index>, %ys: !array.array<[m]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %r = array.map (%k in %ks : [n]index) {
    %one = array.cast %ys : [m]i32 -> [?]i32
    %two = array.concat %ys, %ys : [m]i32, [m]i32 -> [?]i32
    %a = "scf.index_switch"(%k) <{cases = array<i64: 0>}> ({
      scf.yield %one : !array.array<[?]i32>
    }, {
      scf.yield %two : !array.array<[?]i32>
    }) : (index) -> !array.array<[?]i32>
    %s = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}

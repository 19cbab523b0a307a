// run
// The code behind a loop over an array that a map makes is parallel, because the loop's result has the name of a size that is
// the same for all elements of the map.
// inputs: [3, -1, 200]; 4
// inputs: random:N; K where N = 0 1 40; K = 0 3 70
// versions: kernel.segmap 7, kernel.segred 3, kernel.segscan 4
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>, %k: index) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %hundred = arith.constant 100 : i32
  %r = array.map (%x in %xs : [n]i32) {
    %ys = array.replicate %x, [%k] : i32 -> [k]i32
    %last, %zs = scf.while (%c = %x, %a = %ys) : (i32, !array.array<[k]i32>) -> (i32, !array.array<[k]i32>) {
      %more = arith.cmpi slt, %c, %hundred : i32
      scf.condition(%more) %c, %a : i32, !array.array<[k]i32>
    } do {
    ^bb0(%c: i32, %a: !array.array<[k]i32>):
      %b = array.scan (%a : [k]i32) init (%zero : i32) combine arith.addi
      %d = arith.maxsi %c, %hundred : i32
      scf.yield %d, %b : i32, !array.array<[k]i32>
    }
    %ps = array.scan (%zs : [k]i32) init (%zero : i32) combine arith.xori
    %s = array.reduce (%ps : [k]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}

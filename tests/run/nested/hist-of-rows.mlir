// run
// A histogram whose bins are rows: sums of vectors by their class.
// inputs: [0, 1, 0, 5]; [[1, 2], [3, 4], [5, 6], [7, 8]]
// outputs: [[6, 8], [3, 4], [0, 0]]
// inputs: random:N; random:Nx3 where N = 0 1 33
// structure: kernel.seghist 1, kernel.segmap 1
// versions: kernel.seghist 1, kernel.segmap 1
func.func @main(%classes: !array.array<[n]i32>, %xss: !array.array<[n][d]i32>) -> !array.array<[3][d]i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : index
  %d = array.dim %xss, 1 : [n][d]i32
  %none = array.replicate %zero, [%d] : i32 -> [d]i32
  %bins = array.replicate %zero, [%three, %d] : i32 -> [3][d]i32
  %sums = array.hist (%class in %classes : [n]i32, %xs in %xss : [n][d]i32) into (%bins : [3][d]i32) neutral (%none : [d]i32) map {
    %bin = arith.index_cast %class : i32 to index
    array.yield %bin, %xs : index, [d]i32
  } combine (%as, %bs) {
    %s = array.map (%a in %as : [d]i32, %b in %bs : [d]i32) {
      %t = arith.addi %a, %b : i32
      array.yield %t : i32
    }
    array.yield %s : [d]i32
  }
  func.return %sums : !array.array<[3][d]i32>
}

// run
// Sums of floats, added under locks in the order of the elements.
// inputs: random:N; random:N where N = 0 1 31 32 33 1023 1025 20000
// structure: kernel.seghist 1, kernel.segmap 1
// versions: kernel.seghist 1, kernel.segmap 1
func.func @main(%xs: !array.array<[n]f32>, %ks: !array.array<[n]i32>) -> !array.array<[10]f32> {
  %ten = arith.constant 10 : i32
  %bins = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %zeros = array.replicate %zero, [%bins] : f32 -> [10]f32
  %sums = array.hist (%x in %xs : [n]f32, %k in %ks : [n]i32) into (%zeros : [10]f32) neutral (%zero : f32) map {
    %bin = arith.remui %k, %ten : i32
    %at = arith.index_castui %bin : i32 to index
    array.yield %at, %x : index, f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    array.yield %s : f32
  }
  func.return %sums : !array.array<[10]f32>
}

// run
// One map with three results of different types.
// inputs: [1.5, -2.0]
// outputs: [2.25, 4.0]; [true, false]; [1, -2]
// inputs: random:N where N = 0 1 255 257
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]i1>, !array.array<[n]i64>) {
  %zero = arith.constant 0.0 : f32
  %a, %b, %c = array.map (%x in %xs : [n]f32) {
    %s = arith.mulf %x, %x : f32
    %p = arith.cmpf ogt, %x, %zero : f32
    %i = arith.fptosi %x : f32 to i64
    array.yield %s, %p, %i : f32, i1, i64
  }
  func.return %a, %b, %c : !array.array<[n]f32>, !array.array<[n]i1>, !array.array<[n]i64>
}

// run
// A loop that updates one array in every step: in place from the second step on, and the argument stays as it was.
// inputs: [5, 6, 7, 8]; 3
// outputs: [0, 1, 2, 8]; [5, 6, 7, 8]
// inputs: [5, 6, 7, 8]; 0
// outputs: [5, 6, 7, 8]; [5, 6, 7, 8]
// inputs: random:N; S where N = 1 33 1025; S = 0 1 2 40
// structure: none 0
// versions: none 0
func.func @main(%xs: !array.array<[n]f32>, %steps: index) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is = array.iota %one : [1]index
  %ys = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (!array.array<[n]f32>) {
    %next = array.scatter (%i in %is : [1]index) into (%state : [n]f32) {
      %number = arith.index_cast %step : index to i32
      %value = arith.sitofp %number : i32 to f32
      array.yield %step, %value : index, f32
    }
    scf.yield %next : !array.array<[n]f32>
  }
  %kept = array.map (%x in %xs : [n]f32) {
    array.yield %x : f32
  }
  func.return %ys, %kept : !array.array<[n]f32>, !array.array<[n]f32>
}

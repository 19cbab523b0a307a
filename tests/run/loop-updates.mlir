// run
// Loops of the host that update one array in every step, an element or a row at a time: in place from the second step on.
// inputs: random:N; random:NxM; S where N = 41 1025; M = 0 1 33; S = 0 1 2 40
// inputs: [1, 2]; [[1], [2]]; 3
// error: out of range
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f32>, %xss: !array.array<[n][m]f32>, %steps: index) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n][m]f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ys = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (!array.array<[n]f32>) {
    %old = array.index %state[%step] : [n]f32
    %new = arith.addf %old, %old : f32
    %next = array.update %new, %state[%step] : f32, [n]f32
    scf.yield %next : !array.array<[n]f32>
  }
  %yss = scf.for %step = %zero to %steps step %one iter_args(%state = %xss) -> (!array.array<[n][m]f32>) {
    %row = array.index %state[%step] : [n][m]f32
    %doubled = array.map (%x in %row : [m]f32) {
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    }
    %next = array.update %doubled, %state[%step] : [m]f32, [n][m]f32
    scf.yield %next : !array.array<[n][m]f32>
  }
  %kept = array.map (%x in %xs : [n]f32) {
    array.yield %x : f32
  }
  func.return %ys, %kept, %yss : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n][m]f32>
}

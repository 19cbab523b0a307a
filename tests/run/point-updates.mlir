// run
// Arrays that points change element by element: in a loop, and in a branch of it. Indices out of range stop the program.
// inputs: random:NxM; S where N = 1 33 70; M = 7 33 40; S = 0 1 20
// inputs: random:0x7; 3
// inputs: random:4x0; 0
// inputs: random:2x3; 20
// error: out of range
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]f32>, %steps: index) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %seven = arith.constant 7 : index
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %n = array.dim %xss, 0 : [n][m]f32
  %is = array.iota %n : [n]index
  %yss, %zss = array.map (%xs in %xss : [n][m]f32, %i in %is : [n]index) {
    %ys = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (!array.array<[m]f32>) {
      %at = arith.remui %step, %seven : index
      %old = array.index %state[%at] : [m]f32
      %new = arith.addf %old, %half : f32
      %next = array.update %new, %state[%at] : f32, [m]f32
      scf.yield %next : !array.array<[m]f32>
    }
    %zs = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (!array.array<[m]f32>) {
      %at = arith.remui %step, %seven : index
      %old = array.index %state[%at] : [m]f32
      %large = arith.cmpf ogt, %old, %half : f32
      %next = scf.if %large -> (!array.array<[m]f32>) {
        %new = arith.mulf %old, %half : f32
        %changed = array.update %new, %state[%at] : f32, [m]f32
        scf.yield %changed : !array.array<[m]f32>
      } else {
        scf.yield %state : !array.array<[m]f32>
      }
      scf.yield %next : !array.array<[m]f32>
    }
    array.yield %ys, %zs : !array.array<[m]f32>, !array.array<[m]f32>
  }
  func.return %yss, %zss : !array.array<[n][m]f32>, !array.array<[n][m]f32>
}

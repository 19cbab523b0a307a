// run
// A Fourier transform of a power of two: stages of butterflies, with the real and the imaginary part as arrays of their own.
// inputs: [1.0, 0.0, 0.0, 0.0]; [0.0, 0.0, 0.0, 0.0]; 2
// outputs: [1.0, 1.0, 1.0, 1.0]; [0.0, 0.0, 0.0, 0.0]
// inputs: random:N; random:N; L where N = 64; L = 6
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 6
func.func @main(%re: !array.array<[n]f64>, %im: !array.array<[n]f64>, %log: index) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %turn = arith.constant -6.283185307179586 : f64
  %n = array.dim %re, 0 : [n]f64
  %half = arith.divui %n, %c2 : index
  %is = array.iota %n : [n]index
  %xr, %xi = scf.for %stage = %c0 to %log step %c1 iter_args(%ar = %re, %ai = %im) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
    %width = arith.shli %c1, %stage : index
    %double = arith.muli %width, %c2 : index
    %d = arith.index_cast %double : index to i64
    %span = arith.sitofp %d : i64 to f64
    %br, %bi = array.map (%i in %is : [n]index) {
      %block = arith.divui %i, %double : index
      %within = arith.remui %i, %double : index
      %k = arith.remui %within, %width : index
      %base = arith.muli %block, %width : index
      %at = arith.addi %base, %k : index
      %to = arith.addi %at, %half : index
      %er = array.index %ar[%at] : [n]f64
      %ei = array.index %ai[%at] : [n]f64
      %or = array.index %ar[%to] : [n]f64
      %oi = array.index %ai[%to] : [n]f64
      %w = arith.index_cast %within : index to i64
      %wf = arith.sitofp %w : i64 to f64
      %part = arith.divf %wf, %span : f64
      %angle = arith.mulf %part, %turn : f64
      %cos = math.cos %angle : f64
      %sin = math.sin %angle : f64
      %a = arith.mulf %or, %cos : f64
      %b = arith.mulf %oi, %sin : f64
      %c = arith.mulf %or, %sin : f64
      %e = arith.mulf %oi, %cos : f64
      %tr = arith.subf %a, %b : f64
      %ti = arith.addf %c, %e : f64
      %yr = arith.addf %er, %tr : f64
      %yi = arith.addf %ei, %ti : f64
      array.yield %yr, %yi : f64, f64
    }
    scf.yield %br, %bi : !array.array<[n]f64>, !array.array<[n]f64>
  }
  func.return %xr, %xi : !array.array<[n]f64>, !array.array<[n]f64>
}

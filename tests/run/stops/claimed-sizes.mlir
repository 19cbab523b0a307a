// run
// Sizes that results name are those of the parameter that has the name: of numbers counted, of a value repeated, of a part, of
// a matrix, and in a map.
// inputs: [1, 2, 3]; 3; 3; 3; 3; [3, 3]
// outputs: [0, 1, 2]; [7, 7, 7]; [1, 2, 3]; [[0, 1, 2]]; [3, 3]
// inputs: [1, 2, 3]; 4; 3; 3; 3; [3, 3]
// error: @%is = array.iota@ ... 'array.iota' op size 4 of dimension 0 is not `n`, which is 3
// inputs: [1, 2, 3]; 3; 2; 3; 3; [3, 3]
// error: @%rs =@ ... 'array.replicate' op size 2 of dimension 0 is not `n`, which is 3
// inputs: [1, 2, 3]; 3; 3; 2; 3; [3, 3]
// error: @%ps =@ ... 'array.slice' op size 2 of dimension 0 is not `n`, which is 3
// inputs: [1, 2, 3]; 3; 3; 3; 1; [3, 3]
// error: @%ms =@ ... 'array.reshape' op size 1 of dimension 1 is not `n`, which is 3
// inputs: [1, 2, 3]; 3; 3; 3; 3; [3, 4]
// error: @%js =@ ... 'array.iota' op size 4 of dimension 0 is not `n`, which is 3
// inputs: [1, 2, 3]; 3; 3; 3; 3; []
// outputs: [0, 1, 2]; [7, 7, 7]; [1, 2, 3]; [[0, 1, 2]]; []
// structure: kernel.segmap 4
// shapes: 1
// versions: kernel.segmap 4
func.func @main(%xs: !array.array<[n]i32>, %a: index, %b: index, %c: index, %d: index, %ks: !array.array<[m]index>) -> (!array.array<[n]index>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[?][n]index>, !array.array<[m]index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %is = array.iota %a : [n]index
  %rs = array.replicate %seven, [%b] : i32 -> [n]i32
  %ps = array.slice %xs[%c0] sizes [%c] strides [%c1] : [n]i32 -> [n]i32
  %rows = arith.divui %a, %d : index
  %ms = array.reshape %is, [%rows, %d] : [n]index -> [?][n]index
  %sums = array.map (%k in %ks : [m]index) {
    %js = array.iota %k : [n]index
    %s = array.reduce (%js : [n]index) init (%c0 : index) combine arith.addi
    array.yield %s : index
  }
  func.return %is, %rs, %ps, %ms, %sums : !array.array<[n]index>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[?][n]index>, !array.array<[m]index>
}

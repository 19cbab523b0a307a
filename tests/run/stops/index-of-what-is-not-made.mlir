// run
// Arrays that are never made have extents, too: indices of repeated values, counted numbers and turned arrays are the
// program's own in messages.
// inputs: 2; 8; [1, 2, 3]
// outputs: 3; 2; 1
// inputs: 100; 8; [1, 2, 3]
// error: :18:8: ... 'array.index' op index 100 is out of range for dimension 0 of [?]i8, which has 8
// inputs: 3; 8; [1, 2, 3]
// error: :21:8: ... 'array.index' op index 3 is out of range for dimension 0 of [n]i32, which has 3
// inputs: -1; 8; [1, 2, 3]
// error: :18:8: ... 'array.index' op index -1 is out of range for dimension 0 of [?]i8, which has 8
// structure: kernel.segmap 0
// versions: kernel.segmap 0
// shapes: 5
func.func @main(%k: index, %m: index, %xs: !array.array<[n]i32>) -> (i8, i32, i32) {
  %z = arith.constant 3 : i8
  %zs = array.replicate %z, [%m] : i8 -> [?]i8
  %a = array.index %zs[%k] : [?]i8
  %back = array.reverse %xs, 0 : [n]i32
  %is = array.iota %m : [?]i32
  %c = array.index %back[%k] : [n]i32
  %b = array.index %is[%k] : [?]i32
  func.return %a, %b, %c : i8, i32, i32
}

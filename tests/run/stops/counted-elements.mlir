// run
// An array that repeats a value has no more elements than can be counted, be they needed or not.
// inputs: 2; 3; 6; [1, 2]
// outputs: 6; [3, 3]; 2
// inputs: 4294967296; 4294967296; 0; [1, 2]
// error: @%r = @ ... 'array.replicate' op the sizes are those of more elements than can be counted
// inputs: 2; 9223372036854775807; 0; [1, 2]
// error: @%r = @ ... 'array.replicate' op the sizes are those of more elements than can be counted
// inputs: 2; 3; 6; [1, 4611686018427387904]
// error: @%p = @ ... 'array.replicate' op the sizes are those of more elements than can be counted
// inputs: 9223372036854775807; 0; 0; [4, 5]
// error: @%x = @ ... index 0 is out of range
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: index, %b: index, %k: index, %ns: !array.array<[n]index>) -> (index, !array.array<[n]index>, index) {
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %r = array.replicate %seven, [%a, %b] : i32 -> [?][?]i32
  %flat = array.reshape %r, [%k] : [?][?]i32 -> [?]i32
  %d = array.dim %flat, 0 : [?]i32
  %x = array.index %flat[%c0] : [?]i32
  %m = array.map (%n in %ns : [n]index) {
    %p = array.replicate %seven, [%n, %c3] : i32 -> [?][?]i32
    %q = array.dim %p, 1 : [?][?]i32
    array.yield %q : index
  }
  %e = array.dim %r, 0 : [?][?]i32
  func.return %d, %m, %e : index, !array.array<[n]index>, index
}

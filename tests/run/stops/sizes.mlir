// run
// Negative sizes stop the program: of numbers counted, of a value repeated, of padding; and extents beyond 64 bits do.
// inputs: 3; [2, 1]; 1; 1
// outputs: 3; [1, 0]; [9, 2, 1, 9]
// inputs: -3; [2, 1]; 1; 1
// error: :20:9: ... 'array.replicate' op a size cannot be -3
// inputs: 3; [2, -1]; 1; 1
// error: :23:11: ... 'array.iota' op a size cannot be -1
// inputs: 3; [2, 1]; -1; 1
// error: :27:8: ... 'array.pad' op a size cannot be -1
// inputs: 3; [2, 1]; 0; -1
// error: :27:8: ... 'array.pad' op a size cannot be -1
// inputs: 3; [2, 1]; 9223372036854775807; 9223372036854775807
// error: :27:8: ... 'array.pad' op 9223372036854775807 elements before and 9223372036854775807 behind are too many for dimension 0 of [n]index
// structure: kernel.segmap 2
// versions: kernel.segmap 6, kernel.segred 1, kernel.segscan 3
func.func @main(%k: index, %ns: !array.array<[n]index>, %a: index, %b: index) -> (index, !array.array<[n]i32>, !array.array<[?]index>) {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : index
  %zs = array.replicate %zero, [%k] : i32 -> [?]i32
  %d = array.dim %zs, 0 : [?]i32
  %r = array.map (%c in %ns : [n]index) {
    %is = array.iota %c : [?]i32
    %s = array.reduce (%is : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  %p = array.pad %ns, %nine low [%a] high [%b] : [n]index -> [?]index
  func.return %d, %r, %p : index, !array.array<[n]i32>, !array.array<[?]index>
}

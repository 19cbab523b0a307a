// run
// given: bounds near the largest numbers, else loops take for ever
// The counter of a loop would wrap beyond the largest number of its type: it has as many iterations as its bounds tell.
// inputs: [2147483647, 5, -7]; 2147483647; 9223372036854775807; [127, -128, 3]; 4611686018427387904
// outputs: [2, 1, 0]; [1073741824, 0, 0]; 2; 2; [3, 0, 1]; 3
// inputs: [1073741825, 1073741824, -2147483648]; 0; 1; [100, 101, 0]; 9223372036854775807
// outputs: [2, 1, 0]; [1073741824, 0, 0]; 0; 1; [2, 3, 0]; 2
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ks: !array.array<[n]i32>, %h: i32, %g: index, %bs: !array.array<[n]i8>, %f: i64) -> (!array.array<[n]i32>, !array.array<[n]i32>, i32, index, !array.array<[n]i32>, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = arith.constant 1073741824 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %vast = arith.constant 4611686018427387904 : index
  %byte = arith.constant 0 : i8
  %fifty = arith.constant 50 : i8
  %top = arith.constant -1 : i64
  %r, %last = array.map (%k in %ks : [n]i32) {
    %t, %l = scf.for %i = %zero to %k step %far iter_args(%a = %zero, %b = %zero) -> (i32, i32) : i32 {
      %c = arith.addi %a, %one : i32
      scf.yield %c, %i : i32, i32
    }
    array.yield %t, %l : i32, i32
  }
  %t = scf.for %i = %zero to %h step %far iter_args(%a = %zero) -> (i32) : i32 {
    %b = arith.addi %a, %one : i32
    scf.yield %b : i32
  }
  %u = scf.for %i = %c0 to %g step %vast iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %c1 : index
    scf.yield %b : index
  }
  %s = array.map (%b in %bs : [n]i8) {
    %v = scf.for %i = %byte to %b step %fifty iter_args(%a = %zero) -> (i32) : i8 {
      %c = arith.addi %a, %one : i32
      scf.yield %c : i32
    }
    array.yield %v : i32
  }
  %w = scf.for unsigned %i = %f to %top step %f iter_args(%a = %zero) -> (i32) : i64 {
    %b = arith.addi %a, %one : i32
    scf.yield %b : i32
  }
  func.return %r, %last, %t, %u, %s, %w : !array.array<[n]i32>, !array.array<[n]i32>, i32, index, !array.array<[n]i32>, i32
}

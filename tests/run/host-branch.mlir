// run
// A branch on the host between two kernels, on a value that a third one made.
// inputs: [1, 2, 3]
// outputs: [2, 4, 6]
// inputs: [-1, -2]
// outputs: [1, 2]
// inputs: random:N where N = 0 1 257
// structure: kernel.segmap 2, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %sum = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  %positive = arith.cmpi sgt, %sum, %zero : i32
  %ys = scf.if %positive -> (!array.array<[n]i32>) {
    %doubled = array.map (%x in %xs : [n]i32) {
      %d = arith.addi %x, %x : i32
      array.yield %d : i32
    }
    scf.yield %doubled : !array.array<[n]i32>
  } else {
    %negated = array.map (%x in %xs : [n]i32) {
      %m = arith.subi %zero, %x : i32
      array.yield %m : i32
    }
    scf.yield %negated : !array.array<[n]i32>
  }
  func.return %ys : !array.array<[n]i32>
}

// run
// A branch in every thread, one side of which would divide by zero.
// inputs: [12, 0, -5]
// outputs: [8, -1, -20]
// inputs: random:N where N = 0 1 33 256 1009
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %hundred = arith.constant 100 : i32
  %minus = arith.constant -1 : i32
  %ys = array.map (%x in %xs : [n]i32) {
    %safe = arith.cmpi ne, %x, %zero : i32
    %y = scf.if %safe -> (i32) {
      %q = arith.divsi %hundred, %x : i32
      scf.yield %q : i32
    } else {
      scf.yield %minus : i32
    }
    array.yield %y : i32
  }
  func.return %ys : !array.array<[n]i32>
}

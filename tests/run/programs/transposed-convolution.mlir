// run
// Rows spread by two and padded by the value of a branch on the host, which carries arrays.
// inputs: [1, 2, 3]; true
// outputs: [0, 1, 2, 3, 0, 0]
// inputs: [1, 2, 3]; false
// outputs: [3, 2, 1, 1, 2, 3]
// inputs: random:N; true where N = 0 1 31 33 1025
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%xs: !array.array<[n]i16>, %padded: i1) -> !array.array<[?]i16> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i16
  %r = scf.if %padded -> (!array.array<[?]i16>) {
    %p = array.pad %xs, %zero low [%c1] high [%c2] : [n]i16 -> [?]i16
    scf.yield %p : !array.array<[?]i16>
  } else {
    %back = array.reverse %xs, 0 : [n]i16
    %both = array.concat %back, %xs : [n]i16, [n]i16 -> [?]i16
    scf.yield %both : !array.array<[?]i16>
  }
  func.return %r : !array.array<[?]i16>
}

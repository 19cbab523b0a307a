// run
// Rows that are only rearranged are a rearrangement of the whole array, and a nest whose result is turned writes it turned.
// inputs: random:PxQxSxT where P = 0 1 3; Q = 1 5; S = 1 4; T = 0 1 33
// numpy: np.transpose(b, (0, 1, 3, 2)), np.transpose(b, (2, 0, 3, 1)) + np.int16(1)
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%b: !array.array<[p][q][s][t]i16>) -> (!array.array<[p][q][t][s]i16>, !array.array<[s][p][t][q]i16>) {
  %one = arith.constant 1 : i16
  %B = array.map (%c in %b : [p][q][s][t]i16) {
    %d = array.map (%e in %c : [q][s][t]i16) {
      %f = array.rearrange %e, [1, 0] : [s][t]i16
      array.yield %f : [t][s]i16
    }
    array.yield %d : [q][t][s]i16
  }
  %D0 = array.map (%c in %b : [p][q][s][t]i16) {
    %d = array.rearrange %c, [1, 2, 0] : [q][s][t]i16
    %e = array.map (%f in %d : [s][t][q]i16) {
      %g = array.map (%h in %f : [t][q]i16) {
        %i = array.map (%x in %h : [q]i16) {
          %y = arith.addi %x, %one : i16
          array.yield %y : i16
        }
        array.yield %i : [q]i16
      }
      array.yield %g : [t][q]i16
    }
    array.yield %e : [s][t][q]i16
  }
  %D = array.rearrange %D0, [1, 0, 2, 3] : [p][s][t][q]i16
  func.return %B, %D : !array.array<[p][q][t][s]i16>, !array.array<[s][p][t][q]i16>
}

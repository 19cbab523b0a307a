// run
// A product of rows of 16-bit integers: elements too small for an asynchronous copy by themselves, eight of which are one.
// inputs: random:NxK; random:MxK where N = 17; M = 33; K = 31 72
// inputs: random:0x3; random:5x3
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]i16>, %b: !array.array<[m][k]i16>) -> !array.array<[n][m]i16> {
  %zero = arith.constant 0 : i16
  %c = array.map (%row in %a : [n][k]i16) {
    %r = array.map (%column in %b : [m][k]i16) {
      %dot = array.redomap (%x in %row : [k]i16, %y in %column : [k]i16) init (%zero : i16) map {
        %p = arith.muli %x, %y : i16
        array.yield %p : i16
      } combine (%s, %t) {
        %u = arith.addi %s, %t : i16
        array.yield %u : i16
      }
      array.yield %dot : i16
    }
    array.yield %r : [m]i16
  }
  func.return %c : !array.array<[n][m]i16>
}

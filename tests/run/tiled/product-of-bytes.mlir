// run
// A product of rows of bytes, of which the second ones have no sign, with sums of 32 bits.
// inputs: random:NxK; random:MxK where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:65x36; random:68x36
// inputs: random:67x97; random:71x97
// inputs: [[-128, 127, -1], [5, -7, 100]]; [[-1, -128, 127], [3, 4, -5]]
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]i8>, %b: !array.array<[m][k]i8>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %c = array.map (%row in %a : [n][k]i8) {
    %r = array.map (%column in %b : [m][k]i8) {
      %dot = array.redomap (%x in %row : [k]i8, %y in %column : [k]i8) init (%zero : i32) map {
        %xi = arith.extsi %x : i8 to i32
        %yi = arith.extui %y : i8 to i32
        %p = arith.muli %xi, %yi : i32
        array.yield %p : i32
      } combine (%s, %t) {
        %u = arith.addi %s, %t : i32
        array.yield %u : i32
      }
      array.yield %dot : i32
    }
    array.yield %r : [m]i32
  }
  func.return %c : !array.array<[n][m]i32>
}

// run
// Generations of the game of life on a torus: a blinker turns.
// inputs: [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]; 1
// outputs: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
// inputs: random:NxM; 2 where N = 1 33; M = 3 32
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%world: !array.array<[n][m]i8>, %steps: index) -> !array.array<[n][m]i8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i8
  %four = arith.constant 4 : i8
  %n = array.dim %world, 0 : [n][m]i8
  %m = array.dim %world, 1 : [n][m]i8
  %is = array.iota %n : [n]index
  %js = array.iota %m : [m]index
  %first = array.map (%row in %world : [n][m]i8) {
    %r = array.map (%x in %row : [m]i8) {
      %b = arith.andi %x, %one : i8
      array.yield %b : i8
    }
    array.yield %r : [m]i8
  }
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%w = %first) -> (!array.array<[n][m]i8>) {
    %next = array.map (%i in %is : [n]index) {
      %row = array.map (%j in %js : [m]index) {
        %up = arith.addi %i, %n : index
        %left = arith.addi %j, %m : index
        %sum = scf.for %a = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (i8) {
          %t1 = scf.for %b = %c0 to %c3 step %c1 iter_args(%s1 = %s) -> (i8) {
            %y = arith.addi %up, %a : index
            %y1 = arith.subi %y, %c1 : index
            %y2 = arith.remui %y1, %n : index
            %x = arith.addi %left, %b : index
            %x1 = arith.subi %x, %c1 : index
            %x2 = arith.remui %x1, %m : index
            %v = array.index %w[%y2, %x2] : [n][m]i8
            %s2 = arith.addi %s1, %v : i8
            scf.yield %s2 : i8
          }
          scf.yield %t1 : i8
        }
        %self = array.index %w[%i, %j] : [n][m]i8
        %is3 = arith.cmpi eq, %sum, %three : i8
        %is4 = arith.cmpi eq, %sum, %four : i8
        %kept = arith.select %is4, %self, %zero : i8
        %new = arith.select %is3, %one, %kept : i8
        array.yield %new : i8
      }
      array.yield %row : [m]i8
    }
    scf.yield %next : !array.array<[n][m]i8>
  }
  func.return %r : !array.array<[n][m]i8>
}

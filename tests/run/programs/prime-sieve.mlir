// run
// The sieve of Eratosthenes: each round scatters false to the multiples of one number.
// inputs: 20
// outputs: [false, false, true, true, false, true, false, true, false, false, false, true, false, true, false, false, false, true, false, true]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%n: index) -> !array.array<[?]i1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %no = arith.constant false
  %is = array.iota %n : [?]index
  %start = array.map (%i in %is : [?]index) {
    %p = arith.cmpi uge, %i, %c2 : index
    array.yield %p : i1
  }
  %r = scf.for %k = %c2 to %n step %c1 iter_args(%sieve = %start) -> (!array.array<[?]i1>) {
    %next = array.scatter (%i in %is : [?]index) into (%sieve : [?]i1) {
      %j = arith.addi %i, %c2 : index
      %at = arith.muli %j, %k : index
      array.yield %at, %no : index, i1
    }
    scf.yield %next : !array.array<[?]i1>
  }
  func.return %r : !array.array<[?]i1>
}

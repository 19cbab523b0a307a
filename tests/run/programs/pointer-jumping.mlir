// run
// Distances to the end of linked lists by pointer jumping: gathers in a loop on the host.
// inputs: [1, 2, 3, 3]
// outputs: [3, 2, 1, 0]
// inputs: [4, 0, 0, 2, 4]
// outputs: [1, 2, 2, 3, 0]
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%next: !array.array<[n]index>) -> !array.array<[n]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = array.dim %next, 0 : [n]index
  %is = array.iota %n : [n]index
  %start = array.map (%i in %is : [n]index, %j in %next : [n]index) {
    %end = arith.cmpi eq, %i, %j : index
    %d = arith.select %end, %zero, %one : i32
    array.yield %d : i32
  }
  %d, %p = scf.for %r = %c0 to %rounds step %c1 iter_args(%d = %start, %p = %next) -> (!array.array<[n]i32>, !array.array<[n]index>) {
    %far = array.gather %d[%p] : [n]i32, [n]index
    %jump = array.gather %p[%p] : [n]index, [n]index
    %sum = array.map (%a in %d : [n]i32, %b in %far : [n]i32) {
      %s = arith.addi %a, %b : i32
      array.yield %s : i32
    }
    scf.yield %sum, %jump : !array.array<[n]i32>, !array.array<[n]index>
  }
  func.return %d : !array.array<[n]i32>
}

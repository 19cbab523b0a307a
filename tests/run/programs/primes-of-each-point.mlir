// run
// The primes below a number of each point: a list that gets an element where none of its own divides it.
// inputs: [0, 2, 3, 10, 30, 101]
// inputs: []
// numpy: lists = [[p for p in range(2, n) if all(p % q for q in range(2, p))] for n in ns]
// numpy: np.array([len(l) for l in lists], dtype=np.int64), np.array([sum(l) for l in lists], dtype=np.int32)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ns: !array.array<[t]index>) -> (!array.array<[t]index>, !array.array<[t]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %no = arith.constant 0 : i1
  %A, %B = array.map (%n in %ns : [t]index) {
    %none = array.iota %c0 : [?]i32
    %primes = scf.for %i = %c2 to %n step %c1 iter_args(%a = %none) -> (!array.array<[?]i32>) {
      %v = arith.index_cast %i : index to i32
      %divides = array.redomap (%p in %a : [?]i32) init (%no : i1) map {
        %r = arith.remsi %v, %p : i32
        %d = arith.cmpi eq, %r, %zero : i32
        array.yield %d : i1
      } combine (%x, %y) {
        %o = arith.ori %x, %y : i1
        array.yield %o : i1
      }
      %next = scf.if %divides -> (!array.array<[?]i32>) {
        scf.yield %a : !array.array<[?]i32>
      } else {
        %one = array.replicate %v, [%c1] : i32 -> [?]i32
        %b = array.concat %a, %one : [?]i32, [?]i32 -> [?]i32
        scf.yield %b : !array.array<[?]i32>
      }
      scf.yield %next : !array.array<[?]i32>
    }
    %len = array.dim %primes, 0 : [?]i32
    %s = array.reduce (%primes : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %len, %s : index, i32
  }
  func.return %A, %B : !array.array<[t]index>, !array.array<[t]i32>
}

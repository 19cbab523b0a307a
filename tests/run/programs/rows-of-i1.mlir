// run
// Truth values in a nest: whether all, whether an odd number, and prefixes of whether any.
// inputs: [[true, true, true], [false, true, false]]
// outputs: [true, false]; [true, true]; [[true, true, true], [false, true, true]]
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i1>) -> (!array.array<[n]i1>, !array.array<[n]i1>, !array.array<[n][m]i1>) {
  %yes = arith.constant true
  %no = arith.constant false
  %all, %odd, %any = array.map (%xs in %xss : [n][m]i1) {
    %a, %o = array.redomap (%x in %xs : [m]i1) init (%yes : i1, %no : i1) map {
      array.yield %x, %x : i1, i1
    } combine (%a0, %o0, %a1, %o1) {
      %a = arith.andi %a0, %a1 : i1
      %o = arith.xori %o0, %o1 : i1
      array.yield %a, %o : i1, i1
    }
    %p = array.scan (%xs : [m]i1) init (%no : i1) combine (%acc, %x) {
      %t = arith.ori %acc, %x : i1
      array.yield %t : i1
    }
    array.yield %a, %o, %p : i1, i1, [m]i1
  }
  func.return %all, %odd, %any : !array.array<[n]i1>, !array.array<[n]i1>, !array.array<[n][m]i1>
}

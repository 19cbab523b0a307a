// run
// Scans of varying length inside a map of which the last element is used, guarded or not, or which are reduced, or both;
// and one that is read backwards, too. That one keeps an array, the others do not.
// inputs: [3, 1, 4]
// outputs: [3, 0, 6]; [3, 0, 6]; [8, 3, 26]; [4, 0, 10]; [4, 0, 10]
// inputs: [3, 0, 4]
// error: is out of range
// inputs: []
// given: the numbers are lengths of which none may be 0
// structure: kernel.segmap 1, scf.for 3, tensor.empty 1
// versions: kernel.segmap 1, tensor.empty 1
func.func @main(%is: !array.array<[t]index>) -> (!array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %a, %b, %c, %d, %e = array.map (%n in %is : [t]index) {
    %ks = array.iota %n : [?]i32
    %ms = array.scan (%ks : [?]i32) init (%zero : i32) combine arith.addi
    %some = arith.cmpi sgt, %n, %c0 : index
    %last = arith.subi %n, %c1 : index
    %guarded = scf.if %some -> (i32) {
      %x = array.index %ms[%last] : [?]i32
      scf.yield %x : i32
    } else {
      scf.yield %zero : i32
    }
    %js = array.iota %n : [?]i32
    %ps = array.scan (%js : [?]i32) init (%zero : i32) combine arith.addi
    %free = array.index %ps[%last] : [?]i32
    %more = array.map (%v in %js : [?]i32) {
      %w = arith.addi %v, %three : i32
      array.yield %w : i32
    }
    %qs = array.scan (%more : [?]i32) init (%zero : i32) combine arith.addi
    %sum = array.reduce (%qs : [?]i32) init (%zero : i32) combine arith.xori
    %rs = array.scan (%ps : [?]i32) init (%zero : i32) combine arith.addi
    %both = array.reduce (%rs : [?]i32) init (%zero : i32) combine arith.maxsi
    %turned = array.reverse %qs, 0 : [?]i32
    %ts = array.scan (%turned : [?]i32) init (%zero : i32) combine arith.maxsi
    %top = array.reduce (%ts : [?]i32) init (%zero : i32) combine arith.minsi
    %second = arith.addi %top, %both : i32
    array.yield %guarded, %free, %sum, %both, %second : i32, i32, i32, i32, i32
  }
  func.return %a, %b, %c, %d, %e : !array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]i32>
}

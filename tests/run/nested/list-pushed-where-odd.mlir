// run
// Lists at each point get an element where the step is odd or the point says so, and some of their own elements at the end.
// inputs: [0, 1, 2, 3, 7, 30]; 1
// inputs: []; 0
// inputs: [40]; 3
// numpy: out = []
// numpy: for n in ns.tolist():
// numpy:   l = [n]
// numpy:   for i in range(n):
// numpy:     if (i ^ n) % 2 == 1: l = l + [i * k, l[-1]]
// numpy:   l = l + l[::-1][:1] + l
// numpy:   out.append(sum((at + 1) * e for at, e in enumerate(l)))
// numpy: np.array(out, dtype=np.int32)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ns: !array.array<[t]index>, %k: i32) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %D = array.map (%n in %ns : [t]index) {
    %first = arith.index_cast %n : index to i32
    %start = array.replicate %first, [%c1] : i32 -> [?]i32
    %grown = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %x = arith.xori %i, %n : index
      %odd = arith.remui %x, %c2 : index
      %push = arith.cmpi eq, %odd, %c1 : index
      %b = scf.if %push -> (!array.array<[?]i32>) {
        %len = array.dim %a, 0 : [?]i32
        %at = arith.subi %len, %c1 : index
        %last = array.slice %a[%at] sizes [%c1] strides [%c1] : [?]i32 -> [?]i32
        %j = arith.index_cast %i : index to i32
        %jk = arith.muli %j, %k : i32
        %one = array.replicate %jk, [%c1] : i32 -> [?]i32
        %more = array.concat %a, %one, %last : [?]i32, [?]i32, [?]i32 -> [?]i32
        scf.yield %more : !array.array<[?]i32>
      } else {
        scf.yield %a : !array.array<[?]i32>
      }
      scf.yield %b : !array.array<[?]i32>
    }
    %back = array.reverse %grown, 0 : [?]i32
    %last = array.slice %back[%c0] sizes [%c1] strides [%c1] : [?]i32 -> [?]i32
    %whole = array.concat %grown, %last, %grown : [?]i32, [?]i32, [?]i32 -> [?]i32
    %size = array.dim %whole, 0 : [?]i32
    %places = array.iota %size : [?]i32
    %d = array.redomap (%e in %whole : [?]i32, %at in %places : [?]i32) init (%zero : i32) map {
      %c1_i32 = arith.constant 1 : i32
      %weight = arith.addi %at, %c1_i32 : i32
      %p = arith.muli %weight, %e : i32
      array.yield %p : i32
    } combine arith.addi
    array.yield %d : i32
  }
  func.return %D : !array.array<[t]i32>
}

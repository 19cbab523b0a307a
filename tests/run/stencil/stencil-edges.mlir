// run
// Naive programs whose indices are wrapped by choices and remainders or mirrored, with a loop whose bounds are sums: stencils.
// inputs: random:Nx12; random:7x9 where N = 0 1 2 3 37
// numpy: wrapped = (np.roll(a, 1, 0) + np.roll(np.roll(a, -1, 0), 2, 1)) + np.roll(a, 3, 1)
// numpy: def line(b):
// numpy:     p = np.pad(b, ((0, 0), (4, 4)), mode="reflect")
// numpy:     s = np.zeros_like(b)
// numpy:     for k in range(9):
// numpy:         s = s + p[:, k:k + 9]
// numpy:     return s
// numpy: wrapped, line(b) + np.pad(b, ((1, 0), (0, 0)), mode="reflect")[0:7]
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n][12]f32>, %b: !array.array<[7][9]f32>) -> (!array.array<[n][12]f32>, !array.array<[7][9]f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %n = array.dim %a, 0 : [n][12]f32
  %is = array.iota %n : [n]index
  %js = array.iota %c12 : [12]index
  %wrapped = array.map (%i in %is : [n]index) {
    %row = array.map (%j in %js : [12]index) {
      %up = arith.subi %i, %c1 : index
      %above = arith.cmpi slt, %up, %c0 : index
      %raised = arith.addi %up, %n : index
      %i0 = arith.select %above, %raised, %up : index
      %x0 = array.index %a[%i0, %j] : [n][12]f32
      %down = arith.addi %i, %c1 : index
      %inside = arith.cmpi slt, %down, %n : index
      %back = arith.subi %down, %n : index
      %i1 = arith.select %inside, %down, %back : index
      %left = arith.subi %j, %c2 : index
      %again = arith.addi %left, %c12 : index
      %j1 = arith.remui %again, %c12 : index
      %x1 = array.index %a[%i1, %j1] : [n][12]f32
      %far = arith.subi %j, %c3 : index
      %rest = arith.remsi %far, %c12 : index
      %positive = arith.addi %rest, %c12 : index
      %j2 = arith.remsi %positive, %c12 : index
      %x2 = array.index %a[%i, %j2] : [n][12]f32
      %s0 = arith.addf %x0, %x1 : f32
      %s1 = arith.addf %s0, %x2 : f32
      array.yield %s1 : f32
    }
    array.yield %row : [12]f32
  }
  %ks = array.iota %c7 : [7]index
  %ls = array.iota %c9 : [9]index
  %twice = arith.addi %c4, %c4 : index
  %side = arith.addi %twice, %c1 : index
  %mirrored = array.map (%i in %ks : [7]index) {
    %row = array.map (%j in %ls : [9]index) {
      %sum = scf.for %k = %c0 to %side step %c1 iter_args(%s = %zero) -> (f32) {
        %along = arith.addi %j, %k : index
        %at = arith.subi %along, %c4 : index
        %minus = arith.subi %c0, %at : index
        %low = arith.maxsi %at, %minus : index
        %turned = arith.subi %c16, %low : index
        %held = arith.minsi %low, %turned : index
        %x = array.index %b[%i, %held] : [7][9]f32
        %next = arith.addf %s, %x : f32
        scf.yield %next : f32
      }
      %up = arith.subi %i, %c1 : index
      %opposite = arith.subi %c1, %i : index
      %i0 = arith.maxsi %up, %opposite : index
      %y = array.index %b[%i0, %j] : [7][9]f32
      %t = arith.addf %sum, %y : f32
      array.yield %t : f32
    }
    array.yield %row : [9]f32
  }
  func.return %wrapped, %mirrored : !array.array<[n][12]f32>, !array.array<[7][9]f32>
}

// run
// Chains on a line: what all others read is read by two of them at other distances, and returned; a value outside, and steps that
// only move.
// inputs: random:N; random:N where N = 0 1 2 3 1023 1025 2049
// numpy: def padded(u, far, mode):
// numpy:     return np.pad(u, far, mode=mode) if mode != "constant" else np.pad(u, far, constant_values=np.int32(7))
// numpy: def at(p, far, by): return p[far + by : p.size - far + by]
// numpy: def run():
// numpy:     p = padded(a, 1, "edge")
// numpy:     s = at(p, 1, -1) + at(p, 1, 1)
// numpy:     p, q = padded(s, 3, "constant"), padded(b, 1, "wrap")
// numpy:     t = at(p, 3, -3) - at(p, 3, 3) + at(q, 1, 1)
// numpy:     u = s * t
// numpy:     p = padded(t, 1, "reflect")
// numpy:     return s, u + at(p, 1, -1)
// numpy: *(run() if a.size else (a, a)),
// structure: kernel.segmap 3
// versions: kernel.segmap 3
func.func @main(%a: !array.array<[n]i32>, %b: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %c = arith.constant 7 : i32
  %s = array.stencil (%x, %y in %a : [n]i32 at [-1, 1] clamp) {
    %z = arith.addi %x, %y : i32
    array.yield %z : i32
  }
  %t = array.stencil (%x, %y in %s : [n]i32 at [-3, 3] constant %c, %r in %b : [n]i32 at [1] wrap) {
    %d = arith.subi %x, %y : i32
    %z = arith.addi %d, %r : i32
    array.yield %z : i32
  }
  %u = array.stencil (%x, %o in %t : [n]i32 at [-1, 0] mirror, %p in %s : [n]i32 at [0]) {
    %d = arith.muli %p, %o : i32
    %z = arith.addi %d, %x : i32
    array.yield %z : i32
  }
  func.return %s, %u : !array.array<[n]i32>, !array.array<[n]i32>
}

// run
// Elements further away than short lines are long: rules repeat.
// inputs: [1, 2, 3]; -1
// inputs: random:N; 5 where N = 0 1 2 3 4 5 9 10 64
// numpy: def at(a, offset, mode, c=0):
// numpy:     out = a
// numpy:     for d, o in enumerate(offset):
// numpy:         n = a.shape[d]
// numpy:         i = np.arange(n) + o
// numpy:         if n:
// numpy:             r = abs(o)
// numpy:             i = i if mode == "raw" else np.pad(np.arange(n), r, mode=mode)[i + r]
// numpy:         out = np.take(out, i, axis=d)
// numpy:     return out
// numpy: def beside(a, offset, c):
// numpy:     r = [abs(o) for o in offset]
// numpy:     p = np.pad(a, [(x, x) for x in r], constant_values=c)
// numpy:     return p[tuple(slice(x + o, x + o + n) for x, o, n in zip(r, offset, a.shape))]
// numpy: offsets = [(-9,), (-4,), (0,), (2,), (9,)]
// numpy: rule = lambda mode: sum((a.dtype.type(k + 1) * at(a, o, mode) for k, o in enumerate(offsets)), np.zeros_like(a))
// numpy: constant = sum((a.dtype.type(k + 1) * beside(a, o, c) for k, o in enumerate(offsets)), np.zeros_like(a))
// numpy: *(rule(mode) for mode in ("edge", "reflect", "symmetric", "wrap")), constant
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[n]i32>, %c: i32) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %clamp = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n]i32 at [-9, -4, 0, 2, 9] clamp) {
    %w0 = arith.constant 1 : i32
    %p0 = arith.muli %w0, %x0 : i32
    %w1 = arith.constant 2 : i32
    %p1 = arith.muli %w1, %x1 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %w2 = arith.constant 3 : i32
    %p2 = arith.muli %w2, %x2 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %w3 = arith.constant 4 : i32
    %p3 = arith.muli %w3, %x3 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %w4 = arith.constant 5 : i32
    %p4 = arith.muli %w4, %x4 : i32
    %s4 = arith.addi %s3, %p4 : i32
    array.yield %s4 : i32
  }
  %mirror = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n]i32 at [-9, -4, 0, 2, 9] mirror) {
    %w0 = arith.constant 1 : i32
    %p0 = arith.muli %w0, %x0 : i32
    %w1 = arith.constant 2 : i32
    %p1 = arith.muli %w1, %x1 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %w2 = arith.constant 3 : i32
    %p2 = arith.muli %w2, %x2 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %w3 = arith.constant 4 : i32
    %p3 = arith.muli %w3, %x3 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %w4 = arith.constant 5 : i32
    %p4 = arith.muli %w4, %x4 : i32
    %s4 = arith.addi %s3, %p4 : i32
    array.yield %s4 : i32
  }
  %symmetric = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n]i32 at [-9, -4, 0, 2, 9] symmetric) {
    %w0 = arith.constant 1 : i32
    %p0 = arith.muli %w0, %x0 : i32
    %w1 = arith.constant 2 : i32
    %p1 = arith.muli %w1, %x1 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %w2 = arith.constant 3 : i32
    %p2 = arith.muli %w2, %x2 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %w3 = arith.constant 4 : i32
    %p3 = arith.muli %w3, %x3 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %w4 = arith.constant 5 : i32
    %p4 = arith.muli %w4, %x4 : i32
    %s4 = arith.addi %s3, %p4 : i32
    array.yield %s4 : i32
  }
  %wrap = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n]i32 at [-9, -4, 0, 2, 9] wrap) {
    %w0 = arith.constant 1 : i32
    %p0 = arith.muli %w0, %x0 : i32
    %w1 = arith.constant 2 : i32
    %p1 = arith.muli %w1, %x1 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %w2 = arith.constant 3 : i32
    %p2 = arith.muli %w2, %x2 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %w3 = arith.constant 4 : i32
    %p3 = arith.muli %w3, %x3 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %w4 = arith.constant 5 : i32
    %p4 = arith.muli %w4, %x4 : i32
    %s4 = arith.addi %s3, %p4 : i32
    array.yield %s4 : i32
  }
  %constant = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n]i32 at [-9, -4, 0, 2, 9] constant %c) {
    %w0 = arith.constant 1 : i32
    %p0 = arith.muli %w0, %x0 : i32
    %w1 = arith.constant 2 : i32
    %p1 = arith.muli %w1, %x1 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %w2 = arith.constant 3 : i32
    %p2 = arith.muli %w2, %x2 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %w3 = arith.constant 4 : i32
    %p3 = arith.muli %w3, %x3 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %w4 = arith.constant 5 : i32
    %p4 = arith.muli %w4, %x4 : i32
    %s4 = arith.addi %s3, %p4 : i32
    array.yield %s4 : i32
  }
  func.return %clamp, %mirror, %symmetric, %wrap, %constant : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}

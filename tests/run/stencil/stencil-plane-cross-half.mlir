// run
// A cross in the plane, not the same along both dimensions, of sixteen-bit floats.
// inputs: random:NxM; 0.25 where N = 0 1 2 7 33; M = 0 1 3 37
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
// numpy: offsets = [(-2, 0,), (0, -1,), (0, 0,), (0, 3,), (1, 0,)]
// numpy: rule = lambda mode: sum((a.dtype.type(k + 1) * at(a, o, mode) for k, o in enumerate(offsets)), np.zeros_like(a))
// numpy: constant = sum((a.dtype.type(k + 1) * beside(a, o, c) for k, o in enumerate(offsets)), np.zeros_like(a))
// numpy: *(rule(mode) for mode in ("edge", "reflect", "symmetric", "wrap")), constant
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[n][m]f16>, %c: f16) -> (!array.array<[n][m]f16>, !array.array<[n][m]f16>, !array.array<[n][m]f16>, !array.array<[n][m]f16>, !array.array<[n][m]f16>) {
  %clamp = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n][m]f16 at [[-2, 0], [0, -1], [0, 0], [0, 3], [1, 0]] clamp) {
    %w0 = arith.constant 1.0 : f16
    %p0 = arith.mulf %w0, %x0 : f16
    %w1 = arith.constant 2.0 : f16
    %p1 = arith.mulf %w1, %x1 : f16
    %s1 = arith.addf %p0, %p1 : f16
    %w2 = arith.constant 3.0 : f16
    %p2 = arith.mulf %w2, %x2 : f16
    %s2 = arith.addf %s1, %p2 : f16
    %w3 = arith.constant 4.0 : f16
    %p3 = arith.mulf %w3, %x3 : f16
    %s3 = arith.addf %s2, %p3 : f16
    %w4 = arith.constant 5.0 : f16
    %p4 = arith.mulf %w4, %x4 : f16
    %s4 = arith.addf %s3, %p4 : f16
    array.yield %s4 : f16
  }
  %mirror = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n][m]f16 at [[-2, 0], [0, -1], [0, 0], [0, 3], [1, 0]] mirror) {
    %w0 = arith.constant 1.0 : f16
    %p0 = arith.mulf %w0, %x0 : f16
    %w1 = arith.constant 2.0 : f16
    %p1 = arith.mulf %w1, %x1 : f16
    %s1 = arith.addf %p0, %p1 : f16
    %w2 = arith.constant 3.0 : f16
    %p2 = arith.mulf %w2, %x2 : f16
    %s2 = arith.addf %s1, %p2 : f16
    %w3 = arith.constant 4.0 : f16
    %p3 = arith.mulf %w3, %x3 : f16
    %s3 = arith.addf %s2, %p3 : f16
    %w4 = arith.constant 5.0 : f16
    %p4 = arith.mulf %w4, %x4 : f16
    %s4 = arith.addf %s3, %p4 : f16
    array.yield %s4 : f16
  }
  %symmetric = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n][m]f16 at [[-2, 0], [0, -1], [0, 0], [0, 3], [1, 0]] symmetric) {
    %w0 = arith.constant 1.0 : f16
    %p0 = arith.mulf %w0, %x0 : f16
    %w1 = arith.constant 2.0 : f16
    %p1 = arith.mulf %w1, %x1 : f16
    %s1 = arith.addf %p0, %p1 : f16
    %w2 = arith.constant 3.0 : f16
    %p2 = arith.mulf %w2, %x2 : f16
    %s2 = arith.addf %s1, %p2 : f16
    %w3 = arith.constant 4.0 : f16
    %p3 = arith.mulf %w3, %x3 : f16
    %s3 = arith.addf %s2, %p3 : f16
    %w4 = arith.constant 5.0 : f16
    %p4 = arith.mulf %w4, %x4 : f16
    %s4 = arith.addf %s3, %p4 : f16
    array.yield %s4 : f16
  }
  %wrap = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n][m]f16 at [[-2, 0], [0, -1], [0, 0], [0, 3], [1, 0]] wrap) {
    %w0 = arith.constant 1.0 : f16
    %p0 = arith.mulf %w0, %x0 : f16
    %w1 = arith.constant 2.0 : f16
    %p1 = arith.mulf %w1, %x1 : f16
    %s1 = arith.addf %p0, %p1 : f16
    %w2 = arith.constant 3.0 : f16
    %p2 = arith.mulf %w2, %x2 : f16
    %s2 = arith.addf %s1, %p2 : f16
    %w3 = arith.constant 4.0 : f16
    %p3 = arith.mulf %w3, %x3 : f16
    %s3 = arith.addf %s2, %p3 : f16
    %w4 = arith.constant 5.0 : f16
    %p4 = arith.mulf %w4, %x4 : f16
    %s4 = arith.addf %s3, %p4 : f16
    array.yield %s4 : f16
  }
  %constant = array.stencil (%x0, %x1, %x2, %x3, %x4 in %a : [n][m]f16 at [[-2, 0], [0, -1], [0, 0], [0, 3], [1, 0]] constant %c) {
    %w0 = arith.constant 1.0 : f16
    %p0 = arith.mulf %w0, %x0 : f16
    %w1 = arith.constant 2.0 : f16
    %p1 = arith.mulf %w1, %x1 : f16
    %s1 = arith.addf %p0, %p1 : f16
    %w2 = arith.constant 3.0 : f16
    %p2 = arith.mulf %w2, %x2 : f16
    %s2 = arith.addf %s1, %p2 : f16
    %w3 = arith.constant 4.0 : f16
    %p3 = arith.mulf %w3, %x3 : f16
    %s3 = arith.addf %s2, %p3 : f16
    %w4 = arith.constant 5.0 : f16
    %p4 = arith.mulf %w4, %x4 : f16
    %s4 = arith.addf %s3, %p4 : f16
    array.yield %s4 : f16
  }
  func.return %clamp, %mirror, %symmetric, %wrap, %constant : !array.array<[n][m]f16>, !array.array<[n][m]f16>, !array.array<[n][m]f16>, !array.array<[n][m]f16>, !array.array<[n][m]f16>
}

"""Compiles Triton kernels to PTX without a GPU, and writes inputs and the results numpy computes.

Usage: triton_kernels.py DIRECTORY. Each program becomes DIRECTORY/NAME.ptx with its data and NAME.run, which
`tests/foreign.rs` reads. A line of a .run file is one of
    kernel NAME | grid X Y Z | block X | shared BYTES
    buffer FILE BYTES              input, or zeros where FILE is -
    result INDEX FILE TYPE TOLERANCE   buffer INDEX must hold FILE, relative to the largest magnitude
    u32 VALUE | f32 VALUE | null       scalar parameter, or a pointer the kernel does not use
in the order of parameters.
"""

import os
import sys

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

OUT = sys.argv[1]
RNG = np.random.default_rng(7)


@triton.jit
def axpy(x, y, out, n, alpha, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = alpha * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(out + at, tl.maximum(value, 0.0), mask=inside)


@triton.jit
def elementwise(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(x + at, mask=inside, other=1.0)
    w = tl.exp(v) + tl.log(tl.abs(v) + 1.0) * tl.sqrt(tl.abs(v)) + tl.sin(v) * tl.cos(v) + tl.erf(v)
    tl.store(out + at, w / (1.0 + tl.exp2(-v)) + tl.floor(v), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * columns + at, e / tl.sum(e, axis=0), mask=at < columns)


@triton.jit
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out + row, tl.sum(total, axis=0))


@triton.jit
def total_atomic(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(out, tl.sum(v, axis=0))
    tl.atomic_max(out + 1, tl.max(v, axis=0))


@triton.jit
def argmax_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, axis=0))


@triton.jit
def layer_norm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / columns
    centred = tl.where(inside, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    w, b = tl.load(weight + at, mask=inside), tl.load(bias + at, mask=inside)
    tl.store(out + row * columns + at, (centred * scale * w + b).to(tl.float16), mask=inside)


@triton.jit
def scan_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0)
    tl.store(out + row * columns + at, tl.cumsum(v, axis=0), mask=at < columns)


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    counts = tl.histogram(tl.load(x + at, mask=at < n, other=0), BINS, mask=at < n)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


@triton.jit
def sort_rows(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def transpose(x, out, rows, columns, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.load(x + r[:, None] * columns + c[None, :], mask=inside)
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v), mask=tl.trans(inside))


@triton.jit
def stencil(x, out, rows, columns, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    r = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)[:, None]
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)[None, :]
    total = tl.zeros([BLOCK_R, BLOCK_C], tl.float32)
    for dr in tl.static_range(-1, 2):
        for dc in tl.static_range(-1, 2):
            inside = (r + dr >= 0) & (r + dr < rows) & (c + dc >= 0) & (c + dc < columns)
            total += (2 - dr * dc) * tl.load(x + (r + dr) * columns + c + dc, mask=inside, other=0.0)
    tl.store(out + r * columns + c, total, mask=(r < rows) & (c < columns))


@triton.jit
def matmul(a, b, c, M, N, K, PRECISION: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * K + rk[None, :]
    pb = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        x = tl.load(pa, mask=(rm[:, None] < M) & (rk[None, :] + k < K), other=0.0)
        y = tl.load(pb, mask=(rk[:, None] + k < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION)
        pa += BK
        pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def matmul_int8(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros([BM, BN], tl.int32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + rk[None, :] + k)
        y = tl.load(b + (rk[:, None] + k) * N + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def attention(q, k, v, out, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    query = tl.load(q + rm[:, None] * D + rd[None, :])
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in range(0, N, BN):
        rn = start + tl.arange(0, BN)
        scores = tl.dot(query, tl.trans(tl.load(k + rn[:, None] * D + rd[None, :]))) * scale
        new = tl.maximum(top, tl.max(scores, 1))
        p = tl.exp(scores - new[:, None])
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), tl.load(v + rn[:, None] * D + rd[None, :]))
        top = new
    tl.store(out + rm[:, None] * D + rd[None, :], acc / total[:, None])


@triton.jit
def eight_bit_floats(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(out + at, v.to(tl.float8e5).to(tl.float32) + v.to(tl.float16).to(tl.float32), mask=at < n)


@triton.jit
def random_numbers(out, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.rand(seed, at))


TYPES = {"float32": "fp32", "float16": "fp16", "int32": "i32", "int8": "i8", "uint16": "bf16"}


def bf16(values):
    """The nearest bfloat16 patterns, and their values."""
    bits = values.astype(np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return rounded, (rounded.astype(np.uint32) << 16).view(np.float32)


def program(name, kernel, grid, arguments, results, constants, chip=80, warps=4, stages=3):
    """Compiles `kernel` and writes everything a run needs. `results` maps buffer indices to (array, tolerance)."""
    names = [p.name for p in kernel.params]
    signature, lines, buffers = {}, [], 0
    for parameter, value in zip(names, arguments):
        if isinstance(value, np.ndarray):
            signature[parameter] = "*" + TYPES[str(value.dtype)]
            file = f"{name}.{buffers}"
            value.tofile(os.path.join(OUT, file))
            lines.append(f"buffer {file} {value.nbytes}")
            buffers += 1
        elif isinstance(value, float):
            signature[parameter] = "fp32"
            lines.append(f"f32 {value!r}")
        else:
            signature[parameter] = "i32"
            lines.append(f"u32 {value}")
    for parameter in constants:
        signature[parameter] = "constexpr"
    # Pointers and sizes are told to be multiples of 16, as Triton's launcher does.
    aligned = {
        (i,): [["tt.divisibility", 16]]
        for i, value in enumerate(arguments)
        if isinstance(value, np.ndarray) or (isinstance(value, int) and value % 16 == 0)
    }
    source = ASTSource(kernel, signature, constexprs=constants, attrs=aligned)
    target = GPUTarget("cuda", chip, 32)
    compiled = triton.compile(source, target=target, options={"num_warps": warps, "num_stages": stages})
    with open(os.path.join(OUT, name + ".ptx"), "w") as file:
        file.write(compiled.asm["ptx"])
    grid = tuple(grid) + (1,) * (3 - len(grid))
    head = [
        f"kernel {compiled.metadata.name}",
        "grid " + " ".join(map(str, grid)),
        f"block {compiled.metadata.num_warps * 32}",
        f"shared {compiled.metadata.shared}",
    ]
    for index, (array, tolerance) in results.items():
        array.tofile(os.path.join(OUT, f"{name}.{index}.result"))
        lines.append(f"result {index} {name}.{index}.result {array.dtype} {tolerance}")
    with open(os.path.join(OUT, name + ".run"), "w") as file:
        file.write("\n".join(head + lines) + "\n")


def uniform(*shape):
    return RNG.uniform(-2, 2, shape).astype(np.float32)


def erf(x):
    return np.vectorize(__import__("math").erf)(x)


def small_programs():
    n = 1000
    x, y = uniform(n), uniform(n)
    zeros = np.zeros(n, np.float32)
    program("axpy", axpy, [4], [x, y, zeros, n, 1.5], {2: (np.maximum(np.float32(1.5) * x + y, 0), 1e-6)}, {"BLOCK": 256})
    d = x.astype(np.float64)
    wanted = np.exp(d) + np.log(np.abs(d) + 1) * np.sqrt(np.abs(d)) + np.sin(d) * np.cos(d) + erf(d)
    wanted = wanted / (1 + np.exp2(-d)) + np.floor(d)
    program("elementwise", elementwise, [4], [x, zeros, n], {1: (wanted.astype(np.float32), 1e-5)}, {"BLOCK": 256})
    m = uniform(6, 777)
    e = np.exp(m - m.max(1, keepdims=True))
    program("softmax", softmax, [6], [m, np.zeros_like(m), 777], {1: ((e / e.sum(1, keepdims=True)), 1e-5)}, {"BLOCK": 1024})
    program("row_sum", row_sum, [6], [m, np.zeros(6, np.float32), 777], {1: (m.sum(1), 1e-5)}, {"BLOCK": 256})
    integers = RNG.integers(-1000, 1000, 5000).astype(np.int32)
    wanted = np.array([integers.sum(), integers.max()], np.int32)
    program("total_atomic", total_atomic, [5], [integers, np.zeros(2, np.int32), 5000], {1: (wanted, 0)}, {"BLOCK": 1024})
    program("argmax_rows", argmax_rows, [6], [m, np.zeros(6, np.int32), 777], {1: (m.argmax(1).astype(np.int32), 0)}, {"BLOCK": 1024})
    w, b = uniform(777), uniform(777)
    norm = (m - m.mean(1, keepdims=True)) / np.sqrt(m.var(1, keepdims=True) + 1e-5) * w + b
    out = np.zeros(m.shape, np.float16)
    program("layer_norm", layer_norm, [6], [m, w, b, out, 777, 1e-5], {3: (norm.astype(np.float16), 2e-3)}, {"BLOCK": 1024})
    rows = RNG.integers(-9, 9, (4, 500)).astype(np.int32)
    program("scan_rows", scan_rows, [4], [rows, np.zeros_like(rows), 500], {1: (rows.cumsum(1).astype(np.int32), 0)}, {"BLOCK": 512})
    bins = RNG.integers(0, 64, 3000).astype(np.int32)
    counts = np.bincount(bins, minlength=64).astype(np.int32)
    program("histogram", histogram, [6], [bins, np.zeros(64, np.int32), 3000], {1: (counts, 0)}, {"BLOCK": 512, "BINS": 64})
    keys = RNG.integers(-10**6, 10**6, (3, 512)).astype(np.int32)
    program("sort_rows", sort_rows, [3], [keys, np.zeros_like(keys)], {1: (np.sort(keys, axis=1), 0)}, {"BLOCK": 512})
    t = uniform(100, 70)
    program("transpose", transpose, [2, 2], [t, np.zeros((70, 100), np.float32), 100, 70], {1: (np.ascontiguousarray(t.T), 0)}, {"BLOCK": 64})
    padded = np.pad(t, 1)
    sums = sum((2 - r * c) * padded[1 + r : 101 + r, 1 + c : 71 + c] for r in (-1, 0, 1) for c in (-1, 0, 1))
    program("stencil", stencil, [13, 2], [t, np.zeros_like(t), 100, 70], {1: (sums.astype(np.float32), 1e-5)}, {"BLOCK_R": 8, "BLOCK_C": 64})
    half = x.astype(np.float16).astype(np.float32)
    # Round to two significand bits, ties to even.
    bits = x.astype(np.float16).view(np.uint16).astype(np.uint32)
    bits = (bits + 0x7F + ((bits >> 8) & 1)) & 0xFF00
    eight = bits.astype(np.uint16).view(np.float16).astype(np.float32)
    program("eight_bit_floats_90", eight_bit_floats, [4], [x, zeros, n], {1: (eight + half, 1e-1)}, {"BLOCK": 256}, chip=90)
    seed_out = np.zeros(1024, np.float32)
    program("random_numbers", random_numbers, [4], [seed_out, 42], {0: (philox(42, 1024), 1e-7)}, {"BLOCK": 256})


def philox(seed, n):
    """tl.rand: the first word of Philox 4x32-10 of (offset, 0, 0, 0), as a number in [0, 1)."""
    c = [np.arange(n, dtype=np.uint64)] + [np.zeros(n, np.uint64)] * 3
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    mask = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        high_a, low_a, high_b, low_b = a >> np.uint64(32), a & mask, b >> np.uint64(32), b & mask
        c = [high_b ^ c[1] ^ np.uint64(k0), low_b, high_a ^ c[3] ^ np.uint64(k1), low_a]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    word = c[0].astype(np.uint32).view(np.int32).astype(np.int64)
    word = np.where(word < 0, -word - 1, word)
    return (word.astype(np.float32) * np.float32(4.6566127342e-10)).astype(np.float32)


def products():
    for chip in (80, 90):
        for kind, precision, tolerance in (("f16", "ieee", 1e-3), ("bf16", "ieee", 1e-3), ("f32", "tf32", 5e-3), ("f32", "ieee", 1e-5)):
            m, n, k = 128, 96, 80
            if kind == "f16":
                a, b = uniform(m, k).astype(np.float16), uniform(k, n).astype(np.float16)
                wanted = a.astype(np.float32) @ b.astype(np.float32)
            elif kind == "bf16":
                (a, av), (b, bv) = bf16(uniform(m, k)), bf16(uniform(k, n))
                wanted = av @ bv
            else:
                a, b = uniform(m, k), uniform(k, n)
                wanted = a @ b
            name = f"matmul_{kind}_{precision}_{chip}"
            shape = {"PRECISION": precision, "BM": 64, "BN": 64, "BK": 32}
            program(name, matmul, [2, 2], [a, b, np.zeros((m, n), np.float32), m, n, k], {2: (wanted, tolerance)}, shape, chip)
        a, b = (RNG.integers(-128, 128, (64, 64)).astype(np.int8) for _ in range(2))
        wanted = a.astype(np.int32) @ b.astype(np.int32)
        shape = {"BM": 64, "BN": 64, "BK": 32}
        program(f"matmul_int8_{chip}", matmul_int8, [1, 1], [a, b, np.zeros((64, 64), np.int32), 64, 64], {2: (wanted, 0)}, shape, chip)
        q, key, v = (uniform(128, 64).astype(np.float16) for _ in range(3))
        scores = q.astype(np.float32) @ key.astype(np.float32).T * 0.125
        p = np.exp(scores - scores.max(1, keepdims=True))
        wanted = (p / p.sum(1, keepdims=True)) @ v.astype(np.float32)
        shape = {"BM": 64, "BN": 32, "D": 64}
        arguments = [q, key, v, np.zeros((128, 64), np.float32), 128, 0.125]
        program(f"attention_{chip}", attention, [2], arguments, {3: (wanted, 5e-3)}, shape, chip)


os.makedirs(OUT, exist_ok=True)
small_programs()
products()

#!/usr/bin/env python3
"""Segra on a GPU, beside cuBLAS and CUB (through PyTorch and CuPy), XLA and Triton: one table in Markdown.

    tests/gpu/peers.py --segra target/release/segra [--only reduce scan] [--json FILE]

Needs a GPU, numpy, PyTorch with Triton, CuPy and JAX; what it says of sequences of BLAS calls is in sequences.py, which needs no GPU. Times are of the device, from the first step to the last, by
events: of Segra the host plan, without copies of arguments and results from and to the host; of the others a call, whose
result it allocates. Medians of REPEATS after WARM warm-ups; of Segra, too, as `segra bench` says it. XLA is timed by the
host's clock over REPEATS calls at once. Results of all are compared with PyTorch's in f64. Arrays are larger than the L2
cache. The least possible are bytes read once and written once at the bandwidth of a copy; what bounds the matrix product
are operations, so its rate is given.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("CUPY_ACCELERATORS", "cub")

import numpy as np
import torch
import triton
import triton.language as tl

from sequences import SCRIPTS, SEQUENCES, as_list, deviation, results, written

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WARM, REPEATS = 5, 20
N = 1 << 26
SIDE = 8192
PRODUCT = 4096
#: Index arrays of random access.
MANY = 1 << 24


def by_events(call):
    """Median time of a call, in microseconds."""
    for _ in range(WARM):
        call()
    times = []
    for _ in range(REPEATS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) * 1e3)
    return statistics.median(times)


def by_clock(call):
    """Time of one of many calls, by the host's clock, in microseconds."""
    import jax

    for _ in range(WARM):
        jax.block_until_ready(call())
    start = time.perf_counter()
    result = None
    for _ in range(REPEATS):
        result = call()
    jax.block_until_ready(result)
    return (time.perf_counter() - start) / REPEATS * 1e6


@triton.jit
def map_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + at, mask=at < n)
    tl.store(y + at, a * a + a, mask=at < n)


@triton.jit
def sum_kernel(x, out, n, steps, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * BLOCK * steps
    acc = tl.zeros([BLOCK], tl.float32)
    for step in range(steps):
        at = start + step * BLOCK + tl.arange(0, BLOCK)
        acc += tl.load(x + at, mask=at < n, other=0.0)
    tl.atomic_add(out, tl.sum(acc))


@triton.jit
def transpose_kernel(x, y, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i[:, None] * m + j[None, :], mask=(i[:, None] < n) & (j[None, :] < m))
    tl.store(y + j[:, None] * n + i[None, :], tl.trans(a), mask=(j[:, None] < m) & (i[None, :] < n))


@triton.jit
def softmax_kernel(x, y, m, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0).to(tl.int64) * m
    a = tl.load(x + row + at, mask=at < m, other=float("-inf"))
    e = tl.exp(a - tl.max(a))
    tl.store(y + row + at, e / tl.sum(e), mask=at < m)


@triton.jit
def product_kernel(a, b, c, n, BLOCK: tl.constexpr, STEP: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, STEP)
    acc = tl.zeros([BLOCK, BLOCK], tl.float32)
    for step in range(0, n, STEP):
        x = tl.load(a + i[:, None] * n + (step + k)[None, :])
        y = tl.load(b + (step + k)[:, None] * n + j[None, :])
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.store(c + i[:, None] * n + j[None, :], acc)


def triton_map(x):
    y = torch.empty_like(x)
    map_kernel[(triton.cdiv(x.numel(), 2048),)](x, y, x.numel(), BLOCK=2048)
    return y


def triton_sum(x):
    out = torch.zeros((), device="cuda")
    steps = 16
    sum_kernel[(triton.cdiv(x.numel(), 4096 * steps),)](x, out, x.numel(), steps, BLOCK=4096)
    return out


def triton_transpose(x):
    n, m = x.shape
    y = torch.empty((m, n), device="cuda")
    transpose_kernel[(triton.cdiv(n, 64), triton.cdiv(m, 64))](x, y, n, m, BLOCK=64)
    return y


def triton_softmax(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=8)
    return y


def triton_product(a, b):
    c = torch.empty_like(a)
    grid = (PRODUCT // 64, PRODUCT // 64)
    product_kernel[grid](a, b, c, PRODUCT, BLOCK=64, STEP=16, num_warps=8)
    return c


def scatter(copy):
    """Values written to places of a copy."""

    def call(places, values, xs):
        out = copy(xs)
        out[places] = values
        return out

    return call


class Workload:
    """A program and what peers make of the same. `least`: the bytes it moves at least; `peers`: name to function of the inputs."""

    def __init__(self, name, program, inputs, reference, least, peers, options=(), flops=None, error=1e-5):
        self.name, self.program, self.inputs, self.reference = name, ROOT / program, inputs, reference
        self.least, self.peers, self.options, self.flops, self.error = least, peers, list(options), flops, error


def sgemvt_calls(A, y, z, alpha, beta):
    x = torch.addmv(z, A.t(), y, alpha=beta)
    return x, torch.addmv(y, A, x, beta=0, alpha=alpha)


def gemver_calls(A, u1, v1, u2, v2, y, z, alpha, beta):
    B = torch.addr(torch.addr(A, u1, v1), u2, v2)
    x = torch.addmv(z, B.t(), y, alpha=beta)
    return B, x, torch.addmv(y, B, x, beta=0, alpha=alpha)


def axpydot_calls(w, v, u, alpha):
    z = torch.add(w, v, alpha=-alpha)
    return z, torch.dot(z, u)


#: The sequences as a library's user writes them: a call for each of BLAS's functions.
CALLS = {
    "axpydot": axpydot_calls,
    "atax": lambda A, x: torch.mv(A.t(), torch.mv(A, x)),
    "bicgk": lambda A, p, r: (torch.mv(A, p), torch.mv(A.t(), r)),
    "sgemv": lambda A, x, y, alpha, beta: torch.addmv(y, A, x, beta=beta, alpha=alpha),
    "sgemvt": sgemvt_calls,
    "sscal": torch.mul,
    "gemver": gemver_calls,
    "gesummv": lambda A, B, x, alpha, beta: torch.addmv(torch.mv(A, x), B, x, beta=alpha, alpha=beta),
    "madd": torch.add,
    "vadd": lambda w, y, z: torch.add(torch.add(w, y), z),
    "waxpby": lambda x, y, alpha, beta: torch.add(torch.mul(x, alpha), y, alpha=beta),
}


def sequences(draw):
    for name, sequence in SEQUENCES.items():
        reference = sequence.reference
        yield Workload(name, SCRIPTS / f"{name}.blas", sequence.arguments(draw, SIDE, SIDE, N), f64(reference),
                       sequence.bytes(SIDE, SIDE, N),
                       {"cuBLAS (PyTorch)": CALLS[name], "torch.compile (Triton)": torch.compile(reference)}, error=1e-4)


def f64(function):
    return lambda *inputs: function(*(x.double() if getattr(x, "dtype", None) == torch.float32 else x for x in inputs))


def workloads():
    draw = np.random.default_rng(0)

    def uniform(*shape):
        return draw.random(shape, dtype=np.float32)

    def xla(function):
        import jax

        return jax.jit(function)

    import jax
    import jax.numpy as jnp

    def cupy(name):
        import cupy

        return getattr(cupy, name)

    vector, matrix = [uniform(N)], [uniform(SIDE, SIDE)]
    places = draw.permutation(MANY).astype(np.int32)
    numbers = draw.random(MANY, dtype=np.float32)
    traffic = pathlib.Path("benches/traffic")
    yield Workload("map", traffic / "map.mlir", vector, f64(lambda x: x * x + x), 8 * N, {
        "PyTorch": lambda x: torch.addcmul(x, x, x), "XLA": xla(lambda x: x * x + x), "Triton": triton_map})
    yield Workload("reduce", traffic / "reduce.mlir", vector, f64(torch.sum), 4 * N, {
        "PyTorch": torch.sum, "CUB (CuPy)": lambda x: x.sum(), "XLA": xla(jnp.sum), "Triton": triton_sum})
    yield Workload("scan", traffic / "scan.mlir", vector, f64(lambda x: x.cumsum(0)), 8 * N, {
        "PyTorch": lambda x: x.cumsum(0), "CUB (CuPy)": lambda x: x.cumsum(), "XLA": xla(jnp.cumsum)}, error=1e-4)
    yield Workload("transpose", traffic / "transpose.mlir", matrix, f64(lambda x: x.t()), 8 * SIDE**2, {
        "PyTorch": lambda x: x.t().contiguous(), "CUB (CuPy)": lambda x: cupy("ascontiguousarray")(x.T),
        "XLA": xla(jnp.transpose), "Triton": triton_transpose})
    yield Workload("scatter, random", traffic / "scatter.mlir", [places, numbers, uniform(MANY)], scatter(torch.clone), 20 * MANY, {
        "PyTorch": scatter(torch.clone), "CuPy": scatter(lambda xs: xs.copy()),
        "XLA": xla(lambda i, v, x: x.at[i].set(v, unique_indices=True))})
    yield Workload("gather, random", traffic / "gather.mlir", [numbers, places], lambda x, i: x[i], 12 * MANY, {
        "PyTorch": lambda x, i: x[i], "CuPy": lambda x, i: x[i], "XLA": xla(lambda x, i: x[i])})
    for bins in (256, 1 << 16):
        keys = draw.integers(0, bins, N, dtype=np.int32)
        yield Workload(f"histogram, {bins} bins", traffic / "histogram.mlir", [keys, np.zeros(bins, np.int32)],
                       lambda x, start: torch.bincount(x, minlength=len(start)), 4 * N + 12 * bins, {
            "PyTorch": lambda x, start: torch.bincount(x, minlength=len(start)),
            "CuPy": lambda x, start: cupy("bincount")(x, minlength=len(start)),
            "XLA": xla(lambda x, start: start.at[x].add(1))})
    yield Workload("softmax", "examples/softmax.mlir", matrix, f64(lambda x: torch.softmax(x, 1)), 8 * SIDE**2, {
        "PyTorch": lambda x: torch.softmax(x, 1), "XLA": xla(lambda x: jax.nn.softmax(x, 1)), "Triton": triton_softmax})
    product = [uniform(PRODUCT, PRODUCT), uniform(PRODUCT, PRODUCT)]
    exact = xla(lambda a, b: jnp.matmul(a, b, precision=jax.lax.Precision.HIGHEST))
    for name, options in [("", ()), (", tiled", ("--pipeline", "array-to-gpu-tiled"))]:
        yield Workload(f"matrix product{name}", "examples/matmul.mlir", product, f64(torch.matmul), 12 * PRODUCT**2, {
            "cuBLAS (PyTorch)": torch.matmul, "XLA": exact, "Triton": triton_product}, options, flops=2 * PRODUCT**3)
    yield from sequences(draw)


def on_gpu(inputs):
    return [x if isinstance(x, float) else torch.from_numpy(x).cuda() for x in inputs]


def peer_inputs(name, inputs):
    """The inputs where a peer wants them, and its clock."""
    if "XLA" in name:
        import jax

        return [jax.device_put(x) for x in inputs], by_clock
    if "CuPy" in name:
        import cupy

        return [cupy.asarray(x) for x in inputs], by_events
    return on_gpu(inputs), by_events


def as_numpy(result):
    result = result.cpu().numpy() if isinstance(result, torch.Tensor) else result
    return np.asarray(result.get() if hasattr(result, "get") else result)


def furthest(found, expected):
    """The largest deviation of results."""
    return max(deviation(*pair) for pair in zip(found, expected)) if len(found) == len(expected) else float("inf")


class Segra:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def run(self, *command):
        run = subprocess.run([self.tool, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if run.returncode:
            raise RuntimeError(run.stderr.strip())
        return run.stdout

    def measure(self, work):
        """Time, by kernel too, and the largest deviation."""
        values = written(work.inputs, self.folder)
        artifact = self.folder / "program.segra"
        self.run("compile", work.program, *work.options, "--target", "sm_90", "-o", artifact)
        inputs = [part for value in values for part in ("--input", value)]
        out = self.folder / "out"
        self.run("run", artifact, *inputs, "--device", "cuda", "--output", out)
        found = results(out)
        data = "; ".join(values)
        report = json.loads(self.run("bench", artifact, "--data", data, "--device", "cuda", "--runs", REPEATS, "--json"))
        return report["data_sets"][0], found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--only", nargs="+", help="beginnings of names of workloads")
    parser.add_argument("--json", type=pathlib.Path, help="writes all figures, times of kernels too")
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    source = torch.rand(N, device="cuda")
    target = torch.empty_like(source)
    bandwidth = 8 * N / by_events(lambda: target.copy_(source)) * 1e6
    del source, target
    print(f"{torch.cuda.get_device_name()}: a copy moves {bandwidth / 1e12:.2f} TB/s. "
          f"PyTorch {torch.__version__}, Triton {triton.__version__}.\n")
    print("| program | least µs | Segra µs | share of copy bandwidth | others, µs |\n|---|---|---|---|---|")
    rows = []
    for work in workloads():
        if args.only and not any(work.name.startswith(name) for name in args.only):
            continue
        expected = [as_numpy(value) for value in as_list(work.reference(*on_gpu(work.inputs)))]
        row = {"program": work.name, "least": work.least / bandwidth * 1e6, "peers": {}}
        try:
            with tempfile.TemporaryDirectory() as folder:
                row["segra"], found = Segra(args.segra, pathlib.Path(folder)).measure(work)
            row["deviation"] = furthest(found, expected)
        except (RuntimeError, OSError) as error:
            row["failed"] = str(error)
        for name, call in work.peers.items():
            try:
                inputs, clock = peer_inputs(name, work.inputs)
                apart = furthest([as_numpy(value) for value in as_list(call(*inputs))], expected)
                micros = clock(lambda: call(*inputs))
                row["peers"][name] = {"microseconds": micros, "deviation": apart}
            except Exception as error:  # a peer that cannot is no reason to stop
                row["peers"][name] = {"failed": str(error)[:200]}
            inputs = None
            torch.cuda.empty_cache()
        rows.append(row)
        print(line(row, work), flush=True)
    if not rows:
        sys.exit(f"no workload's name begins with any of {args.only}")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")


def line(row, work):
    micros = row.get("segra", {}).get("microseconds")
    cells = [row["program"], f"{row['least']:.1f}"]
    if micros is None:
        cells += [f"failed: {row['failed'][:80]}", "-"]
    else:
        wrong = "" if row["deviation"] <= work.error else f" (WRONG by {row['deviation']:.1e})"
        cells.append(f"{micros:.1f}{wrong}")
        rate = f", {work.flops / micros / 1e6:.1f} TFLOP/s" if work.flops else ""
        cells.append(f"{100 * row['least'] / micros:.0f} %{rate}")
    peers = []
    for name, peer in row["peers"].items():
        if "failed" in peer:
            peers.append(f"{name}: failed")
        else:
            wrong = "" if peer["deviation"] <= work.error else f" (wrong by {peer['deviation']:.0e})"
            peers.append(f"{name} {peer['microseconds']:.1f}{wrong}")
    cells.append("; ".join(peers))
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()

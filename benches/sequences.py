#!/usr/bin/env python3
"""Bytes that sequences of BLAS calls move, beside the least possible, with and without kernels for several calls.

    benches/sequences.py [--gpu H100] [--size 4096] [--segra target/debug/segra] [--prediction] [--larger]

The programs of benches/sequences are the 11 of Filipovič et al., "Optimizing CUDA code by kernel fusion", Table 1, as array
programs. All runs on the simulator with a profile, so the table is the same on every machine. The least possible, given
the barriers that reductions need: each argument read and each result written once in a kernel, and what two kernels with a
barrier between them both need once in each. *Unfused* is what a library does that has a kernel for each call.

With --larger: the same for five longer sequences, which the paper has not: the scripts of examples/blas.

With --prediction: the paper's table 4. The combinations of kernels that `segra explain --fusion` lists for a sequence are run, in the
order of their predicted time, the first --top of them, and their simulated times say which of them is the best, how good the
first one is, and how good the program is that is compiled without a choice.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The paper's speedup over CUBLAS, on a GTX 480.
PAPER = {"axpydot": 1.94, "atax": 1.03, "bicgk": 1.61, "sgemv": 1.05, "sgemvt": 1.03, "sscal": 1.05, "gemver": 2.61,
         "gesummv": 1.00, "madd": 1.47, "vadd": 2.26, "waxpby": 1.93}


def sequences(size):
    """Name, inputs, least elements moved, elements moved by a kernel (or copy) for each call of a library."""
    n, vectors = size * size, size
    matrix, vector, long = f"random:{size}x{size}", f"random:{size}", f"random:{n}"
    yield "axpydot", ["2", long, long, long], 4 * n, (2 + 3 + 2) * n
    yield "atax", [matrix, vector], 2 * n + 4 * vectors, 2 * n + 4 * vectors
    yield "bicgk", [matrix, vector, vector], n + 4 * vectors, 2 * n + 4 * vectors
    yield "sgemv", ["2", "3", matrix, vector, vector], n + 3 * vectors, n + 3 * vectors
    yield "sgemvt", ["2", "3", matrix, vector, vector], 2 * n + 5 * vectors, 2 * n + 7 * vectors
    yield "sscal", ["2", long], 2 * n, 2 * n
    yield ("gemver", ["2", "3", matrix, *[vector] * 6], 3 * n + 9 * vectors, (2 + 2 + 2 + 1 + 1) * n + 13 * vectors)
    yield "gesummv", ["2", "3", matrix, matrix, vector], 2 * n + 2 * vectors, 2 * n + 4 * vectors
    yield "madd", [matrix, matrix], 3 * n, (2 + 3) * n
    yield "vadd", [long, long, long], 4 * n, (2 + 3 + 3) * n
    yield "waxpby", ["2", "3", long, long], 3 * n, (2 + 2 + 3) * n


def larger(size):
    """As `sequences`, the least elements as a sum over kernels, between which barriers are: what each reads and writes.

    A vector that a kernel can compute from what it reads anyway is not stored for it, and an update waits for the kernel that
    has its operands.
    """
    n, v = size * size, size
    matrix, vector = f"random:{size}x{size}", f"random:{size}"
    # q = Ap with p·q; r1 from r, q; p1 and x1 from r1, p, x.
    yield ("conjugate_gradient", [matrix, vector, vector, vector, "0.7"], (n + 2 * v) + 3 * v + 5 * v,
           n + (2 + 2 + 5 + 5 + 1 + 5) * v)
    # v = Ap with r0·v; t = As with t·s and t·t, where s is r and v, and stored; r1 from s, t with r0·r1; p1 and x1 from r1, p, v, x, s.
    yield ("bicgstab", [matrix, *[vector] * 4, "0.7"], (n + 3 * v) + (n + 4 * v) + 4 * v + 7 * v,
           2 * n + (2 + 2 + 5 + 2 + 2 + 1 + 5 + 3 + 5 + 2 + 5 + 5) * v)
    # h = Qᵀa; w = a - Qh with its norm; q from w.
    yield "gram_schmidt", [matrix, vector], (n + 2 * v) + (n + 3 * v) + 2 * v, 2 * n + (2 + 2 + 5 + 1 + 2) * v
    # y = Ax with its norm; z from y, and Az with z·Az.
    yield "power_iteration", [matrix, vector], (n + 2 * v) + (n + 2 * v), 2 * n + (2 + 1 + 2 + 2 + 2) * v
    # All in one kernel; the diagonal is among what it reads.
    yield "jacobi", [matrix, vector, vector], n + 3 * v, n + (2 + 5 + 2 + 3 + 3 + 1) * v


# The paper's counts of implementations, rank of the best, and performance of the first one in percent.
TABLE_4 = {"axpydot": (25, 4, 75.2), "atax": (1, 1, 100), "bicgk": (5, 1, 100), "sgemv": (83, 14, 99.2), "sgemvt": (41, 5, 99.8),
           "sscal": (1, 1, 100), "gemver": (1271, 54, 98.7), "gesummv": (415, 51, 99.6), "madd": (1, 1, 100),
           "vadd": (41, 14, 94.6), "waxpby": (83, 1, 100)}


def measure(segra, gpu, path, inputs, flags=()):
    command = [segra, "run", path, "--device", "sim", f"--profile={gpu}", "--json", "--target", "sm_90", *flags]
    for value in inputs:
        command += ["--input", value]
    run = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    traffic = [profile["traffic"] for profile in run["profile"]]
    moved = sum(row["memory_read_bytes"] + row["memory_written_bytes"] for row in traffic)
    moved += run["filled_bytes"] + 2 * run["copied_bytes"]
    time = sum(profile["estimate"]["microseconds"] for profile in run["profile"])
    return len(traffic), moved, time


def predictions(arguments, name, path, inputs):
    """A row of the table: combinations in the order of their predicted time, as they are simulated."""
    extent = arguments.size if any("x" in value for value in inputs) else arguments.size ** 2
    command = [arguments.segra, "explain", "--fusion", "--json", path, "--gpu", arguments.gpu, "--extent", str(extent),
               "--top", str(arguments.top), *(["--blocks"] if arguments.blocks else [])]
    space, = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["spaces"]
    ranked = space["ranked"]
    times = []
    with tempfile.NamedTemporaryFile("w", suffix=".tuning") as tuning:
        for number in range(1, len(ranked) + 1):
            tuning.seek(0)
            tuning.truncate()
            tuning.write(f"fuse-traversals.combination={number}\nfuse-traversals.extent={extent}\n")
            tuning.write("fuse-traversals.blocks=1\n" if arguments.blocks else "")
            tuning.flush()
            times.append(measure(arguments.segra, arguments.gpu, path, inputs, ["--tuning", tuning.name])[2])
            if arguments.verbose:
                print(f"    {number}: predicted {ranked[number - 1]['microseconds']:.1f}, simulated {times[-1]:.1f}: "
                      f"{'; '.join(ranked[number - 1]['kernels'])}", flush=True)
    default = measure(arguments.segra, arguments.gpu, path, inputs)[2]
    best = min(times)
    rank = 1 + next(index for index, time in enumerate(times) if time <= 1.001 * best)
    apart = max(abs(row["microseconds"] / time - 1) for row, time in zip(ranked, times))
    return [name, space["combinations"], len(times), rank, f"{100 * best / times[0]:.1f} %", f"{100 * best / max(times):.1f} %",
            f"{100 * best / default:.1f} %", f"{100 * apart:.0f} %", *TABLE_4.get(name, ("-", "-", "-"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="H100")
    parser.add_argument("--size", type=int, default=4096, help="rows and columns of matrices; vectors alone have its square")
    parser.add_argument("--segra", default=str(ROOT / "target/debug/segra"))
    parser.add_argument("--only", help="names, separated by commas")
    parser.add_argument("--larger", action="store_true", help="five longer sequences")
    parser.add_argument("--prediction", action="store_true", help="predicted against simulated times")
    parser.add_argument("--blocks", action="store_true", help="with --prediction: thread blocks of maps differ, too")
    parser.add_argument("--top", type=int, default=200, help="with --prediction: most combinations that are run")
    parser.add_argument("--verbose", action="store_true", help="with --prediction: both for each combination")
    arguments = parser.parse_args()
    if arguments.prediction:
        head = ["sequence", "combinations", "run", "rank of the best", "first / best", "worst / best", "default / best",
                "prediction off by at most",
                "paper: combinations", "rank of the best", "first / best, %"]
        print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
        folder, ending, rows = ("examples/blas", "blas", larger) if arguments.larger else ("benches/sequences", "mlir", sequences)
        for name, inputs, _, _ in rows(arguments.size):
            if not arguments.only or name in arguments.only.split(","):
                cells = predictions(arguments, name, ROOT / folder / f"{name}.{ending}", inputs)
                print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
        return
    if arguments.larger:
        head = ["sequence", "launches", "MB", "least MB", "moved / least", "est. µs", "call by call: MB", "call by call / moved"]
        print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
        for name, inputs, least, calls in larger(arguments.size):
            if arguments.only and name not in arguments.only.split(","):
                continue
            launches, moved, time = measure(arguments.segra, arguments.gpu, ROOT / "examples" / "blas" / f"{name}.blas", inputs)
            cells = [name, launches, f"{moved / 1e6:.2f}", f"{4 * least / 1e6:.2f}", f"{moved / (4 * least):.4f}", f"{time:.1f}",
                     f"{4 * calls / 1e6:.2f}", f"{4 * calls / moved:.2f}"]
            print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
        return
    without = ["--pipeline", "array-to-kernel,rows-in-blocks,tile-blocks{versions=by-size},coalesce-inputs,canonicalize,cse,dce,"
               "kernel-to-gpu"]
    head = ["sequence", "least MB", "launches", "MB", "moved / least", "est. µs", "nest by nest: launches", "MB", "est. µs",
            "call by call: MB", "call by call / moved", "paper's speedup"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for name, inputs, least, calls in sequences(arguments.size):
        if arguments.only and name not in arguments.only.split(","):
            continue
        path = ROOT / "benches" / "sequences" / f"{name}.mlir"
        fused = measure(arguments.segra, arguments.gpu, path, inputs)
        apart = measure(arguments.segra, arguments.gpu, path, inputs, without)
        cells = [name, f"{4 * least / 1e6:.2f}", str(fused[0]), f"{fused[1] / 1e6:.2f}", f"{fused[1] / (4 * least):.4f}",
                 f"{fused[2]:.1f}", str(apart[0]), f"{apart[1] / 1e6:.2f}", f"{apart[2]:.1f}", f"{4 * calls / 1e6:.2f}",
                 f"{4 * calls / fused[1]:.2f}", f"{PAPER[name]:.2f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Time on the clock from a script to the PTX of one chip, as whole commands take it, with and without known sizes.

    benches/first_code.py [--segra target/release/segra] [--runs 15] [--size 4096]

Least and median of the runs, in ms. *Passes* is the same command up to the text that LLVM's worker reads. With known sizes
(`segra compile --size`, and `segra run`, which knows its inputs) kernels that no run launches have no PTX. Commands have real-time
priority where this may be asked for, so that other work on the machine counts less.
"""
import argparse
import shutil
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# With their sizes.
MATRIX = ["A_rows", "A_columns"]
SEQUENCES = {"axpydot": ["w_elements"], "atax": MATRIX, "bicgk": MATRIX, "gemver": MATRIX}


def measure(command, runs):
    """Least and median milliseconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(1e3 * (time.perf_counter() - start))
    return f"{min(times):.0f} / {statistics.median(times):.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default=str(ROOT / "target/release/segra"))
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--size", type=int, default=4096)
    arguments = parser.parse_args()
    urgent = ["chrt", "-f", "10"]
    may_be_urgent = shutil.which("chrt") and subprocess.run([*urgent, "true"], capture_output=True).returncode == 0
    first = urgent if may_be_urgent else []
    print("| script | kernels | ms | of it passes | kernels of known sizes | ms |\n|---|---|---|---|---|---|")
    for name, names in SEQUENCES.items():
        path = ROOT / "examples" / "blas" / f"{name}.blas"
        compiled = [*first, arguments.segra, "compile", path, "--target", "sm_90", "--emit"]
        known = [word for size in names for word in ["--size", f"{size}={arguments.size}"]]

        def kernels(flags):
            return subprocess.run([*compiled, "ptx", *flags], check=True, capture_output=True, text=True).stdout.count(".entry")
        print(f"| {name} | {kernels([])} | {measure([*compiled, 'ptx'], arguments.runs)} | {measure([*compiled, 'mlir'], arguments.runs)} "
              f"| {kernels(known)} | {measure([*compiled, 'ptx', *known], arguments.runs)} |", flush=True)


if __name__ == "__main__":
    main()

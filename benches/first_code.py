#!/usr/bin/env python3
"""Time on the clock from a script to the PTX of one chip, as whole commands take it, with and without known sizes.

    benches/first_code.py [--segra target/release/segra] [--runs 15] [--size 4096] [--all gemver]

Least and median of the runs, in ms. *Passes* is the same command up to the text that LLVM's worker reads. With known sizes
(`segra compile --size`, and `segra run`, which knows its inputs) kernels that no run launches have no PTX. Commands have real-time
priority where this may be asked for, so that other work on the machine counts less. With --all: instead, the time of the PTX of all combinations of
kernels that `segra explain --fusion` lists for a script, one command after the other.
"""
import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
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


def all_combinations(arguments):
    """Prints how many there are, and the seconds that their PTX takes, with kernels for all sizes and with those of known ones."""
    path = ROOT / "examples" / "blas" / f"{arguments.all}.blas"
    explained = subprocess.run([arguments.segra, "explain", "--fusion", "--json", path], check=True, capture_output=True, text=True)
    space, = json.loads(explained.stdout)["spaces"]
    count = space["combinations"]
    known = [word for size in SEQUENCES[arguments.all] for word in ["--size", f"{size}={arguments.size}"]]
    for what, flags in (("all sizes", []), ("known sizes", known)):
        start, texts = time.perf_counter(), set()
        for number in range(1, count + 1):
            with tempfile.NamedTemporaryFile("w", suffix=".tuning") as tuning:
                tuning.write(f"fuse-traversals.combination={number}\nfuse-traversals.extent={arguments.size}\n")
                tuning.flush()
                command = [arguments.segra, "compile", path, "--target", "sm_90", "--emit", "ptx", "--tuning", tuning.name, *flags]
                texts.add(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{count} combinations for {what}, {len(texts)} different ones: {time.perf_counter() - start:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default=str(ROOT / "target/release/segra"))
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--all", metavar="SCRIPT", help="all combinations of one script")
    arguments = parser.parse_args()
    if arguments.all:
        return all_combinations(arguments)
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

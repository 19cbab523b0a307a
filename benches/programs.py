#!/usr/bin/env python3
"""Cost of every program of tests/run, examples and benches/traffic, beside another build.

    benches/programs.py [--segra target/debug/segra] [--gpu H100] [--save FILE] [--only TEXT]
    benches/programs.py --before OTHER/segra [...]       a row for each program that differs, and the sums
    benches/programs.py --before-figures FILE [...]      the same, with figures that --save wrote

Each program runs on the simulator with default thresholds: those of tests/run on the largest inputs that their headers
name (all that do not end in an error), the others on the inputs below. Counted are kernels launched, bytes between the
L2 cache and device memory (copies from buffer to buffer as read and written), warp instructions, kernels in the PTX
and bytes of PTX; these are the same on every machine. The compiler's time is the shortest of three whole commands
`segra compile` for one target, in milliseconds; it is no part of the verdict unless --time is given.
"""
import argparse
import itertools
import json
import math
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = {
    "axpy": ["2", "random:10007", "random:10007"],
    "black_scholes": ["random:10007"] * 3,
    "dot": ["random:10007", "random:10007"],
    "mandelbrot": ["65", "33", "50"],
    "matmul": ["random:65x130", "random:130x67"],
    "matvec": ["random:257x301", "random:301"],
    "matvec_transposed": ["random:257x301", "random:257"],
    "box_blur": ["random:257x263", "4"],
    "nearest_neighbour": ["random:257", "random:257", "random:301", "random:301"],
    "prefix_sum": ["random:10007"],
    "softmax": ["random:257x1025"],
    "map": ["random:65536"],
    "reduce": ["random:65536"],
    "scan": ["random:65536"],
    "transpose": ["random:256x257"],
    "column_scan": ["random:130x8195"],
    "product_by_rows": ["random:64x64", "random:64x64"],
    "row_loop": ["random:512x128"],
}
FIGURES = ("launches", "bytes", "warp instructions", "kernels", "PTX bytes")


def combinations(line):
    """The inputs that a header line stands for, as lists of texts."""
    text, _, ranges = line.partition(" where ")
    names, values = [], []
    for entry in filter(None, (part.strip() for part in ranges.split(";"))):
        name, _, choices = entry.partition("=")
        names.append(name.strip())
        values.append(choices.split())
    for chosen in itertools.product(*values):
        filled = text
        for name, value in zip(names, chosen):
            filled = filled.replace(name, value)
        yield [item.strip() for item in filled.split(";") if item.strip()]


def size(inputs):
    return sum(math.prod(map(int, re.findall(r"\d+", text))) if text.startswith("random:") else len(text) for text in inputs)


def cases(only):
    """Name, file, inputs of each program."""
    for path in sorted((ROOT / "tests/run").rglob("*.mlir")):
        lines = [line for line in path.read_text().splitlines() if line.startswith("// ")]
        runs = []
        for at, line in enumerate(lines):
            fails = at + 1 < len(lines) and lines[at + 1].startswith("// error:")
            if line.startswith("// inputs:") and not fails:
                runs.extend(combinations(line.removeprefix("// inputs:").strip()))
        if runs and only in path.stem:
            yield str(path.relative_to(ROOT)), path, max(runs, key=size)
    for folder in ("examples", "benches/traffic"):
        for path in sorted((ROOT / folder).glob("*.mlir")):
            if path.stem in SIZES and only in path.stem:
                yield f"{folder}/{path.name}", path, SIZES[path.stem]


def measure(segra, gpu, path, inputs, timed, folder):
    command = [segra, "run", path, "--device", "sim", f"--profile={gpu}", "--json", "--target", "sm_90", "--no-tuning"]
    kept = Path(folder) / "kernels.ptx"
    kept.unlink(missing_ok=True)
    command += ["--keep-ptx", kept]
    for value in inputs:
        command += ["--input", value]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if run.returncode != 0:
        return {"failed": run.stderr.strip().splitlines()[-1:]}
    report = json.loads(run.stdout)
    traffic = [launch["traffic"] for launch in report["profile"]]
    ptx = kept.read_text() if kept.exists() else ""
    figures = {
        "launches": report["launched"],
        "bytes": sum(t["memory_read_bytes"] + t["memory_written_bytes"] for t in traffic) + 2 * report["copied_bytes"],
        "warp instructions": sum(sum_warp(launch) for launch in report["profile"]),
        "kernels": ptx.count(".entry"),
        "PTX bytes": len(ptx),
    }
    if timed:
        figures["compile ms"] = min(compile_time(segra, path, folder) for _ in range(3))
    return figures


def sum_warp(launch):
    return sum(line["warp_instructions"] for line in launch["lines"])


def compile_time(segra, path, folder):
    start = time.perf_counter()
    subprocess.run([segra, "compile", path, "--target", "sm_90", "-o", Path(folder) / "x.segra"], capture_output=True, check=True)
    return round((time.perf_counter() - start) * 1000, 1)


def all_figures(segra, arguments):
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, path, inputs in cases(arguments.only):
            found[name] = measure(segra, arguments.gpu, path, inputs, arguments.time, folder)
            if sys.stderr.isatty():
                print(f"\r{len(found)} programs", end="", file=sys.stderr)
    return found


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def compare(before, after, keys):
    print(row(["program", *keys]))
    print(row(["---"] * (len(keys) + 1)))
    worse = 0
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, {}), after.get(name, {})
        worse += any(new.get(key, 0) > old.get(key, math.inf) for key in FIGURES[:3])
        if any(old.get(key) != new.get(key) for key in (*FIGURES, "failed")):
            cells = [f"{old.get(key, '-')} → {new.get(key, '-')}" if old.get(key) != new.get(key) else old.get(key, "-") for key in keys]
            failed = " (failed)" if "failed" in new or "failed" in old else ""
            print(row([name + failed, *cells]))
    both = [name for name in before if name in after and "failed" not in before[name] and "failed" not in after[name]]
    total = [f"{round(sum(before[n][key] for n in both), 1)} → {round(sum(after[n][key] for n in both), 1)}" for key in keys]
    print(row([f"all {len(both)}", *total]))
    print(f"\n{worse} programs launch more kernels, move more bytes or execute more warp instructions than before.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default=ROOT / "target/debug/segra")
    parser.add_argument("--before", help="the tool of another build")
    parser.add_argument("--before-figures", help="what --save wrote")
    parser.add_argument("--gpu", default="H100")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--save", help="write the figures as JSON")
    parser.add_argument("--time", action="store_true", help="measure the compiler, too")
    arguments = parser.parse_args()
    after = all_figures(arguments.segra, arguments)
    if arguments.save:
        Path(arguments.save).write_text(json.dumps(after, indent=1))
    before = None
    if arguments.before:
        before = all_figures(arguments.before, arguments)
    elif arguments.before_figures:
        before = json.loads(Path(arguments.before_figures).read_text())
    keys = [*FIGURES, *(["compile ms"] if arguments.time else [])]
    if before is not None:
        compare(before, after, keys)
        return
    print(row(["program", *keys]))
    print(row(["---"] * (len(keys) + 1)))
    for name, figures in after.items():
        print(row([name, *(figures.get(key, "failed") for key in keys)]))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Bytes that programs move, beside the least possible.

    benches/traffic.py [--gpu H100] [--segra target/debug/segra]

Runs the programs of benches/traffic (and examples/softmax.mlir) on the simulator with a profile and prints a Markdown
table. Everything is counted, so the table is the same on every machine. Memory bytes are those that pass between the
L2 cache and device memory, launches one by one with empty caches; copies from buffer to buffer count as read and
written. The least possible: each element of an argument read once, each of a result written once, and where a result
is an updated argument, the argument's elements copied.
"""
import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def programs(folder):
    """Name, file, inputs and flags, elements worked on, least bytes."""
    def numbers(name, count, below, distinct=False):
        draw = random.Random(0)
        values = list(range(below))
        if distinct:
            draw.shuffle(values)
        else:
            values = [draw.randrange(below) for _ in range(count)]
        return write(name, values[:count])

    def in_order(name, count):
        return write(name, range(count))

    def write(name, values):
        count = len(values)
        path = folder / f"{name}.npy"
        header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({count},), }}"
        header += " " * (63 - (len(header) + 10) % 64) + "\n"
        data = b"".join(value.to_bytes(4, "little") for value in values)
        path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data)
        return str(path)

    n, bins, side = 1 << 20, 256, 1024
    here = ROOT / "benches" / "traffic"
    softmax = ROOT / "examples" / "softmax.mlir"
    yield "map", here / "map.mlir", [f"random:{n}"], n, 8 * n
    yield "reduce", here / "reduce.mlir", [f"random:{n}"], n, 4 * n
    yield "scan", here / "scan.mlir", [f"random:{n}"], n, 8 * n
    yield "transpose", here / "transpose.mlir", [f"random:{side}x{side}"], n, 8 * n
    yield "transpose, odd", here / "transpose.mlir", ["random:1023x1025"], 1023 * 1025, 8 * 1023 * 1025
    inputs = [numbers("places", n, n, distinct=True), f"random:{n}", f"random:{n}"]
    yield "scatter, random", here / "scatter.mlir", inputs, n, 8 * n + 8 * n + 4 * n
    inputs = [f"random:{n}", numbers("places", n, n, distinct=True)]
    yield "gather, random", here / "gather.mlir", inputs, n, 12 * n
    inputs = [f"random:{n}", in_order("order", n)]
    yield "gather, in order", here / "gather.mlir", inputs, n, 12 * n
    yield "gather, in order, unchecked", here / "gather.mlir", [*inputs, "--unchecked"], n, 12 * n
    inputs = [numbers("numbers", n, bins), numbers("bins", bins, 1)]
    yield f"histogram, {bins} bins", here / "histogram.mlir", inputs, n, 4 * n + 12 * bins
    inputs = [numbers("many", n, 1 << 16), numbers("zeros", 1 << 16, 1)]
    yield f"histogram, {1 << 16} bins", here / "histogram.mlir", inputs, n, 4 * n + 12 * (1 << 16)
    yield "rows in loops, 8192 x 128", here / "row_loop.mlir", ["random:8192x128"], n, 4 * n
    yield "softmax, 1024 x 1024", softmax, [f"random:{side}x{side}"], n, 8 * n


def measure(segra, gpu, path, inputs):
    command = [segra, "run", path, "--device", "sim", f"--profile={gpu}", "--json", "--target", "sm_90"]
    for value in inputs:
        command += [value] if value.startswith("--") else ["--input", value]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="H100")
    parser.add_argument("--segra", help="the tool; without it, cargo builds it")
    arguments = parser.parse_args()
    segra = arguments.segra
    if segra is None:
        build = ["cargo", "build", "--locked", "--bin", "segra", "--bin", "segra-ptx", "--message-format=json-render-diagnostics"]
        lines = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        built = [json.loads(line) for line in lines]
        segra = next(row["executable"] for row in built if row.get("executable") and row["target"]["name"] == "segra")
    head = ["program", "launches", "least MB", "read MB", "written MB", "copied MB", "moved / least",
            "sectors/request", "instr./element", "est. µs"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    with tempfile.TemporaryDirectory() as folder:
        for name, path, inputs, elements, least in programs(Path(folder)):
            run = measure(segra, arguments.gpu, path, inputs)
            traffic = [profile["traffic"] for profile in run["profile"]]
            read = sum(row["memory_read_bytes"] for row in traffic)
            written = sum(row["memory_written_bytes"] for row in traffic) + run["filled_bytes"]
            copied = run["copied_bytes"]
            moved = read + written + 2 * copied
            requests = sum(row["requests"] for row in traffic)
            sectors = sum(row["sectors"] for row in traffic)
            threads = sum(profile["thread_instructions"] for profile in run["profile"])
            time = sum(profile["estimate"]["microseconds"] for profile in run["profile"])
            cells = [name, str(len(traffic))]
            cells += [f"{count / 1e6:.2f}" for count in (least, read, written, copied)]
            cells += [f"{moved / least:.4f}", f"{sectors / requests:.2f}", f"{threads / elements:.1f}", f"{time:.1f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

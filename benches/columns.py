#!/usr/bin/env python3
"""The experiments of the column thesis by the simulator's counters: widths of columns by sizes of thread blocks.

    benches/columns.py PROBLEM [--gpu RTX-2080-Super] [--widths 4,8,...] [--blocks 32,64,...] [--write] [--segra target/debug/segra]

PROBLEM is stencil-4096, stencil-4037 (9x9, f32) or product-1024, or another size; stencil-4096:f64 and :f16 are the same in
other types. Prints Markdown tables: the estimate of time, L1 hit rate and bytes from L2 to L1; --write puts them into
benches/README.md. Everything is counted, from a sample of whole thread blocks (`segra locality`), so the tables are the same
on every machine. The stencil is written out, as the thesis' compiler unrolls it.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Those of figures 5.1 and 5.2.
WIDTHS = [4, 8, 16, 30, 31, 32, 33, 34, 48, 64, 96, 128, 256, 512, 1024, 2048]
BLOCKS = [32, 64, 128, 256, 512, 1024]


def stencil(reach, ty):
    """The mean of a neighbourhood, clamped at the edges, without loops."""
    side = 2 * reach + 1
    lines = [
        f"func.func @main(%xs: !array.array<[h][w]{ty}>) -> !array.array<[h][w]{ty}> {{",
        f"  %area = arith.constant {side * side}.0 : {ty}",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %h = array.dim %xs, 0 : [h][w]" + ty,
        "  %w = array.dim %xs, 1 : [h][w]" + ty,
        "  %bottom = arith.subi %h, %c1 : index",
        "  %right = arith.subi %w, %c1 : index",
    ]
    for d in range(side):
        lines.append(f"  %d{d} = arith.constant {d - reach} : index")
    lines += [
        "  %ys = array.iota %h : [h]index",
        "  %is = array.iota %w : [w]index",
        "  %blurred = array.map (%y in %ys : [h]index) {",
        "    %row = array.map (%x in %is : [w]index) {",
    ]
    for axis, edge in (("y", "bottom"), ("x", "right")):
        for d in range(side):
            lines.append(f"      %{axis}a{d} = arith.addi %{axis}, %d{d} : index")
            lines.append(f"      %{axis}b{d} = arith.maxsi %{axis}a{d}, %c0 : index")
            lines.append(f"      %{axis}c{d} = arith.minsi %{axis}b{d}, %{edge} : index")
    total = None
    for i in range(side):
        for j in range(side):
            lines.append(f"      %v{i}_{j} = array.index %xs[%yc{i}, %xc{j}] : [h][w]{ty}")
            if total is None:
                total = f"%v{i}_{j}"
            else:
                lines.append(f"      %s{i}_{j} = arith.addf {total}, %v{i}_{j} : {ty}")
                total = f"%s{i}_{j}"
    lines += [
        f"      %mean = arith.divf {total}, %area : {ty}",
        f"      array.yield %mean : {ty}",
        "    }",
        f"    array.yield %row : [w]{ty}",
        "  }",
        f"  func.return %blurred : !array.array<[h][w]{ty}>",
        "}",
    ]
    return "\n".join(lines) + "\n"


def measure(arguments, file, inputs, orders):
    """A row of counters per order."""
    command = [arguments.segra, "locality", file, "--profile", arguments.gpu, "--unchecked", "--json", "--order", ",".join(orders)]
    if arguments.all:
        command.append("--all")
    for value in inputs:
        command += ["--input", value]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    (kernel,) = json.loads(done.stdout)["kernels"]
    return kernel["orders"]


def table(title, blocks, rows, cell):
    lines = [f"{title}:", "", "| order | " + " | ".join(f"b{block}" for block in blocks) + " |"]
    lines.append("|" + " --- |" * (len(blocks) + 1))
    for name, row in rows:
        lines.append(f"| {name} | " + " | ".join(cell(found) for found in row) + " |")
    return lines + [""]


def summary(rows, default):
    """The best cell, the best of each kind of width, and the default's distance."""
    cells = [(found["microseconds"], name, found["order"]) for name, row in rows for found in row]
    best = min(cells)
    lines = [f"Best: `{best[2]}`, {best[0] / 1000:.3f} ms."]
    naive = min((cell for cell in cells if cell[1] == "linear"), default=None)
    if naive:
        lines.append(f"Best of the linear order: `{naive[2]}`, {naive[0] / 1000:.3f} ms, {naive[0] / best[0]:.2f} times as long.")
    for width in ("30", "31", "33", "34"):
        near = min((cell for cell in cells if cell[1] == f"column:{width}"), default=None)
        whole = min((cell for cell in cells if cell[1] == "column:32"), default=None)
        if near and whole:
            lines.append(f"Width {width} takes {near[0] / whole[0]:.2f} times as long as width 32, best to best.")
    above = 100 * (default["microseconds"] / best[0] - 1)
    lines.append(f"`--order column`, which is `{default['order']}` here, is {above:.1f} % above the best.")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("problem")
    parser.add_argument("--gpu", default="RTX-2080-Super")
    parser.add_argument("--widths", default=",".join(map(str, WIDTHS)))
    parser.add_argument("--blocks", default=",".join(map(str, BLOCKS)))
    parser.add_argument("--all", action="store_true", help="run all thread blocks")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--segra", default=str(ROOT / "target" / "debug" / "segra"))
    arguments = parser.parse_args()
    problem, _, ty = arguments.problem.partition(":")
    kind, _, size = problem.partition("-")
    blocks = [int(block) for block in arguments.blocks.split(",")]
    widths = [int(width) for width in arguments.widths.split(",") if width and int(width) < int(size)]
    with tempfile.TemporaryDirectory() as folder:
        if kind == "stencil":
            file = Path(folder) / "stencil.mlir"
            file.write_text(stencil(4, ty or "f32"))
            inputs = [f"random:{size}x{size}"]
        else:
            file, inputs = ROOT / "examples" / "matmul.mlir", [f"random:{size}x{size}"] * 2
        rows = []
        for name in ["linear"] + [f"column:{width}" for width in widths]:
            orders = [f"{name}@{block}" for block in blocks]
            rows.append((name, measure(arguments, str(file), inputs, orders)))
            print(name, [round(found["microseconds"]) for found in rows[-1][1]], file=sys.stderr, flush=True)
        (default,) = measure(arguments, str(file), inputs, ["column"])
    parts = [found["blocks_run"] / found["blocks"] for _, row in rows for found in row]
    lines = [f"`benches/columns.py {arguments.problem}`, {arguments.gpu}; {100 * min(parts):.1f} to {100 * max(parts):.1f} % of the thread blocks ran.", ""]
    lines += table("Estimate, ms", blocks, rows, lambda found: f"{found['microseconds'] / 1000:.2f}")
    lines += table("L1 hit rate, %", blocks, rows, lambda found: f"{100 * found['l1_hit_rate']:.1f}")
    lines += table("L2 to L1, MB", blocks, rows, lambda found: f"{found['traffic']['l2_read_sectors'] * 32 / 1e6:.0f}")
    lines += summary(rows, default)
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.write:
        page = ROOT / "benches" / "README.md"
        begin, end = f"<!-- columns:{arguments.problem} -->\n", f"<!-- columns:{arguments.problem} end -->"
        before, _, rest = page.read_text().partition(begin)
        _, _, after = rest.partition(end)
        page.write_text(before + begin + text + end + after)


main()

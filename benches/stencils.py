#!/usr/bin/env python3
"""Stencils: the instructions of a 9 by 9 stencil's kernel, as ptxas makes them for each output. Writes a table in Markdown.

    cargo build --release --bin segra --bin segra-ptx
    benches/stencils.py --ptxas .tools/bin/ptxas --nvdisasm .../bin/nvdisasm

The program has edges that are repeated, and 81 constant weights. Instructions are those of the whole kernel
with indices of 32 bits: copies to shared memory for tiles inside and at a border (of which a thread block takes one), the
points, guards and stores. nvdisasm is part of the CUDA toolkit, and of the wheel nvidia-cuda-nvdisasm.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import tempfile

POINTS = re.compile(r"registers \[([0-9, ]+)\]")


def program():
    """A 9 by 9 stencil as text."""
    lines = ["func.func @main(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {"]
    lines += [f"  %w{k} = arith.constant {(k * 37 % 81 + 1) / 100} : f32" for k in range(81)]
    names = ", ".join(f"%x{k}" for k in range(81))
    lines.append(f"  %r = array.stencil ({names} in %a : [n][m]f32 box [4, 4] clamp) {{")
    total = None
    for k in range(81):
        lines.append(f"    %p{k} = arith.mulf %x{k}, %w{k} fastmath<contract> : f32")
        if total:
            lines.append(f"    %s{k} = arith.addf {total}, %p{k} fastmath<contract> : f32")
        total = f"%s{k}" if total else "%p0"
    lines += [f"    array.yield {total} : f32", "  }", "  func.return %r : !array.array<[n][m]f32>", "}"]
    return "\n".join(lines) + "\n"


def kernels(listing):
    """Counts of instructions of each kernel of a listing of nvdisasm."""
    found, name = {}, None
    for line in listing.splitlines():
        if section := re.match(r"\.text\.(\S+):", line):
            name = section[1]
            found[name] = collections.Counter()
        elif name and (code := re.search(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?\S+\s+)?([A-Z0-9_.]+)", line)):
            found[name][code[1].split(".")[0] + (".128" if ".128" in code[1] else "")] += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--ptxas", default="ptxas", help="the assembler")
    parser.add_argument("--nvdisasm", default="nvdisasm", help="the disassembler")
    parser.add_argument("--arch", default="sm_90", help="the target")
    args = parser.parse_args()
    print("| points of a thread | registers | spilled bytes | instructions | per output | FFMA, FMUL | LDS.128 | other |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        source, ptx, cubin = folder / "nine.mlir", folder / "k.ptx", folder / "k.cubin"
        source.write_text(program())
        scheduled = [args.segra.removesuffix("segra") + "segra-opt", str(source)]
        scheduled.append("--pass-pipeline=builtin.module(array-to-kernel,schedule-stencils)")
        text = subprocess.run(scheduled, check=True, capture_output=True, text=True).stdout
        points = [int(count) for count in POINTS.search(text)[1].split(",")]
        command = [args.segra, "compile", str(source), "--emit", "ptx", "-o", str(ptx)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        command = [args.ptxas, f"-arch={args.arch}", "-v", str(ptx), "-o", str(cubin)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        listing = subprocess.run([args.nvdisasm, "-c", str(cubin)], check=True, capture_output=True, text=True).stdout
    tiled = {name: counts for name, counts in kernels(listing).items() if "segmap_block" in name}
    name = next(name for name in tiled if not name.endswith("_64"))
    counts, outputs = tiled[name], points[0] * points[1]
    about = said[said.index(f"'{name}'") :]
    used = re.search(r"Used (\d+) registers", about)[1]
    spilled = sum(map(int, re.findall(r"(\d+) bytes spill", about.split("Used")[0])))
    sums = counts["FFMA"] + counts["FMUL"]
    rest = counts.total() - sums - counts["LDS.128"]
    print(
        f"| {points[0]} x {points[1]} | {used} | {spilled} | {counts.total()} "
        f"| {counts.total() / outputs:.1f} | {sums} | {counts['LDS.128']} | {rest} |",
        flush=True,
    )


if __name__ == "__main__":
    main()

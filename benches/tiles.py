#!/usr/bin/env python3
"""Block tiling: what tiles save, counted by the simulator for one GPU. Writes a table in Markdown.

Elements asked for are counted exactly: a matrix product without tiles reads 2 m n u of them, with tiles of ty by tx
m n u / ty + m n u / tx ("Teaching the Futhark compiler block and register tiled matrix multiplication", table 3).

    cargo build --release --bin segra --bin segra-ptx
    benches/tiles.py --segra target/release/segra --size 256
    benches/tiles.py --sass --ptxas .tools/bin/ptxas --nvdisasm .../bin/nvdisasm --beside other.ptx

With --sass: the instructions of the kernels' main loops, as ptxas makes them, in another table; with --tensor: those of products by tensor cores; --beside
adds PTX of others. nvdisasm is part of the
CUDA toolkit, and of the wheel nvidia-cuda-nvdisasm.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

TILES = [None, (8, 32, 32), (16, 16, 16), (16, 32, 32), (32, 32, 32)]
# TY, TX, points of a thread along both, TK, stages.
REGISTERS = [(64, 64, 4, 4, 16, 1), (64, 64, 4, 4, 16, 2), (128, 128, 8, 8, 16, 1), (128, 128, 8, 8, 16, 2)]
LINES = [None, 64, 256, 1024]


def launches(value):
    """All profiles of launches in a report."""
    if isinstance(value, dict):
        if "traffic" in value and "kernel" in value:
            yield value
        for inner in value.values():
            yield from launches(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from launches(inner)


def loops(text):
    """The loops of each function of a listing of nvdisasm: counts of their instructions, inner loops apart."""
    functions, name = {}, None
    for line in text.splitlines():
        if found := re.match(r"\.text\.(\S+):", line):
            name = found[1]
            functions[name] = ([], {})
        elif name and (found := re.match(r"(\.L_x_\d+):", line)):
            functions[name][1][found[1]] = len(functions[name][0])
        elif name and (found := re.search(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?\S+\s+)?([A-Z0-9_.]+)\s*(.*);", line)):
            functions[name][0].append((found[1], found[2]))
    for name, (code, labels) in functions.items():
        for at, (op, operands) in enumerate(code):
            target = re.search(r"`\((\.L_x_\d+)\)", operands) if op.startswith("BRA") else None
            start = labels.get(target[1], at + 1) if target else at + 1
            if start < at:
                kind = lambda op: op.split(".")[0] + (".128" if ".128" in op else "")
                yield name, collections.Counter(kind(op) for op, _ in code[start : at + 1])


# Instructions of a row of each table, of which the first ones do the work.
SCALAR, TENSOR = ["FFMA", "LDS.128", "LDS", "BAR"], ["HMMA", "HGMMA", "LDSM", "LDGSTS.128", "BAR"]


def main_loop(args, arch, ptx, row, kinds=SCALAR):
    """One row: the loop with the most multiply-adds, or products of matrices, of what ptxas makes of a file."""
    with tempfile.TemporaryDirectory() as made:
        cubin = pathlib.Path(made) / "k.cubin"
        command = [args.ptxas, f"-arch={arch}", "-v", str(ptx), "-o", str(cubin)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        command = [args.nvdisasm, "-c", str(cubin)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    narrow = [(name, counts) for name, counts in loops(text) if not name.endswith("_64")]
    if kinds is SCALAR:
        name, counts = max(narrow, key=lambda row: (row[1]["FFMA"], row[1]["FFMA"] / row[1].total()))
    else:
        # The largest tiles are the first kernel; loops around the main one have as many products.
        products = lambda counts: counts["HMMA"] + counts["HGMMA"]
        first = min(name for name, counts in narrow if products(counts))
        most = lambda counts: (products(counts), -counts.total())
        name, counts = max((row for row in narrow if row[0] == first), key=lambda row: most(row[1]))
    # ptxas speaks of one function after the other.
    parts = re.split(r"Compiling entry function '(\S+)'", said)
    said = dict(zip(parts[1::2], parts[2::2]))[name]
    used = re.search(r"Used (\d+) registers", said)[1]
    spilled = sum(map(int, re.findall(r"(\d+) bytes spill", said)))
    rest = counts.total() - sum(counts[kind] for kind in kinds)
    share = lambda kind: f" ({counts[kind] / counts.total():.1%})" if kind in ("FFMA", "HMMA") else ""
    cells = [row, arch, used, spilled, counts.total(), *(f"{counts[kind]}{share(kind)}" for kind in kinds), rest]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(first, kinds):
    """The first two lines of a table of main loops."""
    cells = [first, "chip", "registers", "spilled bytes", "instructions", *kinds, "other"]
    print("| " + " | ".join(cells) + " |\n" + "|---" * len(cells) + "|")


def compiled(args, program, arch, pipeline, made, options=()):
    """The PTX of a program for a chip."""
    ptx = pathlib.Path(made) / "k.ptx"
    command = [args.segra, "compile", str(program), "--pipeline", pipeline, "--target", arch, *options]
    command += ["--emit", "ptx", "-o", str(ptx)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return ptx


def tensor(args, folder):
    """The main loops of products by tensor cores that the default pipeline makes: by warps, and by warpgroups on sm_90a."""
    head("product", TENSOR)
    halves = ("product-of-halves", "product-of-brain-halves", "product-of-rows-of-halves")
    rows = [(program, folder / f"{program}.mlir", ()) for program in (*halves, "product-of-rounded-floats")]
    rows.append(("matmul --allow-tf32", folder / "../../../examples/matmul.mlir", ("--allow-tf32",)))
    for row, program, options in rows:
        for arch in ("sm_80", "sm_90a"):
            with tempfile.TemporaryDirectory() as made:
                ptx = compiled(args, program, arch, "array-to-gpu", made, options)
                main_loop(args, arch, ptx, row, TENSOR)
    for ptx in args.beside:
        main_loop(args, re.search(r"\.target (sm_\d+a?)", pathlib.Path(ptx).read_text())[1], ptx, pathlib.Path(ptx).stem, TENSOR)


def sass(args, folder):
    """The main loops of what the default pipeline makes, of each shape with registers, and of other PTX."""
    head("tiles, points, steps, stages", SCALAR)
    nests = "array-to-fused,flatten{inner-reduce=sequential},canonicalize,cse,dce"
    pipelines = [("default pipeline, largest tiles", "array-to-gpu")]
    for shape in REGISTERS:
        option = "tile-y={} tile-x={} registers-y={} registers-x={} tile-k={} stages={}".format(*shape)
        pipeline = f"{nests},tile-blocks{{{option}}},canonicalize,cse,dce,kernel-to-gpu"
        pipelines.append(("{} x {}, {} x {}, {}, {}".format(*shape), pipeline))
    for row, pipeline in pipelines:
        for arch in ("sm_80", "sm_90"):
            with tempfile.TemporaryDirectory() as made:
                program = folder / "../../../examples/matmul.mlir"
                main_loop(args, arch, compiled(args, program, arch, pipeline, made), row)
    for ptx in args.beside:
        main_loop(args, re.search(r"\.target (sm_\d+)", pathlib.Path(ptx).read_text())[1], ptx, pathlib.Path(ptx).stem)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--size", type=int, default=256, help="extent of the matrices")
    parser.add_argument("--bodies", type=int, default=8192, help="length of the line")
    parser.add_argument("--profile", default="H100", help="the GPU that is counted for")
    parser.add_argument("--sass", action="store_true", help="what ptxas makes of tiles with registers")
    parser.add_argument("--tensor", action="store_true", help="what ptxas makes of products by tensor cores")
    parser.add_argument("--beside", action="append", default=[], help="PTX of another product, with --sass; repeatable")
    parser.add_argument("--ptxas", default="ptxas", help="the assembler")
    parser.add_argument("--nvdisasm", default="nvdisasm", help="the disassembler")
    args = parser.parse_args()
    folder = pathlib.Path(__file__).parent.parent / "tests" / "run" / "tiled"
    if args.tensor:
        return tensor(args, folder)
    if args.sass:
        return sass(args, folder)
    square = f"random:{args.size}x{args.size}"
    line = f"random:{args.bodies}"
    rows = []
    for program, shape in [("product", square), ("product-of-rows", square)]:
        rows += [(program, shape, tiles, "tile-y={} tile-x={} tile-k={}") for tiles in TILES]
        held = "tile-y={} tile-x={} registers-y={} registers-x={} tile-k={} stages={}"
        rows += [(program, shape, tiles, held) for tiles in REGISTERS]
    rows += [("bodies", line, tiles and (tiles,), "tile={}") for tiles in LINES]
    print("| program | tiles | elements asked for | of them without tiles | L2 sectors read | wavefronts/request | est. µs |")
    print("|---|---|---|---|---|---|---|")
    for program, shape, tiles, option in rows:
        tile = "tile-blocks{" + option.format(*tiles) + "}," if tiles else ""
        nests = "array-to-fused,flatten{inner-reduce=sequential},canonicalize,cse,dce"
        pipeline = f"{nests},{tile}canonicalize,cse,dce,kernel-to-gpu"
        command = [args.segra, "run", str(folder / f"{program}.mlir"), "--pipeline", pipeline, "--json"]
        command += ["--input", shape, "--input", shape, f"--profile={args.profile}"]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = list(launches(json.loads(output.stdout)))
        total = lambda key: sum(launch["traffic"][key] for launch in found)
        asked = total("bytes") // 4
        if not tiles:
            alone = asked
        waves = total("shared_wavefronts") / total("shared_requests") if total("shared_requests") else 0
        estimate = sum(launch["estimate"]["microseconds"] for launch in found)
        name = " x ".join(map(str, tiles)) if tiles else "none"
        print(
            f"| {program} | {name} | {asked:,} | {asked / alone:.4f} | {total('l2_read_sectors'):,} "
            f"| {waves:.2f} | {estimate:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

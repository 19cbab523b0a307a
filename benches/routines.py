#!/usr/bin/env python3
"""Makes the table of figures that the fusion of kernels predicts times with, for one device.

    benches/routines.py --gpu H100 > passes/schedule/src/traverse/figures/H100.txt

Filipovič et al., "Optimizing CUDA code by kernel fusion", 4.2: the routines that kernels consist of are measured once for each
device, in the environments that they have in fusions. Here the simulator's profiles are what is measured, so the table is the
same on every machine. The routines of tiles follow from four programs in each shape of tiles: with sums along columns (C), two
of them (CD), one along rows beside it (CR), and elements stored beside it (CS): columns are CD - C, loading is C less that,
rows are CR - C, and storing CS - C. CD says how many thread blocks there are where they need more shared memory, too. Nests alone
are measured at several sizes, as the passes that follow make them, and so is the combining of a tile's parts. The format is
that of `passes/schedule/src/traverse/figures.rs`.
"""
import argparse
import itertools
import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REST = "canonicalize,cse,dce,rows-in-blocks,tile-blocks{versions=by-size},coalesce-inputs,canonicalize,cse,dce,kernel-to-gpu"
# Those of `shapes` in passes/schedule/src/traverse/search.rs.
SHAPES = list(itertools.product([8, 16], [4, 8], [(2, 2), (2, 4), (4, 4), (4, 8)]))
EXTENT = 1024
TO_GPU = "kernel-to-gpu"
# Those of `MapBlock::all` there.
THREADS = [128, 256, 512, 1024]
EXTENTS = [64, 256, 1024, 4096]
MULTIPROCESSORS = {"T4": 40, "A100": 108, "H100": 132, "H200": 132}
# Dense where thread blocks of columns fill the device once or twice: from there on they take another wave.
ALONE = [64, 128, 256, 512, 768, 896, 1024, 1152, 1536, 2048, 2304, 3072, 4096]

ROWS = """%q = array.map (%row in %A : [n][m]T) {
  %dot = array.redomap (%a in %row : [m]T, %b in %p : [m]T) init (%zero : T) map arith.mulf combine arith.addf
  array.yield %dot : T
}"""
COLUMNS = """%At = array.rearrange %A, [1, 0] : [n][m]T
%s = array.map (%row in %At : [m][n]T) {
  %dot = array.redomap (%a in %row : [n]T, %b in %r : [n]T) init (%zero : T) map arith.mulf combine arith.addf
  array.yield %dot : T
}"""
MAP = """%m = array.map (%row in %A : [n][m]T) {
  %e = array.map (%a in %row : [m]T) {
    %b = arith.addf %a, %a : T
    array.yield %b : T
  }
  array.yield %e : [m]T
}"""
SECOND = COLUMNS.replace("%s", "%v").replace("%At", "%Bt").replace("%r :", "%t :")
PARTS = {"R": (ROWS, "%q", "!array.array<[n]T>"), "C": (COLUMNS, "%s", "!array.array<[m]T>"),
         "D": (SECOND, "%v", "!array.array<[m]T>"), "S": (MAP, "%m", "!array.array<[n][m]T>")}
TOTAL = """func.func @main(%x: !array.array<[n]T>) -> T {
  %zero = arith.constant 0.0 : T
  %sum = array.reduce (%x : [n]T) init (%zero : T) combine arith.addf
  func.return %sum : T
}"""


def program(parts, bits):
    """A program with these results of a matrix."""
    bodies, values, types = zip(*(PARTS[part] for part in parts))
    text = f"""func.func @main(%A: !array.array<[n][m]T>, %p: !array.array<[m]T>, %r: !array.array<[n]T>, %t: !array.array<[n]T>) -> ({', '.join(types)}) {{
%zero = arith.constant 0.0 : T
{chr(10).join(bodies)}
func.return {', '.join(values)} : {', '.join(types)}
}}"""
    return text.replace("T>", f"f{bits}>").replace(" T", f" f{bits}").replace("]T", f"]f{bits}")


class Simulator:
    def __init__(self, segra, gpu):
        self.segra, self.gpu = segra, gpu
        self.folder = tempfile.TemporaryDirectory()

    def to_gpu(self, points):
        """The passes to device code, where a thread has several neighbouring points or a single one."""
        if points == "several":
            return TO_GPU
        command = [Path(self.segra).parent / "segra-opt", f"--pass-pipeline=builtin.module({TO_GPU})", "--dump-pass-pipeline", "-"]
        dumped = subprocess.run(command, input="builtin.module {}", check=True, capture_output=True, text=True)
        line = next(line for line in dumped.stderr.splitlines() if line.startswith("builtin.module("))
        return line[len("builtin.module("):-1].replace("accesses=wide", "accesses=single").replace("choose-mapping{strategy=fold-all tile-rows=8}", "choose-mapping")

    def launches(self, text, inputs, passes, flags=()):
        """The profiles of a program's launches."""
        path = Path(self.folder.name) / "program.mlir"
        path.write_text(text)
        command = [self.segra, "run", path, "--device", "sim", f"--profile={self.gpu}", "--json", "--target", "sm_90",
                   "--pipeline", f"array-to-kernel,{passes}", *flags]
        for value in inputs:
            command += ["--input", value]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["profile"]

    def matrix(self, parts, bits, extent, passes=REST, flags=()):
        inputs = [f"random:{extent}x{extent}"] + 3 * [f"random:{extent}"]
        return self.launches(program(parts, bits), inputs, passes, flags)


def on_each(profile, rates):
    """Costs of a kernel of tiles for each element: cycles of a multiprocessor, cycles waited by a warp, bytes from the L2 cache."""
    estimate, blocks = profile["estimate"], profile["grid"][0] * profile["grid"][1] * profile["grid"][2]
    warps_of_block, resident = profile["block"][0] // 32, profile["resident_blocks"]
    busy = min(rates["multiprocessors"], blocks)
    waves = max(blocks / (busy * resident), 1.0)
    tail = -(-blocks // (busy * resident)) / waves if waves > 1.0 else 1.0
    warps = max(min(resident * warps_of_block, blocks * warps_of_block / busy), 1.0)
    elements = EXTENT * EXTENT
    cycles = max(estimate[name] for name in ["issue", "arithmetic", "l1"]) * busy / tail / elements
    waited = estimate["latency"] * busy / tail * warps / elements
    return [cycles, waited, estimate["l2"] / rates["cycles"] * rates["l2-bytes"] / elements]


def rates(simulator):
    """From the terms of a copy's estimate and its counts."""
    profile = simulator.matrix("S", 32, 512)[0]
    estimate, traffic = profile["estimate"], profile["traffic"]
    terms = [estimate[name] for name in ["issue", "arithmetic", "l1", "l2", "memory", "latency"]]
    clock = max(terms) / (estimate["microseconds"] - estimate["launch"])
    moved = traffic["memory_read_bytes"] + traffic["memory_written_bytes"]
    sectors = traffic["l2_read_sectors"] + traffic["l2_written_sectors"] + traffic["l2_atomic_sectors"]
    return {"bytes": moved / estimate["memory"] * clock, "l2-bytes": 32 * sectors / estimate["l2"] * clock, "cycles": clock,
            "multiprocessors": MULTIPROCESSORS[simulator.gpu], "launch": estimate["launch"]}


def differences(measured):
    """The routines' figures from those of the programs; none is negative."""
    def of(*signed):
        return [max(sum(sign * row[index] for sign, row in signed), 0.0) for index in range(3)]
    columns, two, rows, stored = (measured[name] for name in ["C", "CD", "CR", "CS"])
    return {"load": of((2, columns), (-1, two)), "rows": of((1, rows), (-1, columns)),
            "columns": of((1, two), (-1, columns)), "store": of((1, stored), (-1, columns))}


def passes(warps, columns, rows, steps):
    return f"func.func(fuse-traversals{{versions=one warps={warps} columns={columns} rows={rows} steps={steps} tiles=1}}),{REST}"


def tiles(simulator, bits, known):
    """The lines of the routines of tiles."""
    for warps, columns, (rows, steps) in SHAPES:
        key = f"{bits // 8} {warps} {columns * 32 // bits} {rows} {steps}"
        measured, resident = {}, {}
        for parts in ["C", "CD", "CR", "CS"]:
            profile = simulator.matrix(parts, bits, EXTENT, passes(warps, columns, rows, steps))[0]
            measured[parts] = on_each(profile, known)
            resident[parts] = profile["resident_blocks"] * warps
        for name, taken in differences(measured).items():
            yield f"tile {key} {name} " + " ".join(f"{value:.5g}" for value in taken)
        shared = warps * 32 * columns * 4
        for parts, times in [("C", 1), ("CD", 2)]:
            yield f"resident {key} {times * shared} {resident[parts]}"


def alone(simulator, bits, known):
    """The lines of nests alone, and of what combines the parts of tiles."""
    def line(name, elements, moved, launches):
        def of(terms):
            each = [max(launch["estimate"][term] for term in terms) for launch in launches]
            return sum(each) / known["cycles"]
        times = of(["memory", "l2"]), of(["issue", "arithmetic", "l1", "latency"])
        return (f"alone {bits // 8} {name} {elements} {moved} {len(launches)} " + " ".join(f"{time:.5g}" for time in times))
    size = bits // 8
    for extent in ALONE:
        square = extent * extent
        for name, parts, moved in [("rows", "R", square + 2 * extent), ("columns", "C", square + 2 * extent), ("map", "S", 2 * square)]:
            yield line(name, square, size * moved, simulator.matrix(parts, bits, extent))
        total = simulator.launches(TOTAL.replace("T", f"f{bits}"), [f"random:{square}"], REST)
        yield line("total", square, size * square, total)
        if extent < 128:
            continue
        _, columns, rows = simulator.matrix("CR", bits, extent, passes(8, 4, 2, 4))
        for launch, of_tile in [(columns, 64), (rows, 128 * 32 // bits)]:
            parts = -(-extent // of_tile) * extent
            yield line("finish", parts, size * parts, [launch])


def blocks(simulator, bits, known):
    """The lines of maps in thread blocks of several sizes, as parts of the time in the usual ones."""
    def times(extent, threads, points):
        flags = ["--mapping-strategy", f"fold-all({threads})"]
        launch, = simulator.matrix("S", bits, extent, REST[:-len(TO_GPU)] + simulator.to_gpu(points), flags)
        return [max(launch["estimate"][term] for term in terms) for terms in [("memory", "l2"), ("issue", "arithmetic", "l1", "latency")]]
    for extent in EXTENTS:
        usual = times(extent, 256, "several")
        for threads, points in itertools.product(THREADS, ["several", "single"]):
            if (threads, points) != (256, "several"):
                parts = [one / other for one, other in zip(times(extent, threads, points), usual)]
                yield f"block {bits // 8} {threads} {points} {extent * extent} " + " ".join(f"{part:.4g}" for part in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="H100")
    parser.add_argument("--segra", default=str(ROOT / "target/debug/segra"))
    parser.add_argument("--only-blocks", action="store_true", help="the lines of maps in thread blocks of several sizes alone")
    arguments = parser.parse_args()
    simulator = Simulator(arguments.segra, arguments.gpu)
    known = rates(simulator)
    if arguments.only_blocks:
        for bits in [32, 64]:
            print("\n".join(blocks(simulator, bits, known)), flush=True)
        return
    print(f"# Made by benches/routines.py --gpu {arguments.gpu}, from the simulator's profiles.")
    print(f"device {arguments.gpu}")
    for name, value in known.items():
        print(f"rate {name} {value:.6g}")
    for bits in [32, 64]:
        for row in itertools.chain(tiles(simulator, bits, known), alone(simulator, bits, known), blocks(simulator, bits, known)):
            print(row, flush=True)


if __name__ == "__main__":
    main()

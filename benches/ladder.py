#!/usr/bin/env python3
"""GFLOP/s of the matrix product on near-square sizes: no tiles, block tiles, block and register tiles, the compiler's choice.

The sizes and the ladder are those of "Teaching the Futhark compiler block and register tiled matrix multiplication" (the thesis'
tables 6 to 13: 214 to 4294, of which no tile divides one). Figures are the simulator's estimates of a sample of thread blocks.
Beside them: what the thesis measured on an RTX 2080 Ti, which has 68 multiprocessors where the RTX 2080 Super has 48 of the same kind.

    cargo build --release --bin segra --bin segra-ptx
    benches/ladder.py [--segra target/release/segra] [--gpu RTX-2080-Super] [--sizes 16] [--sample 2] [--plot benches/ladder.svg]
"""
import argparse
import json
import pathlib
import subprocess
import sys

import versions

# M, U, N; microseconds without tiles, with block tiles, with block and register tiles, by hand: tables 6 to 9 of the thesis.
SIZES = [
    ((214, 272, 263), [61, 43, 142, 92]),
    ((432, 415, 456), [233, 142, 202, 132]),
    ((704, 702, 807), [1106, 528, 379, 267]),
    ((1058, 1073, 991), [2591, 1205, 1007, 579]),
    ((1307, 1318, 1298), [4894, 2301, 1525, 736]),
    ((1648, 1640, 1550), [9195, 4194, 2502, 1253]),
    ((1831, 1932, 1823), [34109, 6290, 4692, 1910]),
    ((2122, 2110, 2124), [61504, 9341, 6865, 2759]),
    ((2256, 2354, 2289), [95689, 11914, 6971, 3937]),
    ((2713, 2642, 2627), [170354, 18396, 10870, 5308]),
    ((2939, 2884, 2777), [223283, 23021, 13315, 5478]),
    ((3135, 3196, 3141), [312417, 31085, 17566, 7952]),
    ((3453, 3478, 3457), [419639, 40640, 22269, 10445]),
    ((3579, 3594, 3759), [499253, 47638, 26245, 11219]),
    ((3859, 3851, 3789), [587707, 55477, 31444, 14183]),
    ((4294, 4220, 4229), [721880, 75500, 41925, 18251]),
]

NESTS = "array-to-fused,flatten{inner-reduce=sequential},canonicalize,cse,dce"
# The thesis' optima: block tiles of 16 by 16, and 16 x 8 by 16 x 4 points with steps of 16.
RUNGS = {
    "no tiles": NESTS + ",kernel-to-gpu",
    "blocks": NESTS + ",tile-blocks{tile-y=16 tile-x=16 tile-k=16 registers-y=1 registers-x=1 stages=1},canonicalize,cse,dce,kernel-to-gpu",
    "blocks and registers":
        NESTS + ",tile-blocks{tile-y=128 tile-x=64 tile-k=16 registers-y=8 registers-x=4 stages=1},canonicalize,cse,dce,kernel-to-gpu",
    "default": None,
}


def microseconds(arguments, pipeline, sizes):
    """The estimate for a product, all launches."""
    m, u, n = sizes
    program = pathlib.Path(__file__).parent.parent / "examples" / "matmul.mlir"
    command = [arguments.segra, "bench", str(program), "--device", "sim", f"--profile={arguments.gpu}", "--sample", str(arguments.sample),
               "--data", f"random:{m}x{u}; random:{u}x{n}", "--no-tuning", "--json", *(["--pipeline", pipeline] if pipeline else [])]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["data_sets"][0]["microseconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--gpu", default="RTX-2080-Super", help="the GPU that the simulator estimates")
    parser.add_argument("--sizes", type=int, default=len(SIZES), choices=range(1, len(SIZES) + 1), metavar="N", help="how many of the sizes, the smallest first")
    parser.add_argument("--sample", type=int, default=2, help="waves of each launch that the simulator runs")
    parser.add_argument("--plot", type=pathlib.Path, help="writes the table as a plot, in SVG (the thesis' plots 1 to 8)")
    arguments = parser.parse_args()
    head = ["M, U, N", *RUNGS, "default / no tiles", "default / blocks", "thesis: no tiles, blocks, registers, by hand"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    columns = {name: [] for name in [*RUNGS, "thesis, registers", "thesis, by hand"]}
    for sizes, measured in SIZES[: arguments.sizes]:
        m, u, n = sizes
        speed = lambda time: 2 * m * u * n / time / 1e3
        found = []
        for name, pipeline in RUNGS.items():
            print(f"{m} {u} {n} {name} ...", file=sys.stderr, flush=True)
            found.append(speed(microseconds(arguments, pipeline, sizes)))
        cells = [f"{m}, {u}, {n}", *(f"{it:.0f}" for it in found), f"{found[-1] / found[0]:.2f}", f"{found[-1] / found[1]:.2f}",
                 ", ".join(f"{speed(time):.0f}" for time in measured)]
        print("| " + " | ".join(cells) + " |", flush=True)
        for column, value in zip(columns.values(), [*found, speed(measured[2]), speed(measured[3])]):
            column.append(value)
    if arguments.plot:
        labels = [sizes[0] for sizes, _ in SIZES[: arguments.sizes]]
        title = f"Products of near-square matrices, {arguments.gpu} by the estimate"
        versions.plot(arguments.plot, title, labels, columns, unit="GFLOP/s")


if __name__ == "__main__":
    main()

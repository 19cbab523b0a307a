#!/usr/bin/env python3
"""Block tiling: what tiles save, counted by the simulator for one GPU. Writes a table in Markdown.

Elements asked for are counted exactly: a matrix product without tiles reads 2 m n u of them, with tiles of ty by tx
m n u / ty + m n u / tx ("Teaching the Futhark compiler block and register tiled matrix multiplication", table 3).

    cargo build --release --bin segra --bin segra-ptx
    benches/tiles.py --segra target/release/segra --size 256
"""
import argparse
import json
import pathlib
import subprocess

TILES = [None, (8, 32, 32), (16, 16, 16), (16, 32, 32), (32, 32, 32)]
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--size", type=int, default=256, help="extent of the matrices")
    parser.add_argument("--bodies", type=int, default=8192, help="length of the line")
    parser.add_argument("--profile", default="H100", help="the GPU that is counted for")
    args = parser.parse_args()
    folder = pathlib.Path(__file__).parent.parent / "tests" / "run" / "tiled"
    square = f"random:{args.size}x{args.size}"
    line = f"random:{args.bodies}"
    rows = []
    for program, shape in [("product", square), ("product-of-rows", square)]:
        rows += [(program, shape, tiles, "tile-y={} tile-x={} tile-k={}") for tiles in TILES]
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

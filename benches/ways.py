#!/usr/bin/env python3
"""Histograms by what combines a value with its bin, counted by the simulator. Writes a table in Markdown.

    benches/ways.py [--gpu H100] [--segra target/debug/segra]

The ways are those of `lower-to-gpu`: an atomic of the hardware (a sum), compare-and-swap (a sum that saturates), and locks
(the same on numbers of 8 bits, which the hardware does not compare and swap). Two histograms of one index are counted in
one op, where each value goes its own way, and as two ops. Bytes are counted as in benches/traffic.py, from where measuring
comes, too; the least possible: each key read once, the destinations copied, the results written.
"""
import argparse
import random
import tempfile
from pathlib import Path

import traffic

COUNT = 1 << 18
BINS = [16, 256, 8192, 20000, 131072]
#: Name, then for each value: its type, its operator.
SUM = ("i32", "%s{n} = arith.addi %a{n}, %b{n} : {ty}")
SATURATING = ("i32", "%t{n} = arith.addi %a{n}, %b{n} : {ty}\n    %s{n} = arith.minui %t{n}, %most{n} : {ty}")
BYTES = ("i8", SATURATING[1])
WAYS = [
    ("hardware", [[SUM]]),
    ("compare-and-swap", [[SATURATING]]),
    ("locks", [[BYTES]]),
    ("hardware and locks, one op", [[SUM, BYTES]]),
    ("hardware and locks, two ops", [[SUM], [BYTES]]),
]


def array(ty):
    return f"!array.array<[m]{ty}>"


def histogram(number, values):
    """The text of one op with these values; the names and types of its results."""
    names = [f"{number}{at}" for at in range(len(values))]
    types = [ty for ty, _ in values]
    results = [f"%r{n}" for n in names]
    lines = [f"  %zero{n} = arith.constant 0 : {ty}\n  %one{n} = arith.constant 1 : {ty}" for n, ty in zip(names, types)]
    lines += [f"  %most{n} = arith.constant 100 : {ty}" for n, ty in zip(names, types)]
    into = ", ".join(f"%start{n} : [m]{ty}" for n, ty in zip(names, types))
    init = ", ".join(f"%zero{n}" for n in names) + " : " + ", ".join(types)
    given = ", ".join([f"%a{n}" for n in names] + [f"%b{n}" for n in names])
    lines += [
        f"  {', '.join(results)} = array.hist (%x in %xs : [n]i32) into ({into}) neutral ({init}) map {{",
        "    %bin = arith.index_cast %x : i32 to index",
        f"    array.yield %bin, {', '.join(f'%one{n}' for n in names)} : index, {', '.join(types)}",
        f"  }} combine ({given}) {{",
        *("    " + operator.format(n=n, ty=ty) for n, (ty, operator) in zip(names, values)),
        f"    array.yield {', '.join(f'%s{n}' for n in names)} : {', '.join(types)}",
        "  }",
    ]
    return "\n".join(lines), list(zip(names, types))


def program(ops):
    texts, made = zip(*(histogram(number, values) for number, values in enumerate(ops)))
    made = sum(made, [])
    parameters = ", ".join(["%xs: !array.array<[n]i32>"] + [f"%start{n}: {array(ty)}" for n, ty in made])
    types = ", ".join(array(ty) for _, ty in made)
    returned = ", ".join(f"%r{n}" for n, _ in made)
    text = f"func.func @main({parameters}) -> ({types}) {{\n" + "\n".join(texts)
    return text + f"\n  func.return {returned} : {types}\n}}\n", [ty for _, ty in made]


def npy(path, values, width):
    kind = f"'<i{width}'" if width > 1 else "'|i1'"
    header = f"{{'descr': {kind}, 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    data = b"".join(value.to_bytes(width, "little") for value in values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data)
    return str(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="H100")
    parser.add_argument("--segra", default="target/debug/segra", help="the tool")
    arguments = parser.parse_args()
    print("| bins | way | launches | moved / least | instr./element | est. µs |\n|---|---|---|---|---|---|")
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for bins in BINS:
            keys = npy(folder / "keys.npy", [draw.randrange(bins) for _ in range(COUNT)], 4)
            for way, ops in WAYS:
                text, types = program(ops)
                (folder / "ways.mlir").write_text(text)
                widths = [int(ty[1:]) // 8 for ty in types]
                zeros = [npy(folder / f"zeros{width}.npy", [0] * bins, width) for width in widths]
                run = traffic.measure(arguments.segra, arguments.gpu, folder / "ways.mlir", [keys, *zeros])
                profiles = run["profile"]
                bytes_of = lambda key: sum(profile["traffic"][key] for profile in profiles)
                moved = bytes_of("memory_read_bytes") + bytes_of("memory_written_bytes")
                moved += run["filled_bytes"] + 2 * run["copied_bytes"]
                least = 4 * COUNT + 3 * bins * sum(widths)
                threads = sum(profile["thread_instructions"] for profile in profiles)
                time = sum(profile["estimate"]["microseconds"] for profile in profiles)
                cells = [bins, way, len(profiles), f"{moved / least:.4f}", f"{threads / COUNT:.1f}", f"{time:.1f}"]
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()

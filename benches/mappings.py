#!/usr/bin/env python3
"""Strategies of mappings beside the default one, on the programs of tests/run. Writes a table in Markdown.

    benches/mappings.py [--gpu H100] [--segra target/debug/segra] [--strategy auto] [FOLDER ...]

A program takes part if a kernel of it has another mapping under the strategy, and if all its parameters are arrays of
floats or integers with symbolic sizes, or floats: these are random, of an extent that depends on their rank. Times are
the simulator's estimates, launches one by one with empty caches; bytes are those between L1 and L2 caches, in sectors;
instructions are those of warps. Columns with two numbers have those of the default first.
"""
import argparse
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The extent of symbolic sizes by the largest rank of a parameter.
EXTENTS = {0: 0, 1: 300, 2: 250, 3: 40, 4: 14}
PARAMETER = re.compile(r"%\w+: *(!array\.array<((?:\[\w+\])+)(\w+)>|\w+)")


def inputs(text):
    """Random inputs for the parameters of `main`; None where there are none of this kind."""
    signature = re.search(r"func\.func @main\((.*?)\)\s*(?:->|\{|attributes)", text, re.S)
    if not signature or "#" in signature[1]:
        return None
    found = PARAMETER.findall(signature[1])
    if not found or len(found) != signature[1].count("%"):
        return None
    ranks = [shape.count("[") for _, shape, _ in found]
    if max(ranks) == 0:
        return None
    extent = EXTENTS.get(max(ranks), 7)
    given = []
    for (whole, shape, element), rank in zip(found, ranks):
        if (element or whole) not in ("f32", "f64", "i32", "i64"):
            return None
        if not shape:
            if whole not in ("f32", "f64"):
                return None
            given.append("0.5")
            continue
        sizes = [name if name.isdigit() else str(extent) for name in re.findall(r"\[(\w+)\]", shape)]
        given.append("random:" + "x".join(sizes))
    return given


def output(command):
    """The text that a command prints; None where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.stdout if done.returncode == 0 else None


def counts(arguments, path, given, strategy):
    """Launches, estimated microseconds, bytes and warp instructions of a program; None where it does not run."""
    command = [arguments.segra, "run", path, "--device", "sim", f"--profile={arguments.gpu}", "--json", "--target", "sm_90"]
    for value in given:
        command += ["--input", value]
    text = output(command + strategy)
    if text is None:
        return None
    profiles = json.loads(text)["profile"]
    moved = ("l2_read_sectors", "l2_written_sectors", "l2_atomic_sectors")
    return (
        len(profiles),
        sum(profile["estimate"]["microseconds"] for profile in profiles),
        sum(32 * profile["traffic"][kind] for profile in profiles for kind in moved),
        sum(sum(profile["instructions"].values()) for profile in profiles),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="H100")
    parser.add_argument("--segra", default="target/debug/segra", help="the tool")
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT / "tests" / "run"])
    arguments = parser.parse_args()
    strategy = ["--mapping-strategy", arguments.strategy]
    print(f"| program | launches | default, µs | {arguments.strategy}, µs | ratio | KB | instructions |", flush=True)
    print("|---|---|---|---|---|---|---|", flush=True)
    same = untold = 0
    paths = [path for folder in arguments.folders for path in sorted(folder.rglob("*.mlir"))]
    for path in paths:
        given = inputs(path.read_text())
        if given is None:
            untold += 1
            continue
        explained = [output([arguments.segra, "explain", path, "--kernels", *flags]) for flags in ([], strategy)]
        if None in explained:
            untold += 1
            continue
        if explained[0] == explained[1]:
            same += 1
            continue
        runs = [counts(arguments, path, given, flags) for flags in ([], strategy)]
        if None in runs:
            untold += 1
            continue
        (launches, before, bytes_before, issued_before), (_, after, bytes_after, issued_after) = runs
        cells = [path.stem, launches, f"{before:.2f}", f"{after:.2f}", f"{after / before:.3f}"]
        cells += [f"{bytes_before / 1e3:.0f}, {bytes_after / 1e3:.0f}", f"{issued_before}, {issued_after}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    print(f"\nThe same kernels: {same} programs; other parameters, or not run on these: {untold}.")


if __name__ == "__main__":
    main()

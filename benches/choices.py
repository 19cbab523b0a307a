#!/usr/bin/env python3
"""Default, best forced and tuned version of every program of tests/run, by the simulator's estimate, at three sizes.

    benches/choices.py [--segra target/debug/segra] [--gpu H100] [--only TEXT] [--no-tuned] [--save FILE]

Sizes are the smallest, the middle and the largest inputs that a program's header names, those left out that end in an
error or have nothing in them; or, with --sizes, what SIZES below names. Forced are, as in tests/run/versions.rs, all
thresholds at their largest (flat), and each threshold met with those around it set so that it is asked. Programs without
thresholds have no row. A row is a miss where default is more than 1.2 times the best, or tuned more than 1.03 times;
exit code 1 where there is one. Times are microseconds on the GPU named, launches included.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from programs import ROOT, combinations, row, size  # noqa: E402

DEFAULT, TUNED = 1.2, 1.03
SIZES = {
    "matmul": [
        "random:16x2048; random:2048x16", "random:128x128; random:128x128", "random:512x64; random:64x512",
        "random:100x100; random:100x100", "random:170x64; random:64x190", "random:20000x30; random:30x30",
    ],
    "matvec": [
        "random:16x16384; random:16384", "random:512x512; random:512", "random:16384x16; random:16",
        "random:40000x3; random:3", "random:40000x32; random:32", "random:40000x100; random:100", "random:100x10000; random:10000",
    ],
    "matvec_transposed": [
        "random:16x16384; random:16", "random:512x512; random:512", "random:16384x16; random:16384",
        "random:10000x100; random:10000", "random:30x40000; random:30",
    ],
    "softmax": [
        "random:16x16384", "random:512x512", "random:16384x16", "random:40000x8", "random:40000x30", "random:40000x100",
    ],
    "dot": [
        "random:1000; random:1000", "random:8193; random:8193", "random:12289; random:12289", "random:30000; random:30000",
        "random:1000000; random:1000000",
    ],
    "nearest_neighbour": [
        "random:64; random:64; random:4096; random:4096", "random:512; random:512; random:512; random:512",
        "random:4096; random:4096; random:64; random:64",
    ],
}


def header_inputs(path):
    """Inputs that the header names, from small to large, at most three."""
    lines = [line for line in path.read_text().splitlines() if line.startswith("// ")]
    runs = []
    for at, line in enumerate(lines):
        fails = at + 1 < len(lines) and lines[at + 1].startswith("// error:")
        if line.startswith("// inputs:") and not fails:
            runs.extend(combinations(line.removeprefix("// inputs:").strip()))
    runs = sorted((run for run in runs if size(run) > 0), key=size)
    if len(runs) <= 3:
        return runs
    return [runs[0], runs[len(runs) // 2], runs[-1]]


def cases(arguments):
    wanted = arguments.only.split(",")
    if arguments.sizes:
        for name, sets in SIZES.items():
            if any(text in name for text in wanted):
                yield ROOT / f"examples/{name}.mlir", [[part.strip() for part in text.split(";")] for text in sets]
        return
    for path in sorted((ROOT / "tests/run").rglob("*.mlir")):
        if any(text in path.stem for text in wanted) and path.read_text().startswith("// run"):
            inputs = header_inputs(path)
            if inputs:
                yield path, inputs


def call(command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


def estimate(arguments, artifact, inputs, settings, tuning=None):
    """Microseconds, or None where the program stops."""
    command = [arguments.segra, "run", artifact, "--device", "sim", f"--profile={arguments.gpu}", "--json"]
    command += ["--tuning", tuning] if tuning else ["--no-tuning"]
    for name, value in settings.items():
        command += ["--threshold", f"{name}={value}"]
    for text in inputs:
        command += [f"--input={text}"]
    run = call(command)
    if run.returncode != 0:
        return None
    return sum(launch["estimate"]["microseconds"] for launch in json.loads(run.stdout)["profile"])


def forced(thresholds):
    """Settings that force each version, by name."""
    most, least = 2**62, 0
    known = {entry["name"]: entry for entry in thresholds}
    yield "flat", {name: most for name in known}
    for name in known:
        settings = {other: most for other in known}
        settings[name] = least
        around = known[name]["where"]
        while around:
            relation, outer = around.split()[:2]
            settings[outer] = most if relation == "<" else least
            around = known.get(outer, {}).get("where", "")
        yield name, settings


def tuned(arguments, artifact, inputs, folder):
    """Microseconds with the thresholds that `segra tune` finds for this one data set."""
    out = folder / "tuning"
    command = [arguments.segra, "tune", artifact, "--device", "sim", "--profile", arguments.gpu, "--data", "; ".join(inputs)]
    command += ["-o", out, "--log", folder / "log", "--fresh"]
    if call(command).returncode != 0:
        return None
    return estimate(arguments, artifact, inputs, {}, out)


def rows(arguments, path, all_inputs, folder):
    artifact = folder / "program.segra"
    shown = call([arguments.segra, "explain", path, "--json"])
    if shown.returncode != 0:
        return
    thresholds = json.loads(shown.stdout)["thresholds"]
    if not thresholds or call([arguments.segra, "compile", path, "--target", "sm_90", "-o", artifact]).returncode != 0:
        return
    for inputs in all_inputs:
        default = estimate(arguments, artifact, inputs, {})
        if default is None:
            continue
        others = {name: estimate(arguments, artifact, inputs, settings) for name, settings in forced(thresholds)}
        others = {name: cost for name, cost in others.items() if cost is not None}
        best = min(others, key=others.get) if others else "default"
        lowest = min([default, *others.values()])
        chosen = tuned(arguments, artifact, inputs, folder) if arguments.tuned else None
        yield {
            "program": path.stem,
            "inputs": "; ".join(inputs),
            "default": round(default, 2),
            "best": round(lowest, 2),
            "version": best if others and others[best] <= default else "default",
            "tuned": None if chosen is None else round(chosen, 2),
            "default/best": round(default / lowest, 2) if lowest else 1.0,
            "tuned/best": None if chosen is None or not lowest else round(chosen / lowest, 2),
        }


def is_miss(entry):
    # Of the times: the ratios are rounded.
    return entry["default"] > DEFAULT * entry["best"] or (entry["tuned"] or 0) > TUNED * entry["best"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", type=Path, default=ROOT / "target/debug/segra")
    parser.add_argument("--gpu", default="H100")
    parser.add_argument("--only", default="", help="programs whose name has one of these texts, between commas")
    parser.add_argument("--sizes", action="store_true", help="the examples at the sizes of this script, not tests/run")
    parser.add_argument("--no-tuned", dest="tuned", action="store_false")
    parser.add_argument("--save", type=Path, help="all rows as JSON")
    arguments = parser.parse_args()
    keys = ["program", "inputs", "default", "best", "version", "tuned", "default/best", "tuned/best"]
    print(row(keys))
    print(row(["---"] * len(keys)))
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path, inputs in cases(arguments):
            for entry in rows(arguments, path, inputs, Path(folder)):
                found.append(entry)
                print(row(["-" if entry[key] is None else entry[key] for key in keys]), flush=True)
    if arguments.save:
        arguments.save.write_text(json.dumps(found, indent=1) + "\n")
    misses = [entry for entry in found if is_miss(entry)]
    print(f"\n{len(found)} rows, {len(misses)} misses (default over {DEFAULT} x best, or tuned over {TUNED} x)")
    sys.exit(1 if misses else 0)


if __name__ == "__main__":
    main()

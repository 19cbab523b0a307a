#!/usr/bin/env python3
"""The table of benches/README.md: Segra beside mlir-opt and pliron, same machine, same run, one thread each.

    benches/compare.py [--ops 10000,100000,1000000] [--runs 3] [--no-build] [--write]
                       [--only whole,folds,parts,build,start,shapes,threads]

Builds tools/segra-opt in release mode, and benches/measure for the parts that need it, generates modules (see modules.py)
and prints markdown; with --write it puts each part into benches/README.md, between the lines that name it. Seconds are
processor time (user and system), least of the runs: other work on the machine counts little. All parts take about ten
minutes once both are built.
"""
import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import modules

ROOT = Path(__file__).resolve().parent.parent
MEASURE = ROOT / "benches" / "measure"


def run(command):
    """Processor seconds, largest resident size in MiB, wall seconds and standard output and error of one run."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as captured:
        process = subprocess.Popen(command, stdout=captured, stderr=captured)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        captured.seek(0)
        text = captured.read().decode(errors="replace")
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{text[:2000]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wall, text


def least(command, runs):
    """Least processor seconds and largest resident size of the runs."""
    results = [run(command) for _ in range(runs)]
    return min(row[0] for row in results), max(row[1] for row in results)


def least_pairs(command, runs):
    """The `name value` lines a program of benches/measure prints, the least of each over the runs."""
    found = {}
    for _ in range(runs):
        for line in run(command)[3].splitlines():
            name, value = line.split()
            found[name] = min(found.get(name, float("inf")), float(value))
    return found


def upstream_parts(command, runs):
    """Times mlir-opt reports for its reader, printer and whole run, least of the runs."""
    found = {}
    for _ in range(runs):
        for line in run([*command, "--mlir-timing"])[3].splitlines():
            words = line.split()
            if len(words) == 4 and words[3] in ("Parser", "Output", "Rest", "Total"):
                found[words[3]] = min(found.get(words[3], float("inf")), float(words[0]))
    return found


def processor():
    """Model of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def table(head, rows):
    """A markdown table, with an empty line behind."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n"


def rate(ops, seconds):
    return f"{ops / seconds:,.0f}" if seconds else "-"


class Bench:
    def __init__(self, args, folder):
        target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
        measure = Path(os.environ.get("CARGO_TARGET_DIR", MEASURE / "target")) / "release"
        self.runs, self.folder = args.runs, Path(folder)
        self.sizes = [int(ops) for ops in args.ops.split(",")]
        self.segra = [str(target / "release" / "segra-opt"), "--mlir-disable-threading", "--mlir-print-op-generic"]
        self.measure, self.pliron = str(measure / "measure-segra"), str(measure / "measure-pliron")
        self.threaded = str(measure / "threads")
        self.pliron_found = {}
        found = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
        self.upstream = found and [found, "--mlir-disable-threading", "--mlir-print-op-generic"]

    def module(self, ops, write=modules.generate):
        path = self.folder / "module.mlir"
        with open(path, "w", encoding="ascii") as out:
            write(ops, out)
        return path

    def tools(self):
        yield "segra-opt", self.segra
        if self.upstream:
            yield "mlir-opt", self.upstream

    def pliron_parts(self):
        """Of a module of additions; measured once for all tables."""
        if not self.pliron_found:
            self.pliron_found = least_pairs([self.pliron, str(self.sizes[-1])], self.runs)
        return self.pliron_found

    def parts(self):
        """Reading, verifying, printing and the two passes, in process; of upstream what its own timer says."""
        ops = self.sizes[-1]
        path = self.module(ops)
        own = least_pairs([self.measure, "read", str(path)], self.runs)
        pliron = self.pliron_parts()
        other = {}
        if self.upstream:
            timed = upstream_parts([*self.upstream, str(path), "-o", "/dev/null"], self.runs)
            quick = upstream_parts([*self.upstream, "--verify-each=0", str(path), "-o", "/dev/null"], self.runs)
            other = {"parse": timed.get("Parser"), "print": timed.get("Output"), "quick": quick.get("Parser")}
        rows = []
        for name in ("parse", "verify", "print", "canonicalize", "cse"):
            rows.append([name, rate(ops, own[name]), rate(ops, other.get(name)), rate(ops, pliron.get(name))])
        share = own["verify"] / own["parse"]
        return (f"Parts, ops a second at {ops:,} ops; pliron on a module of additions:\n\n"
                + table(["part", "Segra", "`mlir-opt` (wall, its timer)", "pliron"], rows)
                + f"Verifying takes {share:.1%} of what reading takes.\n")

    def whole(self):
        """The whole process on one file."""
        jobs = {"read, verify, print": [], "+ canonicalize, cse": ["--canonicalize", "--cse"]}
        rows = []
        for ops in self.sizes:
            path = self.module(ops)
            for job, flags in jobs.items():
                seconds = {}
                for tool, command in self.tools():
                    seconds[tool], mib = least([*command, *flags, str(path), "-o", "/dev/null"], self.runs)
                    times = seconds[tool] and seconds.get("mlir-opt", 0) / seconds["segra-opt"]
                    rows.append([f"{ops:,}", job, tool, f"{seconds[tool]:.3f}", rate(ops, seconds[tool]),
                                 f"{mib:.0f}", f"{times:.1f}" if tool == "mlir-opt" else ""])
        return "Whole process:\n\n" + table(["ops", "job", "tool", "seconds", "ops/s", "MiB", "times as long"], rows)

    def folds(self):
        """A module of which two thirds fold away, canonicalized as a whole and function by function."""
        ways = {"whole module": "canonicalize", "function by function": "func.func(canonicalize)"}
        rows, before = [], {}
        for ops in self.sizes:
            path = self.module(ops, modules.folding)
            for way, passes in ways.items():
                seconds = {}
                for tool, command in self.tools():
                    flags = [f"--pass-pipeline=builtin.module({passes})", str(path), "-o", "/dev/null"]
                    seconds[tool], mib = least([*command, *flags], self.runs)
                    grown = seconds[tool] / before[way, tool] if (way, tool) in before else None
                    before[way, tool] = seconds[tool]
                    times = f"{seconds[tool] / seconds['segra-opt']:.1f}" if tool == "mlir-opt" else ""
                    rows.append([f"{ops:,}", way, tool, f"{seconds[tool]:.3f}", rate(ops, seconds[tool]), f"{mib:.0f}",
                                 f"{grown:.1f}" if grown else "", times])
        head = ["ops", "`canonicalize`", "tool", "seconds", "ops/s", "MiB", "times the size before", "times as long"]
        return ("A module of which two thirds fold away, seconds of the whole process (read, verify, canonicalize, print):\n\n"
                + table(head, rows))

    def shapes(self):
        """Modules that are wide in one way."""
        rows = []
        passes = ["--canonicalize", "--cse"]
        for shape, write in modules.SHAPES.items():
            rows.append([shape, *self.shape(write, [])])
        rows.append(["ops in one block, canonicalize, cse", *self.shape(modules.one_block, passes)])
        largest = f"{self.sizes[-1]:,}"
        head = ["shape", *(f"{ops:,}" for ops in self.sizes), "last step, times"]
        head += [f"`mlir-opt`, {largest}", "times as long"] if self.upstream else []
        return "Wide shapes, seconds of the whole process (read, verify, print):\n\n" + table(head, rows)

    def shape(self, write, flags):
        """The columns of one shape: seconds by size, how they grew at last, upstream's at the largest size."""
        seconds = []
        for ops in self.sizes:
            rest = [*flags, "--allow-unregistered-dialect", str(self.module(ops, write)), "-o", "/dev/null"]
            seconds.append(least([*self.segra, *rest], self.runs)[0])
        row = [f"{value:.3f}" for value in seconds]
        row.append(f"{seconds[-1] / max(seconds[-2], 1e-9):.1f}" if len(seconds) > 1 else "")
        if self.upstream:
            other = least([*self.upstream, *rest], 1)[0]
            row += [f"{other:.3f}", f"{other / seconds[-1]:.1f}"]
        return row

    def build(self):
        """Building through the API."""
        ops = self.sizes[-1]
        own = least_pairs([self.measure, "build", str(ops)], self.runs)
        pliron = self.pliron_parts()
        count = own["ops"]
        more = (own["bytes_with_locations"] - own["bytes"]) / count
        read = least_pairs([self.measure, "read", str(self.module(ops))], 1)["parsed_bytes"] / ops
        head = ["", "ops/s", "bytes an op", "more with a location of its own each"]
        rows = [["Segra", rate(count, own["build"]), f"{own['bytes'] / count:.0f}", f"{more:.0f}"],
                ["pliron", rate(pliron["ops"], pliron["build"]), "-", "-"]]
        return (f"Building {ops:,} ops through the API:\n\n" + table(head, rows)
                + f"Read from text, with names and a place in the text for every op and argument: {read:.0f} bytes an op.\n")

    def threads(self):
        """Passes over isolated ops, on one thread and on two, on the clock."""
        ops = self.sizes[-1]
        path = self.module(ops)
        rows, seconds = [], []
        for threads in (1, 2):
            found = least_pairs([self.threaded, str(path), str(threads)], 2 * self.runs + 2)
            seconds.append(found["passes"])
            rows.append([str(threads), f"{seconds[-1]:.2f}"])
        return (f"`builtin.module(func.func(canonicalize,cse))` on {ops:,} ops, seconds on the clock, each pass's result "
                + "verified:\n\n" + table(["threads", "seconds"], rows)
                + f"Two threads are {seconds[0] / max(seconds[1], 1e-9):.2f} times as fast as one.\n")

    def start(self):
        """An empty module, from start to end, on the clock."""
        path = self.folder / "empty.mlir"
        path.write_text('"builtin.module"() ({\n^bb0:\n}) : () -> ()\n')
        rows = []
        for tool, command in self.tools():
            times = sorted(run([*command, str(path), "-o", "/dev/null"])[2] * 1e3 for _ in range(20))
            rows.append([tool, f"{times[0]:.1f}", f"{times[10]:.1f}"])
        return "Start-up: an empty module, milliseconds on the clock, 20 runs:\n\n" + table(["tool", "least", "median"], rows)


PARTS = {"whole": Bench.whole, "folds": Bench.folds, "parts": Bench.parts, "build": Bench.build, "start": Bench.start,
         "shapes": Bench.shapes, "threads": Bench.threads}
# Parts that run the programs of benches/measure.
IN_PROCESS = {"parts", "build", "threads"}


def put(part, text):
    """Puts the text of a part between its lines in the README."""
    path = ROOT / "benches" / "README.md"
    begin, end = f"<!-- compare:{part} -->\n", f"<!-- compare:{part} end -->\n"
    page = path.read_text(encoding="utf-8")
    if begin not in page or end not in page:
        sys.exit(f"{path} has no place for `{part}`")
    before, rest = page.split(begin)
    path.write_text(before + begin + text.rstrip("\n") + "\n" + end + rest.split(end)[1], encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", default="10000,100000,1000000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    unknown = [part for part in args.only.split(",") if part not in PARTS]
    if unknown:
        sys.exit(f"no such part: {', '.join(unknown)} (there are {', '.join(PARTS)})")
    if not args.no_build:
        subprocess.run(["cargo", "build", "--release", "--locked", "-p", "segra-opt"], cwd=ROOT, check=True)
        if IN_PROCESS.intersection(args.only.split(",")):
            subprocess.run(["cargo", "build", "--release", "--locked"], cwd=MEASURE, check=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args, folder)
        for part in args.only.split(","):
            command = f"benches/compare.py --ops {args.ops} --runs {args.runs} --only {part}"
            head = (f"{date.today()}, {processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
                    f"least of {args.runs} runs: `{command}`\n\n")
            text = head + PARTS[part](bench)
            print(text, flush=True)
            if args.write:
                put(part, text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compile time by program size: programs of 10 to 5,000 SOACs through the passes, and the lecture's running example.

Programs are those of `segra_tests::long_programs` (its documentation says what the shapes are). Times are user seconds of
segra-opt, reading, verifying after every pass and printing to /dev/null included; the least of several runs. Writes a table
in Markdown.

    cargo build --release --bin segra-opt --bin long-program
    benches/compile.py --tools target/release
"""
import argparse
import pathlib
import resource
import subprocess
import tempfile

SHAPES = ["chain", "wide", "nests", "deep", "loops", "branches", "mixed"]
PIPELINES = {
    "kernel, one version": "array-to-kernel-one",
    "kernel": "array-to-kernel",
    "gpu, one version": "array-to-kernel-one,kernel-to-gpu",
    "gpu": "array-to-gpu",
}


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default="target/release", type=pathlib.Path, help="where segra-opt and long-program lie")
    parser.add_argument("--shapes", nargs="+", default=SHAPES)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000, 5000])
    parser.add_argument("--runs", type=int, default=3, help="the least of so many counts")
    args = parser.parse_args()

    def measure(path, pipeline):
        command = [args.tools / "segra-opt", path, f"--pass-pipeline=builtin.module({pipeline})"]
        return min(seconds(command) for _ in range(args.runs))

    print("| program | SOACs | " + " | ".join(f"to {name}" for name in PIPELINES) + " |")
    print("|---" * (len(PIPELINES) + 2) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for shape in args.shapes:
            for size in args.sizes:
                path = pathlib.Path(folder) / "program.mlir"
                path.write_bytes(subprocess.check_output([args.tools / "long-program", shape, str(size)]))
                times = [f"{measure(path, pipeline):.3f}" for pipeline in PIPELINES.values()]
                print(f"| {shape} | {size} | " + " | ".join(times) + " |", flush=True)
        root = pathlib.Path(__file__).parent.parent
        text = (root / "tests/text/passes/flatten-running-example.mlir").read_text().split("// ===== expected")[0]
        path = pathlib.Path(folder) / "running-example.mlir"
        path.write_text(text)
        times = [f"{measure(path, pipeline):.3f}" for pipeline in PIPELINES.values()]
        print("| the lecture's running example | 8 | " + " | ".join(times) + " |")


if __name__ == "__main__":
    main()

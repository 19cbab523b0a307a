#!/usr/bin/env python3
"""Compile time by program size: programs of 10 to 5,000 SOACs through the passes, and the lecture's running example.

Three shapes: `chain` (maps and scans, each of the one before), `wide` (reductions of maps of one array), `nests` (maps of
maps of reductions, each of the one before). Times are user seconds of segra-opt, reading, verifying after every pass and
printing to /dev/null included; the least of several runs. Writes a table in Markdown.

    cargo build --release --bin segra-opt
    benches/compile.py --segra-opt target/release/segra-opt
"""
import argparse
import pathlib
import resource
import subprocess
import tempfile

PIPELINES = {
    "kernel, one version": "array-to-kernel-one",
    "kernel": "array-to-kernel",
    "gpu, one version": "array-to-kernel-one,kernel-to-gpu",
    "gpu": "array-to-gpu",
}


def each(result, source, operand, ty, op):
    return (
        f"  {result} = array.map ({operand} in {source} : {ty}) {{\n    %y = {op}\n    array.yield %y : i64\n  }}\n"
    )


def chain(count):
    text = "func.func @main(%x0: !array.array<[n]i64>, %c: i64) -> !array.array<[n]i64> {\n"
    for at in range(count):
        if at % 2 == 0:
            text += each(f"%x{at + 1}", f"%x{at}", "%x", "[n]i64", "arith.muli %x, %c : i64")
        else:
            text += f"""  %x{at + 1} = array.scan (%x in %x{at} : [n]i64) init (%acc = %c : i64) {{
    %s = arith.addi %acc, %x : i64
    array.yield %s : i64
  }}
"""
    return text + f"  func.return %x{count} : !array.array<[n]i64>\n}}\n"


def reduction(result, source, ty, start, indent):
    return f"""{indent}{result} = array.reduce (%x in {source} : {ty}) init (%acc = {start} : i64) {{
{indent}  %s = arith.addi %acc, %x : i64
{indent}  array.yield %s : i64
{indent}}}
"""


def wide(count):
    text = "func.func @main(%xs: !array.array<[n]i64>, %r0: i64) -> i64 {\n"
    for at in range(count // 2):
        text += each(f"%m{at}", "%xs", "%e", "[n]i64", f"arith.muli %e, %r{at} : i64")
        text += reduction(f"%r{at + 1}", f"%m{at}", "[n]i64", f"%r{at}", "  ")
    return text + f"  func.return %r{count // 2} : i64\n}}\n"


def nests(count):
    text = "func.func @main(%x0: !array.array<[n][m]i64>, %y: !array.array<[m]i64>, %c: i64) -> !array.array<[n][m]i64> {\n"
    for at in range(count // 3):
        text += f"  %x{at + 1} = array.map (%row in %x{at} : [n][m]i64) {{\n    %r = array.map (%e in %row : [m]i64) {{\n"
        text += f"""      %d = array.redomap (%p in %y : [m]i64) init (%c : i64) map {{
        %q = arith.muli %p, %e : i64
        array.yield %q : i64
      }} combine (%s, %t) {{
        %u = arith.addi %s, %t : i64
        array.yield %u : i64
      }}
"""
        text += "      array.yield %d : i64\n    }\n    array.yield %r : !array.array<[m]i64>\n  }\n"
    return text + f"  func.return %x{count // 3} : !array.array<[n][m]i64>\n}}\n"


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra-opt", default="target/release/segra-opt", help="the tool")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000, 5000])
    parser.add_argument("--runs", type=int, default=3, help="the least of so many counts")
    args = parser.parse_args()

    def measure(path, pipeline):
        command = [args.segra_opt, str(path), f"--pass-pipeline=builtin.module({pipeline})"]
        return min(seconds(command) for _ in range(args.runs))

    print("| program | SOACs | " + " | ".join(f"to {name}" for name in PIPELINES) + " |")
    print("|---" * (len(PIPELINES) + 2) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for shape in (chain, wide, nests):
            for size in args.sizes:
                path = pathlib.Path(folder) / "program.mlir"
                path.write_text(shape(size))
                times = [f"{measure(path, pipeline):.3f}" for pipeline in PIPELINES.values()]
                print(f"| {shape.__name__} | {size} | " + " | ".join(times) + " |", flush=True)
        root = pathlib.Path(__file__).parent.parent
        text = (root / "tests/text/passes/flatten-running-example.mlir").read_text().split("// ===== expected")[0]
        path = pathlib.Path(folder) / "running-example.mlir"
        path.write_text(text)
        times = [f"{measure(path, pipeline):.3f}" for pipeline in PIPELINES.values()]
        print("| the lecture's running example | 8 | " + " | ".join(times) + " |")


if __name__ == "__main__":
    main()

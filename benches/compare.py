#!/usr/bin/env python3
"""Segra's opt driver beside upstream's, on the same generated modules, same machine, same run.

    benches/compare.py [--ops 10000,100000,1000000] [--runs 3] [--out benches/results.json]

    benches/compare.py --shapes [--ops 10000,100000,1000000]

Builds tools/segra-opt in release mode, generates one module per size in MLIR's generic form (nested loops, branches,
loads, stores, calls, attributes; about 84 bytes an op) and runs both tools on it: read, verify, print generically;
and the same with canonicalize and cse. Reported: the least wall time of the runs and the largest resident size.
With --shapes, modules that are wide in one way take the place of the nested loops: one block of so many ops, so many
arguments of a block, blocks, forward references, symbols, aliases.
"""
import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def function(number, out):
    """One function of 39 ops; each calls the one before."""
    v = f'''  "func.func"() <{{function_type = (memref<?xf32>, index, f32) -> f32, sym_name = "f{number}"}}> ({{
  ^bb0(%m: memref<?xf32>, %n: index, %x: f32):
    %c0 = "arith.constant"() <{{value = 0 : index}}> : () -> index
    %c1 = "arith.constant"() <{{value = {number % 7 + 1} : index}}> : () -> index
    %z = "arith.constant"() <{{value = {number % 13}.5 : f32}}> {{tag = "t{number % 5}"}} : () -> f32
'''
    v += '''    %r = "scf.for"(%c0, %n, %c1, %z) ({
    ^bb1(%i: index, %a: f32):
      %s = "scf.for"(%c0, %i, %c1, %a) ({
      ^bb2(%j: index, %b: f32):
        %l = "memref.load"(%m, %j) : (memref<?xf32>, index) -> f32
        %p = "arith.mulf"(%l, %x) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %q = "arith.addf"(%b, %p) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %k = "arith.addi"(%i, %j) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %t = "arith.cmpi"(%k, %n) <{predicate = 2 : i64}> : (index, index) -> i1
        %w = "scf.if"(%t) ({
          %l2 = "memref.load"(%m, %k) : (memref<?xf32>, index) -> f32
          %u = "arith.addf"(%q, %l2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "scf.yield"(%u) : (f32) -> ()
        }, {
          %u = "arith.subf"(%q, %x) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "scf.yield"(%u) : (f32) -> ()
        }) : (i1) -> f32
        "memref.store"(%w, %m, %j) : (f32, memref<?xf32>, index) -> ()
        "scf.yield"(%w) : (f32) -> ()
      }) : (index, index, index, f32) -> f32
      %d = "arith.mulf"(%s, %s) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %e = "arith.mulf"(%s, %s) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %g = "arith.addf"(%d, %e) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "scf.yield"(%g) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
'''
    callee = number - 1
    if callee >= 0:
        v += f'    %call = "func.call"(%m, %n, %r) <{{callee = @f{callee}}}> : (memref<?xf32>, index, f32) -> f32\n'
    else:
        v += '    %call = "arith.negf"(%r) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32\n'
    for index in range(14):
        left = "%call" if index == 0 else f"%v{index - 1}"
        v += (f'    %v{index} = "arith.addf"({left}, %x) <{{fastmath = #arith.fastmath<none>}}> '
              f'{{step = {index} : i32}} : (f32, f32) -> f32\n')
    v += '    "func.return"(%v13) : (f32) -> ()\n  }) : () -> ()\n'
    out.write(v)


OPS_PER_FUNCTION = 39


def in_function(body, out):
    """A function around lines; unregistered ops inside say nothing but how they are connected."""
    out.write('"builtin.module"() ({\n"func.func"() <{function_type = () -> (), sym_name = "f"}> ({\n')
    body()
    out.write('"func.return"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n')


def one_block(count, out):
    def body():
        out.write('%0 = "arith.constant"() <{value = 1 : i32}> : () -> i32\n')
        for i in range(1, count):
            out.write(f'%{i} = "arith.addi"(%{i - 1}, %0) <{{overflowFlags = #arith.overflow<none>}}> : (i32, i32) -> i32\n')
    in_function(body, out)


def block_arguments(count, out):
    def body():
        out.write('%0 = "arith.constant"() <{value = 1 : i32}> : () -> i32\n')
        operands, types = ", ".join(["%0"] * count), ", ".join(["i32"] * count)
        out.write(f'"cf.br"({operands})[^bb1] : ({types}) -> ()\n')
        out.write("^bb1(" + ", ".join(f"%a{i}: i32" for i in range(count)) + "):\n")
    in_function(body, out)


def blocks(count, out):
    def body():
        for i in range(count):
            out.write(f'"cf.br"()[^bb{i}] : () -> ()\n^bb{i}:\n')
    in_function(body, out)


def forward_references(count, out):
    out.write('"builtin.module"() ({\n')
    for i in range(count):
        out.write(f'%{i} = "x.next"(%{i + 1}) : (i32) -> i32\n')
    out.write(f'%{count} = "x.last"() : () -> i32\n}}) : () -> ()\n')


def symbols(count, out):
    out.write('"builtin.module"() ({\n')
    for i in range(count // 2):
        out.write(f'"func.func"() <{{function_type = () -> (), sym_name = "f{i}", sym_visibility = "private"}}> ({{}})'
                  f' : () -> ()\n"x.use"() {{callee = @f{count // 2 - 1 - i}}} : () -> ()\n')
    out.write("}) : () -> ()\n")


def aliases(count, out):
    for i in range(count):
        out.write(f"#a{i} = {i} : i64\n")
    out.write('"builtin.module"() ({\n')
    for i in range(count):
        out.write(f'"x.use"() {{a = #a{i}}} : () -> ()\n')
    out.write("}) : () -> ()\n")


SHAPES = {"ops in one block": one_block, "block arguments": block_arguments, "blocks": blocks,
          "forward references": forward_references, "symbols": symbols, "aliases": aliases}


def generate(path, ops):
    with open(path, "w", encoding="ascii") as out:
        out.write('"builtin.module"() ({\n')
        for number in range(max(1, ops // OPS_PER_FUNCTION)):
            function(number, out)
        out.write("}) : () -> ()\n")


def run(command):
    """Wall seconds and largest resident size in MiB of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)} failed:\n{error.decode(errors='replace')[:2000]}")
    return seconds, usage.ru_maxrss / 1024


def measure(command, runs):
    results = [run(command) for _ in range(runs)]
    return {"seconds": min(seconds for seconds, _ in results), "mib": max(mib for _, mib in results)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", default="10000,100000,1000000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out")
    parser.add_argument("--shapes", action="store_true")
    parser.add_argument("--no-build", action="store_true")
    args = parser.parse_args()
    upstream = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if not args.no_build:
        subprocess.run(["cargo", "build", "--release", "--locked", "-p", "segra-opt"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    tools = {"segra-opt": [str(target / "release" / "segra-opt"), "--mlir-disable-threading"]}
    if upstream:
        tools["mlir-opt"] = [upstream, "--mlir-disable-threading"]
    jobs = {"read, verify, print": [], "+ canonicalize, cse": ["--canonicalize", "--cse"]}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for ops in map(int, args.ops.split(",")):
            path = Path(folder) / f"{ops}.mlir"
            todo = {job: (lambda: generate(path, ops), flags) for job, flags in jobs.items()}
            if args.shapes:
                def shaped(write):
                    with open(path, "w", encoding="ascii") as out:
                        write(ops, out)
                todo = {shape: (lambda write=write: shaped(write), ["--allow-unregistered-dialect"])
                        for shape, write in SHAPES.items()}
            for job, (make, flags) in todo.items():
                make()
                for tool, command in tools.items():
                    line = [*command, "--mlir-print-op-generic", *flags, str(path), "-o", "/dev/null"]
                    rows.append({"ops": ops, "bytes": path.stat().st_size, "job": job, "tool": tool,
                                 **measure(line, args.runs)})
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; least of {args.runs} runs\n")
    print("| ops | job | tool | seconds | ops/s | MiB | bytes/op |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['ops']:,} | {row['job']} | {row['tool']} | {row['seconds']:.3f} | "
              f"{row['ops'] / row['seconds']:,.0f} | {row['mib']:.0f} | {row['mib'] * 2**20 / row['ops']:.0f} |")
    if args.out:
        Path(args.out).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()

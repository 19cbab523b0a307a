"""Cost of checks: thread instructions per element on the simulator, with checks and without, as a table.

    python3 benches/checks.py [--segra target/release/segra]

Without: the same pipeline, less `explicit-checks`, and kernels lowered with `checks=off`.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

FRONT = "inline{{default-pipeline=}},{checks}separate-starts,canonicalize,cse,algebra,fuse,canonicalize,cse"
KERNELS = "flatten,canonicalize,cse,dce"
DEVICE = (
    "func.func(choose-forms,vectorize{lower},choose-mapping),lower-to-gpu{lower},"
    "func.func(canonicalize,cse,dce,update-in-place,free-memory,reuse-memory),"
    "gpu.module(gpu.func(canonicalize,cse,dce,contract-fma,expand-math)),lower-checks,annotate-kernels,narrow-indices,"
    "func.func(cse,dce),gpu.module(gpu.func(cse,dce))"
)
N = 4096

MAP = "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>) -> !array.array<[n]i32> {{\n{}\n}}"
PROGRAMS = {
    "division by the elements of an array": (
        MAP.format(
            """  %one = arith.constant 1 : i32
  %r = array.map (%x in %xs : [n]i32, %y in %ys : [n]i32) {
    %odd = arith.ori %y, %one : i32
    %q = arith.divsi %x, %odd : i32
    array.yield %q : i32
  }
  func.return %r : !array.array<[n]i32>"""
        ),
        [f"random:{N}", f"random:{N}"],
        N,
    ),
    "elements at computed indices": (
        MAP.format(
            """  %mask = arith.constant 1023 : i32
  %r = array.map (%x in %xs : [n]i32, %y in %ys : [n]i32) {
    %low = arith.andi %y, %mask : i32
    %at = arith.index_cast %low : i32 to index
    %z = array.index %xs[%at] : [n]i32
    array.yield %z : i32
  }
  func.return %r : !array.array<[n]i32>"""
        ),
        [f"random:{N}", f"random:{N}"],
        N,
    ),
    "sums of parts of rows, one part for all": (
        """func.func @main(%xss: !array.array<[n][m]i32>, %k: index) -> !array.array<[n]i32> {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = array.map (%xs in %xss : [n][m]i32) {
    %part = array.slice %xs[%none] sizes [%k] strides [%one] : [m]i32 -> [?]i32
    %s = array.reduce (%part : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}""",
        ["random:64x64", "48"],
        64 * 48,
    ),
    "windows of an array, 16 elements each": (
        """func.func @main(%xs: !array.array<[n]i32>, %width: index) -> !array.array<[?]i32> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = array.dim %xs, 0 : [n]i32
  %less = arith.subi %n, %width : index
  %is = array.iota %less : [?]index
  %r = array.map (%i in %is : [?]index) {
    %part = array.slice %xs[%i] sizes [%width] strides [%one] : [n]i32 -> [?]i32
    %s = array.reduce (%part : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[?]i32>
}""",
        [f"random:{N}", "16"],
        (N - 16) * 16,
    ),
    "a map's own indices, turned": (
        MAP.format(
            """  %one = arith.constant 1 : index
  %n = array.dim %xs, 0 : [n]i32
  %is = array.iota %n : [n]index
  %last = arith.subi %n, %one : index
  %r = array.map (%i in %is : [n]index) {
    %at = arith.subi %last, %i : index
    %z = array.index %xs[%at] : [n]i32
    array.yield %z : i32
  }
  func.return %r : !array.array<[n]i32>"""
        ),
        [f"random:{N}", f"random:{N}"],
        N,
    ),
}


def instructions(segra, program, inputs, checked):
    front = FRONT.format(checks="explicit-checks," if checked else "")
    device = DEVICE.replace("{lower}", "" if checked else "{checks=off}")
    pipeline = ",".join([front, KERNELS, device])
    command = [segra, "run", program, "--device", "sim", "--pipeline", pipeline, "--profile=A100", "--json"]
    for value in inputs:
        command += ["--input", value]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return sum(kernel["thread_instructions"] for kernel in json.loads(output)["profile"])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--segra", default="target/release/segra", help="the tool")
    segra = options.parse_args().segra
    print("| program | without checks | with checks |")
    print("| --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, inputs, elements) in PROGRAMS.items():
            path = pathlib.Path(folder) / "program.mlir"
            path.write_text(text + "\n")
            counts = [instructions(segra, str(path), inputs, checked) / elements for checked in (False, True)]
            print(f"| {name} | {counts[0]:.1f} | {counts[1]:.1f} |")


if __name__ == "__main__":
    main()

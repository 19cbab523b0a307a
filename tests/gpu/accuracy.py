#!/usr/bin/env python3
"""Segra's math functions of one f32 on every f32, on a GPU: the PTX that programs get, beside CUDA's functions in f64.

    tests/gpu/accuracy.py --segra target/release/segra [--only sin cos]

Needs a GPU, CuPy and nvcc. Errors are in units in the last place of the f32 nearest to the exact result, as in
passes/device/tests/accuracy.rs, whose bounds decide: a function beyond its bound ends this with exit code 1.
CUDA's f64 functions are off by at most 2 units of their own last place, which is 2^-28 of one of these.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import cupy
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BOUNDS = ROOT / "passes" / "expand" / "tests" / "accuracy.rs"
CHUNK = 1 << 28

PROGRAM = """func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {{
  %ys = array.map (%x in %xs : [n]f32) {{
    %y = math.{name} %x : f32
    array.yield %y : f32
  }}
  func.return %ys : !array.array<[n]f32>
}}
"""

# The largest error and the index where it is, in one number: non-negative floats are ordered as their bits are.
COMPARE = r"""
extern "C" __global__ void compare(const float* found, unsigned start, unsigned long long* worst) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    float x = __uint_as_float(start + at), mine = found[at];
    double exact = NAME((double)x);
    float nearest = (float)exact, error;
    if (isnan(nearest) || isnan(mine)) {
        error = isnan(nearest) && isnan(mine) ? 0.0f : __int_as_float(0x7f800000);
    } else if (__float_as_uint(nearest) == __float_as_uint(mine)) {
        error = 0.0f;
    } else if (isinf(nearest) || isinf(mine)) {
        double top = ldexp(1.0, 128), most = 2.0 * 3.4028234663852886e38;
        error = (float)(fabs(fmin(fmax((double)mine, -top), top) - fmin(fmax(exact, -most), most)) / ldexp(1.0, 104));
    } else if (nearest == 0.0f && mine == 0.0f) {
        error = __int_as_float(0x7f800000);
    } else {
        int exponent = max((int)(__float_as_uint(fabsf(nearest)) >> 23), 1);
        error = (float)(fabs((double)mine - exact) / ldexp(1.0, exponent - 150));
    }
    unsigned long long key = ((unsigned long long)__float_as_uint(error) << 32) | (start + at);
    if (error > 0.0f && key > *(volatile unsigned long long*)worst) atomicMax(worst, key);
}
"""


def kernel(segra, name, folder):
    """The map's kernel, the threads of a block, the elements of a thread. It takes both arrays, threads, elements."""
    path = folder / f"{name}.ptx"
    command = [segra, "compile", "-", "--target", "sm_90", "--emit", "ptx", "-o", path]
    subprocess.run(command, input=PROGRAM.format(name=name).encode(), check=True)
    ptx = path.read_text()
    entry = re.search(r"\.entry (\w+)\(([^)]*)\)\s*\.maxntid (\d+)", ptx)
    if entry.group(2).count(".param") != 4:
        sys.exit(f"{name}: expected a kernel of four parameters, found\n{entry.group(0)}")
    elements = 4 if "ld.global.nc.v4" in ptx else 1
    return cupy.RawModule(path=str(path)).get_function(entry.group(1)), int(entry.group(3)), elements


def compare_of(name, folder):
    """Compiled by nvcc: CuPy's own way treats numbers below the least normal one as zero."""
    source, binary = folder / f"{name}.cu", folder / f"{name}.cubin"
    source.write_text(COMPARE.replace("NAME", name))
    major, minor = cupy.cuda.Device().compute_capability[:-1], cupy.cuda.Device().compute_capability[-1]
    subprocess.run(["nvcc", "-cubin", f"-arch=sm_{major}{minor}", "-o", binary, source], check=True)
    return cupy.RawModule(path=str(binary)).get_function("compare")


def worst(segra, name, folder):
    """The largest error over all f32, and where it is."""
    function, block, elements = kernel(segra, name, folder)
    compare = compare_of(name, folder)
    found = cupy.zeros(1, cupy.uint64)
    out = cupy.empty(CHUNK, cupy.float32)
    for start in range(0, 1 << 32, CHUNK):
        inputs = cupy.arange(start, start + CHUNK, dtype=cupy.uint32).view(cupy.float32)
        out.fill(cupy.float32(12345.0))
        threads = CHUNK // elements
        arguments = (inputs, out, np.int64(threads), np.int64(CHUNK))
        function(((threads + block - 1) // block,), (block,), arguments)
        compare((CHUNK // 256,), (256,), (out, np.uint32(start), found))
    key = int(found.get()[0])
    error, at = np.array([key >> 32, key & 0xFFFFFFFF], dtype=np.uint32).view(np.float32)
    return float(error), float(at)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--only", nargs="+", help="names of functions")
    args = parser.parse_args()
    table = BOUNDS.read_text().split("const BOUNDS", 1)[1].split("];", 1)[0]
    bounds = {name: float(bound) for name, bound in re.findall(r'\("(\w+)", ([\d.]+)', table)}
    if unknown := set(args.only or ()) - set(bounds):
        parser.error(f"no such function: {', '.join(sorted(unknown))}; there are {', '.join(bounds)}")
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"On {name}, all 2^32 values.\n\n| function | worst error, ulp | at | bound |\n|---|---|---|---|")
    beyond = []
    with tempfile.TemporaryDirectory() as folder:
        for name, bound in bounds.items():
            if args.only and name not in args.only:
                continue
            error, at = worst(args.segra, name, pathlib.Path(folder))
            print(f"| {name} | {error:.4f} | {at:.9g} | {bound} |", flush=True)
            if not error <= bound:
                beyond.append(name)
    if beyond:
        sys.exit(f"beyond their bounds: {', '.join(beyond)}")


if __name__ == "__main__":
    main()

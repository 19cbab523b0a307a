"""Compiles linear algebra with IREE to PTX without a GPU; see triton_kernels.py for what is written.

Usage: iree_kernels.py DIRECTORY. Every program here becomes one dispatch, whose grid, block and shared memory are read
from what the compiler says about it one stage before it writes PTX.
"""

import glob
import os
import re
import subprocess
import sys

import numpy as np

OUT = sys.argv[1]
COMPILER = os.path.join(os.path.dirname(sys.executable), "iree-compile")
RNG = np.random.default_rng(11)
TARGET = ["--iree-hal-target-device=cuda", "--iree-cuda-target=sm_80"]


def compile_to(source, *options):
    subprocess.run([COMPILER, *TARGET, *options, source], check=True)


def launch_of(text):
    """Kernel name, grid, block and shared bytes of the module's only dispatch."""
    exports = re.findall(r"hal\.executable\.export public @(\w+)(.*?)\n\s+builtin\.module", text, re.S)
    assert len(exports) == 1, f"{len(exports)} dispatches"
    name, body = exports[0]
    constants = {key: int(value) for key, value in re.findall(r"(%\w+) = arith\.constant (\d+) : index", body)}
    grid = [constants[key] for key in re.search(r"hal\.return (%\w+), (%\w+), (%\w+)", body).groups()]
    block = re.search(r"workgroup_size = \[(\d+) : index, (\d+) : index, (\d+) : index\]", body).groups()
    shared = re.search(r"workgroup_local_memory = (\d+)", body)
    return name, grid, block, int(shared.group(1)) if shared else 0


def program(name, text, inputs, wanted, tolerance):
    source = os.path.join(OUT, name + ".mlir")
    dump = os.path.join(OUT, name + ".dump")
    stage = os.path.join(OUT, name + ".stage")
    with open(source, "w") as file:
        file.write(text)
    compile_to(source, f"--iree-hal-dump-executable-files-to={dump}", "-o", os.devnull)
    compile_to(source, "--compile-to=executable-targets", "-o", stage)
    with open(stage) as file:
        kernel, grid, block, shared = launch_of(file.read())
    (ptx,) = glob.glob(os.path.join(dump, "*.ptx"))
    os.replace(ptx, os.path.join(OUT, name + ".ptx"))
    lines = [f"kernel {kernel}", "grid " + " ".join(map(str, grid)), "block " + " ".join(block), f"shared {shared}"]
    for index, array in enumerate([*inputs, np.zeros_like(wanted)]):
        array.tofile(os.path.join(OUT, f"{name}.{index}"))
        lines.append(f"buffer {name}.{index} {array.nbytes}")
    wanted.tofile(os.path.join(OUT, f"{name}.result"))
    lines.append(f"result {len(inputs)} {name}.result {wanted.dtype} {tolerance}")
    with open(os.path.join(OUT, name + ".run"), "w") as file:
        file.write("\n".join(lines) + "\n")


def uniform(*shape):
    return RNG.uniform(-2, 2, shape).astype(np.float32)


def matmul(name, m, n, k, kind, accumulator):
    zero = "0.0" if accumulator == "f32" else "0"
    text = f"""
func.func @matmul(%a: tensor<{m}x{k}x{kind}>, %b: tensor<{k}x{n}x{kind}>) -> tensor<{m}x{n}x{accumulator}> {{
  %zero = arith.constant {zero} : {accumulator}
  %empty = tensor.empty() : tensor<{m}x{n}x{accumulator}>
  %start = linalg.fill ins(%zero : {accumulator}) outs(%empty : tensor<{m}x{n}x{accumulator}>) -> tensor<{m}x{n}x{accumulator}>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{kind}>, tensor<{k}x{n}x{kind}>)
    outs(%start : tensor<{m}x{n}x{accumulator}>) -> tensor<{m}x{n}x{accumulator}>
  return %c : tensor<{m}x{n}x{accumulator}>
}}"""
    if kind == "i8":
        a, b = (RNG.integers(-128, 128, shape).astype(np.int8) for shape in ((m, k), (k, n)))
        program(name, text, [a, b], a.astype(np.int32) @ b.astype(np.int32), 0)
        return
    a, b = uniform(m, k), uniform(k, n)
    if kind == "f16":
        a, b = a.astype(np.float16), b.astype(np.float16)
    program(name, text, [a, b], a.astype(np.float32) @ b.astype(np.float32), 1e-3 if kind == "f16" else 1e-5)


def softmax():
    text = """
func.func @softmax(%x: tensor<48x300xf32>) -> tensor<48x300xf32> {
  %empty = tensor.empty() : tensor<48x300xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<48x300xf32>) outs(%empty : tensor<48x300xf32>) -> tensor<48x300xf32>
  return %y : tensor<48x300xf32>
}"""
    x = uniform(48, 300)
    e = np.exp(x - x.max(1, keepdims=True))
    program("softmax", text, [x], (e / e.sum(1, keepdims=True)).astype(np.float32), 1e-5)


def row_sum():
    text = """
func.func @row_sum(%x: tensor<64x1024xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce ins(%x : tensor<64x1024xf32>) outs(%start : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32  linalg.yield %s : f32 }
  return %sum : tensor<64xf32>
}"""
    x = uniform(64, 1024)
    program("row_sum", text, [x], x.sum(1), 1e-5)


def stencil():
    text = """
func.func @stencil(%x: tensor<68x68xf32>, %w: tensor<5x5xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.conv_2d ins(%x, %w : tensor<68x68xf32>, tensor<5x5xf32>) outs(%start : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}"""
    x, w = uniform(68, 68), uniform(5, 5)
    y = sum(w[r, c] * x[r : r + 64, c : c + 64] for r in range(5) for c in range(5))
    program("stencil", text, [x, w], y.astype(np.float32), 1e-5)


def elementwise():
    text = """
#id = affine_map<(i) -> (i)>
func.func @elementwise(%x: tensor<5000xf32>, %y: tensor<5000xf32>) -> tensor<5000xf32> {
  %empty = tensor.empty() : tensor<5000xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x, %y : tensor<5000xf32>, tensor<5000xf32>) outs(%empty : tensor<5000xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %e = math.exp %a : f32
    %t = math.tanh %b : f32
    %s = math.sin %a : f32
    %l = math.absf %b : f32
    %r = math.sqrt %l : f32
    %1 = arith.mulf %e, %t : f32
    %2 = arith.divf %s, %e : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.maximumf %3, %r : f32
    linalg.yield %4 : f32
  } -> tensor<5000xf32>
  return %z : tensor<5000xf32>
}"""
    x, y = uniform(5000), uniform(5000)
    z = np.maximum(np.exp(x) * np.tanh(y) + np.sin(x) / np.exp(x), np.sqrt(np.abs(y)))
    program("elementwise", text, [x, y], z, 1e-5)


def argmax():
    text = """
#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
func.func @argmax(%x: tensor<32x256xf32>) -> tensor<32xi32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<32xf32>
  %e1 = tensor.empty() : tensor<32xi32>
  %s0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<32xf32>) -> tensor<32xf32>
  %s1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<32xi32>) -> tensor<32xi32>
  %m:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<32x256xf32>) outs(%s0, %s1 : tensor<32xf32>, tensor<32xi32>) {
  ^bb0(%v: f32, %best: f32, %at: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %more = arith.cmpf ogt, %v, %best : f32
    %nb = arith.select %more, %v, %best : f32
    %na = arith.select %more, %ji, %at : i32
    linalg.yield %nb, %na : f32, i32
  } -> (tensor<32xf32>, tensor<32xi32>)
  return %m#1 : tensor<32xi32>
}"""
    x = uniform(32, 256)
    program("argmax", text, [x], x.argmax(1).astype(np.int32), 0)


def transpose():
    text = """
func.func @transpose(%x: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %empty = tensor.empty() : tensor<64x96xf32>
  %y = linalg.transpose ins(%x : tensor<96x64xf32>) outs(%empty : tensor<64x96xf32>) permutation = [1, 0]
  return %y : tensor<64x96xf32>
}"""
    x = uniform(96, 64)
    program("transpose", text, [x], np.ascontiguousarray(x.T), 0)


os.makedirs(OUT, exist_ok=True)
matmul("matmul_f16", 128, 128, 64, "f16", "f32")
matmul("matmul_f32", 64, 96, 48, "f32", "f32")
matmul("matmul_i8", 64, 64, 64, "i8", "i32")
softmax()
row_sum()
stencil()
elementwise()
argmax()
transpose()

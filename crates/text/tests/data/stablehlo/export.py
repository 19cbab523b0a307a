"""Exports small JAX programs as generic StableHLO text into the folder given (needs the package jax)."""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib.mlir import ir


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def softmax_matmul(x, w):
    return jax.nn.softmax(x @ w, axis=-1)


def loop(x):
    return lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, jnp.sin(c[1]) * 2), (0, x))


def scan(xs):
    return lax.scan(lambda c, x: (c + x, c * x), 0.0, xs)


def branch(p, x):
    return lax.cond(p, lambda v: v + 1, lambda v: v * jnp.float32(3.5), x)


def sort_gather(x, i):
    return jnp.sort(x)[i], jnp.argsort(x), x.at[i].add(1.0)


def conv(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), "SAME")


def constants(x):
    big = jnp.asarray(np.arange(200, dtype=np.int32))
    mask = jnp.asarray(np.arange(130) % 3 == 0)
    pair = jnp.asarray(np.array([1 + 2j, 3 - 4j], np.complex64))
    halves = jnp.asarray(np.linspace(0, 1, 5), jnp.bfloat16)
    return x + big.sum(), mask, pair * 2, halves, jnp.inf, jnp.float16(1.5), jnp.uint8(200)


def grad(x):
    return jax.grad(lambda v: jnp.sum(jnp.tanh(v) ** 2))(x)


CASES = [
    (softmax_matmul, f32(8, 16), f32(16, 4)),
    (loop, f32(3)),
    (scan, f32(7)),
    (branch, jax.ShapeDtypeStruct((), jnp.bool_), f32(4)),
    (sort_gather, f32(9), jax.ShapeDtypeStruct((2,), jnp.int32)),
    (conv, f32(1, 3, 8, 8), f32(4, 3, 3, 3)),
    (constants, f32()),
    (grad, f32(5)),
]


def main(folder):
    for function, *args in CASES:
        module = jax.jit(function).lower(*args).compiler_ir("stablehlo")
        for suffix, locations in (("", False), (".dbg", True)):
            text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=locations)
            (folder / f"{function.__name__}{suffix}.mlir").write_text(text)
    (size,) = export.symbolic_shape("n")
    symbolic = export.export(jax.jit(lambda x: (x * 2).sum() + x.shape[0]))(
        jax.ShapeDtypeStruct((size, 4), jnp.float32)
    )
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(symbolic.mlir_module())
        (folder / "symbolic.mlir").write_text(module.operation.get_asm(print_generic_op_form=True))


main(pathlib.Path(sys.argv[1]))

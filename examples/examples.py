#!/usr/bin/env python3
"""Inputs and reference results of the examples.

    examples.py inputs DIR [NAME...]     writes DIR/NAME/input-0.npy, input-1.npy, ... (real sizes)
    examples.py check DIR NAME...        compares DIR/NAME/out/0.npy ... with the reference in float64
    examples.py list                     one line per example: name and number of inputs

Floats must be within 4 units in the last place of the reference, scaled by the length of the longest chain of
roundings that leads to them (the reduction length where there is one); integers must be equal.
Needs numpy (tools/setup puts it into .tools).
"""
import sys
from pathlib import Path

import numpy as np

RNG = np.random.default_rng(2026)
F = np.float32


def uniform(*shape, low=-1.0, high=1.0):
    return RNG.uniform(low, high, shape).astype(F)


def f64(*arrays):
    return [a.astype(np.float64) for a in arrays]


def black_scholes(spot, strike, time):
    rate, volatility = 0.02, 0.3

    def cnd(d):
        k = 1.0 / (1.0 + 0.2316419 * np.abs(d))
        poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        tail = 0.39894228 * np.exp(-0.5 * d * d) * poly
        return np.where(d < 0, tail, 1.0 - tail)

    d1 = (np.log(spot / strike) + 0.065 * time) / (volatility * np.sqrt(time))
    d2 = d1 - volatility * np.sqrt(time)
    now = strike * np.exp(-rate * time)
    call = spot * cnd(d1) - now * cnd(d2)
    put = now * (1.0 - cnd(d2)) - spot * (1.0 - cnd(d1))
    return [(call, spot + now), (put, spot + now)]


def mandelbrot(height, width, limit):
    h, w = int(height), int(width)
    dy, dx = F(3.0) / F(h), F(3.0) / F(w)
    y = (np.arange(h, dtype=F) * dy + F(-1.5))[:, None] + np.zeros((1, w), F)
    x = (np.arange(w, dtype=F) * dx + F(-2.25))[None, :] + np.zeros((h, 1), F)
    a, b, n = np.zeros_like(x), np.zeros_like(x), np.zeros((h, w), np.int32)
    for _ in range(int(limit)):
        go = a * a + b * b <= F(4.0)
        a, b = np.where(go, a * a - b * b + x, a), np.where(go, F(2.0) * (a * b) + y, b)
        n += go
    return [n]


def nearest(qx, qy, px, py):
    d = (qx[:, None] - px[None, :]) ** 2 + (qy[:, None] - py[None, :]) ** 2
    return [d.min(axis=1), d.argmin(axis=1).astype(np.int32)]


def box_blur(xs, reach):
    side = 2 * int(reach) + 1
    near = np.pad(f64(xs)[0], int(reach), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(near, (side, side)).mean(axis=(2, 3))


def dot_like(value, magnitude):
    return [(value, magnitude)]


# name: (inputs, reference, chain length); a reference is an array, or (array, magnitude the error is relative to).
EXAMPLES = {
    "axpy": (lambda: [F(2.5), uniform(1_000_000), uniform(1_000_000)],
             lambda a, x, y: [(float(a) * f64(x)[0] + f64(y)[0], np.abs(float(a) * f64(x)[0]) + np.abs(f64(y)[0]))], 1),
    "dot": (lambda: [uniform(1_000_000), uniform(1_000_000)],
            lambda x, y: dot_like(np.dot(*f64(x, y)), np.dot(np.abs(f64(x)[0]), np.abs(f64(y)[0]))), 1_000_000),
    "matvec": (lambda: [uniform(1021, 1500), uniform(1500)],
               lambda a, x: dot_like(f64(a)[0] @ f64(x)[0], np.abs(f64(a)[0]) @ np.abs(f64(x)[0])), 1500),
    "matvec_transposed": (lambda: [uniform(1021, 700), uniform(1021)],
                          lambda a, x: dot_like(f64(a)[0].T @ f64(x)[0], np.abs(f64(a)[0].T) @ np.abs(f64(x)[0])), 1021),
    "matmul": (lambda: [uniform(257, 190), uniform(190, 301)],
               lambda a, b: dot_like(f64(a)[0] @ f64(b)[0], np.abs(f64(a)[0]) @ np.abs(f64(b)[0])), 190),
    "softmax": (lambda: [uniform(509, 1000, low=-8, high=8)],
                lambda x: [np.exp(f64(x)[0] - f64(x)[0].max(1, keepdims=True))
                           / np.exp(f64(x)[0] - f64(x)[0].max(1, keepdims=True)).sum(1, keepdims=True)], 1000),
    "prefix_sum": (lambda: [RNG.integers(-1000, 1000, 1_000_003, dtype=np.int32)],
                   lambda x: [np.cumsum(x, dtype=np.int32)], 1),
    "black_scholes": (lambda: [uniform(400_000, low=5, high=30), uniform(400_000, low=1, high=100),
                               uniform(400_000, low=0.25, high=10)],
                      lambda *a: black_scholes(*f64(*a)), 16),
    "mandelbrot": (lambda: [np.int64(300), np.int64(451), np.int32(200)], mandelbrot, 1),
    "box_blur": (lambda: [uniform(301, 277, low=0), np.int64(4)], lambda xs, reach: [box_blur(xs, reach)], 81),
    "nearest_neighbour": (lambda: [uniform(800), uniform(800), uniform(3001), uniform(3001)], nearest, 4),
}


def write_inputs(root, names):
    for name in names or EXAMPLES:
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        for index, value in enumerate(EXAMPLES[name][0]()):
            np.save(folder / f"input-{index}.npy", value)


def load_inputs(folder):
    count = len(list(folder.glob("input-*.npy")))
    return [np.load(folder / f"input-{index}.npy") for index in range(count)]


def check(root, names):
    failures = 0
    for name in names:
        inputs = load_inputs(root / name)
        _, reference, chain = EXAMPLES[name]
        for index, wanted in enumerate(reference(*inputs)):
            found = np.load(root / name / "out" / f"{index}.npy")
            error = compare(found, wanted, chain)
            print(f"{name} output {index}: {'ok' if error is None else error}")
            failures += error is not None
    return failures


def compare(found, wanted, chain):
    wanted, magnitude = wanted if isinstance(wanted, tuple) else (wanted, wanted)
    wanted = np.asarray(wanted)
    if found.shape != wanted.shape:
        return f"shape {found.shape}, expected {wanted.shape}"
    if found.dtype.kind in "iu":
        wrong = np.argwhere(found != wanted)
        return None if len(wrong) == 0 else f"{len(wrong)} differ, first at {tuple(wrong[0])}"
    bound = 4 * chain * np.spacing(np.abs(np.asarray(magnitude)).astype(F)).astype(np.float64)
    wrong = np.argwhere(~(np.abs(found.astype(np.float64) - wanted) <= bound))
    if len(wrong) == 0:
        return None
    at = tuple(wrong[0])
    return f"{len(wrong)} differ, first at {at}: {found[at]!r}, expected {wanted[at]!r} +- {bound[at]!r}"


def main(args):
    if args[:1] == ["inputs"] and len(args) >= 2:
        unknown = [name for name in args[2:] if name not in EXAMPLES]
        if unknown:
            sys.exit(f"no example {unknown[0]!r}; there are: {', '.join(EXAMPLES)}")
        write_inputs(Path(args[1]), args[2:])
    elif args[:1] == ["check"] and len(args) >= 3:
        sys.exit(1 if check(Path(args[1]), args[2:]) else 0)
    elif args == ["list"]:
        for name, (inputs, _, _) in EXAMPLES.items():
            print(name, len(inputs()))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
"""The eleven sequences of Filipovič et al., "Optimizing CUDA code by kernel fusion: application on BLAS", table 1, for peers.py:
scripts of examples/blas with their inputs, what numpy or PyTorch makes of those, and the least bytes that their barriers allow.

    tests/gpu/sequences.py --segra target/debug/segra [--rows 67] [--only bicgk]

needs numpy and no GPU: each script on the simulator, by the command that peers.py has for a GPU, and its results beside numpy's.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPTS = pathlib.Path("examples/blas")
ALPHA, BETA = 1.5, 0.5


def outer(u, v):
    return u[:, None] * v[None, :]


def axpydot(w, v, u, alpha):
    z = w - alpha * v
    return z, z @ u


def sgemvt(A, y, z, alpha, beta):
    x = beta * (A.T @ y) + z
    return x, alpha * (A @ x)


def gemver(A, u1, v1, u2, v2, y, z, alpha, beta):
    B = A + outer(u1, v1) + outer(u2, v2)
    x = beta * (B.T @ y) + z
    return B, x, alpha * (B @ x)


class Sequence:
    """A script. `inputs`: a letter each: M a matrix, R and C vectors of its rows and of its columns, V a vector alone, a and b
    numbers. `least`: how often matrices (or vectors alone), vectors of rows and vectors of columns are moved."""

    def __init__(self, inputs, reference, least):
        self.inputs, self.reference, self.least = inputs, reference, least

    def arguments(self, draw, rows, columns, long):
        """The inputs, numbers as they are."""
        shapes = {"M": (rows, columns), "R": (rows,), "C": (columns,), "V": (long,)}
        numbers = {"a": ALPHA, "b": BETA}
        return [numbers[kind] if kind in numbers else draw.random(shapes[kind], dtype=np.float32) for kind in self.inputs]

    def bytes(self, rows, columns, long):
        large = rows * columns if "M" in self.inputs else long
        moved, of_rows, of_columns = self.least
        return 4 * (moved * large + of_rows * rows + of_columns * columns)


# Between two kernels with a barrier what both need is moved twice: the matrix of ATAX and SGEMVT, B of GEMVER.
SEQUENCES = {
    "axpydot": Sequence("VVVa", axpydot, (4, 0, 0)),
    "atax": Sequence("MC", lambda A, x: A.T @ (A @ x), (2, 2, 2)),
    "bicgk": Sequence("MCR", lambda A, p, r: (A @ p, A.T @ r), (1, 2, 2)),
    "sgemv": Sequence("MCRab", lambda A, x, y, alpha, beta: alpha * (A @ x) + beta * y, (1, 2, 1)),
    "sgemvt": Sequence("MRCab", sgemvt, (2, 2, 3)),
    "sscal": Sequence("Va", lambda x, alpha: alpha * x, (2, 0, 0)),
    "gemver": Sequence("MRCRCRCab", gemver, (3, 4, 5)),
    "gesummv": Sequence("MMCab", lambda A, B, x, alpha, beta: alpha * (A @ x) + beta * (B @ x), (2, 1, 1)),
    "madd": Sequence("MM", lambda A, B: A + B, (3, 0, 0)),
    "vadd": Sequence("VVV", lambda w, y, z: w + y + z, (4, 0, 0)),
    "waxpby": Sequence("VVab", lambda x, y, alpha, beta: alpha * x + beta * y, (3, 0, 0)),
}


def written(inputs, folder):
    """Inputs as `segra run` takes them: files for arrays."""
    values = []
    for index, value in enumerate(inputs):
        if isinstance(value, float):
            values.append(str(value))
            continue
        values.append(str(folder / f"input-{index}.npy"))
        np.save(values[-1], value)
    return values


def results(folder):
    """The results that `segra run --output` has written, in order."""
    count = len(list(folder.glob("[0-9]*.npy")))
    return [np.load(folder / f"{index}.npy") for index in range(count)]


def as_list(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def deviation(found, expected):
    """The largest difference, as a share of the largest number."""
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    if found.shape != expected.shape or not np.isfinite(found).all():
        return float("inf")
    return float(np.abs(found - expected).max(initial=0) / max(np.abs(expected).max(initial=0), 1e-30))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/debug/segra", help="the tool")
    parser.add_argument("--rows", type=int, default=67, help="rows of matrices, which have four columns fewer")
    parser.add_argument("--only", nargs="+", help="names")
    arguments = parser.parse_args()
    draw = np.random.default_rng(0)
    rows, columns = arguments.rows, max(arguments.rows - 4, 0)
    for name, sequence in SEQUENCES.items():
        if arguments.only and name not in arguments.only:
            continue
        inputs = sequence.arguments(draw, rows, columns, rows * columns)
        wide = [value if isinstance(value, float) else value.astype(np.float64) for value in inputs]
        expected = [np.asarray(value) for value in as_list(sequence.reference(*wide))]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            command = [arguments.segra, "run", ROOT / SCRIPTS / f"{name}.blas", "--device", "sim", "--target", "sm_90"]
            command += [part for value in written(inputs, folder) for part in ("--input", value)]
            subprocess.run([*command, "--output", folder / "out"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            found = results(folder / "out")
        apart = [deviation(*pair) for pair in zip(found, expected)]
        print(f"{name}: {len(found)} of {len(expected)} results, least {sequence.bytes(rows, columns, rows * columns)} bytes")
        if len(found) != len(expected) or max(apart) > 1e-5:
            sys.exit(f"{name}: results differ from numpy's by {apart}")


if __name__ == "__main__":
    main()

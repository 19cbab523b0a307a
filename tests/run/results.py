"""Evaluates the `// numpy:` lines of run tests, so that what they expect does not come from Segra.

Every line of standard input is a request as JSON, every line of standard output its answer.

    {"code": TEXT, "folder": DIR, "inputs": {NAME: FILE}, "results": [DTYPE]}    the arguments are DIR/FILE
    {"results": [FILE]}, or {"error": TEXT}                                      the results are DIR/FILE

TEXT is Python whose last statement is an expression: the result, or a tuple of all results. Names are those of the
parameters: arrays, or numpy scalars. Integers wrap to the type of the result; nothing else changes its kind.
"""
import ast
import json
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np


def evaluated(code, names):
    module = ast.parse(code)
    if not module.body or not isinstance(module.body[-1], ast.Expr):
        raise ValueError("the last `// numpy:` statement must be an expression")
    last = ast.Expression(module.body.pop().value)
    exec(compile(module, "numpy lines", "exec"), names)
    value = eval(compile(last, "numpy lines", "eval"), names)
    return value if isinstance(value, tuple) else (value,)


def converted(index, value, dtype):
    value, dtype = np.asarray(value), np.dtype(dtype)
    # Python's empty lists have no type of their own.
    if value.size and value.dtype.kind != dtype.kind:
        raise TypeError(f"result {index} is of type {value.dtype}, the program's is {dtype}")
    return value.astype(dtype)


def answer(request):
    folder = Path(request["folder"])
    names = {name: np.load(folder / file)[()] for name, file in request["inputs"].items()}
    with np.errstate(all="ignore"):
        results = evaluated(request["code"], {"np": np, **names})
    if len(results) != len(request["results"]):
        raise ValueError(f"{len(results)} results, the program has {len(request['results'])}")
    files = []
    for index, (value, dtype) in enumerate(zip(results, request["results"])):
        files.append(f"result-{index}.npy")
        np.save(folder / files[-1], converted(index, value, dtype))
    return {"results": files}


warnings.simplefilter("ignore")  # of means and logarithms of nothing: programs compute them, too
for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception:
        reply = {"error": traceback.format_exc(limit=-3)}
    print(json.dumps(reply), flush=True)

#!/usr/bin/env python3
"""LocVolCalib on the extents of finpar's three data sets: what each version costs, and the tuned program.

Extents are those of the benchmark but for the steps of time, which all cost the same (STEPS of them). Writes a table in
Markdown; the lecture's table of this benchmark is of two cards, so run it for two.

    cargo build --release --bin segra --bin segra-ptx
    benches/locvolcalib.py --segra target/release/segra --sample 2 --profile A100
"""
import pathlib

import versions

INNER = range(1, 4)
VERSIONS = [
    ("an option in a thread", ["main.top.0"]),
    ("an option in a block", ["main.intra.0"]),
    ("a row in a thread", [f"main.top.{at}" for at in INNER]),
    ("a row in a block", [f"main.intra.{at}" for at in INNER]),
    ("flat", []),
]
# Options, extents of the grid.
DATA = {"small": (16, 32, 256), "medium": (128, 256, 32), "large": (256, 256, 256)}


def main():
    parser = versions.parser(__doc__)
    parser.add_argument("--steps", type=int, default=2, help="steps of time")
    parser.add_argument("--shrink", type=int, default=1, help="divides the number of options")
    parser.add_argument("--only", nargs="+", default=list(DATA), help="data sets")
    args = parser.parse_args()
    data = []
    for name in args.only:
        options, x, y = DATA[name]
        options //= args.shrink
        inputs = f"random:{options}; random:{x}; random:{y}; {args.steps}; 0.03; 5.0; 0.2; 0.6; 0.5"
        data.append(((name, f"{options} x {x} x {y}"), inputs))
    program = pathlib.Path(__file__).parent / "locvolcalib.mlir"
    versions.table(args, program, ["data", "options, grid"], VERSIONS, data)


if __name__ == "__main__":
    main()

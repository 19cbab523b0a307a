#!/usr/bin/env python3
"""Matrix products of constant work: what each version costs at each shape, and the tuned program.

The plot of "Regular flattening" (lecture, Henriksen 2021): 2^n x 2^m by 2^m x 2^n with m = WORK - 2n. Every version is
forced by its thresholds; the program is tuned on all shapes at once. Writes a table in Markdown.

    cargo build --release --bin segra
    benches/matmul.py --segra target/release/segra --work 25 --sample 3
"""
import pathlib

import versions

VERSIONS = [(name, [name]) for name in ["main.top.0", "main.intra.0", "main.top.1", "main.intra.1"]] + [("flat", [])]


def main():
    parser = versions.parser(__doc__)
    parser.add_argument("--work", type=int, default=25, help="log2 of the products of one matrix product")
    parser.add_argument("--least", type=int, default=0, help="least n")
    parser.add_argument("--most", type=int, help="greatest n [default: as far as m is not negative]")
    args = parser.parse_args()
    most = args.work // 2 if args.most is None else args.most
    sizes = [(n, args.work - 2 * n) for n in range(args.least, most + 1)]
    data = [((n, m), f"random:{2**n}x{2**m}; random:{2**m}x{2**n}") for n, m in sizes]
    program = pathlib.Path(__file__).parent.parent / "examples" / "matmul.mlir"
    versions.table(args, program, ["n", "m"], VERSIONS, data)


if __name__ == "__main__":
    main()

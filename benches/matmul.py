#!/usr/bin/env python3
"""Matrix products of constant work: what each version costs at each shape, and the tuned program.

The plot of "Regular flattening" (lecture, Henriksen 2021): 2^n x 2^m by 2^m x 2^n with m = WORK - 2n. Every version is
forced by its thresholds; the program is tuned on all shapes at once. Writes a table in Markdown.

    cargo build --release --bin segra --bin segra-ptx
    benches/matmul.py --segra target/release/segra --work 25 --sample 3 --plot benches/matmul.svg

`--deviation` says instead how far estimates from a sample are from those of all thread blocks.
"""
import pathlib

import versions

VERSIONS = [(name, [name]) for name in ["main.top.0", "main.intra.0", "main.top.1", "main.intra.1"]] + [("flat", [])]


def main():
    parser = versions.parser(__doc__)
    parser.add_argument("--work", type=int, default=25, help="log2 of the products of one matrix product")
    parser.add_argument("--least", type=int, default=0, help="least n")
    parser.add_argument("--most", type=int, help="greatest n [default: as far as m is not negative]")
    parser.add_argument("--plot", type=pathlib.Path, help="writes the lecture's plot, as SVG")
    parser.add_argument("--deviation", action="store_true", help="compares estimates of a sample with those of all blocks")
    args = parser.parse_args()
    most = args.work // 2 if args.most is None else args.most
    sizes = [(n, args.work - 2 * n) for n in range(args.least, most + 1)]
    data = [((n, m), f"random:{2**n}x{2**m}; random:{2**m}x{2**n}") for n, m in sizes]
    program = pathlib.Path(__file__).parent.parent / "examples" / "matmul.mlir"
    if args.deviation:
        share, name, (n, m) = versions.deviation(args, program, VERSIONS, data)
        print(f"{args.profile}, work 2^{args.work}: at most {100 * share:.2f} % ({name}, n = {n}, m = {m})")
        return
    columns = versions.table(args, program, ["n", "m"], VERSIONS, data)
    if args.plot:
        title = f"2^n x 2^m by 2^m x 2^n, m = {args.work} - 2n, {args.profile} (estimate), over n"
        versions.plot(args.plot, title, [n for n, _ in sizes], columns)


if __name__ == "__main__":
    main()

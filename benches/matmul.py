#!/usr/bin/env python3
"""Matrix products of constant work: what each version costs at each shape, and the tuned program.

The plot of "Regular flattening" (lecture, Henriksen 2021): 2^n x 2^m by 2^m x 2^n with m = WORK - 2n. Every version is
forced by its thresholds; the program is tuned on all shapes at once. Costs are the simulator's estimates, or times where
there is a GPU. Writes a table in Markdown.

    cargo build --release --bin segra
    benches/matmul.py --segra target/release/segra --work 25
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

VERSIONS = ["main.top.0", "main.intra.0", "main.top.1", "main.intra.1", None]
NEVER = 2**63 - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--work", type=int, default=25, help="log2 of the products of one matrix product")
    parser.add_argument("--least", type=int, default=0, help="least n")
    parser.add_argument("--most", type=int, help="greatest n [default: as far as m is not negative]")
    parser.add_argument("--profile", default="H100", help="the GPU that the simulator estimates")
    parser.add_argument("--device", default="auto")
    args = parser.parse_args()
    program = pathlib.Path(__file__).parent.parent / "examples" / "matmul.mlir"
    most = args.work // 2 if args.most is None else args.most
    sizes = [(n, args.work - 2 * n) for n in range(args.least, most + 1)]
    data = []
    for n, m in sizes:
        data += ["--data", f"random:{2**n}x{2**m}; random:{2**m}x{2**n}"]
    where = ["--device", args.device, "--profile", args.profile]

    def segra(*command):
        output = subprocess.run([args.segra, *command], check=True, stdout=subprocess.PIPE)
        return json.loads(output.stdout) if "--json" in command else None

    with tempfile.TemporaryDirectory() as folder:
        artifact = str(pathlib.Path(folder) / "matmul.segra")
        segra("compile", str(program), "-o", artifact)
        columns = []
        for version in VERSIONS:
            forced = []
            for name in VERSIONS[:-1]:
                forced += ["--threshold", f"{name}={0 if name == version else NEVER}"]
            rows = segra("bench", artifact, *data, *where, "--no-tuning", *forced, "--json")["data_sets"]
            columns.append([(row["microseconds"], row["kernels"]) for row in rows])
        default = segra("bench", artifact, *data, *where, "--no-tuning", "--json")["data_sets"]
        tuned = segra("tune", artifact, *data, *where, "--json")
        again = segra("bench", artifact, *data, *where, "--json")["data_sets"]
    names = [version or "flat" for version in VERSIONS]
    print("| n | m | " + " | ".join(names) + " | default | tuned | tuned / best |")
    print("|---" * (len(names) + 5) + "|")
    for index, (n, m) in enumerate(sizes):
        flat = columns[-1][index][1]
        costs = [column[index] for column in columns]
        # A version that does not fit a thread block falls through to the flat one.
        shown = [f"{cost:.1f}" if at + 1 == len(costs) or kernels != flat else "-" for at, (cost, kernels) in enumerate(costs)]
        best = min(cost for cost, _ in costs)
        mine = again[index]["microseconds"]
        print(f"| {n} | {m} | " + " | ".join(shown) + f" | {default[index]['microseconds']:.1f} | {mine:.1f} | {mine / best:.3f} |")
    settings = ", ".join(f"`{row['name']}={row['value']}` ({row['agreement']})" for row in tuned["thresholds"])
    print(f"\nTuned on {tuned['on']} in {tuned['runs']} runs: {settings}.")


if __name__ == "__main__":
    main()

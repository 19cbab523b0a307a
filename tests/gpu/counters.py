#!/usr/bin/env python3
"""The simulator's counters beside those Nsight Compute reads from a GPU: two tables in Markdown.

    tests/gpu/counters.py --segra target/release/segra [--profile H100] [--json FILE]

Needs a GPU that ncu may profile, and ncu on the PATH. Programs and inputs are those of benches/traffic.py. Counts of
the same launch on the same inputs: requests and sectors of global loads and stores, wavefronts of shared memory, sectors
that the L1 cache had, bytes to and from device memory; and the time. Instructions differ by nature: PTX here, SASS there.
"""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benches"))

import traffic

LD, ST = "mem_global_op_ld.sum", "mem_global_op_st.sum"
#: Name in the table, metrics that are added, the same of the simulator.
COUNTS = [
    ("requests", [f"l1tex__t_requests_pipe_lsu_{LD}", f"l1tex__t_requests_pipe_lsu_{ST}"], lambda p: p["traffic"]["requests"]),
    ("sectors", [f"l1tex__t_sectors_pipe_lsu_{LD}", f"l1tex__t_sectors_pipe_lsu_{ST}"], lambda p: p["traffic"]["sectors"]),
    ("shared wavefronts", ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
     lambda p: p["traffic"]["shared_wavefronts"]),
    ("L1 hits", ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"], lambda p: p["traffic"]["l1_hits"]),
    ("read bytes", ["dram__bytes_read.sum"], lambda p: p["traffic"]["memory_read_bytes"]),
    ("written bytes", ["dram__bytes_write.sum"], lambda p: p["traffic"]["memory_written_bytes"]),
    ("warp instructions", ["smsp__inst_executed.sum"], lambda p: sum(p["instructions"].values())),
    ("µs", ["gpu__time_duration.sum"], lambda p: p["estimate"]["microseconds"]),
]
UNITS = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "ns": 1e-3, "us": 1, "ms": 1e3, "nsecond": 1e-3,
         "usecond": 1, "msecond": 1e3}


def hardware(command):
    """The kernels of a run in order: name and counters by metric."""
    metrics = sorted({metric for _, several, _ in COUNTS for metric in several})
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        profiler = ["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--metrics", ",".join(metrics)]
        run = subprocess.run([*profiler, "--log-file", str(log), *command], capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"ncu: {run.stdout}{run.stderr}{log.read_text() if log.exists() else ''}")
        lines = [line for line in log.read_text().splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    units, kernels = rows[0], []
    for row in rows[1:]:
        numbers = {metric: float(row[metric].replace(",", "")) * UNITS.get(units[metric], 1) for metric in metrics}
        kernels.append((row["Kernel Name"], numbers))
    return kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segra", default="target/release/segra", help="the tool")
    parser.add_argument("--profile", default="H100", help="the simulator's preset for this GPU")
    parser.add_argument("--json", type=pathlib.Path, help="writes all counts")
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path, inputs, _, _ in traffic.programs(pathlib.Path(folder)):
            simulated = traffic.measure(args.segra, args.profile, path, inputs)["profile"]
            command = [args.segra, "run", str(path), "--target", "sm_90", "--device", "cuda", "--output", folder]
            command += [part for one in inputs for part in ([one] if one.startswith("--") else ["--input", one])]
            for profile, (kernel, numbers) in zip(simulated, hardware(command), strict=True):
                if kernel.split("(")[0] != profile["kernel"]:
                    sys.exit(f"{name}: {kernel} ran where the simulator has {profile['kernel']}")
                row = {"program": name, "kernel": profile["kernel"]}
                for title, metrics, of in COUNTS:
                    row[title] = (of(profile), sum(numbers[metric] for metric in metrics))
                rows.append(row)
    head = ["program", "kernel", *(title for title, _, _ in COUNTS)]
    print("Simulator / GPU:\n\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        cells = [row["program"], row["kernel"]]
        for title, _, _ in COUNTS:
            mine, real = row[title]
            cells.append(f"{mine:.1f} / {real:.1f}" if title == "µs" else f"{mine:,.0f} / {real:,.0f}")
        print("| " + " | ".join(cells) + " |")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""What each version of a program costs on each data set, and what the program costs tuned on all of them: one table.

For the scripts beside it. Costs are the simulator's estimates, or times where there is a GPU. A version is forced by
thresholds: those of a list are met, all others are out of reach.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

NEVER = 2**63 - 1


def parser(text):
    """Options that all tables have."""
    options = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--segra", default="target/release/segra", help="the tool")
    options.add_argument("--profile", default="H100", help="the GPU that the simulator estimates")
    options.add_argument("--device", default="auto")
    options.add_argument("--sample", type=int, help="waves of each launch that the simulator runs [default: all]")
    return options


def table(args, program, head, versions, data_sets):
    """Prints a table in Markdown. `versions`: names with lists of thresholds; `data_sets`: labels with inputs."""
    data = [part for _, inputs in data_sets for part in ("--data", inputs)]
    where = ["--device", args.device, "--profile", args.profile]
    where += ["--sample", str(args.sample)] if args.sample else []

    def segra(*command):
        output = subprocess.run([args.segra, *command], check=True, stdout=subprocess.PIPE)
        return json.loads(output.stdout) if "--json" in command else None

    with tempfile.TemporaryDirectory() as folder:
        artifact = str(pathlib.Path(folder) / "program.segra")
        segra("compile", str(program), "-o", artifact)
        names = {name for _, met in versions for name in met}
        columns = []
        for _, met in versions:
            forced = [part for name in sorted(names) for part in ("--threshold", f"{name}={0 if name in met else NEVER}")]
            rows = segra("bench", artifact, *data, *where, "--no-tuning", *forced, "--json")["data_sets"]
            columns.append([(row["microseconds"], row["kernels"]) for row in rows])
        default = segra("bench", artifact, *data, *where, "--no-tuning", "--json")["data_sets"]
        tuned = segra("tune", artifact, *data, *where, "--json")
        again = segra("bench", artifact, *data, *where, "--json")["data_sets"]
    print("| " + " | ".join([*head, *(name for name, _ in versions), "default", "tuned", "tuned / best"]) + " |")
    print("|---" * (len(head) + len(versions) + 3) + "|")
    for index, (labels, _) in enumerate(data_sets):
        flat = columns[-1][index][1]
        costs = [column[index] for column in columns]
        # A version that does not fit a thread block falls through to the flat one.
        fits = [at + 1 == len(costs) or kernels != flat for at, (_, kernels) in enumerate(costs)]
        cells = [str(label) for label in labels]
        cells += [f"{cost:.1f}" if fit else "-" for (cost, _), fit in zip(costs, fits)]
        mine, best = again[index]["microseconds"], min(cost for cost, _ in costs)
        cells += [f"{default[index]['microseconds']:.1f}", f"{mine:.1f}", f"{mine / best:.3f}"]
        print("| " + " | ".join(cells) + " |")
    settings = ", ".join(f"`{row['name']}={row['value']}` ({row['agreement']})" for row in tuned["thresholds"])
    print(f"\nTuned on {tuned['on']} in {tuned['runs']} runs: {settings}.")

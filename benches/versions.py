"""Cost of each version of a program on each data set, and of the program tuned on all of them: one table.

For the scripts beside it. Costs are the simulator's estimates, or times where there is a GPU. A version is forced by
thresholds: those of a list are met, all others are out of reach.
"""
import argparse
import html
import json
import math
import pathlib
import subprocess
import sys
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


class Tool:
    """`segra` on one program, in a folder of its own."""

    def __init__(self, args, program, versions, folder):
        self.args, self.artifact = args, str(pathlib.Path(folder) / "program.segra")
        self.names = sorted({name for _, met in versions for name in met})
        self.run("compile", str(program), "-o", self.artifact)

    def run(self, *command):
        output = subprocess.run([self.args.segra, *command], check=True, stdout=subprocess.PIPE)
        return json.loads(output.stdout) if "--json" in command else None

    def cost(self, command, data, *more, sample=None):
        where = ["--device", self.args.device, "--profile", self.args.profile]
        where += ["--sample", str(sample)] if sample else []
        return self.run(command, self.artifact, *data, *where, *more, "--json")

    def bench(self, data, *more, sample=None):
        """Cost of the program by its tuning file, or as `more` says."""
        return self.cost("bench", data, *more, sample=sample)["data_sets"]

    def version(self, data, met, sample=None):
        """Cost where these thresholds are met and no others are."""
        forced = [part for name in self.names for part in ("--threshold", f"{name}={0 if name in met else NEVER}")]
        return self.bench(data, "--no-tuning", *forced, sample=sample)


def of_data(data_sets):
    return [part for _, inputs in data_sets for part in ("--data", inputs)]


def table(args, program, head, versions, data_sets):
    """Prints a table in Markdown. `versions`: names with lists of thresholds; `data_sets`: labels with inputs.

    Gives the table's columns of costs: names with a cost, or none, per data set.
    """
    data = of_data(data_sets)
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(args, program, versions, folder)
        columns = []
        for name, met in versions:
            print(f"{name} ...", file=sys.stderr, flush=True)
            rows = tool.version(data, met, args.sample)
            columns.append([(row["microseconds"], row["kernels"]) for row in rows])
        print("default, tuned ...", file=sys.stderr, flush=True)
        default = tool.bench(data, "--no-tuning", sample=args.sample)
        tuned = tool.cost("tune", data, sample=args.sample)
        again = tool.bench(data, sample=args.sample)
    shown = {name: [] for name, _ in versions}
    tuned_costs = [row["microseconds"] for row in again]
    print("| " + " | ".join([*head, *(name for name, _ in versions), "default", "tuned", "tuned / best"]) + " |")
    print("|---" * (len(head) + len(versions) + 3) + "|")
    for index, (labels, _) in enumerate(data_sets):
        flat = columns[-1][index][1]
        costs = [column[index] for column in columns]
        # A version that does not fit a thread block falls through to the flat one.
        fits = [at + 1 == len(costs) or kernels != flat for at, (_, kernels) in enumerate(costs)]
        cells = [str(label) for label in labels]
        cells += [f"{cost:.1f}" if fit else "-" for (cost, _), fit in zip(costs, fits)]
        for (name, _), (cost, _), fit in zip(versions, costs, fits):
            shown[name].append(cost if fit else None)
        mine, best = tuned_costs[index], min(cost for cost, _ in costs)
        cells += [f"{default[index]['microseconds']:.1f}", f"{mine:.1f}", f"{mine / best:.3f}"]
        print("| " + " | ".join(cells) + " |")
    settings = ", ".join(f"`{row['name']}={row['value']}` ({row['agreement']})" for row in tuned["thresholds"])
    worst = max(mine / min(column[at][0] for column in columns) for at, mine in enumerate(tuned_costs))
    print(f"\nThe tuned program takes at most {worst:.3f} times as long as the best version of a data set.")
    print(f"Tuned on {tuned['on']} in {tuned['runs']} runs: {settings}.")
    return {**shown, "tuned": tuned_costs}


def deviation(args, program, versions, data_sets):
    """The largest share by which an estimate from a sample differs from that of all thread blocks, its version and data."""
    worst = (0.0, "", "")
    data = of_data(data_sets)
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(args, program, versions, folder)
        for name, met in versions:
            pairs = zip(data_sets, tool.version(data, met), tool.version(data, met, args.sample or 2))
            for (labels, _), whole, part in pairs:
                whole, part = whole["microseconds"], part["microseconds"]
                worst = max(worst, (abs(part / whole - 1), name, labels))
    return worst


COLOURS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#a463f2", "#222222"]


def plot(path, title, labels, columns, unit="µs"):
    """Writes a plot in SVG: costs in `unit`, on a logarithmic scale, over labels. `columns` as `table` gives them."""
    width, height, left, right, top, bottom = 760, 420, 48 + 8 * len(unit), 150, 40, 44
    costs = [cost for column in columns.values() for cost in column if cost]
    low, high = (10 ** f(math.log10(g(costs))) for f, g in ((math.floor, min), (math.ceil, max)))

    def x(at):
        return left + (width - left - right) * at / max(len(labels) - 1, 1)

    def y(cost):
        return height - bottom - (height - top - bottom) * math.log10(cost / low) / math.log10(high / low)

    def text(x, y, words, anchor="middle"):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(str(words))}</text>'

    parts = [text(width / 2, 20, title)]
    for power in range(round(math.log10(low)), round(math.log10(high)) + 1):
        parts += [
            f'<path d="M{left} {y(10**power):.1f}H{width - right}" stroke="#ddd"/>',
            text(left - 8, y(10**power) + 4, f"{10**power:,} {unit}" if power >= 0 else f"{10**power} {unit}", "end"),
        ]
    parts += [text(x(at), height - bottom + 20, label) for at, label in enumerate(labels)]
    for index, (name, column) in enumerate(columns.items()):
        colour = COLOURS[index % len(COLOURS)]
        dashes = ' stroke-dasharray="2 4" stroke-width="4"' if name == "tuned" else ' stroke-width="2"'
        points = [(x(at), y(cost)) for at, cost in enumerate(column) if cost]
        line = "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}"{dashes}/>')
        parts += [f'<circle cx="{across:.1f}" cy="{down:.1f}" r="3" fill="{colour}"/>' for across, down in points]
        legend = top + 20 * index
        parts.append(f'<path d="M{width - right + 16} {legend}h24" stroke="{colour}"{dashes}/>')
        parts.append(text(width - right + 46, legend + 4, name, "start"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    ground = f'<rect width="{width}" height="{height}" fill="white"/>'
    pathlib.Path(path).write_text("\n".join([head, ground, *parts, "</svg>", ""]))

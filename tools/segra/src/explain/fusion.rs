//! `segra explain --fusion`: the nests of a program and which need which, the kernels chosen for them with bytes moved beside
//! the least possible, and the best other choices; as text, and as a drawing.

use crate::args::Explain;
use crate::report::Error;
use crate::{inputs, output, source};
use segra::fusion::{Combination, Count, Figures, Kernel, Scope, Sizes, Space, fusions};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Pixels of a box of the drawing, and between boxes.
const WIDTH: usize = 460;
const LINE: usize = 18;
const GAP: usize = 34;

/// Shows the search space of fusions.
pub(super) fn explain(args: &Explain) -> Result<(), Error> {
    let sizes = Sizes {
        named: args.sizes.iter().cloned().collect(),
        other: args.extent,
    };
    let figures = figures(&args.gpu)?;
    let program = source::read_program(&args.file)?;
    let signatures = program.signatures();
    let known = signatures.entries().flat_map(|entry| &entry.sizes);
    let known: BTreeSet<&str> = known.map(String::as_str).collect();
    inputs::check_sizes(&args.sizes, "the program", known.into_iter())?;
    let spaces = fusions(program, scope(args.blocks), (&sizes, figures))?;
    if let Some(path) = &args.svg {
        std::fs::write(path, drawing(&spaces)).map_err(|error| Error::File {
            action: "write",
            path: path.clone(),
            error,
        })?;
    }
    if args.json {
        let spaces: Vec<Json> = spaces
            .iter()
            .map(|space| json_of(space, args.top))
            .collect();
        let whole = json!({ "device": figures.name, "extent": args.extent, "spaces": spaces });
        return output::print(&format!("{whole}\n"));
    }
    let mut text = String::new();
    for (space, title) in spaces.iter().zip(titles(&spaces)) {
        text += &of_space(space, &title, args.top, figures);
    }
    if spaces.is_empty() {
        text += "no nests: the program runs on the host alone\n";
    }
    output::print(&text)
}

/// The space with or without thread blocks of maps.
pub(crate) fn scope(blocks: bool) -> Scope {
    if blocks { Scope::Blocks } else { Scope::All }
}

/// The table of a device.
pub(crate) fn figures(name: &str) -> Result<&'static Figures, Error> {
    Figures::named(name).ok_or_else(|| {
        let names: Vec<&str> = Figures::all().iter().map(|one| one.name.as_str()).collect();
        let names = names.join(", ");
        Error::message(format!(
            "there are no figures of `{name}`; there are those of {names}"
        ))
    })
}

/// The function of each space, with the number of the part where there are several: the body of a loop or of a branch is one.
fn titles(spaces: &[Space]) -> Vec<String> {
    let numbered = |(at, space): (usize, &Space)| {
        let of_function = |other: &&Space| other.function == space.function;
        let all = spaces.iter().filter(of_function).count();
        let number = 1 + spaces[..at].iter().filter(of_function).count();
        match all {
            1 => space.function.clone(),
            _ => format!("{}, part {number} of {all}", space.function),
        }
    };
    spaces.iter().enumerate().map(numbered).collect()
}

/// How many combinations there are, in words.
fn counted(count: Count) -> String {
    match count {
        Count::Exactly(number) => format!("{number}"),
        Count::AtLeast(number) => format!("{number} or more"),
    }
}

fn json_of(space: &Space, top: usize) -> Json {
    let explored = &space.exploration;
    let (Count::Exactly(count) | Count::AtLeast(count)) = explored.count();
    let ranked = explored.combinations().take(top.max(1));
    let ranked: Vec<Json> = ranked
        .map(|combination| {
            let kernels = combination
                .kernels
                .iter()
                .map(|&kernel| name(&explored.kernels[kernel]));
            json!({
                "microseconds": combination.time,
                "bytes": combination.bytes,
                "kernels": kernels.collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "function": space.function,
        "nests": explored.nests.len(),
        "fusions": explored.fusions,
        "kernels": explored.kernels.len(),
        "left_out": explored.pruned,
        "combinations": count,
        "least_bytes": explored.least(),
        "ranked": ranked,
    })
}

/// The combination predicted to be the best: its kernels, how they become launches, its bytes next to the `least`.
fn of_best(space: &Space, best: &Combination, figures: &Figures, least: f64) -> String {
    let explored = &space.exploration;
    let mut text = format!("predicted best, on {}:\n", figures.name);
    for &kernel in &best.kernels {
        let kernel = &explored.kernels[kernel];
        let _ = writeln!(text, "  {}", of_kernel(kernel));
    }
    for &(rows, map) in &best.joined {
        let [rows, map] = [rows, map].map(|kernel| name(&explored.kernels[kernel]));
        let _ = writeln!(
            text,
            "  {map} becomes part of {rows}, row by row: one launch less"
        );
    }
    let _ = writeln!(text, "  in all {}", share(best.bytes, least));
    text
}

fn of_space(space: &Space, title: &str, top: usize, figures: &Figures) -> String {
    let explored = &space.exploration;
    let mut text = format!("{title}: {} nests\n", explored.nests.len());
    for (number, (nest, place)) in explored.nests.iter().zip(&space.places).enumerate() {
        let needs: Vec<String> = nest
            .needs
            .iter()
            .map(|needed| format!("#{needed}"))
            .collect();
        let needs = match needs.is_empty() {
            true => String::new(),
            false => format!(", needs {}", needs.join(" ")),
        };
        let _ = writeln!(text, "  #{number} {} at {place}{needs}", nest.what);
    }
    let _ = writeln!(
        text,
        "{} kernels for them, {} of several nests; {} left out, as they spare no transfer or take more shared memory than \
         others",
        explored.kernels.len(),
        explored
            .kernels
            .iter()
            .filter(|kernel| kernel.nests().len() > 1)
            .count(),
        explored.pruned
    );
    let _ = writeln!(text, "{} combinations of them", counted(explored.count()));
    let ranked: Vec<Combination> = explored.combinations().take(top.max(1)).collect();
    let least = explored.least();
    if let Some(best) = ranked.first() {
        text += &of_best(space, best, figures, least);
    }
    text += "ranked:\n";
    for (number, combination) in ranked.iter().enumerate() {
        let kernels: Vec<String> = combination
            .kernels
            .iter()
            .map(|&kernel| name(&explored.kernels[kernel]))
            .collect();
        let _ = writeln!(
            text,
            "  {}. {:.1} us, {}: {}",
            number + 1,
            combination.time,
            share(combination.bytes, least),
            kernels.join("; ")
        );
    }
    text
}

/// The nests of a kernel, and its tiles.
fn name(kernel: &Kernel) -> String {
    let nests: Vec<String> = kernel
        .nests()
        .iter()
        .map(|nest| format!("#{nest}"))
        .collect();
    let nests = nests.join(" + ");
    if let Some(block) = kernel.block {
        let points = if block.single {
            "one point"
        } else {
            "several points"
        };
        return format!(
            "{nests} in blocks of {} threads, {points} each",
            block.threads
        );
    }
    match kernel.tile {
        Some([warps, rows, columns, steps]) => {
            format!(
                "{nests} in tiles {{warps={warps} rows={rows} columns={columns} steps={steps}}}"
            )
        }
        None => nests,
    }
}

/// Bytes, as so many times the least possible: of nothing, once.
fn share(bytes: f64, least: f64) -> String {
    let times = bytes.max(1.0) / least.max(1.0);
    format!("{:.2} MB, {times:.3} times the least", bytes / 1e6)
}

fn of_kernel(kernel: &Kernel) -> String {
    format!(
        "{}: {}; transfers {:.1} us, computation {:.1} us, {} launches: {:.1} us",
        name(kernel),
        share(kernel.bytes, kernel.least),
        kernel.parts.transfer,
        kernel.parts.computation,
        kernel.launches,
        kernel.time
    )
}

/// The kernels of the best combinations as boxes with their nests in them, lines from nests to those that need them.
fn drawing(spaces: &[Space]) -> String {
    let mut body = String::new();
    let mut y = GAP;
    for (space, title) in spaces.iter().zip(titles(spaces)) {
        let explored = &space.exploration;
        let Some(best) = explored.combinations().next() else {
            continue;
        };
        let bytes = share(best.bytes, explored.least());
        let all = format!("{title}: {bytes}, {:.1} us", best.time);
        label(&mut body, y, "bold", &all);
        y += LINE;
        let mut at = vec![0; explored.nests.len()];
        for &kernel in &best.kernels {
            let kernel = &explored.kernels[kernel];
            let nests = kernel.nests();
            let height = (nests.len() + 2) * LINE;
            let _ = writeln!(
                body,
                "<rect x=\"{GAP}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{height}\" rx=\"6\" fill=\"#eef3fa\" stroke=\"#345\"/>"
            );
            let bytes = share(kernel.bytes, kernel.least);
            let title = format!("{bytes}, {:.1} us", kernel.time);
            label(&mut body, y + LINE, "bold", &title);
            for (line, nest) in nests.into_iter().enumerate() {
                at[nest] = y + (line + 2) * LINE;
                let text = format!(
                    "#{nest} {} ({})",
                    explored.nests[nest].what, space.places[nest]
                );
                label(&mut body, at[nest], "normal", &text);
            }
            y += height + GAP;
        }
        for (number, nest) in explored.nests.iter().enumerate() {
            for &needed in &nest.needs {
                let (x, from, to) = (GAP + WIDTH, at[needed], at[number]);
                let bend = x + 20 + 6 * number;
                let _ = writeln!(
                    body,
                    "<path d=\"M{x},{from} C{bend},{from} {bend},{to} {x},{to}\" fill=\"none\" stroke=\"#a33\"/>"
                );
            }
        }
    }
    let width = WIDTH + 4 * GAP;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{y}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n{body}</svg>\n"
    )
}

fn label(body: &mut String, y: usize, weight: &str, text: &str) {
    let x = GAP + 10;
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        body,
        "<text x=\"{x}\" y=\"{y}\" font-weight=\"{weight}\">{text}</text>"
    );
}

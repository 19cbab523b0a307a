//! The tree of choices as text of at most [`WIDTH`] columns and as JSON.

use segra::choices::Step;
use segra::{Artifact, Entry};
use segra_artifact::{KernelId, LocationId};
use serde_json::{Value, json};

/// Columns of a terminal that is not wide.
pub(super) const WIDTH: usize = 100;
/// Columns a nested step is indented by.
const INDENT: usize = 2;

/// One line: what is on the left and on the right.
struct Line {
    depth: usize,
    left: Left,
    location: Option<LocationId>,
}

enum Left {
    Text(String),
    Kernel { name: String, about: String },
}

/// The steps of an entry as lines, with kernels under the choice they belong to.
pub(super) fn text(artifact: &Artifact, entry: &Entry, steps: &[Step]) -> String {
    let mut lines = Vec::new();
    write(artifact, steps, 1, &mut lines);
    let names = lines.iter().filter_map(|line| match &line.left {
        Left::Kernel { name, .. } => Some(line.depth * INDENT + name.chars().count()),
        Left::Text(_) => None,
    });
    let column = names.max().unwrap_or(0).min(WIDTH / 2);
    // Positions in the file that the program is in need no name of it.
    let file = entry
        .location
        .and_then(|id| artifact.source_map.position(id))
        .map(|at| at.file);
    let mut text = format!("{}\n", cut(&entry.to_string(), WIDTH));
    for line in &lines {
        let position = line
            .location
            .and_then(|id| artifact.source_map.position(id));
        let right = position.map_or_else(String::new, |at| match Some(&at.file) == file.as_ref() {
            true => format!("{}:{}", at.line, at.column),
            false => at.to_string(),
        });
        text += &line.render(column, &right);
        text.push('\n');
    }
    text
}

impl Line {
    fn render(&self, column: usize, right: &str) -> String {
        let indent = self.depth * INDENT;
        let left = match &self.left {
            Left::Text(text) => format!("{:indent$}{text}", ""),
            Left::Kernel { name, about } => {
                let width = column.saturating_sub(indent);
                format!("{:indent$}{name:width$}  {about}", "")
            }
        };
        let right = cut(right, WIDTH / 2);
        let space = WIDTH - right.chars().count() - usize::from(!right.is_empty());
        let left = cut(&left, space);
        match right.is_empty() {
            true => left,
            false => format!("{left:space$} {right}"),
        }
    }
}

/// The text in at most `width` characters.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(width.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

fn write(artifact: &Artifact, steps: &[Step], depth: usize, lines: &mut Vec<Line>) {
    for step in steps {
        match step {
            Step::Launch {
                kernel,
                wide,
                dynamic_shared,
            } => lines.push(Line {
                depth,
                left: Left::Kernel {
                    name: name(artifact, *kernel, wide.is_some()),
                    about: about(artifact, *kernel, dynamic_shared.as_deref()),
                },
                location: artifact
                    .kernels
                    .get(kernel.index())
                    .and_then(|kernel| kernel.location),
            }),
            Step::Choice { .. } => write_choice(artifact, step, depth, lines),
            Step::Loop {
                header,
                location,
                body,
            } => {
                lines.push(Line {
                    depth,
                    left: Left::Text(header.clone()),
                    location: *location,
                });
                write(artifact, body, depth + 1, lines);
            }
        }
    }
}

/// A choice, and those that are all there is on its other side, one under another.
fn write_choice(artifact: &Artifact, choice: &Step, depth: usize, lines: &mut Vec<Line>) {
    let mut rest = choice;
    let mut word = "if";
    while let Step::Choice {
        condition,
        thresholds,
        location,
        then,
        otherwise,
    } = rest
    {
        let defaults = thresholds
            .iter()
            .filter_map(|id| artifact.tunables.get(id.index()))
            .map(|tunable| format!("{} = {}", tunable.name, tunable.default));
        let defaults: Vec<String> = defaults.collect();
        let note = match defaults.is_empty() {
            true => String::new(),
            false => format!("   [{}]", defaults.join(", ")),
        };
        lines.push(Line {
            depth,
            left: Left::Text(format!("{word} {condition}{note}")),
            location: *location,
        });
        write(artifact, then, depth + 1, lines);
        match otherwise.as_slice() {
            [] => return,
            [next @ Step::Choice { .. }] => (rest, word) = (next, "else if"),
            steps => {
                lines.push(Line {
                    depth,
                    left: Left::Text("else".to_owned()),
                    location: None,
                });
                return write(artifact, steps, depth + 1, lines);
            }
        }
    }
}

/// The kernel's name, with a mark where it exists for both widths of indices.
fn name(artifact: &Artifact, kernel: KernelId, both: bool) -> String {
    let name = artifact
        .kernels
        .get(kernel.index())
        .map_or_else(|| kernel.to_string(), |kernel| kernel.name.clone());
    format!("{name}{}", if both { "[_64]" } else { "" })
}

/// The summary of a kernel, its threads per block and its shared memory.
fn about(artifact: &Artifact, kernel: KernelId, dynamic_shared: Option<&str>) -> String {
    let Some(kernel) = artifact.kernels.get(kernel.index()) else {
        return String::new();
    };
    let mut text = format!("{} threads", kernel.max_threads_per_block);
    let bytes = kernel.static_shared_bytes;
    match (bytes, dynamic_shared) {
        (0, None) => {}
        (_, None) => text += &format!(", {bytes} B shared"),
        (0, Some(dynamic)) => text += &format!(", {dynamic} B shared"),
        (_, Some(dynamic)) => text += &format!(", {bytes} + {dynamic} B shared"),
    }
    // The kernel's name says what it does; of the summary, the index space is news.
    match kernel.summary.split_once(" over ") {
        Some((_, space)) => format!("{text}, over {space}"),
        None => text,
    }
}

/// The steps as JSON: objects with `kernel`, `if` or `loop`.
pub(super) fn json(artifact: &Artifact, steps: &[Step]) -> Value {
    steps.iter().map(|step| step_json(artifact, step)).collect()
}

fn step_json(artifact: &Artifact, step: &Step) -> Value {
    match step {
        Step::Launch {
            kernel,
            wide,
            dynamic_shared,
        } => json!({
            "kernel": name(artifact, *kernel, false),
            "with_64_bit_indices": wide.map(|wide| name(artifact, wide, false)),
            "dynamic_shared_bytes": dynamic_shared,
        }),
        Step::Choice {
            condition,
            thresholds,
            location,
            then,
            otherwise,
        } => {
            let names = thresholds.iter().map(|&id| artifact.tunable_name(id));
            json!({
                "if": condition,
                "thresholds": names.collect::<Vec<_>>(),
                "from": artifact.location_text(*location),
                "then": json(artifact, then),
                "else": json(artifact, otherwise),
            })
        }
        Step::Loop {
            header,
            location,
            body,
        } => json!({
            "loop": header,
            "from": artifact.location_text(*location),
            "body": json(artifact, body),
        }),
    }
}

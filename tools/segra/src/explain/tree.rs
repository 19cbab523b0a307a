//! The tree of choices as text of at most [`WIDTH`] columns and, where it can, [`MOST_LINES`] lines, and as JSON.
//!
//! Two kernels that differ in how wide their accesses are, which alignment decides, are one line. Of trees with more lines
//! the innermost choices are one line each, saying how many kernels they are about. Thresholds in the part of a condition that
//! does not fit have a line of their own.

use segra::choices::Step;
use segra::{Artifact, Entry};
use segra_artifact::{KernelId, LocationId, TunableId};
use segra_ir::diag::render::printable_name;
use serde_json::{Value, json};

/// Columns of a terminal that is not wide.
pub(super) const WIDTH: usize = 100;
/// Lines of a tree, the entry's own included; a few lines of hints come behind.
const MOST_LINES: usize = 36;
/// Columns a nested step is indented by.
const INDENT: usize = 2;
/// Columns of a place in the program, at the right, and the end of what is cut before it.
const PLACE: usize = 8;

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
    // Deep trees fold from the inside.
    for deepest in (1..=depth(steps)).rev() {
        lines.clear();
        write(artifact, steps, Depth { at: 1, deepest }, &mut lines);
        if lines.len() < MOST_LINES {
            break;
        }
    }
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
    let mut text = format!("{}\n", cut(&printable_name(&entry.to_string()), WIDTH));
    for line in &lines {
        let position = line
            .location
            .and_then(|id| artifact.source_map.position(id));
        let right = position.map_or_else(String::new, |at| match Some(&at.file) == file.as_ref() {
            true => format!("{}:{}", at.line, at.column),
            false => printable_name(&at.to_string()).into_owned(),
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

/// How deep a step stands, and from which depth on choices are folded.
#[derive(Clone, Copy)]
struct Depth {
    at: usize,
    deepest: usize,
}

impl Depth {
    fn inside(self) -> Depth {
        Depth {
            at: self.at + 1,
            ..self
        }
    }
}

/// How deep steps are nested in one another.
fn depth(steps: &[Step]) -> usize {
    let inside = steps.iter().map(|step| match step {
        Step::Launch { .. } => 1,
        Step::Choice {
            then, otherwise, ..
        } => 1 + depth(then).max(depth(otherwise)),
        Step::Loop { body, .. } => 1 + depth(body),
    });
    inside.max().unwrap_or(0)
}

/// Kernels that steps launch, each once.
fn kernels(steps: &[Step], found: &mut Vec<KernelId>) {
    for step in steps {
        match step {
            Step::Launch { kernel, .. } if found.contains(kernel) => {}
            Step::Launch { kernel, .. } => found.push(*kernel),
            Step::Choice {
                then, otherwise, ..
            } => {
                kernels(then, found);
                kernels(otherwise, found);
            }
            Step::Loop { body, .. } => kernels(body, found),
        }
    }
}

/// A choice of alignment alone: no threshold but the lowest bits of sizes, and kernels of one op on both sides that do the
/// same. A branch of the program may look the same otherwise.
fn alike(artifact: &Artifact, step: &Step) -> Option<Left> {
    let Step::Choice {
        condition,
        thresholds,
        then,
        otherwise,
        ..
    } = step
    else {
        return None;
    };
    let (
        [
            Step::Launch {
                kernel,
                wide,
                dynamic_shared,
            },
        ],
        [
            Step::Launch {
                kernel: other,
                dynamic_shared: same,
                ..
            },
        ],
    ) = (then.as_slice(), otherwise.as_slice())
    else {
        return None;
    };
    let said = about(artifact, *kernel, dynamic_shared.as_deref());
    let origin = |kernel: KernelId| artifact.kernels.get(kernel.index())?.location;
    let equal = said == about(artifact, *other, same.as_deref())
        && origin(*kernel) == origin(*other)
        && condition.contains(" & ");
    (thresholds.is_empty() && equal).then(|| Left::Kernel {
        name: name(artifact, *kernel, wide.is_some()),
        about: said.replacen(" threads", " threads, wide if aligned", 1),
    })
}

fn write(artifact: &Artifact, steps: &[Step], depth: Depth, lines: &mut Vec<Line>) {
    for step in steps {
        match step {
            Step::Launch {
                kernel,
                wide,
                dynamic_shared,
            } => lines.push(Line {
                depth: depth.at,
                left: Left::Kernel {
                    name: name(artifact, *kernel, wide.is_some()),
                    about: about(artifact, *kernel, dynamic_shared.as_deref()),
                },
                location: artifact
                    .kernels
                    .get(kernel.index())
                    .and_then(|kernel| kernel.location),
            }),
            Step::Choice { location, then, .. } => match alike(artifact, step) {
                Some(left) => {
                    let kernel = then.iter().find_map(|step| match step {
                        Step::Launch { kernel, .. } => artifact.kernels.get(kernel.index()),
                        _ => None,
                    });
                    lines.push(Line {
                        depth: depth.at,
                        left,
                        location: kernel.map_or(*location, |kernel| kernel.location),
                    });
                }
                None if depth.at >= depth.deepest => {
                    lines.push(folded(artifact, step, depth, *location))
                }
                None => write_choice(artifact, step, depth, lines),
            },
            Step::Loop {
                header,
                location,
                body,
            } => {
                lines.push(Line {
                    depth: depth.at,
                    left: Left::Text(header.clone()),
                    location: *location,
                });
                write(artifact, body, depth.inside(), lines);
            }
        }
    }
}

/// A choice as one line.
fn folded(artifact: &Artifact, step: &Step, depth: Depth, location: Option<LocationId>) -> Line {
    let mut found = Vec::new();
    kernels(std::slice::from_ref(step), &mut found);
    let count = found.len();
    let about = match step {
        Step::Choice {
            condition,
            thresholds,
            ..
        } => {
            format!("if {} ... ", with_defaults(artifact, condition, thresholds))
        }
        _ => String::new(),
    };
    Line {
        depth: depth.at,
        left: Left::Text(format!("{about}one of {count} kernels (--kernels, --json)")),
        location,
    }
}

/// A choice, and those that are all there is on its other side, one under another.
fn write_choice(artifact: &Artifact, choice: &Step, depth: Depth, lines: &mut Vec<Line>) {
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
        let text = format!("{word} {}", with_defaults(artifact, condition, thresholds));
        let hidden = hidden(artifact, &text, thresholds, depth);
        lines.push(Line {
            depth: depth.at,
            left: Left::Text(text),
            location: *location,
        });
        lines.extend(hidden);
        write(artifact, then, depth.inside(), lines);
        match otherwise.as_slice() {
            [] => return,
            [next @ Step::Choice { .. }] if alike(artifact, next).is_none() => {
                (rest, word) = (next, "else if")
            }
            steps => {
                lines.push(Line {
                    depth: depth.at,
                    left: Left::Text("else".to_owned()),
                    location: None,
                });
                return write(artifact, steps, depth.inside(), lines);
            }
        }
    }
}

/// A line of the thresholds that a line is too long to show.
fn hidden(artifact: &Artifact, text: &str, thresholds: &[TunableId], depth: Depth) -> Option<Line> {
    let shown = WIDTH.saturating_sub(depth.at * INDENT + PLACE);
    let shown: String = text.chars().take(shown).collect();
    let named = thresholds.iter().filter_map(|id| {
        let tunable = artifact.tunables.get(id.index())?;
        Some(format!("{} [{}]", tunable.name, tunable.default))
    });
    let hidden: Vec<String> = named.filter(|name| !shown.contains(name)).collect();
    (!hidden.is_empty()).then(|| Line {
        depth: depth.at + 1,
        left: Left::Text(format!("asking {}", hidden.join(", "))),
        location: None,
    })
}

/// A condition with the value of each threshold behind its name.
fn with_defaults(artifact: &Artifact, condition: &str, thresholds: &[TunableId]) -> String {
    let tunables = thresholds
        .iter()
        .filter_map(|id| artifact.tunables.get(id.index()));
    let mut left: Vec<_> = tunables.collect();
    let words = condition.split(' ').map(|word| {
        let name = word.trim_matches(['(', ')']);
        let Some(at) = left.iter().position(|tunable| tunable.name == name) else {
            return word.to_owned();
        };
        let value = format!("{name} [{}]", left.swap_remove(at).default);
        word.replacen(name, &value, 1)
    });
    let mut text = words.collect::<Vec<_>>().join(" ");
    for tunable in left {
        text += &format!("   [{} = {}]", tunable.name, tunable.default);
    }
    text
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
    if bytes > 0 || dynamic_shared.is_some() {
        text += &format!(", {} B shared", shared(bytes, dynamic_shared));
    }
    // The kernel's name says what it does; of the summary, the index space is news.
    match kernel.summary.split_once(" over ") {
        Some((_, space)) => format!("{text}, over {space}"),
        None => text,
    }
}

/// Bytes of shared memory: those of every launch, and those that a launch asks for.
pub(super) fn shared(bytes: u32, dynamic: Option<&str>) -> String {
    match (bytes, dynamic) {
        (_, None) => bytes.to_string(),
        (0, Some(dynamic)) => dynamic.to_owned(),
        (_, Some(dynamic)) => format!("{bytes} + {dynamic}"),
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

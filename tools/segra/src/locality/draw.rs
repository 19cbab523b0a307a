//! The spatial-temporal diagram of a kernel: one panel per order, address upwards, time to the right.
//!
//! Source: column-based iteration thesis, 3.2 and figures 3.1, 3.3, 4.4 and 4.6.

use super::analysis::{InOrder, Kernel, blocks};
use super::canvas::{Anchor, BLACK, Box4, Color, GREY, Picture, Style};
use super::replayed::Runs;
use super::report::{model, problem};
use crate::args::Locality as Args;
use crate::profile;
use crate::report::file_name;
use segra_locality::{Diagram, Served};

const PLOT: [f64; 2] = [340.0, 380.0];
/// The part that a diagram leaves out.
const GAPS: &str = "Addresses that nothing reads are left out.";
/// Left of each plot: its addresses.
const GUTTER: f64 = 96.0;
const TOP: f64 = 118.0;
const BOTTOM: f64 = 92.0;
const MARGIN: f64 = 18.0;

fn color(served: Served) -> Color {
    match served {
        Served::Held => [0xdd, 0xe3, 0xea],
        Served::First => [0x56, 0xb4, 0xe9],
        Served::Second => [0xe6, 0x9f, 0x00],
        Served::Memory => [0xb2, 0x18, 0x2b],
    }
}

/// The colours of a diagram, with what they say.
fn legend(args: &Args) -> Vec<(Served, &'static str)> {
    if args.cache.is_some() {
        return vec![
            (Served::Memory, "fetched"),
            (Served::First, "accessed, was in the cache"),
            (Served::Held, "in the cache, not accessed"),
        ];
    }
    vec![
        (Served::First, "found in the L1 cache"),
        (Served::Second, "found in the L2 cache"),
        (Served::Memory, "fetched from memory"),
    ]
}

/// Draws a kernel.
pub(super) fn picture(args: &Args, runs: &Runs, kernel: &Kernel) -> Picture {
    let panels = kernel.orders.len() as f64;
    let width = MARGIN + panels * (GUTTER + PLOT[0] + MARGIN);
    let mut picture = Picture::new(width.max(720.0), TOP + PLOT[1] + BOTTOM);
    let title = format!(
        "{}: {}",
        file_name("read", &args.file),
        problem(&kernel.pattern)
    );
    picture.text([MARGIN, 28.0], Anchor::Start, Style::Title, &title);
    let subtitle = format!("{}. {}.", kernel.name, model(args, runs, kernel));
    picture.text([MARGIN, 46.0], Anchor::Start, Style::Plain, &subtitle);
    picture.text([MARGIN, 62.0], Anchor::Start, Style::Plain, GAPS);
    for (index, row) in kernel.orders.iter().enumerate() {
        let left = MARGIN + index as f64 * (GUTTER + PLOT[0] + MARGIN) + GUTTER;
        panel(row, left, &mut picture);
    }
    let mut x = MARGIN + GUTTER;
    let y = TOP + PLOT[1] + 66.0;
    for (served, text) in legend(args) {
        picture.boxes(GREY, vec![[x - 1.0, y - 11.0, 14.0, 14.0]]);
        picture.boxes(color(served), vec![[x, y - 10.0, 12.0, 12.0]]);
        picture.text([x + 20.0, y], Anchor::Start, Style::Plain, text);
        x += 220.0;
    }
    picture
}

fn panel(row: &InOrder, left: f64, picture: &mut Picture) {
    let [width, height] = PLOT;
    picture.text(
        [left, TOP - 34.0],
        Anchor::Start,
        Style::Heading,
        &row.order.to_string(),
    );
    picture.text(
        [left, TOP - 18.0],
        Anchor::Start,
        Style::Plain,
        &summary(row),
    );
    let diagram = &row.diagram;
    let cell = [
        width / diagram.columns().max(1) as f64,
        height / diagram.rows().max(1) as f64,
    ];
    let runs = diagram.runs();
    for served in [Served::Held, Served::First, Served::Second, Served::Memory] {
        let boxes = runs.iter().filter(|run| run.served == served).map(|run| {
            [
                left + run.column as f64 * cell[0],
                // Addresses grow upwards.
                TOP + height - (run.row + 1) as f64 * cell[1],
                run.length as f64 * cell[0],
                cell[1],
            ]
        });
        picture.boxes(color(served), boxes.collect());
    }
    let frame: Vec<Box4> = vec![
        [left - 1.0, TOP - 1.0, width + 2.0, 1.0],
        [left - 1.0, TOP + height, width + 2.0, 1.0],
        [left - 1.0, TOP, 1.0, height],
        [left + width, TOP, 1.0, height],
    ];
    picture.boxes(BLACK, frame);
    addresses(row, diagram, left, picture);
    times(row, left, picture);
}

/// The fetches of the order, in a line.
fn summary(row: &InOrder) -> String {
    if let Some(replay) = &row.replay {
        let counts = replay.counts;
        return format!(
            "{} lines fetched, hits {}",
            counts.fetches,
            profile::share(counts.hit_rate())
        );
    }
    let traffic = &row.profile.traffic;
    format!(
        "L1 hits {}, L2 to L1 {}, memory {}",
        profile::share(traffic.l1_hit_rate()),
        profile::bytes(traffic.l2_read_sectors * 32),
        profile::bytes(traffic.memory_read_bytes)
    )
}

/// Marks of the vertical axis: where a buffer begins, and offsets in it.
fn addresses(row: &InOrder, diagram: &Diagram, left: f64, picture: &mut Picture) {
    /// Pixels between two marks, at least.
    const APART: f64 = 30.0;
    let [_, height] = PLOT;
    let rows = diagram.rows();
    let y_of = |at: usize| TOP + height - at as f64 * height / rows.max(1) as f64;
    picture.text(
        [left - 6.0, TOP - 6.0],
        Anchor::End,
        Style::Small,
        "address",
    );
    let mut last: Option<(&str, f64)> = None;
    for at in 0..rows {
        let Some(address) = diagram.address(at) else {
            continue;
        };
        let Some(buffer) = row
            .buffers
            .iter()
            .find(|buffer| (buffer.address..buffer.address + buffer.bytes).contains(&address))
        else {
            continue;
        };
        let y = y_of(at);
        let begins = last.is_none_or(|(name, _)| name != buffer.name);
        let apart = last.is_none_or(|(_, before)| before - y >= APART);
        if !begins && !apart {
            continue;
        }
        if begins && last.is_some() {
            picture.boxes(GREY, vec![[left, y, PLOT[0], 1.0]]);
        }
        picture.boxes(BLACK, vec![[left - 5.0, y, 4.0, 1.0]]);
        let offset = profile::bytes(address - buffer.address);
        picture.text([left - 8.0, y], Anchor::End, Style::Small, &offset);
        if begins {
            picture.text(
                [left - 8.0, y - 12.0],
                Anchor::End,
                Style::Plain,
                &buffer.name,
            );
        }
        last = Some((&buffer.name, y));
    }
}

/// Marks of the horizontal axis, and its name.
fn times(row: &InOrder, left: f64, picture: &mut Picture) {
    let [width, height] = PLOT;
    let (last, what) = match &row.replay {
        Some(replay) => (
            replay.counts.tasks,
            "threads, in the order of their numbers".to_owned(),
        ),
        None => {
            let ran = if row.is_sampled() {
                format!(
                    "; {} of {} blocks ran",
                    row.profile.blocks_run,
                    blocks(&row.profile)
                )
            } else {
                String::new()
            };
            (
                row.requests,
                format!("requests of multiprocessor 0, in order{ran}"),
            )
        }
    };
    for part in 0..=4u32 {
        let x = left + width * f64::from(part) / 4.0;
        picture.boxes(BLACK, vec![[x, TOP + height, 1.0, 5.0]]);
        let anchor = match part {
            0 => Anchor::Start,
            4 => Anchor::End,
            _ => Anchor::Middle,
        };
        let text = (last * u64::from(part) / 4).to_string();
        picture.text([x, TOP + height + 18.0], anchor, Style::Small, &text);
    }
    picture.text(
        [left, TOP + height + 36.0],
        Anchor::Start,
        Style::Plain,
        &what,
    );
}

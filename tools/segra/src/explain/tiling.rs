//! `segra explain --tiling`: nests with loops in their points, dependences between their iterations, schedules of tiles.

use crate::args::Explain;
use crate::report::Error;
use crate::{output, source};
use segra::tilings::{Nest, Outcome, Tried, tilings};
use serde_json::json;

/// Shows what may be tiled, and what is.
pub(super) fn explain(args: &Explain) -> Result<(), Error> {
    let compiler = source::compiler(&args.common);
    let found = tilings(&compiler, source::read_program(&args.file)?)?;
    if args.json {
        let rows: Vec<_> = found.iter().map(row).collect();
        return output::print(&format!("{}\n", json!({ "nests": rows })));
    }
    if found.is_empty() {
        return output::print("no nest of this program has a loop in its points to tile\n");
    }
    let mut text = String::new();
    for nest in &found {
        text += &format!("{}: {}\n  dependences:\n", nest.place, nest.what);
        for line in &nest.dependences {
            text += &format!("    {line}\n");
        }
        for tried in &nest.tried {
            text += &of_schedule(tried);
        }
        text.push('\n');
    }
    output::print(&format!(
        "{text}= in the same iteration, < from one to a later one, * any. --print-schedule shows a nest after each step; a schedule\n\
         attribute of an op is taken instead.\n"
    ))
}

fn of_schedule(tried: &Tried) -> String {
    let schedule = tried.schedule.as_deref().unwrap_or("no schedule");
    let outcome = match &tried.outcome {
        Outcome::Given => "given".to_owned(),
        Outcome::Taken(conditions) if conditions.is_empty() => "taken".to_owned(),
        Outcome::Taken(conditions) => format!("taken with {}", conditions.join(" and ")),
        Outcome::Declined { reason, place } => format!("declined: the nest {reason} ({place})"),
    };
    format!("  {}: {schedule}\n    {outcome}\n", tried.shape)
}

fn row(nest: &Nest) -> serde_json::Value {
    let tried = |tried: &Tried| {
        let (outcome, why) = match &tried.outcome {
            Outcome::Given => ("given", Vec::new()),
            Outcome::Taken(conditions) => ("taken", conditions.clone()),
            Outcome::Declined { reason, place } => {
                ("declined", vec![reason.clone(), place.clone()])
            }
        };
        json!({
            "shape": tried.shape,
            "schedule": tried.schedule,
            "outcome": outcome,
            "why": why,
        })
    };
    json!({
        "op": nest.what,
        "from": nest.place,
        "dependences": nest.dependences,
        "schedules": nest.tried.iter().map(tried).collect::<Vec<_>>(),
    })
}

//! Which versions of a program run: thresholds from a tuning file and from the command line.

use crate::args::Thresholds;
use crate::order::Order;
use crate::report::{Error, note, shown};
use segra::{Artifact, FusionChoice, TileShape};
use segra_runtime::{RunReport, there_are};
use segra_tune::Tuning;
use segra_tune::measure::Settings;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Where the tuning of a program lies: beside it, with `.tuning` added to its whole name.
pub(crate) fn beside(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".tuning");
    PathBuf::from(name)
}

/// The thresholds that do not have their defaults.
pub(crate) fn settings(
    args: &Thresholds,
    program: &Path,
    artifact: &Artifact,
) -> Result<Settings, Error> {
    let mut settings = from_file(args, program, artifact)?;
    for (name, value) in &args.thresholds {
        if artifact.tunables.iter().all(|known| known.name != *name) {
            let known = artifact.tunables.iter().map(|known| known.name.as_str());
            return Err(Error::message(format!(
                "there is no threshold `{name}`; {}",
                there_are(known)
            )));
        }
        settings.insert(name.clone(), *value);
    }
    Ok(settings)
}

/// The thresholds that a tuning file and the command line set, whether the program has such thresholds or not.
pub(crate) fn given(args: &Thresholds, program: &Path) -> Result<Settings, Error> {
    let tuned = tuning_of(args, program)?.map(|(_, tuning)| tuning.values);
    let mut settings = tuned.unwrap_or_default();
    settings.extend(args.thresholds.iter().cloned());
    Ok(settings)
}

/// Names in tuning files of a combination of kernels, which is compiled: its number, and the extent that times are predicted for.
const COMBINATION: &str = "fuse-traversals.combination";
const EXTENT: &str = "fuse-traversals.extent";
/// Whether combinations differ in thread blocks of maps, too: 1, if they do.
const BLOCKS: &str = "fuse-traversals.blocks";

/// Names in tuning files of an order that points are visited in: the width of columns, 0 for the linear order, and threads of a
/// block.
const WIDTH: &str = "order.width";
const THREADS: &str = "order.threads";

/// Names in tuning files of the shape of the largest tiles: threads and points of a thread along rows and columns, and steps.
const TILES: [&str; 5] = [
    "tiles.threads-y",
    "tiles.threads-x",
    "tiles.points-y",
    "tiles.points-x",
    "tiles.steps",
];

/// Decisions made when a program is compiled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choices {
    pub(crate) fusion: Option<FusionChoice>,
    pub(crate) order: Option<Order>,
    pub(crate) tiles: Option<TileShape>,
}

/// Those in a tuning file, which lies there.
pub(crate) fn choices(path: &Path, tuning: &Tuning) -> Result<Choices, Error> {
    let number = |name: &str| u32::try_from(*tuning.values.get(name)?).ok();
    let order = || Order::of_columns(number(WIDTH)?, number(THREADS)?);
    let tiles = tiles(tuning);
    if tiles.is_none() && TILES.iter().any(|name| tuning.values.contains_key(*name)) {
        let names = TILES.join(", ");
        return Err(Error::message(format!(
            "{}: {names} are not all there, or no shape that tiles can have",
            shown(path)
        )));
    }
    Ok(Choices {
        fusion: combination(tuning),
        order: order(),
        tiles,
    })
}

/// The shape of tiles in a tuning file.
fn tiles(tuning: &Tuning) -> Option<TileShape> {
    let mut numbers = [0; 5];
    for (number, name) in numbers.iter_mut().zip(TILES) {
        *number = *tuning.values.get(name)?;
    }
    let [threads_y, threads_x, points_y, points_x, steps] = numbers;
    let shape = TileShape {
        threads: [threads_y, threads_x],
        points: [points_y, points_x],
        steps,
    };
    shape.fault().is_none().then_some(shape)
}

/// The lines of a shape of tiles in a tuning file.
pub(crate) fn lines_of_tiles(shape: TileShape) -> impl Iterator<Item = (String, i64)> {
    let ([threads_y, threads_x], [points_y, points_x]) = (shape.threads, shape.points);
    let numbers = [threads_y, threads_x, points_y, points_x, shape.steps];
    TILES.map(str::to_owned).into_iter().zip(numbers)
}

/// The lines of an order of columns, or of the linear one, in a tuning file.
pub(crate) fn lines_of_order(width: u32, threads: u32) -> [(String, i64); 2] {
    [
        (WIDTH.to_owned(), width.into()),
        (THREADS.to_owned(), threads.into()),
    ]
}

/// The combination of kernels in a tuning file.
fn combination(tuning: &Tuning) -> Option<FusionChoice> {
    let value = |name: &str| tuning.values.get(name).copied();
    let combination = usize::try_from(value(COMBINATION)?).ok()?;
    let extent = value(EXTENT)?;
    (combination > 0 && extent > 0).then_some(FusionChoice {
        combination,
        extent,
        blocks: value(BLOCKS) == Some(1),
    })
}

/// The lines of a combination of kernels in a tuning file.
pub(crate) fn lines_of(choice: FusionChoice) -> Vec<(String, i64)> {
    let number = i64::try_from(choice.combination).unwrap_or(i64::MAX);
    let blocks = choice.blocks.then(|| (BLOCKS.to_owned(), 1));
    let lines = [
        (COMBINATION.to_owned(), number),
        (EXTENT.to_owned(), choice.extent),
    ];
    lines.into_iter().chain(blocks).collect()
}

/// The decisions that a program was tuned to.
pub(crate) fn chosen(args: &Thresholds, program: &Path) -> Result<Choices, Error> {
    match tuning_of(args, program)? {
        Some((path, tuning)) => choices(&path, &tuning),
        None => Ok(Choices::default()),
    }
}

/// Reads a tuning file.
pub(crate) fn read(path: &Path) -> Result<Tuning, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file("read", path, error))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> Result<Tuning, Error> {
    Tuning::parse(text).map_err(|error| Error::message(format!("{}: {error}", shown(path))))
}

/// The tuning file of a program, if there is one.
fn tuning_of(args: &Thresholds, program: &Path) -> Result<Option<(PathBuf, Tuning)>, Error> {
    let path = match &args.tuning {
        _ if args.no_tuning => return Ok(None),
        Some(path) => return Ok(Some((path.clone(), read(path)?))),
        None if program == Path::new("-") => return Ok(None),
        None => beside(program),
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(&path, &text).map(|tuning| Some((path, tuning))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("read", &path, error)),
    }
}

fn from_file(args: &Thresholds, program: &Path, artifact: &Artifact) -> Result<Settings, Error> {
    let Some((path, mut tuning)) = tuning_of(args, program)? else {
        return Ok(Settings::new());
    };
    // Decisions made when a program is compiled are no thresholds of it.
    let Choices {
        fusion,
        order,
        tiles,
    } = choices(&path, &tuning)?;
    let ours = [COMBINATION, EXTENT, BLOCKS, WIDTH, THREADS];
    for name in ours.into_iter().chain(TILES) {
        tuning.values.remove(name);
    }
    let (settings, stale) = tuning.split(artifact);
    if !stale.is_empty() {
        let names = stale.join(", ");
        note(&format!(
            "segra: warning: {} has thresholds that the program has not: {names}; tune it again",
            shown(&path)
        ));
    }
    let count = settings.len();
    let plural = if count == 1 { "" } else { "s" };
    let kernels = fusion.map_or(String::new(), |choice| {
        format!(" and combination {} of kernels", choice.combination)
    });
    let order = order.map_or(String::new(), |order| format!(" and order {order}"));
    let tiles = tiles.map_or(String::new(), |shape| format!(" and tiles {shape}"));
    note(&format!(
        "tuning: {count} threshold{plural}{kernels}{order}{tiles} from {}",
        shown(&path)
    ));
    Ok(settings)
}

/// The thresholds a run asked, and what they were compared with.
pub(crate) fn asked(report: &RunReport) -> Json {
    let rows = report.comparisons.iter();
    rows.map(|row| json!({ "name": row.tunable, "compared_with": row.value, "times": row.times }))
        .collect()
}

//! `segra tune --tiles`: a program with several shapes of its largest tiles, as they are measured.
//!
//! "Teaching the Futhark compiler block and register tiled matrix multiplication" (2020), 4.2 compiles and runs each of 1024 shapes.
//! Here those that no device runs are left out, and the rest is ranked by what a multiply-add is predicted to take
//! ([`segra::TileShape`]): the first ones are measured. Beside them runs the program with the tiles of the compiler: no shape is
//! chosen where that costs no more.

use crate::args::Tune as Args;
use crate::data::Bench;
use crate::report::{Error, note};
use crate::thresholds::Choices;
use crate::tried::Tried;
use segra::TileShape;
use segra_runtime::RunReport;

/// Points of a full tile of the compiler's own shapes, by the last part of the name of the threshold that compares their number.
const TILES: [(&str, i64); 2] = [(".large", 128 * 128), (".small", 64 * 64)];

/// Runs so many shapes; the program with the one that costs least.
pub(crate) fn best(args: &Args, count: usize) -> Result<(Bench, Tried<TileShape>), Error> {
    let first = |reports: &[RunReport]| {
        let mut ranked = TileShape::ranked(points(reports));
        let all = ranked.len();
        ranked.truncate(count);
        note(&format!(
            "the first {} of {all} shapes of tiles that run, of {} in all",
            ranked.len(),
            TileShape::space().count()
        ));
        ranked
    };
    Tried::measured("tiles", args, first, |tiles| Choices {
        tiles,
        ..Choices::default()
    })
}

/// The points of the largest nest in full tiles, where thresholds compare how many there are.
fn points(reports: &[RunReport]) -> Option<i64> {
    let comparisons = reports.iter().flat_map(|report| &report.comparisons);
    let points = comparisons.filter_map(|row| {
        let (_, points) = TILES.iter().find(|tile| row.tunable.ends_with(tile.0))?;
        Some(row.value.saturating_mul(*points))
    });
    points.max().filter(|&points| points > 0)
}

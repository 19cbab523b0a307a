//! The ladder of products in `benches`: its table holds what the thesis measured at each size and its plot is that of the table.

use crate::{assert_tidy, root};

/// Sizes of the thesis' tables 6 to 13.
const SIZES: usize = 16;
/// The columns of the table that are plotted, then those of the thesis in its last column.
const PLOTTED: [usize; 4] = [1, 2, 3, 4];
const MEASURED: [usize; 2] = [2, 3];
/// How far a plotted point may lie from its number in the table, which is rounded.
const WITHIN: f64 = 0.1;

/// All numbers in a text.
fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// A size, and the microseconds that the thesis measured, in the order of its tables.
type Measured = (Vec<f64>, Vec<f64>);

/// The lines `((M, U, N), [times]),` of the script.
fn measured(script: &str) -> Vec<Measured> {
    let lines = script.lines().filter(|line| line.starts_with("    (("));
    lines
        .filter_map(|line| line.split_once('['))
        .map(|(size, times)| (numbers(size), numbers(times)))
        .collect()
}

/// The cells of the table below `start`.
fn table(page: &str, start: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.contains(start));
    let rows = lines.skip_while(|line| !line.starts_with("|---"));
    rows.skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().to_owned()).collect()
        })
        .collect()
}

/// The heights of the series' points in a plot: of the paths that are no legend, which have a line for each step.
fn series(plot: &str) -> Vec<Vec<f64>> {
    let paths = plot
        .lines()
        .filter_map(|line| line.strip_prefix("<path d=\"M"))
        .filter_map(|path| path.split_once("\" fill=\"none\""));
    paths
        .map(|(points, _)| {
            let points = points.split('L');
            let height = |point: &str| numbers(point).last().copied();
            points.filter_map(height).collect()
        })
        .collect()
}

/// Where the lines of powers of ten are in a plot, the highest number last: the power and its height.
fn scale(plot: &str) -> Vec<(f64, f64)> {
    let marks = plot
        .lines()
        .filter(|line| line.ends_with(" GFLOP/s</text>"));
    marks
        .filter_map(|line| {
            let power: f64 = numbers(
                &line
                    .rsplit_once('>')
                    .map_or(line, |(before, _)| before)
                    .replace(',', ""),
            )
            .into_iter()
            .rev()
            .find(|&number| number >= 100.0 && number.log10().fract() == 0.0)?;
            let height = line.split_once("y=\"").map(|(_, rest)| numbers(rest))?;
            // A label stands four below its line.
            Some((power.log10(), height.first()? - 4.0))
        })
        .collect()
}

/// Faults of the page and the plot.
fn complaints(page: &str, plot: &str, script: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let (rows, times) = (table(page, "`benches/ladder.py --plot"), measured(script));
    if rows.len() != SIZES || times.len() != SIZES {
        let (rows, times) = (rows.len(), times.len());
        return vec![format!("{rows} rows and {times} measured, not {SIZES}")];
    }
    let mut columns = vec![Vec::new(); PLOTTED.len() + MEASURED.len()];
    for (row, (size, times)) in rows.iter().zip(&times) {
        let place = row.first().cloned().unwrap_or_default();
        let (operations, of_thesis) = (
            2.0 * size.iter().product::<f64>(),
            numbers(&row[row.len() - 1]),
        );
        let speeds: Vec<f64> = times.iter().map(|time| operations / time / 1e3).collect();
        if numbers(&place) != *size || row.len() != 8 || speeds.len() != 4 {
            complaints.push(format!("{place}: is not the row of {size:?}"));
            continue;
        }
        if speeds.iter().map(|speed| speed.round()).ne(of_thesis) {
            complaints.push(format!("{place}: the thesis has {speeds:.0?}"));
        }
        let cell = |at: usize| numbers(&row[at]).first().copied().unwrap_or_default();
        for (ratio, below) in [(5, 1), (6, 2)] {
            // Of the figures before they were rounded.
            if (cell(4) / cell(below) - cell(ratio)).abs() > 0.02 {
                complaints.push(format!(
                    "{place}: {} is not {}",
                    row[ratio],
                    cell(4) / cell(below)
                ));
            }
        }
        let figures = PLOTTED
            .map(cell)
            .into_iter()
            .chain(MEASURED.map(|at| speeds[at]));
        for (column, figure) in columns.iter_mut().zip(figures) {
            column.push(figure);
        }
    }
    let (scale, series) = (scale(plot), series(plot));
    let (Some(&(low, bottom)), Some(&(high, top))) = (scale.first(), scale.last()) else {
        return vec!["the plot has no scale".to_owned()];
    };
    let height = |figure: f64| bottom + (figure.log10() - low) / (high - low) * (top - bottom);
    for (number, column) in columns.iter().enumerate() {
        let drawn = series.get(number).map_or(&[][..], Vec::as_slice);
        let alike = |(figure, at): (&f64, &f64)| (height(*figure) - at).abs() <= WITHIN;
        if drawn.len() != column.len() || !column.iter().zip(drawn).all(alike) {
            complaints.push(format!(
                "series {number} of the plot is not that of the table"
            ));
        }
    }
    complaints
}

fn files() -> [String; 3] {
    ["README.md", "ladder.svg", "ladder.py"].map(|name| {
        let path = root().join("benches").join(name);
        std::fs::read_to_string(path).expect("the ladder is there")
    })
}

#[test]
fn the_plot_of_the_ladder_has_all_sizes_of_the_thesis_and_is_that_of_the_table() {
    let [page, plot, script] = files();
    assert_tidy(&complaints(&page, &plot, &script));
}

#[test]
fn another_figure_is_found() {
    let [page, plot, script] = files();
    let changed = |page: &str, plot: &str| complaints(page, plot, &script).len();
    let row = "| 4294, 4220, 4229 | 901 |";
    assert!(page.contains(row));
    assert_eq!(
        changed(&page.replace(row, "| 4294, 4220, 4229 | 600 |"), &plot),
        2
    );
    assert_eq!(
        changed(
            &page.replace("212, 2030, 3656, 8398", "212, 2030, 3657, 8398"),
            &plot
        ),
        1
    );
    assert_eq!(
        changed(&page.replace(row, "| 4294, 4220, 4228 | 901 |"), &plot),
        7
    );
    assert_eq!(
        changed(
            &page,
            &plot.replacen("<path d=\"M104.0 ", "<path d=\"M104.0 9", 1)
        ),
        1
    );
}

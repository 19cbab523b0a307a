//! LocVolCalib, all of it (`benches/locvolcalib.mlir`): beside a solver written for this test, in every version, on
//! data sets of the aspect ratios of finpar's small, medium and large ones; and tuned, by the simulator's estimate, for
//! two cards; and, where `SEGRA_LONG=1`, on the benchmark's own options and grids with two of its steps.
//!
//! Deliberately absent: times on hardware.

use crate::versions::forced;
use crate::{Outcome, load, options, rendered};
use libtest_mimic::Trial;
use segra::{Artifact, Compiler, DeviceChoice, Input, Program, Tolerance, Value, compare};
use segra_runtime::{Machine, SimDevice, SimOptions};
use segra_tests::case::{Failure, folder};
use segra_tune::{CostSource, Measure, OnDevice, tune};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much more expensive than the best version of a data set the tuned program may be.
const WITHIN: f64 = 1.05;
/// Cards that tuned programs are estimated for.
const CARDS: [&str; 2] = ["RTX-2080-Super", "A100"];

/// A data set of the benchmark.
struct Data {
    name: &'static str,
    /// How many options; the strike of number i is 0.001 i.
    options: usize,
    /// Points of the grid along stock values, and along volatilities.
    grid: [usize; 2],
    /// Steps of time.
    steps: usize,
    /// Stock value now, time in years, alpha, nu, beta.
    market: [f64; 5],
}

/// Extents are an eighth of finpar's where that leaves enough; its small data set has few options on wide grids over
/// many steps, the medium one the grid's long side the other way round, the large one both sides long.
const DATA: [Data; 3] = [
    Data {
        name: "small",
        options: 2,
        grid: [4, 32],
        steps: 16,
        market: [0.03, 5.0, 0.2, 0.6, 0.5],
    },
    Data {
        name: "medium",
        options: 16,
        grid: [32, 4],
        steps: 4,
        market: [0.03, 5.0, 0.2, 0.6, 0.5],
    },
    Data {
        name: "large",
        options: 16,
        grid: [32, 32],
        steps: 4,
        market: [0.03, 5.0, 0.2, 0.6, 0.5],
    },
];

const fn whole(name: &'static str, options: usize, grid: [usize; 2]) -> Data {
    Data {
        name,
        options,
        grid,
        steps: 2,
        market: DATA[0].market,
    }
}

/// The options and grids of the benchmark. Its steps of time, 64 or 90, are the same code again and again.
const WHOLE: [Data; 3] = [
    whole("small", 16, [32, 256]),
    whole("medium", 128, [256, 32]),
    whole("large", 256, [256, 256]),
];

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let mut trials = vec![Trial::test("LocVolCalib: tuned for two cards", || {
        tuned_for_two_cards().map_err(Into::into)
    })];
    for &device in devices {
        let title = crate::title("LocVolCalib: every version", device);
        trials.push(Trial::test(title, move || {
            every_version(device).map_err(Into::into)
        }));
        // Minutes, of which the large one takes most.
        let short = std::env::var_os("SEGRA_LONG").is_none();
        let title = crate::title("LocVolCalib: whole data sets", device);
        let whole = Trial::test(title, move || whole_data_sets(device).map_err(Into::into));
        trials.push(whole.with_ignored_flag(short));
    }
    trials
}

fn compiled(device: DeviceChoice) -> Result<Artifact, Failure> {
    let path = folder().join("../benches/locvolcalib.mlir");
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let program =
        Program::from_text("locvolcalib.mlir", &text).map_err(|failure| rendered(&failure))?;
    Ok(Compiler::new(crate::compile_options(device))
        .compile(program)
        .map_err(|failure| rendered(&failure))?
        .artifact)
}

impl Data {
    fn strikes(&self) -> Vec<f64> {
        (0..self.options)
            .map(|number| 0.001 * number as f64)
            .collect()
    }

    fn arguments(&self, artifact: &Artifact) -> Result<Vec<Value>, Failure> {
        let params = &artifact.entry("main").ok_or("no @main")?.params;
        let mut texts = vec![format!("{:?}", self.strikes())];
        texts.extend(self.grid.map(|extent| format!("random:{extent}")));
        texts.push(self.steps.to_string());
        texts.extend(self.market.map(|number| number.to_string()));
        let values = texts
            .iter()
            .zip(params)
            .enumerate()
            .map(|(index, (text, param))| {
                let input = Input::parse(text).map_err(|error| error.to_string())?;
                input
                    .materialise(&param.ty, 1, index)
                    .map_err(|error| error.to_string())
            });
        values.collect()
    }

    /// The expected results of the program.
    fn prices(&self) -> Vec<f64> {
        self.strikes()
            .into_iter()
            .map(|strike| self.price(strike))
            .collect()
    }

    /// One option: the method of the program's header, in loops.
    fn price(&self, strike: f64) -> f64 {
        let [s0, years, alpha, nu, beta] = self.market;
        let [width, height] = self.grid;
        let (dx, dy) = (
            20.0 * alpha * s0 * years.sqrt() / width as f64,
            10.0 * nu * years.sqrt() / height as f64,
        );
        let at = [((s0 / dx) as usize).min(width - 1), height / 2];
        let place = |index: usize, origin: usize, step: f64| (index as f64 - origin as f64) * step;
        let stock: Vec<f64> = (0..width).map(|i| place(i, at[0], dx) + s0).collect();
        let level: Vec<f64> = (0..height)
            .map(|j| place(j, at[1], dy) + alpha.ln())
            .collect();
        let mut now: Vec<Vec<f64>> = stock
            .iter()
            .map(|value| vec![(value - strike).max(0.0); height])
            .collect();
        let rate = self.steps as f64 / years;
        for step in (0..self.steps).rev() {
            let time = years * step as f64 / self.steps as f64;
            let half_variance = |i: usize, j: usize| {
                0.5 * (2.0 * (beta * stock[i].ln() + level[j] - 0.5 * nu * nu * time)).exp()
            };
            let along_x = |i: usize, j: usize| half_variance(i, j) * weight(i, width, dx);
            let along_y = |j: usize| 0.5 * nu * nu * weight(j, height, dy);
            let mut explicit_y = vec![vec![0.0; height]; width];
            let mut next = vec![vec![0.0; height]; width];
            for j in 0..height {
                let mut right = Vec::new();
                for i in 0..width {
                    explicit_y[i][j] = along_y(j) * bend(|j| now[i][j], j, height);
                    let explicit_x = 0.5 * along_x(i, j) * bend(|i| now[i][j], i, width);
                    right.push(rate * now[i][j] + explicit_x + explicit_y[i][j]);
                }
                let solved = thomas(|i| 0.5 * along_x(i, j), rate, right);
                (0..width).for_each(|i| next[i][j] = solved[i]);
            }
            for i in 0..width {
                let right = (0..height)
                    .map(|j| rate * next[i][j] - 0.5 * explicit_y[i][j])
                    .collect();
                next[i] = thomas(|j| 0.5 * along_y(j), rate, right);
            }
            now = next;
        }
        now[at[0]][at[1]]
    }
}

/// The second difference's weight, 0 at the ends.
fn weight(at: usize, extent: usize, step: f64) -> f64 {
    if at == 0 || at + 1 == extent {
        0.0
    } else {
        1.0 / (step * step)
    }
}

/// The second difference where there is one.
fn bend(values: impl Fn(usize) -> f64, at: usize, extent: usize) -> f64 {
    if at == 0 || at + 1 == extent {
        0.0
    } else {
        values(at - 1) - 2.0 * values(at) + values(at + 1)
    }
}

/// The system whose rows are `-q, rate + 2 q, -q`, by elimination from the top and substitution from the bottom.
fn thomas(q: impl Fn(usize) -> f64, rate: f64, mut right: Vec<f64>) -> Vec<f64> {
    let mut pivots: Vec<f64> = (0..right.len()).map(|at| rate + 2.0 * q(at)).collect();
    for at in 1..right.len() {
        let share = -q(at) / pivots[at - 1];
        pivots[at] += share * q(at - 1);
        right[at] -= share * right[at - 1];
    }
    for at in (0..right.len()).rev() {
        let below = right.get(at + 1).map_or(0.0, |below| q(at) * below);
        right[at] = (right[at] + below) / pivots[at];
    }
    right
}

fn every_version(device: DeviceChoice) -> Outcome {
    let artifact = compiled(device)?;
    let versions = forced(&artifact);
    if versions.len() < 3 {
        return Err(format!("only {} versions", versions.len()));
    }
    are_priced(artifact, device, &DATA, &versions, |_| 1000)
}

fn whole_data_sets(device: DeviceChoice) -> Outcome {
    let default = ("default".to_owned(), BTreeMap::new());
    // All points of the grid make a price.
    let points = |data: &Data| data.grid[0] * data.grid[1];
    are_priced(compiled(device)?, device, &WHOLE, &[default], points)
}

/// Versions give the prices that the solver of this test gives.
fn are_priced(
    artifact: Artifact,
    device: DeviceChoice,
    all: &[Data],
    versions: &[(String, BTreeMap<String, i64>)],
    length: impl Fn(&Data) -> usize,
) -> Outcome {
    let loaded = load(artifact, device)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    for data in all {
        let arguments = data.arguments(loaded.artifact())?;
        let text = format!("{:?}", data.prices());
        let param = &loaded.artifact().entry("main").ok_or("no @main")?.params[0].ty;
        let input = Input::parse(&text).map_err(|error| error.to_string())?;
        let expected = [input
            .materialise(param, 0, 0)
            .map_err(|error| error.to_string())?];
        for (name, settings) in versions {
            let run = entry.run_with(&arguments, &options(settings.clone()));
            let found = run
                .map_err(|error| format!("{}, version `{name}`: {error}", data.name))?
                .results;
            if let Some(difference) =
                compare(&found, &expected, Tolerance::for_length(length(data)))
            {
                return Err(format!("{}, version `{name}`: {difference}", data.name));
            }
        }
    }
    Ok(())
}

/// The small data set; all three where `SEGRA_LONG=1`.
fn tuned_on() -> &'static [Data] {
    if std::env::var_os("SEGRA_LONG").is_some() {
        &DATA
    } else {
        &DATA[..1]
    }
}

fn tuned_for_two_cards() -> Outcome {
    let artifact = compiled(DeviceChoice::Sim)?;
    let versions = forced(&artifact);
    for card in CARDS {
        let machine = Machine::named(card).ok_or("no such preset")?;
        let device = SimDevice::new(&SimOptions {
            profile: Some(machine),
            ..SimOptions::default()
        });
        let loaded = segra::load_on(artifact.clone(), Arc::new(device))
            .map_err(|error| error.to_string())?;
        let entry = loaded.entry("main").map_err(|error| error.to_string())?;
        for data in tuned_on() {
            let sets = [data.arguments(loaded.artifact())?];
            let mut device = OnDevice::new(entry, &sets, CostSource::Estimate);
            let tuned = tune(loaded.artifact(), 1, &mut device, &mut |_| {})
                .map_err(|error| error.to_string())?;
            let mut least = f64::INFINITY;
            for (_, settings) in &versions {
                least = least.min(
                    device
                        .run(0, settings)
                        .map_err(|error| error.to_string())?
                        .cost,
                );
            }
            let found = tuned.data_sets[0].tuned;
            if found > WITHIN * least {
                return Err(format!(
                    "{} on {card}: tuned takes {found} us, a version {least}",
                    data.name
                ));
            }
        }
    }
    Ok(())
}

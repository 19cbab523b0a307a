//! The search: thresholds from the deepest comparison outwards.
//!
//! To see what a threshold's setting costs on a data set, the thresholds around it are forced so that it is asked, and
//! those inside it have their tuned values already. One run with it out of reach ("below" everywhere) tells what it
//! is compared with; further runs try the settings between those values. A run is not made where an earlier one went
//! the same way: a program's way is decided by its comparisons, and every run says which it made.
//!
//! Runs: at most [`STEPS`] + 1 per threshold and data set, and two more per data set, times the repeats that noise asks
//! for (at most [`crate::cost::MOST_RUNS`]): linear in the number of comparisons.

use crate::choose::{self, Agreement, Candidate, Interval};
use crate::cost::{self, Cost, Precision, Verdict};
use crate::measure::{Measure, RunFailure, Settings};
use segra_artifact::{Artifact, Side, Tunable};

/// Settings tried of a threshold that one data set compares with several values, the outermost two among them.
pub const STEPS: usize = 4;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// One row per threshold, in the artifact's order.
    pub thresholds: Vec<Chosen>,
    /// One row per data set.
    pub data_sets: Vec<DataSetCosts>,
    /// Runs made (or replayed).
    pub runs: usize,
}

impl Tuned {
    /// The thresholds' values.
    pub fn settings(&self) -> Settings {
        self.thresholds
            .iter()
            .map(|row| (row.name.clone(), row.value))
            .collect()
    }
}

/// A threshold's value and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Its name.
    pub name: String,
    /// The other side of the comparison, as the artifact says.
    pub compared: String,
    /// Its default.
    pub default: i64,
    /// Its value from now on.
    pub value: i64,
    /// Where it may lie at the same total cost.
    pub interval: Interval,
    /// The best interval of each data set; `None` where it is not asked.
    pub best: Vec<Option<Interval>>,
    /// Whether all data sets agree.
    pub agreement: Agreement,
}

/// The cost of a data set, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataSetCosts {
    /// With all thresholds at their defaults.
    pub default: f64,
    /// With the tuned thresholds.
    pub tuned: f64,
}

/// Events during a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// A run was made.
    Ran {
        /// The data set's number.
        data_set: usize,
        /// Its cost, in microseconds.
        cost: f64,
    },
    /// The cost of a threshold on one more data set is known: so many of all pairs.
    Step {
        /// Pairs done.
        done: usize,
        /// Pairs of thresholds and data sets.
        all: usize,
        /// The threshold.
        name: &'a str,
    },
    /// A threshold has its value.
    Chose(&'a Chosen),
}

/// Why a search ended without a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("data set {data_set}: {failure}")]
pub struct SearchError {
    /// The data set's number, from 0.
    pub data_set: usize,
    /// The report of its run.
    pub failure: RunFailure,
}

/// Finds values for all thresholds of a program.
///
/// # Errors
/// A run fails.
pub fn tune(
    artifact: &Artifact,
    data_sets: usize,
    measure: &mut dyn Measure,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Tuned, SearchError> {
    let tunables = &artifact.tunables;
    let precision = measure.precision();
    let ways = vec![Vec::new(); data_sets];
    let mut search = Search {
        tunables,
        measure,
        watch,
        precision,
        ways,
        runs: 0,
    };
    let mut settings: Settings = tunables
        .iter()
        .map(|known| (known.name.clone(), known.default))
        .collect();
    let defaults = settings.clone();
    let depths: Vec<usize> = (0..tunables.len())
        .map(|index| around(tunables, index).count())
        .collect();
    let mut order: Vec<usize> = (0..tunables.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(depths[index]), std::cmp::Reverse(index)));
    let all = tunables.len() * data_sets;
    let mut thresholds: Vec<Option<Chosen>> = vec![None; tunables.len()];
    let mut done = 0;
    for index in order {
        let chosen = search.decide(index, &settings, (&mut done, all))?;
        settings.insert(chosen.name.clone(), chosen.value);
        (search.watch)(Event::Chose(&chosen));
        thresholds[index] = Some(chosen);
    }
    let costs = (0..data_sets).map(|data_set| {
        Ok(DataSetCosts {
            default: search.cost(data_set, &defaults)?,
            tuned: search.cost(data_set, &settings)?,
        })
    });
    let costs = costs.collect::<Result<Vec<DataSetCosts>, SearchError>>()?;
    let runs = search.runs;
    Ok(Tuned {
        thresholds: thresholds.into_iter().flatten().collect(),
        data_sets: costs,
        runs,
    })
}

/// The choices around a threshold, innermost first, with the side it is on.
fn around(tunables: &[Tunable], index: usize) -> impl Iterator<Item = (usize, Side)> + '_ {
    let under = move |index: usize| {
        let branch = tunables.get(index)?.under?;
        // Outer ones come first (the artifact is valid), so this ends.
        (branch.tunable.index() < index).then(|| (branch.tunable.index(), branch.side))
    };
    std::iter::successors(under(index), move |&(outer, _)| under(outer))
}

/// The value of a threshold that leads to a side whatever it is compared with.
fn reach(side: Side) -> i64 {
    match side {
        Side::AtLeast => 0,
        Side::Below => i64::MAX,
    }
}

/// A way through the program on one data set.
#[derive(Clone, Debug)]
struct Way {
    /// Comparisons on the way and what they gave.
    taken: Vec<(String, i64, bool)>,
    /// Settings that lead there.
    settings: Settings,
    cost: Cost,
}

impl Way {
    /// Whether other settings lead the same way.
    fn is_that_of(&self, settings: &Settings) -> bool {
        self.taken.iter().all(|(name, value, large)| {
            settings
                .get(name)
                .is_some_and(|threshold| (value >= threshold) == *large)
        })
    }
}

struct Search<'a> {
    tunables: &'a [Tunable],
    measure: &'a mut dyn Measure,
    watch: &'a mut dyn FnMut(Event<'_>),
    precision: Precision,
    /// By data set.
    ways: Vec<Vec<Way>>,
    runs: usize,
}

impl Search<'_> {
    /// The value of a threshold, by all data sets; steps that are done are counted.
    fn decide(
        &mut self,
        index: usize,
        settings: &Settings,
        (done, all): (&mut usize, usize),
    ) -> Result<Chosen, SearchError> {
        let tunables = self.tunables;
        let known = &tunables[index];
        let mut forced = settings.clone();
        for (outer, side) in around(tunables, index) {
            forced.insert(tunables[outer].name.clone(), reach(side));
        }
        let mut candidates = Vec::new();
        for data_set in 0..self.ways.len() {
            candidates.push(self.candidates(data_set, &known.name, &forced)?);
            *done += 1;
            (self.watch)(Event::Step {
                done: *done,
                all,
                name: &known.name,
            });
        }
        let (interval, agreement) = choose::choose(&candidates);
        let best = candidates
            .iter()
            .map(|set| (!set.is_empty()).then(|| choose::best(set)))
            .collect();
        Ok(Chosen {
            name: known.name.clone(),
            compared: known.compared.clone(),
            default: known.default,
            value: interval.pick(known.default).clamp(known.min, known.max),
            interval,
            best,
            agreement,
        })
    }
    /// The cost of a data set with these settings.
    fn cost(&mut self, data_set: usize, settings: &Settings) -> Result<f64, SearchError> {
        let way = self.way(data_set, settings)?;
        self.separate(data_set, &[way])?;
        Ok(self.ways[data_set][way].cost.median())
    }
    /// The costs of the settings of a threshold on a data set, the others being as given; none where it is not asked.
    fn candidates(
        &mut self,
        data_set: usize,
        name: &str,
        forced: &Settings,
    ) -> Result<Vec<Candidate>, SearchError> {
        let with = |threshold| {
            let mut settings = forced.clone();
            settings.insert(name.to_owned(), threshold);
            settings
        };
        let below = self.way(data_set, &with(i64::MAX))?;
        let taken = &self.ways[data_set][below].taken;
        let taken = taken.iter().filter(|row| row.0 == name);
        let mut values: Vec<i64> = taken.map(|row| row.1).collect();
        values.sort_unstable();
        values.dedup();
        let Some(last) = values.len().checked_sub(1) else {
            return Ok(Vec::new());
        };
        // Steps of the cost: up to the first value, between two, above the last one.
        let mut steps: Vec<usize> = (0..STEPS)
            .map(|step| step * (last + 1) / (STEPS - 1))
            .collect();
        steps.dedup();
        let mut found = Vec::new();
        for step in steps {
            let low = step.checked_sub(1).map_or(-1, |before| values[before]);
            let high = values.get(step).copied().unwrap_or(i64::MAX);
            let way = if high == i64::MAX {
                below
            } else {
                self.way(data_set, &with(high))?
            };
            found.push((Interval { low, high }, way));
        }
        let ways: Vec<usize> = found.iter().map(|row| row.1).collect();
        let equal = self.separate(data_set, &ways)?;
        let median = |way: usize| self.ways[data_set][way].cost.median();
        let least = ways
            .iter()
            .map(|&way| median(way))
            .fold(f64::INFINITY, f64::min);
        let cost = |way: usize| {
            if equal.contains(&way) {
                least
            } else {
                median(way)
            }
        };
        Ok(found
            .into_iter()
            .map(|(interval, way)| Candidate {
                interval,
                cost: cost(way),
            })
            .collect())
    }

    /// The way that settings lead, by one run where none went it before.
    fn way(&mut self, data_set: usize, settings: &Settings) -> Result<usize, SearchError> {
        if let Some(known) = self.ways[data_set]
            .iter()
            .position(|way| way.is_that_of(settings))
        {
            return Ok(known);
        }
        let run = self.run(data_set, settings)?;
        let taken = run.compared.into_iter().filter_map(|(name, value)| {
            let threshold = *settings.get(&name)?;
            Some((name, value, value >= threshold))
        });
        let way = Way {
            taken: taken.collect(),
            settings: settings.clone(),
            cost: Cost::of(&[run.cost]),
        };
        self.ways[data_set].push(way);
        Ok(self.ways[data_set].len() - 1)
    }

    /// Repeats runs until the least cost is told from the others or counts as equal; the ways of equal cost.
    fn separate(&mut self, data_set: usize, ways: &[usize]) -> Result<Vec<usize>, SearchError> {
        loop {
            let costs = |way: usize| &self.ways[data_set][way].cost;
            let Some(least) = ways
                .iter()
                .copied()
                .min_by(|&a, &b| costs(a).median().total_cmp(&costs(b).median()))
            else {
                return Ok(Vec::new());
            };
            let verdict = |way: usize| match cost::compare(costs(least), costs(way), self.precision)
            {
                // One way is no more expensive than itself, however noisy.
                Verdict::Open if way == least && costs(way).runs() >= cost::FEWEST_RUNS => {
                    Verdict::Same
                }
                verdict => verdict,
            };
            let open: Vec<usize> = ways
                .iter()
                .copied()
                .filter(|&way| verdict(way) == Verdict::Open)
                .collect();
            if open.is_empty() {
                return Ok(ways
                    .iter()
                    .copied()
                    .filter(|&way| verdict(way) == Verdict::Same)
                    .collect());
            }
            let fewest = open
                .iter()
                .chain([&least])
                .map(|&way| costs(way).runs())
                .min()
                .unwrap_or(0);
            let mut again: Vec<usize> = open.iter().copied().chain([least]).collect();
            again.retain(|&way| costs(way).runs() == fewest);
            again.sort_unstable();
            again.dedup();
            for way in again {
                let settings = self.ways[data_set][way].settings.clone();
                let run = self.run(data_set, &settings)?;
                self.ways[data_set][way].cost.add(run.cost);
            }
        }
    }

    fn run(&mut self, data_set: usize, settings: &Settings) -> Result<crate::Run, SearchError> {
        self.runs += 1;
        // Thresholds at their defaults go without saying: the log stays short.
        let mut said = settings.clone();
        said.retain(|name, value| {
            self.tunables
                .iter()
                .all(|known| known.name != *name || known.default != *value)
        });
        let run = self
            .measure
            .run(data_set, &said)
            .map_err(|failure| SearchError { data_set, failure })?;
        (self.watch)(Event::Ran {
            data_set,
            cost: run.cost,
        });
        Ok(run)
    }
}

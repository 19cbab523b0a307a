//! Programs that are nothing but a tree of versions, with made-up costs.

use segra_artifact::{Artifact, Branch, Side, Tunable, TunableId};
use segra_random::SplitMix64;
use segra_tune::measure::Settings;
use segra_tune::{Measure, Precision, Run, RunFailure};

/// A threshold of a made-up program and what it is compared with on each data set.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub under: Option<(usize, Side)>,
    /// By data set.
    pub values: Vec<Vec<i64>>,
    /// By data set: what taking the side costs, unless another choice stands there.
    pub at_least: Vec<f64>,
    pub below: Vec<f64>,
}

/// Runs a tree of choices.
#[derive(Clone, Debug)]
pub(crate) struct Fake {
    pub choices: Vec<Choice>,
    /// Runs made.
    pub made: usize,
    /// Fails instead of making more runs than this.
    pub limit: usize,
    /// Relative noise of costs; none: exact.
    pub noise: Option<f64>,
    state: SplitMix64,
}

pub(crate) fn name(index: usize) -> String {
    format!("main.top.{index}")
}

impl Fake {
    pub(crate) fn new(choices: Vec<Choice>) -> Fake {
        Fake {
            choices,
            made: 0,
            limit: usize::MAX,
            noise: None,
            state: SplitMix64::new(7),
        }
    }

    pub(crate) fn artifact(&self) -> Artifact {
        let mut artifact = Artifact::new("test");
        for (index, choice) in self.choices.iter().enumerate() {
            artifact.add_tunable(Tunable {
                name: name(index),
                default: 1 << 15,
                min: 0,
                max: i64::MAX,
                compared: "n".to_owned(),
                under: choice.under.map(|(outer, side)| Branch {
                    tunable: TunableId(outer as u32),
                    side,
                }),
                location: None,
            });
        }
        artifact.validate().expect("valid");
        artifact
    }

    /// Cost of a part of the tree, and the comparisons made there.
    fn visit(
        &self,
        at: usize,
        data_set: usize,
        settings: &Settings,
        compared: &mut Vec<(String, i64)>,
    ) -> f64 {
        let choice = &self.choices[at];
        let threshold = settings.get(&name(at)).copied().unwrap_or(1 << 15);
        let mut cost = 0.0;
        for &value in &choice.values[data_set] {
            compared.push((name(at), value));
            let (side, own) = if value >= threshold {
                (Side::AtLeast, choice.at_least[data_set])
            } else {
                (Side::Below, choice.below[data_set])
            };
            let inner: Vec<usize> = (0..self.choices.len())
                .filter(|&inner| self.choices[inner].under == Some((at, side)))
                .collect();
            cost += if inner.is_empty() {
                own
            } else {
                inner
                    .into_iter()
                    .map(|inner| self.visit(inner, data_set, settings, compared))
                    .sum()
            };
        }
        cost
    }

    pub(crate) fn exact(&self, data_set: usize, settings: &Settings) -> Run {
        let mut compared = Vec::new();
        let roots = (0..self.choices.len()).filter(|&at| self.choices[at].under.is_none());
        let cost = roots
            .map(|at| self.visit(at, data_set, settings, &mut compared))
            .sum();
        Run { cost, compared }
    }
}

impl Measure for Fake {
    fn run(&mut self, data_set: usize, settings: &Settings) -> Result<Run, RunFailure> {
        if self.made >= self.limit {
            return Err(RunFailure("killed".to_owned()));
        }
        self.made += 1;
        let mut run = self.exact(data_set, settings);
        if let Some(noise) = self.noise {
            run.cost *= 1.0 + noise * (2.0 * self.state.unit() - 1.0);
        }
        Ok(run)
    }
    fn precision(&self) -> Precision {
        if self.noise.is_some() {
            Precision::Noisy
        } else {
            Precision::Exact
        }
    }
}

/// The tree of a map nest: each level's "outer only", "intra-block", else the next level.
pub(crate) fn chain(levels: usize, data_sets: usize, seed: u64) -> Fake {
    let mut stream = SplitMix64::new(seed);
    let mut random = |below: u64| stream.below(below);
    let mut choices = Vec::new();
    for level in 0..levels {
        choices.push(Choice {
            under: level.checked_sub(1).map(|outer| (outer, Side::Below)),
            values: (0..data_sets)
                .map(|_| vec![1 + random(1 << 20) as i64])
                .collect(),
            at_least: (0..data_sets).map(|_| 1.0 + random(1000) as f64).collect(),
            below: (0..data_sets).map(|_| 1.0 + random(1000) as f64).collect(),
        });
    }
    Fake::new(choices)
}

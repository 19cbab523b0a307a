//! Combinations of kernels that cover each nest once, best first.
//!
//! Filipovič et al., 4.2: combinations are generated in the order of their predicted performance, as many as are asked for.
//! The search goes on from the first nest that is not covered, by the time so far and the least that the rest can take; it
//! ends after [`MOST_STEPS`] parts of combinations, and gives one that was not searched for where it has found none. A map of
//! another kernel's results may become part of that kernel later ([`join`](super::join)), which the times of combinations take into
//! account.

use crate::traverse::member::Kind;
use crate::traverse::search::{Combination, Exploration, of_bits};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Most parts of combinations that are gone on from.
pub(super) const MOST_STEPS: usize = 20_000;

/// Part of a combination: what is covered, by which kernels.
#[derive(Default)]
struct Partial {
    /// The time so far, and the least that the rest takes.
    bound: f64,
    time: f64,
    covered: u64,
    kernels: Vec<usize>,
    joined: Vec<(usize, usize)>,
}

impl PartialEq for Partial {
    fn eq(&self, other: &Partial) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Partial {}
impl PartialOrd for Partial {
    fn partial_cmp(&self, other: &Partial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Partial {
    /// The greatest is the one with the least bound; of those the first by its kernels.
    fn cmp(&self, other: &Partial) -> Ordering {
        let bound = other.bound.total_cmp(&self.bound);
        bound.then_with(|| other.kernels.cmp(&self.kernels))
    }
}

/// How many there are of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(usize),
    /// So many were found when the search ended.
    AtLeast(usize),
}

/// The combinations of a space, in the order of their predicted time.
pub struct Combinations<'a> {
    space: &'a Exploration,
    /// The least share of a kernel's time for each nest.
    least: Vec<f64>,
    /// The kernels whose first nest is this one: those that go on where it is the first that is not covered.
    from: Vec<Vec<usize>>,
    heap: BinaryHeap<Partial>,
    /// Parts that were gone on from.
    steps: usize,
    /// Combinations so far.
    given: usize,
}

impl Exploration {
    /// The combinations, best first.
    pub fn combinations(&self) -> Combinations<'_> {
        let mut least = vec![f64::INFINITY; self.nests.len()];
        let mut from = vec![Vec::new(); self.nests.len()];
        for (number, kernel) in self.kernels.iter().enumerate() {
            let nests = kernel.nests();
            if let Some(&first) = nests.first() {
                from[first].push(number);
            }
            let spared = kernel.joins.values().map(|join| join.time);
            let time = kernel.time - spared.fold(0.0, f64::max);
            for &nest in &nests {
                least[nest] = least[nest].min(time / nests.len() as f64);
            }
        }
        Combinations {
            space: self,
            least,
            from,
            heap: BinaryHeap::from([Partial::default()]),
            steps: 0,
            given: 0,
        }
    }

    /// Leaves of each set of nests the best kernel, which is all that the best combination may have; and the best whose results may
    /// be mapped where their parts are combined.
    pub(super) fn retain_best(&mut self) {
        let mut best: BTreeMap<(u64, &[Kind]), usize> = BTreeMap::new();
        for (number, kernel) in self.kernels.iter().enumerate() {
            let known = best.entry((kernel.mask(), &kernel.in_blocks));
            let known = known.or_insert(number);
            if kernel.time < self.kernels[*known].time {
                *known = number;
            }
        }
        let best: BTreeSet<usize> = best.into_values().collect();
        let best = best.into_iter().map(|number| self.kernels[number].clone());
        self.kernels = best.collect();
    }

    /// The least bytes that any combination moves, with parts of no tiles.
    pub fn least(&self) -> f64 {
        let mut by_bytes = self.clone();
        for kernel in &mut by_bytes.kernels {
            kernel.time = kernel.least;
            for join in kernel.joins.values_mut() {
                join.time = join.bytes;
            }
        }
        by_bytes.retain_best();
        let first = by_bytes.combinations().next();
        first.map_or(0.0, |first| first.time)
    }

    /// How many combinations there are, those left out that cannot run one after another; up to a bound.
    pub fn count(&self) -> Count {
        let mut combinations = self.combinations();
        let number = combinations.by_ref().count();
        match combinations.steps > MOST_STEPS {
            true => Count::AtLeast(number),
            false => Count::Exactly(number),
        }
    }

    /// Adds the pairs that a kernel makes with earlier ones, each map in one pair and each reduction in one; the time that they spare.
    fn joined_by(&self, new: usize, earlier: &[usize], joined: &mut Vec<(usize, usize)>) -> f64 {
        let mut spared = 0.0;
        for &old in earlier {
            for pair in [(old, new), (new, old)] {
                let is_taken = joined.iter().any(|one| one.0 == pair.0 || one.1 == pair.1);
                if let Some(join) = self.join(pair).filter(|_| !is_taken) {
                    spared += join.time;
                    joined.push(pair);
                }
            }
        }
        spared
    }

    /// Whether kernels can run one after another: none needs, by way of others, its own results. Those with nests of one choice of
    /// versions are one part of the program.
    fn in_order(&self, kernels: &[usize]) -> bool {
        let mut done = 0u64;
        let masks = kernels.iter().map(|&kernel| self.kernels[kernel].mask());
        let mut left: Vec<u64> = masks.collect();
        for &shared in &self.shared {
            let (of_it, mut others): (Vec<u64>, Vec<u64>) =
                left.iter().partition(|&&nests| nests & shared != 0);
            others.push(of_it.iter().fold(0, |all, nests| all | nests));
            left = others;
        }
        loop {
            let before = left.len();
            left.retain(|&nests| {
                let ready = of_bits(nests)
                    .flat_map(|nest| &self.nests[nest].needs)
                    .all(|&needed| (done | nests) >> needed & 1 == 1);
                done |= if ready { nests } else { 0 };
                !ready
            });
            if left.is_empty() || left.len() == before {
                return left.is_empty();
            }
        }
    }
}

impl Combinations<'_> {
    /// A part with one more kernel.
    fn with(&self, partial: &Partial, number: usize) -> Partial {
        let kernel = &self.space.kernels[number];
        let mut joined = partial.joined.clone();
        let spared = self.space.joined_by(number, &partial.kernels, &mut joined);
        let covered = partial.covered | kernel.mask();
        let time = partial.time + kernel.time - spared;
        let rest = (0..self.least.len()).filter(|nest| covered >> nest & 1 == 0);
        let mut kernels = partial.kernels.clone();
        kernels.push(number);
        Partial {
            bound: time + rest.map(|nest| self.least[nest]).sum::<f64>(),
            time,
            covered,
            kernels,
            joined,
        }
    }

    /// The first nest that a part does not cover, and the kernels that may.
    fn open(&self, partial: &Partial) -> Option<impl Iterator<Item = usize> + '_> {
        let covered = partial.covered;
        let open = (0..self.space.nests.len()).find(|nest| covered >> nest & 1 == 0)?;
        let kernels = self.from[open].iter().copied();
        Some(kernels.filter(move |&number| self.space.kernels[number].mask() & covered == 0))
    }

    /// A part that covers all, if it can run.
    fn whole(&self, partial: Partial) -> Option<Combination> {
        if !self.space.in_order(&partial.kernels) {
            return None;
        }
        let bytes = partial
            .kernels
            .iter()
            .map(|&kernel| self.space.kernels[kernel].bytes);
        let spared = partial
            .joined
            .iter()
            .filter_map(|&pair| self.space.join(pair));
        Some(Combination {
            bytes: bytes.sum::<f64>() - spared.map(|join| join.bytes).sum::<f64>(),
            time: partial.time,
            kernels: partial.kernels,
            joined: partial.joined,
        })
    }

    /// The combination of a search that has ended without one: for each nest in turn the kernel that takes least for each of its nests;
    /// where these cannot run one after another, each nest alone.
    fn hasty(&self) -> Option<Combination> {
        let least = |one: &usize, other: &usize| {
            let [one, other] = [one, other].map(|&number| {
                let kernel = &self.space.kernels[number];
                kernel.time / f64::from(kernel.mask().count_ones())
            });
            one.total_cmp(&other)
        };
        let alone = |&number: &usize| self.space.kernels[number].mask().count_ones() == 1;
        let built = |only_alone: bool| -> Option<Combination> {
            let mut partial = Partial::default();
            while let Some(kernels) = self.open(&partial) {
                let kernels = kernels.filter(|number| !only_alone || alone(number));
                partial = self.with(&partial, kernels.min_by(least)?);
            }
            self.whole(partial)
        };
        built(false).or_else(|| built(true))
    }
}

impl Iterator for Combinations<'_> {
    type Item = Combination;

    fn next(&mut self) -> Option<Combination> {
        while let Some(partial) = self.heap.pop() {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                self.heap.clear();
                let first = self.given == 0;
                self.given += 1;
                return first.then(|| self.hasty()).flatten();
            }
            let Some(kernels) = self.open(&partial) else {
                let Some(combination) = self.whole(partial) else {
                    continue;
                };
                self.given += 1;
                return Some(combination);
            };
            let next: Vec<Partial> = kernels.map(|number| self.with(&partial, number)).collect();
            self.heap.extend(next);
        }
        None
    }
}

//! One threshold's value from what its settings cost on each data set.
//!
//! A data set compares the threshold with values `v1 < v2 < ...`; between them the threshold may lie anywhere without
//! changing what runs. So the cost of a data set is a step function of the threshold, and the interval of its least
//! step is best for that data set. Where the intervals of all data sets intersect, the threshold is taken from the
//! intersection; where they do not, from the interval of least total cost. Both are the same computation.

use std::fmt;

/// Thresholds `low < t <= high`; `low` is -1 where 0 is among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Excluded.
    pub low: i64,
    /// Included.
    pub high: i64,
}

impl Interval {
    /// All thresholds.
    pub const ALL: Interval = Interval {
        low: -1,
        high: i64::MAX,
    };

    /// Whether a threshold lies in it.
    pub fn contains(self, threshold: i64) -> bool {
        self.low < threshold && threshold <= self.high
    }
    /// The intersection.
    pub fn intersect(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low < high).then_some(Interval { low, high })
    }
    /// A threshold in it: the default where it is one, as no data speak against it; between two data the geometric
    /// mean, as sizes differ by factors; else the end that data set, since nothing is known beyond it.
    pub fn pick(self, default: i64) -> i64 {
        if self.contains(default) {
            return default;
        }
        match (self.low, self.high) {
            (low, i64::MAX) => low.saturating_add(1),
            (low, high) if low < 1 => high,
            (low, high) => {
                let middle = (low as f64 * high as f64).sqrt().round() as i64;
                middle.clamp(low + 1, high)
            }
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (-1, i64::MAX) => f.write_str("any"),
            (-1, high) => write!(f, "at most {high}"),
            (low, i64::MAX) => write!(f, "above {low}"),
            (low, high) => write!(f, "{} to {high}", low + 1),
        }
    }
}

/// The costs of thresholds in an interval on a data set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The thresholds.
    pub interval: Interval,
    /// In microseconds.
    pub cost: f64,
}

/// Whether one value suits all data sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// No data set asks.
    Unasked,
    /// The best intervals intersect.
    All,
    /// They do not: altogether the chosen value costs so many microseconds more than the best of each.
    Compromise(f64),
}

/// The best interval of one data set: its least candidate, grown over neighbours of the same cost.
pub fn best(candidates: &[Candidate]) -> Interval {
    let least = candidates
        .iter()
        .map(|candidate| candidate.cost)
        .fold(f64::INFINITY, f64::min);
    let Some(at) = candidates
        .iter()
        .position(|candidate| candidate.cost <= least)
    else {
        return Interval::ALL;
    };
    let mut found = candidates[at].interval;
    for next in &candidates[at + 1..] {
        if next.cost > least {
            break;
        }
        found.high = next.interval.high;
    }
    found
}

/// Where altogether the least is paid, and whether that is the best for everyone. `data_sets`: the candidates of each
/// data set that asks, in order of their intervals.
pub fn choose(data_sets: &[Vec<Candidate>]) -> (Interval, Agreement) {
    let asking: Vec<&Vec<Candidate>> = data_sets
        .iter()
        .filter(|candidates| !candidates.is_empty())
        .collect();
    if asking.is_empty() {
        return (Interval::ALL, Agreement::Unasked);
    }
    // Between neighbouring ends of anybody's intervals nothing changes.
    let mut ends: Vec<i64> = asking
        .iter()
        .flat_map(|set| set.iter())
        .flat_map(|row| [row.interval.low, row.interval.high])
        .collect();
    ends.extend([-1, i64::MAX]);
    ends.sort_unstable();
    ends.dedup();
    let pieces: Vec<Candidate> = ends
        .windows(2)
        .map(|ends| Candidate {
            interval: Interval {
                low: ends[0],
                high: ends[1],
            },
            cost: asking.iter().map(|set| cost_at(set, ends[1])).sum(),
        })
        .collect();
    let ideal: f64 = asking
        .iter()
        .map(|set| set.iter().map(|row| row.cost).fold(f64::INFINITY, f64::min))
        .sum();
    let interval = best(&pieces);
    let paid = pieces
        .iter()
        .map(|piece| piece.cost)
        .fold(f64::INFINITY, f64::min);
    // The two sums are over the same numbers, in the same order, where all agree.
    let agreement = if paid <= ideal {
        Agreement::All
    } else {
        Agreement::Compromise(paid - ideal)
    };
    (interval, agreement)
}

/// The cost of a threshold on a data set; between measured intervals, the more expensive neighbour.
fn cost_at(candidates: &[Candidate], threshold: i64) -> f64 {
    if let Some(inside) = candidates
        .iter()
        .find(|row| row.interval.contains(threshold))
    {
        return inside.cost;
    }
    let below = candidates.iter().rfind(|row| row.interval.high < threshold);
    let above = candidates.iter().find(|row| row.interval.low >= threshold);
    below
        .into_iter()
        .chain(above)
        .map(|row| row.cost)
        .fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(value: i64, at_least: f64, below: f64) -> Vec<Candidate> {
        let row = |low, high, cost| Candidate {
            interval: Interval { low, high },
            cost,
        };
        vec![row(-1, value, at_least), row(value, i64::MAX, below)]
    }

    #[test]
    fn intervals_that_intersect_agree() {
        // At 100 below is better, at 1000 at-least is: the threshold lies between.
        let (interval, agreement) = choose(&[set(1000, 1.0, 2.0), set(100, 5.0, 3.0)]);
        assert_eq!(
            (interval, agreement),
            (
                Interval {
                    low: 100,
                    high: 1000
                },
                Agreement::All
            )
        );
        assert_eq!(interval.pick(1 << 15), 316);
        assert_eq!(interval.pick(500), 500, "the default, where it is good");
        assert_eq!(interval.to_string(), "101 to 1000");
    }

    #[test]
    fn intervals_that_do_not_intersect_are_settled_by_total_cost() {
        // The larger data set wants the other side: no threshold suits both.
        let (interval, agreement) = choose(&[set(1000, 2.0, 1.0), set(100, 3.0, 9.0)]);
        assert_eq!(interval, Interval { low: -1, high: 100 });
        assert_eq!(agreement, Agreement::Compromise(1.0));
        assert_eq!(interval.pick(1 << 15), 100);
    }

    #[test]
    fn ties_and_data_sets_that_do_not_ask_leave_everything_open() {
        let (interval, agreement) = choose(&[set(10, 1.0, 1.0), vec![]]);
        assert_eq!((interval, agreement), (Interval::ALL, Agreement::All));
        assert_eq!(choose(&[vec![]]), (Interval::ALL, Agreement::Unasked));
        let (interval, _) = choose(&[set(10, 2.0, 1.0)]);
        assert_eq!(interval.pick(4), 11);
        assert_eq!(interval.pick(40), 40);
        assert_eq!(interval.to_string(), "above 10");
    }

    #[test]
    fn between_measured_steps_the_more_expensive_neighbour_counts() {
        let row = |low, high, cost| Candidate {
            interval: Interval { low, high },
            cost,
        };
        let set = vec![row(-1, 10, 3.0), row(20, 30, 1.0), row(40, i64::MAX, 2.0)];
        assert_eq!(cost_at(&set, 15), 3.0);
        assert_eq!(cost_at(&set, 40), 2.0);
        assert_eq!(choose(&[set]).0, Interval { low: 20, high: 30 });
    }
}

//! Costs with their noise: when one is less than another.

/// Whether measuring the same run again gives the same cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// It does: one run is enough.
    Exact,
    /// It does not: runs are repeated until confidence intervals separate.
    Noisy,
}

/// Runs a noisy cost is first taken from.
pub const FEWEST_RUNS: usize = 5;
/// Runs after which two noisy costs count as equal.
pub const MOST_RUNS: usize = 25;
/// Costs whose medians are closer than this share of them count as equal once [`FEWEST_RUNS`] were made.
pub const SAME: f64 = 0.005;

/// A cost so many times as expensive in each of two runs needs no more of them.
pub const FAR: f64 = 4.0;

/// A cost, in microseconds, as measured so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    samples: Vec<f64>,
}

impl Cost {
    /// A cost of these runs.
    pub fn of(samples: &[f64]) -> Cost {
        Cost {
            samples: samples.to_vec(),
        }
    }
    /// One run more.
    pub fn add(&mut self, sample: f64) {
        self.samples.push(sample);
    }
    /// Runs so far.
    pub fn runs(&self) -> usize {
        self.samples.len()
    }
    /// The median, which a run that something else held up does not move; infinite without runs.
    pub fn median(&self) -> f64 {
        let sorted = self.sorted();
        match sorted.len() {
            0 => f64::INFINITY,
            n => (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0,
        }
    }
    /// Half the width of the median's 95 % confidence interval: between two samples that as many runs lie outside of as that
    /// leaves, all of them below six runs. Infinite with fewer than two.
    pub fn uncertainty(&self) -> f64 {
        let sorted = self.sorted();
        let n = sorted.len();
        if n < 2 {
            return f64::INFINITY;
        }
        // A run lies on either side of the median as a coin falls.
        let outside = ((n as f64 - 1.96 * (n as f64).sqrt()) / 2.0)
            .floor()
            .max(0.0) as usize;
        (sorted[n - 1 - outside] - sorted[outside]) / 2.0
    }
    /// The samples from the least to the greatest.
    fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }
}

/// The outcome of comparing two costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The second is larger.
    Separate,
    /// They count as equal.
    Same,
    /// More runs are needed.
    Open,
}

/// Compares the least cost with another one.
pub fn compare(least: &Cost, other: &Cost, precision: Precision) -> Verdict {
    let apart = other.median() - least.median();
    if precision == Precision::Exact {
        return if apart > 0.0 {
            Verdict::Separate
        } else {
            Verdict::Same
        };
    }
    let runs = least.runs().min(other.runs());
    if runs >= 2 && other.sorted()[0] > FAR * least.sorted()[least.runs() - 1] {
        Verdict::Separate
    } else if runs < FEWEST_RUNS {
        Verdict::Open
    } else if apart > least.uncertainty() + other.uncertainty() {
        if apart > SAME * least.median() {
            Verdict::Separate
        } else {
            Verdict::Same
        }
    } else if runs >= MOST_RUNS || least.uncertainty() + other.uncertainty() < SAME * least.median()
    {
        Verdict::Same
    } else {
        Verdict::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_told_from_difference() {
        let quiet = Cost::of(&[10.0, 10.1, 9.9, 10.0, 10.0]);
        let expensive = Cost::of(&[11.0, 11.1, 10.9, 11.0, 11.0]);
        assert_eq!(
            compare(&quiet, &expensive, Precision::Noisy),
            Verdict::Separate
        );
        let loud = Cost::of(&[7.0, 15.0, 9.0, 12.0, 11.0]);
        assert_eq!(compare(&quiet, &loud, Precision::Noisy), Verdict::Open);
        assert_eq!(
            compare(&Cost::of(&[10.0]), &Cost::of(&[11.0]), Precision::Noisy),
            Verdict::Open
        );
        assert_eq!(
            compare(
                &Cost::of(&[10.0, 11.0]),
                &Cost::of(&[45.0, 50.0]),
                Precision::Noisy
            ),
            Verdict::Separate
        );
        assert_eq!(
            compare(
                &Cost::of(&[10.0, 12.0]),
                &Cost::of(&[45.0, 50.0]),
                Precision::Noisy
            ),
            Verdict::Open
        );
        assert_eq!(
            compare(&Cost::of(&[10.0]), &Cost::of(&[50.0]), Precision::Noisy),
            Verdict::Open
        );
        assert_eq!(
            compare(&Cost::of(&[10.0]), &Cost::of(&[11.0]), Precision::Exact),
            Verdict::Separate
        );
        assert_eq!(
            compare(&Cost::of(&[10.0]), &Cost::of(&[10.0]), Precision::Exact),
            Verdict::Same
        );
        // Told apart, but by too little to matter.
        let close = Cost::of(&[10.0, 10.0001, 9.9999, 10.0, 10.0]);
        let closer = Cost::of(&[10.02, 10.0201, 10.0199, 10.02, 10.02]);
        assert_eq!(compare(&close, &closer, Precision::Noisy), Verdict::Same);
        assert_eq!(
            compare(&close, &expensive, Precision::Noisy),
            Verdict::Separate
        );
        let many: Vec<f64> = (0..MOST_RUNS).map(|run| 10.0 + (run % 3) as f64).collect();
        let shifted: Vec<f64> = many.iter().map(|sample| sample + 0.1).collect();
        assert_eq!(
            compare(&Cost::of(&many), &Cost::of(&shifted), Precision::Noisy),
            Verdict::Same
        );
    }

    #[test]
    fn a_run_that_was_held_up_moves_neither_the_median_nor_its_interval() {
        let cost = Cost::of(&[10.0, 11.0, 10.5, 9.5, 10.0, 10.2, 9.8, 10.1, 10.3, 400.0]);
        assert!((cost.median() - 10.15).abs() < 1e-9, "{}", cost.median());
        // Ten samples: one lies outside on either side.
        assert!(
            (cost.uncertainty() - 0.6).abs() < 1e-9,
            "{}",
            cost.uncertainty()
        );
        assert_eq!(Cost::of(&[1.0, 2.0, 3.0]).uncertainty(), 1.0);
        assert!(
            Cost::default().median().is_infinite() && Cost::of(&[1.0]).uncertainty().is_infinite()
        );
    }
}

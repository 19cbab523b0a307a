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
/// Costs whose means are closer than this share of them count as equal once [`FEWEST_RUNS`] were made.
pub const SAME: f64 = 0.005;

/// A cost so many times as dear in each of two runs needs no more of them.
pub const FAR: f64 = 4.0;

/// A cost, in microseconds, as measured so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    samples: Vec<f64>,
}

impl Cost {
    /// A cost of these runs.
    pub fn of(samples: &[f64]) -> Cost {
        Cost { samples: samples.to_vec() }
    }
    /// One run more.
    pub fn add(&mut self, sample: f64) {
        self.samples.push(sample);
    }
    /// Runs so far.
    pub fn runs(&self) -> usize {
        self.samples.len()
    }
    /// The mean; infinite without runs.
    pub fn mean(&self) -> f64 {
        match self.samples.len() {
            0 => f64::INFINITY,
            n => self.samples.iter().sum::<f64>() / n as f64,
        }
    }
    /// The least one; infinite without runs.
    fn least(&self) -> f64 {
        self.samples.iter().copied().fold(f64::INFINITY, f64::min)
    }
    /// The greatest one; 0 without runs.
    fn most(&self) -> f64 {
        self.samples.iter().copied().fold(0.0, f64::max)
    }
    /// Half the width of the mean's 95 % confidence interval (Student); infinite with fewer than two runs.
    pub fn uncertainty(&self) -> f64 {
        let n = self.samples.len();
        if n < 2 {
            return f64::INFINITY;
        }
        let mean = self.mean();
        let squares: f64 = self.samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        student(n - 1) * (squares / (n - 1) as f64 / n as f64).sqrt()
    }
}

/// What can be said about two costs.
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
    let apart = other.mean() - least.mean();
    if precision == Precision::Exact {
        return if apart > 0.0 { Verdict::Separate } else { Verdict::Same };
    }
    let runs = least.runs().min(other.runs());
    if runs >= 2 && other.least() > FAR * least.most() {
        Verdict::Separate
    } else if runs < FEWEST_RUNS {
        Verdict::Open
    } else if apart > least.uncertainty() + other.uncertainty() {
        if apart > SAME * least.mean() { Verdict::Separate } else { Verdict::Same }
    } else if runs >= MOST_RUNS || least.uncertainty() + other.uncertainty() < SAME * least.mean() {
        Verdict::Same
    } else {
        Verdict::Open
    }
}

/// The 97.5 % quantile of Student's distribution, from above where it is not listed.
fn student(freedom: usize) -> f64 {
    const LISTED: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    match freedom {
        0 => f64::INFINITY,
        1..=10 => LISTED[freedom - 1],
        11..=15 => 2.201,
        16..=20 => 2.120,
        _ => 2.080,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_told_from_difference() {
        let quiet = Cost::of(&[10.0, 10.1, 9.9, 10.0, 10.0]);
        let dearer = Cost::of(&[11.0, 11.1, 10.9, 11.0, 11.0]);
        assert_eq!(compare(&quiet, &dearer, Precision::Noisy), Verdict::Separate);
        let loud = Cost::of(&[7.0, 15.0, 9.0, 12.0, 11.0]);
        assert_eq!(compare(&quiet, &loud, Precision::Noisy), Verdict::Open);
        assert_eq!(compare(&Cost::of(&[10.0]), &Cost::of(&[11.0]), Precision::Noisy), Verdict::Open);
        assert_eq!(
            compare(&Cost::of(&[10.0, 11.0]), &Cost::of(&[45.0, 50.0]), Precision::Noisy),
            Verdict::Separate
        );
        assert_eq!(
            compare(&Cost::of(&[10.0, 12.0]), &Cost::of(&[45.0, 50.0]), Precision::Noisy),
            Verdict::Open
        );
        assert_eq!(compare(&Cost::of(&[10.0]), &Cost::of(&[50.0]), Precision::Noisy), Verdict::Open);
        assert_eq!(compare(&Cost::of(&[10.0]), &Cost::of(&[11.0]), Precision::Exact), Verdict::Separate);
        assert_eq!(compare(&Cost::of(&[10.0]), &Cost::of(&[10.0]), Precision::Exact), Verdict::Same);
        // Told apart, but by too little to matter.
        let close = Cost::of(&[10.0, 10.0001, 9.9999, 10.0, 10.0]);
        let closer = Cost::of(&[10.02, 10.0201, 10.0199, 10.02, 10.02]);
        assert_eq!(compare(&close, &closer, Precision::Noisy), Verdict::Same);
        assert_eq!(compare(&close, &dearer, Precision::Noisy), Verdict::Separate);
        let many: Vec<f64> = (0..MOST_RUNS).map(|run| 10.0 + (run % 3) as f64).collect();
        let shifted: Vec<f64> = many.iter().map(|sample| sample + 0.1).collect();
        assert_eq!(compare(&Cost::of(&many), &Cost::of(&shifted), Precision::Noisy), Verdict::Same);
    }

    #[test]
    fn the_interval_of_a_mean_is_students() {
        // Mean 2, standard deviation 1, three runs: 4.303 / sqrt(3).
        let cost = Cost::of(&[1.0, 2.0, 3.0]);
        assert!((cost.uncertainty() - 2.484).abs() < 1e-3, "{}", cost.uncertainty());
        assert_eq!(cost.mean(), 2.0);
        assert!(Cost::default().mean().is_infinite() && Cost::of(&[1.0]).uncertainty().is_infinite());
    }
}

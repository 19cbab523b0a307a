//! The rest of an index space without another one, as index spaces that share no index.
//!
//! Source: index-space combinators paper, section 2.2: partitions of a with-loop are completed so that every index belongs to
//! exactly one. The paper shows one example, seven spaces for a 7x7 array; this is the rule behind it. `P - Q` is
//!
//! 1. *bands*: for each dimension d, what of P lies below or above Q's bounds in d, inside of them in the dimensions before
//!    d, anywhere in those behind;
//! 2. *gaps*: for each dimension d, what lies inside of all bounds and in a gap of Q's step in d, on Q's grid in the
//!    dimensions before d, anywhere inside in those behind.
//!
//! Bounds may be symbolic: lower and upper bounds are clamped by `max` and `min`, so that a space may turn out to be empty
//! when the program runs. Spaces known to be empty are left out. The lower bound of a range is where its step is counted
//! from, so a range cut in the middle of a period becomes two: the rest of that period, and the periods behind it.
//!
//! Limits: where both ranges have steps, these are known numbers with a known offset between them, or the ranges are the
//! same; else there is no answer, as the grids meet in ways that only the run knows. Steps are positive, widths at least 1 and
//! at most the step.

use crate::descriptor::{Descriptor, Dimension};
use crate::expr::{Arena, Expr};

/// Most ranges that a period of two grids is cut into.
const MOST_RUNS: usize = 16;

/// Most spaces that a difference or an intersection is made of.
const MOST_SPACES: usize = 256;

/// Longest common period of two grids.
const LONGEST_PERIOD: i64 = 1 << 12;

/// One range, cut by another one.
struct Cut {
    /// Below the other's bounds.
    below: Vec<Dimension>,
    /// Above them.
    above: Vec<Dimension>,
    /// Inside of them: the next two together.
    inside: Vec<Dimension>,
    /// In the other range.
    hits: Vec<Dimension>,
    /// In its gaps.
    gaps: Vec<Dimension>,
}

impl Dimension {
    /// Whether it is known to have no index.
    #[must_use]
    pub fn is_empty(&self, arena: &mut Arena) -> bool {
        let empty = arena.less_equal(self.upper, self.lower);
        arena.as_bool(empty) == Some(true)
    }

    /// The same indices, written without a step where it has no effect: a width of all of the step, or bounds that are
    /// at most a width apart.
    #[must_use]
    pub fn normalised(&self, arena: &mut Arena) -> Dimension {
        if self.is_dense(arena) {
            return Dimension::dense(arena, self.lower, self.upper);
        }
        let extent = arena.sub(self.upper, self.lower);
        let within = arena.less_equal(extent, self.step);
        if arena.as_bool(within) != Some(true) {
            return *self;
        }
        let end = arena.add(self.lower, self.width);
        let upper = arena.min(self.upper, end);
        Dimension::dense(arena, self.lower, upper)
    }

    /// The indices from `lower` on, as ranges.
    fn from(&self, arena: &mut Arena, lower: Expr) -> Vec<Dimension> {
        let starts = arena.max(self.lower, lower);
        if starts == self.lower {
            return vec![*self];
        }
        if self.is_dense(arena) {
            return vec![Dimension::dense(arena, starts, self.upper)];
        }
        let zero = arena.int(0);
        let offset = arena.sub(lower, self.lower);
        let offset = arena.max(offset, zero);
        if arena.range(self.width).single() == Some(1) {
            let periods = arena.ceil_div(offset, self.step);
            let skipped = arena.mul(periods, self.step);
            let lower = arena.add(self.lower, skipped);
            return vec![Dimension { lower, ..*self }];
        }
        let phase = arena.modulo(offset, self.step);
        if arena.range(phase).single() == Some(0) {
            return vec![Dimension {
                lower: starts,
                ..*self
            }];
        }
        let periods = arena.floor_div(offset, self.step);
        let skipped = arena.mul(periods, self.step);
        let period = arena.add(self.lower, skipped);
        let end = arena.add(period, self.width);
        let end = arena.min(end, self.upper);
        let first = Dimension::dense(arena, starts, end);
        let next = arena.add(period, self.step);
        vec![
            first,
            Dimension {
                lower: next,
                ..*self
            },
        ]
    }

    /// The indices below `upper`.
    fn below(&self, arena: &mut Arena, upper: Expr) -> Dimension {
        let upper = arena.min(self.upper, upper);
        Dimension { upper, ..*self }
    }

    /// Cuts the range by another one; `None`: the grids meet in ways that are not known.
    fn cut(&self, arena: &mut Arena, other: &Dimension) -> Option<Cut> {
        let end = arena.max(other.lower, other.upper);
        let below = vec![self.below(arena, other.lower)];
        let above = self.from(arena, end);
        let ends = self.below(arena, end);
        let inside = ends.from(arena, other.lower);
        let (mut hits, mut gaps) = (Vec::new(), Vec::new());
        for range in &inside {
            let (in_it, beside) = range.sift(arena, other)?;
            hits.extend(in_it);
            gaps.extend(beside);
        }
        let mut cut = Cut {
            below,
            above,
            inside,
            hits,
            gaps,
        };
        let Cut {
            below,
            above,
            inside,
            hits,
            gaps,
        } = &mut cut;
        for ranges in [below, above, inside, hits, gaps] {
            ranges.retain(|range| !range.is_empty(arena));
            for range in ranges {
                *range = range.normalised(arena);
            }
        }
        Some(cut)
    }

    /// The parts of a range, inside of the other's bounds, that are on its grid and in its gaps.
    fn sift(
        &self,
        arena: &mut Arena,
        other: &Dimension,
    ) -> Option<(Vec<Dimension>, Vec<Dimension>)> {
        if other.is_dense(arena) {
            return Some((vec![*self], Vec::new()));
        }
        let grid = (self.step, self.width) == (other.step, other.width);
        if grid && self.lower == other.lower {
            return Some((vec![*self], Vec::new()));
        }
        if self.is_dense(arena) {
            let upper = self.upper;
            let hits = Dimension { upper, ..*other };
            let first = arena.add(other.lower, other.width);
            let width = arena.sub(other.step, other.width);
            // A width of all of the step leaves no gap, which may be so for some runs only.
            let one = arena.int(1);
            let full = arena.less(width, one);
            // No space ends behind the one that it is part of.
            let none = arena.min(first, upper);
            let upper = match arena.as_bool(full) {
                Some(true) => none,
                Some(false) => upper,
                None => arena.select(full, none, upper),
            };
            let gaps = Dimension {
                lower: first,
                upper,
                step: other.step,
                width: arena.max(width, one),
            };
            return Some((hits.from(arena, self.lower), gaps.from(arena, self.lower)));
        }
        self.sift_by_runs(arena, other)
    }

    /// The same of two known grids with a known offset: runs of a common period.
    fn sift_by_runs(
        &self,
        arena: &mut Arena,
        other: &Dimension,
    ) -> Option<(Vec<Dimension>, Vec<Dimension>)> {
        let known = [self.step, self.width, other.step, other.width];
        let [Some(step), Some(width), Some(other_step), Some(other_width)] =
            known.map(|expr| arena.range(expr).single())
        else {
            return None;
        };
        let offset = arena.sub(self.lower, other.lower);
        let phase = arena.modulo(offset, other.step);
        let phase = arena.range(phase).single()?;
        let common = step / gcd(step, other_step);
        let period = common.checked_mul(other_step)?;
        if period > LONGEST_PERIOD {
            return None;
        }
        let mut runs: Vec<(bool, i64, i64)> = Vec::new();
        for at in (0..period).filter(|at| at % step < width) {
            let hit = (phase + at) % other_step < other_width;
            match runs.last_mut() {
                Some((kind, first, length)) if *kind == hit && *first + *length == at => {
                    *length += 1
                }
                _ => runs.push((hit, at, 1)),
            }
        }
        if runs.len() > MOST_RUNS {
            return None;
        }
        let (mut hits, mut gaps) = (Vec::new(), Vec::new());
        for (hit, first, length) in runs {
            let [first, step, width] = [first, period, length].map(|number| arena.int(number));
            let range = Dimension {
                lower: arena.add(self.lower, first),
                upper: self.upper,
                step,
                width,
            };
            if hit { &mut hits } else { &mut gaps }.push(range);
        }
        Some((hits, gaps))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// All spaces with one range of each list; `None`: too many.
fn products(choices: &[&[Dimension]], spaces: &mut Vec<Descriptor>) -> Option<()> {
    let count = choices
        .iter()
        .try_fold(1usize, |count, ranges| count.checked_mul(ranges.len()));
    if count.is_none_or(|count| count + spaces.len() > MOST_SPACES) {
        return None;
    }
    let mut partial: Vec<Vec<Dimension>> = vec![Vec::new()];
    for ranges in choices {
        let longer = partial.into_iter().flat_map(|space| {
            ranges.iter().map(move |range| {
                let mut space = space.clone();
                space.push(*range);
                space
            })
        });
        partial = longer.collect();
    }
    spaces.extend(partial.into_iter().map(Descriptor::new));
    Some(())
}

impl Descriptor {
    /// Whether it is known to have no index.
    #[must_use]
    pub fn is_empty(&self, arena: &mut Arena) -> bool {
        self.dimensions
            .iter()
            .any(|dimension| dimension.is_empty(arena))
    }

    /// The indices that another space of the same rank does not have, as spaces that share none: the bands around the
    /// other's bounds, then its gaps. `None`: steps that are not known, or not to fit.
    #[must_use]
    pub fn minus(&self, arena: &mut Arena, other: &Descriptor) -> Option<Vec<Descriptor>> {
        if self.rank() != other.rank() {
            return None;
        }
        if other.is_empty(arena) {
            return Some(vec![self.clone()]);
        }
        let mut cuts = Vec::new();
        for (own, other) in self.dimensions.iter().zip(&other.dimensions) {
            cuts.push(own.cut(arena, other)?);
        }
        let mut spaces = Vec::new();
        if cuts.iter().any(|cut| cut.hits.is_empty()) {
            // They have nothing in common.
            return Some(vec![self.clone()]);
        }
        for (dim, cut) in cuts.iter().enumerate() {
            for band in [&cut.below, &cut.above] {
                let mut choices: Vec<&[Dimension]> = Vec::new();
                choices.extend(cuts[..dim].iter().map(|before| &before.inside[..]));
                choices.push(band);
                choices.extend(self.dimensions[dim + 1..].chunks(1));
                products(&choices, &mut spaces)?;
            }
        }
        for (dim, cut) in cuts.iter().enumerate() {
            let mut choices: Vec<&[Dimension]> = Vec::new();
            choices.extend(cuts[..dim].iter().map(|before| &before.hits[..]));
            choices.push(&cut.gaps);
            choices.extend(cuts[dim + 1..].iter().map(|behind| &behind.inside[..]));
            products(&choices, &mut spaces)?;
        }
        Some(spaces)
    }

    /// The indices that both spaces have, as spaces that share none. `None` as for [`Self::minus`].
    #[must_use]
    pub fn intersect(&self, arena: &mut Arena, other: &Descriptor) -> Option<Vec<Descriptor>> {
        if self.rank() != other.rank() {
            return None;
        }
        let mut hits = Vec::new();
        for (own, other) in self.dimensions.iter().zip(&other.dimensions) {
            hits.push(own.cut(arena, other)?.hits);
        }
        let choices: Vec<&[Dimension]> = hits.iter().map(Vec::as_slice).collect();
        let mut spaces = Vec::new();
        products(&choices, &mut spaces)?;
        Some(spaces)
    }

    /// The same indices without steps that have no effect; see [`Dimension::normalised`].
    #[must_use]
    pub fn normalised(&self, arena: &mut Arena) -> Descriptor {
        let dimensions = self.dimensions.iter();
        Descriptor::new(dimensions.map(|range| range.normalised(arena)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluate;
    use crate::expr::Symbol;
    use crate::interval::Interval;

    /// Bounds of a range: lower, upper, step, width.
    type Numbers = [i64; 4];

    fn space(arena: &mut Arena, ranges: &[Numbers]) -> Descriptor {
        let dimension = |numbers: &Numbers| {
            let [lower, upper, step, width] = numbers.map(|number| arena.int(number));
            Dimension {
                lower,
                upper,
                step,
                width,
            }
        };
        Descriptor::new(ranges.iter().map(dimension).collect())
    }

    /// How often each index below `shape` is in one of the spaces.
    fn counts(
        arena: &Arena,
        spaces: &[Descriptor],
        shape: &[i64],
        known: &dyn Fn(Symbol) -> Option<i64>,
    ) -> Vec<(Vec<i64>, usize)> {
        let mut all = vec![Vec::new()];
        for &extent in shape {
            let longer =
                |index: Vec<i64>| (0..extent).map(move |at| [index.clone(), vec![at]].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        let numbers = |space: &Descriptor| -> Vec<Vec<i64>> {
            let bounds = |range: &Dimension| {
                let bounds = [range.lower, range.upper, range.step, range.width];
                evaluate(arena, &bounds, known).expect("has values")
            };
            space.dimensions.iter().map(bounds).collect()
        };
        let spaces: Vec<Vec<Vec<i64>>> = spaces.iter().map(numbers).collect();
        let has = |space: &[Vec<i64>], index: &[i64]| {
            space.iter().zip(index).all(|(range, &at)| {
                range[0] <= at && at < range[1] && (at - range[0]) % range[2] < range[3]
            })
        };
        let count = |index: Vec<i64>| {
            let count = spaces.iter().filter(|space| has(space, &index)).count();
            (index, count)
        };
        all.into_iter().map(count).collect()
    }

    #[test]
    fn the_papers_example_is_completed_by_six_spaces() {
        // The text says T = [3, 2], W = [2, 1]; the picture shows T = [2, 3], W = [1, 2].
        for (first, second) in [([3, 2], [2, 1]), ([2, 1], [3, 2])] {
            let mut arena = Arena::new();
            let whole = space(&mut arena, &[[0, 7, 1, 1], [0, 7, 1, 1]]);
            let ranges = [[1, 6, first[0], first[1]], [1, 6, second[0], second[1]]];
            let own = space(&mut arena, &ranges);
            let rest = whole.minus(&mut arena, &own).expect("is known");
            assert_eq!(rest.len(), 6);
            let all = [vec![own], rest].concat();
            let counted = counts(&arena, &all, &[7, 7], &|_| None);
            assert_eq!(counted.len(), 49);
            assert!(counted.iter().all(|(_, count)| *count == 1), "{counted:?}");
        }
    }

    #[test]
    fn every_index_is_in_exactly_one_space() {
        let ranges: Vec<Numbers> = (0..4)
            .flat_map(|lower| (lower..7).step_by(2).map(move |upper| (lower, upper)))
            .flat_map(|(lower, upper)| {
                [(1, 1), (2, 1), (3, 2), (4, 3)].map(|(step, width)| [lower, upper, step, width])
            })
            .collect();
        for own in &ranges {
            for other in &ranges {
                let mut arena = Arena::new();
                let p = space(&mut arena, &[*own, [0, 3, 1, 1]]);
                let q = space(&mut arena, &[*other, [1, 2, 1, 1]]);
                let rest = p.minus(&mut arena, &q).expect("is known");
                let both = p.intersect(&mut arena, &q).expect("is known");
                let count = |spaces: &[Descriptor]| counts(&arena, spaces, &[8, 3], &|_| None);
                let (in_p, in_q) = (count(&[p]), count(&[q]));
                let (left, both) = (count(&rest), count(&both));
                for at in 0..in_p.len() {
                    let (p, q) = (in_p[at].1 == 1, in_q[at].1 == 1);
                    let found = (left[at].1, both[at].1);
                    let wanted = (usize::from(p && !q), usize::from(p && q));
                    assert_eq!(found, wanted, "{own:?} - {other:?} at {:?}", in_p[at].0);
                }
            }
        }
    }

    #[test]
    fn symbolic_bounds_are_clamped() {
        let mut arena = Arena::new();
        let names = ["n", "l", "u", "t", "w"];
        let [n, l, u, t, w] = names.map(|name| {
            let least = if matches!(name, "t" | "w") { 1 } else { 0 };
            arena.symbol(name, Interval::at_least(least))
        });
        let whole = Descriptor::of_shape(&mut arena, &[n]);
        let own = Descriptor::new(vec![Dimension {
            lower: l,
            upper: u,
            step: t,
            width: w,
        }]);
        let rest = whole.minus(&mut arena, &own).expect("is known");
        let all = [vec![own], rest].concat();
        for (n, l, u) in [(0, 0, 0), (5, 5, 2), (9, 2, 9), (9, 0, 7), (1, 0, 1)] {
            for (t, w) in [(1, 1), (2, 1), (3, 2), (4, 4), (9, 8)] {
                let values = [n, l, u, t, w];
                let known = |symbol| {
                    let name = arena.symbol_name(symbol)?;
                    Some(values[names.iter().position(|&known| known == name)?])
                };
                let counted = counts(&arena, &all, &[n], &known);
                assert!(
                    counted.iter().all(|(_, count)| *count == 1),
                    "{values:?}: {counted:?}"
                );
            }
        }
    }
}

//! Comparing the results of two runs: integers exactly, floats within a tolerance.

use segra_artifact::{Dim, ElemType, EntryResult, ResultType, Scalar};
use segra_runtime::{Array, Value};
use std::fmt;

/// How far floats may be apart: `ulps` units in the last place at the magnitude of the larger of the value and
/// `relative_to` (the largest magnitude in the result array, scaled): sums of terms that cancel are not compared by what
/// is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Units in the last place.
    pub ulps: f64,
    /// Fraction of the result array's largest magnitude below which a value counts as that large.
    pub floor: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Tolerance {
            ulps: 16.0,
            floor: 1.0 / 64.0,
        }
    }
}

impl Tolerance {
    /// Floats must be the same number (any NaN is any other).
    pub const EXACT: Tolerance = Tolerance {
        ulps: 0.0,
        floor: 0.0,
    };

    /// The tolerance for results that gather `length` terms each: a sum in another order may lose a rounding per
    /// term, at the magnitude of the sum's parts.
    pub fn for_length(length: usize) -> Tolerance {
        let length = length.max(1) as f64;
        Tolerance {
            ulps: 16.0 + 4.0 * length,
            ..Tolerance::default()
        }
    }
}

/// The first difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which result.
    pub result: usize,
    /// The smallest index that differs, outermost first; `None` for numbers and where shapes or types differ.
    pub index: Option<Vec<usize>>,
    /// The facts found.
    pub found: String,
    /// The expected value.
    pub expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "result {}", self.result)?;
        if let Some(index) = &self.index {
            write!(f, " at {index:?}")?;
        }
        write!(f, ": found {}, expected {}", self.found, self.expected)
    }
}

/// The first difference between what two runs of a function with these results gave, if there is one.
///
/// Extents of arrays without elements may differ where the program computes them for each point: where there is no point, nobody
/// knows them. These are extents without a name or number behind the outermost one.
pub fn compare_results(
    found: &[Value],
    expected: &[Value],
    results: &[EntryResult],
    tolerance: Tolerance,
) -> Option<Difference> {
    let unknown = |result: usize, a: &Array, b: &Array| {
        let Some(ResultType::Array { dims, .. }) = results.get(result).map(|result| &result.ty)
        else {
            return false;
        };
        let extents = a.shape().iter().zip(b.shape()).zip(dims);
        a.is_empty()
            && b.is_empty()
            && a.shape().len() == b.shape().len()
            && extents
                .enumerate()
                .all(|(at, ((a, b), dim))| a == b || at > 0 && *dim == Dim::Any)
    };
    first_of(found, expected, unknown, tolerance)
}

/// The first difference between two lists of results, if there is one.
pub fn compare(found: &[Value], expected: &[Value], tolerance: Tolerance) -> Option<Difference> {
    first_of(found, expected, |_, _, _| false, tolerance)
}

/// The same, where shapes of some results may differ.
fn first_of(
    found: &[Value],
    expected: &[Value],
    may_differ: impl Fn(usize, &Array, &Array) -> bool,
    tolerance: Tolerance,
) -> Option<Difference> {
    if found.len() != expected.len() {
        let show = |count: usize| format!("{count} results");
        let result = found.len().min(expected.len());
        return Some(Difference {
            result,
            index: None,
            found: show(found.len()),
            expected: show(expected.len()),
        });
    }
    found
        .iter()
        .zip(expected)
        .enumerate()
        .find_map(|(result, (found, expected))| {
            let (a, b) = (found.to_array(), expected.to_array());
            let same = a.shape() == b.shape() || may_differ(result, &a, &b);
            if a.elem() != b.elem() || !same {
                let (found, expected) = (found.type_text(), expected.type_text());
                return Some(Difference {
                    result,
                    index: None,
                    found,
                    expected,
                });
            }
            let position = first_difference(&a, &b, tolerance)?;
            let show = |array: &Array| {
                array
                    .get(position)
                    .map(|scalar| scalar.to_string())
                    .unwrap_or_default()
            };
            let index = (!a.shape().is_empty()).then(|| index_of(position, a.shape()));
            Some(Difference {
                result,
                index,
                found: show(&a),
                expected: show(&b),
            })
        })
}

fn first_difference(a: &Array, b: &Array, tolerance: Tolerance) -> Option<usize> {
    if a.bytes() == b.bytes() {
        return None;
    }
    if a.elem().is_integer() {
        return a.scalars().zip(b.scalars()).position(|(a, b)| a != b);
    }
    let largest = b
        .scalars()
        .map(Scalar::to_f64)
        .filter(|x| x.is_finite())
        .fold(0.0, |m, x| x.abs().max(m));
    let floor = largest * tolerance.floor;
    a.scalars()
        .zip(b.scalars())
        .position(|(x, y)| !close(a.elem(), x.to_f64(), y.to_f64(), floor, tolerance))
}

fn close(elem: ElemType, found: f64, expected: f64, floor: f64, tolerance: Tolerance) -> bool {
    if found == expected || found.is_nan() && expected.is_nan() {
        return true;
    }
    if !found.is_finite() || !expected.is_finite() {
        return false;
    }
    let magnitude = expected.abs().max(found.abs()).max(floor);
    (found - expected).abs() <= tolerance.ulps * unit(elem, magnitude)
}

/// The distance of neighbouring numbers of a format at a magnitude.
fn unit(elem: ElemType, magnitude: f64) -> f64 {
    let (digits, least) = match elem {
        ElemType::F16 => (10, -24),
        ElemType::BF16 => (7, -133),
        ElemType::F32 => (23, -149),
        _ => (52, -1074),
    };
    let exponent = ((magnitude.to_bits() >> 52) & 0x7FF) as i32 - 1023;
    2f64.powi((exponent - digits).max(least))
}

/// The index of a row-major position.
fn index_of(mut position: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (dim, &extent) in shape.iter().enumerate().rev() {
        index[dim] = position % extent.max(1);
        position /= extent.max(1);
    }
    index
}

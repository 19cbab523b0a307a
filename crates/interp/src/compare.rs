//! Comparing the results of two runs: integers exactly, floats within a tolerance.

use crate::array::ArrayValue;
use crate::datum::Datum;

/// How far floats may be apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Representable numbers of the format between the two.
    pub ulps: u64,
    /// Absolute distance that is always fine (results near zero after cancellation).
    pub absolute: f64,
}

impl Tolerance {
    /// Floats must have the same value; any NaN equals any other, and 0.0 equals -0.0.
    pub const EXACT: Tolerance = Tolerance {
        ulps: 0,
        absolute: 0.0,
    };
    /// Floats may be that many representable numbers apart.
    pub fn ulps(ulps: u64) -> Tolerance {
        Tolerance {
            ulps,
            absolute: 0.0,
        }
    }
}

/// The first difference between two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Which result.
    pub result: usize,
    /// The smallest index that differs, outermost first; `None` for scalars and for values of different kinds or shapes.
    pub index: Option<Vec<usize>>,
    /// Value of the first run.
    pub left: String,
    /// Value of the second run.
    pub right: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "result {}", self.result)?;
        if let Some(index) = &self.index {
            write!(f, " at {index:?}")?;
        }
        write!(f, ": {} against {}", self.left, self.right)
    }
}

/// The first difference between two lists of results, if there is one.
pub fn compare(left: &[Datum], right: &[Datum], tolerance: Tolerance) -> Option<Mismatch> {
    if left.len() != right.len() {
        return Some(Mismatch {
            result: left.len().min(right.len()),
            index: None,
            left: format!("{} results", left.len()),
            right: format!("{} results", right.len()),
        });
    }
    left.iter()
        .zip(right)
        .enumerate()
        .find_map(|(result, (a, b))| {
            let (index, left, right) = difference(a, b, tolerance)?;
            Some(Mismatch {
                result,
                index,
                left,
                right,
            })
        })
}

type Difference = (Option<Vec<usize>>, String, String);

fn difference(a: &Datum, b: &Datum, tolerance: Tolerance) -> Option<Difference> {
    match (a, b) {
        (Datum::Array(a), Datum::Array(b)) | (Datum::Vector(a), Datum::Vector(b)) => {
            array_difference(a, b, tolerance)
        }
        (Datum::MemRef(a), Datum::MemRef(b)) => match (a.to_array(), b.to_array()) {
            (Ok(a), Ok(b)) => array_difference(&a, &b, tolerance),
            (Err(_), Err(_)) => None,
            (a, b) => {
                let show = |freed: bool| if freed { "freed memory" } else { "a memref" }.to_owned();
                Some((None, show(a.is_err()), show(b.is_err())))
            }
        },
        // A value of one level is memory of the next.
        (Datum::Array(a), Datum::MemRef(b)) => match b.to_array() {
            Ok(b) => array_difference(a, &b, tolerance),
            Err(_) => Some((None, "an array".to_owned(), "freed memory".to_owned())),
        },
        (Datum::MemRef(_), Datum::Array(_)) => {
            difference(b, a, tolerance).map(|(index, b, a)| (index, a, b))
        }
        _ if scalars_agree(a, b, tolerance) => None,
        _ => Some((None, a.to_string(), b.to_string())),
    }
}

fn array_difference(a: &ArrayValue, b: &ArrayValue, tolerance: Tolerance) -> Option<Difference> {
    if a.shape() != b.shape() || a.elem() != b.elem() {
        let show = |array: &ArrayValue| format!("{:?} of {}", array.shape(), array.elem());
        return Some((None, show(a), show(b)));
    }
    let position = a
        .iter()
        .zip(b.iter())
        .position(|(a, b)| !scalars_agree(&a, &b, tolerance))?;
    let show = |array: &ArrayValue| array.get(position).unwrap_or_default().to_string();
    Some((Some(index_of(position, a.shape())), show(a), show(b)))
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

fn scalars_agree(a: &Datum, b: &Datum, tolerance: Tolerance) -> bool {
    if std::mem::discriminant(a) != std::mem::discriminant(b) {
        return false;
    }
    let (Some(x), Some(y)) = (a.as_f64(), b.as_f64()) else {
        return a == b;
    };
    if x == y || (x.is_nan() && y.is_nan()) {
        return true;
    }
    if !x.is_finite() || !y.is_finite() {
        return false;
    }
    (x - y).abs() <= tolerance.absolute
        || ulps_between(a, b).is_some_and(|ulps| ulps <= tolerance.ulps)
}

/// Number of steps between two finite floats of one format; -0.0 and 0.0 are none apart.
pub fn ulps_between(a: &Datum, b: &Datum) -> Option<u64> {
    let order = |datum: &Datum| -> Option<i64> {
        let (bits, width) = match datum {
            Datum::F16(value) => (u64::from(value.to_bits()), 16),
            Datum::BF16(value) => (u64::from(value.to_bits()), 16),
            Datum::TF32(value) => (u64::from(value.to_bits()), 19),
            Datum::F32(value) => (u64::from(value.to_bits()), 32),
            Datum::F64(value) => (value.to_bits(), 64),
            _ => return None,
        };
        let magnitude = (bits & !(1 << (width - 1))) as i64;
        Some(if bits >> (width - 1) == 0 {
            magnitude
        } else {
            -magnitude
        })
    };
    Some(order(a)?.abs_diff(order(b)?))
}

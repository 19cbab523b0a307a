//! Messages where a with-loop stops the program; arguments are numbers, or `{0}`, `{1}` for those of the run.

/// A step that is not positive.
pub fn step_below_one(step: &str) -> String {
    format!("a step must be at least 1, but is {step}")
}

/// A width that is not positive.
pub fn width_below_one(width: &str) -> String {
    format!("a width must be at least 1, but is {width}")
}

/// A width above its step.
pub fn width_above_step(width: &str, step: &str) -> String {
    format!("a width cannot be above its step: {width} is above {step}")
}

/// A lower bound outside of the array.
pub fn lower_below_zero(lower: &str) -> String {
    format!("the lower bound {lower} is outside of the array")
}

/// An upper bound outside of the array.
pub fn upper_above_extent(upper: &str, extent: &str) -> String {
    format!("the upper bound {upper} is outside of the array, whose extent is {extent}")
}

/// A message with its place.
pub fn at(partition: usize, dim: usize, message: &str) -> String {
    format!("partition #{partition}, dimension {dim}: {message}")
}

//! Dialect conversion: from ops that are not legal to ops that are, types along with them.
//!
//! * [`target`]: which ops are legal: by op, by dialect, by asking a function.
//! * [`types`]: what types become, one by one or one by several, and the ops that stand between old and new types.
//! * [`pattern`]: conversion patterns and what they may do; [`journal`]: how what they did is taken back.
//! * [`driver`]: partial, full and analysis conversion.
//!
//! Old ops stay in the program until everything is legal; patterns see what their operands have become. If an op
//! cannot be made legal, everything is taken back and the program is as it was; the error names the op, the rule that
//! makes it illegal, and for each pattern that was tried why it declined.

mod driver;
mod journal;
pub mod pattern;
pub mod target;
pub mod types;

pub use driver::{Conversion, ConversionConfig, ConversionMode, ConversionOutcome, convert};
pub use pattern::{ConversionPattern, ConversionPatterns, ConversionRewriter, Decline};
pub use target::{ConversionTarget, Verdict};
pub use types::{Converted, TypeConverter};

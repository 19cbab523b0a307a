//! Floating-point numbers in software: the formats of MLIR's builtin dialect, arithmetic with all rounding modes, and
//! decimals.
//!
//! Bits of a [`FloatKind`] are unpacked to a [`Number`], an integer times a power of two. Operations on numbers are exact
//! up to a sticky bit, so that packing the result is the only rounding, in the direction of a [`Round`] (IEEE 754-2019,
//! sections 4.3 and 5.4). A significand is a `u128` for formats of at most 64 bits, a big integer for `f80` and `f128`.
//!
//! ```
//! use segra_float::{FloatKind, Number, Round};
//!
//! let third = |round| {
//!     let [one, three]: [Number; 2] = [1.0, 3.0].map(|value| FloatKind::F16.unpack(FloatKind::F16.encode(value)));
//!     FloatKind::F16.pack(&one.divide(three), round)
//! };
//! assert_eq!(third(Round::NearestEven), 0x3555);
//! assert_eq!(third(Round::Up), 0x3556);
//! assert_eq!(FloatKind::F16.decode(0x3555), 0.333251953125);
//! ```
//!
//! Deliberately absent: exception flags, elementary functions, the NaNs of particular machines (a result has the payload
//! of the first operand that is NaN), the text forms of numbers (`segra-text` has MLIR's).

mod decimal;
mod format;
mod number;
mod pack;
mod significand;

pub use decimal::Decimal;
pub use format::FloatKind;
pub use num_bigint::BigUint;
pub use number::{Number, Round};
pub use significand::{Lost, Significand};

//! Reference interpreter: one evaluation rule per op, on typed arrays.

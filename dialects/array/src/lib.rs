//! The array dialect: nested data-parallel programs on values.

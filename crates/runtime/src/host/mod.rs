//! Values on the host: arrays, their files, how people write and read them.

pub(crate) mod array;
pub(crate) mod input;
pub(crate) mod npy;
pub(crate) mod print;
pub(crate) mod random;

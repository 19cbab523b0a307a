//! Flattening: from array programs to perfect segmented nests.

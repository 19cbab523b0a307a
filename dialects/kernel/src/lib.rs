//! The kernel dialect: perfect segmented nests tagged with machine levels.

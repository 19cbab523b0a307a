//! Clean-up passes: canonicalize, cse, dce.

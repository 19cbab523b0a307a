//! The verifier, in layers; each runs only where the one before found nothing wrong.

use crate::diag::Diagnostics;
use crate::store::{Ir, Op};

/// Checks the whole program; all errors are collected.
pub fn verify(_ir: &Ir, _diags: &mut Diagnostics) {}

/// Whether the op has the operands, results, attributes, regions and successors its definition asks for: what custom
/// text forms rely on. True for unregistered ops.
pub fn is_well_formed(_ir: &Ir, _op: Op) -> bool {
    true
}

//! `scf.for` without the loop: its iterations one after the other.
//!
//! Deliberately absent: when that pays.

use super::ForOp;
use crate::arith::{AddIOp, ConstantOp, MulIOp};
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, OpView, Value};

impl ForOp {
    /// Replaces the loop by `trips` copies of its body; it must have so many iterations.
    pub fn write_out(self, ir: &mut Ir, trips: u64) {
        let op = self.op();
        let (lower, step) = (self.lower_bound(ir), self.step(ir));
        let mut carried = self.init_args(ir);
        let body = self.region_block(ir);
        let mut b = Builder::before(ir, op);
        for trip in 0..trips {
            let iv = iteration(&mut b, lower, step, trip);
            let args: Vec<Value> = std::iter::once(iv).chain(carried).collect();
            carried = b.clone_block_body(body, &args, &mut Mapping::new());
        }
        ir.replace_op(op, &carried);
    }
}

/// `base + count * step`, as a constant where both are.
pub fn iteration(b: &mut Builder<'_>, base: Value, step: Value, count: u64) -> Value {
    if count == 0 {
        return base;
    }
    let ty = b.type_of(base);
    let known = |value: Value| b.ir.constant_int(value);
    if let (Some(base), Some(step)) = (known(base), known(step)) {
        return ConstantOp::int(b, base.wrapping_add(step.wrapping_mul(count as i64)), ty);
    }
    let distance = multiple(b, step, count);
    AddIOp::build(b, base, distance).result(b.ir)
}

/// `count * step`, as a constant where the step is.
pub fn multiple(b: &mut Builder<'_>, step: Value, count: u64) -> Value {
    let ty = b.type_of(step);
    if let Some(step) = b.ir.constant_int(step) {
        return ConstantOp::int(b, step.wrapping_mul(count as i64), ty);
    }
    if count == 1 {
        return step;
    }
    let count = ConstantOp::int(b, count as i64, ty);
    MulIOp::build(b, step, count).result(b.ir)
}

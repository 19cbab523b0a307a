//! Operators of reductions and scans, applied in a kernel.

use crate::kernel::Kernel;
use segra_ir::{InsertPoint, Region, Type, Value};
use segra_kernel::operator::is_commutative;

/// An associative operator with its neutral elements in the kernel.
pub(crate) struct Operator {
    pub(crate) region: Region,
    pub(crate) neutral: Vec<Value>,
    pub(crate) types: Vec<Type>,
    pub(crate) order: Order,
}

/// Whether operands may be taken in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// They keep their order.
    Kept,
    /// The operator is commutative.
    Any,
}

impl Operator {
    /// The operator `region` with its neutral elements: the host's, passed to the kernel, or those of the point around.
    pub(crate) fn new(kernel: &mut Kernel<'_>, region: Region, neutral: &[Value]) -> Operator {
        let order = if is_commutative(kernel.ir, region) {
            Order::Any
        } else {
            Order::Kept
        };
        let neutral: Vec<Value> = neutral.iter().map(|&value| kernel.inside(value)).collect();
        let types = neutral
            .iter()
            .map(|&value| kernel.ir.value_type(value))
            .collect();
        Operator {
            region,
            neutral,
            types,
            order,
        }
    }

    /// `left op right` at `point`.
    pub(crate) fn apply(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        left: &[Value],
        right: &[Value],
    ) -> Vec<Value> {
        let args: Vec<Value> = left.iter().chain(right).copied().collect();
        kernel.inline(point, self.region, &args)
    }

    /// As [`Self::apply`], of the values with these numbers alone, which need no others.
    pub(crate) fn apply_to(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        which: &[usize],
        left: &[Value],
        right: &[Value],
    ) -> Vec<Value> {
        let mut args = [self.neutral.as_slice(), &self.neutral].concat();
        for (&index, (&left, &right)) in which.iter().zip(left.iter().zip(right)) {
            (args[index], args[self.neutral.len() + index]) = (left, right);
        }
        kernel.inline_some(point, self.region, &args, which)
    }
}

//! Values that are one buffer: an allocation or block argument, and the views of it.

use segra_gpu::host::AllocOp;
use segra_ir::{Block, Ir, Op, Trait, Value};

/// Ops whose result is their first operand's memory.
const VIEWS: &[&str] =
    &["memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast"];

/// The value a buffer comes from, seen through views.
pub(crate) fn root(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && VIEWS.contains(&ir.op_name_str(op))
        && let Some(source) = ir.operands(op).next()
    {
        value = source;
    }
    value
}

/// The allocation in `block` that a buffer is, if it is one.
pub(crate) fn allocation(ir: &Ir, block: Block, value: Value) -> Option<AllocOp> {
    let op = ir.defining_op(root(ir, value))?;
    ir.cast::<AllocOp>(op).filter(|_| ir.block_of(op) == Some(block))
}

/// How a buffer leaves the code that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// It is only read and written.
    No,
    /// It may become another value: yielded, returned, carried by a loop, passed to a function.
    Yes,
}

/// A use of a buffer: the op in the block that is looked at, and the op itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// The op, or the one around it, that stands in the buffer's block.
    pub(crate) at: Op,
    pub(crate) user: Op,
    pub(crate) escape: Escape,
}

/// Every use of a buffer and of its views within `block`, its regions included; extents of it are no use.
///
/// `None` where one is outside of `block`.
pub(crate) fn uses(ir: &Ir, block: Block, buffer: Value) -> Option<Vec<Use>> {
    let mut found = Vec::new();
    let mut pending = vec![buffer];
    while let Some(value) = pending.pop() {
        for user in ir.users(value) {
            let name = ir.op_name_str(user);
            if name == "memref.dim" {
                continue;
            }
            if VIEWS.contains(&name) {
                pending.extend(ir.results(user));
                continue;
            }
            let at = ir.ancestors(user).find(|&op| ir.block_of(op) == Some(block))?;
            let access = name.starts_with("gpu.") || matches!(name, "memref.load" | "memref.store");
            let escapes = !access || ir.has_trait(user, Trait::Terminator);
            found.push(Use { at, user, escape: if escapes { Escape::Yes } else { Escape::No } });
        }
    }
    Some(found)
}

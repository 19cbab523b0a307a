//! Values that are one buffer: an allocation or block argument, and the views of it.

use segra_gpu::host::{AllocOp, DeallocOp};
use segra_ir::interfaces::{Effects, ViewLike};
use segra_ir::{Block, Ir, Op, Region, Trait, Value, ValueDef};
use segra_std::memref;
use segra_std::scf::IfOp;

/// The value a buffer comes from, seen through views.
pub(crate) fn root(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && let Some(view) = ir.interface::<dyn ViewLike>(op)
    {
        value = view.source(ir, op);
    }
    value
}

/// The allocation in `block` that a buffer is, if it is one.
pub(crate) fn allocation(ir: &Ir, block: Block, value: Value) -> Option<AllocOp> {
    let op = ir.defining_op(root(ir, value))?;
    ir.cast::<AllocOp>(op)
        .filter(|_| ir.block_of(op) == Some(block))
}

/// Whether a value is memory made in `block` for whoever uses it: an allocation, or what every way of a branch makes.
pub(crate) fn is_made(ir: &Ir, block: Block, value: Value) -> bool {
    let ValueDef::Result { op, index } = ir.value_def(root(ir, value)) else {
        return false;
    };
    if ir.block_of(op) != Some(block) {
        return false;
    }
    let ways = ir.regions(op);
    ir.isa::<AllocOp>(op)
        || ir.isa::<IfOp>(op)
            && ways.len() == 2
            && ways.iter().all(|&way| hands_out(ir, way, index as usize))
}

/// Whether the `index`-th value a branch yields is memory made there, which nobody else gets.
fn hands_out(ir: &Ir, way: Region, index: usize) -> bool {
    let Some(block) = ir.entry_block(way) else {
        return false;
    };
    let Some(last) = ir.last_op(block) else {
        return false;
    };
    let Some(value) = ir.operands(last).nth(index).map(|value| root(ir, value)) else {
        return false;
    };
    let only_yielded = |uses: Vec<Use>| {
        let mut yields = uses.iter().filter(|used| used.escape == Escape::Yes);
        let freed = uses.iter().any(|used| ir.isa::<DeallocOp>(used.user));
        !freed && yields.next().is_some_and(|used| used.user == last) && yields.next().is_none()
    };
    is_made(ir, block, value) && uses(ir, block, value).is_some_and(only_yielded)
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
            if ir.isa::<memref::DimOp>(user) {
                continue;
            }
            if ir.interface::<dyn ViewLike>(user).is_some() {
                pending.extend(ir.results(user));
                continue;
            }
            let at = ir
                .ancestors(user)
                .find(|&op| ir.block_of(op) == Some(block))?;
            // An op that says what it does to memory does no more with it.
            let access = ir.interface::<dyn Effects>(user).is_some();
            let escapes = !access || ir.has_trait(user, Trait::Terminator);
            found.push(Use {
                at,
                user,
                escape: if escapes { Escape::Yes } else { Escape::No },
            });
        }
    }
    Some(found)
}

//! Blocks of their own for cases that share a destination, in the order of the cases.
//!
//! ```text
//! llvm.switch %x [0: ^b(%v), 1: ^c(%v), 2: ^b(%w), 3: ^c(%w)]
//!   ==>
//! llvm.switch %x [0: ^b(%v), 1: ^c(%v), 2: ^d(%w), 3: ^e(%w)]
//! ^d(%y): llvm.br ^b(%y)
//! ^e(%z): llvm.br ^c(%z)
//! ```
//! LLVM IR passes values to a block by where it is entered from, so upstream does the same before it translates; but its
//! destinations are in the order of their addresses, which differ from process to process, and so did the PTX.
//!
//! Legality: terminators of the LLVM dialect, whose operands for a destination stay as they are. Destinations without
//! arguments may be shared.

use melior::ir::operation::{OperationBuilder, OperationLike, OperationMutLike, OperationRef};
use melior::ir::{Block, BlockLike, Location, Module, RegionLike, Type, Value, ValueLike};

use crate::session::{collect_ops, error_at, mutable, top_level};
use segra_worker::{ErrorCode, MlirError};

/// Takes the destinations of all terminators in kernels apart.
pub(crate) fn rewrite(module: &Module<'_>) -> Result<(), MlirError> {
    for gpu_module in top_level(module, "gpu.module") {
        for op in collect_ops(gpu_module) {
            if op.successor_count() > 1 {
                take_apart(op).map_err(|error| {
                    let message = format!("the destinations cannot be taken apart: {error}");
                    MlirError::new(ErrorCode::Internal, "a branch cannot be lowered")
                        .with_diagnostics(vec![error_at(op, message)])
                })?;
            }
        }
    }
    Ok(())
}

fn take_apart<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), melior::Error> {
    let mut met = Vec::new();
    for position in 0..op.successor_count() {
        let target = op.successor(position)?;
        if target.argument_count() == 0 {
            continue;
        }
        if !met.contains(&target) {
            met.push(target);
            continue;
        }
        let region = op.block().and_then(|block| block.parent_region());
        let region = region.ok_or(melior::Error::OperationBuild)?;
        let arguments: Vec<(Type<'c>, Location<'c>)> = (0..target.argument_count())
            .map(|index| Ok((target.argument(index)?.r#type(), op.location())))
            .collect::<Result<_, melior::Error>>()?;
        let between = region.append_block(Block::new(&arguments));
        let values: Vec<Value<'c, '_>> = (0..arguments.len())
            .map(|index| Ok(between.argument(index)?.into()))
            .collect::<Result<_, melior::Error>>()?;
        let branch = OperationBuilder::new("llvm.br", op.location())
            .add_operands(&values)
            .add_successors(&[&target])
            .build()?;
        between.append_operation(branch);
        let mut op = mutable(op).ok_or(melior::Error::OperationBuild)?;
        op.set_successor(position, &between);
    }
    Ok(())
}

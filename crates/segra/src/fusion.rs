//! Which nests of a program may be one kernel, how, and what that is predicted to take.
//!
//! Deliberately absent: the search, the legality and the prediction (`segra-schedule`).

use crate::compile::{CompileOptions, Compiler, FusionChoice};
use crate::failure::Failure;
use crate::program::Program;
use segra_ir::diag::file_position;
use segra_ir::interfaces::symbol_name;
use segra_schedule::traverse::explore;
pub use segra_schedule::traverse::{
    Combination, Count, Exploration, Figures, Kernel, MapBlock, Scope, Sizes,
};
use segra_std::func::FuncOp;

/// The device that the pass `fuse-traversals` predicts times for, if it is told none.
pub const DEVICE: &str = segra_schedule::traverse::DEVICE;
/// The passes before fusion of kernels.
const BEFORE: &str = "array-to-kernel";

/// The search space of a part of a program.
#[derive(Clone, Debug)]
pub struct Space {
    /// The function.
    pub function: String,
    /// `line:column` of each nest; empty where unknown.
    pub places: Vec<String>,
    /// The nests, the kernels they may be, and the combinations of those.
    pub exploration: Exploration,
}

/// The search spaces of a program, part by part, with sizes and a device that times are predicted for.
///
/// # Errors
/// The passes before fail.
pub fn fusions(
    program: Program,
    scope: Scope,
    (sizes, figures): (&Sizes, &Figures),
) -> Result<Vec<Space>, Failure> {
    // The nests are those that a combination is chosen for.
    let fusion = Some(FusionChoice {
        combination: 1,
        extent: sizes.other,
        blocks: scope == Scope::Blocks,
    });
    let options = CompileOptions {
        fusion,
        ..CompileOptions::default()
    };
    let mut lowered = Compiler::new(options).lower(program, BEFORE, None)?;
    let ir = &mut lowered.ir;
    let ctx = ir.context();
    let mut spaces = Vec::new();
    for function in ir.walk(ir.root()) {
        if !ir.isa::<FuncOp>(function) {
            continue;
        }
        let name = symbol_name(ir, function).map_or(String::new(), |name| ctx.str(name).to_owned());
        for exploration in explore(ir, function, scope, (sizes, figures)) {
            let place = |loc| {
                file_position(&ctx, loc).map_or(String::new(), |(_, line, column)| {
                    format!("{line}:{column}")
                })
            };
            spaces.push(Space {
                function: name.clone(),
                places: exploration
                    .nests
                    .iter()
                    .map(|nest| place(nest.loc))
                    .collect(),
                exploration,
            });
        }
    }
    Ok(spaces)
}

//! Device → artifact: a lowered module becomes an artifact without PTX, and text for upstream MLIR. It reads `gpu` and
//! `memref` with their host code; no pass is here, and nothing that changes a program.
//!
//! ```text
//! builtin.module { gpu.module @kernels {gpu.func ...}  func.func @main {...} }
//!   ==>  plans, entries, kernel manifest, check sites, source map     (translate)
//!   ==>  builtin.module { gpu.module @kernels {...} }, generic form   (kernels_text)
//! ```
//! * [`signature`]: what the program's functions looked like before lowering: names and symbolic sizes of arrays;
//! * [`shared`]: arrays in dynamic shared memory, as upstream knows them;
//! * [`products`]: products of warpgroups, as upstream reads them;
//! * [`manifest`]: kernels as the runtime must know them; [`plan`]: host functions.
//!
//! Legality: the device level as the lowering makes it. Everything else is an error with the op's location.
//! Deliberately absent: LLVM. Turning the text into PTX is the facade's job.
//!
//! ```
//! use segra_artifact::Scalar;
//! use segra_ir::{Context, Diagnostics};
//! use segra_runtime::{DeviceChoice, Program, Value, open};
//! use segra_text::{ParseOptions, parse_module};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! let program = "
//!     func.func @main(%n: i64) -> i64 {
//!       %square = arith.muli %n, %n : i64
//!       func.return %square : i64
//!     }";
//! let ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let translation = segra_emit::translate(&ir, ir.root(), "segra 0.1.0", &mut Diagnostics::new());
//! let artifact = translation.expect("host code is translated").artifact;
//! let program = Program::load(artifact, open(DeviceChoice::Sim)?)?;
//! let results = program.entry("main")?.run(&[Value::Scalar(Scalar::i64(7))])?;
//! assert_eq!(results, [Value::Scalar(Scalar::i64(49))]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod manifest;
pub mod plan;
mod products;
mod shared;
pub mod signature;

pub use plan::translate;
pub use signature::Signatures;

use segra_gpu::device::GpuFuncOp;
use segra_gpu::host::{GpuModuleOp, top_level};
use segra_ir::diag::file_position;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Loc, LocKind, Op};
use segra_text::printer::{Form, Locations, NamePolicy};
use segra_text::{PrintOptions, print};

/// The device modules of `module` alone, as upstream MLIR reads them, with the kernels whose names `keep` takes; `None` where
/// there is no such module.
///
/// Locations are written in place, so that upstream's diagnostics point into the source program.
pub fn kernels_text(ir: &Ir, module: Op, keep: &dyn Fn(&str) -> bool) -> Option<String> {
    let modules: Vec<Op> = top_level(ir, module)
        .filter(|&op| ir.isa::<GpuModuleOp>(op))
        .collect();
    if modules.is_empty() {
        return None;
    }
    let mut ir = ir.clone();
    for &module in &modules {
        leave_out(&mut ir, module, keep);
    }
    shared::for_upstream(&mut ir, &modules);
    products::for_upstream(&mut ir, &modules);
    plain_places(&mut ir, &modules);
    let options = PrintOptions {
        form: Form::Generic,
        locations: Locations::Inline,
        names: NamePolicy::Numbered,
        aliases: segra_text::printer::AliasPolicy::Inline,
        ..PrintOptions::default()
    };
    let mut text = "\"builtin.module\"() ({\n".to_owned();
    for op in modules {
        text += &print(&ir, op, &options);
    }
    text += "}) {gpu.container_module} : () -> ()\n";
    Some(text)
}

/// Takes the kernels out of a device module that `keep` does not take.
fn leave_out(ir: &mut Ir, module: Op, keep: &dyn Fn(&str) -> bool) {
    let is_left_out = |ir: &Ir, op: Op| {
        let kernel = ir.cast::<GpuFuncOp>(op).filter(|func| func.is_kernel(ir));
        let name = kernel.and_then(|_| symbol_name(ir, op));
        name.is_some_and(|name| !keep(ir.ctx().str(name)))
    };
    let blocks = ir
        .regions(module)
        .iter()
        .flat_map(|&region| ir.blocks(region));
    let ops: Vec<Op> = blocks.flat_map(|block| ir.ops(block)).collect();
    for op in ops {
        if is_left_out(ir, op) {
            ir.erase_op(op);
        }
    }
}

/// Whether a name with a character cannot be written in PTX.
fn is_unwritable(character: char) -> bool {
    matches!(character, '"' | '\\') || character.is_control()
}

/// Leaves each op and block argument in device modules the one place in a file that diagnostics of Segra would name.
///
/// Upstream makes debug information of locations, and its translation crashes on call sites (LLVM 22) where the callee is
/// no function of the module, as after inlining. LLVM writes names of files into PTX as they are, where a quote ends them.
fn plain_places(ir: &mut Ir, modules: &[Op]) {
    let ctx = ir.context();
    let plain = |loc: Loc| {
        file_position(&ctx, loc).map_or(Loc::UNKNOWN, |(file, line, column)| {
            let name = ctx.str(file);
            let file = match name.contains(is_unwritable) {
                true => ctx.ident(&name.replace(is_unwritable, "_")),
                false => file,
            };
            ctx.loc(LocKind::File { file, line, column })
        })
    };
    for &module in modules {
        for op in ir.walk(module) {
            let place = plain(ir.loc(op));
            ir.set_loc(op, place);
            let blocks: Vec<_> = ir
                .regions(op)
                .iter()
                .flat_map(|&region| ir.blocks(region))
                .collect();
            for block in blocks {
                for argument in ir.block_args(block).to_vec() {
                    let place = plain(ir.value_loc(argument));
                    ir.set_arg_loc(argument, place);
                }
            }
        }
    }
}

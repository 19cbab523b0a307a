//! Programs: verified IR.

use crate::failure::Failure;
use segra_emit::Signatures;
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostics, Ir};
use segra_text::{ParseOptions, parse_source};
use std::sync::Arc;

/// A context with every dialect registered.
pub fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    ctx
}

/// A verified program at any level.
#[derive(Clone, Debug)]
pub struct Program {
    ir: Ir,
}

impl Program {
    /// Reads a program. `name` is what messages call the text.
    ///
    /// # Errors
    /// Everything that is wrong with the text, as far as recovery allows.
    pub fn from_text(name: &str, text: &str) -> Result<Program, Failure> {
        let ctx = context();
        let parsed = parse_source(&ctx, name, text, &ParseOptions::default());
        Self::checked(parsed.ir, parsed.diags)
    }
    /// Takes a program built in Rust; its root is a module.
    ///
    /// # Errors
    /// Everything the verifier finds.
    pub fn from_ir(ir: Ir) -> Result<Program, Failure> {
        Self::checked(ir, Diagnostics::new())
    }
    fn checked(ir: Ir, mut diags: Diagnostics) -> Result<Program, Failure> {
        // The readable part of a wrong text is verified too; unregistered ops were reported then.
        let unregistered = match diags.has_errors() {
            true => segra_text::Unregistered::Allow,
            false => segra_text::Unregistered::Refuse,
        };
        verify_op(&ir, ir.root(), &VerifyOptions { unregistered }, &mut diags);
        if diags.has_errors() {
            diags.sort_by_position(ir.ctx());
            return Err(Failure {
                context: ir.context(),
                diagnostics: diags,
            });
        }
        Ok(Program { ir })
    }
    /// The program.
    pub fn ir(&self) -> &Ir {
        &self.ir
    }
    /// The signatures of its functions.
    pub fn signatures(&self) -> Signatures {
        Signatures::of(&self.ir, self.ir.root(), &mut Diagnostics::new())
    }
    /// The program, for passes to work on.
    pub fn into_ir(self) -> Ir {
        self.ir
    }
}

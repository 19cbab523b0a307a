//! Prints the program before and after passes, as `mlir-opt`'s `--mlir-print-ir-*` do.
//!
//! How the program is written and where the text goes is the tool's choice: both are closures.

use crate::instrument::{Instrumentation, PassEvent, PassFilter};
use crate::pass::Changed;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Op};

/// How much is printed around the op a pass ran on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrintScope {
    /// The op itself.
    #[default]
    PassOp,
    /// The whole program.
    Module,
}

/// When to print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintConfig {
    /// Before these passes.
    pub before: PassFilter,
    /// After these passes.
    pub after: PassFilter,
    /// After passes that changed something, and only then.
    pub only_changed: bool,
    /// After a pass that failed.
    pub on_failure: bool,
    /// How much.
    pub scope: PrintScope,
}

/// The instrumentation that prints.
pub struct PrintIr<P, S> {
    config: PrintConfig,
    print: P,
    sink: S,
}

impl<P: FnMut(&Ir, Op) -> String, S: FnMut(&str)> PrintIr<P, S> {
    /// Prints with `print`, hands the text to `sink`.
    pub fn new(config: PrintConfig, print: P, sink: S) -> PrintIr<P, S> {
        PrintIr { config, print, sink }
    }
    fn dump(&mut self, when: &str, event: PassEvent<'_>, ir: &Ir) {
        let mut about = String::new();
        if ir.parent_op(event.op).is_some() {
            let symbol = symbol_name(ir, event.op).map(|name| format!(": @{}", ir.ctx().str(name)));
            about = format!(" ('{}' operation{})", ir.op_name_str(event.op), symbol.unwrap_or_default());
        }
        let op = match self.config.scope {
            PrintScope::PassOp => event.op,
            PrintScope::Module => ir.ancestors(event.op).last().unwrap_or(event.op),
        };
        let text = (self.print)(ir, op);
        let header = format!("// -----// IR Dump {when} {}{about} //----- //\n", event.name());
        (self.sink)(&format!("{header}{}\n\n", text.trim_end_matches('\n')));
    }
}

impl<P: FnMut(&Ir, Op) -> String, S: FnMut(&str)> Instrumentation for PrintIr<P, S> {
    fn before_pass(&mut self, event: PassEvent<'_>, ir: &Ir) {
        if self.config.before.chooses(event.name()) {
            self.dump("Before", event, ir);
        }
    }
    fn after_pass(&mut self, event: PassEvent<'_>, ir: &Ir, changed: Changed) {
        let wanted = !self.config.only_changed || changed == Changed::Yes;
        if wanted && self.config.after.chooses(event.name()) {
            self.dump("After", event, ir);
        }
    }
    fn after_failed_pass(&mut self, event: PassEvent<'_>, ir: &Ir) {
        if self.config.on_failure {
            self.dump("After Failure of", event, ir);
        }
    }
}

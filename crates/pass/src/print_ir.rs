//! Prints the program before and after passes, as `mlir-opt`'s `--mlir-print-ir-*` do.
//!
//! How the program is written and where the text goes is the tool's choice: both are closures. A dump knows its place in
//! a folder with one file a dump, laid out as by `--mlir-print-ir-tree-dir`.

use crate::instrument::{Instrumentation, PassEvent, PassFilter};
use crate::pass::{Changed, Stage};
use rustc_hash::FxHashMap;
use segra_ir::diag::file_position;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Op, Trait};

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

/// One printed program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The program under a line that says when it was.
    pub text: String,
    /// Folders from the outermost op to the pass's: `builtin_module_no-symbol-name`, `func_func_f`.
    pub folders: Vec<String>,
    /// The file in the innermost: how many dumps each of those ops had before, and the pass: `0_1_canonicalize.mlir`.
    pub file: String,
}

/// The instrumentation that prints.
pub struct PrintIr<P, S> {
    config: PrintConfig,
    print: P,
    sink: S,
    /// Dumps of every op, counted from 0.
    counts: FxHashMap<Op, usize>,
}

impl<P: FnMut(&Ir, Op) -> String, S: FnMut(&Dump)> PrintIr<P, S> {
    /// Prints with `print`, hands the text to `sink`.
    pub fn new(config: PrintConfig, print: P, sink: S) -> PrintIr<P, S> {
        PrintIr {
            config,
            print,
            sink,
            counts: FxHashMap::default(),
        }
    }
    fn dump(&mut self, when: &str, event: PassEvent<'_>, ir: &Ir) {
        let mut about = String::new();
        if ir.parent_op(event.op).is_some() || self.config.scope == PrintScope::Module {
            let symbol = symbol_name(ir, event.op).map(|name| format!(": @{}", ir.ctx().str(name)));
            about = format!(
                " ('{}' operation{})",
                ir.op_name_str(event.op),
                symbol.unwrap_or_default()
            );
        }
        let op = match self.config.scope {
            PrintScope::PassOp => event.op,
            PrintScope::Module => ir.ancestors(event.op).last().unwrap_or(event.op),
        };
        let text = (self.print)(ir, op);
        let header = format!(
            "// -----// IR Dump {when} {}{about} //----- //\n",
            event.name()
        );
        let text = format!("{header}{}\n\n", text.trim_end_matches('\n'));
        let (folders, file) = self.place(event, ir);
        (self.sink)(&Dump {
            text,
            folders,
            file,
        });
    }
    fn place(&mut self, event: PassEvent<'_>, ir: &Ir) -> (Vec<String>, String) {
        self.counts
            .entry(event.op)
            .and_modify(|count| *count += 1)
            .or_insert(0);
        let (mut folders, mut numbers) = (Vec::new(), Vec::new());
        for op in ir.ancestors(event.op) {
            let symbol = symbol_name(ir, op).map_or("no-symbol-name", |name| ir.ctx().str(name));
            folders.push(as_file_name(&format!("{}_{symbol}", ir.op_name_str(op))));
            numbers.push(self.counts.entry(op).or_insert(0).to_string());
        }
        folders.reverse();
        numbers.reverse();
        (
            folders,
            format!("{}_{}.mlir", numbers.join("_"), event.name()),
        )
    }
}

/// Any name a symbol may have, on any file system.
fn as_file_name(text: &str) -> String {
    let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.chars()
        .map(|c| if fine(c) { c } else { '_' })
        .collect()
}

impl<P: FnMut(&Ir, Op) -> String, S: FnMut(&Dump)> Instrumentation for PrintIr<P, S> {
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

/// The instrumentation that prints what passes made of several rewrites leave after each of them.
pub struct PrintStages<P, S> {
    print: P,
    sink: S,
    /// Stages of the pass that is running.
    count: usize,
}

impl<P: FnMut(&Ir, Op) -> String, S: FnMut(&str)> PrintStages<P, S> {
    /// Prints the function around what was rewritten with `print`, under a heading, and hands the text to `sink`.
    pub fn new(print: P, sink: S) -> PrintStages<P, S> {
        PrintStages {
            print,
            sink,
            count: 0,
        }
    }
}

impl<P: FnMut(&Ir, Op) -> String, S: FnMut(&str)> Instrumentation for PrintStages<P, S> {
    fn before_pass(&mut self, _: PassEvent<'_>, _: &Ir) {
        self.count = 0;
    }
    fn after_stage(&mut self, event: PassEvent<'_>, ir: &Ir, stage: Stage<'_>) {
        self.count += 1;
        let isolated = |&op: &Op| ir.has_trait(op, Trait::IsolatedFromAbove);
        let around = ir.ancestors(stage.op).find(isolated);
        let text = (self.print)(ir, around.unwrap_or(stage.op));
        let place = file_position(ir.ctx(), ir.loc(stage.op));
        let place = place.map_or(String::new(), |(_, line, column)| {
            format!(" at {line}:{column}")
        });
        let (pass, count, title) = (event.name(), self.count, stage.title);
        let text = text.trim_end_matches('\n');
        (self.sink)(&format!(
            "// -----// {pass} {count}{place}: {title} //----- //\n{text}\n\n"
        ));
    }
}

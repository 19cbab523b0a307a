//! The observers of the passes of a run, and the data kept to repeat it.

use crate::args::Args;
use crate::output;
use crate::report::Reporter;
use crate::validate;
use segra_ir::{Diagnostics, Ir, Op};
use segra_pass::instrument::{BisectLimit, SkipPasses};
use segra_pass::print_ir::{Dump, PrintConfig, PrintIr, PrintScope, PrintStages};
use segra_pass::reproduce::{LastPass, Reproducer};
use segra_pass::timing::Timings;
use segra_pass::trace::Trace;
use segra_pass::{PassFilter, PassManager, Pipeline, ShowOptions, Threads, VerifyEach};
use segra_text::printer::Form;
use segra_text::{PrintOptions, print};
use std::path::{Path, PathBuf};

/// Where times go.
#[derive(Debug, Default)]
pub(crate) struct Clocks {
    pub(crate) timings: Timings,
    pub(crate) trace: Trace,
}

/// Adds what the command line asks to watch.
pub(crate) fn watched<'a>(
    mut manager: PassManager<'a>,
    args: &'a Args,
    print_options: PrintOptions,
    reporter: Reporter,
    clocks: &Clocks,
) -> PassManager<'a> {
    if !args.skip.is_empty() {
        manager = manager.instrument(SkipPasses(PassFilter::Names(args.skip.clone())));
    }
    if let Some(limit) = args.bisect_limit {
        let names = args.names("opt-bisect-passes");
        let counted = if names.is_empty() {
            PassFilter::All
        } else {
            PassFilter::Names(names)
        };
        manager = manager.instrument(BisectLimit::new(limit, counted, move |line: &str| {
            reporter.plain(line)
        }));
    }
    if args.has("print-schedule") {
        let options = print_options.clone();
        manager = manager.instrument(PrintStages::new(
            move |ir: &Ir, op: Op| print(ir, op, &options),
            move |text: &str| reporter.plain(text),
        ));
    }
    let config = print_config(args);
    if config != PrintConfig::default() {
        let folder = args.text("mlir-print-ir-tree-dir").map(PathBuf::from);
        manager = manager.instrument(PrintIr::new(
            config,
            move |ir: &Ir, op: Op| print(ir, op, &print_options),
            move |dump: &Dump| match &folder {
                Some(folder) => write_dump(folder, dump, reporter),
                None => reporter.plain(&dump.text),
            },
        ));
    }
    if args.has("mlir-timing") {
        manager = manager.instrument(clocks.timings.instrumentation());
    }
    if args.text("profile-actions-to").is_some() {
        manager = manager.instrument(clocks.trace.instrumentation());
    }
    if let Some(how) = &args.validate {
        manager = manager.validate(validate::Validator::new(how));
    }
    manager
}

fn write_dump(folder: &Path, dump: &Dump, reporter: Reporter) {
    let folder = dump
        .folders
        .iter()
        .fold(folder.to_owned(), |path, name| path.join(name));
    let made =
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()));
    let path = folder.join(&dump.file);
    let done =
        made.and_then(|()| output::write(&path, &dump.text).map_err(|error| error.to_string()));
    if let Err(error) = done {
        reporter.plain(&format!("warning: a dump is lost: {error}\n"));
    }
}

fn print_config(args: &Args) -> PrintConfig {
    let filter = |all: bool, names: Vec<String>| match (all, names.is_empty()) {
        (true, _) => PassFilter::All,
        (false, true) => PassFilter::None,
        (false, false) => PassFilter::Names(names),
    };
    let only_changed = args.has("mlir-print-ir-after-change");
    let after = args.names("mlir-print-ir-after");
    // `--mlir-print-ir-after-change` alone watches every pass.
    let after_all = args.has("mlir-print-ir-after-all") || only_changed && after.is_empty();
    PrintConfig {
        before: filter(
            args.has("mlir-print-ir-before-all"),
            args.names("mlir-print-ir-before"),
        ),
        after: filter(after_all, after),
        only_changed,
        on_failure: args.has("mlir-print-ir-after-failure"),
        scope: match args.has("mlir-print-ir-module-scope") {
            true => PrintScope::Module,
            false => PrintScope::PassOp,
        },
    }
}

/// The data kept to repeat a run that fails.
pub(crate) struct Repeat {
    file: Option<String>,
    whole: Option<Reproducer>,
    last: Option<LastPass>,
    how: (Threads, VerifyEach),
}

impl Repeat {
    /// Keeps the program as it is now, where the command line asks for a reproducer.
    pub(crate) fn before(
        args: &Args,
        ir: &Ir,
        pipeline: &Pipeline,
        how: (Threads, VerifyEach),
    ) -> Repeat {
        let always = args.text("mlir-generate-reproducer");
        let file = args.text("mlir-pass-pipeline-crash-reproducer");
        let local = file.is_some() && args.has("mlir-pass-pipeline-local-reproducer");
        let whole = || Reproducer::new(ir, pipeline.text(ShowOptions::All), how.0, how.1);
        let whole = (file.is_some() || always.is_some()).then(whole);
        if let (Some(path), Some(whole)) = (&always, &whole) {
            // Whether the run goes on is not this file's matter; that it cannot be written is told by its absence.
            let _ = output::write(Path::new(path), &text(whole));
        }
        Repeat {
            file,
            whole,
            last: local.then(LastPass::new),
            how,
        }
    }
    /// Lets the manager keep the program before every pass, for a local reproducer.
    pub(crate) fn watch<'a>(&self, manager: PassManager<'a>) -> PassManager<'a> {
        match &self.last {
            Some(last) => manager.instrument(last.instrumentation()),
            None => manager,
        }
    }
    /// The run failed: writes the file and says so in a note to the last error.
    pub(crate) fn failed(self, diags: &mut Diagnostics) {
        let Some(path) = self.file else { return };
        let local = self.last.and_then(|last| last.take());
        let local =
            local.map(|(ir, pipeline)| Reproducer::new(&ir, pipeline, self.how.0, self.how.1));
        let Some(reproducer) = local.or(self.whole) else {
            return;
        };
        let loc = reproducer.ir.loc(reproducer.ir.root());
        let message = match output::write(Path::new(&path), &text(&reproducer)) {
            Ok(()) => format!("a reproducer was written to `{path}`: run it with --run-reproducer"),
            Err(error) => format!("no reproducer was written: {error}"),
        };
        let summary = format!("the pipeline failed: {}", reproducer.pipeline);
        diags.error(loc, summary).note(loc, message);
    }
}

/// In generic form, which every tool reads.
fn text(reproducer: &Reproducer) -> String {
    let options = PrintOptions {
        form: Form::Generic,
        ..PrintOptions::default()
    };
    print(&reproducer.ir, reproducer.ir.root(), &options)
}

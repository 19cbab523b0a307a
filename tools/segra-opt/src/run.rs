//! From text to text: read, verify, run passes, write; once per part of the input.

use crate::args::{Args, Passes};
use crate::output::{self, FileError};
use crate::report::Reporter;
use crate::split::{self, Part};
use crate::{Tool, expected, show, validate};
use segra_ir::text::printer::{AliasPolicy, ElementsLimits, Form, Locations, NamePolicy, RegionPolicy};
use segra_ir::text::{ParseOptions, PrintOptions, Unregistered, parse_source, print};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostic, Diagnostics, Ir, Loc, LocKind, Op, Severity};
use segra_pass::instrument::{BisectLimit, SkipPasses};
use segra_pass::print_ir::{PrintConfig, PrintIr, PrintScope};
use segra_pass::timing::Timings;
use segra_pass::{
    PassFilter, PassManager, PassRegistry, Pipeline, PipelineError, ShowOptions, Statistics, Threads,
    VerifyEach,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What became of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was read, verified and rewritten.
    Accepted,
    /// It was not; why was reported.
    Rejected,
}

/// What ends the program without a diagnostic that has a place in the input.
#[derive(Debug)]
pub(crate) enum Fatal {
    File(FileError),
    Pipeline(PipelineError),
}

impl From<FileError> for Fatal {
    fn from(error: FileError) -> Fatal {
        Fatal::File(error)
    }
}

/// Does what the command line says.
pub(crate) fn run(args: &Args, tool: &Tool) -> Result<Verdict, Fatal> {
    if let Some(what) = args.show {
        output::write(&args.output, &show::show(what, tool))?;
        return Ok(Verdict::Accepted);
    }
    let pipeline = pipeline(args, &tool.passes).map_err(Fatal::Pipeline)?;
    let mut session = Session {
        args,
        tool,
        pipeline: &pipeline,
        reporter: Reporter::new(args.report, args.color),
        timings: Timings::new(),
        statistics: Vec::new(),
    };
    if args.has("dump-pass-pipeline") {
        let mut count = 0;
        pipeline.for_each_pass(&mut |_| count += 1);
        let plural = if count == 1 { "" } else { "es" };
        let text = pipeline.text(ShowOptions::All);
        session.reporter.plain(&format!("Pass Manager with {count} pass{plural}:\n{text}\n"));
    }
    let text = output::read(&args.input)?;
    let (result, verdict) = session.all_parts(&text);
    // A file is only replaced by a whole result.
    if verdict == Verdict::Accepted || args.output == Path::new("-") {
        output::write(&args.output, &result)?;
    }
    if args.has("mlir-timing") {
        session.reporter.plain(&show::timing_table(&session.timings));
    }
    if args.has("mlir-pass-statistics") {
        session.reporter.plain(&show::statistics_table(&session.statistics));
    }
    Ok(verdict)
}

/// The pipeline the command line asks for.
fn pipeline(args: &Args, registry: &PassRegistry) -> Result<Pipeline, PipelineError> {
    let flags = match &args.passes {
        Passes::Pipeline(text) => return Pipeline::parse(text, registry),
        Passes::Flags(flags) => flags,
    };
    let mut pipeline = Pipeline::on("builtin.module");
    for (name, options) in flags {
        let text = if options.is_empty() { name.clone() } else { format!("{name}{{{options}}}") };
        pipeline.add_text(&text, registry)?;
    }
    Ok(pipeline)
}

struct Session<'a> {
    args: &'a Args,
    tool: &'a Tool,
    pipeline: &'a Pipeline,
    reporter: Reporter,
    timings: Timings,
    statistics: Vec<Statistics>,
}

impl Session<'_> {
    fn all_parts(&mut self, text: &str) -> (String, Verdict) {
        let parts = split::parts(text, self.args.split.as_deref());
        let (mut out, mut verdict) = (String::new(), Verdict::Accepted);
        for (index, part) in parts.iter().enumerate() {
            if index > 0 && !self.args.output_split.is_empty() {
                out += &self.args.output_split;
                out.push('\n');
            }
            match self.part(*part) {
                Ok(text) => out += &text,
                Err(Rejected { text }) => {
                    out += &text;
                    verdict = Verdict::Rejected;
                }
            }
        }
        (out, verdict)
    }

    /// One part: its result, and whether its diagnostics are as they should be.
    fn part(&mut self, part: Part<'_>) -> Result<String, Rejected> {
        let ctx = Arc::new(Context::new());
        self.tool.register(&ctx);
        let text = part.placed();
        let file = file_name(self.args);
        let mut diags = Diagnostics::new();
        let result = self.rewrite(&ctx, &file, &text, &mut diags);
        if self.args.has("verify-diagnostics") {
            let result = result.unwrap_or_default();
            let mismatches = expected::check(&ctx, &text, &diags);
            if mismatches.is_empty() {
                return Ok(result);
            }
            let file = ctx.ident(&file);
            let mut wrong = Diagnostics::new();
            for row in mismatches {
                let loc = match u32::try_from(row.line) {
                    Ok(line @ 1..) => ctx.loc(LocKind::File { file, line, column: 1 }),
                    _ => Loc::UNKNOWN,
                };
                wrong.push(Diagnostic::new(Severity::Error, loc, row.message));
            }
            self.reporter.diagnostics(&ctx, &wrong);
            return Err(Rejected { text: result });
        }
        self.reporter.diagnostics(&ctx, &diags);
        result.ok_or_else(|| Rejected { text: String::new() })
    }

    /// Reads, verifies, runs the passes, writes. `None`: an error lies in the diagnostics.
    fn rewrite(
        &mut self,
        ctx: &Arc<Context>,
        file: &str,
        text: &str,
        diags: &mut Diagnostics,
    ) -> Option<String> {
        let allow_unregistered = unregistered(self.args);
        let options = ParseOptions { allow_unregistered, ..ParseOptions::default() };
        let parsed = self.timed("Parser", || parse_source(ctx, file, text, &options));
        let mut ir = parsed.ir;
        diags.extend(parsed.diags);
        // What could be read of a wrong text is verified too: one run shows as many mistakes as it can.
        // Then unregistered ops were reported already, or stand for what could not be read.
        let after_errors = diags.has_errors();
        let unregistered = if after_errors { Unregistered::Allow } else { allow_unregistered };
        let verify = VerifyOptions { unregistered };
        self.timed("Verifier", || verify_op(&ir, ir.root(), &verify, diags));
        if diags.has_errors() {
            return None;
        }
        self.passes(&mut ir, diags)?;
        let options = print_options(self.args);
        let result = self.timed("Output", || print(&ir, ir.root(), &options));
        if self.args.has("verify-roundtrip") {
            self.check_roundtrip(&ir, diags)?;
        }
        Some(result)
    }

    fn passes(&mut self, ir: &mut Ir, diags: &mut Diagnostics) -> Option<()> {
        let args = self.args;
        let print_options = print_options(args);
        let reporter = self.reporter;
        let printer = PrintIr::new(
            print_config(args),
            move |ir: &Ir, op: Op| print(ir, op, &print_options),
            move |text: &str| reporter.plain(text),
        );
        let verify = if args.verify_each { VerifyEach::Yes } else { VerifyEach::No };
        let mut manager = PassManager::new(self.pipeline)
            .verify_each(verify)
            .threads(threads(args))
            .verify_options(VerifyOptions { unregistered: unregistered(args) })
            .instrument(SkipPasses(PassFilter::Names(args.skip.clone())))
            .instrument(printer)
            .instrument(self.timings.instrumentation());
        if let Some(limit) = args.bisect_limit {
            let tell = move |line: &str| reporter.plain(line);
            manager = manager.instrument(BisectLimit::new(limit, PassFilter::All, tell));
        }
        if let Some(how) = &args.validate {
            manager = manager.validate(validate::Validator::new(how));
        }
        let statistics = manager.run(ir, diags).ok()?;
        self.statistics.push(statistics);
        Some(())
    }

    /// Reads what is written, in both forms, and compares it with the program.
    fn check_roundtrip(&self, ir: &Ir, diags: &mut Diagnostics) -> Option<()> {
        let read = ParseOptions::allowing_unregistered();
        for form in [Form::Custom, Form::Generic] {
            let options = PrintOptions { form, ..PrintOptions::default() };
            let text = print(ir, ir.root(), &options);
            let ctx = ir.context();
            let again = parse_source(&ctx, "<roundtrip>", &text, &read);
            let loc = ir.loc(ir.root());
            if again.diags.has_errors() {
                diags.error(loc, format!("what is written ({form:?} form) does not read back"));
                diags.extend(again.diags);
                return None;
            }
            if print(&again.ir, again.ir.root(), &options) != text {
                diags.error(loc, format!("what is written ({form:?} form) reads back as another program"));
                return None;
            }
        }
        Some(())
    }

    fn timed<R>(&self, name: &str, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.timings.record(name, start.elapsed());
        result
    }
}

/// A part that failed, with what is to be written of it all the same.
struct Rejected {
    text: String,
}

fn file_name(args: &Args) -> String {
    if args.input == Path::new("-") { "<stdin>".to_owned() } else { args.input.display().to_string() }
}

fn unregistered(args: &Args) -> Unregistered {
    if args.has("allow-unregistered-dialect") { Unregistered::Allow } else { Unregistered::Refuse }
}

fn threads(args: &Args) -> Threads {
    match args.number("threads") {
        _ if args.has("mlir-disable-threading") => Threads::Exactly(1),
        Some(count) => Threads::Exactly(count),
        None => Threads::Available,
    }
}

fn print_options(args: &Args) -> PrintOptions {
    let local = args.has("mlir-print-local-scope");
    let defaults = ElementsLimits::default();
    PrintOptions {
        form: if args.has("mlir-print-op-generic") { Form::Generic } else { Form::Custom },
        locations: match (args.has("mlir-print-debuginfo"), local) {
            (false, _) => Locations::Hidden,
            (true, false) => Locations::Aliased,
            (true, true) => Locations::Inline,
        },
        names: if args.has("mlir-print-op-generic") { NamePolicy::Numbered } else { NamePolicy::Kept },
        aliases: if local { AliasPolicy::Inline } else { AliasPolicy::Defined },
        regions: if args.has("mlir-print-skip-regions") { RegionPolicy::Skipped } else { RegionPolicy::Full },
        elements: ElementsLimits {
            hex_above: args.number("mlir-print-elementsattrs-with-hex-if-larger").or(defaults.hex_above),
            elide_above: args.number("mlir-elide-elementsattrs-if-larger").or(defaults.elide_above),
        },
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
        before: filter(args.has("mlir-print-ir-before-all"), args.names("mlir-print-ir-before")),
        after: filter(after_all, after),
        only_changed,
        on_failure: args.has("mlir-print-ir-after-failure"),
        scope: match args.has("mlir-print-ir-module-scope") {
            true => PrintScope::Module,
            false => PrintScope::PassOp,
        },
    }
}

//! From text to text: read, verify, run passes, write; once per part of the input.

use crate::args::{Args, Passes};
use crate::output::{self, FileError};
use crate::report::Reporter;
use crate::split;
use crate::watch::{Clocks, Repeat, watched};
use crate::{Tool, expected, show};
use segra_ir::source::TextStart;
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostic, Diagnostics, Ir, Loc, LocKind, Severity};
use segra_pass::reproduce::take_pipeline;
use segra_pass::{
    PassManager, PassRegistry, Pipeline, PipelineError, ShowOptions, Statistics, Threads,
    VerifyEach,
};
use segra_text::printer::{AliasPolicy, ElementsLimits, Form, Locations, NamePolicy, RegionPolicy};
use segra_text::{ParseOptions, PrintOptions, Unregistered, parse_shared, parse_source, print};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The outcome for the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was read, verified and rewritten.
    Accepted,
    /// It was not; why was reported.
    Rejected,
}

/// Errors that end the program without a diagnostic that has a location in the input.
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
        clocks: Clocks::default(),
        statistics: Statistics::default(),
        keep: Keep::WhileNeeded,
        failed: None,
    };
    if args.has("dump-pass-pipeline") {
        let mut count = 0;
        pipeline.for_each_pass(&mut |_| count += 1);
        let plural = if count == 1 { "" } else { "es" };
        let text = pipeline.text(ShowOptions::All);
        session.reporter.plain(&format!(
            "Pass Manager with {count} pass{plural}:\n{text}\n"
        ));
    }
    let text = output::read(&args.input)?;
    let (result, verdict) = session.all_parts(text);
    // A file is only replaced by a whole result.
    if verdict == Verdict::Accepted || args.output == Path::new("-") {
        output::write(&args.output, &result)?;
    }
    if args.has("mlir-timing") {
        session.reporter.plain(&show::timing_table(
            &session.clocks.timings,
            args.display("mlir-timing-display"),
        ));
    }
    if args.has("mlir-pass-statistics") {
        let display = args.display("mlir-pass-statistics-display");
        session.reporter.plain(&show::statistics_table(
            &session.statistics,
            &pipeline,
            display,
        ));
    }
    if let Some(path) = args.text("profile-actions-to") {
        output::write(Path::new(&path), &session.clocks.trace.json())?;
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
        let text = if options.is_empty() {
            name.clone()
        } else {
            format!("{name}{{{options}}}")
        };
        pipeline.add_text(&text, registry)?;
    }
    Ok(pipeline)
}

struct Session<'a> {
    args: &'a Args,
    tool: &'a Tool,
    pipeline: &'a Pipeline,
    reporter: Reporter,
    clocks: Clocks,
    statistics: Statistics,
    keep: Keep,
    /// The pass that failed on the part at hand.
    failed: Option<&'static str>,
}

/// How long a program that was read is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    WhileNeeded,
    ToTheEnd,
}

impl Session<'_> {
    fn all_parts(&mut self, text: String) -> (String, Verdict) {
        let text = Arc::new(text);
        let parts = split::parts(&text, self.args.split.as_deref());
        // The system takes the memory of a program that ends back faster than we can give it up bit by bit.
        self.keep = if parts.len() == 1 {
            Keep::ToTheEnd
        } else {
            Keep::WhileNeeded
        };
        let (mut out, mut verdict) = (String::new(), Verdict::Accepted);
        for (index, part) in parts.iter().enumerate() {
            if index > 0 && !self.args.output_split.is_empty() {
                out += &self.args.output_split;
                out.push('\n');
            }
            let own = if parts.len() == 1 {
                text.clone()
            } else {
                Arc::new(part.text.to_owned())
            };
            match self.part(&own, part.start) {
                Ok(text) if out.is_empty() => out = text,
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
    fn part(&mut self, text: &Arc<String>, start: TextStart) -> Result<String, Rejected> {
        let ctx = Arc::new(Context::new());
        self.tool.register(&ctx);
        let file = file_name(self.args);
        let mut diags = Diagnostics::new();
        self.failed = None;
        let result = self.rewrite(&ctx, &file, (text, start), &mut diags);
        if let Some(others) = self.args.expected {
            let result = result.unwrap_or_default();
            let mismatches = expected::check(&ctx, (text, start), &diags, others);
            if mismatches.is_empty() {
                return Ok(result);
            }
            let file = ctx.ident(&file);
            let mut wrong = Diagnostics::new();
            for row in mismatches {
                let loc = match u32::try_from(row.line) {
                    Ok(line @ 1..) => ctx.loc(LocKind::File {
                        file,
                        line,
                        column: 1,
                    }),
                    _ => Loc::UNKNOWN,
                };
                wrong.push(Diagnostic::new(Severity::Error, loc, row.message));
            }
            self.reporter.diagnostics(&ctx, &wrong);
            return Err(Rejected { text: result });
        }
        self.reporter.diagnostics(&ctx, &diags);
        if let Some(pass) = self.failed.take() {
            let message = format!("pass `{pass}` failed");
            let mut last = Diagnostics::new();
            last.push(Diagnostic::new(Severity::Note, Loc::UNKNOWN, message));
            self.reporter.diagnostics(&ctx, &last);
        }
        result.ok_or_else(|| Rejected {
            text: String::new(),
        })
    }

    /// Reads, verifies, runs the passes, writes. `None`: an error lies in the diagnostics.
    fn rewrite(
        &mut self,
        ctx: &Arc<Context>,
        file: &str,
        (text, start): (&Arc<String>, TextStart),
        diags: &mut Diagnostics,
    ) -> Option<String> {
        let allow_unregistered = unregistered(self.args);
        let options = ParseOptions {
            allow_unregistered,
            start,
            ..ParseOptions::default()
        };
        let parsed = self.timed("Parser", || parse_shared(ctx, file, text, &options));
        let mut ir = parsed.ir;
        diags.extend(parsed.diags);
        // The readable part of a wrong text is verified too: one run shows as many mistakes as it can.
        // Then unregistered ops were reported already, or stand for what could not be read.
        let after_errors = diags.has_errors();
        let unregistered = if after_errors {
            Unregistered::Allow
        } else {
            allow_unregistered
        };
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
        if self.keep == Keep::ToTheEnd {
            std::mem::forget((ir, ctx.clone()));
        }
        Some(result)
    }

    fn passes(&mut self, ir: &mut Ir, diags: &mut Diagnostics) -> Option<()> {
        let args = self.args;
        let own = if args.has("run-reproducer") {
            take_pipeline(ir)
        } else {
            None
        };
        let own = match own.map(|text| Pipeline::parse(&text, &self.tool.passes)) {
            Some(Err(error)) => {
                diags.error(
                    ir.loc(ir.root()),
                    format!("the reproducer's pipeline: {error}"),
                );
                return None;
            }
            Some(Ok(own)) => Some(own),
            None => None,
        };
        let pipeline = own.as_ref().unwrap_or(self.pipeline);
        let verify = if args.verify_each {
            VerifyEach::Yes
        } else {
            VerifyEach::No
        };
        let repeat = Repeat::before(args, ir, pipeline, (threads(args), verify));
        let manager = PassManager::new(pipeline)
            .verify_each(verify)
            .threads(threads(args))
            .verify_options(VerifyOptions {
                unregistered: unregistered(args),
            });
        let manager = watched(
            manager,
            args,
            print_options(args),
            self.reporter,
            &self.clocks,
        );
        match repeat.watch(manager).run(ir, diags) {
            Ok(statistics) => {
                self.statistics.merge(&statistics);
                Some(())
            }
            Err(failure) => {
                self.failed = failure.pass;
                repeat.failed(diags);
                None
            }
        }
    }

    /// Reads what is written, in both forms, and compares it with the program.
    fn check_roundtrip(&self, ir: &Ir, diags: &mut Diagnostics) -> Option<()> {
        let read = ParseOptions::allowing_unregistered();
        for form in [Form::Custom, Form::Generic] {
            let options = PrintOptions {
                form,
                ..PrintOptions::default()
            };
            let text = print(ir, ir.root(), &options);
            let ctx = ir.context();
            let again = parse_source(&ctx, "<roundtrip>", &text, &read);
            let loc = ir.loc(ir.root());
            if again.diags.has_errors() {
                diags.error(
                    loc,
                    format!("what is written ({form:?} form) does not read back"),
                );
                diags.extend(again.diags);
                return None;
            }
            if print(&again.ir, again.ir.root(), &options) != text {
                diags.error(
                    loc,
                    format!("what is written ({form:?} form) reads back as another program"),
                );
                return None;
            }
        }
        Some(())
    }

    fn timed<R>(&self, name: &str, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.clocks.timings.record(name, start.elapsed());
        self.clocks.trace.record(name, start.elapsed());
        result
    }
}

/// A part that failed, with what is to be written of it all the same.
struct Rejected {
    text: String,
}

fn file_name(args: &Args) -> String {
    if args.input == Path::new("-") {
        "<stdin>".to_owned()
    } else {
        args.input.display().to_string()
    }
}

fn unregistered(args: &Args) -> Unregistered {
    if args.has("allow-unregistered-dialect") {
        Unregistered::Allow
    } else {
        Unregistered::Refuse
    }
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
        form: if args.has("mlir-print-op-generic") {
            Form::Generic
        } else {
            Form::Custom
        },
        locations: match (args.has("mlir-print-debuginfo"), local) {
            (false, _) => Locations::Hidden,
            (true, false) => Locations::Aliased,
            (true, true) => Locations::Inline,
        },
        names: if args.has("mlir-print-op-generic") {
            NamePolicy::Numbered
        } else {
            NamePolicy::Kept
        },
        aliases: if local {
            AliasPolicy::Inline
        } else {
            AliasPolicy::Defined
        },
        regions: if args.has("mlir-print-skip-regions") {
            RegionPolicy::Skipped
        } else {
            RegionPolicy::Full
        },
        elements: ElementsLimits {
            hex_above: args
                .number("mlir-print-elementsattrs-with-hex-if-larger")
                .or(defaults.hex_above),
            elide_above: args
                .number("mlir-elide-elementsattrs-if-larger")
                .or(defaults.elide_above),
        },
    }
}

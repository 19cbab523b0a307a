//! Text tests: every `.mlir` file beside this one is a test; its first line says which kind.
//!
//! * `// round-trip`: the program verifies; printed in its custom form it is the file, byte for byte; read back from
//!   its generic form it is the same again. Programs of upstream's dialects alone also pass through `mlir-opt`, which
//!   prints the same, in generic and in custom form.
//! * `// pass: PIPELINE`: the program after the pipeline, verified after each pass, is what is expected.
//!   With a line `// upstream: FLAGS` in its header, `mlir-opt` with these flags must come to the same program; where
//!   each keeps its constants does not count.
//! * `// errors` or `// errors: PIPELINE`: reading, verifying (or the pipeline) fails with the messages expected.
//!   Parts separated by `// -----` are programs of their own. Files `.blas` are scripts of linear algebra.
//! * `// parity`: see [`parity`]. `// side-by-side: PIPELINE`: see [`side_by_side`].
//!
//! `BLESS=1 tools/test -p segra-tests --test text` accepts what comes out. Folders group files by question:
//! dialects, passes, pipelines, errors. Deliberately absent: running programs (see `tests/run`).

mod attributes;
mod chains;
mod folding;
mod parity;
mod side_by_side;

use libtest_mimic::Trial;
use segra_ir::diag::render::{Style, render};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline, VerifyEach};
use segra_tests::case::{self, Case, Failure};
use segra_tests::upstream::{self, MlirOpt};
use segra_text::printer::{Form, NamePolicy};
use segra_text::{ParseOptions, Parsed, PrintOptions, Unregistered, parse_source, print};
use std::path::Path;
use std::process::ExitCode;

mod canonical_form;
use std::sync::Arc;

/// Separates programs of one file.
const SPLIT: &str = "// -----\n";

fn main() -> ExitCode {
    let folder = case::folder().join("text");
    let files = case::files(&folder, "mlir").expect("the folder of text tests can be read");
    let oracle = MlirOpt::find();
    let trial = |path: &Path| {
        let name = path
            .strip_prefix(&folder)
            .unwrap_or(path)
            .display()
            .to_string();
        let (path, oracle) = (path.to_owned(), oracle.clone());
        Trial::test(name, move || {
            run(&path, oracle.as_ref()).map_err(Into::into)
        })
    };
    let mut files = files;
    files.extend(case::files(&folder, segra_blas::ENDING).expect("as before"));
    let mut trials: Vec<Trial> = files.iter().map(|path| trial(path)).collect();
    let other = oracle.clone();
    trials.push(Trial::test("parity/attributes", move || {
        attributes::attributes(other.as_ref()).map_err(Into::into)
    }));
    let other = oracle.clone();
    trials.push(Trial::test("parity/chains", move || {
        chains::chains(other.as_ref()).map_err(Into::into)
    }));
    let other = oracle.clone();
    trials.push(Trial::test("parity/folding", move || {
        folding::expressions(other.as_ref()).map_err(Into::into)
    }));
    trials.push(Trial::test("parity/mutants", move || {
        let parity = files
            .iter()
            .filter_map(|path| Case::read(path).ok())
            .filter(|case| case.kind == "parity");
        parity::mutants(&parity.collect::<Vec<_>>(), oracle.as_ref()).map_err(Into::into)
    }));
    segra_tests::filters::run(trials)
}

fn run(path: &Path, oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let case = Case::read(path)?;
    match case.kind.as_str() {
        "round-trip" => round_trip(&case, oracle),
        "pass" => pass(&case, oracle),
        "errors"
            if path
                .extension()
                .is_some_and(|ending| ending == segra_blas::ENDING) =>
        {
            errors(&case, &script)
        }
        "errors" if case.argument.is_empty() => errors(&case, &read),
        "errors" => errors(&case, &|text| transformed(text, &case.argument)),
        "parity" => parity::parity(&case, oracle),
        "side-by-side" => side_by_side::parts(&case, oracle),
        other => Err(format!(
            "{}: no kind of test is called `{other}`",
            path.display()
        )),
    }
}

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    ctx
}

/// Reads a script of calls of linear algebra.
fn script(text: &str) -> Result<Ir, Failure> {
    match segra_blas::read("input", text) {
        Ok(program) => Ok(program.into_ir()),
        Err(failure) => Err(failure.render(Style::Plain)),
    }
}

/// Reads and verifies a program. The readable part of a wrong text is verified too.
fn read(text: &str) -> Result<Ir, Failure> {
    let ctx = context();
    let Parsed { ir, mut diags } = parse_source(&ctx, "input", text, &ParseOptions::default());
    let unregistered = if diags.has_errors() {
        Unregistered::Allow
    } else {
        Unregistered::Refuse
    };
    verify_op(&ir, ir.root(), &VerifyOptions { unregistered }, &mut diags);
    diags.sort_by_position(&ctx);
    if diags.has_errors() {
        Err(rendered(&ctx, &diags))
    } else {
        Ok(ir)
    }
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|diagnostic| render(ctx, diagnostic, Style::Plain))
        .collect()
}

fn custom(ir: &Ir) -> String {
    print(ir, ir.root(), &PrintOptions::default())
}

fn generic(ir: &Ir) -> String {
    print(
        ir,
        ir.root(),
        &PrintOptions {
            form: Form::Generic,
            ..PrintOptions::default()
        },
    )
}

fn round_trip(case: &Case, oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let ir = read(&case.source()).map_err(|error| format!("{}\n{error}", case.path.display()))?;
    let (first_custom, first_generic) = (custom(&ir), generic(&ir));
    case.expect_program(&first_custom)?;
    for (form, text) in [("custom", &first_custom), ("generic", &first_generic)] {
        let again = read(text)
            .map_err(|error| format!("the {form} form cannot be read back:\n{error}\n{text}"))?;
        same(
            &format!("custom form, read from the {form} form"),
            &first_custom,
            &custom(&again),
        )?;
        same(
            &format!("generic form, read from the {form} form"),
            &first_generic,
            &generic(&again),
        )?;
    }
    match oracle {
        Some(oracle) if is_upstream(&ir) => accepted_by_upstream(&ir, oracle),
        _ => Ok(()),
    }
}

fn same(what: &str, wanted: &str, found: &str) -> Result<(), Failure> {
    if wanted == found {
        Ok(())
    } else {
        Err(format!(
            "{what} differs:\n{}",
            case::difference(wanted, found)
        ))
    }
}

/// Whether all its ops are of dialects whose generic form is upstream's.
fn is_upstream(ir: &Ir) -> bool {
    let dialect = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    ir.walk(ir.root())
        .into_iter()
        .all(|op| upstream::DIALECTS.contains(&dialect(ir.op_name_str(op)).as_str()))
}

/// The output of `mlir-opt` for the input must be that of Segra's pass.
fn parity_of_pass(case: &Case, mut ours: Ir, flags: &str, oracle: &MlirOpt) -> Result<(), Failure> {
    let input = read(&case.source())?;
    let input = print(&input, input.root(), &PrintOptions::mlir_generic());
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let theirs = oracle
        .transformed(&input, &flags)
        .map_err(|error| format!("mlir-opt fails:\n{error}"))?;
    let mut theirs = read(&upstream::without_defaults(&theirs))?;
    let [ours, theirs] = [&mut ours, &mut theirs].map(canonical_form::text);
    same(
        &format!(
            "upstream's result (-) and Segra's (+) of {}",
            flags.join(" ")
        ),
        &theirs,
        &ours,
    )
}

/// The output of `mlir-opt` for the custom form must be the custom form, names of values aside; its output for the
/// generic form must be the generic form, and must mean the same read back here.
fn accepted_by_upstream(ir: &Ir, oracle: &MlirOpt) -> Result<(), Failure> {
    let ours = print(ir, ir.root(), &PrintOptions::mlir_generic());
    let theirs = oracle
        .generic(&ours)
        .map_err(|error| format!("mlir-opt refuses the generic form:\n{error}\n{ours}"))?;
    same(
        "what mlir-opt makes of the generic form",
        &ours,
        &upstream::without_defaults(&theirs),
    )?;
    let numbered = PrintOptions {
        names: NamePolicy::Numbered,
        ..PrintOptions::default()
    };
    let custom = print(ir, ir.root(), &numbered);
    let theirs_custom = oracle
        .custom(&custom)
        .map_err(|error| format!("mlir-opt refuses the custom form:\n{error}\n{custom}"))?;
    // Where types differ that upstream's form takes for one, Segra writes the generic form, which loses none.
    if !custom.contains("\"(") {
        same(
            "what mlir-opt makes of the custom form",
            &upstream::without_names(&theirs_custom),
            &upstream::without_names(&custom),
        )?;
    }
    let again = read(&theirs)
        .map_err(|error| format!("what mlir-opt prints cannot be read:\n{error}\n{theirs}"))?;
    let again = print(&again, again.root(), &PrintOptions::mlir_generic());
    same(
        "what mlir-opt prints, read and printed again",
        theirs.trim_end(),
        again.trim_end(),
    )
}

/// The program after a pipeline, or what went wrong.
fn transformed(text: &str, pipeline: &str) -> Result<Ir, Failure> {
    let mut ir = read(text)?;
    let pipeline = Pipeline::parse(pipeline, &segra_pipeline::registry())
        .map_err(|error| error.to_string())?;
    let mut diags = Diagnostics::new();
    let outcome = PassManager::new(&pipeline)
        .verify_each(VerifyEach::Yes)
        .run(&mut ir, &mut diags);
    if outcome.is_err() || diags.has_errors() {
        Err(rendered(ir.ctx(), &diags))
    } else {
        Ok(ir)
    }
}

fn pass(case: &Case, oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let ir = transformed(&case.source(), &case.argument)
        .map_err(|error| format!("{}: {}\n{error}", case.path.display(), case.argument))?;
    let found = custom(&ir);
    // The output of a pass must be readable, too.
    let again = read(&found)
        .map_err(|error| format!("the result cannot be read back:\n{error}\n{found}"))?;
    same("the result, read back", &found, &custom(&again))?;
    case.expect(&found)?;
    match (case.values("upstream").next(), oracle) {
        (Some(flags), Some(oracle)) => parity_of_pass(case, ir, flags, oracle),
        _ => Ok(()),
    }
}

fn errors(case: &Case, read: &dyn Fn(&str) -> Result<Ir, Failure>) -> Result<(), Failure> {
    let source = case.source();
    let mut found = String::new();
    let mut lines_before = 0;
    for part in source.split(SPLIT) {
        // Parts keep their line numbers.
        let text = format!("{}{part}", "\n".repeat(lines_before));
        lines_before += part.lines().count() + 1;
        match read(&text) {
            Err(messages) => found += format!("{}\n", messages.trim_end()).as_str(),
            Ok(_) => {
                return Err(format!(
                    "{}: no error in this part:\n{part}",
                    case.path.display()
                ));
            }
        }
    }
    case.expect(&found)
}

//! `segra bisect`: finds the first kernel whose result on a device differs from the reference interpreter's, and
//! writes it with its inputs as a program of its own.

use crate::args::Bisect;
use crate::report::{Error, note, shown};
use crate::{inputs, output, source, watch};
use segra::bisect::{Suspect, Verdict};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Searches; a difference is an error with an exit code of its own.
pub(crate) fn bisect(args: &Bisect) -> Result<(), Error> {
    watch::end_after(args.time_limit, "the wrong kernel is searched for");
    let program = source::read_program(&args.file)?;
    let signatures = program.signatures();
    let entries: Vec<_> = signatures.entries().collect();
    let entry = inputs::choose_entry(&entries, args.arguments.entry.as_deref())?;
    let values = inputs::materialise(entry, &args.arguments, Some(&program))?;
    let tolerance = source::tolerance(&args.arguments, &values);
    let device =
        segra_runtime::open(args.device).map_err(|error| Error::message(error.to_string()))?;
    let compiler = source::compiler(&args.common);
    let verdict = segra::bisect::bisect(
        &compiler,
        &program,
        &device,
        &entry.name,
        &values,
        tolerance,
    )?;
    let path = match &verdict {
        Verdict::Kernel(suspect) => Some(write(args, suspect)?),
        _ => None,
    };
    if args.json {
        output::print(&format!("{}\n", json_of(&verdict, path.as_deref())))?;
    }
    match &verdict {
        Verdict::Agrees(count) => {
            let kernels = if *count == 1 {
                "the kernel".to_owned()
            } else {
                format!("all {count} kernels")
            };
            note(&format!(
                "{kernels} and the whole program agree with the reference interpreter"
            ));
            Ok(())
        }
        Verdict::Kernel(suspect) => {
            let place = if suspect.location.is_empty() {
                "an unknown place"
            } else {
                &suspect.location
            };
            let file = path.map(|path| shown(&path)).unwrap_or_default();
            Err(Error::Differs(format!(
                "kernel {} of the run ({} from {place}): {}\nthe kernel with its inputs: {file}",
                suspect.number, suspect.op, suspect.finding
            )))
        }
        Verdict::Together(count, finding) => Err(Error::Differs(format!(
            "all {count} kernels agree one by one, the program as a whole does not (so the host plan is wrong): {finding}"
        ))),
    }
}

fn write(args: &Bisect, suspect: &Suspect) -> Result<PathBuf, Error> {
    let default = || {
        let stem = if args.file == Path::new("-") {
            Path::new("program")
        } else {
            args.file.as_path()
        };
        stem.with_extension("kernel.mlir")
    };
    let path = args.output.clone().unwrap_or_else(default);
    output::write(&path, suspect.reproducer.as_bytes())?;
    Ok(path)
}

fn json_of(verdict: &Verdict, path: Option<&Path>) -> Json {
    match verdict {
        Verdict::Agrees(count) => json!({ "agrees": true, "kernels": count }),
        Verdict::Kernel(suspect) => json!({
            "agrees": false,
            "kernel": {
                "number": suspect.number,
                "op": suspect.op,
                "location": suspect.location,
                "finding": suspect.finding.to_string(),
                "file": path.map(|path| path.display().to_string()),
            },
        }),
        Verdict::Together(count, finding) => {
            json!({ "agrees": false, "kernels": count, "whole": finding.to_string() })
        }
    }
}

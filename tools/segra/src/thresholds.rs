//! Which versions of a program run: thresholds from a tuning file and from the command line.

use crate::args::Thresholds;
use crate::report::{Error, note};
use segra::Artifact;
use segra_runtime::RunReport;
use segra_tune::Tuning;
use segra_tune::measure::Settings;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Where the tuning of a program lies: beside it, with `.tuning` added to its whole name.
pub(crate) fn beside(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".tuning");
    PathBuf::from(name)
}

/// The thresholds that do not have their defaults.
pub(crate) fn settings(
    args: &Thresholds,
    program: &Path,
    artifact: &Artifact,
) -> Result<Settings, Error> {
    let mut settings = from_file(args, program, artifact)?;
    for (name, value) in &args.thresholds {
        if artifact.tunables.iter().all(|known| known.name != *name) {
            let names: Vec<&str> = artifact
                .tunables
                .iter()
                .map(|known| known.name.as_str())
                .collect();
            let available = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            return Err(Error::message(format!(
                "there is no threshold `{name}`; there are: {available}"
            )));
        }
        settings.insert(name.clone(), *value);
    }
    Ok(settings)
}

fn from_file(args: &Thresholds, program: &Path, artifact: &Artifact) -> Result<Settings, Error> {
    let path = match &args.tuning {
        _ if args.no_tuning => return Ok(Settings::new()),
        Some(path) => path.clone(),
        None if program == Path::new("-") => return Ok(Settings::new()),
        None => beside(program),
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if args.tuning.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Settings::new());
        }
        Err(error) => return Err(Error::file("read", &path, error)),
    };
    let tuning = Tuning::parse(&text)
        .map_err(|error| Error::message(format!("{}: {error}", path.display())))?;
    let (settings, stale) = tuning.split(artifact);
    if !stale.is_empty() {
        let names = stale.join(", ");
        note(&format!(
            "segra: warning: {} has thresholds that the program has not: {names}; tune it again",
            path.display()
        ));
    }
    let count = settings.len();
    let plural = if count == 1 { "" } else { "s" };
    note(&format!(
        "tuning: {count} threshold{plural} from {}",
        path.display()
    ));
    Ok(settings)
}

/// The thresholds a run asked, and what they were compared with.
pub(crate) fn asked(report: &RunReport) -> Json {
    let rows = report.comparisons.iter();
    rows.map(|row| json!({ "name": row.tunable, "compared_with": row.value, "times": row.times }))
        .collect()
}

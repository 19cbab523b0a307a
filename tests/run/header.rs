//! Lines of a program's header that say what comes out of it: checked, or written with `BLESS=1`.
//!
//! ```text
//! // structure: kernel.segmap 1, scf.for 2     ops after flattening in one version, kinds `kernel.seg*` in full
//! // versions: kernel.segmap 3                 the same of all versions
//! // shapes: 5                                 shapes compared, where it is not all of them (see `versions`)
//! ```

use segra::ir::Ir;
use segra_tests::case::{Case, Failure, blessing};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Trials run side by side; each writes a line of its own.
static WRITING: Mutex<()> = Mutex::new(());

/// Compares what was found with the header's line for `key`; `None`: there is no such line.
pub(crate) fn expect(case: &Case, key: &str, found: Option<&str>) -> Result<(), Failure> {
    let mut wanted = case.values(key);
    if wanted.next() == found && wanted.next().is_none() {
        return Ok(());
    }
    let path = case.path.display();
    if !blessing() {
        let advice = "BLESS=1 writes what was found";
        let wanted = case.values(key).collect::<Vec<_>>();
        return Err(format!(
            "{path}: `// {key}:` is {found:?}, the header says {wanted:?} ({advice})"
        ));
    }
    let _alone = WRITING.lock().map_err(|error| error.to_string())?;
    let error = |error: std::io::Error| format!("{path}: {error}");
    let text = std::fs::read_to_string(&case.path).map_err(error)?;
    let own = format!("// {key}:");
    let mut lines: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with(&own))
        .map(str::to_owned)
        .collect();
    if let Some(found) = found {
        let end = lines
            .iter()
            .position(|line| !line.starts_with("//"))
            .unwrap_or(lines.len());
        lines.insert(end, format!("{own} {found}"));
    }
    std::fs::write(&case.path, lines.join("\n") + "\n").map_err(error)
}

/// `kernel.segmap 2, scf.for 1`: how often each kind of segmented op is there, and each op that the header names.
pub(crate) fn counts(case: &Case, key: &str, ir: &Ir) -> String {
    let named = case
        .values(key)
        .flat_map(|line| line.split(','))
        .filter_map(|entry| entry.split_whitespace().next());
    let mut counts: BTreeMap<String, usize> = named.map(|name| (name.to_owned(), 0)).collect();
    for op in ir.walk(ir.root()) {
        let name = ir.op_name_str(op);
        if name.starts_with("kernel.seg") {
            *counts.entry(name.to_owned()).or_default() += 1;
        } else if let Some(count) = counts.get_mut(name) {
            *count += 1;
        }
    }
    let rows: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    if rows.is_empty() {
        "none".to_owned()
    } else {
        rows.join(", ")
    }
}

//! Findings for machines: JUnit's XML, which every CI shows, and SARIF 2.1.0, which shows them on the lines they are about.

use super::Ran;
use segra_ptx::{FaultKind, Finding, Kernel};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::Path;

/// One test case per kind of finding, failed where there are findings of it.
pub(super) fn junit(file: &Path, kernel: &Kernel, ran: &Ran) -> String {
    let of = |kind: FaultKind| {
        ran.findings
            .iter()
            .filter(move |finding| finding.kind() == kind)
    };
    let failures = FaultKind::ALL
        .into_iter()
        .filter(|&kind| of(kind).next().is_some())
        .count();
    let suite = escaped(&file.display().to_string());
    let name = escaped(kernel.name());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{suite}\" tests=\"{}\" \
         failures=\"{failures}\">\n",
        FaultKind::ALL.len()
    );
    for kind in FaultKind::ALL {
        let _ = write!(
            text,
            "    <testcase classname=\"{name}\" name=\"{}\"",
            kind.name()
        );
        if of(kind).next().is_none() {
            text += "/>\n";
            continue;
        }
        text += ">\n";
        for finding in of(kind) {
            let message = escaped(&finding.report.reason.to_string());
            let _ = writeln!(
                text,
                "      <failure message=\"{message}\">{}</failure>",
                escaped(&finding.to_string())
            );
        }
        text += "    </testcase>\n";
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// Text for XML; characters XML does not have are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// One result per finding, at its line of the PTX, with its location in the source where that is known.
pub(super) fn sarif(file: &Path, ran: &Ran) -> String {
    let rules: Vec<Json> = FaultKind::ALL
        .iter()
        .map(|kind| json!({ "id": kind.name() }))
        .collect();
    let results: Vec<Json> = ran
        .findings
        .iter()
        .map(|finding| result(file, finding))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "segra ptx", "version": env!("CARGO_PKG_VERSION"), "rules": rules,
            } },
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn result(file: &Path, finding: &Finding) -> Json {
    let report = &finding.report;
    let location = |uri: &str, line: u32| {
        let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } });
        // A launch that did not start is about no line.
        if line > 0 {
            location["physicalLocation"]["region"] = json!({ "startLine": line });
        }
        location
    };
    let mut result = json!({
        "ruleId": finding.kind().name(),
        "level": "error",
        "message": { "text": finding.to_string() },
        "locations": [location(&file.display().to_string(), report.line)],
        "occurrenceCount": finding.count,
    });
    if let Some(at) = &report.source_location {
        result["relatedLocations"] = json!([location(&at.file, at.line)]);
    }
    result
}

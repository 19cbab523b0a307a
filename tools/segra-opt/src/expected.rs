//! `--verify-diagnostics`: diagnostics against comments in the text.
//!
//! `// expected-error {{text}}` expects an error on its line whose message contains the text; also `-warning`, `-note`,
//! `-remark`. A place follows as `@+2`, `@-1`, `@above`, `@below` (the nearest line that holds no expectation) or
//! `@unknown`. With `-re` the parts in inner `{{...}}` are regular expressions. As in `mlir-opt`, an expectation may be
//! met several times, and one that only the kind of a diagnostic misses is said to be near.

use regex::Regex;
use segra_ir::diag::file_position;
use segra_ir::source::TextStart;
use segra_ir::{Context, Diagnostics, Severity};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A diagnostic a comment expects.
#[derive(Debug)]
struct Expectation {
    severity: Severity,
    /// Line of the file, from 1; `None`: no place at all.
    line: Option<usize>,
    /// The comment's own line.
    comment_line: usize,
    text: String,
    pattern: Regex,
    met: bool,
}

/// The verdict on diagnostics that no comment expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// Wrong.
    Wrong,
    /// No concern.
    Ignored,
}

/// A mismatch: the line it belongs to (0: none) and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Compares diagnostics with the comments in a text that starts there in its file.
pub(crate) fn check(
    ctx: &Context,
    (text, start): (&str, TextStart),
    diags: &Diagnostics,
    others: Others,
) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    let mut expectations = expectations(text, start.lines_before as usize, &mut mismatches);
    let mut by_line: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (index, one) in expectations.iter().enumerate() {
        by_line.entry(one.line).or_default().push(index);
    }
    for diagnostic in diags.iter() {
        let notes = diagnostic
            .notes
            .iter()
            .map(|(loc, message)| (Severity::Note, *loc, message));
        let own = std::iter::once((diagnostic.severity, diagnostic.loc, &diagnostic.message));
        for (severity, loc, message) in own.chain(notes) {
            let line = file_position(ctx, loc).map(|place| place.1 as usize);
            let near = by_line.get(&line).map_or(&[][..], Vec::as_slice);
            let kind = severity.word();
            mismatches.extend(
                meet(&mut expectations, near, severity, message)
                    .err()
                    .and_then(|miss| match miss {
                        Some((line, wanted)) => Some(Mismatch {
                            line,
                            message: format!(
                                "'{kind}' diagnostic emitted when expecting a '{}'",
                                wanted.word()
                            ),
                        }),
                        None if others == Others::Ignored => None,
                        None => Some(Mismatch {
                            line: line.unwrap_or(0),
                            message: format!("unexpected {kind}: {message}"),
                        }),
                    }),
            );
        }
    }
    mismatches.extend(
        expectations
            .into_iter()
            .filter(|one| !one.met)
            .map(|one| Mismatch {
                line: one.comment_line,
                message: format!(
                    "expected {} \"{}\" was not produced",
                    one.severity.word(),
                    one.text
                ),
            }),
    );
    mismatches
}

/// Marks the first expectation among those in `near` that fits a message as met. `Err`: there is none of that kind; the
/// last one of another kind with its line.
fn meet(
    expectations: &mut [Expectation],
    near: &[usize],
    severity: Severity,
    message: &str,
) -> Result<(), Option<(usize, Severity)>> {
    let mut near_miss = None;
    for &index in near {
        let one = &mut expectations[index];
        if !one.pattern.is_match(message) {
            continue;
        }
        if one.severity == severity {
            one.met = true;
            return Ok(());
        }
        near_miss = Some((one.comment_line, one.severity));
    }
    Err(near_miss)
}

/// The pattern of an expectation; compiled once, for there may be many parts. The pattern is a constant, a test reads it.
static COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"expected-(error|note|remark|warning)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}\s*$",
    )
    .ok()
});

fn severity(word: &str) -> Severity {
    match word {
        "error" => Severity::Error,
        "note" => Severity::Note,
        "remark" => Severity::Remark,
        _ => Severity::Warning,
    }
}

/// The pattern of a message, or of one that holds patterns.
fn pattern(body: &str, is_mixed: bool) -> Result<Regex, String> {
    let source = match is_mixed {
        true => mixed_pattern(body)?,
        false => regex::escape(body),
    };
    Regex::new(&source).map_err(|error| format!("bad regex: {error}"))
}

fn expectations(
    text: &str,
    lines_before: usize,
    mismatches: &mut Vec<Mismatch>,
) -> Vec<Expectation> {
    let Some(comment) = &*COMMENT else {
        return Vec::new();
    };
    let mut found: Vec<Expectation> = Vec::new();
    // The last line without an expectation, and the expectations that wait for the next one.
    let (mut plain_line, mut waiting) = (lines_before + 1, Vec::new());
    let last_line = lines_before + text.lines().count();
    for (index, line) in text.lines().enumerate() {
        let comment_line = lines_before + index + 1;
        let Some(parts) = comment.captures(line) else {
            plain_line = comment_line;
            for index in waiting.drain(..) {
                let waiting: &mut Expectation = &mut found[index];
                waiting.line = Some(comment_line);
            }
            continue;
        };
        let severity = severity(&parts[1]);
        let line = match parts.get(3).map(|place| place.as_str()) {
            None => Some(comment_line),
            Some("above") => Some(plain_line),
            Some("below") => Some(last_line),
            Some("unknown") => None,
            Some(offset) => offset
                .parse()
                .ok()
                .and_then(|offset| comment_line.checked_add_signed(offset)),
        };
        let body = &parts[4];
        match pattern(body, parts.get(2).is_some()) {
            Ok(pattern) => {
                if parts.get(3).is_some_and(|place| place.as_str() == "below") {
                    waiting.push(found.len());
                }
                found.push(Expectation {
                    severity,
                    line,
                    comment_line,
                    text: body.to_owned(),
                    pattern,
                    met: false,
                });
            }
            Err(message) => mismatches.push(Mismatch {
                line: comment_line,
                message,
            }),
        }
    }
    found
}

/// Literal text with regular expressions in `{{...}}`.
fn mixed_pattern(body: &str) -> Result<String, String> {
    let mut source = String::new();
    let mut rest = body;
    while let Some(open) = rest.find("{{") {
        let Some(length) = rest[open + 2..].find("}}") else {
            return Err("found start of regex with no end '}}'".to_owned());
        };
        source += &regex::escape(&rest[..open]);
        source += &format!("(?:{})", &rest[open + 2..open + 2 + length]);
        rest = &rest[open + 4 + length..];
    }
    Ok(source + &regex::escape(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use segra_ir::LocKind;

    fn verdict(text: &str, produced: &[(Severity, u32, &str)]) -> Vec<String> {
        verdict_on(text, produced, Others::Wrong)
    }

    fn verdict_on(text: &str, produced: &[(Severity, u32, &str)], others: Others) -> Vec<String> {
        let ctx = Context::new();
        let file = ctx.ident("f");
        let mut diags = Diagnostics::new();
        for &(severity, line, message) in produced {
            let loc = match line {
                0 => segra_ir::Loc::UNKNOWN,
                line => ctx.loc(LocKind::File {
                    file,
                    line,
                    column: 1,
                }),
            };
            diags.push(segra_ir::Diagnostic::new(severity, loc, message));
        }
        check(&ctx, (text, TextStart::default()), &diags, others)
            .into_iter()
            .map(|row| format!("{}: {}", row.line, row.message))
            .collect()
    }

    #[test]
    fn places_are_relative_to_the_comment() {
        let text = "x // expected-error {{here}}\n// expected-note@-1 {{up}}\n// expected-warning @+3 {{far}}\n\
                    // expected-remark@below {{next}}\n// expected-error@below {{next}}\ny\n\
                    // expected-note@above {{over}}\n// expected-error@above {{over}}\n\
                    // expected-error@unknown {{nowhere}}";
        let produced = [
            (Severity::Error, 1, "it is here."),
            (Severity::Note, 1, "look up"),
            (Severity::Warning, 6, "far"),
            (Severity::Remark, 6, "next"),
            (Severity::Error, 6, "next"),
            (Severity::Note, 6, "over"),
            (Severity::Error, 6, "over"),
            (Severity::Error, 0, "nowhere"),
        ];
        assert_eq!(verdict(text, &produced), Vec::<String>::new());
    }

    #[test]
    fn an_expectation_is_met_by_the_right_kind_as_often_as_it_comes() {
        let text = "// expected-error@below {{bad}}\n\n";
        let bad = (Severity::Error, 2, "bad");
        assert_eq!(verdict(text, &[bad, bad]), Vec::<String>::new());
        assert_eq!(
            verdict(text, &[bad, (Severity::Error, 2, "worse")]),
            ["2: unexpected error: worse"]
        );
        let warned = [(Severity::Warning, 2, "bad")];
        assert_eq!(
            verdict(text, &warned),
            [
                "1: 'warning' diagnostic emitted when expecting a 'error'",
                "1: expected error \"bad\" was not produced"
            ]
        );
    }

    #[test]
    fn what_nobody_expects_may_be_let_be() {
        let text = "// expected-error@below {{bad}}\n\n";
        let (bad, more) = ((Severity::Error, 2, "bad"), (Severity::Error, 7, "worse"));
        assert_eq!(
            verdict_on(text, &[bad, more], Others::Ignored),
            Vec::<String>::new()
        );
        assert_eq!(
            verdict_on(text, &[more], Others::Ignored),
            ["1: expected error \"bad\" was not produced"]
        );
        assert_eq!(
            verdict_on(text, &[bad, (Severity::Warning, 2, "bad")], Others::Ignored).len(),
            1
        );
    }

    #[test]
    fn regular_expressions_stand_in_inner_braces() {
        let text = "// expected-error-re@+1 {{op '{{[a-z.]+}}' (bad) {{[0-9]+}} times}}\n";
        assert_eq!(
            verdict(text, &[(Severity::Error, 2, "op 'a.b' (bad) 12 times")]),
            Vec::<String>::new()
        );
        assert_eq!(
            verdict(text, &[(Severity::Error, 2, "op 'a.b' bad 12 times")]).len(),
            2
        );
        assert_eq!(verdict("// expected-error-re {{ {{(}} }}", &[]).len(), 1);
        assert_eq!(
            verdict("// expected-error {{a.b}}", &[(Severity::Error, 1, "axb")]).len(),
            2
        );
    }
}

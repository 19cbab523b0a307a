//! `--verify-diagnostics`: diagnostics against comments in the text.
//!
//! `// expected-error {{text}}` expects an error on its line whose message contains the text; also `-warning`, `-note`,
//! `-remark`. A place follows as `@+2`, `@-1`, `@above`, `@below` (the next line that has no expectation of its own is
//! not looked for: exactly one line away) or `@unknown`. With `-re` the parts in inner `{{...}}` are regular expressions.

use regex::Regex;
use segra_ir::diag::file_position;
use segra_ir::{Context, Diagnostics, Severity};

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

/// A mismatch: the line it belongs to (0: none) and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Compares diagnostics with the comments in `text`, whose positions are those of the diagnostics.
pub(crate) fn check(ctx: &Context, text: &str, diags: &Diagnostics) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    let mut expectations = expectations(text, &mut mismatches);
    for diagnostic in diags.iter() {
        let notes = diagnostic.notes.iter().map(|(loc, message)| (Severity::Note, *loc, message));
        let own = std::iter::once((diagnostic.severity, diagnostic.loc, &diagnostic.message));
        for (severity, loc, message) in own.chain(notes) {
            let line = file_position(ctx, loc).map(|place| place.1 as usize);
            let fits = |one: &&mut Expectation| {
                !one.met && one.severity == severity && one.line == line && one.pattern.is_match(message)
            };
            match expectations.iter_mut().find(fits) {
                Some(one) => one.met = true,
                None => mismatches.push(Mismatch {
                    line: line.unwrap_or(0),
                    message: format!("unexpected {}: {message}", severity.word()),
                }),
            }
        }
    }
    mismatches.extend(expectations.into_iter().filter(|one| !one.met).map(|one| Mismatch {
        line: one.comment_line,
        message: format!("expected {} \"{}\" was not produced", one.severity.word(), one.text),
    }));
    mismatches
}

fn expectations(text: &str, mismatches: &mut Vec<Mismatch>) -> Vec<Expectation> {
    let comment = Regex::new(
        r"expected-(error|note|remark|warning)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}\s*$",
    );
    // The pattern is a constant; a test reads it.
    let Ok(comment) = comment else { return Vec::new() };
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(parts) = comment.captures(line) else { continue };
        let comment_line = index + 1;
        let severity = match &parts[1] {
            "error" => Severity::Error,
            "note" => Severity::Note,
            "remark" => Severity::Remark,
            _ => Severity::Warning,
        };
        let line = match parts.get(3).map(|place| place.as_str()) {
            None => Some(comment_line),
            Some("above") => Some(comment_line.saturating_sub(1)),
            Some("below") => Some(comment_line + 1),
            Some("unknown") => None,
            Some(offset) => offset.parse().ok().and_then(|offset| comment_line.checked_add_signed(offset)),
        };
        let body = &parts[4];
        let source = if parts.get(2).is_some() { mixed_pattern(body) } else { regex::escape(body) };
        match Regex::new(&source) {
            Ok(pattern) => {
                found.push(Expectation {
                    severity,
                    line,
                    comment_line,
                    text: body.to_owned(),
                    pattern,
                    met: false,
                });
            }
            Err(error) => {
                mismatches.push(Mismatch { line: comment_line, message: format!("bad regex: {error}") })
            }
        }
    }
    found
}

/// Literal text with regular expressions in `{{...}}`.
fn mixed_pattern(body: &str) -> String {
    let mut source = String::new();
    let mut rest = body;
    while let Some(open) = rest.find("{{") {
        let Some(length) = rest[open + 2..].find("}}") else { break };
        source += &regex::escape(&rest[..open]);
        source += &format!("(?:{})", &rest[open + 2..open + 2 + length]);
        rest = &rest[open + 4 + length..];
    }
    source + &regex::escape(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use segra_ir::LocKind;

    fn verdict(text: &str, produced: &[(Severity, u32, &str)]) -> Vec<String> {
        let ctx = Context::new();
        let file = ctx.ident("f");
        let mut diags = Diagnostics::new();
        for &(severity, line, message) in produced {
            let loc = match line {
                0 => segra_ir::Loc::UNKNOWN,
                line => ctx.loc(LocKind::File { file, line, column: 1 }),
            };
            diags.push(segra_ir::Diagnostic::new(severity, loc, message));
        }
        check(&ctx, text, &diags).into_iter().map(|row| format!("{}: {}", row.line, row.message)).collect()
    }

    #[test]
    fn places_are_relative_to_the_comment() {
        let text = "x // expected-error {{here}}\n// expected-note@-1 {{up}}\n// expected-warning @+2 {{far}}\n\
                    // expected-remark@below {{next}}\ny // expected-error@above {{over}}\n// expected-error@unknown {{nowhere}}";
        let produced = [
            (Severity::Error, 1, "it is here."),
            (Severity::Note, 1, "look up"),
            (Severity::Warning, 5, "far"),
            (Severity::Remark, 5, "next"),
            (Severity::Error, 4, "over"),
            (Severity::Error, 0, "nowhere"),
        ];
        assert_eq!(verdict(text, &produced), Vec::<String>::new());
    }

    #[test]
    fn an_expectation_is_met_once_by_the_right_kind() {
        let text = "// expected-error@below {{bad}}\n";
        let bad = (Severity::Error, 2, "bad");
        assert_eq!(verdict(text, &[bad, bad]), ["2: unexpected error: bad"]);
        let warned = [(Severity::Warning, 2, "bad")];
        assert_eq!(
            verdict(text, &warned),
            ["2: unexpected warning: bad", "1: expected error \"bad\" was not produced"]
        );
    }

    #[test]
    fn regular_expressions_stand_in_inner_braces() {
        let text = "// expected-error-re@+1 {{op '{{[a-z.]+}}' (bad) {{[0-9]+}} times}}\n";
        assert_eq!(verdict(text, &[(Severity::Error, 2, "op 'a.b' (bad) 12 times")]), Vec::<String>::new());
        assert_eq!(verdict(text, &[(Severity::Error, 2, "op 'a.b' bad 12 times")]).len(), 2);
        assert_eq!(verdict("// expected-error-re {{ {{(}} }}", &[]).len(), 1);
        assert_eq!(verdict("// expected-error {{a.b}}", &[(Severity::Error, 1, "axb")]).len(), 2);
    }
}

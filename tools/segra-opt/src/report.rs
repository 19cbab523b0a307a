//! Diagnostics on standard error: rendered for people, or one JSON object a line.

use crate::args::{Color, ReportForm};
use crate::run::Fatal;
use segra_ir::diag::file_position;
use segra_ir::{Context, Diagnostics, Loc};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Writes diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reporter {
    form: ReportForm,
    color: bool,
}

impl Reporter {
    pub(crate) fn new(form: ReportForm, color: Color) -> Reporter {
        let wanted = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::env::var_os("NO_COLOR").is_none() && std::io::stderr().is_terminal(),
        };
        Reporter { form, color: wanted }
    }
    /// Writes a text as it stands. Where standard error is gone nobody can be told.
    pub(crate) fn plain(&self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
    /// Writes diagnostics of one program.
    pub(crate) fn diagnostics(&self, ctx: &Context, diags: &Diagnostics) {
        let text = match self.form {
            ReportForm::Text => text(ctx, diags, self.color),
            ReportForm::Json => json_lines(ctx, diags),
        };
        self.plain(&text);
    }
}

fn text(ctx: &Context, diags: &Diagnostics, _color: bool) -> String {
    let place = |loc| match file_position(ctx, loc) {
        Some((file, line, column)) => format!("{}:{line}:{column}: ", ctx.str(file)),
        None => String::new(),
    };
    let mut out = String::new();
    for diagnostic in diags.iter() {
        out += &format!("{}{}: {}\n", place(diagnostic.loc), diagnostic.severity.word(), diagnostic.message);
        for (loc, message) in &diagnostic.notes {
            out += &format!("{}note: {message}\n", place(*loc));
        }
    }
    out
}

fn json_lines(ctx: &Context, diags: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in diags.iter() {
        let notes: Vec<Value> = diagnostic
            .notes
            .iter()
            .map(|(loc, message)| json!({ "message": message, "place": place(ctx, *loc) }))
            .collect();
        let row = json!({
            "severity": diagnostic.severity.word(),
            "message": diagnostic.message,
            "place": place(ctx, diagnostic.loc),
            "op": diagnostic.op_text,
            "notes": notes,
        });
        out += &format!("{row}\n");
    }
    out
}

fn place(ctx: &Context, loc: Loc) -> Value {
    match file_position(ctx, loc) {
        Some((file, line, column)) => json!({ "file": ctx.str(file), "line": line, "column": column }),
        None => Value::Null,
    }
}

/// Reports what ended the program before there was a diagnostic.
pub(crate) fn fatal(error: &Fatal) -> ExitCode {
    let message = match error {
        Fatal::File(error) => error.to_string(),
        Fatal::Pipeline(error) => error.to_string(),
    };
    let _ = writeln!(std::io::stderr().lock(), "segra-opt: error: {message}");
    ExitCode::FAILURE
}

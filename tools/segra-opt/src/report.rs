//! Diagnostics on standard error: rendered for people, or one JSON object a line.

use crate::args::{Color, ReportForm};
use crate::run::Fatal;
use segra_ir::diag::render::{Place, Style, printable, render};
use segra_ir::{Context, Diagnostics};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Writes diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reporter {
    form: ReportForm,
    style: Style,
}

impl Reporter {
    pub(crate) fn new(form: ReportForm, color: Color) -> Reporter {
        let wanted = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::env::var_os("NO_COLOR").is_none() && std::io::stderr().is_terminal()
            }
        };
        Reporter {
            form,
            style: if wanted {
                Style::Coloured
            } else {
                Style::Plain
            },
        }
    }
    /// Writes a text; see [`printable`]. Where standard error is gone nobody can be told.
    pub(crate) fn plain(&self, text: &str) {
        let _ = std::io::stderr()
            .lock()
            .write_all(printable(text).as_bytes());
    }
    /// Writes diagnostics of one program.
    pub(crate) fn diagnostics(&self, ctx: &Context, diags: &Diagnostics) {
        let text = match self.form {
            ReportForm::Text => text(ctx, diags, self.style),
            ReportForm::Json => json_lines(ctx, diags),
        };
        // Only what was rendered here has colours, and is without what a terminal would obey.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

fn text(ctx: &Context, diags: &Diagnostics, style: Style) -> String {
    diags
        .iter()
        .map(|diagnostic| render(ctx, diagnostic, style))
        .collect()
}

fn json_lines(ctx: &Context, diags: &Diagnostics) -> String {
    let place = |place: Option<Place>| match place {
        Some(place) => json!({ "file": place.file, "line": place.line, "column": place.column }),
        None => Value::Null,
    };
    let mut out = String::new();
    for diagnostic in diags.iter() {
        let fields = diagnostic.fields(ctx);
        let note = |(message, at): (String, Option<Place>)| json!({ "message": message, "place": place(at) });
        let row = json!({
            "severity": fields.severity,
            "message": fields.message,
            "place": place(fields.place),
            "op": fields.op,
            "notes": fields.notes.into_iter().map(note).collect::<Vec<_>>(),
        });
        out += &format!("{row}\n");
    }
    out
}

/// Reports what ended the program before there was a diagnostic.
pub(crate) fn fatal(tool: &str, error: &Fatal) -> ExitCode {
    let message = match error {
        Fatal::File(error) => error.to_string(),
        Fatal::Pipeline(error) => error.to_string(),
    };
    let message = printable(&message);
    let _ = writeln!(std::io::stderr().lock(), "{tool}: error: {message}");
    ExitCode::FAILURE
}

//! Diagnostics for people: position, message, the source line with a caret, the op, the notes with their places.
//!
//! The first line of each part reads `file:line:column: severity: message`, which editors and terminals recognise.
//! Deliberately absent: printing (tools do), and reading files (the context keeps the texts that were read).

use super::{Diagnostic, Severity, file_position};
use crate::context::{Context, Ident};
use crate::location::{Loc, LocKind};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::borrow::Cow;

/// Whether the text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// For files and pipes.
    #[default]
    Plain,
    /// With terminal escape codes.
    Coloured,
}

/// The text without what a terminal would obey: names come from files that anyone may have made. Control characters other than
/// line ends and tabs, and those that turn the direction of writing, are written as their numbers.
pub fn printable(text: &str) -> Cow<'_, str> {
    without(text, |c| is_obeyed(c) && !matches!(c, '\n' | '\t'))
}

/// A name, as of a file, in a text for terminals: as [`printable`], and it does not end a line.
pub fn printable_name(name: &str) -> Cow<'_, str> {
    without(name, is_obeyed)
}

fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn without(text: &str, obeyed: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&obeyed) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| {
        if obeyed(c) {
            c.escape_unicode().to_string()
        } else {
            c.to_string()
        }
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The text of a diagnostic, with a newline at the end. A terminal obeys nothing in it but the colours; see [`printable`].
pub fn render(ctx: &Context, diagnostic: &Diagnostic, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut parts = vec![Part::new(
        ctx,
        diagnostic.severity,
        diagnostic.loc,
        diagnostic.message.clone(),
    )];
    let mut asides = Vec::new();
    asides.extend(
        diagnostic
            .op_text
            .as_ref()
            .map(|text| ("op", printable(text))),
    );
    for (loc, message) in &diagnostic.notes {
        if file_position(ctx, *loc).is_some() {
            parts.push(Part::new(ctx, Severity::Note, *loc, message.clone()));
        } else {
            asides.push(("note", printable(message)));
        }
    }
    for caller in callers(ctx, diagnostic.loc) {
        parts.push(Part::new(
            ctx,
            Severity::Note,
            caller,
            "called from here".to_owned(),
        ));
    }
    let groups: Vec<Group<'_>> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| part.group(if index == 0 { &asides } else { &[] }))
        .collect();
    let mut text = renderer.render(&groups);
    text.push('\n');
    text
}

/// Where code that was inlined was called from, innermost call first, each place in a file once: functions that call each other
/// were inlined into each other several times, and each time their calls are other locations.
fn callers(ctx: &Context, loc: Loc) -> Vec<Loc> {
    /// The bytes not yet looked at.
    enum Step {
        Inside(Loc),
        Caller(Loc),
    }
    let (mut callers, mut places, mut found) = (Vec::new(), Vec::new(), 0);
    let mut pending = vec![Step::Inside(loc)];
    while let Some(step) = pending.pop() {
        match step {
            Step::Inside(loc) => match ctx.loc_kind(loc) {
                LocKind::CallSite { callee, caller } => {
                    pending.extend([
                        Step::Inside(*caller),
                        Step::Caller(*caller),
                        Step::Inside(*callee),
                    ]);
                }
                LocKind::Name { child, .. } => pending.push(Step::Inside(*child)),
                _ => {}
            },
            Step::Caller(caller) => {
                if let Some(place) = file_position(ctx, caller) {
                    found += 1;
                    if !places.contains(&place) {
                        places.push(place);
                        callers.push(caller);
                    }
                }
            }
        }
        // Nobody reads on; and each place was looked for all the way down.
        if found == MOST_CALLERS {
            break;
        }
    }
    callers
}

/// Callers looked at for one message.
const MOST_CALLERS: usize = 64;

/// A message with its place.
struct Part {
    severity: Severity,
    /// `file:line:column: severity`
    lead: String,
    message: String,
    line: Option<Line>,
}

/// A source line, cut to the surroundings of what is marked.
struct Line {
    number: usize,
    text: String,
    marked: std::ops::Range<usize>,
}

impl Part {
    fn new(ctx: &Context, severity: Severity, loc: Loc, message: String) -> Part {
        let word = severity.word();
        let message = printable(&message).into_owned();
        let Some((file, line, column)) = file_position(ctx, loc) else {
            return Part {
                severity,
                lead: word.to_owned(),
                message,
                line: None,
            };
        };
        let name = printable_name(ctx.str(file));
        let lead = match (line, column) {
            (0, _) => format!("{name}: {word}"),
            (_, 0) => format!("{name}:{line}: {word}"),
            _ => format!("{name}:{line}:{column}: {word}"),
        };
        let line = source_line(ctx, file, line, column, end_column(ctx, loc));
        Part {
            severity,
            lead,
            message,
            line,
        }
    }

    fn group<'a>(&'a self, asides: &'a [(&'a str, Cow<'a, str>)]) -> Group<'a> {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Remark => Level::INFO,
            Severity::Note => Level::NOTE,
        };
        let title = level
            .with_name(self.lead.as_str())
            .primary_title(self.message.as_str());
        let mut group = Group::with_title(title);
        if let Some(line) = &self.line {
            let marked = AnnotationKind::Primary.span(line.marked.clone());
            let snippet = Snippet::source(line.text.as_str())
                .line_start(line.number)
                .annotation(marked);
            group = group.element(snippet);
        }
        for (name, text) in asides {
            group = group.element(Level::NOTE.with_name(*name).message(text.as_ref()));
        }
        group
    }
}

/// The end of a range on one line.
fn end_column(ctx: &Context, mut loc: Loc) -> Option<u32> {
    loop {
        match ctx.loc_kind(loc) {
            LocKind::FileRange(range) if range.line == range.end_line => {
                return Some(range.end_column);
            }
            LocKind::Name { child, .. } => loc = *child,
            LocKind::CallSite { callee, .. } => loc = *callee,
            _ => return None,
        }
    }
}

fn source_line(
    ctx: &Context,
    file: Ident,
    line: u32,
    column: u32,
    end: Option<u32>,
) -> Option<Line> {
    // Longer lines are cut: generated files have lines of megabytes.
    const AROUND: usize = 120;
    let (text, range) = ctx.source_line(file, line)?;
    let text = &text[range];
    let text = text.strip_suffix('\r').unwrap_or(text);
    let start = floor_boundary(text, (column as usize).saturating_sub(1));
    let end = match end {
        Some(end) => floor_boundary(text, (end as usize).saturating_sub(1)).max(start),
        None => start + word_length(&text[start..]),
    };
    let first = if text.len() > 3 * AROUND {
        floor_boundary(text, start.saturating_sub(AROUND))
    } else {
        0
    };
    let last = floor_boundary(
        text,
        if text.len() > 3 * AROUND {
            start + 2 * AROUND
        } else {
            text.len()
        },
    );
    let end = end.min(last);
    let [before, marked, after] =
        [&text[first..start], &text[start..end], &text[end..last]].map(printable);
    Some(Line {
        number: line as usize,
        marked: before.len()..before.len() + marked.len(),
        text: format!("{before}{marked}{after}"),
    })
}

fn floor_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// Bytes of the word, name or quoted name a text starts with; else of its first character.
fn word_length(text: &str) -> usize {
    let sigils = text.len() - text.trim_start_matches(['%', '@', '^', '#', '!']).len();
    let rest = &text[sigils..];
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.find('"').map_or(text.len(), |end| sigils + end + 2);
    }
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    match sigils + rest.find(|c| !part(c)).unwrap_or(rest.len()) {
        0 => text.chars().next().map_or(0, char::len_utf8),
        length => length,
    }
}

/// A diagnostic as plain fields, for output that programs read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosticFields {
    /// "error", "warning", "remark" or "note".
    pub severity: &'static str,
    /// The problem.
    pub message: String,
    /// Where, if a file is known.
    pub place: Option<Place>,
    /// The op at fault, as text.
    pub op: Option<String>,
    /// Related places: message and position.
    pub notes: Vec<(String, Option<Place>)>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// File name as given to the reader.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl Diagnostic {
    /// The diagnostic as plain fields.
    pub fn fields(&self, ctx: &Context) -> DiagnosticFields {
        let place = |loc| {
            file_position(ctx, loc).map(|(file, line, column)| Place {
                file: ctx.str(file).to_owned(),
                line,
                column,
            })
        };
        DiagnosticFields {
            severity: self.severity.word(),
            message: self.message.clone(),
            place: place(self.loc),
            op: self.op_text.clone(),
            notes: self
                .notes
                .iter()
                .map(|(loc, message)| (message.clone(), place(*loc)))
                .collect(),
        }
    }
}

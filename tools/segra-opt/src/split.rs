//! `--split-input-file`: the parts of a file between markers, each at its place in the file.

/// A part of a file, and where in the file it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    /// Lines before it.
    pub(crate) lines_before: usize,
    /// Characters before it on its first line: the marker of the part before.
    pub(crate) columns_before: usize,
}

impl Part<'_> {
    /// The part as a text whose positions are those of the file.
    pub(crate) fn placed(&self) -> String {
        let mut text = "\n".repeat(self.lines_before);
        text.extend(std::iter::repeat_n(' ', self.columns_before));
        text.push_str(self.text);
        text
    }
}

/// The parts between markers, wherever they stand in a line, as `mlir-opt` takes them; without a marker the whole text.
pub(crate) fn parts<'a>(text: &'a str, marker: Option<&str>) -> Vec<Part<'a>> {
    let mut found = Vec::new();
    let mut part = Part { text, lines_before: 0, columns_before: 0 };
    let marker = marker.unwrap_or_default();
    while let Some(at) = part.text.find(marker).filter(|_| !marker.is_empty()) {
        let (before, after) = (&part.text[..at], &part.text[at + marker.len()..]);
        let last_line = before.rsplit('\n').next().unwrap_or(before);
        let lines = before.len() - before.replace('\n', "").len();
        let columns = if lines == 0 { part.columns_before } else { 0 };
        let next = Part {
            text: after,
            lines_before: part.lines_before + lines,
            columns_before: columns + last_line.chars().count() + marker.chars().count(),
        };
        part.text = before;
        found.push(std::mem::replace(&mut part, next));
    }
    found.push(part);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_their_lines() {
        let found = parts("a\nb\n// -----\nc // -----\n// -----  \n", Some("// -----"));
        let rows: Vec<_> =
            found.iter().map(|part| (part.text, part.lines_before, part.columns_before)).collect();
        assert_eq!(rows, [("a\nb\n", 0, 0), ("\nc ", 2, 8), ("\n", 3, 10), ("  \n", 4, 8)]);
        assert_eq!(found[1].placed(), "\n\n        \nc ");
        assert_eq!(parts("a\n// -----\nb", None).len(), 1);
    }
}

//! `--split-input-file`: the parts of a file between marker lines, each at its lines of the file.

/// A part of a file, with the number of lines before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines_before: usize,
}

impl Part<'_> {
    /// The part as a text whose positions are those of the file.
    pub(crate) fn placed(&self) -> String {
        let mut text = "\n".repeat(self.lines_before);
        text.push_str(self.text);
        text
    }
}

/// The parts between lines that consist of the marker; without a marker the whole text.
pub(crate) fn parts<'a>(text: &'a str, marker: Option<&str>) -> Vec<Part<'a>> {
    let mut found = Vec::new();
    let (mut start, mut first_line) = (0, 0);
    if let Some(marker) = marker {
        let mut at = 0;
        for (line, content) in text.split_inclusive('\n').enumerate() {
            if content.trim_end() == marker {
                found.push(Part { text: &text[start..at], lines_before: first_line });
                start = at + content.len();
                first_line = line + 1;
            }
            at += content.len();
        }
    }
    found.push(Part { text: &text[start..], lines_before: first_line });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_their_lines() {
        let found = parts("a\nb\n// -----\nc // -----\n// -----  \n", Some("// -----"));
        let rows: Vec<_> = found.iter().map(|part| (part.text, part.lines_before)).collect();
        assert_eq!(rows, [("a\nb\n", 0), ("c // -----\n", 3), ("", 5)]);
        assert_eq!(found[1].placed(), "\n\n\nc // -----\n");
        assert_eq!(parts("a\n// -----\nb", None).len(), 1);
    }
}

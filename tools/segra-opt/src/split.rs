//! `--split-input-file`: the parts of a file between markers, each at its place in the file.

use segra_ir::source::TextStart;

/// A part of a file, and where in the file it starts: after the marker of the part before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: TextStart,
}

/// The parts between markers, wherever they stand in a line, as `mlir-opt` takes them; without a marker the whole text.
pub(crate) fn parts<'a>(text: &'a str, marker: Option<&str>) -> Vec<Part<'a>> {
    let mut found = Vec::new();
    let mut part = Part {
        text,
        start: TextStart::default(),
    };
    let marker = marker.unwrap_or_default();
    while let Some(at) = part.text.find(marker).filter(|_| !marker.is_empty()) {
        let (before, after) = (&part.text[..at], &part.text[at + marker.len()..]);
        let last_line = before.rsplit('\n').next().unwrap_or(before);
        let lines = before.bytes().filter(|&byte| byte == b'\n').count();
        let columns = if lines == 0 {
            part.start.columns_before as usize
        } else {
            0
        };
        // Texts of 4 GiB and more are not read.
        let start = TextStart {
            lines_before: part.start.lines_before.saturating_add(lines as u32),
            columns_before: u32::try_from(columns + last_line.len() + marker.len())
                .unwrap_or(u32::MAX),
        };
        let next = Part { text: after, start };
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
        let rows: Vec<_> = found
            .iter()
            .map(|part| {
                (
                    part.text,
                    part.start.lines_before,
                    part.start.columns_before,
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("a\nb\n", 0, 0),
                ("\nc ", 2, 8),
                ("\n", 3, 10),
                ("  \n", 4, 8)
            ]
        );
        assert_eq!(parts("a\n// -----\nb", None).len(), 1);
    }
}

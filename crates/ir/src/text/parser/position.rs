//! Byte offsets to lines and columns, found when first asked for.

/// The starts of the lines seen so far, extended as far as asked.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// Offsets of line starts; the first is 0.
    starts: Vec<u32>,
    /// How far newlines were looked for.
    scanned: usize,
    /// The line of the latest answer: questions mostly come in order.
    latest: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines { starts: vec![0], scanned: 0, latest: 0 }
    }
}

impl Lines {
    /// Line and column of a byte, both from 1; columns count bytes, as MLIR's do.
    pub(crate) fn line_column(&mut self, text: &str, offset: u32) -> (u32, u32) {
        let wanted = (offset as usize).min(text.len());
        while self.scanned < wanted {
            let rest = &text.as_bytes()[self.scanned..];
            match memchr::memchr(b'\n', rest) {
                Some(distance) => {
                    self.scanned += distance + 1;
                    self.starts.push(self.scanned as u32);
                }
                None => self.scanned = text.len(),
            }
        }
        let line = self.line_of(offset);
        self.latest = line;
        (line as u32 + 1, offset - self.starts[line] + 1)
    }

    fn line_of(&self, offset: u32) -> usize {
        // A few steps on from the latest answer, else by bisection.
        if self.starts[self.latest] <= offset {
            for line in self.latest..(self.latest + 4).min(self.starts.len()) {
                if self.starts.get(line + 1).is_none_or(|&next| next > offset) {
                    return line;
                }
            }
        }
        self.starts.partition_point(|&start| start <= offset) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_and_columns_count_from_one_in_any_order() {
        let text = "ab\n\ncd\ne\nf\ng\nh\n";
        let expected: Vec<(u32, u32)> = {
            let (mut line, mut column) = (1, 1);
            let step = |byte: u8| {
                let at = (line, column);
                if byte == b'\n' {
                    (line, column) = (line + 1, 1)
                } else {
                    column += 1
                }
                at
            };
            text.bytes().map(step).collect()
        };
        let mut lines = Lines::default();
        for offset in (0..text.len()).chain((0..text.len()).rev()) {
            assert_eq!(lines.line_column(text, offset as u32), expected[offset], "offset {offset}");
        }
    }
}

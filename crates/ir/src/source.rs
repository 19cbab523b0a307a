//! Texts that were read: for the lines of diagnostics, and for locations whose line and column nobody asked for yet.
//!
//! A place in a text is the number of the text's first byte plus the byte's offset, so making a location costs nothing
//! and takes no space; its line and column are found when someone asks. Numbers of places lie above those of other
//! locations. Deliberately absent: forgetting. The starts of a text's lines are kept when another text takes its name,
//! because locations in it may be held anywhere; the text itself is dropped then.

use crate::context::Ident;
use crate::location::Loc;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A text that was read, for showing its lines in diagnostics.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name as given to the reader.
    pub file: Ident,
    /// The whole text, shared with whoever read it.
    pub text: Arc<String>,
}

/// Where in its file a text starts that is a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStart {
    /// Lines before the line that the text starts in.
    pub lines_before: u32,
    /// Bytes before the text in that line.
    pub columns_before: u32,
}

/// The first number of a place in a text.
pub(crate) const FIRST_PLACE: u32 = 1 << 31;

/// The texts of a context.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Every text that was ever read, by the number of its first byte.
    all: boxcar::Vec<Text>,
    /// The latest text of each name.
    latest: Mutex<Latest>,
}

#[derive(Debug, Default)]
struct Latest {
    /// Names and positions in `all`.
    texts: Vec<(Ident, usize)>,
    /// How many numbers of places are taken.
    taken: u32,
}

#[derive(Debug)]
struct Text {
    file: Ident,
    base: u32,
    data: Mutex<(Arc<String>, Lines)>,
}

impl Sources {
    /// Keeps a text in the place of the latest one of the same name; the number of its first byte, `None` where the
    /// numbers are used up (after 2 GiB of text).
    pub(crate) fn add(&self, file: Ident, text: Arc<String>, start: TextStart) -> Option<u32> {
        let mut latest = lock(&self.latest);
        let length = u32::try_from(text.len() + 1).ok();
        let taken = length.and_then(|length| latest.taken.checked_add(length));
        let taken = taken.filter(|&taken| taken < FIRST_PLACE);
        let base = FIRST_PLACE + latest.taken;
        latest.taken = taken.unwrap_or(latest.taken);
        let index = self.all.push(Text {
            file,
            base,
            data: Mutex::new((text, Lines::from(start))),
        });
        match latest.texts.iter_mut().find(|row| row.0 == file) {
            Some(row) => {
                let old = std::mem::replace(&mut row.1, index);
                let (text, lines) = &mut *lock(&self.all[old].data);
                lines.scan(text, text.len());
                *text = Arc::default();
            }
            None => latest.texts.push((file, index)),
        }
        taken.map(|_| base)
    }

    /// The latest text of that name.
    pub(crate) fn latest(&self, file: Ident) -> Option<Source> {
        let latest = lock(&self.latest);
        let index = latest.texts.iter().find(|row| row.0 == file)?.1;
        let text = lock(&self.all[index].data).0.clone();
        Some(Source { file, text })
    }

    /// A text that has one of the lines of the latest text of that name, from 1, and the bytes of it without the newline.
    pub(crate) fn line(&self, file: Ident, line: u32) -> Option<(Arc<String>, Range<usize>)> {
        let index = lock(&self.latest).texts.iter().find(|row| row.0 == file)?.1;
        let (text, lines) = &mut *lock(&self.all[index].data);
        let range = lines.range(text, line)?;
        let missing = if range.start == 0 {
            lines.start.columns_before as usize
        } else {
            0
        };
        if missing == 0 {
            return Some((text.clone(), range));
        }
        // Columns count from the start of the line, which is not there.
        let whole = format!("{:missing$}{}", "", &text[range]);
        let range = 0..whole.len();
        Some((Arc::new(whole), range))
    }

    /// File, line and column of a place in a text; `None` for interned locations.
    pub(crate) fn place(&self, loc: Loc) -> Option<(Ident, u32, u32)> {
        let raw = loc.raw();
        if raw < FIRST_PLACE {
            return None;
        }
        // A text that another thread is adding right now is not the one that is looked for.
        let (mut low, mut high) = (0, self.all.count());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.all.get(middle) {
                Some(text) if text.base <= raw => low = middle + 1,
                _ => high = middle,
            }
        }
        let source = self.all.get(low.checked_sub(1)?)?;
        let (text, lines) = &mut *lock(&source.data);
        let (line, column) = lines.line_column(text, raw - source.base);
        Some((source.file, line, column))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Byte offsets to lines and columns: the starts of the lines seen so far, extended as far as asked.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Offsets of line starts; the first is 0.
    starts: Vec<u32>,
    /// Where in the file the text starts.
    start: TextStart,
    /// How far newlines were looked for.
    scanned: usize,
    /// The line of the latest answer: questions mostly come in order.
    latest: usize,
}

impl From<TextStart> for Lines {
    fn from(start: TextStart) -> Self {
        Lines {
            starts: vec![0],
            start,
            scanned: 0,
            latest: 0,
        }
    }
}

impl Lines {
    /// Line and column of a byte, both from 1; columns count bytes, as MLIR's do.
    pub fn line_column(&mut self, text: &str, offset: u32) -> (u32, u32) {
        self.scan(text, (offset as usize).min(text.len()));
        let line = self.line_of(offset);
        self.latest = line;
        let before = if line == 0 {
            self.start.columns_before
        } else {
            0
        };
        (
            line as u32 + self.start.lines_before + 1,
            offset - self.starts[line] + before + 1,
        )
    }

    /// The bytes of a line, from 1, without the newline.
    fn range(&mut self, text: &str, line: u32) -> Option<Range<usize>> {
        let index = line.checked_sub(self.start.lines_before)?.checked_sub(1)? as usize;
        while self.starts.len() <= index + 1 && self.scanned < text.len() {
            self.scan(text, self.scanned + 1);
        }
        let start = *self.starts.get(index)? as usize;
        let end = self
            .starts
            .get(index + 1)
            .map_or(text.len(), |&next| next as usize - 1);
        Some(start..end)
    }

    /// Looks for newlines up to a byte.
    fn scan(&mut self, text: &str, wanted: usize) {
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
    use super::{Lines, Sources, TextStart};
    use crate::entity::EntityId;
    use std::sync::Arc;

    #[test]
    fn places_outlive_the_text_that_is_replaced() {
        let (sources, a, b) = (
            Sources::default(),
            EntityId::from_index(0),
            EntityId::from_index(1),
        );
        let bases = [(a, "one\ntwo"), (b, "x"), (a, "\n\nthree"), (b, "")].map(|(file, text)| {
            sources
                .add(file, Arc::new(text.to_owned()), TextStart::default())
                .expect("there is space")
        });
        let place = |text: usize, offset| {
            let loc = crate::Loc::from_raw(bases[text] + offset).expect("not zero");
            sources.place(loc).expect("a place")
        };
        assert_eq!(place(0, 0), (a, 1, 1));
        assert_eq!(place(0, 5), (a, 2, 2));
        assert_eq!(place(0, 7), (a, 2, 4));
        assert_eq!(place(1, 1), (b, 1, 2));
        assert_eq!(place(2, 2), (a, 3, 1));
        assert_eq!(place(3, 0), (b, 1, 1));
        assert_eq!(sources.place(crate::Loc::UNKNOWN), None);
        assert_eq!(
            sources
                .latest(a)
                .map(|source| source.text.to_string())
                .as_deref(),
            Some("\n\nthree")
        );
    }

    #[test]
    fn lines_are_found_by_number_without_reading_all_before_again() {
        for text in ["", "one", "one\n", "a\n\nb\r\nlast", "\n"] {
            let mut lines = Lines::from(TextStart::default());
            let expected: Vec<&str> = text.split('\n').collect();
            for line in (1..=expected.len()).rev().chain(1..=expected.len()) {
                let range = lines.range(text, line as u32).expect("a line");
                assert_eq!(&text[range], expected[line - 1], "line {line} of {text:?}");
            }
            assert_eq!(
                (
                    lines.range(text, 0),
                    lines.range(text, expected.len() as u32 + 1)
                ),
                (None, None)
            );
        }
    }

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
        let mut lines = Lines::from(TextStart::default());
        for offset in (0..text.len()).chain((0..text.len()).rev()) {
            assert_eq!(
                lines.line_column(text, offset as u32),
                expected[offset],
                "offset {offset}"
            );
        }
    }
}

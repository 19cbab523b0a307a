//! The header of a `.npy` file: a signature, a version, a length, and a Python dictionary of three entries.
//!
//! ```text
//! \x93NUMPY 1 0 <length: u16> {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
//! ```
//! Versions 2 and 3 have a length of four bytes. Invariant: reading takes time linear in the header's length, and never
//! recurses.

use std::ops::Range;

/// The first bytes of every file.
const SIGNATURE: &[u8] = b"\x93NUMPY";

/// How deep brackets of a structured type may be nested.
const MAX_DEPTH: usize = 8;

/// The data begin at a multiple of this many bytes, as in numpy's own files.
const ALIGNMENT: usize = 64;

/// The contents of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The type, such as `<f4`; as it is written, brackets included, where it is not a string.
    pub(super) descr: String,
    /// Whether the first index is the fastest.
    pub(super) fortran_order: bool,
    /// Extents.
    pub(super) shape: Vec<usize>,
}

impl Header {
    /// Reads the header of a file's content; also where the data begin.
    pub(super) fn read(bytes: &[u8]) -> Result<(Header, usize), String> {
        let dictionary = dictionary(bytes)?;
        let end = dictionary.end;
        Ok((
            Reader {
                rest: &bytes[dictionary],
            }
            .header()?,
            end,
        ))
    }

    /// The bytes up to the data.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut shape = String::new();
        self.shape
            .iter()
            .for_each(|extent| shape += &format!("{extent}, "));
        // A tuple of one has its comma, others need none at their end.
        let shape = if self.shape.len() == 1 {
            shape.trim_end()
        } else {
            shape.trim_end_matches(", ")
        };
        let order = if self.fortran_order { "True" } else { "False" };
        let mut text = format!(
            "{{'descr': '{}', 'fortran_order': {order}, 'shape': ({shape}), }}",
            self.descr
        );
        // Version 1 where the length fits two bytes: it does up to some thousand dimensions.
        let start = |wide: bool| SIGNATURE.len() + if wide { 6 } else { 4 };
        let padded =
            |wide: bool| (start(wide) + text.len() + 1).next_multiple_of(ALIGNMENT) - start(wide);
        let wide = padded(false) > usize::from(u16::MAX);
        let length = padded(wide);
        text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend(if wide { [2, 0] } else { [1, 0] });
        bytes.extend(&(length as u32).to_le_bytes()[..if wide { 4 } else { 2 }]);
        bytes.extend(text.bytes());
        bytes.push(b'\n');
        bytes
    }
}

/// How many bytes of a file are to be read next for its header; `None`: it is whole. A header longer than that is
/// refused, or a damaged length would be believed.
pub(super) fn missing(bytes: &[u8]) -> Result<Option<usize>, String> {
    /// Much more than any type that is read needs.
    const LONGEST: usize = 1 << 20;
    let wanted = match bytes.len() {
        0 => SIGNATURE.len(),
        _ if !bytes.starts_with(SIGNATURE) => {
            return Err("it does not begin with numpy's signature".to_owned());
        }
        known if known < 12 => 12,
        _ if bytes[6] == 1 => 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]])),
        _ => 12 + u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize,
    };
    if wanted > LONGEST {
        return Err(format!("its header has {wanted} bytes"));
    }
    Ok(wanted.checked_sub(bytes.len()).filter(|&more| more > 0))
}

/// Where the dictionary is; the data begin behind it.
fn dictionary(bytes: &[u8]) -> Result<Range<usize>, String> {
    if !bytes.starts_with(SIGNATURE) {
        return Err("it does not begin with numpy's signature".to_owned());
    }
    let truncated = || "the header is truncated".to_owned();
    let field = |at: usize| {
        bytes
            .get(at..at + 4)
            .and_then(|field| <[u8; 4]>::try_from(field).ok())
    };
    let (start, length) = match field(6).ok_or_else(truncated)? {
        [1, _, low, high] => (10, usize::from(u16::from_le_bytes([low, high]))),
        [2 | 3, ..] => (
            12,
            u32::from_le_bytes(field(8).ok_or_else(truncated)?) as usize,
        ),
        [version, ..] => return Err(format!("version {version} of the format is not known")),
    };
    if bytes.len() - start < length {
        Err(truncated())
    } else {
        Ok(start..start + length)
    }
}

/// The rest of the dictionary.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn header(mut self) -> Result<Header, String> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.accept(b'}') {
            let key = self.string()?;
            self.expect(b':')?;
            match key.as_str() {
                "descr" => descr = Some(self.descr()?),
                "fortran_order" => fortran_order = Some(self.truth()?),
                "shape" => shape = Some(self.shape()?),
                _ => return Err(format!("the header has an entry {key:?}")),
            }
            if !self.accept(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        self.skip_space();
        if !self.rest.is_empty() {
            return Err("something stands behind the header's dictionary".to_owned());
        }
        let missing = |key: &str| format!("the header has no entry {key:?}");
        Ok(Header {
            descr: descr.ok_or_else(|| missing("descr"))?,
            fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// Takes this byte, if it is next.
    fn accept(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.accept(byte) {
            Ok(())
        } else {
            Err(format!(
                "the header has no `{}` {}",
                char::from(byte),
                self.here()
            ))
        }
    }

    /// Where reading has come to, for messages.
    fn here(&self) -> String {
        match self.rest {
            [] => "at its end".to_owned(),
            rest => format!(
                "before {:?}",
                String::from_utf8_lossy(&rest[..rest.len().min(20)])
            ),
        }
    }

    /// The bytes up to the first that is not of this kind.
    fn take_while(&mut self, is_kind: impl Fn(&u8) -> bool) -> String {
        let length = self
            .rest
            .iter()
            .position(|byte| !is_kind(byte))
            .unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        String::from_utf8_lossy(taken).into_owned()
    }

    /// A string in either quotes; none of numpy's has an escape.
    fn string(&mut self) -> Result<String, String> {
        let quote = match self.accept(b'\'') {
            true => b'\'',
            false => self.expect(b'"').map(|()| b'"')?,
        };
        let text = self.take_while(|byte| *byte != quote);
        self.expect(quote)?;
        Ok(text)
    }

    /// A string, or a structured type as it is written.
    fn descr(&mut self) -> Result<String, String> {
        self.skip_space();
        if !matches!(self.rest, [b'[' | b'(', ..]) {
            return self.string();
        }
        let mut depth = 0;
        for (index, byte) in self.rest.iter().enumerate() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                _ => {}
            }
            if depth > MAX_DEPTH {
                return Err("the header is nested too deeply".to_owned());
            }
            if depth == 0 {
                let (taken, rest) = self.rest.split_at(index + 1);
                self.rest = rest;
                return Ok(String::from_utf8_lossy(taken).into_owned());
            }
        }
        Err("the header's type does not end".to_owned())
    }

    fn truth(&mut self) -> Result<bool, String> {
        self.skip_space();
        match self.take_while(u8::is_ascii_alphabetic).as_str() {
            "True" => Ok(true),
            "False" => Ok(false),
            other => Err(format!(
                "the header's order is {other:?}, neither True nor False"
            )),
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        let mut extents = Vec::new();
        self.expect(b'(')?;
        while !self.accept(b')') {
            self.skip_space();
            let digits = self.take_while(u8::is_ascii_digit);
            if digits.is_empty() {
                return Err(format!("the header has no extent {}", self.here()));
            }
            let extent = digits
                .parse()
                .map_err(|_| format!("an extent of {digits} does not fit in memory"))?;
            extents.push(extent);
            // Python 2 wrote some numbers with this suffix.
            self.accept(b'L');
            if !self.accept(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(extents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(descr: &str, fortran_order: bool, shape: &[usize]) -> Header {
        Header {
            descr: descr.to_owned(),
            fortran_order,
            shape: shape.to_vec(),
        }
    }

    /// A file of version 1 with this dictionary.
    fn file(dictionary: &str) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((dictionary.len() as u16).to_le_bytes());
        bytes.extend(dictionary.bytes());
        bytes
    }

    #[test]
    fn headers_are_written_as_numpy_writes_them() {
        let numpys = include_bytes!("../../../tests/npy/c_f32.npy");
        let (read, start) = Header::read(numpys).unwrap();
        assert_eq!(read, header("<f4", false, &[2, 3]));
        assert_eq!(read.bytes(), numpys[..start]);
        let numpys = include_bytes!("../../../tests/npy/bool.npy");
        let (read, start) = Header::read(numpys).unwrap();
        assert_eq!(
            (&read.shape[..], read.bytes()),
            (&[3][..], numpys[..start].to_vec())
        );
    }

    #[test]
    fn headers_are_read_as_they_were_written() {
        for shape in [&[][..], &[7], &[1, 2, 3], &[0, usize::MAX], &[1; 40_000]] {
            for fortran_order in [false, true] {
                let written = header("|b1", fortran_order, shape);
                let bytes = written.bytes();
                assert_eq!(bytes.len() % ALIGNMENT, 0);
                assert_eq!(Header::read(&bytes), Ok((written, bytes.len())));
            }
        }
    }

    #[test]
    fn other_spellings_of_the_same_dictionary_are_read() {
        let expected = header("<f4", true, &[3]);
        for text in [
            "{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }          \n",
            "{\"shape\":(3L,),\"descr\":\"<f4\",\"fortran_order\":True}",
            " { 'shape' : ( 3 ) , 'fortran_order' : True , 'descr' : '<f4' }",
        ] {
            assert_eq!(
                Header::read(&file(text)).map(|(header, _)| header).as_ref(),
                Ok(&expected),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_wrong_with_a_header_is_said() {
        let cases = [
            (
                "{'descr': '<f4', 'shape': (3,)}",
                "no entry \"fortran_order\"",
            ),
            (
                "{'descr': '<f4', 'fortran_order': 1, 'shape': (3,)}",
                "neither True nor False",
            ),
            (
                "{'descr': '<f4', 'fortran_order': True, 'shape': (-3,)}",
                "no extent before \"-3,)}\"",
            ),
            (
                "{'descr': '<f4', 'fortran_order': True, 'shape': (3 4)}",
                "no `)` before \"4)}\"",
            ),
            (
                "{'descr': '<f4', 'fortran_order': True, 'shape': (3,)",
                "no `}` at its end",
            ),
            (
                "{'descr': '<f4', 'fortran_order': True, 'shape': (3,)} x",
                "behind the header's dictionary",
            ),
            (
                "{'descr': '<f4', 'fortran_order': True, 'shape': (99999999999999999999,)}",
                "does not fit in memory",
            ),
            (
                "{'descr': [('a', '<f4'), 'fortran_order'",
                "type does not end",
            ),
            ("{'type': 4}", "an entry \"type\""),
        ];
        for (text, expected) in cases {
            let error = Header::read(&file(text)).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(
            Header::read(b"\x93NUMPY\x04\x00\x00\x00")
                .unwrap_err()
                .contains("version 4")
        );
        for end in 6..file("{}").len() {
            assert!(
                Header::read(&file("{}")[..end])
                    .unwrap_err()
                    .contains("truncated"),
                "{end}"
            );
        }
    }
}

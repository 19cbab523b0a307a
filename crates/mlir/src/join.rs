//! One PTX text of several: that of the module that all their functions are in.
//!
//! LLVM numbers labels and files throughout a module, so these are numbered anew, in order. A text of all functions is
//! joined, too, so that both ways end in the same numbers.
//!
//! ```text
//! .version, .target, .address_size     the same in all
//! .extern .shared, // ... demoted      each once, declarations before comments
//! .visible .entry                      one after the other
//! .section, .file                      each once
//! ```
//! Legality: lines and labels of these forms alone, which is what LLVM 22 writes of kernels that call no function. Other
//! texts are not joined: module variables with values, `.func`, places of inlined functions. Tables of jumps are numbered from 0
//! in each function.

use std::collections::HashMap;

/// The last of the lines that all texts of a target begin with.
const LAST_OF_HEADER: &str = ".address_size";

/// The joined text; `None` where a text has what is not known here. Empty texts have no functions.
pub(crate) fn join(texts: &[&str]) -> Option<String> {
    let mut joined = Joined::default();
    for text in texts.iter().filter(|text| !text.is_empty()) {
        joined.add(text)?;
    }
    joined.text()
}

#[derive(Debug, Default)]
struct Joined<'t> {
    header: Vec<&'t str>,
    declarations: Vec<&'t str>,
    comments: Vec<&'t str>,
    /// The line that names the first function, which comes before declarations.
    first: Option<&'t str>,
    functions: String,
    /// Functions so far.
    count: usize,
    /// Labels in the middle of functions so far.
    marks: usize,
    section: Option<&'t str>,
    files: Vec<&'t str>,
}

impl<'t> Joined<'t> {
    fn add(&mut self, text: &'t str) -> Option<()> {
        let lines: Vec<&str> = text.lines().collect();
        let header = lines
            .iter()
            .position(|line| line.starts_with(LAST_OF_HEADER))?
            + 1;
        match self.header.is_empty() {
            true => self.header = lines[..header].to_vec(),
            false if self.header != lines[..header] => return None,
            false => {}
        }
        let mut rest = &lines[header..];
        let files = self.take_files(&mut rest)?;
        let mut marks = HashMap::new();
        let mut inside = false;
        for &line in rest {
            if !inside {
                inside = line.starts_with(".visible .entry ");
                if !inside {
                    self.between(line)?;
                    continue;
                }
            }
            self.line(line, &files, &mut marks)?;
            if line == "}" {
                inside = false;
                self.count += 1;
            }
        }
        (!inside).then_some(())
    }

    /// Takes the lines behind all functions off: names of files by the numbers they have in this text.
    fn take_files(&mut self, lines: &mut &[&'t str]) -> Option<HashMap<&'t str, &'t str>> {
        let mut files = HashMap::new();
        while let Some((&last, before)) = lines.split_last() {
            if let Some(file) = last.strip_prefix("\t.file\t") {
                let (number, name) = file.split_once(' ')?;
                files.insert(number, name);
            } else if last.starts_with("\t.section\t.debug_macinfo") {
                self.section = Some(last);
            } else if !last.is_empty() {
                break;
            }
            *lines = before;
        }
        Some(files)
    }

    /// A line outside of functions.
    fn between(&mut self, line: &'t str) -> Option<()> {
        let rows = if line.is_empty() {
            return Some(());
        } else if line.starts_with("\t// .globl\t") {
            match self.first {
                None => self.first = Some(line),
                Some(_) => self.push(line),
            }
            return Some(());
        } else if line.starts_with(".extern .shared ") {
            &mut self.declarations
        } else if line.starts_with("// ") && line.ends_with(" has been demoted") {
            &mut self.comments
        } else {
            return None;
        };
        if !rows.contains(&line) {
            rows.push(line);
        }
        Some(())
    }

    /// A line of a function, with numbers of this text.
    fn line(
        &mut self,
        line: &'t str,
        files: &HashMap<&'t str, &'t str>,
        marks: &mut HashMap<&'t str, usize>,
    ) -> Option<()> {
        if let Some(place) = line.strip_prefix("\t.loc\t") {
            let (file, position) = place.split_once(' ')?;
            let name = *files.get(file)?;
            if position.contains(',') {
                return None;
            }
            let known = self.files.iter().position(|&known| known == name);
            let number = 1 + known.unwrap_or(self.files.len());
            if known.is_none() {
                self.files.push(name);
            }
            self.push(&format!("\t.loc\t{number} {position}"));
            return Some(());
        }
        // Calls are numbered throughout a process.
        if line.contains("callseq") || line.contains("prototype_") {
            return None;
        }
        let mut rest = line;
        while let Some(at) = ["$L", "__local_depot"]
            .iter()
            .filter_map(|it| rest.find(it))
            .min()
        {
            self.functions += &rest[..at];
            rest = self.label(&rest[at..], marks)?;
        }
        self.push(rest);
        Some(())
    }

    /// Writes the label that a text begins with, and yields what is behind it.
    fn label(&mut self, text: &'t str, marks: &mut HashMap<&'t str, usize>) -> Option<&'t str> {
        const OF_FUNCTIONS: [&str; 4] =
            ["$L__BB", "$L__func_begin", "$L__func_end", "__local_depot"];
        const MARK: &str = "$L__tmp";
        const TABLE: &str = "$L_brx_";
        let stem = *OF_FUNCTIONS
            .iter()
            .chain([&MARK, &TABLE])
            .find(|&&stem| text.starts_with(stem))?;
        let behind = &text[stem.len()..];
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = behind.split_at(digits);
        let number = match (number, stem) {
            ("", _) => return None,
            (number, TABLE) => {
                self.functions += &format!("{TABLE}{number}");
                return Some(rest);
            }
            (number, MARK) => *marks.entry(number).or_insert_with(|| {
                self.marks += 1;
                self.marks - 1
            }),
            _ => self.count,
        };
        self.functions += &format!("{stem}{number}");
        Some(rest)
    }

    fn push(&mut self, line: &str) {
        self.functions += line;
        self.functions.push('\n');
    }

    fn text(self) -> Option<String> {
        let mut text = String::new();
        let mut push = |line: &str| {
            text += line;
            text.push('\n');
        };
        self.header.iter().for_each(|&line| push(line));
        push("");
        push(self.first?);
        self.declarations
            .iter()
            .chain(&self.comments)
            .for_each(|&line| push(line));
        // An empty line is before the first function.
        push("");
        text += &self.functions;
        if let Some(section) = self.section {
            text += &format!("{section}\n");
        }
        for (index, name) in self.files.iter().enumerate() {
            text += &format!("\t.file\t{} {name}\n", index + 1);
        }
        Some(text)
    }
}

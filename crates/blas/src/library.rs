//! The elementary functions that scripts call, as IR: `library/blas.mlir`.
//!
//! Each is written once, for the element type `!real`. The copy of a function for a type is its text behind a definition of
//! `!real`, every symbol in it with BLAS's letter in front.
//!
//! ```
//! use segra_blas::library;
//!
//! let gemv = library::functions().iter().find(|function| function.name == "gemv").expect("is there");
//! assert!(gemv.doc.starts_with("y = A x"));
//! let text = library::text(&["gemv"], "f64").expect("is there");
//! assert!(text.contains("@dgemv") && text.starts_with("!real = f64"));
//! ```

use std::sync::LazyLock;

/// The text of the library.
pub const TEXT: &str = include_str!("../library/blas.mlir");

/// A function of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elementary {
    /// Its name, without a letter for the element type.
    pub name: &'static str,
    /// The comment above it, with its line breaks.
    pub doc: &'static str,
    /// The function that it computes the same as in another order.
    pub alternative_of: Option<&'static str>,
    /// Its text.
    text: &'static str,
}

/// The page of the library: every function with its signature and what it computes.
pub fn documentation() -> String {
    let mut page = String::from(
        "# Library of linear algebra\n\nFunctions that scripts call (`crates/blas` has the notation), from \
         `crates/blas/library/blas.mlir`. Each is there for\nf32 and f64, by the types of arguments, or by BLAS's letter in front: \
         `sgemv`, `dgemv`. Alternatives compute the same in another\norder.\n\n| function | computes |\n|---|---|\n",
    );
    for function in functions() {
        let list = |places: Vec<Place>| {
            let texts: Vec<String> = places.iter().map(Place::text).collect();
            texts.join(", ")
        };
        let (parameters, results) = (list(function.parameters()), list(function.results()));
        let lines = function.doc.lines();
        let lines: Vec<&str> = lines
            .map(|line| line.trim_start_matches("//").trim())
            .collect();
        let mut doc = lines.join(" ");
        if let Some(other) = function.alternative_of {
            doc += &format!(" (Alternative of `{other}`.)");
        }
        let name = function.name;
        page += &format!("| `{name}({parameters}) -> {results}` | {doc} |\n");
    }
    page
}

/// A parameter or a result of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// A parameter's name; empty for a result.
    pub name: &'static str,
    /// The names of its sizes: none of a number, one of a vector, two of a matrix.
    pub sizes: Vec<&'static str>,
    /// Whether it is of the element type of the call; else of i64: an index, or an array of them.
    pub is_real: bool,
}

/// All functions, in the order of the text.
pub fn functions() -> &'static [Elementary] {
    static FUNCTIONS: LazyLock<Vec<Elementary>> = LazyLock::new(|| parts(TEXT));
    &FUNCTIONS
}

/// The function of that name.
pub fn find(name: &str) -> Option<&'static Elementary> {
    functions().iter().find(|function| function.name == name)
}

/// The letter in front of names for an element type.
pub fn letter(element: &str) -> Option<char> {
    match element {
        "f32" => Some('s'),
        "f64" => Some('d'),
        _ => None,
    }
}

/// The functions of these names for an element type, as a program; with those that they call. `None` where there is no such
/// name or no library for the type.
pub fn text(names: &[&str], element: &str) -> Option<String> {
    text_without(names, element, &|_| false)
}

/// As [`text`], without the functions that are there already.
pub(crate) fn text_without(
    names: &[&str],
    element: &str,
    is_there: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let letter = letter(element)?;
    let mut functions: Vec<&Elementary> = Vec::new();
    let mut open = names.to_vec();
    while let Some(name) = open.pop() {
        let function = find(name)?;
        if !functions.contains(&function) && !is_there(name) {
            functions.push(function);
            for called in function.calls() {
                open.push(called);
            }
        }
    }
    let mut text = format!("!real = {element}\n");
    for function in functions {
        text += &function.text.replace('@', &format!("@{letter}"));
        text.push('\n');
    }
    Some(text)
}

impl Elementary {
    /// The names of the functions it calls.
    pub fn calls(&self) -> impl Iterator<Item = &'static str> + use<> {
        let behind = self.text.split("func.call @").skip(1);
        behind.filter_map(|rest| rest.split('(').next())
    }
    /// Its parameters, as its first line has them.
    pub fn parameters(&self) -> Vec<Place> {
        let (inside, _) = self.signature();
        let list = inside.split('%').filter(|text| !text.is_empty());
        list.map(|text| {
            let (name, ty) = text.split_once(':').unwrap_or((text, ""));
            Place::of(name, ty)
        })
        .collect()
    }
    /// Its results.
    pub fn results(&self) -> Vec<Place> {
        let (_, results) = self.signature();
        let list = results.trim_start_matches('(').split(", ");
        list.map(|ty| Place::of("", ty)).collect()
    }
    /// The texts of the parameters and of the results.
    fn signature(&self) -> (&'static str, &'static str) {
        let first = self.text.lines().next().unwrap_or_default();
        let (head, results) = first.split_once(") -> ").unwrap_or((first, ""));
        let inside = head.split_once('(').map_or("", |(_, inside)| inside);
        let end = results
            .find([')', ' '])
            .filter(|_| !results.starts_with('('));
        let end = end.or_else(|| results.find(')')).unwrap_or(results.len());
        (inside, &results[..end])
    }
    /// The functions that compute the same in another order.
    pub fn alternatives(&self) -> impl Iterator<Item = &'static Elementary> + use<> {
        let name = self.name;
        let is = move |other: &&Elementary| other.alternative_of == Some(name);
        functions().iter().filter(is)
    }
}

impl Place {
    /// `x: vector[n]`
    fn text(&self) -> String {
        let kind = match (self.sizes.len(), self.is_real) {
            (0, true) => "scalar",
            (0, false) => "i64",
            (1, true) => "vector",
            (1, false) => "i64 vector",
            (_, true) => "matrix",
            (_, false) => "i64 matrix",
        };
        let sizes = match self.sizes[..] {
            [] => String::new(),
            _ => format!("[{}]", self.sizes.join(", ")),
        };
        match self.name {
            "" => format!("{kind}{sizes}"),
            name => format!("{name}: {kind}{sizes}"),
        }
    }
    fn of(name: &'static str, ty: &'static str) -> Place {
        let sizes = ty.split('[').skip(1);
        Place {
            name,
            sizes: sizes.filter_map(|size| size.split(']').next()).collect(),
            is_real: ty.contains("!real"),
        }
    }
}

/// Cuts the library into functions: each begins with `func.func` and ends with the next line that is a brace.
fn parts(text: &'static str) -> Vec<Elementary> {
    const START: &str = "\nfunc.func private @";
    const ALTERNATIVE: &str = "{array.alternative_of = @";
    let mut functions = Vec::new();
    let mut from = 0;
    while let Some(found) = text[from..].find(START) {
        let start = from + found + 1;
        let end = text[start..]
            .find("\n}\n")
            .map_or(text.len(), |at| start + at + 2);
        let body = &text[start..end];
        let name = |behind: &'static str| behind.split(['(', '}']).next().unwrap_or_default();
        let first = body.lines().next().unwrap_or_default();
        functions.push(Elementary {
            name: name(&text[from + found + START.len()..]),
            doc: comment_before(&text[..start]),
            alternative_of: first.split(ALTERNATIVE).nth(1).map(name),
            text: body,
        });
        from = end;
    }
    functions
}

/// The comment lines at the end of a text.
fn comment_before(text: &'static str) -> &'static str {
    let mut start = text.len();
    for line in text.trim_end_matches('\n').rsplit('\n') {
        if !line.starts_with("//") || line.starts_with("// ----") {
            break;
        }
        start = start.saturating_sub(line.len() + 1);
    }
    text[start..].trim_start_matches("//").trim()
}

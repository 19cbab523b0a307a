//! Inputs as people write them on a command line: `.npy` files, literals, random arrays.
//!
//! [`Input::parse`] reads the text without knowing the parameter; [`Input::materialise`] gives it the parameter's
//! type. Grammar:
//! ```text
//! input   ::= `random` [`:` extent (`x` extent)*] | path ending in .npy | literal
//! literal ::= number | `true` | `false` | `inf` | `-inf` | `nan` | `[` [literal (`,` literal)*] `]`
//! ```
//! Integers take decimal or 0x digits and must fit the parameter's width, signed or unsigned. A bf16 parameter takes
//! float32 files, rounded to nearest even.

use super::npy::{NpyError, read_npy};
use super::random::{random_array, random_scalar};
use crate::{Array, ArrayError, Value};
use segra_artifact::{Dim, ElemType, ParamType, Scalar};
use std::path::PathBuf;

/// Characters of an input that a message shows.
const MOST_SHOWN: usize = 60;

/// An input not yet of any type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A `.npy` file.
    File(PathBuf),
    /// A number, a truth value, or nested lists of them.
    Literal(Literal),
    /// Random elements.
    Random(Option<Vec<usize>>),
}

/// A literal whose numbers are still text, so that no type loses digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// One number or truth value.
    Atom(String),
    /// A list.
    List(Vec<Literal>),
}

/// Why an input could not be read or does not suit its parameter.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The text is no input at all.
    #[error(
        "`{text}` is no input: {problem}\n  write a .npy file, a literal like 3.5 or [1, 2, 3], or random:1024x512"
    )]
    Syntax {
        /// The text.
        text: String,
        /// The problem.
        problem: String,
    },
    /// A number is not of the parameter's type.
    #[error("`{atom}` is not a value of type {elem}")]
    Atom {
        /// The number's text.
        atom: String,
        /// The parameter's element type.
        elem: ElemType,
    },
    /// Lists of one level have different lengths or mix lists and numbers.
    #[error("the literal is ragged: {0}")]
    Ragged(String),
    /// Another rank than the parameter's.
    #[error("the parameter has {expected}, the input has {found}")]
    Rank {
        /// In words.
        expected: String,
        /// In words.
        found: String,
    },
    /// Another element type than the parameter's.
    #[error("the parameter holds {expected}, the input holds {found}")]
    Type {
        /// The parameter's.
        expected: ElemType,
        /// The input's.
        found: ElemType,
    },
    /// `random` without a shape for a parameter whose extents are not all constant.
    #[error(
        "`random` needs a shape here, like random:1024x512: the parameter's extents are not constant"
    )]
    ShapeNeeded,
    /// The file could not be read.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// The array could not be made.
    #[error(transparent)]
    Array(#[from] ArrayError),
}

impl Input {
    /// Reads the text of an input.
    pub fn parse(text: &str) -> Result<Input, InputError> {
        let text = text.trim();
        let error = |problem: String| InputError::Syntax {
            text: abbreviated(text),
            problem,
        };
        if text == "random" {
            return Ok(Input::Random(None));
        }
        if let Some(shape) = text.strip_prefix("random:") {
            return parse_shape(shape)
                .map(|shape| Input::Random(Some(shape)))
                .map_err(error);
        }
        if text.to_ascii_lowercase().ends_with(".npy") {
            return Ok(Input::File(PathBuf::from(text)));
        }
        Parser { text, at: 0 }
            .whole()
            .map(Input::Literal)
            .map_err(error)
    }

    /// The value for a parameter. Extents are compared when the entry runs, where all parameters are known.
    /// `seed` and the parameter's `index` choose the random numbers.
    pub fn materialise(
        &self,
        ty: &ParamType,
        seed: u64,
        index: usize,
    ) -> Result<Value, InputError> {
        let (elem, dims) = match ty {
            ParamType::Scalar(elem) => (*elem, None),
            ParamType::Size(_) => (ElemType::I64, None),
            ParamType::Array { elem, dims } => (*elem, Some(dims.as_slice())),
        };
        let array = match self {
            Input::Random(shape) => {
                return random(elem, dims, shape.as_deref(), seed, index as u64);
            }
            Input::File(path) => coerce(read_npy(path)?, elem)?,
            Input::Literal(literal) => literal.to_array(elem, dims.map(<[Dim]>::len))?,
        };
        let found = array.shape().len();
        match dims {
            None if found == 0 => match array.get(0) {
                Some(scalar) => Ok(Value::Scalar(scalar)),
                None => Err(rank_error(None, found)),
            },
            Some(dims) if found == dims.len() => Ok(Value::Array(array)),
            _ => Err(rank_error(dims.map(<[Dim]>::len), found)),
        }
    }
}

/// The text of an input for messages: of a long one its beginning.
pub fn abbreviated(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn rank_words(rank: usize) -> String {
    match rank {
        0 => "no dimensions".to_owned(),
        1 => "1 dimension".to_owned(),
        _ => format!("{rank} dimensions"),
    }
}

fn rank_error(expected: Option<usize>, found: usize) -> InputError {
    let expected = expected.map_or_else(|| "a scalar type".to_owned(), rank_words);
    InputError::Rank {
        expected,
        found: rank_words(found),
    }
}

fn random(
    elem: ElemType,
    dims: Option<&[Dim]>,
    shape: Option<&[usize]>,
    seed: u64,
    index: u64,
) -> Result<Value, InputError> {
    let Some(dims) = dims else {
        return match shape {
            None => Ok(Value::Scalar(random_scalar(elem, seed, index))),
            Some(shape) => Err(rank_error(None, shape.len())),
        };
    };
    let shape = match shape {
        Some(shape) if shape.len() != dims.len() => {
            return Err(rank_error(Some(dims.len()), shape.len()));
        }
        Some(shape) => shape.to_vec(),
        None => dims
            .iter()
            .map(|dim| match dim {
                Dim::Const(extent) => usize::try_from(*extent).ok(),
                _ => None,
            })
            .collect::<Option<Vec<usize>>>()
            .ok_or(InputError::ShapeNeeded)?,
    };
    Ok(Value::Array(random_array(elem, &shape, seed, index)?))
}

/// bf16 has no `.npy` type, so float32 is taken for it; nothing else is converted.
fn coerce(array: Array, elem: ElemType) -> Result<Array, InputError> {
    match (array.elem(), elem) {
        (found, expected) if found == expected => Ok(array),
        (ElemType::F32, ElemType::BF16) => {
            let values: Vec<Scalar> = array
                .scalars()
                .map(|scalar| Scalar::from_f64(ElemType::BF16, scalar.to_f64()))
                .collect();
            Ok(Array::from_scalars(ElemType::BF16, array.shape(), &values)?)
        }
        (found, expected) => Err(InputError::Type { expected, found }),
    }
}

fn parse_shape(text: &str) -> Result<Vec<usize>, String> {
    let extent = |part: &str| -> Result<usize, String> {
        let part = part.trim();
        let extent = part
            .parse()
            .ok()
            .filter(|&extent| i64::try_from(extent).is_ok());
        extent.ok_or_else(|| format!("`{part}` is not an extent"))
    };
    text.split('x').map(extent).collect()
}

impl Literal {
    /// The array of element type `elem`. `rank` settles the rank of literals whose lists are empty.
    fn to_array(&self, elem: ElemType, rank: Option<usize>) -> Result<Array, InputError> {
        let mut shape = Vec::new();
        let mut level = self;
        while let Literal::List(items) = level {
            shape.push(items.len());
            match items.first() {
                Some(first) => level = first,
                None => break,
            }
        }
        if shape.last() == Some(&0) {
            // `[]` says nothing about the dimensions inside it.
            shape.resize(rank.unwrap_or(shape.len()).max(shape.len()), 0);
        }
        let mut values = Vec::new();
        self.collect(elem, &shape, &mut values)?;
        Ok(Array::from_scalars(elem, &shape, &values)?)
    }

    fn collect(
        &self,
        elem: ElemType,
        shape: &[usize],
        values: &mut Vec<Scalar>,
    ) -> Result<(), InputError> {
        match (self, shape) {
            (Literal::Atom(atom), []) => {
                let value = parse_atom(atom, elem).ok_or_else(|| InputError::Atom {
                    atom: atom.clone(),
                    elem,
                })?;
                values.push(value);
                Ok(())
            }
            (Literal::List(items), [extent, inner @ ..]) if items.len() == *extent => items
                .iter()
                .try_for_each(|item| item.collect(elem, inner, values)),
            (Literal::List(items), [extent, ..]) => Err(InputError::Ragged(format!(
                "a list of {} stands beside one of {extent}",
                items.len()
            ))),
            (Literal::Atom(atom), _) => {
                Err(InputError::Ragged(format!("`{atom}` stands beside a list")))
            }
            (Literal::List(_), []) => Err(InputError::Ragged(
                "a list stands beside a number".to_owned(),
            )),
        }
    }
}

/// The number as a value of the type; `None` when it is not one.
fn parse_atom(text: &str, elem: ElemType) -> Option<Scalar> {
    match (elem, text) {
        (ElemType::Bool, "true" | "True" | "1") => Some(Scalar::bool(true)),
        (ElemType::Bool, "false" | "False" | "0") => Some(Scalar::bool(false)),
        (ElemType::Bool, _) => None,
        (ElemType::F32, _) => text.parse().ok().map(Scalar::f32),
        (ElemType::F64, _) => text.parse().ok().map(Scalar::f64),
        (ElemType::F16 | ElemType::BF16, _) => {
            text.parse().ok().map(|value| Scalar::from_f64(elem, value))
        }
        _ => {
            let (negative, digits) = match text.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, text),
            };
            let magnitude = match digits.strip_prefix("0x") {
                Some(hex) => i128::from_str_radix(hex, 16).ok()?,
                None if digits.starts_with(['+', '-']) => return None,
                None => digits.parse().ok()?,
            };
            let value = if negative { -magnitude } else { magnitude };
            let bits = elem.bits();
            let range = -(1i128 << (bits - 1))..(1i128 << bits);
            range
                .contains(&value)
                .then(|| Scalar::from_bits(elem, value as u64))
        }
    }
}

/// Recursive descent over a literal, with bounded depth.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

const MAX_DEPTH: usize = 32;

impl Parser<'_> {
    fn whole(mut self) -> Result<Literal, String> {
        let literal = self.literal(0)?;
        self.skip_space();
        match self.rest().chars().next() {
            None => Ok(literal),
            Some(extra) => Err(format!("`{extra}` follows the end of the literal")),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, expected: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    fn literal(&mut self, depth: usize) -> Result<Literal, String> {
        if depth > MAX_DEPTH {
            return Err(format!("lists nest more than {MAX_DEPTH} deep"));
        }
        if !self.eat('[') {
            return self.atom();
        }
        let mut items = Vec::new();
        while !self.eat(']') {
            if !items.is_empty() && !self.eat(',') {
                return Err("`,` or `]` is missing".to_owned());
            }
            items.push(self.literal(depth + 1)?);
        }
        Ok(Literal::List(items))
    }

    fn atom(&mut self) -> Result<Literal, String> {
        self.skip_space();
        let rest = self.rest();
        let end = rest
            .find(|c: char| c == ',' || c == '[' || c == ']' || c.is_whitespace())
            .unwrap_or(rest.len());
        let atom = &rest[..end];
        // Numbers and nothing else: `foo` would otherwise fail much later, as a number of some type.
        let number = atom.parse::<f64>().is_ok() || is_hexadecimal(atom);
        if !number && !matches!(atom, "true" | "false" | "True" | "False") {
            let problem = if atom.is_empty() {
                "a number is missing".to_owned()
            } else {
                format!("`{atom}` is no number")
            };
            return Err(problem);
        }
        let atom = atom.to_owned();
        self.at += end;
        Ok(Literal::Atom(atom))
    }
}

fn is_hexadecimal(atom: &str) -> bool {
    let digits = atom.strip_prefix('-').unwrap_or(atom).strip_prefix("0x");
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

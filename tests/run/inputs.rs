//! Inputs and results as the headers of run tests write them.
//!
//! ```text
//! // inputs: [1, 2]; random:4 ; 3.5          one input per parameter, separated by `;`
//! // outputs: [2, 4]; 7                      the results for the line before
//! // numpy: 2 * xs, 7                         the results for all lines (see `numpy`); without either the interpreter says
//! // error: out of range                  instead: every device refuses, with a message that says so
//!                                               (and all of its parts, between ` ... `: the place, the text)
//!                                               (`@TEXT@`: in the first line of the program that has this text)
//! // inputs: random:NxM; N where N = 0 1 257; M = 3 5      every combination
//! ```

use segra::{Entry, Input, ParamType, ResultType, Value};
use segra_tests::case::{Case, Failure};

/// One run of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// One input text per parameter.
    pub(crate) inputs: Vec<String>,
    /// One text per result, where they are known.
    pub(crate) outputs: Option<Vec<String>>,
    /// Part of the message where the program must fail.
    pub(crate) error: Option<String>,
}

/// All runs a header asks for.
pub(crate) fn samples(case: &Case) -> Result<Vec<Sample>, Failure> {
    let mut samples: Vec<Sample> = Vec::new();
    for line in case
        .header
        .lines()
        .filter_map(|line| line.strip_prefix("// "))
    {
        if let Some(text) = line.strip_prefix("inputs:") {
            let inputs = combinations(text).into_iter();
            samples.extend(inputs.map(|text| Sample {
                inputs: list(&text),
                outputs: None,
                error: None,
            }));
        } else if let Some(text) = line.strip_prefix("outputs:") {
            let last = samples
                .last_mut()
                .ok_or_else(|| format!("no inputs before: {line}"))?;
            last.outputs = Some(list(text));
        } else if let Some(text) = line.strip_prefix("error:") {
            let last = samples
                .last_mut()
                .ok_or_else(|| format!("no inputs before: {line}"))?;
            last.error = Some(with_line(case, text.trim()));
        }
    }
    if samples.is_empty() {
        Err("the header names no inputs".to_owned())
    } else {
        Ok(samples)
    }
}

/// `@TEXT@` as `:LINE:`, so that lines of the header may come and go.
fn with_line(case: &Case, wanted: &str) -> String {
    let line = |text: &str| {
        let before = case.header.lines().count();
        let at = case.program.lines().position(|line| line.contains(text))?;
        Some(format!(":{}:", before + at + 1))
    };
    let named = || {
        let (before, rest) = wanted.split_once('@')?;
        let (text, behind) = rest.split_once('@')?;
        Some(format!("{before}{}{behind}", line(text)?))
    };
    named().unwrap_or_else(|| wanted.to_owned())
}

fn list(text: &str) -> Vec<String> {
    text.split(';')
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// `TEXT where N = 1 2; M = 3` with every combination put in.
fn combinations(text: &str) -> Vec<String> {
    let Some((text, ranges)) = text.split_once(" where ") else {
        return vec![text.to_owned()];
    };
    let mut texts = vec![text.to_owned()];
    for range in ranges.split(';') {
        let (name, values) = range.split_once('=').unwrap_or((range, ""));
        let values: Vec<&str> = values.split_whitespace().collect();
        texts = texts
            .iter()
            .flat_map(|text| {
                values
                    .iter()
                    .map(move |value| text.replace(name.trim(), value))
            })
            .collect();
    }
    texts
}

/// The values of the inputs for an entry's parameters.
pub(crate) fn arguments(entry: &Entry, texts: &[String]) -> Result<Vec<Value>, Failure> {
    if texts.len() != entry.params.len() {
        return Err(format!(
            "{} inputs for {} parameters",
            texts.len(),
            entry.params.len()
        ));
    }
    let rows = texts.iter().zip(&entry.params).enumerate();
    rows.map(|(index, (text, param))| value(text, &param.ty, index))
        .collect()
}

/// The values of written results.
pub(crate) fn results(entry: &Entry, texts: &[String]) -> Result<Vec<Value>, Failure> {
    if texts.len() != entry.results.len() {
        return Err(format!(
            "{} outputs for {} results",
            texts.len(),
            entry.results.len()
        ));
    }
    let rows = texts.iter().zip(&entry.results);
    rows.map(|(text, result)| value(text, &result_type(&result.ty), 0))
        .collect()
}

/// A result's type as that of a parameter.
pub(crate) fn result_type(ty: &ResultType) -> ParamType {
    match ty {
        ResultType::Scalar(elem) => ParamType::Scalar(*elem),
        ResultType::Array { elem, dims } => ParamType::Array {
            elem: *elem,
            dims: dims.clone(),
        },
    }
}

fn value(text: &str, ty: &ParamType, index: usize) -> Result<Value, Failure> {
    let input = Input::parse(text).map_err(|error| error.to_string())?;
    input
        .materialise(ty, 2026, index)
        .map_err(|error| format!("`{text}`: {error}"))
}

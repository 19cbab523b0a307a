//! Arguments of an entry from the texts of `--input`, or from the program itself where it carries its inputs.

use crate::args::Arguments;
use crate::report::Error;
use segra::{Entry, Input, ParamType, Program, Value, embedded};
use segra_artifact::Dim;
use segra_runtime::abbreviated;

/// The entry of that name, or `main`, or the only one.
pub(crate) fn choose_entry<'a>(
    entries: &[&'a Entry],
    name: Option<&str>,
) -> Result<&'a Entry, Error> {
    let names = || {
        entries
            .iter()
            .map(|entry| entry.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let find = |name: &str| entries.iter().find(|entry| entry.name == name).copied();
    match (name, entries) {
        (_, []) => Err(Error::message("there is no function to run")),
        (Some(name), _) => {
            let name = name.trim_start_matches('@');
            find(name).ok_or_else(|| {
                Error::message(format!(
                    "there is no function `{name}` to run; there are: {}",
                    names()
                ))
            })
        }
        (None, [only]) => Ok(only),
        (None, _) => find("main").ok_or_else(|| {
            Error::message(format!(
                "there are several functions; choose one by --entry: {}",
                names()
            ))
        }),
    }
}

/// One value per parameter. Without any `--input`, those that the program carries along.
pub(crate) fn materialise(
    entry: &Entry,
    arguments: &Arguments,
    program: Option<&Program>,
) -> Result<Vec<Value>, Error> {
    if arguments.inputs.is_empty()
        && let Some(carried) = carried(entry, program)
    {
        return carried;
    }
    values(entry, &arguments.inputs, arguments.seed)
}

/// The inputs a program carries along, where it does.
pub(crate) fn carried(
    entry: &Entry,
    program: Option<&Program>,
) -> Option<Result<Vec<Value>, Error>> {
    let carried = program.and_then(|program| embedded::inputs(program.ir(), &entry.name))?;
    Some(carried.map_err(Error::message))
}

/// One value per parameter from one text each.
pub(crate) fn values<T: AsRef<str>>(
    entry: &Entry,
    texts: &[T],
    seed: u64,
) -> Result<Vec<Value>, Error> {
    let signature = || signature(entry);
    if texts.len() > entry.params.len() {
        return Err(Error::message(format!(
            "{} inputs are given, but {} takes {}",
            texts.len(),
            signature(),
            entry.params.len()
        )));
    }
    let mut values = Vec::new();
    for (index, param) in entry.params.iter().enumerate() {
        let Some(text) = texts.get(index).map(AsRef::as_ref) else {
            return Err(Error::message(format!(
                "parameter {} of {} has no input; give it a .npy file, a literal or random:SHAPE",
                param_text(entry, index),
                signature()
            )));
        };
        let value = Input::parse(text).and_then(|input| input.materialise(&param.ty, seed, index));
        values.push(value.map_err(|error| {
            Error::message(format!(
                "input {index} (`{}`) for parameter {}: {error}",
                abbreviated(text),
                param_text(entry, index)
            ))
        })?);
    }
    Ok(values)
}

/// `main(a: f32, xs: f32[n])`
fn signature(entry: &Entry) -> String {
    let params: Vec<String> = (0..entry.params.len())
        .map(|index| param_text(entry, index))
        .collect();
    format!("{}({})", entry.name, params.join(", "))
}

fn param_text(entry: &Entry, index: usize) -> String {
    let Some(param) = entry.params.get(index) else {
        return String::new();
    };
    let ty = match &param.ty {
        ParamType::Scalar(elem) => elem.to_string(),
        ParamType::Size(_) => "size".to_owned(),
        ParamType::Array { elem, dims } => {
            let dims: String = dims
                .iter()
                .map(|dim| format!("[{}]", dim_text(entry, *dim)))
                .collect();
            format!("{dims}{elem}")
        }
    };
    format!("{}: {ty}", param.name)
}

fn dim_text(entry: &Entry, dim: Dim) -> String {
    match dim {
        Dim::Const(extent) => extent.to_string(),
        Dim::Size(size) => entry.size_name(size),
        Dim::Any => "?".to_owned(),
    }
}

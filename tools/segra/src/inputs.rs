//! Arguments of an entry from the texts of `--input`, or from the program itself where it carries its inputs.

use crate::args::Arguments;
use crate::report::Error;
use segra::{Entry, Input, ParamType, Program, Value, embedded};
use segra_artifact::Dim;
use segra_runtime::{abbreviated, there_are};

/// Whether all sizes that the command line gives are among those known of `owner`.
pub(crate) fn check_sizes<'a>(
    given: &[(String, i64)],
    owner: &str,
    known: impl Iterator<Item = &'a str>,
) -> Result<(), Error> {
    let known: Vec<&str> = known.collect();
    let mut names = given.iter().map(|row| row.0.as_str());
    match names.find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(name) => Err(Error::message(format!(
            "{owner} has no size `{name}`; {}",
            there_are(known.into_iter())
        ))),
    }
}

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

/// One value per parameter from one text each: `NAME=TEXT` is for the parameter of that name, the others are for the
/// parameters that are left, in order.
pub(crate) fn values<T: AsRef<str>>(
    entry: &Entry,
    texts: &[T],
    seed: u64,
) -> Result<Vec<Value>, Error> {
    let given = by_parameter(entry, texts)?;
    let mut values = Vec::new();
    for (index, (param, given)) in entry.params.iter().zip(given).enumerate() {
        let Some((position, text)) = given else {
            return Err(Error::message(format!(
                "parameter {} of {} has no input; give it a .npy file, a literal or random:SHAPE",
                param_text(entry, index),
                signature(entry)
            )));
        };
        let value = Input::parse(text).and_then(|input| input.materialise(&param.ty, seed, index));
        values.push(value.map_err(|error| {
            Error::message(format!(
                "input {position} (`{}`) for parameter {}: {error}",
                abbreviated(text),
                param_text(entry, index)
            ))
        })?);
    }
    Ok(values)
}

/// For each parameter the position and the text of its input.
fn by_parameter<'t, T: AsRef<str>>(
    entry: &Entry,
    texts: &'t [T],
) -> Result<Vec<Option<(usize, &'t str)>>, Error> {
    let mut given: Vec<Option<(usize, &str)>> = vec![None; entry.params.len()];
    let mut unnamed = Vec::new();
    for (position, text) in texts.iter().map(AsRef::as_ref).enumerate() {
        let Some((name, text)) = named(text) else {
            unnamed.push((position, text));
            continue;
        };
        let slot = entry.params.iter().position(|param| param.name == name);
        let Some(slot) = slot.and_then(|index| given.get_mut(index)) else {
            return Err(Error::message(format!(
                "input {position} is for a parameter `{name}`, but {} has none of that name",
                signature(entry)
            )));
        };
        if let Some((first, _)) = slot {
            return Err(Error::message(format!(
                "inputs {first} and {position} are both for parameter `{name}`"
            )));
        }
        *slot = Some((position, text));
    }
    let mut unnamed = unnamed.into_iter();
    for slot in given.iter_mut().filter(|slot| slot.is_none()) {
        *slot = unnamed.next();
    }
    if unnamed.next().is_some() {
        return Err(Error::message(format!(
            "{} inputs are given, but {} takes {}",
            texts.len(),
            signature(entry),
            entry.params.len()
        )));
    }
    Ok(given)
}

/// The name and the text of `NAME=TEXT`. A file with such a name is reached by `./NAME=TEXT`.
fn named(text: &str) -> Option<(&str, &str)> {
    let (name, text) = text.split_once('=')?;
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name =
        name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit());
    is_name.then_some((name, text))
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

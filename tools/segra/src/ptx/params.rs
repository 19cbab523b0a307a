//! Arguments of a kernel from the texts of `--param`: buffers in the simulator's memory, and scalars.

use crate::report::Error;
use segra::{Input, ParamType};
use segra_artifact::{Dim, ElemType};
use segra_ptx::{Argument, GUARD_BYTES, Kernel, Memory, Param, ParamKind};
use segra_runtime::{Array, Value, abbreviated, read_npy};
use std::path::Path;

/// Memory for one launch with its buffers, and the arguments that point to them.
pub(super) struct Buffers {
    pub(super) memory: Memory,
    pub(super) arguments: Vec<Argument>,
    pub(super) results: Vec<Output>,
}

/// A buffer that is read back.
pub(super) struct Output {
    pub(super) name: String,
    address: u64,
    elem: ElemType,
    shape: Vec<usize>,
}

/// The value one `--param` asks for.
enum Given {
    /// A buffer that holds an array before the launch, and is a result if so marked.
    Filled {
        array: Array,
        result: bool,
    },
    /// A result that nothing has written before the launch.
    Empty {
        elem: ElemType,
        shape: Vec<usize>,
    },
    Scalar(Argument),
}

impl Buffers {
    /// Makes the buffers and arguments of a kernel, one from each text.
    pub(super) fn of(kernel: &Kernel, texts: &[String], seed: u64) -> Result<Buffers, Error> {
        let (params, given) = (kernel.params(), texts.len());
        if given != params.len() {
            let wanted: Vec<String> = params.iter().map(ToString::to_string).collect();
            return Err(Error::message(format!(
                "kernel `{}` takes {} parameters ({}), and {given} are given; each needs one --param",
                kernel.name(),
                params.len(),
                wanted.join(", ")
            )));
        }
        let mut asked = Vec::new();
        for (index, (param, text)) in params.iter().zip(texts).enumerate() {
            let read = parse(param, text, seed, index)
                .map_err(|problem| complaint(index, param, text, &problem))?;
            asked.push(read);
        }
        let memory = memory(&asked)?;
        let mut buffers = Buffers {
            memory,
            arguments: Vec::new(),
            results: Vec::new(),
        };
        for (index, (param, given)) in params.iter().zip(asked).enumerate() {
            let added = buffers.add(param, given);
            added.map_err(|problem| complaint(index, param, &texts[index], &problem))?;
        }
        Ok(buffers)
    }

    fn add(&mut self, param: &Param, given: Given) -> Result<(), String> {
        let (elem, shape, bytes, result) = match given {
            Given::Scalar(argument) => {
                self.arguments.push(argument);
                return Ok(());
            }
            Given::Empty { elem, shape } => (elem, shape, None, true),
            Given::Filled { array, result } => (
                array.elem(),
                array.shape().to_vec(),
                Some(array.into_bytes()),
                result,
            ),
        };
        let size = bytes
            .as_ref()
            .map_or_else(|| extent(&shape, elem), |bytes| Some(bytes.len() as u64));
        let size = size.ok_or("the array is too large")?;
        let address = self
            .memory
            .alloc(size, &param.name)
            .map_err(|error| error.to_string())?;
        if let Some(bytes) = bytes {
            self.memory
                .write(address, &bytes)
                .map_err(|error| error.to_string())?;
        }
        self.arguments.push(Argument::Pointer(address));
        if result {
            self.results.push(Output {
                name: param.name.clone(),
                address,
                elem,
                shape,
            });
        }
        Ok(())
    }

    /// The present contents of a result.
    pub(super) fn read(&self, output: &Output) -> Result<Value, Error> {
        let failed = |error: String| Error::message(format!("result {}: {error}", output.name));
        let size = extent(&output.shape, output.elem).unwrap_or(0);
        let mut bytes = vec![0; size as usize];
        self.memory
            .read(output.address, &mut bytes)
            .map_err(|error| failed(error.to_string()))?;
        let array = Array::from_bytes(output.elem, &output.shape, bytes);
        array
            .map(Value::Array)
            .map_err(|error| failed(error.to_string()))
    }
}

fn complaint(index: usize, param: &Param, text: &str, problem: &str) -> Error {
    Error::message(format!(
        "--param {index} (`{}`) for {param}: {problem}",
        abbreviated(text)
    ))
}

/// Bytes of an array.
fn extent(shape: &[usize], elem: ElemType) -> Option<u64> {
    let bytes = shape
        .iter()
        .try_fold(elem.size(), |bytes, &extent| bytes.checked_mul(extent));
    bytes.and_then(|bytes| u64::try_from(bytes).ok())
}

/// Memory that the buffers fit in.
fn memory(asked: &[Given]) -> Result<Memory, Error> {
    let bytes = asked.iter().try_fold(4 * GUARD_BYTES, |total, given| {
        let bytes = match given {
            Given::Scalar(_) => Some(0),
            Given::Filled { array, .. } => Some(array.bytes().len() as u64),
            Given::Empty { elem, shape } => extent(shape, *elem),
        };
        total.checked_add(bytes?)?.checked_add(4 * GUARD_BYTES)
    });
    // A failed allocation would end the process.
    let fits = |bytes: &u64| {
        usize::try_from(*bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
    };
    match bytes.filter(fits) {
        Some(bytes) => Ok(Memory::new(bytes)),
        None => Err(Error::message(
            "the buffers do not fit into this machine's memory",
        )),
    }
}

fn parse(param: &Param, text: &str, seed: u64, index: usize) -> Result<Given, String> {
    let text = text.trim();
    let is_file = |text: &str| text.to_ascii_lowercase().ends_with(".npy");
    let file = |path: &str| read_npy(Path::new(path)).map_err(|error| error.to_string());
    let given = if let Some(rest) = text.strip_prefix("out:") {
        let (shape, elem) = shaped(rest)?;
        Given::Empty { elem, shape }
    } else if let Some(rest) = text.strip_prefix("zeros:") {
        let (shape, elem) = shaped(rest)?;
        extent(&shape, elem)
            .filter(|&bytes| bytes <= isize::MAX as u64)
            .ok_or("the array is too large")?;
        let array = Array::zeros(elem, &shape).map_err(|error| error.to_string())?;
        Given::Filled {
            array,
            result: true,
        }
    } else if let Some(path) = text.strip_prefix("inout:") {
        Given::Filled {
            array: file(path)?,
            result: true,
        }
    } else if is_file(text) || text.starts_with('[') || text.starts_with("random:") {
        let array = match is_file(text) {
            true => file(text)?,
            false => array(text, seed, index)?,
        };
        match param.kind {
            ParamKind::Bytes => Given::Scalar(Argument::Bytes(array.into_bytes())),
            _ => Given::Filled {
                array,
                result: false,
            },
        }
    } else {
        Given::Scalar(scalar(param, text)?)
    };
    if !matches!(given, Given::Scalar(_)) && (param.size != 8 || param.kind == ParamKind::Float) {
        return Err("an array needs a parameter that can hold a pointer".to_owned());
    }
    Ok(given)
}

/// `SHAPE:TYPE`
fn shaped(text: &str) -> Result<(Vec<usize>, ElemType), String> {
    let (shape, elem) = typed(text)?;
    let extent = |part: &str| {
        part.trim()
            .parse()
            .map_err(|_| format!("`{part}` is not an extent"))
    };
    Ok((
        shape.split('x').map(extent).collect::<Result<_, _>>()?,
        elem,
    ))
}

/// `TEXT:TYPE`
fn typed(text: &str) -> Result<(&str, ElemType), String> {
    let (text, name) = text
        .rsplit_once(':')
        .ok_or("it needs a type, as in out:4x5:f32 or [1, 2]:i32")?;
    // Integers have no sign: those of C's unsigned types are the ones of their size.
    let signless = match name.trim() {
        "u8" => "i8",
        "u16" => "i16",
        "u32" => "i32",
        "u64" => "i64",
        name => name,
    };
    let elem = ElemType::from_name(signless).ok_or_else(|| {
        let known = ElemType::ALL.map(ElemType::name).join(", ");
        format!("`{name}` is not a type; types are {known}, and u8 to u64 for the integers of their size")
    })?;
    Ok((text, elem))
}

/// A literal or random array with its type.
fn array(text: &str, seed: u64, index: usize) -> Result<Array, String> {
    let (text, elem) = typed(text)?;
    let rank = match text.strip_prefix("random:") {
        Some(shape) => shape.split('x').count(),
        None => text
            .chars()
            .filter(|c| !c.is_whitespace())
            .take_while(|&c| c == '[')
            .count(),
    };
    let ty = ParamType::Array {
        elem,
        dims: vec![Dim::Any; rank],
    };
    let value = Input::parse(text).and_then(|input| input.materialise(&ty, seed, index));
    value
        .map(|value| value.to_array())
        .map_err(|error| error.to_string())
}

/// A number, of its parameter's type unless one is written behind it.
fn scalar(param: &Param, text: &str) -> Result<Argument, String> {
    let (number, elem) = match text.contains(':') {
        true => typed(text)?,
        false => (text, declared(param)?),
    };
    let size = param.size as usize;
    if elem.size() != size {
        return Err(format!(
            "{elem} has {} bytes, the parameter {size}",
            elem.size()
        ));
    }
    // Parameters are as often unsigned as signed: both ranges will do.
    if elem.is_integer()
        && let Ok(value) = number.trim().parse::<i128>()
    {
        let bits = 8 * size;
        if value >= 1 << bits || value < -(1 << (bits - 1)) {
            return Err(format!("{value} does not fit into {size} bytes"));
        }
        return Ok(Argument::Bytes(value.to_le_bytes()[..size].to_vec()));
    }
    let value =
        Input::parse(number).and_then(|input| input.materialise(&ParamType::Scalar(elem), 0, 0));
    value
        .map(|value| Argument::Bytes(value.to_array().into_bytes()))
        .map_err(|error| error.to_string())
}

/// The type of numbers for a parameter.
fn declared(param: &Param) -> Result<ElemType, String> {
    match (param.kind, param.size) {
        (ParamKind::Bytes, _) => Err(
            "a structure by value is given as an array of its bytes: a .npy file, or [1.5, 2]:f32"
                .to_owned(),
        ),
        (ParamKind::Float, 2) => Ok(ElemType::F16),
        (ParamKind::Float, 4) => Ok(ElemType::F32),
        (ParamKind::Float, 8) => Ok(ElemType::F64),
        (_, 1) => Ok(ElemType::I8),
        (_, 2) => Ok(ElemType::I16),
        (_, 4) => Ok(ElemType::I32),
        (_, 8) => Ok(ElemType::I64),
        _ => Err("no number fits this parameter".to_owned()),
    }
}

//! Results that do not come from Segra: what numpy makes of a program's inputs, by the `// numpy:` lines of its header.
//!
//! ```text
//! // numpy: order = np.argsort(keys, kind="stable")
//! // numpy: keys[order], values[order]      Python; the last statement is an expression, the results
//! ```
//! Names are those of the parameters. All programs share one Python process (`results.py` in this folder), and a program's
//! trials share results. It is the Python that `tools/setup` gave numpy and scipy, or `SEGRA_PYTHON`.

use crate::{Outcome, inputs, rendered};
use libtest_mimic::Trial;
use segra::{Entry, Input, Program, ResultType, Value};
use segra_artifact::ElemType;
use segra_runtime::write_npy;
use segra_tests::case::{self, Case, Failure};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("numpy: every op of arrays", || {
        every_op().map_err(Into::into)
    })]
}

/// Ops that the verifier takes only outside or only inside of combinators.
const ONLY_OUTSIDE: &[&str] = &["array.filter"];
const ONLY_INSIDE: &[&str] = &["array.yield"];

/// Every op of the array dialect stands in programs whose results come from numpy: outside and inside of combinators.
fn every_op() -> Outcome {
    let mut texts: Vec<(String, String)> = crate::sweep::texts()
        .map(|text| ("sweep".to_owned(), text))
        .collect();
    for path in
        case::files(&case::folder().join("run"), "mlir").map_err(|error| error.to_string())?
    {
        let case = Case::read(&path)?;
        if Numpy::read(&case).is_some() {
            texts.push((path.display().to_string(), case.source()));
        }
    }
    let mut known = BTreeSet::new();
    let mut found = BTreeSet::new();
    for (name, text) in texts {
        let program = Program::from_text(&name, &text).map_err(|failure| rendered(&failure))?;
        let ir = program.ir();
        if let Some(array) = ir.ctx().dialects().find(|dialect| dialect.name == "array") {
            let ops = array
                .ops
                .iter()
                .flat_map(|op| [(op.name, "outside"), (op.name, "inside")]);
            known.extend(ops.map(|(name, side)| (name.to_owned(), side)));
        }
        for op in ir.walk(ir.root()) {
            let around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
            let inside = around
                .into_iter()
                .any(|op| ir.op_name_str(op).starts_with("array."));
            found.insert((
                ir.op_name_str(op).to_owned(),
                if inside { "inside" } else { "outside" },
            ));
        }
    }
    known.retain(|(name, side)| match *side {
        "inside" => !ONLY_OUTSIDE.contains(&name.as_str()),
        _ => !ONLY_INSIDE.contains(&name.as_str()),
    });
    let missing: Vec<_> = known.difference(&found).collect();
    if missing.is_empty() && !known.is_empty() {
        Ok(())
    } else {
        Err(format!("never against numpy: {missing:?}"))
    }
}

/// The `// numpy:` lines of a program.
#[derive(Clone, Debug)]
pub(crate) struct Numpy {
    code: String,
}

impl Numpy {
    /// Those of a header, with their indentation; `None`: there are none.
    pub(crate) fn read(case: &Case) -> Option<Numpy> {
        let lines = case
            .header
            .lines()
            .filter_map(|line| line.strip_prefix("// numpy:"));
        let lines: Vec<&str> = lines
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        (!lines.is_empty()).then(|| Numpy {
            code: lines.join("\n"),
        })
    }

    /// Code in one text.
    pub(crate) fn of(code: String) -> Numpy {
        Numpy { code }
    }

    /// The results of a program for arguments.
    pub(crate) fn results(
        &self,
        entry: &Entry,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Failure> {
        /// Arguments by their bytes: what numpy makes of them does not change.
        type Known = HashMap<(String, Vec<Vec<u8>>), Result<Vec<Value>, Failure>>;
        static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
        let known = KNOWN.get_or_init(Mutex::default);
        let bytes = arguments
            .iter()
            .map(|value| segra_runtime::npy_bytes(&value.to_array()))
            .collect();
        let key = (self.code.clone(), bytes);
        if let Some(results) = known.lock().map_err(|error| error.to_string())?.get(&key) {
            return results.clone();
        }
        let results = self
            .evaluate(entry, arguments)
            .map_err(|error| format!("numpy: {error}"));
        known
            .lock()
            .map_err(|error| error.to_string())?
            .insert(key, results.clone());
        results
    }

    fn evaluate(&self, entry: &Entry, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut files = serde_json::Map::new();
        for (index, (param, value)) in entry.params.iter().zip(arguments).enumerate() {
            let file = format!("input-{index}.npy");
            write_npy(&folder.path().join(&file), value).map_err(|error| error.to_string())?;
            files.insert(param.name.clone(), file.into());
        }
        let types: Vec<&str> = entry
            .results
            .iter()
            .map(|result| dtype(&result.ty))
            .collect();
        let at = folder.path().display().to_string();
        let request = json!({"code": self.code, "folder": at, "inputs": files, "results": types});
        let reply = ask(&request.to_string())?;
        let reply: serde_json::Value =
            serde_json::from_str(&reply).map_err(|error| error.to_string())?;
        let Some(files) = reply["results"].as_array() else {
            return Err(reply["error"].as_str().unwrap_or("no results").to_owned());
        };
        let rows = files.iter().zip(&entry.results).enumerate();
        rows.map(|(index, (file, result))| {
            let input = Input::File(folder.path().join(file.as_str().unwrap_or_default()));
            let value = input.materialise(&inputs::result_type(&result.ty), 0, 0);
            value.map_err(|error| format!("result {index}: {error}"))
        })
        .collect()
    }
}

/// A result's type as numpy says it. Half of what bf16 is: float32 files stand for it.
fn dtype(ty: &ResultType) -> &'static str {
    let (ResultType::Scalar(elem) | ResultType::Array { elem, .. }) = ty;
    match elem {
        ElemType::Bool => "bool",
        ElemType::I8 => "int8",
        ElemType::I16 => "int16",
        ElemType::I32 => "int32",
        ElemType::I64 => "int64",
        ElemType::F16 => "float16",
        ElemType::BF16 | ElemType::F32 => "float32",
        ElemType::F64 => "float64",
    }
}

/// Sends a line to the process, which the first question starts, and returns the answer's.
fn ask(request: &str) -> Result<String, Failure> {
    static SERVER: Mutex<Option<(Child, BufReader<std::process::ChildStdout>)>> = Mutex::new(None);
    let mut server = SERVER.lock().map_err(|error| error.to_string())?;
    let lost = |error: std::io::Error| format!("the Python process: {error}");
    let (process, replies) = match &mut *server {
        Some(running) => running,
        none => none.insert(start(&case::folder().join("run/results.py"))?),
    };
    let mut requests = process
        .stdin
        .as_ref()
        .ok_or("the Python process takes no requests")?;
    requests
        .write_all(request.as_bytes())
        .and_then(|()| requests.write_all(b"\n"))
        .map_err(lost)?;
    let mut reply = String::new();
    match replies.read_line(&mut reply).map_err(lost)? {
        0 => Err("the Python process has ended".to_owned()),
        _ => Ok(reply),
    }
}

fn start(script: &Path) -> Result<(Child, BufReader<std::process::ChildStdout>), Failure> {
    let python = case::python();
    let mut command = Command::new(&python);
    let command = command
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let started = command.spawn();
    let mut process = started
        .map_err(|error| format!("{}: {error}; tools/setup fetches it", python.display()))?;
    let replies = process
        .stdout
        .take()
        .ok_or("the Python process gives no answers")?;
    Ok((process, BufReader::new(replies)))
}

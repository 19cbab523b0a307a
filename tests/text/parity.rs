//! Programs that `mlir-opt` checks: upstream's own verdict, asked when the test runs, is the expectation.
//!
//! A file's parts (separated by `// -----`) are programs in generic form; ops of unknown dialects are allowed. Both
//! accept a part, or both refuse it with an error in the same line. From the flat parts, one op to a line with its
//! operands made by `foo.val`, [`mutants`] makes programs that are wrong in all kinds of ways (and some that are not);
//! `SEGRA_LONG=1` makes many more. Deliberately absent: what messages say, which is Segra's own.

use super::{SPLIT, context};
use segra_ir::diag::{Severity, file_position};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_tests::case::{Case, Failure};
use segra_tests::draft::Choices;
use segra_tests::upstream::MlirOpt;
use segra_text::{ParseOptions, Parsed, Unregistered, parse_source};
use std::collections::BTreeSet;

/// Checks every part of a file.
pub(crate) fn parity(case: &Case, oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let Some(oracle) = oracle else { return Ok(()) };
    let complaints = disagreements(oracle, &case.source())?;
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}

/// The facts that differ between the parts of `source`.
fn disagreements(oracle: &MlirOpt, source: &str) -> Result<Vec<String>, Failure> {
    let theirs = oracle.error_lines(source)?;
    let mut complaints = Vec::new();
    let mut start = 0;
    for part in source.split(SPLIT) {
        let end = start + part.lines().count();
        let wanted: BTreeSet<usize> = theirs.range(start + 1..=end).copied().collect();
        let found = error_lines(part, start);
        let first = found.first().map(|row| row.0);
        let complaint = match (wanted.is_empty(), first) {
            (true, None) => None,
            (true, Some(_)) => Some("mlir-opt accepts this".to_owned()),
            (false, None) => Some(format!(
                "mlir-opt refuses this, in line {:?}",
                wanted.first()
            )),
            (false, Some(line)) if wanted.contains(&line) => None,
            (false, Some(line)) => Some(format!(
                "mlir-opt has errors in lines {wanted:?}, not {line}"
            )),
        };
        if let Some(complaint) = complaint {
            let messages: Vec<String> = found
                .iter()
                .map(|(line, text)| format!("{line}: {text}"))
                .collect();
            complaints.push(format!(
                "{complaint}\nhere: {}\n{part}",
                messages.join("; ")
            ));
        }
        start = end + 1;
    }
    Ok(complaints)
}

/// Lines and texts of the errors here, in order; the part starts after `before` lines.
fn error_lines(part: &str, before: usize) -> Vec<(usize, String)> {
    let ctx = context();
    let text = format!("{}{part}", "\n".repeat(before));
    let options = ParseOptions {
        allow_unregistered: Unregistered::Allow,
        ..ParseOptions::default()
    };
    let Parsed { ir, mut diags } = parse_source(&ctx, "input", &text, &options);
    verify_op(
        &ir,
        ir.root(),
        &VerifyOptions {
            unregistered: Unregistered::Allow,
        },
        &mut diags,
    );
    diags.sort_by_position(&ctx);
    let errors = diags
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors
        .map(|diagnostic| {
            let line =
                file_position(&ctx, diagnostic.loc).map_or(0, |position| position.1 as usize);
            (line, diagnostic.message.clone())
        })
        .collect()
}

/// Checks changed ops of the flat parts of these files.
pub(crate) fn mutants(cases: &[Case], oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let Some(oracle) = oracle else { return Ok(()) };
    let samples: Vec<Sample> = cases
        .iter()
        .flat_map(|case| samples(&case.source()))
        .collect();
    if samples.len() < 100 {
        return Err(format!("only {} ops to change", samples.len()));
    }
    let count = if std::env::var_os("SEGRA_LONG").is_some() {
        20_000
    } else {
        600
    };
    let mut random = Choices::new(0x5E67_2A11);
    let programs: Vec<String> = (0..count)
        .map(|_| random.pick(&samples).clone().changed(&mut random).program())
        .collect();
    let mut complaints = Vec::new();
    let mut batches: Vec<&[String]> = programs.chunks(200).collect();
    while let Some(batch) = batches.pop() {
        match disagreements(oracle, &batch.join(SPLIT)) {
            Ok(found) => complaints.extend(found),
            // It broke down: at one of these, and no verdict is known for that one.
            Err(_) if batch.len() > 1 => batches.extend(batch.chunks(batch.len().div_ceil(2))),
            Err(_) => {}
        }
    }
    if complaints.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} of {count}:\n{}",
        complaints.len(),
        complaints[..complaints.len().min(10)].join("\n")
    ))
}

/// One op, taken apart.
#[derive(Clone)]
struct Sample {
    name: String,
    attrs: Vec<String>,
    operands: Vec<String>,
    results: Vec<String>,
}

/// The ops of a flat part.
fn samples(source: &str) -> Vec<Sample> {
    let lines = source.split(SPLIT).next().unwrap_or_default().lines();
    lines
        .filter_map(Sample::read)
        .filter(|sample| sample.name != "foo.val")
        .collect()
}

impl Sample {
    /// Reads `%0 = "name"(%1) <{attrs}> : (types) -> (types)`.
    fn read(line: &str) -> Option<Sample> {
        let (_, rest) = line.split_once('"')?;
        let (name, rest) = rest.split_once('"')?;
        if line.contains("({")
            || line.contains(")[")
            || !line.starts_with("    ")
            || line.starts_with("     ")
        {
            return None;
        }
        if !name.contains('.') || !rest.starts_with('(') {
            return None;
        }
        let (rest, types) = rest
            .rsplit_once(" : (")
            .filter(|row| row.1.contains(") -> ("))?;
        let (operands, results) = types.strip_suffix(')')?.rsplit_once(") -> (")?;
        let attrs = rest
            .split_once("<{")
            .and_then(|row| row.1.strip_suffix("}>"))
            .unwrap_or("");
        let list =
            |text: &str| -> Vec<String> { split(text).into_iter().map(str::to_owned).collect() };
        Some(Sample {
            name: name.to_owned(),
            attrs: list(attrs),
            operands: list(operands),
            results: list(results),
        })
    }

    /// The op in a function, with values for its operands.
    fn program(&self) -> String {
        let mut text = String::from(
            "\"builtin.module\"() ({\n  \"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n",
        );
        for (index, ty) in self.operands.iter().enumerate() {
            text += &format!("    %{index} = \"foo.val\"() : () -> ({ty})\n");
        }
        let names: Vec<String> = (0..self.operands.len())
            .map(|index| format!("%{index}"))
            .collect();
        let attrs = if self.attrs.is_empty() {
            String::new()
        } else {
            format!(" <{{{}}}>", self.attrs.join(", "))
        };
        let results = if self.results.is_empty() {
            String::new()
        } else {
            format!("%r:{} = ", self.results.len())
        };
        text += &format!(
            "    {results}\"{}\"({}){attrs} : ({}) -> ({})\n",
            self.name,
            names.join(", "),
            self.operands.join(", "),
            self.results.join(", ")
        );
        text + "    \"func.return\"() : () -> ()\n  }) : () -> ()\n}) {gpu.container_module} : () -> ()\n"
    }

    /// With one thing changed, sometimes two.
    fn changed(self, random: &mut Choices) -> Sample {
        let once = self.changed_once(random);
        if random.below(3) == 0 {
            once.changed_once(random)
        } else {
            once
        }
    }

    fn changed_once(mut self, random: &mut Choices) -> Sample {
        match random.below(10) {
            0 | 1 => change_type(&mut self.operands, random),
            2 | 3 => change_type(&mut self.results, random),
            4 => change_number(&mut self.attrs, random),
            5 => drop_one(&mut self.operands, random),
            6 => drop_one(&mut self.attrs, random),
            7 => self.operands.push((*random.pick(TYPES)).to_owned()),
            8 => {
                // Another shape of all that have one, and one for what has none.
                let to = *random.pick(SHAPES);
                for ty in self.operands.iter_mut().chain(&mut self.results) {
                    let shape = SHAPES.iter().find(|shape| ty.starts_with(*shape));
                    match shape {
                        // Upstream writes such an encoding of a tensor but does not read it; Segra does both.
                        Some(_) if ty.contains("strided") => {}
                        Some(shape) => *ty = ty.replacen(shape, to, 1),
                        None if !ty.contains('<') && !ty.contains('.') => {
                            *ty = format!("{to}{ty}>")
                        }
                        None => {}
                    }
                }
            }
            _ => {
                // The same other type wherever a type stands.
                let types: Vec<String> =
                    self.operands.iter().chain(&self.results).cloned().collect();
                if !types.is_empty() {
                    let (old, new) = (random.pick(&types).clone(), *random.pick(TYPES));
                    for ty in self
                        .operands
                        .iter_mut()
                        .chain(&mut self.results)
                        .filter(|ty| **ty == old)
                    {
                        *ty = new.to_owned();
                    }
                }
            }
        }
        self
    }
}

const TYPES: &[&str] = &[
    "i1",
    "i8",
    "i32",
    "i64",
    "index",
    "f16",
    "f32",
    "f64",
    "si32",
    "ui8",
    "none",
    "tuple<i32>",
    "complex<f32>",
    "vector<4xf32>",
    "vector<4xi32>",
    "vector<4xi1>",
    "vector<2x4xf32>",
    "vector<[4]xf32>",
    "vector<f32>",
    "tensor<4xf32>",
    "tensor<?xf32>",
    "tensor<*xf32>",
    "tensor<4xi1>",
    "memref<4xf32>",
    "memref<?xf32>",
    "memref<4x4xf32>",
    "memref<*xf32>",
    "memref<f32>",
    "memref<?xi8>",
    "memref<4xf32, 1>",
    "memref<4xf32, strided<[2]>>",
    "memref<4xf32, strided<[?], offset: ?>>",
    "memref<4xi32>",
    "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>",
    "memref<4xvector<4xf32>>",
    "!gpu.async.token",
];

const SHAPES: &[&str] = &[
    "vector<4x",
    "vector<[4]x",
    "vector<2x4x",
    "tensor<4x",
    "tensor<?x",
    "tensor<*x",
    "memref<4x",
    "memref<?x",
    "memref<*x",
];

fn change_type(types: &mut [String], random: &mut Choices) {
    if types.is_empty() {
        return;
    }
    let index = random.below(types.len());
    let old = types[index].clone();
    let near = match random.below(6) {
        0 => old.replacen('4', "8", 1),
        1 => old.replacen("f32", "f64", 1),
        2 => old.replacen('<', "<2x", 1),
        3 => old
            .replacen("4x", "?x", 1)
            .replacen("vector<?", "vector<3", 1),
        _ => old.clone(),
    };
    types[index] = if near == old || near.starts_with("tuple") {
        (*random.pick(TYPES)).to_owned()
    } else {
        near
    };
}

fn change_number(attrs: &mut [String], random: &mut Choices) {
    if attrs.is_empty() {
        return;
    }
    let index = random.below(attrs.len());
    let attr = &attrs[index];
    let digits: Vec<usize> = attr
        .match_indices(|c: char| c.is_ascii_digit())
        .map(|row| row.0)
        .filter(|&at| at > 0 && matches!(attr.as_bytes()[at - 1], b' ' | b'['))
        .collect();
    if digits.is_empty() {
        return;
    }
    let at = *random.pick(&digits);
    let number = random.pick(&["0", "1", "2", "3", "7", "16"]);
    attrs[index] = format!("{}{number}{}", &attr[..at], &attr[at + 1..]);
}

fn drop_one(list: &mut Vec<String>, random: &mut Choices) {
    if !list.is_empty() {
        list.remove(random.below(list.len()));
    }
}

/// Parts between commas outside of brackets and strings.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut quoted) = (0usize, 0, false);
    let mut parts = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'>' if text[..at].ends_with('-') => {}
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

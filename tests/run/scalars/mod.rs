//! Every scalar op on every type it takes, on edge values, computed four ways: by the interpreter, by constant folding,
//! by a kernel on the devices, and by host code.
//!
//! Ops are those of `arith` and `math`, with all types that the verifier accepts: a new op is a row here, or this test
//! fails. Functions that are approximated are not (`segra-device` has their errors). All four must give the same bits; any
//! NaN is any other, but where its bits are asked for.
//!
//! Divisions by zero have no value: all four stop.

mod ops;
mod values;

use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use ops::{Group, groups};
use segra::{Array, CompileOptions, Compiled, Compiler, DeviceChoice, Program, Value, interpret};
use segra_artifact::{ElemType, Scalar};
use segra_tests::case::Failure;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The types of scalars, by the name in programs.
const TYPES: [&str; 10] = [
    "i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64",
];

/// The function that programs are entered by.
const ENTRY: &str = "main";

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let mut trials = Vec::new();
    for ty in TYPES {
        trials.push(Trial::test(format!("scalars {ty}: folding"), move || {
            Ok(fold(&groups(ty))?)
        }));
        trials.push(Trial::test(format!("scalars {ty}: host"), move || {
            Ok(host(&groups(ty))?)
        }));
        for &device in devices {
            let title = crate::title(&format!("scalars {ty}: kernel"), device);
            trials.push(Trial::test(title, move || Ok(kernel(&groups(ty), device)?)));
        }
    }
    trials.push(Trial::test(
        "scalars: every op has rows",
        || match &ops::missing()[..] {
            [] => Ok(()),
            missing => Err(format!("no rows of the table, or no ops: {missing:?}").into()),
        },
    ));
    for &device in devices {
        let title = crate::title("scalars: divisions by zero stop kernels", device);
        trials.push(Trial::test(title, move || Ok(zeros_in_kernels(device)?)));
    }
    trials.push(Trial::test("scalars: what is refused", || Ok(refused()?)));
    trials.push(Trial::test("scalars: divisions by zero stop", || {
        Ok(zeros()?)
    }));
    trials
}

fn program(text: &str) -> Result<Program, Failure> {
    Program::from_text("scalars.mlir", text)
        .map_err(|failure| format!("{}\n{text}", rendered(&failure)))
}

/// A type's format outside of programs.
fn elem(ty: &str) -> ElemType {
    match ty {
        "i1" => ElemType::Bool,
        "index" => ElemType::I64,
        _ => ElemType::from_name(ty).expect("a type of the table"),
    }
}

/// Programs over arrays: each group is a map over its rows.
fn over_arrays(groups: &[Group]) -> String {
    let (mut params, mut body, mut results, mut types) =
        (Vec::new(), String::new(), Vec::new(), Vec::new());
    for (number, group) in groups.iter().enumerate() {
        let array = |ty: &str| format!("!array.array<[n{number}]{ty}>");
        let mut heads = Vec::new();
        for (index, ty) in group.operands.iter().enumerate() {
            params.push(format!("%a{number}_{index}: {}", array(ty)));
            heads.push(format!("%x{index} in %a{number}_{index} : [n{number}]{ty}"));
        }
        let names: Vec<String> = (0..group.results().len())
            .map(|it| format!("%r{number}_{it}"))
            .collect();
        let operand = |index: usize| format!("%x{index}");
        let (text, values) = group.text(&operand);
        let yielded = group.results().join(", ");
        writeln!(
            body,
            "{} = array.map ({}) {{\n{text}array.yield {} : {yielded}\n}}",
            names.join(", "),
            heads.join(", "),
            values.join(", "),
        )
        .expect("a string takes it");
        types.extend(group.results().iter().map(|ty| array(ty)));
        results.extend(names);
    }
    function(&params, &types, &body, &results)
}

fn function(params: &[String], types: &[String], body: &str, results: &[String]) -> String {
    let types = types.join(", ");
    let (params, results) = (params.join(", "), results.join(", "));
    format!(
        "func.func @{ENTRY}({params}) -> ({types}) {{\n{body}func.return {results} : {types}\n}}\n"
    )
}

/// The columns of the groups' rows.
fn columns(groups: &[Group]) -> Vec<Value> {
    let mut columns = Vec::new();
    for group in groups {
        for (index, ty) in group.operands.iter().enumerate() {
            let values: Vec<Scalar> = group.rows.iter().map(|row| row[index]).collect();
            let array = Array::from_scalars(elem(ty), &[values.len()], &values);
            columns.push(Value::Array(array.expect("as many values as rows")));
        }
    }
    columns
}

/// The results of the interpreter, a column per result.
fn reference(groups: &[Group]) -> Result<Vec<Array>, Failure> {
    let program = program(&over_arrays(groups))?;
    let results =
        interpret(program.ir(), ENTRY, &columns(groups)).map_err(|failure| rendered(&failure))?;
    Ok(results.iter().map(Value::to_array).collect())
}

/// Compares a value with the interpreter's; `result` counts through all groups.
fn check(
    groups: &[Group],
    expected: &[Array],
    result: usize,
    row: usize,
    found: Scalar,
) -> Outcome {
    let wanted = expected[result].get(row).ok_or("there are fewer rows")?;
    let both_nan = wanted.elem().is_float() && wanted.to_f64().is_nan() && found.to_f64().is_nan();
    if wanted == found || both_nan {
        return Ok(());
    }
    let mut left = result;
    for group in groups {
        let count = group.results().len();
        if left < count {
            let operands: Vec<String> = group.rows[row].iter().map(Scalar::to_string).collect();
            let what = group.describe(left);
            return Err(format!(
                "{what} of {}: found {found}, expected {wanted}",
                operands.join(", ")
            ));
        }
        left -= count;
    }
    Err("there are fewer results".to_owned())
}

fn check_all(groups: &[Group], expected: &[Array], found: &[Array]) -> Outcome {
    if expected.len() != found.len() {
        return Err(format!(
            "{} results, expected {}",
            found.len(),
            expected.len()
        ));
    }
    let mut wrong = Vec::new();
    for (result, column) in found.iter().enumerate() {
        let mut rows = column.scalars().enumerate();
        wrong.extend(
            rows.find_map(|(row, found)| check(groups, expected, result, row, found).err()),
        );
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n"))
    }
}

/// The groups without the ops that are refused.
fn without(groups: &[Group], refused: &[&str]) -> Vec<Group> {
    groups
        .iter()
        .map(|group| group.without(refused))
        .filter(|group| !group.cases.is_empty())
        .collect()
}

fn kernel(groups: &[Group], device: DeviceChoice) -> Outcome {
    let groups = &without(groups, ops::NOT_IN_KERNELS);
    let expected = reference(groups)?;
    let compiled =
        Compiler::new(crate::compile_options(device)).compile(program(&over_arrays(groups))?);
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let found: Vec<Array> = crate::results(&entry, &columns(groups))?
        .iter()
        .map(Value::to_array)
        .collect();
    check_all(groups, &expected, &found)
}

/// Programs over numbers, which run on the host; a run takes a row of each group.
fn host(groups: &[Group]) -> Outcome {
    let groups = &without(groups, ops::NOT_ON_HOSTS);
    let expected = reference(groups)?;
    let (mut params, mut body, mut results, mut types) =
        (Vec::new(), String::new(), Vec::new(), Vec::new());
    for (number, group) in groups.iter().enumerate() {
        let name = |index: usize| format!("%a{number}_{index}");
        params.extend(
            group
                .operands
                .iter()
                .enumerate()
                .map(|(index, ty)| format!("{}: {ty}", name(index))),
        );
        let (text, values) = group.text(&name);
        body += &text.replace("%v", &format!("%v{number}_"));
        results.extend(
            values
                .iter()
                .map(|value| value.replace("%v", &format!("%v{number}_"))),
        );
        types.extend(group.results().iter().map(|&ty| ty.to_owned()));
    }
    let text = function(&params, &types, &body, &results);
    let compiled = Compiler::new(CompileOptions::default()).compile(program(&text)?);
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    if !artifact.kernels.is_empty() {
        return Err("numbers alone need no kernel".to_owned());
    }
    let loaded = load(artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let runs = groups
        .iter()
        .map(|group| group.rows.len())
        .max()
        .unwrap_or(0);
    for run in 0..runs {
        let rows: Vec<usize> = groups.iter().map(|group| run % group.rows.len()).collect();
        let arguments: Vec<Value> = groups
            .iter()
            .zip(&rows)
            .flat_map(|(group, &row)| group.rows[row].iter().map(|&scalar| Value::Scalar(scalar)))
            .collect();
        let found = crate::results(&entry, &arguments)?;
        let mut found = found.iter().enumerate();
        for (group, &row) in groups.iter().zip(&rows) {
            for (result, value) in found.by_ref().take(group.results().len()) {
                let value = value.as_scalar().ok_or("a result is not a number")?;
                check(groups, &expected, result, row, value)?;
            }
        }
    }
    Ok(())
}

/// Programs over constants: canonical forms of them must give the same, and be constants for the most part.
fn fold(groups: &[Group]) -> Outcome {
    let expected = reference(groups)?;
    let mut before = 0;
    for group in groups {
        let (mut body, mut results, mut types) = (String::new(), Vec::new(), Vec::new());
        for (number, row) in group.rows.iter().enumerate() {
            let name = |index: usize| format!("%c{number}_{index}");
            for (index, (ty, &value)) in group.operands.iter().zip(row).enumerate() {
                let value = values::literal(ty, value);
                writeln!(body, "{} = arith.constant {value}", name(index))
                    .expect("a string takes it");
            }
            let (text, values) = group.text(&name);
            body += &text.replace("%v", &format!("%v{number}_"));
            results.extend(
                values
                    .iter()
                    .map(|value| value.replace("%v", &format!("%v{number}_"))),
            );
            types.extend(group.results().iter().map(|&ty| ty.to_owned()));
        }
        let text = function(&[], &types, &body, &results);
        let lowered = Compiler::default().lower(program(&text)?, "canonicalize", None);
        let ir = lowered.map_err(|failure| rendered(&failure))?.ir;
        let left = ir
            .walk(ir.root())
            .into_iter()
            .filter(|&op| is_computed(ir.op_name_str(op)))
            .count();
        if left > results.len() / 3 {
            return Err(format!(
                "{left} of {} are not folded: {:?}",
                results.len(),
                group.operands
            ));
        }
        let found = interpret(&ir, ENTRY, &[]).map_err(|failure| rendered(&failure))?;
        let mut found = found.iter();
        for row in 0..group.rows.len() {
            for result in 0..group.results().len() {
                let value = found
                    .next()
                    .and_then(Value::as_scalar)
                    .ok_or("a result is missing")?;
                check(groups, &expected, before + result, row, value)?;
            }
        }
        before += group.results().len();
    }
    Ok(())
}

/// Whether an op computes something when it runs, which folding could do; `math.clampf` has no folding upstream, either.
fn is_computed(name: &str) -> bool {
    !["arith.constant", "math.clampf"].contains(&name)
        && (name.starts_with("arith.") || name.starts_with("math."))
}

/// Each op that kernels or host code have not is refused at its place, on all types.
fn refused() -> Outcome {
    for (name, on_host) in ops::NOT_IN_KERNELS
        .iter()
        .map(|name| (name, false))
        .chain(ops::NOT_ON_HOSTS.iter().map(|name| (name, true)))
    {
        let mut found = 0;
        for group in TYPES.iter().flat_map(|ty| groups(ty)) {
            let Some(group) = group.only(name) else {
                continue;
            };
            found += 1;
            let text = if on_host {
                let operand = |index: usize| format!("%a{index}");
                let params: Vec<String> = group
                    .operands
                    .iter()
                    .enumerate()
                    .map(|(it, ty)| format!("%a{it}: {ty}"))
                    .collect();
                let types: Vec<String> = group.results().iter().map(|&ty| ty.to_owned()).collect();
                let (text, values) = group.text(&operand);
                function(&params, &types, &text, &values)
            } else {
                over_arrays(std::slice::from_ref(&group))
            };
            match Compiler::new(crate::compile_options(DeviceChoice::Sim)).compile(program(&text)?)
            {
                Err(failure) if rendered(&failure).contains(*name) => {}
                Err(failure) => return Err(format!("{name}: {}", rendered(&failure))),
                Ok(_) => return Err(format!("{name} is not refused for {:?}", group.operands)),
            }
        }
        if found == 0 {
            return Err(format!("{name} is no op of the table"));
        }
    }
    Ok(())
}

/// Divisions by zero stop: where the interpreter runs them, after folding, and in host code.
fn zeros() -> Outcome {
    for ty in TYPES.into_iter().filter(|ty| !ty.contains('f')) {
        for name in ops::DIVISIONS {
            let constants = format!("%x = arith.constant 1 : {ty}\n%z = arith.constant 0 : {ty}\n");
            let constants = if ty == "i1" {
                "%x = arith.constant true\n%z = arith.constant false\n".to_owned()
            } else {
                constants
            };
            let op = format!("%r = {name} %x, %z : {ty}\n");
            let (types, results) = ([ty.to_owned()], ["%r".to_owned()]);
            let folded = program(&function(
                &[],
                &types,
                &format!("{constants}{op}"),
                &results,
            ))?;
            let lowered = Compiler::default().lower(folded.clone(), "canonicalize", None);
            let lowered = lowered.map_err(|failure| rendered(&failure))?.ir;
            let params = [format!("%x: {ty}"), format!("%z: {ty}")];
            let given = program(&function(&params, &types, &op, &results))?;
            let compiled = Compiler::new(CompileOptions::default()).compile(given);
            let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
            let loaded = load(artifact, DeviceChoice::Sim)?;
            let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
            let arguments = [1, 0].map(|value| Value::Scalar(Scalar::from_i64(elem(ty), value)));
            let stops = [
                interpret(folded.ir(), ENTRY, &[]).is_err(),
                interpret(&lowered, ENTRY, &[]).is_err(),
                crate::results(&entry, &arguments).is_err(),
            ];
            if stops != [true; 3] {
                return Err(format!(
                    "{name} on {ty}: interpreter, folding, host stop: {stops:?}"
                ));
            }
        }
    }
    Ok(())
}

/// Divisions by zero stop kernels at their place: of a map for each op all but one have nothing to do.
fn zeros_in_kernels(device: DeviceChoice) -> Outcome {
    for ty in TYPES.into_iter().filter(|ty| !ty.contains('f')) {
        let (mut params, mut types, mut results, mut body) =
            (Vec::new(), Vec::new(), Vec::new(), String::new());
        for (number, name) in ops::DIVISIONS.iter().enumerate() {
            let (sized, array) = (
                format!("[n{number}]{ty}"),
                format!("!array.array<[n{number}]{ty}>"),
            );
            params.extend([
                format!("%a{number}: {array}"),
                format!("%b{number}: {array}"),
            ]);
            // Everything on one line, so that this line is the place.
            let head =
                format!("array.map (%x in %a{number} : {sized}, %z in %b{number} : {sized})");
            writeln!(
                body,
                "%r{number} = {head} {{ %q = {name} %x, %z : {ty} array.yield %q : {ty} }}"
            )
            .expect("a string takes it");
            results.push(format!("%r{number}"));
            types.push(array);
        }
        let program = program(&function(&params, &types, &body, &results))?;
        let compiled = Compiler::new(crate::compile_options(device)).compile(program);
        let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
        let loaded = load(artifact, device)?;
        let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
        for (failing, name) in ops::DIVISIONS.iter().enumerate() {
            let array = |value: i64, number: usize| {
                let values =
                    vec![Scalar::from_i64(elem(ty), value); usize::from(number == failing)];
                Value::Array(
                    Array::from_scalars(elem(ty), &[values.len()], &values).expect("they fit"),
                )
            };
            let arguments: Vec<Value> = (0..ops::DIVISIONS.len())
                .flat_map(|it| [array(1, it), array(0, it)])
                .collect();
            let place = format!("scalars.mlir:{}:", failing + 2);
            match entry.run_with(&arguments, &crate::options(BTreeMap::new())) {
                Err(error)
                    if error
                        .location
                        .as_ref()
                        .is_some_and(|it| it.to_string().starts_with(&place)) => {}
                Err(error) => return Err(format!("{name} on {ty}: stops elsewhere: {error}")),
                Ok(_) => return Err(format!("{name} on {ty} by zero does not stop")),
            }
        }
    }
    Ok(())
}

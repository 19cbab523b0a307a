//! The names of an op's parts in messages: the names of the definition's fields, never bare numbers.

use crate::store::{Ir, Op};

/// "operand `lhs`", or "operand `rest` (2nd of 3)" where the field stands for several; "operand 0" of an unregistered op.
pub(super) fn operand(ir: &Ir, op: Op, index: usize) -> String {
    let fields = ir.info(op).map_or(0, |info| info.def.operands.len());
    let group = (0..fields).map(|group| (group, ir.operand_group(op, group)));
    match group.into_iter().find(|(_, range)| range.contains(&index)) {
        Some((group, range)) => {
            let name = ir.info(op).map_or("", |info| info.def.operands[group].name);
            format!("operand {}", one_of(name, index - range.start, range.len()))
        }
        None => format!("operand {index}"),
    }
}

/// "result `out`", likewise.
pub(super) fn result(ir: &Ir, op: Op, index: usize) -> String {
    let fields = ir.info(op).map_or(0, |info| info.def.results.len());
    let group = (0..fields).map(|group| (group, ir.result_group(op, group)));
    match group.into_iter().find(|(_, range)| range.contains(&index)) {
        Some((group, range)) => {
            let name = ir.info(op).map_or("", |info| info.def.results[group].name);
            format!("result {}", one_of(name, index - range.start, range.len()))
        }
        None => format!("result {index}"),
    }
}

/// "region `body`", likewise.
pub(super) fn region(ir: &Ir, op: Op, index: usize) -> String {
    let fields = ir.info(op).map_or(&[][..], |info| info.def.regions);
    match fields.get(index).or(fields.last()) {
        Some(field) if index < fields.len() => format!("region `{}`", field.name),
        Some(field) => format!("region {index} (of `{}`)", field.name),
        None => format!("region {index}"),
    }
}

fn one_of(name: &str, position: usize, count: usize) -> String {
    if count <= 1 {
        return format!("`{name}`");
    }
    let number = position + 1;
    let ending = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("`{name}` ({number}{ending} of {count})")
}

/// "1 operand", "2 operands"
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

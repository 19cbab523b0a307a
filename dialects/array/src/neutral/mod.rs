//! Neutral elements of operators: derived from the operator, or tried on one that is given.
//!
//! A neutral element `e` of an operator satisfies `e . x = x = x . e` for every `x`; there is at most one. It is derived
//! by guessing, from the ops whose results the operator yields, and proving: the operator is evaluated on symbols
//! ([`symbols`]) with the guess on either side. That covers the ops of `arith` with neutral elements, tuples and arrays
//! of them, integer products of matrices and affine functions, and selections by comparison, lexicographic ones included.
//!
//! Elements of arrays are all alike, so that one constant says what an array is. For floats, `0.0` counts as neutral for
//! sums as `-0.0` does; comparisons of operators leave not-a-numbers out of account.
//!
//! Deliberately absent: operators with branches or loops, and products of float matrices (`0 * inf` is no zero). There
//! the program writes the neutral element.

mod symbols;

use crate::combinator::{Flavour, Parts};
use crate::layout::FromTensorOp;
use crate::shape::ReplicateOp;
use crate::soac::MapOp;
use crate::types::sizes_and_element;
use segra_interp::{Datum, Elem};
use segra_ir::interfaces::constant_of;
use segra_ir::{Attr, Block, Context, Ir, Op, Type, Value, ValueDef};
use segra_std::constants::{attr_to_datum, datum_to_attr, splat_of};

/// Most tuples of guesses that are tried for one operator.
const MOST_GUESSES: usize = 64;

/// Whether start values may be combined any number of times: see [`Parts::is_neutral`].
pub(crate) fn starts_neutrally(ir: &Ir, parts: &Parts) -> bool {
    if !parts.written.is_empty() {
        let mut pairs = parts.start.iter().zip(&parts.written);
        return pairs.all(|(&a, &b)| same_elements(ir, a, b));
    }
    let start: Option<Vec<Attr>> = parts
        .start
        .iter()
        .map(|&value| element_of(ir, value))
        .collect();
    let (Some(start), Some(combine)) = (start, parts.combine) else {
        return false;
    };
    is_neutral(ir, combine, &start)
        || (parts.flavour == Flavour::Reduce && is_idempotent(ir, combine))
}

/// Whether two values are one constant, in all elements if they are arrays.
fn same_elements(ir: &Ir, a: Value, b: Value) -> bool {
    a == b || element_of(ir, a).is_some_and(|element| element_of(ir, b) == Some(element))
}

/// The constant that a value is, or that all its elements are.
pub fn element_of(ir: &Ir, value: Value) -> Option<Attr> {
    if let Some(attr) = constant_of(ir, value) {
        return Some(attr);
    }
    if let Some(made) = ir.def_as::<FromTensorOp>(value) {
        let element = sizes_and_element(ir.ctx(), ir.value_type(value)).1;
        return datum_to_attr(
            ir.ctx(),
            &splat_of(ir.ctx(), constant_of(ir, made.tensor(ir))?)?,
            element,
        );
    }
    element_of(ir, ir.def_as::<ReplicateOp>(value)?.value(ir))
}

/// The neutral elements of an operator, one per component (of arrays: what all elements are); `None` where none is
/// found.
pub fn derived(ir: &Ir, combine: Block) -> Option<Vec<Attr>> {
    let count = ir.block_args(combine).len() / 2;
    let yielded: Vec<Value> = ir.operands(ir.last_op(combine)?).collect();
    if yielded.len() != count {
        return None;
    }
    let guesses: Vec<Vec<Attr>> = yielded.iter().map(|&value| guesses(ir, value)).collect();
    let combinations = guesses.iter().try_fold(1usize, |product, guesses| {
        product.checked_mul(guesses.len())
    })?;
    // The first guess of each component is the likely one; the last component's guesses change fastest.
    (0..combinations.min(MOST_GUESSES)).find_map(|mut number| {
        let mut guess = Vec::new();
        for guesses in guesses.iter().rev() {
            guess.push(guesses[number % guesses.len()]);
            number /= guesses.len();
        }
        guess.reverse();
        is_neutral(ir, combine, &guess).then_some(guess)
    })
}

/// Whether constants (of arrays: what all elements are) are proven to be neutral.
pub fn is_neutral(ir: &Ir, combine: Block, elements: &[Attr]) -> bool {
    symbols::is_neutral(ir, combine, elements)
}

/// Small numbers that neutral elements are tried on.
const TRIED: [f64; 4] = [3.0, 1.0, 0.0, 2.0];

/// A tuple that constants do not leave as it is, and what they make of it, found by folding. Only for operators whose
/// neutral element is derived: others may be meant for some values only, such as a count with its mean.
pub fn counterexample(
    ir: &Ir,
    combine: Block,
    elements: &[Attr],
) -> Option<(Vec<Attr>, Vec<Attr>)> {
    let ctx = ir.ctx();
    derived(ir, combine)?;
    let args = ir.block_args(combine);
    (0..TRIED.len()).find_map(|at| {
        let components = args.get(..elements.len())?.iter().enumerate();
        let tuple: Option<Vec<Attr>> = components
            .map(|(index, &arg)| {
                let element = sizes_and_element(ctx, ir.value_type(arg)).1;
                number(ctx, element, TRIED[(at + index) % TRIED.len()])
            })
            .collect();
        let tuple = tuple?;
        [(elements, &tuple[..]), (&tuple[..], elements)]
            .into_iter()
            .find_map(|(left, right)| {
                let found = symbols::evaluated(ir, combine, left, right)?;
                let same = found
                    .iter()
                    .zip(&tuple)
                    .all(|(&a, &b)| same_number(ctx, a, b));
                (!same).then(|| (tuple.clone(), found))
            })
    })
}

/// Whether two constants are one number; zeros of either sign are.
pub(crate) fn same_number(ctx: &Context, a: Attr, b: Attr) -> bool {
    let float = |attr| {
        attr_to_datum(ctx, attr)
            .filter(|value| value.as_int().is_none())
            .and_then(|value| value.as_f64())
    };
    a == b
        || float(a)
            .zip(float(b))
            .is_some_and(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
}

/// The ops that give any value combined with itself, whatever the order.
const IDEMPOTENT: [&str; 10] = [
    "arith.andi",
    "arith.ori",
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
];

/// Whether every component of an operator is one idempotent op of its own two arguments.
fn is_idempotent(ir: &Ir, combine: Block) -> bool {
    let args = ir.block_args(combine);
    let count = args.len() / 2;
    let Some(last) = ir.last_op(combine) else {
        return false;
    };
    ir.operands(last).enumerate().all(|(index, value)| {
        let Some((op, operands)) = root(ir, value) else {
            return false;
        };
        let own = [args[index], args[count + index]];
        IDEMPOTENT.contains(&ir.op_name_str(op))
            && (operands == own || operands == [own[1], own[0]])
    })
}

/// The op that computes a value, inside maps the one of each element, and its operands seen from outside of the maps.
fn root(ir: &Ir, value: Value) -> Option<(Op, Vec<Value>)> {
    let ValueDef::Result { op, index } = ir.value_def(value) else {
        return None;
    };
    let Some(map) = ir.cast::<MapOp>(op) else {
        return Some((op, ir.operands(op).collect()));
    };
    let (block, arrays) = (map.body_block(ir), map.arrays(ir));
    let (op, operands) = root(ir, ir.terminator_operand(map.body(ir), index as usize)?)?;
    let args = ir.block_args(block);
    let outside = |value: Value| {
        args.iter()
            .position(|&arg| arg == value)
            .map_or(value, |at| arrays[at])
    };
    Some((op, operands.into_iter().map(outside).collect()))
}

/// Candidates for the neutral element of a component, the likely first.
fn guesses(ir: &Ir, yielded: Value) -> Vec<Attr> {
    let ctx = ir.ctx();
    let element = sizes_and_element(ctx, ir.value_type(yielded)).1;
    let Some(elem) = Elem::of_element(ctx, element) else {
        return Vec::new();
    };
    let name = root(ir, yielded).map_or("", |(op, _)| ir.op_name_str(op));
    let numbers = |numbers: &[f64]| {
        numbers
            .iter()
            .filter_map(|&value| number(ctx, element, value))
            .collect::<Vec<_>>()
    };
    if let Some(width) = elem.int_width() {
        let constant = |value: i64| datum_to_attr(ctx, &Datum::Int(width.wrap(value)), element);
        let (least, greatest) = (width.min_signed(), !width.min_signed());
        let likely: &[i64] = match name {
            "arith.muli" => &[1, 0],
            "arith.andi" | "arith.minui" => &[-1],
            "arith.maxsi" => &[least],
            "arith.minsi" => &[greatest],
            "arith.addi" => &[0, 1],
            "arith.ori" | "arith.xori" | "arith.maxui" => &[0],
            _ => &[greatest, least, 0, -1, 1],
        };
        return likely.iter().filter_map(|&value| constant(value)).collect();
    }
    match name {
        "arith.addf" => numbers(&[-0.0]),
        "arith.mulf" => numbers(&[1.0]),
        "arith.maximumf" => numbers(&[f64::NEG_INFINITY]),
        "arith.minimumf" => numbers(&[f64::INFINITY]),
        "arith.maxnumf" | "arith.minnumf" => numbers(&[f64::NAN]),
        _ => numbers(&[f64::INFINITY, f64::NEG_INFINITY, -0.0, 1.0]),
    }
}

/// A number as a constant of a type.
fn number(ctx: &Context, element: Type, value: f64) -> Option<Attr> {
    let elem = Elem::of_element(ctx, element)?;
    let datum = match elem.int_width() {
        Some(width) => Datum::Int(width.wrap(value as i64)),
        None => Datum::from_f64(value, elem),
    };
    datum_to_attr(ctx, &datum, element)
}

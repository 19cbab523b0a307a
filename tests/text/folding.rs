//! Folding of constants and of identities, held against `mlir-opt --canonicalize`: random expressions, one to a
//! function; what both make of each must be the same. `SEGRA_LONG=1` makes many more.
//!
//! Deliberately absent, because the two differ on purpose. Segra does not fold: elementary functions of `math` (upstream
//! uses the C library of the machine it runs on; a target's own functions may differ in the last place), not-a-numbers
//! of 8-bit floats, divisions by zero in a vector whose last quotient is defined, the larger or smaller of a number and
//! a signalling not-a-number (it gives the number, which upstream does in one order of the two). Upstream does not fold:
//! comparisons of vectors of floats, rounding of 16-bit floats. The lossy round trips of casts from and to `index` that
//! upstream takes for nothing (llvm/llvm-project#90296, mended after version 22) are in `passes/canonicalize-sound.mlir`.

use super::{canonical_form, read, transformed};
use segra_ir::BigInt;
use segra_tests::case::{self, Failure};
use segra_tests::draft::Choices;
use segra_tests::upstream::{self, MlirOpt};
use segra_text::{PrintOptions, print};

/// Checks random expressions.
pub(crate) fn expressions(oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let Some(oracle) = oracle else { return Ok(()) };
    let count = if std::env::var_os("SEGRA_LONG").is_some() {
        20_000
    } else {
        800
    };
    let mut random = Choices::new(0x0F01_D1E5);
    canonicalized_alike(
        oracle,
        (0..count).map(|index| Expression::new(&mut random).function(index)),
    )
}

/// Whether `mlir-opt` and Segra canonicalize each of some functions to the same.
pub(crate) fn canonicalized_alike(
    oracle: &MlirOpt,
    functions_given: impl Iterator<Item = String>,
) -> Result<(), Failure> {
    let mut module = String::from("\"builtin.module\"() ({\n");
    module.extend(functions_given);
    module += "}) : () -> ()\n";
    let theirs = oracle.transformed(&module, &["--canonicalize"])?;
    let mut theirs = read(&upstream::without_defaults(&theirs))?;
    let ours = transformed(&module, "builtin.module(canonicalize)")?;
    // Read again as theirs is: not every decimal of formats beyond `f64` comes back as what was written.
    let mut ours = read(&print(&ours, ours.root(), &PrintOptions::mlir_generic()))?;
    let [ours, theirs] = [&mut ours, &mut theirs].map(canonical_form::text);
    differing_functions(&functions(&module), &functions(&ours), &functions(&theirs))
}

/// An error that shows the functions of which the two made something different, if there are any.
fn differing_functions(given: &[&str], ours: &[&str], theirs: &[&str]) -> Result<(), Failure> {
    let count = given.len();
    if ours.len() != count || theirs.len() != count {
        return Err(format!(
            "{count} functions became {} here and {} there",
            ours.len(),
            theirs.len()
        ));
    }
    let differing: Vec<usize> = (0..count)
        .filter(|&index| renumbered(ours[index]) != renumbered(theirs[index]))
        .collect();
    if differing.is_empty() {
        return Ok(());
    }
    let show = |index: &usize| {
        format!(
            "{}mlir-opt (-) and Segra (+):\n{}",
            given[*index],
            case::difference(&renumbered(theirs[*index]), &renumbered(ours[*index]))
        )
    };
    let shown: Vec<String> = differing.iter().take(10).map(show).collect();
    Err(format!(
        "{} of {count} differ:\n{}",
        differing.len(),
        shown.join("\n")
    ))
}

/// The function with its values numbered from 0: generically, numbers go on from function to function.
fn renumbered(function: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut out = String::new();
    let mut pieces = function.split('%');
    out += pieces.next().unwrap_or_default();
    for piece in pieces {
        let end = piece
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(piece.len());
        let (name, rest) = piece.split_at(end);
        let number = names
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
        out += &format!("%{number}{rest}");
    }
    out
}

/// The functions of a module's generic text.
fn functions(text: &str) -> Vec<&str> {
    let starts: Vec<usize> = text
        .match_indices("  \"func.func\"")
        .map(|row| row.0)
        .collect();
    let end = text.rfind("}) : () -> ()").unwrap_or(text.len());
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &text[start..end])
        .collect()
}

const INTEGERS: &[(&str, u32)] = &[
    ("i1", 1),
    ("i3", 3),
    ("i8", 8),
    ("i32", 32),
    ("i64", 64),
    ("index", 64),
    ("i65", 65),
    ("i128", 128),
    ("i127", 127),
    ("i129", 129),
    ("i200", 200),
];
const INDEX: (&str, u32) = ("index", 64);
const FLOATS: &[(&str, u32)] = &[
    ("f16", 16),
    ("bf16", 16),
    ("f32", 32),
    ("f64", 64),
    ("f8E4M3FN", 8),
    ("f8E5M2", 8),
];
/// Formats beyond `f64`, and one that no machine has; what they fold to is read as an integer of their bits, because
/// `mlir-opt` writes decimals that it reads back as the nearest `f64`.
const OTHER_FLOATS: &[(&str, u32)] = &[("f80", 80), ("f128", 128), ("tf32", 19)];
const INTEGER_OPS: &[&str] = &[
    "addi",
    "subi",
    "muli",
    "divsi",
    "divui",
    "floordivsi",
    "ceildivui",
    "ceildivsi",
    "remsi",
    "remui",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrsi",
    "shrui",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
];
const DECIMALS: &[&str] = &[
    "0.0", "-0.0", "1.0", "-1.0", "2.5", "-3.5", "0.5", "100.0", "1.5e-2", "1.0e30", "-1.0e38",
];
const FLOAT_OPS: &[&str] = &[
    "addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf",
];
const WIDENINGS: &[(&str, &str)] = &[
    ("f64", "f80"),
    ("f32", "f128"),
    ("f80", "f128"),
    ("f16", "tf32"),
    ("tf32", "f32"),
    ("bf16", "f80"),
];
const WIDER: &[(usize, usize)] = &[
    (0, 2),
    (2, 3),
    (3, 4),
    (1, 6),
    (4, 7),
    (8, 7),
    (7, 9),
    (2, 10),
    (0, 9),
    (9, 10),
    (6, 10),
];

/// An op, its operands and its attributes.
/// A type and its width.
type Format = (&'static str, u32);

/// Constants of a type as operands; `kind`: whether of floats, and whether vectors.
fn constants(
    random: &mut Choices,
    count: usize,
    format: Format,
    (is_float, is_vector): (bool, bool),
) -> Vec<Option<String>> {
    (0..count)
        .map(|_| Some(constant(random, format, is_float, is_vector)))
        .collect()
}

fn any_float(random: &mut Choices) -> Format {
    match random.below(3) {
        0 => any_other(random),
        _ => *random.pick(FLOATS),
    }
}

struct Expression {
    op: String,
    attrs: String,
    /// Values of constants; `None`: the function's argument.
    operands: Vec<Option<String>>,
    ty: &'static str,
    result: &'static str,
    is_vector: bool,
}

impl Expression {
    fn new(random: &mut Choices) -> Expression {
        let vectors = random.below(3) == 0;
        match random.below(10) {
            0 | 1 => Expression::of_integers(random, vectors),
            2 => Expression::identity(random, vectors),
            3 => Expression::of_floats(random, vectors),
            4 => {
                let format = *random.pick(INTEGERS);
                let operands = constants(random, 2, format, (false, vectors));
                let attrs = format!("predicate = {} : i64", random.below(10));
                Expression {
                    attrs,
                    ..Expression::made("cmpi", operands, (format.0, "i1"), vectors)
                }
            }
            5 => {
                let format = any_float(random);
                let attrs = format!("predicate = {} : i64", random.below(16));
                let operands = constants(random, 2, format, (true, false));
                Expression {
                    attrs,
                    ..Expression::made("cmpf", operands, (format.0, "i1"), false)
                }
            }
            6 => {
                let (narrow, wide) = *random.pick(WIDER);
                let (narrow, wide) = (INTEGERS[narrow], INTEGERS[wide]);
                let (op, from, to) = match random.below(3) {
                    0 => ("trunci", wide, narrow),
                    1 => ("extui", narrow, wide),
                    _ => ("extsi", narrow, wide),
                };
                Expression::cast(random, op, (from, false), to.0, vectors)
            }
            7 => {
                let other = *random.pick(INTEGERS);
                let (from, to) = match random.below(2) {
                    0 => (INDEX, other),
                    _ => (other, INDEX),
                };
                let from = if from.0 == to.0 { ("i32", 32) } else { from };
                let op = *random.pick(&["index_cast", "index_castui"]);
                Expression::cast(random, op, (from, false), to.0, vectors)
            }
            8 => {
                let (narrow, wide) = *random.pick(WIDENINGS);
                let (op, from, to) = match random.below(2) {
                    0 => ("extf", narrow, wide),
                    _ => ("truncf", wide, narrow),
                };
                let mut all = FLOATS.iter().chain(OTHER_FLOATS).copied();
                let format = all.find(|format| format.0 == from).unwrap_or(FLOATS[0]);
                Expression::cast(random, op, (format, true), to, vectors)
            }
            _ => {
                let integer = *random.pick(INTEGERS);
                let too_narrow = integer == INDEX || integer.1 < 8;
                let integer = if too_narrow { ("i8", 8) } else { integer };
                let float = any_float(random);
                let op = *random.pick(&["sitofp", "uitofp", "fptosi", "fptoui"]);
                let to_float = op.ends_with("fp");
                let (from, to) = match to_float {
                    true => (integer, float),
                    false => (float, integer),
                };
                Expression::cast(random, op, (from, !to_float), to.0, vectors)
            }
        }
    }

    /// `types`: of the operands and of the result.
    fn made(
        op: &str,
        operands: Vec<Option<String>>,
        (ty, result): (&'static str, &'static str),
        is_vector: bool,
    ) -> Expression {
        Expression {
            op: format!("arith.{op}"),
            attrs: String::new(),
            operands,
            ty,
            result,
            is_vector,
        }
    }

    fn cast(
        random: &mut Choices,
        op: &str,
        (from, is_float): (Format, bool),
        to: &'static str,
        vectors: bool,
    ) -> Expression {
        let operands = constants(random, 1, from, (is_float, vectors));
        Expression::made(op, operands, (from.0, to), vectors)
    }

    fn of_integers(random: &mut Choices, vectors: bool) -> Expression {
        let format = *random.pick(INTEGERS);
        let op = *random.pick::<&str>(INTEGER_OPS);
        let vectors = vectors && op != "floordivsi";
        let operands = constants(random, 2, format, (false, vectors));
        Expression::made(op, operands, (format.0, format.0), vectors)
    }

    /// One operand is the argument, the other a number that may mean something.
    fn identity(random: &mut Choices, vectors: bool) -> Expression {
        let format = *random.pick(&INTEGERS[2..]);
        let other = match random.below(4) {
            0 => None,
            _ => Some(constant(random, format, false, vectors)),
        };
        let operands = match random.below(4) {
            0 => vec![other, None],
            _ => vec![None, other],
        };
        let op = *random.pick::<&str>(INTEGER_OPS);
        Expression::made(op, operands, (format.0, format.0), vectors)
    }

    fn of_floats(random: &mut Choices, vectors: bool) -> Expression {
        let format = match random.below(3) {
            0 => any_other(random),
            _ => *random.pick(&FLOATS[..4]),
        };
        let op = *random.pick::<&str>(FLOAT_OPS);
        let operands = match op.strip_suffix("numf") {
            Some(_) => (0..2)
                .map(|_| Some((*random.pick(DECIMALS)).to_owned()))
                .collect(),
            None => constants(random, 2, format, (true, vectors)),
        };
        Expression::made(op, operands, (format.0, format.0), vectors)
    }

    fn shaped(&self, ty: &str) -> String {
        if self.is_vector {
            format!("vector<2x{ty}>")
        } else {
            ty.to_owned()
        }
    }

    fn function(&self, index: usize) -> String {
        let (ty, result) = (self.shaped(self.ty), self.shaped(self.result));
        let bits = OTHER_FLOATS.iter().find(|format| format.0 == self.result);
        let returned = bits.map_or(result.clone(), |format| {
            self.shaped(&format!("i{}", format.1))
        });
        let mut text = format!(
            "  \"func.func\"() <{{function_type = ({ty}) -> {returned}, sym_name = \"f{index}\"}}> ({{\n  ^bb0(%arg0: {ty}):\n"
        );
        let mut names = Vec::new();
        for (position, operand) in self.operands.iter().enumerate() {
            let Some(value) = operand else {
                names.push("%arg0".to_owned());
                continue;
            };
            let value = if self.is_vector {
                format!("dense<{value}>")
            } else {
                value.clone()
            };
            text += &format!(
                "    %{position} = \"arith.constant\"() <{{value = {value} : {ty}}}> : () -> {ty}\n"
            );
            names.push(format!("%{position}"));
        }
        let attrs = if self.attrs.is_empty() {
            String::new()
        } else {
            format!(" <{{{}}}>", self.attrs)
        };
        let types = vec![ty; names.len()].join(", ");
        text += &format!(
            "    %r = \"{}\"({}){attrs} : ({types}) -> {result}\n",
            self.op,
            names.join(", ")
        );
        let name = if bits.is_some() { "%b" } else { "%r" };
        if bits.is_some() {
            text += &format!("    %b = \"arith.bitcast\"(%r) : ({result}) -> {returned}\n");
        }
        text + &format!("    \"func.return\"({name}) : ({returned}) -> ()\n  }}) : () -> ()\n")
    }
}

/// A number of a format, likely one at an edge; for vectors maybe a list of two.
fn constant(random: &mut Choices, format: (&str, u32), is_float: bool, is_vector: bool) -> String {
    let mut one = || {
        if is_float {
            float(random, format.1)
        } else {
            integer(random, format.1)
        }
    };
    let first = one();
    let second = one();
    if is_vector && first != second {
        format!("[{first}, {second}]")
    } else {
        first
    }
}

fn integer(random: &mut Choices, width: u32) -> String {
    if width > 128 && random.below(2) == 0 {
        return wide_integer(random, width);
    }
    let width = width.min(128);
    let least = i128::MIN >> (128 - width);
    let edges = [
        0,
        1,
        -1,
        2,
        7,
        i128::from(width) - 1,
        i128::from(width),
        least,
        !least,
        least + 1,
    ];
    let any = ((random.below(usize::MAX) as i128) << 64 | random.below(usize::MAX) as i128)
        >> (128 - width);
    let value = if random.below(4) == 0 {
        any
    } else {
        *random.pick(&edges)
    };
    value.clamp(least, !least).to_string()
}

/// A number of more than 128 bits: near the least, near the greatest, or any.
fn wide_integer(random: &mut Choices, width: u32) -> String {
    let least: BigInt = -(BigInt::from(1) << (width - 1));
    let step = BigInt::from(random.below(3));
    match random.below(3) {
        0 => (least + step).to_string(),
        1 => (-least - BigInt::from(1) - step).to_string(),
        _ => {
            let share: BigInt =
                &least * BigInt::from(random.below(usize::MAX)) / BigInt::from(usize::MAX);
            (share - least / BigInt::from(2)).to_string()
        }
    }
}

fn float(random: &mut Choices, width: u32) -> String {
    if random.below(2) == 0 {
        return (*random.pick(DECIMALS)).to_owned();
    }
    let word = |random: &mut Choices| random.below(usize::MAX) as u128;
    let mut bits = (word(random) << 64 | word(random)) >> (128 - width);
    if width >= 80 && random.below(4) != 0 {
        // An exponent that others are near to: 0, the least, the greatest or one around 2^0.
        let power = match random.below(6) {
            0 => random.below(3) as u128,
            1 => 0x7FFF - random.below(3) as u128,
            _ => 0x3FFF - 60 + random.below(140) as u128,
        };
        bits = bits & !(0x7FFF << (width - 16)) | power << (width - 16);
    }
    if width == 80 {
        // The leading bit is set but where the exponent is 0: others stand for nothing.
        let leading = u128::from(bits >> 64 & 0x7FFF != 0) << 63;
        bits = bits & !(1 << 63) | leading;
    }
    format!("0x{bits:0digits$X}", digits = (width as usize).div_ceil(4))
}

fn any_other(random: &mut Choices) -> (&'static str, u32) {
    *random.pick(OTHER_FLOATS)
}

//! Integer ops and conversions that have a value everywhere, although LLVM's have not.
//!
//! Here, as in Segra's dialects, a shift by the width or more gives 0 or copies of the sign, `MIN / -1` wraps, and a float
//! out of range becomes the nearest integer, NaN becomes 0. LLVM's instructions are poison there, or have no behaviour at
//! all, so they must not get such operands:
//!
//! ```text
//! arith.shli %x, %d     ==>  arith.select (%d <u width), (arith.shli %x, %d), 0         the same with shrui
//! arith.shrsi %x, %d    ==>  arith.shrsi %x, (arith.minui %d, width - 1)
//! arith.divsi %x, %d    ==>  arith.select (%d == -1), 0 - %x, (arith.divsi %x, %safe)   the same with floordivsi, ceildivsi
//! arith.remsi %x, %d    ==>  arith.remsi %x, %safe                                      %safe: 1 for 0 and -1, else %d
//! arith.fptosi %x       ==>  the saturating conversion of the hardware, 0 for NaN       the same with fptoui
//! arith.sitofp %x       ==>  arith.sitofp (%x in 24 bits, rounded to odd)               i32, i64 to bf16; uitofp
//! ```
//!
//! Where the amount or the divisor is a constant that does no harm, nothing changes. LLVM's NVPTX back end makes one
//! instruction of the guarded `shli` and `shrui`, since PTX shifts are total as well; at 64 bits it then forgets the upper
//! half of the amount (as of LLVM 22), so there the amount loses its upper bits before, which it does not recognise.
//!
//! Integers of 32 and 64 bits become `bf16` by way of `f32` in LLVM 22, so they are rounded twice; that is mended here, too.
//!
//! Deliberately absent: division by zero. It is an error of the program, for which kernels have checks; an unsigned divisor
//! must not be zero here.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, BlockLike, Type, Value, ValueLike};

use crate::math::call;
use crate::pointer::emit;
use crate::session::{constant as constant_of, error_at, op_name};
use segra_worker::{ErrorCode, MlirError};

/// Numbers of predicates of `arith.cmpi` and `arith.cmpf`.
const EQUAL: i64 = 0;
const UNSIGNED_LESS: i64 = 6;
const ORDERED_AT_LEAST: i64 = 3;
const ORDERED_AT_MOST: i64 = 5;
const UNORDERED: i64 = 14;

/// Rewrites an op of these; others stay.
pub(crate) fn rewrite<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), MlirError> {
    let name = &*op_name(op);
    let lowered = match name {
        "arith.shli" | "arith.shrui" | "arith.shrsi" => {
            Guard::of(context, op).and_then(|it| it.shift(name))
        }
        "arith.divsi" | "arith.floordivsi" | "arith.ceildivsi" | "arith.remsi" => {
            Guard::of(context, op).and_then(|it| it.division(name))
        }
        "arith.fptosi" | "arith.fptoui" => conversion(context, op, name).map(Some),
        "arith.sitofp" | "arith.uitofp" => rounded_once(context, op, name),
        "arith.addui_extended" | "arith.mulsi_extended" | "arith.mului_extended" => {
            extended(context, op, name).map(|()| None)
        }
        _ => return Ok(()),
    };
    let lowered = lowered.map_err(|error| {
        MlirError::new(ErrorCode::Internal, "arithmetic cannot be lowered").with_diagnostics(vec![
            error_at(op, format!("`{name}` cannot be guarded: {error}")),
        ])
    })?;
    if let Some(value) = lowered {
        IrRewriter::new(context)
            .as_rewriter_base()
            .replace_op_with_values(op, &[value]);
    }
    Ok(())
}

type Lowered<'c, 'a> = Result<Option<Value<'c, 'a>>, melior::Error>;

/// The type of a scalar or of the elements of a vector, as text.
fn element_of(r#type: Type<'_>) -> String {
    let text = r#type.to_string();
    let inner = text
        .strip_prefix("vector<")
        .and_then(|rest| rest.strip_suffix('>'));
    inner
        .and_then(|inner| inner.rsplit('x').next())
        .map(str::to_owned)
        .unwrap_or(text)
}

/// The width of an integer type, or of the elements of a vector of them.
fn width_of(r#type: Type<'_>) -> Option<u32> {
    match &*element_of(r#type) {
        // `index` ends in an `x`.
        "" | "index" => Some(64),
        element => element.strip_prefix('i')?.parse().ok(),
    }
}

/// The ops that replace one with two integer operands.
struct Guard<'c, 'a> {
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
    width: u32,
}

impl<'c, 'a> Guard<'c, 'a> {
    fn of(context: &'c Context, op: OperationRef<'c, 'a>) -> Result<Self, melior::Error> {
        let (left, right) = (op.operand(0)?, op.operand(1)?);
        let width = width_of(left.r#type()).ok_or(melior::Error::OperationBuild)?;
        Ok(Guard {
            context,
            op,
            left,
            right,
            width,
        })
    }

    /// The right operand where it is a constant scalar, as an unsigned number.
    fn known_right(&self) -> Option<u64> {
        let value = constant_of(self.right)? as u64;
        Some(if self.width < 64 {
            value & ((1 << self.width) - 1)
        } else {
            value
        })
    }

    fn shift(&self, name: &str) -> Lowered<'c, 'a> {
        let width = u64::from(self.width);
        let known = self.known_right();
        if known.is_some_and(|amount| amount < width) {
            return Ok(None);
        }
        if name == "arith.shrsi" {
            let most = self.constant(i64::from(self.width) - 1)?;
            let amount = self.same("arith.minui", self.right, most)?;
            return self.same(name, self.left, amount).map(Some);
        }
        let zero = self.constant(0)?;
        if known.is_some() || self.width == 1 {
            // Of one bit nothing is left but by 0.
            let none = self.compare(EQUAL, self.right, zero)?;
            return self.select(none, self.left, zero).map(Some);
        }
        let amount = match self.width {
            64 => self.same("arith.andi", self.right, self.constant(63)?)?,
            _ => self.right,
        };
        let near = self.compare(
            UNSIGNED_LESS,
            self.right,
            self.constant(i64::from(self.width))?,
        )?;
        let shifted = self.same(name, self.left, amount)?;
        self.select(near, shifted, zero).map(Some)
    }

    fn division(&self, name: &str) -> Lowered<'c, 'a> {
        let minus_one = u64::MAX >> (64 - self.width.clamp(1, 64));
        if self
            .known_right()
            .is_some_and(|divisor| divisor != 0 && divisor != minus_one)
        {
            return Ok(None);
        }
        let remainder = name == "arith.remsi";
        if self.width == 1 {
            // There is one divisor, -1, and every quotient wraps.
            return if remainder {
                self.constant(0).map(Some)
            } else {
                Ok(Some(self.left))
            };
        }
        let one = self.constant(1)?;
        let next = self.same("arith.addi", self.right, one)?;
        let harmful = self.compare(UNSIGNED_LESS, next, self.constant(2)?)?;
        let safe = self.select(harmful, one, self.right)?;
        let divided = self.same(name, self.left, safe)?;
        if remainder {
            return Ok(Some(divided));
        }
        let negates = self.compare(EQUAL, self.right, self.constant(-1)?)?;
        let negated = self.same("arith.subi", self.constant(0)?, self.left)?;
        self.select(negates, negated, divided).map(Some)
    }

    /// The integer with no more bits between its first and its last one than `f32` holds, rounded to odd: what is rounded
    /// after it comes out as if it was not. At least ten bits stay, more than `bf16` holds.
    fn rounded_to_odd(&self, signed: bool) -> Result<Value<'c, 'a>, melior::Error> {
        let mut value = self.left;
        // Numbers from 2^least on lose this many bits.
        let steps: &[(u32, u32)] = if self.width == 32 {
            &[(24, 8)]
        } else {
            &[(24, 14), (38, 28), (52, 42)]
        };
        for &(least, bits) in steps {
            let lost = 1i64 << bits;
            let low = self.constant(lost - 1)?;
            let carried = self.same("arith.addi", self.same("arith.andi", value, low)?, low)?;
            let sticky = self.same("arith.ori", value, carried)?;
            let rounded = self.same("arith.andi", sticky, self.constant(-lost)?)?;
            // The range that stays begins at 0 where it is moved up.
            let (moved, bound) = match signed {
                true => (
                    self.same("arith.addi", value, self.constant(1 << least)?)?,
                    2 << least,
                ),
                false => (value, 1 << least),
            };
            let stays = self.compare(UNSIGNED_LESS, moved, self.constant(bound)?)?;
            value = self.select(stays, value, rounded)?;
        }
        Ok(value)
    }

    fn emit(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Value<'c, 'a>, melior::Error> {
        Ok(emit(
            self.context,
            self.op,
            name,
            operands,
            Some(result),
            attributes,
        )?
        .result(0)?
        .into())
    }
    /// An op whose result has the type of its operands, without flags.
    fn same(
        &self,
        name: &str,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, melior::Error> {
        self.emit(name, &[left, right], left.r#type(), &[])
    }
    fn constant(&self, value: i64) -> Result<Value<'c, 'a>, melior::Error> {
        constant(self.context, self.op, self.left.r#type(), value)
    }
    fn compare(
        &self,
        predicate: i64,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, melior::Error> {
        compare(
            self.context,
            self.op,
            ("arith.cmpi", predicate),
            left,
            right,
        )
    }
    fn select(
        &self,
        condition: Value<'c, 'a>,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, melior::Error> {
        self.emit(
            "arith.select",
            &[condition, left, right],
            left.r#type(),
            &[],
        )
    }
}

/// Integers as `bf16`, where `f32` does not hold them all.
fn rounded_once<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    name: &str,
) -> Lowered<'c, 'a> {
    let (source, result) = (op.operand(0)?, op.result(0)?.r#type());
    let Some(width @ (32 | 64)) = width_of(source.r#type()) else {
        return Ok(None);
    };
    let (left, right) = (source, source);
    let integer = Guard {
        context,
        op,
        left,
        right,
        width,
    };
    if element_of(result) != "bf16" {
        return Ok(None);
    }
    let rounded = integer.rounded_to_odd(name == "arith.sitofp")?;
    integer.emit(name, &[rounded], result, &[]).map(Some)
}

/// Integers of 64 bits in place of `index`, for which upstream does not lower ops with two results.
fn extended<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    name: &str,
) -> Result<(), melior::Error> {
    let index = op.operand(0)?.r#type();
    if index.to_string() != "index" {
        return Ok(());
    }
    let word: Type<'c> = IntegerType::new(context, 64).into();
    let cast = |value, to| emit(context, op, "arith.index_cast", &[value], Some(to), &[]);
    let operands = [
        cast(op.operand(0)?, word)?.result(0)?.into(),
        cast(op.operand(1)?, word)?.result(0)?.into(),
    ];
    let types = [
        word,
        if name == "arith.addui_extended" {
            op.result(1)?.r#type()
        } else {
            word
        },
    ];
    let built = OperationBuilder::new(name, op.location())
        .add_operands(&operands)
        .add_results(&types)
        .build()?;
    let block = op.block().ok_or(melior::Error::OperationBuild)?;
    let made = block.insert_operation_before(op, built);
    let mut results: Vec<Value<'c, '_>> = Vec::new();
    for (number, r#type) in types.into_iter().enumerate() {
        let value = made.result(number)?.into();
        results.push(if r#type == word {
            cast(value, index)?.result(0)?.into()
        } else {
            value
        });
    }
    IrRewriter::new(context)
        .as_rewriter_base()
        .replace_op_with_values(op, &results);
    Ok(())
}

/// An integer constant of a scalar type, or a vector of it.
fn constant<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    r#type: Type<'c>,
    value: i64,
) -> Result<Value<'c, 'a>, melior::Error> {
    let word = match width_of(r#type) {
        Some(1) => (value != 0).to_string(),
        _ => value.to_string(),
    };
    parsed(context, op, r#type, &word)
}

/// A constant of a scalar type as text, or a vector of it.
fn parsed<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    r#type: Type<'c>,
    word: &str,
) -> Result<Value<'c, 'a>, melior::Error> {
    let text = match (r#type.to_string(), word) {
        (vector, word) if vector.starts_with("vector<") => format!("dense<{word}> : {vector}"),
        (_, "true" | "false") => word.to_owned(),
        (scalar, word) => format!("{word} : {scalar}"),
    };
    let attribute = Attribute::parse(context, &text).ok_or(melior::Error::OperationBuild)?;
    Ok(emit(
        context,
        op,
        "arith.constant",
        &[],
        Some(r#type),
        &[("value", attribute)],
    )?
    .result(0)?
    .into())
}

fn compare<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    (name, predicate): (&str, i64),
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, melior::Error> {
    let predicate = IntegerAttribute::new(IntegerType::new(context, 64).into(), predicate).into();
    let text = left.r#type().to_string();
    let flag = match text.strip_suffix(&element_suffix(left.r#type())) {
        Some(shape) if text.starts_with("vector<") => Type::parse(context, &format!("{shape}i1>")),
        _ => Some(IntegerType::new(context, 1).into()),
    };
    let flag = flag.ok_or(melior::Error::OperationBuild)?;
    Ok(emit(
        context,
        op,
        name,
        &[left, right],
        Some(flag),
        &[("predicate", predicate)],
    )?
    .result(0)?
    .into())
}

/// The end of a vector type's text, from its element type on.
fn element_suffix(r#type: Type<'_>) -> String {
    let element = element_of(r#type);
    format!(
        "{}>",
        if element.is_empty() {
            "index"
        } else {
            &element
        }
    )
}

/// A float as an integer: the hardware saturates; what it makes of NaN depends on the formats (PTX ISA, "cvt").
fn conversion<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    name: &str,
) -> Result<Value<'c, 'a>, melior::Error> {
    let mut source = op.operand(0)?;
    let result = op.result(0)?.r#type();
    let signed = name == "arith.fptosi";
    let single = Type::float32(context);
    let from = source.r#type().to_string();
    if matches!(&*from, "f16" | "bf16") {
        source = emit(context, op, "arith.extf", &[source], Some(single), &[])?
            .result(0)?
            .into();
    }
    let double = from == "f64";
    let scalar = double || source.r#type() == single;
    let intrinsic = match (&*result.to_string(), double, signed) {
        _ if !scalar => "",
        ("i32", false, true) => "llvm.nvvm.f2i.rz",
        ("i32", false, false) => "llvm.nvvm.f2ui.rz",
        ("i64", false, true) => "llvm.nvvm.f2ll.rz",
        ("i64", false, false) => "llvm.nvvm.f2ull.rz",
        ("i32", true, true) => "llvm.nvvm.d2i.rz",
        ("i32", true, false) => "llvm.nvvm.d2ui.rz",
        ("i64", true, true) => "llvm.nvvm.d2ll.rz",
        ("i64", true, false) => "llvm.nvvm.d2ull.rz",
        _ => "",
    };
    if width_of(result) == Some(1) {
        // The only number that is not 0 is -1, or 1; LLVM 22 compares with 0 instead.
        let (predicate, bound) = if signed {
            (ORDERED_AT_MOST, "-1.0")
        } else {
            (ORDERED_AT_LEAST, "1.0")
        };
        let bound = parsed(context, op, source.r#type(), bound)?;
        return compare(context, op, ("arith.cmpf", predicate), source, bound);
    }
    let block = op.block().ok_or(melior::Error::OperationBuild)?;
    let convert = |name: &str| -> Result<Value<'c, 'a>, melior::Error> {
        let built = call(context, op, name, &[source], result)?;
        Ok(block.insert_operation_before(op, built).result(0)?.into())
    };
    if intrinsic.is_empty() {
        // Other widths have no instruction of their own: LLVM clamps the float.
        return convert(if signed {
            "llvm.fptosi.sat"
        } else {
            "llvm.fptoui.sat"
        });
    }
    let converted = convert(intrinsic)?;
    if !double && result.to_string() == "i32" {
        return Ok(converted);
    }
    let none = compare(context, op, ("arith.cmpf", UNORDERED), source, source)?;
    let zero = constant(context, op, result, 0)?;
    Ok(emit(
        context,
        op,
        "arith.select",
        &[none, zero, converted],
        Some(result),
        &[],
    )?
    .result(0)?
    .into())
}

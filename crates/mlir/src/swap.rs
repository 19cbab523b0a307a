//! Atomic updates by any computation: loops of compare-and-swap.
//!
//! Upstream's own lowering of `memref.generic_atomic_rmw` takes integers only, reads the first element by a plain load
//! (a data race), fences the whole system around every exchange, and cannot hold control flow. Here
//!
//! ```text
//! %old = memref.generic_atomic_rmw %m[%i] { ^(%x: f32): …; memref.atomic_yield %y }
//!   ==>
//! %first = llvm.load %p atomic syncscope("device") monotonic : i32
//! %found = scf.while (%bits = %first) {
//!   %x = arith.bitcast %bits : i32 to f32;  …;  %new = arith.bitcast %y : f32 to i32
//!   %pair = llvm.cmpxchg %p, %bits, %new syncscope("device") monotonic monotonic
//!   scf.condition(not %pair[1]) %pair[0]
//! } do { ^(%bits: i32): scf.yield %bits }
//! %old = arith.bitcast %found : i32 to f32
//! ```
//!
//! Elements are compared as bits, so a NaN or a zero with a sign is found again. The scope is the device for global
//! memory and the thread block for shared memory; nothing else is ordered, as with `memref.atomic_rmw`.
//!
//! Legality: elements of 16, 32 or 64 bits (PTX ISA, "atom.cas": 16 bits from sm_70 on), and what `pointer` asks for.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute, StringAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Region, RegionLike, Type, Value, ValueLike,
};

use crate::pointer::{Element, Space, build, element_pointer, emit};
use crate::session::error_at;
use segra_worker::{ErrorCode, MlirError};

/// The op that is rewritten.
pub(crate) const OP: &str = "memref.generic_atomic_rmw";

/// Orderings as LLVM's dialect numbers them: 2 is `monotonic`.
const MONOTONIC: i64 = 2;

/// Bits of an element that can be compared and swapped.
pub(crate) fn width(element: &str) -> Option<u32> {
    match element {
        "i16" | "f16" | "bf16" => Some(16),
        "i32" | "f32" => Some(32),
        "i64" | "f64" => Some(64),
        _ => None,
    }
}

/// Rewrites one `memref.generic_atomic_rmw`; the ops of its region stay the same ops, in another place.
pub(crate) fn rewrite<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), MlirError> {
    replace(context, op).map_err(|error| {
        MlirError::new(
            ErrorCode::KernelContract,
            "an atomic update cannot be lowered",
        )
        .with_diagnostics(vec![error_at(
            op,
            format!("`{OP}` cannot become a compare-and-swap: {error}"),
        )])
    })
}

fn replace<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let refused = || melior::Error::OperationBuild;
    let element = element_pointer(context, op, op.operand(0)?, op.operand(1)?)?;
    let width = width(&element.r#type.to_string()).ok_or_else(refused)?;
    let bits: Type<'c> = IntegerType::new(context, width).into();
    let body = op.region(0)?.first_block().ok_or_else(refused)?;
    let terminator = body.terminator().ok_or_else(refused)?;
    let new = terminator.operand(0)?;

    let mut attributes = ordered(context, &element, &["ordering"]);
    attributes.push(("alignment", number(context, i64::from(width / 8))));
    let first = emit(
        context,
        op,
        "llvm.load",
        &[element.pointer],
        Some(bits),
        &attributes,
    )?;
    let looped = empty_loop(op, first.result(0)?.into(), bits)?;
    let test = looped.region(0)?.first_block().ok_or_else(refused)?;
    let expected: Value<'c, '_> = test.argument(0)?.into();

    let end = End { context, test, op };
    let old = end.cast(expected, element.r#type)?;
    // The body moves to between these.
    let one = IntegerAttribute::new(IntegerType::new(context, 1).into(), 1).into();
    let flag: Type<'c> = IntegerType::new(context, 1).into();
    let mark = end.append("arith.constant", &[], Some(flag), &[("value", one)])?;
    let new = end.cast(new, bits)?;
    let (found, done) = match width {
        16 => end.exchange_by_instruction(&element, (expected, new), (bits, flag))?,
        _ => end.exchange(&element, (expected, new), (bits, flag))?,
    };
    let again = end.append(
        "arith.xori",
        &[done, mark.result(0)?.into()],
        Some(flag),
        &[],
    )?;
    end.append(
        "scf.condition",
        &[again.result(0)?.into(), found],
        None,
        &[],
    )?;

    let rewriter = IrRewriter::new(context);
    let rewriter = rewriter.as_rewriter_base();
    rewriter.erase_op(terminator);
    rewriter.inline_block_before(body, mark, &[old]);
    let found: Value<'c, '_> = looped.result(0)?.into();
    let found = match element.r#type == bits {
        true => found,
        false => emit(
            context,
            op,
            "arith.bitcast",
            &[found],
            Some(element.r#type),
            &[],
        )?
        .result(0)?
        .into(),
    };
    rewriter.replace_op_with_values(op, &[found]);
    Ok(())
}

/// The end of a loop's test under construction.
struct End<'c, 'a> {
    context: &'c Context,
    test: BlockRef<'c, 'a>,
    /// Whose location new ops have.
    op: OperationRef<'c, 'a>,
}

impl<'c, 'a> End<'c, 'a> {
    fn append(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'a>, melior::Error> {
        let built = build(
            self.context,
            self.op.location(),
            name,
            operands,
            result,
            attributes,
        )?;
        Ok(self.test.append_operation(built))
    }

    /// Exchanges the element if it has the expected bits: what it had, and whether it is done.
    fn exchange(
        &self,
        element: &Element<'c, 'a>,
        (expected, new): (Value<'c, 'a>, Value<'c, 'a>),
        (bits, flag): (Type<'c>, Type<'c>),
    ) -> Result<(Value<'c, 'a>, Value<'c, 'a>), melior::Error> {
        let pair = format!("!llvm.struct<({bits}, {flag})>");
        let pair = Type::parse(self.context, &pair)
            .ok_or(melior::Error::TypeExpected("LLVM struct", pair))?;
        let attributes = ordered(
            self.context,
            element,
            &["success_ordering", "failure_ordering"],
        );
        let operands = [element.pointer, expected, new];
        let pair: Value = self
            .append("llvm.cmpxchg", &operands, Some(pair), &attributes)?
            .result(0)?
            .into();
        let part = |index, r#type| {
            let position = (
                "position",
                DenseI64ArrayAttribute::new(self.context, &[index]).into(),
            );
            self.append("llvm.extractvalue", &[pair], Some(r#type), &[position])?
                .result(0)
        };
        Ok((part(0, bits)?.into(), part(1, flag)?.into()))
    }

    /// As [`Self::exchange`], of 16 bits: LLVM 22 has no pattern for the instruction, and goes by the word around the element,
    /// which it reads by a plain load, and which may reach beyond the array.
    fn exchange_by_instruction(
        &self,
        element: &Element<'c, 'a>,
        (expected, new): (Value<'c, 'a>, Value<'c, 'a>),
        (bits, flag): (Type<'c>, Type<'c>),
    ) -> Result<(Value<'c, 'a>, Value<'c, 'a>), melior::Error> {
        let place = match element.space {
            Space::Global => "gpu.global",
            Space::Shared => "cta.shared",
        };
        let assembly = format!("atom.relaxed.{place}.cas.b16 $0, [$1], $2, $3;");
        let attributes = [
            (
                "asm_string",
                StringAttribute::new(self.context, &assembly).into(),
            ),
            (
                "constraints",
                StringAttribute::new(self.context, "=h,l,h,h,~{memory}").into(),
            ),
            ("has_side_effects", Attribute::unit(self.context)),
        ];
        let operands = [element.pointer, expected, new];
        let found: Value = self
            .append("llvm.inline_asm", &operands, Some(bits), &attributes)?
            .result(0)?
            .into();
        // 0 is `eq`.
        let equal = ("predicate", number(self.context, 0));
        let done = self.append("arith.cmpi", &[found, expected], Some(flag), &[equal])?;
        Ok((found, done.result(0)?.into()))
    }

    /// The same bits as a value of another type.
    fn cast(&self, value: Value<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, melior::Error> {
        if value.r#type() == r#type {
            return Ok(value);
        }
        Ok(self
            .append("arith.bitcast", &[value], Some(r#type), &[])?
            .result(0)?
            .into())
    }
}

/// A loop over the bits of the element, before `op`; its test is empty, and what the test passes on goes around.
fn empty_loop<'c, 'a>(
    op: OperationRef<'c, 'a>,
    first: Value<'c, 'a>,
    bits: Type<'c>,
) -> Result<OperationRef<'c, 'a>, melior::Error> {
    let (test, next) = (Region::new(), Region::new());
    test.append_block(Block::new(&[(bits, op.location())]));
    let again = next.append_block(Block::new(&[(bits, op.location())]));
    let found = again.argument(0)?.into();
    again.append_operation(
        OperationBuilder::new("scf.yield", op.location())
            .add_operands(&[found])
            .build()?,
    );
    let built = OperationBuilder::new("scf.while", op.location())
        .add_operands(&[first])
        .add_results(&[bits])
        .add_regions([test, next])
        .build()?;
    let block = op.block().ok_or(melior::Error::OperationBuild)?;
    Ok(block.insert_operation_before(op, built))
}

/// Attributes of an access that nothing else is ordered by, in the widest scope that sees the element.
fn ordered<'c>(
    context: &'c Context,
    element: &Element<'c, '_>,
    orderings: &[&'static str],
) -> Vec<(&'static str, Attribute<'c>)> {
    let scope = match element.space {
        Space::Global => "device",
        Space::Shared => "block",
    };
    let mut attributes: Vec<_> = orderings
        .iter()
        .map(|&ordering| (ordering, number(context, MONOTONIC)))
        .collect();
    attributes.push(("syncscope", StringAttribute::new(context, scope).into()));
    attributes
}

fn number(context: &Context, value: i64) -> Attribute<'_> {
    IntegerAttribute::new(IntegerType::new(context, 64).into(), value).into()
}

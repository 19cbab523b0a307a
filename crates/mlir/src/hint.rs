//! Loads that say which caches may keep their elements: inline PTX, since LLVM 22 has no way to say it.
//!
//! ```text
//! %x = memref.load %m[%i] {segra.load_hint = "l2"} : memref<?xf32>
//!   ==>
//! %w = llvm.inline_asm "ld.global.nc.L1::no_allocate.b32 $0, [$1];", "=r,l" %p : (!llvm.ptr<1>) -> i32
//! %x = arith.bitcast %w : i32 to f32
//! ```
//! | hint | instruction |
//! |---|---|
//! | `l2` | `ld.global.nc.L1::no_allocate`, and before PTX 7.4 `ld.global.cg` |
//! | `streaming` | `ld.global.cs.nc` |
//!
//! `ld.global.cg.nc` is none of them: ptxas drops the hint. Vectors are loaded by words of 32 bits.
//!
//! Legality: memory that the kernel does not write, so that the instruction may stand anywhere; numbers of 16, 32 or 64 bits,
//! or vectors of them of 32, 64 or 128 bits; and what `pointer` asks for.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{DenseI64ArrayAttribute, StringAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Type, Value, ValueLike};

use crate::pointer::{Space, element_pointer, emit, parsed_type};
use crate::session::{error_at, op_name};
use segra_worker::{ErrorCode, MlirError, PtxVersion, Target};

/// The discardable attribute.
const ATTRIBUTE: &str = "segra.load_hint";

/// The first PTX version with priorities in the L1 cache.
const PRIORITIES_SINCE: PtxVersion = PtxVersion::new(7, 4);

/// Rewrites one op if it is marked; others stay.
pub(crate) fn rewrite<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    target: &Target,
) -> Result<(), MlirError> {
    let Ok(attribute) = op.attribute(ATTRIBUTE) else {
        return Ok(());
    };
    let hint = StringAttribute::try_from(attribute)
        .map(|hint| hint.value().to_owned())
        .unwrap_or_default();
    let known = ["memref.load", "vector.load"].contains(&&*op_name(op));
    let done = match opcode(&hint, target).filter(|_| known) {
        Some(opcode) => replace(context, op, opcode),
        None => Err(melior::Error::OperationBuild),
    };
    done.map_err(|error| {
        let message = format!(
            "`{}` cannot have {ATTRIBUTE} \"{hint}\": {error}",
            op_name(op)
        );
        MlirError::new(ErrorCode::KernelContract, "a load cannot have its hint")
            .with_diagnostics(vec![error_at(op, message)])
    })
}

/// The instruction for a hint, but for its type.
fn opcode(hint: &str, target: &Target) -> Option<&'static str> {
    match hint {
        "l2" if target.effective_ptx_version() < PRIORITIES_SINCE => Some("ld.global.cg"),
        "l2" => Some("ld.global.nc.L1::no_allocate"),
        "streaming" => Some("ld.global.cs.nc"),
        _ => None,
    }
}

/// Words of a load, and the letter for them in constraints.
struct Words {
    count: u64,
    bits: u64,
    letter: char,
}

impl Words {
    fn of(bits: u64, is_vector: bool) -> Option<Words> {
        let (count, bits, letter) = match (bits, is_vector) {
            (16, false) => (1, 16, 'h'),
            (64, false) => (1, 64, 'l'),
            (32 | 64 | 128, _) => (bits / 32, 32, 'r'),
            _ => return None,
        };
        Some(Words {
            count,
            bits,
            letter,
        })
    }

    /// The instruction and its constraints.
    fn assembly(&self, opcode: &str) -> (String, String) {
        let (bits, at) = (self.bits, self.count);
        let places: Vec<String> = (0..self.count).map(|word| format!("${word}")).collect();
        let (form, places) = match self.count {
            1 => (String::new(), places.concat()),
            count => (format!(".v{count}"), format!("{{{}}}", places.join(", "))),
        };
        let constraints = format!("={},", self.letter).repeat(self.count as usize);
        (
            format!("{opcode}{form}.b{bits} {places}, [${at}];"),
            format!("{constraints}l"),
        )
    }
}

fn replace<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    opcode: &str,
) -> Result<(), melior::Error> {
    let refused = || melior::Error::OperationBuild;
    if op.operand_count() != 2 {
        return Err(refused());
    }
    let loaded = op.result(0)?.r#type();
    let element = element_pointer(context, op, op.operand(0)?, op.operand(1)?)?;
    if element.space == Space::Shared {
        return Err(refused());
    }
    let bits = bits(element.r#type).ok_or_else(refused)?;
    let lanes = match element.r#type == loaded {
        true => None,
        false => Some(lanes(loaded).ok_or_else(refused)?),
    };
    let words = Words::of(bits * lanes.unwrap_or(1), lanes.is_some()).ok_or_else(refused)?;
    let found = words_loaded(context, op, &words, (element.pointer, opcode))?;
    let found = if lanes.is_some() {
        let vector = parsed_type(context, &format!("vector<{}xi32>", words.count))?;
        let found = emit(
            context,
            op,
            "vector.from_elements",
            &found,
            Some(vector),
            &[],
        )?;
        emit(
            context,
            op,
            "vector.bitcast",
            &[found.result(0)?.into()],
            Some(loaded),
            &[],
        )?
        .result(0)?
        .into()
    } else {
        let found = *found.first().ok_or_else(refused)?;
        match found.r#type() == loaded {
            true => found,
            false => emit(context, op, "arith.bitcast", &[found], Some(loaded), &[])?
                .result(0)?
                .into(),
        }
    };
    IrRewriter::new(context)
        .as_rewriter_base()
        .replace_op_with_values(op, &[found]);
    Ok(())
}

/// Emits the load: its words.
fn words_loaded<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    words: &Words,
    (pointer, opcode): (Value<'c, 'a>, &str),
) -> Result<Vec<Value<'c, 'a>>, melior::Error> {
    let word = parsed_type(context, &format!("i{}", words.bits))?;
    let (assembly, constraints) = words.assembly(opcode);
    let attributes = [
        (
            "asm_string",
            StringAttribute::new(context, &assembly).into(),
        ),
        (
            "constraints",
            StringAttribute::new(context, &constraints).into(),
        ),
    ];
    let all = vec![format!("i{}", words.bits); words.count as usize].join(", ");
    let result = match words.count {
        1 => word,
        _ => parsed_type(context, &format!("!llvm.struct<({all})>"))?,
    };
    let loaded = emit(
        context,
        op,
        "llvm.inline_asm",
        &[pointer],
        Some(result),
        &attributes,
    )?;
    let loaded: Value<'c, 'a> = loaded.result(0)?.into();
    if words.count == 1 {
        return Ok(vec![loaded]);
    }
    let part = |at: i64| {
        let position = (
            "position",
            DenseI64ArrayAttribute::new(context, &[at]).into(),
        );
        let part = emit(
            context,
            op,
            "llvm.extractvalue",
            &[loaded],
            Some(word),
            &[position],
        )?;
        Ok(part.result(0)?.into())
    };
    (0..words.count as i64).map(part).collect()
}

/// Bits of a number.
fn bits(r#type: Type<'_>) -> Option<u64> {
    match &*r#type.to_string() {
        "f16" | "bf16" | "i16" => Some(16),
        "f32" | "i32" => Some(32),
        "f64" | "i64" => Some(64),
        _ => None,
    }
}

/// Elements of a vector of one dimension.
fn lanes(r#type: Type<'_>) -> Option<u64> {
    let text = r#type.to_string();
    let (lanes, element) = text.strip_prefix("vector<")?.split_once('x')?;
    let lanes = lanes.parse().ok()?;
    (!element.contains('x')).then_some(lanes)
}

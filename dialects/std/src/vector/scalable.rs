//! Vectors whose length is a multiple of a number only the machine knows, step vectors, and printing.

use super::VectorShape;
use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared,
};
use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{
    AttrAccess, AttrConstraint, AttrText, I64Attr, Index, IndexVectorOfRank1, StrAttr,
    TypeConstraint, VectorOfRank1,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Effect, EffectKind, Effects, Verify};
use segra_ir::{Attr, Context, Ir, Op, OpDef, OpView, Type, TypeKind, op};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser};

/// The ops of this file.
pub(super) const OPS: &[&OpDef] = &[
    PrintOp::DEF,
    ScalableExtractOp::DEF,
    ScalableInsertOp::DEF,
    StepOp::DEF,
    VectorScaleOp::DEF,
];

/// A vector of one dimension that is scalable.
#[derive(Clone, Copy, Debug)]
pub struct ScalableVectorOfRank1;

impl TypeConstraint for ScalableVectorOfRank1 {
    fn describe(&self) -> &'static str {
        "a scalable vector of one dimension"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        matches!(ctx.type_kind(ty), TypeKind::Vector { scalable, .. } if scalable[..] == [true])
    }
}

/// A vector, integer, index or float.
#[derive(Clone, Copy, Debug)]
pub struct Printable;

impl TypeConstraint for Printable {
    fn describe(&self) -> &'static str {
        "a vector, integer, index or float"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty.is_scalar(ctx) || matches!(ctx.type_kind(ty), TypeKind::Vector { .. })
    }
}

/// Part of a scalable vector.
#[op(
    "vector.scalable.extract",
    traits(Pure),
    interfaces(Verify),
    format = "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)"
)]
pub struct ScalableExtractOp {
    source: Operand<ScalableVectorOfRank1>,
    /// A multiple of the part's length.
    pos: Attr<I64Attr>,
    result: OpResult<VectorOfRank1>,
}

/// A scalable vector with a part replaced.
#[op(
    "vector.scalable.insert",
    traits(Pure),
    interfaces(Verify),
    format = "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) `into` type($dest)
               same-type($dest, $result)"
)]
pub struct ScalableInsertOp {
    value_to_store: Operand<VectorOfRank1>,
    dest: Operand<ScalableVectorOfRank1>,
    /// A multiple of the part's length.
    pos: Attr<I64Attr>,
    result: OpResult<ScalableVectorOfRank1>,
}

fn verify_part(ir: &Ir, whole: Type, part: Type, pos: i64, diags: &mut OpDiagnostics<'_>) {
    let [whole, part] = [whole, part].map(|ty| VectorShape::of(ir.ctx(), ty));
    if whole.element != part.element {
        diags.error("the part must have the element type of the whole");
    }
    if part.count() == 0 || pos % part.count() != 0 {
        diags.error("attribute `pos` must be a multiple of the part's length");
    }
}

impl Verify for ScalableExtractOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ScalableExtractOp::from_op(op);
        let (whole, part) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.result(ir)),
        );
        verify_part(ir, whole, part, view.pos(ir), diags);
    }
}
impl Verify for ScalableInsertOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ScalableInsertOp::from_op(op);
        let (whole, part) = (
            ir.value_type(view.dest(ir)),
            ir.value_type(view.value_to_store(ir)),
        );
        verify_part(ir, whole, part, view.pos(ir), diags);
        if whole != ir.value_type(view.result(ir)) {
            diags.error("operand `dest` and the result must have one type");
        }
    }
}

/// 0, 1, 2 and so on.
#[op(
    "vector.step",
    traits(Pure),
    interfaces(Canonicalize, Eval),
    format = "attr-dict `:` type($result)"
)]
pub struct StepOp {
    result: OpResult<IndexVectorOfRank1>,
}

impl Eval for StepOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        super::prepared_shape(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let (Some(shape), Some(elem)) = (inst.data::<Vec<usize>>(), inst.result_elem) else {
            return Err(cx.error(inst, "is not prepared"));
        };
        let count = shape.iter().product();
        let mut elements = Elements::with_capacity(elem, count);
        let full = (0..count).all(|number| elements.push(&Datum::Int(number as i64)).is_some());
        let made = full
            .then(|| ArrayValue::new(elem, shape.clone(), elements))
            .flatten();
        let Some(made) = made else {
            return Err(cx.error(inst, "has a result of an unknown format"));
        };
        for lane in lanes.iter() {
            cx.set_result(inst, 0, lane, Datum::vector(made.clone()));
        }
        Ok(Flow::Next)
    }
}

/// The number scalable extents are multiplied by on this machine. When evaluated it is 1.
#[op("vector.vscale", traits(Pure), interfaces(Eval), format = "attr-dict")]
pub struct VectorScaleOp {
    res: OpResult<Index>,
}

impl Eval for VectorScaleOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            cx.set_result(inst, 0, lane, Datum::Int(1));
        }
        Ok(Flow::Next)
    }
}

/// The characters `vector.print` prints after a value; in text `#vector.punctuation<newline>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the punctuation")]
pub enum Punctuation {
    None,
    NewLine,
    Comma,
    Open,
    Close,
}

const PUNCTUATION: [(Punctuation, &str); 5] = [
    (Punctuation::None, "no_punctuation"),
    (Punctuation::NewLine, "newline"),
    (Punctuation::Comma, "comma"),
    (Punctuation::Open, "open"),
    (Punctuation::Close, "close"),
];

impl CustomAttr for Punctuation {
    const DIALECT: &'static str = "vector";
    const MNEMONIC: &'static str = "punctuation";
    fn print(&self, _ctx: &Context, out: &mut String) {
        let word = PUNCTUATION
            .iter()
            .find(|row| row.0 == *self)
            .map_or("", |row| row.1);
        out.push('<');
        out.push_str(word);
        out.push('>');
    }
}

/// Reads `<newline>` after `#vector.punctuation`.
pub(super) fn parse_punctuation(p: &mut Parser<'_>) -> ParseResult<Attr> {
    p.expect(Tok::Less)?;
    let at = p.pos();
    let word = p.parse_keyword_or_string()?;
    let Some(row) = PUNCTUATION.iter().find(|row| row.1 == word) else {
        return Err(p.error_at(at, format!("`{word}` is no punctuation")));
    };
    p.expect(Tok::Greater)?;
    Ok(p.ctx().custom_attr(row.0))
}

/// The constraint of [`Punctuation`].
#[derive(Clone, Copy, Debug)]
pub struct PunctuationAttr;

impl AttrConstraint for PunctuationAttr {
    fn describe(&self) -> &'static str {
        "punctuation"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        PunctuationAttr::read(ctx, attr).is_some()
    }
    fn text(&self) -> AttrText {
        AttrText::Body {
            dialect: Punctuation::DIALECT,
            mnemonic: Punctuation::MNEMONIC,
        }
    }
    fn default_value(&self, ctx: &Context) -> Option<Attr> {
        Some(ctx.custom_attr(Punctuation::NewLine))
    }
}

impl AttrAccess for PunctuationAttr {
    type Value<'a> = Punctuation;
    fn read(ctx: &Context, attr: Attr) -> Option<Punctuation> {
        attr.dialect::<Punctuation>(ctx).copied()
    }
}

/// Prints a value, punctuation or a text. It has no evaluation rule: programs here have no output.
#[op(
    "vector.print",
    interfaces(Effects, Verify),
    format = "($source^ `:` type($source))? oilist(`str` $stringLiteral | `punctuation` $punctuation) attr-dict"
)]
pub struct PrintOp {
    source: OptionalOperand<Printable>,
    punctuation: OptionalAttr<PunctuationAttr>,
    #[name("stringLiteral")]
    string_literal: OptionalAttr<StrAttr>,
}

impl Effects for PrintOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Verify for PrintOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = PrintOp::from_op(op);
        let plain = view
            .punctuation(ir)
            .is_none_or(|punctuation| punctuation == Punctuation::NewLine);
        if view.string_literal(ir).is_some() && (view.source(ir).is_some() || !plain) {
            diags.error("prints either a text or a value with punctuation");
        }
    }
}

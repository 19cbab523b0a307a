//! `vector.reduction`.

use crate::arith::FastMathAttr;
use crate::memref::AtomicRmwKind;
use segra_interp::{Cx, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{AnyType, AnyVector, AttrAccess, AttrConstraint, AttrText};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Verify};
use segra_ir::{Attr, Context, Ir, Op, OpView, Type, op};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

/// How elements are combined; in text `#vector.kind<add>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the operations")]
pub enum CombiningKind {
    Add,
    Mul,
    MinUi,
    MinSi,
    MinNumF,
    MaxUi,
    MaxSi,
    MaxNumF,
    And,
    Or,
    Xor,
    MinimumF,
    MaximumF,
}

/// The name of a combination, and its ops on integers and on floats.
type Row = (
    CombiningKind,
    &'static str,
    Option<AtomicRmwKind>,
    Option<AtomicRmwKind>,
);

const KINDS: [Row; 13] = [
    (
        CombiningKind::Add,
        "add",
        Some(AtomicRmwKind::Addi),
        Some(AtomicRmwKind::Addf),
    ),
    (
        CombiningKind::Mul,
        "mul",
        Some(AtomicRmwKind::Muli),
        Some(AtomicRmwKind::Mulf),
    ),
    (
        CombiningKind::MinUi,
        "minui",
        Some(AtomicRmwKind::Minu),
        None,
    ),
    (
        CombiningKind::MinSi,
        "minsi",
        Some(AtomicRmwKind::Mins),
        None,
    ),
    (
        CombiningKind::MinNumF,
        "minnumf",
        None,
        Some(AtomicRmwKind::Minnumf),
    ),
    (
        CombiningKind::MaxUi,
        "maxui",
        Some(AtomicRmwKind::Maxu),
        None,
    ),
    (
        CombiningKind::MaxSi,
        "maxsi",
        Some(AtomicRmwKind::Maxs),
        None,
    ),
    (
        CombiningKind::MaxNumF,
        "maxnumf",
        None,
        Some(AtomicRmwKind::Maxnumf),
    ),
    (CombiningKind::And, "and", Some(AtomicRmwKind::Andi), None),
    (CombiningKind::Or, "or", Some(AtomicRmwKind::Ori), None),
    (CombiningKind::Xor, "xor", Some(AtomicRmwKind::Xori), None),
    (
        CombiningKind::MinimumF,
        "minimumf",
        None,
        Some(AtomicRmwKind::Minimumf),
    ),
    (
        CombiningKind::MaximumF,
        "maximumf",
        None,
        Some(AtomicRmwKind::Maximumf),
    ),
];

impl CombiningKind {
    /// The keyword in text.
    pub fn keyword(self) -> &'static str {
        KINDS
            .iter()
            .find(|row| row.0 == self)
            .map_or("", |row| row.1)
    }
    /// Whether elements of a type can be combined so.
    pub(super) fn fits(self, ctx: &Context, ty: Type) -> bool {
        let float = ty.is_float(ctx);
        (float || ty.is_integer_or_index(ctx)) && self.rule(float).is_some()
    }
    /// The combination of two elements, floats or integers.
    fn rule(self, float: bool) -> Option<AtomicRmwKind> {
        let row = KINDS.iter().find(|row| row.0 == self)?;
        if float { row.3 } else { row.2 }
    }
}

impl CustomAttr for CombiningKind {
    const DIALECT: &'static str = "vector";
    const MNEMONIC: &'static str = "kind";
    fn print(&self, _ctx: &Context, out: &mut String) {
        out.push('<');
        out.push_str(self.keyword());
        out.push('>');
    }
}

/// Reads `<add>` after `#vector.kind`.
pub(super) fn parse_kind(p: &mut Parser<'_>) -> ParseResult<Attr> {
    p.expect(Tok::Less)?;
    let at = p.pos();
    let word = p.parse_keyword_or_string()?;
    let Some(row) = KINDS.iter().find(|row| row.1 == word) else {
        return Err(p.error_at(at, format!("`{word}` is no way to combine elements")));
    };
    p.expect(Tok::Greater)?;
    Ok(p.ctx().custom_attr(row.0))
}

/// The constraint of [`CombiningKind`].
#[derive(Clone, Copy, Debug)]
pub struct CombiningKindAttr;

impl AttrConstraint for CombiningKindAttr {
    fn describe(&self) -> &'static str {
        "a way to combine elements"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        attr.dialect::<CombiningKind>(ctx).is_some()
    }
    fn text(&self) -> AttrText {
        AttrText::Body {
            dialect: CombiningKind::DIALECT,
            mnemonic: CombiningKind::MNEMONIC,
        }
    }
}

impl AttrAccess for CombiningKindAttr {
    type Value<'a> = CombiningKind;
    fn read(ctx: &Context, attr: Attr) -> Option<CombiningKind> {
        attr.dialect::<CombiningKind>(ctx).copied()
    }
}

/// All elements of a one-dimensional vector combined, from the first on, after `acc` if it is given.
#[op(
    "vector.reduction",
    traits(Pure),
    interfaces(Canonicalize, Verify, Syntax, Eval)
)]
pub struct ReductionOp {
    kind: Attr<CombiningKindAttr>,
    vector: Operand<AnyVector>,
    acc: OptionalOperand<AnyType>,
    fastmath: OptionalAttr<FastMathAttr>,
    dest: OpResult<AnyType>,
}

impl Verify for ReductionOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ReductionOp::from_op(op);
        let dest = ir.value_type(view.dest(ir));
        let Some((shape, element)) = ir.value_type(view.vector(ir)).shaped(ctx) else {
            return;
        };
        if shape.len() > 1 {
            diags.error("operand `vector` must not have more than one dimension");
        }
        if element != dest || view.acc(ir).is_some_and(|acc| ir.value_type(acc) != dest) {
            diags.error("operand `acc` and the result must have the element type of `vector`");
        }
        if !view.kind(ir).fits(ctx, dest) {
            diags.error("attribute `kind` does not fit the element type");
        }
    }
}

impl Eval for ReductionOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let kind = p
            .attr("kind")
            .and_then(|attr| attr.dialect::<CombiningKind>(p.ir.ctx()).copied());
        let float = p.ir.value_type(p.ir.result(p.op, 0)).is_float(p.ir.ctx());
        let rule = kind.and_then(|kind| kind.rule(float));
        rule.map(Prepared::other)
            .ok_or_else(|| Fault::new("has a kind that does not fit its elements"))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let (Some(rule), Some(elem)) = (inst.data::<AtomicRmwKind>(), inst.result_elem) else {
            return Err(cx.error(inst, "is not prepared"));
        };
        for lane in lanes.iter() {
            let Some(vector) = cx.operand(inst, 0, lane).as_vector().cloned() else {
                return Err(cx.error(inst, "needs a vector"));
            };
            let start = (inst.operands.len() > 1).then(|| cx.operand(inst, 1, lane).clone());
            let mut values = start.into_iter().chain(vector.iter());
            let first = values
                .next()
                .ok_or_else(|| cx.error(inst, "has nothing to combine"))?;
            let combined = values.try_fold(first, |sum, value| rule.combine(elem, &sum, &value));
            let combined = cx.check(inst, combined)?;
            cx.set_result(inst, 0, lane, combined);
        }
        Ok(Flow::Next)
    }
}

impl Syntax for ReductionOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ReductionOp::from_op(op);
        let (ir, ctx) = (p.ir(), p.ctx());
        let mut text = String::from(" ");
        view.kind(ir).print(ctx, &mut text);
        text.push_str(", ");
        p.text(&text);
        p.values(ir.operands(op));
        if let Some(flags) = view.fastmath(ir) {
            let mut text = String::from(" fastmath");
            flags.print(ctx, &mut text);
            p.text(&text);
        }
        p.attr_dict(op, &["kind", "fastmath"]);
        p.text(" : ");
        p.types_of([view.vector(ir)]);
        p.text(" into ");
        p.types_of([view.dest(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let kind = parse_kind(p)?;
        state.set_attr(ctx, ctx.ident("kind"), kind);
        p.parse_comma()?;
        let operands = p.parse_operand_list()?;
        if p.eat_keyword("fastmath") {
            let flags = crate::arith::attrs::parse_fastmath(p)?;
            state.set_attr(ctx, ctx.ident("fastmath"), flags);
        }
        p.parse_attr_dict_into(state)?;
        let vector = p.parse_colon_type()?;
        p.expect_keyword("into")?;
        let dest = p.parse_type()?;
        state.state.result_types.push(dest);
        let types = [vector, dest];
        crate::syntax::resolve(p, state, &operands, &types[..operands.len().min(2)])
    }
}

//! Format strings: what they say about an op's text form, and what is refused.

use segra_ir::constraint::*;
use segra_ir::*;
use segra_text::format::{Directive, OptionalGroup, TypeSource, Values};
use segra_text::{Format, check_formats};

/// Fields of every kind.
#[op("f.all")]
pub struct AllOp {
    lhs: Operand<AnyFloat>,
    rest: VariadicOperand<AnyFloat>,
    at: Operand<Index>,
    mask: OptionalOperand<AnyInteger>,
    size: Attr<I64Attr>,
    fast: OptionalAttr<UnitAttr>,
    body: AnyRegion,
    out: OpResult<AnyFloat>,
}

/// One type for all.
#[op("f.add", traits(SameOperandsAndResultType))]
pub struct AddOp {
    lhs: Operand<AnyFloat>,
    rhs: Operand<AnyFloat>,
    out: OpResult<AnyFloat>,
}

/// The format of `base` with another format string.
fn format_of(base: &'static OpDef, format: &'static str) -> Result<Format, String> {
    let ctx = Context::new();
    let def = Box::leak(Box::new(OpDef {
        format: Some(format),
        ..*base
    }));
    ctx.register(Dialect {
        name: "f",
        ops: vec![def],
        ..Dialect::default()
    });
    let errors = check_formats(&ctx);
    let parsed = Format::parse(
        &ctx,
        ctx.op_info(ctx.op_name(def.name)).expect("registered"),
    );
    assert_eq!(errors.is_empty(), parsed.is_ok());
    parsed
}

const ALL: &str = "$lhs (`,` $rest^ `:` type($rest))? `[` $at `]` (`mask` $mask^ `:` type($mask))? $size (`fast` $fast^)? \
                   $body attr-dict `:` type($lhs) `->` type($out)";

#[test]
fn every_kind_of_field_has_a_directive() {
    let format = format_of(AllOp::DEF, ALL).expect("well-formed");
    assert_eq!(
        format.directives[0],
        Directive::Operands(Values::Operand(0))
    );
    let group = OptionalGroup {
        directives: vec![
            Directive::Literal(","),
            Directive::Operands(Values::Operand(1)),
            Directive::Literal(":"),
            Directive::Types(Values::Operand(1)),
        ],
        anchor: 1,
    };
    assert_eq!(format.directives[1], Directive::Optional(group));
    let written = TypeSource::Written;
    assert_eq!(
        format.operand_types,
        [written, written, TypeSource::Only, written]
    );
    assert_eq!(format.result_types, [written]);
    // size, fast and the operand segments.
    assert_eq!(format.elided.len(), 3);
}

#[test]
fn types_follow_from_one_that_is_written() {
    let format = format_of(AddOp::DEF, "operands attr-dict `:` type($out)").expect("well-formed");
    let same = TypeSource::SameAs(Values::Result(0));
    assert_eq!(format.operand_types, [same, same]);
    let format =
        format_of(AddOp::DEF, "$lhs `,` $rhs attr-dict `:` type($rhs)").expect("well-formed");
    assert_eq!(
        format.operand_types,
        [TypeSource::SameAs(Values::Operand(1)), TypeSource::Written]
    );
    assert_eq!(
        format.result_types,
        [TypeSource::SameAs(Values::Operand(1))]
    );
    let format = format_of(
        AddOp::DEF,
        "operands attr-dict `:` functional-type(operands, results)",
    );
    assert_eq!(
        format.expect("well-formed").operand_types,
        [TypeSource::Written, TypeSource::Written]
    );
}

#[test]
fn malformed_formats_are_refused_with_the_reason() {
    let cases = [
        (
            "$lhs `,` $rhs",
            "`attr-dict` must stand exactly once, outside of optional groups",
        ),
        (
            "$lhs attr-dict `:` type($lhs)",
            "operand `rhs` is not written",
        ),
        (
            "operands $lhs attr-dict `:` type($lhs)",
            "operand `lhs` is written twice",
        ),
        (
            "operands attr-dict",
            "nothing says the type of operand `lhs`",
        ),
        (
            "operands attr-dict `:` type($middle)",
            "`middle` is neither an operand nor a result",
        ),
        ("operands $middle attr-dict", "there is no field `middle`"),
        (
            "operands $out attr-dict",
            "result `$out` can only stand inside `type(...)`",
        ),
        ("operands attr-dict `:` type($out", "expected `)`"),
        (
            "operands attr-dict `~` type($out)",
            "`~` is neither a keyword nor known punctuation",
        ),
        (
            "operands attr-dict `: type($out)",
            "a literal lacks its closing backtick",
        ),
        (
            "operands attr-dict everything",
            "`everything` is no directive",
        ),
        (
            "(operands)? attr-dict",
            "an optional group needs an anchor: `$field^`",
        ),
        (
            "(`a` $lhs^)? $rhs attr-dict",
            "the anchor of an optional group is always there",
        ),
        (
            "operands^ attr-dict",
            "`^` marks the anchor of an optional group",
        ),
    ];
    for (format, reason) in cases {
        assert_eq!(format_of(AddOp::DEF, format).expect_err(format), reason);
    }
    let unmarked = ALL.replace("(`fast` $fast^)?", "($fast^)?");
    let error = format_of(AllOp::DEF, unmarked.leak()).expect_err("nothing to see");
    assert!(
        error.contains("cannot start with a unit attribute"),
        "{error}"
    );
}

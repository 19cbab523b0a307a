//! The type `!fixed.number<FRACTION>` and the attribute `#fixed.rounding<down|nearest>`, each with its constraint.

use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{AttrAccess, AttrConstraint, TypeConstraint};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser};
use segra_ir::types::CustomType;
use segra_ir::{Attr, Context, Type};

/// A number in steps of 2^-`fraction`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NumberType {
    /// Bits behind the point, 0 to 31.
    pub fraction: u32,
}

impl CustomType for NumberType {
    const DIALECT: &'static str = "fixed";
    const MNEMONIC: &'static str = "number";
    fn print(&self, _: &Context, out: &mut String) {
        out.push_str(&format!("<{}>", self.fraction));
    }
}

/// Reads what follows `!fixed.number`.
pub fn parse_number(p: &mut Parser<'_>) -> ParseResult<Type> {
    p.expect(Tok::Less)?;
    let at = p.pos();
    let Some(fraction) = u32::try_from(p.parse_integer()?).ok().filter(|&bits| bits < 32) else {
        return Err(p.error_at(at, "a fixed-point number has 0 to 31 bits behind the point"));
    };
    p.expect(Tok::Greater)?;
    Ok(p.ctx().custom_type(NumberType { fraction }))
}

/// Accepts every [`NumberType`].
#[derive(Clone, Copy, Debug)]
pub struct AnyNumber;

impl TypeConstraint for AnyNumber {
    fn describe(&self) -> &'static str {
        "a fixed-point number"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty.dialect::<NumberType>(ctx).is_some()
    }
}

/// The treatment of bits that do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// They are dropped.
    Down,
    /// Half a step is added first.
    Nearest,
}

impl CustomAttr for Rounding {
    const DIALECT: &'static str = "fixed";
    const MNEMONIC: &'static str = "rounding";
    fn print(&self, _: &Context, out: &mut String) {
        out.push_str(if *self == Rounding::Down { "<down>" } else { "<nearest>" });
    }
}

/// Reads what follows `#fixed.rounding`.
pub fn parse_rounding(p: &mut Parser<'_>) -> ParseResult<Attr> {
    p.expect(Tok::Less)?;
    let at = p.pos();
    let rounding = match p.parse_keyword()? {
        "down" => Rounding::Down,
        "nearest" => Rounding::Nearest,
        other => return Err(p.error_at(at, format!("`{other}` is neither `down` nor `nearest`"))),
    };
    p.expect(Tok::Greater)?;
    Ok(p.ctx().custom_attr(rounding))
}

/// Accepts every [`Rounding`].
#[derive(Clone, Copy, Debug)]
pub struct RoundingAttr;

impl AttrConstraint for RoundingAttr {
    fn describe(&self) -> &'static str {
        "a rounding"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        Self::read(ctx, attr).is_some()
    }
}

impl AttrAccess for RoundingAttr {
    type Value<'a> = Rounding;
    fn read(ctx: &Context, attr: Attr) -> Option<Rounding> {
        attr.dialect::<Rounding>(ctx).copied()
    }
}

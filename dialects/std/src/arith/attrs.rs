//! Flags on arithmetic: what the optimizer may assume or neglect. Evaluation does not rely on them.

use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{AttrAccess, AttrConstraint, AttrText};
use segra_ir::{Attr, Context};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser};

/// Declares a set of flags stored as a dialect attribute `#arith.mnemonic<a, b>`, and its constraint.
macro_rules! flags_attr {
    ($(#[$doc:meta])* $name:ident, $constraint:ident, $mnemonic:literal, $words:literal, $separator:literal,
     $parse:ident, { $($flag:ident = $keyword:literal = $bit:literal),* }, all = $all:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(u32);
        impl $name {
            /// No flag.
            pub const NONE: $name = $name(0);
            $(#[doc = concat!("`", $keyword, "`")] pub const $flag: $name = $name(1 << $bit);)*
            const KEYWORDS: &'static [(&'static str, u32)] = &[$(($keyword, 1 << $bit)),*];
            const EVERY: u32 = 0 $(| (1 << $bit))*;
            /// The keyword for all flags together, where there is one.
            const ALL: Option<&'static str> = $all;

            /// All flags of both.
            pub fn union(self, other: $name) -> $name { $name(self.0 | other.0) }
            /// The flags that are not among `other`'s.
            pub fn without(self, other: $name) -> $name { $name(self.0 & !other.0) }
            /// Whether all flags of `other` are set.
            pub fn contains(self, other: $name) -> bool { self.0 & other.0 == other.0 }
            /// The attribute.
            pub fn attr(self, ctx: &Context) -> Attr { ctx.custom_attr(self) }
        }
        impl CustomAttr for $name {
            const DIALECT: &'static str = "arith";
            const MNEMONIC: &'static str = $mnemonic;
            fn common(&self, other: &$name) -> Option<$name> {
                Some($name(self.0 & other.0))
            }
            fn print(&self, _ctx: &Context, out: &mut String) {
                out.push('<');
                match (self.0, Self::ALL) {
                    (0, _) => out.push_str("none"),
                    (Self::EVERY, Some(all)) => out.push_str(all),
                    _ => {
                        let set = Self::KEYWORDS.iter().filter(|(_, bit)| self.0 & bit != 0);
                        let words: Vec<&str> = set.map(|(word, _)| *word).collect();
                        out.push_str(&words.join($separator));
                    }
                }
                out.push('>');
            }
        }
        #[doc = concat!("The constraint of [`", stringify!($name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $constraint;
        impl AttrConstraint for $constraint {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, ctx: &Context, attr: Attr) -> bool { attr.dialect::<$name>(ctx).is_some() }
            fn text(&self) -> AttrText { AttrText::Body { dialect: "arith", mnemonic: $mnemonic } }
            fn default_value(&self, ctx: &Context) -> Option<Attr> { Some($name::NONE.attr(ctx)) }
        }
        impl AttrAccess for $constraint {
            type Value<'a> = $name;
            fn read(ctx: &Context, attr: Attr) -> Option<$name> { attr.dialect::<$name>(ctx).copied() }
        }
        #[doc = concat!("Reads `<...>` after `#arith.", $mnemonic, "`.")]
        pub(crate) fn $parse(p: &mut Parser<'_>) -> ParseResult<Attr> {
            p.expect(Tok::Less)?;
            let mut bits = 0;
            loop {
                let at = p.pos();
                let word = p.parse_keyword_or_string()?;
                match $name::KEYWORDS.iter().find(|row| row.0 == word) {
                    Some((_, bit)) => bits |= bit,
                    None if word == "none" => {}
                    None if Some(&*word) == $name::ALL => bits = $name::EVERY,
                    None => return Err(p.error_at(at, format!("`{word}` is not one of the flags of {}", $words))),
                }
                if !p.eat(Tok::Comma) {
                    break;
                }
            }
            p.expect(Tok::Greater)?;
            Ok($name(bits).attr(p.ctx()))
        }
    };
}

flags_attr! {
    /// The properties of floating-point arithmetic that may be neglected.
    FastMath, FastMathAttr, "fastmath", "fast-math flags", ",", parse_fastmath, {
        REASSOC = "reassoc" = 0, NNAN = "nnan" = 1, NINF = "ninf" = 2, NSZ = "nsz" = 3, ARCP = "arcp" = 4,
        CONTRACT = "contract" = 5, AFN = "afn" = 6
    }, all = Some("fast")
}

flags_attr! {
    /// Which overflows do not happen.
    Overflow, OverflowAttr, "overflow", "integer overflow flags", ", ", parse_overflow, {
        NSW = "nsw" = 0, NUW = "nuw" = 1
    }, all = None
}

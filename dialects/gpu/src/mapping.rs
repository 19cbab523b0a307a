//! Attributes that map loops to a device: which unit runs a dimension, which units take part, which memory is meant.
//! The same text as upstream's.

use crate::attrs::AddressSpace;
use segra_ir::attrs::{AffineMap, CustomAttr};
use segra_ir::{Attr, Context};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser, print_affine_map};

/// Words for a number of cases, in the order of their numbers.
fn parse_word(p: &mut Parser<'_>, words: &[&'static str], what: &str) -> ParseResult<u8> {
    let at = p.pos();
    let word = p.parse_keyword_or_string()?;
    match words.iter().position(|&known| known == word) {
        Some(index) => Ok(index as u8),
        None => Err(p.error_at(at, format!("`{word}` is not {what}: {}", words.join(", ")))),
    }
}

/// Which of the units of one kind: one of three dimensions, or one of ten of another basis of their linear number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MappingId(u8);

impl MappingId {
    const WORDS: [&'static str; 13] = [
        "x",
        "y",
        "z",
        "linear_dim_0",
        "linear_dim_1",
        "linear_dim_2",
        "linear_dim_3",
        "linear_dim_4",
        "linear_dim_5",
        "linear_dim_6",
        "linear_dim_7",
        "linear_dim_8",
        "linear_dim_9",
    ];
    /// The id with this keyword.
    pub fn from_keyword(keyword: &str) -> Option<MappingId> {
        MappingId::WORDS
            .iter()
            .position(|&word| word == keyword)
            .map(|index| MappingId(index as u8))
    }
    /// The keyword in text.
    pub fn keyword(self) -> &'static str {
        MappingId::WORDS[usize::from(self.0)]
    }
}

macro_rules! unit_attrs {
    ($($(#[$doc:meta])* $name:ident, $mnemonic:literal, $parse:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub MappingId);
        impl CustomAttr for $name {
            const DIALECT: &'static str = "gpu";
            const MNEMONIC: &'static str = $mnemonic;
            fn print(&self, _ctx: &Context, out: &mut String) {
                out.extend(["<", self.0.keyword(), ">"]);
            }
        }
        #[doc = concat!("Reads `<x>` after `#gpu.", $mnemonic, "`.")]
        pub(crate) fn $parse(p: &mut Parser<'_>) -> ParseResult<Attr> {
            p.expect(Tok::Less)?;
            let id = MappingId(parse_word(p, &MappingId::WORDS, "a unit")?);
            p.expect(Tok::Greater)?;
            Ok(p.ctx().custom_attr($name(id)))
        }
    )*};
}

unit_attrs! {
    /// `#gpu.block<x>`: thread blocks run the dimension.
    BlockMapping, "block", parse_block;
    /// `#gpu.lane<x>`: lanes of a warp run it.
    LaneMapping, "lane", parse_lane;
    /// `#gpu.thread<x>`: threads of a block run it.
    ThreadMapping, "thread", parse_thread;
    /// `#gpu.warp<x>`: warps of a block run it.
    WarpMapping, "warp", parse_warp;
    /// `#gpu.warpgroup<x>`: groups of warps run it.
    WarpgroupMapping, "warpgroup", parse_warpgroup;
}

/// `#gpu.mask<0x55>`, written `#gpu.mask<85>`: one bit for each unit, whether it takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MappingMask(pub u64);

impl CustomAttr for MappingMask {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "mask";
    fn print(&self, _ctx: &Context, out: &mut String) {
        out.push_str(&format!("<{}>", self.0));
    }
}

/// Reads `<85>` after `#gpu.mask`. As upstream, negative numbers are read as what they are without a sign.
pub(crate) fn parse_mask(p: &mut Parser<'_>) -> ParseResult<Attr> {
    p.expect(Tok::Less)?;
    let mask = match () {
        () if p.eat_keyword("true") => u64::MAX,
        () if p.eat_keyword("false") => 0,
        () => p.parse_bits64()?,
    };
    p.expect(Tok::Greater)?;
    Ok(p.ctx().custom_attr(MappingMask(mask)))
}

/// `#gpu.memory_space<workgroup>`: which memory data go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemorySpaceMapping(pub AddressSpace);

impl CustomAttr for MemorySpaceMapping {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "memory_space";
    fn print(&self, _ctx: &Context, out: &mut String) {
        out.extend(["<", self.0.keyword(), ">"]);
    }
}

/// Reads `<workgroup>` after `#gpu.memory_space`.
pub(crate) fn parse_memory_space(p: &mut Parser<'_>) -> ParseResult<Attr> {
    p.expect(Tok::Less)?;
    let words = AddressSpace::ALL
        .iter()
        .map(|space| space.keyword())
        .collect::<Vec<_>>();
    let space = AddressSpace::ALL[usize::from(parse_word(p, &words, "an address space")?)];
    p.expect(Tok::Greater)?;
    Ok(p.ctx().custom_attr(MemorySpaceMapping(space)))
}

/// The unit that runs one dimension of an `scf.parallel` that becomes a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Processor(u8);

impl Processor {
    const WORDS: [&'static str; 7] = [
        "block_x",
        "block_y",
        "block_z",
        "thread_x",
        "thread_y",
        "thread_z",
        "sequential",
    ];
    /// The keyword in text.
    pub fn keyword(self) -> &'static str {
        Processor::WORDS[usize::from(self.0)]
    }
}

/// `#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>`: how one dimension of an
/// `scf.parallel` becomes one of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoopDimMapping {
    /// The unit that runs it.
    pub processor: Processor,
    /// From the processor's number to the induction variable's.
    pub map: AffineMap,
    /// From the number of iterations to the number of processors.
    pub bound: AffineMap,
}

impl CustomAttr for LoopDimMapping {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "loop_dim_map";
    fn print(&self, _ctx: &Context, out: &mut String) {
        let (map, bound) = (print_affine_map(&self.map), print_affine_map(&self.bound));
        out.push_str(&format!(
            "<processor = {}, map = {map}, bound = {bound}>",
            self.processor.keyword()
        ));
    }
}

/// Reads what follows `#gpu.loop_dim_map`; its parts may come in any order.
pub(crate) fn parse_loop_dim_map(p: &mut Parser<'_>) -> ParseResult<Attr> {
    let (mut processor, mut map, mut bound) = (None, None, None);
    p.expect(Tok::Less)?;
    for index in 0..3 {
        if index > 0 {
            p.parse_comma()?;
        }
        let at = p.pos();
        let name = p.parse_keyword()?;
        p.expect(Tok::Equal)?;
        match name {
            "processor" if processor.is_none() => {
                processor = Some(Processor(parse_word(p, &Processor::WORDS, "a processor")?));
            }
            "map" if map.is_none() => map = Some(p.parse_affine_map()?),
            "bound" if bound.is_none() => bound = Some(p.parse_affine_map()?),
            _ => return Err(p.error_at(at, format!("duplicate or unknown part `{name}`"))),
        }
    }
    p.expect(Tok::Greater)?;
    let (Some(processor), Some(map), Some(bound)) = (processor, map, bound) else {
        return Err(p.expected("`processor`, `map` and `bound`"));
    };
    Ok(p.ctx().custom_attr(LoopDimMapping {
        processor,
        map,
        bound,
    }))
}

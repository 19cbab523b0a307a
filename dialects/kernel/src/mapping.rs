//! How the space of a segmented op is laid out over thread blocks and threads: `#kernel.mapping<...>`, a chain of
//! index-space combinators.
//!
//! ```mlir
//! %ys = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, SplitLast(256, ShiftLB(Gen)))> -> ...
//! ```
//! Source: index-space combinators paper (Janssen and Scholz 2021), sections 6.1 and 6.2: the pragma `gpukernel` of a
//! with-loop's partition, here an attribute of an op. It has no meaning for results: an op computes the same in every
//! mapping, and the interpreter ignores it. A user writes it, or the schedule chooses it; the lowering translates it.
//!
//! | op | what is mapped | run by |
//! |---|---|---|
//! | segmap, scatter, seghist of form `atomics` or `locks` | the space | a thread |
//! | segmap with `vector` | the space, its innermost dimension in pieces of so many points; one dimension of pieces where no index is used but to read at | a thread |
//! | segmap with staged reads | the other dimensions, then tiles of the staged and of the innermost one | a thread block |
//! | segmap of level `block` | the space | a thread block |
//! | segred of form `lanes`, segred and segscan of form `warp` | the segments | a few lanes, a warp |
//! | segred of form `block` | the segments | a thread block |
//! | segred of form `parts` | the segments, then their parts | a thread block |
//! | seghist of form `shared` | the segments, then their parts, then ranges of bins | a thread block |
//!
//! Ops of other forms, and ops inside of another segmented op, have no mapping: their forms say who runs what.

use crate::extent::has_irregular_arrays;
use crate::form::Form;
use crate::level::Level;
use crate::segop::{SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use crate::update::{ScatterOp, SegHistOp};
use crate::vector::{is_flat, marked, vector_of};
use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{AttrAccess, AttrConstraint};
use segra_ir::{Attr, Context, Ir, Op, Value};
use segra_space::{
    Arena, Chain, ChooseChain, Descriptor, Group, HardwareLimits, Interval, StrategyError,
    TextError, first_fitting,
};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser};
use std::str::FromStr;

/// `#kernel.mapping<GridBlock(1, SplitLast(256, ShiftLB(Gen)))>`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mapping(pub Chain);

impl Mapping {
    /// As an attribute.
    pub fn attr(self, ctx: &Context) -> Attr {
        ctx.custom_attr(self)
    }
}

impl CustomAttr for Mapping {
    const DIALECT: &'static str = "kernel";
    const MNEMONIC: &'static str = "mapping";
    fn print(&self, _: &Context, out: &mut String) {
        out.push_str(&format!("<{}>", self.0));
    }
}

/// The attribute constraint of [`Mapping`].
#[derive(Clone, Copy, Debug)]
pub struct MappingAttr;

impl AttrConstraint for MappingAttr {
    fn describe(&self) -> &'static str {
        "a mapping (`#kernel.mapping<GridBlock(N, ...)>`)"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        MappingAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for MappingAttr {
    type Value<'a> = &'a Chain;
    fn read(ctx: &Context, attr: Attr) -> Option<&Chain> {
        attr.dialect::<Mapping>(ctx).map(|mapping| &mapping.0)
    }
}

/// Reads `<GridBlock(...)>` after `#kernel.mapping`.
pub(crate) fn parse_mapping(p: &mut Parser<'_>) -> ParseResult<Attr> {
    let chain: Chain = parse_in_angles(p, "mapping")?;
    Ok(Mapping(chain).attr(p.ctx()))
}

/// Reads `<...>`, a text of a language of its own; its errors are at the token that they are about.
pub(crate) fn parse_in_angles<T: FromStr<Err = TextError>>(
    p: &mut Parser<'_>,
    what: &str,
) -> ParseResult<T> {
    p.expect(Tok::Less)?;
    let (mut text, mut places) = (String::new(), Vec::new());
    while !p.at(Tok::Greater) && !p.at(Tok::Eof) {
        places.push((text.len(), p.pos()));
        text.push_str(p.spelling());
        text.push(' ');
        p.bump();
    }
    places.push((text.len(), p.pos()));
    match text.parse::<T>() {
        Ok(read) => {
            p.expect(Tok::Greater)?;
            Ok(read)
        }
        Err(error) => {
            let at = places.iter().rfind(|place| place.0 <= error.offset);
            let pos = at.map_or_else(|| p.pos(), |place| place.1);
            Err(p.error_at(pos, format!("the {what}: {}", error.message)))
        }
    }
}

/// The threads of a block of an op without a mapping, as an attribute, where they are decided.
pub const THREADS: &str = "threads";

/// An extent of what is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A size of the op.
    Size(Value),
    /// As many as the lowering divides a size into.
    Divided,
}

/// The space that a mapping of an op maps, and who runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// Extents, outermost first.
    pub extents: Vec<Extent>,
    /// Who runs an index.
    pub group: Group,
}

impl Mapped {
    /// The space that the mapping of an op maps.
    ///
    /// # Errors
    /// The op has none, and why.
    pub fn of(ir: &Ir, op: Op) -> Result<Mapped, &'static str> {
        let Some(model) = ir.interface::<dyn SegmentedOp>(op) else {
            return Err("is no segmented op");
        };
        let mut outside = ir.ancestors(op).skip(1);
        if outside.any(|around| ir.interface::<dyn SegmentedOp>(around).is_some()) {
            return Err("stands inside of another segmented op, whose threads run it");
        }
        let sizes = model.sizes(ir, op);
        let sized = |sizes: &[Value]| sizes.iter().map(|&size| Extent::Size(size)).collect();
        let (extents, group) = match model.level(ir, op) {
            Level::Block => (sized(&sizes), Group::Block),
            Level::Thread => {
                let mut extents: Vec<Extent> = sized(&sizes);
                let (divided, group) = match of_threads(ir, op)? {
                    Who::Space => (0, Group::Thread),
                    Who::Pieces => {
                        let rank = if is_flat(ir, op) { 1 } else { extents.len() };
                        extents.truncate(rank.saturating_sub(1));
                        (1, Group::Thread)
                    }
                    Who::Tiles => {
                        extents.truncate(extents.len().saturating_sub(2));
                        (2, Group::Block)
                    }
                    Who::Segments(more, group) => {
                        extents.pop();
                        (more, group)
                    }
                };
                extents.extend(std::iter::repeat_n(Extent::Divided, divided));
                (extents, group)
            }
        };
        Ok(Mapped { extents, group })
    }

    /// The space that is mapped: extents that the program gives are constants, equal sizes are one symbol.
    pub fn space(&self, ir: &Ir, arena: &mut Arena) -> Descriptor {
        let mut known: Vec<(Value, segra_space::Expr)> = Vec::new();
        let mut shape = Vec::new();
        for (dim, &extent) in self.extents.iter().enumerate() {
            let symbol =
                |arena: &mut Arena| arena.symbol(&format!("n{dim}"), Interval::NON_NEGATIVE);
            let constant = match extent {
                Extent::Size(size) => ir.constant_int(size),
                Extent::Divided => None,
            };
            shape.push(match (constant, extent) {
                (Some(constant), _) => arena.int(constant.max(0)),
                (None, Extent::Size(size)) => match known.iter().find(|row| row.0 == size) {
                    Some(row) => row.1,
                    None => {
                        known.push((size, symbol(arena)));
                        known[known.len() - 1].1
                    }
                },
                (None, _) => symbol(arena),
            });
        }
        Descriptor::of_shape(arena, &shape)
    }
}

/// The parts of an op at level `thread` that its threads run.
enum Who {
    /// Its space.
    Space,
    /// Its space in pieces of neighbours.
    Pieces,
    /// Its space in tiles.
    Tiles,
    /// Its segments, and so many dimensions more that they are divided into.
    Segments(usize, Group),
}

fn of_threads(ir: &Ir, op: Op) -> Result<Who, &'static str> {
    let warp = segra_space::Target::CUDA.warp;
    if ir.isa::<SegMapOp>(op) {
        let staged = !marked(ir, op, |read| read.is_staged(ir)).is_empty();
        return Ok(match vector_of(ir, op) {
            _ if staged => Who::Tiles,
            Some(_) => Who::Pieces,
            None => Who::Space,
        });
    }
    if ir.isa::<ScatterOp>(op) {
        return Ok(Who::Space);
    }
    let reduction = ir.cast::<SegRedOp>(op).map(|seg| seg.form(ir));
    let scan = || ir.cast::<SegScanOp>(op).map(|seg| seg.form(ir));
    let histogram = || ir.cast::<SegHistOp>(op).map(|seg| seg.form(ir));
    let form = reduction.or_else(scan).or_else(histogram).flatten();
    match form.ok_or("needs a form before it can have a mapping")? {
        Form::Lanes => Ok(Who::Segments(0, Group::Lanes(crate::form::FEW_LANES))),
        Form::Warp => Ok(Who::Segments(0, Group::Lanes(warp))),
        Form::Block => Ok(Who::Segments(0, Group::Block)),
        Form::Parts | Form::Last => Ok(Who::Segments(1, Group::Block)),
        Form::Atomics if reduction.is_some() => Ok(Who::Segments(1, Group::Block)),
        Form::Shared => Ok(Who::Segments(2, Group::Block)),
        Form::Atomics | Form::Locks => Ok(Who::Space),
        Form::Tiles => Err(
            "of form `tiles` has no mapping: its thread blocks take tiles in the order they start",
        ),
        Form::Columns => {
            Err("of form `columns` has no mapping: a thread block has 8 neighbouring segments")
        }
        Form::Thread => Err("of form `thread` has no mapping: a thread takes all of a segment"),
        Form::Threads => {
            Err("of form `threads` has no mapping: its parts are as many as keep the device busy")
        }
    }
}

/// Whether an op is run in rounds, by as many threads as there is memory for, and so has no mapping: points have arrays
/// that are as large as only they know.
pub fn runs_in_rounds(ir: &Ir, op: Op) -> bool {
    ir.cast::<SegMapOp>(op)
        .is_some_and(|segmap| segmap.level(ir) == Level::Thread && has_irregular_arrays(ir, op))
}

/// The mapping of an op.
pub fn mapping_of(ir: &Ir, op: Op) -> Option<&Chain> {
    MappingAttr::read(ir.ctx(), ir.attr_named(op, "mapping")?)
}

/// The mapping that the first of some strategies that has one gives an op; `None` where the op takes none.
///
/// # Errors
/// No strategy has one.
pub fn choose(
    ir: &Ir,
    op: Op,
    strategies: &[&dyn ChooseChain],
) -> Result<Option<Mapping>, StrategyError> {
    let Ok(mapped) = Mapped::of(ir, op) else {
        return Ok(None);
    };
    if runs_in_rounds(ir, op) {
        return Ok(None);
    }
    let mut arena = Arena::new();
    let space = mapped.space(ir, &mut arena);
    let limits = HardwareLimits::CUDA;
    let fitting = first_fitting(&mut arena, &space, mapped.group, strategies, &limits)?;
    Ok(Some(Mapping(fitting.mapping.chain().clone())))
}

/// The fault of a mapping of an op.
pub(crate) fn fault(ir: &Ir, op: Op, chain: &Chain) -> Option<String> {
    let mapped = match Mapped::of(ir, op) {
        Ok(mapped) => mapped,
        Err(why) => return Some(format!("{why}; attribute `mapping` has no place")),
    };
    let mut arena = Arena::new();
    let space = mapped.space(ir, &mut arena);
    let checked = segra_space::Mapping::new(&mut arena, space, chain.clone())
        .and_then(|mapping| {
            mapping.check_group(&mut arena, mapped.group)?;
            Ok(mapping)
        })
        .map_err(|error| error.to_string())
        .and_then(|mapping| {
            mapping
                .launch_conditions(&mut arena, mapped.group, &HardwareLimits::CUDA)
                .map_err(|error| format!("`{chain}`: {error}"))
        });
    checked
        .err()
        .map(|error| format!("attribute `mapping`: {error}"))
}

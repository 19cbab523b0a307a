//! Pass `choose-mapping`: which thread block and thread runs which index, by a strategy.
//!
//! ```mlir
//! %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {...}
//! ==>
//! %ys = kernel.segmap thread (%i < %n, %j < %m)
//!     mapping #kernel.mapping<GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))> -> (tensor<?x?xf32>) {...}
//! ```
//! Source: index-space combinators paper (Janssen and Scholz 2021), section 7: strategies infer the pragmas that a program
//! does not have; `columns(auto)` finds the width of columns in what the body reads ([`columns`]); `auto` estimates
//! compositions for what the op's body reads and writes ([`accesses`], [`segra_space::Auto`]).
//! [`segra_kernel::mapping`] says what is mapped of which op; [`segra_space::Strategy`] has the strategies.
//! Where a strategy has no mapping for a space, or one that the hardware provably cannot launch, all dimensions are
//! folded. A mapping that an op has is kept: it is the user's. Threads of a block that are decided (`threads`) are those of `fold-all`.
//!
//! Thread blocks whose tiles tensor cores multiply go through the tiles of some rows (`tile-rows`) column by column, then through
//! the next rows: `Swizzle(d, rows, ..)` of the last two dimensions. Those that run at once then read fewer rows and columns of
//! the matrices than along one long row of tiles, and find more of them in the L2 cache. Other products take so much longer for
//! a tile that memory does not hold them up.
//!
//! Legality: a mapping runs every index once ([`segra_space::Mapping`]), so any that the op's verifier accepts is right. Ops
//! whose form says who runs what, and maps that run in rounds because the memory of their points is bounded, get none.

mod accesses;
mod columns;

use crate::forms::outermost;
use segra_ir::{Ir, Op};
use segra_kernel::contract::ContractOp;
use segra_kernel::level::Level;
use segra_kernel::mapping::{Mapped, THREADS, choose, mapping_of, runs_in_rounds};
use segra_kernel::segop::SegMapOp;
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_space::{
    Arena, Auto, BlockSize, Candidate, Chain, ChooseChain, Combinator, HardwareLimits, Mapping,
    Strategy, ThreadIds, VisitOrder,
};

segra_pass::pass_options! {
    /// The pass `choose-mapping`.
    pub struct ChooseMapping {
        /// How spaces are mapped that have no mapping: `auto`, `fold-all`, `columns(auto)`, `jing`, `jing-ext`, or a chain of combinators for those
        /// it fits.
        pub strategy: String = "fold-all".to_owned(),
        /// Rows of tiles that thread blocks with tensor cores go through together, where the strategy is `fold-all`; 0: row by row.
        pub tile_rows: i64 = 8,
    }
}

impl Pass for ChooseMapping {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "choose-mapping",
            summary: "choose which thread block and thread runs which index",
            reads: &["kernel"],
            writes: &["kernel"],
            anchors: Anchors::Ops(&["func.func"]),
        }
    }

    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        let strategy: Strategy = match self.strategy.parse() {
            Ok(strategy) => strategy,
            Err(error) => return Err(cx.fail(ir, function, format!("option strategy: {error}"))),
        };
        let fold = Strategy::FoldAll(BlockSize::Automatic);
        let groups = strategy == fold && self.tile_rows > 0;
        let mut changed = Changed::No;
        for op in outermost(ir, function) {
            if mapping_of(ir, op).is_some() {
                continue;
            }
            let auto = (strategy == Strategy::Auto)
                .then(|| auto_of(ir, op))
                .flatten();
            let grouped = match groups {
                true => self.in_groups(ir, op),
                false => None,
            };
            let in_columns = match strategy {
                Strategy::Ordered(VisitOrder::BestColumns, size) => columns::best(ir, op, size),
                _ => None,
            };
            let threads = ir.attr_named(op, THREADS).filter(|_| strategy == fold);
            let threads = threads.and_then(|threads| threads.as_i64(ir.ctx()));
            let sized = threads.map(|threads| Strategy::FoldAll(BlockSize::Threads(threads)));
            // At most one of them is there beside the strategy.
            let chosen: [Option<&dyn ChooseChain>; 4] = [
                auto.as_ref().map(|it| it as _),
                in_columns.as_ref().map(|it| it as _),
                sized.as_ref().map(|it| it as _),
                grouped.as_ref().map(|it| it as _),
            ];
            let first = chosen.into_iter().flatten().next().unwrap_or(&strategy);
            match choose(ir, op, &[first, &fold]) {
                Ok(None) => {}
                Ok(Some(mapping)) => {
                    let attr = mapping.attr(ir.ctx());
                    ir.set_attr_named(op, "mapping", Some(attr));
                    cx.count("ops mapped", 1);
                    changed = Changed::Yes;
                }
                Err(error) => {
                    return Err(cx.fail(ir, op, format!("cannot be mapped to a grid: {error}")));
                }
            }
        }
        Ok(Outcome::of(changed))
    }
}

impl ChooseMapping {
    /// Groups of rows of tiles, if thread blocks have tiles in two dimensions that tensor cores multiply.
    fn in_groups(&self, ir: &Ir, op: Op) -> Option<Strategy> {
        let segmap = ir.cast::<SegMapOp>(op)?;
        let contracts = || ir.walk(op).into_iter().any(|op| ir.isa::<ContractOp>(op));
        if segmap.level(ir) != Level::Block || !contracts() {
            return None;
        }
        let rows = Mapped::of(ir, op).ok()?.extents.len().checked_sub(2)?;
        let mut chain = vec![
            Combinator::ShiftLB,
            Combinator::Swizzle(rows, self.tile_rows),
        ];
        chain.extend(vec![Combinator::FoldLast2; rows]);
        Some(Strategy::Explicit(Chain::new(chain, 0)))
    }
}

/// The search for an op's mapping; `None` where it has none.
fn auto_of(ir: &Ir, op: Op) -> Option<Auto> {
    let mapped = Mapped::of(ir, op).ok()?;
    Some(Auto {
        accesses: accesses::accesses(ir, op, &mapped),
    })
}

/// The choices there are for an op.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The op.
    pub op: Op,
    /// The mapping that it has already, written by the user.
    pub own: Option<Chain>,
    /// Compositions with their scores, the cheapest first.
    pub candidates: Vec<Candidate>,
    /// Of the composition that stands first, or of the op's own: extents of the launch, indices and guards as text.
    pub code: Vec<String>,
}

/// The choices there are for the ops of a function that are mapped.
pub fn explained(ir: &Ir, function: Op) -> Vec<Explained> {
    let mut all = Vec::new();
    for op in outermost(ir, function) {
        let (Ok(mapped), false) = (Mapped::of(ir, op), runs_in_rounds(ir, op)) else {
            continue;
        };
        let mut arena = Arena::new();
        let space = mapped.space(ir, &mut arena);
        let auto = Auto {
            accesses: accesses::accesses(ir, op, &mapped),
        };
        let candidates = auto.candidates(&mut arena, &space, mapped.group);
        let own = mapping_of(ir, op).cloned();
        let shown = own
            .as_ref()
            .or(candidates.first().map(|first| &first.chain));
        let mapping = shown.and_then(|chain| Mapping::new(&mut arena, space, chain.clone()).ok());
        all.push(Explained {
            op,
            code: mapping
                .map(|mapping| code(&mut arena, &mapping))
                .unwrap_or_default(),
            own,
            candidates,
        });
    }
    all
}

/// The code of a mapping: on the host, then in a thread.
fn code(arena: &mut Arena, mapping: &Mapping) -> Vec<String> {
    let ids = ThreadIds::declare(arena, &HardwareLimits::CUDA);
    let recovery =
        mapping.recover_simplified(arena, &ids, &Default::default(), &Default::default());
    let text = |exprs: &[segra_space::Expr]| {
        let shown: Vec<String> = exprs
            .iter()
            .map(|&expr| arena.display(expr).to_string())
            .collect();
        shown.join(", ")
    };
    let mut lines = vec![
        format!("grid = ({})", text(&mapping.grid())),
        format!("block = ({})", text(&mapping.block())),
    ];
    if mapping.chain().serial_rank > 0 {
        lines.push(format!("steps = ({})", text(&mapping.steps())));
    }
    if let Ok(recovery) = recovery {
        for (dim, &index) in recovery.indices.iter().enumerate() {
            lines.push(format!("i{dim} = {}", text(&[index])));
        }
        for &guard in &recovery.guards {
            lines.push(format!("if {}", text(&[guard])));
        }
    }
    lines
}

//! Array → array; sees `array` with `arith`, and what ops cost. `algebra`: array programs by equality saturation.
//!
//! ```text
//! %p = array.map (%x in %xs) { %x * %k }                    %s = array.reduce (%xs) init (0) combine { + }
//! %s = array.reduce (%p) init (0) combine { + }        =>  %r = %k * %s
//! ```
//!
//! The combinators, views and scalars of a block become terms in an e-graph [`term`], [`load`]; rules [`rules`] add what
//! is equal; the cheapest term of each value used elsewhere becomes ops again [`emit`], if the block's ops are then
//! cheaper than before by the model of [`cost`]: bytes moved and operations. The rules compose maps; move
//! transposes through maps and reductions; split reductions that are linear; remove replicated inputs and views of views.
//! Common subexpressions, up to the names of bound variables, are one class from the start; invariants leave the bodies
//! they are in when terms become ops.
//!
//! Source: "Regular flattening" (lecture, "Loop fusion"): `map f (map g a)` equals `map (f . g) a` only without effects;
//! Filipovič et al., "Optimizing CUDA code by kernel fusion", 4.2: choosing by predicted cost. They search
//! implementations, here forms of one program.
//!
//! Legality: every rule is an equation on values; ops with effects, or that may stop the program, are leaves. Each result
//! of a combinator with several is a term [`load`]; parts of one that are made again go over the same inputs, and fusion
//! makes one traversal of them; those that share expensive work become one op again here [`join`]. Integers wrap, so sums of
//! them are regrouped; floating-point numbers only with `fast-math`.
//!
//! Bounds: a block is taken in pieces of at most `piece` nodes, and each piece in at most `rounds` rounds and `nodes`
//! nodes, never by time: the result is the same on every machine, and the work is linear in the program. Where a bound is
//! met, what was found so far is costed, with a remark; what is no gain is left exactly as it was.
//!
//! Absent: combinators whose operators have components that use one another (their bodies are taken by themselves);
//! extents in the cost model beyond constants.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassManager, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_array::dialect());
//! let program = "
//!     func.func @main(%xs: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
//!       %t = array.rearrange %xs, [1, 0] : [n][m]f32
//!       %u = array.rearrange %t, [1, 0] : [m][n]f32
//!       func.return %u : !array.array<[n][m]f32>
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut pipeline = Pipeline::on("builtin.module");
//! pipeline.add(Box::new(segra_algebra::Algebra::default()));
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(!after.contains("array.rearrange"), "{after}"); // twice transposed is the array itself
//! ```

mod bind;
mod cost;
mod emit;
mod join;
mod load;
pub mod rules;
mod term;

pub use cost::ASSUMED_EXTENT;
use egg::Id;
use emit::{Emitter, is_available};
use join::Joints;
use load::{Loaded, Sharing, size_of};
use rules::{RULES, Rule, Settings, Stopped, saturate};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Block, Ident, Ir, Loc, Op, Value};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
use term::{Facts, Graph};

pass_options! {
    /// The pass `algebra`.
    #[derive(Copy)]
    pub struct Algebra {
        /// Whether sums and products of floating-point numbers may be regrouped.
        pub fast_math: bool = false,
        /// Rounds of all rules.
        pub rounds: i64 = 6,
        /// Nodes of one e-graph.
        pub nodes: i64 = 5000,
        /// Nodes of the program taken at once.
        pub piece: i64 = 300,
        /// Whether maps stay apart from what reads them: `fuse-traversals`, asked for a combination of kernels, chooses which of
        /// them become one.
        pub apart: bool = false,
    }
}

const INFO: PassInfo = PassInfo {
    name: "algebra",
    summary: "rewrite array programs by equality saturation where that moves fewer bytes",
    reads: &["array"],
    writes: &["arith", "array"],
    anchors: Anchors::Any,
};

/// The rewrite of one piece of a block.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// Where the piece starts.
    pub loc: Loc,
    /// Cost before, in quarters of a byte.
    pub before: u64,
    /// Cost after; that of what was tried, where the piece was left as it was.
    pub after: u64,
    /// Whether the program was changed.
    pub taken: bool,
    /// Rules that found something, in the order of the table.
    pub rules: Vec<Applied>,
    /// Why the rules ended.
    pub stopped: Stopped,
}

/// A rule that found something in a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule's name.
    pub name: &'static str,
    /// How often it made something that was not known to be equal before.
    pub count: u64,
    /// Where it found that: names and locations of values of the program, each once. Results of other rules have none.
    pub found_in: Vec<(Option<Ident>, Loc)>,
}

impl Pass for Algebra {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let rewritten = self.rewrite(ir, op);
        let taken = rewritten.iter().filter(|piece| piece.taken).count() as u64;
        for piece in &rewritten {
            if piece.stopped == Stopped::Nodes {
                cx.remark(
                    ir,
                    op,
                    format!(
                        "algebra stopped at {} nodes; the cheapest form so far counts",
                        self.nodes
                    ),
                );
            }
            for rule in piece.rules.iter().filter(|_| piece.taken) {
                cx.count(rule.name, rule.count);
            }
        }
        cx.count("pieces rewritten", taken);
        Ok(if taken == 0 {
            Outcome::unchanged()
        } else {
            Outcome::changed()
        })
    }
}

impl Algebra {
    /// Rewrites all blocks inside `op`; a line per piece in which a rule found something, that
    /// became cheaper, or that met the bound on nodes.
    pub fn rewrite(&self, ir: &mut Ir, op: Op) -> Vec<Rewritten> {
        self.rewrite_by(ir, op, RULES, Choice::Cheaper)
    }

    /// The same by some rules only; with [`Choice::New`] what they make is taken whatever it costs.
    pub fn rewrite_by(
        &self,
        ir: &mut Ir,
        op: Op,
        rules: &[Rule],
        choice: Choice,
    ) -> Vec<Rewritten> {
        let mut done = Vec::new();
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            let blocks: Vec<Block> = ir
                .regions(op)
                .iter()
                .flat_map(|&region| ir.blocks(region))
                .collect();
            for block in blocks {
                for piece in self.pieces(ir, block) {
                    done.extend(self.piece(ir, &piece, rules, choice));
                }
                let alone = |&inner: &Op| {
                    !ir.regions(inner).is_empty() && size_of(ir, inner, Sharing::Leaf).is_none()
                };
                pending.extend(ir.ops(block).filter(alone));
            }
        }
        done
    }

    /// The terms among a block's ops, in pieces.
    fn pieces(&self, ir: &Ir, block: Block) -> Vec<Vec<Op>> {
        let most = usize::try_from(self.piece).unwrap_or(1).max(1);
        let (mut pieces, mut piece, mut total) = (Vec::new(), Vec::new(), 0);
        for op in ir.ops(block) {
            // Results that share expensive work are as large as the results one by one.
            let joined = size_of(ir, op, Sharing::Joined).filter(|&size| size <= most);
            let Some(size) = joined.or_else(|| size_of(ir, op, Sharing::Leaf)) else {
                continue;
            };
            if total + size > most && !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
                total = 0;
            }
            piece.push(op);
            total += size;
        }
        pieces.push(piece);
        // Scalars alone are other passes' business.
        pieces.retain(|piece| has_arrays(ir, piece));
        pieces
    }

    /// Rewrites a piece: with combinators whose results share expensive work as terms; where that is no gain, as leaves.
    fn piece(
        &self,
        ir: &mut Ir,
        piece: &[Op],
        rules: &[Rule],
        choice: Choice,
    ) -> Option<Rewritten> {
        let alone: Vec<Op> = piece
            .iter()
            .copied()
            .filter(|&op| size_of(ir, op, Sharing::Leaf).is_some())
            .collect();
        if alone.len() == piece.len() {
            return self.terms(ir, piece, rules, choice);
        }
        let done = self.terms(ir, piece, rules, choice);
        if done.as_ref().is_some_and(|done| done.taken) || !has_arrays(ir, &alone) {
            return done;
        }
        self.terms(ir, &alone, rules, choice).or(done)
    }

    fn terms(
        &self,
        ir: &mut Ir,
        piece: &[Op],
        rules: &[Rule],
        choice: Choice,
    ) -> Option<Rewritten> {
        let inside: FxHashSet<Op> = piece.iter().copied().collect();
        let mut graph = Graph::new(Facts::new(ir.context()));
        let mut loaded = Loaded::default();
        for &op in piece {
            for result in ir.results(op) {
                let class = loaded.add(&mut graph, ir, result)?;
                *graph.analysis.shared.entry(class).or_default() += ir.uses(result).count();
            }
        }
        let roots = roots(ir, piece, &inside);
        let mut fired = vec![Vec::new(); rules.len()];
        let initial = graph.total_number_of_nodes();
        let bounds = (
            usize::try_from(self.rounds).unwrap_or(0),
            usize::try_from(self.nodes).unwrap_or(0),
        );
        let settings = Settings {
            fast_math: self.fast_math,
            apart: self.apart,
        };
        graph.rebuild();
        let stopped = saturate(&mut graph, rules, settings, bounds.0, bounds.1, &mut fired);
        // Costs that overflow order nothing.
        if graph.classes().any(|class| class.data.cost.all == u64::MAX) {
            return None;
        }
        if choice == Choice::New {
            term::prefer_new(&mut graph, initial);
        }
        let old = live(ir, piece, &inside);
        let before = cost::of_ops(ir, old.iter().copied());
        let wanted: Vec<Id> = roots
            .iter()
            .filter_map(|root| loaded.classes.get(&root.0).copied())
            .collect();
        let joints = join::joints(&mut graph, &loaded, &wanted);
        let after = emit_roots(ir, &graph, &loaded, &joints, &roots);
        let found = applied(&graph, &loaded, rules, &fired);
        let loc = piece.first().map_or(Loc::UNKNOWN, |&op| ir.loc(op));
        let Some((ops, values)) = after else {
            return Some(Rewritten {
                loc,
                before,
                after: before,
                taken: false,
                rules: found,
                stopped,
            });
        };
        let after = cost::of_ops(ir, ops.iter().copied());
        let repeats =
            loaded.has_families() && cost::work_of_ops(ir, &ops) > cost::work_of_ops(ir, &old);
        let taken = after < before && !repeats || choice == Choice::New && !found.is_empty();
        if taken {
            for ((old, _), new) in roots.iter().zip(&values) {
                if let Some(name) = ir
                    .value_name(*old)
                    .filter(|_| ir.value_name(*new).is_none())
                {
                    ir.set_value_name(*new, name);
                }
                ir.replace_all_uses(*old, *new);
            }
            piece.iter().rev().for_each(|&op| ir.erase_op(op));
        } else {
            ops.iter().rev().for_each(|&op| ir.erase_op(op));
        }
        let worth_a_line = taken || !found.is_empty() || stopped == Stopped::Nodes;
        worth_a_line.then_some(Rewritten {
            loc,
            before,
            after,
            taken,
            rules: found,
            stopped,
        })
    }
}

fn has_arrays(ir: &Ir, ops: &[Op]) -> bool {
    ops.iter()
        .any(|&op| ir.op_name_str(op).starts_with("array."))
}

/// Which form of a piece is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The cheapest, if it is cheaper than the piece.
    Cheaper,
    /// The forms that rules made, wherever they made one: for tests of rules.
    New,
}

/// The matches of each rule, by the classes it found something equal to.
fn applied(graph: &Graph, loaded: &Loaded, rules: &[Rule], fired: &[Vec<Id>]) -> Vec<Applied> {
    let origins = loaded.origins(graph);
    let of_rule = |(rule, classes): (&Rule, &Vec<Id>)| {
        let mut found_in = Vec::new();
        for class in classes {
            if let Some(&origin) = origins.get(&graph.find(*class))
                && !found_in.contains(&origin)
            {
                found_in.push(origin);
            }
        }
        Applied {
            name: rule.name,
            count: classes.len() as u64,
            found_in,
        }
    };
    rules
        .iter()
        .zip(fired)
        .filter(|row| !row.1.is_empty())
        .map(of_rule)
        .collect()
}

/// The ops of a piece that something needs.
fn live(ir: &Ir, piece: &[Op], inside: &FxHashSet<Op>) -> Vec<Op> {
    let mut live: FxHashSet<Op> = FxHashSet::default();
    for &op in piece.iter().rev() {
        let block = ir.block_of(op);
        let needed = ir
            .results(op)
            .flat_map(|result| ir.users(result))
            .any(|user| {
                let top = ir.ancestors(user).find(|&at| ir.block_of(at) == block);
                top.is_some_and(|top| !inside.contains(&top) || live.contains(&top))
            });
        if needed {
            live.insert(op);
        }
    }
    piece
        .iter()
        .copied()
        .filter(|op| live.contains(op))
        .collect()
}

/// Values of a piece that others use, each with the op of the block before which it must be there, in that order.
fn roots(ir: &Ir, piece: &[Op], inside: &FxHashSet<Op>) -> Vec<(Value, Op)> {
    let mut roots: Vec<(Value, Op)> = Vec::new();
    for &op in piece {
        let block = ir.block_of(op);
        for result in ir.results(op) {
            let mut first: Option<Op> = None;
            for user in ir.users(result) {
                let top = ir.ancestors(user).find(|&at| ir.block_of(at) == block);
                let Some(top) = top.filter(|top| !inside.contains(top)) else {
                    continue;
                };
                if first.is_none_or(|first| ir.is_before(top, first)) {
                    first = Some(top);
                }
            }
            roots.extend(first.map(|first| (result, first)));
        }
    }
    roots.sort_by(|a, b| {
        if a.1 == b.1 {
            std::cmp::Ordering::Equal
        } else if ir.is_before(a.1, b.1) {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Greater
        }
    });
    roots
}

/// Makes the roots' terms; the ops made at the level of the block, and a value per root. `None`, and nothing made, where
/// a term needs what is not there yet.
fn emit_roots(
    ir: &mut Ir,
    graph: &Graph,
    loaded: &Loaded,
    joints: &Joints,
    roots: &[(Value, Op)],
) -> Option<(Vec<Op>, Vec<Value>)> {
    for (root, place) in roots {
        let class = *loaded.classes.get(root)?;
        if !is_available(ir, graph, loaded, class, *place) {
            return None;
        }
    }
    let Some(&(_, place)) = roots.first() else {
        return Some((Vec::new(), Vec::new()));
    };
    let locs: FxHashMap<Value, Loc> = roots
        .iter()
        .filter_map(|(root, _)| Some((*root, ir.loc(ir.defining_op(*root)?))))
        .collect();
    let mut emitter = Emitter::new(ir, graph, loaded, joints, place);
    let mut values = Vec::new();
    let mut complete = true;
    for (root, place) in roots {
        emitter.place = *place;
        emitter.loc = locs.get(root).copied().unwrap_or(Loc::UNKNOWN);
        match loaded
            .classes
            .get(root)
            .and_then(|&class| emitter.closed(class))
        {
            Some(value) => values.push(value),
            None => {
                complete = false;
                break;
            }
        }
    }
    if complete {
        return Some((emitter.new, values));
    }
    emitter.discard();
    None
}

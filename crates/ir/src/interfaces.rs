//! Interfaces: what passes may ask of an op without knowing its dialect.
//!
//! An interface is a trait; an op implements it on its `#[op]` struct and lists it in the macro. A model carries no
//! op of its own: methods get the op id. No answer means "unknown": passes must then be conservative.
//!
//! Here: rules of single ops and their effects. `control`: calls, branches, regions, loops; `memory`: memory slots.

mod control;
mod memory;

pub use control::*;
pub use memory::*;

use crate::attrs::Attr;
use crate::build::{Builder, InsertPoint, OpState};
use crate::context::{Context, Ident};
use crate::diag::OpDiagnostics;
use crate::location::Loc;
use crate::store::{Block, Ir, Op, Value};
use crate::symbol::SymbolTables;
use crate::types::Type;
use smallvec::SmallVec;

/// The op's own rule, checked after structure, arity, types and traits.
pub trait Verify: Sync {
    /// Adds an error for everything wrong with `op`.
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>);
    /// The parts of an op that the rule reads.
    fn scope(&self) -> RuleScope {
        RuleScope::Around
    }
}

/// The parts of an op that its own rule reads. The verifier asks a rule once about ops that are equal in all it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleScope {
    /// The op's name, attributes, and the types of its operands and results; nothing else, not even where a value comes
    /// from. Debug builds ask again, and stop where the answer differs.
    Signature,
    /// The signature and, of an op that ends a block, the name of the op around it. Likewise asked again.
    Parent,
    /// The signature and, of the op's regions, how many blocks there are, the types of their arguments, and the names
    /// of the ops that end them with the types of those ops' operands. Likewise asked again.
    Frame,
    /// Ops around, before or inside the op too.
    Around,
}

impl RuleScope {
    /// Whether it is nothing outside of the op.
    pub(crate) fn is_inside(self) -> bool {
        matches!(self, RuleScope::Signature | RuleScope::Frame)
    }
}

/// The result of folding an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoldResult {
    /// The result is this constant.
    Attr(Attr),
    /// The result is this existing value.
    Value(Value),
}

/// The fold of each result of an op; `None`: nothing known.
pub type Folded = Option<SmallVec<[FoldResult; 1]>>;

/// Constant folding and identities.
pub trait Fold: Sync {
    /// The value of each result, given the constants among the operands; `None`: nothing known.
    /// Never changes the program.
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded;
}

/// Local rewrites towards the canonical form, beyond folding.
pub trait Canonicalize: Sync {
    /// Rewrites `op` (or what it directly uses) if it can; tells whether it did. `op` may be erased then.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool;
}

/// How canonicalization and patterns change a program: every change is seen by the driver.
pub trait Rewriter {
    /// The program, to read.
    fn ir(&self) -> &Ir;
    /// Builds new ops at an insertion point; the driver notices those that are still there afterwards.
    fn build_at(&mut self, point: InsertPoint, loc: Loc, build: &mut dyn FnMut(&mut Builder<'_>));
    /// Builds new ops right before `op`, with its location.
    fn build_before(&mut self, op: Op, build: &mut dyn FnMut(&mut Builder<'_>)) {
        let loc = self.ir().loc(op);
        self.build_at(InsertPoint::Before(op), loc, build);
    }
    /// Replaces all results of `op` and erases it.
    fn replace_op(&mut self, op: Op, values: &[Value]);
    /// Replaces one value everywhere.
    fn replace_value(&mut self, from: Value, to: Value);
    /// Erases an op without uses.
    fn erase_op(&mut self, op: Op);
    /// Changes `op` in place.
    fn modify(&mut self, op: Op, change: &mut dyn FnMut(&mut Ir));
    /// Moves all ops of `from` (its terminator too) before `before`, `args` standing for its arguments; erases `from`.
    fn inline_block_before(&mut self, from: Block, before: Op, args: &[Value]);
}

impl dyn Rewriter + '_ {
    /// Builds new ops right before `op` and returns what `build` returns.
    pub fn build<R>(&mut self, op: Op, build: impl FnOnce(&mut Builder<'_>) -> R) -> R {
        let mut build = Some(build);
        let mut result = None;
        self.build_before(op, &mut |b| {
            if let Some(build) = build.take() {
                result = Some(build(b));
            }
        });
        result.expect("drivers call the closure")
    }
    /// Builds the replacements of `op`'s results right before it, then replaces and erases it.
    pub fn replace_with<I: IntoIterator<Item = Value>>(
        &mut self,
        op: Op,
        build: impl FnOnce(&mut Builder<'_>) -> I,
    ) {
        let values: SmallVec<[Value; 4]> = self.build(op, |b| build(b).into_iter().collect());
        self.replace_op(op, &values);
    }
}

/// Result types from operands, attributes and regions. For an op without regions and successors they depend on the types
/// of operands and on attributes alone, not on where operands come from: the verifier asks once per signature.
pub trait InferTypes: Sync {
    /// The result types of an op about to be built, or why there are none.
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String>;
}

/// The kind of access an effect describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Allocates the value.
    Allocate,
    /// Frees the value.
    Free,
    /// Stops the program where a condition does not hold: equal ones are merged, but none is removed, nor run where it
    /// was not. Ops that read or compute may move past it.
    Stop,
    /// Orders or stops execution (barriers, failed checks): not to be moved, merged or removed.
    Control,
}

/// One side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The kind of effect.
    pub kind: EffectKind,
    /// To what; `None`: to anything.
    pub on: Option<Value>,
}

impl Effect {
    /// To anything.
    pub const fn of(kind: EffectKind) -> Effect {
        Effect { kind, on: None }
    }
    /// To the memory that a value stands for.
    pub const fn on(kind: EffectKind, value: Value) -> Effect {
        let on = Some(value);
        Effect { kind, on }
    }
}

/// Side effects of ops that are neither `Pure` nor `RecursiveEffects`.
pub trait Effects: Sync {
    /// Adds the effects of `op` itself (not those of its regions unless it has `RecursiveEffects`).
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>);
}

/// Whether an op without effects may also run where it did not run before: a division may not, unless its divisor is
/// known not to be zero. Asked only of ops whose traits do not say it.
pub trait Speculation: Sync {
    /// Whether `op` itself, not what is inside it, may run on any operands it may have.
    fn is_speculatable(&self, ir: &Ir, op: Op) -> bool;
}

/// An op that defines a symbol.
pub trait SymbolOp: Sync {
    /// Whether only the enclosing symbol table may use it.
    fn is_private(&self, ir: &Ir, op: Op) -> bool;
}

/// An op that refers to symbols.
pub trait SymbolUser: Sync {
    /// Adds an error for every symbol use that does not resolve (by `tables`) or does not fit. The verifier may ask before
    /// all symbols are in the tables, and again once they are: symbols are found through `tables` only.
    fn verify_symbol_uses(
        &self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        diags: &mut OpDiagnostics<'_>,
    );
}

/// Shapes of results, as attributes or values, where they are known without running the op.
pub trait ShapeOf: Sync {
    /// The extent of dimension `dim` of result `result`: a value already in scope at the op, if there is one.
    fn extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<Value>;
}

/// The extent of one dimension of a value, where the op that defines it knows it as a value.
pub fn known_extent(ir: &Ir, value: Value, dim: usize) -> Option<Value> {
    let op = ir.defining_op(value)?;
    let result = ir.results(op).position(|result| result == value)?;
    ir.interface::<dyn ShapeOf>(op)?.extent(ir, op, result, dim)
}

/// How much work one execution of an op is: what passes weigh against storing a result and reading it again.
pub trait Work: Sync {
    /// In units of one addition, without what is in its regions.
    fn work(&self, ir: &Ir, op: Op) -> u64;
}

/// How many times a loop runs, where only run time tells, for estimates of work.
const ASSUMED_TRIPS: u64 = 16;

/// Work of an op and everything inside it, in units of one addition: 1 for an op that says nothing of itself; loops
/// count their bodies several times.
pub fn work_of(ir: &Ir, op: Op) -> u64 {
    let own = |op: Op| {
        ir.interface::<dyn Work>(op)
            .map_or(1, |model| model.work(ir, op))
    };
    let mut total = 0u64;
    // An explicit stack: nesting depth is the input's, not the host stack's.
    let mut pending = vec![(op, 1u64)];
    while let Some((op, times)) = pending.pop() {
        total = total.saturating_add(own(op).saturating_mul(times));
        let repeats = ir.interface::<dyn LoopLike>(op).is_some();
        let times = if repeats {
            times.saturating_mul(ASSUMED_TRIPS)
        } else {
            times
        };
        for &region in ir.regions(op) {
            for block in ir.blocks(region) {
                pending.extend(ir.ops(block).map(|op| (op, times)));
            }
        }
    }
    total
}

/// Suggested names for results and block arguments in the text form.
pub trait AsmNames: Sync {
    /// Adds (value, name) pairs.
    fn names(&self, ir: &Ir, op: Op, names: &mut Vec<(Value, String)>);
}

/// Whether an op has no side effects at all, its regions included: it may be moved, merged or erased when unused.
pub fn is_pure(ir: &Ir, op: Op) -> bool {
    visit_effects(ir, op, &mut |_| false)
}

/// Whether `op` may run where it did not run before: it has no effect, cannot fail and ends, its regions included.
pub fn is_speculatable(ir: &Ir, op: Op) -> bool {
    let mut pending: SmallVec<[Op; 4]> = SmallVec::from_slice(&[op]);
    while let Some(op) = pending.pop() {
        if !is_speculatable_itself(ir, op) {
            return false;
        }
        if ir.has_trait(op, crate::def::Trait::RecursiveEffects) {
            pending.extend(
                ir.regions(op)
                    .iter()
                    .flat_map(|&region| ir.blocks(region))
                    .flat_map(|block| ir.ops(block)),
            );
        }
    }
    true
}

/// Whether `op` may run where it did not run before, apart from the ops in its regions.
pub fn is_speculatable_itself(ir: &Ir, op: Op) -> bool {
    let Some(info) = ir.info(op) else {
        return false;
    };
    match info.interface::<dyn Speculation>() {
        Some(model) => model.is_speculatable(ir, op),
        None => {
            info.has(crate::def::Trait::Pure)
                || info.has(crate::def::Trait::RecursiveEffects)
                || info.has(crate::def::Trait::ReturnLike) && info.effects.is_none()
        }
    }
}

/// Whether an unused `op` may be erased: it at most reads, or allocates what nobody uses.
pub fn is_trivially_dead(ir: &Ir, op: Op) -> bool {
    ir.results(op).all(|result| !ir.has_uses(result)) && is_removable(ir, op)
}

/// Whether `op` may be erased once its results are unused, judging also by what is inside it.
pub fn is_removable(ir: &Ir, op: Op) -> bool {
    let Some(info) = ir.info(op) else {
        return false;
    };
    let stays = info.has(crate::def::Trait::Terminator) || info.has(crate::def::Trait::Symbol);
    !stays
        && visit_effects(ir, op, &mut |(owner, effect)| {
            effect_is_removable(ir, owner, effect)
        })
}

/// Whether an effect of `owner` can be dropped with it when `owner`'s results are unused.
pub fn effect_is_removable(ir: &Ir, owner: Op, effect: Effect) -> bool {
    match effect.kind {
        EffectKind::Read => true,
        EffectKind::Allocate => effect
            .on
            .is_some_and(|value| ir.defining_op(value) == Some(owner)),
        EffectKind::Write | EffectKind::Free | EffectKind::Stop | EffectKind::Control => false,
    }
}

/// All effects of an op and its regions; `None`: unknown.
pub fn effects_of(ir: &Ir, op: Op) -> Option<Vec<Effect>> {
    let mut effects = Vec::new();
    let known = visit_effects(ir, op, &mut |(_, effect)| {
        effects.push(effect);
        true
    });
    known.then_some(effects)
}

/// The effects of an op without those of the ops in its regions; `None`: unknown.
pub fn own_effects(ir: &Ir, op: Op) -> Option<SmallVec<[Effect; 2]>> {
    let mut effects = SmallVec::new();
    collect_own_effects(ir, op, &mut effects).then_some(effects)
}

fn collect_own_effects(ir: &Ir, op: Op, effects: &mut SmallVec<[Effect; 2]>) -> bool {
    let Some(info) = ir.info(op) else {
        return false;
    };
    if info.has(crate::def::Trait::Pure) {
        return true;
    }
    if let Some(model) = info.effects {
        let mut list = Vec::new();
        model.effects(ir, op, &mut list);
        effects.extend(list);
        return true;
    }
    // A terminator that only hands values on has no effect of its own.
    info.has(crate::def::Trait::RecursiveEffects) || info.has(crate::def::Trait::ReturnLike)
}

/// Calls `accept` on every effect of `op` and of the ops inside it, with the op that has it, until it says no.
/// Whether all effects are known and accepted.
pub fn visit_effects(ir: &Ir, op: Op, accept: &mut dyn FnMut((Op, Effect)) -> bool) -> bool {
    // An explicit stack: nesting depth is the input's, not the host stack's.
    let mut pending: SmallVec<[Op; 4]> = SmallVec::from_slice(&[op]);
    while let Some(op) = pending.pop() {
        let Some(own) = own_effects(ir, op) else {
            return false;
        };
        if !own.into_iter().all(|effect| accept((op, effect))) {
            return false;
        }
        if ir.has_trait(op, crate::def::Trait::RecursiveEffects) {
            for &region in ir.regions(op) {
                for block in ir.blocks(region) {
                    pending.extend(ir.ops(block));
                }
            }
        }
    }
    true
}

/// The constant an op like `arith.constant` holds.
pub fn constant_of(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    if !ir.info(op)?.has(crate::def::Trait::ConstantLike) {
        return None;
    }
    ir.attr_named(op, "value")
}

impl Ir {
    /// The integer a value is, where an op like `arith.constant` holds it.
    pub fn constant_int(&self, value: Value) -> Option<i64> {
        constant_of(self, value)?.as_i64(self.ctx())
    }
}

/// The terminator of a block, if its last op is one.
pub fn terminator(ir: &Ir, block: Block) -> Option<Op> {
    let last = ir.last_op(block)?;
    ir.has_trait(last, crate::def::Trait::Terminator)
        .then_some(last)
}

/// The name of the symbol an op defines.
pub fn symbol_name(ir: &Ir, op: Op) -> Option<Ident> {
    let ctx: &Context = ir.ctx();
    let attr = ir.attr_named(op, "sym_name")?;
    attr.as_str(ctx).map(|text| ctx.ident(text))
}

//! Interfaces: what passes may ask of an op without knowing its dialect.
//!
//! An interface is a trait; an op implements it on its `#[op]` struct and lists it in the macro. A model carries no
//! op of its own: methods get the op id. No answer means "unknown": passes must then be conservative.

use crate::attrs::Attr;
use crate::build::OpState;
use crate::context::{Context, Ident};
use crate::diag::Diagnostics;
use crate::store::{Block, Ir, Op, Region, Value};
use crate::types::Type;
use smallvec::SmallVec;

/// The op's own rule, checked after structure, arity, types and traits.
pub trait Verify: Sync {
    /// Adds an error for everything wrong with `op`.
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics);
}

/// What an op folds to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoldResult {
    /// The result is this constant.
    Attr(Attr),
    /// The result is this existing value.
    Value(Value),
}

/// Constant folding and identities.
pub trait Fold: Sync {
    /// What each result is, given the constants among the operands; `None`: nothing known.
    /// Never changes the program.
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Option<SmallVec<[FoldResult; 1]>>;
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
    /// The program, to build new ops before `op`; new ops are noticed by the driver.
    fn build_before(&mut self, op: Op, build: &mut dyn FnMut(&mut crate::build::Builder<'_>));
    /// Replaces all results of `op` and erases it.
    fn replace_op(&mut self, op: Op, values: &[Value]);
    /// Replaces one value everywhere.
    fn replace_value(&mut self, from: Value, to: Value);
    /// Erases an op without uses.
    fn erase_op(&mut self, op: Op);
    /// Changes `op` in place.
    fn modify(&mut self, op: Op, change: &mut dyn FnMut(&mut Ir));
}

/// Result types from operands, attributes and regions.
pub trait InferTypes: Sync {
    /// The result types of an op about to be built, or why there are none.
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String>;
}

/// What an effect does to memory.
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
    /// Orders or stops execution (barriers, failed checks): not to be moved, merged or removed.
    Control,
}

/// One side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What it does.
    pub kind: EffectKind,
    /// To what; `None`: to anything.
    pub on: Option<Value>,
}

/// Side effects of ops that are neither `Pure` nor `RecursiveEffects`.
pub trait Effects: Sync {
    /// Adds the effects of `op` itself (not those of its regions unless it has `RecursiveEffects`).
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>);
}

/// An op that defines a symbol.
pub trait SymbolOp: Sync {
    /// Whether only the enclosing symbol table may use it.
    fn is_private(&self, ir: &Ir, op: Op) -> bool;
}

/// An op that refers to symbols: checked by the verifier once all symbols are known.
pub trait SymbolUser: Sync {
    /// Adds an error for every symbol use that does not resolve or does not fit.
    fn verify_symbol_uses(&self, ir: &Ir, op: Op, diags: &mut Diagnostics);
}

/// A sequential or parallel loop.
pub trait LoopLike: Sync {
    /// The region that is repeated.
    fn body(&self, ir: &Ir, op: Op) -> Region;
    /// Induction variables, outermost first.
    fn induction_vars(&self, ir: &Ir, op: Op) -> Vec<Value>;
}

/// A function-like op.
pub trait Callable: Sync {
    /// The body; `None` for a declaration.
    fn callable_region(&self, ir: &Ir, op: Op) -> Option<Region>;
    /// Its function type's inputs and results.
    fn signature(&self, ir: &Ir, op: Op) -> (Vec<Type>, Vec<Type>);
}

/// A call of a symbol.
pub trait CallLike: Sync {
    /// The callee.
    fn callee(&self, ir: &Ir, op: Op) -> Option<Ident>;
    /// What is passed.
    fn arguments(&self, ir: &Ir, op: Op) -> Vec<Value>;
}

/// A terminator with successors: which operands each successor's block arguments get.
pub trait BranchLike: Sync {
    /// Operands handed to the `index`-th successor.
    fn successor_operands(&self, ir: &Ir, op: Op, index: usize) -> Vec<Value>;
}

/// Where control may go from an op with regions, or from a terminator inside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionSuccessor {
    /// Into a region (its entry block).
    Region(Region),
    /// Back out to the op's results.
    Parent,
}

/// Structured control flow.
pub trait RegionBranch: Sync {
    /// Where control may go from the op (`from` = `None`) or from a region's end.
    fn successors(&self, ir: &Ir, op: Op, from: Option<Region>) -> Vec<RegionSuccessor>;
}

/// Shapes of results, as attributes or values, where they are known without running the op.
pub trait ShapeOf: Sync {
    /// The extent of dimension `dim` of result `result`: a value already in scope at the op, if there is one.
    fn extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<Value>;
}

/// Suggested names for results and block arguments in the text form.
pub trait AsmNames: Sync {
    /// Adds (value, name) pairs.
    fn names(&self, ir: &Ir, op: Op, names: &mut Vec<(Value, String)>);
}

/// Whether an op has no side effects at all, its regions included: it may be moved, merged or erased when unused.
pub fn is_pure(ir: &Ir, op: Op) -> bool {
    effects_of(ir, op).is_some_and(|effects| effects.is_empty())
}

/// Whether an unused `op` may be erased: it at most reads, or allocates what nobody uses.
pub fn is_trivially_dead(ir: &Ir, op: Op) -> bool {
    let unused = ir.results(op).all(|result| !ir.has_uses(result));
    let Some(info) = ir.info(op) else { return false };
    if !unused || info.has(crate::def::Trait::Terminator) || info.has(crate::def::Trait::Symbol) {
        return false;
    }
    effects_of(ir, op).is_some_and(|effects| {
        effects.iter().all(|effect| match effect.kind {
            EffectKind::Read => true,
            EffectKind::Allocate => effect.on.is_some_and(|value| ir.defining_op(value) == Some(op)),
            EffectKind::Write | EffectKind::Free | EffectKind::Control => false,
        })
    })
}

/// All effects of an op and its regions; `None`: unknown.
pub fn effects_of(ir: &Ir, op: Op) -> Option<Vec<Effect>> {
    let mut effects = Vec::new();
    collect_effects(ir, op, &mut effects).then_some(effects)
}

fn collect_effects(ir: &Ir, op: Op, effects: &mut Vec<Effect>) -> bool {
    let Some(info) = ir.info(op) else { return false };
    if info.has(crate::def::Trait::Pure) {
        return true;
    }
    let recursive = info.has(crate::def::Trait::RecursiveEffects);
    if let Some(model) = info.effects {
        model.effects(ir, op, effects);
        if !recursive {
            return true;
        }
    } else if !recursive {
        // A terminator that only hands values on has no effect of its own.
        return info.has(crate::def::Trait::ReturnLike);
    }
    ir.regions(op).iter().all(|&region| {
        ir.blocks(region).all(|block| ir.ops(block).all(|nested| collect_effects(ir, nested, effects)))
    })
}

/// The constant an op like `arith.constant` holds.
pub fn constant_of(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    if !ir.info(op)?.has(crate::def::Trait::ConstantLike) {
        return None;
    }
    ir.attr(op, ir.ctx().ident("value"))
}

/// The terminator of a block, if its last op is one.
pub fn terminator(ir: &Ir, block: Block) -> Option<Op> {
    let last = ir.last_op(block)?;
    ir.has_trait(last, crate::def::Trait::Terminator).then_some(last)
}

/// The name of the symbol an op defines.
pub fn symbol_name(ir: &Ir, op: Op) -> Option<Ident> {
    let ctx: &Context = ir.ctx();
    let attr = ir.attr(op, ctx.ident("sym_name"))?;
    attr.as_str(ctx).map(|text| ctx.ident(text))
}

//! Questions of fusion about a combinator: whether it may be fused, what else it does, what it holds.
//!
//! Deliberately absent: the parts of combinators ([`segra_array::combinator`]), which of them are fused (`plan`) and the
//! code that does it (`build`).

use segra_array::combinator::{is_combinator, is_scheduled};
use segra_array::soac::YieldOp;
use segra_array::types::ArrayType;
use segra_ir::interfaces::{EffectKind, is_speculatable, visit_effects};
use segra_ir::{Block, Builder, Ir, Op, Type, Value};

pub(crate) use segra_array::combinator::{Flavour, Parts, Soac};

/// The effects of running a combinator besides giving its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Behaviour {
    /// Nothing: it may run anywhere, any number of times.
    Total,
    /// It may stop the program, by an index out of range for example.
    MayStop,
    /// Anything else: it reads or writes memory.
    Effects,
}

/// A combinator that may be fused: not one whose start values are not neutral, which `separate-starts` takes apart
/// before, nor one of another flavour than those there are rules for.
pub(crate) fn fusible(ir: &Ir, op: Op) -> Option<Soac> {
    Soac::of(ir, op)
        .filter(|_| !is_scheduled(ir, op))
        .filter(|soac| soac.flavour != Flavour::Other && soac.is_neutral(ir))
}

/// Whether there is a combinator inside the regions of one.
pub(crate) fn has_parallelism(ir: &Ir, soac: &Soac) -> bool {
    let mut found = false;
    ir.walk_with(soac.op, &mut |op| {
        found |= op != soac.op && is_combinator(ir, op)
    });
    found
}

/// How many combinators are one inside another from one on, if all are maps and reductions, without branches or loops.
pub(crate) fn depth(ir: &Ir, op: Op) -> Option<usize> {
    let around = ir.ancestors(op).count();
    let mut deepest = 0;
    for inner in ir.walk(op) {
        if ir.regions(inner).is_empty() {
            continue;
        }
        let flavour = fusible(ir, inner)?.flavour;
        if !matches!(flavour, Flavour::Map | Flavour::Reduce) {
            return None;
        }
        deepest = deepest.max(ir.ancestors(inner).count() - around);
    }
    Some(deepest)
}

/// The effects of running a combinator.
pub(crate) fn behaviour(ir: &Ir, soac: &Soac) -> Behaviour {
    if is_speculatable(ir, soac.op) && segra_ir::interfaces::is_pure(ir, soac.op) {
        return Behaviour::Total;
    }
    // Array ops that may stop the program say that they read anything.
    let only_stops = visit_effects(ir, soac.op, &mut |(owner, effect)| {
        effect.kind == EffectKind::Stop
            || effect.kind == EffectKind::Read && ir.op_name_str(owner).starts_with("array.")
    });
    if only_stops {
        Behaviour::MayStop
    } else {
        Behaviour::Effects
    }
}

/// The type of an array's rows.
pub(crate) fn row_type(ir: &Ir, array: Value) -> Type {
    let ty = ir.value_type(array);
    ty.dialect::<ArrayType>(ir.ctx())
        .map_or(ty, |array| array.row(ir.ctx()))
}

/// Builds a combinator with neutral start values before `place`.
pub(crate) fn finish(ir: &mut Ir, parts: &Parts, results: &[Type], place: Op) -> Op {
    let op = parts.build_as(&mut Builder::before(ir, place), results);
    segra_array::start::write_neutral(ir, op);
    op
}

/// Ends a block of a combinator.
pub(crate) fn end_block(ir: &mut Ir, block: Block, values: &[Value], loc: segra_ir::Loc) {
    YieldOp::build(&mut Builder::at_end(ir, block, loc), values);
}

//! Facts about numbers from types, loops and maps: conditions that need no check.
//!
//! Extents are compared by what they are called: a size of the function, a constant, else the value or the dimension
//! itself. Inside a map over `n` elements it is known that `n` is not 0, and that an element of `iota n` is below
//! it. Deliberately absent: ranges of sums and differences (they wrap); what branches around an op say.

use segra_array::combinator::Soac;
pub(crate) use segra_array::identity::{Extent, extent, extent_of};
use segra_array::layout::{ReverseOp, SliceOp};
use segra_array::shape::{CastOp, DimOp, IotaOp, ReplicateOp};
use segra_ir::interfaces::known_extent;
use segra_ir::{Ir, Op, Value, ValueDef};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::check::RequireOp;
use segra_std::scf::ForOp;

/// Ops looked through at most, one behind the other.
const DEEPEST: usize = 8;

/// Factors of a product looked at, at most.
const MOST_FACTORS: usize = 32;

pub(crate) fn constant(ir: &Ir, value: Value) -> Option<i64> {
    ir.constant_int(value)
}

/// The combinator whose elements a value is one of, and the array they are elements of.
fn element_of(ir: &Ir, value: Value) -> Option<(Vec<Value>, Value)> {
    let ValueDef::Argument { block, index } = ir.value_def(value) else {
        return None;
    };
    let op = ir.block_parent(block)?;
    let inputs = inputs_of_body(ir, op, block)?;
    let array = *inputs.get(index as usize)?;
    Some((inputs, array))
}

/// The inputs over whose elements a combinator's body runs, if `block` is that body.
fn inputs_of_body(ir: &Ir, op: Op, block: segra_ir::Block) -> Option<Vec<Value>> {
    let soac = Soac::of(ir, op)?;
    (soac.body == Some(block)).then_some(soac.parts.arrays)
}

/// The loop whose counter a value is.
fn counter_of(ir: &Ir, value: Value) -> Option<ForOp> {
    let ValueDef::Argument { block, index: 0 } = ir.value_def(value) else {
        return None;
    };
    let looped = ir.cast::<ForOp>(ir.block_parent(block)?)?;
    looped.unsigned_cmp_attr(ir).is_none().then_some(looped)
}

/// Whether casting keeps a number: one between `index` and 64 bits.
fn same_number(ir: &Ir, value: Value) -> Option<Value> {
    let cast = ir
        .defining_op(value)
        .and_then(|op| ir.cast::<arith::IndexCastOp>(op))?;
    let (from, to) = (
        ir.operand(segra_ir::OpView::op(cast), 0),
        ir.value_type(value),
    );
    let wide = |ty| to_width(ir, ty) == 64;
    (wide(ir.value_type(from)) && wide(to)).then_some(from)
}

fn to_width(ir: &Ir, ty: segra_ir::Type) -> u32 {
    match ir.ctx().type_kind(ty) {
        segra_ir::TypeKind::Index => 64,
        segra_ir::TypeKind::Integer { width, .. } => *width,
        _ => 0,
    }
}

/// Whether a number is known not to be negative.
pub(crate) fn not_negative(ir: &Ir, value: Value) -> bool {
    not_negative_to(ir, value, DEEPEST)
}

fn not_negative_to(ir: &Ir, value: Value, deepest: usize) -> bool {
    if let Some(constant) = constant(ir, value) {
        return constant >= 0;
    }
    let Some(deepest) = deepest.checked_sub(1) else {
        return false;
    };
    if let Some((_, array)) = element_of(ir, value) {
        return ir.def_as::<IotaOp>(array).is_some() && to_width(ir, ir.value_type(value)) == 64;
    }
    if let Some(known) = crate::with_loops::is_not_negative(ir, value) {
        return known;
    }
    if let Some(looped) = counter_of(ir, value) {
        return not_negative_to(ir, looped.lower_bound(ir), deepest);
    }
    if let Some(from) = same_number(ir, value) {
        return not_negative_to(ir, from, deepest);
    }
    let Some(op) = ir.defining_op(value) else {
        return false;
    };
    let operand = |index| not_negative_to(ir, ir.operand(op, index), deepest);
    if ir.isa::<DimOp>(op) {
        return true;
    }
    if let Some(check) = ir.cast::<RequireOp>(op) {
        return requires(ir, check).is_some_and(|(predicate, x, y, value)| {
            x == value
                && (predicate == CmpIPredicate::Ult && not_negative_to(ir, y, deepest)
                    || predicate == CmpIPredicate::Sge
                        && constant(ir, y).is_some_and(|least| least >= 0))
        }) || not_negative_to(ir, check.value(ir), deepest);
    }
    let quotient = ir.isa::<arith::DivSIOp>(op)
        || ir.isa::<arith::FloorDivSIOp>(op)
        || ir.isa::<arith::DivUIOp>(op)
        || ir.isa::<arith::RemUIOp>(op);
    if quotient || ir.isa::<arith::MinSIOp>(op) {
        operand(0) && operand(1)
    } else if ir.isa::<arith::RemSIOp>(op) {
        operand(0)
    } else if ir.isa::<arith::MaxSIOp>(op) || ir.isa::<arith::AndIOp>(op) {
        operand(0) || operand(1)
    } else if ir.isa::<arith::SelectOp>(op) {
        operand(1) && operand(2)
    } else {
        from_the_end(ir, value).is_some_and(|(extent, index)| {
            not_negative_to(ir, index, deepest) && below_to(ir, index, extent, deepest)
        })
    }
}

/// The comparison a check makes, and the value it checks. One in an operator is met where it runs at all
/// ([`crate::operator_runs`]).
fn requires(ir: &Ir, check: RequireOp) -> Option<(CmpIPredicate, Value, Value, Value)> {
    let (mut condition, mut value) = (check.condition(ir), check.value(ir));
    while let (Some(or), Some(safe)) = (
        ir.def_as::<arith::OrIOp>(condition),
        ir.def_as::<arith::SelectOp>(value),
    ) && or.lhs(ir) == safe.condition(ir)
    {
        (condition, value) = (or.lhs(ir), safe.true_value(ir));
    }
    let compared = ir.def_as::<arith::CmpIOp>(condition)?;
    let predicate = CmpIPredicate::from_value(compared.predicate_attr(ir)?.as_i64(ir.ctx())?)?;
    Some((predicate, compared.lhs(ir), compared.rhs(ir), value))
}

/// `extent` and `i` of `extent - 1 - i`, however it is written.
fn from_the_end(ir: &Ir, value: Value) -> Option<(Extent, Value)> {
    let (mut offset, mut added, mut taken) = (0i64, Vec::new(), Vec::new());
    let mut pending = vec![(value, true)];
    while let Some((value, adds)) = pending.pop() {
        if added.len() + taken.len() + pending.len() > DEEPEST {
            return None;
        }
        if let Some(constant) = constant(ir, value) {
            offset = if adds {
                offset.checked_add(constant)?
            } else {
                offset.checked_sub(constant)?
            };
        } else if let Some(sum) = ir.def_as::<arith::AddIOp>(value) {
            pending.extend([(sum.lhs(ir), adds), (sum.rhs(ir), adds)]);
        } else if let Some(difference) = ir.def_as::<arith::SubIOp>(value) {
            pending.extend([(difference.lhs(ir), adds), (difference.rhs(ir), !adds)]);
        } else if adds {
            added.push(value);
        } else {
            taken.push(value);
        }
    }
    match (added.as_slice(), taken.as_slice(), offset) {
        (&[whole], &[index], -1) => Some((extent(ir, whole), index)),
        _ => None,
    }
}

/// Whether a number that is not negative is known to be below an extent.
pub(crate) fn below(ir: &Ir, value: Value, most: Extent) -> bool {
    below_to(ir, value, most, DEEPEST)
}

fn below_to(ir: &Ir, value: Value, most: Extent, deepest: usize) -> bool {
    if let (Some(constant), Extent::Constant(most)) = (constant(ir, value), most) {
        return constant < most;
    }
    let Some(deepest) = deepest.checked_sub(1) else {
        return false;
    };
    if let Some((inputs, array)) = element_of(ir, value) {
        let counts =
            ir.def_as::<IotaOp>(array).is_some() && to_width(ir, ir.value_type(value)) == 64;
        return counts
            && inputs
                .iter()
                .any(|&input| same(ir, extent_of(ir, input, 0), most));
    }
    if let Some(known) = crate::with_loops::is_below(ir, value, most) {
        return known;
    }
    if let Some(looped) = counter_of(ir, value) {
        return same(ir, extent(ir, looped.upper_bound(ir)), most);
    }
    if let Some(from) = same_number(ir, value) {
        return below_to(ir, from, most, deepest);
    }
    let Some(op) = ir.defining_op(value) else {
        return false;
    };
    if let Some(check) = ir.cast::<RequireOp>(op) {
        return requires(ir, check).is_some_and(|(predicate, x, y, value)| {
            predicate == CmpIPredicate::Ult && x == value && same(ir, extent(ir, y), most)
        }) || below_to(ir, check.value(ir), most, deepest);
    }
    let operand = |index| below_to(ir, ir.operand(op, index), most, deepest);
    if ir.isa::<arith::RemUIOp>(op) || ir.isa::<arith::RemSIOp>(op) {
        same(ir, extent(ir, ir.operand(op, 1)), most)
    } else if ir.isa::<arith::MinSIOp>(op) {
        operand(0) || operand(1)
    } else if ir.isa::<arith::SelectOp>(op) {
        operand(1) && operand(2)
    } else {
        from_the_end(ir, value).is_some_and(|(extent, index)| {
            same(ir, extent, most)
                && not_negative_to(ir, index, deepest)
                && below_to(ir, index, extent, deepest)
        })
    }
}

/// Whether all elements of an array of numbers are known to be indices of an extent.
pub(crate) fn elements_within(ir: &Ir, array: Value, most: Extent) -> bool {
    let mut array = array;
    // Their elements are some of those of their array.
    for _ in 0..DEEPEST {
        let part = ir
            .defining_op(array)
            .filter(|&op| ir.isa::<ReverseOp>(op) || ir.isa::<SliceOp>(op) || ir.isa::<CastOp>(op));
        let Some(part) = part else { break };
        array = ir.operand(part, 0);
    }
    if let Some(iota) = ir.def_as::<IotaOp>(array) {
        return same(ir, extent(ir, iota.count(ir)), most);
    }
    let Some(replicate) = ir.def_as::<ReplicateOp>(array) else {
        return false;
    };
    let value = replicate.value(ir);
    not_negative(ir, value) && below(ir, value, most)
}

/// Whether two extents are known to be one: the input of a map may know its extent by a name and by a value.
pub(crate) fn same(ir: &Ir, a: Extent, b: Extent) -> bool {
    a == b
        || match (a, b) {
            (Extent::Dim(array, dim), other) | (other, Extent::Dim(array, dim)) => {
                known_extent(ir, array, dim).is_some_and(|value| extent(ir, value) == other)
            }
            _ => false,
        }
}

/// A product: its constant factor and the others; `None`: too many.
pub(crate) fn factors(ir: &Ir, of: &[Extent]) -> Option<(i64, Vec<Extent>)> {
    let (mut scale, mut factors, mut pending) = (1i64, Vec::new(), of.to_vec());
    while let Some(next) = pending.pop() {
        match next {
            Extent::Constant(value) => scale = scale.checked_mul(value)?,
            Extent::Value(value) if ir.def_as::<arith::MulIOp>(value).is_some() => {
                let op = ir.defining_op(value)?;
                pending.extend(ir.operands(op).map(|factor| extent(ir, factor)));
            }
            other => factors.push(other),
        }
        if factors.len() + pending.len() > MOST_FACTORS {
            return None;
        }
    }
    Some((scale, factors))
}

/// Whether two lists of extents have the same product because they have the same factors.
pub(crate) fn same_product(ir: &Ir, a: &[Extent], b: &[Extent]) -> bool {
    let (Some((x, ours)), Some((y, mut theirs))) = (factors(ir, a), factors(ir, b)) else {
        return false;
    };
    let all = ours.iter().all(|&factor| {
        let at = theirs.iter().position(|&other| same(ir, factor, other));
        at.map(|at| theirs.swap_remove(at)).is_some()
    });
    all && theirs.is_empty() && x == y
}

/// Whether a check has let a number pass because it is above 0.
pub(crate) fn positive(ir: &Ir, value: Value) -> bool {
    let requires = ir
        .def_as::<RequireOp>(value)
        .and_then(|check| requires(ir, check));
    requires.is_some_and(|(predicate, x, y, value)| {
        predicate == CmpIPredicate::Sgt && x == value && constant(ir, y) == Some(0)
    })
}

/// Whether a divisor is known not to be 0.
fn not_zero(ir: &Ir, value: Value) -> bool {
    if let Some(constant) = constant(ir, value) {
        return constant != 0;
    }
    if let Some(from) = same_number(ir, value) {
        return not_zero(ir, from);
    }
    if let Some(check) = ir.def_as::<RequireOp>(value)
        && let Some((CmpIPredicate::Ne, x, y, value)) = requires(ir, check)
    {
        return x == value && constant(ir, y) == Some(0);
    }
    if let Some(op) = ir.defining_op(value)
        && (ir.isa::<arith::MaxSIOp>(op) || ir.isa::<arith::MaxUIOp>(op))
    {
        return ir
            .operands(op)
            .any(|operand| constant(ir, operand).is_some_and(|least| least > 0));
    }
    false
}

/// Whether a divisor is known not to be 0 where `op` runs: it divides the number of elements of a map around it.
pub(crate) fn not_zero_at(ir: &Ir, op: Op, value: Value) -> bool {
    if not_zero(ir, value) {
        return true;
    }
    let wanted = extent(ir, value);
    ir.ancestors(op).any(|inner| {
        let Some(block) = ir.block_of(inner) else {
            return false;
        };
        let inputs = ir
            .block_parent(block)
            .and_then(|around| inputs_of_body(ir, around, block));
        inputs.unwrap_or_default().iter().any(|&input| {
            factors(ir, &[extent_of(ir, input, 0)])
                .is_some_and(|(_, factors)| factors.iter().any(|&factor| same(ir, factor, wanted)))
        })
    })
}

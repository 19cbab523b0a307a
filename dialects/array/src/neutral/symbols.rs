//! Operators evaluated on symbols: constants and the components of an unknown element.
//!
//! Arrays are seen through one element: a map over arrays is its body, which makes of the elements at an index the
//! element at that index. Where the operator compares, the unknown element is taken apart into cases: each component
//! either is the constant it is combined with, or differs from it.

use super::same_number;
use crate::shape::ReplicateOp;
use crate::soac::MapOp;
use segra_interp::{Elem, IntWidth};
use segra_ir::interfaces::{FoldResult, constant_of};
use segra_ir::{Attr, AttrKind, Block, Context, Ir, Op, Value};
use segra_std::arith::{CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, SelectOp};
use segra_std::constants::attr_to_datum;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Constant(Attr),
    /// A component of the unknown element.
    Component(usize),
    /// Nothing is known of it.
    Any,
}

impl Symbol {
    fn constant(self) -> Option<Attr> {
        match self {
            Symbol::Constant(attr) => Some(attr),
            Symbol::Component(_) | Symbol::Any => None,
        }
    }
}

/// Most components of an operator that is taken apart into cases.
const MOST_SPLIT: usize = 4;

/// Whether the constants leave an unknown element as it is on either side.
pub(super) fn is_neutral(ir: &Ir, combine: Block, elements: &[Attr]) -> bool {
    let count = elements.len();
    if ir.block_args(combine).len() != 2 * count {
        return false;
    }
    let neutral: Vec<Symbol> = elements
        .iter()
        .map(|&attr| Symbol::Constant(attr))
        .collect();
    let splits = if compares(ir, combine) { count } else { 0 };
    if splits > MOST_SPLIT {
        return false;
    }
    (0..1usize << splits).all(|case| {
        // In a case, component i either equals its constant, or is known to differ from it if there are cases at all.
        let equal = |index: usize| case >> index & 1 == 1;
        let element: Vec<Symbol> = (0..count)
            .map(|index| {
                if equal(index) {
                    neutral[index]
                } else {
                    Symbol::Component(index)
                }
            })
            .collect();
        let differs = (splits > 0).then_some(elements);
        let sides = [
            [neutral.clone(), element.clone()],
            [element.clone(), neutral.clone()],
        ];
        sides.iter().all(|sides| {
            let found = Evaluation::new(ir, differs).run(combine, &sides.concat());
            found.is_some_and(|found| {
                found
                    .iter()
                    .zip(&element)
                    .all(|(&found, &wanted)| is_same(ir.ctx(), found, wanted))
            })
        })
    })
}

/// The value of the operator on constants.
pub(super) fn evaluated(
    ir: &Ir,
    combine: Block,
    left: &[Attr],
    right: &[Attr],
) -> Option<Vec<Attr>> {
    let args: Vec<Symbol> = left
        .iter()
        .chain(right)
        .map(|&attr| Symbol::Constant(attr))
        .collect();
    let found = Evaluation::new(ir, None).run(combine, &args)?;
    found.into_iter().map(Symbol::constant).collect()
}

fn is_same(ctx: &Context, a: Symbol, b: Symbol) -> bool {
    match (a, b) {
        (Symbol::Constant(a), Symbol::Constant(b)) => same_number(ctx, a, b),
        (Symbol::Any, _) | (_, Symbol::Any) => false,
        _ => a == b,
    }
}

fn compares(ir: &Ir, block: Block) -> bool {
    let mut found = false;
    for op in ir.ops(block) {
        ir.walk_with(op, &mut |op| {
            found |= ir.isa::<CmpIOp>(op) || ir.isa::<CmpFOp>(op)
        });
    }
    found
}

/// A walk through an operator.
struct Evaluation<'a> {
    ir: &'a Ir,
    /// Constants that the components differ from.
    differs: Option<&'a [Attr]>,
    values: HashMap<Value, Symbol>,
}

impl<'a> Evaluation<'a> {
    fn new(ir: &'a Ir, differs: Option<&'a [Attr]>) -> Evaluation<'a> {
        Evaluation {
            ir,
            differs,
            values: HashMap::new(),
        }
    }

    /// The values a block yields for these arguments.
    fn run(&mut self, block: Block, args: &[Symbol]) -> Option<Vec<Symbol>> {
        self.values.extend(
            self.ir
                .block_args(block)
                .iter()
                .copied()
                .zip(args.iter().copied()),
        );
        let last = self.ir.last_op(block)?;
        for op in self.ir.ops(block).take_while(|&op| op != last) {
            let found = self.op(op);
            let results = self.ir.results(op);
            self.values
                .extend(results.zip(found.into_iter().chain(std::iter::repeat(Symbol::Any))));
        }
        Some(
            self.ir
                .operands(last)
                .map(|value| self.value(value))
                .collect(),
        )
    }

    fn value(&self, value: Value) -> Symbol {
        if let Some(&known) = self.values.get(&value) {
            return known;
        }
        constant_of(self.ir, value).map_or(Symbol::Any, Symbol::Constant)
    }

    fn op(&mut self, op: Op) -> Vec<Symbol> {
        let ir = self.ir;
        if let Some(attr) = ir
            .results(op)
            .next()
            .and_then(|result| constant_of(ir, result))
        {
            return vec![Symbol::Constant(attr)];
        }
        let operands: Vec<Symbol> = ir.operands(op).map(|value| self.value(value)).collect();
        if let Some(map) = ir.cast::<MapOp>(op) {
            return self.run(map.body_block(ir), &operands).unwrap_or_default();
        }
        if let Some(replicate) = ir.cast::<ReplicateOp>(op) {
            // Rows replicated would be elements of arrays of another rank.
            let symbol = self.value(replicate.value(ir));
            return vec![symbol.constant().map_or(Symbol::Any, Symbol::Constant)];
        }
        if !ir.regions(op).is_empty() {
            return Vec::new();
        }
        if let Some(found) = self
            .comparison(op, &operands)
            .or_else(|| self.selection(op, &operands))
        {
            return vec![found];
        }
        self.folded(op, &operands)
            .map_or(Vec::new(), |symbol| vec![symbol])
    }

    /// The result of folding, also with the operands exchanged, where that is allowed.
    fn folded(&self, op: Op, operands: &[Symbol]) -> Option<Symbol> {
        let ir = self.ir;
        let info = ir.info(op)?;
        let fold = info.fold?;
        if ir.num_results(op) != 1 {
            return None;
        }
        let values: Vec<Value> = ir.operands(op).collect();
        let attempt = |order: &[usize]| {
            let constants: Vec<Option<Attr>> =
                order.iter().map(|&at| operands[at].constant()).collect();
            match *fold.fold(ir, op, &constants)?.first()? {
                FoldResult::Attr(attr) => Some(Symbol::Constant(attr)),
                FoldResult::Value(value) => {
                    match values.iter().position(|&operand| operand == value) {
                        Some(at) => Some(operands[order[at]]),
                        None => Some(self.value(value)),
                    }
                }
            }
        };
        let forth: Vec<usize> = (0..operands.len()).collect();
        let exchanged = values.len() == 2
            && values[0] != values[1]
            && info.has(segra_ir::def::Trait::Commutative);
        let found = attempt(&forth).or_else(|| if exchanged { attempt(&[1, 0]) } else { None });
        found.or_else(|| self.sum_with_zero(op, operands))
    }

    /// `x + 0.0`, which is `x` but for the sign of a zero.
    fn sum_with_zero(&self, op: Op, operands: &[Symbol]) -> Option<Symbol> {
        let zero = |symbol: Symbol| {
            let value = symbol
                .constant()
                .and_then(|attr| attr_to_datum(self.ir.ctx(), attr));
            value.is_some_and(|value| value.as_int().is_none() && value.as_f64() == Some(0.0))
        };
        let &[left, right] = operands else {
            return None;
        };
        if self.ir.op_name_str(op) != "arith.addf" {
            return None;
        }
        if zero(right) {
            return Some(left);
        }
        zero(left).then_some(right)
    }

    fn selection(&self, op: Op, operands: &[Symbol]) -> Option<Symbol> {
        let ctx = self.ir.ctx();
        self.ir.cast::<SelectOp>(op)?;
        let &[condition, yes, no] = operands else {
            return None;
        };
        match condition.constant().and_then(|attr| attr.as_integer(ctx)) {
            Some(0) => Some(no),
            Some(_) => Some(yes),
            None => is_same(ctx, yes, no).then_some(yes),
        }
    }

    /// A comparison that holds, or does not, for every component that differs from its constant.
    fn comparison(&self, op: Op, operands: &[Symbol]) -> Option<Symbol> {
        let (ir, ctx) = (self.ir, self.ir.ctx());
        let decide: Box<dyn Fn(Ordering) -> bool> = if let Some(cmp) = ir.cast::<CmpIOp>(op) {
            let predicate = CmpIPredicate::from_value(cmp.predicate_attr(ir)?.as_i64(ctx)?)?;
            Box::new(move |ordering| predicate.holds(IntWidth::INDEX, 1 + ordering as i64, 1))
        } else {
            let cmp = ir.cast::<CmpFOp>(op)?;
            let predicate = CmpFPredicate::from_value(cmp.predicate_attr(ir)?.as_i64(ctx)?)?;
            Box::new(move |ordering| predicate.holds(ordering as i64, 0))
        };
        let unsigned = ir.cast::<CmpIOp>(op).is_some_and(|cmp| {
            let predicate = cmp
                .predicate_attr(ir)
                .and_then(|attr| CmpIPredicate::from_value(attr.as_i64(ctx)?));
            predicate.is_some_and(CmpIPredicate::is_unsigned)
        });
        let orders = match operands {
            [Symbol::Component(a), Symbol::Component(b)] if a == b => vec![Ordering::Equal],
            &[Symbol::Component(index), Symbol::Constant(bound)] => {
                self.orders(index, bound, unsigned)?
            }
            &[Symbol::Constant(bound), Symbol::Component(index)] => self
                .orders(index, bound, unsigned)?
                .into_iter()
                .map(Ordering::reverse)
                .collect(),
            _ => return None,
        };
        let mut outcomes = orders.into_iter().map(decide);
        let first = outcomes.next()?;
        outcomes
            .all(|outcome| outcome == first)
            .then(|| Symbol::Constant(ctx.bool_attr(first)))
    }

    /// How a component may compare with a constant.
    fn orders(&self, index: usize, bound: Attr, unsigned: bool) -> Option<Vec<Ordering>> {
        let ctx = self.ir.ctx();
        let datum = attr_to_datum(ctx, bound)?;
        let (least, greatest) = match datum.as_int() {
            Some(value) => {
                let AttrKind::Integer { ty, .. } = *bound.kind(ctx) else {
                    return None;
                };
                let width = Elem::of_element(ctx, ty)?.int_width()?;
                if unsigned {
                    (
                        width.unsigned(value) == 0,
                        width.unsigned(value) == width.unsigned(-1),
                    )
                } else {
                    (
                        width.signed(value) == width.min_signed(),
                        width.signed(value) == !width.min_signed(),
                    )
                }
            }
            None => {
                let value = datum.as_f64()?;
                (value == f64::NEG_INFINITY, value == f64::INFINITY)
            }
        };
        let differs = self.differs.and_then(|elements| elements.get(index));
        let mut orders = vec![Ordering::Less, Ordering::Equal, Ordering::Greater];
        orders.retain(|&order| match order {
            Ordering::Less => !least,
            Ordering::Greater => !greatest,
            Ordering::Equal => !differs.is_some_and(|&element| same_number(ctx, element, bound)),
        });
        Some(orders)
    }
}

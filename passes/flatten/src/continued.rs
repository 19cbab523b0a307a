//! Reductions in the map of a reduction by the same operator, in the code of one thread.
//!
//! ```mlir
//! array.redomap (%row in %m) init (%zero) map {           scf.for %i = 0 to %n iter_args(%acc = %zero) {
//!   %s = array.reduce (%row) init (%zero) combine add       scf.for %j = 0 to %k iter_args(%sum = %acc) {
//!   array.yield %s                                   ==>      yield %sum + %m[%i, %j]
//! } combine add                                             } }
//! ```
//! A sum over several dimensions is then loops that do nothing but surround each other, which `tile-blocks` takes as one,
//! and a thread has one accumulator of it.
//!
//! Legality: the operators are one, op by op, and associative, as all are; the inner reduction is all that the outer one's
//! map yields, and all that it is used for; both start with the same constants, which are neutral or as good as that
//! ([`segra_array::combinator::Parts::is_neutral`]). Only scalars are combined.

use crate::function::{Flattener, Outcome};
use rustc_hash::FxHashMap;
use segra_array::combinator::{Flavour, Soac};
use segra_array::neutral::element_of;
use segra_ir::{Block, Ir, Op, Value};

impl Flattener<'_> {
    /// The reduction in a combination's map that can go on with the combination's accumulators.
    fn continued(&self, combination: &Soac, body: Block) -> Option<Soac> {
        let ir = &*self.ir;
        let yielded: Vec<Value> = ir.operands(ir.last_op(body)?).collect();
        let inner = Soac::of(ir, ir.defining_op(*yielded.first()?)?)?;
        let reduces = inner.flavour == Flavour::Reduce
            && ir.block_of(inner.op) == Some(body)
            && ir.results(inner.op).eq(yielded.iter().copied())
            && yielded.iter().all(|&value| ir.has_one_use(value));
        let starts = || {
            let mut starts = inner.start.iter().zip(&combination.start);
            let same = starts.all(|(&a, &b)| {
                let scalar = ir.value_type(a).is_scalar(ir.ctx());
                let start = element_of(ir, a);
                scalar && start.is_some() && start == element_of(ir, b)
            });
            same && inner.is_neutral(ir)
        };
        let fits = reduces
            && inner.start.len() == combination.start.len()
            && yielded.len() == inner.start.len()
            && same_code(ir, inner.combine?, combination.combine?)
            && starts();
        fits.then_some(inner)
    }

    /// The accumulators of a combination after the elements that its map gives for `rows`, where it gives them by a
    /// reduction with the same operator.
    pub(crate) fn fold_continued(
        &mut self,
        combination: &Soac,
        rows: &[crate::view::View],
        accumulators: &[Value],
    ) -> Outcome<Option<Vec<Value>>> {
        let Some(body) = combination.body else {
            return Ok(None);
        };
        let Some(inner) = self.continued(combination, body) else {
            return Ok(None);
        };
        for (arg, row) in self.ir.block_args(body).to_vec().into_iter().zip(rows) {
            self.bind_view(arg, row.clone());
        }
        let ops: Vec<Op> = self.ir.ops(body).collect();
        let mut next = Vec::new();
        for &op in &ops[..ops.len() - 1] {
            if op == inner.op {
                next = self.fold_from(&inner, accumulators.to_vec())?;
            } else {
                self.emit_op(op)?;
            }
        }
        Ok(Some(next))
    }
}

/// Whether two blocks of straight code compute the same of their arguments.
fn same_code(ir: &Ir, a: Block, b: Block) -> bool {
    let mut renamed: FxHashMap<Value, Value> = FxHashMap::default();
    let (args_a, args_b) = (ir.block_args(a), ir.block_args(b));
    renamed.extend(args_b.iter().copied().zip(args_a.iter().copied()));
    let (ops_a, ops_b): (Vec<Op>, Vec<Op>) = (ir.ops(a).collect(), ir.ops(b).collect());
    args_a.len() == args_b.len()
        && ops_a.len() == ops_b.len()
        && ops_a.into_iter().zip(ops_b).all(|(a, b)| {
            let rename = |value: Value| renamed.get(&value).copied().unwrap_or(value);
            let types = |op: Op| ir.results(op).map(|value| ir.value_type(value));
            let same = ir.op_name(a) == ir.op_name(b)
                && ir.properties(a) == ir.properties(b)
                && ir.regions(a).is_empty()
                && ir.regions(b).is_empty()
                && types(a).eq(types(b))
                && ir.operands(a).eq(ir.operands(b).map(rename));
            renamed.extend(ir.results(b).zip(ir.results(a)));
            same
        })
}

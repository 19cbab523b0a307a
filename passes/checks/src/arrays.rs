//! Checks of how the arrays that one op takes go together.
//!
//! Inside combinators a run goes on behind a check that failed: the array there is cut to no elements then, so that
//! nothing is read beside it. On the host nothing comes behind it.

use crate::conditions::Checker;
use crate::emit::{compare, extent, index, product, require};
use crate::prove;
use segra_array::combinator::{Soac, is_combinator};
use segra_array::layout::{ConcatOp, GatherOp, SliceOp, UpdateOp};
use segra_array::shape::{IndexOp, ReplicateOp};
use segra_array::soac::map;
use segra_array::stops;
use segra_array::types::{ArrayType, sizes_and_element};
use segra_ir::type_arguments::SizeClaim;
use segra_ir::{Builder, Ir, Op, OpView, Trait, Value};
use segra_std::arith::CmpIPredicate;
use segra_std::func::CallOp;

fn rank(ir: &Ir, value: Value) -> usize {
    sizes_and_element(ir.ctx(), ir.value_type(value)).0.len()
}

/// The part of an array with the first `size` elements in a dimension, all of them in the others.
fn cut(b: &mut Builder<'_>, array: Value, dim: usize, size: Value) -> Value {
    let rank = rank(b.ir, array);
    let (zero, one) = (index(b, 0), index(b, 1));
    let sizes: Vec<Value> = (0..rank)
        .map(|at| {
            if at == dim {
                size
            } else {
                extent(b, array, at)
            }
        })
        .collect();
    let ty = b.type_of(array);
    SliceOp::builder()
        .array(array)
        .offsets(&vec![zero; rank])
        .sizes(&sizes)
        .strides(&vec![one; rank])
        .result_type(ty)
        .build(b)
        .result(b.ir)
}

impl Checker<'_> {
    fn in_combinator(&self, op: Op) -> bool {
        let mut around = self.ir.ancestors(op).skip(1);
        around.any(|around| is_combinator(self.ir, around))
    }

    /// Checks that a dimension of an operand of `op` has the extent that one of another operand has, or a number.
    pub(crate) fn same_extent(
        &mut self,
        op: Op,
        (first, dim): (usize, usize),
        wanted: Result<(usize, usize), i64>,
        message: &str,
    ) {
        let array = self.ir.operand(op, first);
        let is = prove::extent_of(self.ir, array, dim);
        let known = match wanted {
            Ok((other, dim)) => prove::extent_of(self.ir, self.ir.operand(op, other), dim),
            Err(number) => prove::Extent::Constant(number),
        };
        if prove::same(self.ir, is, known) {
            return;
        }
        let cuts = self.in_combinator(op);
        let mut b = self.builder(op);
        let is = extent(&mut b, array, dim);
        let wanted = match wanted {
            Ok((other, dim)) => {
                let other = b.ir.operand(op, other);
                extent(&mut b, other, dim)
            }
            Err(number) => index(&mut b, number),
        };
        let same = compare(&mut b, CmpIPredicate::Eq, is, wanted);
        let zero = index(&mut b, 0);
        let message = format!("'{}' op {message}", b.ir.op_name_str(op));
        let size = require(&mut b, same, (is, zero), &message, &[is, wanted]);
        if cuts {
            let part = cut(&mut b, array, dim, size);
            self.ir.set_operand(op, first, part);
        }
        self.made += 1;
    }

    /// The inputs of a combinator have one outer size.
    pub(crate) fn inputs(&mut self, op: Op) {
        // Operands of others, such as bounds of with-loops, are no inputs.
        let inputs = Soac::of(self.ir, op).map_or(0, |soac| soac.arrays.len());
        for at in 1..inputs {
            self.same_extent(op, (0, 0), Ok((at, 0)), &stops::other_outer_size(at));
        }
    }

    /// Arrays given to a function have the extents that its signature says.
    pub(crate) fn call(&mut self, call: CallOp) {
        let op = call.op();
        for SizeClaim { of, is, message } in call.size_claims(self.ir) {
            self.same_extent(op, of, is, &message);
        }
    }

    /// The rows of arrays that are joined are of one shape.
    pub(crate) fn concat(&mut self, concat: ConcatOp) {
        let op = concat.op();
        for at in 1..self.ir.num_operands(op) {
            for dim in 1..rank(self.ir, self.ir.operand(op, 0)) {
                self.same_extent(op, (0, dim), Ok((at, dim)), &stops::other_rows(at, dim));
            }
        }
    }

    /// An array that takes the place of rows has their extents; where it has not, it takes no place.
    pub(crate) fn value_of_update(&mut self, update: UpdateOp) {
        let op = update.op();
        let (value, array) = (update.value(self.ir), update.array(self.ir));
        let indices = update.indices(self.ir).len();
        let rank = self
            .ir
            .value_type(value)
            .dialect::<ArrayType>(self.ir.ctx())
            .map_or(0, |ty| ty.sizes.len());
        for dim in 0..rank {
            let of_array = indices + dim;
            let is = prove::extent_of(self.ir, value, dim);
            let wanted = prove::extent_of(self.ir, array, of_array);
            if prove::same(self.ir, is, wanted) {
                continue;
            }
            let mut b = self.builder(op);
            let (is, wanted) = (extent(&mut b, value, dim), extent(&mut b, array, of_array));
            let same = compare(&mut b, CmpIPredicate::Eq, is, wanted);
            let message = stops::other_value(dim, of_array);
            self.guard(op, 2, same, -1, &message, &[is, wanted]);
        }
    }

    /// The elements of an array that repeats a value can be counted.
    pub(crate) fn count(&mut self, replicate: ReplicateOp) {
        let op = replicate.op();
        let value = replicate.value(self.ir);
        let inner = self
            .ir
            .value_type(value)
            .dialect::<ArrayType>(self.ir.ctx())
            .map_or(0, |ty| ty.sizes.len());
        let mut factors = replicate.sizes(self.ir);
        let constant = |&size: &Value| prove::constant(self.ir, size);
        let known: Option<Vec<i64>> = factors.iter().map(constant).collect();
        let fits = |known: Vec<i64>| {
            known
                .iter()
                .try_fold(1i64, |all, &one| all.checked_mul(one))
        };
        if inner == 0 && (factors.len() < 2 || known.and_then(fits).is_some()) {
            return;
        }
        let mut b = self.builder(op);
        if inner > 0 {
            let extents: Vec<Value> = (0..inner).map(|dim| extent(&mut b, value, dim)).collect();
            factors.push(product(&mut b, &extents).0);
        }
        if let (_, Some(counted)) = product(&mut b, &factors) {
            self.guard(op, 1, counted, 0, stops::too_many_elements(), &[]);
        }
    }

    /// Whether all that uses an array takes all of its elements: combinators, terminators.
    fn is_taken_whole(&self, array: Value) -> bool {
        let takes = |user: Op| {
            let inputs = self.ir.operand_group(user, 0);
            self.ir.has_trait(user, Trait::Terminator)
                || is_combinator(self.ir, user)
                    && inputs
                        .into_iter()
                        .any(|at| self.ir.operand(user, at) == array)
        };
        let mut users = self.ir.users(array).peekable();
        users.peek().is_some() && users.all(takes)
    }

    /// All indices that a gather takes are within the array, whether its elements are read or not.
    ///
    /// Elements that are all taken are read by a map, which may become part of what takes them; else the indices are checked
    /// by a map of their own.
    pub(crate) fn gather(&mut self, gather: GatherOp) {
        let op = gather.op();
        let (array, indices) = (gather.array(self.ir), gather.indices(self.ir));
        let most = prove::extent_of(self.ir, array, 0);
        if prove::elements_within(self.ir, indices, most) {
            return;
        }
        let taken = rank(self.ir, array) == 1 && self.is_taken_whole(gather.result(self.ir));
        let message = stops::index_out_of_range(self.ir, array, 0);
        let message = format!("'{}' op {message}", self.ir.op_name_str(op));
        let mut b = self.builder(op);
        let map = map(&mut b, &[indices], |b, elements| {
            let (zero, most) = (index(b, 0), extent(b, array, 0));
            let inside = compare(b, CmpIPredicate::Ult, elements[0], most);
            let value = (elements[0], zero);
            let at = require(b, inside, value, &message, &[elements[0], most]);
            match taken {
                true => vec![IndexOp::build(b, array, &[at]).result(b.ir)],
                false => vec![at],
            }
        });
        let made = map.results(b.ir)[0];
        if taken {
            self.ir.replace_op(op, &[made]);
        } else {
            self.ir.set_operand(op, 1, made);
        }
        self.made += 1;
    }
}

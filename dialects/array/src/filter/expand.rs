//! A filter as a scan that counts what is kept and a scatter that puts it there:
//!
//! ```mlir
//! %ys = array.filter (%x in %xs : [n]f32) -> [k] {...}                                                         =>
//! %counts = array.scanomap (%x in %xs : [n]f32) init (%zero : i32) map {... yield %keep ? 1 : 0} combine arith.addi
//! %total = how many are kept, by the last count
//! %space = array.replicate %any, [%total] : f32 -> [k]f32
//! %ys = array.scatter (%i in iota n, %x in %xs) into (%space) { yield kept(%i) ? kept before(%i) : -1, %x }
//! ```
//! An element is kept where its count differs from the one before, which says where it goes, too: the counts are the only
//! array between the two, and no flags are. The contents of the space do not matter, as all of it is stored to.
//!
//! Counts have 32 bits, half of what an index has, and wrap around where 2³² or more elements are kept. A count at a
//! position is made of differences of counts 2³¹ elements apart, which are exact ([`Counts::before`]): up to 2³¹
//! elements there is no such difference.
//!
//! The name of the size (`k`) is bound by the host code that makes arrays of it. Inside a combinator the number differs
//! between points: there the scatter is into as many elements as the inputs have, and a slice takes the first of them.

use super::FilterOp;
use crate::build::scanomap;
use crate::combinator::is_combinator;
use crate::layout::SliceOp;
use crate::shape::{DimOp, IN_RANGE, IndexOp, IotaOp, ReplicateOp};
use crate::types::{ArrayType, Size, array_of, sizes_and_element};
use crate::update::{STORES_ALL, scatter};
use segra_ir::clone::Mapping;
use segra_ir::{AttrKind, Builder, Ir, OpView, Type, Value};
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::scf::{self, Bounds};

/// Bits of a count.
const BITS: u32 = 32;

/// How many elements up to each, that one included, are kept.
struct Counts {
    array: Value,
    /// Type of a count.
    ty: Type,
    /// Counts 2 to this power elements apart differ by less than what a count can hold.
    far: i64,
}

pub(super) fn expand(ir: &mut Ir, filter: FilterOp) {
    expand_by(ir, filter, BITS);
}

/// The same by counts of so many bits.
fn expand_by(ir: &mut Ir, filter: FilterOp, bits: u32) {
    let (op, arrays) = (filter.op(), filter.arrays(ir));
    let results = filter.results(ir);
    let types: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
    let mut b = Builder::before(ir, op);
    let counts = Counts::of(&mut b, filter, bits);
    let size = extent(&mut b, arrays[0], 0);
    let total = counts.total(&mut b, size);
    let inside =
        b.ir.ancestors(op)
            .skip(1)
            .any(|around| is_combinator(b.ir, around));
    // In a nest all that is known of what a point keeps, before it runs, is that it is no more than there is.
    let (space, total) = match inside {
        true => (size, index::min(&mut b, total, size)),
        false => (total, total),
    };
    let spaces: Vec<Value> = arrays
        .iter()
        .zip(&types)
        .map(|(&array, &ty)| {
            let ty = if inside { b.ir.value_type(array) } else { ty };
            space_like(&mut b, array, space, ty)
        })
        .collect();
    let numbers = array_of(
        &b.ir.context(),
        outer_size(b.ir, arrays[0]),
        b.ctx().index(),
    );
    let mut inputs = vec![IotaOp::build(&mut b, size, numbers).result(b.ir)];
    inputs.extend(&arrays);
    let scattered = scatter(&mut b, &inputs, &spaces, |b, elements| {
        let mut values = vec![counts.place(b, elements[0])];
        values.extend(&elements[1..]);
        values
    });
    let unit = b.ctx().unit();
    b.ir.set_attr_named(scattered.op(), STORES_ALL, Some(unit));
    let mut new: Vec<Value> = b.ir.results(scattered.op()).collect();
    if inside {
        for (value, &ty) in new.iter_mut().zip(&types) {
            *value = first(&mut b, *value, total, ty);
        }
    }
    ir.replace_op(op, &new);
}

impl Counts {
    fn of(b: &mut Builder<'_>, filter: FilterOp, bits: u32) -> Counts {
        let (arrays, body) = (filter.arrays(b.ir), filter.body_block(b.ir));
        let ty = b.ctx().integer(bits);
        let zero = arith::ConstantOp::int(b, 0, ty);
        let counted = scanomap(
            b,
            &arrays,
            &[zero],
            |b, elements| {
                let kept = b.clone_block_body(body, elements, &mut Mapping::new())[0];
                vec![arith::ExtUIOp::build(b, kept, ty).out(b.ir)]
            },
            |b, sums, counts| vec![arith::AddIOp::build(b, sums[0], counts[0]).result(b.ir)],
        );
        Counts {
            array: b.ir.result(counted.op(), 0),
            ty,
            far: i64::from(bits) - 1,
        }
    }

    /// How many elements are kept, of all `size`.
    fn total(&self, b: &mut Builder<'_>, size: Value) -> Value {
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        let any = index::cmp(b, CmpIPredicate::Sgt, size, zero);
        let index = b.ctx().index();
        let branch = scf::IfOp::with_bodies(
            b,
            any,
            &[index],
            |b| {
                let last = index::sub(b, size, one);
                let count = self.at(b, last);
                vec![self.before(b, size, count)]
            },
            |_| vec![zero],
        );
        b.ir.result(branch.op(), 0)
    }

    /// Where the element at a position goes; -1 if it is not kept.
    fn place(&self, b: &mut Builder<'_>, position: Value) -> Value {
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        let none = arith::ConstantOp::int(b, 0, self.ty);
        let outside = index::constant(b, -1);
        let up_to = self.at(b, position);
        let is_first = index::cmp(b, CmpIPredicate::Eq, position, zero);
        let previous = index::sub(b, position, one);
        let previous = index::max(b, previous, zero);
        let count = self.at(b, previous);
        let count = arith::SelectOp::build(b, is_first, none, count).result(b.ir);
        let before = self.before(b, position, count);
        let kept = index::cmp(b, CmpIPredicate::Ne, up_to, count);
        arith::SelectOp::build(b, kept, before, outside).result(b.ir)
    }

    /// How many elements before a position are kept, as an index; `count`: the same as the counts have it.
    ///
    /// ```text
    /// kept before p  =  sum over j < p >> 31 of  (count before (j + 1) << 31) - (count before j << 31)
    ///                   + (count before p) - (count before (p >> 31) << 31)          each difference modulo 2³²
    /// ```
    fn before(&self, b: &mut Builder<'_>, position: Value, count: Value) -> Value {
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        let far = index::constant(b, self.far);
        let none = arith::ConstantOp::int(b, 0, self.ty);
        let upper = arith::ShRUIOp::build(b, position, far).result(b.ir);
        let bounds = Bounds {
            lower: zero,
            upper,
            step: one,
        };
        let far_away = scf::ForOp::with_body(b, bounds, &[zero, none], |b, number, carried| {
            let next = index::add(b, number, one);
            let end = arith::ShLIOp::build(b, next, far).result(b.ir);
            let last = index::sub(b, end, one);
            let count = self.at(b, last);
            vec![self.further(b, (carried[0], carried[1]), count), count]
        });
        let far_away = (b.ir.result(far_away.op(), 0), b.ir.result(far_away.op(), 1));
        self.further(b, far_away, count)
    }

    /// The index that a count stands for: not far from another.
    fn further(&self, b: &mut Builder<'_>, (of, from): (Value, Value), count: Value) -> Value {
        let index = b.ctx().index();
        let more = arith::SubIOp::build(b, count, from).result(b.ir);
        let more = arith::IndexCastUIOp::build(b, more, index).out(b.ir);
        index::add(b, of, more)
    }

    fn at(&self, b: &mut Builder<'_>, position: Value) -> Value {
        let element = IndexOp::build(b, self.array, &[position]);
        let unit = b.ctx().unit();
        b.ir.set_attr_named(element.op(), IN_RANGE, Some(unit));
        element.result(b.ir)
    }
}

fn extent(b: &mut Builder<'_>, array: Value, dim: usize) -> Value {
    let (dim, index) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
    DimOp::build(b, array, dim, index).result(b.ir)
}

/// The outer size in an array's type.
fn outer_size(ir: &Ir, array: Value) -> Size {
    let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
    sizes.first().copied().unwrap_or(Size::Unknown)
}

/// The first `count` rows of an array.
fn first(b: &mut Builder<'_>, array: Value, count: Value, ty: Type) -> Value {
    let ctx = b.ir.context();
    let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
    let (rows, _) = sizes_and_element(&ctx, b.type_of(array));
    let mut sizes = vec![count];
    for dim in 1..rows.len() {
        sizes.push(extent(b, array, dim));
    }
    let slice = SliceOp::builder()
        .array(array)
        .offsets(&vec![zero; rows.len()])
        .sizes(&sizes)
        .strides(&vec![one; rows.len()])
        .result_type(ty)
        .build(b);
    slice.result(b.ir)
}

/// An array of type `ty` with `count` rows like those of `array`, for any contents.
fn space_like(b: &mut Builder<'_>, array: Value, count: Value, ty: Type) -> Value {
    let ctx = b.ir.context();
    let (_, element) = sizes_and_element(&ctx, ty);
    let rank =
        b.ir.value_type(array)
            .dialect::<ArrayType>(&ctx)
            .map_or(1, |ty| ty.sizes.len());
    let mut sizes = vec![count];
    for dim in 1..rank {
        sizes.push(extent(b, array, dim));
    }
    let zero = match element.is_float(&ctx) {
        true => ctx.attr(AttrKind::Float {
            bits: 0,
            ty: element,
        }),
        false => ctx.int_attr(0, element),
    };
    let zero = arith::ConstantOp::build(b, zero).result(b.ir);
    ReplicateOp::build(b, zero, &sizes, ty).result(b.ir)
}

#[cfg(test)]
mod tests {
    use super::{FilterOp, Ir, expand_by};
    use segra_interp::{ArrayValue, Datum, Interpreter};
    use segra_ir::Context;
    use segra_text::{ParseOptions, parse_module};
    use std::sync::Arc;

    const PROGRAM: &str =
        "func.func @main(%xs: !array.array<[n]i32>, %most: i32) -> !array.array<[k]i32> {
        %ys = array.filter (%x in %xs : [n]i32) -> [k] {
            %keep = arith.cmpi slt, %x, %most : i32
            array.yield %keep : i1
        }
        func.return %ys : !array.array<[k]i32>
    }";

    fn program() -> Ir {
        let ctx = Context::new();
        ctx.register(crate::dialect());
        segra_std::register(&ctx);
        let read = parse_module(&Arc::new(ctx), "test", PROGRAM, &ParseOptions::default());
        read.expect("the program is right")
    }

    #[test]
    fn counts_that_wrap_around_are_differences_of_near_ones() {
        let mut ir = program();
        let filters: Vec<FilterOp> = ir
            .walk(ir.root())
            .into_iter()
            .filter_map(|op| ir.cast(op))
            .collect();
        // As 2³² elements are for 32 bits, 256 are for 8.
        expand_by(&mut ir, filters[0], 8);
        for size in [
            0, 1, 2, 127, 128, 129, 255, 256, 257, 384, 511, 512, 513, 1000,
        ] {
            for most in [0, 1, 3, 7, 8] {
                let values: Vec<i32> = (0..size).map(|at| at * 5 % 8).collect();
                let kept: Vec<i32> = values.iter().copied().filter(|&x| x < most).collect();
                let args = [
                    Datum::array(ArrayValue::i32s(&values)),
                    Datum::Int(most.into()),
                ];
                let made = Interpreter::new(&ir).call("main", &args);
                let made = made.expect("runs");
                let wanted = Datum::array(ArrayValue::i32s(&kept));
                assert_eq!(made, [wanted], "{size} elements below {most}");
            }
        }
    }
}

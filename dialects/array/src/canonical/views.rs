//! Views of views.

use super::{add, claims_nothing, constant, forget, multiply, same_shape};
use crate::layout::{ConcatOp, GatherOp, PadOp, ReshapeOp, ReverseOp, SliceOp};
use crate::shape::{CastOp, IotaOp, RearrangeOp, ReplicateOp};
use crate::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::interfaces::{Canonicalize, Fold, FoldResult, Rewriter};
use segra_ir::{Attr, Ir, Op, OpView, Value};
use smallvec::{SmallVec, smallvec};

type Folded = Option<SmallVec<[FoldResult; 1]>>;

fn is_value(value: Value) -> Folded {
    Some(smallvec![FoldResult::Value(value)])
}

impl Fold for ReshapeOp {
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Folded {
        let view = ReshapeOp::from_op(op);
        same_shape(ir, view.array(ir), view.result(ir)).then(|| is_value(view.array(ir)))?
    }
}

impl Fold for SliceOp {
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Folded {
        let view = SliceOp::from_op(op);
        let all = |values: Vec<Value>, wanted| {
            values
                .into_iter()
                .all(|value| constant(ir, value) == Some(wanted))
        };
        let whole = all(view.offsets(ir), 0) && all(view.strides(ir), 1);
        (whole && same_shape(ir, view.array(ir), view.result(ir)))
            .then(|| is_value(view.array(ir)))?
    }
}

impl Fold for CastOp {
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Folded {
        let cast = CastOp::from_op(op);
        (ir.value_type(cast.array(ir)) == ir.value_type(cast.result(ir)))
            .then(|| is_value(cast.array(ir)))?
    }
}

impl Fold for GatherOp {
    /// All elements in their order.
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Folded {
        let gather = GatherOp::from_op(op);
        ir.def_as::<IotaOp>(gather.indices(ir))?;
        same_shape(ir, gather.array(ir), gather.result(ir)).then(|| is_value(gather.array(ir)))?
    }
}

impl Fold for ReverseOp {
    /// Twice, or of elements that are all the same.
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Folded {
        let reverse = ReverseOp::from_op(op);
        let (array, dim) = (reverse.array(ir), reverse.dim(ir));
        if let Some(inner) = ir
            .def_as::<ReverseOp>(array)
            .filter(|inner| inner.dim(ir) == dim)
        {
            return is_value(inner.array(ir));
        }
        let at = usize::try_from(dim).ok()?;
        let single =
            sizes_and_element(ir.ctx(), ir.value_type(array)).0.get(at) == Some(&Size::Constant(1));
        let alike = ir
            .def_as::<ReplicateOp>(array)
            .is_some_and(|made| at < made.sizes(ir).len());
        (single || alike).then(|| is_value(array))?
    }
}

impl Canonicalize for ReshapeOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ReshapeOp::from_op(op);
        let Some(inner) = ir.def_as::<ReshapeOp>(view.array(ir)) else {
            return false;
        };
        let (array, sizes, ty) = (
            inner.array(ir),
            view.sizes(ir),
            ir.value_type(view.result(ir)),
        );
        rewriter.replace_with(
            op,
            |b| [ReshapeOp::build(b, array, &sizes, ty).result(b.ir)],
        );
        true
    }
}

impl Canonicalize for RearrangeOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = RearrangeOp::from_op(op);
        let Some(inner) = ir.def_as::<RearrangeOp>(view.array(ir)) else {
            return false;
        };
        let (outer, inner_dims, array) =
            (view.permutation(ir), inner.permutation(ir), inner.array(ir));
        let both: Option<Vec<i64>> = outer
            .iter()
            .map(|&dim| inner_dims.get(dim as usize).copied())
            .collect();
        let Some(both) = both else { return false };
        rewriter.replace_with(op, |b| {
            let attr = b.ctx().dense_i64_attr(&both);
            [RearrangeOp::build(b, array, attr).result(b.ir)]
        });
        true
    }
}

impl Canonicalize for ReplicateOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let outer = ReplicateOp::from_op(op);
        let Some(inner) = ir.def_as::<ReplicateOp>(outer.value(ir)) else {
            return false;
        };
        let sizes: Vec<Value> = outer.sizes(ir).into_iter().chain(inner.sizes(ir)).collect();
        let (value, ty) = (inner.value(ir), ir.value_type(outer.result(ir)));
        rewriter.replace_with(op, |b| {
            [ReplicateOp::build(b, value, &sizes, ty).result(b.ir)]
        });
        true
    }
}

/// One dimension of a slice.
#[derive(Clone, Copy)]
struct Part {
    offset: Value,
    size: Value,
    stride: Value,
}

fn parts(ir: &Ir, slice: SliceOp) -> Vec<Part> {
    let rest = slice.sizes(ir).into_iter().zip(slice.strides(ir));
    let all = slice.offsets(ir).into_iter().zip(rest);
    all.map(|(offset, (size, stride))| Part {
        offset,
        size,
        stride,
    })
    .collect()
}

/// Whether a part of what `inner` chose is known to be inside of that, however large the array is.
fn stays_inside(ir: &Ir, inner: Part, outer: Part) -> bool {
    let from_start = constant(ir, outer.offset) == Some(0) && constant(ir, outer.stride) == Some(1);
    if from_start && inner.size == outer.size {
        return true;
    }
    let constants =
        [inner.size, outer.offset, outer.size, outer.stride].map(|value| constant(ir, value));
    let [Some(extent), Some(offset), Some(size), Some(stride)] = constants else {
        return false;
    };
    let last = size
        .checked_sub(1)
        .and_then(|steps| steps.checked_mul(stride))
        .and_then(|far| far.checked_add(offset));
    size > 0
        && (0..extent).contains(&offset)
        && last.is_some_and(|last| (0..extent).contains(&last))
}

impl Canonicalize for SliceOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = SliceOp::from_op(op);
        let Some(inner) = ir.def_as::<SliceOp>(view.array(ir)) else {
            return false;
        };
        let (outer_parts, inner_parts) = (parts(ir, view), parts(ir, inner));
        let pairs: Vec<(Part, Part)> = inner_parts.into_iter().zip(outer_parts).collect();
        if !pairs
            .iter()
            .all(|&(inner, outer)| stays_inside(ir, inner, outer))
        {
            return false;
        }
        let (array, ty) = (inner.array(ir), ir.value_type(view.result(ir)));
        rewriter.replace_with(op, |b| {
            let (mut offsets, mut sizes, mut strides) = (Vec::new(), Vec::new(), Vec::new());
            for (inner, outer) in pairs {
                let skipped = multiply(b, outer.offset, inner.stride);
                offsets.push(add(b, inner.offset, skipped));
                sizes.push(outer.size);
                strides.push(multiply(b, outer.stride, inner.stride));
            }
            [SliceOp::builder()
                .array(array)
                .offsets(&offsets)
                .sizes(&sizes)
                .strides(&strides)
                .result_type(ty)
                .build(b)
                .result(b.ir)]
        });
        true
    }
}

/// Two neighbouring slices of one array as one: its first dimension and the rest; `None`: they are not.
fn neighbours(ir: &Ir, first: SliceOp, second: SliceOp) -> Option<(Vec<Part>, Value)> {
    let (a, b) = (parts(ir, first), parts(ir, second));
    let same = |x: Value, y: Value| {
        x == y || constant(ir, x).is_some() && constant(ir, x) == constant(ir, y)
    };
    let alike = |(a, b): (&Part, &Part)| {
        same(a.offset, b.offset) && same(a.size, b.size) && same(a.stride, b.stride)
    };
    let (head, next) = (a.first()?, b.first()?);
    let adjacent = match (
        constant(ir, head.offset),
        constant(ir, head.size),
        constant(ir, next.offset),
    ) {
        (Some(start), Some(size), Some(next)) => start.checked_add(size) == Some(next),
        (Some(0), None, None) => head.size == next.offset,
        _ => false,
    };
    let steps = constant(ir, head.stride) == Some(1) && constant(ir, next.stride) == Some(1);
    let rows = a[1..].iter().zip(&b[1..]).all(alike);
    (first.array(ir) == second.array(ir) && adjacent && steps && rows)
        .then(|| (a.clone(), next.size))
}

/// Arrays of a concatenation that is made of several, at most: an array joined with itself again and again would be
/// exponentially many.
const MOST_JOINED: usize = 64;

/// The arrays that concatenated ones are made of, as far as these are concatenations themselves, without empty ones.
fn flattened(ir: &Ir, arrays: &[Value]) -> Vec<Value> {
    let is_empty = |array: Value| {
        sizes_and_element(ir.ctx(), ir.value_type(array)).0.first() == Some(&Size::Constant(0))
    };
    let mut flat: Vec<Value> = Vec::new();
    for (at, &array) in arrays.iter().enumerate() {
        let left = arrays.len() - at - 1;
        let inner = ir.def_as::<ConcatOp>(array).map(|inner| inner.arrays(ir));
        match inner.filter(|inner| flat.len() + inner.len() + left <= MOST_JOINED) {
            Some(inner) => flat.extend(inner),
            None => flat.push(array),
        }
    }
    if flat.iter().any(|&array| !is_empty(array)) {
        flat.retain(|&array| !is_empty(array));
    }
    flat
}

impl Canonicalize for ConcatOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ConcatOp::from_op(op);
        let (arrays, ty) = (view.arrays(ir), ir.value_type(view.result(ir)));
        let flat = flattened(ir, &arrays);
        if flat.len() != arrays.len() {
            rewriter.replace_with(op, |b| [ConcatOp::build(b, &flat, ty).result(b.ir)]);
            return true;
        }
        let found = (1..arrays.len()).find_map(|at| {
            let (first, second) = (
                ir.def_as::<SliceOp>(arrays[at - 1])?,
                ir.def_as::<SliceOp>(arrays[at])?,
            );
            Some((at, first.array(ir), neighbours(ir, first, second)?))
        });
        let Some((at, array, (parts, more))) = found else {
            return false;
        };
        let whole = arrays.len() == 2;
        let (mut types, element) = sizes_and_element(ir.ctx(), ir.value_type(arrays[at]));
        let ctx = ir.context();
        rewriter.replace_with(op, |b| {
            let mut sizes: Vec<Value> = parts.iter().map(|part| part.size).collect();
            sizes[0] = add(b, sizes[0], more);
            types[0] = constant(b.ir, sizes[0]).map_or(Size::Unknown, Size::Constant);
            let offsets: Vec<Value> = parts.iter().map(|part| part.offset).collect();
            let strides: Vec<Value> = parts.iter().map(|part| part.stride).collect();
            let joined = if whole {
                ty
            } else {
                array_or_scalar(&ctx, &types, element)
            };
            let slice = SliceOp::builder()
                .array(array)
                .offsets(&offsets)
                .sizes(&sizes)
                .strides(&strides)
                .result_type(joined)
                .build(b)
                .result(b.ir);
            if whole {
                return [slice];
            }
            let mut rest = arrays.clone();
            rest.splice(at - 1..=at, [slice]);
            [ConcatOp::build(b, &rest, ty).result(b.ir)]
        });
        true
    }
}

impl Canonicalize for PadOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let pad = PadOp::from_op(op);
        let (array, value, ty) = (pad.array(ir), pad.value(ir), ir.value_type(pad.result(ir)));
        let (low, high) = (pad.low(ir), pad.high(ir));
        if low
            .iter()
            .chain(&high)
            .all(|&size| constant(ir, size) == Some(0))
            && claims_nothing(ir, ir.value_type(array), ty)
        {
            rewriter.replace_with(op, |b| [forget(b, array, ty)]);
            return true;
        }
        let Some(inner) = ir
            .def_as::<PadOp>(array)
            .filter(|inner| inner.value(ir) == value)
        else {
            return false;
        };
        let (inner_low, inner_high, array) = (inner.low(ir), inner.high(ir), inner.array(ir));
        // Negative paddings stop the program, and must not cancel out.
        if !low
            .iter()
            .chain(&high)
            .chain(&inner_low)
            .chain(&inner_high)
            .all(|&size| constant(ir, size).is_some_and(|size| size >= 0))
        {
            return false;
        }
        rewriter.replace_with(op, |b| {
            let low: Vec<Value> = low
                .iter()
                .zip(inner_low)
                .map(|(&x, y)| add(b, x, y))
                .collect();
            let high: Vec<Value> = high
                .iter()
                .zip(inner_high)
                .map(|(&x, y)| add(b, x, y))
                .collect();
            [PadOp::builder()
                .array(array)
                .value(value)
                .low(&low)
                .high(&high)
                .result_type(ty)
                .build(b)
                .result(b.ir)]
        });
        true
    }
}

impl Canonicalize for CastOp {
    /// A claim about what a claim gave: the last one, where the first says nothing beside it.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let cast = CastOp::from_op(op);
        let Some(inner) = ir.def_as::<CastOp>(cast.array(ir)) else {
            return false;
        };
        let (array, ty) = (inner.array(ir), ir.value_type(cast.result(ir)));
        if !claims_nothing(ir, ir.value_type(array), ir.value_type(inner.result(ir))) {
            return false;
        }
        rewriter.replace_with(op, |b| [forget(b, array, ty)]);
        true
    }
}

impl Canonicalize for GatherOp {
    /// A gather of a gather chooses among the indices of the first.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let gather = GatherOp::from_op(op);
        let array = gather.array(ir);
        let Some(inner) = ir
            .def_as::<GatherOp>(array)
            .filter(|_| ir.has_one_use(array))
        else {
            return false;
        };
        let (array, first, second) = (inner.array(ir), inner.indices(ir), gather.indices(ir));
        rewriter.replace_with(op, |b| {
            let indices = GatherOp::build(b, first, second).result(b.ir);
            [GatherOp::build(b, array, indices).result(b.ir)]
        });
        true
    }
}

//! `expand-windows`: windows of tensors that are not whole rows become nests over their elements, and so does all that the host
//! copies and replaces in tensors.
//!
//! ```mlir
//! %w = tensor.extract_slice %t[1, 0] [%n, %m] [1, 2]    ->    %w = kernel.segmap thread (%i < %n, %j < %m) {
//!                                                               %x = tensor.extract %t[1 + %i, 2 * %j] {kernel.checked}
//!                                                               kernel.return %x }
//! ```
//! Where code is of a point, the nest is a loop. `tensor.insert_slice` becomes a scatter, or a loop, and `tensor.insert` of the host a
//! scatter of one element. At a point, parts at leading indices of a tensor that are all of its other dimensions
//! ([`segra_kernel::access::is_whole`]) stay: they are rows in memory. A cast that says no extent which is not known becomes a
//! reshape; others stay.
//!
//! Legality: a window becomes its elements whatever it is. Elements outside of the tensor are found where they are read or
//! replaced; a window that does not have the size of the part put into it, or of which several elements are one (stride 0),
//! before.
//!
//! Limits: windows of rank 0 stay, and insertions into tensors of rank 0.

use segra_ir::interfaces::known_extent;
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::{Read, Update, is_whole, out_of_range};
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegmentedOp};
use segra_kernel::update::ScatterOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::arith::expr::unfold;
use segra_std::arith::index;
use segra_std::arith::{CmpIPredicate, OrIOp};
use segra_std::builtin;
use segra_std::check::RequireOp;
use segra_std::func;
use segra_std::scf::{Bounds, ForOp};
use segra_std::tensor::{
    CastOp, DimOp, EmptyOp, ExtractSliceOp, InsertOp, InsertSliceOp, ReshapeOp, Window,
};

pass_options! {
    /// The pass `expand-windows`.
    pub struct ExpandWindows {}
}

const INFO: PassInfo = PassInfo {
    name: "expand-windows",
    summary: "make nests of windows of tensors that are not whole rows, and of what the host copies and replaces",
    reads: &["arith", "kernel", "scf", "tensor"],
    writes: &["arith", "check", "kernel", "scf", "tensor"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name, func::FuncOp::DEF.name]),
};

impl Pass for ExpandWindows {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut expanded = 0;
        for op in ir.walk(op) {
            let done = if let Some(cast) = ir.cast::<CastOp>(op) {
                reshape_of_cast(ir, cast)
            } else if let Some(slice) = ir.cast::<ExtractSliceOp>(op) {
                extract_elements(ir, slice)
            } else if let Some(slice) = ir.cast::<InsertSliceOp>(op) {
                insert_elements(ir, slice)
            } else if let Some(insert) = ir.cast::<InsertOp>(op) {
                is_host(ir, op) && insert_element(ir, insert)
            } else {
                false
            };
            expanded += u64::from(done);
        }
        cx.count("windows and casts expanded", expanded);
        Ok(Outcome::of(match expanded {
            0 => Changed::No,
            _ => Changed::Yes,
        }))
    }
}

/// Whether code is run by the host: no segmented op is around it.
fn is_host(ir: &Ir, op: Op) -> bool {
    let mut around = ir.ancestors(op).skip(1);
    !around.any(|around| ir.interface::<dyn SegmentedOp>(around).is_some())
}

/// A cast that says nothing new is a reshape. Whether it is.
fn reshape_of_cast(ir: &mut Ir, cast: CastOp) -> bool {
    let (op, source) = (cast.op(), cast.source(ir));
    let ty = ir.value_type(cast.dest(ir));
    let shape = |ty: Type| {
        let shaped = ty.shaped(ir.ctx());
        shaped.map(|(shape, _)| shape.to_vec())
    };
    let (Some(from), Some(to)) = (shape(ir.value_type(source)), shape(ty)) else {
        return false;
    };
    let is_known = |dim: usize| {
        let known = known_extent(ir, source, dim);
        from[dim] == to[dim]
            || to[dim] == DYNAMIC
            || known.and_then(|size| ir.constant_int(size)) == Some(to[dim])
    };
    if !(0..from.len()).all(is_known) {
        return false;
    }
    let mut b = Builder::before(ir, op);
    let sizes: Vec<Value> = (0..from.len())
        .map(|dim| DimOp::of(&mut b, source, dim))
        .collect();
    let reshaped = ReshapeOp::to(&mut b, source, &sizes, ty);
    ir.replace_op(op, &[reshaped]);
    true
}

/// A window of a tensor as an array of its own: by a map on the host, by a loop at a point, where whole rows stay.
fn extract_elements(ir: &mut Ir, slice: ExtractSliceOp) -> bool {
    let (op, source) = (slice.op(), slice.source(ir));
    let (host, ty) = (is_host(ir, op), ir.value_type(slice.result(ir)));
    let whole = is_whole(ir, op);
    if whole && !host {
        return false;
    }
    let mut b = Builder::before(ir, op);
    let window = slice.window(&mut b);
    let extents = window.extents();
    if extents.is_empty() {
        return false;
    }
    let checked = !whole || Read::of(b.ir, op).is_some_and(|read| read.is_checked(b.ir));
    let element = |b: &mut Builder<'_>, own: &[Value]| {
        let at = places(b, &window, own);
        Read::build_checked(b, source, &at, checked).result(b.ir)
    };
    let made = match host {
        true => {
            let level = Level::Thread.attr(b.ctx());
            let map = SegMapOp::builder()
                .level(level)
                .sizes(&extents)
                .results_types(&[ty])
                .build(&mut b);
            let (region, index) = (map.body(b.ir), b.ctx().index());
            b.build_block(region, &vec![index; extents.len()], |b, own| {
                let value = element(b, own);
                ReturnOp::build(b, &[value]);
            });
            map.results(b.ir)[0]
        }
        false => {
            let none = EmptyOp::of(&mut b, &extents, ty);
            each_element(&mut b, &extents, none, |b, own, made| {
                let value = element(b, own);
                Update::build(b, value, made, own).result(b.ir)
            })
        }
    };
    ir.replace_op(op, &[made]);
    true
}

/// A tensor with a window replaced: by a scatter on the host, by a loop at a point, where whole rows stay.
fn insert_elements(ir: &mut Ir, slice: InsertSliceOp) -> bool {
    let (op, part, dest) = (slice.op(), slice.source(ir), slice.dest(ir));
    let (host, whole) = (is_host(ir, op), is_whole(ir, op));
    if whole && !host {
        return false;
    }
    let checked = !whole || Update::of(ir, op).is_some_and(|update| update.is_checked(ir));
    let mut b = Builder::before(ir, op);
    let mut window = slice.window(&mut b);
    if window.extents().is_empty() {
        return false;
    }
    if !whole {
        require_fit(&mut b, &mut window, part);
    }
    let extents = window.extents();
    let made = match host {
        true => scattered(
            &mut b,
            (dest, checked),
            &extents,
            |b, own| places(b, &window, own),
            |b, own| Read::build(b, part, own).result(b.ir),
        ),
        false => each_element(&mut b, &extents, dest, |b, own, made| {
            let at = places(b, &window, own);
            let value = Read::build(b, part, own).result(b.ir);
            Update::build_checked(b, value, made, &at).result(b.ir)
        }),
    };
    ir.replace_op(op, &[made]);
    true
}

/// A tensor of the host's with an element replaced, by a scatter of one.
fn insert_element(ir: &mut Ir, insert: InsertOp) -> bool {
    let (op, value, dest) = (insert.op(), insert.scalar(ir), insert.dest(ir));
    let at = insert.indices(ir);
    if at.is_empty() {
        return false;
    }
    let checked = Update::of(ir, op).is_some_and(|update| update.is_checked(ir));
    let mut b = Builder::before(ir, op);
    let made = scattered(&mut b, (dest, checked), &[], |_, _| at, |_, _| value);
    ir.replace_op(op, &[made]);
    true
}

/// A tensor of the host's with an element replaced for each index of `extents`: at a `place`, which may be checked to be inside of
/// the tensor, by a `value`.
fn scattered(
    b: &mut Builder<'_>,
    (dest, checked): (Value, bool),
    extents: &[Value],
    place: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    value: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> Value {
    let level = Level::Thread.attr(b.ctx());
    let one = index::constant(b, 1);
    let count = extents.iter().fold(one, |x, &y| index::mul(b, x, y));
    let scatter = ScatterOp::builder()
        .level(level)
        .sizes(&[count])
        .destinations(&[dest])
        .results_types(&[b.type_of(dest)])
        .build(b);
    let (region, index) = (scatter.body(b.ir), b.ctx().index());
    b.build_block(region, &[index], |b, number| {
        let own = match extents {
            [] => Vec::new(),
            _ => unfold(b, extents, number[0]),
        };
        let at = place(b, &own);
        let mut returned = match checked {
            true => require_inside(b, dest, &at),
            false => at,
        };
        returned.push(value(b, &own));
        ReturnOp::build(b, &returned);
    });
    scatter.results(b.ir)[0]
}

/// Gives a window sizes that are checked: each is that of the part put into it, and no two of its elements are one.
fn require_fit(b: &mut Builder<'_>, window: &mut Window, part: Value) {
    for (dim, (size, stride)) in window.kept.iter_mut().flatten().enumerate() {
        let given = DimOp::of(b, part, dim);
        let fits = index::cmp(b, CmpIPredicate::Eq, *size, given);
        let message = "a window of {0} elements cannot take a part of {1}";
        *size = require(b, fits, [*size, given], message);
        if b.ir.constant_int(*stride).is_none_or(|stride| stride == 0) {
            let [none, two] = [0, 2].map(|number| index::constant(b, number));
            let moves = index::cmp(b, CmpIPredicate::Ne, *stride, none);
            let single = index::cmp(b, CmpIPredicate::Slt, *size, two);
            let apart = OrIOp::build(b, moves, single).result(b.ir);
            let message = "a window of {0} elements with stride {1} puts several into one place";
            *size = require(b, apart, [*size, *stride], message);
        }
    }
}

/// Indices that are checked to be inside of a tensor.
fn require_inside(b: &mut Builder<'_>, tensor: Value, at: &[Value]) -> Vec<Value> {
    let indices = at.iter().enumerate().map(|(dim, &index)| {
        let extent = DimOp::of(b, tensor, dim);
        // As unsigned numbers, negative indices are beyond every extent.
        let inside = index::cmp(b, CmpIPredicate::Ult, index, extent);
        require(b, inside, [index, extent], &out_of_range(at.len(), dim))
    });
    indices.collect()
}

/// The first of two numbers, where a condition holds; else it stops the program, which is told both.
fn require(b: &mut Builder<'_>, holds: Value, numbers: [Value; 2], message: &str) -> Value {
    let (message, none) = (b.ctx().str_attr(message), index::constant(b, 0));
    RequireOp::builder()
        .condition(holds)
        .value(numbers[0])
        .otherwise(none)
        .numbers(&numbers)
        .message(message)
        .build(b)
        .result(b.ir)
}

/// The indices of the whole tensor for those of an element of the window.
fn places(b: &mut Builder<'_>, window: &Window, own: &[Value]) -> Vec<Value> {
    let mut own = own.iter();
    let place = |(&offset, dim): (&Value, &Option<(Value, Value)>)| {
        let Some((_, stride)) = *dim else {
            return offset;
        };
        let Some(&at) = own.next() else {
            return offset;
        };
        let at = index::mul(b, at, stride);
        index::add(b, offset, at)
    };
    window.offsets.iter().zip(&window.kept).map(place).collect()
}

/// Loops over all indices of extents that carry a tensor; the tensor in the end.
fn each_element(
    b: &mut Builder<'_>,
    extents: &[Value],
    first: Value,
    step: impl FnOnce(&mut Builder<'_>, &[Value], Value) -> Value,
) -> Value {
    let bounds: Vec<Bounds> = extents
        .iter()
        .map(|&upper| Bounds {
            lower: index::constant(b, 0),
            upper,
            step: index::constant(b, 1),
        })
        .collect();
    let mut own = Vec::new();
    looped(b, &bounds, &mut own, first, Box::new(step))
}

/// The body of loops, for the indices and the carried tensor.
type Step<'a> = Box<dyn FnOnce(&mut Builder<'_>, &[Value], Value) -> Value + 'a>;

fn looped(
    b: &mut Builder<'_>,
    bounds: &[Bounds],
    own: &mut Vec<Value>,
    carried: Value,
    step: Step<'_>,
) -> Value {
    let Some((&first, rest)) = bounds.split_first() else {
        return step(b, own, carried);
    };
    let outer = ForOp::with_body(b, first, &[carried], |b, at, carried| {
        own.push(at);
        vec![looped(b, rest, own, carried[0], step)]
    });
    b.ir.result(outer.op(), 0)
}

//! Tensors with some elements replaced or combined: scatter and seghist.
//!
//! The space is as in [`crate::segop`]: all but the innermost dimension are segments; of a scatter, all but as many as it
//! says. A point's body returns where
//! (one index per indexed dimension), then what (one value per destination). A destination has the segments'
//! dimensions, then the indexed ones, then those of the value. Indices out of range are ignored. Destinations are
//! values: they stay what they were, and the results are new tensors.

use crate::atomic::Ways;
use crate::form::{Form, FormAttr};
use crate::level::{Level, LevelAttr};
use crate::mapping::MappingAttr;
use crate::segop::{Check, TensorOrScalar, combines_arrays};
use segra_interp::Eval;
use segra_ir::constraint::{I64Attr, Index, RankedTensor, UnitAttr};
use segra_ir::interfaces::{LoopLike, ShapeOf, Verify};
use segra_ir::{Ir, Op, OpDiagnostics, OpView, Region, Type, TypeKind, Value, op};
use segra_text::Syntax;

/// The destinations with some elements replaced. Where two points of a segment give one index with different values,
/// one of them is taken, and which is not defined; the interpreter takes the last.
///
/// With `points 2` (after the level), the two innermost dimensions of the space are the points of a segment. With
/// `distinct`, no two points of a segment give the same index and all are in range, so that nothing is tested: parts of
/// an array, each made by an op of its own.
///
/// ```mlir
/// %zs = kernel.scatter thread distinct points 2 (%i < %n, %j < %m) into (%ys : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
///   %k = arith.muli %j, %two : index
///   kernel.return %i, %k, %zero : index, index, f32
/// }
/// %ys = kernel.scatter thread (%i < %n) into (%xs : tensor<?xf32>) -> (tensor<?xf32>) {
///   %at = tensor.extract %is[%i] : tensor<?xindex>
///   %v = tensor.extract %vs[%i] : tensor<?xf32>
///   kernel.return %at, %v : index, f32
/// }
/// ```
#[op(
    "kernel.scatter",
    traits(RecursiveEffects, Parallel),
    interfaces(ShapeOf, Verify, LoopLike, crate::segop::SegmentedOp, Syntax, Eval)
)]
pub struct ScatterOp {
    /// Which unit runs one point.
    level: Attr<LevelAttr>,
    /// How many of the innermost dimensions are the points of a segment; none: one.
    points: OptionalAttr<I64Attr>,
    /// Whether all indices are in range, and no two points of a segment give the same.
    distinct: OptionalAttr<UnitAttr>,
    /// How the space is laid out over thread blocks and threads: a chain of index-space combinators
    /// ([`crate::mapping`]).
    mapping: OptionalAttr<MappingAttr>,
    /// Extents of the space, outermost first, at least one.
    sizes: VariadicOperand<Index>,
    /// The initial contents of the results, at least one.
    destinations: VariadicOperand<RankedTensor>,
    /// From the indices of a point to indices of the destinations, then one value per destination.
    body: BlockRegion,
    /// One per destination.
    results: VariadicResult<RankedTensor>,
}

/// Generalised histograms, one per segment: the elements of the destinations that points give as their bin are
/// combined with the points' values. The operator is associative and commutative.
///
/// ```mlir
/// %counts = kernel.seghist thread (%i < %n) into (%zeros : tensor<?xi32>) init (%zero : i32) -> (tensor<?xi32>) {
///   %bin = tensor.extract %xs[%i] : tensor<?xindex>
///   kernel.return %bin, %one : index, i32
/// } combine (%a, %b) {
///   %s = arith.addi %a, %b : i32
///   kernel.return %s : i32
/// }
/// ```
#[op(
    "kernel.seghist",
    traits(RecursiveEffects, Parallel),
    interfaces(ShapeOf, Verify, LoopLike, crate::segop::SegmentedOp, Syntax, Eval)
)]
pub struct SegHistOp {
    /// Which unit runs one point.
    level: Attr<LevelAttr>,
    /// How the elements of a bin are combined; none: not decided yet.
    form: OptionalAttr<FormAttr>,
    /// Of form `shared`: how many bins a thread block has space for at once, at least one.
    capacity: OptionalAttr<I64Attr>,
    /// How the space is laid out over thread blocks and threads: a chain of index-space combinators
    /// ([`crate::mapping`]).
    mapping: OptionalAttr<MappingAttr>,
    /// Extents of the space, outermost first, at least one.
    sizes: VariadicOperand<Index>,
    /// The initial contents of the bins, one per neutral element.
    destinations: VariadicOperand<RankedTensor>,
    /// Neutral elements of the operator.
    neutral: VariadicOperand<TensorOrScalar>,
    /// From the indices of a point to its bin's indices, then one value per destination.
    body: BlockRegion,
    /// The operator: what is in the bin, then values.
    combine: BlockRegion,
    /// One per destination.
    results: VariadicResult<RankedTensor>,
}

/// How many indices of a destination the body of a scatter or seghist returns.
pub fn num_indices(ir: &Ir, op: Op) -> usize {
    let returned = ir
        .regions(op)
        .first()
        .and_then(|&body| ir.entry_block(body))
        .and_then(|body| ir.last_op(body));
    let returned = returned.map_or(0, |last| ir.operands(last).count());
    returned.saturating_sub(ir.num_results(op))
}

/// How many dimensions of the space of a scatter or seghist are segments.
pub fn segment_dims(ir: &Ir, op: Op) -> usize {
    let points = ir
        .cast::<ScatterOp>(op)
        .and_then(|scatter| scatter.points(ir));
    let points = points.and_then(|points| usize::try_from(points).ok());
    let sizes = ir.operand_group(op, 0).len();
    sizes.saturating_sub(points.unwrap_or(1))
}

impl ShapeOf for ScatterOp {
    fn extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<Value> {
        segra_ir::interfaces::known_extent(
            ir,
            *ScatterOp::from_op(op).destinations(ir).get(result)?,
            dim,
        )
    }
}

impl ShapeOf for SegHistOp {
    fn extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<Value> {
        segra_ir::interfaces::known_extent(
            ir,
            *SegHistOp::from_op(op).destinations(ir).get(result)?,
            dim,
        )
    }
}

/// The type of what is left of a tensor after `outer` indices; `None` where it has fewer dimensions.
fn row_after(ir: &Ir, tensor: Value, outer: usize) -> Option<Type> {
    let ctx = ir.ctx();
    let (shape, element) = ir.value_type(tensor).shaped(ctx)?;
    let rest = shape.get(outer..)?;
    Some(match rest {
        [] => element,
        _ => ctx.ty(TypeKind::Tensor {
            shape: rest.to_vec(),
            element,
            encoding: None,
        }),
    })
}

/// The common rules of both ops; returns the types of the values.
fn check_update(
    check: &mut Check<'_, '_>,
    level: Level,
    sizes: usize,
    destinations: &[Value],
    body: Region,
) -> Option<Vec<Type>> {
    let (ir, op) = (check.ir, check.op);
    if sizes == 0 || destinations.is_empty() {
        check.error("needs at least one extent and one destination");
        return None;
    }
    let segments = segment_dims(ir, op);
    let found = check.args(body);
    if !check.same(
        "the arguments of region `body`",
        &found,
        &vec![ir.ctx().index(); sizes],
    ) {
        return None;
    }
    let returned = check.returned(body);
    let Some(indices) = returned
        .len()
        .checked_sub(destinations.len())
        .filter(|&count| count > 0)
    else {
        check.error("its body must return one index at least, then one value per destination");
        return None;
    };
    let rows: Option<Vec<Type>> = destinations
        .iter()
        .map(|&tensor| row_after(ir, tensor, segments + indices))
        .collect();
    let Some(rows) = rows else {
        check.error(format!(
            "a destination has fewer than {} dimensions",
            segments + indices
        ));
        return None;
    };
    let wanted: Vec<Type> = destinations
        .iter()
        .map(|&tensor| ir.value_type(tensor))
        .collect();
    let results: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
    let fits = check.same(
        "the indices",
        &returned[..indices],
        &vec![ir.ctx().index(); indices],
    ) && check.same("the values", &returned[indices..], &rows)
        && check.same("the results", &results, &wanted);
    if !fits {
        return None;
    }
    check.nesting(level);
    Some(returned[indices..].to_vec())
}

impl Verify for ScatterOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let scatter = ScatterOp::from_op(op);
        let (level, sizes) = (scatter.level(ir), scatter.sizes(ir).len());
        let mut check = Check { ir, op, diags };
        if let Some(points) = scatter.points(ir)
            && !usize::try_from(points).is_ok_and(|points| (1..=sizes).contains(&points))
        {
            check.error(format!(
                "has {points} dimensions of points, but a space of {sizes}"
            ));
            return;
        }
        check_update(
            &mut check,
            level,
            sizes,
            &scatter.destinations(ir),
            scatter.body(ir),
        );
        check.mapping(scatter.mapping(ir));
    }
}

impl Verify for SegHistOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let hist = SegHistOp::from_op(op);
        let mut check = Check { ir, op, diags };
        let (level, sizes) = (hist.level(ir), hist.sizes(ir).len());
        let Some(values) = check_update(
            &mut check,
            level,
            sizes,
            &hist.destinations(ir),
            hist.body(ir),
        ) else {
            return;
        };
        let types: Vec<Type> = hist
            .neutral(ir)
            .iter()
            .map(|&value| ir.value_type(value))
            .collect();
        let doubled: Vec<Type> = types.iter().chain(&types).copied().collect();
        let (args, returned) = (
            check.args(hist.combine(ir)),
            check.returned(hist.combine(ir)),
        );
        let fits = check.same("the neutral elements", &types, &values)
            && check.same("the arguments of region `combine`", &args, &doubled)
            && check.same("the values region `combine` returns", &returned, &types);
        if !fits {
            return;
        }
        let form = hist.form(ir);
        let suits = form.is_some_and(|form| {
            let locks = !Ways::any_order(ir, hist.combine(ir)).locked.is_empty();
            form.suits_histogram(combines_arrays(ir, &types), locks)
        });
        check.form(form, suits);
        match (form, hist.capacity(ir)) {
            (Some(Form::Shared), Some(1..)) => {}
            (Some(Form::Shared), _) => {
                check.error("of form `shared` needs a `capacity` of at least 1")
            }
            (_, Some(_)) => check.error("has a `capacity`, but not the form `shared`"),
            (_, None) => {}
        }
        check.mapping(hist.mapping(ir));
    }
}

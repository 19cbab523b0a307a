//! Segmented operations: perfect nests over a rectangular space, the innermost dimension mapped, reduced or scanned.
//!
//! The space is given by `sizes`, outermost first; the body gets one index per dimension and reads arrays by
//! [`crate::access::Read`]. Bodies have no effects but reads, so points may run in any order. Arrays are builtin
//! tensors (values); sizes are values too. Operators of segred and segscan are associative with the given neutral
//! elements; they need not be commutative, and the order of operands is kept.

use crate::atomic::by_atomics;
use crate::boxes::BoxCopy;
use crate::form::{Form, FormAttr};
use crate::level::{Level, LevelAttr};
use crate::mapping::MappingAttr;
use crate::registers::Registers;
use crate::schedule::ScheduleAttr;
use crate::vector::may_take;
use segra_interp::Eval;
use segra_ir::constraint::{AnyType, DenseI64Attr, I64Attr, Index, TypeConstraint, UnitAttr};
use segra_ir::interfaces::{LoopLike, ShapeOf, Verify};
use segra_ir::types::DYNAMIC;
use segra_ir::{Context, Ir, Op, OpDiagnostics, OpView, Region, Trait, Type, TypeKind, Value, op};
use segra_text::Syntax;

/// A scalar or a ranked tensor.
#[derive(Clone, Copy, Debug)]
pub struct TensorOrScalar;

impl TypeConstraint for TensorOrScalar {
    fn describe(&self) -> &'static str {
        "a scalar or a ranked tensor"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty.is_scalar(ctx) || matches!(ctx.type_kind(ty), TypeKind::Tensor { .. })
    }
}

/// Hands the values of one point (or of an operator) to the segmented op around it.
#[op(
    "kernel.return",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Eval),
    format = "($values^ `:` type($values))? attr-dict"
)]
pub struct ReturnOp {
    values: VariadicOperand<AnyType>,
}

/// One value per point of the space: a perfect nest of maps.
///
/// ```mlir
/// %zs = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
///   %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
///   kernel.return %x : f32
/// }
/// ```
/// With `async` (after the level), the threads of a block that copy elements so need not have them before another op uses
/// the result; with `async boxes`, they are boxes of arrays ([`crate::boxes`]). With `contract`, sums of products at its points,
/// which a thread holds several of, are for tensor cores ([`crate::contract`]); with `contract since 80`, on targets from sm_80
/// on. With `contract warpgroups`, four warps make them together.
#[op(
    "kernel.segmap",
    traits(RecursiveEffects, Parallel),
    interfaces(ShapeOf, Verify, LoopLike, SegmentedOp, Syntax, Eval)
)]
pub struct SegMapOp {
    /// Which unit runs one point.
    level: Attr<LevelAttr>,
    /// Inside a thread block: how many points a thread runs at once along each dimension, their values in registers; none:
    /// one after another.
    registers: OptionalAttr<DenseI64Attr>,
    /// How many of them follow each other, along each dimension.
    runs: OptionalAttr<DenseI64Attr>,
    /// From one run of a thread to the next one along the first dimension; none: all other threads' lie between them.
    apart: OptionalAttr<I64Attr>,
    /// Whether the values are on their way when the op is done: each is one read of an array, in a point of a thread block.
    #[name("async")]
    asynchronous: OptionalAttr<UnitAttr>,
    /// Whether they are a box of an array, which the target copies as one.
    boxes: OptionalAttr<UnitAttr>,
    /// Whether sums of products are made by tensor cores, of which the points of a thread are those of a fragment.
    contract: OptionalAttr<UnitAttr>,
    /// Whether the points are those of a warpgroup's product.
    warpgroups: OptionalAttr<UnitAttr>,
    /// The compute capability, times ten, from which on they are; on older targets each thread makes its own. None: on all.
    since: OptionalAttr<I64Attr>,
    /// How many neighbouring points a thread takes at once; none: one.
    vector: OptionalAttr<I64Attr>,
    /// How the space is laid out over thread blocks and threads: a chain of index-space combinators
    /// ([`crate::mapping`]).
    mapping: OptionalAttr<MappingAttr>,
    /// The steps that rewrite it before it runs ([`crate::schedule`]).
    schedule: OptionalAttr<ScheduleAttr>,
    /// Extents of the space, outermost first; none: one point.
    sizes: VariadicOperand<Index>,
    /// From the indices of a point to its values.
    body: BlockRegion,
    /// One tensor per value: the space's extents, then the value's own.
    results: VariadicResult<TensorOrScalar>,
}

/// A reduction along the innermost dimension of the space, one per point of the outer dimensions (a segment).
///
/// Values the body returns beyond the reduced ones become tensors over the whole space.
///
/// ```mlir
/// %sums = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>) {
///   %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
///   kernel.return %x : f32
/// } combine (%a, %b) {
///   %s = arith.addf %a, %b : f32
///   kernel.return %s : f32
/// }
/// ```
#[op(
    "kernel.segred",
    traits(RecursiveEffects, Parallel),
    interfaces(ShapeOf, Verify, LoopLike, SegmentedOp, Syntax, Eval)
)]
pub struct SegRedOp {
    /// Which unit runs one point.
    level: Attr<LevelAttr>,
    /// How segments are divided among threads; none: not decided yet.
    form: OptionalAttr<FormAttr>,
    /// How many neighbouring points a thread takes at once; none: one.
    vector: OptionalAttr<I64Attr>,
    /// How the space is laid out over thread blocks and threads: a chain of index-space combinators
    /// ([`crate::mapping`]).
    mapping: OptionalAttr<MappingAttr>,
    /// Extents of the space, outermost first, at least one; the innermost is reduced.
    sizes: VariadicOperand<Index>,
    /// Neutral elements of the operator.
    neutral: VariadicOperand<TensorOrScalar>,
    /// From the indices of a point to the values to reduce, then those to store.
    body: BlockRegion,
    /// The operator: accumulators, then values.
    combine: BlockRegion,
    /// One value per segment (a scalar where there is just one), then one tensor per stored value.
    results: VariadicResult<TensorOrScalar>,
}

/// A scan along the innermost dimension of the space, one per point of the outer dimensions (a segment); inclusive,
/// or with `exclusive` (after the level) without each point's own value.
///
/// ```mlir
/// %sums = kernel.segscan thread (%i < %n) init (%zero : i32) -> (tensor<?xi32>) {
///   %x = tensor.extract %xs[%i] : tensor<?xi32>
///   kernel.return %x : i32
/// } combine (%a, %b) {
///   %s = arith.addi %a, %b : i32
///   kernel.return %s : i32
/// }
/// ```
#[op(
    "kernel.segscan",
    traits(RecursiveEffects, Parallel),
    interfaces(ShapeOf, Verify, LoopLike, SegmentedOp, Syntax, Eval)
)]
pub struct SegScanOp {
    /// Which unit runs one point.
    level: Attr<LevelAttr>,
    /// Whether the result at a point lacks the point's own value; a segment then starts with the neutral element.
    exclusive: OptionalAttr<UnitAttr>,
    /// How segments are divided among threads; none: not decided yet.
    form: OptionalAttr<FormAttr>,
    /// How many neighbouring points a thread takes at once; none: one.
    vector: OptionalAttr<I64Attr>,
    /// How the space is laid out over thread blocks and threads: a chain of index-space combinators
    /// ([`crate::mapping`]).
    mapping: OptionalAttr<MappingAttr>,
    /// Extents of the space, outermost first, at least one; the innermost is scanned.
    sizes: VariadicOperand<Index>,
    /// Neutral elements of the operator.
    neutral: VariadicOperand<TensorOrScalar>,
    /// From the indices of a point to the values to scan, then those to store.
    body: BlockRegion,
    /// The operator: accumulators, then values.
    combine: BlockRegion,
    /// One tensor over the whole space per scanned value, then per stored value.
    results: VariadicResult<TensorOrScalar>,
}

/// The interface of segmented ops for passes and the lowering.
pub trait SegmentedOp: Sync {
    /// Which unit runs one point.
    fn level(&self, ir: &Ir, op: Op) -> Level;
    /// Extents of the space, outermost first.
    fn sizes(&self, ir: &Ir, op: Op) -> Vec<Value>;
    /// The region run for each point.
    fn body(&self, ir: &Ir, op: Op) -> Region;
}

/// The unit of a thread block that combines a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combiner {
    /// All threads together, as there is one segment.
    Block,
    /// A warp, of several segments one after another where there are more of them than warps.
    Warp,
    /// A thread, which may combine arrays.
    Thread,
}

impl Combiner {
    /// That of a segmented op in a thread block; none where it combines nothing.
    pub fn of(ir: &Ir, op: Op) -> Option<Combiner> {
        let (sizes, neutral) = match (ir.cast::<SegRedOp>(op), ir.cast::<SegScanOp>(op)) {
            (Some(segred), _) => (segred.sizes(ir), segred.neutral(ir)),
            (_, Some(segscan)) => (segscan.sizes(ir), segscan.neutral(ir)),
            _ => return None,
        };
        let is_array = |value: &Value| ir.value_type(*value).shaped(ir.ctx()).is_some();
        Some(match sizes.len() {
            _ if neutral.iter().any(is_array) => Combiner::Thread,
            ..=1 => Combiner::Block,
            _ => Combiner::Warp,
        })
    }
}

/// `tensor<?x..xELEMENT>`: `outer` dynamic dimensions, then those of `ty`.
pub fn tensor_over(ctx: &Context, outer: usize, ty: Type) -> Type {
    let (mut shape, element) = match ctx.type_kind(ty) {
        TypeKind::Tensor { shape, element, .. } => (shape.clone(), *element),
        _ => (Vec::new(), ty),
    };
    if outer == 0 && shape.is_empty() {
        return element;
    }
    shape.splice(0..0, std::iter::repeat_n(DYNAMIC, outer));
    ctx.ty(TypeKind::Tensor {
        shape,
        element,
        encoding: None,
    })
}

/// Whether a value of type `from` may stand for `to`: equal, or tensors that differ only in which extents are known.
pub fn compatible(ctx: &Context, from: Type, to: Type) -> bool {
    if from == to {
        return true;
    }
    match (from.shaped(ctx), to.shaped(ctx)) {
        (Some((a, x)), Some((b, y))) => {
            x == y
                && a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
        }
        _ => false,
    }
}

macro_rules! segmented {
    ($($op:ty),*) => {$(
        impl SegmentedOp for $op {
            fn level(&self, ir: &Ir, op: Op) -> Level { <$op>::from_op(op).level(ir) }
            fn sizes(&self, ir: &Ir, op: Op) -> Vec<Value> { <$op>::from_op(op).sizes(ir) }
            fn body(&self, ir: &Ir, op: Op) -> Region { <$op>::from_op(op).body(ir) }
        }
        impl LoopLike for $op {
            fn loop_regions(&self, ir: &Ir, op: Op) -> smallvec::SmallVec<[Region; 2]> {
                smallvec::smallvec![<$op>::from_op(op).body(ir)]
            }
            fn induction_vars(&self, ir: &Ir, op: Op) -> Vec<Value> {
                ir.block_args(<$op>::from_op(op).body_block(ir)).to_vec()
            }
        }
    )*};
}
segmented!(
    SegMapOp,
    SegRedOp,
    SegScanOp,
    crate::update::ScatterOp,
    crate::update::SegHistOp
);

/// The extents of the space are those of the results; a reduced result lacks the innermost one.
fn extent_of(sizes: &[Value], dim: usize, lacks_innermost: bool) -> Option<Value> {
    let known = sizes.len() - usize::from(lacks_innermost && !sizes.is_empty());
    sizes[..known].get(dim).copied()
}

impl ShapeOf for SegMapOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        extent_of(&SegMapOp::from_op(op).sizes(ir), dim, false)
    }
}

impl ShapeOf for SegScanOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        extent_of(&SegScanOp::from_op(op).sizes(ir), dim, false)
    }
}

impl ShapeOf for SegRedOp {
    fn extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<Value> {
        let seg = SegRedOp::from_op(op);
        extent_of(&seg.sizes(ir), dim, result < seg.neutral(ir).len())
    }
}

/// How the results of a segmented op follow from what its body returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Innermost {
    Mapped,
    Reduced,
    Scanned,
}

pub(crate) struct Check<'a, 'b> {
    pub(crate) ir: &'a Ir,
    pub(crate) op: Op,
    pub(crate) diags: &'a mut OpDiagnostics<'b>,
}

impl Check<'_, '_> {
    pub(crate) fn error(&mut self, message: impl Into<String>) {
        self.diags.error(message);
    }

    pub(crate) fn same(&mut self, what: &str, found: &[Type], wanted: &[Type]) -> bool {
        let ctx = self.ir.ctx();
        if found.len() != wanted.len() {
            self.error(format!(
                "needs {} of {what}, but there are {}",
                wanted.len(),
                found.len()
            ));
            return false;
        }
        for (index, (&found, &wanted)) in found.iter().zip(wanted).enumerate() {
            if !compatible(ctx, found, wanted) {
                let text = |ty| segra_text::print_type(ctx, ty);
                self.error(format!(
                    "{what}: #{index} must be `{}`, but is `{}`",
                    text(wanted),
                    text(found)
                ));
                return false;
            }
        }
        true
    }

    pub(crate) fn args(&self, region: Region) -> Vec<Type> {
        let block = self.ir.entry_block(region);
        let args = block
            .map(|block| self.ir.block_args(block))
            .unwrap_or_default();
        args.iter().map(|&arg| self.ir.value_type(arg)).collect()
    }

    pub(crate) fn returned(&self, region: Region) -> Vec<Type> {
        let last = self
            .ir
            .entry_block(region)
            .and_then(|block| self.ir.last_op(block));
        last.map(|op| {
            self.ir
                .operands(op)
                .map(|value| self.ir.value_type(value))
                .collect()
        })
        .unwrap_or_default()
    }

    /// The whole rule: indices, operator, results, nesting of levels, bodies that only compute.
    fn run(
        &mut self,
        level: Level,
        sizes: usize,
        body: Region,
        operator: Option<(Region, &[Type])>,
        kind: Innermost,
    ) {
        let ctx = self.ir.ctx();
        if kind != Innermost::Mapped && sizes == 0 {
            self.error("needs at least one extent: the innermost dimension is reduced or scanned");
            return;
        }
        let indices = vec![ctx.index(); sizes];
        let found = self.args(body);
        if !self.same("the arguments of region `body`", &found, &indices) {
            return;
        }
        let values = self.returned(body);
        let mut results = Vec::new();
        let mut mapped = values.as_slice();
        if let Some((region, types)) = operator {
            let Some((combined, stored)) = values.split_at_checked(types.len()) else {
                self.error("its body must return one value per neutral element at least");
                return;
            };
            let doubled: Vec<Type> = types.iter().chain(types).copied().collect();
            let (args, returned) = (self.args(region), self.returned(region));
            if !(self.same("the values to combine", combined, types)
                && self.same("the arguments of region `combine`", &args, &doubled)
                && self.same("the values region `combine` returns", &returned, types))
            {
                return;
            }
            let outer = if kind == Innermost::Reduced {
                sizes - 1
            } else {
                sizes
            };
            results.extend(types.iter().map(|&ty| tensor_over(ctx, outer, ty)));
            mapped = stored;
        }
        results.extend(mapped.iter().map(|&ty| tensor_over(ctx, sizes, ty)));
        let found: Vec<Type> = self
            .ir
            .results(self.op)
            .map(|value| self.ir.value_type(value))
            .collect();
        if self.same("the results", &found, &results) {
            self.nesting(level);
        }
    }

    /// The form is one of the op's, and the op does not stand inside another.
    pub(crate) fn form(&mut self, form: Option<Form>, suits: bool) {
        let Some(form) = form else { return };
        if !suits {
            self.error(format!("cannot take the form `{}`", form.keyword()));
        } else if self.around().is_some() {
            self.error(format!(
                "cannot take the form `{}` inside of another segmented op",
                form.keyword()
            ));
        }
    }

    /// Tensor cores have the points of the threads.
    fn contract(&mut self, seg: SegMapOp) {
        let sizes = crate::registers::constant_sizes(self.ir, seg);
        let points = Registers::of(self.ir, seg).zip(sizes);
        if seg.warpgroups(self.ir).is_some() {
            let fits = points.is_some_and(|(points, sizes)| {
                let wanted = <[i64; 2]>::try_from(&sizes[..]).ok();
                let wanted = wanted.and_then(crate::contract::warpgroup_points);
                wanted.is_some_and(|(wanted, _)| wanted == points)
            });
            if !fits || seg.asynchronous(self.ir).is_some() {
                self.error(
                    "is for warpgroups, so it needs a multiple of 64 rows, 64, 128, 192 or 256 columns, `registers` of 2 and of a \
                     quarter of the columns, and `runs [1, 2] apart 8`",
                );
            }
            return;
        }
        let fits = points.is_some_and(|(points, sizes)| {
            points
                .threads(&sizes)
                .is_some_and(|threads| crate::contract::in_warps(&points, &threads))
        });
        if !fits || seg.asynchronous(self.ir).is_some() {
            self.error(
                "is for tensor cores, so it needs `registers` of an even number of columns, `runs [1, 2]`, and a multiple of 8 \
                 by 4 threads",
            );
        }
    }

    /// The copies on their way are read by the threads of a block.
    fn asynchronous(&mut self, seg: SegMapOp) {
        let in_block = self
            .around()
            .is_some_and(|(_, level)| level == Level::Block);
        if seg.level(self.ir) != Level::Thread || !in_block {
            self.error("can be `async` at level `thread` inside level `block` only");
        }
        let last = self.ir.last_op(seg.body_block(self.ir));
        let is_read = |value: Value| {
            let made = self.ir.defining_op(value);
            let scalar = self.ir.value_type(value).is_scalar(self.ir.ctx());
            scalar && made.is_some_and(|op| crate::access::Read::is(self.ir, op))
        };
        if !last.is_some_and(|last| self.ir.operands(last).all(is_read)) {
            self.error("is `async`, so each of its values must be read at indices of a tensor");
        } else if seg.boxes(self.ir).is_some() && BoxCopy::of(self.ir, seg).is_none() {
            self.error(
                "copies no box: constant extents of up to 256 rows and a multiple of 64 columns, one read of numbers of 2 bytes, of \
                 which one index grows by ones with the rows, and the last one with the columns",
            );
        }
    }

    /// How many points a thread takes at once suits the op, and it does not stand inside another.
    fn vector(&mut self, lanes: Option<i64>, level: Level) {
        let Some(lanes) = lanes else { return };
        let outermost = level == Level::Thread && self.around().is_none();
        if !matches!(lanes, 2 | 4 | 8 | 16) {
            self.error("attribute `vector` must be 2, 4, 8 or 16");
        } else if !outermost || !may_take(self.ir, self.op, lanes) {
            self.error("cannot take several points at once");
        }
    }

    /// A mapping fits what it maps, and the hardware.
    pub(crate) fn mapping(&mut self, chain: Option<&segra_space::Chain>) {
        let fault = chain.and_then(|chain| crate::mapping::fault(self.ir, self.op, chain));
        if let Some(fault) = fault {
            self.error(fault);
        }
    }

    /// The segmented op around this one, and its level.
    fn around(&self) -> Option<(Op, Level)> {
        self.ir.ancestors(self.op).skip(1).find_map(|op| {
            let model = self.ir.interface::<dyn SegmentedOp>(op)?;
            Some((op, model.level(self.ir, op)))
        })
    }

    pub(crate) fn nesting(&mut self, level: Level) {
        let around = self.around();
        if let Some((outer_op, outer)) = around
            && !level.may_stand_inside(outer)
        {
            let message = format!(
                "of level `{}` cannot stand inside level `{}`",
                level.keyword(),
                outer.keyword()
            );
            let loc = self.ir.loc(outer_op);
            self.diags
                .error(message)
                .note(loc, "the segmented op around it");
        }
    }
}

impl Verify for SegMapOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let seg = SegMapOp::from_op(op);
        let mut check = Check { ir, op, diags };
        check.run(
            seg.level(ir),
            seg.sizes(ir).len(),
            seg.body(ir),
            None,
            Innermost::Mapped,
        );
        let faults = [
            crate::registers::fault(ir, seg),
            crate::schedule::fault(ir, seg),
        ];
        for fault in faults.into_iter().flatten() {
            check.diags.error(fault);
        }
        if seg.asynchronous(ir).is_some() {
            check.asynchronous(seg);
        } else if seg.boxes(ir).is_some() {
            check.error("has `boxes` without `async`");
        }
        if seg.contract(ir).is_some() {
            check.contract(seg);
        } else if seg.since(ir).is_some() || seg.warpgroups(ir).is_some() {
            check.error("has `since` or `warpgroups` without `contract`");
        }
        check.vector(seg.vector(ir), seg.level(ir));
        check.mapping(seg.mapping(ir));
    }
}

impl Verify for SegRedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let seg = SegRedOp::from_op(op);
        let types: Vec<Type> = seg
            .neutral(ir)
            .iter()
            .map(|&value| ir.value_type(value))
            .collect();
        let operator = Some((seg.combine(ir), types.as_slice()));
        let mut check = Check { ir, op, diags };
        check.run(
            seg.level(ir),
            seg.sizes(ir).len(),
            seg.body(ir),
            operator,
            Innermost::Reduced,
        );
        let form = seg.form(ir);
        let suits = form.is_some_and(|form| {
            let atomics = by_atomics(ir, seg.combine(ir));
            form.suits_reduction(combines_arrays(ir, &types), atomics)
        });
        check.form(form, suits);
        check.vector(seg.vector(ir), seg.level(ir));
        check.mapping(seg.mapping(ir));
    }
}

impl Verify for SegScanOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let seg = SegScanOp::from_op(op);
        let types: Vec<Type> = seg
            .neutral(ir)
            .iter()
            .map(|&value| ir.value_type(value))
            .collect();
        let operator = Some((seg.combine(ir), types.as_slice()));
        let mut check = Check { ir, op, diags };
        check.run(
            seg.level(ir),
            seg.sizes(ir).len(),
            seg.body(ir),
            operator,
            Innermost::Scanned,
        );
        let form = seg.form(ir);
        let suits = form
            .is_some_and(|form| form.suits_scan(combines_arrays(ir, &types), seg.sizes(ir).len()));
        check.form(form, suits);
        check.vector(seg.vector(ir), seg.level(ir));
        check.mapping(seg.mapping(ir));
    }
}

pub(crate) fn combines_arrays(ir: &Ir, types: &[Type]) -> bool {
    types.iter().any(|ty| ty.shaped(ir.ctx()).is_some())
}

/// Whether any op inside runs in parallel.
pub fn has_inner_parallelism(ir: &Ir, op: Op) -> bool {
    ir.walk(op)
        .into_iter()
        .skip(1)
        .any(|inner| ir.has_trait(inner, Trait::Parallel))
}

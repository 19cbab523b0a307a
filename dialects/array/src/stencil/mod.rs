//! Elements computed from those around them: stencil, and near, the read of one neighbour.
//!
//! A neighbourhood is any list of constant offsets, for each input its own. A rule says what stands
//! beyond an array's edges ([`segra_std::boundary`]), or a value, or a function of the index; all are defined at any distance, so arrays smaller
//! than the neighbourhood are no special case. "Column-based iteration" (3.3) has stencils of one input and a box, as
//! Accelerate's; its equation 3.1 is a box blur.
//!
//! * `eval`: execution; `syntax`: the custom text forms; `expand`: a stencil as maps over indices.
//!
//! Deliberately absent: in which order points run, what is read once for several of them.

mod eval;
mod expand;
mod syntax;

use crate::build::region_block;
use crate::combinator::{Combinator, Flavour, Parts};
use crate::shape::DimOp;
use crate::soac::{Check, yielded_types};
use crate::types::{AnyArray, ArrayType, Size, array_or_scalar, sizes_and_element};
use segra_interp::Eval;
use segra_ir::constraint::{AnyScalar, DenseI32Attr, DenseI64ArraysAttr, DenseI64Attr, Index};
use segra_ir::def::{OpParts, build_op};
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, ShapeOf, Verify};
use segra_ir::{
    Attr, Block, Builder, Context, Ir, Op, OpDiagnostics, OpState, OpView, Type, Value, op,
};
use segra_std::boundary::{Boundary, BoundaryAttr};
use segra_text::Syntax;

/// Furthest offset along a dimension.
pub const FURTHEST: i64 = 1 << 20;

/// At each index, the body's results for the elements of the inputs around it: those at the index plus each of an input's
/// offsets, in their order, input by input.
///
/// The results have the extents that all inputs have. Behind the offsets stands what is taken for elements outside of an
/// input: `clamp`, `mirror` (the edge is not repeated), `symmetric` (it is), `wrap`, `constant` and a value, or `outside` and
/// a function of the index there. `box [4, 4]` stands for all offsets of a box, here from `[-4, -4]` to `[4, 4]`, row by row.
/// ```mlir
/// %ys = array.stencil (%l, %c, %r in %xs : [n]f32 at [-1, 0, 1] mirror, %f in %fs : [n]f32 at [0]) {
///   %s = arith.addf %l, %r : f32
///   %t = arith.addf %s, %f : f32
///   array.yield %t : f32
/// }
/// ```
/// With `sizes`, nothing outside is read: the results have these extents, and offsets count from the first element on. A
/// size is not negative; where there are results, elements outside stop the program.
/// ```mlir
/// %means = array.stencil (%a, %b in %xs : [n]f32 at [0, 1]) sizes [%less] -> [?] {
///   %s = arith.addf %a, %b : f32
///   array.yield %s : f32
/// }
/// ```
/// `{schedule = #kernel.schedule<stripmine [32, 128] registers [4, 1], halo>}` says the tiles it runs in, `{mapping = ...}` which threads
/// run which points, as with `array.map`.
#[op(
    "array.stencil",
    traits(RecursiveEffects),
    interfaces(Combinator, ShapeOf, Verify, Syntax, Eval)
)]
pub struct StencilOp {
    /// Inputs, all of one rank; at least one.
    arrays: VariadicOperand<AnyArray>,
    /// Extents of the results; none: those of the inputs.
    sizes: VariadicOperand<Index>,
    /// For each input the offsets of its neighbourhood, one number per dimension each.
    offsets: Attr<DenseI64ArraysAttr>,
    /// For each input what is taken for elements outside of it.
    boundaries: Attr<DenseI32Attr>,
    /// From the elements around an index to one element of each result.
    body: BlockRegion,
    /// For each input with boundary `outside`, from the indices of an element outside to what is taken for it.
    outside: VariadicRegion,
    /// One array per yielded value.
    results: VariadicResult<AnyArray>,
}

/// The element of an array near an index of it: at the index plus constant offsets, or by a rule what stands for it outside
/// of the array (see [`segra_std::boundary`]); with `else`, a value. The index itself is one of the array's, or with `inside`
/// the one of the neighbour: others stop the program.
///
/// ```mlir
/// %l = array.near %xss[%i, %j] by [0, -1] mirror : [n][m]f32
/// %r = array.near %xss[%i, %j] by [0, 1] else %zero : [n][m]f32
/// ```
#[op("array.near", interfaces(Effects, InferTypes, Verify, Syntax, Eval))]
pub struct NearOp {
    array: Operand<AnyArray>,
    /// One per dimension, outermost first.
    indices: VariadicOperand<Index>,
    /// The value outside of the array; there is one if and only if the boundary is `outside`.
    otherwise: OptionalOperand<AnyScalar>,
    /// Numbers added to each index.
    offsets: Attr<DenseI64Attr>,
    /// The rule for elements outside.
    boundary: Attr<BoundaryAttr>,
    result: OpResult<AnyScalar>,
}

/// One input of a stencil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// The array.
    pub array: Value,
    /// Offsets, one number per dimension each.
    pub offsets: Vec<Vec<i64>>,
    /// The rule for elements outside.
    pub boundary: Boundary,
}

impl Neighbours {
    /// Those of a box, row-major: `radius` elements to either side along each dimension.
    ///
    /// ```
    /// # use segra_array::stencil::boxed;
    /// assert_eq!(boxed(&[1, 0]), [vec![-1, 0], vec![0, 0], vec![1, 0]]);
    /// ```
    pub fn boxed(array: Value, radius: &[i64], boundary: Boundary) -> Neighbours {
        let offsets = boxed(radius);
        Neighbours {
            array,
            offsets,
            boundary,
        }
    }
}

/// All offsets of a box, row-major.
pub fn boxed(radius: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &radius in radius {
        let longer = all.iter().flat_map(|before| {
            (-radius..=radius).map(move |at| before.iter().copied().chain([at]).collect())
        });
        all = longer.collect::<Vec<Vec<i64>>>();
    }
    all
}

fn rank_of(ir: &Ir, array: Value) -> usize {
    ir.value_type(array)
        .dialect::<ArrayType>(ir.ctx())
        .map_or(0, |ty| ty.sizes.len())
}

impl StencilOp {
    /// Dimensions of inputs and results.
    pub fn rank(self, ir: &Ir) -> usize {
        self.arrays(ir)
            .first()
            .map_or(0, |&array| rank_of(ir, array))
    }

    /// The inputs with their neighbourhoods.
    pub fn inputs(self, ir: &Ir) -> Vec<Neighbours> {
        let rank = self.rank(ir).max(1);
        let boundaries = self.boundaries(ir);
        let arrays = self.arrays(ir).into_iter().zip(self.offsets(ir));
        arrays
            .zip(boundaries)
            .map(|((array, offsets), boundary)| Neighbours {
                array,
                offsets: offsets.chunks(rank).map(<[i64]>::to_vec).collect(),
                boundary: Boundary::from_value(boundary).unwrap_or(Boundary::Inside),
            })
            .collect()
    }

    /// Extents of the results as their types have them.
    fn space(self, ir: &Ir) -> Vec<Size> {
        if let Some(result) = ir
            .results(self.op())
            .next()
            .filter(|_| !self.sizes(ir).is_empty())
        {
            return sizes_and_element(ir.ctx(), ir.value_type(result)).0;
        }
        common_sizes(ir, &self.arrays(ir))
    }
}

/// The sizes that arrays of one rank have in common: of each dimension the first that is not unknown.
pub fn common_sizes(ir: &Ir, arrays: &[Value]) -> Vec<Size> {
    let mut all: Vec<Size> = Vec::new();
    for &array in arrays {
        let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
        if all.is_empty() {
            all = sizes;
        } else {
            for (all, size) in all.iter_mut().zip(sizes) {
                *all = all.or(size);
            }
        }
    }
    all
}

impl Combinator for StencilOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        // Arguments of its body are not elements of its inputs one for one, so it has none for those who ask here.
        Parts::new(Flavour::Other, StencilOp::from_op(op).arrays(ir), None)
    }
    fn same_extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<(Value, usize)> {
        let stencil = StencilOp::from_op(op);
        let arrays = stencil.arrays(ir);
        stencil
            .sizes(ir)
            .is_empty()
            .then_some((*arrays.first()?, dim))
    }
    fn expand(&self, ir: &mut Ir, op: Op) -> bool {
        expand::expand(ir, StencilOp::from_op(op));
        true
    }
}

impl ShapeOf for StencilOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        StencilOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

/// The fault of a neighbourhood's offsets.
fn fault_of_offsets(offsets: &[i64], rank: usize) -> Option<String> {
    if offsets.is_empty() || !offsets.len().is_multiple_of(rank.max(1)) {
        let count = offsets.len();
        return Some(format!(
            "{count} offsets do not fit an array of rank {rank}"
        ));
    }
    let far = offsets.iter().find(|offset| offset.abs() > FURTHEST)?;
    Some(format!("an offset of {far} is beyond {FURTHEST}"))
}

impl Check<'_, '_> {
    /// One input of a stencil: its offsets, and whether they may leave it.
    fn neighbours(
        &mut self,
        stencil: StencilOp,
        at: usize,
        boundary: i64,
        offsets: &[i64],
    ) -> bool {
        let rank = stencil.rank(self.ir);
        if let Some(fault) = fault_of_offsets(offsets, rank) {
            self.error(format!("input #{at}: {fault}"));
            return false;
        }
        let sized = !stencil.sizes(self.ir).is_empty();
        let inside = boundary == Boundary::Inside.value();
        let fault = match (sized, inside) {
            _ if Boundary::from_value(boundary).is_none() => {
                Some(format!("has a boundary that is no rule: {boundary}"))
            }
            (true, false) => {
                Some("has a boundary beside `sizes`: nothing outside is read".to_owned())
            }
            (true, true) => offsets.iter().find(|&&offset| offset < 0).map(|offset| {
                format!("has an offset of {offset}; with `sizes` they count from 0 on")
            }),
            (false, true) => offsets
                .iter()
                .any(|&offset| offset != 0)
                .then(|| "needs a boundary, as in `clamp` or `constant %zero`".to_owned()),
            (false, false) => None,
        };
        if let Some(fault) = &fault {
            self.error(format!("input #{at} {fault}"));
        }
        fault.is_none()
    }

    /// All inputs have one rank, and where they are to, one shape.
    fn neighbourhoods(&mut self, stencil: StencilOp) -> bool {
        let (ir, ctx) = (self.ir, self.ir.ctx());
        let arrays = stencil.arrays(ir);
        let (offsets, boundaries) = (stencil.offsets(ir), stencil.boundaries(ir));
        let (rank, sizes) = (stencil.rank(ir), stencil.sizes(ir).len());
        if arrays.is_empty() {
            self.error("needs at least one input array");
            return false;
        }
        if arrays.len() != offsets.len() || arrays.len() != boundaries.len() {
            self.error("needs a list of offsets and a boundary for each input");
            return false;
        }
        if sizes != 0 && sizes != rank {
            self.error(format!(
                "operand `sizes` has {sizes} entries for rank {rank}"
            ));
            return false;
        }
        let common = common_sizes(ir, &arrays);
        for (at, &array) in arrays.iter().enumerate() {
            let (found, _) = sizes_and_element(ctx, ir.value_type(array));
            if found.len() != rank {
                let found = found.len();
                self.error(format!(
                    "input #{at} has rank {found}, but the first has {rank}"
                ));
                return false;
            }
            for (dim, (found, wanted)) in found.iter().zip(&common).enumerate() {
                if sizes == 0 && !found.compatible(*wanted) {
                    let (found, wanted) = (found.text(ctx), wanted.text(ctx));
                    self.error(format!(
                        "input #{at} has size `{found}` in dimension {dim}, but the others have `{wanted}`"
                    ));
                    return false;
                }
            }
            if !self.neighbours(stencil, at, boundaries[at], &offsets[at]) {
                return false;
            }
        }
        true
    }
}

/// Types of the elements that the body gets.
pub fn neighbour_types(ir: &Ir, inputs: &[Neighbours]) -> Vec<Type> {
    let mut types = Vec::new();
    for input in inputs {
        let (_, element) = sizes_and_element(ir.ctx(), ir.value_type(input.array));
        types.extend(vec![element; input.offsets.len()]);
    }
    types
}

impl Verify for StencilOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (stencil, mut check) = (StencilOp::from_op(op), Check { ir, op, diags });
        let ctx = ir.ctx();
        if !check.neighbourhoods(stencil) {
            return;
        }
        let inputs = stencil.inputs(ir);
        let outside: Vec<&Neighbours> = inputs
            .iter()
            .filter(|input| input.boundary == Boundary::Outside)
            .collect();
        let regions = stencil.outside(ir).to_vec();
        if regions.len() != outside.len() {
            let (found, wanted) = (regions.len(), outside.len());
            check.error(format!(
                "has {found} functions for what is outside of {wanted} inputs"
            ));
            return;
        }
        let indices = vec![ctx.index(); stencil.rank(ir)];
        for (input, region) in outside.into_iter().zip(regions) {
            if ir.blocks(region).count() != 1 {
                check.error("region `outside` must have one basic block");
                return;
            }
            let (_, element) = sizes_and_element(ctx, ir.value_type(input.array));
            if !check.args(region, "outside", &indices)
                || !check.yields(region, "outside", &[element])
            {
                return;
            }
        }
        if !check.args(stencil.body(ir), "body", &neighbour_types(ir, &inputs)) {
            return;
        }
        let yielded = yielded_types(ir, stencil.body_block(ir));
        if let Some(at) = yielded.iter().position(|ty| !ty.is_scalar(ctx)) {
            check.error(format!(
                "its body must yield numbers, but value #{at} is none"
            ));
            return;
        }
        let space = stencil.space(ir);
        let wanted: Vec<Type> = yielded
            .iter()
            .map(|&ty| array_or_scalar(ctx, &space, ty))
            .collect();
        check.results(&wanted);
    }
}

impl Effects for NearOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // It may stop the program: it can be merged or removed, but not be run where it was not.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl InferTypes for NearOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let array = state.operands.first().ok_or("needs an array")?;
        Ok(vec![sizes_and_element(ir.ctx(), ir.value_type(*array)).1])
    }
}

impl Verify for NearOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let near = NearOp::from_op(op);
        let rank = rank_of(ir, near.array(ir));
        let (indices, offsets) = (near.indices(ir).len(), near.offsets(ir));
        if indices != rank || offsets.len() != rank {
            let offsets = offsets.len();
            diags.error(format!(
                "{indices} indices and {offsets} offsets do not fit an array of rank {rank}"
            ));
        }
        if let Some(far) = offsets.iter().find(|offset| offset.abs() > FURTHEST) {
            diags.error(format!("an offset of {far} is beyond {FURTHEST}"));
        }
        let element = sizes_and_element(ir.ctx(), ir.value_type(near.array(ir))).1;
        let otherwise = near.otherwise(ir).map(|value| ir.value_type(value));
        let fault = match (near.boundary(ir), otherwise) {
            (Boundary::Outside, None) => "needs a value for elements outside",
            (Boundary::Outside, Some(ty)) if ty != element => {
                "operand `otherwise` must be an element of operand `array`"
            }
            (Boundary::Outside, _) | (_, None) => return,
            (_, Some(_)) => "has a value for elements outside, but a rule for them, too",
        };
        diags.error(fault);
    }
}

/// The extent of a dimension, as a value.
pub(crate) fn extent_of(b: &mut Builder<'_>, array: Value, dim: usize) -> Value {
    let (dim, index) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
    DimOp::build(b, array, dim, index).result(b.ir)
}

/// A function from the indices of an element outside of an input to what is taken for it.
pub type OutsideFn<'a> = &'a mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Value;

/// Builds `array.stencil` with extents of the inputs: `body` gets the elements around an index and returns the values to
/// yield; `outside` has a function for each input with that boundary.
pub fn stencil(
    b: &mut Builder<'_>,
    inputs: &[Neighbours],
    outside: &mut [OutsideFn<'_>],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> StencilOp {
    let types = neighbour_types(b.ir, inputs);
    let body = region_block(b, &types, body);
    let rank = inputs.first().map_or(0, |input| rank_of(b.ir, input.array));
    let indices = vec![b.ctx().index(); rank];
    let mut blocks = Vec::new();
    for function in outside {
        blocks.push(region_block(b, &indices, |b, at| vec![function(b, at)]));
    }
    let arrays: Vec<Value> = inputs.iter().map(|input| input.array).collect();
    let space = common_sizes(b.ir, &arrays);
    build(b, inputs, (&[], &space), body, &blocks)
}

/// Builds the op of detached blocks, for sizes as values (none: those of the inputs) and in types.
pub fn build(
    b: &mut Builder<'_>,
    inputs: &[Neighbours],
    (sizes, space): (&[Value], &[Size]),
    body: Block,
    outside: &[Block],
) -> StencilOp {
    let ctx = b.ir.context();
    let results: Vec<Type> = yielded_types(b.ir, body)
        .into_iter()
        .map(|ty| array_or_scalar(&ctx, space, ty))
        .collect();
    let arrays: Vec<Value> = inputs.iter().map(|input| input.array).collect();
    let (offsets, boundaries) = attributes(&ctx, inputs);
    let results = [results.as_slice()];
    let parts = OpParts {
        operands: &[&arrays, sizes],
        attrs: &[("offsets", Some(offsets)), ("boundaries", Some(boundaries))],
        regions: 1 + outside.len(),
        results: Some(&results),
        ..OpParts::default()
    };
    let op = StencilOp::from_op(build_op(b, StencilOp::DEF, parts));
    let regions = b.ir.regions(op.op()).to_vec();
    for (region, &block) in regions.into_iter().zip([body].iter().chain(outside)) {
        b.ir.append_block(region, block);
    }
    op
}

/// The attributes `offsets` and `boundaries` of a stencil.
pub(crate) fn attributes(ctx: &Context, inputs: &[Neighbours]) -> (Attr, Attr) {
    let offsets: Vec<_> = inputs
        .iter()
        .map(|input| ctx.dense_i64_attr(&input.offsets.concat()))
        .collect();
    let boundaries: Vec<i32> = inputs
        .iter()
        .map(|input| input.boundary.value() as i32)
        .collect();
    (ctx.array_attr(&offsets), ctx.dense_i32_attr(&boundaries))
}

//! Tensors without contents yet, and the same contents under other types and shapes.

use super::rank;
use crate::arith::rules::folded_value;
use segra_interp::array::element_count;
use segra_interp::{
    ArrayValue, Cx, Datum, Elem, Elements, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes,
    Prepare, Prepared,
};
use segra_ir::constraint::{AnyType, Index, RankedOrUnrankedTensor, RankedTensor};
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, Fold, Folded, Rewriter, ShapeOf, Verify,
    known_extent,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Builder, Context, Ir, Op, OpDiagnostics, OpView, Type, TypeKind, Value, op};
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

/// The same tensor under a type that says more or less about its extents; checked at run time.
///
/// ```mlir
/// %u = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
/// ```
#[op(
    "tensor.cast",
    traits(Pure),
    interfaces(Fold, Canonicalize, ShapeOf, Verify, Eval),
    format = "$source attr-dict `:` type($source) `to` type($dest)"
)]
pub struct CastOp {
    source: Operand<RankedOrUnrankedTensor>,
    dest: OpResult<RankedOrUnrankedTensor>,
}

/// A tensor whose elements nobody reads before they are replaced.
///
/// The interpreter fills it with zeros (upstream: undefined), but no program may depend on that.
///
/// ```mlir
/// %t = tensor.empty(%n) : tensor<?x4xf32>
/// ```
#[op(
    "tensor.empty",
    traits(Pure),
    interfaces(ShapeOf, Verify, Eval),
    format = "`(` $dynamic_sizes `)` attr-dict `:` type($result)"
)]
pub struct EmptyOp {
    /// One per extent the type leaves open, outermost first; not negative.
    dynamic_sizes: VariadicOperand<Index>,
    result: OpResult<RankedTensor>,
}

/// A tensor of the given elements, in row-major order.
///
/// ```mlir
/// %shape = tensor.from_elements %n, %m : tensor<2xindex>
/// ```
#[op("tensor.from_elements", traits(Pure), interfaces(Verify, Syntax, Eval))]
pub struct FromElementsOp {
    /// As many as the type says, of its element type.
    elements: VariadicOperand<AnyType>,
    result: OpResult<RankedTensor>,
}

/// The same elements, in row-major order, under other extents with the same product.
///
/// ```mlir
/// %shape = tensor.from_elements %n, %m : tensor<2xindex>
/// %u = tensor.reshape %t(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
/// ```
#[op(
    "tensor.reshape",
    interfaces(Effects, ShapeOf, Verify, Eval),
    format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
)]
pub struct ReshapeOp {
    source: Operand<RankedOrUnrankedTensor>,
    /// New extents, outermost first; not negative.
    shape: Operand<RankedTensor>,
    result: OpResult<RankedTensor>,
}

fn shape_of(ctx: &Context, ty: Type) -> &[i64] {
    ty.shaped(ctx).map_or(&[], |(shape, _)| shape)
}

/// Number of elements of a shape that says it.
fn count_of(shape: &[i64]) -> Option<i64> {
    shape.iter().try_fold(1i64, |count, &extent| {
        count.checked_mul(extent).filter(|_| extent != DYNAMIC)
    })
}

fn element_of(ir: &Ir, value: Value) -> Type {
    ir.value_type(value).element_or_self(ir.ctx())
}

/// Checks extents against those that a type says.
fn check_shape(cx: &Cx<'_>, inst: &Inst, sizes: &[usize]) -> Result<(), EvalError> {
    let ty = cx.ir().value_type(cx.ir().result(inst.op, 0));
    let Some((said, _)) = ty.shaped(cx.ir().ctx()) else {
        return Ok(());
    };
    let fits =
        |(&size, &said): (&usize, &i64)| said == DYNAMIC || usize::try_from(said) == Ok(size);
    match said.len() == sizes.len() && sizes.iter().zip(said).all(fits) {
        true => Ok(()),
        false => Err(cx.error(
            inst,
            format!("has extents {sizes:?}, which its type does not allow"),
        )),
    }
}

impl Verify for CastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let cast = CastOp::from_op(op);
        let types = [cast.source(ir), cast.dest(ir)].map(|value| ir.value_type(value));
        let shapes = types.map(|ty| ty.shaped(ir.ctx()).map(|(shape, _)| shape));
        let agree = |(&a, &b): (&i64, &i64)| a == b || a == DYNAMIC || b == DYNAMIC;
        let fit = match shapes {
            [Some(from), Some(to)] => from.len() == to.len() && from.iter().zip(to).all(agree),
            // One of them has no rank.
            _ => true,
        };
        if element_of(ir, cast.source(ir)) != element_of(ir, cast.dest(ir)) {
            diags.error("operand `source` and the result must have one element type");
        } else if !fit {
            diags
                .error("operand `source` and the result must agree where both types say an extent");
        }
    }
}

impl Fold for CastOp {
    fn fold(&self, ir: &Ir, op: Op, _: &[Option<Attr>]) -> Folded {
        let cast = CastOp::from_op(op);
        let (source, ty) = (cast.source(ir), ir.value_type(cast.dest(ir)));
        let before = ir.def_as::<CastOp>(source).map(|before| before.source(ir));
        let same = |&value: &Value| ir.value_type(value) == ty;
        folded_value([Some(source), before].into_iter().flatten().find(same)?)
    }
}

impl Canonicalize for CastOp {
    /// A cast of a cast that says no more than its source is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let weaker = |cast: &CastOp| {
            let types = [cast.source(ir), cast.dest(ir)].map(|value| ir.value_type(value));
            let shapes = types.map(|ty| ty.shaped(ir.ctx()).map(|(shape, _)| shape));
            let [Some(from), Some(to)] = shapes else {
                return false;
            };
            from.iter()
                .zip(to)
                .all(|(from, to)| from == to || *to == DYNAMIC)
        };
        let before = ir.def_as::<CastOp>(ir.operand(op, 0)).filter(weaker);
        let Some(source) = before.map(|before| before.source(ir)) else {
            return false;
        };
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, source));
        true
    }
}

impl ShapeOf for CastOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        known_extent(ir, CastOp::from_op(op).source(ir), dim)
    }
}

impl Eval for CastOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            check_shape(cx, inst, cx.array(inst, 0, lane)?.shape())?;
            let array = cx.operand(inst, 0, lane).clone();
            cx.set_result(inst, 0, lane, array);
        }
        Ok(Flow::Next)
    }
}

impl EmptyOp {
    /// An empty tensor of a type with these extents, one per dimension; those that the type says are left out.
    pub fn of(b: &mut Builder<'_>, sizes: &[Value], ty: Type) -> Value {
        let shape = shape_of(b.ctx(), ty).iter();
        let open = sizes.iter().zip(shape).filter(|row| *row.1 == DYNAMIC);
        let open: Vec<Value> = open.map(|(&size, _)| size).collect();
        EmptyOp::build(b, &open, ty).result(b.ir)
    }
    /// All extents, outermost first.
    pub fn sizes(self, b: &mut Builder<'_>) -> Vec<Value> {
        let shape = shape_of(b.ctx(), b.ir.value_type(self.result(b.ir))).to_vec();
        let mut open = self.dynamic_sizes(b.ir).into_iter();
        let size = |extent| match extent {
            DYNAMIC => open.next(),
            extent => Some(crate::arith::index::constant(b, extent)),
        };
        shape.into_iter().map_while(size).collect()
    }
}

impl ShapeOf for EmptyOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        let empty = EmptyOp::from_op(op);
        let shape = shape_of(ir.ctx(), ir.value_type(empty.result(ir)));
        let before = shape
            .get(..dim)?
            .iter()
            .filter(|&&extent| extent == DYNAMIC);
        (shape.get(dim) == Some(&DYNAMIC))
            .then(|| empty.dynamic_sizes(ir).get(before.count()).copied())?
    }
}

impl Verify for EmptyOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let empty = EmptyOp::from_op(op);
        let shape = shape_of(ir.ctx(), ir.value_type(empty.result(ir)));
        let open = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
        let given = empty.dynamic_sizes(ir).len();
        if given != open {
            diags.error(format!(
                "needs {open} `dynamic_sizes` by its type, not {given}"
            ));
        }
    }
}

/// Extents as an array has them.
fn extents(cx: &Cx<'_>, inst: &Inst, sizes: &[i64]) -> Result<Vec<usize>, EvalError> {
    let sizes: Result<Vec<usize>, _> = sizes.iter().map(|&size| usize::try_from(size)).collect();
    let sizes = sizes.map_err(|_| cx.error(inst, "has a negative extent"))?;
    cx.check(inst, cx.check_allocation(element_count(&sizes)))?;
    Ok(sizes)
}

/// The type of a tensor that an op makes, for its evaluation.
struct Made {
    elem: Elem,
    shape: Vec<i64>,
}

/// Of the result of an op.
fn prepare_made(p: &Prepare<'_>) -> Result<Prepared, Fault> {
    let ctx = p.ir.ctx();
    let shaped = p.ir.value_type(p.ir.result(p.op, 0)).shaped(ctx);
    let (shape, element) = shaped.ok_or_else(|| Fault::new("has no ranked type"))?;
    let elem = Elem::of(ctx, element)
        .ok_or_else(|| Fault::new("has elements the interpreter cannot hold"))?;
    let shape = shape.to_vec();
    Ok(Prepared::other(Made { elem, shape }))
}

impl Eval for EmptyOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_made(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Made { elem, shape } = inst
            .data::<Made>()
            .ok_or_else(|| cx.error(inst, "is not prepared"))?;
        for lane in lanes.iter() {
            let open = cx.ints(inst, 0..inst.operands.len(), lane)?;
            let mut open = open.iter().copied();
            let size = |&extent: &i64| match extent {
                DYNAMIC => open.next(),
                extent => Some(extent),
            };
            let sizes: Vec<i64> = shape.iter().map_while(size).collect();
            let sizes = extents(cx, inst, &sizes)?;
            let zeros = Elements::zeros(*elem, element_count(&sizes).unwrap_or(0));
            let array = ArrayValue::new(*elem, sizes, zeros);
            let array = array.ok_or_else(|| cx.error(inst, "is too large"))?;
            cx.set_result(inst, 0, lane, Datum::array(array));
        }
        Ok(Flow::Next)
    }
}

impl Syntax for FromElementsOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let made = FromElementsOp::from_op(op);
        let (elements, result) = (made.elements(p.ir()), made.result(p.ir()));
        if !elements.is_empty() {
            p.text(" ");
            p.values(elements);
        }
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.types_of([result]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let elements = p.parse_operand_list()?;
        p.parse_attr_dict_into(state)?;
        let ty = p.parse_colon_type()?;
        let types = vec![ty.element_or_self(ctx); elements.len()];
        crate::syntax::resolve(p, state, &elements, &types)?;
        state.state.result_types.push(ty);
        Ok(())
    }
}

impl Verify for FromElementsOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let made = FromElementsOp::from_op(op);
        let shape = shape_of(ir.ctx(), ir.value_type(made.result(ir)));
        let (elements, element) = (made.elements(ir), element_of(ir, made.result(ir)));
        if count_of(shape) != i64::try_from(elements.len()).ok() {
            diags.error("the result's type must say how many elements there are");
        } else if elements
            .iter()
            .any(|&value| ir.value_type(value) != element)
        {
            diags.error("operands `elements` must have the element type of the result");
        }
    }
}

impl Eval for FromElementsOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_made(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Made { elem, shape } = inst
            .data::<Made>()
            .ok_or_else(|| cx.error(inst, "is not prepared"))?;
        let shape = extents(cx, inst, shape)?;
        for lane in lanes.iter() {
            let mut elements = Elements::with_capacity(*elem, inst.operands.len());
            let pushed = (0..inst.operands.len())
                .try_for_each(|at| elements.push(cx.operand(inst, at, lane)));
            let array = pushed.and_then(|()| ArrayValue::new(*elem, shape.clone(), elements));
            let array = array.ok_or_else(|| cx.error(inst, "has elements of another type"))?;
            cx.set_result(inst, 0, lane, Datum::array(array));
        }
        Ok(Flow::Next)
    }
}

impl ReshapeOp {
    /// A tensor under other extents, one per dimension of the type.
    pub fn to(b: &mut Builder<'_>, tensor: Value, sizes: &[Value], ty: Type) -> Value {
        let shape = b.ctx().ty(TypeKind::Tensor {
            shape: vec![sizes.len() as i64],
            element: b.ctx().index(),
            encoding: None,
        });
        let shape = FromElementsOp::build(b, sizes, shape).result(b.ir);
        ReshapeOp::build(b, tensor, shape, ty).result(b.ir)
    }
    /// The extents, outermost first, where [`FromElementsOp`] lists them; else none.
    pub fn sizes(self, ir: &Ir) -> Vec<Value> {
        let listed = ir.def_as::<FromElementsOp>(self.shape(ir));
        let sizes = listed.map(|listed| listed.elements(ir)).unwrap_or_default();
        let indices = sizes
            .iter()
            .all(|&size| ir.value_type(size) == ir.ctx().index());
        sizes.into_iter().filter(|_| indices).collect()
    }
}

impl Effects for ReshapeOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // It stops the program where the product differs.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl ShapeOf for ReshapeOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        ReshapeOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

impl Verify for ReshapeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let reshape = ReshapeOp::from_op(op);
        let shape = ir.value_type(reshape.shape(ir));
        let integer = matches!(
            ir.ctx().type_kind(shape.element_or_self(ir.ctx())),
            TypeKind::Integer { .. } | TypeKind::Index
        );
        let &[count] = shape_of(ir.ctx(), shape) else {
            diags.error("operand `shape` must have rank 1");
            return;
        };
        let rank = rank(ir, reshape.result(ir));
        if !integer {
            diags.error("operand `shape` must have integers or indices as elements");
        }
        if count != rank as i64 {
            let count = match count {
                DYNAMIC => "an open number of".to_owned(),
                count => count.to_string(),
            };
            diags.error(format!(
                "has {count} extents, but the result has rank {rank}"
            ));
        }
        if element_of(ir, reshape.source(ir)) != element_of(ir, reshape.result(ir)) {
            diags.error("result must have the element type of operand `source`");
        }
        let counts = [reshape.source(ir), reshape.result(ir)];
        let [from, to] = counts.map(|value| {
            let shaped = ir.value_type(value).shaped(ir.ctx());
            count_of(shaped?.0)
        });
        if from.is_some() && to.is_some() && from != to {
            diags.error("result must have as many elements as operand `source`");
        }
    }
}

impl Eval for ReshapeOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let listed = cx.array(inst, 1, lane)?.iter();
            let listed: Vec<i64> = listed.filter_map(|size| size.as_int()).collect();
            let sizes = extents(cx, inst, &listed)?;
            let array = cx.array(inst, 0, lane)?;
            let count = array.len();
            let new = array.reshaped(sizes.clone()).ok_or_else(|| {
                cx.error(
                    inst,
                    format!("cannot give shape {sizes:?} to {count} elements"),
                )
            })?;
            check_shape(cx, inst, &sizes)?;
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
}

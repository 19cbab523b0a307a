//! Single elements and subvectors.

use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes,
    Prepare, Prepared,
};
use segra_ir::constraint::{AnyType, AnyVector, DenseI64Attr, Index};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Fold, Verify};
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, OpView, Type, TypeKind, op};
use smallvec::SmallVec;

/// The element or subvector at a position.
#[op(
    "vector.extract",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$source `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:`
               type($result) `from` type($source)"
)]
pub struct ExtractOp {
    source: Operand<AnyVector>,
    dynamic_position: VariadicOperand<Index>,
    static_position: Attr<DenseI64Attr>,
    result: OpResult<AnyType>,
}

/// The vector with the element or subvector at a position replaced.
#[op(
    "vector.insert",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$value_to_store `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict
               `:` type($value_to_store) `into` type($dest) same-type($dest, $result)"
)]
pub struct InsertOp {
    value_to_store: Operand<AnyType>,
    dest: Operand<AnyVector>,
    dynamic_position: VariadicOperand<Index>,
    static_position: Attr<DenseI64Attr>,
    result: OpResult<AnyVector>,
}

/// The range of a valid position.
struct Position<'a> {
    vector: Type,
    part: (&'static str, Type),
    fixed: &'a [i64],
    dynamic: usize,
    /// A vector of one element may stand for the element.
    one_is_scalar: bool,
}

impl Position<'_> {
    fn verify(&self, ir: &Ir, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let Some((shape, element)) = self.vector.shaped(ctx) else {
            return;
        };
        let open = self.fixed.iter().filter(|&&index| index == DYNAMIC).count();
        // Upstream does not compare the numbers where something is inserted.
        if self.one_is_scalar && open != self.dynamic {
            diags.error("needs an operand for each index of the position that is not static");
        }
        if self.fixed.len() > shape.len() {
            diags.error("has more indices than the vector has dimensions");
            return;
        }
        // -1 stands for no place in particular.
        let outside =
            |(&index, &extent): (&i64, &i64)| index != DYNAMIC && (index < -1 || index >= extent);
        if self.fixed.iter().zip(shape).any(outside) {
            diags.error("has a static index outside of the vector");
        }
        let whole = super::VectorShape::of(ctx, self.vector);
        let rest = (
            &shape[self.fixed.len()..],
            &whole.scalable[self.fixed.len()..],
        );
        let (name, part) = self.part;
        let fits = match ctx.type_kind(part) {
            TypeKind::Vector {
                shape: inner,
                scalable,
                element: other,
            } if self.one_is_scalar => {
                // A single element is never extracted as a vector without dimensions.
                *other == element
                    && !inner.is_empty()
                    && (inner[..] == *rest.0 && scalable[..] == *rest.1
                        || inner[..] == [1] && rest.0.is_empty())
            }
            TypeKind::Vector {
                shape: inner,
                element: other,
                ..
            } => {
                // The inserted value only needs the rank: upstream compares no extents.
                !inner.is_empty() && inner.len() == rest.0.len() && *other == element
            }
            _ if self.one_is_scalar => part == element && (rest.0.is_empty() || rest.0 == [1]),
            _ => part.element_or_self(ctx) == element && rest.0.is_empty(),
        };
        if !fits {
            diags.error(format!(
                "{name} must have the type of what the position selects"
            ));
        }
    }
}

impl Verify for ExtractOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ExtractOp::from_op(op);
        let position = Position {
            vector: ir.value_type(view.source(ir)),
            part: ("the result", ir.value_type(view.result(ir))),
            fixed: &view.static_position(ir),
            dynamic: view.dynamic_position(ir).len(),
            one_is_scalar: true,
        };
        position.verify(ir, diags);
    }
}

impl Verify for InsertOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = InsertOp::from_op(op);
        let vector = ir.value_type(view.dest(ir));
        let position = Position {
            vector,
            part: (
                "operand `value_to_store`",
                ir.value_type(view.value_to_store(ir)),
            ),
            fixed: &view.static_position(ir),
            dynamic: view.dynamic_position(ir).len(),
            one_is_scalar: false,
        };
        position.verify(ir, diags);
        if ir.value_type(view.result(ir)) != vector {
            diags.error("operand `dest` and the result must have one type");
        }
    }
}

fn prepare_position(p: &Prepare<'_>) -> Result<Prepared, Fault> {
    let fixed = p
        .attr("static_position")
        .and_then(|attr| attr.as_dense_i64(p.ir.ctx()));
    fixed
        .map(Prepared::other)
        .ok_or_else(|| Fault::new("has no position"))
}

/// The position in a lane; dynamic indices are the operands from `first` on.
fn position(
    cx: &Cx<'_>,
    inst: &Inst,
    first: usize,
    lane: usize,
) -> Result<SmallVec<[i64; 4]>, EvalError> {
    let mut dynamic = cx.ints(inst, first..inst.operands.len(), lane)?.into_iter();
    let fixed = inst.data::<Vec<i64>>().map_or(&[][..], Vec::as_slice);
    Ok(fixed
        .iter()
        .map(|&index| {
            if index == DYNAMIC {
                dynamic.next().unwrap_or(-1)
            } else {
                index
            }
        })
        .collect())
}

fn outside(indices: &[i64], vector: &ArrayValue) -> Fault {
    Fault::new(format!(
        "position {indices:?} is outside of a vector of shape {:?}",
        vector.shape()
    ))
}

impl Eval for ExtractOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_position(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = position(cx, inst, 1, lane)?;
            let Some(vector) = cx.operand(inst, 0, lane).as_vector() else {
                return Err(cx.error(inst, "needs a vector"));
            };
            let part = match vector.at(&indices) {
                Some(Datum::Array(part)) => Datum::Vector(part),
                Some(element) => element,
                None => return Err(cx.error(inst, outside(&indices, vector))),
            };
            cx.set_result(inst, 0, lane, part);
        }
        Ok(Flow::Next)
    }
}

impl Eval for InsertOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_position(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = position(cx, inst, 2, lane)?;
            let Some(vector) = cx.operand(inst, 1, lane).as_vector() else {
                return Err(cx.error(inst, "needs a vector"));
            };
            let value = cx.check(inst, insert(vector, &indices, cx.operand(inst, 0, lane)))?;
            cx.set_result(inst, 0, lane, value);
        }
        Ok(Flow::Next)
    }
}

fn insert(vector: &ArrayValue, indices: &[i64], value: &Datum) -> Result<Datum, Fault> {
    let error = || outside(indices, vector);
    vector.at(indices).ok_or_else(error)?;
    let (mut start, mut size) = (0, vector.len());
    for (&index, &extent) in indices.iter().zip(vector.shape()) {
        size /= extent;
        start += usize::try_from(index).map_err(|_| error())? * size;
    }
    let mut elements = Elements::with_capacity(vector.elem(), vector.len());
    for position in 0..vector.len() {
        let inside = (start..start + size).contains(&position);
        let element = match value {
            Datum::Vector(part) if inside => part.get(position - start),
            scalar if inside => Some(scalar.clone()),
            _ => vector.get(position),
        };
        element
            .and_then(|element| elements.push(&element))
            .ok_or_else(error)?;
    }
    ArrayValue::new(vector.elem(), vector.shape().to_vec(), elements)
        .map(Datum::vector)
        .ok_or_else(error)
}

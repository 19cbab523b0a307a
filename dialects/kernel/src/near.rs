//! Reading neighbours: elements at an index plus constant offsets, and what stands for them outside of a tensor.
//!
//! Passes that decide how points are run see from it where an element lies beside the point, and whether it may be outside;
//! [`NearOp::resolve`] is the one place where the rule becomes arithmetic.

use crate::access::Read;
use segra_interp::{Cx, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::constraint::{AnyScalar, DenseI64Attr, Index, RankedTensor, UnitAttr};
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, Verify};
use segra_ir::{Builder, Ir, Op, OpDiagnostics, OpState, OpView, Type, Value, op};
use segra_std::arith::{SelectOp, index};
use segra_std::boundary::{self, Boundary, BoundaryAttr};
use segra_std::tensor::DimOp;

/// The element of a tensor near an index of it: at the index plus constant offsets, or by a rule what stands for it outside
/// of the tensor (see [`segra_std::boundary`]); with `outside`, the value given behind `else`; with `inside`, it is none.
///
/// ```mlir
/// %l = kernel.near %xs[%i, %j] mirror {offsets = array<i64: 0, -1>} : tensor<?x?xf32>
/// %r = kernel.near %xs[%i, %j] outside else %zero : f32 {offsets = array<i64: 0, 1>} : tensor<?x?xf32>
/// ```
#[op(
    "kernel.near",
    interfaces(Effects, InferTypes, Verify, Eval),
    format = "$tensor `[` $indices `]` $boundary (`else` $otherwise^ `:` type($otherwise))? attr-dict `:` type($tensor)"
)]
pub struct NearOp {
    tensor: Operand<RankedTensor>,
    /// One per dimension, outermost first.
    indices: VariadicOperand<Index>,
    /// The value outside of the tensor; there is one if and only if the boundary is `outside`.
    otherwise: OptionalOperand<AnyScalar>,
    /// Numbers added to each index.
    offsets: Attr<DenseI64Attr>,
    /// The rule for elements outside.
    boundary: Attr<BoundaryAttr>,
    /// The program gives an index that may be out of range: running it checks, on every device.
    checked: OptionalAttr<UnitAttr>,
    result: OpResult<AnyScalar>,
}

impl NearOp {
    /// The value as reads and arithmetic, of a tensor that has elements or with a value for those outside.
    pub fn resolve(self, b: &mut Builder<'_>) -> Value {
        let (tensor, indices) = (self.tensor(b.ir), self.indices(b.ir));
        self.resolve_at(b, tensor, &indices)
    }

    /// The same for another tensor and other indices.
    pub fn resolve_at(self, b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Value {
        let (offsets, rule) = (self.offsets(b.ir), self.boundary(b.ir));
        let (mut places, mut moved, mut extents) = (Vec::new(), Vec::new(), Vec::new());
        for (dim, (&at, &offset)) in indices.iter().zip(&offsets).enumerate() {
            if offset == 0 {
                places.push(at);
                continue;
            }
            let extent = DimOp::of(b, tensor, dim);
            let offset = index::constant(b, offset);
            let at = index::add(b, at, offset);
            moved.push(at);
            extents.push(extent);
            places.push(match rule {
                Boundary::Inside => at,
                rule => rule.emit(b, at, extent),
            });
        }
        let checked = self.checked_attr(b.ir).is_some();
        let read = Read::build_checked(b, tensor, &places, checked);
        let element = read.result(b.ir);
        match self.otherwise(b.ir) {
            Some(otherwise) if !moved.is_empty() => {
                let inside = boundary::inside(b, &moved, &extents);
                SelectOp::build(b, inside, element, otherwise).result(b.ir)
            }
            _ => element,
        }
    }
}

impl Effects for NearOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // As a read: it must not run where there is no element.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl InferTypes for NearOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let tensor = state.operands.first().ok_or("needs a tensor")?;
        let shaped = ir.value_type(*tensor).shaped(ir.ctx());
        let (_, element) = shaped.ok_or("needs a ranked tensor")?;
        Ok(vec![element])
    }
}

impl Verify for NearOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let near = NearOp::from_op(op);
        let Some((shape, element)) = ir.value_type(near.tensor(ir)).shaped(ir.ctx()) else {
            return;
        };
        let (rank, indices, offsets) =
            (shape.len(), near.indices(ir).len(), near.offsets(ir).len());
        if indices != rank || offsets != rank {
            diags.error(format!(
                "{indices} indices and {offsets} offsets do not fit a tensor of rank {rank}"
            ));
        }
        let otherwise = near.otherwise(ir).map(|value| ir.value_type(value));
        let fault = match (near.boundary(ir), otherwise) {
            (Boundary::Outside, None) => "needs a value for elements outside",
            (Boundary::Outside, Some(ty)) if ty != element => {
                "operand `otherwise` must be an element of operand `tensor`"
            }
            (Boundary::Outside, _) | (_, None) => return,
            (_, Some(_)) => "has a value for elements outside, but a rule for them, too",
        };
        diags.error(fault);
    }
}

/// Offsets and rule of a read.
struct Offset {
    offsets: Vec<i64>,
    rule: Boundary,
}

impl Eval for NearOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Offset { offsets, rule } = inst
            .data::<Offset>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let rank = offsets.len();
            let indices = cx.ints(inst, 1..1 + rank, lane)?;
            let tensor = cx.array(inst, 0, lane)?;
            let places = indices.iter().zip(offsets).zip(tensor.shape());
            let found: Option<Vec<i64>> = places
                .map(|((&at, &offset), &extent)| {
                    rule.resolve(at.wrapping_add(offset), extent as i64)
                })
                .collect();
            let element = match found.and_then(|found| tensor.at(&found)) {
                Some(element) => element,
                None if *rule == Boundary::Outside => cx.operand(inst, 1 + rank, lane).clone(),
                None => {
                    let (indices, shape) = (&indices[..], tensor.shape());
                    let message =
                        format!("index {indices:?} is near no element of shape {shape:?}");
                    return Err(cx.error(inst, message));
                }
            };
            cx.set_result(inst, 0, lane, element);
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let near = NearOp::from_op(p.op);
        Ok(Prepared::other(Offset {
            offsets: near.offsets(p.ir),
            rule: near.boundary(p.ir),
        }))
    }
}

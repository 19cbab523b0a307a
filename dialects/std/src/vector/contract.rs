//! Products and reductions of whole vectors.

use super::{CombiningKind, CombiningKindAttr, VectorShape};
use segra_ir::attrs::{AffineExpr, AffineMap, CustomAttr};
use segra_ir::constraint::{
    AnyType, AnyVector, ArrayAttr, AttrAccess, AttrConstraint, BoolAttr, DenseI64Attr, I64Attr,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Verify};
use segra_ir::{Attr, AttrKind, Context, Ir, Op, OpDef, OpView, Type, TypeKind, op};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, Parser, Syntax};

/// The ops of this file.
pub(super) const OPS: &[&OpDef] = &[
    ContractionOp::DEF,
    MultiReductionOp::DEF,
    OuterProductOp::DEF,
    ScanOp::DEF,
];

/// The role of a dimension of a contraction; in text `#vector.iterator_type<parallel>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IteratorType {
    /// A dimension of the result.
    Parallel,
    /// A dimension that is summed over.
    Reduction,
}

impl CustomAttr for IteratorType {
    const DIALECT: &'static str = "vector";
    const MNEMONIC: &'static str = "iterator_type";
    fn print(&self, _ctx: &Context, out: &mut String) {
        out.push_str(if *self == IteratorType::Parallel {
            "<parallel>"
        } else {
            "<reduction>"
        });
    }
}

/// Reads `<parallel>` after `#vector.iterator_type`.
pub(super) fn parse_iterator_type(p: &mut Parser<'_>) -> ParseResult<Attr> {
    p.expect(Tok::Less)?;
    let at = p.pos();
    let ty = match &*p.parse_keyword_or_string()? {
        "parallel" => IteratorType::Parallel,
        "reduction" => IteratorType::Reduction,
        word => return Err(p.error_at(at, format!("`{word}` is no kind of iterator"))),
    };
    p.expect(Tok::Greater)?;
    Ok(p.ctx().custom_attr(ty))
}

/// A list of [`IteratorType`].
#[derive(Clone, Copy, Debug)]
pub struct IteratorTypesAttr;

impl AttrConstraint for IteratorTypesAttr {
    fn describe(&self) -> &'static str {
        "an array of kinds of iterators"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        IteratorTypesAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for IteratorTypesAttr {
    type Value<'a> = Vec<IteratorType>;
    fn read(ctx: &Context, attr: Attr) -> Option<Vec<IteratorType>> {
        attr.as_array(ctx)?
            .iter()
            .map(|item| item.dialect::<IteratorType>(ctx).copied())
            .collect()
    }
}

/// Products of elements of two vectors, summed over the dimensions that the result lacks.
#[op(
    "vector.contract",
    traits(Pure),
    interfaces(Canonicalize, Verify, Syntax)
)]
pub struct ContractionOp {
    lhs: Operand<AnyVector>,
    rhs: Operand<AnyVector>,
    acc: Operand<AnyType>,
    /// Which element of `lhs`, `rhs` and `acc` takes part at each point of the iteration.
    indexing_maps: Attr<ArrayAttr>,
    iterator_types: Attr<IteratorTypesAttr>,
    kind: OptionalAttr<CombiningKindAttr>,
    result: OpResult<AnyType>,
}

/// Elements combined along some dimensions.
#[op(
    "vector.multi_reduction",
    traits(Pure),
    interfaces(Canonicalize, Verify),
    format = "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)
               same-type($acc, $dest)"
)]
pub struct MultiReductionOp {
    kind: Attr<CombiningKindAttr>,
    source: Operand<AnyVector>,
    acc: Operand<AnyType>,
    reduction_dims: Attr<DenseI64Attr>,
    dest: OpResult<AnyType>,
}

/// Every product of an element of one vector and an element of another (or a scalar).
#[op("vector.outerproduct", traits(Pure), interfaces(Verify, Syntax))]
pub struct OuterProductOp {
    lhs: Operand<AnyVector>,
    rhs: Operand<AnyType>,
    acc: OptionalOperand<AnyVector>,
    kind: OptionalAttr<CombiningKindAttr>,
    result: OpResult<AnyVector>,
}

/// Elements combined with all before them along a dimension.
#[op(
    "vector.scan",
    traits(Pure),
    interfaces(Verify),
    format = "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)
               same-type($source, $dest) same-type($initial_value, $accumulated_value)"
)]
pub struct ScanOp {
    kind: Attr<CombiningKindAttr>,
    source: Operand<AnyVector>,
    initial_value: Operand<AnyVector>,
    reduction_dim: Attr<I64Attr>,
    inclusive: Attr<BoolAttr>,
    dest: OpResult<AnyVector>,
    accumulated_value: OpResult<AnyVector>,
}

/// The dimension each result of a map is, each at most once; `None` for other maps.
fn projected_dims(map: &AffineMap) -> Option<Vec<usize>> {
    let mut seen = vec![false; map.dims as usize];
    let dims = map.results.iter().map(|result| match result {
        AffineExpr::Dim(dim) => {
            let seen = seen.get_mut(*dim as usize)?;
            (!std::mem::replace(seen, true)).then_some(*dim as usize)
        }
        _ => None,
    });
    dims.collect()
}

/// The three maps of a contraction as lists of dimensions, if they fit the operands.
fn contraction_dims(ir: &Ir, op: Op) -> Result<[Vec<usize>; 3], &'static str> {
    let ctx = ir.ctx();
    let view = ContractionOp::from_op(op);
    let iterators = view.iterator_types(ir).len();
    let maps = view.indexing_maps(ir);
    if maps.len() != 3 {
        return Err("needs three `indexing_maps`");
    }
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (map, value) in maps.iter().zip(ir.operands(op)) {
        let AttrKind::AffineMap(map) = ctx.attr_kind(*map) else {
            return Err("attribute `indexing_maps` must hold affine maps");
        };
        let rank = match ctx.type_kind(ir.value_type(value)) {
            TypeKind::Vector { shape, .. } => shape.len(),
            _ => 0,
        };
        if map.symbols != 0 || map.dims as usize != iterators || map.results.len() != rank {
            return Err(
                "each of `indexing_maps` must go from the iterators to the dimensions of its operand",
            );
        }
        all.push(
            projected_dims(map)
                .ok_or("each of `indexing_maps` must name iterators, each at most once")?,
        );
    }
    all.try_into().map_err(|_| "needs three `indexing_maps`")
}

/// The extent each iterator has by `lhs` and `rhs`, with whether it is scalable.
pub(super) fn iteration_space(ir: &Ir, op: Op) -> Option<Vec<(i64, bool)>> {
    let dims = contraction_dims(ir, op).ok()?;
    let mut space = vec![None; ContractionOp::from_op(op).iterator_types(ir).len()];
    for (dims, value) in dims.iter().zip(ir.operands(op)).take(2) {
        let vector = VectorShape::of(ir.ctx(), ir.value_type(value));
        for ((&dim, &extent), &scalable) in dims.iter().zip(vector.shape).zip(vector.scalable) {
            *space.get_mut(dim)? = Some((extent, scalable));
        }
    }
    space.into_iter().collect()
}

impl Verify for ContractionOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ContractionOp::from_op(op);
        let [lhs, rhs] =
            [view.lhs(ir), view.rhs(ir)].map(|value| VectorShape::of(ctx, ir.value_type(value)));
        let (acc, result) = (ir.value_type(view.acc(ir)), ir.value_type(view.result(ir)));
        if lhs.element != rhs.element {
            diags.error("operands `lhs` and `rhs` must have one element type");
        }
        if acc.element_or_self(ctx) != result.element_or_self(ctx) {
            diags.error("operand `acc` and the result must have one element type");
        }
        if lhs.element.integer_width(ctx).is_some()
            && ctx.integer(lhs.element.integer_width(ctx).unwrap_or(0)) != lhs.element
        {
            diags.error("integers must be signless");
        }
        let kind = view.kind(ir).unwrap_or(CombiningKind::Add);
        if !kind.fits(ctx, result.element_or_self(ctx)) {
            diags.error("attribute `kind` does not fit the element type");
        }
        let maps = match contraction_dims(ir, op) {
            Ok(maps) => maps,
            Err(message) => {
                diags.error(message);
                return;
            }
        };
        if let Err(message) = check_contraction(ir, op, &maps, [&lhs, &rhs]) {
            diags.error(message);
            return;
        }
        if acc != result {
            diags.error("operand `acc` and the result must have one type");
        }
    }
}

fn check_contraction(
    ir: &Ir,
    op: Op,
    maps: &[Vec<usize>; 3],
    [lhs, rhs]: [&VectorShape<'_>; 2],
) -> Result<(), &'static str> {
    let iterators = ContractionOp::from_op(op).iterator_types(ir);
    let place = |map: usize, dim: usize| maps[map].iter().position(|&at| at == dim);
    let mut contracted = false;
    for (dim, &kind) in iterators.iter().enumerate() {
        if let (Some(a), Some(b)) = (place(0, dim), place(1, dim)) {
            contracted |= kind == IteratorType::Reduction;
            if lhs.shape[a] != rhs.shape[b] {
                return Err(
                    "operands `lhs` and `rhs` must have the same extent where they share an iterator",
                );
            }
        }
    }
    if !contracted {
        return Err("needs a reduction iterator that both `lhs` and `rhs` have");
    }
    let shared = |dim: usize, kind: IteratorType| {
        iterators[dim] == kind && place(0, dim).is_some() && place(1, dim).is_some()
    };
    let free = maps[0]
        .iter()
        .filter(|&&dim| !shared(dim, IteratorType::Reduction))
        .count()
        + maps[1]
            .iter()
            .filter(|&&dim| {
                !shared(dim, IteratorType::Reduction) && !shared(dim, IteratorType::Parallel)
            })
            .count();
    let ctx = ir.ctx();
    let result = ir.value_type(ContractionOp::from_op(op).result(ir));
    let acc = ir.value_type(ContractionOp::from_op(op).acc(ir));
    let shape = |ty: Type| match ctx.type_kind(ty) {
        TypeKind::Vector { shape, .. } => Some(&shape[..]),
        _ => None,
    };
    if free == 0 {
        return if shape(result).is_some() || shape(acc).is_some() {
            Err("the result must be a scalar")
        } else {
            Ok(())
        };
    }
    let Some(space) = iteration_space(ir, op) else {
        return Err("each iterator must be one of `lhs` or `rhs`");
    };
    let wanted: Vec<i64> = maps[2].iter().map(|&dim| space[dim].0).collect();
    if shape(result) != Some(&wanted) || shape(acc) != Some(&wanted) {
        return Err("operand `acc` and the result must have the extents of their iterators");
    }
    Ok(())
}

impl Verify for MultiReductionOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = MultiReductionOp::from_op(op);
        let source = VectorShape::of(ctx, ir.value_type(view.source(ir)));
        let dest = ir.value_type(view.dest(ir));
        let dims = view.reduction_dims(ir);
        let kept: Vec<usize> = (0..source.shape.len())
            .filter(|&dim| !dims.contains(&(dim as i64)))
            .collect();
        let wanted = if kept.is_empty() {
            source.element
        } else {
            ctx.ty(TypeKind::Vector {
                shape: kept.iter().map(|&dim| source.shape[dim]).collect(),
                scalable: kept.iter().map(|&dim| source.scalable[dim]).collect(),
                element: source.element,
            })
        };
        if dest != wanted || ir.value_type(view.acc(ir)) != wanted {
            let message = "operand `acc` and the result must have the type of `source` without `reduction_dims`";
            diags.error(message);
        }
    }
}

impl Verify for OuterProductOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = OuterProductOp::from_op(op);
        let lhs = VectorShape::of(ctx, ir.value_type(view.lhs(ir)));
        let result = VectorShape::of(ctx, ir.value_type(view.result(ir)));
        let right = ir.value_type(view.rhs(ir));
        if lhs.element != result.element || right.element_or_self(ctx) != result.element {
            diags.error("operands and result must have one element type");
        }
        let fits = match ctx.type_kind(right) {
            TypeKind::Vector {
                shape, scalable, ..
            } => {
                matches!((lhs.shape, &shape[..]), ([a], [b]) if result.shape == [*a, *b])
                    && (!lhs.scalable.contains(&true) || scalable.contains(&true))
            }
            _ => lhs.shape.len() == 1 && result.shape == lhs.shape,
        };
        if !fits {
            diags.error("the result must have the extents of operands `lhs` and `rhs`");
        }
        if view
            .acc(ir)
            .is_some_and(|acc| ir.value_type(acc) != ir.value_type(view.result(ir)))
        {
            diags.error("operand `acc` and the result must have one type");
        }
        if !view
            .kind(ir)
            .unwrap_or(CombiningKind::Add)
            .fits(ctx, result.element)
        {
            diags.error("attribute `kind` does not fit the element type");
        }
    }
}

impl Verify for ScanOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ScanOp::from_op(op);
        let ty = |value| ir.value_type(value);
        if ty(view.source(ir)) != ty(view.dest(ir)) {
            diags.error("operand `source` and result `dest` must have one type");
        }
        if ty(view.initial_value(ir)) != ty(view.accumulated_value(ir)) {
            diags
                .error("operand `initial_value` and result `accumulated_value` must have one type");
        }
        let source = VectorShape::of(ctx, ty(view.source(ir)));
        let initial = VectorShape::of(ctx, ty(view.initial_value(ir)));
        let dim = view.reduction_dim(ir);
        let rest = source
            .shape
            .iter()
            .enumerate()
            .filter(|row| row.0 as i64 != dim)
            .map(|row| *row.1);
        if dim >= source.shape.len() as i64
            || initial.shape.len() + 1 != source.shape.len()
            || !rest.eq(initial.shape.iter().copied())
        {
            diags.error(
                "operand `initial_value` must have the extents of `source` without `reduction_dim`",
            );
        }
        if !view.kind(ir).fits(ctx, source.element) {
            diags.error("attribute `kind` does not fit the element type");
        }
    }
}

//! Text forms of `vector` that are more than a format string.

use super::contract::{ContractionOp, IteratorType, OuterProductOp};
use super::masked::{MaskOp, YieldOp};
use super::shape::FromElementsOp;
use super::transfer::{TransferReadOp, TransferWriteOp, mask_of_transfer};
use super::{CombiningKind, VectorShape};
use crate::syntax::{
    Names, parse_indices, parse_results, print_access, print_results, resolve, resolve_indices,
    set_segments,
};
use segra_ir::attrs::{AffineExpr, AffineMap, Dict};
use segra_ir::build::OpState;
use segra_ir::{Attr, AttrKind, Context, Ir, Loc, Op, OpView, Region, Type, TypeKind, Value};
use segra_text::lexer::Tok;
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Pos, Printer, Syntax};

// ---- products ----

/// The attributes in front of the operands of `vector.contract`.
const TRAIT: [&str; 3] = ["indexing_maps", "iterator_types", "kind"];

impl IteratorType {
    fn word(self) -> &'static str {
        match self {
            IteratorType::Parallel => "parallel",
            IteratorType::Reduction => "reduction",
        }
    }
}

impl Syntax for ContractionOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ContractionOp::from_op(op);
        let (ir, ctx) = (p.ir(), p.ctx());
        let words = view.iterator_types(ir).into_iter();
        let words: Vec<Attr> = words.map(|ty| ctx.str_attr(ty.word())).collect();
        let kind = view.kind_attr(ir).unwrap_or_else(|| addition(ctx));
        let mut entries = vec![(TRAIT[1], ctx.array_attr(&words)), (TRAIT[2], kind)];
        entries.extend(ir.attr_named(op, TRAIT[0]).map(|maps| (TRAIT[0], maps)));
        let named = entries
            .into_iter()
            .map(|(name, attr)| (ctx.ident(name), attr));
        let dict = ctx.dict(&named.collect::<Vec<_>>());
        p.text(" ");
        p.attr(ctx.attr(AttrKind::Dict(dict)));
        p.text(" ");
        p.values(ir.operands(op));
        p.attr_dict(op, &TRAIT);
        p.text(" : ");
        p.types_of([view.lhs(ir), view.rhs(ir)]);
        p.text(" into ");
        p.types_of([view.result(ir)]);
    }
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = ContractionOp::from_op(op);
        ir.value_type(view.acc(ir)) == ir.value_type(view.result(ir))
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let at = p.pos();
        let found = p.parse_attr()?;
        let AttrKind::Dict(dict) = ctx.attr_kind(found) else {
            return Err(p.error_at(
                at,
                "expected the maps and iterators of the product: a dictionary",
            ));
        };
        for &(name, attr) in ctx.entries(*dict) {
            let attr = match ctx.str(name) {
                "iterator_types" => iterators(p, at, attr)?,
                _ => attr,
            };
            state.set_attr(ctx, name, attr);
        }
        let operands = p.parse_operand_list()?;
        if operands.len() != 3 {
            return Err(p.error_at(at, "a product needs three operands: both factors and a sum"));
        }
        p.parse_attr_dict_into(state)?;
        let kind = ctx.ident("kind");
        if !state.state.properties.iter().any(|entry| entry.0 == kind) {
            state.set_attr(ctx, kind, addition(ctx));
        }
        let lhs = p.parse_colon_type()?;
        p.parse_comma()?;
        let rhs = p.parse_type()?;
        p.expect_keyword("into")?;
        let result = p.parse_type()?;
        state.state.result_types.push(result);
        resolve(p, state, &operands, &[lhs, rhs, result])
    }
}

/// `#vector.kind<add>`
fn addition(ctx: &Context) -> Attr {
    ctx.custom_attr(CombiningKind::Add)
}

/// Kinds of iterators for their names.
fn iterators(p: &mut Parser<'_>, at: Pos, attr: Attr) -> ParseResult<Attr> {
    let ctx = p.ctx();
    let Some(items) = attr.as_array(ctx) else {
        return Err(p.error_at(at, "`iterator_types` must be an array"));
    };
    let mut kinds = Vec::with_capacity(items.len());
    for &item in items {
        kinds.push(match item.as_str(ctx) {
            Some("parallel") => ctx.custom_attr(IteratorType::Parallel),
            Some("reduction") => ctx.custom_attr(IteratorType::Reduction),
            Some(word) => {
                return Err(p.error_at(at, format!("`{word}` is no kind of iterator")));
            }
            None => item,
        });
    }
    Ok(ctx.array_attr(&kinds))
}

/// The product of each element with each: rows from `lhs`, columns from `rhs`, if that is a vector.
fn product_type(ctx: &Context, lhs: Type, rhs: Type) -> Option<Type> {
    let is_vector = |ty: Type| matches!(ctx.type_kind(ty), TypeKind::Vector { .. });
    let left = VectorShape::of(ctx, lhs);
    let (mut shape, mut scalable) = (vec![*left.shape.first()?], vec![*left.scalable.first()?]);
    if is_vector(rhs) {
        let right = VectorShape::of(ctx, rhs);
        shape.push(*right.shape.first()?);
        scalable.push(*right.scalable.first()?);
    }
    Some(ctx.ty(TypeKind::Vector {
        shape,
        scalable,
        element: left.element,
    }))
}

impl Syntax for OuterProductOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = OuterProductOp::from_op(op);
        let ty = |value| ir.value_type(value);
        let result = product_type(ir.ctx(), ty(view.lhs(ir)), ty(view.rhs(ir)));
        result == Some(ty(view.result(ir)))
            && view.acc(ir).is_none_or(|acc| Some(ty(acc)) == result)
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = OuterProductOp::from_op(op);
        let (ir, ctx) = (p.ir(), p.ctx());
        p.text(" ");
        p.values(ir.operands(op));
        match view.kind_attr(ir) {
            // Nothing is combined; upstream does not write it either.
            Some(kind) if view.acc(ir).is_none() && kind == addition(ctx) => {
                p.attr_dict(op, &["kind"]);
            }
            None if view.acc(ir).is_some() && ir.discardable_attrs(op) == Dict::EMPTY => {
                p.text(" {kind = ");
                p.attr(addition(ctx));
                p.text("}");
            }
            _ => p.attr_dict(op, &[]),
        }
        p.text(" : ");
        p.types_of([view.lhs(ir), view.rhs(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let at = p.pos();
        let operands = p.parse_operand_list()?;
        if !matches!(operands.len(), 2 | 3) {
            return Err(p.error_at(at, "needs two factors and perhaps a sum"));
        }
        p.parse_attr_dict_into(state)?;
        let kind = ctx.ident("kind");
        if !state.state.properties.iter().any(|entry| entry.0 == kind) {
            state.set_attr(ctx, kind, addition(ctx));
        }
        p.expect(Tok::Colon)?;
        let types_at = p.pos();
        let lhs = p.parse_type()?;
        p.parse_comma()?;
        let rhs = p.parse_type()?;
        let Some(result) = product_type(ctx, lhs, rhs) else {
            return Err(p.error_at(
                types_at,
                "the first factor must be a vector of one dimension",
            ));
        };
        state.state.result_types.push(result);
        resolve(p, state, &operands, &[lhs, rhs, result][..operands.len()])
    }
}

// ---- elements ----

impl Syntax for FromElementsOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let element = ir.value_type(ir.result(op, 0)).element_or_self(ir.ctx());
        ir.operands(op).all(|value| ir.value_type(value) == element)
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let ir = p.ir();
        p.text(" ");
        p.values(ir.operands(op));
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.types_of(ir.results(op));
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let elements = p.parse_operand_list()?;
        p.parse_attr_dict_into(state)?;
        let ty = p.parse_colon_type()?;
        state.state.result_types.push(ty);
        let element = ty.element_or_self(p.ctx());
        resolve(p, state, &elements, &vec![element; elements.len()])
    }
}

// ---- transfers ----

/// The map that takes the last dimensions of a memref or tensor as those of the vector.
fn last_dimensions(ctx: &Context, shaped: Type, vector: Type) -> Option<AffineMap> {
    let (shape, element) = shaped.shaped(ctx)?;
    let vector = VectorShape::of(ctx, vector).shape;
    let rank = shape.len() as u32;
    if rank == 0 && vector == [1] {
        return Some(AffineMap {
            dims: 0,
            symbols: 0,
            results: vec![AffineExpr::Constant(0)],
        });
    }
    let inner = VectorShape::of(ctx, element).shape.len();
    let count = vector.len().checked_sub(inner)? as u32;
    Some(AffineMap {
        dims: rank,
        symbols: 0,
        results: (rank.checked_sub(count)?..rank)
            .map(AffineExpr::Dim)
            .collect(),
    })
}

/// Whether a map is one of the last dimensions in order.
fn is_last_dimensions(map: &AffineMap) -> bool {
    let count = map.results.len() as u32;
    let first = map.dims.checked_sub(count);
    map.symbols == 0
        && first.is_some_and(|first| {
            let mut expected = (first..map.dims).map(AffineExpr::Dim);
            map.results
                .iter()
                .all(|result| expected.next().as_ref() == Some(result))
        })
}

/// Attributes that a transfer does not write: upstream writes neither a map of the last dimensions nor that nothing is in bounds.
fn unwritten(map: &AffineMap, in_bounds: &[bool]) -> &'static [&'static str] {
    match (is_last_dimensions(map), in_bounds.contains(&true)) {
        (true, true) => &["permutation_map"],
        (true, false) => &["permutation_map", "in_bounds"],
        (false, true) => &[],
        (false, false) => &["in_bounds"],
    }
}

/// The types of a transfer.
struct TransferTypes {
    shaped: Type,
    vector: Type,
    mask: Option<Type>,
}

/// `attr-dict : type, type` of a transfer, the shaped type first or second, and the attributes that were not written.
fn parse_transfer_end(
    p: &mut Parser<'_>,
    state: &mut ParsedOp,
    shaped_first: bool,
    has_mask: bool,
) -> ParseResult<TransferTypes> {
    let ctx = p.ctx();
    p.parse_attr_dict_into(state)?;
    p.expect(Tok::Colon)?;
    let at = p.pos();
    let types = p.parse_type_list()?;
    let &[first, second] = &types[..] else {
        let message = format!(
            "a transfer needs the types of memory and vector, {} are given",
            types.len()
        );
        return Err(p.error_at(at, message));
    };
    let (shaped, vector) = if shaped_first {
        (first, second)
    } else {
        (second, first)
    };
    if !matches!(
        ctx.type_kind(shaped),
        TypeKind::MemRef { .. } | TypeKind::Tensor { .. }
    ) {
        return Err(p.error_at(at, "a transfer needs a memref or a tensor of known rank"));
    }
    if !matches!(ctx.type_kind(vector), TypeKind::Vector { .. }) {
        return Err(p.error_at(at, "a transfer needs a vector type"));
    }
    let given = |state: &ParsedOp, name| {
        let name = ctx.ident(name);
        let found = state.state.properties.iter().find(|entry| entry.0 == name);
        found.map(|entry| entry.1)
    };
    let map = match given(state, "permutation_map").map(|attr| ctx.attr_kind(attr)) {
        Some(AttrKind::AffineMap(map)) => map.clone(),
        Some(_) => return Err(p.error_at(at, "`permutation_map` must be an affine map")),
        None => {
            let Some(map) = last_dimensions(ctx, shaped, vector) else {
                let message = "the vector has more dimensions than the memory: a `permutation_map` must say which";
                return Err(p.error_at(at, message));
            };
            let attr = ctx.attr(AttrKind::AffineMap(map.clone()));
            state.set_attr(ctx, ctx.ident("permutation_map"), attr);
            map
        }
    };
    if given(state, "in_bounds").is_none() {
        let none = vec![ctx.bool_attr(false); map.results.len()];
        state.set_attr(ctx, ctx.ident("in_bounds"), ctx.array_attr(&none));
    }
    let mask = has_mask
        .then(|| mask_of_transfer(ctx, vector, &map))
        .flatten();
    if has_mask && mask.is_none() {
        return Err(p.error_at(
            at,
            "`permutation_map` must have a result for each dimension of the vector",
        ));
    }
    Ok(TransferTypes {
        shaped,
        vector,
        mask,
    })
}

/// Whether a mask has the type that the reader gives it.
fn has_derived_mask(ir: &Ir, vector: Value, mask: Option<Value>, map: &AffineMap) -> bool {
    mask.is_none_or(|mask| {
        mask_of_transfer(ir.ctx(), ir.value_type(vector), map) == Some(ir.value_type(mask))
    })
}

impl Syntax for TransferReadOp {
    fn hidden_attrs(&self, ir: &Ir, op: Op) -> &'static [&'static str] {
        let view = TransferReadOp::from_op(op);
        unwritten(view.permutation_map(ir), &view.in_bounds(ir))
    }
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = TransferReadOp::from_op(op);
        let ty = |value| ir.value_type(value);
        ty(view.padding(ir)) == ty(view.base(ir)).element_or_self(ir.ctx())
            && fits_unwritten(
                ir,
                op,
                (view.base(ir), view.vector(ir)),
                view.permutation_map(ir),
            )
            && has_derived_mask(ir, view.vector(ir), view.mask(ir), view.permutation_map(ir))
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = TransferReadOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        print_access(p, view.base(ir), &view.indices(ir));
        p.text(", ");
        p.values([view.padding(ir)].into_iter().chain(view.mask(ir)));
        p.attr_dict(op, self.hidden_attrs(ir, op));
        p.text(" : ");
        p.types_of([view.base(ir), view.vector(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let base = p.parse_operand()?;
        let indices = parse_indices(p)?;
        p.parse_comma()?;
        let padding = p.parse_operand()?;
        let mask = parse_mask(p)?;
        let types = parse_transfer_end(p, state, true, !mask.is_empty())?;
        state.state.result_types.push(types.vector);
        resolve(p, state, &[base], &[types.shaped])?;
        resolve_indices(p, state, &indices)?;
        resolve(
            p,
            state,
            &[padding],
            &[types.shaped.element_or_self(p.ctx())],
        )?;
        resolve(p, state, &mask, types.mask.as_slice())?;
        set_segments(p, state, &[1, indices.len(), 1, mask.len()]);
        Ok(())
    }
}

impl Syntax for TransferWriteOp {
    fn hidden_attrs(&self, ir: &Ir, op: Op) -> &'static [&'static str] {
        let view = TransferWriteOp::from_op(op);
        unwritten(view.permutation_map(ir), &view.in_bounds(ir))
    }
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = TransferWriteOp::from_op(op);
        let base = ir.value_type(view.base(ir));
        let result = view.result(ir).map(|result| ir.value_type(result));
        let is_tensor = matches!(ir.ctx().type_kind(base), TypeKind::Tensor { .. });
        let ends = (view.base(ir), view.value_to_store(ir));
        result == is_tensor.then_some(base)
            && fits_unwritten(ir, op, ends, view.permutation_map(ir))
            && has_derived_mask(ir, ends.1, view.mask(ir), view.permutation_map(ir))
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = TransferWriteOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.value(view.value_to_store(ir));
        p.text(", ");
        print_access(p, view.base(ir), &view.indices(ir));
        if let Some(mask) = view.mask(ir) {
            p.text(", ");
            p.value(mask);
        }
        p.attr_dict(op, self.hidden_attrs(ir, op));
        p.text(" : ");
        p.types_of([view.value_to_store(ir), view.base(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let value = p.parse_operand()?;
        p.parse_comma()?;
        let base = p.parse_operand()?;
        let indices = parse_indices(p)?;
        let mask = parse_mask(p)?;
        let types = parse_transfer_end(p, state, false, !mask.is_empty())?;
        if matches!(p.ctx().type_kind(types.shaped), TypeKind::Tensor { .. }) {
            state.state.result_types.push(types.shaped);
        }
        resolve(p, state, &[value, base], &[types.vector, types.shaped])?;
        resolve_indices(p, state, &indices)?;
        resolve(p, state, &mask, types.mask.as_slice())?;
        set_segments(p, state, &[1, 1, indices.len(), mask.len()]);
        Ok(())
    }
}

/// `, %mask`, if it is there.
fn parse_mask<'a>(p: &mut Parser<'a>) -> ParseResult<Names<'a>> {
    let mut mask = Names::new();
    if p.eat(Tok::Comma) {
        mask.push(p.parse_operand()?);
    }
    Ok(mask)
}

/// Whether the reader will find the same attributes where they are not written.
fn fits_unwritten(ir: &Ir, op: Op, (base, vector): (Value, Value), map: &AffineMap) -> bool {
    let (base, vector) = (ir.value_type(base), ir.value_type(vector));
    let in_bounds = ir
        .attr_named(op, "in_bounds")
        .and_then(|attr| attr.as_array(ir.ctx()));
    let derived = last_dimensions(ir.ctx(), base, vector);
    in_bounds.is_some_and(|list| list.len() == map.results.len())
        && (!is_last_dimensions(map) || derived.as_ref() == Some(map))
}

// ---- masks ----

impl Syntax for MaskOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let view = MaskOp::from_op(op);
        let region = view.mask_region(ir);
        let passthru = view.passthru(ir).map(|value| ir.value_type(value));
        let first = ir.results(op).next().map(|value| ir.value_type(value));
        (passthru.is_none() || passthru == first)
            && ir.blocks(region).nth(1).is_none()
            && only_op(ir, region).is_some()
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = MaskOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.values([view.mask(ir)].into_iter().chain(view.passthru(ir)));
        p.text(" { ");
        if let Some(inner) = only_op(ir, view.mask_region(ir)) {
            p.op_inline(inner);
        }
        p.text(" }");
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.types_of([view.mask(ir)]);
        print_results(p, op);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let mask = p.parse_operand()?;
        let passthru = parse_mask(p)?;
        let region = p.parse_region(&[], Isolation::Shared)?;
        end_with_yield(p, region);
        state.regions.push(region);
        p.parse_attr_dict_into(state)?;
        let ty = p.parse_colon_type()?;
        let at = p.pos();
        parse_results(p, state)?;
        resolve(p, state, &[mask], &[ty])?;
        let first = state.state.result_types.first().copied();
        if !passthru.is_empty() && first.is_none() {
            return Err(p.error_at(at, "values to pass through need a result: '-> type'"));
        }
        resolve(p, state, &passthru, &first.as_slice()[..passthru.len()])
    }
}

/// The op to show for a region: the one before a `vector.yield` of its results, or the only one.
fn only_op(ir: &Ir, region: Region) -> Option<Op> {
    let block = ir.entry_block(region)?;
    let first = ir.first_op(block)?;
    let Some(last) = ir.next_op(first) else {
        return Some(first).filter(|&op| ir.isa::<YieldOp>(op));
    };
    let ends = ir.isa::<YieldOp>(last)
        && ir.next_op(last).is_none()
        && ir.discardable_attrs(last) == Dict::EMPTY
        && ir.operands(last).eq(ir.results(first));
    ends.then_some(first)
}

/// Adds the `vector.yield` of the only op's results where the text left it out.
fn end_with_yield(p: &mut Parser<'_>, region: Region) {
    let ctx = p.ctx();
    let ir = p.ir_mut();
    let block = match ir.entry_block(region) {
        Some(block) => block,
        None => ir.add_block(region, &[]),
    };
    let last = ir.last_op(block);
    let unreadable = |op| ir.op_name_str(op) == segra_text::UNREADABLE;
    if last.is_some_and(|op| ir.isa::<YieldOp>(op) || unreadable(op)) {
        return;
    }
    let mut state = OpState::new(ctx.op_name(YieldOp::DEF.name), Loc::UNKNOWN);
    state.operands = last.into_iter().flat_map(|op| ir.results(op)).collect();
    let yielding = ir.create_op(state);
    ir.append_op(block, yielding);
}

//! Custom text forms of the array dialect.
//!
//! Array types are written short (`[n][m]f32`); types that follow from others are left out: elements from arrays,
//! results from what bodies yield.

use crate::shape::{CastOp, DimOp, IndexOp, IotaOp, RearrangeOp, ReplicateOp};
use crate::soac::{
    MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp, YieldOp, arrays_of, outer_size, row_types,
    yielded_types,
};
use crate::types::{ArrayType, Size, array_or_scalar, sizes_and_element};
use segra_ir::def::infer_result_types;
use segra_ir::{Attr, Builder, Op, OpState, OpView, Region, Type, Value};
use segra_std::parse_operator_args;
use segra_text::lexer::Tok;
use segra_text::printer::{EntryArgs, LastOp};
use segra_text::{BlockArg, Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

// ---- types ----

/// Reads what follows `!array.array`.
pub(crate) fn parse_array_type(p: &mut Parser<'_>) -> ParseResult<Type> {
    p.expect(Tok::Less)?;
    let pos = p.pos();
    let ty = parse_bare_type(p)?;
    if !ty.is_scalar(p.ctx()) {
        p.expect(Tok::Greater)?;
        return Ok(ty);
    }
    Err(p.error_at(pos, "an array type needs at least one size, as in [n]f32"))
}

/// `[n][4]f32`, or a scalar type.
pub(crate) fn parse_bare_type(p: &mut Parser<'_>) -> ParseResult<Type> {
    let mut sizes = Vec::new();
    while p.eat(Tok::LSquare) {
        sizes.push(parse_size(p)?);
        p.expect(Tok::RSquare)?;
    }
    let pos = p.pos();
    let element = p.parse_type()?;
    if sizes.is_empty() && element.dialect::<ArrayType>(p.ctx()).is_some() {
        return Ok(element);
    }
    if !element.is_scalar(p.ctx()) {
        return Err(p.error_at(
            pos,
            "elements of an array are integers, indices or floating-point numbers",
        ));
    }
    Ok(array_or_scalar(p.ctx(), &sizes, element))
}

pub(crate) fn parse_size(p: &mut Parser<'_>) -> ParseResult<Size> {
    if p.eat(Tok::Question) {
        return Ok(Size::Unknown);
    }
    let pos = p.pos();
    if let Some(extent) = p.parse_optional_integer()? {
        if extent < 0 {
            return Err(p.error_at(pos, "a size cannot be negative"));
        }
        return Ok(Size::Constant(extent));
    }
    match p.parse_optional_keyword() {
        Some(name) => Ok(Size::Symbol(p.ctx().ident(name))),
        None => Err(p.expected("a size: a number, a name or `?`")),
    }
}

pub(crate) fn print_bare_type(p: &mut Printer<'_>, ty: Type) {
    match ty.dialect::<ArrayType>(p.ctx()) {
        Some(array) => {
            let text = array.bare(p.ctx());
            p.text(&text);
        }
        None => p.ty(ty),
    }
}

pub(crate) fn print_bare_types(p: &mut Printer<'_>, types: &[Type]) {
    for (index, &ty) in types.iter().enumerate() {
        if index > 0 {
            p.text(", ");
        }
        print_bare_type(p, ty);
    }
}

pub(crate) fn parse_bare_types(p: &mut Parser<'_>) -> ParseResult<Vec<Type>> {
    let mut types = vec![parse_bare_type(p)?];
    while p.eat(Tok::Comma) {
        types.push(parse_bare_type(p)?);
    }
    Ok(types)
}

pub(crate) fn types_of(p: &Printer<'_>, values: &[Value]) -> Vec<Type> {
    values
        .iter()
        .map(|&value| p.ir().value_type(value))
        .collect()
}

// ---- combinators ----

/// `(%x in %xs : [n]f32, ...)`: the arrays, and the elements as region arguments.
pub(crate) fn parse_inputs<'a>(
    p: &mut Parser<'a>,
    op: &mut ParsedOp,
) -> ParseResult<Vec<BlockArg<'a>>> {
    let mut names = Vec::new();
    p.parse_list(Tok::LParen, Tok::RParen, |p| {
        let element = p.parse_operand()?;
        p.expect_keyword("in")?;
        let array = p.parse_operand()?;
        p.expect(Tok::Colon)?;
        let pos = p.pos();
        let ty = parse_bare_type(p)?;
        if ty.dialect::<ArrayType>(p.ctx()).is_none() {
            return Err(p.error_at(pos, "expected an array type, as in [n]f32"));
        }
        op.state.operands.push(p.resolve_operand(array, ty)?);
        names.push(element);
        Ok(())
    })?;
    let rows = row_types(p.ir(), &op.state.operands);
    let args = names.iter().zip(rows);
    Ok(args
        .map(|(name, ty)| BlockArg {
            name: name.name,
            ty,
            loc: None,
            pos: name.pos,
        })
        .collect())
}

pub(crate) fn print_inputs(p: &mut Printer<'_>, arrays: &[Value], elements: &[Value]) {
    p.text(" (");
    for (index, (&array, &element)) in arrays.iter().zip(elements).enumerate() {
        if index > 0 {
            p.text(", ");
        }
        p.value(element);
        p.text(" in ");
        p.value(array);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(array));
    }
    p.text(")");
}

/// Block arguments of a region; none where it is malformed.
pub(crate) fn region_args(p: &Printer<'_>, region: Region) -> Vec<Value> {
    p.ir()
        .entry_block(region)
        .map(|block| p.ir().block_args(block).to_vec())
        .unwrap_or_default()
}

pub(crate) fn print_region(p: &mut Printer<'_>, region: Region) {
    p.text(" ");
    p.region(region, EntryArgs::Hidden, LastOp::Shown);
}

/// Whether a region has the form the custom text can show: one block, as many arguments as expected.
pub(crate) fn region_yields(p: &Parser<'_>, region: Region) -> Vec<Type> {
    p.ir()
        .entry_block(region)
        .map(|block| yielded_types(p.ir(), block))
        .unwrap_or_default()
}

/// `{...}`, or the name of an op: a body that yields what the op makes of the arguments, in order. It is read only; the
/// printer writes bodies out.
pub(crate) fn parse_body<'a>(p: &mut Parser<'a>, args: &[BlockArg<'a>]) -> ParseResult<Region> {
    if p.at(Tok::LBrace) {
        return p.parse_region(args, Isolation::Shared);
    }
    let pos = p.pos();
    let Some(name) = p.parse_optional_keyword() else {
        return Err(p.expected("'{' to begin a region, or the name of an op"));
    };
    let loc = p.loc_at(pos);
    let ctx = p.ir().context();
    let mut state = OpState::new(ctx.op_name(name), loc);
    let Some(info) = ctx.op_info(state.name) else {
        return Err(p.error_at(pos, format!("`{name}` is not the name of an op")));
    };
    let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    let block = p.ir_mut().create_block(&types);
    let values = p.ir().block_args(block).to_vec();
    for (&value, arg) in values.iter().zip(args).filter(|row| !row.1.name.is_empty()) {
        p.ir_mut().set_value_name(value, ctx.ident(arg.name));
    }
    state.operands.extend(values);
    match infer_result_types(p.ir(), &state, info.def) {
        Ok(types) => state.result_types = types,
        Err(message) => return Err(p.error_at(pos, message)),
    }
    let ir = p.ir_mut();
    let mut b = Builder::at_end(ir, block, loc);
    let op = b.insert(state);
    let results: Vec<Value> = b.ir.results(op).collect();
    YieldOp::build(&mut b, &results);
    let region = ir.create_region();
    ir.append_block(region, block);
    Ok(region)
}

impl Syntax for MapOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let map = MapOp::from_op(op);
        let elements = region_args(p, map.body(p.ir()));
        print_inputs(p, &map.arrays(p.ir()), &elements);
        print_region(p, map.body(p.ir()));
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let args = parse_inputs(p, op)?;
        let body = parse_body(p, &args)?;
        op.regions.push(body);
        let rows = region_yields(p, body);
        let outer = outer_size(p.ir(), &op.state.operands);
        op.state.result_types = arrays_of(p.ctx(), outer, &rows).into();
        p.parse_attr_dict_into(op)
    }
}

/// `(%xs : [n]f32, ...)`, each value with its type. Returns the types.
pub(crate) fn parse_typed_values(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<Vec<Type>> {
    let mut types = Vec::new();
    p.parse_list(Tok::LParen, Tok::RParen, |p| {
        let value = p.parse_operand()?;
        if p.at(Tok::Equal) {
            return Err(p.error(OLD_FORM));
        }
        if p.at(Tok::Comma) {
            return Err(p.error("each value is followed by its type, as in `(%a : f32, %b : i32)`"));
        }
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        op.state.operands.push(p.resolve_operand(value, ty)?);
        types.push(ty);
        Ok(())
    })?;
    Ok(types)
}

pub(crate) fn print_typed_values(p: &mut Printer<'_>, keyword: &str, values: &[Value]) {
    p.text(keyword);
    p.text("(");
    for (index, &value) in values.iter().enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        p.value(value);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(value));
    }
    p.text(")");
}

/// `neutral (%e : f32, ...)`: the neutral elements. Returns their types.
pub(crate) fn parse_neutral(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<Vec<Type>> {
    if p.at_keyword("init") {
        return Err(p.error(
            "a histogram starts from its destinations: write its neutral elements as `neutral (...)`",
        ));
    }
    p.expect_keyword("neutral")?;
    parse_typed_values(p, op)
}

/// `init (%s : f32, ...)`, perhaps with `neutral (%e : f32, ...)` behind it: start values and neutral elements. Sets the
/// sizes of the operand groups, of which `arrays` is the first, and returns the types of the start values.
fn parse_start(p: &mut Parser<'_>, op: &mut ParsedOp, arrays: usize) -> ParseResult<Vec<Type>> {
    p.expect_keyword("init")?;
    let types = parse_typed_values(p, op)?;
    let neutral = if p.at_keyword("neutral") {
        parse_neutral(p, op)?.len()
    } else {
        0
    };
    let sizes = [arrays as i32, types.len() as i32, neutral as i32];
    op.set_attr(
        p.ctx(),
        p.ctx().ident("operandSegmentSizes"),
        p.ctx().dense_i32_attr(&sizes),
    );
    Ok(types)
}

fn print_start(p: &mut Printer<'_>, start: &[Value], neutral: &[Value]) {
    print_typed_values(p, " init ", start);
    if !neutral.is_empty() {
        print_typed_values(p, " neutral ", neutral);
    }
}

/// The former text of reduce and scan names accumulators and elements where the values are.
const OLD_FORM: &str = "accumulators and elements are named behind `combine`, as in `(%xs : [n]f32) init (%zero : f32) \
                        combine (%acc, %x) {...}`";

/// The former text of operators has no word before them.
const BARE_OPERATOR: &str = "the operator is written behind `combine`, as in `combine arith.addf` or \
                             `combine (%acc, %x) {...}`";

/// Prints `(arrays) init (...) combine (...) {operator}`, as reduce and scan are written.
fn print_operator_form(
    p: &mut Printer<'_>,
    op: Op,
    arrays: &[Value],
    values: [&[Value]; 2],
    combine: Region,
) {
    print_typed_values(p, " ", arrays);
    print_start(p, values[0], values[1]);
    print_combine(p, combine);
    p.attr_dict(op, &["exclusive"]);
}

/// Reads the same; returns the number of arrays and the start values' types.
fn parse_operator_form(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<(usize, Vec<Type>)> {
    let pos = p.pos();
    p.expect(Tok::LParen)?;
    loop {
        let array = p.parse_operand()?;
        if p.at_keyword("in") {
            return Err(p.error(OLD_FORM));
        }
        p.expect(Tok::Colon)?;
        let at = p.pos();
        let ty = parse_bare_type(p)?;
        if ty.dialect::<ArrayType>(p.ctx()).is_none() {
            return Err(p.error_at(at, "expected an array type, as in [n]f32"));
        }
        op.state.operands.push(p.resolve_operand(array, ty)?);
        if !p.eat(Tok::Comma) {
            break;
        }
    }
    p.expect(Tok::RParen)?;
    let arrays = op.state.operands.len();
    let types = parse_start(p, op, arrays)?;
    if types.len() != arrays {
        return Err(p.error_at(
            pos,
            format!("{arrays} arrays, but {} start values", types.len()),
        ));
    }
    parse_combine(p, op, &types)?;
    p.parse_attr_dict_into(op)?;
    Ok((arrays, types))
}

impl Syntax for ReduceOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let reduce = ReduceOp::from_op(op);
        let (start, neutral) = (reduce.start(p.ir()), reduce.neutral(p.ir()));
        print_operator_form(
            p,
            op,
            &reduce.arrays(p.ir()),
            [&start, &neutral],
            reduce.combine(p.ir()),
        );
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let (_, types) = parse_operator_form(p, op)?;
        op.state.result_types = types.into();
        Ok(())
    }
}

impl Syntax for ScanOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let scan = ScanOp::from_op(op);
        print_exclusive(p, scan.exclusive_attr(p.ir()));
        let (start, neutral) = (scan.start(p.ir()), scan.neutral(p.ir()));
        print_operator_form(
            p,
            op,
            &scan.arrays(p.ir()),
            [&start, &neutral],
            scan.combine(p.ir()),
        );
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        parse_exclusive(p, op);
        let (arrays, types) = parse_operator_form(p, op)?;
        let outer = outer_size(p.ir(), &op.state.operands[..arrays]);
        op.state.result_types = arrays_of(p.ctx(), outer, &types).into();
        Ok(())
    }
}

fn print_exclusive(p: &mut Printer<'_>, exclusive: Option<Attr>) {
    if exclusive.is_some() {
        p.text(" exclusive");
    }
}

fn parse_exclusive(p: &mut Parser<'_>, op: &mut ParsedOp) {
    if p.eat_keyword("exclusive") {
        op.set_attr(p.ctx(), p.ctx().ident("exclusive"), p.ctx().unit());
    }
}

/// Reads `(inputs) init (...) map {...} combine (...) {...}`: the arrays' outer size, the types of what is combined and
/// those of what is stored.
fn parse_fused(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<(Size, Vec<Type>, Vec<Type>)> {
    let elements = parse_inputs(p, op)?;
    let arrays = op.state.operands.len();
    let types = parse_start(p, op, arrays)?;
    let body = parse_map_combine(p, op, &elements, &types)?;
    let stored = region_yields(p, body)
        .into_iter()
        .skip(types.len())
        .collect();
    p.parse_attr_dict_into(op)?;
    Ok((
        outer_size(p.ir(), &op.state.operands[..arrays]),
        types,
        stored,
    ))
}

fn print_fused(
    p: &mut Printer<'_>,
    op: Op,
    arrays: &[Value],
    values: [&[Value]; 2],
    regions: [Region; 2],
) {
    let elements = region_args(p, regions[0]);
    print_inputs(p, arrays, &elements);
    print_start(p, values[0], values[1]);
    print_map_combine(p, regions[0], regions[1]);
    p.attr_dict(op, &["exclusive"]);
}

impl Syntax for RedomapOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let redomap = RedomapOp::from_op(op);
        let regions = [redomap.body(p.ir()), redomap.combine(p.ir())];
        let (start, neutral) = (redomap.start(p.ir()), redomap.neutral(p.ir()));
        print_fused(p, op, &redomap.arrays(p.ir()), [&start, &neutral], regions);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let (outer, mut types, stored) = parse_fused(p, op)?;
        types.extend(arrays_of(p.ctx(), outer, &stored));
        op.state.result_types = types.into();
        Ok(())
    }
}

impl Syntax for ScanomapOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let scanomap = ScanomapOp::from_op(op);
        print_exclusive(p, scanomap.exclusive_attr(p.ir()));
        let regions = [scanomap.body(p.ir()), scanomap.combine(p.ir())];
        let (start, neutral) = (scanomap.start(p.ir()), scanomap.neutral(p.ir()));
        print_fused(p, op, &scanomap.arrays(p.ir()), [&start, &neutral], regions);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        parse_exclusive(p, op);
        let (outer, types, stored) = parse_fused(p, op)?;
        op.state.result_types = arrays_of(p.ctx(), outer, &[types, stored].concat()).into();
        Ok(())
    }
}

/// ` map {...} combine (%s, %t) {...}`
pub(crate) fn print_map_combine(p: &mut Printer<'_>, body: Region, combine: Region) {
    p.text(" map");
    print_region(p, body);
    print_combine(p, combine);
}

/// ` combine (%s, %t) {...}`
pub(crate) fn print_combine(p: &mut Printer<'_>, combine: Region) {
    p.text(" combine (");
    let args = region_args(p, combine);
    p.values(args);
    p.text(")");
    print_region(p, combine);
}

/// `map {...} combine (%s, %t) {...}`: the two regions, of which the first is returned.
pub(crate) fn parse_map_combine<'a>(
    p: &mut Parser<'a>,
    op: &mut ParsedOp,
    elements: &[BlockArg<'a>],
    types: &[Type],
) -> ParseResult<Region> {
    p.expect_keyword("map")?;
    let body = parse_body(p, elements)?;
    op.regions.push(body);
    parse_combine(p, op, types)?;
    Ok(body)
}

/// `combine (%s, %t) {...}`, or `combine` and the name of an op: the operator's region.
pub(crate) fn parse_combine(
    p: &mut Parser<'_>,
    op: &mut ParsedOp,
    types: &[Type],
) -> ParseResult<()> {
    let is_operator = p.at(Tok::Bare) || p.at(Tok::LBrace);
    if is_operator && !p.at_keyword("combine") {
        return Err(p.error(BARE_OPERATOR));
    }
    p.expect_keyword("combine")?;
    let combine = if p.at(Tok::LParen) {
        let args = parse_operator_args(p, types)?;
        p.parse_region(&args, Isolation::Shared)?
    } else {
        let pos = p.pos();
        let unnamed = |&ty: &Type| BlockArg {
            name: "",
            ty,
            loc: None,
            pos,
        };
        let args: Vec<BlockArg<'_>> = types.iter().chain(types).map(unnamed).collect();
        parse_body(p, &args)?
    };
    op.regions.push(combine);
    Ok(())
}

impl Syntax for YieldOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let values = YieldOp::from_op(op).values(p.ir());
        p.attr_dict(op, &[]);
        if values.is_empty() {
            return;
        }
        p.text(" ");
        p.values(values.iter().copied());
        p.text(" : ");
        let types = types_of(p, &values);
        print_bare_types(p, &types);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        p.parse_attr_dict_into(op)?;
        let pos = p.pos();
        let operands = p.parse_operand_list()?;
        if operands.is_empty() {
            return Ok(());
        }
        p.expect(Tok::Colon)?;
        let types = parse_bare_types(p)?;
        if types.len() != operands.len() {
            return Err(p.error_at(
                pos,
                format!("{} values, but {} types", operands.len(), types.len()),
            ));
        }
        p.resolve_operands(&operands, &types, &mut op.state.operands)
    }
}

// ---- shapes ----

impl Syntax for IotaOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let iota = IotaOp::from_op(op);
        p.text(" ");
        p.value(iota.count(p.ir()));
        p.attr_dict(op, &[]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(iota.result(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let count = p.parse_operand()?;
        let index = p.ctx().index();
        op.state.operands.push(p.resolve_operand(count, index)?);
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        op.state.result_types.push(parse_bare_type(p)?);
        Ok(())
    }
}

/// `[%i, %j]`: operands of type index.
pub(crate) fn parse_indices(p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
    let index = p.ctx().index();
    p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
        let operand = p.parse_operand()?;
        op.state.operands.push(p.resolve_operand(operand, index)?);
        Ok(())
    })
}

impl Syntax for ReplicateOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let replicate = ReplicateOp::from_op(op);
        p.text(" ");
        p.value(replicate.value(p.ir()));
        p.text(", [");
        p.values(replicate.sizes(p.ir()));
        p.text("]");
        p.attr_dict(op, &[]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(replicate.value(p.ir())));
        p.text(" -> ");
        print_bare_type(p, p.ir().value_type(replicate.result(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let value = p.parse_operand()?;
        p.parse_comma()?;
        parse_indices(p, op)?;
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        let value = p.resolve_operand(value, ty)?;
        op.state.operands.insert(0, value);
        p.expect(Tok::Arrow)?;
        op.state.result_types.push(parse_bare_type(p)?);
        Ok(())
    }
}

impl Syntax for RearrangeOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let rearrange = RearrangeOp::from_op(op);
        p.text(" ");
        p.value(rearrange.array(p.ir()));
        p.text(", [");
        for (index, dim) in rearrange.permutation(p.ir()).into_iter().enumerate() {
            if index > 0 {
                p.text(", ");
            }
            p.integer(dim);
        }
        p.text("]");
        p.attr_dict(op, &["permutation"]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(rearrange.array(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        p.parse_comma()?;
        let pos = p.pos();
        let mut permutation = Vec::new();
        p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
            permutation.push(p.parse_integer()?);
            Ok(())
        })?;
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        op.state.operands.push(p.resolve_operand(array, ty)?);
        let attr = p.ctx().dense_i64_attr(&permutation);
        op.set_attr(p.ctx(), p.ctx().ident("permutation"), attr);
        let (sizes, element) = sizes_and_element(p.ctx(), ty);
        if !crate::shape::is_permutation(&permutation, sizes.len()) {
            let message = format!("must name each of the {} dimensions once", sizes.len());
            return Err(p.error_at(pos, message));
        }
        let sizes: Vec<Size> = permutation.iter().map(|&dim| sizes[dim as usize]).collect();
        op.state
            .result_types
            .push(array_or_scalar(p.ctx(), &sizes, element));
        Ok(())
    }
}

impl Syntax for DimOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let dim = DimOp::from_op(op);
        p.text(" ");
        p.value(dim.array(p.ir()));
        p.text(", ");
        p.integer(dim.dim(p.ir()));
        p.attr_dict(op, &["dim"]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(dim.array(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        p.parse_comma()?;
        let dim = p.parse_integer()?;
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        op.state.operands.push(p.resolve_operand(array, ty)?);
        let attr = p.ctx().i64_attr(dim);
        op.set_attr(p.ctx(), p.ctx().ident("dim"), attr);
        op.state.result_types.push(p.ctx().index());
        Ok(())
    }
}

impl Syntax for IndexOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let index = IndexOp::from_op(op);
        p.text(" ");
        p.value(index.array(p.ir()));
        p.text("[");
        p.values(index.indices(p.ir()));
        p.text("]");
        p.attr_dict(op, &[]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(index.array(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        let pos = p.pos();
        parse_indices(p, op)?;
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        let count = op.state.operands.len();
        let array = p.resolve_operand(array, ty)?;
        op.state.operands.insert(0, array);
        let (sizes, element) = sizes_and_element(p.ctx(), ty);
        if count == 0 || count > sizes.len() {
            return Err(p.error_at(
                pos,
                format!(
                    "{count} indices do not fit an array of rank {}",
                    sizes.len()
                ),
            ));
        }
        op.state
            .result_types
            .push(array_or_scalar(p.ctx(), &sizes[count..], element));
        Ok(())
    }
}

impl Syntax for CastOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let cast = CastOp::from_op(op);
        p.text(" ");
        p.value(cast.array(p.ir()));
        p.attr_dict(op, &[]);
        p.text(" : ");
        print_bare_type(p, p.ir().value_type(cast.array(p.ir())));
        p.text(" -> ");
        print_bare_type(p, p.ir().value_type(cast.result(p.ir())));
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let array = p.parse_operand()?;
        p.parse_attr_dict_into(op)?;
        p.expect(Tok::Colon)?;
        let ty = parse_bare_type(p)?;
        op.state.operands.push(p.resolve_operand(array, ty)?);
        p.expect(Tok::Arrow)?;
        op.state.result_types.push(parse_bare_type(p)?);
        Ok(())
    }
}

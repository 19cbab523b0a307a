//! The elements a predicate keeps: the one op whose result has a size that only running it tells.
//!
//! That size gets a name of its own (existential): later types use it like a parameter's. Inside a combinator it differs
//! between points, and has none. Syntax and execution are here, too.

use crate::build::{region_block, scanomap};
use crate::combinator::{Combinator, Flavour, Parts, is_combinator};
use crate::eval::{inputs, run_rows};
use crate::layout::SliceOp;
use crate::shape::{DimOp, IndexOp, ReplicateOp};
use crate::soac::{Check, arrays_of, row_types, yielded_types};
use crate::syntax::{parse_inputs, parse_size, print_inputs, print_region, region_args};
use crate::types::{AnyArray, ArrayType, Size, sizes_and_element};
use crate::update::scatter;
use segra_interp::{
    ArrayBuilder, Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared,
    RegionKind,
};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{Canonicalize, Verify};
use segra_ir::{AttrKind, Builder, Ir, Op, OpDiagnostics, OpView, Type, Value, op};
use segra_std::arith::{self, index};
use segra_std::scf;
use segra_text::lexer::Tok;
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

/// The elements for which the body yields true, in order. The arrow names how many they are: a size that types after
/// it may use, or `?`. Inside a combinator the number differs between points, so there it is `?`.
///
/// ```mlir
/// %large = array.filter (%x in %xs : [n]f32) -> [k] {
///   %keep = arith.cmpf ogt, %x, %limit : f32
///   array.yield %keep : i1
/// }
/// %roots = array.map (%x in %large : [k]f32) math.sqrt
/// ```
#[op(
    "array.filter",
    traits(RecursiveEffects),
    interfaces(Combinator, Canonicalize, Verify, Syntax, Eval)
)]
pub struct FilterOp {
    /// Inputs, all of one outer size; at least one.
    arrays: VariadicOperand<AnyArray>,
    /// From one element of each input to whether they are kept.
    body: BlockRegion,
    /// The range kept of each input.
    results: VariadicResult<AnyArray>,
}

/// The outer size of the results.
fn kept_size(ir: &Ir, op: Op) -> Size {
    let first = ir
        .results(op)
        .next()
        .and_then(|value| ir.value_type(value).dialect::<ArrayType>(ir.ctx()));
    first
        .and_then(|ty| ty.sizes.first().copied())
        .unwrap_or(Size::Unknown)
}

impl Verify for FilterOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (filter, mut check) = (FilterOp::from_op(op), Check { ir, op, diags });
        let ctx = ir.ctx();
        let arrays = filter.arrays(ir);
        let rows = row_types(ir, &arrays);
        let kept = kept_size(ir, op);
        if !check.inputs(&arrays)
            || !check.args(filter.body(ir), "body", &rows)
            || !check.same(
                "the values region `body` yields",
                &yielded_types(ir, filter.body_block(ir)),
                &[ctx.i1()],
            )
            || !check.results(&arrays_of(ctx, kept, &rows))
        {
            return;
        }
        match kept {
            Size::Constant(extent) => check.error(format!(
                "keeps as many elements as the body says, which cannot be known to be {extent}"
            )),
            Size::Symbol(name) if crate::eval::sizes::binder(ir, op, name).is_some() => check
                .error(format!(
                    "names the size of its results `{}`, but that name is taken",
                    ctx.str(name)
                )),
            Size::Symbol(_) | Size::Unknown => {}
        }
    }
}

impl Combinator for FilterOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let filter = FilterOp::from_op(op);
        Parts::new(
            Flavour::Other,
            filter.arrays(ir),
            ir.entry_block(filter.body(ir)),
        )
    }
    fn same_extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<(Value, usize)> {
        let arrays = FilterOp::from_op(op).arrays(ir);
        (dim > 0).then_some((*arrays.get(result)?, dim))
    }
    fn expand(&self, ir: &mut Ir, op: Op) -> bool {
        expand(ir, FilterOp::from_op(op));
        true
    }
}

impl Syntax for FilterOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let filter = FilterOp::from_op(op);
        let elements = region_args(p, filter.body(p.ir()));
        print_inputs(p, &filter.arrays(p.ir()), &elements);
        let kept = kept_size(p.ir(), op).text(p.ctx());
        p.text(&format!(" -> [{kept}]"));
        print_region(p, filter.body(p.ir()));
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let args = parse_inputs(p, op)?;
        p.expect(Tok::Arrow)?;
        p.expect(Tok::LSquare)?;
        let kept = parse_size(p)?;
        p.expect(Tok::RSquare)?;
        let body = p.parse_region(&args, Isolation::Shared)?;
        op.regions.push(body);
        let rows = row_types(p.ir(), &op.state.operands);
        op.state.result_types = arrays_of(p.ctx(), kept, &rows).into();
        p.parse_attr_dict_into(op)
    }
}

impl Eval for FilterOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let (arrays, count) = inputs(cx, inst, inst.operands.len(), lane)?;
            let mut kept = Vec::with_capacity(count);
            run_rows(cx, inst, lane, (&arrays, count), |_, _, column| {
                kept.extend(
                    column
                        .iter()
                        .map(|value| value.as_int().is_some_and(|bit| bit != 0)),
                );
                Ok(())
            })?;
            for (index, array) in arrays.iter().enumerate() {
                let row = array.shape().iter().skip(1).copied().collect();
                let mut builder = ArrayBuilder::new(array.elem(), count).with_row_shape(row);
                for (at, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
                    let element = array
                        .row(at)
                        .ok_or_else(|| cx.error(inst, "an input ends early"))?;
                    cx.check(inst, builder.push(&element))?;
                }
                cx.set_result(inst, index, lane, Datum::array(builder.finish()));
            }
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, _: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::Nothing)
    }
    fn region_kind(&self, _: &Ir, _: Op, _: usize) -> RegionKind {
        RegionKind::Batch
    }
}

/// Builds `array.filter`: `body` gets one element of each array and returns whether they are kept.
pub fn filter(
    b: &mut Builder<'_>,
    arrays: &[Value],
    kept: Size,
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> FilterOp {
    let rows = row_types(b.ir, arrays);
    let results = arrays_of(&b.ir.context(), kept, &rows);
    let block = region_block(b, &rows, |b, elements| vec![body(b, elements)]);
    let filter = FilterOp::builder()
        .arrays(arrays)
        .results_types(&results)
        .build(b);
    let region = filter.body(b.ir);
    b.ir.append_block(region, block);
    filter
}

/// A scan says where each kept element goes, then a scatter puts all of them there at once:
///
/// ```mlir
/// %ys = array.filter (%x in %xs : [n]f32) -> [k] {...}                                                            =>
/// %at, %kept = array.scanomap exclusive (%x in %xs : [n]f32) init (%c0 : index) map {... yield 0 or 1, %keep} ...
/// %count = the last offset, and one more if the last element is kept
/// %none = array.replicate %zero, [%count] : f32 -> [k]f32
/// %ys = array.scatter (%i in %at, %keep in %kept, %x in %xs) into (%none) { yield %keep ? %i : -1, %x }
/// ```
///
/// The name of the size (`k`) is bound by the host code that makes arrays of it. Inside a combinator the number differs
/// between points: there the scatter is into as many elements as the inputs have, and a slice takes the first of them.
fn expand(ir: &mut Ir, filter: FilterOp) {
    let (op, arrays) = (filter.op(), filter.arrays(ir));
    let (body, results) = (filter.body_block(ir), filter.results(ir));
    let types: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
    let mut b = Builder::before(ir, op);
    let (zero, one) = (index::constant(&mut b, 0), index::constant(&mut b, 1));
    let marks = scanomap(
        &mut b,
        &arrays,
        &[zero],
        |b, elements| {
            let kept = b.clone_block_body(body, elements, &mut Mapping::new())[0];
            let count = arith::SelectOp::build(b, kept, one, zero).result(b.ir);
            vec![count, kept]
        },
        |b, sums, counts| vec![arith::AddIOp::build(b, sums[0], counts[0]).result(b.ir)],
    );
    let exclusive = b.ctx().unit();
    b.ir.set_attr_named(marks.op(), "exclusive", Some(exclusive));
    let (offsets, kept) = (b.ir.result(marks.op(), 0), b.ir.result(marks.op(), 1));
    let count = count(&mut b, arrays[0], offsets, kept, (zero, one));
    let inside =
        b.ir.ancestors(op)
            .skip(1)
            .any(|around| is_combinator(b.ir, around));
    let space = match inside {
        true => {
            let (dim, index) = (b.ctx().i64_attr(0), b.ctx().index());
            DimOp::build(&mut b, arrays[0], dim, index).result(b.ir)
        }
        false => count,
    };
    let none: Vec<Value> = arrays
        .iter()
        .zip(&types)
        .map(|(&array, &ty)| {
            let ty = if inside { b.ir.value_type(array) } else { ty };
            zeros(&mut b, array, space, ty)
        })
        .collect();
    let outside = index::constant(&mut b, -1);
    let mut inputs = vec![offsets, kept];
    inputs.extend(&arrays);
    let scattered = scatter(&mut b, &inputs, &none, |b, elements| {
        let mut values =
            vec![arith::SelectOp::build(b, elements[1], elements[0], outside).result(b.ir)];
        values.extend(&elements[2..]);
        values
    });
    let mut new: Vec<Value> = b.ir.results(scattered.op()).collect();
    if inside {
        for (value, &ty) in new.iter_mut().zip(&types) {
            *value = first(&mut b, *value, count, ty);
        }
    }
    ir.replace_op(op, &new);
}

/// The first `count` rows of an array.
fn first(b: &mut Builder<'_>, array: Value, count: Value, ty: Type) -> Value {
    let ctx = b.ir.context();
    let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
    let (rows, _) = sizes_and_element(&ctx, b.type_of(array));
    let mut sizes = vec![count];
    for dim in 1..rows.len() {
        sizes.push(DimOp::build(b, array, ctx.i64_attr(dim as i64), ctx.index()).result(b.ir));
    }
    let slice = SliceOp::builder()
        .array(array)
        .offsets(&vec![zero; rows.len()])
        .sizes(&sizes)
        .strides(&vec![one; rows.len()])
        .result_type(ty)
        .build(b);
    slice.result(b.ir)
}

/// How many elements are kept.
fn count(
    b: &mut Builder<'_>,
    array: Value,
    offsets: Value,
    kept: Value,
    (zero, one): (Value, Value),
) -> Value {
    let ctx = b.ir.context();
    let size = DimOp::build(b, array, ctx.i64_attr(0), ctx.index()).result(b.ir);
    let any = index::cmp(b, arith::CmpIPredicate::Sgt, size, zero);
    let branch = scf::IfOp::build(b, any, &[ctx.index()]);
    let (then, otherwise) = (branch.then_region(b.ir), branch.else_region(b.ir));
    let block = b.ir.add_block(then, &[]);
    let mut inner = Builder::at_end(b.ir, block, b.loc);
    let last = arith::SubIOp::build(&mut inner, size, one).result(inner.ir);
    let before = IndexOp::build(&mut inner, offsets, &[last]).result(inner.ir);
    let is_kept = IndexOp::build(&mut inner, kept, &[last]).result(inner.ir);
    let own = arith::SelectOp::build(&mut inner, is_kept, one, zero).result(inner.ir);
    let total = arith::AddIOp::build(&mut inner, before, own).result(inner.ir);
    scf::YieldOp::build(&mut inner, &[total]);
    let block = b.ir.add_block(otherwise, &[]);
    scf::YieldOp::build(&mut Builder::at_end(b.ir, block, b.loc), &[zero]);
    b.ir.result(branch.op(), 0)
}

/// An array of type `ty` with `count` rows like those of `array`, nobody cares what is in it.
fn zeros(b: &mut Builder<'_>, array: Value, count: Value, ty: Type) -> Value {
    let ctx = b.ir.context();
    let (_, element) = sizes_and_element(&ctx, ty);
    let rank =
        b.ir.value_type(array)
            .dialect::<ArrayType>(&ctx)
            .map_or(1, |ty| ty.sizes.len());
    let mut sizes = vec![count];
    for dim in 1..rank {
        sizes.push(DimOp::build(b, array, ctx.i64_attr(dim as i64), ctx.index()).result(b.ir));
    }
    let zero = match element.is_float(&ctx) {
        true => ctx.attr(AttrKind::Float {
            bits: 0,
            ty: element,
        }),
        false => ctx.int_attr(0, element),
    };
    let zero = arith::ConstantOp::build(b, zero).result(b.ir);
    ReplicateOp::build(b, zero, &sizes, ty).result(b.ir)
}

//! The elements a predicate keeps: the one op whose result has a size that only running it tells.
//!
//! That size gets a name of its own (existential): later types use it like a parameter's. Inside a combinator it differs
//! between points, and has none. Syntax and execution are here, too; `expand`: the scan and the scatter that it becomes.

mod expand;

use crate::build::region_block;
use crate::combinator::{Combinator, Flavour, Parts};
use crate::eval::{inputs, run_rows};
use crate::soac::{Check, arrays_of, row_types, yielded_types};
use crate::syntax::{parse_inputs, parse_size, print_inputs, print_region, region_args};
use crate::types::{AnyArray, ArrayType, Size};
use segra_interp::{
    ArrayBuilder, Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared,
    RegionKind,
};
use segra_ir::interfaces::{Canonicalize, Verify};
use segra_ir::{Builder, Ir, Op, OpDiagnostics, OpView, Value, op};
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
        expand::expand(ir, FilterOp::from_op(op));
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

//! The module of `benches/modules.py`, built through the API that frontends use.

use segra_ir::{Attr, Builder, Context, InsertPoint, Ir, Loc, OpState, OpView, Type, Value};
use segra_std::arith::{AddFOp, AddIOp, CmpIOp, ConstantOp, MulFOp, NegFOp, SubFOp};
use segra_std::func::{CallOp, FuncOp, ReturnOp};
use segra_std::memref::{LoadOp, StoreOp};
use segra_std::scf::{Bounds, ForOp, IfOp};
use std::sync::Arc;

pub const OPS_PER_FUNCTION: usize = 39;

/// A location for the op of each number.
pub type Locate<'a> = dyn FnMut(u32) -> Loc + 'a;

/// Attributes and types that all functions share.
struct Shared {
    zero: Attr,
    fast: Option<Attr>,
    wrap: Option<Attr>,
    less: Attr,
    float: Type,
    inputs: [Type; 3],
}

/// A module of so many functions; each calls the one before.
pub fn build(ctx: &Arc<Context>, functions: usize, locate: &mut Locate<'_>) -> Ir {
    let attr = |text: &str| segra_text::parse_attr(ctx, text, &Default::default()).expect("an attribute");
    let float = ctx.f32();
    let memref = ctx.memref(&[segra_ir::types::DYNAMIC], float, None);
    let shared = Shared {
        zero: attr("0 : index"),
        fast: Some(attr("#arith.fastmath<none>")),
        wrap: Some(attr("#arith.overflow<none>")),
        less: attr("2 : i64"),
        float,
        inputs: [memref, ctx.index(), float],
    };
    let mut ir = Ir::new(ctx.clone());
    let mut module = OpState::new(ctx.op_name("builtin.module"), Loc::UNKNOWN);
    module.regions = 1;
    let root = ir.create_op(module);
    ir.set_root(root);
    let region = ir.region(root, 0);
    let block = ir.add_block(region, &[]);
    let mut place = Place { next: 0, locate };
    for number in 0..functions {
        let mut b = Builder::new(&mut ir, InsertPoint::End(block), Loc::UNKNOWN);
        function(&mut b, number, &shared, &mut place);
    }
    ir
}

/// Numbers ops, and gives the builder the location of the next one.
struct Place<'a, 'b> {
    next: u32,
    locate: &'a mut Locate<'b>,
}

impl Place<'_, '_> {
    fn step(&mut self, b: &mut Builder<'_>) {
        self.next += 1;
        b.loc = (self.locate)(self.next);
    }
}

fn function(b: &mut Builder<'_>, number: usize, shared: &Shared, place: &mut Place<'_, '_>) {
    place.step(b);
    FuncOp::define(b, &format!("f{number}"), &shared.inputs, &[shared.float], |b, args| {
        let &[memref, size, x] = args else { return };
        let (index, float) = (b.ctx().index(), shared.float);
        let mut constant = |b: &mut Builder<'_>, attr| {
            place.step(b);
            let op = ConstantOp::build(b, attr).op();
            b.ir.result(op, 0)
        };
        let zero = constant(b, shared.zero);
        let one = b.ctx().int_attr(number as i128 % 7 + 1, index);
        let one = constant(b, one);
        let start = b.ctx().float_bits_attr(u128::from((number as f32 % 13.0 + 0.5).to_bits()), float);
        let start = constant(b, start);
        place.step(b);
        let bounds = Bounds { lower: zero, upper: size, step: one };
        let outer = ForOp::with_body(b, bounds, &[start], |b, i, carried| {
            let sum = inner(b, (memref, x, i), bounds, carried[0], shared, place);
            let mut square = |b: &mut Builder<'_>| {
                place.step(b);
                MulFOp::builder().lhs(sum).rhs(sum).fastmath(shared.fast).build(b).op()
            };
            let (d, e) = (square(b), square(b));
            let (d, e) = (b.ir.result(d, 0), b.ir.result(e, 0));
            place.step(b);
            let sum = AddFOp::builder().lhs(d).rhs(e).fastmath(shared.fast).build(b).op();
            place.step(b);
            vec![b.ir.result(sum, 0)]
        });
        let result = b.ir.result(outer.op(), 0);
        place.step(b);
        let call = match number.checked_sub(1) {
            Some(callee) => {
                let callee = b.ctx().symbol_attr(&format!("f{callee}"));
                CallOp::builder().callee(callee).operands(&[memref, size, result]).results_types(&[float]).build(b).op()
            }
            None => NegFOp::builder().operand(result).fastmath(shared.fast).build(b).op(),
        };
        let mut last = b.ir.result(call, 0);
        for _ in 0..14 {
            place.step(b);
            let sum = AddFOp::builder().lhs(last).rhs(x).fastmath(shared.fast).build(b).op();
            last = b.ir.result(sum, 0);
        }
        place.step(b);
        ReturnOp::build(b, &[last]);
    });
}

/// The inner loop; what it carries in the end.
fn inner(
    b: &mut Builder<'_>,
    (memref, x, i): (Value, Value, Value),
    bounds: Bounds,
    start: Value,
    shared: &Shared,
    place: &mut Place<'_, '_>,
) -> Value {
    let (fast, float) = (shared.fast, shared.float);
    place.step(b);
    let inner = ForOp::with_body(b, bounds, &[start], |b, j, carried| {
        place.step(b);
        let load = LoadOp::build(b, memref, &[j]).op();
        let load = b.ir.result(load, 0);
        place.step(b);
        let product = MulFOp::builder().lhs(load).rhs(x).fastmath(fast).build(b).op();
        let product = b.ir.result(product, 0);
        place.step(b);
        let sum = AddFOp::builder().lhs(carried[0]).rhs(product).fastmath(fast).build(b).op();
        let sum = b.ir.result(sum, 0);
        place.step(b);
        let place_of = AddIOp::builder().lhs(i).rhs(j).overflow(shared.wrap).build(b).op();
        let place_of = b.ir.result(place_of, 0);
        place.step(b);
        let below = CmpIOp::build(b, shared.less, place_of, bounds.upper).op();
        let below = b.ir.result(below, 0);
        place.step(b);
        let choice = IfOp::with_bodies(
            b,
            below,
            &[float],
            |b| {
                let load = LoadOp::build(b, memref, &[place_of]).op();
                let load = b.ir.result(load, 0);
                let sum = AddFOp::builder().lhs(sum).rhs(load).fastmath(fast).build(b).op();
                vec![b.ir.result(sum, 0)]
            },
            |b| {
                let difference = SubFOp::builder().lhs(sum).rhs(x).fastmath(fast).build(b).op();
                vec![b.ir.result(difference, 0)]
            },
        );
        let choice = b.ir.result(choice.op(), 0);
        place.step(b);
        StoreOp::build(b, choice, memref, &[j]);
        place.step(b);
        vec![choice]
    });
    b.ir.result(inner.op(), 0)
}

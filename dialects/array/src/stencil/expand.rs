//! A stencil as maps over indices that read neighbours.
//!
//! ```mlir
//! %ys = array.stencil (%l, %r in %xs : [n]f32 at [-1, 1] clamp) { yield f(%l, %r) }
//! ==>
//! %is = array.iota %n : [n]index
//! %ys = array.map (%i in %is : [n]index) {
//!   %l = array.near %xs[%i] by [-1] clamp
//!   %r = array.near %xs[%i] by [1] clamp
//!   yield f(%l, %r)
//! }
//! ```
//! Elements that are never outside are read as `inside`. The function of what is outside of an input becomes a value
//! beside the read where it may run anywhere; else it stays behind a branch.

use super::{NearOp, Neighbours, StencilOp, extent_of};
use crate::combinator::{MAPPING, SCHEDULE};
use crate::shape::{IndexOp, IotaOp};
use crate::soac::map;
use crate::types::{Size, array_of, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Block, Builder, Ir, OpView, Value};
use segra_std::arith::index;
use segra_std::boundary::{self, Boundary};
use segra_std::scf::IfOp;

/// The elements that points read.
struct Points {
    inputs: Vec<Neighbours>,
    /// Functions of what is outside, for inputs that have one.
    outside: Vec<Block>,
    body: Block,
    /// Extents of each input, where they are needed.
    extents: Vec<Vec<Value>>,
    /// Extents of the space in types, and the indices along each dimension.
    space: Vec<(Size, Value)>,
}

/// Replaces a stencil.
pub(super) fn expand(ir: &mut Ir, stencil: StencilOp) {
    let op = stencil.op();
    let inputs = stencil.inputs(ir);
    let (space, sizes) = (stencil.space(ir), stencil.sizes(ir));
    let outside = stencil.outside(ir).to_vec();
    let outside = outside
        .into_iter()
        .filter_map(|region| ir.entry_block(region))
        .collect();
    let body = stencil.body_block(ir);
    let mut b = Builder::before(ir, op);
    let mut indices = Vec::new();
    for (dim, &size) in space.iter().enumerate() {
        let count = match sizes.get(dim) {
            Some(&count) => count,
            None => extent_of(&mut b, inputs[0].array, dim),
        };
        let ty = array_of(b.ctx(), size, b.ctx().index());
        indices.push((size, IotaOp::build(&mut b, count, ty).result(b.ir)));
    }
    let extents = inputs.iter().map(|input| {
        let dims = match input.boundary {
            Boundary::Outside => space.len(),
            _ => 0,
        };
        (0..dims)
            .map(|dim| extent_of(&mut b, input.array, dim))
            .collect()
    });
    let points = Points {
        extents: extents.collect(),
        inputs,
        outside,
        body,
        space: indices,
    };
    let new = points.nest(&mut b, &[]);
    if let Some(nest) = new.first().and_then(|&value| ir.defining_op(value)) {
        for name in [SCHEDULE, MAPPING] {
            let given = ir.attr_named(op, name);
            ir.set_attr_named(nest, name, given);
        }
    }
    ir.replace_op(op, &new);
}

impl Points {
    /// The maps over the dimensions behind those that `at` has an index for: their results.
    fn nest(&self, b: &mut Builder<'_>, at: &[Value]) -> Vec<Value> {
        let Some(&(_, indices)) = self.space.get(at.len()) else {
            return self.point(b, at);
        };
        let map = map(b, &[indices], |b, index| {
            let at = [at, index].concat();
            self.nest(b, &at)
        });
        map.results(b.ir)
    }

    fn point(&self, b: &mut Builder<'_>, at: &[Value]) -> Vec<Value> {
        let mut elements = Vec::new();
        let mut outside = self.outside.iter();
        for (input, extents) in self.inputs.iter().zip(&self.extents) {
            let function = match input.boundary {
                Boundary::Outside => outside.next().copied(),
                _ => None,
            };
            for offset in &input.offsets {
                elements.push(match function {
                    Some(function) if offset.iter().any(|&offset| offset != 0) => {
                        self.outside(b, input.array, (at, offset), (function, extents))
                    }
                    _ => element(b, input, at, offset),
                });
            }
        }
        b.clone_block_body(self.body, &elements, &mut Mapping::new())
    }

    /// An element of an input with a function for those outside.
    fn outside(
        &self,
        b: &mut Builder<'_>,
        array: Value,
        (at, offset): (&[Value], &[i64]),
        (function, extents): (Block, &[Value]),
    ) -> Value {
        let moved = moved(b, at, offset);
        let anywhere =
            b.ir.ops(function)
                .all(|op| is_pure(b.ir, op) && is_speculatable(b.ir, op));
        if anywhere {
            let otherwise = b.clone_block_body(function, &moved, &mut Mapping::new())[0];
            return near(b, array, (at, offset), Boundary::Outside, Some(otherwise));
        }
        let inside = boundary::inside(b, &moved, extents);
        let (_, element) = sizes_and_element(b.ctx(), b.type_of(array));
        let read = |b: &mut Builder<'_>| vec![IndexOp::build(b, array, &moved).result(b.ir)];
        let computed =
            |b: &mut Builder<'_>| b.clone_block_body(function, &moved, &mut Mapping::new());
        let branch = IfOp::with_bodies(b, inside, &[element], read, computed);
        branch.results(b.ir)[0]
    }
}

/// An element of an input with a rule.
fn element(b: &mut Builder<'_>, input: &Neighbours, at: &[Value], offset: &[i64]) -> Value {
    let rule = match offset.iter().all(|&offset| offset == 0) {
        true => Boundary::Inside,
        false => input.boundary,
    };
    near(b, input.array, (at, offset), rule, None)
}

fn moved(b: &mut Builder<'_>, at: &[Value], offset: &[i64]) -> Vec<Value> {
    let mut all = Vec::new();
    for (&at, &offset) in at.iter().zip(offset) {
        let offset = index::constant(b, offset);
        all.push(index::add(b, at, offset));
    }
    all
}

fn near(
    b: &mut Builder<'_>,
    array: Value,
    (at, offset): (&[Value], &[i64]),
    boundary: Boundary,
    otherwise: Option<Value>,
) -> Value {
    let (offset, boundary) = (b.ctx().dense_i64_attr(offset), boundary.attr(b.ctx()));
    let near = NearOp::builder()
        .array(array)
        .indices(at)
        .otherwise(otherwise)
        .offsets(offset)
        .boundary(boundary)
        .build(b);
    near.result(b.ir)
}

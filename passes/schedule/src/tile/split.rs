//! Split of a reduction: parts of a loop are run by several thread blocks, and combined by a second nest.
//!
//! ```mlir
//! %c = kernel.segmap thread (%i < %n, %j < %m) {        %p = kernel.segmap thread (%s < %parts, %i < %n, %j < %m) {
//!   %sum = scf.for %k = 0 to %u                            %start = %s == 0 ? %init : 0
//!       iter_args(%acc = %init) {                          %sum = scf.for %k = 0 to min(%len, %u - %s * %len) iter_args(%acc = %start) {
//!     yield %acc + f(%k)                          ==>        yield %acc + f(%s * %len + %k) }
//!   }                                                      return %sum }
//!   return g(%sum)                                       %c = kernel.segmap thread (%i < %n, %j < %m) {
//! }                                                        %sum = scf.for %s = 0 to %parts iter_args(%acc = 0) { yield %acc + %p[%s, %i, %j] }
//!                                                          return g(%sum) }
//! ```
//! "Teaching the Futhark compiler block and register tiled matrix multiplication" (2020), 5.2, future work: where there are few
//! tiles and a long loop, the loop is what gives thread blocks work. The first nest is tiled as any other. Where nothing comes
//! after the loop and there is one part, the second nest is left out.
//!
//! Legality: each value that the loop carries is combined with one that does not depend on it, by an operator that is
//! associative and has a neutral element: sums, products, least, greatest, and, or and exclusive or of integers; least and
//! greatest floats; sums and products of floats where the loop is a reduction of the program ([`REDUCTION`]) or the op may be
//! regrouped. The initial value is combined once, as the first. The code before the loop computes and reads only; the
//! loop's length is known outside of the segmap.
//! Deliberately absent: operators of several ops, such as the place of the least element; they stay in one part.

use crate::tile::Refusal;
use crate::tile::strip::returned;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_pure;
use segra_ir::{Attr, Builder, FloatKind, Ir, Op, OpView, Type, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::local::REDUCTION;
use segra_kernel::segop::{ReturnOp, SegMapOp, tensor_over};
use segra_std::arith::{self, CmpIPredicate, FastMath, index};
use segra_std::scf::{ForOp, IfOp, YieldOp};
use segra_std::tensor::ReshapeOp;

/// How a value that a loop carries is combined.
struct Combined {
    /// The op that gives the next value, and which of its operands is the carried one.
    op: Op,
    carried: usize,
    neutral: Attr,
}

/// Whether a loop of a segmap can be split.
pub(crate) fn can_split(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> bool {
    combined(ir, segmap, looped).is_some()
}

/// Splits a loop into `parts`, each a multiple of `depth` steps long: the segmap over parts and points.
///
/// # Errors
/// See the legality above.
pub fn split(
    ir: &mut Ir,
    segmap: SegMapOp,
    looped: ForOp,
    (parts, depth): (Value, i64),
) -> Result<SegMapOp, Refusal> {
    let Some(combined) = combined(ir, segmap, looped) else {
        return Err(Refusal::new(
            looped.op(),
            "has a loop whose values are not combined by operators that can be regrouped",
        ));
    };
    let split = Split {
        segmap,
        looped,
        combined,
        parts,
    };
    let first = split.parts(ir, depth);
    split.together(ir, first);
    Ok(first)
}

/// How each value of a loop is combined; none where the loop cannot be split.
fn combined(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> Option<Vec<Combined>> {
    let body = segmap.body_block(ir);
    let inside = ir.is_defined_inside(looped.upper_bound(ir), segmap.op());
    if ir.block_of(looped.op()) != Some(body) || !looped.counts_from_zero(ir) || inside {
        return None;
    }
    let mut before = ir.ops(body).take_while(|&op| op != looped.op());
    let harmless = |op: Op| {
        let read = Read::of(ir, op);
        ir.regions(op).is_empty()
            && (is_pure(ir, op) || read.is_some_and(|read| !read.is_checked(ir)))
    };
    if !before.all(harmless) {
        return None;
    }
    let steps = looped.region_block(ir);
    let args = ir.block_args(steps);
    let any_order = ir.attr_named(looped.op(), REDUCTION).is_some();
    let next = ir.operands(ir.last_op(steps)?);
    next.zip(&args[1..])
        .map(|(next, &carried)| {
            let op = ir.defining_op(next)?;
            let operands: Vec<Value> = ir.operands(op).collect();
            let at = operands.iter().position(|&operand| operand == carried)?;
            let alone = ir.has_one_use(carried) && ir.has_one_use(next) && operands.len() == 2;
            let neutral = neutral(ir, op, any_order)?;
            (alone && ir.block_of(op) == Some(steps)).then_some(Combined {
                op,
                carried: at,
                neutral,
            })
        })
        .collect()
}

/// The neutral element of an op that is associative.
fn neutral(ir: &Ir, op: Op, any_order: bool) -> Option<Attr> {
    let (ctx, ty) = (ir.ctx(), ir.value_type(ir.result(op, 0)));
    match *ctx.type_kind(ty) {
        TypeKind::Integer { width, .. } => {
            let signed = 1i128 << (width - 1);
            let number = if ir.isa::<arith::AddIOp>(op)
                || ir.isa::<arith::OrIOp>(op)
                || ir.isa::<arith::XOrIOp>(op)
                || ir.isa::<arith::MaxUIOp>(op)
            {
                0
            } else if ir.isa::<arith::MulIOp>(op) {
                1
            } else if ir.isa::<arith::AndIOp>(op) || ir.isa::<arith::MinUIOp>(op) {
                -1
            } else if ir.isa::<arith::MaxSIOp>(op) {
                -signed
            } else if ir.isa::<arith::MinSIOp>(op) {
                signed - 1
            } else {
                return None;
            };
            Some(ctx.int_attr(number, ty))
        }
        TypeKind::Float(kind) => {
            let bits = Bits::of(kind)?;
            let flags = |flags: Option<FastMath>| {
                any_order || flags.is_some_and(|flags| flags.contains(FastMath::REASSOC))
            };
            let number = if let Some(sum) = ir.cast::<arith::AddFOp>(op) {
                // -0.0: 0.0 would make 0.0 of it.
                flags(sum.fastmath(ir)).then_some(bits.sign)?
            } else if let Some(product) = ir.cast::<arith::MulFOp>(op) {
                flags(product.fastmath(ir)).then_some(bits.one)?
            } else if ir.isa::<arith::MaximumFOp>(op) {
                bits.sign | bits.infinity
            } else if ir.isa::<arith::MinimumFOp>(op) {
                bits.infinity
            } else {
                return None;
            };
            Some(ctx.float_bits_attr(number, ty))
        }
        _ => None,
    }
}

/// Bit patterns of a format of floats.
struct Bits {
    sign: u128,
    one: u128,
    infinity: u128,
}

impl Bits {
    fn of(kind: FloatKind) -> Option<Bits> {
        let (one, infinity) = match kind {
            FloatKind::F16 => (0x3c00, 0x7c00),
            FloatKind::BF16 => (0x3f80, 0x7f80),
            FloatKind::F32 => (0x3f80_0000, 0x7f80_0000),
            FloatKind::F64 => (0x3ff0 << 48, 0x7ff0 << 48),
            _ => return None,
        };
        Some(Bits {
            sign: 1 << (kind.width() - 1),
            one,
            infinity,
        })
    }
}

struct Split {
    segmap: SegMapOp,
    looped: ForOp,
    combined: Vec<Combined>,
    parts: Value,
}

impl Split {
    fn types(&self, ir: &Ir) -> Vec<Type> {
        let inits = self.looped.init_args(ir).into_iter();
        inits.map(|init| ir.value_type(init)).collect()
    }

    fn neutrals(&self, b: &mut Builder<'_>) -> Vec<Value> {
        let neutrals = self.combined.iter().map(|combined| combined.neutral);
        neutrals
            .map(|neutral| arith::ConstantOp::build(b, neutral).result(b.ir))
            .collect()
    }

    /// The ops of the segmap's body before the loop.
    fn before(&self, ir: &Ir) -> Vec<Op> {
        let ops = ir.ops(self.segmap.body_block(ir));
        ops.take_while(|&op| op != self.looped.op()).collect()
    }

    /// The nest over parts and points.
    fn parts(&self, ir: &mut Ir, depth: i64) -> SegMapOp {
        let ctx = ir.context();
        let (types, sizes) = (self.types(ir), self.segmap.sizes(ir));
        let results: Vec<Type> = types
            .iter()
            .map(|&ty| tensor_over(&ctx, sizes.len() + 1, ty))
            .collect();
        let mut b = Builder::before(ir, self.segmap.op());
        let zero = index::constant(&mut b, 0);
        let upper = self.looped.upper_bound(b.ir);
        let upper = index::max(&mut b, upper, zero);
        // Parts are whole tiles of the loop, but the last one.
        let each = index::ceil_div(&mut b, upper, self.parts);
        let depth = index::constant(&mut b, depth);
        let tiles = index::ceil_div(&mut b, each, depth);
        let length = index::mul(&mut b, tiles, depth);
        let mut space = vec![self.parts];
        space.extend(&sizes);
        let made = SegMapOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&space)
            .results_types(&results)
            .build(&mut b);
        let region = made.body(b.ir);
        let indices = vec![ctx.index(); space.len()];
        b.build_block(region, &indices, |b, places| {
            let mut mapping = Mapping::new();
            let body = self.segmap.body_block(b.ir);
            mapping.map_all(b.ir.block_args(body), &places[1..]);
            for op in self.before(b.ir) {
                b.clone_op(op, &mut mapping);
            }
            let first = arith::MulIOp::build(b, places[0], length).result(b.ir);
            let rest = arith::SubIOp::build(b, upper, first).result(b.ir);
            let count = arith::MinSIOp::build(b, rest, length).result(b.ir);
            let zero = arith::ConstantOp::index(b, 0);
            let equal = CmpIPredicate::Eq.attr(b.ctx());
            let is_first = arith::CmpIOp::build(b, equal, places[0], zero).result(b.ir);
            let neutrals = self.neutrals(b);
            let inits = self.looped.init_args(b.ir).into_iter().zip(neutrals);
            let starts: Vec<Value> = inits
                .map(|(init, neutral)| {
                    let init = mapping.get(init);
                    arith::SelectOp::build(b, is_first, init, neutral).result(b.ir)
                })
                .collect();
            let steps = self.looped.region_block(b.ir);
            let values = counted(b, count, &starts, |b, args| {
                let mut values = args.to_vec();
                values[0] = arith::AddIOp::build(b, first, args[0]).result(b.ir);
                b.clone_block_body(steps, &values, &mut mapping)
            });
            ReturnOp::build(b, &values);
        });
        made
    }

    /// The nest over points that combines their parts, and does what comes after the loop, instead of the segmap.
    fn together(&self, ir: &mut Ir, parts: SegMapOp) {
        let op = self.segmap.op();
        let types: Vec<Type> = ir.results(op).map(|result| ir.value_type(result)).collect();
        let alone = returned(ir, self.segmap) == self.looped.results(ir);
        let mut b = Builder::before(ir, op);
        if !alone {
            let values = self.combination(&mut b, parts, &types);
            ir.replace_op(op, &values);
            return;
        }
        let one = index::constant(&mut b, 1);
        let is_one = index::cmp(&mut b, CmpIPredicate::Eq, self.parts, one);
        let branch = IfOp::build(&mut b, is_one, &types).op();
        let region = b.ir.region(branch, 0);
        b.build_block(region, &[], |b, _| {
            let sizes = self.segmap.sizes(b.ir);
            let results = parts.results(b.ir).into_iter().zip(&types);
            let values: Vec<Value> = results
                .map(|(part, &ty)| ReshapeOp::to(b, part, &sizes, ty))
                .collect();
            YieldOp::build(b, &values);
        });
        let region = b.ir.region(branch, 1);
        b.build_block(region, &[], |b, _| {
            let values = self.combination(b, parts, &types);
            YieldOp::build(b, &values);
        });
        let results: Vec<Value> = ir.results(branch).collect();
        ir.replace_op(op, &results);
    }

    fn combination(&self, b: &mut Builder<'_>, parts: SegMapOp, types: &[Type]) -> Vec<Value> {
        let ctx = b.ir.context();
        let (sizes, arrays) = (self.segmap.sizes(b.ir), parts.results(b.ir));
        let made = SegMapOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&sizes)
            .results_types(types)
            .build(b);
        let region = made.body(b.ir);
        let indices = vec![ctx.index(); sizes.len()];
        b.build_block(region, &indices, |b, places| {
            let mut mapping = Mapping::new();
            let body = self.segmap.body_block(b.ir);
            mapping.map_all(b.ir.block_args(body), places);
            for op in self.before(b.ir) {
                b.clone_op(op, &mut mapping);
            }
            let starts = self.neutrals(b);
            let values = counted(b, self.parts, &starts, |b, args| {
                let mut at = vec![args[0]];
                at.extend(places);
                let mut next = Vec::new();
                for ((combined, &array), &carried) in
                    self.combined.iter().zip(&arrays).zip(&args[1..])
                {
                    let part = Read::build(b, array, &at).result(b.ir);
                    let copy = b.clone_op(combined.op, &mut Mapping::new());
                    b.ir.set_operand(copy, combined.carried, carried);
                    b.ir.set_operand(copy, 1 - combined.carried, part);
                    next.push(b.ir.result(copy, 0));
                }
                next
            });
            mapping.map_all(&self.looped.results(b.ir), &values);
            let ops: Vec<Op> = b.ir.ops(body).collect();
            let at = ops.iter().position(|&op| op == self.looped.op());
            // The last one returns.
            let after = at.and_then(|at| ops.get(at + 1..ops.len().saturating_sub(1)));
            for &op in after.unwrap_or_default() {
                b.clone_op(op, &mut mapping);
            }
            let values = mapping.get_all(returned(b.ir, self.segmap));
            ReturnOp::build(b, &values);
        });
        made.results(b.ir)
    }
}

/// A loop that counts from 0 by ones, carrying `starts`: its results.
fn counted(
    b: &mut Builder<'_>,
    count: Value,
    starts: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let types: Vec<Type> = starts.iter().map(|&start| b.type_of(start)).collect();
    let (zero, one) = (
        arith::ConstantOp::index(b, 0),
        arith::ConstantOp::index(b, 1),
    );
    let looped = ForOp::builder()
        .lower_bound(zero)
        .upper_bound(count)
        .step(one)
        .init_args(starts)
        .results_types(&types)
        .build(b);
    let mut args = vec![b.ctx().index()];
    args.extend(&types);
    let region = looped.region(b.ir);
    b.build_block(region, &args, |b, args| {
        let next = body(b, args);
        YieldOp::build(b, &next);
    });
    looped.results(b.ir)
}

//! Software pipelining: copies for later steps of a loop are on their way while a step runs.
//!
//! ```mlir
//! scf.for %t = 0 to %n iter_args(%acc = %zeros) {       %xs0 = scf.if 0 < %n { kernel.segmap thread async (%e < 32) { %x[0 * 32 + %e] } }
//!   %xs = kernel.segmap thread (%e < 32) {         ==>  scf.for %t = 0 to %n iter_args(%acc = %zeros, %xs = %xs0) {
//!     %x[%t * 32 + %e] }                                  %xs1 = scf.if %t + 1 < %n { kernel.segmap thread async (%e < 32) {
//!   %next = f(%acc, %xs)                                    %x[(%t + 1) * 32 + %e] } }
//!   yield %next                                           %next = f(%acc, %xs)
//! }                                                       yield %next, %xs1
//!                                                       }
//! ```
//! With `stages` of 3, the copies of two steps are carried, and so on: `stages` is the number of arrays that are there at a
//! time. Where there is no such step, nothing is copied, and the branch gives an array that nobody reads. "Double
//! buffering" of the thesis on block and register tiling (5.2, future work); cp.async pipelines of CUDA's guide.
//!
//! Legality: the loop counts from 0 by ones in a point of a thread block. Copies are segmaps of threads directly in the
//! loop's body, each value of which is one read, without a check of its own, of an array from outside of the loop; the rest
//! of their bodies, and what they use of the loop's body, is pure and depends on nothing that the loop carries; their extents
//! are constants. The copies are used in the loop only. All of them fit `limit` bytes of shared memory, `stages` times.
//! Deliberately absent: when a thread waits, and where arrays lie (`passes/lower/src/block/ring.rs`).

use crate::tile::Refusal;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_pure;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{SegMapOp, SegmentedOp};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf::{ForOp, IfOp, YieldOp};
use segra_std::tensor::EmptyOp;

/// Carries the copies of a loop from `stages - 1` steps before. How many there are.
///
/// # Errors
/// See the legality above; the message says which of it fails.
pub fn pipeline(ir: &mut Ir, looped: ForOp, stages: i64, limit: i64) -> Result<usize, Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(looped.op(), reason));
    if stages < 2 {
        return refuse("has a pipeline of less than two stages");
    }
    let around = ir
        .ancestors(looped.op())
        .skip(1)
        .find_map(|op| Some(ir.interface::<dyn SegmentedOp>(op)?.level(ir, op)));
    if !looped.counts_from_zero(ir) || around != Some(Level::Block) {
        return refuse("has no loop that counts from 0 by ones in a point of a thread block");
    }
    let body = looped.region_block(ir);
    let copies: Vec<Copy> = ir
        .ops(body)
        .filter_map(|op| Copy::of(ir, body, ir.cast(op)?))
        .collect();
    if copies.is_empty() {
        return refuse("has a loop that copies nothing that is known before its steps");
    }
    let bytes = copies
        .iter()
        .try_fold(0i64, |all, copy| all.checked_add(copy.bytes(ir)?));
    let all = bytes.and_then(|bytes| bytes.checked_mul(stages));
    if all.is_none_or(|all| all > limit) {
        return refuse("has a loop that copies more than shared memory holds so often");
    }
    let count = copies.len();
    Pipeline {
        looped,
        body,
        ahead: stages - 1,
        copies,
    }
    .build(ir);
    Ok(count)
}

/// A copy of a step.
struct Copy {
    segmap: SegMapOp,
    /// The ops of the loop's body that it needs, in order.
    slice: Vec<Op>,
}

impl Copy {
    fn of(ir: &Ir, body: Block, segmap: SegMapOp) -> Option<Copy> {
        let op = segmap.op();
        let points = segmap.body_block(ir);
        let last = ir.last_op(points)?;
        let outside = |value: Value| ir.value_block(value) != Some(body);
        let copies = |value: Value| {
            let read = ir.defining_op(value).and_then(|op| Read::of(ir, op));
            read.is_some_and(|read| {
                ir.value_type(value).is_scalar(ir.ctx()) && outside(read.tensor(ir))
            })
        };
        let harmless = |op: Op| {
            let unchecked = |read: Read| !read.is_checked(ir);
            ir.regions(op).is_empty()
                && (is_pure(ir, op) || Read::of(ir, op).is_some_and(unchecked))
        };
        let inside_only = ir.results(op).all(|result| {
            ir.users(result)
                .all(|user| ir.block_of(user) != Some(body) || ir.last_op(body) != Some(user))
        });
        let fits = segmap.level(ir) == Level::Thread
            && ir.operands(last).len() > 0
            && ir.operands(last).all(copies)
            && ir.ops(points).all(harmless)
            && segmap
                .sizes(ir)
                .into_iter()
                .all(|size| ir.constant_int(size).is_some())
            && inside_only;
        let slice = fits.then(|| slice(ir, body, op)).flatten()?;
        Some(Copy { segmap, slice })
    }
}

impl Copy {
    /// Bytes of what it makes.
    fn bytes(&self, ir: &Ir) -> Option<i64> {
        let mut all = 0i64;
        for result in self.segmap.results(ir) {
            let (shape, element) = ir.value_type(result).shaped(ir.ctx())?;
            let bits = match ir.ctx().type_kind(element) {
                TypeKind::Integer { width, .. } => i64::from(*width),
                TypeKind::Float(kind) => i64::from(kind.width()),
                _ => 64,
            };
            let count = shape
                .iter()
                .try_fold(1i64, |all, &it| all.checked_mul(it))?;
            all = all.checked_add(count.checked_mul(bits.max(8) / 8)?)?;
        }
        Some(all)
    }
}

/// The pure ops of a loop's body that an op in it needs, in order; none where it needs others, or what the loop carries.
fn slice(ir: &Ir, body: Block, op: Op) -> Option<Vec<Op>> {
    let counter = *ir.block_args(body).first()?;
    let mut found: Vec<Op> = Vec::new();
    let mut pending: Vec<Value> = ir
        .walk(op)
        .into_iter()
        .flat_map(|op| ir.operands(op))
        .collect();
    while let Some(value) = pending.pop() {
        if ir.value_block(value) != Some(body) || value == counter {
            continue;
        }
        let made = ir.defining_op(value)?;
        if !is_pure(ir, made) || !ir.regions(made).is_empty() {
            return None;
        }
        if !found.contains(&made) {
            found.push(made);
            pending.extend(ir.operands(made));
        }
    }
    Some(ir.ops(body).filter(|op| found.contains(op)).collect())
}

struct Pipeline {
    looped: ForOp,
    body: Block,
    /// How many steps before its own a copy is made.
    ahead: i64,
    copies: Vec<Copy>,
}

impl Pipeline {
    fn build(&self, ir: &mut Ir) {
        let looped = self.looped;
        let mut inits = looped.init_args(ir);
        let own = inits.len();
        let mut b = Builder::before(ir, looped.op());
        for stage in 0..self.ahead {
            let step = arith::ConstantOp::index(&mut b, stage);
            inits.extend(self.copies_of(&mut b, step));
        }
        let types: Vec<Type> = inits.iter().map(|&init| b.type_of(init)).collect();
        let (lower, upper, step) = (
            looped.lower_bound(b.ir),
            looped.upper_bound(b.ir),
            looped.step(b.ir),
        );
        let unsigned = looped.unsigned_cmp_attr(b.ir);
        let new = ForOp::builder()
            .lower_bound(lower)
            .upper_bound(upper)
            .step(step)
            .init_args(&inits)
            .unsigned_cmp(unsigned)
            .results_types(&types)
            .build(&mut b);
        let mut args = vec![b.type_of(lower)];
        args.extend(&types);
        let region = new.region(b.ir);
        b.build_block(region, &args, |b, values| {
            let ahead = arith::ConstantOp::index(b, self.ahead);
            let step = arith::AddIOp::build(b, values[0], ahead).result(b.ir);
            let later = self.copies_of(b, step);
            let mut mapping = Mapping::new();
            for (old, &new) in b.ir.block_args(self.body).to_vec().into_iter().zip(values) {
                mapping.map(old, new);
            }
            let carried = &values[1 + own..];
            for (result, &now) in self.results(b.ir).into_iter().zip(carried) {
                mapping.map(result, now);
            }
            let ops: Vec<Op> = b.ir.ops(self.body).collect();
            let Some((&last, ops)) = ops.split_last() else {
                return;
            };
            for &op in ops {
                if !self.copies.iter().any(|copy| copy.segmap.op() == op) {
                    b.clone_op(op, &mut mapping);
                }
            }
            let yielded: Vec<Value> = b.ir.operands(last).collect();
            let mut next: Vec<Value> = yielded
                .into_iter()
                .map(|value| mapping.get(value))
                .collect();
            next.extend(&carried[later.len()..]);
            next.extend(later);
            YieldOp::build(b, &next);
        });
        let results = new.results(ir);
        ir.replace_op(looped.op(), &results[..own]);
    }

    /// The results of the copies of a step, one after another.
    fn results(&self, ir: &Ir) -> Vec<Value> {
        self.copies
            .iter()
            .flat_map(|copy| copy.segmap.results(ir))
            .collect()
    }

    /// The copies of a step, if there is such a step.
    fn copies_of(&self, b: &mut Builder<'_>, step: Value) -> Vec<Value> {
        let types: Vec<Type> = self
            .results(b.ir)
            .into_iter()
            .map(|result| b.type_of(result))
            .collect();
        let unsigned = self.looped.unsigned_cmp_attr(b.ir).is_some();
        let predicate = match unsigned {
            true => CmpIPredicate::Ult,
            false => CmpIPredicate::Slt,
        };
        let (predicate, upper) = (predicate.attr(b.ctx()), self.looped.upper_bound(b.ir));
        let exists = arith::CmpIOp::build(b, predicate, step, upper).result(b.ir);
        let branch = IfOp::build(b, exists, &types).op();
        let region = b.ir.region(branch, 0);
        b.build_block(region, &[], |b, _| {
            let counter = b.ir.block_args(self.body)[0];
            let mut mapping = Mapping::new();
            mapping.map(counter, step);
            let mut made = Vec::new();
            for copy in &self.copies {
                for &op in &copy.slice {
                    b.clone_op(op, &mut mapping);
                }
                let new = b.clone_op(copy.segmap.op(), &mut mapping);
                let unit = b.ctx().unit();
                b.ir.set_attr_named(new, "async", Some(unit));
                made.extend(b.ir.results(new));
            }
            YieldOp::build(b, &made);
        });
        let region = b.ir.region(branch, 1);
        b.build_block(region, &[], |b, _| {
            let mut none = Vec::new();
            for copy in &self.copies {
                let extents = copy.segmap.sizes(b.ir).into_iter();
                let extents: Vec<i64> =
                    extents.filter_map(|size| b.ir.constant_int(size)).collect();
                let sizes: Vec<Value> = extents
                    .into_iter()
                    .map(|extent| arith::ConstantOp::index(b, extent))
                    .collect();
                for result in copy.segmap.results(b.ir) {
                    let ty = b.type_of(result);
                    none.push(EmptyOp::of(b, &sizes, ty));
                }
            }
            YieldOp::build(b, &none);
        });
        b.ir.results(branch).collect()
    }
}

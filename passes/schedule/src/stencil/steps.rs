//! Several steps of a loop of stencils by one kernel: temporal blocking with tiles that overlap.
//!
//! ```mlir
//! %r = scf.for %t = 0 to %k iter_args(%u = %x) {     %y = scf.for %t = 0 to %k / 8 iter_args(%u = %x) {
//!   %v = kernel.segmap thread (%i < %n) {              %v = kernel.segmap block (%b < ceildiv(%n, 1024)) {
//!     f(%u[%i - 1], %u[%i + 1], clamped)                 %s0 = 1024 + 2 * 8 elements of %u
//!   }                                         ==>        %s1 = f at 1024 + 2 * 7 places of %s0; ...; f at 1024 places of %s7
//!   yield %v                                           }
//! }                                                    yield %v
//!                                                    }
//!                                                    %r = scf.for %t = 0 to %k mod 8 iter_args(%u = %y) { as before }
//! ```
//! A kernel reads a tile and what eight steps need around it, and writes the tile: about two elements for each point in place
//! of sixteen. Points around a tile are computed by several blocks, fewer from step to step (a trapezoid).
//!
//! Elements outside of the arrays are kept as they are to be read in the next step ([`region`](super::region)).
//!
//! Single steps are launches of all multiprocessors, a tile's steps have one, so there should be as many tiles as the option `blocks`
//! says. But where a multiprocessor computes a step of its tile sooner than the host launches the next one, several steps
//! pay from one tile on, full or not ([`launch`](super::launch)). How soon the host does depends on the number of steps, which is asked when
//! the program runs.
//!
//! Legality: loops that count up and whose body is a stencil ([`super::find`]) and code without effects; the counter is not
//! used; what is carried is what the stencil returns, or was carried; carried arrays are read by [`NearOp`] alone, have the
//! extents of the space (which is asked when the program runs), and one rule, beside values outside, but for `wrap`.

use super::find::{Rules, Stencil};
use super::launch::{self, Tiles as Counted};
use super::region::{Region, inner};
use super::shape::Shape;
use super::tile::{Staged, blocks, extents_of, in_block, lasts, points, stage};
use crate::choice::Answer;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::DimOp;
use segra_kernel::near::NearOp;
use segra_kernel::registers::Registers;
use segra_kernel::segop::SegMapOp;
use segra_kernel::vector::element_bytes;
use segra_space::Target;
use segra_std::arith::{self, CmpIPredicate, SelectOp, index};
use segra_std::boundary::Boundary;
use segra_std::scf::{Bounds, ForOp};

/// Most ops of a kernel of several steps, before registers.
pub(super) const MOST_OPS: usize = 2000;

/// Cycles of an op of a thread with the arithmetic for addresses that goes with it, and of a read from shared memory.
pub(super) const OP: i64 = 2 * 4;
pub(super) const SHARED: i64 = 23;

/// The value that a loop carries from one step to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A result of the stencil.
    Result(usize),
    /// The value carried at this position.
    Carried(usize),
}

/// A loop of a stencil.
struct Steps {
    looped: ForOp,
    stencil: Stencil,
    next: Vec<Next>,
    /// The group of each carried array, where the stencil reads it.
    group_of: Vec<Option<usize>>,
    /// The rule by which places outside are taken for others.
    rule: Boundary,
    /// Furthest neighbour along each dimension.
    reach: Vec<i64>,
}

/// Several steps, and the tile of the last one.
struct Plan {
    steps: i64,
    /// Cycles of a thread for its points of one step.
    cycles: i64,
    shape: Shape,
}

impl Steps {
    fn of(ir: &Ir, stencil: &Stencil) -> Option<Steps> {
        let segmap = stencil.segmap;
        let looped = ir.cast::<ForOp>(ir.parent_op(segmap.op())?)?;
        let body = looped.region_block(ir);
        let counter = looped.induction_var(ir);
        let counts = looped.unsigned_cmp_attr(ir).is_none()
            && ir.value_type(counter).is_index(ir.ctx())
            && !ir.has_uses(counter);
        let last = ir.last_op(body)?;
        let plain = ir.ops(body).all(|op| {
            op == segmap.op() || op == last || is_pure(ir, op) && is_speculatable(ir, op)
        });
        if !counts || !plain {
            return None;
        }
        let carried = looped.iter_args(ir).to_vec();
        let results = segmap.results(ir);
        let mut next = Vec::new();
        for value in ir.operands(last) {
            let position = |all: &[Value]| all.iter().position(|&other| other == value);
            next.push(match (position(&results), position(&carried)) {
                (Some(at), _) => Next::Result(at),
                (None, at) => Next::Carried(at?),
            });
        }
        let mut stencil = stencil.clone();
        let single = std::mem::take(&mut stencil.single);
        let read = single
            .into_iter()
            .filter(|group| carried.contains(&group.tensor));
        stencil.groups.extend(read);
        let mut group_of = Vec::new();
        for &array in &carried {
            group_of.push(only_group(ir, &stencil, array)?);
        }
        for (at, &next) in next.iter().enumerate() {
            // An array that is forwarded is there in tiles.
            if let Next::Carried(from) = next
                && (group_of[from].is_none() || at == from)
            {
                return None;
            }
        }
        let tiled = stencil.tiled(ir);
        let far = |dim: usize| {
            let reaches = stencil.groups.iter().map(|group| group.far(dim));
            reaches.max().unwrap_or(0)
        };
        Some(Steps {
            rule: common_rule(&stencil, &group_of)?,
            reach: (0..tiled).map(far).collect(),
            looped,
            stencil,
            next,
            group_of,
        })
    }

    /// The carried arrays that the stencil reads, with their groups.
    fn carried(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let groups = self.group_of.iter().enumerate();
        groups.filter_map(|(at, group)| Some((at, (*group)?)))
    }
}

/// The one group of a carried array, if it is read; outer `None`: it is read otherwise, too.
fn only_group(ir: &Ir, stencil: &Stencil, array: Value) -> Option<Option<usize>> {
    let groups: Vec<usize> = (0..stencil.groups.len())
        .filter(|&at| stencil.groups[at].tensor == array)
        .collect();
    if groups.len() > 1 {
        return None;
    }
    let group = groups.first().copied();
    let mut reads: Vec<Op> = Vec::new();
    if let Some(group) = group {
        let group = &stencil.groups[group];
        let outer = &ir.block_args(stencil.segmap.body_block(ir))[..stencil.outer];
        if group.lead != outer {
            return None;
        }
        reads.extend(group.reads.iter().map(|read| read.op()));
    }
    let good = ir.users(array).all(|user| {
        reads.contains(&user)
            || ir.isa::<DimOp>(user)
            || Some(user) == ir.last_op(stencil_block(ir, stencil))
    });
    good.then_some(group)
}

fn stencil_block(ir: &Ir, stencil: &Stencil) -> segra_ir::Block {
    ir.block_of(stencil.segmap.op())
        .unwrap_or_else(|| stencil.segmap.body_block(ir))
}

/// The rule of all carried arrays that are read outside.
fn common_rule(stencil: &Stencil, group_of: &[Option<usize>]) -> Option<Boundary> {
    let mut rules = Rules::default();
    let groups = group_of.iter().flatten().map(|&at| &stencil.groups[at]);
    for group in groups.filter(|group| !group.is_still()) {
        rules.add(group.rule)?;
    }
    match rules.total {
        Some(Boundary::Wrap) if rules.outside => None,
        Some(rule) => Some(rule),
        None => Some(Boundary::Clamp),
    }
}

/// Extents of tiles of several steps, points and threads.
pub(super) fn tiles_for(tiled: usize) -> Option<Shape> {
    let (points, threads): (&[i64], &[i64]) = match tiled {
        1 => (&[4], &[256]),
        2 => (&[4, 2], &[8, 32]),
        3 => (&[8, 1, 1], &[1, 8, 32]),
        _ => return None,
    };
    Some(Shape {
        extents: points
            .iter()
            .zip(threads)
            .map(|(points, threads)| points * threads)
            .collect(),
        registers: Registers {
            counts: points.to_vec(),
            runs: points.to_vec(),
            apart: None,
        },
    })
}

pub(super) fn volume(tile: &[i64], margin: &[i64]) -> i64 {
    tile.iter()
        .zip(margin)
        .map(|(tile, margin)| tile + 2 * margin)
        .product()
}

pub(super) fn bytes_of(ir: &Ir, value: Value) -> Option<i64> {
    let (_, element) = ir.value_type(value).shaped(ir.ctx())?;
    element_bytes(ir, element)
}

/// Margins around a tile for so many further steps.
fn margin(steps: &Steps, further: i64) -> Vec<i64> {
    steps.reach.iter().map(|reach| reach * further).collect()
}

/// The number of steps at once that moves the fewest elements, if it moves clearly fewer than single steps.
fn plan(ir: &Ir, steps: &Steps, most: i64) -> Option<Plan> {
    let shape = tiles_for(steps.stencil.tiled(ir))?;
    let (tile, ops) = (&shape.extents, ir.walk(steps.stencil.segmap.op()).len());
    let (read, written) = (steps.carried().count() as i64, steps.next.len() as i64);
    let inside = volume(tile, &vec![0; tile.len()]);
    let mut best: Option<(i64, i64, i64)> = None;
    let reads: usize = steps
        .stencil
        .groups
        .iter()
        .map(|group| group.reads.len())
        .sum();
    let each = OP * ops as i64 + SHARED * reads as i64;
    let points: i64 = shape.registers.counts.iter().product();
    for count in [2, 4, 8, 16].into_iter().filter(|&count| count <= most) {
        let around = volume(tile, &margin(steps, count));
        let computed: i64 = (0..count)
            .map(|left| volume(tile, &margin(steps, left)))
            .sum();
        let mut bytes = 0;
        for group in &steps.stencil.groups {
            bytes += bytes_of(ir, group.tensor)? * around + Target::CUDA.shared_alignment;
        }
        for result in steps.stencil.segmap.results(ir) {
            bytes += bytes_of(ir, result)? * volume(tile, &margin(steps, count - 1));
        }
        let reaches = steps.reach.iter().zip(tile);
        let near = reaches
            .into_iter()
            .all(|(reach, tile)| reach * count <= *tile);
        let fits = near
            && bytes <= Target::CUDA.shared_bytes
            && computed <= 2 * count * inside
            && ops * count as usize <= MOST_OPS;
        // Elements moved for 16 steps of a tile.
        let moved = (read * around + written * inside) * 16 / count;
        if fits && best.is_none_or(|(known, ..)| moved < known) {
            best = Some((moved, count, points * each * computed / (inside * count)));
        }
    }
    let single = (read + written) * inside * 16;
    let (moved, count, cycles) = best?;
    (moved * 5 <= single * 3).then_some(Plan {
        steps: count,
        cycles,
        shape,
    })
}

/// Lets one kernel do several steps of the loop around a stencil, and another one fewer of those that are left, where that pays;
/// whether it does. The rest of the loop stays behind them.
pub(super) fn fuse(ir: &mut Ir, stencil: &Stencil, (most, enough): (i64, i64), name: &str) -> bool {
    let name = format!("{name}.steps");
    let default = |cycles| launch::default(cycles, enough);
    let Some(first) = fuse_at_most(ir, stencil, most, (&name, &default)) else {
        return false;
    };
    let fewer = (first.steps as u64).isqrt() as i64;
    let fewer = fewer.min(first.left.unwrap_or(fewer));
    fuse_at_most(ir, stencil, fewer, (&name, &|_| first.enough));
    true
}

/// A loop whose steps are done several at once.
struct Fused {
    steps: i64,
    /// The default of its threshold.
    enough: i64,
    /// Steps that are left, where the loop's are known.
    left: Option<i64>,
}

/// Lets one kernel do several steps, at most so many, of the loop around a stencil, where that pays, with a threshold of this name.
fn fuse_at_most(
    ir: &mut Ir,
    stencil: &Stencil,
    most: i64,
    (name, default): (&str, &dyn Fn(i64) -> i64),
) -> Option<Fused> {
    let steps = Steps::of(ir, stencil)?;
    let looped = steps.looped;
    let mut b = Builder::before(ir, looped.op());
    let count = trip_count(&mut b, looped);
    let known = b.ir.constant_int(count);
    let plan = plan(b.ir, &steps, most.min(known.unwrap_or(most)))?;
    let enough = default(plan.cycles);
    let (tiles, same) = size_outside(&mut b, &steps, &plan);
    let pays = tiles.steps_pay(&mut b, (looped, count), (plan.cycles, plan.steps));
    let threshold = tiles.threshold(&mut b, &pays, (name.to_owned(), enough));
    let asked = match threshold.answer(&mut b) {
        Answer::Known(false) => return None,
        answer => answer.and(Answer::Asked(same), &mut b),
    };
    let (fused, rest) = trips(&mut b, count, &plan, asked);
    let (zero, one) = (index::constant(&mut b, 0), index::constant(&mut b, 1));
    let bounds = Bounds {
        lower: zero,
        upper: fused,
        step: one,
    };
    let inits = looped.init_args(b.ir);
    let new = ForOp::with_body(&mut b, bounds, &inits, |b, _, carried| {
        several(b, &steps, &plan, carried)
    });
    let results = new.results(b.ir);
    for (at, value) in [zero, rest, one].into_iter().chain(results).enumerate() {
        ir.set_operand(looped.op(), at, value);
    }
    Some(Fused {
        steps: plan.steps,
        enough,
        left: known.map(|count| count % plan.steps),
    })
}

/// The code of the loop in front of it, for the arrays that it begins with: the stencil's copy, to be erased.
fn outside(b: &mut Builder<'_>, steps: &Steps, carried: &[Value]) -> (SegMapOp, Mapping) {
    let mut mapping = Mapping::new();
    mapping.map_all(steps.looped.iter_args(b.ir), carried);
    let body = steps.looped.region_block(b.ir);
    let mut copy = steps.stencil.segmap;
    let ops: Vec<Op> = b.ir.ops(body).collect();
    for op in ops.iter().copied().take(ops.len() - 1) {
        let new = b.clone_op(op, &mut mapping);
        if op == steps.stencil.segmap.op() {
            copy = SegMapOp::from_op(new);
        }
    }
    (copy, mapping)
}

/// The number of tiles before the loop, and whether carried arrays have the extents of the space.
fn size_outside(b: &mut Builder<'_>, steps: &Steps, plan: &Plan) -> (Counted, Value) {
    let inits = steps.looped.init_args(b.ir);
    let (segmap, _) = outside(b, steps, &inits);
    let stencil = Stencil {
        segmap,
        ..steps.stencil.clone()
    };
    let counted = Counted::of(b, &stencil, &plan.shape.extents);
    let sizes = segmap.sizes(b.ir);
    let truth = b.ctx().i1();
    let mut same = arith::ConstantOp::int(b, 1, truth);
    for &init in &inits {
        for (dim, &wanted) in sizes.iter().enumerate() {
            let extent = DimOp::of(b, init, dim);
            let here = index::cmp(b, CmpIPredicate::Eq, extent, wanted);
            same = arith::AndIOp::build(b, same, here).result(b.ir);
        }
    }
    b.ir.erase_op(segmap.op());
    (counted, same)
}

/// How many steps a loop has.
fn trip_count(b: &mut Builder<'_>, looped: ForOp) -> Value {
    let (lower, upper, step) = (
        looped.lower_bound(b.ir),
        looped.upper_bound(b.ir),
        looped.step(b.ir),
    );
    let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
    let any = index::cmp(b, CmpIPredicate::Slt, lower, upper);
    let distance = index::sub(b, upper, lower);
    let before = index::sub(b, distance, one);
    let whole = index::div(b, before, step);
    let count = index::add(b, whole, one);
    match b.ir.constant_int(any) {
        Some(0) => zero,
        Some(_) => count,
        None => SelectOp::build(b, any, count, zero).result(b.ir),
    }
}

/// How often several steps are done at once, and how many single ones are left.
fn trips(b: &mut Builder<'_>, count: Value, plan: &Plan, asked: Answer) -> (Value, Value) {
    let zero = index::constant(b, 0);
    let at_once = index::constant(b, plan.steps);
    let mut fused = index::div(b, count, at_once);
    if let Answer::Asked(condition) = asked {
        fused = SelectOp::build(b, condition, fused, zero).result(b.ir);
    }
    let done = index::mul(b, fused, at_once);
    let rest = index::sub(b, count, done);
    (fused, rest)
}

/// The carried arrays in tiles: the tensor, and how far it goes around the tile.
type Tiles = Vec<Option<(Value, Vec<i64>)>>;

/// The kernel of several steps: what is carried behind them.
fn several(b: &mut Builder<'_>, steps: &Steps, plan: &Plan, carried: &[Value]) -> Vec<Value> {
    let (segmap, mapping) = outside(b, steps, carried);
    let mut stencil = Stencil {
        segmap,
        ..steps.stencil.clone()
    };
    for group in &mut stencil.groups {
        group.tensor = mapping.get(group.tensor);
        group.otherwise = group.otherwise.map(|value| mapping.get(value));
        let args = b.ir.block_args(segmap.body_block(b.ir))[..stencil.outer].to_vec();
        let old =
            b.ir.block_args(steps.stencil.segmap.body_block(b.ir))
                .to_vec();
        for index in &mut group.lead {
            *index = match old.iter().position(|arg| arg == index) {
                Some(at) => args[at],
                None => mapping.get(*index),
            };
        }
        for read in &mut group.reads {
            let copy = b.ir.defining_op(mapping.get(read.result(b.ir)));
            *read = copy.map_or(*read, NearOp::from_op);
        }
    }
    let tiled = plan.shape.extents.len();
    let extents: Vec<Vec<Value>> = stencil
        .groups
        .iter()
        .map(|group| extents_of(b, group, tiled))
        .collect();
    let lasts = lasts(b, &stencil);
    let types: Vec<Type> = carried.iter().map(|&value| b.type_of(value)).collect();
    let whole = blocks(
        b,
        &stencil,
        (&plan.shape.extents, &types),
        |b, outer, firsts| {
            let stencil = in_block(b.ir, &stencil, outer);
            let kernel = Kernel {
                steps,
                plan,
                stencil: &stencil,
                extents: &extents,
                place: (outer, firsts, &lasts),
            };
            kernel.emit(b)
        },
    );
    b.ir.erase_op(segmap.op());
    whole
}

/// The code of a thread block.
struct Kernel<'a> {
    steps: &'a Steps,
    plan: &'a Plan,
    stencil: &'a Stencil,
    /// Extents of the groups' arrays along the tiled dimensions.
    extents: &'a [Vec<Value>],
    /// Indices of outer dimensions, the first index of the tile along the others, and the last ones of the space.
    place: (&'a [Value], &'a [Value], &'a [Value]),
}

impl Kernel<'_> {
    fn emit(&self, b: &mut Builder<'_>) -> Vec<Value> {
        let tile = &self.plan.shape.extents;
        let all = margin(self.steps, self.plan.steps);
        let firsts = self.place.1;
        let mut tiles: Tiles = Vec::new();
        for (group, extents) in self.stencil.groups.iter().zip(self.extents) {
            let staged = stage(b, group, (firsts, tile), (&all, &all), extents);
            tiles.push(Some((staged.tensor, all.clone())));
        }
        for done in 1..self.plan.steps {
            let around = margin(self.steps, self.plan.steps - done);
            let values = self.step(b, &tiles, &around);
            tiles = self.carry(&tiles, &values, &around);
        }
        let none = vec![0; tile.len()];
        let staged = self.staged(&tiles, &none);
        let values = points(b, self.stencil, &self.plan.shape, self.place, &staged);
        let mut carried = Vec::new();
        for next in &self.steps.next {
            carried.push(match *next {
                Next::Result(at) => values[at],
                Next::Carried(from) => self.copy(b, &tiles, from),
            });
        }
        carried
    }

    /// The tiles as they lie around a region that goes `around` beyond the tile.
    fn staged(&self, tiles: &Tiles, around: &[i64]) -> Vec<Staged> {
        let known = tiles.iter().flatten();
        known
            .map(|(tensor, margin)| Staged {
                tensor: *tensor,
                first: margin
                    .iter()
                    .zip(around)
                    .map(|(far, near)| far - near)
                    .collect(),
            })
            .collect()
    }

    /// The tiles after a step that made `values`.
    fn carry(&self, tiles: &Tiles, values: &[Value], around: &[i64]) -> Tiles {
        let mut next = tiles.clone();
        for (at, group) in self.steps.carried() {
            next[group] = match self.steps.next[at] {
                Next::Result(result) => Some((values[result], around.to_vec())),
                Next::Carried(from) => {
                    self.steps.group_of[from].and_then(|from| tiles[from].clone())
                }
            };
        }
        next
    }

    /// A tile of an array that is carried on as it is.
    fn copy(&self, b: &mut Builder<'_>, tiles: &Tiles, from: usize) -> Value {
        let found = self.steps.group_of[from].and_then(|group| tiles[group].clone());
        let (tensor, margin) = found.expect("an array that is forwarded is there in tiles");
        inner(b, &self.plan.shape, tensor, &margin)
    }

    /// One step at the places of a tile and so far around it.
    fn step(&self, b: &mut Builder<'_>, tiles: &Tiles, around: &[i64]) -> Vec<Value> {
        let mut readers = Vec::new();
        for (carried, group) in self.steps.carried() {
            if let Next::Result(result) = self.steps.next[carried] {
                readers.push((result, &self.stencil.groups[group]));
            }
        }
        let region = Region {
            stencil: self.stencil,
            tile: &self.plan.shape.extents,
            around,
            farthest: &margin(self.steps, self.plan.steps),
            rule: self.steps.rule,
            place: self.place,
        };
        region.values(b, &self.staged(tiles, around), &readers)
    }
}

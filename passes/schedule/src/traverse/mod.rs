//! Pass `fuse-traversals`: nests that iterate over the same matrices become one kernel, which reads each element once, even
//! where one of them combines rows and another one columns.
//!
//! ```mlir
//! %q = kernel.segred thread (%i < %n, %j < %m) init (%z : f32) { return %a[%i, %j] * %p[%j] } combine ...
//! %s = kernel.segred thread (%j < %m, %i < %n) init (%z : f32) { return %a[%i, %j] * %r[%i] } combine ...
//! ==>
//! %large = kernel.at_least %tiles, "main.traverse0.large" default 256
//! %q, %s = scf.if %large {
//!   %qs, %ss = kernel.segmap block (%bi < ceildiv(%n, 128), %bj < ceildiv(%m, 256)) {
//!     scf.for %k = 0 to 4 iter_args(columns' sums, rows' sums) {
//!       kernel.segmap thread (%w < 16, %l < 32) { 2 rows of 8 columns: read once, added to both }
//!       kernel.segred thread (%w < 16, %l < 32) { the 2 rows, across the lanes } } ... }
//!   %q1 = kernel.segred thread (%i < %n, %bj < ..) { %qs[..] }, %s1 = kernel.segred thread (%j < %m, %bi < ..) { %ss[..] }
//! } else { the nests as they were }
//! ```
//! Filipovič, Madzin, Fousek and Matyska, "Optimizing CUDA code by kernel fusion: application on BLAS", 3.2 and 4.3: a
//! reduction needs a global barrier, so its result is used by no nest of the same kernel, but partial reductions need
//! none; what is invariant over a block's serial iterations is loaded before them, what accumulates is stored after them
//! (their Algorithms 1 and 3). Theirs needs sizes that are multiples of the tile, hand-written routines for it, and adds
//! parts up by atomics, in no order; here any size goes, any operator, in order ([`tile`]).
//!
//! Legality: segmaps and segreds of level `thread` over spaces with the same extents, of scalars, whose bodies have no
//! regions; what one needs of another is the element that the other makes for the same point; nothing that is made of
//! their results is needed by another of them; ops between them can be moved. Versions of a nest compute the same, so its
//! flat one is looked at ([`sequence`]).

mod element;
mod group;
mod member;
mod plan;
mod sequence;
mod step;
mod tile;

use crate::choice::{Answer, Threshold};
use crate::equal::Equal;
use crate::tile::Versions;
use group::{Group, Place, groups};
use plan::Plan;
use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::segop::SegmentedOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::arith::{ConstantOp, index};
use segra_std::func::FuncOp;
use segra_std::scf;
use sequence::Sequence;
use tile::Shape;

pass_options! {
    /// The pass `fuse-traversals`.
    pub struct FuseTraversals {
        /// Whether tiles have the shape that other options say, or one that sizes choose.
        pub versions: Versions = Versions::BySize,
        /// Warps of a thread block.
        pub warps: i64 = 16,
        /// Columns of a thread.
        pub columns: i64 = 8,
        /// Rows that a thread has at once.
        pub rows: i64 = 2,
        /// How often it takes so many.
        pub steps: i64 = 4,
        /// From how many whole tiles on there is a kernel for all.
        pub tiles: i64 = 16,
    }
}

const INFO: PassInfo = PassInfo {
    name: "fuse-traversals",
    summary: "let one kernel do what iterates over the same matrices, along rows and along columns",
    reads: &["arith", "kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[FuncOp::DEF.name]),
};

impl Pass for FuseTraversals {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        let one = Version {
            name: "tiles",
            shape: Shape {
                warps: self.warps,
                per_thread: self.columns,
                at_once: self.rows,
                steps: self.steps,
            },
            tiles: self.tiles,
        };
        if let Some(fault) = one.fault() {
            return Err(cx.fail(ir, function, fault));
        }
        let versions = match self.versions {
            Versions::One => vec![one],
            Versions::BySize => BY_SIZE.to_vec(),
        };
        let name = symbol_name(ir, function)
            .map(|name| ir.ctx().str(name).to_owned())
            .unwrap_or_default();
        let equal = Equal::of(ir, function);
        let mut fused = 0;
        for block in host_blocks(ir, function) {
            for group in groups(ir, block, &equal) {
                let name = format!("{name}.traverse{fused}");
                if fuse_all(ir, block, &group, &versions, &name) > 0 {
                    fused += 1;
                    cx.count("traversals", 1);
                    cx.count("nests in them", group.members.len() as u64);
                }
            }
        }
        Ok(Outcome::of(Changed::when(fused > 0)))
    }
}

/// Blocks of a function that the host runs and no version of a nest is: those with segmented ops, or choices.
fn host_blocks(ir: &Ir, function: Op) -> Vec<Block> {
    let mut found = Vec::new();
    let mut pending: Vec<_> = ir.regions(function).to_vec();
    while let Some(region) = pending.pop() {
        for block in ir.blocks(region) {
            let mut any = false;
            for op in ir.ops(block) {
                let nest = sequence::is_nest(ir, op);
                any |= nest;
                if !nest && ir.interface::<dyn SegmentedOp>(op).is_none() {
                    pending.extend(ir.regions(op).iter().rev());
                }
            }
            if any {
                found.push(block);
            }
        }
    }
    found
}

/// A shape of tiles, and when it is taken.
#[derive(Clone, Copy, Debug)]
struct Version {
    /// The last part of its threshold's name.
    name: &'static str,
    shape: Shape,
    /// From how many whole tiles on.
    tiles: i64,
}

/// From the largest tile on: it has fewest parts of rows and columns to store, but a device is busy only with a tile for each
/// multiprocessor at least (an H100 has 132), and a launch for those parts costs as much as moving some megabytes.
const BY_SIZE: [Version; 2] = [
    Version {
        name: "large",
        shape: Shape {
            warps: 16,
            per_thread: 8,
            at_once: 2,
            steps: 4,
        },
        tiles: 256,
    },
    Version {
        name: "small",
        shape: Shape {
            warps: 16,
            per_thread: 4,
            at_once: 2,
            steps: 2,
        },
        tiles: 200,
    },
];

impl Version {
    fn fault(&self) -> Option<String> {
        let negative = self.tiles < 0;
        let tiles = negative.then(|| "option tiles: must not be negative".to_owned());
        self.shape.fault().or(tiles)
    }

    /// Whether there are enough whole tiles, asked before an op.
    fn answer(&self, ir: &mut Ir, before: Op, group: &Group, name: String) -> Answer {
        let space = &group.members[0].space;
        let mut b = Builder::before(ir, before);
        let mut counts = space.outer.clone();
        let extents = [
            (space.rows, self.shape.rows()),
            (space.columns, self.shape.columns()),
        ];
        for (extent, of_tile) in extents {
            let of_tile = index::constant(&mut b, of_tile);
            counts.push(index::div(&mut b, extent, of_tile));
        }
        let enough = Threshold {
            size: index::product(&mut b, &counts),
            name,
            default: self.tiles,
        };
        enough.answer(&mut b)
    }
}

/// Adds the kernel of a group in these versions, of which thresholds choose whose names begin with `name`; how many there are.
fn fuse_all(ir: &mut Ir, block: Block, group: &Group, versions: &[Version], name: &str) -> u64 {
    let (mut block, mut made) = (block, 0);
    let last = |ir: &Ir, block: Block| {
        let place = group.place(ir, &Sequence::of(ir, block), block)?;
        place.tops.last().copied()
    };
    for version in versions {
        let version = Version {
            shape: version.shape.for_elements(group.widest(ir)),
            ..*version
        };
        let Some(before) = last(ir, block) else {
            return made;
        };
        let name = format!("{name}.{}", version.name);
        let condition = match version.answer(ir, before, group, name) {
            Answer::Known(false) => continue,
            Answer::Known(true) => None,
            Answer::Asked(condition) => Some(condition),
        };
        let is_last = condition.is_none();
        let condition = condition.unwrap_or_else(|| {
            let mut b = Builder::before(ir, before);
            let ty = b.ctx().i1();
            ConstantOp::int(&mut b, 1, ty)
        });
        match fuse(ir, block, group, version.shape, condition) {
            Some(otherwise) => block = otherwise,
            None => return made,
        }
        made += 1;
        if is_last {
            break;
        }
    }
    made
}

/// Puts a choice between the kernel of a group and its nests in the place of the last of those; the block in which the nests
/// are then.
fn fuse(ir: &mut Ir, block: Block, group: &Group, shape: Shape, condition: Value) -> Option<Block> {
    let sequence = Sequence::of(ir, block);
    let place = group.place(ir, &sequence, block)?;
    let &last = place.tops.last()?;
    let next = ir.next_op(last)?;
    for &op in &place.later {
        ir.move_before(op, next);
    }
    let results: Vec<Value> = place.tops.iter().flat_map(|&top| ir.results(top)).collect();
    let types: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
    let choice = scf::IfOp::build(&mut Builder::before(ir, last), condition, &types).op();
    let loc = ir.loc(last);
    let [then, otherwise] = [0, 1].map(|number| {
        let region = ir.region(choice, number);
        ir.add_block(region, &[])
    });
    let mut b = Builder::at_end(ir, then, loc);
    let values = flat(&mut b, group, (&sequence, &place), &results, shape)?;
    scf::YieldOp::build(&mut b, &values);
    for (number, &old) in results.iter().enumerate() {
        let new = ir.result(choice, number);
        ir.replace_all_uses(old, new);
    }
    for &top in &place.tops {
        ir.move_to_end(top, otherwise);
    }
    // Uses by the nests themselves are among those that were replaced.
    for (number, &old) in results.iter().enumerate() {
        let new = ir.result(choice, number);
        let inside: Vec<Op> = ir
            .users(new)
            .filter(|&user| ir.is_inside(user, choice))
            .collect();
        for user in inside {
            let operands: Vec<Value> = ir
                .operands(user)
                .map(|operand| if operand == new { old } else { operand })
                .collect();
            ir.set_operands(user, &operands);
        }
    }
    scf::YieldOp::build(&mut Builder::at_end(ir, otherwise, loc), &results);
    Some(otherwise)
}

/// The flat versions of a group's ops with its kernel among them: what stands for `results`.
fn flat(
    b: &mut Builder<'_>,
    group: &Group,
    (sequence, place): (&Sequence, &Place),
    results: &[Value],
    shape: Shape,
) -> Option<Vec<Value>> {
    let items: Vec<(usize, Op)> = sequence
        .items
        .iter()
        .enumerate()
        .filter(|(number, item)| place.tops.contains(&item.top) && !place.numbers.contains(number))
        .map(|(number, item)| (number, item.op))
        .collect();
    let mut mapping = Mapping::new();
    let aliases = |mapping: &mut Mapping| {
        for value in sequence.aliased() {
            let resolved = sequence.resolve(value);
            let image = mapping.get(resolved);
            if image != resolved {
                mapping.map(value, image);
            }
        }
    };
    for &(_, op) in items.iter().filter(|row| !place.dependents[row.0]) {
        b.clone_op(op, &mut mapping);
        aliases(&mut mapping);
    }
    let members: FxHashSet<Op> = group.members.iter().map(|member| member.op).collect();
    let is_member = |ir: &Ir, user: Op| ir.ancestors(user).any(|op| members.contains(&op));
    let ir = &*b.ir;
    let needed = |value: Value| ir.users(value).any(|user| !is_member(ir, user));
    let around = mapping.clone();
    let plan = Plan::new(ir, (group, sequence), shape, &around, &needed)?;
    for (old, new) in tile::emit(b, &plan) {
        mapping.map(old, new);
    }
    aliases(&mut mapping);
    for &(_, op) in items.iter().filter(|row| place.dependents[row.0]) {
        b.clone_op(op, &mut mapping);
        aliases(&mut mapping);
    }
    Some(
        results
            .iter()
            .map(|&value| mapping.get(sequence.resolve(value)))
            .collect(),
    )
}

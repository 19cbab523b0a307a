//! Pass `explicit-partitions`: with-loops whose partitions share no index and have all, or other combinators in their place.
//!
//! Source: Janssen and Scholz (2021), section 2.2, and Single Assignment C's compiler: "eventually there are no overlapping
//! index sets within any with-loop", and "further partitions are added to cover the entire legal index space".
//!
//! ```mlir
//! array.with_loop genarray [7, 7] default (%d)                       array.with_loop explicit genarray [7, 7]
//!   partition ([1, 1] <= (%i, %j) < [6, 6] step [3, 2] width [2, 1])   partition ([1, 1] <= (%i, %j) < [6, 6] step [3, 2] width [2, 1]) {B}
//!     {B}                                                         =>   partition ((%i, %j) < [1, 7]) {%d}        above
//!                                                                      partition ([6, 0] <= (%i, %j) < [7, 7]) {%d}   below
//!                                                                      partition ([1, 0] <= (%i, %j) < [6, 1]) {%d}   on the left
//!                                                                      partition ([1, 6] <= (%i, %j) < [6, 7]) {%d}   on the right
//!                                                                      partition ([3, 1] <= (%i, %j) < [6, 6] step [3, 1]) {%d}   gaps of rows
//!                                                                      partition ([1, 2] <= (%i, %j) < [6, 6] step [3, 2] width [2, 1]) {%d}   gaps of columns
//! ```
//! 1. *Disjointness*: a partition loses what later ones have; 2. *completion*: a genarray gets partitions of the default
//!    values for what none has; a modarray whose array is needed afterwards gets partitions that copy it, else that array
//!    is changed in place and nothing is added; 3. *normalisation*: steps without effect go, ranges known to be empty go.
//!
//! The arithmetic is [`segra_space`]'s: bounds may be values of the run, and are clamped by minima and maxima; an index space
//! that is then empty costs a launch that is skipped.
//!
//! Other combinators come out where they are better, or where there is no other way ([`segra_array::with_loop::lower`]):
//! * a fold is one reduction after the other; a partition that has all indices is a nest of maps;
//! * a with-loop inside of another combinator, and one with combinators inside, is a nest of maps with a branch: its
//!   parallelism is that of the nest;
//! * a with-loop that makes arrays of values of several shapes;
//! * a with-loop whose grids meet in ways only the run knows, or that falls into more than [`MOST_PARTITIONS`] parts, too;
//! * with `kernels=auto`, one of at most [`FEW`] elements as far as constants tell, unless a partition has a mapping: a
//!   launch takes as long as a kernel of some ten thousand elements takes for the tests of a branch.
//!
//! Before partitions are written, a with-loop takes in those that it reads ([`crate::absorb`]).
//!
//! Legality: an index is computed by the last partition that has it, which the op says; bodies are copied, not changed. Steps
//! and widths are positive, which checks before the pass see to.

use crate::absorb;
use segra_array::combinator::is_combinator;
use segra_array::shape::IndexOp;
use segra_array::with_loop::space::{Arithmetic, Numbers};
use segra_array::with_loop::{Bound, Kind, Loop, Partition, Range, WithLoopOp, body, lower};
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, Op, Severity, Type, Value, ValueDef};
use segra_pass::{
    Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, option_enum, pass_options,
};
use segra_space::{Descriptor, Interval};

/// Most partitions that are kernels of their own.
const MOST_PARTITIONS: usize = 32;

/// Elements of an array for which one kernel with a branch is cheaper than several.
const FEW: i64 = 1 << 14;

option_enum! {
    /// How many kernels a with-loop of several partitions becomes.
    pub enum Kernels {
        /// One if there are few elements, else one per partition.
        Auto = "auto",
        /// One per partition.
        Each = "each",
        /// One.
        One = "one",
    }
}

pass_options! {
    /// The pass `explicit-partitions`.
    #[derive(Copy)]
    pub struct ExplicitPartitions {
        /// How many kernels a with-loop of several partitions becomes.
        pub kernels: Kernels = Kernels::Auto,
    }
}

const INFO: PassInfo = PassInfo {
    name: "explicit-partitions",
    summary: "make partitions of with-loops disjoint and complete, or other combinators of them",
    reads: &["array"],
    writes: &["arith", "array", "scf"],
    anchors: Anchors::Any,
};

impl Pass for ExplicitPartitions {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, root: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut loops = ir.walk(root);
        loops.retain(|&op| ir.isa::<WithLoopOp>(op));
        if loops.is_empty() {
            return Ok(Outcome::unchanged());
        }
        let absorbed = absorb::absorb_all(ir, &loops);
        let mut loops = ir.walk(root);
        loops.retain(|&op| ir.isa::<WithLoopOp>(op));
        // Inner ones first: bodies are copied.
        loops.reverse();
        let mut made = 0;
        for op in loops {
            let Some(parts) = Loop::of(ir, op).filter(|parts| !parts.explicit) else {
                continue;
            };
            made += 1;
            let (loc, name) = (ir.loc(op), "array.with_loop");
            let message = match self.explicit(ir, op, &parts) {
                Ok(count) => format!("{name} has {count} partitions that share no index"),
                Err(why) => {
                    lower::replace(ir, op, &parts);
                    format!("{name} becomes other combinators: {why}")
                }
            };
            let remark = segra_ir::Diagnostic::new(Severity::Remark, loc, message);
            cx.diags().push(remark);
        }
        cx.count("with-loops taken in by others", absorbed);
        cx.count("with-loops made explicit", made);
        Ok(Outcome::changed())
    }
}

/// The index spaces of a with-loop: those of its partitions, cut, and those of the rest.
struct Pieces {
    /// Number of the partition and its space.
    own: Vec<(usize, Descriptor)>,
    rest: Vec<Descriptor>,
}

/// Spaces without the indices of others; `None`: not known, or too many.
fn without(
    arithmetic: &mut Arithmetic,
    spaces: Vec<Descriptor>,
    others: &[Descriptor],
) -> Option<Vec<Descriptor>> {
    let mut left = spaces;
    for other in others {
        let mut next = Vec::new();
        for space in left {
            next.extend(space.minus(&mut arithmetic.arena, other)?);
        }
        if next.len() > MOST_PARTITIONS {
            return None;
        }
        left = next;
    }
    Some(left)
}

fn pieces(
    arithmetic: &mut Arithmetic,
    whole: Option<Descriptor>,
    own: &[Descriptor],
) -> Option<Pieces> {
    let mut pieces = Pieces {
        own: Vec::new(),
        rest: Vec::new(),
    };
    for (at, space) in own.iter().enumerate() {
        let space = space.normalised(&mut arithmetic.arena);
        let left = without(arithmetic, vec![space], &own[at + 1..])?;
        pieces.own.extend(left.into_iter().map(|space| (at, space)));
    }
    if let Some(whole) = whole {
        pieces.rest = without(arithmetic, vec![whole], own)?;
    }
    let arena = &mut arithmetic.arena;
    pieces.own.retain(|(_, space)| !space.is_empty(arena));
    pieces.rest.retain(|space| !space.is_empty(arena));
    (pieces.own.len() + pieces.rest.len() <= MOST_PARTITIONS).then_some(pieces)
}

/// Whether an array is made right here and nobody else needs it: it can be changed in place.
fn is_dead_after(ir: &Ir, array: Value, user: Op) -> bool {
    let ValueDef::Result { op, .. } = ir.value_def(array) else {
        return false;
    };
    ir.has_one_use(array) && ir.block_of(op) == ir.block_of(user)
}

impl ExplicitPartitions {
    /// Makes a with-loop explicit; how many partitions it has then, or why it becomes something else.
    fn explicit(&self, ir: &mut Ir, op: Op, parts: &Loop) -> Result<usize, &'static str> {
        if parts.kind == Kind::Fold {
            return Err("a reduction for each partition");
        }
        if lower::is_map(ir, parts) {
            return Err("one partition has all indices");
        }
        if ir
            .ancestors(op)
            .skip(1)
            .any(|around| is_combinator(ir, around))
        {
            return Err("it stands inside of another combinator");
        }
        let has_combinator = |partition: &Partition| {
            let mut ops = ir.ops(partition.body);
            ops.any(|inner| ir.walk(inner).into_iter().any(|op| is_combinator(ir, op)))
        };
        if parts.partitions.iter().any(has_combinator) {
            return Err("it has combinators inside");
        }
        if !lower::has_one_shape(ir, op, parts) {
            return Err("its values have several shapes");
        }
        if self.kernels == Kernels::One || self.is_small(ir, op, parts) {
            return Err("one kernel is cheaper for its few elements");
        }
        explicit(ir, op, parts)
    }

    fn is_small(&self, ir: &Ir, op: Op, parts: &Loop) -> bool {
        let mapped = parts.partitions.iter().any(|part| part.mapping.is_some());
        if self.kernels == Kernels::Each || mapped {
            return false;
        }
        let sizes = ir.results(op).next().map(|array| {
            let ty = ir.value_type(array);
            segra_array::types::sizes_and_element(ir.ctx(), ty).0
        });
        let known = |size: segra_array::types::Size| match size {
            segra_array::types::Size::Constant(extent) => Some(extent),
            _ => None,
        };
        let mut sizes = sizes.unwrap_or_default().into_iter().take(parts.rank);
        let count = sizes.try_fold(1i64, |count, size| count.checked_mul(known(size)?));
        count.is_some_and(|count| count <= FEW)
    }
}

fn explicit(ir: &mut Ir, op: Op, parts: &Loop) -> Result<usize, &'static str> {
    let in_place = parts.kind == Kind::Modarray
        && parts.init.iter().all(|&array| is_dead_after(ir, array, op));
    let types: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
    let loc = ir.loc(op);
    let mut arithmetic = Arithmetic::default();
    let mut b = Builder::before(ir, op);
    b.loc = loc;
    let shape = parts.extents(&mut b);
    let whole: Vec<Range> = shape
        .iter()
        .map(|&extent| Range::dense(Bound::Constant(0), extent))
        .collect();
    let sizes = Numbers {
        upper: Interval::NON_NEGATIVE,
        ..Numbers::ARRAY
    };
    let whole = arithmetic.descriptor(b.ir, &whole, sizes);
    let mut own = Vec::new();
    for partition in &parts.partitions {
        own.push(arithmetic.descriptor(b.ir, &partition.space, Numbers::ARRAY));
    }
    let whole = (!in_place).then_some(whole);
    let Some(pieces) = pieces(&mut arithmetic, whole, &own) else {
        return Err("its index spaces meet in too many ways");
    };
    let mut partitions = Vec::new();
    for (at, space) in pieces.own {
        let old = &parts.partitions[at];
        let body = body(&mut b, parts.rank, |b, indices| {
            b.clone_block_body(old.body, indices, &mut Mapping::new())
        });
        partitions.push(Partition {
            space: arithmetic.space(&mut b, &space),
            mapping: old.mapping,
            body,
        });
    }
    for space in pieces.rest {
        let body = body(&mut b, parts.rank, |b, indices| match parts.kind {
            Kind::Modarray => {
                let arrays = parts.init.iter();
                arrays
                    .map(|&array| IndexOp::build(b, array, indices).result(b.ir))
                    .collect()
            }
            Kind::Genarray | Kind::Fold => parts.init.clone(),
        });
        partitions.push(Partition {
            space: arithmetic.space(&mut b, &space),
            mapping: None,
            body,
        });
    }
    let count = partitions.len();
    let new = Loop {
        kind: if in_place {
            Kind::Modarray
        } else {
            Kind::Genarray
        },
        explicit: true,
        rank: parts.rank,
        shape: if in_place { Vec::new() } else { shape },
        init: if in_place {
            parts.init.clone()
        } else {
            Vec::new()
        },
        neutral: Vec::new(),
        partitions,
        combine: None,
    };
    let made = new.build(&mut b, &types);
    let results = made.results(ir).to_vec();
    ir.replace_op(op, &results);
    Ok(count)
}

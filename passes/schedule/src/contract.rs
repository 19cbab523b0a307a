//! Pass `use-tensor-cores`: sums of products that threads hold in registers become those of tensor cores.
//!
//! ```mlir
//! %s = kernel.segmap thread registers [8, 8] runs [1, 4]            %s = kernel.segmap thread contract registers [8, 8] runs [1, 2]
//!     (%p < 128, %q < 128) {                                            (%p < 128, %q < 128) {
//!   scf.for %k = 0 to 32 iter_args(%c = %accs[%p, %q]) {       ==>    ... as before
//!     %a = extf %as[%p, %k]; %b = extf %bs[%k, %q]                  }
//!     yield %c + %a * %b
//!   }
//! }
//! ```
//! The points of a thread become those that it has of a fragment ([`segra_kernel::contract`]), in all segmaps over the tile,
//! and [`crate::registers`] makes a `kernel.contract` of the loop when it writes the points out.
//!
//! Legality: a product of a row and a column of two arrays of f16 or bf16, widened to f32, so that it is exact; a sum of f32
//! that may be made in any order (`fastmath<reassoc>` at the addition, or the option `any-order`, where all sums of the
//! program are known to be reductions); a loop of constant length, a multiple of 16, that
//! begins at a constant multiple of 8. Other segmaps stay as they are.

use segra_ir::{FloatKind, Ir, Op, OpView, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::contract::{SHAPE, fits, multiplies};
use segra_kernel::level::Level;
use segra_kernel::registers::{Registers, constant_sizes};
use segra_kernel::segop::SegMapOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::arith::{AddFOp, ExtFOp, FastMath, MulFOp};
use segra_std::builtin;
use segra_std::scf::ForOp;

pass_options! {
    /// The pass `use-tensor-cores`.
    pub struct UseTensorCores {
        /// Take sums of floats to be in no order, whatever their additions say.
        pub any_order: bool = false,
        /// Compute capability, times ten, of the oldest chip that runs the code: 75 (f16) or 80 (bf16, too) on; below
        /// there are no such tensor cores.
        pub oldest: i64 = 75,
    }
}

/// First compute capabilities with products of these numbers.
const F16_SINCE: i64 = 75;
const BF16_SINCE: i64 = 80;

const INFO: PassInfo = PassInfo {
    name: "use-tensor-cores",
    summary: "leave sums of products that threads hold in registers to tensor cores",
    reads: &["kernel", "scf"],
    writes: &["kernel"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for UseTensorCores {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let blocks: Vec<SegMapOp> = ir
            .walk(module)
            .into_iter()
            .filter_map(|op| ir.cast::<SegMapOp>(op))
            .filter(|segmap| segmap.level(ir) == Level::Block)
            .collect();
        let mut found = 0;
        for block in blocks {
            found += self.mark(ir, block);
        }
        cx.count("segmaps for tensor cores", found);
        Ok(Outcome::of(Changed::when(found > 0)))
    }
}

impl UseTensorCores {
    /// Marks the segmaps of a point of a block whose sums are for tensor cores. How many there are.
    pub(crate) fn mark(&self, ir: &mut Ir, block: SegMapOp) -> u64 {
        let segmaps: Vec<SegMapOp> = ir
            .walk(block.op())
            .into_iter()
            .filter_map(|op| ir.cast::<SegMapOp>(op))
            .filter(|segmap| segmap.level(ir) == Level::Thread)
            .collect();
        let found: Vec<SegMapOp> = segmaps
            .iter()
            .copied()
            .filter(|&segmap| self.is_for_them(ir, segmap))
            .collect();
        for &segmap in &found {
            let (sizes, registers) = (constant_sizes(ir, segmap), Registers::of(ir, segmap));
            let Some(points) = registers.clone() else {
                continue;
            };
            // Tiles of one shape may be carried into each other, so all are held alike.
            for &other in &segmaps {
                if constant_sizes(ir, other) == sizes && Registers::of(ir, other) == registers {
                    in_pairs(&points).assign(ir, other);
                }
            }
            let unit = ir.ctx().unit();
            ir.set_attr_named(segmap.op(), "contract", Some(unit));
        }
        found.len() as u64
    }

    fn is_for_them(&self, ir: &Ir, segmap: SegMapOp) -> bool {
        let Some(sizes) = constant_sizes(ir, segmap) else {
            return false;
        };
        let points = Registers::of(ir, segmap).map(|points| in_pairs(&points));
        let fits = points.is_some_and(|points| {
            let threads = points.threads(&sizes);
            threads.is_some_and(|threads| fits(&points, &threads))
        });
        fits && ir.walk(segmap.op()).into_iter().any(|op| {
            let looped = ir.cast::<ForOp>(op);
            let found = looped.and_then(|looped| Contraction::of(ir, looped, segmap));
            found.is_some_and(|found| {
                let since = if found.brain { BF16_SINCE } else { F16_SINCE };
                (self.any_order || found.any_order) && self.oldest >= since
            })
        })
    }
}

/// The points of a thread, in runs of two along the columns.
fn in_pairs(points: &Registers) -> Registers {
    let mut runs = vec![1; points.runs.len()];
    if let Some(last) = runs.last_mut() {
        *last = 2;
    }
    Registers {
        counts: points.counts.clone(),
        runs,
    }
}

/// A loop in a point that adds up products of a row and a column.
pub(crate) struct Contraction {
    pub(crate) a: Value,
    pub(crate) b: Value,
    /// Whether `a` is depth by rows, `b` columns by depth.
    pub(crate) transposed: [bool; 2],
    pub(crate) depth: i64,
    /// Whether numbers are of bf16, rather than f16.
    brain: bool,
    /// Whether the additions say that their order is free.
    any_order: bool,
}

impl Contraction {
    /// The contraction that a loop of a point of `segmap` is, if it is one.
    pub(crate) fn of(ir: &Ir, looped: ForOp, segmap: SegMapOp) -> Option<Contraction> {
        let place = ir.block_args(segmap.body_block(ir));
        let &[row, column] = place else { return None };
        let known = |value: Value| ir.constant_int(value);
        let (lower, upper) = (
            known(looped.lower_bound(ir))?,
            known(looped.upper_bound(ir))?,
        );
        let depth = upper.checked_sub(lower)?;
        if known(looped.step(ir)) != Some(1) || depth < SHAPE[2] || depth % SHAPE[2] != 0 {
            return None;
        }
        // Fragments are read in parts of a row that are half a product's depth long.
        if lower < 0 || lower % (SHAPE[2] / 2) != 0 {
            return None;
        }
        let body = looped.region_block(ir);
        let &[step, carried] = ir.block_args(body) else {
            return None;
        };
        let &[sum] = &ir.operands(ir.last_op(body)?).collect::<Vec<_>>()[..] else {
            return None;
        };
        let sum = ir.def_as::<AddFOp>(sum)?;
        let product = other(sum.lhs(ir), sum.rhs(ir), carried)?;
        let product = ir.def_as::<MulFOp>(product)?;
        let factors = [product.lhs(ir), product.rhs(ir)].map(|factor| Factor::of(ir, factor));
        let [Some(first), Some(second)] = factors else {
            return None;
        };
        let along = |factor: &Factor, place: Value| match factor.indices {
            [outer, inner] if outer == place && inner == step => Some(false),
            [outer, inner] if outer == step && inner == place => Some(true),
            _ => None,
        };
        // An array of rows is a, one of columns b.
        let (a, b) = match along(&first, row) {
            Some(_) => (first, second),
            None => (second, first),
        };
        let transposed = [along(&a, row)?, !along(&b, column)?];
        let ops = ir.ops(body).count();
        let alone = [
            a.ops + b.ops + 3 == ops,
            ir.value_type(carried) == ir.ctx().f32(),
        ];
        let outside = |array: Value| ir.value_block(array) != Some(body);
        let alike = a.brain == b.brain;
        let fits = alike && alone.iter().all(|&it| it) && outside(a.array) && outside(b.array);
        fits.then(|| Contraction {
            a: a.array,
            b: b.array,
            transposed,
            depth,
            brain: a.brain,
            any_order: sum
                .fastmath(ir)
                .is_some_and(|flags| flags.contains(FastMath::REASSOC)),
        })
    }
}

/// The one of two values that is not `known`, which the other one is.
fn other(x: Value, y: Value, known: Value) -> Option<Value> {
    match (x == known, y == known) {
        (true, false) => Some(y),
        (false, true) => Some(x),
        _ => None,
    }
}

/// An element of a narrow array, widened.
struct Factor {
    array: Value,
    indices: [Value; 2],
    /// Whether it is of bf16.
    brain: bool,
    /// How many ops it is.
    ops: usize,
}

impl Factor {
    fn of(ir: &Ir, value: Value) -> Option<Factor> {
        let wide = ir.def_as::<ExtFOp>(value)?;
        let read = ir.def_as::<ReadOp>(wide.r#in(ir))?;
        let element = ir.value_type(read.result(ir));
        let &[outer, inner] = &read.indices(ir)[..] else {
            return None;
        };
        let plain = read.checked_attr(ir).is_none() && multiplies(ir.ctx(), element);
        let constant = ir
            .value_type(read.tensor(ir))
            .shaped(ir.ctx())?
            .0
            .iter()
            .all(|&it| it >= 0);
        (plain && constant).then_some(Factor {
            array: read.tensor(ir),
            indices: [outer, inner],
            brain: element.float_kind(ir.ctx()) == Some(FloatKind::BF16),
            ops: 2,
        })
    }
}

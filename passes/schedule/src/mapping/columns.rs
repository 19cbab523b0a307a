//! The reads of an op's body around its indices, as far as the width of columns depends on them ([`segra_space::column_width`]).
//!
//! An index of an array counts where it is one of the space's dimensions, a loop's counter or the same for all threads, or such
//! with a constant or the counter of a short loop added, clamped or wrapped at an edge. A read at any other index counts as
//! nothing: its elements are other ones for each thread in every order. Reads of an array by the same dimensions are one
//! neighbourhood.

use segra_ir::{Ir, Op, Value};
use segra_kernel::access::Read;
use segra_kernel::mapping::Mapped;
use segra_kernel::segop::SegmentedOp;
use segra_kernel::vector::{element_bytes, vector_of};
use segra_space::{
    BlockSize, COLUMN_THREADS, Footprint, Group, LONG_LOOP, Span, Strategy, VisitOrder,
    column_width,
};
use segra_std::arith::{
    AddIOp, MaxSIOp, MaxUIOp, MinSIOp, MinUIOp, RemSIOp, RemUIOp, SelectOp, SubIOp,
};
use segra_std::scf::ForOp;

/// Columns of the width that is best for an op, in blocks of as many threads as given, or else of [`COLUMN_THREADS`].
pub(super) fn best(ir: &Ir, op: Op, size: BlockSize) -> Option<Strategy> {
    let mapped = Mapped::of(ir, op).ok()?;
    let reads = reads(ir, op, &mapped);
    let threads = match size {
        BlockSize::Threads(threads) => threads,
        BlockSize::Automatic => COLUMN_THREADS,
    };
    let order = VisitOrder::Columns(column_width(&reads, threads));
    Some(Strategy::Ordered(order, BlockSize::Threads(threads)))
}

/// The neighbourhoods that an op's threads read.
fn reads(ir: &Ir, op: Op, mapped: &Mapped) -> Vec<Footprint> {
    let body = ir
        .interface::<dyn SegmentedOp>(op)
        .and_then(|model| ir.entry_block(model.body(ir, op)));
    let args = body.map_or(&[][..], |body| ir.block_args(body));
    let rank = mapped.extents.len();
    if mapped.group != Group::Thread || rank != args.len() || vector_of(ir, op).is_some() {
        return Vec::new();
    }
    let body = Body { ir, op, args };
    let mut found = Vec::<(Value, Vec<Index>, i64)>::new();
    for read in ir.walk(op) {
        let Some(read) = Read::of(ir, read) else {
            continue;
        };
        let tensor = read.tensor(ir);
        let indices = read.indices(ir).into_iter().map(|at| body.index(at));
        let indices: Option<Vec<Index>> = indices.collect();
        let Some(indices) = indices.filter(|_| !ir.is_defined_inside(tensor, op)) else {
            continue;
        };
        let alike = |known: &[Index]| {
            let pairs = known.iter().zip(&indices);
            known.len() == indices.len() && pairs.into_iter().all(|(a, b)| a.of == b.of)
        };
        match found
            .iter_mut()
            .find(|(of, known, _)| *of == tensor && alike(known))
        {
            Some((_, known, _)) => {
                for (known, index) in known.iter_mut().zip(&indices) {
                    *known = known.with(*index);
                }
            }
            None => {
                let ty = ir.value_type(read.result(ir)).element_or_self(ir.ctx());
                found.push((tensor, indices, element_bytes(ir, ty).unwrap_or(8)));
            }
        }
    }
    let footprints = found.into_iter().map(|(_, indices, bytes)| Footprint {
        spans: indices.iter().map(|index| index.span(rank)).collect(),
        bytes,
    });
    footprints.collect()
}

/// An index of an array: what it is made of, and the constants added to that.
#[derive(Clone, Copy, Debug)]
struct Index {
    of: Of,
    least: i64,
    most: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// Of the space.
    Dimension(usize),
    /// A counter of so many trips.
    Loop(i64),
    /// A constant.
    Nothing,
    /// A number that is the same for all threads.
    Uniform,
}

impl Index {
    fn of(of: Of) -> Index {
        Index {
            of,
            least: 0,
            most: 0,
        }
    }

    fn with(self, other: Index) -> Index {
        Index {
            of: self.of,
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    fn span(self, rank: usize) -> Span {
        let reach = self.most.saturating_sub(self.least).saturating_add(1);
        match self.of {
            Of::Dimension(dim) if dim + 1 == rank => Span::Column {
                first: self.least,
                reach,
            },
            Of::Dimension(dim) if dim + 2 == rank => Span::Row { reach },
            Of::Loop(trips) => Span::Loop { reach: trips },
            // Threads of a block are in few places of outer dimensions.
            Of::Dimension(_) | Of::Nothing | Of::Uniform => Span::Uniform { reach },
        }
    }
}

struct Body<'a> {
    ir: &'a Ir,
    op: Op,
    args: &'a [Value],
}

impl Body<'_> {
    fn index(&self, value: Value) -> Option<Index> {
        let ir = self.ir;
        if let Some(dim) = self.args.iter().position(|&arg| arg == value) {
            return Some(Index::of(Of::Dimension(dim)));
        }
        if let Some(constant) = ir.constant_int(value) {
            return Some(Index {
                of: Of::Nothing,
                least: constant,
                most: constant,
            });
        }
        if !ir.is_defined_inside(value, self.op) {
            return Some(Index::of(Of::Uniform));
        }
        let Some(made) = ir.defining_op(value) else {
            return self.counter(value);
        };
        let operands: Vec<Value> = ir.operands(made).collect();
        match *operands.as_slice() {
            [x, y] if ir.isa::<AddIOp>(made) => sum(self.index(x)?, self.index(y)?),
            [x, y] if ir.isa::<SubIOp>(made) => {
                let y = self.index(y)?;
                let negative = matches!(y.of, Of::Nothing | Of::Uniform).then_some(Index {
                    of: y.of,
                    least: y.most.checked_neg()?,
                    most: y.least.checked_neg()?,
                });
                sum(self.index(x)?, negative?)
            }
            [x, y] if self.keeps_the_interior(made) => self.at_edges(x, y),
            [_, x, y] if ir.isa::<SelectOp>(made) => self.at_edges(x, y),
            _ => None,
        }
    }

    /// Whether an op changes indices at the edges of an array only.
    fn keeps_the_interior(&self, op: Op) -> bool {
        let ir = self.ir;
        ir.isa::<MaxSIOp>(op)
            || ir.isa::<MaxUIOp>(op)
            || ir.isa::<MinSIOp>(op)
            || ir.isa::<MinUIOp>(op)
            || ir.isa::<RemSIOp>(op)
            || ir.isa::<RemUIOp>(op)
    }

    /// An index of which one side is that inside of the array, the other that at an edge.
    fn at_edges(&self, x: Value, y: Value) -> Option<Index> {
        let is_edge = |index: &Index| matches!(index.of, Of::Nothing | Of::Uniform);
        match (self.index(x), self.index(y)) {
            (Some(x), Some(y)) if x.of == y.of => Some(x.with(y)),
            (Some(x), Some(y)) if is_edge(&y) => Some(x),
            (Some(x), Some(y)) if is_edge(&x) => Some(y),
            _ => None,
        }
    }

    fn counter(&self, value: Value) -> Option<Index> {
        let ir = self.ir;
        let around = ir.block_parent(ir.value_block(value)?)?;
        let looped = ir.cast::<ForOp>(around)?;
        if looped.induction_var(ir) != value {
            return None;
        }
        let bounds = [looped.lower_bound(ir), looped.upper_bound(ir)];
        let [lower, upper] = bounds.map(|bound| ir.constant_int(bound));
        match (lower, upper) {
            // One of few values, known as a constant is.
            (Some(lower), Some(upper)) if lower < upper && upper - lower < LONG_LOOP => {
                Some(Index {
                    of: Of::Nothing,
                    least: lower,
                    most: upper - 1,
                })
            }
            (Some(lower), Some(upper)) => Some(Index::of(Of::Loop(upper.saturating_sub(lower)))),
            // As many as an extent that nobody knows may be.
            _ => Some(Index::of(Of::Loop(LONG_LOOP))),
        }
    }
}

/// A sum of indices of which one at most depends on the thread or a loop.
fn sum(x: Index, y: Index) -> Option<Index> {
    let of = match (x.of, y.of) {
        (of, Of::Nothing) | (Of::Nothing, of) => of,
        (of, Of::Uniform) | (Of::Uniform, of) => of,
        _ => return None,
    };
    Some(Index {
        of,
        least: x.least.checked_add(y.least)?,
        most: x.most.checked_add(y.most)?,
    })
}

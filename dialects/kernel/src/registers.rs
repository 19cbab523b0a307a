//! Points that one thread runs at once: `registers` of a segmap inside a thread block.
//!
//! `kernel.segmap thread registers [8, 8] runs [1, 4] (%p < 128, %q < 128)` has 16 by 16 threads, each with 8 by 8 points,
//! whose values it keeps in registers. Along a dimension of extent `e` with `r` points and runs of `c`, thread `t` of
//! `e / r` has as its point number `i` the index `(i / c) * (e / r) * c + t * c + i mod c`: runs of `c` neighbours, which
//! are one wide access, and between them the runs of the other threads, so that a warp accesses consecutive elements.
//! "Register tiling" of the thesis on block and register tiling (2.4) has runs of all `r` points.
//!
//! With `apart a` behind the runs, those of a thread along the first dimension are `a` indices apart: the runs of only `a / c`
//! threads lie between them, and further threads have the `a r / c` indices that follow.
//!
//! As all of a schedule it changes no result; the interpreter ignores it.

use crate::segop::SegMapOp;
use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared,
};
use segra_ir::constraint::{DenseI64Attr, I64Attr, RankedTensor};
use segra_ir::interfaces::{Verify, constant_of};
use segra_ir::{Ir, Op, OpDiagnostics, OpView, Type, TypeKind, Value, op};

/// How many points of a space a thread has, and in which runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Points of a thread along each dimension, outermost first.
    pub counts: Vec<i64>,
    /// How many of them follow each other; a divisor of the count.
    pub runs: Vec<i64>,
    /// From one run of a thread to the next one along the first dimension; none: runs of all other threads lie between them.
    pub apart: Option<i64>,
}

/// The index of a dimension that a thread has as one of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Of the thread's index.
    pub factor: i64,
    /// Of the number of the thread's group, and how many threads are one.
    pub groups: Option<(i64, i64)>,
    /// A constant that is added.
    pub offset: i64,
}

impl Place {
    /// The index for a thread.
    pub fn of(self, thread: i64) -> i64 {
        let group = self.groups.map_or(0, |(factor, threads)| {
            thread.div_euclid(threads).wrapping_mul(factor)
        });
        thread
            .wrapping_mul(self.factor)
            .wrapping_add(group)
            .wrapping_add(self.offset)
    }
}

impl Registers {
    /// Those of a segmap; none where a thread has a point at a time, or what it has fits no extents.
    pub fn of(ir: &Ir, segmap: SegMapOp) -> Option<Registers> {
        let registers = Registers {
            counts: segmap.registers(ir)?,
            runs: segmap.runs(ir)?,
            apart: segmap.apart(ir),
        };
        registers.threads(&constant_sizes(ir, segmap)?)?;
        Some(registers)
    }

    /// Gives them to a segmap.
    pub fn assign(&self, ir: &mut Ir, segmap: SegMapOp) {
        let (counts, runs) = (
            ir.ctx().dense_i64_attr(&self.counts),
            ir.ctx().dense_i64_attr(&self.runs),
        );
        ir.set_attr_named(segmap.op(), "registers", Some(counts));
        let apart = self.apart.map(|apart| ir.ctx().i64_attr(apart));
        ir.set_attr_named(segmap.op(), "runs", Some(runs));
        ir.set_attr_named(segmap.op(), "apart", apart);
    }

    /// Threads along each dimension of a space with these extents; none where the points of a thread do not divide them.
    pub fn threads(&self, extents: &[i64]) -> Option<Vec<i64>> {
        let fits = self.fault(extents.len()).is_none();
        let threads = extents.iter().zip(&self.counts);
        let threads = fits.then(|| {
            threads.map(|(extent, count)| (extent % count == 0).then_some(extent / count))
        });
        let threads: Vec<i64> = threads?.collect::<Option<_>>()?;
        let whole = threads
            .first()
            .is_none_or(|first| first % self.group(0, *first) == 0);
        whole.then_some(threads)
    }

    /// Of so many threads along a dimension, those whose runs lie between two of a thread.
    fn group(&self, dim: usize, threads: i64) -> i64 {
        match self.apart {
            Some(apart) if dim == 0 => (apart / self.runs[0]).max(1),
            _ => threads,
        }
    }

    /// The problem with the numbers for a space of a rank.
    pub(crate) fn fault(&self, rank: usize) -> Option<String> {
        for (name, numbers) in [("registers", &self.counts), ("runs", &self.runs)] {
            if numbers.len() != rank {
                let found = numbers.len();
                return Some(format!(
                    "attribute `{name}` has {found} numbers for {rank} dimensions"
                ));
            }
            if let Some(number) = numbers.iter().find(|&&number| number < 1) {
                return Some(format!(
                    "attribute `{name}` must be positive, but has {number}"
                ));
            }
        }
        let mut rows = self.counts.iter().zip(&self.runs);
        if let Some((count, run)) = rows.find(|(count, run)| *count % *run != 0) {
            return Some(format!("runs of {run} do not divide {count} points"));
        }
        let (apart, run) = (self.apart?, *self.runs.first()?);
        (apart < 1 || apart % run != 0)
            .then(|| format!("attribute `apart` must be a positive multiple of {run}, not {apart}"))
    }

    /// Points of a thread.
    pub fn points(&self) -> i64 {
        self.counts.iter().product()
    }

    /// The index of each dimension of the space at a thread's point number `number` (row-major).
    pub fn place(&self, threads: &[i64], number: i64) -> Vec<Place> {
        let mut rest = number;
        let mut places = Vec::with_capacity(self.counts.len());
        for (dim, &threads) in threads.iter().enumerate().rev() {
            let (count, run) = (self.counts[dim], self.runs[dim]);
            let group = self.group(dim, threads);
            let at = rest % count;
            rest /= count;
            places.push(Place {
                factor: run,
                groups: (group < threads).then_some((group * (count - run), group)),
                offset: at / run * group * run + at % run,
            });
        }
        places.reverse();
        places
    }

    /// Which of a thread's points an index of the space is, and the thread's index, for each dimension.
    fn holder(&self, threads: &[i64], index: &[i64]) -> (usize, Vec<i64>) {
        let (mut number, mut holders) = (0, Vec::with_capacity(index.len()));
        for (dim, &at) in index.iter().enumerate() {
            let (count, run) = (self.counts[dim], self.runs[dim]);
            let group = self.group(dim, threads[dim]);
            let (first, inside) = (at / (group * count), at % (group * count));
            let turn = group * run;
            number = number * count + inside / turn * run + at % run;
            holders.push(first * group + inside % turn / run);
        }
        (usize::try_from(number).unwrap_or(usize::MAX), holders)
    }
}

/// Extents of a segmap, where all of them are constants.
pub fn constant_sizes(ir: &Ir, segmap: SegMapOp) -> Option<Vec<i64>> {
    let known = |size: Value| constant_of(ir, size)?.as_i64(ir.ctx());
    segmap.sizes(ir).into_iter().map(known).collect()
}

/// The problem with the registers of a segmap.
pub(crate) fn fault(ir: &Ir, segmap: SegMapOp) -> Option<String> {
    let apart = segmap.apart(ir);
    let (counts, runs) = match (segmap.registers(ir), segmap.runs(ir)) {
        (None, None) => {
            return apart.map(|_| "attribute `apart` needs `registers`".to_owned());
        }
        (Some(counts), Some(runs)) => (counts, runs),
        _ => return Some("attributes `registers` and `runs` go together".to_owned()),
    };
    let registers = Registers {
        counts,
        runs,
        apart,
    };
    let rank = segmap.sizes(ir).len();
    registers.fault(rank).or_else(|| {
        let Some(extents) = constant_sizes(ir, segmap) else {
            return Some("attribute `registers` needs constant extents".to_owned());
        };
        let fits = registers.threads(&extents).is_some();
        (!fits).then(|| "attribute `registers` must divide the extents".to_owned())
    })
}

/// The tile whose elements the threads of a block hold in registers.
///
/// Operand number `i` has what each thread holds as its point number `i`, row-major over the points of a thread; the tile
/// has them at the indices that `registers` and `runs` say (see `kernel.segmap`). "RegTileReturns" in Henriksen's Futhark.
///
/// ```mlir
/// %t = kernel.regtile %even, %odd {registers = array<i64: 2>, runs = array<i64: 1>} : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
/// ```
#[op(
    "kernel.regtile",
    traits(Pure),
    interfaces(Verify, Eval),
    format = "$parts attr-dict `:` functional-type($parts, results)"
)]
pub struct RegTileOp {
    /// The threads' values: tensors over the threads of the block, all of one type.
    parts: VariadicOperand<RankedTensor>,
    /// Points of a thread along each dimension, outermost first.
    registers: Attr<DenseI64Attr>,
    /// How many of them follow each other.
    runs: Attr<DenseI64Attr>,
    /// From one run of a thread to the next one along the first dimension.
    apart: OptionalAttr<I64Attr>,
    result: OpResult<RankedTensor>,
}

impl RegTileOp {
    /// Which points a thread holds.
    pub fn points(self, ir: &Ir) -> Registers {
        Registers {
            counts: self.registers(ir),
            runs: self.runs(ir),
            apart: self.apart(ir),
        }
    }
}

/// Threads along each dimension, which the type of the parts says.
fn threads_of(ir: &Ir, part: Value) -> Option<(Vec<i64>, Type)> {
    let (shape, element) = ir.value_type(part).shaped(ir.ctx())?;
    Some((shape.to_vec(), element))
}

impl Verify for RegTileOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let tile = RegTileOp::from_op(op);
        let (points, parts) = (tile.points(ir), tile.parts(ir));
        let Some((threads, element)) = parts.first().and_then(|&part| threads_of(ir, part)) else {
            diags.error("needs at least one part");
            return;
        };
        if let Some(fault) = points.fault(threads.len()) {
            diags.error(fault);
            return;
        }
        if points.points() != parts.len() as i64 {
            let message = format!(
                "has {} parts for {} points of a thread",
                parts.len(),
                points.points()
            );
            diags.error(message);
        }
        let first = ir.value_type(parts[0]);
        if parts.iter().any(|&part| ir.value_type(part) != first) {
            diags.error("parts must have one type");
        }
        let shape: Vec<i64> = threads
            .iter()
            .zip(&points.counts)
            .map(|(&threads, count)| threads.saturating_mul(*count))
            .collect();
        let ty = ir.ctx().ty(TypeKind::Tensor {
            shape,
            element,
            encoding: None,
        });
        if ir.value_type(tile.result(ir)) != ty {
            diags.error(format!("result must be {}", ir.ctx().type_text(ty)));
        }
    }
}

impl Eval for RegTileOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let points = inst
            .data::<Registers>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let parts: Result<Vec<&ArrayValue>, _> = (0..inst.operands.len())
                .map(|part| cx.array(inst, part, lane).map(|array| &**array))
                .collect();
            let parts = parts?;
            let Some(new) = joined(&parts, points) else {
                return Err(cx.error(inst, "has parts that make up no tile"));
            };
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::other(RegTileOp::from_op(p.op).points(p.ir)))
    }
}

/// The tile for one lane.
fn joined(parts: &[&ArrayValue], points: &Registers) -> Option<ArrayValue> {
    let first = parts.first()?;
    let threads: Vec<i64> = first.shape().iter().map(|&extent| extent as i64).collect();
    let shape: Vec<usize> = threads
        .iter()
        .zip(&points.counts)
        .map(|(threads, count)| usize::try_from(threads * count).ok())
        .collect::<Option<_>>()?;
    let count = segra_interp::array::element_count(&shape)?;
    let mut elements = Elements::with_capacity(first.elem(), count);
    let mut at = vec![0i64; shape.len()];
    for _ in 0..count {
        let (number, thread) = points.holder(&threads, &at);
        elements.push(&parts.get(number)?.at(&thread)?)?;
        for (at, &extent) in at.iter_mut().zip(&shape).rev() {
            *at += 1;
            if *at < extent as i64 {
                break;
            }
            *at = 0;
        }
    }
    ArrayValue::new(first.elem(), shape, elements)
}

//! Whether transposed copies of what a nest reads cost less than they save.
//!
//! Both sides are counted in bytes of device memory traffic. With `w` the bytes of an element, and `warp`, `line`,
//! `lookup`, `bytes_per_launch` of the [`Target`]:
//!
//! * **Cost of a copy**: `3 w elements + bytes_per_launch`. The transposition reads and writes the array once, and the nest then
//!   streams the copy: without it, the same bytes come while lines are looked up (below), which takes longer.
//! * **Saved by a read**: `points · rounds · (min(warp, threads) / warp) · (min(stride, line) - w) / line · lookup`. The L1
//!   cache looks up one line of 128 bytes a cycle. Threads that are neighbours read `stride` bytes apart, so that a
//!   warp's read touches as many lines as its 32 threads (fewer, where threads of a warp share an index of the array, or
//!   where rows are shorter than a line); from the copy it touches `w` bytes each. That the lines stay in the cache from
//!   one round to the next is assumed, which is in favour of no copy.
//!
//! `points` are those of the nest, `rounds` those of the loops around the read; a loop counts as one round where the points
//! decide its bound, and where it does not count from 0 by 1 in `index`. So what counts is how often an element is read:
//! rows that are read once do not pay, however many; a matrix that is read by each of many rows of another one does.
//!
//! Constants are decided here, and so are conditions that sizes cancel out of: `n m` reads of `n m` elements. The rest is a
//! comparison on the host when the program runs.

use rustc_hash::FxHashMap;
use segra_ir::interfaces::known_extent;
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::segop::SegMapOp;
use segra_space::Target;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::cf::AssertOp;
use segra_std::scf::ForOp;
use segra_std::tensor::DimOp;

/// The machine that both sides are counted for.
const TARGET: Target = Target::CUDA;

/// The savings of copies, in hundredths of their cost, from which on they are made, where no tuning says otherwise.
pub(super) const BREAK_EVEN: i64 = 100;

/// A number of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Known(i64),
    Value(Value),
    /// The extent of a tensor's dimension.
    Extent(Value, usize),
}

/// A transposed copy that some reads of a nest want.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    pub(super) tensor: Value,
    /// Which dimension comes last instead of the last one.
    pub(super) dim: usize,
    pub(super) reads: Vec<Read>,
}

/// Whether copies are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Always,
    Never,
    /// Where this is at least [`BREAK_EVEN`]: what copies save, in hundredths of what they cost.
    Where(Value),
}

/// Extents that are likely the same: those of one dimension, and those that the program checks anywhere. Where a check
/// stands is not looked at, so this serves estimates only.
#[derive(Debug, Default)]
pub(super) struct Equalities {
    dims: FxHashMap<(Value, usize), Value>,
    same: FxHashMap<Value, Value>,
}

impl Equalities {
    pub(super) fn of(ir: &Ir, module: Op) -> Equalities {
        let mut found = Equalities::default();
        for op in ir.walk(module) {
            if let Some(dim) = ir.cast::<DimOp>(op) {
                let Some(at) = dim.dim(ir) else { continue };
                let (key, value) = ((dim.source(ir), at), dim.result(ir));
                let first = *found.dims.entry(key).or_insert(value);
                found.join(first, value);
            } else if let Some(check) = ir.cast::<AssertOp>(op)
                && let Some(compared) = ir
                    .defining_op(check.arg(ir))
                    .and_then(|op| ir.cast::<arith::CmpIOp>(op))
                && compared.predicate(ir) == CmpIPredicate::Eq
            {
                found.join(compared.lhs(ir), compared.rhs(ir));
            }
        }
        found
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.same.insert(b, a);
        }
    }

    fn find(&self, mut value: Value) -> Value {
        while let Some(&next) = self.same.get(&value) {
            value = next;
        }
        value
    }

    /// One number for all that are equal.
    fn canonical(&self, ir: &Ir, number: Number) -> Number {
        match number {
            Number::Value(value) => known(ir, self.find(value)),
            Number::Extent(tensor, dim) => match self.dims.get(&(tensor, dim)) {
                Some(&value) => known(ir, self.find(value)),
                None => number,
            },
            Number::Known(_) => number,
        }
    }
}

/// A value, or the constant that it is.
fn known(ir: &Ir, value: Value) -> Number {
    match ir.constant_int(value) {
        Some(number) => Number::Known(number),
        None => Number::Value(value),
    }
}

/// The inputs of the decision about the copies of a nest.
pub(super) struct Nest<'a> {
    pub(super) segmap: SegMapOp,
    pub(super) equal: &'a Equalities,
}

impl Nest<'_> {
    /// Whether the elements of a copy may be read often enough, at some sizes.
    pub(super) fn may_pay(&self, ir: &Ir, copy: &Copy) -> bool {
        let width = width(ir, copy.tensor);
        let extents = self.extents(ir, copy.tensor);
        copy.reads.iter().any(|read| {
            let factors = self.factors(ir, *read);
            self.reuse(ir, &factors, &extents)
                .is_none_or(|[reads, elements]| {
                    let saved = reads.saturating_mul(
                        copy.reads.len() as i64
                            * (TARGET.line_bytes - width)
                            * TARGET.bytes_per_line_lookup,
                    );
                    saved > elements.saturating_mul(3 * width * TARGET.line_bytes)
                })
        })
    }

    /// Whether all of some copies are made; what has to be computed for that goes before the nest.
    pub(super) fn verdict(&self, ir: &mut Ir, copies: &[Copy]) -> Verdict {
        let (mut saved, mut cost) = (Number::Known(0), Number::Known(0));
        for copy in copies {
            let width = width(ir, copy.tensor);
            let extents = self.extents(ir, copy.tensor);
            let stride = extents[copy.dim + 1..].to_vec();
            let rounds: Vec<Vec<Number>> = copy
                .reads
                .iter()
                .map(|&read| self.factors(ir, read))
                .collect();
            let inner = self
                .segmap
                .sizes(ir)
                .last()
                .map_or(Number::Known(1), |&size| known(ir, size));
            let mut host = Host(Builder::before(ir, self.segmap.op()));
            let lanes = host.least(inner, TARGET.warp);
            let apart = host.product(stride.into_iter().chain([Number::Known(width)]));
            let apart = host.least(apart, TARGET.line_bytes);
            let more = host.add(apart, Number::Known(-width));
            for factors in rounds {
                let touched = host.product(factors.into_iter().chain([lanes]));
                let warps = host.divide(
                    touched,
                    TARGET.warp * TARGET.line_bytes / TARGET.bytes_per_line_lookup,
                );
                let bytes = host.multiply(warps, more);
                saved = host.add(saved, bytes);
            }
            let moved = host.product(extents.into_iter().chain([Number::Known(3 * width)]));
            let moved = host.add(moved, Number::Known(TARGET.bytes_per_launch));
            cost = host.add(cost, moved);
        }
        match (saved, cost) {
            (Number::Known(saved), Number::Known(cost)) if saved > cost => Verdict::Always,
            (Number::Known(_), Number::Known(_)) => Verdict::Never,
            _ => {
                let mut host = Host(Builder::before(ir, self.segmap.op()));
                let saved = host.multiply(saved, Number::Known(BREAK_EVEN));
                let (saved, cost) = (host.there(saved), host.there(cost));
                let Host(mut b) = host;
                // A launch alone costs something, so that this is no division by zero.
                Verdict::Where(arith::DivSIOp::build(&mut b, saved, cost).result(b.ir))
            }
        }
    }

    /// The numbers whose product is how often a read is done: extents of the nest and rounds of the loops around.
    fn factors(&self, ir: &Ir, read: Read) -> Vec<Number> {
        let nest = self.segmap.op();
        let mut factors: Vec<Number> = self
            .segmap
            .sizes(ir)
            .into_iter()
            .map(|size| known(ir, size))
            .collect();
        let around: Vec<Op> = ir
            .ancestors(read.op())
            .skip(1)
            .take_while(|&around| around != nest)
            .collect();
        for looped in around
            .into_iter()
            .filter_map(|around| ir.cast::<ForOp>(around))
        {
            let [lower, upper, step] = [
                looped.lower_bound(ir),
                looped.upper_bound(ir),
                looped.step(ir),
            ]
            .map(|bound| known(ir, bound));
            let from_zero = lower == Number::Known(0) && step == Number::Known(1);
            let on_host = match upper {
                Number::Value(value) => {
                    ir.is_defined_outside(value, nest) && ir.value_type(value) == ir.ctx().index()
                }
                Number::Known(_) | Number::Extent(..) => true,
            };
            if from_zero && on_host {
                factors.push(upper);
            }
        }
        factors
    }

    fn extents(&self, ir: &Ir, tensor: Value) -> Vec<Number> {
        let shape = ir
            .value_type(tensor)
            .shaped(ir.ctx())
            .map_or(Vec::new(), |shaped| shaped.0.to_vec());
        let extent = |(dim, extent): (usize, i64)| match extent {
            DYNAMIC => match known_extent(ir, tensor, dim) {
                Some(value) => known(ir, value),
                None => Number::Extent(tensor, dim),
            },
            extent => Number::Known(extent),
        };
        shape.into_iter().enumerate().map(extent).collect()
    }

    /// How many reads there are of how many elements at most, where sizes cancel out; `None` where they do not.
    fn reuse(&self, ir: &Ir, factors: &[Number], extents: &[Number]) -> Option<[i64; 2]> {
        let mut left: Vec<Number> = extents
            .iter()
            .map(|&extent| self.equal.canonical(ir, extent))
            .collect();
        let (mut reads, mut elements) = (1i64, 1i64);
        for &factor in factors {
            let factor = self.equal.canonical(ir, factor);
            match (left.iter().position(|&extent| extent == factor), factor) {
                (Some(at), _) => {
                    left.swap_remove(at);
                }
                (None, Number::Known(number)) => reads = reads.saturating_mul(number),
                (None, Number::Value(_) | Number::Extent(..)) => return None,
            }
        }
        for extent in left {
            if let Number::Known(number) = extent {
                elements = elements.saturating_mul(number);
            }
        }
        Some([reads, elements])
    }
}

/// Bytes of an element.
fn width(ir: &Ir, tensor: Value) -> i64 {
    let element = ir.value_type(tensor).element_or_self(ir.ctx());
    let bits = element
        .integer_width(ir.ctx())
        .or(element.float_kind(ir.ctx()).map(|kind| kind.width()));
    bits.map_or(8, |bits| i64::from(bits).div_euclid(8).max(1))
}

/// Arithmetic on the host: done here as far as the numbers are known.
struct Host<'a>(Builder<'a>);

impl Host<'_> {
    /// A number as a value.
    fn there(&mut self, number: Number) -> Value {
        let b = &mut self.0;
        match number {
            Number::Value(value) => value,
            Number::Known(number) => {
                let attr = b.ctx().index_attr(number);
                arith::ConstantOp::build(b, attr).result(b.ir)
            }
            Number::Extent(tensor, dim) => DimOp::of(b, tensor, dim),
        }
    }

    fn apply(
        &mut self,
        (x, y): (Number, Number),
        known: impl Fn(i64, i64) -> i64,
        build: impl Fn(&mut Builder<'_>, Value, Value) -> Value,
    ) -> Number {
        if let (Number::Known(x), Number::Known(y)) = (x, y) {
            return Number::Known(known(x, y));
        }
        let (x, y) = (self.there(x), self.there(y));
        Number::Value(build(&mut self.0, x, y))
    }

    fn add(&mut self, x: Number, y: Number) -> Number {
        self.apply((x, y), i64::saturating_add, |b, x, y| {
            arith::AddIOp::build(b, x, y).result(b.ir)
        })
    }

    fn multiply(&mut self, x: Number, y: Number) -> Number {
        self.apply((x, y), i64::saturating_mul, |b, x, y| {
            arith::MulIOp::build(b, x, y).result(b.ir)
        })
    }

    fn product(&mut self, factors: impl IntoIterator<Item = Number>) -> Number {
        factors
            .into_iter()
            .fold(Number::Known(1), |product, factor| {
                self.multiply(product, factor)
            })
    }

    fn divide(&mut self, x: Number, by: i64) -> Number {
        let by = (x, Number::Known(by));
        self.apply(
            by,
            |x, y| x / y,
            |b, x, y| arith::DivSIOp::build(b, x, y).result(b.ir),
        )
    }

    fn least(&mut self, x: Number, most: i64) -> Number {
        self.apply((x, Number::Known(most)), i64::min, |b, x, y| {
            arith::MinSIOp::build(b, x, y).result(b.ir)
        })
    }
}

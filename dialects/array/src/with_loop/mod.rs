//! With-loops: arrays made, changed or folded over strided index spaces.
//!
//! Source: Janssen and Scholz, "On Mapping N-Dimensional Data-Parallelism Efficiently into GPU-Thread-Spaces" (2021),
//! section 2.1, after Single Assignment C. A *partition* is an index space and a body that gives the value at each of its
//! indices. An index space is (L, U, T, W): all `iv` with `L <= iv < U` and `(iv - L) % T < W` in every dimension. The
//! paper prints `iv % T < W`; its own picture (listing 3) needs the offset from the lower bound.
//!
//! * An index that several partitions have belongs to the last of them ("top to bottom execution"); the bodies of the
//!   others do not run for it. So every element is made exactly once, and compilers need not keep an order.
//! * A fold combines what all partitions give, in the order of the partitions and of indices in each, row-major: an
//!   index that several have counts for each.
//! * An *explicit* with-loop, which passes make, has partitions that share no index; a genarray of that form has no
//!   default values, as its partitions have all indices. The interpreter checks both.
//!
//! A step below 1, a width below 1 or above its step, and bounds outside of the array are errors: of the verifier where
//! they are constants, else of the run.
//!
//! * [`Loop`]: a with-loop taken apart; `syntax`: the text; `eval`: execution; [`lower`]: other combinators that give the
//!   same.

mod eval;
pub mod lower;
pub mod space;
pub mod stops;
mod syntax;
mod verify;

use crate::combinator::{Combinator, Flavour, Parts};
use crate::types::ArrayOrScalar;
use segra_interp::Eval;
use segra_ir::constraint::{ArrayAttr, DenseI64Attr, I64Attr, Index, UnitAttr};
use segra_ir::interfaces::{Canonicalize, Rewriter, ShapeOf, Verify};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Block, Builder, Ir, Op, OpState, OpView, Type, Value, enum_attr, op};
use segra_std::arith::index;
use segra_text::Syntax;

enum_attr! {
    /// The result of a with-loop.
    Kind, KindAttr, "a kind of with-loop (`genarray`, `modarray` or `fold`)", 32, {
        /// A new array; elements that no partition has are a default value.
        Genarray = "genarray" = 0,
        /// An array like another one; elements that no partition has are those of the other one.
        Modarray = "modarray" = 1,
        /// The combination of all values by an operator.
        Fold = "fold" = 2,
    }
}

/// Arrays made, changed or folded over strided index spaces: partitions, each an index space and a body.
///
/// A partition `([L] <= (%i, ...) < [U] step [T] width [W])` has the indices from L to below U of which, counted from L,
/// the first W of every T are taken. L may be left out (0), step and width, too (1). Each entry is a constant or a value.
/// Where partitions overlap, an index belongs to the last one. Several values may be yielded: then there are as many
/// results. Values may be arrays whose sizes are the same for all indices.
///
/// ```mlir
/// %a = array.with_loop genarray [9, %n] default (%zero : i32)
///   partition ([0, 1] <= (%i, %j) < [9, %m] step [2, 3] width [1, 2]) {
///     array.yield %three : i32
///   }
///   partition ([1, 0] <= (%i, %j) < [8, %n] step [3, 2]) mapping "GridBlock(1, SplitLast(32, ShiftLB(CompressGrid([1,1], Gen))))" {
///     array.yield %seven : i32
///   } : [9][n]i32
/// %b = array.with_loop modarray (%a : [9][n]i32)
///   partition ((%i, %j) < [1, %n]) {
///     array.yield %zero : i32
///   }
/// %sum = array.with_loop fold init (%zero : i32)
///   partition ((%i, %j) < [9, %n]) {
///     %x = array.index %a[%i, %j] : [9][n]i32
///     array.yield %x : i32
///   } combine (%s, %t) {
///     %u = arith.addi %s, %t : i32
///     array.yield %u : i32
///   }
/// ```
#[op(
    "array.with_loop",
    traits(RecursiveEffects),
    interfaces(Combinator, Canonicalize, ShapeOf, Verify, Syntax, Eval)
)]
pub struct WithLoopOp {
    /// Whether it makes, changes or folds.
    kind: Attr<KindAttr>,
    /// Number of dimensions of all index spaces.
    rank: Attr<I64Attr>,
    /// Lower bounds, upper bounds, steps and widths of each partition, in turn; the least number stands for an operand.
    bounds: Attr<DenseI64Attr>,
    /// Of a genarray the extents, in the same way; else empty.
    shape: Attr<DenseI64Attr>,
    /// How partitions are laid out over thread blocks and threads: a chain of index-space combinators each, or nothing.
    mappings: OptionalAttr<ArrayAttr>,
    /// Whether no two partitions have an index in common, and those of a genarray have all indices.
    explicit: OptionalAttr<UnitAttr>,
    /// Bounds that are not constant, in order.
    dynamic: VariadicOperand<Index>,
    /// Extents that are not constant, in order.
    extents: VariadicOperand<Index>,
    /// Default values, arrays to be changed, or start values.
    init: VariadicOperand<ArrayOrScalar>,
    /// Of a fold, neutral elements of the operator; none where they are derived from it.
    neutral: VariadicOperand<ArrayOrScalar>,
    /// Of a fold, the operator: accumulators, then values.
    combine: OptionalBlockRegion,
    /// One per partition: from an index to the values there.
    bodies: VariadicRegion,
    /// The arrays, or the combined values.
    results: VariadicResult<ArrayOrScalar>,
}

/// A number that is known, or a value of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Known now.
    Constant(i64),
    /// Known when the program runs.
    Value(Value),
}

impl Bound {
    /// The number as a bound: a constant where it is one.
    pub fn of(ir: &Ir, value: Value) -> Bound {
        ir.constant_int(value)
            .filter(|&constant| constant != DYNAMIC)
            .map_or(Bound::Value(value), Bound::Constant)
    }
    /// The number as a value.
    pub fn value(self, b: &mut Builder<'_>) -> Value {
        match self {
            Bound::Constant(constant) => index::constant(b, constant),
            Bound::Value(value) => value,
        }
    }
    /// The number, where it is known.
    pub fn constant(self) -> Option<i64> {
        match self {
            Bound::Constant(constant) => Some(constant),
            Bound::Value(_) => None,
        }
    }
}

/// One dimension of an index space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The first index.
    pub lower: Bound,
    /// The end, exclusive.
    pub upper: Bound,
    /// How far apart the parts are.
    pub step: Bound,
    /// How many indices of each part are taken.
    pub width: Bound,
}

impl Range {
    /// All indices from `lower` to below `upper`.
    pub fn dense(lower: Bound, upper: Bound) -> Range {
        Range {
            lower,
            upper,
            step: Bound::Constant(1),
            width: Bound::Constant(1),
        }
    }
    /// Whether no index between the bounds is left out, as far as can be seen.
    pub fn is_dense(&self) -> bool {
        self.step == self.width
    }
    /// Whether it is known to have no index.
    pub fn is_empty(&self) -> bool {
        self.lower == self.upper
            || matches!((self.lower, self.upper), (Bound::Constant(lower), Bound::Constant(upper)) if upper <= lower)
    }
    /// Whether it has all indices from 0 to below `extent`, as far as can be seen.
    pub fn is_whole(&self, extent: Bound) -> bool {
        self.lower == Bound::Constant(0) && self.upper == extent && self.is_dense()
    }
    /// Its parts in the order of the op's operands.
    pub fn bounds(&self) -> [Bound; 4] {
        [self.lower, self.upper, self.step, self.width]
    }
}

/// An index space and the values at its indices.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The index space, outermost dimension first.
    pub space: Vec<Range>,
    /// How it is laid out over thread blocks and threads: a chain of index-space combinators.
    pub mapping: Option<Attr>,
    /// From an index to the values there.
    pub body: Block,
}

/// A with-loop, taken apart; or one to be built.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Whether it makes, changes or folds.
    pub kind: Kind,
    /// Whether no two partitions have an index in common, and those of a genarray have all.
    pub explicit: bool,
    /// Number of dimensions of all index spaces.
    pub rank: usize,
    /// Extents of a genarray.
    pub shape: Vec<Bound>,
    /// Default values, arrays to be changed, or start values.
    pub init: Vec<Value>,
    /// Of a fold, neutral elements; none where they are derived.
    pub neutral: Vec<Value>,
    /// Top to bottom.
    pub partitions: Vec<Partition>,
    /// Of a fold, the operator.
    pub combine: Option<Block>,
}

/// A detached block over an index that yields what `values` returns: the body of a partition.
pub fn body(
    b: &mut Builder<'_>,
    rank: usize,
    values: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Block {
    let index = b.ctx().index();
    crate::build::region_block(b, &vec![index; rank], values)
}

impl Loop {
    /// The parts of `op`, if it is a with-loop that verifies.
    pub fn of(ir: &Ir, op: Op) -> Option<Loop> {
        let with = ir.cast::<WithLoopOp>(op)?;
        let rank = usize::try_from(with.rank(ir)).ok()?;
        let mut dynamic = with.dynamic(ir).into_iter();
        let mut extents = with.extents(ir).into_iter();
        let all = resolved(&with.bounds(ir), &mut dynamic)?;
        let shape = resolved(&with.shape(ir), &mut extents)?;
        let mappings = with
            .mappings_attr(ir)
            .and_then(|list| list.as_array(ir.ctx()));
        let mut partitions = Vec::new();
        for (at, &region) in with.bodies(ir).iter().enumerate() {
            let bounds = all.get(at * 4 * rank..(at + 1) * 4 * rank)?;
            let mapping = mappings
                .and_then(|list| list.get(at).copied())
                .filter(|mapping| mapping.as_str(ir.ctx()).is_some());
            partitions.push(Partition {
                space: (0..rank)
                    .map(|dim| Range {
                        lower: bounds[dim],
                        upper: bounds[rank + dim],
                        step: bounds[2 * rank + dim],
                        width: bounds[3 * rank + dim],
                    })
                    .collect(),
                mapping,
                body: ir.entry_block(region)?,
            });
        }
        Some(Loop {
            kind: with.kind(ir),
            explicit: with.explicit_attr(ir).is_some(),
            rank,
            shape,
            init: with.init(ir),
            neutral: with.neutral(ir),
            partitions,
            combine: ir.entry_block(with.combine(ir)),
        })
    }

    /// Builds the op of detached blocks.
    pub fn build(&self, b: &mut Builder<'_>, results: &[Type]) -> WithLoopOp {
        let ctx = b.ir.context();
        let mut state = OpState::new(ctx.op_name(WithLoopOp::DEF.name), b.loc);
        let spaces = self.partitions.iter().map(|partition| &partition.space);
        let part = |space: &[Range], part: usize| -> Vec<Bound> {
            space.iter().map(|range| range.bounds()[part]).collect()
        };
        let bounds: Vec<Bound> = spaces
            .flat_map(|space| (0..4).flat_map(|at| part(space, at)).collect::<Vec<_>>())
            .collect();
        let (dynamic, extents) = (values(&bounds), values(&self.shape));
        let sizes = [
            dynamic.len(),
            extents.len(),
            self.init.len(),
            self.neutral.len(),
        ];
        let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        state.operands.extend(dynamic);
        state.operands.extend(extents);
        state.operands.extend(self.init.iter().copied());
        state.operands.extend(self.neutral.iter().copied());
        state.result_types = results.to_vec().into();
        state.regions = 1 + self.partitions.len();
        let mut properties = vec![
            ("kind", self.kind.attr(&ctx)),
            ("rank", ctx.i64_attr(self.rank as i64)),
            ("bounds", ctx.dense_i64_attr(&written(&bounds))),
            ("shape", ctx.dense_i64_attr(&written(&self.shape))),
            ("operandSegmentSizes", ctx.dense_i32_attr(&sizes)),
        ];
        if self.partitions.iter().any(|part| part.mapping.is_some()) {
            let list = self.partitions.iter().map(|part| part.mapping);
            let list: Vec<Attr> = list.map(|at| at.unwrap_or_else(|| ctx.unit())).collect();
            properties.push(("mappings", ctx.array_attr(&list)));
        }
        if self.explicit {
            properties.push(("explicit", ctx.unit()));
        }
        for (name, attr) in properties {
            state.properties.push((ctx.ident(name), attr));
        }
        let op = b.insert(state);
        let blocks = self.partitions.iter().map(|partition| Some(partition.body));
        for (at, block) in [self.combine].into_iter().chain(blocks).enumerate() {
            if let Some(block) = block {
                let region = b.ir.region(op, at);
                b.ir.append_block(region, block);
            }
        }
        WithLoopOp::from_op(op)
    }

    /// Takes the blocks out of the op, for another one to be built of them.
    pub fn detach(&self, ir: &mut Ir) {
        let bodies = self.partitions.iter().map(|partition| partition.body);
        for block in bodies.chain(self.combine) {
            ir.detach_block(block);
        }
    }

    /// The extents of the arrays it makes; of a fold none.
    pub fn extents(&self, b: &mut Builder<'_>) -> Vec<Bound> {
        match (self.kind, self.init.first()) {
            (Kind::Modarray, Some(&array)) => (0..self.rank)
                .map(|dim| {
                    let extent = crate::canonical::extent(b, array, dim);
                    Bound::of(b.ir, extent)
                })
                .collect(),
            _ => self.shape.clone(),
        }
    }
}

/// Numbers of an attribute, with operands where it says so.
fn resolved(numbers: &[i64], operands: &mut impl Iterator<Item = Value>) -> Option<Vec<Bound>> {
    let bounds = numbers.iter().map(|&number| match number {
        DYNAMIC => operands.next().map(Bound::Value),
        constant => Some(Bound::Constant(constant)),
    });
    bounds.collect()
}

/// The numbers of an attribute; operands stand elsewhere.
fn written(bounds: &[Bound]) -> Vec<i64> {
    let number = |bound: &Bound| bound.constant().unwrap_or(DYNAMIC);
    bounds.iter().map(number).collect()
}

/// The operands of an attribute.
fn values(bounds: &[Bound]) -> Vec<Value> {
    let value = |bound: &Bound| match bound {
        Bound::Value(value) => Some(*value),
        Bound::Constant(_) => None,
    };
    bounds.iter().filter_map(value).collect()
}

impl Combinator for WithLoopOp {
    fn parts(&self, _: &Ir, _: Op) -> Parts {
        Parts::new(Flavour::Other, Vec::new(), None)
    }
    fn same_extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<(Value, usize)> {
        let with = WithLoopOp::from_op(op);
        let init = with.init(ir).get(result).copied();
        let rank = usize::try_from(with.rank(ir)).ok()?;
        match (with.kind(ir), dim.checked_sub(rank)) {
            (Kind::Modarray | Kind::Fold, _) => Some((init?, dim)),
            (Kind::Genarray, Some(inner)) => Some((init?, inner)),
            (Kind::Genarray, None) => None,
        }
    }
    fn expand(&self, ir: &mut Ir, op: Op) -> bool {
        lower::expand(ir, WithLoopOp::from_op(op))
    }
}

impl ShapeOf for WithLoopOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        match Loop::of(ir, op)?.shape.get(dim)? {
            Bound::Value(value) => Some(*value),
            Bound::Constant(_) => None,
        }
    }
}

impl Canonicalize for WithLoopOp {
    /// Bounds that are constants are written as such; one dense partition over everything is a nest of maps.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let Some(old) = Loop::of(ir, op) else {
            return false;
        };
        if lower::is_map(ir, &old) {
            rewriter.replace_with(op, |b| lower::maps(b, op, &old));
            return true;
        }
        let mut new = old.clone();
        let spaces = new.partitions.iter_mut().flat_map(|part| &mut part.space);
        let bounds = spaces.flat_map(|range| {
            [
                &mut range.lower,
                &mut range.upper,
                &mut range.step,
                &mut range.width,
            ]
        });
        let mut changed = false;
        for bound in bounds.chain(&mut new.shape) {
            if let Bound::Value(value) = *bound {
                *bound = Bound::of(ir, value);
                changed |= bound.constant().is_some();
            }
        }
        if !changed || !verify::is_sound(ir, &new) {
            return false;
        }
        let types: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
        rewriter.modify(op, &mut |ir| old.detach(ir));
        let made = rewriter.build(op, |b| new.build(b, &types).op());
        let results: Vec<Value> = rewriter.ir().results(made).collect();
        rewriter.replace_op(op, &results);
        true
    }
}

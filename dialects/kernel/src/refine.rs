//! Extents that are known become part of types: `tensor<?x?xf32>` is `tensor<64x32xf32>` where that is its size.
//!
//! ```mlir
//! %a = kernel.segmap thread (%i < %c64) -> (tensor<?x?xf32>) {         %a = kernel.segmap thread (%i < %c64) -> (tensor<64x32xf32>) {
//!   %r = tensor.empty(%c32) : tensor<?xf32>                       =>     %r = tensor.empty() : tensor<32xf32>
//!   kernel.return %r : tensor<?xf32>                                     kernel.return %r : tensor<32xf32>
//! }                                                                    }
//! ```
//! Values that must have one type are one class: all that control flow forwards to an argument or result, and an updated tensor with
//! the one before. A class has the extent that all of its sources have: constants among the sizes of an op, extents of other
//! classes that `tensor.dim` asks for, rows that points return. It is a fixed point from the optimistic side, so that a loop keeps
//! what its start and its body say. No cast is made: where sources differ, or nothing is known, the extent stays open.
//!
//! A `tensor.cast` to a type that says less goes where what is made of it may say as much as its source.
//!
//! Legality: types only say what sizes say; lists of sizes lose the numbers that the type has then. Values that ops use which
//! are not known here keep their types, as do parameters and results of functions that the program calls. An extent of 0 stays
//! open: a window of no elements would be outside of the tensor by its verifier.
//!
//! Cost: linear in the program times the number of classes that extents go through from their constant, which is small.

use crate::local::ExtendOp;
use crate::segop::{SegRedOp, SegScanOp, SegmentedOp};
use crate::update::{ScatterOp, SegHistOp};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::interfaces::{RegionBranch, known_extent, region_edges};
use segra_ir::types::DYNAMIC;
use segra_ir::{Block, Ir, Op, OpView, Type, TypeKind, Value};
use segra_std::arith::SelectOp;
use segra_std::func::{FuncOp, ReturnOp};
use segra_std::tensor::{CastOp, DimOp, EmptyOp, ExtractSliceOp, InsertOp, InsertSliceOp};

/// An extent as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// No source was looked at.
    Nothing,
    Extent(i64),
    Open,
}

impl Known {
    fn and(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nothing, known) | (known, Known::Nothing) => known,
            (one, another) if one == another => one,
            _ => Known::Open,
        }
    }
}

/// Where an extent of a value is from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Is(Known),
    /// The extent of another value.
    Of(Value, usize),
}

#[derive(Default)]
struct Classes {
    /// The number of each value.
    number: FxHashMap<Value, usize>,
    values: Vec<Value>,
    /// Union-find over numbers.
    parent: Vec<usize>,
    sources: Vec<(usize, usize, Source)>,
}

fn shape_of(ir: &Ir, value: Value) -> Option<&[i64]> {
    match ir.ctx().type_kind(ir.value_type(value)) {
        TypeKind::Tensor { shape, .. } => Some(shape),
        _ => None,
    }
}

impl Classes {
    fn of(&mut self, value: Value) -> usize {
        let number = *self.number.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.parent.push(self.parent.len());
            self.parent.len() - 1
        });
        self.root(number)
    }

    /// The class of a value, if anything was said of it: of a tensor without dimensions nothing is.
    fn find(&mut self, value: Value) -> Option<usize> {
        let number = self.number.get(&value).copied()?;
        Some(self.root(number))
    }

    fn root(&mut self, number: usize) -> usize {
        let mut at = number;
        while self.parent[at] != at {
            // Paths halve.
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// Two values have one type.
    fn join(&mut self, ir: &Ir, a: Value, b: Value) {
        if shape_of(ir, a).is_some() && shape_of(ir, b).is_some() {
            let (a, b) = (self.of(a), self.of(b));
            self.parent[a.max(b)] = a.min(b);
        }
    }

    fn source(&mut self, value: Value, dim: usize, source: Source) {
        let class = self.of(value);
        self.sources.push((class, dim, source));
    }

    /// All extents of a value are what its type says now.
    fn as_it_is(&mut self, ir: &Ir, value: Value) {
        for (dim, &extent) in shape_of(ir, value).unwrap_or_default().iter().enumerate() {
            let known = match extent {
                DYNAMIC => Known::Open,
                extent => Known::Extent(extent),
            };
            self.source(value, dim, Source::Is(known));
        }
    }

    /// The extents of all classes, by their roots.
    fn solve(&mut self, ir: &Ir) -> Vec<Vec<Known>> {
        let mut known: Vec<Vec<Known>> = self
            .values
            .iter()
            .map(|&value| vec![Known::Nothing; shape_of(ir, value).unwrap_or_default().len()])
            .collect();
        let sources = std::mem::take(&mut self.sources);
        let mut pending: Vec<(usize, usize, Source)> = sources;
        loop {
            let mut changed = false;
            let mut left = Vec::new();
            for (class, dim, source) in pending {
                let class = self.root(class);
                let found = match source {
                    Source::Is(found) => found,
                    Source::Of(value, at) => {
                        left.push((class, dim, source));
                        let of = self.find(value);
                        of.and_then(|of| known.get(of))
                            .and_then(|extents| extents.get(at).copied())
                            .unwrap_or(Known::Open)
                    }
                };
                let Some(slot) = known[class].get_mut(dim) else {
                    continue;
                };
                let joined = slot.and(found);
                changed |= std::mem::replace(slot, joined) != joined;
            }
            if !changed {
                return known;
            }
            pending = left;
        }
    }
}

/// Where the extent `size` of an array is from.
fn source_of(ir: &Ir, size: Value) -> Source {
    if let Some(extent) = ir.constant_int(size) {
        return Source::Is(match extent {
            1.. => Known::Extent(extent),
            _ => Known::Open,
        });
    }
    let asked = ir.def_as::<DimOp>(size);
    match asked.and_then(|asked| Some((asked.source(ir), asked.dim(ir)?))) {
        Some((tensor, dim)) if shape_of(ir, tensor).is_some_and(|shape| dim < shape.len()) => {
            Source::Of(tensor, dim)
        }
        _ => Source::Is(Known::Open),
    }
}

/// The operand whose type a result has.
fn like(ir: &Ir, op: Op, result: usize) -> Option<Value> {
    if let Some(insert) = ir.cast::<InsertOp>(op) {
        return Some(insert.dest(ir));
    }
    if let Some(insert) = ir.cast::<InsertSliceOp>(op) {
        return Some(insert.dest(ir));
    }
    if let Some(scatter) = ir.cast::<ScatterOp>(op) {
        return scatter.destinations(ir).get(result).copied();
    }
    if let Some(extend) = ir.cast::<ExtendOp>(op) {
        return Some(extend.tensor(ir));
    }
    let hist = ir.cast::<SegHistOp>(op)?;
    hist.destinations(ir).get(result).copied()
}

/// Gives the tensors of a function, and its type, the extents that are known. `called`: the type of the function stays, since
/// others call it.
pub fn refine(ir: &mut Ir, func: FuncOp, called: bool) {
    let ops = ir.walk(func.op());
    let mut classes = Classes::default();
    for &op in &ops {
        note(ir, op, called, &mut classes);
    }
    let known = classes.solve(ir);
    let lists: Vec<Shortened> = ops
        .iter()
        .filter_map(|&op| shortened(ir, op, |value| Some(&known[classes.find(value)?])))
        .collect();
    for value in std::mem::take(&mut classes.values) {
        if let Some(class) = classes.find(value) {
            retype(ir, value, &known[class]);
        }
    }
    for list in lists {
        list.apply(ir);
    }
    for &op in &ops {
        let Some(cast) = ir.cast::<CastOp>(op) else {
            continue;
        };
        let (source, dest) = (cast.source(ir), cast.dest(ir));
        if ir.value_type(source) == ir.value_type(dest) {
            ir.replace_op(op, &[source]);
        }
    }
    if !called {
        state_type(ir, func);
    }
}

/// A list of sizes without those that the type says.
struct Shortened {
    op: Op,
    group: usize,
    /// Those that stay.
    open: Vec<Value>,
    /// All of them, for ops that have them as an attribute.
    fixed: Option<Vec<i64>>,
}

impl Shortened {
    fn apply(self, ir: &mut Ir) {
        if let Some(fixed) = self.fixed {
            let fixed = ir.ctx().dense_i64_attr(&fixed);
            ir.set_attr_named(self.op, "static_sizes", Some(fixed));
        }
        ir.set_operand_group(self.op, self.group, &self.open);
    }
}

/// The sizes that an op keeps where these extents are known.
fn shortened<'a>(
    ir: &Ir,
    op: Op,
    mut known: impl FnMut(Value) -> Option<&'a Vec<Known>>,
) -> Option<Shortened> {
    let fixed = |known: &[Known], dim: usize| match known.get(dim) {
        Some(Known::Extent(extent)) => Some(*extent),
        _ => None,
    };
    if let Some(empty) = ir.cast::<EmptyOp>(op) {
        let result = empty.result(ir);
        let known = known(result)?;
        let shape = shape_of(ir, result)?.iter().enumerate();
        let dims = shape.filter(|row| *row.1 == DYNAMIC).map(|row| row.0);
        let sizes = empty.dynamic_sizes(ir);
        let open = dims.zip(sizes).filter(|row| fixed(known, row.0).is_none());
        return Some(Shortened {
            op,
            group: 0,
            open: open.map(|row| row.1).collect(),
            fixed: None,
        });
    }
    let (part, window, group) = match (ir.cast::<ExtractSliceOp>(op), ir.cast::<InsertSliceOp>(op))
    {
        (Some(slice), _) => (slice.result(ir), slice.leading(ir)?, 2),
        (_, Some(slice)) => (slice.source(ir), slice.leading(ir)?, 3),
        _ => return None,
    };
    let known = known(part)?;
    let mut sizes = vec![1; window.indices.len()];
    let mut open = Vec::new();
    for (dim, size) in window.sizes.iter().enumerate() {
        match (fixed(known, dim), *size) {
            (Some(extent), _) | (None, Ok(extent)) => sizes.push(extent),
            (None, Err(size)) => {
                sizes.push(DYNAMIC);
                open.push(size);
            }
        }
    }
    Some(Shortened {
        op,
        group,
        open,
        fixed: Some(sizes),
    })
}

/// Gives a value the extents that are known.
fn retype(ir: &mut Ir, value: Value, known: &[Known]) {
    let ctx = ir.context();
    let TypeKind::Tensor {
        shape,
        element,
        encoding,
    } = ctx.type_kind(ir.value_type(value))
    else {
        return;
    };
    let extent = |(&said, &known): (&i64, &Known)| match known {
        Known::Extent(extent) => extent,
        Known::Open | Known::Nothing => said,
    };
    let refined: Vec<i64> = shape.iter().zip(known).map(extent).collect();
    let ty = ctx.ty(TypeKind::Tensor {
        shape: refined,
        element: *element,
        encoding: *encoding,
    });
    ir.set_value_type(value, ty);
}

/// Notes all that an op says of the values that it defines and uses.
fn note(ir: &Ir, op: Op, called: bool, classes: &mut Classes) {
    let forwarded = note_flow(ir, op, classes);
    for &region in ir.regions(op) {
        for block in ir.blocks(region) {
            note_arguments(ir, block, &forwarded, classes);
        }
    }
    for (index, result) in ir.results(op).enumerate() {
        if shape_of(ir, result).is_some() && !forwarded.contains(&result) {
            note_result(ir, op, index, classes);
        }
    }
    if !may_be_refined(ir, op, called) {
        let operands: Vec<Value> = ir.operands(op).collect();
        for value in operands {
            classes.as_it_is(ir, value);
        }
    }
    // A cast to extents that the tensor does not have stops the program, and is none by its types.
    if let Some(cast) = ir.cast::<CastOp>(op) {
        let said = shape_of(ir, cast.dest(ir)).unwrap_or_default();
        for (dim, &extent) in said.iter().enumerate().filter(|row| *row.1 != DYNAMIC) {
            classes.source(cast.source(ir), dim, Source::Is(Known::Extent(extent)));
        }
    }
    // The part that goes into a tensor has the sizes of its window.
    if let Some(insert) = ir.cast::<InsertSliceOp>(op) {
        let part = insert.source(ir);
        match insert.leading(ir) {
            Some(window) => {
                for (dim, size) in window.sizes.into_iter().enumerate() {
                    let source = match size {
                        Ok(size) => Source::Is(Known::Extent(size)),
                        Err(size) => source_of(ir, size),
                    };
                    classes.source(part, dim, source);
                }
            }
            None => classes.as_it_is(ir, part),
        }
    }
}

/// Whether the types of an op's operands may be refined.
fn may_be_refined(ir: &Ir, op: Op, called: bool) -> bool {
    if ir.isa::<ReturnOp>(op) {
        return !called;
    }
    let flows = |op: Op| ir.interface::<dyn RegionBranch>(op).is_some();
    let ends = ir.next_op(op).is_none() && ir.parent_op(op).is_some_and(flows);
    let dialect = ir.op_name_str(op).split('.').next().unwrap_or_default();
    let known = matches!(dialect, "tensor" | "kernel") || ir.isa::<SelectOp>(op);
    known || flows(op) || ends
}

/// Joins what control flow forwards with its receivers, which are returned.
fn note_flow(ir: &Ir, op: Op, classes: &mut Classes) -> FxHashSet<Value> {
    let mut receivers = FxHashSet::default();
    for edge in region_edges(ir, op).into_iter().flatten() {
        let operands: Vec<Value> = ir.operands(edge.from).collect();
        for (&input, &value) in edge.inputs.iter().zip(&operands[edge.operands.clone()]) {
            classes.join(ir, input, value);
            receivers.insert(input);
        }
    }
    receivers
}

fn note_arguments(ir: &Ir, block: Block, forwarded: &FxHashSet<Value>, classes: &mut Classes) {
    for &argument in ir.block_args(block) {
        if !forwarded.contains(&argument) {
            classes.as_it_is(ir, argument);
        }
    }
}

fn note_result(ir: &Ir, op: Op, index: usize, classes: &mut Classes) {
    let result = ir.result(op, index);
    if let Some(same) = like(ir, op, index) {
        classes.join(ir, result, same);
        // Its sizes are another source.
        if !ir.isa::<ExtendOp>(op) {
            return;
        }
    }
    if let Some(select) = ir.cast::<SelectOp>(op) {
        classes.join(ir, result, select.true_value(ir));
        return classes.join(ir, result, select.false_value(ir));
    }
    let shape = shape_of(ir, result).unwrap_or_default().to_vec();
    let returned = returned(ir, op, index);
    for (dim, &said) in shape.iter().enumerate() {
        if said != DYNAMIC {
            classes.source(result, dim, Source::Is(Known::Extent(said)));
            continue;
        }
        if let Some(size) = known_extent(ir, result, dim) {
            classes.source(result, dim, source_of(ir, size));
            continue;
        }
        let mut found = false;
        for &row in &returned {
            let rank = shape_of(ir, row).map_or(0, <[i64]>::len);
            if let Some(at) = dim.checked_sub(shape.len() - rank) {
                classes.source(result, dim, Source::Of(row, at));
                found = true;
            }
        }
        if let Some(cast) = ir
            .cast::<CastOp>(op)
            .filter(|cast| shape_of(ir, cast.source(ir)).is_some())
        {
            classes.source(result, dim, Source::Of(cast.source(ir), dim));
            found = true;
        }
        if !found {
            classes.source(result, dim, Source::Is(Known::Open));
        }
    }
}

/// Values whose extents are the innermost ones of a result of a segmented op: what its points return, and what combining starts with.
fn returned(ir: &Ir, op: Op, index: usize) -> Vec<Value> {
    let Some(segmented) = ir.interface::<dyn SegmentedOp>(op) else {
        return Vec::new();
    };
    let value = ir.terminator_operand(segmented.body(ir, op), index);
    let neutral = match (ir.cast::<SegRedOp>(op), ir.cast::<SegScanOp>(op)) {
        (Some(segred), _) => segred.neutral(ir),
        (_, Some(segscan)) => segscan.neutral(ir),
        _ => Vec::new(),
    };
    value
        .into_iter()
        .chain(neutral.get(index).copied())
        .collect()
}

/// The type of a function is that of its arguments and of what it returns.
fn state_type(ir: &mut Ir, func: FuncOp) {
    let Some(entry) = func.entry(ir) else {
        return;
    };
    let of = |values: Vec<Value>| {
        values
            .into_iter()
            .map(|value| ir.value_type(value))
            .collect()
    };
    let inputs: Vec<Type> = of(ir.block_args(entry).to_vec());
    let last = ir.last_op(entry).filter(|&last| ir.isa::<ReturnOp>(last));
    let Some(last) = last else {
        return;
    };
    let results: Vec<Type> = of(ir.operands(last).collect());
    let ctx = ir.context();
    let ty = ctx.type_attr(ctx.function(&inputs, &results));
    ir.set_attr_named(func.op(), "function_type", Some(ty));
}

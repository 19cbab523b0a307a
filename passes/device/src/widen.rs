//! Pass `widen-loads`: loads of neighbours become one load.
//!
//! ```mlir
//! %a = memref.load %t[%i]                        %v = vector.load %t[%i] {alignment = 16} : vector<4xf32>
//! %b = memref.load %t[%i + 1]            ==>     %a, %b, %c, %d = vector.to_elements %v
//! %c = memref.load %t[%i + 2]; %d = ...
//! ```
//! A thread that has several points of a tile reads several elements that follow each other: one request of 128 bits
//! instead of four.
//!
//! Legality: all elements are loaded anyway, in one block of code, with nothing between them that may write memory or stop
//! the program. Buffers of the host and arrays in shared memory start at multiples of 16 bytes; `%i` is known to be a
//! multiple of the number of elements, from the products and sums that it is made of. Elements of 2, 4 and 8 bytes, in
//! runs that make up 16 bytes, or 8 or 4 where there are no more. Deliberately absent: stores, which the lowering makes
//! wide where it knows that rows are whole, and runs that start at an unknown place.

use rustc_hash::FxHashMap;
use segra_gpu::device::GpuFuncOp;
use segra_gpu::host::GpuModuleOp;
use segra_gpu::launch::SharedArrayOp;
use segra_ir::interfaces::{EffectKind, effects_of};
use segra_ir::{Block, Builder, Ir, Op, OpView, TypeKind, Value, ValueDef};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::memref::LoadOp;
use segra_std::{arith, vector};

segra_pass::pass_options! {
    /// The pass `widen-loads`.
    pub struct WidenLoads {}
}

const INFO: PassInfo = PassInfo {
    name: "widen-loads",
    summary: "let loads of neighbours in kernels be one load of up to 128 bits",
    reads: &["arith", "gpu", "memref"],
    writes: &["arith", "memref", "vector"],
    anchors: Anchors::Ops(&[GpuFuncOp::DEF.name, GpuModuleOp::DEF.name]),
};

/// Bytes of the widest access, and what arrays start at multiples of.
const WIDEST: i64 = 16;
/// How deep the search for factors of an index goes.
const DEPTH: usize = 8;

impl Pass for WidenLoads {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, root: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut widened = 0;
        for op in ir.walk(root) {
            let regions = ir.regions(op).to_vec();
            for region in regions {
                let blocks: Vec<Block> = ir.blocks(region).collect();
                for block in blocks {
                    widened += widen(ir, block);
                }
            }
        }
        cx.count("wide loads", widened);
        Ok(Outcome::of(Changed::when(widened > 0)))
    }
}

/// A load and the constant in its index.
#[derive(Clone, Copy)]
struct Place {
    load: LoadOp,
    offset: i64,
}

/// An index but for a constant: values with their factors, in the order of their numbers.
type Terms = Vec<(Value, i64)>;

/// Loads that may become one: of one array, at one index but for constants, in the order of the block.
type Groups = FxHashMap<(Value, Terms), Vec<Place>>;

fn widen(ir: &mut Ir, block: Block) -> u64 {
    let ops: Vec<Op> = ir.ops(block).collect();
    let mut groups = Groups::default();
    let mut order = Vec::new();
    let mut widened = 0;
    for op in ops {
        if let Some(load) = ir.cast::<LoadOp>(op) {
            let Some(place) = place(ir, load) else {
                continue;
            };
            let (terms, offset) = place;
            let key = (load.memref(ir), terms);
            let group = groups.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            group.push(Place { load, offset });
        } else if !only_reads(ir, op) {
            widened += merge(ir, &mut groups, &mut order);
        }
    }
    widened + merge(ir, &mut groups, &mut order)
}

/// Whether an op neither writes memory nor waits nor stops the program.
fn only_reads(ir: &Ir, op: Op) -> bool {
    let effects = ir.regions(op).is_empty().then(|| effects_of(ir, op));
    let reads = |effects: Vec<segra_ir::interfaces::Effect>| {
        effects.iter().all(|effect| effect.kind == EffectKind::Read)
    };
    effects.flatten().is_some_and(reads) && !ir.isa::<segra_gpu::device::CheckOp>(op)
}

/// The index of a load without the constant that is added to it, and the constant, where the load may be part of a wide one.
fn place(ir: &Ir, load: LoadOp) -> Option<(Terms, i64)> {
    let array = load.memref(ir);
    let [index] = load.indices(ir)[..] else {
        return None;
    };
    let aligned = match ir.value_def(array) {
        ValueDef::Result { op, .. } => ir.isa::<SharedArrayOp>(op),
        ValueDef::Argument { block, .. } => ir
            .block_parent(block)
            .is_some_and(|op| ir.isa::<GpuFuncOp>(op)),
    };
    element_bytes(ir, load).filter(|_| aligned)?;
    Some(split(ir, index))
}

/// Bytes of an element, where vectors of such elements can be loaded.
fn element_bytes(ir: &Ir, load: LoadOp) -> Option<i64> {
    let ctx = ir.ctx();
    let ty = ir.value_type(load.result(ir));
    let bits = match ctx.type_kind(ty) {
        TypeKind::Float(kind) => kind.width(),
        TypeKind::Integer { width, .. } => *width,
        _ => return None,
    };
    [16, 32, 64].contains(&bits).then_some(i64::from(bits) / 8)
}

/// An index as a sum of values by constants, and a constant.
fn split(ir: &Ir, index: Value) -> (Terms, i64) {
    let (mut terms, mut offset) = (Terms::new(), 0i64);
    let mut pending = vec![(index, 1i64, DEPTH)];
    while let Some((value, scale, depth)) = pending.pop() {
        if let Some(constant) = ir.constant_int(value) {
            offset = offset.wrapping_add(scale.wrapping_mul(constant));
            continue;
        }
        let sum = ir.def_as::<arith::AddIOp>(value).filter(|_| depth > 0);
        if let Some(sum) = sum {
            pending.push((sum.lhs(ir), scale, depth - 1));
            pending.push((sum.rhs(ir), scale, depth - 1));
            continue;
        }
        let product = ir.def_as::<arith::MulIOp>(value).filter(|_| depth > 0);
        let by_constant = product.and_then(|product| {
            let (x, y) = (product.lhs(ir), product.rhs(ir));
            let right = ir.constant_int(y).map(|constant| (x, constant));
            right.or_else(|| ir.constant_int(x).map(|constant| (y, constant)))
        });
        match by_constant {
            Some((value, constant)) => {
                pending.push((value, scale.wrapping_mul(constant), depth - 1));
            }
            None => terms.push((value, scale)),
        }
    }
    terms.sort_unstable();
    terms.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 = kept.1.wrapping_add(if same { next.1 } else { 0 });
        same
    });
    (terms, offset)
}

/// A power of two that an index is a multiple of.
fn factor(ir: &Ir, index: Value, depth: usize) -> i64 {
    if let Some(constant) = ir.constant_int(index) {
        return power_of_two(constant);
    }
    if depth == 0 {
        return 1;
    }
    let inner = |value: Value| factor(ir, value, depth - 1);
    if let Some(product) = ir.def_as::<arith::MulIOp>(index) {
        return (inner(product.lhs(ir)) * inner(product.rhs(ir))).min(WIDEST);
    }
    if let Some(sum) = ir.def_as::<arith::AddIOp>(index) {
        return inner(sum.lhs(ir)).min(inner(sum.rhs(ir)));
    }
    counter_factor(ir, index, depth).unwrap_or(1)
}

/// The largest power of two up to [`WIDEST`] that a number is a multiple of.
fn power_of_two(number: i64) -> i64 {
    match number {
        0 => WIDEST,
        _ => 1 << number.trailing_zeros().min(WIDEST.trailing_zeros()),
    }
}

/// The same of the counter of a loop: what its first value and its step are multiples of.
fn counter_factor(ir: &Ir, index: Value, depth: usize) -> Option<i64> {
    let ValueDef::Argument { block, index: 0 } = ir.value_def(index) else {
        return None;
    };
    let looped = ir.cast::<segra_std::scf::ForOp>(ir.block_parent(block)?)?;
    let [lower, step] =
        [looped.lower_bound(ir), looped.step(ir)].map(|value| factor(ir, value, depth - 1));
    Some(lower.min(step))
}

/// Makes wide loads of all groups, which are empty afterwards. How many there are.
fn merge(ir: &mut Ir, groups: &mut Groups, order: &mut Vec<(Value, Terms)>) -> u64 {
    let mut widened = 0;
    for key in order.drain(..) {
        let Some(places) = groups.remove(&key).filter(|places| places.len() > 1) else {
            continue;
        };
        let factors = key
            .1
            .iter()
            .map(|&(value, scale)| (factor(ir, value, DEPTH) * power_of_two(scale)).min(WIDEST));
        let known = factors.min().unwrap_or(WIDEST);
        widened += merge_group(ir, &places, known);
    }
    widened
}

/// `known`: what the index but for its constant is a multiple of.
fn merge_group(ir: &mut Ir, places: &[Place], known: i64) -> u64 {
    let Some(bytes) = places
        .first()
        .and_then(|place| element_bytes(ir, place.load))
    else {
        return 0;
    };
    // Loads of each offset, in the order of the block, and the number of the first of them.
    let mut at: FxHashMap<i64, Vec<usize>> = FxHashMap::default();
    for (number, place) in places.iter().enumerate() {
        at.entry(place.offset).or_default().push(number);
    }
    let mut offsets: Vec<i64> = at.keys().copied().collect();
    offsets.sort_unstable();
    let mut widened = 0;
    let mut next = 0;
    while next < offsets.len() {
        let first = offsets[next];
        let mut lanes = WIDEST / bytes;
        let fits = |lanes: i64| {
            known % lanes == 0
                && first.rem_euclid(lanes) == 0
                && (1..lanes).all(|lane| at.contains_key(&(first + lane)))
        };
        while lanes > 1 && !fits(lanes) {
            lanes /= 2;
        }
        if lanes > 1 {
            let rows: Vec<&[usize]> = (0..lanes).map(|lane| &at[&(first + lane)][..]).collect();
            load_wide(ir, first, &rows, places, bytes * lanes);
            widened += 1;
        }
        next += usize::try_from(lanes).unwrap_or(1);
    }
    widened
}

/// One load for those at some offsets that follow each other, where the first of them stands.
fn load_wide(ir: &mut Ir, offset: i64, rows: &[&[usize]], places: &[Place], bytes: i64) {
    let Some(&earliest) = rows.iter().flat_map(|row| row.iter()).min() else {
        return;
    };
    let Place {
        load: first,
        offset: known,
    } = places[earliest];
    let (array, element) = (first.memref(ir), ir.value_type(first.result(ir)));
    let mut index = first.indices(ir)[0];
    let mut b = Builder::before(ir, first.op());
    if offset != known {
        let before = arith::ConstantOp::index(&mut b, offset.wrapping_sub(known));
        index = arith::AddIOp::build(&mut b, index, before).result(b.ir);
    }
    let lanes = i64::try_from(rows.len()).unwrap_or(1);
    let ty = b.ctx().vector(&[lanes], element);
    let alignment = b.ctx().i64_attr(bytes);
    let vector = vector::LoadOp::builder()
        .base(array)
        .indices(&[index])
        .alignment(alignment)
        .result_type(ty)
        .build(&mut b)
        .result(b.ir);
    let elements = vector::ToElementsOp::build(&mut b, vector).op();
    let elements: Vec<Value> = ir.results(elements).collect();
    for (row, element) in rows.iter().zip(elements) {
        for &number in *row {
            ir.replace_op(places[number].load.op(), &[element]);
        }
    }
}

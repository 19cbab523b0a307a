//! Wide accesses: one thread takes several consecutive elements, with loads and stores of up to 128 bits.
//!
//! ```text
//! thread t: load x[t]; ...; store y[t]
//!   ==>  thread t: x[4t..4t+4] = vector.load {alignment = 16}; four bodies; y[4t..4t+4] = vector.store {alignment = 16}
//! ```
//! Buffers start at multiples of 256 bytes, so an element is aligned where its number in the buffer is a multiple of the
//! lanes. Rows of any length are handled: a row is divided at the aligned elements, and what is left at its head and
//! tail goes element by element. Where a body uses its indices for nothing but elements at just these indices, a space
//! of several dimensions is one of a single dimension, and threads recover no indices at all.
//!
//! Legality: bodies without nested ops and checks, and not too long ([`MOST_WORK`]). Reads at all indices of the space
//! in their order, of arrays as large as the space but for its first dimension (an extent that the program says to be
//! equal, or asserts to be), are wide; so are reads at the last indices, where every row starts aligned. Other reads
//! stay as they are. Deliberately absent: bits (bytes in memory) and `index` (no vectors of them); and rows of open size
//! inside thread blocks, where each thread would need a head and a tail of its own for every op along the row: their
//! requests use all of their 4 sectors (softmax moves 1.0000 of the least bytes), so only instructions could be saved.

use crate::Checks;
use crate::access::bit_width;
use rustc_hash::FxHashMap;
use segra_ir::interfaces::constant_of;
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, Region, Trait, Type, TypeKind, Value};
use segra_kernel::access::{DimOp, ReadOp};
use segra_space::Target;

/// Most work, in about instructions, of the copies of a body.
pub(crate) const MOST_WORK: i64 = 160;

/// What an extent is, as far as it can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Extent {
    Constant(i64),
    /// A dimension of an array.
    Of(Value, i64),
    Value(Value),
}

/// Extents of a function's arrays that its checks prove equal.
#[derive(Default)]
pub(crate) struct Equal {
    /// Each extent by the one it is known to equal.
    known: FxHashMap<Extent, Extent>,
}

impl Equal {
    /// Collects the checks of a function: `cf.assert (a == b)` at its top.
    pub(crate) fn of(ir: &Ir, func: Op) -> Equal {
        let mut equal = Equal::default();
        let entry = ir
            .regions(func)
            .first()
            .and_then(|&region| ir.entry_block(region));
        for op in entry.into_iter().flat_map(|block| ir.ops(block)) {
            if ir.op_name_str(op) != "cf.assert" {
                continue;
            }
            let compared = ir
                .operands(op)
                .next()
                .and_then(|condition| ir.defining_op(condition));
            let Some(compare) = compared.filter(|&op| ir.op_name_str(op) == "arith.cmpi") else {
                continue;
            };
            let equals = ir
                .attr_named(compare, "predicate")
                .and_then(|attr| attr.as_i64(ir.ctx()))
                == Some(0);
            let mut sides = ir.operands(compare);
            if let (true, Some(a), Some(b)) = (equals, sides.next(), sides.next()) {
                let (a, b) = (equal.extent(ir, a), equal.extent(ir, b));
                if a != b {
                    equal.known.insert(a, b);
                }
            }
        }
        equal
    }

    /// Whether a dimension of an array has this extent.
    fn has(&self, ir: &Ir, array: Value, dim: usize, size: Value) -> bool {
        self.dimension(ir, array, dim as i64) == self.extent(ir, size)
    }

    fn extent(&self, ir: &Ir, value: Value) -> Extent {
        let Some(op) = ir.defining_op(value) else {
            return self.settled(Extent::Value(value));
        };
        if let Some(constant) = constant_of(ir, value).and_then(|attr| attr.as_i64(ir.ctx())) {
            return Extent::Constant(constant);
        }
        if let Some(dim) = ir.cast::<DimOp>(op) {
            return self.dimension(ir, dim.tensor(ir), dim.dim(ir));
        }
        let operands: Vec<Value> = ir.operands(op).collect();
        let constant = |value: Value| constant_of(ir, value).and_then(|attr| attr.as_i64(ir.ctx()));
        match (ir.op_name_str(op), operands.as_slice()) {
            ("memref.dim", &[array, dim]) => match constant(dim) {
                Some(dim) => self.dimension(ir, array, dim),
                None => Extent::Value(value),
            },
            ("arith.muli", &[one, other]) if constant(one) == Some(1) => self.extent(ir, other),
            _ => self.settled(Extent::Value(value)),
        }
    }

    /// What the extent of a dimension is, seen through allocations and views.
    fn dimension(&self, ir: &Ir, array: Value, dim: i64) -> Extent {
        let at = usize::try_from(dim).unwrap_or(usize::MAX);
        let shape = ir
            .value_type(array)
            .shaped(ir.ctx())
            .map(|shaped| shaped.0.to_vec())
            .unwrap_or_default();
        match shape.get(at) {
            Some(&extent) if extent != DYNAMIC => return Extent::Constant(extent),
            _ => {}
        }
        if let Some(op) = ir.defining_op(array) {
            let before = shape
                .iter()
                .take(at)
                .filter(|&&extent| extent == DYNAMIC)
                .count();
            // Sizes follow the source of a view; an allocation has nothing but sizes.
            let skipped = match ir.op_name_str(op) {
                "memref.reinterpret_cast" => Some(1),
                "gpu.alloc" => Some(0),
                _ => None,
            };
            if let Some(size) = skipped.and_then(|skipped| ir.operands(op).nth(skipped + before)) {
                return self.extent(ir, size);
            }
        }
        self.settled(Extent::Of(array, dim))
    }

    fn settled(&self, mut extent: Extent) -> Extent {
        // Chains are as long as arguments of one size are many.
        while let Some(&next) = self.known.get(&extent) {
            extent = next;
        }
        extent
    }
}

/// How a body is done several elements at a time.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    /// Elements of a thread: 2, 4 or 8.
    pub(crate) lanes: i64,
    /// Reads at all indices of the space, in order.
    pub(crate) whole: Vec<ReadOp>,
    /// Reads at its last indices; only where rows start aligned.
    pub(crate) partial: Vec<ReadOp>,
    pub(crate) rows: Rows,
    /// Whether the indices are used for nothing but whole reads.
    pub(crate) indices: Indices,
}

/// Where rows, along the innermost dimension, start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// At multiples of the lanes; so do their ends where the flag is set.
    Aligned { ends: bool },
    /// Anywhere.
    Anywhere,
}

/// What a body uses its indices for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Indices {
    /// Elements at just these indices.
    OfElements,
    /// Anything.
    Used,
}

/// A body over a space, before it is decided how it is done.
pub(crate) struct Candidate<'a> {
    pub(crate) body: Region,
    /// Extents of the space.
    pub(crate) sizes: &'a [Value],
    /// Element types of what is stored over the whole space.
    pub(crate) stored: &'a [Type],
    pub(crate) checks: Checks,
}

/// How a body is done several elements at a time; `None` where it is better, or only right, one by one.
pub(crate) fn plan(ir: &Ir, equal: &Equal, candidate: &Candidate<'_>) -> Option<Wide> {
    let block = ir.entry_block(candidate.body)?;
    let args = ir.block_args(block).to_vec();
    let work = work(ir, block, candidate.checks)?;
    if candidate.stored.iter().any(|&ty| bytes(ir, ty).is_none()) {
        return None;
    }
    let (mut whole, mut partial) = (Vec::new(), Vec::new());
    for read in ir.ops(block).filter_map(|op| ir.cast::<ReadOp>(op)) {
        let (tensor, indices) = (read.tensor(ir), read.indices(ir));
        if ir.value_block(tensor) == Some(block) {
            continue;
        }
        let last = args
            .len()
            .checked_sub(indices.len())
            .map(|skip| (skip, &args[skip..]));
        let Some((skip, _)) = last.filter(|row| *row.1 == *indices) else {
            continue;
        };
        let as_large =
            (1..indices.len()).all(|dim| equal.has(ir, tensor, dim, candidate.sizes[skip + dim]));
        if indices.is_empty() || !as_large || bytes(ir, ir.value_type(read.result(ir))).is_none() {
            continue;
        }
        if skip == 0 {
            whole.push(read)
        } else {
            partial.push(read)
        }
    }
    let types = whole
        .iter()
        .map(|read| ir.value_type(read.result(ir)))
        .chain(candidate.stored.iter().copied());
    let widest = types.filter_map(|ty| bytes(ir, ty)).max()?;
    let lanes = Target::CUDA.vector_elements(widest);
    if lanes < 2 || work * lanes > MOST_WORK {
        return None;
    }
    let inner = match equal.extent(ir, *candidate.sizes.last()?) {
        Extent::Constant(inner) => Some(inner),
        _ => None,
    };
    let ends = inner.is_some_and(|inner| inner % lanes == 0);
    let rows = if ends || args.len() == 1 {
        Rows::Aligned { ends }
    } else {
        Rows::Anywhere
    };
    if rows == Rows::Anywhere {
        partial.clear();
    }
    let elements_only = args.iter().all(|&arg| {
        ir.users(arg).all(|user| {
            ir.cast::<ReadOp>(user)
                .is_some_and(|read| whole.contains(&read))
        })
    });
    let indices = if elements_only {
        Indices::OfElements
    } else {
        Indices::Used
    };
    // Short rows are better done one element a thread.
    if indices == Indices::Used && inner.is_some_and(|inner| inner < 4 * lanes) {
        return None;
    }
    Some(Wide {
        lanes,
        whole,
        partial,
        rows,
        indices,
    })
}

/// Bytes of an element of a vector; `None` for types there are no vectors of, or whose bits are not bytes.
pub(crate) fn bytes(ir: &Ir, ty: Type) -> Option<i64> {
    let numeric = matches!(
        ir.ctx().type_kind(ty),
        TypeKind::Integer { .. } | TypeKind::Float(_)
    );
    match bit_width(ir.ctx(), ty) {
        Some(bits @ (8 | 16 | 32 | 64)) if numeric => Some(i64::from(bits) / 8),
        _ => None,
    }
}

/// About how many instructions a body is; `None` where it must not be copied.
pub(crate) fn work(ir: &Ir, block: segra_ir::Block, checks: Checks) -> Option<i64> {
    let mut work = 0;
    for op in ir.ops(block) {
        let is_array = |value: Value| ir.value_type(value).shaped(ir.ctx()).is_some();
        let returns_array = ir.has_trait(op, Trait::Terminator) && ir.operands(op).any(is_array);
        if !ir.regions(op).is_empty() || ir.results(op).any(is_array) || returns_array {
            return None;
        }
        if let Some(read) = ir.cast::<ReadOp>(op) {
            let scalar = ir.value_type(read.result(ir)).is_scalar(ir.ctx());
            if !scalar || checks == Checks::On && read.checked_attr(ir).is_some() {
                return None;
            }
        }
        let name = ir.op_name_str(op);
        work += match name.split_once('.').map(|parts| parts.0) {
            Some("math") => 12,
            Some("arith") if name.contains("div") || name.contains("rem") => 6,
            Some("arith" | "ub") => 1,
            Some("check") => 3,
            _ if matches!(
                name,
                "kernel.read" | "kernel.dim" | "kernel.return" | "scf.yield"
            ) =>
            {
                1
            }
            _ => return None,
        };
    }
    Some(work)
}

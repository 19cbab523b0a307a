//! Accesses of several elements: the attributes that say so, and how they are chosen.
//!
//! ```mlir
//! %ys = kernel.segmap thread vector 4 (%i < %n) -> (tensor<?xf32>) {
//!   %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
//! ```
//! A thread takes `vector` points that are neighbours along the innermost dimension. Their stores are one access; so is a
//! read that is marked `kernel.vector`. A segmap whose reads are marked `kernel.staged` is done in square tiles: these reads go through
//! shared memory, so that both sides are coalesced where the innermost index of a read is not that of the space.
//!
//! | op | takes several points where |
//! |---|---|
//! | segmap | rows are not short, or indices are used for nothing but elements at just these indices |
//! | segmap with staged reads | elements have at most 32 bits |
//! | segred | something is read so, and the operator is commutative |
//! | segscan of form `tiles` | rows start aligned |
//!
//! Legality: bodies without nested ops and checks, and not too long ([`MOST_WORK`]). Reads at all indices of the space in
//! their order, of arrays as large as the space but for its first dimension, and reads at the last indices where every row
//! starts aligned. (That extents are equal is known to who marks a read, not to the verifier.) Staged reads stand directly
//! in the body, have one index per dimension, and all the same innermost one. Deliberately absent: bits (bytes in memory)
//! and `index` (no vectors of them); and rows of open size inside thread blocks, where each thread would need a head and a
//! tail of its own for every op along the row: their requests use all of their 4 sectors (softmax moves 1.0000 of the least
//! bytes), so only instructions could be saved.
//!
//! The pass `vectorize` marks the nests of a program; a lowering that makes nests of its own marks these.

use crate::access::{Checks, Read, STAGED, VECTOR};
use crate::form::Form;
use crate::operator::is_commutative;
use crate::segop::{ReturnOp, SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use segra_ir::{Block, Ir, Op, Trait, Type, TypeKind, Value};
use segra_pass::option_enum;
use segra_space::Target;

/// Most work, in about instructions, of the copies of a body.
pub const MOST_WORK: i64 = 160;
/// Elements of a thread of a segmap with staged reads.
const STAGED_LANES: i64 = 4;
/// Bytes of the largest elements that are taken so: of 64 bits, a warp's request is 256 bytes already.
const WIDEST_STAGED: i64 = 4;

/// A mark of maps whose threads take one point each, whatever their elements allow.
pub const SINGLE: &str = "single";

option_enum! {
    /// How many consecutive elements a thread takes at once.
    pub enum Accesses {
        /// As many as 128 bits hold, where they are aligned.
        Wide = "wide",
        /// One.
        Single = "single",
    }
}

/// Whether a dimension of an array is known to have an extent.
pub type AreEqual<'a> = &'a dyn Fn(&Ir, Value, usize, Value) -> bool;

/// The operand that decides beside the op.
pub struct Policy<'a> {
    /// The facts about extents.
    pub are_equal: AreEqual<'a>,
    /// Whether indices are checked: bodies that do are done one element at a time.
    pub checks: Checks,
    /// Whether a thread takes several elements at once at all.
    pub accesses: Accesses,
}

/// How many points a thread of a segmented op takes at once.
pub fn vector_of(ir: &Ir, op: Op) -> Option<i64> {
    let reduction = || ir.cast::<SegRedOp>(op)?.vector(ir);
    let scan = || ir.cast::<SegScanOp>(op)?.vector(ir);
    let map = ir.cast::<SegMapOp>(op).and_then(|segmap| segmap.vector(ir));
    map.or_else(reduction).or_else(scan)
}

/// The reads of a segmented op's body that have a mark.
pub fn marked(ir: &Ir, op: Op, mut mark: impl FnMut(Read) -> bool) -> Vec<Read> {
    let body = ir
        .interface::<dyn SegmentedOp>(op)
        .and_then(|model| ir.entry_block(model.body(ir, op)));
    body.into_iter()
        .flat_map(|block| ir.ops(block))
        .filter_map(|op| Read::of(ir, op))
        .filter(|&read| mark(read))
        .collect()
}

/// Chooses how many points a thread of an op takes at once and which of its reads go through shared memory, and marks them;
/// whether there are any. An op that says how it is mapped, or has marks, keeps them.
pub fn mark_accesses(ir: &mut Ir, op: Op, policy: &Policy<'_>) -> bool {
    let is_marked = |read: Read| read.is_vector(ir) || read.is_staged(ir);
    let marks = vector_of(ir, op).is_some() || !marked(ir, op, is_marked).is_empty();
    if marks || ir.attr_named(op, "mapping").is_some() {
        return false;
    }
    let Some(candidate) = Candidate::of(ir, op, policy) else {
        return false;
    };
    let (lanes, mark, reads) = match candidate.staged(ir) {
        reads if !reads.is_empty() => (candidate.staged_lanes(ir, &reads), STAGED, reads),
        _ => match candidate.vectors(ir, policy.are_equal) {
            Some((lanes, reads)) => (Some(lanes), VECTOR, reads),
            None => return false,
        },
    };
    let ctx = ir.context();
    let lanes = lanes.map(|lanes| ctx.i64_attr(lanes));
    ir.set_attr_named(op, "vector", lanes);
    for read in reads {
        ir.set_attr_named(read.op(), mark, Some(ctx.unit()));
    }
    true
}

/// Whether a thread of an op may take so many points at once.
pub(crate) fn may_take(ir: &Ir, op: Op, lanes: i64) -> bool {
    let policy = Policy {
        are_equal: &|_, _, _, _| false,
        checks: Checks::Off,
        accesses: Accesses::Wide,
    };
    Candidate::of(ir, op, &policy).is_some_and(|candidate| {
        let mut stored = candidate.stored.iter();
        candidate.work.is_some()
            && stored.all(|&ty| element_bytes(ir, ty).is_some())
            && (candidate.rows_start_aligned(ir, lanes) || !ir.isa::<SegScanOp>(op))
    })
}

/// A segmented op, before it is decided how its elements are accessed.
struct Candidate {
    op: Op,
    block: Block,
    /// Indices of a point.
    args: Vec<Value>,
    /// Extents of the space.
    sizes: Vec<Value>,
    /// Element types of what is stored over the whole space.
    stored: Vec<Type>,
    /// About how many instructions the body is; none: it is not copied.
    work: Option<i64>,
}

impl Candidate {
    fn of(ir: &Ir, op: Op, policy: &Policy<'_>) -> Option<Candidate> {
        let model = ir.interface::<dyn SegmentedOp>(op)?;
        let block = ir.entry_block(model.body(ir, op))?;
        let elements = |first: usize| {
            ir.results(op)
                .skip(first)
                .map(|result| ir.value_type(result).element_or_self(ir.ctx()))
                .collect()
        };
        let stored = match (ir.cast::<SegRedOp>(op), ir.cast::<SegScanOp>(op)) {
            (Some(segred), _) if is_commutative(ir, segred.combine(ir)) => {
                elements(segred.neutral(ir).len())
            }
            (_, Some(segscan)) if segscan.form(ir) == Some(Form::Tiles) => elements(0),
            _ if ir.isa::<SegMapOp>(op) => elements(0),
            _ => return None,
        };
        let checked = policy.checks == Checks::On && has_checks(ir, block);
        let single = policy.accesses == Accesses::Single;
        Some(Candidate {
            op,
            block,
            args: ir.block_args(block).to_vec(),
            sizes: model.sizes(ir, op),
            stored,
            work: work(ir, block).filter(|_| !checked && !single),
        })
    }

    /// The reads of a segmap that go through shared memory.
    fn staged(&self, ir: &Ir) -> Vec<Read> {
        if !ir.isa::<SegMapOp>(self.op) || has_arrays(ir, self.op) {
            return Vec::new();
        }
        let mut dim = None;
        marked(ir, self.op, |read| {
            match transposed_dim(ir, &self.args, read) {
                Some(found) => *dim.get_or_insert(found) == found,
                None => false,
            }
        })
    }

    fn staged_lanes(&self, ir: &Ir, staged: &[Read]) -> Option<i64> {
        let read = staged.iter().map(|read| ir.value_type(read.result(ir)));
        let narrow = |ty| element_bytes(ir, ty).is_some_and(|bytes| bytes <= WIDEST_STAGED);
        let fits = self.work? * STAGED_LANES <= MOST_WORK;
        (fits && read.chain(self.stored.iter().copied()).all(narrow)).then_some(STAGED_LANES)
    }

    /// How many points are taken at once, and which reads are one access then; `None` where they are better, or only right,
    /// one by one.
    fn vectors(&self, ir: &Ir, are_equal: AreEqual<'_>) -> Option<(i64, Vec<Read>)> {
        let work = self.work?;
        if self
            .stored
            .iter()
            .any(|&ty| element_bytes(ir, ty).is_none())
        {
            return None;
        }
        let (whole, partial): (Vec<Read>, Vec<Read>) =
            marked(ir, self.op, |read| self.is_along(ir, read, are_equal))
                .into_iter()
                .partition(|read| read.indices(ir).len() == self.args.len());
        let read = whole.iter().map(|read| ir.value_type(read.result(ir)));
        let types = read.chain(self.stored.iter().copied());
        let widest = types.filter_map(|ty| element_bytes(ir, ty)).max()?;
        let lanes = Target::CUDA.vector_elements(widest);
        if lanes < 2 || work * lanes > MOST_WORK {
            return None;
        }
        let aligned = self.rows_start_aligned(ir, lanes);
        let inner = self.sizes.last().and_then(|&inner| ir.constant_int(inner));
        // Short rows are better done one element a thread.
        let short = inner.is_some_and(|inner| inner < 4 * lanes);
        if short && !only_indexes(ir, &self.args, &whole) {
            return None;
        }
        if ir.isa::<SegRedOp>(self.op) && whole.is_empty()
            || ir.isa::<SegScanOp>(self.op) && !aligned
        {
            return None;
        }
        let partial = partial.into_iter().filter(|_| aligned);
        Some((lanes, whole.into_iter().chain(partial).collect()))
    }

    fn rows_start_aligned(&self, ir: &Ir, lanes: i64) -> bool {
        let inner = self.sizes.last().and_then(|&inner| ir.constant_int(inner));
        self.args.len() == 1 || inner.is_some_and(|inner| inner % lanes == 0)
    }

    /// Whether a read has neighbouring elements for neighbouring points, in rows as long as those of the space.
    fn is_along(&self, ir: &Ir, read: Read, are_equal: AreEqual<'_>) -> bool {
        let (tensor, indices) = (read.tensor(ir), read.indices(ir));
        let Some(skip) = self.args.len().checked_sub(indices.len()) else {
            return false;
        };
        !indices.is_empty()
            && indices == self.args[skip..]
            && ir.value_block(tensor) != Some(self.block)
            && element_bytes(ir, ir.value_type(read.result(ir))).is_some()
            && (1..indices.len()).all(|dim| are_equal(ir, tensor, dim, self.sizes[skip + dim]))
    }
}

/// Whether the points of an op that takes several at once are neighbours in the whole space, not along its innermost
/// dimension: it has one dimension, or its indices are used for nothing but elements at just these indices.
pub fn is_flat(ir: &Ir, op: Op) -> bool {
    let body = ir
        .interface::<dyn SegmentedOp>(op)
        .and_then(|model| ir.entry_block(model.body(ir, op)));
    let args = body.map(|body| ir.block_args(body)).unwrap_or_default();
    let whole = marked(ir, op, |read| {
        read.is_vector(ir) && read.indices(ir).len() == args.len()
    });
    args.len() == 1 || only_indexes(ir, args, &whole)
}

/// Whether indices are used for nothing but some reads.
pub fn only_indexes(ir: &Ir, indices: &[Value], reads: &[Read]) -> bool {
    indices.iter().all(|&index| {
        ir.users(index)
            .all(|user| Read::of(ir, user).is_some_and(|read| reads.contains(&read)))
    })
}

/// Which index of a point is the innermost of a read that has all of them in another order, so that neighbours along the
/// space's innermost dimension read far apart.
pub fn transposed_dim(ir: &Ir, args: &[Value], read: Read) -> Option<usize> {
    let indices = read.indices(ir);
    let scalar = ir.value_type(read.result(ir)).is_scalar(ir.ctx()) && !read.is_checked(ir);
    let permuted = indices.len() == args.len() && args.iter().all(|arg| indices.contains(arg));
    let innermost = indices.last().filter(|&last| Some(last) != args.last())?;
    let dim = args.iter().position(|arg| arg == innermost)?;
    (scalar && permuted).then_some(dim)
}

/// The outer dimension of a scan whose segments are columns of what it reads: reads end in its index, and none of those that
/// the scanned index moves ends in that.
pub fn column_dim(ir: &Ir, segscan: SegScanOp) -> Option<usize> {
    let block = segscan.body_block(ir);
    let args = ir.block_args(block);
    let (scanned, outer) = args.split_last()?;
    let mut found = None;
    for read in ir.ops(block).filter_map(|op| Read::of(ir, op)) {
        let indices = read.indices(ir);
        if !indices.contains(scanned) {
            continue;
        }
        let dim = outer.iter().position(|arg| Some(arg) == indices.last())?;
        if *found.get_or_insert(dim) != dim {
            return None;
        }
    }
    found
}

/// Bytes of an element of a vector; `None` for types there are no vectors of, or whose bits are not bytes.
pub fn element_bytes(ir: &Ir, ty: Type) -> Option<i64> {
    let bits = match ir.ctx().type_kind(ty) {
        TypeKind::Integer { width, .. } => *width,
        TypeKind::Float(kind) => kind.width(),
        _ => return None,
    };
    matches!(bits, 8 | 16 | 32 | 64).then(|| i64::from(bits) / 8)
}

/// Whether a body has reads that check their indices.
pub fn has_checks(ir: &Ir, block: Block) -> bool {
    let mut reads = ir.ops(block).filter_map(|op| Read::of(ir, op));
    reads.any(|read| read.is_checked(ir))
}

/// About how many instructions a body is; `None` where it must not be copied.
pub fn work(ir: &Ir, block: Block) -> Option<i64> {
    let mut work = 0;
    for op in ir.ops(block) {
        let is_array = |value: Value| ir.value_type(value).shaped(ir.ctx()).is_some();
        let returns_array = ir.has_trait(op, Trait::Terminator) && ir.operands(op).any(is_array);
        if !ir.regions(op).is_empty() || ir.results(op).any(is_array) || returns_array {
            return None;
        }
        let name = ir.op_name_str(op);
        work += match name.split_once('.').map(|parts| parts.0) {
            Some("math") => 12,
            Some("arith") if name.contains("div") || name.contains("rem") => 6,
            Some("arith" | "ub") => 1,
            Some("check") => 3,
            _ if matches!(name, "tensor.extract" | "kernel.return" | "scf.yield") => 1,
            // The constant that names the dimension is counted.
            _ if name == "tensor.dim" => 0,
            _ => return None,
        };
    }
    Some(work)
}

/// Whether code of a point has arrays of its own, or returns one.
pub fn has_arrays(ir: &Ir, op: Op) -> bool {
    let is_array = |value: Value| ir.value_type(value).shaped(ir.ctx()).is_some();
    let returns = |inner: Op| ir.isa::<ReturnOp>(inner) && ir.operands(inner).any(is_array);
    ir.walk(op)
        .into_iter()
        .skip(1)
        .any(|inner| ir.results(inner).any(is_array) || returns(inner))
}

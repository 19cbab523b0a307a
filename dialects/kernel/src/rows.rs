//! Rows that a thread block may have to itself: ops over the same rows that follow each other.
//!
//! ```text
//! segred (%i < %n, %j < %k) ...                  a thread block for each %i, which has the row of
//! segmap (%i < %n, %j < %k) reads that at %i     the first in shared memory when the second needs it
//! ```
//! Legality: segmap, segred and segscan of level `thread` over one space, or a segmap over its rows, in one basic block;
//! what they read of each other is at the point's own row; nothing but pure scalar ops stands between them, and those
//! need no result of theirs. Points combine and return scalars. At least one op reads what another made.
//!
//! Not here: the kernel (`rows-in-blocks`), and what the other versions of a nest take (`flatten`).

use crate::access::Read;
use crate::level::Level;
use crate::segop::{SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use rustc_hash::FxHashSet;
use segra_ir::{Block, Builder, Ir, Op, Trait, TypeKind, Value};
use segra_space::Target;
use segra_std::arith::{self, CmpIPredicate, index};

/// Most bytes of a row's arrays in shared memory, less what combining takes.
const SHARED_BYTES: i64 = Target::CUDA.shared_bytes - (8 << 10);
/// Longest rows that a few lanes of a warp iterate over better, where there are many.
pub const SHORTEST: i64 = 16;
/// Longest rows that one thread block iterates over where there are few rows.
const LONGEST: i64 = 4096;
/// From this many rows on, a thread block for each keeps a device busy.
const MANY: i64 = 64;

/// Whether so many rows of this length are given to thread blocks.
pub fn pay(length: f64, rows: f64) -> bool {
    let many = rows >= MANY as f64;
    (length > SHORTEST as f64 || !many) && (length <= LONGEST as f64 || many)
}

/// The space of an op that may be done row by row: at level `thread`, with no layout of its own, over scalars.
pub fn space(ir: &Ir, op: Op) -> Option<Vec<Value>> {
    let neutral = match (
        ir.cast::<SegMapOp>(op),
        ir.cast::<SegRedOp>(op),
        ir.cast::<SegScanOp>(op),
    ) {
        (Some(_), ..) => Vec::new(),
        (_, Some(segred), _) => segred.neutral(ir),
        (_, _, Some(segscan)) => segscan.neutral(ir),
        _ => return None,
    };
    let model = ir.interface::<dyn SegmentedOp>(op)?;
    let is_array = |value: Value| ir.value_type(value).shaped(ir.ctx()).is_some();
    let scalars = !neutral.into_iter().any(is_array)
        && ir.walk(op).into_iter().skip(1).all(|inner| {
            let returns =
                ir.has_trait(inner, Trait::Terminator) && ir.operands(inner).any(is_array);
            !ir.results(inner).any(is_array) && !returns
        });
    let plain = model.level(ir, op) == Level::Thread && ir.attr_named(op, "mapping").is_none();
    (plain && scalars).then(|| model.sizes(ir, op))
}

/// Ops over one space that follow each other.
#[derive(Debug)]
pub struct Group {
    /// Extents: those of the rows, then their length.
    pub space: Vec<Value>,
    /// In order.
    pub members: Vec<Op>,
    /// The ops between them; they need nothing of theirs.
    pub between: Vec<Op>,
    made: FxHashSet<Value>,
    /// Whether a member reads what another made.
    linked: bool,
}

/// The groups of a block that are worth a kernel.
pub fn groups(ir: &Ir, block: Block) -> Vec<Group> {
    let mut found = Vec::new();
    let mut open: Option<Group> = None;
    for op in ir.ops(block) {
        if let Some(group) = &mut open {
            if group.take(ir, op) {
                continue;
            }
            let hoistable = ir.has_trait(op, Trait::Pure)
                && ir.regions(op).is_empty()
                && !ir.operands(op).any(|operand| group.made.contains(&operand));
            if hoistable {
                group.between.push(op);
                continue;
            }
        }
        found.extend(open.take());
        if let Some(space) = space(ir, op).filter(|space| space.len() > 1) {
            let mut group = Group {
                space,
                members: Vec::new(),
                between: Vec::new(),
                made: FxHashSet::default(),
                linked: false,
            };
            group.take(ir, op);
            open = Some(group);
        }
    }
    found.extend(open);
    let combines = |group: &Group| group.members.iter().any(|&op| !ir.isa::<SegMapOp>(op));
    found.retain(|group| group.linked && combines(group));
    found
}

impl Group {
    /// How many rows there are: an extent for each dimension, outermost first.
    pub fn outer(&self) -> &[Value] {
        &self.space[..self.space.len() - 1]
    }

    /// Elements of a row.
    pub fn length(&self) -> Value {
        self.space[self.space.len() - 1]
    }

    /// Takes an op in where it iterates over the same rows.
    fn take(&mut self, ir: &Ir, op: Op) -> bool {
        let Some(sizes) = space(ir, op) else {
            return false;
        };
        let rows_only = ir.isa::<SegMapOp>(op) && sizes == self.outer();
        if sizes != self.space && !rows_only {
            return false;
        }
        if ir.operands(op).any(|operand| self.made.contains(&operand)) {
            return false;
        }
        let Some(args) = self.row_of(ir, op) else {
            return false;
        };
        let mut linked = false;
        for inner in ir.walk(op).into_iter().skip(1) {
            if !ir
                .operands(inner)
                .any(|operand| self.made.contains(&operand))
            {
                continue;
            }
            let own_row = Read::of(ir, inner).is_some_and(|read| {
                let indices = read.indices(ir);
                indices.len() >= args.len() && indices[..args.len()] == args[..]
            });
            if !own_row {
                return false;
            }
            linked = true;
        }
        self.linked |= linked;
        self.made.extend(ir.results(op));
        self.members.push(op);
        true
    }

    /// The indices of the row at a point of an op.
    fn row_of(&self, ir: &Ir, op: Op) -> Option<Vec<Value>> {
        let body = ir.interface::<dyn SegmentedOp>(op)?.body(ir, op);
        let args = ir.block_args(ir.entry_block(body)?);
        args.get(..self.outer().len()).map(<[Value]>::to_vec)
    }

    /// Bytes of shared memory for each element of a row.
    fn bytes(&self, ir: &Ir) -> i64 {
        let rank = self.space.len();
        let results = self.members.iter().flat_map(|&op| ir.results(op));
        let rows = results.filter_map(|result| {
            let (shape, element) = ir.value_type(result).shaped(ir.ctx())?;
            let inside = |user: Op| {
                self.members
                    .iter()
                    .any(|&member| ir.is_inside(user, member))
            };
            let read = ir.users(result).any(inside) || ir.users(result).next().is_none();
            (shape.len() == rank && read).then(|| match ir.ctx().type_kind(element) {
                TypeKind::Integer { width, .. } => i64::from(width.div_ceil(8)),
                TypeKind::Float(kind) => i64::from(kind.width()) / 8,
                _ => 8,
            })
        });
        rows.sum()
    }

    /// Longest rows whose arrays fit.
    pub fn most(&self, ir: &Ir) -> i64 {
        match self.bytes(ir) {
            0 => i64::from(i32::MAX),
            bytes => SHARED_BYTES / bytes,
        }
    }

    /// Whether a row's arrays fit the memory of a thread block, and the rows keep a device busy or are short.
    pub fn fits(&self, b: &mut Builder<'_>) -> Value {
        let test = |b: &mut Builder<'_>, predicate, x: Value, y: i64| {
            let y = index::constant(b, y);
            index::cmp(b, predicate, x, y)
        };
        let most = self.most(b.ir);
        let rows = index::product(b, self.outer());
        let short = test(b, CmpIPredicate::Sle, self.length(), LONGEST);
        let many = test(b, CmpIPredicate::Sge, rows, MANY);
        let busy = arith::OrIOp::build(b, short, many).result(b.ir);
        let fits = test(b, CmpIPredicate::Sle, self.length(), most);
        arith::AndIOp::build(b, fits, busy).result(b.ir)
    }

    /// The number that is more than [`SHORTEST`] where rows are not too short: their length, or, where they are few, a multiple of it.
    pub fn weight(&self, b: &mut Builder<'_>) -> Value {
        let rows = index::product(b, self.outer());
        let [one, times, many] = [1, SHORTEST + 1, MANY].map(|value| index::constant(b, value));
        let few = index::cmp(b, CmpIPredicate::Slt, rows, many);
        let times = arith::SelectOp::build(b, few, times, one).result(b.ir);
        index::mul(b, self.length(), times)
    }
}

//! Nests that iterate over a matrix: which of its two innermost dimensions they reduce, and what they read of it. Nests over a
//! vector are those of its only row, which has no index.
//!
//! A matrix has an element for each point of the nest. Products of matrices have none: each of theirs has a dimension less than
//! the nest, and its elements are used along that one again and again, which tiles are for ([`crate::tile`]).

use crate::equal::Equal;
use crate::traverse::sequence::Sequence;
use segra_ir::{Block, Ir, Op, Region, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{SegMapOp, SegRedOp, SegmentedOp};
use segra_kernel::vector;

/// Most instructions of a body; there are copies of it for all elements that a thread has at once.
const MOST_WORK: i64 = 64;

/// Which elements of a matrix a nest combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// None: a value for each.
    Map,
    /// Those of a row.
    Rows,
    /// Those of a column.
    Columns,
}

/// A nest over the elements of matrices, or of a vector.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) op: Op,
    pub(super) kind: Kind,
    pub(super) body: Block,
    /// Indices of the matrix, outside of its rows and columns.
    pub(super) outer: Vec<Value>,
    /// Indices of the element; none of the row of a vector.
    pub(super) row: Option<Value>,
    pub(super) column: Value,
    pub(super) space: Space,
    /// Neutral elements of the values it combines, the first ones that it returns.
    pub(super) neutral: Vec<Value>,
    pub(super) combine: Option<Region>,
}

/// The elements of a matrix, of several, or of a vector, which has no number of rows.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) outer: Vec<Value>,
    pub(super) rows: Option<Value>,
    pub(super) columns: Value,
}

/// Bytes of a value, or of an element of it.
pub(super) fn bytes_of(ir: &Ir, value: Value) -> i64 {
    let element = ir.value_type(value).element_or_self(ir.ctx());
    match ir.ctx().type_kind(element) {
        TypeKind::Integer { width, .. } => i64::from(width.div_ceil(8)),
        TypeKind::Float(kind) => i64::from(kind.width().div_ceil(8)),
        _ => 8,
    }
}

/// Bytes of values that are combined, given their neutral elements.
pub(super) fn state(ir: &Ir, neutral: &[Value]) -> i64 {
    neutral.iter().map(|&value| bytes_of(ir, value)).sum()
}

impl Space {
    /// The extents, from outside in.
    pub(super) fn sizes(&self) -> Vec<Value> {
        let mut sizes = self.outer.clone();
        sizes.extend(self.rows);
        sizes.push(self.columns);
        sizes
    }

    pub(super) fn is_like(&self, ir: &Ir, other: &Space, equal: &Equal) -> bool {
        let (a, b) = (self.sizes(), other.sizes());
        a.len() == b.len() && a.iter().zip(&b).all(|(&a, &b)| equal.are(ir, a, b))
    }
}

impl Member {
    /// The op as such a nest, if it is one: of level `thread`, without a mapping or a form, of scalars throughout.
    pub(super) fn of(ir: &Ir, op: Op) -> Option<Member> {
        let model = ir.interface::<dyn SegmentedOp>(op)?;
        let segred = ir.cast::<SegRedOp>(op);
        let decided = ir.attr_named(op, "mapping").is_some() || ir.attr_named(op, "form").is_some();
        if segred.is_none() && !ir.isa::<SegMapOp>(op)
            || model.level(ir, op) != Level::Thread
            || decided
        {
            return None;
        }
        let mut sizes = model.sizes(ir, op);
        let body = ir.entry_block(model.body(ir, op))?;
        if vector::work(ir, body)? > MOST_WORK {
            return None;
        }
        let is_array = |&value: &Value| ir.value_type(value).shaped(ir.ctx()).is_some();
        let neutral = segred.map(|segred| segred.neutral(ir)).unwrap_or_default();
        if neutral.iter().any(is_array) {
            return None;
        }
        let combine = segred.map(|segred| segred.combine(ir));
        let mut args = ir.block_args(body).to_vec();
        let (last, before) = (args.pop()?, args.pop());
        let (along, across) = count_reads(ir, body, &args, (before, last));
        let kind = match segred {
            None if across > 0 => return None,
            None => Kind::Map,
            Some(_) if across > along => Kind::Columns,
            Some(_) => Kind::Rows,
        };
        let (inner, outer) = (sizes.pop()?, sizes.pop());
        let (row, rows, column, columns) = match (kind, before, outer) {
            (Kind::Columns, Some(before), Some(outer)) => (Some(last), Some(inner), before, outer),
            _ => (before, outer, last, inner),
        };
        if kind == Kind::Columns && ir.num_results(op) > neutral.len() {
            return None;
        }
        Some(Member {
            op,
            kind,
            body,
            outer: args,
            row,
            column,
            space: Space {
                outer: sizes,
                rows,
                columns,
            },
            neutral,
            combine,
        })
    }

    /// Bytes of what it combines.
    pub(super) fn state(&self, ir: &Ir) -> i64 {
        state(ir, &self.neutral)
    }

    /// Values that the body returns: those to combine, then those for each element.
    pub(super) fn returned(&self, ir: &Ir) -> Vec<Value> {
        let last = ir.last_op(self.body);
        last.map(|last| ir.operands(last).collect())
            .unwrap_or_default()
    }

    /// The reads of the body.
    pub(super) fn reads<'a>(&self, ir: &'a Ir) -> impl Iterator<Item = Read> + 'a {
        ir.ops(self.body).filter_map(|op| Read::of(ir, op))
    }

    /// The indices of the element, from outside in.
    pub(super) fn element(&self) -> Vec<Value> {
        let mut element = self.outer.clone();
        element.extend(self.row);
        element.push(self.column);
        element
    }

    /// Whether a read is of the element at hand.
    pub(super) fn is_at_element(&self, ir: &Ir, read: Read) -> bool {
        read.indices(ir) == self.element()
    }

    /// Whether it iterates over a vector.
    pub(super) fn is_of_vector(&self) -> bool {
        self.row.is_none()
    }

    /// The arrays that it reads by its own indices, resolved, with the numbers of those, from outside in.
    pub(super) fn elements(&self, ir: &Ir, sequence: &Sequence) -> Vec<(Value, Vec<usize>)> {
        let own = self.element();
        let number = |index: &Value| own.iter().position(|known| known == index);
        let elements = |read: Read| {
            let numbers: Option<Vec<usize>> = read.indices(ir).iter().map(number).collect();
            Some((sequence.resolve(read.tensor(ir)), numbers?))
        };
        self.reads(ir).filter_map(elements).collect()
    }

    /// The matrices that it reads an element of for each of its own, resolved.
    pub(super) fn matrices(&self, ir: &Ir, sequence: &Sequence) -> Vec<Value> {
        self.reads(ir)
            .filter(|&read| self.is_at_element(ir, read))
            .map(|read| sequence.resolve(read.tensor(ir)))
            .collect()
    }

    /// Whether running it may stop the program.
    pub(super) fn may_stop(&self, ir: &Ir) -> bool {
        ir.ops(self.body).any(|op| {
            ir.op_name_str(op).starts_with("check.")
                || Read::of(ir, op).is_some_and(|read| read.is_checked(ir))
        })
    }
}

/// How many elements the ops of a body read along rows, and how many along columns; `outer`: the indices before these two.
fn count_reads(
    ir: &Ir,
    body: Block,
    outer: &[Value],
    (before, last): (Option<Value>, Value),
) -> (usize, usize) {
    let at = |element: &[Value]| {
        let reads = ir.ops(body).filter_map(|op| Read::of(ir, op));
        let at_element = |read: &Read| read.indices(ir).strip_prefix(outer) == Some(element);
        reads.filter(at_element).count()
    };
    match before {
        Some(before) => (at(&[before, last]), at(&[last, before])),
        None => (at(&[last]), 0),
    }
}

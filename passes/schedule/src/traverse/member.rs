//! Nests that iterate over a matrix: which of its two innermost dimensions they reduce, and what they read of it.
//!
//! A matrix has an element for each point of the nest. Products of matrices have none: each of theirs has a dimension less than
//! the nest, and its elements are used along that one again and again, which tiles are for ([`crate::tile`]).

use crate::equal::Equal;
use crate::traverse::sequence::Sequence;
use segra_ir::{Block, Ir, Op, Region, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::level::Level;
use segra_kernel::segop::{SegMapOp, SegRedOp, SegmentedOp};
use segra_kernel::vector;

/// Most instructions of a body; there are copies of it for all elements that a thread has at once.
const MOST_WORK: i64 = 64;

/// Which elements of a matrix a nest combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// None: a value for each.
    Map,
    /// Those of a row.
    Rows,
    /// Those of a column.
    Columns,
}

/// A nest over the elements of matrices.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) op: Op,
    pub(super) kind: Kind,
    pub(super) body: Block,
    /// Indices of the matrix, outside of its rows and columns.
    pub(super) outer: Vec<Value>,
    /// Indices of the element.
    pub(super) row: Value,
    pub(super) column: Value,
    pub(super) space: Space,
    /// Neutral elements of the values it combines, the first ones that it returns.
    pub(super) neutral: Vec<Value>,
    pub(super) combine: Option<Region>,
}

/// The elements of a matrix, or of several.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) outer: Vec<Value>,
    pub(super) rows: Value,
    pub(super) columns: Value,
}

impl Space {
    pub(super) fn is_like(&self, ir: &Ir, other: &Space, equal: &Equal) -> bool {
        let sizes = |space: &Space| {
            let mut sizes = space.outer.clone();
            sizes.extend([space.rows, space.columns]);
            sizes
        };
        let (a, b) = (sizes(self), sizes(other));
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
        let (last, before) = (args.pop()?, args.pop()?);
        let [along, across] = [(before, last), (last, before)].map(|(row, column)| {
            let element = [&args[..], &[row, column]].concat();
            let reads = ir.ops(body).filter_map(|op| ir.cast::<ReadOp>(op));
            reads.filter(|read| read.indices(ir) == element).count()
        });
        let kind = match segred {
            None if across > 0 => return None,
            None => Kind::Map,
            Some(_) if across > along => Kind::Columns,
            Some(_) => Kind::Rows,
        };
        let (inner, outer) = (sizes.pop()?, sizes.pop()?);
        let [(row, rows), (column, columns)] = match kind {
            Kind::Columns => [(last, inner), (before, outer)],
            Kind::Map | Kind::Rows => [(before, outer), (last, inner)],
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

    /// Values that the body returns: those to combine, then those for each element.
    pub(super) fn returned(&self, ir: &Ir) -> Vec<Value> {
        let last = ir.last_op(self.body);
        last.map(|last| ir.operands(last).collect())
            .unwrap_or_default()
    }

    /// The reads of the body.
    pub(super) fn reads<'a>(&self, ir: &'a Ir) -> impl Iterator<Item = ReadOp> + 'a {
        ir.ops(self.body).filter_map(|op| ir.cast::<ReadOp>(op))
    }

    /// Whether a read is of the element at hand.
    pub(super) fn is_at_element(&self, ir: &Ir, read: ReadOp) -> bool {
        let mut element = self.outer.clone();
        element.extend([self.row, self.column]);
        read.indices(ir) == element
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
                || ir
                    .cast::<ReadOp>(op)
                    .is_some_and(|read| read.checked_attr(ir).is_some())
        })
    }
}

//! Wide accesses: one thread takes several consecutive elements, with loads and stores of up to 128 bits.
//!
//! ```text
//! thread t: load x[t]; ...; store y[t]
//!   ==>  thread t: x[4t..4t+4] = vector.load {alignment = 16}; four bodies; y[4t..4t+4] = vector.store {alignment = 16}
//! ```
//! Which ops and reads they are is said by their marks ([`segra_kernel::vector`]). Buffers start at multiples of 256 bytes,
//! so an element is aligned where its number in the buffer is a multiple of the lanes. Rows of any length are handled: a
//! row is divided at the aligned elements, and what is left at its head and tail goes element by element. Where a body uses
//! its indices for nothing but elements at just these indices, a space of several dimensions is one of a single dimension,
//! and threads recover no indices at all.

use segra_ir::{Ir, Op};
use segra_kernel::access::Read;
use segra_kernel::segop::SegmentedOp;
use segra_kernel::vector::{marked, vector_of};

/// How a body is done several elements at a time.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    /// Elements of a thread.
    pub(crate) lanes: i64,
    /// Reads at all indices of the space, in order.
    pub(crate) whole: Vec<Read>,
    /// Reads at its last indices; only where rows start aligned.
    pub(crate) partial: Vec<Read>,
    pub(crate) rows: Rows,
}

/// Where rows, along the innermost dimension, start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// At multiples of the lanes; so do their ends where the flag is set.
    Aligned { ends: bool },
    /// Anywhere.
    Anywhere,
}

impl Wide {
    /// How an op is done that takes several points at once; `None`: it does not.
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Wide> {
        let lanes = vector_of(ir, op)?;
        let model = ir.interface::<dyn SegmentedOp>(op)?;
        let args = ir.block_args(ir.entry_block(model.body(ir, op))?);
        let reads = marked(ir, op, |read| read.is_vector(ir));
        let (whole, partial): (Vec<Read>, Vec<Read>) = reads
            .into_iter()
            .partition(|read| read.indices(ir).len() == args.len());
        let inner = ir.constant_int(*model.sizes(ir, op).last()?);
        let ends = inner.is_some_and(|inner| inner % lanes == 0);
        let rows = match ends || args.len() == 1 {
            true => Rows::Aligned { ends },
            false => Rows::Anywhere,
        };
        Some(Wide {
            lanes,
            whole,
            partial,
            rows,
        })
    }
}

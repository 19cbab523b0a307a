//! The state of a kernel while it is built: arrays and where they lie, the unit that runs the code at hand, and what the
//! threads of a block share. Nothing here builds code.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Block, Op, Type, Value};
use segra_space::Target;

/// The memory of an array's elements: a flat memref of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Nothing yet: nobody reads the elements before they are written.
    Nothing,
    /// A buffer all threads of the launch see.
    Global(Value),
    /// One thread's share of a buffer.
    Private(Value),
    /// Shared memory of the thread block.
    Shared(Value),
}

impl Memory {
    pub(crate) fn buffer(self) -> Option<Value> {
        match self {
            Memory::Nothing => None,
            Memory::Global(buffer) | Memory::Private(buffer) | Memory::Shared(buffer) => {
                Some(buffer)
            }
        }
    }
}

/// An extent of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// A value of the host.
    Host(Value),
    /// A value of the kernel, which may differ between points.
    Inside(Value),
}

/// An array in a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) memory: Memory,
    /// Elements of the buffer before the first; none: 0.
    pub(crate) offset: Option<Value>,
    /// Elements of the buffer from one to the next; none: 1.
    pub(crate) stride: Option<Value>,
    /// Outermost first; none where `tensor.reshape` says them wherever the array is used.
    pub(crate) extents: Vec<Extent>,
    /// How rows lie, where they do not follow each other: then elements are only accessed by all their indices.
    pub(crate) pitch: Option<Pitch>,
    pub(crate) element: Type,
}

/// How rows of an array lie in shared memory ([`crate::block`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pitch {
    /// Elements of the buffer from one row to the next.
    pub(crate) elements: i64,
    /// The order of elements in a row; none: as they are counted.
    pub(crate) swizzle: Option<Swizzle>,
    /// Rows are lines of this many elements, of which longer ones have several; none: a row lies in one piece.
    pub(crate) lines: Option<Lines>,
}

/// Rows in lines, as products of warpgroups read them ([`segra_gpu::warpgroup`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Elements of the buffer from one line of a row to the next.
    pub(crate) apart: i64,
}

impl Pitch {
    /// Elements of the buffer for so many rows and columns.
    pub(crate) fn count(self, rows: i64, columns: i64) -> Option<i64> {
        match self.lines {
            Some(lines) => lines.apart.checked_mul(columns / self.elements),
            None => rows.checked_mul(self.elements),
        }
    }
    /// Bytes that the buffer begins at a multiple of.
    pub(crate) fn alignment(self) -> i64 {
        match self.lines {
            Some(_) => segra_gpu::warpgroup::ALIGNMENT,
            None => Target::CUDA.shared_alignment,
        }
    }

    /// Whether so many elements from a multiple of their number on lie side by side, and start aligned.
    pub(crate) fn keeps_together(self, lanes: i64) -> bool {
        self.elements % lanes == 0 && self.swizzle.is_none_or(|it| it.part % lanes == 0)
    }
}

/// Parts of rows in an order that differs from row to row: element `c` of row `r` lies at place
/// `c ^ (r / rows mod parts * part)` of its row. All three are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Swizzle {
    /// Elements that stay together.
    pub(crate) part: i64,
    /// How many parts change places with each other.
    pub(crate) parts: i64,
    /// Rows with the same order.
    pub(crate) rows: i64,
}

impl Array {
    /// An array without memory.
    pub(crate) fn nothing(extents: Vec<Extent>, element: Type) -> Array {
        Array {
            memory: Memory::Nothing,
            offset: None,
            stride: None,
            extents,
            pitch: None,
            element,
        }
    }
    /// All of a flat buffer.
    pub(crate) fn whole(memory: Memory, extents: Vec<Extent>, element: Type) -> Array {
        Array {
            memory,
            offset: None,
            stride: None,
            extents,
            pitch: None,
            element,
        }
    }
    /// Whether only its uses say its extents.
    pub(crate) fn is_resized(&self) -> bool {
        self.extents.is_empty()
    }
    /// The same memory as an array with these extents.
    pub(crate) fn resized(&self, extents: &[Extent]) -> Array {
        let extents = extents.to_vec();
        Array {
            extents,
            ..self.clone()
        }
    }
    /// Whether the elements lie in the same place as another array's.
    pub(crate) fn same_place(&self, other: &Array) -> bool {
        (self.memory, self.offset, self.stride) == (other.memory, other.offset, other.stride)
    }
}

/// Which unit runs the code at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Thread,
    Block,
}

/// The values a point returns.
#[derive(Clone, Debug)]
pub(crate) enum Emitted {
    Scalar(Value),
    Array(Array),
}

impl Emitted {
    /// The scalars among some values, in their places; one of them stands where there is an array.
    pub(crate) fn scalars(values: &[Emitted]) -> Vec<Value> {
        let scalar = |value: &Emitted| match value {
            Emitted::Scalar(value) => Some(*value),
            Emitted::Array(_) => None,
        };
        let any = values.iter().find_map(scalar);
        values
            .iter()
            .filter_map(|value| scalar(value).or(any))
            .collect()
    }
}

/// Which share of buffers with space for all is a thread's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    /// Number of the share, in the kernel.
    pub(crate) index: Value,
    /// How many there are, in the kernel.
    pub(crate) stride: Value,
    /// How many there are, on the host; none: as many as the launch has threads.
    pub(crate) lanes: Option<Value>,
}

/// The state that the threads of a block share while it runs a point.
pub(crate) struct BlockState {
    /// Number of the thread, and how many there are; the same of warps; number of the lane.
    pub(crate) thread: Value,
    pub(crate) threads: Value,
    pub(crate) warp: Value,
    pub(crate) warps: Value,
    pub(crate) lane: Value,
    /// Whether threads may still read what others wrote before the last barrier.
    pub(crate) pending: bool,
    /// Shared buffers written since the last barrier.
    pub(crate) unsynced: Vec<Value>,
    /// Reads and writes of them by the present step.
    pub(crate) touched: Option<Touched>,
    /// The thread's point of segmaps with one for each thread.
    pub(crate) own_point: Vec<Value>,
    /// Indices of the point.
    pub(crate) indices: Vec<Value>,
    /// Results that are put together from tiles at once, by their position.
    pub(crate) untiled: FxHashMap<usize, Untiled>,
    /// Pieces of such tiles, by the updates that add them.
    pub(crate) pieces: FxHashMap<Op, Piece>,
    /// Shared memory of arrays that segmented ops made.
    pub(crate) lent: Vec<Lent>,
    /// Shared buffers with an element per warp, by type.
    pub(crate) scratch: Vec<(Type, Value)>,
    /// The copies that loops make for later steps.
    pub(crate) rings: Rings,
    /// Number of the point, and points of the launch on the host.
    pub(crate) point: Value,
    pub(crate) points: Value,
    /// Values that are only returned, by their position.
    pub(crate) returned: FxHashMap<Value, usize>,
    pub(crate) outputs: Vec<Option<Output>>,
}

/// Where the values of all points that are returned at one position go.
#[derive(Clone)]
pub(crate) struct Output {
    pub(crate) host: Value,
    pub(crate) inside: Value,
    /// Extents of one point's value.
    pub(crate) extents: Vec<Extent>,
}

/// Shared buffers that a step touches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    pub(crate) reads: Vec<Value>,
    pub(crate) writes: Vec<Value>,
}

/// The tensor put together from the tiles of all points.
#[derive(Clone, Debug)]
pub(crate) struct Untiled {
    /// The op that does it.
    pub(crate) op: Op,
    /// Extents of the result, on the host.
    pub(crate) sizes: Vec<Value>,
}

/// A piece of a tile that is returned: the position, and how many pieces there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) position: usize,
    pub(crate) pieces: i64,
}

/// Shared memory with an array in it.
pub(crate) struct Lent {
    pub(crate) buffer: Value,
    /// Elements, on the host.
    pub(crate) count: Value,
    pub(crate) element: Type,
    /// The value that lies in it, or is about to.
    pub(crate) owner: Value,
}

/// Arrays of a point with an element per thread.
#[derive(Clone, Debug)]
pub(crate) struct OwnArrays {
    /// Extents of each of them; the block has as many threads.
    pub(crate) extents: Vec<i64>,
    pub(crate) arrays: FxHashSet<Value>,
    /// Whether each warp's threads are those of a rectangle, as tensor cores ask for ([`segra_kernel::contract::LANES`]);
    /// else they follow each other row by row.
    pub(crate) in_warps: bool,
}

/// Rings of a point, and what lies in them.
#[derive(Default)]
pub(crate) struct Rings {
    pub(crate) rings: Vec<Ring>,
    pub(crate) places: FxHashMap<Value, RingPlace>,
    pub(crate) loops: FxHashMap<Op, Turns>,
    /// Arrays of slots that are the same in all steps.
    pub(crate) fixed: FxHashMap<(usize, i64), Array>,
    /// How copies to slots are made, in the code that is being emitted.
    pub(crate) copies: Copies,
}

/// How elements in a row are copied to a slot.
#[derive(Clone, Copy, Default)]
pub(crate) enum Copies {
    /// Together where each thread finds that it can be.
    #[default]
    Tested,
    /// Together, where this holds, else not at all.
    Together(Value),
    /// One by one.
    Single,
}

/// Slots of one buffer.
pub(crate) struct Ring {
    pub(crate) slots: i64,
    /// Of an array in it, and elements from one slot to the next.
    pub(crate) extents: Vec<i64>,
    pub(crate) pitch: Option<Pitch>,
    pub(crate) stride: i64,
    pub(crate) element: Type,
    /// The loop that carries them.
    pub(crate) looped: Op,
    pub(crate) buffer: Option<Value>,
    /// The array that boxes are copied from, as a parameter of its own.
    pub(crate) map: Option<Value>,
}

/// Where an array lies: which slot of which ring.
#[derive(Clone, Copy)]
pub(crate) struct RingPlace {
    pub(crate) ring: usize,
    pub(crate) slot: Slot,
}

/// A slot of a ring.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    /// The same in all steps.
    Fixed(i64),
    /// By the step: see [`Turns::moving`].
    Moving,
}

/// Copies of boxes to the slots of a loop's rings.
pub(crate) struct Boxes {
    /// How many of them a step has, each of which arrives once.
    pub(crate) copies: i64,
    /// Two barriers in shared memory for each slot, once they are set up: all slots' for what comes, then all slots' for what has
    /// been read.
    pub(crate) barriers: Option<Value>,
    /// The counters of the loop, in its body.
    pub(crate) now: Option<Counted>,
    /// The block of the program whose copies have waited for the readers of their slot in this step.
    pub(crate) awaited: Option<Block>,
}

/// Slots and phases of a step.
#[derive(Clone, Copy)]
pub(crate) struct Counted {
    /// The slot of the step's tile, and the parity of the phase in which it comes.
    pub(crate) slot: Value,
    pub(crate) parity: Value,
    /// The slot that the step copies to, and the parity of the phase in which it was read before.
    pub(crate) goal: Value,
    pub(crate) read: Value,
}

/// A loop with rings.
pub(crate) struct Turns {
    pub(crate) slots: i64,
    /// An array with a slot that depends on the step: its ring, and how many slots it is after that of the step's tile.
    pub(crate) moving: Vec<(Value, usize, i64)>,
    /// Whether a copy may be asynchronous.
    pub(crate) groups: bool,
    /// Whether copies are of boxes, and have come at barriers of their slots.
    pub(crate) boxes: Option<Boxes>,
    /// Groups committed before the loop.
    pub(crate) committed: i64,
    /// Whether the loop is in another one.
    pub(crate) again: bool,
}

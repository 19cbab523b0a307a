//! The decoded instruction form the simulator executes.
//!
//! Every operand is a slot of a warp's register file: immediates, symbol addresses and special registers occupy
//! slots of their own that are filled once. Branch targets are indices into the code. One [`Inst`] is one
//! dispatch per warp.

pub(crate) mod asynchronous;
pub(crate) mod element;
pub(crate) mod tensor;

use crate::ast::Location;
use crate::notes::{Note, SharedVariable};
use crate::regs::{Regs, Slot};
use crate::types::{Space, Type};
use asynchronous::{AsyncGroup, Bulk, CopyAsync, Mbarrier};
use smallvec::SmallVec;
use tensor::{FragmentMove, MatrixMove, Mma, ProductGroup, Wgmma};

/// Predicate slot that is always true in every lane.
pub(crate) const ALWAYS: u32 = 0;
/// Predicate slot of the carry flag of `add.cc` and its family.
pub(crate) const CARRY: u32 = 1;
/// Predicate slot that takes results nobody reads.
pub(crate) const SINK_PREDICATE: u32 = 2;
/// Word and double slot that takes results nobody reads.
pub(crate) const SINK: u32 = 0;

/// Executes a register-to-register instruction for the lanes in the mask.
pub(crate) type AluFn = fn(&mut Regs, &Alu, u32);

/// Slots and modifiers of a register-to-register instruction.
#[derive(Clone, Copy)]
pub(crate) struct Alu {
    pub(crate) run: AluFn,
    pub(crate) d: u32,
    /// Second destination.
    pub(crate) e: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
    /// Modifiers, in the meaning the function gives them.
    pub(crate) flags: u32,
}

/// Where an address comes from: a register or nothing, plus a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    None,
    Word(u32),
    Double(u32),
}

/// An address operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) base: Base,
    pub(crate) offset: i64,
}

/// A load or store of one to eight elements per lane.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) space: Space,
    pub(crate) ty: Type,
    pub(crate) address: Address,
    pub(crate) slots: SmallVec<[Slot; 4]>,
}

/// How an atomic combines its operand with the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Add,
    Min,
    Max,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
}

/// `atom` (with destinations) and `red` (without).
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub(crate) op: AtomicOp,
    pub(crate) space: Space,
    pub(crate) ty: Type,
    pub(crate) address: Address,
    pub(crate) dest: SmallVec<[Slot; 4]>,
    pub(crate) source: SmallVec<[Slot; 4]>,
    /// New value of a compare-and-swap; `source` is then what it compares with.
    pub(crate) swap: Option<Slot>,
}

/// The instruction, with double slots of the low and high halves.
#[derive(Clone, Debug)]
pub(crate) struct WideAtomic {
    pub(crate) space: Space,
    pub(crate) address: Address,
    pub(crate) dest: [u32; 2],
    /// The new value, or what is compared with.
    pub(crate) source: [u32; 2],
    /// New value of a compare-and-swap.
    pub(crate) swap: Option<[u32; 2]>,
}

/// The effect of a barrier instruction besides waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierKind {
    Sync,
    Arrive,
    ReduceAnd,
    ReduceOr,
    ReducePopc,
}

/// `bar` and `barrier`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    pub(crate) kind: BarrierKind,
    /// Word slot of the barrier number.
    pub(crate) id: u32,
    /// Word slot of the number of threads; absent means the whole block.
    pub(crate) threads: Option<u32>,
    pub(crate) dest: u32,
    /// Source predicate of a reduction, and whether it is negated.
    pub(crate) source: u32,
    pub(crate) negated: bool,
    /// All threads of a warp must execute the same barrier instruction.
    pub(crate) aligned: bool,
}

/// Shuffle modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

/// A collective operation of a warp, once all lanes of the member mask have arrived.
#[derive(Clone, Debug)]
pub(crate) enum WarpOp {
    Shuffle {
        mode: ShuffleMode,
        dest: u32,
        valid: u32,
        source: u32,
        lane: u32,
        clamp: u32,
    },
    VoteAll {
        dest: u32,
        source: u32,
        negated: bool,
    },
    VoteAny {
        dest: u32,
        source: u32,
        negated: bool,
    },
    VoteUniform {
        dest: u32,
        source: u32,
        negated: bool,
    },
    Ballot {
        dest: u32,
        source: u32,
        negated: bool,
    },
    MatchAny {
        dest: u32,
        source: Slot,
    },
    MatchAll {
        dest: u32,
        valid: u32,
        source: Slot,
    },
    Reduce {
        op: AtomicOp,
        signed: bool,
        dest: u32,
        source: u32,
    },
    Elect {
        dest: u32,
        valid: u32,
    },
    Barrier,
    Mma(Box<Mma>),
    /// The older `wmma.mma`, on fragments in an order of their own.
    Wmma(Box<Mma>),
    Wgmma(Box<Wgmma>),
    LoadFragment(Box<FragmentMove>),
    StoreFragment(Box<FragmentMove>),
    LoadMatrix(Box<MatrixMove>),
    StoreMatrix(Box<MatrixMove>),
    TransposeMatrix {
        dest: u32,
        source: u32,
    },
}

impl WarpOp {
    /// The instruction of PTX, for messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            WarpOp::Shuffle { .. } => "shfl.sync",
            WarpOp::VoteAll { .. } | WarpOp::VoteAny { .. } | WarpOp::VoteUniform { .. } => {
                "vote.sync"
            }
            WarpOp::Ballot { .. } => "vote.sync",
            WarpOp::MatchAny { .. } | WarpOp::MatchAll { .. } => "match.sync",
            WarpOp::Reduce { .. } => "redux.sync",
            WarpOp::Elect { .. } => "elect.sync",
            WarpOp::Barrier => "bar.warp.sync",
            WarpOp::Mma(_) => "mma.sync",
            WarpOp::Wmma(_) => "wmma.mma",
            WarpOp::LoadFragment(_) => "wmma.load",
            WarpOp::StoreFragment(_) => "wmma.store",
            WarpOp::Wgmma(_) => "wgmma",
            WarpOp::LoadMatrix(_) => "ldmatrix.sync",
            WarpOp::StoreMatrix(_) => "stmatrix.sync",
            WarpOp::TransposeMatrix { .. } => "movmatrix.sync",
        }
    }
}

/// Which function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltinKind {
    Print,
    AssertFail,
}

/// A call with the places of its parameter variables in local memory.
#[derive(Clone, Debug)]
pub(crate) struct Builtin {
    pub(crate) kind: BuiltinKind,
    pub(crate) arguments: Vec<u32>,
    pub(crate) result: Option<u32>,
}

impl BuiltinKind {
    /// The function of a name, and how many arguments it takes.
    pub(crate) fn named(name: &str) -> Option<(BuiltinKind, usize)> {
        match name {
            "vprintf" => Some((BuiltinKind::Print, 2)),
            "__assertfail" => Some((BuiltinKind::AssertFail, 5)),
            _ => None,
        }
    }
}

/// One decoded operation.
#[derive(Clone)]
pub(crate) enum Op {
    Alu(Alu),
    Load(Box<Access>),
    Store(Box<Access>),
    Atomic(Box<Atomic>),
    WideAtomic(Box<WideAtomic>),
    CopyAsync(Box<CopyAsync>),
    AsyncGroup(AsyncGroup),
    /// Products are done at once; the checkers ask when they may be relied on.
    ProductGroup(ProductGroup),
    Bulk(Box<Bulk>),
    Mbarrier(Box<Mbarrier>),
    /// Moves bytes between parameter variables of a caller and a callee.
    CopyLocal {
        from: u32,
        to: u32,
        bytes: u32,
    },
    Branch {
        target: u32,
    },
    BranchTable {
        index: u32,
        table: Box<[u32]>,
    },
    Call {
        link: u32,
        target: u32,
    },
    Return {
        link: u32,
    },
    /// A call of a function the driver provides.
    Builtin(Box<Builtin>),
    Exit,
    Trap,
    /// A call where as many calls of functions that reach each other are open as may be.
    TooDeep {
        frames: u32,
    },
    Barrier(Box<Barrier>),
    Warp {
        members: u32,
        op: Box<WarpOp>,
    },
    ActiveMask {
        dest: u32,
    },
    Clock {
        dest: Slot,
    },
    Sleep,
    /// Fences, prefetches and group bookkeeping: ordering the simulator already keeps.
    Nothing,
}

/// Classes the statistics distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    Integer,
    Float32,
    Float64,
    Half,
    Special,
    Convert,
    Move,
    Predicate,
    Load,
    Store,
    Atomic,
    Control,
    Barrier,
    Warp,
    Tensor,
    Other,
}

/// Number of classes.
pub(crate) const CLASSES: usize = Class::Other as usize + 1;

/// One instruction.
#[derive(Clone)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    /// Predicate slot and the value it is xored with to give the executing lanes.
    pub(crate) guard: u32,
    pub(crate) flip: u32,
    pub(crate) class: Class,
}

/// Where an instruction came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) line: u32,
    pub(crate) location: Option<Location>,
}

/// Values the launch puts into word slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    WarpCount,
    LaneMaskEq,
    LaneMaskLt,
    LaneMaskLe,
    LaneMaskGt,
    LaneMaskGe,
    DynamicSharedBytes,
    TotalSharedBytes,
    Zero,
    One,
}

/// Stands for no opcode in [`Code::opcodes`].
pub(crate) const NO_OPCODE: u32 = u32::MAX;

/// A kernel ready to run, with the functions it calls behind it.
#[derive(Clone, Default)]
pub(crate) struct Code {
    pub(crate) insts: Vec<Inst>,
    pub(crate) origins: Vec<Origin>,
    pub(crate) notes: Vec<Note>,
    /// By instruction: cycles from when the one before it is issued to when it is ([`crate::overlap`]).
    pub(crate) issue: Vec<u8>,
    /// By instruction: its place in the order in which diverged lanes run ([`crate::flow::Blocks::order`]).
    pub(crate) order: Vec<u32>,
    /// By instruction: its opcode's index in `opcode_names`; [`NO_OPCODE`] for those behind the first that an
    /// instruction of the text was decoded to.
    pub(crate) opcodes: Vec<u32>,
    pub(crate) opcode_names: Vec<String>,
    pub(crate) shared_variables: Vec<SharedVariable>,
    pub(crate) predicates: u32,
    pub(crate) words: u32,
    pub(crate) doubles: u32,
    pub(crate) word_constants: Vec<(u32, u32)>,
    pub(crate) double_constants: Vec<(u32, u64)>,
    pub(crate) specials: Vec<(u32, Special)>,
    /// Bytes of local memory per thread, parameter variables of calls included.
    pub(crate) local_bytes: u32,
    pub(crate) static_shared: u32,
}

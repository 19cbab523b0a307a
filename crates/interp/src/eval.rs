//! The interface an op implements to be executable.

use crate::code::Inst;
use crate::cx::Cx;
use crate::datum::Datum;
use crate::error::{EvalError, Fault};
use segra_ir::interfaces::{Callable, symbol_name};
use segra_ir::symbol::SymbolTables;
use segra_ir::{Attr, Ident, Ir, Op, Value};
use std::any::Any;

/// The result of an evaluation rule.
pub type EvalResult = Result<Flow, EvalError>;

/// Where control goes after an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next op of the block.
    Next,
    /// Out of the region: the op's operands are what the region yields.
    Yield,
    /// To the op's successor of that position.
    Branch(usize),
}

/// The lanes an op is evaluated for, in increasing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Lanes `0..n`.
    All(u32),
    /// These lanes.
    Some(Vec<u32>),
}

impl Lanes {
    /// Number of lanes.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Lanes::All(count) => *count as usize,
            Lanes::Some(list) => list.len(),
        }
    }
    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Calls `visit` for each lane until it fails.
    #[inline(always)]
    pub fn try_each<E>(&self, mut visit: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        match self {
            Lanes::All(count) => (0..*count as usize).try_for_each(&mut visit),
            Lanes::Some(list) => list.iter().try_for_each(|&lane| visit(lane as usize)),
        }
    }
    /// All lanes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        (0..self.len()).map(move |position| match self {
            Lanes::All(_) => position,
            Lanes::Some(list) => list[position] as usize,
        })
    }
    /// The only lane there is.
    #[inline]
    pub fn single(&self) -> Option<usize> {
        match self {
            Lanes::All(1) => Some(0),
            Lanes::Some(list) if list.len() == 1 => Some(list[0] as usize),
            _ => None,
        }
    }
    /// Those for which `keep` holds.
    pub fn filter(&self, mut keep: impl FnMut(usize) -> bool) -> Lanes {
        let kept: Vec<u32> = self
            .iter()
            .filter(|&lane| keep(lane))
            .map(|lane| lane as u32)
            .collect();
        if kept.len() == self.len() {
            self.clone()
        } else {
            Lanes::Some(kept)
        }
    }
    /// Those for which `test` holds and those for which it does not.
    pub fn partition(&self, mut test: impl FnMut(usize) -> bool) -> (Lanes, Lanes) {
        let (yes, no): (Vec<u32>, Vec<u32>) = self
            .iter()
            .map(|lane| lane as u32)
            .partition(|&lane| test(lane as usize));
        match (yes.is_empty(), no.is_empty()) {
            (false, true) => (self.clone(), Lanes::Some(no)),
            (true, false) => (Lanes::Some(yes), self.clone()),
            _ => (Lanes::Some(yes), Lanes::Some(no)),
        }
    }
}

/// How an op runs one of its regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// In the frame around it, for (some of) the same lanes: `scf.for`, `scf.if`, the operator of a reduction.
    Inline,
    /// In a frame of its own, with other lanes; outer values are captured: `array.map`, `gpu.launch`.
    Batch,
    /// Not by this op: a function's body, the body of a module.
    Never,
}

/// The result of a computation made once, when the op was decoded.
#[derive(Debug, Default)]
pub enum Prepared {
    /// Nothing.
    #[default]
    Nothing,
    /// A number: an enumeration's case, a width, a dimension.
    Word(i64),
    /// A function to call.
    Function(Op),
    /// Anything else.
    Other(Box<dyn Any>),
}

impl Prepared {
    /// Anything.
    pub fn other<T: 'static>(value: T) -> Prepared {
        Prepared::Other(Box::new(value))
    }
}

/// An op that can be executed. Register it as the interface `Eval`: `#[op(..., interfaces(Eval))]`.
pub trait Eval: Sync {
    /// Evaluates the op for the lanes: reads operand slots, writes result slots, runs regions.
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult;
    /// A computation made once, before the op runs.
    fn prepare(&self, _p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::Nothing)
    }
    /// The value of a constant: it is then computed once and never evaluated.
    fn constant(&self, _ir: &Ir, _op: Op) -> Option<Result<Datum, Fault>> {
        None
    }
    /// Values the op reads beyond its operands, in [`crate::Inst::uses`]: what tells the sizes that its types name.
    fn uses(&self, _ir: &Ir, _op: Op) -> Vec<Value> {
        Vec::new()
    }
    /// How the op runs its `index`-th region.
    fn region_kind(&self, _ir: &Ir, _op: Op, _index: usize) -> RegionKind {
        RegionKind::Inline
    }
}

/// The information available to a rule while it prepares.
pub struct Prepare<'a> {
    /// The program.
    pub ir: &'a Ir,
    /// The op.
    pub op: Op,
    pub(crate) symbols: &'a mut SymbolTables,
}

impl Prepare<'_> {
    /// The op's inherent or discardable attribute of that name.
    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.ir.attr_named(self.op, name)
    }
    /// The op a symbol reference leads to.
    pub fn resolve(&mut self, reference: Attr) -> Option<Op> {
        self.symbols.resolve(self.ir, self.op, reference)
    }
    /// The function a symbol reference leads to, ready for [`Cx::call`].
    pub fn function(&mut self, reference: Attr) -> Result<Prepared, Fault> {
        let name = |ident: Option<Ident>| {
            ident
                .map_or("?", |ident| self.ir.ctx().str(ident))
                .to_owned()
        };
        let callee = self.symbols.resolve(self.ir, self.op, reference);
        let callee = callee.ok_or_else(|| {
            Fault::new(format!(
                "calls @{}, which is not defined",
                name(reference.as_symbol(self.ir.ctx()))
            ))
        })?;
        let callable = self.ir.interface::<dyn Callable>(callee);
        match callable.and_then(|callable| callable.callable_region(self.ir, callee)) {
            Some(_) => Ok(Prepared::Function(callee)),
            None => Err(Fault::new(format!(
                "calls @{}, which has no body",
                name(symbol_name(self.ir, callee))
            ))),
        }
    }
}

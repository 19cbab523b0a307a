//! Decoded regions: what the interpreter runs.
//!
//! A region is decoded once: every value gets a slot of its frame, every op becomes an [`Inst`] with the slots of its
//! operands and results, constants move to the frame's initial values. Inline regions share their parent's frame;
//! batch regions and function bodies have frames of their own, and a batch region lists the outer slots it captures.

use crate::datum::Datum;
use crate::elem::Elem;
use crate::error::{EvalError, Fault};
use crate::eval::{Eval, EvalResult, Flow, Lanes, Prepare, Prepared, RegionKind};
use crate::observe::{Observer, watched};
use rustc_hash::FxHashMap;
use segra_ir::interfaces::BranchLike;
use segra_ir::symbol::SymbolTables;
use segra_ir::{Block, Ir, Op, Region, Trait, Value};
use smallvec::SmallVec;

/// A place for a value in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(pub(crate) u32);

/// A decoded op.
pub struct Inst {
    /// Its rule.
    pub eval: &'static dyn Eval,
    /// The op.
    pub op: Op,
    /// Slots of the operands.
    pub operands: SmallVec<[Slot; 4]>,
    /// Slots of the results.
    pub results: SmallVec<[Slot; 2]>,
    /// Slots of what it reads beyond its operands (see [`Eval::uses`]).
    pub uses: Vec<Slot>,
    /// The decoded regions.
    pub regions: Vec<RegionCode>,
    /// Element format of the first operand, where it has one the interpreter computes with.
    pub operand_elem: Option<Elem>,
    /// Element format of the first result, likewise.
    pub result_elem: Option<Elem>,
    /// The result of the rule's preparation.
    pub prepared: Prepared,
    pub(crate) successors: Vec<Successor>,
}

impl Inst {
    /// The number the rule prepared; 0 if it prepared none.
    #[inline]
    pub fn word(&self) -> i64 {
        match self.prepared {
            Prepared::Word(word) => word,
            _ => 0,
        }
    }
    /// The result of the rule's preparation, as a `T`.
    #[inline]
    pub fn data<T: 'static>(&self) -> Option<&T> {
        match &self.prepared {
            Prepared::Other(data) => data.downcast_ref(),
            _ => None,
        }
    }
    /// The function the rule resolved.
    #[inline]
    pub fn function(&self) -> Option<Op> {
        match self.prepared {
            Prepared::Function(op) => Some(op),
            _ => None,
        }
    }
}

/// A successor: the block, and the slots its arguments are copied from.
pub(crate) struct Successor {
    pub(crate) block: usize,
    pub(crate) args: Vec<Slot>,
}

/// A decoded block.
pub(crate) struct BlockCode {
    pub(crate) args: Vec<Slot>,
    pub(crate) insts: Vec<Inst>,
}

/// The storage a frame owns.
#[derive(Default)]
pub(crate) struct Layout {
    pub(crate) num_slots: u32,
    /// Outer slot and inner slot of each captured value.
    pub(crate) captures: Vec<(Slot, Slot)>,
    pub(crate) constants: Vec<(Slot, Datum)>,
    /// Slots of the entry block's arguments.
    pub(crate) params: Vec<Slot>,
}

/// A decoded region.
pub struct RegionCode {
    /// How its op runs it.
    pub kind: RegionKind,
    /// Slots of what the region yields once it has run.
    pub yields: Vec<Slot>,
    pub(crate) blocks: Vec<BlockCode>,
    /// Whether its blocks branch, so that it has no single way through.
    pub(crate) branches: bool,
    /// For batch regions and function bodies.
    pub(crate) layout: Option<Layout>,
}

impl RegionCode {
    /// Slots of the entry block's arguments.
    pub fn args(&self) -> &[Slot] {
        self.blocks.first().map_or(&[], |block| &block.args)
    }
    /// The last op of a region with one block, unless it only hands values on.
    pub fn terminator(&self) -> Option<&Inst> {
        match self.blocks.as_slice() {
            [block] => block.insts.last(),
            _ => None,
        }
    }
    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// One frame under decoding.
#[derive(Default)]
struct Scope {
    slots: FxHashMap<Value, Slot>,
    layout: Layout,
}

impl Scope {
    fn fresh(&mut self) -> Slot {
        let slot = Slot(self.layout.num_slots);
        self.layout.num_slots += 1;
        slot
    }
}

pub(crate) struct Decoder<'a> {
    ir: &'a Ir,
    observer: Option<&'a dyn Observer>,
    symbols: &'a mut SymbolTables,
    scopes: Vec<Scope>,
}

/// Decodes the body of a function.
pub(crate) fn decode_function(
    ir: &Ir,
    symbols: &mut SymbolTables,
    body: Region,
    observer: Option<&dyn Observer>,
) -> Result<RegionCode, EvalError> {
    let mut decoder = Decoder {
        ir,
        observer,
        symbols,
        scopes: Vec::new(),
    };
    decoder.own_frame(body, RegionKind::Batch)
}

impl Decoder<'_> {
    fn own_frame(&mut self, region: Region, kind: RegionKind) -> Result<RegionCode, EvalError> {
        self.scopes.push(Scope::default());
        let code = self.region(region, kind);
        let scope = self.scopes.pop().unwrap_or_default();
        let mut code = code?;
        code.layout = Some(Layout {
            params: code.args().to_vec(),
            ..scope.layout
        });
        Ok(code)
    }

    fn define(&mut self, value: Value) -> Slot {
        let Some(scope) = self.scopes.last_mut() else {
            return Slot(0);
        };
        let slot = scope.fresh();
        scope.slots.insert(value, slot);
        slot
    }

    /// The slot of a value in the frame at `depth`, captured from the frames around it where need be.
    fn find(&mut self, depth: usize, value: Value) -> Option<Slot> {
        if let Some(&slot) = self.scopes[depth].slots.get(&value) {
            return Some(slot);
        }
        let outer = self.find(depth.checked_sub(1)?, value)?;
        let scope = &mut self.scopes[depth];
        let inner = scope.fresh();
        scope.layout.captures.push((outer, inner));
        scope.slots.insert(value, inner);
        Some(inner)
    }

    /// The slots of several values.
    fn slots_of<C: FromIterator<Slot>>(
        &mut self,
        op: Op,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<C, EvalError> {
        let slots = values.into_iter().map(|value| self.slot_of(op, value));
        slots.collect()
    }
    fn slot_of(&mut self, user: Op, value: Value) -> Result<Slot, EvalError> {
        let depth = self.scopes.len().saturating_sub(1);
        self.find(depth, value).ok_or_else(|| {
            EvalError::at(
                self.ir,
                user,
                "uses a value that is not defined inside the function",
            )
        })
    }

    fn region(&mut self, region: Region, kind: RegionKind) -> Result<RegionCode, EvalError> {
        segra_ir::stack::deep(|| self.region_here(region, kind))
    }

    fn region_here(&mut self, region: Region, kind: RegionKind) -> Result<RegionCode, EvalError> {
        let ir = self.ir;
        let blocks: Vec<Block> = ir.blocks(region).collect();
        // Uses may come before definitions in the order of blocks, so all values get their slots first.
        let mut args = Vec::with_capacity(blocks.len());
        for &block in &blocks {
            args.push(
                ir.block_args(block)
                    .iter()
                    .map(|&arg| self.define(arg))
                    .collect::<Vec<Slot>>(),
            );
            for op in ir.ops(block) {
                for result in ir.results(op) {
                    self.define(result);
                }
            }
        }
        let branches = blocks.iter().any(|&block| {
            ir.last_op(block)
                .is_some_and(|op| !ir.successors(op).is_empty())
        });
        let single = blocks.len() == 1 && !branches;
        let mut code = RegionCode {
            kind,
            yields: Vec::new(),
            blocks: Vec::new(),
            branches,
            layout: None,
        };
        for (&block, args) in blocks.iter().zip(args) {
            let mut insts = Vec::new();
            for op in ir.ops(block) {
                let last = ir.last_op(block) == Some(op);
                if single && last && ir.has_trait(op, Trait::Terminator) {
                    code.yields = ir
                        .operands(op)
                        .map(|value| self.slot_of(op, value))
                        .collect::<Result<_, _>>()?;
                }
                if single && last && ir.has_trait(op, Trait::ReturnLike) {
                    // Nothing to evaluate: its operands are what the region yields.
                } else if let Some(inst) = self.inst(op, &blocks)? {
                    insts.push(inst);
                }
            }
            code.blocks.push(BlockCode { args, insts });
        }
        if !single {
            self.yields_of_many_blocks(&blocks, &mut code);
        }
        Ok(code)
    }

    /// A region that may end in several blocks yields through slots of its own.
    fn yields_of_many_blocks(&mut self, blocks: &[Block], code: &mut RegionCode) {
        let ends = blocks.iter().filter_map(|&block| self.ir.last_op(block));
        let count = ends
            .filter(|&op| self.ir.has_trait(op, Trait::ReturnLike))
            .map(|op| self.ir.num_operands(op))
            .max();
        if let Some(scope) = self.scopes.last_mut() {
            code.yields = (0..count.unwrap_or(0)).map(|_| scope.fresh()).collect();
        }
    }

    fn inst(&mut self, op: Op, blocks: &[Block]) -> Result<Option<Inst>, EvalError> {
        let ir = self.ir;
        let eval = ir.interface::<dyn Eval>(op);
        if let Some(constant) = eval.and_then(|eval| eval.constant(ir, op)) {
            let value = constant.map_err(|fault| EvalError::at(ir, op, fault))?;
            let slot = self.slot_of(op, ir.result(op, 0))?;
            if let Some(scope) = self.scopes.last_mut() {
                scope.layout.constants.push((slot, value));
            }
            return Ok(None);
        }
        let Some(eval) = eval else {
            // Only an error if the op is ever reached.
            return Ok(Some(Inst::bare(&NoRule, op)));
        };
        let mut inst = Inst::bare(eval, op);
        inst.operands = self.slots_of(op, ir.operands(op))?;
        inst.results = self.slots_of(op, ir.results(op))?;
        inst.uses = self.slots_of(op, eval.uses(ir, op))?;
        let elem = |value: Option<Value>| {
            value.and_then(|value| Elem::of_element(ir.ctx(), ir.value_type(value)))
        };
        inst.operand_elem = elem(ir.operands(op).next());
        inst.result_elem = elem(ir.results(op).next());
        inst.prepared = eval
            .prepare(&mut Prepare {
                ir,
                op,
                symbols: self.symbols,
            })
            .map_err(|fault| EvalError::at(ir, op, fault))?;
        for (index, &region) in ir.regions(op).iter().enumerate() {
            let code = match eval.region_kind(ir, op, index) {
                RegionKind::Inline => self.region(region, RegionKind::Inline)?,
                RegionKind::Batch => self.own_frame(region, RegionKind::Batch)?,
                RegionKind::Never => RegionCode {
                    kind: RegionKind::Never,
                    yields: Vec::new(),
                    blocks: Vec::new(),
                    branches: false,
                    layout: None,
                },
            };
            inst.regions.push(code);
        }
        inst.successors = self.successors(op, blocks)?;
        if self.observer.is_some_and(|observer| observer.wants(ir, op)) {
            let inputs = self.slots_of(op, ir.free_values(op))?;
            inst = watched(inst, inputs);
        }
        Ok(Some(inst))
    }

    fn successors(&mut self, op: Op, blocks: &[Block]) -> Result<Vec<Successor>, EvalError> {
        let ir = self.ir;
        let mut successors = Vec::new();
        if ir.successors(op).is_empty() {
            return Ok(successors);
        }
        let branch = ir.interface::<dyn BranchLike>(op).ok_or_else(|| {
            EvalError::at(
                ir,
                op,
                "has successors, but does not say what it hands to them",
            )
        })?;
        for (target, handed) in ir
            .successors(op)
            .iter()
            .zip(branch.successor_operands(ir, op))
        {
            let block = blocks
                .iter()
                .position(|block| block == target)
                .ok_or_else(|| EvalError::at(ir, op, "branches to a block of another region"))?;
            let args = handed
                .into_iter()
                .map(|value| self.slot_of(op, value))
                .collect::<Result<_, _>>()?;
            successors.push(Successor { block, args });
        }
        Ok(successors)
    }
}

impl Inst {
    pub(crate) fn bare(eval: &'static dyn Eval, op: Op) -> Inst {
        Inst {
            eval,
            op,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            uses: Vec::new(),
            regions: Vec::new(),
            operand_elem: None,
            result_elem: None,
            prepared: Prepared::Nothing,
            successors: Vec::new(),
        }
    }
}

/// Stands for ops without a rule.
struct NoRule;

impl Eval for NoRule {
    fn eval(&self, cx: &mut crate::cx::Cx<'_>, inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Err(cx.error(inst, "cannot be executed: it has no evaluation rule"))
    }
}

/// The rule of terminators that hand their operands to the op around them.
pub fn yield_operands() -> EvalResult {
    Ok(Flow::Yield)
}

impl From<Fault> for String {
    fn from(fault: Fault) -> String {
        fault.message().to_owned()
    }
}

//! The state an evaluation rule works on: the current frame, running regions, calls and batches.

use crate::code::{Inst, RegionCode, Slot};
use crate::datum::Datum;
use crate::error::{EvalError, Fault};
use crate::eval::{EvalResult, Flow, Lanes};
use crate::frame::{Frame, Place};
use crate::interpreter::Interpreter;
use rustc_hash::FxHashMap;
use segra_ir::interfaces::symbol_name;
use segra_ir::stack::deep;
use segra_ir::{Ir, Op};
use smallvec::SmallVec;
use std::any::Any;
use std::ops::Range;
use std::rc::Rc;

/// Lanes a batch runs at once: enough to amortise decoding, few enough that columns stay in the cache.
pub const BATCH_LANES: usize = 512;

/// The state of a run.
pub struct Cx<'a> {
    pub(crate) interp: &'a Interpreter<'a>,
    frame: Frame,
    pool: Vec<Frame>,
    ambient: Vec<Rc<dyn Any>>,
    globals: FxHashMap<Op, Datum>,
    steps: u64,
    depth: u32,
}

/// Which lane of the frame around it each lane of a batch belongs to: captured values are that lane's.
#[derive(Clone, Copy, Debug)]
pub enum Parents<'p> {
    /// All lanes of the batch belong to one.
    One(usize),
    /// Lane `l` of the batch belongs to the `l`-th of these.
    Each(&'p [u32]),
}

/// The values of one slot in consecutive lanes.
#[derive(Clone, Copy)]
pub struct Column<'c> {
    values: &'c [Datum],
    place: Place,
    lanes: usize,
}

/// Fills an argument of a batch for a range of lanes.
type Load<'f> = dyn FnMut(usize, Range<usize>, &mut [Datum]) -> Result<(), Fault> + 'f;
/// Takes a result of a batch for a range of lanes.
type Store<'f> = dyn FnMut(usize, Range<usize>, Column<'_>) -> Result<(), Fault> + 'f;

impl<'c> Column<'c> {
    /// Number of lanes.
    pub fn len(&self) -> usize {
        self.lanes
    }
    /// Whether there is no lane.
    pub fn is_empty(&self) -> bool {
        self.lanes == 0
    }
    /// The value of a lane.
    #[inline]
    pub fn get(&self, lane: usize) -> &'c Datum {
        &self.values[self.place.at(lane)]
    }
    /// The values of all lanes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'c Datum> + use<'c> {
        let Column {
            values,
            place,
            lanes,
        } = *self;
        (0..lanes).map(move |lane| &values[place.at(lane)])
    }
}

impl<'a> Cx<'a> {
    pub(crate) fn new(interp: &'a Interpreter<'a>) -> Cx<'a> {
        Cx {
            interp,
            frame: Frame::default(),
            pool: Vec::new(),
            ambient: Vec::new(),
            globals: FxHashMap::default(),
            steps: 0,
            depth: 0,
        }
    }

    // ---- reading and writing ----

    /// The program.
    pub fn ir(&self) -> &'a Ir {
        self.interp.ir()
    }
    /// The value of a slot in a lane.
    #[inline(always)]
    pub fn get(&self, slot: Slot, lane: usize) -> &Datum {
        self.frame.get(slot, lane)
    }
    /// Sets a slot in a lane.
    #[inline(always)]
    pub fn set(&mut self, slot: Slot, lane: usize, value: Datum) {
        self.frame.set(slot, lane, value);
    }
    /// The value of an operand in a lane.
    #[inline(always)]
    pub fn operand(&self, inst: &Inst, index: usize, lane: usize) -> &Datum {
        self.frame.get(inst.operands[index], lane)
    }
    /// Sets a result in a lane.
    #[inline(always)]
    pub fn set_result(&mut self, inst: &Inst, index: usize, lane: usize, value: Datum) {
        self.frame.set(inst.results[index], lane, value);
    }
    /// An operand that must be an integer.
    #[inline]
    pub fn int(&self, inst: &Inst, index: usize, lane: usize) -> Result<i64, EvalError> {
        match self.operand(inst, index, lane) {
            Datum::Int(value) => Ok(*value),
            other => Err(self.mismatch(inst, index, "an integer", other)),
        }
    }
    /// The integers at operands `range`: indices, sizes.
    #[inline]
    pub fn ints(
        &self,
        inst: &Inst,
        range: Range<usize>,
        lane: usize,
    ) -> Result<SmallVec<[i64; 4]>, EvalError> {
        range.map(|index| self.int(inst, index, lane)).collect()
    }
    /// An operand that must be an array.
    pub fn array(
        &self,
        inst: &Inst,
        index: usize,
        lane: usize,
    ) -> Result<&Rc<crate::array::ArrayValue>, EvalError> {
        let value = self.operand(inst, index, lane);
        value
            .as_array()
            .ok_or_else(|| self.mismatch(inst, index, "an array", value))
    }
    /// An operand that must be a memref.
    #[inline]
    pub fn memref(
        &self,
        inst: &Inst,
        index: usize,
        lane: usize,
    ) -> Result<&Rc<crate::memref::MemRefValue>, EvalError> {
        let value = self.operand(inst, index, lane);
        value
            .as_memref()
            .ok_or_else(|| self.mismatch(inst, index, "a memref", value))
    }
    /// The values of a slot in the lanes `0..lanes`.
    pub fn column(&self, slot: Slot, lanes: usize) -> Column<'_> {
        Column {
            values: &self.frame.values,
            place: self.frame.place(slot),
            lanes,
        }
    }
    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frame
    }

    // ---- errors ----

    /// An error at an op.
    #[cold]
    pub fn error(&self, inst: &Inst, message: impl std::fmt::Display) -> EvalError {
        EvalError::at(self.ir(), inst.op, message)
    }
    /// Makes a fault an error at an op.
    #[inline]
    pub fn check<T>(&self, inst: &Inst, result: Result<T, Fault>) -> Result<T, EvalError> {
        result.map_err(|fault| self.error(inst, fault))
    }
    #[cold]
    fn mismatch(&self, inst: &Inst, index: usize, wanted: &str, found: &Datum) -> EvalError {
        let info = self.ir().info(inst.op);
        let name = info
            .and_then(|info| {
                let groups = 0..info.def.operands.len();
                let group = groups
                    .into_iter()
                    .find(|&g| self.ir().operand_group(inst.op, g).contains(&index))?;
                Some(format!("operand `{}`", info.def.operands[group].name))
            })
            .unwrap_or_else(|| format!("operand {index}"));
        self.error(
            inst,
            format!("needs {wanted} as {name}, not {}", found.describe()),
        )
    }
    /// Whether memory for `count` more elements may be taken.
    pub fn check_allocation(&self, count: Option<usize>) -> Result<usize, Fault> {
        let limit = self.interp.limits().elements;
        count
            .filter(|&count| count <= limit)
            .ok_or_else(|| Fault::new(format!("asks for more than {limit} elements at once")))
    }

    // ---- what surrounds a rule ----

    /// Whether all lanes of the frame take part: what a barrier needs.
    pub fn is_converged(&self, lanes: &Lanes) -> bool {
        lanes.len() == self.frame.live as usize
    }
    /// Number of lanes of the frame, active or not.
    pub fn frame_lanes(&self) -> usize {
        self.frame.lanes as usize
    }
    /// Runs `body` with `value` as the innermost ambient value of its type (the position in a grid, a device).
    pub fn with_ambient<T: 'static, R>(
        &mut self,
        value: Rc<T>,
        body: impl FnOnce(&mut Cx<'a>) -> R,
    ) -> R {
        self.ambient.push(value);
        let result = body(self);
        self.ambient.pop();
        result
    }
    /// The innermost ambient value of a type.
    pub fn ambient<T: 'static>(&self) -> Option<Rc<T>> {
        self.ambient
            .iter()
            .rev()
            .find_map(|value| value.clone().downcast().ok())
    }

    /// A value that lasts for the whole run and belongs to an op (a global's memory): made when first asked for.
    pub fn global(
        &mut self,
        op: Op,
        make: impl FnOnce(&Cx<'a>) -> Result<Datum, Fault>,
    ) -> Result<Datum, Fault> {
        if let Some(value) = self.globals.get(&op) {
            return Ok(value.clone());
        }
        let value = make(self)?;
        self.globals.insert(op, value.clone());
        Ok(value)
    }

    // ---- regions ----

    /// Sets an argument of an inline region in a lane.
    #[inline]
    pub fn set_arg(&mut self, region: &RegionCode, index: usize, lane: usize, value: Datum) {
        if let Some(&slot) = region.args().get(index) {
            self.frame.set(slot, lane, value);
        }
    }
    /// Runs an inline region for some lanes of this frame. Its arguments are set before ([`Cx::set_arg`]); afterwards
    /// what it yields is in the slots [`RegionCode::yields`].
    pub fn run_region(&mut self, region: &RegionCode, lanes: &Lanes) -> Result<(), EvalError> {
        if lanes.is_empty() || region.blocks.is_empty() {
            return Ok(());
        }
        self.depth += 1;
        let result = deep(|| self.run_blocks(region, lanes));
        self.depth -= 1;
        result
    }
    /// Runs an inline region with the same arguments for each lane and copies what it yields to slots of this frame.
    pub fn run_region_with(
        &mut self,
        region: &RegionCode,
        args: &[Slot],
        results: &[Slot],
        lanes: &Lanes,
    ) -> Result<(), EvalError> {
        self.copy(args, region.args(), lanes);
        self.run_region(region, lanes)?;
        self.copy(&region.yields, results, lanes);
        Ok(())
    }
    /// Copies slots to slots, all at once: a slot may be both source and target.
    pub fn copy(&mut self, from: &[Slot], to: &[Slot], lanes: &Lanes) {
        match (from, to) {
            ([], _) | (_, []) => {}
            ([from], [to]) => {
                for lane in lanes.iter() {
                    let value = self.frame.get(*from, lane).clone();
                    self.frame.set(*to, lane, value);
                }
            }
            _ => {
                for lane in lanes.iter() {
                    let values: SmallVec<[Datum; 8]> = from
                        .iter()
                        .map(|&slot| self.frame.get(slot, lane).clone())
                        .collect();
                    for (&slot, value) in to.iter().zip(values) {
                        self.frame.set(slot, lane, value);
                    }
                }
            }
        }
    }

    fn run_blocks(&mut self, region: &RegionCode, lanes: &Lanes) -> Result<(), EvalError> {
        if self.depth > self.interp.limits().depth {
            return Err(self.too_deep(region));
        }
        match region.blocks.as_slice() {
            // Its yielded values are where its terminator's operands are.
            [block] if !region.branches => self.run_insts(&block.insts, lanes).map(|_| ()),
            _ if lanes.len() > 1 => {
                // Branches may take lanes apart; each goes its own way to the end.
                for lane in lanes.iter() {
                    self.run_graph(region, &Lanes::Some(vec![lane as u32]))?;
                }
                Ok(())
            }
            _ => self.run_graph(region, lanes),
        }
    }

    #[cold]
    fn too_deep(&self, region: &RegionCode) -> EvalError {
        let message = format!(
            "recursion deeper than {} regions",
            self.interp.limits().depth
        );
        match region.blocks.iter().find_map(|block| block.insts.first()) {
            Some(inst) => EvalError::at(self.ir(), inst.op, format!("is reached by {message}")),
            None => EvalError::new(segra_ir::Loc::UNKNOWN, message),
        }
    }

    /// Runs ops until one leaves the block; tells which, unless the block ended by yielding.
    #[inline]
    fn run_insts<'i>(
        &mut self,
        insts: &'i [Inst],
        lanes: &Lanes,
    ) -> Result<Option<(&'i Inst, Flow)>, EvalError> {
        self.steps += (insts.len() * lanes.len()) as u64;
        if self.steps > self.interp.limits().steps {
            return Err(self.too_long(insts));
        }
        for inst in insts {
            let flow = inst.eval.eval(self, inst, lanes)?;
            if flow != Flow::Next {
                return Ok(Some((inst, flow)));
            }
        }
        Ok(None)
    }

    #[cold]
    fn too_long(&self, insts: &[Inst]) -> EvalError {
        let message = format!(
            "the program runs more than {} ops",
            self.interp.limits().steps
        );
        match insts.first() {
            Some(inst) => EvalError::at(self.ir(), inst.op, format!("is one too many: {message}")),
            None => EvalError::new(segra_ir::Loc::UNKNOWN, message),
        }
        .of_steps()
    }

    fn run_graph(&mut self, region: &RegionCode, lanes: &Lanes) -> Result<(), EvalError> {
        let mut block = 0;
        loop {
            match self.run_insts(&region.blocks[block].insts, lanes)? {
                Some((inst, Flow::Branch(index))) => {
                    let Some(successor) = inst.successors.get(index) else {
                        return Err(self.error(inst, "branches to a successor it does not have"));
                    };
                    block = successor.block;
                    self.copy(&successor.args, &region.blocks[block].args, lanes);
                }
                Some((inst, _)) => {
                    self.copy(&inst.operands, &region.yields, lanes);
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    // ---- frames ----

    fn enter(&mut self, frame: Frame) -> Frame {
        std::mem::replace(&mut self.frame, frame)
    }
    fn leave(&mut self, outer: Frame) {
        let mut done = std::mem::replace(&mut self.frame, outer);
        // Arrays must not live on in the pool.
        done.values.clear();
        self.pool.push(done);
    }

    /// Calls a function for the lanes: `inst`'s operands from `first` on are the arguments, its results the results.
    pub fn call(&mut self, function: Op, inst: &Inst, first: usize, lanes: &Lanes) -> EvalResult {
        let code = self.interp.function(function)?;
        let mut frame = self.pool.pop().unwrap_or_default();
        let Some(layout) = &code.layout else {
            return Ok(Flow::Next);
        };
        self.fits(frame.lay_out(layout, self.frame.lanes, []), inst)?;
        frame.live = self.frame.live;
        let args = inst.operands.get(first..).unwrap_or_default();
        if args.len() != layout.params.len() {
            return Err(self.error(
                inst,
                "passes another number of arguments than the function takes",
            ));
        }
        for (&from, &to) in args.iter().zip(&layout.params) {
            for lane in lanes.iter() {
                frame.set(to, lane, self.frame.get(from, lane).clone());
            }
        }
        let outer = self.enter(frame);
        let result = self.run_region(&code, lanes);
        let inner = std::mem::replace(&mut self.frame, outer);
        if let Err(error) = result {
            return Err(self.called(error, function, self.ir().loc(inst.op)));
        }
        for (&from, &to) in code.yields.iter().zip(&inst.results) {
            for lane in lanes.iter() {
                self.frame.set(to, lane, inner.get(from, lane).clone());
            }
        }
        self.pool.push(inner);
        Ok(Flow::Next)
    }

    /// Runs a function with `lanes` lanes of its own (a thread block), all with the same arguments; `live` starts as
    /// all of them. Its results are dropped.
    pub fn call_group(
        &mut self,
        function: Op,
        inst: &Inst,
        args: &[Datum],
        lanes: u32,
    ) -> Result<(), EvalError> {
        let loc = self.ir().loc(inst.op);
        let outcome = self.call_with(function, args, lanes, |_, _| ());
        outcome.map_err(|error| self.called(error, function, loc))
    }

    /// Runs a function in a frame of its own and reads its results there.
    pub(crate) fn call_with<R>(
        &mut self,
        function: Op,
        args: &[Datum],
        lanes: u32,
        read: impl FnOnce(&Cx<'a>, &RegionCode) -> R,
    ) -> Result<R, EvalError> {
        let code = self.interp.function(function)?;
        let ir = self.ir();
        let too_large = || EvalError::at(ir, function, "needs too large a frame");
        let layout = code.layout.as_ref().ok_or_else(too_large)?;
        if args.len() != layout.params.len() {
            return Err(EvalError::at(
                self.ir(),
                function,
                format!(
                    "takes {} arguments, not {}",
                    layout.params.len(),
                    args.len()
                ),
            ));
        }
        let mut frame = self.pool.pop().unwrap_or_default();
        frame
            .lay_out(layout, lanes, layout.params.iter().copied())
            .ok_or_else(too_large)?;
        for (&slot, value) in layout.params.iter().zip(args) {
            frame.set(slot, 0, value.clone());
        }
        let outer = self.enter(frame);
        let result = self
            .run_region(&code, &Lanes::All(lanes))
            .map(|()| read(self, &code));
        self.leave(outer);
        result
    }

    /// Runs a batch region once for each of `total` lanes, a few hundred lanes at a time.
    ///
    /// `load` fills an argument's values for a range of lanes; `store` takes what the region yields for a range of
    /// lanes: `(number of the yielded value, range, values)`. Lanes must not depend on each other.
    pub fn run_batch(
        &mut self,
        inst: &Inst,
        region: &RegionCode,
        total: usize,
        parents: Parents<'_>,
        mut load: impl FnMut(usize, Range<usize>, &mut [Datum]) -> Result<(), Fault>,
        mut store: impl FnMut(usize, Range<usize>, Column<'_>) -> Result<(), Fault>,
    ) -> Result<(), EvalError> {
        let mut start = 0;
        while start < total {
            let range = start..total.min(start + BATCH_LANES);
            self.run_lanes(inst, region, range.clone(), parents, &mut load, &mut store)?;
            start = range.end;
        }
        Ok(())
    }

    /// Runs a batch region once with all `lanes` lanes in lockstep: a thread block.
    pub fn run_group(
        &mut self,
        inst: &Inst,
        region: &RegionCode,
        lanes: usize,
        parent: usize,
        mut load: impl FnMut(usize, Range<usize>, &mut [Datum]) -> Result<(), Fault>,
    ) -> Result<(), EvalError> {
        if lanes == 0 {
            return Ok(());
        }
        self.run_lanes(
            inst,
            region,
            0..lanes,
            Parents::One(parent),
            &mut load,
            &mut |_, _, _| Ok(()),
        )
    }

    fn run_lanes(
        &mut self,
        inst: &Inst,
        region: &RegionCode,
        range: Range<usize>,
        parents: Parents<'_>,
        load: &mut Load<'_>,
        store: &mut Store<'_>,
    ) -> Result<(), EvalError> {
        let Some(layout) = &region.layout else {
            return Err(self.error(inst, "runs a region as a batch that was not decoded as one"));
        };
        let lanes = range.len();
        let count = u32::try_from(lanes).ok();
        let count = count.ok_or_else(|| self.error(inst, "runs too many lanes at once"))?;
        let mut frame = self.pool.pop().unwrap_or_default();
        let captured = layout.captures.iter().map(|&(_, inner)| inner);
        let laid_out = match parents {
            Parents::One(_) => frame.lay_out(layout, count, captured),
            Parents::Each(_) => frame.lay_out(layout, count, []),
        };
        self.fits(laid_out, inst)?;
        for &(from, to) in &layout.captures {
            match parents {
                Parents::One(parent) => frame.set(to, 0, self.frame.get(from, parent).clone()),
                Parents::Each(list) => {
                    for (lane, &parent) in list[range.clone()].iter().enumerate() {
                        frame.set(to, lane, self.frame.get(from, parent as usize).clone());
                    }
                }
            }
        }
        for (index, &slot) in layout.params.iter().enumerate() {
            let at = frame.place(slot).at(0);
            let loaded = load(index, range.clone(), &mut frame.values[at..at + lanes]);
            self.check(inst, loaded)?;
        }
        let outer = self.enter(frame);
        let mut result = self.run_region(region, &Lanes::All(count));
        for (index, &slot) in region.yields.iter().enumerate() {
            if result.is_ok() {
                let stored = store(index, range.clone(), self.column(slot, lanes));
                result = self.check(inst, stored);
            }
        }
        self.leave(outer);
        result
    }

    fn fits(&self, laid_out: Option<()>, inst: &Inst) -> Result<(), EvalError> {
        laid_out.ok_or_else(|| self.error(inst, "needs too large a frame"))
    }
    #[cold]
    fn called(&self, error: EvalError, function: Op, loc: segra_ir::Loc) -> EvalError {
        let name = symbol_name(self.ir(), function);
        name.map(|name| error.clone().called_from(name, loc))
            .unwrap_or(error)
    }
}

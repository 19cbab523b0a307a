//! From the syntax tree of a kernel to the code the simulator runs.
//!
//! One [`Builder`] decodes an entry and, behind it, every function it reaches. Functions are not copied per call: a
//! call stores the return address in the callee's link register and jumps. Registers, local variables and parameter
//! variables of a function have fixed places. So functions that can reach themselves are decoded once for each frame: for
//! each call of one of them that may be open at once ([`Recursion`]).

mod arith;
mod asynchronous;
mod control;
mod data;
mod operands;
mod tensor;
mod video;
mod wmma;

use crate::ast::{Function, Instruction, ModuleAst, Operand, Variable};
use crate::calls::Recursion;
use crate::flow::Blocks;
use crate::isa::{ALWAYS, Address, Class, Code, Inst, NO_OPCODE, Op, Origin, Special, WarpOp};
use crate::notes::{Note, Order, SharedVariable};
use crate::overlap;
use crate::parse::ParseErrorKind;
use crate::supported::{self, Operands, WrittenFor};
use crate::types::{Bank, FUNCTION_WINDOW, Space, Type, align_up};
use rustc_hash::FxHashMap;

/// Shared memory a block can name; launches allow far less.
const LARGEST_SHARED: u64 = 1 << 30;
/// Local memory of a thread, as on NVIDIA hardware.
const LARGEST_LOCAL: u64 = 512 << 10;

/// The name and size of the shared memory that the system reserves in each block.
const RESERVED: &str = "%reserved_smem";
const RESERVED_BYTES: u64 = 1 << 10;

/// Addresses of module-level variables, in their windows' own terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout<'a> {
    /// `.global` variables: full addresses; `.const` variables: offsets.
    pub(crate) fixed: FxHashMap<&'a str, (Space, u64)>,
    /// Addresses of functions with a body.
    pub(crate) functions: FxHashMap<&'a str, u64>,
    /// Functions that can be called, by name: the one with a body where there is one.
    pub(crate) callable: FxHashMap<&'a str, usize>,
    /// By function of the module: the limits of its calls, if it can reach itself.
    pub(crate) recursion: Vec<Option<Recursion>>,
}

/// Where a symbol's storage lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) space: Space,
    pub(crate) address: u64,
}

/// The address of a function of the module by its index.
pub(crate) fn function_address(index: usize) -> u64 {
    FUNCTION_WINDOW + 16 * index as u64
}

type Decode<T> = Result<T, ParseErrorKind>;

/// Decoding state of one function.
struct FunctionState {
    /// Index in the module's list.
    index: usize,
    /// The number of calls of functions of its group that are open below it.
    frame: u32,
    /// Position of the first instruction, once decoded.
    entry: Option<u32>,
    /// Position of each of the tree's instructions in the code.
    starts: Vec<u32>,
    /// Word slot of the return address.
    link: u32,
}

/// A branch target to fill in when all positions are known.
enum Fixup {
    /// The target of the branch at this position is an instruction of the function's tree.
    Label {
        at: u32,
        function: usize,
        tree_index: u32,
    },
    /// One entry of a branch table.
    Table {
        at: u32,
        entry: usize,
        function: usize,
        tree_index: u32,
    },
    /// A call's target is the function's entry.
    Entry { at: u32, function: usize },
}

pub(crate) struct Builder<'a, 'm> {
    module: &'m ModuleAst<'a>,
    layout: &'m Layout<'a>,
    written_for: WrittenFor,
    code: Code,
    errors: Vec<(u32, ParseErrorKind)>,
    functions: Vec<FunctionState>,
    /// By index and frame.
    by_index: FxHashMap<(usize, u32), usize>,
    current: usize,
    registers: FxHashMap<(usize, u32, &'a str), (Type, u32)>,
    opcodes: FxHashMap<&'a str, u32>,
    words: FxHashMap<u32, u32>,
    doubles: FxHashMap<u64, u32>,
    specials: FxHashMap<Special, u32>,
    places: FxHashMap<(usize, u32, &'a str), Place>,
    shared: FxHashMap<&'a str, u64>,
    shared_bytes: u64,
    /// Start of dynamic shared memory; known after a first decoding.
    dynamic_shared: u64,
    dynamic_align: u64,
    local_bytes: u64,
    fixups: Vec<Fixup>,
    guard: (u32, u32),
    origin: Origin,
    /// Registers the instruction being decoded reads and writes.
    uses: Note,
}

/// Decodes the function with index `entry` of the module and all it calls, and marks them as reached.
pub(crate) fn decode<'a>(
    module: &ModuleAst<'a>,
    layout: &Layout<'a>,
    entry: usize,
    reached: &mut [bool],
) -> Result<Code, Vec<(u32, ParseErrorKind)>> {
    let mut first = Builder::new(module, layout, 0);
    first.run(entry);
    first
        .functions
        .iter()
        .for_each(|function| reached[function.index] = true);
    // Dynamic shared memory begins behind the static variables, which only decoding finds.
    let dynamic = align_up(first.shared_bytes, first.dynamic_align);
    if first.errors.is_empty() && dynamic != 0 && first.dynamic_align > 0 {
        let mut second = Builder::new(module, layout, dynamic);
        second.run(entry);
        second.shared_bytes = dynamic;
        return second.finish();
    }
    first.finish()
}

impl<'a, 'm> Builder<'a, 'm> {
    fn new(
        module: &'m ModuleAst<'a>,
        layout: &'m Layout<'a>,
        dynamic_shared: u64,
    ) -> Builder<'a, 'm> {
        // Slots below these are fixed: see `isa`.
        let code = Code {
            predicates: 3,
            words: 1,
            doubles: 1,
            ..Code::default()
        };
        Builder {
            module,
            layout,
            written_for: WrittenFor::read(module.version, module.target),
            code,
            errors: Vec::new(),
            functions: Vec::new(),
            by_index: FxHashMap::default(),
            current: 0,
            registers: FxHashMap::default(),
            opcodes: FxHashMap::default(),
            words: FxHashMap::default(),
            doubles: FxHashMap::default(),
            specials: FxHashMap::default(),
            places: FxHashMap::default(),
            shared: FxHashMap::default(),
            shared_bytes: 0,
            dynamic_shared,
            dynamic_align: 0,
            local_bytes: 0,
            fixups: Vec::new(),
            guard: (ALWAYS, 0),
            origin: Origin {
                line: 0,
                location: None,
            },
            uses: Note::default(),
        }
    }

    fn run(&mut self, entry: usize) {
        self.function_state(entry, 0);
        let mut next = 0;
        // Decoding a call adds its callee to the list.
        while next < self.functions.len() {
            self.current = next;
            self.function_body();
            next += 1;
        }
        for fixup in core::mem::take(&mut self.fixups) {
            self.apply(&fixup);
        }
    }

    fn finish(mut self) -> Result<Code, Vec<(u32, ParseErrorKind)>> {
        let spaces = [
            ("shared", self.shared_bytes, LARGEST_SHARED),
            ("local", self.local_bytes, LARGEST_LOCAL),
        ];
        for (what, bytes, most) in spaces {
            if bytes > most {
                let text = format!("{bytes} bytes of {what} memory are more than {most}");
                self.errors
                    .push((self.tree(0).line, ParseErrorKind::Operand(text)));
            }
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        strengthen_seeds(&mut self.code);
        overlap::annotate(&mut self.code);
        self.code.order = Blocks::of(&self.code.insts).order();
        self.code.local_bytes = align_up(self.local_bytes, 16) as u32;
        self.code.static_shared = self.shared_bytes as u32;
        Ok(self.code)
    }

    /// The decoding state of a function of the module in a frame, made when it is first called there.
    fn function_state(&mut self, index: usize, frame: u32) -> usize {
        if let Some(&known) = self.by_index.get(&(index, frame)) {
            return known;
        }
        let link = self.new_slot(Bank::Word);
        self.functions.push(FunctionState {
            index,
            frame,
            entry: None,
            starts: Vec::new(),
            link,
        });
        let state = self.functions.len() - 1;
        self.by_index.insert((index, frame), state);
        state
    }

    /// The frame in which the function at hand calls another one; the number of frames there are where all are taken.
    fn frame_of(&self, callee: usize) -> Result<u32, u32> {
        let current = &self.functions[self.current];
        let recursion = |index: usize| self.layout.recursion.get(index).copied().flatten();
        let Some((of_callee, own)) = recursion(callee).zip(recursion(current.index)) else {
            return Ok(0);
        };
        let frame = match of_callee.group == own.group {
            true => current.frame + 1,
            false => 0,
        };
        match frame < of_callee.frames {
            true => Ok(frame),
            false => Err(of_callee.frames),
        }
    }

    fn tree(&self, state: usize) -> &'m Function<'a> {
        &self.module.functions[self.functions[state].index]
    }

    fn function(&self) -> &'m Function<'a> {
        self.tree(self.current)
    }

    fn function_body(&mut self) {
        let function = self.function();
        self.functions[self.current].entry = Some(self.code.insts.len() as u32);
        // Kernel code may take the address of any shared variable declared in it, used or not.
        let mut declared: Vec<_> = function.variables.iter().collect();
        declared.sort_by_key(|(_, variable)| variable.line);
        for (&(scope, name), variable) in declared {
            if variable.space == Space::Shared
                && let Err(kind) = self.variable_place(scope, name, variable)
            {
                self.errors.push((variable.line, kind));
            }
        }
        for inst in &function.instructions {
            let start = self.code.insts.len() as u32;
            self.functions[self.current].starts.push(start);
            self.origin = Origin {
                line: inst.line,
                location: inst.location,
            };
            if let Err(kind) = self.guarded(inst) {
                self.errors.push((inst.line, kind));
            }
        }
        let end = self.code.insts.len() as u32;
        self.functions[self.current].starts.push(end);
        self.guard = (ALWAYS, 0);
        // Control that runs off the end leaves the function.
        let link = self.functions[self.current].link;
        self.emit(
            if function.is_entry {
                Op::Exit
            } else {
                Op::Return { link }
            },
            Class::Control,
        );
    }

    fn guarded(&mut self, inst: &Instruction<'a>) -> Decode<()> {
        self.guard = (ALWAYS, 0);
        if let Some(guard) = inst.guard {
            let slot = self.register_in(inst.scope, guard.register, Bank::Predicate)?;
            self.guard = (slot, if guard.negated { u32::MAX } else { 0 });
        }
        // The guard is known from the instruction itself.
        self.uses = Note::default();
        let start = self.code.notes.len();
        self.instruction(inst)?;
        self.note(inst, start);
        Ok(())
    }

    /// Fills in the notes of what one PTX instruction was decoded to.
    fn note(&mut self, inst: &Instruction<'a>, start: usize) {
        if let Some(opcode) = self.code.opcodes.get_mut(start) {
            let names = &mut self.code.opcode_names;
            *opcode = *self.opcodes.entry(inst.opcode).or_insert_with(|| {
                names.push(inst.opcode.to_owned());
                names.len() as u32 - 1
            });
        }
        let uses = core::mem::take(&mut self.uses);
        let copies = inst.opcode.starts_with("mov.") || inst.opcode.starts_with("selp.");
        let order = Order::of_opcode(inst.opcode);
        for note in &mut self.code.notes[start..] {
            (note.copies, note.order) = (copies, order);
        }
        // A move decoded to several instructions is one copy all the same, made by the last.
        let reader = if copies {
            self.code.notes.last_mut()
        } else {
            self.code.notes.get_mut(start)
        };
        if let Some(note) = reader {
            (note.reads, note.takes) = (uses.reads, uses.takes);
            if let Some(Op::Warp { op, .. }) = self.code.insts.get(start).map(|inst| &inst.op)
                && let WarpOp::Shuffle { source, .. } = **op
            {
                note.shuffles = true;
                note.reads.retain(|read| *read == (Bank::Word, source));
            }
        }
        if let Some(note) = self.code.notes[start..].last_mut() {
            note.writes = uses.writes;
        }
    }

    fn instruction(&mut self, inst: &Instruction<'a>) -> Decode<()> {
        let (name, rest) = inst.opcode.split_once('.').unwrap_or((inst.opcode, ""));
        let mods: Vec<&'a str> = if rest.is_empty() {
            Vec::new()
        } else {
            rest.split('.').collect()
        };
        let done = supported::has_opcode(name) && self.form(name, &mods, inst)?;
        if !done {
            return Err(ParseErrorKind::Unsupported(inst.opcode.into()));
        }
        let operands = self.operands_of(inst);
        let lack = self.written_for.lacks(name, rest, &operands);
        lack.map_or(Ok(()), |lack| Err(ParseErrorKind::Newer(lack)))
    }

    fn operands_of(&mut self, inst: &Instruction<'a>) -> Operands {
        let names = inst.operands.iter().filter_map(|operand| match operand {
            Operand::Name(name) | Operand::Not(name) => Some(*name),
            _ => None,
        });
        let of_cluster = |name: &str| {
            let rest = name.strip_prefix('%').unwrap_or_default();
            let rest = rest.strip_prefix("is_explicit_").unwrap_or(rest);
            rest.strip_prefix('n')
                .unwrap_or(rest)
                .starts_with("cluster")
        };
        let last = names.clone().next_back();
        let last = last.and_then(|name| self.register(inst.scope, name));
        Operands {
            count: inst.operands.len(),
            last_is_predicate: last.is_some_and(|(ty, _)| ty == Type::Pred),
            of_cluster: names.clone().any(of_cluster),
        }
    }

    fn form(&mut self, name: &str, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        Ok(self.arithmetic(name, mods, inst)?
            || self.data(name, mods, inst)?
            || self.control(name, mods, inst)?
            || self.asynchronous(name, mods, inst)?
            || self.tensor(name, mods, inst)?
            || self.wmma(name, mods, inst)?
            || self.video(name, mods, inst)?)
    }

    fn emit(&mut self, op: Op, class: Class) -> u32 {
        let at = self.code.insts.len() as u32;
        let (guard, flip) = self.guard;
        self.code.insts.push(Inst {
            op,
            guard,
            flip,
            class,
        });
        self.code.origins.push(self.origin);
        self.code.notes.push(Note::default());
        self.code.opcodes.push(NO_OPCODE);
        at
    }

    fn apply(&mut self, fixup: &Fixup) {
        let of_label = |functions: &[FunctionState], function: usize, tree_index: u32| {
            functions[function]
                .starts
                .get(tree_index as usize)
                .copied()
                .unwrap_or(0)
        };
        match *fixup {
            Fixup::Label {
                at,
                function,
                tree_index,
            } => {
                let to = of_label(&self.functions, function, tree_index);
                if let Op::Branch { target } = &mut self.code.insts[at as usize].op {
                    *target = to;
                }
            }
            Fixup::Table {
                at,
                entry,
                function,
                tree_index,
            } => {
                let to = of_label(&self.functions, function, tree_index);
                if let Op::BranchTable { table, .. } = &mut self.code.insts[at as usize].op {
                    table[entry] = to;
                }
            }
            Fixup::Entry { at, function } => {
                let to = self.functions[function].entry.unwrap_or(0);
                if let Op::Call { target, .. } = &mut self.code.insts[at as usize].op {
                    *target = to;
                }
            }
        }
    }

    /// Storage of a parameter or variable visible in the current function, or of the module.
    fn place(&mut self, scope: u32, name: &'a str) -> Decode<Option<Place>> {
        let function = self.function();
        if let Some((found, variable)) = function.resolve(&function.variables, scope, name) {
            return self.variable_place(found, name, variable).map(Some);
        }
        if let Some(place) = self.parameter_place(self.current, name) {
            return Ok(Some(place));
        }
        if let Some(&(space, address)) = self.layout.fixed.get(name) {
            return Ok(Some(Place { space, address }));
        }
        let shared = self
            .module
            .variables
            .iter()
            .find(|v| v.space == Space::Shared && v.name == name);
        shared
            .map(|variable| self.shared_place(name, variable))
            .transpose()
    }

    fn variable_place(
        &mut self,
        scope: u32,
        name: &'a str,
        variable: &Variable<'a>,
    ) -> Decode<Place> {
        let key = (self.current, scope, name);
        if let Some(&known) = self.places.get(&key) {
            return Ok(known);
        }
        let place = match variable.space {
            Space::Shared if variable.external => self.shared_place(name, variable)?,
            Space::Shared => {
                let address = align_up(self.shared_bytes, u64::from(variable.align));
                self.shared_bytes = address + variable.bytes;
                self.name_shared(name, address, variable.bytes);
                Place {
                    space: Space::Shared,
                    address,
                }
            }
            // Parameter variables of calls live in the thread's local memory.
            Space::Local | Space::Param => self.local_place(variable),
            _ => {
                let text =
                    format!("`{name}`: variables of this state space belong at module level");
                return Err(ParseErrorKind::Operand(text));
            }
        };
        self.places.insert(key, place);
        Ok(place)
    }

    fn local_place(&mut self, variable: &Variable<'a>) -> Place {
        let address = align_up(self.local_bytes, u64::from(variable.align));
        self.local_bytes = address + variable.bytes;
        Place {
            space: Space::Local,
            address,
        }
    }

    /// Shared memory that is the system's: begin, end, capacity and where parts of it begin. Kernels that ask have some.
    fn reserved_shared(&mut self, what: &str) -> Decode<u64> {
        let begin = match self.shared.get(RESERVED) {
            Some(&begin) => begin,
            None => {
                let begin = align_up(self.shared_bytes, 16);
                self.shared_bytes = begin + RESERVED_BYTES;
                self.shared.insert(RESERVED, begin);
                self.name_shared(RESERVED, begin, RESERVED_BYTES);
                begin
            }
        };
        match what {
            "begin" | "0" | "1" => Ok(begin),
            "end" => Ok(begin + RESERVED_BYTES),
            "cap" => Ok(RESERVED_BYTES),
            _ => Err(ParseErrorKind::Name(format!(
                "`%reserved_smem_offset_{what}` is not a special register"
            ))),
        }
    }

    fn shared_place(&mut self, name: &'a str, variable: &Variable<'a>) -> Decode<Place> {
        if variable.external || variable.bytes == 0 {
            self.dynamic_align = self.dynamic_align.max(u64::from(variable.align)).max(16);
            self.name_shared(name, self.dynamic_shared, 0);
            return Ok(Place {
                space: Space::Shared,
                address: self.dynamic_shared,
            });
        }
        if let Some(&address) = self.shared.get(name) {
            return Ok(Place {
                space: Space::Shared,
                address,
            });
        }
        let address = align_up(self.shared_bytes, u64::from(variable.align));
        self.shared_bytes = address + variable.bytes;
        self.shared.insert(name, address);
        self.name_shared(name, address, variable.bytes);
        Ok(Place {
            space: Space::Shared,
            address,
        })
    }

    fn name_shared(&mut self, name: &str, address: u64, bytes: u64) {
        let variable = SharedVariable {
            name: name.to_owned(),
            address,
            bytes,
        };
        if !self.code.shared_variables.contains(&variable) {
            self.code.shared_variables.push(variable);
        }
    }

    /// A formal parameter or result of a function: the parameter block of an entry, local memory otherwise.
    fn parameter_place(&mut self, state: usize, name: &str) -> Option<Place> {
        let function = self.tree(state);
        if function.is_entry {
            let offsets = parameter_offsets(function);
            let at = function
                .params
                .iter()
                .position(|formal| formal.variable.name == name)?;
            return Some(Place {
                space: Space::Param,
                address: offsets[at],
            });
        }
        let formal = function
            .params
            .iter()
            .chain(&function.results)
            .find(|f| f.variable.name == name)?;
        if formal.in_register {
            return None;
        }
        // Formals have the function's own scope number, which no variable uses.
        let key = (state, u32::MAX, formal.variable.name);
        if let Some(&known) = self.places.get(&key) {
            return Some(known);
        }
        let place = self.local_place(&formal.variable);
        self.places.insert(key, place);
        Some(place)
    }
}

/// A plain load of the word that a compare-and-swap then updates is how compilers begin its loop; a torn or stale
/// value only costs another round. Such loads count as atomic, in the scope of the swap.
fn strengthen_seeds(code: &mut Code) {
    let swaps: Vec<(Address, Order)> = code
        .insts
        .iter()
        .zip(&code.notes)
        .filter_map(|(inst, note)| match &inst.op {
            Op::Atomic(atomic) if atomic.swap.is_some() => Some((atomic.address, note.order)),
            _ => None,
        })
        .collect();
    for (inst, note) in code.insts.iter().zip(&mut code.notes) {
        if let Op::Load(access) = &inst.op
            && let Some((_, order)) = swaps.iter().find(|(address, _)| *address == access.address)
            && !note.order.strong
        {
            (note.order.strong, note.order.scope) = (true, order.scope);
        }
    }
}

/// Offset of each parameter of an entry in its parameter block, and the size of the block at the end.
pub(crate) fn parameter_offsets(function: &Function<'_>) -> Vec<u64> {
    let mut at = 0;
    let mut offsets = Vec::with_capacity(function.params.len() + 1);
    for formal in &function.params {
        at = align_up(at, u64::from(formal.variable.align));
        offsets.push(at);
        at += formal.variable.bytes;
    }
    offsets.push(at);
    offsets
}

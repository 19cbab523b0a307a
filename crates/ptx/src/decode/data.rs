//! Moves, address conversions, loads, stores, copies and atomics.

use super::operands::{Usage, Width, operand_error};
use super::{Builder, Decode};
use crate::ast::{Instruction, Operand};
use crate::exec::logic;
use crate::isa::{ALWAYS, Access, Atomic, AtomicOp, Class, Op, SINK, WideAtomic};
use crate::regs::Slot;
use crate::types::{
    Bank, CONST_WINDOW, LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, Space, Type, WINDOW_BYTES,
};
use smallvec::SmallVec;

/// Modifiers of loads, stores and atomics that change nothing here: caching, ordering, scope.
pub(super) fn is_hint(text: &str) -> bool {
    matches!(
        text,
        "weak"
            | "relaxed"
            | "acquire"
            | "release"
            | "acq_rel"
            | "sc"
            | "volatile"
            | "mmio"
            | "nc"
            | "ca"
            | "cg"
            | "cs"
            | "lu"
            | "cv"
            | "wb"
            | "wt"
            | "cta"
            | "cluster"
            | "gpu"
            | "sys"
            | "gl"
            | "noftz"
    ) || text.starts_with("L1::")
        || text.starts_with("L2::")
}

/// The modifiers of a memory instruction.
struct MemoryMods<'a> {
    space: Space,
    lanes: usize,
    ty: Option<Type>,
    others: Vec<&'a str>,
}

fn memory_mods<'a>(mods: &[&'a str]) -> MemoryMods<'a> {
    let mut sorted = MemoryMods {
        space: Space::Generic,
        lanes: 1,
        ty: None,
        others: Vec::new(),
    };
    for &text in mods {
        match text {
            "v2" => sorted.lanes = 2,
            "v4" => sorted.lanes = 4,
            "v8" => sorted.lanes = 8,
            _ if is_hint(text) => {}
            _ => {
                if let Some(space) = Space::parse(text) {
                    sorted.space = space;
                } else if let Some(ty) = Type::parse(text) {
                    sorted.ty = Some(ty);
                } else {
                    sorted.others.push(text);
                }
            }
        }
    }
    sorted
}

/// The operation of an atomic of these names and this type; some have only the form that returns the old value.
fn atomic_op(text: &str, ty: Type, returns: bool) -> Option<AtomicOp> {
    Some(match text {
        "add" => AtomicOp::Add,
        "min" => AtomicOp::Min,
        "max" => AtomicOp::Max,
        "inc" if ty == Type::U32 => AtomicOp::Inc,
        "dec" if ty == Type::U32 => AtomicOp::Dec,
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "exch" if returns => AtomicOp::Exchange,
        "cas" if returns => AtomicOp::CompareExchange,
        _ => return None,
    })
}

impl<'a> Builder<'a, '_> {
    /// Decodes one of this file's instructions; `false` if `name` is none or has an unknown form.
    pub(super) fn data(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        match name {
            "mov" => self.mov(mods, inst),
            "cvta" => self.cvta(mods, inst),
            "isspacep" => self.isspacep(mods, inst),
            "ld" | "ldu" => self.load(mods, inst),
            "st" => self.store(mods, inst),
            "atom" | "red" => self.atomic(name == "atom", mods, inst),
            "prefetch" | "prefetchu" | "discard" | "applypriority" => {
                self.emit(Op::Nothing, Class::Other);
                Ok(true)
            }
            // A cache policy is a number nobody looks into.
            "createpolicy" => {
                let (d, a) = (self.dest(inst, 0, Type::B64)?, self.double(0));
                self.emit_alu(logic::mov(Bank::Double), [d, a, SINK, SINK], 0, Class::Move);
                Ok(true)
            }
            "mapa" => self.map_address(mods, inst),
            "getctarank" => {
                let (d, a) = (self.dest(inst, 0, Type::U32)?, self.word(0));
                self.emit_alu(logic::mov(Bank::Word), [d, a, SINK, SINK], 0, Class::Move);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn mov(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let &[ty] = mods else { return Ok(false) };
        if ty == "b128" {
            return self.mov_wide(inst);
        }
        let Some(ty) = Type::parse(ty).filter(|ty| ty.bank().is_some()) else {
            return Ok(false);
        };
        let (dest, source) = (Self::operand(inst, 0)?, Self::operand(inst, 1)?);
        match (dest, source) {
            (Operand::Vector(parts), _) => self.unpack(ty, parts, inst),
            (_, Operand::Vector(parts)) => self.pack(ty, parts, inst),
            (
                _,
                Operand::Name(
                    name @ ("%clock" | "%clock_hi" | "%clock64" | "%globaltimer"
                    | "%globaltimer_lo" | "%globaltimer_hi"),
                ),
            ) => self.read_clock(name, ty, inst),
            _ if ty == Type::Pred => {
                let (a, negated) = self.predicate(inst, 1)?;
                let d = self.dest(inst, 0, ty)?;
                self.emit_alu(
                    logic::mov(Bank::Predicate),
                    [d, a, ALWAYS, ALWAYS],
                    u32::from(negated),
                    Class::Predicate,
                );
                Ok(true)
            }
            _ => {
                let a = self.source(inst, 1, ty)?;
                let d = self.dest(inst, 0, ty)?;
                self.emit_alu(
                    logic::mov(Self::bank_of(ty)),
                    [d, a, SINK, SINK],
                    0,
                    Class::Move,
                );
                Ok(true)
            }
        }
    }

    /// `mov` from a register that counts time: a clock of the multiprocessor or the global timer.
    fn read_clock(&mut self, name: &str, ty: Type, inst: &Instruction<'a>) -> Decode<bool> {
        let wide = ty.bank() == Some(Bank::Double);
        if name.ends_with("_hi") && !wide {
            // No simulated clock gets beyond its low word.
            let (d, a) = (self.dest(inst, 0, ty)?, self.word(0));
            self.emit_alu(logic::mov(Bank::Word), [d, a, SINK, SINK], 0, Class::Move);
            return Ok(true);
        }
        if wide == name.contains("64") || name.ends_with("timer") {
            let d = self.dest(inst, 0, ty)?;
            self.emit(
                Op::Clock {
                    dest: Self::slot_of(d, ty),
                },
                Class::Other,
            );
            return Ok(true);
        }
        operand_error(format!("`{name}` does not fit `{}`", inst.opcode))
    }

    /// `mov.b128` between 16-byte registers and pairs of halves.
    fn mov_wide(&mut self, inst: &Instruction<'a>) -> Decode<bool> {
        let from = self.wide_halves(inst, 1, Usage::Read)?;
        let to = self.wide_halves(inst, 0, Usage::Write)?;
        for (to, from) in to.into_iter().zip(from) {
            if let (Some(d), Some(a)) = (to, from) {
                self.emit_alu(logic::mov(Bank::Double), [d, a, SINK, SINK], 0, Class::Move);
            }
        }
        Ok(true)
    }

    /// The double slots of a 16-byte register or of two 64-bit ones, low first; `_` has none.
    fn wide_halves(
        &mut self,
        inst: &Instruction<'a>,
        index: usize,
        usage: Usage,
    ) -> Decode<[Option<u32>; 2]> {
        let Operand::Vector(parts) = Self::operand(inst, index)? else {
            let slots = self.wide_register(inst.scope, Self::operand(inst, index)?, usage)?;
            return Ok(slots.map(Some));
        };
        let [low, high] = parts.as_slice() else {
            return operand_error("16 bytes are packed from two registers");
        };
        let mut halves = [None; 2];
        for (half, operand) in halves.iter_mut().zip([low, high]) {
            *half = match (operand, usage) {
                (Operand::Name("_"), _) => None,
                (_, Usage::Read) => Some(
                    self.source_operand(inst.scope, operand, Type::B64, Width::Exact)?
                        .0,
                ),
                (_, Usage::Write) => Some(
                    self.dest_operand(inst.scope, operand, Type::B64, Width::Exact)?
                        .0,
                ),
            };
        }
        Ok(halves)
    }

    fn bank_of(ty: Type) -> Bank {
        ty.bank().unwrap_or(Bank::Word)
    }

    /// The element type of a `mov` between a register and `count` parts of it.
    fn part_type(ty: Type, count: usize) -> Option<Type> {
        Some(match (ty.bytes(), count) {
            (8, 2) => Type::B32,
            (8, 4) | (4, 2) => Type::B16,
            (4, 4) | (2, 2) => Type::B8,
            _ => return None,
        })
    }

    /// `mov.b64 d, {a, b}`.
    fn pack(&mut self, ty: Type, parts: &[Operand<'a>], inst: &Instruction<'a>) -> Decode<bool> {
        let Some(part) = Self::part_type(ty, parts.len()) else {
            return Ok(false);
        };
        let mut sources = SmallVec::<[u32; 4]>::new();
        for operand in parts {
            sources.push(
                self.source_operand(inst.scope, operand, part, Width::Exact)?
                    .0,
            );
        }
        let d = self.dest(inst, 0, ty)?;
        match (part, sources.as_slice()) {
            (Type::B32, &[a, b]) => {
                self.emit_alu(logic::pack_double(), [d, a, b, SINK], 0, Class::Move)
            }
            (Type::B16, &[a, b]) => {
                self.emit_alu(logic::pack_word(), [d, a, b, SINK], 0, Class::Move)
            }
            (Type::B16, _) => {
                for (at, &a) in sources.iter().enumerate() {
                    self.emit_alu(
                        logic::insert_half(),
                        [d, a, SINK, SINK],
                        16 * at as u32,
                        Class::Move,
                    );
                }
            }
            _ => {
                for (at, &a) in sources.iter().enumerate() {
                    self.emit_alu(
                        logic::insert_byte(),
                        [d, a, SINK, SINK],
                        8 * at as u32,
                        Class::Move,
                    );
                }
            }
        }
        Ok(true)
    }

    /// `mov.b64 {a, b}, s`.
    fn unpack(&mut self, ty: Type, parts: &[Operand<'a>], inst: &Instruction<'a>) -> Decode<bool> {
        let Some(part) = Self::part_type(ty, parts.len()) else {
            return Ok(false);
        };
        let mut source = self.source(inst, 1, ty)?;
        if ty.bank() == Some(Bank::Word) {
            // A part may be the source itself (`mov.b32 {%r1, …}` through reused names), so read a copy.
            let copy = self.new_slot(Bank::Word);
            self.emit_alu(
                logic::mov(Bank::Word),
                [copy, source, SINK, SINK],
                0,
                Class::Move,
            );
            source = copy;
        }
        for (at, operand) in parts.iter().enumerate() {
            if *operand == Operand::Name("_") {
                continue;
            }
            let (d, _) = self.dest_operand(inst.scope, operand, part, Width::Exact)?;
            let (run, flags) = match (ty.bytes(), part) {
                (8, Type::B32) => (logic::unpack_double(), 32 * at as u32),
                (8, _) => (logic::unpack_double_half(), 16 * at as u32),
                (_, Type::B16) => (logic::unpack_word(), (16 << 16) | (16 * at as u32)),
                _ => (logic::unpack_word(), (8 << 16) | (8 * at as u32)),
            };
            self.emit_alu(run, [d, source, SINK, SINK], flags, Class::Move);
        }
        Ok(true)
    }

    fn cvta(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let (to, rest) = match mods {
            ["to", rest @ ..] => (true, rest),
            _ => (false, mods),
        };
        let [space, "u64"] = rest else {
            return Ok(false);
        };
        let window = match *space {
            "global" => 0,
            "shared" | "shared::cta" | "shared::cluster" => SHARED_WINDOW,
            "local" => LOCAL_WINDOW,
            "const" => CONST_WINDOW,
            "param" | "param::entry" if self.function().is_entry => PARAM_WINDOW,
            // The parameters of a function live in its local memory.
            "param" | "param::func" => LOCAL_WINDOW,
            _ => return Ok(false),
        };
        let a = self.source(inst, 1, Type::U64)?;
        let d = self.dest(inst, 0, Type::U64)?;
        if window == 0 {
            self.emit_alu(logic::mov(Bank::Double), [d, a, SINK, SINK], 0, Class::Move);
        } else {
            let window = self.double(window);
            self.emit_alu(logic::cvta(to), [d, a, window, SINK], 0, Class::Move);
        }
        Ok(true)
    }

    /// `mapa`: the address in another block of the cluster; the only block is this one.
    fn map_address(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let ty = match mods {
            ["shared::cluster", ty] | [ty] => Type::parse(ty),
            _ => None,
        };
        let Some(ty) = ty.filter(|ty| matches!(ty, Type::U32 | Type::U64)) else {
            return Ok(false);
        };
        let (a, d) = (self.source(inst, 1, ty)?, self.dest(inst, 0, ty)?);
        self.emit_alu(
            logic::mov(Self::bank_of(ty)),
            [d, a, SINK, SINK],
            0,
            Class::Move,
        );
        Ok(true)
    }

    /// `atom.cas.b128` and `atom.exch.b128`.
    fn wide_atomic(&mut self, op: AtomicOp, space: Space, inst: &Instruction<'a>) -> Decode<bool> {
        let dest = self.wide_register(inst.scope, Self::operand(inst, 0)?, Usage::Write)?;
        let (space, address) = self.address(inst, 1, space)?;
        let source = self.wide_register(inst.scope, Self::operand(inst, 2)?, Usage::Read)?;
        let swap = match op {
            AtomicOp::CompareExchange => {
                Some(self.wide_register(inst.scope, Self::operand(inst, 3)?, Usage::Read)?)
            }
            _ => None,
        };
        let atomic = WideAtomic {
            space,
            address,
            dest,
            source,
            swap,
        };
        self.emit(Op::WideAtomic(Box::new(atomic)), Class::Atomic);
        Ok(true)
    }

    fn isspacep(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let &[space] = mods else { return Ok(false) };
        let (base, size, outside) = match space {
            "shared" | "shared::cta" | "shared::cluster" => (SHARED_WINDOW, WINDOW_BYTES, 0),
            "local" => (LOCAL_WINDOW, WINDOW_BYTES, 0),
            "const" => (CONST_WINDOW, WINDOW_BYTES, 0),
            "param" | "param::entry" => (PARAM_WINDOW, WINDOW_BYTES, 0),
            // Global memory is what the four windows, which lie together, leave over.
            "global" => (
                SHARED_WINDOW,
                CONST_WINDOW + WINDOW_BYTES - SHARED_WINDOW,
                1,
            ),
            _ => return Ok(false),
        };
        let a = self.source(inst, 1, Type::U64)?;
        let d = self.dest(inst, 0, Type::Pred)?;
        let (base, size) = (self.double(base), self.double(size));
        self.emit_alu(
            logic::isspacep(),
            [d, a, base, size],
            outside,
            Class::Predicate,
        );
        Ok(true)
    }

    /// The registers of a memory operand: one, or a vector of them.
    fn element_operands<'i>(
        inst: &'i Instruction<'a>,
        index: usize,
        lanes: usize,
    ) -> Decode<&'i [Operand<'a>]> {
        let operand = Self::operand(inst, index)?;
        let elements = match operand {
            Operand::Vector(elements) => elements.as_slice(),
            one => core::slice::from_ref(one),
        };
        if elements.len() != lanes {
            return operand_error(format!(
                "`{}` moves {lanes} elements, not {}",
                inst.opcode,
                elements.len()
            ));
        }
        Ok(elements)
    }

    fn element_sources(
        &mut self,
        inst: &Instruction<'a>,
        index: usize,
        lanes: usize,
        ty: Type,
    ) -> Decode<SmallVec<[Slot; 4]>> {
        let mut slots = SmallVec::new();
        for operand in Self::element_operands(inst, index, lanes)? {
            let (slot, register) = self.source_operand(inst.scope, operand, ty, Width::OrWider)?;
            slots.push(Self::slot_of(slot, register));
        }
        Ok(slots)
    }

    fn load(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let mods = memory_mods(mods);
        if mods.ty == Some(Type::B128) && mods.others.is_empty() && mods.lanes == 1 {
            let slots = self.wide_register(inst.scope, Self::operand(inst, 0)?, Usage::Write)?;
            let (space, address) = self.address(inst, 1, mods.space)?;
            let slots = slots.map(Slot::Double).into_iter().collect();
            self.emit(
                Op::Load(Box::new(Access {
                    space,
                    ty: Type::B64,
                    address,
                    slots,
                })),
                Class::Load,
            );
            return Ok(true);
        }
        let Some(ty) = mods
            .ty
            .filter(|ty| mods.others.is_empty() && ty.bank().is_some() && *ty != Type::Pred)
        else {
            return Ok(false);
        };
        let (space, address) = self.address(inst, 1, mods.space)?;
        let mut slots = SmallVec::new();
        for operand in Self::element_operands(inst, 0, mods.lanes)? {
            let (slot, register) = self.dest_operand(inst.scope, operand, ty, Width::OrWider)?;
            slots.push(Self::slot_of(slot, register));
        }
        self.emit(
            Op::Load(Box::new(Access {
                space,
                ty,
                address,
                slots,
            })),
            Class::Load,
        );
        Ok(true)
    }

    fn store(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        // `st.async` and `st.bulk` are other instructions.
        let mods = memory_mods(mods);
        if mods.ty == Some(Type::B128) && mods.others.is_empty() && mods.lanes == 1 {
            let slots = self.wide_register(inst.scope, Self::operand(inst, 1)?, Usage::Read)?;
            let (space, address) = self.address(inst, 0, mods.space)?;
            let slots = slots.map(Slot::Double).into_iter().collect();
            self.emit(
                Op::Store(Box::new(Access {
                    space,
                    ty: Type::B64,
                    address,
                    slots,
                })),
                Class::Store,
            );
            return Ok(true);
        }
        let Some(ty) = mods
            .ty
            .filter(|ty| mods.others.is_empty() && ty.bank().is_some() && *ty != Type::Pred)
        else {
            return Ok(false);
        };
        let slots = self.element_sources(inst, 1, mods.lanes, ty)?;
        let (space, address) = self.address(inst, 0, mods.space)?;
        self.emit(
            Op::Store(Box::new(Access {
                space,
                ty,
                address,
                slots,
            })),
            Class::Store,
        );
        Ok(true)
    }

    fn atomic(&mut self, returns: bool, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let mods = memory_mods(mods);
        let (&[op], Some(ty)) = (mods.others.as_slice(), mods.ty) else {
            return Ok(false);
        };
        let Some(op) = atomic_op(op, ty, returns) else {
            return Ok(false);
        };
        let bits = matches!(ty, Type::B16 | Type::B32 | Type::B64 | Type::B128);
        let fits = match op {
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
                bits && matches!(ty, Type::B32 | Type::B64)
            }
            AtomicOp::Exchange | AtomicOp::CompareExchange => bits,
            AtomicOp::Add | AtomicOp::Min | AtomicOp::Max => !bits && ty.bytes() >= 2,
            _ => true,
        };
        if ty == Type::B128
            && returns
            && matches!(op, AtomicOp::Exchange | AtomicOp::CompareExchange)
        {
            return self.wide_atomic(op, mods.space, inst);
        }
        if !fits || matches!(ty, Type::B128 | Type::Pred | Type::Tf32) {
            return Ok(false);
        }
        let first = usize::from(returns);
        let source = self.element_sources(inst, first + 1, mods.lanes, ty)?;
        let swap = if op == AtomicOp::CompareExchange {
            let (slot, register) =
                self.source_operand(inst.scope, Self::operand(inst, 3)?, ty, Width::OrWider)?;
            Some(Self::slot_of(slot, register))
        } else {
            None
        };
        let (space, address) = self.address(inst, first, mods.space)?;
        let mut dest = SmallVec::new();
        if returns {
            for operand in Self::element_operands(inst, 0, mods.lanes)? {
                let (slot, register) =
                    self.dest_operand(inst.scope, operand, ty, Width::OrWider)?;
                dest.push(Self::slot_of(slot, register));
            }
        }
        self.emit(
            Op::Atomic(Box::new(Atomic {
                op,
                space,
                ty,
                address,
                dest,
                source,
                swap,
            })),
            Class::Atomic,
        );
        Ok(true)
    }
}

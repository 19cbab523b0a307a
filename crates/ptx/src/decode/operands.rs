//! Operands to slots: registers, immediates, special registers, symbol addresses.

use super::{Builder, Decode};
use crate::ast::{Instruction, Operand};
use crate::isa::{Address, Base, SINK, SINK_PREDICATE, Special};
use crate::parse::ParseErrorKind;
use crate::regs::Slot;
use crate::types::{Bank, Space, Type};

/// Whether a register may be wider than the instruction's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Exact,
    /// Loads, stores and conversions allow wider registers.
    OrWider,
}

/// Whether a register is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usage {
    Read,
    Write,
}

pub(super) fn operand_error<T>(text: impl Into<String>) -> Decode<T> {
    Err(ParseErrorKind::Operand(text.into()))
}

impl<'a> Builder<'a, '_> {
    /// A fresh slot of a bank.
    pub(super) fn new_slot(&mut self, bank: Bank) -> u32 {
        let counter = match bank {
            Bank::Predicate => &mut self.code.predicates,
            Bank::Word => &mut self.code.words,
            Bank::Double => &mut self.code.doubles,
        };
        *counter += 1;
        *counter - 1
    }

    /// Slot that always holds a word.
    pub(super) fn word(&mut self, value: u32) -> u32 {
        if let Some(&slot) = self.words.get(&value) {
            return slot;
        }
        let slot = self.new_slot(Bank::Word);
        self.code.word_constants.push((slot, value));
        self.words.insert(value, slot);
        slot
    }

    /// Slot that always holds a double word.
    pub(super) fn double(&mut self, value: u64) -> u32 {
        if let Some(&slot) = self.doubles.get(&value) {
            return slot;
        }
        let slot = self.new_slot(Bank::Double);
        self.code.double_constants.push((slot, value));
        self.doubles.insert(value, slot);
        slot
    }

    /// A declared register: type and slot.
    pub(super) fn register(&mut self, scope: u32, name: &'a str) -> Option<(Type, u32)> {
        self.register_of(self.current, scope, name)
    }

    pub(super) fn register_of(
        &mut self,
        state: usize,
        scope: u32,
        name: &'a str,
    ) -> Option<(Type, u32)> {
        let function = self.tree(state);
        let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, number) = name.split_at(digits);
        let mut at = Some(scope);
        while let Some(scope) = at {
            let key = (state, scope, name);
            if let Some(&known) = self.registers.get(&key) {
                return Some(known);
            }
            let exact = function
                .registers
                .get(&(scope, name))
                .filter(|decl| decl.count.is_none());
            let ranged = || {
                let decl = function.registers.get(&(scope, prefix))?;
                let number: u32 = number.parse().ok()?;
                decl.count.filter(|&count| number < count).map(|_| decl)
            };
            if let Some(decl) = exact.or_else(ranged) {
                let slot = match decl.ty.bank() {
                    Some(bank) => self.new_slot(bank),
                    // Sixteen bytes are two double slots, the low one first.
                    None => {
                        let low = self.new_slot(Bank::Double);
                        self.new_slot(Bank::Double);
                        low
                    }
                };
                self.registers.insert(key, (decl.ty, slot));
                return Some((decl.ty, slot));
            }
            at = function.scopes.get(scope as usize).copied().flatten();
        }
        let formal = function
            .params
            .iter()
            .chain(&function.results)
            .find(|f| f.variable.name == name)?;
        if !formal.in_register {
            return None;
        }
        let key = (state, 0, name);
        let slot = self.new_slot(formal.variable.ty.bank()?);
        self.registers.insert(key, (formal.variable.ty, slot));
        Some((formal.variable.ty, slot))
    }

    /// The two halves of a 16-byte register, low first.
    pub(super) fn wide_register(
        &mut self,
        scope: u32,
        operand: &Operand<'a>,
        usage: Usage,
    ) -> Decode<[u32; 2]> {
        match *operand {
            Operand::Name("_") => Ok([SINK, SINK]),
            Operand::Name(name) => match self.register(scope, name) {
                Some((Type::B128, slot)) => {
                    let halves = [slot, slot + 1].map(|slot| (Bank::Double, slot));
                    match usage {
                        Usage::Read => self.uses.reads.extend(halves),
                        Usage::Write => self.uses.writes.extend(halves),
                    }
                    Ok([slot, slot + 1])
                }
                Some((ty, _)) => operand_error(format!(
                    "`{name}` of type {ty:?} does not fit an operand of 16 bytes"
                )),
                None => Err(ParseErrorKind::Name(format!(
                    "`{name}` is not a declared register"
                ))),
            },
            _ => operand_error("an operand of 16 bytes must be a register"),
        }
    }

    /// A register that must be in a given bank.
    pub(super) fn register_in(&mut self, scope: u32, name: &'a str, bank: Bank) -> Decode<u32> {
        match self.register(scope, name) {
            Some((ty, slot)) if ty.bank() == Some(bank) => {
                self.uses.reads.push((bank, slot));
                Ok(slot)
            }
            Some((ty, _)) => operand_error(format!(
                "`{name}` is a register of type {ty:?}, which does not fit here"
            )),
            None => Err(ParseErrorKind::Name(format!(
                "`{name}` is not a declared register"
            ))),
        }
    }

    fn fits(name: &str, register: Type, wanted: Type, width: Width) -> Decode<()> {
        let (have, need) = (register.bytes().max(2), wanted.bytes().max(2));
        let fits = match (register == Type::Pred, wanted == Type::Pred) {
            (false, false) => have == need || width == Width::OrWider && have >= need,
            (a, b) => a == b,
        };
        if fits {
            return Ok(());
        }
        operand_error(format!(
            "register `{name}` of type {register:?} does not fit an operand of type {wanted:?}"
        ))
    }

    /// The `index`-th operand.
    pub(super) fn operand<'i>(inst: &'i Instruction<'a>, index: usize) -> Decode<&'i Operand<'a>> {
        match inst.operands.get(index) {
            Some(operand) => Ok(operand),
            None => operand_error(format!(
                "operand {} of `{}` is missing",
                index + 1,
                inst.opcode
            )),
        }
    }

    /// A destination register of a type; `_` is a slot nobody reads.
    pub(super) fn dest(&mut self, inst: &Instruction<'a>, index: usize, ty: Type) -> Decode<u32> {
        let operand = Self::operand(inst, index)?;
        self.dest_operand(inst.scope, operand, ty, Width::Exact)
            .map(|(slot, _)| slot)
    }

    /// A destination, with the type the register was declared with.
    pub(super) fn dest_operand(
        &mut self,
        scope: u32,
        operand: &Operand<'a>,
        ty: Type,
        width: Width,
    ) -> Decode<(u32, Type)> {
        match *operand {
            Operand::Name("_") => Ok((
                if ty == Type::Pred {
                    SINK_PREDICATE
                } else {
                    SINK
                },
                ty,
            )),
            Operand::Name(name) => match self.register(scope, name) {
                Some((register, slot)) => {
                    Self::fits(name, register, ty, width)?;
                    self.uses
                        .writes
                        .extend(register.bank().map(|bank| (bank, slot)));
                    Ok((slot, register))
                }
                None => Err(ParseErrorKind::Name(format!(
                    "`{name}` is not a declared register"
                ))),
            },
            _ => operand_error("a destination must be a register"),
        }
    }

    /// A source of a type: register, immediate or special register.
    pub(super) fn source(&mut self, inst: &Instruction<'a>, index: usize, ty: Type) -> Decode<u32> {
        let operand = Self::operand(inst, index)?;
        self.source_operand(inst.scope, operand, ty, Width::Exact)
            .map(|(slot, _)| slot)
    }

    /// A source, with the type of the register (the wanted type for immediates).
    pub(super) fn source_operand(
        &mut self,
        scope: u32,
        operand: &Operand<'a>,
        ty: Type,
        width: Width,
    ) -> Decode<(u32, Type)> {
        match *operand {
            Operand::Name(name) => {
                if let Some((register, slot)) = self.register(scope, name) {
                    Self::fits(name, register, ty, width)?;
                    self.uses
                        .reads
                        .extend(register.bank().map(|bank| (bank, slot)));
                    return Ok((slot, register));
                }
                if let Some(special) = special(name) {
                    return Ok((self.special_slot(special, ty), ty));
                }
                if name == "WARP_SZ" {
                    return Ok((self.constant(ty, 32), ty));
                }
                if let Some(offset) = name.strip_prefix("%reserved_smem_offset_") {
                    let offset = self.reserved_shared(offset)?;
                    return Ok((self.constant(ty, offset), ty));
                }
                self.symbol(scope, name, 0, ty).map(|slot| (slot, ty))
            }
            Operand::Offset(name, offset) => {
                self.symbol(scope, name, offset, ty).map(|slot| (slot, ty))
            }
            Operand::Int(value) => {
                let bits = match ty {
                    Type::F32 => u64::from((value as f32).to_bits()),
                    Type::F64 => (value as f64).to_bits(),
                    _ => value as u64,
                };
                Ok((self.constant(ty, bits), ty))
            }
            Operand::F32(bits) if ty.bytes() == 4 => Ok((self.constant(ty, u64::from(bits)), ty)),
            Operand::F64(bits) if ty == Type::F32 => Ok((
                self.constant(ty, u64::from((f64::from_bits(bits) as f32).to_bits())),
                ty,
            )),
            Operand::F64(bits) if ty.bytes() == 8 => Ok((self.constant(ty, bits), ty)),
            _ => operand_error(format!("not an operand of type {ty:?}")),
        }
    }

    pub(super) fn constant(&mut self, ty: Type, bits: u64) -> u32 {
        match ty.bank() {
            Some(Bank::Double) => self.double(bits),
            // `setp` with a literal predicate does not exist; the slot is unused.
            _ => {
                let mask = if ty.bytes() < 4 {
                    (1u32 << (8 * ty.bytes().max(1))) - 1
                } else {
                    u32::MAX
                };
                self.word(bits as u32 & mask)
            }
        }
    }

    fn special_slot(&mut self, special: Special, ty: Type) -> u32 {
        let slot = match self.specials.get(&special) {
            Some(&slot) => slot,
            None => {
                let slot = self.new_slot(Bank::Word);
                self.code.specials.push((slot, special));
                self.specials.insert(special, slot);
                slot
            }
        };
        if ty.bank() != Some(Bank::Double) {
            return slot;
        }
        let wide = self.new_slot(Bank::Double);
        let run = crate::exec::convert::select(Type::U64, Type::U32, None, 0);
        if let Some((run, flags)) = run {
            let alu = crate::isa::Alu {
                run,
                d: wide,
                e: SINK,
                a: slot,
                b: SINK,
                c: SINK,
                flags,
            };
            self.emit(crate::isa::Op::Alu(alu), crate::isa::Class::Move);
        }
        wide
    }

    /// Address of a variable as a constant.
    fn symbol(&mut self, scope: u32, name: &'a str, offset: i64, ty: Type) -> Decode<u32> {
        let Some(place) = self.place(scope, name)? else {
            if let Some(&address) = self.layout.functions.get(name).filter(|_| ty.bytes() == 8) {
                return Ok(self.constant(ty, address));
            }
            return Err(ParseErrorKind::Name(format!("`{name}` is not declared")));
        };
        if ty.is_float() || ty.bytes() < 4 {
            return operand_error(format!(
                "the address of `{name}` is not a value of type {ty:?}"
            ));
        }
        Ok(self.constant(ty, place.address.wrapping_add(offset as u64)))
    }

    /// A predicate source and whether it is negated.
    pub(super) fn predicate(
        &mut self,
        inst: &Instruction<'a>,
        index: usize,
    ) -> Decode<(u32, bool)> {
        match *Self::operand(inst, index)? {
            Operand::Name(name) => {
                Ok((self.register_in(inst.scope, name, Bank::Predicate)?, false))
            }
            Operand::Not(name) => Ok((self.register_in(inst.scope, name, Bank::Predicate)?, true)),
            // Constant predicates: `mov.pred %p1, -1` and votes over a literal.
            Operand::Int(value) => Ok((crate::isa::ALWAYS, value == 0)),
            _ => operand_error(format!("operand {} must be a predicate", index + 1)),
        }
    }

    /// `d|p` or `d`: a destination with an optional predicate.
    pub(super) fn dest_with_predicate(
        &mut self,
        inst: &Instruction<'a>,
        ty: Type,
    ) -> Decode<(u32, u32)> {
        match *Self::operand(inst, 0)? {
            Operand::Pair(first, second) => {
                let (first, _) =
                    self.dest_operand(inst.scope, &Operand::Name(first), ty, Width::Exact)?;
                let (second, _) = self.dest_operand(
                    inst.scope,
                    &Operand::Name(second),
                    Type::Pred,
                    Width::Exact,
                )?;
                Ok((first, second))
            }
            _ => Ok((self.dest(inst, 0, ty)?, SINK_PREDICATE)),
        }
    }

    /// An address operand in a space, which a symbol may refine: function parameters live in local memory.
    pub(super) fn address(
        &mut self,
        inst: &Instruction<'a>,
        index: usize,
        space: Space,
    ) -> Decode<(Space, Address)> {
        match Self::operand(inst, index)? {
            operand @ Operand::Address { .. } => self.address_of(inst.scope, operand, space),
            _ => operand_error(format!("operand {} must be an address", index + 1)),
        }
    }

    /// As [`Self::address`], of an operand that may be a part of a bracketed list.
    pub(super) fn address_of(
        &mut self,
        scope: u32,
        operand: &Operand<'a>,
        space: Space,
    ) -> Decode<(Space, Address)> {
        let (base, offset) = match *operand {
            Operand::Address { base, offset } => (base, offset),
            Operand::Name(name) => (Some(name), 0),
            Operand::Offset(name, offset) => (Some(name), offset),
            _ => return operand_error("not an address"),
        };
        let Some(name) = base else {
            return Ok((
                space,
                Address {
                    base: Base::None,
                    offset,
                },
            ));
        };
        if let Some((ty, slot)) = self.register(scope, name) {
            self.uses.reads.extend(ty.bank().map(|bank| (bank, slot)));
            let base = match ty.bytes() {
                8 => Base::Double(slot),
                4 => Base::Word(slot),
                _ => return operand_error(format!("`{name}` cannot hold an address")),
            };
            let in_function = space == Space::Param && !self.function().is_entry;
            return Ok((
                if in_function { Space::Local } else { space },
                Address { base, offset },
            ));
        }
        let Some(place) = self.place(scope, name)? else {
            return Err(ParseErrorKind::Name(format!("`{name}` is not declared")));
        };
        let fits = space == place.space || space == Space::Param && place.space == Space::Local;
        if space != Space::Generic && !fits {
            let (have, want) = (place.space.name(), space.name());
            return operand_error(format!("`{name}` lies in {have} memory, not {want}"));
        }
        let offset = (place.address as i64).wrapping_add(offset);
        Ok((
            place.space,
            Address {
                base: Base::None,
                offset,
            },
        ))
    }

    /// Slot with bank of a memory operand's register.
    pub(super) fn slot_of(slot: u32, ty: Type) -> Slot {
        if ty.bank() == Some(Bank::Double) {
            Slot::Double(slot)
        } else {
            Slot::Word(slot)
        }
    }
}

/// The special registers whose value a block's start fixes.
pub(super) fn special(name: &str) -> Option<Special> {
    let (base, axis) = match name.rsplit_once('.') {
        Some((base, "x")) => (base, 0),
        Some((base, "y")) => (base, 1),
        Some((base, "z")) => (base, 2),
        _ => (name, 3),
    };
    let vector = axis < 3;
    Some(match base {
        "%tid" if vector => Special::Tid(axis),
        "%ntid" if vector => Special::Ntid(axis),
        "%ctaid" | "%clusterid" if vector => Special::Ctaid(axis),
        "%nctaid" | "%nclusterid" if vector => Special::Nctaid(axis),
        // Every block is a cluster of its own.
        "%cluster_ctaid" if vector => Special::Zero,
        "%cluster_nctaid" if vector => Special::One,
        "%cluster_ctarank" | "%smid" | "%gridid" => Special::Zero,
        "%cluster_nctarank" | "%nsmid" => Special::One,
        "%laneid" => Special::LaneId,
        "%warpid" => Special::WarpId,
        "%nwarpid" => Special::WarpCount,
        "%lanemask_eq" => Special::LaneMaskEq,
        "%lanemask_lt" => Special::LaneMaskLt,
        "%lanemask_le" => Special::LaneMaskLe,
        "%lanemask_gt" => Special::LaneMaskGt,
        "%lanemask_ge" => Special::LaneMaskGe,
        "%dynamic_smem_size" => Special::DynamicSharedBytes,
        "%total_smem_size" => Special::TotalSharedBytes,
        _ if name
            .strip_prefix("%envreg")
            .is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n < 32)) =>
        {
            Special::Zero
        }
        _ => return None,
    })
}

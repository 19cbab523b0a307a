//! Branches, calls, exits, barriers and operations across a warp.

use super::operands::{Width, operand_error};
use super::{Builder, Decode, Fixup, function_address};
use crate::ast::{Instruction, Operand};
use crate::exec::{logic, predicate};
use crate::isa::{
    ALWAYS, Access, Address, Alu, AtomicOp, Barrier, BarrierKind, Base, Builtin, BuiltinKind,
    Class, Op, SINK, SINK_PREDICATE, ShuffleMode, WarpOp,
};
use crate::parse::ParseErrorKind;
use crate::regs::Slot;
use crate::types::{Bank, Space, Type};

impl<'a> Builder<'a, '_> {
    /// Decodes one of this file's instructions; `false` if `name` is none or has an unknown form.
    pub(super) fn control(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        match (name, mods) {
            ("bra", [] | ["uni"]) => self.branch(inst),
            ("brx", ["idx"] | ["idx", "uni"]) => self.branch_table(inst),
            ("call", [] | ["uni"]) => self.call(inst),
            ("ret", [] | ["uni"]) => {
                let link = self.functions[self.current].link;
                let op = if self.function().is_entry {
                    Op::Exit
                } else {
                    Op::Return { link }
                };
                self.emit(op, Class::Control);
                Ok(true)
            }
            ("exit", []) => {
                self.emit(Op::Exit, Class::Control);
                Ok(true)
            }
            ("trap" | "brkpt", []) => {
                self.emit(Op::Trap, Class::Control);
                Ok(true)
            }
            ("nanosleep", ["u32"]) => {
                self.emit(Op::Sleep, Class::Other);
                Ok(true)
            }
            ("membar" | "fence" | "griddepcontrol" | "pmevent" | "setmaxnreg", _) => {
                self.emit(Op::Nothing, Class::Other);
                Ok(true)
            }
            ("bar" | "barrier", _) => self.barrier(mods, inst),
            ("shfl", ["sync", mode, "b32"]) => self.shuffle(mode, inst),
            ("vote", ["sync", mode, ty]) => self.vote(mode, ty, inst),
            ("match", ["any", "sync", ty]) => self.match_any(ty, inst),
            ("match", ["all", "sync", ty]) => self.match_all(ty, inst),
            ("redux", ["sync", op, ty]) => self.redux(op, ty, inst),
            ("activemask", ["b32"]) => {
                let dest = self.dest(inst, 0, Type::B32)?;
                self.emit(Op::ActiveMask { dest }, Class::Warp);
                Ok(true)
            }
            ("elect", ["sync"]) => {
                let members = self.source(inst, 1, Type::B32)?;
                let (dest, valid) = self.dest_with_predicate(inst, Type::B32)?;
                self.emit_warp(members, WarpOp::Elect { dest, valid });
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// The label an operand names: the function's own instruction index.
    fn label(&mut self, scope: u32, name: &'a str) -> Decode<u32> {
        let function = self.function();
        match function.resolve(&function.labels, scope, name) {
            Some((_, &at)) => Ok(at),
            None => Err(ParseErrorKind::Name(format!(
                "label `{name}` is not defined"
            ))),
        }
    }

    fn branch(&mut self, inst: &Instruction<'a>) -> Decode<bool> {
        let Operand::Name(name) = *Self::operand(inst, 0)? else {
            return operand_error("a branch needs a label");
        };
        let tree_index = self.label(inst.scope, name)?;
        let at = self.emit(Op::Branch { target: 0 }, Class::Control);
        self.fixups.push(Fixup::Label {
            at,
            function: self.current,
            tree_index,
        });
        Ok(true)
    }

    fn branch_table(&mut self, inst: &Instruction<'a>) -> Decode<bool> {
        let index = self.source(inst, 0, Type::U32)?;
        let Operand::Name(name) = *Self::operand(inst, 1)? else {
            return operand_error("brx.idx needs a list of labels");
        };
        let function = self.function();
        let Some((_, targets)) = function.resolve(&function.branch_targets, inst.scope, name)
        else {
            return Err(ParseErrorKind::Name(format!(
                "`{name}` is not a list of branch targets"
            )));
        };
        let mut places = Vec::with_capacity(targets.len());
        for target in targets {
            places.push(self.label(inst.scope, target)?);
        }
        let table = vec![0; places.len()].into_boxed_slice();
        let at = self.emit(Op::BranchTable { index, table }, Class::Control);
        for (entry, tree_index) in places.into_iter().enumerate() {
            self.fixups.push(Fixup::Table {
                at,
                entry,
                function: self.current,
                tree_index,
            });
        }
        Ok(true)
    }

    fn call(&mut self, inst: &Instruction<'a>) -> Decode<bool> {
        let mut operands = inst.operands.as_slice();
        let empty: &[Operand<'a>] = &[];
        let mut results = empty;
        if let [Operand::List(list), rest @ ..] = operands {
            (results, operands) = (list, rest);
        }
        let [Operand::Name(name), rest @ ..] = operands else {
            return operand_error("a call needs the name of a function");
        };
        let arguments = match rest {
            [Operand::List(list), ..] => list.as_slice(),
            _ => empty,
        };
        if let Some((ty, slot)) = self.register(inst.scope, name) {
            if ty.bytes() != 8 {
                return operand_error(format!("`{name}` cannot hold the address of a function"));
            }
            return self.call_indirect(inst, slot, arguments, results);
        }
        let Some(&index) = self.layout.callable.get(name) else {
            return Err(ParseErrorKind::Name(format!(
                "function `{name}` is not declared"
            )));
        };
        if !self.module.functions[index].has_body {
            if let Some((kind, takes)) = BuiltinKind::named(name) {
                return self.call_builtin(inst, kind, takes, arguments, results);
            }
            return Err(ParseErrorKind::Name(format!(
                "function `{name}` is declared but has no body"
            )));
        }
        self.call_known(inst, index, arguments, results)?;
        Ok(true)
    }

    /// Passes arguments, jumps, fetches results.
    fn call_known(
        &mut self,
        inst: &Instruction<'a>,
        index: usize,
        arguments: &[Operand<'a>],
        results: &[Operand<'a>],
    ) -> Decode<()> {
        let formals = &self.module.functions[index];
        let name = formals.name;
        if formals.params.len() != arguments.len() || formals.results.len() != results.len() {
            let (p, r) = (formals.params.len(), formals.results.len());
            return operand_error(format!(
                "`{name}` takes {p} arguments and returns {r} values"
            ));
        }
        let callee = match self.frame_of(index) {
            Ok(frame) => self.function_state(index, frame),
            Err(frames) => {
                self.emit(Op::TooDeep { frames }, Class::Control);
                return Ok(());
            }
        };
        for (formal, argument) in formals.params.iter().zip(arguments) {
            self.pass(
                inst.scope,
                argument,
                callee,
                formal.variable.name,
                Passing::In,
            )?;
        }
        let link = self.functions[callee].link;
        let at = self.emit(Op::Call { link, target: 0 }, Class::Control);
        self.fixups.push(Fixup::Entry {
            at,
            function: callee,
        });
        for (formal, result) in formals.results.iter().zip(results) {
            self.pass(
                inst.scope,
                result,
                callee,
                formal.variable.name,
                Passing::Out,
            )?;
        }
        Ok(())
    }

    /// A call through a register: the address is compared with that of every function it may hold.
    fn call_indirect(
        &mut self,
        inst: &Instruction<'a>,
        address: u32,
        arguments: &[Operand<'a>],
        results: &[Operand<'a>],
    ) -> Decode<bool> {
        let module = self.module;
        let callees = module.addressed.iter().copied().filter(|&index| {
            let function = &module.functions[index];
            function.params.len() == arguments.len() && function.results.len() == results.len()
        });
        let callees: Vec<usize> = callees.collect();
        let (outer, flip) = self.guard;
        // Lanes that have not found their function yet.
        let left = self.new_slot(Bank::Predicate);
        self.guard = (ALWAYS, 0);
        self.emit_alu(
            logic::mov(Bank::Predicate),
            [left, outer, ALWAYS, ALWAYS],
            flip & 1,
            Class::Predicate,
        );
        self.wrote_predicate(left);
        for index in callees {
            let hit = self.new_slot(Bank::Predicate);
            let wanted = self.double(function_address(index));
            let Some(run) = predicate::select("eq", Type::U64, 0, predicate::Target::Predicates)
            else {
                return Ok(false);
            };
            let flags = predicate::JOIN_AND;
            let compare = Alu {
                run,
                d: hit,
                e: left,
                a: address,
                b: wanted,
                c: left,
                flags,
            };
            self.guard = (ALWAYS, 0);
            self.emit(Op::Alu(compare), Class::Predicate);
            self.wrote_predicate(hit);
            self.guard = (hit, 0);
            self.call_known(inst, index, arguments, results)?;
        }
        self.guard = (left, 0);
        self.emit(Op::Trap, Class::Control);
        Ok(true)
    }

    /// Notes that the last instruction wrote a predicate the text does not name.
    fn wrote_predicate(&mut self, slot: u32) {
        if let Some(note) = self.code.notes.last_mut() {
            note.writes.push((Bank::Predicate, slot));
        }
    }

    /// A call of a function the driver provides; its parameters are variables.
    fn call_builtin(
        &mut self,
        inst: &Instruction<'a>,
        kind: BuiltinKind,
        takes: usize,
        arguments: &[Operand<'a>],
        results: &[Operand<'a>],
    ) -> Decode<bool> {
        let mut places = Vec::new();
        for operand in arguments.iter().chain(results) {
            let found = match *operand {
                Operand::Name(name) => self.place(inst.scope, name)?,
                _ => None,
            };
            let Some(place) = found.filter(|place| place.space == Space::Local) else {
                return operand_error("arguments of this function must be parameter variables");
            };
            places.push(place.address as u32);
        }
        if arguments.len() != takes {
            return operand_error(format!("the function takes {takes} arguments"));
        }
        let result = places.get(takes).copied();
        places.truncate(takes);
        self.emit(
            Op::Builtin(Box::new(Builtin {
                kind,
                arguments: places,
                result,
            })),
            Class::Control,
        );
        Ok(true)
    }

    /// Moves one argument or result between caller and callee: variable to variable, or register to either.
    fn pass(
        &mut self,
        scope: u32,
        actual: &Operand<'a>,
        callee: usize,
        formal: &'a str,
        passing: Passing,
    ) -> Decode<()> {
        if let Some((ty, inner)) = self.register_of(callee, 0, formal) {
            let (slot, _) = match passing {
                Passing::In => self.source_operand(scope, actual, ty, Width::Exact)?,
                Passing::Out => self.dest_operand(scope, actual, ty, Width::Exact)?,
            };
            let (d, a) = if passing == Passing::In {
                (inner, slot)
            } else {
                (slot, inner)
            };
            let bank = ty.bank().unwrap_or(Bank::Word);
            self.emit_alu(logic::mov(bank), [d, a, SINK, SINK], 0, Class::Move);
            if let Some(note) = self
                .code
                .notes
                .last_mut()
                .filter(|_| passing == Passing::In)
            {
                note.writes.push((bank, inner));
            }
            return Ok(());
        }
        let function = self.tree(callee);
        let formal_variable = function
            .params
            .iter()
            .chain(&function.results)
            .find(|f| f.variable.name == formal);
        let (Some(place), Some(variable)) = (self.parameter_place(callee, formal), formal_variable)
        else {
            return operand_error(format!("`{formal}` is not a parameter"));
        };
        let (bytes, ty) = (variable.variable.bytes as u32, variable.variable.ty);
        if let Operand::Name(name) = *actual
            && self.register(scope, name).is_none()
        {
            let Some(outer) = self
                .place(scope, name)?
                .filter(|place| place.space == Space::Local)
            else {
                return Err(ParseErrorKind::Name(format!(
                    "`{name}` is not a parameter variable"
                )));
            };
            let (from, to) = match passing {
                Passing::In => (outer.address, place.address),
                Passing::Out => (place.address, outer.address),
            };
            self.emit(
                Op::CopyLocal {
                    from: from as u32,
                    to: to as u32,
                    bytes,
                },
                Class::Move,
            );
            return Ok(());
        }
        let address = Address {
            base: Base::None,
            offset: place.address as i64,
        };
        let (slot, register) = match passing {
            Passing::In => self.source_operand(scope, actual, ty, Width::OrWider)?,
            Passing::Out => self.dest_operand(scope, actual, ty, Width::OrWider)?,
        };
        let slots = smallvec::smallvec![Self::slot_of(slot, register)];
        let access = Box::new(Access {
            space: Space::Local,
            ty,
            address,
            slots,
        });
        match passing {
            Passing::In => self.emit(Op::Store(access), Class::Move),
            Passing::Out => self.emit(Op::Load(access), Class::Move),
        };
        Ok(())
    }

    fn barrier(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        if mods == ["warp", "sync"] {
            let members = self.source(inst, 0, Type::B32)?;
            self.emit_warp(members, WarpOp::Barrier);
            return Ok(true);
        }
        if let ["cluster", kind, ..] = mods {
            // A cluster is one block: its barrier is the block's, met at the wait.
            if *kind == "arrive" {
                self.emit(Op::Nothing, Class::Barrier);
                return Ok(true);
            }
            let id = self.word(0);
            self.emit_barrier(BarrierKind::Sync, id, None, false);
            return Ok(*kind == "wait");
        }
        let mods: Vec<&str> = mods.iter().copied().filter(|&text| text != "cta").collect();
        let aligned = inst.opcode.starts_with("bar.") || mods.contains(&"aligned");
        let mods: Vec<&str> = mods.into_iter().filter(|&text| text != "aligned").collect();
        match mods.as_slice() {
            ["sync"] | ["arrive"] => {
                let id = self.source(inst, 0, Type::U32)?;
                let threads = if inst.operands.len() > 1 {
                    Some(self.source(inst, 1, Type::U32)?)
                } else {
                    None
                };
                let kind = if mods[0] == "sync" {
                    BarrierKind::Sync
                } else {
                    BarrierKind::Arrive
                };
                self.emit_barrier(kind, id, threads, aligned);
                Ok(true)
            }
            ["red", op, ty] => self.reducing_barrier(op, ty, aligned, inst),
            _ => Ok(false),
        }
    }

    fn emit_barrier(&mut self, kind: BarrierKind, id: u32, threads: Option<u32>, aligned: bool) {
        let (dest, source, negated) = (SINK_PREDICATE, ALWAYS, false);
        self.emit(
            Op::Barrier(Box::new(Barrier {
                kind,
                id,
                threads,
                dest,
                source,
                negated,
                aligned,
            })),
            Class::Barrier,
        );
    }

    fn reducing_barrier(
        &mut self,
        op: &str,
        ty: &str,
        aligned: bool,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let (kind, dest) = match (op, ty) {
            ("popc", "u32") => (BarrierKind::ReducePopc, Type::U32),
            ("and", "pred") => (BarrierKind::ReduceAnd, Type::Pred),
            ("or", "pred") => (BarrierKind::ReduceOr, Type::Pred),
            _ => return Ok(false),
        };
        let id = self.source(inst, 1, Type::U32)?;
        let last = inst.operands.len().saturating_sub(1);
        let threads = if last == 3 {
            Some(self.source(inst, 2, Type::U32)?)
        } else {
            None
        };
        let (source, negated) = self.predicate(inst, last)?;
        let dest = self.dest(inst, 0, dest)?;
        self.emit(
            Op::Barrier(Box::new(Barrier {
                kind,
                id,
                threads,
                dest,
                source,
                negated,
                aligned,
            })),
            Class::Barrier,
        );
        Ok(true)
    }

    fn emit_warp(&mut self, members: u32, op: WarpOp) {
        self.emit(
            Op::Warp {
                members,
                op: Box::new(op),
            },
            Class::Warp,
        );
    }

    fn shuffle(&mut self, mode: &str, inst: &Instruction<'a>) -> Decode<bool> {
        let mode = match mode {
            "up" => ShuffleMode::Up,
            "down" => ShuffleMode::Down,
            "bfly" => ShuffleMode::Butterfly,
            "idx" => ShuffleMode::Index,
            _ => return Ok(false),
        };
        let source = self.source(inst, 1, Type::B32)?;
        let (lane, clamp) = (
            self.source(inst, 2, Type::B32)?,
            self.source(inst, 3, Type::B32)?,
        );
        let members = self.source(inst, 4, Type::B32)?;
        let (dest, valid) = self.dest_with_predicate(inst, Type::B32)?;
        self.emit_warp(
            members,
            WarpOp::Shuffle {
                mode,
                dest,
                valid,
                source,
                lane,
                clamp,
            },
        );
        Ok(true)
    }

    fn vote(&mut self, mode: &str, ty: &str, inst: &Instruction<'a>) -> Decode<bool> {
        let dest = if mode == "ballot" {
            Type::B32
        } else {
            Type::Pred
        };
        if Type::parse(ty) != Some(dest) {
            return Ok(false);
        }
        let (source, negated) = self.predicate(inst, 1)?;
        let members = self.source(inst, 2, Type::B32)?;
        let dest = self.dest(inst, 0, dest)?;
        let op = match mode {
            "all" => WarpOp::VoteAll {
                dest,
                source,
                negated,
            },
            "any" => WarpOp::VoteAny {
                dest,
                source,
                negated,
            },
            "uni" => WarpOp::VoteUniform {
                dest,
                source,
                negated,
            },
            "ballot" => WarpOp::Ballot {
                dest,
                source,
                negated,
            },
            _ => return Ok(false),
        };
        self.emit_warp(members, op);
        Ok(true)
    }

    fn match_source(&mut self, ty: &str, inst: &Instruction<'a>) -> Decode<Option<(Slot, u32)>> {
        let Some(ty) = Type::parse(ty).filter(|ty| matches!(ty, Type::B32 | Type::B64)) else {
            return Ok(None);
        };
        let source = self.source(inst, 1, ty)?;
        let members = self.source(inst, 2, Type::B32)?;
        Ok(Some((Self::slot_of(source, ty), members)))
    }

    fn match_any(&mut self, ty: &str, inst: &Instruction<'a>) -> Decode<bool> {
        let Some((source, members)) = self.match_source(ty, inst)? else {
            return Ok(false);
        };
        let dest = self.dest(inst, 0, Type::B32)?;
        self.emit_warp(members, WarpOp::MatchAny { dest, source });
        Ok(true)
    }

    fn match_all(&mut self, ty: &str, inst: &Instruction<'a>) -> Decode<bool> {
        let Some((source, members)) = self.match_source(ty, inst)? else {
            return Ok(false);
        };
        let (dest, valid) = self.dest_with_predicate(inst, Type::B32)?;
        self.emit_warp(
            members,
            WarpOp::MatchAll {
                dest,
                valid,
                source,
            },
        );
        Ok(true)
    }

    fn redux(&mut self, op: &str, ty: &str, inst: &Instruction<'a>) -> Decode<bool> {
        let Some(ty) = Type::parse(ty) else {
            return Ok(false);
        };
        let op = match (op, ty) {
            ("add", Type::U32 | Type::S32) => AtomicOp::Add,
            ("min", Type::U32 | Type::S32) => AtomicOp::Min,
            ("max", Type::U32 | Type::S32) => AtomicOp::Max,
            ("and", Type::B32) => AtomicOp::And,
            ("or", Type::B32) => AtomicOp::Or,
            ("xor", Type::B32) => AtomicOp::Xor,
            _ => return Ok(false),
        };
        let source = self.source(inst, 1, ty)?;
        let members = self.source(inst, 2, Type::B32)?;
        let dest = self.dest(inst, 0, ty)?;
        self.emit_warp(
            members,
            WarpOp::Reduce {
                op,
                signed: ty.is_signed(),
                dest,
                source,
            },
        );
        Ok(true)
    }
}

/// Direction of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing {
    In,
    Out,
}

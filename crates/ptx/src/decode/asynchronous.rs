//! Asynchronous copies and the barriers they signal: `cp.async`, `cp.async.bulk`, `mbarrier`.

use super::data::is_hint;
use super::operands::{Width, operand_error};
use super::{Builder, Decode};
use crate::ast::{Instruction, Operand};
use crate::exec::logic;
use crate::isa::asynchronous::{
    AsyncGroup, Bulk, CopyAsync, Direction, Mbarrier, MbarrierOp, Source,
};
use crate::isa::{Address, Class, Op, SINK};
use crate::regs::Slot;
use crate::types::{Space, Type};
use smallvec::SmallVec;

/// Modifiers that only say where a barrier or a tile is, in the one way the simulator has.
fn is_detail(text: &str) -> bool {
    is_hint(text) || matches!(text, "tile" | "bulk_group" | "mbarrier::complete_tx::bytes")
}

impl<'a> Builder<'a, '_> {
    /// Decodes one of this file's instructions; `false` if `name` is none or has an unknown form.
    pub(super) fn asynchronous(
        &mut self,
        name: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        match (name, mods) {
            ("cp", ["async", "bulk", "prefetch", ..]) => {
                self.emit(Op::Nothing, Class::Other);
                Ok(true)
            }
            ("cp", ["async", "bulk", "commit_group"]) => self.group(AsyncGroup::CommitBulk),
            ("cp", ["async", "bulk", "wait_group", rest @ ..]) if matches!(rest, [] | ["read"]) => {
                let most = self.group_count(inst)?;
                let read = !rest.is_empty();
                self.group(AsyncGroup::WaitBulk { most, read })
            }
            ("cp", ["async", "bulk", "tensor", dimensions, rest @ ..]) => {
                self.bulk_tensor(dimensions, rest, inst)
            }
            ("cp", ["async", "bulk", rest @ ..]) => self.bulk(rest, inst),
            ("cp", ["async", "commit_group"]) => self.group(AsyncGroup::Commit),
            ("cp", ["async", "wait_all"]) => self.group(AsyncGroup::Wait { most: None }),
            ("cp", ["async", "wait_group"]) => {
                let most = Some(self.group_count(inst)?);
                self.group(AsyncGroup::Wait { most })
            }
            ("cp", ["async", "mbarrier", "arrive", rest @ ..]) => self.copy_arrive(rest, inst),
            ("cp", ["async", rest @ ..]) => self.copy_async(rest, inst),
            ("mbarrier", [kind, rest @ ..]) => self.mbarrier(kind, rest, inst),
            _ => Ok(false),
        }
    }

    fn group(&mut self, group: AsyncGroup) -> Decode<bool> {
        self.emit(Op::AsyncGroup(group), Class::Other);
        Ok(true)
    }

    fn group_count(&mut self, inst: &Instruction<'a>) -> Decode<u32> {
        match *Self::operand(inst, 0)? {
            Operand::Int(count) => Ok(count.clamp(0, i64::from(u32::MAX / 2)) as u32),
            _ => operand_error("the number of groups to leave must be a number"),
        }
    }

    fn copy_async(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        match mods {
            ["ca" | "cg", "shared" | "shared::cta", "global", rest @ ..]
                if rest.iter().all(|text| is_hint(text)) => {}
            _ => return Ok(false),
        }
        let (_, to) = self.address(inst, 0, Space::Shared)?;
        let (_, from) = self.address(inst, 1, Space::Global)?;
        let Operand::Int(bytes @ (4 | 8 | 16)) = *Self::operand(inst, 2)? else {
            return operand_error("cp.async copies 4, 8 or 16 bytes");
        };
        // A fourth operand is the number of bytes to read, or a predicate that makes it zero. A cache policy is a
        // 64-bit register and comes last.
        let (mut source_bytes, mut ignore) = (None, None);
        if let Some(operand) = inst.operands.get(3) {
            let ty = match *operand {
                Operand::Name(name) => self.register(inst.scope, name).map(|(ty, _)| ty),
                Operand::Not(_) => Some(Type::Pred),
                _ => None,
            };
            match ty {
                Some(Type::Pred) => ignore = Some(self.predicate(inst, 3)?),
                Some(ty) if ty.bytes() == 8 => {}
                _ => source_bytes = Some(self.source(inst, 3, Type::U32)?),
            }
        }
        let copy = CopyAsync {
            to,
            from,
            bytes: bytes as u32,
            source_bytes,
            ignore,
        };
        self.emit(Op::CopyAsync(Box::new(copy)), Class::Load);
        Ok(true)
    }

    fn copy_arrive(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let (increment, mods) = match mods {
            ["noinc", rest @ ..] => (false, rest),
            _ => (true, mods),
        };
        let Some(space) = barrier_space(mods) else {
            return Ok(false);
        };
        self.emit_mbarrier(MbarrierOp::CopyArrive { increment }, space, inst, 0)
    }

    fn emit_mbarrier(
        &mut self,
        op: MbarrierOp,
        space: Space,
        inst: &Instruction<'a>,
        index: usize,
    ) -> Decode<bool> {
        let (space, address) = self.address(inst, index, space)?;
        self.emit(
            Op::Mbarrier(Box::new(Mbarrier { op, space, address })),
            Class::Barrier,
        );
        Ok(true)
    }

    fn mbarrier(&mut self, kind: &str, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        if kind == "pending_count" && mods == ["b64"] {
            let state = self.source(inst, 1, Type::B64)?;
            let d = self.dest(inst, 0, Type::U32)?;
            self.emit_alu(
                logic::pending_count(),
                [d, state, SINK, SINK],
                0,
                Class::Other,
            );
            return Ok(true);
        }
        let parity = mods.contains(&"parity");
        let expects = mods.contains(&"expect_tx");
        let rest: SmallVec<[&str; 8]> = mods
            .iter()
            .copied()
            .filter(|text| !matches!(*text, "parity" | "expect_tx" | "noComplete"))
            .collect();
        let Some(space) = barrier_space(&rest) else {
            return Ok(false);
        };
        match kind {
            "init" => {
                let count = self.source(inst, 1, Type::U32)?;
                self.emit_mbarrier(MbarrierOp::Init { count }, space, inst, 0)
            }
            "inval" => self.emit_mbarrier(MbarrierOp::Invalidate, space, inst, 0),
            "expect_tx" => {
                let bytes = self.source(inst, 1, Type::U32)?;
                self.emit_mbarrier(MbarrierOp::Expect { bytes }, space, inst, 0)
            }
            "complete_tx" => {
                let bytes = self.source(inst, 1, Type::U32)?;
                self.emit_mbarrier(MbarrierOp::Complete { bytes }, space, inst, 0)
            }
            "arrive" | "arrive_drop" => {
                self.mbarrier_arrive(kind == "arrive_drop", expects, space, inst)
            }
            "test_wait" | "try_wait" => {
                let dest = self.dest(inst, 0, Type::Pred)?;
                let op = if parity {
                    MbarrierOp::TestParity {
                        dest,
                        parity: self.source(inst, 2, Type::U32)?,
                    }
                } else {
                    let state = self.source(inst, 2, Type::B64)?;
                    MbarrierOp::TestState {
                        dest,
                        state: Slot::Double(state),
                    }
                };
                self.emit_mbarrier(op, space, inst, 1)
            }
            _ => Ok(false),
        }
    }

    /// `[state,] [addr] [, count]` or `[state,] [addr], bytes`.
    fn mbarrier_arrive(
        &mut self,
        drop: bool,
        expects: bool,
        space: Space,
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let has_state = !matches!(Self::operand(inst, 0)?, Operand::Address { .. });
        let place = usize::from(has_state);
        let state = match Self::operand(inst, 0)? {
            Operand::Name("_") => None,
            _ if has_state => Some(Slot::Double(self.dest(inst, 0, Type::B64)?)),
            _ => None,
        };
        let number = if inst.operands.len() > place + 1 {
            Some(self.source(inst, place + 1, Type::U32)?)
        } else {
            None
        };
        let one = self.word(1);
        let (count, bytes) = if expects {
            (one, number)
        } else {
            (number.unwrap_or(one), None)
        };
        self.emit_mbarrier(
            MbarrierOp::Arrive {
                count,
                bytes,
                state,
                drop,
            },
            space,
            inst,
            place,
        )
    }

    /// `cp.async.bulk.DST.SRC…`.
    fn bulk(&mut self, mods: &[&'a str], inst: &Instruction<'a>) -> Decode<bool> {
        let (to, from, details) = match mods {
            [to, from, details @ ..] if details.iter().all(|text| is_detail(text)) => {
                (*to, *from, details)
            }
            _ => return Ok(false),
        };
        let size = self.source(inst, 2, Type::U32)?;
        let signals = details.contains(&"mbarrier::complete_tx::bytes");
        match (to, from, signals) {
            ("shared::cluster" | "shared::cta", "global", true) => {
                let (_, shared) = self.shared_address(inst, 0)?;
                let (_, address) = self.address(inst, 1, Space::Global)?;
                let (barrier_space, barrier) = self.shared_address(inst, 3)?;
                let direction = Direction::ToShared {
                    barrier,
                    barrier_space,
                };
                self.emit_bulk(
                    Source::Bytes {
                        address,
                        bytes: size,
                    },
                    shared,
                    direction,
                )
            }
            ("shared::cluster", "shared::cta", true) => {
                let (_, shared) = self.shared_address(inst, 0)?;
                let (_, address) = self.shared_address(inst, 1)?;
                let (_, barrier) = self.shared_address(inst, 3)?;
                self.emit_bulk(
                    Source::Bytes {
                        address,
                        bytes: size,
                    },
                    shared,
                    Direction::Within { barrier },
                )
            }
            ("global", "shared::cta", false) => {
                let (_, shared) = self.shared_address(inst, 1)?;
                let (_, address) = self.address(inst, 0, Space::Global)?;
                self.emit_bulk(
                    Source::Bytes {
                        address,
                        bytes: size,
                    },
                    shared,
                    Direction::ToGlobal,
                )
            }
            _ => Ok(false),
        }
    }

    fn emit_bulk(&mut self, source: Source, shared: Address, direction: Direction) -> Decode<bool> {
        let class = if matches!(direction, Direction::ToGlobal) {
            Class::Store
        } else {
            Class::Load
        };
        self.emit(
            Op::Bulk(Box::new(Bulk {
                source,
                shared,
                direction,
            })),
            class,
        );
        Ok(true)
    }

    /// `cp.async.bulk.tensor.2d.DST.SRC…`.
    fn bulk_tensor(
        &mut self,
        dimensions: &str,
        mods: &[&'a str],
        inst: &Instruction<'a>,
    ) -> Decode<bool> {
        let dimensions = match dimensions {
            "1d" | "2d" | "3d" | "4d" | "5d" => usize::from(dimensions.as_bytes()[0] - b'0'),
            _ => return Ok(false),
        };
        let (to, from, details) = match mods {
            [to, from, details @ ..] if details.iter().all(|text| is_detail(text)) => {
                (*to, *from, details)
            }
            _ => return Ok(false),
        };
        let signals = details.contains(&"mbarrier::complete_tx::bytes");
        match (to, from, signals) {
            ("shared::cluster" | "shared::cta", "global", true) => {
                let (_, shared) = self.shared_address(inst, 0)?;
                let source = self.tensor_source(inst, 1, dimensions)?;
                let (barrier_space, barrier) = self.shared_address(inst, 2)?;
                self.emit_bulk(
                    source,
                    shared,
                    Direction::ToShared {
                        barrier,
                        barrier_space,
                    },
                )
            }
            ("global", "shared::cta", false) => {
                let source = self.tensor_source(inst, 0, dimensions)?;
                let (_, shared) = self.shared_address(inst, 1)?;
                self.emit_bulk(source, shared, Direction::ToGlobal)
            }
            _ => Ok(false),
        }
    }

    /// `[map, {x, y}]`.
    fn tensor_source(
        &mut self,
        inst: &Instruction<'a>,
        index: usize,
        dimensions: usize,
    ) -> Decode<Source> {
        let Operand::Compound(parts) = Self::operand(inst, index)? else {
            return operand_error(format!(
                "operand {} must be a tensor map with coordinates",
                index + 1
            ));
        };
        let [map, Operand::Vector(given)] = parts.as_slice() else {
            return operand_error("a tensor operand is a map and its coordinates");
        };
        if given.len() != dimensions {
            return operand_error(format!(
                "{dimensions} coordinates are needed, not {}",
                given.len()
            ));
        }
        let (map_space, map) = self.address_of(inst.scope, map, Space::Generic)?;
        let mut coordinates = SmallVec::new();
        for operand in given {
            coordinates.push(
                self.source_operand(inst.scope, operand, Type::S32, Width::Exact)?
                    .0,
            );
        }
        Ok(Source::Tensor {
            map,
            map_space,
            coordinates,
        })
    }

    /// An address in shared memory; of the cluster's, every address is the block's own.
    fn shared_address(&mut self, inst: &Instruction<'a>, index: usize) -> Decode<(Space, Address)> {
        self.address(inst, index, Space::Shared)
    }
}

/// The state space of a barrier operand whose other modifiers are a type, an ordering and a scope.
fn barrier_space(mods: &[&str]) -> Option<Space> {
    let mut space = Space::Generic;
    for &text in mods {
        match text {
            "shared" | "shared::cta" | "shared::cluster" => space = Space::Shared,
            "b64" => {}
            _ if is_hint(text) => {}
            _ => return None,
        }
    }
    Some(space)
}

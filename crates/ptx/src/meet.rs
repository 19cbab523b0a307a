//! Operations of several lanes of a warp (`.sync`): who has come, who waits, and when they go on.
//!
//! PTX lets lanes wait until all that are named have executed the same operation with the same qualifiers and member
//! mask, wherever it stands in the code. Lanes that cannot go on at once wait; when the last one has come, the
//! operation is executed for all of them, with the operands each has at its own instruction. An instruction counts
//! when its lanes go on, once for all that left it together.

use crate::exec::observe::PartOfWarp;
use crate::exec::view::View;
use crate::exec::warp as together;
use crate::fault::FaultReason;
use crate::isa::{Code, Op, WarpOp};
use crate::regs::lanes;
use crate::warp::{Next, Split, Wait, Warp, WarpFault};
use smallvec::SmallVec;

/// Lanes that wait for the same operation: their instruction and themselves.
type Sites<'c> = SmallVec<[(u32, &'c WarpOp, u32); 2]>;

impl Warp {
    /// Executes a `.sync` operation if all named lanes are here and name the same lanes; else they wait.
    pub(crate) fn together(
        &mut self,
        view: &mut View<'_>,
        pc: u32,
        members: u32,
        op: &WarpOp,
        mask: &mut u32,
        active: u32,
    ) -> Result<Next, (usize, FaultReason)> {
        let named = self.regs.words[members as usize];
        let first = named[active.trailing_zeros() as usize & 31];
        let group_of = |mask: u32, name: u32| {
            lanes(mask)
                .filter(|&lane| named[lane] == name)
                .fold(0, |group, lane| group | 1 << lane)
        };
        if active == *mask && first & self.live & !active == 0 && group_of(active, first) == active
        {
            self.met(view, op, first, active);
            together::execute(view, &mut self.regs, op, active)?;
            return Ok(Next::Step);
        }
        let count = &mut view.counters.executed[pc as usize];
        *count = (count.0 - 1, count.1 - u64::from(active.count_ones()));
        self.separate(pc, mask, active);
        let mut rest = active;
        while rest != 0 {
            let group = group_of(rest, named[rest.trailing_zeros() as usize]);
            self.put(pc, group, Wait::Lanes);
            rest &= !group;
        }
        Ok(Next::Gone)
    }

    /// Executes the operations whose lanes have all come; those go on.
    pub(crate) fn release_lanes(
        &mut self,
        code: &Code,
        view: &mut View<'_>,
    ) -> Result<(), WarpFault> {
        for at in 0..self.splits.len() {
            let Some((members, op)) = self.awaited(code, &self.splits[at]) else {
                continue;
            };
            let meets = |split: &Split| {
                let here = self.splits[at].pc;
                self.awaited(code, split).is_some_and(|(named, other)| {
                    named == members && (split.pc == here || together::meet(op, other))
                })
            };
            let group: SmallVec<[usize; 4]> = (0..self.splits.len())
                .filter(|&other| meets(&self.splits[other]))
                .collect();
            let present = group
                .iter()
                .fold(0, |mask, &other| mask | self.splits[other].mask);
            if members & self.live & !present != 0 {
                continue;
            }
            let mut sites = Sites::new();
            for &other in &group {
                let Split { pc, mask, .. } = self.splits[other];
                let Some((_, op)) = self.awaited(code, &self.splits[other]) else {
                    continue;
                };
                match sites.iter_mut().find(|site| site.0 == pc) {
                    Some(site) => site.2 |= mask,
                    None => sites.push((pc, op, mask)),
                }
            }
            for &other in &group {
                self.splits[other].wait = Wait::Ready;
                self.splits[other].pc += 1;
            }
            self.execute_at(view, &sites, members, present)?;
        }
        Ok(())
    }

    fn execute_at(
        &mut self,
        view: &mut View<'_>,
        sites: &Sites<'_>,
        members: u32,
        present: u32,
    ) -> Result<(), WarpFault> {
        for &(pc, _, mask) in sites {
            let count = &mut view.counters.executed[pc as usize];
            *count = (count.0 + 1, count.1 + u64::from(mask.count_ones()));
        }
        let Some(&(pc, op, _)) = sites.first() else {
            return Ok(());
        };
        view.pc = pc;
        self.met(view, op, members, present);
        let done = match sites.as_slice() {
            [_] => together::execute(view, &mut self.regs, op, present),
            _ => {
                let sites: SmallVec<[(&WarpOp, u32); 2]> =
                    sites.iter().map(|&(_, op, mask)| (op, mask)).collect();
                together::execute_at_sites(view, &mut self.regs, &sites)
            }
        };
        done.map_err(|(lane, reason)| WarpFault { pc, lane, reason })
    }

    /// Lanes that name the same members are all here.
    fn met(&mut self, view: &mut View<'_>, op: &WarpOp, members: u32, present: u32) {
        if matches!(op, WarpOp::Barrier) {
            view.warp_met(present);
        }
        let strangers = present & !members;
        if strangers != 0 {
            let lane = strangers.trailing_zeros();
            view.part_of_warp(
                lane,
                PartOfWarp::NotMember {
                    instruction: op.name(),
                    members,
                    lane,
                },
            );
        }
    }

    /// The member mask a split waits for, and the operation.
    fn awaited<'c>(&self, code: &'c Code, split: &Split) -> Option<(u32, &'c WarpOp)> {
        match (split.wait, &code.insts[split.pc as usize].op) {
            (Wait::Lanes, Op::Warp { members, op }) => {
                let lane = split.mask.trailing_zeros() as usize & 31;
                Some((self.regs.words[*members as usize][lane], op))
            }
            _ => None,
        }
    }
}

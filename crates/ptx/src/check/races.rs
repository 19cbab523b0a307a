//! Races: an access against the last accesses of the same granule, in shared and in global memory.
//!
//! Two accesses race unless both read, both are atomic (strong) to each other, one happened before the other, or a
//! write repeats the value that is there.

use super::findings::{Actor, Kind, UNKNOWN_PC};
use super::order::Past;
use super::shadow::{GlobalStamp, IN_FLIGHT, LAST_EPOCH, SharedStamp, load, short_block, store};
use super::stores::{Put, Theirs};
use super::tiles::is_product;
use super::watch::Watch;
use crate::exec::observe::{AccessKind, Scene, Touch};
use crate::exec::view::Shared;
use crate::isa::Op;
use crate::isa::asynchronous::MbarrierOp;
use crate::notes::{Order, Scope};
use crate::race::RaceCause;
use crate::regs::{LANES, lanes};
use crate::types::MODULE_WINDOW;

/// Whether two accesses that conflict are allowed to.
enum Verdict {
    Fine,
    Race(RaceCause),
}

impl Watch {
    pub(super) fn shared_races(&mut self, scene: &Scene<'_>, touch: &Touch<'_>, order: Order) {
        let view = scene.launch;
        let bits = self.launch.granule_bits;
        let site = u32::from(self.launch.site_of[touch.pc as usize]);
        let epoch = self.clocks.epoch();
        let writes = touch.access.writes();
        let product = self.launch.multiplies && is_product(view.code, touch.pc);
        if product {
            self.tile_read(touch);
        }
        for lane in lanes(touch.mask) {
            let thread = touch.first_thread as u32 + lane as u32;
            let stamp = SharedStamp::new(epoch, thread, self.clocks.clock(thread), site);
            let address = touch.addresses[lane];
            let range = (address >> bits) as usize
                ..=((address + u64::from(touch.bytes) - 1) >> bits) as usize;
            let mut reported =
                self.launch.multiplies && writes && self.written_while_read(touch, lane);
            for at in range {
                let Some(&cell) = self.cells.get(at) else {
                    continue;
                };
                let [first, last] = cell.reads;
                let olds = [
                    (cell.write, true),
                    (cell.plain, order.strong),
                    (first, writes),
                    (last, writes),
                ];
                for (number, (old, conflicts)) in olds.into_iter().enumerate() {
                    let of_another = old.epoch() == epoch && old.thread() != thread;
                    if conflicts && !reported && (of_another || old.epoch() == IN_FLIGHT) {
                        let granule = (at as u64) << bits;
                        reported =
                            self.shared_conflict(scene, touch, order, lane, granule, (old, number));
                    }
                }
                let keeps_last = order.strong
                    && cell.write.epoch() == epoch
                    && !self.is_strong(view, cell.write.site());
                let cell = &mut self.cells[at];
                if writes {
                    cell.written(stamp, order.strong, keeps_last);
                } else if !product {
                    cell.read_by(stamp);
                }
            }
        }
    }

    /// Checks an access against an earlier one of its granule of shared memory, which has that number in the cell: the
    /// last write has 0, the last plain one 1, readers more. Says whether it reported a race.
    fn shared_conflict(
        &mut self,
        scene: &Scene<'_>,
        touch: &Touch<'_>,
        order: Order,
        lane: usize,
        granule: u64,
        (old, number): (SharedStamp, usize),
    ) -> bool {
        let (view, shared) = (scene.launch, scene.shared);
        let thread = touch.first_thread as u32 + lane as u32;
        let cause = if old.epoch() == IN_FLIGHT {
            RaceCause::CopyInFlight
        } else if self
            .clocks
            .ordered(thread, old.epoch(), old.thread(), old.clock())
            || order.strong && self.is_strong(view, old.site())
        {
            return false;
        } else if old.thread() / 32 == thread / 32 && invalidates(view, touch.pc) {
            // One lane gives an mbarrier up for its warp, whose other lanes have passed it.
            return false;
        } else {
            RaceCause::Unordered
        };
        if number == 0 && cause == RaceCause::Unordered {
            let start = granule as usize;
            let end = (start + (1 << self.launch.granule_bits)).min(shared.len());
            let current = shared.get(start..end).unwrap_or(&[]);
            let same_site = old.site() == u32::from(self.launch.site_of[touch.pc as usize]);
            if repeats(touch, lane, old.thread(), same_site, granule, current) {
                return false;
            }
        }
        let wrote = number < 2 || cause == RaceCause::CopyInFlight;
        let actor = self.past_actor(view, old.site(), self.block, old.thread(), wrote);
        let address = granule.max(touch.addresses[lane]);
        self.race(touch, lane, address, cause, Some(actor));
        true
    }

    /// The stamp of an access of global memory that a thread does now.
    pub(super) fn global_stamp(&self, thread: u32, clock: u32, site: u32) -> GlobalStamp {
        let epoch = (self.clocks.epoch() - self.first_epoch).min(LAST_EPOCH);
        GlobalStamp::new(short_block(self.block), epoch, thread, clock, site)
    }

    pub(super) fn global_races(&mut self, view: &Shared<'_>, touch: &Touch<'_>, order: Order) {
        let launch = self.launch.clone();
        let site = u32::from(launch.site_of[touch.pc as usize]);
        let block = short_block(self.block);
        for lane in lanes(touch.mask) {
            let thread = touch.first_thread as u32 + lane as u32;
            let clock = if touch.access == AccessKind::Copy {
                0
            } else {
                self.clocks.clock(thread)
            };
            let stamp = self.global_stamp(thread, clock, site);
            let address = touch.addresses[lane];
            let shadow = launch.global_shadow(address);
            let bits = shadow.granule_bits();
            let mut at = address >> bits << bits;
            let mut reported = false;
            while at < address + u64::from(touch.bytes) {
                let Some([write, plain, read, first]) = shadow.cell(at) else {
                    break;
                };
                let (last_write, last_read) = (load(write), load(read));
                let same = last_write == stamp && !stamp.in_flight();
                if last_write != GlobalStamp::NONE && !same && !reported {
                    reported = self.global_conflict(view, touch, order, lane, at, last_write, true);
                }
                if order.strong && load(plain) != GlobalStamp::NONE && !reported {
                    reported =
                        self.global_conflict(view, touch, order, lane, at, load(plain), true);
                }
                if touch.access.writes() {
                    if last_read != GlobalStamp::NONE && !reported {
                        reported =
                            self.global_conflict(view, touch, order, lane, at, last_read, false);
                        let first = load(first);
                        if first != GlobalStamp::NONE && !reported {
                            reported =
                                self.global_conflict(view, touch, order, lane, at, first, false);
                        }
                    }
                    if !order.strong {
                        for old in [plain, read, first] {
                            store(old, GlobalStamp::NONE);
                        }
                    } else if last_write != GlobalStamp::NONE
                        && !last_write.in_flight()
                        && !self.is_strong(view, last_write.site())
                    {
                        store(plain, last_write);
                    }
                    store(write, stamp);
                } else if last_read == GlobalStamp::NONE {
                    store(read, stamp);
                } else if last_read.block() != block {
                    store(read, last_read.of_several());
                } else {
                    let known = load(first);
                    let stands = known.block() == block && known.epoch() == stamp.epoch();
                    let other = last_read.thread() != stamp.thread();
                    if other && (known == GlobalStamp::NONE || !stands) {
                        store(first, last_read);
                    }
                    store(
                        read,
                        if last_read.several() {
                            stamp.of_several()
                        } else {
                            stamp
                        },
                    );
                }
                at += 1 << bits;
            }
        }
    }

    /// Checks an access against the last write or reader of its granule; says whether it reported a race.
    #[allow(
        clippy::too_many_arguments,
        reason = "the access, its lane and granule, and the stamp to check it by"
    )]
    fn global_conflict(
        &mut self,
        view: &Shared<'_>,
        touch: &Touch<'_>,
        order: Order,
        lane: usize,
        granule: u64,
        old: GlobalStamp,
        wrote: bool,
    ) -> bool {
        let verdict = match self.judge(view, touch, order, lane, old) {
            // Only loads are non-coherent, and they conflict with writes.
            Verdict::Fine if order.non_coherent => Verdict::Race(RaceCause::NonCoherent),
            verdict => verdict,
        };
        let Verdict::Race(cause) = verdict else {
            let strong = order.strong && self.is_strong(view, old.site());
            return !strong && self.readers_of_other_blocks(touch, lane, granule, old, wrote);
        };
        let same_site = old.site() == u32::from(self.launch.site_of[touch.pc as usize]);
        if wrote && touch.access == AccessKind::Store && cause != RaceCause::CopyInFlight {
            let mut current = [0; 4];
            let current = &mut current[..1 << self.launch.granule_bits];
            let (cells, base) = if granule >= MODULE_WINDOW {
                (view.globals, MODULE_WINDOW)
            } else {
                view.memory.cells()
            };
            let same_block = old.block() == short_block(self.block);
            let mut repeated = || {
                let _ = cells.read(granule - base, current);
                let same = same_site && same_block;
                repeats(touch, lane, old.thread(), same, granule, current)
            };
            if repeated() {
                return false;
            }
            // Another block's stamp stands before its value does.
            if !same_block && touch.values.is_some() {
                let theirs = Theirs {
                    thread: u64::from(old.thread()),
                    address: granule,
                    bytes: 1 << self.launch.granule_bits,
                };
                let of_other = |block| short_block(block) == old.block();
                let stores = &self.launch.stores;
                let put = stores.settle(&self.in_hand, || Put::by(touch), of_other, theirs);
                // Also where nothing is in hand any more: it may have been stored since it was read.
                let same = match put {
                    Some(put) => repeats(touch, lane, old.thread(), false, granule, &put),
                    None => repeated(),
                };
                if same {
                    return false;
                }
            }
        }
        let actor = self.past_actor(
            view,
            old.site(),
            u64::from(old.block()),
            old.thread(),
            wrote,
        );
        self.race(
            touch,
            lane,
            granule.max(touch.addresses[lane]),
            cause,
            Some(actor),
        );
        true
    }

    fn judge(
        &self,
        view: &Shared<'_>,
        touch: &Touch<'_>,
        order: Order,
        lane: usize,
        old: GlobalStamp,
    ) -> Verdict {
        let thread = touch.first_thread as u32 + lane as u32;
        if old.in_flight() {
            return Verdict::Race(RaceCause::CopyInFlight);
        }
        let other = self.order_of(view, old.site());
        if old.block() == short_block(self.block) {
            let epoch = self.first_epoch + old.epoch();
            let ordered = old.epoch() == LAST_EPOCH
                || self
                    .clocks
                    .ordered(thread, epoch, old.thread(), old.clock());
            let fine = ordered || order.strong && other.strong;
            return if fine {
                Verdict::Fine
            } else {
                Verdict::Race(RaceCause::Unordered)
            };
        }
        if order.strong && other.strong && order.scope > Scope::Block && other.scope > Scope::Block
        {
            return Verdict::Fine;
        }
        let past = Past {
            block: old.block(),
            epoch: old.epoch(),
            thread: old.thread(),
            clock: old.clock(),
        };
        if self.launch.synchronises && self.order.ordered(&self.clocks, thread, past) {
            return Verdict::Fine;
        }
        Verdict::Race(if order.strong && other.strong {
            RaceCause::NarrowScope {
                scope: order.scope.min(other.scope).name(),
            }
        } else {
            RaceCause::Unordered
        })
    }

    /// A write to what this block read last, and other blocks before: without synchronisation that is a race.
    fn readers_of_other_blocks(
        &mut self,
        touch: &Touch<'_>,
        lane: usize,
        granule: u64,
        old: GlobalStamp,
        wrote: bool,
    ) -> bool {
        let several = !wrote && old.several() && old.block() == short_block(self.block);
        let stores = matches!(touch.access, AccessKind::Store | AccessKind::Copy);
        if several && !self.launch.synchronises && stores {
            self.race(
                touch,
                lane,
                granule.max(touch.addresses[lane]),
                RaceCause::Unordered,
                None,
            );
            return true;
        }
        false
    }

    pub(super) fn pc_of(&self, site: u32) -> u32 {
        self.launch
            .pcs
            .get(site as usize)
            .copied()
            .unwrap_or(UNKNOWN_PC)
    }

    fn order_of(&self, view: &Shared<'_>, site: u32) -> Order {
        view.code
            .notes
            .get(self.pc_of(site) as usize)
            .map_or_else(Order::default, |note| note.order)
    }

    fn is_strong(&self, view: &Shared<'_>, site: u32) -> bool {
        self.order_of(view, site).strong
    }

    pub(super) fn past_actor(
        &self,
        view: &Shared<'_>,
        site: u32,
        block: u64,
        thread: u32,
        wrote: bool,
    ) -> Actor {
        let pc = self.pc_of(site);
        let access = match view.code.insts.get(pc as usize).map(|inst| &inst.op) {
            Some(Op::Atomic(_)) => AccessKind::Atomic,
            Some(Op::CopyAsync(_) | Op::Bulk(_)) => AccessKind::Copy,
            _ if wrote => AccessKind::Store,
            _ => AccessKind::Load,
        };
        let thread = match thread.checked_sub(self.agent) {
            None => Some(thread),
            Some(0) => self.copiers.get(&site).copied(),
            Some(warp) => Some((warp - 1) * LANES as u32),
        };
        Actor {
            access,
            pc,
            block,
            thread: u64::from(thread.unwrap_or(0)),
        }
    }

    /// Reports a race at the place that comes later in the text, whichever ran first.
    pub(super) fn race(
        &mut self,
        touch: &Touch<'_>,
        lane: usize,
        address: u64,
        cause: RaceCause,
        other: Option<Actor>,
    ) {
        let here = self.actor(touch, lane);
        let (at, other) = match other {
            Some(other) if other.pc != UNKNOWN_PC && other.pc > here.pc => (other, Some(here)),
            other => (here, other),
        };
        self.findings.add(
            at,
            Kind::Race {
                space: touch.space,
                address,
                cause,
                other,
            },
        );
    }
}

/// Whether an instruction is `mbarrier.inval`.
fn invalidates(view: &Shared<'_>, pc: u32) -> bool {
    let op = view.code.insts.get(pc as usize).map(|inst| &inst.op);
    matches!(op, Some(Op::Mbarrier(mbarrier)) if matches!(mbarrier.op, MbarrierOp::Invalidate))
}

/// Whether a store puts into a granule what is there already, or what another lane of the same instruction does.
fn repeats(
    touch: &Touch<'_>,
    lane: usize,
    other_thread: u32,
    same_site: bool,
    granule: u64,
    current: &[u8],
) -> bool {
    let Some(values) = &touch.values else {
        return false;
    };
    let covers = |lane: usize| {
        let address = touch.addresses[lane];
        (address <= granule && granule + current.len() as u64 <= address + u64::from(touch.bytes))
            .then(|| granule - address)
    };
    let Some(offset) = covers(lane) else {
        return false;
    };
    let mut mine = [0; 4];
    let mine = &mut mine[..current.len()];
    values.bytes(lane, offset, mine);
    let other_lane = u64::from(other_thread).wrapping_sub(touch.first_thread);
    if same_site && other_lane < LANES as u64 && touch.mask >> other_lane & 1 != 0 {
        let other_lane = other_lane as usize;
        // Both lanes store now; memory does not show the other's value yet.
        let Some(offset) = covers(other_lane) else {
            return false;
        };
        let mut theirs = [0; 4];
        let theirs = &mut theirs[..current.len()];
        values.bytes(other_lane, offset, theirs);
        return mine == theirs;
    }
    mine == current
}

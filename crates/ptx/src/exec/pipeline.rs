//! Asynchronous copies (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy").
//!
//! The source of a copy is read when it is issued (a store to global memory: when it is waited for); its destination is
//! written at the latest moment a program may rely on: when the thread waits for its group (a bulk store: without
//! `.read`), or when somebody looks at the barrier the copy signals. A program that reads too early therefore sees the old bytes, as it might on
//! hardware.

use super::mbarrier;
use super::observe::{AccessKind, BulkRange, Copying, Side};
use super::view::{LaneResult, View, addresses};
use crate::fault::FaultReason;
use crate::isa::asynchronous::CopyAsync;
use crate::regs::{LANES, Regs, lanes};
use crate::types::Space;
use core::mem::take;
use smallvec::SmallVec;

/// Bytes on their way to shared memory, where the copy says.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) copy: Copying,
    pub(crate) data: Vec<u8>,
}

/// The `cp.async` copies one instruction issued.
struct Batch {
    pc: u32,
    /// Lanes whose copy is still on its way.
    mask: u32,
    /// Group of each lane's copy: those committed before it was issued.
    group: [u32; LANES],
    to: [u32; LANES],
    bytes: u32,
    data: [[u8; 16]; LANES],
}

impl Batch {
    fn copy_of(&self, first_thread: u64, lane: usize) -> Copying {
        let (at, bytes) = (u64::from(self.to[lane]), u64::from(self.bytes));
        Copying {
            pc: self.pc,
            thread: first_thread as u32 + lane as u32,
            at,
            bytes,
        }
    }
}

/// Groups and copies of one warp.
struct WarpCopies {
    /// Groups each lane has committed.
    committed: [u32; LANES],
    batches: Vec<Batch>,
}

/// Something that happens at a barrier in shared memory once it is looked at.
enum Arrival {
    /// Bytes of a bulk copy, counted in the barrier's transactions.
    Bytes(Delivery),
    /// An arrival behind `cp.async` copies.
    Copies(Vec<Delivery>),
}

/// A bulk copy from shared to global memory.
pub(crate) struct BulkStore {
    /// The part of shared memory it reads.
    copy: Copying,
    /// Global address, shared offset, bytes.
    pieces: Vec<(u64, u64, u32)>,
    /// The global memory it writes.
    ranges: Vec<BulkRange>,
    group: Option<u32>,
    /// The bytes of all pieces, once the thread has waited for them to be read.
    data: Option<Vec<u8>>,
}

impl BulkStore {
    /// The copy, unless its thread has waited until shared memory is read.
    pub(crate) fn unread(&self) -> Option<Copying> {
        self.data.is_none().then_some(self.copy)
    }

    fn read(&self, shared: &[u8]) -> Vec<u8> {
        let mut data = Vec::new();
        for &(_, from, bytes) in &self.pieces {
            let piece = shared.get(from as usize..from as usize + bytes as usize);
            data.extend_from_slice(piece.unwrap_or_default());
        }
        data
    }
}

/// All asynchronous copies of a thread block.
#[derive(Default)]
pub(crate) struct Pipeline {
    warps: Vec<WarpCopies>,
    arrivals: Vec<(u64, Arrival)>,
    bulk: Vec<BulkStore>,
    /// Bulk groups committed so far, by thread; threads that never commit are absent.
    bulk_groups: Vec<(u64, u32)>,
    /// Offsets of the mbarriers that were initialised.
    mbarriers: Vec<u64>,
}

fn deliver_to(shared: &mut [u8], delivery: &Delivery) {
    let at = delivery.copy.at as usize;
    if let Some(target) = shared.get_mut(at..at + delivery.data.len()) {
        target.copy_from_slice(&delivery.data);
    }
}

impl Pipeline {
    /// Forgets everything; a new block starts.
    pub(crate) fn clear(&mut self) {
        let unused = self.warps.is_empty() && self.arrivals.is_empty();
        if unused && self.bulk_groups.is_empty() && self.mbarriers.is_empty() {
            return;
        }
        *self = Pipeline::default();
    }

    /// The mbarrier at an offset is initialised, or is one no more.
    pub(crate) fn set_mbarrier(&mut self, at: u64, initialised: bool) {
        self.mbarriers.retain(|&known| known != at);
        if initialised {
            self.mbarriers.push(at);
        }
    }

    /// A fault unless the mbarrier at an offset was initialised.
    pub(crate) fn check_mbarrier(&self, at: u64) -> Result<(), FaultReason> {
        if self.mbarriers.contains(&at) {
            return Ok(());
        }
        Err(FaultReason::Mbarrier(format!(
            "the mbarrier at shared address {at:#x} is used but not initialised"
        )))
    }

    /// Whether nothing is on its way to global memory.
    pub(crate) fn has_stores(&self) -> bool {
        !self.bulk.is_empty()
    }

    fn warp(&mut self, warp: u32) -> &mut WarpCopies {
        while self.warps.len() <= warp as usize {
            self.warps.push(WarpCopies {
                committed: [0; LANES],
                batches: Vec::new(),
            });
        }
        &mut self.warps[warp as usize]
    }

    /// `cp.async.commit_group`.
    pub(crate) fn commit(&mut self, warp: u32, mask: u32) {
        let copies = self.warp(warp);
        for lane in lanes(mask) {
            copies.committed[lane] += 1;
        }
    }

    /// `cp.async.mbarrier.arrive`: takes the lane's copies so far and lets the barrier deliver them.
    pub(crate) fn arrive_after_copies(&mut self, first_thread: u64, lane: usize, barrier: u64) {
        let batches = &mut self.warp(first_thread as u32 / 32).batches;
        let mut deliveries = Vec::new();
        for batch in batches
            .iter_mut()
            .filter(|batch| batch.mask >> lane & 1 != 0)
        {
            batch.mask &= !(1 << lane);
            let data = batch.data[lane][..batch.bytes as usize].to_vec();
            deliveries.push(Delivery {
                copy: batch.copy_of(first_thread, lane),
                data,
            });
        }
        batches.retain(|batch| batch.mask != 0);
        self.arrivals.push((barrier, Arrival::Copies(deliveries)));
    }

    /// A bulk copy to shared memory that signals `barrier`.
    pub(crate) fn send(&mut self, barrier: u64, delivery: Delivery) {
        self.arrivals.push((barrier, Arrival::Bytes(delivery)));
    }

    /// Lets everything that signals the barrier at a checked offset arrive; gives the copies.
    pub(crate) fn deliver(
        &mut self,
        shared: &mut [u8],
        barrier: u64,
    ) -> Result<Vec<Copying>, FaultReason> {
        let mut arrived = Vec::new();
        if self.arrivals.is_empty() {
            return Ok(arrived);
        }
        for (at, arrival) in take(&mut self.arrivals) {
            if at != barrier {
                self.arrivals.push((at, arrival));
                continue;
            }
            match arrival {
                Arrival::Bytes(delivery) => {
                    deliver_to(shared, &delivery);
                    arrived.push(delivery.copy);
                    mbarrier::complete(shared, at, delivery.data.len() as u32)?;
                }
                Arrival::Copies(deliveries) => {
                    deliveries
                        .iter()
                        .for_each(|delivery| deliver_to(shared, delivery));
                    arrived.extend(deliveries.iter().map(|delivery| delivery.copy));
                    mbarrier::arrive_once(shared, at)?;
                }
            }
        }
        Ok(arrived)
    }

    /// A bulk copy to global memory, not yet in a group.
    pub(crate) fn store(
        &mut self,
        copy: Copying,
        pieces: Vec<(u64, u64, u32)>,
        ranges: Vec<BulkRange>,
    ) {
        self.bulk.push(BulkStore {
            copy,
            pieces,
            ranges,
            group: None,
            data: None,
        });
    }

    /// `cp.async.bulk.commit_group` of one thread.
    pub(crate) fn commit_bulk(&mut self, thread: u64) {
        let at = self
            .bulk_groups
            .iter()
            .position(|(of, _)| *of == thread)
            .unwrap_or_else(|| {
                self.bulk_groups.push((thread, 0));
                self.bulk_groups.len() - 1
            });
        let group = self.bulk_groups[at].1;
        self.bulk_groups[at].1 += 1;
        for store in self
            .bulk
            .iter_mut()
            .filter(|store| u64::from(store.copy.thread) == thread && store.group.is_none())
        {
            store.group = Some(group);
        }
    }

    /// Of the groups a thread committed, the first that it need not have waited for when `most` may be on their way.
    fn first_open_group(&self, thread: u64, most: u32) -> u32 {
        let row = self.bulk_groups.iter().find(|(of, _)| *of == thread);
        row.map_or(0, |(_, count)| count.saturating_sub(most))
    }

    /// Takes the stores that `cp.async.bulk.wait_group` of a thread must see done.
    pub(crate) fn due_stores(&mut self, thread: u64, most: u32) -> Vec<BulkStore> {
        let open = self.first_open_group(thread, most);
        let due = |store: &BulkStore| {
            u64::from(store.copy.thread) == thread && store.group.is_some_and(|group| group < open)
        };
        let (due, rest) = take(&mut self.bulk).into_iter().partition(due);
        self.bulk = rest;
        due
    }

    /// All stores: the block ends.
    pub(crate) fn all_stores(&mut self) -> Vec<BulkStore> {
        take(&mut self.bulk)
    }
}

/// Executes `cp.async`: reads now, writes when the copy is waited for.
pub(crate) fn copy_async(
    view: &mut View<'_>,
    regs: &Regs,
    copy: &CopyAsync,
    mask: u32,
) -> LaneResult<()> {
    let to = addresses(regs, &copy.to);
    let from = addresses(regs, &copy.from);
    view.check(Space::Shared, &to, mask, copy.bytes, "store")?;
    let mut data = [[0; 16]; LANES];
    // Lanes that read as many bytes are one request.
    let mut requests: SmallVec<[(u32, u32); 2]> = SmallVec::new();
    for lane in lanes(mask) {
        let wanted = wanted_bytes(regs, copy, lane);
        if wanted == 0 {
            continue;
        }
        // Alignment is that of the whole copy even where only a part is read.
        if !from[lane].is_multiple_of(u64::from(copy.bytes)) {
            let (space, address, bytes) = ("global", from[lane], copy.bytes);
            return Err((
                lane,
                FaultReason::Misaligned {
                    access: "load",
                    space,
                    address,
                    bytes,
                },
            ));
        }
        view.check(Space::Global, &from, 1 << lane, wanted, "load")?;
        match requests.iter_mut().find(|request| request.0 == wanted) {
            Some(request) => request.1 |= 1 << lane,
            None => requests.push((wanted, 1 << lane)),
        }
        let (cells, base) = view.cells_of(from[lane]);
        let _ = cells.read(from[lane] - base, &mut data[lane][..wanted as usize]);
    }
    for &(bytes, reading) in &requests {
        view.touch(AccessKind::Load, Space::Global, &from, reading, bytes, None);
    }
    if !requests.is_empty() {
        let reading = requests.iter().fold(0, |all, request| all | request.1);
        view.counters.global_read(&from, reading, copy.bytes);
    }
    view.counters.shared_store += 1;
    let (pc, first_thread) = (view.pc, view.first_thread);
    let copies = view.pipeline.warp(first_thread as u32 / 32);
    let (group, bytes) = (copies.committed, copy.bytes);
    let batch = Batch {
        pc,
        mask,
        group,
        to: to.map(|at| at as u32),
        bytes,
        data,
    };
    let issued = lanes(mask).map(|lane| batch.copy_of(first_thread, lane));
    let issued: SmallVec<[Copying; LANES]> = issued.collect();
    copies.batches.push(batch);
    view.touch(AccessKind::Copy, Space::Shared, &to, mask, bytes, None);
    issued
        .into_iter()
        .for_each(|copy| view.copy_issued(copy, Side::Written));
    Ok(())
}

/// Executes `cp.async.wait_group`, and `wait_all` where `most` is absent: at most `most` groups stay on their way.
pub(crate) fn wait(view: &mut View<'_>, mask: u32, most: Option<u32>) {
    let first_thread = view.first_thread;
    let WarpCopies { committed, batches } = view.pipeline.warp(first_thread as u32 / 32);
    for batch in batches.iter_mut() {
        for lane in lanes(batch.mask & mask) {
            if most.is_some_and(|most| batch.group[lane] + most >= committed[lane]) {
                continue;
            }
            batch.mask &= !(1 << lane);
            let (at, bytes) = (batch.to[lane] as usize, batch.bytes as usize);
            if let Some(target) = view.shared.get_mut(at..at + bytes) {
                target.copy_from_slice(&batch.data[lane][..bytes]);
            }
            let copy = batch.copy_of(first_thread, lane);
            for observer in view.observers.iter_mut().flatten() {
                observer.copy_waited(copy, Side::Written);
            }
        }
    }
    batches.retain(|batch| batch.mask != 0);
}

/// Bytes a lane's copy really reads; the rest is filled with zeros.
fn wanted_bytes(regs: &Regs, copy: &CopyAsync, lane: usize) -> u32 {
    if copy
        .ignore
        .is_some_and(|(slot, negated)| (regs.predicates[slot as usize] >> lane & 1 != 0) != negated)
    {
        return 0;
    }
    copy.source_bytes.map_or(copy.bytes, |slot| {
        regs.words[slot as usize][lane].min(copy.bytes)
    })
}

/// Executes `cp.async.bulk.wait_group.read` for a thread: the sources are read, and may be overwritten.
pub(crate) fn read_sources(view: &mut View<'_>, thread: u64, most: u32) {
    let open = view.pipeline.first_open_group(thread, most);
    let due = |store: &&mut BulkStore| {
        u64::from(store.copy.thread) == thread && store.group.is_some_and(|group| group < open)
    };
    let mut read: SmallVec<[Copying; 4]> = SmallVec::new();
    for store in view.pipeline.bulk.iter_mut().filter(due) {
        if store.data.is_none() {
            store.data = Some(store.read(view.shared));
            read.push(store.copy);
        }
    }
    for copy in read {
        view.copy_waited(copy, Side::Read);
    }
}

/// Writes bulk stores to global memory; their addresses were checked when they were issued.
pub(crate) fn write_stores(view: &mut View<'_>, stores: &[BulkStore]) {
    for store in stores {
        if store.data.is_none() {
            view.copy_waited(store.copy, Side::Read);
        }
        let read = store.data.is_none().then(|| store.read(view.shared));
        let mut rest = store
            .data
            .as_deref()
            .or(read.as_deref())
            .unwrap_or_default();
        for &(to, _, bytes) in &store.pieces {
            let (cells, base) = view.cells_of(to);
            let (piece, others) = rest.split_at((bytes as usize).min(rest.len()));
            let _ = cells.write(to - base, piece);
            rest = others;
        }
        for range in &store.ranges {
            view.bulk_written(range);
        }
    }
}

//! Stores to global memory in hand: their stamp stands already, their value may not.
//!
//! A store that meets another block's stamp and a different value waits here while that block is between the two, however long the
//! machine keeps its host thread. Stores that wait may wait for each other, so each of them says first what it is to put where: the
//! other reads that instead of memory, and none waits for one that waits.

use crate::exec::observe::Touch;
use crate::regs::lanes;
use core::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Nothing is in hand.
const IDLE: u64 = 0;
/// A store has begun.
const STORING: u64 = 1;
/// It waits for one of another block, and its [`Slot::waiting`] is set.
const WAITING: u64 = 2;
const STATES: u64 = 3;
/// The states of one store differ from those of the next.
const NEXT: u64 = 4;

/// How long the other host thread gets each time before it is asked again.
const PAUSE: Duration = Duration::from_micros(50);

/// The stores in hand of a launch.
#[derive(Debug, Default)]
pub(super) struct Stores(Mutex<Vec<Arc<Slot>>>);

#[derive(Debug, Default)]
struct Slot {
    /// Linear index of the block.
    block: AtomicU64,
    /// [`IDLE`], [`STORING`] or [`WAITING`], and which store it is.
    state: AtomicU64,
    /// Of the last store that waited: which one it was, and its values.
    waiting: Mutex<(u64, Put)>,
}

/// The stores of one host thread's block after the other.
#[derive(Debug)]
pub(super) struct InHand {
    slot: Arc<Slot>,
    state: u64,
}

/// The values that a store puts into memory.
#[derive(Debug, Default)]
pub(super) struct Put {
    lanes: Vec<PutByLane>,
}

#[derive(Debug)]
struct PutByLane {
    thread: u64,
    address: u64,
    bytes: Vec<u8>,
}

impl Put {
    /// Of an access that has values.
    pub(super) fn by(touch: &Touch<'_>) -> Put {
        let of_lane = |lane: usize| {
            let mut bytes = vec![0; touch.bytes as usize];
            if let Some(values) = &touch.values {
                values.bytes(lane, 0, &mut bytes);
            }
            PutByLane {
                thread: touch.first_thread + lane as u64,
                address: touch.addresses[lane],
                bytes,
            }
        };
        Put {
            lanes: lanes(touch.mask).map(of_lane).collect(),
        }
    }

    /// Bytes that a thread puts at an address; `None` where it does not put all of them.
    fn at(&self, thread: u64, address: u64, bytes: usize) -> Option<&[u8]> {
        let lane = self.lanes.iter().find(|lane| lane.thread == thread)?;
        let start = usize::try_from(address.checked_sub(lane.address)?).ok()?;
        lane.bytes.get(start..start.checked_add(bytes)?)
    }
}

/// Bytes of global memory that a thread of another block stores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theirs {
    pub(super) thread: u64,
    pub(super) address: u64,
    pub(super) bytes: usize,
}

impl Stores {
    fn slots(&self) -> MutexGuard<'_, Vec<Arc<Slot>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn join(&self) -> InHand {
        let slot = Arc::new(Slot::default());
        self.slots().push(slot.clone());
        InHand { slot, state: IDLE }
    }

    /// Waits until memory holds what the blocks that `of` holds for have stored so far. Where such a store waits itself, and is
    /// to put the bytes in question, returns those: memory has them later.
    pub(super) fn settle(
        &self,
        mine: &InHand,
        put: impl FnOnce() -> Put,
        of: impl Fn(u64) -> bool,
        theirs: Theirs,
    ) -> Option<Vec<u8>> {
        fence(Ordering::Acquire);
        let begun: Vec<_> = self
            .slots()
            .iter()
            .filter(|slot| !Arc::ptr_eq(slot, &mine.slot))
            .map(|slot| (slot.clone(), slot.state.load(Ordering::Acquire)))
            .filter(|(slot, state)| {
                state & STATES != IDLE && of(slot.block.load(Ordering::Relaxed))
            })
            .collect();
        if begun.is_empty() {
            return None;
        }
        *mine.slot.waiting() = (mine.state & !STATES, put());
        let waits = mine.state & !STATES | WAITING;
        mine.slot.state.store(waits, Ordering::Release);
        let found = begun.iter().find_map(|(slot, state)| {
            let store = state & !STATES;
            loop {
                let now = slot.state.load(Ordering::Acquire);
                if now & !STATES != store || now & STATES == IDLE {
                    return None;
                }
                if now & STATES == WAITING {
                    let waiting = slot.waiting();
                    if waiting.0 == store {
                        let Theirs {
                            thread,
                            address,
                            bytes,
                        } = theirs;
                        return waiting.1.at(thread, address, bytes).map(<[u8]>::to_vec);
                    }
                }
                std::thread::sleep(PAUSE);
            }
        });
        mine.slot.state.store(mine.state, Ordering::Release);
        found
    }
}

impl Slot {
    fn waiting(&self) -> MutexGuard<'_, (u64, Put)> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InHand {
    /// A store of `block` begins: its stamps come next.
    pub(super) fn begin(&mut self, block: u64) {
        self.slot.block.store(block, Ordering::Relaxed);
        self.state = (self.state & !STATES).wrapping_add(NEXT) | STORING;
        self.slot.state.store(self.state, Ordering::Relaxed);
        // Who sees a stamp sees the store begun.
        fence(Ordering::Release);
    }

    /// The store in hand has been done.
    #[inline]
    pub(super) fn end(&mut self) {
        if self.state & STATES != IDLE {
            self.state &= !STATES;
            self.slot.state.store(self.state, Ordering::Release);
        }
    }
}

impl Drop for InHand {
    /// Nobody waits for a host thread that is gone.
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicBool;

    const WORD: Theirs = Theirs {
        thread: 3,
        address: 20,
        bytes: 4,
    };

    fn put(thread: u64, address: u64, bytes: Vec<u8>) -> Put {
        Put {
            lanes: vec![PutByLane {
                thread,
                address,
                bytes,
            }],
        }
    }

    #[test]
    fn waits_for_the_store_in_hand_and_for_no_later_one() {
        let stores = Stores::default();
        let (mut other, mine) = (stores.join(), stores.join());
        other.begin(7);
        // Another block's store is not waited for.
        assert_eq!(
            stores.settle(&mine, Put::default, |block| block != 7, WORD),
            None
        );
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                ended.store(true, Ordering::Relaxed);
                other.end();
                other.begin(7);
                std::mem::forget(other);
            });
            assert_eq!(
                stores.settle(&mine, Put::default, |block| block == 7, WORD),
                None
            );
            assert!(ended.load(Ordering::Relaxed));
        });
    }

    #[test]
    fn nobody_waits_for_one_that_is_gone() {
        let stores = Stores::default();
        let (mut other, mine) = (stores.join(), stores.join());
        other.begin(7);
        drop(other);
        assert_eq!(stores.settle(&mine, Put::default, |_| true, WORD), None);
    }

    #[test]
    fn two_that_wait_for_each_other_read_what_the_other_puts() {
        let stores = Stores::default();
        let (mut one, mut other) = (stores.join(), stores.join());
        one.begin(0);
        other.begin(1);
        let waits = |mine: InHand, block: u64, value: u8| {
            let put = || put(3, 16, vec![0, 0, 0, 0, value, value, value, value]);
            // The store is done when `mine` goes.
            stores.settle(&mine, put, |other| other != block, WORD)
        };
        std::thread::scope(|scope| {
            let first = scope.spawn(|| waits(one, 0, 5));
            let second = waits(other, 1, 6);
            let first = first.join().expect("no panic");
            // Who asks last may find the other done.
            assert!(first.is_some() || second.is_some());
            assert!(first.is_none_or(|theirs| theirs == [6; 4]));
            assert!(second.is_none_or(|theirs| theirs == [5; 4]));
        });
    }

    #[test]
    fn a_store_puts_only_its_own_bytes() {
        let put = put(3, 16, (0..8).collect());
        assert_eq!(put.at(3, 20, 4), Some(&[4, 5, 6, 7][..]));
        assert_eq!(put.at(3, 21, 4), None);
        assert_eq!(put.at(3, 12, 4), None);
        assert_eq!(put.at(4, 16, 4), None);
    }
}

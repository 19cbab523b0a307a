//! Stores to global memory in hand: their stamp stands already, their value may not.
//!
//! A store that meets another block's stamp and a different value waits here while that block is between the two, however long the
//! machine keeps its host thread. Only of a store that waits itself it tires, after about a second: they may wait for each other.

use core::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Nothing is in hand.
const IDLE: u64 = 0;
/// A store has begun.
const STORING: u64 = 1;
/// It waits for one of another block.
const WAITING: u64 = 2;
const STATES: u64 = 3;
/// The states of one store differ from those of the next.
const NEXT: u64 = 4;

/// How long the other host thread gets each time before it is asked again.
const PAUSE: Duration = Duration::from_micros(50);
/// How often a store asks one that waits itself: that one may wait for a thread which gets no processor.
const ASKED_IN_VAIN: u32 = 20_000;

/// The stores in hand of a launch.
#[derive(Debug, Default)]
pub(super) struct Stores(Mutex<Vec<Arc<Slot>>>);

#[derive(Debug, Default)]
struct Slot {
    /// Linear index of the block.
    block: AtomicU64,
    /// [`IDLE`], [`STORING`] or [`WAITING`], and which store it is.
    state: AtomicU64,
}

/// The stores of one host thread's block after the other.
#[derive(Debug)]
pub(super) struct InHand {
    slot: Arc<Slot>,
    state: u64,
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

    /// Waits until no store of the blocks that `asked` holds for is in hand which was so at the call; says whether there was one.
    pub(super) fn settle(&self, mine: &InHand, asked: impl Fn(u64) -> bool) -> bool {
        fence(Ordering::Acquire);
        let begun: Vec<_> = self
            .slots()
            .iter()
            .filter(|slot| !Arc::ptr_eq(slot, &mine.slot))
            .map(|slot| (slot.clone(), slot.state.load(Ordering::Acquire)))
            .filter(|(slot, state)| {
                state & STATES != IDLE && asked(slot.block.load(Ordering::Relaxed))
            })
            .collect();
        mine.slot
            .state
            .store(mine.state & !STATES | WAITING, Ordering::Release);
        for (slot, state) in &begun {
            let mut in_vain = 0;
            loop {
                let now = slot.state.load(Ordering::Acquire);
                if now & !STATES != state & !STATES || now & STATES == IDLE {
                    break;
                }
                in_vain += u32::from(now & STATES == WAITING);
                if in_vain > ASKED_IN_VAIN {
                    break;
                }
                std::thread::sleep(PAUSE);
            }
        }
        mine.slot.state.store(mine.state, Ordering::Release);
        !begun.is_empty()
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

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicBool;

    #[test]
    fn waits_for_the_store_in_hand_and_for_no_later_one() {
        let stores = Stores::default();
        let (mut other, mine) = (stores.join(), stores.join());
        assert!(!stores.settle(&mine, |_| true), "nothing is in hand");
        other.begin(7);
        assert!(!stores.settle(&mine, |block| block != 7), "another block");
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                ended.store(true, Ordering::Relaxed);
                other.end();
                other.begin(7);
            });
            assert!(stores.settle(&mine, |block| block == 7));
            assert!(ended.load(Ordering::Relaxed));
        });
    }

    #[test]
    fn two_that_wait_for_each_other_give_up() {
        let stores = Stores::default();
        let (mut one, mut other) = (stores.join(), stores.join());
        one.begin(0);
        other.begin(1);
        let waits = |mut mine: InHand, other: u64| {
            assert!(stores.settle(&mine, |block| block == other));
            mine.end();
        };
        std::thread::scope(|scope| {
            scope.spawn(|| waits(one, 1));
            waits(other, 0);
        });
    }
}

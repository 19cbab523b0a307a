//! Frames: the values of one function call or one batch, as `[slot][lane]`.

use crate::code::{Layout, Slot};
use crate::datum::Datum;

/// Where a slot's values lie: lane `l` at `base + l * stride`; stride 0 where all lanes share one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) base: u32,
    pub(crate) stride: u32,
}

impl Place {
    #[inline(always)]
    pub(crate) fn at(self, lane: usize) -> usize {
        self.base as usize + lane * self.stride as usize
    }
}

#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) values: Vec<Datum>,
    pub(crate) places: Vec<Place>,
    pub(crate) lanes: u32,
    /// Lanes that run this frame: a barrier waits for as many.
    pub(crate) live: u32,
}

impl Frame {
    /// Lays the frame out for `lanes` lanes; `uniform` slots hold one value for all lanes. `None`: too large.
    pub(crate) fn lay_out(
        &mut self,
        layout: &Layout,
        lanes: u32,
        uniform: impl IntoIterator<Item = Slot>,
    ) -> Option<()> {
        self.lanes = lanes;
        self.live = lanes;
        self.places.clear();
        self.places
            .resize(layout.num_slots as usize, Place { base: 0, stride: 1 });
        for (slot, _) in &layout.constants {
            self.places[slot.0 as usize].stride = 0;
        }
        for slot in uniform {
            self.places[slot.0 as usize].stride = 0;
        }
        let mut base = 0u32;
        for place in &mut self.places {
            place.base = base;
            base = base.checked_add(if place.stride == 0 { 1 } else { lanes })?;
        }
        self.values.clear();
        self.values.resize(base as usize, Datum::Unit);
        for (slot, value) in &layout.constants {
            let at = self.places[slot.0 as usize].base;
            self.values[at as usize] = value.clone();
        }
        Some(())
    }
    #[inline(always)]
    pub(crate) fn place(&self, slot: Slot) -> Place {
        self.places[slot.0 as usize]
    }
    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot, lane: usize) -> &Datum {
        &self.values[self.place(slot).at(lane)]
    }
    #[inline(always)]
    pub(crate) fn set(&mut self, slot: Slot, lane: usize, value: Datum) {
        let at = self.place(slot).at(lane);
        self.values[at] = value;
    }
}

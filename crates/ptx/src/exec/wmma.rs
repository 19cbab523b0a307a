//! `wmma` (PTX ISA, "Matrix multiply-accumulate operation using wmma instructions").
//!
//! PTX leaves the order of elements in fragments open, so programs move them by `wmma.load` and `wmma.store` alone. Here
//! a fragment is the matrix in words: A and the accumulator row after row, B column after column, word `i` in register
//! `i / 32` of lane `i % 32`. Halves have fragments that are larger than the matrix: the registers repeat.
//!
//! Every register is one access of memory by the warp, or one for each of its elements where those lie apart.

use super::memory::{load_at, store_at};
use super::mma::{dot, float_bits, integer_bits, whole_warp};
use super::view::{LaneResult, View, addresses};
use super::warp::SCRATCH_WORDS;
use crate::isa::element::Element;
use crate::isa::tensor::{BitOp, Fragment, FragmentMove, Mma, Order, Part, Shape};
use crate::isa::{Access, Address, Base};
use crate::regs::{LANES, Regs, Slot, read_slot, write_slot};
use crate::types::Type;
use smallvec::smallvec;

/// How many rows (of B: columns) the words of a fragment hold, and how many elements each has.
fn lines(part: Part, shape: Shape) -> (u32, u32) {
    match part {
        Part::A => (shape.m, shape.k),
        Part::B => (shape.n, shape.k),
        Part::C => (shape.m, shape.n),
    }
}

impl FragmentMove {
    /// Whether elements of a line lie together in memory.
    pub(crate) fn lies_along(&self) -> bool {
        (self.part == Part::B) == (self.order == Order::Columns)
    }

    /// The distance of rows or columns where none is written.
    pub(crate) fn least_stride(&self) -> u32 {
        let (lines, along) = lines(self.part, self.shape);
        if self.lies_along() { along } else { lines }
    }

    /// Registers without those that repeat others.
    fn registers(&self) -> usize {
        let (lines, along) = lines(self.part, self.shape);
        (lines * along / self.element.per_register() / LANES as u32) as usize
    }

    /// Addresses of element `e` of register `r` of all lanes.
    fn places(&self, regs: &Regs, r: usize, e: u32) -> [u64; LANES] {
        let bases = addresses(regs, &self.address);
        let strides = &regs.words[self.stride as usize];
        let (_, along) = lines(self.part, self.shape);
        core::array::from_fn(|lane| {
            let element = (r * LANES + lane) as u32 * self.element.per_register() + e;
            let (line, at) = (u64::from(element / along), u64::from(element % along));
            let stride = u64::from(strides[lane]);
            let offset = if self.lies_along() {
                line * stride + at
            } else {
                at * stride + line
            };
            bases[lane].wrapping_add(offset * u64::from(self.element.bits()) / 8)
        })
    }

    fn access(&self, ty: Type, slot: Slot) -> Access {
        Access {
            space: self.space,
            ty,
            address: Address {
                base: Base::None,
                offset: 0,
            },
            slots: smallvec![slot],
        }
    }

    fn register_type(&self) -> Type {
        if self.element == Element::F64 {
            Type::B64
        } else {
            Type::B32
        }
    }

    /// The elements of a register that are accessed one by one, and their type.
    fn apart(&self) -> Option<(u32, Type)> {
        let ty = if self.element.bits() == 8 {
            Type::B8
        } else {
            Type::B16
        };
        let count = self.element.per_register();
        (count > 1 && !self.lies_along()).then_some((count, ty))
    }
}

/// The scratch register for single elements.
fn scratch(regs: &Regs) -> Slot {
    Slot::Word((regs.words.len() - SCRATCH_WORDS) as u32)
}

/// Executes `wmma.load`.
pub(crate) fn load(
    view: &mut View<'_>,
    regs: &mut Regs,
    fragment: &FragmentMove,
    mask: u32,
) -> LaneResult<()> {
    whole_warp(mask, "wmma.load")?;
    let (scratch, registers) = (scratch(regs), fragment.registers());
    // The address may be in a register of the fragment.
    let places: Vec<_> = (0..registers)
        .map(|r| {
            let count = fragment.apart().map_or(1, |(count, _)| count);
            (0..count)
                .map(|e| fragment.places(regs, r, e))
                .collect::<Vec<_>>()
        })
        .collect();
    for (places, &slot) in places.iter().zip(&fragment.fragment) {
        let Some((_, ty)) = fragment.apart() else {
            let access = fragment.access(fragment.register_type(), slot);
            load_at(view, regs, &access, &places[0], mask)?;
            continue;
        };
        let access = fragment.access(ty, scratch);
        let mut words = [0; LANES];
        for (e, places) in places.iter().enumerate() {
            load_at(view, regs, &access, places, mask)?;
            for (lane, word) in words.iter_mut().enumerate() {
                *word |= read_slot(regs, scratch, lane) << (e as u32 * fragment.element.bits());
            }
        }
        for (lane, &word) in words.iter().enumerate() {
            write_slot(regs, slot, lane, word);
        }
    }
    for r in registers..fragment.fragment.len() {
        for lane in 0..LANES {
            let word = read_slot(regs, fragment.fragment[r % registers], lane);
            write_slot(regs, fragment.fragment[r], lane, word);
        }
    }
    Ok(())
}

/// Executes `wmma.store`.
pub(crate) fn store(
    view: &mut View<'_>,
    regs: &mut Regs,
    fragment: &FragmentMove,
    mask: u32,
) -> LaneResult<()> {
    whole_warp(mask, "wmma.store")?;
    let scratch = scratch(regs);
    for (r, &slot) in fragment.fragment.iter().enumerate() {
        let Some((count, ty)) = fragment.apart() else {
            let access = fragment.access(fragment.register_type(), slot);
            let places = fragment.places(regs, r, 0);
            store_at(view, regs, &access, &places, mask)?;
            continue;
        };
        let access = fragment.access(ty, scratch);
        for e in 0..count {
            for lane in 0..LANES {
                let word = read_slot(regs, slot, lane);
                write_slot(regs, scratch, lane, word >> (e * fragment.element.bits()));
            }
            let places = fragment.places(regs, r, e);
            store_at(view, regs, &access, &places, mask)?;
        }
    }
    Ok(())
}

/// The elements of a fragment, line by line. Single bits stay together as words.
fn gather<T>(
    regs: &Regs,
    fragment: &Fragment,
    element: Element,
    (lines, along): (u32, u32),
    value: impl Fn(u64) -> T,
) -> Vec<T> {
    let packed = element.per_register();
    let (step, count) = if element == Element::B1 {
        (0, 1)
    } else {
        (element.bits(), packed)
    };
    let registers = (lines * along / packed) as usize / LANES;
    let mut elements = Vec::with_capacity((lines * along) as usize);
    for &slot in fragment.iter().take(registers) {
        for lane in 0..LANES {
            let raw = read_slot(regs, slot, lane);
            elements.extend((0..count).map(|e| value(raw >> (e * step))));
        }
    }
    elements
}

/// Writes the accumulator fragment.
fn scatter<T: Copy>(regs: &mut Regs, mma: &Mma, sums: &[T], bits: impl Fn(T) -> u64) {
    let packed = mma.d_type.per_register() as usize;
    for (i, sums) in sums.chunks(packed).enumerate() {
        let word = sums
            .iter()
            .rev()
            .fold(0, |word, &sum| word << (mma.d_type.bits() % 64) | bits(sum));
        if let Some(&slot) = mma.d.get(i / LANES) {
            write_slot(regs, slot, i % LANES, word);
        }
    }
}

/// Executes `wmma.mma` for a whole warp.
pub(crate) fn execute(regs: &mut Regs, mma: &Mma, mask: u32) -> LaneResult<()> {
    whole_warp(mask, "wmma.mma")?;
    let of = |part| lines(part, mma.shape);
    let columns = mma.shape.n as usize;
    if mma.a_type.is_integer() {
        let a = gather(regs, &mma.a, mma.a_type, of(Part::A), |x| {
            mma.a_type.integer(x)
        });
        let b = gather(regs, &mma.b, mma.b_type, of(Part::B), |x| {
            mma.b_type.integer(x)
        });
        let mut sums = gather(regs, &mma.c, mma.c_type, of(Part::C), |x| {
            i64::from(x as i32)
        });
        let depth = a.len() / mma.shape.m as usize;
        let multiply = |a: i32, b: i32| match (mma.a_type, mma.bit_op) {
            (Element::B1, BitOp::Xor) => i64::from((a ^ b).count_ones()),
            (Element::B1, BitOp::And) => i64::from((a & b).count_ones()),
            _ => i64::from(a) * i64::from(b),
        };
        for (i, sum) in sums.iter_mut().enumerate() {
            let (row, column) = (&a[i / columns * depth..], &b[i % columns * depth..]);
            let products = row.iter().zip(column).take(depth);
            *sum += products.map(|(&a, &b)| multiply(a, b)).sum::<i64>();
        }
        scatter(regs, mma, &sums, |sum| {
            u64::from(integer_bits(sum, mma.overflow))
        });
        return Ok(());
    }
    let a = gather(regs, &mma.a, mma.a_type, of(Part::A), |x| {
        mma.a_type.float(x)
    });
    let b = gather(regs, &mma.b, mma.b_type, of(Part::B), |x| {
        mma.b_type.float(x)
    });
    let mut sums = gather(regs, &mma.c, mma.c_type, of(Part::C), |x| {
        mma.c_type.float(x)
    });
    let (depth, fused) = (mma.shape.k as usize, mma.a_type == Element::F64);
    for (i, sum) in sums.iter_mut().enumerate() {
        let (row, column) = (i / columns * depth, i % columns * depth);
        *sum = dot(
            &a[row..row + depth],
            &b[column..column + depth],
            *sum,
            fused,
        );
    }
    scatter(regs, mma, &sums, |sum| float_bits(mma.d_type, sum));
    Ok(())
}

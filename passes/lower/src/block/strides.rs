//! Loops that share elements out among the threads of a block.
//!
//! A thread takes every so-manieth element. Where each of them is read from global memory, which takes long, and little is
//! done with it, a thread takes [`AT_ONCE`] in one step, so that their loads are on their way together:
//!
//! ```text
//! for %i = %thread to %n step %threads { f(%i) }
//! ```
//! becomes
//! ```text
//! %full = %n - %n mod (4 * %threads)
//! for %i = %thread to %full step 4 * %threads { f(%i) f(%i + %threads) f(%i + 2 %threads) f(%i + 3 %threads) }
//! for %i = %full + %thread to %n step %threads { f(%i) }
//! ```
//! Where the numbers of elements and threads are known, the loop has as many steps as all threads have elements, which LLVM
//! unrolls, and a branch is for the elements that only some have.
//!
//! Every thread takes the same elements in the same order. Legality: any body.

use super::ops::Inner;
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::state::{Extent, Memory};
use segra_ir::interfaces::constant_of;
use segra_ir::{InsertPoint, Value};
use segra_kernel::access::Read;
use segra_std::arith::{self, CmpIPredicate};

/// Elements of one step.
const AT_ONCE: i64 = 4;
/// Ops of a body of which there may be so many copies.
const MOST_OPS: usize = 8;

/// Which elements, and whose: from `thread` on, `threads` apart, below `count`.
#[derive(Clone, Copy)]
pub(super) struct Strides {
    pub(super) thread: Value,
    pub(super) threads: Value,
    pub(super) count: Value,
    /// Whether several are taken in one step.
    pub(super) several: bool,
}

impl Kernel<'_> {
    /// The loop, carrying `inits`; returns the final values.
    pub(super) fn for_strides(
        &mut self,
        point: InsertPoint,
        strides: Strides,
        inits: &[Value],
        mut body: impl FnMut(&mut Self, InsertPoint, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let Strides {
            thread,
            threads,
            count,
            several,
        } = strides;
        let known = |value: Value| self.ir.constant_int(value);
        if let (Some(threads), Some(count)) = (known(threads), known(count)) {
            // With values to carry, threads without an element would need the others' values.
            if threads > 0 && inits.is_empty() && count >= 0 {
                self.turns(point, thread, (threads, count), body);
                return Vec::new();
            }
        }
        if !several {
            return self.for_loop(point, (thread, count, threads), inits, body);
        }
        let mut b = self.at(point);
        let at_once = constant(&mut b, AT_ONCE);
        let step = mul(&mut b, threads, at_once);
        let left = arith::RemUIOp::build(&mut b, count, step).result(b.ir);
        let full = arith::SubIOp::build(&mut b, count, left).result(b.ir);
        let values = self.for_loop(
            point,
            (thread, full, step),
            inits,
            |kernel, point, first, values| {
                let (mut at, mut values) = (first, values.to_vec());
                for number in 0..AT_ONCE {
                    if number > 0 {
                        at = add(&mut kernel.at(point), at, threads);
                    }
                    values = body(kernel, point, at, &values);
                }
                values
            },
        );
        let first = add(&mut self.at(point), full, thread);
        self.for_loop(point, (first, count, threads), &values, body)
    }

    /// A loop of as many steps as all threads have elements, then a branch.
    fn turns(
        &mut self,
        point: InsertPoint,
        thread: Value,
        (threads, count): (i64, i64),
        mut body: impl FnMut(&mut Self, InsertPoint, Value, &[Value]) -> Vec<Value>,
    ) {
        let mut b = self.at(point);
        let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
        let (turns, step) = (constant(&mut b, count / threads), constant(&mut b, threads));
        let (left, before) = (count % threads, count - count % threads);
        if count == threads {
            body(self, point, thread, &[]);
        } else if count > threads {
            self.for_loop(point, (zero, turns, one), &[], |kernel, point, turn, _| {
                let mut b = kernel.at(point);
                let first = mul(&mut b, turn, step);
                let at = add(&mut b, first, thread);
                body(kernel, point, at, &[])
            });
        }
        if left > 0 {
            let mut b = self.at(point);
            let (left, before) = (constant(&mut b, left), constant(&mut b, before));
            let has = compare(&mut b, CmpIPredicate::Slt, thread, left);
            self.when(point, Some(has), |kernel, point| {
                let at = add(&mut kernel.at(point), thread, before);
                body(kernel, point, at, &[]);
            });
        }
    }

    /// Whether a segmented op's elements are worth taking several at once.
    pub(super) fn takes_several(&self, inner: &Inner) -> bool {
        let known = |extent: &Extent| match *extent {
            Extent::Host(size) | Extent::Inside(size) => constant_of(self.ir, size).is_some(),
        };
        let Some(block) = self.ir.blocks(inner.body).next() else {
            return false;
        };
        let from_afar = |read: Read| {
            let place = self
                .arrays
                .get(&read.tensor(self.ir))
                .map(|array| array.memory);
            matches!(place, None | Some(Memory::Global(_)))
        };
        let ops = || self.ir.ops(block);
        !inner.extents.iter().all(known)
            && ops().count() <= MOST_OPS
            && ops().all(|op| self.ir.regions(op).is_empty())
            && ops().filter_map(|op| Read::of(self.ir, op)).any(from_afar)
    }
}

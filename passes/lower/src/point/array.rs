//! Arrays in a kernel: where their elements lie, and access to them.
//!
//! Element `l` in row-major order lies at `offset + l * stride` of a flat buffer. Captured arrays are the host's buffers.
//! Arrays that a thread makes for itself lie in a buffer with space for all threads, element after element with the
//! threads side by side, so that neighbouring threads access neighbouring elements.

use crate::access::{load, store};
use crate::kernel::Kernel;
use crate::launch::{add, constant, mul};
use crate::state::{Array, Extent, Memory, Swizzle};
use segra_ir::{InsertPoint, Value};
use segra_std::arith;
use segra_std::arith::expr::linear_index;

impl Kernel<'_> {
    /// An extent as a value of the kernel.
    pub(crate) fn extent(&mut self, extent: Extent) -> Value {
        match extent {
            Extent::Inside(value) => value,
            Extent::Host(value) => self.scalar(value),
        }
    }

    /// The number of elements, as a value of the kernel.
    pub(crate) fn count(&mut self, point: InsertPoint, extents: &[Extent]) -> Value {
        let hosted: Option<Vec<Value>> = extents
            .iter()
            .map(|extent| match extent {
                Extent::Host(value) => Some(*value),
                Extent::Inside(_) => None,
            })
            .collect();
        match (hosted.as_deref(), extents) {
            (_, []) => constant(&mut self.at(point), 1),
            (Some(values), _) => match self.known_product(values) {
                Some(product) => constant(&mut self.at(point), product),
                None => {
                    let product = self.host_product(values);
                    self.scalar(product)
                }
            },
            (None, _) => {
                let values: Vec<Value> =
                    extents.iter().map(|&extent| self.extent(extent)).collect();
                let mut b = self.at(point);
                values[1..]
                    .iter()
                    .fold(values[0], |product, &value| mul(&mut b, product, value))
            }
        }
    }

    /// Row-major number of the element at these indices, or of the first of those that begin with them.
    pub(crate) fn linear(&mut self, point: InsertPoint, array: &Array, indices: &[Value]) -> Value {
        let mut known: Vec<Option<Value>> = array
            .extents
            .iter()
            .enumerate()
            .map(|(dim, &extent)| (dim > 0 && dim < indices.len()).then(|| self.extent(extent)))
            .collect();
        if let (Some(pitch), Some(last)) = (array.pitch, known.last_mut()) {
            *last = Some(constant(&mut self.at(point), pitch.elements));
        }
        let swizzle = array.pitch.and_then(|pitch| pitch.swizzle);
        let linear = match (swizzle, indices) {
            (Some(swizzle), &[row, column]) => {
                let lines = array
                    .pitch
                    .and_then(|pitch| Some((pitch.elements, pitch.lines?.apart)));
                let (row, more) = self.whole_periods(array, swizzle, row);
                let turn = self.turn(point, swizzle, row);
                let mut b = self.at(point);
                let first = match lines {
                    Some(lines) => in_lines(&mut b, lines, ([row, column], turn)),
                    None => {
                        let column = arith::XOrIOp::build(&mut b, column, turn).result(b.ir);
                        linear_index(&mut b, &[row, column], &known)
                    }
                };
                let more = constant(&mut b, more);
                add(&mut b, first, more)
            }
            _ => linear_index(&mut self.at(point), indices, &known),
        };
        if indices.len() == array.extents.len() {
            return linear;
        }
        let rest = self.count(point, &array.extents[indices.len()..]);
        mul(&mut self.at(point), linear, rest)
    }

    /// A row as another one, whose places differ in the same bits, and how many elements it lies behind that: the places of
    /// rows that are a constant apart are then, too. Periods are powers of two, so it holds also where a sum wraps.
    fn whole_periods(&self, array: &Array, swizzle: Swizzle, row: Value) -> (Value, i64) {
        let pitch = array.pitch;
        let period = swizzle.rows * swizzle.parts;
        let split = self.ir.def_as::<arith::AddIOp>(row).and_then(|sum| {
            let rows = self.ir.constant_int(sum.rhs(self.ir))?;
            let whole = period.count_ones() == 1 && rows % period == 0;
            let more = rows.checked_mul(pitch?.elements)?;
            whole.then(|| (sum.lhs(self.ir), more))
        });
        split.unwrap_or((row, 0))
    }

    /// The bits in which places in a row differ from numbers of elements.
    pub(crate) fn turn(&mut self, point: InsertPoint, swizzle: Swizzle, row: Value) -> Value {
        let mut b = self.at(point);
        let [part, parts, rows] =
            [swizzle.part, swizzle.parts, swizzle.rows].map(|count| constant(&mut b, count));
        let group = match swizzle.rows {
            1 => row,
            _ => arith::DivUIOp::build(&mut b, row, rows).result(b.ir),
        };
        let order = arith::RemUIOp::build(&mut b, group, parts).result(b.ir);
        mul(&mut b, order, part)
    }

    /// Where in the buffer the element with this number lies.
    pub(crate) fn position(&mut self, point: InsertPoint, array: &Array, linear: Value) -> Value {
        let mut b = self.at(point);
        let scaled = match array.stride {
            Some(stride) => mul(&mut b, linear, stride),
            None => linear,
        };
        match array.offset {
            Some(offset) => add(&mut b, offset, scaled),
            None => scaled,
        }
    }

    /// The array of the elements that begin with these indices.
    pub(crate) fn row(&mut self, point: InsertPoint, array: &Array, indices: &[Value]) -> Array {
        let first = self.linear(point, array, indices);
        let extents = array
            .extents
            .get(indices.len()..)
            .unwrap_or_default()
            .to_vec();
        self.part(point, array, first, extents)
    }

    /// The array of the elements from number `first` on.
    pub(crate) fn part(
        &mut self,
        point: InsertPoint,
        array: &Array,
        first: Value,
        extents: Vec<Extent>,
    ) -> Array {
        if array.memory == Memory::Nothing {
            return Array {
                extents,
                ..array.clone()
            };
        }
        let offset = Some(self.position(point, array, first));
        Array {
            offset,
            extents,
            ..array.clone()
        }
    }

    /// The element with this number in row-major order.
    pub(crate) fn load_element(
        &mut self,
        point: InsertPoint,
        array: &Array,
        linear: Value,
    ) -> Value {
        let Some(buffer) = array.memory.buffer() else {
            return crate::access::zero(&mut self.at(point), array.element);
        };
        self.now_reads(array);
        let at = self.position(point, array, linear);
        load(&mut self.at(point), buffer, &[at])
    }

    /// Sets the element with this number in row-major order.
    pub(crate) fn store_element(
        &mut self,
        point: InsertPoint,
        array: &Array,
        linear: Value,
        value: Value,
    ) {
        let Some(buffer) = array.memory.buffer() else {
            return;
        };
        self.now_writes(array);
        let at = self.position(point, array, linear);
        store(&mut self.at(point), value, buffer, at);
    }

    /// Copies all elements, by one thread.
    pub(crate) fn copy_by_thread(&mut self, point: InsertPoint, from: &Array, to: &Array) {
        if from.memory == Memory::Nothing || from.same_place(to) {
            return;
        }
        let count = self.count(point, &to.extents);
        let mut b = self.at(point);
        let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
        self.for_loop(point, (zero, count, one), &[], |kernel, point, at, _| {
            let value = kernel.load_element(point, from, at);
            kernel.store_element(point, to, at, value);
            Vec::new()
        });
    }
}

/// The number of the element of a row, where rows are in lines of so many elements, whose places differ in these bits.
fn in_lines(
    b: &mut segra_ir::Builder<'_>,
    (elements, apart): (i64, i64),
    ([row, column], turn): ([Value; 2], Value),
) -> Value {
    let length = constant(b, elements);
    let rest = arith::RemUIOp::build(b, column, length).result(b.ir);
    let number = arith::DivUIOp::build(b, column, length).result(b.ir);
    let place = arith::XOrIOp::build(b, rest, turn).result(b.ir);
    let row = mul(b, row, length);
    let apart = constant(b, apart);
    let line = mul(b, number, apart);
    let line = add(b, line, row);
    add(b, line, place)
}

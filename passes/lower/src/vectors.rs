//! Wide accesses in a kernel: vectors from and to memory, and a body once for each of their elements.

use crate::access::{byte_width, element_type, load};
use crate::kernel::Kernel;
use crate::launch::{add, constant};
use crate::wide::Wide;
use segra_ir::{Builder, InsertPoint, OpView, Region, Type, Value};
use segra_kernel::access::Read;
use segra_std::vector;

/// Where elements lie: their indices in the space, and their number in an array as large as the space.
#[derive(Clone, Copy)]
pub(crate) struct Elements<'a> {
    pub(crate) indices: &'a [Value],
    pub(crate) number: Value,
}

impl Wide {
    /// The values of the body at the elements from the given ones on, by lane.
    pub(crate) fn values(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        body: Region,
        at: Elements<'_>,
    ) -> Vec<Vec<Value>> {
        // Elements of several lanes at a time need more registers than ptxas gives a thread for the sake of occupancy.
        kernel.keep_registers();
        let mut vectors = Vec::new();
        for &read in &self.whole {
            vectors.push((read, self.load(kernel, point, read, at.number)));
        }
        for &read in &self.partial {
            let skip = at.indices.len() - read.indices(kernel.ir).len();
            let number = kernel
                .number_in(point, read, &at.indices[skip..])
                .unwrap_or(at.number);
            vectors.push((read, self.load(kernel, point, read, number)));
        }
        let mut values = Vec::new();
        for lane in 0..self.lanes {
            let mut indices = at.indices.to_vec();
            if let Some(last) = indices.last_mut() {
                let mut b = kernel.at(point);
                let lane = constant(&mut b, lane);
                *last = add(&mut b, *last, lane);
            }
            let of_lane = |row: &(Read, Vec<Value>)| Some((row.0, *row.1.get(lane as usize)?));
            let given = vectors.iter().filter_map(of_lane).collect();
            values.push(kernel.inline_given(point, body, &indices, given));
        }
        values
    }

    /// The values of the body at one element.
    pub(crate) fn value(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        body: Region,
        at: Elements<'_>,
    ) -> Vec<Value> {
        let mut given = Vec::new();
        for &read in &self.whole {
            if let Some(flat) = kernel.captured_flat(read) {
                given.push((read, load(&mut kernel.at(point), flat, &[at.number])));
            }
        }
        kernel.inline_given(point, body, at.indices, given)
    }

    /// Stores the values of each lane to consecutive elements.
    pub(crate) fn store(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        buffers: &[Value],
        values: &[Vec<Value>],
        number: Value,
    ) {
        for (position, &buffer) in buffers.iter().enumerate() {
            let lanes: Vec<Value> = values
                .iter()
                .filter_map(|lane| lane.get(position).copied())
                .collect();
            let mut b = kernel.at(point);
            let Some(ty) = lanes.first().map(|&value| b.type_of(value)) else {
                continue;
            };
            let (ty, alignment) = (self.vector_of(&mut b, ty), self.alignment(&mut b, lanes[0]));
            let vector = vector::FromElementsOp::build(&mut b, &lanes, ty).dest(b.ir);
            vector::StoreOp::builder()
                .value_to_store(vector)
                .base(buffer)
                .indices(&[number])
                .alignment(alignment)
                .build(&mut b);
        }
    }

    /// The elements of a read from the given number on.
    pub(crate) fn load(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        read: Read,
        number: Value,
    ) -> Vec<Value> {
        let Some(flat) = kernel.captured_flat(read) else {
            return Vec::new();
        };
        let mut b = kernel.at(point);
        let element = element_type(b.ir, b.type_of(flat));
        let ty = self.vector_of(&mut b, element);
        let element = read.result(b.ir);
        let alignment = self.alignment(&mut b, element);
        let vector = vector::LoadOp::builder()
            .base(flat)
            .indices(&[number])
            .alignment(alignment)
            .result_type(ty)
            .build(&mut b)
            .result(b.ir);
        let elements = vector::ToElementsOp::build(&mut b, vector).op();
        kernel.ir.results(elements).collect()
    }

    fn vector_of(&self, b: &mut Builder<'_>, element: Type) -> Type {
        b.ctx().vector(&[self.lanes], element)
    }

    /// Bytes of a vector of elements like this one: what its address is a multiple of.
    fn alignment(&self, b: &mut Builder<'_>, element: Value) -> segra_ir::Attr {
        let bytes = byte_width(b.ir, element) * self.lanes;
        b.ctx().i64_attr(bytes)
    }
}

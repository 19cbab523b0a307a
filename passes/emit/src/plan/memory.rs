//! Memory on the host: allocation, views, extents, single elements, copies.

use super::{Buffer, HostValue, Translated, Translator, shape};
use segra_artifact::plan::BinaryOp;
use segra_artifact::{Slot, SlotType};
use segra_gpu::host::{AllocOp, LaunchFuncOp};
use segra_gpu::record::{RECORD, is_record};
use segra_ir::types::DYNAMIC;
use segra_ir::{Op, OpView, TypeKind, Value};

impl Translator<'_> {
    pub(super) fn cast(&mut self, op: Op) -> Translated<()> {
        let buffer = self.buffer(op, 0)?;
        self.define(op, 0, HostValue::Buffer(buffer));
        Ok(())
    }

    pub(super) fn load(&mut self, op: Op) -> Translated<Slot> {
        let buffer = self.buffer(op, 0)?;
        let index = self.linear_index(op, &buffer, 1)?;
        Ok(self.plan.read_elem(buffer.slot, index))
    }

    pub(super) fn store(&mut self, op: Op) -> Translated<()> {
        let value = self.scalar(op, 0)?;
        let buffer = self.buffer(op, 1)?;
        let index = self.linear_index(op, &buffer, 2)?;
        self.plan.write_elem(buffer.slot, index, value);
        Ok(())
    }

    pub(super) fn dealloc(&mut self, op: Op) -> Translated<()> {
        let buffer = self.buffer(op, 0)?;
        self.plan.free(buffer.slot);
        Ok(())
    }

    pub(super) fn copy(&mut self, op: Op) -> Translated<()> {
        let (to, from) = (self.buffer(op, 0)?, self.buffer(op, 1)?);
        let count = self.count(&from);
        self.plan.copy(to.slot, from.slot, count);
        Ok(())
    }

    pub(super) fn fill(&mut self, op: Op) -> Translated<()> {
        let (buffer, value) = (self.buffer(op, 0)?, self.scalar(op, 1)?);
        let count = self.count(&buffer);
        self.plan.fill(buffer.slot, value, count);
        Ok(())
    }

    /// Number of elements.
    fn count(&mut self, buffer: &Buffer) -> Slot {
        match buffer.extents.split_first() {
            None => self.plan.index(1),
            Some((&first, rest)) => rest.iter().fold(first, |count, &extent| {
                self.plan.binary(BinaryOp::Mul, count, extent)
            }),
        }
    }

    pub(super) fn alloc(&mut self, op: Op) -> Translated<()> {
        // The runtime adds its own record to launches.
        if self.ir.attr_named(op, RECORD).is_some() {
            return Ok(());
        }
        let alloc = AllocOp::from_op(op);
        let result = alloc.memref(self.ir);
        if self.ir.results(op).len() > 1 || !is_row_major(self.ir, result) {
            return self.refuse(
                op,
                "must be synchronous and row-major to be run by the host",
            );
        }
        let mut given = Vec::new();
        for value in alloc.dynamic_sizes(self.ir) {
            given.push(self.scalar_of(op, value)?);
        }
        let mut given = given.into_iter();
        let mut extents = Vec::new();
        for extent in shape(self.ir, result) {
            let dynamic = if extent == DYNAMIC {
                given.next()
            } else {
                None
            };
            extents.push(dynamic.unwrap_or_else(|| self.plan.index(extent)));
        }
        let elem = self.result_elem(op)?;
        let mut buffer = Buffer {
            slot: Slot(0),
            extents,
        };
        let count = self.count(&buffer);
        buffer.slot = self.plan.alloc(elem, count);
        self.define(op, 0, HostValue::Buffer(buffer));
        Ok(())
    }

    pub(super) fn dim(&mut self, op: Op) -> Translated<()> {
        let buffer = self.buffer(op, 0)?;
        let index = self.ir.constant_int(self.ir.operand(op, 1));
        let index = index.and_then(|index| usize::try_from(index).ok());
        match index.and_then(|index| buffer.extents.get(index)) {
            Some(&extent) => {
                self.define(op, 0, HostValue::Scalar(extent));
                Ok(())
            }
            None => self.refuse(op, "must ask for a constant dimension that exists"),
        }
    }

    /// Another shape over the same elements. That strides are those of the row-major order is the lowering's
    /// promise where they are dynamic; the innermost one and the offset are checked.
    pub(super) fn reinterpret_cast(&mut self, op: Op) -> Translated<()> {
        let buffer = self.buffer(op, 0)?;
        let (ir, ctx) = (self.ir, self.ir.ctx());
        let list = |name: &str| {
            ir.attr_named(op, name)
                .and_then(|attr| attr.as_dense_i64(ctx))
                .unwrap_or_default()
        };
        let (offsets, sizes, strides) = (
            list("static_offsets"),
            list("static_sizes"),
            list("static_strides"),
        );
        if offsets.first() != Some(&0) || strides.last().is_some_and(|&stride| stride != 1) {
            return self.refuse(
                op,
                "must keep offset 0 and innermost stride 1 to be run by the host",
            );
        }
        let operands: Vec<Value> = ir.operands(op).skip(1).collect();
        let mut dynamic = operands.into_iter();
        let mut extents = Vec::new();
        for size in sizes {
            extents.push(match (size, dynamic.next()) {
                (DYNAMIC, Some(value)) => self.scalar_of(op, value)?,
                (DYNAMIC, None) => return self.refuse(op, "lacks a size"),
                (size, unused) => {
                    dynamic = unused
                        .into_iter()
                        .chain(dynamic)
                        .collect::<Vec<_>>()
                        .into_iter();
                    self.plan.index(size)
                }
            });
        }
        self.define(
            op,
            0,
            HostValue::Buffer(Buffer {
                slot: buffer.slot,
                extents,
            }),
        );
        Ok(())
    }

    /// `((i0 * n1 + i1) * n2 + i2) ...` of the operands from `first` on.
    fn linear_index(&mut self, op: Op, buffer: &Buffer, first: usize) -> Translated<Slot> {
        let rank = buffer.extents.len();
        let mut linear = None;
        for dim in 0..rank {
            let index = self.scalar(op, first + dim)?;
            linear = Some(match linear {
                None => index,
                Some(outer) => {
                    let scaled = self.plan.binary(BinaryOp::Mul, outer, buffer.extents[dim]);
                    self.plan.binary(BinaryOp::Add, scaled, index)
                }
            });
        }
        Ok(linear.unwrap_or_else(|| self.plan.index(0)))
    }

    pub(super) fn launch(&mut self, op: Op) -> Translated<()> {
        let launch = LaunchFuncOp::from_op(op);
        let target = launch.resolve_kernel(self.ir, self.symbols);
        let Some(kernel) = target.and_then(|func| self.kernels.id(func.op())) else {
            return self.refuse(op, "launches no kernel of this module");
        };
        let mut extents = [Slot(0); 6];
        for (at, value) in launch
            .grid(self.ir)
            .into_iter()
            .chain(launch.block(self.ir))
            .enumerate()
        {
            extents[at] = self.scalar_of(op, value)?;
        }
        let dynamic_shared = match launch.dynamic_shared_memory(self.ir) {
            None => None,
            Some(value) => {
                let bytes = self.scalar_of(op, value)?;
                let SlotType::Scalar(_) = self.plan.slot_type(bytes) else {
                    return self.refuse(op, "lacks a size");
                };
                Some(self.plan.convert(
                    segra_artifact::Convert::Unsigned,
                    bytes,
                    segra_artifact::ElemType::I64,
                ))
            }
        };
        let mut args = Vec::new();
        for value in launch.arguments(self.ir) {
            if is_record(self.ir, value) {
                continue;
            }
            args.push(match self.value(op, value)? {
                HostValue::Scalar(slot) => slot,
                HostValue::Buffer(buffer) => buffer.slot,
            });
        }
        let [gx, gy, gz, bx, by, bz] = extents;
        self.plan
            .launch(kernel, [gx, gy, gz], [bx, by, bz], dynamic_shared, &args);
        Ok(())
    }
}

fn is_row_major(ir: &segra_ir::Ir, value: Value) -> bool {
    matches!(
        ir.ctx().type_kind(ir.value_type(value)),
        TypeKind::MemRef { layout: None, .. }
    )
}

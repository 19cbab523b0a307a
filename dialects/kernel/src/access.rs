//! Accesses of tensors at indices: elements (`tensor.extract`, `tensor.insert`) and the parts at leading indices of tensors
//! (`tensor.extract_slice`, `tensor.insert_slice`), which passes treat alike; and the marks that say how.
//!
//! ```mlir
//! %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
//! %row = tensor.extract_slice %xs[%i, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
//! ```
//! Of slices, these are the accesses with an index for each of the dimensions that they leave out, and a window from the start
//! of each of the others. The window's sizes are the extents of what is read, and may be less than the tensor's; where they are
//! not, an access is whole ([`is_whole`]), and all that [`Read::build`] and [`Update::build`] make are.

use crate::extent::{extent_of, origin_of, resolved};
use crate::segop::{SegMapOp, SegmentedOp};
use crate::vector::{element_bytes, marked, transposed_dim, vector_of};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, AttrKind, Builder, Ir, Op, OpDiagnostics, OpView, Value};
use segra_pass::option_enum;
use segra_std::recorded::{self, Extent};
use segra_std::tensor::{DimOp, ExtractOp, ExtractSliceOp, InsertOp, InsertSliceOp};

option_enum! {
    /// Whether kernels check indices that may be out of range.
    pub enum Checks {
        /// They do, and report the first that is.
        On = "on",
        /// The program promises that none is.
        Off = "off",
    }
}

/// Mark of an access whose index the program gives, and which may be out of range: running it checks, on every device.
pub const CHECKED: &str = "kernel.checked";
/// Mark of a read of several neighbouring points at once, as many as the op around says: see [`crate::vector`].
pub const VECTOR: &str = "kernel.vector";
/// Mark of a read that the segmap around does in tiles, by way of shared memory: see [`crate::vector`].
pub const STAGED: &str = "kernel.staged";

/// A read at indices of a tensor: an element, or the part that fewer indices than dimensions select.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Read(Op);

/// A tensor with what indices select replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Update(Op);

/// Whether an access by a slice is one at leading indices whose sizes are the extents of the tensor's other dimensions, as far as
/// can be seen.
pub fn is_whole(ir: &Ir, op: Op) -> bool {
    let slice = match (ir.cast::<ExtractSliceOp>(op), ir.cast::<InsertSliceOp>(op)) {
        (Some(slice), _) => slice.leading(ir).map(|window| (slice.source(ir), window)),
        (_, Some(slice)) => slice.leading(ir).map(|window| (slice.dest(ir), window)),
        _ => None,
    };
    slice.is_some_and(|(tensor, window)| {
        let count = window.indices.len();
        let mut sizes = window.sizes.iter().enumerate();
        count > 0 && sizes.all(|(at, &size)| is_extent(ir, size, tensor, count + at))
    })
}

/// Whether a size is the extent of a dimension of a tensor.
fn is_extent(ir: &Ir, size: Result<i64, Value>, tensor: Value, dim: usize) -> bool {
    let number = |value: Value| ir.constant_int(value);
    let known = extent_of(ir, tensor, dim).map(|extent| resolved(ir, extent));
    let origin = origin_of(ir, tensor, dim);
    let said = |(tensor, dim): (Value, usize)| {
        let shape = ir.value_type(tensor).shaped(ir.ctx());
        let extent = shape.and_then(|(shape, _)| shape.get(dim).copied());
        extent.filter(|&extent| extent != DYNAMIC)
    };
    let recorded = recorded::extent(ir, origin.0, origin.1);
    let extent = said((tensor, dim))
        .or_else(|| number(known?))
        .or_else(|| said(origin))
        .or(match recorded {
            Some(Extent::Known(extent)) => Some(extent),
            _ => None,
        });
    match size {
        Ok(size) => extent == Some(size),
        Err(value) => {
            let value = resolved(ir, value);
            let asked = || {
                let asked = ir.def_as::<DimOp>(value)?;
                Some(origin_of(ir, asked.source(ir), asked.dim(ir)?))
            };
            let named = |(tensor, dim): (Value, usize)| recorded::extent(ir, tensor, dim);
            known == Some(value)
                || extent.is_some() && number(value) == extent
                || asked().is_some_and(|asked| {
                    asked == origin || recorded.is_some() && named(asked) == recorded
                })
        }
    }
}

/// The extents of the dimensions of `tensor` behind the first `count`: numbers and values that are there already, else asked
/// for here.
fn sizes_behind(b: &mut Builder<'_>, tensor: Value, count: usize) -> Vec<Result<i64, Value>> {
    let shape = b.ir.value_type(tensor).shaped(b.ctx());
    let shape = shape.map_or(Vec::new(), |(shape, _)| shape.to_vec());
    let size = |(dim, &extent): (usize, &i64)| match extent {
        DYNAMIC => Err(DimOp::of(b, tensor, dim)),
        extent => Ok(extent),
    };
    shape.iter().enumerate().skip(count).map(size).collect()
}

fn is_element(ir: &Ir, tensor: Value, indices: &[Value]) -> bool {
    let shaped = ir.value_type(tensor).shaped(ir.ctx());
    shaped.is_none_or(|(shape, _)| shape.len() <= indices.len())
}

fn mark_checked(b: &mut Builder<'_>, op: Op, checked: bool) {
    if checked {
        let unit = b.ctx().unit();
        b.ir.set_attr_named(op, CHECKED, Some(unit));
    }
}

impl Read {
    /// Reads what indices, one or more, select.
    pub fn build(b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Read {
        if is_element(b.ir, tensor, indices) {
            return Read(ExtractOp::build(b, tensor, indices).op());
        }
        let sizes = sizes_behind(b, tensor, indices.len());
        Read(ExtractSliceOp::at(b, tensor, indices, &sizes).op())
    }
    /// The same, with the mark [`CHECKED`] or without it.
    pub fn build_checked(
        b: &mut Builder<'_>,
        tensor: Value,
        indices: &[Value],
        checked: bool,
    ) -> Read {
        let read = Read::build(b, tensor, indices);
        mark_checked(b, read.0, checked);
        read
    }
    /// The op, if it is such a read.
    pub fn of(ir: &Ir, op: Op) -> Option<Read> {
        if ir.isa::<ExtractOp>(op) {
            return Some(Read(op));
        }
        let slice = ir.cast::<ExtractSliceOp>(op)?;
        let window = slice.leading(ir)?;
        (!window.indices.is_empty()).then_some(Read(op))
    }
    /// The read that a value is the result of.
    pub fn defining(ir: &Ir, value: Value) -> Option<Read> {
        Read::of(ir, ir.defining_op(value)?)
    }
    /// The same read in a copy of the code around it, where `op` is its copy.
    pub fn twin(self, op: Op) -> Read {
        Read(op)
    }
    /// Whether an op is such a read.
    pub fn is(ir: &Ir, op: Op) -> bool {
        Read::of(ir, op).is_some()
    }
    /// The op.
    pub fn op(self) -> Op {
        self.0
    }
    /// The tensor.
    pub fn tensor(self, ir: &Ir) -> Value {
        ir.operand(self.0, 0)
    }
    /// The indices, outermost first.
    pub fn indices(self, ir: &Ir) -> Vec<Value> {
        ir.operand_group(self.0, 1)
            .map(|at| ir.operand(self.0, at))
            .collect()
    }
    /// The element or part.
    pub fn result(self, ir: &Ir) -> Value {
        ir.result(self.0, 0)
    }
    /// Whether it has the mark [`CHECKED`].
    pub fn is_checked(self, ir: &Ir) -> bool {
        ir.attr_named(self.0, CHECKED).is_some()
    }
    /// Whether it has the mark [`VECTOR`].
    pub fn is_vector(self, ir: &Ir) -> bool {
        ir.attr_named(self.0, VECTOR).is_some()
    }
    /// Whether it has the mark [`STAGED`].
    pub fn is_staged(self, ir: &Ir) -> bool {
        ir.attr_named(self.0, STAGED).is_some()
    }
}

impl Update {
    /// A tensor with what indices, one or more, select replaced by `value`.
    pub fn build(b: &mut Builder<'_>, value: Value, tensor: Value, indices: &[Value]) -> Update {
        if is_element(b.ir, tensor, indices) {
            return Update(InsertOp::build(b, value, tensor, indices).op());
        }
        let sizes = sizes_behind(b, tensor, indices.len());
        Update(InsertSliceOp::at(b, value, tensor, indices, &sizes).op())
    }
    /// The same, with the mark [`CHECKED`].
    pub fn build_checked(
        b: &mut Builder<'_>,
        value: Value,
        tensor: Value,
        indices: &[Value],
    ) -> Update {
        let update = Update::build(b, value, tensor, indices);
        mark_checked(b, update.0, true);
        update
    }
    /// The op, if it is such an update.
    pub fn of(ir: &Ir, op: Op) -> Option<Update> {
        if ir.isa::<InsertOp>(op) {
            return Some(Update(op));
        }
        let slice = ir.cast::<InsertSliceOp>(op)?;
        let window = slice.leading(ir)?;
        (!window.indices.is_empty()).then_some(Update(op))
    }
    /// The update that a value is the result of.
    pub fn defining(ir: &Ir, value: Value) -> Option<Update> {
        Update::of(ir, ir.defining_op(value)?)
    }
    /// Whether an op is such an update.
    pub fn is(ir: &Ir, op: Op) -> bool {
        Update::of(ir, op).is_some()
    }
    /// The op.
    pub fn op(self) -> Op {
        self.0
    }
    /// The new element or part.
    pub fn value(self, ir: &Ir) -> Value {
        ir.operand(self.0, 0)
    }
    /// The tensor.
    pub fn tensor(self, ir: &Ir) -> Value {
        ir.operand(self.0, 1)
    }
    /// The indices, outermost first.
    pub fn indices(self, ir: &Ir) -> Vec<Value> {
        ir.operand_group(self.0, 2)
            .map(|at| ir.operand(self.0, at))
            .collect()
    }
    /// The new tensor.
    pub fn result(self, ir: &Ir) -> Value {
        ir.result(self.0, 0)
    }
    /// Whether it has the mark [`CHECKED`].
    pub fn is_checked(self, ir: &Ir) -> bool {
        ir.attr_named(self.0, CHECKED).is_some()
    }
}

/// The message about an index of dimension `dim` of an array that is out of range: `{0}` is the index, `{1}` the extent.
pub fn out_of_range(rank: usize, dim: usize) -> String {
    match rank {
        1 => "index {0} is out of range for an array of {1}".to_owned(),
        _ => format!("index {{0}} of dimension {dim} is out of range for an extent of {{1}}"),
    }
}

/// Checks a mark of an access.
pub(crate) fn check_attached(
    ir: &Ir,
    op: Op,
    name: &str,
    attr: Attr,
    diags: &mut OpDiagnostics<'_>,
) {
    let read = Read::of(ir, op);
    let fits = match name {
        CHECKED => read.is_some() || Update::is(ir, op),
        VECTOR | STAGED => read.is_some(),
        _ => return,
    };
    if !matches!(ir.ctx().attr_kind(attr), AttrKind::Unit) {
        diags.error(format!("attribute `{name}` must be a unit"));
    } else if !fits {
        diags.error(format!(
            "attribute `{name}` is for accesses at indices of a tensor"
        ));
    }
    match (name, read) {
        (VECTOR, Some(read)) => verify_vector(ir, read, diags),
        (STAGED, Some(read)) => verify_staged(ir, read, diags),
        _ => {}
    }
}

/// The segmented op whose body a read stands in, directly; and the indices of its point.
fn directly_in(ir: &Ir, read: Read) -> Option<(Op, &[Value])> {
    let (op, around) = (read.op(), ir.parent_op(read.op())?);
    let model = ir.interface::<dyn SegmentedOp>(around)?;
    let body = ir.entry_block(model.body(ir, around))?;
    (ir.block_of(op) == Some(body)).then(|| (around, ir.block_args(body)))
}

/// A read of several points at once has neighbouring elements for neighbouring points, and starts where rows are aligned.
fn verify_vector(ir: &Ir, read: Read, diags: &mut OpDiagnostics<'_>) {
    let lanes = |(around, args)| Some((around, args, vector_of(ir, around)?));
    let Some((around, args, lanes)) = directly_in(ir, read).and_then(lanes) else {
        diags.error(
            "marked `kernel.vector` must stand directly in an op that takes several points at once",
        );
        return;
    };
    let indices = read.indices(ir);
    if !args.ends_with(&indices) || element_bytes(ir, ir.value_type(read.result(ir))).is_none() {
        diags.error(
            "marked `kernel.vector` must read a number of 8 to 64 bits at the last indices of its point",
        );
    } else if indices.len() < args.len() {
        let sizes = ir
            .interface::<dyn SegmentedOp>(around)
            .map(|model| model.sizes(ir, around));
        let inner = sizes.and_then(|sizes| ir.constant_int(*sizes.last()?));
        if inner.is_none_or(|inner| inner % lanes != 0) {
            diags.error(format!(
                "marked `kernel.vector` has fewer indices than its point, whose rows are no multiple of {lanes}"
            ));
        }
    }
}

/// Staged reads of a segmap have the same innermost index, which is not that of the segmap.
fn verify_staged(ir: &Ir, read: Read, diags: &mut OpDiagnostics<'_>) {
    let Some((segmap, args)) = directly_in(ir, read).filter(|row| ir.isa::<SegMapOp>(row.0)) else {
        diags.error("marked `kernel.staged` must stand directly in a segmap");
        return;
    };
    let dim = transposed_dim(ir, args, read);
    let others = marked(ir, segmap, |read| read.is_staged(ir));
    if dim.is_none()
        || others
            .iter()
            .any(|&other| transposed_dim(ir, args, other) != dim)
    {
        diags.error(
            "marked `kernel.staged` must read a number at all indices of its point, the innermost one not last, and the \
             same as in other reads so marked",
        );
    }
}

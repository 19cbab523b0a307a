//! Lists of numbers that are partly fixed in an attribute and partly operands: bounds of loops, offsets, sizes, strides.

use segra_interp::{Cx, EvalError, Inst};
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, OpDiagnostics, Value};

/// One number of such a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It stands in the attribute.
    Fixed(i64),
    /// An operand.
    Open(Value),
}

impl Entry {
    /// The number, where it is known.
    pub(crate) fn known(self, ir: &Ir) -> Option<i64> {
        match self {
            Entry::Fixed(value) => Some(value),
            Entry::Open(value) => ir.constant_int(value),
        }
    }
    /// The number, or [`DYNAMIC`].
    pub(crate) fn fixed(self) -> i64 {
        match self {
            Entry::Fixed(value) => value,
            Entry::Open(_) => DYNAMIC,
        }
    }
}

/// The list of the attribute `name`, holes filled from an operand group.
pub(crate) fn entries(ir: &Ir, op: Op, name: &str, group: usize) -> Vec<Entry> {
    let fixed = ir
        .attr_named(op, name)
        .and_then(|attr| attr.as_dense_i64(ir.ctx()))
        .unwrap_or_default();
    let mut open = ir
        .operand_group(op, group)
        .map(|index| Entry::Open(ir.operand(op, index)));
    let fill = |value: i64| {
        if value == DYNAMIC {
            open.next()
        } else {
            Some(Entry::Fixed(value))
        }
    };
    fixed.into_iter().map_while(fill).collect()
}

/// Fixes the numbers that are constants and may be fixed. Whether there were any.
pub(crate) fn fix(ir: &Ir, entries: &mut [Entry], may: impl Fn(i64) -> bool) -> bool {
    let mut found = false;
    for entry in entries {
        if let (Entry::Open(_), Some(value)) = (*entry, entry.known(ir))
            && value != DYNAMIC
            && may(value)
        {
            *entry = Entry::Fixed(value);
            found = true;
        }
    }
    found
}

/// The fixed numbers, with [`DYNAMIC`] for holes.
pub(crate) fn fixed(entries: &[Entry]) -> Vec<i64> {
    entries.iter().map(|entry| entry.fixed()).collect()
}

/// The values for the holes.
pub(crate) fn open(entries: &[Entry]) -> Vec<Value> {
    let value = |entry: &Entry| match entry {
        Entry::Open(value) => Some(*value),
        Entry::Fixed(_) => None,
    };
    entries.iter().filter_map(value).collect()
}

/// How many numbers each of the lists of a window must have, and what is left for operands, in the groups from `first` on.
pub(crate) fn verify_lists(
    ir: &Ir,
    op: Op,
    expected: [usize; 3],
    first: usize,
    diags: &mut OpDiagnostics<'_>,
) {
    let names = ["offsets", "sizes", "strides"];
    for (position, (name, expected)) in names.into_iter().zip(expected).enumerate() {
        let list = ir
            .attr_named(op, &format!("static_{name}"))
            .and_then(|attr| attr.as_dense_i64(ir.ctx()));
        let list = list.unwrap_or_default();
        let open = list.iter().filter(|&&value| value == DYNAMIC).count();
        if list.len() != expected {
            diags.error(format!("needs {expected} `{name}`, not {}", list.len()));
        } else if ir.operand_group(op, first + position).len() != open {
            diags.error(format!(
                "needs an operand for each `{name}` entry that is not static"
            ));
        }
    }
}

/// Offsets and sizes that are known are not negative.
pub(crate) fn verify_signs(lists: [&[i64]; 2], diags: &mut OpDiagnostics<'_>) {
    for (name, list) in ["static_offsets", "static_sizes"].into_iter().zip(lists) {
        if list.iter().any(|&value| value < 0 && value != DYNAMIC) {
            diags.error(format!("attribute `{name}` must not have negative numbers"));
        }
    }
}

/// Whether `reduced` is `shape` with some extents of 1 left out.
pub(crate) fn drops_only_ones(shape: &[i64], reduced: &[i64]) -> bool {
    let mut rest = reduced.iter().peekable();
    let fits = shape
        .iter()
        .all(|extent| rest.next_if(|&&next| next == *extent).is_some() || *extent == 1);
    fits && rest.next().is_none()
}

/// Whether a window certainly leaves a shape.
pub(crate) fn leaves(offsets: &[i64], sizes: &[i64], strides: &[i64], shape: &[i64]) -> bool {
    (0..shape.len()).any(|dim| {
        let (extent, offset) = (shape[dim], offsets[dim]);
        let (size, stride) = (sizes[dim], strides[dim]);
        if extent == DYNAMIC || offset == DYNAMIC {
            return false;
        }
        let last = (size != DYNAMIC && stride != DYNAMIC)
            .then(|| i128::from(offset) + (i128::from(size) - 1) * i128::from(stride));
        offset >= extent || last.is_some_and(|last| last >= i128::from(extent))
    })
}

/// The lists of a window with their holes filled from the operands from `first` on.
pub(crate) fn filled(
    cx: &Cx<'_>,
    inst: &Inst,
    lists: &[Vec<i64>; 3],
    first: usize,
    lane: usize,
) -> Result<[Vec<i64>; 3], EvalError> {
    let mut next = first;
    let mut lists = lists.clone();
    for value in lists.iter_mut().flatten() {
        if *value == DYNAMIC {
            if next >= inst.operands.len() {
                return Err(cx.error(inst, "lacks an operand"));
            }
            *value = cx.int(inst, next, lane)?;
            next += 1;
        }
    }
    Ok(lists)
}

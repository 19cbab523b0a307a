//! Arrays joined behind one that loops and branches of a point resize: those elements stay where they are.
//!
//! ```text
//! loop a = ... for i < n do a ++ [f i]     =>     loop a, m = ... do let b = extend a to m + 1 in b with [m] = f i, m + 1
//! ```
//! So a step costs as many steps as it adds elements, where nobody needs the shorter list afterwards.
//!
//! Legality: what is added is computed before the list is extended, for it may be made of the list's elements.

use crate::function::{Flattener, Outcome};
use crate::point::{add, index_constant};
use crate::view::{Axis, Base, Choice, Lifted, Scalar, View};
use segra_ir::interfaces::constant_of;
use segra_ir::{Op, Value};
use segra_kernel::local::ExtendOp;
use segra_std::tensor::ReshapeOp;

/// The arrays that a view joins, where it is a concatenation; a concatenation that stands first gives its own.
fn joined(view: &View) -> Option<Vec<&View>> {
    let Base::Chosen {
        choice: Choice::Concat(parts),
        ..
    } = &view.base
    else {
        return None;
    };
    let mut axes = view.axes.iter().enumerate();
    let in_order = axes.all(|(at, axis)| *axis == Axis::Dim(at));
    let (first, rest) = parts.split_first().filter(|_| in_order)?;
    let mut all = joined(first).unwrap_or_else(|| vec![first]);
    all.extend(rest);
    Some(all)
}

impl Flattener<'_> {
    /// A list of a point with more elements behind, if that is the view, of these extents.
    pub(crate) fn extended(
        &mut self,
        view: &View,
        sizes: &[Value],
        user: Op,
    ) -> Outcome<Option<Value>> {
        let parts = joined(view).filter(|_| !self.fixed.is_empty());
        let Some((first, added)) = parts.as_deref().and_then(<[_]>::split_first) else {
            return Ok(None);
        };
        let list = first.as_tensor();
        let Some(list) = list.filter(|&list| self.ir.def_as::<ReshapeOp>(list).is_some()) else {
            return Ok(None);
        };
        let loc = self.ir.loc(user);
        let mut settled = Vec::new();
        for part in added {
            let size = self.resolve_all(&part.sizes[..1], user)?[0];
            settled.push((self.settled(part, (list, size), user)?, size));
        }
        let mut at = self.resolve_all(&first.sizes[..1], user)?[0];
        let mut made = ExtendOp::build(&mut self.builder(loc), list, sizes).result(self.ir);
        for (part, size) in settled {
            let filled = self.counted_loop(size, &[made], loc, |this, step, carried| {
                let place = add(&mut this.builder(loc), at, step);
                let row = part.at(&[step]);
                let filled = this.fill(carried[0], &sizes[1..], &row, &mut vec![place], user)?;
                Ok(vec![filled])
            })?;
            made = filled[0];
            at = add(&mut self.builder(loc), at, size);
        }
        Ok(Some(made))
    }

    /// A view of the same elements that reads none of `list`, and computes nothing.
    fn settled(&mut self, part: &View, (list, size): (Value, Value), user: Op) -> Outcome<View> {
        let plain = |axis: &Axis| matches!(axis, Axis::Dim(_) | Axis::At(Scalar::New(_)));
        let plain = part.axes.iter().all(plain);
        match &part.base {
            Base::Replicate(inner, dims) => {
                let value = match &**inner {
                    Lifted::Host(value) => Some(*value),
                    Lifted::Later(value) => Some(self.value_of(*value, user)?),
                    Lifted::Array(inner) if inner.rank() == 0 => Some(self.read(inner, user)?),
                    Lifted::Array(_) => None,
                };
                if let Some(value) = value.filter(|_| plain) {
                    let base = Base::Replicate(Box::new(Lifted::Host(value)), *dims);
                    return Ok(View {
                        base,
                        ..part.clone()
                    });
                }
            }
            Base::Iota(_) | Base::Literal(..) if plain => return Ok(part.clone()),
            Base::Tensor(tensor) if plain && *tensor != list => return Ok(part.clone()),
            _ => {}
        }
        let count = constant_of(self.ir, size).and_then(|count| count.as_i64(&self.ctx));
        if count == Some(1) && part.sizes.len() == 1 {
            let loc = self.ir.loc(user);
            let zero = index_constant(&mut self.builder(loc), 0);
            let value = self.read(&part.at(&[zero]), user)?;
            let base = Base::Replicate(Box::new(Lifted::Host(value)), 1);
            return Ok(View::derived(base, vec![Scalar::New(size)]));
        }
        let sizes = self.resolve_all(&part.sizes, user)?;
        let stored = self.fill_from(part, user)?;
        Ok(View::whole(stored, sizes))
    }
}

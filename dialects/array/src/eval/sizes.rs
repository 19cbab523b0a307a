//! The values of symbolic sizes when the program runs.
//!
//! A size is bound by the first parameter of the enclosing function whose type names it, else by the results of an op
//! (a filter, a call) that come before; where neither names it, it is whatever the values that are there say. An array
//! without rows so knows what extents its rows would have.

use crate::types::{ArrayType, Size, sizes_and_element};
use segra_interp::{ArrayValue, Cx, EvalError, Inst};
use segra_ir::{Ident, Ir, Op, Trait, Type, Value};
use std::rc::Rc;

/// Where an extent is found when the op runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// A constant.
    Known(usize),
    /// A dimension of an input array.
    Input(usize, usize),
    /// A dimension of one of the op's further uses.
    Use(usize, usize),
    /// Only rows tell.
    Rows,
}

/// The value that binds size `name` for `op`, and which of its dimensions it is.
pub(crate) fn binder(ir: &Ir, op: Op, name: Ident) -> Option<(Value, usize)> {
    let dim_of = |value: Value| {
        let ty = ir.value_type(value).dialect::<ArrayType>(ir.ctx())?;
        Some((
            value,
            ty.sizes
                .iter()
                .position(|&size| size == Size::Symbol(name))?,
        ))
    };
    let function = ir
        .ancestors(op)
        .skip(1)
        .find(|&around| ir.has_trait(around, Trait::IsolatedFromAbove))?;
    let entry = ir
        .regions(function)
        .first()
        .and_then(|&region| ir.entry_block(region))?;
    let parameter = ir.block_args(entry).iter().find_map(|&param| dim_of(param));
    parameter
        .or_else(|| ir.free_values(op).into_iter().find_map(dim_of))
        .or_else(|| {
            // The code before the op, or before the ops around it.
            let around: Vec<Op> = ir
                .ancestors(op)
                .take_while(|&around| around != function)
                .collect();
            around.into_iter().find_map(|user| {
                let block = ir.block_of(user)?;
                let before = ir.ops(block).take_while(|&other| other != user);
                before
                    .flat_map(|other| ir.results(other).collect::<Vec<_>>())
                    .find_map(dim_of)
            })
        })
}

/// Extents of the rows of arrays of these types, and the values whose dimensions they use beside the `inputs`.
pub(crate) fn row_extents(
    ir: &Ir,
    op: Op,
    inputs: &[Value],
    types: &[Type],
) -> (Vec<Vec<Extent>>, Vec<Value>) {
    let ctx = ir.ctx();
    let mut uses: Vec<Value> = Vec::new();
    let mut extent = |size: Size| match size {
        Size::Constant(extent) => Extent::Known(usize::try_from(extent).unwrap_or(0)),
        Size::Unknown => Extent::Rows,
        Size::Symbol(name) => {
            let input = inputs.iter().enumerate().find_map(|(index, &array)| {
                let (sizes, _) = sizes_and_element(ctx, ir.value_type(array));
                Some(Extent::Input(
                    index,
                    sizes.iter().position(|&other| other == size)?,
                ))
            });
            if let Some(input) = input {
                return input;
            }
            let Some((value, dim)) = binder(ir, op, name) else {
                return Extent::Rows;
            };
            let at = uses
                .iter()
                .position(|&other| other == value)
                .unwrap_or_else(|| {
                    uses.push(value);
                    uses.len() - 1
                });
            Extent::Use(at, dim)
        }
    };
    let rows = types.iter().map(|&ty| {
        let (sizes, _) = sizes_and_element(ctx, ty);
        sizes.into_iter().skip(1).map(&mut extent).collect()
    });
    (rows.collect(), uses)
}

/// The extents in one lane; 0 where only rows tell.
pub(crate) fn at_run_time(
    cx: &Cx<'_>,
    inst: &Inst,
    extents: &[Extent],
    inputs: &[Rc<ArrayValue>],
    lane: usize,
) -> Vec<usize> {
    let dim = |array: Option<&Rc<ArrayValue>>, dim: usize| {
        array.and_then(|array| array.shape().get(dim).copied())
    };
    let one = |&extent: &Extent| match extent {
        Extent::Known(extent) => extent,
        Extent::Input(index, at) => dim(inputs.get(index), at).unwrap_or(0),
        Extent::Use(index, at) => {
            let value = inst.uses.get(index).map(|&slot| cx.get(slot, lane));
            dim(value.and_then(|value| value.as_array()), at).unwrap_or(0)
        }
        Extent::Rows => 0,
    };
    extents.iter().map(one).collect()
}

/// The extents that the type of the op's result claims, and the values whose dimensions they are; [`Extent::Rows`] where
/// nothing says what a size is.
pub(crate) fn claims(ir: &Ir, op: Op) -> (Vec<Extent>, Vec<Value>) {
    let mut uses = Vec::new();
    let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(ir.result(op, 0)));
    let claims = sizes.into_iter().map(|size| match size {
        Size::Constant(extent) => usize::try_from(extent).map_or(Extent::Rows, Extent::Known),
        Size::Unknown => Extent::Rows,
        Size::Symbol(name) => binder(ir, op, name).map_or(Extent::Rows, |(value, dim)| {
            uses.push(value);
            Extent::Use(uses.len() - 1, dim)
        }),
    });
    (claims.collect(), uses)
}

/// The extent that is claimed in a lane, where anything says it.
pub(crate) fn claimed_at_run_time(
    cx: &Cx<'_>,
    inst: &Inst,
    claim: Extent,
    lane: usize,
) -> Option<usize> {
    match claim {
        Extent::Rows => None,
        claim => at_run_time(cx, inst, &[claim], &[], lane).first().copied(),
    }
}

/// Stops where the array that an op makes does not have the sizes that its type names.
pub(crate) fn check_claims(
    cx: &Cx<'_>,
    inst: &Inst,
    claims: &[Extent],
    shape: &[usize],
    lane: usize,
) -> Result<(), EvalError> {
    for (dim, (&size, &claim)) in shape.iter().zip(claims).enumerate() {
        if let Some(wanted) = claimed_at_run_time(cx, inst, claim, lane)
            && wanted != size
        {
            let ctx = cx.ir().ctx();
            let ty = cx.ir().value_type(cx.ir().result(inst.op, 0));
            let (names, _) = sizes_and_element(ctx, ty);
            let name = names.get(dim).map(|name| name.text(ctx).to_string());
            let message = crate::stops::size_of_another_name(&name.unwrap_or_default(), dim);
            return Err(super::stopped(
                cx,
                inst,
                &message,
                &[size as i64, wanted as i64],
            ));
        }
    }
    Ok(())
}

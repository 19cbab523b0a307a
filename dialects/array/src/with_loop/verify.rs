//! The rule of with-loops: ranks, constant bounds, bodies, results.

use super::{Bound, Kind, Loop, Range, WithLoopOp};
use crate::combinator::{Flavour, MAPPING, Parts};
use crate::soac::{Check, types_of, yielded_types};
use crate::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::interfaces::Verify;
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, OpDiagnostics, OpView, Region, Type};
use segra_space::{Chain, Mapping};

/// Most dimensions of an index space: a nest of as many maps can be made of it.
const MOST_DIMENSIONS: usize = 32;

/// Most partitions: branches of as many cases can be made of them.
const MOST_PARTITIONS: usize = 128;

/// Why a constant range is wrong; `extent`: of the array's dimension, where it is known.
fn wrong_range(range: &Range, extent: Option<i64>) -> Option<String> {
    let [lower, upper, step, width] = range.bounds().map(Bound::constant);
    let too_wide = |width: &i64| step.is_some_and(|step| *width > step);
    if let Some(step) = step.filter(|&step| step < 1) {
        return Some(super::stops::step_below_one(&step.to_string()));
    }
    if let Some(width) = width.filter(|&width| width < 1) {
        return Some(super::stops::width_below_one(&width.to_string()));
    }
    if let (Some(width), Some(step)) = (width.filter(too_wide), step) {
        return Some(super::stops::width_above_step(
            &width.to_string(),
            &step.to_string(),
        ));
    }
    let extent = extent?;
    if let Some(lower) = lower.filter(|&lower| lower < 0) {
        return Some(super::stops::lower_below_zero(&lower.to_string()));
    }
    let beyond = upper.filter(|&upper| upper > extent)?;
    Some(super::stops::upper_above_extent(
        &beyond.to_string(),
        &extent.to_string(),
    ))
}

/// Extents of the arrays, as far as they are constants; lower bounds of folds have none to respect.
fn known_extents(ir: &Ir, with: &Loop) -> Vec<Option<i64>> {
    match (with.kind, with.init.first()) {
        (Kind::Fold, _) | (Kind::Modarray, None) => vec![None; with.rank],
        (Kind::Genarray, _) => {
            // A lower bound is checked, whatever the extent.
            let extent = |bound: &Bound| Some(bound.constant().unwrap_or(i64::MAX));
            with.shape.iter().map(extent).collect()
        }
        (Kind::Modarray, Some(&array)) => {
            let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
            let extent = |size: &Size| match size {
                Size::Constant(extent) => Some(*extent),
                Size::Symbol(_) | Size::Unknown => Some(i64::MAX),
            };
            sizes.iter().map(extent).collect()
        }
    }
}

/// Whether nothing is wrong with the constants among the bounds.
pub(super) fn is_sound(ir: &Ir, with: &Loop) -> bool {
    let extents = known_extents(ir, with);
    let negative = |bound: &Bound| bound.constant().is_some_and(|extent| extent < 0);
    let sound = |range: &Range, &extent: &Option<i64>| wrong_range(range, extent).is_none();
    !with.shape.iter().any(negative)
        && with.partitions.iter().all(|partition| {
            let mut rows = partition.space.iter().zip(&extents);
            rows.all(|(range, extent)| sound(range, extent))
        })
}

impl Check<'_, '_> {
    /// Numbers of bounds, operands and regions go together.
    fn counts(&mut self, with: WithLoopOp) -> Option<usize> {
        let ir = self.ir;
        let rank = usize::try_from(with.rank(ir)).unwrap_or(0);
        let partitions = with.bodies(ir).len();
        if !(1..=MOST_DIMENSIONS).contains(&rank) {
            let message = format!(
                "has index spaces of 1 to {MOST_DIMENSIONS} dimensions, not {}",
                with.rank(ir)
            );
            self.error(message);
            return None;
        }
        if partitions > MOST_PARTITIONS {
            self.error(format!(
                "has at most {MOST_PARTITIONS} partitions, not {partitions}"
            ));
            return None;
        }
        let (bounds, shape) = (with.bounds(ir), with.shape(ir));
        let extents = if with.kind(ir) == Kind::Genarray {
            rank
        } else {
            0
        };
        let open = |numbers: &[i64]| numbers.iter().filter(|&&at| at == DYNAMIC).count();
        let wanted = [
            (
                "numbers in attribute `bounds`",
                bounds.len(),
                4 * rank * partitions,
            ),
            ("numbers in attribute `shape`", shape.len(), extents),
            ("operands `dynamic`", with.dynamic(ir).len(), open(&bounds)),
            ("operands `extents`", with.extents(ir).len(), open(&shape)),
        ];
        for (what, found, wanted) in wanted {
            if found != wanted {
                self.error(format!("needs {wanted} {what}, but there are {found}"));
                return None;
            }
        }
        Some(rank)
    }

    fn bounds(&mut self, with: &Loop) {
        let extents = known_extents(self.ir, with);
        for (dim, bound) in with.shape.iter().enumerate() {
            if let Some(extent) = bound.constant().filter(|&extent| extent < 0) {
                self.error(format!("dimension {dim}: a size cannot be {extent}"));
            }
        }
        for (at, partition) in with.partitions.iter().enumerate() {
            for (dim, range) in partition.space.iter().enumerate() {
                let extent = extents.get(dim).copied().flatten();
                if let Some(wrong) = wrong_range(range, extent) {
                    self.error(super::stops::at(at, dim, &wrong));
                }
            }
        }
    }

    fn mappings(&mut self, with: WithLoopOp, rank: usize) {
        let ir = self.ir;
        if ir.attr_named(self.op, MAPPING).is_some() {
            self.error(
                "has no mapping of its own: each partition has one, `partition (...) mapping \"...\"`",
            );
        }
        let Some(list) = with
            .mappings_attr(ir)
            .and_then(|list| list.as_array(ir.ctx()))
        else {
            return;
        };
        if with.kind(ir) == Kind::Fold {
            self.error(
                "folds, and forms of reductions say which thread combines what: it has no mapping",
            );
        }
        let partitions = with.bodies(ir).len();
        if list.len() != partitions {
            self.error(format!(
                "needs {partitions} entries in attribute `mappings`, one per partition, but there are {}",
                list.len()
            ));
        }
        for (at, &mapping) in list.iter().enumerate() {
            let text = match mapping.as_str(ir.ctx()) {
                Some(text) => text,
                None if mapping == ir.ctx().unit() => continue,
                None => {
                    self.error(format!("partition #{at}: its mapping must be a string"));
                    continue;
                }
            };
            let wrong = match text.parse::<Chain>() {
                Ok(chain) => Mapping::of_rank(rank, chain)
                    .err()
                    .map(|error| error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(wrong) = wrong {
                self.error(format!("partition #{at}: its mapping is wrong: {wrong}"));
            }
        }
    }

    /// Types of the values at one index, as the initial values and results tell them; `None` with an error.
    fn rows(&mut self, with: &Loop) -> Option<Vec<Type>> {
        let (ir, ctx) = (self.ir, self.ir.ctx());
        let results: Vec<Type> = ir
            .results(self.op)
            .map(|value| ir.value_type(value))
            .collect();
        let init = types_of(ir, &with.init);
        if with.kind == Kind::Fold {
            return self.results(&init).then_some(init);
        }
        if with.kind == Kind::Modarray && !self.results(&init) {
            return None;
        }
        if results.is_empty() {
            self.error("needs at least one result");
            return None;
        }
        let first = sizes_and_element(ctx, results[0]).0;
        let mut rows = Vec::new();
        for (at, &ty) in results.iter().enumerate() {
            let (sizes, element) = sizes_and_element(ctx, ty);
            let Some((outer, inner)) = sizes.split_at_checked(with.rank) else {
                self.error(format!(
                    "has index spaces of {} dimensions, but result #{at} has {}",
                    with.rank,
                    sizes.len()
                ));
                return None;
            };
            if !outer.iter().zip(&first).all(|(&a, &b)| a.compatible(b)) {
                self.error(format!("result #{at} has other sizes than result #0"));
                return None;
            }
            for (dim, (&size, bound)) in outer.iter().zip(&with.shape).enumerate() {
                if let (Size::Constant(size), Some(extent)) = (size, bound.constant())
                    && size != extent
                {
                    self.error(format!(
                        "makes arrays of extent {extent} in dimension {dim}, but result #{at} has {size}"
                    ));
                    return None;
                }
            }
            if inner.contains(&Size::Unknown) {
                self.error(format!(
                    "result #{at} has values whose sizes are not the same for all indices: `?` says so"
                ));
                return None;
            }
            rows.push(array_or_scalar(ctx, inner, element));
        }
        Some(rows)
    }

    fn body(&mut self, region: Region, at: usize, rank: usize, rows: &[Type]) -> bool {
        let name = format!("bodies #{at}");
        let mut blocks = self.ir.blocks(region);
        if blocks.next().is_none() || blocks.next().is_some() {
            self.error(format!("partition #{at}: its body must be one basic block"));
            return false;
        }
        let indices = vec![self.ir.ctx().index(); rank];
        if !self.args(region, &name, &indices) || !self.yields(region, &name, rows) {
            return false;
        }
        let block = self.ir.entry_block(region);
        let found = block
            .map(|block| yielded_types(self.ir, block))
            .unwrap_or_default();
        if found != rows {
            self.error(format!(
                "partition #{at}: its body yields arrays of other sizes than the results have"
            ));
        }
        found == rows
    }

    /// Default values and their absence.
    fn defaults(&mut self, with: &Loop, rows: &[Type]) -> bool {
        let init = types_of(self.ir, &with.init);
        match (with.kind, with.explicit) {
            (Kind::Genarray, true) if init.is_empty() => true,
            (Kind::Genarray, true) => {
                self.error("is explicit, so that its partitions have all indices: it has no default values");
                false
            }
            (Kind::Genarray, false) => self.same("the default values", &init, rows),
            (Kind::Fold, true) => {
                self.error("folds, which is never explicit");
                false
            }
            (Kind::Modarray | Kind::Fold, _) => true,
        }
    }

    fn folded(&mut self, with: WithLoopOp, parts: &Loop, rows: &[Type]) {
        let combine = with.combine(self.ir);
        if parts.kind != Kind::Fold {
            if parts.combine.is_some() || !parts.neutral.is_empty() {
                self.error("has an operator or neutral elements, but is no fold");
            }
            return;
        }
        if parts.combine.is_none() {
            self.error("folds, but has no operator in region `combine`");
            return;
        }
        let folded = Parts {
            start: parts.init.clone(),
            written: parts.neutral.clone(),
            combine: parts.combine,
            ..Parts::new(Flavour::Reduce, Vec::new(), None)
        };
        let _ = self.operator(combine, rows) && self.neutral_of(&folded);
    }
}

impl Verify for WithLoopOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (with, mut check) = (WithLoopOp::from_op(op), Check { ir, op, diags });
        let Some(rank) = check.counts(with) else {
            return;
        };
        check.mappings(with, rank);
        let Some(parts) = Loop::of(ir, op) else {
            check.error("needs one basic block in each of `bodies`");
            return;
        };
        check.bounds(&parts);
        let Some(rows) = check.rows(&parts) else {
            return;
        };
        let bodies = with.bodies(ir).iter().enumerate();
        if !bodies
            .into_iter()
            .all(|(at, &region)| check.body(region, at, rank, &rows))
        {
            return;
        }
        if check.defaults(&parts, &rows) {
            check.folded(with, &parts, &rows);
        }
    }
}

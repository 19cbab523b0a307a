//! A group as a kernel of thread blocks with a tile of the matrices each.
//!
//! A warp of a thread block has `at_once * steps` rows, and a lane `per_thread` columns of them. It takes `at_once` rows at
//! a time: the warps' one after another, then those of the next step; or, where an operator on columns keeps its order, all
//! of a warp before those of the next one.
//!
//! | part of a member | in the tile |
//! |---|---|
//! | values that depend on the column only | computed before the first step, kept in registers |
//! | columns combined | by each thread, carried from step to step in registers; across the warps after the last one, through shared memory |
//! | rows combined | by each thread, then across the lanes in every step; the lane with the row's number in the warp keeps the result |
//! | elements that are needed outside | stored as they are made |
//!
//! A tile combines a part of each row and column; a second kernel combines those parts, in order. Rows and columns beyond
//! the matrix are computed at the last one and not combined: no element is made up, so nothing that is not of the program
//! reaches an operator. Neutral elements begin what is combined, and stand where a thread has no element.

use crate::tile::strip::tensor_of;
use crate::traverse::plan::{Combined, Plan};
use crate::traverse::step::{self, Step};
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, OpView, Type, Value};
use segra_kernel::access::{Read, Update};
use segra_kernel::form::OF_TILES;
use segra_kernel::level::Level;
use segra_kernel::registers::RegTileOp;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, tensor_over};
use segra_kernel::tile::UntileOp;
use segra_space::Target;
use segra_std::arith::{CmpIPredicate, SelectOp, index};
use segra_std::scf;
use segra_std::tensor::{EmptyOp, ReshapeOp};

/// Lanes of a warp.
pub(super) const LANES: i64 = Target::CUDA.warp;
/// Most rows, and columns, that a thread has at once.
const MOST_AT_ONCE: i64 = 32;

/// Extents of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) warps: i64,
    /// Columns of a thread.
    pub(super) per_thread: i64,
    /// Rows that a thread has at once.
    pub(super) at_once: i64,
    /// How often it takes so many; rows in all are no more than lanes.
    pub(super) steps: i64,
}

impl Shape {
    /// Rows of a warp.
    pub(super) fn rows_of_warp(&self) -> i64 {
        self.at_once * self.steps
    }
    /// With fewer columns where elements have more bytes than four, so that a tile's take no more shared memory.
    pub(super) fn for_elements(self, bytes: i64) -> Shape {
        let per_thread = self.per_thread * 4 / bytes.max(4);
        Shape {
            per_thread: per_thread.max(1),
            ..self
        }
    }
    /// All rows at once.
    pub(super) fn in_one_step(self) -> Shape {
        Shape {
            at_once: self.rows_of_warp(),
            steps: 1,
            ..self
        }
    }
    pub(super) fn rows(&self) -> i64 {
        self.warps * self.rows_of_warp()
    }
    pub(super) fn columns(&self) -> i64 {
        LANES * self.per_thread
    }

    /// Bytes of shared memory where so many bytes of each column are combined.
    pub(super) fn shared_bytes(&self, of_column: i64) -> i64 {
        self.warps * self.columns() * of_column
    }

    /// The problem with the numbers: the option's name and what it must be.
    pub(super) fn fault(&self) -> Option<String> {
        let counts = [
            ("warps", self.warps, Target::CUDA.most_warps()),
            ("columns", self.per_thread, MOST_AT_ONCE),
            ("rows", self.at_once, MOST_AT_ONCE),
        ];
        for (name, count, most) in counts {
            if !(1..=most).contains(&count) {
                return Some(format!("option {name}: must be from 1 to {most}"));
            }
        }
        let rows = self.at_once.checked_mul(self.steps);
        let fits = rows.is_some_and(|rows| (1..=LANES).contains(&rows));
        (!fits).then(|| format!("option steps: the rows of all steps must be from 1 to {LANES}"))
    }
}

/// A tile being emitted.
pub(super) struct Tile<'a> {
    pub(super) plan: &'a Plan<'a>,
    /// Extents of the matrices.
    pub(super) rows: Value,
    pub(super) columns: Value,
    outer: Vec<Value>,
}

/// The values that the threads of a block hold from step to step, one each.
#[derive(Clone, Debug, Default)]
struct Held {
    /// Of columns: a thread's columns one after another.
    columns: Vec<Value>,
    /// Of rows.
    rows: Vec<Value>,
    /// Arrays of the elements that are stored.
    stored: Vec<Value>,
}

impl Held {
    fn all(&self) -> Vec<Value> {
        [&self.columns[..], &self.rows, &self.stored].concat()
    }

    /// Other values in their places.
    fn with(&self, values: &[Value]) -> Held {
        let (columns, rest) = values.split_at(self.columns.len());
        let (rows, stored) = rest.split_at(self.rows.len());
        Held {
            columns: columns.to_vec(),
            rows: rows.to_vec(),
            stored: stored.to_vec(),
        }
    }
}

/// Emits the kernel, and those that combine its parts: what stands for the members' results.
pub(super) fn emit(b: &mut Builder<'_>, plan: &Plan<'_>) -> Vec<(Value, Value)> {
    let space = &plan.space;
    let tile = Tile {
        plan,
        rows: plan.around.get(plan.extent),
        columns: plan.around.get(space.columns),
        outer: plan.around.get_all(space.outer.iter().copied()),
    };
    tile.emit(b)
}

impl Tile<'_> {
    fn emit(&self, b: &mut Builder<'_>) -> Vec<(Value, Value)> {
        let ctx = b.ir.context();
        let shape = self.plan.shape;
        let extents = [(self.rows, shape.rows()), (self.columns, shape.columns())];
        let tiles = extents.map(|(extent, of_tile)| {
            let of_tile = index::constant(b, of_tile);
            index::ceil_div(b, extent, of_tile)
        });
        let mut sizes = self.outer.clone();
        sizes.extend(tiles);
        let dims = sizes.len();
        let types: Vec<Type> = self
            .result_types(b)
            .into_iter()
            .map(|ty| tensor_over(&ctx, dims, ty))
            .collect();
        let block = SegMapOp::builder()
            .level(Level::Block.attr(&ctx))
            .sizes(&sizes)
            .results_types(&types)
            .build(b);
        let region = block.body(b.ir);
        b.build_block(region, &vec![ctx.index(); dims], |b, indices| {
            let values = self.point(b, indices);
            ReturnOp::build(b, &values);
        });
        let parts = block.results(b.ir);
        self.finish(b, &parts, tiles)
    }

    /// Types of what a tile returns: parts of columns, of rows, elements.
    fn result_types(&self, b: &Builder<'_>) -> Vec<Type> {
        let shape = self.plan.shape;
        let over = |extents: &[i64], value: Value| tensor_of(b, extents, b.type_of(value));
        let columns = Combined::neutrals(&self.plan.columns);
        let rows = Combined::neutrals(&self.plan.rows);
        let stored = self.plan.stored.iter();
        let columns = columns.map(|value| over(&[shape.columns()], value));
        let rows = rows.map(|value| over(&[shape.rows()], value));
        let stored = stored.map(|stored| over(&[shape.rows(), shape.columns()], stored.value));
        columns.chain(rows).chain(stored).collect()
    }

    /// The code of a thread block.
    fn point(&self, b: &mut Builder<'_>, indices: &[Value]) -> Vec<Value> {
        let shape = self.plan.shape;
        let (outer, tile) = indices.split_at(self.outer.len());
        let [first_row, first_column] =
            [(tile[0], shape.rows()), (tile[1], shape.columns())].map(|(number, extent)| {
                let extent = index::constant(b, extent);
                index::mul(b, number, extent)
            });
        let left = index::sub(b, self.rows, first_row);
        let first_rows = match self.plan.warps_first {
            true => shape.at_once,
            false => shape.warps * shape.at_once,
        };
        let (first_rows, most) = (
            index::constant(b, first_rows),
            index::constant(b, shape.steps),
        );
        let needed = index::ceil_div(b, left, first_rows);
        let steps = index::min(b, needed, most);
        let (of_column, held) = self.before(b, outer, first_column);
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        let inits = held.all();
        let types: Vec<Type> = inits.iter().map(|&value| b.type_of(value)).collect();
        let looped = scf::ForOp::builder()
            .lower_bound(zero)
            .upper_bound(steps)
            .step(one)
            .init_args(&inits)
            .results_types(&types)
            .build(b);
        let region = looped.region(b.ir);
        let mut args = vec![b.ctx().index()];
        args.extend(&types);
        b.build_block(region, &args, |b, args| {
            let step = Step {
                tile: self,
                outer,
                row: first_row,
                number: args[0],
                first_column,
                of_column: &of_column,
            };
            let next = self.step(b, &step, &held.with(&args[1..]));
            scf::YieldOp::build(b, &next.all());
        });
        let results = looped.results(b.ir);
        self.returned(b, &held.with(&results))
    }

    /// The values that depend on the columns only, for each column of a thread, and what is combined and stored at first.
    fn before(
        &self,
        b: &mut Builder<'_>,
        outer: &[Value],
        first_column: Value,
    ) -> (Vec<Value>, Held) {
        let plan = self.plan;
        let shape = plan.shape;
        let per_thread = usize::try_from(shape.per_thread).unwrap_or(1);
        let columns: Vec<Value> = Combined::neutrals(&plan.columns).collect();
        let rows: Vec<Value> = Combined::neutrals(&plan.rows).collect();
        let mut values = Vec::new();
        for _ in 0..per_thread {
            values.extend(&plan.bodies.of_column);
        }
        let computed = values.len();
        for _ in 0..per_thread {
            values.extend(&columns);
        }
        values.extend(&rows);
        let types: Vec<Type> = values.iter().map(|&value| b.type_of(value)).collect();
        let arrays = self.by_threads(b, &types, |b, [_, lane]| {
            let mut made = Vec::new();
            let point = plan.bodies.point(b, plan.around, outer);
            for number in 0..shape.per_thread {
                let column = self.column(b, first_column, lane, number);
                let column = step::at_most_last(b, column, self.columns);
                let mapping = plan.bodies.column(b, &point, column);
                made.extend(mapping.get_all(plan.bodies.of_column.iter().copied()));
            }
            made.extend(plan.around.get_all(values[computed..].iter().copied()));
            made
        });
        let (of_column, rest) = arrays.split_at(computed);
        let (columns, rows) = rest.split_at(per_thread * columns.len());
        let extents = [shape.steps, shape.warps * shape.at_once, shape.columns()];
        let mut stored = Vec::new();
        for element in &plan.stored {
            let ty = tensor_of(b, &extents, b.type_of(element.value));
            let sizes = extents.map(|extent| index::constant(b, extent));
            stored.push(EmptyOp::of(b, &sizes, ty));
        }
        let held = Held {
            columns: columns.to_vec(),
            rows: rows.to_vec(),
            stored,
        };
        (of_column.to_vec(), held)
    }

    /// The values that the threads hold after a step.
    fn step(&self, b: &mut Builder<'_>, step: &Step<'_>, held: &Held) -> Held {
        let plan = self.plan;
        let shape = plan.shape;
        let parts = step.by_threads(b, &held.columns);
        let rows = match plan.rows.is_empty() {
            true => Vec::new(),
            false => self.rows_of_step(b, &parts.rows, &held.rows, step.number),
        };
        let mut stored = held.stored.clone();
        for (array, elements) in stored.iter_mut().zip(&parts.stored) {
            let tile = self.tile_of_threads(b, elements, shape.at_once);
            *array = Update::build(b, tile, *array, &[step.number]).result(b.ir);
        }
        Held {
            columns: parts.columns,
            rows,
            stored,
        }
    }

    /// Combines rows across the lanes; the lane with a row's number in the warp keeps the result.
    fn rows_of_step(
        &self,
        b: &mut Builder<'_>,
        parts: &[Value],
        held: &[Value],
        step: Value,
    ) -> Vec<Value> {
        let plan = self.plan;
        let ctx = b.ir.context();
        let at_once = usize::try_from(plan.shape.at_once).unwrap_or(1);
        let neutral: Vec<Value> = Combined::neutrals(&plan.rows).collect();
        let neutral = plan.around.get_all(neutral);
        let all: Vec<Value> = (0..at_once).flat_map(|_| neutral.iter().copied()).collect();
        let types: Vec<Type> = all.iter().map(|&value| b.type_of(value)).collect();
        let warps = plan.shape.warps;
        let results: Vec<Type> = types.iter().map(|&ty| tensor_of(b, &[warps], ty)).collect();
        let sizes = [warps, LANES].map(|extent| index::constant(b, extent));
        let segred = SegRedOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&sizes)
            .neutral(&all)
            .results_types(&results)
            .build(b);
        let region = segred.body(b.ir);
        b.build_block(region, &[ctx.index(), ctx.index()], |b, args| {
            let values = read_all(b, parts, args);
            ReturnOp::build(b, &values);
        });
        let region = segred.combine(b.ir);
        let both = [&types[..], &types].concat();
        b.build_block(region, &both, |b, args| {
            let (left, right) = args.split_at(types.len());
            let mut values = Vec::new();
            for (left, right) in left.chunks(neutral.len()).zip(right.chunks(neutral.len())) {
                values.extend(Combined::apply_all(b, &plan.rows, plan.around, left, right));
            }
            ReturnOp::build(b, &values);
        });
        let sums = segred.results(b.ir);
        self.by_threads(b, &types[..neutral.len()], |b, [warp, lane]| {
            let mut values = read_all(b, held, &[warp, lane]);
            let at_once = index::constant(b, plan.shape.at_once);
            let done = index::mul(b, step, at_once);
            for (number, sums) in sums.chunks(neutral.len()).enumerate() {
                let number = index::constant(b, number as i64);
                let row = index::add(b, done, number);
                let own = index::cmp(b, CmpIPredicate::Eq, lane, row);
                let sums = read_all(b, sums, &[warp]);
                for (value, sum) in values.iter_mut().zip(sums) {
                    *value = SelectOp::build(b, own, sum, *value).result(b.ir);
                }
            }
            values
        })
    }

    /// Row number `number` of a warp in a step, given the first one of the tile.
    pub(super) fn row(
        &self,
        b: &mut Builder<'_>,
        (first, warp): (Value, Value),
        step: Value,
        number: i64,
    ) -> Value {
        let shape = self.plan.shape;
        let factors = match self.plan.warps_first {
            true => [shape.rows_of_warp(), shape.at_once],
            false => [shape.at_once, shape.warps * shape.at_once],
        };
        let [of_warp, of_step] = factors.map(|factor| index::constant(b, factor));
        let before = index::mul(b, warp, of_warp);
        let row = index::add(b, first, before);
        let before = index::mul(b, step, of_step);
        let row = index::add(b, row, before);
        let number = index::constant(b, number);
        index::add(b, row, number)
    }

    /// The warp that has a row of the tile, and the row's number in it.
    fn holder(&self, b: &mut Builder<'_>, row: Value) -> [Value; 2] {
        let shape = self.plan.shape;
        let of_warp = index::constant(b, shape.rows_of_warp());
        if self.plan.warps_first {
            return [index::div(b, row, of_warp), index::rem(b, row, of_warp)];
        }
        let [at_once, warps] = [shape.at_once, shape.warps].map(|count| index::constant(b, count));
        let (group, number) = (index::div(b, row, at_once), index::rem(b, row, at_once));
        let (step, warp) = (index::div(b, group, warps), index::rem(b, group, warps));
        let before = index::mul(b, step, at_once);
        [warp, index::add(b, before, number)]
    }

    /// Column number `number` of a thread.
    pub(super) fn column(
        &self,
        b: &mut Builder<'_>,
        first: Value,
        lane: Value,
        number: i64,
    ) -> Value {
        let shape = self.plan.shape;
        let (factor, more) = match self.plan.adjacent {
            true => (shape.per_thread, number),
            false => (1, number * LANES),
        };
        let (factor, more) = (index::constant(b, factor), index::constant(b, more));
        let own = index::mul(b, lane, factor);
        let own = index::add(b, own, more);
        index::add(b, first, own)
    }

    /// The values that a thread block returns.
    fn returned(&self, b: &mut Builder<'_>, held: &Held) -> Vec<Value> {
        let plan = self.plan;
        let shape = plan.shape;
        let mut values = Vec::new();
        let per_thread = usize::try_from(shape.per_thread).unwrap_or(1);
        let count = held.columns.len() / per_thread;
        let mut first = 0;
        for combined in &plan.columns {
            let tiles: Vec<Value> = (first..first + combined.neutral.len())
                .map(|at| {
                    let parts = held.columns[at..].iter().step_by(count).copied();
                    self.tile_of_threads(b, &parts.collect::<Vec<_>>(), 1)
                })
                .collect();
            first += combined.neutral.len();
            values.extend(self.columns_of_warps(b, combined, &tiles));
        }
        if !held.rows.is_empty() {
            let types: Vec<Type> = held.rows.iter().map(|&value| element(b, value)).collect();
            let copies = self.by_threads(b, &types, |b, thread| read_all(b, &held.rows, &thread));
            let rows = shape.rows();
            values.extend(over(b, &[rows], &types, |b, at| {
                let holder = self.holder(b, at[0]);
                read_all(b, &copies, &holder)
            }));
        }
        for &array in &held.stored {
            let extents = [shape.rows(), shape.columns()];
            let ty = tensor_of(b, &extents, element(b, array));
            let sizes = extents.map(|extent| index::constant(b, extent));
            values.push(ReshapeOp::to(b, array, &sizes, ty));
        }
        values
    }

    /// The tile of which each thread holds its columns of some rows.
    fn tile_of_threads(&self, b: &mut Builder<'_>, parts: &[Value], rows: i64) -> Value {
        let shape = self.plan.shape;
        let ty = element(b, parts[0]);
        let ty = tensor_of(b, &[shape.warps * rows, shape.columns()], ty);
        let run = if self.plan.adjacent {
            shape.per_thread
        } else {
            1
        };
        let registers = b.ctx().dense_i64_attr(&[rows, shape.per_thread]);
        let runs = b.ctx().dense_i64_attr(&[rows, run]);
        let tile = RegTileOp::builder()
            .parts(parts)
            .registers(registers)
            .runs(runs)
            .result_type(ty)
            .build(b);
        tile.result(b.ir)
    }

    /// Columns combined across the warps, in order.
    fn columns_of_warps(
        &self,
        b: &mut Builder<'_>,
        combined: &Combined,
        tiles: &[Value],
    ) -> Vec<Value> {
        let shape = self.plan.shape;
        let types: Vec<Type> = tiles.iter().map(|&tile| element(b, tile)).collect();
        over(b, &[shape.columns()], &types, |b, at| {
            let [zero, one] = [0, 1].map(|number| index::constant(b, number));
            let warps = index::constant(b, shape.warps);
            let inits = read_all(b, tiles, &[zero, at[0]]);
            let looped = scf::ForOp::builder()
                .lower_bound(one)
                .upper_bound(warps)
                .step(one)
                .init_args(&inits)
                .results_types(&types)
                .build(b);
            let region = looped.region(b.ir);
            let args = [&[b.ctx().index()], &types[..]].concat();
            b.build_block(region, &args, |b, args| {
                let values = read_all(b, tiles, &[args[0], at[0]]);
                let next = combined.apply(b, self.plan.around, &args[1..], &values);
                scf::YieldOp::build(b, &next);
            });
            looped.results(b.ir)
        })
    }

    /// Combines the parts of all tiles.
    fn finish(
        &self,
        b: &mut Builder<'_>,
        parts: &[Value],
        [down, across]: [Value; 2],
    ) -> Vec<(Value, Value)> {
        let plan = self.plan;
        let (of_columns, rest) = parts.split_at(Combined::neutrals(&plan.columns).count());
        let (of_rows, stored) = rest.split_at(Combined::neutrals(&plan.rows).count());
        let mut made = Vec::new();
        for (stored, &tiles) in plan.stored.iter().zip(stored) {
            let ty = b.type_of(stored.result);
            let whole = UntileOp::build(b, tiles, &[self.rows, self.columns], ty);
            made.push((stored.result, whole.result(b.ir)));
        }
        if plan.columns_last {
            made.extend(self.finish_rows(b, of_rows, across));
        }
        made.extend(self.finish_columns(b, of_columns, [down, across]));
        if !plan.columns_last {
            made.extend(self.finish_rows(b, of_rows, across));
        }
        made
    }

    /// Combines the parts of columns.
    fn finish_columns(
        &self,
        b: &mut Builder<'_>,
        mut parts: &[Value],
        [down, across]: [Value; 2],
    ) -> Vec<(Value, Value)> {
        let mut made = Vec::new();
        for combined in Combined::in_nests(b.ir, &self.plan.columns) {
            let (these, others) = parts.split_at(Combined::neutrals(combined).count());
            parts = others;
            let these: Vec<Value> = these
                .iter()
                .map(|&part| self.in_rows(b, part, [down, across]))
                .collect();
            let sums = self.combine(b, combined, (self.columns, down), |b, outer, at, part| {
                read_all(b, &these, &[outer, &[part, at]].concat())
            });
            made.extend(sums);
        }
        made
    }

    /// Combines the parts of rows.
    fn finish_rows(
        &self,
        b: &mut Builder<'_>,
        mut parts: &[Value],
        across: Value,
    ) -> Vec<(Value, Value)> {
        let mut made = Vec::new();
        for combined in Combined::in_nests(b.ir, &self.plan.rows) {
            let (these, others) = parts.split_at(Combined::neutrals(combined).count());
            parts = others;
            let sums = self.combine(b, combined, (self.rows, across), |b, outer, at, part| {
                let extent = index::constant(b, self.plan.shape.rows());
                let (tile, own) = (index::div(b, at, extent), index::rem(b, at, extent));
                read_all(b, these, &[outer, &[tile, part, own]].concat())
            });
            made.extend(sums);
        }
        made
    }

    /// The parts of columns, those of one row of tiles after another: the index of a part then has no division, and says nothing of
    /// the shape of tiles, so that kernels for several shapes are the same.
    fn in_rows(&self, b: &mut Builder<'_>, parts: Value, [down, across]: [Value; 2]) -> Value {
        let of_tile = index::constant(b, self.plan.shape.columns());
        let mut sizes = self.outer.clone();
        sizes.extend([down, index::mul(b, across, of_tile)]);
        let ty = tensor_of(b, &vec![DYNAMIC; sizes.len()], element(b, parts));
        ReshapeOp::to(b, parts, &sizes, ty)
    }

    /// The values of each of `extent` rows or columns from as many parts, for the results that they stand for.
    fn combine(
        &self,
        b: &mut Builder<'_>,
        combined: &[Combined],
        (extent, parts): (Value, Value),
        read: impl FnOnce(&mut Builder<'_>, &[Value], Value, Value) -> Vec<Value>,
    ) -> Vec<(Value, Value)> {
        let ctx = b.ir.context();
        let mut sizes = self.outer.clone();
        sizes.extend([extent, parts]);
        let neutral = self.plan.around.get_all(Combined::neutrals(combined));
        let old: Vec<Value> = combined
            .iter()
            .flat_map(|one| one.results.iter().copied())
            .collect();
        let results: Vec<Type> = old.iter().map(|&old| b.type_of(old)).collect();
        let types: Vec<Type> = neutral.iter().map(|&value| b.type_of(value)).collect();
        let segred = SegRedOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&sizes)
            .neutral(&neutral)
            .results_types(&results)
            .build(b);
        b.ir.set_attr_named(segred.op(), OF_TILES, Some(ctx.unit()));
        let region = segred.body(b.ir);
        b.build_block(region, &vec![ctx.index(); sizes.len()], |b, args| {
            let (outer, last) = args.split_at(self.outer.len());
            let values = read(b, outer, last[0], last[1]);
            ReturnOp::build(b, &values);
        });
        let region = segred.combine(b.ir);
        let both = [&types[..], &types].concat();
        b.build_block(region, &both, |b, args| {
            let (left, right) = args.split_at(types.len());
            let values = Combined::apply_all(b, combined, self.plan.around, left, right);
            ReturnOp::build(b, &values);
        });
        old.into_iter().zip(segred.results(b.ir)).collect()
    }

    /// An op with a point for each thread (warp and lane), whose values are scalars of these types.
    pub(super) fn by_threads(
        &self,
        b: &mut Builder<'_>,
        types: &[Type],
        body: impl FnOnce(&mut Builder<'_>, [Value; 2]) -> Vec<Value>,
    ) -> Vec<Value> {
        over(b, &[self.plan.shape.warps, LANES], types, |b, at| {
            body(b, [at[0], at[1]])
        })
    }
}

/// An op of a thread block's threads over these extents, whose points' values are scalars of these types.
fn over(
    b: &mut Builder<'_>,
    extents: &[i64],
    types: &[Type],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let ctx = b.ir.context();
    let results: Vec<Type> = types.iter().map(|&ty| tensor_of(b, extents, ty)).collect();
    let sizes: Vec<Value> = extents
        .iter()
        .map(|&extent| index::constant(b, extent))
        .collect();
    let segmap = SegMapOp::builder()
        .level(Level::Thread.attr(&ctx))
        .sizes(&sizes)
        .results_types(&results)
        .build(b);
    let region = segmap.body(b.ir);
    b.build_block(region, &vec![ctx.index(); extents.len()], |b, args| {
        let values = body(b, args);
        ReturnOp::build(b, &values);
    });
    segmap.results(b.ir)
}

fn element(b: &Builder<'_>, array: Value) -> Type {
    b.type_of(array).element_or_self(b.ctx())
}

/// The element of each of some arrays at the same indices.
pub(super) fn read_all(b: &mut Builder<'_>, arrays: &[Value], indices: &[Value]) -> Vec<Value> {
    let mut read = |&array: &Value| Read::build(b, array, indices).result(b.ir);
    arrays.iter().map(&mut read).collect()
}

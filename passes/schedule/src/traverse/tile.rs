//! A group as a kernel of thread blocks with a tile of the matrices each.
//!
//! A block has `threads` threads. At a time it has `at_once` rows of `threads * per_thread` columns, each thread the
//! elements of all those rows in its columns; it takes `steps` times as many rows one after another.
//!
//! | part of a member | in the tile |
//! |---|---|
//! | values that depend on the column only | computed before the first step, kept in registers |
//! | columns combined | in registers of the thread, carried from step to step: no other thread has that column |
//! | rows combined | by each thread, then across the threads in every step, kept by the thread with the row's number |
//! | elements that are needed outside | stored as they are made |
//!
//! A tile combines a part of each row and column; a second kernel combines those parts, in order. Rows and columns beyond
//! the matrix are computed at the last one and not combined: no element is made up, so nothing that is not of the program
//! reaches an operator. Neutral elements begin what is combined, and stand where a thread has no element.

use crate::traverse::plan::{Combined, Plan};
use crate::traverse::step::{self, Step};
use segra_ir::{Builder, Type, TypeKind, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::level::Level;
use segra_kernel::local::ScratchOp;
use segra_kernel::registers::RegTileOp;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, tensor_over};
use segra_kernel::tile::UntileOp;
use segra_kernel::update::ScatterOp;
use segra_space::Target;
use segra_std::arith::{AndIOp, CmpIPredicate, SelectOp, index};
use segra_std::scf;

/// Most rows, and columns, that a thread has at once.
const MOST_AT_ONCE: i64 = 32;

/// Extents of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) threads: i64,
    /// Columns of a thread.
    pub(super) per_thread: i64,
    /// Rows that a thread has at once.
    pub(super) at_once: i64,
    /// How often it takes so many; rows in all are no more than threads.
    pub(super) steps: i64,
}

impl Shape {
    pub(super) fn rows(&self) -> i64 {
        self.at_once * self.steps
    }
    pub(super) fn columns(&self) -> i64 {
        self.threads * self.per_thread
    }

    /// The problem with the numbers: the option's name and what it must be.
    pub(super) fn fault(&self) -> Option<String> {
        let (warp, most) = (Target::CUDA.warp, Target::CUDA.launch.block_threads);
        if !Target::CUDA.has_block_of(self.threads) {
            return Some(format!(
                "option threads: must be a multiple of {warp} up to {most}"
            ));
        }
        for (name, count) in [("columns", self.per_thread), ("rows", self.at_once)] {
            if !(1..=MOST_AT_ONCE).contains(&count) {
                return Some(format!("option {name}: must be from 1 to {MOST_AT_ONCE}"));
            }
        }
        let rows = self.at_once.checked_mul(self.steps);
        let fits = rows.is_some_and(|rows| (1..=self.threads).contains(&rows));
        (!fits).then(|| "option steps: the rows of all steps must be from 1 to the threads".to_owned())
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

/// What the threads of a block hold from step to step, a value each.
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
        rows: plan.around.get(space.rows),
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
        let over = |extents: &[i64], value: Value| tensor(b, extents, b.type_of(value));
        let columns = Combined::neutrals(&self.plan.columns);
        let rows = Combined::neutrals(&self.plan.rows);
        let stored = self.plan.stored.iter();
        let columns = columns.map(|value| over(&[shape.columns()], value));
        let rows = rows.map(|value| over(&[shape.threads], value));
        let stored = stored.map(|stored| over(&[shape.rows(), shape.columns()], stored.value));
        columns.chain(rows).chain(stored).collect()
    }

    /// The code of a thread block.
    fn point(&self, b: &mut Builder<'_>, indices: &[Value]) -> Vec<Value> {
        let shape = self.plan.shape;
        let (outer, tile) = indices.split_at(self.outer.len());
        let [first_row, first_column] = [(tile[0], shape.rows()), (tile[1], shape.columns())]
            .map(|(number, extent)| {
                let extent = index::constant(b, extent);
                index::mul(b, number, extent)
            });
        let left = index::sub(b, self.rows, first_row);
        let (at_once, most) = (
            index::constant(b, shape.at_once),
            index::constant(b, shape.steps),
        );
        let needed = index::ceil_div(b, left, at_once);
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
            let done = index::mul(b, args[0], at_once);
            let row = index::add(b, first_row, done);
            let step = Step {
                tile: self,
                outer,
                row,
                first_column,
                of_column: &of_column,
            };
            let next = self.step(b, &step, &held.with(&args[1..]), done);
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
        let arrays = self.by_threads(b, &types, |b, thread| {
            let mut made = Vec::new();
            let point = plan.bodies.point(b, plan.around, outer);
            for number in 0..shape.per_thread {
                let column = self.column(b, first_column, thread, number);
                let column = step::at_most_last(b, column, self.columns);
                let mapping = plan.bodies.column(b, &point, column);
                made.extend(mapping.get_all(plan.bodies.of_column.iter().copied()));
            }
            made.extend(plan.around.get_all(values[computed..].iter().copied()));
            made
        });
        let (of_column, rest) = arrays.split_at(computed);
        let (columns, rows) = rest.split_at(per_thread * columns.len());
        let extents = [shape.rows(), shape.columns()];
        let mut stored = Vec::new();
        for element in &plan.stored {
            let ty = tensor(b, &extents, b.type_of(element.value));
            let sizes = extents.map(|extent| index::constant(b, extent));
            stored.push(ScratchOp::build(b, &sizes, ty).result(b.ir));
        }
        let held = Held {
            columns: columns.to_vec(),
            rows: rows.to_vec(),
            stored,
        };
        (of_column.to_vec(), held)
    }

    /// What the threads hold after a step; `done`: rows of the tile before it.
    fn step(&self, b: &mut Builder<'_>, step: &Step<'_>, held: &Held, done: Value) -> Held {
        let plan = self.plan;
        let parts = step.by_threads(b, &held.columns);
        let rows = match plan.rows.is_empty() {
            true => Vec::new(),
            false => self.rows_of_step(b, &parts.rows, &held.rows, done),
        };
        let mut stored = held.stored.clone();
        for (array, elements) in stored.iter_mut().zip(&parts.stored) {
            for (number, &value) in elements.iter().enumerate() {
                *array = self.store(b, step, (*array, value), number as i64, done);
            }
        }
        Held {
            columns: parts.columns,
            rows,
            stored,
        }
    }

    /// Combines rows across the threads; the thread with a row's number in the tile keeps the result.
    fn rows_of_step(
        &self,
        b: &mut Builder<'_>,
        parts: &[Value],
        held: &[Value],
        done: Value,
    ) -> Vec<Value> {
        let plan = self.plan;
        let ctx = b.ir.context();
        let at_once = usize::try_from(plan.shape.at_once).unwrap_or(1);
        let neutral: Vec<Value> = Combined::neutrals(&plan.rows).collect();
        let neutral = plan.around.get_all(neutral);
        let all: Vec<Value> = (0..at_once).flat_map(|_| neutral.iter().copied()).collect();
        let types: Vec<Type> = all.iter().map(|&value| b.type_of(value)).collect();
        let threads = index::constant(b, plan.shape.threads);
        let segred = SegRedOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&[threads])
            .neutral(&all)
            .results_types(&types)
            .build(b);
        let region = segred.body(b.ir);
        b.build_block(region, &[ctx.index()], |b, args| {
            let values = read_all(b, parts, args[0]);
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
        self.by_threads(b, &types[..neutral.len()], |b, thread| {
            let mut values = read_all(b, held, thread);
            for (number, sums) in sums.chunks(neutral.len()).enumerate() {
                let number = index::constant(b, number as i64);
                let row = index::add(b, done, number);
                let own = index::cmp(b, CmpIPredicate::Eq, thread, row);
                for (value, &sum) in values.iter_mut().zip(sums) {
                    *value = SelectOp::build(b, own, sum, *value).result(b.ir);
                }
            }
            values
        })
    }

    /// An array of elements with those that the threads hold as their number `number`.
    fn store(
        &self,
        b: &mut Builder<'_>,
        step: &Step<'_>,
        (array, value): (Value, Value),
        number: i64,
        done: Value,
    ) -> Value {
        let ctx = b.ir.context();
        let shape = self.plan.shape;
        let (row, column) = (number / shape.per_thread, number % shape.per_thread);
        let row = index::constant(b, row);
        let (of_tile, of_matrix) = (index::add(b, done, row), index::add(b, step.row, row));
        let threads = index::constant(b, shape.threads);
        let ty = b.type_of(array);
        let scatter = ScatterOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&[threads])
            .destinations(&[array])
            .results_types(&[ty])
            .build(b);
        let region = scatter.body(b.ir);
        b.build_block(region, &[ctx.index()], |b, args| {
            let zero = index::constant(b, 0);
            let at = self.column(b, zero, args[0], column);
            let in_matrix = index::add(b, step.first_column, at);
            let exists = [(of_matrix, self.rows), (in_matrix, self.columns)]
                .map(|(at, extent)| index::cmp(b, CmpIPredicate::Slt, at, extent));
            let exists = AndIOp::build(b, exists[0], exists[1]).result(b.ir);
            let nowhere = index::constant(b, -1);
            let row = SelectOp::build(b, exists, of_tile, nowhere).result(b.ir);
            let value = ReadOp::build(b, value, args).result(b.ir);
            ReturnOp::build(b, &[row, at, value]);
        });
        scatter.results(b.ir)[0]
    }

    /// Column number `number` of a thread.
    pub(super) fn column(
        &self,
        b: &mut Builder<'_>,
        first: Value,
        thread: Value,
        number: i64,
    ) -> Value {
        let shape = self.plan.shape;
        let (factor, more) = match self.plan.adjacent {
            true => (shape.per_thread, number),
            false => (1, number * shape.threads),
        };
        let (factor, more) = (index::constant(b, factor), index::constant(b, more));
        let own = index::mul(b, thread, factor);
        let own = index::add(b, own, more);
        index::add(b, first, own)
    }

    /// What a thread block returns.
    fn returned(&self, b: &mut Builder<'_>, held: &Held) -> Vec<Value> {
        let plan = self.plan;
        let shape = plan.shape;
        let count = Combined::neutrals(&plan.columns).count();
        let run = if plan.adjacent { shape.per_thread } else { 1 };
        let mut values = Vec::new();
        for part in 0..count {
            let parts: Vec<Value> = held.columns[part..].iter().step_by(count).copied().collect();
            let element = b.ir.value_type(parts[0]).element_or_self(b.ctx());
            let ty = tensor(b, &[shape.columns()], element);
            let [registers, runs] = [shape.per_thread, run].map(|of| b.ctx().dense_i64_attr(&[of]));
            let tile = RegTileOp::builder()
                .parts(&parts)
                .registers(registers)
                .runs(runs)
                .result_type(ty)
                .build(b);
            values.push(tile.result(b.ir));
        }
        values.extend(&held.rows);
        values.extend(&held.stored);
        values
    }

    /// Combines the parts of all tiles.
    fn finish(
        &self,
        b: &mut Builder<'_>,
        parts: &[Value],
        [down, across]: [Value; 2],
    ) -> Vec<(Value, Value)> {
        let plan = self.plan;
        let shape = plan.shape;
        let mut rest = parts;
        let mut take = |count: usize| {
            let (these, others) = rest.split_at(count);
            rest = others;
            these
        };
        let mut made = Vec::new();
        for combined in &plan.columns {
            let parts = take(combined.neutral.len());
            let sums = self.combine(b, combined, (self.columns, down), |b, outer, at, part| {
                let extent = index::constant(b, shape.columns());
                let (tile, own) = (index::div(b, at, extent), index::rem(b, at, extent));
                read_each(b, parts, &[outer, &[part, tile, own]].concat())
            });
            made.extend(combined.results.iter().copied().zip(sums));
        }
        for combined in &plan.rows {
            let parts = take(combined.neutral.len());
            let sums = self.combine(b, combined, (self.rows, across), |b, outer, at, part| {
                let extent = index::constant(b, shape.rows());
                let (tile, own) = (index::div(b, at, extent), index::rem(b, at, extent));
                read_each(b, parts, &[outer, &[tile, part, own]].concat())
            });
            made.extend(combined.results.iter().copied().zip(sums));
        }
        for (stored, &tiles) in plan.stored.iter().zip(take(plan.stored.len())) {
            let ty = b.type_of(stored.result);
            let whole = UntileOp::build(b, tiles, &[self.rows, self.columns], ty);
            made.push((stored.result, whole.result(b.ir)));
        }
        made
    }

    /// The values of each of `extent` rows or columns from as many parts.
    fn combine(
        &self,
        b: &mut Builder<'_>,
        combined: &Combined,
        (extent, parts): (Value, Value),
        read: impl FnOnce(&mut Builder<'_>, &[Value], Value, Value) -> Vec<Value>,
    ) -> Vec<Value> {
        let ctx = b.ir.context();
        let mut sizes = self.outer.clone();
        sizes.extend([extent, parts]);
        let neutral = self.plan.around.get_all(combined.neutral.iter().copied());
        let results: Vec<Type> = combined.results.iter().map(|&old| b.type_of(old)).collect();
        let types: Vec<Type> = neutral.iter().map(|&value| b.type_of(value)).collect();
        let segred = SegRedOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&sizes)
            .neutral(&neutral)
            .results_types(&results)
            .build(b);
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
            let values = combined.apply(b, self.plan.around, left, right);
            ReturnOp::build(b, &values);
        });
        segred.results(b.ir)
    }

    /// An op with a point for each thread, whose values are scalars of these types.
    pub(super) fn by_threads(
        &self,
        b: &mut Builder<'_>,
        types: &[Type],
        body: impl FnOnce(&mut Builder<'_>, Value) -> Vec<Value>,
    ) -> Vec<Value> {
        let ctx = b.ir.context();
        let threads = self.plan.shape.threads;
        let results: Vec<Type> = types.iter().map(|&ty| tensor(b, &[threads], ty)).collect();
        let threads = index::constant(b, threads);
        let segmap = SegMapOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&[threads])
            .results_types(&results)
            .build(b);
        let region = segmap.body(b.ir);
        b.build_block(region, &[ctx.index()], |b, args| {
            let values = body(b, args[0]);
            ReturnOp::build(b, &values);
        });
        segmap.results(b.ir)
    }
}

fn tensor(b: &Builder<'_>, shape: &[i64], element: Type) -> Type {
    b.ctx().ty(TypeKind::Tensor {
        shape: shape.to_vec(),
        element,
        encoding: None,
    })
}

/// The element of each of some arrays at one index.
pub(super) fn read_all(b: &mut Builder<'_>, arrays: &[Value], at: Value) -> Vec<Value> {
    read_each(b, arrays, &[at])
}

fn read_each(b: &mut Builder<'_>, arrays: &[Value], indices: &[Value]) -> Vec<Value> {
    let mut read = |&array: &Value| ReadOp::build(b, array, indices).result(b.ir);
    arrays.iter().map(&mut read).collect()
}

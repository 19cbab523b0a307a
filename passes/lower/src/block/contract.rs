//! Sums of products by tensor cores: `kernel.contract`.
//!
//! ```text
//! thread t of a warp:  row of 8 = t / 4, column of 4 = t mod 4 of the warp's 8 by 4 threads
//! for each 16 of the depth:
//!   a[i] = nvgpu.ldmatrix %as[..], 4 matrices       16 rows by 16, for every second point along the rows
//!   b[j] = nvgpu.ldmatrix %bs[..], 4 matrices       16 by 16 columns, for every fourth point along the columns
//!   c[i][j] = nvgpu.mma.sync (a[i], b[j], c[i][j])  m16n8k16
//! ```
//! is how numbers of 16 bits are multiplied; others have other depths, and doubles 8 rows ([`segra_kernel::contract::KINDS`]).
//! Numbers of `f32` are rounded to `tf32` by each thread that has them in a fragment. Threads read doubles, `f32`s that lie
//! across the depth, and numbers of 8 bits across their rows, element by element, each what it has of a fragment.
//!
//! A warp of 8 by 4 threads has the points of 8 rows, and of 8 columns in runs of 2, of each of which `mma.sync` gives a
//! thread its own: so the sums that threads hold are fragments as they are, and what comes before and after is code of single
//! threads. Threads of such blocks are numbered warp by warp ([`crate::state::OwnArrays::in_warps`]).
//!
//! Legality: threads hold the sums; both arrays lie in shared memory, in rows of a known length whose starts are aligned to
//! 16 bytes; parts of 16 bytes may be in another order in each row ([`super::pitch`]), which matrices further along a row turn
//! as the first one does, all rows of a thread being multiples of 8 apart.

use crate::kernel::Kernel;
use crate::launch::{add, constant, mul};
use crate::state::{Array, Memory, Pitch};
use segra_gpu::fragments::{LdMatrixOp, MmaSyncOp, UNSIGNED};
use segra_ir::attrs::Splat;
use segra_ir::{AttrKind, FloatKind, InsertPoint, OpView, Type, Value};
use segra_kernel::contract::{ContractOp, Kind, LANES, Number, PAIR};
use segra_kernel::registers::Registers;
use segra_space::Target;
use segra_std::arith::{RoundingMode, round_through};
use segra_std::{arith, memref, vector};

/// Rows of a matrix that is read.
const ROWS: i64 = LANES[0];

/// An operand, as a warp reads it.
struct Operand {
    array: Array,
    /// How rows lie in memory.
    pitch: Pitch,
    is_a: bool,
    transposed: bool,
    /// Whether matrices are read; else elements.
    by_matrices: bool,
    /// How numbers are rounded to `tf32`.
    tf32: Option<RoundingMode>,
    /// The element at which this thread's first row begins, its column, and the bits in which places differ from columns.
    row: Value,
    column: Value,
    turn: Option<Value>,
}

impl Operand {
    /// How many rows and columns further lies what is so many further along the plane and along the depth.
    fn behind(&self, plane: i64, depth: i64) -> (i64, i64) {
        match self.along_depth() {
            true => (plane, depth),
            false => (depth, plane),
        }
    }

    /// Whether rows in memory are along the depth: `a` is plane by depth, `b` depth by plane.
    fn along_depth(&self) -> bool {
        self.is_a != self.transposed
    }

    /// Where the element lies so many rows and columns behind the thread's first one. Rows are multiples of 8 where their
    /// parts are turned.
    fn at(&self, b: &mut segra_ir::Builder<'_>, (rows, columns): (i64, i64)) -> Value {
        // Whole turns change no order: what is left of the columns is turned with the thread's.
        let whole = self.pitch.swizzle.map_or(1, |it| it.part * it.parts);
        let (before, behind) = (columns % whole, columns - columns % whole);
        let mut column = self.column;
        if before != 0 {
            let before = constant(b, before);
            column = add(b, column, before);
        }
        if let Some(turn) = self.turn {
            column = arith::XOrIOp::build(b, column, turn).result(b.ir);
        }
        let at = add(b, self.row, column);
        let behind = constant(b, rows * self.pitch.elements + behind);
        add(b, at, behind)
    }
}

/// The warp's part of a block, and the thread's part of what is read.
struct Warp {
    /// The first thread's indices along the rows and the columns.
    first: [Value; 2],
    /// The thread's number in it.
    lane: Value,
}

/// `lane / by mod count`
fn bits(b: &mut segra_ir::Builder<'_>, lane: Value, by: i64, count: i64) -> Value {
    let (by, count) = (constant(b, by), constant(b, count));
    let rest = arith::DivUIOp::build(b, lane, by).result(b.ir);
    arith::RemUIOp::build(b, rest, count).result(b.ir)
}

impl Kernel<'_> {
    /// Emits the products of a thread's points, which are those of its warp.
    pub(crate) fn contract(&mut self, point: InsertPoint, contract: ContractOp) {
        let op = contract.op();
        let (points, threads) = (contract.points(self.ir), contract.threads(self.ir));
        let own = self.own.as_ref();
        if own.is_none_or(|own| !own.in_warps || own.extents != threads) {
            return self.refuse(
                op,
                "needs a thread for each of its points, which holds the sums",
            );
        }
        let Some(kind) = contract.kind(self.ir) else {
            return self.refuse(op, "is no product of tensor cores");
        };
        if contract.warpgroups(self.ir).is_some() {
            return self.contract_together(point, contract);
        }
        let Some(warp) = self.warp_at(point, &threads) else {
            return self.refuse(op, "needs a thread block");
        };
        let operands = [true, false]
            .map(|is_a| self.operand(point, contract, (kind, is_a), (&threads, &warp)));
        let [Some(a), Some(b)] = operands else {
            return self.refuse(
                op,
                "needs arrays in shared memory, in aligned rows of a known length",
            );
        };
        let sums = self.sums(point, contract, (kind, &points));
        let sums = self.products(point, (&a, &b), (contract, kind), (&points, &threads), sums);
        let parts: Vec<Vec<Value>> = sums
            .into_iter()
            .map(|fragment| elements(&mut self.at(point), fragment, kind.parts_down()))
            .collect();
        let results: Vec<Value> = contract.results(self.ir);
        let (columns, pair) = (points.counts[1] as usize, PAIR as usize);
        let down = kind.parts_down() as usize;
        for (number, result) in results.into_iter().enumerate() {
            let (row, column) = (number / columns, number % columns);
            let fragment = &parts[row / down * (columns / pair) + column / pair];
            self.values
                .map(result, fragment[row % down * pair + column % pair]);
        }
    }

    fn warp_at(&mut self, point: InsertPoint, threads: &[i64]) -> Option<Warp> {
        let (warp, lane) = self.block.as_ref().map(|block| (block.warp, block.lane))?;
        let mut b = self.at(point);
        let across = threads[1] / LANES[1];
        let across = constant(&mut b, across);
        let down = arith::DivUIOp::build(&mut b, warp, across).result(b.ir);
        let right = arith::RemUIOp::build(&mut b, warp, across).result(b.ir);
        let first = [(down, LANES[0]), (right, LANES[1])].map(|(number, lanes)| {
            let lanes = constant(&mut b, lanes);
            mul(&mut b, number, lanes)
        });
        Some(Warp { first, lane })
    }

    /// Where along the plane and the depth a thread's part of an operand begins: a row of a matrix that it names, or an
    /// element.
    fn begin(
        &mut self,
        point: InsertPoint,
        contract: ContractOp,
        (kind, is_a, by_matrices): (Kind, bool, bool),
        (threads, warp): (&[i64], &Warp),
    ) -> [Value; 2] {
        let first = contract.first(self.ir);
        let first = self.inside(first);
        let transposed = contract.transposed(self.ir)[usize::from(!is_a)];
        let mut b = self.at(point);
        let (step, left) = match is_a {
            true => (threads[0], warp.first[0]),
            false => {
                let pair = constant(&mut b, PAIR);
                (PAIR * threads[1], mul(&mut b, warp.first[1], pair))
            }
        };
        if !by_matrices {
            let packed = constant(&mut b, kind.packed());
            let row = bits(&mut b, warp.lane, LANES[1], LANES[0]);
            let place = bits(&mut b, warp.lane, 1, LANES[1]);
            let depth = scaled(&mut b, place, packed, first);
            return [add(&mut b, left, row), depth];
        }
        // Four matrices are read at a time: of `a`, neighbours along the rows and then along the depth, of `b` the other
        // way round. Which of the 8 rows of each is the thread's lies along the plane or along the depth, as in memory.
        let [low, high] = [ROWS, 2 * ROWS].map(|by| bits(&mut b, warp.lane, by, 2));
        let row = bits(&mut b, warp.lane, 1, ROWS);
        let (across, deep) = match is_a {
            true => (low, high),
            false => (high, low),
        };
        let (step, part) = (constant(&mut b, step), constant(&mut b, kind.part_depth()));
        let mut place = [
            scaled(&mut b, across, step, left),
            scaled(&mut b, deep, part, first),
        ];
        let rows = usize::from(is_a == transposed);
        place[rows] = add(&mut b, place[rows], row);
        place
    }

    /// An operand, and where this thread's part of it begins.
    fn operand(
        &mut self,
        point: InsertPoint,
        contract: ContractOp,
        (kind, is_a): (Kind, bool),
        (threads, warp): (&[i64], &Warp),
    ) -> Option<Operand> {
        let value = match is_a {
            true => contract.a(self.ir),
            false => contract.b(self.ir),
        };
        let transposed = contract.transposed(self.ir)[usize::from(!is_a)];
        let by_matrices = contract.by_matrices(self.ir, value);
        let mut at = self.begin(point, contract, (kind, is_a, by_matrices), (threads, warp));
        if is_a == transposed {
            at.swap(0, 1);
        }
        let array = self.array(value, contract.op());
        let shape = self.ir.value_type(value).shaped(self.ir.ctx())?.0.to_vec();
        let pitch = array.pitch.or_else(|| {
            Some(Pitch {
                elements: *shape.last()?,
                swizzle: None,
                lines: None,
            })
        })?;
        let per_access = Target::CUDA.vector_bytes / super::ahead::bytes(self.ir, array.element)?;
        let aligned = pitch.keeps_together(per_access) && array.stride.is_none();
        let turned = pitch.swizzle.is_some() && !by_matrices;
        let lines = pitch.lines.is_some();
        if !matches!(array.memory, Memory::Shared(_)) || !aligned || turned || lines {
            return None;
        }
        self.now_reads(&array);
        let turn = pitch
            .swizzle
            .map(|swizzle| self.turn(point, swizzle, at[0]));
        let mut b = self.at(point);
        let rows = constant(&mut b, pitch.elements);
        let first = mul(&mut b, at[0], rows);
        let row = self.position(point, &array, first);
        Some(Operand {
            array,
            pitch,
            is_a,
            transposed,
            by_matrices,
            tf32: contract.tf32(self.ir),
            row,
            column: at[1],
            turn,
        })
    }

    /// The sums that a thread has, in fragments: rows of a pair each, row-major.
    fn sums(
        &mut self,
        point: InsertPoint,
        contract: ContractOp,
        (kind, points): (Kind, &Registers),
    ) -> Vec<Value> {
        let old = contract.sums(self.ir);
        let values: Vec<Value> = old.into_iter().map(|sum| self.inside(sum)).collect();
        let (rows, columns) = (points.counts[0] as usize, points.counts[1] as usize);
        let (down, pair) = (kind.parts_down() as usize, PAIR as usize);
        let mut b = self.at(point);
        let mut fragments = Vec::new();
        for row in (0..rows).step_by(down) {
            for column in (0..columns).step_by(pair) {
                let rows: Vec<Value> = (row..row + down)
                    .map(|row| {
                        let first = row * columns + column;
                        packed(&mut b, &values[first..first + pair])
                    })
                    .collect();
                fragments.push(stacked(&mut b, &rows));
            }
        }
        fragments
    }

    /// The sums after all products.
    fn products(
        &mut self,
        point: InsertPoint,
        (a, b): (&Operand, &Operand),
        (contract, kind): (ContractOp, Kind),
        (points, threads): (&Registers, &[i64]),
        mut sums: Vec<Value>,
    ) -> Vec<Value> {
        let depth = contract.depth(self.ir);
        let unsigned = contract.unsigned(self.ir);
        let (down, at_once) = (kind.parts_down(), kind.columns_at_once());
        let (rows, columns) = (points.counts[0] / down, points.counts[1] / PAIR);
        let parts = |planes: [i64; 2], (plane, step): (i64, i64)| -> Vec<(i64, i64)> {
            let deep = (0..kind.parts_deep()).map(|part| step + part * kind.part_depth());
            let [count, apart] = planes;
            deep.flat_map(|depth| (0..count).map(move |row| (plane + row * apart, depth)))
                .collect()
        };
        for step in (0..depth).step_by(kind.shape[2] as usize) {
            let lefts: Vec<Value> = (0..rows)
                .map(|row| {
                    let at = (row * down * threads[0], step);
                    self.fragment(point, (a, kind), &parts([down, threads[0]], at))
                })
                .collect();
            for column in (0..columns).step_by(at_once as usize) {
                let apart = PAIR * threads[1];
                // Matrices along the depth of one column after another.
                let columns_of = (column..column + at_once).map(|column| column * apart);
                let places: Vec<(i64, i64)> = columns_of
                    .flat_map(|plane| parts([1, apart], (plane, step)))
                    .collect();
                let all = self.fragment(point, (b, kind), &places);
                let mut builder = self.at(point);
                let deep = kind.parts_deep();
                let rights: Vec<Value> = (0..at_once)
                    .map(|beside| match at_once {
                        1 => all,
                        _ => {
                            let rows = beside * deep..(beside + 1) * deep;
                            let rows: Vec<Value> =
                                rows.map(|number| row(&mut builder, all, number)).collect();
                            stacked(&mut builder, &rows)
                        }
                    })
                    .collect();
                for (row, &left) in lefts.iter().enumerate() {
                    for (beside, &right) in rights.iter().enumerate() {
                        let number = row * columns as usize + column as usize + beside;
                        let operands = [left, right, sums[number]];
                        sums[number] = multiply(&mut self.at(point), kind, operands, unsigned);
                    }
                }
            }
        }
        sums
    }

    /// The parts of an operand that lie so far along the plane and the depth, one in each row, as they are multiplied.
    fn fragment(
        &mut self,
        point: InsertPoint,
        (operand, kind): (&Operand, Kind),
        places: &[(i64, i64)],
    ) -> Value {
        let fragment = self.stored(point, (operand, kind), places);
        let Some(mode) = operand.tf32 else {
            return fragment;
        };
        let mut b = self.at(point);
        let rows: Vec<Value> = elements(&mut b, fragment, places.len() as i64)
            .chunks(kind.packed() as usize)
            .map(|row| {
                let row: Vec<Value> = row
                    .iter()
                    .map(|&value| round_through(&mut b, value, FloatKind::TF32, mode))
                    .collect();
                packed(&mut b, &row)
            })
            .collect();
        stacked(&mut b, &rows)
    }

    /// The parts of an operand as they are in memory: four matrices at once, whose places follow from the first one's, or
    /// element by element.
    fn stored(
        &mut self,
        point: InsertPoint,
        (operand, kind): (&Operand, Kind),
        places: &[(i64, i64)],
    ) -> Value {
        let (Some(buffer), Some(&first)) = (operand.array.memory.buffer(), places.first()) else {
            return operand.row;
        };
        let mut b = self.at(point);
        if !operand.by_matrices {
            let rows: Vec<Value> = places
                .iter()
                .map(|&(plane, depth)| {
                    let elements: Vec<Value> = (depth..depth + kind.packed())
                        .map(|depth| {
                            let at = operand.at(&mut b, operand.behind(plane, depth));
                            memref::LoadOp::build(&mut b, buffer, &[at]).result(b.ir)
                        })
                        .collect();
                    packed(&mut b, &elements)
                })
                .collect();
            return stacked(&mut b, &rows);
        }
        let at = operand.at(&mut b, operand.behind(first.0, first.1));
        let shape = [places.len() as i64, kind.packed()];
        let ty = b.ctx().vector(&shape, operand.array.element);
        let transpose = b.ctx().bool_attr(!operand.along_depth());
        let tiles = b.ctx().int_attr(places.len() as i128, b.ctx().i32());
        LdMatrixOp::builder()
            .src_memref(buffer)
            .indices(&[at])
            .transpose(transpose)
            .num_tiles(tiles)
            .res_type(ty)
            .build(&mut b)
            .res(self.ir)
    }
}

/// `value * factor + offset`
fn scaled(b: &mut segra_ir::Builder<'_>, value: Value, factor: Value, offset: Value) -> Value {
    let scaled = mul(b, value, factor);
    add(b, scaled, offset)
}

fn element_of(b: &segra_ir::Builder<'_>, vector: Value) -> Type {
    let ty = b.type_of(vector);
    ty.shaped(b.ctx()).map_or(ty, |(_, element)| element)
}

/// A vector of some values.
fn packed(b: &mut segra_ir::Builder<'_>, values: &[Value]) -> Value {
    let ty = b.ctx().vector(&[values.len() as i64], b.type_of(values[0]));
    vector::FromElementsOp::build(b, values, ty).dest(b.ir)
}

/// A row of a fragment: what a thread has of one matrix.
fn row(b: &mut segra_ir::Builder<'_>, fragment: Value, number: i64) -> Value {
    let ty = b.type_of(fragment);
    let each = ty
        .shaped(b.ctx())
        .and_then(|(shape, _)| shape.last().copied());
    let element = element_of(b, fragment);
    let position = b.ctx().dense_i64_attr(&[number]);
    let ty = b.ctx().vector(&[each.unwrap_or(1)], element);
    vector::ExtractOp::builder()
        .source(fragment)
        .static_position(position)
        .result_type(ty)
        .build(b)
        .result(b.ir)
}

/// A fragment of some rows.
fn stacked(b: &mut segra_ir::Builder<'_>, rows: &[Value]) -> Value {
    let element = element_of(b, rows[0]);
    let each = b
        .type_of(rows[0])
        .shaped(b.ctx())
        .map_or(1, |(shape, _)| shape[0]);
    let ty = b.ctx().vector(&[rows.len() as i64, each], element);
    // Rows are put into a fragment that is there: upstream has a lowering for that in rank 2.
    let nothing = b.ctx().attr(AttrKind::DenseElements {
        ty,
        data: vec![0; crate::access::bit_width(b.ctx(), element).unwrap_or(32) as usize / 8],
        splat: Splat::Yes,
    });
    let mut fragment = arith::ConstantOp::build(b, nothing).result(b.ir);
    for (number, &row) in rows.iter().enumerate() {
        let position = b.ctx().dense_i64_attr(&[number as i64]);
        fragment = vector::InsertOp::builder()
            .value_to_store(row)
            .dest(fragment)
            .static_position(position)
            .result_type(ty)
            .build(b)
            .result(b.ir);
    }
    fragment
}

/// One product: the sums after it.
fn multiply(
    b: &mut segra_ir::Builder<'_>,
    kind: Kind,
    [left, right, sum]: [Value; 3],
    unsigned: [bool; 2],
) -> Value {
    let shape: Vec<_> = kind
        .shape
        .iter()
        .map(|&extent| b.ctx().i64_attr(extent))
        .collect();
    let shape = b.ctx().array_attr(&shape);
    let ty = b.type_of(sum);
    let tf32 = kind.factor == Number::Float(FloatKind::TF32);
    let product = MmaSyncOp::builder()
        .matrix_a(left)
        .matrix_b(right)
        .matrix_c(sum)
        .mma_shape(shape)
        .tf32_enabled(tf32.then(|| b.ctx().unit()))
        .res_type(ty)
        .build(b);
    for (name, _) in UNSIGNED.iter().zip(unsigned).filter(|row| row.1) {
        let unit = b.ctx().unit();
        b.ir.set_attr_named(product.op(), name, Some(unit));
    }
    product.res(b.ir)
}

/// The elements of a fragment of so many rows, row-major.
fn elements(b: &mut segra_ir::Builder<'_>, fragment: Value, rows: i64) -> Vec<Value> {
    let mut all = Vec::new();
    for number in 0..rows {
        let row = row(b, fragment, number);
        let op = vector::ToElementsOp::build(b, row).op();
        all.extend(b.ir.results(op));
    }
    all
}

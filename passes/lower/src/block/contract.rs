//! Sums of products by tensor cores: `kernel.contract`.
//!
//! ```text
//! thread t of a warp:  row of 8 = t / 4, column of 4 = t mod 4 of the warp's 8 by 4 threads
//! for each 16 of the depth:
//!   a[i] = nvgpu.ldmatrix %as[..], 4 matrices       16 rows by 16, for every second point along the rows
//!   b[j] = nvgpu.ldmatrix %bs[..], 4 matrices       16 by 16 columns, for every fourth point along the columns
//!   c[i][j] = nvgpu.mma.sync (a[i], b[j], c[i][j])  m16n8k16
//! ```
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
use segra_gpu::fragments::{LdMatrixOp, MmaSyncOp};
use segra_ir::attrs::Splat;
use segra_ir::{AttrKind, InsertPoint, OpView, Type, Value};
use segra_kernel::contract::{ContractOp, LANES, SHAPE};
use segra_kernel::registers::Registers;
use segra_space::Target;
use segra_std::{arith, vector};

/// Rows of a matrix that is read, and elements of 16 bits in each.
const SIDE: i64 = 8;

/// An operand, as a warp reads it.
struct Operand {
    array: Array,
    /// How rows lie in memory.
    pitch: Pitch,
    transposed: bool,
    /// The element at which this thread's first row begins, its column, and the bits in which places differ from columns.
    row: Value,
    column: Value,
    turn: Option<Value>,
}

impl Operand {
    /// How many rows and columns further lies what is so many further along the plane and along the depth.
    fn behind(&self, is_a: bool, plane: i64, depth: i64) -> (i64, i64) {
        // `a` is plane by depth, `b` depth by plane.
        match is_a != self.transposed {
            true => (plane, depth),
            false => (depth, plane),
        }
    }

    /// Where the element lies so many rows and columns behind the thread's first one. Rows are multiples of 8.
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
    /// The thread's number mod 8, and the next two bits of it.
    row: Value,
    low: Value,
    high: Value,
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
        let Some(warp) = self.warp_at(point, &threads) else {
            return self.refuse(op, "needs a thread block");
        };
        let Some((a, b)) = self.operands(point, contract, &threads, &warp) else {
            return self.refuse(
                op,
                "needs arrays in shared memory, in aligned rows of a known length",
            );
        };
        let element = a.array.element;
        let sums = self.sums(point, contract, &points);
        let sums = self.products(
            point,
            (&a, &b),
            (contract, &points, &threads),
            (sums, element),
        );
        let parts: Vec<Vec<Value>> = sums
            .into_iter()
            .map(|fragment| elements(&mut self.at(point), fragment))
            .collect();
        let results: Vec<Value> = contract.results(self.ir);
        let columns = points.counts[1] as usize;
        for (number, result) in results.into_iter().enumerate() {
            let (row, column) = (number / columns, number % columns);
            let fragment = &parts[row / 2 * (columns / 2) + column / 2];
            self.values.map(result, fragment[row % 2 * 2 + column % 2]);
        }
    }

    fn warp_at(&mut self, point: InsertPoint, threads: &[i64]) -> Option<Warp> {
        let (warp, lane) = self.block.as_ref().map(|block| (block.warp, block.lane))?;
        let mut b = self.at(point);
        let across = threads[1] / LANES[1];
        let mut bits = |shift: i64, count: i64| {
            let (shift, count) = (constant(&mut b, shift), constant(&mut b, count));
            let rest = arith::DivUIOp::build(&mut b, lane, shift).result(b.ir);
            arith::RemUIOp::build(&mut b, rest, count).result(b.ir)
        };
        let (row, low, high) = (bits(1, SIDE), bits(SIDE, 2), bits(2 * SIDE, 2));
        let across = constant(&mut b, across);
        let down = arith::DivUIOp::build(&mut b, warp, across).result(b.ir);
        let right = arith::RemUIOp::build(&mut b, warp, across).result(b.ir);
        let first = [(down, LANES[0]), (right, LANES[1])].map(|(number, lanes)| {
            let lanes = constant(&mut b, lanes);
            mul(&mut b, number, lanes)
        });
        Some(Warp {
            first,
            row,
            low,
            high,
        })
    }

    /// Both operands, and where this thread's rows of them begin.
    fn operands(
        &mut self,
        point: InsertPoint,
        contract: ContractOp,
        threads: &[i64],
        warp: &Warp,
    ) -> Option<(Operand, Operand)> {
        let first = contract.first(self.ir);
        let first = self.inside(first);
        let transposed = [
            contract.transpose_a(self.ir).is_some(),
            contract.transpose_b(self.ir).is_some(),
        ];
        // Four matrices are read at a time: of `a`, neighbours along the rows and then along the depth, of `b` the other
        // way round. Which of the 8 rows of each is the thread's lies along the plane or along the depth, as in memory.
        let mut b = self.at(point);
        let eight = constant(&mut b, SIDE);
        let [rows, columns] = [threads[0], 2 * threads[1]].map(|step| constant(&mut b, step));
        let two = constant(&mut b, 2);
        let left = mul(&mut b, warp.first[1], two);
        let a_row = scaled(&mut b, warp.low, rows, warp.first[0]);
        let a_depth = scaled(&mut b, warp.high, eight, first);
        let b_depth = scaled(&mut b, warp.low, eight, first);
        let b_column = scaled(&mut b, warp.high, columns, left);
        let plane_of_rows = |b: &mut segra_ir::Builder<'_>, value: Value, own: bool| match own {
            true => add(b, value, warp.row),
            false => value,
        };
        let a_row = plane_of_rows(&mut b, a_row, !transposed[0]);
        let a_depth = plane_of_rows(&mut b, a_depth, transposed[0]);
        let b_depth = plane_of_rows(&mut b, b_depth, !transposed[1]);
        let b_column = plane_of_rows(&mut b, b_column, transposed[1]);
        let mut a_at = [a_row, a_depth];
        let mut b_at = [b_depth, b_column];
        for (at, transposed) in [(&mut a_at, transposed[0]), (&mut b_at, transposed[1])] {
            if transposed {
                at.swap(0, 1);
            }
        }
        let (a, b) = (contract.a(self.ir), contract.b(self.ir));
        Some((
            self.operand(point, contract, a, (a_at, transposed[0]))?,
            self.operand(point, contract, b, (b_at, transposed[1]))?,
        ))
    }

    /// An operand, and where a row begins at these indices of it.
    fn operand(
        &mut self,
        point: InsertPoint,
        contract: ContractOp,
        value: Value,
        (at, transposed): ([Value; 2], bool),
    ) -> Option<Operand> {
        let array = self.array(value, contract.op());
        let shape = self.ir.value_type(value).shaped(self.ir.ctx())?.0.to_vec();
        let pitch = array.pitch.or_else(|| {
            Some(Pitch {
                elements: *shape.last()?,
                swizzle: None,
            })
        })?;
        let per_access = Target::CUDA.vector_bytes / super::ahead::bytes(self.ir, array.element)?;
        let aligned = pitch.keeps_together(per_access) && array.stride.is_none();
        if !matches!(array.memory, Memory::Shared(_)) || !aligned {
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
            transposed,
            row,
            column: at[1],
            turn,
        })
    }

    /// The sums that a thread has, in fragments: 2 rows by 2 columns each, row-major.
    fn sums(&mut self, point: InsertPoint, contract: ContractOp, points: &Registers) -> Vec<Value> {
        let old = contract.sums(self.ir);
        let values: Vec<Value> = old.into_iter().map(|sum| self.inside(sum)).collect();
        let (rows, columns) = (points.counts[0] as usize, points.counts[1] as usize);
        let mut b = self.at(point);
        let ty = b.ctx().vector(&[2], b.ctx().f32());
        let mut fragments = Vec::new();
        for row in (0..rows).step_by(2) {
            for column in (0..columns).step_by(2) {
                let rows = [row, row + 1].map(|row| {
                    let first = row * columns + column;
                    let pair = &values[first..first + 2];
                    vector::FromElementsOp::build(&mut b, pair, ty).dest(b.ir)
                });
                fragments.push(stacked(&mut b, rows));
            }
        }
        fragments
    }

    /// The sums after all products.
    fn products(
        &mut self,
        point: InsertPoint,
        (a, b): (&Operand, &Operand),
        (contract, points, threads): (ContractOp, &Registers, &[i64]),
        (mut sums, element): (Vec<Value>, Type),
    ) -> Vec<Value> {
        let depth = contract.depth(self.ir);
        let (rows, columns) = (points.counts[0] / 2, points.counts[1] / 2);
        for step in (0..depth).step_by(SHAPE[2] as usize) {
            let lefts: Vec<Value> = (0..rows)
                .map(|row| self.matrices(point, (a, true), (2 * row * threads[0], step), element))
                .collect();
            for column in (0..columns).step_by(2) {
                let at = (column * 2 * threads[1], step);
                let four = self.matrices(point, (b, false), at, element);
                let mut b = self.at(point);
                let rights = [[0, 1], [2, 3]].map(|rows| {
                    let rows = rows.map(|number| row(&mut b, four, number));
                    stacked(&mut b, rows)
                });
                for (row, &left) in lefts.iter().enumerate() {
                    for (beside, &right) in rights.iter().enumerate() {
                        let number = row * columns as usize + column as usize + beside;
                        sums[number] = multiply(&mut self.at(point), left, right, sums[number]);
                    }
                }
            }
        }
        sums
    }

    /// Four matrices of an operand, so far along the plane and the depth.
    fn matrices(
        &mut self,
        point: InsertPoint,
        (operand, is_a): (&Operand, bool),
        (plane, depth): (i64, i64),
        element: Type,
    ) -> Value {
        let Some(buffer) = operand.array.memory.buffer() else {
            return operand.row;
        };
        let mut b = self.at(point);
        let at = operand.at(&mut b, operand.behind(is_a, plane, depth));
        let ty = b.ctx().vector(&[4, 2], element);
        let transpose = b.ctx().bool_attr(is_a == operand.transposed);
        let tiles = b.ctx().int_attr(4, b.ctx().i32());
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

/// A row of a fragment: what a thread has of one matrix.
fn row(b: &mut segra_ir::Builder<'_>, fragment: Value, number: i64) -> Value {
    let element = element_of(b, fragment);
    let position = b.ctx().dense_i64_attr(&[number]);
    let ty = b.ctx().vector(&[2], element);
    vector::ExtractOp::builder()
        .source(fragment)
        .static_position(position)
        .result_type(ty)
        .build(b)
        .result(b.ir)
}

/// A fragment of two rows.
fn stacked(b: &mut segra_ir::Builder<'_>, rows: [Value; 2]) -> Value {
    let element = element_of(b, rows[0]);
    let ty = b.ctx().vector(&[2, 2], element);
    // Rows are put into a fragment that is there: upstream has a lowering for that in rank 2.
    let nothing = b.ctx().attr(AttrKind::DenseElements {
        ty,
        data: vec![0; crate::access::bit_width(b.ctx(), element).unwrap_or(32) as usize / 8],
        splat: Splat::Yes,
    });
    let mut fragment = arith::ConstantOp::build(b, nothing).result(b.ir);
    for (number, row) in rows.into_iter().enumerate() {
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

fn multiply(b: &mut segra_ir::Builder<'_>, left: Value, right: Value, sum: Value) -> Value {
    let shape: Vec<_> = SHAPE
        .iter()
        .map(|&extent| b.ctx().i64_attr(extent))
        .collect();
    let shape = b.ctx().array_attr(&shape);
    let ty = b.type_of(sum);
    MmaSyncOp::builder()
        .matrix_a(left)
        .matrix_b(right)
        .matrix_c(sum)
        .mma_shape(shape)
        .res_type(ty)
        .build(b)
        .res(b.ir)
}

/// The elements of a fragment of two rows, row-major.
fn elements(b: &mut segra_ir::Builder<'_>, fragment: Value) -> Vec<Value> {
    let mut all = Vec::new();
    for number in 0..2 {
        let row = row(b, fragment, number);
        let op = vector::ToElementsOp::build(b, row).op();
        all.extend(b.ir.results(op));
    }
    all
}

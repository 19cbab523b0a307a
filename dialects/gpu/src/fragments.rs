//! Matrix fragments: ops of the dialect `nvgpu` by which the 32 threads of a warp multiply together. Same text as upstream's.
//!
//! ```mlir
//! %a = nvgpu.ldmatrix %as[%i] {numTiles = 4 : i32, transpose = false} : memref<?xf16, 3> -> vector<4x2xf16>
//! %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
//! ```
//! A warp's thread number `t` has of a matrix of 8 rows, 16 bytes each, the 4 bytes number `t mod 4` of row `t / 4`; of
//! sums, two neighbours (PTX ISA 9.7.14.5, figures of all shapes with 8 columns; 9.7.14.5.15 of `ldmatrix`).

use crate::eval::WARP;
use crate::nvgpu::is_shared;
use segra_interp::{Cx, Datum, Elem, Eval, EvalError, EvalResult, Flow, Inst, Lanes, Tf32};
use segra_ir::constraint::{
    AnyMemRef, AnyVector, BoolAttr, I32Attr, I64ArrayAttr, Index, UnitAttr,
};
use segra_ir::interfaces::{Effect, EffectKind, Effects, Verify};
use segra_ir::{Context, Ir, Op, OpDiagnostics, OpView, Type, Value, op};

/// Rows of a matrix that is read.
const ROWS: usize = 8;
/// Threads that have a row.
const PER_ROW: usize = 4;

/// Reads matrices of 8 rows, 16 bytes each, from shared memory; thread number `8 m + r` of a warp names row `r` of matrix `m`.
///
/// Each thread gets its part of each matrix, or of the transposed one.
#[op(
    "nvgpu.ldmatrix",
    interfaces(Verify, Effects, Eval),
    format = "$src_memref `[` $indices `]` attr-dict `:` type($src_memref) `->` type($res)"
)]
pub struct LdMatrixOp {
    src_memref: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    transpose: Attr<BoolAttr>,
    /// Matrices: 1, 2 or 4.
    #[name("numTiles")]
    num_tiles: Attr<I32Attr>,
    res: OpResult<AnyVector>,
}

/// Discardable attributes of a product: the integers of its first matrix, or its second one, have no sign.
pub const UNSIGNED: [&str; 2] = ["segra.unsigned_a", "segra.unsigned_b"];

/// Adds the product of two matrices to a third one; each thread of a warp has its part of all of them. Integers wrap.
#[op(
    "nvgpu.mma.sync",
    interfaces(Verify, Effects, Eval),
    format = "`(` $matrix_a `,` $matrix_b `,` $matrix_c `)` attr-dict `:` `(` type($matrix_a) `,` type($matrix_b) `,` type($matrix_c) `)` `->` type($res)"
)]
pub struct MmaSyncOp {
    matrix_a: Operand<AnyVector>,
    matrix_b: Operand<AnyVector>,
    matrix_c: Operand<AnyVector>,
    /// Rows, columns, depth.
    #[name("mmaShape")]
    mma_shape: Attr<I64ArrayAttr>,
    /// Of floats of 32 bits, the first 19 count: others are dropped.
    #[name("tf32Enabled")]
    tf32_enabled: OptionalAttr<UnitAttr>,
    res: OpResult<AnyVector>,
}

fn bits(ctx: &Context, element: Type) -> Option<i64> {
    let float = element.float_kind(ctx).map(segra_ir::FloatKind::width);
    element.integer_width(ctx).or(float).map(i64::from)
}

impl Verify for LdMatrixOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (view, ctx) = (LdMatrixOp::from_op(op), ir.ctx());
        let source = ir.value_type(view.src_memref(ir));
        if !is_shared(ctx, source) {
            diags.error(
                "operand `srcMemref` must lie in memory space 3 or `#gpu.address_space<workgroup>`",
            );
        }
        let tiles = view.num_tiles(ir);
        let result = ir.value_type(view.res(ir)).shaped(ctx);
        let (Some((shape, element)), Some((extents, stored))) = (result, source.shaped(ctx)) else {
            return;
        };
        let (rank, indices) = (extents.len(), view.indices(ir).len());
        if rank != indices {
            diags.error(format!(
                "needs {rank} indices by the type of `srcMemref`, not {indices}"
            ));
        }
        let width = bits(ctx, element).unwrap_or(0);
        if element != stored || ![8, 16, 32].contains(&width) {
            diags.error("reads elements of 8, 16 or 32 bits, of the type that is stored");
            return;
        }
        if view.transpose(ir) && width != 16 {
            diags.error(format!("transposes elements of 16 bits, not {width}"));
        }
        if ![1, 2, 4].contains(&tiles) || *shape != [i64::from(tiles), 32 / width] {
            let each = 32 / width;
            diags.error(format!("gives `numTiles`, 1, 2 or 4, by {each} elements"));
        }
    }
}

impl Verify for MmaSyncOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (view, ctx) = (MmaSyncOp::from_op(op), ir.ctx());
        let &[m, n, k] = &view.mma_shape(ir)[..] else {
            diags.error("attribute `mmaShape` must have 3 numbers");
            return;
        };
        let parts = [
            ("matrixA", view.matrix_a(ir), m * k),
            ("matrixB", view.matrix_b(ir), k * n),
            ("matrixC", view.matrix_c(ir), m * n),
        ];
        for (name, value, all) in parts {
            let shape = ir
                .value_type(value)
                .shaped(ctx)
                .map(|(shape, _)| shape.to_vec());
            let count: i64 = shape.iter().flatten().product();
            if count.saturating_mul(WARP as i64) != all {
                diags.error(format!(
                    "a warp's threads have {} elements of `{name}`, not {all}",
                    count.saturating_mul(WARP as i64)
                ));
            }
        }
        let element = |value| ir.value_type(value).shaped(ctx).map(|(_, element)| element);
        if element(view.matrix_a(ir)) != element(view.matrix_b(ir)) {
            diags.error("operands `matrixA` and `matrixB` must have one element type");
        }
        if ir.value_type(view.matrix_c(ir)) != ir.value_type(view.res(ir)) {
            diags.error("the result must have the type of `matrixC`");
        }
    }
}

impl Effects for LdMatrixOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let source = LdMatrixOp::from_op(op).src_memref(ir);
        effects.push(Effect::on(EffectKind::Read, source));
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Effects for MmaSyncOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// The first lanes of the warps that run an op, whole ones alone.
fn warps(cx: &Cx<'_>, inst: &Inst, lanes: &Lanes) -> Result<Vec<usize>, EvalError> {
    whole_groups((cx, inst, lanes), WARP, "warp")
}

/// The first lanes of the groups of so many threads that run an op, whole ones alone.
pub(crate) fn whole_groups(
    (cx, inst, lanes): (&Cx<'_>, &Inst, &Lanes),
    all: usize,
    name: &str,
) -> Result<Vec<usize>, EvalError> {
    let active: Vec<usize> = lanes.iter().collect();
    let mut firsts = Vec::new();
    for group in active.chunk_by(|x, y| x / all == y / all) {
        if group.len() != all {
            let (thread, count) = (group[0], group.len());
            let message =
                format!("{count} of {all} threads of the {name} of thread {thread} take part");
            return Err(cx.error(inst, message));
        }
        firsts.push(group[0]);
    }
    Ok(firsts)
}

fn vector(elem: Elem, shape: [usize; 2], values: &[Datum]) -> Option<Datum> {
    let mut elements = segra_interp::Elements::with_capacity(elem, values.len());
    for value in values {
        elements.push(value)?;
    }
    let array = segra_interp::ArrayValue::new(elem, shape.to_vec(), elements)?;
    Some(Datum::vector(array))
}

impl Eval for LdMatrixOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let view = LdMatrixOp::from_op(inst.op);
        let (tiles, transpose) = (view.num_tiles(cx.ir()) as usize, view.transpose(cx.ir()));
        let shape = cx.ir().value_type(view.res(cx.ir())).shaped(cx.ir().ctx());
        let each = shape.map_or(0, |(shape, _)| shape[1]) as usize;
        let indices = 1..inst.operands.len();
        for first in warps(cx, inst, lanes)? {
            let mut rows: Vec<Vec<Datum>> = Vec::new();
            let mut elem = None;
            for lane in first..first + ROWS * tiles {
                let memref = cx.memref(inst, 0, lane)?;
                let mut at = cx.ints(inst, indices.clone(), lane)?;
                elem = Some(memref.buffer.elem());
                let mut row = Vec::new();
                for _ in 0..PER_ROW * each {
                    row.push(cx.check(inst, memref.load(&at))?);
                    if let Some(last) = at.last_mut() {
                        *last = last.wrapping_add(1);
                    }
                }
                rows.push(row);
            }
            for thread in 0..WARP {
                let (row, column) = (thread / PER_ROW, thread % PER_ROW);
                let part = |tile: usize, number: usize| {
                    let at = column * each + number;
                    match transpose {
                        false => rows[tile * ROWS + row][at].clone(),
                        true => rows[tile * ROWS + at][row].clone(),
                    }
                };
                let values: Vec<Datum> = (0..tiles * each)
                    .map(|number| part(number / each, number % each))
                    .collect();
                let value = elem.and_then(|elem| vector(elem, [tiles, each], &values));
                let value =
                    value.ok_or_else(|| cx.error(inst, "reads elements of another type"))?;
                cx.set_result(inst, 0, first + thread, value);
            }
        }
        Ok(Flow::Next)
    }
}

/// How many numbers a thread has in each part of a fragment, and how many parts.
fn parts_of(ir: &Ir, value: Value) -> Option<[usize; 2]> {
    let (shape, _) = ir.value_type(value).shaped(ir.ctx())?;
    let &[parts, each] = shape else { return None };
    Some([usize::try_from(parts).ok()?, usize::try_from(each).ok()?])
}

/// Where a thread's number stands in a matrix.
#[derive(Clone, Copy)]
enum Side {
    /// Rows by depth, of so many blocks of 8 rows.
    Left { blocks: usize },
    /// Depth by columns.
    Right,
    /// Rows by columns.
    Sums,
}

impl Side {
    /// Row and column of number `beside` of `each` in part `part` of a thread.
    fn place(self, thread: usize, (part, each, beside): (usize, usize, usize)) -> [usize; 2] {
        let (row, column) = (thread / PER_ROW, thread % PER_ROW * each + beside);
        match self {
            Side::Left { blocks } => [
                row + ROWS * (part % blocks),
                column + PER_ROW * each * (part / blocks),
            ],
            Side::Right => [column + PER_ROW * each * part, row],
            Side::Sums => [row + ROWS * part, column],
        }
    }
}

/// A matrix of a warp, from the parts of its threads. Floats and integers of up to 32 bits are exact.
struct Gathered {
    columns: usize,
    elements: Vec<f64>,
}

impl Gathered {
    fn of(
        (cx, inst, operand): (&Cx<'_>, &Inst, usize),
        first: usize,
        (rows, columns): (usize, usize),
        side: Side,
    ) -> Result<Gathered, EvalError> {
        let mut elements = vec![0.0; rows * columns];
        let tf32 = MmaSyncOp::from_op(inst.op).tf32_enabled(cx.ir()).is_some();
        let tf32 = tf32 && !matches!(side, Side::Sums);
        let unsigned = UNSIGNED
            .get(operand)
            .is_some_and(|name| cx.ir().attr_named(inst.op, name).is_some());
        let value = cx.ir().operand(inst.op, operand);
        let shape = parts_of(cx.ir(), value);
        let [parts, each] = shape.ok_or_else(|| cx.error(inst, "multiplies vectors of rank 2"))?;
        for thread in 0..WARP {
            let value = cx.operand(inst, operand, first + thread).as_vector();
            let value = value.ok_or_else(|| cx.error(inst, "multiplies vectors"))?;
            for number in 0..parts * each {
                let found = value.get(number);
                let found = found.and_then(|found| match found.as_int() {
                    Some(integer) if unsigned => Some((integer & 0xff) as f64),
                    Some(integer) => Some(integer as f64),
                    None if tf32 => found
                        .as_f64()
                        .map(|value| Tf32::truncated(value as f32).to_f32().into()),
                    None => found.as_f64(),
                });
                let found = found.ok_or_else(|| cx.error(inst, "multiplies numbers"))?;
                let [row, column] = side.place(thread, (number / each, each, number % each));
                let element = elements.get_mut(row * columns + column);
                *element.ok_or_else(|| cx.error(inst, "has fragments of another shape"))? = found;
            }
        }
        Ok(Gathered { columns, elements })
    }
    fn at(&self, row: usize, column: usize) -> f64 {
        self.elements[row * self.columns + column]
    }
}

/// A sum as it is kept: rounded once, or wrapped.
fn kept(sum: f64, elem: Elem) -> Datum {
    match elem {
        Elem::Int(width) => Datum::Int(width.wrap(sum as i64)),
        _ => Datum::from_f64(sum, elem),
    }
}

impl Eval for MmaSyncOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let (ir, view) = (cx.ir(), MmaSyncOp::from_op(inst.op));
        let shape = view.mma_shape(ir);
        let (rows, depth) = match shape[..] {
            [rows @ (8 | 16), 8, depth @ 1..=256] => (rows as usize, depth as usize),
            _ => {
                let message = "has a rule of evaluation for 8 or 16 rows and 8 columns";
                return Err(cx.error(inst, message));
            }
        };
        let result = view.res(ir);
        let elem = Elem::of_element(ir.ctx(), ir.value_type(result));
        let (Some(elem), Some([parts, each])) = (elem, parts_of(ir, result)) else {
            return Err(cx.error(inst, "adds to vectors of rank 2"));
        };
        let blocks = rows / ROWS;
        for first in warps(cx, inst, lanes)? {
            let left = Side::Left { blocks };
            let a = Gathered::of((cx, inst, 0), first, (rows, depth), left)?;
            let b = Gathered::of((cx, inst, 1), first, (depth, 8), Side::Right)?;
            let c = Gathered::of((cx, inst, 2), first, (rows, 8), Side::Sums)?;
            for thread in 0..WARP {
                let sums: Vec<Datum> = (0..parts * each)
                    .map(|number| {
                        let place = (number / each, each, number % each);
                        let [row, column] = Side::Sums.place(thread, place);
                        let start = c.at(row, column);
                        let sum = (0..depth)
                            .fold(start, |sum, k| a.at(row, k).mul_add(b.at(k, column), sum));
                        kept(sum, elem)
                    })
                    .collect();
                let value = vector(elem, [parts, each], &sums);
                let value = value.ok_or_else(|| cx.error(inst, "adds numbers"))?;
                cx.set_result(inst, 0, first + thread, value);
            }
        }
        Ok(Flow::Next)
    }
}

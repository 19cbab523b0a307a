//! The kernel that `fuse-traversals` makes, part by part, for several shapes of tiles: Filipovič et al., "Optimizing CUDA code by
//! kernel fusion", 4.3.2, Algorithm 1. Results are kept, by the interpreter.

mod support;

use segra_interp::{Datum, Elem};
use segra_ir::{Ir, Op, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::registers::RegTileOp;
use segra_kernel::segop::SegMapOp;
use segra_schedule::FuseTraversals;
use segra_schedule::tile::Versions;
use segra_std::scf::ForOp;
use std::collections::HashSet;
use support::{apply_to_function, function, keeps, numbers, parse, text, verify};

/// Lanes of a warp.
const LANES: usize = 32;
/// The neutral element of least values.
const MOST: i64 = 2_147_483_647;

/// Extents of a tile: warps, columns of a thread, rows that it has at once, and how often.
#[derive(Clone, Copy, Debug)]
struct Shape {
    warps: usize,
    columns: usize,
    rows: usize,
    steps: usize,
}

/// Shapes that differ in each extent.
fn shapes() -> Vec<Shape> {
    let mut all = Vec::new();
    for (warps, columns, rows) in [(1, 1, 1), (2, 3, 1), (4, 1, 2), (2, 4, 2), (8, 2, 4)] {
        for steps in [1, 2, 4, 8] {
            all.push(Shape {
                warps,
                columns,
                rows,
                steps,
            });
        }
    }
    all
}

impl Shape {
    fn apply(self, ir: &mut Ir) {
        let number = |count: usize| i64::try_from(count).expect("is small");
        let pass = FuseTraversals {
            versions: Versions::One,
            warps: number(self.warps),
            columns: number(self.columns),
            rows: number(self.rows),
            steps: number(self.steps),
            tiles: 0,
            ..FuseTraversals::default()
        };
        apply_to_function(&pass, ir);
    }
}

/// Sums along rows, of products with `%p`; least values along columns, of products with `%r`; and where `stores`, a matrix.
fn program(elem: &str, [n, m]: [usize; 2], stores: bool) -> String {
    let (matrix, of_rows, of_columns) = (
        format!("tensor<{n}x{m}x{elem}>"),
        format!("tensor<{n}x{elem}>"),
        format!("tensor<{m}x{elem}>"),
    );
    let float = elem.starts_with('f');
    let (mul, add, least) = match float {
        true => ("arith.mulf", "arith.addf", "arith.minimumf"),
        false => ("arith.muli", "arith.addi", "arith.minsi"),
    };
    let (zero, most) = match float {
        true => ("0.0", "1.0e30".to_owned()),
        false if elem == "i8" => ("0", "127".to_owned()),
        false => ("0", MOST.to_string()),
    };
    let map = format!(
        "%c = kernel.segmap thread (%i < %n, %j < %m) -> ({matrix}) {{
           %x = tensor.extract %a[%i, %j] : {matrix}
           %y = {add} %x, %x : {elem}
           kernel.return %y : {elem}
         }}"
    );
    let (map, value, ty) = match stores {
        true => (map, ", %c", format!(", {matrix}")),
        false => (String::new(), "", String::new()),
    };
    format!(
        "func.func @main(%a: {matrix}, %p: {of_columns}, %r: {of_rows}) -> ({of_rows}, {of_columns}{ty}) {{
           %zero = arith.constant {zero} : {elem}
           %most = arith.constant {most} : {elem}
           %n = arith.constant {n} : index
           %m = arith.constant {m} : index
           %q = kernel.segred thread (%i < %n, %j < %m) init (%zero : {elem}) -> ({of_rows}) {{
             %x = tensor.extract %a[%i, %j] : {matrix}
             %y = tensor.extract %p[%j] : {of_columns}
             %z = {mul} %x, %y : {elem}
             kernel.return %z : {elem}
           }} combine (%s, %t) {{
             %u = {add} %s, %t : {elem}
             kernel.return %u : {elem}
           }}
           %w = kernel.segred thread (%j < %m, %i < %n) init (%most : {elem}) -> ({of_columns}) {{
             %x = tensor.extract %a[%i, %j] : {matrix}
             %y = tensor.extract %r[%i] : {of_rows}
             %z = {mul} %x, %y : {elem}
             kernel.return %z : {elem}
           }} combine (%s, %t) {{
             %u = {least} %s, %t : {elem}
             kernel.return %u : {elem}
           }}
           {map}
           func.return %q, %w{value} : {of_rows}, {of_columns}{ty}
         }}"
    )
}

/// The program with a kernel of such tiles.
fn fused(program: &str, shape: Shape) -> Ir {
    let mut ir = parse(program);
    shape.apply(&mut ir);
    verify(&ir);
    ir
}

/// The kernel of thread blocks, its loop, and the ops before that, in it and behind it.
struct Kernel {
    block: SegMapOp,
    looped: ForOp,
    before: Vec<Op>,
    behind: Vec<Op>,
}

impl Kernel {
    fn of(ir: &Ir) -> Kernel {
        let blocks = ir.walk(ir.root()).into_iter();
        let blocks = blocks.filter_map(|op| ir.cast::<SegMapOp>(op));
        let blocks: Vec<SegMapOp> = blocks
            .filter(|&segmap| segmap.level(ir) == Level::Block)
            .collect();
        let [block] = blocks[..] else {
            panic!("thread blocks have one kernel:\n{}", text(ir))
        };
        let [looped] = support::loops(ir, block)[..] else {
            panic!("a kernel has one loop of steps:\n{}", text(ir))
        };
        let ops: Vec<Op> = ir.ops(block.body_block(ir)).collect();
        let at = ops.iter().position(|&op| op == looped.op());
        let (before, behind) = ops.split_at(at.expect("the loop is in the block"));
        Kernel {
            block,
            looped,
            before: before.to_vec(),
            behind: behind[1..].to_vec(),
        }
    }

    fn inside(&self, ir: &Ir) -> Vec<Op> {
        within(ir, &[self.looped.op()])
    }
}

/// These ops and those in them.
fn within(ir: &Ir, ops: &[Op]) -> Vec<Op> {
    ops.iter().flat_map(|&op| ir.walk(op)).collect()
}

/// Those of these ops that read an array.
fn reads(ir: &Ir, ops: &[Op], array: Value) -> Vec<Read> {
    let reads = ops.iter().filter_map(|&op| Read::of(ir, op));
    reads.filter(|read| read.tensor(ir) == array).collect()
}

/// How many elements of an array these ops read: those at the same indices in one block, which `cse` makes one, read one.
fn elements(ir: &Ir, ops: &[Op], array: Value) -> usize {
    let at = |read: Read| (ir.block_of(read.op()), read.indices(ir).to_vec());
    let elements: HashSet<_> = reads(ir, ops, array).into_iter().map(at).collect();
    elements.len()
}

/// How many of these ops apply the operator on columns, which is on elements, not on indices.
fn applications(ir: &Ir, ops: &[Op]) -> usize {
    let index = ir.ctx().index();
    let applies = |&&op: &&Op| {
        ir.op_name_str(op) == "arith.minsi" && ir.value_type(ir.result(op, 0)) != index
    };
    ops.iter().filter(applies).count()
}

/// The constant that each thread has in an array which a segmap makes.
fn of_each_thread(ir: &Ir, array: Value) -> Option<i64> {
    let op = ir.defining_op(array)?;
    let segmap = ir.cast::<SegMapOp>(op)?;
    let number = ir.results(op).position(|result| result == array)?;
    let last = ir.ops(segmap.body_block(ir)).last()?;
    ir.constant_int(ir.operands(last).nth(number)?)
}

/// The parameters of the program: the matrix, what has an element for each column, and for each row.
fn parameters(ir: &Ir) -> [Value; 3] {
    let region = ir.regions(function(ir))[0];
    let block = ir.blocks(region).next().expect("has a body");
    let [a, p, r] = *ir.block_args(block) else {
        panic!("the program has three parameters")
    };
    [a, p, r]
}

#[test]
fn results_are_kept_whatever_the_tile() {
    for shape in shapes() {
        for extents in [[1, 1], [37, 67]] {
            for stores in [false, true] {
                let program = program("i32", extents, stores);
                let [n, m] = extents;
                let inputs: Vec<Datum> = vec![
                    numbers(Elem::I32, &[n, m], 1),
                    numbers(Elem::I32, &[m], 2),
                    numbers(Elem::I32, &[n], 3),
                ];
                let after = keeps(&program, &[inputs], |ir| shape.apply(ir));
                assert!(after.contains("kernel.segmap block"), "{after}");
            }
        }
    }
}

#[test]
fn steps_shrink_the_grid_along_one_of_its_two_dimensions() {
    for extents in [[4096, 2048], [1000, 999]] {
        let program = program("i32", extents, false);
        for shape in shapes() {
            let ir = fused(&program, shape);
            let sizes = Kernel::of(&ir).block.sizes(&ir);
            let grid: Vec<Option<i64>> = sizes.iter().map(|&size| ir.constant_int(size)).collect();
            let tile = [
                shape.warps * shape.rows * shape.steps,
                LANES * shape.columns,
            ];
            let blocks = [0, 1].map(|at| extents[at].div_ceil(tile[at]));
            let wanted = blocks.map(|count| i64::try_from(count).ok());
            assert_eq!(grid, wanted, "{extents:?} in tiles of {shape:?}");
        }
    }
}

/// Lines 4 to 10 of Algorithm 1.
#[test]
fn invariant_loads_and_cleared_sums_are_before_the_steps_and_stores_of_sums_behind() {
    for shape in shapes() {
        let ir = fused(&program("i32", [1000, 999], false), shape);
        let [a, p, r] = parameters(&ir);
        let kernel = Kernel::of(&ir);
        let (before, inside, behind) = (
            within(&ir, &kernel.before),
            kernel.inside(&ir),
            within(&ir, &kernel.behind),
        );
        // Elements of columns are the same in all steps: a thread loads each of its own once.
        let count = |ops: &[Op], array: Value| reads(&ir, ops, array).len();
        assert_eq!(count(&before, p), shape.columns, "{shape:?}");
        assert_eq!(count(&inside, p), 0, "{shape:?}");
        // Elements of the matrix are read once, whole tiles or not, for both nests; those of a row once for all columns.
        let of_step = shape.rows * shape.columns;
        assert_eq!(elements(&ir, &inside, a), 2 * of_step, "{shape:?}");
        assert_eq!(count(&inside, r), 2 * shape.rows, "{shape:?}");
        let others = [
            (&before, a),
            (&before, r),
            (&behind, a),
            (&behind, p),
            (&behind, r),
        ];
        for (ops, array) in others {
            assert_eq!(count(ops, array), 0, "{shape:?}");
        }
        // Sums begin as neutral elements: a thread's columns, then its row.
        let inits = kernel.looped.init_args(&ir);
        let cleared: Vec<Option<i64>> = inits
            .iter()
            .map(|&init| of_each_thread(&ir, init))
            .collect();
        let mut wanted = vec![Some(MOST); shape.columns];
        wanted.push(Some(0));
        assert_eq!(cleared, wanted, "{shape:?}");
        // They accumulate in the steps, and across the warps once, behind them; only then a block returns them.
        assert_eq!(applications(&ir, &inside), 2 * of_step, "{shape:?}");
        assert_eq!(applications(&ir, &behind), 1, "{shape:?}");
        let returns = kernel.behind.last().expect("a block returns");
        for value in ir.operands(*returns) {
            let by = ir.defining_op(value).expect("is made in the block");
            assert!(kernel.behind.contains(&by), "{shape:?}");
        }
    }
}

/// Line 2 of Algorithm 1, where a thread has arrays of the size of an element: here, of what it has itself.
#[test]
fn a_thread_has_registers_for_its_own_elements() {
    for (elem, bytes) in [("i8", 1), ("i32", 4), ("f32", 4), ("f64", 8)] {
        for shape in shapes() {
            let ir = fused(&program(elem, [1000, 999], true), shape);
            let kernel = Kernel::of(&ir);
            // Columns of larger elements are fewer, so that they have as many registers.
            let columns = (shape.columns * 4 / bytes.max(4)).max(1);
            let inits = kernel.looped.init_args(&ir);
            let of_threads = |value: &&Value| {
                let ty = ir.value_type(**value);
                let extents = [shape.warps as i64, LANES as i64];
                ty.shaped(ir.ctx())
                    .is_some_and(|(shape, _)| shape == extents)
            };
            let carried = inits.iter().filter(of_threads).count();
            assert_eq!(carried, columns + 1, "{elem}: {shape:?}");
            let tiles = |ops: &[Op]| -> Vec<(usize, Vec<i64>)> {
                let tiles = ops.iter().filter_map(|&op| ir.cast::<RegTileOp>(op));
                tiles
                    .map(|tile| (tile.parts(&ir).len(), tile.registers(&ir).to_vec()))
                    .collect()
            };
            // Elements that are stored in each step, and sums of columns after the last one.
            let [rows, wide] = [shape.rows, columns].map(|count| count as i64);
            let stored = (shape.rows * columns, vec![rows, wide]);
            assert_eq!(tiles(&kernel.inside(&ir)), [stored], "{elem}: {shape:?}");
            let sums = (columns, vec![1, wide]);
            let behind = within(&ir, &kernel.behind);
            assert_eq!(tiles(&behind), [sums], "{elem}: {shape:?}");
        }
    }
}
